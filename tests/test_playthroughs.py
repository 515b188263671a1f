"""The committed playthroughs are what the games do now; ``python -m icarus.tools.playthrough`` writes them anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from icarus.jit import JIT
from icarus.loading import GAMES, load
from icarus.tools.playthrough import SHOWN, file_name, write_playthrough

FOLDER = Path(__file__).parent / "playthroughs"


def test_every_game_has_a_playthrough_and_every_playthrough_a_game() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == {file_name(name) for name in GAMES}


@pytest.mark.parametrize("name", GAMES if JIT else ["mnk", "phantom", "kuhn_poker", "othello"])
def test_the_game_still_plays_like_its_playthrough(name: str) -> None:
    text = (FOLDER / file_name(name)).read_text()
    seed = re.search(r"^seed: (\d+)$", text, re.MULTILINE)
    assert seed is not None
    assert write_playthrough(load(SHOWN.get(name, name)), int(seed[1])) == text
