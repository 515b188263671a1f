"""Equilibria: best responses beside OpenSpiel's, solvers that reach known values, and players that use what was solved."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import exploitability as openspiel_exploitability
from typer.testing import CliRunner

import icarus
from icarus.arena.exploit import exploit
from icarus.arena.players import read_player
from icarus.cli import app
from icarus.equilibrium import Mccfr, StrategyFileError, exploitability, information_set, read_strategy_file, whole_tree
from icarus.equilibrium.game_tree import GameTree, Reals, guessed_nodes
from icarus.equilibrium.knowledge import Knowledge
from icarus.equilibrium.starts import TooMany, every_start
from icarus.errors import IcarusError, SearchError
from icarus.game import ENVIRONMENT, Position, step_randomly
from icarus.games.leduc_poker import SHOW
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.python_game import python_game

CHIPS = {"kuhn_poker": 4, "leduc_poker": 26}  #: what a whole reward is


def either(compiled: int, plain: int) -> int:
    return compiled if JIT else plain


# --- starts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "number"), [("kuhn_poker(3)", 24), ("leduc_poker", 30), ("liars_dice(1,4)", 16), ("mnk", 1)])
def test_all_starts_are_listed_with_their_probabilities(name: str, number: int) -> None:
    game = icarus.load(name)
    starts = every_start(game)
    assert len(starts) == number
    assert [odds for _, odds in starts] == pytest.approx([1 / number] * number)
    listed = {position.state.tobytes() for position, _ in starts}
    assert {game.start(seed).state.tobytes() for seed in range(50)} <= listed


def test_a_deck_of_cards_has_too_many_deals() -> None:
    with pytest.raises(TooMany):
        every_start(icarus.load("hearts_round"), 1000)
    with pytest.raises(SearchError, match=r"too large for an exact best response"):
        whole_tree(icarus.load("hearts_round"))


def test_deals_that_draw_real_numbers_cannot_be_listed() -> None:
    class Weather(Guess):
        def deal(self, rng: random.Random) -> None:
            self.coin = int(rng.random() < 0.7)

    with pytest.raises(TooMany):
        every_start(python_game(Weather))


class Guess:
    """One player hides a coin that falls on heads two times in three; the other guesses."""

    players = 2

    def __init__(self) -> None:
        self.coin, self.guess = 0, -1

    def deal(self, rng: random.Random) -> None:
        self.coin = min(rng.randrange(3), 1)

    def player(self) -> int:
        return 1

    def legal(self) -> list[str]:
        return ["heads", "tails"]

    def apply(self, action: str) -> None:
        self.guess = self.legal().index(action)

    def terminal(self) -> bool:
        return self.guess >= 0

    def rewards(self) -> list[float]:
        right = float((self.guess == 0) == (self.coin == 1))
        return [1 - right, right]

    def determinize(self, observer: int, rng: random.Random) -> None:
        if observer == 1 and self.guess < 0:
            self.coin = min(rng.randrange(3), 1)

    def view(self, observer: int) -> object:
        return self.guess, self.coin if observer == 0 or self.guess >= 0 else None


def test_uneven_deals_of_a_class_are_weighed_and_its_solution_is_found() -> None:
    game = python_game(Guess)
    assert sorted(odds for _, odds in every_start(game)) == pytest.approx([1 / 3, 2 / 3])
    tree = whole_tree(game)
    assert exploitability(tree, tree.uniform()).responses == pytest.approx((0.5, 2 / 3))
    for sampling in ("external", "outcome"):
        found = Mccfr(game, sampling=sampling, seed=1).run(iterations=300).average()
        assert exploitability(tree, found.on(tree)).values[1] > 0.6


# --- what a player knows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "goofspiel(3)", "phantom(2,2,2)", "rock_paper_scissors", "gdl:duel"]
)
def test_a_player_at_the_table_and_one_in_the_tree_know_the_same(name: str) -> None:
    game, rng = icarus.load(name), seeded(3)
    for seed in range(20):
        position = game.start(seed)
        known = Knowledge(game, position.state)
        while not position.is_terminal:
            if position.player != ENVIRONMENT:
                assert information_set(position, position.player) == known.of(position.state, position.player)
            before, player = position.state.copy(), position.player
            action = step_randomly(position, rng)
            known.see(before, player, action)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "goofspiel(4)", "phantom(3,3,3)", "liars_dice(2,4)"])
def test_what_is_hidden_does_not_change_what_is_known(name: str) -> None:
    game, rng = icarus.load(name), seeded(4)
    for seed in range(20):
        position = game.start(seed)
        other = Position(game, position.determinize(0, rng).state)
        assert information_set(position, 0) == information_set(other, 0)


# --- best responses, beside OpenSpiel --------------------------------------------------------------------------------


def infostate(position: Position) -> str:
    """What OpenSpiel calls the information set of whoever acts."""
    state = pyspiel.load_game(position.game.name).new_initial_state()
    for card in position.named.cards:
        state.apply_action(int(card))
    for player, action, _ in position.history:
        state.apply_action(action - SHOW if player == ENVIRONMENT else action)
    return str(state.information_state_string())


def strange(name: str, legal: list[int]) -> list[float]:
    """Some strategy that is different everywhere, and never plays some actions."""
    draws = random.Random(name)
    weights = [max(draws.random() - 0.3, 0.0) for _ in legal]
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1 / len(legal)] * len(legal)


def first(name: str, legal: list[int]) -> list[float]:
    return [1.0, *[0.0] * (len(legal) - 1)]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize("play", [strange, first])
def test_exploitability_is_that_of_openspiel(name: str, play: Callable[[str, list[int]], list[float]]) -> None:
    tree = whole_tree(icarus.load(name))
    strategy = np.empty(tree.slots)
    for known in tree.sets:
        strategy[known.slots] = play(infostate(tree.position(known)), list(known.actions))
    theirs = openspiel_policy.TabularPolicy(pyspiel.load_game(name))
    for state, mask, row in zip(theirs.states, theirs.legal_actions_mask, theirs.action_probability_array, strict=True):
        legal = [int(action) for action in np.flatnonzero(mask)]
        row[:] = 0
        row[legal] = play(state.information_state_string(), legal)
    expected = openspiel_exploitability.nash_conv(pyspiel.load_game(name), theirs) / 2
    assert CHIPS[name] * exploitability(tree, strategy).exploitability == pytest.approx(expected)


def kuhn_equilibrium(tree: GameTree) -> Reals:
    """Kuhn's, with alpha = 1/3: the probabilities of a bet with jack, queen and king."""
    bets = {(): (1 / 3, 0, 1), (0,): (1 / 3, 0, 1), (1,): (0, 1 / 3, 1), (0, 1): (0, 2 / 3, 1)}
    strategy = np.empty(tree.slots)
    for known in tree.sets:
        bet = bets[known.path][int(tree.position(known).named.cards[known.player])]
        strategy[known.slots] = 1 - bet, bet
    return strategy


def test_nothing_gains_against_an_equilibrium() -> None:
    tree = whole_tree(icarus.load("kuhn_poker"))
    found = exploitability(tree, kuhn_equilibrium(tree))
    assert found.exploitability == pytest.approx(0, abs=1e-12)
    assert 4 * found.values[0] - 2 == pytest.approx(-1 / 18)


def test_the_size_of_a_tree_is_guessed_and_large_ones_are_refused_before_they_are_built() -> None:
    for name in ("kuhn_poker", "leduc_poker", "liars_dice(1,3)"):
        tree = whole_tree(icarus.load(name))
        assert 1 / 3 < guessed_nodes(tree.starts) / len(tree.parent) < 3
    begun = time.process_time()
    for name in ("othello", "liars_dice(2,6)") if JIT else ("liars_dice(2,6)",):
        with pytest.raises(SearchError, match=r"too large for an exact best response .* give --games"):
            whole_tree(icarus.load(name), most=100_000)
    assert time.process_time() - begun < 20, "it was built"


@pytest.mark.parametrize(
    ("name", "gain"),
    [("rock_paper_scissors", 0.0), ("matching_pennies", 0.0), ("phantom(2,2,2)", 0.0), ("matrix('3,0; 1,2')", 1 / 12)],
)
def test_small_games_of_other_kinds(name: str, gain: float) -> None:
    tree = whole_tree(icarus.load(name))
    assert exploitability(tree, tree.uniform()).exploitability == pytest.approx(gain)


# --- solvers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sampling", "iterations", "limit"),
    [
        ("kuhn_poker", "external", either(200_000, 3000), either(1, 5) * 0.01),
        ("kuhn_poker", "outcome", either(400_000, 5000), either(1, 8) * 0.01),
        ("leduc_poker", "external", either(200_000, 300), either(1, 30) * 0.1),
        ("leduc_poker", "outcome", either(4_000_000, 1000), either(1, 30) * 0.1),
    ],
)
def test_mccfr_comes_close_to_an_equilibrium(name: str, sampling: str, iterations: int, limit: float) -> None:
    tree = whole_tree(icarus.load(name))
    found = exploitability(tree, Mccfr(tree.game, sampling=sampling, seed=1).run(iterations=iterations).average().on(tree))
    assert CHIPS[name] * found.exploitability < limit
    if name == "kuhn_poker":
        assert 4 * found.values[0] - 2 == pytest.approx(-1 / 18, abs=either(1, 20) * 0.005)


@pytest.mark.parametrize("name", ["goofspiel(3)", "rock_paper_scissors", "liars_dice(1,3)", "gdl:duel", "tic_tac_toe"])
def test_every_kind_of_game_can_be_solved(name: str) -> None:
    game = icarus.load(name)
    solver = Mccfr(game, sampling="outcome", seed=2).run(iterations=either(20_000, 100))
    before = solver.average()
    assert solver.information_sets == len(before.keys) > 0
    if JIT and name not in ("gdl:duel", "tic_tac_toe"):  # large trees
        tree = whole_tree(game)
        uniform = exploitability(tree, tree.uniform()).exploitability
        assert exploitability(tree, before.on(tree)).exploitability < max(0.5 * uniform, 0.05)


def test_a_game_with_too_many_deals_is_solved_from_drawn_ones() -> None:
    solver = Mccfr(icarus.load("liars_dice(3,6)"), sampling="outcome", seed=1).run(iterations=either(3000, 20))
    assert solver.iterations == either(3000, 20) and solver.information_sets > 20


def test_a_walk_that_would_take_for_ever_is_refused() -> None:
    solver = Mccfr(icarus.load("connect_four"), seed=1)
    solver.memory.world.most_touched = 1000
    with pytest.raises(SearchError, match="too large for external sampling"):
        solver.run(iterations=1)


def test_a_run_goes_on_where_it_ended_and_repeats_itself() -> None:
    game = icarus.load("kuhn_poker")
    once = Mccfr(game, seed=5).run(iterations=200).average()
    twice = Mccfr(game, seed=5).run(iterations=80).run(iterations=120).average()
    assert np.array_equal(once.odds, twice.odds) and once.iterations == twice.iterations == 200
    assert not np.array_equal(once.odds, Mccfr(game, seed=6).run(iterations=200).average().odds)


# --- players ---------------------------------------------------------------------------------------------------------


def test_a_solved_game_is_played_from_a_file_and_by_name(tmp_path: Path) -> None:
    game, file = icarus.load("kuhn_poker"), tmp_path / "kuhn.npz"
    solved = Mccfr(game, seed=1).run(iterations=either(20_000, 1000)).average()
    solved.save(file)
    kept = read_strategy_file(file)
    assert kept.game == "kuhn_poker" and np.array_equal(kept.odds, solved.odds)
    for text in (str(file), f"mccfr@{either(20_000, 1000)}", "mccfr(outcome, epsilon=0.4)@500"):
        player = read_player(text)
        assert str(player) == text and not player.searches
        player.check(game)
        seat, position = player.seated(game, 0, 7), game.start(3)
        assert seat.decide(position, position.legal()).action in position.legal()
    with pytest.raises(IcarusError, match="for kuhn_poker, not for leduc_poker"):
        read_player(str(file)).check(icarus.load("leduc_poker"))


def test_a_file_that_holds_no_strategy_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no.npz"
    with pytest.raises(StrategyFileError, match="there is no file"):
        read_strategy_file(file)
    for content in (b"", b"not a strategy", b"PK\x03\x04 broken"):
        file.write_bytes(content)
        with pytest.raises(StrategyFileError, match="holds no strategy"):
            read_strategy_file(file)
    np.savez(file, game="kuhn_poker", solver="", iterations=1, keys=[2, 1], first=[0, 1, 2], actions=[0, 0], odds=[1.0, 1.0])
    with pytest.raises(StrategyFileError, match="damaged"):
        read_strategy_file(file)


def test_a_search_that_plays_one_move_is_exploited_and_a_mixed_one_less() -> None:
    """Rock, paper, scissors: whoever shows one hand for certain loses every game against the best response."""
    budget = either(3000, 400)
    pure = exploit(f"mo@{budget}", "rock_paper_scissors", searches=1)
    mixed = exploit(f"mo@{budget},mixed", "rock_paper_scissors", searches=2)
    assert pure.exact and pure.exploitability == pytest.approx(0.5) == pure.low
    assert mixed.exploitability < 0.2 and mixed.low <= mixed.exploitability == mixed.high


def test_exploit_on_the_command_line(tmp_path: Path) -> None:
    run, picture = CliRunner(), tmp_path / "curve.png"
    answer = run.invoke(app, ["exploit", "random", "kuhn_poker", "--json"])
    told = json.loads(answer.stdout)
    assert told["exploitability"] == told["low"] == told["high"] == pytest.approx(0.4583333 / 4) and told["exact"] is True
    answer = run.invoke(app, ["exploit", "mccfr@100", "kuhn_poker", "--budgets", "20,2000", "--picture", str(picture), "--json"])
    few, many = json.loads(answer.stdout)
    assert few["exploitability"] > many["exploitability"] and picture.stat().st_size > 1000
    assert "mccfr@100" in run.invoke(app, ["exploit", "mccfr@100", "kuhn_poker"]).stdout
    wrong = ["exploit", "random", "kuhn_poker", "--budgets", "5"], ["equilibrium", "kuhn_poker", "--output", "no/such.npz"]
    for arguments in wrong:
        assert run.invoke(app, arguments).exit_code == 2


def test_solve_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.npz"
    answer = CliRunner().invoke(app, ["equilibrium", "kuhn_poker", "--iterations", "300", "--output", str(file), "--json"])
    told = json.loads(answer.stdout)
    assert told["iterations"] == 300 and told["information_sets"] == 12 == len(read_strategy_file(file).keys)


def test_a_solved_strategy_is_a_model_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.npz"
    Mccfr(icarus.load("kuhn_poker"), seed=1).run(iterations=either(5000, 300)).average().save(file)
    asked = ["search", "kuhn_poker", "--iterations", "50", "--seed", "1", "--moves", "pass", "--json", "--belief"]
    told, plain = (json.loads(CliRunner().invoke(app, [*asked, model]).stdout) for model in (str(file), "-"))
    assert told["root"] != plain["root"]
    other = CliRunner().invoke(app, ["search", "leduc_poker", "--belief", str(file)])
    assert other.exit_code == 2 and "this strategy is for kuhn_poker" in other.stderr
