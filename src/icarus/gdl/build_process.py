"""Grounding and building in a process of its own, so that limits of time and memory hold whatever a sheet does.

clingo cannot be interrupted and does not count its memory; a process can be given both limits by the system, and be ended.  The
process imports the few modules that it needs without the rest of the package, which would take it longer than most sheets.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from icarus.errors import GameError, IcarusError
from icarus.gdl.checks import grows_in_time
from icarus.gdl.ground import Limits, TooLarge, ground
from icarus.gdl.network import Network, build_network
from icarus.gdl.reader import Sheet

PACKAGE = Path(__file__).parents[1]
SECONDS_OF_GROWTH = 5.0  #: for a sheet whose terms may grow without end


def build_in_process(sheet: Sheet, limits: Limits | None = None) -> Network:
    """The network of a checked sheet; raises TooLarge beyond the limits."""
    limits = limits or Limits()
    if grows_in_time(sheet):  # most likely there is no end to it
        limits = replace(limits, seconds=min(limits.seconds, SECONDS_OF_GROWTH))
    try:
        process = start_process(light("icarus.gdl.build_process"))
    except OSError:  # where no process can be started the count of rules is the only limit
        return build_here(sheet, limits)
    with process:
        try:
            answer, _ = process.communicate(pickle.dumps((sheet, limits)), timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            raise TooLarge(f"building its network takes more than {limits.seconds:g} s") from None
        finally:
            process.kill()
    if not answer:
        raise TooLarge(f"building its network was ended by the system; the limit is {limits.bytes / 2**30:.2g} GiB of memory")
    kind, value = pickle.loads(answer)
    if kind == "network":
        assert isinstance(value, Network)
        return value
    raise (TooLarge if kind == "too large" else GameError)(value)


def build_here(sheet: Sheet, limits: Limits) -> Network:
    try:
        return build_network(sheet, ground(sheet, limits))
    except MemoryError:
        raise TooLarge(f"building its network takes more than {limits.bytes / 2**30:.2g} GiB of memory") from None


def start_process(source: str, **options: Any) -> subprocess.Popen[bytes]:
    """A Python process that runs this source, finds the same modules as this one and talks by pipes."""
    # the linear algebra library of NumPy reserves memory for every thread
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        **options,
    )


def light(module: str) -> str:
    """Source that calls the main function of a module, in a package without its __init__: only what is asked for is imported."""
    return f"""
import sys, types
sys.modules["icarus"] = types.ModuleType("icarus")
sys.modules["icarus"].__path__ = [{str(PACKAGE)!r}]
from {module} import main
main()
"""


def main() -> NoReturn:
    """The process: a sheet and limits come in on standard input, a network or the reason why not goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for the answer decides what Ctrl-C means
    sheet, limits = pickle.load(sys.stdin.buffer)
    restrict(limits)
    gc.disable()  # building makes millions of objects that live to the end: looking for garbage would find none
    answer: tuple[str, object]
    try:
        answer = "network", build_here(sheet, limits)
    except TooLarge as problem:
        answer = "too large", str(problem)
    except IcarusError as problem:
        answer = "error", str(problem)
    except Exception as problem:
        answer = "error", f"{sheet.file}: building its network failed: {type(problem).__name__}: {problem}"
    sys.stdout.buffer.write(pickle.dumps(answer))
    sys.stdout.buffer.flush()
    os._exit(0)  # taking millions of objects apart one by one would only take time


def restrict(limits: Limits) -> None:
    """Let the system end this process beyond the limits, even if nobody waits for it any more."""
    try:
        import resource
    except ImportError:  # not on this system: time is limited by who waits, rules by the count of them
        return
    seconds = int(limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_AS, (limits.bytes, limits.bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
