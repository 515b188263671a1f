"""On-line tuning: for each player a bandit over the settings of an ``Adaptive`` strategy (strategy/adaptive.py).

The bandit is that of NTBEA (Lucas, Liu and Perez-Liebana 2018) over all settings: it keeps what every value, every pair of
values and every whole setting has brought, and the setting whose mean upper confidence bound over these tuples is best is used
next.  One trial is a slice of iterations with the same setting; its reward is the player's mean reward over them, read off the
root's record.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine import layout as w
from icarus.engine.team import Tree
from icarus.engine.world import Worker
from icarus.strategy.adaptive import Adaptive, numbers_of_settings

EXPLORATION = 0.3  #: of the confidence bound: a trial is a mean of several rewards from 0 to 1, so that it varies little
FEW = 0.5  #: added to every count, so that what was never tried has a bound, too


class TupleBandit:
    """Trials and rewards of values, pairs of values and whole settings, and the setting with the best bound."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        dimensions = range(len(sizes))
        tuples: list[tuple[int, ...]] = [(d,) for d in dimensions]
        tuples += list(combinations(dimensions, 2))
        if len(sizes) > 2:
            tuples.append(tuple(dimensions))
        settings = np.array(list(np.ndindex(*sizes)), np.int64)
        first, places = 0, []
        for chosen in tuples:  # each tuple has a row of cells, one for each combination of its values
            within = np.zeros(len(settings), np.int64)
            for d in chosen:
                within = within * sizes[d] + settings[:, d]
            places.append(first + within)
            first += int(np.prod([sizes[d] for d in chosen]))
        #: [setting, tuple] the cell of each tuple at each setting
        self.cells = np.array(places).T if places else np.zeros((1, 0), np.int64)
        self.trials, self.rewards = np.zeros(first), np.zeros(first)
        self.total = 0.0
        #: how many iterations each setting was used for
        self.used = np.zeros(len(self.cells), np.int64)

    def choose(self) -> int:
        """The setting with the best bound, the first among equals."""
        if len(self.cells) == 1:
            return 0
        # what was never tried is worth an even chance
        bounds = (self.rewards + 0.5 * FEW) / (self.trials + FEW)
        bounds += EXPLORATION * np.sqrt(np.log1p(self.total) / (self.trials + FEW))
        return int(bounds[self.cells].mean(axis=1).argmax())

    def tell(self, setting: int, reward: float, iterations: int) -> None:
        """What one trial of a setting has brought."""
        cells = self.cells[setting]
        self.trials[cells] += 1
        self.rewards[cells] += reward
        self.total += 1
        self.used[setting] += iterations

    def decay(self, keep: float) -> None:
        for known in (self.trials, self.rewards):
            known *= keep
        self.total *= keep

    def best(self) -> int:
        """The setting with the best mean over its tuples, each drawn towards what all trials brought as long as it is young."""
        if len(self.cells) == 1:
            return 0
        whole = len(self.cells[0]) - 1  # the last tuple is the whole setting: its trials are all trials
        cells = np.unique(self.cells[:, whole])
        overall = self.rewards[cells].sum() / max(self.trials[cells].sum(), 1.0)
        means = (self.rewards + overall) / (self.trials + 1.0)
        return int(means[self.cells].mean(axis=1).argmax())


@dataclass(frozen=True)
class Adapted:
    """What a search made of an adaptive strategy for one player."""

    player: int
    #: the setting with the best mean, as an expression
    best: str
    #: the share of the iterations that each setting was used for, by expression
    shares: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        return {"player": self.player, "best": self.best, "shares": self.shares}


class Adaptation:
    """The bandits of a search, and the memory through which the loop reads the settings they choose."""

    def __init__(self, strategy: Adaptive, players: int, **how: Any) -> None:
        self.strategy, self.players = strategy, players
        #: [setting, place] the numbers of each setting; and the nodes of the plan for which no twin serves all settings
        self.numbers, self.called = numbers_of_settings(strategy, **how)
        self.slice = strategy.slice
        self.bandits = [TupleBandit(tuple(len(values) for values in strategy.choices)) for _ in range(players)]

    def put_into(self, worker: Worker) -> None:
        """Give every player numbers of its own."""
        stride = self.numbers.shape[1]
        worker.put("numbers", np.tile(self.numbers[0], self.players))
        worker.strategy.per_player = stride

    def begin(self, worker: Worker, tree: Tree) -> Slice:
        """Choose a setting for each player, for the iterations that follow."""
        stride, settings = self.numbers.shape[1], [bandit.choose() for bandit in self.bandits]
        block = worker.numbers
        for player, setting in enumerate(settings):
            block[player * stride : (player + 1) * stride] = self.numbers[setting]
        return Slice(settings, int(worker.control.done), rewards_at(tree, self.players))

    def end(self, worker: Worker, tree: Tree, begun: Slice) -> None:
        """Credit the settings with what these iterations brought."""
        done = int(worker.control.done) - begun.done
        if done > 0:
            gained = rewards_at(tree, self.players) - begun.rewards
            for bandit, setting, reward in zip(self.bandits, begun.settings, gained, strict=True):
                bandit.tell(setting, float(reward) / done, done)

    def move_on(self) -> None:
        """The game has moved on."""
        for bandit in self.bandits:
            bandit.decay(self.strategy.keep)

    def found(self) -> list[Adapted]:
        """What was used and what was best, for each player."""
        found = []
        for player, bandit in enumerate(self.bandits):
            total = max(int(bandit.used.sum()), 1)
            shares = {self.strategy.named(i): round(int(n) / total, 4) for i, n in enumerate(bandit.used)}
            found.append(Adapted(player, self.strategy.named(bandit.best()), shares))
        return found


@dataclass(frozen=True)
class Slice:
    """Iterations under way: the settings of the players, and how far worker and root had come before."""

    settings: list[int]
    done: int
    rewards: npt.NDArray[np.float64]


def rewards_at(tree: Tree, players: int) -> npt.NDArray[np.float64]:
    """The total reward of every player at the root of a tree."""
    first = tree.record + w.Record.reward.offset
    return tree.table.pool[first : first + players].view(np.float64).copy()
