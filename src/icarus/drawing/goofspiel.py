"""Goofspiel: the prize in the middle, both hands open, a hidden bid face down."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, face, mark, rows
from icarus.drawing.kit import PUBLIC, caption, choices, clickable, panel, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.goofspiel import MAX_CARDS

ACROSS, DOWN = 620.0, 500.0
PHONE = 380.0


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    return table(position, observer, seat, ACROSS, 13)


def narrow(position: Position, observer: int | None, seat: int | None) -> str:
    """For a phone."""
    return table(position, observer, seat, PHONE, 5)


def table(position: Position, observer: int | None, seat: int | None, across: float, each: int) -> str:
    """The table, so wide, with so many of the own cards in a row."""
    state = position.named
    viewer = seat or 0
    can = choices(position, observer)
    more = (HEIGHT + 8) * ((int(state.hands[viewer]).bit_count() - 1) // each)
    down = DOWN + more
    parts = [panel(8, 8, across - 16, down - 48, 18, "felt")]
    for place, side in enumerate((viewer, 1 - viewer)):
        own = place == 0
        y = 340.0 if own else 24.0
        bid = int(state.bid) if side == 0 else 0
        concealed = bid and observer in (1, PUBLIC)
        hand = [card for card in held(int(state.hands[side])) if card != bid or concealed]
        shown = []
        for card in hand:
            drawn = face(str(card))
            if position.player == side and card in can:
                drawn = clickable(card, can[card], drawn, mark(), class_="can", data_square=str(card))
            shown.append(drawn)
        name = position.game.player_labels[side]
        label = f"{name}, {int(state.points[side])} points" + (", has bid" if bid else "")
        parts.append(words(label, across / 2, y + (-14 if own else HEIGHT + 22), 15, class_="strong"))
        parts += rows(shown, across / 2, y, across - 40, WIDTH, each=each if own else 13)
        if bid:
            shown_bid = back() if concealed else face(str(bid))
            parts.append(at(across / 2 - 130, 178 if own else 152, shown_bid))
    if state.prize:
        parts.append(words("prize", across / 2, 158, 13, class_="soft"))
        parts.append(at(across / 2 - WIDTH / 2, 172, face(str(int(state.prize)), "★")))
    coming = held(int(state.prizes))
    if coming:
        parts.append(words("still to come: " + " ".join(map(str, coming)), across / 2, 282, 14, class_="soft"))
    line = table_line(position, observer)
    parts.append(caption(line, across / 2, down - 20))
    return whole(position, observer, across, down, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [str(action)] for action in position.legal()}


def held(cards: int) -> list[int]:
    return [card for card in range(1, MAX_CARDS + 1) if cards >> card & 1]


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return "a draw" if rewards[0] == rewards[1] else f"{names[rewards.index(1)]} has won"
    if not position.named.prize:
        return "a prize is turned up"
    return f"your bid ({names[observer]})" if observer == position.player else f"{names[position.player]} bids"
