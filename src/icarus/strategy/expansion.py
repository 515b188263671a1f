"""A node only after n visits (Coulom 2006; section V-F of mcts-survey-2012): a smaller tree for the same playouts."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.jit import compiled
from icarus.strategy.base import require, tries
from icarus.strategy.seams import LeafRule


@compiled
def after_visits(visits, record, p):
    return visits < p.visits


@dataclass(frozen=True, repr=False)
class ExpandAfter(LeafRule):
    """The tree grows behind an action once it has had so many ``visits``; 1 is the default of every search."""

    visits: int = 1

    grid = tries(visits=(1, 2, 5, 10))

    function = staticmethod(after_visits)
    formula = "a leaf while n < visits"

    def __post_init__(self) -> None:
        require(self, "visits", 1, whole=True)
