"""What a search promises to the person who uses it: budgets, reproducibility, an answer in every case."""

from __future__ import annotations

import dataclasses
import gc
import io
import json
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from rich.console import Console

import icarus
from icarus import GameError, Search, SearchError
from icarus.game import Game, Position, compiled
from icarus.jit import JIT
from icarus.jit.randomness import mix
from icarus.loading import load
from tests.oracle.engine import ALL_MOVES, records

FEW = 2000 if JIT else 60
compiled_only = pytest.mark.skipif(not JIT, reason="a statement about compiled speed or threads")


def visits(result: icarus.SearchResult) -> dict[str, int]:
    return {row.label: row.visits for row in result.root}


# --- budgets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["uct", "flat", "flat-ucb", "ensemble(7)"])
def test_exactly_the_iterations_asked_for_are_spent(algorithm: str) -> None:
    result = icarus.search("mnk(3,3,3)", algorithm=algorithm, iterations=FEW, seed=1)
    assert result.iterations == FEW == sum(visits(result).values())
    assert result.stopped_by == "iterations"


@compiled_only
@pytest.mark.parametrize(("algorithm", "threads"), [("uct", 1), ("uct", 2), ("ensemble(10)", 1)])
def test_a_time_budget_is_overrun_by_less_than_50_ms(algorithm: str, threads: int) -> None:
    search = Search("othello", algorithm=algorithm, threads=threads, seed=1)
    search.run(iterations=100)
    shortest = min(abs(search.run(seconds=0.2).seconds - 0.2) for _ in range(4))
    assert shortest < 0.05


@pytest.mark.parametrize("limit", [1 << 17, 1 << 20])
def test_memory_is_never_exceeded_and_there_is_still_an_answer(limit: int) -> None:
    search = Search("mnk(5,5,4)", memory=limit, seed=1)
    result = search.run(iterations=200_000 if JIT else 3000)
    if JIT:
        assert result.stopped_by == "memory"
    assert result.bytes <= limit
    assert result.best.visits > 0


def test_a_budget_of_records_ends_the_search_within_one_iteration() -> None:
    result = Search("mnk(4,4,4)", seed=1).run(records=500)
    assert result.stopped_by == "records"
    assert 500 <= result.records <= 500 + 17


def test_a_budget_of_bytes_can_be_smaller_than_the_memory() -> None:
    result = Search("mnk(4,4,4)", seed=1).run(bytes=200_000)
    assert result.stopped_by == "memory"
    assert result.bytes <= 200_000


def test_memory_per_record_is_at_most_64_bytes() -> None:
    if not JIT:
        pytest.skip("needs a tree of some size")
    result = icarus.search("othello", iterations=10_000, seed=1)
    assert result.bytes / result.records <= 64


@pytest.mark.parametrize("budget", [{}, {"iterations": 0}, {"seconds": -1.0}, {"records": 0}])
def test_a_search_without_a_budget_is_refused(budget: dict[str, int]) -> None:
    with pytest.raises(SearchError, match="budget"):
        Search("mnk(3,3,3)").run(**budget)


# --- reproducible ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        ("mnk(3,3,3)", "uct"),
        ("phantom(3,3,3)", "mo"),
        ("phantom(3,3,3)", "pom"),
        ("kuhn_poker", "determinized(5)"),
        ("goofspiel(4)", "so"),
    ],
)
def test_one_seed_gives_identical_statistics(game: str, algorithm: str) -> None:
    position = icarus.load(game).start(3)
    while position.player < 0:
        position.apply(position.legal()[0])
    first, second, other = (Search(position, algorithm=algorithm, seed=seed).run(iterations=FEW).root for seed in (5, 5, 6))
    assert first == second
    assert first != other


def test_a_search_can_be_continued() -> None:
    search = Search("mnk(3,3,3)", seed=4)
    search.run(iterations=FEW // 2)
    result = search.run(iterations=FEW // 2)
    assert result.iterations == FEW // 2 and result.total_iterations == FEW
    assert visits(result) == visits(Search("mnk(3,3,3)", seed=4).run(iterations=FEW))


@compiled_only
def test_several_lanes_do_as_many_iterations_with_virtual_loss() -> None:
    result = icarus.search("connect_four", iterations=5000, lanes=16, seed=1)
    assert sum(visits(result).values()) == result.iterations == 5000
    assert result.best.label == "4"


@compiled_only
def test_one_seed_gives_identical_statistics_with_several_lanes() -> None:
    first, second = (icarus.search("othello", iterations=5000, lanes=4, seed=1).root for _ in range(2))
    assert first == second


# --- stopping --------------------------------------------------------------------------------------------------------


@compiled_only
def test_another_thread_can_stop_a_search() -> None:
    search = Search("othello", seed=1)
    threading.Timer(0.2, search.stop).start()
    begun = time.perf_counter()
    result = search.run(seconds=30)
    assert time.perf_counter() - begun < 5
    assert result.stopped_by == "stop" and result.best.visits > 0


@compiled_only
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_the_search_with_an_answer(threads: int) -> None:
    code = f"""
        import icarus
        search = icarus.Search("othello", seed=1, threads={threads})
        search.run(iterations=10)
        print("ready", flush=True)
        result = search.run(seconds=60)
        print(result.stopped_by, result.best.visits > 0)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert output == "interrupt True\n" and process.returncode == 0


def test_progress_is_told_and_ends_at_one() -> None:
    shares: list[float] = []
    Search("mnk(3,3,3)", seed=1).run(iterations=FEW, progress=lambda p: shares.append(p.share))
    assert shares == sorted(shares) and shares[-1] == 1


# --- many threads ----------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("parallel", ["tree", "root"])
@pytest.mark.parametrize("game", ["connect_four", "phantom(4,4,4)"])
def test_threads_lose_no_iteration(parallel: str, game: str) -> None:
    result = icarus.search(game, iterations=20_000, threads=4, parallel=parallel, seed=1)
    assert sum(visits(result).values()) == result.iterations == 20_000


@compiled_only
def test_a_shared_tree_holds_every_record_once() -> None:
    search = Search("mnk(3,3,3)", threads=4, parallel="tree", seed=1)
    search.run(iterations=50_000)
    children = search.tree.root.children
    assert sorted(child.move for child in children) == list(range(9))
    assert sum(child.visits for child in children) == 50_000
    assert all(child.available == 50_000 for child in children)


@compiled_only
def test_threads_on_one_tree_count_every_trial_of_every_child() -> None:
    search = Search("connect_four", threads=4, parallel="tree", seed=1)
    result = search.run(iterations=30_000)
    assert sum(row.visits for row in result.root) == 30_000
    assert all(row.availability == 30_000 for row in result.root)
    for row in result.root:
        assert min(row.mean) >= 0.0 and sum(row.mean) == pytest.approx(1.0)


@compiled_only
@pytest.mark.parametrize("strategy", ["RAVE(c=0.2, formula='cadia')", "GRAVE(ref=5)", "HRAVE()"])
def test_threads_on_one_tree_count_every_later_move(strategy: str) -> None:
    search = Search("mnk(3,3,3)", strategy=strategy, threads=4, parallel="tree", seed=1)
    result = search.run(iterations=20_000)
    assert sum(row.visits for row in result.root) == 20_000
    root = int(search.team.trees[0].history[0])
    later = records(search)[1][int(mix(root, ALL_MOVES + 31))]
    for row in result.root:
        visits, available, rewards = later[row.action]
        assert row.visits <= visits == available <= 20_000
        assert 0 <= rewards[0] <= visits


@compiled_only
def test_many_threads_that_make_many_contexts_find_the_index_large_enough() -> None:
    result = icarus.search("othello", strategy="Baseline() >> NAST(3)", iterations=6000, threads=8, parallel="tree", seed=1)
    assert result.stopped_by == "iterations" and result.iterations == 6000


@compiled_only
def test_a_game_that_breaks_in_one_thread_stops_them_all() -> None:
    broken = dataclasses.replace(load("connect_four"), max_plies=9)
    with pytest.raises(GameError, match="breaks its contract"):
        Search(broken, threads=2, parallel="root", seed=1).run(seconds=30)


def test_memory_that_is_used_again_is_clean() -> None:
    def search(seed: int) -> tuple[int, list[tuple[int, int, list[float]]]]:
        searching = Search("mnk(3,3,3)", strategy="NRL", seed=seed, memory=1 << 22)
        result = searching.run(iterations=300)
        place = searching.team.tables[0].pool.__array_interface__["data"][0]
        return place, [(row.action, row.visits, row.mean) for row in result.root]

    place, fresh = search(seed=1)
    assert search(seed=2)[0] == place
    assert search(seed=1) == (place, fresh)


def test_memory_that_someone_holds_is_not_used_again() -> None:
    search = Search("mnk(3,3,3)", seed=1)
    search.run(iterations=100)
    part = search.team.tables[0].pool[:1000]
    before = part.copy()
    del search
    gc.collect()
    icarus.search("mnk(3,3,3)", iterations=200, seed=2)
    assert (part == before).all() and before.any()


# --- the game moves on -----------------------------------------------------------------------------------------------


def test_the_tree_is_kept_when_the_game_moves_on() -> None:
    search = Search("mnk(3,3,3)", seed=1)
    first = search.run(iterations=4 * FEW)
    position = search.position.copy().apply(first.best.action)
    position.apply(position.legal()[0])
    kept = search.advance(position)
    assert 0 < kept < 1
    rows = {row.action: row.visits for row in search.result().root}
    assert sum(rows.values()) == pytest.approx(kept * first.iterations)
    result = search.run(iterations=FEW)
    assert sum(row.visits for row in result.root) == sum(rows.values()) + FEW
    assert result.kept == kept


def test_with_hidden_moves_only_what_the_player_saw_is_used() -> None:
    game = icarus.load("phantom(3,3,3)")
    statistics = []
    for reply in ("a1", "c3"):
        search = Search(game.start(), algorithm="mo", seed=2)
        search.run(iterations=FEW)
        position = search.position.copy()
        for move in ("b2", reply):
            position.apply(position.parse_action(move))
        search.advance(position)
        statistics.append(search.run(iterations=FEW).root)
    assert statistics[0] == statistics[1]


def test_a_position_that_does_not_follow_starts_afresh() -> None:
    search = Search("mnk(3,3,3)", seed=1)
    search.run(iterations=FEW)
    elsewhere = icarus.load("mnk(3,3,3)").start()
    assert search.advance(elsewhere) == 0
    assert search.run(iterations=FEW).total_iterations == FEW


# --- the decision ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("final", ["robust", "max", "max-robust", "secure"])
def test_every_final_move_rule_takes_an_immediate_win(final: str) -> None:
    position = icarus.load("mnk(3,3,3)").start()
    for move in ("a1", "b1", "a2", "b2"):
        position.apply(position.parse_action(move))
    assert Search(position, final=final, seed=1).run(iterations=FEW).best.label == "a3"


def test_flat_search_decides_by_the_mean() -> None:
    result = icarus.search("mnk(3,3,3)", algorithm="flat", iterations=4 * FEW, seed=1)
    assert result.final == "max"
    assert result.best.mean[0] == max(row.mean[0] for row in result.root)


def test_the_result_speaks_json_text_and_html() -> None:
    result = icarus.search("mnk(3,3,3)", iterations=FEW, seed=1)
    data = json.loads(result.to_json())
    assert data["best"]["label"] == result.best.label
    assert {"action", "label", "visits", "availability", "mean"} <= set(data["root"][0])
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(result)
    assert result.best.label in console.export_text()
    page = result._repr_html_()
    assert "<table>" in page and page.count("<b>") == page.count("</b>")
    assert sum(result.phases.values()) == pytest.approx(1)


def test_mo_costs_no_more_records_than_so_where_every_move_is_seen() -> None:
    mo, so = (icarus.search("liars_dice", algorithm=name, iterations=FEW, seed=1) for name in ("mo", "so"))
    assert mo.root == so.root and mo.records == so.records


# --- bad input -------------------------------------------------------------------------------------------------------


def finished() -> Position:
    position = icarus.load("mnk(3,3,3)").start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position.apply(position.parse_action(move))
    return position


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"observer": 7}, "no player 7"),
        ({"algorithm": "uctt"}, "did you mean uct"),
        ({"threads": 0}, "threads=0"),
        ({"parallel": "leaf"}, "parallel"),
        ({"final": "best"}, "final"),
        ({"chance": "odd"}, "chance"),
        ({"memory": 10}, "memory"),
        ({"memory": 1 << 60}, "does not give that many bytes"),
        ({"memory": 1 << 80}, "does not give that many bytes"),
        ({"algorithm": "flat(3)"}, "takes no parameters"),
    ],
)
def test_bad_options_are_refused_with_what_is_possible(options: dict[str, object], words: str) -> None:
    with pytest.raises(SearchError, match=words):
        Search("mnk(3,3,3)", **options)  # type: ignore[arg-type]


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(SearchError, match="over"):
        Search(finished())


def test_uct_does_not_peek_into_hidden_games() -> None:
    with pytest.raises(SearchError, match="hides"):
        Search("phantom(3,3,3)", algorithm="uct")


@compiled
def one(state):
    return 0


@compiled
def nothing(state, rng):
    pass


@compiled
def play(state, action):
    state[0] += 1


@compiled
def two_actions(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


@compiled
def no_actions(state, actions):
    return 0


@compiled
def too_many(state, actions):
    return 9


@compiled
def negative(state, actions):
    actions[0] = -5
    return 1


@compiled
def after_three(state):
    return state[0] >= 3


@compiled
def half(state, out):
    out[0] = 0.5


@compiled
def too_much(state, out):
    out[0] = 1.5


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"legal": no_actions}, "no legal action"),
        ({"legal": too_many}, "9 actions"),
        ({"legal": negative}, "action -5"),
        ({"terminal": one}, "max_plies"),
        ({"rewards": too_much}, r"not in \[0, 1\]"),
    ],
)
def test_a_game_that_breaks_its_contract_gets_one_clear_line(changes: dict[str, object], words: str) -> None:
    functions = {"initial": nothing, "player": one, "legal": two_actions, "apply": play, "terminal": after_three, "rewards": half}
    game = Game(name="broken", players=1, state_size=1, max_actions=8, max_plies=5, **{**functions, **changes})
    with pytest.raises(GameError, match=words) as caught:
        Search(game, seed=1).run(iterations=10)
    assert "\n" not in str(caught.value)


# --- the compile cache -----------------------------------------------------------------------------------------------

GAME_FILE = """
from icarus.game import Game, compiled
from helper import prize

@compiled
def initial(state, rng):
    pass

@compiled
def player(state):
    return 0

@compiled
def legal(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2

@compiled
def apply(state, action):
    state[0] = 1 + action

@compiled
def terminal(state):
    return state[0] > 0

@compiled
def rewards(state, out):
    out[0] = prize(state[0])

game = Game(name="prize", players=1, state_size=1, max_actions=2, max_plies=1, initial=initial, player=player, legal=legal,
            apply=apply, terminal=terminal, rewards=rewards)
"""
HELPER_FILE = """
from icarus.game import compiled

@compiled
def prize(choice):
    return 1.0 if choice == {winner} else 0.0
"""


def test_a_changed_source_is_never_run_from_a_stale_cache(tmp_path: Path) -> None:
    """The helper's file changes, the game's own does not: exactly what Numba's cache does not notice."""
    (tmp_path / "prize_game.py").write_text(GAME_FILE)
    code = (
        "import sys; sys.dont_write_bytecode = True; import icarus; "
        "print(icarus.search(sys.argv[1], iterations=50, seed=1).best.action)"
    )
    answers = []
    for winner in (1, 2, 1):
        (tmp_path / "helper.py").write_text(HELPER_FILE.format(winner=winner))
        command = [sys.executable, "-c", code, str(tmp_path / "prize_game.py")]
        finished_run = subprocess.run(command, capture_output=True, text=True)
        assert finished_run.returncode == 0, finished_run.stderr
        answers.append(finished_run.stdout.strip())
    assert answers == ["0", "1", "0"]


def test_pom_refuses_a_heuristic_that_it_could_only_ask_about_moves() -> None:
    game = icarus.load("phantom(3,3,3)")
    known = dataclasses.replace(game, heuristic=likes)
    with pytest.raises(SearchError, match="use mo or so"):
        Search(known, algorithm="pom", strategy="ProgressiveBias()", seed=1)
    assert Search(known, algorithm="mo", strategy="ProgressiveBias()", seed=1).run(iterations=FEW // 10).best.visits > 0


@compiled
def likes(state, action):
    return 0.5


@compiled
def at_once(state):
    return 1


def test_a_copy_of_a_game_with_another_function_calls_that_one() -> None:
    game = icarus.load("connect_four")
    assert not game.start(1).is_terminal
    assert dataclasses.replace(game, terminal=at_once).start(1).is_terminal and not game.start(1).is_terminal


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "phantom(3,3,3)"])
def test_a_position_that_is_played_on_is_advanced_to_as_well_as_its_copy(game: str) -> None:
    """The same object, changed by its owner, is another position than the one that was searched."""
    played_on = icarus.load(game).start(1)
    copied = played_on.copy()
    first, second = Search(played_on, seed=2), Search(copied, seed=2)
    for _ in range(2):
        one, other = first.run(iterations=200), second.run(iterations=200)
        assert one.root == other.root
        copied = copied.copy()
        for position in (played_on, copied):
            position.apply(one.best.action)
        assert first.advance(played_on) == second.advance(copied)
