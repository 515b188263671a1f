"""A sheet as relations between constants, and as a program that derives them (see ``joins``), without grounding anything.

The rules are flat (``flatten``).  For every column of every relation the constants that it can hold are found out first: that
numbers its rows, and gives every fluent and every move a number.  Rules come in layers: those that nothing changes are completed
once, those on the state for every state, those that only goals need at the end of a game, those on the moves for every step.  In
a layer knot follows knot (negation is stratified), and recursive rules start from every row that is new.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from icarus.gdl import joins as j
from icarus.gdl.checks import Dependencies, pattern_of
from icarus.gdl.flatten import FlatRules, Shapes, flatten, rebuild
from icarus.gdl.ground import TooLarge
from icarus.gdl.reader import Literal, Rule, Sheet, Term, Variable

#: rows that a table could have to be kept as bits, and that it has room for
MOST_CODES, MOST_ROWS = 1 << 26, 1 << 20
#: an index has at most so many keys; further columns are compared row by row
MOST_KEYS = 1 << 20
FIXED, STATE, GOALS, MOVES = range(4)


@dataclass
class Relation:
    """A flat relation: the constants of its columns, and where its table is."""

    name: str
    #: the relation of the sheet, and the shapes of its arguments
    origin: tuple[str, Shapes]
    #: per column the constants that it may hold
    domains: list[list[int]]
    layer: int
    place: int = -1
    #: rows that it has on average, as far as is known
    rows: float = 0.0
    indexes: dict[tuple[int, ...], int] = field(default_factory=dict)

    @property
    def codes(self) -> int:
        return math.prod(map(len, self.domains))

    @property
    def wide(self) -> bool:
        """Are there too many possible rows for a bit each?"""
        return self.codes > MOST_CODES

    def key(self, known: Iterable[int]) -> tuple[int, ...]:
        """The columns of an index for rows of which these columns are known: those with most constants, as far as there is
        room."""
        key: list[int] = []
        size = 1
        for column in sorted(known, key=lambda c: -len(self.domains[c])):
            if 1 < len(self.domains[column]) <= MOST_KEYS // size:
                key.append(column)
                size *= len(self.domains[column])
        return tuple(sorted(key))

    def strides(self, columns: Sequence[int]) -> list[int]:
        result = []
        stride = 1
        for column in columns:
            result.append(stride)
            stride *= len(self.domains[column])
        return result


@dataclass(frozen=True)
class Block:
    """Numbers of fluents or moves: those of one flat relation, from ``first`` on."""

    relation: str
    first: int
    size: int
    #: the columns that make the number
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Numbering:
    """Numbers for the rows of a table: ``first`` and the weights of some columns."""

    relation: str
    first: int
    #: (column, where its weights begin)
    columns: tuple[tuple[int, int], ...]


@dataclass
class Program:
    """A sheet as a program; plain arrays and names, to be kept on disk."""

    roles: tuple[str, ...]
    constants: tuple[str, ...]
    relations: dict[str, Relation]
    #: int64 words of tables, plans, steps and phases; int32 weights
    words: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int32]
    #: where the phases of each layer begin
    phases: tuple[int, int, int, int]
    #: int32 words of memory; those of the fixed tables come first
    memory: int
    fixed_memory: int
    #: (relation, rows) of what always holds, in so many words
    facts: list[tuple[str, npt.NDArray[np.int64]]]
    fluents: list[Block]
    moves: list[Block]
    percepts: list[Block]
    #: the numbers that rows of next, legal and sees have as fluents, moves and percepts
    following: list[Numbering]
    allowed: list[Numbering]
    seen: list[Numbering]
    #: and rows of init as fluents
    starting: list[Numbering]

    @property
    def fluent_count(self) -> int:
        return sum(block.size for block in self.fluents)

    @property
    def move_count(self) -> int:
        return sum(block.size for block in self.moves)

    def term(self, blocks: list[Block], number: int) -> Term:
        """The fluent or the move of a number."""
        block = next(b for b in blocks if b.first <= number < b.first + b.size)
        relation, rest, constants = self.relations[block.relation], number - block.first, []
        for column in block.columns:
            domain = relation.domains[column]
            constants.append(self.constants[domain[rest % len(domain)]])
            rest //= len(domain)
        return rebuild(relation.origin[1][-1], iter(constants))

    def number(self, blocks: list[Block], term: Term) -> int | None:
        """The number of a fluent or a move; None if it can never be."""
        for block in blocks:
            relation = self.relations[block.relation]
            constants = match_shape(relation.origin[1][-1], term)
            if constants is None:
                continue
            number, stride = block.first, 1
            for column, constant in zip(block.columns, constants, strict=True):
                domain = [self.constants[c] for c in relation.domains[column]]
                if constant not in domain:
                    return None
                number += stride * domain.index(constant)
                stride *= len(domain)
            return number
        return None


def match_shape(shape: object, term: Term) -> list[str] | None:
    """The constants of a term that has this shape, from left to right."""
    if shape is None:
        return [term] if isinstance(term, str) else None
    assert isinstance(shape, tuple)
    if not isinstance(term, tuple) or term[0] != shape[0] or len(term) != len(shape):
        return None
    found: list[str] = []
    for inner, t in zip(shape[1:], term[1:], strict=True):
        part = match_shape(inner, t)
        if part is None:
            return None
        found.extend(part)
    return found


def build_program(sheet: Sheet, rows: dict[str, float] | None = None) -> Program:
    """The program of a checked sheet.  ``rows``: how many rows relations had in games, for the order of conditions."""
    return _Compiler(sheet, flatten(sheet), rows or {}).program()


class _Compiler:
    def __init__(self, sheet: Sheet, flat: FlatRules, rows: dict[str, float]) -> None:
        self.roles = tuple(sorted(sheet.roles, key=lambda r: (r == "random", sheet.roles.index(r))))
        self.flat, self.measured = flat, rows
        self.constants: dict[str, int] = {}
        for role in self.roles:
            self.constants.setdefault(role, len(self.constants))
        for rule in flat.rules:
            for literal in (rule.head, *rule.body):
                for term in literal.arguments:
                    if not isinstance(term, Variable):
                        self.constants.setdefault(term, len(self.constants))
        self.masks: dict[tuple[str, int], int] = defaultdict(int)
        self.facts: dict[str, dict[tuple[int, ...], None]] = defaultdict(dict)
        derived: list[Rule] = []
        for rule in flat.rules:
            if rule.body:
                derived.append(rule)
            else:
                self.facts[rule.head.relation][tuple(self.constants[t] for t in rule.head.arguments)] = None
        self.rules = self.find_domains(derived)
        self.graph = Dependencies(Sheet(sheet.file, tuple(self.rules)))
        self.relations: dict[str, Relation] = {}
        self.words: list[int] = []
        self.weights: list[int] = []
        self.weight_tables: dict[tuple[int, ...], int] = {}
        self.memory = j.FIRST_FREE
        self.make_relations()

    # --- what columns can hold ---------------------------------------------------------------------------------------

    def find_domains(self, rules: list[Rule]) -> list[Rule]:
        """Fill ``masks``: the constants of every column, as bits; returns the rules that can ever apply."""
        for name, facts in self.facts.items():
            for fact in facts:
                for column, constant in enumerate(fact):
                    self.masks[name, column] |= 1 << constant
        nullary = {name for name, facts in self.facts.items() if () in facts}
        sources = self.sources()
        alive: dict[int, bool] = {}
        roles = sum(1 << self.constants[role] for role in self.roles)
        grown = True
        while grown:
            grown = False
            for name, above in sources:
                for column in range(arity(self.flat.origin[name][1])):
                    mask = self.masks[above, column]
                    if column == 0 and self.flat.origin[name][0] == "does":
                        mask &= roles
                    if mask & ~self.masks[name, column]:
                        self.masks[name, column] |= mask
                        grown = True
                if above in nullary and name not in nullary:
                    nullary.add(name)
                    grown = True
            for number, rule in enumerate(rules):
                values = self.values_of(rule, nullary)
                if values is None:
                    continue
                alive[number] = True
                if not rule.head.arguments and rule.head.relation not in nullary:
                    nullary.add(rule.head.relation)
                    grown = True
                for column, term in enumerate(rule.head.arguments):
                    mask = values[term] if isinstance(term, Variable) else 1 << self.constants[term]
                    if mask & ~self.masks[rule.head.relation, column]:
                        self.masks[rule.head.relation, column] |= mask
                        grown = True
        return [rule for number, rule in enumerate(rules) if alive.get(number)]

    def sources(self) -> list[tuple[str, str]]:
        """(relation of the state or of the moves, where it comes from)."""
        pairs = []
        for name, (relation, shapes) in self.flat.origin.items():
            for above in ("init", "next") if relation == "true" else ("legal",) if relation == "does" else ():
                other = next((n for n, origin in self.flat.origin.items() if origin == (above, shapes)), None)
                if other is not None:
                    pairs.append((name, other))
        return pairs

    def values_of(self, rule: Rule, nullary: set[str]) -> dict[Variable, int] | None:
        """The constants of every variable as bits; None if the rule cannot apply."""
        values: dict[Variable, int] = {}
        for condition in rule.body:
            if condition.relation == "distinct" or not condition.positive:
                continue
            if not condition.arguments and condition.relation not in nullary:
                return None
            for column, term in enumerate(condition.arguments):
                mask = self.masks[condition.relation, column]
                if isinstance(term, Variable):
                    mask &= values.get(term, -1)
                    values[term] = mask
                else:
                    mask &= 1 << self.constants[term]
                if not mask:
                    return None
        return values

    # --- tables ------------------------------------------------------------------------------------------------------

    def make_relations(self) -> None:
        arities = {name: arity(shapes) for name, (_, shapes) in self.flat.origin.items()}
        below = {name: self.graph.below(name) | {name} for name in arities}
        kind = {name: relation for name, (relation, _) in self.flat.origin.items()}
        moves = {n for n in arities if any(kind.get(b) in ("does", "next", "sees") for b in below[n])}
        state = {n for n in arities if any(kind.get(b) in ("true", "legal", "terminal", "goal") for b in below[n])} - moves
        always = {b for n in arities if kind[n] in ("legal", "terminal", "next", "sees") for b in below[n]}
        for name in arities:
            layer = MOVES if name in moves else STATE if name in state else FIXED
            if layer == STATE and name not in always:
                layer = GOALS
            domains = [bits_of(self.masks[name, column]) for column in range(arities[name])]
            relation = Relation(name, self.flat.origin[name], domains, layer)
            if len(domains) > j.MOST:
                raise TooLarge(f"{name!r} has more than {j.MOST} columns")
            relation.rows = self.expected_rows(relation)
            self.relations[name] = relation

    def expected_rows(self, relation: Relation) -> float:
        known = self.measured.get(relation.name)
        if known is not None:
            return known
        facts = len(self.facts.get(relation.name, ()))
        if relation.origin[0] == "true":
            facts = len(self.facts.get(relation.name.replace("true", "init", 1), ()))
        if relation.layer == FIXED and facts:
            return float(facts)
        return max(float(facts), math.pow(relation.codes, 0.6))

    def weigh(self, relation: Relation, column: int, stride: int) -> int:
        """Where the weights of a column begin: what each constant adds to a number with this stride."""
        key = (stride, *relation.domains[column])
        if key not in self.weight_tables:
            self.weight_tables[key] = len(self.weights)
            table = [j.NOWHERE] * len(self.constants)
            for place, constant in enumerate(relation.domains[column]):
                table[constant] = place * stride
            self.weights.extend(table)
        return self.weight_tables[key]

    def reserve(self, words: int) -> int:
        place = self.memory
        self.memory += words
        return place

    def put(self, words: Iterable[int]) -> int:
        place = len(self.words)
        self.words.extend(words)
        return place

    # --- plans -------------------------------------------------------------------------------------------------------

    def program(self) -> Program:
        layers = {layer: self.plan_layer(layer) for layer in (FIXED, STATE, GOALS, MOVES)}
        fixed_memory = 0
        # tables are written when all plans have said which indexes they need; fixed ones first
        for relation in self.relations.values():
            relation.place = self.put([0] * j.TABLE_WORDS)
        for layer in (FIXED, STATE, GOALS, MOVES):
            for relation in self.relations.values():
                if relation.layer == layer:
                    self.place_table(relation)
            if layer == FIXED:
                fixed_memory = self.memory
        phases = tuple(self.place_phases(layer, layers[layer]) for layer in (FIXED, STATE, GOALS, MOVES))
        facts = [
            (name, np.array(sorted(rows), np.int64).reshape(len(rows), -1))
            for name, rows in self.facts.items()
            if self.relations[name].layer == FIXED
        ]
        fluents, moves, percepts = self.blocks("true", 0), self.blocks("does", 1), self.blocks("sees", 1)
        following, allowed = self.numbering("next", fluents), self.numbering("legal", moves)
        seen = self.numbering("sees", percepts)
        return Program(
            roles=self.roles,
            constants=tuple(self.constants),
            relations=self.relations,
            words=np.array(self.words, np.int64),
            weights=np.array(self.weights or [0], np.int32),
            phases=phases,  # type: ignore[arg-type]
            memory=self.memory,
            fixed_memory=fixed_memory,
            facts=facts,
            fluents=fluents,
            moves=moves,
            percepts=percepts,
            following=following,
            allowed=allowed,
            seen=seen,
            starting=self.numbering("init", fluents),
        )

    def blocks(self, relation: str, first_column: int) -> list[Block]:
        """Numbers for the terms of a relation: its columns from ``first_column`` on."""
        found, first = [], 0
        for name, flat in self.relations.items():
            if flat.origin[0] == relation and all(flat.domains):
                columns = tuple(range(first_column, len(flat.domains)))
                size = math.prod(len(flat.domains[c]) for c in columns)
                found.append(Block(name, first, size, columns))
                first += size
        if first >= 1 << 30:
            raise TooLarge(f"there could be more than {1 << 30} terms in {relation!r}")
        return found

    def numbering(self, relation: str, blocks: list[Block]) -> list[Numbering]:
        """How rows of a relation are numbered as the terms of another one with the same shapes."""
        result = []
        for name, flat in self.relations.items():
            for block in blocks:
                other = self.relations[block.relation]
                if flat.origin[0] == relation and flat.origin[1] == other.origin[1] and all(flat.domains):
                    strides = other.strides(block.columns)
                    pairs = [(c, self.weigh(other, c, stride)) for c, stride in zip(block.columns, strides, strict=True)]
                    result.append(Numbering(name, block.first, tuple(pairs)))
        return result

    def place_table(self, relation: Relation) -> None:
        columns = len(relation.domains)
        capacity = max(min(relation.codes, MOST_ROWS), 1)
        strides = relation.strides(range(columns))
        if relation.wide:
            weights, bits, wide = 0, 0, self.index(relation, relation.key(range(columns)))
        else:
            weights = self.put([self.weigh(relation, c, strides[c]) for c in range(columns)])
            bits, wide = self.reserve((relation.codes + 31) // 32), 0
        places = []
        for key, place in relation.indexes.items():
            sizes = relation.strides(key)
            self.words[place + j.HEADS] = self.reserve(math.prod(len(relation.domains[c]) for c in key))
            self.words[place + j.BEFORE] = self.reserve(capacity)
            self.words[place + j.KEYS] = len(key)
            for i, column in enumerate(key):
                self.words[place + j.KEY_LIST + 2 * i] = column
                self.words[place + j.KEY_LIST + 2 * i + 1] = self.weigh(relation, column, sizes[i])
            places.append(place)
        table = self.words
        table[relation.place + j.COLUMNS] = columns
        table[relation.place + j.ROWS] = self.reserve(capacity * columns)
        table[relation.place + j.COUNT] = self.reserve(1)
        table[relation.place + j.BITS] = bits
        table[relation.place + j.WIDE] = wide
        table[relation.place + j.CAPACITY] = capacity
        table[relation.place + j.WEIGHTS] = weights
        table[relation.place + j.INDEXES] = len(places)
        table[relation.place + j.INDEX_LIST] = self.put(places)

    def index(self, relation: Relation, key: tuple[int, ...]) -> int:
        """Where an index is described; it is made when its table is."""
        if key not in relation.indexes:
            relation.indexes[key] = self.put([0] * (j.KEY_LIST + 2 * len(key)))
        return relation.indexes[key]

    def plan_layer(self, layer: int) -> list[tuple[list[_Plan], list[_Plan]]]:
        """For every knot of a layer its plans: those that run once, and those that start from new rows."""
        knots: dict[int, list[Rule]] = defaultdict(list)
        for rule in self.rules:
            if self.relations[rule.head.relation].layer == layer:
                knots[self.graph.knot[pattern_of(rule.head)]].append(rule)
        planned: list[tuple[list[_Plan], list[_Plan]]] = []
        if layer != FIXED:  # facts among what changes
            rows = [(n, row) for n, facts in self.facts.items() if self.relations[n].layer == layer for row in facts]
            planned.append(([_Plan(self, n, [-c - 1 for c in row]) for n, row in rows], []))
        for _, members in sorted(knots.items()):
            once: list[_Plan] = []
            again: list[_Plan] = []
            for rule in members:
                recursive = [c for c in rule.body if c.positive and c.relation != "distinct" and self.graph.recursive(rule, c)]
                if recursive:
                    again.extend(_Plan.of(self, rule, condition) for condition in recursive)
                else:
                    once.append(_Plan.of(self, rule, None))
            planned.append((once, again))
        return planned

    def place_phases(self, layer: int, planned: list[tuple[list[_Plan], list[_Plan]]]) -> int:
        words: list[int] = []
        count = 0
        for once, again in planned:
            for plan in once:
                words.extend((j.RUN, plan.place()))
                count += 1
            if again:
                words.extend((j.REPEAT, len(again)))
                count += 1
                for plan in again:
                    assert plan.start is not None
                    words.extend((self.relations[plan.start.relation].place, plan.place(), self.reserve(1)))
        tables = [r.place for r in self.relations.values() if r.layer == layer and r.origin[0] not in ("true", "does")]
        return self.put([len(tables) if layer != FIXED else 0, *(tables if layer != FIXED else ()), count, *words])


def arity(shapes: Shapes) -> int:
    """How many constants terms of these shapes have."""
    return sum(1 if shape is None else arity(shape[1:]) for shape in shapes)


def bits_of(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


class _Plan:
    """A rule with its conditions in order; tables are known by relation until everything is placed."""

    def __init__(self, compiler: _Compiler, relation: str, head: list[int]) -> None:
        self.compiler, self.relation, self.head = compiler, relation, head
        self.start: Literal | None = None
        self.start_checks: list[int] = []
        self.start_binds: list[int] = []
        self.steps: list[list[int]] = []
        self.tables: list[str | None] = []
        self.resume = -1

    @classmethod
    def of(cls, compiler: _Compiler, rule: Rule, start: Literal | None) -> _Plan:
        return _Planner(compiler, rule, start).plan

    def place(self) -> int:
        compiler = self.compiler
        for step, table in zip(self.steps, self.tables, strict=True):
            if table is not None:
                step[j.TABLE] = compiler.relations[table].place
        steps = compiler.put([word for step in self.steps for word in step])
        words = [0] * j.PLAN_WORDS
        words[j.STEPS], words[j.STEP_COUNT], words[j.RESUME] = steps, len(self.steps), self.resume
        words[j.HEAD_TABLE], words[j.HEAD] = compiler.relations[self.relation].place, compiler.put(self.head)
        words[j.START_CHECKS], words[j.START_CHECK_COUNT] = compiler.put(self.start_checks), len(self.start_checks) // 2
        words[j.START_BINDS], words[j.START_BIND_COUNT] = compiler.put(self.start_binds), len(self.start_binds) // 2
        return compiler.put(words)


class _Planner:
    """Orders the conditions of a rule: next is always the one with the fewest rows to expect, and a test as soon as it can be."""

    def __init__(self, compiler: _Compiler, rule: Rule, start: Literal | None) -> None:
        self.compiler = compiler
        self.registers: dict[Variable, int] = {}
        self.count = 0
        self.plan = _Plan(compiler, rule.head.relation, [])
        self.plan.start = start
        #: the step that walks over rows and binds a register
        self.bound_at: dict[int, int] = {}
        self.walks: list[int] = []
        rest = [c for c in rule.body if c is not start]
        if start is not None:
            self.plan.start_checks, self.plan.start_binds = self.columns(start, range(len(start.arguments)), -1)
        while rest:
            ready = [c for c in rest if self.is_test(c) and self.free(c) == 0]
            if ready:
                for condition in ready:
                    self.test(condition)
                    rest.remove(condition)
                continue
            best = min((c for c in rest if not self.is_test(c)), key=self.expected)
            rest.remove(best)
            self.walk(best)
        self.plan.head = [self.source(term) for term in rule.head.arguments]
        self.plan.resume = max([self.bound_at.get(s, -1) for s in self.plan.head if s >= 0], default=-1)
        if self.count > j.MOST or len(self.plan.steps) > j.MOST:
            raise TooLarge(f"a rule for {rule.head.relation!r} has more than {j.MOST} conditions or variables")

    def is_test(self, condition: Literal) -> bool:
        return not condition.positive or condition.relation == "distinct" or self.free(condition) == 0

    def free(self, condition: Literal) -> int:
        return sum(isinstance(t, Variable) and t not in self.registers for t in condition.arguments)

    def expected(self, condition: Literal) -> float:
        relation = self.compiler.relations[condition.relation]
        rows = relation.rows
        for column, term in enumerate(condition.arguments):
            if not isinstance(term, Variable) or term in self.registers:
                rows /= max(min(len(relation.domains[column]), relation.rows), 1.0)
        return rows

    def source(self, term: Term) -> int:
        return self.registers[term] if isinstance(term, Variable) else -self.compiler.constants[term] - 1

    def add(self, kind: int, table: str | None) -> list[int]:
        step = [0] * j.STEP_WORDS
        step[j.KIND], step[j.BACK] = kind, self.walks[-1] if self.walks else -1
        self.plan.steps.append(step)
        self.plan.tables.append(table)
        return step

    def test(self, condition: Literal) -> None:
        if condition.relation == "distinct":
            sources = [self.source(term) for term in condition.arguments]
            half = len(sources) // 2
            self.compare(list(zip(sources[:half], sources[half:], strict=True)), condition.positive)
            return
        relation = self.compiler.relations[condition.relation]
        columns = range(len(condition.arguments))
        if not relation.wide:
            step = self.add(j.HOLDS if condition.positive else j.LACKS, condition.relation)
            self.number(step, relation, columns, relation.strides(columns), condition)
            return
        step, key = self.add(j.FINDS if condition.positive else j.MISSES, condition.relation), relation.key(columns)
        step[j.INDEX] = self.compiler.index(relation, key)
        self.number(step, relation, key, relation.strides(key), condition)
        checks = [word for c in columns if c not in key for word in (c, self.source(condition.arguments[c]))]
        step[j.CHECKS], step[j.CHECK_COUNT] = self.compiler.put(checks), len(checks) // 2

    def compare(self, pairs: list[tuple[int, int]], different: bool) -> None:
        step = self.add(j.DIFFERS if different else j.SAME, None)
        step[j.TERMS], step[j.TERM_COUNT] = self.compiler.put([source for pair in pairs for source in pair]), len(pairs)

    def number(self, step: list[int], relation: Relation, columns: Sequence[int], strides: list[int], condition: Literal) -> None:
        """The number of a key or of a row: constants are added up, registers are looked up."""
        terms: list[int] = []
        for column, stride in zip(columns, strides, strict=True):
            term = condition.arguments[column]
            weights = self.compiler.weigh(relation, column, stride)
            if isinstance(term, Variable):
                terms.extend((weights, self.registers[term]))
            else:
                step[j.BASE] += self.compiler.weights[weights + self.compiler.constants[term]]
        step[j.TERMS], step[j.TERM_COUNT] = self.compiler.put(terms), len(terms) // 2

    def walk(self, condition: Literal) -> None:
        relation = self.compiler.relations[condition.relation]
        known = [c for c, t in enumerate(condition.arguments) if not isinstance(t, Variable) or t in self.registers]
        key = relation.key(known)
        step = self.add(j.LOOK_UP if key else j.SCAN, condition.relation)
        number = len(self.plan.steps) - 1
        if key:
            step[j.INDEX] = self.compiler.index(relation, key)
            self.number(step, relation, key, relation.strides(key), condition)
        checks, binds = self.columns(condition, [c for c in range(len(condition.arguments)) if c not in key], number)
        step[j.CHECKS], step[j.CHECK_COUNT] = self.compiler.put(checks), len(checks) // 2
        step[j.BINDS], step[j.BIND_COUNT] = self.compiler.put(binds), len(binds) // 2

    def columns(self, condition: Literal, columns: Iterable[int], number: int) -> tuple[list[int], list[int]]:
        """What to compare in a row, and what to take from it; a variable that comes twice is compared afterwards."""
        checks: list[int] = []
        binds: list[int] = []
        twice: list[tuple[int, int]] = []
        fresh: set[Variable] = set()
        for column in columns:
            term = condition.arguments[column]
            if not isinstance(term, Variable) or (term in self.registers and term not in fresh):
                checks.extend((column, self.source(term)))
                continue
            register = self.count
            self.count += 1
            binds.extend((column, register))
            self.bound_at[register] = number
            if term in fresh:
                twice.append((self.registers[term], register))
            else:
                fresh.add(term)
                self.registers[term] = register
        if number >= 0:
            self.walks.append(number)
        if twice:
            self.compare(twice, different=False)
        return checks, binds
