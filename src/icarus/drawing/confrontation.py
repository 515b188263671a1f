"""The Confrontation: the map with the observer's home below, its own characters by name, the others as backs.

A hidden piece tells (as a tooltip) whom it can be, which the observer could work out.  A movement is clicked as character, then
region; cards and answers are single clicks.
"""

from __future__ import annotations

from typing import NamedTuple

from icarus.drawing.kit import PUBLIC, button, caption, choices, clickable, group, ink_on, panel, square, starts, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.confrontation.actions import PICK, PLAY, SOMEBODY
from icarus.games.confrontation.board import HOMES, MOUNTAINS, REGIONS, RIVER, TOWARDS_SHIRE, TUNNEL, TUNNEL_ENDS
from icarus.games.confrontation.cast import CARDS, CHARACTERS, EACH, NO_CARD, STRENGTH
from icarus.games.confrontation.people import (
    PLAYERS,
    Knowledge,
    actor_of,
    card_name,
    characters,
    fighter_name,
    knowledge,
    question,
    shown,
    winner_name,
)
from icarus.games.confrontation.position import NOWHERE, Situation


class Plan(NamedTuple):
    """Where things are: the map in the middle, a hand above and below it."""

    region: tuple[float, float]  #: width and height
    gap: tuple[float, float]
    chip: tuple[float, float]
    columns: int  #: chips side by side in a region
    card: tuple[float, float]
    cards: int  #: in one row
    margin: float
    label: float  #: size of the names of regions

    @property
    def across(self) -> float:
        return 4 * self.region[0] + 3 * self.gap[0] + 2 * self.margin

    @property
    def hand(self) -> float:
        """The height of a hand."""
        return (self.card[1] + 5) * -(-EACH // self.cards)

    @property
    def top(self) -> float:
        """Where the map begins."""
        return self.hand + 40

    @property
    def bottom(self) -> float:
        return self.top + 7 * self.region[1] + 6 * self.gap[1]

    @property
    def down(self) -> float:
        return self.bottom + self.hand + 84


DESK = Plan((180.0, 96.0), (14.0, 16.0), (86.0, 29.0), 2, (78.0, 50.0), 9, 16.0, 14.0)
PHONE = Plan((90.0, 112.0), (5.0, 10.0), (86.0, 41.0), 1, (68.0, 44.0), 5, 4.0, 12.5)
COLOURS = ("gold", "dark")
STRENGTHS = {name: int(strength) for name, strength in zip(CHARACTERS, STRENGTH, strict=True)}
NARROW_NAMES = {"Misty Mountains": "Misty Mts.", "Gap of Rohan": "G. of Rohan"}
SHORT = {"Flying Nazgul": "Nazgul", "Black Rider": "Bl. Rider", "The Eye of Sauron": "Eye of Sauron"}


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    return table(position, observer, seat, DESK)


def narrow(position: Position, observer: int | None, seat: int | None) -> str:
    """For a phone: one character below the other, cards in two rows."""
    return table(position, observer, seat, PHONE)


def table(position: Position, observer: int | None, seat: int | None, plan: Plan) -> str:
    state = position.named
    viewer = seat or 0
    sides = [knowledge(state, side, eyes(observer, side)) for side in (0, 1)]
    first = starts(position, observer, keys(position))
    parts = ways(viewer, plan)
    for region in range(len(REGIONS)):
        parts.append(region_part(state, observer, viewer, region, sides, first, plan))
    parts += tunnel_parts(state, observer, viewer, sides, first, plan)
    can = choices(position, observer)
    for place, side in enumerate((viewer, 1 - viewer)):
        parts += hand_parts(position, observer, side, own=place == 0, can=can, plan=plan)
    parts += battle_parts(state, observer, viewer, plan)
    parts += answer_parts(can, plan)
    line = table_line(state, observer)
    parts.append(caption(line, plan.across / 2, plan.down - 20))
    return whole(position, observer, plan.across, plan.down, parts, line)


def eyes(observer: int | None, side: int) -> int | None:
    """With whose eyes one looks at a side: a stranger knows of it what the other side does."""
    return 1 - side if observer == PUBLIC else observer


def keys(position: Position) -> dict[int, list[str]]:
    return {
        action: [CHARACTERS[action >> 8], REGIONS[action & 15]]
        for action in position.legal()
        if action >> 8 < SOMEBODY  # a movement or a retreat
    }


# --- the map ---------------------------------------------------------------------------------------------------------


def corner(region: int, viewer: int, plan: Plan) -> tuple[float, float]:
    """The upper left corner of a region; the viewer's home is the lowest row."""
    x, y = divmod(region, 4)
    row, number = x + y, 4 - abs(3 - x - y)
    column = min(3, x + y) - x
    if viewer == 1:
        row, column = 6 - row, number - 1 - column
    step, down = plan.region[0] + plan.gap[0], plan.region[1] + plan.gap[1]
    if number == 1 and plan.columns == 1:  # the homes hold four: two and two
        return plan.across / 2 - plan.region[0] - plan.gap[0] / 2, plan.top + row * down
    return plan.margin + (4 - number) * step / 2 + column * step, plan.top + row * down


def size(region: int, plan: Plan) -> tuple[float, float]:
    """The width and height of a region."""
    wide = plan.columns == 1 and region in HOMES
    return (2 * plan.region[0] + plan.gap[0], plan.region[1]) if wide else plan.region


def middle(region: int, viewer: int, plan: Plan) -> tuple[float, float]:
    (left, top), (width, height) = corner(region, viewer, plan), size(region, plan)
    return left + width / 2, top + height / 2


def ways(viewer: int, plan: Plan) -> list[str]:
    """The lines between regions; the river and the tunnel, which only Light uses."""
    pairs = [(start, end) for start in range(16) for end in range(16) if int(TOWARDS_SHIRE[start]) >> end & 1]
    roads = "".join(line_between(start, end, viewer, plan) for start, end in pairs)
    river = "".join(line_between(int(start), int(end), viewer, plan) for start, end in RIVER)
    tunnel = line_between(int(TUNNEL_ENDS[0]), int(TUNNEL_ENDS[1]), viewer, plan)
    return [
        tag("path", d=roads, stroke="var(--line)", stroke_width=5, fill="none"),
        tag("path", d=river, stroke="var(--one)", stroke_opacity=0.55, stroke_width=7, fill="none"),
        tag("path", d=tunnel, stroke="var(--edge)", stroke_width=4, stroke_dasharray="7 6", fill="none"),
    ]


def line_between(start: int, end: int, viewer: int, plan: Plan) -> str:
    (a, b), (c, d) = middle(start, viewer, plan), middle(end, viewer, plan)
    return f"M{a:.1f},{b:.1f}L{c:.1f},{d:.1f}"


def region_part(
    state: Situation, observer: int | None, viewer: int, region: int, sides: list[Knowledge], first: set[str], plan: Plan
) -> str:
    (left, top), (width, height) = corner(region, viewer, plan), size(region, plan)
    mountain = region in MOUNTAINS
    fighting = int(state.square) == region
    name = REGIONS[region] if plan.columns > 1 else NARROW_NAMES.get(REGIONS[region], REGIONS[region])
    parts = [
        tag(
            "rect",
            x=left,
            y=top,
            width=width,
            height=height,
            rx=14,
            fill="var(--shade)" if mountain else "var(--board)",
            stroke="var(--accent)" if fighting else "var(--edge)",
            stroke_width=4 if fighting else 1.2,
        ),
        words(("▲ " if mountain else "") + name, left + width / 2, top + 14, plan.label, class_="soft"),
        tag("rect", x=left + 3, y=top + 3, width=width - 6, height=height - 6, rx=12, class_="mark"),
    ]
    return square(REGIONS[region], *parts, *pieces(state, observer, region, sides, (left, top), width, first, plan))


def pieces(
    state: Situation,
    observer: int | None,
    place: int,
    sides: list[Knowledge],
    corner: tuple[float, float],
    width: float,
    first: set[str],
    plan: Plan,
) -> list[str]:
    """The chips in one place, in as many columns as it is wide, Light's first."""
    chips = [(side, name) for side in (0, 1) for name in shown(sides[side], place)]
    parts = []
    columns = int(width // plan.chip[0])
    rows = -(-len(chips) // columns)
    left, top = corner
    for i, (side, name) in enumerate(chips):
        together = min(columns, len(chips) - i // columns * columns)  # in this row
        x = left + width / 2 + (i % columns - together / 2) * (plan.chip[0] + 4) + 2
        y = top + (26 if rows > 1 else 44) + (i // columns) * (plan.chip[1] + 3)
        if name == "?":
            possible = ", ".join(characters(sides[side].candidates[place]))
            parts.append(group(tag("title", f"can be {possible}"), chip(x, y, side, plan, "")))
        elif observer in (None, side):
            drawn = chip(x, y, side, plan, name, bool(known_up(state, name)))
            parts.append(square(name, drawn, chip_mark(x, y, plan), can=name in first))
        else:
            parts.append(chip(x, y, side, plan, name, bool(known_up(state, name))))
    return parts


def known_up(state: Situation, name: str) -> int:
    """Has this character been revealed in this turn?"""
    return int(state.face_up) >> CHARACTERS.index(name) & 1


def chip(x: float, y: float, side: int, plan: Plan, name: str, up: bool = False) -> str:
    """A piece: name and strength, or a back."""
    colour = COLOURS[side]
    box = tag(
        "rect",
        x=x,
        y=y,
        width=plan.chip[0],
        height=plan.chip[1],
        rx=7,
        fill="var(--card)" if name else f"var(--{colour})",
        stroke="var(--accent)" if up else f"var(--{colour if name else 'edge'})",
        stroke_width=3 if up else 1.8,
    )
    middle_y = y + plan.chip[1] / 2
    if not name:
        return box + words("?", x + plan.chip[0] / 2, middle_y, 15, style=f"fill:var(--{ink_on(colour)});font-weight:600")
    ink = "fill:var(--black)"
    label = words(SHORT.get(name, name), x + 4, middle_y, 12.5, "start", style=ink)
    return box + label + words(str(STRENGTHS[name]), x + plan.chip[0] - 4, middle_y, 13, "end", style=ink + ";font-weight:700")


def chip_mark(x: float, y: float, plan: Plan) -> str:
    return tag("rect", x=x - 2, y=y - 2, width=plan.chip[0] + 4, height=plan.chip[1] + 4, rx=8, class_="mark")


def tunnel_parts(
    state: Situation, observer: int | None, viewer: int, sides: list[Knowledge], first: set[str], plan: Plan
) -> list[str]:
    """Whoever is on the way through Moria."""
    if not sides[0].number[int(TUNNEL)]:
        return []
    (a, b), (c, d) = (middle(int(end), viewer, plan) for end in TUNNEL_ENDS)
    left, top = (a + c - plan.region[0]) / 2, (b + d) / 2 - 57
    return pieces(state, observer, int(TUNNEL), sides, (left, top), plan.region[0], first, plan)


# --- the cards -------------------------------------------------------------------------------------------------------


def hand_parts(position: Position, observer: int | None, side: int, own: bool, can: dict[int, str], plan: Plan) -> list[str]:
    """The nine cards of a side; those that were used lie pale, for everybody to see."""
    state = position.named
    used, top = int(state.used[side]), plan.bottom + 38 if own else 12.0
    left = (plan.across - plan.cards * (plan.card[0] + 5) + 5) / 2
    down = card_name(state, state.cards, side, eyes(observer, side))
    parts = []
    for card, name in enumerate(CARDS[side]):
        x, y = left + card % plan.cards * (plan.card[0] + 5), top + card // plan.cards * (plan.card[1] + 5)
        playing = down not in ("none", "face down") and int(state.cards[side]) == card
        action = next((a for a in (PLAY + 16 * side + card, PICK + 16 * side + card) if a in can), None)
        drawn = combat_card(x, y, side, name, plan, pale=bool(used >> card & 1) or playing)
        if action is not None:
            frame = tag("rect", x=x + 1, y=y + 1, width=plan.card[0] - 2, height=plan.card[1] - 2, rx=6, class_="mark")
            drawn = clickable(action, can[action], drawn, frame, class_="can")
        parts.append(drawn)
    count = EACH - used.bit_count() - (int(state.cards[side]) != NO_CARD)
    label = f"{PLAYERS[side]}, {count} cards left"
    parts.append(words(label, plan.across / 2, top + (-15 if own else plan.hand + 10), 13, class_="soft"))
    return parts


def combat_card(x: float, y: float, side: int, name: str, plan: Plan, pale: bool = False) -> str:
    width, height = plan.card
    box = panel(x, y, width, height, 7, "card")
    strip = tag("rect", x=x, y=y, width=width, height=7, rx=3, fill=f"var(--{COLOURS[side]})")
    style = "fill:var(--black);font-weight:600"
    number = name.isdigit()
    lines = [name] if number else SHORT.get(name, name).split(" ", 1)
    first = y + height / 2 + 4 - 7 * (len(lines) - 1)
    text = [words(line, x + width / 2, first + 14 * i, 20 if number else 12, style=style) for i, line in enumerate(lines)]
    return group(box, strip, *text, opacity=0.4 if pale else None)


def battle_parts(state: Situation, observer: int | None, viewer: int, plan: Plan) -> list[str]:
    """Who fights whom, and the cards on the table, at the upper left of the map: side by side, or one below the other."""
    region = int(state.square)
    if region in (NOWHERE, int(TUNNEL)):
        return []
    left, top, beside = plan.margin, plan.top, plan.columns > 1
    pair = plan.chip[1] + plan.card[1] + 12
    width = 2 * plan.chip[0] + 14 if beside else plan.chip[0] + 6
    title = f"battle in {REGIONS[region]}" if beside else "battle"
    parts = [
        panel(left, top, width, 36 + (pair if beside else 2 * pair), 12),
        words(title, left + width / 2, top + 16, 13, class_="strong"),
    ]
    for i, side in enumerate((viewer, 1 - viewer)):
        x, y = (left + 6 + (plan.chip[0] + 2) * i, top + 30) if beside else (left + 3, top + 30 + pair * i)
        name, card = fighter_name(state, side), card_name(state, state.cards, side, eyes(observer, side))
        parts.append(chip(x, y, side, plan, "" if name == "?" else name))
        middle = x + (plan.chip[0] - plan.card[0]) / 2
        if card == "face down":
            size = {"width": plan.card[0], "height": plan.card[1]}
            parts.append(tag("rect", x=middle, y=y + plan.chip[1] + 5, rx=7, fill="var(--back)", **size))
        elif card != "none":
            parts.append(combat_card(middle, y + plan.chip[1] + 5, side, card, plan))
    return parts


def answer_parts(can: dict[int, str], plan: Plan) -> list[str]:
    """Answers to questions, which have no place on the map: at its upper right, or where there is no room, above it."""
    answers = {action: label for action, label in can.items() if action >> 8 >= SOMEBODY and not PLAY <= action < PICK + 32}
    beside = plan.columns > 1
    x, high = (plan.across - plan.margin - 186, 32) if beside else (plan.across / 2 - 93, 42)
    return [button(action, label, x, plan.top + (high + 8) * i, 186, high) for i, (action, label) in enumerate(answers.items())]


def table_line(state: Situation, observer: int | None) -> str:
    if state.winner:
        return f"{winner_name(state)} has won"
    asked = question(state)
    whose = "your turn: " if observer is not None and actor_of(state) == observer else ""
    return f"turn {int(state.turns)}, {whose}{asked}"
