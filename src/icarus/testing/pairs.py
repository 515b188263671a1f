"""Pairs of positions that one player cannot tell apart, found without the help of ``determinize``.

Two games are played side by side from starts that look the same to the observer, or from the same start.  Whatever happens in
the first, in the second something happens that the observer sees in the same way: so both stay in one information set of the
observer.  On the way the observer's views and legal actions must agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from icarus.testing.ledger import Ledger, Place
from icarus.testing.memory import fingerprint
from icarus.testing.playing import pick

STARTS = 60  #: seeds among which starts are sought that look the same
PLIES = 4000 if JIT else 400  #: plies walked in all for one observer
SAMPLES = 8  #: draws of the environment until one looks as it should


class Pair(NamedTuple):
    """Two different states of one information set."""

    place: Place
    observer: int
    one: Position
    other: Position


def find_pairs(game: Game, seed: int, walks: int, ledger: Ledger) -> list[Pair]:
    """One pair from each walk that leads to one."""
    pairs: list[Pair] = []
    starts = some_starts(game, seed, STARTS, ledger)
    for observer in range(game.players):
        alike: dict[object, list[tuple[Place, Position]]] = {}
        for place, start in starts:
            alike.setdefault(start.view(observer), []).append((place, start))
        rng = seeded(seed, stream=31 + observer)
        groups, effort = list(alike.values()), [PLIES]
        for number in range(walks):
            if number and ledger.late(0.4 + 0.1 * (observer + 1) / game.players):
                break
            group = groups[number % len(groups)]
            place, one = group[int(random_below(rng, len(group)))]
            _, other = group[int(random_below(rng, len(group)))]
            met = list(walk(one.copy(), other.copy(), observer, place.seed, rng, ledger, effort))
            if met:
                pairs.append(met[int(random_below(rng, len(met)))])
    return pairs


def some_starts(game: Game, seed: int, number: int, ledger: Ledger) -> list[tuple[Place, Position]]:
    """Start positions from this seed on, so many or as there is time for."""
    starts: list[tuple[Place, Position]] = []
    while len(starts) < number and not (len(starts) > 1 and ledger.late(0.45)):
        place = Place(seed + len(starts), 0)
        starts.append((place, game.start(place.seed)))
    return starts


def walk(
    one: Position, other: Position, observer: int, seed: int, rng: np.ndarray, ledger: Ledger, effort: list[int]
) -> Iterator[Pair]:
    """Play both side by side as long as the observer sees the same of them, and effort is left; yields where they differ."""
    while effort[0] > 0 and not one.is_terminal and not other.is_terminal:
        effort[0] -= 1
        place = Place(seed, len(one.history))
        if not same_for(observer, one, other, ledger, place):
            return
        if fingerprint(one) != fingerprint(other):
            yield Pair(place, observer, one.copy(), other.copy())
        if one.player != other.player:
            return
        action = one.sample(rng) if one.player == ENVIRONMENT else pick(one.legal(), rng)
        reply = answer(other, one.observe(action, observer), action if one.player == observer else None, observer, rng)
        if reply is None:
            return
        one.apply(action)
        other.apply(reply)


def same_for(observer: int, one: Position, other: Position, ledger: Ledger, place: Place) -> bool:
    """Two positions after the same observed moves: the observer's view and legal actions agree."""
    text = f"observer {observer} saw the same moves in two games, yet its views are different"
    if not ledger.expect("observe-view", one.view(observer) == other.view(observer), place, text):
        return False
    if one.player == observer == other.player:
        text = (
            f"observer {observer} saw the same moves in two games, yet may choose from {one.legal()[:8]} and {other.legal()[:8]}"
        )
        return ledger.expect("legal-known", sorted(one.legal()) == sorted(other.legal()), place, text)
    return True


def answer(position: Position, move: int, own: int | None, observer: int, rng: np.ndarray) -> int | None:
    """An action that the observer sees as this move; its own action is the same in both games."""
    if position.player == ENVIRONMENT:
        drawn = [position.sample(rng) for _ in range(SAMPLES)]
        options = [action for action in drawn if position.observe(action, observer) == move]
    else:
        allowed = position.legal() if own is None else [own] if own in position.legal() else []
        options = [action for action in allowed if position.observe(action, observer) == move]
    return pick(options, rng) if options else None
