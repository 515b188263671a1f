"""Decoupled selection: where players choose at the same time, each chooses as it would alone.

rave-variants-2016 plays its games in this way: every role has the formula of the tree for its own moves.  It settles on pure
choices, where EXP3 and regret matching do not.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import Policy


@dataclass(frozen=True, repr=False)
class OfTheTree(Policy):
    """What decides in the rest of the tree decides here, too: ``Baseline(simultaneous=OfTheTree())``."""

    formula = "that of the tree"
