"""Last good reply (LGR-4 of icarus-2014): play the remembered reply if it is legal, else anything.

Replies are all that an LGR capture keeps; the engine presents the reply as an action with value 1 among actions with value 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.strategy.icarus import REPLIES, Policy


@compiled
def last_good_reply(reward, visits, available, extra, base, record, values, size, parameters):
    for i in range(size):
        values[i] = reward[i]


@dataclass(frozen=True, repr=False)
class LastGoodReply(Policy):
    """1 for the reply, 0 for every other action; without a legal reply all are equal, so the choice is uniform."""

    function = staticmethod(last_good_reply)
    kinds = REPLIES
    formula = "1 for the last good reply, else 0"
