"""Information sets of a small game by brute force: every sequence of actions and outcomes, grouped by what one player knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from icarus.game import ENVIRONMENT, UNSEEN, Game, Position
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.testing.ledger import Ledger, Place
from icarus.testing.memory import fingerprint
from icarus.testing.statistics import misfit

BUDGET = 4000 if JIT else 800  #: positions visited for one observer
STARTS = 600  #: different starts at most
OFTEN, MET = 20, 4  #: a start is drawn OFTEN times on average; all are known if each was drawn at least MET times
LEAST = 600  #: starts drawn, however few are different
TESTED = 8  #: information sets whose determinizations are counted
LARGE = 60  #: states of the largest set that is counted
DRAWS = 40  #: determinizations per state


@dataclass
class Set:
    """The states that look the same to a player: each by its fingerprint, and those after each sequence of observed moves."""

    states: dict[object, Position] = field(default_factory=dict)
    seen: dict[tuple[Hashable, ...], set[object]] = field(default_factory=dict)
    plies: set[int] = field(default_factory=set)


@dataclass
class Sets:
    """All information sets of a player, by its view, as far as they are complete."""

    by_view: dict[Hashable, Set]
    seed: int
    #: up to this ply the states of a set are equally likely: no outcome has had odds that depend on what is hidden
    even: int = 2**31


def check_small_sets(game: Game, seed: int, ledger: Ledger) -> None:
    """Uniform determinizations, and moves that tell no more than the view, where all information sets can be listed."""
    if game.view is None:
        ledger.skip("the game has no view", "determinize-uniform")
        return
    starts = every_start(game, seed, ledger)
    if starts is None:
        ledger.skip("too many start positions to list all information sets", "determinize-uniform")
        return
    if len(starts) == 1 and moves_the_start(starts[0], seed):
        ledger.skip("players do not know the start position, though it is always the same", "determinize-uniform")
        return
    for observer in range(game.players):
        sets = information_sets(game, starts, observer, seed, ledger)
        if sets is None:
            ledger.skip(
                "too many positions (or too little time), or outcomes that are not listed, to list all information sets",
                "determinize-uniform",
            )
            continue
        check_moves_tell_no_more(sets, observer, ledger)
        check_uniformity(sets, observer, ledger)


def every_start(game: Game, seed: int, ledger: Ledger) -> list[Position] | None:
    """All start positions, or None if there may be more."""
    starts: dict[object, Position] = {}
    met: Counter[object] = Counter()
    while met.total() < max(LEAST, OFTEN * len(starts)):
        start = game.start(seed + met.total())
        key = fingerprint(start)
        starts.setdefault(key, start)
        met[key] += 1
        if len(starts) > STARTS or ledger.late(0.8):
            return None
    return list(starts.values()) if min(met.values()) >= MET else None


def moves_the_start(start: Position, seed: int) -> bool:
    """Does some player reckon with other starts than the only one there is?"""
    drawn = [start.determinize(observer, seeded(seed, stream=60)) for observer in range(start.game.players)]
    return any(fingerprint(position) != fingerprint(start) for position in drawn)


def information_sets(game: Game, starts: list[Position], observer: int, seed: int, ledger: Ledger) -> Sets | None:
    """Breadth first, so that what the budget allows is complete up to some ply."""
    sets: dict[Hashable, Set] = {}
    level: dict[tuple[Hashable, ...], dict[object, Position]] = {}
    for start in starts:
        level.setdefault((start.view(observer),), {})[fingerprint(start)] = start
    visited, ply, unseen, even = 0, 0, False, 2**31
    while level:
        size = sum(len(states) for states in level.values())
        if visited + size > BUDGET:
            # a player who misses moves does not know the ply, and neither is its set complete
            one_ply = all(len(known.plies) == 1 for known in sets.values())
            return Sets(sets, seed, even) if one_ply and not unseen and ply > 1 else None
        visited += size
        deeper: dict[tuple[Hashable, ...], dict[object, Position]] = {}
        for seen, states in level.items():
            if game.chance is not None:
                chances = [p for p in states.values() if not p.is_terminal and p.player == ENVIRONMENT]
                if len({tuple(p.chance()) for p in chances}) > 1:
                    even = min(even, ply)
            for key, position in states.items():
                if ledger.late(0.85):
                    return None
                if position.is_terminal:
                    continue
                known = sets.setdefault(position.view(observer), Set())
                known.states[key] = position
                known.seen.setdefault(seen, set()).add(key)
                known.plies.add(ply)
                if position.player == ENVIRONMENT and game.chance is None:
                    return None
                for action in possible(position):
                    move = position.observe(action, observer)
                    unseen |= move == UNSEEN
                    after = position.copy().apply(action)
                    deeper.setdefault(seen if move == UNSEEN else (*seen, move), {})[fingerprint(after)] = after
        level, ply = deeper, ply + 1
    return Sets(sets, seed, even)


def possible(position: Position) -> Iterator[int]:
    """The actions, or the outcomes that can happen."""
    odds = position.chance() if position.player == ENVIRONMENT else None
    for i, action in enumerate(position.legal()):
        if odds is None or odds[i] > 0:
            yield action


def check_moves_tell_no_more(sets: Sets, observer: int, ledger: Ledger) -> None:
    """Nothing that was seen rules out a state that the view allows."""
    for known in sets.by_view.values():
        for seen, states in known.seen.items():
            position = next(iter(known.states.values()))
            text = (
                f"the moves that observer {observer} saw, {list(seen[1:])[:8]}, leave {len(states)} of the "
                f"{len(known.states)} states that fit its view"
            )
            if not ledger.expect("observe-view", len(states) == len(known.states), Place(sets.seed, len(position.history)), text):
                return


def check_uniformity(sets: Sets, observer: int, ledger: Ledger) -> None:
    """Draw determinizations from some information sets of different sizes."""
    small = sorted(
        (known for known in sets.by_view.values() if 1 < len(known.states) <= LARGE and max(known.plies) <= sets.even),
        key=lambda known: len(known.states),
    )
    if not small:
        ledger.skip("no information set of 2 to 60 equally likely states was met", "determinize-uniform")
    for number, known in enumerate(small[:: max(1, len(small) // TESTED)]):
        if ledger.late(0.9):
            break
        position = next(iter(known.states.values()))
        # who acts stays the same, also where the observer does not know who else chooses at the same time
        states = {key: other for key, other in known.states.items() if other.player == position.player}
        place = Place(sets.seed, len(position.history))
        rng = seeded(sets.seed, stream=50 + number)
        draws = [position.determinize(observer, rng) for _ in range(DRAWS * len(states))]
        keys = [fingerprint(draw) for draw in draws]
        # a state of another set is the business of determinize-view
        if any(draw.view(observer) != position.view(observer) for draw in draws):
            continue
        strange = sum(key not in states for key in keys)
        text = f"{strange} of {len(keys)} determinizations for observer {observer} are none of {len(states)} possible states"
        if not ledger.expect("determinize-possible", strange == 0, place, text):
            continue
        wrong = misfit(keys, dict.fromkeys(states, 1 / len(states)), tests=100) if len(states) > 1 else ""
        text = f"{len(states)} states fit what observer {observer} knows; {wrong}"
        ledger.expect("determinize-uniform", not wrong, place, text)
