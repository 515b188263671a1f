"""The engine's speed and memory: every measured promise with its limit, as ratios within one run.

    python benchmarks/engine.py [--json] [playouts] [openspiel] [observers] [threads] [memory] [start]

Without names everything is measured (about five minutes).  Exit code 1 if a limit is missed.  A game as a plain Python class
beside the `mcts` library of PyPI has a file of its own: python_class.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from rich.console import Console

from icarus.search import Search
from icarus.tools.bench import Ratio, against_openspiel, against_playouts, first_decision, searching, table_of, take_turns

ITERATIONS = 10_000
ROUNDS = 25  # the best of many: on a shared machine most rounds meet other people


def say(share: float, text: str) -> None:
    print(text, "...", file=sys.stderr, flush=True)


def playouts() -> list[Ratio]:
    """Search beside raw random playouts of the same compiled game."""
    return against_playouts([], iterations=ITERATIONS, rounds=ROUNDS, progress=say)


def openspiel() -> list[Ratio]:
    """Search beside OpenSpiel's C++ MCTSBot."""
    return against_openspiel([], iterations=ITERATIONS, rounds=ROUNDS, progress=say)


def observers() -> list[Ratio]:
    """What a tree per player and a determinization per iteration cost; and MO beside SO where every move is seen."""
    hidden, seen, cards = first_decision("phantom(4,4,4)"), first_decision("mnk(4,4,4)"), first_decision("kuhn_poker")
    mo, uct = take_turns(searching(hidden, ITERATIONS, algorithm="mo"), searching(seen, ITERATIONS, algorithm="uct"), ROUNDS)
    mo_cards, so_cards = take_turns(
        searching(cards, ITERATIONS, algorithm="mo"), searching(cards, ITERATIONS, algorithm="so"), ROUNDS
    )
    return [
        Ratio.of_speeds("MO-ISMCTS on phantom(4,4,4)", ITERATIONS / mo, "UCT on mnk(4,4,4)", ITERATIONS / uct, 0.4),
        # "no more than" up to what two runs of one program differ by
        Ratio.of_speeds("MO-ISMCTS on kuhn_poker", ITERATIONS / mo_cards, "SO-ISMCTS", ITERATIONS / so_cards, 0.95),
    ]


def threads() -> list[Ratio]:
    """Two threads beside one, in seconds on the clock; longer searches, since starting threads is not what is measured."""
    position, iterations = first_decision("othello"), 10 * ITERATIONS
    rows = []
    for parallel, limit in (("root", 1.8), ("tree", 1.6)):
        both = searching(position, iterations, threads=2, parallel=parallel)
        two, one = take_turns(both, searching(position, iterations), ROUNDS, clock=time.perf_counter)
        rows.append(Ratio.of_speeds(f"othello, 2 threads, {parallel}", iterations / two, "1 thread", iterations / one, limit))
    return rows


def memory() -> list[Ratio]:
    """Bytes of the table, its index included, for each record that it holds."""
    rows = []
    for name in ("othello", "connect_four", "breakthrough", "hex(11)", "mnk(4,4,4)"):
        result = Search(first_decision(name), seed=1).run(iterations=ITERATIONS)
        each = result.bytes / result.records
        rows.append(Ratio(f"{name}, bytes", "bytes", result.bytes, "records", result.records, each, 64, at_most=True))
    return rows


def start() -> list[Ratio]:
    """Seconds until `icarus search othello` has answered: with an empty cache, and with a full one."""
    command = [sys.executable, "-m", "icarus", "search", "othello", "--seed", "1", "--json"]
    with tempfile.TemporaryDirectory() as cache:

        def seconds() -> float:
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"ICARUS_CACHE": cache})
            return time.perf_counter() - begun

        cold = seconds()
        warm = min(seconds() for _ in range(5))
    rows = [("cold start", cold, 45.0), ("warm start", warm, 2.0)]
    return [Ratio(f"{name}, seconds", "seconds", value, "", 1.0, value, limit, at_most=True) for name, value, limit in rows]


MEASUREMENTS: dict[str, Callable[[], list[Ratio]]] = {
    measure.__name__: measure for measure in (playouts, openspiel, observers, threads, memory, start)
}


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
        say(0, name)
        rows += MEASUREMENTS[name]()
    if arguments.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    else:
        Console(highlight=False, width=None if sys.stdout.isatty() else 110).print(table_of(rows))
    sys.exit(int(any(row.passed is False for row in rows)))


if __name__ == "__main__":
    main()
