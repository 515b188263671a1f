"""Games that draw themselves: what a game's own ``draw`` may give, and how it becomes a drawing that can be clicked.

The game says what lies where, and which squares or cards are clicked for which action; colours, light and dark, marks and the
line that says who is to move are as everywhere else::

    def draw(self, observer):
        return Grid([self.board[row : row + 3] for row in (0, 3, 6)], clicks=lambda cell: divmod(cell, 3))

=====================  ====================================================================================================
:class:`Grid`          a board of squares
:class:`Cards`         rows of cards: hands, a trick, a deck
a text: ``<svg ...>``  any SVG; an element with ``data-action="e4"`` is clicked for the action that people call e4
``None``               nothing: the text that ``render`` gives is shown
=====================  ====================================================================================================

``observer`` is None for someone who may see everything.  What the observer may not know must not be drawn: ``icarus check``
compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from icarus.drawing import cards, generic
from icarus.drawing.kit import (
    button,
    caption,
    choices,
    clickable,
    coordinates,
    ink_on,
    letters,
    panel,
    player_colours,
    square,
    status,
    tag,
    words,
)
from icarus.drawing.kit import picture as whole
from icarus.errors import GameError, first_line
from icarus.game import ENVIRONMENT, Position

#: a row, counted from the top, and what in it, counted from the left; both from 0
Place = tuple[int, int]
#: which place is clicked for an action, or which ones, in order: a function (None for an action without a place), or a mapping
Clicks = Callable[[Any], Place | Sequence[Place] | None] | Mapping[Hashable, Place | Sequence[Place]]

CELL, LEFT, TOP = 54.0, 40.0, 16.0
EMPTY = ("", " ", ".")  #: texts of a square on which nothing stands
BUTTONS = 12  #: actions without a place that are drawn as buttons; more are only listed
MARGIN, WIDE = 16.0, 560.0  #: beside rows of cards, and how wide a drawing of them gets
SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Piece:
    """What stands on a square: a short text, and if it belongs to a player, a disc in that player's colour under it."""

    text: str = ""
    player: int | None = None


@dataclass(frozen=True)
class Grid:
    """A board of squares, row by row from the top; each holds a short text, a :class:`Piece`, or nothing (``""`` or ``"."``)."""

    squares: Sequence[Sequence[str | Piece | None]]
    clicks: Clicks = field(default_factory=dict)
    chequered: bool = False
    #: squares to be marked: where the last move was
    last: Sequence[Place] = ()
    #: the names of columns and of rows (from the top); a, b, c and 1, 2, 3 from below if none are given
    columns: Sequence[str] = ()
    rows: Sequence[str] = ()

    @property
    def names(self) -> tuple[list[str], list[str]]:
        width, height = max((len(row) for row in self.squares), default=0), len(self.squares)
        return list(self.columns) or letters(width), list(self.rows) or [str(height - row) for row in range(height)]

    def key(self, place: Place) -> str:
        columns, rows = self.names
        row, column = place
        return f"{columns[column]}{rows[row]}" if 0 <= row < len(rows) and 0 <= column < len(columns) else ""

    def parts(self, position: Position, observer: int | None, part: Any) -> tuple[list[str], float, float]:
        columns, rows = self.names
        width, height = CELL * len(columns), CELL * len(rows)
        parts = [panel(LEFT, TOP, width, height, 4)]
        for row, held in enumerate(self.squares):
            for column in range(len(columns)):
                x, y = LEFT + CELL * column, TOP + CELL * row
                shade = "shade" if self.chequered and (row + column) % 2 else "board"
                inside = [tag("rect", x=x, y=y, width=CELL, height=CELL, fill=f"var(--{shade})", stroke="var(--line)")]
                if (row, column) in self.last:
                    inside.append(tag("rect", x=x, y=y, width=CELL, height=CELL, class_="last"))
                inside += standing(position, held[column] if column < len(held) else "", x + CELL / 2, y + CELL / 2)
                inside.append(tag("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=4, class_="mark"))
                parts.append(part(self.key((row, column)), *inside))
        parts += coordinates(columns, rows, LEFT, TOP, CELL)
        return parts, LEFT + width + 16, TOP + height + 24


@dataclass(frozen=True)
class Cards:
    """Rows of cards, each with a title.  ``QH`` and ``10♠`` have a suit, other texts are ranks; None is a card face down."""

    rows: Mapping[str, Sequence[str | None]]
    clicks: Clicks = field(default_factory=dict)

    def key(self, place: Place) -> str:
        hands = list(self.rows.items())
        if not (0 <= place[0] < len(hands) and 0 <= place[1] < len(hands[place[0]][1])):
            return ""
        title, held = hands[place[0]]
        card = held[place[1]]
        alike = [i for i, other in enumerate(held) if other == card]
        return f"{title}: {card or 'a card'}" + (f" ({alike.index(place[1]) + 1})" if len(alike) > 1 else "")

    def parts(self, position: Position, observer: int | None, part: Any) -> tuple[list[str], float, float]:
        parts, y = [], TOP
        most = max((len(held) for held in self.rows.values()), default=0)
        width = min(max(2 * MARGIN + most * (cards.WIDTH + 4), 320.0), WIDE)
        for row, (title, held) in enumerate(self.rows.items()):
            parts.append(words(title, MARGIN, y + 8, 18, "start", class_="soft"))
            faces = [part(self.key((row, i)), card_of(card), cards.mark()) for i, card in enumerate(held)]
            parts += cards.fan(faces, width / 2, y + 28, width - 2 * MARGIN)
            y += cards.HEIGHT + 52
        return parts, width, y


def picture(position: Position, observer: int | None, seat: int | None = None) -> str:
    given = position.drawn(observer)
    if given is None:
        return generic.picture(position, observer, seat)
    if isinstance(given, str):
        return embedded(position, observer, given)
    drawn = known(position, given)
    can = choices(position, observer)
    paths = {action: path for action, path in clicks_of(position, drawn).items() if action in can}
    starts = Counter(path[0] for path in paths.values())
    single = {path[0]: action for action, path in paths.items() if len(path) == 1 and starts[path[0]] == 1}

    def part(key: str, *inside: str) -> str:
        if key in single:
            return clickable(single[key], can[single[key]], *inside, data_square=key, class_="can")
        return square(key, *inside, can=key in starts)

    parts, width, height = drawn.parts(position, observer, part)
    homeless = [action for action in can if action not in paths]
    width = max(width, 300.0)
    for number, action in enumerate(homeless if len(homeless) <= BUTTONS else []):
        y = height + 12 + 44 * (number // 3)
        parts.append(button(action, can[action], 12 + (width - 24) / 3 * (number % 3), y, (width - 24) / 3 - 8, 36))
    if len(homeless) <= BUTTONS:
        height += 44 * -(-len(homeless) // 3)
    parts.append(caption(status(position, observer), width / 2, height + 28))
    return whole(position, observer, width, height + 50, parts)


def keys(position: Position) -> dict[int, list[str]]:
    given = position.drawn(position.player)
    return {} if given is None or isinstance(given, str) else clicks_of(position, known(position, given))


def known(position: Position, given: Any) -> Grid | Cards:
    if isinstance(given, Grid | Cards):
        return given
    raise GameError(f"{position.game.name}: draw() gives a {type(given).__name__}; it should give a Grid, Cards, an SVG or None")


def clicks_of(position: Position, drawn: Grid | Cards) -> dict[int, list[str]]:
    """By the number of the legal action: the keys of the places that are clicked for it."""
    game, paths = position.game, {}
    for number in [] if position.player == ENVIRONMENT else position.legal():
        action = game.action(number)
        try:
            given: Any = drawn.clicks(action) if callable(drawn.clicks) else drawn.clicks.get(action)
            places = [] if given is None else list(given) if isinstance(given[0], Sequence) else [given]
            paths[number] = [drawn.key(place) for place in places]
        except Exception as problem:
            raise GameError(f"{game.name}: clicks of draw(), for {action!r}: {first_line(problem)}") from None
        if "" in paths[number]:
            raise GameError(f"{game.name}: draw() has the action {action!r} clicked at {given!r}, where nothing is drawn")
    return {number: path for number, path in paths.items() if path}


def standing(position: Position, held: str | Piece | None, x: float, y: float) -> list[str]:
    piece = held if isinstance(held, Piece) else Piece(held or "")
    if piece.player is None and piece.text in EMPTY:
        return []
    if piece.player is None:
        return [words(piece.text, x, y, size_of(piece.text), class_="strong")]
    colours = player_colours(position.game)
    colour = colours[piece.player % len(colours)]
    disc = tag("circle", cx=x, cy=y, r=0.38 * CELL, fill=f"var(--{colour})", stroke="var(--edge)")
    ink = f"fill:var(--{ink_on(colour)});font-weight:600"
    return [disc, words(piece.text, x, y, size_of(piece.text) * 0.8, style=ink)] if piece.text else [disc]


def size_of(text: str) -> float:
    """Of the letters, so that they stay within a square."""
    return min(30.0, 62.0 / max(len(text), 1))


def card_of(card: str | None) -> str:
    if card is None:
        return cards.back()
    rank, suit = card[:-1], card[-1:]
    letter = {symbol: letter for letter, symbol in cards.SYMBOLS.items()}.get(suit, suit.upper())
    return cards.suited(rank, letter) if rank and letter in cards.SYMBOLS else cards.face(card)


def embedded(position: Position, observer: int | None, text: str) -> str:
    """A user's SVG within a drawing of ours: labels become the numbers of actions, and what is not legal cannot be clicked."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as problem:
        raise GameError(f"{position.game.name}: draw() gives an SVG that cannot be read: {problem}") from None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    try:
        box = [float(number) for number in (root.get("viewBox") or f"0 0 {root.get('width')} {root.get('height')}").split()]
        left, top, width, height = box
    except ValueError:
        raise GameError(f"{position.game.name}: draw() gives an SVG without a viewBox") from None
    can = {label: action for action, label in choices(position, observer).items()}
    for parent in list(root.iter()):
        for element in list(parent):
            if element.tag == "script":
                parent.remove(element)
    for element in root.iter():
        label = element.attrib.pop("data-action", None)
        if label in can:
            element.set("data-action", str(can[label]))
            element.set("aria-label", label)
    inside = "".join(ElementTree.tostring(child, encoding="unicode") for child in root)
    nested = tag("svg", inside, width=width, height=height, viewBox=f"{left:g} {top:g} {width:g} {height:g}")
    line = caption(status(position, observer), max(width, 300.0) / 2, height + 26)
    return whole(position, observer, max(width, 300.0), height + 46, [nested, line])
