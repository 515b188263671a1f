"""Small games that have at once what the games of the package have one by one, for comparing searches.

``bazaar(players, rounds)``: chance with unequal odds, hidden tokens that decide what is legal, actions that some see, some
sense and some do not notice at all, episodes, predicates and a heuristic.  ``sealed(rounds)``: every player makes two hidden
choices in a row at the same time as the other, and one such decision follows directly on the other.  ``draft(players, apart)``:
nothing is hidden, and two to four players have few or many actions with small or large numbers.  Rewards are sixteenths or
thirty-seconds, so that sums of them are exact.  Their states are flat arrays with offsets, which stays possible for any game.
"""

from __future__ import annotations

from typing import Any

from icarus.game import CONTINUES, ENVIRONMENT, UNSEEN, Game, Layout, Word, Words, compiled, random_below

# --- bazaar ----------------------------------------------------------------------------------------------------------
# In turn: the weather (1, 2 or 3) is drawn, then a player acts.  SELL earns the weather, WAIT 2 in bad weather (1), both in
# public.  SMUGGLE earns 1 and BRIBE, which takes a token of 2, earns 3, both in secret: the next player senses that
# something happened, others notice nothing.

SELL, WAIT, SMUGGLE, BRIBE, SOMETHING, WEATHER_IS = 0, 1, 2, 3, 4, 10

PLAYERS, ROUNDS = 0, 1
PLIES = 2  #: actions of players so far
WEATHER = 3  #: 0: still to be drawn
TOKENS = 4  #: one word per player: 0, 1 or 2
POINTS = 8  #: earned in public
SECRETS = 12  #: secret actions
BRIBES = 16  #: how many of them were bribes
BAZAAR_SIZE = 20


def bazaar(players: int = 3, rounds: int = 2, hidden: bool = True) -> Game:
    """``players``: 2 to 4; ``rounds``: 1 to 5; ``hidden``: False lays tokens and actions open."""
    return Game(
        name=f"bazaar({players},{rounds},{hidden})",
        players=players,
        parameters=(players, rounds),
        state_size=BAZAAR_SIZE,
        max_actions=4,
        max_plies=2 * players * rounds,
        max_predicates=3,
        initial=bazaar_initial,
        player=bazaar_player,
        legal=bazaar_legal,
        apply=bazaar_apply,
        terminal=bazaar_terminal,
        rewards=bazaar_rewards,
        sample=bazaar_sample,
        chance=bazaar_chance,
        determinize=bazaar_determinize if hidden else None,
        observe=bazaar_observe if hidden else None,
        episode=bazaar_episode,
        heuristic=bazaar_heuristic,
        predicates=bazaar_predicates,
    )


@compiled
def bazaar_initial(state, rng):
    for i in range(state[PLAYERS]):
        state[TOKENS + i] = random_below(rng, 3)


@compiled
def bazaar_player(state):
    return ENVIRONMENT if state[WEATHER] == 0 else state[PLIES] % state[PLAYERS]


@compiled
def bazaar_legal(state, actions):
    if state[WEATHER] == 0:
        for i in range(3):
            actions[i] = WEATHER_IS + i + 1
        return 3
    for action in range(4):
        actions[action] = action
    return 4 if state[TOKENS + bazaar_player(state)] == 2 else 3


@compiled
def bazaar_sample(state, rng):
    drawn = random_below(rng, 4)
    return WEATHER_IS + (1 if drawn < 2 else drawn)


@compiled
def bazaar_chance(state, probabilities):
    probabilities[0] = 0.5
    probabilities[1] = 0.25
    probabilities[2] = 0.25
    return 3


@compiled
def bazaar_apply(state, action):
    if state[WEATHER] == 0:
        state[WEATHER] = action - WEATHER_IS
        return
    who = bazaar_player(state)
    if action == SELL:
        state[POINTS + who] += state[WEATHER]
    elif action == WAIT:
        state[POINTS + who] += 2 if state[WEATHER] == 1 else 0
    else:
        state[SECRETS + who] += 1
        state[BRIBES + who] += action == BRIBE
    state[PLIES] += 1
    state[WEATHER] = 0


@compiled
def bazaar_terminal(state):
    return state[PLIES] == state[PLAYERS] * state[ROUNDS]


@compiled
def bazaar_rewards(state, out):
    for i in range(state[PLAYERS]):
        out[i] = (state[POINTS + i] + state[SECRETS + i] + 2 * state[BRIBES + i]) / 16


@compiled
def bazaar_determinize(state, observer, rng):
    for i in range(state[PLAYERS]):
        if i != observer:  # tokens 0 and 1 allow no bribe, token 2 any number of them
            drawn = random_below(rng, 2 + state[SECRETS + i] + 1)
            state[TOKENS + i] = min(drawn, 2)
            state[BRIBES + i] = max(drawn - 2, 0)


@compiled
def bazaar_observe(state, action, observer):
    who = bazaar_player(state)
    if action < SMUGGLE or action >= WEATHER_IS or observer == who:
        return action
    return SOMETHING if observer == (who + 1) % state[PLAYERS] else UNSEEN


@compiled
def bazaar_episode(state):
    if state[WEATHER] != 0 or state[PLIES] % state[PLAYERS] != 0:
        return CONTINUES
    return 0 if state[PLIES] == 0 else 1


@compiled
def bazaar_heuristic(state, action):
    return (state[WEATHER] if action == SELL else action + 1) / 8


@compiled
def bazaar_predicates(state, out):
    who = bazaar_player(state)
    out[0] = state[WEATHER]
    out[1] = 10 + state[TOKENS + who]
    if state[POINTS + who] < 3:
        return 2
    out[2] = 20
    return 3


# --- sealed ----------------------------------------------------------------------------------------------------------
# A round: player 0 picks two different numbers of 0, 1, 2 in a row, then player 1 without having seen them; then all are
# shown.  The numbers left over are compared: equal is worth 2 for player 1, else the higher one is worth 1.

OPEN, SHOWN = 8, 16

SEALED_ROUNDS = 0
PICKS = 1  #: picks so far, four per round
PICKED = 2  #: four words: this round's picks
SCORES = 6  #: two words
SEALED_SIZE = 8


def sealed(rounds: int = 2) -> Game:
    """``rounds``: 1 to 8."""
    return Game(
        name=f"sealed({rounds})",
        players=2,
        parameters=(rounds,),
        state_size=SEALED_SIZE,
        max_actions=3,
        max_plies=4 * rounds,
        initial=sealed_initial,
        player=sealed_player,
        legal=sealed_legal,
        apply=sealed_apply,
        terminal=sealed_terminal,
        rewards=sealed_rewards,
        determinize=sealed_determinize,
        observe=sealed_observe,
        simultaneous=sealed_simultaneous,
    )


@compiled
def sealed_initial(state, rng):
    pass


@compiled
def sealed_player(state):
    return (state[PICKS] % 4) // 2


@compiled
def sealed_legal(state, actions):
    first = state[PICKED + state[PICKS] % 4 - 1] if state[PICKS] % 2 == 1 else -1
    count = 0
    for number in range(3):
        actions[count] = number
        count += number != first
    return count


@compiled
def sealed_apply(state, action):
    state[PICKED + state[PICKS] % 4] = action
    state[PICKS] += 1
    if state[PICKS] % 4 == 0:
        left = 3 - state[PICKED] - state[PICKED + 1]
        right = 3 - state[PICKED + 2] - state[PICKED + 3]
        if left > right:
            state[SCORES] += 1
        else:
            state[SCORES + 1] += 2 if left == right else 1


@compiled
def sealed_terminal(state):
    return state[PICKS] == 4 * state[SEALED_ROUNDS]


@compiled
def sealed_rewards(state, out):
    out[0] = (8 + state[SCORES] - state[SCORES + 1] / 2) / 16
    out[1] = 1 - out[0]


@compiled
def sealed_determinize(state, observer, rng):
    known = state[PICKS] % 4
    if observer == 1 and known > 0:
        state[PICKED] = random_below(rng, 3)
        if known > 1:
            state[PICKED + 1] = (state[PICKED] + 1 + random_below(rng, 2)) % 3


@compiled
def sealed_observe(state, action, observer):
    step = state[PICKS] % 4
    if observer == step // 2 and step < 3:
        return action
    if step == 3:  # all is shown: to player 1 with its own pick, to player 0 with both of player 1's
        mine = 3 * state[PICKED] + state[PICKED + 1] if observer == 1 else state[PICKED + 2]
        return SHOWN + 3 * mine + action
    return OPEN if step == 1 else UNSEEN


@compiled
def sealed_simultaneous(state):
    return 1


# --- dress -----------------------------------------------------------------------------------------------------------
# Episodes, predicates and a heuristic for games that have none, from the words of their states alone, whatever their names.


class Dressed(Layout):
    parameters = Words(3)
    one = Word()
    other = Word()


@compiled
def dress_episode(state):
    words = Dressed(state)
    drawn = (words.one + 2 * words.other) % 3
    return drawn if drawn < 2 else CONTINUES


@compiled
def dress_predicates(state, out):
    words = Dressed(state)
    out[0] = words.one % 4
    out[1] = 10 + words.other % 2
    return 1 + words.one % 2


@compiled
def dress_heuristic(state, action):
    return ((action * 5 + Dressed(state).one) % 9) / 8


DRESS: dict[str, Any] = {
    "episode": dress_episode,
    "predicates": dress_predicates,
    "heuristic": dress_heuristic,
    "max_predicates": 2,
}


# --- draft -----------------------------------------------------------------------------------------------------------
# In turn the players take one of the items that are left, in the open: the first of a pair of neighbours earns its number, the
# second 2.  The actions are numbered far apart, if so wished.

APART, ITEMS, TURNS = 1, 2, 3  #: an item's number times the first is its action; how many items there are, and may be taken
LEFT, TAKEN = 4, 5  #: bits of the items left; how many were taken
EARNED = 6
DRAFT_SIZE = 10


def draft(players: int = 2, apart: int = 1, items: int = 8, turns: int = 8) -> Game:
    """``players``: 2 to 4; ``build_process``: between the numbers of two actions; ``items``: at most 60; ``turns``: at most 8."""
    return Game(
        name=f"draft({players},{apart},{items},{turns})",
        players=players,
        parameters=(players, apart, items, turns),
        state_size=DRAFT_SIZE,
        max_actions=items,
        max_plies=turns,
        initial=draft_initial,
        player=draft_player,
        legal=draft_legal,
        apply=draft_apply,
        terminal=draft_terminal,
        rewards=draft_rewards,
    )


@compiled
def draft_initial(state, rng):
    state[LEFT] = (1 << state[ITEMS]) - 1


@compiled
def draft_player(state):
    return state[TAKEN] % state[PLAYERS]


@compiled
def draft_legal(state, actions):
    count = 0
    for item in range(state[ITEMS]):
        if state[LEFT] >> item & 1:
            actions[count] = item * state[APART]
            count += 1
    return count


@compiled
def draft_apply(state, action):
    item = action // state[APART]
    whole = state[LEFT] >> (item ^ 1) & 1
    state[EARNED + state[TAKEN] % state[PLAYERS]] += item % 8 + 1 if whole else 2
    state[LEFT] &= ~(1 << item)
    state[TAKEN] += 1


@compiled
def draft_terminal(state):
    return state[TAKEN] == state[TURNS]


@compiled
def draft_rewards(state, out):
    for i in range(state[PLAYERS]):
        out[i] = state[EARNED + i] / 32
