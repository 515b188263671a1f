"""Kuhn poker: one card each from a deck of one card more than players, one chip as ante, and one bet of one chip.

In turn the players pass or bet.  Once someone has bet, everyone else has one more action, again in turn: to bet
(match it) or to pass (fold).  The highest card wins the pot, among those who bet, or among all if nobody did.  When
the game is over the cards are laid open.  The deal is part of the start position; every action is public.

Rewards are linear in the chips won or lost, which lie between -2 and 2 * (players - 1): ``(chips + 2) / (2 *
players)``.  They add up to 1; with two players -2, -1, +1, +2 chips are 0, 0.25, 0.75, 1.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, State, compiled, random_below

PASS, BET = 0, 1

# state: parameter, then the betting, then the cards
PLAYERS = 0
PLIES = 1  #: actions so far; player PLIES % PLAYERS acts
FIRST_BET = 2  #: 0 nobody has bet, else 1 + PLIES when the first bet was made
BETS = 3  #: bit i: player i has bet
CARDS = 4  #: one word per player: 0 is the lowest card, PLAYERS the highest

MAX_PLAYERS = 10


def kuhn_poker(players: int = 2) -> Game:
    """``players``: 2 to 10."""
    if not 2 <= players <= MAX_PLAYERS:
        raise GameError(f"Kuhn poker is for 2 to {MAX_PLAYERS} players, not {players}")
    return Game(
        name="kuhn_poker" if players == 2 else f"kuhn_poker({players})",
        summary=f"{players} players, {players + 1} cards, one bet",
        players=players,
        parameters=(players,),
        state_size=CARDS + players,
        max_actions=2,
        max_plies=2 * players - 1,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize,
        view=view,
        render=render,
        format_action=format_action,
    )


@compiled
def initial(state, rng):
    deal(state, -1, rng)


@compiled
def deal(state, keeper, rng):
    """Deal anew to everyone but ``keeper``."""
    players = state[PLAYERS]
    left = players + 1  # cards in the deck
    deck = (1 << left) - 1
    if keeper >= 0:
        deck ^= 1 << state[CARDS + keeper]
        left -= 1
    for i in range(players):
        if i != keeper:
            skip = random_below(rng, left)
            card = 0
            while skip > 0 or (deck >> card) & 1 == 0:
                skip -= (deck >> card) & 1
                card += 1
            deck ^= 1 << card
            left -= 1
            state[CARDS + i] = card


@compiled
def player(state):
    return state[PLIES] % state[PLAYERS]


@compiled
def legal(state, actions):
    actions[0] = PASS
    actions[1] = BET
    return 2


@compiled
def apply(state, action):
    if action == BET:
        state[BETS] |= 1 << player(state)
        if state[FIRST_BET] == 0:
            state[FIRST_BET] = state[PLIES] + 1
    state[PLIES] += 1


@compiled
def terminal(state):
    last = state[FIRST_BET] - 1 if state[FIRST_BET] > 0 else 0
    return state[PLIES] == last + state[PLAYERS]


@compiled
def rewards(state, out):
    players, bets = state[PLAYERS], state[BETS]
    pot = 0
    winner = -1
    for i in range(players):
        has_bet = (bets >> i) & 1
        pot += 1 + has_bet
        out[i] = (1 - has_bet) / (2 * players)  # what loses -2 chips is 0
        if (has_bet or bets == 0) and (winner < 0 or state[CARDS + i] > state[CARDS + winner]):
            winner = i
    out[winner] += pot / (2 * players)


@compiled
def determinize(state, observer, rng):
    if not terminal(state):
        deal(state, observer, rng)


def is_over(state: State) -> bool:
    return bool(state[PLIES] == max(int(state[FIRST_BET]) - 1, 0) + state[PLAYERS])


def view(state: State, observer: int) -> object:
    betting = tuple(int(word) for word in state[PLIES:CARDS])
    cards = state[CARDS:] if is_over(state) else state[CARDS + observer : CARDS + observer + 1]
    return betting, tuple(int(card) for card in cards)


def card_name(state: State, card: int) -> str:
    return "JQK"[card] if state[PLAYERS] == 2 else str(card + 1)


def render(state: State, observer: int | None = None) -> str:
    hands = (
        card_name(state, int(card)) if observer is None or i == observer or is_over(state) else "?"
        for i, card in enumerate(state[CARDS:])
    )
    return "\n".join(f"player {i}: {hand}, {1 + (int(state[BETS]) >> i & 1)} in the pot" for i, hand in enumerate(hands))


def format_action(state: State, action: int) -> str:
    return ("pass", "bet")[action]
