"""Proofs against brute force: no bound is ever wrong, whatever is proven is true, and nothing else of a search changes."""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any

import pytest

import icarus
from icarus.errors import SearchError
from icarus.game import ENVIRONMENT, Game, Layout, Position, Word, compiled, mix, random_below, size_of
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.proofs.bounds import RULES
from icarus.search import Search
from icarus.tree import Node
from tests.oracle.engine import random_word, records

ENOUGH = 200_000


# --- trees of any kind, made from a hash -----------------------------------------------------------------------------


class Path(Layout):
    seats = Word()
    branching = Word()
    depth = Word()
    kind = Word()  #: ONE_WINNER, WITH_DRAWS, THIRDS or FINE
    dice = Word()  #: every third ply is the environment's
    key = Word()
    plies = Word()


ONE_WINNER, WITH_DRAWS, THIRDS, FINE = range(4)


def thicket(seats: int, branching: int, depth: int, kind: int, seed: int, *, dice: bool = False) -> Game:
    return Game(
        name=f"thicket({seats},{branching},{depth},{kind},{seed})",
        players=seats,
        parameters=(seats, branching, depth, kind, int(dice), seed),
        layout=Path,
        state_size=size_of(Path),
        max_actions=branching,
        max_plies=depth,
        initial=initial,
        player=dicing_player if dice else player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample if dice else None,
        chance=chance if dice else None,
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies % state.seats


@compiled
def dicing_player(state):
    return ENVIRONMENT if state.plies % 3 == 1 else (state.plies - (state.plies + 1) // 3) % state.seats


@compiled
def legal(state, actions):
    for branch in range(state.branching):
        actions[branch] = branch
    return state.branching


@compiled
def apply(state, action):
    state.key = mix(state.key, action)
    state.plies += 1


@compiled
def terminal(state):  # some branches end early
    return state.plies == state.depth or (state.plies > 1 and (state.key >> 20) % 5 == 0)


@compiled
def rewards(state, out):
    drawn = (state.key >> 40) & 1023
    for seat in range(state.seats):
        if state.kind == THIRDS:
            out[seat] = float((state.key >> (30 + 3 * seat)) & 3) / 3.0
        elif state.kind == FINE:  # hardly any two are the same, and none is 1
            out[seat] = float((state.key >> (20 + 9 * seat)) & 511) / 512.0
        elif state.kind == WITH_DRAWS and drawn & 1 == 0:
            out[seat] = 0.5
        else:
            out[seat] = 1.0 if drawn % state.seats == seat else 0.0


@compiled
def chance(state, probabilities):
    total = 0.0
    for i in range(state.branching):
        probabilities[i] = float(i + 1)
        total += probabilities[i]
    for i in range(state.branching):
        probabilities[i] /= total
    return state.branching


@compiled
def sample(state, rng):
    drawn = random_below(rng, state.branching * (state.branching + 1) // 2)
    outcome = 0
    while drawn > outcome:
        drawn -= outcome + 1
        outcome += 1
    return outcome


# --- brute force -----------------------------------------------------------------------------------------------------


def after(position: Position, action: int) -> Position:
    behind = position.copy()
    behind.apply(action)
    return behind


class Exact:
    """The values of a game, from its rules alone."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[tuple[int, bytes], float] = {}

    def secure(self, position: Position, player: int) -> float:
        """What a player can make sure of, on average, whatever the others do: minimax where one's gain is the other's loss."""
        key = player, position.state.tobytes()
        if key not in self.known:
            if position.is_terminal:
                value = position.rewards()[player]
            else:
                values = [self.secure(after(position, action), player) for action in position.legal()]
                if position.player == ENVIRONMENT:
                    value = sum(p * v for p, v in zip(position.chance(), values, strict=True))
                else:
                    value = max(values) if position.player == player else min(values)
            self.known[key] = value
        return self.known[key]


def equilibria(position: Position, rule: str, observer: int) -> frozenset[tuple[float, ...]]:
    """What all players may get where each plays the best for itself, and a rule says who does not care plays what."""

    @cache
    def found(state: bytes, line: tuple[int, ...]) -> frozenset[tuple[float, ...]]:
        here = position
        for action in line:
            here = after(here, action)
        if here.is_terminal:
            return frozenset([tuple(here.rewards())])
        mover, players = here.player, here.game.players
        behind = [found(b"", (*line, action)) for action in here.legal()]
        outcomes = set()
        for choice in product(*behind):
            best = [value for value in choice if value[mover] == max(v[mover] for v in choice)]
            if rule == "paranoid":
                best = [value for value in best if value[observer] == min(v[observer] for v in best)]
            if rule == "first-winner":
                order = [(mover + step) % players for step in range(1, players)]
                best = [max(best, key=lambda value: [value[p] for p in order])]
            outcomes.update(best)
        return frozenset(outcomes)

    return found(b"", ())


def nodes(search: Search) -> list[Node]:
    return list(search.tree.root.walk())


def check_two_players(search: Search) -> None:
    """Every bound in the tree contains the true value."""
    exact = Exact(search.game)
    for node in nodes(search):
        assert node.bounds is not None
        for player in range(search.game.players):
            value = exact.secure(node.state_sample(), player)
            assert node.bounds.lower[player] - 1e-9 <= value <= node.bounds.upper[player] + 1e-9, (node, player)


def middle(name: str, plies: int, seed: int) -> Position:
    """A position after some random moves that do not end the game."""
    game, rng = load(name), seeded(seed, stream=9)
    while True:
        position = game.start(seed)
        for _ in range(plies):
            moves = position.legal()
            position.apply(moves[int(random_below(rng, len(moves)))])
            if position.is_terminal:
                break
        else:
            return position


VERDICTS = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("tic_tac_toe", 3),
        ("mnk(4,2,3)", 2),
        ("mnk(3,4,3)", 6),
        ("domineering(3,3)", 0),
        ("clobber(2,4)", 0),
        ("pgame(3,4,5)", 0),
        ("mnk(3,3,2)", 1),
        ("connect_four", 34),
        ("othello", 54),
    ],
)
@pytest.mark.parametrize("seed", [1, 2] if JIT else [1])
def test_small_games_are_solved_as_by_minimax(name: str, plies: int, seed: int) -> None:
    position = middle(name, plies, seed)
    search = Search(position, algorithm="uct(solve)", seed=seed)
    result = search.run(iterations=ENOUGH)
    mover, exact = position.player, Exact(position.game)
    assert result.stopped_by == "proven"
    assert result.proven == VERDICTS[exact.secure(position, mover)]
    assert exact.secure(after(position, result.best.action), mover) == exact.secure(position, mover)
    for row in result.root:
        value = exact.secure(after(position, row.action), mover)
        assert row.bounds is not None
        assert row.bounds[0] <= value <= row.bounds[1]
        assert row.proven in (None, VERDICTS[value])
    check_two_players(search)


@pytest.mark.parametrize("algorithm", ["pns", "mcpns", "mcpns(playouts=1)"])
@pytest.mark.parametrize(
    ("name", "plies"),
    [("tic_tac_toe", 3), ("mnk(3,3,2)", 0), ("domineering(3,3)", 0), ("clobber(2,4)", 0), ("pgame(3,4,5)", 0), ("othello", 55)],
)
def test_proof_numbers_find_the_same(algorithm: str, name: str, plies: int) -> None:
    for seed in range(3 if JIT else 1):
        position = middle(name, plies, seed)
        search = Search(position, algorithm=algorithm, seed=seed)
        result = search.run(iterations=ENOUGH)
        mover, exact = position.player, Exact(position.game)
        assert result.stopped_by == "proven"
        assert result.proven == VERDICTS[exact.secure(position, mover)]
        assert exact.secure(after(position, result.best.action), mover) == exact.secure(position, mover)
        check_two_players(search)


@pytest.mark.parametrize("share", [0.02, 0.2, 0.6])
def test_bounds_are_right_before_all_is_proven(share: float) -> None:
    for seed in range(6 if JIT else 2):
        game = thicket(2, 3, 5, THIRDS, seed)
        whole = Search(game, solve=True, seed=seed).run(iterations=ENOUGH)
        assert whole.stopped_by == "proven"
        part = Search(game, solve=True, seed=seed)
        part.run(iterations=max(int(share * whole.iterations), 1))
        check_two_players(part)


@pytest.mark.parametrize("kind", [ONE_WINNER, WITH_DRAWS, THIRDS])
def test_two_players_whose_rewards_need_not_add_up(kind: int) -> None:
    for seed in range(8 if JIT else 3):
        game = thicket(2, 2, 6, kind, seed)
        search = Search(game, solve=True, seed=1)
        result = search.run(iterations=ENOUGH)
        assert result.stopped_by == "proven"
        assert result.bounds is not None
        assert Exact(game).secure(game.start(0), 0) == pytest.approx(sum(result.bounds) / 2, abs=2e-4)
        check_two_players(search)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", [ONE_WINNER, WITH_DRAWS, FINE])
@pytest.mark.parametrize("players", [3, 4])
def test_many_players_against_all_equilibria(rule: str, kind: int, players: int) -> None:
    proven = 0
    for seed in range(12 if JIT else 5):
        game = thicket(players, 2, 5 if kind == FINE else 4, kind, seed)
        search = Search(game, algorithm=f"uct(solve, rule={rule})", seed=1)
        result = search.run(iterations=20_000 if JIT else 1500)
        assert result.stopped_by == "proven"  # as far as it can be: the root may be left open by those who do not care
        for node in nodes(search):
            assert node.bounds is not None
            for values in equilibria(node.state_sample(), rule, 0):
                for player, value in enumerate(values):
                    assert node.bounds.lower[player] <= value <= node.bounds.upper[player], (rule, seed, node)
        values = {value[0] for value in equilibria(game.start(0), rule, 0)}
        if result.proven is not None and kind != FINE:
            assert values == {next(v for v, name in VERDICTS.items() if name == result.proven)}
        proven += result.proven is not None
    assert proven >= (12 if JIT else 5) if kind == FINE or rule == "first-winner" else proven >= 1


def test_a_node_of_chance_is_worth_the_expectation() -> None:
    for seed in range(6 if JIT else 2):
        for kind in (ONE_WINNER, WITH_DRAWS):
            game = thicket(2, 3, 5, kind, seed, dice=True)
            for options in ({}, {"chance": "even"}):
                search = Search(game, solve=True, seed=seed, **options)
                result = search.run(iterations=5000 if JIT else 1000)
                check_two_players(search)
                value = Exact(game).secure(game.start(0), 0)
                if result.stopped_by == "proven":
                    assert result.bounds is not None
                    assert value == pytest.approx(sum(result.bounds) / 2, abs=1e-3)
                    assert result.proven == (VERDICTS[value] if value in (0.0, 1.0) else None)


@pytest.mark.parametrize(
    "options",
    [
        {"lanes": 4},
        {"threads": 2},
        {"threads": 2, "parallel": "root"},
        {"strategy": "RAVE()"},
        {"strategy": "GRAVE() >> MAST()"},
        {"strategy": "NRML"},
        {"strategy": "RAVE() >> NAST(2)", "lanes": 3},
        {"strategy": "Baseline(policy=UCB1Tuned())"},
        {"algorithm": "mo"},
    ],
    ids=str,
)
def test_with_threads_lanes_and_enhancements(options: dict[str, Any]) -> None:
    for plies in (4, 5):
        position = middle("tic_tac_toe", plies, 3)
        search = Search(position, solve=True, seed=1, **options)
        result = search.run(iterations=20_000)
        assert result.stopped_by == "proven"
        assert result.proven == VERDICTS[Exact(position.game).secure(position, position.player)]
        check_two_players(search)


def test_games_of_callbacks_and_rule_sheets(tmp_path: Any) -> None:
    from tests.support import NIM

    file = tmp_path / "nim.py"
    file.write_text(NIM)
    result = icarus.search(f"{file}:Nim", algorithm="uct(solve)", iterations=2000, seed=1)
    assert (result.proven, result.best.label, result.stopped_by) == ("win", "2", "proven")
    position = load("gdl:tic_tac_toe").start()
    for _ in range(4):
        position.apply(position.legal()[0])
    result = icarus.search(position, algorithm="uct(solve)", iterations=20_000, seed=1)
    assert result.stopped_by == "proven"
    assert result.proven == VERDICTS[Exact(position.game).secure(position, position.player)]


# --- what a search does with it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"strategy": "RAVE()"}, {"strategy": "NRML"}, {"lanes": 2}], ids=str)
def test_nothing_changes_as_long_as_no_game_ends_in_the_tree(options: dict[str, Any]) -> None:
    plain, solving = (Search("othello", seed=5, solve=solve, **options) for solve in (False, True))
    for search in (plain, solving):
        search.run(iterations=300 if JIT else 40)
    assert records(plain) == records(solving)
    assert random_word(plain) == random_word(solving)
    assert solving.result().proven is None


def test_what_is_proven_is_not_searched_again() -> None:
    search = Search(middle("tic_tac_toe", 2, 4), solve=True, seed=2)
    before: dict[int, int] = {}
    settled = 0
    for _ in range(60):
        result = search.run(iterations=20)
        for row in result.root:
            if row.action in before:
                assert row.visits == before[row.action]
        before = {row.action: row.visits for row in result.root if row.proven}
        settled = max(settled, len(before))
        if result.stopped_by == "proven":
            break
    assert settled > 0
    assert result.stopped_by == "proven"
    again = search.run(iterations=1000)
    assert (again.iterations, again.stopped_by) == (0, "proven")


def test_a_win_is_said_with_its_length_and_lost_positions_last_long() -> None:
    game = load("tic_tac_toe")
    winning, losing = game.start(), game.start()
    for move in ("a1", "b1", "a2", "b2"):
        winning.apply(winning.parse_action(move))
    result = Search(winning, solve=True, seed=1).run(iterations=3000)
    assert (result.proven, result.proven_in, result.best.label) == ("win", 1, "a3")
    assert "proven win, in 1" in result._facts()
    assert "win in 1" in result._repr_html_()
    for move in ("a1", "a2", "b2", "c3", "b1"):  # two threats: O is lost in four plies whatever it does
        losing.apply(losing.parse_action(move))
    result = Search(losing, solve=True, seed=1).run(iterations=3000)
    assert (result.proven, result.proven_in) == ("loss", 2)


def test_a_kept_tree_keeps_its_proofs() -> None:
    position = load("tic_tac_toe").start()
    for move in ("a1", "a2", "b2", "c3"):
        position.apply(position.parse_action(move))
    search = Search(position, solve=True, seed=1)
    assert search.run(iterations=5000).proven == "win"
    position.apply(search.result().best.action)
    search.advance(position)
    result = search.run(iterations=5000)
    assert (result.proven, result.stopped_by) == ("loss", "proven")


def test_below_the_threshold_nothing_is_left_out() -> None:
    """MCTS-Solver's T: with one that is never reached, the search is plain UCT until its root is proven."""
    position = load("tic_tac_toe").start()
    for move in ("b2", "b1"):
        position.apply(position.parse_action(move))
    proving = Search(position, algorithm="uct(solve, threshold=1000000)", seed=2)
    found = proving.run(iterations=3000)
    assert found.stopped_by == "proven" and found.proven == "win"
    plain = Search(position, seed=2)
    plain.run(iterations=found.iterations)
    without_bounds = {key: {a: (n, m, q[:2]) for a, (n, m, q) in rows.items()} for key, rows in records(proving)[0].items()}
    assert without_bounds == records(plain)[0]
    pruned = Search(position, algorithm="uct(solve)", seed=2).run(iterations=3000)
    assert pruned.iterations <= found.iterations


@pytest.mark.parametrize(("gamma", "delta"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.5), (-0.4, 0.2)])
def test_averages_are_shifted_by_the_bounds(gamma: float, delta: float) -> None:
    """Score bounded MCTS: where something is proven the next move is the one with the largest shifted UCB1 value."""
    position = load("tic_tac_toe").start()
    for move in ("a1", "b2"):
        position.apply(position.parse_action(move))
    search, told = Search(position, algorithm=f"uct(solve, gamma={gamma}, delta={delta})", seed=1), 0
    search.run(iterations=60)
    for _ in range(700 if JIT else 60):
        rows, actor = search.result().root, search.actor
        known = [row for row in rows if row.bounds not in (None, [0.0, 1.0])]
        before = {row.action: row.visits for row in rows}
        if search.run(iterations=1).stopped_by == "proven":
            break
        after = {row.action: row.visits for row in search.result().root}
        (chosen,) = (action for action in after if after[action] > before[action])
        if not known or min(before.values()) == 0:
            continue
        least = max(row.bounds[0] for row in rows)
        total = sum(before.values())
        values = {
            row.action: row.mean[actor]
            + gamma * row.bounds[0]
            + delta * row.bounds[1]
            + 0.7 * math.sqrt(math.log(total) / row.visits)
            for row in rows
            if row.proven is None and row.bounds[1] > least
        }
        assert values[chosen] >= max(values.values()) - 1e-9
        told += 1
    assert told > 20 or not JIT


@pytest.mark.parametrize("algorithm", ["so", "pom", "mo"])
def test_information_set_searches_solve_games_that_hide_nothing(algorithm: str) -> None:
    position = load("tic_tac_toe").start()
    for move in ("b2", "b1"):
        position.apply(position.parse_action(move))
    result = Search(position, algorithm=f"{algorithm}(solve)", seed=1).run(iterations=5000)
    assert (result.proven, result.stopped_by) == ("win", "proven") and result.best.proven == "win"


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("phantom(3,3,3)", {"algorithm": "mo(solve)"}, "hides some"),
        ("phantom(3,3,3)", {"algorithm": "so", "solve": True}, "hides some"),
        ("rock_paper_scissors", {"algorithm": "uct(solve)"}, "at the same time"),
        ("phantom(3,3,3)", {"algorithm": "cheating", "solve": True}, "cheating cannot solve"),
        ("tic_tac_toe", {"algorithm": "flat", "solve": True}, "flat cannot solve; uct"),
        ("tic_tac_toe", {"algorithm": "flat(solve)"}, "takes no parameters"),
        ("connect_four", {"solve": True, "transpositions": True}, "histories"),
        ("tic_tac_toe", {"solve": True, "strategy": "Decisive(Baseline())"}, "every legal move"),
        ("tic_tac_toe", {"solve": True, "strategy": "Baseline(rewards=Paranoid())"}, "rewards as the game gives them"),
        ("backgammon", {"algorithm": "pns", "observer": 0}, "knows no odds"),
        ("phantom(3,3,3)", {"algorithm": "mcpns"}, "hides some"),
        ("tic_tac_toe", {"algorithm": "pns", "threads": 2}, "one thread"),
        ("tic_tac_toe", {"algorithm": "mcpns", "transpositions": True}, "histories"),
        ("gdl:tic_tac_toe", {"algorithm": "pns"}, "compiled functions"),
        ("tic_tac_toe", {"algorithm": "uct(gamma=0.2)"}, "about proofs; add solve"),
        ("tic_tac_toe", {"algorithm": "uct(solve, rule=odd)"}, "one of standard, paranoid, first-winner"),
    ],
)
def test_what_cannot_be_proven_is_refused_in_one_line(game: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SearchError) as problem:
        Search(game, **options)
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)
