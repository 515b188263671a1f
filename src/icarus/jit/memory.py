"""The few things that NumPy arrays in compiled code do not offer: pointers, indivisible steps, asking for memory early."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from icarus.jit.compile import JIT
from icarus.jit.named import LayoutPointer, field_place, layout_of

if JIT:

    def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(signature.args[0], LayoutPointer):
            return field_place(builder, signature.args[0], arguments[0], signature.args[1].literal_value)
        if isinstance(signature.args[0], types.CPointer):
            return builder.gep(arguments[0], [arguments[1]])
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.gep(array.data, [arguments[1]])

    @intrinsic
    def at(typing, array, offset):  # type: ignore[no-untyped-def]
        """A C pointer to ``array[offset]``; unlike an array it costs nothing to pass on."""
        return types.CPointer(array.dtype)(array, types.int64), _element

    def _field(element: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            base = builder.load(builder.gep(arguments[0], [arguments[1]]))
            # no kernel moves its arrays while it runs: without this word every store would make LLVM load all addresses again
            base.set_metadata("invariant.load", builder.module.add_metadata([]))
            return builder.inttoptr(base, context.get_value_type(types.CPointer(element)))

        return lambda typing, world, field: (types.CPointer(element)(types.CPointer(types.int64), types.int64), emit)

    # pointers to the fields of a world (an array of addresses, see engine/layout.py)
    ints = intrinsic(_field(types.int64))
    reals = intrinsic(_field(types.float64))
    bits = intrinsic(_field(types.uint64))

    def _place(array: Any, offset: Any) -> tuple[Any, Any]:
        """What is at a place, and the type by which the place is named: a number in an array, a field of a layout."""
        if isinstance(array, LayoutPointer):
            return layout_of(array).__fields__[offset.literal_value].kind, offset
        return array.dtype, types.int64

    @intrinsic(prefer_literal=True)
    def atomic_add(typing, array, offset, value):  # type: ignore[no-untyped-def]
        """``array[offset] += value`` as one indivisible step (``offset`` may name a word of a layout); returns what was there."""
        kind, name = _place(array, offset)

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            operation = "fadd" if isinstance(kind, types.Float) else "add"
            pointer = _element(context, builder, signature, arguments)
            return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

        return kind(array, name, kind), emit

    @intrinsic(prefer_literal=True)
    def compare_and_swap(typing, array, offset, expected, value):  # type: ignore[no-untyped-def]
        """Store ``value`` if ``array[offset] == expected`` (or a word by its name, as above); returns what was there before."""
        kind, name = _place(array, offset)

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            # the processor compares words: floats are seen as such
            word, real = ir.IntType(64), context.get_value_type(kind)
            pointer = builder.bitcast(_element(context, builder, signature, arguments), word.as_pointer())
            old, new = (builder.bitcast(argument, word) for argument in arguments[2:])
            pair = builder.cmpxchg(pointer, old, new, "acq_rel", "monotonic")
            return builder.bitcast(builder.extract_value(pair, 0), real)

        return kind(array, name, kind, kind), emit

    @intrinsic
    def prefetch(typing, array, offset):  # type: ignore[no-untyped-def]
        """Ask for ``array[offset]`` without waiting for it."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            pointer, number = _element(context, builder, signature, arguments), ir.IntType(32)
            function_type = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
            target = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], function_type)
            builder.call(target, [pointer, number(0), number(3), number(1)])  # to be read, soon and often, as data
            return context.get_dummy_value()

        return types.void(array, types.int64), emit

    @intrinsic
    def cycles(typing):  # type: ignore[no-untyped-def]
        """The processor's cycle counter: cheap enough to time the phases of an iteration."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            function_type = ir.FunctionType(ir.IntType(64), [])
            return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", [], function_type), [])

        return types.int64(), emit

else:
    import threading
    import time

    np.seterr(over="ignore")
    _ONE_AT_A_TIME = threading.RLock()  #: Python may change threads between any two of the steps below

    def at(array, offset):  # type: ignore[no-untyped-def]
        return array[offset:]

    def ints(world, field):  # type: ignore[no-untyped-def]
        return world[field]

    def reals(world, field):  # type: ignore[no-untyped-def]
        return world[field].view(np.float64)

    bits = ints

    def atomic_add(array, offset, value):  # type: ignore[no-untyped-def]
        with _ONE_AT_A_TIME:
            if isinstance(offset, str):
                before = getattr(array, offset)
                setattr(array, offset, before + value)
            else:
                before = array[offset]
                array[offset] += value
            return before

    def compare_and_swap(array, offset, expected, value):  # type: ignore[no-untyped-def]
        with _ONE_AT_A_TIME:
            before = getattr(array, offset) if isinstance(offset, str) else array[offset]
            if before == expected:
                atomic_add(array, offset, value - before)
            return before

    def prefetch(array, offset):  # type: ignore[no-untyped-def]
        pass

    def cycles():  # type: ignore[no-untyped-def]
        return time.perf_counter_ns()
