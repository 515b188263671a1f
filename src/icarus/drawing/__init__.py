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

A game of one's own says what lies where with :class:`Grid`, :class:`Cards` or an SVG (``own.py``).

Nothing is drawn that the observer may not know: two positions that the observer cannot tell apart have the same drawing.  Players
have the colours that their names say, or those of the palette; pages ask :func:`player_colours` for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from icarus.drawing.kit import PALETTE, PUBLIC, Several, player_colours
from icarus.drawing.own import Cards, Grid, Piece
from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position

__all__ = [
    "PALETTE",
    "PUBLIC",
    "Cards",
    "Grid",
    "Piece",
    "Several",
    "combined",
    "draw",
    "moves",
    "player_colours",
    "several",
]

#: by the module of the game's own ``render``: whoever shares its text shares its layout of the state, and so its drawing
FAMILIES = {
    "icarus.games.amazons": "amazons",
    "icarus.games.backgammon": "backgammon",
    "icarus.games.battleship": "battleship",
    "icarus.games.breakthrough": "breakthrough",
    "icarus.games.checkers": "checkers",
    "icarus.games.clobber": "clobber",
    "icarus.games.confrontation.people": "confrontation",
    "icarus.games.connect_four": "connect_four",
    "icarus.games.dark_hex": "dark_hex",
    "icarus.games.domineering": "domineering",
    "icarus.games.doudizhu": "doudizhu",
    "icarus.games.go": "go",
    "icarus.games.goofspiel": "goofspiel",
    "icarus.games.hanabi": "hanabi",
    "icarus.games.havannah": "havannah",
    "icarus.games.hearts": "hearts",
    "icarus.games.hex": "hex",
    "icarus.games.kuhn_poker": "kuhn_poker",
    "icarus.games.leduc_poker": "leduc_poker",
    "icarus.games.leftright": "leftright",
    "icarus.games.liars_dice": "liars_dice",
    "icarus.games.lines_of_action": "lines_of_action",
    "icarus.games.mancala": "mancala",
    "icarus.games.matrix": "matrix",
    "icarus.games.mnk": "mnk",
    "icarus.games.oh_hell": "oh_hell",
    "icarus.games.oshi_zumo": "oshi_zumo",
    "icarus.games.othello": "othello",
    "icarus.games.phantom": "phantom",
    "icarus.games.phantom_go": "phantom_go",
    "icarus.games.sum_of_switches": "sum_of_switches",
    "icarus.games.tron": "tron",
    "icarus.gdl.game": "sheet",
}


MOST_TRIED = 500  #: positions that are tried for a choice of several things
#: families whose games hide something, and that know what of it everybody may see
OPEN_TO_ALL = (
    "battleship",
    "confrontation",
    "dark_hex",
    "doudizhu",
    "goofspiel",
    "hanabi",
    "hearts",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "matrix",
    "oh_hell",
    "oshi_zumo",
    "phantom",
    "phantom_go",
    "sheet",
    "tron",
)


class Family(Protocol):
    """What each of the files offers; ``seat`` is who sits below."""

    def picture(self, position: Position, observer: int | None, seat: int | None) -> str: ...

    def keys(self, position: Position) -> dict[int, list[str]]: ...


def draw(position: Position, observer: int | None = None, *, seat: int | None = None, narrow: bool = False) -> str:
    """The position as an observer knows it: a player, None for someone who may see everything, ``PUBLIC`` for a stranger.

    The observer's side is below, or that of ``seat``.  What a stranger may see is empty where nobody has said what that is.
    ``narrow``: for a phone, where the game has a drawing that is higher than wide.
    """
    game = position.game
    for player in (observer, seat):
        if player is not None and player != PUBLIC and not 0 <= player < game.players:
            raise GameError(f"there is no player {player} in {game.name}; players are 0 to {game.players - 1}")
    secret = game.hidden_information or game.partially_observable_moves
    if observer == PUBLIC and not secret:
        observer = None
    if observer == PUBLIC and _family_name(position) not in OPEN_TO_ALL:
        return ""
    family = _family(position)
    picture = getattr(family, "narrow", family.picture) if narrow else family.picture
    return str(picture(position, observer, observer if seat is None and observer != PUBLIC else seat))


def moves(position: Position) -> dict[int, list[str]]:
    """The legal actions of whoever acts, each with the keys that are clicked for it, in order.

    The list is empty where an action has no place on the drawing.  Actions may begin alike, or even be clicked alike: then their
    labels tell them apart.
    """
    legal = [] if position.player == ENVIRONMENT else position.legal()
    known = _family(position).keys(position) if legal else {}
    return {action: known.get(action, []) for action in legal}


def several(position: Position) -> Several | None:
    """What whoever acts may choose several of, in any order, where the game has it so."""
    offer = getattr(_family(position), "several", None)
    return None if offer is None or position.is_terminal or position.player == ENVIRONMENT else offer(position)


def combined(position: Position, chosen: Sequence[str]) -> list[int] | None:
    """The actions, one after the other, that use up exactly what was chosen (keys) and end the turn; None if there are none."""
    if not chosen:
        return None
    waiting: list[tuple[Position, Counter[str], list[int]]] = [(position, Counter(chosen), [])]
    for _ in range(MOST_TRIED):
        if not waiting:
            return None
        at, left, played = waiting.pop(0)
        for action, keys in moves(at).items():
            if keys and not Counter(keys) - left:
                after, rest = at.copy().apply(action), left - Counter(keys)
                if rest and after.player == position.player:
                    waiting.append((after, rest, [*played, action]))
                elif not rest and (after.is_terminal or after.player != position.player):
                    return [*played, action]
    return None


def _family_name(position: Position) -> str:
    if position.game.draw is not None:
        return "own"
    return FAMILIES.get(getattr(position.game.render, "__module__", ""), "generic")


def _family(position: Position) -> Family:
    return cast(Family, import_module(f"icarus.drawing.{_family_name(position)}"))
