"""The published algorithms as settings of one loop: which determinizations are searched, and whose move history names a node.

=====================  ==================================================================================================
``uct``                perfect information: one tree of actions
``flat``, ``flat-ucb``  no tree: random or UCB1 choice at the root, then random playouts
``determinized(d)``    d determinizations, a UCT tree for each; root visits are added up (ismcts-2012, section IV-D)
``ensemble(d)``        the same without hidden information: d independent UCT trees
``cheating``, ``cheating-ensemble(d)``  UCT on the true state: a benchmark, not a player (section IV-C)
``so``, ``pom``, ``mo``  information set MCTS with a single observer, with partially observable moves, with multiple observers
=====================  ==================================================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from icarus.engine import layout as w
from icarus.errors import SearchError
from icarus.game import Game
from icarus.jit import Kernel


@dataclass(frozen=True)
class Algorithm:
    """How the loop is set up.  ``str()`` gives the name back."""

    name: str
    #: what names a tree node (engine/identity.py)
    identity: int = w.BY_ACTIONS
    #: how many independent trees share the budget
    trees: int = 1
    takes_trees: bool = False
    #: searches the true state although it may not be known
    cheats: bool = False
    #: draws a determinization for every iteration (otherwise one per tree)
    resamples: bool = True
    max_depth: int = 2**31
    flat_root: bool = False
    #: a kernel that runs iterations in place of the engine's own (engine/drive)
    driver: Kernel | None = None

    def __str__(self) -> str:
        return f"{self.name}({self.trees})" if self.takes_trees else self.name

    def check(self, game: Game) -> None:
        """Refuse what would silently peek, and what the game cannot serve."""
        if self.identity == w.BY_STATE:
            if game.hidden_information or game.simultaneous_moves or game.observe is not None:
                raise SearchError(f"transpositions need positions that everybody sees, and {game.name} hides some of them")
            if game.key is None:
                raise SearchError(f"transpositions need the function 'key', which the game {game.name!r} does not have")
        if game.hidden_information and self.name in ("uct", "ensemble"):
            other = {"uct": "cheating", "ensemble": "cheating-ensemble"}[self.name]
            raise SearchError(
                f"{self.name} needs perfect information and {game.name} hides some; use mo, so, pom or determinized (or {other})"
            )


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("uct", resamples=False),
        Algorithm("flat", max_depth=1, flat_root=True),
        Algorithm("flat-ucb", max_depth=1),
        Algorithm("determinized", trees=40, takes_trees=True, resamples=False),
        Algorithm("ensemble", trees=40, takes_trees=True, resamples=False),
        Algorithm("cheating", cheats=True, resamples=False),
        Algorithm("cheating-ensemble", trees=40, takes_trees=True, cheats=True, resamples=False),
        Algorithm("so"),
        Algorithm("pom", identity=w.BY_ROOT_VIEW),
        Algorithm("mo", identity=w.BY_EACH_VIEW),
    )
}


def algorithm_named(name: str | Algorithm | None, game: Game) -> Algorithm:
    """The algorithm of this name (``determinized(40)`` gives the number of trees), or the default for the game."""
    if isinstance(name, Algorithm):
        return name
    if name is None:
        name = "mo" if game.hidden_information else "uct"
    match = re.fullmatch(r"\s*([a-z-]+)\s*(?:\(\s*(\d+)\s*\))?\s*", name)
    if match is None or match[1] not in ALGORITHMS:
        near = get_close_matches(name, ALGORITHMS, n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise SearchError(f"there is no algorithm {name!r}{hint} There are: {', '.join(ALGORITHMS)}")
    algorithm = ALGORITHMS[match[1]]
    if match[2] is not None:
        if not algorithm.takes_trees:
            raise SearchError(f"{algorithm.name} takes no number of trees")
        trees = int(match[2])
        if not 1 <= trees <= 100_000:
            raise SearchError(f"{algorithm.name}({trees}): the number of trees must be 1 to 100000")
        algorithm = Algorithm(**{**algorithm.__dict__, "trees": trees})
    return algorithm
