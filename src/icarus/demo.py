"""The demo: what the algorithms make of hidden information, in about a minute of real games.

Everybody plays phantom tic-tac-toe (four in a row on 4 x 4, nobody sees the opponent's marks) against MO-ISMCTS, seats
alternating: the other algorithms with the same budget, then MO-ISMCTS itself with smaller and larger ones.  Section VI of
ismcts-2012 compares the same players at the same game; cheating is what perfect information would be worth.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.table import Table

from icarus.engine.randomness import mix, seeded
from icarus.errors import IcarusError
from icarus.game import ENVIRONMENT, Game
from icarus.loading import load
from icarus.search import Search

GAME = "phantom(4,4,4)"
BUDGET = 400  #: iterations for a move
OPPONENT = ("mo", BUDGET)
#: who plays against the opponent: algorithm and iterations
ALGORITHMS = (("flat", BUDGET), ("determinized(10)", BUDGET), ("so", BUDGET), ("pom", BUDGET), ("cheating", BUDGET))
BUDGETS = (("mo", BUDGET // 16), ("mo", BUDGET // 4), ("mo", BUDGET * 4), ("mo", BUDGET * 16))
CHUNK = 10  #: games that one process plays before it reports


@dataclass(frozen=True)
class Score:
    """How a player did: the mean reward (a draw counts half) with its 95 % interval."""

    algorithm: str
    iterations: int
    games: int
    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"game": GAME, "opponent": "{} with {} iterations".format(*OPPONENT)}


def play(*, matches: int, seed: int, progress: Callable[[float, str], None]) -> list[Score]:
    """Play ``matches`` games of each player against the opponent, on all processors."""
    if matches < 2:
        raise IcarusError(f"{matches} games give no interval: play at least 2")
    entrants = [*ALGORITHMS, *BUDGETS]
    jobs = [(entrant, first, min(CHUNK, matches - first)) for entrant in entrants for first in range(0, matches, CHUNK)]
    rewards: dict[tuple[str, int], list[float]] = {entrant: [] for entrant in entrants}
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(jobs)), mp_context=get_context("spawn")) as pool:
        arguments = [(*entrant, first, number, seed) for entrant, first, number in jobs]
        for done, (job, result) in enumerate(zip(jobs, pool.map(play_some, arguments), strict=True), start=1):
            entrant = job[0]
            rewards[entrant].extend(result)
            progress(done / len(jobs), f"{entrant[0]} ({entrant[1]} iterations) plays {GAME}")
    return [score(entrant, rewards[entrant]) for entrant in entrants]


def play_some(job: tuple[str, int, int, int, int]) -> list[float]:
    """A few games of one player against the opponent; returns its rewards.  Seats alternate, and every game has its own seed."""
    algorithm, iterations, first, number, seed = job
    rewards = []
    for match in range(first, first + number):
        seat = match % 2
        players = [OPPONENT, OPPONENT]
        players[seat] = (algorithm, iterations)
        rewards.append(play_game(players, mix(seed, match) & 0xFFFFFFFF)[seat])
    return rewards


@cache
def the_game() -> Game:
    return load(GAME)


def play_game(players: Sequence[tuple[str, int]], seed: int) -> list[float]:
    """One game; every move is a fresh search by the player whose turn it is, who knows only what it has seen."""
    position, rng = the_game().start(seed), seeded(seed, stream=5)
    while not position.is_terminal:
        if position.player == ENVIRONMENT:
            position.apply(position.sample(rng))
            continue
        algorithm, iterations = players[position.player]
        search = Search(position, algorithm=algorithm, seed=seed + len(position.history), memory=1 << 24)
        position.apply(search.run(iterations=iterations).best.action)
    return position.rewards()


def score(entrant: tuple[str, int], rewards: list[float]) -> Score:
    number = len(rewards)
    mean = sum(rewards) / number
    half = 1.96 * sqrt(max(sum((r - mean) ** 2 for r in rewards) / (number - 1), 0.25 / number) / number)
    return Score(*entrant, number, mean, max(mean - half, 0.0), min(mean + half, 1.0))


def table_of(scores: Sequence[Score]) -> Table:
    title = f"{GAME} against {OPPONENT[0]} with {OPPONENT[1]} iterations: mean reward, a draw counts half"
    table = Table(title=title, title_justify="left")
    table.add_column("player")
    table.add_column("iterations", justify="right")
    table.add_column("games", justify="right")
    table.add_column("reward", justify="right")
    table.add_column("95 %", justify="right")
    table.add_column("0" + " " * 12 + "½" + " " * 12 + "1")
    for number, row in enumerate(scores):
        bar = "█" * round(27 * row.mean)
        interval = f"{row.low:.2f} – {row.high:.2f}"
        last = number == len(ALGORITHMS) - 1
        table.add_row(row.algorithm, str(row.iterations), str(row.games), f"{row.mean:.3f}", interval, bar, end_section=last)
    return table


def draw(scores: Sequence[Score], file: Path) -> bool:
    """The picture; False without matplotlib, which is an extra."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    by_algorithm, by_budget = scores[: len(ALGORITHMS)], scores[len(ALGORITHMS) :]

    def errors(rows: Sequence[Score]) -> list[list[float]]:
        return [[row.mean - row.low for row in rows], [row.high - row.mean for row in rows]]

    left.bar([row.algorithm for row in by_algorithm], [row.mean for row in by_algorithm], yerr=errors(by_algorithm), capsize=4)
    left.set_title(f"algorithms with {BUDGET} iterations")
    left.set_ylabel(f"mean reward against MO-ISMCTS, {BUDGET} iterations")
    budgets, means = [row.iterations for row in by_budget], [row.mean for row in by_budget]
    right.errorbar(budgets, means, yerr=errors(by_budget), marker="o", capsize=4)
    right.set_xscale("log")
    right.set_xticks(budgets, [str(budget) for budget in budgets], minor=False)
    right.set_xticks([], minor=True)
    right.set_xlabel("iterations for a move")
    right.set_title("MO-ISMCTS with other budgets")
    for axes in (left, right):
        axes.axhline(0.5, color="grey", linewidth=0.8)
        axes.set_ylim(0, 1)
    figure.suptitle(f"{GAME}: what is hidden information worth?")
    try:
        figure.savefig(file, dpi=120)
    except OSError as problem:
        raise IcarusError(f"the picture cannot be written to {file}: {problem.strerror}") from None
    finally:
        pyplot.close(figure)
    return True
