"""What the papers measure without playing: speed, visits of N-grams, leading plays, statistics per node, scores of puzzles.

One trial is stored like one game.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

import icarus
from icarus.algorithm import algorithm_named
from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord
from icarus.arena.players import read_player
from icarus.arena.schedule import Cell, Schedule, game_named
from icarus.engine.table.reader import visits_by_capture
from icarus.game import ENVIRONMENT, Position, play_randomly, play_to_decision, step_randomly
from icarus.jit.randomness import mix, random_below, seeded
from icarus.search import Search
from icarus.strategy.amaf import AMAF


def measure(schedule: Schedule, cell: Cell, number: int) -> GameRecord:
    """One trial of a measurement."""
    begun, spent, seed = time.perf_counter(), time.thread_time(), schedule.seed_of(cell, number)
    if cell.kind not in MEASURES:
        raise ArenaError(f"there is no measurement {cell.kind!r}; there are {', '.join(MEASURES)}")
    values = MEASURES[cell.kind](cell, seed)
    seconds, spent = time.perf_counter() - begun, time.thread_time() - spent
    return GameRecord(
        cell=cell.name,
        number=number,
        game=cell.game,
        seed=seed,
        seats=cell.players,
        seating=(0,),
        moves=(),
        rewards=(0.0,),
        decisions=(1,),
        iterations=(int(values.pop("iterations", 0)),),
        seconds=(seconds,),
        share=(0.0,),
        depth=(values.pop("tree_depth", 0.0),),
        elapsed=spent,
        version=icarus.__version__,
        values=tuple(values.items()),
    )


WARM = 0.3  #: seconds of a search before the one that is measured


def speed(cell: Cell, seed: int) -> dict[str, float]:
    """Iterations per second at the first decision (figure 13 of ismcts-2012)."""
    player = read_player(cell.players[0])
    position = _first_decision(game_named(cell.game).start(seed), seed)
    # compiled, in the processor's caches, and in memory that has been touched before: a machine may give that out slowly
    player.search(position, position.player, seed).run(iterations=player.iterations, seconds=WARM)
    result = player.search(position, position.player, seed).run(iterations=player.iterations, seconds=player.seconds)
    return {"speed": result.iterations_per_second, "iterations": result.iterations, "tree_depth": result.tree_depth}


def ngrams(cell: Cell, seed: int) -> dict[str, float]:
    """Mean visits of an N-gram in one search (figure 3 of bandits-2013), from a decision of a random game."""
    player = read_player(cell.players[0])
    position = _some_decision(cell, seed)
    search = player.search(position, position.player, seed)
    assert isinstance(search, Search)  # a network has no captures
    result = search.run(iterations=player.iterations, seconds=player.seconds)
    visits = visits_of_capture(search, 1)
    mean = float(visits.mean()) if visits.size else math.nan  # no playout was as long as N
    return {"visits": mean, "ngrams": float(visits.size), "iterations": result.iterations}


def visits_of_capture(search: Search, capture: int) -> npt.NDArray[np.int64]:
    """The visits of all records of one of a strategy's captures (0 is the baseline), those with at least one visit."""
    captures = len(search.plan.captures)
    return np.concatenate([visits_by_capture(table, captures)[capture] for table in search.team.tables])


def statistics(cell: Cell, seed: int) -> dict[str, float]:
    """AMAF's statistics per node of the tree (table VIII of rave-2016), in one search from a decision of a random game."""
    player = read_player(cell.players[0])
    position = _some_decision(cell, seed)
    search = player.search(position, position.player, seed)
    assert isinstance(search, Search)  # a network has no captures
    result = search.run(iterations=player.iterations, seconds=player.seconds)
    search.catch_up()
    amaf = next(number for number, leaf in enumerate(search.plan.capture_leaves) if isinstance(leaf, AMAF))
    # every record of the baseline is the way to a node, and the root makes one more
    nodes = visits_of_capture(search, 0).size + 1
    return {"statistics": visits_of_capture(search, amaf).size / nodes, "nodes": float(nodes), "iterations": result.iterations}


def leads(cell: Cell, seed: int) -> dict[str, float]:
    """Leading plays of the landlord's opponents in Dou Di Zhu (table II of ismcts-2012), in one deal."""
    from icarus.games import doudizhu as rules

    label = str(dict(cell.settings)["label"])
    position, rng = game_named(cell.game).start(seed), seeded(seed, stream=5)
    if label == "true deal":
        return {"leads": float(len(_leads(rules, position)))}
    number = 40 if label == "per determinization" else int(label.split()[0])
    plays = [_leads(rules, position.determinize(0, rng)) for _ in range(number)]
    if label == "per determinization":
        return {"leads": sum(map(len, plays)) / number}
    return {"leads": float(len(set().union(*plays)))}


def _leads(rules: Any, position: Position) -> set[tuple[int, int, int]]:
    """(seat, base, kickers) of all plays with which the two opponents could lead."""
    found = set()
    bases, kickers = np.zeros(rules.MAX_ACTIONS, np.int64), np.zeros(rules.MAX_ACTIONS, np.int64)
    for seat in (1, 2):
        hand = int(position.named.hands[seat])
        for base in bases[: rules.list_leads(hand, bases)]:
            base = int(base)
            if not rules.has_kickers(base):
                found.add((seat, base, 0))
                continue
            rest = rules.without_cards(hand, rules.base_ranks(base), rules.COPIES[base >> 8])
            found.update((seat, base, int(kicker)) for kicker in kickers[: rules.list_kickers(rest, base, kickers)])
    return found


def depths(cell: Cell, seed: int) -> dict[str, float]:
    """Depth of a player's trees at the first decision, or the mean depth of their nodes (ismcts-2012, section V-B).

    The trees of determinized UCT do not know of each other, so each is searched by itself.
    """
    player = read_player(cell.players[0])
    position = _first_decision(game_named(cell.game).start(seed), seed)
    trees = algorithm_named(player.named or None, position.game).trees
    alone = replace(player, parameters="trees=1" if trees > 1 else player.parameters).scaled(1 / trees)
    found = [
        alone.search(position, position.player, int(mix(seed, tree)) & (2**63 - 1)).run(iterations=alone.iterations)
        for tree in range(trees)
    ]
    whole = str(dict(cell.settings)["label"]).endswith("tree")
    each = [float(result.tree_depth) if whole else result.mean_depth for result in found]
    return {"depth": sum(each) / trees, "iterations": sum(result.iterations for result in found)}


def scores(cell: Cell, seed: int) -> dict[str, float]:
    """The score of one complete run of a search for one player, or of its best playout if the budget ends before the run does.

    ``processor``: the seconds that it took; the clock's would depend on what else the machine does.
    """
    player = read_player(cell.players[0])
    begun = time.process_time()
    search = player.search(game_named(cell.game).start(seed), 0, seed)
    assert isinstance(search, Search)  # a network plays no puzzle alone
    runs = 1 if search.algorithm.ends else None
    result = search.run(runs=runs, iterations=player.iterations, seconds=player.seconds)
    if result.stopped_by == "interrupt":
        raise KeyboardInterrupt
    if result.best_score is None:
        raise ArenaError(f"{cell.game} has no score that could be measured")
    score = search.run_scores[-1] if result.stopped_by == "runs" else result.best_score
    return {"score": score, "processor": time.process_time() - begun, "iterations": result.iterations}


def _first_decision(position: Position, seed: int) -> Position:
    rng = seeded(seed, stream=6)
    while len(play_to_decision(position, rng).legal()) < 2:
        step_randomly(position, rng)
    return position


def _some_decision(cell: Cell, seed: int) -> Position:
    """A decision with a choice, somewhere in a random game."""
    game, rng = game_named(cell.game), seeded(seed, stream=7)
    whole = play_randomly(game.start(seed), rng)
    position = game.start(seed)
    chosen = int(random_below(rng, len(whole.history)))
    last = position.copy()
    for ply, (player, action, _) in enumerate(whole.history):
        if player != ENVIRONMENT and len(position.legal()) > 1:
            last = position.copy()
            if ply >= chosen:
                break
        position.apply(action)
    return _first_decision(last, seed)


MEASURES = {"speed": speed, "ngrams": ngrams, "leads": leads, "statistics": statistics, "depths": depths, "scores": scores}
