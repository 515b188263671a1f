"""Networks in files: an ``.onnx`` file as an evaluator, by ONNX Runtime.

The network has one input, observations of 32 bits, or two, of which the second is ``legal``; its first two outputs are logits and
values, in this order or by these names.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from icarus.errors import SearchError, first_line, needing
from icarus.game import Game
from icarus.network.encoding import encoding_of

SUFFIX = ".onnx"


def is_network(name: str) -> bool:
    """Is this the name of a network's file?"""
    return name.strip().endswith(SUFFIX)


def read_network(name: str, game: Game) -> Network:
    """The network of this file, checked against the game."""
    path = Path(name.strip()).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        raise SearchError(f"there is no file {name.strip()!r} with a network") from None
    network = _opened(str(path), changed)
    network.check(game)
    return network


@lru_cache(maxsize=16)
def _opened(path: str, changed: int) -> Network:
    return Network(path)


class Network:
    """An evaluator from a file."""

    def __init__(self, path: str) -> None:
        with needing("networks in files", "onnxruntime", extra="onnx"):
            import onnxruntime

        self.path = path
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1  # tournaments run many players side by side
        options.inter_op_num_threads = 1
        try:
            self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as problem:
            raise SearchError(f"{path} is no network that ONNX Runtime can read: {first_line(problem)[:200]}") from None
        inputs, outputs = self.session.get_inputs(), self.session.get_outputs()
        names = [output.name for output in outputs]
        if not 1 <= len(inputs) <= 2 or len(outputs) < 2:
            raise SearchError(
                f"{path} has {len(inputs)} inputs and {len(outputs)} outputs; expected: observations (and legal); logits, values"
            )
        self.inputs = [given.name for given in inputs]
        self.kinds = [np.bool_ if "bool" in given.type else np.float32 for given in inputs]
        self.shapes = [list(given.shape) for given in inputs]
        by_name = "logits" in names and "values" in names
        self.outputs = ["logits", "values"] if by_name else names[:2]
        self.output_shapes = [list(outputs[names.index(output)].shape) for output in self.outputs]

    def __call__(self, observations: Any, legal: Any) -> tuple[Any, Any]:
        fed: dict[str, Any] = {
            name: np.asarray(array, kind)
            for name, array, kind in zip(self.inputs, (observations, legal), self.kinds, strict=False)
        }
        logits, values = self.session.run(self.outputs, fed)
        return logits, values

    def check(self, game: Game) -> None:
        """Refuse a network for another game; sizes that the file leaves open fit."""
        encoding = encoding_of(game)
        wanted = [("observations", self.shapes[0], encoding.shape)]
        wanted += [("legal", shape, (encoding.actions,)) for shape in self.shapes[1:]]
        wanted += [("logits", self.output_shapes[0], (encoding.actions,)), ("values", self.output_shapes[1], (game.players,))]
        for what, given, expected in wanted:
            sizes = given[1:]
            if len(given) and (len(sizes) != len(expected) or not all(map(_fits, sizes, expected))):
                raise SearchError(
                    f"{self.path} is not a network for {game.name}: its {what} have the shape {_told(given)}, expected is"
                    f" {_told(['batch', *expected])}"
                )


def _fits(given: Any, expected: int) -> bool:
    return not isinstance(given, int) or given == expected


def _told(shape: list[Any]) -> str:
    return f"({', '.join(str(size) for size in shape)})"
