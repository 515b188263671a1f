"""Algorithms for one player: searches for the best sequence of actions, whose answer is the best playout that they have seen.

============================  ===========================================================================================
``nmcs(level)``               nested Monte Carlo search (one_player/drive/nested.py); ``nmcs(2)[MAST()]`` plays out by a strategy
``reflexive(level)``          its ancestor: without memory
``nrpa(level)``               nested rollout policy adaptation (one_player/drive/adaptation.py), ``beam=4`` with several sequences
                              at each level (one_player/drive/beam_adaptation.py)
``sp(restarts)``              single-player MCTS: UCT with a term for the variance, and trees that are begun anew
``mcpg``                      UCT by the best result below an action, in place of the average (Monte Carlo paraphrase generation)
``bast``, ``leaf-ucb``        trees of bounds: smooth ones, and one bandit over all leaves (one_player/drive/best_first.py)
``mhsp``                      the same without playouts: a leaf is worth the score of its state (mean-based heuristic search)
``mrw(number, length)``       Monte Carlo random walks, for planning (one_player/drive/random_walks.py)
============================  ===========================================================================================
"""

from __future__ import annotations

from icarus.one_player.adaptation import PolicyAdaptation
from icarus.one_player.bounds import BestFirst, LeafUCB, SmoothTree
from icarus.one_player.drive.best_first import HEURISTIC
from icarus.one_player.nested import Nested
from icarus.one_player.trees import ByMaximum, SinglePlayer
from icarus.one_player.walks import RandomWalks

__all__ = [
    "ONE_PLAYER",
    "BestFirst",
    "ByMaximum",
    "LeafUCB",
    "Nested",
    "PolicyAdaptation",
    "RandomWalks",
    "SinglePlayer",
    "SmoothTree",
]

ONE_PLAYER = (
    Nested("nmcs"),
    Nested("reflexive", memory=False),
    PolicyAdaptation("nrpa"),
    SinglePlayer("sp"),
    ByMaximum("mcpg"),
    LeafUCB("leaf-ucb"),
    SmoothTree("bast"),
    BestFirst("mhsp", bound=HEURISTIC),
    RandomWalks("mrw"),
)
