"""Compiling ahead of time: everything that a search could need, so that later runs start at once.

Machine code is kept on disk (see jit/), so this is worth doing once per version: after installing, before a benchmark
or a test run, in the recipe of a container image.  Pieces are independent and are compiled on all processors.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from icarus.engine.positions import FUNCTIONS as POSITIONS
from icarus.errors import IcarusError
from icarus.jit import JIT, Kernel, address, cache_directory
from icarus.loading import GAMES, load
from icarus.proofs.bounds import FUNCTIONS as PROOFS

LOOP, QUIET_LOOP = "icarus.engine.drive.lockstep:run", "icarus.engine.drive.straight:run_uct"

Class = TypeVar("Class")
#: (kind, name): a kernel ("kernel", "module:name"), all of them ("engine", ""), a game ("game", name), the functions of all
#: strategies ("strategies", "") or those of all rule sheets ("sheets", "")
Piece = tuple[str, str]


def warm_up(report: Callable[[Piece, int, int], None], processes: int | None = None) -> int:
    """Compile everything; ``report(piece, number done, number in all)`` after each piece.  Returns the number of pieces."""
    if not JIT:
        raise IcarusError("there is nothing to compile: NUMBA_DISABLE_JIT is set")
    # the search loop takes longest by far: first come the pieces that others would wait for.  All kernels are one piece, since a
    # process that has compiled the loop has most of what the others need
    pieces: list[Piece] = [("engine", ""), *sheets(), ("strategies", ""), *(("game", name) for name in GAMES)]
    workers = min(processes or os.cpu_count() or 1, len(pieces))
    # a fresh interpreter per worker: forking a process that has compiled something is not safe
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        under_way = {pool.submit(compile_piece, piece): piece for piece in pieces}
        for done, future in enumerate(as_completed(under_way), start=1):
            future.result()
            report(under_way[future], done, len(pieces))
    return len(pieces)


def title(piece: Piece) -> str:
    """What a person would call it."""
    kind, name = piece
    return {"engine": "the search loop", "sheets": "rule sheets", "strategies": "the strategies"}.get(kind, name)


def is_compiled(piece: Piece) -> bool:
    """Is a kernel in memory or on disk, so that it can start at once?"""
    module, _, name = piece[1].partition(":")
    kernel = getattr(importlib.import_module(module), name)
    if kernel.compiled is not None:
        return True
    directory = cache_directory(Path(kernel.function.__code__.co_filename))
    return any(directory.rglob(f"{module.rpartition('.')[2]}.{name}-*.nbc"))


def compile_piece(piece: Piece) -> None:
    """Compile a piece in this process, and with it on disk."""
    kind, name = piece
    if kind == "kernel":
        module, _, function = name.partition(":")
        getattr(importlib.import_module(module), function).compile()
    elif kind == "engine":
        for kernel in kernels():
            compile_piece(kernel)
        for compiled, signature in (*PROOFS, *POSITIONS):
            address(compiled, signature)
    elif kind == "game":
        assert load(name).addresses
    elif kind == "sheets":
        from icarus.gdl.warmup import warm_up_sheets

        warm_up_sheets()
    else:
        for compiled, signature in strategy_functions():
            address(compiled, signature)


def kernels() -> Iterator[Piece]:
    """All kernels but those of rule sheets (a piece of their own) and of `icarus learn`; the search loop first."""
    package, found = Path(__file__).parents[1], list[Piece]()
    for file in sorted(package.rglob("*.py")):
        place = file.relative_to(package).with_suffix("").parts
        if place[0] in ("gdl", "learning") or "\n@kernel(" not in file.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(("icarus", *place)))
        for name, value in vars(module).items():
            if isinstance(value, Kernel) and value.function.__module__ == module.__name__:
                found.append(("kernel", f"{module.__name__}:{name}"))
    yield from sorted(found, key=lambda piece: (piece[1] != LOOP, piece[1] != QUIET_LOOP))


def sheets() -> Iterator[Piece]:
    """Rule sheets, where the packages that read them are installed."""
    if all(importlib.util.find_spec(package) is not None for package in ("clingo", "lark")):
        yield "sheets", ""


def strategy_functions() -> Iterator[tuple[object, object]]:
    """The compiled functions of all policies, contexts and weights, with their C signatures."""
    from icarus import strategy
    from icarus.engine.calls import CONTEXT, POLICY, STATISTIC, WEIGHT
    from icarus.strategy.base import Enhancement, Policy, by_name
    from icarus.strategy.combine import Weight
    from icarus.strategy.statistic import Statistic

    for module in pkgutil.walk_packages(strategy.__path__, "icarus.strategy."):
        importlib.import_module(module.name)
    for base, general in ((Policy, POLICY), (Weight, WEIGHT), (Statistic, STATISTIC)):
        for kind in subclasses(base):
            yield kind.function, kind().signature(general)
    for enhancement in subclasses(Enhancement):
        capture = enhancement().capture
        if capture is not None:  # a common base of several has none of its own
            signature = by_name(CONTEXT, tuple(name for name, _ in capture.parameters))
            yield capture.read, signature
            yield capture.write, signature


def subclasses(base: Callable[..., Class]) -> Iterator[type[Class]]:
    children: list[type[Class]] = base.__subclasses__()  # type: ignore[attr-defined]  # an abstract class is no type[Class] to mypy
    for child in children:
        yield child
        yield from subclasses(child)
