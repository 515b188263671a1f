"""Reuse: how the numbers in the records become a choice.

``choose`` evaluates a strategy's policy for one decision.  Every leaf of the policy reads the records of one capture into flat
arrays and hands them to its reuse function; operators say which leaf decides (linear), how values are weighed (maxilinear) or
who has the majority (vote).
"""

from __future__ import annotations

import math

from icarus.engine import words as w
from icarus.engine.all_moves import all_moves_context, all_moves_layout
from icarus.engine.calls import call_context, call_heuristic, call_predicates, call_reuse, call_weight
from icarus.engine.native import at, bits, ints, part, reals
from icarus.engine.pages import find_in_pages
from icarus.engine.randomness import mix, random_below, random_unit
from icarus.engine.records import find_context, find_record


@part
def begin_step(world, lane, player, phase):
    """Write down what context functions may know of this step; nothing has been looked up for it yet."""
    control = ints(world, w.CONTROL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    step, looked = ints(world, w.STEP), ints(world, w.LOOKED)
    step[w.PLAYER] = player
    step[w.PLY] = status[w.PLY_NOW]
    step[w.ROOT_AT] = control[w.ROOT_PLY]
    step[w.LABEL] = status[w.LABEL_NOW]
    step[w.EPISODE_AT] = status[w.EPISODE_START]
    step[w.PHASE] = phase
    step[w.FACT_COUNT] = -1
    for capture in range(ints(world, w.POLICY)[w.CAPTURE_COUNT]):
        looked[capture * w.LOOKED_WORDS + w.LOOKED_COUNT] = -1


@part
def own_key(key, capture, player):
    """The key of a context among those of all captures and players."""
    return mix(key, 7919 * capture + 104729 + player)


@part
def context_keys(world, lane, capture, function, player):
    """The keys of the contexts in which this step reads or writes; returns how many."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    row = at(ints(world, w.CAPTURES), capture * w.CAPTURE_COLUMNS)
    step, keys = ints(world, w.STEP), ints(world, w.KEYS)
    if row[w.FACTS_NEEDED] != 0 and step[w.FACT_COUNT] < 0:
        state = at(ints(world, w.STATE), lane * game[w.STATE_SIZE])
        step[w.FACT_COUNT] = call_predicates(game[w.F_PREDICATES], state, ints(world, w.FACTS))
    plies, views = control[w.PLIES], control[w.VIEWS]
    view = player if views > 1 and player >= 0 else 0
    moves = at(ints(world, w.MOVES), (lane * views + view) * plies)
    actors = at(ints(world, w.ACTORS), lane * plies)
    numbers = at(reals(world, w.NUMBERS), row[w.PARAMETERS])
    count = call_context(function, step, moves, actors, ints(world, w.FACTS), keys, numbers)
    for i in range(count):
        keys[i] = own_key(keys[i], capture, player)
    return count


@part
def read_records(world, context, layout, actions, size, player, extra):
    """Fill OWN with the records of one context."""
    pool, real, meta = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.META)
    own = reals(world, w.OWN)
    width, directory = meta[w.PAGED_WIDTH], pool[context + w.DIRECTORY]
    word, extra_word = w.REWARD + player, meta[w.IMPORTANCE] if extra == w.NEEDS_IMPORTANCE else meta[w.SQUARES]
    if layout == w.PAGED:
        word, extra_word = w.REWARD, extra_word - meta[w.PAGED_LESS]
    for i in range(size):
        if layout == w.PAGED:
            record = find_in_pages(pool, directory, width, actions[i])
        else:
            record = find_record(world, context, actions[i], i if layout == w.LISTED else -1)
        counts = pool[record + w.COUNTS]
        own[i] = real[record + word]
        own[size + i] = counts & w.LOW
        own[2 * size + i] = counts >> 32
        if extra != w.NO_EXTRA:
            own[3 * size + i] = real[record + extra_word]


@part
def merge_records(world, context, actions, size, merge, extra):
    """Bring the records of one more context into OWN: added up, or the better of the two by average."""
    pool, real, meta = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.META)
    own = reals(world, w.OWN)
    width, directory = meta[w.PAGED_WIDTH], pool[context + w.DIRECTORY]
    extra_word = (meta[w.IMPORTANCE] if extra == w.NEEDS_IMPORTANCE else meta[w.SQUARES]) - meta[w.PAGED_LESS]
    for i in range(size):
        record = find_in_pages(pool, directory, width, actions[i])
        counts = pool[record + w.COUNTS]
        reward = real[record + w.REWARD]
        visits = float(counts & w.LOW)
        if merge == w.BEST:
            # no visits are worse than any
            if visits == 0.0 or (own[size + i] > 0.0 and reward * own[size + i] <= own[i] * visits):
                continue
            own[i] = 0.0
            own[size + i] = 0.0
            own[2 * size + i] = 0.0
            own[3 * size + i] = 0.0
        own[i] += reward
        own[size + i] += visits
        own[2 * size + i] += counts >> 32
        if extra != w.NO_EXTRA:
            own[3 * size + i] += real[record + extra_word]


@part
def read_reply(world, context, actions, size):
    """Fill OWN with 1 for the reply that a context remembers and 0 for the others; returns whether it is legal."""
    own = reals(world, w.OWN)
    reply = ints(world, w.POOL)[context + w.REPLY] - 1
    if reply >= 0:
        for i in range(size):
            if actions[i] == reply:
                own[i] = 1.0
                own[size + i] = 1.0
                return True
    return False


@part
def gather(world, lane, capture, actions, size, player, phase, extra):
    """Fill OWN with what a capture knows of the legal actions."""
    own = reals(world, w.OWN)
    row = at(ints(world, w.CAPTURES), capture * w.CAPTURE_COLUMNS)
    kind = row[w.KIND]
    context = 0
    if kind == w.KEEPS_ALL_MOVES:
        if phase != w.SIMULATION:
            context = all_moves_context(world, lane, capture, player)
            if context != 0:
                read_records(world, context, all_moves_layout(world, capture), actions, size, player, extra)
                return
    elif kind != w.KEEPS_NOTHING:
        count = context_keys(world, lane, capture, row[w.READ], player)
        keys, looked = ints(world, w.KEYS), at(ints(world, w.LOOKED), capture * w.LOOKED_WORDS)
        looked[w.LOOKED_COUNT] = count
        if count == 1:
            context = find_context(world, keys[0])
            looked[w.LOOKED_KEY] = keys[0]
            looked[w.LOOKED_CONTEXT] = context
            if context != 0 and kind == w.KEEPS_RECORDS:
                read_records(world, context, w.PAGED, actions, size, player, extra)
                return
    for i in range(4 * size):
        own[i] = 0.0
    if kind == w.KEEPS_NOTHING:
        game = ints(world, w.GAME)
        state = at(ints(world, w.STATE), lane * game[w.STATE_SIZE])
        for i in range(size):
            own[i] = call_heuristic(game[w.F_HEURISTIC], state, actions[i])
            own[size + i] = 1.0
    elif kind != w.KEEPS_ALL_MOVES:
        keys = ints(world, w.KEYS)
        for k in range(count):
            if count > 1:
                context = find_context(world, keys[k])
            if context == 0:
                continue
            if kind == w.KEEPS_RECORDS:
                merge_records(world, context, actions, size, row[w.MERGE], extra)
            elif read_reply(world, context, actions, size):
                return


@part
def weight_of(world, child):
    """The weight of an operator's child: a product of constants and functions of the baseline record."""
    weight = 1.0
    first = ints(world, w.CHILDREN)[child * w.CHILD_COLUMNS + w.FIRST_FACTOR]
    for factor in range(first, first + ints(world, w.CHILDREN)[child * w.CHILD_COLUMNS + w.FACTOR_COUNT]):
        row = at(ints(world, w.FACTORS), factor * w.FACTOR_COLUMNS)
        if row[w.WEIGHT] == 0:
            value = reals(world, w.NUMBERS)[row[w.WEIGHT_NUMBERS]]
        else:
            value = call_weight(row[w.WEIGHT], reals(world, w.NODE_RECORD), at(reals(world, w.NUMBERS), row[w.WEIGHT_NUMBERS]))
        weight *= 1.0 - value if row[w.COMPLEMENT] != 0 else value
    return weight


@part
def read_extra(world, extra, size, phase, kind):
    """What else the baseline's records hold, where a policy asked for it."""
    real, meta, records = reals(world, w.POOL), ints(world, w.META), ints(world, w.RECORDS)
    if kind != w.NO_EXTRA:
        word = meta[w.IMPORTANCE] if kind == w.NEEDS_IMPORTANCE else meta[w.SQUARES]
        for i in range(size):
            extra[i] = real[records[i] + word] if phase != w.SIMULATION else 0.0


@part
def evaluate(world, lane, node, actions, size, player, phase):
    """Let a leaf fill VALUES with one number per legal action."""
    row = at(ints(world, w.NODES), node * w.NODE_COLUMNS)
    own = reals(world, w.OWN)
    extra = at(own, 3 * size)
    if row[w.CAPTURE] == 0:
        own = reals(world, w.BASE)
        read_extra(world, extra, size, phase, row[w.EXTRA])
    else:
        gather(world, lane, row[w.CAPTURE], actions, size, player, phase, row[w.EXTRA])
    call_reuse(
        row[w.REUSE],
        own,
        at(own, size),
        at(own, 2 * size),
        extra,
        reals(world, w.BASE),
        reals(world, w.NODE_RECORD),
        reals(world, w.VALUES),
        size,
        at(reals(world, w.NUMBERS), row[w.REUSE_NUMBERS]),
    )


@part
def best_of(values, size, rng):
    """An index with the largest value, uniformly among equals."""
    best = values[0]
    ties = 1
    first = 0
    for i in range(1, size):
        value = values[i]
        better = value > best  # no branch: nobody can predict it
        ties = 1 if better else ties + (value == best)
        first = i if better else first
        best = value if better else best
    if ties == 1:
        return first
    skip = random_below(rng, ties)
    for i in range(first, size):
        if values[i] == best:
            if skip == 0:
                return i
            skip -= 1
    return first


@part
def draw(values, size, rng, odds):
    """An index with probability proportional to its weight; the probability goes to ``odds[0]``."""
    total = 0.0
    for i in range(size):
        total += values[i]
    if not (total > 0.0 and total < math.inf):
        odds[0] = 1.0 / size
        return random_below(rng, size)
    mark = random_unit(rng) * total
    below = 0.0
    pick = 0
    for i in range(size):
        below += values[i]
        pick += below <= mark  # no branch: nobody can predict it
    while pick >= size or values[pick] == 0.0:  # the last digit of the sum may have been in the way
        pick -= 1
    odds[0] = values[pick] / total
    return pick


@part
def choose_by(world, lane, node, actions, size, player, phase):
    """The choice of a leaf or of a maxilinear combination of leaves."""
    rng = at(bits(world, w.RNG), lane)
    row = at(ints(world, w.NODES), node * w.NODE_COLUMNS)
    kind = row[w.NODE_KIND]
    if kind == w.UNIFORM:
        return random_below(rng, size)
    if kind == w.LEAF:
        evaluate(world, lane, node, actions, size, player, phase)
        if row[w.SHAPE] == w.ARG_MAX:
            return best_of(reals(world, w.VALUES), size, rng)
        reals(world, w.ODDS_NOW)[1] = row[w.CAPTURE]
        return draw(reals(world, w.VALUES), size, rng, reals(world, w.ODDS_NOW))
    total = reals(world, w.TOTAL)
    for i in range(size):
        total[i] = 0.0
    first = row[w.FIRST_CHILD]
    for child in range(first, first + row[w.CHILD_COUNT]):
        weight = weight_of(world, child)
        if weight != 0.0:
            leaf = ints(world, w.CHILDREN)[child * w.CHILD_COLUMNS + w.CHILD]
            evaluate(world, lane, leaf, actions, size, player, phase)
            for i in range(size):
                total[i] += weight * reals(world, w.VALUES)[i]
    return best_of(total, size, rng)


@part
def draw_term(world, lane, node):
    """The node that decides in place of a linear mixture: one of its terms, drawn by their weights."""
    rng = at(bits(world, w.RNG), lane)
    while ints(world, w.NODES)[node * w.NODE_COLUMNS + w.NODE_KIND] == w.LINEAR:
        row = at(ints(world, w.NODES), node * w.NODE_COLUMNS)
        first = row[w.FIRST_CHILD]
        last = first + row[w.CHILD_COUNT] - 1
        mark = random_unit(rng)
        child = first
        while child < last:
            mark -= weight_of(world, child)
            if mark < 0.0:
                break
            child += 1
        node = ints(world, w.CHILDREN)[child * w.CHILD_COLUMNS + w.CHILD]
    return node


@part
def choose(world, lane, node, actions, size, player, phase):
    """The index of the action that the policy chooses."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    rng = at(bits(world, w.RNG), lane)
    node = draw_term(world, lane, node)
    ints(world, w.CHOSEN)[phase * control[w.POLICY_NODES] + node] += 1
    row = at(ints(world, w.NODES), node * w.NODE_COLUMNS)
    if row[w.NODE_KIND] != w.VOTE:
        return choose_by(world, lane, node, actions, size, player, phase)
    votes = reals(world, w.OWN)
    # the ballot lies behind what the voters' leaves use
    ballot = at(votes, 4 * game[w.MAX_ACTIONS])
    for i in range(size):
        ballot[i] = 0.0
    first = row[w.FIRST_CHILD]
    for child in range(first, first + row[w.CHILD_COUNT]):
        voter = ints(world, w.CHILDREN)[child * w.CHILD_COLUMNS + w.CHILD]
        pick = choose_by(world, lane, voter, actions, size, player, phase)
        ballot[pick] += weight_of(world, child)
    reals(world, w.ODDS_NOW)[0] = 0.0
    return best_of(ballot, size, rng)


@part
def read_node(world, lane, player):
    """Reward (of the player about to act), visits and availability of the baseline record of the history so far."""
    real = reals(world, w.POOL)
    record = ints(world, w.STATUS)[lane * w.STATUS_WORDS + w.RECORD]
    counts = ints(world, w.STATUS)[lane * w.STATUS_WORDS + w.COUNTS_BEFORE]
    reals(world, w.NODE_RECORD)[0] = real[record + w.REWARD + player] if player >= 0 else 0.0
    reals(world, w.NODE_RECORD)[1] = counts & w.LOW
    reals(world, w.NODE_RECORD)[2] = counts >> 32
