"""Proof-number search: expand the node that proves or disproves the root with the least work, as far as one can tell.

Two questions are asked of the player at the root: can it make sure of a win, and if not, can it make sure of more than a loss?
For each a record has a proof number (how much is still to be shown for *yes*) and a disproof number (for *no*).  Where that
player acts, the node is as easy to prove as the easiest of its moves, and all of them must be disproved; where another acts, it
is the other way round.  A move that ends the game has the numbers 0 and infinity; one of which nothing is known has 1 and 1
(Allis, van der Meulen and van den Herik 1994), or, with playouts, the share of them that says no and the share that says yes,
plus a little (Monte Carlo proof-number search, after Saito, Chaslot, Uiterwijk and van den Herik 2006).

Bounds are passed up beside the numbers (proofs/bounds.py), so that what is proven is said in the same way as by other searches.
"""

from __future__ import annotations

import math

from numba import types

from icarus.engine.amaf.playouts import path_row
from icarus.engine.calls import call_apply, call_player, call_rewards, call_terminal
from icarus.engine.drive.limits import reason_to_return
from icarus.engine.drive.straight import open_node
from icarus.engine.evaluate.playout import are_rewards, play_randomly
from icarus.engine.identity import child_key
from icarus.engine.layout import AVAILABLE, FINE, OUT_OF_MEMORY, SINK, VISIT, Block, Node, Record, World
from icarus.engine.table.records import make_context, record_in
from icarus.jit import at, kernel, part
from icarus.proofs.bounds import DONE, SCALE, closed_for, is_done, pass_up, tell_bounds, tell_record

#: numbers of a record for each of the questions: to prove, to disprove
QUESTIONS = 2
NUMBER_WORDS = 2 * QUESTIONS


@kernel(types.int64(types.int64[::1]))
def run_proof_numbers(handle):
    """Expand nodes until the target is reached or the root is proven; returns why it came back."""
    world = World(handle)
    root = make_context(world, world.root_history[0], 0)
    while True:
        reason = reason_to_return(world, True)
        if reason >= 0 or root == 0:
            return reason if reason >= 0 else OUT_OF_MEMORY
        expand_most_proving(world, root)


@part
def numbers_of(world, record, question):
    """Where the numbers of a record for a question are."""
    return at(Record(world.pool, record).reward, world.control.number_place + 2 * question)


@part
def is_open(world, record, question):
    """Is a question not answered yet?"""
    proof, disproof = numbers_of(world, record, question)[0], numbers_of(world, record, question)[1]
    return proof > 0.0 and disproof > 0.0


@part
def expand_most_proving(world, offset):
    """Down to the most proving node, its moves, and back."""
    game, control, pool, lane = world.game, world.control, world.pool, world.lanes
    state, root = world.states, control.root_record
    for word in range(game.state_size):
        state[word] = world.root[word]
    control.started += 1
    question = 1 if Node(pool, offset).block != 0 and not is_open(world, root, 0) else 0
    rows = 0
    while Node(pool, offset).block != 0:
        row = path_row(world, 0, rows)
        row.node = offset
        row.player = Node(pool, offset).actor - 2
        row.record = most_proving(world, offset, row.player, question)
        row.ply = control.root_ply + rows
        rows += 1
        record = Record(pool, row.record)
        action = record.label - 1
        call_apply(game.apply, state, action)
        following = record.following
        if following == 0:
            following = make_context(world, child_key(world, Node(pool, offset).key, action, state), 0)
            if following == 0:
                return
            if following < 2147483648:
                record.head = (action + 1) | following << 32
        offset = following
    player = call_player(game.player, state)
    Node(pool, offset).actor = player + 2
    block = open_node(world, offset, rows, True)
    if block == 0 or control.error != FINE:
        return
    row = path_row(world, 0, rows)
    row.node = offset
    row.player = player
    look_at_moves(world, block, rows)
    if control.error != FINE:
        return
    back_up_numbers(world, rows)
    lane.depth = rows + 1
    control.tree_steps += rows + 1
    control.deepest = max(control.deepest, lane.depth)
    control.done += 1


@part
def most_proving(world, node, player, question):
    """The record at a node that decides the question soonest, by its numbers."""
    block = Node(world.pool, node).block
    side = 0 if player == world.control.observer else 1
    least, chosen = math.inf, record_in(world, block, 0)
    for i in range(Block(world.pool, block).capacity):
        record = record_in(world, block, i)
        number = numbers_of(world, record, question)[side]
        if number < least:
            least, chosen = number, record
    return chosen


@part
def look_at_moves(world, block, rows):
    """What the moves of a new node begin with; the rewards of lane 0 become the average of what they bring."""
    game, control, players = world.game, world.control, world.game.players
    state, there, size = world.states, at(world.states, game.state_size), Block(world.pool, block).capacity
    totals = world.total
    for player in range(players):
        totals[player] = 0.0
    for i in range(size):
        offset = record_in(world, block, i)
        record = Record(world.pool, offset)
        for word in range(game.state_size):
            there[word] = state[word]
        call_apply(game.apply, there, record.label - 1)
        over = call_terminal(game.terminal, there) != 0
        wins, holds, count = 0.0, 0.0, 1 if over else control.playouts
        for _ in range(count):
            if not over:
                for word in range(game.state_size):
                    there[word] = state[word]
                call_apply(game.apply, there, record.label - 1)
                if play_randomly(world, there, rows + 1, True) < 0:
                    return
            call_rewards(game.rewards, there, world.rewards)
            if not are_rewards(world, 0):
                return
            reward = world.rewards[control.observer]
            wins += reward >= 1.0
            holds += reward > 0.0
            for player in range(players):
                record.reward[player] += world.rewards[player] / count
        record.counts = VISIT + AVAILABLE
        if count == 0:
            for player in range(players):
                record.reward[player] = 0.5
        for player in range(players):
            totals[player] += record.reward[player] / size
        if over:
            for player in range(players):
                scaled = world.rewards[player] * SCALE
                tell_bounds(world, offset, player, int(scaled), int(scaled) + (scaled > int(scaled)))
            tell_record(world, offset, 0, DONE)
        begin_numbers(world, offset, 0, wins, count, over)
        begin_numbers(world, offset, 1, holds, count, over)
    for player in range(players):
        world.rewards[player] = totals[player]


@part
def begin_numbers(world, record, question, yes, count, over):
    """The numbers of a move that has just been looked at: of ``count`` games ``yes`` were answered so."""
    numbers = numbers_of(world, record, question)
    if over:
        numbers[0], numbers[1] = (0.0, math.inf) if yes > 0.0 else (math.inf, 0.0)
    elif count == 0:
        numbers[0], numbers[1] = 1.0, 1.0
    else:
        share, little = yes / count, 1.0 / (count + 1.0)
        numbers[0], numbers[1] = 1.0 - share + little, share + little


@part
def back_up_numbers(world, rows):
    """From the new node to the root: numbers, bounds, visits and the average of what was seen."""
    pool, control, players = world.pool, world.control, world.game.players
    number, news = rows, True
    while number >= 0:
        row = path_row(world, 0, number)
        above = path_row(world, 0, number - 1).record if number > 0 else control.root_record
        if above == SINK:
            return
        for question in range(QUESTIONS):
            combine_numbers(world, row.node, row.player, above, question)
        news = news and pass_up(world, row.node, row.player, above)
        record = Record(pool, above)
        record.counts += VISIT
        for player in range(players):
            record.reward[player] += world.rewards[player]
        if number < rows:
            block = Node(pool, row.node).block
            for i in range(Block(pool, block).capacity):
                Record(pool, record_in(world, block, i)).counts += AVAILABLE
        number -= 1
    root = control.root_record
    answered = not is_open(world, root, 0) and not is_open(world, root, 1)
    if answered or is_done(world, root) or closed_for(world, root, path_row(world, 0, 0).player):
        world.meta.proven = 1


@part
def combine_numbers(world, node, player, above, question):
    """The least on the side of the player who acts, the sum on the other."""
    block = Node(world.pool, node).block
    side = 0 if player == world.control.observer else 1
    least, total = math.inf, 0.0
    for i in range(Block(world.pool, block).capacity):
        numbers = numbers_of(world, record_in(world, block, i), question)
        least = min(least, numbers[side])
        total += numbers[1 - side]
    numbers = numbers_of(world, above, question)
    numbers[side], numbers[1 - side] = least, total
