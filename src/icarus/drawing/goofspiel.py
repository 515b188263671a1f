"""Goofspiel: the prize in the middle, both hands open, a hidden bid face down."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, face, fan, mark
from icarus.drawing.kit import caption, choices, clickable, panel, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.goofspiel import BID, HANDS, MAX_CARDS, POINTS, PRIZE, PRIZES

ACROSS, DOWN = 620.0, 500.0


def picture(position: Position, observer: int | None) -> str:
    state = position.state
    viewer = 0 if observer is None else observer
    can = choices(position, observer)
    parts = [panel(8, 8, ACROSS - 16, DOWN - 48, 18, "felt")]
    for place, seat in enumerate((viewer, 1 - viewer)):
        own = place == 0
        y = 340.0 if own else 24.0
        bid = int(state[BID]) if seat == 0 else 0
        concealed = bid and observer == 1
        hand = [card for card in held(int(state[HANDS + seat])) if card != bid or concealed]
        shown = []
        for card in hand:
            drawn = face(str(card))
            if position.player == seat and card in can:
                drawn = clickable(card, can[card], drawn, mark(), class_="can", data_square=str(card))
            shown.append(drawn)
        name = position.game.player_labels[seat]
        label = f"{name}, {int(state[POINTS + seat])} points" + (", has bid" if bid else "")
        parts.append(words(label, ACROSS / 2, y + (-14 if own else HEIGHT + 22), 15, class_="strong"))
        parts += fan(shown, ACROSS / 2, y, ACROSS - 50)
        if bid:
            down = back() if concealed else face(str(bid))
            parts.append(at(ACROSS / 2 - 150, 178 if own else 152, down))
    if state[PRIZE]:
        parts.append(words("prize", ACROSS / 2, 158, 13, class_="soft"))
        parts.append(at(ACROSS / 2 - WIDTH / 2, 172, face(str(int(state[PRIZE])), "★")))
    coming = held(int(state[PRIZES]))
    if coming:
        parts.append(words("still to come: " + " ".join(map(str, coming)), ACROSS / 2, 282, 14, class_="soft"))
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, DOWN - 20))
    return whole(position, observer, ACROSS, DOWN, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [str(action)] for action in position.legal()}


def held(cards: int) -> list[int]:
    return [card for card in range(1, MAX_CARDS + 1) if cards >> card & 1]


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return "a draw" if rewards[0] == rewards[1] else f"{names[rewards.index(1)]} has won"
    if not position.state[PRIZE]:
        return "a prize is turned up"
    return f"your bid ({names[observer]})" if observer == position.player else f"{names[position.player]} bids"
