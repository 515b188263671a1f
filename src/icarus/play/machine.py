"""The machines at the table: a player in a seat, its decisions, and what it thought."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from icarus.arena.clock import Bank
from icarus.arena.players import Player, Seat
from icarus.game import Game, Position
from icarus.jit.randomness import mix
from icarus.network.searching import AnySearch
from icarus.result import Progress, SearchResult
from icarus.strength import Pace, chosen


class Interrupted(Exception):
    """Ctrl-C was pressed while a machine was thinking."""


class Machine:
    """A player in a seat.  A search uses of the position only what its seat can know."""

    def __init__(self, player: Player, game: Game, seat: int, seed: int, pace: Pace | None = None) -> None:
        self.player, self.seat, self.seed, self.pace = player, seat, seed, pace
        self._other: Seat | None = None if player.searches else player.seated(game, seat, seed)
        self._kept: AnySearch | None = None
        self._bank = Bank(player.iterations, self.bounded.seconds)

    def decide(self, position: Position, progress: Callable[[float], None]) -> tuple[int, SearchResult | None]:
        """An action, and the search behind it if there was one."""
        legal = position.legal()
        if self._other is not None:
            return self._other.decide(position, legal).action, None
        if len(legal) == 1:
            return legal[0], None
        known = self.player.from_book(position)
        if known is not None:
            return known, None
        search = self._search(position)
        result = think(search, self.bounded, progress, self._bank)
        if self.player.keep:
            self._kept = search
        if self.pace is not None:
            # where something is hidden, how long a machine hesitates would tell what it holds
            wanted = self.pace.shortest if position.game.hidden_information else self.pace.seconds(result)
            time.sleep(max(wanted - result.seconds, 0.0))
        return chosen(result, self.player.strength).action, result

    @property
    def bounded(self) -> Player:
        """The player, which thinks no longer than its pace allows."""
        if self.pace is None:
            return self.player
        return replace(self.player, seconds=min(self.player.seconds or self.pace.longest, self.pace.longest))

    def forget(self) -> None:
        """A move was taken back: what was kept may lie in a future that is no more."""
        self._kept = None

    def _search(self, position: Position) -> AnySearch:
        if self._kept is not None:
            self._kept.advance(position)
            return self._kept
        seed = int(mix(int(mix(self.seed, self.seat)), len(position.history))) & (2**63 - 1)
        return self.player.search(position, self.seat, seed)


def think(search: AnySearch, player: Player, progress: Callable[[float], None], bank: Bank | None = None) -> SearchResult:
    """Spend a player's budget; Ctrl-C raises Interrupted, since nobody wants half a thought to be played."""

    def tell(state: Progress) -> None:
        progress(state.share)

    result = player.think(search, bank or Bank(player.iterations, player.seconds), tell)
    if result.stopped_by == "interrupt":
        raise Interrupted
    return result


def in_words(result: SearchResult) -> list[str]:
    """What a machine thought, in a few lines."""
    rows = [row for row in result.root if row.visits][:5]
    total = max(sum(row.visits for row in result.root), 1)
    moves = ", ".join(f"{row.label} {row.mean[result.player]:.0%} ({row.visits / total:.0%} of the visits)" for row in rows)
    lines = [f"{result.iterations:,} iterations in {result.seconds:.2g} s, depth {result.tree_depth}; expected results: {moves}"]
    if len(result.principal_variation) > 1:
        lines.append(f"expected line: {' '.join(result.principal_variation)}")
    if result.best_score is not None:
        lines.append(f"best playout: {result.best_score:g} by {' '.join(result.best_line)}")
    return lines
