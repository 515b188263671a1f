"""A travelling salesman with time windows: visit every place within its window, and drive as little as possible.

The file has the number of places, then the matrix of travel times row by row, then for each place when its window opens and
closes; the first place is where the tour starts and ends.  Who comes early waits.  The score is minus the time driven, and
minus 1 000 000 for every window that was missed (as in Cazenave and Teytaud, 2012).

An action is the next place, numbered from 0.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Number, Numbers, Word, Words, compiled, size_of
from icarus.games._file import read_lines
from icarus.games._svg import action, box, dot, image, line, text

EXAMPLE = """6
0 10 15 20 12 8
10 0 9 14 18 7
15 9 0 8 20 11
20 14 8 0 13 16
12 18 20 13 0 10
8 7 11 16 10 0
0 200
30 60
0 45
10 40
50 120
0 90
"""
MOST_PLACES = 200
MISSED = 1_000_000.0


class Tour(Layout):
    """Where the tour is; sizes and the file's numbers come first."""

    places = Word()
    visited = Word()
    here = Word()
    missed = Word()
    time = Number()
    driven = Number()
    been = Words(MOST_PLACES)
    numbers = Numbers()  #: travel times, then the windows


def tsptw(file: str = "") -> Game:
    """``file``: places, travel times and windows; without one a small example."""
    places, numbers = parse_tour(EXAMPLE, "example") if file == "" else read_tour(Path(file))
    size = size_of(Tour)
    words = np.array(numbers).view(np.int64).tolist()
    return Game(
        name=f"tsptw({Path(file).name})" if file else "tsptw",
        summary=f"visit {places} places within their windows, and drive as little as possible",
        players=1,
        parameters=(places, *[0] * (size - 1), *words),
        layout=Tour,
        state_size=size + len(words),
        max_actions=places - 1,
        max_plies=places - 1,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        code=code,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Driver",),
    )


def read_tour(file: Path) -> tuple[int, list[float]]:
    """How many places, then the matrix and the windows."""
    return parse_tour("\n".join(read_lines(file, "tour")), file.name)


def parse_tour(tour: str, name: str) -> tuple[int, list[float]]:
    try:
        found = [float(word) for line in tour.splitlines() for word in line.partition("#")[0].split()]
    except ValueError as problem:
        raise GameError(f"{name}: {str(problem).rpartition(':')[2].strip()} is not a number") from None
    places = int(found[0]) if found and math.isfinite(found[0]) and found[0] == int(found[0]) else 0
    if not 2 <= places <= MOST_PLACES:
        raise GameError(f"{name}: it begins with the number of places, 2 to {MOST_PLACES}")
    numbers = found[1:]
    if len(numbers) != places * places + 2 * places:
        wanted = f"{places} x {places} travel times and {places} windows of two numbers"
        raise GameError(f"{name}: {len(numbers)} numbers follow the first; {wanted} are {places * places + 2 * places}")
    if not all(number >= 0 for number in numbers):
        raise GameError(f"{name}: times are not below 0")
    for place in range(places):
        opens, closes = numbers[places * places + 2 * place : places * places + 2 * place + 2]
        if not math.isfinite(sum((*numbers[places * place : places * (place + 1)], opens))):
            raise GameError(f"{name}: only the end of a window may be infinite")
        if opens > closes:
            raise GameError(f"{name}: the window of place {place} closes at {closes:g}, before it opens at {opens:g}")
    return places, numbers


@compiled
def initial(state, rng):
    state.been[0] = 1
    state.visited = 1


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    count = 0
    for place in range(1, state.places):
        if state.been[place] == 0:
            actions[count] = place
            count += 1
    return count


@compiled
def go(state, place):
    """Drive to a place, and wait until it opens."""
    n = state.places
    way = state.numbers[n * state.here + place]
    opens, closes = state.numbers[n * n + 2 * place], state.numbers[n * n + 2 * place + 1]
    state.driven += way
    state.time = max(state.time + way, opens)
    state.missed += state.time > closes
    state.here = place


@compiled
def apply(state, place):
    go(state, place)
    state.been[place] = 1
    state.visited += 1
    if state.visited == state.places:
        go(state, 0)


@compiled
def terminal(state):
    return state.visited == state.places


@compiled
def score(state):
    return -state.driven - MISSED * state.missed


@compiled
def rewards(state, out):
    """Nearer to 1 the fewer windows were missed; what was driven decides among equals."""
    out[0] = (1.0 - state.missed / (state.places + 1)) * 0.9 + 0.1 / (1.0 + state.driven)


@compiled
def code(state, place):
    """The leg from here to there."""
    return state.places * state.here + place


def format_action(state: Tour, place: int) -> str:
    return str(place)


def window(state: Tour, place: int) -> tuple[float, float]:
    """When a place opens and closes."""
    first = int(state.places) ** 2 + 2 * place
    return float(state.numbers[first]), float(state.numbers[first + 1])


def unvisited(state: Tour) -> list[int]:
    return [place for place in range(1, int(state.places)) if not int(state.been[place])]


def arrival(state: Tour, place: int) -> float:
    """When one would be there, driving from here."""
    return float(state.time + state.numbers[int(state.places) * int(state.here) + place])


def told(state: Tour) -> str:
    missed = int(state.missed)
    windows = "1 window" if missed == 1 else f"{missed} windows"
    return f"at {int(state.here)} at {float(state.time):g}, {float(state.driven):g} driven, {windows} missed"


def render(state: Tour, observer: int | None = None) -> str:
    lines = []
    for place in unvisited(state):
        opens, closes = window(state, place)
        late = ", late" if arrival(state, place) > closes else ""
        lines.append(f"{place}: there at {arrival(state, place):g}{late}; open from {opens:g} to {closes:g}")
    return "\n".join([told(state), *lines])


def draw(state: Tour, observer: int | None) -> str:
    """A bar for each window, which is clicked to drive there; the line is now, a dot when one would arrive."""
    width, places, left = 440, range(1, int(state.places)), unvisited(state)
    row = min(24.0, max(4.0, 600 / len(places)))
    now, known = float(state.time), [window(state, place) for place in places]
    ends = [end for end in (now, *(end for times in known for end in times)) if math.isfinite(end)]
    scale = (width - 30) / (1.05 * max(*ends, *(arrival(state, place) for place in left), 1.0))
    parts = [text(told(state), width / 2, 10, 14), line(30 + now * scale, 24, 30 + now * scale, 30 + row * len(places))]
    for place, (opens, closes) in zip(places, known, strict=True):
        y = 28 + row * (place - 1)
        begin, end = 30 + opens * scale, min(30 + closes * scale, width)
        there = arrival(state, place)
        colour = "shade" if place not in left else "two" if there > closes else "leaf"
        shown = [box(begin, y + 1, max(end - begin, 3), row - 2, colour, radius=2)]
        if row >= 10:
            shown.append(text(place, 14, y + row / 2, min(14, row - 2)))
        if place in left:
            shown.append(dot(30 + there * scale, y + row / 2, row / 5, "ink"))
        parts.append(action(str(place), *shown) if place in left else "".join(shown))
    return image(width, 34 + row * len(places), *parts)
