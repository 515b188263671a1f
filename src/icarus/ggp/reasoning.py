"""The process that finds out what is legal by the rules taken literally, from the first moment of a match on.

It needs no building and starts in a fraction of a second, so there is a legal move while a network is being built, while a
process that thinks is being started, and when one has died.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import Any

from icarus.errors import IcarusError
from icarus.gdl.reader import read_rules
from icarus.ggp.protocol import Happened, Order, Ponder, Told
from icarus.ggp.rules import ReasonerTracker


def main() -> None:
    """Follow a match until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        order: Order = pickle.load(sys.stdin.buffer)
        tracker = ReasonerTracker(read_rules(order.rules, "match"))
        step = 0
        tell(Told("legal", step, moves=tuple(tracker.legal(order.role))))
        while True:
            news: Any = pickle.load(sys.stdin.buffer)
            if isinstance(news, Ponder) and hasattr(os, "nice"):
                os.nice(0 if news.allowed else 10)
            for happened in news.steps if isinstance(news, Happened) else ():
                if happened.percepts is not None:
                    return  # others' moves are not known, so neither is the state
                tracker.play(dict(zip(tracker.roles, happened.moves, strict=True)))
                step += 1
                tell(Told("legal", step, moves=tuple(tracker.legal(order.role))))
    except (EOFError, OSError, IcarusError, KeyError, ValueError, RecursionError):
        return  # the process that thinks says what is wrong with the sheet or with the moves


def tell(told: Told) -> None:
    pickle.dump(told, sys.stdout.buffer)
    sys.stdout.buffer.flush()
