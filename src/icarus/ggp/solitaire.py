"""A sheet with one role and nothing left to chance: a race of searches for the best sequence of moves, as the player Ary had it.

Policy adaptation and nested search take turns on the clock; the best sequence that any of them has found is kept from step to
step, and its next move is played.  A sequence that ends with the goal 100 needs no more thought.
"""

from __future__ import annotations

from icarus.gdl.reader import Sheet
from icarus.gdl.rule_game import RuleGame
from icarus.ggp.player import Thought, TreePlayer
from icarus.ggp.protocol import Settings
from icarus.search import Search

RACERS = ("nrpa(3)", "nmcs(2)")
MEMORY = 1 << 26  #: bytes for each: these searches keep next to nothing


def is_solitaire(game: RuleGame) -> bool:
    return game.players == 1 and not game.stochastic and not game.hides and game.observe is None


class SolitairePlayer(TreePlayer):
    """Plays the best sequence that was found."""

    def __init__(self, game: RuleGame, sheet: Sheet, role: str, settings: Settings) -> None:
        super().__init__(game, sheet, role, settings)
        self._racers: list[Search] = []
        #: the best score, and its actions from the start of the match
        self.best: tuple[float, list[int]] = (-1.0, [])

    def think(self, seconds: float) -> Thought:
        legal, position = self.legal(), self.tracker.position
        if position.is_terminal:
            return Thought(legal[0] if legal else "noop", full=True)
        played = [action for _, action, _ in position.history]
        if self.best[1][: len(played)] != played or len(self.best[1]) <= len(played):
            self.best = (-1.0, [])  # another way was taken
        if self.best[0] < 1.0:
            self._race(seconds, played)
        score, line = self.best
        iterations = sum(search.iterations for search in self._racers)
        move = position.format_action(line[len(played)]) if line else legal[0]
        return Thought(move, 100 * max(score, 0.0), iterations, full=score >= 1.0)

    def _race(self, seconds: float, played: list[int]) -> None:
        position, limit = self.tracker.position, self.settings.iterations
        if not self._racers or self._racers[0].game is not position.game:
            seed = self.settings.seed
            self._racers = [
                Search(position, algorithm=name, seed=None if seed is None else seed + number, memory=MEMORY)
                for number, name in enumerate(RACERS)
            ]
        for search in self._racers:
            if search.position.history != position.history:
                search.advance(position)
            search.run(seconds=seconds / len(self._racers), iterations=limit)
            found = search.best_playout
            if found is not None and found[0] > self.best[0]:
                self.best = (found[0], [*played, *found[1]])

    def ponder(self, answer: str, seconds: float) -> bool:
        return False

    def stop(self) -> None:
        for search in self._racers:
            search.stop()
