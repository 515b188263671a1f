"""Dou Di Zhu beside OpenSpiel (move by move) and RLCard (its tables of plays), and what each player can know."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pyspiel
import pytest
from rlcard.games.doudizhu.judger import DoudizhuJudger
from rlcard.games.doudizhu.utils import CARD_TYPE, TYPE_CARD

from icarus.errors import GameError
from icarus.game import CONTINUES, Position, play_randomly, step_randomly
from icarus.games import doudizhu as rules
from icarus.games.doudizhu import NAMES, Round, cards, doudizhu, hand_of
from icarus.jit.randomness import seeded
from tests.support import assert_distribution, determinizations

GAME = doudizhu()
LANDLORDS = [doudizhu(landlord=seat) for seat in range(3)]
FULL_DECK = "".join(name * 4 for name in NAMES[:13]) + "BR"
DEAL = "33334444555666777889 88999TTTTJJJJQQQQ 567KKKKAAAA2222BR"


def in_order(text: str) -> str:
    return "".join(sorted(text, key=NAMES.index))


def endgame(hands: str, *, turn: int = 0, table: int = 0, passes: int = 0) -> Position:
    """A position in which these few cards are left."""
    position = Position(GAME, np.zeros(GAME.state_size, np.int64))
    state = position.named
    state.hands[:] = [hand_of(hand) for hand in hands.split()]
    state.turn, state.table, state.passes = turn, table, passes
    return position


def hand_in_turn(position: Position) -> str:
    return cards(position.named.hands[position.named.turn])


def hands_of(position: Position) -> list[str]:
    return [cards(hand) for hand in position.named.hands]


def labels(position: Position) -> set[str]:
    return {position.format_action(a) for a in position.legal()}


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position.apply(position.parse_action(move))
    return position


BUFFER = np.zeros(1000, np.int64)


def legal_in(state: np.ndarray) -> list[int]:
    """The legal actions, even of hands larger than any that is dealt."""
    return BUFFER[: GAME.call("legal", state, BUFFER)].tolist()


@cache
def base_cards(base: int) -> str:
    return cards(rules.with_cards(0, rules.base_ranks(base), int(rules.COPIES[base >> 8])))


@cache
def kicker_cards(kickers: int) -> str:
    return "".join(n * (1 + (kickers >= rules.PAIR_KICKERS)) for r, n in enumerate(NAMES) if kickers >> r & 1)


BASES_WITH_KICKERS = {base for base in range(rules.SOLO_KICKERS) if rules.has_kickers(base)}


def complete_plays(position: Position) -> dict[str, tuple[int, ...]]:
    """Every way to go on, main part and kickers together: the cards in order -> the actions, one or two."""
    plays = {}
    number = 0
    for base in legal_in(position.state):
        if base in BASES_WITH_KICKERS:
            pending = position.state.copy()
            GAME.call("apply", pending, base)
            assert Round(pending).turn == position.player
            for kickers in legal_in(pending):
                plays[in_order(base_cards(base) + kicker_cards(kickers))] = (base, kickers)
                number += 1
        else:
            plays["" if base == rules.PASS else base_cards(base)] = (base,)
            number += 1
    assert len(plays) == number, "the same cards can be played in two ways"
    return plays


def shape(base: int) -> tuple[int, int]:
    return base >> 8, base >> 4 & 15


# --- categories ------------------------------------------------------------------------------------------------------

#: plays of 20 cards or fewer by kind and length, kickers of different rank: pagat's rules, counted independently
TRIOS_WITH_SOLOS = {1: 182, 2: 847, 3: 2100, 4: 2646, 5: 1568}
TRIOS_WITH_PAIRS = {1: 156, 2: 605, 3: 1200, 4: 1134}


def test_every_category_has_as_many_plays_as_the_rules_allow():
    plays = complete_plays(endgame(f"{FULL_DECK} 3 3"))
    found = Counter(shape(actions[0]) for text, actions in plays.items() if len(text) <= 20)
    expected = {
        (rules.SOLO, 1): 15,
        **{(rules.SOLO, n): 13 - n for n in range(5, 13)},
        (rules.PAIR, 1): 13,
        **{(rules.PAIR, n): 13 - n for n in range(3, 11)},
        (rules.TRIO, 1): 13,
        **{(rules.TRIO, n): 13 - n for n in range(2, 7)},
        **{(rules.TRIO_SOLO, n): number for n, number in TRIOS_WITH_SOLOS.items()},
        **{(rules.TRIO_PAIR, n): number for n, number in TRIOS_WITH_PAIRS.items()},
        (rules.QUAD_SOLO, 1): 1170,
        (rules.QUAD_PAIR, 1): 858,
        (rules.BOMB, 1): 13,
        (rules.NUKE, 2): 1,
    }
    assert found == expected


#: RLCard's spelling of a play, by the cards in order
SPELLING = {in_order(text): text for text in CARD_TYPE[0]}


def with_equal_solos(text: str) -> bool:
    """RLCard's kickers may be equal: two equal solos with a quadplex, two or three with a run of trios."""
    kinds = {kind.rsplit("_chain_", 1)[0] for kind, _ in CARD_TYPE[0][text]}
    counts = Counter(text).values()
    if "four_two_solo" in kinds:
        return 2 in counts
    if "trio_solo" in kinds:
        length = len(text) // 4
        return sorted(counts) != [1] * length + [3] * length
    return False


def test_rlcard_knows_the_same_plays_but_for_equal_solo_kickers():
    ours = {text for text in complete_plays(endgame(f"{FULL_DECK} 3 3")) if len(text) <= 20}
    theirs = {in_order(text) for text in CARD_TYPE[0] if not with_equal_solos(text)}
    assert ours == theirs


def test_leads_agree_with_rlcard_on_random_hands():
    for seed in range(150):
        position = doudizhu(landlord=seed % 3).start(seed)
        hand = hand_in_turn(position)
        theirs = {in_order(text) for text in DoudizhuJudger.playable_cards_from_hand(hand)}
        assert set(complete_plays(position)) == {text for text in theirs if not with_equal_solos(SPELLING[text])}


def test_answers_agree_with_rlcard_on_random_hands():
    choose = random.Random(1)
    for seed in range(400):
        position = GAME.start(seed)
        plays = complete_plays(position)
        lead = choose.choice(sorted(plays))
        if choose.random() < 0.5:  # rather one with kickers, if there is one
            lead = choose.choice(sorted(text for text in plays if len(plays[text]) == 2) or [lead])
        position.apply(plays[lead][0])
        for kickers in plays[lead][1:]:
            position.apply(kickers)
        hand = Counter(hands_of(position)[1])
        kind, weight = CARD_TYPE[0][SPELLING[lead]][0]
        theirs = {""}
        for other, by_weight in TYPE_CARD.items():
            for higher, texts in by_weight.items():
                if (other == kind and int(higher) > int(weight)) or (other == "bomb" != kind) or other == "rocket":
                    theirs |= {in_order(t) for t in texts if not Counter(t) - hand and not with_equal_solos(t)}
        if kind == "rocket":
            theirs = {""}
        assert set(complete_plays(position)) == theirs, (lead, hands_of(position)[1])


# --- OpenSpiel, move by move -----------------------------------------------------------------------------------------

SPIEL = pyspiel.load_game("dou_dizhu")
SPIEL_RANKS = "3456789TJQKA2"


@cache
def spiel_play(action: int) -> tuple[str, bool]:
    """The cards of an action of OpenSpiel, and whether it is a run with solo kickers of equal rank."""
    text = SPIEL_NAMER.action_to_string(SPIEL_NAMER.current_player(), action)
    if text == "Pass":
        return "", False
    main, _, kickers = text.replace("(BWJ)", "B").replace("(CJ)", "R").partition("-")
    equal = len(kickers) == len(main) // 3 and len(set(kickers)) < len(kickers)
    return in_order(main + kickers), equal


def spiel_after_bidding(hands: list[str], landlord: int) -> pyspiel.State:
    """OpenSpiel's game with these hands: the landlord's last three cards are the ones dealt after the auction."""
    state = SPIEL.new_initial_state()
    state.apply_action(0)
    piles = [list(hand) for hand in hands]
    random.Random(len(set(hands[0]))).shuffle(piles[landlord])
    used: Counter[str] = Counter()
    for i in range(51):
        name = piles[i % 3].pop()
        index = 52 + "BR".index(name) if name in "BR" else SPIEL_RANKS.index(name) + 13 * used[name]
        used[name] += 1
        state.apply_action(51 + index)
    while state.current_player() != landlord:
        state.apply_action(0)
    state.apply_action(3)
    return state


SPIEL_NAMER = spiel_after_bidding(hands_of(GAME.start(0)), 0)


def test_spiel_hands_are_dealt_as_meant():
    hands = hands_of(GAME.start(0))
    plays = {spiel_play(a)[0] for a in SPIEL_NAMER.legal_actions()}
    assert {text for text in plays if len(text) == 1} == set(hands[0])
    assert max(NAMES.index(c) for c in hands[0]) == max(NAMES.index(text) for text in plays if len(text) == 1)


def starts_a_run_with_four_equal_cards(actions: tuple[int, ...], hand: str) -> bool:
    """OpenSpiel does not offer a run without kickers whose lowest rank the hand holds four times."""
    kind, length = shape(actions[0])
    return kind in (rules.SOLO, rules.PAIR, rules.TRIO) and length > 1 and hand.count(NAMES[actions[0] & 15]) == 4


def answers_the_nuke(text: str, table: int) -> bool:
    """OpenSpiel lets a bomb follow the rocket."""
    return table == rules.BOTH_JOKERS and text != ""


def is_quadplex(actions: tuple[int, ...]) -> bool:
    """OpenSpiel has no quadplex."""
    return actions[0] >> 8 in (rules.QUAD_SOLO, rules.QUAD_PAIR)


@pytest.mark.parametrize("games", [700, pytest.param(5000, marks=pytest.mark.thorough)])
def test_random_games_agree_with_openspiel_move_by_move(games: int):
    choose = random.Random(2)
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(games):
        landlord = seed % 3
        position = LANDLORDS[landlord].start(seed)
        theirs = spiel_after_bidding(hands_of(position), landlord)
        while not position.is_terminal:
            hand = hand_in_turn(position)
            ours = {
                text: actions
                for text, actions in complete_plays(position).items()
                if not starts_a_run_with_four_equal_cards(actions, hand) and not is_quadplex(actions)
            }
            offered = {spiel_play(a): a for a in theirs.legal_actions()}
            assert theirs.current_player() == position.player
            table = int(position.named.table)
            assert set(ours) == {
                text for text, equal_kickers in offered if not equal_kickers and not answers_the_nuke(text, table)
            }
            # by base first, since otherwise leads with kickers crowd out everything else
            base = choose.choice(sorted({actions[0] for actions in ours.values()}))
            text = choose.choice(sorted(text for text, actions in ours.items() if actions[0] == base))
            for action in ours[text]:
                position.apply(action)
            theirs.apply_action(offered[text, False])
            seen[shape(base)] += 1
        assert theirs.is_terminal()
        assert [r > 0 for r in theirs.returns()] == [r == 1 for r in position.rewards()]
    assert {kind for kind, _ in seen} >= set(range(9)) - {rules.QUAD_SOLO, rules.QUAD_PAIR}
    assert seen.keys() >= {(rules.TRIO_SOLO, 2), (rules.TRIO_PAIR, 2), (rules.TRIO_SOLO, 3)}


# --- rounds ----------------------------------------------------------------------------------------------------------


def test_the_landlord_holds_twenty_cards_and_leads():
    for seat, game in enumerate(LANDLORDS):
        position = game.start(7)
        assert position.player == seat
        assert [len(hand) for hand in hands_of(position)] == [20 if i == seat else 17 for i in range(3)]
        assert in_order("".join(hands_of(position))) == FULL_DECK
        assert "pass" not in labels(position)


def test_two_passes_return_the_lead_to_the_last_to_play():
    position = play(endgame("39 4T 5J"), "3", "4", "pass", "pass")
    assert position.player == 1
    assert labels(position) == {"T"}


def test_an_answer_has_the_same_category_and_length_and_higher_rank():
    assert labels(play(endgame("456789 56789TJ 3"), "45678")) == {"pass", "56789", "6789T", "789TJ"}
    assert labels(play(endgame("3344556 44556677 3"), "334455")) == {"pass", "445566", "556677"}
    assert labels(play(endgame("557 3366TTTT2 3"), "55")) == {"pass", "66", "TT", "TTTT"}
    assert labels(play(endgame("7773 333888999 3"), "777")) == {"pass", "888", "999"}


def test_twos_and_jokers_are_in_no_run():
    leads = labels(endgame("TJQKA2BR 3 3"))
    assert leads == {"T", "J", "Q", "K", "A", "2", "B", "R", "TJQKA", "nuke"}
    assert "AAA222" not in labels(endgame("AAA222 3 3"))
    assert "KKKAAA" in labels(endgame("KKKAAA222 3 3"))


def test_a_bomb_beats_anything_but_a_higher_bomb_and_the_nuke():
    position = play(endgame("33345 4444TTTTBR 55556666"), "333+solo", "4")
    assert labels(position) == {"pass", "444+solo", "TTT+solo", "4444", "TTTT", "nuke"}
    play(position, "4444")
    assert labels(position) == {"pass", "5555", "6666"}
    play(position, "6666", "pass")
    assert labels(position) == {"pass", "TTTT", "nuke"}
    play(position, "nuke")
    assert labels(position) == {"pass"}


def test_a_quadplex_is_no_bomb():
    position = play(endgame("444455663 5555789TTTT 3"), "4444+solos")
    assert labels(position) == {"kickers 35", "kickers 36", "kickers 56"}
    play(position, "kickers 56")
    assert labels(position) == {"pass", "5555+solos", "TTTT+solos", "5555", "TTTT"}
    assert labels(play(endgame("34 55556789 3"), "3")) == {"pass", "5", "6", "7", "8", "9", "5555"}


def test_kickers_do_not_count():
    position = play(endgame("7772 88835 999455"), "777+solo", "2")
    assert position.is_terminal
    position = play(endgame("77723 88835 9994"), "777+solo", "2")
    assert labels(position) == {"pass", "888+solo"}
    play(position, "888+solo", "3")
    assert labels(position) == {"pass", "999+solo"}


def test_kickers_differ_from_each_other_and_from_the_base_and_are_not_both_jokers():
    pending = play(endgame("33344445566BR 3 3"), "333444+solos")
    assert labels(pending) == {"kickers " + k for k in ("56", "5B", "5R", "6B", "6R")}
    assert "333444+solos" not in labels(endgame("33344445555 3 3")), "only fives are left beside the base"
    assert "333444+solos" not in labels(endgame("333444BR 3 3"))
    assert "3333+pairs" not in labels(endgame("33335555 3 3"))
    assert "3333+pairs" in labels(endgame("33335566 3 3"))


def test_kickers_are_all_solos_or_all_pairs_and_one_for_every_trio():
    position = endgame("333444555667788 3 3")
    assert labels(play(position.copy(), "333444555+solos")) == {"kickers 678"}
    assert labels(play(position.copy(), "333444555+pairs")) == {"kickers 667788"}
    pairs = ("3366", "3377", "3388", "6677", "6688", "7788")
    assert labels(play(position.copy(), "444555+pairs")) == {f"kickers {k}" for k in pairs}


def test_a_base_with_kickers_is_offered_only_if_there_are_kickers():
    for seed in range(60):
        position = GAME.start(seed)
        rng = seeded(seed)
        while not position.is_terminal:
            for base in position.legal():
                if base < rules.SOLO_KICKERS and rules.has_kickers(base):
                    assert position.copy().apply(base).legal()
            step_randomly(position, rng)


def test_the_peasants_win_and_lose_together():
    assert play(endgame("3 44 55"), "3").rewards() == [1, 0, 0]
    assert play(endgame("34 5 67"), "3", "5").rewards() == [0, 1, 1]
    assert play(endgame("34 57 6"), "3", "pass", "6").rewards() == [0, 1, 1]


def test_an_episode_begins_with_each_lead_and_not_between_base_and_kickers():
    position = endgame("44456 55578 6666")
    assert position.game.call("episode", position.state) == 0
    for move in ("444+solo", "5", "555+solo", "8", "pass"):
        play(position, move)
        assert position.game.call("episode", position.state) == CONTINUES
    play(position, "pass")
    assert position.game.call("episode", position.state) == 1
    assert position.episode == (1, 6)


# --- bounds ----------------------------------------------------------------------------------------------------------


@cache
def most_leads(rank: int, left: int, solos: int, pairs: int, trios: int) -> int:
    """The most bases that so many cards of this rank and higher ones can add, given the runs that end just below."""
    if rank == 15:
        return 0
    most = 0
    for count in range(min(4 if rank < 13 else 1, left) + 1):
        runs = [(r + 1 if count > i and rank < 12 else 0) for i, r in enumerate((solos, pairs, trios))]
        new = max(0, runs[0] - 4) + max(0, runs[1] - 2)
        new += sum(1 + (4 * length <= 20) + (5 * length <= 20) for length in range(2, runs[2] + 1))
        new += (0, 1, 2, 5, 8)[count]  # a trio or a bomb by itself and with either kind of kickers
        most = max(most, new + most_leads(rank + 1, left - count, *runs))
    return most


def most_kicker_sets() -> int:
    most = 0
    for main, ranks, wanted in [(4, 1, 2), *((3 * n, n, n) for n in range(1, 6))]:
        for copies in (1, 2):
            left = 20 - main
            for jokers in range(3 if copies == 1 else 1):
                others = min((left - jokers) // copies, 13 - ranks)
                most = max(most, comb(others + jokers, wanted) - (comb(others, wanted - 2) if jokers == 2 <= wanted else 0))
    return most


def test_max_actions_is_the_most_that_any_hand_allows():
    nuke = passing = 1
    assert most_leads(0, 20, 0, 0, 0) + nuke == 95
    assert most_kicker_sets() == 165 == GAME.max_actions >= 95 + passing
    assert len(play(endgame("3334445556789TJQKA2B 3 3"), "333444555+solos").legal()) == 165


def test_max_plies_is_reached_by_playing_all_but_two_cards_one_by_one():
    position = GAME.start(3)
    taking_over = {0: 2, 2: 1}
    leader, kept = 0, {0: 1, 1: 0, 2: 1}
    while not position.is_terminal:
        hand = hand_in_turn(position)
        if position.player == leader and position.named.table == 0:
            # high cards first, so that the last one can be beaten
            play(position, hand[-1])
        elif position.player == taking_over.get(leader) and len(hands_of(position)[leader]) == kept[leader]:
            leader = position.player
            play(position, hand[-1])
        else:
            play(position, "pass")
    assert len(position.history) == GAME.max_plies == 152


def test_random_games_keep_within_the_bounds_and_lose_no_card():
    rng = seeded(11)
    for seed in range(200):
        position = GAME.start(seed)
        played: Counter[str] = Counter()
        while not position.is_terminal:
            action = step_randomly(position, rng)
            if action:
                played.update(kicker_cards(action) if action >= rules.SOLO_KICKERS else base_cards(action))
            assert played + Counter("".join(hands_of(position))) == Counter(FULL_DECK)
        assert len(position.history) <= GAME.max_plies


# --- hidden information ----------------------------------------------------------------------------------------------


def deals(pool: str, number: int, possible=lambda hand: True) -> dict[tuple[str, str], float]:
    """The chance of each split, with ``number`` of these cards (no two of them the same card) in the first hand."""
    ways: Counter[tuple[str, str]] = Counter()
    for chosen in combinations(range(len(pool)), number):
        hand = in_order("".join(pool[i] for i in chosen))
        if possible(hand):
            ways[hand, in_order("".join(c for i, c in enumerate(pool) if i not in chosen))] += 1
    total = sum(ways.values())
    return {split: n / total for split, n in ways.items()}


def drawn_hands(position: Position, observer: int, first: int, number: int) -> list[tuple[str, str]]:
    second = 3 - observer - first
    states = [np.frombuffer(state, np.int64) for state in determinizations(position, observer, number)]
    assert {public_words(state, first, second) for state in states} == {public_words(position.state, first, second)}
    return [(cards(Round(state).hands[first]), cards(Round(state).hands[second])) for state in states]


def public_words(state: np.ndarray, *hidden: int) -> bytes:
    known = state.copy()
    Round(known).hands[list(hidden)] = 0
    return known.tobytes()


@pytest.mark.parametrize("hands", ["345 4455 556", "89TJ 333B 35R", "2 AAAA2 2"])
@pytest.mark.parametrize("observer", range(3))
def test_unseen_cards_are_dealt_like_a_shuffled_deck(hands, observer):
    position = endgame(hands, turn=observer)
    first, second = (observer + 1) % 3, (observer + 2) % 3
    pool = "".join(hands.split()[i] for i in (first, second))
    expected = deals(pool, len(hands.split()[first]))
    assert_distribution(drawn_hands(position, observer, first, 4000), expected)


def with_kickers(copies: int, wanted: int, excluded: str):
    def possible(hand: str) -> bool:
        ranks = {name for name, n in Counter(hand).items() if n >= copies and name not in excluded}
        return len(ranks) - ({"B", "R"} <= ranks) >= wanted

    return possible


@pytest.mark.parametrize(
    ("hands", "base", "copies", "wanted"),
    [
        ("89 3335 367", "333+solo", 1, 1),
        ("89 333444567 55667", "333444+solos", 1, 2),
        ("89 33344457B 45R3", "333444+solos", 1, 2),
        ("89 3333567 5566", "3333+solos", 1, 2),
        ("89 33334455 45667788", "3333+pairs", 2, 2),
        ("89 333445 4456677", "333+pair", 2, 1),
        ("89 333444556678 557799", "333444+pairs", 2, 2),
        ("89 333444555678 66778TT", "333444555+solos", 1, 3),
    ],
)
def test_between_base_and_kickers_the_player_is_known_to_hold_kickers(hands, base, copies, wanted):
    position = play(endgame(hands, turn=1), base)
    possible = with_kickers(copies, wanted, base.partition("+")[0])
    for observer in (0, 2):
        mine, theirs = hands_of(position)[1], hands_of(position)[2 - observer]
        expected = deals(mine + theirs, len(mine), possible)
        assert observer == 2 or len(expected) < len(deals(mine + theirs, len(mine)))
        samples = int(max(4000, 6 / min(expected.values())))
        assert_distribution(drawn_hands(position, observer, 1, samples), expected)
        # the way for hands that are rarely found by chance, taken always
        pool, table, rng = hand_of(mine + theirs), int(position.named.table), seeded(observer)
        pairs = [rules.split_from_kickers(pool, len(mine), table, rng) for _ in range(samples)]
        assert_distribution([(cards(one), cards(other)) for one, other in pairs], expected)


def test_a_player_between_base_and_kickers_knows_its_own_hand():
    position = play(endgame("33345 5566 77"), "333+solo")
    assert {hands_of(position.determinize(0, seeded(seed)))[0] for seed in range(50)} == {"45"}


def test_even_the_rarest_kickers_are_found_at_once():
    """Only the two sixes and sevens are pairs: one deal in thousands, yet every determinization has them."""
    position = play(endgame("8 33336677 459TJQKA2B", turn=1), "3333+pairs")
    assert {mine for mine, _ in drawn_hands(position, 0, 1, 300)} == {"6677"}


def test_same_view_and_same_seed_give_the_same_determinization():
    for seed in range(60):
        position = play_some(GAME.start(seed), seed)
        for observer in range(3):
            twin = position.determinize(observer, seeded(seed + 1000))
            assert twin.view(observer) == position.view(observer)
            assert twin.render(observer) == position.render(observer)
            for again in range(5):
                one = position.determinize(observer, seeded(again)).state.tobytes()
                assert one == twin.determinize(observer, seeded(again)).state.tobytes()


def play_some(position: Position, seed: int) -> Position:
    rng = seeded(seed)
    while not position.is_terminal and len(position.history) < seed:
        step_randomly(position, rng)
    return position


def test_a_view_tells_what_a_player_knows_and_no_more():
    position = endgame("345 4455 556")
    assert position.view(0) == endgame("345 4555 456").view(0)
    assert position.view(1) != endgame("345 4555 456").view(1)
    assert position.view(0) != endgame("345 44555 56").view(0)
    assert position.view(0) != endgame("345 4456 557").view(0)


def test_a_determinized_game_can_be_played_to_its_end():
    rng = seeded(5)
    for seed in range(100):
        position = play_some(GAME.start(seed), seed % 60)
        play_randomly(position.determinize(seed % 3, rng), rng)


def test_the_deal_is_that_of_a_shuffled_deck():
    number = 6000
    holders = []
    for seed in range(number):
        hands = hands_of(GAME.start(seed))
        holders.append(tuple(next(i for i in range(3) if joker in hands[i]) for joker in "BR"))
    sizes = (20, 17, 17)
    expected = {(i, j): sizes[i] * (sizes[j] - (i == j)) / (54 * 53) for i in range(3) for j in range(3)}
    assert_distribution(holders, expected)


# --- options and people ----------------------------------------------------------------------------------------------


def test_a_given_deal_is_dealt_whatever_the_seed():
    hands = [in_order(hand) for hand in DEAL.split()]
    game = doudizhu(deal=DEAL)
    assert hands_of(game.start(1)) == hands_of(game.start(2)) == hands
    turned = doudizhu(landlord=1, deal=" ".join([hands[1], hands[0], hands[2]]))
    assert hands_of(turned.start()) == [hands[1], hands[0], hands[2]]
    assert turned.start().player == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"landlord": 3}, "0, 1 or 2"),
        ({"landlord": -1}, "0, 1 or 2"),
        ({"deal": DEAL[1:]}, "landlord in seat 0 must be dealt exactly 20 cards, not 19"),
        ({"deal": DEAL, "landlord": 1}, "seat 0 must be dealt exactly 17 cards, not 20"),
        ({"deal": "3 4"}, "needs 3 hands"),
        ({"deal": DEAL.replace("R", "1")}, "'1' is not a rank; the ranks are 3 4 5"),
        ({"deal": DEAL.replace("R", "B")}, "rank B; the deck has 1"),
        ({"deal": DEAL.replace("R", "9")}, "rank 9; the deck has 4"),
    ],
)
def test_impossible_options_are_refused(options, complaint):
    with pytest.raises(GameError, match=complaint):
        doudizhu(**options)


def test_every_action_has_a_label_of_its_own_that_reads_back():
    shuffle = random.Random(4)
    rng = seeded(4)
    for seed in range(15):
        position = GAME.start(seed)
        while not position.is_terminal:
            legal = position.legal()
            names = [position.format_action(a) for a in legal]
            assert len(set(names)) == len(legal)
            for action, name in zip(legal, names, strict=True):
                assert GAME.parse_action(position.named, name) == action
                main, plus, rest = name.removeprefix("kickers ").removeprefix("kicker ").partition("+")
                if main not in ("pass", "nuke"):
                    main = " ".join(shuffle.sample(main, len(main))).lower()
                assert position.parse_action(main + plus + rest) == action
            step_randomly(position, rng)


@pytest.mark.parametrize("text", ["", "1", "35", "33344", "QQQ+", "QQQ+three", "33+solo", "33333", "kickers 3", "x"])
def test_nonsense_is_answered_with_what_moves_look_like(text):
    position = endgame("333445QQQ 3 3")
    with pytest.raises(GameError, match="like QQQ"):
        position.parse_action(text)


def test_nonsense_for_kickers_is_answered_with_what_kickers_look_like():
    position = play(endgame("333445QQQ 3 3"), "333+solo")
    for text in ("444", "4+solo", "44555", "nuts"):
        with pytest.raises(GameError, match="kickers of your play"):
            position.parse_action(text)


def test_a_player_is_shown_its_own_hand_and_the_size_of_the_others():
    position = doudizhu(deal=DEAL).start()
    assert position.render(1).splitlines() == [
        "0 landlord   20 cards",
        "1 peasant 1  17 cards  88999TTTTJJJJQQQQ",
        "2 peasant 2  17 cards",
        "landlord leads",
    ]
    assert all(in_order(hand) in position.render() for hand in DEAL.split())
    play(position, "555666+solos")
    assert position.render(1).endswith("landlord chooses the kickers of 555666+solos")
    play(position, "89", "pass")
    assert position.render(0).endswith("peasant 2 to beat 555666+solos of landlord")
