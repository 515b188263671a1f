"""Particles: whole games that an observer cannot tell from the true one, with weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from icarus.drawn import evenly
from icarus.game import Position
from icarus.jit.randomness import random_unit


@dataclass
class Particle:
    position: Position
    weight: float


@dataclass
class Weighed:
    """Particles that agree with what an observer has seen, and what their weights rest on."""

    particles: list[Particle] = field(default_factory=list)
    #: all possibilities are among them
    exact: bool = False
    #: the logarithm of how likely the model and chance would show what was seen since the particles began
    log_evidence: float = 0.0
    #: how much the observer had seen before the first move that the model weighed
    since: int = 0
    #: there were several ways to a particle, of which one was drawn
    ways: bool = False

    def normalise(self) -> bool:
        """Let the weights add up to 1, and the evidence grow by what they were; False if nothing is left."""
        total = sum(particle.weight for particle in self.particles)
        if total <= 0:
            self.particles = []
            return False
        self.log_evidence += math.log(total)
        for particle in self.particles:
            particle.weight /= total
        return True

    @property
    def effective(self) -> float:
        """How many equal particles they are worth."""
        return 1 / sum(particle.weight**2 for particle in self.particles) if self.particles else 0.0


def effective(logs: Sequence[float]) -> float:
    """The same for particles with these logarithms of weights."""
    weights = np.exp(np.array(logs) - max(logs))
    return float(weights.sum() ** 2 / (weights**2).sum())


def resampled(particles: list[Particle], number: int, rng: np.ndarray) -> list[Particle]:
    """So many equal particles, drawn by weight."""
    chosen = evenly([particle.weight for particle in particles], number, rng)
    return [Particle(particles[int(i)].position.copy(), 1 / number) for i in chosen]


def draw(odds: list[float], rng: np.ndarray) -> int:
    """An index, as likely as its share of the odds."""
    point = float(random_unit(rng)) * sum(odds)
    for i, share in enumerate(odds):
        point -= share
        if point < 0:
            return i
    return max(range(len(odds)), key=odds.__getitem__)
