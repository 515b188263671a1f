"""Battles of the Confrontation: every character's text, every card, and how they meet."""

from __future__ import annotations

from itertools import product

import pytest

from icarus.game import ENVIRONMENT, Position
from icarus.games.confrontation import position as rules
from icarus.games.confrontation.cast import CARDS, CHARACTERS, STRENGTH
from tests.games.confrontation_positions import DARK, LIGHT, arrange, options, phase, place, play, winner

LIGHT_HAND = {"card 1", "card 2", "card 3", "card 4", "card 5", "Retreat", "Magic", "Noble Sacrifice", "Elven Cloak"}
DARK_HAND = {"card 1", "card 2", "card 3", "card 4", "card 5", "card 6", "Retreat", "Magic", "The Eye of Sauron"}


def at(position: Position, *names: str) -> tuple[str, ...]:
    """Where these characters are."""
    return tuple(place(position, name) for name in names)


def field(light: str, dark: str, attacker: int, more_light: str = "", more_dark: str = "", **given: object) -> Position:
    """The two meet in Fangorn, Light from the Misty Mountains or Dark from Dagorlad, and are face up.

    Sideways of Fangorn are Mirkwood and Rohan, backwards for Light the Misty Mountains and Moria; all are free.
    """
    here, there = ("Misty Mountains", "Fangorn") if attacker == LIGHT else ("Dagorlad", "Fangorn")
    lights = [f"{light} {here if attacker == LIGHT else there}", *(["Frodo Shire"] if "Frodo" not in light + more_light else [])]
    reserve = "Balrog" if dark != "Balrog" else "Saruman"
    darks = [f"{dark} {here if attacker == DARK else there}", *([] if more_dark else [f"{reserve} Mordor"])]
    position = arrange(
        ", ".join([*lights, *([more_light] if more_light else [])]),
        ", ".join([*darks, *([more_dark] if more_dark else [])]),
        attacker,
        **given,  # type: ignore[arg-type]
    )
    return play(position, f"{light if attacker == LIGHT else dark}: {here}-{there}")


# --- strength and numbers ----------------------------------------------------------------------------------------------


def test_the_lower_total_falls():
    lower = play(field("Aragorn", "Balrog", LIGHT), "card 3", "card 1")
    assert at(lower, "Aragorn", "Balrog") == ("fallen", "Fangorn")
    higher = play(field("Aragorn", "Balrog", LIGHT), "card 3", "card 5")
    assert at(higher, "Aragorn", "Balrog") == ("Fangorn", "fallen")


def test_with_equal_totals_both_fall():
    position = play(field("Legolas", "Black Rider", DARK), "card 4", "card 4")
    assert at(position, "Legolas", "Black Rider") == ("fallen", "fallen")


def test_the_printed_strengths():
    printed = {
        "Frodo": 1,
        "Sam": 2,
        "Pippin": 1,
        "Merry": 2,
        "Gandalf": 5,
        "Aragorn": 4,
        "Legolas": 3,
        "Gimli": 3,
        "Boromir": 0,
        "Orcs": 2,
        "Shelob": 5,
        "Saruman": 4,
        "Flying Nazgul": 3,
        "Balrog": 5,
        "Warg": 2,
        "Black Rider": 3,
        "Witch King": 5,
        "Cave Troll": 9,
    }
    assert {name: int(STRENGTH[i]) for i, name in enumerate(CHARACTERS)} == printed


def naive_fates(light: str, dark: str, attacker: int, cards: tuple[str, str], picks: tuple[str, str]) -> tuple[str, str]:
    """The rules of a fight in the open, with no optional text used, told once more: what becomes of Light's and of Dark's."""
    light_card, dark_card = cards
    if dark != "Warg":
        if (light, dark) in [("Merry", "Witch King"), ("Legolas", "Flying Nazgul"), ("Gimli", "Orcs")]:
            return "stays", "falls"
        if light == "Boromir":
            return "falls", "falls"
    if dark == "Orcs" and attacker == DARK:
        return "falls", "stays"
    if dark_card == "Magic":
        dark_card = picks[DARK]
    if dark == "Cave Troll":
        dark_card = "nothing"
    if dark_card == "The Eye of Sauron" and not light_card.isdigit():
        light_card = "nothing"
    if dark_card == "Retreat":
        return ("retreats" if light_card == "Retreat" else "stays"), "retreats"
    if light_card == "Magic":
        light_card = picks[LIGHT]
    if light_card == "Retreat":
        return "retreats", "stays"
    if light_card == "Noble Sacrifice":
        return "falls", "falls"
    strengths = dict(zip(CHARACTERS, (1, 2, 1, 2, 5, 4, 3, 3, 0, 2, 5, 4, 3, 5, 2, 3, 5, 9), strict=True))
    totals = [strengths[light], strengths[dark]]
    if light_card.isdigit():
        totals[LIGHT] += int(light_card)
    if dark_card.isdigit() and light_card != "Elven Cloak":
        totals[DARK] += int(dark_card)
    return ("falls" if totals[0] <= totals[1] else "stays"), ("falls" if totals[1] <= totals[0] else "stays")


def fates(position: Position, cards: tuple[str, str], picks: tuple[str, str]) -> tuple[str, str]:
    """Fight with these cards, picks for Magic, and no optional text."""
    light, dark = (CHARACTERS[int(position.named.fighters[side])] for side in (LIGHT, DARK))
    while not position.is_terminal and phase(position) != rules.MOVE:
        legal = position.legal()
        wanted = {
            rules.DARK_CARD: 20 * 256 + 16 + CARDS[DARK].index(cards[DARK]),
            rules.LIGHT_CARD: 20 * 256 + CARDS[LIGHT].index(cards[LIGHT]),
            rules.DARK_PICKS: 20 * 256 + 48 + CARDS[DARK].index(picks[DARK]) if picks[DARK] != "nothing" else -1,
            rules.LIGHT_PICKS: 20 * 256 + 32 + CARDS[LIGHT].index(picks[LIGHT]) if picks[LIGHT] != "nothing" else -1,
        }.get(phase(position), legal[0])
        assert wanted in legal
        position.apply(wanted)
    homes = {LIGHT: ("Misty Mountains", "Moria"), DARK: ("Mirkwood", "Rohan")}
    told = []
    for side, name in ((LIGHT, light), (DARK, dark)):
        where = place(position, name)
        told.append("falls" if where == "fallen" else "retreats" if where in homes[side] else "stays")
        if told[-1] == "stays":
            returned = name == "Shelob" and told[0] == "falls"
            assert where == ("Gondor" if returned else "Fangorn")
    return told[0], told[1]


@pytest.mark.parametrize("attacker", [LIGHT, DARK])
@pytest.mark.parametrize("light", CHARACTERS[:9])
def test_every_fight_ends_as_the_rules_say(light: str, attacker: int):
    for dark in CHARACTERS[9:]:
        start = field(light, dark, attacker) if not settled(light, dark, attacker) else None
        for cards in product(CARDS[LIGHT], CARDS[DARK]):
            nothing = ("nothing", "nothing")
            expected = naive_fates(light, dark, attacker, cards, nothing)
            position = start.copy() if start is not None else None
            if position is None:
                assert settled_fates(light, dark, attacker) == expected
                break
            assert fates(position, cards, nothing) == expected, (dark, cards)


def settled(light: str, dark: str, attacker: int) -> bool:
    """Is the fight over before any card is played?"""
    return (
        naive_fates(light, dark, attacker, ("1", "1"), ("", ""))
        == naive_fates(light, dark, attacker, ("5", "1"), ("", ""))
        == (naive_fates(light, dark, attacker, ("Retreat", "1"), ("", "")))
    )


def settled_fates(light: str, dark: str, attacker: int) -> tuple[str, str]:
    position = field(light, dark, attacker)
    while phase(position) == rules.LIGHT_TEXT:
        play(position, "stay")
    assert position.is_terminal or phase(position) == rules.MOVE
    return ("falls" if place(position, light) == "fallen" else "stays"), (
        "falls" if place(position, dark) == "fallen" else "stays"
    )


@pytest.mark.parametrize("dark", ["Balrog", "Cave Troll", "Warg"])
@pytest.mark.parametrize("light", ["Gandalf", "Aragorn"])
def test_every_fight_with_magic_ends_as_the_rules_say(light: str, dark: str):
    used = ("2, Retreat, Noble Sacrifice, Elven Cloak", "4, Retreat, The Eye of Sauron")
    start = field(light, dark, LIGHT, used=used)
    picks = [["2", "Retreat", "Noble Sacrifice", "Elven Cloak"], ["4", "Retreat", "The Eye of Sauron"]]
    for cards in product(["1", "5", "Magic"], ["1", "6", "Magic"]):
        for pick in product(picks[LIGHT], picks[DARK]):
            assert fates(start.copy(), cards, pick) == naive_fates(light, dark, LIGHT, cards, pick), (cards, pick)


# --- Light's characters -------------------------------------------------------------------------------------------------


def test_frodo_may_retreat_sideways_when_he_is_attacked():
    position = field("Frodo", "Cave Troll", DARK)
    assert options(position) == {"stay", "Frodo: Fangorn-Mirkwood", "Frodo: Fangorn-Rohan"}
    play(position, "Frodo: Fangorn-Rohan")
    assert at(position, "Frodo", "Cave Troll") == ("Rohan", "Fangorn")
    assert position.player == LIGHT


def test_frodo_may_stay_and_fight():
    assert options(play(field("Frodo", "Warg", DARK))) == DARK_HAND
    assert options(play(field("Frodo", "Balrog", DARK), "stay")) == DARK_HAND


def test_frodo_does_not_retreat_when_he_attacks():
    assert options(field("Frodo", "Balrog", LIGHT)) == DARK_HAND


def test_frodo_retreats_neither_to_enemies_nor_to_full_regions_nor_in_the_mountains():
    enemies = field("Frodo", "Balrog", DARK, more_dark="Orcs Mirkwood")
    assert options(enemies) == {"stay", "Frodo: Fangorn-Rohan"}
    full = field("Frodo", "Balrog", DARK, more_light="Sam Rohan, Merry Rohan", more_dark="Orcs Mirkwood")
    assert options(full) == DARK_HAND
    mountain = play(arrange("Frodo Moria", "Balrog Fangorn, Orcs Mordor"), "Balrog: Fangorn-Moria")
    assert options(mountain) == DARK_HAND


def test_frodo_may_retreat_into_the_region_that_the_witch_king_came_from():
    position = play(arrange("Frodo Fangorn", "Witch King Rohan, Orcs Mirkwood"), "Witch King: Rohan-Fangorn")
    assert options(position) == {"stay", "Frodo: Fangorn-Rohan"}


def test_sam_beside_frodo_has_strength_five_if_frodo_is_shown():
    position = field("Sam", "Balrog", DARK, more_light="Frodo Fangorn")
    play(position, "Sam meets Balrog")
    assert options(position) == {"stay", "show Frodo"}
    shown = play(position.copy(), "show Frodo", "card 1", "card 2")
    assert at(shown, "Sam", "Balrog") == ("Fangorn", "fallen")
    hidden = play(position.copy(), "stay", "card 1", "card 2")
    assert at(hidden, "Sam", "Balrog") == ("fallen", "Fangorn")


def test_sam_may_replace_frodo():
    position = play(field("Sam", "Balrog", DARK, more_light="Frodo Fangorn"), "Frodo meets Balrog")
    assert options(position) == {"stay", "Frodo: Fangorn-Mirkwood", "Frodo: Fangorn-Rohan", "Sam replaces Frodo"}
    play(position, "Sam replaces Frodo", "card 3", "card 3")
    assert at(position, "Frodo", "Sam", "Balrog") == ("Fangorn", "fallen", "fallen")  # 5 against 5


def test_sam_alone_has_strength_two():
    assert at(play(field("Sam", "Black Rider", DARK), "card 1", "card 2"), "Sam", "Black Rider") == ("fallen", "fallen")


def test_light_is_asked_for_sam_whoever_could_be_sam():
    position = play(field("Merry", "Balrog", DARK, more_light="Frodo Fangorn, Sam Shire"), "Frodo meets Balrog")
    assert options(position) == {"stay", "Frodo: Fangorn-Mirkwood", "Frodo: Fangorn-Rohan"}
    # even where there is nothing to choose
    moria = field("Sam", "Balrog", DARK, more_light="Pippin Fangorn, Frodo Shire")
    play(moria, "Sam meets Balrog")
    assert options(moria) == {"stay"}


def test_an_enemy_that_beats_sam_meets_frodo_next():
    position = play(field("Sam", "Balrog", DARK, more_light="Frodo Fangorn"), "Frodo meets Balrog", "Sam replaces Frodo")
    play(position, "card 6", "card 1")
    assert place(position, "Sam") == "fallen"
    assert options(position) == {"stay", "Frodo: Fangorn-Mirkwood", "Frodo: Fangorn-Rohan"}
    assert winner(play(position, "stay", "card 5", "card 2")) == DARK


def test_an_enemy_who_is_face_up_may_be_chosen():
    start = arrange("Frodo Shire, Sam Shire, Merry Shire, Pippin Shire", "Balrog Arthedain, Orcs Mordor")
    play(start, "Balrog: Arthedain-The Shire", "Frodo meets Balrog", "Sam replaces Frodo", "card 6", "card 1")
    assert place(start, "Sam") == "fallen"
    assert start.player == DARK
    assert options(start) == {"fight Frodo", "fight a hidden piece"}
    assert options(play(start.copy(), "fight Frodo")) == DARK_HAND - {"card 6"}
    hidden = play(start.copy(), "fight a hidden piece")
    assert hidden.player == ENVIRONMENT
    assert options(hidden) == {"Merry meets Balrog", "Pippin meets Balrog"}


def test_pippin_may_retreat_backwards_when_he_attacks():
    position = field("Pippin", "Balrog", LIGHT)
    assert options(position) == {"stay", "Pippin: Fangorn-Misty Mountains", "Pippin: Fangorn-Moria"}
    play(position, "Pippin: Fangorn-Moria")
    assert at(position, "Pippin", "Balrog") == ("Moria", "Fangorn")
    assert position.player == DARK
    assert options(field("Pippin", "Balrog", DARK)) == DARK_HAND  # not when he is attacked


def test_pippin_returns_neither_over_the_river_nor_through_the_tunnel():
    river = play(arrange("Frodo Shire, Pippin Mirkwood", "Balrog Fangorn", LIGHT), "Pippin: Mirkwood-Fangorn")
    assert options(river) == {"stay", "Pippin: Fangorn-Misty Mountains", "Pippin: Fangorn-Moria"}
    tunnel = play(arrange("Frodo Shire, Pippin Eregion", "Balrog Fangorn", LIGHT), "Pippin: Eregion-Fangorn")
    assert options(tunnel) == {"stay", "Pippin: Fangorn-Misty Mountains", "Pippin: Fangorn-Moria"}


@pytest.mark.parametrize("attacker", [LIGHT, DARK])
@pytest.mark.parametrize("light, dark", [("Merry", "Witch King"), ("Legolas", "Flying Nazgul"), ("Gimli", "Orcs")])
def test_merry_legolas_and_gimli_defeat_their_enemies_at_once(light: str, dark: str, attacker: int):
    position = field(light, dark, attacker)
    assert at(position, light, dark) == ("Fangorn", "fallen")
    assert position.player == 1 - attacker
    assert position.named.used[0] == position.named.used[1] == 0


def test_gandalf_makes_dark_play_first_and_openly():
    position = field("Gandalf", "Balrog", DARK)
    assert not position.game.call("simultaneous", position.state)
    card = position.parse_action("card 3")
    assert position.observe(card, LIGHT) == card
    play(position, "card 3")
    assert position.player == LIGHT
    assert "Dark 3" in position.render(LIGHT)
    assert at(play(position, "card 4"), "Gandalf", "Balrog") == ("Fangorn", "fallen")


def test_gandalf_sees_magic_resolved():
    position = play(field("Gandalf", "Balrog", DARK, used=("1", "6")), "Magic")
    assert options(position) == {"Magic: card 6"}
    play(position, "Magic: card 6")
    assert position.player == LIGHT
    assert options(position) == LIGHT_HAND - {"card 1"}


def test_gandalf_plays_a_card_even_against_retreat():
    position = play(field("Gandalf", "Balrog", DARK), "Retreat")
    assert options(position) == LIGHT_HAND
    play(position, "card 1", "Balrog: Fangorn-Rohan")
    assert at(position, "Gandalf", "Balrog") == ("Fangorn", "Rohan")
    assert options(play(position, "Gandalf: Fangorn-Dagorlad")) != LIGHT_HAND
    assert int(position.named.used[0]) == 1


def test_boromir_takes_his_enemy_with_him():
    for attacker in (LIGHT, DARK):
        assert at(field("Boromir", "Cave Troll", attacker), "Boromir", "Cave Troll") == ("fallen", "fallen")
    assert at(field("Boromir", "Orcs", DARK), "Boromir", "Orcs") == ("fallen", "fallen")


# --- Dark's characters ---------------------------------------------------------------------------------------------------


def test_orcs_defeat_their_first_enemy_when_they_attack():
    position = field("Gandalf", "Orcs", DARK)
    assert at(position, "Gandalf", "Orcs") == ("fallen", "Fangorn")
    assert options(field("Gandalf", "Orcs", LIGHT)) == DARK_HAND


def test_orcs_defeat_only_the_first_enemy_of_a_turn():
    position = play(field("Gandalf", "Orcs", DARK, more_light="Aragorn Fangorn"), "Gandalf meets Orcs")
    assert place(position, "Gandalf") == "fallen"
    assert options(position) == DARK_HAND
    play(position, "card 1", "card 1")
    assert at(position, "Aragorn", "Orcs") == ("Fangorn", "fallen")


def test_orcs_have_used_their_text_when_frodo_retreats():
    position = play(field("Gandalf", "Orcs", DARK, more_light="Frodo Fangorn"), "Frodo meets Orcs", "Frodo: Fangorn-Rohan")
    assert options(position) == DARK_HAND  # against Gandalf
    assert winner(position) is None


def test_orcs_kill_sam_in_frodos_place_and_frodo_if_he_stays():
    start = play(field("Sam", "Orcs", DARK, more_light="Frodo Fangorn"), "Frodo meets Orcs")
    position = play(start.copy(), "Sam replaces Frodo")
    assert at(position, "Sam", "Frodo", "Orcs") == ("fallen", "Fangorn", "Fangorn")
    assert options(position) == {"stay", "Frodo: Fangorn-Mirkwood", "Frodo: Fangorn-Rohan"}  # Frodo, face up, is next
    assert winner(play(start.copy(), "stay")) == DARK


def test_orcs_kill_frodo_without_a_way_out_after_the_question_for_sam():
    """Nobody is Sam, and Eregion is full: Light can only stay, which is a decision and not yet the end of the game."""
    light = "Frodo Rhudaur, Gandalf Rhudaur, Sam Shire, Aragorn Eregion, Legolas Eregion"
    used = ("2, 3, Magic, Elven Cloak", "1, 2, 3, 4")
    start = arrange(light, "Orcs High Pass, Balrog Mordor", DARK, used=used)
    position = play(start, "Orcs: High Pass-Rhudaur", "Frodo meets Orcs")
    assert phase(position) == rules.LIGHT_TEXT and position.player == LIGHT
    assert options(position) == {"stay"} and winner(position) is None
    hands = [int(position.named.used[side]) for side in (LIGHT, DARK)]
    play(position, "stay")
    assert winner(position) == DARK and at(position, "Frodo", "Gandalf", "Orcs") == ("fallen", "Rhudaur", "Rhudaur")
    assert [int(position.named.used[side]) for side in (LIGHT, DARK)] == hands


def test_orcs_kill_frodo_at_once_where_everybody_knows_that_sam_is_elsewhere():
    light = "Frodo Rhudaur, Gandalf Rhudaur, Sam Shire, Aragorn Eregion, Legolas Eregion"
    known = {(LIGHT, "Shire"): [["Sam"]], (LIGHT, "Rhudaur"): [["Frodo", "Gandalf"]] * 2}
    position = play(
        arrange(light, "Orcs High Pass, Balrog Mordor", DARK, sets=known), "Orcs: High Pass-Rhudaur", "Frodo meets Orcs"
    )
    assert winner(position) == DARK


def test_sam_is_not_asked_when_orcs_strike_him():
    position = play(field("Sam", "Orcs", DARK, more_light="Frodo Fangorn"), "Sam meets Orcs")
    assert place(position, "Sam") == "fallen"


def test_shelob_returns_to_gondor_after_a_victory():
    for attacker in (LIGHT, DARK):
        position = play(field("Merry", "Shelob", attacker), "card 1", "card 1")
        assert at(position, "Merry", "Shelob") == ("fallen", "Gondor")


def test_shelob_returns_even_if_enemies_remain():
    position = field("Merry", "Shelob", DARK, more_light="Gimli Fangorn")
    play(position, "Merry meets Shelob", "card 1", "card 1")
    assert at(position, "Shelob", "Gimli") == ("Gondor", "Fangorn")
    assert position.player == LIGHT


def test_shelob_falls_if_gondor_is_full_or_held_by_light():
    light = play(field("Merry", "Shelob", DARK, more_light="Gimli Gondor"), "card 1", "card 1")
    assert at(light, "Merry", "Shelob") == ("fallen", "fallen")
    full = play(field("Merry", "Shelob", DARK, more_dark="Orcs Gondor, Warg Gondor"), "card 1", "card 1")
    assert at(full, "Merry", "Shelob") == ("fallen", "fallen")
    room = play(field("Merry", "Shelob", DARK, more_dark="Orcs Gondor"), "card 1", "card 1")
    assert at(room, "Merry", "Shelob") == ("fallen", "Gondor")


def test_shelob_stays_in_gondor():
    position = arrange("Frodo Shire, Merry Fangorn", "Shelob Gondor, Orcs Gondor", LIGHT)
    play(position, "Merry: Fangorn-Gondor", "Merry meets Shelob", "card 1", "card 1")
    assert at(position, "Merry", "Shelob", "Orcs") == ("fallen", "Gondor", "Gondor")


def test_saruman_may_decide_that_no_cards_are_played():
    position = field("Legolas", "Saruman", LIGHT)
    assert position.player == DARK
    assert options(position) == {"play cards", "no cards"}
    assert options(play(position.copy(), "play cards")) == DARK_HAND
    play(position, "no cards")
    assert at(position, "Legolas", "Saruman") == ("fallen", "Fangorn")
    assert position.named.used[0] == position.named.used[1] == 0


def test_saruman_without_cards_meets_sam_with_frodos_strength():
    position = play(field("Sam", "Saruman", DARK, more_light="Frodo Fangorn"), "Sam meets Saruman", "show Frodo", "no cards")
    assert at(position, "Sam", "Saruman") == ("Fangorn", "fallen")


def test_warg_silences_every_text_of_light():
    assert options(field("Frodo", "Warg", DARK)) == DARK_HAND
    assert options(field("Pippin", "Warg", LIGHT)) == DARK_HAND
    assert options(field("Boromir", "Warg", LIGHT)) == DARK_HAND
    gandalf = play(field("Gandalf", "Warg", LIGHT), "card 5")
    assert gandalf.game.call("simultaneous", gandalf.state)
    assert "Dark face down" in gandalf.render(LIGHT)
    sam = play(field("Sam", "Warg", DARK, more_light="Frodo Fangorn"), "Sam meets Warg", "card 3", "card 2")
    assert place(sam, "Sam") == "fallen"  # 2 + 2 against 2 + 3
    replaced = play(field("Sam", "Warg", DARK, more_light="Frodo Fangorn"), "Frodo meets Warg")
    assert options(replaced) == DARK_HAND


def test_aragorn_attacks_the_warg_in_any_direction():
    position = play(arrange("Frodo Shire, Aragorn Eregion", "Warg Arthedain", LIGHT), "Aragorn: Eregion-Arthedain")
    assert options(position) == DARK_HAND


def test_the_cave_trolls_card_has_neither_value_nor_effect():
    for card in CARDS[DARK]:
        position = play(
            field("Gimli", "Cave Troll", LIGHT, used=("", "")), f"card {card}" if card.isdigit() else card, "Elven Cloak"
        )
        assert at(position, "Gimli", "Cave Troll") == ("fallen", "Fangorn")
        assert int(position.named.used[DARK]) == 1 << CARDS[DARK].index(card)
    sacrifice = play(field("Gimli", "Cave Troll", LIGHT), "The Eye of Sauron", "Noble Sacrifice")
    assert at(sacrifice, "Gimli", "Cave Troll") == ("fallen", "fallen")


# --- cards -----------------------------------------------------------------------------------------------------------


def test_cards_are_chosen_face_down_one_after_the_other():
    position = field("Legolas", "Balrog", LIGHT)
    assert position.game.call("simultaneous", position.state)
    seen = {position.observe(card, LIGHT) for card in position.legal()}
    assert len(seen) == 1
    assert len({position.observe(card, DARK) for card in position.legal()}) == 9
    position.apply(position.parse_action("Retreat"))
    assert position.player == LIGHT
    assert position.game.call("simultaneous", position.state)
    assert len({position.observe(card, DARK) for card in position.legal()}) == 1
    position.apply(position.parse_action("5"))
    assert position.player == ENVIRONMENT
    assert options(position) == {"Light: card 5, Dark: Retreat"}


def test_used_cards_come_back_when_all_nine_are_used():
    used = ("1, 2, 3, 4, Retreat, Magic, Noble Sacrifice, Elven Cloak", "1, 2, 3, 4, 5, Retreat, Magic, The Eye of Sauron")
    position = field("Gimli", "Balrog", LIGHT, used=used)
    assert options(position) == {"card 6"}
    play(position, "card 6")
    assert options(position) == {"card 5"}
    play(position, "card 5")
    assert position.named.used[0] == position.named.used[DARK] == 0


def test_light_retreats_backwards_and_chooses_where_to():
    position = play(field("Gimli", "Balrog", DARK), "card 6", "Retreat")
    assert position.player == LIGHT
    assert options(position) == {"Gimli: Fangorn-Misty Mountains", "Gimli: Fangorn-Moria"}
    assert at(play(position, "Gimli: Fangorn-Moria"), "Gimli", "Balrog") == ("Moria", "Fangorn")
    assert position.player == LIGHT


def test_dark_retreats_sideways_and_chooses_where_to():
    position = play(field("Gimli", "Balrog", LIGHT), "Retreat", "card 5")
    assert options(position) == {"Balrog: Fangorn-Mirkwood", "Balrog: Fangorn-Rohan"}  # upstream as well
    assert at(play(position, "Balrog: Fangorn-Mirkwood"), "Gimli", "Balrog") == ("Fangorn", "Mirkwood")
    assert position.player == DARK


def test_a_retreat_without_a_way_is_worth_nothing():
    mountain = play(arrange("Frodo Shire, Gimli Eregion", "Balrog Moria, Orcs Mordor", LIGHT), "Gimli: Eregion-Moria")
    play(mountain, "Retreat", "card 1")
    assert at(mountain, "Gimli", "Balrog") == ("fallen", "Moria")  # 4 against 5
    home = play(arrange("Frodo Arthedain, Gimli Shire", "Balrog Cardolan, Orcs Mordor"), "Balrog: Cardolan-The Shire")
    play(home, "card 1", "Retreat")
    assert at(home, "Gimli", "Balrog") == ("fallen", "Shire")


def test_light_retreats_into_no_region_with_enemies_or_full_of_its_own():
    position = field("Gimli", "Balrog", DARK, more_light="Merry Moria", more_dark="Orcs Misty Mountains")
    play(position, "card 1", "Retreat")
    assert at(position, "Gimli", "Balrog") == ("fallen", "Fangorn")


def test_an_attacker_fights_the_next_enemy_when_one_retreats():
    position = field("Gimli", "Balrog", DARK, more_light="Merry Fangorn")
    play(position, "Gimli meets Balrog", "card 1", "Retreat", "Gimli: Fangorn-Moria")
    assert options(position) == DARK_HAND - {"card 1"}
    assert int(position.named.fighters[LIGHT]) == CHARACTERS.index("Merry")


def test_magic_works_as_a_used_card():
    position = play(field("Gimli", "Balrog", LIGHT, used=("2, Noble Sacrifice", "1, 3")), "card 6", "Magic")
    assert position.player == LIGHT
    assert options(position) == {"Magic: card 2", "Magic: Noble Sacrifice"}
    assert at(play(position, "Magic: Noble Sacrifice"), "Gimli", "Balrog") == ("fallen", "fallen")
    assert int(position.named.used[0]) == sum(1 << CARDS[LIGHT].index(card) for card in ("2", "Noble Sacrifice", "Magic"))


def test_magic_with_no_used_card_is_worth_nothing():
    assert at(play(field("Gandalf", "Balrog", LIGHT), "Magic", "card 1"), "Gandalf", "Balrog") == ("Fangorn", "fallen")
    assert at(play(field("Aragorn", "Balrog", LIGHT), "Magic", "Magic"), "Aragorn", "Balrog") == ("fallen", "Fangorn")


def test_of_two_magics_darks_is_replaced_first():
    position = play(field("Gimli", "Balrog", LIGHT, used=("2, Retreat", "1, The Eye of Sauron")), "Magic", "Magic")
    assert position.player == DARK
    assert options(position) == {"Magic: card 1", "Magic: The Eye of Sauron"}
    number = play(position.copy(), "Magic: card 1")
    assert number.player == LIGHT
    eye = play(position.copy(), "Magic: The Eye of Sauron")
    assert at(eye, "Gimli", "Balrog") == ("fallen", "Fangorn")  # Light's Magic does nothing


def test_noble_sacrifice_kills_both():
    assert at(play(field("Merry", "Cave Troll", DARK), "card 6", "Noble Sacrifice"), "Merry", "Cave Troll") == (
        "fallen",
        "fallen",
    )


def test_elven_cloak_ignores_darks_number_also_from_magic():
    assert at(play(field("Aragorn", "Black Rider", LIGHT), "card 6", "Elven Cloak"), "Aragorn", "Black Rider") == (
        "Fangorn",
        "fallen",
    )
    magic = field("Aragorn", "Black Rider", LIGHT, used=("1", "6"))
    play(magic, "Magic", "Elven Cloak", "Magic: card 6")
    assert at(magic, "Aragorn", "Black Rider") == ("Fangorn", "fallen")


@pytest.mark.parametrize("card", ["Retreat", "Magic", "Noble Sacrifice", "Elven Cloak"])
def test_the_eye_of_sauron_cancels_every_text_card(card: str):
    position = play(field("Gandalf", "Balrog", LIGHT, used=("5", "")), "The Eye of Sauron", card)
    assert at(position, "Gandalf", "Balrog") == ("fallen", "fallen")  # 5 against 5, nobody adds anything


def test_the_eye_of_sauron_has_no_effect_on_numbers():
    position = play(field("Aragorn", "Balrog", LIGHT), "The Eye of Sauron", "card 2")
    assert at(position, "Aragorn", "Balrog") == ("Fangorn", "fallen")


def test_darks_retreat_escapes_noble_sacrifice():
    position = play(field("Gimli", "Balrog", LIGHT), "Retreat", "Noble Sacrifice", "Balrog: Fangorn-Rohan")
    assert at(position, "Gimli", "Balrog") == ("Fangorn", "Rohan")


def test_noble_sacrifice_kills_both_if_darks_retreat_finds_no_way():
    position = play(arrange("Frodo Shire, Gimli Eregion", "Balrog Moria, Orcs Mordor", LIGHT), "Gimli: Eregion-Moria")
    assert at(play(position, "Retreat", "Noble Sacrifice"), "Gimli", "Balrog") == ("fallen", "fallen")


def test_two_retreats_move_both_dark_first():
    position = play(field("Gimli", "Balrog", DARK), "Retreat", "Retreat")
    assert position.player == DARK
    play(position, "Balrog: Fangorn-Rohan")
    assert position.player == LIGHT
    assert at(play(position, "Gimli: Fangorn-Moria"), "Gimli", "Balrog") == ("Moria", "Rohan")


def test_magic_does_nothing_after_dark_has_retreated():
    position = play(field("Gimli", "Balrog", DARK, used=("Retreat", "1")), "Retreat", "Magic", "Balrog: Fangorn-Rohan")
    assert at(position, "Gimli", "Balrog") == ("Fangorn", "Rohan")
    assert phase(position) == rules.MOVE


def test_the_attacker_fights_all_enemies_one_after_the_other():
    position = field("Gimli", "Balrog", DARK, more_light="Merry Fangorn")
    assert options(position) == {"Gimli meets Balrog", "Merry meets Balrog"}
    assert position.chance() == [0.5, 0.5]
    play(position, "Merry meets Balrog", "card 1", "card 1")
    assert int(position.named.fighters[LIGHT]) == CHARACTERS.index("Gimli")
    play(position, "card 2", "card 2")
    assert at(position, "Gimli", "Merry", "Balrog") == ("fallen", "fallen", "Fangorn")
    assert position.player == LIGHT
