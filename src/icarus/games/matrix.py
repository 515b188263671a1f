"""Matrix games: two players choose at the same time, and a table gives their payoffs.

The table is written row by row, for example ``matrix("2,0; 0,1")`` or ``matrix(((2, 0), (0, 1)))``.  An entry is one
number, the row player's payoff in a zero-sum game, or a pair, row player first: ``matrix("3:3,0:5; 5:0,1:1")`` or
``matrix((((3, 3), (0, 5)), ((5, 0), (1, 1))))``.  Each player's payoffs are scaled linearly, apart from the other's,
so that its worst is reward 0 and its best is 1 (0.5 if it gets the same everywhere): that changes no best reply, and
the rewards of a zero-sum game add up to 1.

Player 0 chooses a row, then player 1 a column without having seen it: of the first choice player 1 sees ``HIDDEN``,
and the move that it sees of its own choice also tells the row (``(row + 1) * columns + column``), for then both are
laid open.
"""

from __future__ import annotations

from collections.abc import Sequence

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, random_below, size_of

SCALE = 2**52

HIDDEN = 2**30  #: the move of a choice that the observer does not see
MAX_CHOICES = 64

Entry = float | Sequence[float]


class Table(Layout):
    rows = Word()
    columns = Word()
    choices = Words(2)  #: by player: 0 not yet, else the choice + 1
    payoffs = Words()  #: per cell, row by row: rewards of player 0 and player 1, in units of 1 / SCALE


def matrix(payoffs: str | Sequence[Sequence[Entry]] = "1,-1; -1,1") -> Game:
    """``payoffs``: row by row, as text or nested tuples; an entry is a number (zero-sum) or a pair."""
    table = read_table(payoffs)
    rows = ";".join(",".join(format_entry(pair) for pair in row) for row in table)
    return build(f'matrix("{rows}")', "a table of payoffs, chosen from at the same time", table)


def rock_paper_scissors() -> Game:
    """Rock blunts scissors, scissors cut paper, paper wraps rock."""
    table = read_table("0,-1,1; 1,0,-1; -1,1,0")
    return build("rock_paper_scissors", "two players show a hand at the same time", table, ("rock", "paper", "scissors"))


def matching_pennies() -> Game:
    """Player 0 wins if the coins match, player 1 if they differ."""
    return build("matching_pennies", "the first player wants equal coins", read_table("1,-1; -1,1"), ("heads", "tails"))


def build(name: str, summary: str, table: list[list[tuple[float, float]]], labels: Sequence[str] = ()) -> Game:
    rows, columns = len(table), len(table[0])
    scaled = [scale([pair[player] for row in table for pair in row]) for player in range(2)]

    def choice_name(player: int, choice: int) -> str:
        return labels[choice] if labels else f"{('row', 'column')[player]} {choice + 1}"

    def format_action(state: Table, action: int) -> str:
        return choice_name(0 if state.choices[0] == 0 else 1, action)

    def render(state: Table, observer: int | None = None) -> str:
        return "\n".join(
            f"player {player + 1}: "
            + ("to choose" if choice == 0 else "has chosen" if choice is None else choice_name(player, choice - 1))
            for player, choice in enumerate(visible_choices(state, observer))
        )

    return Game(
        name=name,
        summary=summary,
        players=2,
        parameters=(rows, columns, 0, 0, *(reward for pair in zip(*scaled, strict=True) for reward in pair)),
        layout=Table,
        state_size=size_of(Table) + 2 * rows * columns,
        max_actions=max(rows, columns),
        max_plies=2,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize,
        observe=observe,
        simultaneous=simultaneous,
        view=visible_choices,
        render=render,
        format_action=format_action,
        unveils=unveils,
        player_names=("row player", "column player"),
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return 0 if state.choices[0] == 0 else 1


@compiled
def legal(state, actions):
    count = state.rows if state.choices[0] == 0 else state.columns
    for choice in range(count):
        actions[choice] = choice
    return count


@compiled
def apply(state, action):
    state.choices[player(state)] = action + 1


@compiled
def terminal(state):
    return state.choices[1] != 0


@compiled
def rewards(state, out):
    cell = (state.choices[0] - 1) * state.columns + state.choices[1] - 1
    for i in range(2):
        out[i] = state.payoffs[2 * cell + i] / SCALE


@compiled
def determinize(state, observer, rng):
    if observer == 1 and state.choices[0] != 0 and not terminal(state):
        state.choices[0] = 1 + random_below(rng, state.rows)


@compiled
def observe(state, action, observer):
    if state.choices[0] == 0:
        return action if observer == 0 else HIDDEN
    return action if observer == 0 else state.choices[0] * state.columns + action


def unveils(state: Table, move: int, observer: int) -> dict[int, int]:
    """With its own choice the second player sees the first's."""
    return {0: 1} if observer == 1 and state.choices[0] != 0 else {}


@compiled
def simultaneous(state):
    return 1


def visible_choices(state: Table, observer: int | None) -> tuple[int | None, int]:
    """Both choices (0: not made yet, else the choice + 1); None for one that the observer may not see."""
    row, column = map(int, state.choices)
    return (None if observer == 1 and row and not column else row), column


def scale(payoffs: list[float]) -> list[int]:
    worst, best = min(payoffs), max(payoffs)
    return [SCALE // 2 if worst == best else round((value - worst) / (best - worst) * SCALE) for value in payoffs]


def read_table(payoffs: str | Sequence[Sequence[Entry]]) -> list[list[tuple[float, float]]]:
    """The table as pairs of numbers; raises GameError with what a table looks like."""
    example = 'write rows like "1,-1; -1,1" (zero-sum) or "3:3,0:5; 5:0,1:1" (both payoffs)'
    try:
        if isinstance(payoffs, str):
            table = [[read_entry(entry) for entry in row.split(",")] for row in payoffs.strip().rstrip(";").split(";")]
        else:
            table = [[read_entry(entry) for entry in row] for row in payoffs]
    except (TypeError, ValueError):
        raise GameError(f"the payoffs {payoffs!r} do not read as numbers; {example}") from None
    if not table or len({len(row) for row in table}) != 1:
        raise GameError(f"the rows of the payoffs {payoffs!r} are not equally long; {example}")
    if not (1 <= len(table) <= MAX_CHOICES and 1 <= len(table[0]) <= MAX_CHOICES):
        raise GameError(f"a matrix game has 1 to {MAX_CHOICES} rows and columns, not {len(table)} x {len(table[0])}")
    return table


def read_entry(entry: str | Entry) -> tuple[float, float]:
    if isinstance(entry, str):
        numbers = [float(part) for part in entry.split(":")]
    else:
        numbers = [float(part) for part in entry] if isinstance(entry, Sequence) else [float(entry)]
    if not 1 <= len(numbers) <= 2 or any(abs(number) > 1e100 or number != number for number in numbers):
        raise ValueError(entry)
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (numbers[0], -numbers[0])


def format_entry(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.15g}" if pair[0] == -pair[1] else f"{pair[0]:.15g}:{pair[1]:.15g}"
