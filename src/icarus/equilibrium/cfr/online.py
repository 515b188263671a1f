"""On-line outcome sampling (Lisý, Lanctot and Bowling 2015): outcome sampling aimed at what the player at the table knows.

With probability ``delta`` a walk is *aimed*: it begins with a deal that the player cannot tell from the true one, and as long as
the player's past lasts, only actions and outcomes are drawn that would have looked to it as what it saw.  Other walks are drawn
freely, since how others play here depends on what they would do elsewhere.  Every walk is weighed by one over how likely it was
under both kinds together.
"""

from __future__ import annotations

from icarus.engine.calls import (
    call_apply,
    call_chance,
    call_legal,
    call_observe,
    call_player,
    call_rewards,
    call_sample,
    call_terminal,
)
from icarus.engine.layout import ENVIRONMENT
from icarus.equilibrium.cfr.begin import begin_walk, draw_start
from icarus.equilibrium.cfr.knowledge import key_of, known_at, see
from icarus.equilibrium.cfr.layout import BROKEN_CONTRACT, HEAD
from icarus.equilibrium.cfr.table import add_to_average, draw, find_set, match_regrets
from icarus.jit import at, element, part
from icarus.jit.randomness import random_unit


@part
def share_of_start(solver, totals, number):
    """The probability of a start."""
    whole = totals[solver.start_count - 1]
    before = totals[number - 1] if number > 0 else 0.0
    return (totals[number] - before) / whole


@part
def looks_right(solver, state, action, met):
    """Would the player at the table have seen what it saw?"""
    move = action
    if solver.game.observe != 0:
        move = call_observe(solver.game.observe, state, action, solver.target_player)
    return move < 0 or move == solver.target_moves[met]


@part
def aim(solver, state, legal, count, met):
    """The same choice restricted to what looks right: ``choices[count + i]`` from ``choices[i]``."""
    free, aimed = solver.choices, at(solver.choices, count)
    mass, right = 0.0, 0
    for i in range(count):
        fits = looks_right(solver, state, legal[i], met)
        aimed[i] = 1.0 if fits else 0.0
        if fits:
            mass += free[i]
            right += 1
    for i in range(count):
        if aimed[i] > 0.0:
            aimed[i] = free[i] / mass if mass > 0.0 else 1.0 / right


@part
def walk_online(solver, traverser):
    game, most = solver.game, solver.game.max_actions
    aimed = random_unit(solver.rng) < solver.delta
    number = draw_start(solver, solver.target_starts if aimed else solver.start_odds)
    begin_walk(solver, number)
    state, known, free = solver.states, known_at(solver, 0), solver.choices
    # how likely the walk is: drawn freely, aimed; how likely chance and the others lead here
    freely = share_of_start(solver, solver.start_odds, number)
    others = freely
    target = share_of_start(solver, solver.target_starts, number)
    for player in range(game.players):
        solver.reach[player] = 1.0
    met, depth, ply = 0, 0, 0
    while call_terminal(game.terminal, state) == 0:
        if ply >= game.max_plies or solver.error != 0:
            solver.error = max(solver.error, BROKEN_CONTRACT)
            return
        player = call_player(game.player, state)
        legal, sigma = at(solver.legal, depth * most), at(solver.sigma, depth * most)
        aiming = target > 0.0 and met < solver.target_length
        place, count, pick = 0, 0, 0
        if player == ENVIRONMENT and game.chance == 0:
            # how likely an outcome is stands in all three numbers, and so in none of their ratios
            action = call_sample(game.sample, state, solver.rng)
            if aiming and not looks_right(solver, state, action, met):
                target = 0.0
        else:
            count = call_legal(game.legal, state, legal)
            if count < 1 or count > most:
                solver.error = BROKEN_CONTRACT
                return
            if player == ENVIRONMENT:
                call_chance(game.chance, state, free)
            else:
                place = find_set(solver, key_of(solver, known, state, player), count, legal)
                match_regrets(solver, place, count, sigma)
                solver.touched += 1
                for i in range(count):
                    free[i] = sigma[i]
                    if player == traverser:
                        free[i] = solver.epsilon / count + (1.0 - solver.epsilon) * sigma[i]
            if aiming:
                aim(solver, state, legal, count, met)
            pick = draw(solver, at(free, count) if aimed and aiming else free, count)
            action = legal[pick]
            if player != ENVIRONMENT and player != traverser:
                likely = solver.delta * target + (1.0 - solver.delta) * freely
                add_to_average(solver, place, count, sigma, solver.reach[player] / likely)
            target *= free[count + pick] if aiming else free[pick]
            freely *= free[pick]
            if player == ENVIRONMENT:
                others *= free[pick]
            else:
                solver.reach[player] *= sigma[pick]
                if player == traverser:
                    frame = element(solver.frames, depth)
                    frame.record = place
                    frame.count = count
                    frame.now = pick
                    depth += 1
                else:
                    others *= sigma[pick]
        if target > 0.0 and met < solver.target_length:
            move = action
            if game.observe != 0:
                move = call_observe(game.observe, state, action, solver.target_player)
            met += move >= 0
        see(solver, known, state, player, action)
        call_apply(game.apply, state, action)
        ply += 1
    likely = solver.delta * target + (1.0 - solver.delta) * freely
    call_rewards(game.rewards, state, solver.rewards)
    worth = (solver.rewards[traverser] - 0.5) * others / likely
    tail = 1.0
    while depth > 0:
        depth -= 1
        frame, sigma = element(solver.frames, depth), at(solver.sigma, depth * most)
        regrets = at(solver.numbers, frame.record + HEAD + frame.count)
        before = tail * sigma[frame.now]
        for i in range(frame.count):
            regrets[i] += worth * ((tail if i == frame.now else 0.0) - before)
        tail = before
