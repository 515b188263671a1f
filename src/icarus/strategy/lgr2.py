"""Last good reply to the last two moves (Drake 2009; section VI-A8 of mcts-survey-2012), without and with forgetting.

A reply is kept both for the last two moves and for the last one; the longer context is asked first, and the shorter one where
the longer has no legal reply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import Capture, tries
from icarus.strategy.lgr import Replies
from icarus.strategy.step import last_moves

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def two_moves_then_one(step, keys, p):
    written = last_moves(step, 2, keys, 0)
    return written + last_moves(step, 1, keys, written)


def two_contexts(game: Game) -> int:
    return 2


@dataclass(frozen=True, repr=False)
class LGR2(Replies):
    """Play the last good reply to the last two moves, else to the last one, else anything."""

    keep: float = 1.0

    grid = tries(keep=(0, 1))

    kind: ClassVar[int] = w.KEEPS_REPLIES

    @property
    def capture(self) -> Capture:
        return Capture(
            read=two_moves_then_one,
            kind=self.kind,
            contexts=two_contexts,
            records="one reply per last two moves and player, one per last move and player",
        )


@dataclass(frozen=True, repr=False)
class LGRF2(LGR2):
    """LGR-2 that forgets a reply when it fails."""

    kind: ClassVar[int] = w.KEEPS_REPLIES_FORGETS
