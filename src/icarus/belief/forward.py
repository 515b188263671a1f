"""From the start on: a particle filter.

A particle begins with a deal that the observer cannot tell from the true one, and follows move by move what was seen.  Where the
observer did not see the action itself, the particle draws one among those that would have looked the same; its weight is
multiplied by the probability of all of these.  When few particles carry all the weight, they are drawn anew by weight; when
hardly any agree with what was seen last (somebody was unmasked), all are drawn anew, uniformly, from what can be now.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from icarus.belief.deals import listed_deals
from icarus.belief.models import Expected
from icarus.belief.particles import Particle, Weighed, draw, resampled
from icarus.game import UNSEEN, Position

Event = tuple[int, int, int]  #: who acted, the action, and what the observer saw of it


class Filter:
    """Particles that are kept from one decision to the next."""

    def __init__(self, expected: Expected, particles: int) -> None:
        self.expected, self.particles = expected, particles
        self._kept: tuple[Any, Weighed] | None = None

    def forget(self) -> None:
        """Begin anew with the next decision."""
        self._kept = None

    def weighed(self, position: Position, observer: int, rng: np.ndarray) -> Weighed:
        """Particles that agree with all that the observer has seen."""
        events = [(actor, action, moves[observer]) for actor, action, moves in position.history if moves[observer] != UNSEEN]
        now, met = self._begin(position, observer, events, rng)
        for number in range(met, len(events)):
            now.particles = [one for one in now.particles if self._meet(one, observer, events[number], rng)]
            if len(now.particles) < self.particles / 8 and not now.exact:
                now = self._anew(position, observer, number + 1, rng)
            if not now.normalise():
                return now
            if not now.exact and min(now.effective, len(now.particles)) < self.particles / 2:
                now.particles = resampled(now.particles, self.particles, rng)
        now.particles = [one for one in now.particles if self._wait(one, position, observer, rng)]
        if now.normalise():
            self._kept = (self._key(position, observer, events), now)
        return now

    def _begin(self, position: Position, observer: int, events: list[Event], rng: np.ndarray) -> tuple[Weighed, int]:
        """Particles of an earlier decision of the same game, or new ones from the start; and how many events they have met."""
        if self._kept is not None:
            (before, seen), kept = self._kept
            beginning, moves = self._key(position, observer, events)
            if beginning == before and moves[: len(seen)] == seen:
                again = [Particle(particle.position.copy(), particle.weight) for particle in kept.particles]
                return replace(kept, particles=again), len(seen)
        if listed := listed_deals(position, observer, self.particles):
            return Weighed(listed, exact=position.game.observe is None), 0
        origin = Position(position.game, position.origin.copy())
        drawn = [Position(origin.game, origin.determinize(observer, rng).state) for _ in range(self.particles)]
        return Weighed([Particle(start, 1 / self.particles) for start in drawn]), 0

    @staticmethod
    def _key(position: Position, observer: int, events: list[Event]) -> tuple[object, tuple[tuple[bool, int], ...]]:
        """What the particles rest on: the observer's view of the start, and what it saw since."""
        from icarus.equilibrium.knowledge import start_key

        seen = tuple((actor == observer, move) for actor, _, move in events)
        return (id(position.game), observer, start_key(position.game, position.origin, observer)), seen

    def _anew(self, position: Position, observer: int, events: int, rng: np.ndarray) -> Weighed:
        """Too few particles agree with the last of so many events: uniform determinizations of the position after it."""
        here, seen = Position(position.game, position.origin.copy()), 0
        for _, action, moves in position.history:
            if seen == events:
                break
            here.apply(action)
            seen += moves[observer] != UNSEEN
        if here.is_terminal:
            return Weighed()
        drawn = [Position(here.game, here.determinize(observer, rng).state) for _ in range(self.particles)]
        return Weighed([Particle(twin, 1 / self.particles) for twin in drawn], since=events)

    def _meet(self, particle: Particle, observer: int, event: Event, rng: np.ndarray) -> bool:
        """Play a particle on until it has met what the observer saw next; False if it cannot."""
        actor, action, move = event
        position = particle.position
        # not as long as the game was: the observer may not have noticed all
        while not position.is_terminal and len(position.history) <= position.game.max_plies:
            if position.player == observer:
                if actor != observer or action not in position.legal() or position.observe(action, observer) != move:
                    return False
                position.apply(action)
                return True
            seen = self._step(particle, observer, (UNSEEN, move), rng)
            if seen is None or seen == move:
                return seen == move
        return False

    def _wait(self, particle: Particle, position: Position, observer: int, rng: np.ndarray) -> bool:
        """What the observer has not noticed may have happened since: play on until it is its turn, if it is."""
        here = particle.position
        while not here.is_terminal and here.player != position.player and position.player == observer:
            if len(here.history) > here.game.max_plies or self._step(particle, observer, (UNSEEN,), rng) is None:
                return False
        return not here.is_terminal and here.view(observer) == position.view(observer)

    def _step(self, particle: Particle, observer: int, fits: tuple[int, ...], rng: np.ndarray) -> int | None:
        """Somebody else does what looks like one of these; returns what the observer sees of it, None if nothing does."""
        position = particle.position
        legal = position.legal()
        seen = [position.observe(action, observer) for action in legal]
        fitting = [i for i, move in enumerate(seen) if move in fits]
        odds = self.expected.odds(position, legal)
        mass = sum(odds[i] for i in fitting)
        if mass <= 0:
            return None
        particle.weight *= mass
        chosen = fitting[draw([odds[i] for i in fitting], rng)]
        position.apply(legal[chosen])
        return seen[chosen]
