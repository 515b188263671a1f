"""Best responses and exploitability, exactly, on the whole tree of a small game.

A strategy is an array of probabilities over the slots of a :class:`GameTree`.  Values are rewards, from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icarus.equilibrium.game_tree import END, GameTree, Ints, Reals


@dataclass(frozen=True)
class Exploitability:
    """What best responses gain: on average over the players (NashConv divided by their number)."""

    exploitability: float
    #: by player: the expected reward if everybody keeps to the strategy ...
    values: tuple[float, ...]
    #: ... and what the player would get by the best response to all others
    responses: tuple[float, ...]


def exploitability(tree: GameTree, strategy: Reals) -> Exploitability:
    """How much better than the strategy a best response to it does."""
    players = range(tree.game.players)
    values = tuple(value_of(tree, strategy, player) for player in players)
    responses = tuple(best_response(tree, strategy, player)[0] for player in players)
    gain = sum(best - kept for best, kept in zip(responses, values, strict=True)) / tree.game.players
    return Exploitability(max(gain, 0.0), values, responses)


def reach(tree: GameTree, strategy: Reals, without: int | None = None) -> Reals:
    """The probability of every node; ``without``: as if this player did everything to get there."""
    edges = tree.odds.copy()
    chosen = tree.slot >= 0
    if without is not None:
        chosen &= tree.actor[tree.parent] != without
    edges[chosen] = strategy[tree.slot[chosen]]
    for nodes in _levels(tree)[1:]:
        edges[nodes] *= edges[tree.parent[nodes]]
    return edges


def value_of(tree: GameTree, strategy: Reals, player: int) -> float:
    """The expected reward of a player if everybody keeps to the strategy."""
    return float(reach(tree, strategy)[tree.ends] @ tree.rewards[player])


def best_response(tree: GameTree, strategy: Reals, player: int) -> tuple[float, Ints]:
    """What a player can get against the strategies of the others, and how: the slot that it takes in each information set.

    All that is known when a player acts for the k-th time follows from its first k - 1 choices and the others; so decisions are
    settled from the last to the first, each for a whole information set at once.
    """
    worth = np.zeros(len(tree.parent))  # reward times the probability that the others and chance get there
    worth[tree.ends] = reach(tree, strategy, without=player)[tree.ends] * tree.rewards[player]
    own_depth, actor = tree.own_depth[player], tree.actor
    chosen = np.full(len(tree.sets), -1)
    for acted in range(int(own_depth.max()), -1, -1):
        now = own_depth == acted
        mine = np.flatnonzero(now & (actor == player))
        if len(mine):
            following = np.flatnonzero((own_depth == acted + 1) & (actor[tree.parent] == player))
            gains = np.bincount(tree.slot[following], worth[following], minlength=tree.slots)
            for number in np.unique(tree.set_of[mine]):
                slots = tree.sets[number].slots
                chosen[number] = slots.start + int(np.argmax(gains[slots]))
            taken = following[chosen[tree.set_of[tree.parent[following]]] == tree.slot[following]]
            np.add.at(worth, tree.parent[taken], worth[taken])
        others = np.flatnonzero(now & (actor[tree.parent] != player))
        for nodes in _by_depth(tree, others[others > 0]):
            np.add.at(worth, tree.parent[nodes], worth[nodes])
    return float(worth[0]), chosen


def pure(tree: GameTree, strategy: Reals, player: int, chosen: Ints) -> Reals:
    """The strategy with a player's part replaced by the slots that it takes."""
    answer = strategy.copy()
    for number, known in enumerate(tree.sets):
        if known.player == player and chosen[number] >= 0:
            answer[known.slots] = 0.0
            answer[chosen[number]] = 1.0
    return answer


def own_reach(tree: GameTree, strategy: Reals, player: int) -> Reals:
    """By information set of a player: how likely its own choices lead there (other players' sets are 0)."""
    edges = np.ones(len(tree.parent))
    mine = (tree.slot >= 0) & (tree.actor[tree.parent] == player)
    edges[mine] = strategy[tree.slot[mine]]
    for nodes in _levels(tree)[1:]:
        edges[nodes] *= edges[tree.parent[nodes]]
    found = np.zeros(len(tree.sets))
    acts = np.flatnonzero(tree.actor == player)
    found[tree.set_of[acts]] = edges[acts]
    return found


def _levels(tree: GameTree) -> list[Ints]:
    """Nodes by depth; they are numbered breadth first."""
    bounds = np.searchsorted(tree.depth, np.arange(int(tree.depth[-1]) + 2))
    return [np.arange(bounds[i], bounds[i + 1]) for i in range(len(bounds) - 1)]


def _by_depth(tree: GameTree, nodes: Ints) -> list[Ints]:
    """These nodes from the deepest to the highest level."""
    if not len(nodes):
        return []
    depths = tree.depth[nodes]
    return [nodes[depths == depth] for depth in np.unique(depths)[::-1]]


__all__ = ["END", "Exploitability", "best_response", "exploitability", "own_reach", "pure", "reach", "value_of"]
