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
def targets_of(state, character, side):
    """The regions to which a living character may move."""
    square = state.places[character]
    targets = FORWARD[16 * side + square] & ~state.full[side]
    if character == ARAGORN:
        targets |= ADJACENT[square] & state.occupied[DARK]
    elif character == WITCH_KING:
        targets |= SIDEWAYS[square] & state.occupied[LIGHT]
    elif character == FLYING_NAZGUL:
        targets |= lone_light(state)
    elif character == BLACK_RIDER:
        targets |= ride(state, square)
    return targets


@compiled
def legal_moves(state, side, actions):
    number = 0
    for character in range(EACH * side, EACH * side + EACH):
        if (state.alive >> character) & 1:
            start = (character << 8) | (state.places[character] << 4)
            targets = targets_of(state, character, side)
            while targets != 0:
                square = lowest(targets)
                targets &= targets - 1
                actions[number] = start | square
                number += 1
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
