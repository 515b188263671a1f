"""Dou Di Zhu: three players, the observer below; what each has played since the last lead lies before it.

Suits do not matter, so the cards show ranks only.  The key of a card is its rank; a play is clicked card by card, lowest first,
and plays that are clicked alike (``QQQ``, ``QQQ+solo``) are told apart by their labels.
"""

from __future__ import annotations

from icarus.drawing.cards import WIDTH, back, face, fan, mark
from icarus.drawing.kit import button, caption, choices, panel, seen, square, starts, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position, State
from icarus.games.doudizhu import (
    COPIES,
    HAND,
    LANDLORD,
    OWED,
    PAIR_KICKERS,
    PASS,
    PASSES,
    RANKS,
    SOLO_KICKERS,
    TABLE,
    TURN,
    WINNER,
    base_ranks,
    cards,
    format_action,
    seat_names,
    with_cards,
)

ACROSS, DOWN = 760.0, 540.0
SMALL = 44.0
#: by seats after the observer: where a name stands, and where that player's cards on the table lie
PLACES = ((ACROSS / 2, 378.0), (ACROSS - 120, 36.0), (120.0, 36.0))
TABLE_PLACES = ((ACROSS / 2, 258.0), (ACROSS - 200, 150.0), (200.0, 150.0))


def picture(position: Position, observer: int | None) -> str:
    state = position.state
    viewer = int(state[LANDLORD]) if observer is None else observer
    played = on_the_table(position, observer)
    parts = [panel(8, 8, ACROSS - 16, DOWN - 48, 18, "felt")]
    for i in range(3):
        seat = (viewer + i) % 3
        parts += player_parts(position, observer, seat, i)
        x, y = TABLE_PLACES[i]
        if seat in played:
            spread = 300.0 if i == 0 else 280.0
            shown = [card_face(name) for name in played[seat]]
            parts += fan(shown, x, y, spread) if shown else [words("pass", x, y + 40, 18, class_="soft")]
    can = choices(position, observer)
    if PASS in can:
        parts.append(button(PASS, "pass", ACROSS - 130, 358, 100))
    line = table_line(state, observer)
    parts.append(caption(line, ACROSS / 2, DOWN - 20))
    return whole(position, observer, ACROSS, DOWN, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: list(cards_played(action)) for action in position.legal()}


def cards_played(action: int) -> str:
    """The cards of an action, lowest first."""
    if action == PASS:
        return ""
    if action >= SOLO_KICKERS:
        return cards(with_cards(0, action & RANKS, 1 if action < PAIR_KICKERS else 2))
    return cards(with_cards(0, base_ranks(action), int(COPIES[action >> 8])))


def card_face(name: str, width: float = WIDTH) -> str:
    if name in "BR":  # the jokers
        return face(name, "★", width, red=name == "R")
    return face("10" if name == "T" else name, "", width)


def player_parts(position: Position, observer: int | None, seat: int, place: int) -> list[str]:
    state = position.state
    x, y = PLACES[place]
    hand = int(state[HAND + seat])
    number = f"{hand.bit_count()} card{'' if hand.bit_count() == 1 else 's'}"
    acting = int(state[TURN]) == seat and not state[WINNER]
    label = words(f"{'▸ ' if acting else ''}{seat_names(int(state[LANDLORD]))[seat]}, {number}", x, y, 15, class_="strong")
    if place == 0:
        names, first = cards(hand), starts(position, observer, keys(position))
        can = bool(choices(position, observer)) and position.player == seat
        shown = [square(name, card_face(name), mark(), can=can and name in first) for name in names]
        return [label, *fan(shown, x, y + 16, ACROSS - 60)]
    open_hand = observer is None
    shown = [card_face(name, SMALL) for name in cards(hand)] if open_hand else [back(SMALL)] * hand.bit_count()
    return [label, *fan(shown, x, y + 20, 190, SMALL)]


def on_the_table(position: Position, observer: int | None) -> dict[int, str]:
    """What each seat has played or passed (empty) since the last lead; from the state alone, the base to beat."""
    state = position.state
    found: dict[int, str] = {}
    passes = 0
    for seat, action in seen(position, observer):
        if passes == 2:
            found, passes = {}, 0
        passes = passes + 1 if action == PASS else 0
        more = action >= SOLO_KICKERS
        found[seat] = (found.get(seat, "") if more else "") + cards_played(action)
    if passes == 2 and not state[TABLE]:
        return {}
    if not found and state[TABLE]:
        holder = int(state[TURN]) if state[OWED] else (int(state[TURN]) - 1 - int(state[PASSES])) % 3
        found[holder] = cards_played(int(state[TABLE]))
    return found


def table_line(state: State, observer: int | None) -> str:
    names = seat_names(int(state[LANDLORD]))
    turn, table = int(state[TURN]), int(state[TABLE])
    if state[WINNER]:
        return "the landlord has won" if int(state[WINNER]) - 1 == int(state[LANDLORD]) else "the peasants have won"
    who = f"your turn ({names[turn]})" if observer == turn else names[turn]
    if table == 0:
        return f"{who}: lead" if observer == turn else f"{who} leads"
    if state[OWED]:
        return f"{who}: kickers for {format_action(state, table)}"
    return f"{who} to beat {format_action(state, table)}"
