"""Hearts for four: avoid the tricks with hearts (1 point each) and the queen of spades (13 points).

Play goes clockwise, North, East, South, West; the next player is the neighbour on the left.  The rules, with the
choices made:

- 13 cards each.  Rounds pass three cards to the left, to the right, across, and not at all, in turn.  Everybody chooses
  before anybody sees what comes; only giver and receiver ever know the cards.
- Whoever holds the 2 of clubs after the pass leads it.  Follow suit if possible; the highest card of the suit led takes
  the trick and leads the next.  Nobody plays a heart or the queen of spades to the first trick unless the hand holds
  nothing else.
- A heart may be led once hearts are broken, or from a hand of nothing but hearts (hearts and the queen of spades: lead
  the queen).  Any heart that is played breaks hearts; the queen of spades does so only with ``queen_breaks_hearts``.
- Taking all 26 points, *shooting the moon*, scores 0 for the shooter and 26 for everybody else.
- :func:`hearts` plays rounds until somebody has ``limit`` points or more after a round.  The lowest total wins: reward
  1 for the first place, 0.5 for the second and third, 0 for the last; equal totals share the rewards of their places.
- :func:`hearts_round` is one round by itself, with the reward ``1 - points / 26`` (the moon: 1 for the shooter, 0 for
  the others).

How it is played here:

- A card to pass is an action of its own, so the three cards are three decisions in a row.  They are chosen in ascending
  order (clubs, diamonds, spades, hearts, each from 2 to ace), which leaves exactly one way to choose each set.
  (Choosing uniformly at each of the three steps is therefore not uniform over sets: it favours the high end of that
  order.)
- When all have chosen, the environment plays ``EXCHANGE``; what each player sees of it are the cards that it receives.
- The first deal is part of the start.  Later deals are actions of the environment: the outcome is a number of 31 bits
  from which all four hands follow.  A player sees 31 bits of a hash of its own hand.  There are more hands than moves,
  so two hands can look alike, with a probability of 2**-31: too rare to matter, since the hash only names a node of a
  tree.
- A state that is to be searched (``enter_search``) has its horizon at the end of the round.  There the environment
  draws whole rounds from 10 000 that were played at random (``icarus.games.hearts_table``) until somebody reaches the
  limit: section 7.2 of icarus-2014.  The table ignores the passing, as passing uniformly random sets does not change
  how random hands are distributed.
- Episodes are those of equation 19: dealing and passing make one, and so does every trick.  The start of the game,
  where the first deal has just been made, begins an episode as the later deals do.

What the play reveals (``never``), all of it of the form "this player does not hold that card": whoever does not
follow suit has none of the suit; whoever leads a heart before hearts are broken has hearts only; whoever plays a point
to the first trick has only points; whoever does not begin the first trick has no 2 of clubs.  Playing any other card
proves nothing, because it would be legal from every hand that holds it.  Given that, an observer's information set is
uniform: each deal of the unseen cards goes with the same number of ways in which the others can have passed, three of
the 13 cards that a receiver began the play with.  ``determinize`` draws first the deal, then the passing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from icarus.errors import GameError
from icarus.game import (
    CONTINUES,
    ENVIRONMENT,
    Game,
    Layout,
    Word,
    Words,
    compiled,
    mix,
    random_below,
    random_bits,
    size_of,
)
from icarus.games._bits import count_bits, lowest
from icarus.games._deal import CARDS, below, deal_three, subset, two_subsets

# cards: 13 * suit + rank, suits C D S H, ranks 2 3 .. K A.  A set of cards is one word, card i = bit i
PLAYERS = 4
NAMES = ("North", "East", "South", "West")
DECK = (1 << CARDS) - 1
SUITS = "CDSH"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
TWO_OF_CLUBS = 1 << 0
QUEEN_OF_SPADES = 1 << 36
HEARTS = 0x1FFF << 39
POINTED = HEARTS | QUEEN_OF_SPADES
SUIT_OF = np.array([0x1FFF << 13 * (card // 13) for card in range(CARDS)], np.int64)

# actions: 0 .. 51 play a card, 52 .. 103 choose a card to pass
PASS = 52
EXCHANGE = 104  #: the environment's only outcome when all have chosen
HIDDEN = 105  #: what others see of a choice
RECEIVED = 106  #: plus the three cards, as digits of a number in base 52: what a receiver sees of the exchange
SEEDS = 1 << 31  #: outcomes of a deal, and of the rest of a match

DIRECTIONS = ("left", "right", "across", "hold")
HOLD = 3
RECEIVER = np.array([1, 3, 2, 0])  #: by direction: seats from the giver, clockwise, to the receiver

PASSING, EXCHANGING, PLAYING, DEALING, OVER = range(5)


class Match(Layout):
    """The parameters, then the match, then the trick, then the players."""

    limit = Word()  #: points that end the match, or 0 for a single round
    first_direction = Word()  #: the direction of the first round (index into DIRECTIONS)
    queen_breaks = Word()  #: 1 if the queen of spades breaks hearts
    stage = Word()  #: one of the stages above
    turn = Word()  #: who acts
    searched = Word()  #: 1 if the match ends its horizon with the round
    round = Word()  #: the number, from 0, of this round, or between rounds of the last one
    broken = Word()  #: 1 if hearts are broken
    tricks = Word()  #: tricks completed in this round
    leader = Word()  #: who led the trick, or will
    trick = Word()  #: the cards of the trick in the order of play, 8 bits each from the lowest, as card + 1
    hands = Words(PLAYERS)  #: the cards held; a card chosen to be passed stays in the hand until the exchange
    passed = Words(PLAYERS)  #: the cards chosen to be passed, kept until the round is over
    played = Words(PLAYERS)  #: the cards played in this round
    never = Words(PLAYERS)  #: cards, unplayed when the trick began, that everybody knows this player not to hold
    points = Words(PLAYERS)  #: points taken in this round
    totals = Words(PLAYERS)  #: points of all completed rounds


#: the scores of 10 000 random rounds, one row each (made by ``python -m icarus.games.hearts_table``)
TABLE_FILE = Path(__file__).with_name("hearts_rounds.npy")
ROUND_SCORES = np.load(TABLE_FILE)
#: CRC-32 of the rows.  Compiled code holds a copy of the table: with this line the source changes when the table does,
#: and with the source the compile cache.
TABLE_CHECKSUM = 0x47B89AA8


def hearts(limit: int = 50, *, queen_breaks_hearts: bool = False) -> Game:
    """A match that ends when somebody has ``limit`` points (1-1000; 50 in icarus-2014) or more after a round."""
    if not isinstance(limit, int) or not 1 <= limit <= 1000:
        raise GameError(f"the limit must be 1 to 1000 points, not {limit!r}; a single round is hearts_round")
    # every round but the last leaves all four below the limit, and gives at least 26 points
    rounds = PLAYERS * (limit - 1) // 26 + 1
    with_pass = rounds - rounds // len(DIRECTIONS)
    return _game(
        name=f"hearts(limit={limit}{', queen_breaks_hearts=True' if queen_breaks_hearts else ''})",
        summary=f"Hearts for four players, to {limit} points",
        parameters=(limit, 0, int(queen_breaks_hearts)),
        max_plies=rounds * CARDS + with_pass * (3 * PLAYERS + 1) + rounds - 1,
    )


def hearts_round(passing: str = "left", *, queen_breaks_hearts: bool = False) -> Game:
    """A single round, with cards passed ``left``, ``right``, ``across`` or not at all (``hold``)."""
    if passing not in DIRECTIONS:
        raise GameError(f"passing is one of {', '.join(DIRECTIONS)}, not {passing!r}")
    return _game(
        name=f"hearts_round(passing={passing}{', queen_breaks_hearts=True' if queen_breaks_hearts else ''})",
        summary=f"one round of Hearts for four players, passing: {passing}",
        parameters=(0, DIRECTIONS.index(passing), int(queen_breaks_hearts)),
        max_plies=CARDS + (0 if passing == "hold" else 3 * PLAYERS + 1),
    )


def _game(name: str, summary: str, parameters: tuple[int, int, int], max_plies: int) -> Game:
    return Game(
        name=name,
        summary=summary,
        players=PLAYERS,
        parameters=parameters,
        layout=Match,
        state_size=size_of(Match),
        max_actions=13,
        max_plies=max_plies,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample,
        determinize=determinize,
        playout=playout,
        observe=observe,
        simultaneous=simultaneous,
        episode=episode,
        enter_search=enter_search,
        view=view,
        retrace=retrace,
        render=render,
        format_action=format_action,
        format_move=format_move,
        unveils=unveils,
        parse_action=parse_action,
        player_names=NAMES,
    )


# --- dealing and passing ---------------------------------------------------------------------------------------------


@compiled
def initial(state, rng):
    begin_round(state, mix(0, random_bits(rng)))


@compiled
def dealt_hand(player, key):
    """The 13 cards that a player is dealt."""
    taken = hand = 0
    for i in range(player + 1):
        taken |= hand
        hand = subset(DECK & ~taken, CARDS // PLAYERS, mix(key, i))
    return hand


@compiled
def direction(state):
    return (state.first_direction + state.round) & 3


@compiled
def receiver(state, i):
    return (i + RECEIVER[direction(state)]) & 3


@compiled
def giver(state, i):
    return (i - RECEIVER[direction(state)]) & 3


@compiled
def begin_round(state, key):
    for i in range(PLAYERS):
        state.hands[i] = dealt_hand(i, key)
    if direction(state) == HOLD:
        begin_play(state)
    else:
        state.stage = PASSING
        state.turn = 0


@compiled
def passable(state):
    """Cards to choose from: above those chosen already, with enough above them to complete the choice."""
    turn = state.turn
    hand, chosen = state.hands[turn], state.passed[turn]
    return without_highest(hand & ~up_to_highest(chosen), 2 - count_bits(chosen))


@compiled
def up_to_highest(cards):
    """Every card of the deck that is not above all of these."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    cards |= cards >> 8
    cards |= cards >> 16
    return cards | cards >> 32


@compiled
def without_highest(cards, number):
    for _ in range(number):
        cards &= up_to_highest(cards) >> 1
    return cards


@compiled
def exchange(state):
    for i in range(PLAYERS):
        state.hands[i] ^= state.passed[i]
    for i in range(PLAYERS):
        state.hands[receiver(state, i)] |= state.passed[i]
    begin_play(state)


# --- playing ---------------------------------------------------------------------------------------------------------


@compiled
def begin_play(state):
    state.stage = PLAYING
    for i in range(PLAYERS):
        if state.hands[i] & TWO_OF_CLUBS:
            state.leader = state.turn = i
        else:
            state.never[i] = TWO_OF_CLUBS


@compiled
def playable(state):
    hand = state.hands[state.turn]
    trick = state.trick
    if trick == 0:
        if state.tricks == 0:
            return hand & TWO_OF_CLUBS
        preferred = hand if state.broken else hand & ~HEARTS
    else:
        preferred = hand & SUIT_OF[(trick & 255) - 1]
        if preferred == 0 and state.tricks == 0:
            preferred = hand & ~POINTED
    return preferred if preferred else hand


@compiled
def play(state, card):
    turn, trick, cards = state.turn, state.trick, 1 << card
    state.hands[turn] ^= cards
    state.played[turn] |= cards
    if trick == 0:
        if cards & HEARTS and not state.broken:
            state.never[turn] |= DECK ^ HEARTS
    else:
        suit = SUIT_OF[(trick & 255) - 1]
        void = cards & suit == 0
        state.never[turn] |= suit if void else 0  # no branch: it could not be predicted
        if void and cards & POINTED and state.tricks == 0:
            state.never[turn] |= DECK ^ POINTED
    state.broken |= cards & breaking(state) != 0
    number = (turn - state.leader) & 3
    state.trick = trick | (card + 1) << 8 * number
    state.turn = (turn + 1) & 3
    if number == 3:
        end_trick(state)


@compiled
def breaking(state):
    """The cards that break hearts."""
    return HEARTS | (QUEEN_OF_SPADES if state.queen_breaks else 0)


@compiled
def points_in(cards):
    return count_bits(cards & HEARTS) + 13 * (cards & QUEEN_OF_SPADES != 0)


@compiled
def end_trick(state):
    trick = state.trick
    best = (trick & 255) - 1
    suit, cards, winner = SUIT_OF[best], 1 << best, 0
    for i in range(1, PLAYERS):
        card = (trick >> 8 * i & 255) - 1
        cards |= 1 << card
        higher = (suit >> card & 1 != 0) & (card > best)
        best = card if higher else best
        winner = i if higher else winner
    hands, never = state.hands, state.never
    unplayed = hands[0] | hands[1] | hands[2] | hands[3]
    for i in range(PLAYERS):
        never[i] &= unplayed
    winner = (state.leader + winner) & 3
    state.points[winner] += points_in(cards)
    state.trick = 0
    state.tricks += 1
    state.leader = state.turn = winner
    if unplayed == 0:
        end_round(state)


@compiled
def end_round(state):
    shot = False
    for i in range(PLAYERS):
        shot |= state.points[i] == 26
    highest = 0
    for i in range(PLAYERS):
        points = state.points[i]
        state.totals[i] += 26 - points if shot else points
        highest = max(highest, state.totals[i])
        state.passed[i] = state.played[i] = state.points[i] = 0
    state.broken = state.tricks = state.leader = 0
    state.stage = OVER if highest >= state.limit else DEALING
    state.turn = ENVIRONMENT


@compiled
def draw_rounds(state, key):
    """Complete the match with rounds from the table."""
    highest = 0
    while highest < state.limit:
        key = mix(key, 0)
        row = below(key, ROUND_SCORES.shape[0])
        for i in range(PLAYERS):
            state.totals[i] += ROUND_SCORES[row, i]
            highest = max(highest, state.totals[i])
    state.stage = OVER


# --- the contract ----------------------------------------------------------------------------------------------------


@compiled
def player(state):
    return state.turn


@compiled
def legal(state, actions):
    stage = state.stage
    if stage == EXCHANGING:
        actions[0] = EXCHANGE
        return 1
    if stage > PLAYING:
        return 0
    cards = playable(state) if stage == PLAYING else passable(state)
    first = 0 if stage == PLAYING else PASS
    size = count_bits(cards)
    for i in range(4):
        actions[i] = first + lowest(cards)
        cards &= cards - 1
    for i in range(4, size):
        actions[i] = first + lowest(cards)
        cards &= cards - 1
    return size


@compiled
def sample(state, rng):
    return EXCHANGE if state.stage == EXCHANGING else random_below(rng, SEEDS)


@compiled
def apply(state, action):
    stage = state.stage
    if stage == PLAYING:
        play(state, action)
    elif stage == PASSING:
        turn = state.turn
        state.passed[turn] |= 1 << (action - PASS)
        if count_bits(state.passed[turn]) == 3:
            if turn == PLAYERS - 1:
                state.stage = EXCHANGING
                state.turn = ENVIRONMENT
            else:
                state.turn = turn + 1
    elif stage == EXCHANGING:
        exchange(state)
    elif state.searched:
        draw_rounds(state, action)
    else:
        state.round += 1
        begin_round(state, action)


@compiled
def terminal(state):
    return state.stage == OVER


@compiled
def playout(state, rng):
    """Step by step until a trick is complete, and from there trick by trick; the same cards by the same random numbers."""
    plies = 0
    while state.stage != OVER:
        if state.stage == PLAYING and state.trick == 0 and state.tricks > 0:
            plies += finish_round(state, rng)
            continue
        if state.turn == ENVIRONMENT:
            action = sample(state, rng)
        elif state.stage == PLAYING:
            action = pick(playable(state), rng)
        else:
            action = PASS + pick(passable(state), rng)
        apply(state, action)
        plies += 1
    return plies


@compiled
def pick(cards, rng):
    """One of these cards; a single one takes no random number."""
    count, before = count_bits(cards), rng[0]
    rank = random_below(rng, count)
    if count == 1:
        rng[0] = before
    for i in range(3):  # mostly there are few cards to choose from; no branch: it could not be predicted
        others = cards & (cards - 1)
        cards = others if i < rank else cards
    for _ in range(3, rank):
        cards &= cards - 1
    return lowest(cards)


@compiled
def finish_round(state, rng):
    """Random play from the first card of a trick, not the first one, to the end of the round; returns how many cards were played.

    What is known of the hands and which cards have been played does not matter any more: the end of the round clears it.
    """
    hands, leader, broken, plies = state.hands, state.leader, state.broken, 0
    breakers = breaking(state)
    while hands[leader] != 0:
        hand = hands[leader]
        preferred = hand if broken else hand & ~HEARTS
        card = pick(preferred if preferred else hand, rng)
        hands[leader] = hand ^ 1 << card
        suit, best, winner, trick = SUIT_OF[card], card, leader, 1 << card
        for i in range(1, PLAYERS):
            seat = (leader + i) & 3
            hand = hands[seat]
            preferred = hand & suit
            card = pick(preferred if preferred else hand, rng)
            hands[seat] = hand ^ 1 << card
            trick |= 1 << card
            higher = (preferred != 0) & (card > best)
            best = card if higher else best
            winner = seat if higher else winner
        state.points[winner] += points_in(trick)
        broken |= trick & breakers != 0
        leader = winner
        plies += PLAYERS
    for i in range(PLAYERS):
        state.never[i] = 0
    end_round(state)
    return plies


@compiled
def rewards(state, out):
    for i in range(PLAYERS):
        total = state.totals[i]
        if state.limit == 0:
            out[i] = 1.0 - total / 26.0
        else:
            better = equal = 0
            for j in range(PLAYERS):
                better += state.totals[j] < total
                equal += state.totals[j] == total
            # every place is worth 0.5; the first is worth 0.5 more and the last 0.5 less, shared by those who are level
            out[i] = 0.5
            if better == 0:
                out[i] += 0.5 / equal
            if better + equal == PLAYERS:
                out[i] -= 0.5 / equal


@compiled
def observe(state, action, observer):
    stage = state.stage
    if stage == PASSING:
        return action if state.turn == observer else HIDDEN
    if stage == EXCHANGING:
        move = 0
        cards = state.passed[giver(state, observer)]
        while cards != 0:
            move = move * CARDS + lowest(cards)
            cards &= cards - 1
        return RECEIVED + move
    if stage == DEALING and not state.searched:
        return mix(dealt_hand(observer, action), 0) & (SEEDS - 1)
    return action


@compiled
def simultaneous(state):
    return state.stage == PASSING


@compiled
def episode(state):
    """Equation 19 of icarus-2014: 0 is D, 1 + i is L_i."""
    stage = state.stage
    if stage == PLAYING:
        return 1 + state.turn if state.trick == 0 else CONTINUES
    if stage == DEALING:
        return 0
    start = stage == PASSING and state.round == 0 and state.turn == 0 and state.passed[0] == 0
    return 0 if start else CONTINUES


@compiled
def enter_search(state):
    state.searched = 1


@compiled
def determinize(state, observer, rng):
    stage = state.stage
    if stage > PLAYING:
        return
    key = mix(0, random_bits(rng))
    a, b, c = (observer + 1) & 3, (observer + 2) & 3, (observer + 3) & 3
    unseen = state.hands[a] | state.hands[b] | state.hands[c]
    # cards that the observer passed and that are still held: nobody else can have them
    given = state.passed[observer] & unseen if stage == PLAYING else 0
    taker = receiver(state, observer)
    given_a, given_b, given_c = given * (taker == a), given * (taker == b), given * (taker == c)
    hand_a, hand_b, hand_c = deal_three(
        unseen & ~given,
        count_bits(state.hands[a]) - count_bits(given_a),
        count_bits(state.hands[b]) - count_bits(given_b),
        count_bits(state.hands[c]) - count_bits(given_c),
        state.never[a],
        state.never[b],
        state.never[c],
        key,
    )
    state.hands[a] = hand_a | given_a
    state.hands[b] = hand_b | given_b
    state.hands[c] = hand_c | given_c
    if direction(state) == HOLD:
        return
    if stage == PLAYING:
        # the observer knows what it passed and what it got; the givers of the other two exchanges are neighbours, or opposite
        giver_of_own = giver(state, observer)
        i = a if giver_of_own != a else b
        j = c if giver_of_own != c else b
        taker, other_taker = receiver(state, i), receiver(state, j)
        state.passed[i], state.passed[j] = two_subsets(
            state.hands[taker] | state.played[taker],
            count_bits(state.passed[i]),
            mix(key, i),
            state.hands[other_taker] | state.played[other_taker],
            count_bits(state.passed[j]),
            mix(key, j),
        )
        return
    for i in (a, b, c):
        number = count_bits(state.passed[i])
        state.passed[i] = subset(without_highest(state.hands[i], 3 - number), number, mix(key, i))


# --- for people ------------------------------------------------------------------------------------------------------


def received_by(state: Match, observer: int) -> int:
    """The cards that a player got in the exchange of this round."""
    if state.stage != PLAYING or direction(state) == HOLD:
        return 0
    return int(state.passed[giver(state, observer)])


def view(state: Match, observer: int) -> object:
    public = [state.limit, state.first_direction, state.queen_breaks, state.stage, state.turn, state.round]
    public += [state.broken, state.tricks, state.leader, state.trick]
    public += [*state.played, *state.never, *state.points, *state.totals]
    chosen = [int(cards).bit_count() for cards in state.passed]
    own = [state.hands[observer], state.passed[observer], received_by(state, observer)]
    return tuple(int(word) for word in (*public, *chosen, *own))


def retrace(start: Match, drawn: Match, seen: Sequence[tuple[int, int]], observer: int, rng: object) -> tuple[list[int], float]:
    """This round from its deal: what is held, what was played, and what was passed say which hands were dealt."""
    played = sum(int(cards).bit_count() for cards in drawn.played)
    start.round, start.stage, start.turn = drawn.round, PASSING, 0
    actions = []
    for i in range(PLAYERS):
        start.totals[i] = drawn.totals[i]
        start.never[i] = start.passed[i] = start.played[i] = 0
        start.hands[i] = drawn.hands[i] | drawn.played[i]
        chosen = int(drawn.passed[i])
        while chosen:
            actions.append(PASS + (chosen & -chosen).bit_length() - 1)
            chosen &= chosen - 1
    if direction(start) == HOLD:
        begin_play(start)
    elif int(drawn.stage) == PLAYING:
        for i in range(PLAYERS):
            start.hands[i] &= ~drawn.passed[giver(drawn, i)]
        for i in range(PLAYERS):
            start.hands[i] |= drawn.passed[i]
        actions.append(EXCHANGE)
    return actions + [card for _, card in seen[len(seen) - played :]], 0.0


def card_name(card: int) -> str:
    return RANKS[card % 13] + SUITS[card // 13]


def card_names(cards: int) -> str:
    return " ".join(card_name(card) for card in range(CARDS) if cards >> card & 1) or "-"


def format_action(state: Match, action: int) -> str:
    if state.stage == DEALING:
        return f"{'the rest of the match' if state.searched else 'deal'} {action}"
    if action == EXCHANGE:
        return "exchange"
    return card_name(action) if action < PASS else f"pass {card_name(action - PASS)}"


def format_move(state: Match, move: int, observer: int) -> str:
    """What the others see of a choice, what a player sees of the exchange, or of a deal."""
    if state.stage == DEALING:
        return "the cards are dealt"
    return "pass a card" if move == HIDDEN else f"exchange: {card_names(received(move))} for {NAMES[observer]}"


def received(move: int) -> int:
    """The cards that a receiver sees in the exchange."""
    rest, cards = move - RECEIVED, 0
    for _ in range(3):
        rest, card = divmod(rest, CARDS)
        cards |= 1 << card
    return cards


def unveils(state: Match, move: int, observer: int) -> dict[int, int]:
    """With the exchange a receiver sees what its giver chose."""
    return {int(giver(state, observer)): 3} if state.stage == EXCHANGING else {}


CARD = re.compile(r"(?:pass\s+)?(10|[2-9TJQKA])\s*([CDSH♣♦♠♥])", re.IGNORECASE)


def parse_action(state: Match, text: str) -> int:
    match = CARD.fullmatch(text.strip())
    if match is None:
        raise ValueError("a card is a rank and a suit, like QS, 10H or 2C")
    rank, suit = match[1].upper().replace("T", "10"), match[2].upper().translate(str.maketrans("♣♦♠♥", "CDSH"))
    return SUITS.index(suit) * 13 + RANKS.index(rank) + (PASS if state.stage == PASSING else 0)


def render(state: Match, observer: int | None = None) -> str:
    stage, turn, way = int(state.stage), int(state.turn), int(direction(state))
    lines = [f"round {int(state.round) + 1}, passing: {DIRECTIONS[way]}"]
    if stage == OVER:
        lines = ["the game is over"]
    elif stage == DEALING:
        lines = [f"after round {int(state.round) + 1}"]
    for i, name in enumerate(NAMES):
        hand, chosen, played = (int(cards[i]) for cards in (state.hands, state.passed, state.played))
        line = f"{'>' if i == turn else ' '} {name:5} {int(state.totals[i]):3d} points"
        if stage <= PLAYING:
            line += f", {int(state.points[i]):2d} in this round, {hand.bit_count():2d} cards"
            if observer is None or observer == i:
                line += f": {card_names(hand)}"
                if chosen:
                    line += f"; {'passes' if stage != PLAYING else 'passed'} {card_names(chosen)}"
                if stage == PLAYING and way != HOLD:
                    line += f"; received {card_names(received_by(state, i))}"
            if played:
                line += f"; played {card_names(played)}"
        lines.append(line)
    if stage == PLAYING:
        trick, leader = int(state.trick), int(state.leader)
        seats = [i for i in range(PLAYERS) if trick >> 8 * i]
        cards = [f"{NAMES[(leader + i) & 3]} {card_name((trick >> 8 * i & 255) - 1)}" for i in seats]
        lines.append(f"trick {int(state.tricks) + 1}: {', '.join(cards) or NAMES[leader] + ' leads'}")
        lines.append(f"hearts are {'broken' if state.broken else 'not broken'}")
    return "\n".join(lines)
