"""UCB1 for subset-armed bandits (Base-4 of icarus-2014; equation 7 and section IV-B of ismcts-2012).

The number of trials of an arm is how often it was *available*, not how often its parent was visited.  An arm that was never
tried has infinite value, so untried arms come first, in random order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, EXPLORATION, Inlined, Policy, require, tries


@compiled
def ucb1(arms, values, p):
    c, trials = p.c, arms.available[0]
    untried = 0
    uneven = 0
    for i in range(arms.size):
        untried += arms.visits[i] == 0.0
        uneven += arms.available[i] != trials
    if untried > 0:  # an untried arm outweighs every other, whatever their values are
        for i in range(arms.size):
            values[i] = math.inf if arms.visits[i] == 0.0 else 0.0
    elif uneven == 0:  # siblings that were always available together: one logarithm serves them all
        log = logarithm(int(trials))
        for i in range(arms.size):
            values[i] = arms.reward[i] / arms.visits[i] + c * math.sqrt(log / arms.visits[i])
    else:
        for i in range(arms.size):
            values[i] = arms.reward[i] / arms.visits[i] + c * math.sqrt(logarithm(int(arms.available[i])) / arms.visits[i])


@dataclass(frozen=True, repr=False)
class UCB1(Policy):
    """``q / n + c sqrt(ln m / n)`` with the availability count ``m``.

    ``c`` = 0.7 is what ismcts-2012, bandits-2013 (for simulations), icarus-2014 and rave-variants-2016 play with.  The survey
    (mcts-survey-2012) writes ``2 C_p sqrt(2 ln n / n_j)`` and names ``C_p = 1 / sqrt(2)``, which is ``c`` = 2 here.
    """

    c: float = 0.7

    grid = tries(c=EXPLORATION)

    function = staticmethod(ucb1)
    kinds = COUNTED
    needs_availability = True
    untried_first = staticmethod(ucb1)
    inlined = Inlined(w.INLINED_UCB1, of=ucb1, when=lambda policy: policy.c > 0)  # averages alone tie, to the last digit
    formula = "q/n + c sqrt(ln m / n)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
