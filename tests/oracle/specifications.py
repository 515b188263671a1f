"""Specifications 1 to 7 of icarus-2014 and their relatives, as functions over tuples and dictionaries.

An ICARUS is (R, Theta, theta_initial, alpha, Psi, xi, omega).  Here a *specification* has all of it but alpha: which records a
choice is judged by (``reads``), what is known at first (``initial``), which records a playout updates and in which capture
context (``captures``, xi), and how (``updates``, omega).  policies.py has the alphas, so that each goes with each.

A record is a pair (context, action); for last good reply it is the context alone.  Averages keep :class:`Info`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.oracle.history import EXPANSION, SELECTION, SIMULATION, Context, History
from tests.oracle.states import ENVIRONMENT

VISIT, AVAILABLE = "visit", "available"

Record = tuple[Context, int]


@dataclass(frozen=True)
class Info:
    """Theta: total reward q of every player, visits n, availability m; for EXP3 s, for UCB1-Tuned the sum of squares."""

    q: tuple[float, ...]
    n: int = 0
    m: int = 0
    weighted: float = 0.0
    squares: float = 0.0


@dataclass(frozen=True)
class Capture:
    """Psi: why a record is updated, who acted, and with which probability the action was drawn from these records."""

    kind: str
    player: int
    probability: float = 0.0


Update = tuple[Record, Capture]


class Specification:
    """Records that keep averages.  ``number`` tells the records of one capture from another's (the disjoint union of COMB-1)."""

    def __init__(self, number: int, players: int, available: bool) -> None:
        self.number, self.players = number, players
        self.available = available  #: does some policy want to know how often an action was available?

    def initial(self) -> Info:
        return Info((0.0,) * self.players)

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        """The contexts in which the choice after i actions is judged."""
        raise NotImplementedError

    def written(self, h: History, i: int, player: int) -> list[Context]:
        """The contexts in which it is remembered."""
        return self.contexts(h, i, player)

    def merge(self, infos: list[Info], player: int) -> Info:
        """One piece of information where there are several contexts (or none)."""
        assert len(infos) <= 1
        return infos[0] if infos else self.initial()

    def reads(self, h: History, theta: Callable[[Record], Info], choice: int) -> Info:
        """What the policy knows of a choice at the end of the history."""
        i, player = len(h.steps), h.state.player
        return self.merge([theta((context, choice)) for context in self.contexts(h, i, player)], player)

    def captures(self, h: History) -> Iterator[Update]:
        """xi."""
        for i, step in enumerate(h.steps):
            if step.player == ENVIRONMENT or not self.captured(step.phase):
                continue
            probability = step.odds[1] if step.odds[0] == self.number else 0.0
            for context in self.written(h, i, step.player):
                yield (context, step.action), Capture(VISIT, step.player, probability)
                if self.available:
                    for action in step.state.legal:
                        if action != step.action:
                            yield (context, action), Capture(AVAILABLE, step.player)

    def captured(self, phase: str) -> bool:
        return True

    def updates(self, info: Info, psi: Capture, mu: list[float]) -> Info:
        """omega: of the rewards only that of the player who acted is ever read."""
        if psi.kind == AVAILABLE:
            return replace(info, m=info.m + 1)
        reward = mu[psi.player]
        q = tuple(total + reward if i == psi.player else total for i, total in enumerate(info.q))
        weighted = info.weighted + (reward / psi.probability if psi.probability > 0 else 0.0)
        return Info(q, info.n + 1, info.m + 1, weighted, info.squares + reward * reward)


class Base(Specification):
    """Specification 1.  Outcomes of the environment are records too, of a context of the environment."""

    def __init__(self, players: int) -> None:
        super().__init__(0, players, True)

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        return [h.node(i, player)]

    def captures(self, h: History) -> Iterator[Update]:
        for i, step in enumerate(h.steps):
            if step.phase == SIMULATION:  # beyond t_e
                break
            context = h.node(i, step.player)
            probability = step.odds[1] if step.odds[0] == 0 else 0.0
            yield (context, step.choice), Capture(VISIT, step.player, probability)
            for choice in step.choices:
                if choice != step.choice:
                    yield (context, choice), Capture(AVAILABLE, step.player)

    def updates(self, info: Info, psi: Capture, mu: list[float]) -> Info:
        if psi.kind == AVAILABLE:
            return replace(info, m=info.m + 1)
        own = mu[psi.player] if psi.player != ENVIRONMENT else 0.0
        return Info(
            tuple(total + reward for total, reward in zip(info.q, mu, strict=True)),
            info.n + 1,
            info.m + 1,
            info.weighted + (own / psi.probability if psi.probability > 0 else 0.0),
            info.squares + own * own,
        )


class Amaf(Specification):
    """Specification 2, with the relatives of rave-variants-2016: an ancestor's records (GRAVE), the root's (HRAVE).

    ``visits(h, i)``: how often the record of the first i actions had been visited before this playout.  For GRAVE a node keeps
    every later action of every player, legal there or not (section III-B).
    """

    def __init__(self, number: int, players: int, ref: float, every_node: bool, visits: Callable[[History, int], int]) -> None:
        super().__init__(number, players, False)
        self.ref, self.every_node, self.visits = ref, every_node, visits

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        return [(h.node(self.reference(h, i), player), player)]

    def reference(self, h: History, i: int) -> int:
        """The nearest node on the way, from here up, with more than ``ref`` visits; the first decision if there is none."""
        if self.ref == 0:
            return i
        nodes = [j for j in range(i + 1) if h.state_at(j).player != ENVIRONMENT]
        for j in reversed(nodes):
            if self.visits(h, j) > self.ref:
                return j
        return nodes[0]

    def captures(self, h: History) -> Iterator[Update]:
        nodes = [i for i, step in enumerate(h.steps) if step.player != ENVIRONMENT and self.keeps(step.phase)]
        if self.ref == 0:
            for i in nodes:
                player, legal = h.steps[i].player, h.steps[i].choices
                for later in h.steps[i:]:
                    if later.player == player and later.action in legal:
                        yield ((h.node(i, player), player), later.action), Capture(VISIT, player)
        else:
            seen = set()
            for i in nodes:
                for player in range(self.players):
                    context = (h.node(i, player), player)
                    if context in seen:  # a player who noticed nothing is still at the same node
                        continue
                    seen.add(context)
                    for later in h.steps[i:]:
                        if later.player == player:
                            yield (context, later.action), Capture(VISIT, player)

    def keeps(self, phase: str) -> bool:
        return phase == SELECTION or (phase == EXPANSION and self.every_node)


class Mast(Specification):
    """Specification 3."""

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        return [player]


class TreeOnlyMast(Mast):
    """TO-MAST-6: what was played at selection and expansion nodes."""

    def captured(self, phase: str) -> bool:
        return phase != SIMULATION


class Past(Specification):
    """Predicate-average sampling (section 4.3.3): one record for each predicate that holds; the best average of them counts."""

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        return [(predicate, player) for predicate in h.state_at(i).predicates]

    def merge(self, infos: list[Info], player: int) -> Info:
        best = self.initial()
        for info in infos:
            if info.n > 0 and (best.n == 0 or info.q[player] / info.n > best.q[player] / best.n):
                best = info
        return best


class Nast(Specification):
    """Specification 5: the last n - 1 moves that the player noticed since the root."""

    def __init__(self, number: int, players: int, available: bool, n: int) -> None:
        super().__init__(number, players, available)
        self.n = n

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        seen = h.seen(player, i)
        return [(player, seen[len(seen) - (self.n - 1) :])] if len(seen) >= self.n - 1 else []


class Tiles(Specification):
    """Contextual Monte Carlo (section 4.3.6): pairs of actions of one player; the pair with its last action is what counts."""

    def written(self, h: History, i: int, player: int) -> list[Context]:
        return [(player, h.move(j, player)) for j in range(i) if h.steps[j].player == player]

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        return self.written(h, i, player)[-1:]


class Epic(Specification):
    """Specification 7; the record of an action is the position-in-episode of the history before it, and the action."""

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        return [(player, h.position_in_episode(i, player))]


class Heuristic(Specification):
    """What the game thinks of an action: one visit with that reward, never updated."""

    def reads(self, h: History, theta: Callable[[Record], Info], choice: int) -> Info:
        value = h.state.heuristic(choice)
        return Info((value,) * self.players, 1, 0)

    def captures(self, h: History) -> Iterator[Update]:
        return iter(())


class Replies:
    """Specification 4 (``forgets``: LGRF-7); with ``lengths`` (2, 1) replies to the last two moves, else to the last one."""

    def __init__(self, number: int, forgets: bool, lengths: tuple[int, ...]) -> None:
        self.number, self.forgets, self.lengths = number, forgets, lengths

    def contexts(self, h: History, i: int, player: int) -> list[Context]:
        seen = h.seen(player, i)
        return [(player, seen[-length:]) for length in self.lengths if len(seen) >= length]

    def reads(self, h: History, replies: Callable[[Context], int | None], legal: list[int]) -> int | None:
        """The reply to play, if one is known and legal."""
        for context in self.contexts(h, len(h.steps), h.state.player):
            reply = replies(context)
            if reply in legal:
                return reply
        return None

    def captures(self, h: History) -> Iterator[tuple[Context, tuple[int, int]]]:
        """xi: the record, and as capture context the action with its player."""
        for i, step in enumerate(h.steps):
            if step.player != ENVIRONMENT:
                for context in self.contexts(h, i, step.player):
                    yield context, (step.action, step.player)

    def updates(self, old: int | None, psi: tuple[int, int], mu: list[float]) -> int | None:
        new, player = psi
        if mu[player] > 0:
            return new
        return None if self.forgets and old == new else old
