"""Last good reply, without and with forgetting (Specification 4 and LGRF-7 of icarus-2014).

The information in a record is an action: what its player last answered to a move in a playout that brought it a reward above 0.
With forgetting the reply is dropped as soon as a playout with it brings nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icarus.engine import layout as w
from icarus.errors import StrategyError
from icarus.jit import compiled
from icarus.strategy.base import Capture, Enhancement, Policy, tries
from icarus.strategy.policy.last_good_reply import LastGoodReply
from icarus.strategy.step import last_moves


@compiled
def last_move(step, keys, p):
    return last_moves(step, 1, keys, 0)


class Replies(Enhancement):
    """What the four last-good-reply enhancements share."""

    def __post_init__(self) -> None:
        if self.keep not in (0, 1):
            raise StrategyError(f"{type(self).__name__}: keep={self.keep} is out of range; replies are kept (1) or forgotten (0)")
        super().__post_init__()

    @property
    def reuse(self) -> Policy:
        return LastGoodReply()


@dataclass(frozen=True, repr=False)
class LGR(Replies):
    """Play the last good reply to the previous move if it is legal, else anything."""

    keep: float = 1.0

    grid = tries(keep=(0, 1))

    kind: ClassVar[int] = w.KEEPS_REPLIES

    @property
    def capture(self) -> Capture:
        return Capture(read=last_move, kind=self.kind, records="one reply per previous move and player (LGR-1)")


@dataclass(frozen=True, repr=False)
class LGRF(LGR):
    """LGR that forgets a reply when it fails."""

    place = "simulation"

    kind: ClassVar[int] = w.KEEPS_REPLIES_FORGETS
