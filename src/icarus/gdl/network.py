"""From ground rules to gates: a propositional network, made small before it is made fast.

Every atom becomes a conjunction or disjunction of others.  Four steps make the network an order of magnitude
smaller than the rules:

* **factoring**: the most common literal is pulled out of a disjunction of conjunctions, again and again;
* **exactly one**: of a role's moves exactly one is made, so a disjunction over most of them (every frame axiom) is the negation
  of the few others;
* **legal moves only**: a move that is made was legal, so what its legality demands need not be tested again where it is made;
* **sharing**: equal gates are one gate, and what nothing reads is dropped.

Inside, a node is a conjunction of literals; a literal is ``2 * node``, or ``2 * node + 1`` for its negation, and node 0 is
never true.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.gdl.checks import is_goal, knots
from icarus.gdl.ground import GroundRules
from icarus.gdl.reader import Sheet, Term, format_term

FALSE, TRUE = 0, 1

#: segment: kind of gate, inputs per gate, gates, where its words begin
AND, OR = 0, 1
SEGMENT_WORDS = 4
#: repeat the gates between two segments until nothing changes: feedback among atoms that depend on each other
REPEAT = 2
#: the complement of an input
NOT = 3


@dataclass(frozen=True)
class Network:
    """Gates as flat arrays, in an order in which every gate comes after its inputs.

    A *slot* is the place of a value.  Slot 0 is false, slot 1 true; then come the fluents, then everything else.  A gate is
    stored as ``slot, slot of the complement (or -1), input slots``; gates of one kind and size are a segment.
    """

    roles: tuple[str, ...]
    #: what may hold in a state
    fluents: tuple[Term, ...]
    #: the moves of every role, and their common numbering
    moves: tuple[tuple[Term, ...], ...]
    terms: tuple[Term, ...]
    slots: int
    #: slots 0 .. kept - 1 are all that a step reads of a state: what the gates on moves need, and what is legal
    kept: int
    #: int32 words of all gates; segments of the gates on the state alone, of those that only goals need, and of those on the
    #: moves
    words: npt.NDArray[np.int32]
    on_state: npt.NDArray[np.int32]
    on_goals: npt.NDArray[np.int32]
    on_moves: npt.NDArray[np.int32]
    initial: npt.NDArray[np.int64]  # [fluents] 0 or 1
    fluent_slots: npt.NDArray[np.int32]  # [fluents]
    next_slots: npt.NDArray[np.int32]  # [fluents]
    legal_slots: tuple[npt.NDArray[np.int32], ...]  # per role [moves]
    does_slots: tuple[npt.NDArray[np.int32], ...]  # per role [moves]; -1 where nothing depends on the move
    goal_slots: tuple[npt.NDArray[np.int32], ...]  # per role [values]
    goal_values: tuple[npt.NDArray[np.int32], ...]
    percepts: tuple[tuple[Term, ...], ...]  # per role, what it may see
    sees_slots: tuple[npt.NDArray[np.int32], ...]
    terminal_slot: int
    gates: int
    links: int
    levels: int
    ground_rules: int
    ground_links: int
    seconds: float


def build_network(sheet: Sheet, rules: GroundRules) -> Network:
    begun = time.perf_counter()
    builder = _Builder(sheet, rules)
    return builder.finish(begun)


class _Builder:
    def __init__(self, sheet: Sheet, rules: GroundRules) -> None:
        self.rules = rules
        # the environment's role comes last
        self.roles = tuple(sorted(sheet.roles, key=lambda r: (r == "random", sheet.roles.index(r))))
        self.nodes: list[frozenset[int] | None] = [None]
        self.known: dict[frozenset[int], int] = {}
        # literals that say that a role makes one of some moves (a bit set), and back
        self.set_of: dict[int, tuple[int, int]] = {}
        self.literal_of_set: dict[tuple[int, int], int] = {}
        self.pure: set[int] = set()  # conjunctions of such literals, one per role
        self.inputs: list[list[int]] = []  # per role the literals of its moves
        self.all_moves: list[int] = []  # per role the bit set of all its moves
        self.implied: dict[int, frozenset[int]] = {}  # input literal of a move -> literals that its legality demands
        self.does: dict[tuple[str, Term], int] = {}

        self.fluents = tuple(sorted(rules.true, key=format_term))
        self.true = {fluent: self.new_input() for fluent in self.fluents}
        self.terms = tuple(sorted({move for _, move in rules.legal}, key=format_term))
        self.value: dict[int, int] = {0: TRUE}
        for fluent in self.fluents:
            self.value[rules.true[fluent]] = self.true[fluent]
        self.moves: list[tuple[Term, ...]] = []
        for number, role in enumerate(self.roles):
            mine = tuple(move for move in self.terms if (role, move) in rules.legal)
            self.moves.append(mine)
            inputs = [self.new_input() for _ in mine]
            self.inputs.append(inputs)
            self.all_moves.append((1 << len(mine)) - 1)
            for i, (move, literal) in enumerate(zip(mine, inputs, strict=True)):
                self.does[role, move] = literal
                self.name_set(literal, number, 1 << i)
                if (role, move) in rules.does:
                    self.value[rules.does[role, move]] = literal if len(mine) > 1 else TRUE
        self.feedback: list[tuple[list[int], list[int]]] = []  # (input literals, what they must equal)
        self.combine_rules()

    # --- nodes -------------------------------------------------------------------------------------------------------

    def new_input(self) -> int:
        self.nodes.append(None)
        return 2 * (len(self.nodes) - 1)

    def conjunction(self, literals: Any) -> int:
        """All of the literals."""
        found = set(literals)
        found.discard(TRUE)
        if FALSE in found:
            return FALSE
        for x in [x for x in found if x >> 1 in self.pure and not x & 1]:
            found.discard(x)
            found |= self.nodes[x >> 1] or frozenset()
        sets: dict[int, int] = {}
        for x in [x for x in found if x in self.set_of]:
            role, some = self.set_of[x]
            sets[role] = sets.get(role, self.all_moves[role]) & some
            found.discard(x)
        for role, some in sets.items():
            move = self.move_set(role, some)
            if move == FALSE:
                return FALSE
            found.add(move)
            wanted = self.implied.get(move)
            if wanted:
                found -= wanted
                if any(x ^ 1 in wanted for x in found):
                    return FALSE
        found.discard(TRUE)
        for x in found:
            if x & 1 and x ^ 1 in found:
                return FALSE
        if not found:
            return TRUE
        if len(found) == 1:
            return int(found.pop())
        node = self.node(frozenset(found))
        if len(sets) == len(found):
            self.pure.add(node)
        return 2 * node

    def node(self, children: frozenset[int]) -> int:
        number = self.known.get(children)
        if number is None:
            number = self.known[children] = len(self.nodes)
            self.nodes.append(children)
        return number

    def move_set(self, role: int, some: int) -> int:
        """The role makes one of these moves (a bit set): a disjunction of them, or the negation of the rest."""
        every = self.all_moves[role]
        if some == 0 or some == every:
            return FALSE if some == 0 else TRUE
        known = self.literal_of_set.get((role, some))
        if known is not None:
            return known
        if 2 * some.bit_count() > len(self.moves[role]):
            literal = self.move_set(role, every ^ some) ^ 1
        else:
            inputs = self.inputs[role]
            literal = 2 * self.node(frozenset(inputs[i] ^ 1 for i in bits_of(some))) + 1
        self.name_set(literal, role, some)
        return literal

    def name_set(self, literal: int, role: int, some: int) -> None:
        other = self.all_moves[role] ^ some
        self.set_of[literal], self.set_of[literal ^ 1] = (role, some), (role, other)
        self.literal_of_set[role, some], self.literal_of_set[role, other] = literal, literal ^ 1

    def disjunction(self, literals: Any) -> int:
        """One of the literals."""
        return self.conjunction([x ^ 1 for x in literals]) ^ 1

    def factor(self, terms: list[frozenset[int]]) -> int:
        """A disjunction of conjunctions, with common literals pulled out."""
        terms = list(set(terms))
        if len(terms) == 1:
            return self.conjunction(terms[0])
        parts: list[int] = []
        while len(terms) > 1:
            count = Counter(x for term in terms for x in term)
            best, worth = 0, 0
            for x, times in count.items():
                # moves last: they are what the "exactly one" step lives on
                value = 2 * times if x not in self.set_of else times
                if times > 1 and (value > worth or (value == worth and x < best)):
                    best, worth = x, value
            if not worth:
                break
            inside = [term - {best} for term in terms if best in term]
            terms = [term for term in terms if best not in term]
            if frozenset() in inside:
                parts.append(best)
            else:
                parts.append(self.conjunction((best, self.factor(inside))))
        parts.extend(self.conjunction(term) for term in terms)
        return self.disjunction(parts)

    # --- atoms -------------------------------------------------------------------------------------------------------

    def combine_rules(self) -> None:
        """Give every atom its literal, what it depends on first."""
        bodies: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for head, body in self.rules.rules:
            bodies[head].append(body)
        # legality first: what a move demands is known when the moves are used
        legal = [atom for atom in self.rules.legal.values() if atom in bodies]
        order: dict[int, list[int]] = {}
        for atom in (*legal, *bodies):
            order.setdefault(atom, [])
        for atom in order:
            order[atom] = list(dict.fromkeys(abs(x) for body in bodies[atom] for x in body if abs(x) in bodies))
        component = knots(order)
        members: dict[int, list[int]] = defaultdict(list)
        for atom, number in component.items():
            members[number].append(atom)
        legal_of: dict[int, list[int]] = defaultdict(list)
        for key, atom in self.rules.legal.items():
            legal_of[atom].append(self.does[key])
        for number in range(len(members)):
            atoms = members[number]
            if len(atoms) == 1 and atoms[0] not in order[atoms[0]]:
                self.value[atoms[0]] = self.atom_value(bodies[atoms[0]])
            else:
                self.close_loop(atoms, bodies)
            for atom in atoms:
                for move in legal_of.get(atom, ()):
                    self.implied[move] = frozenset(self.demands(self.value[atom]))
        self.bodies = bodies

    def atom_value(self, bodies: list[tuple[int, ...]]) -> int:
        terms = []
        for body in bodies:
            literals = {self.value.get(x, FALSE) if x > 0 else self.value.get(-x, FALSE) ^ 1 for x in body}
            if FALSE in literals or any(x & 1 and x ^ 1 in literals for x in literals):
                continue
            literals.discard(TRUE)
            if not literals:
                return TRUE
            terms.append(frozenset(literals))
        return self.factor(terms) if terms else FALSE

    def close_loop(self, atoms: list[int], bodies: dict[int, list[tuple[int, ...]]]) -> None:
        """Atoms that depend on each other: each is an input that is fed back until nothing changes, from all false on."""
        inputs = [self.new_input() for _ in atoms]
        for atom, literal in zip(atoms, inputs, strict=True):
            self.value[atom] = literal
        self.feedback.append((inputs, [self.atom_value(bodies[atom]) for atom in atoms]))

    def demands(self, literal: int) -> set[int]:
        """The literals that must hold for this one to hold, as far as conjunctions say."""
        found: set[int] = set()
        todo = [literal]
        while todo:
            x = todo.pop()
            if x in found or x < 2:
                continue
            found.add(x)
            children = self.nodes[x >> 1]
            if children is not None and not x & 1:
                todo.extend(children)
        return found

    # --- gates -------------------------------------------------------------------------------------------------------

    def literal_of(self, atom: int | None) -> int:
        return FALSE if atom is None else self.value.get(atom, FALSE)

    def finish(self, begun: float) -> Network:
        rules, roles = self.rules, self.roles
        nexts = [self.literal_of(rules.next.get(fluent)) for fluent in self.fluents]
        legal = [
            [self.literal_of(rules.legal[role, move]) for move in mine] for role, mine in zip(roles, self.moves, strict=True)
        ]
        goals = [
            sorted((int(v), self.literal_of(atom)) for (r, v), atom in rules.goal.items() if r == role and is_goal(v))
            for role in roles
        ]
        sees = [
            sorted(
                ((p, self.literal_of(atom)) for (r, p), atom in rules.sees.items() if r == role), key=lambda s: format_term(s[0])
            )
            for role in roles
        ]
        terminal = self.literal_of(rules.terminal)
        always = [*nexts, *(x for xs in legal for x in xs), terminal, *(x for xs in sees for _, x in xs)]
        layout = _Layout(self, always, [x for xs in goals for _, x in xs], [*nexts, *(x for xs in legal for x in xs)])

        def slots(literals: list[int]) -> npt.NDArray[np.int32]:
            return np.array([layout.slot_of(x) for x in literals], np.int32)

        used = layout.slot
        return Network(
            roles=roles,
            fluents=self.fluents,
            moves=tuple(self.moves),
            terms=self.terms,
            slots=layout.count,
            kept=layout.kept,
            words=np.array(layout.words or [0], np.int32),
            on_state=np.array(layout.segments[0], np.int32),
            on_goals=np.array(layout.segments[1], np.int32),
            on_moves=np.array(layout.segments[2], np.int32),
            initial=np.array([fluent in rules.init for fluent in self.fluents], np.int64),
            fluent_slots=slots([self.true[fluent] for fluent in self.fluents]),
            next_slots=slots(nexts),
            legal_slots=tuple(slots(xs) for xs in legal),
            does_slots=tuple(
                np.array([used.get(self.does[role, move], -1) for move in mine], np.int32)
                for role, mine in zip(roles, self.moves, strict=True)
            ),
            goal_slots=tuple(slots([x for _, x in xs]) for xs in goals),
            goal_values=tuple(np.array([v for v, _ in xs], np.int32) for xs in goals),
            percepts=tuple(tuple(p for p, _ in xs) for xs in sees),
            sees_slots=tuple(slots([x for _, x in xs]) for xs in sees),
            terminal_slot=layout.slot_of(terminal),
            gates=layout.gates,
            links=layout.links,
            levels=layout.levels,
            ground_rules=len(rules.rules),
            ground_links=rules.links,
            seconds=time.perf_counter() - begun,
        )


def bits_of(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Layout:
    """Which gates are needed, in which polarity, in which order, and where their values live."""

    def __init__(self, builder: _Builder, always: list[int], at_the_end: list[int], restored: list[int]) -> None:
        self.restored = restored
        self.nodes = builder.nodes
        fed: dict[int, int] = {}
        for number, (inputs, _) in enumerate(builder.feedback):
            for literal in inputs:
                fed[literal >> 1] = number
        self.feedback = builder.feedback
        outputs = [*always, *at_the_end]
        order = self.needed(outputs, fed)
        self.early = set(self.needed(always, fed))
        wanted = self.polarities(order, outputs, fed)
        moves = {literal >> 1 for literals in builder.inputs for literal in literals}
        self.assign(order, wanted, moves, fed, list(builder.true.values()))

    def needed(self, outputs: list[int], fed: dict[int, int]) -> list[int]:
        """The nodes that outputs depend on, inputs first; a loop stands in one piece."""
        state: dict[int, int] = {}
        order: list[int] = []
        todo = [(x >> 1, False) for x in reversed(outputs) if x > 1]
        while todo:
            node, leaving = todo.pop()
            if leaving:
                if state[node] == 1:
                    state[node] = 2
                    order.append(node)
                continue
            if node in state:
                continue
            state[node] = 1
            todo.append((node, True))
            children = self.nodes[node]
            if children is not None:
                todo.extend((x >> 1, False) for x in children if x >> 1 not in state)
            elif node in fed:
                todo.extend((x >> 1, False) for xs in self.feedback[fed[node]] for x in xs if x > 1 and x >> 1 not in state)
        return order

    def polarities(self, order: list[int], outputs: list[int], fed: dict[int, int]) -> set[int]:
        """The literals whose values are read."""
        wanted = {x for x in outputs if x > 1}
        for node in order:
            if node in fed:
                wanted.add(2 * node)
                wanted.update(x for x in self.feedback[fed[node]][1] if x > 1)
        # what a loop reads may come later in the order than the loop's inputs: repeat until settled
        while True:
            before = len(wanted)
            for node in reversed(order):
                children = self.nodes[node]
                if children is not None:
                    if 2 * node in wanted:
                        wanted.update(children)
                    elif 2 * node + 1 in wanted:
                        wanted.update(x ^ 1 for x in children)
            if len(wanted) == before or not fed:
                break
        wanted.update(x ^ 1 for x in tuple(wanted) if x & 1 and self.nodes[x >> 1] is None)
        return wanted

    def assign(self, order: list[int], wanted: set[int], moves: set[int], fed: dict[int, int], fluents: list[int]) -> None:
        # a loop is one item among the gates; its inputs get their level from everything that it reads from outside
        loop_nodes = self.loops(order, fed)
        on_moves: dict[int, bool] = {}
        level: dict[int, int] = {}
        for node in order:
            if node in loop_nodes:
                continue
            self.place(node, moves, on_moves, level, loop_nodes)
        for number in self.loop_members:
            if number not in self.loop_level:
                self.place_loop(number, moves, on_moves, level, loop_nodes)
        self.slot: dict[int, int] = {}
        self.count = 2
        for literal in fluents:
            self.slot[literal] = self.count
            self.count += 1
        gates = [node for node in order if self.nodes[node] is not None and node not in loop_nodes]
        read_by_moves = {x for node in gates if on_moves[node] for x in self.inputs_of(node, wanted)}
        for number, members in self.loop_members.items():
            if self.loop_on_moves[number]:
                read_by_moves.update(x for node in members if self.nodes[node] is not None for x in self.inputs_of(node, wanted))
        read_by_moves.update(self.restored)
        first = [x for node in order if not on_moves.get(node, False) for x in (2 * node, 2 * node + 1) if x in wanted]
        first.sort(key=lambda x: x not in read_by_moves)
        self.kept = self.count
        for x in first:
            if x not in self.slot:
                self.slot[x] = self.count
                self.count += 1
                if x in read_by_moves:
                    self.kept = self.count
        for node in order:
            for x in (2 * node, 2 * node + 1):
                if x in wanted and x not in self.slot:
                    self.slot[x] = self.count
                    self.count += 1
        self.words: list[int] = []
        self.segments: tuple[list[int], list[int], list[int]] = ([], [], [])
        self.gates = self.links = 0
        self.levels = max(level.values(), default=0)

        def part_of(node: int) -> int:
            return 2 if on_moves[node] else 0 if node in self.early else 1

        for part, segments in enumerate(self.segments):
            inputs = [
                n for n in order if self.nodes[n] is None and 2 * n + 1 in wanted and n not in loop_nodes and part_of(n) == part
            ]
            self.emit_complements(segments, inputs)
            rows: dict[tuple[int, int, int], list[int]] = defaultdict(list)
            for node in gates:
                if part_of(node) == part:
                    rows[level[node], AND if 2 * node in wanted else OR, len(self.nodes[node] or ())].append(node)
            loops = [n for n, members in self.loop_members.items() if part_of(members[0]) == part]
            for key in sorted({*rows, *((self.loop_level[n], -1, n) for n in loops)}):
                if key[1] < 0:
                    self.emit_loop(segments, key[2], wanted)
                else:
                    self.emit_gates(segments, key[1], rows[key], wanted)

    def loops(self, order: list[int], fed: dict[int, int]) -> set[int]:
        """The nodes inside loops: those that a loop's inputs reach and that reach the loop's values."""
        self.loop_members: dict[int, list[int]] = {}
        self.loop_on_moves: dict[int, bool] = {}
        self.loop_level: dict[int, int] = {}
        inside: set[int] = set()
        self.loop_of: dict[int, int] = {}
        live = set(order)
        for number, (inputs, values) in enumerate(self.feedback):
            if not any(x >> 1 in live for x in inputs):
                continue
            own = {x >> 1 for x in inputs}
            depends: dict[int, bool] = {}
            for start in values:
                self.reaches(start >> 1, own, depends)
            members = [n for n in order if n in own or depends.get(n, False)]
            # members in the order of dependence: gates of a loop come after those that they read, inputs first
            self.loop_members[number] = [n for n in members if n in own] + self.sorted_gates([n for n in members if n not in own])
            inside.update(members)
            for n in members:
                self.loop_of[n] = number
        return inside

    def reaches(self, start: int, own: set[int], depends: dict[int, bool]) -> bool:
        """Does a node depend on an input of the loop?"""
        todo = [(start, False)]
        while todo:
            node, leaving = todo.pop()
            if leaving:
                children = self.nodes[node]
                depends[node] = children is not None and any(x >> 1 in own or depends.get(x >> 1, False) for x in children)
            elif node not in depends and node not in own:
                depends[node] = False
                todo.append((node, True))
                todo.extend((x >> 1, False) for x in self.nodes[node] or ())
        return depends.get(start, start in own)

    def sorted_gates(self, gates: list[int]) -> list[int]:
        members, done, result = set(gates), set(), []
        for gate in gates:
            todo = [(gate, False)]
            while todo:
                node, leaving = todo.pop()
                if leaving:
                    result.append(node)
                elif node not in done:
                    done.add(node)
                    todo.append((node, True))
                    todo.extend((x >> 1, False) for x in self.nodes[node] or () if x >> 1 in members and x >> 1 not in done)
        return result

    def place(self, node: int, moves: set[int], on_moves: dict[int, bool], level: dict[int, int], loop_nodes: set[int]) -> None:
        """Level of a node, and whether it depends on moves."""
        children = self.nodes[node]
        if children is None:
            on_moves[node], level[node] = node in moves, 0
            return
        for x in children:
            if x >> 1 in loop_nodes and x >> 1 not in level:
                self.place_loop(self.loop_of[x >> 1], moves, on_moves, level, loop_nodes)
            if x >> 1 not in level:
                self.place(x >> 1, moves, on_moves, level, loop_nodes)
        on_moves[node] = any(on_moves[x >> 1] for x in children)
        level[node] = 1 + max(level[x >> 1] for x in children)

    def place_loop(
        self, number: int, moves: set[int], on_moves: dict[int, bool], level: dict[int, int], loop_nodes: set[int]
    ) -> None:
        members = set(self.loop_members[number])
        outside = {x >> 1 for node in members for x in self.nodes[node] or () if x >> 1 not in members}
        outside |= {x >> 1 for x in self.feedback[number][1] if x > 1 and x >> 1 not in members}
        for node in outside:
            if node in loop_nodes and node not in level:
                self.place_loop(self.loop_of[node], moves, on_moves, level, loop_nodes)
            elif node not in level:
                self.place(node, moves, on_moves, level, loop_nodes)
        self.loop_level[number] = 1 + max((level[node] for node in outside), default=0)
        self.loop_on_moves[number] = any(on_moves[node] for node in outside)
        for node in members:
            level[node], on_moves[node] = self.loop_level[number], self.loop_on_moves[number]

    def inputs_of(self, node: int, wanted: set[int]) -> list[int]:
        children = self.nodes[node]
        assert children is not None
        return list(children) if 2 * node in wanted else [x ^ 1 for x in children]

    def slot_of(self, literal: int) -> int:
        return literal if literal < 2 else self.slot[literal]

    def emit_gates(self, segments: list[int], kind: int, gates: list[int], wanted: set[int]) -> None:
        rows = []
        for node in gates:
            own = 2 * node if kind == AND else 2 * node + 1
            rows.append(
                (self.slot[own], self.slot.get(own ^ 1, -1), sorted(self.slot_of(x) for x in self.inputs_of(node, wanted)))
            )
        rows.sort(key=lambda row: row[2])
        segments.extend((kind, len(rows[0][2]), len(rows), len(self.words)))
        for slot, complement, inputs in rows:
            self.words.extend((slot, complement, *inputs))
            self.gates += 1
            self.links += len(inputs)

    def emit_complements(self, segments: list[int], inputs: list[int]) -> None:
        """The negations of inputs."""
        if inputs:
            segments.extend((NOT, 1, len(inputs), len(self.words)))
            for node in inputs:
                self.words.extend((self.slot[2 * node + 1], -1, self.slot[2 * node]))
            self.gates += len(inputs)
            self.links += len(inputs)

    def emit_loop(self, segments: list[int], number: int, wanted: set[int]) -> None:
        """Clear the inputs, then repeat the gates until the inputs no longer change."""
        inputs, values = self.feedback[number]
        pairs = [
            (self.slot[x], self.slot.get(x ^ 1, -1), self.slot_of(v))
            for x, v in zip(inputs, values, strict=True)
            if x in self.slot
        ]
        own: list[int] = []
        for node in self.loop_members[number]:
            if self.nodes[node] is not None:
                self.emit_gates(own, AND if 2 * node in wanted else OR, [node], wanted)
        segments.extend((REPEAT, len(own) // SEGMENT_WORDS, len(pairs), len(self.words)))
        for slot, complement, value in pairs:
            self.words.extend((slot, complement, value))
        segments.extend(own)
