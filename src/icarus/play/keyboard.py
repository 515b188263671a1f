"""Lines that a person types, with completion where the terminal can do it."""

from __future__ import annotations

from types import ModuleType

#: no move is as long as this; what is longer was pasted by mistake
LONGEST = 500


class Keyboard:
    """``read`` asks for a line; Tab completes the words that it is given, whole labels with their spaces."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._readline = _readline()
        if self._readline is not None:
            self._readline.set_completer(self._complete)
            self._readline.set_completer_delims("\n")
            apple = "libedit" in (self._readline.__doc__ or "")
            self._readline.parse_and_bind("bind ^I rl_complete" if apple else "tab: complete")

    def read(self, prompt: str, words: list[str]) -> str:
        self._words = words
        # bytes that are no text must not come back as text that cannot be printed
        return input(prompt).encode("utf-8", "replace").decode()[:LONGEST]

    def forget(self) -> None:
        """What was typed cannot be called up again."""
        if self._readline is not None:
            self._readline.clear_history()

    def _complete(self, text: str, number: int) -> str | None:
        start = text.casefold()
        return next(
            (word for i, word in enumerate(w for w in self._words if w.casefold().startswith(start)) if i == number), None
        )


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # some systems have none
        return None
    return readline
