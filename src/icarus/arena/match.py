"""One game between players, and the record from which it can be replayed and checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import icarus
from icarus.arena.errors import ArenaError
from icarus.arena.players import Player, read_player
from icarus.arena.schedule import GAME, Cell, Schedule, game_named
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import mix, random_below, seeded
from icarus.trust import OUTSIDE, Trust


@dataclass(frozen=True)
class GameRecord:
    """A finished game.  Lists are by seat; ``moves`` are all actions, the environment's too."""

    cell: str
    number: int
    game: str
    seed: int
    seats: tuple[str, ...]
    #: index of the cell's player in each seat
    seating: tuple[int, ...]
    moves: tuple[int, ...]
    rewards: tuple[float, ...]
    decisions: tuple[int, ...]
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]
    #: mean share of visits of the chosen action, and mean depth of the deepest node, over the searched decisions
    share: tuple[float, ...]
    depth: tuple[float, ...]
    #: processor time of the whole game: what it costs, whatever else the machine does
    elapsed: float
    version: str = ""
    #: what a measurement found
    values: tuple[tuple[str, float], ...] = ()
    #: of a game with a score: the moves of the best playout, from the start; none: no playout was better than the game itself
    best_moves: tuple[int, ...] = ()

    def same_game(self, other: GameRecord) -> bool:
        """Everything but the times is equal."""
        timeless = ("cell", "number", "game", "seed", "seats", "seating", "moves", "rewards", "iterations")
        return all(getattr(self, name) == getattr(other, name) for name in timeless)


class Environment:
    """Dice and deals of one game.  Each event has its own random numbers and comes out the same whatever was drawn before."""

    def __init__(self, seed: int) -> None:
        self.key, self.events = int(mix(seed, 0xD1CE)), 0

    def sample(self, position: Position) -> int:
        word = int(mix(self.key, self.events)) & (2**64 - 1)
        self.events += 1
        return position.sample(np.array([word or 1], np.uint64))


#: of one decision: seconds, iterations, share of visits of the chosen action, depth of the tree, score of the best playout and
#: its moves from the start of the game
Searched = tuple[float, int, float, int, float, tuple[int, ...]]
#: what is noted of a game with a score: that of its end, and that of the best playout of all its searches (or of its end)
SCORE, BEST_PLAYOUT = "score", "best playout"


def play(
    game: Game,
    players: Sequence[Player],
    seed: int,
    players_seed: int,
    opening: int = 0,
    values: list[tuple[str, float]] | None = None,
) -> tuple[Position, list[list[Searched]]]:
    """Play a game to its end; returns the final position and what was searched for every decision, by seat.

    Deal, dice and the ``opening`` (so many random decisions) follow from ``seed`` alone, what players draw from ``players_seed``.
    ``values``: gets the ply and what its player expected there, for every searched decision.
    """
    position, environment = game.start(seed), Environment(seed)
    _play_opening(position, environment, seed, opening)
    seats = [player.seated(game, seat, players_seed) for seat, player in enumerate(players)]
    log: list[list[Searched]] = [[] for _ in seats]
    while not position.is_terminal:
        actor = position.player
        if actor == ENVIRONMENT:
            position.apply(environment.sample(position))
            continue
        legal = position.legal()
        if not legal:
            raise ArenaError(f"{game.name}: no legal action after {len(position.history)} plies of an unfinished game")
        begun = time.perf_counter()
        decision = seats[actor].decide(position, legal)
        seconds = time.perf_counter() - begun
        best = (*moves_of(position), *decision.best_line) if decision.best_line else ()
        log[actor].append((seconds, decision.iterations, decision.share, decision.depth, decision.best_score, best))
        if decision.action not in legal:
            raise ArenaError(f"{players[actor]} chose the action {decision.action}, which is not legal in {game.name}")
        if values is not None and decision.value == decision.value:
            values.append((str(len(position.history)), round(decision.value, 4)))
        position.apply(decision.action)
    return position, log


def moves_of(position: Position) -> tuple[int, ...]:
    """All actions so far, the environment's too."""
    return tuple(action for _, action, _ in position.history)


def _play_opening(position: Position, environment: Environment, seed: int, opening: int) -> None:
    """So many random decisions; a game that they would end is left before its last one."""
    rng = seeded(seed, stream=8)
    while opening and not position.is_terminal:
        if position.player == ENVIRONMENT:
            position.apply(environment.sample(position))
            continue
        legal = position.legal()
        action = legal[int(random_below(rng, len(legal)))]
        if position.copy().apply(action).is_terminal:
            return
        position.apply(action)
        opening -= 1


def play_task(schedule: Schedule, name: str, number: int) -> GameRecord:
    """Play (or measure) the game of this number in this cell; the result depends on nothing else."""
    cell, begun = schedule.cell(name), time.thread_time()
    if cell.kind != GAME:
        from icarus.arena.measure import measure

        return measure(schedule, cell, number)
    game, seating = game_named(cell.game), cell.seating(number)
    players = [read_player(cell.players[i]) for i in seating]
    seed = schedule.seed_of(cell, number)
    values: list[tuple[str, float]] | None = [] if ("values", True) in cell.settings else None
    position, log = play(game, players, seed, schedule.players_seed(cell, number), cell.opening, values)
    searched = [[row for row in rows if row[1] > 0] for rows in log]
    scored: tuple[tuple[str, float], ...] = ()
    best_moves: tuple[int, ...] = ()
    if game.score is not None:
        best = score = position.score()
        for row in (row for rows in searched for row in rows):
            if row[4] > best:
                best, best_moves = row[4], row[5]
        scored = ((SCORE, score), (BEST_PLAYOUT, best))
    return GameRecord(
        cell=name,
        number=number,
        game=cell.game,
        seed=seed,
        seats=tuple(str(player) for player in players),
        seating=seating,
        moves=moves_of(position),
        rewards=tuple(position.rewards()),
        decisions=tuple(len(rows) for rows in log),
        iterations=tuple(sum(row[1] for row in rows) for rows in log),
        seconds=tuple(sum(row[0] for row in rows) for rows in log),
        share=tuple(_mean([row[2] for row in rows]) for rows in searched),
        depth=tuple(_mean([row[3] for row in rows]) for rows in searched),
        elapsed=time.thread_time() - begun,
        version=icarus.__version__,
        values=(*scored, *(values or ())),
        best_moves=best_moves,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def replay(record: GameRecord, each: Callable[[Position, int], None] | None = None, trust: Trust = OUTSIDE) -> Position:
    """Play the stored moves again and check all of them: legality, dice, and the rewards at the end.

    ``each(position, action)`` is called before every move.  The record may name a game that ``trust`` allows.
    """
    game = game_named(record.game, trust)
    position, environment = game.start(record.seed), Environment(record.seed)
    where = f"game {record.number} of {record.cell!r}"
    for ply, action in enumerate(record.moves):
        if position.is_terminal:
            raise ArenaError(f"{where}: the game is over after {ply} plies, but {len(record.moves)} moves are stored")
        if position.player == ENVIRONMENT:
            drawn = environment.sample(position)
            if drawn != action:
                raise ArenaError(f"{where}: ply {ply + 1} stores the outcome {action}, but its seed gives {drawn}")
        elif action not in position.legal():
            raise ArenaError(f"{where}: ply {ply + 1} stores the action {action}, which is not legal there")
        if each is not None:
            each(position, action)
        position.apply(action)
    if not position.is_terminal:
        raise ArenaError(f"{where}: the stored moves end after {len(record.moves)} plies, before the game does")
    if tuple(position.rewards()) != record.rewards:
        raise ArenaError(f"{where}: the stored rewards are {list(record.rewards)}, but the moves give {position.rewards()}")
    return position


def outcome(cell: Cell, record: GameRecord, player: int) -> float:
    """1 for a win, 0.5 for a draw, 0 for a loss of this player of the cell (the best of its seats counts).

    Whoever has the highest reward wins, also together with others (equal first in Hearts) unless the cell calls that a draw; if
    all have the same it is one.
    Alone, a reward of 1 is a win and one of 0 a loss.
    """
    mine = max(reward for reward, i in zip(record.rewards, record.seating, strict=True) if i == player)
    if len(record.rewards) == 1:
        return 1.0 if mine == 1 else 0.0 if mine == 0 else 0.5
    if min(record.rewards) == max(record.rewards):
        return 0.5
    if mine < max(record.rewards):
        return 0.0
    others = [reward for reward, i in zip(record.rewards, record.seating, strict=True) if i != player]
    return 0.5 if cell.equal_first == "draw" and mine in others else 1.0
