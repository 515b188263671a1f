"""The games that a server offers: all that come with Icarus, its rule sheets, and what the command line adds.

Strangers choose from this list only: a file or a module is loaded when the person who started the server named or allowed it, not
when a message does.  Built-in games take parameters, within limits (icarus.trust).
"""

from __future__ import annotations

import importlib.util
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from icarus.game import Game
from icarus.loading import GAMES, load
from icarus.trust import OUTSIDE, NotAllowed, Trust
from icarus.web.limits import Limits, Refused
from icarus.web.rules import parameters_of, rules_of

SHEET = "gdl:"
OWN = "own:"
KEPT = 64  #: games that stay loaded

#: what the list is divided into, in its order; whatever has no place here goes by what it hides
GROUPS = {
    "Boards": (
        "tic_tac_toe",
        "connect_four",
        "othello",
        "breakthrough",
        "go",
        "hex",
        "checkers",
        "havannah",
        "lines_of_action",
        "amazons",
        "mancala",
        "clobber",
        "domineering",
        "atarigo",
        "nogo",
        "mnk",
    ),
    "Cards, dice and secrets": (
        "hearts_round",
        "hearts",
        "doudizhu",
        "confrontation",
        "hanabi",
        "phantom",
        "dark_hex",
        "phantom_go",
        "battleship",
        "oh_hell",
        "backgammon",
        "goofspiel",
        "oshi_zumo",
        "tron",
        "liars_dice",
        "kuhn_poker",
        "leduc_poker",
    ),
    "For one": (
        "samegame",
        "sudoku",
        "morpion",
        "sailing",
        "rock_sample",
        "hanoi",
        "blocks",
        "tsptw",
        "sat",
        "lipschitz",
    ),
    "Small and theoretical": (
        "rock_paper_scissors",
        "matching_pennies",
        "matrix",
        "pgame",
        "strategy_fusion",
        "figure3",
        "leftright",
        "left_move",
        "leftmost_path",
        "sum_of_switches",
    ),
}

#: how a game is offered where its plain form would be the same each time
OFFERED = {"confrontation": 'confrontation(setup="varied")'}

TITLES = {
    "mnk": "m, n, k",
    "doudizhu": "Dou Di Zhu",
    "liars_dice": "Liar’s dice",
    "confrontation": "The Confrontation",
    "hearts_round": "Hearts, one round",
    "tic_tac_toe": "Tic-tac-toe",
    "tic_tac_toe_3d": "Tic-tac-toe in three dimensions",
    "blind_tic_tac_toe": "Blind tic-tac-toe",
    "chinese_checkers_3p": "Chinese checkers for three",
    "ttcc4_2p": "TTCC4 for two",
    "ttcc4_3p": "TTCC4 for three",
    "rock_paper_scissors": "Rock, paper, scissors",
    "figure3": "Figure 3",
    "pgame": "P-game",
    "atarigo": "Atari Go",
    "nogo": "NoGo",
    "oh_hell": "Oh Hell",
    "phantom_go": "Phantom Go",
    "leftright": "Left and right",
    "left_move": "Left move",
    "hanoi": "Towers of Hanoi",
    "blocks": "Blocks world",
    "tsptw": "A tour with time windows",
    "sat": "Satisfiability",
    "lipschitz": "The highest hill",
    "leftmost_path": "Leftmost path",
    "morpion": "Morpion solitaire",
    "samegame": "SameGame",
    "rock_sample": "Rock sample",
}


@dataclass(frozen=True)
class Offer:
    """One line of the list; ``name`` is what a client sends to choose it."""

    name: str
    title: str
    group: str
    summary: str


class Catalog:
    """The list, and the games that have been loaded from it."""

    def __init__(self, extra: Sequence[str] = (), limits: Limits | None = None, trust: Trust = OUTSIDE) -> None:
        self.limits, self.trust = limits or Limits(), trust
        #: what strangers call a game of whoever runs the server: its name, and nothing of where it is kept
        self.own = own_names(extra)
        self.sheets = bundled_sheets()
        self._loaded: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()

    def offers(self) -> list[dict[str, Any]]:
        """Everything that can be chosen."""
        places = {name: group for group, names in GROUPS.items() for name in names}
        order = [name for names in GROUPS.values() for name in names if name in GAMES]
        order += [name for name in GAMES if name not in places]
        offers = [Offer(name, title_of(name), "Yours", "") for name in self.own]
        offers += [Offer(OFFERED.get(name, name), title_of(name), places.get(name, "More"), load(name).summary) for name in order]
        offers += [Offer(f"{SHEET}{name}", title_of(name), "Rule sheets", "from its rules in GDL") for name in self.sheets]
        return [asdict(offer) for offer in offers]

    def load(self, text: object) -> Game:
        """The game of this name, within limits.  Takes a while when it is compiled for the first time."""
        if not isinstance(text, str) or not 0 < len(text) <= self.limits.text:
            raise Refused(f"a game is chosen by its name, a text of at most {self.limits.text} characters")
        text = text.strip()
        game = self._loaded.get(text)  # who asks for a game that is there does not wait for another one to be compiled
        if game is not None:
            return game
        with self._lock:
            if text not in self._loaded:
                game = self._find(text)
                self.trust.check_size(game)
                assert game.addresses  # compiled here, in a thread of its own, and not when the first move is made
                self._loaded[text] = game
                while len(self._loaded) > KEPT:
                    self._loaded.popitem(last=False)
            return self._loaded[text]

    def about(self, text: str) -> dict[str, Any]:
        """The rules in a few sentences, and what may be written behind the name."""
        place = self.own.get(text, text)
        if text.startswith(SHEET):
            place = str(self.sheets.get(text.removeprefix(SHEET), place))
        return {"title": title_of(text), "rules": rules_of(place, self.load(text)), "parameters": parameters_of(place)}

    def _find(self, text: str) -> Game:
        if text in self.own:
            return load(self.own[text])
        if text in self.own.values():  # a table that was kept before names were given
            return load(text)
        if text.startswith(SHEET):
            name = text.removeprefix(SHEET)
            if name not in self.sheets:
                raise Refused(f"there is no rule sheet {name!r} here; there are {', '.join(self.sheets) or 'none'}")
            return load(text)
        if text.startswith(OWN):
            raise Refused(f"{text!r} is not offered here any more; whoever runs the server can add it: icarus serve GAME")
        try:
            return load(text, self.trust)
        except NotAllowed:
            place = text.partition("(")[0].strip()
            raise Refused(f"{place!r} is not offered here; whoever runs the server can add it: icarus serve {place}") from None


def title_of(text: str) -> str:
    """A game's name for people, with its parameters if it was given any: ``hex(7)`` is Hex (7)."""
    plain = next((name for name, offered in OFFERED.items() if offered == text), text)
    text = plain.removeprefix(SHEET).removeprefix(OWN)
    place, bracket, parameters = text.partition("(")
    if place.endswith((".py", ".kif")):  # a table that was kept before names were given
        place = Path(place).stem
    name = place.strip()
    title = TITLES.get(name) or re.sub("[_-]+", " ", name).strip().capitalize()
    values = re.sub(r"\s*,\s*", ", ", parameters.strip().removesuffix(")").strip())
    return f"{title} ({values})" if bracket and values else title


def own_names(texts: Sequence[str]) -> dict[str, str]:
    """Games of the command line by the names under which they are offered."""
    named: dict[str, str] = {}
    for text in texts:
        file, _, rest = text.partition(":") if re.match(r"[^:]*\.(py|kif)", text) else (text, "", "")
        stem = rest or Path(file).stem if file.endswith((".py", ".kif")) else text
        name, number = f"{OWN}{stem}", 2
        while name in named:
            name, number = f"{OWN}{stem}-{number}", number + 1
        named[name] = text
    return named


def bundled_sheets() -> dict[str, Path]:
    """The rule sheets that come with Icarus, if what reads them is installed."""
    if importlib.util.find_spec("clingo") is None or importlib.util.find_spec("lark") is None:
        return {}
    folder = Path(str(files("icarus.gdl") / "sheets"))
    return {file.stem: file for file in sorted(folder.glob("*.kif"))}
