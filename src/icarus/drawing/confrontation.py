"""The Confrontation: the map with the observer's home below, its own characters by name, the others as backs.

A hidden piece tells (as a tooltip) whom it can be, which the observer could work out.  A movement is clicked as character, then
region; cards and answers are single clicks.
"""

from __future__ import annotations

from icarus.drawing.kit import button, caption, choices, clickable, group, panel, square, starts, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position, State
from icarus.games.confrontation.actions import PICK, PLAY, SOMEBODY
from icarus.games.confrontation.board import MOUNTAINS, REGIONS, RIVER, TOWARDS_SHIRE, TUNNEL, TUNNEL_ENDS
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
from icarus.games.confrontation.position import CARD, FACE_UP, NOWHERE, SQUARE, TURNS, USED, WINNER

REGION = (180.0, 96.0)  #: width and height
GAP = (14.0, 16.0)
CHIP = (86.0, 29.0)
MARGIN, TOP = 16.0, 96.0
MAP_WIDTH = 4 * REGION[0] + 3 * GAP[0]
MAP_HEIGHT = 7 * REGION[1] + 6 * GAP[1]
ACROSS, DOWN = MAP_WIDTH + 2 * MARGIN, TOP + MAP_HEIGHT + 170
CARD_SIZE = (78.0, 50.0)
COLOURS = ("one", "two")
STRENGTHS = {name: int(strength) for name, strength in zip(CHARACTERS, STRENGTH, strict=True)}
SHORT = {"Flying Nazgul": "Nazgul", "Black Rider": "Bl. Rider", "The Eye of Sauron": "Eye of Sauron"}


def picture(position: Position, observer: int | None) -> str:
    state = position.state
    viewer = 0 if observer is None else observer
    sides = [knowledge(state, side, observer) for side in (0, 1)]
    first = starts(position, observer, keys(position))
    parts = ways(viewer)
    for region in range(len(REGIONS)):
        parts.append(region_part(state, observer, viewer, region, sides, first))
    parts += tunnel_parts(state, observer, viewer, sides, first)
    can = choices(position, observer)
    for place, side in enumerate((viewer, 1 - viewer)):
        parts += hand_parts(position, observer, side, own=place == 0, can=can)
    parts += battle_parts(state, observer, viewer)
    parts += answer_parts(can)
    line = table_line(state, observer)
    parts.append(caption(line, ACROSS / 2, DOWN - 20))
    return whole(position, observer, ACROSS, DOWN, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {
        action: [CHARACTERS[action >> 8], REGIONS[action & 15]]
        for action in position.legal()
        if action >> 8 < SOMEBODY  # a movement or a retreat
    }


# --- the map ---------------------------------------------------------------------------------------------------------


def corner(region: int, viewer: int) -> tuple[float, float]:
    """The upper left corner of a region; the viewer's home is the lowest row."""
    x, y = divmod(region, 4)
    row, number = x + y, 4 - abs(3 - x - y)
    column = min(3, x + y) - x
    if viewer == 1:
        row, column = 6 - row, number - 1 - column
    left = MARGIN + (4 - number) * (REGION[0] + GAP[0]) / 2 + column * (REGION[0] + GAP[0])
    return left, TOP + row * (REGION[1] + GAP[1])


def middle(region: int, viewer: int) -> tuple[float, float]:
    left, top = corner(region, viewer)
    return left + REGION[0] / 2, top + REGION[1] / 2


def ways(viewer: int) -> list[str]:
    """The lines between regions; the river and the tunnel, which only Light uses."""
    roads = [line_between(start, end, viewer) for start in range(16) for end in range(16) if int(TOWARDS_SHIRE[start]) >> end & 1]
    river = "".join(line_between(int(start), int(end), viewer) for start, end in RIVER)
    tunnel = line_between(int(TUNNEL_ENDS[0]), int(TUNNEL_ENDS[1]), viewer)
    return [
        tag("path", d="".join(roads), stroke="var(--line)", stroke_width=5, fill="none"),
        tag("path", d=river, stroke="var(--one)", stroke_opacity=0.55, stroke_width=7, fill="none"),
        tag("path", d=tunnel, stroke="var(--edge)", stroke_width=4, stroke_dasharray="7 6", fill="none"),
    ]


def line_between(start: int, end: int, viewer: int) -> str:
    (a, b), (c, d) = middle(start, viewer), middle(end, viewer)
    return f"M{a:.1f},{b:.1f}L{c:.1f},{d:.1f}"


def region_part(state: State, observer: int | None, viewer: int, region: int, sides: list[Knowledge], first: set[str]) -> str:
    left, top = corner(region, viewer)
    width, height = REGION
    mountain = region in MOUNTAINS
    fighting = int(state[SQUARE]) == region
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
        words(("▲ " if mountain else "") + REGIONS[region], left + width / 2, top + 15, 14, class_="soft"),
        tag("rect", x=left + 3, y=top + 3, width=width - 6, height=height - 6, rx=12, class_="mark"),
    ]
    return square(REGIONS[region], *parts, *pieces(state, observer, region, sides, left, top, first))


def pieces(
    state: State, observer: int | None, place: int, sides: list[Knowledge], left: float, top: float, first: set[str]
) -> list[str]:
    """The chips in one place, two in a row, Light's first."""
    chips = [(side, name) for side in (0, 1) for name in shown(sides[side], place)]
    parts = []
    rows = (len(chips) + 1) // 2
    for i, (side, name) in enumerate(chips):
        alone = i == len(chips) - 1 and i % 2 == 0
        x = left + (REGION[0] - CHIP[0]) / 2 if alone else left + REGION[0] / 2 + (i % 2 - 1) * (CHIP[0] + 4) + 2
        y = top + (28 if rows > 1 else 44) + (i // 2) * (CHIP[1] + 4)
        if name == "?":
            possible = ", ".join(characters(sides[side].candidates[place]))
            parts.append(group(tag("title", f"can be {possible}"), chip(x, y, side, "")))
        elif observer in (None, side):
            parts.append(square(name, chip(x, y, side, name, bool(known_up(state, name))), chip_mark(x, y), can=name in first))
        else:
            parts.append(chip(x, y, side, name, bool(known_up(state, name))))
    return parts


def known_up(state: State, name: str) -> int:
    """Has this character been revealed in this turn?"""
    return int(state[FACE_UP]) >> CHARACTERS.index(name) & 1


def chip(x: float, y: float, side: int, name: str, up: bool = False) -> str:
    """A piece: name and strength, or a back."""
    colour = COLOURS[side]
    box = tag(
        "rect",
        x=x,
        y=y,
        width=CHIP[0],
        height=CHIP[1],
        rx=7,
        fill="var(--card)" if name else f"var(--{colour})",
        stroke="var(--accent)" if up else f"var(--{colour})",
        stroke_width=3 if up else 1.8,
    )
    middle_y = y + CHIP[1] / 2
    if not name:
        return box + words("?", x + CHIP[0] / 2, middle_y, 15, style="fill:var(--card);font-weight:600")
    ink = "fill:var(--black)"
    label = words(SHORT.get(name, name), x + 4, middle_y, 12.5, "start", style=ink)
    return box + label + words(str(STRENGTHS[name]), x + CHIP[0] - 4, middle_y, 13, "end", style=ink + ";font-weight:700")


def chip_mark(x: float, y: float) -> str:
    return tag("rect", x=x - 2, y=y - 2, width=CHIP[0] + 4, height=CHIP[1] + 4, rx=8, class_="mark")


def tunnel_parts(state: State, observer: int | None, viewer: int, sides: list[Knowledge], first: set[str]) -> list[str]:
    """Whoever is on the way through Moria."""
    if not sides[0].number[int(TUNNEL)]:
        return []
    (a, b), (c, d) = (middle(int(end), viewer) for end in TUNNEL_ENDS)
    left, top = (a + c - REGION[0]) / 2, (b + d) / 2 - 57
    return pieces(state, observer, int(TUNNEL), sides, left, top, first)


# --- the cards -------------------------------------------------------------------------------------------------------


def hand_parts(position: Position, observer: int | None, side: int, own: bool, can: dict[int, str]) -> list[str]:
    """The nine cards of a side; those that were used lie pale, for everybody to see."""
    state = position.state
    used, y = int(state[USED + side]), DOWN - 108 if own else 12.0
    left = (ACROSS - EACH * (CARD_SIZE[0] + 5) + 5) / 2
    down = card_name(state, CARD, side, observer)
    parts = []
    for card, name in enumerate(CARDS[side]):
        x = left + card * (CARD_SIZE[0] + 5)
        playing = down not in ("none", "face down") and int(state[CARD + side]) == card
        action = next((a for a in (PLAY + 16 * side + card, PICK + 16 * side + card) if a in can), None)
        drawn = combat_card(x, y, side, name, pale=bool(used >> card & 1) or playing)
        if action is not None:
            frame = tag("rect", x=x + 1, y=y + 1, width=CARD_SIZE[0] - 2, height=CARD_SIZE[1] - 2, rx=6, class_="mark")
            drawn = clickable(action, can[action], drawn, frame, class_="can")
        parts.append(drawn)
    count = EACH - used.bit_count() - (int(state[CARD + side]) != NO_CARD)
    parts.append(
        words(f"{PLAYERS[side]}, {count} cards left", ACROSS / 2, y + (-14 if own else CARD_SIZE[1] + 14), 13, class_="soft")
    )
    return parts


def combat_card(x: float, y: float, side: int, name: str, pale: bool = False, width: float = CARD_SIZE[0]) -> str:
    box = panel(x, y, width, CARD_SIZE[1], 7, "card")
    strip = tag("rect", x=x, y=y, width=width, height=7, rx=3, fill=f"var(--{COLOURS[side]})")
    style = "fill:var(--black);font-weight:600"
    number = name.isdigit()
    lines = [name] if number else SHORT.get(name, name).split(" ", 1)
    first = y + CARD_SIZE[1] / 2 + 4 - 7 * (len(lines) - 1)
    text = [words(line, x + width / 2, first + 14 * i, 20 if number else 11.5, style=style) for i, line in enumerate(lines)]
    return group(box, strip, *text, opacity=0.4 if pale else None)


def battle_parts(state: State, observer: int | None, viewer: int) -> list[str]:
    """Who fights whom, and the cards on the table, at the upper left of the map."""
    region = int(state[SQUARE])
    if region in (NOWHERE, int(TUNNEL)):
        return []
    left, top = MARGIN, TOP
    parts = [panel(left, top, 186, 150, 12), words(f"battle in {REGIONS[region]}", left + 93, top + 18, 13, class_="strong")]
    for i, side in enumerate((viewer, 1 - viewer)):
        x = left + 7 + 88 * i
        name, card = fighter_name(state, side), card_name(state, CARD, side, observer)
        parts.append(chip(x, top + 36, side, "" if name == "?" else name))
        if card == "face down":
            parts.append(tag("rect", x=x + 3, y=top + 80, width=CARD_SIZE[0], height=CARD_SIZE[1], rx=7, fill="var(--back)"))
        elif card != "none":
            parts.append(combat_card(x + 3, top + 80, side, card))
    return parts


def answer_parts(can: dict[int, str]) -> list[str]:
    """Answers to questions, which have no place on the map."""
    answers = {action: label for action, label in can.items() if action >> 8 >= SOMEBODY and not PLAY <= action < PICK + 32}
    x, y = ACROSS - MARGIN - 186, TOP
    return [button(action, label, x, y + 40 * i, 186) for i, (action, label) in enumerate(answers.items())]


def table_line(state: State, observer: int | None) -> str:
    if state[WINNER]:
        return f"{winner_name(state)} has won"
    asked = question(state)
    whose = "your turn: " if observer is not None and actor_of(state) == observer else ""
    return f"turn {int(state[TURNS])}, {whose}{asked}"
