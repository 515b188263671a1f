"""Algorithms for one player: nested search against exact values, policy adaptation against its transcription, sp and the rest."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest

import icarus
from icarus.algorithm import algorithm_named
from icarus.arena.players import read_player
from icarus.errors import SearchError
from icarus.game import Game
from icarus.jit import JIT
from icarus.loading import load
from icarus.one_player import PolicyAdaptation
from icarus.one_player.drive.adaptation import SEQUENCE_WORDS, AdaptationWords
from icarus.one_player.drive.beam_adaptation import run_beam_adaptation
from icarus.one_player.drive.coded_policy import Policy
from icarus.python_game import python_game
from tests.oracle.nested import ends, left_move_means, playout

DEPTH = 8
PUZZLE = "samegame('00112/01021/11200')"


class Digits:
    """Choose four digits; their number, read backwards, is the score."""

    def __init__(self) -> None:
        self.chosen: list[int] = []

    def legal(self) -> list[tuple[str, int]]:
        return [("digit", digit) for digit in range(4) if digit not in self.chosen]

    def apply(self, action: tuple[str, int]) -> None:
        self.chosen.append(action[1])

    def terminal(self) -> bool:
        return len(self.chosen) == 4

    def score(self) -> int:
        return sum(digit * 4**place for place, digit in enumerate(self.chosen))


BEST = 3 * 64 + 2 * 16 + 1 * 4


def assert_mean(found: list[float], expected: float) -> None:
    """The mean lies within five standard errors: chance alone does that in all but one of a million cases."""
    mean = sum(found) / len(found)
    spread = sum((score - mean) ** 2 for score in found) / (len(found) - 1)
    assert abs(mean - expected) < 5 * math.sqrt(spread / len(found)), f"{mean} is not {expected}"


def assert_same_mean(one: list[float], other: list[float]) -> None:
    """The means lie within five standard errors of each other."""
    means = [sum(values) / len(values) for values in (one, other)]
    spread = sum(
        (value - mean) ** 2 / len(values) ** 2 for values, mean in zip((one, other), means, strict=True) for value in values
    )
    assert abs(means[0] - means[1]) < 5 * math.sqrt(spread)


def scores(game: str | Game, algorithm: str, runs: int, seed: int = 1) -> list[float]:
    search = icarus.Search(game, algorithm=algorithm, seed=seed)
    search.run(runs=runs)
    return search.run_scores


@pytest.mark.parametrize("level", [0, 1, 2])
def test_nested_search_finds_what_dynamic_programming_says(level: int) -> None:
    runs = (1000, 1000, 600)[level] if JIT else (200, 100, 12)[level]
    assert_mean(scores(f"left_move({DEPTH})", f"nmcs({level})", runs), left_move_means(DEPTH)[level])


def test_the_law_of_level_1_is_that_of_the_runs() -> None:
    runs = 1000 if JIT else 120
    found = scores(f"left_move({DEPTH})", "nmcs(1)", runs, seed=5)
    law = ends(DEPTH, -1)
    assert math.isclose(sum(law), 1.0) and math.isclose(sum(playout(DEPTH)), 1.0)
    expected = runs * law[DEPTH]
    assert abs(found.count(DEPTH) - expected) < 5 * math.sqrt(expected)


def test_memory_keeps_what_was_found() -> None:
    lost = {True: 0, False: 0}
    for seed, memory in itertools.product(range(20), (True, False)):
        search = icarus.Search(f"left_move({DEPTH})", algorithm=f"nmcs(1, memory={str(memory).lower()})", seed=seed)
        search.run(runs=1)
        assert search.best_playout is not None
        lost[memory] += search.run_scores[0] < search.best_playout[0]
    assert lost[True] == 0 < lost[False]
    assert scores("left_move(5)", "reflexive(1)", 5) == scores("left_move(5)", "nmcs(1, memory=false)", 5)


def test_a_search_goes_on_where_it_came_back() -> None:
    """The same playouts, whether they are made at once or a few at a time."""
    for algorithm in ("nmcs(2)", "nrpa(2, n=5)"):
        whole, parts = (icarus.Search(f"left_move({DEPTH})", algorithm=algorithm, seed=3) for _ in range(2))
        whole.run(iterations=210)
        for _ in range(30):
            parts.run(iterations=7)
        assert whole.best_playout == parts.best_playout and whole.run_scores == parts.run_scores


# --- policy adaptation -----------------------------------------------------------------------------------------------


def adapted(policy: dict[int, float], sequence: list[tuple[list[int], int]], alpha: float) -> dict[int, float]:
    """Rosin's Adapt: the codes that were legal at each step, and which was chosen."""
    new = dict(policy)
    for codes, chosen in sequence:
        total = sum(math.exp(policy.get(code, 0.0)) for code in codes)
        for code in codes:
            new[code] = new.get(code, 0.0) - alpha * math.exp(policy.get(code, 0.0)) / total
        new[chosen] += alpha
    return new


def test_a_policy_is_adapted_as_published() -> None:
    """After one call of level 2 its policy has moved once towards the best sequence of level 1."""
    search = icarus.Search("left_move(6)", algorithm="nrpa(2, n=3, alpha=0.5)", seed=2)
    search.run(iterations=4)  # three playouts of level 1, and one of its next search
    worker = search.team.workers[0]
    words = AdaptationWords(worker.own)
    start = int(words.policies + 2 * words.policy_words)
    policy = Policy(worker.own, start)
    entries = worker.own[start + 3 : start + 3 + 3 * int(policy.used)]
    found = dict(zip(entries[0::3].tolist(), entries[1::3].view("float64").tolist(), strict=True))
    line = int(words.sequences + 2 * words.sequence_words) + SEQUENCE_WORDS
    actions = worker.own[line : line + 6].tolist()
    expected = adapted({}, [([2 * ply, 2 * ply + 1], 2 * ply + action) for ply, action in enumerate(actions)], 0.5)
    assert found == pytest.approx(expected)


def plain_nrpa(level: int, policy: dict[int, float], n: int, depth: int, rng: random.Random) -> tuple[float, list[int]]:
    """The published algorithm on left move, in the plainest Python."""
    if level == 0:
        actions = []
        for ply in range(depth):
            left, right = (math.exp(policy.get(2 * ply + action, 0.0)) for action in (0, 1))
            actions.append(0 if rng.random() * (left + right) < left else 1)
        return float(actions.count(0)), actions
    best, sequence = -math.inf, []
    for _ in range(n):
        score, found = plain_nrpa(level - 1, dict(policy), n, depth, rng)
        if score >= best:
            best, sequence = score, found
        steps = [([2 * ply, 2 * ply + 1], 2 * ply + action) for ply, action in enumerate(sequence)]
        policy = adapted(policy, steps, 1.0)
    return best, sequence


@pytest.mark.parametrize(("level", "n"), [(1, 4), (2, 3)] if JIT else [(1, 4)])
def test_policy_adaptation_is_as_good_as_its_transcription(level: int, n: int) -> None:
    rng, depth = random.Random(1), 12
    plain = [plain_nrpa(level, {}, n, depth, rng)[0] for _ in range(600 if JIT else 200)]
    found = scores(f"left_move({depth})", f"nrpa({level}, n={n})", 1000 if JIT else 60)
    assert_same_mean(plain, found)


class BeamOfOne(PolicyAdaptation):
    """Several sequences at each level, if one is several."""

    def driver_for(self, plan: Any) -> Any:
        return run_beam_adaptation

    def prepare(self, game: Game, worker: Any) -> None:
        PolicyAdaptation("nrpa", level=self.level, n=self.n, beam=2).prepare(game, worker)
        AdaptationWords(worker.own).beam = 1


def test_a_beam_of_one_is_policy_adaptation() -> None:
    """The same random numbers lead to the same scores, in a game with many equally good sequences."""
    runs = 30 if JIT else 3
    plain, beam = (
        icarus.Search("left_move(9)", algorithm=kind("nrpa", level=2, n=4), seed=1) for kind in (PolicyAdaptation, BeamOfOne)
    )
    plain.run(runs=runs)
    beam.run(runs=runs)
    assert plain.run_scores == beam.run_scores and plain.iterations == beam.iterations


def plain_beam_nrpa(
    level: int, policy: dict[int, float], n: int, size: int, depth: int, rng: random.Random
) -> list[tuple[float, list[int]]]:
    """The published algorithm with beams on left move."""
    if level == 0:
        return [plain_nrpa(0, policy, n, depth, rng)]
    beam: list[tuple[float, list[int], dict[int, float]]] = [(-math.inf, [], policy)]
    for _ in range(n):
        coming = [member for member in beam if member[1]]
        for _, _, known in beam:
            for score, found in plain_beam_nrpa(level - 1, dict(known), n, size, depth, rng):
                if all(found != sequence for _, sequence, _ in coming):
                    coming.append((score, found, known))
                    if len(coming) > size:  # of equally bad ones the newcomer stays
                        coming.remove(min(coming, key=lambda member: member[0]))
        beam = []
        for score, sequence, known in coming:
            steps = [([2 * ply, 2 * ply + 1], 2 * ply + action) for ply, action in enumerate(sequence)]
            beam.append((score, sequence, adapted(known, steps, 1.0)))
    return [(score, sequence) for score, sequence, _ in beam]


@pytest.mark.parametrize(("level", "beam"), [(1, 3), (2, 2)] if JIT else [(1, 3)])
def test_a_beam_is_as_good_as_its_transcription(level: int, beam: int) -> None:
    rng, depth, n = random.Random(1), 12, 3
    plain = [max(plain_beam_nrpa(level, {}, n, beam, depth, rng))[0] for _ in range(500 if JIT else 150)]
    search = icarus.Search(f"left_move({depth})", algorithm=f"nrpa({level}, n={n}, beam={beam})", seed=1)
    search.run(runs=1000 if JIT else 60)
    assert_same_mean(plain, search.run_scores)


def test_a_beam_that_does_not_fit_is_one_line() -> None:
    with pytest.raises(SearchError, match="take a smaller beam"):
        icarus.Search(python_game(Digits), algorithm="nrpa(10, beam=64)")


def test_a_limit_of_repetitions_ends_a_level_early() -> None:
    search = icarus.Search("left_move(4)", algorithm="nrpa(1, n=1000, repetitions=3)", seed=1)
    search.run(runs=1)
    assert search.iterations < 1000 and len(search.run_scores) == 1


# --- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["nmcs(2)", "nmcs(1, samples=3)", "nrpa(2, n=10)", "sp(restarts=3)", "nmcs(1)[MAST()]"])
def test_a_class_is_served_by_all(algorithm: str) -> None:
    search = icarus.Search(python_game(Digits), algorithm=algorithm, seed=1)
    result = search.run(iterations=120)
    assert result.best_score == BEST
    assert result.best_line == [f"('digit', {digit})" for digit in (0, 1, 2, 3)]
    assert result.best.label == result.best_line[0] == result.principal_variation[0]


@pytest.mark.parametrize(
    "algorithm", ["nmcs(1, guided)", "nmcs(2, selective)", "nrpa(1, n=20, guided)", "nmcs(1)[Baseline() >> NAST(2)]"]
)
def test_playouts_may_be_guided(algorithm: str) -> None:
    game = load(PUZZLE)
    result = icarus.Search(game, algorithm=algorithm, seed=1).run(iterations=60)
    position = game.start()
    for label in result.best_line:
        position.apply(position.parse_action(label))
    assert position.is_terminal and position.score() == result.best_score


@pytest.mark.parametrize("algorithm", ["nmcs(1)", "nrpa(1, n=10)"])
def test_a_rule_sheet_of_one_role_is_served(algorithm: str) -> None:
    result = icarus.Search("gdl:river", algorithm=algorithm, seed=1).run(iterations=20 if JIT else 3)
    assert result.best_score is not None and 0.0 <= result.best_score <= 1.0 and result.best_line


def test_a_selective_search_never_tries_what_the_heuristic_likes_less() -> None:
    """Of the first moves of SameGame those of the commonest colour are left out at all levels."""
    game = load(PUZZLE)
    position = game.start()
    liked = {action: float(game.call("heuristic", position.state, action)) for action in position.legal()}
    best = {action for action, value in liked.items() if value > 0}
    assert 0 < len(best) < len(liked)
    search = icarus.Search(game, algorithm="nmcs(1, selective)", seed=1)
    result = search.run(runs=3)
    assert {row.action for row in result.root if row.visits} == best


def test_threads_search_by_themselves() -> None:
    search = icarus.Search(f"left_move({DEPTH})", algorithm="nrpa(1, n=10)", seed=1, threads=2)
    result = search.run(runs=2)
    assert len(search.run_scores) == 4 and result.best_score == max(search.run_scores)


def test_a_match_of_one_player_is_played_to_the_end_of_the_best_line() -> None:
    game = load("left_move(6)")
    seat = read_player("nrpa(1, n=20)@200").seated(game, 0, 1)
    position = game.start()
    while not position.is_terminal:
        position.apply(seat.decide(position, position.legal()).action)
    assert position.score() == 6.0
    assert str(read_player("nmcs(2)[MAST()]@500")) == "nmcs(2)[MAST()]@500"


@pytest.mark.parametrize(
    ("game", "algorithm", "told"),
    [
        ("tic_tac_toe", "nmcs(2)", "nmcs is for games of one player, and mnk(3,3,3) has 2"),
        ("tic_tac_toe", "sp", "sp is for games of one player"),
        ("sailing(3)", "nrpa(2)", "sailing(3) leaves something to chance"),
        ("left_move(3)", "nmcs(1, guided)", "needs the function 'heuristic'"),
        ("left_move(3)", "nmcs(1, selective)", "nmcs(selective) needs the function 'heuristic'"),
        ("left_move(3)", "nrpa(0)", "the level must be 1 to 10, not '0'"),
        ("left_move(3)", "nrpa(2, alpha=x)", "the step of the adaptation must be a number from 0 to 100"),
        ("left_move(3)", "uct", "uct does not end by itself"),
    ],
)
def test_what_does_not_fit_is_refused(game: str, algorithm: str, told: str) -> None:
    with pytest.raises(SearchError) as problem:
        icarus.Search(game, algorithm=algorithm, seed=1).run(runs=1)
    assert told in str(problem.value)


def test_names_are_written_as_they_are_read() -> None:
    game: Any = load("left_move(3)")
    for name in (
        "nmcs(3)",
        "nrpa(4)",
        "sp(restarts=20)",
        "mrw(50, length=5)",
        "bast(smoothness=2.0)",
        "nrpa(4, n=50, alpha=0.5)",
        "nmcs(2, memory=false)",
        "reflexive(2)",
    ):
        assert str(algorithm_named(name, game)) == name
