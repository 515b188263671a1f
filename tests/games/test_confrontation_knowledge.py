"""What the players of the Confrontation know of each other, and how the rest is sampled.

Two slow twins walk beside random games: ``NaiveSets`` keeps the sets of identities as they are defined, and ``Exact`` the very
information set, by following every hidden choice that the opponent could have made.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from icarus.game import ENVIRONMENT, Position, play_randomly, step_randomly
from icarus.games.confrontation import actions
from icarus.games.confrontation import position as rules
from icarus.games.confrontation.board import ADJACENT, FALLEN, FORWARD, SIDEWAYS
from icarus.games.confrontation.cast import CARDS
from icarus.games.confrontation.position import Situation
from icarus.jit.randomness import seeded
from tests.games.confrontation_positions import (
    DARK,
    LIGHT,
    Arrangement,
    arrange,
    arrangements,
    character,
    game,
    pieces,
    place,
    play,
    region,
    truth,
)
from tests.support import assert_uniform

FRODO, SAM, ARAGORN, NAZGUL, BALROG, RIDER, WITCH_KING = map(
    character, ("Frodo", "Sam", "Aragorn", "Flying Nazgul", "Balrog", "Black Rider", "Witch King")
)
TUNNEL = 16
SETUPS = ("fixed", "random", "constrained")


# --- what everybody sees of an action ---------------------------------------------------------------------------------


@dataclass
class Seen:
    """What one action shows of one side's characters."""

    moved: tuple[int, int, set[int]] | None  #: an unseen piece: from, to, the characters that could do it
    revealed: list[tuple[int, int]]  #: (character, place)
    carried: list[tuple[int, int, int]]  #: face up: (character, from, to), FALLEN for the dead
    stuck: set[int] | None  #: the places of which Aragorn must be in one, or None


def lone_light(state: Situation) -> set[int]:
    return {q for q in range(16) if (int(state.here[q]) & 511).bit_count() == 1}


def rider_targets(state: Situation, start: int) -> set[int]:
    light, full = int(state.occupied[0]), int(state.full[DARK])
    found, frontier = set(), {start}
    while frontier:
        ahead = {q for s in frontier for q in range(16) if int(FORWARD[16 + s]) >> q & 1}
        found |= {q for q in ahead if light >> q & 1}
        frontier = {q for q in ahead if not light >> q & 1 and not full >> q & 1}
    return found


def able(state: Situation, side: int, start: int, end: int) -> set[int]:
    """Who could have moved so?"""
    if int(FORWARD[16 * side + start]) >> end & 1:
        return set(range(9 * side, 9 * side + 9)) - ({FRODO} if end == 0 else set())
    if side == LIGHT:
        return {ARAGORN}
    return (
        ({WITCH_KING} if int(SIDEWAYS[start]) >> end & 1 else set())
        | ({NAZGUL} if end in lone_light(state) else set())
        | ({RIDER} if end in rider_targets(state, start) else set())
    )


def witness(before: Situation, action: int, after: Situation, side: int) -> Seen:
    phase = int(before.phase)
    seen = Seen(None, [], [], None)
    hidden_move = phase == rules.MOVE and int(before.turn) == side
    if hidden_move:
        start, end, mover = action >> 4 & 15, action & 15, action >> 8
        landed = TUNNEL if int(after.phase) == rules.IN_TUNNEL else end
        seen.moved = (start, landed, {FRODO} if (mover, end) == (FRODO, 0) else able(before, side, start, end))
    elif phase == rules.IN_TUNNEL and side == LIGHT and action == actions.DECLINE:
        seen.moved = (TUNNEL, region("Fangorn"), set(range(9)))
        hidden_move = True
    shown = []
    if phase in (rules.REVEAL, rules.VICTIM):
        shown = [(action - actions.MEET) >> 5, (action - actions.MEET) & 31]
    shown += {actions.SAM_REPLACES: [SAM], actions.SHOW_FRODO: [FRODO], actions.SHOW_BALROG: [BALROG]}.get(action, [])
    seen.revealed = [(c, int(before.places[c])) for c in shown if c // 9 == side]
    if not hidden_move:
        for c in range(9 * side, 9 * side + 9):
            if before.places[c] != after.places[c]:
                seen.carried.append((c, int(before.places[c]), int(after.places[c])))
    if side == LIGHT and int(after.phase) == rules.MOVE and int(after.turn) == LIGHT:
        forward = {q for s in range(16) if int(after.occupied[0]) >> s & 1 for q in range(16) if int(FORWARD[s]) >> q & 1}
        if not any(not int(after.full[0]) >> q & 1 for q in forward):
            seen.stuck = {s for s in range(16) if int(ADJACENT[s]) & int(after.occupied[DARK])}
    return seen


class NaiveSets:
    """The sets of identities by their definition: a list of [place, set of characters]."""

    def __init__(self, state: Situation, side: int) -> None:
        self.side = side
        self.pieces = [[where, {c + 9 * side for c in range(9) if bits >> c & 1}] for where, bits in pieces(state, side)]

    def follow(self, seen: Seen) -> None:
        if seen.moved:
            start, end, movers = seen.moved
            company = [piece for piece in self.pieces if piece[0] == start]
            mixed = set().union(*(piece[1] for piece in company))
            for piece in company:
                piece[1] = set(mixed)
            company[0][:] = [end, mixed & movers]
        for c, where in seen.revealed:
            candidates = [piece for piece in self.pieces if piece[0] == where and c in piece[1]]
            mixed = set().union(*(piece[1] for piece in candidates))
            for piece in self.pieces:
                piece[1] -= {c}
            for piece in candidates:
                piece[1] = mixed - {c}
            candidates[0][1] = {c}
        for c, start, end in seen.carried:
            [piece] = [piece for piece in self.pieces if piece == [start, {c}]]
            piece[0] = end
        self.pieces = [piece for piece in self.pieces if piece[0] != FALLEN]
        if seen.stuck is not None:
            for piece in self.pieces:
                if piece[0] not in seen.stuck:
                    piece[1] -= {ARAGORN}

    def as_in_state(self) -> list[tuple[int, int]]:
        return sorted((where, sum(1 << c - 9 * self.side for c in names)) for where, names in self.pieces)


class Exact:
    """All arrangements that some sequence of hidden choices leads to."""

    def __init__(self, state: Situation, side: int) -> None:
        self.possible = arrangements(state, side)

    def follow(self, seen: Seen) -> None:
        if seen.moved:
            start, end, movers = seen.moved
            self.possible = {
                arrangement - {(c, where)} | {(c, end)}
                for arrangement in self.possible
                for c, where in arrangement
                if where == start and c in movers
            }
        for fact in seen.revealed:
            self.possible = {arrangement for arrangement in self.possible if fact in arrangement}
        for c, start, end in seen.carried:
            self.possible = {
                arrangement - {(c, start)} | ({(c, end)} if end != FALLEN else frozenset()) for arrangement in self.possible
            }
        if seen.stuck is not None:
            self.possible = {a for a in self.possible if any(c == ARAGORN and where in seen.stuck for c, where in a)}


def follow_random_game(position: Position, seed: int, twins: list[list[NaiveSets | Exact]]) -> None:
    """One random action; the twins of both sides see what everybody sees."""
    before = position.copy().named
    action = step_randomly(position, seeded(seed))
    for side in (LIGHT, DARK):
        for twin in twins[side]:
            twin.follow(witness(before, action, position.named, side))


# --- the sets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", SETUPS)
def test_sets_of_identities_follow_their_definition_and_contain_the_truth(setup: str):
    for seed in range(40):
        position = game(setup).start(seed)
        twins: list[list[NaiveSets | Exact]] = [[NaiveSets(position.named, side)] for side in (LIGHT, DARK)]
        while not position.is_terminal:
            follow_random_game(position, 1000 * seed + len(position.history), twins)
            for side in (LIGHT, DARK):
                assert twins[side][0].as_in_state() == sorted(pieces(position.named, side))  # type: ignore[union-attr]
                assert consistent(position.named, side)


def consistent(state: Situation, side: int) -> bool:
    """Can the pieces be the characters that they are?"""

    def fits(rest: list[tuple[int, int]], characters: Arrangement) -> bool:
        if not rest:
            return not characters
        (where, choices), *others = rest
        return any(
            fits(others, characters - {(c, there)}) for c, there in characters if there == where and choices >> c - 9 * side & 1
        )

    return fits(pieces(state, side), truth(state, side))


FEW = [
    (
        "Frodo Shire, Sam Arthedain, Aragorn Cardolan, Boromir Eregion, Pippin Rhudaur",
        "Orcs Mordor, Warg Gondor, Witch King Fangorn, Balrog Moria, Black Rider Mirkwood",
    ),
    (
        "Frodo Cardolan, Sam Cardolan, Gandalf Eregion, Gimli Eregion, Merry Fangorn",
        "Flying Nazgul Dagorlad, Saruman Dagorlad, Shelob Rohan, Cave Troll Rohan, Balrog Gap of Rohan",
    ),
]


@pytest.mark.parametrize("light, dark", FEW)
def test_sets_are_the_exact_information_set_if_nothing_was_known_at_the_start(light: str, dark: str):
    for seed in range(12):
        position = arrange(light, dark)
        twins: list[list[NaiveSets | Exact]] = [[Exact(position.named, side)] for side in (LIGHT, DARK)]
        while not position.is_terminal:
            follow_random_game(position, 1000 * seed + len(position.history), twins)
            for side in (LIGHT, DARK):
                assert twins[side][0].possible == arrangements(position.named, side)  # type: ignore[union-attr]


@pytest.mark.parametrize("light, dark", FEW)
def test_sets_never_exclude_what_is_possible_and_seldom_admit_more(light: str, dark: str):
    """With some characters known from the start, sets may admit a little more than the history does."""
    exact = total = 0
    for seed in range(12):
        known = {(LIGHT, "Cardolan"): [["Frodo"], ["Sam"]]} if "Sam Cardolan" in light else {(LIGHT, "Shire"): [["Frodo"]]}
        known |= {(DARK, "Moria"): [["Balrog"]]} if "Balrog Moria" in dark else {(DARK, "Rohan"): [["Cave Troll"], ["Shelob"]]}
        position = arrange(light, dark, sets=known)
        twins: list[list[NaiveSets | Exact]] = [[Exact(position.named, side)] for side in (LIGHT, DARK)]
        while not position.is_terminal:
            follow_random_game(position, 1000 * seed + len(position.history), twins)
            for side in (LIGHT, DARK):
                possible, admitted = twins[side][0].possible, arrangements(position.named, side)  # type: ignore[union-attr]
                assert possible <= admitted
                exact += possible == admitted
                total += 1
    assert exact > 0.9 * total


def test_a_known_character_that_meets_an_unknown_one_is_lost_from_sight_when_one_of_them_leaves():
    """The example of ismcts-2012, section V-A."""
    position = arrange(
        "Frodo Shire, Gandalf Arthedain, Gimli Cardolan, Merry Enedwaith",
        "Orcs Mordor",
        LIGHT,
        sets={
            (LIGHT, "Arthedain"): [["Gandalf"]],
            **{(LIGHT, where): [["Frodo", "Gimli", "Merry"]] for where in ("Shire", "Cardolan", "Enedwaith")},
        },
    )
    play(position, "Gandalf: Arthedain-Eregion", "Orcs: Mordor-Gondor", "Gimli: Cardolan-Eregion", "Orcs: Gondor-Rohan")
    together = arrangements(position.named, LIGHT)
    assert all((character("Gandalf"), region("Eregion")) in arrangement for arrangement in together)
    play(position, "Gandalf: Eregion-Moria")
    apart = arrangements(position.named, LIGHT)
    assert {where for arrangement in apart for c, where in arrangement if c == character("Gandalf")} == {
        region("Eregion"),
        region("Moria"),
    }
    assert len(apart) == 2 * len(together)


def test_whoever_enters_mordor_without_winning_is_not_frodo():
    position = arrange("Frodo Dagorlad, Gimli Gondor", "Orcs Moria, Warg Shire", LIGHT)
    play(position, "Gimli: Gondor-Mordor")
    assert arrangements(position.named, LIGHT) == {truth(position.named, LIGHT)}


def test_a_move_that_only_some_can_make_shows_that_it_was_one_of_them():
    sideways = arrange("Frodo Fangorn, Sam Shire", "Witch King Rohan, Flying Nazgul Mordor, Orcs Mordor")
    sideways.apply(sideways.parse_action("Witch King: Rohan-Fangorn"))
    assert sideways.player == ENVIRONMENT
    assert dict(pieces(sideways.named, DARK))[region("Fangorn")] == 1 << WITCH_KING - 9 | 1 << NAZGUL - 9
    forward = arrange("Frodo Fangorn, Sam Shire", "Witch King Gondor, Flying Nazgul Mordor, Orcs Mordor")
    forward.apply(forward.parse_action("Witch King: Gondor-Fangorn"))
    assert len(arrangements(forward.named, DARK)) == 3
    backwards = arrange("Frodo Shire, Aragorn Moria, Sam Moria, Gimli Rohan", "Orcs Eregion", LIGHT)
    backwards.apply(backwards.parse_action("Aragorn: Moria-Eregion"))
    assert dict(pieces(backwards.named, LIGHT))[region("Eregion")] == 1 << ARAGORN


# --- observations and views ---------------------------------------------------------------------------------------------


def test_the_opponent_sees_the_squares_of_a_move_and_not_the_character():
    position = arrange("Frodo Shire, Sam Shire", "Orcs Mordor", LIGHT)
    frodo, sam = position.parse_action("Frodo: The Shire-Cardolan"), position.parse_action("Sam: The Shire-Cardolan")
    assert position.observe(frodo, DARK) == position.observe(sam, DARK)
    assert position.format_action(position.observe(frodo, DARK)) == "a Light character: The Shire-Cardolan"
    assert position.observe(frodo, LIGHT) == frodo
    assert position.observe(position.parse_action("Frodo: The Shire-Arthedain"), DARK) != position.observe(frodo, DARK)


def test_both_see_whom_the_environment_reveals_and_where_a_revealed_character_retreats():
    position = arrange("Frodo Fangorn, Sam Fangorn", "Balrog Dagorlad, Orcs Mordor")
    position.apply(position.parse_action("Balrog: Dagorlad-Fangorn"))
    for outcome in position.legal():
        assert position.observe(outcome, LIGHT) == position.observe(outcome, DARK) == outcome
    play(position, "Frodo meets Balrog")
    retreat = position.parse_action("Frodo: Fangorn-Rohan")
    assert position.observe(retreat, DARK) == retreat


def random_positions(setup: str, games: int, seed: int = 0) -> list[Position]:
    """Some positions of random games, of every kind of decision."""
    found = []
    for number in range(games):
        position = game(setup).start(seed + number)
        rng = seeded(seed + number, stream=3)
        while not position.is_terminal:
            found.append(position.copy())
            step_randomly(position, rng)
    return found


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("observer", [LIGHT, DARK])
def test_determinizations_look_the_same_to_the_observer_and_do_not_peek(setup: str, observer: int):
    for number, position in enumerate(random_positions(setup, 12)):
        other = position.determinize(observer, seeded(number))
        assert other.view(observer) == position.view(observer)
        assert other.render(observer) == position.render(observer)
        assert consistent(other.named, 1 - observer)
        assert truth(other.named, observer) == truth(position.named, observer)
        again = [start.determinize(observer, seeded(number, stream=5)).state.tobytes() for start in (position, other)]
        assert again[0] == again[1], "equal random numbers give different states: the true state was looked at"


def test_views_tell_own_characters_apart_but_not_the_enemys():
    one = arrange("Frodo Shire, Sam Arthedain", "Orcs Mordor, Warg Gondor")
    other = arrange("Sam Shire, Frodo Arthedain", "Orcs Mordor, Warg Gondor")
    assert one.view(LIGHT) != other.view(LIGHT)
    assert one.view(DARK) == other.view(DARK)
    assert one.render(DARK) == other.render(DARK)
    known = arrange("Frodo Shire, Sam Arthedain", "Orcs Mordor, Warg Gondor", sets={(LIGHT, "Shire"): [["Frodo"]]})
    assert known.view(DARK) != one.view(DARK)


def test_determinized_positions_can_be_played_to_the_end():
    for number, position in enumerate(random_positions("constrained", 6, seed=50)):
        twin = position.determinize(number & 1, seeded(number))
        play_randomly(twin, seeded(number, stream=9))
        assert sum(twin.rewards()) == 1


# --- uniform determinization ----------------------------------------------------------------------------------------------


def drawn(position: Position, observer: int, number: int) -> list[Arrangement]:
    rng = seeded(number)
    return [truth(position.determinize(observer, rng).named, 1 - observer) for _ in range(number)]


def assert_drawn_uniformly(position: Position, observer: int, draws: int = 60) -> None:
    support = arrangements(position.named, 1 - observer)
    assert_uniform(drawn(position, observer, draws * len(support)), sorted(support, key=sorted))


def test_every_placement_of_four_unknown_characters_is_equally_likely():
    assert_drawn_uniformly(arrange("Frodo Shire, Sam Shire, Merry Arthedain, Pippin Moria", "Orcs Mordor"), DARK)


def test_pieces_that_mixed_are_drawn_uniformly():
    """Two known characters, each mixed with an unknown one."""
    position = arrange(
        "Frodo Shire, Sam Arthedain, Merry Cardolan, Pippin Moria, Gimli Rohan",
        "Orcs Mordor",
        sets={
            (LIGHT, "Shire"): [["Frodo", "Merry", "Pippin", "Gimli"]],
            (LIGHT, "Arthedain"): [["Sam", "Merry", "Pippin", "Gimli"]],
            (LIGHT, "Cardolan"): [["Frodo", "Merry", "Pippin", "Gimli"]],
            (LIGHT, "Moria"): [["Sam", "Merry", "Pippin", "Gimli"]],
            (LIGHT, "Rohan"): [["Merry", "Pippin", "Gimli"]],
        },
    )
    assert len(arrangements(position.named, LIGHT)) == 24
    assert_drawn_uniformly(position, DARK)


def test_pieces_with_different_sets_in_one_region_are_drawn_uniformly():
    """Here a matching of characters and pieces is not the same as an arrangement over the regions."""
    position = arrange(
        "Frodo Arthedain, Sam Arthedain, Merry Cardolan, Pippin Moria",
        "Orcs Mordor",
        sets={
            (LIGHT, "Arthedain"): [["Frodo", "Sam"], ["Frodo", "Sam", "Merry", "Pippin"]],
            (LIGHT, "Cardolan"): [["Sam", "Merry", "Pippin"]],
            (LIGHT, "Moria"): [["Frodo", "Merry", "Pippin"]],
        },
    )
    assert_drawn_uniformly(position, DARK)
    home = arrange(
        "Frodo Shire, Sam Shire, Merry Shire, Pippin Shire, Gimli Moria, Gandalf Rohan",
        "Orcs Mordor",
        sets={
            (LIGHT, "Shire"): [
                ["Frodo", "Sam"],
                ["Sam", "Merry", "Gimli"],
                ["Merry", "Pippin", "Gandalf"],
                ["Merry", "Pippin", "Gandalf"],
            ],
            (LIGHT, "Moria"): [["Frodo", "Gimli", "Gandalf"]],
            (LIGHT, "Rohan"): [["Frodo", "Sam", "Merry", "Pippin", "Gimli", "Gandalf"]],
        },
    )
    assert_drawn_uniformly(home, DARK)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(4, 10))])
def test_any_sets_are_drawn_uniformly(seed: int):
    """Random sets around a random truth, read by pieces or by characters as they fall."""
    dice = random.Random(seed)
    names = ["Frodo", "Sam", "Pippin", "Merry", "Gandalf", "Aragorn", "Legolas", "Gimli", "Boromir"][: dice.randint(5, 8)]
    regions = ["Shire"] * 4 + ["Arthedain"] * 2 + ["Cardolan"] * 2 + ["Eregion"] * 2 + ["Moria", "Rohan", "Rohan"]
    dice.shuffle(regions)
    where = dict(zip(names, regions, strict=False))
    sets: dict[tuple[int, str], list[list[str]]] = {}
    for name in names:
        others = [other for other in names if other != name and dice.random() < 0.3]
        sets.setdefault((LIGHT, where[name]), []).append([name, *others])
    position = arrange(", ".join(f"{name} {where[name]}" for name in names), "Orcs Mordor", sets=sets)
    assert_drawn_uniformly(position, DARK, draws=20)


def test_positions_of_random_games_are_drawn_uniformly():
    small = [
        (position, observer)
        for position in random_positions("constrained", 8, seed=900)[::7]
        for observer in (LIGHT, DARK)
        if len(pieces(position.named, 1 - observer)) <= 5 and 3 < len(arrangements(position.named, 1 - observer)) < 40
    ]
    assert len(small) > 10
    for position, observer in small:
        assert_drawn_uniformly(position, observer, draws=30)


def test_the_first_placements_are_sampled_without_bias():
    """15 120 placements are too many to count, but every character is as often in every region."""
    position = game("fixed").start()
    rng = seeded(11)
    spots = []
    for _ in range(4000):
        state = position.determinize(LIGHT, rng).named
        spots.append((int(state.places[BALROG]), int(state.places[NAZGUL])))
    mordor = region("Mordor")
    homes = [a == mordor for a, _ in spots]
    assert abs(sum(homes) / 4000 - 4 / 9) < 5 * 0.0079
    both = sum(a == b == mordor for a, b in spots) / 4000
    assert abs(both - 4 / 9 * 3 / 8) < 5 * 0.0059


def test_constrained_placements_keep_frodo_sam_and_the_balrog_at_home_in_every_sample():
    position = game("constrained").start(5)
    rng = seeded(2)
    for _ in range(200):
        twin = position.determinize(DARK, rng)
        assert [place(twin, who) for who in ("Frodo", "Sam")] == ["Shire", "Shire"]
        assert place(position.determinize(LIGHT, rng), "Balrog") == "Mordor"


def test_a_card_that_lies_face_down_is_drawn_from_the_hand():
    position = arrange("Frodo Shire, Gimli Moria", "Balrog Fangorn, Orcs Mordor", used=("1", "1, 6"))
    play(position, "Balrog: Fangorn-Moria", "card 3")
    rng = seeded(1)
    hand = [i for i, card in enumerate(CARDS[DARK]) if card not in ("1", "6")]
    cards = [int(position.determinize(LIGHT, rng).named.cards[DARK]) for _ in range(700)]
    assert_uniform(cards, hand)
    assert {int(position.determinize(DARK, rng).named.cards[DARK]) for _ in range(50)} == {2}
    position.apply(position.parse_action("card 5"))
    assert position.player == ENVIRONMENT
    cards = [int(position.determinize(DARK, rng).named.cards[0]) for _ in range(800)]
    assert_uniform(cards, range(1, 9))


def test_a_card_that_gandalf_sees_is_not_drawn_again():
    position = arrange("Frodo Shire, Gandalf Moria", "Balrog Fangorn, Orcs Mordor")
    play(position, "Balrog: Fangorn-Moria", "card 3")
    rng = seeded(1)
    assert {int(position.determinize(LIGHT, rng).named.cards[DARK]) for _ in range(50)} == {2}


# --- for people -----------------------------------------------------------------------------------------------------------


def test_every_legal_action_has_a_label_of_its_own_that_reads_back():
    for position in random_positions("random", 12):
        labels = {position.format_action(action): action for action in position.legal()}
        assert len(labels) == len(position.legal())
        if position.player != ENVIRONMENT:
            for label, action in labels.items():
                assert position.game.parse_action is not None
                assert position.game.parse_action(position.named, label) == action


@pytest.mark.parametrize(
    "text, label",
    [
        ("frodo cardolan", "Frodo: The Shire-Cardolan"),
        ("Frodo to Cardolan", "Frodo: The Shire-Cardolan"),
        ("gandalf gap", "Gandalf: Enedwaith-Gap of Rohan"),
        ("gandalf: enedwaith - gap of rohan", "Gandalf: Enedwaith-Gap of Rohan"),
        ("enedwaith moria", "Gandalf: Enedwaith-Moria"),
        ("shire arthedain", "Frodo: The Shire-Arthedain"),
    ],
)
def test_people_may_type_less(text: str, label: str):
    position = arrange("Frodo Shire, Gandalf Enedwaith", "Orcs Mordor", LIGHT)
    assert position.format_action(position.parse_action(text)) == label


def test_people_may_shorten_cards_and_answers():
    position = play(arrange("Frodo Fangorn, Sam Fangorn", "Saruman Dagorlad, Orcs Mordor"), "Saruman: Dagorlad-Fangorn")
    play(position, "Frodo meets Saruman")
    assert position.format_action(position.parse_action("no")) == "stay"
    assert position.format_action(position.parse_action("sam")) == "Sam replaces Frodo"
    assert position.format_action(position.parse_action("frodo rohan")) == "Frodo: Fangorn-Rohan"
    position.apply(position.parse_action("sam"))
    assert position.format_action(position.parse_action("yes")) == "no cards"
    position.apply(position.parse_action("cards"))
    assert position.format_action(position.parse_action("6")) == "card 6"
    assert position.format_action(position.parse_action("eye")) == "The Eye of Sauron"
    position.apply(position.parse_action("eye"))
    assert position.format_action(position.parse_action("cloak")) == "Elven Cloak"


def test_the_board_shows_question_marks_for_what_is_hidden():
    known = {(DARK, "Gondor"): [["Balrog"]], (DARK, "Rohan"): [["Shelob"], ["Orcs", "Warg", "Saruman"]]}
    known[DARK, "Mordor"] = [["Orcs", "Warg", "Saruman"]] * 2
    dark = "Orcs Mordor, Warg Mordor, Saruman Rohan, Shelob Rohan, Balrog Gondor"
    position = arrange("Frodo Shire, Sam Shire", dark, sets=known)
    text = position.render(LIGHT)
    assert text.count("-?") == 3
    assert all(name in text for name in ("-Balrog", "-Shelob", "+Frodo", "+Sam"))
    assert "2 in Mordor: Orcs, Saruman, Warg" in text
    assert "1 in Rohan: Orcs, Saruman, Warg" in text
    assert "?" not in position.render(None)
