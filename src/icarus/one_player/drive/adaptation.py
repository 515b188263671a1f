"""Nested rollout policy adaptation (Rosin, 2011).

A policy gives every code of an action a weight, 0 at first; a playout chooses among the legal actions with probabilities
proportional to the exponential of their weights.  A search of level n calls searches of level n - 1 so many times, each with a
copy of its policy, and after each adapts the policy towards the best sequence that it knows: by alpha for every action of it,
and by as much away from all that were legal beside it, in proportion to their probabilities.  A later sequence that is as good
replaces the best.

Options: playouts without the actions to which the game's heuristic gives 0 (*guided*, the selective policies of Cazenave, 2016);
an end to a level whose best sequence has been found so many times again (*repetitions*).

beam_adaptation.py keeps several sequences at each level, with these parts; a *slot* below is where a policy and a sequence are,
here one for each level.

A playout notes the codes of everything that was legal, so adapting asks the game nothing.  How policies lie in memory is in
coded_policy.py.  The levels under way are a stack in memory, as in nested.py.
"""

from __future__ import annotations

from math import exp

from numba import types

from icarus.engine.calls import call_code
from icarus.engine.evaluate.score import fail
from icarus.engine.layout import BAD_ACTION, FAILED, FINE, TOO_LONG, World
from icarus.jit import Layout, Number, Word, at, element, kernel, part, size_of
from icarus.jit.randomness import mix, random_unit
from icarus.one_player.drive.coded_policy import (
    clear_policy,
    copy_policy,
    entry_at,
    index_entries,
    make_entry,
    policy_of,
    power_of,
)
from icarus.one_player.drive.walk import (
    account,
    copy_state,
    end_run,
    keep_liked,
    legal_of,
    note_action,
    reason_to_leave,
    score_of,
    state_of,
    step,
)


class AdaptationWords(Layout):
    """What a search is doing."""

    level = Word()  #: of the whole search
    calls = Word()  #: of the level below, for each level (N)
    alpha = Number()
    guided = Word()
    repetitions = Word()  #: 0: no limit
    started = Word()
    most_entries = Word()  #: of a policy, a power of two
    policies = Word()  #: where the policies are: for each slot a Policy, its entries and its index
    policy_words = Word()
    sequences = Word()  #: where the sequences are: for each slot one, slot 0 being that of the last playout
    sequence_words = Word()
    most_codes = Word()  #: that a sequence has room for
    numbers = Word()  #: where adapting keeps the entries of a sequence's codes, so that each is looked up once
    beam = Word()  #: sequences that a level keeps (beam_adaptation.py) ...
    beams = Word()  #: ... and where each level's Beam is


class Sequence(Layout):
    """The best that a level knows; behind it are actions, where the codes of each ply begin, which was chosen, and the codes."""

    known = Word()
    score = Number()
    length = Word()
    codes = Word()
    hash = Word()  #: of the actions
    calls = Word()  #: that the level has made
    again = Word()  #: how often the same sequence was found
    parent = Word()  #: in a beam: whose policy it was found with


SEQUENCE_WORDS, ADAPTATION_WORDS = size_of(Sequence), size_of(AdaptationWords)
#: what a search that has been started is: on its way, or put where an earlier one was, without the index of its entries
UNDER_WAY, RESUMED = 1, 2


@kernel(types.int64(types.int64[::1]))
def run_adaptation(handle):
    """Playout after playout, until there is a reason to come back."""
    world = World(handle)
    search = AdaptationWords(world.own, 0)
    while True:
        reason = reason_to_leave(world)
        if reason >= 0:
            return reason
        if search.started == RESUMED:
            index_entries(world, search, search.level)
        elif search.started == 0:
            clear_policy(policy_of(world, search, search.level))
            forget(sequence_of(world, search, search.level))
        if search.started != UNDER_WAY:
            descend(world, search, search.level)
            search.started = UNDER_WAY
        if not play(world, search, 1):
            return FAILED
        climb(world, search)


# --- levels ----------------------------------------------------------------------------------------------------------


@part
def sequence_of(world, search, slot):
    return Sequence(world.own, search.sequences + slot * search.sequence_words)


@part
def forget(sequence):
    sequence.known = 0
    sequence.calls = 0
    sequence.again = 0


@part
def descend(world, search, level):
    """Start the searches of all levels below: each begins with a copy of the policy above it."""
    while level > 1:
        level -= 1
        copy_policy(world, search, level, level + 1)
        forget(sequence_of(world, search, level))


@part
def climb(world, search):
    """A playout has ended: every level whose turn has come learns from it, and those that are done hand it on."""
    level = 1
    while True:
        take(world, search, level)
        adapt(world, search, level)
        sequence = sequence_of(world, search, level)
        sequence.calls += 1
        stale = search.repetitions > 0 and sequence.again >= search.repetitions
        if sequence.calls < search.calls and not stale:
            descend(world, search, level)
            return
        if level == search.level:
            end_run(world, sequence.score)
            search.started = 0
            return
        level += 1


@part
def take(world, search, level):
    """Let a level know what the one below has found."""
    own, below = sequence_of(world, search, level), sequence_of(world, search, level - 1)
    if own.known != 0 and below.score < own.score:
        return
    own.again = own.again + 1 if own.known != 0 and below.hash == own.hash and below.score == own.score else 0
    copy_sequence(world, search, level, level - 1)


@part
def copy_sequence(world, search, slot, source):
    """Put a sequence into another slot; what a level counts stays."""
    own, other = sequence_of(world, search, slot), sequence_of(world, search, source)
    own.known = other.known
    own.score = other.score
    own.length = other.length
    own.codes = other.codes
    own.hash = other.hash
    plies = world.control.plies
    into = at(world.own, search.sequences + slot * search.sequence_words + SEQUENCE_WORDS)
    held = at(world.own, search.sequences + source * search.sequence_words + SEQUENCE_WORDS)
    for ply in range(other.length):
        into[ply] = held[ply]
        into[plies + ply] = held[plies + ply]
        into[2 * plies + ply] = held[2 * plies + ply]
    into[plies + other.length] = other.codes
    for i in range(other.codes):
        into[3 * plies + i] = held[3 * plies + i]


# --- learning ---------------------------------------------------------------------------------------------------------


@part
def adapt(world, search, slot):
    """Move a policy towards the sequence of its slot; probabilities are those from before."""
    sequence, plies, alpha = sequence_of(world, search, slot), world.control.plies, search.alpha
    held = at(world.own, search.sequences + slot * search.sequence_words + SEQUENCE_WORDS)
    codes, numbers = at(held, 3 * plies), at(world.own, search.numbers)
    for ply in range(sequence.length):
        first, last = held[plies + ply], held[plies + ply + 1]
        if last - first < 2:
            numbers[first] = -1
            continue
        total = 0.0
        for i in range(first, last):
            number = make_entry(world, search, slot, codes[i])
            numbers[i] = number
            total += entry_at(world, search, slot, number).power if number >= 0 else 1.0
        for i in range(first, last):
            if numbers[i] >= 0:
                entry = entry_at(world, search, slot, numbers[i])
                entry.weight -= alpha * entry.power / total
                if i == held[2 * plies + ply]:
                    entry.weight += alpha
    for i in range(sequence.codes):
        if numbers[i] >= 0:
            entry = entry_at(world, search, slot, numbers[i])
            entry.power = exp(min(max(entry.weight, -300.0), 300.0))


# --- a playout -------------------------------------------------------------------------------------------------------


@part
def play(world, search, slot):
    """A playout by the policy of this slot; returns whether the game keeps its contract."""
    control, plies, state, legal = world.control, world.control.plies, state_of(world, 0), legal_of(world, 0)
    sequence = sequence_of(world, search, 0)
    held = at(world.own, search.sequences + SEQUENCE_WORDS)
    copy_state(world, state, world.root)
    element(world.lanes, 0).in_tree = 1
    control.started += 1
    count, ply, noted, known = step(world, 0, -1, 0), 0, 0, 0
    while count > 0:
        if search.guided != 0:
            count = keep_liked(world, 0, count)
        if noted + count > search.most_codes:
            fail(control, TOO_LONG, ply, search.most_codes)
            return False
        held[plies + ply] = noted
        pick = choose(world, search, slot, at(held, 3 * plies + noted), count)
        held[2 * plies + ply] = noted + pick
        noted += count
        action = legal[pick]
        if action < 0 or action >= 2147483647:
            fail(control, BAD_ACTION, ply, action)
            return False
        held[ply] = action
        known = mix(known, action)
        note_action(world, ply, action)
        ply += 1
        count = step(world, 0, action, ply)
    if count < 0:
        return False
    held[plies + ply] = noted
    sequence.known = 1
    sequence.length = ply
    sequence.codes = noted
    sequence.hash = known
    sequence.score = score_of(world, ply)
    account(world, ply, sequence.score, None)
    return control.error == FINE


@part
def choose(world, search, slot, codes, count):
    """Note the codes of the legal actions, and draw one of them by the policy of this slot."""
    game, state, legal, powers = world.game, state_of(world, 0), legal_of(world, 0), world.values
    if game.code == 0:
        for i in range(count):
            codes[i] = legal[i]
    else:
        for i in range(count):
            codes[i] = call_code(game.code, state, legal[i])
    if count == 1:
        return 0
    total = 0.0
    for i in range(count):
        powers[i] = power_of(world, search, slot, codes[i])
        total += powers[i]
    left, pick = random_unit(world.rng) * total, 0
    while pick < count - 1 and left >= powers[pick]:
        left -= powers[pick]
        pick += 1
    return pick
