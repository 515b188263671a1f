"""Trees that were grown for moves, to be opened later; the oldest go when there is no more room."""

from __future__ import annotations

from collections import OrderedDict

from icarus.network.searching import AnySearch
from icarus.search import Search


class Archive:
    """Searches by table and ply, in at most so many bytes."""

    def __init__(self, room: float) -> None:
        self.room = room
        self.searches: OrderedDict[tuple[str, int], Search] = OrderedDict()

    def keep(self, name: str, ply: int, search: AnySearch | None) -> None:
        if not isinstance(search, Search):  # nothing, or a tree of networks, which has another form
            return
        self.searches[name, ply] = search
        while len(self.searches) > 1 and sum(map(held, self.searches.values())) > self.room:
            self.searches.popitem(last=False)

    def get(self, name: str, ply: int) -> Search | None:
        return self.searches.get((name, ply))

    def forget(self, name: str, since: int = 0) -> None:
        """The trees of a table, from this ply on."""
        for key in [key for key in self.searches if key[0] == name and key[1] >= since]:
            del self.searches[key]


def held(search: Search) -> int:
    """The bytes of a search's trees."""
    return sum(table.used_bytes for table in search.team.tables)
