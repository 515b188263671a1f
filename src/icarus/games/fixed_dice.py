"""Any game with its dice thrown beforehand: nothing is left to chance, and the best answer to these throws can be looked for.

The outcome of the environment at a ply follows from the seed and the ply alone.  Searches for one player that need a game
without chance (nmcs, nrpa) serve it then; the mean of the best scores over many seeds is what *hindsight* would bring, which is
never less than what a player can reach who does not know the throws.

``fixed_dice(sailing(5), 7)`` on the command line; the game inside may be any that can be named.
"""

from __future__ import annotations

from typing import Any

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.jit.randomness import seeded
from icarus.python_game import PythonGame, python_game


class FixedDice:
    """A position of the game inside, in which a player acts or the game is over."""

    def __init__(self, game: Game, seed: int) -> None:
        self.seed, self.players = seed, game.players
        self.max_actions, self.max_plies, self.name = game.max_actions, game.max_plies, f"fixed_dice({game.name},{seed})"
        self.player_names = tuple(game.player_names)
        self.position = game.start(seed)
        self.throw()

    def throw(self) -> None:
        """Let the environment act until a player does."""
        while self.position.environment_acts:
            ply = len(self.position.history)
            self.position.apply(self.position.sample(seeded(self.seed, stream=1_000_000 + ply)))

    def clone(self) -> FixedDice:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__, position=self.position.copy())
        return twin

    def player(self) -> int:
        return self.position.player

    def legal(self) -> list[int]:
        return self.position.legal()

    def apply(self, action: int) -> None:
        self.position.apply(action)
        self.throw()

    def terminal(self) -> bool:
        return self.position.is_terminal

    def rewards(self) -> list[float]:
        return self.position.rewards()

    def render(self, observer: int | None) -> str:
        return self.position.render(observer)

    def format_action(self, action: int) -> str:
        return self.position.format_action(action)


class FixedDiceWithScore(FixedDice):
    """The same of a game that has a score."""

    position: Position

    def score(self) -> float:
        return self.position.score()


def fixed_dice(game: Any, seed: int = 0) -> PythonGame:
    """``game``: a game or the name of one; ``seed``: of the throws."""
    from icarus.loading import load

    inside = load(game)
    if not inside.stochastic:
        raise GameError(f"fixed_dice: nothing is left to chance in {inside.name}")
    if inside.hidden_information or inside.simultaneous_moves or inside.observe is not None:
        raise GameError(f"fixed_dice: {inside.name} hides something, so that throws alone do not fix it")
    return python_game(FixedDice if inside.score is None else FixedDiceWithScore, inside, seed)
