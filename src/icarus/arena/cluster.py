"""Games on a Ray cluster.  Ray is needed for this alone: the extra ``cluster``.

Batches of games are tasks without side effects, so that a task whose node dies is simply played again elsewhere; this process
stores the games, as it does with local processes.
"""

from __future__ import annotations

import re
import socket
from collections import deque
from collections.abc import Generator
from importlib import import_module
from typing import Any

from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, play_task
from icarus.arena.schedule import Schedule
from icarus.errors import needing

BATCH_SECONDS = 1.0
MAX_BATCH = 100
PATIENCE = 10.0  #: seconds in which a cluster must answer


def join_cluster(address: str) -> bool:
    """Connect to the cluster at ``address`` (``auto``: the one that runs on this machine, ``local``: start one here), unless this
    process is connected already; True if it was not, so that whoever asked leaves it again."""
    ray = _ray()
    if ray.is_initialized():
        return False
    _knock(address)
    try:
        ray.init(address=None if address == "local" else address, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as problem:
        raise ArenaError(f"there is no Ray cluster at {address!r}: {str(problem).splitlines()[0]}") from None
    return True


def _knock(address: str) -> None:
    """Is anybody there?  Ray itself would ask for minutes, and say a lot meanwhile."""
    place = re.fullmatch(r"(?:ray://)?\[?([^\]]+)\]?:(\d+)", address)
    if place is None:
        return
    try:
        socket.create_connection((place[1], int(place[2])), timeout=PATIENCE).close()
    except (OSError, OverflowError) as problem:
        raise ArenaError(f"there is no Ray cluster at {address!r}: {getattr(problem, 'strerror', None) or problem}") from None


def leave_cluster() -> None:
    """Disconnect; a cluster that was started here ends."""
    _ray().shutdown()


def processors() -> int:
    """Of the cluster that was joined."""
    return max(int(_ray().cluster_resources().get("CPU", 1)), 1)


def play_on_cluster(schedule: Schedule, order: list[tuple[str, int]], address: str) -> Generator[list[GameRecord], None, None]:
    """Play these games on the cluster at ``address``; see :func:`join_cluster`."""
    ray, mine = _ray(), join_cluster(address)
    play = ray.remote(num_cpus=1, max_retries=-1)(_play)
    shared = ray.put(schedule)
    flying: dict[Any, list[tuple[str, int]]] = {}
    try:
        _warm_nodes(ray, shared)
        todo, size = deque(order), 1
        while todo or flying:
            room = 2 * processors()
            while todo and len(flying) < room:
                number = max(min(size, len(todo) // room, MAX_BATCH), 1)
                batch = [todo.popleft() for _ in range(min(number, len(todo)))]
                flying[play.remote(shared, batch)] = batch
            done, _ = ray.wait(list(flying), num_returns=1)
            for reference in done:
                batch = flying.pop(reference)
                try:
                    records: list[GameRecord] = ray.get(reference)
                except ray.exceptions.RayTaskError as problem:
                    raise ArenaError(f"a game failed on the cluster: {problem.cause}") from None
                except (ray.exceptions.WorkerCrashedError, ray.exceptions.ObjectLostError, ray.exceptions.NodeDiedError):
                    todo.extendleft(reversed(batch))
                    continue
                took = sum(record.elapsed for record in records) / len(records)
                size = int(min(max(BATCH_SECONDS / max(took, 1e-6), 1), MAX_BATCH))
                yield records
    finally:
        for reference in flying:
            ray.cancel(reference, force=True)
        if mine:
            leave_cluster()


def _ray() -> Any:
    with needing("--cluster", "ray", extra="cluster"):
        return import_module("ray")


def _play(schedule: Schedule, tasks: list[tuple[str, int]]) -> list[GameRecord]:
    return [play_task(schedule, name, number) for name, number in tasks]


def _warm(schedule: Schedule) -> None:
    from icarus.arena.runner import warm

    warm(schedule)


def _warm_nodes(ray: Any, schedule: Any) -> None:
    """Compile on every node once, before all of its processors want the same code."""
    affinity = import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    warm = ray.remote(num_cpus=1)(_warm)
    ray.get([warm.options(scheduling_strategy=affinity(node, soft=True)).remote(schedule) for node in nodes])
