"""How a space is written: a template (icarus.tune.space has the grammar), or a TOML file that says the same."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from icarus.algorithm import ALGORITHMS
from icarus.arena.players import Player
from icarus.errors import IcarusError
from icarus.game import Game
from icarus.strategy.base import Strategy
from icarus.strategy.expression import vocabulary
from icarus.tune.errors import TuneError
from icarus.tune.space import Choice, Dimension, Space, Template

SETTINGS = ("c", "algorithm", "final", "keep", "transpositions")


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

    def read(self) -> Template:
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

    def _template(self, text: str, calls: tuple[str, ...], places: tuple[str, str]) -> Template:
        parts: list[str | Choice] = []
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

    def _choice(self, inner: str, before: str, stack: Sequence[str], place: str, places: tuple[str, str]) -> Choice:
        texts = [text.strip() for text in _split(inner, (",",))]
        if not all(texts):
            raise TuneError(f"an empty alternative in {{{inner}}} of the space")
        parameter = re.search(r"([A-Za-z_]\w*)\s*=\s*$", before)
        owner = next((name for name in reversed(stack) if name), "")
        name = f"{owner}.{parameter[1]}" if parameter and owner else place
        real = parameter is not None and _is_real(owner, parameter[1]) and _numbers(texts)
        number = self._add(name, texts, continuous=real)
        below = (place, place) if not parameter else places
        return Choice(number, tuple(self._template(text, tuple(stack), below) for text in texts))

    def _declared(self, before: str, stack: Sequence[str]) -> Choice:
        parameter = re.search(r"([A-Za-z_]\w*)\s*=\s*$", before)
        owner = vocabulary().get(stack[-1])
        name = parameter[1] if parameter else ""
        values = dict(getattr(owner, "grid", {})).get(name)
        if values is None:
            raise TuneError(f"{stack[-1]} declares no values for {name!r}; write them: {name}={{...}}")
        texts = [f"{value:g}" for value in values]
        number = self._add(f"{stack[-1]}.{name}", texts, continuous=_is_real(stack[-1], name) and _numbers(texts))
        return Choice(number, tuple((text,) for text in texts))

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
