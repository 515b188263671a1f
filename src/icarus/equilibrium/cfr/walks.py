"""The two walks of Monte Carlo counterfactual regret minimization (Lanctot, Waugh, Zinkevich and Bowling 2009).

External sampling: all actions of the traverser, one sampled action of everybody else.  Outcome sampling: one line of play; the
traverser's choices are uniform with probability ``epsilon``, and what was met is weighed by one over how likely that was.  In
both the others' average strategies grow where they are met.  An iteration makes every player the traverser once.
"""

from __future__ import annotations

from numba import types

from icarus.engine.calls import call_apply, call_legal, call_player, call_rewards, call_sample, call_terminal
from icarus.engine.layout import ENVIRONMENT, FAILED, ITERATIONS_DONE, STOPPED
from icarus.equilibrium.cfr.begin import begin_walk, draw_start
from icarus.equilibrium.cfr.knowledge import copy_known, key_of, known_at, see
from icarus.equilibrium.cfr.layout import BROKEN_CONTRACT, EXTERNAL, HEAD, ONLINE, OUTCOME, TABLE_FULL, TOO_LONG, Solver
from icarus.equilibrium.cfr.online import walk_online
from icarus.equilibrium.cfr.table import add_to_average, draw, find_set, match_regrets
from icarus.jit import at, element, kernel, part
from icarus.jit.randomness import random_below, random_unit

#: in place of a record: how a line of play ended
OVER, BROKEN = -1, -2


@kernel(types.int64(types.int64[::1]))
def run_cfr(handle):
    """Iterate until the target is reached; returns why it came back."""
    solver = Solver(handle)
    while solver.done < solver.target:
        for traverser in range(solver.game.players):
            if solver.sampling != ONLINE:
                begin_walk(solver, draw_start(solver, solver.start_odds))
            if solver.sampling == EXTERNAL:
                walk_external(solver, traverser)
            elif solver.sampling == OUTCOME:
                walk_outcome(solver, traverser)
            else:
                walk_online(solver, traverser)
            if solver.error != 0:
                return FAILED
        solver.done += 1
        if solver.full != 0:
            return TABLE_FULL
        if solver.stop[0] != 0:
            return STOPPED
    return ITERATIONS_DONE


@part
def play_on(solver, depth, traverser, weight):
    """Let everybody else act, in place, until the traverser does; returns the place of its information set, OVER or BROKEN.

    The others' average strategies grow by ``weight``.
    """
    game, frame, known = solver.game, element(solver.frames, depth), known_at(solver, depth)
    state, most = at(solver.states, depth * game.state_size), game.max_actions
    legal, sigma = at(solver.legal, depth * most), at(solver.sigma, depth * most)
    while call_terminal(game.terminal, state) == 0:
        if frame.ply >= game.max_plies or solver.error != 0:
            solver.error = max(solver.error, BROKEN_CONTRACT)
            return BROKEN
        player = call_player(game.player, state)
        if player == ENVIRONMENT:
            action = call_sample(game.sample, state, solver.rng)
        else:
            count = call_legal(game.legal, state, legal)
            if count < 1 or count > most:
                solver.error = BROKEN_CONTRACT
                return BROKEN
            place = find_set(solver, key_of(solver, known, state, player), count, legal)
            match_regrets(solver, place, count, sigma)
            solver.touched += 1
            if player == traverser:
                frame.record = place
                frame.count = count
                return place
            action = legal[draw(solver, sigma, count)]
            add_to_average(solver, place, count, sigma, weight)
        see(solver, known, state, player, action)
        call_apply(game.apply, state, action)
        frame.ply += 1
    return OVER


@part
def step_down(solver, depth, traverser):
    """Take the action that the traverser looks at, in a copy: the state of the next decision."""
    game, frame = solver.game, element(solver.frames, depth)
    here, below = at(solver.states, depth * game.state_size), at(solver.states, (depth + 1) * game.state_size)
    for word in range(game.state_size):
        below[word] = here[word]
    copy_known(solver, depth)
    action = solver.legal[depth * game.max_actions + frame.now]
    see(solver, known_at(solver, depth + 1), below, traverser, action)
    call_apply(game.apply, below, action)
    element(solver.frames, depth + 1).ply = frame.ply + 1


@part
def reward_of(solver, depth, player):
    game = solver.game
    call_rewards(game.rewards, at(solver.states, depth * game.state_size), solver.rewards)
    return solver.rewards[player]


@part
def walk_external(solver, traverser):
    most, depth, value, down = solver.game.max_actions, 0, 0.0, True
    last = solver.touched + solver.most_touched
    while solver.error == 0:
        if solver.touched > last:
            solver.error = TOO_LONG
            return
        frame = element(solver.frames, depth)
        if down:
            found = play_on(solver, depth, traverser, 1.0)
            if found == BROKEN:
                return
            if found == OVER:
                value = reward_of(solver, depth, traverser)
            else:
                frame.now = -1
        else:
            solver.worth[depth * most + frame.now] = value
            found = frame.record
        if found != OVER:
            frame.now += 1
            if frame.now < frame.count:
                step_down(solver, depth, traverser)
                depth += 1
                down = True
                continue
            value = learn_from_all(solver, depth)
        if depth == 0:
            return
        depth -= 1
        down = False


@part
def learn_from_all(solver, depth):
    """All actions of a decision have been looked at: how much better each is than the strategy; returns what that is worth."""
    frame, most = element(solver.frames, depth), solver.game.max_actions
    sigma, worth = at(solver.sigma, depth * most), at(solver.worth, depth * most)
    regrets = at(solver.numbers, frame.record + HEAD + frame.count)
    value = 0.0
    for i in range(frame.count):
        value += sigma[i] * worth[i]
    for i in range(frame.count):
        regrets[i] += worth[i] - value
    return value


@part
def walk_outcome(solver, traverser):
    most, depth, sampled = solver.game.max_actions, 0, 1.0
    while True:
        found = play_on(solver, depth, traverser, 1.0 / sampled)
        if found == BROKEN:
            return
        if found == OVER:
            break
        frame, sigma = element(solver.frames, depth), at(solver.sigma, depth * most)
        if random_unit(solver.rng) < solver.epsilon:
            frame.now = random_below(solver.rng, frame.count)
        else:
            frame.now = draw(solver, sigma, frame.count)
        sampled *= solver.epsilon / frame.count + (1.0 - solver.epsilon) * sigma[frame.now]
        step_down(solver, depth, traverser)
        depth += 1
    # a constant does not change regrets on average: around the middle of the rewards they vary least
    worth = (reward_of(solver, depth, traverser) - 0.5) / sampled
    tail = 1.0
    while depth > 0:
        depth -= 1
        frame, sigma = element(solver.frames, depth), at(solver.sigma, depth * most)
        regrets = at(solver.numbers, frame.record + HEAD + frame.count)
        before = tail * sigma[frame.now]
        for i in range(frame.count):
            regrets[i] += worth * ((tail if i == frame.now else 0.0) - before)
        tail = before
