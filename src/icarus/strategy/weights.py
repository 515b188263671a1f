"""Learned weights in a small file: what ``icarus learn`` writes, and what ``Features`` and ``Cutoff(evaluation=...)`` read.

A file of NumPy (``.npz``) with one number per feature, the name of the game and what they are for.  It holds numbers and text,
never objects, so that reading it runs nothing.
"""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from icarus.errors import StrategyError

if TYPE_CHECKING:
    from icarus.game import Game

PLAYOUT, EVALUATION = "playout", "evaluation"
LARGEST = 1 << 26  #: bytes of a file


@dataclass(frozen=True, eq=False)
class Weights:
    """One number per feature of a game."""

    game: str
    #: PLAYOUT or EVALUATION
    what: str
    values: npt.NDArray[np.float64]
    #: how they came about: method, seconds, the curve
    told: dict[str, Any] = field(default_factory=dict)

    def save(self, file: Path) -> None:
        """Write the file whole or not at all."""
        half = file.with_name(f"{file.name}.part")
        text = json.dumps({"game": self.game, "what": self.what, **self.told})
        with half.open("wb") as there:
            np.savez_compressed(there, weights=self.values, about=np.array(text))
        os.replace(half, file)

    def check(self, game: Game, what: str, file: str) -> None:
        """Refuse weights that are for something else."""
        if self.what != what:
            raise StrategyError(
                f"{file!r} holds weights for {self.what}s, not for {what}s: icarus learn --what {what} makes them"
            )
        if self.game != game.name or len(self.values) != game.feature_count:
            raise StrategyError(
                f"{file!r} holds {len(self.values)} weights of {self.game}; {game.name} has {game.feature_count} features"
            )


def read_weights(file: str) -> Weights:
    """What a file holds; read once as long as it does not change."""
    try:
        found = Path(file).stat()
    except (OSError, ValueError):
        raise StrategyError(f"there is no file {file!r} of weights; icarus learn GAME --output {file} writes one") from None
    if found.st_size > LARGEST:
        raise StrategyError(f"{file!r} is too large to hold weights")
    return _read(file, found.st_mtime_ns)


@lru_cache(maxsize=32)
def _read(file: str, changed: int) -> Weights:
    try:
        with np.load(file, allow_pickle=False) as held:
            values, about = np.asarray(held["weights"], np.float64), json.loads(str(held["about"]))
        game, what = about.pop("game"), about.pop("what")
    except (OSError, ValueError, KeyError, AttributeError, zipfile.BadZipFile):
        raise StrategyError(f"{file!r} is not a file of weights; icarus learn writes them") from None
    if values.ndim != 1 or not np.isfinite(values).all() or what not in (PLAYOUT, EVALUATION) or not isinstance(game, str):
        raise StrategyError(f"{file!r} is not a file of weights; icarus learn writes them")
    return Weights(game, what, values, about)
