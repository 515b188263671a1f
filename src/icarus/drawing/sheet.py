"""Rule sheets: where the facts of a state say what stands on which square, as in ``(cell 2 3 x)``, a board; else the text.

Nothing in a sheet declares a board, so this looks for one: a relation over all pairs of two coordinates and something that can
stand there.  The pieces take the colours of the roles that their names remind of.  A move is clicked on the squares that it
names, and one that names a column alone, as in ``(drop 3)``, anywhere in that column or on the arrow above it.  Where a sheet
hides something (GDL-II), only facts that the observer can always work out are drawn (``gdl.certain``), and the squares of the
others have a question mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from icarus.drawing import generic
from icarus.drawing.kit import (
    COLOUR_WORDS,
    PUBLIC,
    caption,
    choices,
    clickable,
    colour_word,
    coordinates,
    ink_on,
    player_colours,
    square,
    starts,
    status,
    tag,
    words,
)
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.gdl.certain import certain_fluents
from icarus.gdl.game import SheetGame
from icarus.gdl.reader import Term, format_term

CELL, LEFT, TOP = 54.0, 40.0, 16.0
ARROW = 36.0  #: room for the arrows above columns
COORDINATE = re.compile(r"[a-z]?\d{1,2}|[a-z]")
EMPTY = ("b", "blank", "empty", "e", "nothing", "none", "free")
GLYPHS = {"knight": "♞", "rook": "♜", "bishop": "♝", "queen": "♛", "king": "♚", "pawn": "♟", "checker": "◎"}
PLAIN = ("disc", "stone", "man")  #: pieces that need no sign
SMALLEST = 6  #: facts that make a board
SEEN = 3  #: of the last steps, what was seen


@dataclass(frozen=True)
class Board:
    """The relation that says what stands where, and its squares in order; ``drops``: there are moves that name a column alone."""

    relation: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    drops: bool = False

    def holds(self, term: Term) -> bool:
        return isinstance(term, tuple) and term[0] == self.relation and term[1] in self.columns and term[2] in self.rows


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    game: Any = position.game
    board = board_of(game)
    known = certain(game, observer)
    if observer == PUBLIC and game.hidden_information and not (board and any(map(board.holds, known))):
        return ""
    if board is None:
        return generic.picture(position, None if observer == PUBLIC else observer, seat)
    facts = [term for term in game.memory.fluents(position.state) if term in known]
    standing: dict[tuple[str, str], Term] = {(term[1], term[2]): term for term in facts if board.holds(term)}
    sure = {(term[1], term[2]) for term in known if board.holds(term)}
    rest = [format_term(term) for term in facts if not board.holds(term)]
    told = position.render(observer).splitlines()[-SEEN:] if game.hidden_information and observer not in (None, PUBLIC) else []
    paths = keys(position)
    first = starts(position, observer, paths)
    can = choices(position, observer)
    single = {path[0]: action for action, path in paths.items() if len(path) == 1 and action in can}
    shared = [path[0] for path in paths.values() if path]
    parts = []
    top = TOP + ARROW if board.drops else TOP
    for j, row in enumerate(reversed(board.rows)):
        for i, column in enumerate(board.columns):
            x, y, key = LEFT + CELL * i, top + CELL * j, f"{column} {row}"
            shade = "shade" if (i + len(board.rows) - 1 - j) % 2 == 0 else "board"
            inside = [tag("rect", x=x, y=y, width=CELL, height=CELL, fill=f"var(--{shade})")]
            if (column, row) in standing:
                inside.append(piece(standing[column, row], game, x + CELL / 2, y + CELL / 2))
            elif (column, row) not in sure:
                inside.append(words("?", x + CELL / 2, y + CELL / 2, 18, class_="soft"))
            inside.append(tag("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=4, class_="mark"))
            if key in single and shared.count(key) == 1:
                action = single[key]
                parts.append(clickable(action, can[action], *inside, data_square=key, class_="can"))
            else:
                parts.append(square(key, *inside, can=key in first, data_column=column if column in single else None))
    for i, column in enumerate(board.columns):
        if column in single:
            x, middle = LEFT + CELL * i, LEFT + CELL * (i + 0.5)
            arrow = tag("path", d=f"M{middle - 9},{top - 22}h18l-9,14z", class_="hint")
            cover = tag("rect", x=x, y=top - ARROW, width=CELL, height=ARROW, class_="cover")
            parts.append(clickable(single[column], can[single[column]], cover, arrow, data_square=column))
    width, height = CELL * len(board.columns), CELL * len(board.rows)
    parts.append(tag("rect", x=LEFT, y=top, width=width, height=height, rx=4, fill="none", stroke="var(--edge)"))
    parts += coordinates(list(board.columns), list(board.rows)[::-1], LEFT, top, CELL)
    across = max(LEFT + width + 16, 300.0)
    parts.append(caption(status(position, observer), across / 2, top + height + 42))
    lines = wrapped(rest, int(across / 7.4)) + told
    parts += [words(line, across / 2, top + height + 68 + 18 * i, 12, class_="soft") for i, line in enumerate(lines)]
    return whole(position, observer, across, top + height + 64 + 18 * len(lines), parts)


def keys(position: Position) -> dict[int, list[str]]:
    """The squares that a move names, in order: one, or from and to."""
    game: Any = position.game
    board = board_of(game)
    if board is None:
        return {}
    found = {}
    for action in position.legal():
        term = game.network.terms[action]
        path = squares_of(term, board) if isinstance(term, tuple) else []
        if path and all(part == path[0] for part in path):
            path = path[:1]
        found[action] = path
    return found


def squares_of(term: Term, board: Board) -> list[str]:
    """The squares in ``(move wp b 3 a 4)``, the column in ``(drop 3)``; none if there is not a whole number of them."""
    if drops(term, board.columns):
        return [str(term[1])]
    values = [value for value in term[1:] if isinstance(value, str) and (value in board.columns or value in board.rows)]
    if len(values) not in (2, 4):
        return []
    pairs = list(zip(values[::2], values[1::2], strict=True))
    return [f"{x} {y}" for x, y in pairs] if all(x in board.columns and y in board.rows for x, y in pairs) else []


def drops(term: Term, columns: tuple[str, ...]) -> bool:
    """Does a move name a column and nothing else?"""
    return isinstance(term, tuple) and len(term) == 2 and term[1] in columns


@lru_cache(maxsize=64)
def certain(game: SheetGame, observer: int | None) -> frozenset[Term]:
    """The facts of which an observer always knows whether they hold."""
    network = game.network
    if not game.hidden_information or observer is None:
        return frozenset(network.fluents)
    roles = [observer] if observer != PUBLIC else range(game.players)
    return frozenset(network.fluents[i] for i in certain_fluents(network, roles))


@lru_cache(maxsize=16)
def board_of(game: SheetGame) -> Board | None:
    """The relation with the most facts about two coordinates and a piece."""
    facts: dict[str, list[Term]] = {}
    for term in game.network.fluents:
        if isinstance(term, tuple) and len(term) in (4, 5) and all(isinstance(part, str) for part in term):
            facts.setdefault(term[0], []).append(term)
    best: Board | None = None
    most = SMALLEST - 1
    for relation, terms in facts.items():
        places = all(COORDINATE.fullmatch(term[1]) and COORDINATE.fullmatch(term[2]) for term in terms)
        third_is_place = len(terms[0]) == 5 and all(COORDINATE.fullmatch(term[3]) for term in terms)
        if places and not third_is_place and len(terms) > most:
            most = len(terms)
            columns = in_order({term[1] for term in terms})
            falling = any(drops(term, columns) for term in game.network.terms)
            best = Board(relation, columns, in_order({term[2] for term in terms}), falling)
    return best


def in_order(values: set[str]) -> tuple[str, ...]:
    """1, 2, .. 10 by number, the rest by letter."""
    return tuple(sorted(values, key=lambda value: (re.sub(r"\d", "", value), int("0" + re.sub(r"\D", "", value)))))


def piece(term: Term, game: SheetGame, x: float, y: float) -> str:
    named = [part for part in term[3:] if part not in EMPTY]
    if not named:
        return ""
    owner = owner_of(named, tuple(game.player_labels))
    said = [colour_word(part) for part in named]
    colour = next(filter(None, said), None) or player_colours(game)[owner]
    glyph = next((GLYPHS[part] for part in (*named, term[0]) if part in GLYPHS), "")
    text = glyph or "".join(part for part in named if part not in (*game.network.roles, *COLOUR_WORDS, *PLAIN))[:3]
    disc = tag("circle", cx=x, cy=y, r=0.37 * CELL, fill=f"var(--{colour})", stroke="var(--edge)")
    ink = f"fill:var(--{ink_on(colour)});font-weight:600"
    return disc + words(text, x, y, 26 if glyph else 16, style=ink) if text else disc


def owner_of(named: list[str], roles: tuple[str, ...]) -> int:
    """The role that a piece's name reminds of; a stranger among two roles belongs to the one that nothing else reminds of."""
    for number, role in enumerate(roles):
        if role in named or any(role.startswith(part) for part in named):
            return number
    for number, role in enumerate(roles):
        if any(part[0] == role[0] for part in named):
            return number
    return 0


def wrapped(texts: list[str], columns: int) -> list[str]:
    """Facts one after the other, in at most four lines."""
    lines = [""]
    for text in texts:
        if lines[-1] and len(lines[-1]) + len(text) >= columns:
            lines.append("")
        lines[-1] += f"{'  ' if lines[-1] else ''}{text}"
    return [line for line in (lines if len(lines) <= 4 else [*lines[:3], "…"]) if line]
