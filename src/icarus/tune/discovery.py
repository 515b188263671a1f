"""What a search for new strategies found, whether it holds, and the report that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Result:
    """One comparison on one test game."""

    game: str
    what: str
    score: float
    low: float
    high: float
    games: int
    p: float
    adjusted: float = 1.0

    def as_dict(self) -> dict[str, Any]:
        return dict(self.__dict__)


@dataclass(frozen=True)
class Discovery:
    """What was found, and whether it holds."""

    discovered: str
    published: str
    train: list[str]
    test: list[str]
    at: str
    training_deals: int
    results: list[Result]
    ablation: list[Result]
    seed: int
    total_games: int

    @property
    def better(self) -> list[str]:
        """Test games on which the discovered strategy is better, after Holm's correction."""
        return [r.game for r in self.results if r.adjusted < 0.05 and r.score > 0.5]

    @property
    def worse(self) -> list[str]:
        return [r.game for r in self.results if r.adjusted < 0.05 and r.score < 0.5]

    @property
    def verdict(self) -> str:
        if self.better and not self.worse:
            return f"{self.discovered} beats {self.published} on {', '.join(self.better)} (of {len(self.test)} unseen games)"
        if self.better:
            return f"mixed: better on {', '.join(self.better)}, worse on {', '.join(self.worse)} than {self.published}"
        if self.worse:
            return f"nothing was found: {self.discovered} is worse than {self.published} on {', '.join(self.worse)}"
        return f"nothing was found: no unseen game shows a difference between {self.discovered} and {self.published}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "discovered": self.discovered,
            "published": self.published,
            "verdict": self.verdict,
            "better": self.better,
            "worse": self.worse,
            "train": self.train,
            "test": self.test,
            "at": self.at,
            "training_deals": self.training_deals,
            "results": [result.as_dict() for result in self.results],
            "ablation": [result.as_dict() for result in self.ablation],
            "seed": self.seed,
            "total_games": self.total_games,
        }


def report(found: Discovery) -> str:
    """What was found, as Markdown."""

    def table(results: list[Result]) -> list[str]:
        lines = [
            "| game | what | score | 95 % interval | games | p | p after Holm |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        for r in results:
            interval = f"{100 * r.low:.1f} – {100 * r.high:.1f}"
            lines.append(
                f"| {r.game} | {r.what} | {100 * r.score:.1f} % | {interval} | {r.games:,} | {r.p:.3g} | {r.adjusted:.3g} |"
            )
        return lines

    lines = [
        "# Discovery",
        "",
        found.verdict + ".",
        "",
        f"- discovered: `{found.discovered}`",
        f"- best published on the training games: `{found.published}`",
        f"- trained on {', '.join(found.train)}: {found.training_deals:,} evaluations for each of the two",
        f"- budget of a decision: {found.at}",
        f"- seed {found.seed}, {found.total_games:,} games in all",
        "",
        "## Test on games that the search has not seen",
        "",
        *table(found.results),
        "",
        "## Ablation",
        "",
        *table(found.ablation),
        "",
    ]
    return "\n".join(lines)
