"""The conformance suite: does a game keep its contract?

>>> from icarus.testing import check_game
>>> check_game("kuhn_poker", games=10).passed
True

Seeded random games are played, and every statement of the contract (see icarus.game) becomes a named check: passed, failed with
the seed and the ply of the first case, or not applicable.  Where hidden information is small enough to list, determinizations
are compared with brute force; and searches from states that a player cannot tell apart must agree bit for bit.  A game's own
tests can end with ``check_game(game).raise_for_failures()``.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from icarus.game import Game
from icarus.testing.chance import check_chance
from icarus.testing.enumeration import check_small_sets
from icarus.testing.hidden import check_blindness, check_determinizations, check_twins
from icarus.testing.keys import check_keys
from icarus.testing.ledger import BASIC, CHECKS, Ledger
from icarus.testing.memory import guarded
from icarus.testing.pairs import find_pairs
from icarus.testing.peeking import check_searches, check_whole_games
from icarus.testing.playing import play_games, rehearse_games
from icarus.testing.playouts import check_playout
from icarus.testing.report import Check, Report
from icarus.testing.sight import check_simultaneous
from icarus.testing.variety import check_variety

__all__ = ["CHECKS", "Check", "Report", "check_game"]

HIDDEN = (
    "determinize-view", "determinize-legal", "determinize-possible", "determinize-varies", "determinize-blind",
    "determinize-uniform", "no-peeking",
)  # fmt: skip


def check_game(
    game: str | Game,
    *,
    games: int = 100,
    seed: int = 0,
    searches: bool = True,
    seconds: float | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Report:
    """Check a game by playing this many random games, from this seed on.

    ``searches``: compare searches too (the slowest part).  ``seconds``: about how long it may take; a slow game is looked at in
    fewer cases then (the report says how many), and at least one game is played.  ``progress`` is told the share that is done,
    and what comes next.
    """
    from icarus.loading import load

    game = load(game) if isinstance(game, str) else game
    begun = time.perf_counter()
    ledger = Ledger() if seconds is None else Ledger(seconds)
    try:
        games = _check(guarded(game), max(games, 1), seed, searches, ledger, progress or (lambda share, text: None))
    except Exception as problem:
        ledger.expect("plays", False, None, f"{type(problem).__name__}: {problem}")
    return Report(game.name, seed, games, time.perf_counter() - begun, ledger.checks(), ledger.unexplained)


def _check(game: Game, games: int, seed: int, searches: bool, ledger: Ledger, progress: Callable[[float, str], None]) -> int:
    """Returns how many games were played."""
    progress(0.0, "random games")
    rehearse_games(game, seed, ledger)
    kept = play_games(game, games, seed, ledger, lambda share: progress(0.4 * share, "random games"))
    broken = ledger.failed(*BASIC)
    if broken:
        ledger.skip(f"not looked at, because {broken[0]} failed", *CHECKS)
        return kept.played
    games = kept.played
    for name, function in (("identity", game.format_action), ("extras", game.heuristic or game.episode or game.predicates)):
        if function is None:
            ledger.skip("the game has nothing of the kind", name)
    check_chance(game, kept, ledger)
    check_keys(game, games, seed, ledger)
    check_playout(game, kept, seed, ledger)
    check_simultaneous(game, max(games // 4, 1), seed, ledger)
    if not game.hidden_information:
        ledger.skip("nothing is hidden", *HIDDEN, "observe-view", "shown-known", "legal-known")
        progress(1.0, "done")
        return games
    if game.view is None:
        ledger.skip("the game has no view", "determinize-view", "observe-view", "shown-known", "legal-known")
    progress(0.5, "determinizations")
    twins = check_determinizations(game, kept, ledger)
    met = [] if game.view is None else find_pairs(game, seed, max(games // game.players, 4), ledger)
    # a determinization leaves it at who acts, also where the observer could not tell
    alike = [pair for pair in met if pair.one.player == pair.other.player]
    if game.view is not None and not ledger.failed("determinize-view"):
        check_twins(twins, ledger)
    if ledger.failed("determinize-view", "determinize-legal", "determinize-possible"):
        ledger.skip("not looked at, because determinizations are not what they should be", "determinize-varies")
    else:
        check_variety(game, seed, kept, alike, twins, ledger)
    check_blindness([*alike, *twins], ledger)
    if not [*alike, *twins]:
        ledger.skip("no two states were met that a player cannot tell apart", "determinize-blind", "no-peeking")
    progress(0.6, "information sets")
    check_small_sets(game, seed, ledger)
    if searches:
        progress(0.8, "searches")
        check_searches([*alike, *twins], ledger)
        if game.view is not None and not ledger.failed(*HIDDEN, "observe-view", "legal-known"):
            check_whole_games(game, kept, alike, ledger)
    else:
        ledger.skip("searches were not asked for", "no-peeking")
    progress(1.0, "done")
    return games
