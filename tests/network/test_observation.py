"""What networks are shown of games that say it themselves: positions look different to who acts, and nothing hidden shows."""

from __future__ import annotations

import numpy as np
import pytest

from icarus import load
from icarus.encoding import words_of_view
from icarus.game import Position, step_randomly
from icarus.jit.randomness import seeded
from icarus.network.encoding import encoding_of

SHAPES = {
    "tic_tac_toe": (2, 3, 3),
    "mnk(5,4,4)": (2, 4, 5),
    "connect_four": (2, 6, 7),
    "othello": (2, 8, 8),
    "breakthrough": (2, 8, 8),
    "breakthrough(6,5)": (2, 6, 5),
    "hex(4)": (2, 4, 4),
    "go(5)": (5, 5, 5),
    "phantom(3,3,3)": (3, 3, 3),
    "leduc_poker": (12,),
}
HIDDEN = ("phantom(3,3,3)", "leduc_poker")


def positions(game: str, games: int = 6) -> list[Position]:
    """Decisions of random games."""
    found = []
    for seed in range(games):
        position, rng = load(game).start(seed), seeded(seed, stream=3)
        while not position.is_terminal:
            if not position.environment_acts:
                found.append(position.copy())
            step_randomly(position, rng)
    return found


@pytest.mark.parametrize("game", SHAPES)
def test_every_number_is_written_and_actions_have_their_own(game: str) -> None:
    encoding = encoding_of(load(game))
    assert encoding.shape == SHAPES[game]
    for position in positions(game, 2):
        out = np.full(SHAPES[game], np.nan, np.float32)
        position.game.call("observation", position.state, position.player, out.reshape(-1))
        assert np.isfinite(out).all()
        if position.game.action_index is not None:
            numbers = [int(position.game.call("action_index", position.state, action)) for action in position.legal()]
            assert len(set(numbers)) == len(numbers)
            assert all(0 <= number < encoding.actions for number in numbers)


@pytest.mark.parametrize("game", SHAPES)
def test_what_differs_for_who_acts_looks_different(game: str) -> None:
    """Suits that never matter (leduc) and how often somebody passed or what belongs to episodes are no part of a position."""
    encoding, known = encoding_of(load(game)), dict[bytes, object]()
    for position in positions(game, 20):
        player = position.player
        seen = encoding.look(position, player).tobytes()
        what: object = (player, tuple(position.legal()))
        if game == "leduc_poker":
            what = (what, int(position.named.cards[player]) // 2, (int(position.named.public) + 1) // 2)
        elif position.game.key is not None and game != "go(5)":
            what = (what, int(position.game.call("key", position.state)))
        elif game in HIDDEN or game.startswith(("tic", "mnk")):
            what = (what, tuple(words_of_view(position, player)))
        if not game.startswith(("breakthrough", "hex")):  # those are turned: both sides see the same
            assert known.setdefault(seen, what) == what
        else:
            assert known.setdefault(seen + bytes([player]), what) == what


@pytest.mark.parametrize("game", HIDDEN)
def test_nothing_that_is_hidden_shows(game: str) -> None:
    encoding, rng, differed = encoding_of(load(game)), seeded(5), 0
    for position in positions(game):
        for observer in range(2):
            twin = position.determinize(observer, rng)
            differed += twin.state.tobytes() != position.state.tobytes()
            assert encoding.look(twin, observer).tobytes() == encoding.look(position, observer).tobytes()
    assert differed > 10


def test_breakthrough_and_hex_look_the_same_from_both_sides() -> None:
    """The mirrored position, with the other to act, has the same observation and the same numbers of actions."""
    for game in ("breakthrough(6,5)", "hex(4)"):
        start = load(game).start()
        encoding = encoding_of(start.game)
        first = {int(start.game.call("action_index", start.state, action)) for action in start.legal()}
        after = start.copy().apply(start.legal()[0])
        if game.startswith("breakthrough"):
            second = {int(start.game.call("action_index", after.state, action)) for action in after.legal()}
            assert first == second
            assert encoding.look(start, 0).tobytes() == encoding.look(start, 1).tobytes()
        else:
            # a stone of the first player on its first row, which is a column to the second
            seen = encoding.look(after, 1)
            assert seen[1].sum() == 1
            assert seen[1, 0, 0] == 1
            moved = start.copy().apply(1)
            assert encoding.look(moved, 0)[0, 0, 1] == 1
            assert encoding.look(moved, 1)[1, 1, 0] == 1
            assert int(start.game.call("action_index", moved.state, 4)) == 1
