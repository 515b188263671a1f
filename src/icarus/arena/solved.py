"""Players that solve a game: before it begins (``mccfr@100000``, ``selfplay[Smooth()]@100000``, a file of
``icarus equilibrium``), or at the table (``oos@1000``)."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from icarus.algorithm import Algorithm, Parameter
from icarus.equilibrium.average import AverageStrategy, read_strategy_file
from icarus.equilibrium.mccfr import EPSILON, SAMPLINGS, Mccfr
from icarus.equilibrium.oos import DELTA, Oos
from icarus.equilibrium.self_play import SelfPlay
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
    delta: float = DELTA


UNIFORM_SHARE = Parameter("epsilon", 0.001, 1, whole=False, meaning="the share of uniform choices")
SOLVERS: dict[str, Algorithm] = {
    "mccfr": Solving("mccfr", parameters=(Parameter("sampling", words=tuple(SAMPLINGS), meaning="the sampling"), UNIFORM_SHARE)),
    "selfplay": Solving("selfplay"),
    "oos": Solving("oos", parameters=(Parameter("delta", 0, 1, whole=False, meaning="the share of aimed walks"), UNIFORM_SHARE)),
}
#: what takes a strategy in brackets
WITH_STRATEGY = ("selfplay",)

#: what was solved in this process, by game and player
_SOLVED: weakref.WeakKeyDictionary[Game, dict[str, AverageStrategy]] = weakref.WeakKeyDictionary()


def new_solver(player: Player, game: Game, seed: int = 0) -> Mccfr | SelfPlay:
    """The solver that a player names, before its first iteration."""
    how = SOLVERS[player.algorithm].with_parameters(player.parameters)
    assert isinstance(how, Solving)
    if player.algorithm == "selfplay":
        return SelfPlay(game, strategy=player.strategy or "-", seed=seed)
    if player.algorithm == "oos":
        return Oos(game, epsilon=how.epsilon, delta=how.delta, seed=seed)
    return Mccfr(game, sampling=how.sampling, epsilon=how.epsilon, seed=seed)


def check_solver(player: Player, game: Game) -> None:
    """Refuse, before the first game, what cannot be solved."""
    if player.algorithm == FILE:
        read_strategy_file(Path(player.parameters)).check(game)
    else:
        new_solver(player, game)


def solution(player: Player, game: Game) -> AverageStrategy:
    """The strategy of a player that has one for the whole game; a game is solved once in a process."""
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
    """Draws its actions: from a strategy for the whole game, or from what on-line outcome sampling finds at each decision."""

    def __init__(self, player: Player, game: Game, seat: int, seed: int) -> None:
        self.player = player
        self.solver = new_solver(player, game, seed & (2**62 - 1)) if player.algorithm == "oos" else None
        self.strategy = None if self.solver is not None else solution(player, game)
        self.rng = seeded(seed, stream=2000 + seat)

    def odds(self, position: Position) -> list[float]:
        """The probabilities of the legal actions."""
        if self.strategy is not None:
            return self.strategy.at(position)
        assert isinstance(self.solver, Oos)
        found = self.solver.decide(position, iterations=self.player.iterations, seconds=self.player.seconds)
        if self.solver.stopped:
            raise KeyboardInterrupt
        return found

    def decide(self, position: Position, legal: list[int]) -> Decision:
        from icarus.arena.players import Decision

        odds = self.odds(position)
        point = float(random_unit(self.rng))
        for action, share in zip(legal, odds, strict=True):
            point -= share
            if point < 0:
                return Decision(action)
        return Decision(legal[max(range(len(legal)), key=odds.__getitem__)])
