"""Strategies that must be the same thing, limits that formulas must reach, and what enhancements are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from icarus.arena.match import outcome
from icarus.arena.runner import run
from icarus.arena.schedule import match_schedule
from icarus.jit import JIT, compiled
from icarus.jit.randomness import chain
from icarus.result import SearchResult
from icarus.search import Search
from icarus.strategy import (
    AMAF,
    EPIC,
    GRAVE,
    HRAVE,
    MAST,
    NAST,
    RAVE,
    Baseline,
    Gibbs,
    Maxilinear,
    RaveWeight,
    Strategy,
    UCB1Sum,
    epic,
)
from icarus.strategy.base import Capture, Policy, mentions

GAMES = ["connect_four", "phantom(3,3,3)", "kuhn_poker"]


def searched(game: str, strategy: Strategy, iterations: int = 400) -> SearchResult:
    return Search(game, strategy=strategy, seed=5).run(iterations=iterations)


def assert_same(game: str, first: Strategy, second: Strategy) -> None:
    """The same random numbers lead to the same visits and rewards."""
    one, other = searched(game, first), searched(game, second)
    assert [(row.action, row.visits, row.mean) for row in one.root] == [(row.action, row.visits, row.mean) for row in other.root]
    assert one.mean_depth == other.mean_depth


@pytest.mark.parametrize("game", GAMES)
def test_grave_that_never_borrows_is_rave(game: str) -> None:
    for formula in ("maxilinear", "cadia"):
        assert_same(game, GRAVE(ref=0, k=40, c=0.7, formula=formula), RAVE(k=40, c=0.7, formula=formula))


@pytest.mark.parametrize("game", GAMES)
def test_hrave_is_grave_that_always_borrows_from_the_root(game: str) -> None:
    assert_same(game, HRAVE(k=40), GRAVE(ref=math.inf, k=40))
    assert_same(game, HRAVE(k=40), GRAVE(ref=1e9, k=40))


@pytest.mark.parametrize("game", GAMES)
def test_nast_of_single_moves_is_mast(game: str) -> None:
    assert_same(game, Baseline() >> NAST(1), Baseline() >> MAST(policy=UCB1Sum()))


@compiled
def begun_at(step):
    return step.episode


@compiled
def since_it_began(step, keys, p):
    """EPIC-1 in other words."""
    key = step.label
    for ply in range(begun_at(step), step.ply):
        if step.moves[ply] >= 0:
            key = chain(key, step.moves[ply])
    keys[0] = key
    return 1


@dataclass(frozen=True, repr=False)
class OwnEpisodes(EPIC):
    @property
    def capture(self) -> Capture:
        return Capture(read=since_it_began)


def test_a_capture_of_ones_own_that_reads_episodes_is_told_of_them() -> None:
    """A game is asked for its episodes only where a context, or what it calls, reads them: nobody has to declare it."""
    assert_same("othello", Baseline() >> OwnEpisodes(), Baseline() >> EPIC())
    assert mentions(since_it_began, {"episode"}) and not mentions(NAST(2).capture.read, {"label", "episode"})
    helper = begun_at
    assert mentions(lambda step: helper(step), {"episode"}), "a function around it counts, too"
    assert mentions(lambda step: epic.position_in_episode(step, None, None), {"episode"}), "and one of a module"


@pytest.mark.parametrize("game", GAMES)
def test_rave_is_the_maxilinear_combination_that_defines_it(game: str) -> None:
    assert_same(game, RAVE(k=40), Maxilinear(AMAF(), Baseline(), weight=RaveWeight(40)))


def values_of(policy: Policy, rewards: list[float], visits: list[float]) -> np.ndarray:
    values = np.zeros(len(rewards))
    function = policy.function if not JIT else policy.function.py_func
    function(SimpleNamespace(size=len(rewards), reward=np.array(rewards), visits=np.array(visits)), values, policy)
    return values


def test_gibbs_sampling_becomes_uniform_as_tau_grows_and_greedy_as_it_falls() -> None:
    rewards, visits = [1.0, 9.0, 4.0, 0.0], [10.0, 10.0, 10.0, 0.0]
    hot = values_of(Gibbs(tau=1e9), rewards, visits)
    assert hot / hot.sum() == pytest.approx(np.full(4, 0.25), abs=1e-8)
    cold = values_of(Gibbs(tau=1e-3), [1.0, 9.0, 4.0, 6.0], [10.0] * 4)
    assert cold / cold.sum() == pytest.approx([0, 1, 0, 0], abs=1e-8)


def test_rave_gives_amaf_half_of_the_weight_after_k_visits() -> None:
    for k in (1.0, 50.0, 250.0):
        weight = RaveWeight(k)
        function = weight.function if not JIT else weight.function.py_func
        assert function(SimpleNamespace(visits=k), weight) == pytest.approx(0.5)
        assert function(SimpleNamespace(visits=0.0), weight) == 1.0


@pytest.mark.skipif(not JIT, reason="matches are too much for plain Python")
@pytest.mark.parametrize("game, strategy", [("hex(7)", "RAVE()"), ("othello", "Baseline() >> NAST(2)")])
def test_an_enhancement_beats_the_baseline_at_equal_iterations(game: str, strategy: str) -> None:
    """They win about 78 % and 86 % of the games: with those chances fewer than half of 60 come up once in a million or less.

    RAVE's lead in breakthrough is smaller and needs more games: benchmarks/strength.py.
    """
    schedule = match_schedule(game, [f"uct[{strategy}]@400", "uct[-]@400"], 60, seed=1)
    records = run(schedule, jobs=1).records
    assert sum(outcome(schedule.cells[0], record, 0) for record in records) >= 30
