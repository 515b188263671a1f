"""Kuhn poker: a card for each player, and its chips in the pot."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, face
from icarus.drawing.kit import button, caption, choices, panel, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.kuhn_poker import card_name, is_over

SEAT = 120.0
TOP = 54.0


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    players, over = int(state.players), is_over(state)
    width, height = max(SEAT * players + 32, 300), 312.0
    left = (width - SEAT * players) / 2
    parts = [panel(8, 8, width - 16, height - 56, 18, "felt")]
    for player in range(players):
        x = left + SEAT * (player + 0.5)
        acting = not over and position.player == player
        parts.append(words(f"{'▸ ' if acting else ''}{position.game.player_labels[player]}", x, TOP - 18, 14, class_="strong"))
        visible = observer in (None, player) or over
        card = face("", card_name(state, int(state.cards[player]))) if visible else back()
        parts.append(at(x - WIDTH / 2, TOP, card))
        for chip in range(1 + (int(state.bets) >> player & 1)):
            middle = TOP + HEIGHT + 24
            parts.append(tag("circle", cx=x - 13 + 26 * chip, cy=middle, r=11, fill="var(--two)", stroke="var(--light)"))
    for i, (action, label) in enumerate(choices(position, observer).items()):
        parts.append(button(action, label, width / 2 - 106 + 110 * i, height - 106, 100))
    line = table_line(position, observer)
    parts.append(caption(line, width / 2, height - 24))
    return whole(position, observer, width, height, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {}


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return f"{names[rewards.index(max(rewards))]} takes the pot"
    return f"your move ({names[observer]})" if observer == position.player else f"{names[position.player]} to move"
