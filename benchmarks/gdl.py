"""How fast rule sheets are built and searched: the fifteen games of rave-variants-ggp-2016, beside the paper's Table III.

    python benchmarks/gdl.py FOLDER [SHEET ...]

FOLDER holds the public sheets.  Per game: seconds to build from the sheet (cold), links of the network, random games per second
in 256 lanes, and simulations per second of the presets ggp-uct and ggp-grave in searches of 10 000 iterations from the start (the
best of several, in turns), all on one thread and in processor time.  "long": GRAVE beside UCT in searches of about a second.
Limits: UCT at least 8 times the paper's figure on every game and 25 times in the geometric mean; search at least 0.6 of random
games; GRAVE at least 0.8 of UCT; building at most 10 s each and 30 s together.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from pathlib import Path

from icarus.gdl.game import SheetGame, describe, game_from_text, game_of, random_playouts
from icarus.gdl.lanes import LANES
from icarus.gdl.reader import read_sheet
from icarus.search import Search

#: UCT simulations per second in Table III of the paper
PAPER = {
    "tictactoe_3d_2player": 3093,
    "breakthrough": 1453,
    "knightThrough": 2285,
    "skirmish": 106,
    "battle": 2149,
    "chinook": 2178,
    "chineseCheckers3": 4995,
    "checkers": 532,
    "connect5": 1191,
    "othello-comp2007": 39,
    "quad_7x7": 2767,
    "sheepAndWolf": 2110,
    "ttcc4_2player": 1124,
    "zhadu": 494,
    "ttcc4": 2058,
}
WARM_UP = "(role a) (init s) (<= (legal a x) (role a)) (<= terminal (not (true s))) (<= (goal a 50) (role a))"
COLUMNS = ("build", "links", "random/s", "UCT/s", "GRAVE/s", "÷ paper", "÷ random", "÷ UCT", "long")
ITERATIONS, ROUNDS, LONG_ROUNDS = 10_000, 5, 4
PRESETS = ("ggp-uct", "ggp-grave")


def main(folder: Path, names: list[str]) -> None:
    print(f"{'sheet':22}" + "".join(f"{column:>10}" for column in COLUMNS))
    random_playouts(game_from_text(WARM_UP), 2)  # compiles the kernels, which no sheet should be charged for
    building: list[float] = []
    ratios: dict[str, list[float]] = {"paper": [], "random": [], "GRAVE": [], "long": []}
    for name in names:
        begun = processor_seconds()
        game = game_of(describe(read_sheet(folder / f"{name}.kif")), name)
        building.append(processor_seconds() - begun)
        rounds = [(random_speed(game), *(search_speed(game, preset, ITERATIONS) for preset in PRESETS)) for _ in range(ROUNDS)]
        random, uct, grave = (max(speeds) for speeds in zip(*rounds, strict=True))
        long = max(int(random), ITERATIONS)
        longs = [[search_speed(game, preset, long) for preset in PRESETS] for _ in range(LONG_ROUNDS)]
        long_uct, long_grave = (max(speeds) for speeds in zip(*longs, strict=True))
        ratios["paper"].append(uct / PAPER[name])
        ratios["random"].append(uct / random)
        ratios["GRAVE"].append(grave / uct)
        ratios["long"].append(long_grave / long_uct)
        print(
            f"{name:22}{building[-1]:9.2f}s{game.network.links:10d}{random:10.0f}{uct:10.0f}{grave:10.0f}"
            f"{uct / PAPER[name]:10.1f}{uct / random:10.2f}{grave / uct:10.2f}{long_grave / long_uct:10.2f}",
            flush=True,
        )
    mean = {key: math.exp(sum(map(math.log, values)) / len(values)) for key, values in ratios.items()}
    print(f"UCT ÷ paper: worst {min(ratios['paper']):.1f} (at least 8), geometric mean {mean['paper']:.1f} (at least 25)")
    print(f"search ÷ random games: {mean['random']:.2f} (at least 0.6)")
    print(f"GRAVE ÷ UCT: {mean['GRAVE']:.2f} (at least 0.8); in long searches {mean['long']:.2f}")
    print(f"building: slowest {max(building):.1f} s (at most 10), together {sum(building):.1f} s (at most 30)")


def processor_seconds() -> float:
    """Of this process and of those that it has started: networks are built apart."""
    times = os.times()
    return sum(times[:4])


def random_speed(game: SheetGame, seconds: float = 0.2) -> float:
    """Random games per second, from enough steps for every lane to have ended several games."""
    steps = 64
    while True:
        begun = time.process_time()
        games, _ = random_playouts(game, steps)
        taken = time.process_time() - begun
        if taken > seconds and games > 2 * LANES:
            return games / taken
        steps *= 2


def search_speed(game: SheetGame, preset: str, iterations: int) -> float:
    """Simulations per second from the start, once the tree has begun to grow."""
    search = Search(game, strategy=preset, lanes=LANES, seed=1)
    search.run(iterations=LANES)
    begun = time.process_time()
    result = search.run(iterations=iterations)
    return result.iterations / (time.process_time() - begun)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the public sheets are")
    parser.add_argument("sheets", nargs="*", metavar="SHEET", help="of the fifteen; all, if none is named")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.sheets if name not in PAPER]
    if unknown or not arguments.folder.is_dir():
        parser.error(f"the paper has no {unknown[0]}; it has {', '.join(PAPER)}" if unknown else f"no folder {arguments.folder}")
    main(arguments.folder, arguments.sheets or list(PAPER))
