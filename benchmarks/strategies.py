"""What strategies cost: every measured promise with its limit, as ratios within one run.

    python benchmarks/strategies.py [--json] [enhancements] [grave] [own] [start]

Without names everything is measured (about two minutes).  Searches run on one thread with 10 000 iterations; the two sides of a
ratio take turns and the best round of each counts.  Exit code 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from icarus.tools.bench import Ratio, first_decision, searching, table_of, take_turns

ITERATIONS = 10_000
ROUNDS = 25  # the best of many: on a shared machine most rounds meet other people
MY_NAST = Path(__file__).parents[1] / "examples" / "my_nast.py"


def beside(game: str, ours: str, theirs: str, limit: float) -> Ratio:
    """Iterations per second of one strategy beside another on the same position."""
    position = first_decision(game)
    mine, other = take_turns(
        searching(position, ITERATIONS, strategy=ours), searching(position, ITERATIONS, strategy=theirs), ROUNDS
    )
    name = ours.replace(str(MY_NAST), f"examples/{MY_NAST.name}")
    return Ratio.of_speeds(f"{name}, {game}", ITERATIONS / mine, theirs, ITERATIONS / other, limit)


def enhancements() -> list[Ratio]:
    """A simulation that reads and writes records, beside a uniformly random one."""
    return [
        beside("othello", "Baseline() >> NAST(2)", "Baseline()", 0.4),
        beside("othello", "RAVE() >> (MAST() + LGRF() + NAST(2)) / 3", "Baseline()", 0.25),
    ]


def grave() -> list[Ratio]:
    """GRAVE keeps every later move at every node, and looks for the ancestor to read.

    Beside RAVE as rave-variants-2016 compares them, with the same formula and exploration, and beside RAVE as in icarus-2014,
    which keeps records at fewer nodes.
    """
    return [
        beside("breakthrough", "GRAVE()", "RAVE(c=0.2, formula='cadia')", 0.85),
        beside("breakthrough", "GRAVE()", "RAVE()", 0.85),
    ]


def own() -> list[Ratio]:
    """An enhancement in a user's file beside its built-in twin."""
    return [beside("othello", f"Baseline() >> {MY_NAST}:MyNAST()", "Baseline() >> NAST(2)", 0.95)]


def start() -> list[Ratio]:
    """Seconds from an expression that this process has never seen to its first iteration, the compile cache being warm.

    A process of its own, so that nothing is in memory yet; what Python and the package take to import is not counted.
    """
    script = (
        "import time; from icarus.engine.drive.lockstep import run; from icarus.search import Search; "
        "begun = time.perf_counter(); "
        "Search('othello', strategy='RAVE(k={k}) >> (MAST(tau=0.{k}) + NAST(3) + LGRF2()) / 3', seed=1).run(iterations=1); "
        "print(time.perf_counter() - begun)"
    )

    def seconds(k: int) -> float:
        done = subprocess.run([sys.executable, "-c", script.format(k=k)], check=True, capture_output=True, text=True)
        return float(done.stdout)

    seconds(11)  # whatever is not compiled yet is compiled now
    value = min(seconds(k) for k in (12, 13, 14))
    return [Ratio("new expression on othello, first iteration, seconds", "seconds", value, "", 1.0, value, 2.0, at_most=True)]


MEASUREMENTS: dict[str, Callable[[], list[Ratio]]] = {measure.__name__: measure for measure in (enhancements, grave, own, start)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measurement", nargs="*", help=f"{', '.join(MEASUREMENTS)}; default: all")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for name in arguments.measurement:
        if name not in MEASUREMENTS:
            parser.error(f"there is no measurement {name!r}; there are {', '.join(MEASUREMENTS)}")
    rows = []
    for name in arguments.measurement or MEASUREMENTS:
        print(name, "...", file=sys.stderr, flush=True)
        rows += MEASUREMENTS[name]()
    if arguments.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    else:
        Console(highlight=False, width=None if sys.stdout.isatty() else 130).print(table_of(rows))
    sys.exit(int(any(row.passed is False for row in rows)))


if __name__ == "__main__":
    main()
