"""The algorithms of ismcts-2012, transcribed slowly: trees of node objects, one iteration after the other.

======================  ===============================================================================================
``SingleObserver``      SO-ISMCTS (part A of the appendix); without resampling it is UCT on one state
``PartiallyObservable``  SO-ISMCTS + POM (part B)
``MultipleObserver``    MO-ISMCTS (part C)
``Ensemble``            independent trees, one per root state: determinized UCT and ensemble UCT (sections IV-C, IV-D)
======================  ===============================================================================================

What the appendix leaves open, and how it is settled here and in the engine:

- Section IV-B counts for n'(c) *every* trial in which c was available, Base-6 of icarus-2014 as well; line 35 of part A
  reaches only the siblings that are already in the tree.  The text decides: an arm counts from the first time that it is
  available.
- An action may tell its player more than the player chose (whether a hidden square was free): statistics belong to the
  choice, and the next node is found by the move.  Where actions and moves are the same this is the appendix to the letter.
- An observer that notices nothing of an action stays at its node; in the single tree of POM, where every step is an edge,
  the step is the edge NOTHING.
- Players who choose at the same time (section III-C) choose independently, by EXP3, at nodes that hang on the node where the
  simultaneous decision began and know nothing but their own choices since; the tree goes on below the branch of all of them.
  A decision is another one when someone who has chosen chooses again after others have.
- The environment draws from its policy, or visits its outcomes evenly.  An outcome that was never met ends the descent, like
  any new node.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.oracle.randomness import Random
from tests.oracle.states import ENVIRONMENT, UNSEEN, State

NOTHING = 2**31 - 1  #: the edge of an action that the searching player did not notice (POM)


@dataclass
class Arm:
    """What is known of one choice at a node: n, n', r, and for EXP3 the sum of rewards over probabilities, s."""

    players: int
    visits: int = 0
    available: int = 0
    reward: list[float] = field(default_factory=list)
    weighted: float = 0.0

    def __post_init__(self) -> None:
        self.reward = [0.0] * self.players


@dataclass
class Node:
    """A node v: its arms, and the nodes below by the moves that lead there."""

    players: int
    arms: dict[int, Arm] = field(default_factory=dict)
    children: dict[int, Node] = field(default_factory=dict)
    #: where a simultaneous decision begins: one node for each player
    private: dict[int, Node] = field(default_factory=dict)

    def arm(self, choice: int) -> Arm:
        if choice not in self.arms:
            self.arms[choice] = Arm(self.players)
        return self.arms[choice]

    def find_or_create_child(self, move: int) -> Node:
        if move == UNSEEN:
            return self
        if move not in self.children:
            self.children[move] = Node(self.players)
        return self.children[move]

    def private_of(self, player: int) -> Node:
        return self.private.setdefault(player, Node(self.players))


@dataclass
class Visit:
    """One step of the descent, for backpropagation."""

    node: Node
    choices: list[int]
    choice: int
    player: int
    probability: float  #: with which EXP3 chose, else 0


class SingleObserver:
    """SO-ISMCTS: edges are actions as the player who acts sees them."""

    def __init__(
        self,
        root: State,
        observer: int,
        rng: Random,
        *,
        k: float = 0.7,
        resample: bool = True,
        even: bool = False,
        max_depth: float = math.inf,
        uniform: bool = False,
    ) -> None:
        self.root_state, self.observer, self.rng, self.k = root, observer, rng, k
        self.resample, self.even, self.max_depth, self.uniform = resample, even, max_depth, uniform
        self.players = root.game.players
        self.top = Arm(self.players)  #: the root's own record
        self.plant()

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterate()

    def iterate(self) -> None:
        d = self.root_state.determinized(self.observer, self.rng) if self.resample else self.root_state
        path, d = self.descend(d)
        self.backpropagate(path, self.simulate(d))

    # --- SELECT and EXPAND -------------------------------------------------------------------------------------------

    def descend(self, d: State) -> tuple[list[Visit], State]:
        """SELECT until something is missing in the tree, then EXPAND."""
        path: list[Visit] = []
        depth = 0
        self.to_root()
        while not d.terminal:
            v = self.node(d)
            if d.player == ENVIRONMENT:
                visit, action = self.chance(v, d)
            else:
                visit, action = self.decide(v, d)
                depth += 1
            path.append(visit)
            self.follow(d, action)
            d = d.after(action)
            if v.arm(visit.choice).visits == 0 or depth >= self.max_depth:
                break
        return path, d

    def decide(self, v: Node, d: State) -> tuple[Visit, int]:
        """A player's choice among the arms that are compatible with d."""
        choices = self.choices(d)
        untried = [c for c in choices if v.arm(c).visits == 0]  # u(v, d)
        probability = 0.0
        if self.uniform:
            choice = self.rng.one_of(choices)
        elif d.simultaneous:
            choice, probability = self.exp3(v, choices)
        elif untried:
            choice = self.rng.one_of(untried)
        else:
            choice = self.rng.one_of(largest({c: self.ucb(v.arm(c), d.player) for c in choices}))
        return Visit(v, choices, choice, d.player, probability), self.action(d, choice)

    def ucb(self, c: Arm, player: int) -> float:
        """Equation 7, with the number of trials in which the arm was available (section IV-B)."""
        return c.reward[player] / c.visits + self.k * math.sqrt(math.log(c.available) / c.visits)

    def exp3(self, v: Node, choices: list[int]) -> tuple[int, float]:
        """Equations 4 to 6: an arm, and the probability that it had."""
        arms = [v.arm(c) for c in choices]
        K, n = len(choices), sum(arm.visits for arm in arms)
        if K == 1:
            return choices[0], 1.0
        gamma = 1.0 if n == 0 else min(1.0, math.sqrt(K * math.log(K) / ((math.e - 1) * n)))
        eta = gamma / K
        p = [gamma / K + (1 - gamma) / sum(exp((b.weighted - a.weighted) * eta) for b in arms) for a in arms]
        i = self.rng.by_weight(p)
        return choices[i], p[i]

    def chance(self, v: Node, d: State) -> tuple[Visit, int]:
        """The environment: a draw from its policy, or the outcome that is furthest behind its share (section III-C, 2)."""
        if not self.even:
            outcome = d.sample(self.rng)
            shown = self.shown(d, outcome)
            return Visit(v, [shown], shown, ENVIRONMENT, 0.0), outcome
        outcomes = d.legal
        behind = largest({o: -v.arm(o).visits / p for o, p in zip(outcomes, d.chances(), strict=True)})
        outcome = self.rng.one_of(behind)
        return Visit(v, outcomes, outcome, ENVIRONMENT, 0.0), outcome

    # --- SIMULATE and BACKPROPAGATE ----------------------------------------------------------------------------------

    def simulate(self, d: State) -> list[float]:
        while not d.terminal:
            d = d.after(d.sample(self.rng) if d.player == ENVIRONMENT else self.rng.one_of(d.legal))
        return d.rewards()

    def backpropagate(self, path: list[Visit], r: list[float]) -> None:
        for visit in path:
            for c in visit.choices:
                visit.node.arm(c).available += 1
            arm = visit.node.arm(visit.choice)
            arm.visits += 1
            arm.reward = plus(arm.reward, r)
            if visit.probability > 0:
                arm.weighted += r[visit.player] / visit.probability
        self.top.visits += 1
        self.top.available += 1
        self.top.reward = plus(self.top.reward, r)

    # --- what the three algorithms do differently --------------------------------------------------------------------

    def plant(self) -> None:
        self.root = Node(self.players)

    def to_root(self) -> None:
        self.at = self.root
        self.hidden: dict[int, Node] | None = None  #: in a simultaneous decision: every player's own node
        self.chosen: list[int] = []  #: who has chosen in it, in order

    def node(self, d: State) -> Node:
        """The node at which the player about to act chooses."""
        if not d.simultaneous:
            self.hidden = None
            return self.at
        again = d.player in self.chosen and self.chosen[-1] != d.player
        if self.hidden is None or again:
            self.hidden, self.chosen = {p: self.at.private_of(p) for p in range(self.players)}, []
        self.chosen.append(d.player)
        return self.hidden[d.player]

    def choices(self, d: State) -> list[int]:
        return d.legal

    def action(self, d: State, choice: int) -> int:
        return choice

    def shown(self, d: State, outcome: int) -> int:
        return outcome

    def edge(self, d: State, action: int) -> int:
        """The edge that an action follows."""
        return d.seen(action, d.player)

    def follow(self, d: State, action: int) -> None:
        self.at = self.at.find_or_create_child(self.edge(d, action))
        if self.hidden is not None and d.player != ENVIRONMENT:
            self.hidden[d.player] = self.hidden[d.player].find_or_create_child(self.edge(d, action))


class PartiallyObservable(SingleObserver):
    """SO-ISMCTS + POM: edges are moves as the searching player sees them."""

    def choices(self, d: State) -> list[int]:
        """M_1(d): the moves that the searching player can tell apart (its own choices are its actions)."""
        return d.legal if d.player == self.observer else distinct([self.edge(d, a) for a in d.legal])

    def action(self, d: State, choice: int) -> int:
        """An action from A(d) that looks like this move."""
        if d.player == self.observer:
            return choice
        return self.rng.one_of([a for a in d.legal if self.edge(d, a) == choice])

    def shown(self, d: State, outcome: int) -> int:
        return self.edge(d, outcome)

    def edge(self, d: State, action: int) -> int:
        move = d.seen(action, self.observer)
        return NOTHING if move == UNSEEN else move


class MultipleObserver(SingleObserver):
    """MO-ISMCTS: a tree for each player, whose edges are moves as this player sees them; the environment sees everything."""

    def plant(self) -> None:
        self.roots = {i: Node(self.players) for i in (*range(self.players), ENVIRONMENT)}

    def to_root(self) -> None:
        self.nodes = dict(self.roots)

    def node(self, d: State) -> Node:
        return self.nodes[d.player]

    def follow(self, d: State, action: int) -> None:
        for i in self.nodes:
            self.nodes[i] = self.nodes[i].find_or_create_child(d.seen(action, i))


class Ensemble:
    """UCT on several states with independent trees that share the iterations."""

    def __init__(self, roots: list[State], observer: int, rng: Random, *, even: bool = False) -> None:
        self.trees = [SingleObserver(root, observer, rng, resample=False, even=even) for root in roots]

    def run(self, iterations: int) -> None:
        for i, tree in enumerate(self.trees):
            tree.run(iterations // len(self.trees) + (i < iterations % len(self.trees)))


# --- small mathematics -----------------------------------------------------------------------------------------------


def largest(values: dict[int, float]) -> list[int]:
    """arg max: all of them."""
    return [choice for choice, value in values.items() if value == max(values.values())]


def plus(q: list[float], r: list[float]) -> list[float]:
    return [a + b for a, b in zip(q, r, strict=True)]


def distinct(items: list[int]) -> list[int]:
    return list(dict.fromkeys(items))


def exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf
