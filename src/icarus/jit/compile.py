"""Plain Python to machine code.

Games and strategies are ordinary functions over flat arrays.  They are compiled once, each on its own, and the search loop
calls them through their addresses (calls.py), so that any game combines with any strategy without compiling anything again.

With ``NUMBA_DISABLE_JIT=1`` the same sources run as plain Python: pointers become array views, an address becomes a key into
a table of functions.  That is the debugger's and the coverage tool's way in.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext

from icarus.jit.cache import caching_for

JIT = not numba.config.DISABLE_JIT

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of a game or a strategy; it can call, and be called by, other compiled functions."""
    if not JIT:
        return function
    with caching_for(function) as cacheable:
        return _linked(_once_per_type(numba.njit(cache=cacheable, **_OPTIONS)(function)), whole=True)


def part(function: Callable[..., Any]) -> Any:
    """A piece of a kernel: compiled with the kernel that calls it, cached as part of it, and never called from Python."""
    return _linked(_once_per_type(numba.njit(**_OPTIONS)(function)), whole=False) if JIT else function


def inner(function: Callable[..., Any]) -> Any:
    """A part that is worth having in place: a call would cost more than what it saves."""
    return _linked(_once_per_type(numba.njit(forceinline=True, **_OPTIONS)(function)), whole=False) if JIT else function


def apart(function: Callable[..., Any]) -> Any:
    """A part that stays a function of its own: what is seldom needed must not take registers from what is always at work."""
    if not JIT:
        return function
    return _kept_apart(_linked(_once_per_type(numba.njit(forceinline=False, **_OPTIONS)(function)), whole=False))


def _once_per_type(dispatcher: Any) -> Any:
    """Keep Numba from compiling a function anew for every constant that it is called with."""
    original = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return original(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _linked(dispatcher: Any, whole: bool) -> Any:
    """Compile a function as a whole, or as a part that is left as it is until the kernel that it belongs to is put together.

    Numba would optimise a part alone, with all that it calls, and again with everything that calls it.  A kernel is optimised as
    a whole, once, which takes far less time; searches were as fast before and after.
    """
    original = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        before = _COMPILING.whole, _COMPILING.by_address
        _COMPILING.whole, _COMPILING.by_address = whole, False
        try:
            return original(args, kws)
        finally:
            _COMPILING.whole, _COMPILING.by_address = before

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _kept_apart(dispatcher: Any) -> Any:
    """Neither LLVM nor a caller that is in place itself puts a function in place of its calls."""
    original, done = dispatcher.get_call_template, set()

    def get_call_template(args: Any, kws: Any) -> Any:
        template = original(args, kws)
        for result in dispatcher.overloads.values():
            if (name := result.fndesc.llvm_func_name) not in done:
                done.add(name)
                result.library._final_module.get_function(name).add_function_attribute("noinline")
        return template

    dispatcher.get_call_template = get_call_template
    return dispatcher


class _Compiling(threading.local):
    whole = True  #: is what is being compiled to become machine code by itself?
    by_address = False  #: will it be called by address?


_COMPILING = _Compiling()


def _only_if_whole(owner: type, name: str, otherwise: Callable[..., None]) -> None:
    step = getattr(owner, name)
    setattr(owner, name, lambda *arguments: step(*arguments) if _COMPILING.whole else otherwise(*arguments))


def _leave_for_linking(library: Any) -> None:
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def _call_in_place(create: Callable[..., None]) -> Callable[..., None]:
    """What is called by address is one function.

    Numba makes it two: the one at the address calls the other, which hands its result over in memory.  For the small functions
    of a game that takes as long as what they do.
    """

    def create_cfunc_wrapper(context: Any, library: Any, described: Any, *others: Any) -> None:
        create(context, _InPlace(library, described.llvm_func_name) if _COMPILING.by_address else library, described, *others)

    return create_cfunc_wrapper


class _InPlace:
    """Stands for a library to which the outer function is added."""

    def __init__(self, library: Any, inner_name: str) -> None:
        self.library, self.inner_name = library, inner_name

    def add_ir_module(self, module: Any) -> None:
        for function in module.functions:
            for block in function.blocks:
                for step in block.instructions:
                    if isinstance(step, ir.CallInstr) and step.callee.name == self.inner_name:
                        step.attributes.discard("noinline")
                        step.attributes.add("alwaysinline")
        self.library.add_ir_module(module)


@contextmanager
def for_calls_by_address() -> Iterator[None]:
    """What is compiled meanwhile, but for what it calls, will be called by address."""
    _COMPILING.by_address = True
    try:
        yield
    finally:
        _COMPILING.by_address = False


if JIT:
    CPUContext.create_cfunc_wrapper = _call_in_place(CPUContext.create_cfunc_wrapper)
    _only_if_whole(CPUCodeLibrary, "_optimize_final_module", lambda library: None)
    _only_if_whole(CPUCodeLibrary, "_finalize_final_module", _leave_for_linking)
    _only_if_whole(JITCPUCodegen, "set_env", lambda codegen, name, environment: None)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Compiling makes millions of small objects and little garbage: looking for it would take a tenth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Kernel:
    """A function of the engine with one explicit signature, compiled (or loaded from the cache) when it is first called."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self.function = function
        self.signature = signature
        self.compiled: Callable[..., Any] | None = None if JIT else function

    def compile(self) -> Callable[..., Any]:
        if self.compiled is None:
            with caching_for(self.function) as cacheable, without_collecting():
                self.compiled = numba.njit(self.signature, cache=cacheable, **_OPTIONS)(self.function)
        return self.compiled

    def __call__(self, *arguments: Any) -> Any:
        return (self.compiled or self.compile())(*arguments)


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Kernel]:
    """Mark a function of the engine: one explicit signature, runs without the global interpreter lock."""
    return lambda function: Kernel(function, signature)
