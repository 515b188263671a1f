"""Strategies that look at some of the legal actions only, in the tree, in playouts or in both.

A filter moves the actions that are worth a look to the front, before anything is chosen.  In the tree a node then has no other
actions, in playouts nothing else is played.  ``Decisive(A) >> B`` filters in the tree, ``A >> Decisive(B)`` in playouts,
``Decisive(A >> B)`` in both.

Decisive moves: Teytaud and Teytaud 2010 (section V-B2 of mcts-survey-2012); pruning with the game's own knowledge: section
V-E3; Arneson, Hayward and Henderson 2010 do so in Hex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from icarus.engine.calls import call_apply, call_decisive, call_legal, call_player, call_prune, call_rewards, call_terminal
from icarus.errors import StrategyError
from icarus.game import Stepping
from icarus.jit import at, compiled
from icarus.strategy.base import Expression, Function, Strategy, refuse_without
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import complete

if TYPE_CHECKING:
    from icarus.game import Game


class Filter(Function):
    """``function(candidates, p)``: moves the actions that are considered to the front and returns how many they are."""

    #: ``lesson(lesson, p)``: what a playout teaches, called at its end with the same numbers
    lesson: ClassVar[Any] = None


class Considered(Strategy):
    """A strategy with a filter in front of it."""

    strategy: Strategy
    #: the filter is for simulations, wherever it is written
    in_playouts_only: ClassVar[bool] = False

    @property
    def filter(self) -> Filter:
        raise NotImplementedError

    def parts(self) -> Iterator[Strategy]:
        yield self.strategy

    def check(self, game: Game) -> None:
        if game.stepping is not Stepping.ONE_STATE or game.copy is not None:
            raise StrategyError(f"{self} tries moves out, which needs a compiled game; {game.name} is not one")
        super().check(game)

    __str__ = __repr__ = Expression.__str__


# --- decisive moves --------------------------------------------------------------------------------------------------


@compiled
def wins_at_once(game, state, action, player, size, copy, rewards):
    """Does this action end the game with the whole reward for the player?  The copy is left behind it."""
    for word in range(size):
        copy[word] = state[word]
    call_apply(game.apply, copy, action)
    if call_terminal(game.terminal, copy) == 0:
        return False
    call_rewards(game.rewards, copy, rewards)
    return rewards[player] >= 1.0


@compiled
def has_decisive(game, state, size, copy, actions, rewards):
    """Can the player about to act win at once?"""
    player = call_player(game.player, state)
    if player < 0:
        return False
    for j in range(call_legal(game.legal, state, actions)):
        if wins_at_once(game, state, actions[j], player, size, copy, rewards):
            return True
    return False


@compiled
def decisive(candidates, p):
    game, state, actions, size = candidates.game, candidates.state, candidates.actions, candidates.size
    if game.decisive != 0 and p.anti != 0.0:
        return call_decisive(game.decisive, state, actions, size)
    words, player, rewards = game.state_size, candidates.player, candidates.rewards
    first, second = candidates.states, at(candidates.states, words)
    kept = 0
    for i in range(size):
        if wins_at_once(game, state, actions[i], player, words, first, rewards):
            actions[kept] = actions[i]
            kept += 1
    if kept > 0:
        return kept
    if p.anti == 0.0:
        return size
    # an action is safe if the next player, if it is another one, cannot win at once behind it
    others, safe = candidates.others, at(candidates.others, game.max_actions)
    for i in range(size):
        wins_at_once(game, state, actions[i], player, words, first, rewards)
        lost = call_terminal(game.terminal, first) == 0 and call_player(game.player, first) != player
        if not (lost and has_decisive(game, first, words, second, others, rewards)):
            safe[kept] = actions[i]
            kept += 1
    if kept == 0:
        return size
    for i in range(kept):
        actions[i] = safe[i]
    return kept


@dataclass(frozen=True, repr=False)
class DecisiveMoves(Filter):
    anti: bool = True

    function = staticmethod(decisive)


@dataclass(frozen=True, repr=False)
class Decisive(Considered):
    """A move that wins at once is played; ``anti``: otherwise, if the next player could win at once, a move that prevents it.

    Winning is a reward of 1 at the end of the game.  Generic by trying every move out, two plies deep; a game with a function
    ``decisive`` is asked in place of that.
    """

    strategy: Strategy = field(default_factory=Baseline)
    anti: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", complete(self.strategy))

    @property
    def filter(self) -> Filter:
        return DecisiveMoves(anti=self.anti)


# --- the game's own knowledge ----------------------------------------------------------------------------------------


@compiled
def prune(candidates, p):
    return call_prune(candidates.game.prune, candidates.state, candidates.actions, candidates.size)


@dataclass(frozen=True, repr=False)
class PrunedMoves(Filter):
    function = staticmethod(prune)


@dataclass(frozen=True, repr=False)
class Pruned(Considered):
    """Only the moves that the game's function ``prune`` leaves are looked at."""

    strategy: Strategy = field(default_factory=Baseline)

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", complete(self.strategy))

    def check(self, game: Game) -> None:
        refuse_without(game, ("prune",), type(self).__name__)
        super().check(game)

    @property
    def filter(self) -> Filter:
        return PrunedMoves()
