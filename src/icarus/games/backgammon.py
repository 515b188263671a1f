"""Backgammon: race 15 checkers home and off by the roll of two dice.  No doubling cube, no gammons: a win is a win.

Rules, and every choice among their variants:

* The environment rolls.  The opening roll has one die for each player and no doubles (30 outcomes): the higher die
  starts and plays both.  Every later roll is one of 21 unordered pairs, 2/36 or, for doubles, 1/36 each.
* A decision moves one checker by one die.  Doubles are played four times.  A turn ends by itself when nothing is left
  to play; a roll that cannot be played at all has no decision, the dice simply go to the other side.
* Checkers on the bar enter first.  A point with two or more opponents is closed, a single opponent is hit and put on
  the bar.
* With all checkers at home a die bears off from its own point, or from the highest point if that is lower than the die.
* As much of a roll as possible must be played: a first checker that makes the other die unplayable is legal only if no
  choice plays both, and if either die can be played but not both, it must be the larger.  This holds for the very last
  checker too.
* Doubles need no foresight.  A move never takes another checker's move away (own checkers block nothing, hits only open
  points, bearing off waits for checkers that are higher up), so every order plays the same number of checkers.
* Bearing off the 15th checker wins.  After ``max_turns`` turns, passes included, the game is drawn.  Random games take
  93 turns on average, and of 400 000 the longest took 465; 500 is OpenSpiel's number.

An episode (EPIC, equation 23 of icarus-2014) begins where the dice are about to be rolled.

Each player numbers the points by their distance from its own goal: 24 to 1, the bar is 25, 0 is off the board.  So
point p of one player is point 25 - p of the other.  An action is ``8 * source + die``, a roll ``ROLL + 8 * die + die``
with the larger die first (in the opening: player 0's die first).
"""

from __future__ import annotations

import re

import numpy as np

from icarus.errors import GameError
from icarus.game import CONTINUES, ENVIRONMENT, Game, State, compiled, random_below
from icarus.games._bits import lowest

# state
MAX_TURNS = 0  #: parameter
PLAYER = 1  #: who acts: the player whose turn it is, or ENVIRONMENT before the roll
TURN = 2  #: whose turn it is (0 before the opening roll)
TURNS = 3  #: turns begun, that is rolls; 0 before the opening roll
RESULT = 4  #: 0 while the game runs, 1 + winner, or DRAWN
LEFT = 5  #: checkers that may still be moved with this roll: 4 .. 1, 0 before the roll
DICE = 6  #: two words: the dice still to play, larger first; 0 for none (doubles are one die, LEFT times)
SOURCES = 8  #: two words, one for each of DICE: the set of points from which it may legally be played now
OCCUPIED = 10  #: for each player the set of points (1 .. 24 and BAR, as bits) where it has checkers
MULTIPLE = 12  #: the same where it has two or more
CLOSED = 14  #: for each player the set of points, by its own numbers, that the other side holds with two or more
OFF = 16  #: for each player the number of checkers borne off
BOARD = 18  #: the checkers on each point as player 0 numbers them, negative for player 1; BOARD + 0 is player 1's bar
STATE_SIZE = BOARD + 26

BAR = 25
CHECKERS = 15
START = ((24, 2), (13, 5), (8, 3), (6, 5))
DRAWN = 3
ROLL = 256  #: rolls are numbered from here, beyond all actions of the players
HOME = 0b1111111  #: the sets of points within the home board are no larger than this

OPENINGS = np.array([ROLL + 8 * a + b for a in range(1, 7) for b in range(1, 7) if a != b])
ROLLS = np.array([ROLL + 8 * a + b for a in range(1, 7) for b in range(1, a + 1)])
CHANCES = np.array([(1 if a == b else 2) / 36 for a in range(1, 7) for b in range(1, a + 1)])
ORDERED = np.array([ROLL + 8 * max(a, b) + min(a, b) for a in range(1, 7) for b in range(1, 7)])

#: the highest point in each set of points of the home board, as a bit
HIGHEST = np.array([1 << (points.bit_length() - 1) if points else 0 for points in range(HOME + 1)])


def backgammon(max_turns: int = 500) -> Game:
    """Backgammon for one game; drawn after ``max_turns`` (1-100000) turns of both sides together."""
    if not 1 <= max_turns <= 100_000:
        raise GameError(f"max_turns={max_turns!r} is not a number of turns; use 1 to 100000 (the default is 500)")
    return Game(
        name="backgammon" if max_turns == 500 else f"backgammon(max_turns={max_turns})",
        summary="backgammon, one checker at a time",
        players=2,
        parameters=(max_turns,),
        state_size=STATE_SIZE,
        max_actions=30,  # 15 checkers by two dice, or the 30 opening rolls
        max_plies=5 * max_turns - 2,  # a roll and four checkers, but the opening roll is no double
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample,
        chance=chance,
        episode=episode,
        heuristic=heuristic,
        render=render,
        format_action=format_action,
        parse_action=parse_action,
        player_names=("X", "O"),
    )


@compiled
def initial(state, rng):
    state[PLAYER] = ENVIRONMENT
    for point, checkers in START:
        state[BOARD + point] = checkers
        state[BOARD + 25 - point] = -checkers
        for side in range(2):
            state[OCCUPIED + side] |= 1 << point
            state[MULTIPLE + side] |= 1 << point
            state[CLOSED + side] |= 1 << (25 - point)


@compiled
def player(state):
    return state[PLAYER]


@compiled
def terminal(state):
    return state[RESULT] != 0


@compiled
def rewards(state, out):
    if state[RESULT] == DRAWN:
        out[0] = out[1] = 0.5
    else:
        out[0] = 1.0 if state[RESULT] == 1 else 0.0
        out[1] = 1.0 - out[0]


@compiled
def episode(state):
    return 0 if state[PLAYER] == ENVIRONMENT else CONTINUES


@compiled
def sample(state, rng):
    if state[TURNS] == 0:
        return OPENINGS[random_below(rng, 30)]
    return ORDERED[random_below(rng, 36)]


@compiled
def chance(state, probabilities):
    if state[TURNS] == 0:
        for i in range(30):
            probabilities[i] = 1.0 / 30.0
        return 30
    for i in range(21):
        probabilities[i] = CHANCES[i]
    return 21


@compiled
def legal(state, actions):
    count = 0
    if state[PLAYER] == ENVIRONMENT:
        if state[TURNS] == 0:
            for i in range(30):
                actions[i] = OPENINGS[i]
            return 30
        for i in range(21):
            actions[i] = ROLLS[i]
        return 21
    for which in range(2):
        points, die = state[SOURCES + which], state[DICE + which]
        while points:
            actions[count] = 8 * lowest(points) + die
            count += 1
            points &= points - 1
    return count


@compiled
def playable(occupied, closed, die):
    """The set of points from which one checker can be moved by this die, by itself."""
    if occupied >> BAR:
        return (1 << BAR) & ~(closed << die)
    points = occupied & ~(closed << die) & (-2 << die)
    if occupied <= HOME:
        points |= occupied & (1 << die)
        if occupied >> die == 0:
            points |= HIGHEST[occupied]
    return points


@compiled
def leaving(first, die, second, other, occupied, multiple, closed):
    """Of the points ``first``, from which ``die`` can be played, those after which the ``other`` die can be played too.

    ``second`` are the points from which the other die can be played now.  A move takes no other checker's move away, so
    only a move of the one checker that could play the other die has to be tried, or all moves if there is none.
    """
    if second & (second - 1) or second & multiple:
        return first
    doubtful = first & second if second else first
    good = first ^ doubtful
    while doubtful:
        bit = doubtful & -doubtful
        doubtful ^= bit
        after = occupied if bit & multiple else occupied ^ bit
        if playable(after | ((bit >> die) & -2), closed, other):
            good |= bit
    return good


@compiled
def end_turn(state):
    state[PLAYER] = ENVIRONMENT
    state[TURN] = 1 - state[TURN]
    state[LEFT] = 0
    state[DICE] = state[DICE + 1] = 0
    state[SOURCES] = state[SOURCES + 1] = 0
    if state[TURNS] >= state[MAX_TURNS] and state[RESULT] == 0:
        state[RESULT] = DRAWN


@compiled
def apply_roll(state, high, low):
    if state[TURNS] == 0 and high < low:
        state[TURN] = 1
        high, low = low, high
    state[TURNS] += 1
    mover = state[TURN]
    occupied, closed = state[OCCUPIED + mover], state[CLOSED + mover]
    first = playable(occupied, closed, high)
    if high == low:
        if first == 0:
            end_turn(state)
            return
        state[PLAYER] = mover
        state[LEFT] = 4
        state[DICE] = high
        state[SOURCES] = first
        return
    second = playable(occupied, closed, low)
    if first | second == 0:
        end_turn(state)
        return
    multiple = state[MULTIPLE + mover]
    good_first = leaving(first, high, second, low, occupied, multiple, closed)
    good_second = leaving(second, low, first, high, occupied, multiple, closed)
    if good_first | good_second == 0:
        good_first = first
        good_second = second if first == 0 else 0
    state[PLAYER] = mover
    state[LEFT] = 2
    state[DICE] = high
    state[DICE + 1] = low
    state[SOURCES] = good_first
    state[SOURCES + 1] = good_second


@compiled
def apply(state, action):
    if action >= ROLL:
        apply_roll(state, (action - ROLL) >> 3, action & 7)
        return
    mover = state[TURN]
    other = 1 - mover
    sign = 1 - 2 * mover
    source, die = action >> 3, action & 7
    target = source - die
    origin = BOARD + (source if mover == 0 else 25 - source)
    occupied, multiple = state[OCCUPIED + mover], state[MULTIPLE + mover]

    state[origin] -= sign
    remain = state[origin] * sign
    occupied ^= int(remain == 0) << source
    multiple ^= int(remain == 1) << source
    closed = state[CLOSED + other] ^ ((int(remain == 1) << (25 - source)) & -2)
    if target <= 0:
        state[OFF + mover] += 1
        if state[OFF + mover] == CHECKERS:
            state[RESULT] = 1 + mover
    else:
        goal = origin - sign * die
        there = state[goal] * sign
        if there < 0:  # a hit
            bar = BOARD + (0 if mover == 0 else BAR)
            state[goal] = sign
            if state[OCCUPIED + other] >> BAR:
                state[MULTIPLE + other] |= 1 << BAR
            state[bar] -= sign
            state[OCCUPIED + other] ^= 1 << (25 - target)
            state[OCCUPIED + other] |= 1 << BAR
        else:
            state[goal] += sign
            multiple |= int(there == 1) << target
            closed |= int(there == 1) << (25 - target)
        occupied |= 1 << target
    state[OCCUPIED + mover] = occupied
    state[MULTIPLE + mover] = multiple
    state[CLOSED + other] = closed

    state[LEFT] -= 1
    if state[LEFT] and state[RESULT] == 0:
        if state[DICE + 1]:
            if state[DICE] == die:
                state[DICE] = state[DICE + 1]
            state[DICE + 1] = 0
            state[SOURCES + 1] = 0
        state[SOURCES] = playable(occupied, state[CLOSED + mover], state[DICE])
        if state[SOURCES]:
            return
    end_turn(state)


@compiled
def heuristic(state, action):
    """Hits, made points and checkers borne off are good, single checkers are bad."""
    mover = state[TURN]
    sign = 1 - 2 * mover
    source, die = action >> 3, action & 7
    origin = BOARD + (source if mover == 0 else 25 - source)
    value = 0.5
    if source != BAR and state[origin] * sign == 2:
        value -= 0.15
    elif source != BAR and state[origin] * sign == 1:
        value += 0.1
    if source <= die:
        return value + 0.2
    there = state[origin - sign * die] * sign
    if there < 0:
        value += 0.15
    elif there == 1:
        value += 0.2
    elif there == 0:
        value -= 0.1
    return value


# --- for people ------------------------------------------------------------------------------------------------------

MARKS = "XO"


def format_action(state: State, action: int) -> str:
    """Rolls as 6-1, moves as 13/7, bar/22, 6/off; * for a hit.  The die is added if both bear the same checker off."""
    if action >= ROLL:
        return f"{(action - ROLL) >> 3}-{action & 7}"
    source, die = divmod(action, 8)
    name = "bar" if source == BAR else str(source)
    if source <= die:
        both = all(int(state[SOURCES + i]) >> source & 1 and source <= int(state[DICE + i]) for i in range(2))
        return f"{name}/off" + (f" with {die}" if both else "")
    target = source - die
    mover = int(state[TURN])
    blot = int(state[BOARD + (target if mover == 0 else 25 - target)]) == (-1 if mover == 0 else 1)
    return f"{name}/{target}{'*' if blot else ''}"


def parse_action(state: State, text: str) -> int:
    text = text.strip().lower()
    if int(state[PLAYER]) == ENVIRONMENT:
        dice = re.fullmatch(r"([1-6])[\s,/-]*([1-6])", text)
        if dice is None:
            raise ValueError("give the two dice, as in 6-1")
        a, b = int(dice[1]), int(dice[2])
        return ROLL + 8 * a + b if state[TURNS] == 0 else ROLL + 8 * max(a, b) + min(a, b)
    move = re.fullmatch(r"(bar|b|\d+)[\s/-]*(off|o|(?<!\d)\d+)\*?", text)
    if move is None:
        raise ValueError("give the points from and to of one checker, as in 13/7, bar/22 or 6/off")
    source = BAR if move[1].startswith("b") else int(move[1])
    target = 0 if move[2].startswith("o") else int(move[2])
    if target == 0:
        # where both dice bear it off, every checker is that low, and the order of the dice makes no difference
        for i in range(2):
            if 0 < source <= int(state[DICE + i]) and int(state[SOURCES + i]) >> source & 1:
                return 8 * source + int(state[DICE + i])
    return 8 * source + max(source - target, 0)


def render(state: State, observer: int | None = None) -> str:
    """The board as the observer numbers it (for someone who sees all: as the player whose turn it is)."""
    viewer = int(state[TURN]) if observer is None else observer
    height = 5

    def checkers(point: int) -> int:
        return int(state[BOARD + (point if viewer == 0 else 25 - point)])

    def cell(point: int, row: int) -> str:
        count = checkers(point)
        if abs(count) <= row:
            return "  . " if row == 0 else "    "
        number = abs(count) if row == height - 1 and abs(count) > height else ""
        return f"{number:>2}{MARKS[count < 0]} " if number else f"  {MARKS[count < 0]} "

    def half(points: list[int], rows: list[int]) -> list[str]:
        return ["".join(cell(p, row) for p in points[:6]) + " |" + "".join(cell(p, row) for p in points[6:]) for row in rows]

    def numbers(points: list[int]) -> str:
        return "".join(f"{p:3d} " for p in points[:6]) + " |" + "".join(f"{p:3d} " for p in points[6:])

    top, bottom = list(range(13, 25)), list(range(12, 0, -1))
    lines = [numbers(top), *half(top, list(range(height))), " " * 25 + "|"]
    lines += [*half(bottom, list(range(height - 1, -1, -1))), numbers(bottom)]
    lines = [line.rstrip() for line in lines]
    bars = (int(state[BOARD + BAR]), -int(state[BOARD]))
    for side in range(2):
        lines.append(f"{MARKS[side]}: {bars[side]} on the bar, {int(state[OFF + side])} off")
    dice = [int(state[DICE + i]) for i in range(2) if state[DICE + i]]
    if state[RESULT]:
        lines.append(("X has won", "O has won", "a draw")[int(state[RESULT]) - 1])
    elif state[TURNS] == 0:
        lines.append("the opening roll")
    elif not dice:
        lines.append(f"{MARKS[int(state[TURN])]} rolls")
    else:
        played = dice if len(dice) == 2 else dice * int(state[LEFT])
        lines.append(f"{MARKS[int(state[TURN])]} plays {' '.join(map(str, played))}")
    lines.append(f"points as {MARKS[viewer]} numbers them")
    return "\n".join(lines)
