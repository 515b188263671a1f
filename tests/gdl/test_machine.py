"""Sheets that are played by joins: the same games as by the rules taken literally, and those that are too large for a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from icarus.game import Position
from icarus.gdl.flatten import flatten
from icarus.gdl.game import SheetGame, game_from_text, known_game, load_sheet, random_playouts
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.machine import MachineGame, machine_game, machine_plan, random_games
from icarus.gdl.reader import format_term, read_rules, read_sheet, read_term
from icarus.gdl.relations import build_program
from icarus.gdl.sheets import find_sheet, large_sheet_names, sheet_names
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.search import Search
from icarus.testing import check_game
from tests.gdl.differential import compare_with_reasoner, needs_corpus, public_sheets
from tests.gdl.hard_sheets import GROWING
from tests.gdl.test_hidden import CUPS, play_out
from tests.gdl.test_network import REACH, TOO_SLOW
from tests.gdl.test_small_sheets import DICE, FOLLOW, HOLE, roles

#: terms inside terms, variables for whole terms, and a comparison of such terms
NESTED = """
(role a) (init (at (point 1 1))) (init (token (pair (point 1 2) red))) (init (token (pair (point 2 2) blue)))
(succ 1 2) (succ 2 3)
(<= (legal a (go ?p)) (reachable ?p)) (<= (legal a stay) (role a))
(<= (reachable (point ?x ?v)) (true (at (point ?x ?y))) (succ ?y ?v))
(<= (reachable (point ?u ?y)) (true (at (point ?x ?y))) (succ ?x ?u))
(<= (next (at ?p)) (does a (go ?p))) (<= (next (at ?p)) (true (at ?p)) (does a stay))
(<= (next ?f) (true ?f) (kept ?f)) (<= (kept (token ?t)) (true (token ?t)) (not (taken ?t)))
(<= (taken (pair ?p ?c)) (true (token (pair ?p ?c))) (does a (go ?q)) (not (distinct ?p ?q)))
(<= elsewhere (true (at ?p)) (true (token (pair ?q ?c))) (distinct ?p ?q))
(<= terminal (not elsewhere)) (<= terminal (true (at (point 3 3))))
(<= (goal a 100) (not elsewhere)) (<= (goal a 30) elsewhere)
"""


def by_joins(text: str, name: str = "sheet") -> MachineGame:
    return machine_game(machine_plan(read_rules(text)), name)


def of_file(path: Path) -> MachineGame:
    return machine_game(machine_plan(read_sheet(path)), path.stem)


@pytest.mark.parametrize("name", [*sheet_names(), *large_sheet_names()])
def test_joins_are_the_rules_on_shipped_sheets(name: str):
    path = find_sheet(f"gdl:{name}")
    assert compare_with_reasoner(of_file(path), path, games=4, seconds=0.5, at_least=6) >= 4


@needs_corpus
@pytest.mark.parametrize("name", [name for name in public_sheets() if name not in TOO_SLOW])
def test_joins_are_the_rules_on_public_sheets(name: str):
    path = public_sheets()[name]
    assert compare_with_reasoner(of_file(path), path, games=2, seconds=0.2) > 0


@pytest.mark.parametrize(
    "text",
    [HOLE, FOLLOW, REACH, NESTED, *(DICE.format(roles=roles(order)) for order in ("random p1 p2", "p1 random p2"))],
    ids=["hole", "follow", "reach", "nested", "dice", "dice-in-the-middle"],
)
def test_joins_are_the_rules_on_small_sheets(text: str, tmp_path: Path):
    sheet = tmp_path / "sheet.kif"
    sheet.write_text(text)
    assert compare_with_reasoner(by_joins(text), sheet, games=12, seconds=20) >= 12


def test_terms_are_taken_apart_and_put_together_again():
    program = build_program(read_rules(NESTED))
    for text in ("(at (point 2 1))", "(token (pair (point 2 2) blue))"):
        number = program.number(program.fluents, read_term(text))
        assert number is not None and format_term(program.term(program.fluents, number)) == text
    assert program.number(program.fluents, read_term("(at (point 9 9))")) is None
    assert {name.split()[0] for name in flatten(read_rules(NESTED)).named("true")} == {"true"}


def test_a_table_with_too_many_possible_rows_is_searched_by_its_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("icarus.gdl.relations.MOST_CODES", 4)
    monkeypatch.setattr("icarus.gdl.relations.MOST_KEYS", 6)
    for number, text in enumerate((REACH, NESTED, FOLLOW)):
        sheet = tmp_path / f"{number}.kif"
        sheet.write_text(text)
        assert compare_with_reasoner(by_joins(text), sheet, games=8, seconds=20) >= 8


@pytest.mark.parametrize("text", [CUPS, FOLLOW, DICE.format(roles=roles("p1 random p2"))], ids=["cups", "follow", "dice"])
def test_a_game_by_joins_keeps_the_contract(text: str):
    report = check_game(by_joins(text), games=6, searches=JIT)
    assert report.passed, report.failures


def test_determinizations_agree_with_everything_that_the_observer_knows():
    game, rng, different = of_file(find_sheet("gdl:blind_tic_tac_toe")), seeded(6), 0
    for seed in range(2):
        for position in play_out(game, seed):
            for observer in range(game.players):
                twin = position.determinize(observer, rng)
                assert twin.view(observer) == position.view(observer)
                if position.player == observer:
                    assert twin.player == observer and sorted(twin.legal()) == sorted(position.legal())
                different += twin.state.tobytes() != position.state.tobytes()
    assert different > 0 and game.unexplained == 0


# --- which way ---------------------------------------------------------------------------------------------------------


def test_a_sheet_beyond_the_limits_is_played_by_joins_until_there_is_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ICARUS_CACHE", str(tmp_path))
    first = game_from_text(FOLLOW, limits=Limits(rules=0))
    assert isinstance(first, MachineGame) and known_game(FOLLOW) is None
    monkeypatch.setattr("icarus.gdl.game.describe", lambda *_: pytest.fail("tried again within the same limits"))
    assert isinstance(game_from_text(FOLLOW, limits=Limits(rules=0)), MachineGame)
    monkeypatch.undo()
    monkeypatch.setenv("ICARUS_CACHE", str(tmp_path))
    assert isinstance(game_from_text(FOLLOW), SheetGame)
    assert isinstance(known_game(FOLLOW), SheetGame)


def test_terms_that_grow_are_left_to_the_reasoner():
    with pytest.raises(TooLarge, match="too many shapes"):
        build_program(read_rules(GROWING))
    with pytest.warns(UserWarning, match="too many shapes; it is played by the slower reasoner"):
        game = game_from_text(GROWING, "growing.kif", Limits(rules=100))
    assert check_game(game, games=2, searches=False).passed


# --- large sheets ------------------------------------------------------------------------------------------------------


def moves_after(position: Position, depth: int) -> int:
    """How many sequences of moves there are."""
    if depth == 1:
        return len(position.legal())
    return sum(moves_after(position.copy().apply(action), depth - 1) for action in position.legal())


def test_chess_has_as_many_openings_as_chess():
    start = of_file(find_sheet("gdl:chess")).start()
    assert [moves_after(start, depth) for depth in (1, 2)] == [20, 400]
    # scholar's mate: nobody can take the queen or go anywhere
    for move in ("5 2 5 4", "5 7 5 5", "6 1 3 4", "2 8 3 6", "4 1 8 5", "7 8 6 6", "8 5 6 7"):
        start.apply(start.parse_action(f"(move {move})"))
    assert start.is_terminal and start.rewards() == [1.0, 0.0]


@pytest.mark.thorough
@pytest.mark.skipif(not JIT, reason="a search of hundreds of playouts needs machine code")
def test_a_search_finds_mate_in_one():
    game = of_file(find_sheet("gdl:chess"))
    position = game.start()
    for move in ("5 2 5 4", "5 7 5 5", "6 1 3 4", "2 8 3 6", "4 1 8 5", "7 8 6 6"):
        position.apply(position.parse_action(f"(move {move})"))
    result = Search(position, seed=1).run(iterations=400)
    assert result.best.label == "(move 8 5 6 7)"


def test_amazons_has_all_its_actions():
    game = load("gdl:amazons")
    assert isinstance(game, MachineGame)  # at once: nobody tries to build a network
    position = game.start()
    assert len(position.legal()) == len(set(position.legal())) == 2176
    assert game.max_actions >= 4 * 2176
    # the arrow may fly back over the square that the queen has left
    position.apply(position.parse_action("(move 4 1 4 9 4 1)"))
    assert "(arrow 4 1)" in position.render().splitlines() and position.player == 1


@pytest.mark.skipif(not JIT, reason="whole games of amazons need machine code")
@pytest.mark.parametrize("strategy", ["ggp-uct", "ggp-grave-mast"])
def test_large_sheets_are_searched_with_every_preset(strategy: str):
    game = of_file(find_sheet("gdl:amazons"))
    search = Search(game, strategy=strategy, seed=1)
    position = game.start()
    position = position.copy().apply(search.run(iterations=100).best.action)
    search.advance(position)
    assert search.run(iterations=100).best.action in position.legal()


@pytest.mark.skipif(not JIT, reason="thousands of random games need machine code")
def test_random_games_by_joins_end_as_those_of_the_network_do():
    path = find_sheet("gdl:connect_four")
    network, joins = load_sheet(path), of_file(path)
    assert isinstance(network, SheetGame)
    means = []
    for games, totals in (random_playouts(network, 400, seed=1), random_games(joins, 60_000, seed=1)[:2]):
        assert games > 1000
        means.append((totals[0] / games / 100, games))
    (one, few), (two, many) = means
    # two means of rewards in [0, 1]: six standard errors, and games that a fixed number of steps ends rather when they are short
    assert abs(one - two) < 6 * (0.25 / few + 0.25 / many) ** 0.5 + 0.02
