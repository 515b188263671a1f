"""Sheets with one role are played by a race for the best sequence."""

from __future__ import annotations

from pathlib import Path

import pytest

import icarus.gdl
from icarus.gdl.game import load_sheet
from icarus.gdl.reader import read_sheet
from icarus.gdl.rule_game import RuleGame
from icarus.ggp.commands import usual_strategy
from icarus.ggp.messages import Step
from icarus.ggp.player import TreePlayer, player_for
from icarus.ggp.protocol import Settings
from icarus.ggp.solitaire import SolitairePlayer
from icarus.jit import JIT

RIVER = Path(icarus.gdl.__file__).with_name("sheets") / "river.kif"


def test_one_role_is_played_to_the_goal_by_the_best_sequence() -> None:
    game, sheet = load_sheet(RIVER), read_sheet(RIVER)
    assert isinstance(game, RuleGame)
    player = player_for(game, sheet, "ferryman", Settings(iterations=2000 if JIT else 20, seed=1))
    assert isinstance(player, SolitairePlayer)
    promised = 0.0
    while not player.tracker.terminal:
        thought = player.think(5.0)
        assert thought.move in player.legal()
        assert thought.value >= promised - 1e-9, "a sequence that was found is not lost"
        promised = thought.value
        player.follow(Step((thought.move,), None))
    assert 100 * player.tracker.position.rewards()[0] == promised
    assert promised == 100 or not JIT


def test_another_way_than_the_best_is_followed() -> None:
    game, sheet = load_sheet(RIVER), read_sheet(RIVER)
    player = player_for(game, sheet, "ferryman", Settings(iterations=20, seed=1))
    thought = player.think(2.0)
    other = next((move for move in player.legal() if move != thought.move), thought.move)
    player.follow(Step((other,), None))
    assert player.think(2.0).move in player.legal()


@pytest.mark.parametrize("algorithm", ["nrpa(1, n=10)", "sp(restarts=2)", "nmcs(1)[MAST()]", "mcpg"])
def test_an_algorithm_for_one_player_brings_its_own_choices(algorithm: str) -> None:
    game, sheet = load_sheet(RIVER), read_sheet(RIVER)
    settings = Settings(usual_strategy(algorithm), algorithm, iterations=20, seed=1)
    player = player_for(game, sheet, "ferryman", settings)
    assert player.think(5.0).move in player.legal()


def test_who_names_an_algorithm_gets_it() -> None:
    assert usual_strategy("uct") == usual_strategy(None) == Settings.strategy
    game, sheet = load_sheet(RIVER), read_sheet(RIVER)
    player = player_for(game, sheet, "ferryman", Settings(algorithm="uct"))
    assert type(player) is TreePlayer
