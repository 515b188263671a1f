"""A step beyond the tree: the simulation policy's choice, and what the captures note of it.

In general that is choose.py and capture.py.  Most strategies are of a simpler kind: every capture has one context in a step,
which it reads and writes.  There the contexts are found once, before the game lists its actions, so that they are under way
from memory meanwhile, and what the deciding one has read of the chosen action is what it will update.
"""

from __future__ import annotations

import math

from icarus.engine.calls import call_context, call_policy
from icarus.engine.capture import capture, remember
from icarus.engine.layout import (
    INLINED_GIBBS,
    INLINED_REPLY,
    INLINED_ROULETTE_WHEEL,
    INLINED_UCB1_SUM,
    KEEPS_RECORDS,
    KEEPS_REPLIES_FORGETS,
    MET_BITS,
    NOWHERE,
    PAGED,
    REPLY_GOOD,
    REPLY_GOOD_OR_FORGET,
    SIMULATION,
    TREE_ONLY,
    UNIFORM,
    VISIT_ONE,
    Directory,
    Record,
    SharedContext,
)
from icarus.engine.parameters import parameters_at
from icarus.engine.select.arms import begin_step, capture_key, clear_arms, forget_contexts, read_records
from icarus.engine.select.choose import best_of, choose, draw, draw_term, pick_by_leaf
from icarus.engine.select.tables import exp_of_small, logarithm, root_of_logarithm, ucb1_value
from icarus.engine.table.pages import find_in_pages, make_in_pages, record_of
from icarus.engine.table.records import find_context, make_context
from icarus.jit import apart, at, element, inner, part, prefetch
from icarus.jit.randomness import chain, random_below

CLOSE = 1e-12  #: a share of an average and its bonus: values that are further apart compare alike however they are rounded


@part
def prepare_step(world, lane, player, phase):
    """Before a choice: what contexts may know of the step; returns whether each capture's one context has been found."""
    strategy = world.strategy
    if strategy.needs_steps == 0:
        return False
    begin_step(world, lane, player, phase)
    if strategy.one_context != 0 and find_contexts(world, player):
        return True
    forget_contexts(world)
    return False


@inner
def find_contexts(world, player):
    """Find the context of every capture; returns whether none has more than one."""
    step, keys = world.step, world.keys
    for number in range(1, world.strategy.capture_count):
        row, looked = element(world.captures, number), element(world.looked, number)
        looked.count = 0
        if row.read == 0:
            continue
        count = call_context(row.read, step, keys, at(world.numbers, row.numbers))
        if count > 1:
            return False
        looked.count = count
        if count == 1:
            recall_context(world, looked, number, player)
        else:
            looked.context = looked.directory = looked.wide_page = 0
    return True


@inner
def recall_context(world, looked, capture, player):
    """The context of the key just written: mostly one that playouts have met before, so that the table need not be searched."""
    pool, key, whose = world.pool, world.keys[0], capture << 8 | player
    met = element(world.met, chain(key + (whose << 20), 0) >> 32 & (1 << MET_BITS) - 1)
    if met.context != 0 and met.key == key and met.whose == whose:
        looked.context = met.context
        looked.directory = SharedContext(pool, met.context).directory
        looked.wide_page = met.wide_page
    else:
        looked.key = capture_key(key, capture, player)
        looked.context = find_context(world, looked.key)
        looked.directory = SharedContext(pool, looked.context).directory
        looked.wide_page = Directory(pool, looked.directory).wide_page
        if looked.directory != 0:  # from now on it has a wide page or will never have one
            met.key = key
            met.whose = whose
            met.context = looked.context
            met.wide_page = looked.wide_page
    if looked.wide_page == 0:
        for line in range(looked.context + 8, looked.context + 32, 8):
            prefetch(pool, line)


@inner
def choose_simulated(world, lane, actions, size, player, found):
    """The index of the action that the simulation policy chooses; ``found``: the contexts of all captures are known."""
    node = world.strategy.simulation_policy
    world.choice.odds = 0.0
    world.choice.read = 0
    if size == 1:
        return 0
    if element(world.nodes, node).kind == UNIFORM:
        return random_below(at(world.rng, lane), size)
    if found:
        return choose_found(world, lane, node, actions, size, player)
    # the baseline holds nothing beyond the tree
    arms, record = world.baseline_arms, world.history_record
    for i in range(size):
        arms.reward[i] = 0.0
        arms.visits[i] = 0.0
        arms.available[i] = 0.0
    record.reward = 0.0
    record.visits = 0.0
    record.available = 0.0
    return choose(world, lane, node, actions, size, player, SIMULATION)


@part
def capture_step(world, lane, action, pick, legal, count, player, phase, found):
    """After a choice: note what the end of the playout will update."""
    if found:
        capture_found(world, lane, action, pick, player, phase)
    elif world.strategy.needs_steps != 0:
        capture(world, lane, action, legal, count, player, phase)


# --- where each capture has one context ------------------------------------------------------------------------------


@inner
def choose_found(world, lane, node, actions, size, player):
    """The index of the action that a leaf, or a mixture of leaves, chooses; notes whose records it has looked at."""
    rng = at(world.rng, lane)
    node = draw_term(world, lane, node, player)
    leaf = element(world.nodes, node)
    world.chosen[SIMULATION * world.control.policy_nodes + node] += 1
    if leaf.kind == UNIFORM:
        return random_below(rng, size)
    looked = element(world.looked, leaf.capture)
    context = looked.context
    if leaf.inlined == INLINED_REPLY:
        if context != 0:
            reply = SharedContext(world.pool, context).reply - 1
            for i in range(size):
                if actions[i] == reply:
                    return i
        return random_below(rng, size)
    numbers = parameters_at(world, leaf.numbers, player)
    if leaf.inlined == INLINED_UCB1_SUM:
        if context == 0:
            return random_below(rng, size)
        world.choice.read = leaf.capture
        return best_by_sums(world, lane, looked, actions, size, numbers[0])
    if leaf.inlined == INLINED_GIBBS:
        world.choice.read = leaf.capture if context != 0 else 0
        return draw_by_gibbs(world, lane, looked, actions, size, numbers[0])
    if leaf.inlined == INLINED_ROULETTE_WHEEL:
        world.choice.read = leaf.capture if context != 0 else 0
        return draw_by_means(world, lane, looked, actions, size)
    arms = world.arms
    if context != 0:
        read_records(world, context, PAGED, actions, size, player, node)
    else:
        clear_arms(world, arms, size, node)
    arms.size = size
    arms.rng = rng
    call_policy(leaf.function, arms, world.values, numbers)
    return pick_by_leaf(world, lane, node, size)


@inner
def read_visits(world, looked, actions, size, wide):
    """Find the records of the actions in a context; returns the sum of their visits, and how many have none.

    ``wide`` None: the context has no wide page.  One loop for both took breakthrough a fiftieth of NAST's speed.
    """
    pool, width, directory, wide_page = world.pool, world.meta.paged_width, looked.directory, looked.wide_page
    trials, untried = 0, 0
    for i in range(size):
        if wide is None:
            record = find_in_pages(pool, directory, width, actions[i])
        else:
            record = record_of(pool, directory, wide_page, width, actions[i])
        world.records[i] = record
        visits = Record(pool, record).visits
        trials += visits
        untried += visits == 0
    return trials, untried


@inner
def best_by_sums(world, lane, looked, actions, size, c):
    """The twin of policy/ucb1_sum.py, on the records of one context; they are left in World.records."""
    pool, records, values, rng = world.pool, world.records, world.values, at(world.rng, lane)
    wide = looked.wide_page != 0
    trials, untried = read_visits(world, looked, actions, size, True) if wide else read_visits(world, looked, actions, size, None)
    if untried > 0:
        skip = 0 if untried == 1 else random_below(rng, untried)
        for i in range(size):
            if Record(pool, records[i]).visits == 0:
                if skip == 0:
                    return i
                skip -= 1
    weight = c * root_of_logarithm(trials)
    best, second, chosen = -1.0, -1.0, 0
    for i in range(size):
        record = Record(pool, records[i])
        value = ucb1_value(record.reward[0], record.visits, weight)
        values[i] = value
        better = value > best  # no branch: nobody can predict it
        lesser = best if better else value
        second = lesser if lesser > second else second
        chosen = i if better else chosen
        best = value if better else best
    if second < best - CLOSE * (1.0 + weight):
        return chosen
    if world.strategy.statistic_count != 0:
        return best_as_written(world, lane, size, c, trials)
    return chosen if second < best else best_of(values, size, rng)


@apart
def best_as_written(world, lane, size, c, trials):
    """The choice among the records in World.records by the very numbers of policy/ucb1_sum.py, whose last digits are others.

    Where the rewards are thirds, whether equal averages tie (and a random number is drawn) depends on these digits.
    """
    values, log = world.values, logarithm(trials)
    for i in range(size):
        record = Record(world.pool, world.records[i])
        visits = record.visits
        values[i] = record.reward[0] / visits + c * math.sqrt(log / visits)
    return best_of(values, size, at(world.rng, lane))


@inner
def read_means(world, looked, actions, size):
    """The average of every action in a context (0: all are new), 1 for the new ones, into the values; returns the largest.

    The records are left in World.records.
    """
    pool, records, values = world.pool, world.records, world.values
    width, directory, wide_page = world.meta.paged_width, looked.directory, looked.wide_page
    largest = 0.0
    for i in range(size):
        offset = record_of(pool, directory, wide_page, width, actions[i])
        records[i] = offset
        record = Record(pool, offset)
        visits = record.visits
        mean = record.reward[0] / visits if visits > 0 else 1.0
        values[i] = mean
        largest = max(largest, mean)
    return largest


@inner
def draw_by_gibbs(world, lane, looked, actions, size, tau):
    """The twin of policy/gibbs.py."""
    values, share = world.values, 1.0 / tau
    largest = read_means(world, looked, actions, size)
    for i in range(size):
        values[i] = exp_of_small((values[i] - largest) * share)
    return draw(world, values, size, at(world.rng, lane))


@inner
def draw_by_means(world, lane, looked, actions, size):
    """The twin of policy/roulette_wheel.py."""
    read_means(world, looked, actions, size)
    return draw(world, world.values, size, at(world.rng, lane))


@inner
def capture_found(world, lane, action, pick, player, phase):
    """Note what the end of the playout will update."""
    read = world.choice.read
    for number in range(1, world.strategy.capture_count):
        row, looked = element(world.captures, number), element(world.looked, number)
        if looked.count == 0 or (row.scope == TREE_ONLY and phase == SIMULATION):
            continue
        context = looked.context
        if context == 0:
            context = make_context(world, looked.key, number)
        if row.kind == KEEPS_RECORDS:
            record = world.records[pick] if read == number else NOWHERE
            if record == NOWHERE:
                record = make_in_pages(world, context, action, True)
            remember(world, lane, record, VISIT_ONE, player, number, action, 0.0)
        elif context != 0:
            kind = REPLY_GOOD_OR_FORGET if row.kind == KEEPS_REPLIES_FORGETS else REPLY_GOOD
            remember(world, lane, context, kind, player, number, action, 0.0)
