"""The AMAF half of CadiaPlayer's formula (equation 2 of rave-variants-2016): the AMAF average with the baseline's exploration.

CadiaPlayer puts ``(1 - b) Q + b AMAF`` in the place of Q in UCT.  With ``e = c sqrt(ln m / n)`` from the baseline record that is
``b (AMAF + e) + (1 - b) (Q + e)``: a maxilinear combination of this policy on AMAF's records and UCB1 on the baseline's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.engine.tables import logarithm
from icarus.strategy.icarus import Policy, require


@compiled
def cadia(reward, visits, available, extra, base, record, values, size, parameters):
    c = parameters[0]
    trials = 0.0
    log = 0.0
    for i in range(size):
        n = base[size + i]
        if n > 0.0:
            if base[2 * size + i] != trials:
                trials = base[2 * size + i]
                log = logarithm(int(trials))
            average = reward[i] / visits[i] if visits[i] > 0.0 else base[i] / n
            values[i] = average + c * math.sqrt(log / n)
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class Cadia(Policy):
    """``q / n + c sqrt(ln M / N)`` with the baseline's visits N and availability M; without AMAF visits, the baseline's Q / N.

    ``c`` = 0.2 as in rave-variants-2016.
    """

    c: float = 0.2

    function = staticmethod(cadia)
    follows_baseline = True
    formula = "q/n + c sqrt(ln M / N)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
