"""Optimising: the best sequence of actions for one player, found by any algorithm, with a record that survives.

>>> from icarus.solving import solve
>>> solve("left_move(8)", algorithm="nrpa(1)", runs=1, seed=1).score
8.0
"""

from icarus.solving.solution import Improvement, Solution
from icarus.solving.solver import Solver, solve

__all__ = ["Improvement", "Solution", "Solver", "solve"]
