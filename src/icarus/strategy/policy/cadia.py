"""The AMAF half of CadiaPlayer's formula (equation 2 of rave-variants-2016): the AMAF average with the baseline's exploration.

CadiaPlayer puts ``(1 - b) Q + b AMAF`` in the place of Q in UCT.  With ``e = c sqrt(ln m / n)`` from the baseline record that is
``b (AMAF + e) + (1 - b) (Q + e)``: a maxilinear combination of this policy on AMAF's records and UCB1 on the baseline's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import EXPLORATION, Inlined, Policy, require, tries


@compiled
def cadia(arms, values, p):
    trials = 0.0
    log = 0.0
    for i in range(arms.size):
        n = arms.baseline_visits[i]
        if n > 0.0:
            if arms.baseline_available[i] != trials:
                trials = arms.baseline_available[i]
                log = logarithm(int(trials))
            average = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else arms.baseline_reward[i] / n
            values[i] = average + p.c * math.sqrt(log / n)
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class Cadia(Policy):
    """``q / n + c sqrt(ln M / N)`` with the baseline's visits N and availability M; without AMAF visits, the baseline's Q / N.

    ``c`` = 0.2 as in rave-variants-2016.
    """

    c: float = 0.2

    grid = tries(c=EXPLORATION)

    function = staticmethod(cadia)
    follows_baseline = True
    inlined = Inlined(w.INLINED_CADIA, of=cadia, when=lambda policy: policy.c > 0)
    formula = "q/n + c sqrt(ln M / N)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
