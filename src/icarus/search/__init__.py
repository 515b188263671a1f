"""A search: give it a position and a budget, get a decision with its statistics.

searching  the search itself: setting up, running, moving on, what it found
workers    the memory of its threads, as game, strategy and algorithm want it
stopping   ending early when the move is decided, going on until it is agreed on
choice     which move it is in the end
proven     what is proven of the root and of nodes
line       the principal variation
short      many short searches in the memory of one, for models of the others
defaults   what holds where nothing was chosen
"""

from icarus.search.choice import FINAL_MOVES
from icarus.search.defaults import default_lanes, default_solve, search
from icarus.search.proven import proves
from icarus.search.searching import DEFAULT_MEMORY, Search
from icarus.search.stopping import is_decided
from icarus.search.workers import warm_up

__all__ = [
    "DEFAULT_MEMORY",
    "FINAL_MOVES",
    "Search",
    "default_lanes",
    "default_solve",
    "is_decided",
    "proves",
    "search",
    "warm_up",
]
