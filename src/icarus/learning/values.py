"""Sarsa(lambda) for the values of moves: games of the learner with itself, which teach as playouts of a search do (Dyna-2).

The weights that ``strategy/transient.py`` would throw away with the search are kept: they are the permanent memory.
"""

from __future__ import annotations

from numba import types

from icarus.engine.calls import call_apply, call_legal, call_player, call_rewards, call_sample, call_terminal
from icarus.engine.layout import ENVIRONMENT, World
from icarus.jit import at, kernel
from icarus.strategy.dyna2 import epsilon_greedy
from icarus.strategy.transient import learn_from_playout, value_of_note

WORDS, REALS = types.int64[::1], types.float64[::1]


@kernel(types.float64(WORDS, REALS))
def learn_values(handle, numbers):
    """One game from the root; changes the weights, returns the mean of the squared differences between its end and its values."""
    world = World(handle)
    game, state, legal, candidates, lesson, p = (
        world.game,
        world.states,
        world.legal,
        world.candidates,
        world.lesson,
        at(numbers, 0),
    )
    for word in range(game.state_size):
        state[word] = world.root[word]
    while call_terminal(game.terminal, state) == 0:
        mover = call_player(game.player, state)
        if mover == ENVIRONMENT:
            call_apply(game.apply, state, call_sample(game.sample, state, world.rng))
            continue
        candidates.state = state
        candidates.actions = legal
        candidates.size = call_legal(game.legal, state, legal)
        candidates.player = mover
        candidates.rng = world.rng
        candidates.notes = world.notes
        epsilon_greedy(candidates, p)
        call_apply(game.apply, state, legal[0])
    call_rewards(game.rewards, state, world.rewards)
    lesson.notes = world.notes
    lesson.rewards = world.rewards
    squares, steps, end = 0.0, 0, world.notes[0]
    while end > 0:
        difference = world.rewards[world.notes[end]] - value_of_note(world.notes, end, lesson.learned, p)
        squares += difference * difference
        steps += 1
        end -= world.notes[end - 1] + 2
    learn_from_playout(lesson, p)
    return squares / max(steps, 1)
