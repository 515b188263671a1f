"""The game's own way to the end of a uniformly random game: the rules once more, for players who conclude nothing.

Random players have no use for what the opponent can conclude, so that no account is kept of it here: the game looks at the
pieces themselves.  A question is asked only where the truth leaves a choice, and the answer "no" changes nothing where it is the
only one; so the draws are those of random play step by step, and so is the end.  Only the plies of such questions do not count.

A turn that has begun is played by the rules of battle.py.  From the next turn on nothing of a fight is kept in the state, and no
phase is looked up: what a fight needs stays in registers.
"""

from __future__ import annotations

from icarus.game import ENVIRONMENT, compiled, random_below
from icarus.games._bits import count_bits
from icarus.games.confrontation.battle import TURN_LIMIT
from icarus.games.confrontation.board import (
    BACKWARDS,
    DARK,
    EREGION,
    FALLEN,
    FANGORN,
    GONDOR,
    LIGHT,
    MORDOR,
    MORIA,
    THE_SHIRE,
)
from icarus.games.confrontation.cast import (
    ARAGORN,
    BALROG,
    BLACK_RIDER,
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
from icarus.games.confrontation.movement import AHEAD, AROUND, BESIDE, lone_light, ride
from icarus.games.confrontation.play import apply, legal, nth, sample
from icarus.games.confrontation.position import MOVE, OVER, count, enter, leave, player, win

PLIES = 2 * EACH  #: so many bits of the outcome of a fight say who falls
FALLING = (1 << PLIES) - 1


@compiled
def playout(state, rng):
    plies = finish_turn(state, rng)
    while state.winner == 0:
        plies += play_turn(state, rng)
    state.phase = OVER
    return plies


@compiled
def finish_turn(state, rng):
    """Play a turn that has begun to its end, step by step; returns the number of plies."""
    plies = 0
    while state.phase != MOVE and state.winner == 0:
        if player(state) == ENVIRONMENT:
            action = sample(state, rng)
        else:
            action = state.options[one_of(legal(state, state.options), rng)]
        apply(state, action)
        plies += 1
    return plies


@compiled
def one_of(number, rng):
    """A choice is drawn where there is one."""
    return random_below(rng, number) if number > 1 else 0


@compiled
def member(mask, rng):
    """A random member of a set that is not empty."""
    return nth(mask, one_of(count_bits(mask), rng))


# --- a turn ----------------------------------------------------------------------------------------------------------


@compiled
def play_turn(state, rng):
    """A random move, the battle that it starts, and the end of the turn; returns the number of plies."""
    side = state.turn
    ways = list_ways(state, side)
    if ways == 0:
        win(state, 1 - side)
        return 0
    ticket = one_of(ways, rng)
    character, before, upto = 0, 0, 0
    for i in range(EACH):  # without a branch: it could not be predicted
        upto += count_bits(state.options[i])
        passed = upto <= ticket
        character += passed
        before = upto if passed else before
    square = nth(state.options[character], ticket - before)
    character += EACH * side
    plies = 1
    if side == LIGHT and square == FANGORN and state.places[character] == EREGION and state.places[BALROG] == MORIA:
        plies = 2
        if one_of(2, rng) != 0:
            fall(state, character)
            end_turn(state)
            return 3
    go(state, character, square)
    if character == FRODO and square == MORDOR:
        win(state, LIGHT)
    elif (state.occupied[1 - side] >> square) & 1:
        plies += fight(state, character, square, rng)
    end_turn(state)
    return plies


@compiled
def list_ways(state, side):
    """Write for each character of a side where it may go; returns the number of moves."""
    ways, places, room = state.options, state.places, ~state.full[side]
    for i in range(EACH):
        ways[i] = AHEAD[(FALLEN + 1) * side + places[EACH * side + i]] & room
    if side == LIGHT:
        ways[ARAGORN] |= AROUND[places[ARAGORN]] & state.occupied[DARK]
    else:
        ways[WITCH_KING - EACH] |= BESIDE[places[WITCH_KING]] & state.occupied[LIGHT]
        if places[FLYING_NAZGUL] != FALLEN:
            ways[FLYING_NAZGUL - EACH] |= lone_light(state)
        if places[BLACK_RIDER] != FALLEN:
            ways[BLACK_RIDER - EACH] |= ride(state, places[BLACK_RIDER])
    number = 0
    for i in range(EACH):
        number += count_bits(ways[i])
    return number


@compiled
def end_turn(state):
    if count(state, DARK, THE_SHIRE) >= state.shire or state.turns == TURN_LIMIT:
        win(state, DARK)
    state.turn = 1 - state.turn
    state.turns += 1


@compiled
def go(state, character, square):
    leave(state, character)
    enter(state, character, square)


@compiled
def fall(state, character):
    leave(state, character)
    state.places[character] = FALLEN
    state.alive &= ~(1 << character)
    if character == FRODO:
        win(state, DARK)
    elif state.alive >> EACH == 0 and state.extermination:
        win(state, LIGHT)


# --- a battle --------------------------------------------------------------------------------------------------------


@compiled
def fight(state, attacker, square, rng):
    """The attacker fights its enemies one after the other; returns the number of plies."""
    side = state.turn
    fought, frodo_shown = False, False
    plies = 0
    while True:
        hidden = state.here[square] & (SIDE_MASK << (EACH * (1 - side)))
        meets_frodo = frodo_shown and state.places[FRODO] == square
        if meets_frodo:
            hidden ^= 1 << FRODO
            if hidden != 0:
                plies += 1
                meets_frodo = one_of(2, rng) == 0
        enemy = FRODO
        if not meets_frodo:
            plies += 1
            enemy = nth(hidden, random_below(rng, count_bits(hidden)))
        light, dark = (attacker, enemy) if side == LIGHT else (enemy, attacker)
        strikes = dark == ORCS and side == DARK and not fought
        if light == FRODO:
            frodo_shown = side == DARK

        # Light's text
        falling, helped, over = 0, False, False
        if dark != WARG:
            if light == BOROMIR:
                falling = 1 << light | 1 << dark
            elif (
                (light == MERRY and dark == WITCH_KING)
                or (light == LEGOLAS and dark == FLYING_NAZGUL)
                or (light == GIMLI and dark == ORCS)
            ):
                falling = 1 << dark
            elif light <= PIPPIN:
                ways, partner = 0, False
                if side == LIGHT:
                    if light == PIPPIN:
                        ways = backwards(state, square)
                elif light == FRODO:
                    ways = sideways(state, square, LIGHT)
                    partner = state.places[SAM] == square
                elif light == SAM:
                    partner = state.places[FRODO] == square and not strikes
                number = count_bits(ways)
                if number != 0 or partner:
                    plies += 1
                    choice = one_of(1 + number + partner, rng)
                    if choice > number:
                        light = SAM
                        helped = frodo_shown = True
                    elif choice > 0:
                        go(state, light, nth(ways, choice - 1))
                        over = True

        # Dark's text, and the cards
        if falling == 0 and not over:
            if strikes:
                falling = 1 << light
            else:
                forbidden = False
                if dark == SARUMAN:
                    plies += 1
                    forbidden = one_of(2, rng) != 0
                if forbidden:
                    falling = weaker(light, dark, helped, NO_CARD, NO_CARD)
                else:
                    outcome = play_cards(state, light, dark, helped, square, rng)
                    falling = outcome & FALLING
                    plies += outcome >> PLIES

        if falling != 0:
            bury(state, light, dark, falling, square)
            if state.winner != 0:
                break
        fought = True
        if state.places[attacker] != square or (state.occupied[1 - side] >> square) & 1 == 0:
            break
    return plies


@compiled
def sideways(state, square, side):
    return BESIDE[square] & ~state.occupied[1 - side] & ~state.full[side]


@compiled
def backwards(state, square):
    return BACKWARDS[square] & ~state.occupied[DARK] & ~state.full[LIGHT]


@compiled
def bury(state, light, dark, falling, square):
    if (falling >> light) & 1:  # Light first: Frodo's death decides
        fall(state, light)
    if (falling >> dark) & 1:
        fall(state, dark)
    elif dark == SHELOB and square != GONDOR:
        if ((state.occupied[LIGHT] | state.full[DARK]) >> GONDOR) & 1:
            fall(state, SHELOB)
        else:
            go(state, SHELOB, GONDOR)


@compiled
def play_cards(state, light, dark, helped, square, rng):
    """Both play a card; returns who falls, and above that the number of plies."""
    plies = 2
    dark_card = member(SIDE_MASK & ~state.used[DARK], rng)
    dark_effect = NO_CARD if dark == CAVE_TROLL else dark_card
    openly = light == GANDALF and dark != WARG
    if openly and dark_effect == DARK_MAGIC:
        plies += state.used[DARK] != 0
        dark_effect = used_card(state, DARK, rng)
    light_card = member(SIDE_MASK & ~state.used[LIGHT], rng)
    light_effect = light_card
    plies += not openly
    if dark_effect == DARK_MAGIC:
        plies += state.used[DARK] != 0
        dark_effect = used_card(state, DARK, rng)
    if dark_effect == EYE_OF_SAURON and light_effect >= LIGHT_NUMBERS:
        light_effect = NO_CARD
    dark_left = light_left = False
    if dark_effect == DARK_RETREAT:
        ways = sideways(state, square, DARK)
        if ways != 0:
            go(state, dark, member(ways, rng))
            dark_left = True
    if light_effect == LIGHT_MAGIC and not dark_left:
        plies += state.used[LIGHT] != 0
        light_effect = used_card(state, LIGHT, rng)
    if light_effect == LIGHT_RETREAT:
        ways = backwards(state, square)
        if ways != 0:
            go(state, light, member(ways, rng))
            light_left = True
    plies += dark_left + light_left
    discard(state, LIGHT, light_card)
    discard(state, DARK, dark_card)
    falling = 0
    if not dark_left and not light_left:
        if light_effect == NOBLE_SACRIFICE:
            falling = 1 << light | 1 << dark
        else:
            falling = weaker(light, dark, helped, light_effect, dark_effect)
    return falling | plies << PLIES


@compiled
def used_card(state, side, rng):
    """What Magic becomes."""
    used = state.used[side]
    return member(used, rng) if used != 0 else NO_CARD


@compiled
def discard(state, side, card):
    used = state.used[side] | 1 << card
    state.used[side] = 0 if used == SIDE_MASK else used


@compiled
def weaker(light, dark, helped, light_effect, dark_effect):
    """Strength and number card: the lower total falls, or both."""
    light_total = SAM_WITH_FRODO if helped else STRENGTH[light]
    dark_total = STRENGTH[dark]
    if light_effect < LIGHT_NUMBERS:
        light_total += light_effect + 1  # NO_CARD is -1: nothing is added
    if dark_effect < DARK_NUMBERS and light_effect != ELVEN_CLOAK:
        dark_total += dark_effect + 1
    return (light_total <= dark_total) << light | (light_total >= dark_total) << dark
