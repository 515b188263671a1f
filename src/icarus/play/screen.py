"""What is said while a game is played: as text for people, or as one JSON object per line for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from icarus.terminal import out, progress_bar

#: to the upper left, clear what is seen, clear what was scrolled away
CLEAR = "\033[H\033[2J\033[3J"


class Screen(Protocol):
    """An event has a name and named values."""

    def show(self, event: str, **values: Any) -> None: ...

    def prompt(self, name: str) -> str: ...

    def clear(self) -> None: ...

    def thinking(self, name: str) -> Any: ...


class Text:
    """For people."""

    def __init__(self) -> None:
        self._console = out()

    def show(self, event: str, **values: Any) -> None:
        for line in _lines(event, values):
            self._console.print(line, markup=False, soft_wrap=True)

    def prompt(self, name: str) -> str:
        return f"{name}> "

    def clear(self) -> None:
        if sys.stdout.isatty():
            sys.stdout.write(CLEAR)
            sys.stdout.flush()

    @contextmanager
    def thinking(self, name: str) -> Iterator[Callable[[float], None]]:
        with progress_bar(f"{name} thinks") as bar:
            yield bar


class Lines:
    """For programs."""

    def show(self, event: str, **values: Any) -> None:
        print(json.dumps({"event": event, **values}), flush=True)

    def prompt(self, name: str) -> str:
        return ""

    def clear(self) -> None:
        return

    @contextmanager
    def thinking(self, name: str) -> Iterator[Callable[[float], None]]:
        yield lambda share: None


def _lines(event: str, values: dict[str, Any]) -> list[str]:
    """An event in words."""
    match event:
        case "start":
            seats = [f"  {number} {seat['name']}: {seat['player']}" for number, seat in enumerate(values["seats"], 1)]
            people = any(seat["player"] == "human" for seat in values["seats"])
            how = ["type a move, or help; Tab completes"] if people else []
            return [f"{values['game']}: {values['summary']}", *seats, *how]
        case "moved":
            who = values["player"]
            return [f"{who}: {values['move']}" if values["move"] is not None else f"{who} has moved"]
        case "position":
            return ["", values["view"], ""]
        case "moves":
            return [f"{len(values['moves'])} legal: {', '.join(values['moves'])}"]
        case "thoughts":
            return [f"{values['player']} thought: {values['words'][0]}", *(f"  {line}" for line in values["words"][1:])]
        case "hint":
            if values.get("score") is not None:
                return [
                    f"hint: {values['move']} (the best of {values['iterations']:,} playouts has a score of {values['score']:g})"
                ]
            return [f"hint: {values['move']} ({values['expected']:.0%} expected after {values['iterations']:,} iterations)"]
        case "over":
            rewards = [f"{seat['name']} {seat['reward']:g}" for seat in values["seats"]]
            told = [] if "score" in values else [f"rewards: {', '.join(rewards)}"]
            return ["", values["view"], "", f"the game is over: {values['outcome']}", *told]
    return [str(values["text"])]
