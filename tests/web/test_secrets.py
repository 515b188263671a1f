"""No peeking over the wire: what a seat is sent does not depend on what it may not know.

Whole games are played beside twins: games in which everything that the observer cannot know is different.  As long as the
observer sees the same of both, every byte that the server sends to it must be the same, and every byte that spectators get too.
"""

from __future__ import annotations

import asyncio
import json
from copy import deepcopy
from pathlib import Path

import pytest

from icarus.game import UNSEEN, Position
from icarus.jit.randomness import random_below, seeded
from icarus.loading import GAMES, load
from icarus.testing.memory import fingerprint
from icarus.testing.pairs import answer
from icarus.web import review
from icarus.web import room as room_module
from icarus.web.catalog import bundled_sheets
from icarus.web.lobby import Lobby
from icarus.web.messages import encode, state_message
from icarus.web.room import Connection, Room
from icarus.web.strength import Strength
from icarus.web.table import Seat, Table
from tests.web.conftest import LIMITS

HIDING = [name for name in GAMES if load(name).hidden_information]
HIDING_SHEETS = [f"gdl:{name}" for name in bundled_sheets() if load(f"gdl:{name}").hidden_information]
#: a sheet with a board that everybody sees, and cards that not everybody does
HIDING_SHEETS.append(str(Path(__file__).parents[1] / "gdl" / "open_board.kif"))
#: whole games for each observer; small games are quick, and long ones meet many positions in one
GAMES_EACH = {"battleship": 1, "hearts": 1, "confrontation": 1, "doudizhu": 1, "hearts_round": 1, "gdl:blind_tic_tac_toe": 2}
#: seats that look on; one round of Hearts is watched from all of them, and the match is longer
SEATS = {"hearts": (3,)}
LONGEST = 80  #: moves of one game that are watched: a match of Hearts is several rounds, and the second has begun by then


def seated(game_name: str, seed: int) -> Table:
    game = load(game_name)
    return Table(game_name, game, [Seat(token="x") for _ in range(game.players)], seed=seed)


def twin_of(table: Table, observer: int, rng) -> Table | None:
    """The same table with a true position that the observer cannot tell from the real one, if there is another."""
    drawn = table.position.determinize(observer, rng)
    if fingerprint(drawn) == fingerprint(table.position):
        return None
    twin = seated(table.text, table.seed)
    twin.name = table.name
    twin.position, twin.entries, twin.accounts = drawn, list(table.entries), deepcopy(table.accounts)
    twin._known.clear()
    return twin


def noticed(position: Position, observer: int) -> list[tuple[int, int]]:
    return [(player, moves[observer]) for player, _, moves in position.history if moves[observer] != UNSEEN]


class Recorded:
    """A table with the observer and a spectator connected, and every byte that was sent to them."""

    def __init__(self, lobby: Lobby, table: Table, observer: int) -> None:
        self.lobby, self.room = lobby, Room(table)
        self.connections = [Connection(self.room, seats, LIMITS) for seats in ((observer,), ())]
        self.room.connections.update(self.connections)
        self.sent: list[list[str]] = [[], []]
        self.room.show()

    async def play(self, observer: int, action: int) -> None:
        """The observer's moves come through its connection, those of the others from elsewhere."""
        table = self.room.table
        if table.player == observer:
            message = json.dumps({"type": "move", "id": 7, "turn": table.turn(observer), "action": action})
            await self.lobby.handle(self.connections[0], message)
        else:
            table.apply(action)
            self.room.show()

    def bytes_sent(self) -> list[list[str]]:
        for connection, sent in zip(self.connections, self.sent, strict=True):
            while not connection.outgoing.empty():
                sent.append(str(connection.outgoing.get_nowait()))
        return self.sent


async def watch(lobby: Lobby, name: str, seed: int, observer: int) -> int:
    """A whole game beside twins; returns how many moves were compared."""
    table, rng = seated(name, seed), seeded(seed, stream=40 + observer)
    compared, pair = 0, None
    while not table.over and len(table.entries) < LONGEST:
        if pair is None:
            twin = twin_of(table, observer, rng)
            pair = None if twin is None else (Recorded(lobby, table, observer), Recorded(lobby, twin, observer))
        position = table.position
        legal = position.legal()
        action = legal[int(random_below(rng, len(legal)))]
        if pair is None:
            table.apply(action)
            continue
        one, other = pair
        assert one.bytes_sent() == other.bytes_sent(), f"{name}, seed {seed}, player {observer}, move {len(table.entries)}"
        compared += 1
        own = action if position.player == observer else None
        reply = answer(other.room.table.position, position.observe(action, observer), own, observer, rng)
        await one.play(observer, action)
        if reply is not None:
            await other.play(observer, reply)
        ended = table.over or other.room.table.over  # at the end everything is shown
        if reply is None or ended or noticed(table.position, observer) != noticed(other.room.table.position, observer):
            pair = None  # from here on the observer may know the difference: begin again with another twin
    return compared


@pytest.mark.parametrize("name", HIDING + HIDING_SHEETS, ids=lambda name: Path(name).name)
def test_every_byte_is_the_same_whatever_is_hidden(name, in_lobby):
    async def play(lobby: Lobby) -> int:
        seeds = range(1, 1 + GAMES_EACH.get(name, 4))
        return sum([await watch(lobby, name, seed, i) for seed in seeds for i in SEATS.get(name, range(load(name).players))])

    assert in_lobby(play) > 0, "no position was compared: the test says nothing"


def test_the_comparison_finds_a_leak(in_lobby, monkeypatch):
    """The same comparison fails at once for a server that sends the true position to everybody."""
    honest = state_message
    monkeypatch.setattr(
        room_module, "state_message", lambda table, *who: {**honest(table, *who), "render": table.position.render()}
    )
    with pytest.raises(AssertionError, match="hearts_round"):
        in_lobby(lambda lobby: watch(lobby, "hearts_round", 1, 0))


def test_choices_made_at_the_same_time_stay_secret_where_nothing_else_is_hidden():
    names = [name for name in bundled_sheets() if load(f"gdl:{name}").simultaneous_moves]
    open_games = [f"gdl:{name}" for name in names if not load(f"gdl:{name}").hidden_information]
    assert open_games
    for name in open_games:
        first = seated(name, 1)
        texts = set()
        chosen = first.position.legal()
        if first.player != 0 or len(chosen) < 2:
            continue
        for action in chosen:
            table = seated(name, 1)
            table.apply(action)
            if table.player == 1:
                texts |= {encode(state_message(table, seats)) for seats in ((1,),)}
                assert len(texts) == 1, name


@pytest.mark.parametrize("name", ["phantom", "kuhn_poker", "doudizhu", "hearts_round", "confrontation"])
def test_a_hint_is_the_same_whatever_is_hidden(name, in_lobby, monkeypatch):
    """A hint is searched from what the seat knows; its statistics must not tell more."""
    monkeypatch.setattr(review, "HINT", Strength(iterations=200))

    async def hint(lobby: Lobby, table: Table, observer: int) -> dict:
        record = Recorded(lobby, table, observer)
        record.bytes_sent()
        await lobby.handle(record.connections[0], '{"type": "hint"}')
        while True:
            message = json.loads(await record.connections[0].outgoing.get())
            if message["type"] == "hint" and message["final"]:
                return {key: value for key, value in message.items() if key not in ("seconds", "speed")}

    async def play(lobby: Lobby) -> int:
        table, rng, compared = seated(name, 2), seeded(2, stream=8), 0
        while not table.over and compared < 3:
            observer = table.player
            assert observer is not None
            twin = twin_of(table, observer, rng)
            if twin is not None:
                assert await hint(lobby, table, observer) == await hint(lobby, twin, observer)
                compared += 1
            legal = table.position.legal()
            table.apply(legal[int(random_below(rng, len(legal)))])
        return compared

    assert in_lobby(play) > 0


def test_a_machines_thoughts_are_shown_only_when_the_game_is_over(in_lobby):
    async def play(lobby: Lobby) -> list[dict]:
        wanted = {"kind": "machine", "strength": {"iterations": 50}}
        made = await lobby.create({"game": "kuhn_poker", "seats": [{"kind": "you"}, wanted]})
        connection = await lobby.join({"type": "join", "table": made["table"], "tokens": list(made["tokens"].values())})
        seen = []
        for question in ('{"type": "tree", "ply": 0}', '{"type": "position", "ply": 0}', '{"type": "review"}'):
            await lobby.handle(connection, question)
        while True:
            message = json.loads(await asyncio.wait_for(connection.outgoing.get(), 60))
            seen.append(message)
            if message["type"] == "state" and message["legal"]:
                move = {"type": "move", "turn": message["turn"], "action": message["legal"][0]["action"]}
                await lobby.handle(connection, json.dumps(move))
            if message["type"] == "state" and message["over"]:
                return seen

    *before, last = in_lobby(play)
    assert {message["type"] for message in before} == {"state", "refused", "done"}
    assert sum(message["type"] == "refused" for message in before) == 3
    assert all(message["thoughts"] == [] for message in before if message["type"] == "state")
    assert last["thoughts"], "the machine thought, and now it may be seen"


def test_a_spectator_sees_the_backs_of_cards_and_nothing_where_nobody_has_said_what_is_public():
    table = seated("hearts_round", 1)
    assert (
        state_message(table, ())["drawing"].count("var(--back)") - state_message(table, (0,))["drawing"].count("var(--back)")
        == 13
    )
    assert state_message(seated("figure3", 1), ())["drawing"] is None
    open_table = seated("othello", 1)
    assert state_message(open_table, ())["drawing"].startswith("<svg")


def test_waiting_is_not_told_from_not_noticing(in_lobby):
    """In phantom a failed attempt is not noticed by the opponent: nothing at all is sent to it."""

    async def play(lobby: Lobby) -> None:
        table = seated("phantom", 1)
        table.apply(5)
        record = Recorded(lobby, table, 0)
        before = len(record.bytes_sent()[0])
        await record.play(0, 5)  # the second player tries the square that the first has taken
        assert table.player == 1 and len(table.entries) == 2
        assert len(record.bytes_sent()[0]) == before

    in_lobby(play)
