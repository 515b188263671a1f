"""Compiling all that rule sheets need, or loading it from the cache: nothing is compiled for a particular sheet."""

from __future__ import annotations

from icarus.gdl.game import SheetGame, game_from_text, random_playouts

#: two roles that choose at the same time
TOGETHER = """
(role a) (role b) (init start) (<= (legal ?r x) (role ?r)) (<= (legal ?r y) (role ?r))
(<= (next end) (true start)) (<= terminal (true end)) (<= (goal ?r 50) (role ?r))
"""
#: the same with an environment, and roles that see only what they are shown
HIDDEN = TOGETHER + "(role random) (<= (sees ?r z) (role ?r) (does random x))"


def warm_up_sheets() -> dict[str, SheetGame]:
    """The games that were compiled, by the text of their sheets."""
    games = {}
    for text in (TOGETHER, HIDDEN):
        game = game_from_text(text, "warm-up")
        assert isinstance(game, SheetGame)
        assert game.addresses
        random_playouts(game, 1)
        games[text] = game
    return games
