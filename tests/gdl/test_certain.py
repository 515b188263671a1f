"""GDL-II: what roles can always work out is a function of what they know, and what all can is shown to those who watch."""

from __future__ import annotations

from pathlib import Path

import pytest

from icarus.drawing import PUBLIC, draw, moves
from icarus.game import step_randomly
from icarus.gdl.certain import certain_fluents
from icarus.gdl.reader import format_term
from icarus.jit.randomness import seeded
from icarus.loading import load

OPEN_BOARD = str(Path(__file__).with_name("open_board.kif"))


def certain(name: str, *roles: int) -> set[str]:
    game = load(name)
    return {format_term(game.network.fluents[i]) for i in certain_fluents(game.network, roles)}


def test_what_a_role_makes_and_sees_is_certain_and_secrets_are_not():
    everybody = certain(OPEN_BOARD, 0, 1)
    assert {"(cell 1 1 b)", "(cell 3 2 x)", "(control oplayer)", "dealing"} <= everybody
    assert not any("holds" in fact for fact in everybody)
    assert {"(holds xplayer 2)"} == {fact for fact in certain(OPEN_BOARD, 0) if fact.endswith("2)") and "holds" in fact}


def test_marks_that_nobody_shows_are_certain_to_nobody_else():
    assert not any("cell" in fact for fact in certain("gdl:blind_tic_tac_toe", 0, 1))
    assert "(tried xplayer 1 1)" in certain("gdl:blind_tic_tac_toe", 0) - certain("gdl:blind_tic_tac_toe", 1)


@pytest.mark.parametrize("name", [OPEN_BOARD, "gdl:blind_tic_tac_toe", "gdl:cups"], ids=lambda name: Path(name).stem)
def test_certain_facts_hold_in_every_state_that_the_role_cannot_tell_apart(name):
    game, compared = load(name), 0
    for seed in range(4):
        position, rng = game.start(seed), seeded(seed)
        while not position.is_terminal:
            for role in range(game.players):
                for roles in ([role], range(game.players)):
                    facts = {game.network.fluents[i] for i in certain_fluents(game.network, roles)}
                    twin = position.determinize(role, rng)
                    assert facts & set(game.fluents(position.state)) == facts & set(game.fluents(twin.state))
                    compared += len(facts)
            step_randomly(position, rng)
    assert compared > 20


def test_who_watches_sees_the_board_that_is_open_to_all_and_no_card():
    position, rng = load(OPEN_BOARD).start(1), seeded(1)
    while len(position.history) < 4:
        step_randomly(position, rng)
    watched = draw(position, PUBLIC)
    assert watched.count("<circle") == 3 and "holds" not in watched and 'data-action="' not in watched
    assert "(holds xplayer" in draw(position, 0) and "(holds oplayer" not in draw(position, 0)
    assert moves(position) == {action: [square] for action, [square] in moves(position).items()}, "and its player clicks squares"
    assert draw(load("gdl:blind_tic_tac_toe").start(1), PUBLIC) == "", "nothing is said where no square is open to all"
    assert draw(load("gdl:blind_tic_tac_toe").start(1), 0).count(">?<") == 9


def test_who_watches_an_open_game_of_simultaneous_moves_sees_its_board():
    assert draw(load("gdl:chinook").start(1), PUBLIC).startswith("<svg")
