"""A rule sheet as an ordinary Icarus game.

>>> from icarus.gdl.game import load_sheet
>>> game = load_sheet("tictactoe.kif")  # doctest: +SKIP

Reading, grounding and building are done once per sheet: the network is kept on disk under a hash of the sheet's text and of the
sources that build it.  Nothing is compiled for a sheet.  A sheet whose network takes more time or memory than the limits is
played by the reasoner, with a warning.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine import words as w
from icarus.engine.native import address, cache_root
from icarus.engine.randomness import seeded
from icarus.errors import GameError, SearchError
from icarus.game import SIGNATURES, Game, State
from icarus.gdl import hidden, play
from icarus.gdl.apart import build_apart
from icarus.gdl.checks import check_sheet
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.lanes import LANES, WORDS, keep
from icarus.gdl.network import Network
from icarus.gdl.reader import Sheet, Term, format_term, read_rules, read_term, read_text

#: random games that are played once per sheet, to learn how long they are and whether roles decide at the same time
PROBE_STEPS = 300
#: a game that is longer than this multiple of the longest random game (and than this many steps) is cut off
LONGER, AT_LEAST, AT_MOST = 4, 200, 5000
#: iterations that every lane should have: with fewer, virtual loss spreads the search over bad moves
ITERATIONS_PER_LANE = 128
#: links of a network for every lane: more lanes than that hardly make a search faster, since then it is the lanes that take the
#: time; but so many there are at least
LINKS_PER_LANE, FEWEST_LANES = 32, 16
#: key of the lanes' arrays in a world, beside the fields that the loop knows
LANE_ARRAYS = 1000


def load_sheet(path: str | Path, limits: Limits | None = None) -> Game:
    """The game that a rule sheet describes."""
    return game_from_text(read_text(path), str(path), limits)


def game_from_text(text: str, file: str = "sheet", limits: Limits | None = None) -> Game:
    """The game that the text of a sheet describes; ``file`` is for messages and for the name."""
    known = _cache_file(text)
    description = _load(known)
    if description is None or description.doubtful:
        sheet = read_rules(text, file)
        doubts = check_sheet(sheet)
        if doubts:
            more = f" (and {len(doubts) - 1} more: icarus gdl info {file})" if len(doubts) > 1 else ""
            warnings.warn(doubts[0].replace(": warning: ", ": ", 1) + more, stacklevel=2)
    if description is None:
        try:
            description = describe(sheet, limits)
        except TooLarge as problem:
            from icarus.gdl.slow import slow_game

            warnings.warn(f"{file}: {problem}; it is played by the slower reasoner instead of a network", stacklevel=2)
            return slow_game(sheet, Path(file).stem)
        description = replace(description, doubtful=bool(doubts))
        _save(known, description)
    return game_of(description, Path(file).stem)


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


def describe(sheet: Sheet, limits: Limits | None = None) -> Description:
    """Ground, build and probe a checked sheet."""
    network = build_apart(sheet, limits)
    rough = Description(network, AT_MOST, True, False)
    _, totals = random_playouts(game_of(rough, "probe"), PROBE_STEPS)
    longest, together = int(totals[-2]), bool(totals[-1])
    steps = min(max(LONGER * longest, AT_LEAST), AT_MOST) if longest else AT_MOST
    return Description(network, steps, together, sheet.hides)


def game_of(description: Description, name: str) -> SheetGame:
    """The game of a network."""
    network = description.network
    players = tuple(role for role in network.roles if role != "random")
    if not players:
        raise GameError(f"{name}: the only role is 'random'; a game needs a player")
    hides = description.hidden
    together = description.simultaneous or hides
    memory = NetworkMemory(network, len(players), description.max_steps, hides)
    environment = len(players) < len(network.roles)
    deciding = len(network.roles) if together or environment else 1
    return SheetGame(
        name=name,
        summary=f"rule sheet with {len(network.roles)} role{'s' if len(network.roles) > 1 else ''}",
        players=len(players),
        player_names=players,
        parameters=(memory.address,),
        state_size=memory.state_words,
        max_actions=max(len(moves) for moves in network.moves),
        max_plies=description.max_steps * deciding,
        initial=play.initial,
        player=play.player,
        legal=play.legal,
        apply=play.apply,
        terminal=play.terminal,
        rewards=play.rewards,
        sample=play.sample if environment else None,
        chance=play.chance if environment else None,
        simultaneous=play.simultaneous if together else None,
        observe=hidden.observe if hides else play.observe if together else None,
        determinize=hidden.determinize if hides else None,
        enter_search=play.enter_search if together else None,
        view=memory.view,
        render=memory.render,
        format_action=memory.format_action,
        parse_action=memory.parse_action,
        network=network,
        memory=memory,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SheetGame(Game):
    """A game with a network behind it, and with functions that step all lanes of a search at once."""

    network: Network
    memory: NetworkMemory

    @cached_property
    def addresses(self) -> dict[str, int]:
        known = {name: address(getattr(self, name), signature) for name, signature in SIGNATURES.items()}
        if self.determinize is not None:  # every playout starts from a state of its own
            return known
        known["advance"] = address(play.advance, play.ADVANCE)
        known["advance_all"] = address(play.advance_all, play.ADVANCE_ALL)
        known["copy"] = address(play.copy, play.COPY)
        return known

    @property
    def unexplained(self) -> int:
        """Determinizations so far for which the budget yielded no consistent sequence of moves (GDL-II)."""
        return int(self.memory.header[play.UNEXPLAINED])

    def sensible_lanes(self, iterations: int | None = None) -> int:
        """How many lanes a search of so many iterations should have (None: as many as there is time for).

        A network is evaluated for all lanes at once, so the larger it is, the more lanes pay; but as many playouts do not yet
        know of each other.  Where every playout starts from a state of its own (GDL-II) lanes gain nothing.
        """
        if self.determinize is not None:
            return 1
        useful = min(max(self.network.links // LINKS_PER_LANE, FEWEST_LANES), LANES)
        return useful if iterations is None else min(max(iterations // ITERATIONS_PER_LANE, 1), useful)

    def prepare_world(self, world: Any) -> None:
        """Give the lanes of a search their common array of values."""
        lanes = int(world[w.CONTROL][w.LANES])
        if lanes > LANES:
            raise SearchError(f"lanes={lanes}: a rule sheet is searched with at most {LANES} lanes on each thread")
        if lanes > 1 and self.determinize is None:
            block = LaneBlock(self.memory)
            world.arrays[LANE_ARRAYS] = block
            block.mark(world[w.STATE], lanes)


# --- memory ----------------------------------------------------------------------------------------------------------


class NetworkMemory:
    """A network as one array of words and addresses, in the layout of ``play``; it must outlive every state that points to it."""

    def __init__(self, network: Network, players: int, max_steps: int, hides: bool) -> None:
        self.network = network
        self.players = players
        roles = len(network.roles)
        self.header = np.zeros(play.NETWORK_WORDS, np.int64)
        self.arrays_by_field: dict[int, npt.NDArray[Any]] = {}
        header = self.header
        terms = {term: number for number, term in enumerate(network.terms)}
        counts = [len(moves) for moves in network.moves]
        header[play.SLOTS], header[play.KEPT], header[play.FLUENTS] = network.slots, network.kept, len(network.fluents)
        header[play.ROLES], header[play.PLAYERS], header[play.TERMS] = roles, players, len(terms)
        header[play.TERMINAL], header[play.MAX_STEPS], header[play.MAX_ACTIONS] = network.terminal_slot, max_steps, max(counts)
        self.put(play.GATES, network.words)
        for place, segments in (
            (play.ON_STATE, network.on_state),
            (play.ON_GOALS, network.on_goals),
            (play.ON_MOVES, network.on_moves),
        ):
            self.put(place, segments)
            header[place + 1] = len(segments) // 4
        self.put(play.FLUENT_SLOTS, network.fluent_slots)
        self.put(play.NEXT_SLOTS, network.next_slots)
        self.put(play.INITIAL, pack_bits(network.initial))
        self.put(play.FIRST_MOVE, offsets(counts))
        self.put(play.MOVES, np.array(counts, np.int64))
        self.put(play.LEGAL_SLOTS, joined(network.legal_slots))
        self.put(play.DOES_SLOTS, joined(network.does_slots))
        self.put(play.TERM_OF, np.array([terms[move] for moves in network.moves for move in moves], np.int32))
        move_of = np.full((roles, len(terms)), -1, np.int32)
        for role, moves in enumerate(network.moves):
            for number, move in enumerate(moves):
                move_of[role, terms[move]] = number
        self.put(play.MOVE_OF, move_of.reshape(-1))
        goal_counts = [len(values) for values in network.goal_values]
        self.put(play.FIRST_GOAL, offsets(goal_counts))
        self.put(play.GOALS_COUNT, np.array(goal_counts, np.int64))
        self.put(play.GOAL_SLOTS, joined(network.goal_slots))
        self.put(play.GOAL_VALUES, joined(network.goal_values))
        sight_counts = [len(percepts) for percepts in network.percepts]
        self.put(play.FIRST_SIGHT, offsets(sight_counts))
        self.put(play.SIGHTS, np.array(sight_counts, np.int64))
        self.put(play.SEES_SLOTS, joined(network.sees_slots))
        words = -(-len(network.fluents) // 64)
        header[play.CHOSEN_AT] = play.GOALS + roles
        header[play.BITS_AT] = header[play.HEADER_WORDS] = play.GOALS + 2 * roles
        legal_words = [-(-count // 64) for count in counts]
        self.put(play.LEGAL_AT, header[play.BITS_AT] + words + offsets(legal_words))
        self.state_words = int(header[play.BITS_AT]) + words + sum(legal_words)
        self.hides = hides
        if hides:
            seen_words = [-(-count // 64) for count in sight_counts]
            self.put(play.SEEN_AT, roles + offsets(seen_words))
            header[play.HISTORY_AT], header[play.HISTORY_ROW] = self.state_words, roles + sum(seen_words)
            self.state_words += max_steps * int(header[play.HISTORY_ROW])
        header[play.STATE_WORDS] = self.state_words
        self.terms = [format_term(term) for term in network.terms]
        self.address = keep(header)

    def put(self, field: int, array: npt.NDArray[Any]) -> None:
        """Keep a table and note its address (an empty one gets a word, so that it has one)."""
        array = np.ascontiguousarray(array if len(array) else np.zeros(1, array.dtype))
        self.arrays_by_field[field] = array
        self.header[field] = keep(array)

    def fluents(self, state: State) -> list[Term]:
        """What holds in a state."""
        start = int(self.header[play.BITS_AT])
        return [term for i, term in enumerate(self.network.fluents) if int(state[start + (i >> 6)]) >> (i & 63) & 1]

    def view(self, state: State, observer: int) -> object:
        """The state, without what others have chosen in a step in which the observer chooses at the same time."""
        if self.hides:
            return self.knowledge(state, observer)
        known = [int(word) for word in state[play.LANE_BLOCK + 2 :]]
        chosen = int(self.header[play.CHOSEN_AT]) - play.LANE_BLOCK - 2
        if state[play.TOGETHER]:
            known = [
                0 if chosen <= i < chosen + len(self.network.roles) and i != chosen + observer else x for i, x in enumerate(known)
            ]
        return tuple(known)

    def knowledge(self, state: State, observer: int) -> object:
        """What a role knows where it does not see everything: its moves, what it saw, and what it has chosen in this step."""
        header, width = self.header, int(self.header[play.HISTORY_ROW])
        rows = state[int(header[play.HISTORY_AT]) :][: int(state[play.STEPS]) * width].reshape(-1, width)
        place = int(self.arrays_by_field[play.SEEN_AT][observer])
        words = -(-len(self.network.percepts[observer]) // 64)
        known = tuple((int(row[observer]), *(int(word) for word in row[place : place + words])) for row in rows)
        return known, int(state[int(header[play.CHOSEN_AT]) + observer]), bool(state[play.ENDED])

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
            return self.terms.index(format_term(read_term(text)))
        except (GameError, ValueError):
            raise ValueError("write a move as in the sheet, such as (mark 1 1)") from None


class LaneBlock:
    """The values of all lanes of one search (see ``play``)."""

    def __init__(self, memory: NetworkMemory) -> None:
        self.memory = memory
        network = memory.network
        header = np.zeros(play.BLOCK_WORDS, np.int64)
        values = np.zeros(network.slots * WORDS, np.uint64)
        values[WORDS : 2 * WORDS] = ~np.uint64(0)
        arrays = {
            play.VALUES: values,
            play.FRESH: np.zeros(max(len(network.fluents), 1) * WORDS, np.uint64),
            play.ROOT_VALUES: np.zeros(network.slots, np.uint64),
            play.ROOT_STATE: np.zeros(memory.state_words, np.int64),
            play.ROOT_LEGAL: np.zeros(max(len(moves) for moves in network.moves), np.int64),
            play.RESTART: np.zeros(WORDS, np.uint64),
            play.MASKS: np.zeros(play.MASK_ROWS * WORDS, np.uint64),
            play.ASK: np.zeros(len(network.roles) * WORDS, np.uint64),
            play.COUNTS: np.zeros(LANES, np.int64),
        }
        for field, array in arrays.items():
            header[field] = keep(array)
        self.arrays, self.header = arrays, header
        self.address = keep(header)

    def mark(self, states: npt.NDArray[np.int64], lanes: int) -> None:
        """Tell the rows of a search which lanes they are."""
        rows = states[: lanes * self.memory.state_words].reshape(lanes, self.memory.state_words)
        rows[:, play.NETWORK] = self.memory.address
        rows[:, play.LANE_BLOCK] = self.address
        rows[:, play.LANE] = np.arange(lanes)


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
    totals = np.zeros(len(game.network.roles) + 2, np.int64)
    arrays = [np.zeros(LANES * n, np.int64) for n in (1, game.max_actions, w.REPORT_WORDS)]
    games = int(play.random_games(root, states, *arrays, totals, seeded(seed, stream=9), steps))
    return games, totals


# --- the cache of networks -------------------------------------------------------------------------------------------


def _cache_file(text: str) -> Path:
    # the same rules come from files and in messages, with other spaces and comments
    plain = re.sub(r";[^\n]*", "", text).lower().replace("(", " ( ").replace(")", " ) ")
    digest = hashlib.sha256(" ".join(plain.split()).encode())
    for source in ("reader.py", "checks.py", "ground.py", "network.py", "game.py", "play.py", "hidden.py"):
        digest.update((Path(__file__).parent / source).read_bytes())
    return cache_root() / "gdl" / f"{digest.hexdigest()[:32]}.network"


def _load(file: Path) -> Description | None:
    try:
        description = pickle.loads(file.read_bytes())
    except (OSError, pickle.PickleError, EOFError, AttributeError):
        return None
    return description if isinstance(description, Description) else None


def _save(file: Path, description: Description) -> None:
    """Write the file in one step; a cache that cannot be written is no error."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "wb") as stream:
            pickle.dump(description, stream)
        os.replace(temporary, file)
    except OSError:
        return
