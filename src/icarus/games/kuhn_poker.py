"""Kuhn poker: one card each from a deck of one card more than players, one chip as ante, and one bet of one chip.

In turn the players pass or bet.  Once someone has bet, everyone else has one more action, again in turn: to bet
(match it) or to pass (fold).  The highest card wins the pot, among those who bet, or among all if nobody did.  When
the game is over the cards are laid open.  The deal is part of the start position; every action is public.

Rewards are linear in the chips won or lost, which lie between -2 and 2 * (players - 1): ``(chips + 2) / (2 *
players)``.  They add up to 1; with two players -2, -1, +1, +2 chips are 0, 0.25, 0.75, 1.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, random_below, size_of

PASS, BET = 0, 1

MAX_PLAYERS = 10


class Table(Layout):
    """The parameter, then the betting, then the cards."""

    players = Word()
    plies = Word()  #: actions so far; player plies % players acts
    first_bet = Word()  #: 0 nobody has bet, else 1 + plies when the first bet was made
    bets = Word()  #: bit i: player i has bet
    cards = Words()  #: by player: 0 is the lowest card, ``players`` the highest


def kuhn_poker(players: int = 2) -> Game:
    """``players``: 2 to 10."""
    if not 2 <= players <= MAX_PLAYERS:
        raise GameError(f"Kuhn poker is for 2 to {MAX_PLAYERS} players, not {players}")
    return Game(
        name="kuhn_poker" if players == 2 else f"kuhn_poker({players})",
        summary=f"{players} players, {players + 1} cards, one bet",
        players=players,
        parameters=(players,),
        layout=Table,
        state_size=size_of(Table) + players,
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
    players = state.players
    left = players + 1  # cards in the deck
    deck = (1 << left) - 1
    if keeper >= 0:
        deck ^= 1 << state.cards[keeper]
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
            state.cards[i] = card


@compiled
def player(state):
    return state.plies % state.players


@compiled
def legal(state, actions):
    actions[0] = PASS
    actions[1] = BET
    return 2


@compiled
def apply(state, action):
    if action == BET:
        state.bets |= 1 << player(state)
        if state.first_bet == 0:
            state.first_bet = state.plies + 1
    state.plies += 1


@compiled
def terminal(state):
    last = state.first_bet - 1 if state.first_bet > 0 else 0
    return state.plies == last + state.players


@compiled
def rewards(state, out):
    players, bets = state.players, state.bets
    pot = 0
    winner = -1
    for i in range(players):
        has_bet = (bets >> i) & 1
        pot += 1 + has_bet
        out[i] = (1 - has_bet) / (2 * players)  # what loses -2 chips is 0
        if (has_bet or bets == 0) and (winner < 0 or state.cards[i] > state.cards[winner]):
            winner = i
    out[winner] += pot / (2 * players)


@compiled
def determinize(state, observer, rng):
    if not terminal(state):
        deal(state, observer, rng)


def is_over(state: Table) -> bool:
    return bool(state.plies == max(int(state.first_bet) - 1, 0) + state.players)


def view(state: Table, observer: int) -> object:
    betting = (int(state.plies), int(state.first_bet), int(state.bets))
    cards = state.cards if is_over(state) else state.cards[observer : observer + 1]
    return betting, tuple(int(card) for card in cards)


def card_name(state: Table, card: int) -> str:
    return "JQK"[card] if state.players == 2 else str(card + 1)


def render(state: Table, observer: int | None = None) -> str:
    hands = (
        card_name(state, int(card)) if observer is None or i == observer or is_over(state) else "?"
        for i, card in enumerate(state.cards)
    )
    return "\n".join(f"player {i + 1}: {hand}, {1 + (int(state.bets) >> i & 1)} in the pot" for i, hand in enumerate(hands))


def format_action(state: Table, action: int) -> str:
    return ("pass", "bet")[action]
