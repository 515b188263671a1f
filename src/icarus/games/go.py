"""Go on a board of any usual size, by area scoring; and the board of stones and groups that ``nogo`` and ``atarigo`` share.

Points are numbered row by row from a1 at the lower left, columns are letters without ``i``.  Black (player 0) starts.  A
stone is placed on an empty point or the player passes; opposing groups without liberties are taken from the board, and a
stone that would leave its own group without any may not be placed.  Two passes in a row end the game.  Each side counts
its stones and the empty points that only its stones can reach; White gets the komi on top, and more points win.  Dead
stones are not judged: who wants them off the board has to capture them.

*Repetition*: a stone that was captured alone may not be retaken at once by a stone that would be captured alone in turn
(simple ko).  Longer cycles are allowed, but after ``2 * n * n`` moves the game ends and is counted as it stands.  Perfect
information.

Action = point, ``n * n`` for a pass.

A group is a ring of points that know its head; the head counts its liberties, once for every stone beside them, which is
enough to tell none from some.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import row_of
from icarus.games._go_patterns import PATTERNS
from icarus.jit import at

MOST = 19  #: rows and columns
DRAW = 3

# what the board knows of a point: four words
COLOUR = 0  #: who is there (0 nobody, else player + 1, OUTSIDE), and above these two bits the number of the point
HEAD = 1  #: of a stone: the head of its group; of all others: themselves
NEXT = 2  #: of a stone: the next one of its group; of an empty point: its number in the list of those
LIBERTIES = 3  #: of a group's head: its liberties and, above 16 bits, its stones; means nothing elsewhere
POINT = 4  #: words

OUTSIDE = 3
LARGE = 13  #: rows of a board that is filled before anything else
ONE_STONE = 1 << 16
FEW = ONE_STONE - 1  #: the bits of the liberties


# features: stones by their line from the edge, stones that can be taken, empty points that one side alone is beside; then of a
# move: a pass, its line, a pattern, taking, saving stones, filling an eye
LAST_LINE = 4
IN_ATARI, BESIDE, PASSES, ON_LINE = 10, 12, 14, 15
PATTERN, TAKES, SAVES, FILLS_EYE, FEATURES = range(20, 25)


class Board(Layout):
    """A position; the parameters come first."""

    n = Word()
    komi = Word()  #: twice as much, since it is often half a point
    player = Word()  #: who acts
    plies = Word()
    passed = Word()  #: 1 if the last move was a pass
    ko = Word()  #: the place of the point that may not be retaken now; 0 if there is none
    outcome = Word()  #: 0 while the game runs, 1 and 2 if Black and White won, DRAW
    lead = Word()  #: in the end: points of Black minus points of White, without the komi
    stones = Words(2)  #: how many there are of Black, of White
    points = Words()  #: the board with a border around it, then the places of the empty points, in no order


def go(n: int = 9, komi: float = 7.5) -> Game:
    """A board of ``n`` x ``n`` (2-19); ``komi``: points for White, whole or half ones."""
    check_size(n)
    if 2 * komi != int(2 * komi) or abs(komi) > n * n:
        raise GameError(f"the komi must be a whole number of half points, at most {n * n}, not {komi}")
    return Game(
        name=f"go({n})" if komi == 7.5 else f"go({n},{komi:g})",
        summary=f"surround more of a board of {n} x {n}",
        players=2,
        parameters=(n, int(2 * komi)),
        layout=Board,
        state_size=words_of_board(n),
        max_actions=n * n + 1,
        max_plies=2 * n * n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
        key=key,
        evaluate=evaluate,
        suggest=suggest,
        guided=guided,
        features=features,
        feature_count=FEATURES,
        max_features=n * n + 4,
        observation=observation,
        observation_shape=(5, n, n),
        render=render,
        format_action=format_action,
        player_names=("Black", "White"),
    )


def stones_only(n: int, name: str, summary: str, **rules: Any) -> Game:
    """A game of its own on the same board: stones and nothing else, no passes, with at most one on every point in the end."""
    check_size(n)
    return Game(
        name=f"{name}({n})",
        summary=summary,
        players=2,
        parameters=(n,),
        layout=Board,
        state_size=words_of_board(n),
        max_actions=n * n,
        max_plies=n * n,
        initial=initial,
        player=player,
        key=key_without_passes,
        render=render,
        format_action=format_action,
        player_names=("Black", "White"),
        **rules,
    )


def check_size(n: int) -> None:
    if not 2 <= n <= MOST:
        raise GameError(f"the board must have 2 to {MOST} rows, not {n}")


def words_of_board(n: int) -> int:
    return size_of(Board) + POINT * (n + 2) ** 2 + n * n


# --- the board -------------------------------------------------------------------------------------------------------


@compiled
def initial(state, rng):
    n = state.n
    for number in range((n + 2) * (n + 2)):
        state.points[POINT * number] = OUTSIDE
        state.points[POINT * number + HEAD] = POINT * number
    for point in range(n * n):
        place = place_of(state, point)
        state.points[place] = point << 2
        state.points[place + NEXT] = point
        empties(state)[point] = place


@compiled
def empties(state):
    """The places of the empty points."""
    return at(state.points, POINT * (state.n + 2) * (state.n + 2))


@compiled
def count_empty(state):
    return state.n * state.n - state.stones[0] - state.stones[1]


@compiled
def place_of(state, point):
    """Where the words of a point begin."""
    row = row_of(point, state.n)
    return POINT * ((row + 1) * (state.n + 2) + point - row * state.n + 1)


@compiled
def below(state):
    """The step to the neighbour in the next row."""
    return POINT * (state.n + 2)


@compiled
def player(state):
    return state.player


@compiled
def count_if(points, near, head):
    """1 if the point belongs to the group of this head."""
    return 1 if points[near + HEAD] == head else 0


@compiled
def liberties_left(state, place, near):
    """How many liberties the group beside a point has left when that point is taken, counted as groups count them."""
    points, row = state.points, below(state)
    head = points[near + HEAD]
    taken = count_if(points, place + POINT, head) + count_if(points, place - POINT, head)
    taken += count_if(points, place + row, head) + count_if(points, place - row, head)
    return (points[head + LIBERTIES] & FEW) - taken


@compiled
def join(state, one, other):
    """Make one group of the groups of two heads; the smaller one learns the head of the larger."""
    if one == other:
        return
    points = state.points
    if points[one + LIBERTIES] < points[other + LIBERTIES]:  # the stones are in the upper bits
        one, other = other, one
    place = other
    while True:
        points[place + HEAD] = one
        place = points[place + NEXT]
        if place == other:
            break
    points[one + NEXT], points[other + NEXT] = points[other + NEXT], points[one + NEXT]
    points[one + LIBERTIES] += points[other + LIBERTIES]


@compiled
def change_liberties(points, near, change):
    """Every point has a head, empty ones and those outside themselves, so that nothing need be asked."""
    points[points[near + HEAD] + LIBERTIES] += change


@compiled
def remove(state, head, owner):
    """Take a group of the opponent of ``owner`` from the board; returns the number of its stones."""
    points, row = state.points, below(state)
    empty, place, count, before = empties(state), head, 0, count_empty(state)
    while True:
        following = points[place + NEXT]
        points[place] &= ~OUTSIDE
        points[place + HEAD] = place
        points[place + NEXT] = before + count
        empty[before + count] = place
        change_liberties(points, place + POINT, 1)
        change_liberties(points, place - POINT, 1)
        change_liberties(points, place + row, 1)
        change_liberties(points, place - row, 1)
        count += 1
        place = following
        if place == head:
            break
    state.stones[2 - owner] -= count
    return count


@compiled
def meet(state, place, near, owner):
    """A stone of ``owner`` meets its neighbour: joins its group, or takes it; returns how many stones that are."""
    points = state.points
    colour = points[near] & OUTSIDE
    if colour == owner:
        join(state, points[place + HEAD], points[near + HEAD])
    elif colour == 3 - owner and points[points[near + HEAD] + LIBERTIES] & FEW == 0:
        state.ko = near  # if it was one stone alone: see below
        return remove(state, points[near + HEAD], owner)
    return 0


@compiled
def is_empty(points, near):
    return 1 if points[near] & OUTSIDE == 0 else 0


@compiled
def put(state, place):
    """Place a stone of whoever acts and take what it captures; returns how many stones that were."""
    points, owner, row = state.points, state.player + 1, below(state)
    empty, number, last = empties(state), points[place + NEXT], count_empty(state) - 1
    empty[number] = empty[last]
    points[empty[last] + NEXT] = number
    points[place] |= owner
    state.stones[state.player] += 1
    state.ko = 0
    points[place + HEAD] = points[place + NEXT] = place
    change_liberties(points, place + POINT, -1)
    change_liberties(points, place - POINT, -1)
    change_liberties(points, place + row, -1)
    change_liberties(points, place - row, -1)
    free = is_empty(points, place + POINT) + is_empty(points, place - POINT)
    free += is_empty(points, place + row) + is_empty(points, place - row)
    points[place + LIBERTIES] = ONE_STONE + free
    captured = meet(state, place, place + POINT, owner) + meet(state, place, place - POINT, owner)
    captured += meet(state, place, place + row, owner) + meet(state, place, place - row, owner)
    if captured != 1 or points[points[place + HEAD] + LIBERTIES] != ONE_STONE + 1:
        state.ko = 0
    return captured


# --- the game --------------------------------------------------------------------------------------------------------


@compiled
def helps(state, place, near):
    """Does a neighbour make a stone possible where no point beside it is empty: an own group that lives on, or one to capture?"""
    colour = state.points[near] & OUTSIDE
    return colour != OUTSIDE and (liberties_left(state, place, near) > 0) == (colour == state.player + 1)


@compiled
def may_put(state, place):
    """May whoever acts place a stone on the empty point of this place?"""
    if state.ko == place:
        return False
    points, row = state.points, below(state)
    free = is_empty(points, place + POINT) | is_empty(points, place - POINT)
    free |= is_empty(points, place + row) | is_empty(points, place - row)
    return (
        free != 0
        or helps(state, place, place + POINT)
        or helps(state, place, place - POINT)
        or helps(state, place, place + row)
        or helps(state, place, place - row)
    )


@compiled
def legal(state, actions):
    empty, count = empties(state), 0
    for number in range(count_empty(state)):
        if may_put(state, empty[number]):
            actions[count] = state.points[empty[number]] >> 2
            count += 1
    actions[count] = state.n * state.n
    return count + 1


@compiled
def apply(state, action):
    play(state, place_of(state, action) if action < state.n * state.n else 0)


@compiled
def play(state, place):
    """Place a stone, or pass if there is no place."""
    over = place == 0 and state.passed != 0
    if place == 0:
        state.ko = 0
    else:
        put(state, place)
    state.passed = 1 if place == 0 else 0
    state.player = 1 - state.player
    state.plies += 1
    if over or state.plies == 2 * state.n * state.n:
        finish(state)


@compiled
def colours(points, near):
    """The colours that are known to be reached from a point, a bit each: an empty point keeps them in place of a head."""
    colour = points[near] & OUTSIDE
    return 0 if colour == OUTSIDE else points[near + HEAD] if colour == 0 else colour


@compiled
def finish(state):
    """Count the points: empty ones belong to the colour that alone can be reached from them."""
    points, row, empty, left = state.points, below(state), empties(state), count_empty(state)
    for number in range(left):
        points[empty[number] + HEAD] = 0
    spread = True
    while spread:
        spread = False
        for number in range(left):
            place = empty[number]
            reached = points[place + HEAD] | colours(points, place + POINT) | colours(points, place - POINT)
            reached |= colours(points, place + row) | colours(points, place - row)
            if reached != points[place + HEAD]:
                points[place + HEAD] = reached
                spread = True
    lead = state.stones[0] - state.stones[1]
    for number in range(left):
        reached = points[empty[number] + HEAD]
        lead += 1 if reached == 1 else -1 if reached == 2 else 0
    state.lead = lead
    state.outcome = 1 if 2 * lead > state.komi else 2 if 2 * lead < state.komi else DRAW


@compiled
def terminal(state):
    return state.outcome != 0


@compiled
def rewards(state, out):
    out[0] = 0.5 if state.outcome == DRAW else 1.0 if state.outcome == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def playout(state, rng):
    """Random moves: an empty point or the pass is drawn until it is legal, and nothing is listed."""
    plies, empty = 0, empties(state)
    while state.outcome == 0:
        left, place = count_empty(state), np.int64(-1)
        while place < 0:
            rank = random_below(rng, left + 1)
            if rank == left:
                place = np.int64(0)
            elif may_put(state, empty[rank]):
                place = empty[rank]
        play(state, place)
        plies += 1
    return plies


@compiled
def key_of_stones(state):
    """A key of what lies on the board, 31 points to a word."""
    found, word = np.int64(0), np.int64(0)
    for place in range(POINT * (state.n + 3), POINT * (state.n + 1) * (state.n + 2), POINT):
        word = word << 2 | (state.points[place] & OUTSIDE)
        if place % (31 * POINT) == 0:
            found = mix(found, word)
            word = np.int64(0)
    return mix(found, word)


@compiled
def key_without_passes(state):
    return mix(key_of_stones(state), state.player)


@compiled
def key(state):
    return mix(mix(key_of_stones(state), state.ko), state.player + 2 * state.passed)


# --- knowledge -------------------------------------------------------------------------------------------------------


@compiled
def evaluate(state, out):
    """Area as it stands: stones, and empty points beside stones of one colour alone; groups of the side that waits that can be
    taken count for the taker."""
    points, row, empty, lead = state.points, below(state), empties(state), state.stones[0] - state.stones[1]
    mover = state.player
    for number in range(count_empty(state)):
        place = empty[number]
        near = 0
        for near_place in (place + POINT, place - POINT, place + row, place - row):
            colour = points[near_place] & OUTSIDE
            if colour != OUTSIDE:
                near |= colour
                if colour == 2 - mover and points[near_place + HEAD] == near_place:
                    if only_liberty(state, near_place) != 0:
                        stones = points[near_place + LIBERTIES] >> 16
                        lead += 2 * stones if mover == 0 else -2 * stones
        lead += 1 if near == 1 else -1 if near == 2 else 0
    # what is open may still turn the score over
    open_points = count_empty(state) / (state.n * state.n)
    ahead = (lead - 0.5 * state.komi) / (1.0 + state.n * open_points)
    out[0] = 1.0 / (1.0 + math.exp(-ahead))
    out[1] = 1.0 - out[0]


@compiled
def only_liberty(state, head):
    """The place of a group's last liberty; 0 if it has more than one."""
    points, row = state.points, below(state)
    if points[head + LIBERTIES] & FEW > 4:  # one point is beside at most four of its stones
        return np.int64(0)
    found, place = np.int64(0), head
    while True:
        for near in (place + POINT, place - POINT, place + row, place - row):
            if points[near] & OUTSIDE == 0:
                if found != 0 and found != near:
                    return np.int64(0)
                found = near
        place = points[place + NEXT]
        if place == head:
            return found


@compiled
def has_room(state, place, owner):
    """Would a stone here be more than a last breath: two empty points beside it, a group with other liberties, or a capture?"""
    points, row, free = state.points, below(state), 0
    for near in (place + POINT, place - POINT, place + row, place - row):
        colour = points[near] & OUTSIDE
        if colour == 0:
            free += 1
        elif colour == owner:
            if only_liberty(state, points[near + HEAD]) == 0:
                return True
        elif colour == 3 - owner and only_liberty(state, points[near + HEAD]) == place:
            return True
    return free >= 2


@compiled
def add_move(state, place, out, count):
    """Append the point of a place that may be played and is not there yet; returns the new number."""
    if place == 0 or not may_put(state, place):
        return count
    point = state.points[place] >> 2
    for i in range(count):
        if out[i] == point:
            return count
    out[count] = point
    return count + 1


@compiled
def answers_to_atari(state, place, out):
    """The last stone is at ``place``: take its group if that is in atari, save own groups beside it that are."""
    points, row, owner, count = state.points, below(state), state.player + 1, 0
    breath = only_liberty(state, points[place + HEAD])
    if breath != 0:
        count = add_move(state, breath, out, count)
    for near in (place + POINT, place - POINT, place + row, place - row):
        if points[near] & OUTSIDE != owner:
            continue
        head = points[near + HEAD]
        breath = only_liberty(state, head)
        if breath == 0:
            continue
        if has_room(state, breath, owner):
            count = add_move(state, breath, out, count)
        stone = head  # or take one of the groups that surround it
        while True:
            for beside in (stone + POINT, stone - POINT, stone + row, stone - row):
                if points[beside] & OUTSIDE == 3 - owner:
                    count = add_move(state, only_liberty(state, points[beside + HEAD]), out, count)
            stone = points[stone + NEXT]
            if stone == head:
                break
    return count


@compiled
def surroundings(state, place):
    """The colours of the eight points around one, two bits each, row by row."""
    points, row = state.points, below(state)
    above, under = place - row, place + row
    code = points[above - POINT] & OUTSIDE | (points[above] & OUTSIDE) << 2 | (points[above + POINT] & OUTSIDE) << 4
    code |= (points[place - POINT] & OUTSIDE) << 6 | (points[place + POINT] & OUTSIDE) << 8
    code |= (points[under - POINT] & OUTSIDE) << 10 | (points[under] & OUTSIDE) << 12
    return code | (points[under + POINT] & OUTSIDE) << 14


@compiled
def is_pattern(state, place):
    """Does one of the patterns fit around an empty point?"""
    code = surroundings(state, place)
    return PATTERNS[code >> 6] >> (code & 63) & 1 != 0


@compiled
def by_pattern(state, place, out):
    """The empty points around the last stone at which one of the patterns fits."""
    row, count, owner = below(state), 0, state.player + 1
    for line in (-row, np.int64(0), row):
        for step in (-POINT, np.int64(0), POINT):
            near = place + line + step
            if state.points[near] & OUTSIDE == 0:
                if is_pattern(state, near) and has_room(state, near, owner):
                    count = add_move(state, near, out, count)
    return count


@compiled
def is_eye(state, place, owner):
    """Is every neighbour an own stone, and are enough of the diagonal ones not the other's?"""
    points, row = state.points, below(state)
    for near in (place + POINT, place - POINT, place + row, place - row):
        colour = points[near] & OUTSIDE
        if colour != owner and colour != OUTSIDE:
            return False
    others, edge = 0, 0
    for near in (place - row - POINT, place - row + POINT, place + row - POINT, place + row + POINT):
        colour = points[near] & OUTSIDE
        others += colour == 3 - owner
        edge += colour == OUTSIDE
    return others < (1 if edge > 0 else 2)


@compiled
def fill_the_board(state, out):
    """On a large board: the empty points with nothing around them (Chaslot et al. 2010)."""
    empty, count = empties(state), 0
    for number in range(count_empty(state)):
        if surroundings(state, empty[number]) == 0:
            out[count] = state.points[empty[number]] >> 2
            count += 1
    return count


@compiled
def beside_last(state, last, out):
    """What the last stone asks for: an answer to atari, or a pattern."""
    if last < 0 or last >= state.n * state.n:
        return 0
    place = place_of(state, last)
    if state.points[place] & OUTSIDE != 2 - state.player:  # it has been taken
        return 0
    count = answers_to_atari(state, place, out)
    return count if count > 0 else by_pattern(state, place, out)


@compiled
def sensible(state, place):
    """May the point be played, and is it no own eye?"""
    return may_put(state, place) and not is_eye(state, place, state.player + 1)


@compiled
def suggest(state, last, out):
    """As MoGo plays (Gelly, Wang, Munos and Teytaud 2006): answer atari, play a pattern beside the last stone, else anything that
    is not an own eye; pass when nothing else is left.  On boards from 13 x 13 on the board is filled before that."""
    count = beside_last(state, last, out)
    if count == 0 and state.n >= LARGE:
        count = fill_the_board(state, out)
    if count > 0:
        return count
    empty = empties(state)
    for number in range(count_empty(state)):
        place = empty[number]
        if sensible(state, place):
            out[count] = state.points[place] >> 2
            count += 1
    if count == 0:
        out[0] = state.n * state.n
        count = 1
    return count


@compiled
def guided(state, last, actions, rng):
    """Moves drawn among what is suggested; where the last stone asks for nothing points are drawn until one is sensible."""
    plies, empty = 0, empties(state)
    while state.outcome == 0:
        count, place, left = beside_last(state, last, actions), np.int64(-1), count_empty(state)
        if count == 0 and state.n < LARGE:
            for _ in range(left):
                drawn = empty[random_below(rng, left)]
                if sensible(state, drawn):
                    place = drawn
                    break
        if place < 0:
            if count == 0:
                count = suggest(state, -1, actions)
            point = actions[random_below(rng, count) if count > 1 else 0]
            place = place_of(state, point) if point < state.n * state.n else np.int64(0)
        last = state.points[place] >> 2 if place > 0 else state.n * state.n
        play(state, place)
        plies += 1
    return plies


@compiled
def line_of(state, point):
    """How far a point is from the edge, as far as that matters."""
    row = row_of(point, state.n)
    column, last = point - row * state.n, state.n - 1
    return min(min(min(row, last - row), min(column, last - column)), LAST_LINE)


@compiled
def features(state, action, out):
    """Of a position, for who acts and for the other: every stone by its line or, where its group has one liberty left, that; and
    empty points beside stones of one side alone.  Of a move: see the names above."""
    points, row, mover, count = state.points, below(state), state.player, 0
    if action < 0:
        for point in range(state.n * state.n):
            place = place_of(state, point)
            colour = points[place] & OUTSIDE
            if colour == 0:
                near = 0
                for beside in (place + POINT, place - POINT, place + row, place - row):
                    if points[beside] & OUTSIDE != OUTSIDE:
                        near |= points[beside] & OUTSIDE
                if near == 1 or near == 2:
                    out[count] = BESIDE + (0 if near - 1 == mover else 1)
                    count += 1
            else:
                side = 0 if colour - 1 == mover else 1
                caught = only_liberty(state, points[place + HEAD]) != 0
                out[count] = IN_ATARI + side if caught else (LAST_LINE + 1) * side + line_of(state, point)
                count += 1
        return count
    if action == state.n * state.n:
        out[0] = PASSES
        return 1
    place = place_of(state, action)
    out[0] = ON_LINE + line_of(state, action)
    count, takes, saves = 1, False, False
    for beside in (place + POINT, place - POINT, place + row, place - row):
        colour = points[beside] & OUTSIDE
        if (colour == 1 or colour == 2) and liberties_left(state, place, beside) == 0:
            takes = takes or colour - 1 != mover
            saves = saves or colour - 1 == mover
    if is_pattern(state, place):
        out[count] = PATTERN
        count += 1
    if takes:
        out[count] = TAKES
        count += 1
    if saves:
        out[count] = SAVES
        count += 1
    if is_eye(state, place, mover + 1):
        out[count] = FILLS_EYE
        count += 1
    return count


# --- for people ------------------------------------------------------------------------------------------------------


def marks(state: Board) -> list[str]:
    """What lies on every point: ``X`` for Black, ``O`` for White, or a dot."""
    n = int(state.n)
    colours = state.points[: POINT * (n + 2) ** 2].reshape(n + 2, n + 2, POINT)[1:-1, 1:-1, COLOUR] & OUTSIDE
    return [".XO"[int(colour)] for colour in colours.flat]


def point_name(state: Board, point: int) -> str:
    row, column = divmod(point, int(state.n))
    return f"{letters(column + 1)[-1]}{row + 1}"


def letters(columns: int) -> str:
    """The names of the columns: ``i`` is left out."""
    return "abcdefghjklmnopqrst"[:columns]


@compiled
def observation(state, observer, out):
    """Planes of the observer's stones, the other's, the point that may not be retaken, a pass before this, and the komi.

    The last two are the same number everywhere; the komi is a share of the points, above 0 for White and below it for Black.
    """
    points = state.n * state.n
    komi = (state.komi if observer == 1 else -state.komi) / (2.0 * points)
    for point in range(points):
        place = place_of(state, point)
        colour = state.points[place] & OUTSIDE
        out[point] = 1.0 if colour == observer + 1 else 0.0
        out[points + point] = 1.0 if colour == 2 - observer else 0.0
        out[2 * points + point] = 1.0 if place == state.ko else 0.0
        out[3 * points + point] = state.passed
        out[4 * points + point] = komi


def format_action(state: Board, action: int) -> str:
    return "pass" if action == state.n * state.n else point_name(state, action)


def render(state: Board, observer: int | None = None) -> str:
    n, stones = int(state.n), marks(state)
    lines = [f"{y + 1:2d} " + " ".join(stones[n * y : n * y + n]) for y in reversed(range(n))]
    return "\n".join([*lines, "   " + " ".join(letters(n))])
