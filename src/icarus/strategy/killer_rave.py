"""Killer RAVE (Lorentz 2011; section V-C6 of mcts-survey-2012): only the moves that mattered count as played later.

A random playout is won by a few of its moves, and the others say nothing.  The survey does not say which ones matter: here the
game does, by ``involved(state, action)`` at the end of a playout (in Hex the stones of the winner that hang together with its
side).  Of a playout that was lost all moves count, so that averages stay averages.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.amaf import AMAF
from icarus.strategy.base import EQUIVALENCE, EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination, RaveWeight
from icarus.strategy.policy.cadia import Cadia


@dataclass(eq=False, repr=False)
class KillerRAVE(NamedCombination):
    """RAVE (CadiaPlayer's formula) that learns from the moves which took part in a win; if all do, it is RAVE."""

    k: float = 250
    c: float = 0.2

    grid = tries(k=EQUIVALENCE, c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "k", 0, above=True)
        require(self, "c", 0)
        amaf = AMAF(every_node=True, killers=True, policy=Cadia(c=self.c))
        self.define(amaf, Baseline(c=self.c), weight=RaveWeight(self.k))
