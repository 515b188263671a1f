"""Games that two experiments have in common are played once, and are the same games."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from icarus.arena import compact
from icarus.arena.compact import Compact, read_compact
from icarus.arena.experiment import read_experiment
from icarus.arena.match import play_task
from icarus.arena.reproduce import reproduce
from icarus.arena.schedule import Cell
from icarus.arena.sharing import shared, what_is_played, with_shared

TINY = 0.002  #: of the paper's iterations
ROW = "Dou Di Zhu"


def cell_of(experiment: str, name: str, budget: float = 1.0) -> Cell:
    return read_experiment(experiment).schedule(budget=budget).cell(name)


def test_a_cell_is_known_by_what_is_played_and_not_by_its_name() -> None:
    def same(one: tuple[str, str], other: tuple[str, str]) -> bool:
        return what_is_played(cell_of(*one)) == what_is_played(cell_of(*other))

    assert same(("icarus-fig4", f"{ROW} · N"), ("icarus-fig5", f"{ROW} · NAST2"))
    assert same(("icarus-fig4", f"{ROW} · N"), ("bandits-fig2", f"{ROW} · N=2"))
    assert same(("icarus-fig4", "Hearts · M"), ("bandits-fig1", "Hearts · Gibbs"))
    assert same(("icarus-fig4", "LOTR:C (Dark) · -"), ("bandits-fig1", "LOTR:C (Dark) · no MAST"))
    assert not same(("icarus-fig4", "LOTR:C (Light) · -"), ("icarus-fig4", "LOTR:C (Dark) · -")), "other seats"
    assert not same(("icarus-fig4", f"{ROW} · N"), ("bandits-fig2", f"{ROW} · N=3"))
    assert what_is_played(cell_of("rave-table4", "Quad · RAVE")) is None, "games by the clock do not repeat"
    assert what_is_played(cell_of("ismcts-fig13", f"{ROW} · SO-ISMCTS")) is None, "a measurement is no game"
    one = cell_of("icarus-fig4", f"{ROW} · N")
    assert what_is_played(replace(one, equal_first="draw")) != what_is_played(one)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with results of figure 5, a few games of one row."""
    folder = tmp_path_factory.mktemp("shared")
    reproduce(
        "icarus-fig5",
        scale=0.003,
        budget=TINY,
        rows=[ROW],
        jobs=1,
        folder=folder / "games",
        results_file=folder / "icarus-fig5.json",
    )
    return folder


def nothing(experiment: str) -> Compact:
    return Compact(experiment, seed=0, budget=TINY)


def test_what_another_file_holds_is_what_would_be_played(played: Path) -> None:
    schedule = read_experiment("icarus-fig4").schedule(budget=TINY)
    cells = [cell.name for cell in schedule.cells]
    (found,) = shared(nothing("icarus-fig4"), schedule, cells, played)
    assert sorted(here for here, _, _ in found.games) == [f"{ROW} · -", f"{ROW} · N"]
    for here, there, taken in found.games:
        assert [record.number for record in taken] == [0, 1, 2]
        for record in taken:
            again = play_task(schedule, here, record.number)
            assert again.rewards == record.rewards or max(again.rewards) == max(record.rewards), there
            assert play_task(found.schedule, there, record.number).moves == again.moves
    assert list(shared(nothing("icarus-fig4"), schedule, [f"{ROW} · L"], played)) == [], "only what is asked for"
    assert list(shared(replace(nothing("icarus-fig4"), seed=1), schedule, cells, played)) == [], "other deals"
    assert list(shared(nothing("icarus-fig5"), schedule, cells, played)) == [], "not from itself"


def test_an_experiment_goes_on_with_the_games_of_another(played: Path, tmp_path: Path) -> None:
    said: list[str] = []
    file = played / "bandits-fig2.json"
    found = reproduce(
        "bandits-fig2", scale=0.004, budget=TINY, rows=[ROW], jobs=1, folder=tmp_path, results_file=file, say=said.append
    )
    assert "6 games are those of icarus-fig5: not played again" in said
    assert found.results.games == 6 * 4 and found.run.played == 6 * 4 - 6
    cells = json.loads(file.read_text())["cells"]
    there = json.loads((played / "icarus-fig5.json").read_text())["cells"]
    assert cells[f"{ROW} · N=2"]["games"][:3] == there[f"{ROW} · NAST2"]["games"]
    assert cells[f"{ROW} · no NAST"]["games"][:3] == there[f"{ROW} · Baseline"]["games"]
    file.unlink()


def test_games_of_players_who_play_otherwise_are_left(played: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another engine: taken if the first games are the same move by move, and not otherwise."""
    said: list[str] = []
    schedule = read_experiment("icarus-fig4").schedule(budget=TINY)
    text = (played / "icarus-fig5.json").read_text()
    engine = read_compact(played / "icarus-fig5.json", read_experiment("icarus-fig5").schedule(budget=TINY)).engine
    assert engine == compact.engine_digest()
    (tmp_path / "icarus-fig5.json").write_text(text.replace(engine, "other"))
    taken = with_shared(nothing("icarus-fig4"), schedule, [f"{ROW} · N"], tmp_path, said.append)
    assert len(taken.records) == 3 and f"{ROW} · N" in taken.first
    first = json.loads(text)["first"][f"{ROW} · NAST2"]
    (tmp_path / "icarus-fig5.json").write_text(text.replace(engine, "other").replace(first, "0" * len(first)))
    assert with_shared(nothing("icarus-fig4"), schedule, [f"{ROW} · N"], tmp_path, said.append).records == []
    assert "by players who play otherwise" in said[-1]


def test_another_figure_of_the_same_games_keeps_what_is_known_of_their_searches(tmp_path: Path) -> None:
    """Figure 3 asks for outcomes alone, and continues the file of figure 4, which has shares of visits."""
    file = tmp_path / "icarus-fig4.json"
    few = {"scale": 0.001, "budget": TINY, "rows": [ROW], "jobs": 1, "results_file": file}
    reproduce("icarus-fig4", folder=tmp_path / "four", claims=["I8a"], **few)
    before = json.loads(file.read_text())["cells"][f"{ROW} · N"]
    assert all(share > 0 for share in before["share"])
    reproduce("icarus-fig3", folder=tmp_path / "three", claims=["I2"], **few)
    cells = json.loads(file.read_text())["cells"]
    assert cells[f"{ROW} · N"] == before and cells[f"{ROW} · NR"]["share"] == [0], "what was cut short says nothing"
