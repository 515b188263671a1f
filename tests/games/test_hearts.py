"""Hearts: move by move beside OpenSpiel, and what each player can know beside a plain enumeration of all histories."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import combinations, product
from zlib import crc32

import numpy as np
import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import CONTINUES, ENVIRONMENT, Position, play_randomly, step_randomly
from icarus.games import hearts as rules
from icarus.games import hearts_table
from icarus.games.hearts import PASS, hearts, hearts_round
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.support import assert_distribution, assert_uniform

NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("left", "right", "across", "hold")
TO = {"left": 1, "right": 3, "across": 2}
SCALE = 1 if JIT else 20  #: plain Python plays fewer games


def card(name: str) -> int:
    return "CDSH".index(name[-1]) * 13 + ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A").index(name[:-1])


def cards(names: str) -> int:
    return sum(1 << card(name) for name in names.split())


def members(mask: int) -> list[int]:
    return [i for i in range(52) if int(mask) >> i & 1]


def place(*hands: str | int, passing: str = "hold", limit: int = 0, queen_breaks_hearts: bool = False) -> Position:
    """The start of a round with these hands; they may be smaller than 13 cards, which makes knowledge countable."""
    game = hearts(limit) if limit else hearts_round(passing, queen_breaks_hearts=queen_breaks_hearts)
    position = Position(game, np.zeros(game.state_size, np.int64))
    position.state[: len(game.parameters)] = game.parameters
    state = position.named
    state.first_direction = DIRECTIONS.index(passing)
    state.hands[:] = [hand if isinstance(hand, int) else cards(hand) for hand in hands]
    if passing == "hold":
        rules.begin_play(state)
    return position


def play(position: Position, moves: str) -> Position:
    for name in moves.split():
        position.apply(position.parse_action(name))
    return position


def names(position: Position) -> str:
    return " ".join(position.format_action(action) for action in position.legal())


# --- the rules, beside OpenSpiel -------------------------------------------------------------------------------------


#: OpenSpiel's numbers of our cards: rank by rank, suits C D H S
THEIRS = [rank * 4 + suit for suit in (0, 1, 3, 2) for rank in range(13)]


@pytest.mark.parametrize(("queen_breaks_hearts", "rounds"), [(False, 2000 // SCALE), (True, 400 // SCALE)])
def test_rounds_agree_with_openspiel(queen_breaks_hearts, rounds):
    oracle = pyspiel.load_game(f"hearts(qs_breaks_hearts={str(queen_breaks_hearts).lower()})")
    games = [hearts_round(passing, queen_breaks_hearts=queen_breaks_hearts) for passing in DIRECTIONS]
    # two calls for each move: a Position would ask for what every player sees as well
    legal, apply = partial(games[0].call, "legal"), partial(games[0].call, "apply")
    rng, actions = seeded(1), np.zeros(13, np.int64)
    for number in range(rounds):
        position, state = games[number % 4].start(number), oracle.new_initial_state()
        ours = position.state
        state.apply_action((1, 3, 2, 0)[number % 4])
        hands = [members(hand) for hand in position.named.hands.tolist()]
        for k in range(52):
            state.apply_action(THEIRS[hands[k % 4][k // 4]])
        while not state.is_terminal():
            if position.named.stage == rules.EXCHANGING:
                apply(ours, rules.EXCHANGE)
            assert position.named.turn == state.current_player()
            count = legal(ours, actions)
            if position.named.stage == rules.PASSING:  # they pass in any order
                assert {THEIRS[action - PASS] for action in actions[:count]} <= set(state.legal_actions())
            else:
                assert sorted(THEIRS[action] for action in actions[:count]) == state.legal_actions()
            action = int(actions[int(random_below(rng, count))])
            state.apply_action(THEIRS[action % PASS])
            apply(ours, action)
        assert position.is_terminal
        assert position.rewards() == pytest.approx([points / 26 for points in state.returns()])


# --- one position for every rule -------------------------------------------------------------------------------------


def test_the_two_of_clubs_is_led_first_and_only_it():
    position = place("3C 4D", "2C AC", "5C 6D", "7C 8D")
    assert position.player == EAST
    assert names(position) == "2C"


def test_suit_must_be_followed():
    position = play(place("2C 4D", "3C QS", "5C 6D", "7H 8D"), "2C")
    assert names(position) == "3C"


def test_no_points_are_played_to_the_first_trick():
    position = play(place("2C 4D 5D", "5D QS AH", "5C 6D 6C", "7C 8D 7D"), "2C")
    assert names(position) == "5D"


def test_a_hand_of_points_only_may_play_any_of_them_to_the_first_trick():
    position = play(place("2C 4D 5D", "QS KH AH", "5C 6D 6C", "7C 8D 7D"), "2C")
    assert names(position) == "QS KH AH"


def test_hearts_are_led_only_when_a_heart_was_discarded():
    hands = ("2C AC KC 4D 5H", "3C 4C 8C 6D 8H", "5C 6C QC 9D 9H", "7C 3D 8D AD 7H")
    position = play(place(*hands), "2C 3C 5C 7C")
    assert position.player == WEST
    assert names(position) == "3D 8D AD"
    assert names(play(position, "AD 4D 6D 9D")) == "3D 8D"
    assert names(play(position, "8D AC 4C 9H")) == "3D 7H"


def test_a_hand_of_hearts_only_may_lead_them_and_thereby_breaks_them():
    position = play(place("2C 4D 5D", "AC KH AH", "5C 6D 6C", "7C 8D 7D"), "2C AC 5C 7C")
    assert names(position) == "KH AH"
    assert play(position, "KH").named.broken == 1


def test_hearts_and_the_queen_of_spades_must_lead_the_queen():
    position = play(place("2C 4D 5D", "AC QS AH", "5C 6D 6C", "7C 8D 7D"), "2C AC 5C 7C")
    assert names(position) == "QS"


@pytest.mark.parametrize("queen_breaks_hearts", [False, True])
def test_the_queen_of_spades_breaks_hearts_only_if_asked_to(queen_breaks_hearts):
    hands = ("2C AC 4D", "3C QS 8H", "5C 6C 9H", "9C 3D 7H")
    position = play(place(*hands, queen_breaks_hearts=queen_breaks_hearts), "2C 3C 5C 9C 3D 4D QS")
    assert bool(position.named.broken) is queen_breaks_hearts


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_its_points():
    position = play(place("2C 4D", "AC 3D", "5C AH", "7C QS"), "2C AC 5C 7C 3D AH QS 4D")
    assert position.is_terminal
    assert position.named.totals.tolist() == [14, 0, 0, 0]


def test_shooting_the_moon_gives_the_others_26_points():
    position = place(*(0x1FFF << 13 * suit for suit in range(4)))
    clubs, diamonds, spades, hearts_ = (members(0x1FFF << 13 * suit) for suit in range(4))
    for row in zip(clubs, diamonds, spades[:10] + spades[11:] + spades[10:11], hearts_, strict=True):
        for action in row:
            position.apply(action)
    assert position.named.totals.tolist() == [0, 26, 26, 26]
    assert position.rewards() == [1, 0, 0, 0]


def test_the_reward_of_a_round_falls_with_the_points():
    position = play(place("2C 4D", "AC 3D", "5C AH", "7C QS"), "2C AC 5C 7C 3D AH QS 4D")
    assert position.rewards() == pytest.approx([12 / 26, 1, 1, 1])


# --- passing ---------------------------------------------------------------------------------------------------------


def random_round(passing: str, seed: int, plies: int) -> Position:
    position, rng = hearts_round(passing).start(seed), seeded(seed, stream=3)
    for _ in range(plies):
        step_randomly(position, rng)
    return position


@pytest.mark.parametrize("passing", list(TO))
def test_cards_go_to_the_receiver(passing):
    position = random_round(passing, 5, 12)
    hands, passed = position.named.hands.tolist(), position.named.passed.tolist()
    assert all(len(members(chosen)) == 3 and chosen & hand == chosen for chosen, hand in zip(passed, hands, strict=True))
    assert position.player == ENVIRONMENT
    assert position.legal() == [rules.EXCHANGE]
    position.apply(rules.EXCHANGE)
    for giver in range(4):
        receiver = (giver + TO[passing]) % 4
        assert position.named.hands.tolist()[receiver] == hands[receiver] ^ passed[receiver] | passed[giver]


def test_nothing_is_passed_in_a_round_that_holds():
    position = hearts_round("hold").start(3)
    assert names(position) == "2C"


def test_every_set_of_three_cards_can_be_passed_in_exactly_one_way():
    start = hearts_round("left").start(2)
    sets = []
    for first in start.legal():
        for second in (one := start.copy().apply(first)).legal():
            sets.extend((first, second, third) for third in one.copy().apply(second).legal())
    hand = [i + PASS for i in members(start.named.hands.tolist()[0])]
    assert sets == list(combinations(hand, 3))


def test_only_the_giver_sees_its_choice_and_only_the_receiver_what_it_gets():
    position = random_round("left", 8, 13)
    for number, (player, action, moves) in enumerate(position.history[:12]):
        assert player == number // 3
        assert moves == tuple(action if i == player else rules.HIDDEN for i in range(4))
    for receiver, move in enumerate(position.history[12][2]):
        digits, received = move - rules.RECEIVED, []
        for _ in range(3):
            digits, digit = divmod(digits, 52)
            received.append(digit)
        assert sum(1 << i for i in received) == position.named.passed.tolist()[receiver - 1]


def test_passing_is_simultaneous_and_playing_is_not():
    position = hearts_round("across").start(1)
    for ply in range(20):
        assert bool(position.game.call("simultaneous", position.state)) is (ply < 12)
        step_randomly(position, seeded(ply))


# --- the match -------------------------------------------------------------------------------------------------------


def last_trick(totals: list[int], limit: int = 50) -> Position:
    """The end of a round that gives East one point."""
    position = place("2C", "3C", "4C", "5C", limit=limit)
    position.named.first_direction = 0
    position.named.totals[:] = totals
    position.named.points[:] = [0, 1, 0, 0]
    return play(position, "2C 3C 4C 5C")


@pytest.mark.parametrize(
    ("totals", "rewards"),
    [
        ([10, 50, 20, 30], [1, 0, 0.5, 0.5]),
        ([10, 50, 10, 30], [0.75, 0, 0.75, 0.5]),
        ([10, 60, 10, 10], [2 / 3, 0, 2 / 3, 2 / 3]),
        ([51, 50, 20, 30], [0.25, 0.25, 1, 0.5]),
        ([51, 50, 51, 30], [1 / 3, 1 / 3, 1 / 3, 1]),
        ([51, 50, 51, 51], [0.5, 0.5, 0.5, 0.5]),
        ([20, 49, 20, 20], [2 / 3, 0, 2 / 3, 2 / 3]),
        ([0, 60, 30, 30], [1, 0, 0.5, 0.5]),
    ],
)
def test_equal_totals_share_the_rewards_of_their_places(totals, rewards):
    position = last_trick(totals)
    assert position.is_terminal
    assert position.rewards() == pytest.approx(rewards)


def test_the_match_ends_when_somebody_reaches_the_limit_and_not_before():
    assert last_trick([0, 49, 0, 0]).is_terminal
    position = last_trick([0, 48, 0, 0])
    assert not position.is_terminal
    assert position.player == ENVIRONMENT


def test_rounds_pass_left_right_across_and_hold_in_turn():
    position, rng, seen = hearts(1000).start(4), seeded(4), []
    while len(seen) < 9:
        if position.named.tricks == 0 and position.named.trick == 0 and position.player != ENVIRONMENT:
            number = int(position.named.round)
            if number == len(seen):
                seen.append(DIRECTIONS[int(rules.direction(position.named))])
                assert bool(position.named.stage == rules.PLAYING) is (seen[-1] == "hold")
        step_randomly(position, rng)
    assert seen == ["left", "right", "across", "hold"] * 2 + ["left"]


def test_matches_stay_within_the_declared_bounds():
    game, rng = hearts(), seeded(6)
    assert game.max_plies == 8 * 52 + 6 * 13 + 7
    for seed in range(40 // SCALE):
        position = play_randomly(game.start(seed), rng)
        assert len(position.history) <= game.max_plies
        assert max(position.named.totals.tolist()) >= 50
        assert sum(position.rewards()) == pytest.approx(2)
    assert hearts(1).max_plies == hearts_round("left").max_plies == 65
    assert hearts_round("hold").max_plies == 52


def test_deals_are_uniform():
    """Who gets the ace of spades and the ace of hearts, at the start and in later rounds."""
    game, rng, aces = hearts(), seeded(7), (card("AS"), card("AH"))
    between = last_trick([0, 0, 0, 0])
    first, later = [], []
    for seed in range(4000 // SCALE):
        twin = between.copy()
        step_randomly(twin, rng)
        for samples, position in ((first, game.start(seed)), (later, twin)):
            hands = position.named.hands.tolist()
            assert [len(members(hand)) for hand in hands] == [13] * 4
            assert hands[0] | hands[1] | hands[2] | hands[3] == rules.DECK
            samples.append(tuple(next(i for i in range(4) if hands[i] >> ace & 1) for ace in aces))
    pairs = {(i, j): 12 / 51 / 4 if i == j else 13 / 51 / 4 for i in range(4) for j in range(4)}
    assert_distribution(first, pairs)
    assert_distribution(later, pairs)


def test_a_player_sees_its_own_hand_of_a_deal_and_no_other():
    position = last_trick([0, 0, 0, 0])
    seen: dict[int, set[int]] = {}
    for outcome in range(200):
        after = position.copy().apply(outcome)
        for observer, move in enumerate(after.history[-1][2]):
            seen.setdefault(move, set()).add(after.named.hands.tolist()[observer])
    assert len(seen) == 800
    assert all(len(hands) == 1 for hands in seen.values())


# --- the horizon of a search -----------------------------------------------------------------------------------------


def test_a_searched_match_ends_with_the_round_by_drawing_from_the_table():
    position, rng = last_trick([49, 48, 49, 49]), seeded(9)
    assert not position.is_terminal
    position.game.call("enter_search", position.state)
    before = position.named.totals.tolist()
    rows = {tuple(map(int, row)) for row in rules.ROUND_SCORES}
    buckets = (0, 1, 4, 8, 13, 27)
    samples = []
    for _ in range(4000 // SCALE):
        after = position.copy()
        step_randomly(after, rng)
        assert after.is_terminal
        gained = tuple(a - b for a, b in zip(after.named.totals.tolist(), before, strict=True))
        assert gained in rows
        samples.append(int(np.searchsorted(buckets, gained[2], side="right")))
    ranks = np.searchsorted(buckets, rules.ROUND_SCORES[:, 2], side="right")
    assert_distribution(samples, {int(k): float(np.mean(ranks == k)) for k in set(ranks)})


def test_rounds_are_drawn_until_the_limit_is_reached():
    position, rng = last_trick([0, 0, 0, 0], limit=200), seeded(10)
    position.game.call("enter_search", position.state)
    for _ in range(50):
        after = position.copy()
        step_randomly(after, rng)
        assert after.is_terminal
        assert 200 <= max(after.named.totals.tolist()) < 226
        assert (sum(after.named.totals.tolist()) - 1) % 26 == 0


def test_a_match_that_is_not_searched_goes_on():
    position = last_trick([0, 0, 0, 0])
    step_randomly(position, seeded(11))
    assert position.named.stage == rules.PASSING
    assert position.named.round == 1


@pytest.mark.parametrize("searched", [True, False])
def test_a_playout_draws_the_random_numbers_of_single_steps(searched):
    for seed in range(200 // SCALE):
        by_steps = hearts(50, queen_breaks_hearts=seed % 2 == 1).start(seed)
        for _ in range(seed % 70):
            step_randomly(by_steps, seeded(seed, stream=4))
        if searched:
            by_steps.game.call("enter_search", by_steps.state)
        at_once, rng, other_rng, plies = by_steps.copy(), seeded(seed), seeded(seed), len(by_steps.history)
        while not by_steps.is_terminal:
            legal = by_steps.legal() if by_steps.player != ENVIRONMENT else [by_steps.sample(rng)]
            by_steps.apply(legal[int(random_below(rng, len(legal))) if len(legal) > 1 else 0])
        assert at_once.game.call("playout", at_once.state, other_rng) == len(by_steps.history) - plies
        assert np.array_equal(at_once.state, by_steps.state)
        assert rng[0] == other_rng[0]


def test_the_table_is_what_random_play_makes():
    rounds = 10_000 if JIT else 50
    assert rules.ROUND_SCORES.shape == (10_000, 4)
    assert rules.ROUND_SCORES.dtype == np.uint8
    assert np.array_equal(hearts_table.simulate(rounds), rules.ROUND_SCORES[:rounds])
    assert set(rules.ROUND_SCORES.sum(axis=1, dtype=int)) == {26, 78}
    assert crc32(rules.ROUND_SCORES.tobytes()) == rules.TABLE_CHECKSUM, "compiled code would keep an old table"


# --- episodes --------------------------------------------------------------------------------------------------------


def test_episodes_are_the_deal_with_the_passing_and_each_trick():
    position, rng, labels = hearts().start(12), seeded(12), []
    while position.named.round == 0:
        stage, trick = int(position.named.stage), int(position.named.trick)
        label = int(position.game.call("episode", position.state))
        labels.append(label)
        if stage == rules.PLAYING and trick == 0:
            assert label == 1 + position.player
        elif stage == rules.PLAYING:
            assert label == CONTINUES
        step_randomly(position, rng)
    assert labels[:13] == [0] + [CONTINUES] * 12
    assert labels[-1] == 0  # the deal of the second round
    assert int(position.game.call("episode", position.state)) == CONTINUES
    assert position.episode == (0, 65)


# --- what a player can know ------------------------------------------------------------------------------------------
# A slow and obvious referee: every deal of the cards that the observer did not start with, every way in which the
# others can have passed, and the play again from the start.  What survives is the information set.


def deals(unseen: set[int], sizes: list[int], known: list[set[int]]) -> Iterator[list[set[int]]]:
    """All ways to deal the unseen cards to hands of these sizes, each with the cards that are known to be in it."""
    if not sizes:
        yield []
        return
    free = unseen.difference(*known)
    for rest in combinations(sorted(free), sizes[0] - len(known[0])):
        hand = known[0].union(rest)
        for others in deals(unseen - hand, sizes[1:], known[1:]):
            yield [hand, *others]


def choices(hand: set[int], number: int) -> list[tuple[int, ...]]:
    """How the first cards to be passed can be chosen in ascending order, with enough higher ones left to go on."""
    return [
        chosen for chosen in combinations(sorted(hand), number) if number == 0 or sum(i > chosen[-1] for i in hand) >= 3 - number
    ]


def naive_legal(hand: set[int], trick: list[int], first: bool, broken: bool) -> set[int]:
    suit, pointed = {i: i // 13 for i in hand}, {i for i in hand if i // 13 == 3 or i == card("QS")}
    if not trick:
        if first:
            return hand & {card("2C")}
        others = {i for i in hand if suit[i] != 3}
        return hand if broken or not others else others
    following = {i for i in hand if suit[i] == trick[0] // 13}
    if following:
        return following
    return hand - pointed if first and hand - pointed else hand


def explains(hands: list[set[int]], plays: list[tuple[int, int]], turn: int) -> bool:
    """Could these hands have played like this, and would it now be this player's turn?"""
    left, trick, broken = [set(hand) for hand in hands], [], False
    leader = next(i for i in range(4) if card("2C") in left[i])
    for number, (player, action) in enumerate(plays):
        if player != (leader + len(trick)) % 4 or action not in naive_legal(left[player], trick, number < 4, broken):
            return False
        left[player].remove(action)
        broken |= action // 13 == 3
        trick.append(action)
        if len(trick) == 4:
            best = max(i for i in trick if i // 13 == trick[0] // 13)
            leader, trick = (leader + trick.index(best)) % 4, []
    return turn == (leader + len(trick)) % 4


def information_set(start: Position, position: Position, observer: int) -> set[tuple[int, ...]]:
    """All hands and cards passed that explain what the observer saw from the start of the round to this position."""
    passing = DIRECTIONS[int(start.named.first_direction)]
    playing = bool(position.named.stage == rules.PLAYING)
    exchanged = playing and passing != "hold"
    others = [i for i in range(4) if i != observer]
    dealt = [set(members(hand)) for hand in start.named.hands.tolist()]
    passed_so_far = [members(chosen) for chosen in position.named.passed.tolist()]
    plays = [(player, action) for player, action, _ in position.history if player >= 0 and action < PASS]
    giver = [(i - TO.get(passing, 0)) % 4 for i in range(4)]
    received = set(passed_so_far[giver[observer]]) if exchanged else set()
    # what each of the others must have been dealt: what it gave the observer or, if nothing was passed, what it played
    known = [received if giver[observer] == i else set() for i in range(4)]
    if passing == "hold":
        known = [{action for player, action in plays if player == i} for i in range(4)]
    unseen = set().union(*(dealt[i] for i in others))
    found = set()
    for deal in deals(unseen, [len(dealt[i]) for i in others], [known[i] for i in others]):
        hands = [dealt[observer] if i == observer else deal[others.index(i)] for i in range(4)]
        options = [choices(hands[i], len(passed_so_far[i])) for i in range(4)]
        options[observer] = [tuple(passed_so_far[observer])]
        if exchanged:
            options[giver[observer]] = [tuple(sorted(received))]
        for passed in product(*options):
            held = hands
            if exchanged:
                held = [hands[i].difference(passed[i]).union(passed[giver[i]]) for i in range(4)]
            if not playing or explains(held, plays, position.player):
                left = [held[i].difference(action for player, action in plays if player == i) for i in range(4)]
                found.add(tuple(sum(1 << k for k in group) for group in (*left, *passed)))
    return found


def assert_exactly_uniform(start: Position, position: Position, observer: int) -> set[tuple[int, ...]]:
    support = information_set(start, position, observer)
    rng = seeded(len(support), stream=5)
    samples = []
    for _ in range(max(500, 6 * len(support)) if JIT else 50):
        state = position.determinize(observer, rng).named
        samples.append((*map(int, state.hands), *map(int, state.passed)))
    assert tuple(position.named.hands.tolist() + position.named.passed.tolist()) in support
    assert support.issuperset(samples)
    if JIT:
        assert_uniform(samples, list(support))
    return support


def uniform_after(moves: str, observer: int, *hands: str, passing: str = "hold") -> set[tuple[int, ...]]:
    start = place(*hands, passing=passing)
    return assert_exactly_uniform(start, play(start.copy(), moves), observer)


def test_void_suits_are_respected():
    hands = ("2C 9C 5S 6S", "3C AC 6D 8D", "5C 7C 9D 9H", "7D 4D 8S 7H")
    support = uniform_after("2C AC 5C 7D 6D 9D", NORTH, *hands)
    assert not any(state[WEST] & cards("3C 7C") for state in support)
    assert any(state[EAST] & cards("7C") for state in support)


def test_void_suits_of_three_players_are_respected():
    hands = ("2C 4D 5S 6H", "3C 6C 6D 8D", "5C 7S 9D 9H", "AC 3D 8S 7H")
    uniform_after("2C 3C 5C AC 3D 4D 6D 9D 7S 8S 5S 8D", SOUTH, *hands)


def test_a_point_on_the_first_trick_proves_a_hand_of_points():
    hands = ("2C 3D 4D 5D", "QS 5H 6H 7H", "3C 6D 7D 8S", "4C 9D 2H 9S")
    support = uniform_after("2C 5H 3C 4C", NORTH, *hands)
    assert all(not state[EAST] & ~rules.POINTED for state in support)
    assert any(state[EAST] & cards("QS") for state in support)
    assert any(not state[EAST] & cards("QS") for state in support)


def test_a_queen_on_the_first_trick_proves_a_hand_of_points():
    hands = ("2C 3D 4D 5D", "QS 5H 6H 7H", "3C 6D 8H 8S", "4C 9D 2H 9S")
    uniform_after("2C QS 3C", WEST, *hands)


def test_a_heart_led_before_hearts_are_broken_proves_a_hand_of_hearts():
    hands = ("2C 3D 4D 2H", "AC 5H 6H 7H", "3C 6D 7D 8S", "4C 9D 3H 9S")
    support = uniform_after("2C AC 3C 4C 5H", SOUTH, *hands)
    assert all(not state[EAST] & ~rules.HEARTS for state in support)


def test_whoever_is_to_lead_first_holds_the_two_of_clubs():
    support = uniform_after("", EAST, "2C 3D 4H", "AC 5H 6D", "3C 7D 8S", "4C 9D 3H")
    assert all(state[NORTH] & cards("2C") for state in support)


@pytest.mark.parametrize("passing", list(TO))
@pytest.mark.parametrize("observer", range(4))
def test_cards_passed_and_received_are_known_to_those_two_alone(passing, observer):
    hands = ("2C 4D 5S 6H", "3C 6C 6D 8D", "5C 7S 9D 9H", "AC 3D QS 7H")
    start = place(*hands, passing=passing)
    position, rng = start.copy(), seeded(observer + 40)
    for _ in range(13 + 3 + observer):
        step_randomly(position, rng)
    support = assert_exactly_uniform(start, position, observer)
    assert len({state[4 + observer] for state in support}) == 1
    assert len({state[4 + (observer - TO[passing]) % 4] for state in support}) == 1


@pytest.mark.parametrize(
    ("observer", "chosen"), [(EAST, 0), (EAST, 1), (EAST, 2), (EAST, 4), (NORTH, 4), (NORTH, 5), (NORTH, 12)]
)
def test_choices_that_others_have_made_are_hidden(observer, chosen):
    start = place("2C 4D 5S 7H", "3C 6C 6D 8D", "5C 7S 9D", "AC 3D QS", passing="left")
    position, rng = start.copy(), seeded(chosen)
    for _ in range(chosen):
        step_randomly(position, rng)
    assert_exactly_uniform(start, position, observer)


@pytest.mark.parametrize("passing", DIRECTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_information_sets_of_random_small_rounds_are_sampled_uniformly(passing, seed):
    dealer = random.Random(seed)
    deck = [0, *dealer.sample([*range(1, 10), *range(13, 17), *range(34, 38), *range(39, 46)], 15)]
    dealer.shuffle(deck)
    start = place(*(sum(1 << i for i in deck[k : k + 4]) for k in range(0, 16, 4)), passing=passing)
    position, rng = start.copy(), seeded(seed, stream=6)
    for _ in range((0 if passing == "hold" else 13) + dealer.randint(3, 12)):
        step_randomly(position, rng)
    assert_exactly_uniform(start, position, dealer.randrange(4))


@pytest.mark.parametrize("passing", DIRECTIONS)
def test_determinizations_explain_everything_that_the_observer_saw(passing):
    """Rounds with all cards: the sampled hands, played again from the deal, show the observer the same moves."""
    for seed in range(40 // SCALE):
        position = random_round(passing, seed, seed * 7 % 64 if passing != "hold" else seed % 52)
        for observer in range(4):
            twin = position.determinize(observer, seeded(seed, stream=observer))
            assert twin.view(observer) == position.view(observer)
            assert int(twin.game.call("terminal", twin.state)) == 0
            hands, passed = (
                [a | b for a, b in zip(twin.named.hands.tolist(), twin.named.played.tolist(), strict=True)],
                twin.named.passed.tolist(),
            )
            if passing != "hold" and twin.named.stage == rules.PLAYING:
                hands = [hands[i] ^ passed[(i - TO[passing]) % 4] | passed[i] for i in range(4)]
            again = place(*hands, passing=passing)
            chosen = [members(mask) for mask in passed]
            for player, action, _ in position.history:
                if PASS <= action < rules.EXCHANGE:
                    action = PASS + chosen[player].pop(0)
                assert action in again.legal()
                again.apply(action)
            assert [moves[observer] for *_, moves in again.history] == [moves[observer] for *_, moves in position.history]
            assert np.array_equal(again.state, twin.state)


@pytest.mark.parametrize("passing", DIRECTIONS)
def test_determinization_never_peeks(passing):
    for seed in range(100 // SCALE):
        position = random_round(passing, seed, seed * 5 % 64 if passing != "hold" else seed % 52)
        for observer in range(4):
            other = position.determinize(observer, seeded(seed, stream=7))
            assert position.view(observer) == other.view(observer)
            assert position.render(observer) == other.render(observer)
            one, two = (twin.determinize(observer, seeded(seed, stream=8)) for twin in (position, other))
            assert np.array_equal(one.state, two.state)


def test_views_differ_where_the_observer_sees_a_difference():
    position = random_round("left", 3, 20)
    other = position.copy()
    held = members(position.named.hands.tolist()[EAST])[0], members(position.named.hands.tolist()[SOUTH])[0]
    for player in (EAST, SOUTH):
        other.named.hands[player] ^= 1 << held[0] | 1 << held[1]
    assert [position.view(i) == other.view(i) for i in range(4)] == [True, False, False, True]


def test_nothing_is_hidden_between_rounds():
    position = last_trick([3, 4, 5, 6])
    twin = position.determinize(SOUTH, seeded(1))
    assert np.array_equal(position.state, twin.state)


# --- for people ------------------------------------------------------------------------------------------------------


def test_cards_are_written_and_read_as_people_do():
    position = play(place("2C 4D 10H QS", "AC 3D KH 2H", "5C AH 9S 8S", "7C JS 9H 8H"), "2C")
    assert position.format_action(card("10H")) == "10H"
    assert position.format_action(card("QS")) == "QS"
    read = position.game.parse_action
    for text in ("10H", "TH", "th", "10♥", " 10h "):
        assert read(position.named, text) == card("10H")
    assert read(position.named, "qs") == card("QS")
    with pytest.raises(GameError, match="like QS, 10H or 2C"):
        position.parse_action("the queen")
    with pytest.raises(GameError, match="not a legal move"):
        position.parse_action("3D")


def test_a_card_to_pass_can_be_named_with_or_without_the_word():
    position = place("2C 4D 5S 6H", "3C 6C 6D 8D", "5C 7S 9D 9H", "AC 3D QS 7H", passing="left")
    assert names(position) == "pass 2C pass 4D"
    assert position.parse_action("4d") == position.parse_action("Pass 4D") == PASS + card("4D")


def test_the_picture_shows_the_observer_its_own_hand_only():
    position = play(place("2C 4D 5S 6H", "3C 6C 6D 8D", "5C 7S 9D 9H", "AC 3D QS 7H"), "2C 3C")
    picture = position.render(SOUTH)
    assert "5C 9D 7S 9H" in picture
    assert "North 2C, East 3C" in picture
    for hidden in ("4D", "6C", "QS"):
        assert hidden not in picture
        assert hidden in position.render()


@pytest.mark.parametrize("limit", [-1, 0, 1001, 49.5])
def test_a_limit_out_of_range_is_refused(limit):
    with pytest.raises(GameError, match="1 to 1000"):
        hearts(limit=limit)


def test_an_unknown_direction_is_refused():
    with pytest.raises(GameError, match="left, right, across, hold"):
        hearts_round("up")
