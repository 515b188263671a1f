"""Observer models: whose move history names a tree node.

=============  ==========================================================================================================
``ACTIONS``    one tree whose edges are actions as the player who acts sees them: UCT, determinized UCT, cheating, SO-ISMCTS
``ROOT_VIEW``  one tree whose edges are moves as the searching player sees them: SO-ISMCTS + POM
``EACH_VIEW``  one tree per player, each with the moves that this player sees: MO-ISMCTS
=============  ==========================================================================================================

A history is a running 64-bit hash.  A game without ``observe`` shows every action to everyone, so all three are the same tree and
cost the same.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.calls import call_observe
from icarus.engine.native import at, ints, part
from icarus.engine.randomness import mix


@part
def history_of(world, lane, player):
    """The hash that names the current node in the tree of the player about to act (below 0: the environment)."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    players = game[w.PLAYERS]
    row = lane * (players + 1)
    if control[w.MODEL] == w.BY_EACH_VIEW:
        return ints(world, w.HISTORY)[row + (player if player >= 0 else players)]
    if ints(world, w.STATUS)[lane * w.STATUS_WORDS + w.IN_BLOCK] != 0 and player >= 0:
        return ints(world, w.HIDDEN)[row + player]
    return ints(world, w.HISTORY)[row]


@part
def enter_simultaneous(world, lane):
    """Players who choose at the same time start from the same history and see only their own choices until all have chosen.

    It is another decision when someone who has chosen chooses again after others have (rounds of goofspiel without dice in
    between).
    """
    game = ints(world, w.GAME)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    players, player = game[w.PLAYERS], status[w.TURN]
    row = lane * (players + 1)
    if status[w.TOGETHER] == 0 or player < 0:
        status[w.IN_BLOCK] = 0
        return
    has_chosen = (status[w.IN_BLOCK] >> (player + 1)) & 1
    if status[w.IN_BLOCK] == 0 or (has_chosen and status[w.LAST_CHOSE] != player):
        status[w.IN_BLOCK] = 1
        for viewer in range(players):
            ints(world, w.HIDDEN)[row + viewer] = mix(ints(world, w.HISTORY)[row], 101 + viewer)
    status[w.IN_BLOCK] |= 2 << player
    status[w.LAST_CHOSE] = player


@part
def extend(world, field, position, move):
    """Add a move to a history; what an observer does not notice at all (UNSEEN) leaves its history as it is."""
    if move >= 0:
        ints(world, field)[position] = mix(ints(world, field)[position], move)


@part
def seen_by_root(world, state, action):
    """The edge of an action in a tree of moves as the searching player sees them (ROOT_VIEW)."""
    move = call_observe(ints(world, w.GAME)[w.F_OBSERVE], state, action, ints(world, w.CONTROL)[w.OBSERVER])
    return move if move >= 0 else w.NOTHING_SEEN


@part
def follow(world, lane, action, in_tree, moves_needed):
    """Let every observer see the action that is about to be applied."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    players, player, model, observe = game[w.PLAYERS], status[w.TURN], control[w.MODEL], game[w.F_OBSERVE]
    state = at(ints(world, w.STATE), lane * game[w.STATE_SIZE])
    row = lane * (players + 1)

    if observe != 0 and (moves_needed or (in_tree and model == w.BY_EACH_VIEW)):
        for viewer in range(players):
            move = call_observe(observe, state, action, viewer)
            if moves_needed:
                ints(world, w.MOVES)[(lane * players + viewer) * control[w.PLIES] + status[w.PLY_NOW]] = move
            if in_tree and model == w.BY_EACH_VIEW:
                extend(world, w.HISTORY, row + viewer, move)
    elif moves_needed:
        ints(world, w.MOVES)[lane * control[w.PLIES] + status[w.PLY_NOW]] = action

    if in_tree:
        if model == w.BY_EACH_VIEW:
            extend(world, w.HISTORY, row + players, action)
        else:
            if model == w.BY_ROOT_VIEW:
                move = seen_by_root(world, state, action)
            else:
                move = call_observe(observe, state, action, player) if observe != 0 and player >= 0 else action
            extend(world, w.HISTORY, row, move)
            if status[w.IN_BLOCK] != 0 and player >= 0:
                extend(world, w.HIDDEN, row + player, move)
