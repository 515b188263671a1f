"""Drawings: whole, clickable for whoever acts, and silent about everything that the observer may not know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import icarus.gdl
from icarus.drawing import FAMILIES, PALETTE, PUBLIC, draw, moves, player_colours
from icarus.errors import GameError
from icarus.game import ENVIRONMENT, UNSEEN, Position, step_randomly
from icarus.jit.randomness import seeded
from icarus.loading import GAMES
from icarus.loading import load as load_anew

load = cache(load_anew)
SHEETS = [
    Path(icarus.gdl.__file__).with_name("sheets") / f"{name}.kif" for name in ("tic_tac_toe", "breakthrough", "cups", "duel")
]
OTHERS = [
    "hex(4)",
    "mnk(7,6,4)",
    "breakthrough(5,4)",
    "kuhn_poker(4)",
    "liars_dice(3,8)",
    'confrontation("random")',
    "goofspiel(9)",
]
EVERY_GAME = [*GAMES, *OTHERS, *map(str, SHEETS)]
HIDDEN = [name for name in EVERY_GAME if load(name).hidden_information]
ON_THE_BOARD = [
    "amazons(4)",
    "go(4)",
    "nogo(3)",
    "atarigo(4)",
    "havannah(4)",
    "lines_of_action",
    "mancala",
    "clobber",
    "domineering(4,5)",
    "sum_of_switches",
    "leftright(5)",
    "left_move(4)",
    "morpion(5D)",
    "samegame('0110/2012')",
    "sudoku(2,1)",
    "sailing(3)",
    "rock_sample(3,3)",
    "hanoi(3)",
    "blocks(4,1)",
    "sat",
    "tsptw",
    "lipschitz(6)",
    "tic_tac_toe",
    "connect_four",
    "othello",
    "breakthrough",
    "hex(4)",
    "checkers",
    "backgammon",
    "phantom",
    "hearts",
]


def game_of(name: str, seed: int = 1) -> Iterator[Position]:
    """The positions of one random game, the last one included."""
    position, rng = load(name).start(seed), seeded(seed)
    yield position
    while not position.is_terminal:
        step_randomly(position, rng)
        yield position


def seats(position: Position) -> list[int | None]:
    return [None, *range(position.game.players)]


def elements(drawing: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing).iter())


def clicks(drawing: str, attribute: str) -> list[str]:
    return [element.attrib[attribute] for element in elements(drawing) if attribute in element.attrib]


@pytest.mark.parametrize("name", EVERY_GAME, ids=lambda name: Path(name).name)
def test_a_drawing_scales_and_has_words_for_those_who_do_not_see_it(name: str):
    position = load(name).start(3)
    for observer in seats(position):
        root = ElementTree.fromstring(draw(position, observer))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.attrib["role"] == "img" and root.attrib["aria-label"].startswith(position.game.name)
        assert len(root.attrib["viewBox"].split()) == 4 and not {"width", "height"} & set(root.attrib)
        assert root[0].tag.endswith("title") and root[1].tag.endswith("desc")
        assert root[1].text == (position.render(observer) or None)


@pytest.mark.parametrize("name", EVERY_GAME, ids=lambda name: Path(name).name)
def test_only_legal_actions_of_the_observer_can_be_clicked(name: str):
    for number, position in enumerate(game_of(name)):
        if number > 30 and not position.is_terminal:
            continue
        acting = position.player
        legal = {str(action) for action in position.legal()} if acting != ENVIRONMENT else set()
        for observer in seats(position):
            offered = clicks(draw(position, observer), "data-action")
            assert len(offered) == len(set(offered))
            assert set(offered) <= (legal if observer in (None, acting) else set())


@pytest.mark.parametrize("name", ["hearts", "doudizhu", "goofspiel(9)", "confrontation", "sum_of_switches(30)"])
def test_the_drawing_for_a_phone_offers_and_tells_the_same(name: str):
    for number, position in enumerate(game_of(name, seed=5)):
        if number > 40:
            break
        for observer in (PUBLIC, *seats(position)):
            wide, high = draw(position, observer), draw(position, observer, narrow=True)
            for attribute in ("data-action", "data-square"):
                assert sorted(clicks(wide, attribute)) == sorted(clicks(high, attribute))
            assert float(ElementTree.fromstring(high).attrib["viewBox"].split()[2]) <= 390
            if observer not in (None, PUBLIC):
                twin = twin_of(position, observer, seed=number)
                assert draw(twin, observer, narrow=True) == draw(position, observer, narrow=True)


@pytest.mark.parametrize("name", EVERY_GAME, ids=lambda name: Path(name).name)
def test_the_keys_of_every_move_are_on_the_drawing(name: str):
    for number, position in enumerate(game_of(name, seed=2)):
        if number > 30:
            break
        sequences = moves(position)
        if position.is_terminal or position.player == ENVIRONMENT:
            assert sequences == {}
            continue
        assert list(sequences) == position.legal()
        squares = set(clicks(draw(position, position.player), "data-square"))
        assert {key for keys in sequences.values() for key in keys} <= squares


@pytest.mark.parametrize("name", ON_THE_BOARD)
def test_every_move_of_a_game_on_a_board_can_be_made_with_the_mouse(name: str):
    for position in game_of(name, seed=4):
        if position.is_terminal or position.player == ENVIRONMENT:
            continue
        single = {int(action) for action in clicks(draw(position, position.player), "data-action")}
        assert all(keys or action in single for action, keys in moves(position).items())


def test_moves_from_square_to_square_begin_where_the_drawing_says():
    position = load("checkers").start()
    assert moves(position)[position.parse_action("c3-d4")] == ["c3", "d4"]
    starts = [e.attrib["data-square"] for e in elements(draw(position, 0)) if e.attrib.get("class") == "can"]
    assert sorted(starts) == ["a3", "c3", "e3", "g3"]


# --- nothing hidden is drawn -----------------------------------------------------------------------------------------


def twin_of(position: Position, observer: int, seed: int) -> Position:
    """Another position that the observer cannot tell apart: what is hidden is drawn anew, in the state and in the history."""
    twin = position.determinize(observer, seeded(seed, stream=7))
    known = [(player, seen) for player, _, seen in position.history if seen[observer] != UNSEEN]
    nothing = 2**31 - 1
    twin.history = [
        (player, nothing, tuple(move if seat == observer else nothing for seat, move in enumerate(seen)))
        for player, seen in known
    ]
    return twin


@pytest.mark.parametrize("name", HIDDEN, ids=lambda name: Path(name).name)
def test_positions_that_look_alike_to_an_observer_have_the_same_drawing(name: str):
    differed = plies = seed = 0
    while plies < 20:  # several games where they are short
        seed += 1
        for position in game_of(name, seed):
            plies += 1
            for observer in range(position.game.players):
                twin = twin_of(position, observer, seed=plies)
                differed += twin.state.tobytes() != position.state.tobytes()
                assert draw(position, observer) == draw(twin, observer), f"ply {len(position.history)}, observer {observer}"
    assert differed, "no two positions differed: this test would see no leak"


@pytest.mark.parametrize("name", HIDDEN, ids=lambda name: Path(name).name)
def test_a_stranger_sees_no_more_than_any_player_does(name: str):
    """Whatever one of the players cannot tell apart looks the same to somebody who only watches."""
    for number, position in enumerate(game_of(name, seed=3)):
        if number > 25 or position.is_terminal:
            break
        for observer in range(position.game.players):
            twin = position.determinize(observer, seeded(number, stream=7))
            assert draw(position, PUBLIC) == draw(twin, PUBLIC), f"ply {number}, what player {observer} does not know"


def test_a_stranger_sees_the_table_where_something_is_hidden():
    hearts = draw(load('hearts_round("hold")').start(2), PUBLIC)
    assert hearts.count('fill="var(--back)"') == 52 and 'fill="var(--card)"' not in hearts
    assert draw(load("othello").start(), PUBLIC) == draw(load("othello").start())
    assert draw(load("figure3").start(), PUBLIC) == "", "nobody has said what of it everybody may see"


def test_the_table_can_be_looked_at_from_any_side_without_anybody_elses_knowledge():
    position = load("breakthrough").start()
    for seat, columns in ((0, "abcdefgh"), (1, "hgfedcba")):
        assert [text for text in texts(draw(position, None, seat=seat)) if text in columns] == list(columns)
    assert "your move" in draw(position, 0) and "your move" not in draw(position, None, seat=0)


def test_players_have_the_colours_that_their_names_say():
    assert player_colours(load("othello")) == ["dark", "light"]
    assert player_colours(load("gdl:checkers")) == ["ruby", "dark"]
    assert player_colours(load("hearts")) == ["one", "two", "three", "four"]
    drawing = draw(load("gdl:checkers").start())
    assert [drawing.count(f'fill="var(--{colour})"') for colour in ("ruby", "dark", "one", "two")] == [12, 12, 0, 0]
    assert all(colour in PALETTE for name in EVERY_GAME for colour in player_colours(load(name)))


def test_columns_of_a_rule_sheet_are_clicked_anywhere():
    position = load("gdl:connect_four").start()
    assert sorted(moves(position).values()) == [[column] for column in "1234567"]
    assert {"1", "1 1"} <= set(clicks(draw(position, 0), "data-square"))
    assert clicks(draw(position, 0), "data-column").count("3") == 6


def test_a_drawing_for_someone_who_sees_everything_does_show_what_is_hidden():
    position = load("hearts").start(1)
    assert draw(position) != draw(position.determinize(0, seeded(1)))


# --- particular drawings ---------------------------------------------------------------------------------------------


def texts(drawing: str) -> list[str]:
    return [element.text or "" for element in elements(drawing) if element.tag.endswith("text")]


def test_a_player_of_hearts_sees_thirteen_faces_and_thirty_nine_backs():
    drawing = draw(load('hearts_round("hold")').start(2), 1)
    assert drawing.count('fill="var(--card)"') == 13
    assert drawing.count('fill="var(--back)"') == 39


def test_a_failed_try_in_phantom_shows_the_mark_that_was_found():
    position = load("phantom(3,3,3)").start()
    a1 = position.parse_action("a1")
    position.apply(a1)
    crosses = 'stroke="var(--one)"'
    assert crosses not in draw(position, 1)
    position.apply(a1)
    assert crosses in draw(position, 1)


def test_the_line_that_wins_is_marked():
    position = load("tic_tac_toe").start()
    for label in ("a1", "b1", "a2", "b2", "a3"):
        position.apply(position.parse_action(label))
    assert draw(position).count('fill="var(--accent)" opacity="0.3"') == 3
    assert "X has won" in texts(draw(position))


def test_backgammon_is_drawn_as_its_observer_numbers_the_points():
    position = load("backgammon").start(1)
    position.apply(position.parse_action("3-1"))
    mine, theirs = draw(position, 0), draw(position, 1)
    assert mine != theirs
    assert {key for keys in moves(position).values() for key in keys} <= set(clicks(theirs, "data-square"))


def test_a_rule_sheet_with_squares_is_drawn_as_a_board():
    position = load(str(SHEETS[1])).start()
    assert moves(position)[position.parse_action("(move 1 2 2 3)")] == ["1 2", "2 3"]
    assert len(clicks(draw(position, 0), "data-square")) == 64
    assert draw(position).count('fill="var(--light)"') == draw(position).count('fill="var(--dark)"') == 16


def test_notebooks_show_the_drawing_of_everything():
    game = load("kuhn_poker")
    assert draw(game.start()) in game.start()._repr_html_()
    assert draw(game.start()) in game._repr_html_()


def test_an_observer_that_does_not_exist_is_refused():
    with pytest.raises(GameError, match="there is no player 2"):
        draw(load("tic_tac_toe").start(), 2)


def test_every_family_is_reached_by_a_game():
    reached = {getattr(load(name).render, "__module__", "") for name in EVERY_GAME}
    assert set(FAMILIES) <= reached
