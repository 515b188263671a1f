"""The papers' games: speed beside OpenSpiel's C++ bots, beside random playouts, and what sampling hidden information costs.

    python benchmarks/paper_games.py [--json] [board] [cards] [confrontation] [determinize]

Without names everything is measured (a few minutes).  Exit code 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import pyspiel
from rich.console import Console

from icarus.game import Position
from icarus.loading import GAMES, load
from icarus.search import Search
from icarus.tools.bench import Ratio, against_openspiel, first_decision, playing, searching, table_of, take_turns

ITERATIONS = 10_000
ROUNDS = 5


def say(share: float, text: str) -> None:
    print(text, "...", file=sys.stderr, flush=True)


def board() -> list[Ratio]:
    """Checkers and backgammon: UCT beside OpenSpiel's MCTSBot."""
    return against_openspiel(["checkers", "backgammon"], iterations=ITERATIONS, rounds=ROUNDS, progress=say)


def cards() -> list[Ratio]:
    """Hearts beside OpenSpiel's ISMCTSBot; Dou Di Zhu beside its MCTSBot, which sees all cards."""
    say(0, "hearts_round")
    hearts = first_decision("hearts_round(passing='hold')")
    while len(hearts.legal()) == 1:  # the two of clubs is no choice
        hearts.apply(hearts.legal()[0])
    ours, theirs = take_turns(searching(hearts, ITERATIONS, algorithm="mo"), openspiel_hearts, ROUNDS)
    rows = [Ratio.of_speeds("hearts round, mo", ITERATIONS / ours, "OpenSpiel ISMCTSBot", ITERATIONS / theirs, 3.0)]
    deal = first_decision("doudizhu")
    for algorithm, limit in (("cheating", 1.0), ("so", 0.6)):
        say(0, f"doudizhu, {algorithm}")
        ours, theirs = take_turns(searching(deal, ITERATIONS, algorithm=algorithm), openspiel_doudizhu, ROUNDS)
        rows.append(Ratio.of_speeds(f"doudizhu, {algorithm}", ITERATIONS / ours, "OpenSpiel MCTSBot", ITERATIONS / theirs, limit))
    return rows


def openspiel_hearts() -> Callable[[], None]:
    """A round without passing, searched by OpenSpiel from the first choice."""
    game = pyspiel.load_game("hearts(pass_cards=false,qs_breaks_hearts=false)")
    state = game.new_initial_state()
    state.apply_action(0)
    play_chance(state)
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.ISMCTSBot(
        1, pyspiel.RandomRolloutEvaluator(1, 1), 0.7, ITERATIONS, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, True
    )
    return lambda: bot.step(state)


def openspiel_doudizhu() -> Callable[[], None]:
    """A deal after "Bid 3", searched by OpenSpiel from the landlord's first lead."""
    game = pyspiel.load_game("dou_dizhu")
    state = game.new_initial_state()
    play_chance(state)
    state.apply_action(state.legal_actions()[-1])
    play_chance(state)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 0.7, ITERATIONS, 1000, False, 1, False)

    def search() -> None:
        bot.mcts_search(state)

    return search


def play_chance(state: Any) -> None:
    """Deal by a fixed rule that spreads the cards: the middle outcome of every chance event."""
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(outcomes[len(outcomes) // 2][0])


def confrontation() -> list[Ratio]:
    """The Confrontation: MO-ISMCTS beside random playouts."""
    say(0, "confrontation")
    position = first_decision("confrontation")
    ours, theirs = take_turns(searching(position, ITERATIONS, algorithm="mo"), playing(position, ITERATIONS), ROUNDS)
    return [Ratio.of_speeds("confrontation, mo", ITERATIONS / ours, "random playouts", ITERATIONS / theirs, 0.4)]


def determinize() -> list[Ratio]:
    """The share of an iteration that goes into sampling hidden information, in every game that hides some."""
    rows = []
    for name in GAMES:
        game = load(name)
        if game.hidden_information and game.max_plies > 20:
            say(0, name)
            share = min(determinization_share(first_decision(name)) for _ in range(ROUNDS))
            rows.append(Ratio(f"{name}, determinize", "share", share, "iteration", 1.0, share, 0.15, at_most=True))
    return rows


def determinization_share(position: Position) -> float:
    return Search(position, algorithm="mo", seed=1).run(iterations=ITERATIONS).phases["determinization"]


PARTS: dict[str, Callable[[], list[Ratio]]] = {
    "board": board,
    "cards": cards,
    "confrontation": confrontation,
    "determinize": determinize,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    rows = [row for name in options.parts or PARTS for row in PARTS[name]()]
    if options.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    else:
        Console().print(table_of(rows))
    return int(any(row.passed is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
