"""A random step of one of many lanes: what drive/lane.py does beyond the tree, where at most AMAF asks what it was.

Most steps of a search in lanes are of this kind.  With the questions that only enhancements, filters and simultaneous decisions
in the tree need, UCT on rule sheets was slower by a twentieth.
"""

from __future__ import annotations

from icarus.engine.evaluate.score import fail
from icarus.engine.layout import BAD_ACTION, ENVIRONMENT, FINE, NO_ACTION, OVER, TOO_LONG, TOO_MANY_ACTIONS, Report
from icarus.jit import at, element, inner, size_of
from icarus.jit.randomness import random_below

REPORT_WORDS = size_of(Report)


@inner
def pick_randomly(world, lane):
    """One of the legal actions, noted where later moves are asked for."""
    game, control, status = world.game, world.control, element(world.lanes, lane)
    pick = random_below(at(world.rng, lane), status.count) if status.count > 1 else 0
    action = world.legal[lane * game.max_actions + pick]
    if action < 0 or action >= 2147483647:
        fail(control, BAD_ACTION, status.ply - control.root_ply, action)
    if world.strategy.needs_moves != 0:
        place = lane * control.plies + status.ply
        world.actors[place] = status.turn
        world.actions[place] = action
    elif control.keeps != 0:
        world.actions[lane * control.plies + status.ply] = action
    control.all_steps += 1
    world.picked[lane] = action
    status.ply += 1


@inner
def read_report(world, lane):
    """Who acts next, and among how many actions."""
    game, control, status = world.game, world.control, element(world.lanes, lane)
    report, ply = Report(world.reports, lane * REPORT_WORDS), status.ply - control.root_ply
    player, count = report.player, report.count
    if player != OVER:
        if player != ENVIRONMENT:
            if count < 1:
                fail(control, NO_ACTION, ply, count)
            elif count > game.max_actions:
                fail(control, TOO_MANY_ACTIONS, ply, count)
        if ply >= game.max_plies:
            fail(control, TOO_LONG, ply, game.max_plies)
    status.turn = player if control.error == FINE else OVER
    status.count = count
