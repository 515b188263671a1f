"""A policy of one's own: judge an action as if its next few playouts were all won.  Try:

``icarus search othello --strategy "Baseline() >> MAST(policy=examples/optimist.py:Optimist())"``
``icarus search othello --strategy "Baseline() >> NAST(policy=examples/optimist.py:Optimist(wins=5))"``
"""

from dataclasses import dataclass

from icarus.game import compiled
from icarus.strategy import Policy, require


@compiled
def optimist(arms, values, p):
    for i in range(arms.size):
        values[i] = (arms.reward[i] + p.wins) / (arms.visits[i] + p.wins)


@dataclass(frozen=True, repr=False)
class Optimist(Policy):
    """The largest ``(q + wins) / (n + wins)``: 1 for an action without visits, and near q / n after many."""

    wins: float = 1.0

    function = staticmethod(optimist)
    formula = "(q + wins) / (n + wins)"

    def __post_init__(self) -> None:
        require(self, "wins", 0, above=True)
