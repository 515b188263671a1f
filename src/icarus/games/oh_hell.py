"""Oh Hell: bid how many tricks you will take, and take exactly so many.

Everybody is dealt ``cards`` cards; one more is turned up, and its suit is trump.  Player 0 bids first and leads, the last player
has dealt.

- In turn everybody bids a number of tricks from 0 to ``cards``.  The dealer, who bids last, may not let the bids add up to the
  number of tricks: somebody is bound to fail.
- Follow suit if possible, else play any card, trumps included.  The highest trump takes the trick, or else the highest card of
  the suit led; who takes it leads the next.
- A trick is a point, and a bid that comes true ten more.  The reward is the score divided by the highest possible one,
  ``cards + 10``.

These are the rules of OpenSpiel's ``oh_hell`` with a fixed number of tricks.

A card is ``13 * suit + rank``, suits C D S H; to bid n is the action ``BID + n``.  Everybody sees every move; hidden are
the other hands and the cards that were not dealt.

*The information set.*  Bids are legal with every hand, and playing a card shows nothing but, where it does not follow, that
the player has none of the suit led.  So the information set is every deal of the unseen cards in which no hand has a card of
a suit that its player is known not to have, all of them equally likely.  ``determinize`` draws the hands of players with such
a suit one after the other, each uniformly from the cards that it may have.  A deal is then proposed with the probability 1 /
(n1 over k1) / (n2 over k2) ..., where k are the sizes of the hands and n the numbers of cards to choose from, which depend on
the hands before; it is accepted in proportion to (n1 over k1)(n2 over k2) ..., so that all deals are equally likely.  The
other hands may be anything: for them the number of ways is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from icarus.errors import GameError
from icarus.game import CONTINUES, Game, Layout, Word, Words, compiled, mix, random_bits, random_unit, size_of
from icarus.games._bits import count_bits, lowest
from icarus.games._deal import subset
from icarus.games.hearts import card_name, card_names

MOST_PLAYERS, SUITS, RANKS = 7, 4, 13
BID = 52
BONUS = 10  #: points for a bid that comes true
SUIT = 0x1FFF  #: the cards of the first suit
BINOMIAL = np.array([[float(comb(n, k)) for k in range(27)] for n in range(53)])

BIDDING, PLAYING, OVER = range(3)


class Table(Layout):
    players = Word()
    cards = Word()  #: of a hand, and so the number of tricks
    suits = Word()
    ranks = Word()
    stage = Word()
    turn = Word()
    leader = Word()
    trump = Word()  #: the card that was turned up
    tricks = Word()  #: completed
    trick = Word()  #: the cards of the trick in the order of play, 8 bits each from the lowest, as card + 1
    bids = Words(MOST_PLAYERS)  #: bid + 1, 0 for none yet
    won = Words(MOST_PLAYERS)  #: tricks taken
    hands = Words(MOST_PLAYERS)  #: sets of cards, card i = bit i
    played = Words(MOST_PLAYERS)
    void = Words(MOST_PLAYERS)  #: the cards of all suits that a player has shown to have none of


def oh_hell(players: int = 3, cards: int = 7, *, suits: int = 4, ranks: int = 13) -> Game:
    """``players``: 2 to 7, with ``cards`` each, from a deck of ``suits`` (1-4) with ``ranks`` (2-13) cards each."""
    if not 2 <= players <= MOST_PLAYERS:
        raise GameError(f"Oh Hell is for 2 to {MOST_PLAYERS} players, not {players}")
    if not 1 <= suits <= SUITS or not 2 <= ranks <= RANKS:
        raise GameError(f"a deck of Oh Hell has 1 to {SUITS} suits with 2 to {RANKS} ranks, not {suits} with {ranks}")
    if not 1 <= cards <= min(26, (suits * ranks - 1) // players):
        most = min(26, (suits * ranks - 1) // players)
        raise GameError(f"{players} players can have 1 to {most} cards each and one that is turned up, not {cards}")
    deck = "" if (suits, ranks) == (SUITS, RANKS) else f", suits={suits}, ranks={ranks}"
    return Game(
        name=f"oh_hell({players}, {cards}{deck})",
        summary=f"{players} players bid how many of {cards} tricks they will take, and try to take exactly so many",
        players=players,
        parameters=(players, cards, suits, ranks),
        layout=Table,
        state_size=size_of(Table),
        max_actions=cards + 1,
        max_plies=players * (cards + 1),
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
    )


# --- the deal and the bids -----------------------------------------------------------------------------------------------------


@compiled
def deck(state):
    cards = 0
    for suit in range(state.suits):
        cards |= ((1 << state.ranks) - 1) << 13 * suit
    return cards


@compiled
def initial(state, rng):
    key = mix(0, random_bits(rng))
    left = deck(state)
    for i in range(state.players):
        state.hands[i] = subset(left, state.cards, mix(key, i))
        left ^= state.hands[i]
    state.trump = lowest(subset(left, 1, mix(key, MOST_PLAYERS)))


@compiled
def forbidden(state):
    """The bid that the dealer may not make; -1 for everybody else."""
    if state.turn != state.players - 1:
        return -1
    left = state.cards
    for i in range(state.players - 1):
        left -= state.bids[i] - 1
    return left


@compiled
def bid(state, number):
    state.bids[state.turn] = number + 1
    state.turn += 1
    if state.turn == state.players:
        state.turn = 0
        state.stage = PLAYING


# --- the play ------------------------------------------------------------------------------------------------------------------


@compiled
def suit_of(card):
    """All cards of its suit."""
    return SUIT << 13 * (card // 13)


@compiled
def playable(state):
    hand, trick = state.hands[state.turn], state.trick
    following = hand & suit_of((trick & 255) - 1) if trick != 0 else hand
    return following if following != 0 else hand


@compiled
def play(state, card):
    turn, trick = state.turn, state.trick
    state.hands[turn] ^= 1 << card
    state.played[turn] |= 1 << card
    if trick != 0:
        led = suit_of((trick & 255) - 1)
        if (1 << card) & led == 0:
            state.void[turn] |= led
    number = (turn - state.leader + state.players) % state.players
    state.trick = trick | (card + 1) << 8 * number
    state.turn = (turn + 1) % state.players
    if number == state.players - 1:
        end_trick(state)


@compiled
def end_trick(state):
    trick = state.trick
    best = (trick & 255) - 1
    trumps = suit_of(state.trump)
    winner = 0
    for i in range(1, state.players):
        card = ((trick >> 8 * i) & 255) - 1
        same = suit_of(card) == suit_of(best)
        if (same and card > best) or (not same and (1 << card) & trumps != 0):
            best, winner = card, i
    winner = (state.leader + winner) % state.players
    state.won[winner] += 1
    state.trick = 0
    state.tricks += 1
    state.leader = winner
    state.turn = winner
    if state.tricks == state.cards:
        state.stage = OVER


# --- the contract --------------------------------------------------------------------------------------------------------------


@compiled
def player(state):
    return state.turn


@compiled
def legal(state, actions):
    count = 0
    if state.stage == BIDDING:
        refused = forbidden(state)
        for number in range(state.cards + 1):
            if number != refused:
                actions[count] = BID + number
                count += 1
        return count
    cards = playable(state)
    while cards != 0:
        actions[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def apply(state, action):
    if action >= BID:
        bid(state, action - BID)
    else:
        play(state, action)


@compiled
def terminal(state):
    return state.stage == OVER


@compiled
def rewards(state, out):
    for i in range(state.players):
        points = state.won[i] + (BONUS if state.won[i] == state.bids[i] - 1 else 0)
        out[i] = points / (state.cards + BONUS)


@compiled
def episode(state):
    """The bids make an episode, and so does every trick."""
    if state.stage == PLAYING:
        return 1 + state.turn if state.trick == 0 else CONTINUES
    return 0 if state.turn == 0 else CONTINUES


@compiled
def unseen_by(state, observer):
    """The cards that others hold or that were not dealt."""
    cards = deck(state) & ~(1 << state.trump) & ~state.hands[observer]
    for i in range(state.players):
        cards &= ~state.played[i]
    return cards


@compiled
def most_to_choose_from(state, observer, unseen, i):
    """At most so many of the cards that player i may have are left when those before it that lack a suit have theirs."""
    own = unseen & ~state.void[i]
    number = count_bits(own)
    for j in range(i):
        if j != observer and state.void[j] != 0:
            elsewhere = count_bits(unseen & ~state.void[j] & ~own)
            number -= max(0, state.cards - count_bits(state.played[j]) - elsewhere)
    return number


@compiled
def determinize(state, observer, rng):
    if terminal(state):
        return
    unseen = unseen_by(state, observer)
    left = unseen
    share = -1.0
    while random_unit(rng) >= share:
        key = mix(0, random_bits(rng))
        left = unseen
        share = 1.0
        for i in range(state.players):
            if i != observer and state.void[i] != 0:
                may = left & ~state.void[i]
                size, number = state.cards - count_bits(state.played[i]), count_bits(may)
                share *= BINOMIAL[number, size] / BINOMIAL[most_to_choose_from(state, observer, unseen, i), size]
                if share == 0.0:  # too few are left
                    break
                state.hands[i] = subset(may, size, mix(key, i))
                left ^= state.hands[i]
    key = mix(0, random_bits(rng))
    for i in range(state.players):
        if i != observer and state.void[i] == 0:
            state.hands[i] = subset(left, state.cards - count_bits(state.played[i]), mix(key, i))
            left ^= state.hands[i]


# --- for people ----------------------------------------------------------------------------------------------------------------


def view(state: Table, observer: int) -> object:
    public = [state.stage, state.turn, state.leader, state.trump, state.tricks, state.trick]
    public += [*state.bids, *state.won, *state.played, *state.void]
    return tuple(int(word) for word in (*public, state.hands[observer]))


def retrace(start: Table, drawn: Table, seen: Sequence[tuple[int, int]], observer: int, rng: object) -> tuple[list[int], float]:
    """The hands at the start are those now and all that was played from them."""
    for i in range(int(drawn.players)):
        start.hands[i] = drawn.hands[i] | drawn.played[i]
    return [action for _, action in seen], 0.0


def trick_of(state: Table) -> list[tuple[int, int]]:
    """Who has played which card to the trick."""
    players, trick = int(state.players), int(state.trick)
    return [((int(state.leader) + i) % players, (trick >> 8 * i & 255) - 1) for i in range(players) if trick >> 8 * i]


def points_of(state: Table, who: int) -> int:
    """The score so far, as if the hand ended here."""
    return int(state.won[who]) + BONUS * int(state.won[who] == state.bids[who] - 1)


def format_action(state: Table, action: int) -> str:
    return card_name(action) if action < BID else f"bid {action - BID}"


def render(state: Table, observer: int | None = None) -> str:
    lines = [f"trump: {card_name(int(state.trump))}; {int(state.tricks)} of {int(state.cards)} tricks played"]
    for i in range(int(state.players)):
        hand, bid_made = int(state.hands[i]), int(state.bids[i]) - 1
        acts = int(state.stage) != OVER and i == int(state.turn)
        line = f"{'>' if acts else ' '} player {i + 1}: bid {'-' if bid_made < 0 else bid_made}, {int(state.won[i])} taken"
        line += f", {hand.bit_count()} cards" + (f": {card_names(hand)}" if observer in (None, i) else "")
        lines.append(line)
    cards = [f"player {who + 1} {card_name(card)}" for who, card in trick_of(state)]
    if int(state.stage) == PLAYING:
        lines.append(f"trick: {', '.join(cards) or f'player {int(state.leader) + 1} leads'}")
    elif int(state.stage) == OVER:
        lines.append("points: " + ", ".join(str(points_of(state, i)) for i in range(int(state.players))))
    return "\n".join(lines)
