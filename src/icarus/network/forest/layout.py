"""The memory of a forest: nodes and edges of every tree, lanes on their way, and what is exchanged with the evaluator.

A node is a decision, an edge a legal action there.  Each tree has rooms of its own for nodes and edges; numbers of nodes and
edges count from the beginning of these rooms.  Totals are rewards of all players, in [0, 1], side by side.
"""

from __future__ import annotations

from numba import types

from icarus.engine.layout import GameWords
from icarus.jit import Floats, Ints, Layout, Number, Random, Reals, To, Word

Halves = types.CPointer(types.int32)
Bytes = types.CPointer(types.uint8)

#: a compiled evaluator: weights, observation, legal, logits, values; all of one row
EVALUATOR = types.void(Floats, Floats, Bytes, Floats, Floats)

#: what the kernel does before it descends: nothing, take the evaluator's answers, undo the lanes that wait for
#: them, move a root on, or only say which of the root's edges Gumbel's rule plays
DESCEND, ANSWER, UNDO, MOVE, DECIDE = range(5)
PUCT, GUMBEL = range(2)
#: what an untried action is worth in PUCT: as much as its node, or nothing
FIRST_PARENT, FIRST_LOSS = range(2)
#: TreeNode.status: nothing known, legal actions listed, a lane waits for its value, it has one
NEW, LISTED, AWAITED, EXPANDED = range(4)
#: ForestControl.reuse: what is kept below a move of self-play: nothing, the tree, or what the evaluator said
KEEP_NOTHING, KEEP_TREE, KEEP_VALUES = range(3)
#: choices of one simultaneous decision that can be told apart
MOST_CHOICES = 64
#: added to what the kernel returns where there is something to look at: an error, a room that is too small, a finished game
LOOK = 1 << 40
#: what became of a lane's descent
WAITS, ENDED, COLLIDED, BROKEN = range(4)
#: ForestControl.error beyond those of engine/layout.py
BAD_LOGIT, BAD_VALUE, BAD_NUMBER = 101, 102, 103
#: ForestControl.grow: which rooms are too small
GROW_NODES, GROW_EDGES, GROW_LOG = 1, 2, 4


class ForestControl(Layout):
    """What is searched, and how far it is."""

    todo = Word()
    trees = Word()
    lanes = Word()  #: of each tree
    players = Word()
    actions = Word()  #: logits of a row
    observation = Word()  #: numbers of a row
    plies = Word()  #: rows of a lane's path
    widest = Word()  #: the most actions of a decision, in whole eights
    node_room = Word()
    edge_room = Word()
    index_room = Word()  #: a power of two; 0: edges lead to nodes
    log_room = Word()
    hidden = Word()  #: every descent begins with a determinization
    algorithm = Word()
    first = Word()  #: FIRST_PARENT or FIRST_LOSS
    c = Number()
    base = Number()
    noise = Number()  #: share of Dirichlet noise in the root's priors
    alpha = Number()  #: of this noise; 0: ten divided by the number of legal actions
    considered = Word()  #: actions that sequential halving begins with
    gumbel = Number()  #: scale of the Gumbel noise at the root
    c_visit = Number()
    c_scale = Number()
    schedule = Word()  #: words of a row of ``schedules``; 0: one row for every root
    schedule_length = Word()
    self_play = Word()
    reuse = Word()
    temperature = Number()
    temperature_plies = Word()
    strangers = Word()  #: how many action numbers are listed in ``numbers``; 0: the number of an action is itself
    stop = Word()
    patience = Word()  #: descents without an evaluation after which the kernel comes back
    evaluator = Word()  #: the address of a compiled evaluator; 0: answers come from outside
    burst = Word()  #: iterations with a compiled evaluator after which the kernel comes back

    waiting = Word()  #: lanes that wait for the evaluator
    evaluations = Word()
    iterations = Word()
    deepest = Word()
    depths = Word()  #: sum over all descents
    grow = Word()
    finished = Word()  #: games of self-play that are over
    error = Word()
    error_tree = Word()
    error_lane = Word()
    error_ply = Word()
    error_value = Word()


class TreeWords(Layout):
    """One tree."""

    root = Word()
    nodes = Word()  #: in use
    edges = Word()  #: rooms in use, whole eights for each node
    records = Word()  #: edges
    started = Word()  #: descents since the tree got this root
    done = Word()
    target = Word()  #: descents until the next move, or the end
    prepared = Word()  #: has the root had its noise?
    over = Word()  #: the game of self-play has ended
    plies = Word()  #: actions since the game began, the environment's too
    logged = Word()  #: rows of the log
    observer = Word()  #: whose knowledge determinizations keep to
    move = Word()  #: the action that a player has made, for MOVE; below 0: none
    epoch = Word()  #: counts the roots of self-play where only the evaluator's words are kept
    moved = Word()  #: are there nodes that are not below the root?
    moment = Word()  #: the number of the simultaneous decision at the root; 0: it is none
    chosen = Word()  #: bit p: player p has chosen in it
    last = Word()  #: who has chosen last
    choices = Word()  #: how many choices were made in it


class TreeNode(Layout):
    first = Word()  #: the room of its first edge
    count = Word()
    player = Word()
    status = Word()
    visits = Word()  #: of its edges; a lane counts when it sets out
    key = Word()
    epoch = Word()  #: of another one than its tree's: what the evaluator said holds, its visits do not
    next = Word()  #: the edge that the next descent takes, counted from the first one (straight.py)


class LaneWords(Layout):
    waits = Word()
    node = Word()
    depth = Word()
    replayed = Word()  #: choices before the root's that were made once more; one more than there are once the root is reached


class PathStep(Layout):
    node = Word()
    edge = Word()


class ForestWorld(Layout):
    """Addresses of everything above; [..] are the dimensions."""

    control = To(ForestControl, fixed=True)
    game = To(GameWords, fixed=True)
    observation = To(Ints, fixed=True)  #: [2]: the address of the observation, and of the action index (0: none)
    trees = To(TreeWords, fixed=True)
    roots = To(Ints, fixed=True)  #: [trees, state]
    root_views = To(Ints, fixed=True)  #: [trees, players]: a hash of what each player has seen
    joints = To(Ints, fixed=True)  #: [trees, state]: where the simultaneous decision at the root began, and nobody had chosen
    joint_views = To(Ints, fixed=True)  #: [trees, players]
    choices = To(Ints, fixed=True)  #: [trees, MOST_CHOICES, 2]: who has chosen what in it
    rng = To(Random, fixed=True)  #: [trees]
    nodes = To(TreeNode, fixed=True)  #: [trees, node_room]
    worths = To(
        Reals, fixed=True
    )  #: [trees, node_room, players]: the evaluator's values and everything that was backed up through the node
    raw = To(Reals, fixed=True)  #: [trees, node_room, players]: the evaluator's values
    # of edges, each [trees, edge_room]; those of a node lie side by side, in whole eights (eights.py)
    actions = To(Ints, fixed=True)
    action_numbers = To(Ints, fixed=True)  #: of their logits
    children = To(Ints, fixed=True)  #: the node behind an edge, plus one
    visits = To(Reals, fixed=True)
    priors = To(Reals, fixed=True)
    edge_logits = To(Reals, fixed=True)
    means = To(Reals, fixed=True)  #: totals of who acts, divided by the visits; 0 without visits
    totals = To(Reals, fixed=True)  #: [trees, edge_room, players]
    index = To(Ints, fixed=True)  #: [trees, index_room]: a node plus one
    noises = To(Reals, fixed=True)  #: [trees, widest]: Gumbel noise of the root's edges
    before = To(Reals, fixed=True)  #: [trees, widest]: visits of the root's edges when the tree got this root
    schedules = To(Ints, fixed=True)  #: [rows, schedule]: the visits that an action must have to be chosen by sequential halving
    lanes = To(LaneWords, fixed=True)  #: [trees * lanes]
    states = To(Ints, fixed=True)  #: [trees * lanes, state]
    views = To(Ints, fixed=True)  #: [trees * lanes, players]
    path = To(PathStep, fixed=True)  #: [trees * lanes, plies]
    numbers = To(Ints, fixed=True)  #: known actions, ascending
    observations = To(Floats, fixed=True)  #: [trees * lanes, observation]
    halves = To(Halves, fixed=True)  #: the same memory
    legal = To(Bytes, fixed=True)  #: [trees * lanes, actions]
    logits = To(Floats, fixed=True)  #: [trees * lanes, actions]
    values = To(Floats, fixed=True)  #: [trees * lanes, players], beginning with who acts
    weights = To(Floats, fixed=True)  #: what a compiled evaluator is given besides
    scratch = To(Ints, fixed=True)  #: [widest]
    scores = To(Reals, fixed=True)  #: [widest]
    rewards = To(Reals, fixed=True)  #: [players]
    ends = To(Reals, fixed=True)  #: [trees, players]: rewards of games of self-play that are over
    log_observations = To(Floats, fixed=True)  #: [trees, log_room, observation]
    log_policies = To(Floats, fixed=True)  #: [trees, log_room, actions]
    log_rows = To(Ints, fixed=True)  #: [trees, log_room, 2]: who acted, and the action
    log_means = To(Reals, fixed=True)  #: [trees, log_room, players]: what the search expected
    # the same of one tree, for moving the root
    spare_nodes = To(TreeNode, fixed=True)
    spare_worths = To(Reals, fixed=True)
    spare_raw = To(Reals, fixed=True)
    spare_actions = To(Ints, fixed=True)
    spare_action_numbers = To(Ints, fixed=True)
    spare_children = To(Ints, fixed=True)
    spare_visits = To(Reals, fixed=True)
    spare_priors = To(Reals, fixed=True)
    spare_edge_logits = To(Reals, fixed=True)
    spare_means = To(Reals, fixed=True)
    spare_totals = To(Reals, fixed=True)
