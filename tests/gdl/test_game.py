"""A rule sheet as an ordinary game: beside the built-in games, under search, with simultaneous choices."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from icarus.errors import GameError, SearchError
from icarus.game import UNSEEN, Game, Position
from icarus.games.breakthrough import breakthrough
from icarus.games.connect_four import connect_four
from icarus.games.mnk import tic_tac_toe
from icarus.games.othello import PASS, othello
from icarus.gdl import layout
from icarus.gdl.game import game_from_text, load_sheet
from icarus.gdl.interpreted import interpreted_game
from icarus.gdl.machine import machine_game, machine_plan
from icarus.gdl.reader import read_rules, read_term
from icarus.jit import JIT
from icarus.search import Search
from tests.gdl.differential import corpus, sheets

PENNIES = """
(role even) (role odd)
(init (round 1)) (init (lead 0)) (next-round 1 2) (next-round 2 3)
(side head) (side tail)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (round ?n)) (true (round ?m)) (next-round ?m ?n))
(<= same (does even (show ?s)) (does odd (show ?s)))
(<= (next (lead 1)) (true (lead 0)) same)
(<= (next (lead 0)) (true (lead 0)) (not same))
(<= (next (lead 1)) (true (lead 1)))
(<= terminal (true (round 3)))
(<= (goal even 100) (true (lead 1)))
(<= (goal even 0) (true (lead 0)))
(<= (goal odd 0) (true (lead 1)))
(<= (goal odd 100) (true (lead 0)))
"""

FORCED = """
(role a) (role b) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal a go) (role a)) (<= (legal b stay) (role b)) (<= (legal b jump) (true (at 2)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (not (does b jump)))
(<= (next (at 4)) (does b jump))
(<= terminal (true (at 4)))
(<= (goal a 100) (true (at 4))) (<= (goal a 0) (not (true (at 4)))) (<= (goal b 40) (role b))
"""


def by_joins(text: str) -> Game:
    return machine_game(machine_plan(read_rules(text)), "joins")


def by_reasoner(text: str) -> Game:
    return interpreted_game(read_rules(text), "reasoner")


def mark(term: tuple[str, ...]) -> int:
    return 3 * (int(term[1]) - 1) + int(term[2]) - 1


def square(term: tuple[str, ...]) -> int:
    return PASS if term == "noop" else 8 * (8 - int(term[2])) + int(term[1]) - 1


def drop(term: tuple[str, ...]) -> int:
    return int(term[1]) - 1


def step(term: tuple[str, ...]) -> int:
    x1, y1, x2, y2 = (int(t) - 1 for t in term[1:])
    return 64 * (8 * y1 + x1) + 8 * y2 + x2


@pytest.mark.parametrize(
    "sheet, built_in, read",
    [
        *((name, tic_tac_toe, mark) for name in sheets(["tic_tac_toe"], ["ticTacToe"])),
        *((name, connect_four, drop) for name in sheets(["connect_four"], ["conn4"])),
        *((name, breakthrough, step) for name in sheets(["breakthrough"], ["breakthrough"])),
        *((name, othello, square) for name in sheets(["othello"], ["othello-comp2007"])),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_built_in_games_are_their_sheets(sheet: str, built_in: Callable[[], Game], read: Callable[[tuple[str, ...]], int]):
    ours, theirs = built_in(), load_sheet(corpus(sheet))
    choice = random.Random(3)
    for _ in range(12):
        a, b = ours.start(), theirs.start()
        while not a.is_terminal:
            assert not b.is_terminal
            moves = {b.format_action(action): action for action in b.legal()}
            if len(moves) == 1:  # nobody has a choice: the move that counts may be that of the role that is not asked
                (forced,) = moves.values()
                moves |= dict.fromkeys(theirs.chosen_moves(b.state).values(), forced)
                if len(moves) > 1:
                    moves.pop("noop")
            moves = {read(read_term(move)): action for move, action in moves.items()}
            assert sorted(moves) == sorted(a.legal())
            action = choice.choice(a.legal())
            a.apply(action)
            b.apply(moves[action])
        assert b.is_terminal
        assert a.rewards() == b.rewards()


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
@pytest.mark.parametrize("lanes", [1, 64, 256])
def test_a_search_finds_the_winning_move(lanes: int):
    game = load_sheet(corpus("gdl:tic_tac_toe"))
    position = game.start()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        position.apply(position.parse_action(move))
    result = Search(position, lanes=lanes, seed=1).run(iterations=4000)
    assert result.iterations == 4000
    assert game.memory.terms[result.best.action] == "(mark 1 3)"
    assert result.best.mean[0] > 0.95


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
def test_lanes_and_single_playouts_value_the_root_alike():
    game = load_sheet(corpus("gdl:knightthrough"))
    means = []
    for lanes in (1, 256):
        result = Search(game, lanes=lanes, seed=2).run(iterations=6000)
        means.append(sum(row.mean[0] * row.visits for row in result.root) / 6000)
    # two means of 6000 rewards in [0, 1]: six standard errors, and the virtual loss of 256 lanes
    assert abs(means[0] - means[1]) < 6 * (0.5 / 6000) ** 0.5 + 256 / 6000


def test_more_lanes_than_bits_are_refused():
    with pytest.raises(SearchError, match="at most 256 lanes"):
        Search(game_from_text(PENNIES), lanes=257)


def test_roles_that_choose_at_the_same_time_do_not_see_each_other():
    game = game_from_text(PENNIES)
    position = game.start()
    assert game.simultaneous is not None and game.call("simultaneous", position.state)
    head, tail = position.parse_action("(show head)"), position.parse_action("(show tail)")
    assert position.observe(head, 1) == position.observe(tail, 1) == UNSEEN
    assert position.observe(head, 0) != position.observe(tail, 0)
    first, second = position.copy().apply(head), position.copy().apply(tail)
    assert first.player == second.player == 1
    assert first.view(1) == second.view(1)
    assert first.view(0) != second.view(0)
    # the second choice shows everybody the whole joint move
    seen = {(start, other): p.observe(other, 0) for start, p in ((head, first), (tail, second)) for other in (head, tail)}
    assert len(set(seen.values())) == 4


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
@pytest.mark.parametrize("lanes", [1, 256])
def test_a_search_does_not_know_what_the_other_has_just_chosen(lanes: int):
    game = game_from_text(PENNIES)
    results = []
    for choice in ("(show head)", "(show tail)"):
        position = game.start()
        position.apply(position.parse_action(choice))
        result = Search(position, lanes=lanes, seed=5).run(iterations=2000)
        results.append([(row.action, row.visits, row.mean) for row in result.root])
    assert results[0] == results[1]


def test_a_role_with_one_move_is_not_asked():
    game = game_from_text(FORCED)
    position = game.start()
    asked = []
    while not position.is_terminal:
        asked.append((position.player, len(position.legal())))
        position.apply(position.legal()[-1])
    # nobody has a choice at 1 and 3 (the first role is asked for form's sake); only b has one at 2
    assert asked == [(0, 1), (1, 2), (0, 1)]
    assert position.rewards() == [1.0, 0.4]


def test_moves_keep_their_number_wherever_they_appear():
    game = game_from_text(FORCED)
    assert game.memory.terms == sorted(game.memory.terms)
    position = game.start()
    assert position.format_action(position.legal()[0]) == "go"
    with pytest.raises(GameError, match="write a move as in the sheet"):
        position.parse_action("(fly away)")


def test_what_a_state_says_is_what_the_sheet_says():
    game = load_sheet(corpus("gdl:tic_tac_toe"))
    position: Position = game.start()
    assert position.render().splitlines()[-1] == "(control xplayer)"
    assert len(game.memory.fluents(position.state)) == 10
    assert int(position.state[layout.STEPS]) == 0
    assert np.count_nonzero(game.network.initial) == 10


@pytest.mark.parametrize("text", [PENNIES, FORCED], ids=["pennies", "forced"])
@pytest.mark.parametrize("way", [by_joins, by_reasoner])
def test_a_sheet_is_the_same_game_without_a_network(text: str, way: Callable[[str], Game]):
    fast, slow = game_from_text(text), way(text)
    choice = random.Random(2)
    for _ in range(10):
        a, b = fast.start(), slow.start()
        while not a.is_terminal:
            assert not b.is_terminal
            assert a.player == b.player
            labels = sorted(a.format_action(action) for action in a.legal())
            assert labels == sorted(b.format_action(action) for action in b.legal())
            move = choice.choice(labels)
            a.apply(a.parse_action(move))
            b.apply(b.parse_action(move))
        assert b.is_terminal
        assert a.rewards() == b.rewards()
