"""Sailing: cross a lake of n x n waypoints against a wind that turns at random, as cheaply as possible.

The boat goes from one corner to the opposite one, each time to one of the eight neighbours.  A leg costs 1 with the wind from
behind, 2, 3 and 4 the closer it goes to the wind, and straight into the wind it cannot go; to change the tack, from wind on one
side to wind on the other, costs 3 more.  After each leg the wind turns by at most 45 degrees (Vanderbei's problem, as used for
UCT by Kocsis and Szepesvári, 2006).  The score is minus the cost; a boat that has not arrived after 8 n legs pays 10 for every
leg that it is away.

Directions are numbered clockwise from north: 0 north, 2 east, 4 south, 6 west.  An action is the direction of the next leg, an
outcome the direction that the wind blows to.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Game, Layout, Word, compiled, mix, random_unit, size_of
from icarus.games._svg import action, dot, image, line, text

NAMES = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
TACK, AWAY, LEGS = 3, 10, 8


class Lake(Layout):
    """Where the boat is; the parameter comes first."""

    n = Word()
    x = Word()  #: from 0, to the east
    y = Word()  #: from 0, to the north
    wind = Word()  #: the direction that it blows to
    tack = Word()  #: 0: none yet, or the wind is straight behind; 1, 2: the side that it comes from
    legs = Word()
    cost = Word()
    turning = Word()  #: the wind is about to turn


def sailing(n: int = 10) -> Game:
    """A lake of ``n`` x ``n`` waypoints (2-100)."""
    if not 2 <= n <= 100:
        raise GameError(f"the lake has 2 to 100 waypoints on each side, not {n}")
    return Game(
        name=f"sailing({n})",
        summary=f"cross a lake of {n} x {n} waypoints; the wind turns at random",
        players=1,
        parameters=(n,),
        layout=Lake,
        state_size=size_of(Lake),
        max_actions=8,
        max_plies=2 * LEGS * n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        sample=sample,
        chance=chance,
        key=key,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Sailor",),
    )


@compiled
def initial(state, rng):
    state.wind = int(8 * random_unit(rng))


@compiled
def player(state):
    return ENVIRONMENT if state.turning != 0 else 0


@compiled
def east(direction):
    return 0 if direction == 0 or direction == 4 else 1 if direction < 4 else -1


@compiled
def north(direction):
    return 0 if direction == 2 or direction == 6 else -1 if direction > 2 and direction < 6 else 1


@compiled
def leg_cost(wind, direction):
    """1 with the wind to 4 close to it; 0: it blows from straight ahead."""
    angle = (direction - wind) & 7
    away = min(angle, 8 - angle)
    return 0 if away == 4 else 1 + away


@compiled
def tack_of(wind, direction):
    """The side that the wind comes from: 1 or 2; 0 from straight behind."""
    angle = (direction - wind) & 7
    return 0 if angle == 0 else 1 if angle < 4 else 2


@compiled
def can_go(state, direction):
    x, y = state.x + east(direction), state.y + north(direction)
    return x >= 0 and x < state.n and y >= 0 and y < state.n and leg_cost(state.wind, direction) != 0


@compiled
def legal(state, actions):
    count = 0
    if state.turning != 0:
        for turn in range(3):
            actions[count] = (state.wind + turn - 1) & 7
            count += 1
        return count
    for direction in range(8):
        if can_go(state, direction):
            actions[count] = direction
            count += 1
    return count


@compiled
def turn_odds(wind, turn):
    """The probability that the wind turns left (0), stays (1), or turns right (2)."""
    if wind == 0:
        return 0.4 if turn == 1 else 0.3
    if wind == 4:
        return 0.2 if turn == 1 else 0.4
    if wind < 4:
        return 0.4 if turn == 0 else 0.3
    return 0.4 if turn == 2 else 0.3


@compiled
def chance(state, out):
    for turn in range(3):
        out[turn] = turn_odds(state.wind, turn)
    return 3


@compiled
def sample(state, rng):
    left, turn = random_unit(rng), 0
    while turn < 2 and left >= turn_odds(state.wind, turn):
        left -= turn_odds(state.wind, turn)
        turn += 1
    return (state.wind + turn - 1) & 7


@compiled
def arrived(state):
    return state.x == state.n - 1 and state.y == state.n - 1


@compiled
def apply(state, move):
    if state.turning != 0:
        state.wind = move
        state.turning = 0
        return
    tack = tack_of(state.wind, move)
    if tack + state.tack == 3:
        state.cost += TACK
    if tack != 0:
        state.tack = tack
    state.cost += leg_cost(state.wind, move)
    state.x += east(move)
    state.y += north(move)
    state.legs += 1
    if not arrived(state):
        if state.legs < LEGS * state.n:
            state.turning = 1
        else:
            state.cost += AWAY * max(state.n - 1 - state.x, state.n - 1 - state.y)


@compiled
def terminal(state):
    return arrived(state) or (state.turning == 0 and state.legs == LEGS * state.n)


@compiled
def rewards(state, out):
    out[0] = max(1.0 - state.cost / ((4 + TACK) * LEGS * state.n + AWAY * state.n), 0.0)


@compiled
def score(state):
    return -float(state.cost)


@compiled
def key(state):
    place = mix(state.x, state.y)
    return mix(mix(place, 16 * state.wind + 2 * state.tack + state.turning), mix(state.legs, state.cost))


def format_action(state: Lake, move: int) -> str:
    return NAMES[move]


def render(state: Lake, observer: int | None = None) -> str:
    n, here = int(state.n), (int(state.x), int(state.y))
    lines = [
        "".join("B" if (x, y) == here else "G" if (x, y) == (n - 1, n - 1) else "." for x in range(n)) for y in reversed(range(n))
    ]
    return "\n".join([*lines, f"the wind blows to {NAMES[int(state.wind)]}, cost {int(state.cost)}, leg {int(state.legs)}"])


def draw(state: Lake, observer: int | None) -> str:
    n = int(state.n)
    cell = max(min(400 // n, 40), 12)
    whole = cell * (n - 1)

    def place(x: int, y: int) -> tuple[float, float]:
        return 10.0 + cell * x, 10.0 + whole - cell * y

    parts = [dot(*place(x, y), 2, "line") for x in range(n) for y in range(n)]
    parts.append(dot(*place(n - 1, n - 1), cell / 4, "accent"))
    here = place(int(state.x), int(state.y))
    parts.append(dot(*here, cell / 4, "one"))
    if not int(state.turning):
        for direction in range(8):
            x, y = int(state.x) + int(east(direction)), int(state.y) + int(north(direction))
            if 0 <= x < n and 0 <= y < n and leg_cost(int(state.wind), direction):
                parts.append(action(NAMES[direction], line(*here, *place(x, y), "two", 2), dot(*place(x, y), cell / 5, "two")))
    told = f"wind to {NAMES[int(state.wind)]}, cost {int(state.cost)}"
    return image(whole + 20, whole + 46, *parts, text(told, whole / 2 + 10, whole + 36, 14))
