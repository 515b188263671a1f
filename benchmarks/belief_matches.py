"""Belief over uniform determinizations, on paired deals: ``python benchmarks/belief_matches.py [GAME...] [--keep FILE]``.

Each deal is played once by players without a belief, and once for every seat with a player there that has one: what the
belief is worth is the difference of that seat's rewards, averaged over the seats of a deal, with a 95 % interval over
deals.  Two budgets: equal iterations, and equal time.  ``--keep`` writes a line per deal as soon as it is played; a later
run plays only what is missing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

import icarus
from icarus.arena.match import play
from icarus.arena.players import read_player
from icarus.arena.statistics import paired
from icarus.terminal import out

GAMES = ("doudizhu", "hearts_round", "phantom(4,4,4)", "liars_dice(2,6)")


def deal(name: str, budget: str, particles: int, seed: int) -> dict[str, Any]:
    """The rewards of every seat, without a belief and with one in that seat."""
    game = icarus.load(name)
    plain, believing = read_player(f"mo@{budget}"), read_player(f"mo@{budget},belief={particles}")
    without = play(game, [plain] * game.players, seed, seed)[0].rewards()
    with_belief = []
    for seat in range(game.players):
        seated = [believing if other == seat else plain for other in range(game.players)]
        with_belief.append(play(game, seated, seed, seed)[0].rewards()[seat])
    return {"game": name, "budget": budget, "particles": particles, "deal": seed, "without": without, "with": with_belief}


def summary(name: str, budget: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    first = [statistics.mean(row["with"]) for row in rows]
    second = [statistics.mean(row["without"]) for row in rows]
    found: dict[str, Any] = {"game": name, "budget": budget, "deals": len(rows)}
    if len(rows) < 2:
        return found | {"difference": None, "low": None, "high": None}
    difference = paired(first, second)
    return found | {"difference": difference.estimate, "low": difference.low, "high": difference.high}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--deals", type=int, default=4, help="of each game and budget (default: 4; a table needs hundreds)")
    parser.add_argument("--iterations", type=int, default=500, help="of a decision at equal iterations; 0 leaves it out")
    parser.add_argument("--milliseconds", type=int, default=50, help="of a decision at equal time; 0 leaves it out")
    parser.add_argument("--particles", type=int, default=16)
    parser.add_argument("--keep", type=Path, help="a file with a line of JSON per deal")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if min(options.deals, options.particles) < 1 or min(options.iterations, options.milliseconds) < 0:
        parser.error("--deals and --particles are at least 1, --iterations and --milliseconds at least 0")
    known: dict[tuple[str, str, int, int], dict[str, Any]] = {}
    if options.keep is not None and options.keep.exists():
        for line in options.keep.read_text().splitlines():
            row = json.loads(line)
            known[row["game"], row["budget"], row["particles"], row["deal"]] = row
    budgets = [str(options.iterations)] if options.iterations else []
    budgets += [f"{options.milliseconds}ms"] if options.milliseconds else []
    table = []
    for budget in budgets:
        for name in options.games:
            rows = []
            for seed in range(options.deals):
                key = name, budget, options.particles, seed
                if key not in known:
                    known[key] = deal(name, budget, options.particles, seed)
                    if options.keep is not None:
                        with options.keep.open("a") as file:
                            file.write(json.dumps(known[key]) + "\n")
                rows.append(known[key])
                print(f"{name}, {budget}: {seed + 1} of {options.deals} deals", end="\r", file=sys.stderr, flush=True)
            table.append(summary(name, budget, rows))
            if not options.json:
                row = table[-1]
                told = "one deal says nothing" if row["low"] is None else f"[{row['low']:+.3f}, {row['high']:+.3f}]"
                value = 0.0 if row["difference"] is None else row["difference"]
                out().print(f"{name:18} {budget:>6}  {value:+.3f} {told}  ({row['deals']} deals)", highlight=False)
    if options.json:
        print(json.dumps(table, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
