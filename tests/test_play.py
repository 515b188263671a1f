"""Play on the terminal: whole games through a pseudo-terminal, and that nobody is told what they may not know."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pexpect
import pytest
from typer.testing import CliRunner

import icarus.gdl
from icarus.arena.players import read_player
from icarus.cli import app
from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position, step_randomly
from icarus.games.confrontation.position import MOVE
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import GAMES, load
from icarus.play.conversation import COMMANDS, Conversation
from icarus.play.knowledge import Account, label_for, twins
from icarus.play.screen import CLEAR, Text
from icarus.play.table import SavedGameError, Table

SHEETS = Path(icarus.gdl.__file__).with_name("sheets")
HIDDEN = [name for name in GAMES if load(name).hidden_information]

pytestmark = pytest.mark.skipif(not JIT, reason="plays whole games: too slow as plain Python")


# --- through a pseudo-terminal ---------------------------------------------------------------------------------------


@pytest.fixture
def terminal(tmp_path: Path):
    """Start ``icarus play`` in a terminal of its own, in an empty folder."""
    started: list[pexpect.spawn] = []

    def start(*arguments: str) -> pexpect.spawn:
        paths = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
        child = pexpect.spawn(
            sys.executable,
            ["-m", "icarus", "play", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": paths, "TERM": "xterm"},
            encoding="utf-8",
            codec_errors="replace",
            dimensions=(60, 200),
            timeout=120,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def leave(child: pexpect.spawn) -> str:
    """Wait for the end; everything that was printed since the last expectation."""
    child.expect(pexpect.EOF)
    child.close()
    assert "Traceback" not in child.before
    return child.before


def test_a_whole_game_against_a_machine(terminal):
    game = terminal("tic_tac_toe", "--seat", "2=uct@200", "--seed", "1", "--thoughts")
    game.expect("X> ")
    tried = ["b2", "a1", "c3", "a3", "c1", "a2", "c2", "b1", "b3"]
    for cell in tried:
        game.sendline(cell)
        if game.expect(["X> ", r"the game is over: ([^\r]*)\r\n"]) == 1:
            break
        if "is not a legal move" not in game.before:
            assert re.search(r"O: [abc][123]\r\nO thought: 200 iterations", game.before)
    assert game.match[1] in ("X has won", "O has won", "a draw")
    assert "rewards: X" in leave(game)
    assert game.exitstatus == 0


def test_two_people_play_connect_four_to_the_end_without_handing_over(terminal):
    game = terminal("connect_four", "--seat", "1=human", "--seat", "2=human")
    for number, column in enumerate("4142434"):
        game.expect("XO"[number % 2] + "> ")
        assert CLEAR not in game.before
        game.sendline(column)
    assert "X has won" in leave(game)


def test_tab_completes_moves_with_spaces_and_commands(terminal):
    game = terminal(str(SHEETS / "tic_tac_toe.kif"), "--seat", "2=random", "--seed", "1")
    game.expect("xplayer> ")
    game.send("(MARK 3 3\t\n")
    game.expect(r"\(cell 3 3 x\)")
    game.expect("xplayer> ")
    game.send("boa\t\n")
    game.expect(r"\(cell 3 3 x\)")
    game.expect("xplayer> ")
    game.sendcontrol("d")
    leave(game)
    assert game.exitstatus == 0


def test_in_phantom_only_marks_that_were_found_are_printed_until_the_end(terminal):
    game = terminal("phantom(3,3,3)", "--seat", "2=random", "--seed", "4")
    game.expect("X> ")
    tried: set[str] = set()
    for cell in (f"{column}{row}" for row in "123" for column in "abc"):
        assert marks(game.before, "O") <= tried
        game.sendline(cell)
        tried.add(cell)
        if game.expect(["X> ", "the game is over"]) == 1:
            break
    assert len(marks(game.before, "O")) >= 2
    leave(game)


def marks(text: str, mark: str) -> set[str]:
    """The cells with a mark on the boards of a transcript."""
    rows = re.findall(r"^ (\d) ((?:[.XO] ?)+)\r?$", text, re.MULTILINE)
    return {f"{'abc'[x]}{row}" for row, cells in rows for x, cell in enumerate(cells.split()) if cell == mark}


def test_people_with_secrets_hand_over_with_a_cleared_screen(terminal):
    game = terminal("phantom(3,3,3)", "--seat", "1=human", "--seat", "2=human")
    game.expect("X, press Enter when nobody else is looking ")
    game.sendline()
    game.expect("X> ")
    game.sendline("b2")
    game.expect("press Enter, then the keyboard is O's ")
    assert marks(game.before, "X") == {"b2"}
    game.sendline()
    game.expect_exact(CLEAR)
    game.expect("O, press Enter when nobody else is looking ")
    assert not marks(game.before, "X")
    game.sendline()
    game.expect("O> ")
    assert not marks(game.before, "X")
    game.send("\033[A")  # the arrow that calls up what was typed before
    game.sendline("b2")
    game.expect("O> ")
    assert marks(game.before, "X") == {"b2"}


def test_saved_games_go_on_where_they_were(terminal, tmp_path: Path):
    game = terminal("othello", "--seat", "2=random", "--seed", "3")
    game.expect("Black> ")
    game.sendline("d3")
    game.expect("Black> ")
    board = re.findall(r"^\d .*$", game.before, re.MULTILINE)
    game.sendline("save my game.json")
    game.expect("saved in my game.json")
    game.expect("Black> ")
    game.sendline("quit")
    assert "icarus play --load 'my game.json'" in leave(game)
    again = terminal("--load", "my game.json")
    again.expect("Black> ")
    assert re.findall(r"^\d .*$", again.before, re.MULTILINE) == board
    assert [file.name for file in tmp_path.iterdir()] == ["my game.json"]


def test_control_c_saves_and_says_how_to_continue(terminal, tmp_path: Path):
    game = terminal("hex(3)", "--seat", "2=random", "--seed", "3")
    game.expect("X> ")
    game.sendline("b2")
    game.expect("X> ")
    game.sendintr()
    assert "icarus play --load icarus-hex-3-1.json" in leave(game)
    assert game.exitstatus == 130
    assert len(Table.load(tmp_path / "icarus-hex-3-1.json").position.history) == 2


def test_control_c_while_a_machine_thinks_loses_nothing(terminal, tmp_path: Path):
    game = terminal("hex(5)", "--seat", "2=uct@600s")
    game.expect("X> ")
    game.sendline("c3")
    game.expect("thinks")
    game.sendintr()
    leave(game)
    assert game.exitstatus == 130
    assert len(Table.load(tmp_path / "icarus-hex-5-1.json").position.history) == 1


@pytest.mark.parametrize(
    "line", ["nonsense", "(" * 3000, "\x1b[31m", "save /no/such/folder/x", "load nothing", "save", "ｂ２", ":b2"]
)
def test_whatever_is_typed_gets_an_answer_in_one_line(line: str, tmp_path: Path):
    table = Table("tic_tac_toe", load("tic_tac_toe"), [None, None], 1)
    shown, script = [], iter([line])
    converse(table, lambda prompt, words: next(script), shown)
    problems = [values["text"] for event, values in shown if event == "problem"]
    assert len(problems) == 1 and "\n" not in problems[0]
    assert table.position.history == []


def test_bytes_that_are_no_text_are_answered_too(terminal):
    game = terminal("tic_tac_toe", "--seat", "2=random")
    game.expect("X> ")
    os.write(game.child_fd, b"\xff\xfe\n")
    game.expect("is not a legal move")
    game.expect("X> ")
    game.sendline("quit")
    leave(game)


# --- the conversation, without a terminal ----------------------------------------------------------------------------


class Transcript:
    """A screen that remembers."""

    def __init__(self, shown: list[tuple[str, dict[str, Any]]]) -> None:
        self.shown = shown

    def show(self, event: str, **values: Any) -> None:
        self.shown.append((event, values))

    def prompt(self, name: str) -> str:
        return f"{name}> "

    def clear(self) -> None:
        self.shown.append(("clear", {}))

    @contextmanager
    def thinking(self, name: str):
        yield lambda share: None


def converse(table: Table, read: Callable[[str, list[str]], str], shown: list, **options: Any) -> None:
    """Play until the game is over or the script ends."""
    talk = Conversation(table, Transcript(shown), read, adviser=read_player("[-]@50"), **options)
    try:
        talk.run()
    except StopIteration:
        return


def seated(name: str, *seats: str, seed: int = 1) -> Table:
    return Table(name, load(name), [None if seat == "human" else read_player(seat) for seat in seats], seed)


@pytest.mark.parametrize("name", [*GAMES, str(SHEETS / "duel.kif"), str(SHEETS / "cups.kif")], ids=lambda name: Path(name).name)
def test_every_game_can_be_played_by_its_labels_from_every_seat(name: str):
    game = load(name)
    for person in range(min(game.players, 2)):
        table = seated(name, *("human" if seat == person else "random" for seat in range(game.players)), seed=2)
        shown: list[tuple[str, dict[str, Any]]] = []
        converse(table, typed_at_random(200), shown)
        assert [values for event, values in shown if event == "problem"] == []
        assert shown[-1][0] == "over" or sum(event == "position" for event, _ in shown) >= 200


def typed_at_random(most: int) -> Callable[[str, list[str]], str]:
    """Any of the moves that Tab would complete; ends after so many."""
    choice, typed = Random(5), 0

    def read(prompt: str, words: list[str]) -> str:
        nonlocal typed
        typed += 1
        if typed > most:
            raise StopIteration
        return choice.choice([word for word in words if word not in COMMANDS])

    return read


def test_a_puzzle_is_told_by_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    script = iter(["hint", "left", "right", "left"])
    table = seated("left_move(3)", "human")
    Conversation(table, Text(), lambda prompt, words: next(script), adviser=read_player("[-]@50")).run()
    told = capsys.readouterr().out
    assert "hint: left (the best of 50 playouts has a score of 3)\n" in told
    assert told.endswith("the game is over: a score of 2\n")


def test_hints_come_from_what_the_player_knows_and_play_nothing():
    table, shown = seated("kuhn_poker", "human", "random"), []
    script = iter(["hint"])
    converse(table, lambda prompt, words: next(script), shown)
    (hint,) = [values for event, values in shown if event == "hint"]
    assert hint["move"] in ("pass", "bet") and 0 <= hint["expected"] <= 1 and hint["iterations"] == 50
    assert table.position.history == []


def test_undo_goes_back_to_ones_own_last_decision():
    table, shown = seated("connect_four", "human", "random"), []
    script = iter(["4", "4", "undo", "undo", "undo"])
    converse(table, lambda prompt, words: next(script), shown)
    assert [values["moves"] for event, values in shown if event == "undone"] == [2, 2]
    assert [values["text"] for event, values in shown if event == "problem"] == ["there is no move of yours to take back"]
    assert table.position.history == []


def test_undo_stops_at_dice():
    table, shown = seated("backgammon", "human", "human", seed=2), []
    turns: list[str] = []

    def read(prompt: str, words: list[str]) -> str:
        if len(turns) == 3:
            raise StopIteration
        turns.append(prompt)
        # after a whole turn the other side has rolled; within a turn nothing was rolled
        return "undo" if len(turns) == 3 else words[0]

    converse(table, read, shown)
    assert turns[0] == turns[1] != turns[2], "the first roll of this seed is no plain turn of two checkers"
    with pytest.raises(GameError, match="chance has decided"):
        table.take_back(1 if turns[0].startswith("O") else 0)


def test_undo_within_ones_turn_is_free_where_nothing_was_shown():
    table = seated("hearts", "human", "random", "random", "random")
    for _ in range(2):
        table.act(table.position.legal()[0])
    assert table.take_back(0) == 1
    assert len(table.position.history) == 1


def test_undo_is_refused_where_something_hidden_was_shown():
    table = seated("phantom(3,3,3)", "human", "human")
    for label in ("a1", "a1"):  # O's try fails, and shows X's mark
        table.act(table.position.parse_action(label))
    with pytest.raises(GameError, match="has shown something"):
        table.take_back(1)
    with pytest.raises(GameError, match="somebody else has moved"):
        table.take_back(0)
    assert len(table.position.history) == 2


def test_thoughts_wait_for_the_end_where_they_would_betray():
    for name, late in (("kuhn_poker", True), ("tic_tac_toe", False)):
        table, shown = seated(name, "human", "[-]@50"), []
        converse(table, lambda prompt, words: words[0], shown, thoughts=True)
        events = [event for event, _ in shown]
        assert "thoughts" in events
        assert (events.index("thoughts") > events.index("over")) is late
        assert ("note" in events) is late


def test_choices_made_at_the_same_time_are_named_when_both_are_made():
    table, shown = seated("rock_paper_scissors", "random", "human"), []
    converse(table, lambda prompt, words: "rock", shown)
    told = [values["move"] for event, values in shown if event == "moved"]
    assert told == [None, load("rock_paper_scissors").format_action(table.game.start().named, table.position.history[0][1])]


def test_a_game_between_machines_shows_everything():
    table, shown = seated("kuhn_poker", "random", "random"), []
    converse(table, lambda prompt, words: pytest.fail("nobody is there to be asked"), shown)
    assert "?" not in json.dumps(shown)


# --- nobody is told too much -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_said_of_a_move_depends_only_on_what_the_observer_saw(name: str):
    """In two positions that look alike, moves that look alike are called alike."""
    compared = 0
    for seed in range(1, 9):
        position, rng = load(name).start(seed), seeded(seed)
        while not position.is_terminal and compared < 150:
            before = position.copy()
            action = step_randomly(position, rng)
            for observer in range(position.game.players):
                if observer != before.player:
                    compared += calls_alike(before, action, observer)
        if compared >= 20:
            break
    assert compared or load(name).players == 1, "somebody else looks on"


def calls_alike(position: Position, action: int, observer: int) -> int:
    """Compare with one other position and every move there that the observer would see as the same."""
    said, seen = label_for(position, action, observer), position.observe(action, observer)
    *_, twin = twins(position, observer)
    if twin.player != position.player or position.player == ENVIRONMENT:
        return 0
    alike = [other for other in twin.legal() if twin.observe(other, observer) == seen]
    assert all(label_for(twin, other, observer) == said for other in alike)
    return len(alike)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_said_of_a_move_is_true(name: str):
    """Nobody reads the name of another move than the one that was made, not even if most of what is possible would have it."""
    for seed in range(1, 4):
        position, rng = load(name).start(seed), seeded(seed, stream=6)
        accounts, truth = [Account(observer) for observer in range(position.game.players)], []
        while not position.is_terminal and len(position.history) < 150:
            before = position.copy()
            action = step_randomly(position, rng)
            truth.append(before.format_action(action))
            for account in accounts:
                account.add(before, action)
                if account.observer != before.player:
                    assert account.lines[-1].text not in {before.format_action(a) for a in before.legal()} - {truth[-1]}
        for account in accounts:
            for line, true in zip(account.lines, truth, strict=True):
                assert line.label is not None or line.player == account.observer or line.text == true


def test_a_piece_that_was_not_seen_has_no_name_until_it_is_met():
    """The Flying Nazgul was once called the Black Rider, since sixteen samples happened to say so."""
    position, rng = load("confrontation").start(1), seeded(5)
    light = Account(0)
    vague, named = 0, 0
    while not position.is_terminal:
        before = position.copy()
        news = light.add(before, step_randomly(position, rng))
        if before.player == 1 and before.named.phase == MOVE:
            vague += str(light.lines[-1].text).startswith("a Dark character: ")
        for line in news[:-1]:
            named += ": " in str(line.text)
            assert line.label is None and not str(line.text).startswith("a Dark")
    assert vague > 3 and named > 0


def test_what_was_hidden_is_named_when_it_is_shown():
    goofspiel = load("goofspiel(3)").start(1)
    second = Account(1)
    told = []
    for action in (17, 3, 2):
        told.append([(line.player, line.text) for line in second.add(goofspiel, action)])
        goofspiel.apply(action)
    assert told == [[(-1, "prize 1")], [(0, "a card, face down")], [(0, "3"), (1, "2")]]
    hearts, south = load("hearts_round").start(3), Account(2)
    chosen = []
    while hearts.player != ENVIRONMENT:
        action = hearts.legal()[0]
        chosen += [hearts.format_action(action)] if hearts.player == 1 else []  # who passes to the left of it
        assert hearts.player == 2 or [line.text for line in south.add(hearts, action)] == ["pass a card"]
        hearts.apply(action)
    *given, exchange = south.add(hearts, hearts.legal()[0])
    assert [line.text for line in given] == chosen and all(text.split()[1] in str(exchange.text) for text in chosen)


def test_what_is_printed_in_kuhn_poker_never_names_the_other_card():
    for seed in range(6):
        table, shown = seated("kuhn_poker", "human", "random", seed=seed), []
        converse(table, lambda prompt, words: words[1], shown)
        before = [values for event, values in shown if event != "over"]
        assert all("player 2: ?" in values["view"] for values in before if "view" in values)


# --- saving and loading ----------------------------------------------------------------------------------------------


def test_a_saved_game_holds_deals_and_dice(tmp_path: Path):
    table = seated("hearts", *["random"] * 4, seed=9)
    rng = seeded(1)
    while not any(actor == ENVIRONMENT and action != 104 for actor, action, _ in table.position.history):  # a second deal
        if table.position.player == ENVIRONMENT:
            table.act(table.draw())
        else:
            table.act(table.position.legal()[int(rng[0]) % len(table.position.legal())])
    table.save(tmp_path / "game.json")
    again = Table.load(tmp_path / "game.json")
    assert again.position.state.tobytes() == table.position.state.tobytes()
    assert again.position.history == table.position.history
    assert again.seats == table.seats


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("not json", "it is not JSON"),
        ("[]", "it must hold"),
        ({"format": 99}, "has the format 99"),
        ({"moves": [4, 4]}, "move 2, 4, is not legal"),
        ({"moves": ["a1"]}, "moves are numbers"),
        ({"moves": [0, 3, 1, 4, 2, 5]}, "the game is over before move 6"),
        ({"seats": ["human"]}, "has 1 seats"),
        ({"seats": ["human", "nobody@5"]}, "there is no algorithm 'nobody'"),
        ({"seed": -1}, "the seed -1"),
        ({"game": "chess"}, "there is no game 'chess'"),
    ],
)
def test_files_that_are_no_saved_games_are_refused_in_words(change: Any, complaint: str, tmp_path: Path):
    file = tmp_path / "game.json"
    seated("tic_tac_toe", "human", "random").save(file)
    record = json.loads(file.read_text())
    file.write_text(change if isinstance(change, str) else json.dumps(record | change))
    result = CliRunner().invoke(app, ["play", "--load", str(file)])
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert complaint in result.stderr


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path):
    table = seated("tic_tac_toe", "human", "random")
    with pytest.raises(SavedGameError, match="cannot be saved"):
        table.save(tmp_path / "no folder" / "game.json")
    assert list(tmp_path.iterdir()) == []


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name a game"),
        (["othello", "--load", "x.json"], "not both"),
        (["--load", "x.json", "--seed", "1"], "leave out --seed"),
        (["--load", "x.json"], "cannot read 'x.json'"),
        (["othelo"], "did you mean othello"),
        (["othello", "--seat", "3=human"], "there is no seat '3' in othello; seats are 1 (Black), 2 (White)"),
        (["othello", "--seat", "human"], "write SEAT=WHO"),
        (["othello", "--seat", "1=human", "--seat", "Black=random"], "somebody sits there already"),
        (["othello", "--seat", "2=mo[NOPE]@5"], "NOPE"),
        (["othello", "--time", "0"], "a time above zero"),
        (["othello", "--seed", "-3"], "a seed is a whole number"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments: list[str], complaint: str):
    result = CliRunner().invoke(app, ["play", *arguments])
    assert result.exit_code == 2, result.output
    assert result.stdout == "" and result.stderr.startswith("icarus: ") and result.stderr.count("\n") == 1
    assert complaint in result.stderr


def test_programs_get_one_object_per_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(
        app, ["play", "rock_paper_scissors", "--seat", "column player=random", "--json"], input="stone\nrock\n"
    )
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events] == ["start", "position", "problem", "moved", "over"]
    assert events[1]["moves"] == ["rock", "paper", "scissors"]
    assert sum(seat["reward"] for seat in events[-1]["seats"]) == 1


def test_without_seats_you_sit_first_and_with_one_machine_named_you_take_the_other(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for options, people in (([], [True, False, False]), (["--seat", "1=random"], [False, True, False])):
        result = CliRunner().invoke(app, ["play", "doudizhu", "--json", *options], input="")
        start = json.loads(result.stdout.splitlines()[0])
        assert [seat["player"] == "human" for seat in start["seats"]] == people
