"""The functions of a game whose states are completed by joins (see ``joins``): compiled once, for all sheets.

The words of a state are those of ``layout``, but without what is legal: that is derived anew, in a workspace that belongs to the
thread (the tables of all relations).  A workspace remembers which state its tables are for, so that a playout derives each state
once: what is legal first, then what follows from the moves.

Where roles do not see everything the history of a state holds, for every step, the moves of all roles and for every role a number
that stands for what it saw."""

from __future__ import annotations

import numpy as np
from numba import types, uint64

from icarus.engine.layout import Report
from icarus.game import UNSEEN
from icarus.gdl import joins as j
from icarus.gdl.lanes import lowest, small_ints, whole_ints
from icarus.gdl.layout import (
    BITS_AT,
    CHOSEN_AT,
    ENDED,
    FIRST,
    FLUENTS,
    GOALS,
    HISTORY_AT,
    HISTORY_ROW,
    INITIAL,
    LANE_BLOCK,
    MAX_ACTIONS,
    MAX_STEPS,
    NETWORK,
    NETWORK_WORDS,
    ONE,
    PLAYERS,
    ROLES,
    STATE_WORDS,
    STEPS,
    TOGETHER,
    TURN,
    ZERO,
)
from icarus.gdl.play import ask_next, asked_for_form, in_order, list_fluents, make_report
from icarus.jit import Ints, Nothing, at, compiled, kernel, part
from icarus.jit.randomness import mix, random_below

# --- a machine in memory: these words follow those that it has in common with a network ------------------------------------
(
    PROGRAM, WEIGHTS,  # addresses
    ON_STATE, ON_GOALS, ON_MOVES,  # where phases begin in the program
    TERMINAL,  # the table of terminal
    # lists of (table, first number, size, columns, where they begin in LISTS): fluents, moves; rows of next, legal, sees
    FLUENT_BLOCKS, FLUENT_BLOCK_COUNT, MOVE_BLOCKS, MOVE_BLOCK_COUNT,
    NEXT_ROWS, NEXT_COUNT, LEGAL_ROWS, LEGAL_COUNT, SEES_ROWS, SEES_COUNT,
    LISTS,
    ROLE_CONSTANTS,  # [roles], -1 for an environment that is not in the sheet
    ADDED_MOVE,  # its only move
    GOAL_TABLES, GOAL_TABLE_COUNT,
    GOAL_VALUES,  # [constants] the number that a constant is as a goal, or -1
    HOME,  # the workspace of states that belong to no search
    MACHINE_WORDS,
) = range(NETWORK_WORDS, NETWORK_WORDS + 24)  # fmt: skip
LIST_WORDS = 5
#: for the numbers that stand for what is seen
SALT, LOW = 0x5EE5, (1 << 60) - 1

# --- a workspace -----------------------------------------------------------------------------------------------------
(
    MEMORY,  # [int32] the tables
    SCRATCH,  # [3 * MOST] registers, cursors, a row
    VALID, KNOWN,  # are the tables those of a state, and of which: [fluent words]
    WORK_WORDS,
) = range(4 + 1)  # fmt: skip


@part
def workspace(net, state):
    return whole_ints(state[LANE_BLOCK] if state[LANE_BLOCK] != 0 else net[HOME])


@part
def decode(lists, block, number, row, first):
    """The constants of the fluent or the move of this number, from a column on."""
    rest = number - block[1]
    for c in range(block[3]):
        size, values = lists[block[4] + 2 * c], lists[block[4] + 2 * c + 1]
        row[first + c] = lists[values + rest % size]
        rest //= size


@part
def encode(lists, weights, block, row):
    """The number that a row has."""
    number = block[1]
    for c in range(block[3]):
        number += weights[lists[block[4] + 2 * c + 1] + row[lists[block[4] + 2 * c]]]
    return number


@part
def derive_state(net, state):
    """The tables of a state: what is legal, whether it is over, and whatever that depends on.  Returns the workspace."""
    work = workspace(net, state)
    known, bits = whole_ints(work[KNOWN]), at(state, net[BITS_AT])
    words = (net[FLUENTS] + 63) >> 6
    same = work[VALID] != 0
    for word in range(words):
        if known[word] != bits[word]:
            same = False
            known[word] = bits[word]
    if same:
        return work
    work[VALID] = 1
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    lists, blocks, row = whole_ints(net[LISTS]), whole_ints(net[FLUENT_BLOCKS]), at(whole_ints(work[SCRATCH]), 2 * j.MOST)
    for i in range(net[FLUENT_BLOCK_COUNT]):
        j.clear(program, weights, memory, blocks[i * LIST_WORDS])
    i = 0
    for word in range(words):
        rest = uint64(bits[word])
        while rest != ZERO:
            number = (word << 6) + lowest(rest)
            rest &= rest - ONE
            while number >= blocks[i * LIST_WORDS + 1] + blocks[i * LIST_WORDS + 2]:
                i += 1
            decode(lists, at(blocks, i * LIST_WORDS), number, row, 0)
            j.insert(program, weights, memory, blocks[i * LIST_WORDS], row)
    j.complete(program, weights, memory, whole_ints(work[SCRATCH]), net[ON_STATE])
    return work


@part
def rows_of(program, memory, table):
    return memory[program[table + j.COUNT]]


@part
def derive_goals(net, state, work):
    """With the tables of the state: the goals of all roles."""
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    j.complete(program, weights, memory, whole_ints(work[SCRATCH]), net[ON_GOALS])
    tables, roles, worth = whole_ints(net[GOAL_TABLES]), whole_ints(net[ROLE_CONSTANTS]), whole_ints(net[GOAL_VALUES])
    for role in range(net[ROLES]):
        state[GOALS + role] = 0
    for i in range(net[GOAL_TABLE_COUNT]):
        for number in range(rows_of(program, memory, tables[i])):
            row = at(memory, program[tables[i] + j.ROWS] + 2 * number)
            for role in range(net[ROLES]):
                if roles[role] == row[0]:
                    state[GOALS + role] = max(state[GOALS + role], worth[row[1]])


@part
def settle(net, state, work):
    """With the tables of the state: is it over, and who is asked."""
    program, memory = whole_ints(net[PROGRAM]), small_ints(work[MEMORY])
    over = net[TERMINAL] >= 0 and rows_of(program, memory, net[TERMINAL]) > 0
    state[ENDED] = over or state[STEPS] >= net[MAX_STEPS]
    if state[ENDED] != 0:
        derive_goals(net, state, work)
    ask(net, state, work)


@part
def list_legal(net, work, role, actions, most):
    """The role's legal moves; returns how many there are, of which at most so many are listed."""
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    lists, blocks, who = whole_ints(net[LISTS]), whole_ints(net[LEGAL_ROWS]), whole_ints(net[ROLE_CONSTANTS])[role]
    count = 0
    if who < 0:
        if most > 0:
            actions[0] = net[ADDED_MOVE]
        return 1
    if memory[j.OVERFLOW] != 0:  # what was derived is not all: without a legal move a search ends with an error
        return count
    for i in range(net[LEGAL_COUNT]):
        block = at(blocks, i * LIST_WORDS)
        table = at(program, block[0])
        for number in range(memory[table[j.COUNT]]):
            row = at(memory, table[j.ROWS] + number * table[j.COLUMNS])
            if row[0] == who:
                if count < most:
                    actions[count] = encode(lists, weights, block, row)
                count += 1
    return count


@part
def ask(net, state, work):
    """Roles with one legal move have chosen; the first of the others is asked."""
    chosen, single = at(state, net[CHOSEN_AT]), at(whole_ints(work[SCRATCH]), 2 * j.MOST)
    deciding = 0
    state[TURN] = -1
    for rank in range(net[ROLES]):
        role = in_order(net, state, rank)
        chosen[role] = 0
        if list_legal(net, work, role, single, 1) == 1:
            chosen[role] = single[0] + 1
        else:
            deciding += 1
            if state[TURN] < 0:
                state[TURN] = role
    if deciding == 0:
        state[TURN] = asked_for_form(net, state)
        chosen[state[TURN]] = 0
    state[TOGETHER] = state[STEPS] + 1 if deciding > 1 else 0


@part
def derive_moves(net, state, work):
    """With the tables of the state: what follows from the chosen moves."""
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    lists, blocks, row = whole_ints(net[LISTS]), whole_ints(net[MOVE_BLOCKS]), at(whole_ints(work[SCRATCH]), 2 * j.MOST)
    chosen = at(state, net[CHOSEN_AT])
    for i in range(net[MOVE_BLOCK_COUNT]):
        j.clear(program, weights, memory, blocks[i * LIST_WORDS])
    for role in range(net[ROLES]):
        move, who = chosen[role] - 1, whole_ints(net[ROLE_CONSTANTS])[role]
        for i in range(net[MOVE_BLOCK_COUNT]):
            block = at(blocks, i * LIST_WORDS)
            if who >= 0 and block[1] <= move < block[1] + block[2]:
                decode(lists, block, move, row, 1)
                row[0] = who
                j.insert(program, weights, memory, block[0], row)
    j.complete(program, weights, memory, whole_ints(work[SCRATCH]), net[ON_MOVES])


@part
def sight(net, work, role):
    """A number for what a role sees, whatever the order in which it was derived."""
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    lists, blocks, who = whole_ints(net[LISTS]), whole_ints(net[SEES_ROWS]), whole_ints(net[ROLE_CONSTANTS])[role]
    seen = 0
    for i in range(net[SEES_COUNT]):
        block = at(blocks, i * LIST_WORDS)
        table = at(program, block[0])
        for number in range(memory[table[j.COUNT]]):
            row = at(memory, table[j.ROWS] + number * table[j.COLUMNS])
            if row[0] == who:
                seen += percept_weight(encode(lists, weights, block, row))
    return seen & LOW


@part
def percept_weight(number):
    """What one percept adds to the number for all that is seen in a step."""
    return mix(SALT, number) & LOW


@part
def enter(net, state):
    """Derive what holds in a state whose fluents are set."""
    settle(net, state, derive_state(net, state))


@part
def leave(net, state):
    """All moves are chosen: go on to the next state."""
    work = derive_state(net, state)
    derive_moves(net, state, work)
    if net[HISTORY_AT] > 0:
        row = at(state, net[HISTORY_AT] + state[STEPS] * net[HISTORY_ROW])
        for role in range(net[ROLES]):
            row[role] = state[net[CHOSEN_AT] + role]
            row[net[ROLES] + role] = sight(net, work, role)
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    lists, blocks, bits = whole_ints(net[LISTS]), whole_ints(net[NEXT_ROWS]), at(state, net[BITS_AT])
    for word in range((net[FLUENTS] + 63) >> 6):
        bits[word] = 0
    for i in range(net[NEXT_COUNT]):
        block = at(blocks, i * LIST_WORDS)
        table = at(program, block[0])
        for number in range(memory[table[j.COUNT]]):
            fluent = encode(lists, weights, block, at(memory, table[j.ROWS] + number * table[j.COLUMNS]))
            bits[fluent >> 6] |= np.int64(1) << (fluent & 63)
    state[STEPS] += 1
    enter(net, state)


# --- the functions of a game -------------------------------------------------------------------------------------------


@compiled
def initial(state, rng):
    net = whole_ints(state[NETWORK])
    start = whole_ints(net[INITIAL])
    for word in range((net[FLUENTS] + 63) >> 6):
        state[net[BITS_AT] + word] = start[word]
    enter(net, state)


@compiled
def legal(state, actions):
    net = whole_ints(state[NETWORK])
    return list_legal(net, derive_state(net, state), state[TURN], actions, net[MAX_ACTIONS])


@compiled
def apply(state, action):
    net = whole_ints(state[NETWORK])
    state[net[CHOSEN_AT] + state[TURN]] = action + 1
    following = ask_next(net, state)
    if following >= 0:
        state[TURN] = following
    else:
        leave(net, state)


@compiled
def sample(state, rng):
    """The environment's role chooses uniformly."""
    net = whole_ints(state[NETWORK])
    work = derive_state(net, state)
    return draw_legal(net, work, state[TURN], rng)


@part
def draw_legal(net, work, role, rng):
    """One of a role's legal moves, drawn uniformly."""
    return nth_legal(net, work, role, random_below(rng, list_legal(net, work, role, whole_ints(work[SCRATCH]), 0)))


@part
def nth_legal(net, work, role, left):
    """The move of this rank among a role's legal moves."""
    program, weights, memory = whole_ints(net[PROGRAM]), small_ints(net[WEIGHTS]), small_ints(work[MEMORY])
    lists, blocks, who = whole_ints(net[LISTS]), whole_ints(net[LEGAL_ROWS]), whole_ints(net[ROLE_CONSTANTS])[role]
    if who < 0:
        return net[ADDED_MOVE]
    for i in range(net[LEGAL_COUNT]):
        block = at(blocks, i * LIST_WORDS)
        table = at(program, block[0])
        for number in range(memory[table[j.COUNT]]):
            row = at(memory, table[j.ROWS] + number * table[j.COLUMNS])
            if row[0] == who:
                if left == 0:
                    return encode(lists, weights, block, row)
                left -= 1
    return -1


@compiled
def chance(state, probabilities):
    net = whole_ints(state[NETWORK])
    work = derive_state(net, state)
    count = list_legal(net, work, state[TURN], whole_ints(work[SCRATCH]), 0)
    for i in range(min(count, net[MAX_ACTIONS])):
        probabilities[i] = 1.0 / count
    return count


@compiled
def enter_search(state):
    """Forget what others have chosen in the step under way: whoever is asked now is asked first, and does not know it."""
    net = whole_ints(state[NETWORK])
    if state[TURN] < net[PLAYERS] and state[ENDED] == 0:
        state[FIRST] = state[TURN]
        ask(net, state, derive_state(net, state))


@compiled
def advance(state, action, actions, report):
    """Apply an action (below 0: none) and report."""
    net = whole_ints(state[NETWORK])
    if action >= 0:
        apply(state, action)
    make_report(net, state, report, 0)
    if state[ENDED] == 0:
        Report(report).count = legal(state, actions)


@compiled
def predicates(state, out):
    """For PAST: the fluents that hold."""
    net = whole_ints(state[NETWORK])
    return list_fluents(net, at(state, net[BITS_AT]), out)


@compiled
def copy(state, root):
    """Start again from the root, in the same workspace."""
    work = state[LANE_BLOCK]
    for word in range(whole_ints(root[NETWORK])[STATE_WORDS]):
        state[word] = root[word]
    state[LANE_BLOCK] = work


@compiled
def observe(state, action, observer):
    """GDL-II: an own choice is seen at once; what the step shows is seen with the choice that completes it."""
    net = whole_ints(state[NETWORK])
    chosen = at(state, net[CHOSEN_AT])
    for rank in range(net[ROLES]):
        role = in_order(net, state, rank)
        if role != state[TURN] and chosen[role] == 0:
            return action if observer == state[TURN] else UNSEEN
    work = derive_state(net, state)
    before = chosen[state[TURN]]
    chosen[state[TURN]] = action + 1
    derive_moves(net, state, work)
    number = mix(mix(observer, chosen[observer]), sight(net, work, observer))
    chosen[state[TURN]] = before
    return number & 0x3FFFFFFF


@compiled
def playout(state, rng):
    """A uniformly random game to its end."""
    net = whole_ints(state[NETWORK])
    plies = 0
    while state[ENDED] == 0:
        apply(state, draw_legal(net, derive_state(net, state), state[TURN], rng))
        plies += 1
    return plies


@compiled
def go_on(state):
    """All moves are chosen: go on to the next state."""
    leave(whole_ints(state[NETWORK]), state)


GO_ON = Nothing(Ints)


# --- kernels -----------------------------------------------------------------------------------------------------------


@kernel(types.void(types.int64[::1], types.int32[::1], types.int32[::1], types.int64[::1], types.int64, types.int64[:, ::1]))
def insert_rows(program, weights, memory, scratch, table, rows):
    """Put rows into a table."""
    row = at(scratch, 2 * j.MOST)
    for i in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            row[c] = rows[i, c]
        j.insert(at(program, 0), at(weights, 0), at(memory, 0), table, row)


@kernel(types.void(types.int64[::1], types.int32[::1], types.int32[::1], types.int64[::1], types.int64))
def complete_layer(program, weights, memory, scratch, phases):
    """Derive everything of a layer."""
    j.complete(at(program, 0), at(weights, 0), at(memory, 0), at(scratch, 0), phases)


@kernel(types.int64(types.int64[::1], types.int64[::1], types.int64[::1], types.uint64[::1], types.int64, types.float64[::1]))
def random_steps(root, state, totals, rng, steps, rows):
    """Random games for a number of steps; returns how many ended.

    ``totals``: goals per role, the longest game, whether roles ever decided at the same time, the most legal moves.  ``rows``:
    what is added up of the rows of every table (a word for each word of the program).
    """
    net = whole_ints(root[NETWORK])
    program, size, games = whole_ints(net[PROGRAM]), net[STATE_WORDS], 0
    own, game = state[LANE_BLOCK], at(state, 0)
    roles, memory = net[ROLES], small_ints(whole_ints(own)[MEMORY])
    game[ENDED] = 2
    for _ in range(steps):
        if game[ENDED] != 0:
            if game[ENDED] == 1:
                games += 1
                for role in range(roles):
                    totals[role] += game[GOALS + role]
                totals[roles] = max(totals[roles], game[STEPS])
            for word in range(size):
                game[word] = root[word]
            game[LANE_BLOCK] = own
        if game[ENDED] != 0:  # over from the start
            return games
        if game[TOGETHER] != 0:
            totals[roles + 1] = 1
        before = game[STEPS]
        while game[STEPS] == before:
            work = derive_state(net, game)
            count = list_legal(net, work, game[TURN], at(totals, 0), 0)
            totals[roles + 2] = max(totals[roles + 2], count)
            if count == 0:
                return -1
            apply(game, draw_legal(net, work, game[TURN], at(rng, 0)))
        for table in range(rows.shape[0]):
            if rows[table] >= 0.0:
                rows[table] += memory[program[table + j.COUNT]]
    return games
