"""Games that several experiments have in common.

What happens in a game follows from its players, its deal and the seed alone (schedule.py), so the baseline's games of one figure
are the baseline's games of another.  A results file takes over what the others in its folder hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from icarus.algorithm import named_with_strategy
from icarus.arena.compact import Compact, engine_digest, read_compact, same_players
from icarus.arena.experiment import names, read_experiment
from icarus.arena.match import GameRecord
from icarus.arena.players import read_player
from icarus.arena.schedule import GAME, Cell, Schedule, game_named


class Shared(NamedTuple):
    """What another results file has."""

    held: Compact
    schedule: Schedule
    #: a cell here, the same one there, and its games
    games: list[tuple[str, str, list[GameRecord]]]


def with_shared(
    compact: Compact, schedule: Schedule, cells: Iterable[str], folder: Path, say: Callable[[str], None] = lambda text: None
) -> Compact:
    """A results file with what the others in its folder hold of these cells, as far as this version's players play it alike."""
    records, first = list(compact.records), dict(compact.first)
    for found in shared(compact, schedule, cells, folder):
        there = [name for _, name, _ in found.games]
        if found.held.engine != engine_digest() and not same_players(found.held, found.schedule, there):
            say(f"{found.held.experiment} has games of {len(there)} of these cells, by players who play otherwise")
            continue
        for here, name, taken in found.games:
            records += taken
            first[here] = found.held.first[name]
        say(f"{sum(len(taken) for _, _, taken in found.games)} games are those of {found.held.experiment}: not played again")
    return replace(compact, records=records, first=first)


def shared(compact: Compact, schedule: Schedule, cells: Iterable[str], folder: Path) -> Iterator[Shared]:
    """What each of the other files in a folder has of these cells beyond what is held."""
    held = {(record.cell, record.number) for record in compact.records}
    wanted = {same: name for name in sorted(cells) if (same := what_is_played(schedule.cell(name))) is not None}
    for experiment in map(read_experiment, names()):
        file = folder / f"{experiment.name}.json"
        if experiment.data or experiment.name == compact.experiment or not wanted or not file.exists():
            continue
        theirs = experiment.schedule(budget=compact.budget, seed=compact.seed)
        common = {wanted[same]: cell.name for cell in theirs.cells if (same := what_is_played(cell)) in wanted}
        if not common:
            continue
        other = read_compact(file, theirs)
        if (other.seed, other.budget) != (compact.seed, compact.budget):
            continue
        games = []
        for here, there in common.items():
            mine = (replace(record, cell=here) for record in other.records if record.cell == there and there in other.first)
            taken = [r for r in mine if r.number < schedule.cell(here).games and (here, r.number) not in held]
            held |= {(here, record.number) for record in taken}
            games += [(here, there, taken)] if taken else []
        if games:
            yield Shared(other, theirs, games)


def what_is_played(cell: Cell) -> tuple[Any, ...] | None:
    """Equal for cells with the same games, however their players are written; None where a clock is in the way."""
    players = [read_player(player) for player in cell.players]
    if cell.kind != GAME or any(not player.searches or player.timed for player in players):
        return None
    game, who = game_named(cell.game), []
    for player in players:
        algorithm, strategy = named_with_strategy(player.named or None, player.strategy or "-", game)
        who.append((str(algorithm), str(strategy), replace(player, algorithm="", parameters="", strategy="")))
    return cell.game, tuple(who), cell.seatings, cell.deals, cell.opening, cell.equal_first, cell.settings
