"""No peeking: from two true states that the searching player cannot tell apart, the same seed gives the same search.

An algorithm sees a state.  A belief and a solver at the table also read how the game came to it, so they are given pairs of whole
games: other deals and other hidden moves, and nothing in them that the observer would have seen differently.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from icarus.belief import Belief, Model
from icarus.equilibrium.oos import Oos
from icarus.game import UNSEEN, Game, Position
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.result import SearchResult
from icarus.search import Search
from icarus.testing.ledger import Ledger
from icarus.testing.memory import fingerprint
from icarus.testing.pairs import Pair, walk
from icarus.testing.playing import Games

#: algorithms with their strategies
SEARCHES = (
    ("mo", "-"),
    ("so", "-"),
    ("pom", "-"),
    ("determinized(3)", "-"),
    ("flat", "-"),
    ("flat-ucb", "-"),
    ("epimc(2)", "-"),
    ("ris", "-"),
    ("so", "Smooth()"),
)
PAIRS = 12 if JIT else 2
GAMES = 4 if JIT else 1  #: pairs of whole games
ITERATIONS = 60 if JIT else 12
PARTICLES, MODEL = 6, 8  #: of a belief, and the iterations of its model
PLIES = 400 if JIT else 40  #: walked for each pair of whole games
MEMORY = 1 << 22


def check_searches(pairs: list[Pair], ledger: Ledger) -> None:
    """Search from both positions of some pairs in which the observer is to act, with every algorithm that does not cheat."""
    fitting = [pair for pair in pairs if pair.one.player == pair.observer]
    if not fitting:
        ledger.skip("no two states were met that the player to act cannot tell apart", "no-peeking")
    # in the tree of `ris` everybody draws anew: where that gives states that cannot be, it need not come to an end
    broken = ledger.failed("determinize-view", "determinize-legal", "determinize-possible")
    searches = [spec for spec in SEARCHES if spec[0] != "ris" or not broken]
    for pair in spread(fitting, PAIRS):
        for algorithm, strategy in searches:
            if ledger.pages["no-peeking"].cases and ledger.late(1.0):
                return
            one, other = (
                Search(position, algorithm=algorithm, strategy=strategy, seed=pair.place.seed, memory=MEMORY).run(
                    iterations=ITERATIONS
                )
                for position in (pair.one, pair.other)
            )
            name = algorithm if strategy == "-" else f"{algorithm}[{strategy}]"
            if not _same(name, differ(one, other), pair, ledger):
                return


def check_whole_games(game: Game, kept: Games, alike: list[Pair], ledger: Ledger) -> None:
    """A belief and on-line outcome sampling, from two whole games of some pairs."""
    pairs = [pair for pair in alike if pair.one.player == pair.observer]
    pairs = spread(pairs, GAMES) if len(pairs) >= GAMES else [*pairs, *whole_games(game, kept, GAMES - len(pairs), ledger)]
    for pair in pairs:
        seed, both = pair.place.seed, (pair.one, pair.other)
        if ledger.late(1.0):
            return
        one, other = (
            Search(position, belief=Belief(Model(iterations=MODEL), particles=PARTICLES), seed=seed, memory=MEMORY).run(
                iterations=ITERATIONS
            )
            for position in both
        )
        if not _same("a belief", differ(one, other), pair, ledger):
            return
        if game.simultaneous is not None and game.observe is None:  # which oos refuses
            continue
        odds = [Oos(game, seed=seed).decide(position, iterations=ITERATIONS) for position in both]
        if not _same("oos", "different odds" if odds[0] != odds[1] else "", pair, ledger):
            return


def _same(name: str, difference: str, pair: Pair, ledger: Ledger) -> bool:
    text = f"{name} for observer {pair.observer} finds {difference} from two states that it cannot tell apart"
    return ledger.expect("no-peeking", not difference, pair.place, text)


def spread(pairs: list[Pair], number: int) -> list[Pair]:
    """So many of them, at even distances."""
    return pairs[:: max(1, len(pairs) // number)][:number]


def whole_games(game: Game, kept: Games, number: int, ledger: Ledger) -> list[Pair]:
    """Pairs of whole games that look the same to whoever acts at the end of both."""
    found: list[Pair] = []
    for place, position in kept.positions[:: max(1, len(kept.positions) // (4 * number))]:
        if len(found) >= number or (found and ledger.late(0.95)):
            break
        observer = position.player
        if observer < 0 or not position.history:
            continue
        rng = seeded(place.seed, stream=90 + place.ply)
        if game.retrace is not None:
            other = retraced(position, observer, rng)
            if other is not None and fingerprint(other) != fingerprint(position):
                found.append(Pair(place, observer, position, other))
        else:
            found.extend(list(played(game, position, observer, place.seed, rng))[-1:])
    return found


def retraced(position: Position, observer: int, rng: np.ndarray) -> Position | None:
    """Another game that leads to a determinization of the position; None where the one that the game tells is another one."""
    game = position.game
    assert game.retrace is not None
    drawn = position.determinize(observer, rng)
    start = Position(game, position.origin.copy()).determinize(observer, rng).state
    seen = [(actor, moves[observer]) for actor, _, moves in position.history if moves[observer] != UNSEEN]
    actions, _ = game.retrace(game.named(start), drawn.named, seen, observer, rng)
    other = Position(game, start)
    for action in actions:
        if action not in other.legal():
            return None
        other.apply(action)
    looked = [(actor, moves[observer]) for actor, _, moves in other.history if moves[observer] != UNSEEN]
    return other if looked == seen and other.player == observer else None


def played(game: Game, position: Position, observer: int, seed: int, rng: np.ndarray) -> Iterator[Pair]:
    """Two games side by side, the second from another deal, where the observer is to act."""
    origin = Position(game, position.origin.copy())
    other = Position(game, origin.determinize(observer, rng).state)
    for pair in walk(origin, other, observer, seed, rng, Ledger(), [PLIES]):
        if pair.one.player == observer == pair.other.player:
            yield pair


def differ(one: SearchResult, other: SearchResult) -> str:
    """What two searches disagree on; "" if nothing."""
    if one.root != other.root:
        return "different statistics at the root"
    if one.principal_variation != other.principal_variation:
        return f"different lines ({' '.join(one.principal_variation)}; {' '.join(other.principal_variation)})"
    if (one.records, one.tree_depth, one.mean_depth) != (other.records, other.tree_depth, other.mean_depth):
        return "different trees"
    return ""
