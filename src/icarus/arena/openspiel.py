"""OpenSpiel's own bots as players, for a comparison with a peer in a real match.

Only games whose actions have the same numbers on both sides are offered; a copy of the game is kept in OpenSpiel's state beside
ours, and the bot is asked there.  ``openspiel-ismcts`` resamples hidden information by OpenSpiel's own means.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from icarus.arena.errors import ArenaError
from icarus.errors import needing
from icarus.game import Game, Position

if TYPE_CHECKING:
    from icarus.arena.players import Decision, Player

UCT_C = 1.4  #: OpenSpiel's rewards are in [-1, 1]: 0.7 on our scale
MEMORY_MB = 1000

#: our name (a pattern) -> OpenSpiel's
TWINS = {
    r"tic_tac_toe": "tic_tac_toe",
    r"mnk\((\d+),(\d+),(\d+)\)": "mnk(m={0},n={1},k={2})",
    r"connect_four": "connect_four",
    r"othello": "othello",
    r"hex\((\d+)\)": "hex(board_size={0})",
    r"clobber\((\d+),(\d+)\)": "clobber(rows={0},columns={1})",
    r"mancala": "mancala",
    r"havannah\((\d+)\)": "havannah(board_size={0})",
    r"kuhn_poker": "kuhn_poker",
    r"kuhn_poker\((\d+)\)": "kuhn_poker(players={0})",
    r"liars_dice\((\d+),(\d+)\)": "liars_dice(numdice={0},dice_sides={1})",
}


def check(algorithm: str, game: Game) -> None:
    """Refuse what OpenSpiel does not have, or its bot cannot play."""
    _load(game)
    if game.hidden_information and algorithm == "openspiel-mcts":
        raise ArenaError("it needs perfect information; use openspiel-ismcts")
    if not game.hidden_information and algorithm == "openspiel-ismcts":
        raise ArenaError("it is for hidden information; use openspiel-mcts")


def _load(game: Game) -> Any:
    with needing("OpenSpiel's bots", "open_spiel", extra="bench"):
        import pyspiel
    name = game.name.replace(" ", "")
    for pattern, twin in TWINS.items():
        match = re.fullmatch(pattern, name)
        if match:
            return pyspiel.load_game(twin.format(*match.groups()))
    known = sorted({re.split(r"\W", pattern)[0] for pattern in TWINS})
    raise ArenaError(f"its twin in OpenSpiel is not known; known are {', '.join(known)}")


class OpenSpielSeat:
    """One of OpenSpiel's bots in a seat."""

    def __init__(self, player: Player, game: Game, seat: int, seed: int) -> None:
        import pyspiel

        self.twin = _load(game)
        self.state = self.twin.new_initial_state()
        self.known = 0
        self.iterations = player.iterations or 0
        number = (seed * 31 + seat) & 0x7FFFFFFF
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        simulations, seconds = player.iterations or 10**9, -1.0 if player.seconds is None else player.seconds
        if player.algorithm == "openspiel-mcts":
            self.bot = pyspiel.MCTSBot(
                self.twin, evaluator, UCT_C, simulations, MEMORY_MB, False, number, False, max_wall_clock_time=seconds
            )
        else:
            policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            self.bot = pyspiel.ISMCTSBot(
                number, evaluator, UCT_C, simulations, -1, policy, False, False, max_wall_clock_time=seconds
            )

    def decide(self, position: Position, legal: list[int]) -> Decision:
        from icarus.arena.players import Decision

        if self.state.is_chance_node():
            self._deal(position)
        for _, action, _ in position.history[self.known :]:
            self.state.apply_action(action)
        self.known = len(position.history)
        if len(legal) == 1:
            return Decision(legal[0])
        return Decision(int(self.bot.step(self.state)), self.iterations)

    def _deal(self, position: Position) -> None:
        """Repeat our deal there.  The bot resamples what its seat cannot see before it searches."""
        if position.game.name.startswith("kuhn_poker"):
            outcomes = [int(card) for card in position.named.cards]
        else:
            outcomes = [int(face) - 1 for face in position.named.rolls]
        for outcome in outcomes:
            self.state.apply_action(outcome)
