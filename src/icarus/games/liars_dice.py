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
from icarus.game import Game, Layout, Word, Words, compiled, random_below, size_of

MAX_DICE, MAX_SIDES = 20, 100


class Table(Layout):
    """The parameters, then the bidding, then the dice."""

    dice = Word()  #: of each player
    sides = Word()
    turn = Word()  #: who acts
    bid = Word()  #: 0 none, else the number of the highest bid + 1
    winner = Word()  #: 0 nobody yet, else player + 1
    rolls = Words()  #: player 0's dice, then player 1's: the face, from 1


def liars_dice(dice: int = 1, sides: int = 6) -> Game:
    """``dice`` of each player (1-20) and their ``sides`` (1-100; with one there is nothing to hide)."""
    if not (1 <= dice <= MAX_DICE and 1 <= sides <= MAX_SIDES):
        raise GameError(f"liar's dice needs 1 to {MAX_DICE} dice of 1 to {MAX_SIDES} sides, not dice={dice}, sides={sides}")
    return Game(
        name=f"liars_dice({dice},{sides})",
        summary=f"two players, {dice} dice of {sides} sides each",
        players=2,
        parameters=(dice, sides),
        layout=Table,
        state_size=size_of(Table) + 2 * dice,
        max_actions=2 * dice * sides,  # at first there is no call, later there are fewer bids
        max_plies=2 * dice * sides + 1,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize if sides > 1 else None,  # dice of one side show what they show
        view=view if sides > 1 else None,
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
    for i in range(state.dice):
        state.rolls[who * state.dice + i] = 1 + random_below(rng, state.sides)


@compiled
def player(state):
    return state.turn


@compiled
def legal(state, actions):
    count = 0
    for bid in range(state.bid, 2 * state.dice * state.sides):
        actions[count] = bid
        count += 1
    if state.bid > 0:
        actions[count] = 2 * state.dice * state.sides
        count += 1
    return count


@compiled
def apply(state, action):
    if action < 2 * state.dice * state.sides:
        state.bid = action + 1
        state.turn ^= 1
    else:
        bidder = 1 - state.turn
        state.winner = 1 + (bidder if bid_holds(state) else state.turn)


@compiled
def bid_holds(state):
    """Are there as many dice as bid?"""
    bid = state.bid - 1
    number, face = bid // state.sides + 1, bid % state.sides + 1
    for i in range(2 * state.dice):
        if state.rolls[i] == face or state.rolls[i] == state.sides:
            number -= 1
    return number <= 0


@compiled
def terminal(state):
    return state.winner != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state.winner == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def determinize(state, observer, rng):
    if state.winner == 0:
        roll(state, 1 - observer, rng)


def visible_dice(state: Table, observer: int | None) -> list[tuple[int, ...] | None]:
    """The dice of both players, None where the observer may not look."""
    dice = int(state.dice)
    return [
        tuple(int(face) for face in state.rolls[i * dice : (i + 1) * dice])
        if observer is None or observer == i or state.winner != 0
        else None
        for i in range(2)
    ]


def view(state: Table, observer: int) -> object:
    return int(state.turn), int(state.bid), int(state.winner), *visible_dice(state, observer)


def render(state: Table, observer: int | None = None) -> str:
    lines = [
        f"player {i + 1}: {'?' if dice is None else ' '.join(map(str, dice))}"
        for i, dice in enumerate(visible_dice(state, observer))
    ]
    lines.append(f"bid: {format_action(state, int(state.bid) - 1)}" if state.bid else "no bid yet")
    return "\n".join(lines)


def format_action(state: Table, action: int) -> str:
    """``3x5`` is a bid of three fives."""
    sides = int(state.sides)
    return "liar" if action == 2 * int(state.dice) * sides else f"{action // sides + 1}x{action % sides + 1}"


def parse_action(state: Table, text: str) -> int:
    if text.casefold() in ("liar", "call"):
        return 2 * int(state.dice) * int(state.sides)
    match = re.fullmatch(r"(\d+)\s*[x\s-]\s*(\d+)", text.casefold())
    if match is None or not 1 <= int(match[2]) <= state.sides:
        raise ValueError("a bid is a number of dice and a face, such as 3x5; a call is 'liar'")
    return (int(match[1]) - 1) * int(state.sides) + int(match[2]) - 1
