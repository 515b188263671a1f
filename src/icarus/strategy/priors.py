"""Search seeding (sections V-B8 and V-B10 of mcts-survey-2012): a node's records begin with virtual visits and wins.

``HeuristicPrior`` takes their value from the game's heuristic (Szita, Chaslot and Spronck 2009), ``Grandfather`` from what the
player's previous decision on the path knows of the same actions (Gelly and Silver 2007).  A function of one's own is a ``Prior``
(seams.py); a prior that fades is :class:`~icarus.strategy.fading_seed.FadingSeed`.  Virtual visits are not enough for a node: the
tree grows behind an action after one visit more.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import require, tries
from icarus.strategy.expansion import ExpandAfter
from icarus.strategy.seams import LeafRule, Prior


@compiled
def by_heuristic(state, actions, size, reward, visits, p):
    for i in range(size):
        visits[i] = p.visits
        reward[i] *= p.visits


@compiled
def by_grandfather(state, actions, size, reward, visits, p):
    for i in range(size):
        n = visits[i]
        visits[i] = min(n, p.visits)
        reward[i] = reward[i] * visits[i] / n if n > 0.0 else 0.0


@dataclass(frozen=True, repr=False)
class HeuristicPrior(Prior):
    """Every action begins with so many virtual ``visits``, won in the share that the game's heuristic gives; 0: with none."""

    visits: int = 10

    grid = tries(visits=(3, 10, 30, 100))

    function = staticmethod(by_heuristic)
    reads = w.PRIOR_READS_HEURISTIC
    needs = ("heuristic",)
    formula = "q = visits H, n = visits"

    def __post_init__(self) -> None:
        require(self, "visits", 0, 2**20, whole=True)

    @property
    def leaf(self) -> LeafRule:
        return ExpandAfter(self.visits + 1)


@dataclass(frozen=True, repr=False)
class Grandfather(Prior):
    """An action begins with at most so many ``visits`` of the same action at the player's previous node, at its average."""

    visits: int = 10

    grid = tries(visits=(3, 10, 30))

    function = staticmethod(by_grandfather)
    reads = w.PRIOR_READS_GRANDFATHER
    formula = "n = min(visits, n'), q = n q'/n', of the same action two plies above"

    def __post_init__(self) -> None:
        require(self, "visits", 0, 2**20, whole=True)

    @property
    def leaf(self) -> LeafRule:
        return ExpandAfter(self.visits + 1)
