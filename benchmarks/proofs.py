"""What proofs cost and what they bring.

    python benchmarks/proofs.py [--json]    # speed of UCT with proofs beside UCT, with its limit
    python benchmarks/proofs.py --solve     # nodes until small positions are proven
    python benchmarks/proofs.py --bounds    # iterations until Connect Four on small boards is proven, with and without cuts

The two sides of a ratio take turns on one thread, and the best round of each counts.  Exit code 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from dataclasses import replace

from rich.console import Console

from icarus.game import Game, Position, compiled, random_below
from icarus.games.mnk import mnk
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.search import Search
from icarus.tools.bench import Ratio, first_decision, searching, table_of, take_turns

ITERATIONS = 10_000
ROUNDS = 25  # the best of many: on a shared machine most rounds meet other people
LIMITS = {"othello": 0.9, "connect_four": 0.9}
#: game, random moves from the start, how many positions
SMALL = (
    ("tic_tac_toe", 0, 1),
    ("domineering(4,4)", 0, 1),
    ("domineering(5,5)", 2, 5),
    ("clobber(3,4)", 0, 1),
    ("connect_four", 18, 9),
    ("breakthrough(5,5)", 4, 5),
    ("othello", 50, 9),
)
SOLVERS = ("pns", "mcpns(playouts=1)", "mcpns", "mcpns(playouts=10)", "uct(solve)")
PATIENCE = 10.0  #: seconds for one proof

#: boards of Connect Four, columns and rows, that are proven from the start
BOARDS = ((4, 4), (4, 5), (5, 4))
#: score bounds without cuts (nothing is ever left out), with cuts, with the solver's T, and with a bias by the bounds
CUTS = (
    "uct(solve, threshold=1000000000)",
    "uct(solve)",
    "uct(solve, threshold=5)",
    "uct(solve, gamma=0.2)",
    "uct(solve, delta=0.2)",
    "uct(solve, gamma=0.2, delta=0.2)",
)
SEEDS = 3


def beside(game: str, limit: float) -> Ratio:
    """Iterations per second of UCT with proofs beside UCT."""
    position = first_decision(game)
    mine, other = take_turns(searching(position, ITERATIONS, solve=True), searching(position, ITERATIONS), ROUNDS)
    return Ratio.of_speeds(f"uct(solve), {game}", ITERATIONS / mine, "uct", ITERATIONS / other, limit)


def middle(game: str, plies: int, seed: int) -> Position:
    """A position after so many random moves that do not end the game."""
    rng = seeded(seed, stream=9)
    while True:
        position = load(game).start(seed)
        for _ in range(plies):
            legal = position.legal()
            position.apply(legal[int(random_below(rng, len(legal)))])
            if position.is_terminal:
                break
        else:
            return position


def solved(most: int) -> None:
    """How many nodes it takes to prove positions: the median over some of them, and beside plain proof-number search."""
    print(f"{'nodes until proven':28}" + "".join(f"{name:>22}" for name in SOLVERS))
    for game, plies, positions in SMALL:
        nodes: dict[str, list[float]] = {name: [] for name in SOLVERS}
        for seed in range(positions):
            position = middle(game, plies, seed)
            for name in SOLVERS:
                search = Search(position, algorithm=name, seed=seed, memory=1 << 29)
                result = search.run(iterations=most, seconds=PATIENCE)
                nodes[name].append(float(result.records) if result.stopped_by == "proven" else math.inf)
        cells = []
        for name in SOLVERS:
            beside = [own / other for own, other in zip(nodes[name], nodes["pns"], strict=True) if math.isfinite(own + other)]
            ratio = f"{statistics.median(beside):.2f}" if beside else "-"
            cells.append(f"{statistics.median(nodes[name]):>14,.0f} ({ratio:>4})")
        print(f"{game + f' after {plies}':28}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


@compiled
def drop(state, actions):
    """The lowest empty cell of every column."""
    count = 0
    for x in range(state.columns):
        y = state.rows - 1
        while y >= 0 and state.marks[y * state.columns + x] != 0:
            y -= 1
        if y >= 0:
            actions[count] = y * state.columns + x
            count += 1
    return count


def small_connect_four(columns: int, rows: int) -> Game:
    """Four in a row on a small board where marks fall to the bottom."""
    game = mnk(columns, rows, 4)
    return replace(game, name=f"connect four {columns} x {rows}", legal=drop, max_actions=columns)


def bounded(most: int, boards: int) -> None:
    """Iterations until the start of a small board is proven: the median over some seeds."""
    print(f"{'iterations until proven':28}" + "".join(f"{name:>34}" for name in CUTS))
    for columns, rows in BOARDS[:boards]:
        game, cells = small_connect_four(columns, rows), []
        for name in CUTS:
            needed = []
            for seed in range(SEEDS):
                result = Search(game, algorithm=name, seed=seed, memory=1 << 30).run(iterations=most, seconds=6 * PATIENCE)
                needed.append(float(result.iterations) if result.stopped_by == "proven" else math.inf)
            cells.append(f"{statistics.median(needed):,.0f}")
        print(f"{game.name:28}" + "".join(f"{cell:>34}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solve", action="store_true", help="nodes until small positions are proven")
    parser.add_argument("--bounds", action="store_true", help="iterations until Connect Four on small boards is proven")
    parser.add_argument("--boards", type=int, default=len(BOARDS), help="so many of the boards")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    options = parser.parse_args()
    if options.solve:
        solved(3_000_000)
    elif options.bounds:
        bounded(20_000_000, options.boards)
    else:
        ratios = [beside(game, limit) for game, limit in LIMITS.items()]
        if options.as_json:
            print(json.dumps([ratio.as_dict() for ratio in ratios], indent=2))
        else:
            Console(highlight=False, width=None if sys.stdout.isatty() else 130).print(table_of(ratios))
        sys.exit(int(any(ratio.passed is False for ratio in ratios)))
