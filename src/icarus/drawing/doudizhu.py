"""Dou Di Zhu: three players, the observer below; what each has played since the last lead lies before it.

Suits do not matter, so the cards show ranks only.  The key of a card is its rank; the cards of a play are chosen together, in any
order, its kickers too.
"""

from __future__ import annotations

from icarus.drawing.cards import WIDTH, back, face, fan, mark, rows
from icarus.drawing.kit import PUBLIC, Several, button, caption, choices, panel, seen, square, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.doudizhu import (
    COPIES,
    PAIR_KICKERS,
    PASS,
    RANKS,
    SOLO_KICKERS,
    Round,
    base_ranks,
    cards,
    format_action,
    seat_names,
    with_cards,
)

ACROSS, DOWN = 760.0, 540.0
PHONE, PHONE_DOWN = 380.0, 624.0
SMALL = 44.0
#: by seats after the observer: where a name stands, and where that player's cards on the table lie
PLACES = ((ACROSS / 2, 378.0), (ACROSS - 120, 36.0), (120.0, 36.0))
TABLE_PLACES = ((ACROSS / 2, 258.0), (ACROSS - 200, 150.0), (200.0, 150.0))


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    viewer = int(state.landlord) if seat is None else seat
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


def narrow(position: Position, observer: int | None, seat: int | None) -> str:
    """For a phone: the others above, the own hand in rows."""
    state = position.named
    viewer = int(state.landlord) if seat is None else seat
    played = on_the_table(position, observer)
    parts = [panel(4, 4, PHONE - 8, PHONE_DOWN - 52, 14, "felt")]
    for i, x in ((0, PHONE / 2), (1, 0.75 * PHONE), (2, 0.25 * PHONE)):
        player = (viewer + i) % 3
        hand = int(state.hands[player])
        name, number = heading(state, player)
        if i:
            shown = [card_face(card, 28) for card in cards(hand)] if observer is None else [back(28)] * hand.bit_count()
            parts += [
                words(name, x, 24, 15, class_="strong"),
                words(number, x, 43, 13, class_="soft"),
                *fan(shown, x, 56, 170, 28),
            ]
        else:
            parts.append(words(f"{name}, {number}", x, 302, 15, class_="strong"))
        if player in played:
            faces = [card_face(card, 44) for card in played[player]]
            y = 118.0 if i else 206.0
            parts += fan(faces, x, y, 164 if i else 350, 44) if faces else [words("pass", x, y + 30, 17, class_="soft")]
    can = choices(position, observer)
    hand = int(state.hands[viewer])
    if observer == PUBLIC:
        own = [back(50)] * hand.bit_count()
    else:
        mine = bool(can) and position.player == viewer
        own = [square(name, card_face(name, 50), mark(50), can=mine) for name in cards(hand)]
    parts += rows(own, PHONE / 2, 318, PHONE - 20, 50)
    if PASS in can:
        parts.append(button(PASS, "pass", PHONE - 104, 250, 92, 42))
    line = table_line(state, observer)
    parts.append(caption(line, PHONE / 2, PHONE_DOWN - 22))
    return whole(position, observer, PHONE, PHONE_DOWN, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: list(cards_played(action)) for action in position.legal()}


def several(position: Position) -> Several | None:
    """The cards of a play are chosen together."""
    return Several(list(cards(int(position.named.hands[position.player]))), "Play")


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


def heading(state: Round, seat: int) -> tuple[str, str]:
    """A player's name, and how many cards it holds."""
    number = int(state.hands[seat]).bit_count()
    acting = int(state.turn) == seat and not state.winner
    return f"{'▸ ' if acting else ''}{seat_names(int(state.landlord))[seat]}", f"{number} card{'' if number == 1 else 's'}"


def player_parts(position: Position, observer: int | None, seat: int, place: int) -> list[str]:
    state = position.named
    x, y = PLACES[place]
    hand = int(state.hands[seat])
    label = words(", ".join(heading(state, seat)), x, y, 15, class_="strong")
    if place == 0:
        if observer == PUBLIC:
            return [label, *fan([back()] * hand.bit_count(), x, y + 16, ACROSS - 60)]
        can = bool(choices(position, observer)) and position.player == seat
        shown = [square(name, card_face(name), mark(), can=can) for name in cards(hand)]
        return [label, *fan(shown, x, y + 16, ACROSS - 60)]
    open_hand = observer is None
    shown = [card_face(name, SMALL) for name in cards(hand)] if open_hand else [back(SMALL)] * hand.bit_count()
    return [label, *fan(shown, x, y + 20, 190, SMALL)]


def on_the_table(position: Position, observer: int | None) -> dict[int, str]:
    """What each seat has played or passed (empty) since the last lead; from the state alone, the base to beat."""
    state = position.named
    found: dict[int, str] = {}
    passes = 0
    for seat, action in seen(position, observer):
        if passes == 2:
            found, passes = {}, 0
        passes = passes + 1 if action == PASS else 0
        more = action >= SOLO_KICKERS
        found[seat] = (found.get(seat, "") if more else "") + cards_played(action)
    if passes == 2 and not state.table:
        return {}
    if not found and state.table:
        holder = int(state.turn) if state.owed else (int(state.turn) - 1 - int(state.passes)) % 3
        found[holder] = cards_played(int(state.table))
    return found


def table_line(state: Round, observer: int | None) -> str:
    names = seat_names(int(state.landlord))
    turn, table = int(state.turn), int(state.table)
    if state.winner:
        return "the landlord has won" if int(state.winner) - 1 == int(state.landlord) else "the peasants have won"
    who = f"your turn ({names[turn]})" if observer == turn else names[turn]
    if table == 0:
        return f"{who}: lead" if observer == turn else f"{who} leads"
    if state.owed:
        return f"{who}: kickers for {format_action(state, table)}"
    return f"{who} to beat {format_action(state, table)}"
