"""What the players know, as machine code: equilibrium/knowledge.py says why."""

from __future__ import annotations

from icarus.engine.calls import call_observe, call_simultaneous
from icarus.engine.identity import TOGETHER
from icarus.equilibrium.cfr.layout import KNOWN_HEAD, Known
from icarus.jit import at, part
from icarus.jit.randomness import mix


@part
def known_at(solver, depth):
    """What is known at a decision of the traverser."""
    return Known(solver.known, depth * (KNOWN_HEAD + 2 * solver.game.players))


@part
def begin_knowing(solver, known, start):
    players = solver.game.players
    known.moment = 0
    known.chosen = 0
    known.last = -1
    for player in range(players):
        known.keys[player] = solver.start_keys[start * players + player]


@part
def is_veiled(solver):
    """Do players choose at the same time in a game that shows every action?"""
    return solver.game.simultaneous != 0 and solver.game.observe == 0


@part
def key_of(solver, known, state, player):
    """The number of the information set in which a player is about to act."""
    if is_veiled(solver):
        enter_moment(solver, known, state, player)
        if known.moment != 0:
            return known.keys[solver.game.players + player]
    return known.keys[player]


@part
def see(solver, known, state, player, action):
    """Somebody is about to act."""
    game = solver.game
    if game.observe != 0:
        for observer in range(game.players):
            move = call_observe(game.observe, state, action, observer)
            if move >= 0:
                known.keys[observer] = mix(known.keys[observer], move)
        return
    if is_veiled(solver):
        enter_moment(solver, known, state, player)
        if known.moment != 0:
            hidden = game.players + player
            known.keys[hidden] = mix(known.keys[hidden], action)
            known.chosen |= 1 << player
            known.last = player
    for observer in range(game.players):
        known.keys[observer] = mix(known.keys[observer], action)


@part
def enter_moment(solver, known, state, player):
    game = solver.game
    moment = 0
    again = False
    if player >= 0:
        moment = call_simultaneous(game.simultaneous, state)
        again = (known.chosen >> player) & 1 == 1 and known.last != player
    if moment != 0 and (moment != known.moment or again):
        for other in range(game.players):
            known.keys[game.players + other] = mix(known.keys[other], TOGETHER)
        known.chosen = 0
    known.moment = moment


@part
def copy_known(solver, depth):
    """The decision below begins with the same knowledge."""
    size = KNOWN_HEAD + 2 * solver.game.players
    here, below = at(solver.known, depth * size), at(solver.known, (depth + 1) * size)
    for word in range(size):
        below[word] = here[word]
