"""What the server of a player and the processes that think for it tell each other.

Everything is a pickled object in a pipe.  This file imports next to nothing, so that a process can be there at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.gdl.ground import Limits
from icarus.ggp.messages import Step


@dataclass(frozen=True)
class Settings:
    """How a player searches; the defaults are the strongest player of rave-variants-2016, which takes the best average.

    ``iterations`` is a limit for each move beside the clock; ``lanes``: None for as many as are sensible.
    """

    strategy: str = "ggp-grave-mast"
    algorithm: str | None = None
    lanes: int | None = None
    threads: int = 1
    memory: int = 1 << 30
    final: str = "max"
    iterations: int | None = None
    seed: int | None = None
    #: the preset of a sheet that was tuned may take the place of strategy and algorithm
    tuned: bool = False
    #: answers as soon as no other move can be visited most any more
    managed: bool = False


@dataclass(frozen=True)
class Order:
    """The match to think for."""

    rules: str
    role: str
    settings: Settings
    limits: Limits


@dataclass(frozen=True)
class Happened:
    """Steps that were not told before, and how many seconds there are to think now; ``request`` names the question.

    ``at_once``: a single legal move needs no thought.
    """

    steps: tuple[Step, ...]
    seconds: float
    request: int
    at_once: bool


@dataclass(frozen=True)
class Ponder:
    """May the process think while it is not asked?"""

    allowed: bool


@dataclass(frozen=True)
class Told:
    """What a process tells.

    ``warm``: everything is loaded.  ``failed``: the match cannot be played, and why.  ``begun``: the search begins without a
    network; ``ready``: the network is there; ``slow``: there will be none.  ``legal``: the moves of a step.  ``best``: the best
    move so far.  ``done``: more time would not help with this request.  ``note``: a line for the log.
    """

    kind: str
    step: int = 0
    request: int = 0
    moves: tuple[str, ...] = ()
    text: str = ""
    value: float = 0.0
    iterations: int = 0
