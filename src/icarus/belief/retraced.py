"""From the present back: uniform determinizations of what is now, each with a whole game that leads to it.

Where hands are large few deals of the start agree with everything that was played from them.  So a game may say how it came to
a position (``retrace``); each particle weighs as much as that game is likely, and all of them agree with what was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from icarus.belief.models import Expected
from icarus.belief.particles import Particle, Weighed, effective
from icarus.game import ENVIRONMENT, UNSEEN, Position


@dataclass
class Trail:
    """A game that leads to a particle, with logarithms of probabilities."""

    #: what the others chose where they had a choice: position, legal actions, action; by how much the observer had seen before
    choices: list[list[tuple[Position, list[int], int]]]
    chance: float = 0.0  #: of what the environment did
    random: float = 0.0  #: of the others' moves, if they were uniformly random
    chosen: float = 0.0  #: of what ``retrace`` drew


def retraced(
    position: Position,
    observer: int,
    rng: np.ndarray,
    expected: Expected,
    *,
    particles: int,
    enough: float,
    recent: int | None,
) -> Weighed:
    """So many determinizations of the position, weighed by the moves of the others.

    From the last thing that the observer saw back, moves are weighed until the particles are worth ``enough`` of what they were
    worth (further back a single one would be left) or ``recent`` moves are.
    """
    seen = [moves[observer] for _, _, moves in position.history if moves[observer] != UNSEEN]
    found, trails = _drawn(position, observer, rng, expected, particles)
    since = len(seen) + 1
    if not found:
        return Weighed(since=since)
    # a way that was drawn is divided by the probability of that draw, so that its moves must count: as random ones.  Where
    # the deal says everything they need not: every deal begins as likely as without a belief
    ways = any(trail.chosen for trail in trails)
    logs = [trail.chance + (trail.random - trail.chosen if ways else 0.0) for trail in trails]
    wanted = enough * effective(logs)
    left = len(seen) + 1 if recent is None else recent
    while since > 0 and left > 0 and effective(logs) > wanted:
        since -= 1
        left -= any(trail.choices[since] for trail in trails)
        for number, trail in enumerate(trails):
            for here, legal, action in trail.choices[since]:
                share = expected.odds(here, legal)[legal.index(action)]
                logs[number] += math.log(share * len(legal) if ways else share)
    most = max(logs)
    weights = [math.exp(log - most) for log in logs]
    weighed = Weighed(
        [Particle(one, weight) for one, weight in zip(found, weights, strict=True)],
        log_evidence=most - math.log(particles),
        since=since,
        ways=ways,
    )
    weighed.normalise()  # which adds the logarithm of the sum
    return weighed


def _drawn(
    position: Position, observer: int, rng: np.ndarray, expected: Expected, particles: int
) -> tuple[list[Position], list[Trail]]:
    """Determinizations, and the games that lead to them."""
    game = position.game
    assert game.retrace is not None
    seen = [(actor, moves[observer]) for actor, _, moves in position.history if moves[observer] != UNSEEN]
    origin, view = Position(game, position.origin.copy()), position.view(observer)
    found, trails = list[Position](), list[Trail]()
    for _ in range(particles):
        drawn, start = position.determinize(observer, rng), origin.determinize(observer, rng).state
        actions, chosen = game.retrace(game.named(start), drawn.named, seen, observer, rng)
        here = Position(game, start)
        trail = _replayed(here, actions, observer, len(seen), expected)
        if trail is not None and here.view(observer) == view:
            trail.chosen = chosen
            found.append(here)
            trails.append(trail)
    return found, trails


def _replayed(here: Position, actions: list[int], observer: int, events: int, expected: Expected) -> Trail | None:
    """Play a game, in place; None if it cannot be played."""
    trail, event = Trail([[] for _ in range(events + 1)]), 0
    for action in actions:
        actor = here.player
        if actor != observer:
            legal = here.legal()
            if action not in legal:
                return None
            if actor == ENVIRONMENT:
                trail.chance += math.log(expected.odds(here, legal)[legal.index(action)])
            elif len(legal) > 1:
                trail.random -= math.log(len(legal))
                trail.choices[event].append((here.copy(), legal, action))
        here.apply(action)
        event += here.history[-1][2][observer] != UNSEEN
    return trail
