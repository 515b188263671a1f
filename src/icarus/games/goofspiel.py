"""Goofspiel: bid for prizes with cards, at the same time, each card once.

Both players hold the cards 1 to n.  Each round a prize, also 1 to n, is turned up; both bid a card, the bids are
shown, the higher takes the prize's points, equal bids lose it for both, and the bids are gone.  The last round is
played by itself, as there is nothing left to choose.  More points win the game, equal points draw.

The prizes come in random order, turned up by the environment, or from the highest down or the lowest up (``order``).

A bid is its card, a prize ``PRIZE_TURNED + card``.  Player 0 bids first, hidden: player 1 sees ``HIDDEN``, and in the
move that it sees of its own bid both bids are shown (``BIDS_SHOWN + 16 * first + second``).  All else is public.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Game, Layout, Word, Words, compiled, random_below, size_of

MAX_CARDS = 13
ORDERS = ("random", "descending", "ascending")
RANDOM, DESCENDING, ASCENDING = 0, 1, 2

PRIZE_TURNED, BIDS_SHOWN, HIDDEN = 16, 32, 2**30


class Table(Layout):
    """What lies there; the parameters come first."""

    cards = Word()  #: of each player at the start
    order = Word()  #: of the prizes: RANDOM, DESCENDING or ASCENDING
    prizes = Word()  #: bit c: the prize c has not been turned up
    prize = Word()  #: the prize of this round, 0 if it is still to be turned up
    bid = Word()  #: the hidden bid of player 0, 0 if there is none
    hands = Words(2)  #: bit c: the player has not bid the card c (a hidden bid is still in the hand)
    points = Words(2)


def goofspiel(n: int = 5, order: str = "random") -> Game:
    """``n`` cards each (2-13); ``order`` of the prizes: random, descending or ascending."""
    if not 2 <= n <= MAX_CARDS:
        raise GameError(f"goofspiel is played with 2 to {MAX_CARDS} cards, not {n}")
    if order not in ORDERS:
        raise GameError(f"the order of the prizes is one of {', '.join(ORDERS)}, not {order!r}")
    chance = order == "random"
    return Game(
        name=f"goofspiel({n})" if chance else f'goofspiel({n},"{order}")',
        summary=f"{n} rounds of simultaneous bids, prizes in {order} order",
        players=2,
        parameters=(n, ORDERS.index(order)),
        layout=Table,
        state_size=size_of(Table),
        max_actions=n,
        max_plies=(3 if chance else 2) * (n - 1),
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample if chance else None,
        chance=chance_of_prizes if chance else None,
        determinize=determinize,
        observe=observe,
        simultaneous=simultaneous,
        view=view,
        render=render,
        format_action=format_action,
        format_move=format_move,
        unveils=unveils,
    )


@compiled
def initial(state, rng):
    state.prizes = state.hands[0] = state.hands[1] = (2 << state.cards) - 2
    turn_up_in_order(state)


@compiled
def turn_up_in_order(state):
    """The next prize, unless the environment draws it."""
    if state.order == ASCENDING:
        turn_up(state, lowest(state.prizes))
    elif state.order == DESCENDING:
        turn_up(state, highest(state.prizes))


@compiled
def turn_up(state, card):
    state.prize = card
    state.prizes ^= 1 << card


@compiled
def lowest(cards):
    card = 1
    while (cards >> card) & 1 == 0:
        card += 1
    return card


@compiled
def highest(cards):
    card = MAX_CARDS
    while (cards >> card) & 1 == 0:
        card -= 1
    return card


@compiled
def list_cards(cards, offset, out):
    count = 0
    for card in range(1, MAX_CARDS + 1):
        if (cards >> card) & 1:
            out[count] = offset + card
            count += 1
    return count


@compiled
def random_card(cards, rng):
    count = 0
    for card in range(1, MAX_CARDS + 1):
        count += (cards >> card) & 1
    skip = random_below(rng, count)
    card = 1
    while skip > 0 or (cards >> card) & 1 == 0:
        skip -= (cards >> card) & 1
        card += 1
    return card


@compiled
def player(state):
    if state.prize == 0:
        return ENVIRONMENT
    return 0 if state.bid == 0 else 1


@compiled
def legal(state, actions):
    if state.prize == 0:
        return list_cards(state.prizes, PRIZE_TURNED, actions)
    return list_cards(state.hands[player(state)], 0, actions)


@compiled
def sample(state, rng):
    return PRIZE_TURNED + random_card(state.prizes, rng)


@compiled
def chance_of_prizes(state, probabilities):
    count = 0
    for card in range(1, MAX_CARDS + 1):
        count += (state.prizes >> card) & 1
    for i in range(count):
        probabilities[i] = 1.0 / count
    return count


@compiled
def apply(state, action):
    if state.prize == 0:
        turn_up(state, action - PRIZE_TURNED)
    elif state.bid == 0:
        state.bid = action
    else:
        award(state, state.bid, action)
        state.bid = state.prize = 0
        if state.prizes & (state.prizes - 1) == 0:
            turn_up(state, lowest(state.prizes))
            award(state, lowest(state.hands[0]), lowest(state.hands[1]))
        else:
            turn_up_in_order(state)


@compiled
def award(state, first, second):
    """Settle a round."""
    state.hands[0] ^= 1 << first
    state.hands[1] ^= 1 << second
    if first > second:
        state.points[0] += state.prize
    elif second > first:
        state.points[1] += state.prize


@compiled
def terminal(state):
    return state.hands[0] == 0


@compiled
def rewards(state, out):
    lead = state.points[0] - state.points[1]
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def determinize(state, observer, rng):
    if observer == 1 and state.bid != 0:
        state.bid = random_card(state.hands[0], rng)


@compiled
def observe(state, action, observer):
    if state.prize == 0 or observer == 0:
        return action
    return HIDDEN if state.bid == 0 else BIDS_SHOWN + 16 * state.bid + action


@compiled
def simultaneous(state):
    return state.prize != 0


def view(state: Table, observer: int) -> object:
    bid = int(state.bid) if observer == 0 else bool(state.bid)
    return int(state.prizes), int(state.prize), bid, *map(int, state.hands), *map(int, state.points)


def render(state: Table, observer: int | None = None) -> str:
    lines = [f"prize: {int(state.prize) or '-'}; still to come: {card_list(int(state.prizes))}"]
    for i in range(2):
        lines.append(f"player {i + 1}: {int(state.points[i])} points, cards {card_list(int(state.hands[i]))}")
    if state.bid:
        lines[1] += ", has bid" if observer == 1 else f", has bid {int(state.bid)}"
    return "\n".join(lines)


def card_list(cards: int) -> str:
    return " ".join(str(card) for card in range(1, MAX_CARDS + 1) if cards >> card & 1) or "-"


def format_action(state: Table, action: int) -> str:
    return f"prize {action - PRIZE_TURNED}" if action > PRIZE_TURNED else str(action)


def format_move(state: Table, move: int, observer: int) -> str:
    return "a card, face down" if move == HIDDEN else str((move - BIDS_SHOWN) % 16)


def unveils(state: Table, move: int, observer: int) -> dict[int, int]:
    """With its own bid the second player sees the first's."""
    return {0: 1} if BIDS_SHOWN <= move < HIDDEN else {}
