"""Compiling all that rule sheets need, or loading it from the cache: nothing is compiled for a particular sheet."""

from __future__ import annotations

from icarus.gdl.game import SheetGame, game_from_text, random_playouts
from icarus.gdl.machine import machine_game, machine_plan
from icarus.gdl.reader import read_rules
from icarus.gdl.rule_game import RuleGame

#: two roles that choose at the same time
TOGETHER = """
(role a) (role b) (init start) (<= (legal ?r x) (role ?r)) (<= (legal ?r y) (role ?r))
(<= (next end) (true start)) (<= terminal (true end)) (<= (goal ?r 50) (role ?r))
"""
#: the same with an environment, and roles that see only what they are shown
HIDDEN = TOGETHER + "(role random) (<= (sees ?r z) (role ?r) (does random x))"


def warm_up_sheets() -> list[tuple[str, RuleGame]]:
    """The games that were compiled, with the texts of their sheets: each with a network, and by joins."""
    games: list[tuple[str, RuleGame]] = []
    for text in (TOGETHER, HIDDEN):
        network = game_from_text(text, "warm-up")
        assert isinstance(network, SheetGame)
        random_playouts(network, 1)
        games += [(text, network), (text, machine_game(machine_plan(read_rules(text, "warm-up")), "warm-up"))]
    for _, game in games:
        assert game.addresses
    return games
