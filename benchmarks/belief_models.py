"""What a belief is worth when its model of the others is right: ``python benchmarks/belief_models.py``.

In games whose whole tree fits into memory the reward of a strategy against another one is a sum over all lines of play: there is
no luck of the deal.  The opponent plays an equilibrium (as far as it was solved), or searches.  Against it, without a belief,
with one whose model is the usual short search, and with one whose model is the equilibrium itself.  In rewards from 0 to 1 above
a half, on average over the seats; 95 % intervals over independent searches of all information sets.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import icarus
from icarus.arena.exploit import strategies_of
from icarus.arena.players import read_player
from icarus.arena.statistics import paired
from icarus.equilibrium import GameTree, Mccfr, value_of, whole_tree
from icarus.equilibrium.game_tree import Reals
from icarus.terminal import out

GAMES = ("kuhn_poker", "leduc_poker", "liars_dice(1,4)")


def strategy_of(player: str, tree: GameTree, searches: int, seed: int) -> Reals:
    """What a player plays, over the slots of a tree, by so many searches of each information set."""
    found: Reals = np.mean(strategies_of(read_player(player), tree, searches, seed, lambda share: None), axis=0)
    return found


def worth(tree: GameTree, own: Reals, theirs: Reals) -> float:
    """The expected reward of one strategy against another, above a half, on average over the seats."""
    total = 0.0
    for seat in range(tree.game.players):
        both = theirs.copy()
        for known in tree.sets:
            if known.player == seat:
                both[known.slots] = own[known.slots]
        total += value_of(tree, both, seat) - 0.5
    return total / tree.game.players


def measure(name: str, options: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    tree = whole_tree(icarus.load(name))
    file = folder / "solved.npz"
    Mccfr(tree.game, seed=1).run(iterations=options.solve).average().save(file)
    base, rows = f"mo@{options.iterations}", []
    players = base, f"{base},belief", f"{base},belief={file}"
    strategies = {player: [strategy_of(player, tree, 1, seed) for seed in range(options.seeds)] for player in players}
    for opponent in (str(file), options.opponent):
        theirs = strategy_of(opponent, tree, options.seeds, 1000)
        found = {player: [worth(tree, own, theirs) for own in strategies[player]] for player in players}
        for player, values in found.items():
            difference = paired(values, found[base])
            told = {"game": name, "player": player.replace(str(file), "SOLVED"), "against": opponent.replace(str(file), "SOLVED")}
            told |= {"worth": float(np.mean(values)), "gain": difference.estimate}
            rows.append(told | {"low": difference.low, "high": difference.high})
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--iterations", type=int, default=1000, help="of the player")
    parser.add_argument("--opponent", default="mo@300", help="the opponent that searches")
    parser.add_argument("--solve", type=int, default=1_000_000, help="iterations of the solver")
    parser.add_argument("--seeds", type=int, default=8, help="searches of each information set")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.seeds < 2:
        parser.error("--seeds is at least 2")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.games:
            for row in measure(name, options, Path(folder)):
                rows.append(row)
                if not options.json:
                    told = (
                        ""
                        if row["player"] == f"mo@{options.iterations}"
                        else "  belief brings {gain:+.4f} [{low:+.4f}, {high:+.4f}]"
                    )
                    line = f"{row['game']:16} {row['player']:24} against {row['against']:8} {row['worth']:+.4f}" + told.format(
                        **row
                    )
                    out().print(line, highlight=False, markup=False, soft_wrap=True)
    if options.json:
        print(json.dumps(rows, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
