"""Where the characters of the Confrontation go, and how its games are won."""

from __future__ import annotations

import pytest

from icarus.errors import GameError
from icarus.game import CONTINUES, Position, play_randomly
from icarus.games.confrontation import confrontation
from icarus.games.confrontation.battle import TURN_LIMIT
from icarus.games.confrontation.board import ADJACENT, BACKWARDS, CAPACITY, FORWARD, MOUNTAINS, REGIONS, SIDEWAYS
from icarus.games.confrontation.cast import CHARACTERS, EACH
from icarus.games.confrontation.play import PLACEMENTS
from icarus.jit.randomness import seeded
from tests.games.confrontation_positions import DARK, LIGHT, arrange, game, options, place, play, winner

#: Light's ways forward as the rules print them; Dark's are the reverse
PRINTED = """Shire>Arthedain,Cardolan; Arthedain>Rhudaur,Eregion; Cardolan>Eregion,Enedwaith;
Rhudaur>High Pass,Misty Mountains; Eregion>Misty Mountains,Moria; Enedwaith>Moria,Gap of Rohan; High Pass>Mirkwood;
Misty Mountains>Mirkwood,Fangorn; Moria>Fangorn,Rohan; Gap of Rohan>Rohan; Mirkwood>Dagorlad;
Fangorn>Dagorlad,Gondor; Rohan>Gondor; Dagorlad>Mordor; Gondor>Mordor"""
EDGES = {
    (start.strip(), end.strip()) for entry in PRINTED.split(";") for start, ends in [entry.split(">")] for end in ends.split(",")
}
LIGHT_ONLY = {("Mirkwood", "Fangorn"), ("Fangorn", "Rohan"), ("Eregion", "Fangorn")}
LEVEL = [
    *[("Arthedain", "Cardolan"), ("Rhudaur", "Eregion"), ("Eregion", "Enedwaith")],
    *[("Mirkwood", "Fangorn"), ("Fangorn", "Rohan"), ("Dagorlad", "Gondor")],
]
SHORT = [name.removeprefix("The ") for name in REGIONS]


def pairs(table: object) -> set[tuple[str, str]]:
    return {(SHORT[a], SHORT[b]) for a in range(16) for b in range(16) if int(table[a]) >> b & 1}  # type: ignore[index]


def targets(position: Position, who: str) -> set[str]:
    """The regions to which a character can move."""
    return {SHORT[action & 15] for action in position.legal() if CHARACTERS[action >> 8] == who}


# --- the board -------------------------------------------------------------------------------------------------------


def test_forward_edges_are_those_of_the_rules():
    assert pairs(FORWARD[:16]) == EDGES | LIGHT_ONLY
    assert pairs(FORWARD[16:]) == {(end, start) for start, end in EDGES}
    assert pairs(BACKWARDS) == {(end, start) for start, end in EDGES}


def test_sideways_pairs_are_those_of_the_rules_and_none_is_in_the_mountains():
    assert pairs(SIDEWAYS) == {*LEVEL, *((b, a) for a, b in LEVEL)}
    assert {SHORT[q] for q in MOUNTAINS} == {"High Pass", "Misty Mountains", "Moria", "Gap of Rohan"}


def test_adjacent_is_forward_backwards_and_sideways():
    assert pairs(ADJACENT) == EDGES | {(b, a) for a, b in EDGES} | pairs(SIDEWAYS)


def test_capacities():
    assert {name: int(CAPACITY[i]) for i, name in enumerate(SHORT) if CAPACITY[i] != 2} == {
        "Shire": 4,
        "Mordor": 4,
        "High Pass": 1,
        "Misty Mountains": 1,
        "Moria": 1,
        "Gap of Rohan": 1,
    }


@pytest.mark.parametrize("start", SHORT)
def test_ordinary_characters_move_forward_only(start: str):
    light = arrange(f"Frodo {'Shire' if start != 'Shire' else 'Arthedain'}, Gandalf {start}", "Balrog Mordor", LIGHT)
    assert targets(light, "Gandalf") == {b for a, b in EDGES | LIGHT_ONLY if a == start}
    dark = arrange(
        "Frodo Shire", f"Balrog {start}, Shelob Mordor" if start != "Shire" else "Balrog Arthedain, Shelob Mordor", DARK
    )
    if start != "Shire":
        assert targets(dark, "Balrog") == {a for a, b in EDGES if b == start}


def test_nobody_enters_a_region_that_is_full_of_its_own_side():
    position = arrange("Frodo Shire, Sam Arthedain, Merry Arthedain, Gimli Cardolan", "Orcs Mordor", LIGHT)
    assert targets(position, "Frodo") == {"Cardolan"}
    assert targets(arrange("Frodo Rhudaur, Sam High Pass", "Orcs Mordor", LIGHT), "Frodo") == {"Misty Mountains"}
    home = arrange("Frodo Shire", "Orcs Arthedain, Warg Shire, Balrog Shire, Shelob Shire", DARK, rules=game("fixed", 4))
    assert targets(home, "Orcs") == {"Shire"}


def test_the_capacity_counts_each_side_for_itself():
    position = arrange("Frodo Shire, Gandalf Eregion", "Orcs Misty Mountains, Warg Fangorn, Shelob Fangorn", LIGHT)
    assert targets(position, "Gandalf") == {"Misty Mountains", "Moria", "Fangorn"}


# --- characters that move in their own way ----------------------------------------------------------------------------


def test_aragorn_attacks_any_adjacent_region_but_moves_forward_only():
    around = "Orcs Rhudaur, Warg Enedwaith, Shelob Arthedain, Saruman Misty Mountains"
    assert targets(arrange("Frodo Shire, Aragorn Eregion", around, LIGHT), "Aragorn") == {
        *("Rhudaur", "Enedwaith", "Arthedain"),
        *("Misty Mountains", "Moria", "Fangorn"),
    }
    assert targets(arrange("Frodo Shire, Aragorn Eregion", "Orcs Mordor", LIGHT), "Aragorn") == {
        "Misty Mountains",
        "Moria",
        "Fangorn",
    }
    assert targets(arrange("Frodo Shire, Gandalf Eregion", around, LIGHT), "Gandalf") == {"Misty Mountains", "Moria", "Fangorn"}


def test_aragorn_does_not_attack_sideways_in_the_mountains():
    position = arrange("Frodo Shire, Aragorn Misty Mountains", "Orcs High Pass, Warg Moria, Shelob Rhudaur", LIGHT)
    assert targets(position, "Aragorn") == {"Mirkwood", "Fangorn", "Rhudaur"}


def test_aragorn_may_go_upstream_to_attack():
    position = arrange("Frodo Shire, Aragorn Rohan", "Orcs Fangorn", LIGHT)
    assert targets(position, "Aragorn") == {"Fangorn", "Gondor"}


def test_the_witch_king_attacks_sideways_but_not_in_the_mountains():
    assert targets(arrange("Frodo Eregion", "Witch King Rhudaur"), "Witch King") == {"Arthedain", "Eregion"}
    assert targets(arrange("Frodo Shire", "Witch King Rhudaur"), "Witch King") == {"Arthedain"}
    assert targets(arrange("Frodo Moria", "Witch King Misty Mountains"), "Witch King") == {"Rhudaur", "Eregion"}


def test_the_flying_nazgul_attacks_a_lone_character_anywhere():
    position = arrange("Frodo Shire, Sam Moria, Merry Arthedain, Pippin Arthedain", "Flying Nazgul Misty Mountains")
    assert targets(position, "Flying Nazgul") == {"Rhudaur", "Eregion", "Shire", "Moria"}


def test_the_black_rider_goes_any_distance_forward_to_attack():
    position = arrange("Frodo Shire, Sam Arthedain", "Black Rider Mordor")
    # Arthedain, or through Cardolan to the Shire; else one step
    assert targets(position, "Black Rider") == {"Dagorlad", "Gondor", "Arthedain", "Shire"}


def test_the_black_rider_passes_neither_enemies_nor_full_regions():
    behind = arrange("Frodo Shire, Sam Arthedain, Merry Cardolan", "Black Rider Mordor")
    assert targets(behind, "Black Rider") == {"Dagorlad", "Gondor", "Arthedain", "Cardolan"}
    full = arrange("Frodo Mirkwood", "Black Rider Mordor, Orcs Dagorlad, Warg Dagorlad")
    assert targets(full, "Black Rider") == {"Gondor"}
    backwards = arrange("Frodo Shire, Sam Mordor", "Black Rider Arthedain")
    assert targets(backwards, "Black Rider") == {"Shire"}


# --- the tunnel of Moria ----------------------------------------------------------------------------------------------


def test_the_tunnel_leads_past_whoever_is_in_moria():
    position = arrange("Frodo Shire, Gandalf Eregion", "Warg Moria", LIGHT)
    play(position, "Gandalf: Eregion-Fangorn")
    assert place(position, "Gandalf") == "Fangorn"
    assert position.player == DARK


def test_balrog_in_moria_defeats_whoever_uses_the_tunnel():
    position = arrange("Frodo Shire, Gandalf Eregion", "Balrog Moria, Orcs Fangorn", LIGHT)
    play(position, "Gandalf: Eregion-Fangorn")
    assert place(position, "Gandalf") == "tunnel"
    assert options(position) == {"no", "show the Balrog"}
    play(position, "show the Balrog")
    assert place(position, "Gandalf") == "fallen"
    assert place(position, "Balrog") == "Moria"
    assert place(position, "Orcs") == "Fangorn"
    assert position.player == DARK
    assert position.named.used[0] == 0


def test_balrog_may_stay_hidden():
    position = arrange("Frodo Shire, Gandalf Eregion", "Balrog Moria, Orcs Fangorn", LIGHT)
    play(position, "Gandalf: Eregion-Fangorn", "no")
    assert place(position, "Gandalf") == "Fangorn"  # and fights the Orcs there
    assert options(position) == {
        "card 1",
        "card 2",
        "card 3",
        "card 4",
        "card 5",
        "card 6",
        "Retreat",
        "Magic",
        "The Eye of Sauron",
    }


def test_balrog_kills_frodo_and_boromir_in_the_tunnel():
    assert winner(play(arrange("Frodo Eregion", "Balrog Moria", LIGHT), "Frodo: Eregion-Fangorn", "show the Balrog")) == DARK
    position = arrange("Frodo Shire, Boromir Eregion", "Balrog Moria", LIGHT)
    play(position, "Boromir: Eregion-Fangorn", "show the Balrog")
    assert (place(position, "Boromir"), place(position, "Balrog")) == ("fallen", "Moria")


def test_dark_is_asked_about_the_balrog_whoever_could_be_the_balrog():
    position = arrange("Frodo Shire, Gandalf Eregion", "Warg Moria, Balrog Mordor", LIGHT)
    position.apply(position.parse_action("Gandalf: Eregion-Fangorn"))
    assert position.player == DARK
    assert options(position) == {"no"}
    known = arrange("Frodo Shire, Gandalf Eregion", "Warg Moria, Balrog Mordor", LIGHT, sets={(DARK, "Moria"): [["Warg"]]})
    play(known, "Gandalf: Eregion-Fangorn")
    assert place(known, "Gandalf") == "Fangorn"


# --- the ends of the game ---------------------------------------------------------------------------------------------


def test_dark_moves_first():
    assert game().start().player == DARK


def test_frodo_in_mordor_wins_whoever_is_there():
    position = arrange("Frodo Gondor", "Balrog Mordor, Orcs Mordor", LIGHT)
    assert winner(play(position, "Frodo: Gondor-Mordor")) == LIGHT


def test_another_character_in_mordor_fights_and_wins_nothing():
    position = arrange("Frodo Shire, Gimli Gondor", "Orcs Mordor, Warg Moria", LIGHT)
    play(position, "Gimli: Gondor-Mordor")
    assert place(position, "Orcs") == "fallen"
    assert winner(position) is None


def test_frodos_death_wins_for_dark():
    assert winner(play(arrange("Frodo Moria", "Orcs Fangorn"), "Orcs: Fangorn-Moria")) == DARK


@pytest.mark.parametrize("shire", [3, 4])
def test_dark_characters_in_the_shire_win(shire: int):
    there = ", ".join(f"{name} Shire" for name in ("Orcs", "Warg", "Shelob")[: shire - 1])
    position = arrange("Frodo Rhudaur", f"{there}, Balrog Arthedain, Saruman Mordor", rules=game("fixed", shire))
    assert winner(play(position, "Balrog: Arthedain-The Shire")) == DARK
    fewer = arrange("Frodo Rhudaur", f"{there}, Balrog Arthedain, Saruman Mordor", rules=game("fixed", shire))
    assert winner(play(fewer, "Saruman: Mordor-Gondor")) is None


def test_the_last_dark_character_decides_at_once_or_as_in_the_box_when_dark_has_to_move():
    start = ("Frodo Shire, Gimli Fangorn", "Orcs Gondor", LIGHT)
    assert winner(play(arrange(*start), "Gimli: Fangorn-Gondor")) == LIGHT
    box = arrange(*start, rules=game("fixed", 3, False))
    assert winner(play(box, "Gimli: Fangorn-Gondor")) == LIGHT
    attacked = ("Frodo Arthedain, Gimli Fangorn", "Orcs Gondor")
    orcs_attack_gimli = ("Orcs: Gondor-Fangorn",)
    assert winner(play(arrange(*attacked), *orcs_attack_gimli)) == LIGHT
    box = play(arrange(*attacked, rules=game("fixed", 3, False)), *orcs_attack_gimli)
    assert winner(box) is None  # Light moves first
    assert winner(play(box, "Frodo: Arthedain-Rhudaur")) == LIGHT


def test_frodos_death_counts_before_the_last_dark_characters():
    position = arrange("Frodo Moria", "Warg Fangorn")
    play(position, "Warg: Fangorn-Moria", "card 1", "Noble Sacrifice")
    assert (place(position, "Frodo"), place(position, "Warg")) == ("fallen", "fallen")
    assert winner(position) == DARK


def test_who_cannot_move_loses():
    dark_stuck = arrange("Frodo Arthedain", "Witch King Shire", LIGHT)
    assert winner(play(dark_stuck, "Frodo: Arthedain-Rhudaur")) == LIGHT
    light_stuck = arrange(
        "Frodo Dagorlad, Gandalf Mordor, Sam Mordor, Merry Mordor, Pippin Mordor", "Orcs High Pass, Warg Mirkwood"
    )
    assert winner(play(light_stuck, "Orcs: High Pass-Rhudaur")) == DARK


def test_the_flying_nazgul_saves_dark_if_a_character_is_alone():
    saved = arrange("Frodo Arthedain", "Flying Nazgul Shire, Orcs Shire", LIGHT)
    assert options(play(saved, "Frodo: Arthedain-Rhudaur")) == {"Flying Nazgul: The Shire-Rhudaur"}
    company = arrange("Frodo Arthedain, Sam Rhudaur", "Flying Nazgul Shire, Orcs Shire", LIGHT)
    assert winner(play(company, "Frodo: Arthedain-Rhudaur")) == LIGHT


def test_aragorn_saves_light_and_is_then_known_to_stand_next_to_an_enemy():
    light = "Aragorn Dagorlad, Frodo Dagorlad, Gandalf Mordor, Sam Mordor, Merry Mordor, Pippin Mordor"
    position = arrange(light, "Orcs High Pass, Warg Mirkwood")
    play(position, "Orcs: High Pass-Rhudaur")
    assert winner(position) is None
    assert options(position) == {"Aragorn: Dagorlad-Mirkwood"}
    samples = {position.determinize(DARK, seeded(seed)).legal()[0] for seed in range(50)}
    assert samples == set(position.legal())  # Dark knows that Aragorn is in Dagorlad


def test_a_game_without_end_is_lost_for_light():
    """Pippin attacks and retreats, the Flying Nazgul hunts Frodo round and round: only the turn limit stops them."""
    position = arrange("Frodo Rohan, Pippin Enedwaith", "Flying Nazgul Mirkwood, Balrog Gap of Rohan")
    frodo, nazgul, plies = "Rohan", "Mirkwood", 0
    while not position.is_terminal:
        refuge = "Fangorn" if frodo != "Fangorn" else nazgul
        play(position, f"Flying Nazgul: {nazgul}-{frodo}", f"Frodo: {frodo}-{refuge}")
        frodo, nazgul, plies = refuge, frodo, plies + 3
        if not position.is_terminal:
            play(position, "Pippin: Enedwaith-Gap of Rohan", "Pippin: Gap of Rohan-Enedwaith")
            plies += 3
    assert winner(position) == DARK
    assert int(position.named.turns) == TURN_LIMIT
    assert plies <= position.game.max_plies


@pytest.mark.parametrize("setup", ["fixed", "random", "constrained", "varied"])
def test_random_games_end_with_one_winner_within_the_bounds(setup: str):
    rules = game(setup)
    for seed in range(150):
        position = play_randomly(rules.start(seed), seeded(seed))
        assert sorted(position.rewards()) == [0.0, 1.0]
        assert len(position.history) <= rules.max_plies


def test_an_episode_is_a_turn():
    """Equation 20: a label while a player moves, none while a battle is fought."""
    position = arrange("Frodo Shire, Gandalf Eregion", "Warg Mirkwood, Orcs Mordor", LIGHT)
    assert position.game.call("episode", position.state) == LIGHT
    play(position, "Gandalf: Eregion-Fangorn")
    assert position.game.call("episode", position.state) == DARK
    position.apply(position.parse_action("Warg: Mirkwood-Misty Mountains"))
    attack = arrange("Frodo Shire, Gandalf Eregion", "Warg Mirkwood, Orcs Fangorn", LIGHT)
    attack.apply(attack.parse_action("Gandalf: Eregion-Fangorn"))
    while attack.player != DARK or attack.game.call("episode", attack.state) == CONTINUES:
        assert attack.game.call("episode", attack.state) == CONTINUES
        attack.apply(attack.legal()[0])
    assert attack.game.call("episode", attack.state) == DARK


# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", ["fixed", "random", "constrained", "varied"])
def test_set_ups_put_four_at_home_and_one_in_each_of_five_regions(setup: str):
    for seed in range(20):
        state = game(setup).start(seed).named
        for side, home, others in (
            (LIGHT, "Shire", ("Arthedain", "Cardolan", "Rhudaur", "Eregion", "Enedwaith")),
            (DARK, "Mordor", ("Dagorlad", "Gondor", "Mirkwood", "Fangorn", "Rohan")),
        ):
            places = sorted(SHORT[int(p)] for p in state.places[9 * side : 9 * side + 9])
            assert places == sorted([home] * 4 + list(others))


def test_the_fixed_set_up_is_always_the_same_and_the_random_one_is_not():
    assert len({game("fixed").start(seed).state.tobytes() for seed in range(20)}) == 1
    assert len({game("random").start(seed).state.tobytes() for seed in range(20)}) == 20


def test_the_varied_set_up_is_one_of_a_few_for_each_side():
    places = [list(game("varied").start(seed).named.places) for seed in range(60)]
    for side in (slice(0, EACH), slice(EACH, 2 * EACH)):
        assert len({tuple(where[side]) for where in places}) == len(PLACEMENTS)
    assert len({tuple(where) for where in places}) > len(PLACEMENTS), "the sides are drawn apart"


def test_the_constrained_set_up_keeps_frodo_sam_and_the_balrog_at_home():
    for seed in range(30):
        position = game("constrained").start(seed)
        assert [place(position, who) for who in ("Frodo", "Sam", "Balrog")] == ["Shire", "Shire", "Mordor"]
    assert len({game("constrained").start(seed).state.tobytes() for seed in range(30)}) == 30


def test_bad_parameters_are_explained():
    with pytest.raises(GameError, match=r"'fixed', 'random', 'constrained'"):
        confrontation("free")
    with pytest.raises(GameError, match=r"1 to 4"):
        confrontation(shire=5)


def test_the_name_of_a_game_says_how_to_make_it():
    for given in ({}, {"setup": "random"}, {"setup": "constrained", "shire": 3, "extermination": False}):
        rules = confrontation(**given)  # type: ignore[arg-type]
        name = rules.name if "(" in rules.name else f"{rules.name}()"
        assert eval(name, {"confrontation": confrontation}).parameters == rules.parameters
