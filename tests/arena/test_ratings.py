"""Ratings: the stronger player is rated higher, games make ratings surer, the order of games in a store does not matter."""

from __future__ import annotations

import pytest

from icarus.arena.ratings import ratings
from icarus.arena.tournament import tournament

pytest.importorskip("openskill")


def test_stronger_players_are_rated_higher_and_more_games_are_surer() -> None:
    players = ["random", "uct@10", "uct@200"]
    few = ratings(tournament("tic_tac_toe", players, 4, jobs=1).run.records)
    records = tournament("tic_tac_toe", players, 30, jobs=1).run.records
    many = ratings(records)
    assert [rating.name for rating in many] == ["uct@200", "uct@10", "random"]
    assert all(rating.games == 60 for rating in many)
    before = {rating.name: rating.uncertainty for rating in few}
    assert all(rating.uncertainty < before[rating.name] for rating in many)
    assert ratings(records[::-1]) == many
