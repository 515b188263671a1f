"""GDL-II: what roles see, and that nothing else is used."""

from __future__ import annotations

import random

import pytest

from icarus.game import ENVIRONMENT, Game, Position
from icarus.gdl import layout
from icarus.gdl.game import game_from_text, load_sheet
from icarus.gdl.reader import format_term, read_sheet
from icarus.gdl.reasoner import Reasoner
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.search import Search
from tests.gdl.differential import corpus, sheets
from tests.support import assert_uniform

#: sheets in which something is hidden: ours, and public ones
HIDING = sheets(["blind_tic_tac_toe", "cups"], ["gdl2_MontyHall", "gdl2_kriegtictactoe", "gdl2_latenttictactoe"])

#: the environment hides a coin in one of three cups; the finder may look into one of them, then has to point at one
CUPS = """
(role random) (role finder)
(init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (cup a) (cup b) (cup c)
(<= (legal random (hide ?x)) (true (step 1)) (cup ?x))
(<= (legal random wait) (not (true (step 1))))
(<= (legal finder wait) (true (step 1)))
(<= (legal finder (look ?x)) (true (step 2)) (cup ?x))
(<= (legal finder (point ?x)) (true (step 3)) (cup ?x))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= (next (coin ?x)) (does random (hide ?x)))
(<= (next (coin ?x)) (true (coin ?x)))
(<= (next found) (does finder (point ?x)) (true (coin ?x)))
(<= (sees finder coin) (does finder (look ?x)) (true (coin ?x)))
(<= terminal (true (step 4)))
(<= (goal finder 100) (true found))
(<= (goal finder 0) (not (true found)))
"""


def play_out(game: Game, seed: int) -> list[Position]:
    """The positions of a random game before its end."""
    choice, position, seen = random.Random(seed), game.start(seed), []
    while not position.is_terminal:
        seen.append(position.copy())
        position.apply(choice.choice(position.legal()))
    return seen


def after(game: Game, *moves: str) -> Position:
    position = game.start()
    for move in moves:
        position.apply(next(a for a in position.legal() if position.format_action(a) == move))
    return position


def coin(game: Game, position: Position) -> str:
    return next(f[1] for f in game.memory.fluents(position.state) if f[0] == "coin")


def test_the_environment_chooses_for_the_role_random():
    game = game_from_text(CUPS)
    assert game.players == 1 and game.stochastic and game.hidden_information
    assert game.start().player == ENVIRONMENT


def test_what_was_not_seen_is_drawn_uniformly():
    game = game_from_text(CUPS)
    rng = seeded(4)
    position = after(game, "(hide b)", "(look a)")
    assert game.memory.percepts(position.state, 0) == [[], []]
    assert_uniform([coin(game, position.determinize(0, rng)) for _ in range(400)], ["b", "c"])
    position = after(game, "(hide a)", "(look a)")
    assert {coin(game, position.determinize(0, rng)) for _ in range(50)} == {"a"}


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
def test_a_search_does_not_know_where_the_coin_is():
    game = game_from_text(CUPS)
    results = []
    for cup in ("b", "c"):
        result = Search(after(game, f"(hide {cup})", "(look a)"), seed=3).run(iterations=600)
        results.append([(row.action, row.visits, row.mean) for row in result.root])
    assert results[0] == results[1]
    best = Search(after(game, "(hide a)", "(look a)"), seed=3).run(iterations=300).best
    assert game.memory.terms[best.action] == "(point a)"


@pytest.mark.parametrize("name", [*HIDING, *sheets([], ["gdl2_guess6"])])
def test_determinizations_agree_with_everything_that_the_observer_knows(name: str):
    game, rng = load_sheet(corpus(name)), seeded(6)
    different = 0
    for seed in range(4):
        for position in play_out(game, seed):
            for observer in range(game.players):
                twin = position.determinize(observer, rng)
                assert twin.view(observer) == position.view(observer)
                if position.player == observer:
                    assert twin.player == observer and twin.legal() == position.legal()
                different += twin.state.tobytes() != position.state.tobytes()
    assert different > 0
    assert int(game.memory.header[layout.UNEXPLAINED]) == 0


@pytest.mark.parametrize("name", [*HIDING, *sheets([], ["gdl2_mastermind"])])
def test_roles_see_what_the_rules_say(name: str):
    game, reasoner = load_sheet(corpus(name)), Reasoner(read_sheet(corpus(name)))
    choice = random.Random(8)
    position, state, steps = game.start(), reasoner.initial(), 0
    while not position.is_terminal:
        moves: dict[str, str] = {}
        while not position.is_terminal and int(position.state[layout.STEPS]) == steps:
            moves |= game.chosen_moves(position.state)
            action = choice.choice(position.legal())
            if (role := game.asked(position.state)) is not None:
                moves[role] = position.format_action(action)
            position.apply(action)
        terms = {role: next(m for m in reasoner.legal(state, role) if format_term(m) == move) for role, move in moves.items()}
        for number, role in enumerate(game.network.roles[: game.players]):
            expected = {format_term(p) for p in reasoner.sees(state, terms, role)}
            assert {format_term(p) for p in game.memory.percepts(position.state, number)[-1]} == expected
        state = reasoner.next(state, terms)
        steps += 1
    assert steps > 2
