"""The functions of a game that is given by a network: compiled once, for all sheets.

Roles choose one after the other, hidden from each other where more than one has a choice; a role with a single legal move is
not asked.  When all have chosen the network gives the next state.

A lane (layout.py) that starts again takes the root's values in its bit, in one masked pass for all lanes that start in the same
tick (step_lanes.py); nothing is evaluated for it.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from icarus.engine.layout import MAX_KEYS, OVER, Report
from icarus.game import ENVIRONMENT, UNSEEN
from icarus.gdl.evaluate import evaluate_one
from icarus.gdl.lanes import WORDS, lowest, population, small_ints, whole_ints, words_at
from icarus.gdl.layout import (
    BITS_AT,
    CHOSEN_AT,
    DOES_SLOTS,
    DROPPED,
    ENDED,
    FIRST,
    FIRST_GOAL,
    FIRST_MOVE,
    FIRST_SIGHT,
    FLUENT_AT,
    FLUENT_SLOTS,
    FLUENTS,
    FULL,
    GATES,
    GOAL_SLOTS,
    GOAL_VALUES,
    GOALS,
    GOALS_COUNT,
    HEADER_WORDS,
    HISTORY_AT,
    HISTORY_ROW,
    INITIAL,
    KEPT,
    LANE,
    LANE_BLOCK,
    LEFT,
    LEGAL_AT,
    LEGAL_SLOTS,
    MAX_STEPS,
    MOVE_FROM,
    MOVE_OF,
    MOVE_TO,
    MOVES,
    NETWORK,
    NEXT_SLOTS,
    ON_GOALS,
    ON_GOALS_COUNT,
    ON_MOVES,
    ON_MOVES_COUNT,
    ON_STATE,
    ON_STATE_COUNT,
    ONE,
    PIECE_OF,
    PIECES,
    PLAYERS,
    RESTART,
    ROLES,
    ROOT_COUNT,
    ROOT_LEGAL,
    ROOT_STATE,
    ROOT_VALUES,
    SEEN_AT,
    SEES_SLOTS,
    SIGHTS,
    SLOTS,
    STATE_WORDS,
    STEPS,
    TERM_OF,
    TERMINAL,
    TERMS,
    TOGETHER,
    TURN,
    VALUES,
    ZERO,
)
from icarus.jit import at, compiled, part
from icarus.jit.randomness import mix, random_below

# --- a single state --------------------------------------------------------------------------------------------------


@part
def evaluate_state(net, state, values):
    """Load the fluents of a state and evaluate what depends on them alone."""
    values[0] = ZERO
    values[1] = FULL
    slots = small_ints(net[FLUENT_SLOTS])
    fluents = at(state, net[BITS_AT])
    for i in range(net[FLUENTS]):
        values[slots[i]] = FULL if (fluents[i >> 6] >> (i & 63)) & 1 else ZERO
    evaluate_one(values, small_ints(net[GATES]), small_ints(net[ON_STATE]), net[ON_STATE_COUNT])


@part
def settle(net, state, values):
    """After a new state has been evaluated: is it over, what is legal, who is asked."""
    state[ENDED] = values[net[TERMINAL]] != ZERO or state[STEPS] >= net[MAX_STEPS]
    if state[ENDED] != 0:
        evaluate_one(values, small_ints(net[GATES]), small_ints(net[ON_GOALS]), net[ON_GOALS_COUNT])
        slots, worth = small_ints(net[GOAL_SLOTS]), small_ints(net[GOAL_VALUES])
        for role in range(net[ROLES]):
            first = whole_ints(net[FIRST_GOAL])[role]
            state[GOALS + role] = 0
            for i in range(first, first + whole_ints(net[GOALS_COUNT])[role]):
                if values[slots[i]] != ZERO:
                    state[GOALS + role] = worth[i]
    slots = small_ints(net[LEGAL_SLOTS])
    for role in range(net[ROLES]):
        first = whole_ints(net[FIRST_MOVE])[role]
        legal_bits = at(state, whole_ints(net[LEGAL_AT])[role])
        moves = whole_ints(net[MOVES])[role]
        for word in range((moves + 63) >> 6):
            legal_bits[word] = 0
        for i in range(moves):
            if values[slots[first + i]] != ZERO:
                legal_bits[i >> 6] |= np.int64(1) << (i & 63)
    ask(net, state)


@part
def legal_count(net, state, role):
    legal_bits = at(state, whole_ints(net[LEGAL_AT])[role])
    count = 0
    for word in range((whole_ints(net[MOVES])[role] + 63) >> 6):
        count += population(uint64(legal_bits[word]))
    return count


@part
def legal_move(net, state, role, number):
    """The move of this rank among a role's legal moves."""
    legal_bits = at(state, whole_ints(net[LEGAL_AT])[role])
    for word in range((whole_ints(net[MOVES])[role] + 63) >> 6):
        rest = uint64(legal_bits[word])
        count = population(rest)
        if number >= count:
            number -= count
        else:
            for _ in range(number):
                rest &= rest - ONE
            return (word << 6) + lowest(rest)
    return -1


@part
def in_order(net, state, rank):
    """The roles in the order in which they are asked: from FIRST on, and the environment last."""
    players = net[PLAYERS]
    return (state[FIRST] + rank) % players if rank < players else rank


@part
def asked_for_form(net, state):
    """The role that is asked where none has a choice: the first.

    In GDL-II it is the environment: whether others have a choice may be hidden, and who is asked must not tell.
    """
    if net[HISTORY_AT] != 0:
        return net[ROLES] - 1
    return in_order(net, state, 0)


@part
def ask(net, state):
    """Roles with one legal move have chosen; the first of the others is asked."""
    chosen = at(state, net[CHOSEN_AT])
    deciding = 0
    state[TURN] = -1
    for rank in range(net[ROLES]):
        role = in_order(net, state, rank)
        chosen[role] = 0
        if legal_count(net, state, role) == 1:
            chosen[role] = legal_move(net, state, role, 0) + 1
        else:
            deciding += 1
            if state[TURN] < 0:
                state[TURN] = role
    if deciding == 0:
        state[TURN] = asked_for_form(net, state)
        chosen[state[TURN]] = 0
    state[TOGETHER] = state[STEPS] + 1 if deciding > 1 else 0


@part
def ask_next(net, state):
    """The next role that has not chosen, or -1."""
    chosen = at(state, net[CHOSEN_AT])
    for rank in range(net[ROLES]):
        role = in_order(net, state, rank)
        if chosen[role] == 0:
            return role
    return -1


@part
def evaluate_moves(net, state, values):
    """With the state evaluated: put in the chosen moves and evaluate what depends on them."""
    chosen, slots = at(state, net[CHOSEN_AT]), small_ints(net[DOES_SLOTS])
    for role in range(net[ROLES]):
        first = whole_ints(net[FIRST_MOVE])[role]
        for i in range(whole_ints(net[MOVES])[role]):
            if slots[first + i] >= 0:
                values[slots[first + i]] = FULL if chosen[role] == i + 1 else ZERO
    evaluate_one(values, small_ints(net[GATES]), small_ints(net[ON_MOVES]), net[ON_MOVES_COUNT])


@part
def finish_step(net, state, values):
    """With the state evaluated and all moves chosen: the next state."""
    evaluate_moves(net, state, values)
    if net[HISTORY_AT] > 0:
        record_step(net, state, values)
    slots, fluents = small_ints(net[NEXT_SLOTS]), at(state, net[BITS_AT])
    for word in range((net[FLUENTS] + 63) >> 6):
        fluents[word] = 0
    for i in range(net[FLUENTS]):
        if values[slots[i]] & ONE:
            fluents[i >> 6] |= np.int64(1) << (i & 63)
    state[STEPS] += 1
    evaluate_state(net, state, values)
    settle(net, state, values)


@part
def record_step(net, state, values):
    """Note the moves of all roles, and what each of them sees."""
    row = at(state, net[HISTORY_AT] + state[STEPS] * net[HISTORY_ROW])
    for role in range(net[ROLES]):
        row[role] = state[net[CHOSEN_AT] + role]
        see(net, values, role, row)


@part
def see(net, values, role, row):
    """What a role sees, as bits in its place of a step."""
    first, sights = whole_ints(net[FIRST_SIGHT])[role], whole_ints(net[SIGHTS])[role]
    slots, place = small_ints(net[SEES_SLOTS]), whole_ints(net[SEEN_AT])[role]
    for word in range((sights + 63) >> 6):
        row[place + word] = 0
    for i in range(sights):
        if values[slots[first + i]] & ONE:
            row[place + (i >> 6)] |= np.int64(1) << (i & 63)


@compiled
def initial(state, rng):
    net = whole_ints(state[NETWORK])
    start = whole_ints(net[INITIAL])
    for word in range((net[FLUENTS] + 63) >> 6):
        state[net[BITS_AT] + word] = start[word]
    enter(net, state, np.empty(net[SLOTS], np.uint64))


# An array lives as long as the caller that passes it on: a pointer to it is taken only in the functions that it is passed to.


@part
def enter(net, state, scratch):
    """Evaluate a state whose fluents are set."""
    values = at(scratch, 0)
    evaluate_state(net, state, values)
    settle(net, state, values)


@part
def leave(net, state, scratch):
    """All moves are chosen: go on to the next state."""
    values = at(scratch, 0)
    evaluate_state(net, state, values)
    finish_step(net, state, values)


@compiled
def player(state):
    net = whole_ints(state[NETWORK])
    return state[TURN] if state[TURN] < net[PLAYERS] else ENVIRONMENT


@compiled
def legal(state, actions):
    net = whole_ints(state[NETWORK])
    role = state[TURN]
    legal_bits = at(state, whole_ints(net[LEGAL_AT])[role])
    names = small_ints(net[TERM_OF])
    first = whole_ints(net[FIRST_MOVE])[role]
    count = 0
    for word in range((whole_ints(net[MOVES])[role] + 63) >> 6):
        rest = uint64(legal_bits[word])
        while rest != ZERO:
            actions[count] = names[first + (word << 6) + lowest(rest)]
            count += 1
            rest &= rest - ONE
    return count


@compiled
def apply(state, action):
    net = whole_ints(state[NETWORK])
    role = state[TURN]
    state[net[CHOSEN_AT] + role] = small_ints(net[MOVE_OF])[role * net[TERMS] + action] + 1
    following = ask_next(net, state)
    if following >= 0:
        state[TURN] = following
        return
    leave(net, state, np.empty(net[SLOTS], np.uint64))


@compiled
def terminal(state):
    return state[ENDED]


@compiled
def rewards(state, out):
    for role in range(whole_ints(state[NETWORK])[PLAYERS]):
        out[role] = state[GOALS + role] / 100.0


@compiled
def sample(state, rng):
    """The environment's role chooses uniformly."""
    net = whole_ints(state[NETWORK])
    role = state[TURN]
    if state[LANE_BLOCK] != 0:
        return sample_in_lane(net, whole_ints(state[LANE_BLOCK]), role, state[LANE], rng)
    move = legal_move(net, state, role, random_below(rng, legal_count(net, state, role)))
    return small_ints(net[TERM_OF])[whole_ints(net[FIRST_MOVE])[role] + move]


@part
def sample_in_lane(net, block, role, lane, rng):
    if (words_at(block[RESTART])[lane >> 6] >> uint64(lane & 63)) & ONE:  # still at the root
        return whole_ints(block[ROOT_LEGAL])[random_below(rng, block[ROOT_COUNT])]
    values = words_at(block[VALUES])
    first, slots = whole_ints(net[FIRST_MOVE])[role], small_ints(net[LEGAL_SLOTS])
    count = 0
    pick = -1
    for i in range(whole_ints(net[MOVES])[role]):
        if (values[WORDS * slots[first + i] + (lane >> 6)] >> uint64(lane & 63)) & ONE:
            count += 1
            if random_below(rng, count) == 0:
                pick = i
    return small_ints(net[TERM_OF])[first + pick]


@compiled
def chance(state, probabilities):
    net = whole_ints(state[NETWORK])
    count = legal_count(net, state, state[TURN])
    for i in range(count):
        probabilities[i] = 1.0 / count
    return count


@compiled
def simultaneous(state):
    return state[TOGETHER]


@part
def list_fluents(net, bits, out):
    """The numbers of the fluents whose bits are set, as many as there is room for; returns how many."""
    count = 0
    for word in range((net[FLUENTS] + 63) >> 6):
        rest = uint64(bits[word])
        while rest != ZERO and count < MAX_KEYS:
            out[count] = (word << 6) + lowest(rest)
            count += 1
            rest &= rest - ONE
    return count


@part
def holds_in_lane(net, block, lane, fluent):
    slot = small_ints(net[FLUENT_SLOTS])[fluent]
    return (words_at(block[VALUES])[WORDS * slot + (lane >> 6)] >> uint64(lane & 63)) & ONE != ZERO


@compiled
def predicates(state, out):
    """For PAST: the fluents that hold."""
    net = whole_ints(state[NETWORK])
    if state[LANE_BLOCK] == 0:
        return list_fluents(net, at(state, net[BITS_AT]), out)
    block = whole_ints(state[LANE_BLOCK])
    root = whole_ints(block[ROOT_STATE])
    if state[STEPS] == root[STEPS]:  # a lane that starts again has not all of the root's values, but those that a step reads
        return list_fluents(net, at(root, net[BITS_AT]), out)
    count = 0
    for fluent in range(net[FLUENTS]):
        if count < MAX_KEYS and holds_in_lane(net, block, state[LANE], fluent):
            out[count] = fluent
            count += 1
    return count


@part
def first_feature(net, role):
    """Where what a role sees of positions begins: each fluent, then the number of each piece."""
    return role * (net[FLUENTS] + net[PIECES])


@compiled
def features(state, action, out):
    """For learning: of a position what holds, and each piece as often as it is on the board; of a move which one it is.

    All are other features for each role that is asked.
    """
    net = whole_ints(state[NETWORK])
    role = state[TURN]
    if action >= 0:
        out[0] = first_feature(net, net[PLAYERS]) + role * net[TERMS] + action
        return 1
    first, pieces = first_feature(net, role), small_ints(net[PIECE_OF])
    holding = predicates(state, out)
    count = holding
    for i in range(holding):
        if net[PIECES] != 0 and pieces[out[i]] >= 0:
            out[count] = first + net[FLUENTS] + pieces[out[i]]
            count += 1
        out[i] += first
    return count


@part
def holds(net, state, fluent):
    """Does a fluent hold, in a state on its own or in a lane?"""
    if state[LANE_BLOCK] != 0:
        block = whole_ints(state[LANE_BLOCK])
        root = whole_ints(block[ROOT_STATE])
        if state[STEPS] != root[STEPS]:
            return holds_in_lane(net, block, state[LANE], fluent)
        return (root[net[BITS_AT] + (fluent >> 6)] >> (fluent & 63)) & 1 != 0
    return (state[net[BITS_AT] + (fluent >> 6)] >> (fluent & 63)) & 1 != 0


@part
def piece_on(net, state, cell):
    """Which piece is on a cell, or -1."""
    fluents = small_ints(net[FLUENT_AT])
    for piece in range(net[PIECES]):
        fluent = fluents[cell * net[PIECES] + piece]
        if fluent >= 0 and holds(net, state, fluent):
            return piece
    return -1


@part
def shift(net, first, cell, piece, gone, out, count):
    """Write that a piece comes to a cell or is gone from it: its fluent, and that there is one more or less of it."""
    if cell >= 0 and piece >= 0:
        fluent = small_ints(net[FLUENT_AT])[cell * net[PIECES] + piece]
        if fluent >= 0:
            for feature in (first + fluent, first + net[FLUENTS] + piece):
                out[count] = -1 - feature if gone else feature
                count += 1
    return count


@compiled
def shifts(state, action, out):
    """For FAST: what the name of a move says that it does to the board."""
    net = whole_ints(state[NETWORK])
    source, target = small_ints(net[MOVE_FROM])[action], small_ints(net[MOVE_TO])[action]
    if target < 0:
        return 0
    first = first_feature(net, state[TURN])
    piece = piece_on(net, state, source) if source >= 0 else whole_ints(net[DROPPED])[state[TURN]]
    count = shift(net, first, target, piece_on(net, state, target), True, out, 0)
    count = shift(net, first, target, piece, False, out, count)
    count = shift(net, first, source, piece, True, out, count)
    return shift(net, first, source, net[LEFT], False, out, count)


@compiled
def observe(state, action, observer):
    """Choices of one step are hidden until all are made; then everybody sees the whole joint move."""
    net = whole_ints(state[NETWORK])
    if state[TOGETHER] == 0:
        return action
    chosen = at(state, net[CHOSEN_AT])
    joint = action
    for rank in range(net[ROLES]):
        role = in_order(net, state, rank)
        if role != state[TURN]:
            if chosen[role] == 0:
                return action if observer == state[TURN] else UNSEEN
            joint = mix(joint, chosen[role] * 64 + role) & 0x7FFFFFFF
    return joint if joint < 0x7FFFFFFF else 0


@compiled
def enter_search(state):
    """Forget what others have chosen in the step under way: whoever is asked now is asked first, and does not know it."""
    net = whole_ints(state[NETWORK])
    if state[TURN] < net[PLAYERS] and state[ENDED] == 0:
        state[FIRST] = state[TURN]
        ask(net, state)


# --- one call per ply ------------------------------------------------------------------------------------------------


@compiled
def advance(state, action, actions, report):
    """Apply an action (below 0: none) and report; for a lane that starts again, the root's report."""
    net = whole_ints(state[NETWORK])
    if state[LANE_BLOCK] != 0:
        block = whole_ints(state[LANE_BLOCK])
        root_legal = whole_ints(block[ROOT_LEGAL])
        for i in range(block[ROOT_COUNT]):
            actions[i] = root_legal[i]
        make_report(net, state, report, block[ROOT_COUNT])
        return
    if action >= 0:
        apply(state, action)
    make_report(net, state, report, 0)
    if state[ENDED] == 0:
        Report(report).count = legal(state, actions)


@part
def make_report(net, state, report, count):
    report = Report(report)
    report.player = OVER if state[ENDED] != 0 else state[TURN] if state[TURN] < net[PLAYERS] else ENVIRONMENT
    report.count = count
    report.together = state[TOGETHER]
    report.label = -1


# --- lanes -----------------------------------------------------------------------------------------------------------


@compiled
def copy(state, root):
    """Start a lane again (or copy a state on its own)."""
    net = whole_ints(root[NETWORK])
    if state[LANE_BLOCK] == 0:
        for word in range(net[STATE_WORDS]):
            state[word] = root[word]
        return
    block_address, lane = state[LANE_BLOCK], state[LANE]
    block = whole_ints(block_address)
    known = whole_ints(block[ROOT_STATE])
    for word in range(net[STATE_WORDS]):
        if known[word] != root[word]:
            keep_root(net, block, root, np.empty(net[SLOTS], np.uint64))
            break
    for word in range(net[HEADER_WORDS]):
        state[word] = root[word]
    state[LANE_BLOCK] = block_address
    state[LANE] = lane
    words_at(block[RESTART])[lane >> 6] |= ONE << uint64(lane & 63)


@part
def keep_root(net, block, root, scratch):
    """Evaluate a new root once, for all lanes that will start from it."""
    known = whole_ints(block[ROOT_STATE])
    for word in range(net[STATE_WORDS]):
        known[word] = root[word]
    values = at(scratch, 0)
    evaluate_state(net, root, values)
    root_values = words_at(block[ROOT_VALUES])
    for slot in range(net[KEPT]):
        root_values[slot] = values[slot]
    block[ROOT_COUNT] = legal(root, whole_ints(block[ROOT_LEGAL]))
