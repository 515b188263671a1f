"""Mancala (Kalah): seeds are sown around the board, and who has more of them in the end wins.

Each player has six pits of four seeds and a store::

        13 12 11 10  9  8
     0                     7
         1  2  3  4  5  6

Player 0 has the pits 1 to 6 and the store 7, player 1 the pits 8 to 13 and the store 0.  A move takes all seeds of an own
pit and drops one into each pit that follows, counter-clockwise, own store included and the opponent's left out.  If the
last seed falls into the own store the player moves again.  If it falls into an own pit that was empty, with seeds in the
opposite pit, all of these go to the store.  The game ends as soon as one side has no seeds in its pits; what is left
belongs to the side where it lies.  More seeds win, equal numbers draw.  After 1000 moves the game ends as if a side were
empty, which no game has been seen to need.  Perfect information.

Action = pit.
"""

from __future__ import annotations

from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import count_bits, nth_bit

PITS = 6  #: of each player
SEEDS = 4  #: in each, at the start
AROUND = 2 * PITS + 2  #: pits and stores
LONGEST = 1000


class Board(Layout):
    """A position."""

    player = Word()  #: who acts
    plies = Word()
    seeds = Words(AROUND)  #: in each pit and store


def mancala() -> Game:
    """Six pits of four seeds each."""
    return Game(
        name="mancala",
        summary="sow seeds around the board and gather more than the other",
        players=2,
        layout=Board,
        state_size=size_of(Board),
        max_actions=PITS,
        max_plies=LONGEST,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
        key=key,
        render=render,
        format_action=format_action,
        player_names=("South", "North"),
    )


@compiled
def initial(state, rng):
    for pit in range(AROUND):
        state.seeds[pit] = SEEDS
    state.seeds[store(0)] = state.seeds[store(1)] = 0


@compiled
def store(player):
    return PITS + 1 if player == 0 else 0


@compiled
def first_pit(player):
    return 1 if player == 0 else PITS + 2


@compiled
def player(state):
    return state.player


@compiled
def legal(state, actions):
    count = 0
    first = first_pit(state.player)
    for pit in range(first, first + PITS):  # without a branch: write always, advance if there are seeds
        actions[count] = pit
        count += state.seeds[pit] > 0
    return count


@compiled
def apply(state, action):
    mover = state.player
    own, other = store(mover), store(1 - mover)
    left, pit = state.seeds[action], action
    state.seeds[action] = 0
    while left > 0:
        pit = pit + 1 if pit < AROUND - 1 else 0
        if pit != other:
            state.seeds[pit] += 1
            left -= 1
    first = first_pit(mover)
    if state.seeds[pit] == 1 and pit >= first and pit < first + PITS and state.seeds[AROUND - pit] > 0:
        state.seeds[own] += 1 + state.seeds[AROUND - pit]
        state.seeds[pit] = state.seeds[AROUND - pit] = 0
    if pit != own:
        state.player = 1 - mover
    state.plies += 1


@compiled
def in_pits(state, player):
    """Seeds in the pits of a player."""
    first, total = first_pit(player), 0
    for pit in range(first, first + PITS):
        total += state.seeds[pit]
    return total


@compiled
def terminal(state):
    return in_pits(state, 0) == 0 or in_pits(state, 1) == 0 or state.plies == LONGEST


@compiled
def rewards(state, out):
    lead = in_pits(state, 0) + state.seeds[store(0)] - in_pits(state, 1) - state.seeds[store(1)]
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def filled(state, player):
    """The pits of a player that hold seeds, as a set: the first is bit 0."""
    first, pits = first_pit(player), 0
    for i in range(PITS):
        pits |= (1 if state.seeds[first + i] > 0 else 0) << i
    return pits


@compiled
def playout(state, rng):
    """Random moves, drawn as they would be from a list."""
    plies = 0
    while state.plies < LONGEST:
        pits, others = filled(state, state.player), filled(state, 1 - state.player)
        if pits == 0 or others == 0:
            break
        count = count_bits(pits)
        apply(state, first_pit(state.player) + nth_bit(pits, random_below(rng, count) if count > 1 else 0))
        plies += 1
    return plies


@compiled
def key(state):
    found = mix(0, state.player)
    for pit in range(AROUND):
        found = mix(found, state.seeds[pit])
    return found


def format_action(state: Board, action: int) -> str:
    return str(action)


def render(state: Board, observer: int | None = None) -> str:
    seeds = [f"{int(number):2d}" for number in state.seeds]
    upper, lower = " ".join(seeds[: PITS + 1 : -1]), " ".join(seeds[1 : PITS + 1])
    return f"   {upper}\n{seeds[0]}{' ' * (len(lower) + 2)}{seeds[PITS + 1]}\n   {lower}"
