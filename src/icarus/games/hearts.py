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

What the play reveals (:data:`NEVER`), all of it of the form "this player does not hold that card": whoever does not
follow suit has none of the suit; whoever leads a heart before hearts are broken has hearts only; whoever plays a point
to the first trick has only points; whoever does not begin the first trick has no 2 of clubs.  Playing any other card
proves nothing, because it would be legal from every hand that holds it.  Given that, an observer's information set is
uniform: each deal of the unseen cards goes with the same number of ways in which the others can have passed, three of
the 13 cards that a receiver began the play with.  ``determinize`` draws first the deal, then the passing.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from icarus.errors import GameError
from icarus.game import CONTINUES, ENVIRONMENT, Game, State, compiled, mix, random_below, random_bits
from icarus.games._bits import count_bits, lowest
from icarus.games._deal import CARDS, below, deal_three, subset

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
POINTS_OF = np.array([13 if card == 36 else int(card >= 39) for card in range(CARDS)])

# actions: 0 .. 51 play a card, 52 .. 103 choose a card to pass
PASS = 52
EXCHANGE = 104  #: the environment's only outcome when all have chosen
HIDDEN = 105  #: what others see of a choice
RECEIVED = 106  #: plus the three cards, as digits of a number in base 52: what a receiver sees of the exchange
SEEDS = 1 << 31  #: outcomes of a deal, and of the rest of a match

DIRECTIONS = ("left", "right", "across", "hold")
HOLD = 3
RECEIVER = np.array([1, 3, 2, 0])  #: by direction: seats from the giver, clockwise, to the receiver

# state: parameters, then the match, then the trick, then the players
LIMIT = 0  #: points that end the match, or 0 for a single round
FIRST_DIRECTION = 1  #: the direction of the first round (index into DIRECTIONS)
QUEEN_BREAKS = 2  #: 1 if the queen of spades breaks hearts
STAGE = 3  #: one of the stages below
TURN = 4  #: who acts
SEARCHED = 5  #: 1 if the match ends its horizon with the round
ROUND = 6  #: the number, from 0, of this round, or between rounds of the last one
BROKEN = 7  #: 1 if hearts are broken
TRICKS = 8  #: tricks completed in this round
LEADER = 9  #: who led the trick, or will
TRICK = 10  #: the cards of the trick in the order of play, 8 bits each from the lowest, as card + 1
HAND = 11  #: per player: the cards held; a card chosen to be passed stays in the hand until the exchange
PASSED = 15  #: per player: the cards chosen to be passed, kept until the round is over
PLAYED = 19  #: per player: the cards played in this round
NEVER = 23  #: per player: cards, unplayed when the trick began, that everybody knows this player not to hold
POINTS = 27  #: per player: points taken in this round
TOTAL = 31  #: per player: points of all completed rounds
SIZE = 35

PASSING, EXCHANGING, PLAYING, DEALING, OVER = range(5)

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
        state_size=SIZE,
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
        observe=observe,
        simultaneous=simultaneous,
        episode=episode,
        enter_search=enter_search,
        view=view,
        render=render,
        format_action=format_action,
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
    return (state[FIRST_DIRECTION] + state[ROUND]) & 3


@compiled
def receiver(state, i):
    return (i + RECEIVER[direction(state)]) & 3


@compiled
def giver(state, i):
    return (i - RECEIVER[direction(state)]) & 3


@compiled
def begin_round(state, key):
    for i in range(PLAYERS):
        state[HAND + i] = dealt_hand(i, key)
    if direction(state) == HOLD:
        begin_play(state)
    else:
        state[STAGE] = PASSING
        state[TURN] = 0


@compiled
def passable(state):
    """Cards to choose from: above those chosen already, with enough above them to complete the choice."""
    turn = state[TURN]
    hand, chosen = state[HAND + turn], state[PASSED + turn]
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
        state[HAND + i] ^= state[PASSED + i]
    for i in range(PLAYERS):
        state[HAND + receiver(state, i)] |= state[PASSED + i]
    begin_play(state)


# --- playing ---------------------------------------------------------------------------------------------------------


@compiled
def begin_play(state):
    state[STAGE] = PLAYING
    for i in range(PLAYERS):
        if state[HAND + i] & TWO_OF_CLUBS:
            state[LEADER] = state[TURN] = i
        else:
            state[NEVER + i] = TWO_OF_CLUBS


@compiled
def playable(state):
    hand = state[HAND + state[TURN]]
    trick = state[TRICK]
    if trick == 0:
        if state[TRICKS] == 0:
            return hand & TWO_OF_CLUBS
        preferred = hand if state[BROKEN] else hand & ~HEARTS
    else:
        preferred = hand & SUIT_OF[(trick & 255) - 1]
        if preferred == 0 and state[TRICKS] == 0:
            preferred = hand & ~POINTED
    return preferred if preferred else hand


@compiled
def play(state, card):
    turn, trick, cards = state[TURN], state[TRICK], 1 << card
    state[HAND + turn] ^= cards
    state[PLAYED + turn] |= cards
    if trick == 0:
        if cards & HEARTS and not state[BROKEN]:
            state[NEVER + turn] |= DECK ^ HEARTS
    elif not cards & SUIT_OF[(trick & 255) - 1]:
        state[NEVER + turn] |= SUIT_OF[(trick & 255) - 1]
        if cards & POINTED and state[TRICKS] == 0:
            state[NEVER + turn] |= DECK ^ POINTED
    if cards & HEARTS or (cards & QUEEN_OF_SPADES and state[QUEEN_BREAKS]):
        state[BROKEN] = 1
    number = (turn - state[LEADER]) & 3
    state[TRICK] = trick | (card + 1) << 8 * number
    state[TURN] = (turn + 1) & 3
    if number == 3:
        end_trick(state)


@compiled
def end_trick(state):
    trick = state[TRICK]
    best = (trick & 255) - 1
    suit = SUIT_OF[best]
    winner = points = unplayed = 0
    for i in range(PLAYERS):
        card = (trick >> 8 * i & 255) - 1
        points += POINTS_OF[card]
        if SUIT_OF[card] == suit and card >= best:
            best, winner = card, i
        unplayed |= state[HAND + i]
    for i in range(PLAYERS):
        state[NEVER + i] &= unplayed
    winner = (state[LEADER] + winner) & 3
    state[POINTS + winner] += points
    state[TRICK] = 0
    state[TRICKS] += 1
    state[LEADER] = state[TURN] = winner
    if unplayed == 0:
        end_round(state)


@compiled
def end_round(state):
    shot = False
    for i in range(PLAYERS):
        shot |= state[POINTS + i] == 26
    highest = 0
    for i in range(PLAYERS):
        points = state[POINTS + i]
        state[TOTAL + i] += 26 - points if shot else points
        highest = max(highest, state[TOTAL + i])
        state[PASSED + i] = state[PLAYED + i] = state[POINTS + i] = 0
    state[BROKEN] = state[TRICKS] = state[LEADER] = 0
    state[STAGE] = OVER if highest >= state[LIMIT] else DEALING
    state[TURN] = ENVIRONMENT


@compiled
def draw_rounds(state, key):
    """Complete the match with rounds from the table."""
    highest = 0
    while highest < state[LIMIT]:
        key = mix(key, 0)
        row = below(key, ROUND_SCORES.shape[0])
        for i in range(PLAYERS):
            state[TOTAL + i] += ROUND_SCORES[row, i]
            highest = max(highest, state[TOTAL + i])
    state[STAGE] = OVER


# --- the contract ----------------------------------------------------------------------------------------------------


@compiled
def player(state):
    return state[TURN]


@compiled
def legal(state, actions):
    stage = state[STAGE]
    if stage == EXCHANGING:
        actions[0] = EXCHANGE
        return 1
    if stage > PLAYING:
        return 0
    cards = playable(state) if stage == PLAYING else passable(state)
    first = 0 if stage == PLAYING else PASS
    count = 0
    while cards != 0:
        actions[count] = first + lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def sample(state, rng):
    return EXCHANGE if state[STAGE] == EXCHANGING else random_below(rng, SEEDS)


@compiled
def apply(state, action):
    stage = state[STAGE]
    if stage == PLAYING:
        play(state, action)
    elif stage == PASSING:
        turn = state[TURN]
        state[PASSED + turn] |= 1 << (action - PASS)
        if count_bits(state[PASSED + turn]) == 3:
            if turn == PLAYERS - 1:
                state[STAGE] = EXCHANGING
                state[TURN] = ENVIRONMENT
            else:
                state[TURN] = turn + 1
    elif stage == EXCHANGING:
        exchange(state)
    elif state[SEARCHED]:
        draw_rounds(state, action)
    else:
        state[ROUND] += 1
        begin_round(state, action)


@compiled
def terminal(state):
    return state[STAGE] == OVER


@compiled
def rewards(state, out):
    for i in range(PLAYERS):
        total = state[TOTAL + i]
        if state[LIMIT] == 0:
            out[i] = 1.0 - total / 26.0
        else:
            better = equal = 0
            for j in range(PLAYERS):
                better += state[TOTAL + j] < total
                equal += state[TOTAL + j] == total
            # every place is worth 0.5; the first is worth 0.5 more and the last 0.5 less, shared by those who are level
            out[i] = 0.5
            if better == 0:
                out[i] += 0.5 / equal
            if better + equal == PLAYERS:
                out[i] -= 0.5 / equal


@compiled
def observe(state, action, observer):
    stage = state[STAGE]
    if stage == PASSING:
        return action if state[TURN] == observer else HIDDEN
    if stage == EXCHANGING:
        move = 0
        cards = state[PASSED + giver(state, observer)]
        while cards != 0:
            move = move * CARDS + lowest(cards)
            cards &= cards - 1
        return RECEIVED + move
    if stage == DEALING and not state[SEARCHED]:
        return mix(dealt_hand(observer, action), 0) & (SEEDS - 1)
    return action


@compiled
def simultaneous(state):
    return state[STAGE] == PASSING


@compiled
def episode(state):
    """Equation 19 of icarus-2014: 0 is D, 1 + i is L_i."""
    stage = state[STAGE]
    if stage == PLAYING:
        return 1 + state[TURN] if state[TRICK] == 0 else CONTINUES
    if stage == DEALING:
        return 0
    start = stage == PASSING and state[ROUND] == 0 and state[TURN] == 0 and state[PASSED] == 0
    return 0 if start else CONTINUES


@compiled
def enter_search(state):
    state[SEARCHED] = 1


@compiled
def determinize(state, observer, rng):
    stage = state[STAGE]
    if stage > PLAYING:
        return
    key = mix(0, random_bits(rng))
    a, b, c = (observer + 1) & 3, (observer + 2) & 3, (observer + 3) & 3
    unseen = state[HAND + a] | state[HAND + b] | state[HAND + c]
    # cards that the observer passed and that are still held: nobody else can have them
    given = state[PASSED + observer] & unseen if stage == PLAYING else 0
    taker = receiver(state, observer)
    given_a, given_b, given_c = given * (taker == a), given * (taker == b), given * (taker == c)
    hand_a, hand_b, hand_c = deal_three(
        unseen & ~given,
        count_bits(state[HAND + a]) - count_bits(given_a),
        count_bits(state[HAND + b]) - count_bits(given_b),
        count_bits(state[HAND + c]) - count_bits(given_c),
        state[NEVER + a],
        state[NEVER + b],
        state[NEVER + c],
        key,
    )
    state[HAND + a] = hand_a | given_a
    state[HAND + b] = hand_b | given_b
    state[HAND + c] = hand_c | given_c
    if direction(state) == HOLD:
        return
    for i in range(PLAYERS):
        number = count_bits(state[PASSED + i])
        if stage != PLAYING:
            if i != observer:
                state[PASSED + i] = subset(without_highest(state[HAND + i], 3 - number), number, mix(key, i))
        elif i != observer and receiver(state, i) != observer:
            held = state[HAND + receiver(state, i)] | state[PLAYED + receiver(state, i)]
            state[PASSED + i] = subset(held, number, mix(key, i))


# --- for people ------------------------------------------------------------------------------------------------------


def received_by(state: State, observer: int) -> int:
    """The cards that a player got in the exchange of this round."""
    if state[STAGE] != PLAYING or direction(state) == HOLD:
        return 0
    return int(state[PASSED + giver(state, observer)])


def view(state: State, observer: int) -> object:
    public = [*state[:SEARCHED], *state[ROUND:HAND], *state[PLAYED:SIZE]]
    chosen = [int(state[PASSED + i]).bit_count() for i in range(PLAYERS)]
    own = [state[HAND + observer], state[PASSED + observer], received_by(state, observer)]
    return tuple(int(word) for word in (*public, *chosen, *own))


def card_name(card: int) -> str:
    return RANKS[card % 13] + SUITS[card // 13]


def card_names(cards: int) -> str:
    return " ".join(card_name(card) for card in range(CARDS) if cards >> card & 1) or "-"


def format_action(state: State, action: int) -> str:
    if state[STAGE] == DEALING:
        return f"{'the rest of the match' if state[SEARCHED] else 'deal'} {action}"
    if action == EXCHANGE:
        return "exchange"
    return card_name(action) if action < PASS else f"pass {card_name(action - PASS)}"


CARD = re.compile(r"(?:pass\s+)?(10|[2-9TJQKA])\s*([CDSH♣♦♠♥])", re.IGNORECASE)


def parse_action(state: State, text: str) -> int:
    match = CARD.fullmatch(text.strip())
    if match is None:
        raise ValueError("a card is a rank and a suit, like QS, 10H or 2C")
    rank, suit = match[1].upper().replace("T", "10"), match[2].upper().translate(str.maketrans("♣♦♠♥", "CDSH"))
    return SUITS.index(suit) * 13 + RANKS.index(rank) + (PASS if state[STAGE] == PASSING else 0)


def render(state: State, observer: int | None = None) -> str:
    stage, turn, way = int(state[STAGE]), int(state[TURN]), int(direction(state))
    lines = [f"round {int(state[ROUND]) + 1}, passing: {DIRECTIONS[way]}"]
    if stage == OVER:
        lines = ["the game is over"]
    elif stage == DEALING:
        lines = [f"after round {int(state[ROUND]) + 1}"]
    for i, name in enumerate(NAMES):
        hand, chosen, played = (int(state[word + i]) for word in (HAND, PASSED, PLAYED))
        line = f"{'>' if i == turn else ' '} {name:5} {int(state[TOTAL + i]):3d} points"
        if stage <= PLAYING:
            line += f", {int(state[POINTS + i]):2d} in this round, {hand.bit_count():2d} cards"
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
        trick, leader = int(state[TRICK]), int(state[LEADER])
        seats = [i for i in range(PLAYERS) if trick >> 8 * i]
        cards = [f"{NAMES[(leader + i) & 3]} {card_name((trick >> 8 * i & 255) - 1)}" for i in seats]
        lines.append(f"trick {int(state[TRICKS]) + 1}: {', '.join(cards) or NAMES[leader] + ' leads'}")
        lines.append(f"hearts are {'broken' if state[BROKEN] else 'not broken'}")
    return "\n".join(lines)
