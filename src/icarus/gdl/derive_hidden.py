"""GDL-II where states are completed by joins: what an observer could not know is replaced as in ``hidden``.

At every step joint moves of the others are tried, all of them or as many as there is time for, and one of those that show the
observer what it saw is drawn; from a dead end a sequence goes back.
"""

from __future__ import annotations

import numpy as np

from icarus.gdl.derive import (
    SCRATCH,
    derive_moves,
    derive_state,
    draw_legal,
    enter,
    leave,
    list_legal,
    nth_legal,
    percept_weight,
    sight,
)
from icarus.gdl.lanes import whole_ints
from icarus.gdl.play import (
    BITS_AT,
    CHOSEN_AT,
    ENDED,
    FIRST,
    FLUENTS,
    HISTORY_AT,
    HISTORY_ROW,
    INITIAL,
    LANE,
    NETWORK,
    PLAYERS,
    ROLES,
    STATE_WORDS,
    STEPS,
    TURN,
    UNEXPLAINED,
    in_order,
)
from icarus.jit import at, compiled, part
from icarus.jit.randomness import random_below, random_unit

#: sequences among which one is drawn, how often a sequence may go back from a dead end, joint moves tried at a step
PARTICLES, BACKTRACKS, MAX_JOINT = 4, 200, 256


@compiled
def determinize(state, observer, rng):
    """Replace everything that the observer has not seen."""
    net = whole_ints(state[NETWORK])
    sample_sequence(net, state, observer, rng, np.empty(net[STATE_WORDS], np.int64), np.empty(net[STATE_WORDS], np.int64))


@part
def sample_sequence(net, state, observer, rng, trial_array, best_array):
    size = net[STATE_WORDS]
    trial, best = at(trial_array, 0), at(best_array, 0)
    own = state[net[CHOSEN_AT] + observer] if state[TURN] != observer else 0
    allowed = options(net, state, observer) if state[LANE] == 0 else 0
    state[LANE] = 0
    total = 0.0
    for _ in range(PARTICLES if state[STEPS] > 1 else 1):
        weight = replay(net, state, trial, observer, allowed, rng, False)
        total += weight
        if weight > 0.0 and random_unit(rng) * total < weight:
            for word in range(size):
                best[word] = trial[word]
    if total == 0.0:
        net[UNEXPLAINED] += 1
        replay(net, state, best, observer, allowed, rng, True)
    # beyond the steps that were played the scratch arrays hold anything
    played = net[HISTORY_AT] + best[STEPS] * net[HISTORY_ROW]
    for word in range(size):
        state[word] = best[word] if word < played else 0
    resume(net, state, observer, own, rng)


@part
def options(net, state, role):
    """A number for what a role may do; 0: nothing, or it is not known."""
    work = derive_state(net, state)
    total = 0
    for i in range(list_legal(net, work, role, whole_ints(work[SCRATCH]), 0)):
        total += percept_weight(nth_legal(net, work, role, i))
    return total


@part
def replay(net, real, trial, observer, allowed, rng, forced):
    """Play a sequence of moves that agrees with what the observer did and saw; returns its weight, 0 if none was found.

    ``forced``: where nothing agrees go on with any move, so that there is an end.
    """
    size = net[HISTORY_AT]
    start = whole_ints(net[INITIAL])
    for word in range(size):
        trial[word] = real[word]
    for word in range((net[FLUENTS] + 63) >> 6):
        trial[net[BITS_AT] + word] = start[word]
    trial[STEPS] = 0
    trial[ENDED] = 0
    enter(net, trial)
    before, weights = np.empty((real[STEPS] + 1) * size, np.int64), np.empty(real[STEPS] + 1, np.float64)
    dead_ends = 0
    while True:
        step = trial[STEPS]
        for word in range(size):
            before[step * size + word] = trial[word]
        count = 0.0
        if step == real[STEPS]:
            if forced or (
                trial[ENDED] == real[ENDED]
                and could_be_asked(net, trial, real[TURN], observer)
                and (allowed == 0 or options(net, trial, observer) == allowed)
            ):
                break
        elif trial[ENDED] == 0:
            row = at(real, net[HISTORY_AT] + step * net[HISTORY_ROW])
            count = draw_joint(net, trial, observer, row, rng, forced)
        if count > 0.0:
            weights[step] = count
            leave(net, trial)
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
def could_be_asked(net, state, role, observer):
    """Does the step of this state come to the role: has it a choice, or (the environment) has no role one?"""
    if role == observer or state[ENDED] != 0:
        return True
    work = derive_state(net, state)
    if list_legal(net, work, role, whole_ints(work[SCRATCH]), 0) != 1:
        return True
    if role < net[PLAYERS]:
        return False
    for other in range(net[PLAYERS]):  # noqa: SIM110 (compiled code has no all())
        if list_legal(net, work, other, whole_ints(work[SCRATCH]), 0) != 1:
            return False
    return True


@part
def draw_joint(net, state, observer, row, rng, forced):
    """Choose uniformly among the joint moves that show the observer what it saw; returns how many there are (estimated beyond
    MAX_JOINT), 0 if there is none."""
    work = derive_state(net, state)
    roles = net[ROLES]
    allowed = False
    for i in range(list_legal(net, work, observer, whole_ints(work[SCRATCH]), 0)):
        allowed |= nth_legal(net, work, observer, i) == row[observer] - 1
    if not allowed and not forced:
        return 0.0
    total = 1
    for role in range(roles):
        if role != observer:
            total *= list_legal(net, work, role, whole_ints(work[SCRATCH]), 0)
            if total > 1 << 30:
                total = 1 << 30
    found, pick = 0, -1
    tried = min(total, MAX_JOINT)
    for i in range(tried):
        number = i if total <= MAX_JOINT else random_below(rng, total)
        put_joint(net, state, work, observer, row[observer], number)
        derive_moves(net, state, work)
        if sight(net, work, observer) == row[roles + observer]:
            found += 1
            if random_below(rng, found) == 0:
                pick = number
    if pick < 0:
        if not forced or total == 0:
            return 0.0
        pick = random_below(rng, total)
    put_joint(net, state, work, observer, row[observer], pick)
    return max(found, 1) * (total / tried)


@part
def put_joint(net, state, work, observer, own, number):
    """The joint move of this number, with the observer's own."""
    for role in range(net[ROLES]):
        if role == observer:
            state[net[CHOSEN_AT] + role] = own
        else:
            count = list_legal(net, work, role, whole_ints(work[SCRATCH]), 0)
            state[net[CHOSEN_AT] + role] = nth_legal(net, work, role, number % count) + 1
            number //= count


@part
def resume(net, state, observer, own, rng):
    """In the step under way the observer's own choice stands, and those of roles asked before it are drawn again."""
    asked = state[TURN]
    enter(net, state)
    work = derive_state(net, state)
    if own > 0 or asked != state[TURN]:
        for rank in range(net[ROLES]):
            role = in_order(net, state, rank)
            if role == asked:
                break
            if state[net[CHOSEN_AT] + role] == 0:
                move = own - 1 if role == observer and own > 0 else draw_legal(net, work, role, rng)
                state[net[CHOSEN_AT] + role] = move + 1
        for rank in range(net[ROLES]):
            role = in_order(net, state, rank)
            if state[net[CHOSEN_AT] + role] == 0:
                state[TURN] = role
                break
        if state[TURN] != asked and state[ENDED] == 0:  # who acts has no choice in this state: it is asked all the same
            state[net[CHOSEN_AT] + asked] = 0
            state[TURN] = asked
