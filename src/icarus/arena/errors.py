"""What can go wrong in the arena, in words for the person who can put it right."""

from __future__ import annotations

from icarus.errors import IcarusError


class ArenaError(IcarusError):
    """A match, a store or an experiment that cannot go on: what was given, what was expected, what to do."""


class PlayerError(ArenaError):
    """A player that does not read, or cannot play the game; ``at`` is the character (from 0) where reading stopped."""

    def __init__(self, message: str, text: str = "", at: int | None = None) -> None:
        self.text, self.at = text, at
        if at is not None:
            shown = "".join(letter if letter.isprintable() else " " for letter in text)
            message = f"{message} (character {at + 1})\n  {shown}\n  {' ' * at}^"
        super().__init__(message)
