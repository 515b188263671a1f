"""An evaluator: any function over NumPy arrays that says which actions look good and what the players may expect.

::

    def evaluate(observations, legal):       # float32[B, *shape], bool[B, A]
        return logits, values                # [B, A], [B, players]

A row of ``observations`` is what the player who acts knows.  Logits of illegal actions are ignored.  ``values`` are expected
rewards in [0, 1]: first of the player who acts, then of the next one, and so on around the table.  B is the same in every
call, so that nothing is compiled twice; rows that are not in use keep what they held before, and their answers are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from icarus.errors import GameError, SearchError, first_line, line_of
from icarus.game import Game
from icarus.jit import Kernel
from icarus.network.encoding import Encoding
from icarus.network.forest.layout import ANSWER, BAD_LOGIT, BAD_NUMBER, BAD_VALUE, UNDO
from icarus.network.forest.memory import Forest
from icarus.network.onnx import is_network, read_network
from icarus.search.checks import ERRORS

Evaluator = Callable[[Any, Any], tuple[Any, Any]]


class EvaluatorError(SearchError):
    """An evaluator that fails, or gives something else than what was expected."""


def evaluator_of(given: object, game: Game) -> Evaluator:
    """What was given as an evaluator: a function, or the name of a file."""
    if isinstance(given, str):
        if not is_network(given):
            raise SearchError(f"{given!r} is no network: an evaluator is a function, or a file that ends with .onnx")
        return read_network(given, game)
    if not callable(given):
        raise SearchError(
            f"{game.name}: {given!r} is no evaluator; expected is a function evaluate(observations, legal) that gives logits and"
            " values, or the name of an .onnx file"
        )
    found: Evaluator = given
    return found


def whole(name: str, value: object, most: int) -> int:
    """A number of things, from 1 on."""
    if not isinstance(value, int | np.integer) or not 1 <= value <= most:
        raise SearchError(f"{name}={value}: a number from 1 to {most}")
    return int(value)


def ask(forest: Forest, evaluate: Evaluator, kernel: Kernel) -> None:
    """Have the evaluator value all lanes that wait.  If it fails, they have never set out, and the search can go on."""
    try:
        answer = evaluate(forest.observations, forest.legal)
        take(forest, answer)
    except BaseException as problem:
        forest.control.todo = UNDO
        kernel(forest.handle)
        if isinstance(problem, Exception) and not isinstance(problem, EvaluatorError):
            where = line_of(problem, __file__)
            raise EvaluatorError(
                f"{forest.game.name}: the evaluator raised {first_line(problem)}{where}{shown(forest)}"
            ) from problem
        raise
    forest.control.todo = ANSWER


def take(forest: Forest, answer: Any) -> None:
    """Copy an evaluator's answer to where the kernel reads it, or say what is wrong with it."""
    name = forest.game.name
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        kind = type(answer).__name__ + (f" of length {len(answer)}" if isinstance(answer, tuple | list) else "")
        raise EvaluatorError(f"{name}: the evaluator gave a {kind}; expected are two arrays, logits and values")
    for what, given, place, means in (
        ("logits", answer[0], forest.logits, "batch, actions"),
        ("values", answer[1], forest.values, "batch, players"),
    ):
        array = np.asarray(given)
        if array.shape != place.shape:
            raise EvaluatorError(
                f"{name}: the evaluator gave {what} of shape {array.shape}; expected is {place.shape} ({means}){shown(forest)}"
            )
        if array.dtype.kind not in "fiub":
            raise EvaluatorError(f"{name}: the evaluator gave {what} of type {array.dtype}; expected are numbers of 32 bits")
        np.copyto(place, array, casting="unsafe")


def shown(forest: Forest) -> str:
    """What the evaluator was shown."""
    return f"; it was shown observations of shape {forest.observations.shape} and legal of shape {forest.legal.shape}"


def check(forest: Forest, encoding: Encoding, kernel: Kernel) -> None:
    """Raise what the kernel has found wrong with the evaluator's answers or with the game; the trees stay sound."""
    control, game = forest.control, forest.game
    problem = encoding.problem
    error = int(control.error)
    if not error and problem is None:
        return
    control.error = 0
    control.todo = UNDO
    kernel(forest.handle)
    encoding.check(game)
    row, value = int(control.error_lane), int(control.error_value)
    if error == BAD_LOGIT:
        raise EvaluatorError(
            f"{game.name}: the evaluator gave {forest.logits[row, value]} as logit {value} of row {row}; expected is a finite"
            f" number for every legal action (shape {forest.logits.shape})"
        )
    if error == BAD_VALUE:
        raise EvaluatorError(
            f"{game.name}: the evaluator gave {forest.values[row, value]:g} as value {value} of row {row}; expected are rewards"
            f" from 0 to 1, of who acts first (shape {forest.values.shape})"
        )
    if error == BAD_NUMBER:
        raise GameError(f"the game {game.name}: action {value} has no number from 0 to {forest.logits.shape[1] - 1}")
    text = ERRORS[error].format(ply=int(control.error_ply), value=value)
    raise GameError(f"the game {game.name} breaks its contract: {text}; `icarus check` finds the place")
