"""A strategy for a whole game: what to play in every information set that was met, as probabilities; kept in a file."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from icarus.equilibrium.game_tree import GameTree, Reals
from icarus.equilibrium.knowledge import information_set
from icarus.errors import IcarusError
from icarus.game import Game, Position

SUFFIX = ".npz"


class StrategyFileError(IcarusError):
    """A file that holds no strategy, or one for another game."""


@dataclass(frozen=True)
class AverageStrategy:
    """Probabilities by information set; where nothing is known everything is equally likely."""

    game: str
    solver: str
    iterations: int
    #: one per information set, rising ...
    keys: npt.NDArray[np.int64]
    #: ... and where its actions and their probabilities begin (one entry more than keys)
    first: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    odds: Reals
    _places: dict[int, int] = field(default_factory=dict, repr=False, compare=False)

    def of(self, key: int, actions: list[int]) -> list[float]:
        """The probabilities of these actions."""
        place = int(np.searchsorted(self.keys, key))
        known: dict[int, float] = {}
        if place < len(self.keys) and self.keys[place] == key:
            slots = slice(self.first[place], self.first[place + 1])
            known = dict(zip(self.actions[slots].tolist(), self.odds[slots].tolist(), strict=True))
        odds = [known.get(action, 0.0) for action in actions]
        total = sum(odds)
        return [p / total for p in odds] if total > 0 else [1 / len(actions)] * len(actions)

    def at(self, position: Position) -> list[float]:
        """The same for whoever acts in a position; only what that player knows is used."""
        return self.of(information_set(position, position.player), position.legal())

    def on(self, tree: GameTree) -> Reals:
        """The strategy over the slots of a tree."""
        strategy = np.empty(tree.slots)
        for known in tree.sets:
            strategy[known.slots] = self.of(known.key, list(known.actions))
        return strategy

    def check(self, game: Game) -> None:
        """Refuse another game."""
        if game.name != self.game:
            raise StrategyFileError(f"this strategy is for {self.game}, not for {game.name}")

    def save(self, file: Path) -> None:
        """Write a ``.npz`` file; what was there before stays until the new one is complete."""
        fresh = file.with_name(f".{file.name}.part")
        try:
            with fresh.open("wb") as out:
                np.savez_compressed(
                    out,
                    game=np.array(self.game),
                    solver=np.array(self.solver),
                    iterations=np.array(self.iterations),
                    keys=self.keys,
                    first=self.first,
                    actions=self.actions,
                    odds=self.odds,
                )
            fresh.replace(file)
        except OSError as problem:
            fresh.unlink(missing_ok=True)
            raise StrategyFileError(f"cannot write {file}: {problem.strerror}") from None


def read_strategy_file(file: Path) -> AverageStrategy:
    """What :meth:`AverageStrategy.save` wrote; numbers only, nothing in the file is run."""
    try:
        with np.load(file, allow_pickle=False) as data:
            read = AverageStrategy(
                game=str(data["game"]),
                solver=str(data["solver"]),
                iterations=int(data["iterations"]),
                keys=data["keys"].astype(np.int64),
                first=data["first"].astype(np.int64),
                actions=data["actions"].astype(np.int64),
                odds=data["odds"].astype(np.float64),
            )
    except FileNotFoundError:
        raise StrategyFileError(f"there is no file {str(file)!r}; `icarus equilibrium GAME --output {file}` writes one") from None
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError):
        raise StrategyFileError(
            f"{str(file)!r} holds no strategy; `icarus equilibrium GAME --output FILE{SUFFIX}` writes one"
        ) from None
    sizes = np.diff(read.first)
    sound = len(read.first) == len(read.keys) + 1 and len(read.actions) == len(read.odds) == (read.first[-1] if len(sizes) else 0)
    if not sound or (len(sizes) and (sizes.min() < 1 or read.first[0] != 0)) or (np.diff(read.keys) <= 0).any():
        raise StrategyFileError(f"{str(file)!r} is damaged; `icarus equilibrium` writes it anew")
    if not (np.isfinite(read.odds) & (read.odds >= 0)).all():
        raise StrategyFileError(f"{str(file)!r} is damaged: not all of its probabilities are numbers from 0 to 1")
    return read
