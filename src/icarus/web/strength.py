"""How strong a machine plays: three plain presets, or any budget, algorithm and strategy."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from icarus.algorithm import algorithm_named, with_strategy
from icarus.game import Game, play_to_decision
from icarus.jit.randomness import seeded
from icarus.network.searching import NetworkSearch, network_search
from icarus.preset import find
from icarus.search import Search
from icarus.trust import OUTSIDE, NotAllowed, Trust
from icarus.web.limits import Limits, Refused

KEYS = ("preset", "algorithm", "strategy", "iterations", "seconds", "strength", "managed")


@dataclass(frozen=True)
class Strength:
    """The settings of a machine; ``preset`` is the name they were chosen by, if any."""

    preset: str = ""
    algorithm: str = ""
    strategy: str = "-"
    iterations: int | None = None
    seconds: float | None = None
    #: 0 to 1, see icarus.strength; None: the search's own choice
    strength: float | None = None
    #: stops when decided and thinks longer when behind (icarus.arena.clock), where nothing is hidden
    managed: bool = False
    #: what only a game's preset says
    final: str = ""
    transpositions: bool = False

    @property
    def asks(self) -> bool:
        """Does it search with a network?"""
        return network_search({"algorithm": self.algorithm})

    def as_dict(self) -> dict[str, Any]:
        """The settings that a client may choose."""
        return {key: value for key, value in asdict(self).items() if key in KEYS and value not in (None, "", False)}

    def within(self, seconds: float | None) -> Strength:
        """The same with at most so many seconds; None: with as many as it has."""
        known = [limit for limit in (self.seconds, seconds) if limit is not None]
        return replace(self, seconds=min(known, default=None))

    def __str__(self) -> str:
        if self.preset:
            return f"{self.preset}, tuned: {self.strategy}" if self.strategy != "-" else self.preset
        budget = [] if self.iterations is None else [f"{self.iterations:,} iterations"]
        budget += [] if self.seconds is None else [f"{self.seconds:g} s"]
        budget += ["managed"] if self.managed else []
        named = [name for name in (self.algorithm, self.strategy if self.strategy != "-" else "") if name]
        return ", ".join([*named, *budget])


PRESETS = {
    "easy": Strength("easy", iterations=100),
    "medium": Strength("medium", seconds=1.0),
    "hard": Strength("hard", seconds=5.0),
}


def read_strength(given: object, game: Game, limits: Limits, trust: Trust = OUTSIDE) -> Strength:
    """The strength that a client asks for, checked against the game; a refusal says what is wrong with which part of it."""
    if not isinstance(given, dict):
        raise Refused("the strength of a machine is a preset, or an algorithm, a strategy and a budget")
    strange = sorted(set(map(str, given)) - set(KEYS))
    if strange:
        raise Refused(f"a strength has no {strange[0]!r:.40}; there are {', '.join(KEYS)}")
    preset = given.get("preset") or ""
    if preset:
        if preset not in PRESETS:
            raise Refused(f"there is no preset {str(preset)[:40]!r}; choose {', '.join(PRESETS)}")
        return preset_for(preset, game)
    strength = Strength(
        algorithm=_text(given, "algorithm", limits),
        strategy=_text(given, "strategy", limits) or "-",
        iterations=_number(given, "iterations", limits.iterations, whole=True),
        seconds=_number(given, "seconds", limits.seconds, whole=False),
        strength=_number(given, "strength", 1, whole=False, least=0),
        managed=_switch(given, "managed"),
    )
    if strength.managed and strength.strength not in (None, 1):
        raise Refused("managed: a machine that draws its moves by their visits takes all of its time")
    if strength.iterations is None and strength.seconds is None:
        raise Refused("a machine needs a budget: seconds, iterations or both")
    check(strength, game, limits, trust)
    return strength


def preset_for(name: str, game: Game) -> Strength:
    """Easy, medium or hard as tuning has found them for this game: its strategy, and three steps of its ladder."""
    strength, found = PRESETS[name], find(game)
    if found is None:
        return strength
    if found.strategy:
        strength = replace(
            strength, algorithm=found.algorithm, strategy=found.strategy, final=found.final, transpositions=found.transpositions
        )
    if found.levels:
        last = len(found.levels) - 1
        level = found.levels[{"easy": last // 4, "medium": last // 2, "hard": last}[name]]
        strength = replace(strength, iterations=level.iterations, seconds=level.seconds, strength=level.strength)
    return strength


def check(strength: Strength, game: Game, limits: Limits, trust: Trust) -> None:
    """Refuse what could not be searched, would peek, or would run a file of the server's machine."""
    if strength.asks:
        check_network(strength, game, trust)
        return
    algorithm = algorithm_named(strength.algorithm or None, game)
    try:
        strategy = algorithm.read(strength.strategy, trust)
    except NotAllowed:
        raise Refused("a strategy cannot come from a file here; write an expression such as RAVE(k=250) >> MAST()") from None
    if algorithm.cheats and game.hidden_information:
        raise Refused(f"{algorithm.name} looks at what is hidden; at a table choose mo, so, pom or determinized")
    if algorithm.trees > limits.trees:
        raise Refused(f"{algorithm}: at most {limits.trees} trees here")
    position = play_to_decision(game.start(0), seeded(0, stream=5))
    if not position.is_terminal:
        Search(position, algorithm=algorithm, strategy=strategy, seed=0, memory=1 << 20)


def check_network(strength: Strength, game: Game, trust: Trust) -> None:
    """The same for a network in a file, which whoever started the server has allowed."""
    name, file = with_strategy(strength.algorithm)
    if file == "-":
        raise Refused(f"{name} asks a network: {name}[net.onnx]")
    try:
        trust.check_file(file.strip())
    except NotAllowed:
        raise Refused("a network comes from a file that this server was started with: icarus serve --allow net.onnx") from None
    if strength.strategy != "-" or strength.managed:
        raise Refused("a machine with a network has neither a strategy nor managed time")
    if strength.iterations is None and name.startswith("gumbel"):
        raise Refused("gumbel divides a number of iterations among its moves: give iterations, or use puct")
    position = play_to_decision(game.start(0), seeded(0, stream=5))
    if not position.is_terminal:
        NetworkSearch(position, algorithm=strength.algorithm, seed=0)


def _text(given: dict[str, Any], key: str, limits: Limits) -> str:
    value = given.get(key) or ""
    if not isinstance(value, str) or len(value) > limits.text:
        raise Refused(f"{key}: a text of at most {limits.text} characters is expected")
    return value.strip()


def _switch(given: dict[str, Any], key: str) -> bool:
    value = given.get(key)
    if value not in (None, True, False):
        raise Refused(f"{key}: true or false is expected")
    return bool(value)


def _number(given: dict[str, Any], key: str, most: float, *, whole: bool, least: float | None = None) -> Any:
    value = given.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Refused(f"{key}: a number is expected")
    if least is not None and least <= value <= most:
        return float(value)
    if least is not None:
        raise Refused(f"{key}: {value:g} is not from {least:g} to {most:g}")
    if (whole and value != int(value)) or not 0 < value <= most:
        raise Refused(f"{key}: {value:g} is not {'a whole number ' if whole else ''}above 0 and at most {most:g}")
    return int(value) if whole else float(value)
