"""What sharing positions brings: nodes, speed and strength of UCT1, UCT2 and UCT3 beside a tree.

    python benchmarks/transpositions.py [--games 100] [--iterations 1000]

Nodes and speed are of one search of 10 000 iterations from the start; strength is a match against `uct` with equal iterations.
In leftright, a game of one player, it is the average reward of the games that each plays by itself.
"""

from __future__ import annotations

import argparse
import time

from icarus.arena.players import read_player
from icarus.arena.statistics import clopper_pearson
from icarus.game import Position
from icarus.loading import load
from icarus.search import Search

GAMES = ("connect_four", "othello", "breakthrough", "leftright(40)")
LONG = 10_000


def play(game: str, names: list[str], seed: int) -> list[float]:
    """The rewards of one game between these players."""
    position: Position = load(game).start(seed)
    seats = [read_player(name).seated(position.game, seat, seed) for seat, name in enumerate(names)]
    while not position.is_terminal:
        position.apply(seats[position.player].decide(position, position.legal()).action)
    return position.rewards()


def size_and_speed(game: str, level: int) -> tuple[int, float]:
    """Records and iterations per second of a search from the start, the best of three."""
    found = []
    for seed in range(3):
        search = Search(game, seed=seed, transpositions=level)
        begun = time.process_time()
        result = search.run(iterations=LONG)
        found.append((LONG / (time.process_time() - begun), result.records))
    return found[0][1], max(found)[0]


def strength(game: str, level: int, games: int, iterations: int) -> str:
    """How it plays, beside `uct`."""
    name, other = f"uct(transpositions={level})@{iterations}", f"uct@{iterations}"
    if load(game).players == 1:
        mean = sum(play(game, [name], seed)[0] for seed in range(games)) / games
        return f"{mean:.3f} on average"
    won = 0.0
    for seed in range(games):
        seat = seed % 2
        won += play(game, [name, other] if seat == 0 else [other, name], seed)[seat]
    interval = clopper_pearson(won, games)
    return f"{won / games:.1%} ({interval.low:.0%}-{interval.high:.0%})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=1000)
    options = parser.parse_args()
    for game in GAMES:
        records, speed = 0, 0.0
        for level in range(4):
            nodes, quick = size_and_speed(game, level)
            records, speed = (nodes, quick) if level == 0 else (records, speed)
            result = strength(game, level, options.games, options.iterations) if level or load(game).players == 1 else ""
            shared = f"{nodes:>9,} records ({nodes / records:.2f})   speed {quick / speed:.2f}   {result}"
            print(f"{game:14} {'UCT' + (str(level) if level else ' '):5} {shared}", flush=True)
