"""What theory says a search must find: minimax values, equilibria, and whether it fuses strategies that it cannot tell apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeVar

import pytest

import icarus
from icarus.game import Game, Position, compiled
from icarus.games.matrix import HIDDEN
from icarus.jit import JIT
from icarus.jit.randomness import mix
from icarus.result import SearchResult
from icarus.search import Search
from icarus.strategy import (
    LGRF,
    MAST,
    NAST,
    RAVE,
    UCB1,
    Baseline,
    Greedy,
    Linear,
    Policy,
    RaveWeight,
    Statistic,
    Strategy,
)
from tests.oracle.comparing import position_after
from tests.oracle.engine import fold, records

T = TypeVar("T")


def either(compiled: T, plain: T) -> T:
    """How many: compiled, or in plain Python."""
    return compiled if JIT else plain


def run(
    game: str | Game | Position, iterations: int, seed: int, algorithm: str | None = None, strategy: Strategy | None = None
) -> SearchResult:
    return Search(game, algorithm=algorithm, seed=seed, strategy=strategy or Baseline(), memory=1 << 26).run(
        iterations=iterations
    )


def visits(result: SearchResult) -> dict[str, int]:
    return {row.label: row.visits for row in result.root}


def mean(result: SearchResult, label: str) -> float:
    return next(row.mean[0] for row in result.root if row.label == label)


# --- hidden information: figures 1 and 3 of ismcts-2012 --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(either(10, 3)))
def test_determinized_uct_fuses_strategies_and_so_ismcts_does_not(seed: int) -> None:
    """Figure 1: a1 is worth 0 (here 0.5), but +1 (here 1) to whoever believes that the start will be known."""
    fused = run("strategy_fusion", either(4000, 1000), seed, "determinized(20)")
    assert fused.best.label == "a1" and mean(fused, "a1") > 0.8
    result = run("strategy_fusion", either(4000, 400), seed, "so")
    assert result.best.label == "a2" and visits(result)["a2"] > 0.7 * result.iterations
    assert mean(result, "a1") < 0.7 and mean(result, "a2") == 0.75


@pytest.mark.parametrize("algorithm", ["so", "pom", "mo"])
def test_an_opponent_whose_actions_are_seen_is_answered(algorithm: str) -> None:
    """Figure 3: a1 is worth 1/3, here 2/3, if player 0 can answer b1 and b3; a2 is worth 0.6."""
    for seed in range(either(5, 2)):
        result = run("figure3", either(20_000, 1000), seed, algorithm)
        assert result.best.label == "a1"
        assert 0.6 < mean(result, "a1") < 0.7


@pytest.mark.parametrize(("algorithm", "best"), [("so", "a1"), ("determinized(10)", "a1"), ("pom", "a2"), ("mo", "a2")])
def test_unseen_moves_mislead_whoever_takes_them_for_seen(algorithm: str, best: str) -> None:
    """Figure 3 with partially observable moves: a1 is worth 0, here 0.5, since b1, b2 and b3 look the same."""
    for seed in range(either(5, 2)):
        result = run("figure3(True)", either(20_000, 800), seed, algorithm)
        assert result.best.label == best
        if best == "a2":
            assert mean(result, "a1") < 0.6 and visits(result)["a2"] > either(0.9, 0.6) * result.iterations


# --- perfect information: minimax ------------------------------------------------------------------------------------


def minimax(position: Position, known: dict[bytes, tuple[float, list[int]]]) -> tuple[float, list[int]]:
    """The value for player 0, and the actions that keep it."""
    key = position.state.tobytes()
    if key not in known:
        if position.is_terminal:
            known[key] = position.rewards()[0], []
        else:
            values = {action: minimax(position.copy().apply(action), known)[0] for action in position.legal()}
            best = max(values.values()) if position.player == 0 else min(values.values())
            known[key] = best, [action for action, value in values.items() if value == best]
    return known[key]


def value_of(result: SearchResult) -> float:
    """The root's mean reward of player 0."""
    return sum(row.visits * row.mean[0] for row in result.root) / sum(row.visits for row in result.root)


def test_uct_plays_tic_tac_toe_perfectly_and_its_error_falls() -> None:
    known: dict[bytes, tuple[float, list[int]]] = {}
    positions = [position_after("mnk(3,3,3)", either(seed % 7, 4 + seed % 3), seed) for seed in range(either(40, 8))]
    errors = []
    for iterations in either([100, 1000, 10_000], [30, 300]):
        wrong, error = 0, 0.0
        for seed, position in enumerate(positions):
            value, best = minimax(position, known)
            result = run(position, iterations, seed)
            wrong += result.best.action not in best
            error += abs(value_of(result) - value)
        errors.append(error / len(positions))
    assert wrong == 0, "with the most iterations every move must be optimal"
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 2


def hard_trees(number: int, branching: int, depth: int) -> list[tuple[Position, float, list[int]]]:
    """P-game trees in which not every move is as good, with their minimax values and best moves."""
    found: list[tuple[Position, float, list[int]]] = []
    seed = 0
    while len(found) < number:
        position = icarus.load(f"pgame({branching},{depth},{seed})").start()
        value, best = minimax(position, {})
        if len(best) < branching:
            found.append((position, value, best))
        seed += 1
    return found


@pytest.mark.parametrize(("branching", "depth"), [(2, 8), (3, 5)])
def test_uct_reaches_the_minimax_value_of_p_games_and_its_error_falls(branching: int, depth: int) -> None:
    trees = hard_trees(either(12, 3), branching, depth)
    errors = []
    for iterations in either([100, 1000, 10_000], [50, 400]):
        results = [run(position, iterations, seed) for seed, (position, _, _) in enumerate(trees)]
        errors.append(
            sum(abs(value_of(result) - value) for result, (_, value, _) in zip(results, trees, strict=True)) / len(trees)
        )
    assert all(result.best.action in best for result, (_, _, best) in zip(results, trees, strict=True))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < either(0.02, 0.2)


# --- several playouts at once ----------------------------------------------------------------------------------------


@compiled
def count_playout(old, reward, weight, odds, p):
    return old + weight


@dataclass(frozen=True, repr=False)
class Finished(Statistic):
    """How many playouts have come back: those under way are not counted."""

    function = staticmethod(count_playout)


@compiled
def ucb1_of_finished(arms, values, p):
    trials = 0.0
    for i in range(arms.size):
        trials += arms.statistic[i]
    for i in range(arms.size):
        n = arms.statistic[i]
        values[i] = math.inf if n == 0.0 else arms.reward[i] / n + p.c * math.sqrt(math.log(trials) / n)


@dataclass(frozen=True, repr=False)
class WithoutVirtualLoss(Policy):
    """UCB1 that does not see what the other lanes are doing."""

    c: float = 0.7

    function = staticmethod(ucb1_of_finished)
    statistics = (Finished(),)


@pytest.mark.skipif(not JIT, reason="many lanes: too slow as plain Python")
def test_virtual_loss_lifts_the_limit_of_tree_parallelization_and_root_parallelization_is_ensemble_uct() -> None:
    """Section VI-C of mcts-survey-2012.  Lanes are playouts under way at once in one tree, without the chance of threads.

    Measured at 1 024 iterations in p-games: one at a time 0.054 beside minimax, sixteen 0.071 with virtual loss and 0.140
    without; sixty-four 0.148 and 0.267.
    """
    trees = hard_trees(24, 3, 6)

    def error(lanes: int, policy: Policy) -> float:
        found = 0.0
        for seed, (position, value, _) in enumerate(trees):
            search = Search(position, strategy=Baseline(policy=policy), seed=seed, lanes=lanes, memory=1 << 26)
            found += abs(value_of(search.run(iterations=1024)) - value)
        return found / len(trees)

    alone = error(1, UCB1())
    assert error(1, WithoutVirtualLoss()) == pytest.approx(alone, rel=1e-6), "one lane at a time: nothing is under way"
    assert error(16, UCB1()) < 1.6 * alone < 2.0 * alone < error(16, WithoutVirtualLoss())
    assert error(64, UCB1()) < 0.7 * error(64, WithoutVirtualLoss())

    for seed in range(3):
        root = Search("connect_four", algorithm="uct", threads=4, parallel="root", seed=seed, memory=1 << 26)
        ensemble = Search("connect_four", algorithm="ensemble(4)", threads=4, seed=seed, memory=1 << 26)
        first, second = (search.run(iterations=4000) for search in (root, ensemble))
        assert [tree.iterations for tree in root.team.trees] == [1000] * 4
        assert records(root) == records(ensemble), "tree by tree, record by record"
        assert [(row.action, row.visits, row.mean) for row in first.root] == [
            (row.action, row.visits, row.mean) for row in second.root
        ]


# --- simultaneous decisions: equilibria ------------------------------------------------------------------------------

#: zero-sum tables with their equilibria: probabilities of the rows and of the columns
EQUILIBRIA = {
    "rock_paper_scissors": ((1 / 3, 1 / 3, 1 / 3), (1 / 3, 1 / 3, 1 / 3)),
    "matching_pennies": ((1 / 2, 1 / 2), (1 / 2, 1 / 2)),
    "matrix('3,0; 1,2')": ((1 / 4, 3 / 4), (1 / 2, 1 / 2)),
    "matrix('2,-1; -1,1')": ((2 / 5, 3 / 5), (2 / 5, 3 / 5)),
}


def empirical_play(game: Game, algorithm: str, seed: int, iterations: int) -> tuple[list[float], list[float]]:
    """How often each player chose each of its actions at its first decision."""
    search = Search(game, algorithm=algorithm, seed=seed, memory=1 << 24)
    search.run(iterations=iterations)
    first = int(mix(1, 0))
    # with one tree per player, player 1 has seen a hidden move; in a single tree both choose at the root, each for itself
    keys = (first, fold(int(mix(1, 1)), (HIDDEN,))) if algorithm == "mo" else (int(mix(first, 101)), int(mix(first, 102)))
    play = []
    for key in keys:
        rows = records(search)[0][key]
        total = sum(row[0] for row in rows.values())
        play.append([rows[action][0] / total for action in sorted(rows)])
    return play[0], play[1]


def distance(play: tuple[list[float], list[float]], equilibrium: tuple[tuple[float, ...], tuple[float, ...]]) -> float:
    return max(abs(p - q) for mine, theirs in zip(play, equilibrium, strict=True) for p, q in zip(mine, theirs, strict=True))


@pytest.mark.parametrize("algorithm", ["so", "mo"])
@pytest.mark.parametrize("name", EQUILIBRIA)
def test_exp3_plays_near_the_equilibrium(name: str, algorithm: str) -> None:
    for seed in range(either(3, 1)):
        play = empirical_play(icarus.load(name), algorithm, seed, either(100_000, 3000))
        assert distance(play, EQUILIBRIA[name]) < either(0.03, 0.1)


def test_ucb1_may_stay_away_from_the_equilibrium() -> None:
    """A pure policy that both players chase need not mix as it should; the same game with EXP3 does (above)."""
    name = "matrix('3,0; 1,2')"
    sequential = replace(icarus.load(name), simultaneous=None)
    plays = [empirical_play(sequential, "mo", seed, either(5000, 500)) for seed in range(either(40, 8))]
    distances = [distance(play, EQUILIBRIA[name]) for play in plays]
    assert max(distances) > 0.15


# --- Theorem 1 of icarus-2014 ----------------------------------------------------------------------------------------

SIMULATIONS: dict[str, Strategy | None] = {
    "": None,
    "N": NAST(2),
    "M": MAST(),
    "NM": (MAST() + NAST(2)) / 2,
    "L": LGRF(),
    "NL": (LGRF() + NAST(2)) / 2,
    "ML": (MAST() + LGRF()) / 2,
    "NML": (MAST() + LGRF() + NAST(2)) / 3,
}


def suboptimal_share(strategy: Strategy, trees: list[tuple[Position, float, list[int]]], iterations: int) -> float:
    """How much of the root's visits went to moves that are not optimal, on average; the chosen moves must be."""
    share = 0.0
    for seed, (position, _, best) in enumerate(trees):
        result = run(position, iterations, seed, strategy=strategy)
        assert result.best.action in best, f"{strategy} chooses a losing move in {position.game}"
        share += sum(row.visits for row in result.root if row.action not in best) / iterations
    return share / len(trees)


@pytest.mark.parametrize("simulation", SIMULATIONS)
@pytest.mark.parametrize("tree", [Baseline(), RAVE()], ids=str)
def test_the_combinations_of_table_1_converge(tree: Strategy, simulation: str) -> None:
    """Equation 16: the probability of a suboptimal action tends to zero."""
    policy = SIMULATIONS[simulation]
    strategy = tree if policy is None else tree >> policy
    trees = hard_trees(either(8, 2), 3, 4)
    early, late = (suboptimal_share(strategy, trees, n) for n in either([300, 10_000], [60, 600]))
    assert late < early / 2
    assert late < either(0.01, 0.25)


def test_a_weight_that_does_not_vanish_may_not_converge() -> None:
    """Always following MAST four times in five plays a losing move for good; with a fading weight the same mixture recovers."""
    for seed in (8, 17):
        position = icarus.load(f"pgame(3,4,{seed})").start()
        _, best = minimax(position, {})
        iterations = either(20_000, 600)
        stubborn = run(position, iterations, 1, strategy=Linear(MAST(policy=Greedy()), Baseline(), weight=0.8))
        assert stubborn.best.action not in best
        assert stubborn.best.visits > iterations / 2
        fading = run(position, either(20_000, 3000), 1, strategy=Linear(MAST(policy=Greedy()), Baseline(), weight=RaveWeight(10)))
        assert fading.best.action in best
