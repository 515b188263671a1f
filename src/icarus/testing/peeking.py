"""No peeking: from two true states that the searching player cannot tell apart, the same seed gives the same search."""

from __future__ import annotations

from icarus.jit import JIT
from icarus.result import SearchResult
from icarus.search import Search
from icarus.testing.ledger import Ledger
from icarus.testing.pairs import Pair

ALGORITHMS = ("mo", "so", "pom", "determinized(3)", "flat", "flat-ucb")
PAIRS = 12 if JIT else 2
ITERATIONS = 60 if JIT else 12
MEMORY = 1 << 22


def check_searches(pairs: list[Pair], ledger: Ledger) -> None:
    """Search from both positions of some pairs in which the observer is to act, with every algorithm that does not cheat."""
    fitting = [pair for pair in pairs if pair.one.player == pair.observer]
    if not fitting:
        ledger.skip("no two states were met that the player to act cannot tell apart", "no-peeking")
    for pair in fitting[:: max(1, len(fitting) // PAIRS)][:PAIRS]:
        for algorithm in ALGORITHMS:
            if ledger.pages["no-peeking"].cases and ledger.late(1.0):
                return
            one, other = (
                Search(position, algorithm=algorithm, seed=pair.place.seed, memory=MEMORY).run(iterations=ITERATIONS)
                for position in (pair.one, pair.other)
            )
            difference = differ(one, other)
            text = f"{algorithm} for observer {pair.observer} finds {difference} from two states that it cannot tell apart"
            if not ledger.expect("no-peeking", not difference, pair.place, text):
                return


def differ(one: SearchResult, other: SearchResult) -> str:
    """What two searches disagree on; "" if nothing."""
    if one.root != other.root:
        return "different statistics at the root"
    if one.principal_variation != other.principal_variation:
        return f"different lines ({' '.join(one.principal_variation)}; {' '.join(other.principal_variation)})"
    if (one.records, one.tree_depth, one.mean_depth) != (other.records, other.tree_depth, other.mean_depth):
        return "different trees"
    return ""
