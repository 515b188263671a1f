"""Reuse: one policy per file."""

from icarus.strategy.policy.bias import Bias, HistoryBias
from icarus.strategy.policy.cadia import Cadia
from icarus.strategy.policy.epsilon_greedy import EpsilonGreedy
from icarus.strategy.policy.exp3 import EXP3
from icarus.strategy.policy.gibbs import Gibbs
from icarus.strategy.policy.greedy import Greedy
from icarus.strategy.policy.last_good_reply import LastGoodReply
from icarus.strategy.policy.of_the_tree import OfTheTree
from icarus.strategy.policy.regret_matching import RegretMatching
from icarus.strategy.policy.roulette_wheel import RouletteWheel
from icarus.strategy.policy.ucb1 import UCB1
from icarus.strategy.policy.ucb1_sum import UCB1Sum
from icarus.strategy.policy.ucb1_tuned import UCB1Tuned
from icarus.strategy.policy.uniform import Uniform
from icarus.strategy.policy.unpruning import Unpruning

__all__ = [
    "EXP3",
    "UCB1",
    "Bias",
    "Cadia",
    "EpsilonGreedy",
    "Gibbs",
    "Greedy",
    "HistoryBias",
    "LastGoodReply",
    "OfTheTree",
    "RegretMatching",
    "RouletteWheel",
    "UCB1Sum",
    "UCB1Tuned",
    "Uniform",
    "Unpruning",
]
