"""What a game's knowledge brings at equal time: evaluations and suggestions against plain UCT.

    python benchmarks/knowledge.py [--games 150] [--milliseconds 30] [--only othello] [--json]

Both players think in one process, one after the other and equally long, so that a busy machine slows both alike.  They take turns
at the first move, after ``OPENING`` random plies that the two games of a pair share.  Intervals are Clopper and Pearson's.
"""

from __future__ import annotations

import argparse
import json
import sys

from icarus.arena.statistics import clopper_pearson
from icarus.game import Position, step_randomly
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.search import Search

OPENING = 2
MATCHES = (
    ("lines_of_action", "Baseline() >> Cutoff(8)"),
    ("breakthrough", "Baseline() >> Cutoff(8)"),
    ("othello", "Baseline() >> Cutoff(8)"),
    ("checkers", "Baseline() >> Cutoff(8)"),
    ("hex(7)", "Baseline() >> Suggested()"),
    ("havannah(5)", "Baseline() >> Suggested()"),
    ("go(9)", "Baseline() >> Suggested()"),
)


def play(game: str, strategies: tuple[str, str], seed: int, seconds: float) -> tuple[float, list[int]]:
    """The first strategy's reward, and the iterations of both: it moves first in games of even number."""
    position: Position = load(game).start(seed // 2)
    rng, spent = seeded(seed // 2, stream=5), [0, 0]
    for _ in range(OPENING):
        step_randomly(position, rng)
    while not position.is_terminal:
        who = position.player ^ (seed & 1)
        result = Search(position, strategy=strategies[who], seed=seed).run(seconds=seconds)
        spent[who] += result.iterations
        position.apply(result.best.action)
    return position.rewards()[seed & 1], spent


def match(game: str, strategy: str, plain: str, games: int, seconds: float, tell: bool) -> dict[str, object]:
    won, spent = 0.0, [0, 0]
    for seed in range(games):
        reward, iterations = play(game, (strategy, plain), seed, seconds)
        won += reward
        spent = [a + b for a, b in zip(spent, iterations, strict=True)]
        if tell and sys.stderr.isatty():
            print(f"\r{game}: {won:g} of {seed + 1}", end="", file=sys.stderr, flush=True)
    interval = clopper_pearson(won, games)
    return {
        "game": game, "strategy": strategy, "against": plain, "games": games, "points": won, "rate": won / games,
        "low": interval.low, "high": interval.high, "milliseconds": 1000 * seconds, "iterations_ratio": spent[0] / spent[1],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=150, help="of each match")
    parser.add_argument("--milliseconds", type=float, default=30, help="for a move")
    parser.add_argument("--only", help="the matches of this game")
    parser.add_argument("--strategy", help="in place of those that are listed")
    parser.add_argument("--plain", default="-", help="the opponent (default: -, UCT)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for game, strategy in (
        MATCHES if options.only is None or any(options.only == m[0] for m in MATCHES) else [(options.only, "-")]
    ):
        if options.only in (None, game):
            strategy = options.strategy or strategy
            rows.append(match(game, strategy, options.plain, options.games, options.milliseconds / 1000, not options.json))
            if not options.json:
                row = rows[-1]
                print(
                    f"\r{game:16} {strategy:28} {row['rate']:.1%} ({row['low']:.0%}-{row['high']:.0%}) of {options.games},"
                    f" {row['iterations_ratio']:.2f} times the iterations",
                    flush=True,
                )
    if options.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
