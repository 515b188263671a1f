"""The survey's methods, each in a game where it was shown: matches at equal iterations and at equal time, with intervals.

    python benchmarks/catalogue.py [--games 200] [--only TEXT] [--speeds] [--write docs/results]

Half of the games on each side, the same random numbers in every run.  *Equal time*: both searches are timed at the start
position, and the faster one gets as many more iterations in every move: the games do not depend on what else the machine does.
``--speeds`` does nothing but time them (on a quiet machine, about two minutes) and keeps ``catalogue-speeds.csv``, which a
later run goes by.  ``--write`` keeps ``catalogue.csv`` there, a line as soon as its match is over (what is there is not played
again), and ``catalogue.md``, the table.  Matches at equal iterations come first.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from icarus.arena.match import outcome
from icarus.arena.runner import run, warm
from icarus.arena.schedule import match_schedule
from icarus.arena.statistics import clopper_pearson
from icarus.tools.bench import first_decision, searching, take_turns

UCT = "-"
CADIA = "RAVE(k=250, c=0.2, formula='cadia')"


@dataclass(frozen=True)
class Match:
    """A method against another one: strategies of UCT, or an algorithm, such as ``uct(solve)``."""

    section: str
    method: str
    against: str
    game: str
    iterations: int = 500
    #: what was published, as the score of the method in per cent; "+", "=" or "-" where only the direction was
    published: str = ""
    #: of the games, where each takes long
    share: float = 1.0

    @property
    def sides(self) -> tuple[str, str, str]:
        """What the relative speed depends on."""
        return self.method, self.against, self.game


PAGE = """# The survey's methods, measured

Each method in a game where it was shown (or a smaller one of its kind), against the method that it is to improve: the score of
the method in per cent, with its 95 % interval, and the iterations of both. Bold: the interval leaves out one half. *Speed* is the
method's iterations per second as a multiple of the other's, at the start position. Parameters are those that are written; they
were not tuned. The published numbers are from other programs, budgets and boards. `-` is UCT with c = 0.7.

    python benchmarks/catalogue.py --speeds --write docs/results
    python benchmarks/catalogue.py --games 200 --write docs/results

Speeds were timed on an idle machine: the two sides took turns, and the best round of each, in processor time, counted. A match
depends on the machine by them alone.

What follows from it is in [which method for what](../which-method.md). A match that is not in the table has not been
played yet.

"""

MATCHES = (
    # policies
    Match("V-A1 UCB1-Tuned", "Baseline(policy=UCB1Tuned())", UCT, "connect_four", 1000, "+"),
    Match("V-A1 UCB1-Tuned", "Baseline(policy=UCB1Tuned())", UCT, "othello", 500, "+", share=0.5),
    Match("V-A2 Bayesian UCT 1", "Baseline(policy=BayesianUCT(c=0.7, by_deviation=False))", UCT, "connect_four", 1000, "+"),
    Match("V-A2 Bayesian UCT 2", "Baseline(policy=BayesianUCT())", UCT, "connect_four", 1000, "+"),
    Match("V-A2 Bayesian UCT 2", "Baseline(policy=BayesianUCT())", UCT, "breakthrough(6,6)", 500, "+"),
    Match("V-A5 UCB-V", "Baseline(policy=UCBV(zeta=0.2, c=1))", UCT, "connect_four", 1000),
    Match("V-A5 UCB(alpha)", "Baseline(policy=UCBAlpha(alpha=2))", UCT, "connect_four", 1000),
    Match("V-A5 Gaussian UCB", "Baseline(policy=GaussianUCB(c=1, least=1))", UCT, "connect_four", 1000),
    Match("V-A5 Thompson sampling", "Baseline(policy=Thompson())", UCT, "connect_four", 1000),
    Match("V-A5 epsilon-greedy", "Baseline(policy=EpsilonGreedy(0.1))", UCT, "connect_four", 1000),
    Match("V-B1 first play urgency", "Baseline(policy=FirstPlayUrgency(urgency=1.1))", UCT, "breakthrough(6,6)", 500, "+"),
    Match("V-B1 first play urgency", "Baseline(policy=FirstPlayUrgency(urgency=0.6))", UCT, "hex(7)", 500, "+", share=0.5),
    # moves
    Match("V-B2 decisive moves", "Decisive(Baseline(), anti=False)", UCT, "connect_four", 500, "+"),
    Match("V-B2 and anti-decisive moves", "Decisive(Baseline())", UCT, "connect_four", 500, "+", share=0.5),
    Match("V-B2 decisive moves", "Decisive(Baseline(), anti=False)", UCT, "havannah(4)", 200, "+", share=0.5),
    Match("V-B5 progressive bias", "ProgressiveBias(w=1)", UCT, "breakthrough(6,6)", 500, "+"),
    Match("V-B8 virtual wins", "Baseline(prior=HeuristicPrior(10))", UCT, "breakthrough(6,6)", 500, "+"),
    Match(
        "V-B8 virtual wins, no leaf",
        "Baseline(leaf=ExpandAfter(1), prior=HeuristicPrior(10))",
        UCT,
        "breakthrough(6,6)",
        500,
    ),
    Match("V-B8 fading seed", "FadingSeed(k=20)", UCT, "breakthrough(6,6)", 500, "+"),
    Match("V-B10 grandfather", "Baseline(prior=Grandfather(10))", UCT, "hex(7)", 500, "+", share=0.5),
    Match("V-B10 grandfather", "Baseline(prior=Grandfather(10))", UCT, "breakthrough(6,6)", 500, "+"),
    Match("V-E1 progressive widening", "ProgressiveWidening()", UCT, "breakthrough(6,6)", 500, "+"),
    Match("V-E1 widening", "Baseline(policy=Widening(k=3, alpha=0.4))", UCT, "breakthrough(6,6)", 500),
    Match("V-E1 widening", "Baseline(policy=Widening(k=3, alpha=0.4))", UCT, "go(7)", 500, "+", share=0.4),
    Match("V-F node after 5 visits", "Baseline(leaf=ExpandAfter(5))", UCT, "connect_four", 1000, "="),
    # backup, playouts
    Match("VI-B1 weighting by length", "Baseline(backup=Weighted(weight=2, plies=12))", UCT, "connect_four", 1000, "+"),
    Match("VI-B2 score bonus", "Baseline(backup=ScoreBonus(bonus=0.1))", UCT, "sum_of_switches(20)", 500, "="),
    Match("VI-B2 score bonus", "Baseline(backup=ScoreBonus(bonus=0.1))", UCT, "othello", 500, share=0.5),
    Match("VI-B3 decaying reward", "Baseline(backup=Decaying(gamma=0.99))", UCT, "connect_four", 1000, "+"),
    Match("VI-C1 8 playouts per leaf", "Baseline() >> Playouts(8)", UCT, "mancala", 100, "- per playout"),
    # proofs
    Match("V-D1 MCTS-Solver", "uct(solve)", UCT, "lines_of_action", 500, "65", share=0.5),
    Match("V-D1 MCTS-Solver", "uct(solve)", UCT, "breakthrough(6,6)", 500, "+"),
    # AMAF
    Match("V-C5 RAVE", CADIA, UCT, "atarigo(7)", 500, "94", share=0.5),
    Match("V-C5 RAVE", CADIA, UCT, "go(7)", 500, "73 (9 x 9)", share=0.5),
    Match("V-C5 RAVE", CADIA, UCT, "go(9)", 500, "73", share=0.5),
    Match("V-C5 RAVE", CADIA, UCT, "domineering(8,8)", 1000, "73", share=0.5),
    Match("V-C5 GRAVE", "GRAVE()", CADIA, "atarigo(7)", 500, "88", share=0.5),
    Match("V-C5 GRAVE", "GRAVE()", CADIA, "domineering(8,8)", 1000, "62", share=0.5),
    Match("V-C7 RAVE", CADIA, UCT, "sum_of_switches(20)", 500, "+"),
    Match("V-C7 RAVE-max", "RAVEMax()", CADIA, "sum_of_switches(20)", 500, "+ where RAVE fails"),
    Match("V-C2 alpha-AMAF", "AlphaAMAF(alpha=0.5, c=0.2)", UCT, "go(7)", 500, "+", share=0.5),
    Match("V-C8 PoolRAVE", "PoolRAVE()", "GRAVE()", "go(7)", 500, "63 over RAVE", share=0.5),
    Match("V-C8 PoolRAVE", "PoolRAVE()", "GRAVE()", "havannah(4)", 500, "+", share=0.4),
    Match("V-C8 PoolRAVE", "PoolRAVE()", CADIA, "go(7)", 500, "63", share=0.5),
    Match(
        "V-C1 permutation AMAF",
        "PermutationAMAF(nodes=64, alpha=0.5, c=0.2)",
        "AlphaAMAF(alpha=0.5, c=0.2)",
        "go(7)",
        500,
        share=0.4,
    ),
    Match(
        "V-C1 permutation AMAF",
        "PermutationAMAF(nodes=64, alpha=0.5, c=0.2)",
        "AlphaAMAF(alpha=0.5, c=0.2)",
        "hex(7)",
        500,
        share=0.5,
    ),
    Match("V-D3 bias by bounds", "uct(solve, gamma=0.2, delta=0.2)", "uct(solve)", "lines_of_action", 500, share=0.4),
    Match("V-C5 minimum MSE", "MSERAVE()", CADIA, "go(7)", 500, share=0.4),
    Match("V-C5 the survey's weight", "SurveyRAVE()", CADIA, "go(7)", 500, share=0.4),
    Match("V-C7 RAVE-max", "RAVEMax()", CADIA, "go(7)", 500, "=", share=0.4),
    Match(
        "V-C3 some-first AMAF",
        "SomeFirstAMAF(m=20, alpha=0.5, c=0.2)",
        "AlphaAMAF(alpha=0.5, c=0.2)",
        "go(7)",
        500,
        "+",
        share=0.4,
    ),
    Match("V-C4 cutoff AMAF", "CutoffAMAF(k=250, alpha=0.5, c=0.2)", UCT, "go(7)", 500, "+", share=0.4),
)


@dataclass(frozen=True)
class Row:
    """What came out."""

    section: str
    method: str
    against: str
    game: str
    budget: str
    iterations: int
    other_iterations: int
    games: int
    points: float
    speed: float
    rate: float
    low: float
    high: float
    published: str


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    reader.add_argument("--games", type=int, default=200)
    reader.add_argument("--only", default="")
    reader.add_argument("--write", type=Path)
    reader.add_argument("--speeds", action="store_true", help="time both sides of every match, and do nothing else")
    given = reader.parse_args()
    file = given.write / "catalogue.csv" if given.write else None
    rows = read_rows(file) if file and file.exists() else []
    done = {(row.section, row.method, row.against, row.game, row.budget) for row in rows}
    speeds = read_speeds(given.write)
    chosen = [match for match in MATCHES if given.only in f"{match.section} {match.method} {match.game}"]
    if given.speeds:
        for match in chosen:
            speeds[match.sides] = relative_speed(match)
            print(f"{match.section:28}{match.game:18} x {speeds[match.sides]:.2f}", flush=True)
            if given.write:
                write_speeds(given.write, speeds)
        return
    for budget in ("iterations", "time"):
        for match in chosen:
            if (match.section, *match.sides, budget) in done:
                continue
            relative = speeds.get(match.sides) or relative_speed(match)
            row = played(match, budget, max(round(given.games * match.share / 2), 1) * 2, relative)
            print(
                f"{row.section:28}{row.game:18}equal {budget:11}{row.iterations:5} : {row.other_iterations:5}"
                f"  {row.rate:6.1%}  [{row.low:.1%}, {row.high:.1%}]  speed x {row.speed}  published {row.published or '-'}",
                flush=True,
            )
            rows.append(row)
            if file:
                write_rows(file, rows)


def played(match: Match, budget: str, games: int, relative: float) -> Row:
    """The match, half of the games on each side; ``relative``: the speed of the method beside the other's."""
    own = other = match.iterations
    if budget == "time":  # the slower of the two has the iterations of the match
        own, other = round(own * max(relative, 1.0)), round(other * max(1 / relative, 1.0))
    players = [f"{player(match.method)}@{own}", f"{player(match.against)}@{other}"]
    schedule = match_schedule(match.game, players, games, seed=1)
    warm(schedule)
    cell = schedule.cells[0]
    points = sum(outcome(cell, record, 0) for record in run(schedule, jobs=1).records)
    low, high = clopper_pearson(points, games)
    return Row(
        match.section, match.method, match.against, match.game, budget, own, other, games, points,
        round(relative, 2), round(points / games, 4), round(low, 4), round(high, 4), match.published,
    )  # fmt: skip


def player(method: str) -> str:
    """A method as the arena names a player, without its budget."""
    return method if method.startswith("uct(") else f"uct[{method}]"


def relative_speed(match: Match) -> float:
    """Iterations per second at the start, as a multiple of the other side's: the two take turns, and the best round counts."""
    position, sides = first_decision(match.game), []
    for method in (match.method, match.against):
        algorithm, strategy = (method, "-") if method.startswith("uct(") else ("uct", method)
        sides.append(searching(position, 500, algorithm=algorithm, strategy=strategy))
    own, other = take_turns(sides[0], sides[1], rounds=8)
    return other / own


def read_speeds(folder: Path | None) -> dict[tuple[str, str, str], float]:
    """What ``--speeds`` has kept there."""
    file = folder / "catalogue-speeds.csv" if folder else None
    if file is None or not file.exists():
        return {}
    with file.open(newline="") as lines:
        return {(method, against, game): float(speed) for method, against, game, speed in csv.reader(lines)}


def write_speeds(folder: Path, speeds: dict[tuple[str, str, str], float]) -> None:
    with (folder / "catalogue-speeds.csv").open("w", newline="") as lines:
        csv.writer(lines).writerows((*sides, round(speed, 4)) for sides, speed in speeds.items())


def read_rows(file: Path) -> list[Row]:
    kinds = {item.name: item.type for item in fields(Row)}
    read = {"int": int, "float": float, "str": str}
    with file.open(newline="") as lines:
        return [Row(**{name: read[str(kinds[name])](value) for name, value in line.items()}) for line in csv.DictReader(lines)]


def write_rows(file: Path, rows: list[Row]) -> None:
    """The numbers, and the table that people read."""
    with file.open("w", newline="") as lines:
        writer = csv.DictWriter(lines, [item.name for item in fields(Row)])
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
    found: dict[tuple[str, ...], dict[str, Row]] = {(match.section, *match.sides): {} for match in MATCHES}
    for row in rows:
        found.setdefault((row.section, row.method, row.against, row.game), {})[row.budget] = row
    lines = ["| method | against | game | equal iterations | equal time | speed | published |", "| --- " * 7 + "|"]
    for (section, method, _, game), pair in found.items():
        if not pair:
            continue
        any_ = pair.get("time") or next(iter(pair.values()))  # the speed that the iterations of both rest on
        cells = [cell(pair.get(budget)) for budget in ("iterations", "time")]
        told = [f"{section}: `{method}`", f"`{any_.against}`", game, *cells, f"× {any_.speed}", any_.published or "–"]
        lines.append(f"| {' | '.join(told)} |")
    (file.parent / "catalogue.md").write_text(PAGE + "\n".join(lines) + "\n")


def cell(row: Row | None) -> str:
    """Score, interval and iterations of both; bold where the interval leaves out one half."""
    if row is None:
        return ""
    score = f"{row.rate:.0%}" if row.low <= 0.5 <= row.high else f"**{row.rate:.0%}**"
    return f"{score} [{row.low:.0%}, {row.high:.0%}], {row.iterations} : {row.other_iterations}"


if __name__ == "__main__":
    main()
