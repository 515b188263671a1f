"""Values that are learned while the search goes on: linear in what holds, by TD(lambda) from its own playouts.

The value of a position (or of a move there) for who acts is the logistic function of a sum of weights: the *permanent* ones come
from a file and stay as they are, the *transient* ones begin with zero when the search does and change with every playout (Silver,
Sutton and Mueller 2008; section IV-C1 of mcts-survey-2012).  A playout notes what held at each of its steps; at its end the
values are drawn towards its lambda-return, from the last step to the first, so that an earlier step sees what later ones have
taught.  The step is divided by the number of what holds, and the slope is that of the cross-entropy, as in the authors' program
for Go; both are recalled, not printed in the survey.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from icarus.engine.calls import call_features
from icarus.errors import StrategyError
from icarus.game import Stepping
from icarus.jit import compiled
from icarus.strategy.base import refuse_without
from icarus.strategy.considered import Filter
from icarus.strategy.weights import read_weights

if TYPE_CHECKING:
    from icarus.game import Game

#: where the numbers of a filter that learns are: step size, lambda, what its choice takes, are there permanent weights, these
ALPHA, FADING, CHOICE, KNOWN, PERMANENT = range(5)


@compiled
def weight_of(learned, p, feature):
    """Permanent and transient."""
    return learned[feature] + p[PERMANENT + feature] if p[KNOWN] != 0.0 else learned[feature]


@compiled
def note_features(candidates, end, action):
    """Write down what holds of a move, or of the position if it is -1; returns where the next word goes, -1: there is no room."""
    found, notes = candidates.features, candidates.notes
    count = call_features(candidates.game.features, candidates.state, action, found)
    if end < 0 or end + count + 2 > candidates.room:
        return -1
    for k in range(count):
        notes[end + k] = found[k]
    return end + count


@compiled
def close_note(candidates, end):
    """A step has been noted up to here: how much that was, and who acts."""
    notes = candidates.notes
    if end >= 0:
        notes[end] = end - 1 - notes[0]
        notes[end + 1] = candidates.player
        notes[0] = end + 1


@compiled
def value_of_note(notes, end, learned, p):
    """What the step whose note ends here was worth to who acted."""
    total = 0.0
    for k in range(end - 1 - notes[end - 1], end - 1):
        total += weight_of(learned, p, notes[k])
    return 1.0 / (1.0 + math.exp(-max(min(total, 500.0), -500.0)))


@compiled
def learn_from_playout(lesson, p):
    """TD(lambda) for two players: each step's value is drawn towards what came of it."""
    notes, learned, end = lesson.notes, lesson.learned, lesson.notes[0]
    first, second = lesson.rewards[0], lesson.rewards[1]
    while end > 0:
        count, mover, value = notes[end - 1], notes[end], value_of_note(notes, end, learned, p)
        target = first if mover == 0 else second
        for k in range(end - 1 - count, end - 1):
            learned[notes[k]] += p[ALPHA] * (target - value) / count
        first = p[FADING] * first + (1.0 - p[FADING]) * (value if mover == 0 else 1.0 - value)
        second = p[FADING] * second + (1.0 - p[FADING]) * (1.0 - value if mover == 0 else value)
        end -= count + 2
    notes[0] = 0


@dataclass(frozen=True, repr=False)
class Learning(Filter):
    """A filter that chooses by such values."""

    alpha: float
    fading: float
    choice: float
    file: str

    lesson: ClassVar[Any] = staticmethod(learn_from_playout)

    @property
    def parameters(self) -> tuple[float, ...]:
        permanent = read_weights(self.file).values.tolist() if self.file else []
        return (self.alpha, self.fading, self.choice, float(bool(permanent)), *permanent)

    def signature(self, general: Any) -> Any:
        return general  # weights have no names


def check_learning(owner: Any, game: Game, needs: tuple[str, ...], what: str) -> None:
    """Refuse a game whose values cannot be learned like this, or a file of something else."""
    name = type(owner).__name__
    refuse_without(game, needs, name)
    if game.stepping is Stepping.CALLBACKS:
        raise StrategyError(f"{name} needs a compiled game, which {game.name} is not")
    if game.players != 2 or game.hidden_information or game.simultaneous_moves or game.score is not None:
        raise StrategyError(f"{name} needs two players and perfect information; {game.name} is not like that")
    if owner.file:
        read_weights(owner.file).check(game, what, owner.file)
