"""What a rule sheet is: roles, size before and after simplification, time to build, speed, and what players can know."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from icarus.errors import GameError
from icarus.gdl.checks import check_sheet
from icarus.gdl.game import describe, game_of, random_playouts
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.lanes import LANES
from icarus.gdl.layout import ROLES
from icarus.gdl.machine import machine_game, machine_plan, random_games
from icarus.gdl.reader import Sheet, read_sheet


@dataclass(frozen=True)
class SheetInfo:
    """``str()`` gives it to a person, ``to_dict()`` to a program."""

    file: str
    roles: tuple[str, ...]
    #: those that could be, as far as is known
    fluents: int
    moves: tuple[int, ...]
    #: why there is no network, and it is played by joins over its relations; empty where there is one
    without_network: str
    ground_rules: int
    ground_links: int
    gates: int
    links: int
    levels: int
    relations: int
    seconds_to_build: float
    playouts_per_second: float
    longest_random_game: int
    simultaneous: bool
    hidden_information: bool
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        return asdict(self)

    @property
    def network(self) -> list[str]:
        return [
            f"ground    {self.ground_rules} rules with {self.ground_links} links",
            f"network   {self.gates} gates with {self.links} links in {self.levels} levels",
            f"speed     {self.playouts_per_second:.0f} random games/s on one thread ({LANES} at once)",
        ]

    @property
    def joins(self) -> list[str]:
        return [
            f"network   none: {self.without_network}",
            f"joins     {self.relations} relations",
            f"speed     {self.playouts_per_second:.1f} random games/s on one thread",
        ]

    def __str__(self) -> str:
        moves = ", ".join(f"{role} ({count} moves)" for role, count in zip(self.roles, self.moves, strict=True))
        together = "some choices are made at the same time" if self.simultaneous else "one choice at a time"
        sight = "hidden information (GDL-II)" if self.hidden_information else "perfect information"
        lines = [
            f"{self.file}: {together}, {sight}",
            f"roles     {moves}",
            f"state     {self.fluents} fluents",
            *(self.network if not self.without_network else self.joins),
            f"built in  {self.seconds_to_build:.2f} s",
            f"length    at most {self.longest_random_game} steps in random games",
            *self.warnings,
        ]
        return "\n".join(lines)


def sheet_info(path: str | Path, limits: Limits | None = None, seconds: float = 0.5) -> SheetInfo:
    """Read, check, build and time a sheet; nothing is taken from the cache."""
    begun = time.perf_counter()
    sheet = read_sheet(path)
    warnings = tuple(check_sheet(sheet))
    try:
        description = describe(sheet, limits)
    except TooLarge as problem:
        return info_by_joins(path, sheet, str(problem), warnings, seconds)
    built = time.perf_counter() - begun
    network, game = description.network, game_of(description, Path(path).stem)
    speed, longest = measured(lambda steps: random_playouts(game, steps), int(game.header[ROLES]), seconds)
    return SheetInfo(
        file=str(path),
        roles=network.roles,
        fluents=len(network.fluents),
        moves=tuple(len(moves) for moves in network.moves),
        without_network="",
        ground_rules=network.ground_rules,
        ground_links=network.ground_links,
        gates=network.gates,
        links=network.links,
        levels=network.levels,
        relations=0,
        seconds_to_build=built,
        playouts_per_second=speed,
        longest_random_game=longest,
        simultaneous=description.simultaneous,
        hidden_information=description.hidden,
        warnings=warnings,
    )


def info_by_joins(path: str | Path, sheet: Sheet, problem: str, warnings: tuple[str, ...], seconds: float) -> SheetInfo:
    """What a sheet is for which there is no network."""
    begun = time.perf_counter()
    try:
        plan = machine_plan(sheet)
    except TooLarge as other:
        raise GameError(f"{path}: {problem}, and {other}; it can be played, but only by the slower reasoner") from None
    built, game = time.perf_counter() - begun, machine_game(plan, Path(path).stem)
    speed, longest = measured(lambda steps: random_games(game, steps)[:2], int(game.header[ROLES]), seconds)
    return SheetInfo(
        file=str(path),
        roles=game.roles,
        fluents=plan.program.fluent_count,
        moves=(plan.program.move_count,) * len(game.roles),
        without_network=problem,
        ground_rules=0,
        ground_links=0,
        gates=0,
        links=0,
        levels=0,
        relations=len(plan.program.relations),
        seconds_to_build=built,
        playouts_per_second=speed,
        longest_random_game=longest,
        simultaneous=plan.simultaneous,
        hidden_information=plan.hidden,
        warnings=warnings,
    )


def measured(play: Callable[[int], tuple[int, npt.NDArray[np.int64]]], roles: int, seconds: float) -> tuple[float, int]:
    """Random games per second, and the steps of the longest: ``play(steps)`` tells how many ended, the goals of all roles, and
    how long the longest was."""
    steps, games, taken, longest = 32, 0, 0.0, 0
    while taken < seconds:
        steps *= 2
        begun = time.perf_counter()
        games, totals = play(steps)
        taken = time.perf_counter() - begun
        longest = max(longest, int(totals[roles]))
    return games / taken, longest
