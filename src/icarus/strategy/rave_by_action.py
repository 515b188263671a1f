"""RAVE with a weight for each action (Helmbold and Parker-Wood 2009, Gelly and Silver 2011, Tom and Mueller 2010).

Sections V-C5 and V-C7 of mcts-survey-2012.  ``SurveyRAVE`` trusts AMAF less with every visit of an action, ``MSERAVE`` by the
weight with the least mean squared error, ``RAVEMax`` only where AMAF thinks more of an action than the action's own record.  The
survey does not print the rule of RAVE-max: here AMAF's average is replaced by the larger of the two, and the stochastic form does
so in the share ``delta`` of the choices.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.amaf import AMAF
from icarus.strategy.base import EQUIVALENCE, EXPLORATION, Policy, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination
from icarus.strategy.policy.rave_values import MaxWeight, MSEWeight, SurveyWeight


class ByAction(NamedCombination):
    """AMAF with one of these policies; the baseline has no say of its own: its records are what the policy reads."""

    def by(self, policy: Policy, c: float) -> None:
        self.define(AMAF(every_node=True, policy=policy), Baseline(c=c), weight=1.0)


@dataclass(eq=False, repr=False)
class SurveyRAVE(ByAction):
    """AMAF weighs ``max(0, (v - N) / v)`` for an action with N visits; ``v`` = 0 is UCT."""

    v: float = 250.0
    c: float = 0.2

    grid = tries(v=EQUIVALENCE, c=EXPLORATION)

    def __post_init__(self) -> None:
        self.by(SurveyWeight(v=self.v, c=self.c), self.c)


@dataclass(eq=False, repr=False)
class MSERAVE(ByAction):
    """AMAF weighs ``n / (N + n + 4 N n bias^2)`` for an action with N visits and n later ones; an infinite ``bias`` is UCT."""

    bias: float = 0.1
    c: float = 0.2

    grid = tries(bias=(0.01, 0.03, 0.1, 0.3), c=EXPLORATION)

    def __post_init__(self) -> None:
        self.by(MSEWeight(bias=self.bias, c=self.c), self.c)


@dataclass(eq=False, repr=False)
class RAVEMax(ByAction):
    """RAVE (CadiaPlayer's formula) with the larger of AMAF's and the baseline's average; ``delta`` = 0 is RAVE."""

    k: float = 250.0
    c: float = 0.2
    delta: float = 1.0

    grid = tries(k=EQUIVALENCE, c=EXPLORATION, delta=(0.25, 0.5, 1.0))

    def __post_init__(self) -> None:
        self.by(MaxWeight(k=self.k, c=self.c, delta=self.delta), self.c)
