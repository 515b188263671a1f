"""Calling by address: what the loop needs of a game or a strategy is an address and a C signature."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from icarus.jit.cache import caching_for
from icarus.jit.compile import JIT, for_calls_by_address
from icarus.jit.named import Layout, LayoutPointer, layout_of, pointer_to

Int = types.int64
Real = types.float64
Ints = types.CPointer(types.int64)
Reals = types.CPointer(types.float64)
Floats = types.CPointer(types.float32)  #: what networks are fed with
Random = types.CPointer(types.uint64)
Nothing = types.void

#: with the JIT off, and for callbacks: address -> the Python function behind it
FUNCTIONS: dict[int, Callable[..., Any]] = {}
#: compiled C functions by (function, signature); they live as long as the process
_COMPILED: dict[tuple[Any, Any], Any] = {}

_CTYPES: dict[Any, Any] = {
    types.int64: ctypes.c_int64,
    types.float64: ctypes.c_double,
    types.void: None,
    Ints: ctypes.POINTER(ctypes.c_int64),
    Reals: ctypes.POINTER(ctypes.c_double),
    Random: ctypes.POINTER(ctypes.c_uint64),
}


#: sums may be added up in another order, and products added without rounding them first; NaN and infinity stay what they are
IN_ANY_ORDER = {"reassoc", "contract"}


def c_function(function: Any, signature: Any, *, cached: bool = True, any_order: bool = False) -> Any:
    """The C function of this signature for a :func:`compiled` function (compiled now, or loaded from the cache)."""
    key = (function, signature)
    if key not in _COMPILED:
        source = getattr(function, "py_func", function)
        with caching_for(source) as cacheable, for_calls_by_address():
            _COMPILED[key] = numba.cfunc(
                signature, cache=cacheable and cached, error_model="numpy", fastmath=IN_ANY_ORDER if any_order else False
            )(source)
    return _COMPILED[key]


def address(function: Any, signature: Any) -> int:
    """The address under which the loop can call a compiled function; 0 for ``None``."""
    if function is None:
        return 0
    if JIT:
        return int(c_function(function, signature).address)
    key = (function, signature)
    if key not in _COMPILED:
        _COMPILED[key] = python_call(function, signature)
    FUNCTIONS[id(_COMPILED[key])] = _COMPILED[key]
    return id(_COMPILED[key])


def callback(function: Callable[..., Any], signature: Any) -> tuple[int, object]:
    """The address of a plain Python function behind the same C interface, and the object that keeps it alive.

    Pointers reach the function as addresses, plain numbers: wrapping them would cost more than the call.
    """
    if not JIT:

        def with_addresses(*arguments: Any) -> Any:
            return function(*[a.ctypes.data if isinstance(a, np.ndarray) else int(a) for a in arguments])

        FUNCTIONS[id(with_addresses)] = with_addresses
        return id(with_addresses), with_addresses
    plain = (ctypes.c_void_p if isinstance(t, types.CPointer | LayoutPointer) else _CTYPES[t] for t in signature.args)
    thunk = ctypes.CFUNCTYPE(_CTYPES[signature.return_type], *plain)(function)
    return int(ctypes.cast(thunk, ctypes.c_void_p).value or 0), thunk


def address_of(array: Any) -> int:
    """Where the numbers of an array or a layout are."""
    if isinstance(array, Layout):
        array = array._array
    try:  # a quarter of the time that NumPy takes to tell
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # an array without numbers, or one that nobody may change
        return int(array.__array_interface__["data"][0])


def python_call(function: Any, signature: Any) -> Callable[..., Any]:
    """Call a compiled function from Python with NumPy arrays in place of pointers."""
    if not JIT:
        return _with_layouts(getattr(function, "py_func", function), signature)
    is_pointer = [isinstance(kind, types.CPointer | LayoutPointer) for kind in signature.args]
    plain = [ctypes.c_void_p if pointer else _CTYPES[kind] for kind, pointer in zip(signature.args, is_pointer, strict=True)]
    target = ctypes.CFUNCTYPE(_CTYPES[signature.return_type], *plain)(c_function(function, signature).address)

    if is_pointer == [True]:
        return lambda array: target(address_of(array))
    if is_pointer == [True, False]:
        return lambda array, number: target(address_of(array), number)
    if is_pointer == [True, True]:
        return lambda array, other: target(address_of(array), address_of(other))
    if is_pointer == [True, False, False]:
        return lambda array, number, other: target(address_of(array), number, other)

    def call(*arguments: Any) -> Any:
        return target(*[address_of(a) if pointer else a for a, pointer in zip(arguments, is_pointer, strict=True)])

    return call


def _with_layouts(function: Any, signature: Any) -> Callable[..., Any]:
    """Plain Python: arrays become objects where the signature has a layout."""
    named = [layout_of(kind) if isinstance(kind, LayoutPointer) else None for kind in signature.args]
    if not any(named):
        return function  # type: ignore[no-any-return]
    if len(named) == 1 or not any(named[1:]):  # a state alone, the usual case
        first = named[0]
        assert first is not None
        return lambda state, *others: function(state if isinstance(state, first) else first(state), *others)

    def call(*arguments: Any) -> Any:
        return function(
            *[a if kind is None or isinstance(a, kind) else kind(a) for a, kind in zip(arguments, named, strict=True)]
        )

    return call


def with_state(signature: Any, layout: type[Layout] | None) -> Any:
    """A signature whose first argument, a state, is declared as a layout."""
    return signature if layout is None else signature.return_type(pointer_to(layout), *signature.args[1:])


def caller(signature: Any) -> Any:
    """A compiled ``call(address, ...)`` for functions of this signature (about 3 ns, no compilation for a new address)."""
    if not JIT:
        return lambda address, *arguments: FUNCTIONS[address](*arguments)

    returns = signature.return_type
    full = returns(types.int64, *signature.args)

    def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        result = ir.VoidType() if returns == types.void else context.get_value_type(returns)
        function_type = ir.FunctionType(result, [context.get_value_type(t) for t in signature.args])
        target = builder.inttoptr(values[0], function_type.as_pointer())
        value = builder.call(target, values[1:])
        return context.get_dummy_value() if returns == types.void else value

    def call1(typing, address, a):  # type: ignore[no-untyped-def]
        return full, emit

    def call2(typing, address, a, b):  # type: ignore[no-untyped-def]
        return full, emit

    def call3(typing, address, a, b, c):  # type: ignore[no-untyped-def]
        return full, emit

    def call4(typing, address, a, b, c, d):  # type: ignore[no-untyped-def]
        return full, emit

    def call5(typing, address, a, b, c, d, e):  # type: ignore[no-untyped-def]
        return full, emit

    def call6(typing, address, a, b, c, d, e, f):  # type: ignore[no-untyped-def]
        return full, emit

    def call9(typing, address, a, b, c, d, e, f, g, h, i):  # type: ignore[no-untyped-def]
        return full, emit

    by_arity = {1: call1, 2: call2, 3: call3, 4: call4, 5: call5, 6: call6, 9: call9}
    return intrinsic(by_arity[len(signature.args)])
