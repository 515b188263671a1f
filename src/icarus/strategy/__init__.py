"""Strategies: one file per enhancement beside its specification, combine.py for the operators, policy/ for the policies."""

from icarus.strategy.adaptive import Adaptive
from icarus.strategy.alpha_amaf import AlphaAMAF, CutoffAMAF, PermutationAMAF, SomeFirstAMAF
from icarus.strategy.amaf import AMAF
from icarus.strategy.backups import Decaying, ScoreBonus, Weighted
from icarus.strategy.base import Capture, Enhancement, Policy, Strategy, require
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import CutoffWeight, Linear, Maxilinear, RaveWeight, Sequential, ThresholdWeight, Vote, Weight
from icarus.strategy.considered import Decisive, Filter, Pruned
from icarus.strategy.cutoff import Cutoff
from icarus.strategy.dyna2 import Dyna2
from icarus.strategy.epic import EPIC
from icarus.strategy.evaluated import AlphaBetaPlayouts, CorrectivePlayouts, GreedyPlayouts, MixedPlayouts
from icarus.strategy.expansion import ExpandAfter
from icarus.strategy.fading_seed import FadingSeed
from icarus.strategy.fast import FAST
from icarus.strategy.features import Features
from icarus.strategy.grave import GRAVE, HRAVE
from icarus.strategy.heuristic import Heuristic
from icarus.strategy.killer_rave import KillerRAVE
from icarus.strategy.leaf_playouts import Playouts
from icarus.strategy.lgr import LGR, LGRF
from icarus.strategy.lgr2 import LGR2, LGRF2
from icarus.strategy.mast import MAST, TOMAST
from icarus.strategy.nast import NAST
from icarus.strategy.past import PAST
from icarus.strategy.policy import (
    EXP3,
    UCB1,
    UCBV,
    BayesianUCT,
    Bias,
    Cadia,
    EpsilonGreedy,
    FadingPrior,
    FirstPlayUrgency,
    GaussianUCB,
    Gibbs,
    Greedy,
    HistoryBias,
    ImplicitMinimax,
    LastGoodReply,
    MaxUCB,
    MaxWeight,
    MSEWeight,
    OfTheTree,
    Pool,
    RegretMatching,
    RouletteWheel,
    SmoothUCB,
    SurveyWeight,
    ThirdTerm,
    Thompson,
    UCB1Sum,
    UCB1Tuned,
    UCBAlpha,
    UCTPlus,
    Uniform,
    Unpruning,
    Widening,
    Written,
)
from icarus.strategy.pool_rave import PoolRAVE
from icarus.strategy.priors import Grandfather, HeuristicPrior
from icarus.strategy.progressive_bias import ProgressiveBias
from icarus.strategy.progressive_history import ProgressiveHistory
from icarus.strategy.progressive_unpruning import ProgressiveUnpruning
from icarus.strategy.progressive_widening import ProgressiveWidening
from icarus.strategy.rave import RAVE
from icarus.strategy.rave_by_action import MSERAVE, RAVEMax, SurveyRAVE
from icarus.strategy.rewards import Alliance, Coalition, Paranoid
from icarus.strategy.seams import Backup, Evaluator, LeafRule, Outcomes, Prior, RewardMap
from icarus.strategy.smooth import Smooth
from icarus.strategy.statistic import Statistic
from icarus.strategy.suggested import Suggested
from icarus.strategy.tiles import Tiles

__all__ = [
    "KillerRAVE",
    "ScoreBonus",
    "AMAF",
    "EPIC",
    "EXP3",
    "FAST",
    "GRAVE",
    "HRAVE",
    "LGR",
    "LGR2",
    "LGRF",
    "LGRF2",
    "MAST",
    "MSERAVE",
    "NAST",
    "PAST",
    "RAVE",
    "TOMAST",
    "ThirdTerm",
    "UCB1",
    "UCBV",
    "Alliance",
    "AlphaAMAF",
    "AlphaBetaPlayouts",
    "Backup",
    "Adaptive",
    "Baseline",
    "BayesianUCT",
    "Bias",
    "Cadia",
    "Capture",
    "Coalition",
    "CorrectivePlayouts",
    "Cutoff",
    "CutoffAMAF",
    "PermutationAMAF",
    "CutoffWeight",
    "Decaying",
    "Decisive",
    "Dyna2",
    "Enhancement",
    "EpsilonGreedy",
    "Evaluator",
    "ExpandAfter",
    "FadingPrior",
    "FadingSeed",
    "Features",
    "Filter",
    "FirstPlayUrgency",
    "GaussianUCB",
    "Gibbs",
    "Grandfather",
    "Greedy",
    "GreedyPlayouts",
    "Heuristic",
    "HeuristicPrior",
    "HistoryBias",
    "ImplicitMinimax",
    "LastGoodReply",
    "LeafRule",
    "Linear",
    "MSEWeight",
    "MaxUCB",
    "MaxWeight",
    "Maxilinear",
    "MixedPlayouts",
    "OfTheTree",
    "Outcomes",
    "Paranoid",
    "Playouts",
    "Policy",
    "Pool",
    "PoolRAVE",
    "Prior",
    "ProgressiveBias",
    "ProgressiveHistory",
    "ProgressiveUnpruning",
    "ProgressiveWidening",
    "Pruned",
    "RAVEMax",
    "RaveWeight",
    "RegretMatching",
    "RewardMap",
    "RouletteWheel",
    "Sequential",
    "SomeFirstAMAF",
    "Smooth",
    "SmoothUCB",
    "Statistic",
    "Strategy",
    "Suggested",
    "SurveyRAVE",
    "SurveyWeight",
    "Thompson",
    "ThresholdWeight",
    "Tiles",
    "UCB1Sum",
    "UCB1Tuned",
    "UCBAlpha",
    "UCTPlus",
    "Uniform",
    "Unpruning",
    "Vote",
    "Weight",
    "Weighted",
    "Widening",
    "Written",
    "require",
]
