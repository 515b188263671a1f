"""Positions as SVG drawings, for notebooks and for the browser; one file per family of games and one for all others.

>>> import icarus
>>> from icarus.drawing import draw
>>> draw(icarus.load("tic_tac_toe").start()).startswith("<svg")
True

A drawing is one ``<svg>`` element with a ``viewBox`` and no size of its own.  Its colours are CSS variables (``kit.py``), light
and dark.  What can be clicked:

=====================  ====================================================================================================
``data-action="ID"``   a click on the element alone is the legal action ``ID`` of the observer
``data-square="KEY"``  a click that is part of a move of several; ``moves`` says which keys make up which action.  The class
                       ``can`` marks where an action begins; a page may add ``selected`` and ``target`` while a move is made
=====================  ====================================================================================================

Nothing is drawn that the observer may not know: two positions that the observer cannot tell apart have the same drawing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position

#: by the module of the game's own ``render``: whoever shares its text shares its layout of the state, and so its drawing
FAMILIES = {
    "icarus.games.backgammon": "backgammon",
    "icarus.games.breakthrough": "breakthrough",
    "icarus.games.checkers": "checkers",
    "icarus.games.confrontation.people": "confrontation",
    "icarus.games.connect_four": "connect_four",
    "icarus.games.doudizhu": "doudizhu",
    "icarus.games.goofspiel": "goofspiel",
    "icarus.games.hearts": "hearts",
    "icarus.games.hex": "hex",
    "icarus.games.kuhn_poker": "kuhn_poker",
    "icarus.games.liars_dice": "liars_dice",
    "icarus.games.mnk": "mnk",
    "icarus.games.othello": "othello",
    "icarus.games.phantom": "phantom",
    "icarus.gdl.game": "sheet",
}


class Family(Protocol):
    """What each of the files offers."""

    def picture(self, position: Position, observer: int | None) -> str: ...

    def keys(self, position: Position) -> dict[int, list[str]]: ...


def draw(position: Position, observer: int | None = None) -> str:
    """The position as an observer (a seat, or None for someone who may see everything) knows it."""
    if observer is not None and not 0 <= observer < position.game.players:
        raise GameError(f"there is no player {observer} in {position.game.name}; players are 0 to {position.game.players - 1}")
    return _family(position).picture(position, observer)


def moves(position: Position) -> dict[int, list[str]]:
    """The legal actions of whoever acts, each with the keys that are clicked for it, in order.

    The list is empty where an action has no place on the drawing.  Actions may begin alike, or even be clicked alike: then their
    labels tell them apart.
    """
    legal = [] if position.player == ENVIRONMENT else position.legal()
    known = _family(position).keys(position) if legal else {}
    return {action: known.get(action, []) for action in legal}


def _family(position: Position) -> Family:
    place = getattr(position.game.render, "__module__", "")
    return cast(Family, import_module(f"icarus.drawing.{FAMILIES.get(place, 'generic')}"))
