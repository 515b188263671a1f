"""Comparing objects by what they hold."""

from __future__ import annotations

import random
from array import array
from collections.abc import Hashable
from enum import Enum
from types import FunctionType
from typing import Any

import numpy as np

from icarus.game import Game


def freeze(value: Any, _above: tuple[int, ...] = ()) -> Hashable:
    """What an object holds, in a form that compares and hashes: equal for objects that hold the same."""
    # a game is the same for all states that play it, and holds all of its compiled functions
    if value is None or isinstance(value, bool | int | float | str | bytes | type | Enum | FunctionType | Game):
        return value
    if isinstance(value, random.Random):
        return value.getstate()
    if id(value) in _above:
        return ("again", len(_above) - _above.index(id(value)))
    above = (*_above, id(value))
    if isinstance(value, list | tuple):
        return tuple(freeze(item, above) for item in value)
    if isinstance(value, set | frozenset):
        return frozenset(freeze(item, above) for item in value)
    if isinstance(value, dict):
        return frozenset((freeze(key, above), freeze(item, above)) for key, item in value.items())
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, bytearray | array):
        return bytes(value)
    held = held_by(value)
    if held or hasattr(value, "__dict__"):
        return (type(value), freeze(held, above))
    return value if isinstance(value, Hashable) else repr(value)


def held_by(value: Any) -> dict[str, Any]:
    """The attributes of an object, in slots or not."""
    declared = [getattr(cls, "__slots__", ()) for cls in type(value).__mro__]
    names = [name for slots in declared for name in ([slots] if isinstance(slots, str) else slots)]
    slots = {name: getattr(value, name) for name in names if not name.startswith("__") and hasattr(value, name)}
    return {**slots, **getattr(value, "__dict__", {})}
