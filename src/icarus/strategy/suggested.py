"""Playouts by rules (sections VI-A1, VI-A3 and VI-A9 of mcts-survey-2012): the game's own knowledge says what to play first.

A game with a function ``suggest`` looks at the position and at the move just made: a bridge in Hex that is cut is completed, a
stone in atari is saved, one of the patterns of MoGo (Gelly, Wang, Munos and Teytaud 2006) is played.  Where it has nothing to say
all legal moves are as good.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from icarus.strategy.base import Strategy, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.cutoff import InPlayouts


@dataclass(frozen=True, repr=False)
class Suggested(InPlayouts):
    """In playouts, with probability ``p`` at each step, only the moves that the game's function ``suggest`` names are looked at.

    ``strategy`` chooses among them, and among all legal moves where nothing is suggested: uniformly if none is given, as in
    ``Baseline() >> Suggested(0.9, MAST())``.  0 is plain.
    """

    p: float = 1.0
    strategy: Strategy = field(default_factory=Baseline)

    needs = ("suggest",)
    grid = tries(p=(0.5, 0.8, 1.0))
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "p", 0, 1)
        super().__post_init__()
