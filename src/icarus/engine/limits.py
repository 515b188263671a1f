"""When a worker comes back from the loop, and where its time goes."""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.native import cycles, ints, part


@part
def reason_to_return(world, seldom):
    """Is there a reason not to start another iteration? Below 0: no.

    All threads on a tree write to its counters, so that to look at them takes a while: ``seldom`` looks every few iterations.
    """
    control, meta = ints(world, w.CONTROL), ints(world, w.META)
    if control[w.ERROR] != w.FINE:
        return w.FAILED
    if control[w.STARTED] >= control[w.TARGET]:
        return w.ITERATIONS_DONE
    if ints(world, w.STOP)[0] | ints(world, w.STOP)[1] != 0:
        return w.STOPPED
    if meta[w.FULL] != 0:
        return w.OUT_OF_MEMORY
    if seldom and meta[w.SHARED] != 0 and control[w.STARTED] & 15 != 0:
        return -1
    if meta[w.RECORDS_HELD] >= control[w.MAX_RECORDS]:
        return w.ENOUGH_RECORDS
    if meta[w.CONTEXT_COUNT] * 2 > meta[w.SLOTS]:
        return w.INDEX_TOO_SMALL
    return -1


@part
def lap(world, phase, since):
    """Add the time since a moment to a phase; returns the new moment."""
    now = cycles()
    ints(world, w.CYCLES)[phase] += now - since
    return now
