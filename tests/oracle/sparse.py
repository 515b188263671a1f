"""Sparse sampling as it is written down, over positions: all samples are drawn as the search says it draws them."""

from __future__ import annotations

import numpy as np

from icarus.game import Position
from icarus.jit.randomness import mix, random_below

OUTCOMES, PLAYOUT = 0, 1


def numbers(path: int, purpose: int) -> np.ndarray:
    return np.array([int(mix(path, purpose)) & 0x7FFFFFFFFFFFFFFF | 1], np.uint64)


def decide(position: Position, rng: np.ndarray) -> None:
    """Let the environment act until the player does."""
    while not position.is_terminal and position.environment_acts:
        position.apply(position.sample(rng))


def playout(position: Position, path: int) -> float:
    rng = numbers(path, PLAYOUT)
    while not position.is_terminal:
        legal = position.legal()
        position.apply(legal[int(random_below(rng, len(legal)))] if len(legal) > 1 else legal[0])
        decide(position, rng)
    return position.rewards()[0]


def action_values(position: Position, path: int, width: int, depth: int) -> dict[int, float]:
    """The mean of so many sampled successors for each action."""
    found = {}
    for action in position.legal():
        total = 0.0
        for sample in range(width):
            behind, way = position.copy(), int(mix(int(mix(path, action)), sample))
            rng = numbers(way, OUTCOMES)
            behind.apply(action)
            decide(behind, rng)
            total += state_value(behind, way, width, depth - 1)
        found[action] = total / width
    return found


def state_value(position: Position, path: int, width: int, depth: int) -> float:
    if position.is_terminal or depth == 0:
        return playout(position, path)
    return max(action_values(position, path, width, depth).values())
