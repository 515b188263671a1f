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
from icarus.gdl.layout import (
    CHOSEN_AT,
    ENDED,
    LANE,
    NETWORK,
    ROLES,
    STATE_WORDS,
    TURN,
)
from icarus.gdl.sequences import asking, sampler
from icarus.jit import compiled, part
from icarus.jit.randomness import random_below

#: sequences among which one is drawn, how often a sequence may go back from a dead end, joint moves tried at a step
PARTICLES, BACKTRACKS, MAX_JOINT = 4, 200, 256


@compiled
def determinize(state, observer, rng):
    """Replace everything that the observer has not seen."""
    net = whole_ints(state[NETWORK])
    sample_sequence(net, state, observer, rng, np.empty(net[STATE_WORDS], np.int64), np.empty(net[STATE_WORDS], np.int64))


@part
def sample_sequence(net, state, observer, rng, trial_array, best_array):
    own = state[net[CHOSEN_AT] + observer] if state[TURN] != observer else 0
    allowed = options(net, derive_state(net, state), observer) if state[LANE] == 0 else 0
    state[LANE] = 0
    sample(net, state, observer, allowed, rng, trial_array, best_array)
    asked = state[TURN]
    enter(net, state)
    resume(net, state, derive_state(net, state), observer, asked, own, rng)


@part
def options(net, work, role):
    """A number for what a role may do; 0: nothing, or it is not known."""
    total = 0
    for i in range(count_legal(net, work, role)):
        total += percept_weight(nth_legal(net, work, role, i))
    return total


@part
def count_legal(net, work, role):
    return list_legal(net, work, role, whole_ints(work[SCRATCH]), 0)


could_be_asked, resume = asking(count_legal, draw_legal)


@part
def settle_start(net, state, allowed):
    enter(net, state)


@part
def go_on(net, state, allowed):
    leave(net, state)


@part
def agrees_now(net, real, trial, observer, allowed):
    """The observer knows whether the game is over, who is asked, and what it may do itself."""
    if trial[ENDED] != real[ENDED]:
        return False
    work = derive_state(net, trial)
    if not could_be_asked(net, trial, work, real[TURN], observer):
        return False
    return allowed == 0 or options(net, work, observer) == allowed


@part
def draw_joint(net, state, observer, row, allowed, rng, forced):
    """Choose uniformly among the joint moves that show the observer what it saw; returns how many there are (estimated beyond
    MAX_JOINT), 0 if there is none."""
    work = derive_state(net, state)
    roles = net[ROLES]
    legal = False
    for i in range(count_legal(net, work, observer)):
        legal |= nth_legal(net, work, observer, i) == row[observer] - 1
    if not legal and not forced:
        return 0.0
    total = 1
    for role in range(roles):
        if role != observer:
            total *= count_legal(net, work, role)
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
            count = count_legal(net, work, role)
            state[net[CHOSEN_AT] + role] = nth_legal(net, work, role, number % count) + 1
            number //= count


sample = sampler(PARTICLES, BACKTRACKS, enter=settle_start, agrees=agrees_now, draw=draw_joint, leave=go_on)
