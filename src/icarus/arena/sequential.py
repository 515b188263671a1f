"""Which games next: what a sequential run plays between two looks at the verdicts.

A claim falls with one of its comparisons and stands only with all of them.  So each open claim is asked what would cost least:
to refute one comparison, to confirm all that are open, or to play one to the paper's own number of games, since a comparison
that they leave open keeps the claim from being confirmed, and only refuting another one could still decide it.  The cheapest
claim is taken, and of it the comparison that needs least goes on to its next look.  What is hoped for is what was seen, a
standard error better, so that a few games do not settle where the next ones go.

Looks come after fixed numbers of a comparison's own games, whatever was seen, and its intervals are wide enough for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from icarus.arena.experiment import Results
from icarus.arena.players import read_player
from icarus.arena.schedule import Cell, Schedule
from icarus.arena.statement import Statement, Verdict

LOOKS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  #: shares of the games after which a comparison is looked at
FIRST = 64  #: games before the first look where the first share of them would be many more


def looks_of(games: int) -> list[int]:
    """After how many of a cell's games it is looked at: the shares, and before them doubled numbers where there are very many."""
    shares = sorted({math.ceil(share * games) for share in LOOKS if games})
    if not shares:
        return []
    doublings = max(math.ceil(math.log2(shares[0] / FIRST)), 0)
    return [FIRST * 2**k for k in range(doublings)] + shares


def next_part(whole: Schedule, results: Results, verdicts: Iterable[Verdict], allowed: set[str]) -> Schedule | None:
    """The games up to the next look at one comparison; None if nothing is open that more games of these cells can decide."""
    market = Market(whole, results, allowed)
    offers = [offer for verdict in verdicts if (offer := market.offer(verdict)) is not None]
    return market.up_to_next_look(min(offers, key=lambda offer: offer.seconds).statement) if offers else None


@dataclass(frozen=True)
class Offer:
    """What deciding an open claim would cost, and the comparison that goes on first."""

    seconds: float
    statement: Statement


class Market:
    """What games cost, and what they might decide."""

    def __init__(self, whole: Schedule, results: Results, allowed: set[str]) -> None:
        self.whole, self.allowed = whole, allowed
        self.played = {cell.name: len(results.of_cell(cell.name)) for cell in whole.cells}
        spent = {name: math.fsum(record.elapsed for record in results.of_cell(name)) for name in self.played}
        of_game: dict[str, list[float]] = {}
        for cell in whole.cells:
            if self.played[cell.name]:
                of_game.setdefault(cell.game, []).append(spent[cell.name] / self.played[cell.name] / thought(cell))
        every = [seconds for known in of_game.values() for seconds in known]

        def seconds(cell: Cell) -> float:
            if self.played[cell.name]:
                return spent[cell.name] / self.played[cell.name]
            known = of_game.get(cell.game, every)
            return thought(cell) * sum(known) / len(known) if known else 1.0

        self.seconds = {cell.name: max(seconds(cell), 1e-6) for cell in whole.cells}

    def cells(self, statement: Statement) -> list[Cell]:
        """Those that have games left."""
        cells = (self.whole.cell(name) for name in sorted(statement.cells & self.allowed))
        return [cell for cell in cells if self.played[cell.name] < cell.games]

    def offer(self, verdict: Verdict) -> Offer | None:
        """None where nothing is open that more games can decide."""
        open_ones = [statement for statement in verdict.open if self.cells(statement)]
        if not open_ones:
            return None
        refuted = min((self.price(s, s.to_refute), n) for n, s in enumerate(open_ones))
        ways = [refuted]
        if len(open_ones) == len(verdict.open):
            confirmed = [(self.price(s, s.to_hold), n) for n, s in enumerate(open_ones)]
            finished = min((self.price(s, math.inf, to_the_end=True), n) for n, s in enumerate(open_ones))
            ways += [(sum(price for price, _ in confirmed), min(confirmed)[1]), finished]
        price, number = min(ways)
        return Offer(price, open_ones[number]) if price < math.inf else None

    def price(self, statement: Statement, more: float, *, to_the_end: bool = False) -> float:
        """Seconds until a comparison has had so many more games in each cell; infinite if the paper played fewer."""
        cells = self.cells(statement)
        fewest = min(self.played[cell.name] for cell in cells)
        total = 0.0
        for cell in cells:
            wanted = float(cell.games) if to_the_end else max(fewest + more, self.next_look(cell, fewest))
            if wanted > cell.games:
                return math.inf
            total += max(wanted - self.played[cell.name], 0) * self.seconds[cell.name]
        return total

    def next_look(self, cell: Cell, played: int) -> int:
        return next(look for look in looks_of(cell.games) if look > played)

    def up_to_next_look(self, statement: Statement) -> Schedule:
        cells = self.cells(statement)
        fewest = min(self.played[cell.name] for cell in cells)
        wanted = {cell.name: self.next_look(cell, fewest) for cell in cells}
        return shortened(self.whole, wanted)


def thought(cell: Cell) -> float:
    """What the players of a cell spend on a decision, added up, to which the cost of a game is taken to be in proportion."""
    players = [read_player(player) for player in cell.players]
    return sum(player.iterations or player.seconds or 0.0 for player in players) or 1.0


def shortened(schedule: Schedule, wanted: dict[str, int]) -> Schedule:
    """So many games of these cells, in whole deals, and none of the others."""

    def games(cell: Cell) -> int:
        chunk = len(cell.seatings)
        return min(math.ceil(wanted.get(cell.name, 0) / chunk) * chunk, cell.games)

    return Schedule(tuple(replace(cell, games=games(cell)) for cell in schedule.cells), schedule.seed)
