"""What names a tree node: the one place where histories, views and states become keys.

=================  ======================================================================================================
``BY_ACTIONS``     one tree whose edges are actions as the player who acts sees them: UCT, determinized UCT, cheating, SO
``BY_ROOT_VIEW``   one tree whose edges are moves as the searching player sees them: SO-ISMCTS + POM
``BY_EACH_VIEW``   one tree per player, each with the moves that this player sees: MO-ISMCTS
``BY_STATE``       one graph whose nodes are positions (a game's ``key``), however they came about: transpositions
=================  ======================================================================================================

A history is a running 64-bit hash.  A game without ``observe`` shows every action to everyone, so the first three are the same
tree and cost the same.
"""

from __future__ import annotations

from icarus.engine.calls import call_key, call_observe
from icarus.engine.layout import BY_EACH_VIEW, BY_ROOT_VIEW, BY_STATE, NOTHING_SEEN
from icarus.jit import at, element, part
from icarus.jit.randomness import mix

TOGETHER = 101  #: mixed into a history where a simultaneous decision begins


@part
def child_key(world, key, edge, state):
    """The key of the node behind an edge, from the key before it and the state after it."""
    if world.control.identity == BY_STATE:
        return mix(world.root_history[world.game.players], call_key(world.game.key, state))
    # what is not noticed at all (UNSEEN) leaves a history as it is
    return mix(key, edge) if edge >= 0 else key


@part
def history_of(world, lane, player):
    """The hash that names the current node in the tree of the player about to act (below 0: the environment)."""
    players = world.game.players
    row = lane * (players + 1)
    if world.control.identity == BY_EACH_VIEW:
        status = element(world.lanes, lane)
        if status.rows >= world.control.postponed and status.together == 0:  # everything is known from here on
            return mix(world.histories[row + players], status.drawn + 1)
        if status.in_block != 0 and player >= 0 and world.game.observe == 0:
            return world.hidden[row + player]
        return world.histories[row + (player if player >= 0 else players)]
    if element(world.lanes, lane).in_block != 0 and player >= 0:
        return world.hidden[row + player]
    return world.histories[row]


@part
def enter_simultaneous(world, lane):
    """Players who choose at the same time start from the same history and see only their own choices until all have chosen.

    It is another decision when the game gives it another number, or when someone who has chosen chooses again after others have
    (rounds of goofspiel without dice in between).
    """
    status = element(world.lanes, lane)
    players, player = world.game.players, status.turn
    row = lane * (players + 1)
    if status.together == 0 or player < 0:
        status.in_block = 0
        return
    has_chosen = (status.in_block >> (player + 1)) & 1
    if status.in_block == 0 or status.moment != status.together or (has_chosen and status.last_chose != player):
        status.in_block = 1
        status.moment = status.together
        for viewer in range(players):
            own = world.control.identity == BY_EACH_VIEW
            world.hidden[row + viewer] = mix(world.histories[row + (viewer if own else 0)], TOGETHER + (0 if own else viewer))
    status.in_block |= 2 << player
    status.last_chose = player


@part
def seen_by_root(world, state, action):
    """The edge of an action in a tree of moves as the searching player sees them (ROOT_VIEW)."""
    move = call_observe(world.game.observe, state, action, world.control.observer)
    return move if move >= 0 else NOTHING_SEEN


@part
def follow(world, lane, action, in_tree, moves_needed):
    """Let every observer see the action that is about to be applied."""
    game, control, status = world.game, world.control, element(world.lanes, lane)
    players, player, identity, observe = game.players, status.turn, control.identity, game.observe
    state = at(world.states, lane * game.state_size)
    histories = at(world.histories, lane * (players + 1))

    if observe != 0 and (moves_needed or (in_tree and identity == BY_EACH_VIEW)):
        for viewer in range(players):
            move = call_observe(observe, state, action, viewer)
            if moves_needed:
                world.moves[(lane * players + viewer) * control.plies + status.ply] = move
            if in_tree and identity == BY_EACH_VIEW:
                histories[viewer] = child_key(world, histories[viewer], move, state)
    elif moves_needed:
        world.moves[lane * control.plies + status.ply] = action

    if in_tree and identity == BY_EACH_VIEW and observe == 0:
        for viewer in range(players):
            histories[viewer] = child_key(world, histories[viewer], action, state)
        if status.in_block != 0 and player >= 0:
            own = lane * (players + 1) + player
            world.hidden[own] = child_key(world, world.hidden[own], action, state)
    if in_tree and identity == BY_EACH_VIEW:
        histories[players] = child_key(world, histories[players], action, state)
    elif in_tree and identity != BY_STATE:
        if identity == BY_ROOT_VIEW:
            move = seen_by_root(world, state, action)
        else:
            move = call_observe(observe, state, action, player) if observe != 0 and player >= 0 else action
        histories[0] = child_key(world, histories[0], move, state)
        if status.in_block != 0 and player >= 0:
            hidden = at(world.hidden, lane * (players + 1))
            hidden[player] = child_key(world, hidden[player], move, state)


@part
def follow_state(world, lane):
    """The same where nodes are positions, after the action has been applied."""
    if world.control.identity == BY_STATE:
        state = at(world.states, lane * world.game.state_size)
        world.histories[lane * (world.game.players + 1)] = child_key(world, 0, 0, state)
