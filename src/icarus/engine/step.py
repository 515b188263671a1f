"""The usual step: every capture has one context, which it reads and writes.

What choose.py and capture.py do for any strategy, for one lane, with what they would look up twice kept: the contexts of all
captures are found once, and what the deciding one has read of the chosen action is what it will update.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.calls import call_context, call_reuse
from icarus.engine.capture import capture, remember
from icarus.engine.choose import begin_step, best_of, draw, draw_term, own_key, read_records
from icarus.engine.native import at, bits, inner, ints, part, prefetch, reals
from icarus.engine.pages import find_in_pages, make_in_pages
from icarus.engine.randomness import random_below
from icarus.engine.records import find_context, make_context
from icarus.engine.tables import exp_of_small, root_of_logarithm, ucb1_value


@inner
def find_contexts(world, player):
    """Find the context of every capture; returns whether none has more than one."""
    control, captures, looked = ints(world, w.CONTROL), ints(world, w.CAPTURES), ints(world, w.LOOKED)
    step, keys, numbers = ints(world, w.STEP), ints(world, w.KEYS), reals(world, w.NUMBERS)
    view = player if control[w.VIEWS] > 1 else 0
    moves, actors = at(ints(world, w.MOVES), view * control[w.PLIES]), ints(world, w.ACTORS)
    for number in range(1, ints(world, w.POLICY)[w.CAPTURE_COUNT]):
        row, place = at(captures, number * w.CAPTURE_COLUMNS), at(looked, number * w.LOOKED_WORDS)
        place[w.LOOKED_COUNT] = 0
        place[w.LOOKED_CONTEXT] = 0
        if row[w.READ] == 0:
            continue
        count = call_context(row[w.READ], step, moves, actors, ints(world, w.FACTS), keys, at(numbers, row[w.PARAMETERS]))
        if count > 1:
            return False
        if count == 1:
            key = own_key(keys[0], number, player)
            place[w.LOOKED_COUNT] = 1
            place[w.LOOKED_KEY] = key
            context = find_context(world, key)
            place[w.LOOKED_CONTEXT] = context
            for line in range(context + 8, context + 32, 8):
                prefetch(ints(world, w.POOL), line)
    return True


@inner
def choose_simply(world, node, actions, size, player):
    """The index of the action that a leaf, or a mixture of leaves, chooses; notes whose records it has looked at."""
    looked, rng = ints(world, w.LOOKED), bits(world, w.RNG)
    node = draw_term(world, 0, node)
    row = at(ints(world, w.NODES), node * w.NODE_COLUMNS)
    ints(world, w.CHOSEN)[w.SIMULATION * ints(world, w.CONTROL)[w.POLICY_NODES] + node] += 1
    if row[w.NODE_KIND] == w.UNIFORM:
        return random_below(rng, size)
    number = row[w.CAPTURE]
    context = looked[number * w.LOOKED_WORDS + w.LOOKED_CONTEXT]
    if row[w.QUICK] == w.BY_REPLY:
        if context != 0:
            reply = ints(world, w.POOL)[context + w.REPLY] - 1
            for i in range(size):
                if actions[i] == reply:
                    return i
        return random_below(rng, size)
    numbers = at(reals(world, w.NUMBERS), row[w.REUSE_NUMBERS])
    if row[w.QUICK] == w.BY_SUMS:
        if context == 0:
            return random_below(rng, size)
        looked[w.LOOKED_COUNT] = number
        return best_by_sums(world, context, actions, size, numbers[0])
    if row[w.QUICK] == w.BY_GIBBS:
        looked[w.LOOKED_COUNT] = number if context != 0 else 0
        return draw_by_gibbs(world, context, actions, size, numbers[0])
    own, values = reals(world, w.OWN), reals(world, w.VALUES)
    if context != 0:
        read_records(world, context, w.PAGED, actions, size, player, w.NO_EXTRA)
    else:
        for i in range(3 * size):
            own[i] = 0.0
    base, record = reals(world, w.BASE), reals(world, w.NODE_RECORD)
    call_reuse(row[w.REUSE], own, at(own, size), at(own, 2 * size), at(own, 3 * size), base, record, values, size, numbers)
    if row[w.SHAPE] == w.ARG_MAX:
        return best_of(values, size, rng)
    return draw(values, size, rng, reals(world, w.ODDS_NOW))


@inner
def best_by_sums(world, context, actions, size, c):
    """UCB1 over sums, as policy/ucb1_sum.py has it, on the records of one context; they are left in RECORDS."""
    pool, real, records = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.RECORDS)
    values, rng = reals(world, w.VALUES), bits(world, w.RNG)
    width, directory = ints(world, w.META)[w.PAGED_WIDTH], pool[context + w.DIRECTORY]
    trials, untried = 0, 0
    for i in range(size):
        record = find_in_pages(pool, directory, width, actions[i])
        records[i] = record
        visits = pool[record + w.COUNTS] & w.LOW
        trials += visits
        untried += visits == 0
    if untried > 0:
        skip = 0 if untried == 1 else random_below(rng, untried)
        for i in range(size):
            if pool[records[i] + w.COUNTS] & w.LOW == 0:
                if skip == 0:
                    return i
                skip -= 1
    weight = c * root_of_logarithm(trials)
    best, ties, chosen = -1.0, 0, 0
    for i in range(size):
        record = records[i]
        value = ucb1_value(real[record + w.REWARD], pool[record + w.COUNTS] & w.LOW, weight)
        values[i] = value
        better = value > best  # no branch: nobody can predict it
        ties = 1 if better else ties + (value == best)
        chosen = i if better else chosen
        best = value if better else best
    return best_of(values, size, rng) if ties > 1 else chosen


@inner
def draw_by_gibbs(world, context, actions, size, tau):
    """Gibbs sampling, as policy/gibbs.py has it, on the records of one context (0: all are new); they are left in RECORDS."""
    pool, real, records = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.RECORDS)
    values, rng = reals(world, w.VALUES), bits(world, w.RNG)
    width, directory = ints(world, w.META)[w.PAGED_WIDTH], pool[context + w.DIRECTORY]
    largest, share = 0.0, 1.0 / tau
    for i in range(size):
        record = find_in_pages(pool, directory, width, actions[i])
        records[i] = record
        visits = pool[record + w.COUNTS] & w.LOW
        mean = real[record + w.REWARD] / visits if visits > 0 else 1.0
        values[i] = mean
        largest = max(largest, mean)
    for i in range(size):
        values[i] = exp_of_small((values[i] - largest) * share)
    return draw(values, size, rng, reals(world, w.ODDS_NOW))


@inner
def capture_simply(world, action, pick, player, in_tree):
    """Note what the end of the playout will update."""
    control, status = ints(world, w.CONTROL), ints(world, w.STATUS)
    captures, looked = ints(world, w.CAPTURES), ints(world, w.LOOKED)
    read = looked[w.LOOKED_COUNT]
    for number in range(1, ints(world, w.POLICY)[w.CAPTURE_COUNT]):
        row, place = at(captures, number * w.CAPTURE_COLUMNS), at(looked, number * w.LOOKED_WORDS)
        if place[w.LOOKED_COUNT] == 0 or status[w.LOGGED] >= control[w.LOG_ROWS]:
            continue
        if row[w.SCOPE] == w.TREE_ONLY and not in_tree:
            continue
        context = place[w.LOOKED_CONTEXT]
        if context == 0:
            context = make_context(world, place[w.LOOKED_KEY], number)
        log = at(ints(world, w.LOG), status[w.LOGGED] * w.LOG_WORDS)
        if row[w.KIND] == w.KEEPS_RECORDS:
            record = ints(world, w.RECORDS)[pick] if read == number else w.NOWHERE
            if record == w.NOWHERE:
                record = make_in_pages(world, context, action)
            log[w.LOG_RECORD] = record
            log[w.LOG_KIND] = w.VISIT_ONE
            log[w.LOG_CAPTURE] = number
        elif context != 0:
            log[w.LOG_RECORD] = context
            log[w.LOG_KIND] = w.REPLY_GOOD_OR_FORGET if row[w.KIND] == w.KEEPS_REPLIES_FORGETS else w.REPLY_GOOD
            log[w.LOG_ACTION] = action
        else:
            continue
        log[w.LOG_PLAYER] = player
        status[w.LOGGED] += 1


@part
def attend(world):
    """Let the captures see the steps that the plain tree took (descend.py), and log them."""
    control, status, step = ints(world, w.CONTROL), ints(world, w.STATUS), ints(world, w.STEP)
    pool, way, depth = ints(world, w.POOL), ints(world, w.WAY), status[w.DEPTH]
    status[w.LOGGED] = 0
    status[w.LABEL_NOW] = control[w.ROOT_LABEL]
    status[w.EPISODE_START] = control[w.ROOT_EPISODE]
    status[w.PLY_NOW] = control[w.ROOT_PLY]
    steps_needed = ints(world, w.POLICY)[w.NEEDS_STEPS] != 0
    begin_step(world, 0, 0, w.SELECTION)
    for i in range(depth):
        ply, record, player = control[w.ROOT_PLY] + i, way[2 * i], way[2 * i + 1]
        action = (pool[record + w.ACTION] & w.LOW) - 1
        phase = w.EXPANSION if i == depth - 1 and status[w.COUNTS_BEFORE] == 0 else w.SELECTION
        remember(world, 0, record, w.REWARD_ALL, player, 0, 0.0)
        status[w.PLY_NOW] = ply
        step[w.PLAYER] = player
        step[w.PLY] = ply
        step[w.PHASE] = phase
        if steps_needed:
            ints(world, w.LOOKED)[w.LOOKED_COUNT] = 0
            if find_contexts(world, player):
                capture_simply(world, action, 0, player, True)
            else:
                begin_step(world, 0, player, phase)
                capture(world, 0, action, ints(world, w.LEGAL), 0, player, phase)
        ints(world, w.MOVES)[ply] = action
        ints(world, w.ACTORS)[ply] = player
        ints(world, w.ACTIONS)[ply] = action
    status[w.PLY_NOW] = control[w.ROOT_PLY] + depth
