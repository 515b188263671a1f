"""Parameters that are tuned while a search runs, where there is no time to tune before a match.

C. F. Sironi and M. H. M. Winands, "On-Line Parameter Tuning for Monte-Carlo Tree Search in General Game Playing" (2017), and
C. F. Sironi, J. Liu, D. Perez-Liebana, R. D. Gaina, I. Bravi, S. M. Lucas and M. H. M. Winands, "Self-Adaptive MCTS for General
Video Game Playing" (2018): the parameters of a search are the arms of a bandit.  Before a simulation each player is given a
setting of its own, and what the player gets out of that simulation is credited to its setting.

``Adaptive(RAVE(k={50, 250, 1000}, c={0.2, 0.4}) >> MAST())``: braces hold the values to choose from.  A *setting* is one value
for each brace.  The tree and all statistics are shared by the settings, so they may differ in what policies and weights compute
from records (c, k, tau, epsilon, ref, ...), but not in which records there are (n of NAST).  The bandit: search/adaptation.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from icarus.errors import StrategyError
from icarus.strategy.base import Strategy, write_value
from icarus.trust import OWN, Trust

if TYPE_CHECKING:
    from icarus.game import Game

MOST_SETTINGS = 512
SLICE = 8  #: iterations with one setting


class Adaptive(Strategy):
    """The strategy of a template whose braces hold alternatives, chosen anew for each player every ``slice`` iterations.

    ``keep``: the share of what the bandits know that is kept when the game moves on.
    """

    def __init__(self, template: str | Strategy, slice: int = SLICE, keep: float = 1.0, *, trust: Trust = OWN) -> None:
        from icarus.strategy.expression import alternatives

        if not isinstance(slice, int) or isinstance(slice, bool) or not 1 <= slice <= 1 << 20:
            raise StrategyError(f"Adaptive: slice={write_value(slice)} must be a whole number of iterations, at least 1")
        if isinstance(keep, bool) or not isinstance(keep, int | float) or not 0 <= keep <= 1:
            raise StrategyError(f"Adaptive: keep={write_value(keep)} must be a number from 0 to 1")
        self.slice, self.keep = slice, float(keep)
        #: what stands in each pair of braces, as it is written
        self.choices: tuple[tuple[str, ...], ...]
        #: the strategies, one for each combination; the last choice changes fastest
        self.settings: tuple[Strategy, ...]
        self.text, self.choices, self.settings = alternatives(str(template), trust, MOST_SETTINGS)

    def parts(self) -> Iterator[Strategy]:
        yield self.settings[0]

    def check(self, game: Game) -> None:
        for setting in self.settings:
            setting.check(game)
        numbers_of_settings(self)

    def named(self, setting: int) -> str:
        """A setting as a strategy that can be pasted."""
        return str(self.settings[setting])

    def __str__(self) -> str:
        given = [self.text]
        if self.slice != SLICE:
            given.append(f"slice={self.slice}")
        if self.keep != 1.0:
            given.append(f"keep={write_value(self.keep)}")
        return f"Adaptive({', '.join(given)})"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Adaptive) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def numbers_of_settings(adaptive: Adaptive, **how: Any) -> tuple[npt.NDArray[np.float64], list[int]]:
    """The numbers of every setting, a row each, and the nodes that some of them cannot inline.

    Refuses settings that differ in more than the numbers of policies and weights.  ``how``: as in
    :func:`icarus.strategy.plan.make_plan`.
    """
    from icarus.strategy.plan import make_plan

    plans = [make_plan(setting, **how) for setting in adaptive.settings]
    first, called = plans[0], set()
    for setting, plan in zip(adaptive.settings, plans, strict=True):
        for number, (mine, other) in enumerate(zip(plan.nodes, first.nodes, strict=False)):
            if mine.get("inlined") != other.get("inlined"):  # a twin may serve some values only; the function serves all
                called.add(number)
                mine["inlined"] = other.get("inlined", 0)
        rows = ("captures", "nodes", "children", "factors", "statistic_rows", "statistic_uses", "filters", "words")
        alike = len(plan.numbers) == len(first.numbers) and all(getattr(plan, row) == getattr(first, row) for row in rows)
        if not alike or any(
            mine != plan.numbers[place] and place not in first.of_players for place, mine in enumerate(first.numbers)
        ):
            raise StrategyError(
                f"Adaptive: {setting} keeps other records or plays other playouts than {adaptive.settings[0]}; within one search "
                "only numbers of policies and weights can change, such as c, k, ref, tau and epsilon"
            )
    return np.array([plan.numbers or [0.0] for plan in plans], np.float64), sorted(called)
