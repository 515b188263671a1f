"""Named memory: ``lane.turn`` instead of ``status[3]``, ``state.discs[mover]`` instead of ``state[DISCS + mover]``, at no cost.

A layout is declared once, as a class whose attributes say what lies at which word::

    class State(Layout):
        turn = Word()        #: who is to move
        share = Number()
        discs = Words(2)     #: a bit set per player
        board = Words()      #: what is left at the end

Compiled code gets a typed pointer: an attribute is a load or a store of one word, an array attribute is a pointer to its first
word, ``To(...)`` is a pointer that is kept in a word.  ``State(array, offset)`` sees a piece of an array in this way.  In plain
Python the same class is an object over a NumPy array, so one source serves both, and ``render`` and ``view`` read like the rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, ClassVar, overload

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core.errors import UnsupportedError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from icarus.jit.compile import JIT

WORD = ir.IntType(64)
WORD_POINTER = WORD.as_pointer()


# --- what a layout is made of ----------------------------------------------------------------------------------------


class Field:
    """Something at an offset of a layout."""

    length = 1  #: words
    offset = 0
    name = ""
    kind: Any = None  #: the compiled type of the attribute

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, owner: Layout, value: Any) -> None:
        raise AttributeError(f"{type(owner).__name__}.{self.name} can be read only")

    def described(self) -> tuple[Any, ...]:
        """What compiled code depends on."""
        return (self.name, type(self).__name__, self.offset, str(self.kind))


class Word(Field):
    """A whole number."""

    kind = types.int64

    @overload
    def __get__(self, owner: None, cls: type) -> Word: ...
    @overload
    def __get__(self, owner: Layout, cls: type) -> int: ...
    def __get__(self, owner: Layout | None, cls: type) -> Any:
        return self if owner is None else owner._array[self.offset]

    def __set__(self, owner: Layout, value: Any) -> None:
        owner._array[self.offset] = value


class Number(Field):
    """A floating-point number."""

    kind = types.float64

    @overload
    def __get__(self, owner: None, cls: type) -> Number: ...
    @overload
    def __get__(self, owner: Layout, cls: type) -> float: ...
    def __get__(self, owner: Layout | None, cls: type) -> Any:
        return self if owner is None else owner._array.view(np.float64)[self.offset]

    def __set__(self, owner: Layout, value: Any) -> None:
        owner._array.view(np.float64)[self.offset] = value


class Half(Field):
    """One half of a word, as a number from 0 on; it can be read only."""

    kind = types.int64
    length = 0

    def __init__(self, whole: Word, shift: int) -> None:
        self.whole, self.shift = whole, shift

    @overload
    def __get__(self, owner: None, cls: type) -> Half: ...
    @overload
    def __get__(self, owner: Layout, cls: type) -> int: ...
    def __get__(self, owner: Layout | None, cls: type) -> Any:
        return self if owner is None else owner._array[self.whole.offset] >> self.shift & 0xFFFFFFFF

    def described(self) -> tuple[Any, ...]:
        return (self.name, type(self).__name__, self.whole.offset, self.shift)


def low(whole: Word) -> Half:
    """The low 32 bits of a word."""
    return Half(whole, 0)


def high(whole: Word) -> Half:
    """The high 32 bits of a word (which is not below 0)."""
    return Half(whole, 32)


class Words(Field):
    """So many whole numbers side by side; without a number, what is left at the end.  Its elements can be set, not itself."""

    kind = types.CPointer(types.int64)
    dtype: ClassVar[Any] = np.int64

    def __init__(self, length: int | None = None) -> None:
        self.open, self.length = length is None, length or 0

    @overload
    def __get__(self, owner: None, cls: type) -> Words: ...
    @overload
    def __get__(self, owner: Layout, cls: type) -> npt.NDArray[Any]: ...
    def __get__(self, owner: Layout | None, cls: type) -> Any:
        if owner is None:
            return self
        end = None if self.open else self.offset + self.length
        found = owner._array[self.offset : end]
        return found if found.dtype == self.dtype else found.view(self.dtype)


class Numbers(Words):
    """The same for floating-point numbers."""

    kind = types.CPointer(types.float64)
    dtype = np.float64


class To(Field):
    """A pointer, kept in a word: to another layout, or to words of a C pointer type.

    ``fixed``: it never changes while a kernel runs, so that compiled code need not load it again after every store.
    """

    def __init__(self, kind: Any, *, fixed: bool = False) -> None:
        self.kind, self.fixed = kind, fixed
        self.target = pointer_to(kind) if isinstance(kind, type) and issubclass(kind, Layout) else kind

    @overload
    def __get__(self, owner: None, cls: type) -> To: ...
    @overload
    def __get__(self, owner: Layout, cls: type) -> Any: ...
    def __get__(self, owner: Layout | None, cls: type) -> Any:
        return self if owner is None else owner._targets[self.name]

    def __set__(self, owner: Layout, value: Any) -> None:
        owner._targets[self.name] = value

    def described(self) -> tuple[Any, ...]:
        return (self.name, type(self).__name__, self.offset, str(self.target), self.fixed)


class Layout:
    """Base of all layouts: words in the order in which they are written; a subclass goes on where its base ends."""

    __slots__ = ("_array", "_targets")
    _array: npt.NDArray[Any]
    _targets: dict[str, Any]
    __fields__: ClassVar[dict[str, Field]] = {}
    #: words, without what an open array adds at the end
    __size__: ClassVar[int] = 0
    __pointer__: ClassVar[LayoutPointer]

    def __init_subclass__(cls) -> None:
        cls.__fields__, offset = dict(cls.__fields__), cls.__size__
        for name, field in list(vars(cls).items()):
            if isinstance(field, Field):
                if any(isinstance(last, Words) and last.open for last in cls.__fields__.values()):
                    raise TypeError(f"{cls.__name__}.{name} comes after an array without a length, which must be the last")
                field.offset = offset
                offset += field.length
                cls.__fields__[name] = field
        cls.__size__ = offset
        cls.__pointer__ = LayoutPointer(
            f"{cls.__module__}.{cls.__qualname__}", tuple(f.described() for f in cls.__fields__.values())
        )
        _LAYOUTS[cls.__pointer__.name] = cls
        if JIT:
            _make_constructor(cls)

    def __init__(self, array: Any, offset: int = 0) -> None:
        known = isinstance(array, Layout)
        put = object.__setattr__  # a position's state is given names for every label: no need to look whether these are names
        put(self, "_array", array._array if known else array[offset:] if offset else array)
        put(self, "_targets", array._targets if known else {})

    @property
    def _address(self) -> int:
        return int(self._array.__array_interface__["data"][0])

    def __bytes__(self) -> bytes:
        return self._array.tobytes()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__fields__ and name not in Layout.__slots__:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self.__fields__)}")
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value}' for name, value in self._values())})"

    def _values(self) -> Iterator[tuple[str, Any]]:
        for name in self.__fields__:
            yield name, getattr(self, name, "?")


def size_of(layout: type[Layout]) -> int:
    """How many words a layout has, without what an open array adds at the end."""
    return layout.__size__


def pointer_to(layout: type[Layout]) -> LayoutPointer:
    """The compiled type of a pointer to a layout, for signatures."""
    return layout.__pointer__


def layout(name: str, **fields: Field) -> type[Layout]:
    """A layout from fields that are known only at run time, such as the parameters of a policy."""
    return type(name, (Layout,), fields)


# --- as machine code -------------------------------------------------------------------------------------------------

#: the layout behind a compiled type, for plain Python and for what the types point to
_LAYOUTS: dict[str, type[Layout]] = {}


class LayoutPointer(types.Type):  # type: ignore[misc]
    """The compiled type of a pointer to a layout, named by a digest of all that compiled code depends on.

    The name is part of every symbol: as long as it is short, compiling is quick.
    """

    def __init__(self, place: str, described: tuple[Any, ...]) -> None:
        digest = hashlib.sha256(repr((place, described)).encode()).hexdigest()[:12]
        super().__init__(name=f"{place.rpartition('.')[2]}_{digest}")


def layout_of(kind: LayoutPointer) -> type[Layout]:
    return _LAYOUTS[kind.name]


@register_model(LayoutPointer)
class LayoutModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD_POINTER)


@typeof_impl.register(Layout)  # type: ignore[untyped-decorator]
def _type_of(value: Layout, context: Any) -> LayoutPointer:
    """A compiled function can be called from Python with an object that has names."""
    return value.__pointer__


@unbox(LayoutPointer)  # type: ignore[untyped-decorator]
def _unbox(kind: Any, value: Any, c: Any) -> NativeValue:
    place = c.pyapi.object_getattr_string(value, "_address")
    number = c.unbox(types.int64, place)
    c.pyapi.decref(place)
    return NativeValue(c.builder.inttoptr(number.value, WORD_POINTER), is_error=number.is_error)


@infer_getattr
class LayoutAttribute(AttributeTemplate):  # type: ignore[misc]
    key = LayoutPointer

    def generic_resolve(self, pointer: Any, name: str) -> Any:
        field = layout_of(pointer).__fields__.get(name)
        return None if field is None else field.target if isinstance(field, To) else field.kind


def field_place(builder: Any, pointer: Any, value: Any, name: str) -> Any:
    """Where a field is, as a pointer to words."""
    return builder.gep(value, [ir.Constant(WORD, layout_of(pointer).__fields__[name].offset)])


@lower_getattr_generic(LayoutPointer)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, pointer: Any, value: Any, name: str) -> Any:
    field = layout_of(pointer).__fields__[name]
    if isinstance(field, Half):
        word = builder.load(field_place(builder, pointer, value, field.whole.name))
        shifted = builder.lshr(word, ir.Constant(WORD, field.shift)) if field.shift else word
        return shifted if field.shift else builder.and_(shifted, ir.Constant(WORD, 0xFFFFFFFF))
    place = field_place(builder, pointer, value, name)
    if isinstance(field, To):
        word = builder.load(place)
        if field.fixed:
            word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return builder.inttoptr(word, context.get_value_type(field.target))
    kind = context.get_value_type(field.kind)
    if isinstance(field, Words):
        return builder.bitcast(place, kind)
    return builder.load(builder.bitcast(place, kind.as_pointer()))


@lower_setattr_generic(LayoutPointer)  # type: ignore[untyped-decorator]
def _store(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
    field = layout_of(signature.args[0]).__fields__[name]
    if isinstance(field, Half | Words):
        raise UnsupportedError(f"{layout_of(signature.args[0]).__name__}.{name} can be read only")
    place, value = field_place(builder, signature.args[0], arguments[0], name), arguments[1]
    if isinstance(field, To):
        value = builder.ptrtoint(value, WORD)
    builder.store(value, builder.bitcast(place, value.type.as_pointer()))


def _make_constructor(cls: type[Layout]) -> None:
    """``State(array, offset)`` in compiled code."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(signature.args[0], types.Array):
            base = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        else:
            base = arguments[0]
        base = builder.bitcast(base, WORD_POINTER)
        return base if len(arguments) == 1 else builder.gep(base, [arguments[1]])

    @type_callable(cls)  # type: ignore[untyped-decorator]
    def typed(context: Any) -> Any:
        def typer(base: Any, offset: Any = None) -> Any:
            return cls.__pointer__

        return typer

    for kind in (types.Array, types.CPointer, LayoutPointer):
        lower_builtin(cls, kind)(emit)
        lower_builtin(cls, kind, types.int64)(emit)


def element_of(pointer: Any, index: int) -> Any:
    """The index-th of the layouts that lie side by side, in plain Python."""
    return type(pointer)(pointer._array, index * size_of(type(pointer)))


if JIT:

    @intrinsic
    def element(typing, pointer, index):  # type: ignore[no-untyped-def]
        """The index-th of the layouts that lie side by side."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            words = builder.mul(arguments[1], ir.Constant(WORD, layout_of(signature.args[0]).__size__))
            return builder.gep(arguments[0], [words])

        return pointer(pointer, types.int64), emit

else:
    element = element_of
