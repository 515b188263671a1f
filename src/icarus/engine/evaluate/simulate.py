"""A simulation with enhancements, straight to the end, for one lane of a compiled game.

These are the steps of drive/lane.py.  Beyond the tree nothing but the moves is followed, so what the lockstep driver keeps in
memory between steps stays in registers here.
"""

from __future__ import annotations

from icarus.engine.calls import (
    call_apply,
    call_episode,
    call_guided,
    call_legal,
    call_observe,
    call_player,
    call_sample,
    call_terminal,
)
from icarus.engine.evaluate.cutoff import cut_off, plies_left
from icarus.engine.evaluate.score import fail
from icarus.engine.layout import BAD_ACTION, ENVIRONMENT, NO_ACTION, OVER, SIMULATION, TOO_LONG, TOO_MANY_ACTIONS, UNIFORM
from icarus.engine.select.consider import consider, suggested
from icarus.engine.select.simulation import capture_step, choose_simulated, prepare_step
from icarus.jit import element, part
from icarus.jit.randomness import random_below

NEVER = 1 << 62  #: a ply that is not reached


@part
def simulate(world):
    """Play to the end with the simulation policy; the game may be over, and the last action has been applied."""
    game, control, lane = world.game, world.control, world.lanes
    state, legal, rng = world.states, world.legal, world.rng
    terminal, player_of, legal_of, apply = game.terminal, game.player, game.legal, game.apply
    observe, episode = game.observe, game.episode if world.strategy.needs_episodes != 0 else 0
    most, root, plies = game.max_actions, control.root_ply, control.plies
    strategy = world.strategy
    steps_needed, filtered = strategy.needs_steps != 0, strategy.simulation_filters != 0
    if not steps_needed and not filtered and element(world.nodes, strategy.simulation_policy).kind == UNIFORM:
        whole = strategy.suggests != 0 and strategy.needs_later == 0 and strategy.cutoff == 0 and control.keeps == 0
        if whole and game.guided != 0 and world.numbers[strategy.suggests_numbers] >= 1.0:
            finish_guided(world)
        else:
            simulate_uniformly(world)
        return
    limit = root + game.max_plies
    begun = lane.ply
    ply = begun
    last = begun + plies_left(world, 0) if strategy.cutoff != 0 else NEVER
    suggests = strategy.suggests != 0
    while call_terminal(terminal, state) == 0:
        if ply >= last:
            cut_off(world, 0)
            break
        if ply >= limit:
            fail(control, TOO_LONG, ply - root, game.max_plies)
            break
        player = call_player(player_of, state)
        if episode != 0:
            label = call_episode(episode, state)
            if label >= 0 and ply > root:
                lane.label = label
                lane.episode = ply
        lane.ply = ply
        if player == ENVIRONMENT:
            action = call_sample(game.sample, state, rng)
        else:
            # before the game lists its actions, so that the records are under way meanwhile
            found = prepare_step(world, 0, player, SIMULATION)
            size = suggested(world, 0, state, legal, ply) if suggests else 0
            if size == 0:
                size = call_legal(legal_of, state, legal)
            if size < 1 or size > most:
                fail(control, NO_ACTION if size < 1 else TOO_MANY_ACTIONS, ply - root, size)
                break
            if filtered:
                size = consider(world, 0, state, legal, size, player, SIMULATION)
            pick = choose_simulated(world, 0, legal, size, player, found)
            action = legal[pick]
            capture_step(world, 0, action, pick, legal, size, player, SIMULATION, found)
        if action < 0 or action >= 2147483647:
            fail(control, BAD_ACTION, ply - root, action)
            break
        if steps_needed:
            if observe == 0:
                world.moves[ply] = action
            else:
                for viewer in range(game.players):
                    world.moves[viewer * plies + ply] = call_observe(observe, state, action, viewer)
        world.actors[ply] = player
        world.actions[ply] = action
        ply += 1
        call_apply(apply, state, action)
    lane.ply = ply
    lane.turn = OVER
    control.all_steps += ply - begun


@part
def finish_guided(world):
    """The rest of the first lane's playout in the game's own way, by what it suggests; nobody looks at the moves."""
    game, control, lane = world.game, world.control, world.lanes
    if call_terminal(game.terminal, world.states) == 0:
        last = world.actions[lane.ply - 1] if lane.ply > 0 else -1
        played = call_guided(game.guided, world.states, last, world.legal, world.rng)
        control.all_steps += played
        lane.ply += played
    lane.turn = OVER


@part
def simulate_uniformly(world):
    """The same with random actions, where only AMAF will ask what they were: nothing but that is noted.

    A loop of its own, since the general one took RAVE on othello a tenth of its speed.
    """
    game, control, lane = world.game, world.control, world.lanes
    state, legal, rng, actors, actions = world.states, world.legal, world.rng, world.actors, world.actions
    terminal, player_of, legal_of, apply = game.terminal, game.player, game.legal, game.apply
    most, root = game.max_actions, control.root_ply
    limit = root + game.max_plies
    begun = lane.ply
    ply = begun
    last = begun + plies_left(world, 0) if world.strategy.cutoff != 0 else NEVER
    suggests = world.strategy.suggests != 0
    while call_terminal(terminal, state) == 0:
        if ply >= last:
            cut_off(world, 0)
            break
        if ply >= limit:
            fail(control, TOO_LONG, ply - root, game.max_plies)
            break
        player = call_player(player_of, state)
        if player == ENVIRONMENT:
            action = call_sample(game.sample, state, rng)
        else:
            size = suggested(world, 0, state, legal, ply) if suggests else 0
            if size == 0:
                size = call_legal(legal_of, state, legal)
            if size < 1 or size > most:
                fail(control, NO_ACTION if size < 1 else TOO_MANY_ACTIONS, ply - root, size)
                break
            action = legal[random_below(rng, size) if size > 1 else 0]
        if action < 0 or action >= 2147483647:
            fail(control, BAD_ACTION, ply - root, action)
            break
        actors[ply] = player
        actions[ply] = action
        ply += 1
        call_apply(apply, state, action)
    lane.ply = ply
    lane.turn = OVER
    control.all_steps += ply - begun
