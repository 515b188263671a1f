"""The exact cost of sailing, by value iteration over place, wind and tack, without a limit of legs."""

from __future__ import annotations

import itertools

STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
State = tuple[int, int, int, int]


def turns(wind: int) -> list[tuple[int, float]]:
    """Where the wind blows next, and how likely."""
    odds = {0: (0.3, 0.4, 0.3), 4: (0.4, 0.2, 0.4)}.get(wind, (0.4, 0.3, 0.3) if wind < 4 else (0.3, 0.3, 0.4))
    return [((wind + turn - 1) % 8, odds[turn]) for turn in range(3)]


def legs(n: int, state: State) -> dict[int, tuple[int, tuple[int, int, int]]]:
    """By direction: what the leg costs, and place and tack behind it."""
    x, y, wind, tack = state
    found = {}
    for direction, (east, north) in enumerate(STEPS):
        angle = (direction - wind) % 8
        if angle == 4 or not (0 <= x + east < n and 0 <= y + north < n):
            continue
        side = 0 if angle == 0 else 1 if angle < 4 else 2
        cost = 1 + min(angle, 8 - angle) + (3 if side + tack == 3 else 0)
        found[direction] = cost, (x + east, y + north, side or tack)
    return found


def values(n: int, error: float = 1e-6) -> dict[State, float]:
    """The least expected cost from every state."""
    known = dict.fromkeys(itertools.product(range(n), range(n), range(8), range(3)), 0.0)
    while True:
        new = {state: min(leg_values(n, state, known).values()) if state[:2] != (n - 1, n - 1) else 0.0 for state in known}
        change = max(abs(new[state] - known[state]) for state in known)
        known = new
        if change < error:
            return known


def leg_values(n: int, state: State, known: dict[State, float]) -> dict[int, float]:
    """What each leg costs in all."""
    return {
        direction: cost + sum(odds * known[x, y, wind, tack] for wind, odds in turns(state[2]))
        for direction, (cost, (x, y, tack)) in legs(n, state).items()
    }
