"""What a playout is worth to whom (section IV-E of mcts-survey-2012): maps ``r' = A r + b`` for more than two players.

====================  ===================================================================================================
``Paranoid()``        all others play against the searching player: each of them gets ``1 - r(searcher)`` (Sturtevant 2008)
``Alliance()``        the members of a team share their reward: each gets the team's average (Cazenave 2008)
``Coalition()``       a partner's success counts ``1 - reduction``, so that nobody gets lazy (Nijssen and Winands 2011)
====================  ===================================================================================================

Teams are those that the game names (``Game.teams``), or those that are given: ``Alliance("0 1 1")`` puts the second and the third
player together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.errors import StrategyError
from icarus.strategy.base import require, tries
from icarus.strategy.seams import RewardMap

if TYPE_CHECKING:
    from icarus.game import Game


def teams_of(owner: RewardMap, given: str, game: Game) -> list[int]:
    """The number of each player's team."""
    if not given:
        if not game.teams:
            raise StrategyError(
                f"{owner} needs teams, which the game {game.name!r} does not name; write for example teams='0 1 1'"
            )
        return list(game.teams)
    words = given.replace(",", " ").split()
    if len(words) != game.players or not all(word.isdigit() for word in words):
        raise StrategyError(f"{owner}: teams={given!r} must be one number for each of the {game.players} players of {game.name}")
    return [int(word) for word in words]


def unit(size: int) -> list[list[float]]:
    return [[1.0 if i == j else 0.0 for j in range(size)] for i in range(size)]


@dataclass(frozen=True, repr=False)
class Paranoid(RewardMap):
    """Everybody else is after the searching player."""

    formula = "r'(searcher) = r(searcher), r'(i) = 1 - r(searcher)"

    def matrix(self, game: Game, player: int) -> tuple[list[list[float]], list[float]]:
        rows = unit(game.players)
        for other in range(game.players):
            if other != player:
                rows[other] = [-1.0 if j == player else 0.0 for j in range(game.players)]
        return rows, [0.0 if other == player else 1.0 for other in range(game.players)]


@dataclass(frozen=True, repr=False)
class Alliance(RewardMap):
    """The members of a team share what they get; everyone else plays for itself."""

    teams: str = ""

    formula = "r'(i) = the average of r over the team of i"

    @property
    def parameters(self) -> tuple[float, ...]:
        return ()

    def check(self, game: Game) -> None:
        teams_of(self, self.teams, game)

    def matrix(self, game: Game, player: int) -> tuple[list[list[float]], list[float]]:
        teams = teams_of(self, self.teams, game)
        rows = [[1.0 / teams.count(team) if other == team else 0.0 for other in teams] for team in teams]
        return rows, [0.0] * game.players


@dataclass(frozen=True, repr=False)
class Coalition(RewardMap):
    """A partner's reward counts too, less the share ``reduction`` (0.1 as for the seekers of Scotland Yard); 1 is plain.

    For games in which one member of a team gets the reward of all of them.
    """

    teams: str = ""
    reduction: float = 0.1

    grid = tries(reduction=(0.05, 0.1, 0.2, 0.4))

    formula = "r'(i) = r(i) + (1 - reduction) sum of r over the partners of i"

    def __post_init__(self) -> None:
        require(self, "reduction", 0, 1)

    @property
    def parameters(self) -> tuple[float, ...]:
        return ()

    def check(self, game: Game) -> None:
        teams_of(self, self.teams, game)

    def matrix(self, game: Game, player: int) -> tuple[list[list[float]], list[float]]:
        teams = teams_of(self, self.teams, game)
        rows = unit(game.players)
        for i, team in enumerate(teams):
            for j, other in enumerate(teams):
                if i != j and team == other:
                    rows[i][j] = 1.0 - self.reduction
        return rows, [0.0] * game.players
