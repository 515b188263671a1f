"""Deriving facts by joins: a program (see ``relations``) over tables in one block of memory, compiled once for all sheets.

A table has rows of constants, a bit for every row that it could have (is it there?), and for every combination of columns that
some rule asks by an index: the last row with this key, and for every row the one before it with the same key.  A plan is a rule
whose conditions stand in the order in which they are best looked up; the first ones are walked over, the rest follow for every
row.  Nothing is allocated, and a table is emptied row by row, so that the cost is that of the facts that hold.
"""

from __future__ import annotations

from icarus.jit import at, part

# --- a table (words of the program) ----------------------------------------------------------------------------------
(
    COLUMNS,
    ROWS,  # where its rows begin in memory
    COUNT,  # where the number of rows is
    BITS,  # where its bits begin, 32 in a word
    CAPACITY,
    WEIGHTS,  # for every column where its weights begin: what a constant adds to the number of the row's bit
    INDEXES,  # how many, and where they are described
    INDEX_LIST,
    WIDE,  # a table with too many possible rows for bits: the index by which a row is found; else 0
    TABLE_WORDS,
) = range(10)  # fmt: skip

# --- an index: then a column and where its weights begin, for every column of the key -----------------------------------
(
    HEADS,  # the last row of every key, from 1 on
    BEFORE,  # for every row the one before with the same key
    KEYS,
    KEY_LIST,
) = range(4)  # fmt: skip

# --- a plan: what to do with a row that it starts from, its steps, its head -----------------------------------------------
(
    STEPS,
    STEP_COUNT,
    RESUME,  # after a success go back to this step: the last one that decides about the head (-1: one success is enough)
    HEAD_TABLE,
    HEAD,  # for every column a source: a register, or below 0 a constant
    START_CHECKS, START_CHECK_COUNT, START_BINDS, START_BIND_COUNT,
    PLAN_WORDS,
) = range(10)  # fmt: skip

# --- a step ----------------------------------------------------------------------------------------------------------
(
    KIND,
    TABLE,
    INDEX,
    BASE,  # what the constants of a key or of a row add to its number
    TERMS, TERM_COUNT,  # where weights begin and a register, for every other part of it; or pairs of sources to compare
    CHECKS, CHECK_COUNT,  # a column and a source that must be equal
    BINDS, BIND_COUNT,  # a column and the register that it goes to
    BACK,  # the step before that walks over rows
    STEP_WORDS,
) = range(12)  # fmt: skip
#: walk over all rows, over those of a key; then conditions without new variables: on a table with bits, on a wide one, on values
SCAN, LOOK_UP, HOLDS, LACKS, FINDS, MISSES, DIFFERS, SAME = range(8)

# --- a phase: RUN a plan; REPEAT some (table, plan, place of a counter) until they have seen all rows -----------------------
RUN, REPEAT = range(2)

#: words of memory in front of everything: did a table overflow?
OVERFLOW, FIRST_FREE = 0, 4
#: a constant that is no value of a column: any sum with it is below 0
NOWHERE = -(1 << 30)
#: registers, steps and columns of a rule at most
MOST = 96


@part
def value_of(source, registers):
    return registers[source] if source >= 0 else -source - 1


@part
def insert(program, weights, memory, table, row):
    """Add a row to a table; was it new?"""
    here = at(program, table)
    columns, number = here[COLUMNS], memory[here[COUNT]]
    if here[WIDE] != 0:
        if has_row(program, weights, memory, here, row):
            return False
    else:
        code = code_of(program, weights, here, row)
        place = here[BITS] + (code >> 5)
        bit = 1 << (code & 31)
        if memory[place] & bit != 0:
            return False
        if number < here[CAPACITY]:
            memory[place] |= bit
    if number >= here[CAPACITY]:
        memory[OVERFLOW] = 1
        return False
    memory[here[COUNT]] = number + 1
    first = here[ROWS] + number * columns
    for c in range(columns):
        memory[first + c] = row[c]
    for i in range(here[INDEXES]):
        index = at(program, program[here[INDEX_LIST] + i])
        head = index[HEADS] + key_of(index, weights, at(memory, first))
        memory[index[BEFORE] + number] = memory[head]
        memory[head] = number + 1
    return True


@part
def code_of(program, weights, table, row):
    """The number of a row among all that a table could have."""
    code = 0
    for c in range(table[COLUMNS]):
        code += weights[program[table[WEIGHTS] + c] + row[c]]
    return code


@part
def has_row(program, weights, memory, table, row):
    """Is the row in a wide table?"""
    index, columns = at(program, table[WIDE]), table[COLUMNS]
    number = memory[index[HEADS] + key_of(index, weights, row)]
    while number > 0:
        other = at(memory, table[ROWS] + (number - 1) * columns)
        same = True
        for c in range(columns):
            if other[c] != row[c]:
                same = False
                break
        if same:
            return True
        number = memory[index[BEFORE] + number - 1]
    return False


@part
def key_of(index, weights, row):
    """The number of a row's key in an index."""
    key = 0
    for i in range(index[KEYS]):
        key += weights[index[KEY_LIST + 2 * i + 1] + row[index[KEY_LIST + 2 * i]]]
    return key


@part
def clear(program, weights, memory, table):
    """Take all rows out of a table."""
    here = at(program, table)
    columns, count = here[COLUMNS], memory[here[COUNT]]
    for number in range(count):
        row = at(memory, here[ROWS] + number * columns)
        if here[WIDE] == 0:
            memory[here[BITS] + (code_of(program, weights, here, row) >> 5)] = 0
        for i in range(here[INDEXES]):
            index = at(program, program[here[INDEX_LIST] + i])
            memory[index[HEADS] + key_of(index, weights, row)] = 0
    memory[here[COUNT]] = 0


@part
def matches(program, checks, count, row, registers):
    """Does a row have the values that are known already?"""
    for i in range(count):  # noqa: SIM110 (compiled code has no all())
        if row[program[checks + 2 * i]] != value_of(program[checks + 2 * i + 1], registers):
            return False
    return True


@part
def bind(program, binds, count, row, registers):
    for i in range(count):
        registers[program[binds + 2 * i + 1]] = row[program[binds + 2 * i]]


@part
def number_of(program, weights, step, registers):
    """The number of the key or of the row that a step asks for; below 0: there is none."""
    code = step[BASE]
    terms = step[TERMS]
    for i in range(step[TERM_COUNT]):
        code += weights[program[terms + 2 * i] + registers[program[terms + 2 * i + 1]]]
    return code


@part
def test(program, weights, memory, step, registers):
    """A condition all of whose variables are known."""
    kind = step[KIND]
    if kind >= DIFFERS:
        terms = step[TERMS]
        for i in range(step[TERM_COUNT]):
            if value_of(program[terms + 2 * i], registers) != value_of(program[terms + 2 * i + 1], registers):
                return kind == DIFFERS
        return kind == SAME
    code = number_of(program, weights, step, registers)
    if kind >= FINDS:
        cursor = memory[program[step[INDEX] + HEADS] + code] if code >= 0 else 0
        return (next_row(program, weights, memory, step, registers, cursor) >= 0) == (kind == FINDS)
    there = False
    if code >= 0:
        there = memory[program[step[TABLE] + BITS] + (code >> 5)] & (1 << (code & 31)) != 0
    return there == (kind == HOLDS)


@part
def next_row(program, weights, memory, step, registers, cursor):
    """Walk on to a row that matches, and bind its values; returns the next cursor, -1 if there is none."""
    here = at(program, step[TABLE])
    columns = here[COLUMNS]
    if step[KIND] == SCAN:
        while cursor < memory[here[COUNT]]:
            row = at(memory, here[ROWS] + cursor * columns)
            cursor += 1
            if matches(program, step[CHECKS], step[CHECK_COUNT], row, registers):
                bind(program, step[BINDS], step[BIND_COUNT], row, registers)
                return cursor
        return -1
    before = program[step[INDEX] + BEFORE]
    while cursor > 0:
        row = at(memory, here[ROWS] + (cursor - 1) * columns)
        cursor = memory[before + cursor - 1]
        if matches(program, step[CHECKS], step[CHECK_COUNT], row, registers):
            bind(program, step[BINDS], step[BIND_COUNT], row, registers)
            return cursor
    return -1


@part
def first_cursor(program, weights, memory, step, registers):
    if step[KIND] == SCAN:
        return 0
    key = number_of(program, weights, step, registers)
    return memory[program[step[INDEX] + HEADS] + key] if key >= 0 else 0


@part
def derive(program, weights, memory, scratch, plan):
    """The head of a plan for every way to satisfy its conditions, from registers that may be bound already."""
    registers, cursors, row = at(scratch, 0), at(scratch, MOST), at(scratch, 2 * MOST)
    here = at(program, plan)
    count, steps = here[STEP_COUNT], here[STEPS]
    level, entering = 0, True
    while level >= 0:
        if level == count:
            table = here[HEAD_TABLE]
            for c in range(program[table + COLUMNS]):
                row[c] = value_of(program[here[HEAD] + c], registers)
            insert(program, weights, memory, table, row)
            level, entering = here[RESUME], False
            continue
        step = at(program, steps + level * STEP_WORDS)
        if step[KIND] >= HOLDS:
            if test(program, weights, memory, step, registers):
                level += 1
            else:
                level, entering = step[BACK], False
            continue
        cursor = first_cursor(program, weights, memory, step, registers) if entering else cursors[level]
        cursor = next_row(program, weights, memory, step, registers, cursor)
        if cursor >= 0:
            cursors[level] = cursor
            level, entering = level + 1, True
        else:
            level, entering = step[BACK], False


@part
def derive_from(program, weights, memory, scratch, plan, row):
    """The same for one row of the condition that a plan starts from."""
    here = at(program, plan)
    if matches(program, here[START_CHECKS], here[START_CHECK_COUNT], row, at(scratch, 0)):
        bind(program, here[START_BINDS], here[START_BIND_COUNT], row, at(scratch, 0))
        derive(program, weights, memory, scratch, plan)


@part
def complete(program, weights, memory, scratch, phases):
    """Empty the tables of a layer and derive everything that follows in it: first how many tables and which, then the phases."""
    tables = program[phases]
    for i in range(tables):
        clear(program, weights, memory, program[phases + 1 + i])
    place = phases + 1 + tables
    phase_count = program[place]
    place += 1
    for _ in range(phase_count):
        if program[place] == RUN:
            derive(program, weights, memory, scratch, program[place + 1])
            place += 2
        else:
            triggers = program[place + 1]
            repeat(program, weights, memory, scratch, place + 2, triggers)
            place += 2 + 3 * triggers


@part
def repeat(program, weights, memory, scratch, place, triggers):
    """Rules that depend on each other: each starts from every row of its condition, also from those that come while it runs."""
    for i in range(triggers):
        memory[program[place + 3 * i + 2]] = 0
    more = True
    while more:
        more = False
        for i in range(triggers):
            table, plan, seen = program[place + 3 * i], program[place + 3 * i + 1], program[place + 3 * i + 2]
            here = at(program, table)
            while memory[seen] < memory[here[COUNT]]:
                number = memory[seen]
                memory[seen] = number + 1
                more = True
                derive_from(program, weights, memory, scratch, plan, at(memory, here[ROWS] + number * here[COLUMNS]))
