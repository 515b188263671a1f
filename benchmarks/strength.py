"""What enhancements are worth at equal iterations: seeded matches against the baseline, with intervals.

    python benchmarks/strength.py [games, 200 unless told]

RAVE in hex(7) and breakthrough, NAST in othello; half of the games on each side, the same random numbers in every run.
Exit code 1 if one of them does not beat the baseline (the lower end of the 95 % interval is at most one half).
"""

from __future__ import annotations

import sys

from icarus.arena.match import outcome
from icarus.arena.runner import run, warm
from icarus.arena.schedule import match_schedule
from icarus.arena.statistics import clopper_pearson

MATCHES = (
    ("hex(7)", "RAVE()", 400),
    ("breakthrough", "RAVE(c=0.2, formula='cadia')", 1000),
    ("othello", "Baseline() >> NAST(2)", 400),
)


def main(games: int) -> None:
    beaten = 0
    for game, strategy, iterations in MATCHES:
        schedule = match_schedule(game, [f"uct[{strategy}]@{iterations}", f"uct[-]@{iterations}"], games, seed=1)
        warm(schedule)
        cell = schedule.cells[0]
        score = sum(outcome(cell, record, 0) for record in run(schedule).records)
        low, high = clopper_pearson(score, games)
        beaten += low > 0.5
        print(f"{game:14}{strategy:32}{iterations:6} iterations: {score:5.1f} of {games}, 95 % interval {low:.1%} to {high:.1%}")
    sys.exit(int(beaten < len(MATCHES)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
