"""Hearts: four players around a table, the observer below; its cards face up, the others' as backs."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, fan, mark, rows, suited
from icarus.drawing.kit import PUBLIC, Several, caption, choices, clickable, panel, seen, square, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games._deal import CARDS
from icarus.games.hearts import (
    DEALING,
    DIRECTIONS,
    EXCHANGING,
    NAMES,
    OVER,
    PASS,
    PASSING,
    PLAYERS,
    PLAYING,
    RANKS,
    SUITS,
    Match,
    card_name,
    direction,
    received_by,
    receiver,
)

ACROSS, DOWN = 720.0, 540.0
PHONE, PHONE_DOWN = 380.0, 562.0
CENTRE = (ACROSS / 2, 234.0)
SMALL = 42.0
#: by seats from the observer, clockwise: where a player's name stands and where its card of the trick lies
PLACES = ((ACROSS / 2, 378.0), (100.0, 190.0), (ACROSS / 2, 30.0), (ACROSS - 100, 190.0))
TRICK_PLACES = ((0, 52), (-78, 0), (0, -52), (78, 0))


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    viewer = 2 if seat is None else seat
    parts = [panel(8, 8, ACROSS - 16, DOWN - 48, 18, "felt")]
    for i in range(PLAYERS):
        parts += player_parts(position, observer, (viewer + i) % PLAYERS, i)
    parts += trick_parts(position, observer, viewer, CENTRE)
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, DOWN - 20))
    return whole(position, observer, ACROSS, DOWN, parts, line)


def narrow(position: Position, observer: int | None, seat: int | None) -> str:
    """For a phone: the others side by side above, the own hand in two rows."""
    viewer = 2 if seat is None else seat
    state = position.named
    parts = [panel(4, 4, PHONE - 8, PHONE_DOWN - 52, 14, "felt")]
    for i in range(1, PLAYERS):
        player, x = (viewer + i) % PLAYERS, PHONE * (i - 0.5) / 3
        hand = int(state.hands[player])
        cards = [card_face(card, 28) for card in cards_of(hand)] if observer is None else [back(28)] * hand.bit_count()
        parts.append(words(name_of(state, player), x, 24, 15, class_="strong"))
        parts.append(words(points_of(state, player), x, 43, 13, class_="soft"))
        parts += fan(cards, x, 56, PHONE / 3 - 12, 28)
    parts += trick_parts(position, observer, viewer, (PHONE / 2, 212.0))
    heading = f"{name_of(state, viewer)}, {points_of(state, viewer)}"
    parts.append(words(heading, PHONE / 2, 326, 15, class_="strong"))
    if observer == PUBLIC:
        parts += rows([back(50)] * int(state.hands[viewer]).bit_count(), PHONE / 2, 342, PHONE - 20, 50)
    else:
        own, lifted = own_cards(position, observer, viewer, 50)
        parts += rows(own, PHONE / 2, 342, PHONE - 20, 50, lifted)
    line = table_line(position, observer)
    parts.append(caption(line, PHONE / 2, PHONE_DOWN - 22))
    return whole(position, observer, PHONE, PHONE_DOWN, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [card_name(action % PASS)] for action in position.legal()}


def several(position: Position) -> Several | None:
    """The cards to pass are chosen together."""
    state, seat = position.named, position.player
    if int(state.stage) != PASSING:
        return None
    left = int(state.hands[seat]) & ~int(state.passed[seat])
    number = 3 - int(state.passed[seat]).bit_count()
    return Several([card_name(card) for card in cards_of(left)], f"Pass to {NAMES[int(receiver(state, seat))]}", number)


def card_face(card: int, width: float = WIDTH, dim: bool = False) -> str:
    return suited(RANKS[card % 13], SUITS[card // 13], width, dim)


def cards_of(mask: int) -> list[int]:
    return [card for card in range(CARDS) if mask >> card & 1]


def player_parts(position: Position, observer: int | None, seat: int, place: int) -> list[str]:
    """A player's name, points and cards."""
    state = position.named
    x, y = PLACES[place]
    hand = int(state.hands[seat])
    name, points = name_of(state, seat), points_of(state, seat)
    if place == 0 and observer == PUBLIC:
        heading = words(f"{name}, {points}", x, y - 6, 15, class_="strong")
        return [heading, *fan([back()] * hand.bit_count(), x, y + 10, ACROSS - 60)]
    if place == 0:  # the observer itself, or somebody for whom all hands are open
        heading = words(f"{name}, {points}", x, y - 6, 15, class_="strong")
        own, lifted = own_cards(position, observer, seat, WIDTH)
        return [heading, *fan(own, x, y + 10, ACROSS - 60, WIDTH, lifted)]
    number = f"{hand.bit_count()} card{'' if hand.bit_count() == 1 else 's'}"
    heading = words(f"{name}, {points}" + (f", {number}" if place == 2 and hand else ""), x, y + 2, 15, class_="strong")
    below = [words(number, x, y + 104, 13, class_="soft")] if hand and place != 2 else []
    cards = [card_face(card, SMALL) for card in cards_of(hand)] if observer is None else [back(SMALL)] * hand.bit_count()
    spread = 300.0 if place == 2 else 160.0
    shown = fan(cards, x, y + 20, spread, SMALL)
    return [heading, *shown, *below]


def name_of(state: Match, seat: int) -> str:
    acting = int(state.turn) == seat and int(state.stage) in (PASSING, PLAYING)
    return f"{'▸ ' if acting else ''}{NAMES[seat]}"


def points_of(state: Match, seat: int) -> str:
    points = f"{int(state.totals[seat])} points"
    return f"{points}, {int(state.points[seat])} now" if int(state.stage) == PLAYING and state.points[seat] else points


def own_cards(position: Position, observer: int | None, seat: int, width: float) -> tuple[list[str], list[bool]]:
    """The cards of a hand, and which of them are lifted."""
    state = position.named
    can = choices(position, observer) if position.player == seat else {}
    passing = int(state.stage) == PASSING
    chosen = int(state.passed[seat]) if int(state.stage) in (PASSING, EXCHANGING) else 0
    received = received_by(state, seat)
    cards, lifted = [], []
    for card in cards_of(int(state.hands[seat])):
        action = card + PASS if passing else card
        shown = card_face(card, width, dim=bool(can) and not passing and action not in can)
        if received >> card & 1:
            shown += tag("circle", cx=0.2 * width, cy=HEIGHT / WIDTH * width - 10, r=4, fill="var(--accent)")
        if can and passing and not chosen >> card & 1:
            shown = square(card_name(card), shown, mark(width), can=True)
        elif action in can and not passing:
            shown = clickable(action, can[action], shown, mark(width), class_="can", data_square=card_name(card))
        cards.append(shown)
        lifted.append(bool(chosen >> card & 1))
    return cards, lifted


def trick_parts(position: Position, observer: int | None, viewer: int, centre: tuple[float, float]) -> list[str]:
    """The cards on the table; between two tricks the last one, a little paler."""
    state = position.named
    if int(state.stage) == PASSING:
        return passing_parts(state, observer, centre)
    trick, leader = int(state.trick), int(state.leader)
    cards = [((leader + i) % PLAYERS, (trick >> 8 * i & 255) - 1) for i in range(PLAYERS) if trick >> 8 * i]
    old = not cards
    if old and int(state.stage) in (PLAYING, DEALING, OVER):
        played = [(player, move) for player, move in seen(position, observer) if player >= 0]
        cards = [(player, move) for player, move in played[-PLAYERS:] if move < PASS]
    parts = []
    for seat, card in cards:
        dx, dy = TRICK_PLACES[(seat - viewer) % PLAYERS]
        width = 0.95 * WIDTH
        x, y = centre[0] + dx - width / 2, centre[1] + dy - width * HEIGHT / WIDTH / 2
        parts.append(tag("g", at(x, y, card_face(card, width)), opacity=0.45 if old else None))
    return parts


def passing_parts(state: Match, observer: int | None, centre: tuple[float, float]) -> list[str]:
    text = f"three cards are passed {DIRECTIONS[int(direction(state))]}"
    if observer not in (None, PUBLIC):
        text = f"choose three cards for {NAMES[int(receiver(state, observer))]}"
    return [words(text, *centre, 18, class_="soft")]


def table_line(position: Position, observer: int | None) -> str:
    state = position.named
    stage, turn = int(state.stage), int(state.turn)
    if stage == OVER:
        best = min(int(state.totals[seat]) for seat in range(PLAYERS))
        return f"the game is over: {' and '.join(NAMES[s] for s in range(PLAYERS) if state.totals[s] == best)} won"
    if stage in (DEALING, EXCHANGING):
        return "the cards are dealt" if stage == DEALING else "the cards are exchanged"
    what = "passes" if stage == PASSING else "leads" if not state.trick else "plays"
    if observer == turn:
        task = "choose the cards to pass" if stage == PASSING else "lead" if what == "leads" else "play a card"
        return f"your turn ({NAMES[turn]}): {task}"
    if stage == PASSING and observer not in (None, PUBLIC):
        return "the others choose cards to pass"
    return f"{NAMES[turn]} {what}"
