"""What can be searched, and what cannot: one line for the person who asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icarus.engine import layout as w
from icarus.errors import GameError, SearchError
from icarus.game import ENVIRONMENT
from icarus.search.choice import FINAL_MOVES
from icarus.search.proven import proves

if TYPE_CHECKING:
    from icarus.search.searching import Search

MOST_THREADS = 256  #: each has memory of its own

ERRORS = {
    w.NO_ACTION: "no legal action in an unfinished game ({ply} plies after the root)",
    w.TOO_MANY_ACTIONS: "legal() reports {value} actions, more than the declared max_actions ({ply} plies after the root)",
    w.TOO_LONG: "a game did not end within the declared max_plies={value}",
    w.BAD_REWARD: "a reward of player {value} is not in [0, 1] ({ply} plies after the root)",
    w.BAD_SCORE: "score() does not give a finite number ({ply} plies after the root)",
    w.BAD_ACTION: "the action {value} is not in 0 .. 2**31 - 1 ({ply} plies after the root)",
}


def check_request(search: Search, observer: int | None, threads: int, parallel: str, lanes: int, chance: str, final: str) -> int:
    """Raise SearchError for what cannot be searched; returns the observer."""
    game = search.game
    if search.position.is_terminal:
        raise SearchError(f"the game {game.name} is over in this position: there is nothing to search")
    actor = search.position.player
    if observer is not None and not 0 <= observer < game.players:
        raise SearchError(f"there is no player {observer} in {game.name}; players are 0 to {game.players - 1}")
    if actor == ENVIRONMENT and observer is None:
        raise SearchError(f"the environment acts in this position of {game.name}; play its outcome first, or name an observer")
    if threads < 1 or lanes < 1:
        raise SearchError(f"threads={threads}, lanes={lanes}: both must be at least 1")
    if threads > MOST_THREADS:
        raise SearchError(f"threads={threads}: at most {MOST_THREADS} are possible")
    if parallel not in ("tree", "root"):
        raise SearchError(f"parallel={parallel!r}: choose 'tree' or 'root'")
    if chance not in ("sample", "even"):
        raise SearchError(f"chance={chance!r}: choose 'sample' or 'even'")
    if chance == "even" and game.sample is not None and game.chance is None:
        raise SearchError(f"chance='even' needs probabilities, and {game.name} has no function 'chance'")
    if final not in FINAL_MOVES:
        raise SearchError(f"final={final!r}: choose one of {', '.join(FINAL_MOVES)}")
    search.algorithm.check(game)
    search.strategy.check(game)
    views = search.algorithm.identity in (w.BY_EACH_VIEW, w.BY_ROOT_VIEW) and game.observe is not None
    for leaf in search.strategy.enhancements():
        if views and leaf.reuse.backup is not None and leaf.reuse.backup.one_tree:
            raise SearchError(
                f"{leaf.reuse} reads what is behind an action, which needs one tree of actions for all players, and "
                f"{search.algorithm.name} has none; use so or determinized(10)"
            )
    if search.algorithm.identity == w.BY_ROOT_VIEW and game.observe is not None:
        for leaf in search.strategy.enhancements():
            if "heuristic" in leaf.capture.needs:
                raise SearchError(
                    f"pom chooses between moves, not actions, of the others: {leaf} has no value for them; use mo or so"
                )
    return actor if observer is None else observer


def check_plan(search: Search, threads: int, lanes: int) -> None:
    """Raise SearchError where algorithm and strategy do not go together."""
    if search.plan.words["tree_filters"] and search.game.hidden_information:
        raise SearchError(
            f"{search.strategy} tries moves out in the tree, which needs perfect information, and {search.game.name} hides some;"
            " it may stand to the right of >>"
        )
    if search.algorithm.walks and (search.plan.words["cutoff"] or search.plan.words["suggests"]):
        raise SearchError(
            f"{search.algorithm.name} plays its own playouts to the end; {search.strategy} changes them, which it cannot take"
        )
    if search.algorithm.transpositions > 1 and (threads > 1 or lanes > 1 or search.game.score is not None):
        raise SearchError(f"transpositions={search.algorithm.transpositions} needs one thread, one lane and no score")
    if search.permuted is not None and (search.amaf_by_node != search.permuted[0] or search.algorithm.transpositions > 1):
        raise SearchError(
            f"{search.strategy} tells playouts to nodes that permutations reach: that needs a game in which everybody "
            "sees every move, no other AMAF and no transpositions above 1"
        )
    if search.algorithm.solve and not proves(search.strategy):
        raise SearchError(
            f"solve needs every legal move in the tree and rewards as the game gives them; {search.strategy} changes them"
        )


def explain(search: Search, control: w.Control) -> GameError:
    """What is wrong with the game, in one line."""
    problem = search.game.problem
    if control.error == w.IN_CALLBACK and problem:
        return GameError(f"{search.game.name}: {problem}")
    text = ERRORS[int(control.error)].format(ply=int(control.error_ply), value=int(control.error_value))
    return GameError(f"the game {search.game.name} breaks its contract: {text}; `icarus check` finds the place")
