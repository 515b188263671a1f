"""A second implementation of every seam, in a few lines each: what a strategy or an algorithm may replace takes effect."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from numba import types

import icarus
from icarus.algorithm import ALGORITHMS
from icarus.engine.drive.straight import iterate, run_baseline, run_uct
from icarus.engine.layout import ITERATIONS_DONE, Record, World
from icarus.engine.table.records import make_context
from icarus.errors import SearchError, StrategyError
from icarus.game import Game, compiled
from icarus.jit import JIT, element, kernel
from icarus.jit.randomness import random_unit
from icarus.search import Search
from icarus.strategy import (
    UCB1,
    Backup,
    Baseline,
    Cadia,
    Evaluator,
    Gibbs,
    LastGoodReply,
    LeafRule,
    Policy,
    Prior,
    RegretMatching,
    RouletteWheel,
    Statistic,
    Strategy,
    UCB1Sum,
    UCB1Tuned,
)
from icarus.strategy.considered import Considered, Filter
from icarus.strategy.expression import read_strategy
from icarus.strategy.seams import RewardMap
from icarus.strategy.statistic import Maximum
from icarus.tools.bench import first_decision
from icarus.tools.warmup import subclasses
from tests.oracle.engine import records

FEW = 400 if JIT else 60


def visits(search: Search) -> dict[str, int]:
    return {child.label: child.visits for child in search.tree.root.children}


# --- policy ----------------------------------------------------------------------------------------------------------


@compiled
def shaken(arms, values, p):
    for i in range(arms.size):
        values[i] = (arms.reward[i] + 1.0) / (arms.visits[i] + 1.0) + p.noise * random_unit(arms.rng)


@dataclass(frozen=True, repr=False)
class Shaken(Policy):
    """The best average, with noise: a policy that needs random numbers."""

    noise: float = 1.0
    function = staticmethod(shaken)


def test_a_policy_has_random_numbers_and_parameters_by_name() -> None:
    calm, wild = (Search("connect_four", strategy=Baseline(policy=Shaken(noise)), seed=1) for noise in (0.0, 100.0))
    calm.run(iterations=FEW)
    wild.run(iterations=FEW)
    assert max(visits(calm).values()) > 2 * max(visits(wild).values()), "much noise is uniform choice"


@compiled
def worst(arms, values, p):
    for i in range(arms.size):
        values[i] = -arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1e9


@dataclass(frozen=True, repr=False)
class Worst(UCB1):
    """A subclass of UCB1 with a formula of its own: the engine's twin of UCB1 must not decide in its place."""

    function = staticmethod(worst)


@dataclass(frozen=True, repr=False)
class Wider(UCB1):
    """A subclass with one more field and the same formula: it is called by address, and chooses the same."""

    unused: float = 0.0


@pytest.mark.parametrize("strategy", ["{}", "{} >> NAST(2)"])
def test_a_subclass_of_a_policy_takes_effect_everywhere(strategy: str) -> None:
    def search(policy: Policy) -> Search:
        tree = Baseline(policy=policy)
        whole = tree if strategy == "{}" else tree >> icarus.strategy.NAST(2)
        found = Search("tic_tac_toe", strategy=whole, seed=3)
        found.run(iterations=FEW)
        return found

    assert visits(search(Worst())) != visits(search(UCB1()))
    assert visits(search(Wider())) == visits(search(UCB1()))


@compiled
def by_place(arms, values, p):
    for i in range(arms.size):
        values[i] = 1.0 + i


#: what has a twin in the engine, in a strategy that uses it
TWINS = {
    UCB1: "Baseline(policy={})",
    UCB1Tuned: "Baseline(policy={})",
    Cadia: "RAVE(formula='cadia')",
    UCB1Sum: "Baseline() >> NAST(2, policy={})",
    Gibbs: "Baseline() >> MAST(policy={})",
    RouletteWheel: "Baseline() >> MAST(policy={})",
    LastGoodReply: "Baseline() >> LGR()",
}


@pytest.mark.parametrize("policy", TWINS)
def test_a_new_formula_takes_effect_where_the_engine_has_a_twin(policy: type[Policy], monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> dict[str, int]:
        search = Search("tic_tac_toe", strategy=read_strategy(TWINS[policy].format(f"{policy.__name__}()")), seed=3)
        search.run(iterations=FEW)
        return visits(search)

    published = found()
    monkeypatch.setattr(policy, "function", staticmethod(by_place))
    assert found() != published


def test_no_other_policy_has_a_twin() -> None:
    assert {policy for policy in subclasses(Policy) if "inlined" in vars(policy) and policy.inlined} == set(TWINS)


@compiled
def loyal(arms, values, p):
    for i in range(arms.size):
        values[i] = 1.0 if arms.visits[i] > 0.0 else 0.0


@dataclass(frozen=True, repr=False)
class Loyal(UCB1):
    """What was tried once is tried again: that UCB1 begins with what is untried must not hold for this formula."""

    function = staticmethod(loyal)


def test_untried_actions_come_first_only_where_the_formula_says_so() -> None:
    search = Search("tic_tac_toe", strategy=Baseline(policy=Loyal()), seed=3)
    search.run(iterations=20)
    assert sorted(visits(search).values()) == [0] * 8 + [20]


# --- statistic -------------------------------------------------------------------------------------------------------


@compiled
def by_largest(arms, values, p):
    for i in range(arms.size):
        values[i] = arms.statistic[i] - 0.01 * arms.visits[i] if arms.visits[i] > 0.0 else 9.0


@dataclass(frozen=True, repr=False)
class ByLargest(Policy):
    """Prefers what has ever won."""

    function = staticmethod(by_largest)
    statistics = (Maximum(),)


@compiled
def count_below(old, reward, weight, odds, p):
    return old + (1.0 if reward < p.bound else 0.0)


@dataclass(frozen=True, repr=False)
class Below(Statistic):
    """How often a reward was below a bound."""

    bound: float = 2.0
    function = staticmethod(count_below)


@compiled
def least_counted(arms, values, p):
    for i in range(arms.size):
        values[i] = -arms.statistic[i]


@dataclass(frozen=True, repr=False)
class LeastCounted(Policy):
    """Each arm in turn, if the statistic counts what it should: every reward is below 2."""

    function = staticmethod(least_counted)
    statistics = (Below(),)


def test_a_statistic_is_one_more_number_of_every_record() -> None:
    search = Search("tic_tac_toe", strategy=Baseline(policy=LeastCounted()), seed=1)
    result = search.run(iterations=FEW)
    assert {row.visits for row in result.root} <= {FEW // 9, FEW // 9 + 1}
    assert Search("tic_tac_toe", strategy=Baseline(policy=ByLargest()), seed=1).run(iterations=FEW).iterations == FEW


# --- leaf rule and prior ---------------------------------------------------------------------------------------------


@compiled
def seldom(visits, record, p):
    return visits < p.visits


@dataclass(frozen=True, repr=False)
class After(LeafRule):
    """The tree grows behind a record only after so many visits."""

    visits: int = 5
    function = staticmethod(seldom)


@pytest.mark.parametrize("lanes", [1, 3])
def test_the_tree_ends_where_the_leaf_rule_says(lanes: int) -> None:
    search = Search("tic_tac_toe", strategy=Baseline(leaf=After(5)), seed=1, lanes=lanes)
    search.run(iterations=FEW)
    plain = Search("tic_tac_toe", seed=1, lanes=lanes)
    plain.run(iterations=FEW)
    assert len(records(search)[0]) < len(records(plain)[0])
    for node in search.tree.root.walk():
        if node.children and node.move is not None:
            assert node.visits > 5
    same = Search("tic_tac_toe", strategy=Baseline(leaf=After(1)), seed=1, lanes=lanes)
    same.run(iterations=FEW)
    assert records(same)[0] == records(plain)[0], "after one visit is the default"


@compiled
def corner_first(state, actions, size, reward, visits, p):
    for i in range(size):
        visits[i] = p.trust
        reward[i] = p.trust if actions[i] == 0 else 0.0


@dataclass(frozen=True, repr=False)
class CornerFirst(Prior):
    """Virtual wins for one corner."""

    trust: int = 50
    function = staticmethod(corner_first)


@pytest.mark.parametrize("lanes", [1, 2])
def test_a_prior_is_what_a_node_begins_with(lanes: int) -> None:
    search = Search("tic_tac_toe", strategy=Baseline(prior=CornerFirst(50)), seed=1, lanes=lanes)
    result = search.run(iterations=30)
    assert result.best.label == "a1", "the virtual wins count"
    none = Search("tic_tac_toe", strategy=Baseline(prior=CornerFirst(0)), seed=1, lanes=lanes)
    plain = Search("tic_tac_toe", seed=1, lanes=lanes)
    none.run(iterations=FEW)
    plain.run(iterations=FEW)
    assert records(none)[0] == records(plain)[0]


# --- evaluator -------------------------------------------------------------------------------------------------------


@compiled
def count_plies(leaves, p):
    for i in range(leaves.count):
        lane = leaves.lanes[i]
        plies = leaves.states[lane * leaves.state_size + 3]  # mnk: the words of a state are parameters, then plies
        for player in range(leaves.players):
            leaves.rewards[lane * leaves.players + player] = plies / 9.0 if player == 0 else 1.0 - plies / 9.0


@dataclass(frozen=True, repr=False)
class CountPlies(Evaluator):
    """A leaf is worth how many marks there are: nothing is played out."""

    function = staticmethod(count_plies)


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("tree", ["-", "RAVE()"])
def test_an_evaluator_values_leaves_in_place_of_playouts(lanes: int, tree: str) -> None:
    strategy = read_strategy(tree) >> CountPlies()
    search = Search("tic_tac_toe", strategy=strategy, seed=1, lanes=lanes)
    result = search.run(iterations=9)
    assert {round(row.mean[0], 9) for row in result.root if row.visits == 1} <= {round(n / 9, 9) for n in range(10)}
    assert search.team.workers[0].control.all_steps == search.team.workers[0].control.tree_steps, "nothing is played beyond"


@compiled
def worth_too_much(leaves, p):
    for i in range(leaves.count):
        leaves.rewards[leaves.lanes[i] * leaves.players] = 2.0


@dataclass(frozen=True, repr=False)
class TooMuch(Evaluator):
    function = staticmethod(worth_too_much)


def test_an_evaluator_that_leaves_the_range_is_an_error() -> None:
    with pytest.raises(icarus.GameError, match="not in"):
        Search("tic_tac_toe", strategy=Baseline() >> TooMuch(), seed=1).run(iterations=5)


# --- backup ----------------------------------------------------------------------------------------------------------


@compiled
def fade(trace, p):
    share = 1.0
    for number in range(trace.depth - 1, -1, -1):
        record = Record(trace.pool, element(trace.path, number).record)
        for player in range(trace.players):
            record.reward[player] += share * trace.rewards[player]
        share *= p.share


@dataclass(frozen=True, repr=False)
class Fading(Backup):
    """What happens far below counts less."""

    share: float = 0.5
    function = staticmethod(fade)


@pytest.mark.parametrize("lanes", [1, 2])
def test_a_backup_of_ones_own_decides_what_records_learn(lanes: int) -> None:
    def held(**given: object) -> object:
        search = Search("connect_four", strategy=Baseline(**given), seed=1, lanes=lanes)
        search.run(iterations=FEW)
        return records(search)[0]

    assert held(backup=Fading(1.0)) == held()
    assert held(backup=Fading(0.5)) != held()


# --- filter, map of rewards --------------------------------------------------------------------------------------------


@compiled
def lowest_numbers(candidates, p):
    return min(candidates.size, p.most)


@dataclass(frozen=True, repr=False)
class LowestNumbers(Filter):
    most: int = 2

    function = staticmethod(lowest_numbers)


@dataclass(frozen=True, repr=False)
class FewMoves(Considered):
    """Nothing but the first legal moves, for playouts that are short of time."""

    strategy: Strategy = field(default_factory=Baseline)
    most: int = 2

    @property
    def filter(self) -> Filter:
        return LowestNumbers(self.most)


def test_a_filter_leaves_what_it_puts_in_front() -> None:
    search = Search("tic_tac_toe", strategy=FewMoves(Baseline(), most=3), seed=1)
    search.run(iterations=FEW)
    assert sorted(child.move for child in search.tree.root.children if child.visits) == [0, 1, 2]
    assert all(len(node.children) <= 3 for node in search.tree.root.walk())


@dataclass(frozen=True, repr=False)
class Generous(RewardMap):
    """The searching player wants what the others get."""

    def matrix(self, game: Game, player: int) -> tuple[list[list[float]], list[float]]:
        rows = [[float(i == j) for j in range(game.players)] for i in range(game.players)]
        rows[player] = [0.0 if j == player else 1.0 / (game.players - 1) for j in range(game.players)]
        return rows, [0.0] * game.players


def test_a_map_of_rewards_says_what_everybody_learns() -> None:
    search = Search("tic_tac_toe", strategy=Baseline(rewards=Generous()), seed=1)
    search.run(iterations=FEW)
    for child in search.tree.root.children:
        assert child.mean[0] == child.mean[1], "both learn what the second player got"


# --- identity --------------------------------------------------------------------------------------------------------


@compiled
def by_marks(state):
    key = 0
    for cell in range(9):
        key = 3 * key + state.marks[cell]
    return key


@pytest.mark.parametrize("lanes", [1, 3])
def test_positions_that_came_about_in_two_ways_are_one_node(lanes: int) -> None:
    """Tic-tac-toe has no key of its own: this one is its identity."""
    game = replace(icarus.load("tic_tac_toe"), key=by_marks)
    searches = [Search(game, strategy="Baseline(c=5)", seed=1, lanes=lanes, transpositions=flag) for flag in (False, True)]
    nodes = []
    for search in searches:
        search.run(iterations=20 * FEW)
        nodes.append(len(records(search)[0]))
    assert nodes[1] < nodes[0]
    root = searches[1].tree.root
    assert sum(child.visits for child in root.children) == 20 * FEW
    assert len(searches[1].result().principal_variation) > 1
    position = searches[1].position.copy().apply(root.children[0].move)
    assert searches[1].advance(position) > 0


def test_what_cannot_be_told_by_positions_is_refused() -> None:
    with pytest.raises(SearchError, match="everybody sees"):
        Search("phantom(3,3,3)", algorithm="so", transpositions=True)
    with pytest.raises(SearchError, match="the function 'key'"):
        Search("tic_tac_toe", transpositions=True)


# --- driver ----------------------------------------------------------------------------------------------------------


@kernel(types.int64(types.int64[::1]))
def run_in_pairs(handle):
    """A driver that counts an iteration as one although it does two."""
    world = World(handle)
    root = make_context(world, world.root_history[0], 0)
    while world.control.started < world.control.target:
        iterate(world, root, True, None)
        iterate(world, root, True, None)
        world.control.started -= 1
        world.control.done -= 1
    return ITERATIONS_DONE


def test_an_algorithm_may_have_a_driver_of_its_own() -> None:
    search = Search("tic_tac_toe", algorithm=replace(ALGORITHMS["uct"], driver=run_in_pairs), seed=1)
    result = search.run(iterations=50)
    assert result.iterations == 50
    assert sum(row.visits for row in result.root) == 100


# --- simultaneous decisions ------------------------------------------------------------------------------------------


def test_the_strategy_says_who_decides_where_players_choose_at_the_same_time() -> None:
    def shares(simultaneous: Policy | None) -> list[float]:
        search = Search("rock_paper_scissors", strategy=Baseline(simultaneous=simultaneous), seed=1)
        result = search.run(iterations=20 * FEW)
        return sorted(row.visits / result.iterations for row in result.root)

    mixed, regrets, decoupled = shares(None), shares(RegretMatching()), shares(UCB1())
    for found in (mixed, regrets):
        assert found[0] > 0.15, "near the equilibrium every action is played"
    assert mixed != decoupled != regrets


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(StrategyError, match="is not a LeafRule"):
        Baseline(leaf=UCB1())  # type: ignore[arg-type]


def test_decoupled_selection_lets_the_strategy_of_the_tree_decide_for_each_player() -> None:
    def found(strategy: str) -> dict[str, int]:
        search = Search(first_decision("goofspiel(4)"), algorithm="so", strategy=strategy, seed=1)
        return {row.label: row.visits for row in search.run(iterations=5 * FEW).root}

    assert found("Baseline(simultaneous=OfTheTree())") == found("Baseline(simultaneous=UCB1())"), "decoupled UCT"
    assert found("GRAVE(decoupled=True)") != found("GRAVE()")
    assert max(found("GRAVE(ref=5, decoupled=True)").values()) > max(found("GRAVE(ref=5)").values()), "it settles on a choice"
    with pytest.raises(StrategyError, match="goes with Baseline"):
        Search("tic_tac_toe", strategy="Baseline(policy=OfTheTree())")


@pytest.mark.parametrize("policy", ["UCB1()", "UCB1Tuned()"])
@pytest.mark.parametrize("name", ["connect_four", "othello", "hex(6)"])
def test_what_has_no_seams_searches_the_same_tree(name: str, policy: str) -> None:
    """The loop without seams, chosen where nothing is replaced, beside the one that has them all."""
    bare, general = (Search(first_decision(name), strategy=f"Baseline(policy={policy})", seed=3) for _ in range(2))
    assert bare.team.loop is run_uct
    general.team.driver = run_baseline
    for search in (bare, general):
        search.run(iterations=5 * FEW)
    assert records(bare) == records(general)


def test_a_seam_or_a_second_thread_needs_the_loop_that_has_them() -> None:
    position = first_decision("tic_tac_toe")
    for settings in (
        {"strategy": "Baseline(leaf=ExpandAfter(2))"},
        {"strategy": "Baseline(policy=UCBV())"},
        {"solve": True},
        {"threads": 2, "parallel": "tree"},
    ):
        assert Search(position, **settings).team.loop is run_baseline, settings
