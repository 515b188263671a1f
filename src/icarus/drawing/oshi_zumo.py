"""Oshi-zumo: the field with the wrestler, and what each player has left."""

from __future__ import annotations

from icarus.drawing.kit import PUBLIC, button, caption, choices, panel, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position

ACROSS = 460.0
EACH = 8  #: buttons in a row


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    places = 2 * int(state.size) + 1
    step = (ACROSS - 60) / (places + 2)
    parts = [panel(8, 8, ACROSS - 16, 150, 18, "felt")]
    for place in range(1, places + 1):
        x = 30 + step * place
        colour = "two" if place <= state.size else "one" if place > state.size + 1 else "line"
        parts.append(tag("rect", x=x, y=72, width=step - 4, height=12, rx=3, fill=f"var(--{colour})", opacity=0.5))
    middle = 30 + step * int(state.place) + (step - 4) / 2
    parts.append(tag("circle", cx=middle, cy=56, r=min(14, step / 2), fill="var(--light)", stroke="var(--edge)"))
    for who, across in enumerate((96.0, ACROSS - 96.0)):
        text = f"{position.game.player_labels[who]}: {int(state.coins[who])} coins"
        parts.append(words(text, across, 118, 14, class_="strong"))
        if who == 0 and state.bid:
            parts.append(words("has bid" if observer in (1, PUBLIC) else f"bids {int(state.bid) - 1}", across, 140, 13))
    offered = list(choices(position, observer).items())
    for i, (action, label) in enumerate(offered):
        parts.append(button(action, label, 18 + 53 * (i % EACH), 172 + 42 * (i // EACH), 48))
    down = 172 + 42 * -(-len(offered) // EACH) + 24
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, down))
    return whole(position, observer, ACROSS, down + 22, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {}


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return "a draw" if rewards[0] == rewards[1] else f"{names[rewards.index(1)]} has won"
    return "your bid" if observer == position.player else f"{names[position.player]} bids"
