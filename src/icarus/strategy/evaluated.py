"""Moves of playouts by the game's evaluation (sections VI-A6 and IV-H7 of mcts-survey-2012).

Winands and Bjornsson (2010) try these in Lines of Action: *greedy* plays the move behind which the evaluation is best,
*corrective* leaves out moves behind which it is worse than before, *mixed* begins a playout with a corrective move and goes on
greedily.  Winands and Bjornsson (2011) let a small alpha-beta search of two plies choose (*MC alpha-beta*).  Where the game is
over behind a move its rewards count.  With probability ``epsilon`` any legal move is looked at, so that playouts differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from icarus.engine.calls import (
    call_apply,
    call_evaluate,
    call_evaluation,
    call_legal,
    call_player,
    call_rewards,
    call_terminal,
)
from icarus.engine.layout import ENVIRONMENT
from icarus.errors import StrategyError
from icarus.jit import at, compiled
from icarus.jit.randomness import random_unit
from icarus.strategy.base import SMALL_SHARES, Strategy, refuse_without, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import complete
from icarus.strategy.considered import Considered, Filter

if TYPE_CHECKING:
    from icarus.game import Game


DOUBT = 0.001  #: a win at hand is better than a position that looks won


@compiled
def value_of(candidates, state, player):
    """What a state is worth to a player: its reward if the game is over, else the evaluation, which is never quite as certain."""
    game, out = candidates.game, candidates.rewards
    if call_terminal(game.terminal, state) != 0:
        call_rewards(game.rewards, state, out)
        return out[player]
    if candidates.evaluation != 0:
        call_evaluation(candidates.evaluation, game, state, out, candidates.features, candidates.weights)
    else:
        call_evaluate(game.evaluate, state, out)
    return DOUBT + (1.0 - 2.0 * DOUBT) * out[player]


@compiled
def play_on(candidates, source, state, action):
    """The state behind an action, in place of another one."""
    for word in range(candidates.game.state_size):
        state[word] = source[word]
    call_apply(candidates.game.apply, state, action)


@compiled
def keep_above(candidates, bound):
    """Move the actions whose value is at least so large to the front; returns how many they are."""
    actions, values, kept = candidates.actions, candidates.values, 0
    for i in range(candidates.size):
        if values[i] >= bound:
            actions[kept] = actions[i]
            kept += 1
    return kept


@compiled
def value_behind_each(candidates):
    """Fill in what the state behind every action is worth to the player; returns the largest."""
    best = -1.0
    for i in range(candidates.size):
        play_on(candidates, candidates.state, candidates.states, candidates.actions[i])
        candidates.values[i] = value_of(candidates, candidates.states, candidates.player)
        best = max(best, candidates.values[i])
    return best


@compiled
def passes(candidates, p):
    """Is this one of the steps in which any move will do?"""
    return p.epsilon >= 1.0 or (p.epsilon > 0.0 and random_unit(candidates.rng) < p.epsilon)


@compiled
def greedy(candidates, p):
    if passes(candidates, p):
        return candidates.size
    return keep_above(candidates, value_behind_each(candidates))


@compiled
def corrective(candidates, p):
    if passes(candidates, p):
        return candidates.size
    before = value_of(candidates, candidates.state, candidates.player)
    value_behind_each(candidates)
    return keep_above(candidates, before)


@compiled
def mixed(candidates, p):
    if candidates.ply == 0:
        return corrective(candidates, p)
    return greedy(candidates, p)


@compiled
def worst_reply(candidates, bound):
    """What the state after the first move is worth to the player if the next one makes the best of it.

    A reply below ``bound`` ends the search: the move is not the best one.  A player who moves again makes its own best of it.
    """
    game, first, player = candidates.game, candidates.states, candidates.player
    if call_terminal(game.terminal, first) != 0:
        return value_of(candidates, first, player)
    mover = call_player(game.player, first)
    if mover == ENVIRONMENT:
        return value_of(candidates, first, player)
    second, found = at(candidates.states, game.state_size), -1.0
    count = call_legal(game.legal, first, candidates.others)
    for j in range(count):
        play_on(candidates, first, second, candidates.others[j])
        value = value_of(candidates, second, player)
        if mover == player:
            found = max(found, value)
        else:
            found = value if j == 0 else min(found, value)
            if found < bound:
                return found
    return found


@compiled
def alpha_beta(candidates, p):
    if passes(candidates, p):
        return candidates.size
    best = -1.0
    for i in range(candidates.size):
        play_on(candidates, candidates.state, candidates.states, candidates.actions[i])
        candidates.values[i] = worst_reply(candidates, best)
        best = max(best, candidates.values[i])
    return keep_above(candidates, best)


@dataclass(frozen=True, repr=False)
class ByEvaluation(Filter):
    """One of the functions above."""

    epsilon: float = 0.1


@dataclass(frozen=True, repr=False)
class GreedyMoves(ByEvaluation):
    function = staticmethod(greedy)


@dataclass(frozen=True, repr=False)
class CorrectiveMoves(ByEvaluation):
    function = staticmethod(corrective)


@dataclass(frozen=True, repr=False)
class MixedMoves(ByEvaluation):
    function = staticmethod(mixed)


@dataclass(frozen=True, repr=False)
class AlphaBetaMoves(ByEvaluation):
    function = staticmethod(alpha_beta)


@dataclass(frozen=True, repr=False)
class Evaluated(Considered):
    """A strategy whose playouts look only at moves that the game's evaluation speaks for."""

    epsilon: float = 0.1
    strategy: Strategy = field(default_factory=Baseline)

    in_playouts_only = True
    moves: ClassVar[type[ByEvaluation]] = GreedyMoves
    grid = tries(epsilon=SMALL_SHARES)

    def __post_init__(self) -> None:
        require(self, "epsilon", 0, 1)
        object.__setattr__(self, "strategy", complete(self.strategy))

    def parts(self) -> Iterator[Strategy]:
        yield self.strategy

    def check(self, game: Game) -> None:
        refuse_without(game, ("evaluate",), type(self).__name__)
        if game.score is not None:
            raise StrategyError(f"{self} needs rewards, and {game.name} has a score, which only the end of a game tells")
        super().check(game)

    @property
    def filter(self) -> Filter:
        return self.moves(epsilon=self.epsilon)


class GreedyPlayouts(Evaluated):
    """Playouts play the move behind which the evaluation is best, with probability ``epsilon`` any (1 is plain).

    The evaluation is seen by who moves.  ``strategy`` chooses among equals.
    """

    moves = GreedyMoves
    place = "simulation"


class CorrectivePlayouts(Evaluated):
    """Playouts play a move behind which the evaluation is no worse than before, if there is one; with ``epsilon`` any."""

    moves = CorrectiveMoves
    place = "simulation"


class MixedPlayouts(Evaluated):
    """The first move of a playout is corrective, the others are greedy; with probability ``epsilon`` any."""

    moves = MixedMoves
    place = "simulation"


class AlphaBetaPlayouts(Evaluated):
    """The best move of a search of two plies: the evaluation after the reply that is worst for who moves; ``epsilon``: any."""

    moves = AlphaBetaMoves
