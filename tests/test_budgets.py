"""No budget is too small for an answer: every enhancement at the smallest memories, and a watchdog that ends what hangs."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from icarus.errors import IcarusError, SearchError
from icarus.game import play_to_decision
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.search import Search
from icarus.strategy import Strategy
from icarus.strategy.expression import PRESETS, TABLE_1, read_strategy, vocabulary
from icarus.tools.warmup import compile_piece

#: one game of each kind: perfect information, chance, hidden, simultaneous and hidden; with heuristics and predicates
GAMES = ["backgammon", "phantom(3,3,3)"] if JIT else ["phantom(3,3,3)"]
OTHERS = ["othello", "goofspiel(5)", "doudizhu"] if JIT else []
SMALLEST = 1 << 16  #: bytes that a search accepts
MEMORIES = [SMALLEST, 150_000, 400_000] if JIT else [SMALLEST]
ITERATIONS = 300 if JIT else 20
PATIENCE = 120  #: seconds for a search that takes a fraction of one


def strategies() -> list[str]:
    """Every enhancement by itself, in a simulation and beside MAST; the papers' combinations."""
    found = [*TABLE_1, *PRESETS]
    for name, kind in vocabulary().items():
        if issubclass(kind, Strategy):
            found += [f"{name}()", f"{name}() >> MAST()", f"Baseline() >> {name}()"]
    return [text for text in found if _reads(text)]


def _reads(text: str) -> bool:
    try:
        read_strategy(text)
    except IcarusError:
        return False
    return True


def search_with_next_to_nothing(name: str) -> None:
    """Every strategy at every memory, as a process of its own: a loop that never ends is ended, and its name is the last line."""
    position = play_to_decision(load(name).start(1), seeded(1))
    for piece in (("engine", ""), ("strategies", "")) if JIT else ():
        compile_piece(piece)  # no budget is for this
    for strategy in strategies():
        for memory in MEMORIES:
            for threads in (1, 2) if JIT and memory == MEMORIES[0] else (1,):
                print(f"{name} {strategy!r} in {memory} bytes, {threads} threads", flush=True)
                faulthandler.dump_traceback_later(PATIENCE, exit=True)
                try:
                    search = Search(position, strategy=strategy, seed=3, memory=memory, threads=threads)
                except IcarusError:  # a strategy that is not for this game
                    continue
                for _ in range(2):  # and again, with what is left
                    result = search.run(iterations=ITERATIONS)
                    assert result.total_iterations >= 1 and result.best.action in position.legal()
    faulthandler.cancel_dump_traceback_later()
    print("done")


@pytest.mark.parametrize("name", [*GAMES, *(pytest.param(name, marks=pytest.mark.thorough) for name in OTHERS)])
def test_every_enhancement_answers_when_memory_runs_out_at_once(name: str) -> None:
    code = f"from tests.test_budgets import search_with_next_to_nothing as run; run({name!r})"
    ended = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True)
    last = ended.stdout.strip().splitlines()[-1:]
    assert last == ["done"], f"{last} did not end well: {ended.stderr[-2000:]}"


@pytest.mark.parametrize("budget", [{"bytes": 1}, {"records": 1}, {"iterations": 1, "bytes": 1}, {"seconds": 1e-9}])
def test_the_smallest_budgets_still_give_an_answer_from_an_iteration(budget: dict[str, float]) -> None:
    result = Search("tic_tac_toe", strategy="RAVE() >> MAST()", seed=1).run(**budget)
    assert result.total_iterations >= 1 and result.best.visits >= 1


def test_a_search_goes_on_when_it_is_given_more_memory() -> None:
    search = Search("tic_tac_toe", seed=1)
    assert search.run(iterations=3000 if JIT else 300, bytes=40_000).stopped_by == "memory"
    assert search.run(iterations=100).iterations == 100


def test_every_tree_of_its_own_needs_its_share_of_memory() -> None:
    with pytest.raises(SearchError, match="65536 bytes for each of 8 trees"):
        Search("tic_tac_toe", threads=8, parallel="root", memory=100_000)
    assert Search("tic_tac_toe", seed=1, threads=8, parallel="root", memory=8 << 16).run(iterations=80).iterations == 80


#: searches of every loop: the small one, the general one, with lanes, with what is hidden, of a class in Python, on two threads
INTERRUPTED: list[tuple[str, dict[str, object]]] = [
    ("othello", {}),
    ("othello", {"strategy": "NRML"}),
    ("othello", {"strategy": "GRAVE() >> MAST()", "threads": 2}),
    ("othello", {"lanes": 64}),
    ("confrontation", {"strategy": "NRML"}),
    ("hearts", {"algorithm": "determinized(10)"}),
    ("gdl:tic_tac_toe", {"lanes": 256}),
    ("examples/tic_tac_toe_class.py", {"threads": 2}),
]


def interrupt_searches() -> None:
    """Ctrl-C soon after a search has begun: prints the processor's seconds until each has answered."""
    for name, options in INTERRUPTED:
        position = play_to_decision(load(name).start(1), seeded(1))
        Search(position, seed=1, **options).run(iterations=1)  # what must be compiled is compiled
        search, rung = Search(position, seed=1, **options), []

        def ring(rung: list[float] = rung) -> None:
            rung.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Timer(0.05, ring).start()
        result = search.run(seconds=60)
        print(json.dumps([name, options, result.stopped_by, time.process_time() - rung[0]]), flush=True)


@pytest.mark.skipif(not JIT, reason="the loop is Python then, and so is Ctrl-C")
def test_an_interrupt_is_answered_within_a_second() -> None:
    code = "from tests.test_budgets import interrupt_searches; interrupt_searches()"
    ended = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True)
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(answers) == len(INTERRUPTED), ended.stderr[-2000:]
    for name, options, ended_by, seconds in answers:
        assert ended_by == "interrupt", (name, options)
        assert seconds < options.get("threads", 1), (name, options, seconds)  # of each processor: a loaded machine takes longer


def interrupt_at_every_line() -> None:
    """An interrupt between any two lines of a search's first steps in Python; prints how many of them were tried."""
    tried = 0

    def search_with_interrupt(line: int) -> bool:
        passed = 0

        def trace(frame: Any, event: str, _: object) -> Any:
            nonlocal passed
            if not frame.f_code.co_filename.endswith(("engine/team.py", "engine/world.py")):
                return None
            if event == "line":
                passed += 1
                if passed == line:
                    raise KeyboardInterrupt
            return trace

        search = Search("tic_tac_toe", seed=1)
        spend = search.team.spend

        def traced(*arguments: Any) -> str:
            sys.settrace(trace)
            try:
                return spend(*arguments)
            finally:
                sys.settrace(None)

        search.team.spend = traced  # type: ignore[method-assign]
        result = search.run(iterations=20)
        assert result.total_iterations >= 1 and sum(row.visits for row in result.root) >= 1
        return passed >= line

    while search_with_interrupt(tried + 1):
        tried += 1
    print(tried, flush=True)


@pytest.mark.skipif(not JIT, reason="a wrong address is harmless as plain Python")
def test_an_interrupt_between_any_two_lines_leaves_a_search_sound() -> None:
    code = "from tests.test_budgets import interrupt_at_every_line; interrupt_at_every_line()"
    ended = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert ended.returncode == 0, (ended.returncode, ended.stderr[-2000:])
    assert int(ended.stdout) > 50
