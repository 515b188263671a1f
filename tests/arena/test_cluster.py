"""A Ray cluster of two local nodes, one of them killed mid-way, plays the same games as one process."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import icarus
from icarus.arena.errors import ArenaError
from icarus.arena.runner import Run
from icarus.arena.store import Store
from icarus.arena.tournament import match
from icarus.jit import JIT
from icarus.tune.study import tune

TUNING = {"budget": "60games", "at": "10", "space": "Baseline x c={0.2,0.7}", "jobs": 1}
compiled_only = pytest.mark.skipif(not JIT, reason="plays many games: too slow as plain Python")


@compiled_only
def test_a_node_that_dies_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(icarus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    victim = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    killed: list[int] = []

    def kill(state: Run) -> None:
        if not killed and state.played > 100:
            cluster.remove_node(victim, allow_graceful=False)
            killed.append(state.played)

    try:
        options = {"seed": 3, "folder": tmp_path / "games"}
        found = match("connect_four", ["random", "random"], 3000, cluster=cluster.address, progress=kill, **options)
        tuned = tune("tic_tac_toe", cluster=cluster.address, **TUNING)
    finally:
        ray.shutdown()
        cluster.shutdown()
    calm = match("connect_four", ["random", "random"], 3000, seed=3, jobs=1)
    here = tune("tic_tac_toe", **TUNING)
    assert (tuned.winner, tuned.score, tuned.low, tuned.total_games) == (here.winner, here.score, here.low, here.total_games)
    assert killed
    assert killed[0] < 3000
    assert found.standings == calm.standings
    with Store.read(tmp_path / "games") as store:
        games = sorted(calm.run.records, key=lambda record: record.number)
        assert all(a.same_game(b) for a, b in zip(store.records(), games, strict=True))


def test_without_ray_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from icarus.errors import MissingPackage

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackage, match=r"--cluster: ray is not installed; pip install ray, or .*\[cluster\]"):
        match("connect_four", ["random", "random"], 2, cluster="auto")


def test_a_cluster_that_does_not_answer_is_named_at_once() -> None:
    pytest.importorskip("ray")
    begun = time.monotonic()
    with pytest.raises(ArenaError, match=r"no Ray cluster at '127.0.0.1:9'"):
        match("tic_tac_toe", ["random", "random"], 2, cluster="127.0.0.1:9")
    assert time.monotonic() - begun < 30
