"""Capture: which records a step will update when its playout is over (the capture contexts of Definition 5 of icarus-2014)."""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.choose import context_keys
from icarus.engine.native import at, ints, part, reals
from icarus.engine.pages import make_in_pages
from icarus.engine.records import make_context


@part
def capture(world, lane, action, legal, count, player, phase):
    """Find or make the records that this step will update, for every capture but the baseline and AMAF."""
    for number in range(1, ints(world, w.POLICY)[w.CAPTURE_COUNT]):
        row = at(ints(world, w.CAPTURES), number * w.CAPTURE_COLUMNS)
        looked = at(ints(world, w.LOOKED), number * w.LOOKED_WORDS)
        kind = row[w.KIND]
        if kind == w.KEEPS_ALL_MOVES or kind == w.KEEPS_NOTHING:
            continue
        if row[w.SCOPE] == w.TREE_ONLY and phase == w.SIMULATION:
            continue
        if looked[w.LOOKED_COUNT] == 1 and row[w.READ] == row[w.WRITE]:  # the choice has just read there
            context = looked[w.LOOKED_CONTEXT]
            if context == 0:
                context = make_context(world, looked[w.LOOKED_KEY], number)
            capture_in(world, lane, number, context, action, legal, count, player)
        else:
            keys = context_keys(world, lane, number, row[w.WRITE], player)
            for k in range(keys):
                context = make_context(world, ints(world, w.KEYS)[k], number)
                capture_in(world, lane, number, context, action, legal, count, player)


@part
def capture_in(world, lane, number, context, action, legal, count, player):
    """Note what the end of the playout will update in one context."""
    row = at(ints(world, w.CAPTURES), number * w.CAPTURE_COLUMNS)
    kind = row[w.KIND]
    if kind == w.KEEPS_RECORDS:
        record = make_in_pages(world, context, action)
        remember(world, lane, record, w.VISIT_ONE, player, number, odds_for(world, number))
        if row[w.AVAILABILITY] != 0:
            for i in range(count):
                if legal[i] != action:
                    remember(world, lane, make_in_pages(world, context, legal[i]), w.AVAILABLE_ONE, player, number, 0.0)
    elif context != 0:
        kind_of_reply = w.REPLY_GOOD_OR_FORGET if kind == w.KEEPS_REPLIES_FORGETS else w.REPLY_GOOD
        remember(world, lane, context, kind_of_reply, player, action, 0.0)


@part
def odds_for(world, capture):
    """The probability of the choice just made, if it was drawn from this capture's records; else 0."""
    odds = reals(world, w.ODDS_NOW)
    return odds[0] if odds[1] == capture else 0.0


@part
def remember(world, lane, record, kind, player, detail, odds):
    """Note what the end of the playout will update; the detail is a reply's action, or the capture of a record in a page."""
    control = ints(world, w.CONTROL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    logged = status[w.LOGGED]
    if logged < control[w.LOG_ROWS]:
        row = lane * control[w.LOG_ROWS] + logged
        log = at(ints(world, w.LOG), row * w.LOG_WORDS)
        log[w.LOG_RECORD] = record
        log[w.LOG_KIND] = kind
        log[w.LOG_PLAYER] = player
        log[w.LOG_ACTION] = detail
        reals(world, w.ODDS)[row] = odds
        status[w.LOGGED] = logged + 1
