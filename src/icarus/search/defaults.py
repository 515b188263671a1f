"""What holds where nothing was chosen, and a search in one call."""

from __future__ import annotations

from typing import Any

from icarus.algorithm import named_with_strategy
from icarus.game import Game, Position
from icarus.result import SearchResult
from icarus.search.proven import proves
from icarus.search.searching import Search


def default_lanes(game: Game, iterations: int | None = None) -> int:
    """Lanes for a search of so many iterations (None: as many as there is time for) where nobody has chosen a number.

    One, as published; a game that steps its lanes together (a rule sheet) knows better.
    """
    return game.sensible_lanes(iterations)


def default_solve(game: Game, algorithm: str | None, strategy: str, seconds: float | None) -> bool | None:
    """Whether a player looks for proofs where nobody has said so: on the clock, wherever it can."""
    chosen, read = named_with_strategy(algorithm, strategy, game)
    if seconds is None or chosen.solve is not None:
        return None
    return (chosen.solves(game) and proves(read)) or None


def search(
    game: str | Game | Position,
    position: Position | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    **options: Any,
) -> SearchResult:
    """Search once: ``icarus.search("othello", iterations=10_000, seed=1).best``.  Options are those of :class:`Search`.

    With ``evaluator=evaluate`` (or ``algorithm="puct[net.onnx]"``) they are those of :class:`icarus.NetworkSearch`.
    """
    from icarus.loading import load
    from icarus.network.searching import NetworkSearch, check_options, network_search

    if iterations is None and seconds is None:
        iterations = 10_000
    if network_search(options):
        check_options(options)
        return NetworkSearch(game, position, **options).run(iterations=iterations, seconds=seconds)
    searched = game.game if isinstance(game, Position) else load(game) if isinstance(game, str) else game
    options.setdefault("lanes", default_lanes(searched, iterations))
    start = game if isinstance(game, Position) else searched
    return Search(start, position, **options).run(iterations=iterations, seconds=seconds)
