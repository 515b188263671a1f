"""``icarus check --all``: every sheet of a folder, whatever becomes of one of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icarus.cli import app
from icarus.errors import GameError
from icarus.testing.folder import check_folder
from tests.gdl.hard_sheets import HUGE

COIN = """
(role a) (init start) (legal a heads) (legal a tails) (<= (next over) (true start)) (<= (next won) (does a heads))
(<= terminal (true over)) (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
"""


def test_a_table_of_all_sheets(tmp_path: Path):
    (tmp_path / "coin.kif").write_text(COIN)
    (tmp_path / "open.kif").write_text(COIN + "(")
    (tmp_path / "notes.txt").write_text("not a sheet")
    result = CliRunner().invoke(app, ["check", "--all", str(tmp_path), "--games", "2", "--json"])
    assert result.exit_code == 2 and "1 of 2 sheets" in result.stderr and "did not pass: open.kif" in result.stderr
    found = {Path(row["file"]).name: row for row in json.loads(result.stdout)["outcomes"]}
    assert list(found) == ["coin.kif", "open.kif"]
    assert found["coin.kif"]["status"] == "passed" and found["coin.kif"]["counts"]["failed"] == 0
    assert found["open.kif"]["status"] == "refused" and "never closed" in found["open.kif"]["detail"]


def test_a_sheet_that_takes_too_long_is_given_up(tmp_path: Path):
    (tmp_path / "huge.kif").write_text(HUGE)
    (outcome,) = check_folder(tmp_path, games=1, timeout=0.5).outcomes
    assert outcome.status == "too long" and "0.5 s" in outcome.detail


def test_a_folder_without_sheets_is_one_line(tmp_path: Path):
    with pytest.raises(GameError, match=r"there is no rule sheet in .*: no file ends in \.kif, \.gdl"):
        check_folder(tmp_path)
    with pytest.raises(GameError, match="there is no folder"):
        check_folder(tmp_path / "nowhere")
    for wrong in (["check"], ["check", "hex", "--all", str(tmp_path)]):
        result = CliRunner().invoke(app, wrong)
        assert result.exit_code == 2 and "name one GAME, or a folder with --all" in result.stderr
