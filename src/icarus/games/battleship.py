"""Battleship: place your ships in secret, then shoot in turn until one fleet is sunk.

- The players place their ships in turn, the first ship of each, then the second, ..., across or down, on cells of their own
  board that no ship of theirs covers.  Ships may touch.  The opponent sees nothing of it.
- Then they shoot in turn at cells of the opponent's board, at none of them twice.  Both are told whether the shot hit
  *water*, a *ship*, or *sank* a ship, having hit the last of its cells; not which ship.
- Who sinks the last ship has won.  With ``shots`` the game ends at the latest when both have fired so many: more ships sunk
  win, equal numbers are a draw.

These are the actions and results of OpenSpiel's ``battleship`` without repeated shots; there the reward is the difference of
the ships sunk.

Actions: ``cell`` shoots; ``cells + cell`` places the next ship across, to the right of the cell, and ``2 * cells + cell``
down from it. Of a placement the opponent sees ``3 * cells``, of a shot both see ``3 * cells + 1 + 3 * cell + result``.

*The information set* is every placement of the opponent's ships for which all shots would have been answered as they were.
That is a property of each ship by itself, and two of all of them: (1) a ship covers no cell that was answered with "water";
(2) if it covers a cell where a ship was sunk, then exactly one, and all its other cells were hit before that one; if it
covers none, then not all of its cells have been hit; (3) ships do not overlap, and together they cover all hits.
``determinize`` draws uniformly from these: the first hit that is not covered yet must be covered by one of the ships that are
left, in one of a few ways, and so on until all hits are covered; each way to do that (a *cover*) weighs as many as the ways
to put the ships that are left, each by itself, on free cells.  A cover is drawn by weight and the other ships independently.
Every combination is then equally likely, and those in which ships overlap are rejected.
"""

from __future__ import annotations

from collections.abc import Sequence

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, random_below, random_unit, size_of
from icarus.games._bits import count_bits, lowest, nth_bit

MOST_CELLS, MOST_SHIPS, LONGEST = 60, 4, 5
WATER, HIT, SUNK = range(3)


class Sea(Layout):
    """By player: whose ships they are, and who is shot at."""

    rows = Word()
    columns = Word()
    ships = Word()  #: of each fleet
    sizes = Words(MOST_SHIPS)
    limit = Word()  #: shots of each player
    plies = Word()
    fleet = Words(2)  #: cells with a ship, as bits
    placed = Words(2 * MOST_SHIPS)  #: the cells of each ship
    shot = Words(2)  #: cells that were shot at
    sunk = Words(2)  #: cells in which a shot sank a ship
    when = Words(2 * MOST_CELLS)  #: the number of the shot at each cell, from 1


def battleship(rows: int = 5, columns: int = 5, ships: Sequence[int] = (2, 2, 3), *, shots: int = 0) -> Game:
    """``ships``: their lengths, at most four of 1-5; ``shots`` of each player (0: until a fleet is sunk)."""
    if not 1 <= rows <= 26 or not 1 <= columns <= 26 or rows * columns > MOST_CELLS:
        raise GameError(f"a board of Battleship has at most {MOST_CELLS} cells, such as 6 x 8, not {rows} x {columns}")
    lengths = [ships] if isinstance(ships, int) else list(ships)
    if not 1 <= len(lengths) <= MOST_SHIPS or not all(isinstance(size, int) and 1 <= size <= LONGEST for size in lengths):
        raise GameError(f"ships are 1 to {MOST_SHIPS} lengths from 1 to {LONGEST}, such as (2, 2, 3), not {ships!r}")
    for i, size in enumerate(lengths):
        # a covered cell takes away at most `size` places across and as many down: then there is room wherever the others are
        across, down = max(0, columns - size + 1), max(0, rows - size + 1)
        if rows * across + columns * down <= (min(size, across) + min(size, down)) * sum(lengths[:i]):
            raise GameError(f"ships of {lengths} may leave no room for one of length {size} on {rows} x {columns} cells")
    cells = rows * columns
    if not 0 <= shots <= cells:
        raise GameError(f"a player has 1 to {cells} shots, or 0 for as many as it takes, not {shots}")
    limited = f", shots={shots}" if shots else ""
    return Game(
        name=f"battleship({rows}, {columns}, {tuple(lengths)}{limited})",
        summary=f"{len(lengths)} ships hidden on {rows} x {columns} cells: sink the opponent's first",
        players=2,
        parameters=(rows, columns, len(lengths), *lengths, *[0] * (MOST_SHIPS - len(lengths)), shots or cells),
        layout=Sea,
        state_size=size_of(Sea),
        max_actions=2 * cells,
        max_plies=2 * len(lengths) + 2 * (shots or cells),
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize,
        observe=observe,
        view=view,
        render=render,
        format_action=format_action,
        format_move=format_move,
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


@compiled
def ship_at(state, size, place):
    """The cells of a ship across (``place`` below the number of cells) or down from a cell; 0 if it would leave the board."""
    cells, columns = state.rows * state.columns, state.columns
    across = place < cells
    cell = place if across else place - cells
    row, column = cell // columns, cell % columns
    if (column + size > columns) if across else (row + size > state.rows):
        return 0
    ship = 0
    for i in range(size):
        ship |= 1 << (cell + (i if across else i * columns))
    return ship


@compiled
def starts(state, free, size, down):
    """The first cells of all ships of a size that lie on free cells, across or down, as bits."""
    columns = state.columns
    first = free
    for i in range(1, size):
        first &= free >> (i * columns if down else i)
    if down:
        return first if size > 1 else 0  # a ship of one cell lies across
    fits = 0
    for row in range(state.rows):
        fits |= ((1 << max(0, columns - size + 1)) - 1) << row * columns
    return first & fits


@compiled
def legal(state, actions):
    cells, mover, count = state.rows * state.columns, state.plies & 1, 0
    number = state.plies >> 1
    if number < state.ships:
        free = ((1 << cells) - 1) & ~state.fleet[mover]
        for down in range(2):
            first = starts(state, free, state.sizes[number], down)
            while first != 0:
                actions[count] = (1 + down) * cells + lowest(first)
                first &= first - 1
                count += 1
        return count
    free = ((1 << cells) - 1) & ~state.shot[1 - mover]
    while free != 0:
        actions[count] = lowest(free)
        free &= free - 1
        count += 1
    return count


@compiled
def result_of(state, target, cell):
    """What a shot at a cell of a player's board will be answered."""
    bit = 1 << cell
    if state.fleet[target] & bit == 0:
        return WATER
    for i in range(state.ships):
        ship = state.placed[target * MOST_SHIPS + i]
        if ship & bit != 0:
            return SUNK if ship & ~(state.shot[target] | bit) == 0 else HIT
    return WATER


@compiled
def apply(state, action):
    cells, mover = state.rows * state.columns, state.plies & 1
    number = state.plies >> 1
    if action >= cells:
        ship = ship_at(state, state.sizes[number], action - cells)
        state.placed[mover * MOST_SHIPS + number] = ship
        state.fleet[mover] |= ship
    else:
        target = 1 - mover
        if result_of(state, target, action) == SUNK:
            state.sunk[target] |= 1 << action
        state.shot[target] |= 1 << action
        state.when[target * MOST_CELLS + action] = count_bits(state.shot[target])
    state.plies += 1


@compiled
def terminal(state):
    if state.plies >= 2 * (state.ships + state.limit):
        return True
    return count_bits(state.sunk[0]) == state.ships or count_bits(state.sunk[1]) == state.ships


@compiled
def rewards(state, out):
    lead = count_bits(state.sunk[1]) - count_bits(state.sunk[0])
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def observe(state, action, observer):
    cells, mover = state.rows * state.columns, state.plies & 1
    if action >= cells:
        return action if observer == mover else 3 * cells
    return 3 * cells + 1 + 3 * action + result_of(state, 1 - mover, action)


# --- where the opponent's ships may be -----------------------------------------------------------------------------------------


@compiled
def answers_fit(state, who, ship):
    """Would the shots at one ship have been answered as they were: conditions (1) and (2)?"""
    hits = state.shot[who] & state.fleet[who]
    if ship == 0 or ship & state.shot[who] & ~hits != 0:
        return False
    ends = ship & state.sunk[who]
    if ends == 0:
        return ship & ~hits != 0
    if ends & (ends - 1) != 0 or ship & ~hits != 0:
        return False
    last = state.when[who * MOST_CELLS + lowest(ends)]
    rest = ship & ~ends
    while rest != 0:
        if state.when[who * MOST_CELLS + lowest(rest)] > last:
            return False
        rest &= rest - 1
    return True


@compiled
def ways_to_cover(size):
    """In how many ways a ship may lie over a given cell: any of its cells there, across or down."""
    return 2 * size if size > 1 else 1


@compiled
def covering(state, who, size, hit, option):
    """The ship in one of its ways to cover a cell; 0 if that is impossible."""
    columns = state.columns
    row, column = hit // columns, hit % columns
    back = option if option < size else option - size
    if option < size:
        place = hit - back if column >= back else -1
    else:
        place = state.rows * columns + hit - back * columns if row >= back else -1
    if place < 0:
        return 0
    ship = ship_at(state, size, place)
    return ship if answers_fit(state, who, ship) else 0


@compiled
def free_for(state, who, covered):
    """Cells for ships that are on no hit: those that were not shot at and are not covered."""
    return ((1 << state.rows * state.columns) - 1) & ~(covered | state.shot[who])


@compiled
def covers(state, who, hits, covered, ships):
    """The weight of all covers of these hits by these ships (as bits), beside what is covered."""
    weight = 1.0
    if hits == 0:
        for i in range(state.ships):
            if (ships >> i) & 1 == 1:
                free = free_for(state, who, covered)
                weight *= count_bits(starts(state, free, state.sizes[i], 0)) + count_bits(starts(state, free, state.sizes[i], 1))
        return weight
    weight = 0.0
    hit = lowest(hits)
    for i in range(state.ships):
        if (ships >> i) & 1 == 1:
            for option in range(ways_to_cover(state.sizes[i])):
                ship = covering(state, who, state.sizes[i], hit, option)
                if ship != 0 and ship & covered == 0:
                    weight += covers(state, who, hits & ~ship, covered | ship, ships & ~(1 << i))
    return weight


@compiled
def determinize(state, observer, rng):
    if terminal(state):
        return
    who = 1 - observer
    number = min(state.ships, (state.plies + observer) >> 1)  # of the ships that the opponent has placed
    hits = state.shot[who] & state.fleet[who]
    total = covers(state, who, hits, 0, (1 << number) - 1)
    fleet = 0
    while fleet == 0 and number > 0:
        fleet = draw_fleet(state, who, hits, number, random_unit(rng) * total, rng)
    state.fleet[who] = fleet


@compiled
def draw_fleet(state, who, hits, number, point, rng):
    """Place all ships, with the cover that a point within the weight of all covers falls into; 0 if two of them overlap."""
    covered = 0
    ships = (1 << number) - 1
    while hits != 0:
        hit = lowest(hits)
        chosen, place, last = -1, 0, 0.0
        for i in range(number):
            if (ships >> i) & 1 == 1 and point >= 0.0:
                for option in range(ways_to_cover(state.sizes[i])):
                    ship = covering(state, who, state.sizes[i], hit, option)
                    if ship != 0 and ship & covered == 0 and point >= 0.0:
                        weight = covers(state, who, hits & ~ship, covered | ship, ships & ~(1 << i))
                        if weight > 0.0:
                            chosen, place = i, ship
                            point -= weight
                            last = weight
        point += last  # within the cover that was chosen
        state.placed[who * MOST_SHIPS + chosen] = place
        covered |= place
        hits &= ~place
        ships &= ~(1 << chosen)
    taken, free = covered, free_for(state, who, covered)
    for i in range(number):
        if (ships >> i) & 1 == 1:
            across, down = starts(state, free, state.sizes[i], 0), starts(state, free, state.sizes[i], 1)
            skip = random_below(rng, count_bits(across) + count_bits(down))
            if skip < count_bits(across):
                ship = ship_at(state, state.sizes[i], nth_bit(across, skip))
            else:
                ship = ship_at(state, state.sizes[i], state.rows * state.columns + nth_bit(down, skip - count_bits(across)))
            state.placed[who * MOST_SHIPS + i] = ship
            if ship & taken != 0:
                return 0
            taken |= ship
    return taken


# --- for people ----------------------------------------------------------------------------------------------------------------


def is_over(state: Sea) -> bool:
    done = int(state.plies) >= 2 * (int(state.ships) + int(state.limit))
    return done or any(int(mask).bit_count() == int(state.ships) for mask in state.sunk)


def view(state: Sea, observer: int) -> object:
    if is_over(state):
        return bytes(state)
    own = slice(observer * MOST_SHIPS, (observer + 1) * MOST_SHIPS)
    hits = [int(state.shot[who]) & int(state.fleet[who]) for who in range(2)]
    public = (state.plies, *state.shot, *state.sunk, *state.when)
    return (*(int(word) for word in public), *hits, *(int(ship) for ship in state.placed[own]))


def marks_of(state: Sea, who: int, observer: int | None) -> list[str]:
    """A player's board: ``~`` water that was shot at, ``x`` a hit, ``#`` where a ship was sunk, ``o`` a ship that is seen."""
    shot, sunk, fleet = int(state.shot[who]), int(state.sunk[who]), int(state.fleet[who])
    opened = observer in (None, who) or is_over(state)
    marks = []
    for cell in range(int(state.rows) * int(state.columns)):
        bit = 1 << cell
        if shot & bit:
            marks.append("#" if sunk & bit else "x" if fleet & bit else "~")
        else:
            marks.append("o" if opened and fleet & bit else ".")
    return marks


def render(state: Sea, observer: int | None = None) -> str:
    rows, columns = int(state.rows), int(state.columns)
    boards = [marks_of(state, who, observer) for who in range(2)]
    letters = " ".join(chr(ord("a") + x) for x in range(columns))
    lines = [f"{'player 1':{2 * columns + 6}}player 2", f"   {letters}      {letters}"]
    for y in range(rows):
        lines.append("   ".join(f"{y + 1:2d} " + " ".join(marks[columns * y : columns * (y + 1)]) for marks in boards))
    return "\n".join(lines)


def cell_name(state: Sea, cell: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return f"{chr(ord('a') + cell % int(state.columns))}{cell // int(state.columns) + 1}"


def format_action(state: Sea, action: int) -> str:
    way, cell = divmod(action, int(state.rows) * int(state.columns))
    return cell_name(state, cell) + ("", " across", " down")[way]


def format_move(state: Sea, move: int, observer: int) -> str:
    cells = int(state.rows) * int(state.columns)
    if move == 3 * cells:
        return "a ship somewhere"
    cell, result = divmod(move - 3 * cells - 1, 3)
    return f"{cell_name(state, cell)}, {('water', 'hit', 'sunk')[result]}"
