"""What a belief knows and what it costs: ``python benchmarks/belief.py [GAME...]``.

*Knows*: positions of games between searching players; by how many nats the true deal is likelier under the belief than under the
same particles with a uniform model of the others.  *Costs*: seconds of a decision with 16 particles beside one without, over the
decisions of whole games; the limit is half of the speed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from typing import Any

import icarus
from icarus.arena.players import read_player
from icarus.belief import Belief, Fixed, Model
from icarus.game import ENVIRONMENT, Position
from icarus.jit.randomness import mix, seeded
from icarus.search import Search

GAMES = ("kuhn_poker", "leduc_poker", "liars_dice(2,6)", "phantom(4,4,4)", "hearts_round", "doudizhu", "confrontation")
LIMIT = 0.5


def uniform(position: Position) -> list[float]:
    legal = position.legal()
    return [1 / len(legal)] * len(legal)


def played(name: str, seed: int, player: str) -> list[Position]:
    """The decisions of one game between searching players, each as it was."""
    game, found = icarus.load(name), []
    position, rng = game.start(seed), seeded(seed, stream=5)
    seats = [read_player(player).seated(game, seat, seed) for seat in range(game.players)]
    while not position.is_terminal:
        if position.player == ENVIRONMENT:
            position.apply(position.sample(rng))
            continue
        legal = position.legal()
        if len(legal) > 1:
            found.append(position.copy())
        position.apply(seats[position.player].decide(position, legal).action)
    return found


def knows(name: str, games: int, particles: int, player: str) -> dict[str, Any]:
    gains = []
    for seed in range(games):
        decisions = [position for position in played(name, seed, player) if len(position.history) > 1]
        if not decisions:
            continue
        position = decisions[int(mix(seed, 7)) % len(decisions)]  # one of each game, so that they are independent
        observer = position.player
        beliefs = [Belief(model, particles=particles) for model in (Model("-", iterations=50), Fixed(uniform))]
        scores = [belief.log_score(position, observer, seed) for belief in beliefs]
        # where particles were drawn anew at different moments the two are about different things
        alike = position.game.retrace is not None or beliefs[0].since == beliefs[1].since
        if math.isfinite(scores[0]) and math.isfinite(scores[1]) and alike:
            gains.append(scores[0] - scores[1])
    error = 1.96 * statistics.stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.nan
    return {"game": name, "positions": len(gains), "nats": statistics.mean(gains) if gains else math.nan, "interval": error}


def costs(name: str, games: int, iterations: int, player: str) -> dict[str, Any]:
    spent = {True: 0.0, False: 0.0}
    for seed in range(-1, games):  # the first loads machine code, and is not counted
        decisions = played(name, max(seed, 0), player)
        spent = {True: 0.0, False: 0.0} if seed == 0 else spent
        for believing in (False, True):
            beliefs: dict[int, Belief] = {}
            for position in decisions:
                belief = (
                    beliefs.setdefault(position.player, Belief(Model("-", iterations=50), particles=16)) if believing else None
                )
                begun = time.process_time()
                Search(position, seed=max(seed, 0), belief=belief, memory=1 << 26).run(iterations=iterations)
                spent[believing] += time.process_time() - begun
    ratio = spent[False] / spent[True] if spent[True] else math.nan
    return {"game": name, "iterations": iterations, "speed": ratio, "limit": LIMIT, "passed": ratio >= LIMIT}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=20, help="games, and one position of each")
    parser.add_argument("--particles", type=int, default=128)
    parser.add_argument("--iterations", type=int, default=10_000, help="of a decision whose cost is measured")
    parser.add_argument("--player", default="mo@300", help="who plays the games")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    failed = False
    for name in options.games:
        rows = (
            knows(name, options.positions, options.particles, options.player),
            costs(name, 1, options.iterations, options.player),
        )
        failed |= not rows[1]["passed"]
        if options.json:
            print(json.dumps(rows), flush=True)
        else:
            known, cost = rows
            print(
                f"{name:18} {known['nats']:+.2f} ± {known['interval']:.2f} nats over uniform ({known['positions']} positions); "
                f"speed with 16 particles {cost['speed']:.2f} of that without",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
