"""A sheet that is played by joins: the game of a program (see ``relations``), which needs no grounding.

Building takes a fraction of a second for any sheet.  Some hundred random steps tell how many rows relations have, and the program
is planned again with that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine.layout import MAX_KEYS
from icarus.errors import GameError
from icarus.game import SIGNATURES, State
from icarus.gdl import derive, derive_hidden, joins, layout, play
from icarus.gdl.checks import is_goal
from icarus.gdl.environment import ADDED, MOVE, program_with_environment
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.lanes import keep
from icarus.gdl.reader import Sheet, Term, format_term, read_term
from icarus.gdl.relations import GOALS, MOVES, STATE, Block, Numbering, Program, build_program
from icarus.gdl.rule_game import AT_LEAST, AT_MOST, LONGER, RuleGame, players_of, shared_parts
from icarus.jit import python_call
from icarus.jit.randomness import mix, seeded

#: random steps from which the sizes of relations are learned; then more, until so many games have ended or so many seconds are
#: over
PROBE_STEPS, PROBE_GAMES, PROBE_SECONDS = 50, 16, 2.0
#: room for the legal moves of a decision: a multiple of the most that random games have seen, and at least so many
ROOM, ROOM_AT_LEAST = 8, 4096


@dataclass(frozen=True)
class Plan:
    """A program, and what random games on it have shown."""

    program: Program
    max_steps: int
    max_actions: int
    simultaneous: bool
    #: GDL-II: roles know their own moves and what they see, and nothing else
    hidden: bool
    #: the checks have something to say, each time that the sheet is loaded
    doubtful: bool = False
    #: within which no network was built
    limits: Limits = field(default_factory=Limits)


class Machine:
    """A program as arrays, in the layout of ``derive``; it must outlive every state that points to it."""

    def __init__(self, program: Program, players: int, max_steps: int, max_actions: int, hides: bool) -> None:
        if hides:
            program = program_with_environment(program)
        self.program, self.players, self.hides = program, players, hides
        self.lock = threading.RLock()  # for states that belong to no search: they share a workspace
        self.header = header = np.zeros(derive.MACHINE_WORDS, np.int64)
        self.arrays: dict[int, npt.NDArray[Any]] = {}
        self.lists: list[int] = []
        roles = len(program.roles)
        header[layout.ROLES], header[layout.PLAYERS], header[layout.FLUENTS] = roles, players, program.fluent_count
        header[layout.MAX_STEPS], header[layout.MAX_ACTIONS] = max_steps, max_actions
        self.put(derive.PROGRAM, program.words)
        self.put(derive.WEIGHTS, program.weights)
        header[derive.ON_STATE], header[derive.ON_GOALS], header[derive.ON_MOVES] = (
            program.phases[layer] for layer in (STATE, GOALS, MOVES)
        )
        terminal = [r.place for r in program.relations.values() if r.origin[0] == "terminal"]
        header[derive.TERMINAL] = terminal[0] if terminal else -1
        self.put_blocks(derive.FLUENT_BLOCKS, program.fluents)
        self.put_blocks(derive.MOVE_BLOCKS, program.moves)
        self.put_rows(derive.NEXT_ROWS, program.following)
        self.put_rows(derive.LEGAL_ROWS, program.allowed)
        self.put_rows(derive.SEES_ROWS, program.seen)
        goals = [r.place for r in program.relations.values() if r.origin[0] == "goal" and all(r.domains)]
        self.put(derive.GOAL_TABLES, np.array(goals, np.int64))
        header[derive.GOAL_TABLE_COUNT] = len(goals)
        self.put(derive.GOAL_VALUES, np.array([int(c) if is_goal(c) else -1 for c in program.constants], np.int64))
        self.put(
            derive.ROLE_CONSTANTS,
            np.array([-1 if role == ADDED else program.constants.index(role) for role in program.roles], np.int64),
        )
        header[derive.ADDED_MOVE] = program.move_count
        self.put(derive.LISTS, np.array(self.lists, np.int64))
        self.fixed = self.complete_fixed()
        words = max(-(-program.fluent_count // 64), 1)
        header[layout.CHOSEN_AT] = layout.GOALS + roles
        header[layout.BITS_AT] = header[layout.HEADER_WORDS] = layout.GOALS + 2 * roles
        self.state_words = layout.GOALS + 2 * roles + words
        if hides:
            header[layout.HISTORY_AT], header[layout.HISTORY_ROW] = self.state_words, 2 * roles
            self.state_words += max_steps * 2 * roles
        header[layout.STATE_WORDS] = self.state_words
        self.put(layout.INITIAL, self.initial(words))
        self.home = Workspace(self)
        header[derive.HOME] = self.home.address
        self.address = keep(header)

    def put(self, field: int, array: npt.NDArray[Any]) -> None:
        """Keep a table and note its address (an empty one gets a word, so that it has one)."""
        array = np.ascontiguousarray(array if len(array) else np.zeros(1, array.dtype))
        self.arrays[field] = array
        self.header[field] = keep(array)

    def put_blocks(self, field: int, blocks: Sequence[Block]) -> None:
        rows = []
        for block in blocks:
            relation, pairs = self.program.relations[block.relation], []
            for column in block.columns:
                pairs += [len(relation.domains[column]), len(self.lists)]
                self.lists.extend(relation.domains[column])
            rows.append((relation.place, block.first, block.size, len(block.columns), len(self.lists)))
            self.lists.extend(pairs)
        self.put(field, np.array(rows, np.int64).reshape(-1))
        self.header[field + 1] = len(rows)

    def put_rows(self, field: int, numberings: Sequence[Numbering]) -> None:
        rows = []
        for numbering in numberings:
            place = self.program.relations[numbering.relation].place
            rows.append((place, numbering.first, 0, len(numbering.columns), len(self.lists)))
            self.lists.extend(word for pair in numbering.columns for word in pair)
        self.put(field, np.array(rows, np.int64).reshape(-1))
        self.header[field + 1] = len(rows)

    def complete_fixed(self) -> npt.NDArray[np.int32]:
        """The tables that nothing changes."""
        program, memory = self.program, np.zeros(self.program.memory, np.int32)
        scratch = np.zeros(3 * joins.MOST, np.int64)
        words, weights = self.arrays[derive.PROGRAM], self.arrays[derive.WEIGHTS]
        for name, rows in program.facts:
            derive.insert_rows(words, weights, memory, scratch, program.relations[name].place, np.ascontiguousarray(rows))
        derive.complete_layer(words, weights, memory, scratch, program.phases[0])
        if memory[joins.OVERFLOW]:
            raise TooLarge("what always holds has too many rows")
        return memory[: program.fixed_memory].copy()

    def initial(self, words: int) -> npt.NDArray[np.int64]:
        start = np.zeros(words, np.uint64)
        for numbering in self.program.starting:
            for row in self.rows(self.fixed, numbering.relation):
                number = numbering.first + sum(int(self.program.weights[at + row[c]]) for c, at in numbering.columns)
                start[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
        return start.view(np.int64)

    def rows(self, memory: npt.NDArray[np.int32], relation: str) -> npt.NDArray[np.int32]:
        """The rows of a table."""
        table = self.program.words[self.program.relations[relation].place :]
        count, columns, first = int(memory[table[joins.COUNT]]), int(table[joins.COLUMNS]), int(table[joins.ROWS])
        return memory[first : first + count * columns].reshape(count, columns)

    # --- for people --------------------------------------------------------------------------------------------------

    def fluents(self, state: State) -> list[Term]:
        """What holds in a state."""
        start = int(self.header[layout.BITS_AT])
        words = np.asarray(state[start : start + -(-self.program.fluent_count // 64)])
        numbers = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
        return [self.program.term(self.program.fluents, int(number)) for number in numbers]

    def view(self, state: State, observer: int) -> object:
        """The state, without what others have chosen in a step in which the observer chooses at the same time."""
        if self.hides:
            return self.knowledge(state, observer)
        known = [int(word) for word in state[layout.LANE_BLOCK + 2 :]]
        chosen = int(self.header[layout.CHOSEN_AT]) - layout.LANE_BLOCK - 2
        if state[layout.TOGETHER]:
            roles = range(chosen, chosen + len(self.program.roles))
            known = [0 if i in roles and i != chosen + observer else x for i, x in enumerate(known)]
        return tuple(known)

    def knowledge(self, state: State, observer: int) -> object:
        """What a role knows where it does not see everything: its moves, what it saw, and what it has chosen in this step."""
        header, width, roles = self.header, int(self.header[layout.HISTORY_ROW]), len(self.program.roles)
        rows = state[int(header[layout.HISTORY_AT]) :][: int(state[layout.STEPS]) * width].reshape(-1, width)
        known = tuple((int(row[observer]), int(row[roles + observer])) for row in rows)
        return known, int(state[int(header[layout.CHOSEN_AT]) + observer]), bool(state[layout.ENDED])

    def move_of(self, state: State, step: int, role: int) -> int:
        """The action of a role in a step that was played."""
        row = int(self.header[layout.HISTORY_AT]) + step * int(self.header[layout.HISTORY_ROW])
        return int(state[row + role]) - 1

    def percepts(self, state: State, role: int) -> list[list[Term]]:
        """What a role saw, step by step.  The steps are played again: a state holds only a number for what was seen."""
        found, now = [], np.zeros(self.state_words, np.int64)
        now[layout.NETWORK] = self.address
        with self.lock:
            python_call(derive.initial, SIGNATURES["initial"])(now, seeded(0))
            for step in range(int(state[layout.STEPS])):
                for number in range(len(self.program.roles)):
                    now[int(self.header[layout.CHOSEN_AT]) + number] = self.move_of(state, step, number) + 1
                python_call(derive.go_on, derive.GO_ON)(now)
                found.append(self.seen_at_home(role))
        return found

    def seen_at_home(self, role: int) -> list[Term]:
        """What a role sees of the step that was derived last, outside of any search."""
        program, found = self.program, []
        for numbering in program.seen:
            for row in self.rows(self.home.memory, numbering.relation):
                if program.constants[row[0]] == program.roles[role]:
                    number = numbering.first + sum(int(program.weights[at + row[c]]) for c, at in numbering.columns)
                    found.append(program.term(program.percepts, number))
        return found

    def render(self, state: State, observer: int | None = None) -> str:
        if observer is not None and self.hides:
            seen = [" ".join(sorted(map(format_term, step))) or "nothing" for step in self.percepts(state, observer)]
            return "\n".join(f"step {number}: saw {text}" for number, text in enumerate(seen, 1)) or "nothing seen yet"
        return "\n".join(sorted(format_term(term) for term in self.fluents(state)))

    def format_action(self, state: State, action: int) -> str:
        return format_term(self.program.term(self.program.moves, action)) if action < self.program.move_count else MOVE

    def parse_action(self, state: State, text: str) -> int:
        try:
            number = self.program.number(self.program.moves, read_term(text))
            if number is None and text == MOVE and ADDED in self.program.roles:
                number = self.program.move_count
        except GameError:
            number = None
        if number is None:
            raise ValueError("write a move as in the sheet, such as (mark 1 1)")
        return number


class Workspace:
    """The tables of one thread."""

    def __init__(self, machine: Machine) -> None:
        self.memory = np.zeros(machine.program.memory, np.int32)
        self.memory[: len(machine.fixed)] = machine.fixed
        self.scratch = np.zeros(3 * joins.MOST, np.int64)
        self.known = np.zeros(max(-(-machine.program.fluent_count // 64), 1), np.int64)
        self.header = np.zeros(derive.WORK_WORDS, np.int64)
        self.header[derive.MEMORY], self.header[derive.SCRATCH] = keep(self.memory), keep(self.scratch)
        self.header[derive.KNOWN] = keep(self.known)
        self.address = keep(self.header)


@dataclass(frozen=True, kw_only=True, eq=False)
class MachineGame(RuleGame):
    """A game that is played by joins."""

    machine: Machine
    plan: Plan

    @property
    def roles(self) -> tuple[str, ...]:
        return self.plan.program.roles

    @property
    def header(self) -> npt.NDArray[np.int64]:
        return self.machine.header

    @property
    def hides(self) -> bool:
        return self.machine.hides

    def fluents(self, state: State) -> list[Term]:
        return self.machine.fluents(state)

    def legal_moves(self, state: State, role: int) -> list[str]:
        asked, actions = state.copy(), np.zeros(self.max_actions, np.int64)
        asked[layout.TURN] = role
        count = int(self.call("legal", asked, actions))
        return sorted(self.machine.format_action(state, int(action)) for action in actions[:count])

    def percepts(self, state: State, role: int) -> list[list[Term]]:
        return self.machine.percepts(state, role)

    def number_of(self, move: str) -> int:
        return self.machine.parse_action(np.zeros(0, np.int64), move)

    def chosen_moves(self, state: State) -> dict[str, str]:
        at = int(self.header[layout.CHOSEN_AT])
        chosen = zip(self.roles, state[at : at + len(self.roles)], strict=True)
        return {role: self.machine.format_action(state, int(number) - 1) for role, number in chosen if number}

    def move_of(self, state: State, step: int, role: int) -> int:
        return self.machine.move_of(state, step, role)

    def put_knowledge(self, state: State, role: int, known: Sequence[tuple[str, Sequence[str]]]) -> None:
        program = self.machine.program
        for step, (move, seen) in enumerate(known):
            row = state[int(self.header[layout.HISTORY_AT]) + step * int(self.header[layout.HISTORY_ROW]) :]
            action = program.number(program.moves, read_term(move))
            percepts = [program.number(program.percepts, read_term(percept)) for percept in seen]
            if action is None or None in percepts:
                raise GameError(f"{move} with {' '.join(seen) or 'nothing'} seen cannot happen to {self.roles[role]}")
            row[role] = action + 1
            row[int(self.header[layout.ROLES]) + role] = sight_of([number for number in percepts if number is not None])
        if known:
            state[layout.LANE] = 1  # what is legal is not known: see derive_hidden

    def longer(self, steps: int) -> MachineGame:
        return machine_game(replace(self.plan, max_steps=steps), self.name)

    def call(self, name: str, *arguments: Any) -> Any:
        """States that belong to no search share one workspace."""
        with self.machine.lock:
            return super().call(name, *arguments)

    def prepare(self, worker: Any) -> None:
        """Give a search its workspace."""
        lanes = int(worker.control.lanes)
        work = Workspace(self.machine)
        worker.keeps.append(work)
        rows = worker.states[: lanes * self.state_size].reshape(lanes, self.state_size)
        rows[:, layout.NETWORK], rows[:, layout.LANE_BLOCK] = self.machine.address, work.address


def sight_of(percepts: Sequence[int]) -> int:
    """The number for what is seen in a step, as ``derive.sight`` gives it."""
    return sum(int(mix(derive.SALT, number)) & derive.LOW for number in percepts) & derive.LOW


def machine_plan(sheet: Sheet) -> Plan:
    """Plan a checked sheet, and plan it again with what random games have shown."""
    program = build_program(sheet)
    rough = Plan(program, AT_MOST, 1, True, sheet.hides)
    _, totals, rows = random_games(machine_game(rough, "probe"), PROBE_STEPS)
    rough = replace(rough, program=build_program(sheet, rows))
    game, steps, begun = machine_game(rough, "probe"), PROBE_STEPS, time.monotonic()
    while True:
        games, totals, _ = random_games(game, steps)
        if games >= PROBE_GAMES or games < 0 or steps > AT_MOST or time.monotonic() - begun > PROBE_SECONDS:
            break
        steps *= 2
    longest, together, most = (int(total) for total in totals[-3:])
    return Plan(
        program=rough.program,
        max_steps=min(max(LONGER * longest, AT_LEAST), AT_MOST) if longest else AT_MOST,
        max_actions=min(max(ROOM * most, ROOM_AT_LEAST), max(program.move_count, 1)),
        simultaneous=together > 0,
        hidden=sheet.hides,
    )


def machine_game(plan: Plan, name: str) -> MachineGame:
    """The game of a planned sheet."""
    program, hides = plan.program, plan.hidden
    players = len(players_of(program.roles, name))
    together = plan.simultaneous or hides
    machine = Machine(program, players, plan.max_steps, plan.max_actions, hides)
    environment = players < len(machine.program.roles)
    return MachineGame(
        **shared_parts(name, program.roles, machine, plan.max_steps, together=together),
        max_actions=plan.max_actions,
        initial=derive.initial,
        legal=derive.legal,
        apply=derive.apply,
        sample=derive.sample if environment else None,
        chance=derive.chance if environment else None,
        observe=derive.observe if hides else play.observe if together else None,
        determinize=derive_hidden.determinize if hides else None,
        enter_search=derive.enter_search if together else None,
        advance=derive.advance,
        copy=derive.copy,
        predicates=derive.predicates,
        max_predicates=min(max(program.fluent_count, 1), MAX_KEYS),
        playout=None if environment else derive.playout,
        machine=machine,
        plan=plan,
    )


def random_games(game: MachineGame, steps: int, seed: int = 0) -> tuple[int, npt.NDArray[np.int64], dict[str, float]]:
    """Random games for a number of steps: how many ended, totals (goals per role, longest game, any step with several choices,
    most legal moves), and the rows that relations had on average."""
    program, work = game.machine.program, Workspace(game.machine)
    root = game.start(seed).state
    state = np.zeros(game.state_size, np.int64)
    state[layout.LANE_BLOCK] = work.address
    totals = np.zeros(int(game.header[layout.ROLES]) + 3, np.int64)
    rows = np.full(len(program.words), -1.0)
    places = {name: relation.place for name, relation in program.relations.items()}
    rows[list(places.values())] = 0.0
    games = int(derive.random_steps(root, state, totals, seeded(seed, stream=9), steps, rows))
    return games, totals, {name: float(rows[place]) / steps for name, place in places.items()}
