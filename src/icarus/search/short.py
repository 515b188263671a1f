"""Many short searches of one game with one strategy, in the memory of a single search: making one anew takes longer than fifty
iterations of it.

Every search has a name of its own for its root, so that the trees lie in one table side by side and know nothing of each
other: the visits are those of a :class:`Search` with the same seed.  Statistics that belong to no tree node (MAST, NAST,
LGR, ...) would be shared, and games that give lanes more than words hold on to a position: for them each search is made
anew.
"""

from __future__ import annotations

from icarus.engine.team import Tree
from icarus.game import Game, Position, Stepping
from icarus.jit.randomness import seeded
from icarus.search.searching import Search
from icarus.strategy.base import Strategy
from icarus.tree import read_records

MEMORY = 1 << 23


class ShortSearches:
    """Searches of ``iterations`` each, for whoever acts in a position."""

    def __init__(self, game: Game, *, strategy: Strategy, algorithm: str | None, iterations: int) -> None:
        self.game, self.strategy, self.algorithm, self.iterations = game, strategy, algorithm, iterations
        self._search: Search | None = None
        self._number = 0

    def visits(self, position: Position, seed: int) -> dict[int, int]:
        """How often each action of whoever acts was chosen."""
        search = self._search
        if search is None or not self._shares(search):
            search = self._search = Search(position, algorithm=self.algorithm, strategy=self.strategy, seed=seed, memory=MEMORY)
            return {row.action: row.visits for row in search.run(iterations=self.iterations).root}
        player, team = position.player, search.team
        search.position, search.observer = position, player
        worker, table = team.workers[0], team.tables[0]
        if table.used_bytes > MEMORY // 2:
            table.clear()
        control = worker.control
        control.observer, control.root_label = player, position.episode[0]
        worker.rng[:] = seeded(seed, stream=100)
        self._number += 1
        root = search.root_state()
        tree = Tree(root, search.root_history(self._number, root), table)
        team.trees = [tree]
        team.run_once(tree, self.iterations, search.memory)
        found = read_records(search, tree, search.context_key(tree))
        return {action: int(row[0]) for action, row in found.items()}

    @staticmethod
    def _shares(search: Search) -> bool:
        """Is everything that a search learns in the nodes of its own tree?"""
        game, plan = search.game, search.plan
        plain = len(plan.captures) == 1 and not plan.needs_moves and not plan.needs_later
        alone = (
            len(search.team.trees) == 1
            and search.begins.drawn is None
            and search.adaptation is None
            and not search.algorithm.solve
        )
        return plain and alone and game.stepping is Stepping.ONE_STATE and game.copy is None and game.score is None
