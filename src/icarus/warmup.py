"""Compiling ahead of time: everything that a search could need, so that later runs start at once.

Machine code is kept on disk (see engine/native.py), so this is worth doing once per version: after installing, before a benchmark
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

from icarus.engine.native import JIT, Kernel, address, cache_directory
from icarus.errors import IcarusError
from icarus.loading import GAMES, load

ENGINE_MODULES = tuple(f"icarus.engine.{name}" for name in ("loop", "descend", "records", "all_moves", "inspect"))

LOOP, QUIET_LOOP = "icarus.engine.loop:run", "icarus.engine.descend:run_quietly"

Class = TypeVar("Class")
#: (kind, name): a kernel ("kernel", "module:name"), a game ("game", name), the functions of all strategies ("strategies", "") or
#: those of all rule sheets ("sheets", "")
Piece = tuple[str, str]


def warm_up(report: Callable[[Piece, int, int], None], processes: int | None = None) -> int:
    """Compile everything; ``report(piece, number done, number in all)`` after each piece.  Returns the number of pieces."""
    if not JIT:
        raise IcarusError("there is nothing to compile: NUMBA_DISABLE_JIT is set")
    # the search loop takes longest by far: first come the pieces that others would wait for
    pieces = [*kernels(), *sheets(), ("strategies", ""), *(("game", name) for name in GAMES)]
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
    if kind == "kernel":
        return "the search loop" if name == LOOP else name.rpartition(":")[2].replace("_", " ")
    return name if kind == "game" else "rule sheets" if kind == "sheets" else "the strategies"


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
    elif kind == "game":
        assert load(name).addresses
    elif kind == "sheets":
        from icarus.gdl.warmup import warm_up_sheets

        warm_up_sheets()
    else:
        for compiled, signature in strategy_functions():
            address(compiled, signature)


def kernels() -> Iterator[Piece]:
    """The kernels of the engine, the search loop first."""
    for module_name in ENGINE_MODULES:
        module = importlib.import_module(module_name)
        for name, value in vars(module).items():
            if isinstance(value, Kernel) and value.function.__module__ == module_name:
                yield "kernel", f"{module_name}:{name}"


def sheets() -> Iterator[Piece]:
    """Rule sheets, where the packages that read them are installed."""
    if all(importlib.util.find_spec(package) is not None for package in ("clingo", "lark")):
        yield "sheets", ""


def strategy_functions() -> Iterator[tuple[object, object]]:
    """The compiled functions of all policies, contexts and weights, with their C signatures."""
    from icarus import strategy
    from icarus.engine.calls import CONTEXT, REUSE, WEIGHT
    from icarus.strategy.combine import Weight
    from icarus.strategy.icarus import Enhancement, Policy

    for module in pkgutil.walk_packages(strategy.__path__, "icarus.strategy."):
        importlib.import_module(module.name)
    for policy in subclasses(Policy):
        yield policy.function, REUSE
    for weight in subclasses(Weight):
        yield weight.function, WEIGHT
    for enhancement in subclasses(Enhancement):
        capture = enhancement().capture
        if capture is not None:  # a common base of several has none of its own
            yield capture.read, CONTEXT
            yield capture.write, CONTEXT


def subclasses(base: Callable[..., Class]) -> Iterator[type[Class]]:
    children: list[type[Class]] = base.__subclasses__()  # type: ignore[attr-defined]  # an abstract class is no type[Class] to mypy
    for child in children:
        yield child
        yield from subclasses(child)
