"""The algorithms that ask an evaluator: ``puct`` (AlphaZero) and ``gumbel`` (Gumbel AlphaZero)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.algorithm import Algorithm, Parameter
from icarus.errors import SearchError
from icarus.game import Game
from icarus.network.forest.layout import FIRST_LOSS, FIRST_PARENT, GUMBEL, PUCT

if TYPE_CHECKING:
    from icarus.network.forest.memory import Forest

MOST_LANES = 4096
BATCH = Parameter("batch", 1, MOST_LANES, meaning="the number of lanes")
NOISE = Parameter("noise", 0, 100, whole=False, meaning="the noise at the root")


@dataclass(frozen=True)
class NetworkAlgorithm(Algorithm):
    """A search that asks an evaluator what a position is worth, for several positions at a time."""

    #: lanes that are under way in one tree
    batch: int = 8
    #: at the root: the share of Dirichlet noise in the priors (puct), the scale of Gumbel noise (gumbel)
    noise: float = 0.0
    #: PUCT's constants, as AlphaZero's pseudocode has them for rewards in [0, 1]
    c: float = 1.25
    base: float = 19652.0
    #: what an action without visits is worth: as much as its node, or as a loss
    first: str = "parent"
    #: actions that sequential halving begins with, and the constants of sigma
    considered: int = 16
    c_visit: float = 50.0
    c_scale: float = 1.0

    asks: bool = True

    def check(self, game: Game) -> None:
        if game.simultaneous_moves and game.observe is None:
            raise SearchError(
                f"{self.name}: in {game.name} players choose at the same time, and it has no observe() that hides a choice from"
                " the others until all have chosen; use mo"
            )

    def put_into(self, forest: Forest) -> None:
        """Tell a forest how it is searched."""
        control = forest.control
        control.algorithm = GUMBEL if self.name == "gumbel" else PUCT
        control.first = FIRST_LOSS if self.first == "loss" else FIRST_PARENT
        control.c, control.base, control.considered = self.c, self.base, self.considered
        control.c_visit, control.c_scale = self.c_visit, self.c_scale
        control.noise = control.gumbel = self.noise


def number(field: str, least: float, most: float, meaning: str) -> Parameter:
    return Parameter(field, least, most, whole=False, meaning=meaning)


NETWORK = (
    NetworkAlgorithm(
        "puct",
        parameters=(
            BATCH,
            NOISE,
            number("c", 0, 1000, "the weight of the priors"),
            number("base", 1, 1e9, "the visits after which exploration grows"),
            Parameter("first", words=("parent", "loss"), meaning="the value of an action without visits"),
        ),
        resamples=True,
    ),
    NetworkAlgorithm(
        "gumbel",
        parameters=(
            BATCH,
            NOISE,
            Parameter("considered", 1, 10_000, meaning="the number of actions that are considered"),
            number("c_visit", 0, 1e6, "c_visit"),
            number("c_scale", 0, 1e6, "c_scale"),
        ),
    ),
)
