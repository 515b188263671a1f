"""Spaces: templates read as they are written, inner choices exist where they should, and a game gets only what it can serve."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from icarus.arena.players import Player
from icarus.loading import load
from icarus.strategy.base import Strategy
from icarus.strategy.expression import read_strategy, vocabulary
from icarus.tune.errors import TuneError
from icarus.tune.space import NOT_THERE
from icarus.tune.template import default_template, read_space

BUDGET = Player(iterations=20)
TEMPLATE = "{Baseline, RAVE(k={50,250,1000}), GRAVE} >> {Uniform, MAST, NAST(n={2,3})} × c={0.4,0.7,1}"


def test_a_template_means_all_combinations_of_its_alternatives() -> None:
    space = read_space(TEMPLATE, BUDGET)
    assert [d.name for d in space.dimensions] == ["tree", "RAVE.k", "simulation", "NAST.n", "c"]
    players = {str(space.player(point)) for point in space.points()}
    assert len(players) == space.size == 5 * 4 * 3
    assert "[RAVE(k=50, c=1) >> NAST(n=3)]@20" in players
    assert "[Baseline(c=0.4)]@20" in players  # (random playouts are what there is without more)


def test_an_inner_choice_exists_only_behind_its_outer_one() -> None:
    space = read_space(TEMPLATE, BUDGET)
    assert space.canonical([0, 2, 1, 1, 0]) == (0, NOT_THERE, 1, NOT_THERE, 0)
    assert space.describe((1, 2, 0, NOT_THERE, 0)) == {
        "tree": "RAVE(k={50,250,1000})",
        "RAVE.k": "1000",
        "simulation": "Uniform",
        "c": "0.4",
    }


def test_settings_choose_algorithms_and_how_nodes_are_named() -> None:
    space = read_space("Baseline x algorithm={so,mo,determinized(5)} x final={robust,max} x keep={false,true}", BUDGET)
    assert space.size == 12
    assert str(space.player((2, 1, 1))) == "determinized(5)[Baseline()]@20,keep,max"


def test_what_a_game_cannot_serve_is_left_out_with_the_reason() -> None:
    space = read_space("{Baseline, ProgressiveBias} >> {Uniform, EPIC, MAST} x algorithm={uct,mo}", BUDGET)
    space.serve(load("kuhn_poker"))
    left = {d.name: [d.values[i] for i in d.usable] for d in space.dimensions}
    assert left == {"tree": ["Baseline"], "simulation": ["Uniform", "MAST"], "algorithm": ["mo"]}
    assert [row["alternative"] for row in space.left_out] == ["ProgressiveBias", "EPIC", "uct"]
    assert "heuristic" in space.left_out[0]["why"]


def test_knowledge_is_tried_where_a_game_has_it() -> None:
    def simulations(game: str) -> str:
        loaded = load(game)
        space = read_space(default_template(loaded), BUDGET).serve(loaded)
        dimension = next(d for d in space.dimensions if d.name == "simulation")
        return " ".join(dimension.values[i] for i in dimension.usable)

    assert "Cutoff(plies=*)" in simulations("othello") and "GreedyPlayouts" in simulations("breakthrough")
    assert "Suggested" in simulations("hex(4)") and "Cutoff" not in simulations("doudizhu")


def test_every_number_that_an_enhancement_or_a_policy_takes_has_values_to_try() -> None:
    for name, kind in vocabulary().items():
        numbers = {item.name for item in (fields(kind) if is_dataclass(kind) else ()) if item.type in ("float", "int")}
        assert numbers <= set(kind.grid), name


def test_declared_grids_read_and_every_value_is_allowed() -> None:
    declared = {name: kind for name, kind in vocabulary().items() if kind.grid}
    for name, kind in declared.items():
        for parameter, values in kind.grid.items():
            for value in values:
                kind(**{parameter: value})
            if issubclass(kind, Strategy):
                before = "" if kind.place == "tree" or name in ("HRAVE",) else "Baseline >> "
                read_space(f"{before}{name}({parameter}=*)", BUDGET)


def test_the_default_space_of_every_kind_of_game_can_be_played() -> None:
    rng = np.random.default_rng(0)
    for name in ("tic_tac_toe", "kuhn_poker", "goofspiel(3)"):
        space = read_space(default_template(load(name)), BUDGET).serve(load(name))
        for _ in range(5):
            player = space.player(space.random_point(rng))
            read_strategy(player.strategy)
            player.check(load(name))


def test_a_file_says_the_same(tmp_path) -> None:
    file = tmp_path / "space.toml"
    file.write_text('strategy = "{Baseline, GRAVE}"\nc = [0.4, 0.7]\ntranspositions = [false, true]\n')
    assert read_space(str(file), BUDGET).text == "{Baseline, GRAVE} × c={0.4,0.7} × transpositions={false,true}"
    file.write_text("sedd = 3")
    with pytest.raises(TuneError, match="unknown entry 'sedd'"):
        read_space(str(file), BUDGET)
    with pytest.raises(TuneError, match="cannot read the space"):
        read_space(str(tmp_path / "none.toml"), BUDGET)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "empty"),
        ("Baseline", "nothing to choose"),
        ("{Baseline, GRAVE", "not closed"),
        ("{Baseline, }", "empty alternative"),
        ("{Baseline, Foo}", "Foo"),
        ("{Baseline, Baseline}", "twice"),
        ("{Baseline, GRAVE} x colour={1,2}", "no setting"),
        ("Baseline(leaf=*)", "declares no values"),
        ("Baseline x keep={yes,no}", "true,false"),
        ("RAVE(k={-1,5})", "out of range"),
    ],
)
def test_a_space_that_does_not_read_is_one_line(text: str, reason: str) -> None:
    with pytest.raises(TuneError) as problem:
        read_space(text, BUDGET)
    assert reason in str(problem.value)
    assert "\n" not in str(problem.value)


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(TuneError, match="space"):
        read_space("{Baseline, ProgressiveBias}", BUDGET).serve(load("tic_tac_toe"))


def test_only_values_above_zero_are_refined_between() -> None:
    space = read_space("Baseline >> {Cutoff(plies=*), Suggested(p=*)}", BUDGET)
    assert {d.name: d.continuous for d in space.dimensions if "." in d.name} == {"Cutoff.plies": False, "Suggested.p": True}
