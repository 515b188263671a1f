"""Phantom Go: Go on a small board where neither player sees the other's stones.

Points, captures and the count at the end are those of ``go``; Black (player 0) starts.  What is different:

- A player may try every point that it does not know to be taken.  If an opponent's stone is there, the player is told so,
  knows that stone until it is captured, and chooses again, without a penalty; the opponent hears nothing of it.
- The opponent is told that a stone was placed, not where, or that the player passed.
- Stones that leave the board are announced to both, with their points, and so is a ko: a stone that was captured alone may not
  be retaken at once by a stone that would be captured alone in turn.
- A stone that leaves its own group without a liberty may be placed; the group is taken from the board.  (A referee who
  refuses such a stone as well would make the number of unheard tries depend on what is hidden.)
- After ``2 * n * n`` turns, or two passes in a row, the game ends, is counted as it stands, and the board is laid open.

The player who tries sees its action with the stones that left the board, or that the point is taken.

*The information set.*  A state remembers every turn: its move, what was taken off, and which tries were refused.  For an observer
the consistent states are exactly the pairs of

- a sequence of the opponent's moves, legal one after the other, under which everything that was announced and refused to the
  observer happens when it did and nothing else does, and
- for each stone that the observer ever had, the turn in which the opponent has found it, while it was there, or none.

The second part is independent of the first, and every choice is possible, so it is drawn directly.  The first is drawn by
rejection.  What was announced or refused says of some stones of the opponent by which turn they were there, and of some turns
that their move was one of a few; ``propose`` draws uniformly from all sequences that obey this (if stones are placed in the order
of their latest turns, the number of turns left for each does not depend on the choices before).  ``agrees`` plays such a sequence
beside the observer's moves and rejects it where anything else would have happened.  Every sequence that agrees is proposed in
one way only, hence those accepted are uniform, and the true one is among them.  In random games on 5 x 5 it takes 1 or 2
proposals in the first 15 turns, some dozens in the last 20 and at times more than ten thousand (a microsecond each); it grows
fast with the board, which is why ``n`` is at most 5.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import UNSEEN, Game, Layout, Word, Words, compiled, random_below, size_of
from icarus.games._bits import count_bits, lowest, nth_bit
from icarus.games.go import letters

LARGEST = 5  #: rows: a set of points and a small number are one move
TURNS = 2 * LARGEST * LARGEST
DRAW = 3

# what observers see: a set of points, and above its bits one of these; below them twice the own action, plus one for a ko
SET = LARGEST * LARGEST
TAKEN = 60  #: the number of the point, which is taken
STONE = 61  #: a stone of the other, somewhere, and the stones that left the board
STONE_AND_KO = 62  #: the same, and retaking is forbidden
PASS = 63  #: the other passed


class Board(Layout):
    """A position; the parameters come first.  Sets of points: point i = bit i, numbered as in ``go``."""

    n = Word()
    komi = Word()  #: twice as much
    plies = Word()  #: turns so far: stones and passes
    ko = Word()  #: 1 + the point that may not be retaken now, or 0
    outcome = Word()  #: 0 while the game runs, 1 and 2 if Black and White won, DRAW
    lead = Word()  #: in the end: points of Black minus points of White, without the komi
    stones = Words(2)  #: of each player
    found = Words(2)  #: by player: the opponent's stones that it knows
    moves = Words(TURNS)  #: by turn: the point, n * n for a pass
    removed = Words(TURNS)  #: by turn: the stones that left the board; bit SET: a ko
    refused = Words(TURNS + 1)  #: by turn: the points that were taken


def phantom_go(n: int = 5, komi: float = 0.5) -> Game:
    """A board of ``n`` x ``n`` (2-5); ``komi``: points for White, whole or half ones."""
    if not 2 <= n <= LARGEST:
        raise GameError(f"a board of phantom Go has 2 to {LARGEST} rows, not {n}")
    if 2 * komi != int(2 * komi) or abs(komi) > n * n:
        raise GameError(f"the komi must be a whole number of half points, at most {n * n}, not {komi}")
    return Game(
        name=f"phantom_go({n})" if komi == 0.5 else f"phantom_go({n},{komi:g})",
        summary=f"surround more of a board of {n} x {n}, without seeing the opponent's stones",
        players=2,
        parameters=(n, int(2 * komi)),
        layout=Board,
        state_size=size_of(Board),
        max_actions=n * n + 1,
        max_plies=4 * n * n,  # every stone can be found once
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
        player_names=("Black", "White"),
    )


# --- the board -------------------------------------------------------------------------------------------------------


@compiled
def every_point(n):
    return (1 << n * n) - 1


@compiled
def beside(points, n):
    """The points next to a set; some may belong to it."""
    first = every_point(n) // ((1 << n) - 1)  # the left column
    last = first << (n - 1)
    return ((points & ~last) << 1 | (points & ~first) >> 1 | points << n | points >> n) & every_point(n)


@compiled
def group_of(stone, stones, n):
    """The stones that are linked with one."""
    group, grown = 0, stone
    while grown != group:
        group = grown
        grown = group | (beside(group, n) & stones)
    return group


@compiled
def taken_off(own, other, stone, n):
    """The stones that leave the board when a stone is placed: the other's without liberties, or if there are none, one's own."""
    own |= stone
    removed, near = 0, beside(stone, n) & other
    while near != 0:
        group = group_of(near & -near, other, n)
        near &= ~group
        if beside(group, n) & ~(own | other) == 0:
            removed |= group
    if removed == 0:
        group = group_of(stone, own, n)
        if beside(group, n) & ~(own | other) == 0:
            removed = group
    return removed


@compiled
def makes_ko(own, other, stone, removed, n):
    """Is the stone alone after taking a single one, and could be retaken?  The sets are those before the move."""
    if removed & (removed - 1) != 0 or removed & other == 0 or beside(stone, n) & own != 0:
        return False
    return beside(stone, n) & ~other == 0  # what it took was its only liberty


@compiled
def result_of(own, other, action, n):
    """What the log says of a move: the stones that leave the board, and whether there is a ko."""
    if action == n * n:
        return 0
    stone = 1 << action
    removed = taken_off(own, other, stone, n)
    return removed | 1 << SET if removed != 0 and makes_ko(own, other, stone, removed, n) else removed


# --- the game --------------------------------------------------------------------------------------------------------


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    mover, n = state.plies & 1, state.n
    points = every_point(n) & ~(state.stones[mover] | state.found[mover])
    if state.ko != 0:
        points &= ~(1 << (state.ko - 1))
    count = 0
    while points != 0:
        actions[count] = lowest(points)
        count += 1
        points &= points - 1
    actions[count] = n * n
    return count + 1


@compiled
def apply(state, action):
    mover = state.plies & 1
    if action < state.n * state.n and (state.stones[1 - mover] >> action) & 1 != 0:
        state.refused[state.plies] |= 1 << action
        state.found[mover] |= 1 << action
        return
    take_turn(state, action, result_of(state.stones[mover], state.stones[1 - mover], action, state.n))


@compiled
def take_turn(state, action, result):
    """Make a move that is not refused; ``result`` is what the log says of it."""
    mover, turn, end = state.plies & 1, state.plies, state.n * state.n
    removed = result & ((1 << SET) - 1)
    state.moves[turn], state.removed[turn] = action, result
    if action < end:
        state.stones[mover] |= 1 << action
    for who in range(2):
        state.stones[who] &= ~removed
        state.found[who] &= ~removed
    state.ko = lowest(removed) + 1 if result >> SET != 0 else 0
    state.plies += 1
    if state.plies == 2 * end or (turn > 0 and action == end and state.moves[turn - 1] == end):
        finish(state)


@compiled
def finish(state):
    """Count the points: empty ones belong to the colour that alone can be reached from them."""
    n, lead = state.n, count_bits(state.stones[0]) - count_bits(state.stones[1])
    empty = every_point(n) & ~(state.stones[0] | state.stones[1])
    while empty != 0:
        area = group_of(empty & -empty, empty, n)
        empty &= ~area
        black, white = beside(area, n) & state.stones[0] != 0, beside(area, n) & state.stones[1] != 0
        if black != white:
            lead += count_bits(area) if black else -count_bits(area)
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
def observe(state, action, observer):
    mover, n = state.plies & 1, state.n
    own, other = state.stones[mover], state.stones[1 - mover]
    if action < n * n and (other >> action) & 1 != 0:
        return TAKEN << SET | action if observer == mover else UNSEEN
    result = result_of(own, other, action, n)
    if observer == mover:
        return (2 * action + (result >> SET)) << SET | (result & ((1 << SET) - 1))
    if action == n * n:
        return PASS << SET
    return STONE << SET | result if result >> SET == 0 else (STONE_AND_KO << SET) | (result & ((1 << SET) - 1))


# --- what an observer cannot know ------------------------------------------------------------------------------------


@compiled
def determinize(state, observer, rng):
    if terminal(state):
        return
    propose(state, observer, rng)
    while not agrees(state, observer):
        propose(state, observer, rng)
    forget_tries(state, 1 - observer)
    draw_tries(state, observer, rng)


@compiled
def forget_tries(state, who):
    for turn in range(who, state.plies + 1, 2):
        state.refused[turn] = 0


@compiled
def propose(state, observer, rng):
    """Draw the opponent's moves: a stone that is known to have been there by some turn comes in that turn or before."""
    n, opponent = state.n, 1 - observer
    end, known, own = n * n, 0, 0
    free = 0  # the opponent's turns so far that have no stone yet, as bits
    for turn in range(state.plies):
        removed = state.removed[turn] & ((1 << SET) - 1)
        if turn & 1 == opponent:
            if state.moves[turn] == end:
                continue
            free |= 1 << turn
            # what took something off the board is beside it, or part of it
            there = (beside(removed, n) & ~removed if removed & own != 0 else removed) & ~known
            if there != 0:
                point = nth_bit(there, random_below(rng, count_bits(there)))
                state.moves[turn] = point
                free ^= 1 << turn
                known |= 1 << point
                there ^= 1 << point
        else:
            there = state.refused[turn]
            if state.moves[turn] < end:
                own |= 1 << state.moves[turn]
                there |= beside(removed, n) & ~removed if removed & own != 0 else removed
            there &= ~known
        free = assign(state, there, free, rng)
        known |= there
        own &= ~removed
        known &= ~removed
    if state.plies & 1 == observer:  # tries of a turn that is not over
        there = state.refused[state.plies] & ~known
        free = assign(state, there, free, rng)
        known |= there
    unseen = every_point(n) & ~(own | known)
    while free != 0:
        point = nth_bit(unseen, random_below(rng, count_bits(unseen)))
        state.moves[lowest(free)] = point
        unseen ^= 1 << point
        free &= free - 1


@compiled
def assign(state, points, free, rng):
    """Stones on these points in different ones of the free turns, each equally likely; returns the turns that are left."""
    while points != 0:
        turn = nth_bit(free, random_below(rng, count_bits(free)))
        state.moves[turn] = lowest(points)
        free ^= 1 << turn
        points &= points - 1
    return free


@compiled
def agrees(state, observer):
    """Does everything happen as it was announced and refused to the observer?  If so, the board is as the moves leave it."""
    n, ko = state.n, 0
    end, mine, theirs = n * n, 0, 0
    for turn in range(state.plies):
        action, result = state.moves[turn], state.removed[turn]
        if turn & 1 == observer:
            if state.refused[turn] & ~theirs != 0:
                return False
            own, other = mine, theirs
        else:
            own, other = theirs, mine
        if action < end:
            if (own | other) >> action & 1 != 0 or ko == action + 1 or result_of(own, other, action, n) != result:
                return False
            own |= 1 << action
        removed = result & ((1 << SET) - 1)
        own &= ~removed
        other &= ~removed
        ko = lowest(removed) + 1 if result >> SET != 0 else 0
        if turn & 1 == observer:
            mine, theirs = own, other
        else:
            theirs, mine = own, other
    if state.plies & 1 == observer and state.refused[state.plies] & ~theirs != 0:
        return False
    state.stones[1 - observer] = theirs
    return True


@compiled
def draw_tries(state, observer, rng):
    """Draw in which turn the opponent has found each stone of the observer, if it has."""
    n, found = state.n, 0
    for placed in range(observer, state.plies, 2):
        point = state.moves[placed]
        if point == n * n or state.removed[placed] >> point & 1 != 0:
            continue
        chances, turn, there = 0, placed + 1, True  # the opponent's turns that began with the stone on the board
        while there and turn <= state.plies:
            chances += 1
            there = turn == state.plies or (state.removed[turn] | state.removed[turn + 1]) >> point & 1 == 0
            turn += 2
        drawn = random_below(rng, chances + 1)
        if drawn < chances:
            state.refused[placed + 1 + 2 * drawn] |= 1 << point
            if there:
                found |= 1 << point
    state.found[1 - observer] = found


# --- for people ------------------------------------------------------------------------------------------------------


def visible(state: Board, observer: int | None) -> list[str]:
    """What lies on every point as the observer knows it; None, and everyone when the game is over, sees all of it."""
    stones = [int(state.stones[0]), int(state.stones[1])]
    if observer is not None and not state.outcome:
        stones[1 - observer] = int(state.found[observer])
    return ["X" if stones[0] >> point & 1 else "O" if stones[1] >> point & 1 else "." for point in range(int(state.n) ** 2)]


def view(state: Board, observer: int) -> object:
    """The own turns with their tries; of the others' whether it was a pass, and what left the board."""
    if state.outcome:
        return bytes(state)
    turns, end = int(state.plies), int(state.n) ** 2
    seen = [
        (int(state.moves[turn]), int(state.removed[turn]), int(state.refused[turn]))
        if turn % 2 == observer
        else (int(state.moves[turn]) == end, int(state.removed[turn]))
        for turn in range(turns)
    ]
    return tuple(seen), int(state.refused[turns]) if turns % 2 == observer else 0


def render(state: Board, observer: int | None = None) -> str:
    n, stones = int(state.n), visible(state, observer)
    lines = [f"{y + 1:2d} " + " ".join(stones[n * y : n * y + n]) for y in reversed(range(n))]
    return "\n".join([*lines, "   " + " ".join(letters(n))])


def names_of(state: Board, points: int) -> str:
    """The points of a set."""
    return " ".join(format_action(state, point) for point in range(int(state.n) ** 2) if points >> point & 1)


def format_action(state: Board, action: int) -> str:
    row, column = divmod(action, int(state.n))
    return "pass" if row == int(state.n) else f"{letters(column + 1)[-1]}{row + 1}"


def format_move(state: Board, move: int, observer: int) -> str:
    kind, points = move >> SET, move & ((1 << SET) - 1)
    if kind == TAKEN:
        return format_action(state, points) + ", which is taken"
    told = {PASS: "pass", STONE: "a stone somewhere", STONE_AND_KO: "a stone somewhere"}.get(kind)
    told = format_action(state, kind // 2) if told is None else told
    ko = ", ko" if kind == STONE_AND_KO or (kind < TAKEN and kind % 2) else ""
    return told + (f", off the board: {names_of(state, points)}" if points else "") + ko
