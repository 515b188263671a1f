"""Reuse: one policy per file."""

from icarus.strategy.policy.exp3 import EXP3
from icarus.strategy.policy.ucb1 import UCB1
from icarus.strategy.policy.uniform import Uniform

__all__ = ["EXP3", "UCB1", "Uniform"]
