"""Lines of Action: bring all your pieces into one connected group.

A piece moves along a row, a column or a diagonal, exactly as many squares as there are pieces of both colours on that
line.  It may jump over its own pieces, not over the opponent's, and may capture by landing on one.  Whoever's pieces all
touch each other, directly or by way of others and diagonally too, has won; if a capture connects both sides, the player
who made it wins.  Whoever cannot move loses.  Black (player 0, ``X``) has the first and the last row and starts, White
the outer columns.  Perfect information.

Positions may come again as often as they like, but after 1000 plies the game is a draw.

Squares are ``8 * row + column``, a1 = 0 at Black's left hand; action = ``64 * from + to``.
"""

from __future__ import annotations

import math

import numpy as np

from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import count_bits, lowest, nth_bit
from icarus.games.breakthrough import NOT_8, NOT_A, NOT_H, group, parse_action, square_name

LONGEST = 1000
DRAW = 3
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))  #: (row, column); i and i + 4 are one line
STEPS = np.array([8 * row + column for row, column in DIRECTIONS], np.int64)


#: the evaluation: what one square more from the centre of mass, one group more, and the move are worth
PER_STEP, PER_GROUP, TEMPO = 1.5, 0.3, 0.3


def _ray(square: int, direction: int) -> list[int]:
    """The squares from a square to the edge."""
    row, column = divmod(square, 8)
    down, right = DIRECTIONS[direction]
    places = ((row + i * down, column + i * right) for i in range(1, 8))
    return [8 * y + x for y, x in places if 0 <= y < 8 and 0 <= x < 8]


def _as_set(squares: list[int]) -> int:
    return int(np.uint64(sum(1 << square for square in squares)).astype(np.int64))


#: by ``8 * square + direction``: the squares from here to the edge, and how many they are
RAYS = np.array([_as_set(_ray(square, d)) for square in range(64) for d in range(8)])
REACH = np.array([len(_ray(square, d)) for square in range(64) for d in range(8)])
#: by ``4 * square + line``: all squares of the line
LINES = np.array([_as_set([square, *_ray(square, d), *_ray(square, d + 4)]) for square in range(64) for d in range(4)])


# features: a piece by its ring from the edge and its neighbours, groups and spread of both sides; a move by its rings,
# neighbours before and after, and whether it takes
MOST_NEIGHBOURS, SPREADS = 4, 16
OF_GROUPS = 2 * 4 * (MOST_NEIGHBOURS + 1)
OF_SPREAD = OF_GROUPS + 2 * 13
OF_RINGS = OF_SPREAD + 2 * SPREADS
OF_TARGET, OF_SOURCE, TAKES, FEATURES = OF_RINGS + 16, OF_RINGS + 25, OF_RINGS + 34, OF_RINGS + 35


class Board(Layout):
    """A position.  Sets of squares: square i = bit i."""

    pieces = Words(2)  #: of Black, of White
    player = Word()  #: who acts
    plies = Word()
    outcome = Word()  #: 0 while the game runs, 1 and 2 if Black and White won, DRAW


def lines_of_action() -> Game:
    """The usual board of 8 x 8."""
    return Game(
        name="lines_of_action",
        summary="connect all your pieces; they move as far as there are pieces on their line",
        players=2,
        layout=Board,
        state_size=size_of(Board),
        max_actions=12 * 8,
        max_plies=LONGEST,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
        key=key,
        group=group,
        evaluate=evaluate,
        features=features,
        feature_count=FEATURES,
        max_features=28,
        render=render,
        format_action=format_action,
        parse_action=parse_action,
        player_names=("Black", "White"),
    )


@compiled
def initial(state, rng):
    state.pieces[0] = 0x7E | 0x7E << 56
    state.pieces[1] = 0x0081818181818100


@compiled
def player(state):
    return state.player


@compiled
def target(own, other, square, direction):
    """Where a piece gets in a direction, or -1."""
    distance = count_bits((own | other) & LINES[4 * square + (direction & 3)])
    if distance > REACH[8 * square + direction]:
        return -1
    to = square + distance * STEPS[direction]
    landing = np.int64(1) << to
    jumped = (RAYS[8 * square + direction] ^ RAYS[8 * to + direction]) & ~landing
    return -1 if (own & landing) | (other & jumped) != 0 else to


@compiled
def legal(state, actions):
    own, other = state.pieces[state.player], state.pieces[1 - state.player]
    pieces, count = own, 0
    while pieces != 0:
        square = lowest(pieces)
        pieces &= pieces - 1
        for direction in range(8):
            to = target(own, other, square, direction)
            if to >= 0:
                actions[count] = square << 6 | to
                count += 1
    return count


@compiled
def can_move(own, other):
    pieces = own
    while pieces != 0:
        square = lowest(pieces)
        pieces &= pieces - 1
        for direction in range(8):
            if target(own, other, square, direction) >= 0:
                return True
    return False


@compiled
def connected(pieces):
    """Do all of them touch each other, by way of others?"""
    group, grown = np.int64(0), pieces & -pieces
    while grown != group:
        group = grown
        wide = group | (group << 1 & NOT_A) | (group >> 1 & NOT_H)
        grown = pieces & (wide | wide << 8 | (wide >> 8 & NOT_8))
    return group == pieces


@compiled
def apply(state, action):
    mover = state.player
    to = np.int64(1) << (action & 63)
    own, other = state.pieces[mover] ^ (np.int64(1) << (action >> 6) | to), state.pieces[1 - mover]
    captured = other & to
    other ^= captured
    state.pieces[mover], state.pieces[1 - mover] = own, other
    state.player = 1 - mover
    state.plies += 1
    if connected(own):
        state.outcome = mover + 1
    elif captured != 0 and connected(other):
        state.outcome = 2 - mover
    elif not can_move(other, own):
        state.outcome = mover + 1
    elif state.plies == LONGEST:
        state.outcome = DRAW


@compiled
def terminal(state):
    return state.outcome != 0


@compiled
def rewards(state, out):
    out[0] = 0.5 if state.outcome == DRAW else 1.0 if state.outcome == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def playout(state, rng):
    """Draw a piece and a direction until they make a move: nothing need be listed."""
    plies = 0
    while state.outcome == 0:
        own, other = state.pieces[state.player], state.pieces[1 - state.player]
        pieces, to, square = count_bits(own), np.int64(-1), np.int64(0)
        while to < 0:
            drawn = random_below(rng, pieces << 3)
            square = nth_bit(own, drawn >> 3)
            to = target(own, other, square, drawn & 7)
        apply(state, square << 6 | to)
        plies += 1
    return plies


@compiled
def spread(pieces):
    """How far pieces are from their centre of mass, on average and beyond what is unavoidable."""
    count, rows, columns, left = count_bits(pieces), 0, 0, pieces
    while left != 0:
        square = lowest(left)
        left &= left - 1
        rows += square >> 3
        columns += square & 7
    row, column = (rows + count // 2) // count, (columns + count // 2) // count
    far, left = 0, pieces
    while left != 0:
        square = lowest(left)
        left &= left - 1
        far += max(abs((square >> 3) - row), abs((square & 7) - column))
    # eight fit around the centre, and sixteen around those
    return (far - (count - 1 if count <= 9 else 8 + 2 * (count - 9))) / count


@compiled
def count_groups(pieces):
    groups = 0
    while pieces != 0:
        group, grown = np.int64(0), pieces & -pieces
        while grown != group:
            group = grown
            wide = group | (group << 1 & NOT_A) | (group >> 1 & NOT_H)
            grown = pieces & (wide | wide << 8 | (wide >> 8 & NOT_8))
        pieces &= ~group
        groups += 1
    return groups


@compiled
def evaluate(state, out):
    """Concentration, the largest part of Winands, van den Herik and Uiterwijk's evaluation (2001), groups, and who is to move."""
    black, white = state.pieces[0], state.pieces[1]
    lead = PER_STEP * (spread(white) - spread(black)) + PER_GROUP * (count_groups(white) - count_groups(black))
    lead += TEMPO if state.player == 0 else -TEMPO
    out[0] = 1.0 / (1.0 + math.exp(-lead))
    out[1] = 1.0 - out[0]


@compiled
def ring(square):
    """How far a square is from the edge."""
    row, column = square >> 3, square & 7
    return min(min(row, 7 - row), min(column, 7 - column))


@compiled
def count_neighbours(pieces, square):
    here = np.int64(1) << square
    wide = here | (here << 1 & NOT_A) | (here >> 1 & NOT_H)
    return count_bits(pieces & ~here & (wide | wide << 8 | (wide >> 8 & NOT_8)))


@compiled
def features(state, action, out):
    """Of a position, for who acts and for the other: every piece by its distance from the edge and its neighbours, the number of
    groups, how far the pieces are spread.  Of a move: the distances from the edge, its neighbours before and after, taking."""
    own, other, count = state.pieces[state.player], state.pieces[1 - state.player], 0
    if action >= 0:
        source, to = action >> 6, action & 63
        out[0] = OF_RINGS + 4 * ring(source) + ring(to)
        out[1] = OF_TARGET + count_neighbours(own & ~(np.int64(1) << source), to)
        out[2] = OF_SOURCE + count_neighbours(own, source)
        if other >> to & 1:
            out[3] = TAKES
            return 4
        return 3
    for side in range(2):
        pieces = own if side == 0 else other
        left = pieces
        while left != 0:
            square = lowest(left)
            left &= left - 1
            near = min(count_neighbours(pieces, square), MOST_NEIGHBOURS)
            out[count] = (4 * side + ring(square)) * (MOST_NEIGHBOURS + 1) + near
            count += 1
        out[count] = OF_GROUPS + 13 * side + count_groups(pieces)
        out[count + 1] = OF_SPREAD + SPREADS * side + min(max(int(2.0 * spread(pieces)), 0), SPREADS - 1)
        count += 2
    return count


@compiled
def key(state):
    return mix(mix(state.player, state.pieces[0]), state.pieces[1])


def format_action(state: Board, action: int) -> str:
    return square_name(action // 64) + square_name(action % 64)


def render(state: Board, observer: int | None = None) -> str:
    black, white = (int(pieces) for pieces in state.pieces)
    marks = ["X" if black >> square & 1 else "O" if white >> square & 1 else "." for square in range(64)]
    lines = [f"{y + 1} {' '.join(marks[8 * y : 8 * y + 8])}" for y in reversed(range(8))]
    return "\n".join([*lines, "  a b c d e f g h"])
