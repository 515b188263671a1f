"""In notebooks: a search that shows what it thinks while it thinks, and a board to be clicked.

Positions, results, reports and matches draw themselves there.  :func:`watch` searches as ``icarus.search`` does, and keeps the
position and the statistics on the page up to date until the budget is used up; the kernel's interrupt ends it with the answer
so far.  :func:`play` is a game against machines, played by clicking.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from icarus.drawing import draw
from icarus.errors import SearchError, needing
from icarus.game import Game, Position
from icarus.result import SearchResult
from icarus.search import Search

EVERY = 0.5  #: seconds between two looks at a search


def watch(
    game: str | Game | Position,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    every: float = EVERY,
    **options: Any,
) -> SearchResult:
    """Search and show the statistics while they grow; ``options`` are those of :class:`icarus.Search`."""
    with needing("watching a search", "ipython", extra="notebook"):
        page_of: Any = import_module("IPython.display")
    if iterations is None and seconds is None:
        raise SearchError("a search needs a budget: iterations or seconds")
    search = Search(game, **options)
    shown = page_of.display(page_of.HTML(page(search, None, 0.0)), display_id=True)
    begun = time.perf_counter()
    while True:
        spent = time.perf_counter() - begun
        left = None if iterations is None else iterations - search.iterations
        room = every if seconds is None else min(every, seconds - spent)
        found = search.run(iterations=left, seconds=max(room, 0.001))
        spent = time.perf_counter() - begun
        shares = [0.0 if limit is None else done / limit for done, limit in ((search.iterations, iterations), (spent, seconds))]
        over = max(shares) >= 1 or found.stopped_by not in ("seconds", "iterations")
        # the last look may end by its own clock just when the iterations are done
        reason = "iterations" if shares[0] >= 1 else found.stopped_by
        result = search.result(stopped_by=reason if over else "", seconds=spent)
        if shown is not None:  # outside of notebooks nothing can be drawn again
            shown.update(page_of.HTML(page(search, result, 1.0 if over else max(shares))))
        if over:
            return result


def page(search: Search, result: SearchResult | None, share: float) -> str:
    """The position as the searching player knows it, how far the search is, and what it has found."""
    everything = search.algorithm.cheats or not search.game.hidden_information
    board = draw(search.position, None if everything else search.observer)
    bar = f'<progress max="1" value="{share:.3f}" style="width:100%"></progress>' if share < 1 else ""
    table = "" if result is None else result._repr_html_()
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">'
        f'<div style="flex:1 1 16em;max-width:26em">{board}</div><div style="flex:1 1 20em">{bar}{table}</div></div>'
    )


def play(game: str | Game | Position, people: Sequence[int] = (0,), **settings: Any) -> Any:
    """A board to be clicked: people at these seats, machines at the others; ``settings`` are their budget and search options."""
    from icarus.notebook.board import Board

    return Board(game, people, **settings)
