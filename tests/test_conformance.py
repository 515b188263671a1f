"""The conformance suite: every built-in game keeps the contract, and what breaks it is found by the checks meant for it."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from examples.connect_four_class import ConnectFour
from examples.tic_tac_toe_class import TicTacToe
from icarus.engine.native import JIT
from icarus.errors import GameError
from icarus.game import Game, State, compiled, random_below
from icarus.games.figures import strategy_fusion
from icarus.games.goofspiel import PRIZE_TURNED, PRIZES, goofspiel
from icarus.games.kuhn_poker import CARDS, PLIES, deal, kuhn_poker
from icarus.games.kuhn_poker import rewards as kuhn_rewards
from icarus.games.matrix import rock_paper_scissors
from icarus.loading import GAMES, load
from icarus.python_game import python_game
from icarus.testing import CHECKS, Report, check_game
from icarus.testing.statistics import misfit

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
    "backgammon",
    "confrontation",
    'confrontation("random")',
    "doudizhu",
    "hearts",
    "hearts_round",
    "hex",
    "othello",
    "checkers",
}


# --- games that keep the contract -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS])
def test_every_game_keeps_the_contract(name: str) -> None:
    if not JIT and name in SLOW:
        pytest.skip("too slow without machine code")
    report = check_game(name, games=6 if JIT else 3, seed=11)
    report.raise_for_failures()
    game = load(name)
    looked_at = {check.name for check in report.checks if check.status == "passed"}
    if game.hidden_information:
        assert {"determinize-view", "determinize-possible", "determinize-blind", "no-peeking", "observe-view"} <= looked_at
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


# --- games that break it --------------------------------------------------------------------------------------------------------
# Kuhn poker, goofspiel and rock-paper-scissors with one function replaced by a wrong one.

SPARE = CARDS + 2  #: a word that Kuhn poker for two does not use
NAN = math.nan


def changed(game: Game, **changes: Any) -> Game:
    return dataclasses.replace(game, **changes, _calls={})


@compiled
def keeps_the_real_cards(state, observer, rng):
    pass


@compiled
def turns_the_real_card(state, observer, rng):
    """Uniform, but which random number gives which card depends on the real one."""
    own, real = state[CARDS + observer], state[CARDS + 1 - observer]
    if random_below(rng, 2) == 1:
        state[CARDS + 1 - observer] = 3 - own - real


@compiled
def prefers_high_cards(state, observer, rng):
    own = state[CARDS + observer]
    low, high = (0 if own > 0 else 1), (2 if own < 2 else 1)
    state[CARDS + 1 - observer] = low if random_below(rng, 4) == 0 else high


@compiled
def deals_everyone(state, observer, rng):
    deal(state, -1, rng)


@compiled
def deals_a_card_twice(state, observer, rng):
    state[CARDS + 1 - observer] = random_below(rng, 3)


@compiled
def forgets_the_betting(state, observer, rng):
    deal(state, observer, rng)
    for word in range(PLIES, CARDS):
        state[word] = 0


@compiled
def tells_the_card(state, action, observer):
    """The opponent's move says what the opponent holds."""
    acting = state[PLIES] % 2
    return action if observer == acting else action + 2 + 2 * state[CARDS + acting]


@compiled
def blurs_own_actions(state, action, observer):
    return 0


@compiled
def five_actions(state, actions):
    for i in range(5):
        actions[i] = i
    return 5


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
    return 2 if state[CARDS + 1 - state[PLIES] % 2] > 0 else 1


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
    state[SPARE] += 1
    return 0.5


@compiled
def boasts(state, action):
    return 2.0


@compiled
def looks_into_the_hand(state):
    """Before a search begins, remember the opponent's card in a word that no determinization touches ..."""
    state[SPARE] = state[CARDS + 1 - state[PLIES] % 2]


@compiled
def rewards_of_the_peeker(state, out):
    """... and let it decide."""
    kuhn_rewards(state, out)
    if state[SPARE] == 2:
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
        count += (state[PRIZES] >> card) & 1
    return count


@compiled
def lowest_prize(state, rng):
    card = 1
    while (state[PRIZES] >> card) & 1 == 0:
        card += 1
    return PRIZE_TURNED + card


@compiled
def something_else(state, rng):
    return 99


@compiled
def shows_every_hand(state, action, observer):
    return action


KUHN = kuhn_poker()
ROOMY = changed(KUHN, state_size=SPARE + 1)


def all_cards(state: State, observer: int) -> object:
    return state.tobytes()


def position_in_hand(state: State, action: int) -> str:
    """At a player's second decision the actions have changed places."""
    return ("pass", "bet")[(action + int(state[PLIES]) // 2) % 2]


def opponents_card(state: State, action: int) -> str:
    return f"{('pass', 'bet')[action]} against {int(state[CARDS + 1 - int(state[PLIES]) % 2])}"


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


#: a broken game -> the checks that must find it; no other may complain
BROKEN: dict[str, tuple[Callable[[], Game], set[str]]] = {
    # leaks
    "determinize keeps the real card": (
        lambda: changed(KUHN, determinize=keeps_the_real_cards),
        {"determinize-blind", "determinize-uniform", "no-peeking"},
    ),
    "determinize uses the true state": (
        lambda: changed(KUHN, determinize=turns_the_real_card),
        {"determinize-blind", "no-peeking"},
    ),
    "a search that peeks": (
        lambda: changed(ROOMY, enter_search=looks_into_the_hand, rewards=rewards_of_the_peeker),
        {"no-peeking"},
    ),
    "labels leak": (lambda: changed(KUHN, format_action=opponents_card), {"no-peeking"}),
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
    # rules
    "too many actions": (lambda: changed(KUHN, legal=five_actions), {"legal-bounds"}),
    "no actions": (lambda: changed(KUHN, legal=no_actions), {"legal-bounds"}),
    "an action out of range": (lambda: changed(KUHN, legal=huge_actions), {"legal-bounds"}),
    "duplicate actions": (lambda: changed(KUHN, legal=bet_twice, max_actions=3), {"legal-distinct"}),
    "a player too many": (lambda: changed(KUHN, player=third_player), {"player"}),
    "endless": (lambda: changed(KUHN, terminal=never_over), {"termination"}),
    "reward 1.5": (lambda: changed(KUHN, rewards=too_generous), {"rewards"}),
    "reward nan": (lambda: changed(KUHN, rewards=not_a_number), {"rewards"}),
    "writes beyond the buffer": (lambda: changed(KUHN, legal=writes_one_more), {"buffers"}),
    "looking leaves a trace": (lambda: changed(ROOMY, heuristic=scribbles), {"unchanged"}),
    "heuristic out of range": (lambda: changed(KUHN, heuristic=boasts), {"extras"}),
    "an action that changes its meaning": (lambda: changed(KUHN, format_action=position_in_hand), {"identity"}),
    "own actions look the same": (lambda: changed(KUHN, observe=blurs_own_actions), {"own-action", "observe-view"}),
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


def test_every_check_can_fail() -> None:
    assert set().union(*(expected for _, expected in BROKEN.values())) == set(CHECKS)


def test_a_failure_shows_again_with_its_seed() -> None:
    found = check_game(python_game(Stumbles), games=5, seed=3)["plays"]
    assert (found.seed, found.ply) == (3, 4)
    assert re.fullmatch(r"GameError: Stumbles\.apply\(\) raised RuntimeError: lost count \(.*, line \d+\) at ply 4", found.detail)
    again = check_game(python_game(Stumbles), games=1, seed=3)["plays"]
    assert (again.seed, again.ply, again.detail) == (found.seed, found.ply, found.detail)


def test_a_game_that_cannot_be_played_is_not_looked_at_further() -> None:
    report = check_game(changed(KUHN, legal=five_actions))
    assert report["legal-bounds"].detail == "legal() reports 5; max_actions is 2"
    assert report["no-peeking"].status == "not applicable" and "legal-bounds failed" in report["no-peeking"].detail


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


def test_a_game_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(GameError, match="there is no game"):
        check_game("nosuch")


def test_frequencies_are_judged_with_rare_false_alarms() -> None:
    rng = random.Random(1)
    fair = dict.fromkeys(range(6), 1 / 6)
    assert not any(misfit([rng.randrange(6) for _ in range(600)], fair) for _ in range(300))
    assert "came" in misfit([min(rng.randrange(7), 5) for _ in range(6000)], fair)
    assert "impossible" in misfit([0, 1, 6], fair)
