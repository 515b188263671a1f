"""Random numbers (xorshift64*) and the mixing of 64-bit keys, the same bit for bit compiled and in plain Python."""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from icarus.jit.compile import JIT, compiled

_MULTIPLIER = 0x2545F4914F6CDD1D
_GOLDEN, _OFFSET = 0x9E3779B97F4A7C15, 0x632BE59BD9B4E019
_MASK = 2**64 - 1

if JIT:

    @compiled
    def random_bits(rng):  # type: ignore[no-untyped-def]
        """The next 64 random bits of ``rng`` (a pointer to one unsigned word that is not zero)."""
        x = rng[0]
        x ^= x >> uint64(12)
        x ^= x << uint64(25)
        x ^= x >> uint64(27)
        rng[0] = x
        return x * uint64(_MULTIPLIER)

    @compiled
    def random_below(rng, bound):  # type: ignore[no-untyped-def]
        """A random integer in ``0 .. bound - 1`` (``bound`` below 2**32)."""
        return int64(((random_bits(rng) >> uint64(32)) * uint64(bound)) >> uint64(32))

    @compiled
    def random_unit(rng):  # type: ignore[no-untyped-def]
        """A random float in [0, 1)."""
        return float(random_bits(rng) >> uint64(11)) * (1.0 / 9007199254740992.0)

    @compiled
    def mix(key, value):  # type: ignore[no-untyped-def]
        """Combine a 64-bit key with a value into a new key; order matters, collisions are as rare as chance allows."""
        x = uint64(key) * uint64(_GOLDEN) + uint64(value) + uint64(_OFFSET)
        x ^= x >> uint64(30)
        x *= uint64(0xBF58476D1CE4E5B9)
        x ^= x >> uint64(27)
        x *= uint64(0x94D049BB133111EB)
        x ^= x >> uint64(31)
        return int64(x)

    @compiled
    def chain(key, value):  # type: ignore[no-untyped-def]
        """Combine as :func:`mix` does, at less cost, for keys that are mixed later on."""
        return int64(uint64(key) * uint64(_GOLDEN) + uint64(value) + uint64(_OFFSET))

else:

    def random_bits(rng):  # type: ignore[no-untyped-def]
        x = int(rng[0])
        x ^= x >> 12
        x = (x ^ (x << 25)) & _MASK
        x ^= x >> 27
        rng[0] = x
        return (x * _MULTIPLIER) & _MASK

    def random_below(rng, bound):  # type: ignore[no-untyped-def]
        return ((random_bits(rng) >> 32) * int(bound)) >> 32

    def random_unit(rng):  # type: ignore[no-untyped-def]
        return float(random_bits(rng) >> 11) * (1.0 / 9007199254740992.0)

    def mix(key, value):  # type: ignore[no-untyped-def]
        x = ((int(key) & _MASK) * _GOLDEN + (int(value) & _MASK) + _OFFSET) & _MASK
        x ^= x >> 30
        x = (x * 0xBF58476D1CE4E5B9) & _MASK
        x ^= x >> 27
        x = (x * 0x94D049BB133111EB) & _MASK
        x ^= x >> 31
        return x - 2**64 if x >= 2**63 else x

    def chain(key, value):  # type: ignore[no-untyped-def]
        x = ((int(key) & _MASK) * _GOLDEN + (int(value) & _MASK) + _OFFSET) & _MASK
        return x - 2**64 if x >= 2**63 else x


def seeded(seed: int, stream: int = 0) -> np.ndarray:
    """The random state for a seed; different streams of one seed are independent."""
    sequence = np.random.SeedSequence([seed & _MASK, stream])
    word = sequence.generate_state(1, np.uint64)
    return word if word[0] else np.ones(1, np.uint64)
