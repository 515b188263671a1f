"""Finding a game: by name with parameters, in a ``.py`` file, as ``package.module:name``, or a rule sheet (``.kif``; ``gdl:NAME``
for one that comes with Icarus)."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from icarus.errors import GameError, IcarusError
from icarus.game import Game
from icarus.trust import OWN, Trust

#: name -> module:factory; games are imported only when they are asked for
GAMES = {
    "amazons": "icarus.games.amazons:amazons",
    "atarigo": "icarus.games.atarigo:atarigo",
    "backgammon": "icarus.games.backgammon:backgammon",
    "battleship": "icarus.games.battleship:battleship",
    "blocks": "icarus.games.blocks:blocks",
    "breakthrough": "icarus.games.breakthrough:breakthrough",
    "checkers": "icarus.games.checkers:checkers",
    "clobber": "icarus.games.clobber:clobber",
    "confrontation": "icarus.games.confrontation:confrontation",
    "connect_four": "icarus.games.connect_four:connect_four",
    "dark_hex": "icarus.games.dark_hex:dark_hex",
    "domineering": "icarus.games.domineering:domineering",
    "doudizhu": "icarus.games.doudizhu:doudizhu",
    "figure3": "icarus.games.figures:figure3",
    "go": "icarus.games.go:go",
    "goofspiel": "icarus.games.goofspiel:goofspiel",
    "hanabi": "icarus.games.hanabi:hanabi",
    "hanoi": "icarus.games.hanoi:hanoi",
    "havannah": "icarus.games.havannah:havannah",
    "hearts": "icarus.games.hearts:hearts",
    "hearts_round": "icarus.games.hearts:hearts_round",
    "hex": "icarus.games.hex:hex",
    "kuhn_poker": "icarus.games.kuhn_poker:kuhn_poker",
    "leduc_poker": "icarus.games.leduc_poker:leduc_poker",
    "left_move": "icarus.games.left_move:left_move",
    "leftmost_path": "icarus.games.left_move:leftmost_path",
    "leftright": "icarus.games.leftright:leftright",
    "liars_dice": "icarus.games.liars_dice:liars_dice",
    "lipschitz": "icarus.games.lipschitz:lipschitz",
    "lines_of_action": "icarus.games.lines_of_action:lines_of_action",
    "mancala": "icarus.games.mancala:mancala",
    "matching_pennies": "icarus.games.matrix:matching_pennies",
    "matrix": "icarus.games.matrix:matrix",
    "mnk": "icarus.games.mnk:mnk",
    "morpion": "icarus.games.morpion:morpion",
    "nogo": "icarus.games.nogo:nogo",
    "oh_hell": "icarus.games.oh_hell:oh_hell",
    "oshi_zumo": "icarus.games.oshi_zumo:oshi_zumo",
    "othello": "icarus.games.othello:othello",
    "pgame": "icarus.games.pgame:pgame",
    "phantom": "icarus.games.phantom:phantom",
    "phantom_go": "icarus.games.phantom_go:phantom_go",
    "rock_paper_scissors": "icarus.games.matrix:rock_paper_scissors",
    "rock_sample": "icarus.games.rock_sample:rock_sample",
    "sailing": "icarus.games.sailing:sailing",
    "samegame": "icarus.games.samegame:samegame",
    "sat": "icarus.games.sat:sat",
    "strategy_fusion": "icarus.games.figures:strategy_fusion",
    "sudoku": "icarus.games.sudoku:sudoku",
    "sum_of_switches": "icarus.games.sum_of_switches:sum_of_switches",
    "tic_tac_toe": "icarus.games.mnk:tic_tac_toe",
    "tron": "icarus.games.tron:tron",
    "tsptw": "icarus.games.tsptw:tsptw",
}

#: an argument that is a word of its own and no value of Python: 5D, a file
WORDS = re.compile(r"(?<=[(,=])\s*([\w~./-]+)\s*(?=[,)])")
READ_FILES = ("sat", "tsptw")  #: games whose parameter is a file
STATE_METHODS = ("player", "legal", "apply", "terminal", "rewards")


def load(text: str, trust: Trust = OWN) -> Game:
    """The game that ``text`` names.

    ``othello``, ``phantom(4,4,4)``, ``mygame.py``, ``mygame.py:name``, ``package.module:name(3)``, ``rules.kif``, ``gdl:zhadu``,
    ``openspiel:hearts``; parameters are plain values.  A text that somebody else wrote is loaded with ``trust=OUTSIDE``
    (:mod:`icarus.trust`): then it can name what is built in, and nothing else.
    """
    if isinstance(text, Game):
        return text
    trust.check_text(text)
    game = _load(text.strip(), trust)
    trust.check_size(game)
    return game


def _load(text: str, trust: Trust) -> Game:
    if text.endswith(".kif") or text.startswith("gdl:"):
        from icarus.gdl.game import load_sheet
        from icarus.gdl.sheets import PREFIX, find_sheet

        if not text.startswith(PREFIX):
            trust.check_file(text)
        return load_sheet(find_sheet(text))
    if text.startswith("openspiel:"):
        from icarus.bridges.openspiel import openspiel_game

        trust.check_module("openspiel")  # some of its games read files that their parameters name
        return openspiel_game(text)
    place, positional, named = _split(text)
    if place == "fixed_dice":
        return _fixed_dice(positional, named, trust)
    if place in READ_FILES:
        for value in (*positional, *named.values()):
            if value:
                trust.check_file(str(value))
    factory = _find(place, trust)
    if isinstance(factory, Game):
        if positional or named:
            raise GameError(f"the game {place!r} takes no parameters")
        return factory
    return _build(place, factory, positional, named)


def _fixed_dice(positional: list[Any], named: dict[str, Any], trust: Trust) -> Game:
    """A game inside another one, which is trusted as much."""
    from icarus.games.fixed_dice import fixed_dice

    given = dict(zip(("game", "seed"), positional, strict=False)) | named
    if not isinstance(given.get("game"), str) or set(given) - {"game", "seed"} or not isinstance(given.get("seed", 0), int):
        raise GameError("fixed_dice: write fixed_dice(GAME, SEED), such as fixed_dice(sailing(5), 7)")
    return fixed_dice(load(given["game"], trust), given.get("seed", 0))


def _split(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """``name(1, k=2)`` -> name, [1], {"k": 2}."""
    place, bracket, rest = text.strip().partition("(")
    place = place.strip()
    if not bracket:
        return place, [], {}
    try:
        call = _called(f"f({rest}")
        if not isinstance(call, ast.Call) or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError
        positional = [ast.literal_eval(argument) for argument in call.args]
        return place, positional, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise GameError(
            f"cannot read the game {text[:200]!r}; write a name with plain parameters, such as mnk(4,4,4) or hex(n=7)"
        ) from None


def _called(text: str) -> ast.expr:
    """A call as Python reads it; where it cannot, words that are no values are texts: ``morpion(5D)``, ``sat(uf20.cnf)``."""
    try:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call):
            call.args = [_game_as_text(value, text) for value in call.args]
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                ast.literal_eval(value)
            return call
    except (SyntaxError, ValueError, TypeError):
        pass
    return ast.parse(WORDS.sub(_quoted, text), mode="eval").body


def _game_as_text(value: ast.expr, text: str) -> ast.expr:
    """A game that is named within the name of another: ``fixed_dice(sailing(5), 7)``."""
    named = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return ast.Constant(ast.get_source_segment(text, value)) if named else value


def _quoted(match: re.Match[str]) -> str:
    """An argument as Python writes it: a word that is no value is a text."""
    try:
        ast.literal_eval(match[1])
        return match[0]
    except (SyntaxError, ValueError):
        return repr(match[1])


def _find(place: str, trust: Trust) -> Any:
    path, colon, name = place.rpartition(":")
    if place.endswith(".py") or (colon and path.endswith(".py")):
        file = path if path.endswith(".py") else place
        trust.check_file(file)
        return _in_module(import_file(Path(file)), name if file == path else "", place)
    if colon:
        trust.check_module(path)
        try:
            module = importlib.import_module(path)
        except (ImportError, ValueError, TypeError) as problem:
            raise GameError(f"cannot import {path!r} for the game {place!r}: {problem}") from None
        return _in_module(module, name, place)
    if place in GAMES:
        module_name, _, name = GAMES[place].partition(":")
        return getattr(importlib.import_module(module_name), name)
    near = get_close_matches(place, GAMES, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`icarus games` lists them; your own can be a file (mygame.py)"
    raise GameError(f"there is no game {place[:200]!r}; {hint}")


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
            if inspect.isfunction(value) and value.__module__ == module.__name__ and makes_game(value)
        ]
    if not own:
        for value in vars(module).values():
            if inspect.isclass(value) and value.__module__ == module.__name__ and len(methods_of(value)) > 1:
                return value  # nearly a game: whoever builds it will say what is missing
    if len(own) != 1:
        found = "no game" if not own else f"{len(own)} games"
        raise GameError(f"{place!r} holds {found}; define `game = ...` there, or name one as {place}:name")
    return own[0]


def is_state_class(value: Any) -> bool:
    """A plain Python class with the methods of a game state."""
    from icarus.python_game.rules import required

    return set(methods_of(value)) >= set(required(value))


def methods_of(value: Any) -> list[str]:
    """Those methods of a game state that a class has."""
    return [method for method in (*STATE_METHODS, "score") if callable(getattr(value, method, None))]


def _described(parameter: inspect.Parameter) -> str:
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default!r}"


def makes_game(value: Any) -> bool:
    """A function that says that it returns a game: nothing else is called for its name alone."""
    try:
        promised = inspect.signature(value).return_annotation
    except (TypeError, ValueError):  # not callable, or written in C
        return False
    return promised is Game or (isinstance(promised, str) and promised.strip("'\"").rpartition(".")[2] == "Game")


def _build(place: str, factory: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> Game:
    if inspect.isclass(factory) and methods_of(factory) and not issubclass(factory, Game):
        from icarus.python_game import python_game

        return python_game(factory, *positional, **named)
    if inspect.isclass(factory) or not makes_game(factory):
        raise GameError(f"{place!r} is neither a game, a class of states nor a function annotated to return a Game (-> Game)")
    signature = inspect.signature(factory)
    usage = f"{place}({', '.join(_described(parameter) for parameter in signature.parameters.values())})"
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError as problem:
        told = f"{problem}; write {usage}" if signature.parameters else "it takes no parameters"
        raise GameError(f"{place}: {told}") from None
    for name, value in given.items():
        if signature.parameters[name].annotation in ("int", int) and (isinstance(value, bool) or not isinstance(value, int)):
            raise GameError(f"{place}: {name}={value!r} is not a whole number; write {usage}")
    try:
        game = factory(*positional, **named)
    except IcarusError:
        raise
    except Exception as problem:
        raise GameError(f"{place}: {type(problem).__name__}: {problem}") from None
    if not isinstance(game, Game):
        raise GameError(f"{place!r} makes a {type(game).__name__}, not a Game")
    return game
