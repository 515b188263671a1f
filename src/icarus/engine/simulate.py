"""Beyond the tree: the simulation of a playout, straight to the end.

These are the steps of loop.py for one lane of a compiled game.  Beyond the tree nothing but the moves is followed, so what the
general loop keeps in memory between steps stays in registers here.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.calls import (
    call_apply,
    call_episode,
    call_legal,
    call_observe,
    call_player,
    call_playout,
    call_rewards,
    call_sample,
    call_terminal,
)
from icarus.engine.capture import capture
from icarus.engine.choose import begin_step, choose
from icarus.engine.native import at, bits, ints, part, reals
from icarus.engine.randomness import random_below
from icarus.engine.step import capture_simply, choose_simply, find_contexts


@part
def simulate(world):
    """Play to the end with the simulation policy; the game is not over yet, and the last action has been applied."""
    game, control, policy = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.POLICY)
    status, state, legal, rng = ints(world, w.STATUS), ints(world, w.STATE), ints(world, w.LEGAL), bits(world, w.RNG)
    moves, actors, actions = ints(world, w.MOVES), ints(world, w.ACTORS), ints(world, w.ACTIONS)
    base = reals(world, w.BASE)
    terminal, player_of, legal_of, apply = game[w.F_TERMINAL], game[w.F_PLAYER], game[w.F_LEGAL], game[w.F_APPLY]
    sample, observe, episode = game[w.F_SAMPLE], game[w.F_OBSERVE], game[w.F_EPISODE]
    players, most, root, plies = game[w.PLAYERS], game[w.MAX_ACTIONS], control[w.ROOT_PLY], control[w.PLIES]
    node = policy[w.SIMULATION_POLICY]
    steps_needed, simple = policy[w.NEEDS_STEPS] != 0, policy[w.SIMPLE] != 0
    step, looked = ints(world, w.STEP), ints(world, w.LOOKED)
    uniform = ints(world, w.NODES)[node * w.NODE_COLUMNS + w.NODE_KIND] == w.UNIFORM
    limit = root + game[w.MAX_PLIES]
    begun = status[w.PLY_NOW]
    ply = begun
    for word in range(3):
        reals(world, w.NODE_RECORD)[word] = 0.0
    for i in range(3 * most):
        base[i] = 0.0
    if simple:
        begin_step(world, 0, 0, w.SIMULATION)
    while call_terminal(terminal, state) == 0:
        if ply >= limit:
            fail(control, w.TOO_LONG, ply - root, game[w.MAX_PLIES])
            break
        player = call_player(player_of, state)
        if episode != 0 and steps_needed:
            label = call_episode(episode, state)
            if label >= 0 and ply > root:
                status[w.LABEL_NOW] = label
                status[w.EPISODE_START] = ply
                step[w.LABEL] = label
                step[w.EPISODE_AT] = ply
        if player == w.ENVIRONMENT:
            action = call_sample(sample, state, rng)
        else:
            status[w.PLY_NOW] = ply
            step[w.PLAYER] = player
            step[w.PLY] = ply
            # before the game lists its actions, so that the records are under way meanwhile
            usual = simple and find_contexts(world, player)
            size = call_legal(legal_of, state, legal)
            if size < 1 or size > most:
                fail(control, w.NO_ACTION if size < 1 else w.TOO_MANY_ACTIONS, ply - root, size)
                break
            if steps_needed and not usual:
                begin_step(world, 0, player, w.SIMULATION)
            looked[w.LOOKED_COUNT] = 0
            reals(world, w.ODDS_NOW)[0] = 0.0
            pick = 0
            if size > 1:
                if uniform:
                    pick = random_below(rng, size)
                elif usual:
                    pick = choose_simply(world, node, legal, size, player)
                else:
                    pick = choose(world, 0, node, legal, size, player, w.SIMULATION)
            action = legal[pick]
            if usual:
                capture_simply(world, action, pick, player, False)
            elif steps_needed:
                capture(world, 0, action, legal, size, player, w.SIMULATION)
        if action < 0 or action >= 2147483647:
            fail(control, w.BAD_ACTION, ply - root, action)
            break
        if steps_needed:
            if observe == 0:
                moves[ply] = action
            else:
                for viewer in range(players):
                    moves[viewer * plies + ply] = call_observe(observe, state, action, viewer)
        actors[ply] = player
        actions[ply] = action
        ply += 1
        call_apply(apply, state, action)
    status[w.PLY_NOW] = ply
    status[w.TURN] = w.OVER
    control[w.ALL_STEPS] += ply - begun


@part
def playout(game, state, actions, rng, ply, control):
    """Play uniformly random actions until the game is over; returns the number of plies, or below 0 after an error."""
    limit = game[w.MAX_PLIES]
    stochastic = game[w.F_SAMPLE] != 0
    while call_terminal(game[w.F_TERMINAL], state) == 0:
        if stochastic and call_player(game[w.F_PLAYER], state) == w.ENVIRONMENT:
            action = call_sample(game[w.F_SAMPLE], state, rng)
        else:
            count = call_legal(game[w.F_LEGAL], state, actions)
            if count == 1:
                action = actions[0]
            elif count > 1 and count <= game[w.MAX_ACTIONS]:
                action = actions[random_below(rng, count)]
            else:
                return fail(control, w.NO_ACTION if count < 1 else w.TOO_MANY_ACTIONS, ply, count)
        call_apply(game[w.F_APPLY], state, action)
        ply += 1
        if ply > limit:
            return fail(control, w.TOO_LONG, ply, limit)
    return ply


@part
def finish_randomly(world):
    """The rest of a playout whose steps nobody captures or chooses."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    status, state, rng = ints(world, w.STATUS), ints(world, w.STATE), bits(world, w.RNG)
    if game[w.F_PLAYOUT] != 0:
        if control[w.ERROR] == w.FINE:
            control[w.ALL_STEPS] += call_playout(game[w.F_PLAYOUT], state, ints(world, w.PICKED)[0], rng)
    else:
        ply = status[w.PLY_NOW] - control[w.ROOT_PLY]
        control[w.ALL_STEPS] += playout(game, state, ints(world, w.LEGAL), rng, ply, control) - ply
    status[w.TURN] = w.OVER


@part
def ask_rewards(world, lane):
    """Let the game fill REWARDS at the end of a playout; returns whether they are what the contract allows."""
    game, control, rewards = ints(world, w.GAME), ints(world, w.CONTROL), reals(world, w.REWARDS)
    call_rewards(game[w.F_REWARDS], at(ints(world, w.STATE), lane * game[w.STATE_SIZE]), rewards)
    for player in range(game[w.PLAYERS]):
        if not (rewards[player] >= 0.0 and rewards[player] <= 1.0):
            ply = ints(world, w.STATUS)[lane * w.STATUS_WORDS + w.PLY_NOW]
            fail(control, w.BAD_REWARD, ply - control[w.ROOT_PLY], player)
            return False
    return True


@part
def fail(control, error, ply, value):
    """Note the first thing that is wrong with the game."""
    if control[w.ERROR] == w.FINE:
        control[w.ERROR] = error
        control[w.ERROR_PLY] = ply
        control[w.ERROR_VALUE] = value
    return -1
