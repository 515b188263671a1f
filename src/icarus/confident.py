"""Confident search (Cazenave 2008; section IV-E of mcts-survey-2012): with whom would one rather play?

For three and more players.  One search for each coalition of the searching player with one other, in which the two share their
reward (``Alliance``); the move of the coalition that looks best to the searching player is played.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.errors import SearchError
from icarus.game import Game, Position
from icarus.loading import load
from icarus.result import RootAction, SearchResult
from icarus.search import Search
from icarus.strategy.baseline import Baseline
from icarus.strategy.rewards import Alliance


@dataclass(frozen=True)
class ConfidentResult:
    """The best coalition's move, and the search of each partner."""

    player: int
    partner: int
    best: RootAction
    searches: dict[int, SearchResult]


def confident(
    game: str | Game | Position, *, iterations: int, seed: int = 0, c: float = 0.7, algorithm: str | None = None
) -> ConfidentResult:
    """A decision by one search per possible partner, which share the iterations."""
    position = game if isinstance(game, Position) else (load(game) if isinstance(game, str) else game).start(seed)
    players, player = position.game.players, position.player
    if players < 3:
        raise SearchError(f"confident search is about coalitions of three and more players; {position.game.name} has {players}")
    if iterations < players - 1:
        raise SearchError(f"iterations={iterations}: at least one for each of the {players - 1} partners")
    searches = {}
    for partner in (other for other in range(players) if other != player):
        teams = " ".join("0" if seat in (player, partner) else str(seat + 1) for seat in range(players))
        strategy = Baseline(c=c, rewards=Alliance(teams))
        search = Search(position, strategy=strategy, seed=seed + partner, algorithm=algorithm)
        searches[partner] = search.run(iterations=iterations // (players - 1))
    favourite = max(searches, key=lambda partner: searches[partner].best.mean[player])
    return ConfidentResult(player, favourite, searches[favourite].best, searches)
