"""Dark Hex: beside OpenSpiel, tries and knowledge included; determinization beside enumeration."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import UNSEEN, step_randomly
from icarus.games.dark_hex import connects, dark_hex
from icarus.games.hex import hex
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)

GAMES = 1000 if JIT else 40


@pytest.mark.parametrize("n", [2, 3, 4])
def test_tries_and_results_agree_with_openspiel(n: int) -> None:
    game, oracle = dark_hex(n), pyspiel.load_game(f"dark_hex(num_rows={n},num_cols={n})")
    assert game.max_plies == oracle.max_game_length()
    rng = seeded(1)
    for _ in range(GAMES):
        position, state = game.start(), oracle.new_initial_state()
        while not state.is_terminal():
            assert not position.is_terminal
            assert position.player == state.current_player()
            assert position.legal() == state.legal_actions()
            for observer in range(2):
                known = state.observation_string(observer).replace("\n", "").replace(" ", "")
                shown = "".join("X" if c in "xyzX" else "O" if c in "opqO" else "." for c in known)
                assert position.view(observer)[1] == shown  # type: ignore[index]
            state.apply_action(step_randomly(position, rng))
        assert position.is_terminal
        assert position.rewards() == [(r + 1) / 2 for r in state.returns()]


def test_connections_are_those_of_hex() -> None:
    rng = seeded(2)
    for _ in range(GAMES):
        position = hex(5).start()
        stones = [0, 0]
        while not position.is_terminal:
            legal = position.legal()
            action = legal[int(random_below(rng, len(legal)))]
            stones[position.player] |= 1 << action
            position.apply(action)
        winner = position.rewards().index(1)
        assert connects(stones[winner], winner, 5) and not connects(stones[1 - winner], 1 - winner, 5)


def test_a_failed_try_is_told_to_the_player_and_unheard_by_the_opponent() -> None:
    position = dark_hex(3).start().apply(4).apply(4)
    assert position.player == 1 and 4 not in position.legal()
    assert [moves for _, _, moves in position.history] == [(4, 18), (UNSEEN, 13)]
    assert "O" not in position.render(0) and position.render(1).count("X") == 1


@pytest.mark.parametrize("observer", [0, 1])
def test_determinizations_are_uniform_over_what_can_be(observer: int) -> None:
    for n, stones in ((2, 4), (3, 3 if JIT else 2)):
        sets = information_sets(dark_hex(n), observer, lambda position, stones=stones: position.named.plies <= stones)
        assert_views_name_information_sets(sets, observer)
        assert_determinized_uniformly(sets, observer, checked=6, draws=60)


def test_boards_that_are_too_small_or_large_are_refused() -> None:
    for n in (1, 8):
        with pytest.raises(GameError, match="2 to 7"):
            dark_hex(n)
