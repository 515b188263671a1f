"""Players who choose at the same time: what was chosen before the player who acts, in the decision under way."""

from __future__ import annotations

from icarus.game import Position, State
from icarus.network.forest.layout import MOST_CHOICES


def choices_before(position: Position) -> tuple[State, list[tuple[int, int]]]:
    """The state in which the simultaneous decision began, and who has chosen what in it since; no choices where there is none.

    It is another decision when the game gives it another number, or when someone who has chosen chooses again after others have
    (network/forest/moves.py does the same move by move).
    """
    game = position.game
    state, begun, moment, made = position.origin.copy(), position.origin, 0, list[tuple[int, int]]()
    if game.simultaneous is None:
        return state, made
    for player, action, _ in [*position.history, (position.player, -1, ())]:
        now = int(game.call("simultaneous", state)) if player >= 0 else 0
        again = any(who == player for who, _ in made) and made[-1][0] != player
        if now == 0 or now != moment or again or len(made) >= MOST_CHOICES:
            begun, moment, made = state.copy(), now, []
        if action >= 0:
            if now:
                made.append((player, action))
            game.call("apply", state, action)
    return begun, made
