"""What proofs cost and what they bring.

    python benchmarks/proofs.py [--json]    # speed of UCT with proofs beside UCT, with its limit
    python benchmarks/proofs.py --solve     # iterations until the start of small games is proven

The two sides of a ratio take turns on one thread, and the best round of each counts.  Exit code 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys

from rich.console import Console

from icarus.bench import Ratio, first_decision, searching, table_of, take_turns
from icarus.search import Search

ITERATIONS = 10_000
ROUNDS = 25  # the best of many: on a shared machine most rounds meet other people
LIMITS = {"othello": 0.9, "connect_four": 0.9}
SMALL = ("tic_tac_toe", "mnk(4,3,3)", "mnk(4,4,3)", "domineering(4,4)", "clobber(3,3)", "clobber(3,4)", "breakthrough(4,5)")


def beside(game: str, limit: float) -> Ratio:
    """Iterations per second of UCT with proofs beside UCT."""
    position = first_decision(game)
    mine, other = take_turns(searching(position, ITERATIONS, solve=True), searching(position, ITERATIONS), ROUNDS)
    return Ratio.of_speeds(f"uct(solve), {game}", ITERATIONS / mine, "uct", ITERATIONS / other, limit)


def solved(most: int, rounds: int) -> None:
    """How many iterations it takes to prove the start of small games."""
    for game in SMALL:
        needed, proven = [], set()
        for seed in range(rounds):
            result = Search(game, seed=seed, solve=True).run(iterations=most)
            needed.append(float(result.iterations) if result.stopped_by == "proven" else float("inf"))
            proven.add(str(result.proven))
        print(f"{game:18} {'/'.join(sorted(proven)):6} {statistics.median(needed):12,.0f} iterations", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solve", action="store_true", help="iterations until small positions are proven")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    options = parser.parse_args()
    if options.solve:
        solved(3_000_000, 3)
    else:
        ratios = [beside(game, limit) for game, limit in LIMITS.items()]
        if options.as_json:
            print(json.dumps([ratio.as_dict() for ratio in ratios], indent=2))
        else:
            Console(highlight=False, width=None if sys.stdout.isatty() else 130).print(table_of(ratios))
        sys.exit(int(any(ratio.passed is False for ratio in ratios)))
