"""Matrix games: payoffs, their scaling, and a first choice that the second player cannot see."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import Game
from icarus.games.matrix import HIDDEN, matching_pennies, matrix, rock_paper_scissors
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)


def table(game: Game) -> list[list[list[float]]]:
    """The rewards of every pair of choices."""
    start = game.start()
    rows = [start.copy().apply(row) for row in start.legal()]
    return [[after.copy().apply(column).rewards() for column in after.legal()] for after in rows]


@pytest.mark.parametrize(("game", "name"), [(rock_paper_scissors(), "matrix_rps"), (matching_pennies(), "matrix_mp")])
def test_classic_games_agree_with_openspiel(game: Game, name: str) -> None:
    oracle = pyspiel.load_matrix_game(name)
    for row, rewards in enumerate(table(game)):
        for column, pair in enumerate(rewards):
            assert pair == [(oracle.player_utility(i, row, column) + 1) / 2 for i in (0, 1)]


def test_each_players_payoffs_are_scaled_to_the_unit_interval() -> None:
    assert table(matrix("1,0; 0,4")) == [[[0.25, 0.75], [0, 1]], [[0, 1], [1, 0]]]
    assert table(matrix("3:2,0:4; 4:0,1:1")) == [[[0.75, 0.5], [0, 1]], [[1, 0], [0.25, 0.25]]]
    assert table(matrix("2:7,4:7")) == [[[0, 0.5], [1, 0.5]]]
    assert table(matrix("0,1,3"))[0][1] == pytest.approx([1 / 3, 2 / 3])


def test_text_and_tuples_mean_the_same() -> None:
    assert matrix("1,0;0,3").parameters == matrix(((1, 0), (0, 3))).parameters == matrix("1, 0 ; 0, 3;").parameters
    assert matrix("3:3,0:5;5:0,1:1").parameters == matrix((((3, 3), (0, 5)), ((5, 0), (1, 1)))).parameters


@pytest.mark.parametrize("payoffs", ["1,0;0,3", "0.1,-2.5,3", "3:3,0:5;5:0,1:1"])
def test_the_name_is_an_expression_of_the_game(payoffs: str) -> None:
    game = matrix(payoffs)
    assert eval(game.name, {"matrix": matrix}).parameters == game.parameters
    assert game.name == f'matrix("{payoffs}")'


@pytest.mark.parametrize("payoffs", ["", "1,2;3", "a,b", "1:2:3", ((1, 2), (3,)), (), 5, "nan,1", "inf,1"])
def test_what_is_not_a_table_is_refused(payoffs: object) -> None:
    with pytest.raises(GameError, match="write rows like"):
        matrix(payoffs)  # type: ignore[arg-type]


def test_the_second_player_cannot_see_the_first_choice() -> None:
    game = rock_paper_scissors()
    assert {game.start().observe(row, 1) for row in range(3)} == {HIDDEN}
    rock, paper = game.start().apply(0), game.start().apply(1)
    assert rock.view(1) == paper.view(1) and rock.view(0) != paper.view(0)
    assert rock.render(1) == paper.render(1) == "player 1: has chosen\nplayer 2: to choose"
    assert game.call("simultaneous", rock.state) and game.call("simultaneous", game.start().state)


def test_both_choices_are_open_in_the_end() -> None:
    ends = {rock_paper_scissors().start().apply(a).apply(b).view(1) for a in range(3) for b in range(3)}
    assert len(ends) == 9
    for observer in (0, 1):
        sees = {
            (rock_paper_scissors().start().apply(a).observe(b, observer), a if observer == 1 else None)
            for a in range(3)
            for b in range(3)
        }
        assert len({move for move, _ in sees}) == (9 if observer == 1 else 3)
    end = rock_paper_scissors().start().apply(0).apply(2)
    assert end.render(0) == end.render(1) == "player 1: rock\nplayer 2: scissors"


@pytest.mark.parametrize("observer", [0, 1])
def test_determinizations_are_uniform_over_the_first_choice(observer: int) -> None:
    sets = information_sets(matrix("1,0;0,3;2,2;1,1"), observer)
    assert max(map(len, sets.values())) == (4 if observer == 1 else 1)
    assert_views_name_information_sets(sets, observer)
    assert_determinized_uniformly(sets, observer, checked=5, draws=500)


def test_choices_have_names() -> None:
    assert rock_paper_scissors().start().parse_action("Paper") == 1
    start = matrix("1,2,3;4,5,6").start()
    assert [start.format_action(a) for a in start.legal()] == ["row 1", "row 2"]
    assert start.apply(0).parse_action("column 3") == 2
