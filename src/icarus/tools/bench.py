"""How fast a search is, as ratios within one run: beside random playouts of the same game, and beside OpenSpiel's C++ bot.

A shared machine is fast in one minute and slow in the next, so the two sides of a ratio take turns and the best round of each
counts.  Both sides run on one thread and are timed in processor seconds, which other people's work disturbs least.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from icarus.engine.world import new_worker
from icarus.errors import IcarusError, needing
from icarus.game import Position, play_to_decision
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.search import Search
from icarus.tools.random_playouts import random_playouts

#: search ÷ random playouts must reach this (a playout of Hex fills the board at once, and costs less than the tree)
PLAYOUT_LIMITS = {"othello": 0.6, "connect_four": 0.6, "breakthrough": 0.6, "hex(11)": 0.25}
#: game -> what OpenSpiel calls it, and what search ÷ its MCTSBot must reach
OPENSPIEL = {
    "othello": ("othello", 30.0),
    "breakthrough": ("breakthrough", 20.0),
    "hex(11)": ("hex(board_size=11)", 25.0),
    "connect_four": ("connect_four", 3.0),
    "tic_tac_toe": ("tic_tac_toe", 1.3),
    "lines_of_action": ("lines_of_action", 25.0),
    "havannah(8)": ("havannah(board_size=8)", 6.0),
    "go(9)": ("go(board_size=9,komi=7.5)", 15.0),
    "amazons": ("amazons", 5.0),
    "mancala": ("mancala", 3.0),
    "clobber": ("clobber", 4.0),
    "checkers": ("checkers", 15.0),
    "backgammon": ("backgammon", 40.0),
}


PART = 256  #: playouts at a time
#: after so many seconds a pair gets no further rounds
PATIENCE = 15.0


@dataclass(frozen=True)
class Ratio:
    """Two measured numbers and their ratio, which should be at least (or at most) a limit."""

    name: str
    unit: str
    ours: float
    beside: str
    theirs: float
    ratio: float
    limit: float | None = None
    at_most: bool = False

    @classmethod
    def of_speeds(cls, name: str, ours: float, beside: str, theirs: float, limit: float | None) -> Ratio:
        return cls(name, "per second", ours, beside, theirs, ours / theirs, limit)

    @property
    def passed(self) -> bool | None:
        """None without a limit."""
        if self.limit is None:
            return None
        return self.ratio <= self.limit if self.at_most else self.ratio >= self.limit

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"passed": self.passed}


Progress = Callable[[float, str], None]
Side = Callable[[], None]


def against_playouts(games: Sequence[str], *, iterations: int = 10_000, rounds: int = 5, progress: Progress) -> list[Ratio]:
    """UCT (MO-ISMCTS where something is hidden) beside uniformly random games from the same position."""
    rows = []
    chosen = list(games) or list(PLAYOUT_LIMITS)
    for number, name in enumerate(chosen):
        position = first_decision(name)
        progress(number / len(chosen), name)
        ours, theirs = take_turns(searching(position, iterations), playing(position, iterations), rounds)
        rows.append(Ratio.of_speeds(name, iterations / ours, "random playouts", iterations / theirs, PLAYOUT_LIMITS.get(name)))
    return rows


def against_openspiel(games: Sequence[str], *, iterations: int = 10_000, rounds: int = 5, progress: Progress) -> list[Ratio]:
    """UCT beside OpenSpiel's C++ MCTSBot with one random rollout per leaf and no solver."""
    with needing("OpenSpiel's bot", "open_spiel", extra="bench"):
        import pyspiel
    rows = []
    chosen = list(games) or list(OPENSPIEL)
    for number, name in enumerate(chosen):
        if name not in OPENSPIEL:
            raise IcarusError(f"there is no OpenSpiel counterpart of {name!r}; there is one of {', '.join(OPENSPIEL)}")
        theirs_name, limit = OPENSPIEL[name]
        position, game = first_decision(name), pyspiel.load_game(theirs_name)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        progress(number / len(chosen), name)

        def their_search(game: Any = game, state: Any = state) -> None:
            evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
            bot = pyspiel.MCTSBot(game, evaluator, 0.7, iterations, 1000, False, 1, False)
            bot.mcts_search(state)

        ours, theirs = take_turns(searching(position, iterations), lambda: their_search, rounds)
        rows.append(Ratio.of_speeds(name, iterations / ours, "OpenSpiel MCTSBot", iterations / theirs, limit))
    return rows


def first_decision(name: str, seed: int = 1) -> Position:
    """The first position of a game in which a player acts."""
    return play_to_decision(load(name).start(seed), seeded(seed, stream=5))


def searching(position: Position, iterations: int, **options: Any) -> Callable[[], Side]:
    """Sets up a fresh search; what it returns runs it."""

    def set_up() -> Side:
        search = Search(position, seed=1, **options)
        return lambda: assert_spent(search.run(iterations=iterations).iterations, iterations)

    return set_up


def playing(position: Position, games: int) -> Callable[[], Side]:
    """Sets up random playouts from a position."""

    def set_up() -> Side:
        worker = new_worker(position.game, seeds=seeded(1, stream=6))
        worker.put("root", position.state.copy())
        position.game.prepare(worker)

        def play() -> None:
            parts = [PART] * (games // PART) + [games % PART]  # in between, Ctrl-C is heard
            if any(random_playouts(worker.handle, part) < 0 for part in parts):
                raise IcarusError(f"the game {position.game.name} breaks its contract; `icarus check` finds the place")

        return play

    return set_up


def assert_spent(done: int, wanted: int) -> None:
    if done < wanted:
        raise IcarusError(f"only {done} of {wanted} iterations fit into memory: measure fewer")


def take_turns(
    ours: Callable[[], Side], theirs: Callable[[], Side], rounds: int, clock: Callable[[], float] = time.process_time
) -> tuple[float, float]:
    """The seconds of the best round of each side.  Setting up is not timed; a slow pair gets fewer rounds, but at least two."""
    best = [float("inf"), float("inf")]
    begun = time.monotonic()
    for number in range(max(rounds, 2)):
        if number >= 2 and time.monotonic() - begun > PATIENCE:
            break
        for side, set_up in enumerate((ours, theirs)):
            run = set_up()
            before = clock()
            run()
            best[side] = min(best[side], clock() - before)
    return best[0], best[1]


def table_of(rows: Sequence[Ratio]) -> Table:
    """The ratios for people."""
    table = Table()
    for column in ("what", "icarus", "beside", "", "ratio", "limit", ""):
        table.add_column(column, justify="left" if column in ("what", "beside") else "right")
    for row in rows:
        limit = "" if row.limit is None else f"{'≤' if row.at_most else '≥'} {row.limit:g}"
        verdict = {True: "[green]pass", False: "[red]fail", None: ""}[row.passed]
        table.add_row(row.name, short(row.ours), row.beside, short(row.theirs), f"{row.ratio:.2f}", limit, verdict)
    return table


def short(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
