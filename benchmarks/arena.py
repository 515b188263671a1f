"""What the arena itself costs: time outside searches, two processes against one, and the paper's largest experiment extrapolated.

    python benchmarks/arena.py [games, 200 unless told]

Three numbers with limits: games per second with two processes over one (at least 1.85, on an otherwise idle machine), the
share of a match at 200 iterations per decision that is spent outside of players' decisions (at most 5 %), and the Othello row
of figure 4 of icarus-2014 at its full size (16 cells of 1 000 games, 5 000 iterations), extrapolated (at most 12 h).  One
process and two take turns, and the better round of each counts: the machine may have other work.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from pathlib import Path

from icarus.arena.experiment import read_experiment
from icarus.arena.runner import run, warm
from icarus.arena.schedule import Schedule, match_schedule
from icarus.arena.store import Store

ROUNDS = 2


def main(games: int) -> None:
    schedule = match_schedule("othello", ["uct@200", "uct@200"], games, seed=1)
    warm(schedule)
    seconds, outside = {1: math.inf, 2: math.inf}, {}
    for jobs in (1, 2) * ROUNDS:
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "games", schedule, resume=False) as store:
            begun = time.perf_counter()
            records = run(schedule, jobs=jobs, store=store).records
            taken = time.perf_counter() - begun
        share = 1 - sum(sum(record.seconds) for record in records) / (jobs * taken)
        print(f"{jobs} job(s): {games / taken:6.2f} games/s, {share:5.1%} outside of decisions")
        seconds[jobs], outside[jobs] = min((seconds[jobs], outside.get(jobs, share)), (taken, share))
    print(f"two processes over one: {seconds[1] / seconds[2]:.2f} (at least 1.85)")
    print(f"outside of decisions, one process: {outside[1]:.1%} (at most 5 %)")

    row = read_experiment("icarus-fig4").schedule(scale=0.002, rows=["Othello"])
    played = Schedule(tuple(cell for cell in row.cells if cell.games), seed=1)
    warm(played)
    begun = time.perf_counter()
    count = len(run(played, jobs=2).records)
    hours = (time.perf_counter() - begun) / count * 16_000 / 3600
    print(f"icarus-fig4, Othello at the paper's size, from {count} games: {hours:.1f} h on two processes (at most 12 h)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
