"""Matches: one seed gives the same games everywhere, deals are common to all, seats rotate, stored games replay."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace

import pytest

from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, outcome, play_task, replay
from icarus.arena.runner import Run, run
from icarus.arena.schedule import Cell, Schedule, match_schedule, read_seats, seatings, tournament_schedule
from icarus.arena.statistics import settled
from icarus.arena.tournament import match, paired_over_deals, tally_of, tournament


def by_number(records: list[GameRecord]) -> list[GameRecord]:
    return sorted(records, key=lambda record: (record.cell, record.number))


@pytest.mark.parametrize("game, players", [("connect_four", ["uct@20", "random"]), ("liars_dice(1,6)", ["mo@20", "random"])])
def test_two_runs_with_one_seed_agree_game_by_game_whatever_the_number_of_jobs(game: str, players: list[str]) -> None:
    runs = [match(game, players, 30, seed=5, jobs=jobs).run.records for jobs in (1, 2, 3)]
    for other in runs[1:]:
        assert all(a.same_game(b) for a, b in zip(by_number(runs[0]), by_number(other), strict=True))
    different = match(game, players, 30, seed=6, jobs=1).run.records
    assert [r.moves for r in by_number(runs[0])] != [r.moves for r in by_number(different)]


def test_every_pairing_gets_the_same_deals() -> None:
    players = ["random", "mo@5", "mo@10"]
    schedule = tournament_schedule("liars_dice(2,6)", players, 20, seed=1)
    records = run(schedule, jobs=1).records
    seeds = {cell.name: [r.seed for r in by_number(records) if r.cell == cell.name] for cell in schedule.cells}
    first = seeds.pop(schedule.cells[0].name)
    assert all(other == first for other in seeds.values())
    assert len(set(first)) == 10  # each deal is played with both seatings
    assert Counter(first).most_common(1)[0][1] == 2


def test_dice_do_not_depend_on_the_players() -> None:
    """In Backgammon the k-th roll of a game is the same whoever plays, although the players draw random numbers as well."""
    games = [play_task(match_schedule("backgammon", [name, "random"], 2, seed=9), "match", 0) for name in ("random", "uct@3")]
    rolls = []
    for record in games:
        seen: list[int] = []
        replay(record, lambda position, action, seen=seen: seen.append(action) if position.player < 0 else None)
        rolls.append(seen)
    common = min(map(len, rolls))
    assert common > 10
    assert rolls[0][:common] == rolls[1][:common]
    assert games[0].moves != games[1].moves


def test_paired_comparison_uses_common_deals() -> None:
    cells = tuple(Cell(name, "liars_dice(1,6)", (name, "random"), ((0, 1),), 40) for name in ("random", "mo@30"))
    schedule = Schedule(cells, seed=2)
    records = run(schedule, jobs=1).records
    sides = [(cell, [r for r in records if r.cell == cell.name]) for cell in cells]
    found = paired_over_deals(sides[1], sides[0])
    rates = [tally_of(cell, games, 0).rate() for cell, games in sides]
    assert found.estimate == pytest.approx(rates[1] - rates[0])
    assert found.games == 80


def test_a_better_player_wins_and_the_result_adds_up() -> None:
    found = match("tic_tac_toe", ["uct@200", "random"], 60, seed=1, jobs=1).as_dict()
    assert list(found) == ["game", "seed", "games", "players"]
    assert (found["game"], found["seed"], found["games"]) == ("tic_tac_toe", 1, 60)
    strong, weak = found["players"]
    assert list(strong) == ["name", "games", "wins", "draws", "losses", "win_rate", "low", "high"]
    assert strong["name"] == "uct@200"
    assert strong["wins"] + strong["draws"] + strong["losses"] == strong["games"] == 60
    assert strong["wins"] == weak["losses"]
    assert strong["low"] > 0.7
    assert weak["low"] <= weak["win_rate"] <= weak["high"] < 0.3


def test_draws_can_count_as_losses() -> None:
    half = match("tic_tac_toe", ["uct@100", "uct@101"], 20, jobs=1).as_dict()["players"][0]
    loss = match("tic_tac_toe", ["uct@100", "uct@101"], 20, jobs=1, draws="loss").as_dict()["players"][0]
    assert half["draws"] == loss["draws"] > 0
    assert half["win_rate"] == pytest.approx(loss["win_rate"] + half["draws"] / 40)


def test_tournament_plays_all_pairs_equally_often() -> None:
    result = tournament("tic_tac_toe", ["random", "uct@10", "uct@100"], 10, jobs=1)
    assert [standing.tally.games for standing in result.standings] == [20, 20, 20]
    assert result.pairs()["uct@100", "random"].rate() > 0.6
    assert result.pairs()["uct@100", "random"].wins == result.pairs()["random", "uct@100"].losses


def test_a_match_ends_as_soon_as_the_question_is_settled_on_any_number_of_jobs() -> None:
    results = [match("tic_tac_toe", ["uct@100", "random"], 1000, margin=0.05, jobs=jobs) for jobs in (1, 2)]
    assert results[0].verdict == "better"
    assert results[0].run.ended == "settled"
    assert results[0].standings == results[1].standings
    tally = results[0].standings[0].tally
    assert tally.games < 60
    before = replace(tally, wins=tally.wins - 2) if tally.wins > 2 else tally
    assert settled(before, 0.05) == "undecided" or tally.losses or tally.draws


# --- seats -----------------------------------------------------------------------------------------------------------


def test_seats_rotate() -> None:
    assert seatings(2, 2) == ((0, 1), (1, 0))
    assert seatings(3, 3) == ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    for players, seats in ((2, 3), (2, 4), (3, 4)):
        counts = Counter((i, s) for seating in seatings(players, seats) for s, i in enumerate(seating))
        assert len(set(counts.values())) == 1, "every player sits in every seat equally often"


def test_all_role_assignments_of_rave_2016() -> None:
    assert len(seatings(2, 3, "all")) == 2**3 - 2
    assert seatings(2, 2, "all") == ((0, 1), (1, 0))


def test_one_enhanced_player_against_the_rest() -> None:
    assert seatings(2, 4, "one") == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert seatings(2, 3, read_seats("0,1,1")) == ((0, 1, 1),)


@pytest.mark.parametrize(
    "players, seats, how", [(3, 2, "rotate"), (1, 2, "rotate"), (2, 2, "often"), (2, 2, [[0, 2]]), (2, 2, [[0]]), (2, 2, [])]
)
def test_impossible_seats_are_refused(players: int, seats: int, how: object) -> None:
    with pytest.raises(ArenaError):
        seatings(players, seats, how)  # type: ignore[arg-type]
    with pytest.raises(ArenaError, match="0,1,1"):
        read_seats("first")


# --- outcomes and replays --------------------------------------------------------------------------------------------


def record(rewards: tuple[float, ...], seating: tuple[int, ...]) -> GameRecord:
    zeros = (0,) * len(rewards)
    floats = (0.0,) * len(rewards)
    return GameRecord("c", 0, "g", 0, ("",) * len(rewards), seating, (), rewards, zeros, zeros, floats, floats, floats, 0.0)


def test_outcomes_of_games_for_two_four_and_one() -> None:
    cell = Cell("c", "g", ("a", "b"), ((0, 1),), 1)
    assert [outcome(cell, record((1, 0), (0, 1)), i) for i in (0, 1)] == [1, 0]
    assert [outcome(cell, record((0.5, 0.5), (0, 1)), i) for i in (0, 1)] == [0.5, 0.5]
    # Hearts: equal first is a win; whoever has several seats has the best of them
    assert [outcome(cell, record((0.75, 0.75, 0.25, 0.25), (0, 1, 1, 1)), i) for i in (0, 1)] == [1, 1]
    assert [outcome(cell, record((0.5, 1, 0.5, 0), (0, 1, 1, 1)), i) for i in (0, 1)] == [0, 1]
    # Dou Di Zhu: both peasants win together
    assert [outcome(cell, record((0, 1, 1), (0, 1, 1)), i) for i in (0, 1)] == [0, 1]
    assert [outcome(cell, record((reward,), (0,)), 0) for reward in (1.0, 0.3, 0.0)] == [1, 0.5, 0]


def test_a_stored_game_replays_and_tampering_is_noticed() -> None:
    game = match("backgammon", ["random", "random"], 1, jobs=1).run.records[0]
    assert replay(game).rewards() == list(game.rewards)
    roll = 0
    wrong_dice = replace(game, moves=((game.moves[roll] + 1) % 21, *game.moves[1:]))
    with pytest.raises(ArenaError, match="its seed gives"):
        replay(wrong_dice)
    with pytest.raises(ArenaError, match="before the game does"):
        replay(replace(game, moves=game.moves[:-1]))
    with pytest.raises(ArenaError, match="rewards"):
        replay(replace(game, rewards=game.rewards[::-1]))
    board = match("tic_tac_toe", ["random", "random"], 1, jobs=1).run.records[0]
    with pytest.raises(ArenaError, match="not legal"):
        replay(replace(board, moves=(board.moves[0], board.moves[0], *board.moves[2:])))
    with pytest.raises(ArenaError, match="the game is over"):
        replay(replace(board, moves=(*board.moves, 0)))


def test_a_kept_tree_plays_on() -> None:
    found = match("tic_tac_toe", ["uct@100,keep,max", "random"], 20, jobs=1, seed=4)
    again = match("tic_tac_toe", ["uct@100,keep,max", "random"], 20, jobs=1, seed=4)
    assert found.standings[0].tally.rate() > 0.8
    assert all(a.same_game(b) for a, b in zip(found.run.records, again.run.records, strict=True))


@pytest.mark.parametrize(
    "game, ours, theirs", [("connect_four", "uct@100", "openspiel-mcts@100"), ("kuhn_poker", "mo@50", "openspiel-ismcts@50")]
)
def test_openspiels_bots_play_our_games(game: str, ours: str, theirs: str) -> None:
    pytest.importorskip("pyspiel")
    found = match(game, [theirs, "random"], 30, jobs=1, seed=2)
    assert found.standings[0].tally.games == 30
    for stored in match(game, [ours, theirs], 4, jobs=1, seed=2).run.records:
        replay(stored)


# --- progress and trouble --------------------------------------------------------------------------------------------


def test_progress_tells_the_time_left_and_the_running_result() -> None:
    seen: list[tuple[int, float | None]] = []
    match("tic_tac_toe", ["random", "random"], 50, jobs=2, progress=lambda state: seen.append((state.played, state.seconds_left)))
    assert seen[-1][0] == 50
    assert seen[-1][1] == 0
    assert all(left is not None for _, left in seen)


def test_an_interrupt_keeps_what_is_done() -> None:
    def press(state: Run) -> None:
        raise KeyboardInterrupt

    for jobs in (1, 2):
        found = match("connect_four", ["uct@20", "random"], 500, jobs=jobs, progress=press)
        assert found.run.ended == "interrupted"
        assert 0 < len(found.run.records) < 500
        assert found.standings[0].tally.games == len(found.run.records)


def test_a_worker_that_dies_costs_only_its_unfinished_games() -> None:
    killed: list[int] = []

    def kill_one(state: Run) -> None:
        if not killed:
            import multiprocessing

            victim = multiprocessing.active_children()[0]
            killed.append(victim.pid or 0)
            os.kill(victim.pid or 0, 9)

    found = match("connect_four", ["uct@20", "random"], 100, jobs=2, seed=3, progress=kill_one).run.records
    calm = match("connect_four", ["uct@20", "random"], 100, jobs=1, seed=3).run.records
    assert killed
    assert all(a.same_game(b) for a, b in zip(by_number(found), by_number(calm), strict=True))


@pytest.mark.parametrize("players, games", [([], 5), (["random", "random"], 0), (["random"], 5), (["random"] * 3, 5)])
def test_a_match_that_makes_no_sense_is_refused(players: list[str], games: int) -> None:
    with pytest.raises(ArenaError):
        match("tic_tac_toe", players, games)


def test_a_tournament_needs_different_players() -> None:
    with pytest.raises(ArenaError, match="twice"):
        tournament("tic_tac_toe", ["random", "random"], 5)
