"""The games that a server offers: all that come with Icarus, its rule sheets, and what the command line adds.

Strangers choose from this list only: a file or a module is loaded when the person who started the server named it, not when a
message does.  Built-in games take parameters, within limits.
"""

from __future__ import annotations

import importlib.util
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from icarus.errors import GameError
from icarus.game import Game
from icarus.loading import GAMES, load
from icarus.web.limits import Limits, Refused

SHEET = "gdl:"
KEPT = 64  #: games that stay loaded

#: what the list is divided into, in its order; whatever has no place here goes by what it hides
GROUPS = {
    "Boards": ("tic_tac_toe", "connect_four", "othello", "breakthrough", "hex", "checkers", "mnk"),
    "Cards, dice and secrets": (
        "hearts_round",
        "hearts",
        "doudizhu",
        "confrontation",
        "phantom",
        "backgammon",
        "goofspiel",
        "liars_dice",
        "kuhn_poker",
    ),
    "Small and theoretical": (
        "rock_paper_scissors",
        "matching_pennies",
        "matrix",
        "pgame",
        "strategy_fusion",
        "figure3",
    ),
}

TITLES = {
    "mnk": "m, n, k",
    "doudizhu": "Dou Di Zhu",
    "liars_dice": "Liar’s dice",
    "confrontation": "The Confrontation",
    "hearts_round": "Hearts, one round",
    "phantom": "Phantom (4, 4, 4)",
    "rock_paper_scissors": "Rock, paper, scissors",
    "figure3": "Figure 3",
    "pgame": "P-game",
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

    def __init__(self, extra: Sequence[str] = (), limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.extra = list(extra)
        self.sheets = bundled_sheets()
        self._loaded: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()

    def offers(self) -> list[dict[str, Any]]:
        """Everything that can be chosen."""
        places = {name: group for group, names in GROUPS.items() for name in names}
        order = [name for names in GROUPS.values() for name in names if name in GAMES]
        order += [name for name in GAMES if name not in places]
        offers = [Offer(text, Path(text).stem if "/" in text else text, "Yours", "") for text in self.extra]
        offers += [Offer(name, title_of(name), places.get(name, "More"), load(name).summary) for name in order]
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
                self._check(game)
                assert game.addresses  # compiled here, in a thread of its own, and not when the first move is made
                self._loaded[text] = game
                while len(self._loaded) > KEPT:
                    self._loaded.popitem(last=False)
            return self._loaded[text]

    def _find(self, text: str) -> Game:
        if text in self.extra:
            return load(text)
        if text.startswith(SHEET):
            name = text.removeprefix(SHEET)
            if name not in self.sheets:
                raise Refused(f"there is no rule sheet {name!r} here; there are {', '.join(self.sheets) or 'none'}")
            return load(text)
        place = text.partition("(")[0].strip()
        if ":" in place or "/" in place or "\\" in place or place.endswith((".py", ".kif")):
            raise Refused(f"{place!r} is not offered here; whoever runs the server can add it: icarus serve {place}")
        return load(text)

    def _check(self, game: Game) -> None:
        limits = self.limits
        for name, most in (("state_size", limits.state_words), ("max_actions", limits.actions), ("max_plies", limits.plies)):
            if getattr(game, name) > most:
                raise GameError(f"{game.name} is too large to be played here: {name} is {getattr(game, name)}, at most {most}")


def title_of(name: str) -> str:
    """A game's name for people."""
    return TITLES.get(name) or name.replace("_", "-" if name == "tic_tac_toe" else " ").capitalize()


def bundled_sheets() -> dict[str, Path]:
    """The rule sheets that come with Icarus, if what reads them is installed."""
    if importlib.util.find_spec("clingo") is None or importlib.util.find_spec("lark") is None:
        return {}
    folder = Path(str(files("icarus.gdl") / "sheets"))
    return {file.stem: file for file in sorted(folder.glob("*.kif"))}
