"""Leduc poker: a card and chips for each player, and the open card between them."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, suited
from icarus.drawing.kit import button, caption, choices, panel, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import ENVIRONMENT, Position

ACROSS, DOWN, TOP = 420.0, 326.0, 54.0
PLACES = (86.0, ACROSS - 86.0)
BUTTON = 44  #: high enough for a finger, on a phone


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    parts = [panel(8, 8, ACROSS - 16, DOWN - 56, 18, "felt")]
    for player, x in enumerate(PLACES):
        acting = not position.is_terminal and position.player == player
        parts.append(words(f"{'▸ ' if acting else ''}{position.game.player_labels[player]}", x, TOP - 18, 14, class_="strong"))
        visible = observer in (None, player) or bool(state.over)
        parts.append(at(x - WIDTH / 2, TOP, card_of(int(state.cards[player])) if visible else back()))
        middle = TOP + HEIGHT + 24
        parts.append(tag("circle", cx=x, cy=middle, r=13, fill="var(--two)", stroke="var(--light)"))
        parts.append(words(str(int(state.chips[player])), x, middle, 14, class_="strong"))
    parts.append(words("on the table", ACROSS / 2, TOP - 18, 13, class_="soft"))
    if state.public:
        parts.append(at(ACROSS / 2 - WIDTH / 2, TOP, card_of(int(state.public) - 1)))
    offered = choices(position, observer)
    left = ACROSS / 2 - 55 * len(offered)
    for i, (action, label) in enumerate(offered.items()):
        parts.append(button(action, label, left + 110 * i + 5, DOWN - 112, 100, BUTTON))
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, DOWN - 24))
    return whole(position, observer, ACROSS, DOWN, parts, line)


def card_of(card: int) -> str:
    return suited("JQK"[card // 2], "SH"[card % 2])


def keys(position: Position) -> dict[int, list[str]]:
    return {}


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return "the pot is shared" if rewards[0] == rewards[1] else f"{names[rewards.index(max(rewards))]} takes the pot"
    if position.player == ENVIRONMENT:
        return "a card will be laid open"
    return f"your move ({names[observer]})" if observer == position.player else f"{names[position.player]} to move"
