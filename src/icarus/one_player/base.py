"""What all algorithms for one player refuse, and the parameters that several of them have."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.algorithm import Algorithm, Parameter
from icarus.errors import SearchError
from icarus.game import Game

MOST_LEVELS = 10

GUIDED = Parameter("guided", meaning="guided")


def refuse_several(algorithm: Algorithm, game: Game) -> None:
    if game.players != 1:
        raise SearchError(
            f"{algorithm.name} is for games of one player, and {game.name} has {game.players}; use uct, so, pom or mo"
        )


def refuse_hidden(algorithm: Algorithm, game: Game, partly: bool = False) -> None:
    """``partly``: also moves of which observers see a part."""
    if game.hidden_information or (partly and game.observe is not None):
        raise SearchError(f"{algorithm.name} needs perfect information and {game.name} hides some; use mo, so or pom")


@dataclass(frozen=True)
class OnePlayer(Algorithm):
    """An algorithm for games of one player in which nothing is left to chance."""

    resamples: bool = False
    plays_best: bool = True
    walks: bool = True
    strategic: bool = False
    guided: bool = False

    @property
    def chosen_by_heuristic(self) -> str:
        """The parameter that asks for the game's heuristic; none: nothing does."""
        return "guided" if self.guided else ""

    def check(self, game: Game) -> None:
        refuse_several(self, game)
        for what, there in (
            ("hides something", game.hidden_information or game.observe is not None),
            ("leaves something to chance", game.stochastic),
        ):
            if there:
                raise SearchError(f"{self.name} looks for one sequence of actions, and {game.name} {what}; use uct or mo")
        if self.chosen_by_heuristic and game.heuristic is None:
            asked = f"{self.name}({self.chosen_by_heuristic})"
            raise SearchError(f"{asked} needs the function 'heuristic', which the game {game.name!r} does not have")
        super().check(game)
