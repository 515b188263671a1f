"""The compile cache: machine code on disk, named by the content of every source that it can depend on.

Numba keys its disk cache by the file of the function alone: when a function that it calls changes in another file, the old
machine code would run on, silently wrong.  So the directory itself is named by the content of every source file that the
function may depend on: the engine's for the engine, all games' for a game, the neighbours' for a user's file.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba

PACKAGE = Path(__file__).parents[1]
JIT_SOURCES, ENGINE, GAMES = PACKAGE / "jit", PACKAGE / "engine", PACKAGE / "games"
ROOM = 64 << 20  #: bytes that must be free; a full disk would stop Numba halfway through writing


def cache_root() -> Path:
    """Where compiled code is kept: ``$ICARUS_CACHE``, or ``icarus`` in the user's cache directory."""
    if "ICARUS_CACHE" in os.environ:
        return Path(os.environ["ICARUS_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "icarus"


def scope_of(file: Path) -> Path:
    """The part of the code that is compiled together: the engine, the games, the rest of the package, or a user's folder."""
    for scope in (ENGINE, GAMES, PACKAGE):
        if scope in file.parents:
            return scope
    return file.parent


@cache
def _digest(scope: Path) -> str:
    """A hash of all sources on which the compiled code of a part may depend."""
    engine = [*JIT_SOURCES.rglob("*.py"), *ENGINE.rglob("*.py"), PACKAGE / "game.py"]
    package = list(PACKAGE.rglob("*.py"))
    beside_games = [source for source in package if GAMES not in source.parents]
    others = {ENGINE: [], GAMES: GAMES.rglob("*.py"), PACKAGE: beside_games}
    own = others[scope] if scope in others else [*package, *scope.glob("*.py")]
    digest = hashlib.sha256(str(scope).encode())
    for source in sorted({*engine, *own}):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory(file: Path) -> Path:
    """The cache directory for code that is compiled from this file, as all its sources are now."""
    version = f"py{sys.version_info.major}{sys.version_info.minor}-numba{numba.__version__}-llvmlite{llvmlite.__version__}"
    return cache_root() / f"{version}-{platform.machine()}-{_digest(scope_of(file))}"


@cache
def usable(directory: Path) -> bool:
    """Can compiled code be kept there?  If not, says so in one line; everything works, but is compiled again in every run."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if cache_root().stat().st_mode & stat.S_IWOTH:  # what is kept there is run
            raise PermissionError(errno.EPERM, "everybody may write there")
        with tempfile.TemporaryFile(dir=directory):
            pass
        if shutil.disk_usage(directory).free < ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as problem:
        _say_once(f"icarus: cannot keep compiled code in {cache_root()} ({problem.strerror}); set ICARUS_CACHE to another place")
        return False
    return True


@cache
def _say_once(text: str) -> None:
    logging.getLogger("icarus").warning(text)


@contextmanager
def caching_for(function: Callable[..., Any]) -> Iterator[bool]:
    """Within this block Numba caches for the sources of this function; yields whether there is a place to cache."""
    file = Path(function.__code__.co_filename)
    if not file.is_file():
        yield False
        return
    directory = cache_directory(file)
    if not usable(directory):
        yield False
        return
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(directory)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before
