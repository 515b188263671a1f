"""All lanes of a network at once: what each has picked, one evaluation for 256 games, and what each may do next (layout.py)."""

from __future__ import annotations

from numba import types, uint64

from icarus.engine.layout import OVER, Report
from icarus.gdl.evaluate import evaluate_lanes
from icarus.gdl.lanes import LANES, WORDS, both, either, load, lowest, opposite, small_ints, store, whole_ints, words_at
from icarus.gdl.layout import (
    ALIVE,
    ANY,
    ASK,
    CHOSEN_AT,
    COMPLETE,
    COUNTS,
    DOES_SLOTS,
    ENDED,
    FIRST_GOAL,
    FIRST_MOVE,
    FLUENT_SLOTS,
    FLUENTS,
    FRESH,
    GATES,
    GOAL_SLOTS,
    GOAL_VALUES,
    GOALS,
    GOALS_COUNT,
    KEPT,
    LANE_BLOCK,
    LEGAL_SLOTS,
    LISTED,
    MANY,
    MASKS,
    MAX_ACTIONS,
    MAX_STEPS,
    MOVE_OF,
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
    REPORT_WORDS,
    RESTART,
    ROLES,
    ROOT_VALUES,
    SEVERAL,
    SINGLE,
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
from icarus.gdl.play import advance, ask_next, asked_for_form, copy, in_order, make_report
from icarus.jit import at, compiled, kernel, part
from icarus.jit.randomness import random_below


@part
def restart_lanes(net, block):
    """Give the lanes that have started again the root's values."""
    restart, values, root_values = words_at(block[RESTART]), words_at(block[VALUES]), words_at(block[ROOT_VALUES])
    if (restart[0] | restart[1] | restart[2] | restart[3]) == ZERO:
        return
    these = load(restart, 0)
    others = opposite(these)
    for slot in range(2, net[KEPT]):
        now = both(load(values, slot), others)
        store(values, slot, either(now, these) if root_values[slot] != ZERO else now)
    for word in range(WORDS):
        restart[word] = ZERO


@part
def list_moves(net, block, role, states, legal_rows, stride, rows_wide):
    """In the lanes of LISTED write the role's legal moves; in those of SINGLE the role has one, and has chosen."""
    values, masks, counts = words_at(block[VALUES]), words_at(block[MASKS]), whole_ints(block[COUNTS])
    slots, names = small_ints(net[LEGAL_SLOTS]), small_ints(net[TERM_OF])
    first = whole_ints(net[FIRST_MOVE])[role]
    chosen = net[CHOSEN_AT] + role
    for i in range(whole_ints(net[MOVES])[role]):
        slot = WORDS * slots[first + i]
        name = names[first + i]
        for word in range(WORDS):
            now = values[slot + word]
            rest = now & masks[WORDS * LISTED + word]
            while rest != ZERO:
                lane = (word << 6) + lowest(rest)
                rest &= rest - ONE
                count = counts[lane]
                counts[lane] = count + 1
                legal_rows[lane * rows_wide + count] = name
            rest = now & masks[WORDS * SINGLE + word]
            while rest != ZERO:
                lane = (word << 6) + lowest(rest)
                rest &= rest - ONE
                states[lane * stride + chosen] = i + 1


@part
def find_many(net, block, role):
    """MANY: the lanes in which a role has more than one legal move."""
    values, slots = words_at(block[VALUES]), small_ints(net[LEGAL_SLOTS])
    first = whole_ints(net[FIRST_MOVE])[role]
    once = load(values, 0)
    twice = once
    for i in range(whole_ints(net[MOVES])[role]):
        now = load(values, slots[first + i])
        twice = either(twice, both(once, now))
        once = either(once, now)
    store(words_at(block[MASKS]), MANY, twice)


@part
def take_choices(net, block, states, picked, stride, lanes):
    """Note what every lane has picked; COMPLETE: all roles have chosen; ASK: a role is asked next.  Returns whether any is
    complete, and asked."""
    masks, asked = words_at(block[MASKS]), words_at(block[ASK])
    for word in range(WORDS):
        masks[WORDS * COMPLETE + word] = ZERO
    for word in range(WORDS * net[ROLES]):
        asked[word] = ZERO
    completes, asks = 0, 0
    move_of = small_ints(net[MOVE_OF])
    for lane in range(lanes):
        if picked[lane] >= 0:
            state = at(states, lane * stride)
            role = state[TURN]
            state[net[CHOSEN_AT] + role] = move_of[role * net[TERMS] + picked[lane]] + 1
            following = -1 if state[TOGETHER] == 0 else ask_next(net, state)
            bit = ONE << uint64(lane & 63)
            if following < 0:
                masks[WORDS * COMPLETE + (lane >> 6)] |= bit
                completes += 1
            else:
                state[TURN] = following
                asked[WORDS * following + (lane >> 6)] |= bit
                asks += 1
    return completes, asks


@part
def put_moves(net, block, states, stride, present):
    """Set (or clear again) the chosen moves in the bits of the complete lanes."""
    values, masks, slots = words_at(block[VALUES]), words_at(block[MASKS]), small_ints(net[DOES_SLOTS])
    for word in range(WORDS):
        rest = masks[WORDS * COMPLETE + word]
        while rest != ZERO:
            place = lowest(rest)
            rest &= rest - ONE
            state = at(states, ((word << 6) + place) * stride)
            bit = ONE << uint64(place)
            for role in range(net[ROLES]):
                slot = slots[whole_ints(net[FIRST_MOVE])[role] + state[net[CHOSEN_AT] + role] - 1]
                if slot >= 0:
                    if present:
                        values[WORDS * slot + word] |= bit
                    else:
                        values[WORDS * slot + word] &= ~bit


@part
def next_states(net, block):
    """Replace the fluents of the complete lanes by the next ones."""
    values, fresh = words_at(block[VALUES]), words_at(block[FRESH])
    slots, following = small_ints(net[FLUENT_SLOTS]), small_ints(net[NEXT_SLOTS])
    these = load(words_at(block[MASKS]), COMPLETE)
    others = opposite(these)
    for i in range(net[FLUENTS]):
        store(fresh, i, either(both(load(values, following[i]), these), both(load(values, slots[i]), others)))
    for i in range(net[FLUENTS]):
        store(values, slots[i], load(fresh, i))


@part
def end_lanes(net, block, states, stride):
    """ALIVE: the complete lanes that go on; the others get their goals."""
    values, masks = words_at(block[VALUES]), words_at(block[MASKS])
    over = False
    for word in range(WORDS):
        rest = masks[WORDS * COMPLETE + word]
        ended = values[WORDS * net[TERMINAL] + word] & rest
        while rest != ZERO:
            lane = (word << 6) + lowest(rest)
            bit = rest & (~rest + ONE)
            rest ^= bit
            states[lane * stride + STEPS] += 1
            if states[lane * stride + STEPS] >= net[MAX_STEPS]:
                ended |= bit
        masks[WORDS * ALIVE + word] = masks[WORDS * COMPLETE + word] & ~ended
        over |= ended != ZERO
    if not over:
        return
    evaluate_lanes(values, small_ints(net[GATES]), small_ints(net[ON_GOALS]), net[ON_GOALS_COUNT])
    slots, worth = small_ints(net[GOAL_SLOTS]), small_ints(net[GOAL_VALUES])
    for word in range(WORDS):
        rest = masks[WORDS * COMPLETE + word] & ~masks[WORDS * ALIVE + word]
        while rest != ZERO:
            place = uint64(lowest(rest))
            state = at(states, ((word << 6) + lowest(rest)) * stride)
            rest &= rest - ONE
            state[ENDED] = 1
            for role in range(net[ROLES]):
                first = whole_ints(net[FIRST_GOAL])[role]
                state[GOALS + role] = 0
                for i in range(first, first + whole_ints(net[GOALS_COUNT])[role]):
                    if (values[WORDS * slots[i] + word] >> place) & ONE:
                        state[GOALS + role] = worth[i]


@part
def ask_lanes(net, block, states, legal_rows, stride, rows_wide):
    """In every lane that goes on find out who is asked first, list the moves, and note what roles without a choice do."""
    masks = words_at(block[MASKS])
    nothing = load(words_at(block[VALUES]), 0)
    store(masks, ANY, nothing)
    store(masks, SEVERAL, nothing)
    alive = load(masks, ALIVE)
    for rank in range(net[ROLES]):
        role = in_order(net, states, rank)
        find_many(net, block, role)
        decides = both(load(masks, MANY), alive)
        store(masks, MANY, decides)
        earlier = load(masks, ANY)
        store(masks, SEVERAL, either(load(masks, SEVERAL), both(decides, earlier)))
        store(masks, ANY, either(earlier, decides))
        store(masks, LISTED, both(decides, opposite(earlier)))
        store(masks, SINGLE, both(alive, opposite(decides)))
        begin_choices(net, block, states, stride, role)
        list_moves(net, block, role, states, legal_rows, stride, rows_wide)
    # where nobody has a choice one is asked for form's sake
    idle = both(alive, opposite(load(masks, ANY)))
    store(masks, LISTED, idle)
    store(masks, MANY, idle)
    store(masks, SINGLE, nothing)
    if masks[WORDS * LISTED] | masks[WORDS * LISTED + 1] | masks[WORDS * LISTED + 2] | masks[WORDS * LISTED + 3]:
        role = asked_for_form(net, states)
        begin_choices(net, block, states, stride, role)
        list_moves(net, block, role, states, legal_rows, stride, rows_wide)


@part
def begin_choices(net, block, states, stride, role):
    """The role has a choice in the lanes of MANY, and the turn in those of LISTED."""
    masks, counts = words_at(block[MASKS]), whole_ints(block[COUNTS])
    for word in range(WORDS):
        listed = masks[WORDS * LISTED + word]
        rest = masks[WORDS * MANY + word]
        while rest != ZERO:
            bit = rest & (~rest + ONE)
            lane = (word << 6) + lowest(rest)
            rest ^= bit
            states[lane * stride + net[CHOSEN_AT] + role] = 0
            if listed & bit:
                states[lane * stride + TURN] = role
                counts[lane] = 0


@compiled
def advance_all(states, picked, legal_rows, reports, lanes):
    """One step of every lane: what all have picked, one evaluation of the network, and what each may do next."""
    block = whole_ints(states[LANE_BLOCK])
    net = whole_ints(states[NETWORK])
    stride, rows_wide = net[STATE_WORDS], net[MAX_ACTIONS]
    values, masks, asked, counts = (
        words_at(block[VALUES]),
        words_at(block[MASKS]),
        words_at(block[ASK]),
        whole_ints(block[COUNTS]),
    )
    restart_lanes(net, block)
    completes, asks = take_choices(net, block, states, picked, stride, lanes)
    if asks > 0:
        store(masks, SINGLE, load(values, 0))
        for role in range(net[ROLES]):
            store(masks, LISTED, load(asked, role))
            for lane in range(lanes):
                if (asked[WORDS * role + (lane >> 6)] >> uint64(lane & 63)) & ONE:
                    counts[lane] = 0
            list_moves(net, block, role, states, legal_rows, stride, rows_wide)
    if completes > 0:
        gates = small_ints(net[GATES])
        put_moves(net, block, states, stride, True)
        evaluate_lanes(values, gates, small_ints(net[ON_MOVES]), net[ON_MOVES_COUNT])
        next_states(net, block)
        put_moves(net, block, states, stride, False)
        evaluate_lanes(values, gates, small_ints(net[ON_STATE]), net[ON_STATE_COUNT])
        end_lanes(net, block, states, stride)
        ask_lanes(net, block, states, legal_rows, stride, rows_wide)
        for word in range(WORDS):
            alive, several = masks[WORDS * ALIVE + word], masks[WORDS * SEVERAL + word]
            while alive != ZERO:
                bit = alive & (~alive + ONE)
                state = at(states, ((word << 6) + lowest(alive)) * stride)
                alive ^= bit
                state[TOGETHER] = state[STEPS] + 1 if several & bit else 0
    for lane in range(lanes):
        if picked[lane] >= 0:
            state = at(states, lane * stride)
            make_report(net, state, at(reports, lane * REPORT_WORDS), counts[lane])


@kernel(
    types.int64(
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.uint64[::1],
        types.int64,
    )
)
def random_games(root, states, picked, legal_rows, reports, totals, rng, steps):
    """Random games in all lanes for a number of steps; returns how many games ended.

    ``totals``: goals per role, then the longest game, then whether roles ever decided at the same time.
    """
    net = whole_ints(root[NETWORK])
    stride, rows_wide, lanes = net[STATE_WORDS], net[MAX_ACTIONS], LANES
    games = 0
    for lane in range(lanes):
        Report(reports, lane * REPORT_WORDS).player = OVER
        states[lane * stride + ENDED] = 2
    for _ in range(steps):
        for lane in range(lanes):
            state, report = at(states, lane * stride), Report(reports, lane * REPORT_WORDS)
            actions = at(legal_rows, lane * rows_wide)
            if report.player == OVER:
                if state[ENDED] == 1:
                    games += 1
                    for role in range(net[ROLES]):
                        totals[role] += state[GOALS + role]
                    totals[net[ROLES]] = max(totals[net[ROLES]], state[STEPS])
                copy(state, at(root, 0))
                advance(state, -1, actions, report)
            if report.together != 0:
                totals[net[ROLES] + 1] = 1
            picked[lane] = actions[random_below(at(rng, 0), report.count)]
        advance_all(at(states, 0), at(picked, 0), at(legal_rows, 0), at(reports, 0), lanes)
    return games
