"""The referee: who may do what when, and that a refusal changes nothing."""

from __future__ import annotations

import json

import pytest

from icarus.errors import IcarusError
from icarus.game import ENVIRONMENT
from icarus.jit import JIT
from icarus.loading import GAMES, load
from icarus.web.catalog import Catalog, title_of
from icarus.web.limits import Limits, Refused
from icarus.web.rules import RULES
from icarus.web.store import Store
from icarus.web.strength import PRESETS, Strength, read_strength
from icarus.web.table import Seat, Table

MACHINE = Strength(iterations=10)


def at(game: str, *seats: str, seed: int = 1) -> tuple[Table, list[str]]:
    """A table with people ("p"), machines ("m") and open seats ("o"), and the people's tokens."""
    made = {"p": Seat, "m": lambda: Seat(strength=MACHINE), "o": lambda: Seat(invitation="welcome")}
    table = Table(game, load(game), [made[seat]() for seat in seats], seed=seed)
    return table, [table.take(i) if seat == "p" else "" for i, seat in enumerate(seats)]


def snapshot(table: Table) -> str:
    return json.dumps({key: value for key, value in table.as_dict().items() if key != "touched"})


# --- seats -----------------------------------------------------------------------------------------------------------


def test_a_token_holds_its_own_seat_and_no_other():
    table, tokens = at("tic_tac_toe", "p", "p")
    assert [table.seat_of(token) for token in tokens] == [0, 1]
    for wrong in ("", tokens[0][:-1], tokens[0] + "A", None, 3, [tokens[0]], table.seats[0].token):
        with pytest.raises(Refused):
            table.seat_of(wrong)


def test_tokens_and_names_cannot_be_guessed():
    seen = {at("tic_tac_toe", "p", "m")[1][0] for _ in range(50)} | {at("tic_tac_toe", "p", "m")[0].name for _ in range(50)}
    assert len(seen) == 100 and min(map(len, seen)) >= 22  # 128 bits and more


def test_what_is_kept_of_a_table_opens_no_seat():
    table, tokens = at("tic_tac_toe", "p", "p")
    assert not any(token in snapshot(table) for token in tokens)


def test_an_invitation_is_good_once_and_the_one_who_gave_it_has_no_seat_by_it():
    table, _ = at("tic_tac_toe", "p", "o")
    seat, token = table.accept("welcome")
    assert seat == 1 and table.seat_of(token) == 1 and table.seats[1].kind == "person"
    for again in ("welcome", "", None, 1):
        with pytest.raises(Refused):
            table.accept(again)
    with pytest.raises(Refused):
        table.seat_of("welcome")


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "turn", "action", "reason"),
    [
        (1, 0, 0, "turn"),  # out of turn
        (0, 1, 0, "earlier"),  # for another position
        (0, -1, 0, "earlier"),
        (0, None, 0, "earlier"),
        (0, False, 0, "earlier"),
        (0, 0, 9, "legal"),
        (0, 0, -1, "legal"),
        (0, 0, "a1", "legal"),
        (0, 0, None, "legal"),
        (0, 0, True, "legal"),
        (0, 0, 10**30, "legal"),
        (0, 0, 0.0, "legal"),
    ],
)
def test_moves_that_are_refused_change_nothing(seat, turn, action, reason):
    table, _ = at("tic_tac_toe", "p", "p")
    before = snapshot(table)
    with pytest.raises(Refused, match=reason):
        table.play(seat, turn, action)
    assert snapshot(table) == before


def test_a_move_that_is_sent_twice_is_played_once():
    table, _ = at("tic_tac_toe", "p", "p")
    table.play(0, 0, 4)
    with pytest.raises(Refused):
        table.play(0, 0, 4)
    assert [entry.action for entry in table.entries] == [4]


def test_a_finished_game_takes_no_more_moves():
    table, _ = at("tic_tac_toe", "p", "p")
    for turn, action in enumerate((0, 3, 1, 4, 2)):
        table.play(turn % 2, turn, action)
    assert table.over
    with pytest.raises(Refused, match="over"):
        table.play(1, 5, 5)


def test_chance_has_always_decided_before_a_player_is_asked():
    table, _ = at("backgammon", "p", "p")
    assert table.entries[0].player == ENVIRONMENT and table.player in (0, 1)


def test_the_same_table_rolls_the_same_dice_whatever_is_tried():
    rolls = [at("backgammon", "p", "p", seed=5)[0].entries[0].action for _ in range(3)]
    assert len(set(rolls)) == 1


# --- taking back -----------------------------------------------------------------------------------------------------


def test_undo_takes_back_the_own_move_and_the_machines_answer():
    table, _ = at("tic_tac_toe", "p", "m")
    table.play(0, 0, 4)
    table.apply(0)
    table.undo(0)
    assert table.entries == [] and table.player == 0 and table.position.legal() == list(range(9))


@pytest.mark.parametrize(
    ("game", "seats", "reason"),
    [
        ("phantom", "pm", "hides"),
        ("hearts_round", "pmmm", "hides"),
        ("backgammon", "pm", "dice"),
        ("tic_tac_toe", "pp", "somebody"),
    ],
)
def test_undo_is_refused_where_it_would_tell_something_or_undo_somebody_else(game, seats, reason):
    table, _ = at(game, *seats, seed=3)
    for _ in range(40):  # long enough for the dice to be rolled again
        player = table.player
        if [entry.player for entry in table.entries].count(0) and player == 0 and table.entries[-1].player != 0:
            break
        table.apply(table.position.legal()[0])
    with pytest.raises(Refused, match=reason):
        table.undo(0)


def test_nothing_to_take_back_before_the_first_move():
    table, _ = at("tic_tac_toe", "p", "m")
    assert not table.can_undo(0)
    with pytest.raises(Refused, match="not moved"):
        table.undo(0)


# --- keeping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tic_tac_toe", "backgammon", "hearts_round", "goofspiel"])
def test_a_table_comes_back_as_it_was(game, tmp_path):
    players = load(game).players
    table, tokens = at(game, *"p" * (players - 1), "m")
    for _ in range(6):
        table.apply(table.position.legal()[-1])
    table.thoughts[1] = {"mean": [0.5] * players}
    store = Store(tmp_path)
    store.save(table.as_dict())
    again = Table.from_dict(store.load(table.name), load(game))
    assert snapshot(again) == snapshot(table)
    assert (again.position.state == table.position.state).all() or game.startswith("gdl")
    assert again.seat_of(tokens[0]) == 0
    assert [list(again.log(i)) for i in range(players)] == [list(table.log(i)) for i in range(players)]


def test_a_file_that_does_not_fit_is_refused():
    table, _ = at("tic_tac_toe", "p", "m")
    for change in ({"format": 0}, {"moves": [4, 4]}, {"moves": [99]}):
        with pytest.raises(Refused):
            Table.from_dict(table.as_dict() | change, load("tic_tac_toe"))


def test_the_store_knows_only_names_that_it_gave(tmp_path):
    store = Store(tmp_path / "tables")
    (tmp_path / "secret.json").write_text("{}")
    for name in ("../secret", "..", "", "a" * 17, "x/../../secret"):
        assert store.load(name) is None


def test_a_folder_that_cannot_be_used_is_said_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(IcarusError, match="--tables"):
        Store(tmp_path / "file" / "tables")


# --- strength and games ----------------------------------------------------------------------------------------------


def test_presets_are_three_and_read_back():
    assert list(PRESETS) == ["easy", "medium", "hard"]
    for name in PRESETS:
        assert read_strength({"preset": name}, load("tic_tac_toe"), Limits()) is PRESETS[name]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "preset"),
        ({"preset": "godlike"}, "easy, medium, hard"),
        ({}, "budget"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": 1e9}, "at most"),
        ({"seconds": float("nan")}, "number"),
        ({"iterations": 1.5}, "whole"),
        ({"iterations": True}, "number"),
        ({"iterations": "many"}, "number"),
        ({"iterations": 10, "algorithm": "utc"}, "uct"),
        ({"iterations": 10, "algorithm": "determinized(100000)"}, "trees"),
        ({"iterations": 10, "strategy": "RAVE("}, "RAVE"),
        ({"iterations": 10, "strategy": "x" * 1000}, "characters"),
        ({"iterations": 10, "strategy": "evil.py:Evil()"}, "file"),
        ({"iterations": 10, "algorithm": "puct"}, "puct asks a network"),
        ({"iterations": 10, "algorithm": "puct[net.onnx]"}, "icarus serve --allow net.onnx"),
        ({"iterations": 10, "threads": 100}, "threads"),
    ],
)
def test_strengths_that_are_refused_say_why(given, words):
    with pytest.raises(IcarusError, match=words):
        read_strength(given, load("tic_tac_toe"), Limits())


def test_a_machine_that_would_look_at_hidden_cards_gets_no_seat():
    for algorithm in ("cheating", "cheating-ensemble(5)", "uct"):
        with pytest.raises(IcarusError):
            read_strength({"iterations": 10, "algorithm": algorithm}, load("phantom"), Limits())


def test_any_strategy_can_be_asked_for():
    given = {"iterations": 10, "algorithm": "so", "strategy": "RAVE(k=250) >> (MAST() + NAST(2)) / 2"}
    assert str(read_strength(given, load("phantom"), Limits())) == "so, RAVE(k=250) >> (MAST() + NAST(2)) / 2, 10 iterations"


@pytest.mark.parametrize(
    "text",
    [
        *("os:system", "mine.py", "../mine.kif", "icarus.games.mnk:mnk", "openspiel:chess", "gdl:nothing", "chess"),
        *("hex(1000)", "mnk(99999,99999,3)", "hex(n=__import__('os'))", "hex(*[1])", "pgame(branching=100000, plies=100000)"),
        *("", "x" * 999, None, 7),
    ],
)
def test_games_that_are_not_offered_are_refused(text):
    with pytest.raises(IcarusError):
        Catalog().load(text)


def test_every_game_is_explained_and_its_parameters_too():
    assert set(RULES) <= set(GAMES)
    catalog = Catalog()
    about = {name: catalog.about(name) for name in ("hex(7)", "othello", "gdl:duel")}
    assert about["hex(7)"]["title"] == "Hex (7)" and about["hex(7)"]["parameters"]["example"] == "hex(n=11)"
    assert about["othello"]["parameters"] == {}
    assert about["gdl:duel"]["rules"].startswith("A simultaneous game: both sides load, guard or shoot at the same time.")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("tic_tac_toe", "Tic-tac-toe"),
        ("phantom(3,3,3)", "Phantom (3, 3, 3)"),
        ("gdl:connect_four", "Connect four"),
        ("own:my_game", "My game"),
        ("/srv/games/nim.py", "Nim"),
        ('confrontation(setup="varied")', "The Confrontation"),
        ("doudizhu", "Dou Di Zhu"),
    ],
)
def test_titles_are_for_people(text, title):
    assert title_of(text) == title


def test_every_offer_can_be_loaded_and_a_game_of_ones_own_is_offered_first(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text(
        "class Nim:\n    players = 2\n    def __init__(self): self.left, self.turn = 5, 0\n"
        "    def player(self): return self.turn\n    def legal(self): return [n for n in (1, 2) if n <= self.left]\n"
        "    def apply(self, n): self.left -= n; self.turn = 1 - self.turn\n    def terminal(self): return self.left == 0\n"
        "    def rewards(self): return [1.0, 0.0] if self.turn == 1 else [0.0, 1.0]\n"
    )
    catalog = Catalog([str(file)])
    offers = catalog.offers()
    assert offers[0]["name"] == "own:nim" and offers[0]["title"] == "Nim" and offers[0]["group"] == "Yours"
    assert str(tmp_path) not in json.dumps(offers), "where a game is kept is nobody else's business"
    assert catalog.load("own:nim").players == 2
    if JIT:
        for offer in offers:
            if not offer["name"].startswith("gdl:"):
                assert catalog.load(offer["name"]).players >= 1
