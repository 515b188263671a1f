"""Selection and expansion, one method after the other: its neutral parameter is UCT record by record, its formula has the values
that can be worked out by hand, and it does what it is for."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import icarus
from icarus.engine.layout import BLOCK_WORDS, Block, Lane, Node, Record
from icarus.errors import IcarusError, SearchError, StrategyError
from icarus.game import ENVIRONMENT, Position
from icarus.jit import JIT
from icarus.jit.randomness import mix, random_below, seeded
from icarus.search import Search
from icarus.strategy import (
    UCBV,
    Baseline,
    BayesianUCT,
    GaussianUCB,
    MSEWeight,
    SurveyWeight,
    Thompson,
    UCBAlpha,
    UCTPlus,
    Widening,
)
from icarus.strategy.base import Policy
from icarus.strategy.expression import read_strategy
from icarus.strategy.policy.bayesian import mean_of_larger, variance_of_larger
from icarus.strategy.policy.thompson import random_gamma
from icarus.strategy.policy.uct_plus import ERROR, MEAN, SQUARES
from icarus.tools.bench import first_decision
from tests.oracle.engine import ALL_MOVES, ROOT, records

FEW = 400 if JIT else 60


def found(game: str, strategy: str, iterations: int = FEW, **given: object) -> Search:
    search = Search(game, strategy=strategy, seed=3, **given)
    search.run(iterations=iterations)
    return search


def python(function):
    return getattr(function, "py_func", function)


# --- neutral parameters ----------------------------------------------------------------------------------------------

NEUTRAL = [
    ("Baseline(policy=UCBAlpha(alpha=2))", "Baseline(c=1)"),
    ("Baseline(policy=UCBV(zeta=0))", "Baseline(c=0)"),
    ("Baseline(policy=GaussianUCB(c=0, least=0))", "Baseline(c=0)"),
    ("Baseline(policy=FirstPlayUrgency(urgency=inf))", "-"),
    ("Baseline(policy=Widening(alpha=1))", "-"),
    ("Baseline(policy=MaxUCB(share=0))", "-"),
    ("Baseline(leaf=ExpandAfter(1))", "-"),
    ("Baseline(backup=Decaying(gamma=1))", "-"),
    ("Baseline(backup=Weighted(weight=1))", "-"),
    ("AlphaAMAF(alpha=0)", "-"),
    ("CutoffAMAF(k=0)", "-"),
    ("SurveyRAVE(v=0, c=0.7)", "-"),
    ("MSERAVE(bias=inf, c=0.7)", "-"),
    ("AlphaAMAF(alpha=0.3)", "SomeFirstAMAF(m=inf, alpha=0.3)"),
    ("AlphaAMAF(alpha=0.3)", "CutoffAMAF(k=inf, alpha=0.3)"),
    ("RAVEMax(delta=0, k=40)", "RAVE(k=40, c=0.2, formula='cadia')"),
    ("PoolRAVE(p=0, ref=5)", "GRAVE(ref=5)"),
]


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize("strategy, same", NEUTRAL)
def test_a_neutral_parameter_is_the_plain_search_record_by_record(strategy: str, same: str, lanes: int) -> None:
    assert records(found("tic_tac_toe", strategy, lanes=lanes))[0] == records(found("tic_tac_toe", same, lanes=lanes))[0]


@pytest.mark.parametrize(
    "strategy", ["Baseline(prior=Grandfather(0))", "Baseline(rewards=Paranoid())", "Baseline() >> Playouts(1)"]
)
def test_the_same_with_two_players_and_no_virtual_visits(strategy: str) -> None:
    assert records(found("connect_four", strategy))[0] == records(found("connect_four", "-"))[0]


@pytest.mark.parametrize(
    "strategy", ["FadingSeed(k=0)", "Baseline(prior=HeuristicPrior(0))", "ProgressiveBias(w=0, threshold=30)"]
)
def test_a_heuristic_that_has_no_say(strategy: str) -> None:
    assert records(found("breakthrough", strategy))[0] == records(found("breakthrough", "-"))[0]


def test_neutral_on_hidden_information_and_chance() -> None:
    for game, strategy, same in (
        ("phantom(3,3,3)", "Baseline(policy=FirstPlayUrgency(urgency=inf))", "-"),
        ("phantom(3,3,3)", "AlphaAMAF(alpha=0)", "-"),
        ("phantom(3,3,3)", "PoolRAVE(p=0, ref=5)", "GRAVE(ref=5)"),
        ("phantom(3,3,3)", "RAVEMax(delta=0, k=40)", "RAVE(k=40, c=0.2, formula='cadia')"),
        ("kuhn_poker", "MSERAVE(bias=inf, c=0.7)", "-"),
    ):
        assert records(found(game, strategy))[0] == records(found(game, same))[0], (game, strategy)


# --- formulas --------------------------------------------------------------------------------------------------------


def values_of(policy: Policy, rewards: list[float], visits: list[float], **more: object) -> np.ndarray:
    size = len(rewards)
    given = dict(
        size=size, reward=np.array(rewards), visits=np.array(visits), available=np.full(size, sum(visits)), stride=size, **more
    )
    values = np.zeros(size)
    python(policy.function)(SimpleNamespace(**given), values, policy)
    return values


def test_ucb_alpha_and_ucb_v_have_the_values_of_their_formulas() -> None:
    log = math.log(10)
    alpha = values_of(UCBAlpha(3.0), [3.0, 1.0], [6.0, 4.0])
    assert alpha == pytest.approx([0.5 + math.sqrt(3 * log / 12), 0.25 + math.sqrt(3 * log / 8)])
    squares = np.array([3.0, 1.0])  # wins and losses: the sum of squares is that of the rewards
    v = values_of(UCBV(zeta=1.2, c=1.0), [3.0, 1.0], [6.0, 4.0], statistic=squares)
    first = 0.5 + math.sqrt(2 * 0.25 * 1.2 * log / 6) + 3 * 1.2 * log / 6
    second = 0.25 + math.sqrt(2 * 0.1875 * 1.2 * log / 4) + 3 * 1.2 * log / 4
    assert v == pytest.approx([first, second])
    normal = values_of(GaussianUCB(c=4, least=0), [3.0, 1.0], [6.0, 4.0], statistic=squares)
    assert normal == pytest.approx([0.5 + 4 * math.sqrt(1.5 / 5 * log / 6), 0.25 + 4 * math.sqrt(0.75 / 3 * log / 4)])
    assert np.isinf(values_of(GaussianUCB(), [3.0, 1.0], [6.0, 4.0], statistic=squares)).all(), "8 ln 10 visits come first"


def test_widening_admits_as_many_as_its_schedule_says() -> None:
    for trials in (1, 5, 30):
        visits = [0.0] * 40
        tried = math.ceil(2 * (trials + 1) ** 0.5)
        for i in range(tried):
            visits[i] = trials / tried
        closed = values_of(Widening(k=2, alpha=0.5), [0.0] * 40, visits)
        visits[tried - 1], visits[0] = 0.0, visits[0] + visits[tried - 1]
        open_ = values_of(Widening(k=2, alpha=0.5), [0.0] * 40, visits)
        assert max(closed) < math.inf and max(open_) == math.inf


def test_rave_weights_have_the_values_of_their_formulas() -> None:
    def value(policy: Policy, n: float, later: float) -> float:
        """Of an action that won half of its visits and all later moves, without exploration: 1/2 + b/2."""
        arms = SimpleNamespace(
            size=1, reward=np.array([later]), visits=np.array([later]), baseline_reward=np.array([n / 2]),
            baseline_visits=np.array([n]), baseline_available=np.array([n]),
        )  # fmt: skip
        values = np.zeros(1)
        python(policy.function)(arms, values, policy)
        return 2 * values[0] - 1

    assert value(SurveyWeight(v=40, c=0), 10, 5) == pytest.approx(0.75)
    assert value(SurveyWeight(v=40, c=0), 50, 5) == 0
    assert value(MSEWeight(bias=0, c=0), 10, 30) == pytest.approx(0.75)
    assert value(MSEWeight(bias=0.5, c=0), 10, 30) == pytest.approx(30 / (40 + 300))


def test_thompson_draws_from_the_beta_distribution() -> None:
    rng, number = seeded(1), 20_000 if JIT else 3000
    draws = np.array([values_of(Thompson(), [3.0], [10.0], rng=rng)[0] for _ in range(number)])
    mean = 4 / 12
    error = math.sqrt(mean * (1 - mean) / 13 / number)
    assert abs(draws.mean() - mean) < 6 * error
    assert draws.var() == pytest.approx(mean * (1 - mean) / 13, rel=0.2)
    small = np.array([python(random_gamma)(0.5, rng) for _ in range(number)])
    assert abs(small.mean() - 0.5) < 6 * math.sqrt(0.5 / number)


def test_the_larger_of_two_normal_numbers() -> None:
    mean, variance = python(mean_of_larger)(0, 1, 0, 1), python(variance_of_larger)(0, 1, 0, 1)
    assert (mean, variance) == pytest.approx((1 / math.sqrt(math.pi), 1 - 1 / math.pi)), "closed form for equals"
    rng = np.random.default_rng(1)
    drawn = np.maximum(rng.normal(0.3, 0.2, 400_000), rng.normal(0.4, 0.1, 400_000))
    assert python(mean_of_larger)(0.3, 0.04, 0.4, 0.01) == pytest.approx(drawn.mean(), abs=2e-3)
    assert python(variance_of_larger)(0.3, 0.04, 0.4, 0.01) == pytest.approx(drawn.var(), abs=2e-3)
    assert python(mean_of_larger)(0.2, 0, 0.7, 0) == 0.7


# --- regret ----------------------------------------------------------------------------------------------------------

POLICIES = [
    "UCBV(zeta=0.2)", "UCBAlpha()", "GaussianUCB(c=1, least=1)", "Thompson()", "FirstPlayUrgency()", "EpsilonGreedy(0.1)",
    "MaxUCB(share=0.1)", "BayesianUCT()", "BayesianUCT(c=0.7, by_deviation=False)", "Widening(k=2)",
    "UCTPlus()", "UCTPlus(best=True, tau=inf)",
]  # fmt: skip


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_finds_the_winning_move(policy: str) -> None:
    """Two in a row are to be completed, with every other move losing at once: regret is all that counts."""
    position = icarus.load("mnk(3,3,3)").start()
    for label in ("a1", "a2", "b1", "b2"):
        position.apply(position.parse_action(label))
    result = Search(position, strategy=f"Baseline(policy={policy})", seed=1).run(iterations=800 if JIT else 300)
    assert result.best.label == "c1"
    assert result.best.visits > result.iterations / 3


def test_bayesian_uct_is_for_games_that_it_can_believe_in() -> None:
    for game in ("backgammon", "phantom(3,3,3)", "goofspiel(4)"):
        with pytest.raises(IcarusError, match="needs one or two players, perfect information and no chance"):
            Search(first_decision(game), strategy="Baseline(policy=BayesianUCT())", algorithm="cheating")
    with pytest.raises(StrategyError, match="has a backup of its own"):
        read_strategy("Baseline(policy=BayesianUCT(), backup=Decaying())")


def test_beliefs_are_of_the_best_move_below() -> None:
    """The believed value of a node lies above its average: the average counts the moves that were only tried."""
    search = found("connect_four", "Baseline(policy=BayesianUCT())", iterations=10 * FEW)
    assert sum(child.visits for child in search.tree.root.children) == 10 * FEW
    assert BayesianUCT().backup is not None


# --- UCT+ ------------------------------------------------------------------------------------------------------------


def check_mixture(search: Search, node: int, position: Position, policy: UCTPlus) -> tuple[float, float] | None:
    """Compare X and sigma of every record below a node with what is behind it; returns those of the node."""
    pool, width, players = search.team.tables[0].pool, int(search.team.tables[0].meta.width), position.game.players
    block, player, rows = int(Node(pool, node).block), position.player, []
    while block:
        for i in range(int(Block(pool, block).capacity)):
            record = Record(pool, block + BLOCK_WORDS + i * width)
            n = int(record.visits)
            if n == 0:
                continue
            behind = position.copy().apply(int(record.label) - 1)
            mean = record.reward[search.observer] / n
            squares = record.reward[players + SQUARES]
            expected = mean, (max(squares - n * mean * mean, 0) + 0.25) / (n * n)
            if record.following:
                expected = check_mixture(search, int(record.following), behind, policy) or expected
            assert (record.reward[players + MEAN], record.reward[players + ERROR]) == pytest.approx(expected)
            share = float(n)
            if player not in (search.observer, ENVIRONMENT):
                share = math.exp(record.reward[player] / n / policy.tau)
            rows.append((share, *expected))
        block = int(Block(pool, block).next)
    if not rows:
        return None
    if player == search.observer and policy.best:
        return max((row[1:] for row in rows), key=lambda row: row[0])
    total = sum(share for share, _, _ in rows)
    return sum(share * mean for share, mean, _ in rows) / total, sum(share**2 * error for share, _, error in rows) / total**2


@pytest.mark.parametrize("policy", [UCTPlus(), UCTPlus(c=1, tau=0.3, best=True)])
@pytest.mark.parametrize("game", ["mnk(3,3,3)", "backgammon"])
def test_uct_plus_backs_up_what_its_model_expects(game: str, policy: UCTPlus) -> None:
    position = first_decision(game)
    search = Search(position, strategy=Baseline(policy=policy), seed=1)
    search.run(iterations=600 if JIT else 40)
    words, key = search.team.tables[0].pool, int(search.team.workers[0].root_history[0])
    found = check_mixture(search, int(np.flatnonzero(words == key)[0]), position, policy)
    assert found is not None and 0 < found[0] <= 1 and 0 < found[1] < 0.25


def test_uct_plus_answers_its_model() -> None:
    """Who plays at random folds to half of the queen's bets: betting is worth half a chip, passing nothing."""
    kuhn = icarus.load("kuhn_poker")
    position = next(start for start in map(kuhn.start, range(100)) if int(start.named.cards[0]) == 1)
    search = Search(position, strategy="Baseline(policy=UCTPlus(tau=inf, best=True))", algorithm="so", seed=1)
    result = search.run(iterations=3000 if JIT else 600)
    assert result.best.label == "bet" and abs(result.best.mean[0] - 0.625) < 0.05


def test_uct_plus_needs_one_tree_and_turns() -> None:
    with pytest.raises(SearchError, match="use so or determinized"):
        Search("phantom(3,3,3)", strategy="Baseline(policy=UCTPlus())")
    Search("phantom(3,3,3)", strategy="Baseline(policy=UCTPlus())", algorithm="determinized(4)", seed=1).run(iterations=40)
    with pytest.raises(StrategyError, match="choose together"):
        Search(first_decision("goofspiel(4)"), strategy="Baseline(policy=UCTPlus())")
    with pytest.raises(StrategyError, match="tau=0 is out of range"):
        UCTPlus(tau=0)


# --- expansion -------------------------------------------------------------------------------------------------------


def test_fewer_nodes_where_they_must_be_earned() -> None:
    sizes = [found("othello", f"Baseline(leaf=ExpandAfter({n}))").result().records for n in (1, 3, 10)]
    assert sizes[0] > sizes[1] > sizes[2]


def test_urgency_makes_a_tree_deep_before_it_is_wide() -> None:
    wide, deep = (found("hex(7)", s, 300).result() for s in ("-", "Baseline(policy=FirstPlayUrgency(urgency=0.5))"))
    assert deep.mean_depth > wide.mean_depth
    assert sum(row.visits > 0 for row in deep.root) < sum(row.visits > 0 for row in wide.root) == 49


def test_widening_looks_at_few_moves_and_at_few_outcomes() -> None:
    narrow = found("hex(7)", "Baseline(policy=Widening(k=1, alpha=0.5))", 300).result()
    assert sum(row.visits > 0 for row in narrow.root) == math.ceil(math.sqrt(300))
    first = first_decision("backgammon")

    def outcomes(strategy: str) -> int:
        search = Search(first, strategy=strategy, seed=1)
        search.run(iterations=FEW)
        return max(len(node.children) for node in search.tree.root.walk() if node.player == ENVIRONMENT)

    assert outcomes("Baseline(outcomes=Outcomes(k=2, alpha=0))") == 2, "sparse sampling"
    assert outcomes("-") > 2
    same = [Search(first, strategy=s, seed=1) for s in ("-", "Baseline(outcomes=Outcomes(k=1, alpha=1))")]
    for search in same:
        search.run(iterations=FEW)
    assert records(same[0])[0] == records(same[1])[0]


def test_the_heuristic_as_virtual_visits_leads_a_young_node() -> None:
    seeded_, plain = (found("breakthrough", s, 40).result() for s in ("Baseline(prior=HeuristicPrior(20))", "-"))
    assert sum(row.visits for row in seeded_.root) == 40 + 20 * len(seeded_.root), "virtual visits are visits"
    assert sum(row.visits for row in plain.root) == 40
    assert seeded_.mean_depth < 10, "virtual visits do not make the tree deep"


def test_a_grandfather_hands_down_what_is_known_of_an_action() -> None:
    search = found("connect_four", "Baseline(prior=Grandfather(5))", 10 * FEW)
    below = [node for child in search.tree.root.children for reply in child.children for node in reply.children]
    assert below and max(node.visits for node in below) > 5
    replies = [reply for child in search.tree.root.children for reply in child.children]
    assert any(sum(node.visits for node in reply.children) > reply.visits for reply in replies), "handed down, not played"


# --- decisive moves --------------------------------------------------------------------------------------------------


def won_in_one(position: icarus.Position, action: int) -> bool:
    player = position.player
    after = position.copy().apply(action)
    return after.is_terminal and after.rewards()[player] == 1


def allowed(position: icarus.Position) -> set[int]:
    """By the definition: wins at once; else, if the opponent could win, what prevents it."""
    legal = position.legal()
    wins = {a for a in legal if won_in_one(position, a)}
    if wins:
        return wins
    safe = set()
    for action in legal:
        after = position.copy().apply(action)
        if after.is_terminal or not any(won_in_one(after, reply) for reply in after.legal()):
            safe.add(action)
    return safe or set(legal)


@pytest.mark.parametrize("lanes", [1, 2])
def test_a_tree_of_decisive_moves_never_misses_a_win_or_a_block(lanes: int) -> None:
    position = icarus.load("mnk(4,3,3)").start()
    for label in ("a1", "c3", "b2"):
        position.apply(position.parse_action(label))
    search = Search(position, strategy="Decisive()", seed=3, lanes=lanes)
    search.run(iterations=200 if JIT else 60)
    looked = 0
    for node in search.tree.root.walk():
        if node.children:
            position = node.state_sample()
            assert {child.move for child in node.children} == allowed(position)
            looked += len(node.children) < len(position.legal())
    assert looked > 0


def test_playouts_of_decisive_moves_end_sooner() -> None:
    def steps(strategy: str) -> int:
        return int(found("connect_four", strategy, 200 if JIT else 20).team.workers[0].control.all_steps)

    assert steps("Baseline() >> Decisive(MAST(), anti=False)") < steps("Baseline() >> MAST()")
    assert steps("Baseline() >> Decisive(Baseline())") != steps("Baseline() >> Decisive(Baseline(), anti=False)")


def test_decisive_moves_are_refused_where_they_cannot_be_tried_out() -> None:
    with pytest.raises(SearchError, match="perfect information"):
        Search("phantom(3,3,3)", strategy="Decisive()")
    assert Search("phantom(3,3,3)", strategy="Baseline() >> Decisive(MAST())", seed=1).run(iterations=20).iterations == 20
    with pytest.raises(StrategyError, match="needs a compiled game"):
        Search("gdl:connect_four", strategy="Decisive()")
    with pytest.raises(StrategyError, match="the function 'prune'"):
        Search("connect_four", strategy="Pruned()")
    with pytest.raises(StrategyError, match="whole of a phase"):
        Search("connect_four", strategy="Baseline() >> (Decisive(MAST()) + NAST(2)) / 2")


# --- AMAF ------------------------------------------------------------------------------------------------------------


def test_some_first_counts_fewer_moves_and_none_beyond_the_tree_with_zero() -> None:
    def later(strategy: str) -> int:
        held = records(found("connect_four", strategy))
        return sum(row[0] for context in held[1].values() for row in context.values())

    counts = [later(f"SomeFirstAMAF(m={m}, alpha=0)") for m in (0, 2, 8, 100)]
    assert all(first < second for first, second in pairwise(counts))
    tree = records(found("connect_four", "SomeFirstAMAF(m=0, alpha=0)"))[0]
    steps = sum(row[0] for context in tree.values() for row in context.values())
    assert counts[0] < 3 * steps


def test_a_pool_makes_playouts_follow_amaf() -> None:
    strategies = ["GRAVE(ref=1)", "PoolRAVE(ref=1, size=1, p=1)"]
    assert len({tuple(row.visits for row in found("hex(5)", s).result().root) for s in strategies}) == 2
    assert found("phantom(3,3,3)", "PoolRAVE(ref=1)").result().iterations == FEW


# --- backups, rewards ------------------------------------------------------------------------------------------------


def test_a_reward_that_decays_prefers_the_win_that_is_near() -> None:
    position = icarus.load("mnk(3,3,3)").start()
    for label in ("a1", "a2", "b1", "b2"):
        position.apply(position.parse_action(label))
    search = Search(position, strategy="Baseline(backup=Decaying(gamma=0.5))", seed=1)
    rows = {row.label: row for row in search.run(iterations=500).root}
    assert rows["c1"].mean[0] == 1, "no ply between the move and the end"
    assert all(row.mean[0] <= 0.25 for label, row in rows.items() if label != "c1"), "two plies at least"


def test_a_short_playout_counts_as_several() -> None:
    search = found("tic_tac_toe", "Baseline(backup=Weighted(weight=3, plies=100))")
    assert sum(child.visits for child in search.tree.root.children) == 3 * FEW
    for child in search.tree.root.children:
        assert child.available == 3 * FEW
    with pytest.raises(StrategyError, match="perfect information"):
        Search("phantom(3,3,3)", strategy="Baseline(backup=Weighted())")


def test_several_playouts_at_a_leaf_are_one_visit_with_their_average() -> None:
    search = found("connect_four", "Baseline() >> Playouts(4)", 7)
    for child in search.tree.root.children:
        assert child.visits == 1 and child.mean[0] * 8 == int(child.mean[0] * 8)
    with pytest.raises(StrategyError, match="needs a compiled game"):
        Search("gdl:connect_four", strategy="Baseline() >> Playouts(4)")


def test_maps_of_rewards_are_what_their_names_say() -> None:
    game = icarus.load("doudizhu")
    read = {
        name: read_strategy(f"Baseline(rewards={name})").rewards
        for name in ("Paranoid()", "Alliance('0 1 1')", "Coalition('0 1 1')")
    }
    rows, constants = read["Paranoid()"].matrix(game, 1)
    assert (rows, constants) == ([[0, -1, 0], [0, 1, 0], [0, -1, 0]], [1, 0, 1])
    assert read["Alliance('0 1 1')"].matrix(game, 0)[0] == [[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]]
    assert read["Coalition('0 1 1')"].matrix(game, 0)[0] == [[1, 0, 0], [0, 1, 0.9], [0, 0.9, 1]]
    with pytest.raises(StrategyError, match="one number for each of the 3 players"):
        Search("doudizhu", strategy="Baseline(rewards=Alliance('0 1'))")
    with pytest.raises(StrategyError, match="needs teams"):
        Search("connect_four", strategy="Baseline(rewards=Alliance())")


def test_a_clear_win_is_worth_more_than_a_narrow_one() -> None:
    assert records(found("othello", "Baseline(backup=ScoreBonus(0))"))[0] == records(found("othello", "-"))[0]
    game = icarus.load("sum_of_switches(4)")
    search = Search(game, strategy="Baseline(backup=ScoreBonus(0.5))", seed=1)
    search.run(iterations=FEW)
    for node in search.tree.root.walk():
        if node.move is not None and node.is_terminal:
            end = node.state_sample()
            won, margin = end.rewards()[0], game.call("margin", end.state)
            assert node.mean[0] == pytest.approx(1 - 0.5 * (1 - margin) if won else 0.5 * (1 - margin))
            assert sum(node.mean) == pytest.approx(1)
    with pytest.raises(StrategyError, match="the function 'margin'"):
        Search("hex(5)", strategy="Baseline(backup=ScoreBonus())")


def test_connect_four_finds_decisive_moves_in_its_own_way() -> None:
    """The game's own function and the generic one, which tries everything out, agree in random positions."""
    own = icarus.load("connect_four")
    rng = seeded(5)
    cut = 0
    for _ in range(150 if JIT else 25):
        position = own.start()
        for _ in range(int(random_below(rng, 30))):
            if not position.is_terminal:
                position.apply(position.legal()[int(random_below(rng, len(position.legal())))])
        if position.is_terminal:
            continue
        legal = np.array(position.legal())
        kept = set(legal[: own.call("decisive", position.state, legal, len(legal))].tolist())
        assert kept == allowed(position), position.render()
        cut += len(kept) < len(position.legal())
    assert cut > 5


def test_killer_rave_counts_the_moves_that_took_part() -> None:
    def later(strategy: str) -> float:
        held = records(found("hex(5)", strategy))
        return sum(row[0] for context in held[1].values() for row in context.values())

    assert 0 < later("KillerRAVE(c=0)") < later("RAVE(c=0, formula='cadia')")
    with pytest.raises(StrategyError, match="the function 'involved'"):
        Search("connect_four", strategy="KillerRAVE()")
    game = icarus.load("hex(3)")
    position = game.start()
    for label in ("a1", "c1", "a2", "c3", "a3"):  # X joins top and bottom in the first column
        position.apply(position.parse_action(label))
    assert position.is_terminal and position.rewards()[0] == 1
    taken = {label: int(game.call("involved", position.state, cell)) for cell, label in enumerate(LABELS_3)}
    assert [taken[label] for label in ("a1", "a2", "a3", "c1", "c3")] == [1, 1, 1, 0, 0]


def permuted_updates(moves: list[tuple[int, int]], nodes: dict[int, set[int]], path: set[int]) -> Counter[tuple[int, int]]:
    """What a playout says of nodes beside its path, by brute force: every order of a part of its moves that the tree holds."""
    updates: Counter[tuple[int, int]] = Counter()

    def walk(key: int, player: int, left: Counter[tuple[int, int]]) -> None:
        if key not in path:
            for action in nodes[key]:
                updates[int(mix(key, ALL_MOVES + 31 + player)), action] += left[player, action]
        for action in nodes[key]:
            if left[player, action] and int(mix(key, action)) in nodes:
                walk(int(mix(key, action)), 1 - player, left - Counter([(player, action)]))

    walk(int(mix(1, 0)), 0, Counter(moves))
    return +updates


@pytest.mark.parametrize("game", ["tic_tac_toe", "hex(3)"])
def test_permutation_amaf_tells_playouts_to_nodes_that_other_orders_reach(game: str) -> None:
    """alpha = 0 plays as plain UCT does, so what AMAF learns more with permutations is what they told, playout by playout."""
    permuting = Search(game, strategy="PermutationAMAF(nodes=512, alpha=0)", seed=3)
    plain = Search(game, strategy="AlphaAMAF(alpha=0)", seed=3)
    told: Counter[tuple[int, int]] = Counter()
    for _ in range(300 if JIT else 40):
        permuting.run(iterations=1)
        plain.run(iterations=1)
        worker = permuting.team.workers[0]
        end = int(Lane(worker.lanes).ply)
        moves = list(zip(worker.actors[:end].tolist(), worker.actions[:end].tolist(), strict=True))
        held = records(permuting)[0]
        nodes = {key: set(rows) for key, rows in held.items() if key != int(mix(int(mix(1, 0)), ROOT))}
        key, path = int(mix(1, 0)), set()
        for _, action in moves:
            path.add(key)
            key = int(mix(key, action))
        told += permuted_updates(moves, nodes, path)
    seen: Counter[tuple[int, int]] = Counter()
    for search, sign in ((permuting, 1), (plain, -1)):
        for key, rows in records(search)[1].items():
            for action, row in rows.items():
                seen[key, action] += sign * row[0]
    assert records(permuting)[0] == records(plain)[0]
    assert sum(told.values()) > 100 or not JIT
    assert +seen == told and not -seen


def test_permutation_amaf_without_permutations_is_alpha_amaf_and_needs_open_moves() -> None:
    assert records(found("hex(5)", "PermutationAMAF(nodes=0)")) == records(found("hex(5)", "AlphaAMAF()"))
    shared = Search("hex(4)", strategy="PermutationAMAF(nodes=30)", transpositions=1, seed=1, threads=2)
    assert shared.run(iterations=400).iterations == 400
    with pytest.raises(SearchError, match="everybody sees every move"):
        Search("phantom(3,3,3)", strategy="PermutationAMAF()")
    with pytest.raises(SearchError, match="transpositions above 1"):
        Search("connect_four", strategy="PermutationAMAF()", transpositions=2)
    with pytest.raises(StrategyError, match="ref=0"):
        Search("hex(4)", strategy="Baseline() >> AMAF(ref=10, permutations=5)")


LABELS_3 = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
