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
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from icarus.algorithm import ALGORITHMS
from icarus.arena.players import Player, read_player
from icarus.errors import IcarusError
from icarus.game import Game
from icarus.strategy.base import Strategy
from icarus.strategy.expression import read_strategy, vocabulary
from icarus.tune.errors import TuneError

SETTINGS = ("c", "algorithm", "final", "keep", "transpositions")
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
class _Choice:
    dimension: int
    alternatives: tuple[_Template, ...]


#: texts and choices, one after the other
_Template = tuple["str | _Choice", ...]


@dataclass
class Space:
    """A template with its dimensions, for one budget and (after ``serve``) one game."""

    text: str
    budget: Player
    dimensions: list[Dimension] = field(default_factory=list)
    template: _Template = ()
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

        def count(template: _Template) -> int:
            total = 1
            for part in template:
                if isinstance(part, _Choice):
                    usable = self.dimensions[part.dimension].usable
                    total *= sum(count(part.alternatives[value]) for value in usable)
            return total

        return count(self.template) * math.prod(len(self.dimensions[number].usable) for number in self.settings.values())

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

        def walk(template: _Template, above: tuple[int, int] | None) -> None:
            for part in template:
                if isinstance(part, _Choice):
                    if above is not None:
                        found[part.dimension] = above
                    for number, alternative in enumerate(part.alternatives):
                        walk(alternative, (part.dimension, number))

        walk(self.template, None)
        return found

    # --- rendering ---------------------------------------------------------------------------------------------------

    def _choices(self, template: _Template, point: Sequence[int]) -> Iterator[_Choice]:
        for part in template:
            if isinstance(part, _Choice):
                yield part
                yield from self._choices(part.alternatives[point[part.dimension]], point)

    def _render(self, template: _Template, point: Sequence[int], between: Mapping[int, float]) -> str:
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


# --- reading ---------------------------------------------------------------------------------------------------------


def read_space(text: str, budget: Player) -> Space:
    """The space that a template or a file of settings describes."""
    if "{" not in text and (text.endswith(".toml") or Path(text).is_file()):
        text = _template_of_file(Path(text))
    template, *settings = _split(text, ("×", " x "))
    space = Space(" × ".join(part.strip() for part in (template, *settings)), budget)
    space.template = _Reader(template.strip(), space).read()
    for setting in settings:
        match = re.fullmatch(r"\s*(\w+)\s*=\s*(.*\S)\s*", setting, re.DOTALL)
        if match is None or match[1] not in SETTINGS:
            raise TuneError(
                f"{setting.strip()!r} is no setting of a space; after × comes name={{value,...}} of {', '.join(SETTINGS)}"
            )
        if match[1] in space.settings:
            raise TuneError(f"{match[1]} is given twice in the space {text!r}")
        inner = match[2]
        if inner.startswith("{") and inner.endswith("}"):
            inner = inner[1:-1]
        values = [value.strip() for value in _split(inner, (",",))]
        if not values or not all(values):
            raise TuneError(f"{setting.strip()!r}: an empty choice; write name={{value,...}}")
        space.settings[match[1]] = len(space.dimensions)
        space.dimensions.append(Dimension(match[1], values, continuous=match[1] == "c" and _numbers(values)))
    for dimension in space.dimensions:
        if len(set(dimension.values)) != len(dimension.values):
            raise TuneError(f"an alternative of {dimension.name} is given twice: {', '.join(dimension.values)}")
    _check(space)
    return space


def _check(space: Space) -> None:
    """Every alternative reads as a strategy, before any game is loaded."""
    for number, dimension in enumerate(space.dimensions):
        for value in range(len(dimension.values)):
            point = space._with(space._reference(), number, value)
            assert point is not None
            try:
                space._make(point, {})
            except TuneError:
                raise
            except IcarusError as problem:
                raise TuneError(f"the space does not read at {dimension.name}={dimension.values[value]}: {problem}") from None
    if not space.dimensions:
        raise TuneError(
            f"the space {space.text!r} has nothing to choose: write alternatives in braces, such as {{Baseline, GRAVE}}"
        )


def _template_of_file(file: Path) -> str:
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise TuneError(f"cannot read the space {str(file)!r}: {getattr(problem, 'strerror', None) or problem}") from None
    except tomllib.TOMLDecodeError as problem:
        raise TuneError(f"the space {file} is no TOML: {problem}") from None
    strange = sorted(set(given) - {"strategy", *SETTINGS})
    if strange:
        raise TuneError(f"the space {file} has an unknown entry {strange[0]!r}; there are strategy, {', '.join(SETTINGS)}")
    parts = [given.get("strategy", "Baseline")]
    for name in SETTINGS:
        if name in given:
            values = given[name] if isinstance(given[name], list) else [given[name]]
            parts.append(
                f"{name}={{{','.join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)}}}"
            )
    return " × ".join(parts)


def default_template(game: Game) -> str:
    """Every enhancement that declares where it is worth a try, with its grid."""
    places: dict[str, list[str]] = {"tree": [], "simulation": ["Uniform"]}
    for name, kind in vocabulary().items():
        place = vars(kind).get("place", "")
        if place in places and issubclass(kind, Strategy):
            parameters = [f"{parameter}=*" for parameter in kind.grid if parameter not in ("c", "keep")]
            places[place].append(f"{name}({', '.join(parameters)})" if parameters else name)
    parts = [f"{{{', '.join(places['tree'])}}} >> {{{', '.join(places['simulation'])}}}", "c={0.1,0.2,0.4,0.7,1.0,1.4}"]
    if game.hidden_information:
        parts.append("algorithm={mo,so,determinized(10),determinized(40)}")
    else:
        if ALGORITHMS["uct"].solves(game):
            parts.append("algorithm={uct,uct(solve)}")
        if game.key is not None and not game.simultaneous_moves:
            parts.append("transpositions={false,true}")
    return " × ".join(parts)


class _Reader:
    """From the text of a template to its tree of choices; dimensions are added to the space as they are met."""

    def __init__(self, text: str, space: Space) -> None:
        self.text, self.space = text, space

    def read(self) -> _Template:
        if not self.text:
            raise TuneError("the space is empty; write for example {Baseline, RAVE(k={50,250})} >> {Uniform, MAST}")
        depth = 0
        for at, letter in enumerate(self.text):
            depth += {"{": 1, "}": -1}.get(letter, 0)
            if depth < 0:
                raise TuneError(f"a }} too many at character {at + 1} of the space {self.text!r}")
        if depth:
            raise TuneError(f"a {{ of the space {self.text!r} is not closed")
        return self._template(self.text, (), self._place_names())

    def _place_names(self) -> tuple[str, str]:
        return ("tree", "simulation") if ">>" in _outside_braces(self.text) else ("strategy", "strategy")

    def _template(self, text: str, calls: tuple[str, ...], places: tuple[str, str]) -> _Template:
        parts: list[str | _Choice] = []
        literal, at, stack, place = "", 0, list(calls), places[0]
        while at < len(text):
            letter = text[at]
            if letter == "{":
                end = _closing(text, at)
                parts.append(literal)
                parts.append(self._choice(text[at + 1 : end], literal, stack, place, places))
                literal, at = "", end + 1
                continue
            if letter == "(":
                name = re.search(r"([A-Za-z_]\w*)\s*$", literal)
                stack.append(name[1] if name else "")
            elif letter == ")" and len(stack) > len(calls):
                stack.pop()
            elif letter == "*" and re.search(r"=\s*$", literal) and stack:
                parts.append(literal)
                parts.append(self._declared(literal, stack))
                literal, at = "", at + 1
                continue
            elif text.startswith(">>", at):
                place = places[1]
            literal += letter
            at += 1
        parts.append(literal)
        return tuple(part for part in parts if part != "")

    def _choice(self, inner: str, before: str, stack: Sequence[str], place: str, places: tuple[str, str]) -> _Choice:
        texts = [text.strip() for text in _split(inner, (",",))]
        if not all(texts):
            raise TuneError(f"an empty alternative in {{{inner}}} of the space")
        parameter = re.search(r"([A-Za-z_]\w*)\s*=\s*$", before)
        owner = next((name for name in reversed(stack) if name), "")
        name = f"{owner}.{parameter[1]}" if parameter and owner else place
        real = parameter is not None and _is_real(owner, parameter[1]) and _numbers(texts)
        number = self._add(name, texts, continuous=real)
        below = (place, place) if not parameter else places
        return _Choice(number, tuple(self._template(text, tuple(stack), below) for text in texts))

    def _declared(self, before: str, stack: Sequence[str]) -> _Choice:
        parameter = re.search(r"([A-Za-z_]\w*)\s*=\s*$", before)
        owner = vocabulary().get(stack[-1])
        name = parameter[1] if parameter else ""
        values = dict(getattr(owner, "grid", {})).get(name)
        if values is None:
            raise TuneError(f"{stack[-1]} declares no values for {name!r}; write them: {name}={{...}}")
        texts = [f"{value:g}" for value in values]
        number = self._add(f"{stack[-1]}.{name}", texts, continuous=_is_real(stack[-1], name) and _numbers(texts))
        return _Choice(number, tuple((text,) for text in texts))

    def _add(self, name: str, values: list[str], *, continuous: bool) -> int:
        taken = {d.name for d in self.space.dimensions}
        unique, count = name, 2
        while unique in taken:
            unique, count = f"{name} {count}", count + 1
        self.space.dimensions.append(Dimension(unique, values, continuous=continuous and len(values) > 2))
        return len(self.space.dimensions) - 1


def _is_real(owner: str, parameter: str) -> bool:
    """Is the parameter of this class a number that may be any in a range?"""
    known = vocabulary().get(owner)
    return known is not None and any(item.name == parameter and item.type in ("float", float) for item in fields(known))


def _numbers(texts: Sequence[str]) -> bool:
    try:
        return all(float(text) > 0 for text in texts) and len(texts) > 2
    except ValueError:
        return False


def _outside_braces(text: str) -> str:
    depth, kept = 0, ""
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        kept += letter if depth == 0 else ""
    return kept


def _closing(text: str, at: int) -> int:
    depth = 0
    for end in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return end
    raise TuneError(f"a {{ is not closed in {text!r}")


def _split(text: str, separators: tuple[str, ...]) -> list[str]:
    """The parts of a text between separators that are in no bracket."""
    parts, depth, last, at = [], 0, 0, 0
    while at < len(text):
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(text[at], 0)
        found = next((s for s in separators if depth == 0 and text.startswith(s, at)), None)
        if found:
            parts.append(text[last:at])
            at += len(found)
            last = at
        else:
            at += 1
    return [*parts, text[last:]]
