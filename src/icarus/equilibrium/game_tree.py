"""The whole tree of a small game, as arrays: every node, who acts there, and what that player knows.

Nodes are numbered breadth first; node 0 is the deal.  An *information set* is all nodes in which a player knows the same; its
actions are numbered as ``slots``, so that a strategy of everybody is one array of probabilities over all slots.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from icarus.equilibrium.knowledge import Knowledge
from icarus.equilibrium.starts import TooMany, every_start
from icarus.errors import GameError, SearchError
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import random_below, seeded

NODES = 1_500_000  #: of the largest tree that is built
GROUPS, PROBES, SURELY = 15, 20, 20  #: of random games that guess how large a tree is, and how much larger it then has to be
NOBODY, END = -1, -2  #: in place of a player: the deal or the environment; the game is over

Reals = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class InformationSet:
    """What a player knows at a decision."""

    player: int
    key: int
    actions: tuple[int, ...]
    first_slot: int
    #: one of its nodes: the number of the start, and the actions from there
    start: int
    path: tuple[int, ...]

    @property
    def slots(self) -> slice:
        return slice(self.first_slot, self.first_slot + len(self.actions))


@dataclass
class GameTree:
    """See the module's docstring; made by :func:`whole_tree`."""

    game: Game
    starts: list[Position]
    sets: list[InformationSet]
    slots: int
    parent: Ints
    actor: Ints  #: who acts at a node
    slot: Ints  #: of the edge to a node: the slot of the action, or -1 where nobody chose it
    odds: Reals  #: of the edge to a node: its probability where nobody chose it, else 1
    depth: Ints
    own_depth: Ints  #: by player and node: how often the player has acted before
    set_of: Ints  #: of a node: the number of its information set, or -1
    set_of_slot: Ints
    ends: Ints  #: the nodes where the game is over ...
    rewards: Reals  #: ... and the rewards there, one row per player
    by_key: dict[int, InformationSet] = field(default_factory=dict)

    def position(self, known: InformationSet) -> Position:
        """A position in which the player knows this."""
        position = self.starts[known.start].copy()
        for action in known.path:
            position.apply(action)
        return position

    def uniform(self) -> Reals:
        """Everybody draws lots."""
        strategy = np.empty(self.slots)
        for known in self.sets:
            strategy[known.slots] = 1 / len(known.actions)
        return strategy


def whole_tree(game: Game, most: int = NODES) -> GameTree:
    """The tree of a game; a SearchError says what to use instead if it is too large."""
    too_large = SearchError(
        f"{game.name} is too large for an exact best response (more than {most:,} nodes, or too many deals); "
        "give --games for a lower bound by playing"
    )
    try:
        starts = every_start(game)
    except TooMany:
        raise too_large from None
    if guessed_nodes([position for position, _ in starts]) > SURELY * most:
        raise too_large
    builder = _Builder(game, most)
    for number, (position, odds) in enumerate(starts):
        builder.add(0, NOBODY, -1, odds, 1, position, Knowledge(game, position.state), number, ())
    while builder.waiting:
        if len(builder.parent) > most:
            raise too_large
        level, builder.waiting = builder.waiting, []
        for item in level:
            builder.expand(*item)
            if len(builder.parent) > most:
                raise too_large
    return builder.tree([position for position, _ in starts])


def guessed_nodes(starts: list[Position]) -> float:
    """How many nodes the tree of a game has, by random games (Knuth 1975): each stands for as many as it left out on its way.

    Such a guess is right on average, but a single one may be far too large.  The mean of a group exceeds the truth twentyfold in
    one of twenty groups at most (Markov), and the middle one of fifteen groups less than once in a million trees.
    """
    rng = seeded(1, stream=73)
    means = []
    for _ in range(GROUPS):
        total = 0.0
        for _ in range(PROBES):
            position, stands_for = starts[int(random_below(rng, len(starts)))].copy(), float(len(starts))
            total += stands_for
            while not position.is_terminal:
                legal = position.legal()
                stands_for *= len(legal)
                total += stands_for
                position.game.call("apply", position.state, legal[int(random_below(rng, len(legal)))])
        means.append(total / PROBES)
    return sorted(means)[GROUPS // 2]


class _Builder:
    def __init__(self, game: Game, most: int) -> None:
        self.game = game
        self.parent, self.actor, self.slot, self.odds, self.depth = [0], [NOBODY], [-1], [1.0], [0]
        self.set_of = [-1]
        self.own: list[tuple[int, ...]] = [(0,) * game.players]
        self.ends: list[int] = []
        self.rewards: list[list[float]] = []
        self.sets: list[InformationSet] = []
        self.numbers: dict[int, int] = {}
        self.waiting: list[tuple[int, Position, Knowledge, int, tuple[int, ...]]] = []
        self.slots = 0

    def add(
        self,
        parent: int,
        chooser: int,
        slot: int,
        odds: float,
        depth: int,
        position: Position,
        known: Knowledge,
        start: int,
        path: tuple[int, ...],
    ) -> None:
        """A node, with what leads to it."""
        node = len(self.parent)
        over = position.is_terminal
        actor = END if over else position.player
        self.parent.append(parent)
        self.slot.append(slot)
        self.odds.append(odds)
        self.depth.append(depth)
        self.actor.append(NOBODY if actor == ENVIRONMENT else actor)
        self.set_of.append(-1)
        before = self.own[parent]
        self.own.append(before if chooser < 0 else (*before[:chooser], before[chooser] + 1, *before[chooser + 1 :]))
        if over:
            self.ends.append(node)
            self.rewards.append(position.rewards())
        else:
            self.waiting.append((node, position, known, start, path))

    def expand(self, node: int, position: Position, known: Knowledge, start: int, path: tuple[int, ...]) -> None:
        """Add what follows a node."""
        actor, game = position.player, self.game
        actions = position.legal()
        if actor == ENVIRONMENT:
            if game.chance is None:
                raise GameError(f"{game.name} draws outcomes without telling their probabilities (`chance`): give --games")
            odds, first = position.chance(), -1
        else:
            odds, first = [1.0] * len(actions), self._first_slot(node, position, known, actions, start, path)
        for i, action in enumerate(actions):
            if odds[i] == 0:
                continue
            after, seen = Position.copy(position), known.copy()
            seen.see(position.state, actor, action)
            game.call("apply", after.state, action)
            slot = -1 if first < 0 else first + i
            self.add(node, actor, slot, odds[i], self.depth[node] + 1, after, seen, start, (*path, action))

    def _first_slot(
        self, node: int, position: Position, known: Knowledge, actions: list[int], start: int, path: tuple[int, ...]
    ) -> int:
        """The first slot of the information set of a node."""
        player = position.player
        key = known.of(position.state, player)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.sets)
            self.sets.append(InformationSet(player, key, tuple(actions), self.slots, start, path))
            self.slots += len(actions)
        found = self.sets[number]
        if found.player != player or found.actions != tuple(actions):
            raise GameError(
                f"{self.game.name}: what player {player} has seen after {list(path)} does not tell which actions are legal "
                "for it; `icarus check` finds out why"
            )
        self.set_of[node] = number
        return found.first_slot

    def tree(self, starts: list[Position]) -> GameTree:
        set_of_slot = np.repeat(np.arange(len(self.sets)), [len(known.actions) for known in self.sets])
        return GameTree(
            game=self.game,
            starts=starts,
            sets=self.sets,
            slots=self.slots,
            parent=np.array(self.parent),
            actor=np.array(self.actor),
            slot=np.array(self.slot),
            odds=np.array(self.odds),
            depth=np.array(self.depth),
            own_depth=np.array(self.own).T.copy(),
            set_of=np.array(self.set_of),
            set_of_slot=set_of_slot,
            ends=np.array(self.ends),
            rewards=np.array(self.rewards).T.copy(),
            by_key={known.key: known for known in self.sets},
        )
