"""Searches for tables: how one is set up, and what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from icarus.arena.clock import Bank
from icarus.drawing import moves
from icarus.game import Position
from icarus.jit.randomness import mix
from icarus.network.searching import AnySearch, NetworkSearch
from icarus.search import Search, default_solve
from icarus.web.limits import Limits
from icarus.web.messages import thought_of
from icarus.web.strength import Strength
from icarus.web.thinking import Job


def make_job(
    limits: Limits,
    *,
    position: Position | Callable[[], Position],
    seat: int,
    strength: Strength,
    salt: tuple[int, int],
    done: Callable[[Job], None],
    progress: Callable[[Job], None] | None,
    bank: Bank | None = None,
) -> Job:
    """A search that is done for a table, and tells the event loop what it finds.

    ``salt``: what its random numbers depend on; ``done`` and ``progress`` are called in the event loop's thread.
    """
    loop = asyncio.get_running_loop()

    def begin(memory: int) -> AnySearch:
        here = position() if callable(position) else position
        seed = int(mix(*salt)) & (2**62 - 1)
        if strength.asks:
            return NetworkSearch(here, algorithm=strength.algorithm, observer=seat, seed=seed, memory=memory)
        return Search(
            here,
            algorithm=strength.algorithm or None,
            strategy=strength.strategy,
            observer=seat,
            seed=seed,
            memory=memory,
            final=strength.final or None,
            transpositions=strength.transpositions,
            solve=None
            if strength.transpositions
            else default_solve(here.game, strength.algorithm or None, strength.strategy, strength.seconds),
        )

    def tell(call: Callable[[Job], None], job: Job) -> None:
        loop.call_soon_threadsafe(call, job)

    return Job(
        begin,
        iterations=strength.iterations,
        seconds=strength.seconds,
        limit=limits.seconds if strength.strength is None else min(limits.seconds, limits.pace.longest),
        done=partial(tell, done),
        progress=None if progress is None else partial(tell, progress),
        bank=bank,
    )


def job_thought(job: Job) -> dict[str, Any]:
    """What a job has found so far, with the time that it really ran."""
    assert job.result is not None
    if job.keys is None:
        job.keys = {} if job.search is None else moves(job.search.position)
    thought = thought_of(job.result, job.keys)
    thought["seconds"] = round(job.seconds, 3)
    thought["speed"] = round(thought["iterations"] / max(job.spent, 1e-6))
    return thought
