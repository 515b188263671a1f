"""Three players: paranoid, allied and confident searches against brute force on a small tree."""

from __future__ import annotations

import itertools

import pytest

import icarus
from icarus.confident import confident
from icarus.errors import SearchError
from icarus.jit.randomness import mix
from icarus.python_game import python_game
from icarus.search import Search

DEPTH, BRANCHES = 3, 2


class Triangle:
    """Three players choose one of two branches each; the rewards of a leaf are a hash of the path."""

    players = 3
    seed = 0

    def __init__(self):
        self.path = ()

    def player(self):
        return len(self.path) % 3

    def legal(self):
        return list(range(BRANCHES))

    def apply(self, action):
        self.path = (*self.path, action)

    def terminal(self):
        return len(self.path) == DEPTH

    def rewards(self):
        return leaf(self.path, self.seed)


def leaf(path, seed):
    key = seed
    for action in path:
        key = int(mix(key, action + 1))
    return [(int(mix(key, 77 + i)) & 7) / 7 for i in range(3)]


def best(path, seed, worth):
    """Brute force: everyone maximises its own number of ``worth(rewards)``; None where two moves are equally good."""
    if len(path) == DEPTH:
        return leaf(path, seed)
    player = len(path) % 3
    below = [best((*path, action), seed, worth) for action in range(BRANCHES)]
    if any(rewards is None for rewards in below):
        return None
    values = sorted((worth(rewards)[player], action) for action, rewards in enumerate(below))
    if values[-1][0] - values[-2][0] < 0.1:
        return None
    return below[values[-1][1]]


def root_move(seed, worth):
    below = [best((action,), seed, worth) for action in range(BRANCHES)]
    if any(rewards is None for rewards in below):
        return None
    values = sorted((worth(rewards)[0], action) for action, rewards in enumerate(below))
    return values[-1][1] if values[-1][0] - values[-2][0] > 0.1 else None


MAPS = {
    "-": lambda r: r,
    "Baseline(rewards=Paranoid())": lambda r: [r[0], 1 - r[0], 1 - r[0]],
    "Baseline(rewards=Alliance('0 1 1'))": lambda r: [r[0], (r[1] + r[2]) / 2, (r[1] + r[2]) / 2],
    "Baseline(rewards=Alliance('0 0 1'))": lambda r: [(r[0] + r[1]) / 2, (r[0] + r[1]) / 2, r[2]],
}


@pytest.mark.parametrize("strategy", MAPS)
def test_a_search_plays_what_brute_force_finds_for_its_map_of_rewards(strategy: str) -> None:
    worth, agreed = MAPS[strategy], 0
    for seed in range(400):
        wanted = root_move(seed, worth)
        if wanted is None:
            continue
        Triangle.seed = seed
        found = Search(python_game(Triangle), strategy=strategy, seed=1).run(iterations=300)
        assert found.best.action == wanted, (strategy, seed)
        agreed += 1
        if agreed == 2:
            return
    raise AssertionError("no tree was clear enough")


def test_the_maps_differ() -> None:
    plain, *others = MAPS.values()
    for worth in others:
        pairs = [(root_move(seed, plain), root_move(seed, worth)) for seed in range(300)]
        assert any(None not in pair and pair[0] != pair[1] for pair in pairs)


def test_a_confident_player_takes_the_partner_that_looks_best() -> None:
    Triangle.seed = 3
    found = confident(python_game(Triangle), iterations=600)
    assert set(found.searches) == {1, 2}
    assert found.best.mean[0] == max(result.best.mean[0] for result in found.searches.values())
    for partner, result in found.searches.items():
        other = 3 - partner
        assert all(row.mean[0] == pytest.approx(row.mean[partner]) for row in result.root), "the two share"
        assert any(abs(row.mean[0] - row.mean[other]) > 0.01 for row in result.root)
    with pytest.raises(SearchError, match="three and more"):
        confident("connect_four", iterations=10)


def test_the_peasants_of_dou_di_zhu_are_a_team_that_shares_already() -> None:
    game = icarus.load("doudizhu(landlord=1)")
    assert list(game.teams) == [1, 0, 1]
    plain, allied = (
        Search("doudizhu", strategy=strategy, seed=1).run(iterations=40) for strategy in ("-", "Baseline(rewards=Alliance())")
    )
    assert [(r.action, r.visits, r.mean) for r in plain.root] == [(r.action, r.visits, r.mean) for r in allied.root]


def test_every_order_of_teams_is_understood() -> None:
    for teams in itertools.permutations("012"):
        Search("doudizhu", strategy=f"Baseline(rewards=Coalition('{','.join(teams)}'))")
