"""A position that is played by clicking, in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from icarus.drawing import draw, moves
from icarus.drawing.kit import status
from icarus.errors import GameError, needing
from icarus.game import Game, Position, play_to_decision
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.result import SearchResult
from icarus.search import Search

with needing("a board that can be clicked", "anywidget", extra="notebook"):
    from anywidget import AnyWidget
    from traitlets import List, Unicode


class Board(AnyWidget):
    """A game between people at this page (``people``: their seats) and machines that search with ``options`` and this budget."""

    _esm = Path(__file__).with_name("board.js")
    svg = Unicode().tag(sync=True)
    told = Unicode().tag(sync=True)
    #: what can be clicked now: action, label and keys of each move; nothing while machines act
    moves: Any = List().tag(sync=True)

    def __init__(
        self,
        game: str | Game | Position,
        people: Sequence[int] = (0,),
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        **options: Any,
    ) -> None:
        super().__init__()
        self.position = game.copy() if isinstance(game, Position) else load(game).start(seed)  # type: ignore[arg-type]
        self.people, self.options = tuple(people), options
        players = range(self.position.game.players)
        if not self.people or any(seat not in players for seat in self.people):
            raise GameError(f"people={self.people}: name some of the seats 0 to {len(players) - 1}")
        if self.position.game.hidden_information and len(self.people) > 1:
            raise GameError(f"{self.position.game.name} hides something: only one person can look at a page")
        self.iterations, self.seconds = iterations, 1.0 if seconds is None and iterations is None else seconds
        #: what the last machine found
        self.result: SearchResult | None = None
        self._rng = seeded(seed, stream=5)
        self.on_msg(lambda _, content, buffers: self.click(content.get("action")))
        self._go_on()

    def click(self, action: object) -> None:
        """Play an action of the person who is to act, and let the machines answer; anything else changes nothing."""
        if action in [move["action"] for move in self.moves]:
            self.position.apply(int(action))  # type: ignore[call-overload]
            self._go_on()

    def _go_on(self) -> None:
        position, told = self.position, ""
        secret = position.game.hidden_information or position.game.partially_observable_moves
        while not play_to_decision(position, self._rng).is_terminal and position.player not in self.people:
            self._show(f"{position.game.player_labels[position.player]} is thinking …")
            self.result = Search(position, **self.options).run(self.iterations, self.seconds)
            told = "" if secret else f"{self.result.players[self.result.player]} plays {self.result.best.label}"
            position.apply(self.result.best.action)
        self._show(told)

    def _show(self, told: str = "") -> None:
        position = self.position
        observer = self.people[0] if len(self.people) == 1 else None
        acts = not position.is_terminal and position.player in self.people
        offered = moves(position).items() if acts else ()
        with self.hold_sync():
            self.svg = draw(position, observer)
            self.told = told or status(position, observer)
            self.moves = [{"action": a, "label": position.format_action(a), "keys": keys} for a, keys in offered]
