"""What else a strategy may replace: where the tree ends, what a node begins with, what a leaf is worth, what is backed up.

Each is a dataclass with a compiled ``function`` and parameters that the function reads by name; the engine's default serves where
none is given.  The tree's belong to the baseline (``Baseline(leaf=..., prior=..., backup=...)``), the evaluator stands where
simulations stand: ``RAVE() >> MyEvaluator()``.
"""

from __future__ import annotations

from collections.abc import Iterator

from icarus.strategy.base import Enhancement, Function, Strategy


class LeafRule(Function):
    """``function(visits, record, p)``: does the tree end behind a record that had so many visits before this playout?

    ``record`` is that of the history at which it was chosen.  By default the tree ends behind the first record without visits.
    """


class Prior(Function):
    """``function(state, actions, size, reward, visits, p)``: what the records of a new node begin with.

    Fill ``visits`` with whole numbers of virtual visits and ``reward`` with their total reward for the player who acts there.  By
    default records begin with nothing.  Needs perfect information: elsewhere a node belongs to many states.
    """


class Backup(Function):
    """``function(trace, p)``: what a playout does to the records on its path; by default its rewards are added to all of them.

    ``element(trace.path, i)`` is the i-th of ``trace.depth`` steps; ``Record(trace.pool, row.record)`` its record, with totals in
    ``record.reward[player]``; visits have been counted.  Where ``trace.shared``, other threads change the same records.
    """


class Evaluator(Function, Strategy):
    """``function(leaves, p)``: what the leaves of waiting lanes are worth; by default a playout to the end says so.

    The state of the i-th of ``leaves.count`` lanes is at ``leaves.states[leaves.lanes[i] * leaves.state_size]``; its rewards,
    one per player in [0, 1], go to ``leaves.rewards[leaves.lanes[i] * leaves.players + player]``.
    """

    def enhancements(self) -> Iterator[Enhancement]:
        yield from ()
