"""Players who choose at the same time, with a network: each by its own statistics, and never by what the other has chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import icarus
from icarus import NetworkSearch, SearchError, load
from icarus.network.together import choices_before
from icarus.python_game import python_game
from tests.oracle.puct import table_evaluator

#: the row player mixes 2 : 3, the column player too
BIASED = 'matrix("2,-1; -1,1")'


def even(observations: Any, legal: Any) -> tuple[Any, Any]:
    return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)


def test_both_players_come_near_the_equilibrium() -> None:
    start = load(BIASED).start()
    for position in (start, start.copy().apply(0)):
        search = NetworkSearch(position, evaluator=even, batch=1, seed=1)
        result = search.run(iterations=6000)
        shares = {row.action: row.visits / sum(other.visits for other in result.root) for row in result.root}
        assert shares[0] == pytest.approx(0.4, abs=0.08), "a best reply to random play would choose the first one always"
        assert result.final == "mixed"


@pytest.mark.parametrize("game", [BIASED, "goofspiel(3)", "oshi_zumo(3,1)", "tron('3x3')"])
@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
def test_what_the_other_has_chosen_changes_nothing(game: str, algorithm: str) -> None:
    start = load(game).start(1)
    while start.environment_acts:
        start.apply(start.legal()[0])
    found, shown = [], []
    table = table_evaluator(2)

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        shown[-1].append(observations.tobytes() + legal.tobytes())
        return table(observations, legal)

    for action in start.legal():
        shown.append([])
        result = NetworkSearch(start.copy().apply(action), evaluator=evaluate, algorithm=algorithm, seed=3).run(iterations=60)
        found.append([(row.action, row.visits, row.mean) for row in result.root])
    assert len(found) > 1
    assert all(rows == found[0] for rows in found)
    assert all(rows == shown[0] for rows in shown)


@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
@pytest.mark.parametrize("game", ["goofspiel(4)", "rock_paper_scissors", "tron('3x3')"])
def test_self_play_is_fair_to_who_chooses_second(game: str, algorithm: str) -> None:
    games = list(icarus.selfplay(game, even, algorithm=algorithm, parallel=8, iterations=24, games=24, seed=2))
    assert len(games) == 24
    for played in games:
        assert played.policies.sum(axis=1) == pytest.approx(np.ones(len(played)), abs=1e-5)
    # somebody who saw the other's choice would win every game
    assert 0.1 < np.mean([played.rewards[0] for played in games]) < 0.9


def test_where_a_simultaneous_decision_began() -> None:
    position = load('goofspiel(4,"descending")').start()
    assert choices_before(position)[1] == []
    position.apply(2)
    begun, made = choices_before(position)
    assert made == [(0, 2)]
    assert begun.tobytes() == position.origin.tobytes()
    position.apply(3)
    assert choices_before(position)[1] == []
    position.apply(4)
    assert choices_before(position)[1] == [(0, 4)]


def test_choices_that_everybody_sees_at_once_are_refused() -> None:
    class Show:
        players = 2

        def __init__(self) -> None:
            self.shown: list[int] = []

        def player(self) -> int:
            return len(self.shown)

        def legal(self) -> list[int]:
            return [0, 1]

        def apply(self, hand: int) -> None:
            self.shown.append(hand)

        def terminal(self) -> bool:
            return len(self.shown) == 2

        def rewards(self) -> list[float]:
            return [1.0, 0.0] if self.shown[0] == self.shown[1] else [0.0, 1.0]

        def simultaneous(self) -> bool:
            return True

    with pytest.raises(SearchError, match=r"no observe\(\) that hides a choice"):
        NetworkSearch(python_game(Show), evaluator=even)
