"""Finding a game: by name with parameters, in a ``.py`` file, as ``package.module:name``, or a rule sheet (``.kif``; ``gdl:NAME``
for one that comes with Icarus)."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from icarus.errors import GameError, IcarusError
from icarus.game import Game

#: name -> module:factory; games are imported only when they are asked for
GAMES = {
    "backgammon": "icarus.games.backgammon:backgammon",
    "breakthrough": "icarus.games.breakthrough:breakthrough",
    "checkers": "icarus.games.checkers:checkers",
    "confrontation": "icarus.games.confrontation:confrontation",
    "connect_four": "icarus.games.connect_four:connect_four",
    "doudizhu": "icarus.games.doudizhu:doudizhu",
    "figure3": "icarus.games.figures:figure3",
    "goofspiel": "icarus.games.goofspiel:goofspiel",
    "hearts": "icarus.games.hearts:hearts",
    "hearts_round": "icarus.games.hearts:hearts_round",
    "hex": "icarus.games.hex:hex",
    "kuhn_poker": "icarus.games.kuhn_poker:kuhn_poker",
    "liars_dice": "icarus.games.liars_dice:liars_dice",
    "matching_pennies": "icarus.games.matrix:matching_pennies",
    "matrix": "icarus.games.matrix:matrix",
    "mnk": "icarus.games.mnk:mnk",
    "othello": "icarus.games.othello:othello",
    "pgame": "icarus.games.pgame:pgame",
    "phantom": "icarus.games.phantom:phantom",
    "rock_paper_scissors": "icarus.games.matrix:rock_paper_scissors",
    "strategy_fusion": "icarus.games.figures:strategy_fusion",
    "tic_tac_toe": "icarus.games.mnk:tic_tac_toe",
}


def load(text: str) -> Game:
    """The game that ``text`` names.

    ``othello``, ``phantom(4,4,4)``, ``mygame.py``, ``mygame.py:name``, ``package.module:name(3)``, ``rules.kif``, ``gdl:zhadu``,
    ``openspiel:hearts``; parameters are plain values.
    """
    if isinstance(text, Game):
        return text
    if text.strip().endswith(".kif") or text.strip().startswith("gdl:"):
        from icarus.gdl.game import load_sheet
        from icarus.gdl.sheets import find_sheet

        return load_sheet(find_sheet(text.strip()))
    if text.strip().startswith("openspiel:"):
        from icarus.bridges.openspiel import openspiel_game

        return openspiel_game(text)
    place, positional, named = _split(text)
    factory = _find(place)
    if isinstance(factory, Game):
        if positional or named:
            raise GameError(f"the game {place!r} takes no parameters")
        return factory
    return _build(place, factory, positional, named)


def _split(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """``name(1, k=2)`` -> name, [1], {"k": 2}."""
    place, bracket, rest = text.strip().partition("(")
    place = place.strip()
    if not bracket:
        return place, [], {}
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
        if not isinstance(call, ast.Call) or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError
        positional = [ast.literal_eval(argument) for argument in call.args]
        return place, positional, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError):
        raise GameError(
            f"cannot read the game {text!r}; write a name with plain parameters, such as mnk(4,4,4) or hex(n=7)"
        ) from None


def _find(place: str) -> Any:
    path, colon, name = place.rpartition(":")
    if place.endswith(".py") or (colon and path.endswith(".py")):
        return _in_module(import_file(Path(path if colon else place)), name if colon else "", place)
    if colon:
        try:
            module = importlib.import_module(path)
        except ImportError as problem:
            raise GameError(f"cannot import {path!r} for the game {place!r}: {problem}") from None
        return _in_module(module, name, place)
    if place in GAMES:
        module_name, _, name = GAMES[place].partition(":")
        return getattr(importlib.import_module(module_name), name)
    near = get_close_matches(place, GAMES, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`icarus games` lists them; your own can be a file (mygame.py)"
    raise GameError(f"there is no game {place!r}; {hint}")


def import_file(file: Path) -> Any:
    """The module of a user's file, imported once."""
    if not file.is_file():
        raise GameError(f"there is no file {str(file)!r}")
    file = file.resolve()
    # cached machine code remembers its module by name, so the name must be the same in every process
    name = f"icarus_user_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise GameError(f"{str(file)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except IcarusError:
        del sys.modules[name]
        raise
    except Exception as problem:
        del sys.modules[name]
        raise GameError(f"{file.name} cannot be imported: {type(problem).__name__}: {problem}") from None
    finally:
        sys.path.remove(str(file.parent))
    return module


def _in_module(module: Any, name: str, place: str) -> Any:
    """A game, a factory or a class of states in a module; without a name the only one there is."""
    if name:
        if not hasattr(module, name):
            raise GameError(f"there is no {name!r} in {place.rpartition(':')[0]!r}")
        return getattr(module, name)
    if hasattr(module, "game"):
        return module.game
    own: list[Any] = [value for value in vars(module).values() if isinstance(value, Game)]
    if not own:
        own = [
            value
            for value in vars(module).values()
            if inspect.isclass(value) and value.__module__ == module.__name__ and is_state_class(value)
        ]
    if not own:
        own = [
            value
            for value in vars(module).values()
            if inspect.isfunction(value)
            and value.__module__ == module.__name__
            and inspect.signature(value).return_annotation in ("Game", Game)
        ]
    if len(own) != 1:
        found = "no game" if not own else f"{len(own)} games"
        raise GameError(f"{place!r} holds {found}; define `game = ...` there, or name one as {place}:name")
    return own[0]


def is_state_class(value: Any) -> bool:
    """A plain Python class with the methods of a game state."""
    return all(callable(getattr(value, method, None)) for method in ("player", "legal", "apply", "terminal", "rewards"))


def _build(place: str, factory: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> Game:
    if inspect.isclass(factory) and is_state_class(factory):
        from icarus.python_game import python_game

        return python_game(factory, *positional, **named)
    if not callable(factory):
        raise GameError(f"{place!r} is neither a game nor a function that makes one")
    try:
        inspect.signature(factory).bind(*positional, **named)
    except TypeError as problem:
        raise GameError(f"{place}{inspect.signature(factory)}: {problem}") from None
    try:
        game = factory(*positional, **named)
    except IcarusError:
        raise
    except Exception as problem:
        raise GameError(f"{place}: {type(problem).__name__}: {problem}") from None
    if not isinstance(game, Game):
        raise GameError(f"{place!r} makes a {type(game).__name__}, not a Game")
    return game
