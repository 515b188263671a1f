"""Knowledge at the leaves: what games say of positions and moves is true of the board, and playouts make use of it."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from icarus.engine.layout import BLOCK_WORDS, Block, Node, Record
from icarus.errors import GameError, SearchError, StrategyError
from icarus.game import Position, play_to_decision, step_randomly
from icarus.games import go as go_module
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from icarus.loading import load
from icarus.python_game import python_game
from icarus.search import Search
from icarus.strategy.expression import read_strategy
from tests.oracle.engine import records

FEW = 300 if JIT else 30
POSITIONS = 60 if JIT else 8
EVALUATED = ("othello", "breakthrough", "breakthrough(5,3)", "lines_of_action", "checkers", "hex(5)", "go(5)")


def found(game: object, strategy: str, iterations: int = FEW, **given: object) -> Search:
    search = Search(game, strategy=strategy, seed=3, **given)  # type: ignore[arg-type]
    search.run(iterations=iterations)
    return search


def positions(name: str, number: int = POSITIONS, seed: int = 1) -> list[Position]:
    """Positions of random games in which the game goes on."""
    rng, game, listed = seeded(seed), load(name), []
    while len(listed) < number:
        position = play_to_decision(game.start(len(listed)), rng)
        while not position.is_terminal:
            listed.append(position.copy())
            step_randomly(position, rng)
    return listed[:number]


def after(name: str, *moves: str) -> Position:
    position = load(name).start()
    for move in moves:
        position.apply(position.parse_action(move))
    return position


# --- neutral parameters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize(
    "game, strategy, same",
    [
        ("othello", "Baseline() >> Cutoff(inf)", "-"),
        ("othello", "Baseline() >> Cutoff(1000)", "-"),
        ("othello", "RAVE() >> Cutoff(1000, MAST())", "RAVE() >> MAST()"),
        ("othello", "Baseline() >> GreedyPlayouts(1)", "-"),
        ("hex(4)", "Baseline() >> Suggested(0, MAST())", "Baseline() >> MAST()"),
        ("othello", "Baseline(policy=ImplicitMinimax(alpha=0))", "-"),
    ],
)
def test_a_neutral_parameter_is_the_plain_search_record_by_record(game: str, strategy: str, same: str, lanes: int) -> None:
    few = FEW // 3
    assert records(found(game, strategy, few, lanes=lanes)) == records(found(game, same, few, lanes=lanes))


# --- what a cut playout is worth -------------------------------------------------------------------------------------


class Sticks:
    """Take one or two of ten sticks; who takes the last one wins.  The evaluation knows who should win."""

    players = 2
    max_plies = 10

    def __init__(self, left: int = 10) -> None:
        self.left, self.turn = left, 0

    def player(self) -> int:
        return self.turn

    def legal(self) -> list[str]:
        return ["one", "two"][: self.left]

    def apply(self, action: str) -> None:
        self.left -= 1 + (action == "two")
        self.turn = 1 - self.turn

    def terminal(self) -> bool:
        return self.left == 0

    def rewards(self) -> list[float]:
        return [float(self.turn == 1), float(self.turn == 0)]

    def clone(self) -> Sticks:
        twin = type(self)(self.left)
        twin.turn = self.turn
        return twin


class KnownSticks(Sticks):
    def evaluate(self) -> list[float]:
        wins = self.left % 3 != 0
        return [0.75, 0.25] if (self.turn == 0) == wins else [0.25, 0.75]

    def suggest(self, last: str | None) -> list[str]:
        assert last in (None, "one", "two")
        return [] if self.left % 3 == 0 else [["one", "two"][self.left % 3 - 1]]


@pytest.mark.parametrize("lanes", [1, 3])
def test_a_class_says_what_its_positions_are_worth(lanes: int) -> None:
    search = Search(python_game(KnownSticks), algorithm="flat", strategy="Baseline() >> Cutoff(0)", seed=1, lanes=lanes)
    means = {row.label: row.mean for row in search.run(iterations=40).root}
    assert means == {"one": [0.75, 0.25], "two": [0.25, 0.75]}, "nine sticks are lost for who moves, eight are won"


def test_a_cut_playout_plays_so_many_plies() -> None:
    for plies, steps in ((0, 1), (3, 4), (7, 8)):
        search = Search("othello", algorithm="flat", strategy=f"Baseline() >> Cutoff({plies})", seed=1)
        search.run(iterations=20)
        assert search.team.workers[0].control.all_steps == 20 * steps


def test_a_class_suggests_moves_for_playouts() -> None:
    game = python_game(KnownSticks)
    search = Search(game, algorithm="flat", strategy="Baseline() >> Suggested()", seed=1)
    means = {row.label: row.mean[0] for row in search.run(iterations=60).root}
    assert means["one"] == 1.0, "whatever the other side does, the suggestions win"
    assert means["two"] == 0.0, "and so do they for the other side"
    plain = {row.label: row.mean[0] for row in Search(game, algorithm="flat", seed=1).run(iterations=60).root}
    assert plain["two"] > 0.0 and plain["one"] < 1.0


def test_a_class_that_says_something_impossible_is_told_so_in_one_line() -> None:
    class Wrong(KnownSticks):
        def evaluate(self) -> list[float]:
            return [1.5, 0.0]

        def suggest(self, last: str | None) -> list[str]:
            return ["three"]

    with pytest.raises(GameError, match=r"Wrong.evaluate\(\) gives \[1.5, 0.0\] at ply 1"):
        found(python_game(Wrong), "Baseline() >> Cutoff(0)")
    with pytest.raises(GameError, match=r"Wrong.suggest\(\) gives 'three' at ply 1; which is not legal"):
        found(python_game(Wrong), "Baseline() >> Suggested()")


@pytest.mark.parametrize(
    "game, strategy, reason",
    [
        (
            "connect_four",
            "RAVE() >> Cutoff(8)",
            "Cutoff needs the function 'evaluate', which the game 'connect_four' does not have",
        ),
        ("othello", "Baseline() >> Suggested()", "Suggested needs the function 'suggest'"),
        ("connect_four", "Baseline() >> GreedyPlayouts()", "GreedyPlayouts needs the function 'evaluate'"),
        ("connect_four", "Baseline(policy=ImplicitMinimax())", "needs the function 'evaluate'"),
        ("othello", "Baseline() >> Cutoff(4, Playouts(3))", "says itself what a leaf is worth"),
        ("othello", "Baseline() >> Cutoff(4, Cutoff(3))", "has Cutoff twice"),
        ("othello", "Baseline() >> (Cutoff(4) + MAST()) / 2", "must stand around the whole of a phase"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(game: str, strategy: str, reason: str) -> None:
    with pytest.raises((StrategyError, SearchError)) as refused:
        Search(game, strategy=strategy)
    assert reason in str(refused.value) and "\n" not in str(refused.value)


def test_a_class_without_an_evaluation_is_refused() -> None:
    with pytest.raises(StrategyError, match="Cutoff needs the function 'evaluate'"):
        Search(python_game(Sticks), strategy="Baseline() >> Cutoff(4)")


def test_expressions_read_in_again() -> None:
    for text in (
        "Baseline() >> Cutoff(plies=4, strategy=MAST())",
        "RAVE() >> Suggested(p=0.5)",
        "Baseline() >> AlphaBetaPlayouts()",
    ):
        assert str(read_strategy(text)) == str(read_strategy(str(read_strategy(text))))


# --- evaluations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVALUATED)
def test_an_evaluation_is_a_value_for_each_player_and_changes_nothing(name: str) -> None:
    for position in positions(name):
        before = position.state.copy()
        first, second = position.evaluate()
        assert 0 <= first <= 1 and first + second == pytest.approx(1)
        assert (position.state == before).all()


@pytest.mark.parametrize("name, even", [("othello", 0.2), ("breakthrough", 0.2), ("lines_of_action", 0.2), ("checkers", 0.1)])
def test_the_start_is_about_even(name: str, even: float) -> None:
    assert load(name).start().evaluate()[0] == pytest.approx(0.5, abs=even)


def test_evaluations_know_who_is_ahead() -> None:
    assert after("breakthrough(5,3)", "a2a3", "b4a3").evaluate()[1] > 0.5, "Black has taken a pawn"
    assert after("breakthrough(5,3)", "a2b3", "c4c3", "b3a4", "c3b2").evaluate() == [1.0, 0.0], (
        "a step from the far row, and to move"
    )
    assert after("hex(5)", "c3").evaluate()[0] > 0.5
    corner = after("othello").copy()
    corner.named.discs[0] |= 1
    assert corner.evaluate()[0] > after("othello").evaluate()[0]


def cells(position: Position) -> list[str]:
    from icarus.games.hex import stones

    return stones(position.named)


def hex_neighbours(n: int, cell: int) -> list[int]:
    y, x = divmod(cell, n)
    near = ((y, x - 1), (y, x + 1), (y - 1, x), (y - 1, x + 1), (y + 1, x), (y + 1, x - 1))
    return [n * b + a for b, a in near if 0 <= a < n and 0 <= b < n]


def shortest(position: Position, n: int, mark: str) -> int:
    """Dijkstra: own stones cost nothing, empty cells one."""
    board = cells(position)
    first = range(n) if mark == "X" else range(0, n * n, n)
    last = {*range(n * n - n, n * n)} if mark == "X" else {*range(n - 1, n * n, n)}
    cost = {mark: 0, ".": 1}
    queue = [(cost[board[cell]], cell) for cell in first if board[cell] in cost]
    heapq.heapify(queue)
    seen = set()
    while queue:
        steps, cell = heapq.heappop(queue)
        if cell in last:
            return steps
        if cell in seen:
            continue
        seen.add(cell)
        for near in hex_neighbours(n, cell):
            if board[near] in cost:
                heapq.heappush(queue, (steps + cost[board[near]], near))
    raise AssertionError("a game that goes on has a path for both")


@pytest.mark.parametrize("n", [4, 7])
def test_the_evaluation_of_hex_is_the_shortest_path(n: int) -> None:
    for position in positions(f"hex({n})"):
        lead = shortest(position, n, "O") - shortest(position, n, "X") + (0.5 if position.player == 0 else -0.5)
        assert position.evaluate()[0] == pytest.approx(1 / (1 + math.exp(-lead)))


# --- suggestions -----------------------------------------------------------------------------------------------------


def test_hex_completes_exactly_the_bridges_that_were_cut() -> None:
    n = 5
    for position in positions(f"hex({n})"):
        if not position.history:
            assert position.suggestions() == []
            continue
        board, last, own = cells(position), position.history[-1][1], "XO"[position.player]
        expected = set()
        near = set(hex_neighbours(n, last))
        for empty in near:
            if board[empty] != ".":
                continue
            shared = near & set(hex_neighbours(n, empty))
            ends = sum(board[cell] == own for cell in shared)
            # a side of one's own that both cells touch is an end as well
            rows, columns = {divmod(cell, n)[0] for cell in (last, empty)}, {divmod(cell, n)[1] for cell in (last, empty)}
            edges = (rows in ({0}, {n - 1})) if own == "X" else (columns in ({0}, {n - 1}))
            if ends + edges >= 2:
                expected.add(empty)
        assert set(position.suggestions()) == expected


def test_havannah_completes_bridges() -> None:
    position = after("havannah(4)", "d4", "a1", "e6", "d5")
    assert [position.format_action(action) for action in position.suggestions()] == ["e5"]
    assert after("havannah(4)", "d4", "a1", "e6", "b1").suggestions() == []


@pytest.mark.parametrize("name", ["hex(4)", "havannah(3)", "go(5)", "go(13)"])
def test_what_is_suggested_is_legal(name: str) -> None:
    for position in positions(name):
        suggested = position.suggestions()
        assert set(suggested) <= set(position.legal()) and len(set(suggested)) == len(suggested)


def go_labels(*moves: str) -> set[str]:
    position = after("go(9)", *moves)
    return {position.format_action(action) for action in position.suggestions()}


def test_go_answers_atari() -> None:
    assert "e6" in go_labels("e5", "d5", "a1", "f5", "a2", "e4"), "one liberty is left: run"
    assert go_labels("a1", "a9", "b2", "a2") == {"a3", "b1"}, "connect, or take what holds it"
    assert go_labels("a2", "j9", "b2", "a1") == {"b1"}, "White's stone in the corner has one liberty"


def test_go_plays_patterns_beside_the_last_stone_and_no_eyes() -> None:
    hane = go_labels("e5", "e6")
    assert hane and hane <= {"d4", "d5", "d6", "d7", "e7", "f4", "f5", "f6", "f7"}
    position = load("go(5)").start()
    rng = seeded(4)
    while not position.is_terminal:
        suggested = position.suggestions()
        eyes = [a for a in position.legal() if a < 25 and is_eye(position, a)]
        assert not set(eyes) & set(suggested)
        position.apply(suggested[int(random_below(rng, len(suggested)))])
    assert {action for _, action, _ in position.history[-2:]} == {25}, "it ends when only eyes are left"


def is_eye(position: Position, point: int) -> bool:
    n, marks = 5, go_module.marks(position.named)
    y, x = divmod(point, n)
    own = "XO"[position.player]

    def at(b: int, a: int) -> str:
        return marks[n * b + a] if 0 <= a < n and 0 <= b < n else "#"

    beside = [at(y, x - 1), at(y, x + 1), at(y - 1, x), at(y + 1, x)]
    corners = [at(y + b, x + a) for b in (-1, 1) for a in (-1, 1)]
    others = sum(mark not in (own, ".", "#") for mark in corners)
    return all(mark in (own, "#") for mark in beside) and others < (1 if "#" in corners else 2)


@pytest.mark.parametrize("name", ["hex(4)", "go(4)"])
def test_a_games_own_guided_playout_is_the_same_as_step_by_step(name: str) -> None:
    """The average reward from the start, by the game's own function and move by move, for which p is just below 1."""
    number, means = 6000 if JIT else 60, []
    for p, seed in ((1, 1), (0.999999999, 2)):
        search = Search(name, algorithm="flat", strategy=f"Baseline() >> Suggested({p})", seed=seed)
        rows = search.run(iterations=number).root
        means.append(np.average([row.mean[0] for row in rows], weights=[row.visits for row in rows]))
    assert abs(means[0] - means[1]) < 5.5 * math.sqrt(0.5 / number), "five and a half standard deviations"


# --- playouts by evaluation ------------------------------------------------------------------------------------------


def wins_now(position: Position) -> bool:
    mover = position.player
    return any((p := position.copy().apply(a)).is_terminal and p.rewards()[mover] == 1 for a in position.legal())


def test_alpha_beta_finds_every_win_in_two_plies() -> None:
    """In playouts: a win at hand is taken, and what the other side can do nothing against is won."""
    seen = {0.0: 0, 1.0: 0}
    for position in positions("breakthrough(5,3)", 60 if JIT else 40):
        search = Search(position, algorithm="flat", strategy="Baseline() >> Cutoff(3, AlphaBetaPlayouts(epsilon=0))", seed=1)
        mover = position.player
        for row in search.run(iterations=2 * len(position.legal())).root:
            behind = position.copy().apply(row.action)
            if behind.is_terminal or not row.visits:
                continue
            replies = [behind.copy().apply(a) for a in behind.legal()]
            if wins_now(behind):
                assert row.mean[mover] == 0.0
                seen[0.0] += 1
            elif all(not reply.is_terminal and wins_now(reply) for reply in replies):
                assert row.mean[mover] == 1.0
                seen[1.0] += 1
    assert seen[0.0] and seen[1.0]


@pytest.mark.parametrize("kind", ["GreedyPlayouts", "CorrectivePlayouts", "MixedPlayouts", "AlphaBetaPlayouts"])
@pytest.mark.parametrize("lanes", [1, 2])
def test_playouts_by_evaluation_go_to_the_end_and_can_be_cut_off(kind: str, lanes: int) -> None:
    for strategy in (f"Baseline() >> {kind}()", f"RAVE() >> Cutoff(3, {kind}(0.2, MAST()))", f"{kind}(0.5, RAVE() >> MAST())"):
        result = found("breakthrough(5,3)", strategy, FEW // 3, lanes=lanes).result()
        assert result.iterations == FEW // 3


# --- implicit minimax ------------------------------------------------------------------------------------------------


def check_minimax(search: Search, node: int, position: Position) -> float | None:
    """Compare every record below a node with the best of what was tried there; returns that, for who acts."""
    pool, width, players = search.team.tables[0].pool, int(search.team.tables[0].meta.width), position.game.players
    block = int(Node(pool, node).block)
    values = []
    for i in range(int(Block(pool, block).capacity)):
        record = Record(pool, block + BLOCK_WORDS + i * width)
        if record.visits == 0:
            continue
        behind = position.copy().apply(int(record.label) - 1)
        expected = (behind.rewards() if behind.is_terminal else behind.evaluate())[position.player]
        if record.following and int(Node(pool, int(record.following)).block):
            best = check_minimax(search, int(record.following), behind)
            expected = best if behind.player == position.player else 1 - best
        assert record.reward[players] == pytest.approx(expected)
        values.append(record.reward[players])
    return max(values)


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize("game", ["breakthrough(5,3)", "othello"])
def test_implicit_minimax_backs_up_the_best_of_what_was_tried(game: str, lanes: int) -> None:
    search = found(game, "Baseline(policy=ImplicitMinimax(alpha=0.5))", FEW, lanes=lanes)
    words, key = search.team.tables[0].pool, int(search.team.workers[0].root_history[0])
    root = int(np.flatnonzero(words == key)[0])
    assert check_minimax(search, root, search.position) is not None


@pytest.mark.parametrize("name", ["playout", "guided"])
def test_who_a_filled_board_of_hex_connects(name: str) -> None:
    """Both ways to fill it leave a full board, and the winner is who a plain search finds."""
    n, rng = 4, seeded(5)
    for position in positions(f"hex({n})", 300 if JIT else 100, seed=2):
        last = position.history[-1][1] if position.history else -1
        arguments = [rng] if name == "playout" else [last, np.zeros(n * n, np.int64), rng]
        position.game.call(name, position.state, *arguments)
        board = cells(position)
        found, ahead = set(), [cell for cell in range(n) if board[cell] == "X"]
        while ahead:
            cell = ahead.pop()
            found.add(cell)
            ahead += [near for near in hex_neighbours(n, cell) if board[near] == "X" and near not in found]
        assert "." not in board
        assert position.rewards()[0] == any(cell >= n * n - n for cell in found)
