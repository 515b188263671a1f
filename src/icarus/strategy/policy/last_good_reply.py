"""Last good reply (LGR-4 of icarus-2014): play the remembered reply if it is legal, else anything.

Replies are all that an LGR capture keeps; the engine presents the reply as an action with value 1 among actions with value 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import REPLIES, Inlined, Policy


@compiled
def last_good_reply(arms, values, p):
    for i in range(arms.size):
        values[i] = arms.reward[i]


@dataclass(frozen=True, repr=False)
class LastGoodReply(Policy):
    """1 for the reply, 0 for every other action; without a legal reply all are equal, so the choice is uniform."""

    function = staticmethod(last_good_reply)
    kinds = REPLIES
    inlined = Inlined(w.INLINED_REPLY, of=last_good_reply)
    formula = "1 for the last good reply, else 0"
