"""When a worker comes back from a driver, and where its time goes."""

from __future__ import annotations

from icarus.engine.layout import ENOUGH_RECORDS, FAILED, FINE, INDEX_TOO_SMALL, ITERATIONS_DONE, OUT_OF_MEMORY, PROVEN, STOPPED
from icarus.jit import cycles, part


@part
def reason_to_return(world, seldom):
    """Is there a reason not to start another iteration? Below 0: no.

    All threads on a tree write to its counters, so that to look at them takes a while: ``seldom`` looks every few iterations.
    """
    control, meta = world.control, world.meta
    if control.error != FINE:
        return FAILED
    if control.started >= control.target:
        return ITERATIONS_DONE
    if world.stop[0] | world.stop[1] != 0:
        return STOPPED
    if meta.proven != 0:
        return PROVEN
    if meta.full != 0:
        return OUT_OF_MEMORY
    if seldom and meta.shared != 0 and control.started & 15 != 0:
        return -1
    if meta.records_held >= control.max_records:
        return ENOUGH_RECORDS
    if meta.context_count * 2 > meta.slots:
        return INDEX_TOO_SMALL
    return -1


@part
def lap(world, phase, since):
    """Add the time since a moment to a phase; returns the new moment."""
    now = cycles()
    world.cycles[phase] += now - since
    return now
