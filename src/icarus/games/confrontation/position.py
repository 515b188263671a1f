"""The state of a game: where everybody is, and what the opponent can conclude about it.

What a player knows of the other side is public, since it follows from what both have seen: each piece has a set of characters
that it can be.  Pieces in one region are interchangeable, for their owner may shuffle them: when one of them leaves unseen,
all of them get the union of their sets.  When a character is revealed it is struck from all other sets; if it could have
been several of the pieces in its region, then those of them that it is not get the union of their sets, less the character.
A character that is face up moves with a set of its own.
"""

from __future__ import annotations

import numpy as np

from icarus.game import ENVIRONMENT, Layout, Word, Words, compiled
from icarus.games._bits import count_bits
from icarus.games.confrontation.board import ALL_REGIONS, CAPACITY, DARK, FALLEN, LIGHT, PLACES, TUNNEL
from icarus.games.confrontation.cast import EACH, SIDE_MASK

FIXED, RANDOM, CONSTRAINED, VARIED = 0, 1, 2, 3
NOWHERE = -1
#: so many equal sets side by side are the set times this
REPEAT = np.array((0, 0o1, 0o1001, 0o1001001, 0o1001001001), np.int64)
NO_PIECE = np.int64(0)

# phases, in the order of a turn
MOVE = 0  #: whose turn it is moves a character
IN_TUNNEL = 1  #: Dark may show the Balrog
VICTIM = 2  #: the environment shows whom the Balrog caught
CHOOSE_ENEMY = 3  #: the attacker picks an enemy who is face up, or a hidden one
REVEAL = 4  #: the environment reveals the attacker and a hidden defender
LIGHT_TEXT = 5  #: Frodo, Sam or Pippin may use their texts
SARUMANS_TEXT = 6  #: Saruman may forbid cards
DARK_CARD = 7  #: Dark plays a card
LIGHT_CARD = 8  #: Light plays a card
REVEAL_CARDS = 9  #: the environment turns both cards up
DARK_PICKS = 10  #: Dark's Magic becomes a used card
DARK_RETREATS = 11  #: Dark chooses where to
LIGHT_PICKS = 12  #: Light's Magic becomes a used card
LIGHT_RETREATS = 13  #: Light chooses where to
OVER = 14
# phases in which nobody acts; they pass within one action
MEETING = 15  #: two characters who are face up begin to fight: Light's text
DARK_TEXT = 16  #: Dark's text
RESOLVING = 17  #: the cards are face up
FIGHT_OVER = 18
TURN_OVER = 19

#: who acts in each phase; in the first it is whose turn it is
ACTORS = np.array(
    (
        *(ENVIRONMENT, DARK, ENVIRONMENT, DARK, ENVIRONMENT, LIGHT, DARK, DARK),
        *(LIGHT, ENVIRONMENT, DARK, DARK, LIGHT, LIGHT, ENVIRONMENT),
    ),
    np.int64,
)


class Situation(Layout):
    """Everything, in the order of the rules; what belongs to a side is by side, and sets are masks."""

    # parameters
    shire = Word()  #: so many Dark characters in the Shire win
    extermination = Word()  #: 1 if Light wins when the last Dark character falls
    setup = Word()  #: FIXED, RANDOM, CONSTRAINED or VARIED
    # the turn
    phase = Word()  #: what is decided now
    turn = Word()  #: whose turn it is: LIGHT or DARK
    turns = Word()  #: turns begun, 1 .. TURN_LIMIT
    winner = Word()  #: 0 nobody yet, else player + 1
    # the battle
    square = Word()  #: the region that is attacked, or TUNNEL, or NOWHERE
    fighters = Words(2)  #: the character that fights, once it is face up, or NOBODY
    fought = Word()  #: 1 if the attacker has met an enemy before in this turn
    helped = Word()  #: 1 if Sam fights with Frodo shown
    face_up = Word()  #: the characters that have been revealed in this turn
    falling = Word()  #: the characters that this fight kills; empty whenever somebody acts
    # the cards
    used = Words(2)  #: the cards on the discard pile
    cards = Words(2)  #: the card that has been played in this fight, or NO_CARD
    effects = Words(2)  #: the card as which it works, once it is face up, or NO_CARD
    # the board
    alive = Word()  #: the characters in the game
    occupied = Words(2)  #: regions with at least one character
    crowded = Words(2)  #: regions with at least two
    full = Words(2)  #: regions without room for one more
    places = Words(2 * EACH)  #: the region of each character, or TUNNEL, or FALLEN
    here = Words(PLACES)  #: the characters in each region, and in the tunnel
    who = Words(2 * PLACES)  #: by side and place: for each piece there the set of characters that it can be (below)
    options = Words(EACH)  #: room for playouts, which begin with a copy; otherwise empty


@compiled
def player(state):
    return state.turn if state.phase == MOVE else ACTORS[state.phase]


@compiled
def side_of(character):
    return LIGHT if character < EACH else DARK


@compiled
def count(state, side, square):
    """How many characters of one side are there."""
    return count_bits((state.here[square] >> (EACH * side)) & SIDE_MASK)


@compiled
def recount(state, side, square):
    """Bring the masks of regions up to date after a change in one region."""
    if square == TUNNEL:
        return
    number = count(state, side, square)
    bit = 1 << square
    rest = ALL_REGIONS ^ bit
    state.occupied[side] = (state.occupied[side] & rest) | (bit if number >= 1 else 0)
    state.crowded[side] = (state.crowded[side] & rest) | (bit if number >= 2 else 0)
    state.full[side] = (state.full[side] & rest) | (bit if number >= CAPACITY[square] else 0)


@compiled
def leave(state, character):
    square = state.places[character]
    state.here[square] &= ~(1 << character)
    recount(state, side_of(character), square)


@compiled
def enter(state, character, square):
    state.places[character] = square
    state.here[square] |= 1 << character
    recount(state, side_of(character), square)


# --- what the opponent can conclude ----------------------------------------------------------------------------------
# Sets of one side's characters are nine bits; those of all pieces in one place are side by side in one word, the greatest
# first (in the lowest bits), so that equal knowledge has equal words.


@compiled
def union(sets):
    return (sets | sets >> 9 | sets >> 18 | sets >> 27) & SIDE_MASK


@compiled
def insert(sets, piece):
    """Add the set of one more piece."""
    shift = 0
    while (sets >> shift) & SIDE_MASK >= piece:
        shift += 9
    return (sets & ((1 << shift) - 1)) | (piece << shift) | ((sets >> shift) << (shift + 9))


@compiled
def out_of_order(sets):
    """Does a greater set come after a smaller one?"""
    first, second, third, fourth = sets & SIDE_MASK, sets >> 9 & SIDE_MASK, sets >> 18 & SIDE_MASK, sets >> 27
    return (first < second) | (second < third) | (third < fourth)


@compiled
def in_order(sets):
    left = NO_PIECE
    while sets != 0:
        left = insert(left, sets & SIDE_MASK)
        sets >>= 9
    return left


@compiled
def strike(sets, bit):
    """None of these pieces can be this character."""
    return in_order(sets & ~(bit * REPEAT[4]))


@compiled
def strike_everywhere(state, side, bit, here):
    """The same for all of a side but those in one place, whose sets are of no use any more."""
    wide, disorder = bit * REPEAT[4], False
    first, last = PLACES * side, PLACES * side + PLACES
    for place in range(first, last):  # without a branch, several at a time
        left = state.who[place] & ~wide
        state.who[place] = left
        disorder |= out_of_order(left)
    if disorder:
        for place in range(first, last):
            if place != here and out_of_order(state.who[place]):
                state.who[place] = in_order(state.who[place])


@compiled
def take(sets, piece):
    """Take away one piece with this set."""
    shift = 0
    while (sets >> shift) & SIDE_MASK != piece:
        shift += 9
    return (sets & ((1 << shift) - 1)) | ((sets >> (shift + 9)) << shift)


@compiled
def could_be(state, character, square):
    """Must the opponent reckon with this character there?"""
    side = side_of(character)
    return (union(state.who[PLACES * side + square]) >> (character - EACH * side)) & 1


@compiled
def carry_hidden(state, character, square, able):
    """A character moves face down; ``able`` are the characters that could have made this move."""
    side = side_of(character)
    origin = state.places[character]
    start, end = PLACES * side + origin, PLACES * side + square
    mixed = union(state.who[start])
    state.who[start] = mixed * REPEAT[count(state, side, origin) - 1]
    state.who[end] = insert(state.who[end], mixed & (able >> (EACH * side)))
    leave(state, character)
    enter(state, character, square)


@compiled
def carry_shown(state, character, square):
    """A character moves that is face up."""
    side = side_of(character)
    start, end = PLACES * side + state.places[character], PLACES * side + square
    bit = 1 << (character - EACH * side)
    state.who[start] = take(state.who[start], bit)
    state.who[end] = insert(state.who[end], bit)
    leave(state, character)
    enter(state, character, square)


@compiled
def remove(state, character):
    """A character that is face up leaves the game."""
    side = side_of(character)
    start = PLACES * side + state.places[character]
    state.who[start] = take(state.who[start], 1 << (character - EACH * side))
    leave(state, character)
    state.places[character] = FALLEN
    state.alive &= ~(1 << character)
    state.face_up &= ~(1 << character)


@compiled
def reveal(state, character):
    """Both players see that this character is where it is."""
    side = side_of(character)
    state.face_up |= 1 << character
    bit = 1 << (character - EACH * side)
    here = PLACES * side + state.places[character]
    sets = state.who[here]
    strike_everywhere(state, side, bit, here)
    candidates = 0
    mixed = 0
    others = NO_PIECE
    while sets != 0:
        piece = sets & SIDE_MASK
        if piece & bit:
            candidates += 1
            mixed |= piece
        else:
            others = insert(others, piece)
        sets >>= 9
    for _ in range(candidates - 1):
        others = insert(others, mixed & ~bit)
    state.who[here] = insert(others, bit)


@compiled
def win(state, winner):
    """The first to win has won."""
    if state.winner == 0:
        state.winner = winner + 1
