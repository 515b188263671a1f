"""Named memory: a layout means the same words to compiled code, to plain Python and to whoever looks at the array."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.games.connect_four import connect_four
from icarus.jit import (
    JIT,
    Int,
    Ints,
    Layout,
    Nothing,
    Number,
    Numbers,
    Real,
    To,
    Word,
    Words,
    address,
    caller,
    compiled,
    element,
    high,
    layout,
    low,
    pointer_to,
    python_call,
    size_of,
)


class Base(Layout):
    turn = Word()
    share = Number()
    packed = Word()
    few = low(packed)
    many = high(packed)


class State(Base):
    hands = Words(2)
    weights = Numbers(3)
    board = Words()


SIZE = size_of(State) + 4


@compiled
def play(state, action):
    """A little of everything: words, numbers, halves and arrays are read, set and changed."""
    state.turn = 1 - state.turn
    state.share += 0.5 * action
    state.packed = action << 32 | 7
    state.hands[state.turn] |= 1 << action
    state.weights[2] = state.share + state.few + state.many
    for cell in range(4):
        state.board[cell] += cell * action
    hands = state.hands
    return hands[0] + hands[1]


@compiled
def at_offset(words, offset):
    """A piece of a flat array, seen by name."""
    state = State(words, offset)
    state.board[1] = state.turn + 1
    return State(state).board[1]


def fresh() -> np.ndarray:
    return np.arange(SIZE, dtype=np.int64)


def plain(function: Any) -> Callable[..., Any]:
    return getattr(function, "py_func", function)  # type: ignore[no-any-return]


def test_words_lie_in_the_order_in_which_they_are_written() -> None:
    assert [State.__fields__[name].offset for name in ("turn", "share", "packed", "hands", "weights", "board")] == [
        0,
        1,
        2,
        3,
        5,
        8,
    ]
    assert (size_of(Base), size_of(State)) == (3, 8), "a half takes no room, and neither does what is left at the end"


def test_plain_python_reads_and_writes_the_array() -> None:
    words = fresh()
    state = State(words)
    state.turn, state.share, state.packed = 9, 0.25, 5 << 32 | 3
    state.hands[1] = 8
    state.weights[:] = (0.5, 1.5, 2.5)
    state.board[0] = -1
    assert (state.few, state.many) == (3, 5)
    assert words[[0, 2, 3, 4, 8, 9]].tolist() == [9, 5 << 32 | 3, 3, 8, -1, 9]
    assert words.view(np.float64)[[1, 5, 6, 7]].tolist() == [0.25, 0.5, 1.5, 2.5]
    assert len(state.hands) == 2 and len(state.board) == 4
    assert bytes(state) == words.tobytes()
    assert "turn=9" in repr(state) and "few=3" in repr(state)


def test_compiled_code_and_plain_python_do_the_same() -> None:
    one, other = fresh(), fresh()
    call = python_call(play, Int(pointer_to(State), Int))
    for action in (3, 0, 5, 11):
        assert call(one, action) == plain(play)(State(other), action)
    assert one.tolist() == other.tolist()
    assert State(one).share == 9.5 + State(fresh()).share


def test_a_piece_of_an_array_has_names_as_well() -> None:
    one, other = np.arange(30, dtype=np.int64), np.arange(30, dtype=np.int64)
    assert python_call(at_offset, Int(Ints, Int))(one, 10) == plain(at_offset)(other, 10) == 11
    assert one.tolist() == other.tolist() and one[10 + 9] == 11


def test_a_compiled_function_takes_an_object_with_names() -> None:
    words = fresh()
    state = State(words, 0)
    assert play(state, 2) == plain(play)(State(fresh()), 2)
    assert state.turn == words[0] == 1


class Pair(Layout):
    left = Word()
    right = Word()


@compiled
def sum_of_pairs(pairs, number):
    total = 0
    for i in range(number):
        total += element(pairs, i).left * element(pairs, i).right
    return total


def test_layouts_side_by_side() -> None:
    words = np.arange(1, 9)
    assert python_call(sum_of_pairs, Int(pointer_to(Pair), Int))(words, 3) == 1 * 2 + 3 * 4 + 5 * 6


class Owner(Layout):
    pair = To(Pair, fixed=True)
    numbers = To(Ints)


@compiled
def through_pointers(owner, i):
    owner.pair.left += 10
    return owner.pair.left + owner.numbers[i]


def test_a_pointer_is_kept_in_a_word() -> None:
    pair, numbers = np.array([1, 2]), np.array([5, 6, 7])
    if JIT:
        words = np.array([pair.ctypes.data, numbers.ctypes.data])
        assert python_call(through_pointers, Int(pointer_to(Owner), Int))(words, 2) == 11 + 7
    else:
        owner = Owner(np.zeros(2, np.int64))
        owner.pair, owner.numbers = Pair(pair), numbers
        assert through_pointers(owner, 2) == 11 + 7
    assert pair.tolist() == [11, 2]


call_it = caller(Int(pointer_to(State), Int))


@compiled
def call_by_address(function, words, action):
    return call_it(function, State(words), action)


def test_by_address() -> None:
    one, other = fresh(), fresh()
    expected = plain(play)(State(other), 6)
    target = address(play, Int(pointer_to(State), Int))
    assert python_call(call_by_address, Int(Int, Ints, Int))(target, one, 6) == expected
    assert one.tolist() == other.tolist()


def test_fields_that_are_known_only_at_run_time() -> None:
    parameters = layout("parameters", c=Number(), depth=Word())
    values = parameters(np.zeros(2, np.int64))
    values.c, values.depth = 0.7, 3  # type: ignore[attr-defined]

    @compiled
    def product(p):
        return p.c * p.depth

    assert python_call(product, Real(pointer_to(parameters)))(values._array) == pytest.approx(2.1)


# --- mistakes --------------------------------------------------------------------------------------------------------


@compiled
def read_unknown(state):
    return state.trun


@compiled
def set_unknown(state):
    state.trun = 1


@compiled
def set_half(state):
    state.few = 1


@compiled
def set_array(state):
    state.hands = state.board


@pytest.mark.parametrize(
    ("function", "said"),
    [(read_unknown, "trun"), (set_unknown, "trun"), (set_half, "few can be read only"), (set_array, "hands can be read only")],
)
def test_a_wrong_name_is_an_error_in_both_modes(function: Any, said: str) -> None:
    with pytest.raises(AttributeError, match=said):
        plain(function)(State(fresh()))
    if JIT:
        returns = Int if function is read_unknown else Nothing
        with pytest.raises(Exception, match=said):
            python_call(function, returns(pointer_to(State)))


def test_what_is_left_comes_last() -> None:
    with pytest.raises(TypeError, match="after an array without a length"):

        class Wrong(Layout):
            board = Words()
            turn = Word()

    with pytest.raises(TypeError, match="after an array without a length"):
        type("Longer", (State,), {"more": Word()})


def test_a_state_has_room_for_its_layout() -> None:
    game = connect_four()
    functions = {name: getattr(game, name) for name in ("initial", "player", "legal", "apply", "terminal", "rewards")}
    with pytest.raises(GameError, match="its layout has 8 words"):
        Game(name="small", players=2, state_size=7, max_actions=1, max_plies=1, layout=State, **functions)


def test_a_position_knows_the_names_of_its_state() -> None:
    position = Position(connect_four(), connect_four().start().state)
    position.apply(3)
    assert position.named.plies == 1 and position.named.discs[0] == 1 << 21
    position.named.plies = 0
    assert position.player == 0


# --- the compile cache -----------------------------------------------------------------------------------------------

PROGRAM = """
from icarus.jit import Int, Layout, Word, Words, c_function, compiled, pointer_to, python_call
import numpy as np

class State(Layout):
    {fields}
    board = Words()

@compiled
def total(state):
    return 100 * state.turn + 10 * state.score + state.board[0]

signature = Int(pointer_to(State))
print(python_call(total, signature)(np.arange(1, 5)), c_function(total, signature).cache_hits)
"""


@pytest.mark.skipif(not JIT, reason="plain Python has no compile cache")
def test_machine_code_is_kept_and_is_not_taken_for_another_layout(tmp_path: Path) -> None:
    def run(fields: str) -> list[int]:
        file = tmp_path / "named.py"
        file.write_text(PROGRAM.format(fields=fields))
        environment = {**os.environ, "ICARUS_CACHE": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return [int(word) for word in done.stdout.split()]

    assert run("turn = Word(); score = Word()") == [100 + 20 + 3, 0]
    assert run("turn = Word(); score = Word()") == [100 + 20 + 3, 1]
    assert run("score = Word(); turn = Word()") == [200 + 10 + 3, 0]
