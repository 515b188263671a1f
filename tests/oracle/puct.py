"""PUCT and Gumbel AlphaZero written down plainly: a dictionary of nodes, one descent at a time, nothing clever."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from icarus.game import ENVIRONMENT, UNSEEN, Position
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.network.algorithm import NetworkAlgorithm
from icarus.network.encoding import encoding_of

#: hidden moves; as plain Python its views take too long
DARK_HEX = ("dark_hex(2)",) if JIT else ()


def table_evaluator(players: int, seed: int = 0) -> Any:
    """Logits and values that look random, and are the same for the same observation."""

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        logits, values = np.zeros(legal.shape, np.float32), np.zeros((len(legal), players), np.float32)
        for row, observation in enumerate(observations):
            rng = np.random.default_rng([seed, *observation.tobytes()])
            logits[row] = rng.normal(size=legal.shape[1])
            values[row] = rng.random(players)
        return logits, values

    return evaluate


@dataclass
class Node:
    player: int
    actions: list[int]
    logits: list[float]
    values: list[float]  #: by number of player
    visits: list[int] = field(default_factory=list)
    totals: list[list[float]] = field(default_factory=list)
    priors: list[float] = field(default_factory=list)

    def mean(self, i: int) -> float:
        return self.totals[i][self.player] / self.visits[i]


class Oracle:
    """A search with one lane; ``nodes`` are named by who acts, what it has seen, sees and may do."""

    def __init__(self, position: Position, evaluate: Any, algorithm: NetworkAlgorithm, iterations: int, seed: int) -> None:
        self.root, self.evaluate, self.how = position, evaluate, algorithm
        self.rng = seeded(seed, stream=200)
        self.nodes: dict[Any, Node] = {}
        self.encoding = encoding_of(position.game)
        self.iterations = iterations
        seen: list[tuple[int, ...]] = [()] * position.game.players
        self.top = self.key(position, seen)
        self.new_node(self.top, position)
        for number in range(iterations):
            self.descend(number)

    def key(self, position: Position, seen: list[tuple[int, ...]]) -> Any:
        player = position.player
        return player, seen[player], self.encoding.look(position, player).tobytes(), tuple(position.legal())

    def new_node(self, key: Any, position: Position) -> list[float]:
        player, actions, players = position.player, position.legal(), position.game.players
        legal = np.zeros((1, self.encoding.actions), np.bool_)
        legal[0, actions] = True
        logits, values = self.evaluate(self.encoding.look(position, player)[None], legal)
        by_player = [float(values[0, (p - player) % players]) for p in range(players)]
        node = Node(player, actions, [float(logits[0, a]) for a in actions], by_player)
        node.visits, node.totals = [0] * len(actions), [[0.0] * players for _ in actions]
        weights = [math.exp(logit - max(node.logits)) for logit in node.logits]
        node.priors = [weight / sum(weights) for weight in weights]
        self.nodes[key] = node
        return by_player

    def descend(self, number: int) -> None:
        position = self.root.copy()
        if position.game.determinize is not None:
            position = position.determinize(position.player, self.rng)
        seen: list[tuple[int, ...]] = [()] * position.game.players
        key, path = self.top, []
        while True:
            node = self.nodes[key]
            i = self.choose(node, number, at_root=not path)
            node.visits[i] += 1
            path.append((node, i))
            self.play(position, seen, node.actions[i])
            while position.environment_acts:
                self.play(position, seen, position.sample(self.rng))
            if position.is_terminal:
                rewards = position.rewards()
                break
            assert position.player != ENVIRONMENT
            key = self.key(position, seen)
            if key not in self.nodes:
                rewards = self.new_node(key, position)
                break
        for node, i in path:
            for player, reward in enumerate(rewards):
                node.totals[i][player] += reward

    def play(self, position: Position, seen: list[tuple[int, ...]], action: int) -> None:
        for player in range(position.game.players):
            move = position.observe(action, player)
            if move != UNSEEN:
                seen[player] = (*seen[player], move)
        position.apply(action)

    def choose(self, node: Node, number: int, *, at_root: bool) -> int:
        if self.how.name == "puct":
            return self.puct(node)
        return self.halving(node, number) if at_root else self.deterministic(node)

    def puct(self, node: Node) -> int:
        n = 1 + sum(node.visits)
        c = self.how.c + math.log((n + self.how.base) / self.how.base)
        backed_up = sum(totals[node.player] for totals in node.totals) + node.values[node.player]
        untried = 0.0 if self.how.first == "loss" else backed_up / n
        values = [
            (node.mean(i) if node.visits[i] else untried) + c * node.priors[i] * math.sqrt(n) / (1 + node.visits[i])
            for i in range(len(node.actions))
        ]
        return int(np.argmax(values))

    def improved(self, node: Node) -> list[float]:
        """logit + sigma(completed Q)."""
        tried = [i for i in range(len(node.actions)) if node.visits[i]]
        mixed = node.values[node.player]
        if tried:
            weighed = sum(node.priors[i] * node.mean(i) for i in tried) / sum(node.priors[i] for i in tried)
            mixed = (mixed + sum(node.visits) * weighed) / (1 + sum(node.visits))
        scale = (self.how.c_visit + max(node.visits)) * self.how.c_scale
        return [node.logits[i] + scale * (node.mean(i) if node.visits[i] else mixed) for i in range(len(node.actions))]

    def deterministic(self, node: Node) -> int:
        scores = self.improved(node)
        weights = [math.exp(score - max(scores)) for score in scores]
        n = 1 + sum(node.visits)
        return int(np.argmax([weights[i] / sum(weights) - node.visits[i] / n for i in range(len(weights))]))

    def halving(self, node: Node, number: int) -> int:
        """Phase by phase: every action that is left gets equally many visits, then the better half stays."""
        left = min(len(node.actions), self.how.considered)
        phases, descents, visits = math.ceil(math.log2(max(left, 2))), 0, 0
        scores = self.improved(node)
        while True:
            rounds = max(1, self.iterations // (phases * left)) if left > 1 else self.iterations
            for _ in range(rounds):
                if number < descents + left:
                    fitting = [i for i in range(len(scores)) if node.visits[i] == visits]
                    return max(fitting, key=lambda i: scores[i])
                descents, visits = descents + left, visits + 1
            left = max(2, left // 2)
