"""Dealing playing cards: sets of cards as bits of one word, and deals that are uniform over all that could be true.

What the play shows about hidden hands has the form "this player cannot hold that card".  The unseen cards then fall
into groups by *who may hold them*, and the number of ways to deal them is a short sum of products of binomial
coefficients.  So a deal is drawn exactly: first how many cards of each group go to whom, in proportion to the number of
deals that agree with it, and then which cards.  No draw is ever rejected, and one takes about as long as shuffling.

Everything here draws from a 64-bit *key* instead of a stream, so that the same key and the same knowledge give the same
cards.
"""

from __future__ import annotations

from math import comb

import numpy as np

from icarus.game import compiled, mix
from icarus.games._bits import count_bits

CARDS = 52
#: the most cards that :func:`deal_three` deals; with 39 the number of deals, 39! / 13!^3 = 8.4e16, still fits in a word
UNSEEN = 39
BINOMIAL = np.array([[comb(n, k) for k in range(UNSEEN + 1)] for n in range(UNSEEN + 1)], np.int64)


@compiled
def below(key, bound):
    """A number in ``0 .. bound - 1`` (``bound`` below 2**31) from the upper half of a key."""
    return (((key >> 32) & 0xFFFFFFFF) * bound) >> 32


@compiled
def subset(cards, number, key):
    """A uniform choice of ``number`` of these cards."""
    left = count_bits(cards)
    if number == left:
        return cards
    chosen = 0
    while number > 0:
        card = cards & -cards
        key = mix(key, left)
        taken = below(key, left) < number  # no branch: it could not be predicted
        chosen |= card * taken
        number -= taken
        cards ^= card
        left -= 1
    return chosen


@compiled
def two_subsets(cards, number, key, other_cards, other_number, other_key):
    """The same twice, side by side: either waits for one key after the other."""
    left, other_left = count_bits(cards), count_bits(other_cards)
    chosen = other_chosen = 0
    while number > 0 or other_number > 0:
        card, other_card = cards & -cards, other_cards & -other_cards
        key, other_key = mix(key, left), mix(other_key, other_left)
        taken, other_taken = below(key, left) < number, below(other_key, other_left) < other_number
        chosen |= card * taken
        other_chosen |= other_card * other_taken
        number -= taken
        other_number -= other_taken
        cards ^= card
        other_cards ^= other_card
        left -= 1
        other_left -= 1
    return chosen, other_chosen


@compiled
def subset_and_next(cards, number, key, more, next_number, next_key):
    """:func:`subset` of these cards, and one of what it leaves of them and of ``more``, in a single pass for the same reason."""
    rest = cards | more
    left, next_left = count_bits(cards), count_bits(rest) - number
    chosen = next_chosen = 0
    while number > 0 or next_number > 0:
        card = rest & -rest
        rest ^= card
        key_after, next_key_after = mix(key, left), mix(next_key, next_left)
        asked = cards & card != 0
        taken = asked & (below(key_after, left) < number)
        key = key_after if asked else key
        left -= asked
        number -= taken
        chosen |= card * taken
        next_taken = (not taken) & (below(next_key_after, next_left) < next_number)
        next_key = next_key if taken else next_key_after
        next_left -= not taken
        next_number -= next_taken
        next_chosen |= card * next_taken
    return chosen, next_chosen


@compiled
def deal_three(cards, size_a, size_b, size_c, never_a, never_b, never_c, key):
    """Deal all ``cards`` to three hands, uniformly over the deals that give no hand a card from its ``never``.

    At least one such deal must exist, and there may be at most 39 cards.  Returns the three hands.
    """
    for_a = cards & ~never_a
    for_b = cards & ~never_b
    for_c = cards & ~never_c
    # a group per set of players who may hold its cards; only the groups that a takes part in are divided by counting,
    # since for the cards that a leaves to b and c alone any choice of the right size is a deal
    all_three = for_a & for_b & for_c
    a_or_b = for_a & for_b & ~for_c
    a_or_c = for_a & for_c & ~for_b
    b_or_c = for_b & for_c & ~for_a
    only_a = for_a & ~for_b & ~for_c
    only_b = for_b & ~for_a & ~for_c
    only_c = for_c & ~for_a & ~for_b
    with_all, with_b, with_c = count_bits(all_three), count_bits(a_or_b), count_bits(a_or_c)
    without_a = count_bits(b_or_c)
    need_a = size_a - count_bits(only_a)
    need_b = size_b - count_bits(only_b) - with_b  # plus what a takes of with_b
    need_c = size_c - count_bits(only_c) - with_c  # plus what a takes of with_c

    from_b, from_c = with_b, with_c
    target = 1 << 62
    for counting in (True, False):  # count all deals, then find the division that holds the one that was drawn
        ways = 0
        for x in range(max(0, -need_b), min(with_b, need_a) + 1):
            for y in range(max(0, -need_c, need_a - x - with_all), min(with_c, need_a - x) + 1):
                if ways <= target:
                    from_b, from_c, rest = x, y, need_a - x - y
                    divisions = BINOMIAL[with_b, x] * BINOMIAL[with_c, y] * BINOMIAL[with_all, rest]
                    ways += divisions * BINOMIAL[without_a + with_all - rest, need_b + x]
        if counting:
            target = int(((mix(key, 0) >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0 * ways)

    a = only_a | subset(a_or_b, from_b, key + 1) | subset(a_or_c, from_c, key + 2)
    b = only_b | (a_or_b & ~a)
    of_all, of_rest = subset_and_next(all_three, need_a - from_b - from_c, key + 3, b_or_c, need_b + from_b, key + 4)
    a |= of_all
    b |= of_rest
    return a, b, cards & ~(a | b)
