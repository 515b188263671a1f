"""Searches that stop when decided, players that manage their time, votes of trees, and opening books."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import icarus
from icarus.arena.book import Book, booked, name_of, read_book
from icarus.arena.book_games import Played, recommended
from icarus.arena.clock import Bank
from icarus.arena.errors import ArenaError, PlayerError
from icarus.arena.match import GameRecord
from icarus.arena.players import read_player
from icarus.arena.runner import run
from icarus.arena.schedule import match_schedule
from icarus.cli import app
from icarus.errors import SearchError
from icarus.jit import JIT
from icarus.search import Search
from icarus.search.stopping import FINEST, Decided

FEW = 800 if JIT else 160


def winning() -> icarus.Position:
    position = icarus.load("tic_tac_toe").start()
    for label in ("a1", "a2", "b1", "b2"):
        position.apply(position.parse_action(label))
    return position


@pytest.mark.parametrize("seed", range(4))
def test_a_decided_search_plays_the_same_move_in_less_time(seed: int) -> None:
    whole = Search(winning(), seed=seed).run(iterations=FEW)
    early = Search(winning(), seed=seed).run(iterations=FEW, until_decided=1.0)
    likely = Search(winning(), seed=seed).run(iterations=FEW, until_decided=0.3)
    assert early.stopped_by == likely.stopped_by == "decided" and whole.stopped_by == "iterations"
    assert early.best.action == whole.best.action == likely.best.action
    assert likely.iterations <= early.iterations < FEW
    visits = [row.visits for row in early.root]
    assert visits[0] - visits[1] > FEW - early.iterations, "no other can catch up"


@pytest.mark.parametrize("algorithm", ["uct", "ensemble(7)"])
def test_a_search_that_ends_early_is_the_whole_search_up_to_there(algorithm: str) -> None:
    """The same iterations in the same trees, and an end as soon as nothing can change any more, give or take a look."""
    early = Search(winning(), algorithm=algorithm, seed=3).run(iterations=FEW, until_decided=1.0)
    assert early.stopped_by == "decided" and early.iterations < FEW
    if algorithm == "uct":
        same = Search(winning(), seed=3).run(iterations=early.iterations)
        assert [row.visits for row in same.root] == [row.visits for row in early.root]
    visits = sorted((row.visits for row in early.root), reverse=True)
    left = FEW - early.iterations
    assert 0 < visits[0] - visits[1] - left <= 2 * (FEW // FINEST + 1), "neither sooner nor much later than it can be known"


def test_a_search_that_goes_on_knows_what_its_other_trees_find() -> None:
    """In a second run every tree has visits already, and gets more: looks in between must not take the old ones for all."""
    search = Search("connect_four", algorithm="ensemble(3)", seed=1)
    search.run(iterations=FEW)
    watch = Decided(search, FEW, 1.0)
    for _ in range(2):
        visits = sorted((row.visits for row in search.root_rows()), reverse=True)
        assert watch._lead() == visits[0] - visits[1]
        search.run(iterations=FEW // 4)


@pytest.mark.parametrize("name", ["mo@200", "so[N]@200", "pom@200", "determinized(7)@200", "cheating@200"])
def test_early_players_play_the_same_games_with_fewer_iterations(name: str) -> None:
    def games(*players: str) -> list[GameRecord]:
        return run(match_schedule("phantom(3,3,3)", list(players), 4, seed=5), jobs=1).records

    quick = read_player(name).sooner()
    assert quick.early and str(quick) == f"{name},early" and read_player(str(quick)) == quick
    whole, early = games(name, "mo@150"), games(str(quick), "mo@150")
    assert [record.moves for record in whole] == [record.moves for record in early]
    assert sum(map(sum, (record.iterations for record in early))) < sum(map(sum, (record.iterations for record in whole)))
    for record in early:
        seat = record.seating.index(0)
        assert record.share[seat] == 0 < record.share[1 - seat], "of a search that was cut short no share is kept"


def test_only_players_who_go_by_visits_can_end_early() -> None:
    same = ("uct@1s", "uct@50,keep", "uct@50,max", "uct@50,managed", "uct(solve)@50", "uct@50,avoid=3", "random", "nmcs(2)@50")
    for text in same:
        assert read_player(text).sooner() == read_player(text)
    with pytest.raises(PlayerError, match="early goes by visits"):
        read_player("uct@300,early,max").check(icarus.load("tic_tac_toe"))


def test_a_search_by_the_clock_ends_early_too() -> None:
    result = Search(winning(), seed=1).run(seconds=0.4, until_decided=1.0)
    assert result.stopped_by == "decided" and result.seconds < 0.4


def test_what_does_not_go_by_visits_is_refused() -> None:
    with pytest.raises(SearchError, match="goes by visits"):
        Search("tic_tac_toe", final="max").run(iterations=10, until_decided=1)
    with pytest.raises(SearchError, match="above 0 and at most 1"):
        Search("tic_tac_toe").run(iterations=10, until_decided=2)


def test_a_bank_never_spends_more_than_was_saved() -> None:
    bank, spent = Bank(iterations=80, seconds=None), 0
    position = icarus.load("connect_four").start()
    for decisions in range(1, 9):
        search = Search(position, seed=decisions)
        result = bank.think(search)
        spent += search.iterations
        assert spent <= 80 * decisions and bank.saved >= 0
        position.apply(result.best.action)
        if position.is_terminal:
            break
    assert spent + bank.saved == 80 * decisions


def test_a_player_can_be_managed() -> None:
    player = read_player("uct@300,managed,keep")
    assert player.managed and player.keep and read_player(str(player)) == player
    schedule = match_schedule("tic_tac_toe", ["uct@60,managed", "uct@60"], 4, seed=1)
    assert len(run(schedule, jobs=1).records) == 4
    with pytest.raises(PlayerError, match="goes by visits"):
        read_player("uct@300,managed,max").check(icarus.load("tic_tac_toe"))


def test_trees_vote_for_the_move() -> None:
    search = Search("connect_four", algorithm="ensemble(5)", final="vote", seed=2)
    result = search.run(iterations=FEW)
    votes = [max(node.children, key=lambda child: child.visits).move for node in search.tree.roots]
    assert len(votes) == 5
    assert votes.count(result.best.action) == max(votes.count(vote) for vote in votes)
    plain = Search("connect_four", final="vote", seed=2).run(iterations=50)
    assert plain.best.action == Search("connect_four", seed=2).run(iterations=50).best.action, "one tree has the only vote"


def test_a_book_can_seed_a_search(tmp_path) -> None:
    position = icarus.load("connect_four").start()
    file = tmp_path / "book.json"
    Book("connect_four", {name_of(position): (6, 100)}).save(file)
    game = booked("connect_four", str(file))
    start = game.start()
    assert [game.call("heuristic", start.state, action) for action in (0, 6)] == [0.0, 1.0]
    start.apply(3)
    assert game.call("heuristic", start.state, 0) == 0.5, "what the book does not know"
    seeded = Search(game, strategy="Baseline(prior=HeuristicPrior(50))", seed=1).run(iterations=FEW // 4)
    plain = Search("connect_four", seed=1).run(iterations=FEW // 4)
    assert seeded.best.label == "7" and plain.best.label != "7"
    with pytest.raises(ArenaError, match="is of connect_four, not of othello"):
        booked("othello", str(file))


def told(*words: str) -> dict:
    result = CliRunner().invoke(app, ["book", *words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_a_book_is_made_grown_and_played(tmp_path) -> None:
    file = str(tmp_path / "book.json")
    made = told("tic_tac_toe", "--output", file, "--plies", "2", "--replies", "2", "--iterations", "60")
    assert made["positions"] == made["new"] == 3
    grown = told("tic_tac_toe", "--output", file, "--plies", "3", "--replies", "2", "--iterations", "60")
    assert grown["new"] == grown["positions"] - 3 > 0
    book = read_book.__wrapped__(file)
    start = icarus.load("tic_tac_toe").start()
    move = book.move(start)
    assert move is not None
    player = read_player(f"uct@20,book={file}")
    assert read_player(str(player)) == player
    seat = player.seated(start.game, 0, 1)
    decision = seat.decide(start, start.legal())
    assert decision.action == move and decision.iterations == 0
    far = start.copy()
    for _ in range(5):
        far.apply(far.legal()[-1])
    assert seat.decide(far, far.legal()).iterations == 20, "beyond the book it searches"


def test_books_are_of_one_game_and_of_games_without_secrets(tmp_path) -> None:
    file = tmp_path / "book.json"
    told("tic_tac_toe", "--output", str(file), "--plies", "1", "--iterations", "20")
    with pytest.raises(PlayerError, match="not of connect_four"):
        read_player(f"uct@20,book={file}").check(icarus.load("connect_four"))
    for words, problem in (
        (["phantom(3,3,3)"], "perfect information"),
        (["backgammon"], "without chance"),
        (["tic_tac_toe", "--plies", "0"], "at least 1"),
        (["tic_tac_toe", "--output", str(tmp_path / "none" / "book.json")], "there is no folder"),
    ):
        result = CliRunner().invoke(app, ["book", *words])
        assert result.exit_code == 2 and problem in result.output, words
    file.write_text("[]")
    with pytest.raises(ArenaError, match="is not an opening book"):
        read_book.__wrapped__(str(file))
    with pytest.raises(ArenaError, match="there is no opening book"):
        read_book.__wrapped__(str(tmp_path / "none.json"))


# --- books by whole games ----------------------------------------------------------------------------------------------------


def test_games_recommend_a_move_that_has_worked() -> None:
    rng = np.random.default_rng(1)
    played = {1: (10, 4.0), 2: (10, 7.0), 3: (1, 0.6)}
    assert recommended(played, "quasi-best-first", rng) == 2
    assert recommended(played, "quasi-best-first", rng, k=0.8) is None
    assert recommended({1: (10, 4.0)}, "quasi-best-first", rng) is None, "worse than even: a search decides"
    assert recommended({}, "beta", rng) is None
    drawn = [recommended(played, "beta", rng) for _ in range(2000)]
    shares = [drawn.count(action) / len(drawn) for action in (1, 2, 3, None)]
    assert shares == pytest.approx(exact_shares(played), abs=5 * 0.5 / 2000**0.5)


def exact_shares(played: Played) -> list[float]:
    """How often each action's draw is the greatest and above one half, by summing over a grid; last, how often none is."""
    grid = (np.arange(4000) + 0.5) / 4000
    laws = []
    for games, points in played.values():
        law = grid**points * (1 - grid) ** (games - points)
        laws.append(law / law.sum())
    below = [np.cumsum(law) for law in laws]
    shares = [
        float((law * np.prod([b for j, b in enumerate(below) if j != i], axis=0))[grid > 0.5].sum()) for i, law in enumerate(laws)
    ]
    return [*shares, float(np.prod([b[1999] for b in below]))]


@pytest.mark.parametrize("method", ["quasi-best-first", "beta"])
def test_a_book_by_games_counts_them_and_goes_on(tmp_path, method: str) -> None:
    file = str(tmp_path / "book.json")
    words = ["tic_tac_toe", "--games", "4", "--method", method, "--iterations", "30", "--plies", "3", "--output", file]
    assert told(*words)["positions"] >= 3
    told(*words)
    book, start = read_book.__wrapped__(file), icarus.load("tic_tac_toe").start()
    rows = book.played[name_of(start)]
    assert sum(games for games, _ in rows.values()) == 8 and all(0 <= points <= games for games, points in rows.values())
    assert book.move(start) in rows and rows[book.move(start)][0] == max(games for games, _ in rows.values())
    for text, words in ((["--method", "gamma"], "there are quasi-best-first and beta"), (["--games", "0"], "at least 1")):
        result = CliRunner().invoke(app, ["book", "tic_tac_toe", "--output", file, *text])
        assert result.exit_code == 2 and words in result.stderr and result.stderr.count("\n") == 1
