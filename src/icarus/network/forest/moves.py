"""Moves: what self-play writes down and plays when a tree has had its descents, and how a tree moves on to its next root."""

from __future__ import annotations

from icarus.engine.calls import call_player, call_rewards, call_simultaneous
from icarus.engine.layout import FINE, TOO_LONG
from icarus.jit import at, element, part
from icarus.jit.eights import WIDTH, eight, put, whole_eights
from icarus.jit.randomness import random_unit
from icarus.network.forest.choose import complete, decided, edges_of, node_of, raw_of, softmax, worths_of
from icarus.network.forest.descend import call_observation, key_of, new_node, play, renew, rewards_fit
from icarus.network.forest.layout import EXPANDED, GROW_LOG, GUMBEL, KEEP_NOTHING, KEEP_VALUES, MOST_CHOICES


@part
def make_move(forest, tree):
    """Write the position and its improved policy down, and play; returns False where there is no room, or the game is broken."""
    control, game, words = forest.control, forest.game, element(forest.trees, tree)
    if words.logged >= control.log_room:
        control.grow |= GROW_LOG
        return False
    node, state = node_of(forest, tree, words.root), at(forest.roots, tree * game.state_size)
    row = tree * control.log_room + words.logged
    call_observation(forest.observation[0], state, node.player, at(forest.log_observations, row * control.observation))
    choice = write_policy(forest, tree, at(forest.log_policies, row * control.actions))
    edge = edges_of(forest, tree, node) + choice
    action, child = forest.actions[edge], forest.children[edge] - 1
    forest.log_rows[2 * row] = node.player
    forest.log_rows[2 * row + 1] = action
    for player in range(control.players):
        mean = worths_of(forest, tree, words.root)[player] / (1.0 + node.visits)
        forest.log_means[row * control.players + player] = mean
    words.logged += 1
    words.plies += 1
    if words.plies > game.max_plies:
        control.error = TOO_LONG
        control.error_tree, control.error_ply, control.error_value = tree, words.plies, game.max_plies
        return False
    if words.moment != 0:
        choose_together(forest, tree, node.player, action)
    player = play(forest, tree, state, at(forest.root_views, tree * control.players), action, words.plies)
    if control.error != FINE:
        return False
    if player < 0:
        call_rewards(game.rewards, state, forest.rewards)
        if not rewards_fit(forest, tree, words.plies):
            return False
        for player in range(control.players):
            forest.ends[tree * control.players + player] = forest.rewards[player]
        words.over = 1
        control.finished += 1
    elif (
        control.reuse != KEEP_NOTHING
        and control.index_room == 0
        and child >= 0
        and node_of(forest, tree, child).status == EXPANDED
    ):
        # what is not below it stays where it is until there is no more room
        words.moved = 1
        if control.reuse == KEEP_VALUES:
            words.epoch += 1
            renew(forest, tree, child)
        root_at(forest, tree, child)
    else:
        plant(forest, tree)
    return True


@part
def write_policy(forest, tree, policy):
    """The improved policy of the root, by number of action; returns the edge that is played."""
    control, words = forest.control, element(forest.trees, tree)
    node, scores = node_of(forest, tree, words.root), forest.scores
    first = edges_of(forest, tree, node)
    for i in range(control.actions):
        policy[i] = 0.0
    if control.algorithm == GUMBEL:
        choice = decided(forest, tree)
        complete(forest, tree, words.root, scores)
        softmax(scores, scores, node.count)
    else:
        for i in range(node.count):
            # where players choose at the same time, no descent may have come as far as the root
            scores[i] = forest.visits[first + i] / node.visits if node.visits > 0 else forest.priors[first + i]
        choice = drawn(forest, tree)
    for i in range(node.count):
        policy[forest.action_numbers[first + i]] = scores[i]
    return choice


@part
def drawn(forest, tree):
    """An edge of the root by its visits to the power of 1 / temperature; late in the game the most visited one."""
    control, words, scores = forest.control, element(forest.trees, tree), forest.scores
    node, best, total = node_of(forest, tree, words.root), 0, 0.0
    for i in range(node.count):
        if scores[i] > scores[best]:
            best = i
    if control.temperature <= 0.0 or words.logged >= control.temperature_plies:
        return best
    most = scores[best]
    for i in range(node.count):
        total += (scores[i] / most) ** (1.0 / control.temperature)
    point = random_unit(at(forest.rng, tree)) * total
    for i in range(node.count):
        point -= (scores[i] / most) ** (1.0 / control.temperature)
        if point < 0.0:
            return i
    return best


@part
def plant(forest, tree):
    """Begin the tree anew at its root's state."""
    control, game, words = forest.control, forest.game, element(forest.trees, tree)
    words.nodes = 0
    words.edges = 0
    words.records = 0
    words.moved = 0
    for slot in range(control.index_room):
        forest.index[tree * control.index_room + slot] = 0
    player = call_player(game.player, at(forest.roots, tree * game.state_size))
    root_at(forest, tree, new_node(forest, tree, player, 0))


@part
def choose_together(forest, tree, player, action):
    """A choice in a simultaneous decision, of which the others know nothing."""
    words = element(forest.trees, tree)
    if words.choices < MOST_CHOICES:
        place = 2 * (tree * MOST_CHOICES + words.choices)
        forest.choices[place] = player
        forest.choices[place + 1] = action
    words.choices += 1
    words.chosen |= 1 << player
    words.last = player


@part
def enter_moment(forest, tree, player):
    """Where players choose at the same time: remember where that began (engine/identity.py says what is one decision)."""
    control, game, words = forest.control, forest.game, element(forest.trees, tree)
    state = at(forest.roots, tree * game.state_size)
    moment = call_simultaneous(game.simultaneous, state)
    again = (words.chosen >> player) & 1 == 1 and words.last != player
    if moment == 0 or moment != words.moment or again or words.choices > MOST_CHOICES:
        words.moment = moment
        words.chosen = 0
        words.choices = 0
        for word in range(game.state_size):
            forest.joints[tree * game.state_size + word] = state[word]
        for viewer in range(control.players):
            forest.joint_views[tree * control.players + viewer] = forest.root_views[tree * control.players + viewer]


@part
def root_at(forest, tree, number):
    words = element(forest.trees, tree)
    words.root = number
    words.observer = node_of(forest, tree, number).player
    if forest.game.simultaneous != 0 and forest.control.self_play != 0:
        enter_moment(forest, tree, words.observer)
    words.started = 0
    words.done = 0
    words.prepared = 0


@part
def move_root(forest, tree):
    """The game has moved on: by one action where edges lead to nodes, else to where the first lane's memory says."""
    control, game, words = forest.control, forest.game, element(forest.trees, tree)
    if control.index_room == 0:
        node, child = node_of(forest, tree, words.root), -1
        first = edges_of(forest, tree, node)
        for i in range(node.count):
            if forest.actions[first + i] == words.move:
                child = forest.children[first + i] - 1
        if child >= 0 and node_of(forest, tree, child).status == EXPANDED:
            keep_below(forest, tree, child)
        else:
            plant(forest, tree)
        return
    row = tree * control.lanes
    for word in range(game.state_size):
        forest.states[row * game.state_size + word] = forest.roots[tree * game.state_size + word]
    for player in range(control.players):
        forest.views[row * control.players + player] = forest.root_views[tree * control.players + player]
    key, mask = key_of(forest, tree, row), control.index_room - 1
    slot = key & mask
    while True:
        known = forest.index[tree * control.index_room + slot]
        if known == 0:
            plant(forest, tree)
            return
        if node_of(forest, tree, known - 1).key == key:
            root_at(forest, tree, known - 1)
            return
        slot = (slot + 1) & mask


@part
def keep_below(forest, tree, top):
    """Keep what is below a node, which becomes the root of a new search."""
    gather(forest, tree, top)
    root_at(forest, tree, 0)


@part
def make_room(forest, tree):
    """Let go of what is not below the root."""
    words = element(forest.trees, tree)
    gather(forest, tree, words.root)
    words.root = 0
    words.moved = 0


@part
def gather(forest, tree, top):
    """Move what is below a node to the beginning of the rooms, in order of depth."""
    control, words = forest.control, element(forest.trees, tree)
    players, nodes, edges, records, at_node = control.players, 1, 0, 0, 0
    copy_node(forest.spare_nodes, 0, forest.nodes, tree * control.node_room + top)
    element(forest.spare_nodes, 0).key = top  # until it is done, a node's key is where it was
    while at_node < nodes:
        node = element(forest.spare_nodes, at_node)
        old, first = node.key, edges_of(forest, tree, node)
        for player in range(players):
            forest.spare_worths[at_node * players + player] = worths_of(forest, tree, old)[player]
            forest.spare_raw[at_node * players + player] = raw_of(forest, tree, old)[player]
        node.first = edges
        for i in range(node.count):
            edge, child = first + i, forest.children[first + i]
            forest.spare_actions[edges + i] = forest.actions[edge]
            forest.spare_action_numbers[edges + i] = forest.action_numbers[edge]
            forest.spare_children[edges + i] = 0
            for player in range(players):
                forest.spare_totals[(edges + i) * players + player] = forest.totals[edge * players + player]
            if child > 0:
                copy_node(forest.spare_nodes, nodes, forest.nodes, tree * control.node_room + child - 1)
                element(forest.spare_nodes, nodes).key = child - 1
                nodes += 1
                forest.spare_children[edges + i] = nodes
        for i in range(0, node.count, WIDTH):  # and the zeros behind them
            put(forest.spare_visits, edges + i, eight(forest.visits, first + i))
            put(forest.spare_priors, edges + i, eight(forest.priors, first + i))
            put(forest.spare_edge_logits, edges + i, eight(forest.edge_logits, first + i))
            put(forest.spare_means, edges + i, eight(forest.means, first + i))
        records += node.count
        edges += whole_eights(node.count)
        at_node += 1
    for number in range(nodes):
        copy_node(forest.nodes, tree * control.node_room + number, forest.spare_nodes, number)
        node_of(forest, tree, number).key = 0
        for player in range(players):
            worths_of(forest, tree, number)[player] = forest.spare_worths[number * players + player]
            raw_of(forest, tree, number)[player] = forest.spare_raw[number * players + player]
    for place in range(edges):
        edge = tree * control.edge_room + place
        forest.actions[edge] = forest.spare_actions[place]
        forest.action_numbers[edge] = forest.spare_action_numbers[place]
        forest.children[edge] = forest.spare_children[place]
        forest.visits[edge] = forest.spare_visits[place]
        forest.priors[edge] = forest.spare_priors[place]
        forest.edge_logits[edge] = forest.spare_edge_logits[place]
        forest.means[edge] = forest.spare_means[place]
        for player in range(players):
            forest.totals[edge * players + player] = forest.spare_totals[place * players + player]
    words.nodes = nodes
    words.edges = edges
    words.records = records


@part
def copy_node(nodes, number, others, other):
    node, source = element(nodes, number), element(others, other)
    node.first = source.first
    node.count = source.count
    node.player = source.player
    node.status = source.status
    node.visits = source.visits
    node.key = source.key
    node.epoch = source.epoch
    node.next = source.next
