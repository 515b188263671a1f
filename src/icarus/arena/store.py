"""The results of an experiment: a folder with an SQLite database, one row per finished game.

A game is stored whole or not at all, in one transaction, under its cell and number, so that it can be neither lost once it is
stored nor counted twice, whatever is killed whenever.  A store belongs to one schedule; another one is refused.
"""

from __future__ import annotations

import csv
import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord
from icarus.arena.schedule import Schedule
from icarus.errors import needing

FILE = "games.sqlite"
FORMAT = "1"

COLUMNS = tuple(field.name for field in fields(GameRecord) if field.name != "best_moves")
#: in the column of the moves stands behind it what would have been better (best_moves); few games have that
BETTER = " | "
_LISTS = ("seats", "seating", "rewards", "decisions", "iterations", "seconds", "share", "depth", "values")
_TABLES = f"""
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    {", ".join(f'"{name}"' for name in COLUMNS)}, finished REAL, checksum INTEGER, PRIMARY KEY (cell, number)
);
"""
_INSERT = f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"


class Store:
    """An open store.  ``Store.open`` makes or continues one, ``Store.read`` opens one to look at."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder, self.connection = folder, connection

    # --- opening -----------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, folder: str | Path, schedule: Schedule, *, resume: bool) -> Store:
        """The store for a schedule; games that are already there are kept if it is the same one and ``resume`` is given."""
        folder = Path(folder)
        with _clearly(folder):
            folder.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(folder / FILE, timeout=60, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(_TABLES)
            about = {"format": FORMAT, "schedule": schedule.identity(), "made": time.strftime("%Y-%m-%d %H:%M:%S")}
            connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about.items())
        store = cls(folder, connection)
        store._check_format()
        held = store.count()
        there = store.about()["schedule"]
        if not held and there != schedule.identity():  # a run that ended before its first game has nothing to be mixed up with
            with _clearly(folder):
                connection.execute("DELETE FROM about")
                connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        elif there != schedule.identity():
            store.close()
            difference = _difference(json.loads(there), schedule)
            raise ArenaError(f"{folder} holds {held} games of another configuration ({difference}); choose another folder")
        if held and not resume:
            store.close()
            raise ArenaError(f"{folder} already holds {held} games; --resume continues, or choose another folder")
        return store

    @classmethod
    def read(cls, folder: str | Path) -> Store:
        """An existing store, to read from."""
        folder = Path(folder)
        file = folder / FILE if folder.is_dir() else folder
        if not file.is_file():
            raise ArenaError(f"there is no store in {str(folder)!r}: {FILE} is missing")
        with _clearly(file.parent):
            connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=60, isolation_level=None)
            connection.execute("SELECT count(*) FROM games").fetchone()
        store = cls(file.parent, connection)
        store._check_format()
        return store

    def _check_format(self) -> None:
        found = self.about().get("format")
        if found != FORMAT:
            raise ArenaError(f"{self.folder / FILE} has the format {found!r}, this version of icarus reads {FORMAT!r}")

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- games -------------------------------------------------------------------------------------------------------

    def add(self, records: Iterable[GameRecord]) -> None:
        """Store finished games, all in one transaction."""
        rows = [(*(encoded := _encode(record)), time.time(), _checksum(encoded)) for record in records]
        with _clearly(self.folder):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                self.connection.executemany(_INSERT, rows)
                self.connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise

    def about(self) -> dict[str, str]:
        with _clearly(self.folder):
            return dict(self.connection.execute("SELECT name, value FROM about").fetchall())

    def note(self, name: str, value: str) -> None:
        """Remember something beside the games."""
        with _clearly(self.folder):
            self.connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def count(self) -> int:
        with _clearly(self.folder):
            return int(self.connection.execute("SELECT count(*) FROM games").fetchone()[0])

    def finished(self) -> set[tuple[str, int]]:
        """The names of all games that are there."""
        with _clearly(self.folder):
            return {(str(cell), int(number)) for cell, number in self.connection.execute("SELECT cell, number FROM games")}

    def records(self, cell: str | None = None) -> Iterator[GameRecord]:
        """All games in order, or those of one cell; a row that does not match its checksum is an error."""
        names = ", ".join(f'"{name}"' for name in COLUMNS)
        where, values = ("WHERE cell = ?", (cell,)) if cell is not None else ("", ())
        with _clearly(self.folder):
            for row in self.connection.execute(f"SELECT {names}, checksum FROM games {where} ORDER BY cell, number", values):
                if _checksum(row[:-1]) != row[-1]:
                    raise ArenaError(_damaged(self.folder, f"game {row[1]} of {row[0]!r} does not match its checksum"))
                yield _decode(row[:-1])

    # --- exports -----------------------------------------------------------------------------------------------------

    def table(self) -> list[dict[str, Any]]:
        """One flat dictionary per game: the columns of an export, and what a data frame takes."""
        return [_flat(record) for record in self.records()]

    def export(self, file: str | Path) -> int:
        """Write all games as ``.csv`` or ``.parquet``; returns how many."""
        file, rows = Path(file), self.table()
        names = list(dict.fromkeys(name for row in rows for name in row))
        with _clearly(file.parent):
            if file.suffix == ".csv":
                with file.open("w", newline="", encoding="utf-8") as out:
                    writer = csv.DictWriter(out, names, restval="")
                    writer.writeheader()
                    writer.writerows(rows)
            elif file.suffix == ".parquet":
                with needing("Parquet (.csv can)", "pyarrow", extra="arena"):
                    pyarrow = import_module("pyarrow")
                    parquet = import_module("pyarrow.parquet")
                parquet.write_table(pyarrow.table({name: [row.get(name) for row in rows] for name in names}), file)
            else:
                raise ArenaError(f"cannot export to {file.name!r}; the name must end in .csv or .parquet")
        return len(rows)


def _difference(mine: dict[str, Any], schedule: Schedule) -> str:
    """The first thing in which two schedules differ, for people."""
    other = json.loads(schedule.identity())
    if "cells" not in mine:
        return "what a damaged store left"
    for name in ("seed", "icarus"):
        if mine[name] != other[name]:
            return f"{name} {mine[name]}, not {other[name]}"
    for name in {**mine["cells"], **other["cells"]}:
        a, b = mine["cells"].get(name), other["cells"].get(name)
        if a is None or b is None:
            return f"{name!r} is {'not there' if a is None else 'no longer there'}"
        if a != b:
            part = next(key for key in a if a[key] != b.get(key))
            return f"{part} of {name!r}: {a[part]}, not {b.get(part)}"
    return "order of cells"


# --- rows ------------------------------------------------------------------------------------------------------------


def _encode(record: GameRecord) -> tuple[Any, ...]:
    row = []
    for name in COLUMNS:
        value = getattr(record, name)
        if name == "moves":
            value = BETTER.join(" ".join(map(str, moves)) for moves in (value, record.best_moves) if moves)
        elif name in _LISTS:
            value = json.dumps(value)
        row.append(value)
    return tuple(row)


def _decode(row: tuple[Any, ...]) -> GameRecord:
    values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
    moves, _, better = values["moves"].partition(BETTER)
    values["moves"], values["best_moves"] = (tuple(map(int, text.split())) for text in (moves, better))
    for name in _LISTS:
        values[name] = tuple(tuple(v) if isinstance(v, list) else v for v in json.loads(values[name]))
    return GameRecord(**values)


def _checksum(row: tuple[Any, ...]) -> int:
    return zlib.crc32(repr(row).encode())


def _flat(record: GameRecord) -> dict[str, Any]:
    flat: dict[str, Any] = {"cell": record.cell, "number": record.number, "game": record.game, "seed": record.seed}
    for seat, player in enumerate(record.seats):
        flat[f"player_{seat}"] = player
        for name in ("rewards", "decisions", "iterations", "seconds", "share", "depth"):
            flat[f"{name}_{seat}"] = getattr(record, name)[seat]
    flat.update(dict(record.values))
    if record.best_moves:
        flat["best playout's moves"] = " ".join(map(str, record.best_moves))
    return {**flat, "moves": " ".join(map(str, record.moves)), "elapsed": record.elapsed, "version": record.version}


# --- when something is wrong -----------------------------------------------------------------------------------------


@contextmanager
def _clearly(folder: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one line for people."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        text = str(problem)
        if "full" in text or "disk I/O" in text:
            raise ArenaError(f"cannot write to {folder}: the disk is full ({text}); everything stored so far is safe") from None
        if "readonly" in text or "unable to open" in text:
            raise ArenaError(f"cannot write to {folder}: it is read-only or not a folder ({text}); choose another one") from None
        if "no such table" in text:
            raise ArenaError(f"{folder / FILE} is not a store of games ({text})") from None
        raise ArenaError(f"{folder / FILE}: {text}") from None
    except sqlite3.DatabaseError as problem:
        raise ArenaError(_damaged(folder, str(problem))) from None
    except OSError as problem:
        raise ArenaError(f"cannot use {folder}: {problem.strerror or problem}; choose another folder") from None


def _damaged(folder: Path, problem: str) -> str:
    saved = sum(1 for _ in salvageable(folder))
    advice = f"{saved} games can be saved: icarus replay {folder} --rescue NEW_FOLDER" if saved else "no game in it can be saved"
    return f"{folder / FILE} is damaged ({problem}); {advice}"


def salvageable(folder: str | Path) -> Iterator[GameRecord]:
    """Every game that can still be read from a damaged store and matches its checksum."""
    file = Path(folder) / FILE
    if not file.is_file():
        return
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    with sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True) as connection:
        try:
            last = _last_row(connection)
        except sqlite3.Error:
            return
        for number in range(1, last + 1):
            try:
                row = connection.execute(f"SELECT {names}, checksum FROM games WHERE rowid = ?", (number,)).fetchone()
                if row is not None and _checksum(row[:-1]) == row[-1]:
                    yield _decode(row[:-1])
            except (sqlite3.Error, ValueError, TypeError):
                continue


def _last_row(connection: sqlite3.Connection) -> int:
    """The last row number, or a bound on it where the table's end is damaged."""
    try:
        return int(connection.execute("SELECT max(rowid) FROM games").fetchone()[0] or 0)
    except sqlite3.DatabaseError:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        pages, size = (int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "page_size"))
        return pages * size // 100


def rescue(folder: str | Path, target: str | Path) -> int:
    """Copy what can be saved of a damaged store into a new one; returns the number of games."""
    records = list(salvageable(folder))
    target = Path(target)
    if (target / FILE).exists():
        raise ArenaError(f"{target} already holds a store; choose a new folder")
    with _clearly(target):
        target.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(target / FILE, isolation_level=None)
        connection.executescript(_TABLES)
        about = {"format": FORMAT, "made": time.strftime("%Y-%m-%d %H:%M:%S"), "rescued": str(folder), "schedule": "{}"}
        with suppress(sqlite3.Error), sqlite3.connect(f"{(Path(folder) / FILE).resolve().as_uri()}?mode=ro", uri=True) as old:
            about.update(dict(old.execute("SELECT name, value FROM about").fetchall()))
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        store = Store(target, connection)
        store.add(records)
        store.close()
    return len(records)
