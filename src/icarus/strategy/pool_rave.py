"""PoolRAVE (Hoock, Lee, Rimmel, Teytaud et al. 2010; section V-C8 of mcts-survey-2012): playouts that ask AMAF.

With probability p a move of a playout is one of those that AMAF thinks most of, as the last node of the tree with more than
``ref`` visits knows it; otherwise any.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.amaf import AMAF
from icarus.strategy.base import EQUIVALENCE, EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import Maxilinear, NamedSequence, RaveWeight
from icarus.strategy.policy.cadia import Cadia
from icarus.strategy.policy.pool import Pool


@dataclass(eq=False, repr=False)
class PoolRAVE(NamedSequence):
    """GRAVE in the tree; in playouts, with probability ``p``, one of the ``size`` legal moves with the best AMAF averages.

    ``p`` = 0 is GRAVE.  The pool is of the legal moves of each step, so that it never runs dry; the original draws it once.
    """

    size: int = 10
    p: float = 0.5
    ref: float = 50
    k: float = 250
    c: float = 0.2

    grid = tries(size=(5, 10, 20), p=(0.25, 0.5, 0.75), ref=(10, 50, 250), k=EQUIVALENCE, c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "ref", 0, above=True)
        require(self, "k", 0, above=True)
        require(self, "c", 0)
        read = self.p > 0
        amaf = AMAF(ref=self.ref, every_node=True, in_playouts=read, policy=Cadia(c=self.c))
        pool = AMAF(ref=self.ref, every_node=True, in_playouts=read, policy=Pool(size=self.size, p=self.p))
        self.define(Maxilinear(amaf, Baseline(c=self.c), weight=RaveWeight(self.k)), pool)
