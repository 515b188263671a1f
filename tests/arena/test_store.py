"""The results store: nothing stored is lost or counted twice, whatever is killed; other configurations and damage are refused."""

from __future__ import annotations

import csv
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import icarus
from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, replay
from icarus.arena.runner import run
from icarus.arena.schedule import match_schedule
from icarus.arena.store import FILE, Store, rescue, salvageable
from icarus.arena.tournament import match
from icarus.jit import JIT

compiled_only = pytest.mark.skipif(not JIT, reason="plays many games: too slow as plain Python")

GAME, PLAYERS, SEED = "connect_four", ["random", "random"], 11


def stored(folder: Path) -> list[GameRecord]:
    with Store.read(folder) as store:
        return list(store.records())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    match(GAME, PLAYERS, 200, seed=SEED, jobs=1, folder=tmp_path / "match")
    return tmp_path / "match"


def test_games_come_back_as_they_went_in(folder: Path) -> None:
    records = stored(folder)
    played = match(GAME, PLAYERS, 200, seed=SEED, jobs=1).run.records
    assert all(a.same_game(b) for a, b in zip(records, played, strict=True))
    for record in records[:20]:
        replay(record)


@compiled_only
@pytest.mark.parametrize("kills", [4, pytest.param(10, marks=pytest.mark.thorough)])
def test_an_experiment_killed_again_and_again_ends_with_the_same_rows(tmp_path: Path, kills: int) -> None:
    """SIGKILL to the whole process group at random moments; each time the store must hold whole games only, each once."""
    games, target = 400 * kills, tmp_path / "killed"
    code = (
        "from icarus.arena.tournament import match\n"
        f"match({GAME!r}, {PLAYERS!r}, {games}, seed={SEED}, jobs=2, folder={str(target)!r}, resume=True)\n"
    )
    chance, counts = random.Random(1), []
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, env=environment())
        wait_for_growth(target, counts[-1] if counts else 0, process)
        time.sleep(chance.uniform(0, 0.12))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        records = stored(target)
        assert len({(r.cell, r.number) for r in records}) == len(records)
        assert len(records) >= (counts[-1] if counts else 0), "a stored game was lost"
        counts.append(len(records))
    assert counts[0] < games, "the first kill came too late to disturb anything"
    assert len(set(counts)) > kills // 3, "the kills came before anything was stored"
    result = match(GAME, PLAYERS, games, seed=SEED, jobs=2, folder=target, resume=True)
    calm = match(GAME, PLAYERS, games, seed=SEED, jobs=2)
    ours = sorted(calm.run.records, key=lambda record: record.number)
    assert all(a.same_game(b) for a, b in zip(stored(target), ours, strict=True))
    assert result.standings == calm.standings


def environment() -> dict[str, str]:
    """Another process finds the same package."""
    return {**os.environ, "PYTHONPATH": str(Path(icarus.__file__).parents[1])}


def wait_for_growth(folder: Path, before: int, process: subprocess.Popen[Any], patience: float = 60) -> None:
    """Until the process has stored something, or is done."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and process.poll() is None:
        if (folder / FILE).exists():
            try:
                with Store.read(folder) as store:
                    if store.count() > before:
                        return
            except ArenaError:
                pass  # the tables are being made
        time.sleep(0.01)


@compiled_only
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_match_in_the_middle_of_a_search_and_keeps_what_is_done(tmp_path: Path, jobs: int) -> None:
    target = tmp_path / "games"
    code = (
        "from icarus.arena.tournament import match\n"
        f"found = match({GAME!r}, ['uct@2000', 'random'], 100000, jobs={jobs}, folder={str(target)!r})\n"
        "print(found.run.ended, found.standings[0].tally.games)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment())
    wait_for_growth(target, 0, process, patience=300)
    process.send_signal(signal.SIGINT)
    answer, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    ended, games = answer.split()
    assert ended == "interrupted"
    assert int(games) == len(stored(target)) > 0


def test_nobody_outlives_a_killed_parent(tmp_path: Path) -> None:
    code = (
        "from icarus.arena.tournament import match\n"
        "import multiprocessing\n"
        "def show(state):\n"
        "    print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        f"match({GAME!r}, {PLAYERS!r}, 100000, jobs=2, progress=show)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment())
    assert process.stdout is not None
    children = [int(word) for word in process.stdout.readline().split()]
    process.kill()
    process.wait()
    process.stdout.close()
    deadline = time.monotonic() + 20
    while any(alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children
    assert not any(alive(child) for child in children)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_resuming_plays_only_what_is_missing_and_more_games_may_be_asked_for(folder: Path) -> None:
    before = {record.number: record.elapsed for record in stored(folder)}
    result = match(GAME, PLAYERS, 300, seed=SEED, jobs=1, folder=folder, resume=True)
    assert (result.run.kept, result.run.played) == (200, 100)
    after = {record.number: record.elapsed for record in stored(folder)}
    assert len(after) == 300
    assert all(after[number] == elapsed for number, elapsed in before.items())
    fewer = match(GAME, PLAYERS, 100, seed=SEED, jobs=1, folder=folder, resume=True)
    assert fewer.standings[0].tally.games == 100


@pytest.mark.parametrize(
    "game, players, seed, what",
    [
        (GAME, PLAYERS, 12, "seed 11, not 12"),
        ("tic_tac_toe", PLAYERS, SEED, "game of 'match'"),
        (GAME, ["random", "uct@5"], SEED, "players of 'match'"),
    ],
)
def test_a_different_configuration_refuses_to_mix_in(folder: Path, game: str, players: list[str], seed: int, what: str) -> None:
    with pytest.raises(ArenaError, match=what):
        match(game, players, 10, seed=seed, folder=folder, resume=True)
    assert len(stored(folder)) == 200


def test_a_full_folder_is_not_continued_by_accident(folder: Path) -> None:
    with pytest.raises(ArenaError, match="already holds 200 games; --resume"):
        match(GAME, PLAYERS, 200, seed=SEED, folder=folder)
    with pytest.raises(ArenaError, match="--store"):
        match(GAME, PLAYERS, 200, seed=SEED, resume=True)


def test_a_game_is_stored_once_however_often_it_is_handed_in(tmp_path: Path) -> None:
    schedule = match_schedule(GAME, PLAYERS, 3, SEED)
    records = run(schedule, jobs=1).records
    with Store.open(tmp_path / "s", schedule, resume=False) as store:
        store.add(records)
        store.add(records)
        assert store.count() == 3


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_a_corrupted_store_is_reported_with_what_can_be_saved(folder: Path, tmp_path: Path) -> None:
    whole = stored(folder)
    sqlite3.connect(folder / FILE).execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    data = bytearray((folder / FILE).read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8192] = b"\xff" * 8192
    (folder / FILE).write_bytes(data)
    with pytest.raises(ArenaError, match=r"damaged .* (\d+) games can be saved: icarus replay .* --rescue"):
        stored(folder)
    saved = rescue(folder, tmp_path / "saved")
    assert 50 < saved < 200
    originals = {record.number: record for record in whole}
    again = stored(tmp_path / "saved")
    assert len(again) == saved
    assert all(record == originals[record.number] for record in again)


def test_a_changed_row_is_noticed(folder: Path) -> None:
    with sqlite3.connect(folder / FILE) as connection:
        connection.execute("UPDATE games SET rewards = '[1.0, 0.0]' WHERE rewards = '[0.0, 1.0]' AND number < 20")
    with pytest.raises(ArenaError, match="checksum"):
        stored(folder)
    assert 180 <= len(list(salvageable(folder))) < 200


def test_a_file_that_is_no_store_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="no store"):
        Store.read(tmp_path)
    (tmp_path / FILE).write_bytes(b"not a database, but something else of a certain length" * 100)
    with pytest.raises(ArenaError, match="no game in it can be saved"):
        Store.read(tmp_path)


def test_a_folder_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ArenaError) as problem:
        match(GAME, PLAYERS, 2, folder=tmp_path / "file" / "store")
    assert "\n" not in str(problem.value)
    assert "choose another folder" in str(problem.value)


def test_a_read_only_database_gives_one_line(folder: Path) -> None:
    schedule = match_schedule(GAME, PLAYERS, 300, SEED)
    with Store.open(folder, schedule, resume=True) as store:
        store.connection.execute("PRAGMA query_only = 1")
        with pytest.raises(ArenaError, match="read-only") as problem:
            run(schedule, jobs=1, store=store)
    assert "\n" not in str(problem.value)
    assert len(stored(folder)) == 200


def test_a_full_disk_gives_one_line_and_loses_nothing(folder: Path) -> None:
    schedule = match_schedule(GAME, PLAYERS, 5000, SEED)
    with Store.open(folder, schedule, resume=True) as store:
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        with pytest.raises(ArenaError, match="disk is full") as problem:
            run(schedule, jobs=1, store=store)
    assert "\n" not in str(problem.value)
    assert len(stored(folder)) >= 200


def test_export_to_csv_and_back(folder: Path, tmp_path: Path) -> None:
    with Store.read(folder) as store:
        assert store.export(tmp_path / "games.csv") == 200
        with pytest.raises(ArenaError, match=r"\.csv or \.parquet"):
            store.export(tmp_path / "games.xls")
    with (tmp_path / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, record in zip(rows, stored(folder), strict=True):
        assert int(row["number"]) == record.number
        assert (float(row["rewards_0"]), float(row["rewards_1"])) == record.rewards
        assert tuple(map(int, row["moves"].split())) == record.moves


def test_export_to_parquet(folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with Store.read(folder) as store:
        store.export(tmp_path / "games.parquet")
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.column("rewards_0").to_pylist() == [record.rewards[0] for record in stored(folder)]


def test_a_store_can_be_moved(folder: Path, tmp_path: Path) -> None:
    expected = stored(folder)
    shutil.move(folder, tmp_path / "elsewhere")
    assert stored(tmp_path / "elsewhere") == expected
