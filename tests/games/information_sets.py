"""Information sets by brute force: play every sequence of actions and group the states by all that an observer saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from icarus.game import UNSEEN, Game, Position
from icarus.jit.randomness import seeded
from tests.support import assert_uniform, determinizations

#: what the observer saw from the start -> the states (as bytes) in which it may be, each with a position
InformationSets = dict[tuple[Any, ...], dict[bytes, Position]]


def every_start(game: Game, seeds: int = 500) -> list[Position]:
    """All start positions, provided that this many seeds deal each of them."""
    starts = {start.state.tobytes(): start for start in map(game.start, range(seeds))}
    return [starts[key] for key in sorted(starts)]


def information_sets(game: Game, observer: int, wanted: Callable[[Position], bool] = lambda position: True) -> InformationSets:
    """Every unfinished position by the observer's own deal and the moves that it saw."""
    sets: InformationSets = {}
    frontier = [((start.view(observer),), start) for start in every_start(game)]
    while frontier:
        seen, position = frontier.pop()
        key = position.state.tobytes()
        if position.is_terminal or not wanted(position) or key in sets.setdefault(seen, {}):
            continue
        sets[seen][key] = position
        for action in position.legal():
            move = position.observe(action, observer)
            frontier.append((seen if move == UNSEEN else (*seen, move), position.copy().apply(action)))
    return {seen: states for seen, states in sets.items() if states}


def assert_views_name_information_sets(sets: InformationSets, observer: int) -> None:
    """The view says which states are possible: the same within a set, and nothing that was seen rules out more."""
    by_view: dict[object, set[bytes]] = {}
    for states in sets.values():
        views = {position.view(observer) for position in states.values()}
        assert len(views) == 1
        by_view.setdefault(views.pop(), set()).update(states)
    for states in sets.values():
        assert by_view[next(iter(states.values())).view(observer)] == set(states)


def assert_determinized_uniformly(sets: InformationSets, observer: int, checked: int, draws: int = 40) -> None:
    """The determinizations of every set are drawn from it alone and without a look at the true state.

    For some sets, spread over all that are not trivial, they are also uniform: ``draws`` per state on average.
    """
    for states in sets.values():
        results = set()
        for position in states.values():
            twin = position.determinize(observer, seeded(len(states)))
            assert twin.view(observer) == position.view(observer)
            results.add(twin.state.tobytes())
        assert len(results) == 1, "equal random numbers give different states: the true state was looked at"
        assert results <= set(states), "a state that cannot be"
    by_size = sorted((states for states in sets.values() if len(states) > 1), key=len)
    for states in by_size[:: max(1, len(by_size) // checked)]:
        position = next(iter(states.values()))
        assert_uniform(determinizations(position, observer, draws * len(states)), list(states))
