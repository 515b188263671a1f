"""Strategies: one file per enhancement beside its specification, combine.py for the operators, policy/ for the policies."""

from icarus.strategy.amaf import AMAF
from icarus.strategy.base import Capture, Enhancement, Policy, Strategy, require
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import Linear, Maxilinear, RaveWeight, Sequential, Vote, Weight
from icarus.strategy.epic import EPIC
from icarus.strategy.grave import GRAVE, HRAVE
from icarus.strategy.heuristic import Heuristic
from icarus.strategy.lgr import LGR, LGRF
from icarus.strategy.lgr2 import LGR2, LGRF2
from icarus.strategy.mast import MAST, TOMAST
from icarus.strategy.nast import NAST
from icarus.strategy.past import PAST
from icarus.strategy.policy import (
    EXP3,
    UCB1,
    Bias,
    Cadia,
    EpsilonGreedy,
    Gibbs,
    Greedy,
    HistoryBias,
    LastGoodReply,
    OfTheTree,
    RegretMatching,
    RouletteWheel,
    UCB1Sum,
    UCB1Tuned,
    Uniform,
    Unpruning,
)
from icarus.strategy.progressive_bias import ProgressiveBias
from icarus.strategy.progressive_history import ProgressiveHistory
from icarus.strategy.progressive_unpruning import ProgressiveUnpruning
from icarus.strategy.rave import RAVE
from icarus.strategy.seams import Backup, Evaluator, LeafRule, Prior
from icarus.strategy.statistic import Statistic
from icarus.strategy.tiles import Tiles

__all__ = [
    "AMAF",
    "EPIC",
    "EXP3",
    "GRAVE",
    "HRAVE",
    "LGR",
    "LGR2",
    "LGRF",
    "LGRF2",
    "MAST",
    "NAST",
    "PAST",
    "RAVE",
    "TOMAST",
    "UCB1",
    "Backup",
    "Baseline",
    "Bias",
    "Cadia",
    "Capture",
    "Enhancement",
    "EpsilonGreedy",
    "Evaluator",
    "Gibbs",
    "Greedy",
    "Heuristic",
    "HistoryBias",
    "LastGoodReply",
    "LeafRule",
    "Linear",
    "Maxilinear",
    "OfTheTree",
    "Policy",
    "Prior",
    "ProgressiveBias",
    "ProgressiveHistory",
    "ProgressiveUnpruning",
    "RaveWeight",
    "RegretMatching",
    "RouletteWheel",
    "Sequential",
    "Statistic",
    "Strategy",
    "Tiles",
    "UCB1Sum",
    "UCB1Tuned",
    "Uniform",
    "Unpruning",
    "Vote",
    "Weight",
    "require",
]
