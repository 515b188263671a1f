"""Satisfiability: give every variable of a formula a value so that as many clauses as possible hold.

The formula is read from a file in DIMACS form (``p cnf variables clauses``, then clauses that end with 0).  Variables are set
one after the other, those that occur most often first; the score is the number of clauses that hold in the end: all of them, if
the formula is satisfied.

An action is ``2 (variable - 1) + value``.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, size_of
from icarus.games._file import read_lines
from icarus.games._svg import box, button, image, text

#: can be satisfied, and half of all values do not
EXAMPLE = """p cnf 8 20
1 2 -3 0
-1 4 5 0
3 -4 6 0
-5 -6 7 0
2 -7 8 0
-2 3 -8 0
-1 -3 5 0
4 -5 -8 0
1 -6 8 0
-2 -4 7 0
3 5 6 0
-3 -7 -8 0
1 4 -7 0
-1 2 6 0
-4 5 -6 0
2 3 7 0
-5 6 8 0
-2 -6 -7 0
1 3 8 0
-1 -4 -8 0
"""
MOST_VARIABLES, MOST_CLAUSES, MOST_LITERALS = 5000, 50_000, 200_000
MOST_DRAWN = 400  #: clauses in a drawing, ...
SHOWN = 8  #: ... and in the text


class Formula(Layout):
    """The parameters come first: sizes, then the formula."""

    variables = Word()
    clauses = Word()
    literals = Word()  #: words of all clauses, each of which ends with 0
    set = Word()  #: variables that have a value
    words = Words()  #: the clauses, as in the file; then the order of the variables, then their values: 0 none, 1 false, 2 true


def sat(file: str = "") -> Game:
    """``file``: a formula in DIMACS form (.cnf); without one a small example."""
    variables, clauses = parse_formula(EXAMPLE, "example") if file == "" else read_formula(Path(file))
    flat = [literal for clause in clauses for literal in (*clause, 0)]
    often = Counter(abs(literal) for literal in flat if literal)
    order = sorted(range(1, variables + 1), key=lambda variable: (-often[variable], variable))
    return Game(
        name=f"sat({Path(file).name})" if file else "sat",
        summary=f"a formula of {variables} variables and {len(clauses)} clauses: satisfy as many as possible",
        players=1,
        parameters=(variables, len(clauses), len(flat), 0, *flat, *order),
        layout=Formula,
        state_size=size_of(Formula) + len(flat) + 2 * variables,
        max_actions=2,
        max_plies=variables,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Solver",),
    )


def read_formula(file: Path) -> tuple[int, list[list[int]]]:
    """The number of variables, and the clauses."""
    return parse_formula("\n".join(read_lines(file, "formula")), file.name)


def parse_formula(formula: str, name: str) -> tuple[int, list[list[int]]]:
    header, numbers = None, []
    for number, line in enumerate(formula.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "%":  # what some collections put at the end
            break
        try:
            if words[0] == "p":
                if header is not None or len(words) != 4 or words[1] != "cnf":
                    raise ValueError
                header = int(words[2]), int(words[3])
            else:
                numbers += [int(word) for word in words]
        except ValueError:
            raise GameError(
                f"{name}, line {number}: {line.strip()[:60]!r} is not DIMACS (p cnf VARIABLES CLAUSES; 1 -2 0)"
            ) from None
    if header is None:
        raise GameError(f"{name}: the line 'p cnf VARIABLES CLAUSES' is missing")
    variables, declared = header
    if not 1 <= variables <= MOST_VARIABLES or not 1 <= declared <= MOST_CLAUSES or len(numbers) > MOST_LITERALS:
        raise GameError(f"{name}: a formula has 1 to {MOST_VARIABLES} variables and 1 to {MOST_CLAUSES} clauses")
    clauses: list[list[int]] = [[]]
    for literal in numbers:
        if abs(literal) > variables:
            raise GameError(f"{name}: the literal {literal} is beyond the {variables} variables")
        if literal == 0:
            clauses.append([])
        else:
            clauses[-1].append(literal)
    if clauses[-1]:
        raise GameError(f"{name}: the last clause does not end with 0")
    if len(clauses) - 1 != declared:
        raise GameError(f"{name}: {declared} clauses are declared, and there are {len(clauses) - 1}")
    return variables, clauses[:-1]


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    variable = state.words[state.literals + state.set]
    actions[0] = 2 * (variable - 1)
    actions[1] = 2 * (variable - 1) + 1
    return 2


@compiled
def apply(state, move):
    state.words[state.literals + state.variables + (move >> 1)] = 1 + (move & 1)
    state.set += 1


@compiled
def terminal(state):
    return state.set == state.variables


@compiled
def holding(state):
    """How many clauses hold."""
    values = state.literals + state.variables - 1
    count, holds = 0, 0
    for i in range(state.literals):
        literal = state.words[i]
        if literal == 0:
            count += holds
            holds = 0
        elif state.words[values + abs(literal)] == (2 if literal > 0 else 1):
            holds = 1
    return count


@compiled
def score(state):
    return float(holding(state))


@compiled
def rewards(state, out):
    out[0] = holding(state) / state.clauses


def format_action(state: Formula, move: int) -> str:
    return f"{'' if move & 1 else '-'}{move // 2 + 1}"


def values(state: Formula) -> list[int]:
    """Of each variable: 0 none yet, 1 false, 2 true."""
    first = int(state.literals) + int(state.variables)
    return [int(value) for value in state.words[first : first + int(state.variables)]]


def clauses(state: Formula) -> list[list[int]]:
    """As in the file."""
    found: list[list[int]] = [[]]
    for literal in state.words[: int(state.literals)]:
        if literal:
            found[-1].append(int(literal))
        else:
            found.append([])
    return found[:-1]


def standing(clause: list[int], known: list[int]) -> str:
    """Does a clause hold, is it broken, or is that open?"""
    if any(known[abs(literal) - 1] == (2 if literal > 0 else 1) for literal in clause):
        return "holds"
    return "open" if any(known[abs(literal) - 1] == 0 for literal in clause) else "broken"


def following(state: Formula) -> int:
    """The variable that is set next."""
    return int(state.words[int(state.literals) + int(state.set)])


def render(state: Formula, observer: int | None = None) -> str:
    known, of_all = values(state), clauses(state)
    broken = sum(standing(clause, known) == "broken" for clause in of_all)
    model = " ".join(f"{'-' if value == 1 else ''}{number + 1}" for number, value in enumerate(known) if value)
    lines = [f"{int(holding(state))} of {int(state.clauses)} clauses hold, {broken} are broken", model]
    if not terminal(state):
        next_one = following(state)
        near = [c for c in of_all if next_one in map(abs, c) and standing(c, known) == "open"]
        shown = ", ".join(f"({' '.join(map(str, clause))})" for clause in near[:SHOWN])
        lines.append(f"next: {next_one}, open with it: {shown or 'none'}{' ...' if len(near) > SHOWN else ''}")
    return "\n".join(lines)


def draw(state: Formula, observer: int | None) -> str:
    """A square for each clause: green where it holds, red where it is broken."""
    known, of_all = values(state), clauses(state)[:MOST_DRAWN]
    across = max(10, math.ceil(math.sqrt(2 * len(of_all))))
    side, top = 300 / across, 100
    parts = [text(f"{int(holding(state))} of {int(state.clauses)} clauses hold", 150, 20)]
    if not terminal(state):
        parts += [button(str(following(state)), 20, 50, 110), button(f"-{following(state)}", 170, 50, 110)]
    for number, clause in enumerate(of_all):
        colour = {"holds": "leaf", "broken": "two", "open": "shade"}[standing(clause, known)]
        x, y = side * (number % across), top + side * (number // across)
        parts.append(box(x, y, 0.9 * side, 0.9 * side, colour, radius=side / 8))
    return image(300, top + side * math.ceil(len(of_all) / across), *parts)
