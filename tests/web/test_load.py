"""The server stays responsive while machines think at many tables (``benchmarks/web.py`` holds it to its promise)."""

from __future__ import annotations

from benchmarks.web import LIMIT, measure


def test_moves_are_acknowledged_at_once_while_fifty_tables_think():
    load = measure(tables=50, rounds=1, seconds=2.0)
    assert load.moves == 50
    assert load.median < LIMIT, load
    assert load.p95 < 5 * LIMIT, load  # tests share their processors with other tests
    assert load.fewest_iterations > 0
