"""Drawing a uniform sample of the characters that an opponent's pieces can be.

``WHO`` says which characters can be in which region, and everybody sees how many pieces are there.  Number the pieces: an
assignment is a perfect matching between the living characters and the pieces, and since the pieces of one region share one
set, every arrangement of the characters over the regions is made by equally many matchings.  So what is needed is a uniform
perfect matching in a 0/1 matrix of at most 9 x 9.

Rows are matched one after the other, small ones first, each with a free column drawn at random.  That alone is not uniform, for
the number of free columns depends on earlier draws.  But it never exceeds a bound that does not: the size of the row less the
number of earlier rows that lie within it.  A draw from as many tickets as the bound says, where the tickets that have no free
column start everything anew, gives every perfect matching the same chance, the product of 1/bound.  The matrix may be read by
pieces or by characters; the reading with the smaller product of bounds fails less often (mostly never: sets that lie within
each other have exact bounds).
"""

from __future__ import annotations

from icarus.game import compiled, random_below
from icarus.games.confrontation.board import FALLEN, LIGHT, PLACES
from icarus.games.confrontation.cast import EACH, SIDE_MASK
from icarus.games.confrontation.play import cards_are_hidden, nth
from icarus.games.confrontation.position import ALIVE, CARD, DARK_CARD, HERE, LIGHT_CARD, PHASE, PLACE, USED, WHO, bits

# A row waits in the word for a character's place, which is about to be drawn anew.  Its columns are the lowest nine bits; above
# these, with so many bits to the right:
NAME = 9  #: which piece, or which character, it is
GOT = 13  #: the column that it has been given
BOUND = 17

BY_PIECES, BY_CHARACTERS = 0, 1


@compiled
def determinize(state, observer, rng):
    draw_places(state, 1 - observer, rng)
    if cards_are_hidden(state) and state[PHASE] != DARK_CARD and (state[PHASE] != LIGHT_CARD or observer == LIGHT):
        hand = SIDE_MASK & ~state[USED + 1 - observer]
        state[CARD + 1 - observer] = nth(hand, random_below(rng, bits(hand)))


@compiled
def draw_places(state, side, rng):
    """Draw the places of one side's characters among all that agree with ``WHO``."""
    rows = PLACE + EACH * side
    alive = (state[ALIVE] >> (EACH * side)) & SIDE_MASK
    number = bits(alive)
    squares = piece_squares(state, side)
    reading, product = BY_PIECES, 0
    for attempt in range(3):
        # pieces, characters, and pieces again if that was better
        product_before = product
        reading = attempt & 1
        product = read(state, side, squares, reading)
        if attempt == 1 and product <= product_before:
            break
    columns = alive if reading == BY_PIECES else (1 << number) - 1
    match(state, rows, number, columns, rng)
    write_places(state, side, squares, reading)


@compiled
def piece_squares(state, side):
    """Five bits for each piece: where it is."""
    squares = 0
    piece = 0
    for square in range(PLACES):
        for _ in range(bits((state[HERE + square] >> (EACH * side)) & SIDE_MASK)):
            squares |= square << (5 * piece)
            piece += 1
    return squares


@compiled
def read(state, side, squares, reading):
    """Write the rows, small ones first, with their bounds; the result is the product of the bounds."""
    rows = PLACE + EACH * side
    alive = (state[ALIVE] >> (EACH * side)) & SIDE_MASK
    number = bits(alive)
    row = 0
    for name in range(EACH):
        if reading == BY_CHARACTERS:
            if (alive >> name) & 1 == 0:
                continue
            columns = 0
            for piece in range(number):
                square = (squares >> (5 * piece)) & 31
                columns |= ((state[WHO + square] >> (EACH * side + name)) & 1) << piece
        else:
            if name == number:
                break
            columns = (state[WHO + ((squares >> (5 * name)) & 31)] >> (EACH * side)) & SIDE_MASK
        at = row
        while at > 0 and bits(state[rows + at - 1] & SIDE_MASK) > bits(columns):
            state[rows + at] = state[rows + at - 1]
            at -= 1
        state[rows + at] = columns | (name << NAME)
        row += 1
    product = 1
    for row in range(number):
        columns = state[rows + row] & SIDE_MASK
        bound = bits(columns)
        for earlier in range(row):
            if state[rows + earlier] & SIDE_MASK & ~columns == 0:
                bound -= 1
        state[rows + row] |= bound << BOUND
        product *= bound
    return product


@compiled
def match(state, rows, number, columns, rng):
    """Give every row a column of its own."""
    row = 0
    free = columns
    while row < number:
        word = state[rows + row]
        choices = word & free & SIDE_MASK
        ticket = random_below(rng, word >> BOUND)
        if ticket < bits(choices):
            column = nth(choices, ticket)
            free ^= 1 << column
            state[rows + row] = (word & ~(15 << GOT)) | (column << GOT)
            row += 1
        else:
            row = 0
            free = columns


@compiled
def write_places(state, side, squares, reading):
    """Put the characters where the rows say."""
    rows = PLACE + EACH * side
    places = 0  # five bits for each character
    for row in range(bits(state[ALIVE] >> (EACH * side) & SIDE_MASK)):
        name, got = (state[rows + row] >> NAME) & 15, (state[rows + row] >> GOT) & 15
        piece, character = (name, got) if reading == BY_PIECES else (got, name)
        places |= ((squares >> (5 * piece)) & 31) << (5 * character)
    for square in range(PLACES):
        state[HERE + square] &= ~(SIDE_MASK << (EACH * side))
    for character in range(EACH * side, EACH * side + EACH):
        square = places & 31 if (state[ALIVE] >> character) & 1 else FALLEN
        places >>= 5
        state[PLACE + character] = square
        if square != FALLEN:
            state[HERE + square] |= 1 << character
