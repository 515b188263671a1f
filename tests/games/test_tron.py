"""Tron: beside a slow and obvious transcription of its rules, and determinization beside counting."""

from __future__ import annotations

import pytest

from icarus.errors import GameError
from icarus.games.tron import CRASH, EAST, HIDDEN, NORTH, SOUTH, WEST, tron
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.support import assert_uniform

GAMES = 500 if JIT else 40
STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}


class Slow:
    """The rules over a dictionary of cells."""

    def __init__(self, rows: list[str]) -> None:
        self.cells = {(x, y): what for y, row in enumerate(rows) for x, what in enumerate(row)}
        self.riders = [next(place for place, what in self.cells.items() if what == name) for name in "12"]
        self.rewards: list[float] | None = None

    def ahead(self, who: int, direction: int) -> tuple[int, int]:
        (x, y), (dx, dy) = self.riders[who], STEPS[direction]
        return x + dx, y + dy

    def legal(self, who: int) -> list[int]:
        return [direction for direction in STEPS if self.cells.get(self.ahead(who, direction)) == "."] or [CRASH]

    def move(self, choices: list[int]) -> None:
        places = [None if choice == CRASH else self.ahead(who, choice) for who, choice in enumerate(choices)]
        crashed = [place is None or places[0] == places[1] for place in places]
        for who, place in enumerate(places):
            if place is not None:
                self.cells[place], self.riders[who] = "x", place
        if any(crashed):
            self.rewards = [0.5, 0.5] if all(crashed) else [float(crashed[1]), float(crashed[0])]


@pytest.mark.parametrize("rows", [["1..", "...", "..2"], ["1....", ".##..", "....2"], ["1.2"] + ["..."] * 3])
def test_moves_and_ends_agree_with_the_slow_rules(rows: list[str]) -> None:
    game, rng = tron(";".join(rows)), seeded(1)
    ends = set()
    for _ in range(GAMES):
        position, slow = game.start(), Slow(rows)
        while slow.rewards is None:
            choices = []
            for who in range(2):
                assert not position.is_terminal and position.player == who and position.legal() == slow.legal(who)
                choices.append(position.legal()[int(random_below(rng, len(position.legal())))])
                position.apply(choices[-1])
            slow.move(choices)
        assert position.is_terminal and position.rewards() == slow.rewards
        assert len(position.history) <= game.max_plies
        ends.add(tuple(slow.rewards))
    assert len(ends) > 1


def test_a_choice_is_hidden_until_both_have_chosen() -> None:
    position = tron("...;.1.;..2").start()
    position.apply(NORTH)
    assert position.history[-1][2] == (NORTH, HIDDEN)
    assert "north" not in position.render(1) and "north" in position.render(0)
    rng = seeded(2)
    assert_uniform([int(position.determinize(1, rng).named.choice) - 1 for _ in range(400)], [NORTH, EAST, SOUTH, WEST])


@pytest.mark.parametrize("text", ["1x1", "99x99", "12", "1..;2", "1.2;.3.", "..;..", "1x"])
def test_maps_that_do_not_read_are_refused(text: str) -> None:
    with pytest.raises(GameError, match="tron"):
        tron(text)
