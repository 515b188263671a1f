"""Games that draw themselves: squares, cards and pictures of one's own, clickable for whoever acts."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from icarus.drawing import Cards, Grid, Piece, draw, moves
from icarus.errors import GameError
from icarus.game import Game, Position, State
from icarus.games.breakthrough import breakthrough, square_name
from icarus.loading import load
from icarus.python_game import python_game

EXAMPLE = Path(__file__).parents[1] / "examples" / "tic_tac_toe_class.py"


class Table:
    """Actions of three kinds: cards of a hand, a word, and two cards at once."""

    players = 2
    player_names = ("North", "South")
    drawing: Any = None

    def __init__(self) -> None:
        self.hand: list[str] = ["QH", "10S", "7", "7"]
        self.over = False

    def player(self) -> int:
        return 0

    def legal(self) -> list[Any]:
        return ["QH", ("7", "7"), "pass"]

    def apply(self, action: Any) -> None:
        self.over = True

    def terminal(self) -> bool:
        return self.over

    def rewards(self) -> list[float]:
        return [1.0, 0.0]

    def format_action(self, action: Any) -> str:
        return action if isinstance(action, str) else " and ".join(action)

    def draw(self, observer: int | None) -> Any:
        return type(self).drawing


def table(drawing: Any) -> Position:
    return python_game(type("Table", (Table,), {"drawing": drawing})).start()


def elements(drawing: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing).iter())


def clickable(drawing: str, attribute: str = "data-action") -> dict[str, str]:
    """What can be clicked, and what it is called."""
    return {e.attrib[attribute]: e.attrib["aria-label"] for e in elements(drawing) if attribute in e.attrib}


def test_the_squares_of_a_class_are_clicked_for_its_actions():
    position = load(str(EXAMPLE)).start().apply(4)
    assert moves(position)[0] == ["a3"] and moves(position)[8] == ["c1"] and 4 not in moves(position)
    assert sorted(clickable(draw(position, 1))) == sorted(map(str, position.legal()))
    assert clickable(draw(position, 0)) == {}, "it is not X's turn"
    texts = [e.text for e in elements(draw(position)) if e.tag.endswith("text")]
    assert texts.count("X") == 1 and "O to move" in texts


def pawns(state: State, observer: int | None) -> Grid:
    def place(square: int) -> tuple[int, int]:
        column, row = square_name(square)
        return 4 - int(row), ord(column) - ord("a")

    return Grid(
        [[Piece("♟", player=row // 2) if row in (0, 3) else "" for _ in range(3)] for row in range(4)],
        clicks=lambda action: [place(action // 64), place(action % 64)],
        chequered=True,
        last=[(0, 0)],
    )


GAME: Game = dataclasses.replace(breakthrough(4, 3), draw=pawns)


def test_a_compiled_game_draws_moves_from_square_to_square():
    position = GAME.start()
    found = moves(position)
    assert found == {
        action: [position.format_action(action)[:2], position.format_action(action)[2:]] for action in position.legal()
    }
    drawing = draw(position, 0)
    assert clickable(drawing) == {}, "one click is not a move"
    begins = {e.attrib["data-square"] for e in elements(drawing) if e.attrib.get("class") == "can"}
    assert begins == {path[0] for path in found.values()}
    assert sum(e.attrib.get("class") == "last" for e in elements(drawing)) == 1


def test_cards_are_clicked_one_or_several_and_words_are_buttons():
    hand = {"your hand": ["QH", "10S", "7", "7"], "the others": [None, None]}
    position = table(Cards(hand, clicks={"QH": (0, 0), ("7", "7"): [(0, 2), (0, 3)]}))
    found = {position.format_action(action): keys for action, keys in moves(position).items()}
    assert found == {"QH": ["your hand: QH"], "7 and 7": ["your hand: 7 (1)", "your hand: 7 (2)"], "pass": []}
    drawing = draw(position, 0)
    assert sorted(clickable(drawing).values()) == ["QH", "pass"]
    assert {key for keys in found.values() for key in keys} <= set(clickable(drawing, "data-square"))
    texts = [e.text for e in elements(drawing) if e.tag.endswith("text")]
    assert {"Q", "♥", "10", "♠", "7", "pass", "your move (North)"} <= set(texts)
    assert clickable(draw(position, 1)) == {}


def test_a_picture_of_ones_own_is_clicked_by_what_people_call_its_actions():
    picture = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 120 60"><g data-action="pass"><circle r="9"/></g>
    <rect data-action="7 and 7" width="5" height="5"/><rect data-action="fly" width="5" height="5"/>
    <script>alert(1)</script></svg>"""
    position = table(picture)
    drawing = draw(position, 0)
    assert sorted(clickable(drawing).values()) == ["7 and 7", "pass"]
    assert set(clickable(drawing)) <= set(map(str, position.legal()))
    assert not any(e.tag.endswith("script") for e in elements(drawing))
    root = ElementTree.fromstring(drawing)
    assert root.attrib["viewBox"].startswith("0 0 ") and root.attrib["aria-label"].endswith("your move (North)")
    assert clickable(draw(position, 1)) == {}


def test_without_a_drawing_the_text_is_shown():
    assert "hand" in draw(table(None), 0) and moves(table(None)) == {action: [] for action in table(None).legal()}


@pytest.mark.parametrize(
    "drawing, told",
    [
        (7, r"draw\(\) gives a int; it should give a Grid, Cards, an SVG or None"),
        ("<svg", r"draw\(\) gives an SVG that cannot be read"),
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", r"draw\(\) gives an SVG without a viewBox"),
        (Grid([["", ""]], clicks={"pass": (1, 0)}), r"draw\(\) .* 'pass' clicked at \(1, 0\), where nothing is drawn"),
        (Cards({"hand": ["7"]}, clicks={"pass": [(0, 0), (0, 1)]}), r"draw\(\) .* 'pass' clicked at .* where nothing is drawn"),
        (Grid([[""]], clicks=lambda action: action.nowhere), r"clicks of draw\(\), for 'QH': AttributeError"),
    ],
)
def test_a_drawing_that_is_wrong_is_one_line(drawing: Any, told: str):
    with pytest.raises(GameError, match=told) as problem:
        draw(table(drawing), 0)
    assert "\n" not in str(problem.value)


def test_what_draw_raises_is_one_line_with_its_place():
    class Broken(Table):
        def draw(self, observer: int | None) -> Any:
            return self.nothing  # type: ignore[attr-defined]

    with pytest.raises(GameError, match=r"Broken\.draw\(\) raised AttributeError: .*\(test_own_drawing\.py, line \d+\) at ply 0"):
        draw(python_game(Broken).start())


@pytest.mark.parametrize("name", ["left_move", "lipschitz", "hanoi", "blocks", "sat", "sudoku"])
def test_buttons_of_puzzles_are_those_of_the_page(name: str) -> None:
    """A face that the style sheet does not know would be black, with black words on it."""
    drawn = draw(load(name).start(1))
    assert drawn.count('class="button"') == drawn.count('class="face"') > 0
