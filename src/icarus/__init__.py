"""Icarus: strong, honest play in any game that you can describe.

>>> import icarus
>>> icarus.search("mnk(3,3,3)", iterations=2000, seed=1).best.label
'b2'
"""

from icarus.algorithm import ALGORITHMS, Algorithm
from icarus.errors import GameError, IcarusError, SearchError, StrategyError
from icarus.game import CONTINUES, ENVIRONMENT, Game, Layout, Number, Numbers, Position, Word, Words, compiled, size_of
from icarus.loading import GAMES, load
from icarus.network.compiled import CompiledEvaluator
from icarus.network.plot import PlayedGame
from icarus.network.searching import NetworkSearch
from icarus.network.selfplay import selfplay
from icarus.result import Progress, RootAction, SearchResult
from icarus.search import Search, search

__version__ = "0.1.0"

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "CONTINUES",
    "CompiledEvaluator",
    "ENVIRONMENT",
    "GAMES",
    "Game",
    "GameError",
    "IcarusError",
    "Layout",
    "NetworkSearch",
    "Number",
    "Numbers",
    "PlayedGame",
    "Position",
    "Progress",
    "RootAction",
    "Search",
    "SearchError",
    "SearchResult",
    "StrategyError",
    "Word",
    "Words",
    "compiled",
    "load",
    "search",
    "selfplay",
    "size_of",
]
