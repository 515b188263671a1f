"""Evaluating a network: gate by gate in the order of its segments, for 256 games at once or for one.

Nothing here is compiled for a particular game: a network is data (see ``network.Network``), and the kernels walk over it.
"""

from __future__ import annotations

from typing import Any

from icarus.gdl import lanes as by
from icarus.gdl.network import AND, NOT, OR, REPEAT, SEGMENT_WORDS
from icarus.jit import at, part


def evaluator(load: Any, store: Any, both: Any, either: Any, opposite: Any, same: Any) -> Any:
    """``evaluate(values, words, segments, count)`` for one kind of value."""

    @part
    def gates(values, words, segments, count):  # type: ignore[no-untyped-def]
        for number in range(count):
            segment = at(segments, number * SEGMENT_WORDS)
            kind, size, rows = segment[0], segment[1], segment[2]
            row = at(words, segment[3])
            if kind == AND and size == 2:
                for _ in range(rows):
                    value = both(load(values, row[2]), load(values, row[3]))
                    store(values, row[0], value)
                    if row[1] >= 0:
                        store(values, row[1], opposite(value))
                    row = at(row, 4)
            elif kind == OR and size == 2:
                for _ in range(rows):
                    value = either(load(values, row[2]), load(values, row[3]))
                    store(values, row[0], value)
                    if row[1] >= 0:
                        store(values, row[1], opposite(value))
                    row = at(row, 4)
            elif kind == AND:
                for _ in range(rows):
                    value = load(values, row[2])
                    for link in range(3, size + 2):
                        value = both(value, load(values, row[link]))
                    store(values, row[0], value)
                    if row[1] >= 0:
                        store(values, row[1], opposite(value))
                    row = at(row, size + 2)
            elif kind == OR:
                for _ in range(rows):
                    value = load(values, row[2])
                    for link in range(3, size + 2):
                        value = either(value, load(values, row[link]))
                    store(values, row[0], value)
                    if row[1] >= 0:
                        store(values, row[1], opposite(value))
                    row = at(row, size + 2)
            elif kind == NOT:
                for _ in range(rows):
                    store(values, row[0], opposite(load(values, row[2])))
                    row = at(row, 3)

    @part
    def feed_back(values, words, first, rows):  # type: ignore[no-untyped-def]
        """Let the inputs of a loop take the values that its gates gave them; did any change?"""
        changed = False
        for i in range(rows):
            row = at(words, first + 3 * i)
            value = load(values, row[2])
            if not same(value, load(values, row[0])):
                changed = True
                store(values, row[0], value)
                if row[1] >= 0:
                    store(values, row[1], opposite(value))
        return changed

    @part
    def evaluate(values, words, segments, count):  # type: ignore[no-untyped-def]
        done = 0
        while done < count:
            # everything up to the next loop
            end = done
            while end < count and segments[end * SEGMENT_WORDS] != REPEAT:
                end += 1
            gates(values, words, at(segments, done * SEGMENT_WORDS), end - done)
            done = end
            if done < count:
                segment = at(segments, done * SEGMENT_WORDS)
                size, rows, first = segment[1], segment[2], segment[3]
                for i in range(rows):
                    row = at(words, first + 3 * i)
                    store(values, row[0], load(values, 0))
                    if row[1] >= 0:
                        store(values, row[1], load(values, 1))
                while True:
                    gates(values, words, at(segments, (done + 1) * SEGMENT_WORDS), size)
                    if not feed_back(values, words, first, rows):
                        break
                done += 1 + size

    return evaluate


evaluate_lanes = evaluator(by.load, by.store, by.both, by.either, by.opposite, by.same)
evaluate_one = evaluator(by.load_word, by.store_word, by.both_words, by.either_word, by.opposite_word, by.same_word)
