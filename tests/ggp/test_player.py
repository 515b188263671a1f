"""The player over real sockets: whole matches against several opponents, and whatever else may come in."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from icarus.gdl.game import load_sheet
from icarus.gdl.reader import read_rules
from icarus.gdl.sheets import find_sheet
from icarus.ggp.messages import MAX_BYTES
from icarus.ggp.player import TreePlayer
from icarus.ggp.record import Record
from icarus.ggp.server import PlayerServer
from icarus.jit import JIT
from tests.ggp.opponents import (
    QUICK,
    Lines,
    ask,
    hang_up,
    no_errors,
    post,
    random_player,
    raw,
    referee,
    rules,
    silent_player,
)

pytestmark = pytest.mark.skipif(not JIT, reason="a player without machine code has no time to think")


@dataclass
class Player:
    url: str
    log: Lines
    server: PlayerServer


@pytest.fixture(scope="module")
def players() -> Iterator[list[Player]]:
    logs = [Lines(), Lines()]
    with (
        PlayerServer(port=0, settings=QUICK, matches=2, log=logs[0]) as one,
        PlayerServer(port=0, settings=QUICK, matches=2, log=logs[1]) as other,
    ):
        yield [Player(one.url, logs[0], one), Player(other.url, logs[1], other)]


def told(record: Record, players: list[Player]) -> str:
    """The errors of a match, and what the players have to say to it."""
    lines = [line for player in players for line in player.log.lines if line.startswith(record.match)]
    return "\n".join([str(record.errors), *lines])


@pytest.fixture
def player(players: list[Player]) -> Iterator[Player]:
    yield players[0]
    for match in list(players[0].server._matches):  # a test that fails leaves none to the next
        ask(players[0].url, f"(ABORT {match})")


# --- matches ---------------------------------------------------------------------------------------------------------


def test_two_players_play_tic_tac_toe_to_a_draw(players: list[Player]):
    record = referee(rules("tic_tac_toe"), players[0].url, players[1].url, match="itself")
    assert record.error_counts == {"xplayer": 0, "oplayer": 0}, told(record, players)
    assert record.goals == [50, 50] and len(record.moves) == 9
    assert record.as_dict()["isCompleted"]


def test_a_managed_player_knows_when_its_move_is_decided():
    sheet = read_rules(rules("tic_tac_toe"), "match")
    player = TreePlayer(load_sheet(find_sheet("gdl:tic_tac_toe")), sheet, "xplayer", replace(QUICK, final="robust", managed=True))
    assert not player.decided(0.0), "nothing was thought yet"
    player.think(0.2)
    assert player.decided(0.0) and not player.decided(1e6)


def test_two_players_choose_at_the_same_time(players: list[Player]):
    record = referee(rules("duel"), players[0].url, players[1].url, match="duel")
    assert record.error_counts == {"left": 0, "right": 0}, told(record, players)
    assert record.goals is not None and sum(record.goals) == 100


def test_players_that_do_not_see_everything_play_on_what_they_saw(players: list[Player]):
    record = referee(rules("blind_tic_tac_toe"), players[0].url, players[1].url, match="blind")
    assert record.error_counts == {"xplayer": 0, "oplayer": 0}, told(record, players)
    assert record.goals is not None
    assert not [line for p in players for line in p.log.lines if "no sequence of moves" in line]


def test_the_finder_points_at_the_coin_that_it_has_seen(player: Player):
    seen = found = 0
    for number in range(3):
        record = referee(rules("cups"), player.url, match=f"cups{number}", seed=number)
        assert no_errors(record, "finder")
        hidden, looked, pointed = record.moves[0][0], record.moves[1][1], record.moves[2][1]
        if hidden.replace("hide", "look") == looked:
            seen += 1
            found += pointed == hidden.replace("hide", "point")
        else:  # not where it has looked
            assert pointed != looked.replace("look", "point")
    assert found == seen


def test_a_random_opponent_does_not_win(player: Player):
    with random_player(seed=4) as opponent:
        record = referee(rules("tic_tac_toe"), opponent, player.url, match="random")
    assert record.error_counts == {"xplayer": 0, "oplayer": 0}, told(record, [player])
    assert record.goals is not None and record.goals[1] >= 50


def test_a_silent_opponent_is_counted_and_replaced(player: Player):
    with silent_player() as opponent:
        record = referee(rules("tic_tac_toe"), player.url, opponent, match="silent", start_clock=3, play_clock=2)
    assert record.error_counts == {"xplayer": 0, "oplayer": len(record.moves) + 1}
    assert {error for row in record.errors for error in row} == {"", "TO"}
    assert record.goals is not None and record.goals[0] == 100


def test_matches_at_once_are_limited(player: Player):
    start = f"(START {{}} xplayer ({rules('tic_tac_toe')}) 20 20)"
    assert "available" in ask(player.url, "(INFO)")
    assert ask(player.url, start.format("a")) == "ready"
    assert ask(player.url, start.format("a")) == "busy"
    assert ask(player.url, start.format("b")) == "ready"
    assert "busy" in ask(player.url, "(INFO)")
    assert ask(player.url, start.format("c")) == "busy"
    assert ask(player.url, "(PLAY b nil)").startswith("(mark")
    assert ask(player.url, "(PLAY a nil)").startswith("(mark")
    assert ask(player.url, "(STOP a nil)") == "done"
    assert ask(player.url, "(ABORT b)") == "aborted"
    assert "available" in ask(player.url, "(INFO)")


def test_a_thinking_process_that_dies_is_replaced(player: Player):
    assert ask(player.url, f"(START mortal xplayer ({rules('tic_tac_toe')}) 20 20)") == "ready"
    process = player.server._matches["mortal"]._worker._process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert ask(player.url, "(PLAY mortal nil)").startswith("(mark")
    player.log.wait_for("mortal", "the process that thinks has ended")
    assert ask(player.url, "(PLAY mortal ((mark 2 2) noop))") == "noop"
    assert ask(player.url, "(STOP mortal nil)") == "done"


# --- whatever else comes in ------------------------------------------------------------------------------------------


def test_messages_about_unknown_matches_are_answered_busy(player: Player):
    for message in ("(PLAY nobody nil)", "(PLAY nobody (a b))", "(STOP nobody (a b))", "(ABORT nobody)"):
        assert ask(player.url, message) == "busy"


@pytest.mark.parametrize(
    "sheet, role",
    [
        ("(role a) (<= (legal a x) (role a))", "a"),  # no terminal, no goal
        ("(role a) (<= (legal a ?x) (role a)) (<= terminal (role a)) (goal a 50)", "a"),  # unsafe
        ("(<= nothing)", "a"),
        ("(role a) (<= (legal a x) (role a)) (<= terminal (role b)) (<= (goal a 50) (role a))", "b"),  # no such role
    ],
)
def test_a_match_that_cannot_be_played_is_answered_busy(player: Player, sheet: str, role: str):
    assert ask(player.url, f"(START bad {role} ({sheet}) 20 1)") == "busy"
    assert ask(player.url, "(PLAY bad nil)") == "busy"


@pytest.mark.parametrize("text", ["", "hello", "(", "(PLAY", "(PLAY m (a b)", "(DANCE)", "(START m)", "\x00\xff", "(" * 100_000])
def test_garbage_is_refused_and_the_player_lives(player: Player, text: str):
    status, kind, body = post(player.url, text)
    assert (status, kind) == (400, "text/acl")
    assert body.startswith("(error ")
    assert "available" in ask(player.url, "(INFO)")


def test_moves_that_were_never_legal_do_not_end_a_match(player: Player):
    assert ask(player.url, f"(START odd xplayer ({rules('tic_tac_toe')}) 20 20)") == "ready"
    assert ask(player.url, "(PLAY odd nil)").startswith("(mark")
    for moves in ("((mark 9 9) noop)", "(noop)", "(a b c)"):
        assert ask(player.url, f"(PLAY odd {moves})").startswith("(mark")
    player.log.wait_for("odd", "cannot follow the match")
    assert ask(player.url, "(ABORT odd)") == "aborted"


def test_truncated_and_oversized_requests_are_refused(player: Player):
    head = b"POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: %d\r\n\r\n"
    assert b" 400 " in raw(player.url, head % 100 + b"(PLAY m (a")
    assert b" 400 " in raw(player.url, head % (MAX_BYTES + 1) + b"(PLAY")
    assert b" 400 " in raw(player.url, head.replace(b"%d", b"9" * 5000) + b"(PLAY")
    assert b" 400 " in raw(player.url, b"POST / HTTP/1.0\r\n\r\n(INFO)")
    assert b"available" in raw(player.url, head % 6 + b"(INFO)")


def test_a_client_that_goes_away_is_forgotten(player: Player):
    message = f"(START gone xplayer ({rules('tic_tac_toe')}) 20 20)".encode()
    head = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(message)
    hang_up(player.url, head + message[: len(message) // 2])
    hang_up(player.url, head + message)
    hang_up(player.url, b"")
    player.log.wait_for("gone", "START -> ready")
    assert ask(player.url, "(PLAY gone nil)").startswith("(mark")
    assert ask(player.url, "(STOP gone nil)") == "done"


def test_a_preview_builds_ahead(player: Player):
    text = rules("duel").replace("(role left)", "(role left) (preview-of-this-sheet yes)")
    assert ask(player.url, f"(PREVIEW ({text}) 10)") == "ready"
    player.log.wait_for("preview", "ready to search")
