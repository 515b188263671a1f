"""The engine against ismcts-2012: the same random numbers must give the same choices and the same records, exactly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from icarus.game import Position
from icarus.search import Search
from tests.oracle.comparing import checkpoints, position_after
from tests.oracle.engine import random_word, records, tree_records
from tests.oracle.ismcts import Arm, Ensemble, MultipleObserver, PartiallyObservable, SingleObserver, largest
from tests.oracle.randomness import Random
from tests.oracle.states import State

PERFECT = ("mnk(3,3,3)", "connect_four", "pgame(3,4,1)", "breakthrough(5,5)")
HIDDEN = ("strategy_fusion", "kuhn_poker", "kuhn_poker(3)", "liars_dice(1,3)", "figure3")
UNSEEN_MOVES = ("figure3(True)", "phantom(3,3,3)", "phantom(3,2,2)", "bazaar(2,2)", "bazaar(3,2)")
SIMULTANEOUS = (
    "rock_paper_scissors", "matrix('3:3,0:5; 5:0,1:1')", "goofspiel(3)", "goofspiel(3,'descending')", "sealed(1)", "sealed(2)",
)  # fmt: skip
CHANCE = ("backgammon", "goofspiel(3)", "bazaar(2,2)", "bazaar(3,2)", "strategy_fusion")
LONG = {"backgammon": 12, "hearts": 12}  #: iterations for games whose playouts are long

Transcription = SingleObserver | Ensemble


def transcribe(algorithm: str, position: Position, observer: int, seed: int, even: bool) -> Transcription:
    """The transcription of what the engine calls by this name."""
    root, rng = State.of(position), Random.of(seed, stream=100)
    name, _, trees = algorithm.partition("(")
    number = int(trees.rstrip(")") or 1)
    if position.game.observe is None and name in ("pom", "mo"):
        name = "so"  # when everyone sees every action the three are the same tree

    def determinized() -> Ensemble:
        deal = Random.of(seed, stream=3)
        return Ensemble([root.determinized(observer, deal) for _ in range(number)], observer, rng, even=even)

    makers: dict[str, Callable[[], Transcription]] = {
        "uct": lambda: SingleObserver(root, observer, rng, even=even, resample=False),
        "cheating": lambda: SingleObserver(root, observer, rng, even=even, resample=False),
        "flat": lambda: SingleObserver(root, observer, rng, even=even, max_depth=1, uniform=True),
        "flat-ucb": lambda: SingleObserver(root, observer, rng, even=even, max_depth=1),
        "so": lambda: SingleObserver(root, observer, rng, even=even),
        "pom": lambda: PartiallyObservable(root, observer, rng, even=even),
        "mo": lambda: MultipleObserver(root, observer, rng, even=even),
        "determinized": determinized,
        "ensemble": lambda: Ensemble([root] * number, observer, rng, even=even),
        "cheating-ensemble": lambda: Ensemble([root] * number, observer, rng, even=even),
    }
    return makers[name]()


def assert_same_search(
    algorithm: str, position: Position, seed: int, *, observer: int | None = None, chance: str = "sample", most: int = 200
) -> None:
    """Engine and transcription agree in every record and have drawn the same random numbers, at first and later on."""
    search = Search(position, algorithm=algorithm, seed=seed, observer=observer, chance=chance, memory=1 << 24)
    twin = transcribe(algorithm, position, search.observer, seed, chance == "even")
    rng = twin.trees[0].rng if isinstance(twin, Ensemble) else twin.rng
    done = 0
    for total in checkpoints(most):
        search.run(iterations=total - done)
        twin.run(total - done)
        done = total
        assert records(search)[0] == tree_records(twin), f"records differ after {total} iterations"
        assert random_word(search) == rng.word, f"random numbers differ after {total} iterations"


@pytest.mark.parametrize("game", PERFECT)
@pytest.mark.parametrize(
    "algorithm", ["uct", "flat", "flat-ucb", "ensemble(3)", "cheating", "so", "pom", "mo", "determinized(2)"]
)
def test_perfect_information(game: str, algorithm: str) -> None:
    for seed, plies in ((1, 0), (2, 3)):
        assert_same_search(algorithm, position_after(game, plies, seed), seed)


@pytest.mark.parametrize("game", HIDDEN + UNSEEN_MOVES + SIMULTANEOUS)
@pytest.mark.parametrize(
    "algorithm", ["so", "pom", "mo", "determinized(7)", "cheating", "cheating-ensemble(3)", "flat", "flat-ucb"]
)
def test_imperfect_information(game: str, algorithm: str) -> None:
    for seed, plies in ((1, 0), (2, 1)):
        assert_same_search(algorithm, position_after(game, plies, seed), seed)


@pytest.mark.parametrize("algorithm", ["so", "pom", "mo"])
def test_passing_three_cards_at_the_same_time(algorithm: str) -> None:
    assert_same_search(algorithm, position_after("hearts", 0, 1), 1, most=LONG["hearts"])


@pytest.mark.parametrize("chance", ["sample", "even"])
@pytest.mark.parametrize("game", CHANCE)
@pytest.mark.parametrize("algorithm", ["so", "pom", "mo", "flat-ucb", "determinized(3)"])
def test_chance_by_sampling_and_by_even_visits(game: str, algorithm: str, chance: str) -> None:
    for seed, plies in ((1, 0), (2, 3)):
        assert_same_search(algorithm, position_after(game, plies, seed), seed, chance=chance, most=LONG.get(game, 200))


@pytest.mark.parametrize("game", ["kuhn_poker(3)", "phantom(3,2,2)", "bazaar(3,2)", "goofspiel(3)", "sealed(2)"])
@pytest.mark.parametrize("algorithm", ["so", "pom", "mo", "determinized(3)"])
def test_searching_for_a_player_who_does_not_act(game: str, algorithm: str) -> None:
    position = position_after(game, 1, 4)
    observer = (position.player + 1) % position.game.players
    assert_same_search(algorithm, position, 4, observer=observer)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_even_visits_are_what_ucb1_does_without_rewards(k: int) -> None:
    """Section III-C, 2: an environment that is a player with reward 0 visits equally likely outcomes in random permutations."""
    search = SingleObserver(State.of(position_after("pgame(3,4,1)", 0, 1)), 0, Random.of(k, stream=1))
    arms = {outcome: Arm(2) for outcome in range(k)}
    for _ in range(6 * k):
        unvisited = [outcome for outcome, arm in arms.items() if arm.visits == 0]
        best = unvisited or largest({outcome: search.ucb(arm, 0) for outcome, arm in arms.items()})
        assert best == largest({outcome: -arm.visits / (1 / k) for outcome, arm in arms.items()})
        outcome = search.rng.one_of(best)
        arms[outcome].visits += 1
        for arm in arms.values():
            arm.available += 1
