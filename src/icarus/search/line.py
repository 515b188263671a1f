"""Lines of moves: how people write them, and the principal variation, the most visited line of a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from icarus.engine import layout as w
from icarus.engine.table.reader import most_visited_line
from icarus.engine.team import Tree
from icarus.game import ENVIRONMENT, UNSEEN, Position
from icarus.jit.randomness import mix, seeded
from icarus.tree import read_records

if TYPE_CHECKING:
    from icarus.search.searching import Search


def label_of(position: Position, action: int) -> str:
    """How people write an action."""
    try:
        return position.format_action(action)
    except Exception:  # a label is a courtesy: a move of another determinization may have none here
        return str(action)


def labels_of(position: Position, actions: Iterable[int]) -> list[str]:
    """How people write these actions, one after the other."""
    position, line = position.copy(), []
    for action in actions:
        line.append(label_of(position, action))
        position.game.call("apply", position.state, action)
    return line


def principal_variation(search: Search, first: int, limit: int = 12) -> list[str]:
    """The most visited line.  Hidden things are as in one fixed determinization, never as in the true state."""
    tree = search.team.trees[0]
    position = search.position
    game = search.game
    if search.algorithm.plays_best and (best := search.best_playout) is not None:
        return search.labels(best[1][:limit])
    if game.determinize is None and game.observe is None and game.sample is None and game.simultaneous is None:
        return line_of_actions(search, tree, first, limit)
    if search.game.determinize is not None and not search.algorithm.cheats:
        position = position.determinize(search.observer, seeded(search.seed, stream=4))
        if not search.algorithm.resamples:
            position.state[:] = tree.root
    else:
        position = position.copy()
    history = [int(h) for h in tree.history]
    line: list[str] = []
    action, actor = first, position.player
    while True:
        line.append(position.format_action(action))
        together = search.game.simultaneous is not None and bool(search.game.call("simultaneous", position.state))
        if together or search.identity == w.BY_ROOT_VIEW or len(line) == limit:
            break
        if search.identity == w.BY_EACH_VIEW:
            for viewer in range(search.game.players):
                seen = position.observe(action, viewer)
                if seen != UNSEEN:
                    history[viewer] = int(mix(history[viewer], seen))
        else:
            history[0] = int(mix(history[0], position.observe(action, actor)))
        search.game.call("apply", position.state, action)
        if position.is_terminal:
            break
        actor = position.player
        if actor == ENVIRONMENT:
            break
        known = read_records(search, tree, history[actor] if search.identity == w.BY_EACH_VIEW else history[0])
        if search.game.determinize is not None:
            legal = set(position.legal())
            known = {action: row for action, row in known.items() if action in legal}
        action = max(known, key=lambda a: known[a][0], default=-1)
        if action < 0 or known[action][0] == 0:
            break
    return line


def line_of_actions(search: Search, tree: Tree, first: int, limit: int) -> list[str]:
    """The same where actions are all there is to see: the table alone knows the line."""
    worker, actions = search.team.workers[0], np.empty(limit, np.int64)
    worker.use_table(tree.table)
    actions[0] = first
    count = 1 + int(most_visited_line(worker.handle, int(tree.history[0]), first, actions[1:]))
    position = search.position.copy()
    line = []
    for action in actions[:count].tolist():
        line.append(position.format_action(action))
        search.game.call("apply", position.state, action)
    return line
