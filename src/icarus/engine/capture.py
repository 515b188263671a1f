"""Capture: which records a step will update when its playout is over (the capture contexts of Definition 5 of icarus-2014)."""

from __future__ import annotations

from icarus.engine.layout import (
    AVAILABLE_ONE,
    KEEPS_ALL_MOVES,
    KEEPS_NOTHING,
    KEEPS_RECORDS,
    KEEPS_REPLIES_FORGETS,
    REPLY_GOOD,
    REPLY_GOOD_OR_FORGET,
    SIMULATION,
    TREE_ONLY,
    VISIT_ONE,
)
from icarus.engine.select.arms import context_keys
from icarus.engine.table.pages import make_in_pages
from icarus.engine.table.records import make_context
from icarus.jit import element, part


@part
def capture(world, lane, action, legal, count, player, phase):
    """Find or make the records that this step will update, for every capture but the baseline and AMAF."""
    for number in range(1, world.strategy.capture_count):
        row, looked = element(world.captures, number), element(world.looked, number)
        kind = row.kind
        if kind == KEEPS_ALL_MOVES or kind == KEEPS_NOTHING:
            continue
        if row.scope == TREE_ONLY and phase == SIMULATION:
            continue
        if looked.count == 1 and row.read == row.write:  # the choice has just read there
            context = looked.context
            if context == 0:
                context = make_context(world, looked.key, number)
            capture_in(world, lane, number, context, action, legal, count, player)
        else:
            for k in range(context_keys(world, lane, number, row.write, player)):
                context = make_context(world, world.keys[k], number)
                capture_in(world, lane, number, context, action, legal, count, player)


@part
def capture_in(world, lane, number, context, action, legal, count, player):
    """Note what the end of the playout will update in one context."""
    row = element(world.captures, number)
    if row.kind == KEEPS_RECORDS:
        remember(
            world, lane, make_in_pages(world, context, action, True), VISIT_ONE, player, number, action, odds_for(world, number)
        )
        if row.availability != 0:
            for i in range(count):
                if legal[i] != action:
                    record = make_in_pages(world, context, legal[i], True)
                    remember(world, lane, record, AVAILABLE_ONE, player, number, legal[i], 0.0)
    elif context != 0:
        kind = REPLY_GOOD_OR_FORGET if row.kind == KEEPS_REPLIES_FORGETS else REPLY_GOOD
        remember(world, lane, context, kind, player, number, action, 0.0)


@part
def odds_for(world, capture):
    """The probability of the choice just made, if it was drawn from this capture's records; else 0."""
    return world.choice.odds if world.choice.capture == capture else 0.0


@part
def remember(world, lane, target, kind, player, number, action, odds):
    """Note what the end of the playout will update."""
    status = element(world.lanes, lane)
    if status.updates < world.control.update_rows:
        update = element(world.updates, lane * world.control.update_rows + status.updates)
        update.target = target
        update.kind = kind
        update.player = player
        update.capture = number
        update.action = action
        update.odds = odds
        status.updates += 1
