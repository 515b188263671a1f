"""What a rule sheet is: roles, size before and after simplification, time to build, speed, and what players can know."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path

from icarus.errors import GameError
from icarus.gdl.checks import check_sheet
from icarus.gdl.game import describe, game_of, random_playouts
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.lanes import LANES
from icarus.gdl.reader import read_sheet


@dataclass(frozen=True)
class SheetInfo:
    """``str()`` gives it to a person, ``to_dict()`` to a program."""

    file: str
    roles: tuple[str, ...]
    fluents: int
    moves: tuple[int, ...]
    ground_rules: int
    ground_links: int
    gates: int
    links: int
    levels: int
    seconds_to_build: float
    playouts_per_second: float
    longest_random_game: int
    simultaneous: bool
    hidden_information: bool
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        return asdict(self)

    def __str__(self) -> str:
        moves = ", ".join(f"{role} ({count} moves)" for role, count in zip(self.roles, self.moves, strict=True))
        together = "some choices are made at the same time" if self.simultaneous else "one choice at a time"
        sight = "hidden information (GDL-II)" if self.hidden_information else "perfect information"
        lines = [
            f"{self.file}: {together}, {sight}",
            f"roles     {moves}",
            f"state     {self.fluents} fluents",
            f"ground    {self.ground_rules} rules with {self.ground_links} links",
            f"network   {self.gates} gates with {self.links} links in {self.levels} levels",
            f"built in  {self.seconds_to_build:.2f} s",
            f"speed     {self.playouts_per_second:.0f} random games/s on one thread ({LANES} at once)",
            f"length    at most {self.longest_random_game} steps in random games",
            *self.warnings,
        ]
        return "\n".join(lines)


def sheet_info(path: str | Path, limits: Limits | None = None, seconds: float = 0.5) -> SheetInfo:
    """Read, check, build and time a sheet; nothing is taken from the cache."""
    begun = time.perf_counter()
    sheet = read_sheet(path)
    warnings = check_sheet(sheet)
    try:
        description = describe(sheet, limits)
    except TooLarge as problem:
        raise GameError(f"{path}: {problem}; it can be played, but only by the slower reasoner") from None
    built = time.perf_counter() - begun
    network = description.network
    game = game_of(description, Path(path).stem)
    steps, games, taken, longest = 32, 0, 0.0, 0
    while taken < seconds:
        steps *= 2
        begun = time.perf_counter()
        games, totals = random_playouts(game, steps)
        taken = time.perf_counter() - begun
        longest = max(longest, int(totals[-2]))
    return SheetInfo(
        file=str(path),
        roles=network.roles,
        fluents=len(network.fluents),
        moves=tuple(len(moves) for moves in network.moves),
        ground_rules=network.ground_rules,
        ground_links=network.ground_links,
        gates=network.gates,
        links=network.links,
        levels=network.levels,
        seconds_to_build=built,
        playouts_per_second=games / taken,
        longest_random_game=longest,
        simultaneous=description.simultaneous,
        hidden_information=description.hidden,
        warnings=tuple(warnings),
    )
