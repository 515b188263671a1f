"""Choices made at the same time: who has not chosen yet learns nothing of what the others chose."""

from __future__ import annotations

from icarus.game import Game, Position, step_randomly
from icarus.jit.randomness import random_below, seeded
from icarus.testing.ledger import Ledger, Place

ACTIONS = 8  #: how many actions of a decision are compared


def check_simultaneous(game: Game, games: int, seed: int, ledger: Ledger) -> None:
    if game.simultaneous is None:
        ledger.skip("nobody chooses at the same time", "simultaneous-hidden")
        return
    for number in range(games):
        if number and ledger.late(0.3):
            break
        position, rng = game.start(seed + number), seeded(seed + number, stream=41)
        chosen: set[int] = set()
        before = 0
        while not position.is_terminal:
            now = moment(position)
            if now == 0:
                chosen = set()
            else:
                # another decision begins when the game says so, or when someone chooses again
                chosen = set() if now != before or position.player in chosen else chosen
                chosen.add(position.player)
                actions = position.legal()
                for _ in range(max(len(actions) - ACTIONS, 0)):
                    actions.pop(int(random_below(rng, len(actions))))
                compare(position, actions, chosen, ledger, Place(seed + number, len(position.history)))
            before = now
            step_randomly(position, rng)


def moment(position: Position) -> int:
    """The number of a moment in which several players choose; 0: there is one who chooses."""
    return int(position.game.call("simultaneous", position.state))


def compare(position: Position, actions: list[int], chosen: set[int], ledger: Ledger, place: Place) -> None:
    """Does the next to choose see, in the move or in the view, which action was taken?"""
    seen: dict[int, tuple[int, object, int]] = {}
    for action in actions:
        after = position.copy().apply(action)
        if after.is_terminal or moment(after) != moment(position) or after.player in chosen:
            continue
        follower = after.player
        unknown = position.game.view is None and position.game.hidden_information
        move, view = position.observe(action, follower), None if unknown else after.view(follower)
        known, looked, first = seen.setdefault(follower, (move, view, action))
        text = f"observer {follower} chooses at the same time and can tell {first} from {action} of player() == {position.player}"
        ledger.expect("simultaneous-hidden", (known, looked) == (move, view), place, text)
