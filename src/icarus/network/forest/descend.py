"""A descent: from the root along chosen edges to a decision without a value, or to the end of the game.

Visits are counted on the way, so that the lanes of one tree that are under way count as lost for each other (virtual loss).
Where one sequence of actions leads to one state that everybody sees, an edge knows the node behind it.  Elsewhere a node is
what the player who acts has seen and sees in this determinization: a hash of its moves, of its observation and of its legal
actions.  The environment's outcomes are drawn, and are part of what players see.

Where players choose at the same time and some have chosen already, a descent begins before that: the others choose once more,
each by the statistics of its own node, and never what they have really chosen; then the searching player is at the root.
"""

from __future__ import annotations

import math

from icarus.engine.calls import (
    call_apply,
    call_determinize,
    call_legal,
    call_observe,
    call_player,
    call_rewards,
    call_sample,
    call_terminal,
)
from icarus.engine.layout import BAD_REWARD, FINE, NO_ACTION, TOO_LONG, TOO_MANY_ACTIONS
from icarus.game import ENCODINGS
from icarus.jit import at, caller, element, part
from icarus.jit.eights import WIDTH, eight, largest, only, place_of_first, put, spread, whole_eights, with_one
from icarus.jit.randomness import mix
from icarus.network.forest.choose import choose, edges_of, node_of, raw_of, softmax, totals_of, weigh, worths_of
from icarus.network.forest.layout import (
    AWAITED,
    BAD_LOGIT,
    BAD_NUMBER,
    BAD_VALUE,
    BROKEN,
    COLLIDED,
    ENDED,
    EVALUATOR,
    EXPANDED,
    LISTED,
    MOST_CHOICES,
    NEW,
    WAITS,
)

call_observation = caller(ENCODINGS["observation"])
call_action_index = caller(ENCODINGS["action_index"])
call_evaluator = caller(EVALUATOR)

OVER = -1  #: nobody acts
ROUNDING = 1e-4  #: how far a value of 32 bits may be outside of [0, 1]


@part
def descend(forest, tree, row):
    """Send the lane of this row down its tree; returns what became of it."""
    control, game, words, lane = forest.control, forest.game, element(forest.trees, tree), element(forest.lanes, row)
    state, views = at(forest.states, row * game.state_size), at(forest.views, row * control.players)
    lane.depth = 0
    lane.replayed = 0
    number = words.root
    expanded = node_of(forest, tree, number).status == EXPANDED
    joint = expanded and words.choices > 0
    source = at(forest.joints if joint else forest.roots, tree * game.state_size)
    for word in range(game.state_size):
        state[word] = source[word]
    if not expanded:  # the value of the root itself
        return await_value(forest, tree, row, number)
    words.started += 1
    if control.hidden != 0:
        call_determinize(game.determinize, state, words.observer, at(forest.rng, tree))
    source = at(forest.joint_views if joint else forest.root_views, tree * control.players)
    for player in range(control.players):
        views[player] = source[player]
    if joint:
        number = find_joint(forest, tree, row, call_player(game.player, state))
        if number < 0:
            return BROKEN
        status = node_of(forest, tree, number).status
        if status == AWAITED:
            words.started -= 1
            return COLLIDED
        if status != EXPANDED:
            words.started -= 1
            return await_value(forest, tree, row, number)
    # may somebody come by before the lane is back?
    meets = control.lanes > 1 or control.index_room != 0
    while True:
        node = node_of(forest, tree, number)
        place = node.first + choose(forest, tree, number)
        edge = tree * control.edge_room + place
        forest.visits[edge] += 1.0
        node.visits += 1
        if meets:
            weigh(forest, edge, node.player)
        step = element(forest.path, row * control.plies + lane.depth)
        step.node = number
        step.edge = place
        lane.depth += 1
        if forest.children[edge] != 0:  # one state, in which somebody acts
            call_apply(game.apply, state, forest.actions[edge])
            player = node_of(forest, tree, forest.children[edge] - 1).player
        else:
            player = play(forest, tree, state, views, forest.actions[edge], lane.depth)
        if control.error != FINE:
            return BROKEN
        if player < 0:
            call_rewards(game.rewards, state, forest.rewards)
            if not rewards_fit(forest, tree, lane.depth):
                return BROKEN
            back_up(forest, tree, row)
            return ENDED
        if lane.depth >= control.plies:
            return fail(forest, TOO_LONG, tree, lane.depth, game.max_plies)
        if joint and lane.replayed <= words.choices:
            number = find_joint(forest, tree, row, player)
            if number < 0:
                return BROKEN
        else:
            number = node_behind(forest, tree, row, place, player)
        node = node_of(forest, tree, number)
        status = node.status
        if status == AWAITED:
            undo(forest, tree, row)
            return COLLIDED
        if status == EXPANDED and node.epoch != words.epoch:  # nobody need be asked again
            renew(forest, tree, number)
            for player in range(control.players):
                forest.rewards[player] = raw_of(forest, tree, number)[player]
            back_up(forest, tree, row)
            return ENDED
        if status != EXPANDED:
            return await_value(forest, tree, row, number)


@part
def find_joint(forest, tree, row, player):
    """The node of who acts while the choices before the root's are made once more; below 0: the game is broken.

    The searching player's own choices are what they were, and after the last of them it is at the root.
    """
    control, game, words, lane = forest.control, forest.game, element(forest.trees, tree), element(forest.lanes, row)
    state, views = at(forest.states, row * game.state_size), at(forest.views, row * control.players)
    choices = at(forest.choices, 2 * tree * MOST_CHOICES)
    while lane.replayed < words.choices:
        if player != words.observer:
            if choices[2 * lane.replayed] == words.observer:
                break  # somebody chooses out of turn: who chooses when is not the same in all such states
            lane.replayed += 1
            return find(forest, tree, key_of(forest, tree, row), player)
        if choices[2 * lane.replayed] != words.observer:
            break
        player = play(forest, tree, state, views, choices[2 * lane.replayed + 1], lane.depth)
        lane.replayed += 1
        if control.error == FINE and player < 0:
            fail(forest, NO_ACTION, tree, lane.depth, 0)
        if control.error != FINE:
            return OVER
    lane.replayed = words.choices + 1  # from here on it is a descent like any other
    if player == words.observer:
        return words.root
    return find(forest, tree, key_of(forest, tree, row), player)


@part
def play(forest, tree, state, views, action, ply):
    """Apply an action and all that the environment does after it; returns who acts next, or OVER."""
    game = forest.game
    follow(forest, state, views, action)
    call_apply(game.apply, state, action)
    steps = 0
    while call_terminal(game.terminal, state) == 0:
        player = call_player(game.player, state)
        if player >= 0:
            return player
        outcome = call_sample(game.sample, state, at(forest.rng, tree))
        follow(forest, state, views, outcome)
        call_apply(game.apply, state, outcome)
        steps += 1
        if steps > game.max_plies:
            fail(forest, TOO_LONG, tree, ply, game.max_plies)
            return OVER
    return OVER


@part
def follow(forest, state, views, action):
    """Let every player see what is about to happen, where nodes are named by what players see."""
    if forest.control.index_room == 0:
        return
    for player in range(forest.control.players):
        move = call_observe(forest.game.observe, state, action, player) if forest.game.observe != 0 else action
        if move >= 0:
            views[player] = mix(views[player], move)


@part
def node_behind(forest, tree, row, place, player):
    """The node that the lane has come to, made if there was none."""
    if forest.control.index_room == 0:
        edge = tree * forest.control.edge_room + place
        if forest.children[edge] == 0:
            forest.children[edge] = new_node(forest, tree, player, 0) + 1
        return forest.children[edge] - 1
    return find(forest, tree, key_of(forest, tree, row), player)


@part
def key_of(forest, tree, row):
    """What names the decision that a lane has come to: who acts and what this player has seen, sees, and may do."""
    control, game = forest.control, forest.game
    state = at(forest.states, row * game.state_size)
    player = call_player(game.player, state)
    key = mix(forest.views[row * control.players + player], player)
    if control.hidden != 0:
        look(forest, row, player)
        for i in range(control.observation):
            key = mix(key, forest.halves[row * control.observation + i])
        count = call_legal(game.legal, state, forest.scratch)
        for i in range(min(count, game.max_actions)):
            key = mix(key, forest.scratch[i])
    return key


@part
def find(forest, tree, key, player):
    """The node of this name in a tree's index, made if there was none."""
    control = forest.control
    mask = control.index_room - 1
    slot = key & mask
    while True:
        known = forest.index[tree * control.index_room + slot]
        if known == 0:
            number = new_node(forest, tree, player, key)
            forest.index[tree * control.index_room + slot] = number + 1
            return number
        if node_of(forest, tree, known - 1).key == key:
            return known - 1
        slot = (slot + 1) & mask


@part
def new_node(forest, tree, player, key):
    words = element(forest.trees, tree)
    number = words.nodes
    words.nodes += 1
    node = node_of(forest, tree, number)
    node.first = 0
    node.count = 0
    node.player = player
    node.status = NEW
    node.visits = 0
    node.key = key
    node.epoch = words.epoch
    return number


@part
def renew(forest, tree, number):
    """Leave of a node what the evaluator said: a search then is as if it were new, and asks less."""
    control, node = forest.control, node_of(forest, tree, number)
    worths, raw = worths_of(forest, tree, number), raw_of(forest, tree, number)
    node.epoch = element(forest.trees, tree).epoch
    node.visits = 0
    for player in range(control.players):
        worths[player] = raw[player]
    first, most = edges_of(forest, tree, node), -1.0
    forget(forest, first, node.count)
    for i in range(0, node.count, WIDTH):
        prior = only(eight(forest.priors, first + i), node.count - i)
        if largest(prior) > most:
            most = largest(prior)
            node.next = i + place_of_first(prior, most)


@part
def forget(forest, first, count):
    """Let edges be as if nobody had taken them."""
    for i in range(0, count, WIDTH):
        put(forest.visits, first + i, 0.0)
        put(forest.means, first + i, 0.0)
    for i in range(0, count * forest.control.players, WIDTH):
        put(forest.totals, first * forest.control.players + i, 0.0)


@part
def look(forest, row, player):
    """Write what a player sees into the lane's row."""
    state = at(forest.states, row * forest.game.state_size)
    out = at(forest.observations, row * forest.control.observation)
    call_observation(forest.observation[0], state, player, out)


@part
def await_value(forest, tree, row, number):
    """The lane stops at a node: list its actions, and write what the evaluator is shown."""
    control, lane = forest.control, element(forest.lanes, row)
    if not show(forest, tree, row, number, lane.depth):
        return BROKEN
    node_of(forest, tree, number).status = AWAITED
    lane.node = number
    lane.waits = 1
    control.waiting += 1
    return WAITS


@part
def show(forest, tree, row, number, ply):
    """Write what the evaluator is shown of a lane's state, at a node whose actions are listed now if they were not before."""
    control, node = forest.control, node_of(forest, tree, number)
    if node.status == NEW and not list_actions(forest, tree, at(forest.states, row * forest.game.state_size), number, ply):
        return False
    look(forest, row, node.player)
    legal, first = at(forest.legal, row * control.actions), edges_of(forest, tree, node)
    for i in range(control.actions):
        legal[i] = 0
    for i in range(node.count):
        legal[forest.action_numbers[first + i]] = 1
    return True


@part
def list_actions(forest, tree, state, number, ply):
    """Give a node an edge for every legal action."""
    control, game, words, node = forest.control, forest.game, element(forest.trees, tree), node_of(forest, tree, number)
    node.first = words.edges
    first = edges_of(forest, tree, node)
    legal = at(forest.actions, first)
    count = call_legal(game.legal, state, legal)
    if count < 1 or count > game.max_actions:
        fail(forest, NO_ACTION if count < 1 else TOO_MANY_ACTIONS, tree, ply, count)
        return False
    direct, actions = forest.observation[1] == 0 and control.strangers == 0, control.actions
    for i in range(count):
        numbered = legal[i] if direct else number_of(forest, state, legal, i, count)
        if numbered < 0 or numbered >= actions:
            fail(forest, BAD_NUMBER, tree, ply, legal[i])
            return False
        forest.action_numbers[first + i] = numbered
    for i in range(0, count, WIDTH):
        put(forest.children, first + i, 0.0)
        put(forest.priors, first + i, 0.0)
        put(forest.edge_logits, first + i, 0.0)
    node.count = count
    forget(forest, first, count)
    words.edges += whole_eights(count)
    words.records += count
    node.status = LISTED
    return True


@part
def number_of(forest, state, legal, at_action, count):
    """The number of a legal action's logit: as the game says, or its place among the known ones, or behind them."""
    control, action = forest.control, legal[at_action]
    if forest.observation[1] != 0:
        return call_action_index(forest.observation[1], state, action)
    place = place_of(forest, action)
    if place < control.strangers and forest.numbers[place] == action:
        return place
    # an action that was not known: by its rank among those that are legal here
    rank = 0
    for i in range(count):
        other = legal[i]
        if other < action:
            place = place_of(forest, other)
            if place >= control.strangers or forest.numbers[place] != other:
                rank += 1
    return control.strangers + rank


@part
def place_of(forest, action):
    low, high = 0, forest.control.strangers
    while low < high:
        middle = (low + high) // 2
        if forest.numbers[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low


@part
def rewards_fit(forest, tree, ply):
    for player in range(forest.control.players):
        if not 0.0 <= forest.rewards[player] <= 1.0:
            fail(forest, BAD_REWARD, tree, ply, player)
            return False
    return True


@part
def back_up(forest, tree, row):
    """Add the rewards to everything on the lane's way."""
    control, lane, words = forest.control, element(forest.lanes, row), element(forest.trees, tree)
    for depth in range(lane.depth):
        step = element(forest.path, row * control.plies + depth)
        totals, worths = totals_of(forest, tree, step.edge), worths_of(forest, tree, step.node)
        for player in range(control.players):
            totals[player] += forest.rewards[player]
            worths[player] += forest.rewards[player]
        weigh(forest, tree * control.edge_room + step.edge, node_of(forest, tree, step.node).player)
    if lane.depth > 0:
        words.done += 1
        control.iterations += 1
        control.depths += lane.depth
        control.deepest = max(control.deepest, lane.depth)


@part
def undo(forest, tree, row):
    """Take back what a lane has counted on its way."""
    control, lane = forest.control, element(forest.lanes, row)
    for depth in range(lane.depth):
        step = element(forest.path, row * control.plies + depth)
        node, edge = node_of(forest, tree, step.node), tree * control.edge_room + step.edge
        forest.visits[edge] -= 1.0
        node.visits -= 1
        weigh(forest, edge, node.player)
    if lane.depth > 0:
        element(forest.trees, tree).started -= 1


@part
def undo_waiting(forest):
    """No answer came: the lanes that wait have never set out."""
    control = forest.control
    for row in range(control.trees * control.lanes):
        lane = element(forest.lanes, row)
        if lane.waits != 0:
            undo(forest, row // control.lanes, row)
            node_of(forest, row // control.lanes, lane.node).status = LISTED
            lane.waits = 0
    control.waiting = 0


@part
def answers_fit(forest):
    """Are the evaluator's answers numbers, for every lane that waits?"""
    for row in range(forest.control.trees * forest.control.lanes):
        lane = element(forest.lanes, row)
        if lane.waits != 0 and not answer_fits(forest, row // forest.control.lanes, row, lane.node):
            return False
    return True


@part
def answer_fits(forest, tree, row, number):
    """Are an evaluator's answers numbers?  Its logits of a node's actions are then with their edges."""
    control, node = forest.control, node_of(forest, tree, number)
    logits, values = at(forest.logits, row * control.actions), at(forest.values, row * control.players)
    first, few = edges_of(forest, tree, node), spread(0.0)
    for i in range(node.count):
        place = forest.action_numbers[first + i]
        logit = logits[place]
        if not -math.inf < logit < math.inf:
            control.error_value = place
            return mark(control, BAD_LOGIT, tree, row)
        if node.count > WIDTH:
            forest.edge_logits[first + i] = float(logit)
        else:
            few = with_one(few, i, float(logit))
    if node.count <= WIDTH:  # in one go: what is written one by one is slow to be read again eight at a time
        put(forest.edge_logits, first, few)
    for player in range(control.players):
        if not -ROUNDING <= values[player] <= 1.0 + ROUNDING:
            control.error_value = player
            return mark(control, BAD_VALUE, tree, row)
    return True


@part
def mark(control, error, tree, row):
    control.error = error
    control.error_tree = tree
    control.error_lane = row
    return False


@part
def take_answers(forest):
    """Expand the nodes that lanes wait at, and back their values up."""
    for row in range(forest.control.trees * forest.control.lanes):
        if element(forest.lanes, row).waits != 0:
            take_answer(forest, row // forest.control.lanes, row)


@part
def take_answer(forest, tree, row):
    control, lane = forest.control, element(forest.lanes, row)
    expand(forest, tree, row, lane.node)
    back_up(forest, tree, row)
    lane.waits = 0
    control.waiting -= 1
    control.evaluations += 1


@part
def ask_compiled(forest, row):
    """Have a compiled evaluator value what a lane shows it."""
    control = forest.control
    call_evaluator(
        control.evaluator,
        forest.weights,
        at(forest.observations, row * control.observation),
        at(forest.legal, row * control.actions),
        at(forest.logits, row * control.actions),
        at(forest.values, row * control.players),
    )


@part
def answer(forest, tree):
    """Have a compiled evaluator value the lanes of a tree that wait, all before any of them goes on; returns how many.

    Below 0: it has said what is no number.
    """
    control, asked = forest.control, 0
    for row in range(tree * control.lanes, (tree + 1) * control.lanes):
        if element(forest.lanes, row).waits != 0:
            ask_compiled(forest, row)
            if not answer_fits(forest, tree, row, element(forest.lanes, row).node):
                return -1
            asked += 1
    for row in range(tree * control.lanes, (tree + 1) * control.lanes):
        if element(forest.lanes, row).waits != 0:
            take_answer(forest, tree, row)
    return asked


@part
def expand(forest, tree, row, number):
    """Priors are a softmax over the logits of legal actions; values begin with the player who acts."""
    control, node = forest.control, node_of(forest, tree, number)
    first, seat = edges_of(forest, tree, node), node.player
    # the first descent takes the greatest prior
    node.next = softmax(at(forest.edge_logits, first), at(forest.priors, first), node.count)
    worths, raw, values = worths_of(forest, tree, number), raw_of(forest, tree, number), at(forest.values, row * control.players)
    for i in range(control.players):
        value = min(max(float(values[i]), 0.0), 1.0)
        forest.rewards[seat] = value
        worths[seat] = value
        raw[seat] = value
        seat = seat + 1 if seat + 1 < control.players else 0
    node.status = EXPANDED


@part
def fail(forest, error, tree, ply, value):
    control = forest.control
    control.error = error
    control.error_tree = tree
    control.error_ply = ply
    control.error_value = value
    return BROKEN
