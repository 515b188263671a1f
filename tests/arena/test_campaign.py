"""All claims at once: what is played next over all experiments, when it ends, and that it goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icarus.arena.campaign import campaign, open_steps
from icarus.arena.errors import ArenaError
from icarus.arena.verdicts import FOLDER, base_of, listed, results_file
from icarus.cli import app

TINY = 0.002  #: of the paper's iterations: a game takes milliseconds


def test_the_committed_files_have_no_step_for_claims_that_have_fallen() -> None:
    folder = results_file("icarus-fig4").parent
    assert folder.name == FOLDER
    steps = open_steps(folder)
    assert {step.claim for step in steps}.isdisjoint({"I4", "S5", "S5a"}), "S5 fell in one part, which is enough for both"
    assert all(step.seconds > 0 for step in steps)
    assert open_steps(folder, ["I4"]) == []
    assert {base_of(step.claim) for step in steps} <= {name for of_paper in listed().values() for name in of_paper}
    assert [step.claim for step in open_steps(folder, ["first look"])] == ["first look"], "not in the table, but named"


def test_a_claim_that_no_experiment_has_is_refused() -> None:
    with pytest.raises(ArenaError, match="no experiment has a claim Q7"):
        open_steps(Path("nowhere"), ["Q7"])


def test_a_campaign_goes_from_the_cheapest_claim_on_and_continues_its_files(tmp_path: Path) -> None:
    files, games = tmp_path / "results", tmp_path / "games"
    before = {step.claim: step.seconds for step in open_steps(files, ["S10", "S5"], TINY)}
    first, verdict = next(campaign(files, ["S10", "S5"], games=games, budget=TINY, jobs=1))
    assert first.seconds == min(before.values()) and verdict.id == first.claim
    held = json.loads((files / f"{'ismcts-fig15' if first.claim == 'S10' else 'ismcts-fig9'}.json").read_text())
    assert held["budget"] == TINY and len(held["cells"]) >= 2
    later = {step.claim: step.comparison for step in open_steps(files, ["S10", "S5"], TINY)}
    assert later.get(first.claim) != first.comparison, "the next look is at something else, or knows more"
    # the games are not needed to go on
    second, _ = next(campaign(files, ["S10", "S5"], games=tmp_path / "elsewhere", budget=TINY, jobs=1))
    assert second != first


def test_no_step_begins_when_the_time_is_over_or_nothing_is_open(tmp_path: Path) -> None:
    assert list(campaign(tmp_path, ["R3"], games=tmp_path / "games", seconds=0, budget=TINY)) == []
    assert list(campaign(results_file("icarus-fig4").parent, ["I4"], games=tmp_path / "games")) == []
    assert not (tmp_path / "games").exists()


def test_the_command_says_what_each_step_brought_and_refuses_what_it_does_not_take(tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        found = CliRunner().invoke(app, ["reproduce", "all", "--output", str(tmp_path / "games"), *words])
        return found.exit_code, found.stdout, found.stderr

    options = ["--claims", "S10", "--budget", str(TINY), "--jobs", "1"]
    code, out, err = run(*options, "--time", "0.01s", "--json")
    assert code == 0 and "ismcts-fig15, S10" in err and "points [" in err
    assert [step["claim"] for step in json.loads(out)["open"]] == ["S10"]
    for words, said in (
        (["--row", "Quad"], "belong to one experiment"),
        (["--time", "soon"], "write for example 30s"),
        (["--results", __file__], "keeps a file per experiment"),
    ):
        code, _, err = run(*options, *words)
        assert code == 2 and said in err and "Traceback" not in err
    code = CliRunner().invoke(app, ["reproduce", "icarus-fig4", "--time", "1h"]).exit_code
    assert code == 2
