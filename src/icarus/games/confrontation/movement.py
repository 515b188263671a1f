"""Where a character may move, who could have made a move, and what a player without an ordinary move gives away."""

from __future__ import annotations

import numpy as np

from icarus.game import compiled
from icarus.games._bits import lowest
from icarus.games.confrontation.board import (
    ADJACENT,
    ALL_REGIONS,
    DARK,
    EREGION,
    FALLEN,
    FANGORN,
    FIRST_COLUMN,
    FORWARD,
    LAST_COLUMN,
    LIGHT,
    MIRKWOOD,
    MORDOR,
    ROHAN,
    SIDEWAYS,
)
from icarus.games.confrontation.cast import (
    ARAGORN,
    BLACK_RIDER,
    EACH,
    FLYING_NAZGUL,
    FRODO,
    SIDE_MASK,
    WITCH_KING,
)
from icarus.games.confrontation.position import strike

#: the same tables for places, where the fallen go nowhere: no need to ask who is alive
AHEAD = np.zeros(2 * (FALLEN + 1), np.int64)
BESIDE = np.zeros(FALLEN + 1, np.int64)
AROUND = np.zeros(FALLEN + 1, np.int64)
AHEAD[:16], AHEAD[FALLEN + 1 : FALLEN + 17] = FORWARD[:16], FORWARD[16:]
BESIDE[:16], AROUND[:16] = SIDEWAYS, ADJACENT
#: who has more ways than forward
MOBILE = 1 << ARAGORN | 1 << FLYING_NAZGUL | 1 << BLACK_RIDER | 1 << WITCH_KING

EVERYBODY = np.int64(SIDE_MASK | SIDE_MASK << EACH)


@compiled
def lone_light(state):
    """The regions with exactly one Light character: where the Flying Nazgul may attack."""
    return state.occupied[LIGHT] & ~state.crowded[LIGHT]


@compiled
def ride(state, square):
    """The regions that the Black Rider can attack from here: forward through regions without Light and with room for him."""
    free = ~state.occupied[LIGHT] & ~state.full[DARK]
    reached = FORWARD[16 * DARK + square]
    targets = 0
    while reached != 0:
        targets |= reached & state.occupied[LIGHT]
        through = reached & free
        reached = ((through << 4) | ((through & ~LAST_COLUMN) << 1)) & ALL_REGIONS
    return targets


@compiled
def own_targets(state, character):
    """The regions to which a living character may move by its text."""
    square = state.places[character]
    if character == ARAGORN:
        return AROUND[square] & state.occupied[DARK]
    if character == WITCH_KING:
        return BESIDE[square] & state.occupied[LIGHT]
    return lone_light(state) if character == FLYING_NAZGUL else ride(state, square)


@compiled
def legal_moves(state, side, actions):
    number, room, mobile = 0, ~state.full[side], MOBILE & state.alive
    for character in range(EACH * side, EACH * side + EACH):
        square = state.places[character]
        start = (character << 8) | (square << 4)
        targets = AHEAD[(FALLEN + 1) * side + square] & room
        if (mobile >> character) & 1:
            targets |= own_targets(state, character)
        # most have at most two ways, how many is hard to predict: two are written in any case, and overwritten if they are none
        # (MAX_ACTIONS has two for everybody)
        more = targets & (targets - 1)
        actions[number] = start | lowest(targets)
        number += targets != 0
        actions[number] = start | lowest(more)
        number += more != 0
        more &= more - 1
        while more != 0:
            actions[number] = start | lowest(more)
            number += 1
            more &= more - 1
    return number


@compiled
def able_to_move(state, side, start, end):
    """The characters that the opponent must reckon with when it sees a piece go from one region to another."""
    if (FORWARD[16 * side + start] >> end) & 1:
        # had it been Frodo who went to Mordor, the game would be over
        return EVERYBODY & ~(1 << FRODO) if side == LIGHT and end == MORDOR else EVERYBODY
    if side == LIGHT:
        return 1 << ARAGORN
    able = 0
    if (SIDEWAYS[start] >> end) & 1:
        able |= 1 << WITCH_KING
    if (lone_light(state) >> end) & 1:
        able |= 1 << FLYING_NAZGUL
    if (ride(state, start) >> end) & 1:
        able |= 1 << BLACK_RIDER
    return able


@compiled
def has_ordinary_move(state, side):
    """Can a piece, whoever it is, go forward?  Everybody can see that."""
    pieces = state.occupied[side]
    if side == LIGHT:
        ahead = (pieces >> 4) | ((pieces & ~FIRST_COLUMN) >> 1)
        ahead |= ((pieces >> MIRKWOOD) & 1) << FANGORN
        ahead |= ((pieces >> FANGORN) & 1) << ROHAN
        ahead |= ((pieces >> EREGION) & 1) << FANGORN
    else:
        ahead = ((pieces << 4) | ((pieces & ~LAST_COLUMN) << 1)) & ALL_REGIONS
    return ahead & ~state.full[side] != 0


@compiled
def can_move(state, side):
    """Has this side a move?

    Dark without an ordinary move has everybody in the Shire, and only the Flying Nazgul can help.  Light may have Aragorn; and
    if it takes Aragorn to go on, then both players know that he stands next to an enemy.
    """
    if has_ordinary_move(state, side):
        return True
    if side == DARK:
        return (state.alive >> FLYING_NAZGUL) & 1 == 1 and lone_light(state) != 0
    enemies = state.occupied[DARK]
    if (state.alive >> ARAGORN) & 1 == 0 or ADJACENT[state.places[ARAGORN]] & enemies == 0:
        return False
    for square in range(16):
        if ADJACENT[square] & enemies == 0:
            state.who[square] = strike(state.who[square], 1 << ARAGORN)
    return True
