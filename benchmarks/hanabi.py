"""RIS beside MO-ISMCTS in Hanabi, points per number of players: ``python benchmarks/hanabi.py [--games N] [--keep FILE]``.

Every deal is played twice, once with each algorithm in all seats; the difference has a 95 % interval over deals.  Playouts
follow the game's heuristic: random ones lose all lives, and with them the score.  ``--keep`` writes a line per deal as soon as
it is played; a later run plays only what is missing.
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

POINTS = 25
STRATEGY = "Baseline() >> Heuristic()"


def reward(players: int, algorithm: str, iterations: int, seed: int) -> float:
    """What a game ends with, everybody playing alike: points divided by 25."""
    game, player = icarus.load(f"hanabi({players})"), read_player(f"{algorithm}[{STRATEGY}]@{iterations}")
    return float(play(game, [player] * players, seed, seed)[0].rewards()[0])


class Kept:
    """Rewards by players, iterations and deal: those of a file, and new ones, which are written to it."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        rows = [json.loads(line) for line in lines]
        self.known = {(row["players"], row["iterations"], row["deal"]): (row["ris"], row["mo"]) for row in rows}

    def rewards(self, players: int, iterations: int, deal: int) -> tuple[float, float]:
        key = players, iterations, deal
        if key not in self.known:
            ris, mo = (reward(players, algorithm, iterations, deal) for algorithm in ("ris", "mo"))
            self.known[key] = ris, mo
            if self.file is not None:
                with self.file.open("a") as out:
                    row = {"players": players, "iterations": iterations, "deal": deal, "ris": ris, "mo": mo}
                    out.write(json.dumps(row) + "\n")
        return self.known[key]


def compared(players: int, iterations: int, games: int, kept: Kept) -> dict[str, Any]:
    ris, mo = [], []
    for seed in range(games):
        first, second = kept.rewards(players, iterations, seed)
        ris.append(first)
        mo.append(second)
        print(f"{players} players: {seed + 1} of {games} deals", end="\r", file=sys.stderr, flush=True)
    difference = paired(ris, mo)
    return {
        "players": players,
        "iterations": iterations,
        "deals": games,
        "ris": POINTS * statistics.mean(ris),
        "mo": POINTS * statistics.mean(mo),
        "difference": POINTS * difference.estimate,
        "low": POINTS * difference.low,
        "high": POINTS * difference.high,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="*", type=int, default=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=10, help="deals for each number of players")
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--keep", type=Path, help="a file with a line of JSON per deal")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.games < 2 or options.iterations < 1 or not set(options.players) <= {2, 3, 4, 5}:
        parser.error("at least two --games, at least one of --iterations, and 2 to 5 players")
    kept = Kept(options.keep)
    for players in options.players:
        row = compared(players, options.iterations, options.games, kept)
        if options.json:
            print(json.dumps(row), flush=True)
        else:
            out().print(
                f"{players} players: ris {row['ris']:.1f}, mo {row['mo']:.1f} points; "
                f"{row['difference']:+.2f} [{row['low']:+.2f}, {row['high']:+.2f}] ({row['deals']} deals)",
                highlight=False,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
