"""What a player knows of a move, in words.

Where something is hidden, nothing here is read from the true position but what the observer sees: labels come from
determinizations, positions that the observer cannot tell apart from the true one.  So a label cannot give anything away.
"""

from __future__ import annotations

from collections.abc import Iterator

from icarus.engine.randomness import mix, seeded
from icarus.game import ENVIRONMENT, UNSEEN, Position

#: determinizations in which a move is looked for; a card that another player may hold is in one of three
SAMPLES = 16


def label_for(position: Position, action: int, observer: int) -> str | None:
    """What the observer can call an action that is about to be applied; None if it does not know which one it is."""
    game, actor = position.game, position.player
    if actor == observer or (game.observe is None and not game.hidden_information):
        return position.format_action(action)
    seen = position.observe(action, observer)
    if seen == UNSEEN:
        return None
    labels: set[str] = set()
    for twin in twins(position, observer):
        if game.observe is None:
            return twin.format_action(action)  # everybody sees every action
        if twin.player == actor:
            labels |= {twin.format_action(a) for a in twin.legal() if twin.observe(a, observer) == seen}
        if len(labels) > 1:
            return None
    return labels.pop() if labels else None


def label_in_hindsight(position: Position, later: list[tuple[int, int, int]], observer: int) -> str | None:
    """What the observer can call an action that was kept from it, after what it has seen since; None if it still cannot tell.

    ``position`` is the one before that action, ``later`` the actions since, the hidden one first: who, what, and what the
    observer saw of it.  Choices that are made at the same time are seen this way, with the last of them.
    """
    others = [actor for actor, _, _ in later[1:] if actor != observer]
    if others and position.game.determinize is not None:
        return None  # what others did meanwhile may be hidden too
    labels: set[str] = set()
    for twin in twins(position, observer):
        if twin.player == later[0][0]:
            labels |= {twin.format_action(action) for action in twin.legal() if _fits(twin, action, later, observer)}
        if len(labels) > 1:
            return None
    return labels.pop() if labels else None


def _fits(twin: Position, first: int, later: list[tuple[int, int, int]], observer: int) -> bool:
    """Would the observer have seen the same if the hidden action had been this one?"""
    twin = twin.copy()
    for i, (_, action, seen) in enumerate(later):
        chosen = first if i == 0 else action
        if chosen not in twin.legal() or twin.observe(chosen, observer) != seen:
            return False
        twin.apply(chosen)
    return True


def noticed(position: Position, action: int, observer: int) -> bool:
    """Does the observer notice at all that this action is made?"""
    return position.observe(action, observer) != UNSEEN


def reveals(position: Position, action: int, observer: int) -> bool:
    """Does the observer, by making this move, learn something that it could not know before?"""
    views = set()
    for twin in [position.copy(), *twins(position, observer)]:
        if action not in twin.legal():
            return True
        twin.apply(action)
        views.add(repr((twin.view(observer), twin.is_terminal, twin.player in (observer, ENVIRONMENT))))
    return len(views) > 1


def twins(position: Position, observer: int) -> Iterator[Position]:
    """Positions that the observer cannot tell apart from this one; with nothing hidden, the position itself."""
    if position.game.determinize is None:
        yield position.copy()
        return
    rng = seeded(int(mix(observer, 0x7E11)) & (2**63 - 1), stream=3)
    for _ in range(SAMPLES):
        yield position.determinize(observer, rng)
