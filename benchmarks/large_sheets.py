"""Rule sheets by joins beside the reasoner, and beside their networks where there are any.

    python benchmarks/large_sheets.py [SHEET ...]

Per sheet (a file, or gdl:NAME; the large ones that come with Icarus if none is named): seconds from the text to the end of the
first random game, random games per second by joins, by the reasoner and by the network in 256 lanes, and the network's seconds to
build; all on one thread and in processor time, everything compiled before.  Limit: joins at least 100 times the reasoner.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path

from icarus.errors import GameError
from icarus.gdl.game import describe, game_of, random_playouts
from icarus.gdl.ground import Limits, TooLarge
from icarus.gdl.lanes import LANES
from icarus.gdl.machine import MachineGame, machine_game, machine_plan, random_games
from icarus.gdl.reader import Sheet, read_sheet
from icarus.gdl.reasoner import Reasoner
from icarus.gdl.sheets import find_sheet
from icarus.gdl.warmup import warm_up_sheets

LARGE = ("gdl:amazons", "gdl:chess", "gdl:nine_mens_morris", "gdl:othello", "gdl:skirmish", "gdl:checkers")
COLUMNS = ("first game", "joins/s", "reasoner/s", "÷ reasoner", "network/s", "÷ network", "built in")
TIMES = 100
#: seconds that each side is measured; the reasoner longer, since it plays few games
SECONDS, REASONER_SECONDS = 1.0, 8.0


def main(sheets: list[str], limits: Limits) -> None:
    warm_up_sheets()
    print(f"{'sheet':24}" + "".join(f"{column:>12}" for column in COLUMNS))
    ratios = []
    for name in sheets:
        path = find_sheet(name)
        begun = time.process_time()
        game = machine_game(machine_plan(read_sheet(path)), path.stem)
        steps = 64
        while random_games(game, steps)[0] == 0 and steps < 1 << 16:
            steps *= 2
        first = time.process_time() - begun
        joins, plies = joins_speed(game)
        reasoner = reasoner_speed(read_sheet(path), plies)
        ratios.append(joins / reasoner)
        network = network_speed(read_sheet(path), limits)
        shown = f"{network[0]:12.0f}{joins / network[0]:12.4f}{network[1]:11.1f}s" if network else f"{'none':>12}{'':>12}{'':>12}"
        print(f"{path.stem:24}{first:11.2f}s{joins:12.1f}{reasoner:12.3f}{ratios[-1]:12.0f}{shown}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"joins ÷ reasoner: worst {min(ratios):.0f}, geometric mean {mean:.0f} (at least {TIMES})")


def joins_speed(game: MachineGame) -> tuple[float, float]:
    """Random games per second, and steps per game."""
    steps = 256
    while True:
        begun = time.process_time()
        games = random_games(game, steps, seed=1)[0]
        taken = time.process_time() - begun
        if taken > SECONDS and games > 0:
            return games / taken, steps / games
        steps *= 2


def reasoner_speed(sheet: Sheet, steps_per_game: float) -> float:
    """Random games per second, from the steps that it makes: a whole game may take it a minute."""
    reasoner, choice, steps = Reasoner(sheet), random.Random(1), 0
    state, begun = reasoner.initial(), time.process_time()
    while time.process_time() - begun < REASONER_SECONDS:
        if reasoner.terminal(state):
            state = reasoner.initial()
            continue
        state = reasoner.next(
            state, {role: choice.choice(sorted(reasoner.legal(state, role), key=str)) for role in reasoner.roles}
        )
        steps += 1
    return steps / (time.process_time() - begun) / steps_per_game


def network_speed(sheet: Sheet, limits: Limits) -> tuple[float, float] | None:
    """Random games per second in all lanes, and seconds to build; None: too large."""
    begun = time.monotonic()
    try:
        game = game_of(describe(sheet, limits), "network")
    except TooLarge:
        return None
    built, steps = time.monotonic() - begun, 64
    while True:
        begun = time.process_time()
        games, _ = random_playouts(game, steps)
        taken = time.process_time() - begun
        if taken > SECONDS / 4 and games > 2 * LANES:
            return games / taken, built
        steps *= 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheets", nargs="*", metavar="SHEET", help="a file, or gdl:NAME")
    parser.add_argument("--seconds", type=float, default=Limits().seconds, help="for building a network")
    arguments = parser.parse_args()
    missing = [name for name in arguments.sheets if not name.startswith("gdl:") and not Path(name).is_file()]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    try:
        main(arguments.sheets or list(LARGE), Limits(seconds=arguments.seconds))
    except GameError as problem:
        parser.error(str(problem))
