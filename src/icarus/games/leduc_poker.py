"""Leduc poker: two rounds of betting with six cards, and one card on the table that can pair with one's own.

The deck has a jack, a queen and a king of two suits.  Both players put in one chip and get one card.  In turn a player folds
(if there is something to call), calls, or raises: by two chips in the first round, by four in the second, at most twice in a
round.  A round ends when a bet has been called, or nobody has raised.  Between the rounds the environment lays a card open.
In the end a card that pairs with the open one wins, else the higher rank; equal ranks share the pot.  Player 0 acts first in
both rounds.  When the game is over the cards are laid open.  (Southey et al. 2005; the same rules as in OpenSpiel.)

Cards are ``2 * rank + suit``; the outcome that lays a card open is ``SHOW + card``.  Rewards are linear in the chips won or lost,
at most 13: ``(chips + 13) / 26``.
"""

from __future__ import annotations

from icarus.game import ENVIRONMENT, Game, Layout, Word, Words, compiled, random_below, size_of

FOLD, CALL, RAISE, SHOW = 0, 1, 2, 3

CARDS = 6
MOST = 13  #: chips that a player can lose
OBSERVED = 12  #: numbers of an observation


class Table(Layout):
    round = Word()  #: 0 or 1
    turn = Word()  #: who acts
    raises = Word()  #: in this round
    calls = Word()  #: in this round since the last raise
    folded = Word()  #: 0 nobody, else player + 1
    over = Word()
    public = Word()  #: 0 none yet, else the open card + 1
    chips = Words(2)  #: in the pot, by player
    cards = Words(2)  #: by player


def leduc_poker() -> Game:
    """Two players, two rounds of betting."""
    return Game(
        name="leduc_poker",
        summary="two players, six cards, two rounds of betting, one card open on the table",
        players=2,
        layout=Table,
        state_size=size_of(Table),
        max_actions=4,  # three of a player, four cards that may be laid open
        max_plies=9,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample,
        chance=chance,
        determinize=determinize,
        view=view,
        observation=observation,
        observation_shape=(OBSERVED,),
        render=render,
        format_action=format_action,
    )


@compiled
def initial(state, rng):
    for i in range(2):
        state.chips[i] = 1
        state.cards[i] = -1
    state.cards[0] = other_card(state, rng)
    state.cards[1] = other_card(state, rng)


@compiled
def other_card(state, rng):
    """A card that is neither dealt nor open."""
    skip = random_below(rng, cards_left(state))
    card = 0
    while skip > 0 or is_out(state, card):
        if not is_out(state, card):
            skip -= 1
        card += 1
    return card


@compiled
def is_out(state, card):
    return state.cards[0] == card or state.cards[1] == card or state.public == card + 1


@compiled
def cards_left(state):
    left = 0
    for card in range(CARDS):
        if not is_out(state, card):
            left += 1
    return left


@compiled
def player(state):
    return ENVIRONMENT if state.round == 1 and state.public == 0 else state.turn


@compiled
def legal(state, actions):
    count = 0
    if player(state) == ENVIRONMENT:
        for card in range(CARDS):
            if not is_out(state, card):
                actions[count] = SHOW + card
                count += 1
        return count
    if state.chips[state.turn] < state.chips[1 - state.turn]:
        actions[count] = FOLD
        count += 1
    actions[count] = CALL
    count += 1
    if state.raises < 2:
        actions[count] = RAISE
        count += 1
    return count


@compiled
def sample(state, rng):
    return SHOW + other_card(state, rng)


@compiled
def chance(state, probabilities):
    count = cards_left(state)
    for i in range(count):
        probabilities[i] = 1.0 / count
    return count


@compiled
def apply(state, action):
    if action >= SHOW:
        state.public = action - SHOW + 1
        return
    mover = state.turn
    state.turn = 1 - mover
    if action == FOLD:
        state.folded = mover + 1
        state.over = 1
        return
    state.chips[mover] = state.chips[1 - mover]
    if action == RAISE:
        state.chips[mover] += 2 + 2 * state.round
        state.raises += 1
        state.calls = 0
        return
    state.calls += 1
    if state.calls == (1 if state.raises > 0 else 2):
        if state.round == 1:
            state.over = 1
        state.round = 1
        state.turn = state.raises = state.calls = 0


@compiled
def terminal(state):
    return state.over


@compiled
def strength(state, who):
    """Higher wins: a pair before every rank."""
    rank = state.cards[who] // 2
    return 10 if rank == (state.public - 1) // 2 else rank


@compiled
def rewards(state, out):
    if state.folded != 0:
        won = 2 - state.folded
    else:
        first, second = strength(state, 0), strength(state, 1)
        won = -1 if first == second else 0 if first > second else 1
    for i in range(2):
        chips = 0 if won < 0 else state.chips[1 - i] if won == i else -state.chips[i]
        out[i] = (chips + MOST) / (2 * MOST)


@compiled
def determinize(state, observer, rng):
    if not terminal(state):
        state.cards[1 - observer] = -1
        state.cards[1 - observer] = other_card(state, rng)


@compiled
def observation(state, observer, out):
    """The ranks of one's own card and of the open one, chips of both, raises, calls, the round, and one's seat."""
    for i in range(6):
        out[i] = 0.0
    out[state.cards[observer] // 2] = 1.0
    if state.public != 0:
        out[3 + (state.public - 1) // 2] = 1.0
    out[6] = state.chips[observer] / MOST
    out[7] = state.chips[1 - observer] / MOST
    out[8] = state.raises / 2
    out[9] = state.calls / 2
    out[10] = state.round
    out[11] = observer


def view(state: Table, observer: int) -> object:
    betting = (*map(int, (state.round, state.turn, state.raises, state.calls, state.folded, state.over, state.public)),)
    cards = state.cards if state.over else state.cards[observer : observer + 1]
    return betting, tuple(map(int, state.chips)), tuple(map(int, cards))


def card_name(card: int) -> str:
    return "JQK"[card // 2] + "♠♥"[card % 2]


def render(state: Table, observer: int | None = None) -> str:
    lines = []
    for i in range(2):
        card = card_name(int(state.cards[i])) if observer in (None, i) or state.over else "?"
        lines.append(
            f"player {i + 1}: {card}, {int(state.chips[i])} in the pot" + (", has folded" if state.folded == i + 1 else "")
        )
    lines.append(f"on the table: {card_name(int(state.public) - 1) if state.public else '-'}")
    return "\n".join(lines)


def format_action(state: Table, action: int) -> str:
    return ("fold", "call", "raise")[action] if action < SHOW else f"shows {card_name(action - SHOW)}"
