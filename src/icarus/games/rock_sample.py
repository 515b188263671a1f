"""RockSample: a rover collects rocks that may be worthless, and has a sensor that is the less reliable the further it looks.

The map has n x n cells and k rocks, whose places are known; each is good with probability one half.  The rover goes north,
east, south or west, takes the rock of its cell, or checks one of the rocks.  A good rock brings 10 points, a bad one costs 10; to
leave the map in the east brings 10 and ends the game.  A check of a rock at distance d is right with probability
``(1 + 2^(-d/20)) / 2``.  All points are discounted by 0.95 for every step before them, and after 4 (n + k) steps the game is over
(Smith and Simmons, "Heuristic Search Value Iteration for POMDPs", 2004; POMCP's test, Silver and Veness, 2010, with their maps
for 7 x 7 and 11 x 11).

A state remembers how likely the rover must think each rock to be good, by Bayes' rule: that is all it knows of them, so a
determinization draws each rock with this probability.

Actions are 0 to 3 for a step, TAKE, and ``CHECK + rock``; outcomes of a check are BAD and GOOD.  Who takes a rock sees what it
was: the moves TAKEN_BAD and TAKEN_GOOD.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Game, Layout, Number, Numbers, Word, Words, compiled, random_unit, size_of
from icarus.games._svg import action, box, dot, image, text

MOST_ROCKS, MOST_SIDE = 16, 30
NORTH, EAST, SOUTH, WEST, TAKE, CHECK = range(6)
BAD, GOOD, TAKEN_BAD, TAKEN_GOOD = range(CHECK + MOST_ROCKS, CHECK + MOST_ROCKS + 4)
NAMES = ("n", "e", "s", "w", "take")
POINTS, DISCOUNT, HALF = 10.0, 0.95, 20.0
UNKNOWN, LOOKING = 0.5, 1

#: where the rocks of published maps are: column from the west, row from the south
MAPS = {
    (7, 8): ((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)),
    (11, 11): ((0, 3), (0, 7), (1, 8), (2, 4), (3, 3), (3, 8), (4, 3), (5, 8), (6, 1), (9, 3), (9, 9)),
}


class Map(Layout):
    """The parameters come first."""

    n = Word()
    k = Word()
    cell = Words(MOST_ROCKS)  #: of each rock, n row + column
    good = Words(MOST_ROCKS)  #: hidden from the rover
    gone = Words(MOST_ROCKS)  #: taken
    belief = Numbers(MOST_ROCKS)  #: how likely a rock is good, given all that was seen
    x = Word()
    y = Word()
    checked = Word()  #: the rock that is being checked + LOOKING, else 0
    steps = Word()
    left = Word()  #: the rover has left the map
    points = Number()
    worth = Number()  #: of a point now


def rock_sample(n: int = 7, k: int = 8) -> Game:
    """A map of ``n`` x ``n`` cells (2-30) with ``k`` rocks (1-16)."""
    if not 2 <= n <= MOST_SIDE or not 1 <= k <= MOST_ROCKS or k > n * n:
        raise GameError(f"rock_sample({n},{k}): the map has 2 to {MOST_SIDE} cells on each side and 1 to {MOST_ROCKS} rocks")
    cells = [n * y + x for x, y in MAPS.get((n, k)) or scattered(n, k)]
    return Game(
        name=f"rock_sample({n},{k})",
        summary=f"collect good rocks on a map of {n} x {n}; a sensor that errs says which of {k} are good",
        players=1,
        parameters=(n, k, *cells),
        layout=Map,
        state_size=size_of(Map),
        max_actions=CHECK + k,
        max_plies=2 * most_steps(n, k),
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        sample=sample,
        chance=chance,
        determinize=determinize,
        observe=observe,
        view=view,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Rover",),
    )


def scattered(n: int, k: int) -> list[tuple[int, int]]:
    """Places for rocks, always the same: as far from each other as a golden ratio keeps them."""
    free = [(x, y) for y in range(n) for x in range(n)]
    return [free.pop(int((number + 1) * 0.6180339887 * n * n) % len(free)) for number in range(k)]


@compiled
def most_steps(n, k):
    return 4 * (n + k)


@compiled
def initial(state, rng):
    state.y = state.n // 2
    state.worth = 1.0
    for rock in range(state.k):
        state.good[rock] = random_unit(rng) < UNKNOWN
        state.belief[rock] = UNKNOWN


@compiled
def player(state):
    return ENVIRONMENT if state.checked != 0 else 0


@compiled
def rock_here(state):
    """The rock that can be taken; below 0: there is none."""
    for rock in range(state.k):
        if state.cell[rock] == state.n * state.y + state.x and state.gone[rock] == 0:
            return rock
    return -1


@compiled
def legal(state, actions):
    count = 0
    if state.checked != 0:
        actions[0] = BAD
        actions[1] = GOOD
        return 2
    if state.y < state.n - 1:
        actions[count] = NORTH
        count += 1
    actions[count] = EAST
    count += 1
    if state.y > 0:
        actions[count] = SOUTH
        count += 1
    if state.x > 0:
        actions[count] = WEST
        count += 1
    if rock_here(state) >= 0:
        actions[count] = TAKE
        count += 1
    for rock in range(state.k):
        if state.gone[rock] == 0:
            actions[count] = CHECK + rock
            count += 1
    return count


@compiled
def reliability(state, rock):
    """How likely a check from here is right."""
    east = state.cell[rock] % state.n - state.x
    north = state.cell[rock] // state.n - state.y
    return 0.5 + 0.5 * 2.0 ** (-(float(east * east + north * north) ** 0.5) / HALF)


@compiled
def says_good(state):
    """How likely the check that is under way says that the rock is good."""
    rock = state.checked - LOOKING
    right = reliability(state, rock)
    return right if state.good[rock] != 0 else 1.0 - right


@compiled
def chance(state, out):
    out[1] = says_good(state)
    out[0] = 1.0 - out[1]
    return 2


@compiled
def sample(state, rng):
    return GOOD if random_unit(rng) < says_good(state) else BAD


@compiled
def apply(state, move):
    if state.checked != 0:
        rock = state.checked - LOOKING
        right, known = reliability(state, rock), state.belief[rock]
        if move == GOOD:
            seen_if_good, seen_if_bad = known * right, (1.0 - known) * (1.0 - right)
        else:
            seen_if_good, seen_if_bad = known * (1.0 - right), (1.0 - known) * right
        state.belief[rock] = seen_if_good / (seen_if_good + seen_if_bad)
        state.checked = 0
        return
    if move >= CHECK:
        state.checked = move - CHECK + LOOKING
    elif move == TAKE:
        rock = rock_here(state)
        state.points += state.worth * (POINTS if state.good[rock] != 0 else -POINTS)
        state.belief[rock] = float(state.good[rock])
        state.gone[rock] = 1
    elif move == EAST and state.x == state.n - 1:
        state.points += state.worth * POINTS
        state.left = 1
    elif move == NORTH:
        state.y += 1
    elif move == SOUTH:
        state.y -= 1
    else:
        state.x += 1 if move == EAST else -1
    state.steps += 1
    state.worth *= DISCOUNT


@compiled
def terminal(state):
    return state.left != 0 or (state.checked == 0 and state.steps == most_steps(state.n, state.k))


@compiled
def score(state):
    return state.points


@compiled
def rewards(state, out):
    most = POINTS * (state.k + 1)
    out[0] = min(max(0.5 + 0.5 * state.points / most, 0.0), 1.0)


@compiled
def determinize(state, observer, rng):
    for rock in range(state.k):
        if state.gone[rock] == 0:
            state.good[rock] = random_unit(rng) < state.belief[rock]


@compiled
def observe(state, move, observer):
    if move == TAKE:
        return TAKEN_GOOD if state.good[rock_here(state)] != 0 else TAKEN_BAD
    return move


def view(state: Map, observer: int) -> object:
    place = tuple(int(word) for word in (state.x, state.y, state.checked, state.steps, state.left))
    rocks = tuple(zip(map(float, state.belief[: int(state.k)]), map(int, state.gone[: int(state.k)]), strict=True))
    return place, float(state.points), rocks


def format_action(state: Map, move: int) -> str:
    if move >= BAD:
        return ("looks bad", "looks good", "was bad", "was good")[move - BAD]
    return NAMES[move] if move < CHECK else f"check {move - CHECK + 1}"


def render(state: Map, observer: int | None = None) -> str:
    n, k = int(state.n), int(state.k)
    rocks = {int(state.cell[rock]): rock for rock in range(k) if not int(state.gone[rock])}
    lines = []
    for y in reversed(range(n)):
        here = [n * y + x for x in range(n)]
        shown = [f"{rocks[cell] + 1:2d}" if cell in rocks else " ." for cell in here]
        if y == int(state.y) and not int(state.left):
            shown[int(state.x)] = "R" + shown[int(state.x)].strip()[:1].replace(".", " ")
        lines.append(" ".join(shown).rstrip())
    lines.append("good with probability " + ", ".join(f"{rock + 1}: {float(state.belief[rock]):.2f}" for rock in rocks.values()))
    if observer is None:
        truth = ", ".join(f"{rock + 1} {'good' if int(state.good[rock]) else 'bad'}" for rock in rocks.values())
        lines.append(f"in truth: {truth}")
    return "\n".join([*lines, f"{float(state.points):.2f} points, step {int(state.steps)}"])


def draw(state: Map, observer: int | None) -> str:
    """A cell beside the rover is clicked for a step, its own for taking the rock, another rock for a check."""
    n, k, cell = int(state.n), int(state.k), 44
    x, y, over = int(state.x), int(state.y), bool(terminal(state))
    rocks = {divmod(int(state.cell[rock]), n): rock for rock in range(k) if not int(state.gone[rock])}
    steps = {(y + 1, x): "n", (y, x + 1): "e", (y - 1, x): "s", (y, x - 1): "w"}
    parts = []
    for row in range(n):
        for column in range(n + 1):
            left, top = cell * column, cell * (n - 1 - row)
            outside, rock = column == n, rocks.get((row, column))
            shown = [box(left + 1, top + 1, cell - 2, cell - 2, "accent" if outside else "slate" if rock is None else "gold")]
            if rock is not None:
                chances = f"{100 * float(state.belief[rock]):.0f} %"
                shown += [text(rock + 1, left + cell / 2, top + 14, 14), text(chances, left + cell / 2, top + 32, 11)]
            if (row, column) == (y, x) and not int(state.left):
                shown.append(dot(left + cell / 2, top + cell / 2, cell / 5, "one"))
                label = "take" if rock is not None else ""
            else:
                label = steps.get((row, column), "" if rock is None else f"check {rock + 1}")
            parts.append(action(label, *shown) if label and not over and not int(state.checked) else "".join(shown))
    beside = {rock: place for place, rock in rocks.items() if place in steps or place == (y, x)}
    for number, rock in enumerate(sorted(beside)):  # where a click means a step, a check is a box below the map
        left, top = cell * number, cell * n + 8
        shown = [box(left + 1, top, cell - 2, 24, "leaf"), text(f"? {rock + 1}", left + cell / 2, top + 12, 12)]
        parts.append(action(f"check {rock + 1}", *shown) if not over and not int(state.checked) else "".join(shown))
    told = f"{float(state.points):.2f} points, step {int(state.steps)}"
    return image(cell * (n + 1), cell * n + 64, *parts, text(told, cell * n / 2, cell * n + 50, 14))
