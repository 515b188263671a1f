"""Beam nested rollout policy adaptation (Cazenave and Teytaud, 2012).

A level keeps a *beam*: its best sequences, all different, each with the policy that was adapted towards it.  In each of its
rounds it calls the level below once for every member, with a copy of that member's policy; what all of them find competes with
the members for the places of the next beam.  A newcomer inherits the policy that it was found with, and then every member's
policy is adapted towards its own sequence.  A level ends with all of its beam, which the level above takes over.  With a beam of
one this is adaptation.py, whose parts it is made of; a round costs as many calls as the beam has members.

Level n has two rows of slots: the beam of this round, and the one to come.
"""

from __future__ import annotations

from numba import types

from icarus.engine.layout import FAILED, World
from icarus.jit import Layout, Word, kernel, part, size_of
from icarus.one_player.drive.adaptation import (
    UNDER_WAY,
    AdaptationWords,
    adapt,
    copy_sequence,
    play,
    sequence_of,
)
from icarus.one_player.drive.coded_policy import clear_policy, copy_policy, policy_of
from icarus.one_player.drive.walk import end_run, reason_to_leave


class Beam(Layout):
    """What a level is doing."""

    row = Word()  #: which of its two rows holds the beam
    size = Word()
    turn = Word()  #: the member with whose policy the level below is called
    coming = Word()  #: how many members the next beam has so far
    rounds = Word()
    again = Word()  #: how often in a row something was found that was there already


BEAM_WORDS = size_of(Beam)


@kernel(types.int64(types.int64[::1]))
def run_beam_adaptation(handle):
    """Playout after playout, until there is a reason to come back."""
    world = World(handle)
    search = AdaptationWords(world.own, 0)
    while True:
        reason = reason_to_leave(world)
        if reason >= 0:
            return reason
        if search.started != UNDER_WAY:
            begin(world, search, search.level)
            clear_policy(policy_of(world, search, slot_of(world, search, search.level, 0)))
            descend(world, search, search.level)
            search.started = UNDER_WAY
        bottom = beam_of(world, search, 1)
        if not play(world, search, slot_of(world, search, 1, bottom.turn)):
            return FAILED
        climb(world, search)


@part
def beam_of(world, search, level):
    return Beam(world.own, search.beams + level * BEAM_WORDS)


@part
def first_slot_of(search, level, row):
    return 1 + (2 * (level - 1) + row) * search.beam


@part
def slot_of(world, search, level, member):
    """Where a member of a level's beam is; level 0 has one, the last playout."""
    return first_slot_of(search, level, beam_of(world, search, level).row) + member if level > 0 else 0


@part
def begin(world, search, level):
    """A beam of one member, which has no sequence yet."""
    beam = beam_of(world, search, level)
    beam.size = 1
    beam.turn = 0
    beam.coming = 0
    beam.rounds = 0
    beam.again = 0
    sequence_of(world, search, slot_of(world, search, level, 0)).known = 0


@part
def descend(world, search, level):
    """Start the searches of all levels below, each with a copy of the policy whose turn it is above."""
    while level > 1:
        above = slot_of(world, search, level, beam_of(world, search, level).turn)
        level -= 1
        begin(world, search, level)
        copy_policy(world, search, slot_of(world, search, level, 0), above)


@part
def climb(world, search):
    """A playout has ended: every level whose turn has come takes over what the one below has found."""
    level = 1
    while True:
        beam = beam_of(world, search, level)
        if beam.turn == 0:
            members_compete(world, search, level)
        found = beam_of(world, search, level - 1).size if level > 1 else 1
        for member in range(found):
            offer(world, search, level, slot_of(world, search, level - 1, member), beam.turn)
        beam.turn += 1
        if beam.turn == beam.size:
            end_round(world, search, level)
        stale = search.repetitions > 0 and beam.again >= search.repetitions
        if beam.turn != 0 or (beam.rounds < search.calls and not stale):
            descend(world, search, level)
            return
        if level == search.level:
            end_run(world, best_score(world, search, level))
            search.started = 0
            return
        level += 1


@part
def members_compete(world, search, level):
    """A round begins: the members that have a sequence are the first of the next beam."""
    beam = beam_of(world, search, level)
    beam.coming = 0
    for member in range(beam.size):
        slot = slot_of(world, search, level, member)
        if sequence_of(world, search, slot).known != 0:
            enter(world, search, level, beam.coming, slot, member)
            beam.coming += 1


@part
def offer(world, search, level, slot, parent):
    """A sequence takes a place of the next beam that is free, or the worst one if that is not better."""
    beam, found = beam_of(world, search, level), sequence_of(world, search, slot)
    first, worst = first_slot_of(search, level, 1 - beam.row), 0
    for member in range(beam.coming):
        known = sequence_of(world, search, first + member)
        if known.hash == found.hash and known.score == found.score:
            beam.again += 1
            return
        if known.score < sequence_of(world, search, first + worst).score:
            worst = member
    if beam.coming < search.beam:
        worst = beam.coming
        beam.coming += 1
    elif found.score < sequence_of(world, search, first + worst).score:
        return
    beam.again = 0
    enter(world, search, level, worst, slot, parent)


@part
def enter(world, search, level, place, slot, parent):
    """Put a sequence into the next beam."""
    into = first_slot_of(search, level, 1 - beam_of(world, search, level).row) + place
    copy_sequence(world, search, into, slot)
    sequence_of(world, search, into).parent = parent


@part
def end_round(world, search, level):
    """The next beam becomes the beam: its members inherit policies and adapt them."""
    beam = beam_of(world, search, level)
    before, first = first_slot_of(search, level, beam.row), first_slot_of(search, level, 1 - beam.row)
    for member in range(beam.coming):
        copy_policy(world, search, first + member, before + sequence_of(world, search, first + member).parent)
        adapt(world, search, first + member)
    beam.row = 1 - beam.row
    beam.size = beam.coming
    beam.turn = 0
    beam.rounds += 1


@part
def best_score(world, search, level):
    best = sequence_of(world, search, slot_of(world, search, level, 0)).score
    for member in range(1, beam_of(world, search, level).size):
        best = max(best, sequence_of(world, search, slot_of(world, search, level, member)).score)
    return best
