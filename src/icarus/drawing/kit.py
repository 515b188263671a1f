"""What all drawings share: writing SVG, the palette, the line that says whose turn it is, what can be clicked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from icarus.game import ENVIRONMENT, UNSEEN, Game, Position

FINGER = 46.0  #: how high a button can be hit, on a drawing that a phone makes smaller
PUBLIC = -1  #: the observer who knows what everybody knows, and no more

#: name: (light, dark).  A page may set --icarus-NAME to use a colour of its own.
PALETTE = {
    "ink": ("#262a31", "#e9e6df"),
    "soft": ("#6d7077", "#9c9fa6"),
    "line": ("#c5bdac", "#5a5f67"),
    "board": ("#f1ebdf", "#32353b"),
    "shade": ("#ded3be", "#464b53"),
    "one": ("#34588c", "#84aee6"),
    "two": ("#c4562f", "#ee9468"),
    "dark": ("#2b2f36", "#101214"),
    "light": ("#fdfbf6", "#efece4"),
    "edge": ("#8d8574", "#8b9099"),
    "accent": ("#2e8b6f", "#5cc5a4"),
    "felt": ("#b9cdb4", "#3c5a4a"),
    "frame": ("#d3c7b0", "#43484f"),
    "spike": ("#bfb095", "#5d646e"),
    "card": ("#fffdf8", "#f3efe6"),
    "back": ("#5b7396", "#465a78"),
    "red": ("#b8322a", "#b8322a"),
    "black": ("#23272e", "#23272e"),
    # players beyond the second, and players who are called by a colour
    "three": ("#7a5ea8", "#b79be6"),
    "four": ("#8a7a2c", "#d3c068"),
    "ruby": ("#b8322a", "#e0665c"),
    "leaf": ("#3b7d46", "#74c184"),
    "gold": ("#d9a520", "#f0c650"),
    "rose": ("#c9628f", "#ec9cc0"),
    "umber": ("#7b5436", "#c09670"),
    "slate": ("#7d838c", "#a9afb8"),
    "sea": ("#1f8a94", "#62c8d0"),
}

#: the colours of players whose names say nothing about it, and what names may say
PLAYERS = ("one", "two", "three", "four", "leaf", "rose", "sea", "umber")
COLOUR_WORDS = {
    **dict.fromkeys(("black", "dark"), "dark"),
    **dict.fromkeys(("white", "light"), "light"),
    **dict.fromkeys(("yellow", "gold"), "gold"),
    **dict.fromkeys(("purple", "violet"), "three"),
    **dict.fromkeys(("grey", "gray", "silver"), "slate"),
    **dict.fromkeys(("teal", "cyan", "turquoise"), "sea"),
    "red": "ruby",
    "blue": "one",
    "orange": "two",
    "green": "leaf",
    "pink": "rose",
    "brown": "umber",
}


def colour_word(name: str) -> str | None:
    """The colour that a name says, such as ``red`` or ``white player``."""
    return next((COLOUR_WORDS[word] for word in re.split(r"[^a-z]+", name.casefold()) if word in COLOUR_WORDS), None)


def player_colours(game: Game) -> list[str]:
    """Names of the palette, one for each player: what they are called, or one of their own."""
    said = [colour_word(name) for name in game.player_colours or game.player_labels]
    free = iter([name for name in PLAYERS if name not in said])
    return [name or next(free, "slate") for name in said]


def ink_on(colour: str) -> str:
    """The colour of writing on a player's colour."""
    return "black" if colour in ("light", "gold") else "light" if colour == "dark" else "board"


RULES = """
svg.icarus{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;max-width:100%}
svg.icarus text{fill:var(--ink)} svg.icarus .soft{fill:var(--soft)} svg.icarus .strong{font-weight:600}
svg.icarus .mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}
svg.icarus .cover{fill:var(--board);fill-opacity:0}
svg.icarus [data-action],svg.icarus .can{cursor:pointer}
svg.icarus .ghost{opacity:0} svg.icarus [data-action]:hover .ghost,svg.icarus [data-action]:focus .ghost{opacity:.45}
svg.icarus .hint{fill:var(--accent);opacity:.5} svg.icarus [data-action]:hover .hint{opacity:1}
svg.icarus .mark{fill:none;stroke:var(--accent);stroke-width:3;opacity:0}
svg.icarus .can>.mark{opacity:.35} svg.icarus .can:hover>.mark{opacity:.8} svg.icarus .target>.mark{opacity:.8}
svg.icarus .selected>.mark{opacity:1;fill:var(--accent);fill-opacity:.25}
svg.icarus .last{fill:var(--accent);opacity:.22}
svg.icarus .button .face{fill:var(--board);stroke:var(--accent)}
svg.icarus .button:hover .face{fill:var(--accent);fill-opacity:.25}
svg.icarus [data-action]:focus-visible,svg.icarus [data-square]:focus-visible{outline:3px solid var(--accent)}
""".replace("\n", "")


@dataclass(frozen=True)
class Several:
    """A choice of several things at once, such as cards to pass: what there is, as keys, and how many of it (None: any)."""

    keys: list[str]
    verb: str
    number: int | None = None


def tag(name: str, *inside: str, **attributes: object) -> str:
    """One element; ``class_`` is class, ``stroke_width`` is stroke-width, None leaves an attribute out."""
    written = "".join(
        f' {key.rstrip("_").replace("__", ":").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def _value(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else str(value)


def words(content: str, x: float, y: float, size: float = 16, anchor: str = "middle", **attributes: object) -> str:
    """A line of text around (x, y): centred on it from above and below."""
    return tag("text", escape(content), x=x, y=y, font_size=size, text_anchor=anchor, dominant_baseline="central", **attributes)


def group(*inside: str, **attributes: object) -> str:
    return tag("g", *inside, **attributes)


def picture(position: Position, observer: int | None, width: float, height: float, parts: Iterable[str], line: str = "") -> str:
    """The whole drawing; ``line`` says whose turn it is where :func:`status` does not know better."""
    name = position.game.name
    return tag(
        "svg",
        tag("title", escape(name)),
        tag("desc", escape("" if observer == PUBLIC else position.render(observer))),
        tag("style", _style()),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        class_="icarus",
        viewBox=f"0 0 {_value(float(width))} {_value(float(height))}",
        role="img",
        aria_label=f"{name}: {line or status(position, observer)}",
    )


def _style() -> str:
    def colours(shade: int) -> str:
        return "".join(f"--{name}:var(--icarus-{name},{pair[shade]});" for name, pair in PALETTE.items())

    light, dark = f"svg.icarus{{{colours(0)}}}", f"svg.icarus{{{colours(1)}}}"
    themes = f"[data-theme=light] {light}[data-theme=dark] {dark}"
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}{themes}{escape(RULES, quote=False)}"


def status(position: Position, observer: int | None) -> str:
    """Whose turn it is, or how the game ended, as far as the observer can tell."""
    game = position.game
    if position.is_terminal:
        return "the game is over" if game.hidden_information and observer is not None else outcome(position)
    player = position.player
    if observer is not None and player == observer:
        return f"your move ({game.player_labels[observer]})"
    if observer not in (None, PUBLIC) and game.hidden_information:
        return "the others are acting"
    return "the dice are rolled" if player == ENVIRONMENT else f"{game.player_labels[player]} to move"


def outcome(position: Position) -> str:
    """Who has won, where that is one player, or the score; otherwise the rewards."""
    if position.game.score is not None:
        return f"a score of {position.score():.10g}"
    rewards, names = position.rewards(), position.game.player_labels
    if len(set(position.game.teams)) == 1:
        return f"all together {rewards[0]:g}"
    if len(rewards) > 1 and len(set(rewards)) == 1:
        return "a draw"
    if sorted(rewards)[-1] == 1 and sorted(rewards)[:-1] == [0] * (len(rewards) - 1):
        return f"{names[rewards.index(1)]} has won"
    return ", ".join(f"{name} {reward:g}" for name, reward in zip(names, rewards, strict=True))


def choices(position: Position, observer: int | None) -> dict[int, str]:
    """The legal actions of the observer, or of whoever acts for someone who sees everything, with their labels."""
    player = position.player
    if position.is_terminal or player == ENVIRONMENT or observer not in (None, player):
        return {}
    return {action: position.format_action(action) for action in position.legal()}


def seen(position: Position, observer: int | None) -> list[tuple[int, int]]:
    """The moves so far, each with its player, as the observer saw them."""
    if observer == PUBLIC:
        return [(player, action) for player, action, shown in position.history if all(move == action for move in shown)]
    everything = [(player, action if observer is None else shown[observer]) for player, action, shown in position.history]
    return [(player, move) for player, move in everything if move != UNSEEN]


def clickable(action: int, label: str, *inside: str, **attributes: object) -> str:
    """A part of the drawing that is an action by itself."""
    return group(tag("title", escape(label)), *inside, data_action=action, aria_label=label, **attributes)


def square(key: str, *inside: str, can: bool = False, **attributes: object) -> str:
    """A part of the drawing that is clicked on the way to an action; ``can``: an action begins here."""
    return group(*inside, data_square=key, aria_label=key, class_="can" if can else None, **attributes)


def starts(position: Position, observer: int | None, keys: dict[int, list[str]]) -> set[str]:
    """The keys with which the observer's actions begin."""
    return {keys[action][0] for action in choices(position, observer) if keys.get(action)}


def button(action: int, label: str, x: float, y: float, width: float, height: float = 32) -> str:
    """An action without a place of its own."""
    around = max(0.0, (FINGER - height) / 2)
    cover = tag("rect", x=x, y=y - around, width=width, height=height + 2 * around, class_="cover")
    face = tag("rect", x=x, y=y, width=width, height=height, rx=height / 2, class_="face")
    return clickable(action, label, cover, face, words(label, x + width / 2, y + height / 2, 14), class_="button")


def panel(x: float, y: float, width: float, height: float, radius: float = 10, fill: str = "board") -> str:
    """A surface that things lie on."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=radius, fill=f"var(--{fill})", stroke="var(--line)")


def letters(columns: int) -> list[str]:
    return [chr(ord("a") + x) for x in range(columns)]


def coordinates(columns: list[str], rows: list[str], left: float, top: float, cell: float) -> list[str]:
    """The names of columns below a board of squares and of rows at its left, rows from the top."""
    below = top + cell * len(rows) + 16
    names = [words(name, left + cell * (x + 0.5), below, 15, class_="soft") for x, name in enumerate(columns)]
    return names + [words(name, left - 16, top + cell * (y + 0.5), 15, class_="soft") for y, name in enumerate(rows)]


def caption(text: str, x: float, y: float) -> str:
    return words(text, x, y, 16, class_="strong")
