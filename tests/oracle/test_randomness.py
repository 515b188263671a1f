"""The transcriptions must see the same random numbers as the engine."""

from __future__ import annotations

import numpy as np
import pytest

from icarus.jit.randomness import random_below, random_bits, random_unit, seeded
from tests.oracle.randomness import Random


@pytest.mark.parametrize("seed", [0, 1, 2**63, 12345678901234567890])
def test_the_plain_python_generator_is_the_engines(seed: int) -> None:
    theirs, ours = seeded(seed, stream=100), Random.of(seed, stream=100)
    for bound in range(1, 400):
        assert int(random_bits(theirs)) == ours.bits()
        assert int(random_below(theirs, bound)) == ours.below(bound)
        assert float(random_unit(theirs)) == ours.unit()
    assert int(theirs[0]) == ours.word


def test_a_lent_word_comes_back_as_a_game_leaves_it() -> None:
    rng = Random.of(3, stream=1)
    lent = rng.lend()
    random_bits(lent)
    rng.take_back(lent)
    twin = Random.of(3, stream=1)
    twin.bits()
    assert lent.dtype == np.uint64 and rng.word == twin.word
