"""Opening books by whole games (meta-MCTS, section IV-I4 of mcts-survey-2012; Chaslot et al. 2009).

A tree search whose playouts are games of a searching player against itself.  Within the book's plies a move is chosen by what the
games so far have brought with it; where nothing recommends itself, and behind the book, a search decides.

=====================  =========================================================================================================
*quasi best-first*     the move with the best average so far, if that is above ``K``: plays what has worked, and looks for
                       something else as soon as it does not
*beta*                 of each move a value drawn from the beta distribution of its wins and losses, the greatest if it is above
                       ``K``: a move that was played seldom may still be better than it looks
=====================  =========================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from icarus.arena.book import Book, name_of
from icarus.game import Game, Position

METHODS = ("quasi-best-first", "beta")
K = 0.5  #: an average that recommends a move: better than even

#: of each action: games, and what they brought to the player who chose it
Played = dict[int, tuple[int, float]]


def recommended(played: Played, method: str, rng: np.random.Generator, k: float = K) -> int | None:
    """The move that the games so far recommend; None: none is good enough."""
    best, chosen = k, None
    for action, (games, points) in sorted(played.items()):
        value = points / games if method == METHODS[0] else rng.beta(points + 1.0, games - points + 1.0)
        if value > best:
            best, chosen = value, action
    return chosen


def grow_by_games(
    book: Book,
    game: Game,
    search: Callable[[Position, int], int],
    *,
    games: int,
    plies: int,
    method: str,
    seed: int,
) -> Iterator[int]:
    """Play games from the start; after each the book knows its result, and how many are still to play is told.

    ``search(position, number)`` is the action of a search with the random numbers of this number.
    """
    before = sum(count for count, _ in book.played.get(name_of(game.start(0)), {}).values())
    for number in range(before, before + games):
        rng = np.random.default_rng([seed, number])
        position, path = game.start(0), list[tuple[str, int, int]]()
        while not position.is_terminal:
            name = name_of(position)
            known = book.played.get(name, {}) if len(position.history) < plies else {}
            action = recommended({a: row for a, row in known.items() if a in position.legal()}, method, rng)
            if action is None:
                action = search(position, 10_007 * number + len(position.history))
            if len(position.history) < plies:
                path.append((name, position.player, action))
            position.apply(action)
        rewards = position.rewards()
        for name, player, action in path:
            played = book.played.setdefault(name, {})
            count, points = played.get(action, (0, 0.0))
            played[action] = count + 1, points + rewards[player]
            book.moves[name] = by_games(played)
        yield before + games - number - 1


def by_games(played: Played) -> tuple[int, ...]:
    """What a book says of a position: the move that was played most often, in how many games, and the others."""
    order = sorted(played, key=lambda action: (-played[action][0], -played[action][1], action))
    return order[0], played[order[0]][0], *order[1:]
