"""Belief: what the others did tells what they may hold.

A determinization draws uniformly from all that a player cannot tell apart, as if the moves so far said nothing.  With a belief
each possibility is weighed by how likely a *model* of the others would have made the moves that were seen:

==================================  =============================================================================================
``Model("MAST()", iterations=50)``  the others search with this strategy, each with what it would know itself
``Fixed(policy)``                   ``policy(position)`` gives the probabilities of the legal actions of who acts
``Counts(strategy)``                a strategy that was counted before, such as what ``icarus equilibrium`` writes
==================================  =============================================================================================

What is weighed are particles: whole games that the observer cannot tell from the true one.  They are followed from the start
on (``forward.py``), or, where a game can say how it came to a position, found from the present back (``retraced.py``).  Only the
observer's view of the start and the moves that it saw are used.  Where no particle fits, the search falls back to uniform
determinizations and says so in one line.
"""

from __future__ import annotations

import logging
import math
from dataclasses import asdict, dataclass
from typing import Any

from icarus.belief.deals import listed_deals
from icarus.belief.forward import Filter
from icarus.belief.models import Counts, Expected, Fixed, Model, OpponentModel, refuse_cheats
from icarus.belief.particles import Particle, Weighed
from icarus.belief.retraced import retraced
from icarus.drawn import Drawn
from icarus.errors import SearchError
from icarus.game import ENVIRONMENT, UNSEEN, Game, Position
from icarus.jit.randomness import seeded

PARTICLES = 64
ENOUGH = 0.5  #: what a retraced belief leaves of the worth of its particles
RECENT = 8  #: how many of the others' moves it weighs at most
SURE = 0.05  #: the share of a model's moves that is uniform: nobody plays exactly as a model says


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
        self.expected, self.particles, self.enough, self.recent = Expected(model, mixture), particles, enough, recent
        #: of the last decision
        self.found = Weighed()
        self._filter = Filter(self.expected, particles)
        self._told = False

    @property
    def exact(self) -> bool:
        """All possibilities were weighed."""
        return self.found.exact

    @property
    def effective(self) -> float:
        """How many equal particles those of the last decision are worth: where they are not all that can be, a probability p is
        known to about sqrt(p (1 - p) / effective)."""
        return self.found.effective

    @property
    def since(self) -> int:
        """How much the observer had seen before the first move that the model weighed."""
        return self.found.since

    @property
    def worth(self) -> Worth:
        """How far the particles of the last decision can be trusted."""
        return Worth(len(self.found.particles), self.found.effective, self.found.exact)

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
        game, rng = position.game, seeded(seed, stream=81)
        if game.retrace is not None and (game.observe is not None or not listed_deals(position, observer, self.particles)):
            self._filter.forget()
            self.found = retraced(
                position, observer, rng, self.expected, particles=self.particles, enough=self.enough, recent=self.recent
            )
        else:
            self.found = self._filter.weighed(position, observer, rng)
        return self.found.particles

    def log_score(self, position: Position, observer: int, seed: int) -> float:
        """How likely this belief takes what truly happened to be, as a logarithm: for measuring beliefs, not for players.

        Only differences between two models mean anything; -inf where nothing fits.
        """
        self._filter.forget()
        if not self.weighed(position, observer, seed):
            return -math.inf
        here, score, event = Position(position.game, position.origin.copy()), -self.found.log_evidence, 0
        for actor, action, moves in position.history:
            legal = here.legal()
            if actor != observer:
                if event >= self.found.since or actor == ENVIRONMENT:
                    score += math.log(self.expected.odds(here, legal)[legal.index(action)])
                elif self.found.ways:
                    score -= math.log(len(legal))
            here.apply(action)
            event += moves[observer] != UNSEEN
        return score


@dataclass(frozen=True)
class Worth:
    """How far a belief can be trusted."""

    particles: int
    #: how many equal particles they are worth
    effective: float
    exact: bool

    @property
    def error(self) -> float:
        """The standard error of a probability of a half."""
        return 0.0 if self.exact else 0.5 / math.sqrt(self.effective) if self.particles else math.nan

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        if not self.particles:
            return "nothing fits, determinizations are uniform"
        if self.exact:
            return f"all {self.particles} possibilities weighed"
        return f"{self.particles} particles worth {self.effective:.3g} equal ones, a chance of 50 % is known to ±{self.error:.0%}"


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
        refuse_cheats(belief)
        return Belief(Model(belief))
    return Belief(belief)


__all__ = ["PARTICLES", "Belief", "Counts", "Fixed", "Model", "OpponentModel", "Particle", "Worth", "read_belief"]
