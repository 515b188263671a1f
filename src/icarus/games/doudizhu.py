"""Dou Di Zhu, "fight the landlord": a hand of 20 cards against two hands of 17, and the side that is out first wins.

The game of ismcts-2012, section VII, and icarus-2014, section 7.1.  54 cards, suits do not matter, the ranks ascend::

    3 4 5 6 7 8 9 T J Q K A 2 B R        B and R are the black and the red joker, one of each

The landlord leads any play of Table I of ismcts-2012:

====================  =================================================================================================
solo, pair, trio      one, two or three cards of a rank; also *runs* of neighbouring ranks from 3 to A (no 2, no joker)
                      of at least five solos, three pairs or two trios
trios with kickers    a trio or a run of trios, with one more card for every trio, or one more pair for every trio
quadplex              four cards of a rank with two kickers, both single cards or both pairs
bomb                  four cards of a rank
nuke                  both jokers
====================  =================================================================================================

In turn the others pass or play the same category, of the same length and with the same kind of kickers, but of higher
rank.  A bomb also beats everything that is neither bomb nor nuke, and the nuke beats everything.  Kickers never count.
After two passes the last to play leads anew; a leader cannot pass.  If the landlord is out of cards first the landlord
scores 1 and the others 0, else the reverse.

What the papers leave open, and what is done here:

* There is no bidding: the landlord's seat is an option.  The landlord's three extra cards are not shown to the others.
* The kickers of one play differ in rank from each other and from the main part, and are not both jokers.  Table I says
  so for the quadplex; for runs of trios it is the rule of the description that the paper cites (J. McLeod, pagat.com),
  and the numbers of plays in Table II speak against equal kickers (benchmarks/doudizhu_branching.py); they do not tell
  whether both jokers could be kickers.
* A quadplex is no bomb: it beats a lower quadplex only, and every bomb beats it.
* A player who cannot beat the table passes by an explicit action, then the only one.

The main part (*base*) and its kickers are two consecutive decisions of one player, the move grouping of ismcts-2012,
section VII-A: first for example ``QQQKKK+solos``, then all kickers at once, ``kickers 49``.  Any set of cards can be
played in at most one way.

Everyone sees every play, hands are hidden.  Passing is voluntary and tells nothing, so ``determinize`` deals all cards
that the observer has not seen to the other two: uniformly over deals of 54 *different* cards, which weights the rank
counts (all that the state holds) hypergeometrically.  Between a base and its kickers the player is known to hold
kickers; then the deal is uniform over those in which that is so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from icarus.errors import GameError
from icarus.game import CONTINUES, Game, Layout, Word, Words, compiled, random_below, size_of

# --- cards -----------------------------------------------------------------------------------------------------------
# A set of ranks is a mask of 15 bits.  A hand is four such masks in one word, the lowest for the ranks held at least
# once, then twice, three times, four times: every question about a hand is a shift, and equal hands are equal words.

NAMES = "3456789TJQKA2BR"
WIDTH = 15
RANKS = (1 << WIDTH) - 1
RUN_RANKS = (1 << 12) - 1  #: 3 to A
JOKERS = 3 << 13
PLANES = 1 | 1 << WIDTH | 1 << 2 * WIDTH | 1 << 3 * WIDTH  #: times a set of ranks: all four copies of each
HALF = (1 << 2 * WIDTH) - 1
DECK = (RANKS ^ JOKERS) * PLANES | JOKERS
LANDLORD_CARDS, PEASANT_CARDS = 20, 17

# --- actions ---------------------------------------------------------------------------------------------------------
# A base is kind << 8 | length << 4 | lowest rank: of two bases of one kind and length the greater number wins.  Kickers
# are SOLO_KICKERS or PAIR_KICKERS with their set of ranks, whatever base they go with.

PASS = 0
SOLO, PAIR, TRIO, TRIO_SOLO, TRIO_PAIR, QUAD_SOLO, QUAD_PAIR, BOMB, NUKE = range(9)
COPIES = np.array([1, 2, 3, 3, 3, 4, 4, 4, 1])  #: of each rank, by kind
ONE = 1 << 4  #: a length of one
BOTH_JOKERS = NUKE << 8 | 2 << 4 | 13
SOLO_KICKERS, PAIR_KICKERS = 1 << 15, 1 << 16

# --- state -----------------------------------------------------------------------------------------------------------


class Round(Layout):
    landlord = Word()  #: seat 0-2
    hands = Words(3)  #: by seat; as parameters all zero (deal at random) or a given deal
    turn = Word()  #: seat of the player who acts
    table = Word()  #: the base to beat, 0 if the player who acts leads
    passes = Word()  #: passes since that base: 0 or 1
    owed = Word()  #: 1 while the kickers of the base on the table are still to be chosen, else 0
    winner = Word()  #: 0 nobody yet, else seat + 1


#: A run of three trios leaves the landlord 11 cards; if no two are alike (one joker and ten of the other ranks) there
#: are C(11, 3) sets of kickers.  Other runs of trios and the quadplex have fewer, and a lead has at most 95 bases.
MAX_ACTIONS = 165
#: All but two cards are played one by one, with two passes after each but the last.  Two passes return the turn to the
#: same player, so at least twice, where another player takes over, there is one pass less.
MAX_PLIES = 52 + 2 * 51 - 2


def doudizhu(landlord: int = 0, deal: str = "") -> Game:
    """``landlord``: seat 0-2.  ``deal``: the hands of seats 0, 1 and 2, separated by spaces and spelled with the ranks
    ``3456789TJQKA2BR``, 20 cards for the landlord and 17 for each of the others; if empty, the seed deals.
    """
    if landlord not in (0, 1, 2):
        raise GameError(f"the landlord's seat must be 0, 1 or 2, not {landlord!r}")
    hands = read_deal(deal, landlord)
    options = [f"landlord={landlord}"] * (landlord != 0) + [f"deal='{' '.join(map(cards, hands))}'"] * any(hands)
    return Game(
        name="doudizhu" + (f"({','.join(options)})" if options else ""),
        summary="Dou Di Zhu: the landlord's 20 cards against two hands of 17, first out wins",
        players=3,
        teams=[int(seat != landlord) for seat in range(3)],
        parameters=(landlord, *hands),
        layout=Round,
        state_size=size_of(Round),
        max_actions=MAX_ACTIONS,
        max_plies=MAX_PLIES,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize,
        episode=episode,
        view=view,
        retrace=retrace,
        render=render,
        format_action=format_action,
        parse_action=parse_action,
        player_names=seat_names(landlord),
    )


# --- hands -----------------------------------------------------------------------------------------------------------


@compiled
def bits(mask):
    """How many bits are set: of a set of ranks its ranks, of a hand its cards."""
    count = 0
    while mask:  # compilers know this loop as one instruction
        mask &= mask - 1
        count += 1
    return count


@compiled
def with_cards(hand, ranks, copies):
    """The hand and so many more cards of each of these ranks."""
    shift = WIDTH * copies
    return hand | (((hand << shift) | ((1 << shift) - 1)) & (ranks * PLANES))


@compiled
def without_cards(hand, ranks, copies):
    """The hand less so many cards of each of these ranks, all of which it holds."""
    played = ranks * PLANES
    return (hand & ~played) | ((hand >> WIDTH * copies) & played)


@compiled
def together(one, other):
    """The cards of two hands in one."""
    for copy in range(4):
        one = with_cards(one, (other >> WIDTH * copy) & RANKS, 1)
    return one


@compiled
def settled(picked):
    """The hand that holds as many cards of each rank as there are bits for it, in whichever planes."""
    some, more = (picked | picked >> 2 * WIDTH) & HALF, picked & (picked >> 2 * WIDTH)
    once, fourth = (some | some >> WIDTH) & RANKS, more & (more >> WIDTH)
    two, three = some & (some >> WIDTH), (more | more >> WIDTH) & RANKS
    return once | (two | three) << WIDTH | (two & three) << 2 * WIDTH | fourth << 3 * WIDTH


@compiled
def split(pool, number, rng):
    """``number`` cards of the pool, each such set as likely as any other, and the rest."""
    left = bits(pool)
    picked = 0
    cards = pool
    while number > 0:
        card = cards & -cards
        cards ^= card
        if random_below(rng, left) < number:
            picked |= card
            number -= 1
        left -= 1
    return settled(picked), settled(pool ^ picked)


@compiled
def lowest(ranks, number):
    """The lowest ``number`` of these ranks."""
    rest = ranks
    for _ in range(number):
        rest &= rest - 1
    return ranks ^ rest


# --- plays -----------------------------------------------------------------------------------------------------------


@compiled
def base_ranks(base):
    return ((1 << ((base >> 4) & 15)) - 1) << (base & 15)


@compiled
def has_kickers(base):
    kind = base >> 8
    return kind >= TRIO_SOLO and kind <= QUAD_PAIR


@compiled
def kickers_wanted(base):
    """One for each trio, two for a quadplex."""
    return 2 if base >> 8 >= QUAD_SOLO else (base >> 4) & 15


@compiled
def kicker_copies(base):
    """1 if the kickers of this base are solos, 2 if they are pairs."""
    kind = base >> 8
    return 1 if kind in (TRIO_SOLO, QUAD_SOLO) else 2


@compiled
def kicker_ranks(hand, base):
    """The ranks of this hand that can be kickers of this base."""
    return (hand >> WIDTH * (kicker_copies(base) - 1)) & RANKS & ~base_ranks(base)


@compiled
def distinct(ranks):
    """How many different kickers these ranks offer to one play: the jokers exclude each other."""
    return bits(ranks) - (ranks & JOKERS == JOKERS)


@compiled
def list_ranks(actions, count, code, ranks):
    while ranks:
        lowest_bit = ranks & -ranks
        actions[count] = code + bits(lowest_bit - 1)
        count += 1
        ranks ^= lowest_bit
    return count


@compiled
def list_runs(actions, count, kind, ranks, shortest):
    starts = ranks
    length = 1
    while starts:
        if length >= shortest:
            count = list_ranks(actions, count, kind << 8 | length << 4, starts)
        starts &= ranks >> length
        length += 1
    return count


@compiled
def list_leads(hand, actions):
    solos = hand & RANKS
    pairs = (hand >> WIDTH) & RANKS
    trios = (hand >> 2 * WIDTH) & RANKS
    quads = hand >> 3 * WIDTH
    count = list_ranks(actions, 0, SOLO << 8 | ONE, solos)
    count = list_ranks(actions, count, PAIR << 8 | ONE, pairs)
    count = list_runs(actions, count, SOLO, solos & RUN_RANKS, 5)
    count = list_runs(actions, count, PAIR, pairs & RUN_RANKS, 3)
    if trios:
        # the main part itself is among the ranks that are counted here
        solo_kickers, pair_kickers = distinct(solos), bits(pairs)
        starts = trios
        length = 1
        while starts:
            code = length << 4
            count = list_ranks(actions, count, TRIO << 8 | code, starts)
            if solo_kickers >= 2 * length:
                count = list_ranks(actions, count, TRIO_SOLO << 8 | code, starts)
            if pair_kickers >= 2 * length:
                count = list_ranks(actions, count, TRIO_PAIR << 8 | code, starts)
            starts &= (trios & RUN_RANKS) >> length
            length += 1
        if solo_kickers >= 3:
            count = list_ranks(actions, count, QUAD_SOLO << 8 | ONE, quads)
        if pair_kickers >= 3:
            count = list_ranks(actions, count, QUAD_PAIR << 8 | ONE, quads)
        count = list_ranks(actions, count, BOMB << 8 | ONE, quads)
    if solos & JOKERS == JOKERS:
        actions[count] = BOTH_JOKERS
        count += 1
    return count


@compiled
def list_answers(hand, table, actions):
    actions[0] = PASS
    if table == BOTH_JOKERS:
        return 1
    count = 1
    kind, length = table >> 8, (table >> 4) & 15
    higher = RANKS & ~((2 << (table & 15)) - 1)
    starts = (hand >> WIDTH * (COPIES[kind] - 1)) & RANKS
    if length > 1:
        ranks = starts & RUN_RANKS
        for step in range(length):
            starts &= ranks >> step
    starts &= higher
    if starts and has_kickers(table):
        held = (hand >> WIDTH * (kicker_copies(table) - 1)) & RANKS
        if distinct(held) < length + kickers_wanted(table):
            starts = 0
    count = list_ranks(actions, count, table & ~15, starts)
    if kind != BOMB:
        count = list_ranks(actions, count, BOMB << 8 | ONE, hand >> 3 * WIDTH)
    if hand & JOKERS == JOKERS:
        actions[count] = BOTH_JOKERS
        count += 1
    return count


@compiled
def list_kickers(hand, base, actions):
    """Every set of kickers, as the binary numbers of equal digit sum in ascending order."""
    ranks = kicker_ranks(hand, base)
    wanted = kickers_wanted(base)
    code = SOLO_KICKERS if kicker_copies(base) == 1 else PAIR_KICKERS
    count = 0
    chosen = lowest(ranks, wanted)
    while True:
        if chosen & JOKERS != JOKERS:
            actions[count] = code | chosen
            count += 1
        # add one at the lowest chosen rank, with carries running over the ranks only, and refill from below
        carried = ((chosen | ~ranks) + (chosen & -chosen)) & ranks
        if carried == 0:
            break
        chosen = carried | lowest(ranks, wanted - bits(carried))
    return count


# --- the game --------------------------------------------------------------------------------------------------------


@compiled
def initial(state, rng):
    landlord = state.landlord
    state.turn = landlord
    if state.hands[0] == 0:
        following = (landlord + 1) % 3
        state.hands[landlord], rest = split(DECK, LANDLORD_CARDS, rng)
        state.hands[following], state.hands[3 - landlord - following] = split(rest, PEASANT_CARDS, rng)


@compiled
def player(state):
    return state.turn


@compiled
def legal(state, actions):
    hand, table = state.hands[state.turn], state.table
    if table == 0:
        return list_leads(hand, actions)
    if state.owed:
        return list_kickers(hand, table, actions)
    return list_answers(hand, table, actions)


@compiled
def apply(state, action):
    turn = state.turn
    following = turn + 1 if turn < 2 else 0
    if action == PASS:
        if state.passes:
            state.table = state.passes = 0
        else:
            state.passes = 1
        state.turn = following
        return
    hand = state.hands[turn]
    if action >= SOLO_KICKERS:
        hand = without_cards(hand, action & RANKS, 1 if action < PAIR_KICKERS else 2)
        state.owed = 0
    else:
        hand = without_cards(hand, base_ranks(action), COPIES[action >> 8])
        state.table = action
        state.passes = 0
        state.owed = has_kickers(action)
    state.hands[turn] = hand
    if hand == 0:
        state.winner = turn + 1
    elif state.owed == 0:
        state.turn = following


@compiled
def terminal(state):
    return state.winner != 0


@compiled
def rewards(state, out):
    landlord_won = state.winner == state.landlord + 1
    for seat in range(3):
        out[seat] = 1.0 if (seat == state.landlord) == landlord_won else 0.0


@compiled
def episode(state):
    """Equation 18 of icarus-2014: an episode begins where a player is about to lead, one label for each player."""
    return state.turn if state.table == 0 else CONTINUES


@compiled
def determinize(state, observer, rng):
    first, second = (observer + 1) % 3, (observer + 2) % 3
    if state.turn == second:
        first, second = second, first
    number = bits(state.hands[first])
    pool = together(state.hands[first], state.hands[second])
    if state.owed and state.turn == first:
        state.hands[first], state.hands[second] = split_with_kickers(pool, number, state.table, rng)
    else:
        state.hands[first], state.hands[second] = split(pool, number, rng)


@compiled
def split_with_kickers(pool, number, base, rng):
    """:func:`split` given that the first hand can pay the kickers of this base."""
    for _ in range(8):  # most hands can; where hardly any can, the other way is short
        hand, rest = split(pool, number, rng)
        if distinct(kicker_ranks(hand, base)) >= kickers_wanted(base):
            return hand, rest
    return split_from_kickers(pool, number, base, rng)


@compiled
def split_from_kickers(pool, number, base, rng):
    """The same, in a time that does not depend on how rare such hands are.

    Drawing kickers first and the rest of the hand after them finds a hand once for every set of its cards that can be
    kickers.  So that each hand is found once, only one of these sets counts: its ranks must be the lowest, and of the
    ``ways`` to take cards of these ranks one is as good as another.  No hand has more than 216 sets (two pairs out of
    four times four cards, beside a quadplex), so no more trials than that are ever expected.
    """
    wanted, copies = kickers_wanted(base), kicker_copies(base)
    candidates = kicker_ranks(pool, base)
    while True:
        kickers = draw_kickers(pool, candidates, wanted, copies, rng)
        hand, rest = split(without_cards(pool, kickers, copies), number - wanted * copies, rng)
        hand = with_cards(hand, kickers, copies)
        if lowest(kicker_ranks(hand, base), wanted) == kickers:
            ways = 1
            remaining = kickers
            while remaining:
                rank = remaining & -remaining
                ways *= choices(hand, rank, copies)
                remaining ^= rank
            if random_below(rng, ways) == 0:
                return hand, rest


@compiled
def draw_kickers(pool, candidates, wanted, copies, rng):
    """The ranks of kickers drawn from the pool, each set of cards that can be kickers as likely as any other."""
    total = 0
    ranks = candidates
    while ranks:
        rank = ranks & -ranks
        total += choices(pool, rank, copies)
        ranks ^= rank
    while True:
        drawn = 0
        for _ in range(wanted):
            ticket = random_below(rng, total)
            ranks = candidates
            rank = 0
            while ticket >= 0:
                rank = ranks & -ranks
                ticket -= choices(pool, rank, copies)
                ranks ^= rank
            drawn |= rank
        if bits(drawn) == wanted and drawn & JOKERS != JOKERS:
            return drawn


@compiled
def choices(hand, rank, copies):
    """In how many ways a kicker of this rank (given as a set) can be taken from the hand's cards."""
    held = bits(hand & (rank * PLANES))
    return held if copies == 1 else held * (held - 1) // 2


# --- for people ------------------------------------------------------------------------------------------------------


def held(hand: int, rank: int) -> int:
    return (hand >> rank & PLANES).bit_count()


def cards(hand: int) -> str:
    """The cards of a hand as text, lowest first."""
    hand = int(hand)
    return "".join([name * held(hand, rank) for rank, name in enumerate(NAMES)])


def hand_of(text: str) -> int:
    """The hand that this text spells; raises ValueError for cards that one deck does not have."""
    hand = 0
    for name in text.upper():
        if name not in NAMES:
            raise ValueError(f"{name!r} is not a rank; the ranks are {' '.join(NAMES)}")
        rank = NAMES.index(name)
        if held(hand, rank) == held(DECK, rank):
            raise ValueError(f"there are too many cards of rank {name}; the deck has {held(DECK, rank)}")
        hand = with_cards(hand, 1 << rank, 1)
    return int(hand)


def read_deal(deal: str, landlord: int) -> tuple[int, ...]:
    """The hands that a deal spells, checked; all zero for an empty deal."""
    hands = deal.split()
    if not hands:
        return (0, 0, 0)
    if len(hands) != 3:
        raise GameError(f"a deal needs 3 hands separated by spaces, not {len(hands)}")
    for seat, hand in enumerate(hands):
        need, who = (LANDLORD_CARDS, "the landlord") if seat == landlord else (PEASANT_CARDS, "the peasant")
        if len(hand) != need:
            raise GameError(f"{who} in seat {seat} must be dealt exactly {need} cards, not {len(hand)}: {hand}")
    try:
        hand_of("".join(hands))
    except ValueError as problem:
        raise GameError(f"the deal {deal!r} is not a deal of one deck: {problem}") from None
    return tuple(hand_of(hand) for hand in hands)


def view(state: Round, observer: int) -> tuple[int, ...]:
    """The public words, the size of each hand, the observer's hand, and the other two hands thrown together."""
    hands = [int(hand) for hand in state.hands]
    sizes = [hand.bit_count() for hand in hands]
    public = map(int, (state.landlord, state.turn, state.table, state.passes, state.owed, state.winner))
    unseen = int(together(hands[(observer + 1) % 3], hands[(observer + 2) % 3]))
    return (*public, *sizes, hands[observer], unseen)


def retrace(start: Round, drawn: Round, seen: Sequence[tuple[int, int]], observer: int, rng: object) -> tuple[list[int], float]:
    """The hands at the start are those now and all that was played from them."""
    hands = [int(hand) for hand in drawn.hands]
    for seat, action in seen:
        if action >= SOLO_KICKERS:
            hands[seat] = int(with_cards(hands[seat], action & RANKS, 1 if action < PAIR_KICKERS else 2))
        elif action != PASS:
            hands[seat] = int(with_cards(hands[seat], base_ranks(action), int(COPIES[action >> 8])))
    for seat, hand in enumerate(hands):
        start.hands[seat] = hand
    return [action for _, action in seen], 0.0


def format_action(state: Round, action: int) -> str:
    """``pass``, the cards (``34567``), ``nuke``, a base that asks for kickers (``QQQ+solo``), or ``kickers 49``."""
    if action == PASS:
        return "pass"
    if action == BOTH_JOKERS:
        return "nuke"
    if action >= SOLO_KICKERS:
        copies = 1 if action < PAIR_KICKERS else 2
        names = [name * copies for rank, name in enumerate(NAMES) if action >> rank & 1]
        return f"kicker{'s' * (len(names) > 1)} {''.join(names)}"
    label = cards(with_cards(0, base_ranks(action), int(COPIES[action >> 8])))
    if has_kickers(action):
        label += ("+solo" if kicker_copies(action) == 1 else "+pair") + "s" * (kickers_wanted(action) > 1)
    return label


KINDS = {
    (1, ""): SOLO,
    (2, ""): PAIR,
    (3, ""): TRIO,
    (4, ""): BOMB,
    (3, "solo"): TRIO_SOLO,
    (3, "pair"): TRIO_PAIR,
    (4, "solo"): QUAD_SOLO,
    (4, "pair"): QUAD_PAIR,
}
PLAYS_LOOK_LIKE = "type cards like 34567 or QQQ, nuke or pass; before kickers the base, like QQQ+solo or 4444+pairs"
KICKERS_LOOK_LIKE = "type the kickers of your play, like 9 or 9J for solos, 99 or 99JJ for pairs"


def parse_action(state: Round, text: str) -> int:
    """Cards in any order and case, with or without blanks: ``7 6 5 4 3``, ``b r`` for the nuke, ``9j`` for kickers."""
    pending = bool(state.owed)
    text = re.sub(r"\s|^kickers?" if pending else r"\s", "", text.casefold())
    if text == "pass":
        return PASS
    hint = KICKERS_LOOK_LIKE if pending else PLAYS_LOOK_LIKE
    main, plus, kickers = text.partition("+")
    try:
        hand = hand_of("BR" if main == "nuke" else main)
    except ValueError as problem:
        raise ValueError(f"{problem}; {hint}") from None
    ranks = hand & RANKS
    first = (ranks & -ranks).bit_length() - 1
    copies = held(hand, first) if hand else 0
    if copies == 0 or hand != with_cards(0, ranks, copies) or (plus and (pending or not kickers)):
        raise ValueError(hint)
    if pending and copies <= 2:
        return (SOLO_KICKERS if copies == 1 else PAIR_KICKERS) | ranks
    if hand == JOKERS:
        return BOTH_JOKERS
    kind = KINDS.get((copies, kickers.removesuffix("s")))
    action = -1 if kind is None else kind << 8 | ranks.bit_count() << 4 | first
    if pending or kind is None or base_ranks(action) != ranks:
        raise ValueError(hint)
    return action


def render(state: Round, observer: int | None = None) -> str:
    names = seat_names(int(state.landlord))
    lines = []
    for seat, name in enumerate(names):
        hand = int(state.hands[seat])
        size = f"{hand.bit_count():2d} card{' ' if hand.bit_count() == 1 else 's'}"
        shown = f"  {cards(hand)}" if observer in (None, seat) else ""
        lines.append(f"{seat} {name:9}  {size}{shown}")
    turn, table = int(state.turn), int(state.table)
    if state.winner:
        lines.append(f"{names[int(state.winner) - 1]} is out of cards")
    elif table == 0:
        lines.append(f"{names[turn]} leads")
    elif state.owed:
        lines.append(f"{names[turn]} chooses the kickers of {format_action(state, table)}")
    else:
        holder = (turn - 1 - int(state.passes)) % 3
        lines.append(f"{names[turn]} to beat {format_action(state, table)} of {names[holder]}")
    return "\n".join(lines)


def seat_names(landlord: int) -> list[str]:
    names = ["landlord", "peasant 1", "peasant 2"]
    return [names[(seat - landlord) % 3] for seat in range(3)]
