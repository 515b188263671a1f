"""Hidden information by replay: histories from the start of a game that agree with all that an observer saw and did.

Nothing but the observer's knowledge enters, so a draw cannot depend on what is hidden.  If all histories that agree can be
listed, one of them is drawn uniformly.  Otherwise some are sampled, each step from the actions that agree; a sample is as likely
as the product of one over the numbers of these actions, so that it is weighted with their product (importance sampling).  What
was found for an observer's knowledge is kept for the next draws of the same search.
"""

from __future__ import annotations

import random
import zlib
from collections import OrderedDict
from collections.abc import Hashable
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, Self

from icarus.errors import GameError
from icarus.game import ENVIRONMENT

LISTED = 6000  #: actions that may be tried to list all histories
TRIED = 40_000  #: actions that may be tried to sample some
SAMPLES = 128  #: how many are sampled, if that is possible
ENOUGH = 8  #: with fewer the game is refused
KEPT = 64  #: observers' knowledge for which draws are kept


class Replayable(Protocol):
    """What is asked of a state."""

    def player(self) -> int: ...
    def legal(self) -> list[int]: ...
    def apply(self, action: int) -> Any: ...
    def terminal(self) -> bool: ...
    def clone(self) -> Self: ...
    def view(self, observer: int) -> Hashable: ...
    def path(self) -> tuple[int, ...]: ...


class Event(NamedTuple):
    """Something that an observer noticed: an own action (else None), and what it knows afterwards.

    ``outcome`` is an outcome of chance that the observer can name: its own card.  ``needed`` are those of this event and of the
    following ones from the same deck.
    """

    own: int | None
    view: Hashable
    outcome: int | None = None
    needed: frozenset[int] = frozenset()


class Found(NamedTuple):
    """States that agree, with running totals of their weights."""

    states: list[Any]
    totals: list[float]


class Draws:
    """Draws of one game."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Found] = OrderedDict()
        self._events: OrderedDict[Hashable, tuple[Any, tuple[Event, ...]]] = OrderedDict()

    def draw(self, state: Any, observer: int, rng: random.Random) -> Any:
        """A state that the observer cannot tell from this one."""
        start, events = self._noticed(state, observer)
        found = self._found.get((observer, events))
        if found is None:
            found = list_all(start, observer, events) or sample_some(start, observer, events)
            if found is None:
                raise GameError(
                    "this position cannot be determinized: OpenSpiel has no resampler for the game that can be trusted, and what "
                    f"player {observer} knows is too rare to be met by trying; only the algorithm `cheating` searches it"
                )
            keep(self._found, (observer, events), found)
        point = rng.random() * found.totals[-1]
        return found.states[next(i for i, total in enumerate(found.totals) if point < total)].clone()

    def _noticed(self, state: Any, observer: int) -> tuple[Any, tuple[Event, ...]]:
        """The start of the game, and all that the observer noticed since."""
        path = state.path()
        known = self._events.get((observer, path))
        if known is None:
            start = type(state)(state.source)
            known = start, noticed(start, observer, path)
            keep(self._events, (observer, path), known)
        return known


def keep(memory: OrderedDict[Hashable, Any], key: Hashable, value: Any) -> None:
    memory[key] = value
    if len(memory) > KEPT:
        memory.popitem(last=False)


def noticed(start: Replayable, observer: int, path: tuple[int, ...]) -> tuple[Event, ...]:
    """What the observer noticed on the way."""
    events: list[Event] = []
    decks: list[set[int]] = []  # what chance could draw at each event
    walk, view = start.clone(), start.view(observer)
    for action in path:
        before, actor, view_before = walk.clone(), walk.player(), view
        walk.apply(action)
        view = walk.view(observer)
        if actor == observer:
            events.append(Event(action, view))
        elif view != view_before:
            options = [a for a in before.legal() if leads_to(before, a, observer, view)] if actor == ENVIRONMENT else []
            events.append(Event(None, view, action if len(options) == 1 else None))
        else:
            continue
        decks.append(set(before.legal()) if actor == ENVIRONMENT else set())
    needed: frozenset[int] = frozenset()
    for i in reversed(range(len(events))):
        outcome = events[i].outcome
        # a deck that does not get smaller is another one, whose outcomes only have the same numbers
        same_deck = i + 1 < len(events) and decks[i + 1] < decks[i]
        needed = (needed if same_deck else frozenset()) | (frozenset() if outcome is None else {outcome})
        events[i] = events[i]._replace(needed=needed)
    return tuple(events)


def leads_to(state: Replayable, action: int, observer: int, view: Hashable) -> bool:
    after = state.clone()
    after.apply(action)
    return after.view(observer) == view


class Walk(NamedTuple):
    """A history under way: its state, how many events have happened, what the observer knows, and its weight."""

    state: Any
    events: int
    view: Hashable
    weight: float


def agreeing(walk: Walk, observer: int, events: tuple[Event, ...]) -> tuple[list[Walk], int]:
    """The steps that lead on, and how many actions were tried for that."""
    coming = events[walk.events]
    own = walk.state.player() == observer
    if walk.state.terminal() or own != (coming.own is not None):
        return [], 1
    legal = walk.state.legal()
    options = [coming.own] if own and coming.own in legal else [] if own else legal
    steps = []
    for action in options:
        after = walk.state.clone()
        after.apply(action)
        view = after.view(observer)
        noticed = view == coming.view
        if noticed or (not own and view == walk.view):
            step = Walk(after, walk.events + noticed, view, walk.weight)
            if not runs_short(legal, step, events):
                steps.append(step)
    return steps, max(len(options), 1)


def runs_short(before: list[int], step: Walk, events: tuple[Event, ...]) -> bool:
    """Is a card gone that the observer is going to be dealt?  A deck gets smaller, so it will not come back in this deal."""
    if step.events == len(events) or not events[step.events].needed or step.state.player() != ENVIRONMENT:
        return False
    left = set(step.state.legal())
    return left < set(before) and not events[step.events].needed <= left


def list_all(start: Replayable, observer: int, events: tuple[Event, ...]) -> Found | None:
    """Every history that agrees, or None if there are too many to try."""
    complete: list[Any] = []
    stack, left = [Walk(start, 0, start.view(observer), 1.0)], LISTED
    while stack:
        walk = stack.pop()
        if walk.events == len(events):
            complete.append(walk.state)
            continue
        steps, tried = agreeing(walk, observer, events)
        stack += steps
        left -= tried
        if left < 0:
            return None
    return Found(complete, list(accumulate(1.0 for _ in complete)))


def sample_some(start: Replayable, observer: int, events: tuple[Event, ...]) -> Found | None:
    """Some histories that agree, with weights; None if hardly any can be found."""
    # the same knowledge gives the same samples, in whichever order questions are asked
    numbers = random.Random(zlib.crc32(repr((observer, events)).encode()))
    found: list[Walk] = []
    left = TRIED
    while len(found) < SAMPLES and left > 0:
        walk = Walk(start, 0, start.view(observer), 1.0)
        while walk.events < len(events):
            steps, tried = agreeing(walk, observer, events)
            left -= tried
            if not steps or left <= 0:
                break
            step = numbers.choice(steps)
            walk = step._replace(weight=step.weight * len(steps))
        else:
            found.append(walk)
    if len(found) < ENOUGH:
        return None
    heaviest = max(walk.weight for walk in found)
    return Found([walk.state for walk in found], list(accumulate(walk.weight / heaviest for walk in found)))
