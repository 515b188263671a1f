"""Opening books (section V-B6 of mcts-survey-2012): decisions that were searched for long, made once and played from a file.

A book is grown from the start position: every position in it is searched, and its most visited moves are followed; or by whole
games (book_games.py).  For games in which everybody sees everything and nothing is left to chance.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.errors import ArenaError
from icarus.game import Game, Position, compiled
from icarus.search import Search

FORMAT = "icarus book 1"


@dataclass
class Book:
    """Positions, each with the action to be played, the visits that stand behind it, and the replies that were followed."""

    game: str
    #: by what names a position: the game's key, or the actions since the start
    moves: dict[str, tuple[int, ...]] = field(default_factory=dict)
    #: of a book by whole games: how often each action was played in a position, and what that brought in all
    played: dict[str, dict[int, tuple[int, float]]] = field(default_factory=dict)

    def move(self, position: Position) -> int | None:
        """The action for a position, if the book has one and it is legal."""
        known = self.moves.get(name_of(position))
        return known[0] if known is not None and known[0] in position.legal() else None

    def check(self, game: Game) -> None:
        """Refuse another game's book."""
        check_game(game)
        if game.name != self.game:
            raise ArenaError(f"the opening book is of {self.game}, not of {game.name}")

    def save(self, file: Path) -> None:
        rows = {name: list(row) for name, row in self.moves.items()}
        whole = file.with_suffix(file.suffix + ".new")  # an interrupt leaves the old file or the new one, never half of one
        held: dict[str, Any] = {"format": FORMAT, "game": self.game, "moves": rows}
        if self.played:
            held["played"] = {name: [[a, *row] for a, row in actions.items()] for name, actions in self.played.items()}
        whole.write_text(json.dumps(held, indent=1) + "\n")
        whole.replace(file)


def name_of(position: Position) -> str:
    """What a book calls a position: its key, or how it came about where the game has none."""
    if position.game.key is not None:
        return str(int(position.game.call("key", position.state)))
    return "/" + " ".join(str(action) for _, action, _ in position.history)


def check_game(game: Game) -> None:
    """A book says what to play in a position, which must be all there is to know."""
    if game.hidden_information or game.simultaneous_moves or game.stochastic:
        lacks = "hides something" if game.hidden_information else "leaves things to chance or to simultaneous choices"
        raise ArenaError(f"an opening book needs perfect information without chance, and {game.name} {lacks}")


@lru_cache(maxsize=16)
def read_book(file: str) -> Book:
    """A book from its file."""
    try:
        data = json.loads(Path(file).read_text())
        if data["format"] != FORMAT:
            raise ValueError
        moves = {str(name): (int(row[0]), *(int(number) for number in row[1:])) for name, row in data["moves"].items()}
        played = {
            str(name): {int(action): (int(games), float(points)) for action, games, points in rows if 0 <= points <= games}
            for name, rows in data.get("played", {}).items()
        }
        return Book(str(data["game"]), moves, played)
    except OSError:
        raise ArenaError(f"there is no opening book {file!r}; `icarus book GAME --output {file}` makes one") from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise ArenaError(f"{file!r} is not an opening book; `icarus book GAME --output FILE` makes one") from None


def grow(
    book: Book,
    game: Game,
    search: Callable[[Position, int], Search],
    *,
    iterations: int | None,
    seconds: float | None,
    plies: int,
    replies: int,
) -> Iterator[int]:
    """Search every position of the book's tree that it does not have yet; yields how many are still to do after each.

    In each position the ``replies`` most visited moves are followed: a book is for both sides, and the other one may play any.
    """
    waiting: deque[Position] = deque([game.start(0)])
    met: set[str] = set()
    while waiting:
        position = waiting.popleft()
        name = name_of(position)
        if position.is_terminal or name in met:
            continue
        met.add(name)
        legal = position.legal()
        if book.moves.get(name, (-1,))[0] not in legal:
            result = search(position, len(met)).run(iterations=iterations, seconds=seconds)
            if result.stopped_by == "interrupt":
                raise KeyboardInterrupt
            others = [row.action for row in result.root if row.visits and row.action != result.best.action]
            book.moves[name] = (result.best.action, result.best.visits, *others[: replies - 1])
        best, _, *others = book.moves[name]
        if len(position.history) + 1 < plies:
            waiting.extend(position.copy().apply(action) for action in (best, *others) if action in legal)
        yield len(waiting)


# --- a book as knowledge of a search ---------------------------------------------------------------------------------


def booked(game: str | Game, file: str) -> Game:
    """The game with a heuristic from an opening book: 1 for the book's move, 0 for others there, one half where it knows nothing.

    So a search is seeded by a book: ``Baseline(prior=HeuristicPrior(20))``, ``ProgressiveBias()`` and all that reads a heuristic.
    """
    from icarus.loading import load

    game = load(game) if isinstance(game, str) else game
    book = read_book(file)
    book.check(game)
    if game.key is None:
        raise ArenaError(
            f"a book tells positions of a search apart by the function 'key', which the game {game.name!r} does not have"
        )
    return replace(game, heuristic=heuristic_of(book, game))


def heuristic_of(book: Book, game: Game) -> Any:
    """What a book says of an action, as a compiled function: the book is part of it."""
    found = sorted((int(name), row[0]) for name, row in book.moves.items())
    keys, moves = (np.array([pair[place] for pair in found], np.int64) for place in range(2))
    count, key = len(found), game.key

    @compiled
    def heuristic(state: Any, action: int) -> float:
        sought, low, high = key(state), 0, count
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < sought:
                low = middle + 1
            else:
                high = middle
        if low == count or keys[low] != sought:
            return 0.5
        return 1.0 if moves[low] == action else 0.0

    return heuristic
