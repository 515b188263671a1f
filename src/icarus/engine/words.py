"""The layout of a search in memory, in one place: every array, and what each of its words means.

The compiled loop knows nothing but a *world*: an array of addresses, one per field below.  ``ints(world, w.STATE)`` is a
pointer to the words of a field, ``reals`` to its floats, ``bits`` to unsigned words.  (With the JIT off a world is a list of
arrays.)
"""

from __future__ import annotations

# --- fields of a world -----------------------------------------------------------------------------------------------

FIELDS = (
    # what is searched, and how
    "GAME",  # addresses and bounds of the game
    "CONTROL",  # budget, observer, root, counters
    "STOP",  # [2] set from another thread to end the search: by the user, by a worker in trouble
    "ROOT",  # [state_size] the state at the root
    "ROOT_HISTORY",  # [players + 1] hash of what each player has seen; last: of everything
    # the strategy
    "CAPTURES", "NODES", "CHILDREN", "FACTORS", "NUMBERS", "POLICY",
    # the records
    "POOL", "INDEX", "META",
    # lanes: one row per playout under way
    "STATE",  # [lane, state_size]
    "LEGAL",  # [lane, max_actions]
    "REPORT",  # [lane, REPORT_WORDS]
    "PICKED",  # [lane] the action just chosen
    "STATUS",  # [lane, STATUS_WORDS]
    "HISTORY",  # [lane, players + 1] as ROOT_HISTORY
    "HIDDEN",  # [lane, players] the same within a simultaneous decision
    "MOVES",  # [lane, views, plies] the moves as each player saw them
    "ACTORS",  # [lane, plies]
    "ACTIONS",  # [lane, plies]
    "LOG",  # [lane, log_rows, LOG_WORDS] what the end of the playout must update
    "ODDS",  # [lane, log_rows] (floats) the probability with which EXP3 chose
    "PATH",  # [lane, plies, PATH_HISTORY + players] the tree nodes that the playout passed, for AMAF
    "PATH_LEGAL",  # [lane, path_words] the legal actions at those nodes
    "RNG",  # [lane] (unsigned)
    # scratch of one decision
    "REWARDS",  # [players] (floats)
    "RECORDS",  # [max_actions] the baseline's records of the legal actions
    # [max_actions * 5] (floats) reward, visits, available, extra of the capture that a leaf reads; votes
    "OWN",
    "BASE",  # [3, max_actions] (floats) reward, visits, available in the baseline, likewise
    "VALUES",  # [max_actions] (floats)
    "TOTAL",  # [max_actions] (floats)
    "NODE_RECORD",  # [3] (floats) reward, visits, availability of the baseline record of the history
    "OPTIONS",  # [max_actions] the moves that the root player can tell apart
    "KEYS",  # [MAX_KEYS]
    "LOOKED",  # [MAX_CAPTURES, LOOKED_WORDS] what a step has found out about each capture's context
    "FACTS",  # [max_predicates]
    "STEP",  # [STEP_WORDS]
    "CHOSEN",  # [3, policy nodes] how often each component chose, by phase
    "CYCLES",  # [5] determinization, tree, simulation, backup, iterations timed
    "ODDS_NOW",  # [2] (floats) the probability of the choice just drawn, and the capture that it was drawn from
    "LATER",  # [slots, LATER_WORDS] actions that were played later in the playout, counted, for AMAF
    "WAY",  # [plies, 2] the records on the way down the plain tree, and who chose them
    "PLACES",  # [plies] the records of the moves of one playout
    "PLAYED",  # [players + 1, DIRECT] as LATER, for actions with small numbers: when << 32 | count
)  # fmt: skip
(
    GAME, CONTROL, STOP, ROOT, ROOT_HISTORY, CAPTURES, NODES, CHILDREN, FACTORS, NUMBERS, POLICY, POOL, INDEX, META, STATE, LEGAL,
    REPORT, PICKED, STATUS, HISTORY, HIDDEN, MOVES, ACTORS, ACTIONS, LOG, ODDS, PATH, PATH_LEGAL, RNG, REWARDS, RECORDS, OWN,
    BASE, VALUES, TOTAL, NODE_RECORD, OPTIONS, KEYS, LOOKED, FACTS, STEP, CHOSEN, CYCLES, ODDS_NOW, LATER,
    WAY, PLACES, PLAYED,
) = range(len(FIELDS))  # fmt: skip

# --- GAME ------------------------------------------------------------------------------------------------------------

ROLES = (
    "initial", "player", "legal", "apply", "terminal", "rewards", "sample", "chance", "determinize", "observe", "simultaneous",
    "episode", "heuristic", "predicates", "enter_search", "advance", "advance_all", "copy", "playout",
)  # fmt: skip
(
    F_INITIAL, F_PLAYER, F_LEGAL, F_APPLY, F_TERMINAL, F_REWARDS, F_SAMPLE, F_CHANCE, F_DETERMINIZE, F_OBSERVE, F_SIMULTANEOUS,
    F_EPISODE, F_HEURISTIC, F_PREDICATES, F_ENTER_SEARCH, F_ADVANCE, F_ADVANCE_ALL, F_COPY, F_PLAYOUT,
    PLAYERS, STATE_SIZE, MAX_ACTIONS, MAX_PLIES, GAME_WORDS,
) = range(len(ROLES) + 5)  # fmt: skip

ENVIRONMENT = -1  #: in place of a player: dice, deals, referees
OVER = -2  #: in place of a player: the game has ended
NOTHING_SEEN = 2**31 - 1  #: in a tree of moves: the edge of what the searching player did not notice

# REPORT: what the game says of a state
REPORT_PLAYER, REPORT_COUNT, REPORT_TOGETHER, REPORT_LABEL, REPORT_WORDS = range(5)

# --- CONTROL ---------------------------------------------------------------------------------------------------------

(
    TARGET,  # iterations to start in all
    STARTED, DONE,  # iterations
    ERROR, ERROR_PLY, ERROR_VALUE,
    OBSERVER,  # the searching player
    MODEL,  # whose move history names a node
    RESAMPLE,  # draw a determinization for every iteration
    EVEN,  # chance by even visits
    ROOT_RECORD,  # the baseline record of the root
    ROOT_PLY,  # moves known from before the search (the current episode's)
    ROOT_LABEL, ROOT_EPISODE,  # episode under way at the root: label, and ply at which it began
    MAX_RECORDS,
    LANES, PLIES, LOG_ROWS, PATH_WORDS, VIEWS, LATER_SLOTS, POLICY_NODES,
    TREE_STEPS, ALL_STEPS, DEEPEST,  # counters
    LATER_STAMP,  # tells the entries of LATER that are of now from older ones
    LINKED,  # the capture whose records a node leads to by itself (linked.py), if there is one
    CONTROL_WORDS,
) = range(28)  # fmt: skip

# MODEL
BY_ACTIONS, BY_ROOT_VIEW, BY_EACH_VIEW = 0, 1, 2

# ERROR
FINE, NO_ACTION, TOO_MANY_ACTIONS, TOO_LONG, BAD_REWARD, BAD_ACTION, IN_CALLBACK = range(7)

# why the loop came back
ITERATIONS_DONE, INDEX_TOO_SMALL, OUT_OF_MEMORY, ENOUGH_RECORDS, STOPPED, FAILED = range(6)

# --- lanes -----------------------------------------------------------------------------------------------------------

# STATUS
(
    TURN,  # who acts, ENVIRONMENT or OVER
    COUNT,  # legal actions
    TOGETHER,  # a simultaneous decision
    LABEL_NOW, EPISODE_START,
    PLY_NOW,
    WITHIN_TREE,
    RECORD, COUNTS_BEFORE,  # the baseline record of the history, and its counts before this playout
    CHILD_CONTEXT,  # the context that follows that record, where it is known
    LOGGED, DEPTH, RUNNING,
    IN_BLOCK,  # within a simultaneous decision: bit 0, and bit p + 1 if player p has chosen
    LAST_CHOSE,  # who chose last in it
    TREE_NODES, TREE_LEGAL,  # rows of PATH and words of PATH_LEGAL in use
    STATUS_WORDS,
) = range(18)  # fmt: skip

# LOG
LOG_RECORD, LOG_KIND, LOG_PLAYER, LOG_ACTION, LOG_WORDS = range(5)
LOG_CAPTURE = LOG_ACTION  #: of a record in a page
REWARD_ALL, VISIT_ONE, AVAILABLE_ONE, REPLY_GOOD, REPLY_GOOD_OR_FORGET = range(5)

# LATER
LATER_LABEL, LATER_COUNT, LATER_WHEN, LATER_WORDS = range(4)
LAST_STAMP = 1 << 31  #: of LATER_STAMP, which is then begun anew
DIRECT_BITS = 13
DIRECT = 1 << DIRECT_BITS  #: actions below this are counted in PLAYED

# PATH
PATH_VISITS, PATH_PLAYER, PATH_SELECTION, PATH_PLY, PATH_FIRST, PATH_COUNT, PATH_HISTORY = range(7)
PATH_NODE = PATH_FIRST  #: of a linked node (linked.py): its context, and that is all

# --- the strategy ----------------------------------------------------------------------------------------------------

# STEP: what a context function knows of the step under way
PLAYER, PLY, ROOT_AT, LABEL, EPISODE_AT, FACT_COUNT, PHASE, STEP_WORDS = range(8)
SELECTION, EXPANSION, SIMULATION = range(3)
MAX_KEYS = 512  #: how many contexts one step may have (PAST, tiles)
# LOOKED: how many contexts the step has (below 0: nobody has asked yet; above 1: not kept), and the one it has; in the row of
# the baseline instead of a number of contexts: the capture whose records are in RECORDS
LOOKED_COUNT, LOOKED_KEY, LOOKED_CONTEXT, LOOKED_WORDS = range(4)

# CAPTURES (capture 0 is the baseline)
KIND, READ, WRITE, SCOPE, AVAILABILITY, PARAMETERS, AMAF_NODES, AMAF_REFERENCE, MERGE, FACTS_NEEDED, CAPTURE_COLUMNS = range(11)
KEEPS_RECORDS, KEEPS_REPLIES, KEEPS_REPLIES_FORGETS, KEEPS_ALL_MOVES, KEEPS_NOTHING = range(5)  # KIND
WHOLE_PLAYOUT, TREE_ONLY = range(2)  # SCOPE
SUM, BEST = range(2)  # MERGE: what a step that has several contexts reads of an action
# AMAF_NODES: which nodes get statistics, and for their legal moves or for every move below
AT_SELECTION, IN_TREE, AT_SELECTION_EVERY_MOVE, IN_TREE_EVERY_MOVE = range(4)

# NODES of the policy
NODE_KIND, FIRST_CHILD, CHILD_COUNT, CAPTURE, REUSE, SHAPE, REUSE_NUMBERS, EXTRA, QUICK, NODE_COLUMNS = range(10)
LEAF, LINEAR, MAXILINEAR, VOTE, UNIFORM = range(5)  # NODE_KIND
ARG_MAX, DISTRIBUTION = range(2)  # SHAPE: values to maximise, or weights to draw by
NO_EXTRA, NEEDS_IMPORTANCE, NEEDS_SQUARES = range(3)  # EXTRA
# QUICK: policies that the loop itself knows: UCB1 over sums, last good reply, Gibbs, CadiaPlayer's formula; and RAVE's mixture
BY_SUMS, BY_REPLY, BY_GIBBS, BY_CADIA, MIXED = range(1, 6)

# CHILDREN: a child and the product of factors that is its weight
CHILD, FIRST_FACTOR, FACTOR_COUNT, CHILD_COLUMNS = range(4)
# FACTORS: a weight function (0: a constant), its numbers, and whether 1 - weight is meant
WEIGHT, WEIGHT_NUMBERS, COMPLEMENT, FACTOR_COLUMNS = range(4)

# POLICY
(
    TREE_POLICY, SIMULATION_POLICY, SIMULTANEOUS_POLICY, CAPTURE_COUNT,
    NEEDS_MOVES, NEEDS_STEPS, NEEDS_PATH,  # some capture uses later moves, the context of every step, the way down the tree
    MAX_DEPTH,
    PLAIN, PLAIN_NUMBERS,  # the tree policy is UCB1 on the baseline's records; its parameters
    SIMPLE,  # a step of a simulation is of the usual kind (step.py)
    POLICY_WORDS,
) = range(12)  # fmt: skip

# --- the records -----------------------------------------------------------------------------------------------------

# META: what all threads read, and on another cache line what they count together
LIMIT, WIDTH, FULL, SHARED, IMPORTANCE, SQUARES, SLOTS, PAGED_WIDTH, PAGED_LESS = range(9)
USED, CONTEXT_COUNT, RECORDS_HELD, PER_CAPTURE = range(16, 20)
MAX_CAPTURES = 32
META_WORDS = PER_CAPTURE + MAX_CAPTURES

# a context
KEY, BLOCK, REPLY, OWNER, DIRECTORY, NOTES, CONTEXT_WORDS = range(7)
# REPLY of a context that keeps all moves: below 0 its records are up to date, else the first of the playouts to catch up with
UP_TO_DATE = -1
ACTOR = REPLY  #: of a node of the plain tree (descend.py): who acts there, + 1
# NOTES of a tree node: what AMAF keeps of it (linked.py); of a context that keeps all moves: whose moves these are
ACTING = NOTES
# a block
CAPACITY, FILLED, NEXT, BLOCK_WORDS = range(4)
PAGE_NUMBER = FILLED  #: of a page, which is a block too
# a directory of pages: then (page number + 1) << PAGE_SHIFT | offset of the page
PAGE_MASK, PAGES, DIRECTORY_WORDS = range(3)
PAGE_SHIFT = 34
PAGE_BITS = 3
PAGE = 1 << PAGE_BITS  #: actions side by side in a page
# how the records of a context are found: at the place of their action in the list of legal ones, hashed, or by page
LISTED, HASHED, PAGED = range(3)
# a playout that is kept for later: first and last ply, bits for each move, rewards, then the moves
KEPT_FROM, KEPT_TO, KEPT_BITS, KEPT_WORDS = range(4)
SMALL_MOVE, LARGE_MOVE = 16, 64  #: bits for a move: mover + 1 above DIRECT_BITS or above 32 bits, action below
MOST_SMALL_MOVERS = 3
PENDING_NEXT, PENDING_PLAYOUT, PENDING_WORDS = range(3)  # an entry in a list of playouts that are kept
PENDING_SHIFT = 24  #: PENDING_PLAYOUT: offset of the playout << PENDING_SHIFT | the ply from which on it counts
# a tree node that is read (linked.py): its list of such entries from the oldest to the newest; an entry that parts those from
# before it was read from later ones; for each player a context and the entry up to which that has caught up; then its own moves
OLDEST, NEWEST, PARTING, FOR_PLAYER = 0, 1, 2, 2 + PENDING_WORDS
CONTEXT_OF, CAUGHT_UP, FOR_PLAYER_WORDS = range(3)
OWN_MOVE_WORDS = 2  #: action << 32 | visits; total reward
# a record (the high half of ACTION: offset of the context that follows it, where each history has one)
ACTION, COUNTS, REWARD = range(3)
VISIT = 1  #: added to COUNTS for a visit ...
AVAILABLE = 1 << 32  #: ... and for having been available
LOW = (1 << 32) - 1

NOWHERE = 0  #: a record that is all zeros: what is read of an action that has none
SINK = 128  #: where records go when memory is used up: they are written and never read
FIRST = 256  #: the first word that contexts and blocks may use
