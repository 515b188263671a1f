"""The game for people: views, the board as text, actions in words."""

from __future__ import annotations

import re
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from icarus.game import ENVIRONMENT
from icarus.games.confrontation.actions import (
    DECLINE,
    FIGHT_FRODO,
    FIGHT_HIDDEN,
    FORBID_CARDS,
    HIDDEN_CARD,
    MEET,
    PICK,
    PLAY,
    SAM_REPLACES,
    SHOW_BALROG,
    SHOW_FRODO,
    SHOWDOWN,
    SOMEBODY,
)
from icarus.games.confrontation.board import FALLEN, PLACES, REGIONS, TUNNEL
from icarus.games.confrontation.cast import CARDS, CHARACTERS, EACH, GANDALF, NO_CARD, NOBODY, SIDE_MASK, WARG
from icarus.games.confrontation.position import (
    ACTORS,
    CHOOSE_ENEMY,
    DARK_CARD,
    DARK_PICKS,
    DARK_RETREATS,
    IN_TUNNEL,
    LIGHT_CARD,
    LIGHT_PICKS,
    LIGHT_RETREATS,
    LIGHT_TEXT,
    MOVE,
    NOWHERE,
    OVER,
    REVEAL,
    REVEAL_CARDS,
    SARUMANS_TEXT,
    VICTIM,
    Situation,
)

PLAYERS = ("Light", "Dark")
PLACE_NAMES = (*REGIONS, "the tunnel", "out of the game")
SETUPS = ("fixed", "random", "constrained", "varied")

QUESTIONS = {
    MOVE: "{} moves",
    IN_TUNNEL: "{} may show the Balrog",
    VICTIM: "somebody meets the Balrog",
    CHOOSE_ENEMY: "{} chooses the next enemy",
    REVEAL: "the fighters are revealed",
    LIGHT_TEXT: "{} may use a character's text",
    SARUMANS_TEXT: "{} may forbid cards",
    DARK_CARD: "{} plays a card",
    LIGHT_CARD: "{} plays a card",
    REVEAL_CARDS: "the cards are revealed",
    DARK_PICKS: "{} replaces Magic by a used card",
    DARK_RETREATS: "{} retreats",
    LIGHT_PICKS: "{} replaces Magic by a used card",
    LIGHT_RETREATS: "{} retreats",
    OVER: "the game is over",
}


class View(NamedTuple):
    """Everything that one player knows."""

    observer: str
    rules: tuple[int, int, str]  #: Dark characters in the Shire that win, extermination, set-up
    question: str
    turn: tuple[int, str]
    winner: str
    own: tuple[tuple[str, str], ...]  #: (character, place)
    fallen: tuple[str, ...]  #: of both sides
    enemies: tuple[tuple[str, int], ...]  #: (place, number of pieces)
    possible: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]  #: (place, for each piece what it can be), both sides
    face_up: tuple[str, ...]
    battle: tuple[str, str, str, int, int]  #: region, fighters, whether a fight went before, whether Frodo helps Sam
    used: tuple[tuple[str, ...], tuple[str, ...]]  #: cards of Light, of Dark
    played: tuple[str, str]  #: cards of Light, of Dark, as far as the observer sees them
    working: tuple[str, str]  #: the same, as which cards they work


def characters(mask: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(CHARACTERS) if mask >> i & 1)


def cards(side: int, mask: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(CARDS[side]) if mask >> i & 1)


def pieces(state: Situation, side: int, place: int) -> tuple[str, ...]:
    """The characters of one side that are really there."""
    return characters(int(state.here[place]) & SIDE_MASK << EACH * side)


def possible(state: Situation, side: int, place: int) -> tuple[tuple[str, ...], ...]:
    """For each piece of one side there, the characters that it can be as far as its opponent knows."""
    sets = int(state.who[PLACES * side + place])
    return tuple(characters((sets >> 9 * i & SIDE_MASK) << EACH * side) for i in range(4) if sets >> 9 * i & SIDE_MASK)


def card_name(state: Situation, cards: npt.NDArray[np.int64], side: int, observer: int | None = None) -> str:
    """One of ``state.cards`` or of ``state.effects``, for an observer who may not see it yet."""
    card = int(cards[side])
    if card == NO_CARD:
        return "none"
    openly = state.fighters[0] == GANDALF and state.fighters[1] != WARG
    face_down = state.phase in (LIGHT_CARD, REVEAL_CARDS) and not openly
    return "face down" if face_down and observer == 1 - side else CARDS[side][card]


def fighter_name(state: Situation, side: int) -> str:
    fighter = int(state.fighters[side])
    return "?" if fighter == NOBODY else CHARACTERS[fighter]


def actor_of(state: Situation) -> int:
    return int(state.turn if state.phase == MOVE else ACTORS[state.phase])


def question(state: Situation) -> str:
    actor = actor_of(state)
    return QUESTIONS[int(state.phase)].format("" if actor == ENVIRONMENT else PLAYERS[actor])


def winner_name(state: Situation) -> str:
    return PLAYERS[int(state.winner) - 1] if state.winner else "nobody"


def place_name(place: int) -> str:
    return "nowhere" if place == NOWHERE else PLACE_NAMES[place]


def view(state: Situation, observer: int) -> View:
    enemy = 1 - observer
    return View(
        observer=PLAYERS[observer],
        rules=(int(state.shire), int(state.extermination), SETUPS[int(state.setup)]),
        question=question(state),
        turn=(int(state.turns), PLAYERS[int(state.turn)]),
        winner=winner_name(state),
        own=tuple(
            (CHARACTERS[c], place_name(int(state.places[c])))
            for c in range(EACH * observer, EACH * observer + EACH)
            if state.places[c] != FALLEN
        ),
        fallen=tuple(CHARACTERS[c] for c in range(2 * EACH) if state.places[c] == FALLEN),
        enemies=tuple((place_name(p), len(pieces(state, enemy, p))) for p in range(PLACES) if pieces(state, enemy, p)),
        possible=tuple(
            (place_name(p), possible(state, side, p)) for side in (0, 1) for p in range(PLACES) if pieces(state, side, p)
        ),
        face_up=characters(int(state.face_up)),
        battle=(
            place_name(int(state.square)),
            fighter_name(state, 0),
            fighter_name(state, 1),
            int(state.fought),
            int(state.helped),
        ),
        used=(cards(0, int(state.used[0])), cards(1, int(state.used[1]))),
        played=(card_name(state, state.cards, 0, observer), card_name(state, state.cards, 1, observer)),
        working=(card_name(state, state.effects, 0, observer), card_name(state, state.effects, 1, observer)),
    )


# --- the board as text -----------------------------------------------------------------------------------------------

WIDTH = 20  #: columns of one region


class Knowledge(NamedTuple):
    """What an observer can tell of one side, by place; sets of characters are masks of eighteen bits."""

    number: list[int]  #: pieces there
    certain: list[int]  #: characters that must be there: known pieces, and whoever can be in no other place
    candidates: list[int]  #: other characters that can be there


def knowledge(state: Situation, side: int, observer: int | None) -> Knowledge:
    here = [int(state.here[place]) & SIDE_MASK << EACH * side for place in range(PLACES)]
    number = [mask.bit_count() for mask in here]
    if observer is None or observer == side:
        return Knowledge(number, here, [0] * PLACES)
    words = [int(state.who[PLACES * side + place]) for place in range(PLACES)]
    sets = [[word >> 9 * i & SIDE_MASK for i in range(4)] for word in words]
    reach = [reduce(or_, pieces) for pieces in sets]
    elsewhere = [reduce(or_, (reach[p] for p in range(PLACES) if p != place)) for place in range(PLACES)]
    certain = [
        (reach[place] & ~elsewhere[place]) | reduce(or_, (piece for piece in sets[place] if piece.bit_count() == 1), 0)
        for place in range(PLACES)
    ]
    return Knowledge(
        number,
        [mask << EACH * side for mask in certain],
        [(mask & ~sure) << EACH * side for mask, sure in zip(reach, certain, strict=True)],
    )


def shown(known: Knowledge, place: int) -> list[str]:
    """The pieces in one place: names where the observer knows them, else question marks."""
    names = characters(known.certain[place])
    return [*names, *["?"] * (known.number[place] - len(names))]


def board_lines(light: Knowledge, dark: Knowledge) -> list[str]:
    """The regions with their pieces; Light's are marked +, Dark's -."""
    lines = []
    for row in range(7):
        regions = [4 * x + row - x for x in range(3, -1, -1) if 0 <= row - x < 4]
        cells = [
            [f"[{REGIONS[r]}]", *(f"+{name}" for name in shown(light, r)), *(f"-{name}" for name in shown(dark, r))]
            for r in regions
        ]
        indent = " " * ((4 - len(cells)) * WIDTH // 2)
        for texts in zip_longest(*cells, fillvalue=""):
            lines.append((indent + "".join(text.center(WIDTH) for text in texts)).rstrip())
        lines.append("")
    return lines


def candidate_lines(known: Knowledge) -> list[str]:
    """What the question marks can stand for."""
    return [
        f"  {hidden} in {place_name(place)}: {', '.join(characters(known.candidates[place]))}"
        for place in range(PLACES)
        if (hidden := shown(known, place).count("?"))
    ]


def render(state: Situation, observer: int | None = None) -> str:
    sides = [knowledge(state, side, observer) for side in (0, 1)]
    lines = [f"turn {int(state.turns)}, {PLAYERS[int(state.turn)]}'s: {question(state)}", "", *board_lines(*sides)]
    if sides[0].number[TUNNEL]:
        lines.append(f"in the tunnel of Moria: {', '.join(shown(sides[0], int(TUNNEL)))}")
    if state.square != NOWHERE and state.square != TUNNEL:
        lines.append(f"battle in {place_name(int(state.square))}: {fighter_name(state, 0)} against {fighter_name(state, 1)}")
        played = [card_name(state, state.cards, side, observer) for side in (0, 1)]
        if played != ["none", "none"]:
            lines.append(f"cards on the table: Light {played[0]}, Dark {played[1]}")
    for side in (0, 1):
        used = int(state.used[side])
        lines.append(f"{PLAYERS[side]}'s hand: {', '.join(cards(side, SIDE_MASK & ~used))}")
        if used:
            lines.append(f"{PLAYERS[side]}'s used cards: {', '.join(cards(side, used))}")
    fallen = [CHARACTERS[c] for c in range(2 * EACH) if state.places[c] == FALLEN]
    if fallen:
        lines.append(f"fallen: {', '.join(fallen)}")
    if observer is not None and (candidates := candidate_lines(sides[1 - observer])):
        lines += [f"{PLAYERS[1 - observer]}'s hidden pieces can be", *candidates]
    if state.winner:
        lines.append(f"{winner_name(state)} has won")
    return "\n".join(lines)


# --- actions in words ------------------------------------------------------------------------------------------------

REFUSALS = {LIGHT_TEXT: "stay", SARUMANS_TEXT: "play cards", IN_TUNNEL: "no"}
TEXTS = {
    SAM_REPLACES: "Sam replaces Frodo",
    SHOW_FRODO: "show Frodo",
    FORBID_CARDS: "no cards",
    SHOW_BALROG: "show the Balrog",
    FIGHT_FRODO: "fight Frodo",
    FIGHT_HIDDEN: "fight a hidden piece",
}


def card_label(side: int, card: int) -> str:
    name = CARDS[side][card]
    return f"card {name}" if name.isdigit() else name


def format_action(state: Situation, action: int) -> str:
    """An action, an outcome of the environment, or a move as the opponent sees it."""
    if action >= SHOWDOWN:
        code = action - SHOWDOWN
        return f"Light: {card_label(0, code >> 4)}, Dark: {card_label(1, code & 15)}"
    if action >= MEET:
        code = action - MEET
        return f"{CHARACTERS[code >> 5]} meets {CHARACTERS[code & 31]}"
    if action == DECLINE:
        return REFUSALS.get(int(state.phase), "no")
    if action > DECLINE:
        return TEXTS[action]
    if action >= HIDDEN_CARD:
        return "a card, face down"
    if action >= PICK:
        return f"Magic: {card_label((action - PICK) >> 4, (action - PICK) & 15)}"
    if action >= PLAY:
        return card_label((action - PLAY) >> 4, (action - PLAY) & 15)
    who = action >> 8
    name = CHARACTERS[who] if who < SOMEBODY else f"a {PLAYERS[who - SOMEBODY]} character"
    return f"{name}: {REGIONS[(action >> 4) & 15]}-{REGIONS[action & 15]}"


def format_move(state: Situation, move: int, observer: int) -> str:
    """A move as the opponent sees it: with a name only if one character alone can have made it."""
    side, start = (move >> 8) - SOMEBODY, move >> 4 & 15
    if side not in (0, 1):
        return format_action(state, move)
    known = knowledge(state, side, 1 - side)
    if (known.certain[start] | known.candidates[start]).bit_count() != 1:
        return format_action(state, move)
    character = (known.certain[start] | known.candidates[start]).bit_length() - 1
    return format_action(state, character << 8 | move & 255)


def unveils(state: Situation, move: int, observer: int) -> dict[int, int]:
    """A meeting shows who has moved, a showdown which cards were played face down."""
    if move >= SHOWDOWN:
        return {1 - observer: 1}
    attacker = int(state.turn)
    code = move - MEET
    fresh = code >= 0 and not int(state.face_up) >> (code >> 5 if attacker == 0 else code & 31) & 1
    return {attacker: 1} if fresh and attacker != observer else {}


def words(text: str) -> str:
    """Small letters without articles and punctuation, one blank between words."""
    return " ".join(word for word in re.findall(r"[a-z0-9]+", text.casefold()) if word not in ("the", "to", "of", "card", "play"))


def spellings(names: tuple[str, ...]) -> dict[str, int]:
    """Every name, and every word of a name that is not a name of its own, the longest first."""
    found = {part: i for i, name in enumerate(names) for part in words(name).split()}
    found |= {words(name): i for i, name in enumerate(names)}
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def find(names: tuple[str, ...], text: str) -> list[int]:
    """The names that occur in the text, in the order in which they occur."""
    spots = []
    for spelling, i in spellings(names).items():
        for spot in re.finditer(rf"\b{spelling}\b", text):
            spots.append((spot.start(), i))
        text = re.sub(rf"\b{spelling}\b", "#" * len(spelling), text)
    return [i for _, i in sorted(spots)]


def parse_action(state: Situation, text: str) -> int:
    """Understand "frodo to cardolan", "5", "eye", "cloak", "yes" and the like."""
    phase, actor, said = int(state.phase), actor_of(state), words(text)
    if phase in (DARK_CARD, LIGHT_CARD, DARK_PICKS, LIGHT_PICKS):
        return (PICK if phase in (DARK_PICKS, LIGHT_PICKS) else PLAY) + 16 * actor + parse_card(actor, said)
    if phase in (LIGHT_TEXT, SARUMANS_TEXT, IN_TUNNEL, CHOOSE_ENEMY):
        answer = parse_answer(phase, said)
        if answer is not None:
            return answer
    return parse_movement(state, said)


def parse_card(side: int, said: str) -> int:
    said = said.removeprefix("magic ") if said != "magic" else said
    found = [i for i, name in enumerate(CARDS[side]) if said and said in words(name)]
    if len(found) != 1:
        raise ValueError(f"name one of the cards {', '.join(CARDS[side])}")
    return found[0]


def parse_answer(phase: int, said: str) -> int | None:
    """Yes or no to the text of a character."""
    if phase == CHOOSE_ENEMY:
        return FIGHT_FRODO if "frodo" in said else FIGHT_HIDDEN if "hidden" in said else None
    if phase == SARUMANS_TEXT:
        return FORBID_CARDS if said in ("yes", "y", "no cards", "forbid", "forbid cards") else DECLINE
    if said in ("no", "n", "stay", "decline", "pass"):
        return DECLINE
    if phase == IN_TUNNEL:
        return SHOW_BALROG
    if said.startswith("sam"):
        return SAM_REPLACES
    if said in ("yes", "y", "show"):
        return SHOW_FRODO
    return None


def parse_movement(state: Situation, said: str) -> int:
    who = find(CHARACTERS, said)
    where = find(REGIONS, said)
    if not where:
        raise ValueError("moves look like 'Frodo: The Shire-Cardolan' or 'frodo cardolan'")
    if not who:
        mine = SIDE_MASK << EACH * actor_of(state)
        who = [c for c in range(2 * EACH) if mine >> c & 1 and len(where) > 1 and state.places[c] == where[0]]
    if len(who) != 1:
        raise ValueError("say which character moves, as in 'Frodo: The Shire-Cardolan' or 'frodo cardolan'")
    return who[0] << 8 | int(state.places[who[0]]) << 4 | where[-1]
