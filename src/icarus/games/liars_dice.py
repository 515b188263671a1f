"""Liar's dice for two: bid on how often a face lies on the table, dice hidden, until one calls the other a liar.

Both players roll ``dice`` dice in secret.  In turn a player raises the bid, a number of dice and a face, or calls
(not before the first bid).  A bid is higher if its number is higher, or equal with a higher face.  The highest face
is wild: it counts as every face.  When a player calls, all dice are shown: with at least as many matches as bid the
bidder wins, else the caller.

Bids are numbered in rising order, ``(number - 1) * sides + face - 1``, and the call comes after the last bid.  The
roll is part of the start position; every action is public.  The dice are told apart, so uniform over states is
uniform over rolls.
"""

from __future__ import annotations

import re

from icarus.errors import GameError
from icarus.game import Game, State, compiled, random_below

# state: parameters, then the bidding, then the dice
DICE, SIDES = 0, 1
TURN = 2  #: who acts
BID = 3  #: 0 none, else the number of the highest bid + 1
WINNER = 4  #: 0 nobody yet, else player + 1
ROLLS = 5  #: player 0's dice, then player 1's: the face, from 1

MAX_DICE, MAX_SIDES = 20, 100


def liars_dice(dice: int = 1, sides: int = 6) -> Game:
    """``dice`` of each player (1-20) and their ``sides`` (2-100)."""
    if not (1 <= dice <= MAX_DICE and 2 <= sides <= MAX_SIDES):
        raise GameError(f"liar's dice needs 1 to {MAX_DICE} dice of 2 to {MAX_SIDES} sides, not dice={dice}, sides={sides}")
    return Game(
        name=f"liars_dice({dice},{sides})",
        summary=f"two players, {dice} dice of {sides} sides each",
        players=2,
        parameters=(dice, sides),
        state_size=ROLLS + 2 * dice,
        max_actions=2 * dice * sides,  # at first there is no call, later there are fewer bids
        max_plies=2 * dice * sides + 1,
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
        parse_action=parse_action,
    )


@compiled
def initial(state, rng):
    roll(state, 0, rng)
    roll(state, 1, rng)


@compiled
def roll(state, who, rng):
    for i in range(state[DICE]):
        state[ROLLS + who * state[DICE] + i] = 1 + random_below(rng, state[SIDES])


@compiled
def player(state):
    return state[TURN]


@compiled
def legal(state, actions):
    count = 0
    for bid in range(state[BID], 2 * state[DICE] * state[SIDES]):
        actions[count] = bid
        count += 1
    if state[BID] > 0:
        actions[count] = 2 * state[DICE] * state[SIDES]
        count += 1
    return count


@compiled
def apply(state, action):
    if action < 2 * state[DICE] * state[SIDES]:
        state[BID] = action + 1
        state[TURN] ^= 1
    else:
        bidder = 1 - state[TURN]
        state[WINNER] = 1 + (bidder if bid_holds(state) else state[TURN])


@compiled
def bid_holds(state):
    """Are there as many dice as bid?"""
    bid = state[BID] - 1
    number, face = bid // state[SIDES] + 1, bid % state[SIDES] + 1
    for i in range(2 * state[DICE]):
        if state[ROLLS + i] == face or state[ROLLS + i] == state[SIDES]:
            number -= 1
    return number <= 0


@compiled
def terminal(state):
    return state[WINNER] != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state[WINNER] == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def determinize(state, observer, rng):
    if state[WINNER] == 0:
        roll(state, 1 - observer, rng)


def visible_dice(state: State, observer: int | None) -> list[tuple[int, ...] | None]:
    """The dice of both players, None where the observer may not look."""
    dice = int(state[DICE])
    return [
        tuple(int(face) for face in state[ROLLS + i * dice : ROLLS + (i + 1) * dice])
        if observer is None or observer == i or state[WINNER] != 0
        else None
        for i in range(2)
    ]


def view(state: State, observer: int) -> object:
    return int(state[TURN]), int(state[BID]), int(state[WINNER]), *visible_dice(state, observer)


def render(state: State, observer: int | None = None) -> str:
    lines = [
        f"player {i}: {'?' if dice is None else ' '.join(map(str, dice))}" for i, dice in enumerate(visible_dice(state, observer))
    ]
    lines.append(f"bid: {format_action(state, int(state[BID]) - 1)}" if state[BID] else "no bid yet")
    return "\n".join(lines)


def format_action(state: State, action: int) -> str:
    """``3x5`` is a bid of three fives."""
    sides = int(state[SIDES])
    return "liar" if action == 2 * int(state[DICE]) * sides else f"{action // sides + 1}x{action % sides + 1}"


def parse_action(state: State, text: str) -> int:
    if text.casefold() in ("liar", "call"):
        return 2 * int(state[DICE]) * int(state[SIDES])
    match = re.fullmatch(r"(\d+)\s*[x\s-]\s*(\d+)", text.casefold())
    if match is None or not 1 <= int(match[2]) <= state[SIDES]:
        raise ValueError("a bid is a number of dice and a face, such as 3x5; a call is 'liar'")
    return (int(match[1]) - 1) * int(state[SIDES]) + int(match[2]) - 1
