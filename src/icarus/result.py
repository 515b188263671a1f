"""What a search found, for people, programs and notebooks."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions
from rich.table import Table as RichTable
from rich.text import Text

from icarus.markup import Bar, html_table

if TYPE_CHECKING:
    from icarus.belief import Worth


@dataclass(frozen=True)
class Progress:
    """How far a running search is; ``share`` runs from 0 to 1."""

    iterations: int
    seconds: float
    target_iterations: int | None
    target_seconds: float | None

    @property
    def share(self) -> float:
        shares = [0.0]
        if self.target_iterations:
            shares.append(self.iterations / self.target_iterations)
        if self.target_seconds:
            shares.append(self.seconds / self.target_seconds)
        return min(max(shares), 1.0)


@dataclass(frozen=True)
class RootAction:
    """One action at the root: how often it was chosen and available, and the mean reward of every player."""

    action: int
    label: str
    visits: int
    availability: int
    mean: list[float]
    #: ``win``, ``draw`` or ``loss`` for the player who acts at the root, if that is proven, and in how many plies from the root
    proven: str | None = None
    proven_in: int | None = None
    #: the least and the most that this player gets, as far as is proven (None: nothing looked for proofs)
    bounds: list[float] | None = None

    @property
    def cells(self) -> list[str]:
        """What a table says of it: label, visits, and the mean of every player."""
        return [self.label, f"{self.visits:,}", *(f"{mean:.3f}" for mean in self.mean)]

    @property
    def verdict(self) -> str:
        """What is proven, in a few words; empty if nothing is."""
        if self.proven:
            return self.proven + (f" in {self.proven_in}" if self.proven_in is not None and self.proven != "draw" else "")
        if self.bounds is None or self.bounds == [0.0, 1.0]:
            return ""
        return f"{self.bounds[0]:.3g} to {self.bounds[1]:.3g}"

    def _repr_html_(self) -> str:
        head = ("move", "visits", *(f"player {number}" for number in range(1, len(self.mean) + 1)))
        return html_table("", head, [self.cells])


def best_proven(rows: list[RootAction]) -> tuple[RootAction, list[RootAction]]:
    """The move that is proven to be worth most, and those that may be worth more, of which the statistics tell.

    A win is the sooner the better; what is lost should last.
    """

    def worth(row: RootAction) -> tuple[float, float, int]:
        lower, upper = row.bounds or (0.0, 1.0)
        length = row.proven_in or 0
        return lower, -length if lower == 1.0 else length if upper == 0.0 else 0, row.visits

    sure = max(rows, key=worth)
    least = sure.bounds[0] if sure.bounds else 0.0
    return sure, [row for row in rows if row.bounds is None or row.bounds[1] > least]


@dataclass(frozen=True, repr=False)
class SearchResult:
    """A decision and everything behind it.  ``root`` is sorted by visits."""

    game: str
    algorithm: str
    strategy: str
    seed: int
    player: int
    players: list[str]
    iterations: int
    total_iterations: int
    seconds: float
    iterations_per_second: float
    records: int
    bytes: int
    tree_depth: int
    mean_depth: float
    #: share of the time of each phase (measured with one lane)
    phases: dict[str, float]
    #: share of the previous root's visits that was still of use
    kept: float
    stopped_by: str
    threads: int
    final: str
    root: list[RootAction]
    best: RootAction
    principal_variation: list[str]
    #: determinizations for which nothing was found that agrees with what the player has seen
    unexplained: int = 0
    #: how far the belief can be trusted that determinizations come from (None: they are uniform)
    belief: Worth | None = None
    #: of the position, for the player who acts: as in :class:`RootAction`
    proven: str | None = None
    proven_in: int | None = None
    bounds: list[float] | None = None
    #: of a game with a score: the best playout that any iteration has seen, in the game's own units, from the root to the end
    best_score: float | None = None
    best_line: list[str] = field(default_factory=list)
    best_actions: list[int] = field(default_factory=list)
    #: of an adaptive strategy: for each player the setting that was best, and the share of iterations that each was used for
    adapted: list[dict[str, Any]] | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.as_dict(), indent=indent)

    def _facts(self) -> list[str]:
        facts = [
            f"{self.iterations:,} iterations in {self.seconds:.3g} s ({self.iterations_per_second:,.0f}/s)",
            f"{self.records:,} records, {self.bytes / 2**20:.1f} MiB, depth {self.tree_depth}",
        ]
        if any(self.phases.values()):
            facts.append(", ".join(f"{name} {share:.0%}" for name, share in self.phases.items() if share >= 0.005))
        if self.belief is not None:
            facts.append(f"belief: {self.belief}")
        if self.kept:
            facts.append(f"{self.kept:.0%} of the previous search kept")
        if len(self.principal_variation) > 1:
            facts.append("expected: " + " ".join(self.principal_variation))
        if self.best_score is not None:
            facts.append(f"best playout: {self.best_score:g} by {' '.join(self.best_line)}")
        for one in self.adapted or ():
            best, share = one["best"], one["shares"][one["best"]]
            facts.append(f"adapted for {self.players[one['player']]}: {best} ({share:.0%} of the iterations)")
        if self.proof:
            facts.insert(0, self.proof)
        if self.unexplained:
            facts.append(self.caution)
        return facts

    @property
    def proof(self) -> str:
        """What is proven of the position, in a few words; empty if nothing is."""
        if self.proven:
            length = f", in {self.proven_in}" if self.proven_in is not None and self.proven != "draw" else ""
            return f"proven {self.proven}{length}"
        if self.stopped_by == "proven" and self.bounds:
            return f"proven value {sum(self.bounds) / 2:.4g}"
        return ""

    @property
    def caution(self) -> str:
        """Why the statistics are to be doubted, if they are."""
        if not self.unexplained:
            return ""
        return (
            f"in {self.unexplained:,} determinizations the budget yielded no sequence of moves that agrees with what "
            f"{self.players[self.player]} has seen: those iterations rest on positions that cannot be"
        )

    @property
    def title(self) -> str:
        how = f"{self.algorithm}, {self.strategy}, seed {self.seed}"
        return f"{self.game}: {self.players[self.player]} plays {self.best.label}  [{how}]"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        most = max((row.visits for row in self.root), default=1) or 1
        table = RichTable(title=Text(self.title), title_justify="left", caption="\n".join(self._facts()), caption_justify="left")
        table.add_column("move", no_wrap=True)
        table.add_column("visits", justify="right")
        table.add_column("")
        if any(row.availability != self.root[0].availability for row in self.root):
            table.add_column("available", justify="right")
        for name in self.players:
            table.add_column(name, justify="right")
        if any(row.verdict for row in self.root):
            table.add_column("proven")
        shown = self.root[:20]
        for row in shown:
            bar = "█" * round(16 * row.visits / most)
            available = [f"{row.availability:,}"] if any(column.header == "available" for column in table.columns) else []
            style = "bold" if row.action == self.best.action else ""
            means = (f"{m:.3f}" for m in row.mean)
            verdict = [row.verdict] if any(column.header == "proven" for column in table.columns) else []
            table.add_row(row.label, f"{row.visits:,}", bar, *available, *means, *verdict, style=style)
        if len(self.root) > len(shown):
            table.add_row(f"… {len(self.root) - len(shown)} more")
        yield table

    def _repr_html_(self) -> str:
        most = max((row.visits for row in self.root), default=1) or 1
        shown = self.root[:20]
        proven = ("proven",) if any(row.verdict for row in self.root) else ()
        rows: list[list[str | Bar]] = [
            [*row.cells[:2], Bar(row.visits / most), *row.cells[2:], *(row.verdict for _ in proven)] for row in shown
        ]
        bold = next((number for number, row in enumerate(shown) if row.action == self.best.action), None)
        table = html_table(self.title, ("move", "visits", "", *self.players, *proven), rows, bold)
        facts = "<br>".join(html.escape(fact) for fact in self._facts())
        return f"{table}<p>{facts}</p>"

    def __repr__(self) -> str:
        return f"<SearchResult {self.title}, {self.iterations:,} iterations in {self.seconds:.3g} s>"
