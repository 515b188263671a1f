"""The policies of adaptation.py in memory: codes of actions, each with its weight and the exponential of that.

A policy is a list of entries, and an index of them by code, which a new generation empties.  Policies lie in slots; where these
begin and how large they are is what a search says (AdaptationWords).
"""

from __future__ import annotations

from icarus.engine.layout import LOW
from icarus.jit import Layout, Number, Word, at, part, size_of
from icarus.jit.randomness import chain


class Policy(Layout):
    generation = Word()
    used = Word()  #: entries
    mask = Word()  #: the slots of the index are one more


class Entry(Layout):
    """A code that a policy knows."""

    code = Word()
    weight = Number()
    power = Number()  #: the exponential of the weight


POLICY_WORDS, ENTRY_WORDS = size_of(Policy), size_of(Entry)
SMALLEST = 1023  #: mask of an index


@part
def policy_of(world, search, slot):
    return Policy(world.own, search.policies + slot * search.policy_words)


@part
def entry_at(world, search, slot, number):
    return Entry(world.own, search.policies + slot * search.policy_words + POLICY_WORDS + number * ENTRY_WORDS)


@part
def index_of(world, search, slot):
    """Slots: generation in the high half, number of the entry in the low one."""
    return at(world.own, search.policies + slot * search.policy_words + POLICY_WORDS + search.most_entries * ENTRY_WORDS)


@part
def clear_policy(policy):
    policy.generation += 1
    policy.used = 0
    policy.mask = SMALLEST


@part
def first_slot(code, mask):
    return (chain(code, 0) >> 24) & mask


@part
def find_entry(world, search, slot, code):
    """The number of a code's entry; below 0: it has none."""
    policy, index = policy_of(world, search, slot), index_of(world, search, slot)
    mask, generation = policy.mask, policy.generation
    place = first_slot(code, mask)
    while True:
        held = index[place]
        if held >> 32 != generation:
            return -1
        if entry_at(world, search, slot, held & LOW).code == code:
            return held & LOW
        place = (place + 1) & mask


@part
def put_in_index(policy, index, code, number):
    place = first_slot(code, policy.mask)
    while index[place] >> 32 == policy.generation:
        place = (place + 1) & policy.mask
    index[place] = policy.generation << 32 | number


@part
def index_entries(world, search, slot):
    """Make the index of a policy anew."""
    policy, index = policy_of(world, search, slot), index_of(world, search, slot)
    policy.generation += 1
    policy.mask = SMALLEST
    while 2 * policy.used > policy.mask:
        policy.mask = 2 * policy.mask + 1
    for number in range(policy.used):
        put_in_index(policy, index, entry_at(world, search, slot, number).code, number)


@part
def make_entry(world, search, slot, code):
    """The number of a code's entry, made if it is new; below 0: the policy is full, and the code keeps the weight 0."""
    number = find_entry(world, search, slot, code)
    policy, index = policy_of(world, search, slot), index_of(world, search, slot)
    if number >= 0 or policy.used == search.most_entries:
        return number
    number = policy.used
    entry = entry_at(world, search, slot, number)
    entry.code = code
    entry.weight = 0.0
    entry.power = 1.0
    policy.used += 1
    if 2 * policy.used <= policy.mask:
        put_in_index(policy, index, code, number)
    else:  # a larger index
        policy.mask = 2 * policy.mask + 1
        policy.generation += 1
        for i in range(policy.used):
            put_in_index(policy, index, entry_at(world, search, slot, i).code, i)
    return number


@part
def power_of(world, search, slot, code):
    number = find_entry(world, search, slot, code)
    return entry_at(world, search, slot, number).power if number >= 0 else 1.0


@part
def copy_policy(world, search, slot, source):
    """Put a policy into another slot: a level begins with what the one above has learned."""
    other, own = policy_of(world, search, source), policy_of(world, search, slot)
    own.generation += 1
    own.used = other.used
    own.mask = other.mask
    held, into = index_of(world, search, source), index_of(world, search, slot)
    from_generation, to_generation = other.generation, own.generation << 32
    for place in range(own.mask + 1):
        if held[place] >> 32 == from_generation:
            into[place] = to_generation | (held[place] & LOW)
    for number in range(own.used):
        entry, known = entry_at(world, search, slot, number), entry_at(world, search, source, number)
        entry.code = known.code
        entry.weight = known.weight
        entry.power = known.power
