"""Generalized RAVE and its extreme (sections III-B and III-C of rave-variants-2016).

Near the leaves AMAF statistics are as thin as the node's own.  GRAVE reads those of the nearest ancestor (or the node itself)
with more than
``ref`` visits; HRAVE always reads the root's, which makes it a relative of progressive history.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.strategy.base import EQUIVALENCE, EXPLORATION, require, tries
from icarus.strategy.combine import NamedCombination, RaveWeight
from icarus.strategy.rave import rave_parts


@dataclass(eq=False, repr=False)
class GRAVE(NamedCombination):
    """RAVE that borrows AMAF statistics until a node has more than ``ref`` visits; ref = 0 is RAVE, ref = inf is HRAVE.

    Defaults are those of rave-variants-2016: ref = 50, k = 250, c = 0.2 with CadiaPlayer's formula.
    """

    ref: float = 50
    k: float = 250
    c: float = 0.2
    formula: str = "cadia"
    decoupled: bool = False

    grid = tries(ref=(10, 50, 250), k=EQUIVALENCE, c=EXPLORATION)
    place = "tree"

    def __post_init__(self) -> None:
        require(self, "ref", 0)
        self.define(*rave_parts(self, ref=self.ref), weight=RaveWeight(self.k))


@dataclass(eq=False, repr=False)
class HRAVE(NamedCombination):
    """RAVE with the AMAF statistics of the root.  rave-variants-2016 takes k = 50 for searches of a second, 250 for ten."""

    k: float = 250
    c: float = 0.2
    formula: str = "cadia"
    decoupled: bool = False

    grid = tries(k=(10, 50, 250, 1000), c=EXPLORATION)

    def __post_init__(self) -> None:
        self.define(*rave_parts(self, ref=math.inf), weight=RaveWeight(self.k))
