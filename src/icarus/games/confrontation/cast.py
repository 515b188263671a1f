"""The eighteen characters and the eighteen combat cards."""

from __future__ import annotations

import numpy as np

CHARACTERS = (
    *("Frodo", "Sam", "Pippin", "Merry", "Gandalf", "Aragorn", "Legolas", "Gimli", "Boromir"),
    *("Orcs", "Shelob", "Saruman", "Flying Nazgul", "Balrog", "Warg", "Black Rider", "Witch King", "Cave Troll"),
)
FRODO, SAM, PIPPIN, MERRY, GANDALF, ARAGORN, LEGOLAS, GIMLI, BOROMIR = np.arange(9)
ORCS, SHELOB, SARUMAN, FLYING_NAZGUL, BALROG, WARG, BLACK_RIDER, WITCH_KING, CAVE_TROLL = np.arange(9, 18)
NOBODY = -1

STRENGTH = np.array([1, 2, 1, 2, 5, 4, 3, 3, 0, 2, 5, 4, 3, 5, 2, 3, 5, 9], np.int64)
SAM_WITH_FRODO = 5

EACH = 9  #: characters, and cards, of one side
SIDE_MASK = 511  #: nine bits, one for each

CARDS = (
    ("1", "2", "3", "4", "5", "Retreat", "Magic", "Noble Sacrifice", "Elven Cloak"),
    ("1", "2", "3", "4", "5", "6", "Retreat", "Magic", "The Eye of Sauron"),
)
LIGHT_RETREAT, LIGHT_MAGIC, NOBLE_SACRIFICE, ELVEN_CLOAK = 5, 6, 7, 8
DARK_RETREAT, DARK_MAGIC, EYE_OF_SAURON = 6, 7, 8
LIGHT_NUMBERS, DARK_NUMBERS = 5, 6  #: cards below are numbers: card i is worth i + 1
NO_CARD = -1
