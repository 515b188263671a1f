"""What a player thinks with: a match, and a search that follows it and keeps what it has learned.

A player is asked to ``think`` for a moment again and again, and names its best move each time.  While others have the time to
think it may ``ponder``: after an own move that nobody else could answer in the same step, the search goes ahead to the position
behind it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.gdl.interpreted import ReasonerState
from icarus.gdl.reader import Sheet, format_term
from icarus.gdl.rule_game import RuleGame
from icarus.ggp.messages import Step
from icarus.ggp.protocol import Settings
from icarus.ggp.tracker import GameTracker, Known
from icarus.jit.randomness import seeded
from icarus.python_game import PythonGame
from icarus.result import SearchResult
from icarus.search import Search, default_lanes, default_solve, is_decided


@dataclass(frozen=True)
class Thought:
    """The best move so far, what it promises (0 to 100) and what it rests on; ``full``: more thinking is of no use."""

    move: str
    value: float = 0.0
    iterations: int = 0
    full: bool = False


class Player(Protocol):
    #: steps for which nothing was found that agrees with what was seen (GDL-II)
    unexplained: int

    def follow(self, step: Step) -> None:
        """Go on by one step of the match."""

    def legal(self) -> list[str]: ...

    def think(self, seconds: float) -> Thought: ...

    def decided(self, seconds: float) -> bool:
        """Would so many more seconds of thinking leave the most visited move as it is?"""

    def ponder(self, answer: str, seconds: float) -> bool:
        """Think on after an answer; returns whether that is of use."""

    def stop(self) -> None:
        """From another thread: come back soon."""


def player_for(game: Game, sheet: Sheet, role: str, settings: Settings) -> Player:
    """The right player for a game and a role."""
    if role == "random" and isinstance(game, RuleGame):
        return RandomPlayer(game, sheet, settings)
    if isinstance(game, RuleGame):
        from icarus.ggp.solitaire import SolitairePlayer, is_solitaire

        if settings.algorithm is None and is_solitaire(game):
            return SolitairePlayer(game, sheet, role, settings)
        return TreePlayer(game, sheet, role, settings)
    assert isinstance(game, PythonGame)
    return ReasonerPlayer(game, sheet, role, settings)


def new_search(position: Position, observer: int, settings: Settings) -> Search:
    game = position.game
    algorithm = settings.algorithm
    if algorithm is None and game.simultaneous_moves and isinstance(game, RuleGame):
        algorithm = "mo"  # uct cannot keep its tree where roles choose at the same time
    return Search(
        position,
        algorithm=algorithm,
        strategy=settings.strategy,
        observer=observer,
        seed=settings.seed,
        threads=settings.threads,
        lanes=settings.lanes or default_lanes(game, settings.iterations),
        memory=settings.memory,
        final=settings.final,
        solve=default_solve(game, algorithm, settings.strategy, None if settings.iterations else 1.0),
    )


def run(search: Search, seconds: float, limit: int | None) -> tuple[SearchResult, bool]:
    """Search for a moment; the result so far, and whether there is room or need for more."""
    left = None if limit is None else max(limit - search.iterations, 1)
    result = search.run(seconds=seconds, iterations=left)
    return result, result.stopped_by in ("memory", "proven") or (limit is not None and search.iterations >= limit)


def stays(search: Search | None, result: SearchResult | None, seconds: float) -> bool:
    """Will the most visited move remain so for that many seconds, at the speed so far?"""
    return search is not None and result is not None and is_decided(search, seconds * result.iterations_per_second)


def joint_moves(roles: tuple[str, ...], step: Step) -> dict[str, str]:
    if len(step.moves) != len(roles):
        raise GameError(f"{len(step.moves)} moves for {len(roles)} roles")
    return dict(zip(roles, step.moves, strict=True))


class TreePlayer:
    """Searches the game of a sheet, and keeps the tree from step to step.

    Where something is hidden (GDL-II) the match is taken to be some sequence of moves that agrees with everything seen; the
    search draws others.  The tree is kept as long as the sequence goes on from the last one.
    """

    def __init__(self, game: RuleGame, sheet: Sheet, role: str, settings: Settings) -> None:
        self.tracker = GameTracker(game, role)
        self.roles, self.settings = sheet.roles, settings
        self.unexplained = 0
        self._search: Search | None = None
        self._result: SearchResult | None = None
        self._known: list[Known] = []
        self._rng = seeded(settings.seed or 0, stream=7)

    def follow(self, step: Step) -> None:
        if step.percepts is None:
            self.tracker.play(joint_moves(self.roles, step))
            return
        if not self.tracker.game.hides:
            raise GameError("a message with percepts, but nothing is hidden in this sheet")
        self._known.append((step.moves[0], step.percepts))
        if not self.tracker.suppose(self._known, self._rng):
            self.unexplained += 1

    def legal(self) -> list[str]:
        return self.tracker.legal(self.tracker.role)

    def _search_at(self, position: Position) -> Search:
        if self._search is None or self._search.game is not position.game:
            self._search = new_search(position, self.tracker.me, self.settings)
        elif self._search.position.history != position.history:
            self._search.advance(position)
        return self._search

    def think(self, seconds: float) -> Thought:
        legal, position, me = self.legal(), self.tracker.position, self.tracker.me
        if position.is_terminal:
            return Thought(legal[0] if legal else "noop", full=True)
        search = self._search_at(position)
        result, full = run(search, seconds, self.settings.iterations)
        self._result = result
        if len(legal) == 1 or position.player != me:
            return Thought(legal[0], 0.0, search.iterations, full)
        return Thought(result.best.label, 100 * result.best.mean[me], search.iterations, full)

    def decided(self, seconds: float) -> bool:
        return stays(self._search, self._result, seconds)

    def ponder(self, answer: str, seconds: float) -> bool:
        position = self.tracker.after(answer)
        if position.is_terminal:
            return False
        _, full = run(self._search_at(position), seconds, self.settings.iterations)
        return not full

    def stop(self) -> None:
        if self._search is not None:
            self._search.stop()


class RandomPlayer:
    """Plays the role of the environment, where a manager asks a player for that."""

    def __init__(self, game: RuleGame, sheet: Sheet, settings: Settings) -> None:
        self.tracker = GameTracker(game, "random")
        self.roles = sheet.roles
        self.unexplained = 0
        self._choice = random.Random(settings.seed)

    def follow(self, step: Step) -> None:
        if step.percepts is None:
            self.tracker.play(joint_moves(self.roles, step))
        else:
            raise GameError("the role random sees nothing; its moves cannot be followed")

    def legal(self) -> list[str]:
        return self.tracker.legal("random")

    def think(self, seconds: float) -> Thought:
        return Thought(self._choice.choice(self.legal()), full=True)

    def decided(self, seconds: float) -> bool:
        return True

    def ponder(self, answer: str, seconds: float) -> bool:
        return False

    def stop(self) -> None:
        """Thinks for no time at all."""


class ReasonerPlayer:
    """Searches by means of the reasoner, where there is nothing faster; a search per step, as far as it gets."""

    def __init__(self, game: PythonGame, sheet: Sheet, role: str, settings: Settings) -> None:
        self.game, self.roles, self.settings = game, sheet.roles, settings
        self.me = sheet.roles.index(role)
        self.unexplained = 0
        self._position = game.start()
        self._search: Search | None = None
        self._result: SearchResult | None = None

    @property
    def _state(self) -> ReasonerState:
        state = self.game.positions.node(self._position.state).state
        assert isinstance(state, ReasonerState)
        return state

    def follow(self, step: Step) -> None:
        moves, position, steps = joint_moves(self.roles, step), self._position.copy(), self._state.steps
        while not position.is_terminal and self.game.positions.node(position.state).state.steps == steps:
            position.apply(position.parse_action(moves[self.roles[position.player]]))
        self._position, self._search = position, None

    def legal(self) -> list[str]:
        return [format_term(move) for move in self._state.moves[self.me]]

    def think(self, seconds: float) -> Thought:
        legal = self.legal()
        if len(legal) == 1 or self._position.is_terminal:
            return Thought(legal[0], full=True)
        if self._search is None:
            position = self._position.copy()
            while position.player != self.me:  # what others choose in this step is drawn anew by the search
                position.apply(position.legal()[0])
            self._search = new_search(position, self.me, self.settings)
        result, full = run(self._search, seconds, self.settings.iterations)
        self._result = result
        return Thought(result.best.label, 100 * result.best.mean[self.me], self._search.iterations, full)

    def decided(self, seconds: float) -> bool:
        return stays(self._search, self._result, seconds)

    def ponder(self, answer: str, seconds: float) -> bool:
        return False

    def stop(self) -> None:
        if self._search is not None:
            self._search.stop()
