"""The arrays of a search, and the array of their addresses that the compiled loop works on (see engine/words.py)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine import words as w
from icarus.engine.memory import words_apart
from icarus.engine.native import JIT, address_of
from icarus.engine.records import Table
from icarus.game import Game


class World:
    """Named arrays; ``handle`` is what a kernel takes."""

    def __init__(self) -> None:
        self.arrays: dict[int, npt.NDArray[Any]] = {}
        self._addresses: npt.NDArray[np.int64] = np.zeros(len(w.FIELDS), np.int64)

    def __setitem__(self, field: int, array: npt.NDArray[Any]) -> None:
        assert array.flags.c_contiguous and array.dtype.itemsize == 8
        self.arrays[field] = array
        self._addresses[field] = address_of(array)

    def lay_out(self, sizes: dict[int, int], floats: set[int]) -> None:
        """New fields of so many words, all zero, in one piece of memory: a search that is made for one move must be cheap."""
        memory = words_apart(sum(sizes.values()))
        reals, start, begin = memory.view(np.float64), address_of(memory), 0
        for field, size in sizes.items():
            self.arrays[field] = (reals if field in floats else memory)[begin : begin + size]
            self._addresses[field] = start + 8 * begin
            begin += size

    def __getitem__(self, field: int) -> npt.NDArray[Any]:
        return self.arrays[field]

    @property
    def handle(self) -> Any:
        return self._addresses if JIT else [self.arrays.get(field) for field in range(len(w.FIELDS))]

    def use_table(self, table: Table) -> None:
        if self.arrays.get(w.INDEX) is table.index:
            return
        self[w.POOL], self[w.INDEX], self[w.META] = table.pool, table.index, table.meta


def game_words(game: Game) -> npt.NDArray[np.int64]:
    """Addresses and bounds of a game, as the loop reads them."""
    array = np.zeros(w.GAME_WORDS, np.int64)
    for role, name in enumerate(w.ROLES):
        array[role] = game.addresses.get(name, 0)
    array[w.PLAYERS], array[w.STATE_SIZE] = game.players, game.state_size
    array[w.MAX_ACTIONS], array[w.MAX_PLIES] = game.max_actions, game.max_plies
    return array


def new_world(
    game: Game,
    *,
    lanes: int = 1,
    prefix: int = 0,
    log_rows: int = 1,
    track_moves: bool = False,
    track_path: bool = False,
    policy_nodes: int = 1,
    seeds: npt.NDArray[np.uint64],
) -> World:
    """A world with room for ``lanes`` playouts of a game; strategy, table and root are put in by the search."""
    players, actions = game.players, game.max_actions
    plies = game.max_plies + prefix + 1
    views = players if game.observe is not None else 1
    path_words = min(plies * actions, 1 << 20) if track_path else 0
    slots = 1 << (2 * max(plies, actions)).bit_length()  # the moves of a playout, or the actions of a node (engine/later.py)
    tracked, pathed = plies if track_moves else 1, plies if track_path else 1

    world = World()
    world[w.GAME] = game_words(game)
    shapes = {
        w.CONTROL: (w.CONTROL_WORDS,), w.RNG: (lanes,),
        w.STOP: (2,), w.ROOT: (game.state_size,), w.ROOT_HISTORY: (players + 1,),
        w.STATE: (lanes, game.state_size), w.LEGAL: (lanes, actions), w.REPORT: (lanes, w.REPORT_WORDS), w.PICKED: (lanes,),
        w.STATUS: (lanes, w.STATUS_WORDS), w.HISTORY: (lanes, players + 1), w.HIDDEN: (lanes, players + 1),
        w.MOVES: (lanes, views, tracked), w.ACTORS: (lanes, tracked), w.ACTIONS: (lanes, tracked),
        w.LOG: (lanes, log_rows, w.LOG_WORDS), w.ODDS: (lanes, log_rows),
        w.PATH: (lanes, pathed, w.PATH_HISTORY + players + 1), w.PATH_LEGAL: (lanes, max(path_words, 1)),
        w.REWARDS: (players,), w.RECORDS: (actions,), w.OWN: (5, actions), w.BASE: (3, actions), w.VALUES: (actions,),
        w.TOTAL: (max(actions, players),), w.NODE_RECORD: (3,), w.OPTIONS: (actions,), w.KEYS: (w.MAX_KEYS,),
        w.LOOKED: (w.MAX_CAPTURES, w.LOOKED_WORDS),
        w.FACTS: (max(game.max_predicates, 1),), w.STEP: (w.STEP_WORDS,), w.CHOSEN: (3, policy_nodes), w.CYCLES: (5,),
        w.ODDS_NOW: (2,), w.LATER: (slots if track_path else 1, w.LATER_WORDS),
        w.WAY: (game.max_plies + 1, 2), w.PLACES: (game.max_plies + 1,),
        w.PLAYED: (players + 1 if track_path else 1, w.DIRECT if track_path else 1),
    }  # fmt: skip
    floats = {w.ODDS, w.REWARDS, w.OWN, w.BASE, w.VALUES, w.TOTAL, w.NODE_RECORD, w.ODDS_NOW}
    world.lay_out({field: math.prod(shape) for field, shape in shapes.items()}, floats)
    world[w.RNG] = world[w.RNG].view(np.uint64)
    world[w.RNG][:] = seeds
    control = world[w.CONTROL]
    control[w.LANES], control[w.PLIES], control[w.VIEWS] = lanes, plies, views
    control[w.LOG_ROWS], control[w.PATH_WORDS], control[w.POLICY_NODES] = log_rows, path_words, policy_nodes
    control[w.LATER_SLOTS] = slots
    return world
