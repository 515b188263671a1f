"""The plain case: UCT with UCB1 and nothing else, on one lane, in a compiled game of perfect information without chance.

Selection and expansion as in loop.py, with what is special here put to use.  A history leads to one state, so a node that is in
the tree is not terminal and its records list its legal actions: neither needs to be asked again.  Every passage visits one
child and untried children come first, so a node has untried children exactly while it has fewer trials than children, and all
its children have been available as often as it was passed.
"""

from __future__ import annotations

import math

import numpy as np

from icarus.engine import words as w
from icarus.engine.calls import call_apply, call_legal, call_player, call_terminal
from icarus.engine.choose import best_of
from icarus.engine.native import at, bits, ints, part, reals
from icarus.engine.randomness import mix, random_below
from icarus.engine.records import listed_block, make_context
from icarus.engine.simulate import fail

#: most nodes have few trials, and a logarithm takes as long as the rest of a small node
LOGARITHMS = np.array([0.0] + [math.log(n) for n in range(1, 1024)])


@part
def is_plain(world, quiet):
    """Does the plain case apply?"""
    game, policy = ints(world, w.GAME), ints(world, w.POLICY)
    return (
        quiet
        and policy[w.PLAIN] != 0
        and ints(world, w.CONTROL)[w.MODEL] == w.BY_ACTIONS
        and ints(world, w.META)[w.SHARED] == 0
        and game[w.F_ADVANCE] == 0
        and game[w.F_PLAYOUT] == 0
        and game[w.F_SAMPLE] == 0
        and game[w.F_DETERMINIZE] == 0
        and game[w.F_OBSERVE] == 0
        and game[w.F_SIMULTANEOUS] == 0
        and game[w.F_COPY] == 0
    )


@part
def descend(world, context):
    """Start an iteration at the root's context and leave the tree; returns whether the game is over."""
    game, control, status = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.STATUS)
    pool, state, root, log = ints(world, w.POOL), ints(world, w.STATE), ints(world, w.ROOT), ints(world, w.LOG)
    player_of, apply, terminal, most = game[w.F_PLAYER], game[w.F_APPLY], game[w.F_TERMINAL], game[w.MAX_PLIES]
    deepest = min(most, ints(world, w.POLICY)[w.MAX_DEPTH])
    for word in range(game[w.STATE_SIZE]):
        state[word] = root[word]
    control[w.STARTED] += 1
    depth = 0
    over = False
    block = pool[context + w.BLOCK]
    while True:
        player = call_player(player_of, state)
        if block == 0:
            size = call_legal(game[w.F_LEGAL], state, ints(world, w.LEGAL))
            if not are_actions(game, control, ints(world, w.LEGAL), size, depth):
                break
            block = listed_block(world, context, ints(world, w.LEGAL), size)
            if block == 0:  # memory is used up: the playout goes on from here, and the search ends after it
                break
        record = pick_record(world, block, player)
        before = pool[record + w.COUNTS] & w.LOW
        pool[record + w.COUNTS] += w.VISIT
        row = at(log, depth * w.LOG_WORDS)
        row[w.LOG_RECORD] = record
        row[w.LOG_KIND] = w.REWARD_ALL
        row[w.LOG_PLAYER] = player
        action = (pool[record + w.ACTION] & w.LOW) - 1
        # asked for before the game takes its time, so that the next node is there when it is needed
        following = pool[record + w.ACTION] >> 32
        block = pool[following + w.BLOCK]
        call_apply(apply, state, action)
        depth += 1
        if before == 0 or depth >= deepest:
            if depth >= most and call_terminal(terminal, state) == 0:
                fail(control, w.TOO_LONG, depth, most)
            break
        if following == 0:
            if call_terminal(terminal, state) != 0:
                over = True
                break
            following = make_context(world, mix(pool[context + w.KEY], action), 0)
            if following == 0:
                break
            block = pool[following + w.BLOCK]
            if following < 2147483648:
                pool[record + w.ACTION] |= following << 32
        context = following
    status[w.LOGGED] = depth
    status[w.DEPTH] = depth
    status[w.PLY_NOW] = control[w.ROOT_PLY] + depth
    control[w.TREE_STEPS] += depth
    control[w.ALL_STEPS] += depth
    return over or control[w.ERROR] != w.FINE


@part
def are_actions(game, control, legal, size, depth):
    """Does a new node list what the contract allows?"""
    if size < 1 or size > game[w.MAX_ACTIONS]:
        fail(control, w.NO_ACTION if size < 1 else w.TOO_MANY_ACTIONS, depth, size)
        return False
    for i in range(size):
        if legal[i] < 0 or legal[i] >= 2147483647:
            fail(control, w.BAD_ACTION, depth, legal[i])
            return False
    return True


@part
def pick_record(world, block, player):
    """UCB1 over the records of a block; all of them have been available once more."""
    pool, real = ints(world, w.POOL), reals(world, w.POOL)
    visits, rewards, values = reals(world, w.BASE), reals(world, w.TOTAL), reals(world, w.VALUES)
    rng, width, size = bits(world, w.RNG), ints(world, w.META)[w.WIDTH], pool[block + w.CAPACITY]
    first = block + w.BLOCK_WORDS
    trials = pool[first + w.COUNTS] >> 32
    if trials < size:
        skip = 0 if size - trials == 1 else random_below(rng, size - trials)
        chosen = 0
        for record in range(first, first + size * width, width):
            if pool[record + w.COUNTS] & w.LOW == 0:
                if skip == 0:
                    chosen = record
                skip -= 1
            pool[record + w.COUNTS] += w.AVAILABLE
        return chosen
    record = first
    for i in range(size):
        counts = pool[record + w.COUNTS]
        pool[record + w.COUNTS] = counts + w.AVAILABLE
        visits[i] = counts & w.LOW
        rewards[i] = real[record + w.REWARD + player]
        record += width
    if size == 1:
        return first
    c = reals(world, w.NUMBERS)[ints(world, w.POLICY)[w.PLAIN_NUMBERS]]
    logarithm = LOGARITHMS[trials] if trials < 1024 else math.log(trials)
    for i in range(size):
        values[i] = rewards[i] / visits[i] + c * math.sqrt(logarithm / visits[i])
    return first + best_of(values, size, rng) * width
