"""Eight numbers at a time say what one by one would."""

from __future__ import annotations

import math

import numpy as np
import pytest

from icarus.jit import at, compiled
from icarus.jit.eights import (
    WIDTH,
    eight,
    exponentials,
    largest,
    only,
    place_of_first,
    put,
    spread,
    total,
    where_above,
    where_equal,
    with_one,
)


@compiled
def exponentials_of(numbers, out):
    put(at(out, 0), 0, exponentials(eight(at(numbers, 0), 0)))


@compiled
def arithmetic(numbers, out):
    a = eight(at(numbers, 0), 0)
    b = 2.0 * a - a / (1.0 + a) + spread(1)
    put(at(out, 0), 0, where_above(a, 2.5, b, where_equal(a, 1.0, -1.0, a * a)))


@compiled
def change(numbers, place, value):
    put(at(numbers, 0), 0, with_one(eight(at(numbers, 0), 0), place, value))


@compiled
def best(numbers, count):
    numbers = eight(at(numbers, 0), 0)
    most = largest(only(numbers, count))
    return most, place_of_first(numbers, most), total(numbers)


@pytest.mark.parametrize("numbers", [[0.0, -1e-9, -0.3, -1.0, -37.5, -300.0, -707.0, -math.inf], [-0.1 * i for i in range(8)]])
def test_exponentials(numbers: list[float]) -> None:
    out = np.zeros(WIDTH)
    exponentials_of(np.array(numbers), out)
    np.testing.assert_allclose(out, np.exp(numbers), rtol=1e-13)


def test_arithmetic_and_choices() -> None:
    numbers, out = np.arange(8.0), np.zeros(WIDTH)
    arithmetic(numbers, out)
    wanted = [2 * a - a / (1 + a) + 1 if a > 2.5 else -1.0 if a == 1.0 else a * a for a in numbers]
    np.testing.assert_allclose(out, wanted, rtol=1e-15)


@pytest.mark.parametrize("count", [1, 3, 8, 20])
def test_the_first_of_the_greatest_among_so_many(count: int) -> None:
    numbers = np.array([1.0, 5.0, 2.0, 5.0, 3.0, 9.0, 9.0, -4.0])
    most, place, whole = best(numbers, count)
    assert (most, place) == (numbers[:count].max(), int(numbers[:count].argmax()))
    assert whole == numbers.sum()


@pytest.mark.parametrize("place", [0, 5, 7])
def test_one_of_eight_is_another(place: int) -> None:
    numbers = np.arange(8.0)
    change(numbers, place, -2.5)
    wanted = np.arange(8.0)
    wanted[place] = -2.5
    np.testing.assert_array_equal(numbers, wanted)
