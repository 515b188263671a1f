"""The conformance suite: every built-in game keeps the contract, and what breaks it is found by the checks meant for it."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import random
import re
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from rich.console import Console

from examples.connect_four_class import ConnectFour
from examples.tic_tac_toe_class import TicTacToe
from icarus.belief import Belief, Particle
from icarus.drawing import Cards
from icarus.equilibrium.oos import Oos
from icarus.errors import GameError
from icarus.game import UNSEEN, Game, Layout, Position, Word, Words, compiled, random_below, size_of
from icarus.games.figures import strategy_fusion
from icarus.games.goofspiel import PRIZE_TURNED, goofspiel
from icarus.games.hex import hex
from icarus.games.hex import playout as fill_the_board
from icarus.games.kuhn_poker import Table, deal, kuhn_poker
from icarus.games.kuhn_poker import apply as kuhn_apply
from icarus.games.kuhn_poker import rewards as kuhn_rewards
from icarus.games.kuhn_poker import terminal as kuhn_terminal
from icarus.games.matrix import rock_paper_scissors
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import GAMES, load
from icarus.python_game import python_game
from icarus.rehearsal import Overrun, _Stage, rehearse
from icarus.testing import CHECKS, Report, check_game
from icarus.testing.ledger import Ledger
from icarus.testing.memory import guarded
from icarus.testing.peeking import whole_games
from icarus.testing.playing import play_games
from icarus.testing.statistics import disagreement, misfit

VARIANTS = (
    "phantom(2,2,2)",
    "phantom(3,2,2)",
    'goofspiel(3,"descending")',
    "figure3(partially_observable=True)",
    "liars_dice(1,3)",
    "kuhn_poker(3)",
    'confrontation("random")',
)
SLOW = {
    "amazons",
    "backgammon",
    "confrontation",
    'confrontation("random")',
    "doudizhu",
    "go",
    "havannah",
    "hearts",
    "hearts_round",
    "hex",
    "lines_of_action",
    "morpion",
    "samegame",
    "sailing",
    "sudoku",
    "othello",
    "checkers",
}


# --- games that keep the contract -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS])
def test_every_game_keeps_the_contract(name: str) -> None:
    if not JIT and name in SLOW:
        pytest.skip("too slow without machine code")
    report = check_game(name, games=6 if JIT else 3, seed=11, seconds=None if JIT else 8)
    report.raise_for_failures()
    game = load(name)
    looked_at = {check.name for check in report.checks if check.status == "passed"}
    if game.hidden_information:
        assert {"determinize-view", "determinize-possible", "determinize-blind", "no-peeking", "observe-view"} <= looked_at
    if game.key is not None:
        assert "key" in looked_at
    if game.playout is not None:
        assert "playout" in looked_at
    if game.chance is not None:
        assert {"outcomes", "chance", "chance-sample"} <= looked_at


@pytest.mark.parametrize(
    "name",
    ["kuhn_poker", "kuhn_poker(3)", "liars_dice(1,2)", "goofspiel", "figure3", "strategy_fusion", "matrix", "phantom(2,2,2)"],
)
def test_small_information_sets_are_listed_and_uniformity_is_measured(name: str) -> None:
    assert check_game(name, games=2, searches=False)["determinize-uniform"].status == "passed"


@pytest.mark.parametrize("cls", [TicTacToe, ConnectFour])
def test_plain_python_classes_can_be_checked(cls: type) -> None:
    check_game(python_game(cls), games=3).raise_for_failures()


LISTED = "passed" if JIT else "not applicable"  #: plain Python lists fewer positions


@pytest.mark.parametrize("cards, uniformity", [(4, LISTED), (9, "not applicable")])
def test_what_is_hidden_varies_however_many_starts_there_are(cards: int, uniformity: str) -> None:
    report = check_game(python_game(Guess, cards), games=20)
    report.raise_for_failures()
    assert (report["determinize-varies"].status, report["determinize-uniform"].status) == ("passed", uniformity)


# --- games that break it --------------------------------------------------------------------------------------------------------
# Kuhn poker, goofspiel and rock-paper-scissors with one function replaced by a wrong one.

SPARE = 2  #: a card that Kuhn poker for two does not deal
FAR = (1 << 40) - size_of(Table)  #: a card so far away that it is word 2**40 of the state
BEFORE = -size_of(Table) - 2  #: two words before the state
NAN = math.nan
HALVES = np.array([0.5, 0.5])


def changed(game: Game, **changes: Any) -> Game:
    return dataclasses.replace(game, **changes)


@compiled
def both_cards(state, observer, out):
    for player in range(2):
        out[player] = state.cards[player]


@compiled
def keeps_the_real_cards(state, observer, rng):
    pass


@compiled
def turns_the_real_card(state, observer, rng):
    """Uniform, but which random number gives which card depends on the real one."""
    own, real = state.cards[observer], state.cards[1 - observer]
    if random_below(rng, 2) == 1:
        state.cards[1 - observer] = 3 - own - real


@compiled
def prefers_high_cards(state, observer, rng):
    own = state.cards[observer]
    low, high = (0 if own > 0 else 1), (2 if own < 2 else 1)
    state.cards[1 - observer] = low if random_below(rng, 4) == 0 else high


@compiled
def deals_everyone(state, observer, rng):
    deal(state, -1, rng)


@compiled
def deals_a_card_twice(state, observer, rng):
    state.cards[1 - observer] = random_below(rng, 3)


@compiled
def forgets_the_betting(state, observer, rng):
    deal(state, observer, rng)
    state.plies = state.first_bet = state.bets = 0


@compiled
def tells_the_card(state, action, observer):
    """The opponent's move says what the opponent holds."""
    acting = state.plies % 2
    return action if observer == acting else action + 2 + 2 * state.cards[acting]


@compiled
def blurs_own_actions(state, action, observer):
    return 0


@compiled
def five_actions(state, actions):
    for i in range(5):
        actions[i] = i
    return 5


@compiled
def claims_five(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 5


@compiled
def writes_far_away(state, action):
    if state.plies == 1:
        state.cards[FAR] = action
    kuhn_apply(state, action)


@compiled
def writes_before(state, action):
    state.cards[BEFORE] = action
    kuhn_apply(state, action)


@compiled
def reads_beyond(state):
    return state.cards[SPARE] == 12345 or kuhn_terminal(state)


@compiled
def pays_three(state, out):
    kuhn_rewards(state, out)
    out[2] = 0.5


@compiled
def looks_up(state, action):
    return HALVES[state.plies + 2]


@compiled
def deals_to_a_third(state, observer, rng):
    deal(state, observer, rng)
    state.cards[SPARE] = 1


@compiled
def nothing(state, rng):
    pass


@compiled
def turn_of(state):
    return state.turn


@compiled
def both_actions(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


@compiled
def bet_twice(state, actions):
    actions[0] = 0
    actions[1] = 1
    actions[2] = 1
    return 3


@compiled
def no_actions(state, actions):
    return 0


@compiled
def huge_actions(state, actions):
    actions[0] = 1 << 40
    return 1


@compiled
def writes_one_more(state, actions):
    actions[0] = 0
    actions[1] = 1
    actions[2] = 7
    return 2


@compiled
def only_strong_hands_bet(state, actions):
    """What is legal depends on the opponent's card."""
    actions[0] = 0
    actions[1] = 1
    return 2 if state.cards[1 - state.plies % 2] > 0 else 1


@compiled
def third_player(state):
    return 2


@compiled
def never_over(state):
    return False


@compiled
def too_generous(state, out):
    out[0] = 1.5
    out[1] = 0.0


@compiled
def not_a_number(state, out):
    out[0] = 0.0
    out[1] = NAN


@compiled
def scribbles(state, action):
    """A heuristic that leaves a trace in the state."""
    state.cards[SPARE] += 1
    return 0.5


@compiled
def boasts(state, action):
    return 2.0


@compiled
def looks_into_the_hand(state):
    """Before a search begins, remember the opponent's card in a word that no determinization touches ..."""
    state.cards[SPARE] = state.cards[1 - state.plies % 2]


@compiled
def rewards_of_the_peeker(state, out):
    """... and let it decide."""
    kuhn_rewards(state, out)
    if state.cards[SPARE] == 2:
        out[0], out[1] = out[1], out[0]


@compiled
def odds_too_low(state, probabilities):
    for i in range(5):
        probabilities[i] = 0.1
    return prizes_left(state)


@compiled
def prizes_left(state):
    count = 0
    for card in range(1, 14):
        count += (state.prizes >> card) & 1
    return count


@compiled
def lowest_prize(state, rng):
    card = 1
    while (state.prizes >> card) & 1 == 0:
        card += 1
    return PRIZE_TURNED + card


@compiled
def something_else(state, rng):
    return 99


@compiled
def shows_every_hand(state, action, observer):
    return action


@compiled
def lets_the_second_player_win(state, rng):
    stones = fill_the_board(state, rng)
    state.winner = 2
    return stones


@compiled
def counts_stones(state):
    return state.plies


@compiled
def forgets_who_won(state, rng):
    stones = fill_the_board(state, rng)
    state.winner = 0
    return stones


@compiled
def counts_too_many_plies(state, rng):
    return fill_the_board(state, rng) + 10


KUHN = kuhn_poker()
ROOMY = changed(KUHN, state_size=KUHN.state_size + 1)


def all_cards(state: Table, observer: int) -> object:
    return bytes(state)


def cards_of_all(state: Table, observer: int | None) -> str:
    return f"{int(state.cards[0])} {int(state.cards[1])}"


def hands_of_all(state: Table, observer: int | None) -> Cards:
    return Cards({"hands": [f"{int(card)}" for card in state.cards]})


def position_in_hand(state: Table, action: int) -> str:
    """At a player's second decision the actions have changed places."""
    return ("pass", "bet")[(action + int(state.plies) // 2) % 2]


def opponents_card(state: Table, action: int) -> str:
    return f"{('pass', 'bet')[action]} against {int(state.cards[1 - int(state.plies) % 2])}"


class Shuffles(TicTacToe):
    """Legal actions in another order each time, by dice of its own."""

    def legal(self) -> list[int]:
        actions = super().legal()
        random.shuffle(actions)
        return actions

    def clone(self) -> Shuffles:
        twin = type(self)()
        twin.__dict__.update(self.__dict__, board=self.board.copy())
        return twin


class Throws(Shuffles):
    """Dice of its own decide where a mark lands."""

    def legal(self) -> list[int]:
        return TicTacToe.legal(self)

    def apply(self, cell: int) -> None:
        super().apply(random.choice(self.legal()))


class Deals(Shuffles):
    """Dice of its own decide who begins."""

    def __init__(self) -> None:
        super().__init__()
        self.start = random.random()

    def legal(self) -> list[int]:
        return TicTacToe.legal(self)


class SharesTheBoard(Shuffles):
    """A copy that is none."""

    def legal(self) -> list[int]:
        return TicTacToe.legal(self)

    def clone(self) -> SharesTheBoard:
        twin = type(self)()
        twin.__dict__.update(self.__dict__)
        return twin


class Stumbles(Shuffles):
    def legal(self) -> list[int]:
        return TicTacToe.legal(self)

    def apply(self, cell: int) -> None:
        if self.board.count(".") == 5:
            raise RuntimeError("lost count")
        super().apply(cell)


class Guess:
    """Each player holds cards in an order of its own, and names the first card of the other."""

    players = 2

    def __init__(self, cards: int = 4) -> None:
        self.hands = [list(range(cards)), list(range(cards))]
        self.guesses: list[int] = []

    def clone(self) -> Guess:
        twin = type(self)(0)
        twin.hands, twin.guesses = [hand.copy() for hand in self.hands], self.guesses.copy()
        return twin

    def deal(self, rng: random.Random) -> None:
        for hand in self.hands:
            rng.shuffle(hand)

    def player(self) -> int:
        return len(self.guesses)

    def legal(self) -> list[int]:
        return list(range(len(self.hands[0])))

    def apply(self, guess: int) -> None:
        self.guesses.append(guess)

    def terminal(self) -> bool:
        return len(self.guesses) == 2

    def rewards(self) -> list[float]:
        return [float(guess == self.hands[1 - player][0]) for player, guess in enumerate(self.guesses)]

    def view(self, observer: int) -> object:
        return self.hands[observer], self.guesses

    def determinize(self, observer: int, rng: random.Random) -> None:
        self.hands[1 - observer].sort()
        rng.shuffle(self.hands[1 - observer])


class AlwaysInOrder(Guess):
    def determinize(self, observer: int, rng: random.Random) -> None:
        self.hands[1 - observer].sort()


class OneOfTwo(Guess):
    def determinize(self, observer: int, rng: random.Random) -> None:
        self.hands[1 - observer].sort(reverse=rng.random() < 0.5)


class AsItIs(Guess):
    def determinize(self, observer: int, rng: random.Random) -> None:
        pass


#: a broken game -> the checks that must find it; no other may complain
BROKEN: dict[str, tuple[Callable[[], Game], set[str]]] = {
    # leaks
    "determinize keeps the real card": (
        lambda: changed(KUHN, determinize=keeps_the_real_cards),
        {"determinize-blind", "determinize-uniform", "determinize-varies", "no-peeking"},
    ),
    "determinize uses the true state": (
        lambda: changed(KUHN, determinize=turns_the_real_card),
        {"determinize-blind", "no-peeking"},
    ),
    "a search that peeks": (
        lambda: changed(ROOMY, enter_search=looks_into_the_hand, rewards=rewards_of_the_peeker),
        {"no-peeking"},
    ),
    "labels leak": (lambda: changed(KUHN, format_action=opponents_card), {"shown-known", "no-peeking"}),
    "the text leaks": (lambda: changed(KUHN, render=cards_of_all), {"shown-known"}),
    "the observation leaks": (
        lambda: changed(KUHN, observation=both_cards, observation_shape=(2,)),
        {"shown-known"},
    ),
    "the drawing leaks": (lambda: changed(KUHN, draw=hands_of_all), {"shown-known"}),
    "observe leaks": (lambda: changed(KUHN, observe=tells_the_card), {"observe-view"}),
    "view leaks": (lambda: changed(KUHN, view=all_cards), {"determinize-view"}),
    "legal leaks": (lambda: changed(KUHN, legal=only_strong_hands_bet), {"legal-known", "determinize-legal"}),
    "simultaneous choices are seen": (
        lambda: changed(rock_paper_scissors(), observe=shows_every_hand),
        {"simultaneous-hidden", "observe-view"},
    ),
    # determinizations
    "biased": (lambda: changed(KUHN, determinize=prefers_high_cards), {"determinize-uniform"}),
    "own cards change": (lambda: changed(KUHN, determinize=deals_everyone), {"determinize-view"}),
    "impossible": (lambda: changed(KUHN, determinize=deals_a_card_twice), {"determinize-possible"}),
    "the betting is forgotten": (
        lambda: changed(KUHN, determinize=forgets_the_betting),
        {"determinize-possible", "determinize-view"},
    ),
    "one of 576 starts": (
        lambda: python_game(AlwaysInOrder),
        {"determinize-varies"} | ({"determinize-uniform"} if JIT else set()),
    ),
    "one of very many starts": (lambda: python_game(AlwaysInOrder, 9), {"determinize-varies"}),
    "two of many": (lambda: python_game(OneOfTwo, 5), {"determinize-varies"}),
    "nothing is ever changed": (lambda: python_game(AsItIs, 9), {"determinize-varies"}),
    # rules
    "too many actions": (lambda: changed(KUHN, legal=five_actions), {"buffers"}),
    "more actions than it writes": (lambda: changed(KUHN, legal=claims_five), {"legal-bounds"}),
    "no actions": (lambda: changed(KUHN, legal=no_actions), {"legal-bounds"}),
    "an action out of range": (lambda: changed(KUHN, legal=huge_actions), {"legal-bounds"}),
    "duplicate actions": (lambda: changed(KUHN, legal=bet_twice, max_actions=3), {"legal-distinct"}),
    "a player too many": (lambda: changed(KUHN, player=third_player), {"player"}),
    "endless": (lambda: changed(KUHN, terminal=never_over), {"termination"}),
    "reward 1.5": (lambda: changed(KUHN, rewards=too_generous), {"rewards"}),
    "reward nan": (lambda: changed(KUHN, rewards=not_a_number), {"rewards"}),
    "writes beyond the buffer": (lambda: changed(KUHN, legal=writes_one_more), {"buffers"}),
    "writes far beyond the state": (lambda: changed(KUHN, apply=writes_far_away), {"buffers"}),
    "writes before the state": (lambda: changed(KUHN, apply=writes_before), {"buffers"}),
    "reads beyond the state": (lambda: changed(KUHN, terminal=reads_beyond), {"buffers"}),
    "a reward too many": (lambda: changed(KUHN, rewards=pays_three), {"buffers"}),
    "a table that is too short": (lambda: changed(KUHN, heuristic=looks_up), {"buffers"}),
    "determinize writes beyond the state": (lambda: changed(KUHN, determinize=deals_to_a_third), {"buffers"}),
    "looking leaves a trace": (lambda: changed(ROOMY, heuristic=scribbles), {"unchanged"}),
    "heuristic out of range": (lambda: changed(KUHN, heuristic=boasts), {"extras"}),
    "an action that changes its meaning": (lambda: changed(KUHN, format_action=position_in_hand), {"identity"}),
    "own actions look the same": (lambda: changed(KUHN, observe=blurs_own_actions), {"own-action", "observe-view"}),
    # keys and playouts
    "positions with the same key": (lambda: changed(hex(3), key=counts_stones), {"key"}),
    "a biased playout": (lambda: changed(hex(3), playout=lets_the_second_player_win), {"playout"}),
    "a playout that ends nothing": (lambda: changed(hex(3), playout=forgets_who_won), {"playout"}),
    "a playout of too many plies": (lambda: changed(hex(3), playout=counts_too_many_plies), {"playout"}),
    # the environment
    "chance does not add up": (lambda: changed(goofspiel(5), chance=odds_too_low), {"chance"}),
    "sample does not follow chance": (lambda: changed(goofspiel(5), sample=lowest_prize), {"chance-sample"}),
    "sample draws what is not listed": (lambda: changed(strategy_fusion(), sample=something_else), {"outcomes"}),
    # classes
    "a class with dice of its own": (lambda: python_game(Shuffles), {"legal-stable"}),
    "a class that moves by dice": (lambda: python_game(Throws), {"apply"}),
    "a class that starts by dice": (lambda: python_game(Deals), {"start"}),
    "a class whose copies are one": (lambda: python_game(SharesTheBoard), {"unchanged"}),
    "a class that raises": (lambda: python_game(Stumbles), {"plays"}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_found_by_the_checks_meant_for_it(name: str) -> None:
    build, expected = BROKEN[name]
    report = check_game(build(), games=20 if JIT else 10)
    assert {check.name for check in report.failures} == expected, [str(check) for check in report.failures]
    assert not report.passed
    for check in report.failures:
        assert check.detail and "\n" not in check.detail and check.seed is not None and check.ply is not None
    with pytest.raises(GameError, match=report.failures[0].name):
        report.raise_for_failures()


class PeekingBelief(Belief):
    def weighed(self, position: Position, observer: int, seed: int) -> list[Particle]:
        return [Particle(position.copy(), 1.0)]


class PeekingOos(Oos):
    def decide(self, position: Position, *, iterations: int | None = None, seconds: float | None = None) -> list[float]:
        return [float(card) for card in position.named.cards]


@pytest.mark.parametrize(
    ("name", "peeks", "told"), [("Belief", PeekingBelief, "a belief for observer"), ("Oos", PeekingOos, "oos for observer")]
)
def test_what_reads_whole_games_is_found_when_it_peeks(
    name: str, peeks: type, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"icarus.testing.peeking.{name}", peeks)
    monkeypatch.setattr("icarus.testing.peeking.GAMES", 4)
    monkeypatch.setattr("icarus.testing.peeking.ITERATIONS", 60)
    found = check_game("kuhn_poker", games=4)["no-peeking"]
    assert found.status == "failed" and told in found.detail


@pytest.mark.parametrize("name", ["hearts_round", "oh_hell(3,2)", "phantom(3,3,3)", "hanabi(2)", "battleship"])
def test_whole_games_that_look_alike_are_found_where_deals_are_many(name: str) -> None:
    """Beside those that find_pairs meets: both games are played to the end of the pair, and only what is hidden differs."""
    game = load(name)
    kept = play_games(game, 4, 3, Ledger(), lambda share: None)
    pairs = whole_games(game, kept, 3, Ledger())
    assert pairs
    for pair in pairs:
        histories = [
            [(actor, moves[pair.observer]) for actor, _, moves in position.history if moves[pair.observer] != UNSEEN]
            for position in (pair.one, pair.other)
        ]
        assert histories[0] == histories[1] and pair.one.view(pair.observer) == pair.other.view(pair.observer)
        assert pair.one.state.tobytes() != pair.other.state.tobytes()


def test_every_check_can_fail() -> None:
    assert set().union(*(expected for _, expected in BROKEN.values())) == set(CHECKS)


def test_a_failure_shows_again_with_its_seed() -> None:
    found = check_game(python_game(Stumbles), games=5, seed=3)["plays"]
    assert (found.seed, found.ply) == (3, 4)
    assert re.fullmatch(
        r"GameError: Stumbles\.apply\(\) of \d raised RuntimeError: lost count \(.*, line \d+\) at ply 4", found.detail
    )
    again = check_game(python_game(Stumbles), games=1, seed=3)["plays"]
    assert (again.seed, again.ply, again.detail) == (found.seed, found.ply, found.detail)


def test_a_game_that_cannot_be_played_is_not_looked_at_further() -> None:
    report = check_game(changed(KUHN, legal=claims_five))
    assert report["legal-bounds"].detail == "legal() reports 5; max_actions is 2"
    assert report["no-peeking"].status == "not applicable" and "legal-bounds failed" in report["no-peeking"].detail


@pytest.mark.parametrize(
    "name, told",
    [
        ("too many actions", r"legal\(\) writes actions\[2\] at ply 0; max_actions is 2"),
        (
            "writes far beyond the state",
            r"apply\(\) of . \(\w+\) writes state\[1099511627776\] at ply 1; state_size is \d+",
        ),
        ("writes before the state", r"apply\(\) of [01] \((pass|bet)\) writes state\[-\d\] at ply 0; state_size is \d+"),
        ("reads beyond the state", r"terminal\(\) reads state\[\d\] at ply 0; state_size is \d+"),
        ("a reward too many", r"rewards\(\) writes out\[2\] at ply [23]; there are 2 players"),
        ("a table that is too short", r"heuristic\(\) of . \(pass\) goes too far at ply 0; index 2 is out of bounds .* size 2"),
        ("determinize writes beyond the state", r"determinize\(\) writes state\[\d\] at ply 0; state_size is \d+"),
    ],
)
def test_who_reaches_too_far_is_named_with_the_index_and_the_line(name: str, told: str) -> None:
    with pytest.raises(GameError, match=rf"kuhn_poker.*: {told}.* \(test_conformance\.py, line \d+\)$"):
        BROKEN[name][0]().start()


class Piles(Layout):
    turn = Word()
    piles = Words(2)
    last = Word()


@compiled
def takes_from_a_third_pile(state, action):
    state.piles[2] = action


def test_a_part_of_the_memory_that_has_a_name_is_watched_too() -> None:
    """There the machine code would write into the next word."""
    game = changed(
        KUHN,
        layout=Piles,
        parameters=(),
        initial=nothing,
        terminal=turn_of,
        player=turn_of,
        legal=both_actions,
        determinize=None,
        apply=takes_from_a_third_pile,
    )
    with pytest.raises(Overrun, match=r"apply\(\) of .* writes word 2 of a part of state at ply 0; the part has 2 words"):
        rehearse(game)


@pytest.mark.skipif(not JIT, reason="plain Python is what the other tests play")
def test_games_that_keep_to_their_memory_are_rehearsed_to_their_end() -> None:
    """Without a false alarm, and also where they use what is machine code from the start."""
    for name in ("kuhn_poker", "goofspiel", "phantom", "othello", "hex(4)", "breakthrough(5,4)", "connect_four", "liars_dice"):
        stage = _Stage(load(name))
        with np.errstate(all="ignore"):
            stage.play(1)
        assert stage.doing == "rewards()", name


def test_machine_code_that_writes_beyond_its_memory_is_found_by_guards() -> None:
    """Also in games after those that are played in plain Python first."""
    game = guarded(changed(KUHN, determinize=deals_to_a_third))
    with pytest.raises(Overrun, match=r"determinize\(\) writes state\[\d\]; state_size is \d+"):
        game.start().determinize(0, seeded(1))


# --- the report -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def report() -> Report:
    return check_game(changed(KUHN, determinize=prefers_high_cards), games=10, seed=5, searches=False)


def test_the_report_fits_a_terminal(report: Report) -> None:
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(report)
    lines = console.export_text().splitlines()
    assert all(len(line) <= 80 for line in lines)
    text = " ".join(" ".join(lines).replace("│", " ").split())
    assert "FAILED" in text and "seed 5" in text and "searches were not asked for" in text


def test_the_report_is_data(report: Report) -> None:
    data = json.loads(report.to_json())
    assert data == json.loads(json.dumps(report.as_dict()))
    assert data["game"] == "kuhn_poker" and data["seed"] == 5 and data["passed"] is False
    assert [check["name"] for check in data["checks"]] == list(CHECKS)
    assert {check["status"] for check in data["checks"]} == {"passed", "failed", "not applicable"}


def test_progress_is_told() -> None:
    told: list[tuple[float, str]] = []
    check_game("kuhn_poker", games=3, progress=lambda share, text: told.append((share, text)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] == 1.0
    assert {"random games", "determinizations", "information sets", "searches"} <= {text for _, text in told}


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel(3)"])
def test_a_slow_game_is_looked_at_in_fewer_cases(name: str) -> None:
    whole, hurried = check_game(name, games=3), check_game(name, games=3, seconds=1e-6)
    assert (whole.games, hurried.games) == (3, 1)
    assert hurried.passed and hurried["plays"].cases == 1
    assert {check.name for check in hurried.checks if check.status == "passed"} >= {"termination", "determinize-view"}
    assert sum(check.cases for check in hurried.checks) < sum(check.cases for check in whole.checks) / 2


class Lost(Game):
    """A game that never finds a state that agrees with what a player saw, and says so."""

    asked: ClassVar[list[int]] = []

    @property
    def unexplained(self) -> int:
        self.asked.append(1)
        return len(self.asked)


def test_what_a_game_says_it_did_not_find_is_counted_and_not_held_against_it() -> None:
    poker = load("kuhn_poker")
    report = check_game(
        Lost(**{field.name: getattr(poker, field.name) for field in dataclasses.fields(poker) if field.init}), games=3
    )
    assert report.passed and report.unexplained > 0
    assert report["determinize-view"].status == "not applicable"
    assert "nothing found" in report.title and "nothing found" not in check_game("kuhn_poker", games=3).title


def test_a_game_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(GameError, match="there is no game"):
        check_game("nosuch")


def test_frequencies_are_judged_with_rare_false_alarms() -> None:
    rng = random.Random(1)
    fair = dict.fromkeys(range(6), 1 / 6)
    assert not any(misfit([rng.randrange(6) for _ in range(600)], fair) for _ in range(300))
    assert "came" in misfit([min(rng.randrange(7), 5) for _ in range(6000)], fair)
    assert "impossible" in misfit([0, 1, 6], fair)


def test_two_samples_are_compared_with_rare_false_alarms() -> None:
    rng = random.Random(2)

    def rolls(sides: int, number: int) -> list[int]:
        return [min(rng.randrange(sides), 5) for _ in range(number)]

    assert not any(disagreement(rolls(6, 600), rolls(6, 400)) for _ in range(300))
    assert "came" in disagreement(rolls(6, 6000), rolls(7, 6000))
    assert disagreement(["win"] * 60, ["loss"] * 60) and not disagreement(["win"] * 60, ["win"] * 60)
