"""A search from outside: its trees node by node, and what every capture holds.  To be walked while nothing runs.

>>> import icarus
>>> search = icarus.Search("tic_tac_toe", seed=1)
>>> result = search.run(iterations=1000)
>>> root = search.tree.root
>>> root.player, sum(child.visits for child in root.children)
(0, 1000)
>>> root.children[0].label == result.best.label
True

A node is named by the moves that lead to it.  Where something is hidden it belongs to many states: it is walked in one of them, a
determinization of the searching player (never the true state), and what is read is the tree of the player who acts, as the loop
does it (engine/identity.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from icarus.engine import layout as w
from icarus.engine.table.reader import existing_record, read_context
from icarus.engine.team import Tree as Root
from icarus.game import ENVIRONMENT, UNSEEN, Position
from icarus.jit.randomness import mix, seeded
from icarus.proofs.bounds import Bounds, read_bounds

if TYPE_CHECKING:
    from icarus.search import Search

PRIVATE = 101  #: plus the player: mixed into the history where a simultaneous decision begins


class Tree:
    """The trees of a search."""

    def __init__(self, search: Search) -> None:
        self.search = search

    @property
    def roots(self) -> list[Node]:
        """The root of every tree: one, or as many as the algorithm grows."""
        return [Node(self.search, Cursor(self.search, root)) for root in self.search.team.trees]

    @property
    def root(self) -> Node:
        """The root of the first tree."""
        return self.roots[0]

    def node(self, moves: list[int]) -> Node | None:
        """The node behind a line of moves, None where the line leaves the tree."""
        node: Node | None = self.root
        for move in moves:
            node = None if node is None else node.child(move)
        return node


class Node:
    """A node of the tree, and the record that leads to it."""

    def __init__(
        self,
        search: Search,
        cursor: Cursor,
        move: int | None = None,
        label: str = "",
        row: list[float] | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        self._search, self._cursor = search, cursor
        #: the move that leads here, as the tree tells moves apart (None: the root), and how people write it
        self.move, self.label = move, label
        visits, available, *rewards = row if row is not None else cursor.root_row()
        #: how often it was chosen, and how often it could have been
        self.visits, self.available = int(visits), int(available)
        #: average reward of every player
        self.mean = [reward / visits if visits else 0.0 for reward in rewards]
        #: the least and the most that each player gets here, where the search looks for proofs
        self.bounds = bounds_of(search, cursor.root, cursor.root.record) if move is None else bounds

    def proven(self, player: int) -> str | None:
        """``win``, ``draw`` or ``loss`` of a player, if that is proven."""
        if self.bounds is None or player < 0:
            return None
        return self.bounds.verdict(player, stochastic=self._search.game.stochastic)

    def __repr__(self) -> str:
        return f"Node({self.label or 'root'}, visits={self.visits}, mean={[round(x, 3) for x in self.mean]})"

    @property
    def is_terminal(self) -> bool:
        """Is the game over here?"""
        return self._cursor.position.is_terminal

    @property
    def player(self) -> int | None:
        """Who acts here (ENVIRONMENT for dice and deals), None when the game is over."""
        return None if self.is_terminal else self._cursor.position.player

    @cached_property
    def children(self) -> list[Node]:
        """What was tried here, the most visited first."""
        if self.is_terminal:
            return []
        records, found = self._cursor.records(), []
        for move, label in self._cursor.options():
            if move in records:
                bounds = bounds_behind(self._search, self._cursor.root, self._cursor.key, move)
                found.append(Node(self._search, self._cursor.behind(move), move, label, records[move], bounds))
        return sorted(found, key=lambda node: -node.visits)

    def child(self, move: int) -> Node | None:
        """The child behind a move, None if it was never tried."""
        return next((node for node in self.children if node.move == move), None)

    def options(self) -> list[tuple[int, str]]:
        """The moves that can be told apart here, with their labels, tried or not."""
        return [] if self.is_terminal else self._cursor.options()

    def view(self, player: int) -> object:
        """What a player has seen on the way here, in a form that compares."""
        return self._cursor.position.view(player)

    def state_sample(self) -> Position:
        """A position that the searching player cannot tell from the true one, played on to this node."""
        return self._cursor.position.copy()

    def walk(self) -> Iterator[Node]:
        """This node and all below it that were visited."""
        yield self
        for child in self.children:
            if child.visits:
                yield from child.walk()


class Cursor:
    """A place in a tree: a position on the way there, and the histories that name it."""

    def __init__(self, search: Search, root: Root) -> None:
        self.search, self.game, self.root, self.identity = search, search.game, root, search.identity
        position = search.position.copy()
        position.state[:] = root.root
        if self.game.determinize is not None and search.algorithm.resamples and not search.algorithm.cheats:
            position = position.determinize(search.observer, seeded(search.seed, stream=4))
        self.position: Position = position
        self.history = [int(h) for h in root.history]
        #: the histories of players who choose at the same time, and who has chosen
        self.hidden: list[int] | None = None
        self.chosen: set[int] = set()
        self.last = ENVIRONMENT
        self.moment = 0  #: what the game calls the decision
        self._enter()

    def _enter(self) -> None:
        """Simultaneous choices start from one history and see only their own moves until all have chosen."""
        player = ENVIRONMENT if self.position.is_terminal else self.position.player
        together = 0 if self.game.simultaneous is None else int(self.game.call("simultaneous", self.position.state))
        if not together or player < 0:
            self.hidden, self.chosen = None, set()
            return
        if self.hidden is None or self.moment != together or (player in self.chosen and self.last != player):
            self.moment = together
            self.hidden = [int(mix(self.history[0], PRIVATE + viewer)) for viewer in range(self.game.players)]
            self.chosen = set()
        self.chosen.add(player)
        self.last = player

    def _edge(self, action: int) -> int:
        """What an action is called in the tree: in that of ROOT_VIEW, what the searching player sees of it."""
        if self.identity == w.BY_ROOT_VIEW and self.position.player not in (self.search.observer, ENVIRONMENT):
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
            labels.setdefault(self._edge(action), []).append(self.search.label(self.position, action))
        return [(edge, " / ".join(names[:3]) + (" …" if len(names) > 3 else "")) for edge, names in labels.items()]

    @property
    def key(self) -> int:
        """What names the node in the tree of the player who acts."""
        player = self.position.player
        if self.identity == w.BY_EACH_VIEW:
            return self.history[player if player >= 0 else self.game.players]
        return self.hidden[player] if self.hidden is not None and player >= 0 else self.history[0]

    def records(self) -> dict[int, list[float]]:
        """The records of this node: action -> visits, availability, total rewards."""
        return read_records(self.search, self.root, self.key)

    def root_row(self) -> list[float]:
        """Visits, availability and total rewards of the root itself."""
        return read_records(self.search, self.root, int(mix(int(self.root.history[0]), ROOT))).get(0, [0.0] * self.row_width)

    @property
    def row_width(self) -> int:
        return 2 + self.game.players

    def behind(self, edge: int) -> Cursor:
        """The place behind an edge."""
        other = copy(self)
        other.position, other.history, other.chosen = self.position.copy(), list(self.history), set(self.chosen)
        other.hidden = None if self.hidden is None else list(self.hidden)
        other._go(edge)
        return other

    def _go(self, edge: int) -> None:
        position, player = self.position, self.position.player
        action = next((a for a in position.legal() if self._edge(a) == edge), edge)
        if self.identity == w.BY_EACH_VIEW:
            for viewer in range(self.game.players):
                self._extend(viewer, position.observe(action, viewer))
            self._extend(self.game.players, action)
        elif self.identity != w.BY_STATE:
            if self.identity == w.BY_ROOT_VIEW:
                seen = position.observe(action, self.search.observer)
                move = w.NOTHING_SEEN if seen == UNSEEN else seen
            else:
                move = position.observe(action, player) if player >= 0 else action
            self._extend(0, move)
            if self.hidden is not None and player >= 0 and move >= 0:
                self.hidden[player] = int(mix(self.hidden[player], move))
        position.apply(action)
        if self.identity == w.BY_STATE and not position.is_terminal:
            self.history[0] = int(mix(self.history[-1], int(self.game.call("key", position.state))))
        self._enter()

    def _extend(self, place: int, move: int) -> None:
        if move >= 0:
            self.history[place] = int(mix(self.history[place], move))


ROOT = -7  #: mixed into a root's history: the context that holds nothing but the root's own record


def read_records(search: Search, root: Root, key: int) -> dict[int, list[float]]:
    """The records of a context of the baseline: action -> visits, availability, total rewards."""
    worker = search.team.workers[0]
    worker.use_table(root.table)
    size, width = 4 * search.game.max_actions + 64, 2 + search.game.players
    actions, out = np.empty(size, np.int64), np.empty(size * width)
    count = min(int(read_context(worker.handle, key, actions, out)), size)
    return dict(zip(actions[:count].tolist(), out[: count * width].reshape(count, width).tolist(), strict=True))


def bounds_of(search: Search, root: Root, record: int) -> Bounds | None:
    """What is proven of a record of a tree."""
    if not search.algorithm.solve or not record:
        return None
    return read_bounds(root.table.pool, record, search.proof_place, search.game.players)


def bounds_behind(search: Search, root: Root, key: int, action: int) -> Bounds | None:
    """The same of an action at the node of this key."""
    if not search.algorithm.solve:
        return None
    worker = search.team.workers[0]
    worker.use_table(root.table)
    return bounds_of(search, root, int(existing_record(worker.handle, key, action)))
