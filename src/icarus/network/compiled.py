"""Compiled evaluators: machine code that values one position, called by the kernel itself, with no Python in between.

::

    def evaluate(weights, observation, legal, logits, values):   # flat: float32, float32, bool; writes float32, float32
        ...
    icarus.CompiledEvaluator(evaluate, weights)

It says the same of a position as an evaluator over batches would: ``logits`` of actions (those of illegal ones are ignored),
``values`` in [0, 1] that begin with the player who acts.  For small networks, tables and evaluations by hand, where calls from
Python would take longer than what is called.  Sums may be added up in any order, which several lanes of a processor do at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from icarus.errors import SearchError, first_line, line_of
from icarus.game import Game, Stepping, play_to_decision
from icarus.jit import JIT, address, c_function, python_call
from icarus.jit.randomness import seeded
from icarus.network.encoding import Encoding
from icarus.network.forest.layout import EVALUATOR

if TYPE_CHECKING:
    from icarus.network.forest.memory import Forest


class CompiledEvaluator:
    """An evaluator of one position that is compiled, and the numbers that it is given as ``weights``.

    >>> import icarus
    >>> def likes_the_left(weights, observation, legal, logits, values):
    ...     for action in range(7):
    ...         logits[action] = weights[0] * (6 - action)
    ...     values[0] = values[1] = 0.5
    >>> evaluate = icarus.CompiledEvaluator(likes_the_left, [3.0])
    >>> icarus.search("connect_four", evaluator=evaluate, iterations=40, batch=1, seed=1).best.label
    '1'

    ``weights`` may be changed in place between searches.  Where a game is not compiled, the object is asked as an evaluator over
    batches is.
    """

    def __init__(self, function: Callable[..., None], weights: npt.ArrayLike = (0.0,)) -> None:
        self.plain: Callable[..., None] = getattr(function, "py_func", function)
        self.weights: npt.NDArray[np.float32] = np.ascontiguousarray(weights, np.float32)
        if not self.weights.size:
            self.weights = np.zeros(1, np.float32)
        self.__name__ = getattr(self.plain, "__name__", "evaluator")
        self._call: Callable[..., Any] | None = None
        self._players = 0

    def __call__(self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        """The same as an evaluator over batches; there are as many values as were rehearsed."""
        if self._call is None:
            raise SearchError(f"{self.__name__} is asked by searches: icarus.search(game, evaluator=...)")
        rows = len(legal)
        logits, values = np.zeros(legal.shape, np.float32), np.zeros((rows, self._players), np.float32)
        shown, allowed = observations.reshape(rows, -1), legal.view(np.uint8)
        for row in range(rows):
            self._call(self.weights.reshape(-1), shown[row], allowed[row], logits[row], values[row])
        return logits, values

    def rehearse(self, game: Game, encoding: Encoding) -> None:
        """Value a position in plain Python, where an index out of range is an error, before machine code runs."""
        position = game.start(0)
        if position.environment_acts:
            play_to_decision(position, seeded(0))
        self._players = game.players
        shown = encoding.look(position, position.player).reshape(-1)
        legal = np.ones(encoding.actions, np.uint8)
        logits, values = np.full(encoding.actions, np.nan, np.float32), np.full(game.players, np.nan, np.float32)
        what = f"; it was shown an observation of {shown.size} numbers, {legal.size} logits and {values.size} values"
        try:
            self.plain(self.weights.reshape(-1), shown, legal, logits, values)
        except Exception as problem:
            raise SearchError(
                f"{game.name}: the evaluator raised {first_line(problem)}{line_of(problem, __file__)}{what}"
            ) from problem
        for name, written in (("logit", logits), ("value", values)):
            if not np.isfinite(written).all():
                number = int(np.argmin(np.isfinite(written)))
                raise SearchError(
                    f"{game.name}: the evaluator left {name} {number} at {written[number]}; expected are numbers for all{what}"
                )
        try:
            # not kept on disk: the numbers of arrays that it names outside of itself become part of the machine code
            if JIT:
                c_function(self.plain, EVALUATOR, cached=False, any_order=True)
            self._call = python_call(self.plain, EVALUATOR)
        except Exception as problem:
            raise SearchError(f"{game.name}: the evaluator does not compile: {first_line(problem)}") from problem

    def put_into(self, forest: Forest) -> None:
        forest.evaluate_by(address(self.plain, EVALUATOR), self.weights.reshape(-1))


def runs_in_kernel(game: Game) -> bool:
    """Can the kernel ask a compiled evaluator itself: is all that it is shown of the game compiled, too?"""
    return game.stepping is Stepping.ONE_STATE and game.observation is not None
