"""Beliefs by name: how the others are taken to play, as a strategy, as a player, or as a file with a strategy."""

from __future__ import annotations

from pathlib import Path

from icarus.algorithm import ALGORITHMS
from icarus.arena.errors import PlayerError
from icarus.arena.players import RANDOM, Player, read_player
from icarus.arena.solved import solution
from icarus.belief import Belief, Counts, Model, OpponentModel, read_belief
from icarus.equilibrium.average import SUFFIX, read_strategy_file
from icarus.game import Game


def belief_named(text: str, game: Game) -> Belief | None:
    """``MAST()``, ``mo[M]@50``, ``mccfr@10000``, ``selfplay[Smooth()]@10000`` or ``leduc.npz``."""
    if text.endswith(SUFFIX):
        solved = read_strategy_file(Path(text))
        solved.check(game)
        return read_belief(Counts(solved), game)
    name = text.partition("(")[0].partition("[")[0].strip()
    if "@" in text:
        return read_belief(model_of(read_player(text), game), game)
    if name == RANDOM or (name in ALGORITHMS and not ALGORITHMS[name].cheats):
        raise PlayerError(f"belief: a model is a strategy such as MAST(), a file, or a player with a budget such as {name}@50")
    return read_belief(text, game)


def model_of(player: Player, game: Game) -> OpponentModel:
    """The others play like this player."""
    if player.searches:
        if player.iterations is None or player.asks or player.belief:
            raise PlayerError(f"belief: {player} is no model; give one that searches some iterations, such as mo[M]@50")
        model = Model(player.strategy or "-", iterations=player.iterations, algorithm=player.named or None)
        player.check(game)
        return model
    if player.algorithm == "oos":
        raise PlayerError(f"belief: {player} solves at every decision anew; mccfr@{player.iterations or 10_000} solves once")
    player.check(game)
    return Counts(solution(player, game))
