"""Searches that take turns: fair shares, budgets, an answer at once however many machines think; and trees that can be opened."""

from __future__ import annotations

import threading
import time

import pytest

from icarus.arena.clock import Bank
from icarus.game import ENVIRONMENT, step_randomly
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.search import Search, warm_up
from icarus.web.explorer import open_node
from icarus.web.limits import Refused
from icarus.web.thinking import Job, Thinker

PATIENCE = 120.0


def searching(name: str, algorithm: str | None = None, seed: int = 1):
    """What begins a search from the first decision of a game."""
    position, rng = load(name).start(seed), seeded(seed, stream=5)
    while position.player == ENVIRONMENT:
        step_randomly(position, rng)
    return lambda memory: Search(position, algorithm=algorithm, seed=seed, memory=memory)


@pytest.fixture
def thinker():
    warm_up()
    made = Thinker(threads=2)
    yield made
    made.close()


def finished(thinker: Thinker, *wanted: tuple[str, dict]) -> list[Job]:
    """Run jobs at the same time until all are done."""
    left = threading.Semaphore(0)
    jobs = [Job(searching(name), limit=PATIENCE, done=lambda job: left.release(), **budget) for name, budget in wanted]
    for job in jobs:
        thinker.submit(job)
    for _ in jobs:
        assert left.acquire(timeout=PATIENCE)
    return jobs


def test_iterations_are_kept_to_exactly(thinker):
    (job,) = finished(thinker, ("tic_tac_toe", {"iterations": 12345, "seconds": None}))
    assert job.result.total_iterations == 12345


def test_a_managed_machine_stops_when_decided_and_thinks_longer_when_behind(thinker):
    bank = Bank(iterations=200_000, seconds=None)
    (job,) = finished(thinker, ("tic_tac_toe", {"iterations": 200_000, "seconds": None, "bank": bank}))
    spent = job.result.total_iterations
    visits = [row.visits for row in job.result.root]
    assert spent < 200_000 and visits[0] - visits[1] > 200_000 - spent, "no other can catch up"
    assert bank.saved == 200_000 - spent
    bank.iterations, bank.saved = 300, 1000.0
    bank.is_behind = lambda result: True  # type: ignore[method-assign]
    (job,) = finished(thinker, ("connect_four", {"iterations": 300, "seconds": None, "bank": bank}))
    assert job.result.total_iterations > 300 and job.result.total_iterations + bank.saved == 300 + 1000


def test_seconds_are_time_on_the_clock_however_many_think(thinker):
    finished(thinker, ("othello", {"iterations": 10, "seconds": None}))
    begun = time.perf_counter()
    jobs = finished(thinker, *[("othello", {"iterations": None, "seconds": 0.5})] * 40)
    # all forty together, not one after the other, which would take ten seconds on two threads
    assert time.perf_counter() - begun < 8.0
    assert all(job.result.total_iterations > 0 for job in jobs)


def test_searches_take_turns_in_order():
    warm_up()
    turns: list[Job] = []
    enough = threading.Event()

    class Watched(Job):
        def step(self, memory: int) -> bool:
            turns.append(self)
            if len(turns) == 60:
                enough.set()
            return super().step(memory)

    thinker = Thinker(threads=1)
    for _ in range(8):
        thinker.submit(Watched(searching("othello"), iterations=10**9, seconds=None, limit=PATIENCE, done=lambda job: None))
    assert enough.wait(PATIENCE)
    thinker.close()
    everyone_waits = max(turns.index(job) for job in set(turns[:60]))
    rounds = turns[everyone_waits:60]
    assert len(set(rounds[:8])) == 8
    assert all(later is earlier for earlier, later in zip(rounds, rounds[8:], strict=False))


@pytest.mark.parametrize("name", ["othello", "gdl:connect_four", "examples/tic_tac_toe_class.py"])
def test_searches_of_one_game_at_the_same_time_do_not_disturb_each_other(thinker, name):
    game = load(name)
    iterations = 300 if name.endswith(".py") else 3000
    alone = Search(game.start(1), seed=1, memory=8 << 20).run(iterations=iterations)
    left, jobs = threading.Semaphore(0), []
    for _ in range(5):
        begin = lambda memory: Search(game.start(1), seed=1, memory=memory)  # noqa: E731  # a job makes its own search
        jobs.append(Job(begin, iterations=iterations, seconds=None, limit=PATIENCE, done=lambda job: left.release()))
        thinker.submit(jobs[-1])
    for _ in jobs:
        assert left.acquire(timeout=PATIENCE)
    for job in jobs:
        assert [(row.action, row.visits) for row in job.result.root] == [(row.action, row.visits) for row in alone.root]


def test_a_search_that_fails_says_so_and_the_others_go_on(thinker):
    heard = threading.Event()

    def broken(memory: int) -> Search:
        raise ValueError("no such board")

    job = Job(broken, iterations=10, seconds=None, limit=1.0, done=lambda job: heard.set())
    thinker.submit(job)
    assert heard.wait(PATIENCE)
    assert "no such board" in job.problem and job.result is None
    (other,) = finished(thinker, ("tic_tac_toe", {"iterations": 100, "seconds": None}))
    assert other.result.total_iterations == 100


def test_a_cancelled_search_ends_soon_and_reports_nothing(thinker):
    heard = threading.Event()
    told = threading.Event()
    job = Job(
        searching("othello"),
        iterations=None,
        seconds=PATIENCE,
        limit=PATIENCE,
        done=lambda job: heard.set(),
        progress=lambda job: told.set(),
    )
    thinker.submit(job)
    assert told.wait(PATIENCE)
    job.cancel()
    finished(thinker, ("tic_tac_toe", {"iterations": 100, "seconds": None}))
    assert thinker.active <= 1 and not heard.is_set()


# --- trees -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        ("tic_tac_toe", "uct"),
        ("backgammon", "uct"),
        ("phantom", "mo"),
        ("phantom", "so"),
        ("phantom", "pom"),
        ("phantom", "determinized(3)"),
        ("goofspiel", "mo"),
        ("goofspiel", "so"),
        ("hearts_round", "mo"),
        ("doudizhu", "mo"),
    ],
)
def test_opening_the_most_visited_child_again_and_again_leads_down_a_real_line(game, algorithm):
    search = searching(game, algorithm)(64 << 20)
    result = search.run(iterations=4000)
    root = open_node(search, [])
    if algorithm != "determinized(3)":
        assert {row["action"]: row["visits"] for row in root["children"]} == {
            row.action: row.visits for row in result.root if row.visits
        }
    path: list[int] = []
    node = root
    while node["children"] and len(path) < 3:
        best = node["children"][0]
        assert all(0 <= mean <= 1 for mean in best["mean"])
        path.append(best["action"])
        below = open_node(search, path)
        inside = sum(child["visits"] for child in below["children"])
        assert inside <= best["visits"] * (1 if game == "tic_tac_toe" else 50)
        node = below
    assert len(path) >= 2, "the tree is deeper than its root"


def test_in_a_tree_of_actions_visits_add_up():
    search = searching("tic_tac_toe")(64 << 20)
    search.run(iterations=3000)
    for child in open_node(search, [])["children"]:
        below = open_node(search, [child["action"]])
        assert sum(row["visits"] for row in below["children"]) == child["visits"] - 1  # its first visit was its expansion


def test_a_line_that_is_not_in_the_tree_is_refused():
    search = searching("tic_tac_toe")(64 << 20)
    search.run(iterations=500)
    for path in ([99], [0, 0], [-1], [0] * 1000):
        with pytest.raises(Refused):
            open_node(search, path)
