"""Proofs: bounds on what every player gets behind a record, and what follows from them.

A record has a pessimistic and an optimistic bound for each player (score bounded MCTS); a terminal position closes them, and they
are passed up the path.  Where rewards are wins, draws and losses this is MCTS-Solver.  What a node is worth:

- The player who acts takes the best: the largest pessimistic and the largest optimistic bound of its moves.
- With two players the other gets what is left over at worst: the smallest of its bounds.  For each player this is what it can
  make sure of, whatever the other does; where one's gain is the other's loss it is the minimax value.
- With more players somebody who has a proven win plays one, and nobody plays a move that is proven to be worse than another.
  What that leaves open for the others is the *rule*: STANDARD assumes nothing (their bounds span all of these moves), PARANOID
  takes it that a player who does not care plays against the searching player, FIRST_WINNER that it plays for whoever acts next.
- The environment's node is worth the expectation; what was not seen yet may be worth anything.

The loop calls three functions here by address: ``settle`` at the end of a playout that ended in the tree, ``narrow`` at a node
where something is proven, ``weigh`` where the environment has acted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from icarus.engine.amaf.playouts import path_row
from icarus.engine.calls import NARROW, SETTLE, WEIGH, call_chance, call_legal
from icarus.engine.layout import ENVIRONMENT, REWARD, SINK, Block, Control, Node, Record
from icarus.engine.table.records import record_in
from icarus.jit import address, at, compare_and_swap, compiled, element, part

SCALE = 1 << 13  #: bounds are whole numbers from 0 to this, rounded outwards
FIELD = 14  #: bits of a bound
MASK = (1 << FIELD) - 1
EACH = 2 * FIELD  #: bits of a player: the pessimistic bound, and how far the optimistic one is below SCALE
#: above the bounds of two players a record's first word says how long the proof is, and by its sign that nothing more can come
LENGTH_SHIFT, LONGEST = 2 * EACH, 127
DONE = -(1 << 63)
STANDARD, PARANOID, FIRST_WINNER = range(3)
RULES = ("standard", "paranoid", "first-winner")
ROUNDING = 1e-6  #: of a unit: what adding up probabilities may be off


def proof_words(players: int, *, chance: bool) -> int:
    """How many words of a record proofs take: one for two players, and one for an outcome's probability."""
    return (players + 1) // 2 + chance


# --- bounds in words -------------------------------------------------------------------------------------------------


@part
def word_of(world, record, player):
    """The word of a record that has a player's bounds."""
    return world.pool[record + REWARD + world.control.proof_place + player // 2]


@part
def lower_of(world, record, player):
    """The pessimistic bound of a player."""
    return word_of(world, record, player) >> EACH * (player & 1) & MASK


@part
def upper_of(world, record, player):
    """The optimistic bound of a player."""
    return SCALE - (word_of(world, record, player) >> EACH * (player & 1) + FIELD & MASK)


@part
def is_done(world, record):
    """Can nothing more be found out behind a record?"""
    return word_of(world, record, 0) < 0


@part
def length_of(world, record):
    """How many plies a proof is long."""
    return word_of(world, record, 0) >> LENGTH_SHIFT & LONGEST


@part
def closed_for(world, record, player):
    """Is it known what a player gets, but for rounding?"""
    return upper_of(world, record, player) - lower_of(world, record, player) <= 1


@part
def merged(one, other):
    """What two words say together: neither is wrong, so the narrower of two bounds holds."""
    word = 0
    for number in range(4):
        shift = number * FIELD
        word |= max(one >> shift & MASK, other >> shift & MASK) << shift
    length = one if one < 0 else other
    word |= (length >> LENGTH_SHIFT & LONGEST) << LENGTH_SHIFT
    return word | DONE if one < 0 or other < 0 else word


@part
def tell_record(world, record, number, word):
    """Let a word of a record say what this one says; returns whether it said less before."""
    pool, place = world.pool, record + REWARD + world.control.proof_place + number
    while True:
        old = pool[place]
        new = merged(old, word)
        if new == old:
            return False
        if world.meta.shared == 0:
            pool[place] = new
            return True
        if compare_and_swap(pool, place, old, new) == old:
            return True


@part
def tell_bounds(world, record, player, lower, upper):
    """The same for the bounds of one player."""
    return tell_record(world, record, player // 2, (lower | (SCALE - upper) << FIELD) << EACH * (player & 1))


# --- the end of a playout --------------------------------------------------------------------------------------------


@compiled
def settle(world, lane):
    """A playout has ended in the tree: close the bounds of its last record, and pass on what follows up the path."""
    control, players = world.control, world.game.players
    number = element(world.lanes, lane).rows - 1
    record = path_row(world, lane, number).record
    if record == SINK:
        return
    known = is_done(world, record)
    for player in range(players):
        scaled = world.rewards[lane * players + player] * SCALE
        whole = int(scaled)
        tell_bounds(world, record, player, whole, whole + (scaled > whole))
    tell_record(world, record, 0, DONE)
    while number >= 0:
        row = path_row(world, lane, number)
        above = path_row(world, lane, number - 1).record if number > 0 else control.root_record
        Node(world.pool, row.node).proof = 1
        if above == SINK:
            return
        changed = expect(world, row.node, above) if row.player == ENVIRONMENT else pass_up(world, row.node, row.player, above)
        # what is new is passed on as far as it changes anything; what was known before may have been left halfway
        if not changed and not known:
            return
        number -= 1
    player = path_row(world, lane, 0).player
    if is_done(world, control.root_record) or (player >= 0 and closed_for(world, control.root_record, player)):
        world.meta.proven = 1


@part
def pass_up(world, node, mover, above):
    """What the records of a node say of the record that leads to it; returns whether that was news."""
    players, block = world.game.players, Node(world.pool, node).block
    size = Block(world.pool, block).capacity
    best, top = 0, 0
    for i in range(size):
        record = record_in(world, block, i)
        best = max(best, lower_of(world, record, mover))
        top = max(top, upper_of(world, record, mover))
    changed = tell_bounds(world, above, mover, best, top)
    settled, longest, shortest = True, 0, LONGEST
    for i in range(size):
        record = record_in(world, block, i)
        if may_be_played(world, record, mover, best, players):
            settled = settled and is_done(world, record)
            longest = max(longest, length_of(world, record))
        if is_done(world, record) and lower_of(world, record, mover) == SCALE:
            shortest = min(shortest, length_of(world, record))
    favourite = -1
    if world.control.rule == FIRST_WINNER and settled and players > 2:
        favourite = best_for_next(world, block, mover, best)
    for player in range(players):
        if player != mover:
            if favourite >= 0:
                lower, upper = lower_of(world, favourite, player), upper_of(world, favourite, player)
            else:
                lower, upper = left_to(world, block, mover, player, best, top)
            changed = tell_bounds(world, above, player, lower, upper) or changed
    closed = True
    for player in range(players):
        closed = closed and closed_for(world, above, player)
    if closed or settled:
        length = min((shortest if best == SCALE else longest) + 1, LONGEST)
        changed = tell_record(world, above, 0, DONE | length << LENGTH_SHIFT) or changed
    return changed


@part
def may_be_played(world, record, mover, best, players):
    """May a move be played, as far as the other players know?

    With two players any may: what one makes sure of rests on nothing that the other prefers.  With more, none that is proven
    to be worse than another, and a proven win rather than what may be one.
    """
    if players <= 2:
        return True
    if best == SCALE:
        return lower_of(world, record, mover) == SCALE
    return upper_of(world, record, mover) >= best


@part
def left_to(world, block, mover, player, best, top):
    """The bounds that a node leaves to a player who does not act there."""
    players, size = world.game.players, Block(world.pool, block).capacity
    lower, most, least, surely = SCALE, 0, SCALE, SCALE
    for i in range(size):
        record = record_in(world, block, i)
        upper = upper_of(world, record, player)
        least = min(least, upper)
        if may_be_played(world, record, mover, best, players):
            lower = min(lower, lower_of(world, record, player))
            most = max(most, upper)
            if lower_of(world, record, mover) >= top:  # nothing is better: who does not care may play it
                surely = min(surely, upper)
    if players <= 2:
        return lower, least
    if world.control.rule == PARANOID and player == world.control.observer:
        most = min(most, surely)
    return lower, max(most, lower)


@part
def best_for_next(world, block, mover, best):
    """Of the moves that may be played, all of them settled, the one that is best for those who act next, in their order."""
    players, size = world.game.players, Block(world.pool, block).capacity
    favourite = -1
    for i in range(size):
        record = record_in(world, block, i)
        if not may_be_played(world, record, mover, best, players):
            continue
        better = favourite < 0
        for step in range(1, players):
            player = (mover + step) % players
            if not closed_for(world, record, player):
                return -1
            if favourite >= 0 and not better:
                difference = lower_of(world, record, player) - lower_of(world, favourite, player)
                if difference < 0:
                    break
                better = difference > 0
        if better:
            favourite = record
    return favourite


@part
def expect(world, node, above):
    """The same for a node of the environment: expectations over what has been seen, and anything for the rest."""
    pool, players = world.pool, world.game.players
    chance = world.control.proof_place + (players + 1) // 2
    changed, settled, seen, longest = False, True, 0.0, 0
    for player in range(players):
        lower, upper, seen = 0.0, 0.0, 0.0
        block = Node(pool, node).block
        while block != 0:
            for i in range(Block(pool, block).capacity):
                record = record_in(world, block, i)
                if Record(pool, record).label != 0:
                    share = Record(pool, record).reward[chance]
                    seen += share
                    lower += share * lower_of(world, record, player)
                    upper += share * upper_of(world, record, player)
                    settled = settled and is_done(world, record)
                    longest = max(longest, length_of(world, record))
            block = Block(pool, block).next
        upper = min(upper + max(1.0 - seen, 0.0) * SCALE, float(SCALE))
        below, above_it = int(lower + ROUNDING), int(upper - ROUNDING) + 1
        changed = tell_bounds(world, above, player, below, min(max(above_it, below), SCALE)) or changed
    if settled and seen > 1.0 - ROUNDING:
        changed = tell_record(world, above, 0, DONE | min(longest + 1, LONGEST) << LENGTH_SHIFT) or changed
    return changed


# --- on the way down -------------------------------------------------------------------------------------------------


@compiled
def weigh(world, lane, record, outcome):
    """Write down the probability of an outcome of the environment, once."""
    game = world.game
    chance = world.control.proof_place + (game.players + 1) // 2
    numbers = Record(world.pool, record).reward
    if record == SINK or numbers[chance] != 0.0:
        return
    state, legal = at(world.states, lane * game.state_size), at(world.legal, lane * game.max_actions)
    size = call_legal(game.legal, state, legal)
    call_chance(game.chance, state, world.values)
    for i in range(size):
        if legal[i] == outcome:
            numbers[chance] = world.values[i]


@compiled
def narrow(world, node, mover):
    """Leave only those records (World.records, in the order of the node) and arms that are worth searching; returns how many.

    That is every move of which something can still be found out and that may turn out better than what is proven; if there is
    none, every move that is not settled and may be played; if there is none of these either, all.  Below the threshold's visits
    of the node it is all of them in any case (MCTS-Solver).  The averages are shifted by ``gamma pess + delta opti`` (score
    bounded MCTS).
    """
    pool, players, control = world.pool, world.game.players, world.control
    block = Node(pool, node).block
    size = Block(pool, block).capacity
    best, tried = 0, 0
    for i in range(size):
        best = max(best, lower_of(world, record_in(world, block, i), mover))
        tried += Record(pool, record_in(world, block, i)).visits
    promising, possible = 0, 0
    for i in range(size):
        record = record_in(world, block, i)
        if not is_done(world, record):
            promising += upper_of(world, record, mover) > best
            possible += may_be_played(world, record, mover, best, players)
    arms, left = world.baseline_arms, 0
    gamma, delta = control.gamma / SCALE, control.delta / SCALE
    for i in range(size):
        record = record_in(world, block, i)
        upper = upper_of(world, record, mover)
        if tried < control.threshold:
            keep = True
        elif promising > 0:
            keep = upper > best and not is_done(world, record)
        elif possible > 0:
            keep = not is_done(world, record) and may_be_played(world, record, mover, best, players)
        else:
            keep = True
        if keep:
            world.records[left] = record
            bias = gamma * lower_of(world, record, mover) + delta * upper
            arms.reward[left] = Record(pool, record).reward[mover] + bias * Record(pool, record).visits
            arms.visits[left] = Record(pool, record).visits
            arms.available[left] = Record(pool, record).available
            left += 1
    return left


# --- from Python -----------------------------------------------------------------------------------------------------


#: what the loop calls by address
FUNCTIONS = ((settle, SETTLE), (narrow, NARROW), (weigh, WEIGH))


def use_proofs(control: Control, *, place: int, rule: str, threshold: int = 0, gamma: float = 0.0, delta: float = 0.0) -> None:
    """Tell a worker to look for proofs; ``place``: how many numbers of a record stand before theirs."""
    control.proofs, control.narrow, control.weigh = (address(function, signature) for function, signature in FUNCTIONS)
    control.proof_place, control.rule, control.threshold = place, RULES.index(rule), threshold
    control.gamma, control.delta = gamma, delta


@dataclass(frozen=True)
class Bounds:
    """What is known of a record: for each player the least and the most that it gets, and whether all is said."""

    lower: list[float]
    upper: list[float]
    done: bool
    #: plies of the proof, if all is said
    length: int

    def closed(self, player: int) -> bool:
        """Is it known what a player gets?"""
        return (self.upper[player] - self.lower[player]) * SCALE <= 1

    def verdict(self, player: int, *, stochastic: bool = False) -> str | None:
        """``win`` (it gets 1), ``loss`` (it gets 0), ``draw`` (it gets something in between, and what is known), or None.

        Where the environment acts, something in between may be an average, which is no draw.
        """
        if self.lower[player] == 1.0:
            return "win"
        if self.upper[player] == 0.0:
            return "loss"
        return "draw" if self.closed(player) and not stochastic else None


def read_bounds(pool: npt.NDArray[np.int64], record: int, place: int, players: int) -> Bounds:
    """The bounds of a record."""
    words = [int(pool[record + REWARD + place + number]) for number in range((players + 1) // 2)]
    shifted = [words[player // 2] >> EACH * (player & 1) for player in range(players)]
    return Bounds(
        [(word & MASK) / SCALE for word in shifted],
        [(SCALE - (word >> FIELD & MASK)) / SCALE for word in shifted],
        words[0] < 0,
        words[0] >> LENGTH_SHIFT & LONGEST,
    )
