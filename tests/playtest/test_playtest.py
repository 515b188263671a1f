"""Playtests: figures are those of the games, exact answers are found, and any kind of game can be tested."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icarus.arena.match import GameRecord, play_task
from icarus.arena.schedule import Cell, Schedule
from icarus.cli import app
from icarus.errors import IcarusError
from icarus.jit import JIT
from icarus.loading import load
from icarus.playtest.charts import usual
from icarus.playtest.commands import clean
from icarus.playtest.figures import Figure, facts_of, mean_figure, portrait, share_figure
from icarus.playtest.findings import findings
from icarus.playtest.report import report, summary
from icarus.playtest.study import playtest
from icarus.tune.duels import begins_alike
from tests.support import NIM, kill_after

KEYS = {"games", "length", "branching", "draws", "seats", "ladder", "decisiveness", "drama"}


def recorded(game: str, moves: tuple[int, ...], rewards: tuple[float, ...], values: dict[int, float] | None = None) -> GameRecord:
    zeros = (0.0,) * len(rewards)
    return GameRecord(
        cell="x", number=0, game=game, seed=0, seats=("a",) * len(rewards), seating=(0,) * len(rewards), moves=moves,
        rewards=rewards,
        decisions=(), iterations=(), seconds=zeros, share=zeros, depth=zeros, elapsed=0.0,
        values=tuple((str(ply), value) for ply, value in (values or {}).items()),
    )  # fmt: skip


def test_the_figures_of_one_game_are_what_was_played() -> None:
    # crosses take the top row: 0, 3, 1, 4, 2
    values = {0: 0.6, 1: 0.6, 2: 0.3, 3: 0.1, 4: 1.0}
    facts = facts_of(recorded("tic_tac_toe", (0, 3, 1, 4, 2), (1.0, 0.0), values))
    assert facts.plies == 5 and facts.branching == [9, 8, 7, 6, 5]
    assert facts.shares == [1.0, 0.0] and not facts.drawn and not facts.repeats
    assert facts.curve == pytest.approx([0.6, 0.4, 0.3, 0.9, 1.0])  # the winner's, from both players' expectations
    figures = portrait([recorded("tic_tac_toe", (0, 3, 1, 4, 2), (1.0, 0.0), values)] * 3)
    assert figures.drama.score == pytest.approx(0.4)  # 0.3 is two fifths below an even chance
    assert figures.lead_changes.score == 2
    assert figures.decisiveness.score == pytest.approx(3 / 5)
    assert figures.seats[0].score == 1 and figures.seats[0].high == 1 and figures.seats[0].low < 0.5


def test_a_short_game_has_tenths_without_a_decision() -> None:
    figures = portrait([recorded("tic_tac_toe", (0, 3, 1, 4, 2), (1.0, 0.0))])
    assert [part.score for part in figures.branching_by_part if part.count] == [9, 8, 7, 6, 5]
    assert [part["score"] for part in clean(figures.as_dict())["branching"]["by_part"]].count(None) == 5


def test_a_draw_is_half_a_win_for_each() -> None:
    figures = portrait([recorded("tic_tac_toe", (0, 1, 2, 3, 5, 4, 6, 8, 7), (0.5, 0.5))] * 4)
    assert figures.draws.score == 1 and [seat.score for seat in figures.seats] == [0.5, 0.5]


def test_intervals_stay_in_their_range() -> None:
    assert share_figure(0, 10).low == 0 and share_figure(10, 10).high == 1
    assert mean_figure([1.0, 1.0, 0.9], 0, 1).high == 1
    assert mean_figure([], 0, 1).count == 0


def test_a_forbidden_move_is_not_played() -> None:
    cell = Cell("c", "tic_tac_toe", ("[-]@30,avoid=4", "[-]@30"), ((0, 1),), 5)
    records = [play_task(Schedule((cell,), 1), "c", number) for number in range(5)]
    for record in records:
        legal_last = len(record.moves) == 9
        assert 4 not in record.moves[0:8:2] or legal_last


@pytest.mark.skipif(not JIT, reason="hundreds of searched games")
@pytest.mark.parametrize("game, proven", [("hex(4)", "win"), ("tic_tac_toe", "draw")])
def test_known_answers_are_exact(game: str, proven: str) -> None:
    found = playtest(game, time_limit="30games", jobs=1, check=False)
    assert found.proven == proven
    assert found.portrait.draws.score == 0 or game != "hex(4)"


@pytest.mark.skipif(not JIT, reason="hundreds of searched games")
def test_rock_paper_scissors_gives_no_seat_an_advantage() -> None:
    found = playtest("rock_paper_scissors", time_limit="400games", jobs=1, check=False)
    for seat in found.portrait.seats:
        assert seat.low < 0.5 < seat.high
    assert found.proven == ""


def test_a_plain_class_and_the_command(tmp_path) -> None:
    file, page = tmp_path / "nim.py", tmp_path / "page.html"
    file.write_text(NIM)
    result = CliRunner().invoke(
        app,
        [
            "playtest",
            str(file),
            "--time",
            "24games",
            "--jobs",
            "1",
            "--json",
            "--output",
            str(page),
            "--folder",
            str(tmp_path / "games"),
        ],
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(found) >= KEYS
    assert all({"score", "low", "high"} <= set(seat) for seat in found["seats"]) and len(found["seats"]) == 2
    text = page.read_text()
    assert text.count("class=frame") > 4 and "Balance of seats" in text and "<script>" in text
    assert "In short" in text and text.count('among other games"') >= 8
    assert "findings" in found and ">nan" not in text


@pytest.mark.skipif(not JIT, reason="searched games")
def test_a_playtest_that_was_killed_goes_on_as_if_nothing_had_happened(tmp_path) -> None:
    asked = {"time_limit": "60games", "jobs": 1, "check": False}
    whole = playtest("mnk(3,3,3)", **asked).as_dict()
    code = f"from icarus.playtest.study import playtest; playtest('mnk(3,3,3)', **{asked!r}, folder={str(tmp_path)!r})"
    assert kill_after(code, tmp_path, games=20) >= 20
    continued = playtest("mnk(3,3,3)", **asked, folder=tmp_path, resume=True).as_dict()
    assert {**continued, "seconds": 0} == {**whole, "seconds": 0}
    with pytest.raises(IcarusError, match="another configuration"):
        playtest("tic_tac_toe", **asked, folder=tmp_path, resume=True)


@pytest.mark.skipif(not JIT, reason="rule sheets are slow as plain Python")
def test_a_rule_sheet() -> None:
    found = playtest("gdl:tic_tac_toe", time_limit="24games", jobs=1, check=False)
    assert found.portrait.games >= 8 and 5 <= found.portrait.length.score <= 18


STUCK = """
class Stuck:
    \"\"\"One choice, then two rounds in which nobody has any.\"\"\"

    players = 2
    player_names = ("Fox", "Hare")

    def __init__(self):
        self.moves = []

    def player(self):
        return len(self.moves) % 2

    def legal(self):
        return ["wait"] if self.moves else ["left", "right"]

    def apply(self, move):
        self.moves.append(move)

    def terminal(self):
        return len(self.moves) == 5

    def rewards(self):
        return [1.0, 0.0] if self.moves[0] == "left" else [0.0, 1.0]
"""


def test_stalemates_roles_and_moves_that_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "stuck.py"
    file.write_text(STUCK)
    found = playtest(str(file), time_limit="24games", jobs=1, check=False, never=["left"])
    assert found.portrait.stalemates.score == 1
    assert [seat["role"] for seat in found.as_dict()["seats"]] == ["Fox", "Hare"]
    assert [label for label, _ in found.restricted] == ["left"] and found.restricted[0][1].score == 0
    assert "never" in report(found) and "Fox" in report(found)
    with pytest.raises(IcarusError, match=r"no such move was possible in .* written like"):
        playtest(str(file), time_limit="24games", jobs=1, check=False, never=["up"])
    assert playtest("tic_tac_toe", time_limit="20games", jobs=1, check=False).portrait.stalemates.score == 0


def test_a_move_is_called_unplayed_only_where_chance_would_have_played_it() -> None:
    row = (0, 3, 1, 4, 2)  # five of nine fields, always in this order
    few, many = (portrait([recorded("tic_tac_toe", row, (1.0, 0.0))] * games) for games in (1, 40))
    assert few.never == [] and few.always == []
    assert len(many.never) == 4  # the fields that are left, each possible two hundred times
    assert many.always == ["a1"]  # the first move of all games; the others were possible before they were played


def test_what_is_dealt_is_not_proven(tmp_path: Path) -> None:
    """A proof is of one start; where deals differ, that says nothing of the others."""
    dealt, plain = tmp_path / "dealt.py", tmp_path / "plain.py"
    deal = "    def deal(self, rng):\n        self.matches = rng.randrange(5, 9)\n\n"
    dealt.write_text(NIM.replace("    def player(self):", deal + "    def player(self):"))
    plain.write_text(NIM)
    proven = {file.stem: playtest(str(file), time_limit="16games", jobs=1, check=False).proven for file in (dealt, plain)}
    assert proven == {"dealt": "", "plain": "win"}


def test_loops_are_seen_in_plain_classes(tmp_path: Path) -> None:
    """Objects that hold the same are the same position, whatever they are numbered by."""
    file = tmp_path / "walk.py"
    file.write_text(NIM.replace("self.matches -= taken", "self.matches -= taken if taken == 1 else 0"))
    looping = load(str(file))
    position = looping.start(0)
    moves = [looping.number(2)] * 2 + [looping.number(1)] * 5  # twice nothing changes but whose turn it is
    assert facts_of(recorded(str(file), tuple(moves), (1.0, 0.0))).repeats
    assert begins_alike(looping) and position.player == 0


def test_skill_is_counted_with_what_the_games_leave_open() -> None:
    found = playtest("tic_tac_toe", time_limit="20games", jobs=1, check=False)
    ladder = [(8, Figure(0.5, 0.4, 0.55, 9)), (16, Figure(0.9, 0.7, 1.0, 9)), (32, Figure(0.7, 0.5, 0.9, 9))]
    found = replace(found, ladder=ladder)
    assert found.steps == 2 and found.steps_range == (1, 2)


def test_in_short_says_only_what_intervals_say() -> None:
    found = playtest("tic_tac_toe", time_limit="20games", jobs=1, check=False)
    seats = [Figure(0.6, 0.52, 0.68, 150), Figure(0.4, 0.32, 0.48, 150)]
    told = findings(replace(found, portrait=replace(found.portrait, seats=seats)))
    assert [line for line in told if "not even" in line] == [
        f"The seats are not even: {found.roles[0]} wins 60 % (52 – 68) of the games; 50 % would be even."
    ]
    open_question = [Figure(0.6, 0.49, 0.7, 60), Figure(0.4, 0.3, 0.51, 60)]
    assert not any("even" in line for line in findings(replace(found, portrait=replace(found.portrait, seats=open_question))))


@pytest.mark.skipif(not JIT, reason="searched games")
def test_luck_is_measured_with_any_number_of_players() -> None:
    found = playtest("hearts(30)", time_limit="30games", jobs=1, check=False)
    assert found.luck.count > 0 and 0 <= found.luck.score <= 1


def test_what_is_usual_was_measured() -> None:
    assert len(usual()) >= 5
    for row in usual().values():
        assert {"length", "branching", "draws", "decisiveness", "drama", "skill steps", "luck", "stalemates"} <= set(row)
        assert 0 <= row["decisiveness"] <= 1 and 0 <= row["drama"] <= 1


def test_a_game_for_one_has_no_seats_and_no_ladder() -> None:
    found = playtest("leftright(4)", time_limit="20games", jobs=1, check=False)
    assert found.portrait.seats == [] and found.ladder == [] and found.restricted == []
    assert summary(found)["length"] == 4 and "A game for one" in report(found)


@pytest.mark.parametrize(
    "arguments, reason",
    [(("tic_tac_toe", "--time", "soon"), "write 30m"), (("nothing",), "nothing"), (("tic_tac_toe", "--jobs", "0"), "--jobs")],
)
def test_mistakes_are_one_line(tmp_path, arguments, reason) -> None:
    result = CliRunner().invoke(app, ["playtest", *arguments, "--folder", str(tmp_path)])
    assert result.exit_code == 2 and reason in result.stderr and "Traceback" not in result.output


def test_a_game_that_breaks_its_contract_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(NIM.replace("[1.0, 0.0] if", "[7.0, 0.0] if"))
    result = CliRunner().invoke(app, ["playtest", str(file), "--time", "24games", "--folder", str(tmp_path / "games")])
    assert result.exit_code == 2 and "Traceback" not in result.output
