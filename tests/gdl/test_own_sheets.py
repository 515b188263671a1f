"""The fifteen games of rave-variants-ggp-2016 as sheets of our own, played in lockstep with the public sheets."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from icarus.engine.native import JIT
from icarus.errors import GameError
from icarus.game import Position
from icarus.gdl import play
from icarus.gdl.game import SheetGame, load_sheet
from icarus.gdl.reader import format_term
from icarus.gdl.sheets import find_sheet, sheet_names
from icarus.loading import load
from tests.gdl.differential import corpus, needs_corpus

#: our sheet, and the public one with the same roles, moves, dynamics and goals
TWINS = {
    "tic_tac_toe_3d": "tictactoe_3d_2player",
    "breakthrough": "breakthrough",
    "knightthrough": "knightThrough",
    "skirmish": "skirmish",
    "battle": "battle",
    "chinook": "chinook",
    "chinese_checkers_3p": "chineseCheckers3",
    "checkers": "checkers",
    "connect_five": "connect5",
    "othello": "othello-comp2007",
    "quad": "quad_7x7",
    "sheep_and_wolf": "sheepAndWolf",
    "ttcc4_2p": "ttcc4_2player",
    "zhadu": "zhadu",
    "ttcc4_3p": "ttcc4",
}
#: plies to play on both sheets, and games to finish at least
PLIES, GAMES = 1200, 6


class Side:
    """One of the two sheets in play."""

    def __init__(self, game: SheetGame) -> None:
        self.game = game
        self.names = [np.array([format_term(move) for move in moves]) for moves in game.network.moves]
        self.position: Position = game.start()

    def restart(self) -> None:
        self.position = self.game.start()

    @property
    def asked(self) -> int:
        return int(self.position.state[play.TURN])

    def legal(self, role: int) -> set[str]:
        """What a role may do, whether it is asked or not."""
        names, start = self.names[role], int(self.game.memory.arrays_by_field[play.LEGAL_AT][role])
        words = self.position.state[start : start + -(-len(names) // 64)]
        return set(names[np.unpackbits(words.view(np.uint8), bitorder="little")[: len(names)] != 0])

    def goals_after(self, action: str) -> list[float] | None:
        """The goals of the state that follows, whether it is an end or not; none while another role has to choose."""
        cut_off = self.position.copy()
        # a game that has lasted too long ends with the goals of its last state
        cut_off.state[play.STEPS] = self.game.memory.header[play.MAX_STEPS]
        cut_off.apply(cut_off.parse_action(action))
        return cut_off.rewards() if cut_off.is_terminal else None

    def apply(self, action: str) -> None:
        self.position.apply(self.position.parse_action(action))


def play_in_lockstep(ours: Side, theirs: Side, *, plies: int, games: int, seed: int) -> Counter[str]:
    """Random games on both sides; returns how often each kind of move was made."""
    choice = random.Random(seed)
    kinds: Counter[str] = Counter()
    played = ended = 0
    while played < plies or ended < games:
        ours.restart()
        theirs.restart()
        while True:
            assert ours.position.is_terminal == theirs.position.is_terminal
            if ours.position.is_terminal:
                assert ours.position.rewards() == theirs.position.rewards()
                break
            for role in range(len(ours.names)):
                assert ours.legal(role) == theirs.legal(role)
            assert ours.asked == theirs.asked
            move = pick(sorted(ours.legal(ours.asked)), kinds, choice)
            kinds[kind(move)] += 1
            assert ours.goals_after(move) == theirs.goals_after(move)
            ours.apply(move)
            theirs.apply(move)
            played += 1
        ended += 1
    return kinds


def kind(move: str) -> str:
    return move.strip("()").split()[0]


def pick(moves: list[str], kinds: Counter[str], choice: random.Random) -> str:
    """A random move; every second time one of the kind that was made least, so that rare ones (triple jumps) come up at all."""
    if choice.random() < 0.5:
        rarest = min(kinds[kind(move)] for move in moves)
        moves = [move for move in moves if kinds[kind(move)] == rarest]
    return choice.choice(moves)


@pytest.mark.skipif(not JIT, reason="thousands of plies on large networks need machine code")
@needs_corpus
@pytest.mark.parametrize("name", TWINS)
def test_our_sheet_is_the_public_one(name: str):
    ours, theirs = Side(load(f"gdl:{name}")), Side(load_sheet(corpus(TWINS[name])))
    assert ours.game.network.roles == theirs.game.network.roles
    assert [set(names) for names in ours.names] == [set(names) for names in theirs.names]
    made = play_in_lockstep(ours, theirs, plies=PLIES, games=GAMES, seed=16)
    # every kind of move came up, but for that of a role that can only wait and is not asked
    assert {kind(move) for names in ours.names for move in names} - set(made) <= {"noop"}


def test_a_sheet_that_comes_with_icarus_is_found_by_its_name():
    assert set(TWINS) <= set(sheet_names())
    assert load("gdl:duel").player_names == ("left", "right")
    assert find_sheet("my/duel.kif") == Path("my/duel.kif")
    with pytest.raises(GameError, match="there is no sheet 'gdl:dual'; there is gdl:duel"):
        load("gdl:dual")
