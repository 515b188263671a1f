"""The plain case: UCB1 in the tree, on one lane, in a compiled game of perfect information without chance.

Selection and expansion as in loop.py, with what is special here put to use.  A history leads to one state, so a node that is in
the tree is not terminal and its records list its legal actions: neither needs to be asked again.  Every passage visits one
child and untried children come first, so a node has untried children exactly while it has fewer trials than children (for one
thread; several look), and all its children have been available as often as it was passed.  Enhancements that decide in
simulations may capture the steps in the tree, if they are of the usual kind (step.py).  Only choices are not counted here.
"""

from __future__ import annotations

from numba import types

from icarus.engine import words as w
from icarus.engine.calls import call_apply, call_legal, call_player, call_terminal
from icarus.engine.limits import lap, reason_to_return
from icarus.engine.linked import note_node
from icarus.engine.mixed import pick_mixed
from icarus.engine.native import at, atomic_add, cycles, ints, kernel, part, prefetch, reals
from icarus.engine.pick import pick_record
from icarus.engine.randomness import mix
from icarus.engine.records import add, add_reward, listed_block, make_context
from icarus.engine.simulate import ask_rewards, fail, finish_randomly

BLOCK_AHEAD = 40  #: words of the next node that are worth asking for early


@part
def is_quiet(world):
    """Does nobody look at the steps of a playout but the tree?"""
    game, policy = ints(world, w.GAME), ints(world, w.POLICY)
    return (
        ints(world, w.CONTROL)[w.LANES] == 1
        and ints(world, w.NODES)[policy[w.SIMULATION_POLICY] * w.NODE_COLUMNS + w.NODE_KIND] == w.UNIFORM
        and policy[w.NEEDS_MOVES] == 0
        and policy[w.CAPTURE_COUNT] == 1
        and (game[w.F_ADVANCE] == 0 or game[w.F_PLAYOUT] != 0)
    )


@part
def is_ucb1(world):
    """Is the policy of the tree UCB1 on the baseline's records?"""
    policy = ints(world, w.POLICY)
    return policy[w.PLAIN] != 0 and reals(world, w.NUMBERS)[policy[w.PLAIN_NUMBERS]] > 0.0


@part
def is_mixed(world):
    """Is it RAVE's mixture, at nodes that lead to what is mixed?"""
    policy = ints(world, w.POLICY)[w.TREE_POLICY]
    return ints(world, w.CONTROL)[w.LINKED] != 0 and ints(world, w.NODES)[policy * w.NODE_COLUMNS + w.QUICK] == w.MIXED


@part
def is_plain(world):
    """Is the game of the plain kind: seen by all, without chance, step by step?"""
    game = ints(world, w.GAME)
    return (
        ints(world, w.CONTROL)[w.MODEL] == w.BY_ACTIONS
        and game[w.F_ADVANCE] == 0
        and game[w.F_PLAYOUT] == 0
        and game[w.F_SAMPLE] == 0
        and game[w.F_DETERMINIZE] == 0
        and game[w.F_OBSERVE] == 0
        and game[w.F_SIMULTANEOUS] == 0
        and game[w.F_COPY] == 0
    )


@kernel(types.boolean(types.int64[::1]))
def is_all_plain(world_array):
    """Can :func:`run_quietly` do it?"""
    world = at(world_array, 0)
    return is_quiet(world) and is_plain(world) and is_ucb1(world)


@kernel(types.int64(types.int64[::1]))
def run_quietly(world_array):
    """Run iterations of the plain case until the target is reached; returns why it came back."""
    world = at(world_array, 0)
    control = ints(world, w.CONTROL)
    done = control[w.DONE]
    for player in range(ints(world, w.GAME)[w.PLAYERS]):
        reals(world, w.TOTAL)[player] = 0.0
    root = make_context(world, ints(world, w.ROOT_HISTORY)[0], 0)
    while True:
        reason = reason_to_return(world, True)
        if reason >= 0 or root == 0:
            settle_root(world, control[w.DONE] - done)
            return reason if reason >= 0 else w.OUT_OF_MEMORY
        iterate(world, root)


@part
def iterate(world, root):
    """Down the tree, to the end, and back up."""
    control = ints(world, w.CONTROL)
    timed = (control[w.STARTED] & 63) == 0
    moment = cycles() if timed else 0
    over = descend(world, root, None)
    if timed:
        moment = lap(world, 1, moment)
    if not over:
        finish_randomly(world)
    if timed:
        moment = lap(world, 2, moment)
    if control[w.ERROR] == w.FINE:
        hand_back(world)
    if timed:
        lap(world, 3, moment)
        ints(world, w.CYCLES)[4] += 1


@part
def descend(world, context, mixture):
    """Start an iteration at the root's context and leave the tree; returns whether the game is over.

    ``mixture``: RAVE's, or None for UCB1 alone: then nothing of the other is compiled, which the small loop would have to load.
    """
    game, control, status = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.STATUS)
    pool, state, root, way = ints(world, w.POOL), ints(world, w.STATE), ints(world, w.ROOT), ints(world, w.WAY)
    player_of, apply, terminal, most = game[w.F_PLAYER], game[w.F_APPLY], game[w.F_TERMINAL], game[w.MAX_PLIES]
    deepest = min(most, ints(world, w.POLICY)[w.MAX_DEPTH])
    for word in range(game[w.STATE_SIZE]):
        state[word] = root[word]
    control[w.STARTED] += 1
    depth, before = 0, 1
    if mixture is not None:
        before = pool[control[w.ROOT_RECORD] + w.COUNTS] & w.LOW
        status[w.TREE_NODES] = 0
    over = False
    block = pool[context + w.BLOCK]
    while True:
        if block == 0:
            pool[context + w.ACTOR] = call_player(player_of, state) + 1
            size = call_legal(game[w.F_LEGAL], state, ints(world, w.LEGAL))
            if not are_actions(game, control, ints(world, w.LEGAL), size, depth):
                break
            block = listed_block(world, context, ints(world, w.LEGAL), size)
            if block == 0:  # memory is used up: the playout goes on from here, and the search ends after it
                break
        player = pool[context + w.ACTOR] - 1
        if mixture is not None:
            row = note_node(world, 0, context, player, before, control[w.ROOT_PLY] + depth)
            record = pick_mixed(world, 0, context, player, row)
        else:
            record = pick_record(world, 0, block, player)
        before = pool[record + w.COUNTS] & w.LOW
        add(world, record, w.VISIT)
        action = (pool[record + w.ACTION] & w.LOW) - 1
        way[2 * depth] = record
        way[2 * depth + 1] = player
        # asked for before the game takes its time, so that the next node is there when it is needed: its block is behind it
        following = pool[record + w.ACTION] >> 32
        for line in range(following, following + BLOCK_AHEAD, 8):
            prefetch(pool, line)
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
                pool[record + w.ACTION] = (action + 1) | following << 32
        context = following
    status[w.COUNTS_BEFORE] = before
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
def hand_back(world):
    """The end of a quiet playout: its rewards go to every record on the way; those of the root are added up apart."""
    game, control, status = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.STATUS)
    real, way, rewards, totals = reals(world, w.POOL), ints(world, w.WAY), reals(world, w.REWARDS), reals(world, w.TOTAL)
    players, depth = game[w.PLAYERS], status[w.DEPTH]
    if not ask_rewards(world, 0):
        return
    shared = ints(world, w.META)[w.SHARED] != 0
    for player in range(players):
        totals[player] += rewards[player]
    for row in range(depth):
        for player in range(players):
            word = way[2 * row] + w.REWARD + player
            if not shared:
                real[word] += rewards[player]
            elif rewards[player] != 0.0:
                atomic_add(real, word, rewards[player])
    control[w.DEEPEST] = max(control[w.DEEPEST], depth)
    control[w.DONE] += 1


@part
def settle_root(world, done):
    """Bring the record of the root up to date after so many playouts: in the plain case nobody reads it before."""
    record = ints(world, w.CONTROL)[w.ROOT_RECORD]
    add(world, record, done * (w.VISIT + w.AVAILABLE))
    for player in range(ints(world, w.GAME)[w.PLAYERS]):
        add_reward(world, record, w.REWARD + player, reals(world, w.TOTAL)[player])
