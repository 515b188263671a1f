"""What is tuned: a space of players, written as a template.

``{Baseline, RAVE(k={50,250,1000}), GRAVE} >> {Uniform, MAST, NAST(n={2,3})} × c={0.4,0.7,1} × algorithm={so,mo}``

Braces hold alternatives, and may be nested: an inner choice exists only where the outer one leads to it.  ``k=*`` stands for the
values that the enhancement itself declares (its ``grid``).  After ``×`` (or `` x ``) come settings: ``c`` (of the choice in the
tree), ``algorithm``, ``final``, ``keep`` and ``transpositions``.  ``X >> Uniform`` is X with random playouts.  A file (TOML) says
the same: ``strategy = "..."`` and a list for each setting.

A *point* is the number of the chosen alternative in each dimension; one that does not exist at a point has the number NOT_THERE.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import islice
from typing import Any

import numpy as np

from icarus.arena.players import Player, read_player
from icarus.errors import IcarusError
from icarus.game import Game
from icarus.strategy.expression import read_strategy, vocabulary
from icarus.tune.errors import TuneError

NOT_THERE = -1
ATTEMPTS = 20  #: random players with an alternative, before it is left out
Point = tuple[int, ...]


@dataclass
class Dimension:
    """One choice: its name, and the alternatives as they are written."""

    name: str
    values: list[str]
    #: the parameter is a number between whose values others may be tried
    continuous: bool = False
    #: alternatives that the game cannot serve, with the reason
    refused: dict[int, str] = field(default_factory=dict)

    @property
    def usable(self) -> list[int]:
        return [i for i in range(len(self.values)) if i not in self.refused]


@dataclass(frozen=True)
class Choice:
    dimension: int
    alternatives: tuple[Template, ...]


#: texts and choices, one after the other
Template = tuple["str | Choice", ...]


@dataclass
class Space:
    """A template with its dimensions, for one budget and (after ``serve``) one game."""

    text: str
    budget: Player
    dimensions: list[Dimension] = field(default_factory=list)
    template: Template = ()
    settings: dict[str, int] = field(default_factory=dict)
    _known: dict[Any, Player | None] = field(default_factory=dict, repr=False)
    _game: Game | None = field(default=None, repr=False)

    # --- points ------------------------------------------------------------------------------------------------------

    def canonical(self, point: Sequence[int]) -> Point:
        """The point with NOT_THERE where a dimension does not exist."""
        used = {choice.dimension for choice in self._choices(self.template, point)} | set(self.settings.values())
        if "c" in self.settings and not self._takes_c(self._strategy_text(point, {})):
            used.discard(self.settings["c"])
        return tuple(int(value) if i in used else NOT_THERE for i, value in enumerate(point))

    def player(self, point: Sequence[int], between: Mapping[int, float] | None = None) -> Player:
        """The player at a point; ``between`` gives some continuous dimensions values of their own."""
        between = dict(between or {})
        key = (tuple(point), tuple(sorted(between.items())))
        if key not in self._known:
            self._known[key] = self._make(point, between)
        found = self._known[key]
        if found is None:
            raise TuneError("a player that the game cannot serve")
        return found

    def serves(self, point: Sequence[int]) -> bool:
        """Can the game of this space be played by the player at this point?"""
        try:
            player = self.player(point)
            if self._game is not None and (key := ("served", tuple(point))) not in self._known:
                player.check(self._game)
                self._known[key] = player
        except IcarusError:
            self._known[tuple(point), ()] = None
            return False
        return True

    def random_point(self, rng: np.random.Generator, tries: int = 1000) -> Point:
        """A point that the game can be played with."""
        for _ in range(tries):
            point = self.canonical([int(rng.choice(d.usable)) for d in self.dimensions])
            if self.serves(point):
                return point
        raise TuneError("the space is empty: hardly any combination of its alternatives can play this game")

    def neighbour(self, point: Sequence[int], rng: np.random.Generator) -> Point:
        """A point that differs in one dimension and, with some luck, in a few more."""
        full = [p if p != NOT_THERE else int(rng.choice(d.usable)) for p, d in zip(point, self.dimensions, strict=True)]
        free = [i for i, d in enumerate(self.dimensions) if len(d.usable) > 1]
        forced = int(rng.choice(free))
        for i in free:
            if i == forced or rng.random() < 1 / len(free):
                full[i] = int(rng.choice([value for value in self.dimensions[i].usable if value != full[i]]))
        return self.canonical(full)

    def points(self, limit: int = 100_000) -> list[Point]:
        """All points that the game can be played with, if there are at most so many."""
        return list(islice(self._all(), limit))

    def _all(self) -> Iterator[Point]:
        seen: set[Point] = set()
        counters = [d.usable for d in self.dimensions]
        for number in range(int(np.prod([len(c) for c in counters], dtype=object))):
            point = []
            for usable in counters:
                number, chosen = divmod(number, len(usable))
                point.append(usable[chosen])
            found = self.canonical(point)
            if found not in seen and self.serves(found):
                seen.add(found)
                yield found

    @property
    def size(self) -> int:
        """The number of points (those included that fit the game only one by one)."""

        def count(template: Template) -> int:
            total = 1
            for part in template:
                if isinstance(part, Choice):
                    usable = self.dimensions[part.dimension].usable
                    total *= sum(count(part.alternatives[value]) for value in usable)
            return total

        return count(self.template) * math.prod(len(self.dimensions[number].usable) for number in self.settings.values())

    @property
    def left_out(self) -> list[dict[str, str]]:
        """What the game cannot serve, and why."""
        return [
            {"dimension": d.name, "alternative": d.values[value], "why": reason}
            for d in self.dimensions
            for value, reason in d.refused.items()
        ]

    def describe(self, point: Sequence[int]) -> dict[str, str]:
        """Names and values of the dimensions that exist at a point."""
        shown = zip(point, self.dimensions, strict=True)
        return {d.name: d.values[value] for value, d in shown if value != NOT_THERE}

    def continuous_at(self, point: Sequence[int]) -> list[int]:
        """The dimensions that may be refined at a point."""
        return [i for i, value in enumerate(point) if value != NOT_THERE and self.dimensions[i].continuous]

    def bounds(self, dimension: int) -> tuple[float, float]:
        values = [float(self.dimensions[dimension].values[i]) for i in self.dimensions[dimension].usable]
        return min(values), max(values)

    # --- a game ------------------------------------------------------------------------------------------------------

    def serve(self, game: Game) -> Space:
        """Leave out every alternative with which the game cannot be played; one that is left out says why."""
        self._game = game
        standard, rng = self._reference(), np.random.default_rng(0)
        # algorithms first: what they refuse says nothing about strategies
        for number in [*self.settings.values(), *(set(range(len(self.dimensions))) - set(self.settings.values()))]:
            dimension = self.dimensions[number]
            for value in range(len(dimension.values)):
                reason = self._why_not(game, standard, number, value, rng)
                if reason:
                    dimension.refused[value] = reason
            if not dimension.usable:
                reason = next(iter(dimension.refused.values()))
                raise TuneError(f"the space is empty: no alternative of {dimension.name} can play {game.name} ({reason})")
            standard[number] = dimension.usable[0]
        if len(self.points(limit=2)) < 2:
            raise TuneError(f"the space holds nothing to compare: fewer than two players of it can play {game.name}")
        return self

    def _why_not(self, game: Game, standard: list[int], number: int, value: int, rng: np.random.Generator) -> str:
        """Why no player with this alternative can play the game; empty if one can, or if there is no such player anyway."""
        reason = ""
        for attempt in range(ATTEMPTS):
            base = standard if attempt == 0 else [int(rng.choice(d.usable or [0])) for d in self.dimensions]
            point = self._with(base, number, value)
            if point is None:
                return ""  # behind an outer alternative that is left out
            try:
                self._make(point, {}).check(game)
            except IcarusError as problem:
                told = str(problem).splitlines()[0]
                reason = reason or told.partition(f"cannot play {game.name}: ")[2] or told
            else:
                return ""
        return reason

    def _reference(self) -> list[int]:
        """The first alternative everywhere."""
        return [0] * len(self.dimensions)

    def _with(self, point: Sequence[int], dimension: int, value: int) -> list[int] | None:
        """The point with this alternative, and with whatever outer alternatives make the dimension exist."""
        changed = list(point)
        changed[dimension] = value
        parent = self._parents.get(dimension)
        while parent is not None:
            outer, alternative = parent
            if alternative in self.dimensions[outer].refused:
                return None
            changed[outer] = alternative
            parent = self._parents.get(outer)
        return changed

    @property
    def _parents(self) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}

        def walk(template: Template, above: tuple[int, int] | None) -> None:
            for part in template:
                if isinstance(part, Choice):
                    if above is not None:
                        found[part.dimension] = above
                    for number, alternative in enumerate(part.alternatives):
                        walk(alternative, (part.dimension, number))

        walk(self.template, None)
        return found

    # --- rendering ---------------------------------------------------------------------------------------------------

    def _choices(self, template: Template, point: Sequence[int]) -> Iterator[Choice]:
        for part in template:
            if isinstance(part, Choice):
                yield part
                yield from self._choices(part.alternatives[point[part.dimension]], point)

    def _render(self, template: Template, point: Sequence[int], between: Mapping[int, float]) -> str:
        texts = []
        for part in template:
            if isinstance(part, str):
                texts.append(part)
            elif part.dimension in between:
                texts.append(f"{between[part.dimension]:.4g}")
            else:
                texts.append(self._render(part.alternatives[point[part.dimension]], point, between))
        return "".join(texts)

    def _strategy_text(self, point: Sequence[int], between: Mapping[int, float]) -> str:
        text = self._render(self.template, point, between)
        return re.sub(r"\s*>>\s*Uniform(\(\))?\s*$", "", text).strip()

    def _takes_c(self, strategy: str) -> bool:
        """Can the choice in the tree be given an exploration constant that the template has not given?"""
        name = re.match(r"\(*\s*(\w+)", strategy)
        known = vocabulary().get(name[1]) if name else None
        if known is None or not is_dataclass(known) or not any(item.name == "c" for item in fields(known)):
            return False
        return not re.search(r"\b(c|policy)\s*=", _tree_of(strategy))

    def _make(self, point: Sequence[int], between: Mapping[int, float]) -> Player:
        strategy = self._strategy_text(point, between)
        chosen = {name: self._setting(name, point, between) for name in self.settings}
        if "c" in chosen and self._takes_c(strategy):
            strategy = _with_parameter(strategy, f"c={chosen['c']}")
        algorithm = read_player(f"{chosen['algorithm']}@1") if "algorithm" in chosen else Player()
        return Player(
            algorithm.algorithm,
            algorithm.parameters,
            str(read_strategy(strategy)),
            self.budget.iterations,
            self.budget.seconds,
            keep=_truth("keep", chosen.get("keep", "false")),
            final=str(chosen.get("final", "")),
            transpositions=_truth("transpositions", chosen.get("transpositions", "false")),
        )

    def _setting(self, name: str, point: Sequence[int], between: Mapping[int, float]) -> str:
        dimension = self.settings[name]
        if dimension in between:
            return f"{between[dimension]:.4g}"
        number = point[dimension]
        return self.dimensions[dimension].values[max(number, 0)]


def _truth(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise TuneError(f"{name}={text}: write {name}={{true,false}}")
    return text.lower() == "true"


def _tree_of(strategy: str) -> str:
    """What is left of ``>>``."""
    depth = 0
    for at, letter in enumerate(strategy):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and strategy.startswith(">>", at):
            return strategy[:at]
    return strategy


def _with_parameter(strategy: str, given: str) -> str:
    """The first call of an expression with one more parameter."""
    name = re.match(r"\s*\w+", strategy)
    assert name is not None
    rest = strategy[name.end() :]
    if rest.startswith("()"):
        return f"{name[0]}({given}){rest[2:]}"
    if rest.startswith("("):
        return f"{name[0]}({given}, {rest[1:]}"
    return f"{name[0]}({given}){rest}"
