"""The memory of one worker: the arrays that engine/layout.py names, and the addresses by which compiled code finds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine.layout import (
    DIRECT,
    MAX_CAPTURES,
    MAX_KEYS,
    MET_BITS,
    RUN_SCORES,
    Arms,
    Candidates,
    Choice,
    Control,
    GameWords,
    HistoryRecord,
    Lane,
    Later,
    Leaves,
    Lesson,
    Looked,
    Met,
    PathRow,
    Report,
    Step,
    Trace,
    Update,
    World,
)
from icarus.engine.table.memory import words_apart
from icarus.engine.table.pool import Table
from icarus.game import Game
from icarus.jit import JIT, Layout, Random, Reals, To, address_of, size_of

VIEWS = {id(Reals): np.float64, id(Random): np.uint64}  #: by identity: to compare types of Numba takes longer than all the rest
NEVER = 2**31  #: a ply that is not reached
#: words for the notes of all lanes, and of one: what a playout does not get into them is not learned from
MOST_NOTES, FEWEST_NOTES = 1 << 22, 1 << 14


class Worker:
    """Named memory; ``handle`` is what a kernel takes, ``worker.control.done`` or ``worker.rng[0]`` what Python reads."""

    def __init__(self) -> None:
        self.addresses: npt.NDArray[np.int64] = np.zeros(size_of(World), np.int64)
        self.world = World(self.addresses)
        #: what a game or a strategy must keep alive as long as this
        self.keeps: list[object] = []

    def __getattr__(self, name: str) -> Any:
        if name in World.__fields__:
            return self.world._targets[name]
        raise AttributeError(name)

    def put(self, name: str, array: npt.NDArray[Any] | Layout, of: Layout | None = None) -> None:
        """Point a field of the world (or of another layout) to an array."""
        owner = self.world if of is None else of
        field = owner.__fields__[name]
        assert isinstance(field, To)
        view = array
        if not isinstance(array, Layout):
            if isinstance(field.kind, type):
                view = field.kind(array)
            elif (seen_as := VIEWS.get(id(field.kind))) is not None:
                view = array.view(seen_as)
        owner._array[field.offset] = address_of(array)
        owner._targets[name] = view

    @property
    def handle(self) -> Any:
        return self.addresses if JIT else self.world

    def use_table(self, table: Table) -> None:
        self.met._array[:] = 0  # where contexts were before the table was cleaned, or in another one
        if self.world._targets.get("index") is not table.index:
            self.put("pool", table.pool)
            self.put("meta", table.meta)
            self.put("pool", table.pool, of=self.trace)
            self.trace.shared = table.meta.shared
            self.trace.width = table.meta.width
            self.put("index", table.index)  # last: an interrupt in between must not leave half a table in use


def game_words(game: Game) -> GameWords:
    """Addresses and bounds of a game, as the loop reads them."""
    words = GameWords(np.zeros(size_of(GameWords), np.int64))
    for name in GameWords.__fields__:
        value = game.addresses.get(name, 0) if name not in BOUNDS else getattr(game, name)
        setattr(words, name, value)
    return words


BOUNDS = ("players", "state_size", "max_actions", "max_plies")


def new_worker(
    game: Game,
    *,
    lanes: int = 1,
    prefix: int = 0,
    update_rows: int = 1,
    track_moves: bool = False,
    track_later: bool = False,
    policy_nodes: int = 1,
    statistics: int = 0,
    learns: bool = False,
    seeds: npt.NDArray[np.uint64],
) -> Worker:
    """Memory with room for ``lanes`` playouts of a game; strategy, table and root are put in by the search."""
    players, actions, predicates = game.players, game.max_actions, max(game.max_predicates, 1)
    plies = game.max_plies + prefix + 1
    views = players if game.observe is not None else 1
    legal_words = min(plies * actions, 1 << 20) if track_later else 0
    slots = 1 << (2 * max(plies, actions)).bit_length()  # the moves of a playout, or the actions of a node (amaf/playouts.py)
    tracked, pathed = plies if track_moves else 1, plies if track_later else 1
    acted = plies if players == 1 else tracked
    rows = 3 + max(statistics, 1)
    noted = note_words(game, lanes) if learns else 1
    sizes: dict[str, int] = {
        "control": size_of(Control), "stop": 2, "root": game.state_size, "root_history": players + 1,
        "drawn_states": 1, "drawn_totals": 1, "drawn_histories": 1,
        "lanes": lanes * size_of(Lane), "states": lanes * game.state_size, "legal": lanes * actions,
        "before": lanes * game.state_size if game.put_back is not None else 1, "reports": lanes * size_of(Report),
        "picked": lanes, "ended": lanes, "histories": lanes * (players + 1), "hidden": lanes * (players + 1),
        "moves": lanes * views * tracked, "actors": lanes * tracked, "actions": lanes * acted,
        "path": lanes * plies * size_of(PathRow), "path_histories": lanes * pathed * players,
        "path_legal": lanes * max(legal_words, 1), "updates": lanes * update_rows * size_of(Update),
        "rewards": lanes * players, "leaf_values": lanes * players, "rng": lanes,
        "arms": size_of(Arms), "baseline_arms": size_of(Arms), "history_record": size_of(HistoryRecord), "values": actions,
        "total": max(actions, players), "ballot": actions, "records": actions, "options": actions, "choice": size_of(Choice),
        "step": size_of(Step), "keys": MAX_KEYS, "looked": MAX_CAPTURES * size_of(Looked),
        "met": (1 << MET_BITS if track_moves else 1) * size_of(Met), "facts": predicates, "features": max(game.max_features, 1),
        "leaves": size_of(Leaves), "trace": size_of(Trace), "later": (slots if track_later else 1) * size_of(Later),
        "played": (players + 1) * DIRECT if track_later else 1, "places": plies,
        "best_line": plies if players == 1 else 1, "own": 1, "run_scores": RUN_SCORES if players == 1 else 1,
        "chosen": 3 * policy_nodes, "cycles": 5, "candidates": size_of(Candidates),
        "lesson": size_of(Lesson), "notes": lanes * noted,
    }  # fmt: skip
    own, baseline, waiting = rows * actions, rows * actions, lanes
    scratch = 2 * (game.state_size + actions) + players
    weights = game.feature_count if learns else 1
    worker = Worker()
    # one piece of memory: a search that is made for one move must be cheap
    memory = words_apart(sum(sizes.values()) + own + baseline + waiting + scratch + weights)
    begin = 0

    def piece(size: int) -> npt.NDArray[np.int64]:
        nonlocal begin
        begin += size
        return memory[begin - size : begin]

    for name, size in sizes.items():
        worker.put(name, piece(size))
    words = game_words(game)
    worker.put("game", words)
    worker.rng[:] = seeds
    _put_arms(worker, piece(own), piece(baseline), actions)
    worker.put("facts", worker.facts, of=worker.step)
    worker.put("moves", worker.moves, of=worker.step)
    worker.put("actors", worker.actors, of=worker.step)
    leaves = worker.leaves
    for name, array in (("lanes", piece(waiting)), ("states", worker.states), ("rewards", worker.rewards), ("rng", worker.rng)):
        worker.put(name, array, of=leaves)
    leaves.state_size, leaves.players = game.state_size, players
    candidates, states, others, outcome = worker.candidates, piece(2 * game.state_size), piece(2 * actions), piece(players)
    for of, place, numbers in ((candidates, "states", "rewards"), (leaves, "scratch", "outcome")):
        worker.put("game", words, of=of)
        worker.put(place, states, of=of)
        worker.put(numbers, outcome, of=of)
    worker.put("others", others, of=candidates)
    worker.put("values", worker.ballot, of=candidates)
    worker.put("features", worker.features, of=candidates)
    learned = piece(weights)
    worker.put("learned", learned, of=candidates)
    worker.put("learned", learned, of=worker.lesson)
    candidates.room = noted
    worker.put("actions", others, of=leaves)
    worker.put("path", worker.path, of=worker.trace)
    worker.put("game", words, of=worker.trace)
    worker.put("state", worker.states, of=worker.trace)
    worker.put("rewards", worker.rewards, of=worker.trace)
    worker.trace.players = players
    control = worker.control
    control.postponed = NEVER
    control.lanes, control.plies, control.views, control.update_rows = lanes, plies, views, update_rows
    control.note_words, control.keeps = noted, players == 1
    control.path_legal_words, control.policy_nodes, control.later_slots = legal_words, policy_nodes, slots
    return worker


def note_words(game: Game, lanes: int) -> int:
    """Words for what one playout notes: for each ply who acted, what held of the position and of the move."""
    return 1 + min(game.max_plies * 2 * (1 + game.max_features), max(MOST_NOTES // lanes, FEWEST_NOTES))


def _put_arms(worker: Worker, own: npt.NDArray[Any], baseline: npt.NDArray[Any], stride: int) -> None:
    """Where the rows of the arms are: those of a capture, and those of the baseline, which every policy may look at."""

    def row(rows: npt.NDArray[Any], number: int) -> npt.NDArray[Any]:
        return rows[number * stride :]

    for arms, rows in ((worker.arms, own), (worker.baseline_arms, baseline)):
        for number, field in enumerate(("reward", "visits", "available", "statistic")):
            worker.put(field, row(rows, number), of=arms)
        for number, field in enumerate(("baseline_reward", "baseline_visits", "baseline_available")):
            worker.put(field, row(baseline, number), of=arms)
        worker.put("node", worker.history_record, of=arms)
        arms.stride = stride


def rows_of(layout: type[Layout], rows: Sequence[dict[str, int]]) -> npt.NDArray[np.int64]:
    """Layouts side by side, from the values of their fields."""
    array = np.zeros(max(len(rows), 1) * size_of(layout), np.int64)
    for number, values in enumerate(rows):
        view = layout(array, number * size_of(layout))
        for name, value in values.items():
            setattr(view, name, value)
    return array
