"""Eight numbers at a time: what is chosen at a node follows from all of its edges or arms.

A choice looks at every one of them; one by one, with a branch for those that have visits, that takes several times as long.
Compiled code has vectors of eight numbers of 64 bits, which LLVM divides into what the processor has; plain Python has NumPy's
arrays.  Where a scalar is given, all eight are this number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from icarus.jit.compile import JIT, inner

WIDTH = 8
LOWEST = -708.0  #: exponentials of less are 0
ROUND = 1.5 * 2.0**52  #: what is added to this is rounded, and a whole number in the lower bits
MANTISSA, BIAS = 52, 1023
TAYLOR = tuple(1.0 / math.factorial(i) for i in range(12))


@inner
def whole_eights(count: int) -> int:
    """The smallest multiple of eight that is not below a number."""
    return (count + WIDTH - 1) // WIDTH * WIDTH


if JIT:
    NUMBER, INTEGER, BIT = ir.DoubleType(), ir.IntType(64), ir.IntType(1)
    NUMBERS, INTEGERS, BITS = (ir.VectorType(kind, WIDTH) for kind in (NUMBER, INTEGER, BIT))

    class Eight(types.Type):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(name="eight")

    eight_type = Eight()

    @register_model(Eight)
    class EightModel(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, NUMBERS)

    def _spread(builder: Any, kind: Any, value: Any) -> Any:
        """A number eight times over."""
        if kind == eight_type:
            return value
        if isinstance(kind, types.Integer):
            value = builder.sitofp(value, NUMBER)
        one = builder.insert_element(ir.Constant(NUMBERS, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(
            one, ir.Constant(NUMBERS, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        )

    def _same(value: float) -> Any:
        return ir.Constant(NUMBERS, [value] * WIDTH)

    def _ask(builder: Any, name: str, result: Any, *arguments: Any, fastmath: Any = ()) -> Any:
        """Call one of LLVM's own functions."""
        kind = ir.FunctionType(result, [argument.type for argument in arguments])
        target = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        return builder.call(target, arguments, fastmath=fastmath)

    def _operation(name: str) -> Callable[..., Any]:
        def emit(context: Any, builder: Any, signed: Any, arguments: Any) -> Any:
            a, b = (_spread(builder, kind, value) for kind, value in zip(signed.args, arguments, strict=True))
            return getattr(builder, name)(a, b)

        return emit

    _PAIRS = ((eight_type, eight_type), (types.float64, eight_type), (eight_type, types.float64))
    for _operator, _name in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul"), (operator.truediv, "fdiv")):
        infer_global(_operator)(type(_name, (ConcreteTemplate,), {"cases": [signature(eight_type, *pair) for pair in _PAIRS]}))
        for _pair in _PAIRS:
            lower_builtin(_operator, *_pair)(_operation(_name))

    def _place(builder: Any, numbers: Any, index: Any) -> Any:
        return builder.bitcast(builder.gep(numbers, [index]), NUMBERS.as_pointer())

    @intrinsic
    def eight(typing, numbers, index):
        """The eight numbers from an index on."""

        def emit(context, builder, signed, arguments):
            return builder.load(_place(builder, *arguments), align=WIDTH)

        return eight_type(numbers, types.int64), emit

    @intrinsic
    def put(typing, numbers, index, values):
        """Write eight numbers from an index on."""

        def emit(context, builder, signed, arguments):
            values = _spread(builder, signed.args[2], arguments[2])
            builder.store(values, _place(builder, *arguments[:2]), align=WIDTH)
            return context.get_dummy_value()

        return types.void(numbers, types.int64, values), emit

    @intrinsic
    def spread(typing, value):
        """A number eight times over."""

        def emit(context, builder, signed, arguments):
            return _spread(builder, signed.args[0], arguments[0])

        return eight_type(value), emit

    def _choice(comparison: str) -> Callable[..., Any]:
        def typed(typing, a, b, yes, no):
            def emit(context, builder, signed, arguments):
                a, b, yes, no = (_spread(builder, kind, value) for kind, value in zip(signed.args, arguments, strict=True))
                return builder.select(builder.fcmp_ordered(comparison, a, b), yes, no)

            return eight_type(a, b, yes, no), emit

        return typed

    where_above = intrinsic(_choice(">"))
    where_equal = intrinsic(_choice("=="))

    @intrinsic
    def only(typing, values, count):
        """The first so many of eight numbers; the others are below all that there is."""

        def emit(context, builder, signed, arguments):
            count = _spread(builder, types.int64, arguments[1])
            there = builder.fcmp_ordered("<", ir.Constant(NUMBERS, [float(i) for i in range(WIDTH)]), count)
            return builder.select(there, arguments[0], _same(-math.inf))

        return eight_type(values, types.int64), emit

    @intrinsic
    def with_one(typing, values, place, value):
        """Eight numbers, but for the one at this place."""

        def emit(context, builder, signed, arguments):
            return builder.insert_element(arguments[0], arguments[2], arguments[1])

        return eight_type(values, types.int64, types.float64), emit

    def _reduction(name: str, flags: tuple[str, ...], *before: float) -> Callable[..., Any]:
        def typed(typing, values):
            def emit(context, builder, signed, arguments):
                first = [ir.Constant(NUMBER, number) for number in before]
                return _ask(builder, f"llvm.vector.reduce.{name}.v8f64", NUMBER, *first, arguments[0], fastmath=flags)

            return types.float64(values), emit

        return typed

    largest = intrinsic(_reduction("fmax", ("nnan", "nsz")))
    total = intrinsic(_reduction("fadd", ("reassoc", "nsz"), 0.0))

    @intrinsic
    def places_of(typing, values, value):
        """Which of eight numbers equal this one, as bits."""

        def emit(context, builder, signed, arguments):
            equal = builder.fcmp_ordered("==", arguments[0], _spread(builder, types.float64, arguments[1]))
            return builder.zext(builder.bitcast(equal, ir.IntType(WIDTH)), INTEGER)

        return types.int64(values, types.float64), emit

    @intrinsic
    def how_many(typing, places):
        return types.int64(places), lambda context, builder, signed, arguments: builder.ctpop(arguments[0])

    @intrinsic
    def first_place(typing, places):
        """The first of these places; 64 if there is none."""

        def emit(context, builder, signed, arguments):
            return builder.cttz(arguments[0], ir.Constant(BIT, 0))

        return types.int64(places), emit

    @intrinsic
    def exponentials(typing, values):
        """exp(x) of eight numbers that are not above 0.

        exp(x) = 2^k exp(r), k the whole number next to x / log(2); Taylor's polynomial of degree 11 is off by 1e-14 for such r.
        """

        def emit(context, builder, signed, arguments):
            def add_product(a: Any, b: Any, c: Any) -> Any:
                return _ask(builder, "llvm.fmuladd.v8f64", NUMBERS, a, b, c)

            (x,) = arguments
            shifted = add_product(x, _same(1.0 / math.log(2.0)), _same(ROUND))
            k = builder.fsub(shifted, _same(ROUND))
            r = add_product(k, _same(-math.log(2.0)), x)
            # in powers of r^2, r^4 and r^8, so that products need not wait for each other
            terms = [add_product(r, _same(TAYLOR[i + 1]), _same(TAYLOR[i])) for i in range(0, 12, 2)]
            power = builder.fmul(r, r)
            while len(terms) > 1:
                odd = [] if len(terms) % 2 == 0 else [terms[-1]]
                terms = [add_product(power, terms[i + 1], terms[i]) for i in range(0, len(terms) - 1, 2)] + odd
                power = builder.fmul(power, power)
            whole = builder.add(builder.bitcast(shifted, INTEGERS), ir.Constant(INTEGERS, [BIAS] * WIDTH))
            scale = builder.bitcast(builder.shl(whole, ir.Constant(INTEGERS, [MANTISSA] * WIDTH)), NUMBERS)
            found = builder.fmul(terms[0], scale)
            return builder.select(builder.fcmp_ordered(">", x, _same(LOWEST)), found, _same(0.0))

        return eight_type(values), emit

else:

    def eight(numbers, index):
        return np.array(numbers[index : index + WIDTH])

    def put(numbers, index, values):
        numbers[index : index + WIDTH] = values

    def spread(value):
        return np.full(WIDTH, float(value))

    def where_above(a, b, yes, no):
        return np.where(a > b, yes, no)

    def where_equal(a, b, yes, no):
        return np.where(a == b, yes, no)

    def only(values, count):
        return np.where(np.arange(WIDTH) < count, values, -math.inf)

    def with_one(values, place, value):
        return np.where(np.arange(WIDTH) == place, value, values)

    def largest(values):
        return values.max()

    def total(values):
        return values.sum()

    def places_of(values, value):
        return sum(1 << place for place in range(WIDTH) if values[place] == value)

    def how_many(places):
        return places.bit_count()

    def first_place(places):
        return (places & -places).bit_length() - 1 if places else 64

    def exponentials(values):
        return np.where(values > LOWEST, np.exp(np.maximum(values, LOWEST)), 0.0)


@inner
def nth_place(places, n):
    """The n-th of these places, from 0 on; there are more than n."""
    for _ in range(n):
        places &= places - 1
    return first_place(places)


@inner
def place_of_first(values, value):
    """Where the first of eight numbers that equals this one is; it must be there."""
    return first_place(places_of(values, value))
