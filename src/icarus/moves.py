"""Reading a line of moves as a person writes it: labels of actions, separated by spaces or commas."""

from __future__ import annotations

import re

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position
from icarus.jit.randomness import seeded

SEPARATORS = " ,\t\n"


def play_moves(position: Position, text: str, seed: int) -> Position:
    """Play the moves, in place, up to the next decision of a player.

    Outcomes of the environment are drawn from the seed unless the text gives them.
    """
    rng = seeded(seed, stream=5)
    rest = text.strip(SEPARATORS)
    while not position.is_terminal:
        action, rest = next_action(position, rest)
        if action is not None:
            position.apply(action)
        elif position.player == ENVIRONMENT:
            position.apply(position.sample(rng))
        elif rest:
            word = re.split(f"[{SEPARATORS}]", rest, maxsplit=1)[0]
            position.apply(position.parse_action(word))
            rest = rest[len(word) :].lstrip(SEPARATORS)
        else:
            return position
    if rest:
        word = re.split(f"[{SEPARATORS}]", rest, maxsplit=1)[0]
        raise GameError(f"the game {position.game.name} is over before the move {word!r}")
    return position


def next_action(position: Position, text: str) -> tuple[int | None, str]:
    """The legal action whose label the text begins with, and the rest; labels may hold separators, so the longest counts."""
    if not text:
        return None, text
    labels = {position.format_action(action): action for action in position.legal()}
    for label in sorted(labels, key=len, reverse=True):
        same = text[: len(label)].casefold() == label.casefold()
        if same and (len(text) == len(label) or text[len(label)] in SEPARATORS):
            return labels[label], text[len(label) :].lstrip(SEPARATORS)
    return None, text
