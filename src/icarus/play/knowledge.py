"""What a player knows of a move, in words: exactly, or in the game's own words for what was seen; never what is merely likely.

Where something is hidden, nothing here is read from the true position but what the observer sees: words are made from a stand-in,
a position that the observer cannot tell apart from the true one, and always the same one.  So they cannot give anything away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from icarus.game import ENVIRONMENT, UNSEEN, Position
from icarus.jit.randomness import mix, seeded

#: determinizations in which a difference is looked for; that none is found proves nothing
SAMPLES = 16


def stand_in(position: Position, observer: int) -> Position:
    """A position of the observer's information set, always the same one, with no more in its history than it has seen."""
    twin = position.determinize(observer, seeded(1, stream=77))
    noticed = [(player, moves[observer]) for player, _, moves in position.history if moves[observer] != UNSEEN]
    twin.history = [(player, move, (move,) * position.game.players) for player, move in noticed]
    return twin


def label_of(position: Position, action: int) -> str:
    """An action in words; a number where the game has no words for an action that is not legal in a stand-in."""
    try:
        return position.format_action(action)
    except Exception:  # format_action may be a user's own; a label is a courtesy
        return str(action)


def label_for(position: Position, action: int, observer: int, known: Position | None = None) -> str | None:
    """What the observer can call an action that is about to be applied; None if it has no words for it.

    ``known`` is the observer's stand-in for the position, if it has been made already.
    """
    game, seen = position.game, position.observe(action, observer)
    if seen == UNSEEN:
        return None
    if known is None:
        known = stand_in(position, observer) if game.hidden_information else position
    if seen != action and game.format_move is not None:
        return game.format_move(known.named, seen, observer)
    if seen == action or position.player == observer:  # a move means the same wherever it appears: it is that action
        return label_of(known, action)
    if game.hidden_information:
        return None
    # with nothing hidden everybody knows what is legal
    labels = {label_of(position, other) for other in position.legal() if position.observe(other, observer) == seen}
    return labels.pop() if len(labels) == 1 else None


@dataclass
class Line:
    """An action as an observer was told of it."""

    player: int
    text: str | None  #: None: nothing was noticed; "": something was, and there are no words for it
    #: what it is called once it is known, as long as the observer has seen less of it than it was
    label: str | None


class Account:
    """A game as one observer is told of it, action by action; what was veiled is named when it becomes known."""

    def __init__(self, observer: int) -> None:
        self.observer = observer
        self.lines: list[Line] = []
        #: where nothing but choices at the same time is hidden: the position before a choice, and its line
        self._waiting: list[tuple[Position, Line]] = []

    def add(self, position: Position, action: int, known: Position | None = None) -> list[Line]:
        """Before an action is applied: returns the lines that there is something new to read in, in order."""
        observer, actor = self.observer, position.player
        if known is None:
            known = stand_in(position, observer) if position.game.hidden_information else position
        seen = position.observe(action, observer)
        veiled = actor != observer and seen != action
        text = None if seen == UNSEEN else label_for(position, action, observer, known) or ""
        line = Line(actor, text, label_of(known, action) if veiled else None)
        if line.text == line.label:
            line.label = None
        news = self._unveil(position, known, action, seen)
        self.lines.append(line)
        if line.label is not None and not position.game.hidden_information:
            self._waiting.append((position.copy(), line))
        return [*news, line] if line.text is not None else news

    def _unveil(self, position: Position, known: Position, action: int, seen: int) -> list[Line]:
        """The earlier lines that are known from now on."""
        game = position.game
        found: list[Line] = []
        if seen == UNSEEN:
            return []
        if game.unveils is not None:
            for player, number in game.unveils(known.named, seen, self.observer).items():
                by = [line for line in self.lines if line.player == player]
                found += [line for line in by[len(by) - number :] if line.label is not None]
        elif self._waiting:
            found = [line for before, line in self._waiting if self._settled(before, position, action)]
            self._waiting = [pair for pair in self._waiting if pair[1] not in found]
        for line in found:
            line.text, line.label = line.label, None
        return found

    def _settled(self, before: Position, position: Position, action: int) -> bool:
        """Can only one choice in ``before`` have led to what the observer has seen since?"""
        history = [*position.history[len(before.history) :], (position.player, action, ())]
        views = [*(seen[self.observer] for _, _, seen in history[:-1]), position.observe(action, self.observer)]
        fitting = 0
        for choice in before.legal():
            twin = before.copy()
            for i, (_, played, _) in enumerate(history):
                chosen = choice if i == 0 else played
                if chosen not in twin.legal() or twin.observe(chosen, self.observer) != views[i]:
                    break
                twin.apply(chosen)
            else:
                fitting += 1
        return fitting == 1


def reveals(position: Position, action: int, observer: int) -> bool:
    """May the observer, by making this move, learn something that it could not know before?"""
    game = position.game
    if game.observe is not None:  # a choice at the same time shows nothing as long as more is to be chosen by the same player
        after = position.copy().apply(action)
        choices = [game.simultaneous is not None and bool(game.call("simultaneous", p.state)) for p in (position, after)]
        return not all(choices) or after.is_terminal or after.player != observer
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
