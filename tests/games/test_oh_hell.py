"""Oh Hell: beside OpenSpiel, deal by deal; determinization beside enumeration of all deals that what was played allows."""

from __future__ import annotations

from itertools import combinations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import Position, step_randomly
from icarus.games.oh_hell import BID, oh_hell
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.support import assert_uniform


def theirs(action: int, suits: int, ranks: int) -> int:
    """OpenSpiel numbers cards rank by rank, and bids after them."""
    return suits * ranks + action - BID if action >= BID else action % 13 * suits + action // 13


@pytest.mark.parametrize("players, cards, suits, ranks", [(3, 7, 4, 13), (4, 3, 2, 7), (3, 1, 3, 4), (7, 5, 4, 13)])
def test_bids_tricks_and_points_agree_with_openspiel(players: int, cards: int, suits: int, ranks: int) -> None:
    game = oh_hell(players, cards, suits=suits, ranks=ranks)
    oracle = pyspiel.load_game(
        f"oh_hell(players={players},num_suits={suits},num_cards_per_suit={ranks},num_tricks_fixed={cards})"
    )
    for seed in range(200 if JIT else 8):
        position, state, rng = game.start(seed), oracle.new_initial_state(), seeded(seed)
        state.apply_action(cards)
        state.apply_action(players - 1)  # the dealer
        hands = [[card for card in range(52) if int(hand) >> card & 1] for hand in position.named.hands[:players]]
        for number in range(players * cards):
            state.apply_action(theirs(hands[number % players][number // players], suits, ranks))
        state.apply_action(theirs(int(position.named.trump), suits, ranks))
        while not position.is_terminal:
            assert position.player == state.current_player()
            assert sorted(theirs(action, suits, ranks) for action in position.legal()) == state.legal_actions()
            state.apply_action(theirs(step_randomly(position, rng), suits, ranks))
        assert state.is_terminal()
        assert position.rewards() == pytest.approx([points / (cards + 10) for points in state.returns()])


def deals(position: Position, observer: int) -> set[tuple[int, ...]]:
    """All hands of the others from which everything that was played could have been played, by replaying it."""
    state = position.named
    players, suits, ranks = int(state.players), int(state.suits), int(state.ranks)
    played = [int(cards) for cards in state.played[:players]]
    known = (1 << int(state.trump)) | int(state.hands[observer]) | sum(played)
    unseen = [13 * s + r for s in range(suits) for r in range(ranks) if not known >> (13 * s + r) & 1]
    found: set[tuple[int, ...]] = set()

    def deal(who: int, left: list[int], hands: tuple[int, ...]) -> None:
        if who == players:
            start = Position(position.game, position.origin.copy())
            for i in range(players):
                start.named.hands[i] = hands[i] | played[i]
            for _, action, _ in position.history:
                if action not in start.legal():
                    return
                start.apply(action)
            found.add(hands)
            return
        if who == observer:
            deal(who + 1, left, (*hands, int(state.hands[observer])))
            return
        for hand in combinations(left, int(state.hands[who]).bit_count()):
            deal(who + 1, [card for card in left if card not in hand], (*hands, sum(1 << card for card in hand)))

    deal(0, unseen, ())
    return found


@pytest.mark.parametrize("players, cards, seed", [(3, 4, 35), (3, 4, 54), (4, 3, 46), (4, 3, 53), (4, 3, 56)])
def test_determinizations_are_uniform_over_the_deals_that_what_was_played_allows(players: int, cards: int, seed: int) -> None:
    """As soon as two of the others are known to be out of suits, and once more when all three are."""
    position, rng, observer = oh_hell(players, cards, suits=3, ranks=5).start(seed), seeded(seed), seed % players
    out, checked = 1, 0
    while not position.is_terminal:
        now = sum(int(position.named.void[i]) != 0 for i in range(players) if i != observer)
        if now > out:
            out, expected = now, deals(position, observer)
            draws = [position.determinize(observer, rng) for _ in range(30 * len(expected))]
            assert_uniform([tuple(map(int, drawn.named.hands[:players])) for drawn in draws], list(expected))
            checked += len(expected) > 5
        step_randomly(position, rng)
    assert checked


def test_the_dealer_may_not_let_the_bids_add_up() -> None:
    position = oh_hell(3, 2).start(1).apply(BID + 1).apply(BID)
    assert [position.format_action(action) for action in position.legal()] == ["bid 0", "bid 2"]


def test_decks_that_are_too_small_are_refused() -> None:
    for players, cards in ((1, 2), (8, 2), (4, 13), (3, 0)):
        with pytest.raises(GameError, match="players"):
            oh_hell(players, cards)
    with pytest.raises(GameError, match="suits"):
        oh_hell(3, 2, suits=5)
