"""A lower bound on how exploitable a player is, where the game is too large for an exact best response (ISMCTS-BR).

The responder searches a game of its own in which it is the only player: the others are part of the environment, and act as the
player would that is to be exploited, each with what it knows (after Timbers et al. 2022).  What they may hold is weighed by how
likely they would have played as they did (icarus.belief).  Then the responder plays against the player itself: what it wins more
than the player would have won in its place, with the same deals, is a lower bound, since the best response wins at least as
much.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from icarus.arena.exploit import Exploited, check_honest
from icarus.arena.match import play
from icarus.arena.players import RANDOM, Decision, Player, read_player
from icarus.arena.solved import StrategySeat
from icarus.arena.statistics import paired
from icarus.belief import Belief, Particle
from icarus.equilibrium.knowledge import information_set
from icarus.errors import SearchError
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import mix
from icarus.loading import load
from icarus.python_game import python_game
from icarus.search import Search

ITERATIONS = 300  #: of the responder's searches
PARTICLES = 32


class Others:
    """How likely the player to be exploited makes each move; what it does in an information set is found out once."""

    def __init__(self, player: Player, seed: int) -> None:
        self.player, self.seed = player, seed
        self._known: dict[int, list[float]] = {}

    def odds(self, position: Position, actions: Sequence[int]) -> list[float]:
        legal, seat = list(actions), position.player
        if len(legal) == 1 or self.player.algorithm == RANDOM:
            return [1 / len(legal)] * len(legal)
        key = information_set(position, seat)
        if key not in self._known:
            seed = int(mix(self.seed, key)) & (2**62 - 1)
            seated = self.player.seated(position.game, seat, seed)
            if isinstance(seated, StrategySeat):
                found = seated.odds(position)
            elif self.player.final == "mixed":
                result = self.player.search(position, seat, seed).run(
                    iterations=self.player.iterations, seconds=self.player.seconds
                )
                visits = {row.action: row.visits for row in result.root}
                found = [visits.get(action, 0) / max(sum(visits.values()), 1) for action in legal]
            else:
                chosen = seated.decide(position, legal).action
                found = [float(action == chosen) for action in legal]
            self._known[key] = found
        return self._known[key]


class Response:
    """The game of the responder, from a position on."""

    players = 1
    name = "response"

    def __init__(self, position: Position, observer: int, others: Others, drawn: list[Particle]) -> None:
        self.position, self.observer, self.others, self.drawn = position.copy(), observer, others, drawn
        self.max_actions, self.max_plies = position.game.max_actions, position.game.max_plies

    def clone(self) -> Response:
        return Response(self.position, self.observer, self.others, self.drawn)

    def player(self) -> int:
        return 0 if self.position.player == self.observer else ENVIRONMENT

    def legal(self) -> list[int]:
        return self.position.legal()

    def sample(self, rng: random.Random) -> int:
        legal = self.position.legal()
        if self.position.player != ENVIRONMENT:
            return rng.choices(legal, self.others.odds(self.position, legal))[0]
        if self.position.game.chance is not None:
            return rng.choices(legal, self.position.chance())[0]
        return self.position.sample(np.array([rng.getrandbits(63) or 1], np.uint64))

    def apply(self, action: int) -> None:
        self.position.apply(action)

    def terminal(self) -> bool:
        return self.position.is_terminal

    def rewards(self) -> list[float]:
        return [self.position.rewards()[self.observer]]

    def observe(self, action: int, observer: int) -> int | None:
        move = self.position.observe(action, self.observer)
        return None if move < 0 else move

    def determinize(self, observer: int, rng: random.Random) -> Response:
        drawn = rng.choices(self.drawn, [particle.weight for particle in self.drawn])[0]
        return Response(drawn.position, self.observer, self.others, self.drawn)

    def view(self, observer: int) -> object:
        return self.position.view(self.observer)


class ResponseSeat:
    """Plays the best response that a search finds."""

    def __init__(self, others: Others, seat: int, seed: int, iterations: int, particles: int) -> None:
        self.others, self.seat, self.seed, self.iterations = others, seat, seed, iterations
        self.belief, self.particles = Belief(others, particles=particles), particles

    def decide(self, position: Position, legal: list[int]) -> Decision:
        if len(legal) == 1:
            return Decision(legal[0])
        seed = int(mix(self.seed, len(position.history))) & (2**62 - 1)
        drawn = [Particle(position, 1.0)]
        if position.game.hidden_information:
            drawn = self.belief.weighed(position, self.seat, seed) or self._uniform(position, seed)
        # the first of them, so that where something is hidden the true position is not even there
        game = python_game(Response, drawn[0].position, self.seat, self.others, drawn)
        result = Search(game.start(), algorithm="mo", seed=seed, memory=1 << 26).run(iterations=self.iterations)
        if result.stopped_by == "interrupt":
            raise KeyboardInterrupt
        return Decision(result.best.action, result.iterations)

    def _uniform(self, position: Position, seed: int) -> list[Particle]:
        from icarus.jit.randomness import seeded

        rng = seeded(seed, stream=82)
        return [Particle(position.determinize(self.seat, rng), 1.0) for _ in range(self.particles)]


class _Responder:
    """In place of a player in a match."""

    def __init__(self, make: Callable[[int, int], ResponseSeat]) -> None:
        self.make = make

    def seated(self, game: Game, seat: int, seed: int) -> ResponseSeat:
        return self.make(seat, seed)


def respond(
    player: str | Player,
    game: str | Game,
    *,
    games: int,
    iterations: int = ITERATIONS,
    particles: int = PARTICLES,
    seed: int = 0,
    progress: Callable[[float], None] = lambda share: None,
) -> Exploited:
    """What a searching responder gains against a player, over so many games in every seat.

    ``low`` is the lower end of a 95 % interval over deals (Student's).
    """
    if games < 2:
        raise SearchError(f"games={games}: an interval needs at least two")
    chosen, played = read_player(player), load(game) if isinstance(game, str) else game
    check_honest(chosen, played)
    if played.hidden_information and played.view is None:
        raise SearchError(f"a responder needs the function 'view', which the game {played.name!r} does not have")
    others = Others(chosen, seed)
    rows: list[tuple[list[float], list[float]]] = []  # of a deal: by seat, what the player gets against itself, and the responder
    try:
        for number in range(games):
            deal = seed * 1_000_003 + number
            own, _ = play(played, [chosen] * played.players, deal, deal)
            ends = []
            for seat in range(played.players):
                responder = _Responder(lambda where, word: ResponseSeat(others, where, word, iterations, particles))
                seats: list[Any] = [responder if i == seat else chosen for i in range(played.players)]
                end, _ = play(played, seats, deal, deal)
                ends.append(end.rewards()[seat])
                progress((number + (seat + 1) / played.players) / games)
            rows.append((own.rewards(), ends))
    except KeyboardInterrupt:
        if len(rows) < 2:
            raise
    kept, won = (np.array(side) for side in zip(*rows, strict=True))
    gain = paired(won.mean(axis=1), kept.mean(axis=1))
    return Exploited(
        player=str(chosen),
        game=played.name,
        exploitability=max(gain.estimate, 0.0),
        low=max(gain.low, 0.0),
        high=None,
        exact=False,
        values=tuple(kept.mean(axis=0).tolist()),
        responses=tuple(won.mean(axis=0).tolist()),
        searches=len(rows),
    )
