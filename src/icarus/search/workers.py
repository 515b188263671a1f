"""The memory of a search's threads: what game, strategy and algorithm want of the loop, written into one worker each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icarus.algorithm import ProofNumbers
from icarus.engine.amaf.permutations import use_permutations
from icarus.engine.drive.lockstep import run
from icarus.engine.drive.straight import run_baseline, run_uct
from icarus.engine.positions import use_positions
from icarus.engine.table.reader import existing_record, most_visited_line, read_context, record_at
from icarus.engine.world import Worker, new_worker
from icarus.game import Stepping
from icarus.jit import Kernel
from icarus.jit.randomness import seeded
from icarus.proofs.bounds import proof_words, use_proofs

if TYPE_CHECKING:
    from icarus.search.searching import Search


def worker_of(search: Search, number: int) -> Worker:
    """The memory of one thread, ready to run."""
    game, plan = search.game, search.plan
    start = search.position.episode[1] if plan.needs_moves and game.episode is not None else len(search.position.history)
    known = search.position.history[start:]
    seeds = np.concatenate([seeded(search.seed, stream=100 + 1000 * number + lane) for lane in range(search.lanes)])
    worker = new_worker(
        game,
        lanes=search.lanes,
        prefix=len(known),
        update_rows=plan.update_rows(game),
        track_moves=plan.needs_moves,
        track_later=plan.needs_later,
        policy_nodes=len(plan.nodes),
        statistics=len(plan.statistics),
        learns=plan.learns,
        seeds=seeds,
    )
    plan.put_into(worker)
    if search.adaptation is not None:
        search.adaptation.put_into(worker)
    worker.put("stop", search.stop_words)
    control = worker.control
    control.observer, control.identity, control.even = search.observer, search.identity, search.even_chance
    control.amaf_by_node = search.amaf_by_node
    control.tree_twin = plan.tree_twin(by_node=bool(search.amaf_by_node))
    control.straight = search.lanes == 1 and search.one_state and game.stepping is Stepping.ONE_STATE and game.copy is None
    control.resample = game.determinize is not None and search.algorithm.resamples and not search.algorithm.cheats
    if search.algorithm.solve:
        named = search.algorithm
        use_proofs(
            control, place=search.proof_place, rule=named.rule, threshold=named.threshold, gamma=named.gamma, delta=named.delta
        )
    if search.begins.drawn is not None:
        search.begins.drawn.put_into(worker, search.root_history(0, search.position.state))
        control.resample, control.straight = 0, 0
        control.postponed = search.algorithm.plies
    control.redetermine = search.algorithm.redetermines
    if search.algorithm.transpositions > 1:
        use_positions(control, place=search.proof_place, refreshes=search.algorithm.transpositions == 3)
    if search.permuted is not None:
        use_permutations(control, *search.permuted)
    if isinstance(search.algorithm, ProofNumbers):
        control.number_place = search.proof_place + proof_words(game.players, chance=False)
        control.playouts = search.algorithm.playouts
    control.root_ply = len(known)
    control.root_label = search.position.episode[0]
    # every player's view of the moves before the search is the observer's: nobody else's is known
    if plan.needs_moves and known:
        plies, views = int(control.plies), int(control.views)
        for lane in range(search.lanes):
            for ply, (actor, _, moves) in enumerate(known):
                worker.actors[lane * plies + ply] = actor
                for view in range(views):
                    worker.moves[(lane * views + view) * plies + ply] = moves[search.observer]
    search.algorithm.prepare(game, worker)
    if not search.algorithm.walks or game.stepping is not Stepping.ALL_LANES:  # who walks by itself takes each state alone
        game.prepare(worker)
    return worker


def warm_up(*loops: Kernel) -> None:
    """Compile what a search needs (or load it from the cache), so that no budget is spent on it; all loops, if none is named."""
    for kernel in (*(loops or (run, run_baseline, run_uct)), record_at, read_context, most_visited_line, existing_record):
        kernel.compile()
