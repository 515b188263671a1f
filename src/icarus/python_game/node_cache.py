"""Where a search has been in a game of plain Python, in memory that compiled code reads.

In a game without hidden information every walk down the tree passes the same states.  What the class said of them is kept here:
as long as a walk stays on known ground no Python is called at all.  Off it, the functions below hand over to the callbacks of a
lane.

A place is the offset of its words in ``memory``: in front of it its ply, then a Report (engine/layout.py), then the legal
actions, then for each of them the place that it leads to (0: not known), and where the class tells codes the code of each of
them.  Behind the report of a state that is over is its score, where the class tells one.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from icarus import jit as native
from icarus.engine.calls import call_advance, call_code, call_copy, call_finish, call_rewards, call_score
from icarus.engine.layout import OVER, Report
from icarus.jit import compiled, size_of
from icarus.jit.randomness import random_below

if TYPE_CHECKING:
    from icarus.python_game.rules import Node, Rules

# the words of a state; at rest only HANDLE is used, the others belong to a lane of a search
(
    HANDLE,  # the number of a node
    PLACE,  # where the walk is, 0 when it is off the map
    ROOT_HANDLE, ROOT_PLACE,  # the last root, and its place
    SETTLED,  # the rewards of this playout are known
    LINK,  # of the last step that led off known ground: where the place that it leads to will stand; 0: nowhere
    PLAYERS,
    MEMORY, REWARDS, WORD, DRAWS, WORDS,  # addresses of arrays: the cache, the rewards, the random numbers of the lane
    ADVANCE, COPY, FINISH, PAY, CODE, SCORE,  # addresses of the callbacks
    STATE_WORDS,
) = range(19)  # fmt: skip

#: pointers to the arrays behind those addresses
ints: Any = native.ints
reals: Any = native.reals
bits: Any = native.bits

REPORT_WORDS = size_of(Report)
INT64 = memoryview(np.zeros(1, np.int64)).format  # type: ignore[arg-type]  #: what NumPy calls it: l or q

AHEAD = 16  #: draws made at once for a playout: one call into compiled code costs as much as three draws in Python
CAPACITY = 1 << 22  #: words; the system hands out pages as they are used
KEPT_NODES = 1 << 17


class NodeCache:
    """The places of one world, and the nodes at them."""

    def __init__(self, max_actions: int) -> None:
        self.most_used = CAPACITY - 1 - REPORT_WORDS - 3 * max_actions
        self.memory: npt.NDArray[np.int64] = np.zeros(CAPACITY, np.int64)
        #: a place has a node, or at first only a state: most are never looked at again by Python, and every object costs
        self.nodes: dict[int, Node] = {}
        self.states: dict[int, Any] = {}
        self.held = [0]  #: states
        #: by handle
        self.roots: dict[int, int] = {}
        self._words = memoryview(self.memory)  # type: ignore[arg-type]
        self._bytes = self._words.cast("B")
        self.used = 1

    def add(self, node: Node, words: bytes, known: bytes = b"") -> int:
        """A place for a node that the rules have looked at; 0 when there is no room.  ``known``: codes, or a score."""
        place = self.used + 1
        first_known = place + REPORT_WORDS + 2 * len(node.numbers)
        end = first_known + len(known) // 8
        if end > CAPACITY:
            return 0
        self._words[place - 1] = node.ply
        self._bytes[8 * place : 8 * place + len(words)] = words
        self._bytes[8 * first_known : 8 * end] = known
        self.used = end
        self.nodes[place] = node
        return place

    def expand(self, rules: Rules, place: int, number: int, link: int) -> int:
        """The usual step, from a place to one where nobody has been, and a link to it; 0: this one must go the long way."""
        first, before = self.used, self.nodes.get(place)
        if not link or first > self.most_used or self.held[0] >= KEPT_NODES:
            return 0
        if before is None:
            state = self.states[place]
        elif before.own or (before.children is not None and number in before.children):
            return 0
        else:
            state = before.state
        memory = self._words
        found = rules.expanded(state, memory[place - 1] + 1, number)
        if found is None:
            return 0
        state, words = found
        self.used = end = first + len(words)
        memory[first:end] = array(INT64, words)
        self.states[first + 1] = state
        memory[link] = first + 1
        self.held[0] += 1
        return first + 1

    def ply(self, place: int) -> int:
        return self._words[place - 1]

    def link(self, place: int, number: int, to: int) -> None:
        """From a place this action leads to that one."""
        numbers = self.nodes[place].numbers
        self._words[place + REPORT_WORDS + len(numbers) + numbers.index(number)] = to


@compiled
def copy(state: Any, root: Any) -> None:
    if root[HANDLE] == 0:  # another lane
        if root[PLACE] != 0:
            state[PLACE] = root[PLACE]
            state[SETTLED] = 0
        else:
            call_copy(state[COPY], state, root)
    elif state[ROOT_PLACE] != 0 and state[ROOT_HANDLE] == root[HANDLE]:
        state[PLACE] = state[ROOT_PLACE]
        state[SETTLED] = 0
    else:
        call_copy(state[COPY], state, root)


@compiled
def advance(state: Any, action: Any, legal: Any, report: Any) -> None:
    place = state[PLACE]
    memory = ints(state, MEMORY)
    if place != 0 and action >= 0:
        count = Report(memory, place).count
        first = place + REPORT_WORDS
        i = 0
        while i < count and memory[first + i] != action:
            i += 1
        state[LINK] = first + count + i if i < count else 0
        place = memory[first + count + i] if i < count else 0
    if place != 0:
        state[PLACE] = place
    else:  # the callback writes a report where it finds no place for it
        call_advance(state[ADVANCE], state, action, legal, report)
        place = state[PLACE]
    if place != 0:
        for i in range(REPORT_WORDS):
            report[i] = memory[place + i]
        for i in range(Report(memory, place).count):
            legal[i] = memory[place + REPORT_WORDS + i]


@compiled
def code(state: Any, action: Any) -> Any:
    place = state[PLACE]
    memory = ints(state, MEMORY)
    if place != 0:
        count = Report(memory, place).count
        for i in range(count):
            if memory[place + REPORT_WORDS + i] == action:
                return memory[place + REPORT_WORDS + 2 * count + i]
    return call_code(state[CODE], state, action)


@compiled
def score(state: Any) -> Any:
    place = state[PLACE]
    memory = ints(state, MEMORY)
    if place != 0 and state[SETTLED] == 0 and Report(memory, place).player == OVER:
        return reals(state, MEMORY)[place + REPORT_WORDS]
    return call_score(state[SCORE], state)


@compiled
def finish(state: Any, action: Any, rng: Any) -> Any:
    """Make some draws beforehand; the callback moves the word on."""
    word = bits(state, WORD)
    word[0] = rng[0]
    fill(word, ints(state, DRAWS), bits(state, WORDS))
    word[0] = rng[0]
    played = call_finish(state[FINISH], state, action, rng)
    rng[0] = word[0]
    return played


@compiled
def fill(rng: Any, draws: Any, words: Any) -> None:
    """The draws that follow, and the word after each of them."""
    for i in range(AHEAD):
        draws[i] = random_below(rng, 4294967296)
        words[i] = rng[0]


@compiled
def rewards(state: Any, out: Any) -> None:
    if state[SETTLED] != 0:
        for player in range(state[PLAYERS]):
            out[player] = reals(state, REWARDS)[player]
    else:
        call_rewards(state[PAY], state, out)
