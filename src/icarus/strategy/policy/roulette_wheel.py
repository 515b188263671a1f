"""Roulette wheel (MAST-Roulette-4 of icarus-2014; equation 6 of bandits-2013): as likely as the average is high."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import Inlined, Policy


@compiled
def roulette_wheel(arms, values, p):
    for i in range(arms.size):
        values[i] = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1.0


@dataclass(frozen=True, repr=False)
class RouletteWheel(Policy):
    """``v / sum_b v(b)`` where ``v = q / n``, or 1 for an action without visits; uniform if all averages are 0."""

    function = staticmethod(roulette_wheel)
    shape = w.DISTRIBUTION
    inlined = Inlined(w.INLINED_ROULETTE_WHEEL, of=roulette_wheel)
    formula = "v / sum_b v(b), v = q/n or 1"
