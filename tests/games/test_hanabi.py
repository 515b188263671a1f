"""Hanabi: beside the learning environment in OpenSpiel, hands and hints included; determinization beside counting."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import product

import pyspiel
import pytest

import icarus
from icarus.drawing.kit import outcome
from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position, step_randomly
from icarus.games.hanabi import DRAW, LARGEST_HAND, card_name, hanabi, hand_of
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.support import assert_distribution

GAMES = 100 if JIT else 3


def their_hands(state: object) -> list[list[tuple[str, str]]]:
    """The cards as OpenSpiel prints them, each with the colours and ranks that its holder cannot rule out."""
    hands = str(state).partition("Hands:")[2].partition("Deck size")[0].split("-----")
    return [re.findall(r"(\w\d) \|\| \w\w\|(\w+)", hand) for hand in hands]


def possible(colours: int, ranks: int) -> str:
    return "".join("RYGWB"[i] for i in range(5) if colours >> i & 1) + "".join("12345"[i] for i in range(5) if ranks >> i & 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_actions_hands_hints_and_scores_agree_with_the_learning_environment(players: int) -> None:
    game, oracle = hanabi(players), pyspiel.load_game(f"hanabi(players={players})")
    rng = seeded(players)
    longest = 0
    for seed in range(GAMES):
        position, state = game.start(seed), oracle.new_initial_state()
        for who in range(players):
            for card, *_ in hand_of(position.named, who):
                state.apply_action(card)
        while not state.is_terminal():
            assert not position.is_terminal
            if state.is_chance_node():
                assert position.player == ENVIRONMENT
                assert dict(zip([a - DRAW for a in position.legal()], position.chance(), strict=True)) == pytest.approx(
                    dict(state.chance_outcomes())
                )
                state.apply_action(step_randomly(position, rng) - DRAW)
                continue
            assert position.player == state.current_player()
            assert position.legal() == state.legal_actions()
            ours = [
                [(card_name(card), possible(*known)) for card, *known in hand_of(position.named, who)] for who in range(players)
            ]
            assert Counter(map(tuple, ours)) == Counter(map(tuple, their_hands(state)))
            # hints more often than anything else, or lives are gone at once
            actions = [action for action in position.legal() if action >= 2 * position.named.hand] or position.legal()
            action = actions[int(random_below(rng, len(actions)))] if random_below(rng, 3) else None
            if action is None:
                action = step_randomly(position, rng)
            else:
                position.apply(action)
            state.apply_action(action)
        assert position.is_terminal
        assert position.rewards() == pytest.approx([score / 25 for score in state.returns()])
        longest = max(longest, len(position.history))
    assert longest <= game.max_plies


def good_game(seed: int) -> Position:
    """A game of somebody who looks at its own cards: it plays what fits."""
    position, rng = hanabi(2).start(seed), seeded(seed)
    while not position.is_terminal:
        state = position.named
        if position.player == ENVIRONMENT:
            position.apply(position.sample(rng))
            continue
        fitting = [
            slot for slot, (card, *_) in enumerate(hand_of(state, position.player)) if state.fireworks[card // 5] == card % 5
        ]
        discards = [action for action in position.legal() if action < state.hand]
        position.apply(int(state.hand) + fitting[0] if fitting else discards[0] if discards else position.legal()[-1])
    return position


def test_a_game_can_be_won_and_its_end_comes_after_a_last_turn_of_everybody() -> None:
    scores = [round(25 * good_game(seed).rewards()[0]) for seed in range(20)]
    assert max(scores) > 20
    end = good_game(scores.index(min(scores)))
    last_draw = max(ply for ply, (actor, _, _) in enumerate(end.history) if actor == ENVIRONMENT)
    assert len(end.history) - 1 - last_draw == 2


@pytest.mark.parametrize("hints", [[], ["tell 1 1"], ["tell 1 R", "tell 1 2"]])
def test_a_hand_is_drawn_as_often_as_there_are_ways_to_deal_it(hints: list[str]) -> None:
    """By counting all hands of two slots that fit the hints and the cards that are seen nowhere."""
    for seed in range(200):
        position = hanabi(2).start(seed)
        position.named.turn = 1
        try:
            for hint in hints:
                position.apply(position.parse_action(hint))
                position.named.turn = 1
        except GameError:
            continue
        break
    state = position.named
    state.sizes[0] = 2  # the other three go back to the deck, so that counting is quick
    for slot in range(2, LARGEST_HAND):
        state.deck[state.cards[slot]] += 1
        state.deck_size += 1
    left = Counter({kind: int(count) for kind, count in enumerate(state.deck)})
    left.update(card for card, *_ in hand_of(state, 0))
    ways: dict[tuple[int, int], float] = {}
    fit = [[k for k in range(25) if colours >> k // 5 & 1 and ranks >> k % 5 & 1] for _, colours, ranks in hand_of(state, 0)]
    for first, second in product(*fit):
        number = left[first] * (left[second] - (first == second))
        if number > 0:
            ways[first, second] = number
    total, rng = sum(ways.values()), seeded(1)
    drawn = [tuple(card for card, *_ in hand_of(position.determinize(0, rng).named, 0)) for _ in range(12_000 if JIT else 3000)]
    # rare hands together, so that each is expected often enough
    groups = {hand: (hand if number / total * len(drawn) > 8 else "rare") for hand, number in ways.items()}
    expected: dict[object, float] = {}
    for hand, number in ways.items():
        expected[groups[hand]] = expected.get(groups[hand], 0) + number / total
    assert set(drawn) <= set(ways), "a hand that does not fit"
    if total and expected.get("rare", 1) * len(drawn) > 5:
        assert_distribution([groups[hand] for hand in drawn], expected)


@pytest.mark.parametrize("players", [2, 4])
def test_a_hand_is_put_back_after_a_move_in_another_one(players: int) -> None:
    """All cards but the one that was shown; no card is there twice, and none disagrees with a hint."""
    game, rng, back = hanabi(players), seeded(5), Counter[bool]()
    for seed in range(GAMES // 3 + 1):
        position = game.start(seed)
        while not position.is_terminal:
            if position.player == ENVIRONMENT:
                step_randomly(position, rng)
                continue
            who, legal = position.player, position.legal()
            twin = position.determinize(who, rng)
            action = legal[int(random_below(rng, len(legal)))]
            moves_card = action < 2 * position.named.hand
            slot = action % int(position.named.hand)
            thought = [card for card, *_ in hand_of(twin.named, who)]
            true = [card for card, *_ in hand_of(position.named, who)]
            before = position.copy()
            twin.apply(action)
            game.call("put_back", twin.state, before.state, action)
            hand = hand_of(twin.named, who)
            shown = [thought[slot]] if moves_card else []
            pool = Counter({kind: int(count) for kind, count in enumerate(twin.named.deck) if count})
            whole = Counter({kind: int(count) for kind, count in enumerate(before.named.deck) if count}) + Counter(true)
            assert pool + Counter(card for card, *_ in hand) + Counter(shown) == whole
            assert all(colours >> card // 5 & 1 and ranks >> card % 5 & 1 for card, colours, ranks in hand)
            left = [card for i, card in enumerate(true) if not (moves_card and i == slot)]
            back[[card for card, *_ in hand] == left] += 1
            position.apply(action)
    assert back[True] > 10 * back[False]


def test_ris_puts_hands_back_where_it_can() -> None:
    """The searching player knows the partner's hand after the partner's move, too: its search is another one."""
    game = hanabi(2)
    rows = [
        icarus.search(
            one.start(1), algorithm="ris", strategy="Baseline() >> Heuristic()", iterations=2000 if JIT else 150, seed=1
        ).root
        for one in (game, replace(game, put_back=None), game)
    ]
    assert rows[0] == rows[2] != rows[1]


def test_nobody_sees_its_own_cards() -> None:
    position, rng = hanabi(3).start(1), seeded(4)
    for _ in range(20):
        for observer in range(3):
            twin = position.determinize(observer, rng)
            assert twin.view(observer) == position.view(observer) and twin.render(observer) == position.render(observer)
        if position.is_terminal:
            break
        step_randomly(position, rng)


def test_too_few_or_too_many_players_are_refused() -> None:
    for players in (1, 6):
        with pytest.raises(GameError, match="2 to 5"):
            hanabi(players)


def test_the_end_is_told_as_one_result_for_all() -> None:
    position, rng = hanabi(2).start(1), seeded(1)
    while not position.is_terminal:
        step_randomly(position, rng)
    assert outcome(position) == f"all together {position.rewards()[0]:g}"
