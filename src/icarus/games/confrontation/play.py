"""The functions of the game, as the engine calls them."""

from __future__ import annotations

import numpy as np

from icarus.game import CONTINUES, ENVIRONMENT, compiled, random_below
from icarus.games._bits import count_bits, lowest
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
from icarus.games.confrontation.battle import (
    backwards_retreats,
    compare,
    dark_magic_waits,
    dark_plays_openly,
    dark_text,
    end_turn,
    finish_fight,
    hidden_enemies,
    meet,
    resolve,
    sideways_retreats,
    turn_up_dark,
)
from icarus.games.confrontation.board import (
    ARTHEDAIN,
    CARDOLAN,
    DAGORLAD,
    DARK,
    ENEDWAITH,
    EREGION,
    FANGORN,
    GONDOR,
    LIGHT,
    MIRKWOOD,
    MORDOR,
    MORIA,
    PLACES,
    RHUDAUR,
    ROHAN,
    STARTS,
    THE_SHIRE,
    TUNNEL,
)
from icarus.games.confrontation.cast import BALROG, EACH, FRODO, NO_CARD, NOBODY, SAM, SIDE_MASK
from icarus.games.confrontation.movement import EVERYBODY, able_to_move, legal_moves
from icarus.games.confrontation.position import (
    CHOOSE_ENEMY,
    CONSTRAINED,
    DARK_CARD,
    DARK_PICKS,
    DARK_RETREATS,
    DARK_TEXT,
    FIGHT_OVER,
    FIXED,
    IN_TUNNEL,
    LIGHT_CARD,
    LIGHT_PICKS,
    LIGHT_TEXT,
    MEETING,
    MOVE,
    NOWHERE,
    OVER,
    RESOLVING,
    REVEAL,
    REVEAL_CARDS,
    SARUMANS_TEXT,
    TURN_OVER,
    VARIED,
    VICTIM,
    carry_hidden,
    carry_shown,
    could_be,
    enter,
    insert,
    player,
    reveal,
    win,
)

#: placements by hand, for each side a few; the first one: Frodo, Sam and the Balrog behind, fighters in front, Shelob where she
#: returns to.  In the others those who hunt, or are hunted, stand elsewhere: no place tells who is there.
PLACEMENTS = np.array(
    (
        (
            *(THE_SHIRE, THE_SHIRE, CARDOLAN, THE_SHIRE, THE_SHIRE, ENEDWAITH, ARTHEDAIN, RHUDAUR, EREGION),
            *(MIRKWOOD, GONDOR, MORDOR, DAGORLAD, MORDOR, FANGORN, ROHAN, MORDOR, MORDOR),
        ),
        (
            *(THE_SHIRE, THE_SHIRE, EREGION, ARTHEDAIN, THE_SHIRE, RHUDAUR, THE_SHIRE, ENEDWAITH, CARDOLAN),
            *(FANGORN, MORDOR, DAGORLAD, MORDOR, GONDOR, ROHAN, MIRKWOOD, MORDOR, MORDOR),
        ),
        (
            *(CARDOLAN, THE_SHIRE, RHUDAUR, THE_SHIRE, ARTHEDAIN, THE_SHIRE, ENEDWAITH, THE_SHIRE, EREGION),
            *(ROHAN, GONDOR, MORDOR, MORDOR, DAGORLAD, MIRKWOOD, MORDOR, FANGORN, MORDOR),
        ),
        (
            *(THE_SHIRE, ARTHEDAIN, THE_SHIRE, CARDOLAN, EREGION, THE_SHIRE, RHUDAUR, THE_SHIRE, ENEDWAITH),
            *(DAGORLAD, MORDOR, FANGORN, GONDOR, MORDOR, MORDOR, MORDOR, MIRKWOOD, ROHAN),
        ),
    ),
    np.int64,
)
START = np.array(STARTS, np.int64).ravel()
#: characters that the constrained set-up keeps at home
KEPT = 1 << FRODO | 1 << SAM | 1 << BALROG


# --- the start -------------------------------------------------------------------------------------------------------


@compiled
def initial(state, rng):
    state.alive = SIDE_MASK | SIDE_MASK << EACH
    state.square = NOWHERE
    for side in range(2):
        state.fighters[side] = NOBODY
        state.cards[side] = NO_CARD
        state.effects[side] = NO_CARD
        if state.setup == FIXED or state.setup == VARIED:
            row = random_below(rng, PLACEMENTS.shape[0]) if state.setup == VARIED else 0
            for character in range(EACH * side, EACH * side + EACH):
                enter(state, character, PLACEMENTS[row, character])
        else:
            deal(state, side, rng)
        for seat in range(EACH):
            square = START[EACH * side + seat]
            known = SIDE_MASK & ~(KEPT >> (EACH * side)) if state.setup == CONSTRAINED and seat >= 4 else SIDE_MASK
            state.who[PLACES * side + square] = insert(state.who[PLACES * side + square], known)
    state.turn = DARK
    state.turns = 1


@compiled
def deal(state, side, rng):
    """Seat the characters at random; the constrained set-up seats those first that stay at home, in the first seats."""
    first = EACH * side
    waiting = (state.alive >> first) & SIDE_MASK
    for seat in range(first, first + EACH):
        kept = (KEPT >> first) & waiting if state.setup == CONSTRAINED else 0
        character = lowest(kept) if kept != 0 else nth(waiting, random_below(rng, count_bits(waiting)))
        waiting ^= 1 << character
        enter(state, first + character, START[seat])


@compiled
def nth(mask, n):
    """The number of the n-th bit, from 0, that is set."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


# --- asking ----------------------------------------------------------------------------------------------------------


@compiled
def terminal(state):
    return state.winner != 0


@compiled
def rewards(state, out):
    out[LIGHT] = 1.0 if state.winner == LIGHT + 1 else 0.0
    out[DARK] = 1.0 - out[LIGHT]


@compiled
def list_retreats(state, side, actions, number):
    """The ways of a fighter: sideways for Dark and for Frodo who is attacked, else backwards."""
    fighter = state.fighters[side]
    frodos_text = fighter == FRODO and state.phase == LIGHT_TEXT
    squares = sideways_retreats(state, side) if side == DARK or frodos_text else backwards_retreats(state)
    while squares != 0:
        actions[number] = (fighter << 8) | (state.square << 4) | lowest(squares)
        squares &= squares - 1
        number += 1
    return number


@compiled
def list_cards(code, cards, actions):
    number = 0
    while cards != 0:
        actions[number] = code + lowest(cards)
        cards &= cards - 1
        number += 1
    return number


@compiled
def legal(state, actions):
    phase = state.phase
    if phase == MOVE:
        return legal_moves(state, state.turn, actions)
    if phase == DARK_CARD:
        return list_cards(PLAY + 16 * DARK, SIDE_MASK & ~state.used[DARK], actions)
    if phase == LIGHT_CARD:
        return list_cards(PLAY + 16 * LIGHT, SIDE_MASK & ~state.used[LIGHT], actions)
    if phase == REVEAL:
        return list_meetings(state, actions)
    if phase == REVEAL_CARDS:
        actions[0] = SHOWDOWN + 16 * state.cards[LIGHT] + state.cards[DARK]
        return 1
    if phase == VICTIM:
        actions[0] = meeting(state, BALROG)
        return 1
    if phase == DARK_PICKS:
        return list_cards(PICK + 16 * DARK, state.used[DARK], actions)
    if phase == LIGHT_PICKS:
        return list_cards(PICK + 16 * LIGHT, state.used[LIGHT], actions)
    if phase == CHOOSE_ENEMY:
        actions[0] = FIGHT_FRODO
        actions[1] = FIGHT_HIDDEN
        return 2
    number = 0
    if phase == LIGHT_TEXT or phase == SARUMANS_TEXT or phase == IN_TUNNEL:
        actions[0] = DECLINE
        number = 1
    if phase == SARUMANS_TEXT:
        actions[1] = FORBID_CARDS
        return 2
    if phase == IN_TUNNEL:
        actions[1] = SHOW_BALROG
        return 2 if state.places[BALROG] == MORIA else 1
    fighter = state.fighters[LIGHT]
    if phase != LIGHT_TEXT or fighter != SAM:
        number = list_retreats(state, player(state), actions, number)
    if phase == LIGHT_TEXT and fighter == FRODO and state.places[SAM] == state.square:
        actions[number] = SAM_REPLACES
        number += 1
    if phase == LIGHT_TEXT and fighter == SAM and state.places[FRODO] == state.square:
        actions[number] = SHOW_FRODO
        number += 1
    return number


# --- the environment -------------------------------------------------------------------------------------------------


@compiled
def attacker(state):
    """Who has come to the region that is attacked, or goes through the tunnel: alone of its side there."""
    return lowest(state.here[state.square] & (SIDE_MASK << (EACH * state.turn)))


@compiled
def meeting(state, defender):
    """The outcome that reveals the attacker and this defender."""
    light, dark = (attacker(state), defender) if state.turn == LIGHT else (defender, attacker(state))
    return MEET + 32 * light + dark


@compiled
def list_meetings(state, outcomes):
    number = 0
    enemies = hidden_enemies(state)
    while enemies != 0:
        outcomes[number] = meeting(state, lowest(enemies))
        enemies &= enemies - 1
        number += 1
    return number


@compiled
def sample(state, rng):
    if state.phase == REVEAL_CARDS:
        return SHOWDOWN + 16 * state.cards[LIGHT] + state.cards[DARK]
    if state.phase == VICTIM:
        return meeting(state, BALROG)
    enemies = hidden_enemies(state)
    return meeting(state, nth(enemies, random_below(rng, count_bits(enemies))))


@compiled
def chance(state, probabilities):
    outcomes = count_bits(hidden_enemies(state)) if state.phase == REVEAL else 1
    for outcome in range(outcomes):
        probabilities[outcome] = 1.0 / outcomes
    return outcomes


# --- acting ----------------------------------------------------------------------------------------------------------


@compiled
def apply(state, action):
    phase = state.phase
    if phase == MOVE:
        move(state, action)
    elif phase == DARK_CARD:
        state.cards[DARK] = action - PLAY - 16 * DARK
        state.phase = LIGHT_CARD
        if dark_plays_openly(state):
            turn_up_dark(state)
            if dark_magic_waits(state):
                state.phase = DARK_PICKS
    elif phase == LIGHT_CARD:
        state.cards[LIGHT] = action - PLAY - 16 * LIGHT
        state.phase = REVEAL_CARDS
        if dark_plays_openly(state):
            state.effects[LIGHT] = state.cards[LIGHT]
            state.phase = RESOLVING
    elif phase == REVEAL_CARDS:
        turn_up_dark(state)
        state.effects[LIGHT] = state.cards[LIGHT]
        state.phase = RESOLVING
    elif phase == DARK_PICKS:
        state.effects[DARK] = action - PICK - 16 * DARK
        state.phase = LIGHT_CARD if state.cards[LIGHT] == NO_CARD else RESOLVING
    elif phase == LIGHT_PICKS:
        state.effects[LIGHT] = action - PICK - 16 * LIGHT
        state.phase = RESOLVING
    elif phase == REVEAL or phase == VICTIM:
        state.fighters[LIGHT] = (action - MEET) >> 5
        state.fighters[DARK] = (action - MEET) & 31
        for side in range(2):
            reveal(state, state.fighters[side])
        state.phase = MEETING
        if phase == VICTIM:
            state.falling = 1 << state.fighters[LIGHT]
            state.phase = FIGHT_OVER
    elif action < SOMEBODY << 8:  # a retreat
        carry_shown(state, action >> 8, action & 15)
        state.phase = RESOLVING if phase == DARK_RETREATS else FIGHT_OVER
    else:
        answer(state, action)
    pass_on(state)


@compiled
def pass_on(state):
    """Go through the phases in which nobody acts."""
    while state.phase > OVER and state.winner == 0:
        if state.phase == MEETING:
            meet(state)
        elif state.phase == DARK_TEXT:
            dark_text(state)
        elif state.phase == RESOLVING:
            resolve(state)
        elif state.phase == FIGHT_OVER:
            finish_fight(state)
        else:
            end_turn(state)
    if state.winner != 0:
        state.phase = OVER


@compiled
def move(state, action):
    character, start, end = action >> 8, (action >> 4) & 15, action & 15
    side = state.turn
    able = able_to_move(state, side, start, end)
    if character == FRODO and end == MORDOR:
        able = 1 << FRODO
        win(state, LIGHT)
    if side == LIGHT and start == EREGION and end == FANGORN and could_be(state, BALROG, MORIA):
        carry_hidden(state, character, TUNNEL, able)
        state.square = TUNNEL
        state.phase = IN_TUNNEL
    else:
        carry_hidden(state, character, end, able)
        arrive(state, end)


@compiled
def arrive(state, square):
    """A region with enemies is attacked."""
    if (state.occupied[1 - state.turn] >> square) & 1:
        state.square = square
        state.phase = REVEAL
    else:
        state.phase = TURN_OVER


@compiled
def answer(state, action):
    """Whether to use a character's text, and whom to attack."""
    phase = state.phase
    if action == SAM_REPLACES or action == SHOW_FRODO or action == SHOW_BALROG:
        reveal(state, SAM if action == SAM_REPLACES else FRODO if action == SHOW_FRODO else BALROG)
    if phase == LIGHT_TEXT:
        if action != DECLINE:
            state.fighters[LIGHT] = SAM
            state.helped = 1
        state.phase = DARK_TEXT
    elif phase == SARUMANS_TEXT:
        state.phase = DARK_CARD
        if action == FORBID_CARDS:
            compare(state)
            state.phase = FIGHT_OVER
    elif phase == CHOOSE_ENEMY:
        state.phase = REVEAL
        if action == FIGHT_FRODO:
            state.fighters[LIGHT] = FRODO
            state.phase = MEETING
    elif action == SHOW_BALROG:
        state.phase = VICTIM
    else:
        carry_hidden(state, attacker(state), FANGORN, EVERYBODY)
        arrive(state, FANGORN)


# --- what players see ------------------------------------------------------------------------------------------------


@compiled
def cards_are_hidden(state):
    """Is a card being played, or waiting, face down?"""
    phase = state.phase
    return (phase == DARK_CARD or phase == LIGHT_CARD or phase == REVEAL_CARDS) and not dark_plays_openly(state)


@compiled
def observe(state, action, observer):
    actor = player(state)
    if observer == actor or actor == ENVIRONMENT:
        return action
    if state.phase == MOVE:
        return ((SOMEBODY + actor) << 8) | (action & 255)
    if cards_are_hidden(state):
        return HIDDEN_CARD + actor
    return action


@compiled
def simultaneous(state):
    return state.phase != REVEAL_CARDS and cards_are_hidden(state)


@compiled
def episode(state):
    """Equation 20 of icarus-2014: an episode is one turn, from the movement to the end of the battle that it starts."""
    return state.turn if state.phase == MOVE else CONTINUES
