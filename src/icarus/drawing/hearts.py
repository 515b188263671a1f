"""Hearts: four players around a table, the observer below; its cards face up, the others' as backs."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, fan, mark, suited
from icarus.drawing.kit import caption, choices, clickable, panel, seen, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position, State
from icarus.games._deal import CARDS
from icarus.games.hearts import (
    DEALING,
    DIRECTIONS,
    EXCHANGING,
    HAND,
    LEADER,
    NAMES,
    OVER,
    PASS,
    PASSED,
    PASSING,
    PLAYERS,
    PLAYING,
    POINTS,
    RANKS,
    STAGE,
    SUITS,
    TOTAL,
    TRICK,
    TURN,
    card_name,
    direction,
    received_by,
    receiver,
)

ACROSS, DOWN = 720.0, 540.0
CENTRE = (ACROSS / 2, 234.0)
SMALL = 42.0
#: by seats from the observer, clockwise: where a player's name stands and where its card of the trick lies
PLACES = ((ACROSS / 2, 378.0), (100.0, 190.0), (ACROSS / 2, 30.0), (ACROSS - 100, 190.0))
TRICK_PLACES = ((0, 52), (-78, 0), (0, -52), (78, 0))


def picture(position: Position, observer: int | None) -> str:
    viewer = 2 if observer is None else observer
    parts = [panel(8, 8, ACROSS - 16, DOWN - 48, 18, "felt")]
    for i in range(PLAYERS):
        seat = (viewer + i) % PLAYERS
        parts += player_parts(position, observer, seat, i)
    parts += trick_parts(position, observer, viewer)
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, DOWN - 20))
    return whole(position, observer, ACROSS, DOWN, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [card_name(action % PASS)] for action in position.legal()}


def card_face(card: int, width: float = WIDTH, dim: bool = False) -> str:
    return suited(RANKS[card % 13], SUITS[card // 13], width, dim)


def cards_of(mask: int) -> list[int]:
    return [card for card in range(CARDS) if mask >> card & 1]


def player_parts(position: Position, observer: int | None, seat: int, place: int) -> list[str]:
    """A player's name, points and cards."""
    state = position.state
    x, y = PLACES[place]
    acting = int(state[TURN]) == seat and int(state[STAGE]) in (PASSING, PLAYING)
    hand = int(state[HAND + seat])
    points = f"{int(state[TOTAL + seat])} points"
    if int(state[STAGE]) == PLAYING and state[POINTS + seat]:
        points += f", {int(state[POINTS + seat])} now"
    name = f"{'▸ ' if acting else ''}{NAMES[seat]}"
    if place == 0:  # the observer itself, or somebody for whom all hands are open
        heading = words(f"{name}, {points}", x, y - 6, 15, class_="strong")
        return [heading, *own_hand(position, observer, seat, x, y, ACROSS - 60, WIDTH)]
    number = f"{hand.bit_count()} card{'' if hand.bit_count() == 1 else 's'}"
    heading = words(f"{name}, {points}" + (f", {number}" if place == 2 and hand else ""), x, y + 2, 15, class_="strong")
    below = [words(number, x, y + 104, 13, class_="soft")] if hand and place != 2 else []
    cards = [card_face(card, SMALL) for card in cards_of(hand)] if observer is None else [back(SMALL)] * hand.bit_count()
    spread = 300.0 if place == 2 else 160.0
    shown = fan(cards, x, y + 20, spread, SMALL)
    return [heading, *shown, *below]


def own_hand(position: Position, observer: int | None, seat: int, x: float, y: float, space: float, width: float) -> list[str]:
    state = position.state
    can = choices(position, observer) if position.player == seat else {}
    chosen = int(state[PASSED + seat]) if int(state[STAGE]) in (PASSING, EXCHANGING) else 0
    received = received_by(state, seat)
    cards, lifted = [], []
    for card in cards_of(int(state[HAND + seat])):
        action = card + (PASS if int(state[STAGE]) == PASSING else 0)
        shown = card_face(card, width, dim=bool(can) and action not in can and not chosen >> card & 1)
        if received >> card & 1:
            shown += tag("circle", cx=0.2 * width, cy=HEIGHT / WIDTH * width - 10, r=4, fill="var(--accent)")
        if action in can:
            shown = clickable(action, can[action], shown, mark(width), class_="can", data_square=card_name(card))
        cards.append(shown)
        lifted.append(bool(chosen >> card & 1))
    return fan(cards, x, y + 10, space, width, lifted)


def trick_parts(position: Position, observer: int | None, viewer: int) -> list[str]:
    """The cards on the table; between two tricks the last one, a little paler."""
    state = position.state
    if int(state[STAGE]) == PASSING:
        return passing_parts(state, observer)
    trick, leader = int(state[TRICK]), int(state[LEADER])
    cards = [((leader + i) % PLAYERS, (trick >> 8 * i & 255) - 1) for i in range(PLAYERS) if trick >> 8 * i]
    old = not cards
    if old and int(state[STAGE]) in (PLAYING, DEALING, OVER):
        played = [(player, move) for player, move in seen(position, observer) if player >= 0]
        cards = [(player, move) for player, move in played[-PLAYERS:] if move < PASS]
    parts = []
    for seat, card in cards:
        dx, dy = TRICK_PLACES[(seat - viewer) % PLAYERS]
        width = 0.95 * WIDTH
        x, y = CENTRE[0] + dx - width / 2, CENTRE[1] + dy - width * HEIGHT / WIDTH / 2
        parts.append(tag("g", at(x, y, card_face(card, width)), opacity=0.45 if old else None))
    return parts


def passing_parts(state: State, observer: int | None) -> list[str]:
    text = f"three cards are passed {DIRECTIONS[int(direction(state))]}"
    if observer is not None:
        text = f"choose three cards for {NAMES[int(receiver(state, observer))]}"
    return [words(text, *CENTRE, 18, class_="soft")]


def table_line(position: Position, observer: int | None) -> str:
    state = position.state
    stage, turn = int(state[STAGE]), int(state[TURN])
    if stage == OVER:
        best = min(int(state[TOTAL + seat]) for seat in range(PLAYERS))
        return f"the game is over: {' and '.join(NAMES[s] for s in range(PLAYERS) if state[TOTAL + s] == best)} won"
    if stage in (DEALING, EXCHANGING):
        return "the cards are dealt" if stage == DEALING else "the cards are exchanged"
    what = "passes" if stage == PASSING else "leads" if not state[TRICK] else "plays"
    if observer == turn:
        return f"your turn ({NAMES[turn]}): {'pass a card' if stage == PASSING else 'lead' if what == 'leads' else 'play a card'}"
    if stage == PASSING and observer is not None:
        return "the others choose cards to pass"
    return f"{NAMES[turn]} {what}"
