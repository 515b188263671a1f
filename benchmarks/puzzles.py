"""What algorithms for one player find, and how fast, beside what is known.

    python benchmarks/puzzles.py speed       # playouts beside plain C programs, classes under NRPA beside plain Python
    python benchmarks/puzzles.py classes     # the latter alone
    python benchmarks/puzzles.py exact       # nested search on left move beside exact values
    python benchmarks/puzzles.py morpion     # mean scores per level beside the published ones
    python benchmarks/puzzles.py samegame    # the twenty standard positions (--seconds for each, --algorithm, --runs)
    python benchmarks/puzzles.py sudoku      # 16 x 16: nested search beside iterative sampling
    python benchmarks/puzzles.py sailing     # the error of planners beside value iteration: docs/results/sailing.csv and .png

The two sides of a ratio take turns on one thread, and the best round of each counts.  Exit code 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from icarus.game import Game
from icarus.games.samegame import STANDARD
from icarus.python_game import python_game
from icarus.search import Search
from icarus.solving import Solver
from icarus.tools.bench import Ratio, table_of

sys.path.insert(0, str(Path(__file__).parents[1]))
ROUNDS = 7

# --- plain C programs: the same rules, playouts from the start, and nothing else ----------------------------------------

RANDOM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <time.h>
static uint64_t rng = 88172645463325252ull;
static inline uint64_t next(void) { rng ^= rng >> 12; rng ^= rng << 25; rng ^= rng >> 27; return rng * 0x2545F4914F6CDD1Dull; }
static inline int below(int n) { return (int)(((next() >> 32) * (uint64_t)n) >> 32); }
"""

MORPION = (
    RANDOM
    + """
#define W 40
static const int step[4] = {1, W, W + 1, 1 - W};
typedef struct { int start, dir, k; } Move;
typedef struct { int count, moves; unsigned char occupied[W * W], used[4][W * W]; Move open[400]; } Game;
static void try_line(Game *g, int s, int d) {
    int taken = 0, missing = 0;
    for (int k = 0; k < 5; k++) {
        int p = s + k * step[d];
        if (g->used[d][p]) return;
        if (g->occupied[p]) taken++; else missing = k;
    }
    if (taken == 4) { Move m = {s, d, missing}; g->open[g->count++] = m; }
}
static void start(Game *g) {
    static const char *cross[10] = {"...####...", "...#..#...", "...#..#...", "####..####", "#........#",
                                    "#........#", "####..####", "...#..#...", "...#..#...", "...####..."};
    memset(g, 0, sizeof *g);
    for (int y = 0; y < 10; y++) for (int x = 0; x < 10; x++)
        if (cross[y][x] == '#') g->occupied[W * (15 + y) + 15 + x] = 1;
    for (int y = 14; y < 26; y++) for (int x = 14; x < 26; x++) for (int d = 0; d < 4; d++) try_line(g, W * y + x, d);
}
static void play(Game *g, Move m) {
    int new = m.start + m.k * step[m.dir], kept = 0;
    g->occupied[new] = 1;
    for (int k = 0; k < 5; k++) g->used[m.dir][m.start + k * step[m.dir]] = 1;
    for (int i = 0; i < g->count; i++) {
        Move o = g->open[i];
        int fine = o.start + o.k * step[o.dir] != new;
        for (int k = 0; fine && k < 5; k++) if (g->used[o.dir][o.start + k * step[o.dir]]) fine = 0;
        if (fine) g->open[kept++] = o;
    }
    g->count = kept;
    for (int d = 0; d < 4; d++) for (int k = 0; k < 5; k++) try_line(g, new - k * step[d], d);
    g->moves++;
}
int main(int argc, char **argv) {
    static Game first, g;
    long playouts = atol(argv[1]), total = 0;
    start(&first);
    for (long i = 0; i < playouts; i++) {
        g = first;
        while (g.count) play(&g, g.open[below(g.count)]);
        total += g.moves;
    }
    printf("%f %f\\n", (double)total / playouts, (double)clock() / CLOCKS_PER_SEC);
}
"""
)

SAMEGAME = (
    RANDOM
    + """
static const char *rows = "ROWS";
typedef struct { int points, left, count; char board[15][16]; int open[120]; } Game;
static int flood(Game *g, int x, int y, char seen[15][16], int *cells) {
    int size = 0, at = 0; char c = g->board[x][y];
    cells[size++] = x * 16 + y; seen[x][y] = 1;
    while (at < size) {
        int cx = cells[at] / 16, cy = cells[at] % 16; at++;
        const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
        for (int i = 0; i < 4; i++) {
            int nx = cx + dx[i], ny = cy + dy[i];
            if (nx >= 0 && nx < 15 && ny >= 0 && ny < 15 && !seen[nx][ny] && g->board[nx][ny] == c) {
                seen[nx][ny] = 1; cells[size++] = nx * 16 + ny;
            }
        }
    }
    return size;
}
static void list(Game *g) {
    char seen[15][16]; int cells[225];
    memset(seen, 0, sizeof seen);
    g->count = 0;
    for (int x = 0; x < 15; x++) for (int y = 0; y < 15; y++)
        if (g->board[x][y] && !seen[x][y] && flood(g, x, y, seen, cells) > 1) g->open[g->count++] = x * 16 + y;
}
static void play(Game *g, int cell) {
    char seen[15][16]; int cells[225];
    memset(seen, 0, sizeof seen);
    int size = flood(g, cell / 16, cell % 16, seen, cells), into = 0;
    for (int i = 0; i < size; i++) g->board[cells[i] / 16][cells[i] % 16] = 0;
    g->points += (size - 2) * (size - 2); g->left -= size;
    for (int x = 0; x < 15; x++) {
        int top = 0;
        for (int y = 0; y < 15; y++) { char c = g->board[x][y]; g->board[x][y] = 0; if (c) g->board[into][top++] = c; }
        if (top) into++;
    }
    list(g);
}
int main(int argc, char **argv) {
    static Game first, g;
    long playouts = atol(argv[1]), total = 0;
    for (int y = 0; y < 15; y++) for (int x = 0; x < 15; x++) first.board[x][y] = rows[(14 - y) * 16 + x] - '0' + 1;
    first.left = 225; list(&first);
    for (long i = 0; i < playouts; i++) {
        g = first;
        while (g.count) play(&g, g.open[below(g.count)]);
        int score = g.points + (g.left ? 0 : 1000);
        for (int c = 1; c < 6 && g.left; c++) {
            int n = 0;
            for (int x = 0; x < 15; x++) for (int y = 0; y < 15; y++) n += g.board[x][y] == c;
            if (n) score -= (n - 2) * (n - 2);
        }
        total += score;
    }
    printf("%f %f\\n", (double)total / playouts, (double)clock() / CLOCKS_PER_SEC);
}
"""
)


def c_program(source: str, folder: Path) -> Path:
    """A program, compiled from a file that is gone afterwards."""
    file, program = folder / "playouts.c", folder / f"playouts-{abs(hash(source))}"
    file.write_text(source)
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(file)], check=True)
    file.unlink()
    return program


def take_turns(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> tuple[float, float]:
    """Each side says how many seconds of the processor it took; the best round of each counts."""
    took = [(ours(), theirs()) for _ in range(rounds)]
    return min(mine for mine, _ in took), min(other for _, other in took)


def timed(program: Path, playouts: int) -> Callable[[], float]:
    """What the program says of itself."""
    return lambda: float(subprocess.check_output([str(program), str(playouts)], text=True).split()[1])


def seconds_of(work: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        begun = time.process_time()
        work()
        return time.process_time() - begun

    return run


def playing(game: str, playouts: int) -> Callable[[], float]:
    search = Search(game, algorithm="nmcs(0)", seed=1)
    search.run(iterations=1)
    return seconds_of(lambda: search.run(iterations=playouts))


def speed() -> list[Ratio]:
    """Playouts per second beside C; classes under NRPA beside the same in plain Python."""
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for game, source, playouts in (
            ("morpion(5D)", MORPION, 20_000),
            ("samegame(1)", SAMEGAME.replace("ROWS", STANDARD[0]), 2_000),
        ):
            program = c_program(source, Path(folder))
            mine, other = take_turns(playing(game, playouts), timed(program, playouts), ROUNDS)
            ratios.append(Ratio.of_speeds(f"playouts, {game}", playouts / mine, "C, -O3", playouts / other, 0.8))
    return ratios + classes()


def classes() -> list[Ratio]:
    """Classes of about forty lines under NRPA beside the same search in plain Python: a tour, a shorter one, a schedule."""
    from examples.delivery_route import CUSTOMERS, Tour
    from examples.shift_schedule import Schedule

    class Short(Tour):
        """Five customers."""

        def clone(self) -> Tour:
            twin = super().clone()
            twin.__class__ = Short
            return twin

        def legal(self) -> list[str]:
            return [name for name in list(CUSTOMERS)[:5] if name not in self.visited]

        def terminal(self) -> bool:
            return len(self.visited) == 5

    ratios = []
    for cls, name in ((Tour, "a tour of 12"), (Short, "a tour of 5"), (Schedule, "a week of shifts")):
        game = python_game(cls)
        for level in (1, 2):
            runs = 20 if level == 1 else 1

            def ours(game: Game = game, level: int = level, runs: int = runs) -> None:
                Search(game, algorithm=f"nrpa({level})", seed=1).run(runs=runs)

            def plain(cls: type = cls, level: int = level, runs: int = runs) -> None:
                for seed in range(runs):
                    plain_nrpa(cls, level, {}, 100, random.Random(seed))

            mine, other = take_turns(seconds_of(ours), seconds_of(plain), ROUNDS)
            playouts = runs * 100**level
            ratios.append(Ratio.of_speeds(f"nrpa({level}), {name}", playouts / mine, "plain Python", playouts / other, 3.0))
    return ratios


def plain_nrpa(cls: type, level: int, policy: dict[object, float], n: int, rng: random.Random) -> tuple[float, list[object]]:
    """Nested rollout policy adaptation as one would write it down."""
    if level == 0:
        state, sequence = cls(), []
        while not state.terminal():
            legal = state.legal()
            weights = [math.exp(policy.get(state.code(action), 0.0)) for action in legal]
            action = rng.choices(legal, weights)[0]
            sequence.append(action)
            state.apply(action)
        return float(state.score()), sequence
    best, sequence = -math.inf, []
    for _ in range(n):
        score, found = plain_nrpa(cls, level - 1, dict(policy), n, rng)
        if score >= best:
            best, sequence = score, found
        new, state = dict(policy), cls()
        for action in sequence:
            codes = [state.code(other) for other in state.legal()]
            total = sum(math.exp(policy.get(code, 0.0)) for code in codes)
            for code in codes:
                new[code] = new.get(code, 0.0) - math.exp(policy.get(code, 0.0)) / total
            new[state.code(action)] += 1.0
            state.apply(action)
        policy = new
    return best, sequence


# --- what is found -----------------------------------------------------------------------------------------------------


def scores(game: str, algorithm: str, runs: int, seed: int = 1) -> list[float]:
    found: list[float] = []
    search = Search(game, algorithm=algorithm, seed=seed)
    while len(found) < runs:
        some = min(runs - len(found), 1000)
        search.run(runs=some)
        found += search.run_scores[-some:]
    return found


def compare(game: str, algorithm: str, runs: int, expected: float) -> bool:
    """One line: the mean with its error, what it should be, and how many errors lie between them."""
    begun = time.perf_counter()
    found = scores(game, algorithm, runs)
    mean, error = statistics.mean(found), statistics.stdev(found) / math.sqrt(runs)
    away = (mean - expected) / error
    seconds = time.perf_counter() - begun
    print(
        f"{game:14} {algorithm:9} {runs:6} runs {mean:7.3f} ± {error:.3f}  {expected:7.3f} {away:+5.1f} errors, {seconds:.0f} s",
        flush=True,
    )
    return abs(away) < 3


def exact() -> bool:
    """Levels 0 to 2 on left move of 60 steps, whose values follow by dynamic programming."""
    from tests.oracle.nested import left_move_means

    sys.setrecursionlimit(10_000)
    values = left_move_means(60)
    fits = [compare("left_move(60)", f"nmcs({level})", (20_000, 20_000, 1_000)[level], values[level]) for level in range(3)]
    return all(fits)


PUBLISHED = {
    "morpion(5D)": {"nmcs(0)": 42.9, "nmcs(1)": 61.0, "nmcs(2)": 65.7, "nrpa(1)": 60.1, "nrpa(2)": 67.3},
    "morpion(5T)": {"nmcs(0)": 53.7, "nmcs(1)": 84.4, "nmcs(2)": 103.0, "nrpa(1)": 79.8, "nrpa(2)": 103.0},
}
RUNS = {"nmcs(0)": 20_000, "nmcs(1)": 300, "nmcs(2)": 12, "nrpa(1)": 300, "nrpa(2)": 30}


def morpion() -> bool:
    fits = [compare(game, name, RUNS[name], value) for game, values in PUBLISHED.items() for name, value in values.items()]
    return all(fits)


SAMEGAME_LIMIT = {"nmcs(2, guided)": 65_937}  #: published for level 2 with memory


def samegame(algorithm: str, seconds: float | None, threads: int, runs: int, file: Path) -> bool:
    """The sum of the best of so many runs for each of the twenty positions, all positions once, then all once again, and so on.

    Without seconds a run is complete.  The file keeps every run, and a benchmark that was interrupted goes on behind them.
    """
    if not file.exists():
        file.write_text("algorithm,position,score,playouts,processor seconds,seed,limit\n")
    limit = "" if seconds is None else f"{seconds:g} s"
    with file.open(newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["algorithm"] == algorithm and row["limit"] == limit]
    made = {int(row["seed"]): (float(row["score"]), float(row["processor seconds"])) for row in rows}
    for seed in range(1, 20 * runs + 1):
        if seed in made:
            continue
        number, begun = (seed - 1) % 20 + 1, time.process_time()
        solver = Solver(f"samegame({number})", algorithm=algorithm, seed=seed, threads=threads)
        found = solver.run(seconds=seconds) if seconds else solver.run(runs=1)
        assert found.score is not None
        took = time.process_time() - begun
        made[seed] = found.score, took
        with file.open("a") as table:
            table.write(f'"{algorithm}",{number},{found.score:g},{found.playouts},{took:.1f},{seed},{limit}\n')
        print(f"samegame({number}), seed {seed}: {found.score:g}, {found.playouts:,} playouts, {took:.0f} s", flush=True)
    by_position = [[made[seed] for seed in range(number, 20 * runs + 1, 20)] for number in range(1, 21)]
    total = sum(max(score for score, _ in found) for found in by_position)
    spent = sum(took for found in by_position for _, took in found)
    print(f"{algorithm}: {total:g} in {spent:.0f} s of the processor")
    for turn in range(runs if runs > 1 else 0):
        print(f"  run {turn + 1} alone: {sum(found[turn][0] for found in by_position):g}")
    return total >= SAMEGAME_LIMIT.get(algorithm, 0)


def sudoku(grids: int, patience: float, clues: float) -> bool:
    """Processor seconds until 16 x 16 grids are solved: nested search of level 1 beside playouts alone (iterative sampling)."""
    from icarus.games.sudoku import NUMBERS, generated

    spent = {"nmcs(1)": 0.0, "nmcs(0)": 0.0}
    unsolved = dict.fromkeys(spent, 0)
    for seed in range(grids):
        grid = "".join("." if cell == 0 else NUMBERS[cell - 1] for cell in generated(4, seed, clues))
        for algorithm in spent:
            search = Search(f"sudoku(4, '{grid}')", algorithm=algorithm, seed=seed)
            begun = time.process_time()
            while (best := search.best_playout) is None or best[0] < 256:
                if time.process_time() - begun > patience:
                    unsolved[algorithm] += 1
                    break
                search.run(iterations=200)
            spent[algorithm] += time.process_time() - begun
        print(f"grid {seed}: " + ", ".join(f"{name} {seconds:.2f} s so far" for name, seconds in spent.items()), flush=True)
    ratio = spent["nmcs(0)"] / spent["nmcs(1)"]
    given_up = ", ".join(f"{name} {number}" for name, number in unsolved.items())
    print(f"iterative sampling takes at least {ratio:.1f} times as long (given up after {patience:g} s: {given_up})")
    return ratio >= 20


PLANNERS = ("uct", "sparse-uct(2)", "hop(20)", "fsss(8, 2)")


def sailing(n: int, seeds: int, budgets: list[int], folder: Path) -> None:
    """How much more than the best the first move of planners costs, over all winds, by value iteration; a table and a figure."""
    from icarus.loading import load
    from tests.oracle.sailing import leg_values, values

    game, known = load(f"sailing({n})"), values(n)
    starts = {}
    for seed in range(1000):  # the seed decides the first wind
        position = game.start(seed)
        starts.setdefault(int(game.named(position.state).wind), position)
    rows = []
    for algorithm in PLANNERS:
        errors: dict[int, list[float]] = {budget: [] for budget in budgets}
        for wind, position in sorted(starts.items()):
            costs = leg_values(n, (0, 0, wind, 0), known)
            for seed in range(seeds):
                search, done = Search(position, algorithm=algorithm, seed=seed), 0
                for budget in budgets:
                    result = search.run(iterations=budget - done)
                    done = budget
                    errors[budget].append(costs[result.best.action] - min(costs.values()))
        for budget in budgets:
            mean, spread = statistics.mean(errors[budget]), statistics.stdev(errors[budget])
            rows.append((algorithm, budget, len(errors[budget]), mean, spread / math.sqrt(len(errors[budget]))))
            print(f"{algorithm:14} {budget:7} iterations: {mean:.4f} ± {rows[-1][4]:.4f}", flush=True)
    write_sailing(rows, n, folder)


def write_sailing(rows: list[tuple[str, int, int, float, float]], n: int, folder: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = [
        "algorithm,iterations,searches,error,stderr",
        *(f'"{row[0]}",{row[1]},{row[2]},{row[3]:.5f},{row[4]:.5f}' for row in rows),
    ]
    (folder / "sailing.csv").write_text("\n".join(lines) + "\n")
    figure, axis = pyplot.subplots(figsize=(7, 4.2))
    for algorithm in PLANNERS:
        own = [row for row in rows if row[0] == algorithm]
        axis.errorbar([r[1] for r in own], [r[3] for r in own], yerr=[r[4] for r in own], marker="o", capsize=3, label=algorithm)
    axis.set(xscale="log", xlabel="iterations", ylabel="cost of the first leg above the best", title=f"sailing({n})")
    axis.legend()
    figure.tight_layout()
    figure.savefig(folder / "sailing.png", dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "classes", "exact", "morpion", "samegame", "sudoku", "sailing"))
    parser.add_argument("--algorithm", default="nmcs(2, guided)", help="of samegame")
    parser.add_argument("--seconds", type=float, default=None, help="for each position of samegame; else one run each")
    parser.add_argument("--runs", type=int, default=1, help="for each position of samegame, of which the best counts")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--grids", type=int, default=10, help="of sudoku")
    parser.add_argument("--patience", type=float, default=20.0, help="seconds for each grid")
    parser.add_argument("--clues", type=float, default=0.37, help="the share of cells that the grids of sudoku show")
    parser.add_argument("--size", type=int, default=5, help="of the lake")
    parser.add_argument("--seeds", type=int, default=20, help="searches for each wind of the lake")
    parser.add_argument("--budgets", default="50,150,500,1500,5000,15000", help="iterations of the planners")
    parser.add_argument(
        "--folder", type=Path, default=Path(__file__).parents[1] / "docs" / "results", help="of tables and figures"
    )
    options = parser.parse_args()
    passed = True
    if options.what in ("speed", "classes"):
        ratios = speed() if options.what == "speed" else classes()
        Console(highlight=False, width=None if sys.stdout.isatty() else 130).print(table_of(ratios))
        passed = all(ratio.passed for ratio in ratios)
    elif options.what == "samegame":
        passed = samegame(options.algorithm, options.seconds, options.threads, options.runs, options.folder / "samegame.csv")
    elif options.what == "sailing":
        sailing(options.size, options.seeds, [int(budget) for budget in options.budgets.split(",")], options.folder)
    elif options.what == "sudoku":
        passed = sudoku(options.grids, options.patience, options.clues)
    else:
        passed = exact() if options.what == "exact" else morpion()
    sys.exit(not passed)
