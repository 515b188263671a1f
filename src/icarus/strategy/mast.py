"""Move-average sampling technique and its tree-only form (Specification 3 and TO-MAST-6 of icarus-2014).

One record per action and player, wherever the action was played: an action that is good in one state is likely to be good in
others.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import KEPT, TEMPERATURES, Capture, Enhancement, Policy, require, tries
from icarus.strategy.policy.gibbs import Gibbs


@compiled
def everywhere(step, keys, p):
    keys[0] = 0
    return 1


@dataclass(frozen=True, repr=False)
class MAST(Enhancement):
    """Gibbs sampling by each action's average over all playouts; ``tau`` = 1 as in icarus-2014.

    rave-variants-2016 uses ``MAST(policy=EpsilonGreedy(0.4), keep=0.2)``.
    """

    tau: float = 1.0
    policy: Policy | None = None
    keep: float = 1.0

    of_default_policy = ("tau",)
    grid = tries(tau=TEMPERATURES, keep=KEPT)
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "tau", 0, above=True)
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        return Capture(read=everywhere, records="one per action and player (MAST-1)")

    @property
    def reuse(self) -> Policy:
        return self.policy or Gibbs(tau=self.tau)


@dataclass(frozen=True, repr=False)
class TOMAST(MAST):
    """MAST that learns only from actions chosen in the tree (selection and expansion), not from simulations."""

    @property
    def capture(self) -> Capture:
        return Capture(
            read=everywhere, scope=w.TREE_ONLY, records="one per action and player, for choices in the tree (TO-MAST-6)"
        )
