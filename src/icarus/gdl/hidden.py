"""GDL-II: roles that do not see everything (Thielscher 2010).

A role knows its own moves and what it ``sees`` after every step, and nothing else; the role ``random`` is the environment.  What
an observer could not know is replaced by sampling sequences of moves from the start that agree with all that it did and saw.  At
every step all joint moves are tried, 64 at a time in the bits of one word, and one of those that agree is drawn (sequences.py).
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from icarus.game import UNSEEN
from icarus.gdl.evaluate import evaluate_one
from icarus.gdl.lanes import lowest, population, small_ints, whole_ints
from icarus.gdl.layout import (
    CHOSEN_AT,
    DOES_SLOTS,
    ENDED,
    FIRST_MOVE,
    FIRST_SIGHT,
    FULL,
    GATES,
    HISTORY_AT,
    HISTORY_ROW,
    LEGAL_AT,
    MOVES,
    NETWORK,
    ON_MOVES,
    ON_MOVES_COUNT,
    ONE,
    ROLES,
    SEEN_AT,
    SEES_SLOTS,
    SIGHTS,
    SLOTS,
    STATE_WORDS,
    TERM_OF,
    TURN,
    ZERO,
)
from icarus.gdl.play import ask, evaluate_moves, evaluate_state, finish_step, in_order, legal_count, legal_move, see, settle
from icarus.gdl.sequences import asking, sampler
from icarus.jit import at, compiled, part
from icarus.jit.randomness import mix, random_below

#: sequences among which one is drawn, how often a sequence may go back from a dead end, joint moves tried at a step
PARTICLES, BACKTRACKS, MAX_JOINT = 8, 2000, 4096


@compiled
def observe(state, action, observer):
    """An own choice is seen at once; what the step shows is seen with the choice that completes it."""
    net = whole_ints(state[NETWORK])
    chosen = at(state, net[CHOSEN_AT])
    for rank in range(net[ROLES]):
        role = in_order(net, state, rank)
        if role != state[TURN] and chosen[role] == 0:
            return action if observer == state[TURN] else UNSEEN
    trial, scratch, row = (
        np.empty(net[HISTORY_AT], np.int64),
        np.empty(net[SLOTS], np.uint64),
        np.zeros(net[HISTORY_ROW], np.int64),
    )
    return shown(net, state, action, observer, trial, scratch, row)


@part
def shown(net, state, action, observer, trial_array, scratch, row_array):
    """What the step that this action completes shows to the observer, with its own move, as a number."""
    trial, values, row = at(trial_array, 0), at(scratch, 0), at(row_array, 0)
    for word in range(net[HISTORY_AT]):
        trial[word] = state[word]
    put_choice(net, trial, action)
    evaluate_state(net, trial, values)
    evaluate_moves(net, trial, values)
    see(net, values, observer, row)
    number = mix(observer, trial[net[CHOSEN_AT] + observer])
    for word in range((whole_ints(net[SIGHTS])[observer] + 63) >> 6):
        number = mix(number, row[whole_ints(net[SEEN_AT])[observer] + word])
    return number & 0x3FFFFFFF


@part
def put_choice(net, state, action):
    """The role whose turn it is makes a move."""
    role = state[TURN]
    first = whole_ints(net[FIRST_MOVE])[role]
    for i in range(whole_ints(net[MOVES])[role]):
        if small_ints(net[TERM_OF])[first + i] == action:
            state[net[CHOSEN_AT] + role] = i + 1


@compiled
def determinize(state, observer, rng):
    """Replace everything that the observer has not seen."""
    net = whole_ints(state[NETWORK])
    size = net[STATE_WORDS]
    sample_sequence(
        net, state, observer, rng, np.empty(size, np.int64), np.empty(size, np.int64), np.empty(net[SLOTS], np.uint64)
    )


@part
def sample_sequence(net, state, observer, rng, trial_array, best_array, scratch):
    own = state[net[CHOSEN_AT] + observer] if state[TURN] != observer else 0
    sample(net, state, observer, at(scratch, 0), rng, trial_array, best_array)
    asked = state[TURN]
    ask(net, state)
    resume(net, state, state, observer, asked, own, rng)


@part
def settle_start(net, state, values):
    evaluate_state(net, state, values)
    settle(net, state, values)


@part
def go_on(net, state, values):
    evaluate_state(net, state, values)
    finish_step(net, state, values)


@part
def draw_legal(net, state, role, rng):
    """One of a role's legal moves, drawn uniformly."""
    return legal_move(net, state, role, random_below(rng, legal_count(net, state, role)))


could_be_asked, resume = asking(legal_count, draw_legal)


@part
def agrees_now(net, real, trial, observer, values):
    """The observer knows whether the game is over, who is asked, and what it may do itself (without any legal move: that is not
    known yet)."""
    if trial[ENDED] != real[ENDED] or not could_be_asked(net, trial, trial, real[TURN], observer):
        return False
    if legal_count(net, real, observer) == 0:
        return True
    place = whole_ints(net[LEGAL_AT])[observer]
    for word in range((whole_ints(net[MOVES])[observer] + 63) >> 6):  # noqa: SIM110 (compiled code has no all())
        if trial[place + word] != real[place + word]:
            return False
    return True


@part
def is_legal(net, state, role, move):
    return (state[whole_ints(net[LEGAL_AT])[role] + (move >> 6)] >> (move & 63)) & 1


@part
def joint_count(net, state, observer):
    """How many joint moves the other roles have."""
    total = 1
    for role in range(net[ROLES]):
        if role != observer:
            total *= legal_count(net, state, role)
            if total > 1 << 40:
                return total
    return total


@part
def joint_move(net, state, observer, number, role):
    """The move of a role in the joint move of this number."""
    for other in range(role):
        if other != observer:
            number //= legal_count(net, state, other)
    return legal_move(net, state, role, number % legal_count(net, state, role))


@part
def draw_joint(net, state, observer, row, values, rng, forced):
    """Choose uniformly among the joint moves that show the observer what it saw; returns how many there are (estimated beyond
    MAX_JOINT)."""
    if not forced and not is_legal(net, state, observer, row[observer] - 1):
        return 0.0
    evaluate_state(net, state, values)
    slots = small_ints(net[DOES_SLOTS])
    total = joint_count(net, state, observer)
    tried = min(total, MAX_JOINT)
    found = 0
    pick = random_below(rng, min(total, 1 << 31)) if forced else -1
    for begin in range(0, tried, 64):
        size = min(64, tried - begin)
        numbers = np.empty(64, np.int64)
        for role in range(net[ROLES]):
            first = whole_ints(net[FIRST_MOVE])[role]
            for i in range(whole_ints(net[MOVES])[role]):
                if slots[first + i] >= 0:
                    values[slots[first + i]] = FULL if role == observer and i == row[observer] - 1 else ZERO
        for bit in range(size):
            numbers[bit] = begin + bit if total <= MAX_JOINT else random_below(rng, min(total, 1 << 31))
            for role in range(net[ROLES]):
                if role != observer:
                    slot = slots[whole_ints(net[FIRST_MOVE])[role] + joint_move(net, state, observer, numbers[bit], role)]
                    if slot >= 0:
                        values[slot] |= ONE << uint64(bit)
        evaluate_one(values, small_ints(net[GATES]), small_ints(net[ON_MOVES]), net[ON_MOVES_COUNT])
        agree = FULL if size == 64 else (ONE << uint64(size)) - ONE
        agree &= agreeing(net, values, observer, row)
        count = population(agree)
        found += count
        if count > 0 and random_below(rng, found) < count:
            for _ in range(random_below(rng, count)):
                agree &= agree - ONE
            pick = numbers[lowest(agree)]
    if pick < 0:
        return 0.0
    for role in range(net[ROLES]):
        state[net[CHOSEN_AT] + role] = row[observer] if role == observer else joint_move(net, state, observer, pick, role) + 1
    return max(found, 1) * (total / tried)


@part
def agreeing(net, values, observer, row):
    """The bits in which the observer sees exactly what it saw."""
    first, slots, place = whole_ints(net[FIRST_SIGHT])[observer], small_ints(net[SEES_SLOTS]), whole_ints(net[SEEN_AT])[observer]
    agree = FULL
    for i in range(whole_ints(net[SIGHTS])[observer]):
        seen = values[slots[first + i]]
        agree &= seen if (row[place + (i >> 6)] >> (i & 63)) & 1 else ~seen
    return agree


sample = sampler(PARTICLES, BACKTRACKS, enter=settle_start, agrees=agrees_now, draw=draw_joint, leave=go_on)
