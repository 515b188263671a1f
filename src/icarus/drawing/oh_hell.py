"""Oh Hell: the others in a row above, the trick and the trump in the middle, the observer's hand below."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, fan, mark
from icarus.drawing.hearts import card_face, cards_of
from icarus.drawing.kit import PUBLIC, button, caption, choices, clickable, panel, seen, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.hearts import card_name
from icarus.games.oh_hell import BID, BIDDING, Table, points_of, trick_of

ACROSS, DOWN = 640.0, 470.0
SMALL = 34.0
BUTTONS = 7  #: in a row


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    players, viewer = int(state.players), seat or 0
    parts = [panel(8, 8, ACROSS - 16, DOWN - 16, 18, "felt")]
    width = (ACROSS - 30) / (players - 1)
    for i in range(1, players):
        who, x = (viewer + i) % players, 15 + width * (i - 0.5)
        hand = int(state.hands[who])
        cards = [card_face(card, SMALL) for card in cards_of(hand)] if observer is None else [back(SMALL)] * hand.bit_count()
        parts.append(words(name_of(position, who), x, 30, 14, class_="strong"))
        parts.append(words(told_of(state, who), x, 50, 13, class_="soft"))
        parts += fan(cards, x, 64, width - 14, SMALL)
    parts += trick_parts(position, observer)
    parts.append(words(f"{name_of(position, viewer)}, {told_of(state, viewer)}", ACROSS / 2, 318, 15, class_="strong"))
    parts += fan(own_cards(position, observer, viewer), ACROSS / 2, 336, ACROSS - 60)
    bids = [(action, label) for action, label in choices(position, observer).items() if action >= BID]
    for i, (action, label) in enumerate(bids):
        parts.append(button(action, label, 26 + 85 * (i % BUTTONS), DOWN + 4 + 46 * (i // BUTTONS), 78))
    down = DOWN + 4 + 46 * -(-len(bids) // BUTTONS)
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, down + 16))
    return whole(position, observer, ACROSS, down + 36, parts, line)


def name_of(position: Position, who: int) -> str:
    acting = not position.is_terminal and position.player == who
    return f"{'▸ ' if acting else ''}{position.game.player_labels[who]}"


def told_of(state: Table, who: int) -> str:
    bid = int(state.bids[who]) - 1
    return f"{int(state.won[who])} taken" if bid < 0 else f"bid {bid}, {int(state.won[who])} taken"


def own_cards(position: Position, observer: int | None, who: int) -> list[str]:
    state = position.named
    if observer not in (None, who):
        return [back()] * int(state.hands[who]).bit_count()
    can = choices(position, observer) if position.player == who and int(state.stage) != BIDDING else {}
    cards = []
    for card in cards_of(int(state.hands[who])):
        shown = card_face(card, dim=bool(can) and card not in can)
        if card in can:
            shown = clickable(card, can[card], shown, mark(), class_="can", data_square=card_name(card))
        cards.append(shown)
    return cards


def trick_parts(position: Position, observer: int | None) -> list[str]:
    """The trump at the left; the trick, or the last one, a little paler, in the order of play."""
    state = position.named
    players, top = int(state.players), 178.0
    parts = [words("trump", 66, top - 12, 13, class_="soft"), at(66 - WIDTH / 2, top, card_face(int(state.trump)))]
    cards = trick_of(state)
    old = not cards and int(state.tricks) > 0
    if old:
        cards = [(player, move) for player, move in seen(position, observer) if move < BID][-players:]
    step = (ACROSS - 140) / players
    for i, (who, card) in enumerate(cards):
        x = 130 + step * (i + 0.5)
        parts.append(tag("g", at(x - WIDTH / 2, top, card_face(card)), opacity=0.45 if old else None))
        parts.append(words(position.game.player_labels[who], x, top + HEIGHT + 14, 13, class_="soft"))
    return parts


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [card_name(action)] for action in position.legal() if action < BID}


def table_line(position: Position, observer: int | None) -> str:
    state, names = position.named, position.game.player_labels
    if position.is_terminal:
        return "points: " + ", ".join(f"{name} {points_of(state, i)}" for i, name in enumerate(names))
    turn = position.player
    bidding = int(state.stage) == BIDDING
    if observer == turn and observer != PUBLIC:
        return f"your turn: {'bid' if bidding else 'play a card' if state.trick else 'lead'}"
    return f"{names[turn]} {'bids' if bidding else 'plays' if state.trick else 'leads'}"
