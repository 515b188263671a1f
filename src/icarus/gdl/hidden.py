"""GDL-II: roles that do not see everything (Thielscher 2010).

A role knows its own moves and what it ``sees`` after every step, and nothing else; the role ``random`` is the environment.  What
an observer could not know is replaced by sampling sequences of moves from the start that agree with all that it did and saw.  At
every step all joint moves are tried, 64 at a time in the bits of one word, and one of those that agree is drawn.  A sequence is
then as likely as the product of one over the numbers of moves that agreed, so of several sequences one is drawn in proportion to
the product of these numbers.  With more of them (``PARTICLES``) the draw approaches the uniform distribution over consistent
sequences.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from icarus.game import UNSEEN
from icarus.gdl.evaluate import evaluate_one
from icarus.gdl.lanes import lowest, population, small_ints, whole_ints
from icarus.gdl.play import (
    BITS_AT,
    CHOSEN_AT,
    DOES_SLOTS,
    ENDED,
    FIRST,
    FIRST_MOVE,
    FIRST_SIGHT,
    FLUENTS,
    FULL,
    GATES,
    HISTORY_AT,
    HISTORY_ROW,
    INITIAL,
    LEGAL_AT,
    MOVES,
    NETWORK,
    ON_MOVES,
    ON_MOVES_COUNT,
    ONE,
    PLAYERS,
    ROLES,
    SEEN_AT,
    SEES_SLOTS,
    SIGHTS,
    SLOTS,
    STATE_WORDS,
    STEPS,
    TERM_OF,
    TURN,
    UNEXPLAINED,
    ZERO,
    ask,
    evaluate_moves,
    evaluate_state,
    finish_step,
    in_order,
    legal_count,
    legal_move,
    see,
    settle,
)
from icarus.jit import at, compiled, part
from icarus.jit.randomness import mix, random_below, random_unit

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
    size = net[STATE_WORDS]
    trial, best, values = at(trial_array, 0), at(best_array, 0), at(scratch, 0)
    own = state[net[CHOSEN_AT] + observer] if state[TURN] != observer else 0
    total = 0.0
    # the start is known to all: one sequence is enough
    particles = PARTICLES if state[STEPS] > 1 else 1
    for _ in range(particles):
        weight = replay(net, state, trial, values, observer, rng, False)
        total += weight
        if weight > 0.0 and random_unit(rng) * total < weight:
            for word in range(size):
                best[word] = trial[word]
    if total == 0.0:
        net[UNEXPLAINED] += 1
        replay(net, state, best, values, observer, rng, True)
    # beyond the steps that were played the scratch arrays hold anything
    played = net[HISTORY_AT] + best[STEPS] * net[HISTORY_ROW]
    for word in range(size):
        state[word] = best[word] if word < played else 0
    resume(net, state, observer, own, rng)


@part
def resume(net, state, observer, own, rng):
    """In the step under way the observer's own choice stands, and those of roles asked before it are drawn again."""
    asked = state[TURN]
    ask(net, state)
    if own > 0 or asked != state[TURN]:
        for rank in range(net[ROLES]):
            role = in_order(net, state, rank)
            if role == asked:
                break
            if state[net[CHOSEN_AT] + role] == 0:
                count = legal_count(net, state, role)
                move = own - 1 if role == observer and own > 0 else legal_move(net, state, role, random_below(rng, count))
                state[net[CHOSEN_AT] + role] = move + 1
        for rank in range(net[ROLES]):
            role = in_order(net, state, rank)
            if state[net[CHOSEN_AT] + role] == 0:
                state[TURN] = role
                break
        if state[TURN] != asked and state[ENDED] == 0:  # who acts has no choice in this state: it is asked all the same
            state[net[CHOSEN_AT] + asked] = 0
            state[TURN] = asked


@part
def replay(net, real, trial, values, observer, rng, forced):
    """Play a sequence of moves that agrees with what the observer did and saw; returns its weight, 0 if none was found.

    From a dead end it goes back, the further the more dead ends there were.  ``forced``: where nothing agrees go on with any
    move, so that there is an end.
    """
    size = net[HISTORY_AT]
    for word in range(size):
        trial[word] = real[word] if word < net[BITS_AT] else 0
    start = whole_ints(net[INITIAL])
    for word in range((net[FLUENTS] + 63) >> 6):
        trial[net[BITS_AT] + word] = start[word]
    trial[STEPS] = 0
    trial[ENDED] = 0
    evaluate_state(net, trial, values)
    settle(net, trial, values)
    before, weights = np.empty((real[STEPS] + 1) * size, np.int64), np.empty(real[STEPS] + 1, np.float64)
    dead_ends = 0
    while True:
        step = trial[STEPS]
        for word in range(size):
            before[step * size + word] = trial[word]
        if step == real[STEPS]:
            if forced or agrees_now(net, real, trial, observer):
                break
            count = 0.0
        elif trial[ENDED] != 0:
            count = 0.0
        else:
            row = at(real, net[HISTORY_AT] + step * net[HISTORY_ROW])
            count = 0.0
            if forced or is_legal(net, trial, observer, row[observer] - 1):
                evaluate_state(net, trial, values)
                count = draw_joint(net, trial, values, observer, row, rng, forced)
        if count > 0.0:
            weights[step] = count
            evaluate_state(net, trial, values)
            finish_step(net, trial, values)
        else:
            dead_ends += 1
            if dead_ends > BACKTRACKS or forced:
                break
            back = max(step - 1 - random_below(rng, 1 + dead_ends // 8), 0)
            while back > 0 and weights[back] <= 1.0:  # there was no other move to agree
                back -= 1
            for word in range(size):
                trial[word] = before[back * size + word]
    weight = 0.0
    if trial[STEPS] == real[STEPS] and dead_ends <= BACKTRACKS:
        weight = 1.0
        for step in range(real[STEPS]):
            weight *= weights[step]
    trial[FIRST] = real[FIRST]
    trial[TURN] = real[TURN]
    return weight


@part
def agrees_now(net, real, trial, observer):
    """The observer knows whether the game is over, who is asked, and what it may do itself (without any legal move: that is not
    known yet)."""
    if trial[ENDED] != real[ENDED] or not could_be_asked(net, trial, real[TURN], observer):
        return False
    if legal_count(net, real, observer) == 0:
        return True
    place = whole_ints(net[LEGAL_AT])[observer]
    for word in range((whole_ints(net[MOVES])[observer] + 63) >> 6):  # noqa: SIM110 (compiled code has no all())
        if trial[place + word] != real[place + word]:
            return False
    return True


@part
def could_be_asked(net, state, role, observer):
    """Does the step of this state come to the role: has it a choice, or (the environment) has no role one?"""
    if role == observer or state[ENDED] != 0 or legal_count(net, state, role) != 1:
        return True
    if role < net[PLAYERS]:
        return False
    for other in range(net[PLAYERS]):  # noqa: SIM110 (compiled code has no all())
        if legal_count(net, state, other) != 1:
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
def draw_joint(net, state, values, observer, row, rng, forced):
    """Choose uniformly among the joint moves that show the observer what it saw; returns how many there are (estimated beyond
    MAX_JOINT)."""
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
