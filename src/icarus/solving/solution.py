"""What was found: the best score and its actions, how it came about, and the file that keeps it.

The file is JSON, written beside the old one and then put in its place, so that there is always a whole one: an end in the
middle of a run (``kill -9``, a power cut) loses what came after the last writing, which is a few seconds, and never a better
score.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.text import Text

from icarus.errors import SearchError
from icarus.game import Game, Position

FORMAT = "icarus-solution-1"
PLOT_WIDTH, PLOT_HEIGHT = 64, 8


@dataclass(frozen=True)
class Improvement:
    """When a better score was found."""

    seconds: float
    playouts: int
    score: float


@dataclass
class Solution:
    """The best that is known, and what it took."""

    game: str
    algorithm: str
    seed: int
    threads: int
    score: float | None = None
    #: as people write them, from the start to the end
    moves: list[str] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    seconds: float = 0.0
    playouts: int = 0
    improvements: list[Improvement] = field(default_factory=list)
    #: of complete runs, where these were asked for
    scores: list[float] = field(default_factory=list)
    stopped_by: str = ""
    #: why the file could not be written the last time; "": it was, or there is none
    unsaved: str = ""

    @property
    def mean(self) -> float | None:
        """Of the runs."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean."""
        number = len(self.scores)
        if number < 2 or self.mean is None:
            return None
        return math.sqrt(sum((score - self.mean) ** 2 for score in self.scores) / (number - 1) / number)

    def as_dict(self) -> dict[str, Any]:
        told = asdict(self)
        if not self.unsaved:
            del told["unsaved"]
        if self.scores:
            told |= {"mean": self.mean, "stderr": self.stderr}
        else:
            del told["scores"]
        return told

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.as_dict(), indent=indent)

    @property
    def line(self) -> str:
        """The moves, one after the other."""
        return (", " if any(" " in move for move in self.moves) else " ").join(self.moves)

    # --- the file ----------------------------------------------------------------------------------------------------

    def save(self, file: Path, under_way: list[Any] | None = None) -> None:
        """Write the whole file anew; there is never half of it.  ``under_way``: what searches need to go on."""
        beside = file.with_name(f".{file.name}.{os.getpid()}.part")
        self.unsaved = ""
        try:
            with beside.open("w") as out:
                json.dump({"format": FORMAT, **self.as_dict(), "under_way": under_way or []}, out, indent=1)
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, file)
        except OSError as problem:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise SearchError(f"cannot write {str(file)!r}: {problem.strerror or problem}") from None

    def try_to_save(self, file: Path, under_way: list[Any] | None = None) -> None:
        """The same in the middle of a search, which goes on if the disk is full; ``unsaved`` says so."""
        try:
            self.save(file, under_way)
        except SearchError as problem:
            self.unsaved = str(problem)

    @classmethod
    def read(cls, file: Path, game: Game, start: Position) -> Solution:
        """What a file holds, if it is about this game; its actions are played, and its score is what they bring."""
        try:
            held = json.loads(file.read_text())
            if held["format"] != FORMAT:
                raise ValueError
            found = cls(
                game=str(held["game"]),
                algorithm=str(held["algorithm"]),
                seed=int(held["seed"]),
                threads=int(held["threads"]),
                score=None if held["score"] is None else float(held["score"]),
                moves=[str(move) for move in held["moves"]],
                actions=[int(action) for action in held["actions"]],
                seconds=float(held["seconds"]),
                playouts=int(held["playouts"]),
                improvements=[
                    Improvement(float(i["seconds"]), int(i["playouts"]), float(i["score"])) for i in held["improvements"]
                ],
                scores=[float(score) for score in held.get("scores", ())],
            )
        except OSError as problem:
            raise SearchError(f"cannot read {str(file)!r}: {problem.strerror or problem}") from None
        except (ValueError, KeyError, TypeError):
            raise SearchError(f"{str(file)!r} is not a file that `icarus solve --save` wrote") from None
        if found.game != game.name:
            raise SearchError(f"{str(file)!r} is about {found.game}, not about {game.name}; name another file")
        if found.score is not None:
            brought = checked(start, found.moves, found.actions, file)
            if brought != found.score:
                raise SearchError(f"{str(file)!r} says {found.score:g}, but its moves bring {brought:g}: the game has changed")
        return found

    # --- for people --------------------------------------------------------------------------------------------------

    def plot(self) -> list[str]:
        """The score over time, as lines of text; the time runs in its logarithm, since most happens early."""
        if self.score is None or len(self.improvements) < 2:
            return []
        low, high = self.improvements[0].score, self.score
        first = max(self.improvements[0].seconds, 1e-3)
        last = max(self.seconds, self.improvements[-1].seconds, 2 * first)
        levels = []
        for column in range(PLOT_WIDTH):
            moment = first * (last / first) ** (column / (PLOT_WIDTH - 1)) * (1 + 1e-9)
            known = [i.score for i in self.improvements if i.seconds <= moment] or [low]
            levels.append(round((known[-1] - low) / (high - low or 1.0) * (PLOT_HEIGHT - 1)))
        left = [f"{high:g}", *[""] * (PLOT_HEIGHT - 2), f"{low:g}"]
        margin = max(map(len, left))
        lines = [
            f"{left[PLOT_HEIGHT - 1 - row]:>{margin}} |" + "".join("█" if level >= row else " " for level in levels).rstrip()
            for row in reversed(range(PLOT_HEIGHT))
        ]
        return [*lines, " " * margin + " +" + "-" * PLOT_WIDTH, f"{'':{margin}}  {first:.3g} s{last:>{PLOT_WIDTH - 6}.3g} s"]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        if self.score is None:
            yield Text(f"{self.game}: nothing found yet  [{self.algorithm}]")
            return
        yield Text(f"{self.game}: {self.score:g}  [{self.algorithm}, seed {self.seed}]", style="bold")
        yield Text(self.line)
        yield Text("\n".join(self.plot()))
        rate = self.playouts / max(self.seconds, 1e-9)
        yield Text(f"{self.playouts:,} playouts in {self.seconds:.3g} s ({rate:,.0f}/s)")
        if self.scores:
            error = "" if self.stderr is None else f" ± {self.stderr:.3g} (standard error)"
            yield Text(f"{len(self.scores)} runs: {self.mean:.4g}{error}, from {min(self.scores):g} to {max(self.scores):g}")


def under_way_in(file: Path, algorithm: str) -> list[Any]:
    """What the searches of a file that was read already need to go on, if they were made by this algorithm."""
    held = json.loads(file.read_text())
    found = held.get("under_way", []) if held.get("algorithm") == algorithm else []
    return found if isinstance(found, list) else []


def checked(start: Position, moves: list[str], actions: list[int], file: Path) -> float:
    """Play a line of moves, each of which must be legal, to the end of the game; returns the score.

    Moves are read as people write them: a class numbers its actions in the order in which it meets them.
    """
    position = start.copy()
    for number, move in enumerate(moves):
        legal = {} if position.is_terminal else {position.format_action(action): action for action in position.legal()}
        if position.environment_acts and number < len(actions):
            position.apply(actions[number])
        elif move in legal:
            position.apply(legal[move])
        else:
            raise SearchError(f"{str(file)!r}: move {number + 1}, {move!r}, is not legal there: the game has changed")
    if not position.is_terminal:
        raise SearchError(f"{str(file)!r}: its moves do not end the game: the game has changed")
    return position.score() if position.game.score is not None else position.rewards()[0]
