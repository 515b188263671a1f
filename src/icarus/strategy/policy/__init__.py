"""Reuse: one policy per file."""

from icarus.strategy.policy.bayesian import BayesianUCT
from icarus.strategy.policy.bias import Bias, HistoryBias
from icarus.strategy.policy.cadia import Cadia
from icarus.strategy.policy.epsilon_greedy import EpsilonGreedy
from icarus.strategy.policy.exp3 import EXP3
from icarus.strategy.policy.fading_prior import FadingPrior
from icarus.strategy.policy.first_play_urgency import FirstPlayUrgency
from icarus.strategy.policy.gaussian_ucb import GaussianUCB
from icarus.strategy.policy.gibbs import Gibbs
from icarus.strategy.policy.greedy import Greedy
from icarus.strategy.policy.implicit_minimax import ImplicitMinimax
from icarus.strategy.policy.last_good_reply import LastGoodReply
from icarus.strategy.policy.max_ucb import MaxUCB
from icarus.strategy.policy.of_the_tree import OfTheTree
from icarus.strategy.policy.pool import Pool
from icarus.strategy.policy.rave_values import MaxWeight, MSEWeight, SurveyWeight
from icarus.strategy.policy.regret_matching import RegretMatching
from icarus.strategy.policy.roulette_wheel import RouletteWheel
from icarus.strategy.policy.smooth import SmoothUCB
from icarus.strategy.policy.third_term import ThirdTerm
from icarus.strategy.policy.thompson import Thompson
from icarus.strategy.policy.ucb1 import UCB1
from icarus.strategy.policy.ucb1_sum import UCB1Sum
from icarus.strategy.policy.ucb1_tuned import UCB1Tuned
from icarus.strategy.policy.ucb_alpha import UCBAlpha
from icarus.strategy.policy.ucb_v import UCBV
from icarus.strategy.policy.uct_plus import UCTPlus
from icarus.strategy.policy.uniform import Uniform
from icarus.strategy.policy.unpruning import Unpruning
from icarus.strategy.policy.widening import Widening
from icarus.strategy.policy.written import Written

__all__ = [
    "EXP3",
    "ThirdTerm",
    "UCB1",
    "UCBV",
    "BayesianUCT",
    "UCTPlus",
    "Bias",
    "Cadia",
    "EpsilonGreedy",
    "FadingPrior",
    "FirstPlayUrgency",
    "GaussianUCB",
    "Gibbs",
    "Greedy",
    "HistoryBias",
    "ImplicitMinimax",
    "LastGoodReply",
    "MSEWeight",
    "MaxUCB",
    "MaxWeight",
    "OfTheTree",
    "Pool",
    "RegretMatching",
    "RouletteWheel",
    "SurveyWeight",
    "Thompson",
    "SmoothUCB",
    "UCB1Sum",
    "UCB1Tuned",
    "UCBAlpha",
    "Uniform",
    "Unpruning",
    "Widening",
    "Written",
]
