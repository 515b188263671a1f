"""Games of one player with a score: the best playout is kept, rewards follow from what was seen, bad scores are one line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import icarus
from icarus.bridges.engine import summary
from icarus.errors import GameError
from icarus.game import Game, compiled
from icarus.games.leftright import leftright
from icarus.play.machine import in_words
from icarus.python_game import python_game
from icarus.web.messages import thought_of


@compiled
def hundreds(state: Any) -> Any:
    return 100.0 * state.lefts - 3000.0


def walk(steps: int = 12) -> Game:
    return replace(leftright(steps), score=hundreds)


class Steps:
    """Eight steps; those to the left count seven each."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def legal(self) -> list[str]:
        return ["left", "right"]

    def apply(self, step: str) -> None:
        self.made.append(step)

    def terminal(self) -> bool:
        return len(self.made) == 8

    def score(self) -> Any:
        return 7 * self.made.count("left")


class Wordy(Steps):
    def score(self) -> Any:
        return "good"


class Huge(Steps):
    def score(self) -> Any:
        return 10**400


def replayed(game: Game, line: list[int]) -> float:
    position = game.start()
    for action in line:
        position.apply(action)
    assert position.is_terminal
    return position.score()


@pytest.mark.parametrize("options", [{}, {"strategy": "Baseline() >> MAST()"}, {"lanes": 3}, {"threads": 2}], ids=str)
def test_the_best_playout_is_kept_with_its_actions(options: dict[str, Any]) -> None:
    game = walk()
    result = icarus.search(game, iterations=60, seed=2, **options)
    assert result.best_score is not None and replayed(game, result.best_actions) == result.best_score
    assert result.best_line.count("left") * 100 - 3000 == result.best_score
    assert result.as_dict()["best_score"] == result.best_score and f"{result.best_score:g}" in "".join(result._facts())


def test_rewards_are_where_a_score_lies_among_those_seen() -> None:
    search = icarus.Search(walk(), seed=1)
    result = search.run(iterations=300)
    assert all(0.0 <= row.mean[0] <= 1.0 for row in result.root)
    control = search.team.workers[0].control
    assert -3000.0 <= control.least_score < control.most_score == result.best_score
    assert result.best.label == "left"


class Chosen:
    """Six steps, no score: rewards alone say what they are worth."""

    players = 1

    def __init__(self) -> None:
        self.made: list[str] = []

    def player(self) -> int:
        return 0

    def legal(self) -> list[str]:
        return ["left", "right"]

    def apply(self, step: str) -> None:
        self.made.append(step)

    def terminal(self) -> bool:
        return len(self.made) == 6

    def rewards(self) -> list[float]:
        return [self.made.count("left") / 6]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lanes": 3},
        {"threads": 2},
        {"algorithm": "sp(restarts=3)"},
        {"algorithm": "uct[RAVE() >> MAST()]"},
        {"algorithm": "bast"},
    ],
    ids=str,
)
def test_without_a_score_the_best_playout_has_the_greatest_reward(options: dict[str, Any]) -> None:
    for game in (leftright(6), python_game(Chosen), icarus.load("gdl:river")):
        if game.name == "river" and "threads" in options:
            continue
        search = icarus.Search(game, seed=1, **options)
        result, position = search.run(iterations=60), game.start()
        for action in result.best_actions:
            position.apply(action)
        assert position.is_terminal and position.rewards()[0] == result.best_score
        assert max(row.mean[0] for row in result.root) <= result.best_score


def test_several_players_have_no_best_playout() -> None:
    result = icarus.search("tic_tac_toe", iterations=20, seed=1)
    assert result.best_score is None and result.best_line == []


def test_the_best_playout_is_followed_as_long_as_its_moves_are_played() -> None:
    search = icarus.Search(walk(), seed=1)
    first = search.run(iterations=80)
    position = search.position.copy().apply(first.best_actions[0])
    search.advance(position)
    then = search.run(iterations=1)
    assert then.best_score is not None and first.best_score is not None and then.best_score >= first.best_score
    other = search.position.copy().apply(1 - then.best_actions[0])
    search.advance(other)
    assert search.best_playout is None


def test_four_methods_are_a_game_of_one_player() -> None:
    game = python_game(Steps)
    assert game.players == 1
    for options in ({}, {"strategy": "Baseline() >> MAST()"}):
        result = icarus.search(game, iterations=200, seed=1, **options)
        assert result.best_score == 56 and result.best_line == ["left"] * 8
    assert game.start().score() == 0.0 and 0.5 <= game.start().rewards()[0] <= 1.0


def test_a_score_that_is_no_number_is_one_line() -> None:
    with pytest.raises(GameError, match=r"Wordy.score\(\) gives 'good' at ply 8; it should give a number"):
        icarus.search(python_game(Wordy), iterations=10, seed=1)
    with pytest.raises(GameError, match=r"Huge.score\(\) gives 1000.*at ply 8; it should give a number"):
        icarus.search(python_game(Huge), iterations=10, seed=1)


def test_a_score_is_for_one_player() -> None:
    with pytest.raises(GameError, match="a score is for one player"):
        replace(icarus.load("tic_tac_toe"), score=hundreds)


def test_the_best_playout_is_told_at_the_terminal_on_the_page_and_by_the_engine_protocol() -> None:
    result = icarus.search(walk(), iterations=40, seed=2)
    assert f"best playout: {result.best_score:g} by {' '.join(result.best_line)}" in in_words(result)
    assert thought_of(result, {})["score"] == result.best_score
    told = summary(result, None)
    assert told["best_score"] == result.best_score and told["best_line"] == result.best_line
