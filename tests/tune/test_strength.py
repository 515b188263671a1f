"""Strength: the odds are those of the paper, a win that is seen is taken, and a ladder rises."""

from __future__ import annotations

import json
import math
import time
from collections import Counter

import pytest
from typer.testing import CliRunner

import icarus
from icarus.arena.errors import ArenaError
from icarus.arena.players import Player, read_player, with_preset
from icarus.arena.tournament import match
from icarus.cli import app
from icarus.game import Position
from icarus.jit import JIT
from icarus.loading import load
from icarus.play.machine import Machine
from icarus.preset import Level, Preset, find, save
from icarus.strength import THRESHOLD, Pace, chosen, odds, probabilities, read_pace
from icarus.tune.exam import Exam, blunders, make_exam, wins_in_one, won_endings
from icarus.tune.ladder import make_ladder, ratings, rising_fit
from icarus.web.limits import Limits, Refused
from icarus.web.strength import KEYS, preset_for, read_strength
from tests.support import assert_distribution, kill_after


def test_the_odds_are_powers_of_visits_above_the_threshold() -> None:
    assert odds([100, 50, 9], 0.5) == pytest.approx([2 / 3, 1 / 3, 0])  # an exponent of 1
    assert odds([100, 50, 9], 0.0) == pytest.approx([1 / 5, 4 / 5, 0])  # of -2: what was searched least
    assert odds([100, 50, 11], 0.9)[0] > 0.9
    assert odds([7, 0], 0.3) == [1, 0] and THRESHOLD == 0.1


def test_the_stronger_the_player_the_more_often_it_plays_the_best_move() -> None:
    shares = [odds([100, 80, 40, 20], strength / 10)[0] for strength in range(10)]
    assert shares == sorted(shares) and len(set(shares)) == 10


def test_what_is_drawn_follows_the_odds_and_the_seed() -> None:
    results = [icarus.search("tic_tac_toe", iterations=60, seed=seed) for seed in range(200)]
    assert [chosen(r, 0.5).action for r in results] == [chosen(r, 0.5).action for r in results]
    result = results[0]
    expected = {row.action: p for row, p in probabilities(result, 0.5) if p > 0.02}
    total = sum(expected.values())
    drawn = []
    for seed in range(2000):
        again = icarus.result.SearchResult(**{**result.__dict__, "seed": seed})
        drawn.append(chosen(again, 0.5).action)
    assert_distribution([a for a in drawn if a in expected], {a: p / total for a, p in expected.items()})
    assert Counter(drawn)[chosen(result, None).action] < 2000


def test_a_win_that_is_seen_is_taken_at_every_strength() -> None:
    game = load("connect_four")
    positions = wins_in_one(game, seed=1)
    assert len(positions) == 12
    exam = Exam(positions, [])
    for strength in (0.0, 0.3, 0.6):
        report = blunders(read_player(f"uct@100,strength={strength}"), exam, seed=1)
        assert report["missed"] < 0.2, report
    assert make_exam(load("kuhn_poker"), seed=1) == Exam([], []) and blunders(read_player("mo@100"), Exam([], []), seed=1) == {}


@pytest.mark.skipif(not JIT, reason="many proofs")
def test_a_won_ending_can_be_kept_or_given_away() -> None:
    """The moves that are called winning are those of a plain search of the whole ending."""

    def value(position: Position, player: int) -> float:
        if position.is_terminal:
            return position.rewards()[player]
        values = [value(position.copy().apply(action), player) for action in position.legal()]
        return max(values) if position.player == player else min(values)

    endings = won_endings(load("hex(3)"), seed=1)
    assert len(endings) == 12
    for position, winning in [(p, w) for p, w in endings if len(p.legal()) < 8][:3]:
        legal = position.legal()
        assert winning == {a for a in legal if value(position.copy().apply(a), position.player) == 1.0}
        assert 0 < len(winning) < len(legal)
    exam = Exam([], endings)
    weak, strong = (blunders(read_player(text), exam, seed=1) for text in ("uct@12,strength=0", "uct@2000"))
    assert strong["thrown_away"] < 0.1 < weak["thrown_away"] and strong["won_endings"] == 12


@pytest.mark.skipif(not JIT, reason="searched games")
def test_a_calibration_that_was_killed_goes_on(tmp_path) -> None:
    asked = {"budget": "40games", "at": "12", "levels": 3, "jobs": 1}
    whole = make_ladder("tic_tac_toe", **asked).as_dict()
    code = f"from icarus.tune.ladder import make_ladder; make_ladder('tic_tac_toe', **{asked!r}, folder={str(tmp_path)!r})"
    assert kill_after(code, tmp_path, games=15) >= 15
    assert make_ladder("tic_tac_toe", **asked, folder=tmp_path, resume=True).as_dict() == whole
    with pytest.raises(ArenaError, match="another configuration"):
        make_ladder("tic_tac_toe", **{**asked, "levels": 4}, folder=tmp_path, resume=True)


def test_a_weaker_player_loses() -> None:
    found = match("connect_four", ["uct@40,strength=0", "uct@40"], 24, jobs=1)
    assert found.standings[0].tally.rate() < 0.3


def test_ratings_are_those_of_the_model() -> None:
    found, errors = ratings({(1, 0): [1.0] * 10 + [0.0], (2, 1): [0.5] * 20}, 3)
    assert found[1] - found[0] == pytest.approx(400 * math.log10(10.5 / 1.5), abs=0.1)  # one more draw
    assert found[2] == pytest.approx(found[1]) and errors[0] == 0 < errors[1] < errors[2]


def test_a_measured_curve_is_made_to_rise() -> None:
    assert rising_fit([0.0, 3.0, 1.0, 4.0]) == [0.0, 2.0, 2.0, 4.0]
    assert rising_fit([3.0, 2.0, 1.0]) == [2.0, 2.0, 2.0]


@pytest.mark.skipif(not JIT, reason="a few hundred searched games")
def test_a_ladder_rises_and_is_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ICARUS_PRESETS", str(tmp_path))
    arguments = ["tune", "connect_four", "--strength", "--at", "60", "--budget", "140games", "--levels", "3", "--jobs", "1",
                 "--folder", str(tmp_path / "levels")]  # fmt: skip
    result = CliRunner().invoke(app, [*arguments, "--json", "--save"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["monotone"] and told["span"] > 200 and len(told["levels"]) == 3
    game = load("connect_four")
    kept = find(game)
    assert kept is not None and [level.rating for level in kept.levels] == sorted(level.rating for level in kept.levels)
    assert preset_for("hard", game).iterations == 60 and preset_for("easy", game).strength == kept.levels[0].strength
    assert with_preset(read_player("[-]@1s"), kept, kept.levels[0]).strength == kept.levels[0].strength


@pytest.mark.thorough
@pytest.mark.skipif(not JIT, reason="a thousand searched games each")
@pytest.mark.parametrize("game, at", [("connect_four", "4000"), ("othello", "200"), ("hearts(100)", "3000")])
def test_eight_levels_span_eight_hundred_points(game: str, at: str) -> None:
    ladder = make_ladder(game, budget="1600games", at=at, levels=8)
    assert ladder.monotone and ladder.span >= 800, ladder.as_dict()


def test_machines_of_the_browser_take_a_strength() -> None:
    game = load("tic_tac_toe")
    asked = read_strength({"iterations": 50, "strength": 0.4}, game, Limits())
    assert asked.strength == 0.4 and read_strength(asked.as_dict(), game, Limits()) == asked
    with pytest.raises(Refused, match="from 0 to 1"):
        read_strength({"iterations": 50, "strength": 4}, game, Limits())


def test_a_preset_gives_the_browsers_machines_their_strategy(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ICARUS_PRESETS", str(tmp_path))
    game = load("tic_tac_toe")
    levels = tuple(Level(i / 4, 10 * (i + 1), None, 100.0 * i) for i in range(5))
    save(game, Preset(game.name, "", "RAVE()", levels=levels))
    assert preset_for("medium", game).strength == 0.5 and "tuned: RAVE()" in str(preset_for("medium", game))
    save(game, Preset(game.name, "", "GRAVE()", final="max", transpositions=True))
    asked = preset_for("hard", game)
    assert (asked.final, asked.transpositions) == ("max", True) and set(asked.as_dict()) <= set(KEYS)
    kept = find(game)
    assert kept is not None and kept.levels == (), "levels of another player"


def test_thinking_time_looks_natural() -> None:
    result = icarus.search("tic_tac_toe", iterations=200, seed=1)
    assert 0.4 <= Pace().seconds(result) <= 2.0
    assert 0.5 <= read_pace("0.5-3").seconds(result) <= 3.0 and str(read_pace("0.5-3")) == "0.5-3"
    told = icarus.search(icarus.load("tic_tac_toe").start().apply(0).apply(3).apply(1).apply(4), iterations=400, seed=1)
    assert Pace().seconds(told) < Pace().seconds(result), "a win in one needs less thought than the first move"


def test_a_machine_takes_its_time_and_no_more() -> None:
    position = icarus.load("tic_tac_toe").start()
    quick = Machine(Player(strategy="-", iterations=20), position.game, 0, seed=1, pace=Pace(0.2, 0.3))
    begun = time.perf_counter()
    quick.decide(position, lambda share: None)
    assert time.perf_counter() - begun >= 0.2
    slow = Machine(Player(strategy="-", iterations=10**9), position.game, 0, seed=1, pace=Pace(0.0, 0.2))
    _, result = slow.decide(position, lambda share: None)
    assert result is not None and result.iterations < 10**9 and result.stopped_by == "seconds"
    secret = icarus.load("kuhn_poker").start(1)
    cards = Machine(Player(strategy="-", iterations=20), secret.game, 0, seed=1, pace=Pace(0.0, 100.0))
    cards.decide(secret, lambda share: None)  # how long it hesitates would tell something


@pytest.mark.parametrize(
    "arguments, reason",
    [
        (("play", "tic_tac_toe", "--strength", "7"), "from 0"),
        (("play", "tic_tac_toe", "--level", "3"), "no ladder"),
        (("play", "tic_tac_toe", "--pace", "3-1"), "such as 0.5-3"),
        (("serve", "--pace", "fast"), "such as 0.5-3"),
        (("tune", "connect_four", "--strength", "--levels", "1"), "2 to 20"),
        (("tune", "connect_four", "--strength", "--budget", "2games"), "too small"),
        (("tune", "tic_tac_toe", "--strength", "--budget", "0.01s"), "too small"),
        (("tune", "tic_tac_toe", "--strength", "--space", "{Baseline, RAVE}"), "--space says how"),
        (("tune", "tic_tac_toe", "--levels", "4"), "with --strength"),
        (("tune", "leftright(4)", "--strength"), "one player"),
        (("match", "tic_tac_toe", "uct@5,strength=2", "random"), "strength"),
    ],
)
def test_mistakes_are_one_line(tmp_path, monkeypatch, arguments, reason) -> None:
    monkeypatch.setenv("ICARUS_PRESETS", str(tmp_path))
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 2 and reason in result.stderr and "Traceback" not in result.output
