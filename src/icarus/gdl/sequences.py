"""GDL-II: sequences of moves that agree with what an observer did and saw, however states are computed.

At every step one of the joint moves that show the observer what it saw is drawn (``draw``), which says how many there were.  A
sequence is then as likely as the product of one over these numbers, so of several sequences one is drawn in proportion to the
product of them: with more of them the draw approaches the uniform distribution over consistent sequences.

``known`` is whatever the parts of a machine need beside states: scratch memory, or what the observer may do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icarus.gdl.lanes import whole_ints
from icarus.gdl.layout import (
    BITS_AT,
    CHOSEN_AT,
    ENDED,
    FIRST,
    FLUENTS,
    HISTORY_AT,
    HISTORY_ROW,
    INITIAL,
    PLAYERS,
    ROLES,
    STATE_WORDS,
    STEPS,
    TURN,
    UNEXPLAINED,
)
from icarus.gdl.play import in_order
from icarus.jit import at, part
from icarus.jit.randomness import random_below, random_unit


def sampler(particles: int, backtracks: int, *, enter: Any, agrees: Any, draw: Any, leave: Any) -> Any:
    """``sample(net, state, observer, known, rng, trial, best)`` for one kind of machine.

    ``particles``: sequences among which one is drawn; ``backtracks``: how often a sequence may go back from a dead end;
    ``enter(net, state, known)`` completes a state whose fluents are set; ``agrees(net, real, trial, observer, known)``: does
    nothing that the observer knows speak against the last state; ``draw(net, state, observer, row, known, rng, forced)`` chooses
    a joint move and returns among how many; ``leave(net, state, known)`` goes on to the next state.
    """

    @part
    def sample(net, state, observer, known, rng, trial_array, best_array):  # type: ignore[no-untyped-def]
        """Replace everything that the observer has not seen; the step under way is left open."""
        trial, best, size, total = at(trial_array, 0), at(best_array, 0), net[STATE_WORDS], 0.0
        # the start is known to all: one sequence is enough
        for _ in range(particles if state[STEPS] > 1 else 1):
            weight = replay(net, state, trial, observer, known, rng, False)
            total += weight
            if weight > 0.0 and random_unit(rng) * total < weight:
                for word in range(size):
                    best[word] = trial[word]
        if total == 0.0:
            net[UNEXPLAINED] += 1
            replay(net, state, best, observer, known, rng, True)
        # beyond the steps that were played the scratch arrays hold anything
        played = net[HISTORY_AT] + best[STEPS] * net[HISTORY_ROW]
        for word in range(size):
            state[word] = best[word] if word < played else 0

    @part
    def replay(net, real, trial, observer, known, rng, forced):  # type: ignore[no-untyped-def]
        """Play a sequence of moves that agrees with what the observer did and saw; returns its weight, 0 if none was found.

        From a dead end it goes back, the further the more dead ends there were.  ``forced``: where nothing agrees go on with any
        move, so that there is an end.
        """
        size, start = net[HISTORY_AT], whole_ints(net[INITIAL])
        for word in range(size):
            trial[word] = real[word]
        for word in range((net[FLUENTS] + 63) >> 6):
            trial[net[BITS_AT] + word] = start[word]
        trial[STEPS] = 0
        trial[ENDED] = 0
        enter(net, trial, known)
        before, weights = np.empty((real[STEPS] + 1) * size, np.int64), np.empty(real[STEPS] + 1, np.float64)
        dead_ends = 0
        while True:
            step = trial[STEPS]
            for word in range(size):
                before[step * size + word] = trial[word]
            count = 0.0
            if step == real[STEPS]:
                if forced or agrees(net, real, trial, observer, known):
                    break
            elif trial[ENDED] == 0:
                row = at(real, net[HISTORY_AT] + step * net[HISTORY_ROW])
                count = draw(net, trial, observer, row, known, rng, forced)
            if count > 0.0:
                weights[step] = count
                leave(net, trial, known)
            else:
                dead_ends += 1
                if dead_ends > backtracks or forced:
                    break
                back = max(step - 1 - random_below(rng, 1 + dead_ends // 8), 0)
                while back > 0 and weights[back] <= 1.0:  # there was no other move to agree
                    back -= 1
                for word in range(size):
                    trial[word] = before[back * size + word]
        weight = 0.0
        if trial[STEPS] == real[STEPS] and dead_ends <= backtracks:
            weight = 1.0
            for step in range(real[STEPS]):
                weight *= weights[step]
        trial[FIRST] = real[FIRST]
        trial[TURN] = real[TURN]
        return weight

    return sample


def asking(count_legal: Any, draw_legal: Any) -> tuple[Any, Any]:
    """``could_be_asked`` and ``resume`` for one kind of machine, which tells a role's legal moves from ``source``."""

    @part
    def could_be_asked(net, state, source, role, observer):  # type: ignore[no-untyped-def]
        """Does the step of this state come to the role: has it a choice, or (the environment) has no role one?"""
        if role == observer or state[ENDED] != 0 or count_legal(net, source, role) != 1:
            return True
        if role < net[PLAYERS]:
            return False
        for other in range(net[PLAYERS]):  # noqa: SIM110 (compiled code has no all())
            if count_legal(net, source, other) != 1:
                return False
        return True

    @part
    def resume(net, state, source, observer, asked, own, rng):  # type: ignore[no-untyped-def]
        """In the step under way the observer's own choice stands, and those of roles asked before it are drawn again.

        ``asked``: whose turn it is.
        """
        if own == 0 and asked == state[TURN]:
            return
        for rank in range(net[ROLES]):
            role = in_order(net, state, rank)
            if role == asked:
                break
            if state[net[CHOSEN_AT] + role] == 0:
                move = own - 1 if role == observer and own > 0 else draw_legal(net, source, role, rng)
                state[net[CHOSEN_AT] + role] = move + 1
        for rank in range(net[ROLES]):
            role = in_order(net, state, rank)
            if state[net[CHOSEN_AT] + role] == 0:
                state[TURN] = role
                break
        if state[TURN] != asked and state[ENDED] == 0:  # who acts has no choice in this state: it is asked all the same
            state[net[CHOSEN_AT] + asked] = 0
            state[TURN] = asked

    return could_be_asked, resume
