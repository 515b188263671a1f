"""Drawing a uniform sample of the characters that an opponent's pieces can be.

Everybody knows, for each piece, the set of characters that it can be.  An arrangement of the living characters over the
places is possible if the characters can be given to the pieces so that each is in the set of its piece: a perfect matching in a
0/1 matrix of at most 9 x 9.  Two steps make the possible arrangements equally likely.

A uniform matching.  Rows are matched one after the other, small ones first, each with a free column drawn at random.  That
alone is not uniform, for the number of free columns depends on earlier draws.  But it never exceeds a bound that does not: the
size of the row less the number of earlier rows that lie within it.  So draw one of as many tickets as the bound says, and start
anew on a ticket without a free column: every matching then has the same chance, the product of 1/bound.  The matrix may be
read by pieces or by characters; the reading with the smaller product of bounds fails less often (sets that lie within each
other never fail).

From matchings to arrangements.  Pieces with different sets in one place can sometimes exchange their characters, so that several
matchings make the same arrangement.  Each is kept with the chance 1/(number of matchings that make it), relative to the
exchanges of equal pieces, which all arrangements have in common.
"""

from __future__ import annotations

from icarus.game import compiled, random_below
from icarus.games._bits import count_bits
from icarus.games.confrontation.board import FALLEN, LIGHT, PLACES
from icarus.games.confrontation.cast import EACH, SIDE_MASK
from icarus.games.confrontation.play import cards_are_hidden, nth
from icarus.games.confrontation.position import DARK_CARD, LIGHT_CARD

# A row waits in a character's place, which is about to be drawn anew.  Its columns are the lowest nine bits;
# above these, with so many bits to the right:
NAME = 9  #: which piece, or which character, it is
GOT = 13  #: the column that it has been given
BOUND = 17

BY_PIECES, BY_CHARACTERS = 0, 1


@compiled
def determinize(state, observer, rng):
    draw_places(state, 1 - observer, rng)
    if cards_are_hidden(state) and state.phase != DARK_CARD and (state.phase != LIGHT_CARD or observer == LIGHT):
        hand = SIDE_MASK & ~state.used[1 - observer]
        state.cards[1 - observer] = nth(hand, random_below(rng, count_bits(hand)))


@compiled
def draw_places(state, side, rng):
    """Draw the places of one side's characters among all possible arrangements."""
    pieces = list_pieces(state, side)
    reading, product = BY_PIECES, 0
    for attempt in range(3):
        # pieces, characters, and pieces again if that was better
        product_before = product
        reading = attempt & 1
        product = read(state, side, pieces, reading)
        if attempt == 1 and product <= product_before:
            break
    while True:
        match(state, side, reading, rng)
        places = matched_places(state, side, pieces, reading)
        if keep(state, side, places, rng):
            break
    for square in range(PLACES):
        state.here[square] &= ~(SIDE_MASK << (EACH * side))
    for character in range(EACH * side, EACH * side + EACH):
        square = places & 31 if (state.alive >> character) & 1 else FALLEN
        places >>= 5
        state.places[character] = square
        if square != FALLEN:
            state.here[square] |= 1 << character


@compiled
def list_pieces(state, side):
    """Seven bits for each piece: where it is (five), and which of the sets there is its own (two)."""
    pieces = 0
    shift = 0
    for square in range(PLACES):
        sets, code = state.who[PLACES * side + square], square
        while sets != 0:
            pieces |= code << shift
            shift += 7
            code += 1 << 5
            sets >>= 9
    return pieces


@compiled
def piece_set(state, side, pieces, piece):
    code = (pieces >> (7 * piece)) & 127
    return (state.who[PLACES * side + (code & 31)] >> (9 * (code >> 5))) & SIDE_MASK


@compiled
def read(state, side, pieces, reading):
    """Write the rows, small ones first, with their bounds; the result is the product of the bounds."""
    rows = EACH * side
    alive = (state.alive >> (EACH * side)) & SIDE_MASK
    number = count_bits(alive)
    row = 0
    for name in range(EACH):
        columns = 0
        if reading == BY_CHARACTERS:
            if (alive >> name) & 1:
                for piece in range(number):
                    columns |= ((piece_set(state, side, pieces, piece) >> name) & 1) << piece
        elif name < number:
            columns = piece_set(state, side, pieces, name)
        if columns != 0:
            at = row
            while at > 0 and count_bits(state.places[rows + at - 1] & SIDE_MASK) > count_bits(columns):
                state.places[rows + at] = state.places[rows + at - 1]
                at -= 1
            state.places[rows + at] = columns | (name << NAME)
            row += 1
    product = 1
    for row in range(number):
        columns = state.places[rows + row] & SIDE_MASK
        bound = count_bits(columns)
        for earlier in range(row):
            if state.places[rows + earlier] & SIDE_MASK & ~columns == 0:
                bound -= 1
        state.places[rows + row] |= bound << BOUND
        product *= bound
    return product


@compiled
def match(state, side, reading, rng):
    """Give every row a column of its own."""
    rows = EACH * side
    alive = (state.alive >> (EACH * side)) & SIDE_MASK
    number = count_bits(alive)
    columns = alive if reading == BY_PIECES else (1 << number) - 1
    row = 0
    free = columns
    while row < number:
        word = state.places[rows + row]
        choices = word & free & SIDE_MASK
        ticket = random_below(rng, word >> BOUND)
        if ticket < count_bits(choices):
            column = nth(choices, ticket)
            free ^= 1 << column
            state.places[rows + row] = (word & ~(15 << GOT)) | (column << GOT)
            row += 1
        else:
            row = 0
            free = columns


@compiled
def matched_places(state, side, pieces, reading):
    """Five bits for each character: where the matching puts it."""
    rows = EACH * side
    places = 0
    for row in range(count_bits((state.alive >> (EACH * side)) & SIDE_MASK)):
        name, got = (state.places[rows + row] >> NAME) & 15, (state.places[rows + row] >> GOT) & 15
        piece, character = (name, got) if reading == BY_PIECES else (got, name)
        places |= ((pieces >> (7 * piece)) & 31) << (5 * character)
    return places


@compiled
def keep(state, side, places, rng):
    """Keep a matching with the chance that makes all arrangements equally likely."""
    alive = (state.alive >> (EACH * side)) & SIDE_MASK
    for square in range(PLACES):
        sets = state.who[PLACES * side + square]
        exchanges = 1  # of pieces with equal sets, which stand side by side
        equal = 1
        differ = False
        while sets >> 9 != 0:
            if sets & SIDE_MASK == (sets >> 9) & SIDE_MASK:
                equal += 1
                exchanges *= equal
            else:
                equal = 1
                differ = True
            sets >>= 9
        if differ:
            here = 0
            for character in range(EACH):
                if (places >> (5 * character)) & 31 == square:
                    here |= 1 << character
            if random_below(rng, ways(state.who[PLACES * side + square], here & alive)) >= exchanges:
                return False
    return True


@compiled
def ways(sets, characters):
    """In how many ways can these characters be given to pieces with these sets?"""
    if sets == 0:
        return 1
    number = 0
    choices = sets & characters & SIDE_MASK
    while choices != 0:
        number += ways(sets >> 9, characters & ~(choices & -choices))
        choices &= choices - 1
    return number
