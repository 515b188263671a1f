"""All moves as first (Specification 2 of icarus-2014).

A record belongs to a move history and an action, like the baseline's, but it is updated whenever its player plays the action
there *or later* in the playout, if it was legal there.  Records are made at selection nodes (AMAF-6); CadiaPlayer and its
successors make them at every node of the tree.  For GRAVE a node reads the records of its nearest ancestor with more than
``ref`` visits, so nodes keep every later move, legal there or not (section III-B of rave-variants-2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.amaf.permutations import MOST
from icarus.errors import StrategyError
from icarus.strategy.base import EXPLORATION, KEPT, Capture, Enhancement, Policy, require, tries
from icarus.strategy.policy.ucb1_sum import UCB1Sum


@dataclass(frozen=True, repr=False)
class AMAF(Enhancement):
    """UCB1 over sums on "played there or later"; ``c`` = 0.7 as in icarus-2014.

    ``ref``: visits above which a node reads its own records instead of an ancestor's (0: always, inf: always the root's).
    ``every_node``: keep records at expansion nodes too.  ``first``: of a simulation only so many moves count (some-first
    AMAF).  ``in_playouts``: simulations read the records, too (PoolRAVE), which needs a ``ref`` above 0.  ``killers``: of a
    playout that was won only the moves that took part in that count (killer RAVE).  ``permutations``: so many nodes beside the
    path, at most, learn from a playout whose moves lead there in another order (permutation AMAF).
    """

    c: float = 0.7
    ref: float = 0
    every_node: bool = False
    first: float = math.inf
    in_playouts: bool = False
    killers: bool = False
    permutations: int = 0
    policy: Policy | None = None
    keep: float = 1.0

    grid = tries(c=EXPLORATION, ref=(0, 10, 50, 250), first=(4, 8, 16, 32, math.inf), permutations=(0, 16, 64), keep=KEPT)

    of_default_policy = ("c",)

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "ref", 0)
        require(self, "first", 0)
        require(self, "permutations", 0, MOST)
        if (self.first < math.inf or self.killers or self.permutations) and self.ref > 0:
            raise StrategyError("AMAF: first, killers and permutations belong to a node's own records; they go with ref=0")
        if self.in_playouts and self.ref == 0:
            raise StrategyError("AMAF: in_playouts reads moves that need not be legal at the node; it goes with a ref above 0")
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        if self.ref == 0:
            nodes = w.IN_TREE if self.every_node else w.AT_SELECTION
        else:
            nodes = w.IN_TREE_EVERY_MOVE if self.every_node else w.AT_SELECTION_EVERY_MOVE
        return Capture(
            kind=w.KEEPS_ALL_MOVES,
            amaf_nodes=nodes,
            amaf_reference=float(self.ref),
            amaf_first=float(self.first),
            in_playouts=self.in_playouts,
            killers=self.killers,
            permutations=int(self.permutations),
            needs=("involved",) if self.killers else (),
            records="one per move history, updated by this and all later moves of its player (AMAF-1, AMAF-6)",
        )

    @property
    def reuse(self) -> Policy:
        return self.policy or UCB1Sum(c=self.c)
