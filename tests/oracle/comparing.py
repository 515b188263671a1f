"""Where and how long searches are compared: games, positions, iteration counts, and what must be equal."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import icarus
from icarus.game import ENVIRONMENT, Game, Position, step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.search import Search
from icarus.strategy import Strategy
from tests.oracle.algorithm1 import Algorithm1
from tests.oracle.engine import Context, algorithm1_records, random_word, records
from tests.oracle.games import DRESS, bazaar, draft, sealed
from tests.oracle.history import ACTIONS, EACH, ROOT_VIEW, Before
from tests.oracle.randomness import Random
from tests.oracle.specifications import Amaf
from tests.oracle.states import State

OWN_GAMES = {
    "bazaar(2,2)": lambda: bazaar(2, 2),
    "bazaar(3,2)": lambda: bazaar(3, 2),
    "open bazaar(2,2)": lambda: bazaar(2, 2, hidden=False),
    "draft(2)": lambda: draft(2),
    "draft(2,5000)": lambda: draft(2, 5000),
    "draft(3,1170)": lambda: draft(3, 1170),
    "draft(4)": lambda: draft(4),
    "draft(2,9000,60,2)": lambda: draft(2, 9000, 60, 2),
    "sealed(1)": lambda: sealed(1),
    "sealed(2)": lambda: sealed(2),
}
MODELS = {"uct": ACTIONS, "so": ACTIONS, "pom": ROOT_VIEW, "mo": EACH}


def game_named(name: str) -> Game:
    """A game of the package or of games.py; ``dressed NAME`` has episodes, predicates and a heuristic as well."""
    if name.startswith("dressed "):
        return replace(icarus.load(name.removeprefix("dressed ")), **DRESS)
    return OWN_GAMES[name]() if name in OWN_GAMES else icarus.load(name)


def position_after(game: str, plies: int, seed: int) -> Position:
    """A position some random plies into a game (fewer if it would be over), where a player is to choose."""
    position = game_named(game).start(seed)
    rng = seeded(seed, stream=9)
    found = position
    while not position.is_terminal and (len(found.history) < plies or found.player == ENVIRONMENT):
        if position.player != ENVIRONMENT:
            found = position.copy()
        if len(found.history) < plies or found.player == ENVIRONMENT:
            step_randomly(position, rng)
    return found


def checkpoints(most: int) -> list[int]:
    """Iteration counts after which to compare: often at first, where a mistake is easy to understand."""
    if not JIT:
        most = max(most // 20, 5)
    return [n for n in (1, 2, 5, 20, 60, 200, 400) if n < most] + [most]


def assert_same_strategy(
    strategy: Strategy, position: Position, algorithm: str, seed: int, most: int, chance: str = "sample"
) -> None:
    """The engine and Algorithm 1 agree in every record of every capture, and have drawn the same random numbers."""
    search = Search(position, algorithm=algorithm, strategy=strategy, seed=seed, chance=chance, memory=1 << 24)
    twin = Algorithm1(
        State.of(position),
        search.observer,
        strategy,
        Random.of(seed, stream=100),
        model=MODELS[algorithm] if position.game.observe is not None else ACTIONS,
        before=current_episode(position, search.observer),
        even=chance == "even",
    )
    done = 0
    for total in checkpoints(most):
        search.run(iterations=total - done)
        twin.run(total - done)
        done = total
        held, expected = records(search), algorithm1_records(twin)
        where = f"of {strategy} on {position.game.name} differ after {total} iterations"
        assert held[0] == expected[0], f"the baseline's records {where}"
        for number, specification in enumerate(twin.specifications[1:], start=1):
            what = f"the records of {type(specification).__name__} {where}"
            if isinstance(specification, Amaf):
                assert rounded(held.get(number, {})) == rounded(expected[number]), what
            else:
                assert nameless(held.get(number, {})) == nameless(expected[number]), what
        assert random_word(search) == twin.rng.word, f"the random numbers {where}"


def current_episode(position: Position, observer: int) -> Before:
    if position.game.episode is None:
        return Before()
    label, start = position.episode
    return Before(label, tuple(moves[observer] for _, _, moves in position.history[start:]))


def nameless(contexts: dict[Any, Context]) -> Counter[frozenset[object]]:
    """The contexts of a capture without their keys: what they are called is the engine's own business."""
    return Counter(frozenset(rows.items()) for rows in contexts.values())


def rounded(contexts: dict[Any, Context]) -> dict[Any, Context]:
    """AMAF adds several equal rewards at once, which may differ in the last bit from adding them one by one."""
    return {key: {a: (n, m, tuple(round(x, 9) for x in q)) for a, (n, m, q) in rows.items()} for key, rows in contexts.items()}
