"""Transpositions: positions are worth what all ways to them found, nothing changes where there is one way, and cycles end."""

from __future__ import annotations

from typing import Any

import pytest

import icarus
from icarus.engine.layout import Block, Node, OwnPosition, Record
from icarus.errors import SearchError
from icarus.game import Game, Layout, Word, compiled, mix, size_of
from icarus.jit import JIT
from icarus.loading import load
from icarus.search import Search
from tests.oracle.engine import records

FEW = 2000 if JIT else 100


class Path(Layout):
    branching = Word()
    depth = Word()
    key = Word()
    plies = Word()


def bush(branching: int = 3, depth: int = 6) -> Game:
    """A tree whose positions are all different."""
    return Game(
        name="bush", players=2, parameters=(branching, depth, 7), layout=Path, state_size=size_of(Path), max_actions=branching,
        max_plies=depth, initial=initial, player=player, legal=legal, apply=apply, terminal=terminal, rewards=rewards, key=key,
    )  # fmt: skip


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


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
def terminal(state):
    return state.plies == state.depth


@compiled
def rewards(state, out):
    out[0] = float((state.key >> 33) & 1)
    out[1] = 1.0 - out[0]


@compiled
def key(state):
    return state.key


# --- going round in circles ------------------------------------------------------------------------------------------


class Ring(Layout):
    place = Word()
    plies = Word()


def ring(steps: int = 40) -> Game:
    """Five places in a ring, one step left or right at a time; after some steps who is at an even place wins."""
    return Game(
        name="ring", players=2, parameters=(), layout=Ring, state_size=size_of(Ring), max_actions=2, max_plies=40,
        initial=initial, player=player, legal=two_ways, apply=walk, terminal=forty, rewards=by_place, key=place_and_turn,
    )  # fmt: skip


@compiled
def two_ways(state, actions):
    actions[0], actions[1] = 0, 1
    return 2


@compiled
def walk(state, action):
    state.place = (state.place + (1 if action == 1 else 4)) % 5
    state.plies += 1


@compiled
def forty(state):
    return state.plies == 40


@compiled
def by_place(state, out):
    out[0] = 1.0 if state.place & 1 == 0 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def place_and_turn(state):
    return state.place * 2 + (state.plies & 1)


# --- what is true of every search ------------------------------------------------------------------------------------


def edges_of(search: Search) -> dict[int, list[tuple[int, int]]]:
    """For each node, by its offset, the records there and the nodes that they lead to (0: none yet)."""
    table = search.team.tables[0]
    pool, width = table.pool, int(table.meta.width)
    found: dict[int, list[tuple[int, int]]] = {}
    for context in table.contexts().tolist():
        block = int(Node(pool, context).block)
        rows = found.setdefault(context, [])
        if block:
            first = block + size_of(Block)
            for offset in range(first, first + int(Block(pool, block).capacity) * width, width):
                rows.append((offset, int(Record(pool, offset).following)))
    return found


def linked(search: Search, offset: int) -> bool:
    return bool(search.team.tables[0].pool[offset + 2 + search.game.players + len(search.plan.statistics)])


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("strategy", ["-", "Baseline(policy=UCBV())", "RAVE()"])
def test_a_tree_without_transpositions_is_searched_as_ever(level: int, strategy: str) -> None:
    # the inlined UCB1 takes its roots from a table: the formula itself is what positions are chosen by
    exact = "Baseline(policy=UCBV())" if strategy == "-" and level > 1 else strategy
    plain, shared = (Search(bush(), strategy=exact, seed=3, transpositions=t) for t in (0, level))
    for search in (plain, shared):
        search.run(iterations=FEW)
    rows = [sorted((row.visits, row.availability, tuple(row.mean)) for row in search.result().root) for search in (plain, shared)]
    if strategy == "RAVE()" and level > 1:
        assert sum(row[0] for row in rows[1]) == FEW
        return
    assert rows[0] == rows[1]
    mine, other = (sorted(map(repr, (list(c.values()) for c in records(s)[0].values()))) for s in (plain, shared))
    assert mine == other


@pytest.mark.parametrize("name", ["connect_four", "clobber(3,3)", "leftright(10)", "othello"])
def test_a_position_is_worth_what_all_ways_to_it_found(name: str) -> None:
    search = Search(name, seed=1, transpositions=2)
    search.run(iterations=FEW)
    pool, met = search.team.tables[0].pool, 0
    visits: dict[int, int] = {}
    rewards: dict[int, float] = {}
    for rows in edges_of(search).values():
        for offset, node in rows:
            if node and linked(search, offset):
                visits[node] = visits.get(node, 0) + int(Record(pool, offset).visits)
                rewards[node] = rewards.get(node, 0.0) + float(Record(pool, offset).reward[0])
                met += 1
    assert met > len(visits) or name != "leftright(10)"  # some are reached in several ways
    for node, total in visits.items():
        own = OwnPosition(pool, int(Node(pool, node).proof))
        assert int(own.visits) == total
        assert float(own.reward[0]) == pytest.approx(rewards[node])


@pytest.mark.parametrize("name", ["connect_four", "clobber(3,3)", "leftright(10)"])
def test_what_leads_to_a_position_is_refreshed(name: str) -> None:
    search = Search(name, seed=1, transpositions=3)
    search.run(iterations=FEW)
    pool, players = search.team.tables[0].pool, search.game.players
    checked = 0
    for node, rows in edges_of(search).items():
        if not int(Node(pool, node).proof):
            continue
        own = OwnPosition(pool, int(Node(pool, node).proof))
        total, count = float(own.reward[players]), int(own.first_visits)
        for offset, following in rows:
            record = Record(pool, offset)
            tried = int(record.visits)
            if following and linked(search, offset):
                there = OwnPosition(pool, int(Node(pool, following).proof))
                total += tried * float(there.reward[0]) / int(there.visits)
            else:
                total += float(record.reward[0])
            count += tried
        assert int(own.visits) == count
        assert float(own.reward[0]) == pytest.approx(total, abs=1e-6)
        checked += 1
    assert checked > 10


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("options", [{}, {"lanes": 3}], ids=str)
def test_a_cycle_cannot_hang_a_search(level: int, options: dict[str, Any]) -> None:
    if options and level > 1:
        pytest.skip("one lane only")
    result = Search(ring(), seed=1, transpositions=level, **options).run(iterations=FEW // 10)
    assert result.iterations == FEW // 10
    assert result.tree_depth <= 40


@pytest.mark.parametrize("level", [1, 2, 3])
def test_fewer_nodes_and_the_same_move(level: int) -> None:
    plain = icarus.search("leftright(12)", iterations=FEW, seed=1)
    shared = icarus.search("leftright(12)", algorithm=f"uct(transpositions={level})", iterations=FEW, seed=1)
    assert shared.algorithm == f"uct(transpositions={level})"
    assert shared.records < plain.records * (0.5 if JIT else 1.0)
    assert shared.best.mean[0] >= plain.best.mean[0] - 0.2


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("phantom(3,3,3)", {"transpositions": 2, "algorithm": "mo"}, "everybody sees"),
        ("pgame(3,4,5)", {"transpositions": 2}, "'key'"),
        ("connect_four", {"transpositions": 4}, "1, 2 and 3"),
        ("connect_four", {"algorithm": "uct(transpositions=4)"}, "must be 0 to 3"),
        ("connect_four", {"transpositions": 2, "threads": 2}, "one thread"),
        ("connect_four", {"transpositions": 3, "lanes": 2}, "one lane"),
        ("connect_four", {"algorithm": "uct(solve, transpositions=2)"}, "histories"),
    ],
)
def test_what_cannot_be_shared_is_refused_in_one_line(game: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SearchError) as problem:
        Search(load(game), **options)
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)
