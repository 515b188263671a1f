"""A player and its clocks: time is used but never overrun, whatever a sheet or its size; and nothing is left behind."""

from __future__ import annotations

import secrets
import socket
import time

import pytest

from icarus.errors import IcarusError
from icarus.gdl.ground import Limits
from icarus.ggp.match import margin_of
from icarus.ggp.protocol import Settings
from icarus.ggp.server import PlayerServer
from icarus.jit import JIT
from tests.gdl.hard_sheets import GROWING
from tests.ggp.opponents import QUICK, Lines, ask, no_errors, referee, rules

pytestmark = pytest.mark.skipif(not JIT, reason="a player without machine code has no time to think")


def test_the_clocks_are_used_and_kept():
    log = Lines()
    with PlayerServer(port=0, settings=Settings(strategy="ggp-uct"), log=log) as server:
        begun = time.monotonic()
        assert ask(server.url, f"(START m white ({rules('connect_four')}) 3 2)") == "ready"
        assert 3 - 2 * margin_of(3) < time.monotonic() - begun < 3
        begun = time.monotonic()
        assert ask(server.url, "(PLAY m nil)").startswith("(drop")
        assert 2 - 2 * margin_of(2) < time.monotonic() - begun < 2
    assert "iterations" in log.wait_for("PLAY")


def test_a_sheet_is_searched_while_its_network_is_built_and_then_the_player_changes_over():
    log = Lines()
    with PlayerServer(port=0, settings=QUICK, log=log) as server:
        text = rules("checkers") + f"(unused {secrets.token_hex(8)})"  # not known from the last time
        assert ask(server.url, f"(START m red ({text}) 30 20)") == "ready"
        assert "without a network" in log.wait_for("ready to search")
        log.wait_for("changes over to the network")
        first = ask(server.url, "(PLAY m nil)")
        assert first in ask(server.url, "(PLAY m nil)") and "iterations" in log.wait_for("PLAY")
        assert not [line for line in log.lines if "cannot follow" in line or "random legal move" in line]


def test_a_sheet_that_is_too_large_is_searched_without_a_network_and_says_so():
    log = Lines()
    with PlayerServer(port=0, settings=Settings(iterations=50, seed=1), limits=Limits(rules=0), log=log) as server:
        text = rules("duel").replace("(role left)", "(role left) (<= (next (spare ?x)) (true (spare ?x)))")
        assert ask(server.url, f"(START m left ({text}) 20 20)") == "ready"
        log.wait_for("there will be no network")
        assert ask(server.url, "(PLAY m nil)") in ("load", "guard", "shoot")
        assert "iterations" in log.wait_for("PLAY")


def test_terms_that_grow_are_searched_by_the_reasoner():
    log = Lines()
    with PlayerServer(port=0, settings=Settings(iterations=5, seed=1), limits=Limits(rules=100), log=log) as server:
        record = referee(GROWING, server.url, match="growing", start_clock=5, play_clock=2)
        assert no_errors(record, "a")
        assert "slower reasoner" in log.wait_for("too many shapes")


def test_what_cannot_work_is_said_before_the_first_match():
    with pytest.raises(IcarusError, match="no strategy, policy or weight 'NONSENSE'"):
        PlayerServer(port=0, settings=Settings(strategy="NONSENSE"))
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(IcarusError, match="choose another --port"):
        PlayerServer(port=taken.getsockname()[1])


def test_no_process_is_left_behind():
    with PlayerServer(port=0, settings=QUICK) as server:
        assert ask(server.url, f"(START m xplayer ({rules('tic_tac_toe')}) 2 2)") == "ready"
        match, staff = server._matches["m"], server._staff
        employed = (match._worker, match._reasoner, staff._worker, staff._reasoner)
    assert all(process._process.poll() is not None for process in employed)
