"""Solvers beside OpenSpiel's C++ ones, in one run: ``python benchmarks/equilibria.py``.

An iteration is the same on both sides: every player is the traverser once.  Both sides run on one thread, take turns, and are
timed in processor seconds; the best round of each counts.  Exit code 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import pyspiel

import icarus
from icarus.equilibrium import Mccfr
from icarus.terminal import out
from icarus.tools.bench import Ratio, take_turns

LIMIT = 3.0  #: times as fast
#: our game, OpenSpiel's, iterations of a round
GAMES = (("kuhn_poker", "kuhn_poker", 50_000), ("leduc_poker", "leduc_poker", 10_000))
THEIRS: dict[str, Callable[[Any], Any]] = {
    "external": lambda game: pyspiel.ExternalSamplingMCCFRSolver(game, 1),
    "outcome": lambda game: pyspiel.OutcomeSamplingMCCFRSolver(game, 0.6, 1),
}


def measure(rounds: int) -> list[Ratio]:
    rows = []
    for name, their_name, iterations in GAMES:
        for sampling, make in THEIRS.items():
            ours, theirs = Mccfr(icarus.load(name), sampling=sampling, seed=1), make(pyspiel.load_game(their_name))
            ours.run(iterations=100)

            def their_round(solver: Any = theirs, iterations: int = iterations) -> None:
                for _ in range(iterations):
                    solver.run_iteration()

            def our_round(solver: Mccfr = ours, iterations: int = iterations) -> None:
                solver.run(iterations=iterations)

            mine, other = take_turns(lambda run=our_round: run, lambda run=their_round: run, rounds)  # type: ignore[misc]
            rows.append(
                Ratio.of_speeds(f"mccfr({sampling}), {name}", iterations / mine, "OpenSpiel C++", iterations / other, LIMIT)
            )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.rounds)
    if options.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    else:
        from icarus.tools.bench import table_of

        out().print(table_of(rows))
    return int(any(row.passed is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
