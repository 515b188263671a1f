"""Pieces and cells, found in a sheet by what fluents and moves look like, for FAST (section VI-A4 of mcts-survey-2012).

A *board* is a relation such as ``(cell 1 2 white)`` or ``(cell a 6 black pawn)``: one or two of its arguments are a piece, the
others together are a cell, and in the initial state no cell has two pieces.  Of several such readings the one whose cells moves
name and that has the most cells is the board.  A move whose arguments name one cell puts something there; one that names more
goes from the first to the last.  What a role puts on the board and what is left behind is seen in a few random games.  Finnsson
and Bjornsson (2010) match templates in this way; theirs are not printed in the survey, so these are an interpretation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from icarus.gdl.reader import Term

if TYPE_CHECKING:
    from icarus.gdl.game import SheetGame
    from icarus.gdl.network import Network

Terms = tuple[Term, ...]

FEWEST_CELLS = 4
WATCHED_MOVES = 200  #: of random games
NONE = -1


@dataclass(frozen=True)
class Board:
    """Which fluent is which piece on which cell, and what moves say of them; -1 where there is none."""

    cells: tuple[Terms, ...]
    pieces: tuple[Terms, ...]
    cell_of: npt.NDArray[np.int32]  # [fluents]
    piece_of: npt.NDArray[np.int32]  # [fluents]
    fluent_at: npt.NDArray[np.int32]  # [cells, pieces]
    move_from: npt.NDArray[np.int32]  # [terms]
    move_to: npt.NDArray[np.int32]  # [terms]
    #: the piece that a role's move puts down where it names one cell
    dropped: tuple[int, ...]
    #: the piece (as a rule an empty cell) that is where another one has left
    left: int = NONE

    @property
    def moves_name_cells(self) -> bool:
        return bool((self.move_to != NONE).any())


def find_board(network: Network) -> Board | None:
    """The largest relation that looks like a board, if there is one; rather one whose cells moves name."""
    relations: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, term in enumerate(network.fluents):
        if isinstance(term, tuple) and len(term) >= 3:
            relations[term[0], len(term)].append(number)
    best, worth = None, (False, 0)
    for (_, size), numbers in sorted(relations.items()):
        for places in _places(size):
            parts = [_parts(network.fluents[n], places) for n in numbers]
            cells, pieces = {cell for cell, _ in parts}, {piece for _, piece in parts}
            begun = Counter(cell for n, (cell, _) in zip(numbers, parts, strict=True) if network.initial[n])
            if len(cells) < FEWEST_CELLS or not 1 < len(pieces) < len(cells) or max(begun.values(), default=0) > 1:
                continue
            board = _board(network, numbers, parts)
            if (board.moves_name_cells, len(cells)) > worth:
                best, worth = board, (board.moves_name_cells, len(cells))
    return best


def _places(size: int) -> Iterator[tuple[int, ...]]:
    """Which arguments of a term of this size may be the piece: one, from the last on, or two that stand side by side."""
    for width in (1, 2):
        for last in range(size - 1, width - 1, -1):
            if width < size - 1:
                yield tuple(range(last - width + 1, last + 1))


def _parts(fluent: Term, places: tuple[int, ...]) -> tuple[Terms, Terms]:
    """Cell and piece."""
    return tuple(fluent[i] for i in range(1, len(fluent)) if i not in places), tuple(fluent[i] for i in places)


def _board(network: Network, numbers: list[int], parts: list[tuple[Terms, Terms]]) -> Board:
    fluents, terms = network.fluents, network.terms
    cells, pieces = tuple(dict.fromkeys(cell for cell, _ in parts)), tuple(dict.fromkeys(piece for _, piece in parts))
    cell_number, piece_number = ({one: i for i, one in enumerate(those)} for those in (cells, pieces))
    cell_of, piece_of = np.full(len(fluents), NONE, np.int32), np.full(len(fluents), NONE, np.int32)
    fluent_at = np.full((len(cells), len(pieces)), NONE, np.int32)
    for n, (cell, piece) in zip(numbers, parts, strict=True):
        cell_of[n], piece_of[n] = cell_number[cell], piece_number[piece]
        fluent_at[cell_of[n], piece_of[n]] = n
    move_from, move_to = np.full(len(terms), NONE, np.int32), np.full(len(terms), NONE, np.int32)
    for n, term in enumerate(terms):
        named = _named_cells(term[1:] if isinstance(term, tuple) else (), cell_number)
        if named:
            move_to[n] = named[-1]
            move_from[n] = named[0] if len(named) > 1 else NONE
    return Board(cells, pieces, cell_of, piece_of, fluent_at, move_from, move_to, tuple(NONE for _ in network.roles))


def _named_cells(arguments: Terms, cells: dict[Terms, int]) -> list[int]:
    """The cells that arguments name one after the other, from the left."""
    width, found, place = len(next(iter(cells))), [], 0
    while place + width <= len(arguments):
        cell = cells.get(tuple(arguments[place : place + width]))
        if cell is not None:
            found.append(cell)
        place += 1 if cell is None else width
    return found


def watch_moves(board: Board, game: SheetGame) -> Board:
    """Note in random games, in which nothing is left to chance, what roles put down and what is left behind."""
    dropped: list[Counter[int]] = [Counter() for _ in board.dropped]
    left: Counter[int] = Counter()
    rng, position, games = np.random.default_rng(0), game.start(0), 0
    numbers = {term: number for number, term in enumerate(game.network.fluents)}
    for _ in range(WATCHED_MOVES):
        if position.is_terminal:
            games += 1
            position = game.start(games)
        player, legal = position.player, position.legal()
        action = int(legal[int(rng.integers(len(legal)))])
        position.apply(action)
        here = {int(board.cell_of[n]): int(board.piece_of[n]) for n in (numbers[term] for term in game.fluents(position.state))}
        source, target = int(board.move_from[action]), int(board.move_to[action])
        if target != NONE and source == NONE:
            dropped[player][here.get(target, NONE)] += 1
        elif source != NONE:
            left[here.get(source, NONE)] += 1
    return replace(board, dropped=tuple(_most(seen) for seen in dropped), left=_most(left))


def _most(seen: Counter[int]) -> int:
    return seen.most_common(1)[0][0] if seen else NONE
