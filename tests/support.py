"""What several tests share: statistical checks whose false alarms are rarer than one in a million."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path

from scipy.stats import chi2

from icarus.arena.store import Store
from icarus.errors import IcarusError
from icarus.game import Position, play_randomly
from icarus.jit.randomness import seeded
from icarus.loading import load

FALSE_ALARM = 1e-6


def assert_distribution(samples: Iterable[Hashable], expected: dict[Hashable, float]) -> None:
    """The samples follow these probabilities (chi-square), and nothing else ever appears."""
    counts = Counter(samples)
    strangers = set(counts) - set(expected)
    assert not strangers, f"impossible outcomes were drawn: {list(strangers)[:3]}"
    total = sum(counts.values())
    assert total * min(expected.values()) >= 5, "draw more samples: the rarest outcome is expected fewer than 5 times"
    statistic = sum((counts[k] - total * p) ** 2 / (total * p) for k, p in expected.items())
    bound = chi2.isf(FALSE_ALARM, max(len(expected) - 1, 1))
    assert statistic < bound, f"chi-square {statistic:.1f} exceeds {bound:.1f} over {len(expected)} outcomes"


def assert_uniform(samples: Iterable[Hashable], support: Sequence[Hashable]) -> None:
    """The samples are uniform over exactly this support."""
    distinct = set(support)
    assert_distribution(samples, dict.fromkeys(distinct, 1 / len(distinct)))


def determinizations(position: Position, observer: int, number: int, seed: int = 0) -> list[bytes]:
    """The states (as bytes) of many determinizations of one position."""
    rng = seeded(seed, stream=2)
    return [position.determinize(observer, rng).state.tobytes() for _ in range(number)]


#: a whole game in a user's file: take one or two of five matches, whoever takes the last wins
def kill_after(code: str, folder: Path, games: int) -> int:
    """Run code in a process that stores games in a folder, kill it outright (SIGKILL) after so many; how many there are then."""
    process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with Store.read(folder) as store:
                if store.count() >= games:
                    break
        except IcarusError:
            time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with Store.read(folder) as store:
        return store.count()


NIM = """
class Nim:
    players = 2
    def __init__(self): self.matches, self.turn = 5, 0
    def player(self): return self.turn
    def legal(self): return [n for n in (1, 2) if n <= self.matches]
    def apply(self, taken):
        self.matches -= taken
        self.turn = 1 - self.turn
    def terminal(self): return self.matches == 0
    def rewards(self): return [1.0, 0.0] if self.turn == 1 else [0.0, 1.0]
"""


def transcript(name: str, games: int) -> str:
    """Random games of this name, every action and the last state."""
    lines = []
    for seed in range(games):
        position = play_randomly(load(name).start(seed), seeded(seed))
        lines.append(f"{[action for _, action, _ in position.history]} {position.state.tolist()} {position.rewards()}")
    return "\n".join(lines)


def transcript_in_plain_python(name: str, games: int) -> str:
    """The same by a process that compiles nothing."""
    run = subprocess.run(
        [sys.executable, "-c", f"from tests.support import transcript; print(transcript({name!r}, {games}))"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()
