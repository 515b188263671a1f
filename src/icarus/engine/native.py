"""How plain Python becomes machine code, and how machine code calls a plug-in by its address.

Games and strategies are ordinary functions over flat arrays.  They are compiled once, each on its own, and the search loop
calls them through their addresses, so that any game combines with any strategy without compiling anything again.

With ``NUMBA_DISABLE_JIT=1`` the same sources run as plain Python: pointers become array views, an address becomes a key into
a table of functions.  That is the debugger's and the coverage tool's way in.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import hashlib
import logging
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

JIT = not numba.config.DISABLE_JIT

Int = types.int64
Real = types.float64
Ints = types.CPointer(types.int64)
Reals = types.CPointer(types.float64)
Random = types.CPointer(types.uint64)
Nothing = types.void


# --- the compile cache -----------------------------------------------------------------------------------------------
# Numba keys its disk cache by the file of the function alone: when a function that it calls changes in another file, the
# old machine code would run on, silently wrong.  So the directory itself is named by the content of every source file
# that the function may depend on: the engine's for the engine, all games' for a game, the neighbours' for a user's file.

PACKAGE = Path(__file__).parents[1]
ENGINE, GAMES = PACKAGE / "engine", PACKAGE / "games"
ROOM = 64 << 20  #: bytes that must be free; a full disk would stop Numba halfway through writing


def cache_root() -> Path:
    """Where compiled code is kept: ``$ICARUS_CACHE``, or ``icarus`` in the user's cache directory."""
    if "ICARUS_CACHE" in os.environ:
        return Path(os.environ["ICARUS_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "icarus"


def scope_of(file: Path) -> Path:
    """The part of the code that is compiled together: the engine, the games, the rest of the package, or a user's folder."""
    for scope in (ENGINE, GAMES, PACKAGE):
        if scope in file.parents:
            return scope
    return file.parent


@cache
def _digest(scope: Path) -> str:
    """A hash of all sources on which the compiled code of a part may depend."""
    engine = [*ENGINE.rglob("*.py"), PACKAGE / "game.py"]
    package = list(PACKAGE.rglob("*.py"))
    beside_games = [source for source in package if GAMES not in source.parents]
    others = {ENGINE: [], GAMES: GAMES.rglob("*.py"), PACKAGE: beside_games}
    own = others[scope] if scope in others else [*package, *scope.glob("*.py")]
    digest = hashlib.sha256(str(scope).encode())
    for source in sorted({*engine, *own}):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory(file: Path) -> Path:
    """The cache directory for code that is compiled from this file, as all its sources are now."""
    version = f"py{sys.version_info.major}{sys.version_info.minor}-numba{numba.__version__}-llvmlite{llvmlite.__version__}"
    return cache_root() / f"{version}-{platform.machine()}-{_digest(scope_of(file))}"


@cache
def usable(directory: Path) -> bool:
    """Can compiled code be kept there?  If not, says so in one line; everything works, but is compiled again in every run."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
        if shutil.disk_usage(directory).free < ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as problem:
        _say_once(f"icarus: cannot keep compiled code in {cache_root()} ({problem.strerror}); set ICARUS_CACHE to another place")
        return False
    return True


@cache
def _say_once(text: str) -> None:
    logging.getLogger("icarus").warning(text)


@contextmanager
def caching_for(function: Callable[..., Any]) -> Iterator[bool]:
    """Within this block Numba caches for the sources of this function; yields whether there is a place to cache."""
    file = Path(function.__code__.co_filename)
    if not file.is_file():
        yield False
        return
    directory = cache_directory(file)
    if not usable(directory):
        yield False
        return
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(directory)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before


# --- compiling -------------------------------------------------------------------------------------------------------

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of a game or a strategy; it can call, and be called by, other compiled functions."""
    if not JIT:
        return function
    with caching_for(function) as cacheable:
        return _once_per_type(numba.njit(cache=cacheable, **_OPTIONS)(function))


def part(function: Callable[..., Any]) -> Any:
    """A piece of a kernel: compiled with the kernel that calls it, and cached as part of it."""
    return _once_per_type(numba.njit(**_OPTIONS)(function)) if JIT else function


def inner(function: Callable[..., Any]) -> Any:
    """A part that is worth having in place: a call would cost more than what it saves."""
    return _once_per_type(numba.njit(forceinline=True, **_OPTIONS)(function)) if JIT else function


def _once_per_type(dispatcher: Any) -> Any:
    """Keep Numba from compiling a function anew for every constant that it is called with."""
    original = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return original(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


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
        return self.compiled  # type: ignore[return-value]

    def __call__(self, *arguments: Any) -> Any:
        return (self.compiled or self.compile())(*arguments)


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Kernel]:
    """Mark a function of the engine: one explicit signature, runs without the global interpreter lock."""
    return lambda function: Kernel(function, signature)


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


def c_function(function: Any, signature: Any) -> Any:
    """The C function of this signature for a :func:`compiled` function (compiled now, or loaded from the cache)."""
    key = (function, signature)
    if key not in _COMPILED:
        source = getattr(function, "py_func", function)
        with caching_for(source) as cacheable:
            _COMPILED[key] = numba.cfunc(signature, cache=cacheable, error_model="numpy")(source)
    return _COMPILED[key]


def address(function: Any, signature: Any) -> int:
    """The address under which the loop can call a compiled function; 0 for ``None``."""
    if function is None:
        return 0
    if JIT:
        return int(c_function(function, signature).address)
    FUNCTIONS[id(function)] = function
    return id(function)


def callback(function: Callable[..., Any], signature: Any) -> tuple[int, object]:
    """The address of a plain Python function behind the same C interface, and the object that keeps it alive.

    Pointers reach the function as addresses, plain numbers: wrapping them would cost more than the call.
    """
    if not JIT:

        def with_addresses(*arguments: Any) -> Any:
            return function(*[a.ctypes.data if isinstance(a, np.ndarray) else int(a) for a in arguments])

        FUNCTIONS[id(with_addresses)] = with_addresses
        return id(with_addresses), with_addresses
    plain = (ctypes.c_void_p if isinstance(t, types.CPointer) else _CTYPES[t] for t in signature.args)
    thunk = ctypes.CFUNCTYPE(_CTYPES[signature.return_type], *plain)(function)
    return int(ctypes.cast(thunk, ctypes.c_void_p).value or 0), thunk


def address_of(array: Any) -> int:
    """Where the numbers of an array are."""
    try:  # a quarter of the time that NumPy takes to tell
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # an array without numbers, or one that nobody may change
        return int(array.__array_interface__["data"][0])


def python_call(function: Any, signature: Any) -> Callable[..., Any]:
    """Call a compiled function from Python with NumPy arrays in place of pointers."""
    if not JIT:
        return getattr(function, "py_func", function)  # type: ignore[no-any-return]
    is_pointer = [isinstance(kind, types.CPointer) for kind in signature.args]
    plain = [ctypes.c_void_p if pointer else _CTYPES[kind] for kind, pointer in zip(signature.args, is_pointer, strict=True)]
    target = ctypes.CFUNCTYPE(_CTYPES[signature.return_type], *plain)(c_function(function, signature).address)

    if is_pointer == [True]:
        return lambda array: target(address_of(array))
    if is_pointer == [True, False]:
        return lambda array, number: target(address_of(array), number)
    if is_pointer == [True, True]:
        return lambda array, other: target(address_of(array), address_of(other))

    def call(*arguments: Any) -> Any:
        return target(*[address_of(a) if pointer else a for a, pointer in zip(arguments, is_pointer, strict=True)])

    return call


# --- calling by address ----------------------------------------------------------------------------------------------


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


# --- memory ----------------------------------------------------------------------------------------------------------
# The few things that NumPy arrays in compiled code do not offer.

if JIT:

    def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
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

        return lambda typing, world, field: (types.CPointer(element)(Ints, types.int64), emit)

    # pointers to the fields of a world (an array of addresses, see engine/words.py)
    ints = intrinsic(_field(types.int64))
    reals = intrinsic(_field(types.float64))
    bits = intrinsic(_field(types.uint64))

    @intrinsic
    def atomic_add(typing, array, offset, value):  # type: ignore[no-untyped-def]
        """``array[offset] += value`` as one indivisible step; returns the value before."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            operation = "fadd" if isinstance(array.dtype, types.Float) else "add"
            pointer = _element(context, builder, signature, arguments)
            return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

        return array.dtype(array, types.int64, array.dtype), emit

    @intrinsic
    def compare_and_swap(typing, array, offset, expected, value):  # type: ignore[no-untyped-def]
        """Store ``value`` if ``array[offset] == expected``; returns what was there before."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            pointer = _element(context, builder, signature, arguments)
            pair = builder.cmpxchg(pointer, arguments[2], arguments[3], "acq_rel", "monotonic")
            return builder.extract_value(pair, 0)

        return array.dtype(array, types.int64, array.dtype, array.dtype), emit

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
    import time

    np.seterr(over="ignore")

    def at(array, offset):  # type: ignore[no-untyped-def]
        return array[offset:]

    def ints(world, field):  # type: ignore[no-untyped-def]
        return world[field]

    def reals(world, field):  # type: ignore[no-untyped-def]
        return world[field].view(np.float64)

    bits = ints

    def atomic_add(array, offset, value):  # type: ignore[no-untyped-def]
        before = array[offset]
        array[offset] += value
        return before

    def compare_and_swap(array, offset, expected, value):  # type: ignore[no-untyped-def]
        before = array[offset]
        if before == expected:
            array[offset] = value
        return before

    def prefetch(array, offset):  # type: ignore[no-untyped-def]
        pass

    def cycles():  # type: ignore[no-untyped-def]
        return time.perf_counter_ns()
