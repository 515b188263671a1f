"""Othello (Reversi): discs on a board of 8 x 8, and whoever outflanks the other's discs turns them over.

Squares are numbered row by row from the top left, a1 = 0, h1 = 7, h8 = 63; action = square.  Black is player 0 and
starts, with discs on e4 and d5 against White's on d4 and e5.  A disc must outflank at least one disc of the other
side, and turns over all that it outflanks.  Whoever cannot do that must play ``PASS``, which is never allowed
otherwise.  The game ends as soon as neither side can place a disc, without the two passes; more discs win, equal
numbers draw, and empty squares belong to nobody.  Perfect information.

The episode function is equation 22 of icarus-2014: an episode begins after a disc on one of the 28 squares of the
edge, and bears the name of the player to act.  So that episodes divide the whole game, the start of the game begins
one as well.
"""

from __future__ import annotations

import math

import numpy as np

from icarus.game import CONTINUES, Game, Layout, Word, Words, compiled, mix, size_of
from icarus.games._bits import count_bits, lowest

PASS = 64
START = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)

# Squares that can lie *between* two others on a line.  None of these sets holds square 63, the sign bit: what a shift
# to the right drags in from the sign never survives them, so that plain signed words do.
INNER = 0x007E7E7E7E7E7E00
INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E
INNER_ROWS = 0x00FFFFFFFFFFFF00

CORNERS = int(np.int64(1 | 1 << 7 | 1 << 56) | np.int64(-(1 << 63)))

# How good a square looks, in percent (one quarter of the board; the others mirror it): a corner can never be turned
# over, and a disc beside a corner hands it to the other side.
QUARTER = ((100, 10, 60, 50), (10, 0, 30, 30), (60, 30, 45, 40), (50, 30, 40, 40))
SQUARE_VALUE = np.array([QUARTER[min(y, 7 - y)][min(x, 7 - x)] / 100 for y in range(8) for x in range(8)])


#: squares that mirror each other have one number: 0 a corner, 9 the centre
_PAIRS = [[x, y] for x in range(4) for y in range(x, 4)]
KINDS = np.array([_PAIRS.index(sorted((min(y, 7 - y), min(x, 7 - x)))) for y in range(8) for x in range(8)])


class Board(Layout):
    """Sets of squares have square i as bit i."""

    discs = Words(2)  #: the discs of Black, the discs of White
    moves = Word()  #: where the player to act may place a disc; empty if it has to pass
    turn = Word()  #: who acts: 0 Black, 1 White
    begins = Word()  #: 1 if an episode begins here: at the start of the game and after a disc on the edge
    over = Word()  #: 1 if neither side can place a disc


def othello() -> Game:
    """Othello on the usual board of 8 x 8."""
    return Game(
        name="othello",
        summary="Othello (Reversi) on a board of 8 x 8",
        players=2,
        layout=Board,
        state_size=size_of(Board),
        max_actions=60,
        # 60 discs; every pass stands between two of them, since after a pass a disc can be placed
        max_plies=60 + 59,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        margin=margin,
        episode=episode,
        heuristic=heuristic,
        evaluate=evaluate,
        features=features,
        feature_count=64,
        max_features=64 + 64,
        key=key,
        observation=observation,
        observation_shape=(2, 8, 8),
        render=render,
        format_action=format_action,
        player_names=("Black", "White"),
    )


@compiled
def runs_up(source, between, step):
    """The unbroken runs of ``between``, up to six long, that begin one step after a square of ``source``."""
    pairs = between & (between << step)
    run = between & (source << step)
    run |= between & (run << step)
    run |= pairs & (run << (2 * step))
    return run | (pairs & (run << (2 * step)))


@compiled
def runs_down(source, between, step):
    """The same towards lower squares."""
    pairs = between & (between >> step)
    run = between & (source >> step)
    run |= between & (run >> step)
    run |= pairs & (run >> (2 * step))
    return run | (pairs & (run >> (2 * step)))


@compiled
def ends(own, between, step):
    """The squares behind the runs beside own discs, both ways along the lines of one direction."""
    return (runs_up(own, between, step) << step) | (runs_down(own, between, step) >> step)


@compiled
def outflanked(disc, own, between, step):
    """The runs from this disc to an own one, both ways along the line of one direction."""
    up = runs_up(disc, between, step)
    down = runs_down(disc, between, step)
    if (up << step) & own == 0:
        up = 0
    if (down >> step) & own == 0:
        down = 0
    return up | down


@compiled
def placements(own, other):
    """Where the owner of ``own`` may place a disc."""
    inner = other & INNER
    reached = ends(own, other & INNER_COLUMNS, 1) | ends(own, other & INNER_ROWS, 8)
    reached |= ends(own, inner, 7) | ends(own, inner, 9)
    return reached & ~(own | other)


@compiled
def initial(state, rng):
    state.discs[0], state.discs[1] = START
    state.moves = placements(state.discs[0], state.discs[1])
    state.begins = 1


@compiled
def player(state):
    return state.turn


@compiled
def legal(state, actions):
    moves = state.moves
    if moves == 0:
        actions[0] = PASS
        return 1
    count = 0
    while moves != 0:
        actions[count] = lowest(moves)
        count += 1
        moves &= moves - 1
    return count


@compiled
def apply(state, action):
    mover = state.turn
    own, other = state.discs[mover], state.discs[1 - mover]
    state.turn = 1 - mover
    state.begins = 0
    if action != PASS:
        disc = np.int64(1) << action
        inner = other & INNER
        turned = outflanked(disc, own, other & INNER_COLUMNS, 1) | outflanked(disc, own, other & INNER_ROWS, 8)
        turned |= outflanked(disc, own, inner, 7) | outflanked(disc, own, inner, 9)
        own |= disc | turned
        other ^= turned
        state.discs[mover] = own
        state.discs[1 - mover] = other
        state.begins = disc & INNER == 0
    moves = placements(other, own)
    state.moves = moves
    if moves == 0:
        state.over = placements(own, other) == 0


@compiled
def terminal(state):
    return state.over


@compiled
def margin(state):
    """The difference of the discs, as a share of the board."""
    return abs(count_bits(state.discs[0]) - count_bits(state.discs[1])) / 64.0


@compiled
def rewards(state, out):
    black, white = count_bits(state.discs[0]), count_bits(state.discs[1])
    out[0] = 1.0 if black > white else 0.5 if black == white else 0.0
    out[1] = 1.0 - out[0]


@compiled
def episode(state):
    return state.turn if state.begins else CONTINUES


@compiled
def heuristic(state, action):
    return SQUARE_VALUE[action] if action != PASS else 0.5


@compiled
def evaluate(state, out):
    """Corners, the squares beside empty corners, and mobility: what Rosenbloom (1982) and programs since look at first.

    Discs count once few squares are empty.
    """
    black, white = state.discs[0], state.discs[1]
    own, other = state.discs[state.turn], state.discs[1 - state.turn]
    moves, replies = count_bits(state.moves), count_bits(placements(other, own))
    corners = count_bits(own & CORNERS) - count_bits(other & CORNERS)
    free = CORNERS & ~(black | white)
    # the square beside an empty corner on its diagonal
    risky = (free & 1) << 9 | (free & 1 << 7) << 7 | (free & 1 << 56) >> 7 | ((free >> 63) & 1) << 54
    danger = count_bits(own & risky) - count_bits(other & risky)
    lead = 1.0 * corners - 0.4 * danger + 2.0 * (moves - replies) / (moves + replies + 2)
    empty = 64 - count_bits(black | white)
    if empty < 16:
        lead += (count_bits(own) - count_bits(other)) * (16 - empty) / 64.0
    out[state.turn] = 1.0 / (1.0 + math.exp(-lead))
    out[1 - state.turn] = 1.0 - out[state.turn]


@compiled
def features(state, action, out):
    """Of a position: the kinds of squares that each side holds, and its possible placements.

    Of a placement: the kind of square, by whether the board is half full.  Squares that mirror each other are of one kind.
    """
    if action >= 0:
        full = count_bits(state.discs[0] | state.discs[1])
        out[0] = 22 + KINDS[action] + (10 if full >= 34 else 0) if action != PASS else 42
        return 1
    own, other, count = state.discs[state.turn], state.discs[1 - state.turn], 0
    for square in range(64):
        if (own >> square) & 1 != 0:
            out[count] = KINDS[square]
            count += 1
        elif (other >> square) & 1 != 0:
            out[count] = 10 + KINDS[square]
            count += 1
    for _ in range(count_bits(state.moves)):
        out[count] = 20
        count += 1
    for _ in range(min(count_bits(placements(other, own)), 128 - count)):
        out[count] = 21
        count += 1
    return count


@compiled
def key(state):
    return mix(mix(state.turn, state.discs[0]), state.discs[1])


@compiled
def observation(state, observer, out):
    """A plane of the observer's discs and one of the other's."""
    own, other = state.discs[observer], state.discs[1 - observer]
    for square in range(64):
        out[square] = own >> square & 1
        out[64 + square] = other >> square & 1


def format_action(state: Board, action: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return "pass" if action == PASS else f"{'abcdefgh'[action % 8]}{action // 8 + 1}"


def render(state: Board, observer: int | None = None) -> str:
    black, white = map(int, state.discs)
    marks = ["X" if black >> square & 1 else "O" if white >> square & 1 else "." for square in range(64)]
    rows = [f"{y + 1} {' '.join(marks[8 * y : 8 * y + 8])}" for y in range(8)]
    return "\n".join(["  a b c d e f g h", *rows, f"X {marks.count('X')}, O {marks.count('O')}"])
