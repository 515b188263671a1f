"""What is usual: playtests of games that come with Icarus, written to src/icarus/playtest/usual.json.

    python benchmarks/playtest.py [GAME...]

A playtest's page compares a game with these; run it again when the figures mean something else.  A number of games is played, and
no time, so that the figures are the same on every machine; games that are not named keep what they have.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import icarus
from icarus.playtest.report import summary
from icarus.playtest.study import playtest

GAMES = ("tic_tac_toe", "connect_four", "hex(5)", "mancala", "kuhn_poker", "goofspiel", "breakthrough(6,6)", "othello")
FILE = Path(icarus.__file__).parent / "playtest" / "usual.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="default: all")
    parser.add_argument("--time", default="600games", help="for each game")
    arguments = parser.parse_args()
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    for game in arguments.game or GAMES:
        found = playtest(game, time_limit=arguments.time, jobs=1, check=False)
        figures = {name: value for name, value in summary(found).items() if not math.isnan(value)}
        rows[game] = {**figures, "games": found.portrait.games}
        print(game, found.iterations, rows[game], flush=True)
    FILE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
