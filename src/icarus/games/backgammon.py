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
from icarus.game import CONTINUES, ENVIRONMENT, Game, Layout, Word, Words, compiled, random_below, size_of
from icarus.games._bits import lowest

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


class Table(Layout):
    """Sets of points are bits: 1 .. 24 and BAR, by their owner's numbers."""

    max_turns = Word()  #: parameter
    player = Word()  #: who acts: the player whose turn it is, or ENVIRONMENT before the roll
    turn = Word()  #: whose turn it is (0 before the opening roll)
    turns = Word()  #: turns begun, that is rolls; 0 before the opening roll
    result = Word()  #: 0 while the game runs, 1 + winner, or DRAWN
    left = Word()  #: checkers that may still be moved with this roll: 4 .. 1, 0 before the roll
    dice = Words(2)  #: still to play, larger first; 0 for none (doubles are one die, ``left`` times)
    sources = Words(2)  #: for each of the dice the set of points from which it may legally be played now
    occupied = Words(2)  #: for each player the set of points where it has checkers
    multiple = Words(2)  #: the same where it has two or more
    closed = Words(2)  #: for each player the set of points that the other side holds with two or more
    off = Words(2)  #: for each player the number of checkers borne off
    board = Words(26)  #: the checkers on each point as player 0 numbers them, negative for player 1; 0 is player 1's bar


def backgammon(max_turns: int = 500) -> Game:
    """Backgammon for one game; drawn after ``max_turns`` (1-100000) turns of both sides together."""
    if not 1 <= max_turns <= 100_000:
        raise GameError(f"max_turns={max_turns!r} is not a number of turns; use 1 to 100000 (the default is 500)")
    return Game(
        name="backgammon" if max_turns == 500 else f"backgammon(max_turns={max_turns})",
        summary="backgammon, one checker at a time",
        players=2,
        parameters=(max_turns,),
        layout=Table,
        state_size=size_of(Table),
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
    state.player = ENVIRONMENT
    for point, checkers in START:
        state.board[point] = checkers
        state.board[25 - point] = -checkers
        for side in range(2):
            state.occupied[side] |= 1 << point
            state.multiple[side] |= 1 << point
            state.closed[side] |= 1 << (25 - point)


@compiled
def player(state):
    return state.player


@compiled
def terminal(state):
    return state.result != 0


@compiled
def rewards(state, out):
    if state.result == DRAWN:
        out[0] = out[1] = 0.5
    else:
        out[0] = 1.0 if state.result == 1 else 0.0
        out[1] = 1.0 - out[0]


@compiled
def episode(state):
    return 0 if state.player == ENVIRONMENT else CONTINUES


@compiled
def sample(state, rng):
    if state.turns == 0:
        return OPENINGS[random_below(rng, 30)]
    return ORDERED[random_below(rng, 36)]


@compiled
def chance(state, probabilities):
    if state.turns == 0:
        for i in range(30):
            probabilities[i] = 1.0 / 30.0
        return 30
    for i in range(21):
        probabilities[i] = CHANCES[i]
    return 21


@compiled
def legal(state, actions):
    count = 0
    if state.player == ENVIRONMENT:
        if state.turns == 0:
            for i in range(30):
                actions[i] = OPENINGS[i]
            return 30
        for i in range(21):
            actions[i] = ROLLS[i]
        return 21
    for which in range(2):
        points, die = state.sources[which], state.dice[which]
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
    state.player = ENVIRONMENT
    state.turn = 1 - state.turn
    state.left = 0
    state.dice[0] = state.dice[1] = 0
    state.sources[0] = state.sources[1] = 0
    if state.turns >= state.max_turns and state.result == 0:
        state.result = DRAWN


@compiled
def apply_roll(state, high, low):
    if state.turns == 0 and high < low:
        state.turn = 1
        high, low = low, high
    state.turns += 1
    mover = state.turn
    occupied, closed = state.occupied[mover], state.closed[mover]
    first = playable(occupied, closed, high)
    if high == low:
        if first == 0:
            end_turn(state)
            return
        state.player = mover
        state.left = 4
        state.dice[0] = high
        state.sources[0] = first
        return
    second = playable(occupied, closed, low)
    if first | second == 0:
        end_turn(state)
        return
    multiple = state.multiple[mover]
    good_first = leaving(first, high, second, low, occupied, multiple, closed)
    good_second = leaving(second, low, first, high, occupied, multiple, closed)
    if good_first | good_second == 0:
        good_first = first
        good_second = second if first == 0 else 0
    state.player = mover
    state.left = 2
    state.dice[0] = high
    state.dice[1] = low
    state.sources[0] = good_first
    state.sources[1] = good_second


@compiled
def apply(state, action):
    if action >= ROLL:
        apply_roll(state, (action - ROLL) >> 3, action & 7)
        return
    mover = state.turn
    other = 1 - mover
    sign = 1 - 2 * mover
    source, die = action >> 3, action & 7
    target = source - die
    origin = source if mover == 0 else 25 - source
    occupied, multiple = state.occupied[mover], state.multiple[mover]

    state.board[origin] -= sign
    remain = state.board[origin] * sign
    occupied ^= int(remain == 0) << source
    multiple ^= int(remain == 1) << source
    closed = state.closed[other] ^ ((int(remain == 1) << (25 - source)) & -2)
    if target <= 0:
        state.off[mover] += 1
        if state.off[mover] == CHECKERS:
            state.result = 1 + mover
    else:
        goal = origin - sign * die
        there = state.board[goal] * sign
        if there < 0:  # a hit
            bar = 0 if mover == 0 else BAR
            state.board[goal] = sign
            if state.occupied[other] >> BAR:
                state.multiple[other] |= 1 << BAR
            state.board[bar] -= sign
            state.occupied[other] ^= 1 << (25 - target)
            state.occupied[other] |= 1 << BAR
        else:
            state.board[goal] += sign
            multiple |= int(there == 1) << target
            closed |= int(there == 1) << (25 - target)
        occupied |= 1 << target
    state.occupied[mover] = occupied
    state.multiple[mover] = multiple
    state.closed[other] = closed

    state.left -= 1
    if state.left and state.result == 0:
        if state.dice[1]:
            if state.dice[0] == die:
                state.dice[0] = state.dice[1]
            state.dice[1] = 0
            state.sources[1] = 0
        state.sources[0] = playable(occupied, state.closed[mover], state.dice[0])
        if state.sources[0]:
            return
    end_turn(state)


@compiled
def heuristic(state, action):
    """Hits, made points and checkers borne off are good, single checkers are bad."""
    mover = state.turn
    sign = 1 - 2 * mover
    source, die = action >> 3, action & 7
    origin = source if mover == 0 else 25 - source
    value = 0.5
    if source != BAR and state.board[origin] * sign == 2:
        value -= 0.15
    elif source != BAR and state.board[origin] * sign == 1:
        value += 0.1
    if source <= die:
        return value + 0.2
    there = state.board[origin - sign * die] * sign
    if there < 0:
        value += 0.15
    elif there == 1:
        value += 0.2
    elif there == 0:
        value -= 0.1
    return value


# --- for people ------------------------------------------------------------------------------------------------------

MARKS = "XO"


def format_action(state: Table, action: int) -> str:
    """Rolls as 6-1, moves as 13/7, bar/22, 6/off; * for a hit.  The die is added if both bear the same checker off."""
    if action >= ROLL:
        return f"{(action - ROLL) >> 3}-{action & 7}"
    source, die = divmod(action, 8)
    name = "bar" if source == BAR else str(source)
    if source <= die:
        both = all(int(state.sources[i]) >> source & 1 and source <= int(state.dice[i]) for i in range(2))
        return f"{name}/off" + (f" with {die}" if both else "")
    target = source - die
    mover = int(state.turn)
    blot = int(state.board[target if mover == 0 else 25 - target]) == (-1 if mover == 0 else 1)
    return f"{name}/{target}{'*' if blot else ''}"


def parse_action(state: Table, text: str) -> int:
    text = text.strip().lower()
    if int(state.player) == ENVIRONMENT:
        dice = re.fullmatch(r"([1-6])[\s,/-]*([1-6])", text)
        if dice is None:
            raise ValueError("give the two dice, as in 6-1")
        a, b = int(dice[1]), int(dice[2])
        return ROLL + 8 * a + b if state.turns == 0 else ROLL + 8 * max(a, b) + min(a, b)
    move = re.fullmatch(r"(bar|b|\d+)[\s/-]*(off|o|(?<!\d)\d+)\*?", text)
    if move is None:
        raise ValueError("give the points from and to of one checker, as in 13/7, bar/22 or 6/off")
    source = BAR if move[1].startswith("b") else int(move[1])
    target = 0 if move[2].startswith("o") else int(move[2])
    if target == 0:
        # where both dice bear it off, every checker is that low, and the order of the dice makes no difference
        for i in range(2):
            if 0 < source <= int(state.dice[i]) and int(state.sources[i]) >> source & 1:
                return 8 * source + int(state.dice[i])
    return 8 * source + max(source - target, 0)


def render(state: Table, observer: int | None = None) -> str:
    """The board as the observer numbers it (for someone who sees all: as the player whose turn it is)."""
    viewer = int(state.turn) if observer is None else observer
    height = 5

    def checkers(point: int) -> int:
        return int(state.board[point if viewer == 0 else 25 - point])

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
    bars = (int(state.board[BAR]), -int(state.board[0]))
    for side in range(2):
        lines.append(f"{MARKS[side]}: {bars[side]} on the bar, {int(state.off[side])} off")
    dice = [int(die) for die in state.dice if die]
    if state.result:
        lines.append(("X has won", "O has won", "a draw")[int(state.result) - 1])
    elif state.turns == 0:
        lines.append("the opening roll")
    elif not dice:
        lines.append(f"{MARKS[int(state.turn)]} rolls")
    else:
        played = dice if len(dice) == 2 else dice * int(state.left)
        lines.append(f"{MARKS[int(state.turn)]} plays {' '.join(map(str, played))}")
    lines.append(f"points as {MARKS[viewer]} numbers them")
    return "\n".join(lines)
