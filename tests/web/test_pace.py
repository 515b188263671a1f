"""A machine's turn takes as long whatever happens in it, where that could tell something."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from icarus.loading import load
from icarus.web.lobby import Lobby
from icarus.web.pace import BEAT, SHARE, Pace
from icarus.web.room import Connection, Room
from icarus.web.strength import Strength
from icarus.web.table import Seat, Table
from tests.web.conftest import LIMITS


@pytest.mark.parametrize("decisions", [1, 2, 3, 15])
def test_a_turn_ends_at_the_same_time_however_often_it_was_decided_anew(decisions):
    pace, now = Pace(1.0), 100.0
    for _ in range(decisions):
        seconds = pace.budget(now)
        assert seconds is not None
        now += seconds
    assert now < 100 + 1 / SHARE + 0.1
    assert pace.end(min(now, 101.2)) == pytest.approx(100 + 1 / SHARE)


def test_the_first_decision_has_the_whole_budget_and_a_new_turn_begins_with_it_again():
    pace = Pace(2.0)
    assert pace.budget(0.0) == 2.0
    assert pace.budget(2.0) == pytest.approx(SHARE * 0.5)
    pace.over()
    assert pace.budget(50.0) == 2.0


def test_iterations_get_a_turn_as_long_as_the_first_decision_needs_twice():
    pace = Pace(None)
    assert pace.budget(10.0) is None
    assert pace.end(10.9) == pytest.approx(10 + 4 * BEAT) and pace.length == pytest.approx(4 * BEAT)
    pace.over()
    assert pace.budget(20.0) == pytest.approx(SHARE * 4 * BEAT), "from now on it is cut short rather than late"
    assert pace.end(20.001) == pytest.approx(20 + 4 * BEAT)


def test_a_machine_that_was_too_busy_is_shown_at_the_end_of_a_later_turn():
    pace = Pace(1.0)
    pace.budget(0.0)
    assert pace.end(1.3) == pytest.approx(2 / SHARE)


def test_nothing_is_shown_before_the_turn_is_over_even_if_the_machine_bumped(in_lobby):
    """Where the machine's first tries hit hidden marks, the person hears of its mark no sooner and in as many messages."""

    async def answered(lobby: Lobby, taken: tuple[int, ...]) -> tuple[int, int]:
        table = Table("phantom(3,3,3)", load("phantom(3,3,3)"), [Seat(token="x"), Seat(strength=Strength(iterations=20))], seed=1)
        for x, o in zip(taken, (8, 7), strict=False):
            table.apply(x)
            table.apply(o)
        if table.player == 0:
            table.apply(6)
        room = Room(table)
        connection = Connection(room, (0,), LIMITS)
        room.connections.add(connection)
        room.paces[1,] = pace = Pace(0.3)
        connection.send_state()
        begun, before = asyncio.get_running_loop().time(), len(table.entries)
        lobby.machines.advance(room)
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["player"] == 1:
            seen.append(json.loads(str(await asyncio.wait_for(connection.outgoing.get(), 60))))
        assert asyncio.get_running_loop().time() - begun >= (pace.length or 9.0), "no sooner than any other turn"
        return len(seen), len(table.entries) - before

    async def play(lobby: Lobby) -> list[tuple[int, int]]:
        return [await answered(lobby, taken) for taken in ((), (0, 1), (1, 5), (3, 4), (4, 5))]

    results = in_lobby(play)
    assert {messages for messages, _ in results} == {2}, "the table as it was, and with the mark"
    assert max(entries for _, entries in results) > 1, "none of them bumped: this test would see nothing"


def test_machines_that_choose_at_the_same_time_share_one_turn(in_lobby):
    """In Hearts the three opponents pass nine cards in the time of one turn, and the person is told once."""

    async def play(lobby: Lobby) -> tuple[int, float, list[tuple[int, ...]]]:
        machine = Strength(iterations=10, seconds=0.4)
        seats = [Seat(token="x"), *(Seat(strength=machine) for _ in range(3))]
        table = Table("hearts_round", load("hearts_round"), seats, seed=1)
        for _ in range(3):
            table.apply(table.position.legal()[0])
        room = Room(table)
        connection = Connection(room, (0,), LIMITS)
        room.connections.add(connection)
        connection.send_state()
        begun = asyncio.get_running_loop().time()
        lobby.machines.advance(room)
        told = 0
        while len(table.entries) < 12:
            await asyncio.wait_for(connection.outgoing.get(), 60)
            told += 1
        return told, asyncio.get_running_loop().time() - begun, list(room.paces)

    told, seconds, turns = in_lobby(play)
    assert told == 2, "the table as it was, and with all cards passed"
    assert turns[0] == (1, 2, 3) and seconds >= BEAT


def test_each_decision_of_a_shared_turn_has_an_equal_part_of_it():
    pace, now = Pace(9.0), 0.0
    for left in range(9, 0, -1):
        seconds = pace.budget(now, left)
        assert seconds is not None and 1.0 - 1e-9 <= seconds <= 3.0
        now += seconds
    assert now <= 9 / SHARE
