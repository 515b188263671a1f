"""The layout of a search in memory, in one place: every array, and the name of each of its words.

The compiled loop knows nothing but a *world*: the addresses of everything below.  ``world.control.done`` is a word,
``element(world.lanes, 3).turn`` a word of the fourth lane, ``Record(world.pool, offset).visits`` a word of the record table.
"""

from __future__ import annotations

from icarus.jit import Ints, Layout, Number, Numbers, Random, Reals, To, Word, Words, high, low, size_of

# --- constants -------------------------------------------------------------------------------------------------------

ENVIRONMENT = -1  #: in place of a player: dice, deals, referees
OVER = -2  #: in place of a player: the game has ended
NOTHING_SEEN = 2**31 - 1  #: in a tree of moves: the edge of what the searching player did not notice

#: what names a tree node (Control.identity): the actions up to it, the moves as the searching player or as each player saw them,
#: or the state itself (a game's ``key``)
BY_ACTIONS, BY_ROOT_VIEW, BY_EACH_VIEW, BY_STATE = range(4)
#: what is wrong with the game (Control.error)
FINE, NO_ACTION, TOO_MANY_ACTIONS, TOO_LONG, BAD_REWARD, BAD_ACTION, IN_CALLBACK, BAD_SCORE = range(8)
#: why a driver came back
ITERATIONS_DONE, INDEX_TOO_SMALL, OUT_OF_MEMORY, ENOUGH_RECORDS, STOPPED, FAILED, PROVEN, RUNS_DONE = range(8)
#: phases of a playout
SELECTION, EXPANSION, SIMULATION = range(3)

#: what a capture keeps (CaptureRow.kind)
KEEPS_RECORDS, KEEPS_REPLIES, KEEPS_REPLIES_FORGETS, KEEPS_ALL_MOVES, KEEPS_NOTHING = range(5)
WHOLE_PLAYOUT, TREE_ONLY = range(2)  #: CaptureRow.scope
SUM, BEST = range(2)  #: CaptureRow.merge: what a step that has several contexts reads of an action
#: which nodes get AMAF statistics, and for their legal moves or for every move below (CaptureRow.amaf_nodes)
AT_SELECTION, IN_TREE, AT_SELECTION_EVERY_MOVE, IN_TREE_EVERY_MOVE = range(4)
MAX_CAPTURES = 32
MAX_KEYS = 512  #: how many contexts one step may have (PAST, tiles)

#: what a prior finds in ``reward`` and ``visits`` (StrategyWords.prior_reads): zeros, the game's heuristic in ``reward``, or what
#: the player's previous node on the path knows of the same actions
PRIOR_READS_NOTHING, PRIOR_READS_HEURISTIC, PRIOR_READS_GRANDFATHER = range(3)

LEAF, LINEAR, MAXILINEAR, VOTE, UNIFORM = range(5)  #: PolicyNode.kind
ARG_MAX, DISTRIBUTION = range(2)  #: PolicyNode.shape: values to maximise, or weights to draw by
#: policies, weights and mixtures of which the loop has a twin (PolicyNode.inlined); a policy declares it (strategy/base.py)
NOT_INLINED, INLINED_UCB1, INLINED_UCB1_TUNED, INLINED_UCB1_SUM, INLINED_GIBBS, INLINED_REPLY = range(6)
INLINED_CADIA, INLINED_RAVE_WEIGHT, INLINED_RAVE, INLINED_ROULETTE_WHEEL = range(6, 10)

#: what the end of a playout does to a record or a context (Update.kind)
VISIT_ONE, AVAILABLE_ONE, REPLY_GOOD, REPLY_GOOD_OR_FORGET = range(4)

# --- the game --------------------------------------------------------------------------------------------------------


class GameWords(Layout):
    """Addresses of a game's functions (0: it has none), and its bounds."""

    player = Word()
    legal = Word()
    apply = Word()
    terminal = Word()
    rewards = Word()
    score = Word()
    code = Word()
    sample = Word()
    chance = Word()
    determinize = Word()
    put_back = Word()
    observe = Word()
    simultaneous = Word()
    episode = Word()
    heuristic = Word()
    predicates = Word()
    key = Word()
    playout = Word()
    prune = Word()
    decisive = Word()
    involved = Word()
    margin = Word()
    evaluate = Word()
    suggest = Word()
    guided = Word()
    features = Word()
    shifts = Word()
    advance = Word()
    advance_all = Word()
    copy = Word()
    finish = Word()
    players = Word()
    state_size = Word()
    max_actions = Word()
    max_plies = Word()


class Report(Layout):
    """What a game that reports says of a state."""

    player = Word()
    count = Word()
    together = Word()
    label = Word()


# --- what is searched, and how ---------------------------------------------------------------------------------------


class Control(Layout):
    """Budget, observer, root, counters of one worker."""

    target = Word()  #: iterations to start in all
    started = Word()
    done = Word()
    error = Word()
    error_ply = Word()
    error_value = Word()
    observer = Word()  #: the searching player
    identity = Word()  #: what names a node
    resample = Word()  #: draw a determinization for every iteration
    draws = Word()  #: iterations begin with one of so many states (World.drawn_states); 0: with the root
    postponed = Word()  #: from this ply on a node belongs to one of them, and everything in it is known
    redetermine = Word()  #: before each decision below the root, draw what the player who acts cannot know
    even = Word()  #: chance by even visits
    root_record = Word()  #: the baseline record of the root
    root_ply = Word()  #: moves known from before the search (the current episode's)
    root_label = Word()  #: the episode under way at the root ...
    root_episode = Word()  #: ... and the ply at which it began
    max_records = Word()
    lanes = Word()
    plies = Word()  #: words per lane in what is kept ply by ply
    update_rows = Word()
    path_legal_words = Word()
    note_words = Word()  #: room for what a lane's playout notes for its lesson
    views = Word()
    later_slots = Word()
    later_stamp = Word()  #: tells the counts of later moves that are of now from older ones
    policy_nodes = Word()
    tree_steps = Word()
    all_steps = Word()
    deepest = Word()
    straight = Word()  #: one lane, a compiled game, and a history leads to one state: drive/straight.py serves
    tree_twin = Word()  #: INLINED_UCB1, INLINED_UCB1_TUNED or INLINED_RAVE where that serves in the tree
    amaf_by_node = Word()  #: the capture whose records a node leads to by itself (amaf/by_node.py), if there is one
    proofs = Word()  #: addresses of what looks for proofs (proofs/bounds.py), 0: nothing does ...
    after_playout = Word()  #: ... of what a playout is told to (engine/positions.py, amaf/permutations.py), ...
    refreshes = Word()  #: positions: also those that lead to them
    permuted = Word()  #: permutations: of which capture ...
    permutations = Word()  #: ... and how many nodes at most
    narrow = Word()  #: address of what proofs or positions do on the way down
    weigh = Word()
    proof_place = Word()  #: how many numbers of a record stand before its bounds
    rule = Word()  #: what is taken for granted of players who do not care
    threshold = Word()  #: visits of a node below which no move is left out, whatever is proven of it
    gamma = Number()  #: of the pessimistic bound, and delta of the optimistic one: what is added to an average
    delta = Number()
    number_place = Word()  #: how many numbers of a record stand before its proof numbers (proofs/proof_number.py), ...
    playouts = Word()  #: ... and how many playouts say what they begin with
    runs = Word()  #: how often an algorithm that ends by itself has done so ...
    runs_wanted = Word()  #: ... and how often it shall, 0: until the budget is used up
    keeps = Word()  #: the best playout is kept: the game is for one player
    scored = Word()  #: playouts whose score has been read (evaluate/score.py)
    best_length = Word()  #: of World.best_line
    best_score = Number()
    ranged = Word()  #: least_score and most_score are known, perhaps from an earlier search of the same game
    least_score = Number()
    most_score = Number()


class StrategyWords(Layout):
    """What the loop must know of a strategy as a whole; addresses of its seams, 0 for the default."""

    tree_policy = Word()
    plain_tree = Word()  #: the tree's policy is one leaf on the baseline's records
    simulation_policy = Word()
    simultaneous_policy = Word()
    capture_count = Word()
    needs_moves = Word()  #: some capture uses the moves of a playout ...
    needs_steps = Word()  #: ... the contexts of every step ...
    needs_later = Word()  #: ... the moves that come later than a tree node
    needs_episodes = Word()  #: ... the episode under way: without this the game is not asked for it
    uniform = Word()  #: simulations are uniformly random, and nobody looks at their steps
    random_steps = Word()  #: the same, but AMAF may ask what they were
    max_depth = Word()
    one_context = Word()  #: every capture has one context in a step, which it reads and writes (select/simulation.py)
    statistic_count = Word()
    captured_statistics = Word()  #: of these so many are in the records of captures, too: all or none
    leaf = Word()
    leaf_numbers = Word()
    prior = Word()
    prior_numbers = Word()
    evaluator = Word()
    evaluator_numbers = Word()
    backup = Word()
    backup_numbers = Word()
    prior_reads = Word()  #: what a prior is shown: PRIOR_READS_...
    rewards_numbers = Word()  #: where the map r' = A r + b of rewards is, row by row with b in front; 0: none
    outcomes = Word()  #: double progressive widening: at most ceil(k n^alpha) outcomes of the environment
    outcomes_numbers = Word()
    tree_filters = Word()  #: so many of World.filters say what is considered in the tree ...
    simulation_filters = Word()  #: ... and so many behind them what is considered in simulations
    cutoff = Word()  #: a playout ends after so many plies less one, and the state is evaluated; 0: it goes to the end
    suggests = Word()  #: playouts ask the game's ``suggest`` first ...
    suggests_numbers = Word()  #: ... with this probability
    evaluation = Word()  #: a strategy's own evaluation in place of the game's ...
    evaluation_numbers = Word()  #: ... and its weights
    values_leaves = Word()  #: the state at the leaf is evaluated, for the backup (Trace.leaf)
    lesson = Word()  #: what a playout teaches the weights that playouts choose by ...
    lesson_numbers = Word()  #: ... and its parameters
    per_player = Word()  #: how far the parameters of the next player are behind those of one; 0: all players have the same


class CaptureRow(Layout):
    """One capture; number 0 is the baseline."""

    kind = Word()
    read = Word()  #: address of the context function ...
    write = Word()  #: ... and of that for writing
    scope = Word()
    availability = Word()
    numbers = Word()  #: where its parameters are
    amaf_nodes = Word()
    amaf_reference = Word()
    merge = Word()
    facts_needed = Word()
    amaf_first = Word()  #: where it says how many moves of a simulation count as played later
    in_playouts = Word()  #: AMAF that simulations read, too
    killers = Word()  #: of a playout that was won only the moves that took part in that count (killer RAVE)


class PolicyNode(Layout):
    """One node of a strategy's policy: a leaf with a reuse function, or an operator over children."""

    kind = Word()
    first_child = Word()
    child_count = Word()
    capture = Word()
    function = Word()
    shape = Word()
    numbers = Word()
    first_statistic = Word()  #: into World.statistic_uses
    used_statistics = Word()
    inlined = Word()
    untried_first = Word()  #: its function values every untried arm at infinity


class Child(Layout):
    """A child of an operator, and the product of factors that is its weight."""

    node = Word()
    first_factor = Word()
    factor_count = Word()


class Factor(Layout):
    weight = Word()  #: a weight function (0: a constant) ...
    numbers = Word()
    complement = Word()  #: ... and whether 1 - weight is meant


class FilterRow(Layout):
    """A function that says which of the legal actions are considered."""

    function = Word()
    numbers = Word()


class StatisticRow(Layout):
    """One more number in every record, and how a playout changes it."""

    update = Word()
    numbers = Word()


# --- what plug-ins see -----------------------------------------------------------------------------------------------


class HistoryRecord(Layout):
    """The baseline's record of the history so far: total reward of who is to act, visits, availability."""

    reward = Number()
    visits = Number()
    available = Number()
    playouts = Number()  #: of the whole search so far


class Arms(Layout):
    """What a policy sees: one arm per legal action, each with the numbers of its record."""

    size = Word()
    reward = To(Reals, fixed=True)  #: total reward of the player about to act
    visits = To(Reals, fixed=True)
    available = To(Reals, fixed=True)  #: how often it could have been chosen
    statistic = To(Reals, fixed=True)  #: of the k-th statistic that the policy declares: ``statistic[k * stride + i]``
    stride = Word()
    baseline_reward = To(Reals, fixed=True)  #: the same of the baseline's records
    baseline_visits = To(Reals, fixed=True)
    baseline_available = To(Reals, fixed=True)
    node = To(HistoryRecord, fixed=True)  #: the record of the history itself
    rng = To(Random)


class Step(Layout):
    """What a context function sees of the step under way.

    Plies count from the first move that the search knows.  ``moves`` are as the player about to act saw them (``UNSEEN``: it
    noticed nothing).  The engine keeps the contexts of different captures and players apart, so a key needs to name neither.
    """

    player = Word()  #: who acts
    ply = Word()  #: of this step: moves 0 .. ply - 1 have been made
    root = Word()  #: the ply of the root
    label = Word()  #: of the current episode
    episode = Word()  #: the ply at which that began, which may be before the root
    phase = Word()  #: SELECTION, EXPANSION or SIMULATION
    fact_count = Word()  #: how many predicates hold (below 0: not asked yet)
    moves = To(Ints)
    actors = To(Ints)  #: who made them
    facts = To(Ints)  #: the predicates that hold


class Candidates(Layout):
    """What a filter sees: a state, who acts, and the legal actions, which it may cut down."""

    state = To(Ints)
    actions = To(Ints)
    size = Word()
    player = Word()
    game = To(GameWords, fixed=True)
    states = To(Ints, fixed=True)  #: [2, state_size] to try things out
    others = To(Ints, fixed=True)  #: [2, max_actions]
    rewards = To(Reals, fixed=True)  #: [players]
    values = To(Reals, fixed=True)  #: [max_actions]
    features = To(Ints, fixed=True)  #: [max_features]
    ply = Word()  #: of a simulation: how many plies it has played
    rng = To(Random)
    evaluation = Word()  #: a strategy's own evaluation, 0: the game's
    weights = To(Reals)  #: of that
    learned = To(Reals, fixed=True)  #: [feature_count] what playouts of this search have taught, where the strategy learns
    notes = To(Ints)  #: [room] of this playout, for the lesson at its end: how many words there are, then the words
    room = Word()


class Lesson(Layout):
    """What a strategy that learns during the search sees at the end of a playout: its notes, what came of it, the weights."""

    notes = To(Ints)
    rewards = To(Reals)
    learned = To(Reals, fixed=True)


class Leaves(Layout):
    """What an evaluator sees: the lanes that wait at their leaves, and where their rewards go.

    The state of the i-th is at ``states[lanes[i] * state_size]``, its rewards at ``rewards[lanes[i] * players]``.
    """

    count = Word()
    lanes = To(Ints, fixed=True)
    states = To(Ints, fixed=True)
    state_size = Word()
    rewards = To(Reals, fixed=True)
    players = Word()
    rng = To(Random, fixed=True)  #: one word per lane
    game = To(GameWords, fixed=True)
    scratch = To(Ints, fixed=True)  #: [state_size] to play things out
    actions = To(Ints, fixed=True)  #: [max_actions]
    outcome = To(Reals, fixed=True)  #: [players]


class PathRow(Layout):
    """A step down the tree: the record that was chosen, and at which node."""

    record = Word()
    node = Word()
    player = Word()
    visits = Word()  #: of the history before this playout
    ply = Word()
    selection = Word()  #: all records of the node had been visited
    first_legal = Word()  #: into World.path_legal
    legal_count = Word()
    arm = Word()  #: what the node keeps of it at a glance, 0: nothing (select/glance.py)
    odds = Number()  #: the probability with which the record was drawn, if it was


class Trace(Layout):
    """What a backup sees: the way down and what came of it."""

    pool = To(Ints, fixed=True)
    path = To(PathRow)
    depth = Word()
    rewards = To(Reals)
    players = Word()
    shared = Word()  #: other threads change the same records
    width = Word()  #: words of a record
    end = Word()  #: the ply at which the playout ended, counted as PathRow.ply
    state = To(Ints)  #: the end of the playout
    game = To(GameWords, fixed=True)
    leaf = To(Reals)  #: [players] what the evaluation says of the leaf, where the strategy asks for it


# --- lanes: playouts under way ---------------------------------------------------------------------------------------


class Lane(Layout):
    # what every step reads, side by side
    turn = Word()  #: who acts, ENVIRONMENT or OVER
    count = Word()  #: legal actions
    together = Word()  #: a simultaneous decision
    running = Word()
    in_tree = Word()
    ply = Word()
    label = Word()
    episode = Word()
    record = Word()  #: the baseline record of the history, ...
    counts = Word()  #: ... its counts before this playout, ...
    node = Word()  #: ... and the node that follows it, where that is known
    rows = Word()  #: of the path
    legal_words = Word()  #: of the path's legal actions
    updates = Word()
    depth = Word()  #: decisions in the tree
    valued = Word()  #: an evaluator has said what the leaf is worth
    in_block = Word()  #: within a simultaneous decision: bit 0, and bit p + 1 if player p has chosen
    last_chose = Word()
    moment = Word()  #: what the game calls it
    drawn = Word()  #: the number of the state that the iteration began with
    redrawn = Word()  #: the decision under way is made in a determinization of whoever acts; it was World.before


class Update(Layout):
    """What the end of a playout must do to a record of a capture, or to a context's reply."""

    target = Word()
    kind = Word()
    player = Word()
    capture = Word()
    action = Word()  #: of a reply
    odds = Number()


class Looked(Layout):
    """What a step has found out about a capture's context."""

    count = Word()  #: how many there are; below 0: not asked yet; above 1: not kept
    key = Word()
    context = Word()
    directory = Word()  #: of its pages, ...
    wide_page = Word()  #: ... and the one for small numbers


class Met(Layout):
    """A context that a playout has met, to be found again without a search in the table."""

    key = Word()  #: as the capture's context function wrote it, ...
    whose = Word()  #: ... the capture, and who acts
    context = Word()  #: 0: none
    wide_page = Word()


MET_BITS = 10


class Choice(Layout):
    """Of the latest decision."""

    odds = Number()  #: the probability of what was drawn, 0 if nothing was drawn ...
    capture = Word()  #: ... and the capture that it was drawn from
    read = Word()  #: the capture whose records of the legal actions are in World.records, if there is one


class Later(Layout):
    """Moves of large number that came later, counted: a slot of a hash table."""

    label = Word()
    count = Word()
    stamp = Word()


RUN_SCORES = 1024
DIRECT_BITS = 13
DIRECT = 1 << DIRECT_BITS  #: actions below this are counted in World.played
LAST_STAMP = 1 << 31  #: of Control.later_stamp, which is then begun anew


# --- the record table ------------------------------------------------------------------------------------------------


class Meta(Layout):
    """Of a table: what all threads read, and on another cache line what they count together."""

    limit = Word()
    width = Word()  #: words of a record
    paged_width = Word()  #: words of a record in a page
    full = Word()
    shared = Word()  #: several threads use it
    slots = Word()
    proven = Word()  #: the value of the root is known
    wide_pages = Word()  #: how many contexts have one
    _line = Words(8)
    used = Word()
    context_count = Word()
    records_held = Word()
    per_capture = Words(MAX_CAPTURES)


class Context(Layout):
    """A situation in which records were made: a history, a previous move, a player."""

    key = Word()
    block = Word()  #: its first block of records
    owner = Word()  #: the capture that made it


class Node(Context):
    """A context of the baseline: a node of the tree."""

    actor = Word()  #: who acts there + 2; 0: not known, or not always the same
    amaf = Word()  #: what AMAF keeps of it (amaf/by_node.py)
    proof = Word()  #: something is proven of one of its records; or where the words of the position are (engine/positions.py)


class SharedContext(Context):
    """A context of an enhancement."""

    directory = Word()  #: of its pages, if its records are in pages
    reply = Word()  #: the last good reply + 1
    _spare = Word()


class AmafContext(Context):
    """A context of AMAF, where the key says which node and whose moves."""

    directory = Word()
    pending = Word()  #: the first of the playouts to catch up with; UP_TO_DATE: none, all are counted at once
    acting = Word()  #: whose moves


class OwnPosition(Layout):
    """What a position is worth by itself, however it came about (engine/positions.py)."""

    visits = Word()
    first_visits = Word()  #: playouts that began here
    parents = Word()  #: a list of the nodes that lead here
    reward = Numbers()  #: total reward of every player; then the part of it that began here


UP_TO_DATE = -1
CONTEXT_WORDS = size_of(Node)


class Block(Layout):
    """Records side by side."""

    capacity = Word()
    fill = Word()
    filled = low(fill)
    trials = high(fill)  #: how often all of them were available, beside what each of them counts (select/glance.py)
    next = Word()  #: an older block


BLOCK_WORDS = size_of(Block)


class Glance(Layout):
    """What a choice asks of the arms of a node, in two runs in front of its block (select/glance.py)."""

    numbers = Numbers()


class Page(Layout):
    """Records of neighbouring actions, a block too."""

    capacity = Word()
    number = Word()
    next = Word()


PAGE_BITS = 3
PAGE_ACTIONS = 1 << PAGE_BITS
WIDE_ACTIONS = 128  #: actions in a wide page, ...
MOST_WIDE_PAGES = 256  #: ... which so many contexts of a table have


class Directory(Layout):
    """Leads from a page's number to the page."""

    mask = Word()
    pages = Word()
    wide_page = Word()  #: the page of all actions of small number, 0: there is none
    entries = Words()  #: (page number + 1) << PAGE_SHIFT | offset of the page


DIRECTORY_WORDS = size_of(Directory)
PAGE_SHIFT = 34


class Record(Layout):
    """What is remembered of an action in a context."""

    head = Word()
    label = low(head)  #: action + 1; 0: free
    following = high(head)  #: the node that it leads to, where each history has one
    counts = Word()
    visits = low(counts)
    available = high(counts)
    reward = Numbers()  #: total reward of every player (of one in a page); then the statistics


RECORD_WORDS = size_of(Record)
COUNTS = Record.counts.offset
REWARD = Record.reward.offset
VISIT = 1  #: added to Record.counts for a visit ...
AVAILABLE = 1 << 32  #: ... and for having been available
LOW = (1 << 32) - 1
#: how the records of a context are found: at the place of their action in the list of legal ones, hashed, or by page
LISTED, HASHED, PAGED = range(3)

NOWHERE = 0  #: a record that is all zeros: what is read of an action that has none
SINK = 128  #: where records go when memory is used up: they are written and never read
FIRST = 256  #: the first word that contexts and blocks may use


class KeptPlayout(Layout):
    """A playout that is kept for later: its plies, bits for each move, then rewards and moves."""

    first = Word()
    end = Word()
    bits = Word()
    rewards = Numbers()


KEPT_WORDS = size_of(KeptPlayout)
SMALL_MOVE, LARGE_MOVE = 16, 64  #: bits for a move: mover + 1 above DIRECT_BITS or above 32 bits, action below
MOST_SMALL_MOVERS = 3


class Pending(Layout):
    """An entry in a list of playouts that are kept."""

    next = Word()
    playout = Word()  #: offset of the playout << PENDING_SHIFT | the ply from which on it counts


PENDING_WORDS = size_of(Pending)
PENDING_SHIFT = 24


class Links(Layout):
    """What a tree node leads to once AMAF has read it (amaf/by_node.py)."""

    oldest = Word()  #: its list of playouts, from the oldest ...
    newest = Word()  #: ... to the newest
    parting = Words(2)  #: an entry that parts those from before the first reading from later ones
    players = Words()  #: for each player a Link; then the node's own moves


class Link(Layout):
    context = Word()
    caught_up = Word()  #: the entry up to which the context has caught up


class OwnMove(Layout):
    """A legal move of a node, played there or later by its player."""

    head = Word()
    visits = low(head)
    action = high(head)
    reward = Number()


LINKS_WORDS = size_of(Links)
PARTING = Links.parting.offset
LINK_WORDS = size_of(Link)
OWN_MOVE_WORDS = size_of(OwnMove)


# --- the world -------------------------------------------------------------------------------------------------------


class World(Layout):
    """Everything that a kernel works on."""

    game = To(GameWords, fixed=True)
    control = To(Control, fixed=True)
    stop = To(Ints, fixed=True)  #: [2] set from another thread to end the search: by the user, by a worker in trouble
    root = To(Ints, fixed=True)  #: [state_size] the state at the root
    root_history = To(Ints, fixed=True)  #: [players + 1] hash of what each player has seen; last: of everything
    drawn_states = To(Ints, fixed=True)  #: [draws, state_size] what iterations may begin with ...
    drawn_totals = To(Reals, fixed=True)  #: [draws] ... running totals of their weights ...
    drawn_histories = To(Ints, fixed=True)  #: [draws, players + 1] ... and root_history for each
    # the strategy
    strategy = To(StrategyWords, fixed=True)
    captures = To(CaptureRow, fixed=True)
    nodes = To(PolicyNode, fixed=True)
    children = To(Child, fixed=True)
    factors = To(Factor, fixed=True)
    statistics = To(StatisticRow, fixed=True)
    statistic_uses = To(Ints, fixed=True)
    numbers = To(Reals, fixed=True)
    # the records
    pool = To(Ints, fixed=True)
    index = To(Ints, fixed=True)
    meta = To(Meta, fixed=True)
    # lanes: one row per playout under way
    lanes = To(Lane, fixed=True)
    states = To(Ints, fixed=True)  #: [lane, state_size]
    before = To(Ints, fixed=True)  #: [lane, state_size] a state that is to be put back
    legal = To(Ints, fixed=True)  #: [lane, max_actions]
    reports = To(Ints, fixed=True)  #: [lane] a Report each
    picked = To(Ints, fixed=True)  #: [lane] the action just chosen
    ended = To(Ints, fixed=True)  #: [lane] the lanes whose playouts have just ended
    histories = To(Ints, fixed=True)  #: [lane, players + 1] as root_history
    hidden = To(Ints, fixed=True)  #: [lane, players + 1] the same within a simultaneous decision
    moves = To(Ints, fixed=True)  #: [lane, views, plies] the moves as each player saw them
    actors = To(Ints, fixed=True)  #: [lane, plies]
    actions = To(Ints, fixed=True)  #: [lane, plies]
    path = To(PathRow, fixed=True)  #: [lane, plies]
    path_histories = To(Ints, fixed=True)  #: [lane, plies, players] of the nodes on the path, for AMAF
    path_legal = To(Ints, fixed=True)  #: [lane, path_legal_words] the legal actions at those nodes
    updates = To(Update, fixed=True)  #: [lane, update_rows]
    rewards = To(Reals, fixed=True)  #: [lane, players]
    leaf_values = To(Reals, fixed=True)  #: [lane, players] what the evaluation says of the leaf
    rng = To(Random, fixed=True)  #: [lane]
    # scratch of one decision
    arms = To(Arms, fixed=True)  #: of a capture
    baseline_arms = To(Arms, fixed=True)
    history_record = To(HistoryRecord, fixed=True)
    values = To(Reals, fixed=True)  #: [max_actions]
    total = To(Reals, fixed=True)  #: [max_actions]
    ballot = To(Reals, fixed=True)  #: [max_actions]
    records = To(Ints, fixed=True)  #: [max_actions] the records of the legal actions
    options = To(Ints, fixed=True)  #: [max_actions] the moves that the searching player can tell apart
    choice = To(Choice, fixed=True)
    step = To(Step, fixed=True)
    keys = To(Ints, fixed=True)  #: [MAX_KEYS]
    looked = To(Looked, fixed=True)  #: [MAX_CAPTURES]
    met = To(Met, fixed=True)  #: [1 << MET_BITS] by a hash of the key
    facts = To(Ints, fixed=True)  #: [max_predicates]
    features = To(Ints, fixed=True)  #: [max_features]
    filters = To(FilterRow, fixed=True)
    candidates = To(Candidates, fixed=True)
    lesson = To(Lesson, fixed=True)
    notes = To(Ints, fixed=True)  #: [lane, Control.note_words]
    # the end of a playout
    leaves = To(Leaves, fixed=True)
    trace = To(Trace, fixed=True)
    later = To(Later, fixed=True)  #: [later_slots]
    played = To(Ints, fixed=True)  #: [players + 1, DIRECT] as later, for actions of small number: stamp << 32 | count
    places = To(Ints, fixed=True)  #: [plies] the records of the moves of one playout
    best_line = To(Ints, fixed=True)  #: [plies] of a game for one player: the actions of the best playout so far, from the root
    run_scores = To(Reals, fixed=True)  #: [RUN_SCORES] what the last runs ended with, the oldest being replaced
    own = To(Ints, fixed=True)  #: what the algorithm's own driver keeps
    # for reports
    chosen = To(Ints, fixed=True)  #: [3, policy nodes] how often each component chose, by phase
    cycles = To(Ints, fixed=True)  #: [5] determinization, tree, simulation, backup, iterations timed
