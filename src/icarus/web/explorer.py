"""Opening a search tree node by node.

A node is named by the line of actions that leads to it.  Where something is hidden, the line is followed in one determinization
of the searching player, and the tree that is read is that of whoever acts, as the loop does it (``engine/observers.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from icarus.engine import words as w
from icarus.engine.randomness import mix, seeded
from icarus.game import ENVIRONMENT, UNSEEN, Position
from icarus.search import Search
from icarus.web.limits import Refused
from icarus.web.table import label_of

CHILDREN = 60  #: children of a node that are sent, the most visited first
DEPTH = 200


def open_node(search: Search, path: Sequence[int]) -> dict[str, Any]:
    """The node at the end of a line from the root: who acts there, and what is known of each action."""
    if len(path) > DEPTH:
        raise Refused(f"at most {DEPTH} moves deep")
    cursor = _Cursor(search)
    for step in path:
        if step not in dict(cursor.options()):
            raise Refused("that line leaves the tree")
        cursor.go(step)
    position = cursor.position
    if position.is_terminal:
        return {"player": None, "children": [], "more": 0, "rewards": position.rewards()}
    records = cursor.records()
    rows: list[dict[str, Any]] = []
    for step, label in cursor.options():
        if step in records:
            visits, _, *rewards = records[step]
            mean = [round(reward / visits, 4) if visits else 0.0 for reward in rewards]
            rows.append({"action": step, "label": label, "visits": int(visits), "mean": mean})
    rows.sort(key=lambda row: -row["visits"])
    return {"player": position.player, "children": rows[:CHILDREN], "more": max(len(rows) - CHILDREN, 0), "rewards": None}


class _Cursor:
    """A place in the tree, with the histories that name it."""

    def __init__(self, search: Search) -> None:
        self.search, self.game, self.model = search, search.game, search.model
        self.tree = search._team.trees[0]
        position = search.position.copy()
        position.state[:] = self.tree.root
        if self.game.determinize is not None and search.algorithm.resamples and not search.algorithm.cheats:
            position = position.determinize(search.observer, seeded(search.seed, stream=4))
        self.position: Position = position
        self.history = [int(h) for h in self.tree.history]
        #: the histories of players who choose at the same time, and who has chosen
        self.hidden: list[int] | None = None
        self.chosen: set[int] = set()
        self.last = ENVIRONMENT
        self._enter()

    def _enter(self) -> None:
        """Simultaneous choices start from one history and see only their own moves until all have chosen."""
        player = ENVIRONMENT if self.position.is_terminal else self.position.player
        together = self.game.simultaneous is not None and bool(self.game.call("simultaneous", self.position.state))
        if not together or player < 0:
            self.hidden, self.chosen = None, set()
            return
        if self.hidden is None or (player in self.chosen and self.last != player):
            self.hidden = [int(mix(self.history[0], 101 + viewer)) for viewer in range(self.game.players)]
            self.chosen = set()
        self.chosen.add(player)
        self.last = player

    def _edge(self, action: int) -> int:
        """What an action is called in the tree: in that of ROOT_VIEW, what the searching player sees of it."""
        if self.model == w.BY_ROOT_VIEW and self.position.player not in (self.search.observer, ENVIRONMENT):
            seen = self.position.observe(action, self.search.observer)
            return w.NOTHING_SEEN if seen == UNSEEN else seen
        return action

    def options(self) -> list[tuple[int, str]]:
        """The edges that leave this node, with their labels."""
        labels: dict[int, list[str]] = {}
        legal = self.position.legal()
        if self.position.player == ENVIRONMENT:
            legal = sorted({*legal, *self.records()})  # outcomes may be too many to be listed
        for action in legal:
            labels.setdefault(self._edge(action), []).append(label_of(self.position, action))
        return [(edge, " / ".join(names[:3]) + (" …" if len(names) > 3 else "")) for edge, names in labels.items()]

    def records(self) -> dict[int, list[float]]:
        player = self.position.player
        if self.model == w.BY_EACH_VIEW:
            key = self.history[player if player >= 0 else self.game.players]
        elif self.hidden is not None and player >= 0:
            key = self.hidden[player]
        else:
            key = self.history[0]
        return self.search._read(self.tree, key)

    def go(self, edge: int) -> None:
        position, player = self.position, self.position.player
        action = next((a for a in position.legal() if self._edge(a) == edge), edge)
        if self.model == w.BY_EACH_VIEW:
            for viewer in range(self.game.players):
                self._extend(viewer, position.observe(action, viewer))
            self._extend(self.game.players, action)
        else:
            if self.model == w.BY_ROOT_VIEW:
                seen = position.observe(action, self.search.observer)
                move = w.NOTHING_SEEN if seen == UNSEEN else seen
            else:
                move = position.observe(action, player) if player >= 0 else action
            self._extend(0, move)
            if self.hidden is not None and player >= 0 and move >= 0:
                self.hidden[player] = int(mix(self.hidden[player], move))
        position.apply(action)
        self._enter()

    def _extend(self, place: int, move: int) -> None:
        if move >= 0:
            self.history[place] = int(mix(self.history[place], move))
