"""Indivisible steps, as machine code and in plain Python: nothing that several threads do at once is lost or done twice."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numba import types

from icarus.jit import atomic_add, compare_and_swap, kernel

THREADS, STEPS = 4, 20_000


@kernel(types.int64(types.int64[::1], types.int64))
def add_often(numbers: Any, steps: int) -> int:
    for _ in range(steps):
        atomic_add(numbers, 0, 1)
    return 0


@kernel(types.int64(types.int64[::1], types.int64))
def take_places(places: Any, own: int) -> int:
    """Take every place that is free; how many that were."""
    taken = 0
    for i in range(len(places)):
        if compare_and_swap(places, i, 0, own) == 0:
            taken += 1
    return taken


@pytest.fixture
def often_interrupted() -> Iterator[None]:
    """Python changes threads as often as it can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("often_interrupted")
def test_no_addition_is_lost() -> None:
    numbers = np.zeros(1, dtype=np.int64)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(add_often, [numbers] * THREADS, [STEPS] * THREADS))
    assert numbers[0] == THREADS * STEPS


@pytest.mark.usefixtures("often_interrupted")
def test_a_place_is_taken_once() -> None:
    places = np.zeros(STEPS, dtype=np.int64)
    with ThreadPoolExecutor(THREADS) as pool:
        taken = list(pool.map(take_places, [places] * THREADS, range(1, THREADS + 1)))
    assert sum(taken) == STEPS
    assert [int((places == own).sum()) for own in range(1, THREADS + 1)] == taken
