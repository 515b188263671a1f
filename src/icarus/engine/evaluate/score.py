"""Games of one player: rewards that follow from scores, and the best playout that was seen.

A score is in the game's own units (points, crosses, minutes saved), a reward is in [0, 1].  In a search the reward of a playout
is where its score lies between the least and the greatest that this worker has seen, its own included: 0 for a new worst, 1 for a
new best, one half as long as all were the same.  What was backed up before stays as it is.

Of a game without a score the best playout is the one with the greatest reward, and rewards stay as the game gives them.
"""

from __future__ import annotations

from icarus.engine.calls import call_score
from icarus.engine.layout import BAD_SCORE, FINE
from icarus.jit import at, element, part


@part
def fail(control, error, ply, value):
    """Note the first thing that is wrong with the game."""
    if control.error == FINE:
        control.error = error
        control.error_ply = ply
        control.error_value = value
    return -1


@part
def score_playout(world, lane):
    """Ask for the score of a playout that has ended; returns whether it is a number."""
    game, control = world.game, world.control
    score = call_score(game.score, at(world.states, lane * game.state_size))
    if control.error != FINE:
        return False
    if not (score - score == 0.0):
        fail(control, BAD_SCORE, element(world.lanes, lane).ply - control.root_ply, 0)
        return False
    note_score(world, lane, score)
    world.rewards[lane] = reward_of(control, score)
    return True


@part
def note_score(world, lane, score):
    """Widen what has been seen by a score, and keep its actions if it is the best."""
    control = world.control
    if control.ranged == 0 or score < control.least_score:
        control.least_score = score
    if control.ranged == 0 or score > control.most_score:
        control.most_score = score
    control.ranged = 1
    if control.scored == 0 or score > control.best_score:
        control.best_score = score
        first, last = control.root_ply, element(world.lanes, lane).ply
        actions = at(world.actions, lane * control.plies)
        for ply in range(first, last):
            world.best_line[ply - first] = actions[ply]
        control.best_length = last - first
    control.scored += 1


@part
def reward_of(control, score):
    """Where a score lies between the least and the greatest seen."""
    width = control.most_score - control.least_score
    return (score - control.least_score) / width if width > 0.0 else 0.5
