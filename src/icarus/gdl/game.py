"""A rule sheet as an ordinary Icarus game.

>>> from icarus.gdl.game import load_sheet
>>> game = load_sheet("tictactoe.kif")  # doctest: +SKIP

Reading, grounding and building are done once per sheet: the network is kept on disk under a hash of the sheet's text and of the
sources that build it.  Nothing is compiled for a sheet.  A sheet whose network takes more time or memory than the limits is
played by joins over its relations (``machine``); and if even that is not possible by the reasoner, with a warning.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import stat
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine.layout import MAX_KEYS, Report
from icarus.errors import GameError, SearchError
from icarus.game import Game, State
from icarus.gdl import hidden, layout, play, step_lanes
from icarus.gdl.board import Board, find_board, watch_moves
from icarus.gdl.build_process import build_in_process
from icarus.gdl.checks import check_sheet
from icarus.gdl.environment import with_environment
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.lanes import LANES, WORDS, keep
from icarus.gdl.machine import Plan, machine_game, machine_plan
from icarus.gdl.network import Network
from icarus.gdl.reader import Sheet, Term, format_term, read_rules, read_term, read_text
from icarus.gdl.rule_game import AT_LEAST, AT_MOST, LONGER, RuleGame, players_of, shared_parts
from icarus.gdl.sheets import LARGE
from icarus.jit import cache_root, size_of
from icarus.jit.randomness import seeded

#: random games that are played once per sheet, to learn how long they are and whether roles decide at the same time
PROBE_STEPS = 300
#: iterations that every lane should have: with fewer, virtual loss spreads the search over bad moves
ITERATIONS_PER_LANE = 128
#: links of a network for every lane: more lanes than that hardly make a search faster, since then it is the lanes that take the
#: time; but so many there are at least
LINKS_PER_LANE, FEWEST_LANES = 32, 16
#: no time for a network
NO_NETWORK = Limits(seconds=0, rules=0, bytes=0)


def load_sheet(path: str | Path, limits: Limits | None = None) -> Game:
    """The game that a rule sheet describes."""
    hopeless = limits is None and Path(path).parent == LARGE
    return game_from_text(read_text(path), str(path), NO_NETWORK if hopeless else limits)


def game_from_text(text: str, file: str = "sheet", limits: Limits | None = None) -> Game:
    """The game that the text of a sheet describes; ``file`` is for messages and for the name."""
    known, wanted = _cache_file(text), limits or Limits()
    found = _load(known)
    # what was too large may be built with more time or room
    if isinstance(found, Plan) and not found.limits.covers(wanted):
        found = None
    if found is None or found.doubtful:
        sheet = read_rules(text, file)
        doubts = check_sheet(sheet)
        if doubts:
            more = f" (and {len(doubts) - 1} more: icarus gdl info {file})" if len(doubts) > 1 else ""
            warnings.warn(doubts[0].replace(": warning: ", ": ", 1) + more, stacklevel=2)
    if found is None:
        try:
            found = replace(_built(sheet, wanted), doubtful=bool(doubts))
        except TooLarge as problem:
            from icarus.gdl.interpreted import interpreted_game

            warnings.warn(f"{file}: {problem}; it is played by the slower reasoner", stacklevel=2)
            return interpreted_game(sheet, Path(file).stem)
        _save(known, found)
    return _game(found, Path(file).stem)


def _built(sheet: Sheet, limits: Limits) -> Description | Plan:
    """A network; or, where that takes too much time or room, a program of joins."""
    try:
        if limits != NO_NETWORK:
            return describe(sheet, limits)
    except TooLarge:
        pass
    return replace(machine_plan(sheet), limits=limits)


def _game(found: Description | Plan, name: str) -> RuleGame:
    return machine_game(found, name) if isinstance(found, Plan) else game_of(found, name)


def known_game(text: str, file: str = "sheet") -> RuleGame | None:
    """The game of a sheet whose network is known already, without building anything."""
    found = _load(_cache_file(text))
    return _game(found, Path(file).stem) if isinstance(found, Description) else None


@dataclass(frozen=True)
class Description:
    """A network, and what random games on it have shown."""

    network: Network
    max_steps: int
    simultaneous: bool
    #: GDL-II: roles know their own moves and what they see, and nothing else
    hidden: bool
    #: the checks have something to say, each time that the sheet is loaded
    doubtful: bool = False
    #: pieces and cells, where two roles move in turn
    board: Board | None = None


def describe(sheet: Sheet, limits: Limits | None = None) -> Description:
    """Ground, build and probe a checked sheet."""
    network = build_in_process(sheet, limits)
    rough = game_of(Description(network, AT_MOST, True, False), "probe")
    _, totals = random_playouts(rough, PROBE_STEPS)
    longest, together = int(totals[-2]), bool(totals[-1])
    steps = min(max(LONGER * longest, AT_LEAST), AT_MOST) if longest else AT_MOST
    in_turn = rough.players == len(network.roles) == 2 and not together and not sheet.hides
    board = find_board(network) if in_turn else None
    board = None if board is None else watch_moves(board, rough)
    return Description(network, steps, together, sheet.hides, board=board)


def game_of(description: Description, name: str) -> SheetGame:
    """The game of a network."""
    network, hides = description.network, description.hidden
    players = len(players_of(network.roles, name))
    together = description.simultaneous or hides
    memory = NetworkMemory(with_environment(network) if hides else network, players, description.max_steps, hides)
    pieces = memory.put_board(description.board)
    environment = players < len(memory.network.roles)
    return SheetGame(
        **shared_parts(name, network.roles, memory, description.max_steps, together=together),
        max_actions=max(len(moves) for moves in network.moves),
        initial=play.initial,
        legal=play.legal,
        apply=play.apply,
        sample=play.sample if environment else None,
        chance=play.chance if environment else None,
        observe=hidden.observe if hides else play.observe if together else None,
        determinize=hidden.determinize if hides else None,
        enter_search=play.enter_search if together else None,
        # where something is hidden every playout starts from a state of its own
        advance=None if hides else play.advance,
        advance_all=None if hides else step_lanes.advance_all,
        copy=None if hides else play.copy,
        predicates=play.predicates,
        max_predicates=min(len(network.fluents), MAX_KEYS),
        features=None if together or environment else play.features,
        feature_count=players * (len(network.fluents) + pieces + len(network.terms)),
        max_features=2 * max(min(len(network.fluents), MAX_KEYS), 4),  # of a move's name at most 8
        shifts=play.shifts if description.board is not None and description.board.moves_name_cells else None,
        board=description.board,
        network=network,
        memory=memory,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SheetGame(RuleGame):
    """A game with a network behind it, and with functions that step all lanes of a search at once."""

    network: Network
    memory: NetworkMemory
    board: Board | None = None

    @property
    def roles(self) -> tuple[str, ...]:
        return self.network.roles

    @property
    def header(self) -> npt.NDArray[np.int64]:
        return self.memory.header

    @property
    def hides(self) -> bool:
        return self.memory.hides

    def fluents(self, state: State) -> list[Term]:
        return self.memory.fluents(state)

    def legal_moves(self, state: State, role: int) -> list[str]:
        start, moves = int(self.memory.arrays_by_field[layout.LEGAL_AT][role]), self.network.moves[role]
        words = [int(word) for word in state[start : start + -(-len(moves) // 64)]]
        return [format_term(move) for i, move in enumerate(moves) if words[i >> 6] >> (i & 63) & 1]

    def percepts(self, state: State, role: int) -> list[list[Term]]:
        return self.memory.percepts(state, role)

    def number_of(self, move: str) -> int:
        return self.memory.numbers[move]

    def chosen_moves(self, state: State) -> dict[str, str]:
        at = int(self.header[layout.CHOSEN_AT])
        chosen = zip(self.roles, self.network.moves, state[at : at + len(self.roles)], strict=True)
        return {role: format_term(moves[int(number) - 1]) for role, moves, number in chosen if number}

    def move_of(self, state: State, step: int, role: int) -> int:
        row = int(self.header[layout.HISTORY_AT]) + step * int(self.header[layout.HISTORY_ROW])
        return self.number_of(format_term(self.memory.network.moves[role][int(state[row + role]) - 1]))

    def put_knowledge(self, state: State, role: int, known: Sequence[tuple[str, Sequence[str]]]) -> None:
        header = self.header
        moves = {format_term(move): number for number, move in enumerate(self.network.moves[role])}
        percepts = {format_term(term): number for number, term in enumerate(self.network.percepts[role])}
        place = int(self.memory.arrays_by_field[layout.SEEN_AT][role])
        for step, (move, seen) in enumerate(known):
            row = state[int(header[layout.HISTORY_AT]) + step * int(header[layout.HISTORY_ROW]) :]
            if move not in moves or not percepts.keys() >= set(seen):
                raise GameError(f"{move} with {' '.join(seen) or 'nothing'} seen cannot happen to {self.roles[role]}")
            row[role] = moves[move] + 1
            for number in (percepts[percept] for percept in seen):
                row.view(np.uint64)[place + (number >> 6)] |= np.uint64(1) << np.uint64(number & 63)
        if known:
            legal = int(self.memory.arrays_by_field[layout.LEGAL_AT][role])
            state[legal : legal + -(-len(moves) // 64)] = 0  # not known: see hidden.agrees_now

    def longer(self, steps: int) -> SheetGame:
        known = Description(self.network, steps, self.simultaneous is not None, self.hides, board=self.board)
        return game_of(known, self.name)

    def sensible_lanes(self, iterations: int | None = None) -> int:
        """How many lanes a search of so many iterations should have (None: as many as there is time for).

        A network is evaluated for all lanes at once, so the larger it is, the more lanes pay; but as many playouts do not yet
        know of each other.  Where every playout starts from a state of its own (GDL-II) lanes gain nothing.
        """
        if self.determinize is not None:
            return 1
        useful = min(max(self.network.links // LINKS_PER_LANE, FEWEST_LANES), LANES)
        return useful if iterations is None else min(max(iterations // ITERATIONS_PER_LANE, 1), useful)

    def prepare(self, worker: Any) -> None:
        """Give the lanes of a search their common array of values."""
        lanes = int(worker.control.lanes)
        if lanes > LANES:
            raise SearchError(f"lanes={lanes}: a rule sheet is searched with at most {LANES} lanes on each thread")
        if lanes > 1 and self.determinize is None:
            block = LaneBlock(self.memory)
            worker.keeps.append(block)
            block.mark(worker.states, lanes)


# --- memory ----------------------------------------------------------------------------------------------------------


class NetworkMemory:
    """A network as one array of words and addresses (layout.py); it must outlive every state that points to it."""

    def __init__(self, network: Network, players: int, max_steps: int, hides: bool) -> None:
        self.network = network
        self.players = players
        roles = len(network.roles)
        self.header = np.zeros(layout.NETWORK_WORDS, np.int64)
        self.arrays_by_field: dict[int, npt.NDArray[Any]] = {}
        header = self.header
        terms = {term: number for number, term in enumerate(network.terms)}
        counts = [len(moves) for moves in network.moves]
        header[layout.SLOTS], header[layout.KEPT], header[layout.FLUENTS] = network.slots, network.kept, len(network.fluents)
        header[layout.ROLES], header[layout.PLAYERS], header[layout.TERMS] = roles, players, len(terms)
        header[layout.TERMINAL], header[layout.MAX_STEPS], header[layout.MAX_ACTIONS] = (
            network.terminal_slot,
            max_steps,
            max(counts),
        )
        self.put(layout.GATES, network.words)
        for place, segments in (
            (layout.ON_STATE, network.on_state),
            (layout.ON_GOALS, network.on_goals),
            (layout.ON_MOVES, network.on_moves),
        ):
            self.put(place, segments)
            header[place + 1] = len(segments) // 4
        self.put(layout.FLUENT_SLOTS, network.fluent_slots)
        self.put(layout.NEXT_SLOTS, network.next_slots)
        self.put(layout.INITIAL, pack_bits(network.initial))
        self.put(layout.FIRST_MOVE, offsets(counts))
        self.put(layout.MOVES, np.array(counts, np.int64))
        self.put(layout.LEGAL_SLOTS, joined(network.legal_slots))
        self.put(layout.DOES_SLOTS, joined(network.does_slots))
        self.put(layout.TERM_OF, np.array([terms[move] for moves in network.moves for move in moves], np.int32))
        move_of = np.full((roles, len(terms)), -1, np.int32)
        for role, moves in enumerate(network.moves):
            for number, move in enumerate(moves):
                move_of[role, terms[move]] = number
        self.put(layout.MOVE_OF, move_of.reshape(-1))
        goal_counts = [len(values) for values in network.goal_values]
        self.put(layout.FIRST_GOAL, offsets(goal_counts))
        self.put(layout.GOALS_COUNT, np.array(goal_counts, np.int64))
        self.put(layout.GOAL_SLOTS, joined(network.goal_slots))
        self.put(layout.GOAL_VALUES, joined(network.goal_values))
        sight_counts = [len(percepts) for percepts in network.percepts]
        self.put(layout.FIRST_SIGHT, offsets(sight_counts))
        self.put(layout.SIGHTS, np.array(sight_counts, np.int64))
        self.put(layout.SEES_SLOTS, joined(network.sees_slots))
        words = -(-len(network.fluents) // 64)
        header[layout.CHOSEN_AT] = layout.GOALS + roles
        header[layout.BITS_AT] = header[layout.HEADER_WORDS] = layout.GOALS + 2 * roles
        legal_words = [-(-count // 64) for count in counts]
        self.put(layout.LEGAL_AT, header[layout.BITS_AT] + words + offsets(legal_words))
        self.state_words = int(header[layout.BITS_AT]) + words + sum(legal_words)
        self.hides = hides
        if hides:
            seen_words = [-(-count // 64) for count in sight_counts]
            self.put(layout.SEEN_AT, roles + offsets(seen_words))
            header[layout.HISTORY_AT], header[layout.HISTORY_ROW] = self.state_words, roles + sum(seen_words)
            self.state_words += max_steps * int(header[layout.HISTORY_ROW])
        header[layout.STATE_WORDS] = self.state_words
        self.terms = [format_term(term) for term in network.terms]
        self.numbers = {term: number for number, term in enumerate(self.terms)}
        self.address = keep(header)

    def put_board(self, board: Board | None) -> int:
        """Keep what is known of pieces and cells; returns how many pieces there are."""
        if board is None:
            return 0
        self.header[layout.PIECES], self.header[layout.LEFT] = len(board.pieces), board.left
        self.put(layout.PIECE_OF, board.piece_of)
        self.put(layout.FLUENT_AT, board.fluent_at.reshape(-1))
        self.put(layout.MOVE_FROM, board.move_from)
        self.put(layout.MOVE_TO, board.move_to)
        self.put(layout.DROPPED, np.array(board.dropped, np.int64))
        return len(board.pieces)

    def put(self, field: int, array: npt.NDArray[Any]) -> None:
        """Keep a table and note its address (an empty one gets a word, so that it has one)."""
        array = np.ascontiguousarray(array if len(array) else np.zeros(1, array.dtype))
        self.arrays_by_field[field] = array
        self.header[field] = keep(array)

    def fluents(self, state: State) -> list[Term]:
        """What holds in a state."""
        start = int(self.header[layout.BITS_AT])
        return [term for i, term in enumerate(self.network.fluents) if int(state[start + (i >> 6)]) >> (i & 63) & 1]

    def view(self, state: State, observer: int) -> object:
        """The state, without what others have chosen in a step in which the observer chooses at the same time."""
        if self.hides:
            return self.knowledge(state, observer)
        known = [int(word) for word in state[layout.LANE_BLOCK + 2 :]]
        chosen = int(self.header[layout.CHOSEN_AT]) - layout.LANE_BLOCK - 2
        if state[layout.TOGETHER]:
            known = [
                0 if chosen <= i < chosen + len(self.network.roles) and i != chosen + observer else x for i, x in enumerate(known)
            ]
        return tuple(known)

    def knowledge(self, state: State, observer: int) -> object:
        """What a role knows where it does not see everything: its moves, what it saw, and what it has chosen in this step."""
        header, width = self.header, int(self.header[layout.HISTORY_ROW])
        rows = state[int(header[layout.HISTORY_AT]) :][: int(state[layout.STEPS]) * width].reshape(-1, width)
        place = int(self.arrays_by_field[layout.SEEN_AT][observer])
        words = -(-len(self.network.percepts[observer]) // 64)
        known = tuple((int(row[observer]), *(int(word) for word in row[place : place + words])) for row in rows)
        return known, int(state[int(header[layout.CHOSEN_AT]) + observer]), bool(state[layout.ENDED])

    def percepts(self, state: State, observer: int) -> list[list[Term]]:
        """What a role saw, step by step."""
        known: Any = self.knowledge(state, observer)
        terms = self.network.percepts[observer]
        return [[term for i, term in enumerate(terms) if row[1 + (i >> 6)] >> (i & 63) & 1] for row in known[0]]

    def render(self, state: State, observer: int | None = None) -> str:
        if observer is not None and self.hides:
            seen = [" ".join(format_term(term) for term in step) or "nothing" for step in self.percepts(state, observer)]
            return "\n".join(f"step {number}: saw {text}" for number, text in enumerate(seen, 1)) or "nothing seen yet"
        return "\n".join(format_term(term) for term in self.fluents(state))

    def format_action(self, state: State, action: int) -> str:
        return self.terms[action]

    def parse_action(self, state: State, text: str) -> int:
        try:
            return self.numbers[format_term(read_term(text))]
        except (GameError, KeyError):
            raise ValueError("write a move as in the sheet, such as (mark 1 1)") from None


class LaneBlock:
    """The values of all lanes of one search (see ``play``)."""

    def __init__(self, memory: NetworkMemory) -> None:
        self.memory = memory
        network = memory.network
        header = np.zeros(layout.BLOCK_WORDS, np.int64)
        values = np.zeros(network.slots * WORDS, np.uint64)
        values[WORDS : 2 * WORDS] = ~np.uint64(0)
        arrays = {
            layout.VALUES: values,
            layout.FRESH: np.zeros(max(len(network.fluents), 1) * WORDS, np.uint64),
            layout.ROOT_VALUES: np.zeros(network.slots, np.uint64),
            layout.ROOT_STATE: np.zeros(memory.state_words, np.int64),
            layout.ROOT_LEGAL: np.zeros(max(len(moves) for moves in network.moves), np.int64),
            layout.RESTART: np.zeros(WORDS, np.uint64),
            layout.MASKS: np.zeros(layout.MASK_ROWS * WORDS, np.uint64),
            layout.ASK: np.zeros(len(network.roles) * WORDS, np.uint64),
            layout.COUNTS: np.zeros(LANES, np.int64),
        }
        for field, array in arrays.items():
            header[field] = keep(array)
        self.arrays, self.header = arrays, header
        self.address = keep(header)

    def mark(self, states: npt.NDArray[np.int64], lanes: int) -> None:
        """Tell the rows of a search which lanes they are."""
        rows = states[: lanes * self.memory.state_words].reshape(lanes, self.memory.state_words)
        rows[:, layout.NETWORK] = self.memory.address
        rows[:, layout.LANE_BLOCK] = self.address
        rows[:, layout.LANE] = np.arange(lanes)


def pack_bits(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    words = np.zeros(max(-(-len(values) // 64), 1), np.uint64)
    for i in np.flatnonzero(values):
        words[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return words.view(np.int64)


def offsets(counts: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)


def joined(arrays: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return np.concatenate(arrays).astype(np.int32) if arrays else np.zeros(0, np.int32)


# --- random games ----------------------------------------------------------------------------------------------------


def random_playouts(game: SheetGame, steps: int, seed: int = 0) -> tuple[int, npt.NDArray[np.int64]]:
    """Random games in 256 lanes for a number of steps: how many ended, and totals (goals per role, longest game, any step with
    several choices)."""
    memory = game.memory
    root = game.start(seed).state
    block = LaneBlock(memory)
    states = np.zeros(LANES * memory.state_words, np.int64)
    block.mark(states, LANES)
    totals = np.zeros(len(memory.network.roles) + 2, np.int64)
    arrays = [np.zeros(LANES * n, np.int64) for n in (1, game.max_actions, size_of(Report))]
    games = int(step_lanes.random_games(root, states, *arrays, totals, seeded(seed, stream=9), steps))
    return games, totals


# --- the cache of networks -------------------------------------------------------------------------------------------


def _cache_file(text: str) -> Path:
    # the same rules come from files and in messages, with other spaces and comments
    plain = re.sub(r";[^\n]*", "", text).lower().replace("(", " ( ").replace(")", " ) ")
    digest = hashlib.sha256(" ".join(plain.split()).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return cache_root() / "gdl" / f"{digest.hexdigest()[:32]}.network"


def _load(file: Path) -> Description | Plan | None:
    try:
        if cache_root().stat().st_mode & stat.S_IWOTH:  # everybody may write there, and a pickle can hold anything
            return None
        found = pickle.loads(file.read_bytes())
    except (OSError, pickle.PickleError, EOFError, AttributeError):
        return None
    return found if isinstance(found, Description | Plan) else None


def _save(file: Path, description: Description | Plan) -> None:
    """Write the file in one step; a cache that cannot be written is no error."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "wb") as stream:
            pickle.dump(description, stream)
        os.replace(temporary, file)
    except OSError:
        return
