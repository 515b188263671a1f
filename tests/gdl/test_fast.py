"""FAST on rule sheets: boards are found, what moves' names say is what they do, and what is learned is the transcription's."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from icarus.errors import StrategyError
from icarus.game import Position, step_randomly
from icarus.gdl.game import SheetGame, game_from_text, load_sheet
from icarus.gdl.sheets import FOLDER
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.search import Search
from tests.strategy.test_transient import ALPHA, FADING, holding, simulated, teach


def sheet(name: str) -> SheetGame:
    game = load_sheet(FOLDER / f"{name}.kif")
    assert isinstance(game, SheetGame)
    return game


def shifted(position: Position, action: int) -> Counter[int]:
    """By how much a move's name says that each feature changes."""
    out = np.zeros(position.game.max_features, np.int64)
    count = int(position.game.call("shifts", position.state, action, out))
    return Counter({f: n for f, n in total([(int(f), 1) if f >= 0 else (-1 - int(f), -1) for f in out[:count]]).items() if n})


def total(changes: list[tuple[int, int]]) -> dict[int, int]:
    summed: dict[int, int] = {}
    for feature, change in changes:
        summed[feature] = summed.get(feature, 0) + change
    return summed


def on_board(game: SheetGame, position: Position, role: int) -> dict[int, int]:
    """The features of a role that are about the board, counted from the sheet's own terms."""
    board, network = game.board, game.network
    assert board is not None
    first = role * (len(network.fluents) + len(board.pieces))
    found: list[tuple[int, int]] = []
    holds = set(game.fluents(position.state))
    for number, term in enumerate(network.fluents):
        if term in holds and board.cell_of[number] >= 0:
            found += [(first + number, 1), (first + len(network.fluents) + int(board.piece_of[number]), 1)]
    return total(found)


def test_the_board_is_found() -> None:
    board = sheet("tic_tac_toe").board
    assert board is not None and board.moves_name_cells
    assert len(board.cells) == 9 and {piece for (piece,) in board.pieces} == {"x", "o", "b"}
    assert [board.pieces[piece] for piece in board.dropped] == [("x",), ("o",)]


TWO_WORDS = """
(role a) (role b) (init (control a)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (next_of a b) (next_of b a)
(init (at 1 a man)) (init (at 5 b man)) (init (clock 0))
(<= (base (at ?x ?r ?k)) (role ?r) (kind ?k) (place ?x)) (kind man) (kind king)
(place 1) (place 2) (place 3) (place 4) (place 5)
(<= (legal ?r (go ?x ?y)) (true (control ?r)) (true (at ?x ?r ?k)) (near ?x ?y))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
(<= (next (at ?y ?r king)) (does ?r (go ?x ?y)))
(<= (next (at ?x ?r ?k)) (true (at ?x ?r ?k)) (not (leaves ?x)) (not (enters ?x)))
(<= (leaves ?x) (does ?r (go ?x ?y))) (<= (enters ?y) (does ?r (go ?x ?y)))
(<= (next (control ?s)) (true (control ?r)) (next_of ?r ?s))
(<= (has ?r) (true (at ?x ?r ?k)))
(<= terminal (role ?r) (not (has ?r)))
(<= (goal ?r 100) (role ?r) (has ?r)) (<= (goal ?r 0) (role ?r) (not (has ?r)))
"""


def test_a_piece_may_be_two_words() -> None:
    game = game_from_text(TWO_WORDS, "two_words.kif")
    assert isinstance(game, SheetGame) and game.board is not None
    assert game.board.cells[0] == ("1",) and ("a", "man") in game.board.pieces and ("b", "king") in game.board.pieces
    action = game.number_of("(go 1 2)")
    assert game.board.cells[game.board.move_from[action]] == ("1",) and game.board.cells[game.board.move_to[action]] == ("2",)


@pytest.mark.skipif(not JIT, reason="plain Python plays sheets too slowly")
@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough"])
def test_the_name_of_a_move_says_what_it_does_to_the_board(name: str) -> None:
    game, rng, seen = sheet(name), seeded(3), 0
    for seed in range(2):
        position = game.start(seed)
        for _ in range(40):
            if position.is_terminal:
                break
            role, before = position.player, on_board(game, position, position.player)
            for action in position.legal()[:4]:
                behind = on_board(game, position.copy().apply(action), role)
                told = shifted(position, action)
                changes = {f: behind.get(f, 0) - before.get(f, 0) for f in {*behind, *before}}
                assert told == {f: n for f, n in changes.items() if n}, position.format_action(action)
                seen += 1
            step_randomly(position, rng)
    assert seen > 50


@pytest.mark.skipif(not JIT, reason="plain Python plays sheets too slowly")
def test_fast_learns_what_its_transcription_learns() -> None:
    game, weights = sheet("tic_tac_toe"), {}
    search = Search(game, strategy=f"Baseline() >> FAST(alpha={ALPHA}, fading={FADING})", seed=2)
    for _ in range(40):
        search.run(iterations=1)
        steps, end = simulated(search)
        teach(weights, {}, [(position.player, holding(position, -1)) for position, _ in steps], end.rewards())
        expected = np.array([weights.get(feature, 0.0) for feature in range(game.feature_count)])
        np.testing.assert_allclose(search.team.workers[0].lesson.learned, expected, atol=1e-9)
    assert any(weights.values())


@pytest.mark.skipif(not JIT, reason="plain Python plays sheets too slowly")
@pytest.mark.parametrize("lanes", [1, 4])
def test_pieces_get_the_sign_of_material(lanes: int) -> None:
    """In breakthrough each side wants its own men and not the other's, whatever the cell."""
    game = sheet("breakthrough")
    board = game.board
    assert board is not None
    search = Search(game, strategy="Baseline() >> FAST(tau=1, alpha=0.3)", seed=1, lanes=lanes)
    search.run(iterations=600)
    learned, fluents, start = search.team.workers[0].lesson.learned, len(game.network.fluents), game.start()
    # whose men are whose: the first role's are those that its first moves take from a cell
    action = start.legal()[0]
    own = board.piece_of[next(n for n in board.fluent_at[board.move_from[action]] if n >= 0 and game.network.initial[n])]
    other = next(i for i, piece in enumerate(board.pieces) if i not in (own, board.left))
    worth = learned[fluents : fluents + len(board.pieces)]
    assert worth[own] > worth[other], board.pieces


@pytest.mark.skipif(not JIT, reason="plain Python plays sheets too slowly")
def test_a_move_is_drawn_by_what_it_changes() -> None:
    """With weights from a file and no learning the shares of first moves of playouts are exp(Q / tau), normalised."""
    game = sheet("tic_tac_toe")
    board = game.board
    assert board is not None
    position = game.start()
    search = Search(position, strategy="Baseline() >> FAST(tau=1, alpha=0)", seed=1)
    learned = search.team.workers[0].lesson.learned
    learned[:] = np.random.default_rng(5).normal(size=len(learned))
    counts: dict[tuple[int, ...], Counter[int]] = {}
    for _ in range(1500):
        search.run(iterations=1)
        steps, _ = simulated(search)
        if steps and len(steps[0][0].history) == 1:
            counts.setdefault((steps[0][0].history[0][1],), Counter())[steps[0][1]] += 1
    path, seen = max(counts.items(), key=lambda item: sum(item[1].values()))
    behind = game.start().apply(path[0])
    q = {a: sum(learned[f] * n for f, n in shifted(behind, a).items()) for a in behind.legal()}
    whole, number = sum(math.exp(value) for value in q.values()), sum(seen.values())
    for action, value in q.items():
        share = math.exp(value) / whole
        assert abs(seen[action] - number * share) < 5 * math.sqrt(number * share * (1 - share)) + 1


def test_games_without_a_board_are_refused_in_one_line() -> None:
    with pytest.raises(StrategyError, match="FAST needs the function 'shifts'"):
        Search("breakthrough(5,3)", strategy="Baseline() >> FAST()")
    with pytest.raises(StrategyError, match=r"tau=0 is out of range"):
        Search(sheet("tic_tac_toe"), strategy="Baseline() >> FAST(tau=0)")
