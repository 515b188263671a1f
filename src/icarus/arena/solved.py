"""Players that have solved the game before it begins: ``mccfr@100000``, ``mccfr(outcome)@1s``, or a file of
``icarus equilibrium``."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from icarus.algorithm import Algorithm, Parameter
from icarus.equilibrium.average import AverageStrategy, read_strategy_file
from icarus.equilibrium.mccfr import EPSILON, SAMPLINGS, Mccfr
from icarus.game import Game, Position
from icarus.jit.randomness import random_unit, seeded

if TYPE_CHECKING:
    from icarus.arena.players import Decision, Player

FILE = "file"  #: in place of an algorithm: the parameters are the name of a file


@dataclass(frozen=True)
class Solving(Algorithm):
    """How a game is solved."""

    sampling: str = "external"
    epsilon: float = EPSILON


SOLVERS: dict[str, Algorithm] = {
    "mccfr": Solving(
        "mccfr",
        parameters=(
            Parameter("sampling", words=tuple(SAMPLINGS), meaning="the sampling"),
            Parameter("epsilon", 0.001, 1, whole=False, meaning="the share of uniform choices"),
        ),
    )
}

#: what was solved in this process, by game and player
_SOLVED: weakref.WeakKeyDictionary[Game, dict[str, AverageStrategy]] = weakref.WeakKeyDictionary()


def new_solver(player: Player, game: Game, seed: int = 0) -> Mccfr:
    """The solver that a player names, before its first iteration."""
    how = SOLVERS[player.algorithm].with_parameters(player.parameters)
    assert isinstance(how, Solving)
    return Mccfr(game, sampling=how.sampling, epsilon=how.epsilon, seed=seed)


def check_solver(player: Player, game: Game) -> None:
    """Refuse, before the first game, what cannot be solved."""
    if player.algorithm == FILE:
        read_strategy_file(Path(player.parameters)).check(game)
    else:
        new_solver(player, game)


def solution(player: Player, game: Game) -> AverageStrategy:
    """The strategy of a player; a game is solved once in a process."""
    known = _SOLVED.setdefault(game, {})
    if str(player) not in known:
        if player.algorithm == FILE:
            known[str(player)] = read_strategy_file(Path(player.parameters))
            known[str(player)].check(game)
        else:
            solver = new_solver(player, game).run(iterations=player.iterations, seconds=player.seconds)
            if solver.stopped:
                raise KeyboardInterrupt
            known[str(player)] = solver.average()
    return known[str(player)]


class StrategySeat:
    """Draws its actions from a strategy for the whole game."""

    def __init__(self, player: Player, game: Game, seat: int, seed: int) -> None:
        self.strategy = solution(player, game)
        self.rng = seeded(seed, stream=2000 + seat)

    def decide(self, position: Position, legal: list[int]) -> Decision:
        from icarus.arena.players import Decision

        point = float(random_unit(self.rng))
        odds = self.strategy.at(position)
        for action, share in zip(legal, odds, strict=True):
            point -= share
            if point < 0:
                return Decision(action)
        return Decision(legal[max(range(len(legal)), key=odds.__getitem__)])
