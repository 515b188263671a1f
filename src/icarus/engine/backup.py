"""Backup: the end of a playout hands its rewards to everything that it touched.

The way down is PATH: the default adds the rewards to every record on it (a strategy may name another backup), and every statistic
is updated for the player who chose.  Then come the captures: what they noted step by step, and AMAF's later moves.
"""

from __future__ import annotations

from icarus.engine.amaf.by_key import capture_all_moves
from icarus.engine.amaf.playouts import path_row
from icarus.engine.calls import call_backup, call_lesson, call_settle, call_statistic
from icarus.engine.layout import (
    AVAILABLE,
    AVAILABLE_ONE,
    KEEPS_ALL_MOVES,
    REPLY_GOOD_OR_FORGET,
    VISIT,
    VISIT_ONE,
    Record,
    SharedContext,
)
from icarus.engine.table.pages import update_in_page
from icarus.engine.table.records import add_counts, add_reward
from icarus.jit import at, atomic_add, compare_and_swap, element, inner, part


@part
def back_up_path(world, lane, rows):
    """Along the path, and the root."""
    strategy, players, path = world.strategy, world.game.players, path_row(world, lane, 0)
    rewards = at(world.rewards, lane * players)
    if world.control.proofs != 0 and rows > 0:
        status = element(world.lanes, lane)
        if status.valued == 0 and status.ply == element(path, rows - 1).ply + 1:  # the game ended in the tree
            call_settle(world.control.proofs, world, lane)
    if strategy.rewards_numbers != 0:
        map_rewards(world, rewards)
    if strategy.backup == 0:
        add_along(world, path, rows, rewards, world.meta.shared != 0)
    else:
        trace = world.trace
        trace.path = path
        trace.depth = rows
        trace.rewards = rewards
        trace.end = element(world.lanes, lane).ply
        trace.state = at(world.states, lane * world.game.state_size)
        trace.leaf = at(world.leaf_values, lane * players)
        call_backup(strategy.backup, trace, at(world.numbers, strategy.backup_numbers))
    if strategy.statistic_count != 0:
        for number in range(rows):
            row = element(path, number)
            if row.player >= 0:
                update_statistics(world, row.record, players, rewards[row.player], row.odds)
    if world.control.after_playout != 0:
        call_settle(world.control.after_playout, world, lane)
    add_to_root(world, rewards)


@part
def add_to_root(world, rewards):
    """The root's own record: every playout passes it."""
    root = world.control.root_record
    add_counts(world, root, VISIT + AVAILABLE)
    for player in range(world.game.players):
        add_reward(world, root, player, rewards[player])


@part
def map_rewards(world, rewards):
    """What a playout is worth to each player: r' = A r + b, for paranoid players, alliances and coalitions."""
    players, numbers, mapped = world.game.players, at(world.numbers, world.strategy.rewards_numbers), world.total
    for player in range(players):
        row = player * (players + 1)
        mapped[player] = numbers[row]
        for other in range(players):
            mapped[player] += numbers[row + 1 + other] * rewards[other]
    for player in range(players):
        rewards[player] = mapped[player]


@inner
def add_along(world, path, rows, rewards, shared):
    """The default: the rewards of all players are added to every record on the path."""
    pool, players = world.pool, world.game.players
    for number in range(rows):
        total = Record(pool, element(path, number).record).reward
        for player in range(players):
            if not shared:
                total[player] += rewards[player]
            elif rewards[player] != 0.0:
                atomic_add(total, player, rewards[player])


@part
def update_statistics(world, record, own, reward, odds):
    """Let every statistic of a record learn a reward; ``own``: how many totals stand before them."""
    totals = Record(world.pool, record).reward
    for k in range(world.strategy.statistic_count):
        row = element(world.statistics, k)
        while True:
            old = totals[own + k]
            new = call_statistic(row.update, old, reward, 1.0, odds, at(world.numbers, row.numbers))
            if world.meta.shared == 0:
                totals[own + k] = new
                break
            if compare_and_swap(totals, own + k, old, new) == old:
                break


@part
def back_up_captures(world, lane):
    """What the captures noted step by step, and the moves that came later than a tree node."""
    pool, control, strategy, status = world.pool, world.control, world.strategy, element(world.lanes, lane)
    rewards = at(world.rewards, lane * world.game.players)
    first = lane * control.update_rows
    for number in range(first, first + status.updates):
        update = element(world.updates, number)
        target, kind, reward = update.target, update.kind, rewards[update.player]
        if kind == VISIT_ONE:
            update_in_page(world, target, update.capture, VISIT + AVAILABLE, reward)
            if strategy.captures_learn != 0:
                update_statistics(world, target, 1, reward, update.odds)
        elif kind == AVAILABLE_ONE:
            update_in_page(world, target, update.capture, AVAILABLE, 0.0)
        elif reward > 0.0:
            SharedContext(pool, target).reply = update.action + 1
        elif kind == REPLY_GOOD_OR_FORGET and SharedContext(pool, target).reply == update.action + 1:
            SharedContext(pool, target).reply = 0
    if strategy.lesson != 0:
        lesson = world.lesson
        lesson.notes = at(world.notes, lane * control.note_words)
        lesson.rewards = rewards
        call_lesson(strategy.lesson, lesson, at(world.numbers, strategy.lesson_numbers))
    if strategy.needs_later != 0:
        for number in range(1, strategy.capture_count):
            if element(world.captures, number).kind == KEEPS_ALL_MOVES:
                capture_all_moves(world, lane, number)
