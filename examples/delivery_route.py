"""A delivery route with opening hours: which order of customers makes the tour short and keeps most appointments?

    icarus solve examples/delivery_route.py --time 5

An object of the class is a tour under way.  Four methods are all that is needed; ``code`` tells policy adaptation what two moves
have in common, and ``clone`` is faster than the copy that is made otherwise.
"""

from __future__ import annotations

from math import dist

#: name: (east, north, opens, closes), in kilometres and minutes
CUSTOMERS = {
    "bakery": (2, 9, 0, 40), "school": (8, 8, 30, 90), "museum": (5, 5, 60, 180), "harbour": (1, 1, 0, 300),
    "florist": (9, 3, 20, 80), "library": (6, 9, 90, 200), "station": (4, 2, 0, 60), "clinic": (9, 6, 0, 120),
    "market": (3, 6, 40, 100), "depot": (7, 1, 120, 400), "theatre": (1, 5, 100, 250), "garage": (8, 5, 0, 400),
}  # fmt: skip
START, KM_PER_MINUTE, LATE = (5, 4), 0.5, 100


class Tour:
    """Visit twelve customers; early arrivals wait, late ones cost a hundred minutes."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.minute, self.driven, self.late = 0.0, 0.0, 0

    def clone(self) -> Tour:
        twin = Tour()
        twin.visited = list(self.visited)
        twin.minute, twin.driven, twin.late = self.minute, self.driven, self.late
        return twin

    def place(self) -> tuple[float, float]:
        return CUSTOMERS[self.visited[-1]][:2] if self.visited else START

    def legal(self) -> list[str]:
        return [name for name in CUSTOMERS if name not in self.visited]

    def apply(self, name: str) -> None:
        *there, opens, closes = CUSTOMERS[name]
        way = dist(self.place(), there) / KM_PER_MINUTE
        self.driven += way
        self.late += self.minute + way > closes
        self.minute = max(self.minute + way, opens)
        self.visited.append(name)

    def terminal(self) -> bool:
        return len(self.visited) == len(CUSTOMERS)

    def score(self) -> float:
        home = dist(self.place(), START) / KM_PER_MINUTE
        return -round(self.driven + home + LATE * self.late, 3)

    def code(self, name: str) -> tuple[str, str]:
        return (self.visited[-1] if self.visited else "start", name)  # a leg of the tour, wherever it comes
