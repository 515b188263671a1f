"""A battle, from the first look at each other to the end of the turn.

One fight goes through: both are face up, Light's text, Dark's text, the cards, Dark's text card, Light's text card, the
comparison of strengths.  Whatever a player may choose on the way is asked with a phase of its own; a phase opens whenever the
*public* position allows the choice, so that its opening says nothing about hidden characters (its list of actions may then
hold the refusal only).
"""

from __future__ import annotations

from icarus.game import compiled
from icarus.games.confrontation.board import BACKWARDS, DARK, GONDOR, LIGHT, SIDEWAYS, THE_SHIRE
from icarus.games.confrontation.cast import (
    BOROMIR,
    CAVE_TROLL,
    DARK_MAGIC,
    DARK_NUMBERS,
    DARK_RETREAT,
    EACH,
    ELVEN_CLOAK,
    EYE_OF_SAURON,
    FLYING_NAZGUL,
    FRODO,
    GANDALF,
    GIMLI,
    LEGOLAS,
    LIGHT_MAGIC,
    LIGHT_NUMBERS,
    LIGHT_RETREAT,
    MERRY,
    NO_CARD,
    NOBLE_SACRIFICE,
    NOBODY,
    ORCS,
    PIPPIN,
    SAM,
    SAM_WITH_FRODO,
    SARUMAN,
    SHELOB,
    SIDE_MASK,
    STRENGTH,
    WARG,
    WITCH_KING,
)
from icarus.games.confrontation.movement import can_move
from icarus.games.confrontation.position import (
    ALIVE,
    CARD,
    CHOOSE_ENEMY,
    DARK_CARD,
    DARK_PICKS,
    DARK_RETREATS,
    DARK_TEXT,
    EFFECT,
    EXTERMINATION,
    FACE_UP,
    FALLING,
    FIGHT_OVER,
    FIGHTER,
    FOUGHT,
    FULL,
    HELPED,
    HERE,
    LIGHT_PICKS,
    LIGHT_RETREATS,
    LIGHT_TEXT,
    MEETING,
    MOVE,
    NOWHERE,
    OCCUPIED,
    PHASE,
    PLACE,
    REVEAL,
    SARUMANS_TEXT,
    SHIRE,
    SQUARE,
    TURN,
    TURN_OVER,
    TURNS,
    USED,
    carry_shown,
    could_be,
    count,
    remove,
    win,
)

#: turns of both sides together; then Light has failed
TURN_LIMIT = 200


# --- the turn --------------------------------------------------------------------------------------------------------


@compiled
def end_turn(state):
    state[SQUARE] = NOWHERE
    state[FIGHTER + LIGHT] = NOBODY
    state[FIGHTER + DARK] = NOBODY
    state[FOUGHT] = 0
    state[FACE_UP] = 0
    if count(state, DARK, THE_SHIRE) >= state[SHIRE] or state[TURNS] == TURN_LIMIT:
        win(state, DARK)
        return
    state[TURN] = 1 - state[TURN]
    state[TURNS] += 1
    state[PHASE] = MOVE
    if not can_move(state, state[TURN]):
        win(state, 1 - state[TURN])


# --- who fights whom -------------------------------------------------------------------------------------------------


@compiled
def hidden_enemies(state):
    """The defenders whom the attacker has not seen in this turn."""
    return state[HERE + state[SQUARE]] & ~state[FACE_UP] & (SIDE_MASK << (EACH * (1 - state[TURN])))


@compiled
def next_fight(state):
    """The attacker stands against the enemies that are left.  Only Frodo, shown for Sam's sake, can be face up by now."""
    state[FIGHTER + 1 - state[TURN]] = NOBODY
    frodo_shown = state[TURN] == DARK and state[PLACE + FRODO] == state[SQUARE] and (state[FACE_UP] >> FRODO) & 1
    if not frodo_shown:
        state[PHASE] = REVEAL
    elif hidden_enemies(state) != 0:
        state[PHASE] = CHOOSE_ENEMY
    else:
        state[FIGHTER + LIGHT] = FRODO
        state[PHASE] = MEETING


@compiled
def finish_fight(state):
    """Bury the fallen, put the cards away; then comes the next enemy, or the end of the turn."""
    for side in range(2):  # Light first: Frodo's death decides
        fighter = state[FIGHTER + side]
        if (state[FALLING] >> fighter) & 1:
            defeat(state, fighter)
        if state[CARD + side] != NO_CARD:
            state[USED + side] |= 1 << state[CARD + side]
            if state[USED + side] == SIDE_MASK:
                state[USED + side] = 0
        state[CARD + side] = NO_CARD
        state[EFFECT + side] = NO_CARD
    state[HELPED] = 0
    state[FOUGHT] = 1
    square = state[SQUARE]
    if state[FIGHTER + DARK] == SHELOB and state[FALLING] == 1 << state[FIGHTER + LIGHT] and square != GONDOR:
        if ((state[OCCUPIED + LIGHT] | state[FULL + DARK]) >> GONDOR) & 1:
            defeat(state, SHELOB)
        else:
            carry_shown(state, SHELOB, GONDOR)
    state[FALLING] = 0
    if state[PLACE + state[FIGHTER + state[TURN]]] == square and count(state, 1 - state[TURN], square) != 0:
        next_fight(state)
    else:
        state[PHASE] = TURN_OVER


@compiled
def defeat(state, character):
    remove(state, character)
    if character == FRODO:
        win(state, DARK)
    elif state[ALIVE] >> EACH == 0 and state[EXTERMINATION]:
        win(state, LIGHT)


# --- the texts of the characters -------------------------------------------------------------------------------------


@compiled
def sideways_retreats(state, side):
    return SIDEWAYS[state[SQUARE]] & ~state[OCCUPIED + 1 - side] & ~state[FULL + side]


@compiled
def backwards_retreats(state):
    return BACKWARDS[state[SQUARE]] & ~state[OCCUPIED + DARK] & ~state[FULL + LIGHT]


@compiled
def orcs_strike(state):
    """Do the Orcs attack, and is this their first enemy of the turn?"""
    return state[FIGHTER + DARK] == ORCS and state[TURN] == DARK and state[FOUGHT] == 0


@compiled
def light_has_choice(state):
    """Can Light's fighter, as far as everybody knows, use a text that is optional?"""
    fighter, square = state[FIGHTER + LIGHT], state[SQUARE]
    if state[TURN] == LIGHT:
        return fighter == PIPPIN and backwards_retreats(state) != 0
    company = count(state, LIGHT, square) > 1
    if fighter == FRODO:
        return sideways_retreats(state, LIGHT) != 0 or (company and could_be(state, SAM, square))
    # Sam's strength is of no use to him against Orcs that strike
    return fighter == SAM and company and could_be(state, FRODO, square) and not orcs_strike(state)


@compiled
def meet(state):
    """Both are face up: Light's text comes first, unless a Warg silences it."""
    light, dark = state[FIGHTER + LIGHT], state[FIGHTER + DARK]
    state[PHASE] = FIGHT_OVER
    if dark == WARG:
        state[PHASE] = DARK_TEXT
    elif light_has_choice(state):
        state[PHASE] = LIGHT_TEXT
    elif (
        (light == MERRY and dark == WITCH_KING)
        or (light == LEGOLAS and dark == FLYING_NAZGUL)
        or (light == GIMLI and dark == ORCS)
    ):
        state[FALLING] = 1 << dark
    elif light == BOROMIR:
        state[FALLING] = 1 << light | 1 << dark
    else:
        state[PHASE] = DARK_TEXT


@compiled
def dark_text(state):
    if orcs_strike(state):
        state[FALLING] = 1 << state[FIGHTER + LIGHT]
        state[PHASE] = FIGHT_OVER
    elif state[FIGHTER + DARK] == SARUMAN:
        state[PHASE] = SARUMANS_TEXT
    else:
        state[PHASE] = DARK_CARD


# --- the cards -------------------------------------------------------------------------------------------------------


@compiled
def dark_plays_openly(state):
    """Gandalf's text: Dark's card is face up before Light chooses."""
    return state[FIGHTER + LIGHT] == GANDALF and state[FIGHTER + DARK] != WARG


@compiled
def turn_up_dark(state):
    """Dark's card is face up and begins to work, though never for the Cave Troll."""
    state[EFFECT + DARK] = NO_CARD if state[FIGHTER + DARK] == CAVE_TROLL else state[CARD + DARK]


@compiled
def dark_magic_waits(state):
    """Dark's Magic has to become another card; without a used card it is worth nothing."""
    if state[EFFECT + DARK] != DARK_MAGIC:
        return False
    if state[USED + DARK] != 0:
        return True
    state[EFFECT + DARK] = NO_CARD
    return False


@compiled
def resolve(state):
    """Carry on with the text cards, Dark's first, as far as no player has to choose; then compare."""
    light, dark, square = state[FIGHTER + LIGHT], state[FIGHTER + DARK], state[SQUARE]
    if dark_magic_waits(state):
        state[PHASE] = DARK_PICKS
        return
    if state[EFFECT + DARK] == EYE_OF_SAURON and state[EFFECT + LIGHT] >= LIGHT_NUMBERS:
        state[EFFECT + LIGHT] = NO_CARD
    dark_left = state[PLACE + dark] != square
    if state[EFFECT + DARK] == DARK_RETREAT and not dark_left and sideways_retreats(state, DARK) != 0:
        state[PHASE] = DARK_RETREATS
        return
    if state[EFFECT + LIGHT] == LIGHT_MAGIC and not dark_left:
        if state[USED + LIGHT] != 0:
            state[PHASE] = LIGHT_PICKS
            return
        state[EFFECT + LIGHT] = NO_CARD
    if state[EFFECT + LIGHT] == LIGHT_RETREAT and backwards_retreats(state) != 0:
        state[PHASE] = LIGHT_RETREATS
        return
    state[PHASE] = FIGHT_OVER
    if not dark_left:
        if state[EFFECT + LIGHT] == NOBLE_SACRIFICE:
            state[FALLING] = 1 << light | 1 << dark
        else:
            compare(state)


@compiled
def compare(state):
    """Strength and number card: the lower total falls, or both."""
    light, dark = state[FIGHTER + LIGHT], state[FIGHTER + DARK]
    light_card, dark_card = state[EFFECT + LIGHT], state[EFFECT + DARK]
    light_total = SAM_WITH_FRODO if state[HELPED] else STRENGTH[light]
    dark_total = STRENGTH[dark]
    if light_card < LIGHT_NUMBERS:
        light_total += light_card + 1  # NO_CARD is -1: nothing is added
    if dark_card < DARK_NUMBERS and light_card != ELVEN_CLOAK:
        dark_total += dark_card + 1
    if light_total <= dark_total:
        state[FALLING] |= 1 << light
    if light_total >= dark_total:
        state[FALLING] |= 1 << dark
