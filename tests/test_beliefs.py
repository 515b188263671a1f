"""Beyond uniform guesses: beliefs, postponed information, drawing anew for who acts, smooth choices, solving at the table."""

from __future__ import annotations

import json
import logging
import random
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import icarus
import icarus.equilibrium
from icarus.arena.believing import belief_named
from icarus.arena.errors import PlayerError
from icarus.arena.exploit import exploit
from icarus.arena.players import read_player
from icarus.arena.respond import respond
from icarus.belief import Belief, Counts, Fixed, Model
from icarus.belief.models import Expected
from icarus.cli import app
from icarus.equilibrium import AverageStrategy, Mccfr, exploitability, whole_tree
from icarus.equilibrium.self_play import SelfPlay
from icarus.errors import SearchError
from icarus.game import ENVIRONMENT, Game, Position, play_to_decision, step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.python_game import python_game
from icarus.search.short import ShortSearches
from icarus.strategy import Smooth, SmoothUCB
from icarus.strategy.expression import read_strategy

JACK, QUEEN, KING = range(3)


def either(compiled: int, plain: int) -> int:
    return compiled if JIT else plain


# --- beliefs ---------------------------------------------------------------------------------------------------------


def kuhn(*cards: int) -> Position:
    return next(start for start in map(icarus.load("kuhn_poker").start, range(200)) if list(start.named.cards) == [*cards])


def honest(position: Position) -> list[float]:
    """Bets a king, and a jack one time in four."""
    bet = {JACK: 0.25, QUEEN: 0.0, KING: 1.0}[int(position.named.cards[position.player])]
    return [1 - bet, bet]


def posterior(belief: Belief, position: Position, observer: int) -> dict[int, float]:
    found = {JACK: 0.0, QUEEN: 0.0, KING: 0.0}
    for particle in belief.weighed(position, observer, seed=1):
        found[int(particle.position.named.cards[1 - observer])] += particle.weight
    return found


def test_a_bet_says_what_bayes_says() -> None:
    belief = Belief(Fixed(honest), mixture=0.1)
    likely = {card: 0.05 + 0.9 * bet for card, bet in ((JACK, 0.25), (KING, 1.0))}
    found = posterior(belief, kuhn(KING, QUEEN).apply(1), 1)
    assert belief.exact
    assert found[KING] == pytest.approx(likely[KING] / sum(likely.values())) and found[QUEEN] == 0
    assert posterior(belief, kuhn(JACK, QUEEN).apply(1), 1) == pytest.approx(found), "the true card was looked at"


def test_sampled_particles_come_close_to_what_bayes_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icarus.belief.deals._deals", lambda game: [])
    belief = Belief(Fixed(honest), particles=4000, mixture=0.1)
    found = posterior(belief, kuhn(KING, QUEEN).apply(1), 1)
    assert not belief.exact and belief.effective > 400
    expected = 0.95 / (0.95 + 0.275)
    assert abs(found[KING] - expected) < 6 * (expected * (1 - expected) / belief.effective) ** 0.5


def test_a_search_that_believes_folds_what_another_calls() -> None:
    position, budget = kuhn(KING, QUEEN).apply(1), either(1000, 200)
    kings = Belief(Fixed(lambda position: [1.0, 0.0] if honest(position)[1] < 1 else [0.0, 1.0]))
    believing = icarus.search(position, belief=kings, iterations=budget, seed=1)
    uniform = icarus.search(position, iterations=budget, seed=1)
    assert believing.best.label == "pass" and uniform.best.label == "bet"


def leftmost(position: Position) -> list[float]:
    """Prefers the first of the legal actions."""
    odds = [0.5**number for number in range(len(position.legal()))]
    return [share / sum(odds) for share in odds]


@pytest.mark.parametrize("name, plies", [("phantom(3,2,3)", 3), ("phantom(3,2,3)", 4), ("dark_hex(2)", 2)])
def test_retraced_tries_come_close_to_what_bayes_says(name: str, plies: int) -> None:
    """All games that look the same, by brute force: the weight of a state is the sum over the ways that lead to it."""
    game, mixture, observer = icarus.load(name), 0.1, plies % 2
    rng, position = seeded(7), game.start(1)
    while position.is_terminal or position.named.plies < plies:
        position = game.start(1) if position.is_terminal else position
        step_randomly(position, rng)
    assert position.player == observer
    seen = [moves[observer] for _, _, moves in position.history if moves[observer] >= 0]
    exact: dict[bytes, float] = {}
    frontier = [(game.start(1), 1.0, 0)]
    while frontier:
        here, odds, met = frontier.pop()
        if met == len(seen) and here.player == observer:
            exact[here.state.tobytes()] = exact.get(here.state.tobytes(), 0.0) + odds
            continue
        legal = here.legal()
        shares = [mixture / len(legal) + (1 - mixture) * share for share in leftmost(here)]
        for action, share in zip(legal, shares, strict=True):
            move = here.observe(action, observer)
            after = here.copy().apply(action)
            if not after.is_terminal and (move < 0 or (met < len(seen) and move == seen[met])):
                frontier.append((after, odds if here.player == observer else odds * share, met + (move >= 0)))
    total = sum(exact.values())
    belief = Belief(Fixed(leftmost), particles=either(4000, 600), mixture=mixture, enough=0, recent=None)
    found = dict.fromkeys(exact, 0.0)
    for particle in belief.weighed(position, observer, seed=1):
        found[particle.position.state.tobytes()] += particle.weight
    assert len(exact) > 1 and belief.effective > 50
    for state, weight in exact.items():
        share = weight / total
        assert abs(found[state] - share) < 6 * (share * (1 - share) / belief.effective) ** 0.5 + 1e-3


@pytest.mark.parametrize("name", ["oh_hell(3,4,suits=3,ranks=6)", "hearts_round('hold')"])
def test_retraced_deals_weigh_as_much_as_their_games_are_likely(name: str) -> None:
    """Sums of log likelihoods, with every deal taken from the particle and every move from the table."""
    game, rng = icarus.load(name), seeded(5)
    position = game.start(3)
    for _ in range(7):
        step_randomly(position, rng)
    observer = position.player
    belief = Belief(Fixed(leftmost), particles=30, mixture=0.1, enough=0, recent=None)
    particles = belief.weighed(position, observer, seed=1)
    assert belief.since == 0
    assert len(particles) == 30 and len({particle.position.state.tobytes() for particle in particles}) > 10
    logs = np.array([choices_of(particle.position, position, observer) for particle in particles])
    expected = weights(logs.sum(axis=1))
    assert [particle.weight for particle in particles] == pytest.approx(list(expected))
    # with `recent`, the same of the last choices
    chosen = [ply for ply in range(len(position.history)) if logs[:, ply].any()]
    for recent in (1, 3):
        belief = Belief(Fixed(leftmost), particles=30, mixture=0.1, enough=0, recent=recent)
        found = [particle.weight for particle in belief.weighed(position, observer, seed=1)]
        assert belief.since == chosen[-recent]
        assert found == pytest.approx(list(weights(logs[:, chosen[-recent] :].sum(axis=1))))
    # with `enough`, as many as leave less than that share, and not one more
    belief = Belief(Fixed(leftmost), particles=30, mixture=0.1, enough=0.7, recent=None)
    found = [particle.weight for particle in belief.weighed(position, observer, seed=1)]
    expected = weights(logs[:, belief.since :].sum(axis=1))
    before = weights(logs[:, belief.since + 1 :].sum(axis=1))
    assert found == pytest.approx(list(expected)) and belief.since > 0
    assert 1 / (expected**2).sum() == pytest.approx(belief.effective) and belief.effective <= 21 < 1 / (before**2).sum()


def choices_of(particle: Position, position: Position, observer: int) -> list[float]:
    """Logarithms of how likely a `leftmost` player, one time in ten a random one, would make each move; 0 for the observer's."""
    here, logs = Position(particle.game, particle.origin.copy()), []
    for actor, action, _ in position.history:
        legal = here.legal()
        odds = 0.1 / len(legal) + 0.9 * leftmost(here)[legal.index(action)]
        logs.append(0.0 if actor == observer else float(np.log(odds)))
        here.apply(action)
    assert here.state.tobytes() == particle.state.tobytes()
    return logs


def weights(logs: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.exp(logs - logs.max())
    return found / found.sum()


@pytest.mark.parametrize("name", ["doudizhu", "hearts_round", "hearts(30)", "phantom(4,4,4)", "oh_hell(4,4)", "dark_hex(3)"])
def test_no_particle_dies_where_a_game_can_be_retraced(name: str) -> None:
    game, rng, met = icarus.load(name), seeded(2), 0
    position = game.start(2)
    uniform = Fixed(lambda position: [1 / len(position.legal())] * len(position.legal()))
    while not position.is_terminal and met < either(12, 5):
        if position.player >= 0 and len(position.history) % 7 == 0:
            belief, met = Belief(uniform, particles=4), met + 1
            particles = belief.weighed(position, position.player, seed=met)
            assert len(particles) == 4 and sum(particle.weight for particle in particles) == pytest.approx(1)
            assert all(particle.position.view(position.player) == position.view(position.player) for particle in particles)
        step_randomly(position, rng)
    assert met > 1


def test_particles_are_drawn_anew_where_somebody_is_unmasked() -> None:
    """In The Confrontation hardly any placement of the start agrees with the characters that fights show."""
    game, rng = icarus.load("confrontation"), seeded(3)
    position, uniform = game.start(1), Fixed(lambda position: [1 / len(position.legal())] * len(position.legal()))
    belief, anew = Belief(uniform, particles=16), set[int]()
    while not position.is_terminal and len(position.history) < either(80, 40):
        if position.player == 0:
            particles = belief.weighed(position, 0, seed=len(position.history))
            assert particles and sum(particle.weight for particle in particles) == pytest.approx(1)
            assert all(particle.position.view(0) == position.view(0) for particle in particles)
            anew.add(belief.since)
        step_randomly(position, rng)
    assert len(anew) > 1 and min(anew) == 0


@pytest.mark.parametrize(
    "name", ["phantom(3,3,3)", "leduc_poker", "liars_dice(2,4)", "goofspiel(4)", "oh_hell(3,2)", "dark_hex(2)"]
)
def test_a_belief_does_not_peek(name: str) -> None:
    """Two positions that look alike give the same particles' views and the same search."""
    game, met = icarus.load(name), 0
    for seed in range(either(12, 6)):
        one = play_to_decision(game.start(seed), seeded(seed))
        rng = seeded(seed, stream=2)
        for _ in range(1 + seed % 4):
            if one.is_terminal:
                break
            step_randomly(one, rng)
            play_to_decision(one, rng)
        if one.is_terminal or one.player < 0:
            continue
        observer = one.player
        other = alike(one, observer, seed)
        if other is None:
            continue
        met += other.state.tobytes() != one.state.tobytes()
        rows = [
            icarus.search(position, belief=Belief(Model(iterations=8), particles=8), iterations=30, seed=3).root
            for position in (one, other)
        ]
        assert rows[0] == rows[1]
    assert met > 0, "no position had anything hidden"


def alike(position: Position, observer: int, seed: int) -> Position | None:
    """Another game that looks the same to the observer, played move by move; None if none was found."""
    rng = seeded(seed, stream=3)
    origin = Position(position.game, position.origin.copy())
    wanted = [moves[observer] for _, _, moves in position.history if moves[observer] >= 0]
    for _ in range(200):
        other = Position(position.game, origin.determinize(observer, rng).state)
        seen: list[int] = []
        while seen != wanted and seen == wanted[: len(seen)] and not other.is_terminal:
            step_randomly(other, rng)
            if other.history[-1][2][observer] >= 0:
                seen.append(other.history[-1][2][observer])
        while not other.is_terminal and other.player != observer:
            legal = [a for a in other.legal() if other.observe(a, observer) < 0]
            if not legal:
                break
            other.apply(legal[0])
        if seen == wanted and not other.is_terminal and other.player == observer:
            if other.view(observer) == position.view(observer) and other.state.tobytes() != position.state.tobytes():
                return other
    return None


@pytest.mark.parametrize(
    "name, strategy", [("liars_dice(2,4)", "-"), ("phantom(3,3,3)", "-"), ("phantom(3,3,3)", "Baseline() >> MAST()")]
)
def test_short_searches_in_shared_memory_find_what_each_alone_would(name: str, strategy: str) -> None:
    game, rng = icarus.load(name), seeded(4)
    shared = ShortSearches(game, strategy=read_strategy(strategy), algorithm=None, iterations=20)
    for seed in range(either(3, 1)):
        position = game.start(seed)
        while not position.is_terminal:
            alone = icarus.Search(position, strategy=strategy, seed=seed).run(iterations=20)
            found = shared.visits(position, seed)
            assert {action: found.get(action, 0) for action in position.legal()} == {row.action: row.visits for row in alone.root}
            step_randomly(position, rng)


@pytest.mark.parametrize("algorithm", ["mo", "determinized(4)"])
def test_what_does_not_fit_falls_back_to_uniform_with_one_line(
    algorithm: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Expected, "odds", lambda self, position, legal: [0.0] * len(legal))
    position, belief = kuhn(KING, QUEEN).apply(1), Belief(Fixed(honest))
    with caplog.at_level(logging.WARNING, logger="icarus"):
        for _ in range(2):
            result = icarus.search(position, algorithm=algorithm, belief=belief, iterations=50, seed=1)
    assert len([record for record in caplog.records if "determinizations are uniform; give" in record.message]) == 1
    assert result.root == icarus.search(position, algorithm=algorithm, iterations=50, seed=1).root
    assert "nothing fits" in str(result.belief)


def test_a_result_says_how_far_its_belief_can_be_trusted() -> None:
    exact = icarus.search(kuhn(KING, QUEEN).apply(1), belief=Belief(Fixed(honest)), iterations=50, seed=1)
    assert exact.belief is not None and exact.belief.exact and exact.belief.error == 0
    assert json.loads(exact.to_json())["belief"]["particles"] == 2
    game = icarus.load("phantom(3,3,3)")
    position = game.start(1).apply(game.start(1).legal()[0])
    drawn = icarus.search(position, belief=Belief(Fixed(leftmost), particles=16), iterations=50, seed=1).belief
    assert drawn is not None and not drawn.exact and 1 <= drawn.effective <= 16
    assert drawn.error == pytest.approx(0.5 / drawn.effective**0.5)
    assert icarus.search(position, iterations=50, seed=1).belief is None


def test_a_policy_that_looks_at_hidden_things_is_refused() -> None:
    def looks(position: Position) -> list[float]:
        """Bets where the other holds the queen."""
        bet = float(position.named.cards[1 - position.player] == QUEEN)
        return [1 - bet, bet]

    for search in (
        lambda: icarus.search(kuhn(KING, QUEEN).apply(1), belief=Belief(Fixed(looks)), iterations=5, seed=1),
        lambda: Fixed(looks).odds(kuhn(KING, JACK), [0, 1]),
    ):
        with pytest.raises(SearchError, match="cannot tell apart the policy gives"):
            search()


def test_weighing_particles_takes_from_the_time_of_a_search() -> None:
    class Slow(Belief):
        def drawn(self, position: Position, observer: int, seed: int) -> None:
            time.sleep(0.3)

    search = icarus.Search(kuhn(KING, QUEEN).apply(1), belief=Slow(Fixed(honest)), seed=1)
    assert 0.3 <= search.run(seconds=0.31).seconds < 0.6
    assert search.run(seconds=0.02).seconds < 0.3, "it was taken once"


def test_beliefs_that_cannot_be_are_refused() -> None:
    with pytest.raises(SearchError, match="hides nothing"):
        icarus.Search("tic_tac_toe", belief="MAST()")
    with pytest.raises(SearchError, match="cannot see"):
        Model("-", algorithm="cheating")
    with pytest.raises(SearchError, match="cheating sees what is hidden"):
        icarus.Search(kuhn(KING, QUEEN).apply(1), algorithm="cheating", belief="-")
    with pytest.raises(SearchError, match="one probability for each"):
        icarus.search(kuhn(KING, QUEEN).apply(1), belief=Belief(Fixed(lambda position: [0.5])), iterations=5)
    with pytest.raises(SearchError, match="at least 1"):
        Belief(Fixed(honest), particles=0)
    with pytest.raises(SearchError, match="at least the last move"):
        Belief(Fixed(honest), recent=0)
    with pytest.raises(SearchError, match="below 1"):
        Belief(Fixed(honest), enough=1)


def test_a_solved_strategy_and_a_text_serve_as_models() -> None:
    solved = Mccfr(icarus.load("kuhn_poker"), seed=1).run(iterations=either(20_000, 1500)).average()
    found = posterior(Belief(Counts(solved)), kuhn(KING, QUEEN).apply(1), 1)
    assert found[KING] > 0.6 > found[JACK] > 0.1, "equilibrium play bets kings three times as often as jacks, or more"
    icarus.search(kuhn(KING, QUEEN).apply(1), belief="MAST()", iterations=20, seed=1)
    player = read_player("mo@50,keep,mixed,belief=16")
    assert str(player) == "mo@50,keep,mixed,belief=16" and player.belief == 16
    position = kuhn(KING, QUEEN).apply(1)
    assert player.seated(position.game, 1, 3).decide(position, [0, 1]).action in (0, 1)


def test_a_player_believes_that_the_others_play_as_a_file_says(tmp_path: Path) -> None:
    """Whoever knows that only a king is bet folds the queen, and so is not exploited as one who thinks a jack as likely."""
    game, file = icarus.load("kuhn_poker"), tmp_path / "honest.npz"
    tree = whole_tree(game)
    odds = [honest(tree.position(known)) for known in sorted(tree.sets, key=lambda known: known.key)]
    keys = np.array(sorted(known.key for known in tree.sets))
    first, actions = np.arange(0, 2 * len(keys) + 1, 2), np.array([0, 1] * len(keys))
    AverageStrategy("kuhn_poker", "honest", 1, keys, first, actions, np.ravel(odds)).save(file)
    player = read_player(f"mo@200,belief={file}")
    assert str(player) == f"mo@200,belief={file}" and player.model == str(file)
    player.check(game)
    belief = player.new_belief()
    assert belief is not None and posterior(belief, kuhn(KING, QUEEN).apply(1), 1)[KING] > 0.75
    with pytest.raises(PlayerError, match="for kuhn_poker, not for leduc_poker"):
        player.check(icarus.load("leduc_poker"))
    for wrong in ("mo@200,belief=", "mo@200,belief=much", "mo@200,belief=0"):
        with pytest.raises(PlayerError, match="belief=16"):
            read_player(wrong)


def test_a_model_is_named_as_a_strategy_a_player_or_a_file() -> None:
    game = icarus.load("kuhn_poker")
    for text in ("MAST()", "mo[M]@20", "[-]@20", "determinized(4)@20", f"mccfr@{either(5000, 300)}"):
        belief = belief_named(text, game)
        assert belief is not None and posterior(belief, kuhn(KING, QUEEN).apply(1), 1)[QUEEN] == 0
    for text in ("cheating", "cheating-ensemble(4)", "cheating@20"):
        with pytest.raises(SearchError, match="needs what a player cannot see"):
            belief_named(text, game)
    for text in ("mo", "random", "mo@1s", "oos@20", "mo@20,belief"):
        with pytest.raises(PlayerError, match="belief: "):
            belief_named(text, game)


# --- postponed and redrawn information -------------------------------------------------------------------------------


def believed(game: str | Game | Position, algorithm: str, label: str, iterations: int) -> float:
    result = icarus.search(game, algorithm=algorithm, iterations=iterations, seed=2)
    return next(row.mean[0] for row in result.root if row.label == label)


def test_epimc_goes_from_determinized_search_to_information_sets() -> None:
    """Figure 1 of ismcts-2012: a1 is worth a half, and 1 to whoever believes that the start will be known after it."""
    budget = either(4000, 600)
    assert believed("strategy_fusion", "epimc(0, determinizations=10)", "a1", budget) > 0.8
    assert believed("strategy_fusion", "epimc(1, determinizations=10)", "a1", budget) > 0.8
    assert believed("strategy_fusion", "epimc(2)", "a1", budget) < 0.7
    assert believed("strategy_fusion", "epimc(1000, determinizations=20)", "a1", budget) < 0.7


@pytest.mark.parametrize("name", ["strategy_fusion", "figure3(True)", "kuhn_poker"])
def test_the_ends_of_epimc_are_determinized_search_and_information_sets(name: str) -> None:
    """Searched to the end, with all determinizations: as many nodes, the same values of the same moves."""
    position, budget = icarus.load(name).start(1), either(20_000, 3000)
    rng = seeded(1)
    while position.player == ENVIRONMENT:
        step_randomly(position, rng)

    def searched(algorithm: str) -> tuple[int, dict[str, float], str]:
        search = icarus.Search(position, algorithm=algorithm, seed=2)
        result = search.run(iterations=budget)
        nodes = sum(context.owner == 0 for context in search.contexts()) - len(search.team.trees)  # without a root's own
        return nodes, {row.label: row.mean[position.player] for row in result.root if row.visits > 200}, result.best.label

    for plies, other in ((0, "determinized(10)"), (1_000_000, "mo")):
        number = 10 if plies == 0 else 100
        one, two = searched(f"epimc({plies}, determinizations={number})"), searched(other)
        assert one[0] == two[0] and one[1].keys() & two[1].keys()
        assert all(one[1][label] == pytest.approx(two[1][label], abs=0.03) for label in one[1].keys() & two[1].keys())
        assert name == "kuhn_poker" or one[2] == two[2]


def test_a_tree_of_determinized_search_has_one_particle() -> None:
    """A belief says which determinizations are searched; it does not put them into one tree."""
    uniform, found = Fixed(lambda position: [1 / len(position.legal())] * len(position.legal())), {}
    for belief in (None, Belief(uniform, particles=20)):
        result = icarus.search(
            "strategy_fusion", algorithm="determinized(10)", belief=belief, iterations=either(4000, 600), seed=2
        )
        found[belief] = next(row.mean[0] for row in result.root if row.label == "a1")
    assert min(found.values()) > 0.8


class Partner:
    """The first player sees the second's card; the second has to name it without having seen it, and they win together."""

    players = 2

    def __init__(self) -> None:
        self.card, self.named = 0, -1
        self.asked = False

    def deal(self, rng: random.Random) -> None:
        self.card = rng.randrange(2)

    def player(self) -> int:
        return 1 if self.asked else 0

    def legal(self) -> list[str]:
        return ["red", "black"] if self.asked else ["ask", "leave"]

    def apply(self, action: str) -> None:
        if action == "leave":
            self.named = 2
        elif action == "ask":
            self.asked = True
        else:
            self.named = ["red", "black"].index(action)

    def terminal(self) -> bool:
        return self.named >= 0

    def rewards(self) -> list[float]:
        return [0.7 if self.named == 2 else float(self.named == self.card)] * 2

    def determinize(self, observer: int, rng: random.Random) -> None:
        if observer == 1 and not self.terminal():
            self.card = rng.randrange(2)

    def view(self, observer: int) -> object:
        return self.asked, self.named, self.card if observer == 0 or self.terminal() else None


def test_whoever_acts_draws_anew_what_it_cannot_know() -> None:
    """Otherwise the partner seems to know its card, since it is the same in all determinizations of the searching player."""
    game = python_game(Partner)
    assert believed(game.start(1), "mo", "ask", 400) > 0.85
    assert believed(game.start(1), "ris", "ask", 400) < 0.65
    assert icarus.search(game.start(1), algorithm="ris", iterations=400, seed=1).best.label == "leave"


def test_algorithms_for_hidden_information_refuse_open_games() -> None:
    for name in ("epimc(2)", "ris"):
        with pytest.raises(SearchError, match="hides nothing"):
            icarus.Search("tic_tac_toe", algorithm=name)


# --- smooth choices and equilibria -----------------------------------------------------------------------------------


def test_the_smooth_policy_is_a_mixture_of_ucb1_and_the_average() -> None:
    from types import SimpleNamespace

    policy = SmoothUCB(c=0.5, gamma=0.2, eta=0.8, d=0.01)
    visits, reward = np.array([10.0, 30.0, 60.0]), np.array([6.0, 12.0, 36.0])
    arms = SimpleNamespace(size=3, visits=visits, reward=reward, available=np.array([100.0] * 3))
    values = np.zeros(3)
    function = getattr(SmoothUCB.function, "py_func", SmoothUCB.function)
    function(arms, values, policy)
    greedy = max(0.2, 0.8 / (1 + 0.01 * 10))
    best = int(np.argmax(reward / visits + 0.5 * np.sqrt(np.log(100) / visits)))
    expected = (1 - greedy) * visits / 100 + greedy * (np.arange(3) == best)
    assert values == pytest.approx(expected)
    arms.visits = np.array([10.0, 0.0, 0.0])
    function(arms, values, policy)
    assert list(values) == [0, 1, 1]
    assert str(icarus.Search("kuhn_poker", algorithm="so", strategy="Smooth(d=0.002)").strategy) == "Smooth(d=0.002)"
    assert Smooth().reuse == SmoothUCB()


@pytest.mark.skipif(not JIT, reason="too many iterations for plain Python")
def test_smooth_self_play_comes_closer_to_an_equilibrium_than_uct() -> None:
    tree = whole_tree(icarus.load("kuhn_poker"))

    def after(strategy: str) -> float:
        found = SelfPlay(tree.game, strategy=strategy, seed=1).run(iterations=600_000).average().on(tree)
        return 4 * exploitability(tree, found).exploitability

    assert after("Smooth()") < 0.012 < 0.015 < after("-")


def test_multiple_mcts_comes_closer_to_an_equilibrium_with_time() -> None:
    """A tree per player and EXP3 in all of them, from every deal; its strategy is read off at the end."""
    tree = whole_tree(icarus.load("kuhn_poker"))
    few, many = (
        exploitability(
            tree, SelfPlay(tree.game, strategy="Baseline(policy=EXP3())", seed=1).run(iterations=number).average().on(tree)
        ).exploitability
        for number in (100, either(100_000, 2000))
    )
    assert many < 0.8 * few


class Hands:
    """Rock, paper, scissors in which every action is seen, and both choose at the same time."""

    players = 2

    def __init__(self) -> None:
        self.shown: list[int] = []

    def player(self) -> int:
        return len(self.shown)

    def legal(self) -> list[int]:
        return [0, 1, 2]

    def apply(self, hand: int) -> None:
        self.shown.append(hand)

    def terminal(self) -> bool:
        return len(self.shown) == 2

    def rewards(self) -> list[float]:
        first = (0.5, 1.0, 0.0)[(self.shown[0] - self.shown[1]) % 3]
        return [first, 1 - first]

    def simultaneous(self) -> bool:
        return True


def test_choices_at_the_same_time_are_hidden_where_every_action_is_seen() -> None:
    game = python_game(Hands)
    tree = whole_tree(game)
    assert len(tree.sets) == 2
    for solver in (Mccfr(game, seed=1).run(iterations=400), SelfPlay(game, seed=1).run(iterations=1500)):
        assert exploitability(tree, solver.average().on(tree)).exploitability < 0.15


def test_self_play_knows_every_information_set_by_its_name() -> None:
    for name in ("kuhn_poker", "goofspiel(3)", "gdl:duel"):
        game = icarus.load(name)
        found = SelfPlay(game, seed=1).run(iterations=either(3000, 200)).average()
        if name != "gdl:duel":
            tree = whole_tree(game)
            assert len(set(found.keys.tolist()) & set(tree.by_key)) > 0.6 * len(tree.sets)
        position = play_to_decision(game.start(1), seeded(1))
        assert found.at(position) != [1 / len(position.legal())] * len(position.legal())


SIMULTANEOUS = {"EXP3()": "mixed", "RegretMatching()": "mixed", "UCB1()": "robust"}


@pytest.mark.parametrize("name", ["rock_paper_scissors", "matching_pennies"])
def test_mixed_choices_are_near_the_equilibrium_and_ucb1_is_exploited(name: str) -> None:
    found = {
        policy: exploit(f"mo[Baseline(simultaneous={policy})]@{either(10_000, 400)},{final}", name, searches=1).exploitability
        for policy, final in SIMULTANEOUS.items()
    }
    assert found["EXP3()"] < either(8, 25) / 100 and found["RegretMatching()"] < either(8, 25) / 100
    assert found["UCB1()"] == pytest.approx(0.5)


@pytest.mark.skipif(not JIT, reason="too many iterations for plain Python")
def test_mixed_choices_come_near_the_equilibrium_of_goofspiel_and_ucb1_is_exploited() -> None:
    tree, found = whole_tree(icarus.load("goofspiel(4)")), {}
    for policy, final in SIMULTANEOUS.items():
        solver = SelfPlay(tree.game, strategy=f"Baseline(simultaneous={policy})", seed=1).run(iterations=300_000)
        strategy = solver.average().on(tree)
        if final == "robust":  # the move that was visited most
            for known in tree.sets:
                strategy[known.slots] = np.arange(len(known.actions)) == np.argmax(strategy[known.slots])
        found[policy] = exploitability(tree, strategy).exploitability
    assert max(found["EXP3()"], found["RegretMatching()"]) < 0.2 < 0.3 < found["UCB1()"]


def test_on_line_outcome_sampling_gets_less_exploitable() -> None:
    few, many = (exploit(f"oos@{n}", "kuhn_poker", searches=2).exploitability for n in (either(20, 3), either(20_000, 300)))
    assert 4 * many < either(6, 30) / 100 and many < few
    game = icarus.load("liars_dice(3,6)")
    position = game.start(1)
    position.apply(position.legal()[2])
    seat = read_player(f"oos@{either(300, 10)}").seated(game, 1, 5)
    assert seat.decide(position, position.legal()).action in position.legal()
    with pytest.raises(SearchError, match="oos needs `observe`"):
        icarus.equilibrium.Oos(python_game(Hands))


# --- lower bounds in games of any size -------------------------------------------------------------------------------


def test_a_responder_gains_from_a_player_that_gives_itself_away() -> None:
    """Whoever draws lots in Kuhn poker loses 0.115 on average to the best response: a search finds most of it."""
    found = respond("random", "kuhn_poker", games=20, iterations=40, particles=16, seed=1)
    assert not found.exact and found.high is None
    assert found.low <= found.exploitability and len(found.responses) == 2
    exact = exploit("random", "kuhn_poker")
    assert found.exploitability > 0.03
    assert found.low < exact.exploitability


@pytest.mark.skipif(not JIT, reason="too many iterations for plain Python")
def test_lower_bounds_on_the_command_line() -> None:
    answer = CliRunner().invoke(app, ["exploit", "random", "liars_dice(1,3)", "--games", "2", "--json"])
    told = json.loads(answer.stdout)
    assert told["exact"] is False and told["high"] is None and told["low"] >= 0
    assert CliRunner().invoke(app, ["exploit", "random", "kuhn_poker", "--games", "1"]).exit_code == 2


def test_a_player_that_cheats_has_no_strategy_to_respond_to() -> None:
    for measured in (lambda: exploit("cheating@10", "kuhn_poker"), lambda: respond("cheating@10", "kuhn_poker", games=2)):
        with pytest.raises(SearchError, match="sees what is hidden in kuhn_poker"):
            measured()
