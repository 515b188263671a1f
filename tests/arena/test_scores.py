"""Games for one in the arena: each player plays alone, and tables have scores in the game's own units."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import icarus
from icarus.arena.errors import ArenaError
from icarus.arena.schedule import match_schedule, tournament_schedule
from icarus.arena.store import Store
from icarus.arena.tournament import SCORED, match
from icarus.cli import app

PUZZLE = "left_move(5)"


def test_each_player_plays_alone_and_has_scores(tmp_path) -> None:
    result = match(PUZZLE, ["nmcs(1)@30", "random"], games=6, jobs=1, folder=tmp_path)
    assert result.columns == SCORED and [standing.name for standing in result.standings] == ["nmcs(1)@30", "random"]
    with Store.read(tmp_path) as store:
        held = {cell: list(store.records(cell)) for cell in ("nmcs(1)@30", "random")}
    for standing in result.standings:
        lefts = [sum(action == 0 for action in record.moves) for record in held[standing.name]]
        assert list(standing.scores) == lefts and standing.mean == sum(lefts) / 6
        assert standing.best_line.count("left") == max(lefts) <= standing.best_playout <= 5
        assert standing.as_dict()["score"] == max(lefts) and standing.as_dict()["moves"] == list(standing.best_line)
    assert result.standings[0].best_playout == 5 and "mean score" in result._repr_html_()


def test_a_table_of_scores_on_the_command_line() -> None:
    words = ["match", PUZZLE, "nmcs(1)@20", "random", "--games", "2", "--jobs", "1"]
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 0 and "best playout" in shown.stdout and " by left" in shown.stdout
    told = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert all(len(player["scores"]) == 2 and {"mean", "stderr", "score", "moves"} <= set(player) for player in told["players"])


def test_a_playout_that_was_better_than_its_game_is_kept_with_its_moves(tmp_path) -> None:
    """UCT plays the move that was tried most, and not the best line that it saw."""
    player, few = "uct@12", 8
    result = match("left_move(9)", [player], games=few, jobs=1, folder=tmp_path)
    (standing,) = result.standings
    with Store.read(tmp_path) as store:
        held = list(store.records())
    assert [record.best_moves for record in held] == [record.best_moves for record in result.run.records]
    better = [record for record in held if record.best_moves]
    assert better, "with so few iterations some game ends below its best playout"
    for record in held:
        noted = dict(record.values)
        assert noted["best playout"] == (record.best_moves or record.moves).count(0) >= noted["score"] == record.moves.count(0)
    assert standing.best_playout == standing.best_playout_line.count("left") == max(dict(r.values)["best playout"] for r in held)
    assert standing.as_dict()["best_playout_moves"] == list(standing.best_playout_line)
    shown = CliRunner().invoke(app, ["replay", str(tmp_path), "--game", str(better[0].number)])
    assert shown.exit_code == 0 and f"best playout: {better[0].best_moves.count(0)} by " in shown.stdout


def test_what_makes_no_sense_alone_is_refused() -> None:
    with pytest.raises(ArenaError, match="`icarus match` lets each of them play alone"):
        tournament_schedule(PUZZLE, ["random", "nmcs(1)@20"], 2)
    with pytest.raises(ArenaError, match="a player was given twice"):
        match_schedule(PUZZLE, ["random", "random"], 2)


def test_the_page_hears_of_the_best_playout() -> None:
    from icarus.web.messages import thought_of

    result = icarus.search(PUZZLE, algorithm="nmcs(2)", iterations=60, seed=1)
    told = thought_of(result, {})
    assert told["score"] == 5 and told["scored"] == ["left"] * 5
