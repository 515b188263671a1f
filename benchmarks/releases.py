"""This version beside the last release, in turns: nothing may have become slower.

``python benchmarks/releases.py [--release COMMIT] [--only games|policies|sheets] [--keep FOLDER] [--json]``

The release is taken from git into a temporary folder (or one that is kept) and runs there, in a process and with a compile cache
of its own.
Both sides search the same positions with the same seeds; the best of several rounds in processor time counts.

What other policies and enhancements cost beside UCB1 is measured in the same run, in two ways.  The limits for it were set when
UCB1 was that of the release, so that is the yardstick.  Beside the UCB1 of this version the same policies look worse the faster
that becomes, although they became faster, too.  UCB1Tuned reaches the same limits there; on hex(11) with little to spare (0.96
on a quiet machine, 0.93 on a busy one), since UCB1 with c = 1/2, the bound of most of its arms, reaches no more than 0.965 to
0.975 of UCB1 with c = 0.7 itself.  Where a limit of the second kind is not that of the first, it is what was seen less a tenth,
so that a loss is noticed.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from icarus.tools.bench import Ratio, table_of

ROOT = Path(__file__).parents[1]
RELEASE = "3f12fbe"
LIMIT = 0.97
MIXTURE = "RAVE() >> (MAST() + NAST(2)) / 2"
#: game, strategy, iterations
Case = tuple[str, str, int]
CASES: list[Case] = [
    *((game, "-", 10_000) for game in ("othello", "breakthrough", "hex(11)", "connect_four", "tic_tac_toe")),
    *(
        (game, strategy, 4_000)
        for game in ("othello", "breakthrough")
        for strategy in ("Baseline() >> NAST(2)", "Baseline() >> MAST()", "RAVE()", MIXTURE, "GRAVE()")
    ),
    ("phantom(4,4,4)", "-", 10_000),
]
#: game, strategy, what it must reach of UCB1 in the release, and in this version
BESIDE_UCB1 = [
    ("othello", "Baseline(policy=UCB1Tuned())", 0.93, 0.93),
    ("hex(11)", "Baseline(policy=UCB1Tuned())", 0.95, 0.95),
    ("connect_four", "Baseline(policy=UCB1Tuned())", 0.6, 0.6),
    ("othello", "Baseline() >> NAST(2)", 0.45, 0.45),
]
SHEETS = (
    "battle", "breakthrough", "checkers", "chinese_checkers_3p", "chinook", "connect_five", "knightthrough", "othello", "quad",
    "sheep_and_wolf", "skirmish", "tic_tac_toe_3d", "ttcc4_2p", "ttcc4_3p", "zhadu",
)  # fmt: skip

#: runs in either version: reads a case per line, answers with processor seconds and visits of the root
WORKER = """
import json, sys, time
try:
    from icarus.tools.bench import first_decision
except ImportError:  # a release before there were tools
    from icarus.bench import first_decision
from icarus.search import Search, default_lanes
for line in sys.stdin:
    game, strategy, iterations = json.loads(line)
    position = first_decision(game)
    search = Search(position, strategy=strategy, seed=1, lanes=default_lanes(position.game, iterations))
    begun = time.process_time()
    result = search.run(iterations=iterations)
    seconds = time.process_time() - begun
    print(json.dumps([seconds, {row.label: row.visits for row in result.root}]), flush=True)
"""


class Version:
    """A process that searches with the sources of one version."""

    def __init__(self, sources: Path, cache: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(sources), "ICARUS_CACHE": str(cache)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def search(self, case: Case) -> tuple[float, dict[str, int]]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the search of {case} ended without an answer")
        seconds, visits = json.loads(answer)
        return seconds, visits

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@contextmanager
def versions(release: str, keep: Path | None) -> Iterator[tuple[Version, Version]]:
    """The working tree and the release, whose sources are put beside the compile caches of both."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if keep is None else keep.resolve()
        old = folder / release
        if not old.exists():
            packed = subprocess.run(["git", "archive", release, "src"], cwd=ROOT, check=True, capture_output=True).stdout
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(old, filter="data")
        pair = Version(ROOT / "src", folder / "new-cache"), Version(old / "src", folder / "old-cache")
        yield pair
        for version in pair:
            version.close()


def compare(
    first: Version, case: tuple[str, str, int], second: Version, other: tuple[str, str, int], rounds: int
) -> tuple[float, float]:
    """Iterations per second of both, the best round of each; they take turns."""
    best = [math.inf, math.inf]
    for _ in range(rounds):
        for side, (version, what) in enumerate(((first, case), (second, other))):
            best[side] = min(best[side], version.search(what)[0])
    return case[2] / best[0], other[2] / best[1]


def compare_games(new: Version, old: Version, release: str, rounds: int) -> Iterator[Ratio]:
    """The same searches in both versions."""
    for case in CASES:
        ours, theirs = compare(new, case, old, case, rounds)
        yield Ratio.of_speeds(f"{case[0]} {case[1]}", ours, release, theirs, LIMIT)


def compare_policies(new: Version, old: Version, release: str, rounds: int) -> Iterator[Ratio]:
    """Other policies and enhancements beside UCB1, of either version."""
    for game, strategy, *limits in BESIDE_UCB1:
        for version, name, limit in zip((old, new), (release, "this version"), limits, strict=True):
            ours, theirs = compare(new, (game, strategy, 10_000), version, (game, "-", 10_000), rounds)
            yield Ratio.of_speeds(f"{game} {strategy}", ours, f"UCB1 of {name}", theirs, limit)


def compare_sheets(new: Version, old: Version, release: str, rounds: int) -> Iterator[Ratio]:
    """Rule sheets: each by itself for information, and the geometric mean of all, which has a limit."""
    for strategy in ("-", "GRAVE()"):
        logs = []
        for name in SHEETS:
            case = (f"gdl:{name}", strategy, 10_000)
            ours, theirs = compare(new, case, old, case, rounds)
            logs.append(math.log(ours / theirs))
            yield Ratio.of_speeds(f"gdl:{name} {strategy}", ours, release, theirs, None)
        mean = math.exp(sum(logs) / len(logs))
        yield Ratio.of_speeds(f"rule sheets {strategy}, geometric mean", mean, release, 1.0, LIMIT)


PARTS = {"games": compare_games, "policies": compare_policies, "sheets": compare_sheets}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", default=RELEASE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=PARTS, help="one part; all three take about a quarter of an hour")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="for the release and compiled code: the next run does not wait"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[Ratio] = []
    with versions(options.release, options.keep) as (new, old):
        for name, part in PARTS.items():
            if options.only in (None, name):
                for row in part(new, old, options.release, options.rounds):
                    print(f"{row.name} beside {row.beside}: {row.ratio:.2f}", file=sys.stderr, flush=True)
                    rows.append(row)
    if options.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    else:
        Console().print(table_of(rows))
    sys.exit(int(any(row.passed is False for row in rows)))


if __name__ == "__main__":
    main()
