"""What a search has proven: the bounds of records (proofs/bounds.py), and what they say of the root and its moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icarus.algorithm import ProofNumbers
from icarus.proofs.bounds import proof_words
from icarus.proofs.proof_number import NUMBER_WORDS
from icarus.strategy.base import Strategy
from icarus.strategy.baseline import Baseline
from icarus.strategy.plan import filters_of
from icarus.tree import bounds_behind, bounds_of

if TYPE_CHECKING:
    from icarus.search.searching import Search


def proves(strategy: Strategy) -> bool:
    """Does the tree of a strategy list every legal move, and are its rewards those of the game?"""
    mapped = any(isinstance(leaf, Baseline) and leaf.rewards is not None for leaf in strategy.enhancements())
    return not mapped and not filters_of(strategy, in_tree=True)


def words_of_proofs(search: Search) -> int:
    """How many words of a record proofs, or positions, take."""
    if not search.algorithm.solve:
        return int(search.algorithm.transpositions > 1)
    numbers = NUMBER_WORDS if isinstance(search.algorithm, ProofNumbers) else 0
    return proof_words(search.game.players, chance=search.game.stochastic) + numbers


def known_of(search: Search, action: int | None) -> dict[str, Any]:
    """What is proven of the root, or of an action there, by all trees together, for the player who acts."""
    found = []
    for tree in search.team.trees if search.algorithm.solve else ():
        if action is None:
            found.append(bounds_of(search, tree, tree.record))
        else:
            found.append(bounds_behind(search, tree, search.context_key(tree), action))
    known = [bounds for bounds in found if bounds is not None]
    if not known:
        return {}
    best = min(known, key=lambda bounds: bounds.upper[search.actor] - bounds.lower[search.actor])
    verdict = best.verdict(search.actor, stochastic=search.game.stochastic)
    return {
        "proven": verdict,
        "proven_in": best.length + (action is not None) if verdict and best.done else None,
        "bounds": [best.lower[search.actor], best.upper[search.actor]],
    }


def look_up_proof(search: Search) -> None:
    """A tree that was kept may know the value of its new root."""
    tree = search.team.trees[0]
    known = bounds_of(search, tree, tree.record)
    tree.table.meta.proven = known is not None and (known.done or known.closed(search.actor))
