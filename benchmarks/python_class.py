"""A game as a plain Python class: simulations per second here and in PyPI's ``mcts`` library, on the same class.

``python benchmarks/python_class.py [--iterations 2000] [--json]``

Both search from the start position with random playouts.  The library wants states that ``takeAction`` turns into new ones and
rewards for the first player; the wrapper that gives it those does nothing else.  The compiled game of the same rules shows what
is left to gain.  Rounds alternate, the best of each side counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from mcts import mcts

import icarus
from icarus.python_game import python_game

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from connect_four_class import ConnectFour
from tic_tac_toe_class import TicTacToe

ROUNDS = 15
WANTED = 1.0  #: simulations per second, as a multiple of the library's


class Wrapped:
    """A state of one of our classes, with the library's names."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def getCurrentPlayer(self) -> int:
        return 1 if self.state.player() == 0 else -1

    def getPossibleActions(self) -> list[Any]:
        actions: list[Any] = self.state.legal()
        return actions

    def takeAction(self, action: Any) -> Wrapped:
        twin = self.state.clone()
        twin.apply(action)
        return Wrapped(twin)

    def isTerminal(self) -> bool:
        return bool(self.state.terminal())

    def getReward(self) -> float:
        return float(self.state.rewards()[0])


def library(cls: type, iterations: int) -> float:
    begun = time.perf_counter()
    mcts(iterationLimit=iterations).search(Wrapped(cls()))
    return iterations / (time.perf_counter() - begun)


def ours(game: icarus.Game, iterations: int) -> float:
    search = icarus.Search(game, seed=1)
    begun = time.perf_counter()
    search.run(iterations=iterations)
    return iterations / (time.perf_counter() - begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for cls, name in ((TicTacToe, "tic_tac_toe"), (ConnectFour, "connect_four")):
        compiled = icarus.load(name)
        ours(compiled, 1)  # compile, or load what is compiled
        rates = [
            (ours(python_game(cls), options.iterations), library(cls, options.iterations), ours(compiled, options.iterations))
            for _ in range(ROUNDS)
        ]
        here, there, fast = (max(rate[side] for rate in rates) for side in range(3))
        ratios = {"ratio": round(here / there, 2), "compiled_ratio": round(fast / here, 1)}
        rows.append({"game": name, "icarus": round(here), "mcts": round(there), "compiled": round(fast), **ratios})
    if options.json:
        print(json.dumps(rows))
    else:
        line = "{game:13} class {icarus:>7,}/s   mcts {mcts:>7,}/s   ratio {ratio:.2f}   compiled {compiled:>9,}/s"
        for row in rows:
            print(line.format(**row))
    return int(any(row["ratio"] < WANTED for row in rows))


if __name__ == "__main__":
    sys.exit(main())
