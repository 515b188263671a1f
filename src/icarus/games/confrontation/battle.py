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
    CHOOSE_ENEMY,
    DARK_CARD,
    DARK_PICKS,
    DARK_RETREATS,
    DARK_TEXT,
    FIGHT_OVER,
    LIGHT_PICKS,
    LIGHT_RETREATS,
    LIGHT_TEXT,
    MEETING,
    MOVE,
    NOWHERE,
    REVEAL,
    SARUMANS_TEXT,
    TURN_OVER,
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
    state.square = NOWHERE
    state.fighters[LIGHT] = NOBODY
    state.fighters[DARK] = NOBODY
    state.fought = 0
    state.face_up = 0
    if count(state, DARK, THE_SHIRE) >= state.shire or state.turns == TURN_LIMIT:
        win(state, DARK)
        return
    state.turn = 1 - state.turn
    state.turns += 1
    state.phase = MOVE
    if not can_move(state, state.turn):
        win(state, 1 - state.turn)


# --- who fights whom -------------------------------------------------------------------------------------------------


@compiled
def hidden_enemies(state):
    """The defenders whom the attacker has not seen in this turn."""
    return state.here[state.square] & ~state.face_up & (SIDE_MASK << (EACH * (1 - state.turn)))


@compiled
def next_fight(state):
    """The attacker stands against the enemies that are left.  Only Frodo, shown for Sam's sake, can be face up by now."""
    state.fighters[1 - state.turn] = NOBODY
    frodo_shown = state.turn == DARK and state.places[FRODO] == state.square and (state.face_up >> FRODO) & 1
    if not frodo_shown:
        state.phase = REVEAL
    elif hidden_enemies(state) != 0:
        state.phase = CHOOSE_ENEMY
    else:
        state.fighters[LIGHT] = FRODO
        state.phase = MEETING


@compiled
def finish_fight(state):
    """Bury the fallen, put the cards away; then comes the next enemy, or the end of the turn."""
    for side in range(2):  # Light first: Frodo's death decides
        fighter = state.fighters[side]
        if (state.falling >> fighter) & 1:
            defeat(state, fighter)
        if state.cards[side] != NO_CARD:
            state.used[side] |= 1 << state.cards[side]
            if state.used[side] == SIDE_MASK:
                state.used[side] = 0
        state.cards[side] = NO_CARD
        state.effects[side] = NO_CARD
    state.helped = 0
    state.fought = 1
    square = state.square
    if state.fighters[DARK] == SHELOB and state.falling == 1 << state.fighters[LIGHT] and square != GONDOR:
        if ((state.occupied[LIGHT] | state.full[DARK]) >> GONDOR) & 1:
            defeat(state, SHELOB)
        else:
            carry_shown(state, SHELOB, GONDOR)
    state.falling = 0
    if state.places[state.fighters[state.turn]] == square and count(state, 1 - state.turn, square) != 0:
        next_fight(state)
    else:
        state.phase = TURN_OVER


@compiled
def defeat(state, character):
    remove(state, character)
    if character == FRODO:
        win(state, DARK)
    elif state.alive >> EACH == 0 and state.extermination:
        win(state, LIGHT)


# --- the texts of the characters -------------------------------------------------------------------------------------


@compiled
def sideways_retreats(state, side):
    return SIDEWAYS[state.square] & ~state.occupied[1 - side] & ~state.full[side]


@compiled
def backwards_retreats(state):
    return BACKWARDS[state.square] & ~state.occupied[DARK] & ~state.full[LIGHT]


@compiled
def orcs_strike(state):
    """Do the Orcs attack, and is this their first enemy of the turn?"""
    return state.fighters[DARK] == ORCS and state.turn == DARK and state.fought == 0


@compiled
def light_has_choice(state):
    """Can Light's fighter, as far as everybody knows, use a text that is optional?"""
    fighter, square = state.fighters[LIGHT], state.square
    if state.turn == LIGHT:
        return fighter == PIPPIN and backwards_retreats(state) != 0
    company = count(state, LIGHT, square) > 1
    if fighter == FRODO:
        return sideways_retreats(state, LIGHT) != 0 or (company and could_be(state, SAM, square))
    # Sam's strength is of no use to him against Orcs that strike
    return fighter == SAM and company and could_be(state, FRODO, square) and not orcs_strike(state)


@compiled
def meet(state):
    """Both are face up: Light's text comes first, unless a Warg silences it."""
    light, dark = state.fighters[LIGHT], state.fighters[DARK]
    state.phase = FIGHT_OVER
    if dark == WARG:
        state.phase = DARK_TEXT
    elif light_has_choice(state):
        state.phase = LIGHT_TEXT
    elif (
        (light == MERRY and dark == WITCH_KING)
        or (light == LEGOLAS and dark == FLYING_NAZGUL)
        or (light == GIMLI and dark == ORCS)
    ):
        state.falling = 1 << dark
    elif light == BOROMIR:
        state.falling = 1 << light | 1 << dark
    else:
        state.phase = DARK_TEXT


@compiled
def dark_text(state):
    if orcs_strike(state):
        state.falling = 1 << state.fighters[LIGHT]
        state.phase = FIGHT_OVER
    elif state.fighters[DARK] == SARUMAN:
        state.phase = SARUMANS_TEXT
    else:
        state.phase = DARK_CARD


# --- the cards -------------------------------------------------------------------------------------------------------


@compiled
def dark_plays_openly(state):
    """Gandalf's text: Dark's card is face up before Light chooses."""
    return state.fighters[LIGHT] == GANDALF and state.fighters[DARK] != WARG


@compiled
def turn_up_dark(state):
    """Dark's card is face up and begins to work, though never for the Cave Troll."""
    state.effects[DARK] = NO_CARD if state.fighters[DARK] == CAVE_TROLL else state.cards[DARK]


@compiled
def dark_magic_waits(state):
    """Dark's Magic has to become another card; without a used card it is worth nothing."""
    if state.effects[DARK] != DARK_MAGIC:
        return False
    if state.used[DARK] != 0:
        return True
    state.effects[DARK] = NO_CARD
    return False


@compiled
def resolve(state):
    """Carry on with the text cards, Dark's first, as far as no player has to choose; then compare."""
    light, dark, square = state.fighters[LIGHT], state.fighters[DARK], state.square
    if dark_magic_waits(state):
        state.phase = DARK_PICKS
        return
    if state.effects[DARK] == EYE_OF_SAURON and state.effects[LIGHT] >= LIGHT_NUMBERS:
        state.effects[LIGHT] = NO_CARD
    dark_left = state.places[dark] != square
    if state.effects[DARK] == DARK_RETREAT and not dark_left and sideways_retreats(state, DARK) != 0:
        state.phase = DARK_RETREATS
        return
    if state.effects[LIGHT] == LIGHT_MAGIC and not dark_left:
        if state.used[LIGHT] != 0:
            state.phase = LIGHT_PICKS
            return
        state.effects[LIGHT] = NO_CARD
    if state.effects[LIGHT] == LIGHT_RETREAT and backwards_retreats(state) != 0:
        state.phase = LIGHT_RETREATS
        return
    state.phase = FIGHT_OVER
    if not dark_left:
        if state.effects[LIGHT] == NOBLE_SACRIFICE:
            state.falling = 1 << light | 1 << dark
        else:
            compare(state)


@compiled
def compare(state):
    """Strength and number card: the lower total falls, or both."""
    light, dark = state.fighters[LIGHT], state.fighters[DARK]
    light_card, dark_card = state.effects[LIGHT], state.effects[DARK]
    light_total = SAM_WITH_FRODO if state.helped else STRENGTH[light]
    dark_total = STRENGTH[dark]
    if light_card < LIGHT_NUMBERS:
        light_total += light_card + 1  # NO_CARD is -1: nothing is added
    if dark_card < DARK_NUMBERS and light_card != ELVEN_CLOAK:
        dark_total += dark_card + 1
    if light_total <= dark_total:
        state.falling |= 1 << light
    if light_total >= dark_total:
        state.falling |= 1 << dark
