"""A week of shifts: who works when, so that everybody rests, nobody works too much, and wishes come true?

    icarus solve examples/shift_schedule.py --time 5

Shifts are filled one after the other; an action is the person.  The score counts wishes, and takes off for what should not be.
"""

from __future__ import annotations

DAYS, TIMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), ("early", "late", "night")
SHIFTS = [f"{day} {time}" for day in DAYS for time in TIMES]
#: who would like to work when: a day, a time of the day, or a single shift
WISHES = {
    "Ada": ("early", "Mon late"), "Ben": ("night",), "Cem": ("late", "Sat early"), "Dua": ("Wed", "Thu"), "Eva": ("early", "Sun"),
    "Fay": ("late", "Fri night"), "Gil": ("Tue", "night"),
}  # fmt: skip
MOST = 3  #: shifts for each


class Schedule:
    """Fill 21 shifts with seven people, three shifts each; nobody works two shifts in a row."""

    def __init__(self) -> None:
        self.people: list[str] = []

    def clone(self) -> Schedule:
        twin = Schedule()
        twin.people = list(self.people)
        return twin

    def legal(self) -> list[str]:
        return list(WISHES)

    def apply(self, person: str) -> None:
        self.people.append(person)

    def terminal(self) -> bool:
        return len(self.people) == len(SHIFTS)

    def score(self) -> int:
        points = 0
        for number, (shift, person) in enumerate(zip(SHIFTS, self.people, strict=True)):
            points += any(wish in shift for wish in WISHES[person])
            points -= 5 * (person in self.people[max(number - 2, 0) : number])  # no rest of a day
        return points - 3 * sum(max(self.people.count(person) - MOST, 0) for person in WISHES)

    def code(self, person: str) -> tuple[str, str]:
        return (SHIFTS[len(self.people)], person)

    def format_action(self, person: str) -> str:
        return f"{SHIFTS[len(self.people)]}: {person}"
