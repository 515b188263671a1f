"""Oshi-zumo: two players bid coins at the same time to push a wrestler off the other's end of the field.

Both begin with the same number of coins, and the wrestler stands in the middle of ``2 * size + 1`` places.  In every round both
bid; what was bid is gone.  The higher bid pushes the wrestler one place away from the bidder, equal bids leave it.  The game
ends when the wrestler is off the field, when all coins are spent, or after ``horizon`` rounds; the player who has the wrestler
in the other's half wins, and in the middle it is a draw.  A bid is at least ``min_bid``, or all that is left.  (Buro 2004; the
same rules as in OpenSpiel.)

Player 0 bids first, unseen: player 1 sees ``HIDDEN``, and with its own bid both (``(first + 1) * 1024 + second``).
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, random_below, size_of

HIDDEN = 2**30  #: the move of a bid that the observer does not see
MOST = 1000  #: coins


class Ring(Layout):
    """The parameters, then the game."""

    size = Word()
    horizon = Word()
    min_bid = Word()
    coins = Words(2)  #: left, by player
    place = Word()  #: of the wrestler: 0 and 2 * size + 2 are off the field
    rounds = Word()  #: played
    bid = Word()  #: player 0's bid + 1 until player 1 has bid, else 0


def oshi_zumo(coins: int = 50, size: int = 3, horizon: int = 1000, min_bid: int = 0) -> Game:
    """``coins`` of each player (1-1000), ``size`` places on each side of the middle, ``horizon`` rounds, the lowest bid."""
    if not (1 <= coins <= MOST and 1 <= size <= 100 and 1 <= horizon <= 10_000 and 0 <= min_bid <= coins):
        raise GameError(
            f"oshi-zumo needs 1 to {MOST} coins, a size of 1 to 100, 1 to 10000 rounds and a lowest bid of at most the coins, "
            f"not coins={coins}, size={size}, horizon={horizon}, min_bid={min_bid}"
        )
    rounds = horizon if min_bid == 0 else min(horizon, 2 * coins // min_bid + 1)
    return Game(
        name=f"oshi_zumo({coins},{size},{horizon},{min_bid})",
        summary=f"bid {coins} coins to push a wrestler over {size + 1} places",
        players=2,
        parameters=(size, horizon, min_bid, coins, coins),
        layout=Ring,
        state_size=size_of(Ring),
        max_actions=coins + 1,
        max_plies=2 * rounds,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
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
    state.place = state.size + 1


@compiled
def player(state):
    return 0 if state.bid == 0 else 1


@compiled
def lowest_bid(state, who):
    return min(state.min_bid, state.coins[who])


@compiled
def legal(state, actions):
    who = player(state)
    count = 0
    for bid in range(lowest_bid(state, who), state.coins[who] + 1):
        actions[count] = bid
        count += 1
    return count


@compiled
def apply(state, action):
    if state.bid == 0:
        state.bid = action + 1
        return
    first = state.bid - 1
    state.bid = 0
    state.coins[0] -= first
    state.coins[1] -= action
    state.rounds += 1
    if first > action:
        state.place += 1
    elif action > first:
        state.place -= 1


@compiled
def terminal(state):
    if state.bid != 0:
        return False
    off = state.place == 0 or state.place == 2 * state.size + 2
    spent = state.coins[0] == 0 and state.coins[1] == 0
    return off or spent or state.rounds >= state.horizon


@compiled
def rewards(state, out):
    middle = state.size + 1
    out[0] = 1.0 if state.place > middle else 0.5 if state.place == middle else 0.0
    out[1] = 1.0 - out[0]


@compiled
def determinize(state, observer, rng):
    if observer == 1 and state.bid != 0:
        low = lowest_bid(state, 0)
        state.bid = 1 + low + random_below(rng, state.coins[0] - low + 1)


@compiled
def observe(state, action, observer):
    if observer == 0:
        return action
    return HIDDEN if state.bid == 0 else state.bid * 1024 + action


@compiled
def simultaneous(state):
    return 1


def view(state: Ring, observer: int) -> object:
    bid = int(state.bid) if observer == 0 else bool(state.bid)
    return int(state.place), int(state.rounds), bid, *map(int, state.coins)


def render(state: Ring, observer: int | None = None) -> str:
    field = ["."] * (2 * int(state.size) + 3)
    field[0] = field[-1] = "#"
    field[int(state.place)] = "W"
    lines = ["".join(field)]
    for who in range(2):
        lines.append(f"player {who + 1}: {int(state.coins[who])} coins")
    if state.bid:
        lines[1] += ", has bid" if observer == 1 else f", has bid {int(state.bid) - 1}"
    return "\n".join(lines)


def format_action(state: Ring, action: int) -> str:
    return str(action)


def format_move(state: Ring, move: int, observer: int) -> str:
    return "a bid" if move == HIDDEN else str(move % 1024)


def unveils(state: Ring, move: int, observer: int) -> dict[int, int]:
    """With its own bid the second player sees the first's."""
    return {0: 1} if observer == 1 and state.bid != 0 else {}
