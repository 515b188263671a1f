"""Puzzles for one player: their rules against slow and plain ones, and solutions that are checked independently."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

import icarus
from icarus.errors import GameError
from icarus.game import Position
from icarus.games.left_move import left_move, leftmost_path
from icarus.games.lipschitz import height
from icarus.games.morpion import CORNER, CROSS, WIDTH, format_action, line_points, morpion, parts
from icarus.games.sailing import leg_cost, sailing, tack_of, turn_odds
from icarus.games.samegame import STANDARD, samegame
from icarus.games.sudoku import generated, rows, sudoku
from icarus.games.tsptw import EXAMPLE as TOUR
from icarus.games.tsptw import parse_tour
from icarus.jit import JIT
from icarus.loading import load
from icarus.trust import OUTSIDE, NotAllowed
from tests.oracle.sailing import leg_values, values


def play(position: Position, *labels: str) -> Position:
    for label in labels:
        position.apply(position.parse_action(label))
    return position


# --- left move, leftmost path ----------------------------------------------------------------------------------------


def test_steps_to_the_left_count() -> None:
    for steps in itertools.product(("left", "right"), repeat=4):
        assert play(left_move(4).start(), *steps).score() == steps.count("left")
        lead = len(list(itertools.takewhile("left".__eq__, steps)))
        assert play(leftmost_path(4).start(), *steps).score() == lead


# --- morpion ---------------------------------------------------------------------------------------------------------


class PlainMorpion:
    """The rules over sets of points and segments: a line is five points in a row, of which one is new."""

    def __init__(self, touching: bool) -> None:
        self.touching = touching
        self.points = {(CORNER + x, CORNER + y) for y, row in enumerate(CROSS) for x, mark in enumerate(row) if mark == "#"}
        self.used: set[tuple[tuple[int, int], ...]] = set()

    def parts_of(self, line: list[tuple[int, int]], way: tuple[int, int]) -> set[tuple[tuple[int, int], ...]]:
        """What no other line in the same direction may have."""
        if self.touching:
            return {(a, b) for a, b in itertools.pairwise(line)}
        return {(point, way) for point in line}

    def legal(self) -> set[tuple[tuple[int, int], ...]]:
        """Every line that can be drawn."""
        found = set()
        for (x, y), way, back in itertools.product(
            {(x + dx, y + dy) for x, y in self.points for dx in (-1, 0, 1) for dy in (-1, 0, 1)},
            ((1, 0), (0, 1), (1, 1), (1, -1)),
            range(5),
        ):
            line = [(x + (k - back) * way[0], y + (k - back) * way[1]) for k in range(5)]
            if len(self.points & set(line)) == 4 and not self.parts_of(line, way) & self.used:
                found.add(tuple(line))
        return found

    def apply(self, line: tuple[tuple[int, int], ...]) -> None:
        way = (line[1][0] - line[0][0], line[1][1] - line[0][1])
        self.used |= self.parts_of(list(line), way)
        self.points |= set(line)


@pytest.mark.parametrize("version", ["5D", "5T"])
def test_the_legal_lines_of_morpion_are_those_of_plain_rules(version: str) -> None:
    rng = random.Random(3)
    for _ in range(3 if JIT else 1):
        position, plain = morpion(version).start(), PlainMorpion(version == "5T")
        while not position.is_terminal:
            lines = {action: tuple((p % WIDTH, p // WIDTH) for p in line_points(action)) for action in position.legal()}
            assert set(lines.values()) == plain.legal() and len(set(lines.values())) == len(lines)
            action = rng.choice(sorted(lines))
            new = lines[action][parts(action)[2]]
            assert new not in plain.points and format_action(position.named, action).startswith(f"{new[0]}.{new[1]}")
            position.apply(action)
            plain.apply(lines[action])
        assert not plain.legal() and position.score() == len(plain.points) - 36


# --- samegame --------------------------------------------------------------------------------------------------------


def plain_groups(columns: list[list[int]]) -> list[set[tuple[int, int]]]:
    cells = {(x, y): colour for x, column in enumerate(columns) for y, colour in enumerate(column)}
    groups = []
    while cells:
        group, colour = set(), next(iter(cells.items()))[1]
        waiting = [next(iter(cells))]
        while waiting:
            x, y = waiting.pop()
            if cells.get((x, y)) == colour:
                group.add((x, y))
                del cells[x, y]
                waiting += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        groups.append(group)
    return [group for group in groups if len(group) > 1]


@pytest.mark.parametrize("number", [1, 7, 20])
def test_samegame_is_played_as_by_plain_rules(number: int) -> None:
    rng = random.Random(number)
    position = samegame(number).start()
    lines = STANDARD[number - 1].split()
    columns = [[int(line[x]) for line in reversed(lines)] for x in range(15)]
    points = 0
    while not position.is_terminal:
        groups = {min(group): group for group in plain_groups(columns)}
        legal = {(action // 16 - 1, action % 16): action for action in position.legal()}
        assert set(groups) == set(legal)
        chosen = rng.choice(sorted(groups))
        position.apply(legal[chosen])
        points += (len(groups[chosen]) - 2) ** 2
        columns = [
            left
            for x, column in enumerate(columns)
            if (left := [colour for y, colour in enumerate(column) if (x, y) not in groups[chosen]])
        ]
    left = [colour for column in columns for colour in column]
    lost = sum((left.count(colour) - 2) ** 2 for colour in set(left))
    assert position.score() == (points - lost if left else points + 1000)


def test_an_empty_board_is_worth_a_thousand() -> None:
    position = play(samegame("000/111").start(), "a1", "a1")
    assert position.is_terminal and position.score() == 1 + 1 + 1000


def test_twenty_positions_of_samegame_have_five_colours() -> None:
    assert len(STANDARD) == 20
    for rows_of in STANDARD:
        assert len(rows_of.split()) == 15 and set(rows_of) == set("01234 ")


# --- sudoku ----------------------------------------------------------------------------------------------------------


def is_solved(n: int, lines: list[str], clues: list[int]) -> bool:
    """Every unit holds every number, and the clues are where they were."""
    side, symbols = n * n, set("123456789ABCDEFGHIJKLMNOP"[: n * n])
    units = [set(line) for line in lines] + [{line[c] for line in lines} for c in range(side)]
    for top, left in itertools.product(range(0, side, n), repeat=2):
        units.append({lines[r][c] for r in range(top, top + n) for c in range(left, left + n)})
    flat = "".join(lines)
    kept = all(clue == 0 or flat[place] == "123456789ABCDEFGHIJKLMNOP"[clue - 1] for place, clue in enumerate(clues))
    return kept and all(unit == symbols for unit in units)


@pytest.mark.parametrize(("n", "seed"), [(2, 0), (2, 5), (3, 0), (3, 1)])
def test_a_solution_of_a_sudoku_is_one(n: int, seed: int) -> None:
    game = sudoku(n, seed)
    search = icarus.Search(game, algorithm="nmcs(1)", seed=1)
    while (result := search.run(iterations=50)).best_score != n**4:
        assert search.iterations < 20_000
    position = play(game.start(), *result.best_line)
    assert is_solved(n, rows(position.named), generated(n, seed))


def test_the_next_cell_of_a_sudoku_has_the_fewest_candidates() -> None:
    position, rng = sudoku(3, 4).start(), random.Random(1)
    while not position.is_terminal:
        lines = rows(position.named)
        candidates = {}
        for r, c in itertools.product(range(9), repeat=2):
            if lines[r][c] == ".":
                near = {lines[3 * (r // 3) + i][3 * (c // 3) + j] for i in range(3) for j in range(3)}
                candidates[r, c] = set("123456789") - set(lines[r]) - {line[c] for line in lines} - near
        fewest = min(map(len, candidates.values()))
        labels = [position.format_action(action) for action in position.legal()]
        r, c = int(labels[0][1]) - 1, int(labels[0][3]) - 1
        assert len(candidates[r, c]) == fewest and {label[-1] for label in labels} == candidates[r, c]
        position.apply(rng.choice(position.legal()))


def test_a_grid_of_ones_own_is_read() -> None:
    grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert load(f"sudoku(3,'{grid}')").name == f"sudoku(3,'{grid}')"
    assert sudoku(3, grid.replace(".", "0")).start().render().startswith("53.|.7.|...")


# --- sailing ---------------------------------------------------------------------------------------------------------


def test_legs_cost_what_the_wind_says() -> None:
    assert [int(leg_cost(0, direction)) for direction in range(8)] == [1, 2, 3, 4, 0, 4, 3, 2]
    assert [int(tack_of(2, direction)) for direction in (0, 1, 2, 3, 4, 5, 7)] == [2, 2, 0, 1, 1, 1, 2]
    for wind in range(8):
        assert sum(turn_odds(wind, turn) for turn in range(3)) == pytest.approx(1.0)


def test_a_change_of_tack_costs_three() -> None:
    position = sailing(4).start()
    position.named.wind = 0
    play(position, "e")
    position.apply(0)
    assert position.score() == -3.0
    play(position, "w")
    assert position.score() == -9.0


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("morpion(4T)", "morpion has the versions 5D and 5T, not '4T'"),
        ("samegame(21)", "samegame has the positions 1 to 20, not 21"),
        ("samegame('012/01')", "rows of one length"),
        ("samegame('01x/010')", "digits from 0 to 8"),
        ("samegame('01/10')", "nothing to take"),
        ("sudoku(3,'12')", "the grid has 2 cells; 9 x 9 are 81"),
        ("sudoku(2,'11..............')", "row 1 has the number 1 twice"),
        ("sudoku(6,0)", "sudoku has the orders 2 to 5"),
        ("sailing(1)", "2 to 100 waypoints"),
        ("left_move(0)", "1 to 10000 steps"),
    ],
)
def test_what_is_no_puzzle_is_one_line(name: str, told: str) -> None:
    with pytest.raises(GameError) as problem:
        load(name)
    assert told in str(problem.value) and "\n" not in str(problem.value)


def test_words_that_are_no_values_are_texts() -> None:
    assert load("morpion(5T)").name == load('morpion("5T")').name == load("morpion(version=5t)").name == "morpion(5T)"
    assert load("sudoku(4, 0)").name == "sudoku(4,0)"


# --- planning, formulas, tours, functions ----------------------------------------------------------------------------------


def test_the_tower_is_moved_in_as_few_moves_as_possible() -> None:
    """Breadth first from the start: the tower of three needs seven moves, and no game is worth more."""
    best, waiting = 0.0, [load("hanoi(3)").start()]
    for _ in range(8):
        best = max([best, *(position.score() for position in waiting if position.is_terminal)])
        waiting = [
            position.copy().apply(action) for position in waiting if not position.is_terminal for action in position.legal()
        ]
    assert best == 3 + 28 - 7
    assert play(load("hanoi(2)").start(), "1-2", "1-3", "2-3").score() == 2 + 12 - 3


def fewest_moves(n: int, start: list[int], goal: list[int]) -> int:
    """Breadth first over arrangements, written for this test: towers as a set of tuples from the bottom up."""

    def piles(on: list[int]) -> frozenset[tuple[int, ...]]:
        found = []
        for block in range(n):
            if on[block] == n:
                pile = (block,)
                while any(on[other] == pile[-1] for other in range(n)):
                    pile += (next(other for other in range(n) if on[other] == pile[-1]),)
                found.append(pile)
        return frozenset(found)

    wanted, known, moves = piles(goal), {piles(start)}, 0
    waiting = set(known)
    while wanted not in known:
        moves += 1
        following = set()
        for arrangement in waiting:
            for pile in arrangement:
                rest = arrangement - {pile} | ({pile[:-1]} if len(pile) > 1 else set())
                following.add(frozenset(rest | {pile[-1:]}))
                following |= {frozenset(rest - {other} | {(*other, pile[-1])}) for other in rest if other != pile[:-1]}
        waiting = following - known
        known |= waiting
    return moves


@pytest.mark.parametrize("seed", range(4) if JIT else [0])
def test_blocks_are_put_in_place_in_as_few_moves_as_possible(seed: int) -> None:
    game = load(f"blocks(4,{seed})")
    state = game.named(game.start().state)
    fewest = fewest_moves(4, [int(held) for held in state.on[:4]], [int(held) for held in state.goal[:4]])
    found = icarus.Search(game, algorithm="mhsp", seed=seed).run(iterations=3000 if JIT else 600)
    assert found.best_score == 4 + 16 - fewest and len(found.best_line) == fewest


def test_a_model_of_a_formula_is_verified(tmp_path: Path) -> None:
    rng = random.Random(5)
    hidden = [rng.random() < 0.5 for _ in range(12)]
    clauses: list[list[int]] = []
    while len(clauses) < 40:
        clause = [variable * rng.choice((1, -1)) for variable in rng.sample(range(1, 13), 3)]
        if any((literal > 0) == hidden[abs(literal) - 1] for literal in clause):
            clauses.append(clause)
    file = tmp_path / "planted.cnf"
    file.write_text("c planted\np cnf 12 40\n" + "".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses))
    found = icarus.Search(load(f"sat({file})"), algorithm="nmcs(1)", seed=1).run(iterations=3000 if JIT else 500)
    model = {int(label) for label in found.best_line}
    assert {abs(literal) for literal in model} == set(range(1, 13))
    assert found.best_score == sum(any(literal in model for literal in clause) for clause in clauses)
    assert found.best_score >= 39


def test_the_best_tour_is_that_of_trying_all() -> None:
    """Windows and ways of every order, by a plain walk through the example's numbers."""
    places, numbers = parse_tour(TOUR, "example")
    matrix, windows = numbers[: places**2], numbers[places**2 :]

    def worth(order: tuple[int, ...]) -> float:
        here, time, driven, missed = 0, 0.0, 0.0, 0
        for place in (*order, 0):
            driven += matrix[places * here + place]
            time = max(time + matrix[places * here + place], windows[2 * place])
            missed += time > windows[2 * place + 1]
            here = place
        return -driven - 1e6 * missed

    values = {order: worth(order) for order in itertools.permutations(range(1, places))}
    found = icarus.Search("tsptw", algorithm="nmcs(2)", seed=1).run(iterations=4000 if JIT else 600)
    assert found.best_score == values[tuple(map(int, found.best_line))]
    assert found.best_score == max(values.values()) or not JIT


def test_the_highest_hill_is_found() -> None:
    found = icarus.Search("lipschitz(12)", algorithm=f"nrpa(2, n={20 if JIT else 12})", seed=2).run(runs=2 if JIT else 1)
    assert found.best_score == pytest.approx(max(float(height((i + 0.5) / 4096)) for i in range(4096)), abs=0.06)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("sat", "hello\n", "line 1: 'hello' is not DIMACS"),
        ("sat", "1 2 0\n", "'p cnf VARIABLES CLAUSES' is missing"),
        ("sat", "p cnf 2 1\n1 3 0\n", "the literal 3 is beyond the 2 variables"),
        ("sat", "p cnf 2 2\n1 2 0\n", "2 clauses are declared, and there are 1"),
        ("sat", "p cnf 2 1\n1 2\n", "does not end with 0"),
        ("tsptw", "two\n", "is not a number"),
        ("tsptw", "inf\n", "begins with the number of places"),
        ("tsptw", "2\n0 nan\n1 0\n0 9\n0 9\n", "times are not below 0"),
        ("tsptw", "2\n0 inf\n1 0\n0 9\n0 9\n", "only the end of a window may be infinite"),
        ("tsptw", "2\n0 1\n1 0\n0 9\n", "numbers follow the first"),
        ("tsptw", "2\n0 1\n1 0\n0 9\n8 7\n", "closes at 7, before it opens at 8"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(name: str, text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "given.txt"
    file.write_text(text)
    with pytest.raises(GameError) as problem:
        load(f"{name}({file})")
    assert told in str(problem.value) and "\n" not in str(problem.value)
    with pytest.raises(GameError, match="cannot read"):
        load(f"{name}({tmp_path / 'none.txt'})")
    file.write_bytes(b"\xff\x80")
    with pytest.raises(GameError, match="it is not a text"):
        load(f"{name}({file})")
    file.write_text(text)
    with pytest.raises(NotAllowed):
        load(f"{name}({file})", OUTSIDE)


# --- dice that were thrown beforehand ----------------------------------------------------------------------------------------


def test_fixed_dice_fall_the_same_way_every_time() -> None:
    game = load("fixed_dice(sailing(3), 7)")
    assert game.name == "fixed_dice(sailing(3),7)" and not game.stochastic and game.score is not None
    found = [icarus.Search(game, algorithm="nmcs(1)", seed=seed).run(runs=2) for seed in (1, 2)]
    for result in found:
        position = play(game.start(), *result.best_line)
        assert position.is_terminal and position.score() == result.best_score
    assert max(float(result.best_score or -99) for result in found) >= -12
    assert load("fixed_dice(sailing(3), 8)").start().render() != "" and load("fixed_dice(sailing(3))").name.endswith(",0)")


def test_fixed_dice_trust_the_game_inside_no_more_than_it_is() -> None:
    with pytest.raises(NotAllowed):
        load("fixed_dice('mygame.py')", OUTSIDE)
    with pytest.raises(GameError, match="nothing is left to chance"):
        load("fixed_dice(hex(5))")
    with pytest.raises(GameError, match=r"write fixed_dice\(GAME, SEED\)"):
        load("fixed_dice(3)")


@pytest.mark.skipif(not JIT, reason="thousands of playouts")
def test_uct_sails_nearly_as_cheaply_as_value_iteration_says() -> None:
    known, lost = values(3), 0.0
    for wind in range(8):
        position = sailing(3).start()
        position.named.wind = wind
        best = icarus.Search(position, seed=wind, strategy="Baseline(c=0.3)").run(iterations=20_000).best.action
        costs = leg_values(3, (0, 0, wind, 0), known)
        assert set(costs) == set(position.legal())
        lost += costs[best] - min(costs.values())
    assert lost / 8 < 0.5
