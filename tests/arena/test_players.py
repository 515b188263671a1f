"""Players by name: what is printed reads in again, errors point at the character, nobody sits down who cannot play."""

from __future__ import annotations

import pytest

from icarus.arena.errors import ArenaError, PlayerError
from icarus.arena.players import Player, read_player
from icarus.arena.schedule import game_named
from icarus.loading import load
from icarus.search import default_lanes


@pytest.mark.parametrize(
    "text",
    [
        "mo[NRML]@5000",
        "uct[GRAVE(k=250)]@1s",
        "determinized(40)[-]@10000",
        "cheating@10000",
        "cheating-ensemble(10)@10000",
        "random",
        "[N]@5000",
        "uct@0.25s,keep,max",
        "openspiel-mcts@1000",
        "openspiel-ismcts@1000",
        "flat-ucb@3",
    ],
)
def test_what_is_printed_reads_in_again(text: str) -> None:
    player = read_player(text)
    assert str(player) == text
    assert read_player(str(player)) == player


def test_budgets_have_units() -> None:
    assert read_player("uct@5k").iterations == 5000
    assert read_player("uct@10_000").iterations == 10_000
    assert read_player("uct@250ms").seconds == 0.25
    assert read_player("uct@2s").scaled(0.5) == Player("uct", seconds=1.0)
    assert read_player("uct@3").scaled(0.01) == Player("uct", iterations=1)


@pytest.mark.parametrize(
    "text, at",
    [
        ("mo[NRML@5000", 2),
        ("uctt@5", 0),
        ("uct", 3),
        ("uct@", 4),
        ("uct@-5", 4),
        ("uct@5x", 5),
        ("uct@0", 4),
        ("uct[]@4", 4),
        ("determinized(0)@3", 13),
        ("determinized(4@3", 14),
        ("uct(4)@5", 4),
        ("uct@50,foo", 7),
        ("uct@50 more", 7),
        ("random@5", 6),
        ("random[N]", 6),
        ("openspiel-mcts[N]@5", 14),
        ("", 0),
        ("uct[Baseline() >> Foo()]@5", 18),
        ("uct[Baseline() >> NAST(n=0)]@5", 18),
        ("uct[Baseline() >> (MAST()]@5", 18),
    ],
)
def test_an_error_points_at_the_character(text: str, at: int) -> None:
    with pytest.raises(PlayerError) as problem:
        read_player(text)
    assert problem.value.at == at
    assert str(problem.value).splitlines()[2] == " " * (at + 2) + "^"


def test_a_misspelt_algorithm_is_guessed() -> None:
    with pytest.raises(PlayerError, match="did you mean determinized"):
        read_player("determinised(40)@100")


@pytest.mark.parametrize(
    "player, game, reason",
    [
        ("uct@100", "phantom(3,3,3)", "perfect information"),
        ("mo[Baseline() >> EPIC()]@100", "phantom(3,3,3)", "episode"),
        ("openspiel-mcts@100", "phantom(3,3,3)", "OpenSpiel"),
        ("openspiel-mcts@100", "kuhn_poker", "openspiel-ismcts"),
        ("openspiel-ismcts@100", "tic_tac_toe", "openspiel-mcts"),
    ],
)
def test_a_player_that_cannot_play_is_refused_with_the_reason(player: str, game: str, reason: str) -> None:
    with pytest.raises(ArenaError, match=reason):
        read_player(player).check(game_named(game))


def test_a_rule_sheet_is_searched_with_as_many_lanes_as_the_command_line_takes():
    sheet, own = load("gdl:connect_four"), load("connect_four")
    player = read_player("uct@5000")
    assert player.search(sheet.start(), 0, 1).lanes == default_lanes(sheet, 5000) > 1
    assert player.search(own.start(), 0, 1).lanes == 1
