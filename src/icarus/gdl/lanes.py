"""256 games in one value: a custom compiled type of 256 bits, and the few operations that gates need.

Bit ``i`` of word ``w`` belongs to lane ``64 * w + i``.  On a processor with 256-bit registers every operation is one
instruction.  With the JIT off the same functions work on arrays of four words.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import PrimitiveModel
from numba.extending import intrinsic, register_model

from icarus.jit import JIT, part

LANES = 256
WORDS = 4  #: 64-bit words per value

if JIT:
    _VECTOR = ir.VectorType(ir.IntType(64), WORDS)

    class Lanes(types.Type):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(name="Lanes256")

    lanes_type = Lanes()

    @register_model(Lanes)
    class LanesModel(PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, _VECTOR)

    def _place(builder: Any, pointer: Any, slot: Any) -> Any:
        offset = builder.mul(slot, ir.Constant(ir.IntType(64), WORDS))
        return builder.bitcast(builder.gep(pointer, [offset]), _VECTOR.as_pointer())

    @intrinsic
    def load(typing, values, slot):  # type: ignore[no-untyped-def]
        """The value of a slot."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            loaded = builder.load(_place(builder, *arguments))
            loaded.align = 8
            return loaded

        return lanes_type(types.CPointer(types.uint64), types.int64), emit

    @intrinsic
    def store(typing, values, slot, value):  # type: ignore[no-untyped-def]
        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            builder.store(arguments[2], _place(builder, arguments[0], arguments[1])).align = 8
            return context.get_dummy_value()

        return types.void(types.CPointer(types.uint64), types.int64, lanes_type), emit

    def _binary(operation: str) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, operation)(*arguments)

        return lambda typing, a, b: (lanes_type(lanes_type, lanes_type), emit)

    both = intrinsic(_binary("and_"))
    either = intrinsic(_binary("or_"))

    @intrinsic
    def opposite(typing, value):  # type: ignore[no-untyped-def]
        return lanes_type(lanes_type), lambda context, builder, signature, arguments: builder.not_(arguments[0])

    @intrinsic
    def same(typing, a, b):  # type: ignore[no-untyped-def]
        """Are two values equal in all lanes?"""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            whole = ir.IntType(64 * WORDS)
            return builder.icmp_unsigned("==", builder.bitcast(arguments[0], whole), builder.bitcast(arguments[1], whole))

        return types.boolean(lanes_type, lanes_type), emit

    @intrinsic
    def lowest(typing, word):  # type: ignore[no-untyped-def]
        """The number of the lowest bit that is set."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), emit

    @intrinsic
    def population(typing, word):  # type: ignore[no-untyped-def]
        """How many bits are set."""
        return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])

    def _pointer(element: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(types.CPointer(element)))

        return lambda typing, address: (types.CPointer(element)(types.int64), emit)

    # pointers to what lies at an address
    small_ints = intrinsic(_pointer(types.int32))
    whole_ints = intrinsic(_pointer(types.int64))
    words_at = intrinsic(_pointer(types.uint64))

    def keep(array: Any) -> int:
        """The address of an array, which must outlive its use."""
        return int(array.ctypes.data)

else:
    _ARRAYS: WeakValueDictionary[int, Any] = WeakValueDictionary()

    def keep(array: Any) -> int:
        _ARRAYS[int(array.ctypes.data)] = array
        return int(array.ctypes.data)

    def _array_at(address):  # type: ignore[no-untyped-def]
        return _ARRAYS[int(address)]

    small_ints = whole_ints = words_at = _array_at

    def load(values, slot):  # type: ignore[no-untyped-def]
        return values[WORDS * slot : WORDS * slot + WORDS].copy()

    def store(values, slot, value):  # type: ignore[no-untyped-def]
        values[WORDS * slot : WORDS * slot + WORDS] = value

    both, either, opposite = np.bitwise_and, np.bitwise_or, np.bitwise_not

    def same(a, b):  # type: ignore[no-untyped-def]
        return bool((a == b).all())

    def lowest(word):  # type: ignore[no-untyped-def]
        return (int(word) & -int(word)).bit_length() - 1

    def population(word):  # type: ignore[no-untyped-def]
        return int(word).bit_count()


# the same operations for one word: a single game in its lowest bit


@part
def load_word(values, slot):  # type: ignore[no-untyped-def]
    return values[slot]


@part
def store_word(values, slot, value):  # type: ignore[no-untyped-def]
    values[slot] = value


@part
def both_words(a, b):  # type: ignore[no-untyped-def]
    return a & b


@part
def either_word(a, b):  # type: ignore[no-untyped-def]
    return a | b


@part
def opposite_word(a):  # type: ignore[no-untyped-def]
    return ~a


@part
def same_word(a, b):  # type: ignore[no-untyped-def]
    return a == b
