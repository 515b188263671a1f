"""Opening a search tree node by node.

A node is named by the line of moves that leads to it (see icarus.tree).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from icarus.search import Search
from icarus.web.limits import Refused

CHILDREN = 60  #: children of a node that are sent, the most visited first
DEPTH = 200


def open_node(search: Search, path: Sequence[int]) -> dict[str, Any]:
    """The node at the end of a line from the root: who acts there, and what is known of each action."""
    if len(path) > DEPTH:
        raise Refused(f"at most {DEPTH} moves deep")
    node = search.tree.root
    for step in path:
        behind = node.child(step)
        if behind is None:
            raise Refused("that line leaves the tree")
        node = behind
    if node.is_terminal:
        return {"player": None, "children": [], "more": 0, "rewards": node.state_sample().rewards()}
    rows: list[dict[str, Any]] = [
        {
            "action": child.move,
            "label": child.label,
            "visits": child.visits,
            "mean": [round(x, 4) for x in child.mean],
            "proven": child.proven(-1 if node.player is None else node.player),
        }
        for child in node.children
    ]
    return {"player": node.player, "children": rows[:CHILDREN], "more": max(len(rows) - CHILDREN, 0), "rewards": None}
