"""Equilibria: what players know, whole trees of small games, best responses, and solvers."""

from icarus.equilibrium.average import AverageStrategy, StrategyFileError, read_strategy_file
from icarus.equilibrium.game_tree import GameTree, InformationSet, whole_tree
from icarus.equilibrium.knowledge import information_set
from icarus.equilibrium.mccfr import Mccfr
from icarus.equilibrium.oos import Oos
from icarus.equilibrium.response import Exploitability, best_response, exploitability, value_of

__all__ = [
    "AverageStrategy",
    "Exploitability",
    "GameTree",
    "InformationSet",
    "Mccfr",
    "Oos",
    "StrategyFileError",
    "best_response",
    "exploitability",
    "information_set",
    "read_strategy_file",
    "value_of",
    "whole_tree",
]
