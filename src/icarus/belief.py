"""Belief: what the others did tells what they may hold.

A determinization draws uniformly from all that a player cannot tell apart, as if the moves so far said nothing.  With a belief
each possibility is weighed by how likely a *model* of the others would have made the moves that were seen:

==================================  =============================================================================================
``Model("MAST()", iterations=50)``  the others search with this strategy, each with what it would know itself
``Fixed(policy)``                   ``policy(position)`` gives the probabilities of the legal actions of who acts
``Counts(strategy)``                a strategy that was counted before, such as what ``icarus equilibrium`` writes
==================================  =============================================================================================

It is a particle filter.  A particle is a whole game that the observer cannot tell from the true one: a deal drawn by
``determinize`` from the start, then move by move what was seen.  Where the observer did not see the action itself, the particle
draws one among those that would have looked the same; where another player acts, the particle's weight is multiplied by the
probability that the model gives to all of these.  When few particles carry all the weight, they are drawn anew by weight; when
hardly any agree with what was seen last (somebody was unmasked), all are drawn anew, uniformly, from what can be now.

Where hands are large few deals of the start agree with everything that was played from them.  So a game may say how it came to
a position (``retrace``): then particles are uniform determinizations of the *present*, each with a whole game that leads to it,
and each weighs as much as that game is likely.  All of them agree with what was seen.

Only the observer's view of the start and the moves that it saw are used.  Where no particle fits, the search falls back to
uniform determinizations and says so in one line.
"""

from __future__ import annotations

import logging
import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from icarus.drawn import Drawn
from icarus.errors import SearchError, StrategyError
from icarus.game import ENVIRONMENT, UNSEEN, Game, Position
from icarus.jit.randomness import random_unit, seeded

if TYPE_CHECKING:
    from icarus.equilibrium.average import AverageStrategy
    from icarus.search.short import ShortSearches
    from icarus.strategy.base import Strategy

PARTICLES = 64
DEALS = 3000  #: deals of a game that are listed to find them
ENOUGH = 0.5  #: what a retraced belief leaves of the worth of its particles
RECENT = 8  #: how many of the others' moves it weighs at most
SURE = 0.05  #: the share of a model's moves that is uniform: nobody plays exactly as a model says


class OpponentModel(Protocol):
    """How likely whoever acts in a position would choose each of its legal actions, given what that player knows."""

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]: ...


@dataclass(frozen=True)
class Fixed:
    """A policy of one's own: ``policy(position)`` gives one probability for each legal action of whoever acts."""

    policy: Callable[[Position], Sequence[float]]

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]:
        found = [float(share) for share in self.policy(position)]
        if len(found) != len(actions) or min(found) < 0 or not math.isclose(sum(found), 1, rel_tol=1e-6):
            raise SearchError(
                f"belief: the policy gives {found[:6]} for {len(actions)} actions; one probability for each was expected"
            )
        return found


@dataclass(frozen=True)
class Counts:
    """A strategy for the whole game."""

    strategy: AverageStrategy

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]:
        return self.strategy.at(position)


class Model:
    """The others search, each with its own knowledge: ``strategy`` and ``iterations`` are those of that search."""

    def __init__(self, strategy: str | Strategy = "-", *, iterations: int = 50, algorithm: str | None = None) -> None:
        if iterations < 1:
            raise SearchError(f"belief: a model of {iterations} iterations cannot search")
        from icarus.algorithm import ALGORITHMS

        self.strategy = _with_baseline(strategy)
        if algorithm is not None and algorithm.partition("(")[0] in ALGORITHMS:
            if ALGORITHMS[algorithm.partition("(")[0]].cheats:
                raise SearchError(f"belief: {algorithm} needs what a player cannot see; use mo, so or pom as the model")
        self.iterations, self.algorithm = iterations, algorithm
        self._known: dict[int, list[float]] = {}
        self._searches: ShortSearches | None = None

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]:
        from icarus.equilibrium.knowledge import information_set
        from icarus.search.short import ShortSearches

        if self._searches is None or self._searches.game is not position.game:
            self._known.clear()
            self._searches = ShortSearches(
                position.game, strategy=self.strategy, algorithm=self.algorithm, iterations=self.iterations
            )
        # what the model would play follows from what it knows: other particles may ask for the same
        key = information_set(position, position.player)
        if key not in self._known:
            visits = self._searches.visits(position, key & 0x7FFFFFFF)
            total = sum(visits.values())
            self._known[key] = [visits.get(action, 0) / total for action in actions]
        return self._known[key]


def _with_baseline(strategy: str | Strategy) -> Strategy:
    """``MAST()`` alone has no tree: the baseline's is put in front of it."""
    from icarus.strategy.baseline import Baseline
    from icarus.strategy.expression import read_strategy

    try:
        return read_strategy(strategy)
    except StrategyError as problem:
        if "no baseline" not in str(problem):
            raise
    return read_strategy(f"{Baseline()} >> ({strategy})")


@dataclass
class Particle:
    position: Position
    weight: float
    seen: int = 0  #: how many of the observer's moves have been met


@dataclass
class Trail:
    """A game that leads to a particle, with logarithms of probabilities."""

    #: what the others chose where they had a choice: position, legal actions, action; by how much the observer had seen before
    choices: list[list[tuple[Position, list[int], int]]]
    chance: float = 0.0  #: of what the environment did
    random: float = 0.0  #: of the others' moves, if they were uniformly random
    chosen: float = 0.0  #: of what ``retrace`` drew


class Belief:
    """Particles of what an observer cannot know, weighed by a model of the others.

    ``mixture``: the share of the model's moves that is taken to be uniform.  Where particles are retraced, the model weighs moves
    from the last one back, until the particles are worth the share ``enough`` of what they were worth before, and at most
    ``recent`` times that others were seen to choose; earlier moves say nothing.  With ``enough=0, recent=None`` all are weighed.
    One object serves one decision after the other.
    """

    def __init__(
        self,
        model: OpponentModel,
        *,
        particles: int = PARTICLES,
        mixture: float = SURE,
        enough: float = ENOUGH,
        recent: int | None = RECENT,
    ) -> None:
        if particles < 1 or not 0 < mixture <= 1:
            raise SearchError(f"belief: particles={particles} is at least 1, mixture={mixture} above 0 and at most 1")
        if not 0 <= enough < 1:
            raise SearchError(
                f"belief: enough={enough} is a share of what the particles are worth, at least 0 (weigh all moves) and below 1"
            )
        if recent is not None and recent < 1:
            raise SearchError(f"belief: recent={recent}: at least the last move is weighed (None: all of them)")
        self.model, self.particles, self.mixture, self.enough, self.recent = model, particles, mixture, enough, recent
        #: of the last decision: all possibilities were weighed; if not, how many equal particles theirs are worth, so that a
        #: probability p is known to about sqrt(p (1 - p) / effective)
        self.exact, self.effective = False, 0.0
        #: the logarithm of how likely the model and chance would show what was seen since the particles began
        self.log_evidence = 0.0
        #: how much the observer had seen before the first move that the model weighed
        self.since = 0
        self._ways = False
        self._kept: tuple[Any, list[Particle]] | None = None
        self._told = False

    def drawn(self, position: Position, observer: int, seed: int) -> Drawn | None:
        """Positions with weights for a search; None, and a line on the log, where nothing fits."""
        found = self.weighed(position, observer, seed)
        if not found:
            tell = logging.getLogger("icarus").debug if self._told else logging.getLogger("icarus").warning
            self._told = True
            tell(
                f"icarus: no particle fits what {position.game.player_labels[observer]} has seen in {position.game.name}: "
                "determinizations are uniform; give the belief more particles, or a model that allows for what was played"
            )
            return None
        return Drawn([particle.position for particle in found], [particle.weight for particle in found])

    def weighed(self, position: Position, observer: int, seed: int) -> list[Particle]:
        """Particles that agree with all that the observer has seen, with weights that add up to 1."""
        rng = seeded(seed, stream=81)
        if position.game.retrace is not None and (position.game.observe is not None or not self._listed(position, observer)):
            return self._retraced(position, observer, rng)
        events = [(actor, action, moves[observer]) for actor, action, moves in position.history if moves[observer] != UNSEEN]
        plies = position.game.max_plies  # not how many there were: the observer may not have noticed all
        alive, met = self._begin(position, observer, events, rng)
        self.exact = position.game.observe is None and bool(self._listed(position, observer))
        for number in range(met, len(events)):
            alive = [particle for particle in alive if self._meet(particle, observer, events[number], plies, rng)]
            if len(alive) < self.particles / 8 and not self.exact:
                alive = self._anew(position, observer, number + 1, rng)
            if not self._normalised(alive):
                return []
            few = 1 / sum(particle.weight**2 for particle in alive)
            if not self.exact and min(few, len(alive)) < self.particles / 2:
                alive = self._resampled(alive, rng)
        alive = [particle for particle in alive if self._wait(particle, position, observer, plies, rng)]
        if not self._normalised(alive):
            return []
        self.effective = 1 / sum(particle.weight**2 for particle in alive)
        self._kept = (self._key(position, observer, events), alive)
        return alive

    def log_score(self, position: Position, observer: int, seed: int) -> float:
        """How likely this belief takes what truly happened to be, as a logarithm: for measuring beliefs, not for players.

        Only differences between two models mean anything; -inf where nothing fits.
        """
        self._kept = None
        if not self.weighed(position, observer, seed):
            return -math.inf
        here, score, event = Position(position.game, position.origin.copy()), -self.log_evidence, 0
        for actor, action, moves in position.history:
            legal = here.legal()
            if actor != observer:
                if event >= self.since or actor == ENVIRONMENT:
                    score += math.log(self._odds(here, actor, legal)[legal.index(action)])
                elif self._ways:
                    score -= math.log(len(legal))
            here.apply(action)
            event += moves[observer] != UNSEEN
        return score

    # --- from the present back -------------------------------------------------------------------------------------------

    def _retraced(self, position: Position, observer: int, rng: np.ndarray) -> list[Particle]:
        """Uniform determinizations of the position, each weighed by the likelihood of a game that leads to it.

        From the last thing that the observer saw back, moves are weighed until the particles are worth ``enough`` of what they
        were worth (further back a single one would be left) or ``recent`` moves are.
        """
        game = position.game
        assert game.retrace is not None
        seen = [(actor, moves[observer]) for actor, _, moves in position.history if moves[observer] != UNSEEN]
        origin, view = Position(game, position.origin.copy()), position.view(observer)
        found, trails = list[Particle](), list[Trail]()
        for _ in range(self.particles):
            drawn, start = position.determinize(observer, rng), origin.determinize(observer, rng).state
            actions, chosen = game.retrace(game.named(start), drawn.named, seen, observer, rng)
            here = Position(game, start)
            trail = self._replayed(here, actions, observer, len(seen))
            if trail is not None and here.view(observer) == view:
                found.append(Particle(here, 0.0, len(seen)))
                trails.append(trail)
                trail.chosen = chosen
        self.exact, self.effective, self._kept, self.since = False, 0.0, None, len(seen) + 1
        if not found:
            return []
        # a way that was drawn is divided by the probability of that draw, so that its moves must count: as random ones.  Where
        # the deal says everything they need not: every deal begins as likely as without a belief
        self._ways = any(trail.chosen for trail in trails)
        logs = [trail.chance + (trail.random - trail.chosen if self._ways else 0.0) for trail in trails]
        wanted = self.enough * _effective(logs)
        left = len(seen) + 1 if self.recent is None else self.recent
        while self.since > 0 and left > 0 and _effective(logs) > wanted:
            self.since -= 1
            left -= any(trail.choices[self.since] for trail in trails)
            for number, trail in enumerate(trails):
                for here, legal, action in trail.choices[self.since]:
                    share = self._odds(here, here.player, legal)[legal.index(action)]
                    logs[number] += math.log(share * len(legal) if self._ways else share)
        most = max(logs)
        for particle, log in zip(found, logs, strict=True):
            particle.weight = math.exp(log - most)
        self.log_evidence = most - math.log(self.particles)
        self._normalised(found)  # which adds the logarithm of the sum
        self.effective = 1 / sum(particle.weight**2 for particle in found)
        return found

    def _replayed(self, here: Position, actions: list[int], observer: int, events: int) -> Trail | None:
        """Play a game, in place; None if it cannot be played."""
        trail, event = Trail([[] for _ in range(events + 1)]), 0
        for action in actions:
            actor = here.player
            if actor != observer:
                legal = here.legal()
                if action not in legal:
                    return None
                if actor == ENVIRONMENT:
                    trail.chance += math.log(self._odds(here, actor, legal)[legal.index(action)])
                elif len(legal) > 1:
                    trail.random -= math.log(len(legal))
                    trail.choices[event].append((here.copy(), legal, action))
            here.apply(action)
            event += here.history[-1][2][observer] != UNSEEN
        return trail

    # --- inside ------------------------------------------------------------------------------------------------------

    def _normalised(self, alive: list[Particle]) -> bool:
        """Let the weights add up to 1; False if nothing is left."""
        total = sum(particle.weight for particle in alive)
        if total <= 0:
            return False
        self.log_evidence += math.log(total)
        for particle in alive:
            particle.weight /= total
        return True

    @staticmethod
    def _key(position: Position, observer: int, events: list[tuple[int, int, int]]) -> tuple[object, ...]:
        """What the particles rest on: the observer's view of the start, and what it saw."""
        from icarus.equilibrium.knowledge import start_key

        seen = tuple((actor == observer, move) for actor, _, move in events)
        return (id(position.game), observer, start_key(position.game, position.origin, observer), seen)

    def _begin(
        self, position: Position, observer: int, events: list[tuple[int, int, int]], rng: np.ndarray
    ) -> tuple[list[Particle], int]:
        """Particles of an earlier decision of the same game, or new ones from the start; and how many events they have met."""
        if self._kept is not None:
            (game, who, start, seen), kept = self._kept
            now = self._key(position, observer, events)
            if (game, who, start) == now[:3] and now[3][: len(seen)] == seen and kept:  # type: ignore[index]
                return [Particle(p.position.copy(), p.weight, len(seen)) for p in kept], len(seen)
        self.log_evidence, self.since = 0.0, 0
        listed = self._listed(position, observer)
        if listed:
            return listed, 0
        origin = Position(position.game, position.origin.copy())
        fresh = [Particle(_started(origin, observer, rng), 1 / self.particles) for _ in range(self.particles)]
        return fresh, 0

    def _anew(self, position: Position, observer: int, events: int, rng: np.ndarray) -> list[Particle]:
        """Too few particles agree with the last of so many events: uniform determinizations of the position after it."""
        here, seen = Position(position.game, position.origin.copy()), 0
        for _, action, moves in position.history:
            if seen == events:
                break
            here.apply(action)
            seen += moves[observer] != UNSEEN
        if here.is_terminal:
            return []
        self.log_evidence, self.since = 0.0, events
        drawn = [Position(here.game, here.determinize(observer, rng).state) for _ in range(self.particles)]
        return [Particle(twin, 1 / self.particles) for twin in drawn]

    def _listed(self, position: Position, observer: int) -> list[Particle]:
        """All deals that the observer cannot tell from the true one, with their probabilities, if they are few: then the belief
        is exact as far as actions are seen."""
        from icarus.equilibrium.knowledge import start_key

        if self._surely_more(position, observer):
            return []
        own = start_key(position.game, position.origin, observer)
        found = [(start, odds) for start, odds, keys in _deals(position.game) if keys[observer] == own]
        total = sum(odds for _, odds in found)
        return [Particle(start.copy(), odds / total) for start, odds in found] if len(found) <= self.particles else []

    def _surely_more(self, position: Position, observer: int) -> bool:
        """Are there more deals than particles?  A few draws tell it before thousands of deals are listed for nothing."""
        origin, rng, met = Position(position.game, position.origin), seeded(0, stream=82), set[bytes]()
        for _ in range(3 * self.particles):
            met.add(origin.determinize(observer, rng).state.tobytes())
            if len(met) > self.particles:
                return True
        return False

    def _meet(self, particle: Particle, observer: int, event: tuple[int, int, int], plies: int, rng: np.ndarray) -> bool:
        """Play a particle on until it has met what the observer saw next; False if it cannot."""
        actor, action, move = event
        position = particle.position
        while not position.is_terminal and len(position.history) <= plies:
            player = position.player
            if player == observer:
                if actor != observer or action not in position.legal() or position.observe(action, observer) != move:
                    return False
                position.apply(action)
                return True
            legal = position.legal()
            seen = [position.observe(other, observer) for other in legal]
            fitting = [i for i, looked in enumerate(seen) if looked in (UNSEEN, move)]
            odds = self._odds(position, player, legal)
            mass = sum(odds[i] for i in fitting)
            if mass <= 0:
                return False
            particle.weight *= mass
            chosen = fitting[_draw([odds[i] for i in fitting], rng)]
            position.apply(legal[chosen])
            if seen[chosen] == move:
                return True
        return False

    def _wait(self, particle: Particle, position: Position, observer: int, plies: int, rng: np.ndarray) -> bool:
        """What the observer has not noticed may have happened since: play on until it is its turn, if it is."""
        here = particle.position
        while not here.is_terminal and here.player != position.player and position.player == observer:
            legal = here.legal()
            unseen = [i for i, action in enumerate(legal) if here.observe(action, observer) == UNSEEN]
            odds = self._odds(here, here.player, legal)
            mass = sum(odds[i] for i in unseen)
            if mass <= 0 or len(here.history) > plies:
                return False
            particle.weight *= mass
            here.apply(legal[unseen[_draw([odds[i] for i in unseen], rng)]])
        return not here.is_terminal and here.view(observer) == position.view(observer)

    def _odds(self, position: Position, player: int, legal: list[int]) -> list[float]:
        if player == ENVIRONMENT:
            return position.chance() if position.game.chance is not None else [1 / len(legal)] * len(legal)
        if len(legal) == 1:
            return [1.0]
        model = self.model.odds(position, legal)
        return [self.mixture / len(legal) + (1 - self.mixture) * share for share in model]

    def _resampled(self, alive: list[Particle], rng: np.ndarray) -> list[Particle]:
        """As many particles again, drawn by weight at even distances (systematic resampling)."""
        totals = np.cumsum([particle.weight for particle in alive])
        points = (float(random_unit(rng)) + np.arange(self.particles)) / self.particles * totals[-1]
        chosen = np.minimum(np.searchsorted(totals, points), len(alive) - 1)
        return [Particle(alive[int(i)].position.copy(), 1 / self.particles) for i in chosen]


def _effective(logs: list[float]) -> float:
    """How many equal particles those with these logarithms of weights are worth."""
    weights = np.exp(np.array(logs) - max(logs))
    return float(weights.sum() ** 2 / (weights**2).sum())


_DEALS: weakref.WeakKeyDictionary[Game, list[tuple[Position, float, list[int]]]] = weakref.WeakKeyDictionary()


def _deals(game: Game) -> list[tuple[Position, float, list[int]]]:
    """All deals of a game with their probabilities and what each player knows of them; empty if they are too many."""
    from icarus.equilibrium.knowledge import start_key
    from icarus.equilibrium.starts import TooMany, every_start

    if game not in _DEALS:
        try:
            starts = every_start(game, DEALS)
        except TooMany:
            starts = []
        _DEALS[game] = [
            (start, odds, [start_key(game, start.state, player) for player in range(game.players)]) for start, odds in starts
        ]
    return _DEALS[game]


def _started(origin: Position, observer: int, rng: np.ndarray) -> Position:
    """A start that the observer cannot tell from the true one."""
    drawn = origin.determinize(observer, rng)
    return Position(origin.game, drawn.state)


def _draw(odds: list[float], rng: np.ndarray) -> int:
    point = float(random_unit(rng)) * sum(odds)
    for i, share in enumerate(odds):
        point -= share
        if point < 0:
            return i
    return max(range(len(odds)), key=odds.__getitem__)


def read_belief(belief: Belief | OpponentModel | str | None, game: Game) -> Belief | None:
    """A belief from an object or a strategy's text; None where nothing is hidden, or none is wanted."""
    if belief is None:
        return None
    if not game.hidden_information:
        raise SearchError(f"a belief is about what is hidden, and {game.name} hides nothing")
    if game.view is None:
        raise SearchError(f"a belief needs the function 'view', which the game {game.name!r} does not have")
    if isinstance(belief, Belief):
        return belief
    if isinstance(belief, str):
        return Belief(Model(belief))
    return Belief(belief)
