"""GDL-II: the facts of a state that some roles can always work out from what they are told.

A fact is certain for a role if the next step makes it from facts that are certain, from the role's own moves and from what it
sees, and from nothing else; so it is a function of what the role knows.  What is certain for all roles is public.  This is read
from the gates of the network and not from any state: it may miss a fact that could be known by cleverer reasoning, and gives
nothing away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from icarus.gdl.network import FALSE, NOT, REPEAT, SEGMENT_WORDS, TRUE, Network


def certain_fluents(network: Network, roles: Collection[int]) -> frozenset[int]:
    """The numbers of the fluents that are certain for each of the roles."""
    told = _told(network, roles)
    fluents = set(range(len(network.fluents)))
    while True:
        known = {FALSE, TRUE} | told | {int(network.fluent_slots[i]) for i in fluents}
        for slot, complement, inputs in _gates(network):
            either = {slot} if complement < 0 else {slot, complement}
            if either & known or all(x in known for x in inputs):
                known |= either
        left = {i for i in fluents if int(network.next_slots[i]) in known}
        if left == fluents:
            return frozenset(fluents)
        fluents = left


def _told(network: Network, roles: Collection[int]) -> set[int]:
    """The slots that every one of the roles learns of each step: percepts, and moves that each has made or sees."""
    sees = [{int(slot) for slot in network.sees_slots[role]} for role in roles]
    for role, seen in zip(roles, sees, strict=True):
        seen |= {int(slot) for slot in network.does_slots[role] if slot >= 0}
    return set.intersection(*sees) if sees else set()


def _gates(network: Network) -> Iterator[tuple[int, int, list[int]]]:
    """Slot, slot of the complement (or -1) and inputs of all gates that a step evaluates, inputs first.

    What goes round in a loop is never known here, and neither is what depends on it.
    """
    words = [int(word) for word in network.words]
    for segments in (network.on_state, network.on_moves):
        for i in range(0, len(segments), SEGMENT_WORDS):
            kind, size, rows, place = (int(word) for word in segments[i : i + SEGMENT_WORDS])
            if kind == REPEAT:
                continue
            width = 3 if kind == NOT else size + 2
            for row in range(place, place + width * rows, width):
                yield words[row], words[row + 1], words[row + 2 : row + width]
