"""What a player cannot know varies from one determinization to the next, also where information sets are too large to list.

Some states of an information set are known without the help of ``determinize``: starts that look the same to a player, and games
that were played side by side.  Whatever else the set holds, uniform draws from it meet enough different states.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, lgamma, log

from icarus.game import Game, Position
from icarus.jit.randomness import seeded
from icarus.testing.ledger import Ledger, Place
from icarus.testing.memory import fingerprint
from icarus.testing.pairs import Pair, some_starts
from icarus.testing.playing import Games
from icarus.testing.statistics import FALSE_ALARM

SETS = 24  #: information sets that are looked at
DRAWS = 60  #: determinizations of each, and for every state of it that is known MORE, up to MOST
MORE, MOST = 30, 600
STARTS = 300  #: starts among which those are sought that look the same
POSITIONS = 10  #: so many that no determinization has changed are no accident


def check_variety(game: Game, seed: int, kept: Games, alike: list[Pair], twins: list[Pair], ledger: Ledger) -> None:
    """Draw from information sets of which at least two states are known."""
    sets = [(pair.place, pair.observer, [pair.one, pair.other]) for pair in [*alike, *twins]]
    chosen = sets[:: max(1, len(sets) // SETS)][:SETS]
    if game.view is not None:
        chosen += starts_that_look_the_same(game, seed, ledger)
    for number, (place, observer, known) in enumerate(chosen):
        if number and ledger.late(0.65):
            break
        text = too_few(known, observer, place.seed, number, ledger)
        if not ledger.expect("determinize-varies", not text, place, text):
            return
    if not chosen and len(kept.positions) >= POSITIONS:
        text = f"determinize() has left each of {len(kept.positions)} positions as it was, for every player: is anything hidden?"
        ledger.expect("determinize-varies", False, kept.positions[0][0], text)


def starts_that_look_the_same(game: Game, seed: int, ledger: Ledger) -> list[tuple[Place, int, list[Position]]]:
    """For every player the largest groups of different starts with one view."""
    starts = {fingerprint(start): (place, start) for place, start in some_starts(game, seed, STARTS, ledger)}
    found = []
    for observer in range(game.players):
        groups: dict[object, list[tuple[Place, Position]]] = {}
        for place, start in starts.values():
            if not start.is_terminal:
                groups.setdefault((start.player, start.view(observer)), []).append((place, start))
        largest = sorted(groups.values(), key=len, reverse=True)[: SETS // game.players or 1]
        found += [(group[0][0], observer, [start for _, start in group]) for group in largest if len(group) > 1]
    return found


def too_few(known: Iterable[Position], observer: int, seed: int, number: int, ledger: Ledger) -> str:
    """What is wrong with the determinizations of an information set that holds these states; "" if nothing is."""
    states = {fingerprint(position): position for position in known}
    draws, drawn = 0, set[object]()
    rng = seeded(seed, stream=70 + number)
    first = next(iter(states.values()))
    while draws < min(DRAWS + MORE * len(states), MOST) and not ledger.late(0.65):
        drawn.add(fingerprint(first.determinize(observer, rng)))
        draws += 1
    size = len(states.keys() | drawn)
    if draws == 0 or at_most(len(drawn), draws, size) > FALSE_ALARM / (4 * SETS):
        return ""
    what = "always the same state" if len(drawn) == 1 else f"no more than {len(drawn)} different states"
    return f"{draws} determinizations for observer {observer} give {what}, where at least {size} are possible"


def at_most(different: int, draws: int, size: int) -> float:
    """A bound on the probability that uniform draws from ``size`` values, or from more, show so few different ones.

    They would all lie in one of the subsets of that many values; the more values there are, the less likely that is.
    """
    if different >= size:
        return 1.0
    subsets = lgamma(size + 1) - lgamma(different + 1) - lgamma(size - different + 1)
    return min(exp(min(subsets + draws * log(different / size), 0.0)), 1.0)
