"""Nested Monte Carlo search (Cazenave, 2009), and reflexive Monte Carlo search (2007), from which it came.

A search of level 0 is a playout.  One of level n goes from the root to the end of the game: at every step it tries each action,
lets searches of level n - 1 go on from there, and plays the action of the best sequence that it has found.  With *memory* that
is the best of all its steps, so that a good sequence is never lost; without, the best of this step alone, as in reflexive
search.  The first of several equally good sequences stays.

The levels under way are a stack in memory: the driver comes back after any number of playouts and goes on where it was.  Lane n
is where the search of level n is; World.actions holds the actions from the root to the position in hand.
"""

from __future__ import annotations

from numba import types

from icarus.engine.layout import FAILED, FINE, World
from icarus.jit import Layout, Number, Word, at, element, kernel, part, size_of
from icarus.one_player.drive.walk import (
    account,
    copy_lane,
    copy_state,
    end_run,
    keep_liked,
    legal_of,
    note_action,
    play_out,
    reason_to_leave,
    score_of,
    state_of,
    step,
)

#: what is to be done next
START, SEARCH = range(2)


class NestedWords(Layout):
    """What a nested search is doing."""

    level = Word()  #: of the whole search
    memory = Word()
    guided = Word()  #: playouts choose among the actions that the game's heuristic likes best
    selective = Word()  #: and all levels leave out what it does not like at all
    samples = Word()  #: searches of the level below for each action
    todo = Word()
    current = Word()  #: the level whose turn it is
    lines = Word()  #: where [level + 1, plies] the best sequence of each level is, by plies from the root


class Frame(Layout):
    """A search of one level."""

    ply = Word()  #: where it is
    count = Word()  #: legal actions there
    tried = Word()  #: how many searches of the level below have been made here
    known = Word()  #: has it found a sequence?
    best = Number()
    length = Word()  #: plies of the best sequence, from the root


FRAME_WORDS, NESTED_WORDS = size_of(Frame), size_of(NestedWords)


@kernel(types.int64(types.int64[::1]))
def run_nested(handle):
    """Uniformly random playouts, or guided ones."""
    world = World(handle)
    return search(world, NestedWords(world.own, 0), None)


@kernel(types.int64(types.int64[::1]))
def run_nested_enhanced(handle):
    """Playouts by the search's strategy."""
    world = World(handle)
    return search(world, NestedWords(world.own, 0), True)


@part
def frame_of(world, level):
    return Frame(world.own, NESTED_WORDS + level * FRAME_WORDS)


@part
def line_of(world, nested, level):
    return at(world.own, nested.lines + level * world.control.plies)


@part
def search(world, nested, enhanced):
    """Playout after playout, until there is a reason to come back."""
    while True:
        reason = reason_to_leave(world)
        if reason >= 0:
            return reason
        if nested.level == 0:
            copy_state(world, state_of(world, 0), world.root)
            if not sample(world, nested, 0, -1, enhanced):
                return FAILED
            end_run(world, frame_of(world, 0).best)
            continue
        if nested.todo == START:
            copy_state(world, state_of(world, nested.level), world.root)
            begin(world, nested, nested.level, 0, -1)
            nested.todo = SEARCH
        if not until_playout(world, nested, enhanced):
            return FAILED


@part
def begin(world, nested, level, ply, action):
    """Start the search of a level, whose lane is where it was before this action."""
    frame = frame_of(world, level)
    element(world.lanes, level).in_tree = 1
    frame.ply = ply
    frame.count = selected(world, nested, level, step(world, level, action, ply))
    frame.tried = 0
    frame.known = 0
    nested.current = level


@part
def selected(world, nested, level, count):
    """How many of the legal actions a level tries."""
    return keep_liked(world, level, count) if nested.selective != 0 and count > 1 else count


@part
def until_playout(world, nested, enhanced):
    """Go on until one playout has been made; returns whether the game keeps its contract."""
    while True:
        level = nested.current
        frame = frame_of(world, level)
        if frame.count < 0:
            return False
        if frame.count == 0:
            if ended(world, nested, level, enhanced):
                return world.control.error == FINE
        elif frame.tried < frame.count * nested.samples:
            action = legal_of(world, level)[frame.tried // nested.samples]
            frame.tried += 1
            copy_lane(world, level - 1, level)
            note_action(world, frame.ply, action)
            if level > 1:
                begin(world, nested, level - 1, frame.ply + 1, action)
            else:
                return sample(world, nested, frame.ply + 1, action, enhanced)
        else:
            line = line_of(world, nested, level)
            action = line[frame.ply]
            note_action(world, frame.ply, action)
            frame.ply += 1
            frame.count = selected(world, nested, level, step(world, level, action, frame.ply))
            frame.tried = 0
            if nested.memory == 0 and frame.count > 0:
                frame.known = 0


@part
def sample(world, nested, ply, action, enhanced):
    """A playout for the search of level 1: it begins with this action (below 0: none)."""
    world.control.started += 1
    element(world.lanes, 0).in_tree = 0
    count = step(world, 0, action, ply)
    length = play_out(world, ply, count, nested.guided != 0, enhanced) if count >= 0 else -1
    if length < 0:
        return False
    score = score_of(world, length)
    account(world, length, score, enhanced)
    frame_of(world, 0).best = score
    if nested.level > 0:
        offer(world, nested, 1, score, at(world.actions, world.control.root_ply), length)
    return world.control.error == FINE


@part
def offer(world, nested, level, score, line, length):
    """A search of the level below has found this; all of the line but what it did itself is known to this level."""
    frame, own = frame_of(world, level), line_of(world, nested, level)
    if frame.known == 0 or score > frame.best:
        frame.known = 1
        frame.best = score
        frame.length = length
        for ply in range(frame.ply, length):
            own[ply] = line[ply]


@part
def ended(world, nested, level, enhanced):
    """The search of a level has come to the end of the game; returns whether that was a playout (there was nothing to try)."""
    frame, own = frame_of(world, level), line_of(world, nested, level)
    alone = frame.known == 0
    if alone:  # the game was over where it began
        world.control.started += 1
        copy_lane(world, 0, level)
        frame.best = score_of(world, frame.ply)
        frame.length = frame.ply
        account(world, frame.ply, frame.best, enhanced)
    if level == nested.level:
        end_run(world, frame.best)
        nested.todo = START
        return True
    above = frame_of(world, level + 1)
    own[above.ply] = world.actions[world.control.root_ply + above.ply]  # the action that this search began with
    offer(world, nested, level + 1, frame.best, own, frame.length)
    nested.current = level + 1
    return alone
