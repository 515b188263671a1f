"""What people see while they wait, on standard error, and what Ctrl-C does."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console

PATIENCE = 1.0  #: seconds before anything is said about compiling


def out() -> Console:
    """For results; a file or a pipe gets lines long enough for a table."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def complain(text: str) -> None:
    """One line on standard error."""
    print("icarus:", " ".join(text.split()), file=sys.stderr, flush=True)


def compile_loop() -> None:
    """Compile the search loop, or load it; says so if that will take a while."""
    from icarus.tools.warmup import LOOP, compile_piece, is_compiled

    with compiling("the search loop (once, usually 30 to 60 s)", announce=not is_compiled(("kernel", LOOP))):
        compile_piece(("engine", ""))


@contextmanager
def compiling(what: str, *, announce: bool = False) -> Iterator[None]:
    """Something may be compiled here.  A terminal shows a clock if it takes long; elsewhere one line if it is announced."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        if announce:
            complain(f"compiling {what} ...")
        yield
        return
    begun = time.perf_counter()
    finished = threading.Event()

    def show() -> None:
        if finished.wait(PATIENCE):
            return
        with console.status("") as status:
            while not finished.is_set():
                status.update(f"compiling {what} … {time.perf_counter() - begun:.0f} s")
                finished.wait(0.2)

    watcher = threading.Thread(target=show, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()


@contextmanager
def progress_bar(text: str) -> Iterator[Callable[..., None]]:
    """A bar on a terminal, nothing elsewhere: ``show(share, text)`` with a share from 0 to 1."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    percent = TextColumn("{task.percentage:3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), percent, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(text, total=1.0)

        def show(share: float, now: str | None = None) -> None:
            bar.update(task, completed=share, description=now or text)

        yield show


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C calls ``stop``, the second interrupts as usual; yields whether it was pressed.

    An exception could land inside a game's own Python code, where a callback would swallow it.
    """
    pressed = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        stop()

    if threading.current_thread() is not threading.main_thread():
        yield lambda: pressed  # only the main thread gets signals
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
