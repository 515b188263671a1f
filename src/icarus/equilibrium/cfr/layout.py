"""The memory of a solver: every array, and the name of each of its words.

An information set lies in the pool as ``InformationSet``: its key, how many actions there are, and for each of them its number,
its regret and its share of the average strategy, in three rows one after the other.
"""

from __future__ import annotations

from icarus.engine.layout import GameWords
from icarus.jit import Ints, Layout, Number, Random, Reals, To, Word, Words, size_of

EXTERNAL, OUTCOME, ONLINE = range(3)  #: Solver.sampling
#: why the kernel came back, beside engine/layout.py's ITERATIONS_DONE and FAILED
TABLE_FULL = 100
#: Solver.error
BROKEN_CONTRACT, OTHER_ACTIONS, TOO_LONG = 1, 2, 3


class InformationSet(Layout):
    key = Word()
    size = Word()
    actions = Words()


class Frame(Layout):
    """A decision of the traverser under way (external sampling), or on the way down (outcome sampling)."""

    record = Word()  #: where its information set lies in the pool
    count = Word()  #: of its actions
    now = Word()  #: the action that is being looked at
    ply = Word()


class Known(Layout):
    """What the players know: a hash of what each has seen; while they choose at the same time, of what it has seen itself."""

    moment = Word()
    chosen = Word()
    last = Word()
    keys = Words()  #: by player; then the hidden ones, by player


class Solver(Layout):
    game = To(GameWords, fixed=True)
    rng = To(Random, fixed=True)
    sampling = Word()
    epsilon = Number()  #: outcome sampling: the share of the traverser's choices that are uniform
    target = Word()  #: iterations to do in all; in one of them everybody is the traverser once
    done = Word()
    stop = To(Ints, fixed=True)  #: somebody asks to stop
    error = Word()
    full = Word()  #: a new information set had no room
    touched = Word()  #: decisions met so far
    most_touched = Word()  #: how many one walk of external sampling may meet
    starts = To(Ints, fixed=True)  #: states, side by side
    start_keys = To(Ints, fixed=True)  #: what each player knows there
    start_odds = To(Reals, fixed=True)  #: running totals
    start_count = Word()
    #: on-line outcome sampling: what the player at the table knows, and how often it is aimed at
    target_player = Word()
    target_length = Word()
    target_moves = To(Ints, fixed=True)  #: what that player has seen, in order
    target_starts = To(Reals, fixed=True)  #: as start_odds, of those starts that it cannot tell from the true one
    delta = Number()
    #: one per decision of the traverser: state, legal actions, strategy, worth of each action, what is known
    frames = To(Frame, fixed=True)
    states = To(Ints, fixed=True)
    legal = To(Ints, fixed=True)
    sigma = To(Reals, fixed=True)
    worth = To(Reals, fixed=True)
    known = To(Ints, fixed=True)
    rewards = To(Reals, fixed=True)
    reach = To(Reals, fixed=True)  #: on-line: by player, how likely its own choices lead here
    choices = To(Reals, fixed=True)  #: on-line: the probabilities of the choice at hand: as it is drawn, and when it is aimed
    #: the table: open addressing over (key, place in the pool)
    index = To(Ints, fixed=True)
    index_mask = Word()
    pool = To(Ints, fixed=True)
    numbers = To(Reals, fixed=True)  #: the same memory
    pool_used = Word()
    pool_size = Word()
    sets = Word()  #: how many there are


HEAD = size_of(InformationSet)
KNOWN_HEAD = size_of(Known)
