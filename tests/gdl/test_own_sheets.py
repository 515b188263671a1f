"""The fifteen games of rave-variants-ggp-2016 as sheets of our own, played in lockstep with the public sheets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from icarus.errors import GameError
from icarus.game import Position
from icarus.gdl import layout
from icarus.gdl.game import SheetGame, load_sheet
from icarus.gdl.reader import Term, format_term, read_sheet
from icarus.gdl.reasoner import Reasoner
from icarus.gdl.sheets import find_sheet, sheet_names
from icarus.jit import JIT
from icarus.loading import load
from tests.gdl.differential import CORPUS, corpus, needs_corpus

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
        return int(self.position.state[layout.TURN])

    def legal(self, role: int) -> set[str]:
        """What a role may do, whether it is asked or not."""
        names, start = self.names[role], int(self.game.memory.arrays_by_field[layout.LEGAL_AT][role])
        words = self.position.state[start : start + -(-len(names) // 64)]
        return set(names[np.unpackbits(words.view(np.uint8), bitorder="little")[: len(names)] != 0])

    def goals_after(self, action: str) -> list[float] | None:
        """The goals of the state that follows, whether it is an end or not; none while another role has to choose."""
        cut_off = self.position.copy()
        # a game that has lasted too long ends with the goals of its last state
        cut_off.state[layout.STEPS] = self.game.memory.header[layout.MAX_STEPS]
        cut_off.apply(cut_off.parse_action(action))
        return cut_off.rewards() if cut_off.is_terminal else None

    def apply(self, action: str) -> None:
        self.position.apply(self.position.parse_action(action))


def play_in_lockstep(ours: Side, theirs: Side, *, plies: int, games: int, seed: int) -> Counter[str]:
    """Random games on both sides, every second one with a player who squeezes the others; returns the kinds of moves made."""
    choice = random.Random(seed)
    kinds: Counter[str] = Counter()
    played = ended = 0
    while played < plies or ended < games:
        ours.restart()
        theirs.restart()
        squeezing = choice.randrange(len(ours.names)) if ended % 2 else None
        while True:
            assert ours.position.is_terminal == theirs.position.is_terminal
            if ours.position.is_terminal:
                assert ours.position.rewards() == theirs.position.rewards()
                break
            for role in range(len(ours.names)):
                assert ours.legal(role) == theirs.legal(role)
            assert ours.asked == theirs.asked
            moves = sorted(ours.legal(ours.asked))
            if squeezing is None:
                move = pick(moves, kinds, choice)
            else:
                move = linger(ours, moves, choice, squeeze=ours.asked == squeezing)
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


def linger(side: Side, moves: list[str], choice: random.Random, squeeze: bool) -> str:
    """A move that rather does not end the game, and leaves as little on the board and (to squeeze) as few moves to the next
    player as possible.  Such games end as random ones hardly ever do: without pieces, without moves, with many captures."""

    def merit(move: str) -> tuple[bool, int, int]:
        following = side.position.copy()
        following.apply(following.parse_action(move))
        over, holding = following.is_terminal, len(side.game.memory.fluents(following.state))
        return over, holding, len(following.legal()) if squeeze and not over else 0

    candidates = choice.sample(moves, min(len(moves), 24))
    return candidates[0] if choice.random() < 0.02 else min(candidates, key=merit)


@pytest.mark.skipif(not JIT, reason="thousands of plies on large networks need machine code")
@needs_corpus
@pytest.mark.parametrize("name", TWINS if CORPUS else ["all"])
def test_our_sheet_is_the_public_one(name: str):
    ours, theirs = Side(load(f"gdl:{name}")), Side(load_sheet(corpus(TWINS[name])))
    assert ours.game.network.roles == theirs.game.network.roles
    assert [set(names) for names in ours.names] == [set(names) for names in theirs.names]
    made = play_in_lockstep(ours, theirs, plies=PLIES, games=GAMES, seed=16)
    # every kind of move came up, but for that of a role that can only wait and is not asked
    assert {kind(move) for names in ours.names for move in names} - set(made) <= {"noop"}


# Two ends are so rare that no play reaches them in a test: positions that need not be reachable, in the words of both sheets.


def quad_without_stones(choice: random.Random) -> tuple[set[Term], set[Term]]:
    """All stones are placed (on a board that is emptier than it would be), and some blockers are left."""
    points = [(f"r{r}", f"c{c}") for r in range(1, 8) for c in range(1, 8) if (r % 6, c % 6) != (1, 1)]
    content = dict.fromkeys(points, "b")
    for point in choice.sample(points, choice.choice((8, 14, 30))):
        content[point] = choice.choice("xow")
    ours: set[Term] = {("turn", "x")} | {
        ("blocker", *at) if what == "w" else ("stone", *at, what) for at, what in content.items() if what != "b"
    }
    theirs: set[Term] = {("control", "x")} | {("cell", *at, what) for at, what in content.items()}
    for player in "xo":
        blockers = str(choice.randrange(6))
        ours |= {("stones", player, "0"), ("blockers", player, blockers)}
        theirs |= {("quad", player, "0"), ("white", player, blockers)}
    return ours, theirs


def zhadu_with_few_pieces(choice: random.Random) -> tuple[set[Term], set[Term]]:
    """One piece among several of the other side, in a corner of the board where they are in each other's way."""
    mover, waiting = choice.sample(["light", "dark"], 2)
    corner = choice.choice("abcdefgh")
    fields = choice.sample([corner, *(f"{corner}{i}" for i in (1, 2, 3))], 4) + [f"{other}{i}" for other in "ch" for i in (1, 2)]
    numbers = ["1", "2", "3", "123", "4"]
    pieces: set[Term] = {("piece", mover, choice.choice(numbers), fields[0])}
    for number, field in zip(choice.sample(numbers, choice.randrange(3, 6)), dict.fromkeys(fields[1:]), strict=False):
        pieces.add(("piece", waiting, number, field))
    steps: set[Term] = {("step", str(choice.randrange(10, 100)))}
    captures = [("first", "firstcapture"), ("last", "lastcapture")] if choice.random() < 0.4 else []
    drawn = [(names, choice.choice(numbers)) for names in captures]
    ours = {("turn", mover)} | {(name, waiting, number) for (name, _), number in drawn}
    theirs = {("control", mover)} | {(name, waiting, number) for (_, name), number in drawn}
    return pieces | steps | ours, pieces | steps | theirs


@needs_corpus
@pytest.mark.parametrize(
    ("name", "positions", "number", "goals"),
    [
        ("quad", quad_without_stones, 100, {(100, 0), (0, 100), (95, 5), (90, 10), (50, 50), (10, 90)}),
        ("zhadu", zhadu_with_few_pieces, 30, {(100, 0), (0, 100), (50, 50)}),
    ],
    ids=["quad", "zhadu"],
)
def test_our_sheet_judges_rare_positions_as_the_public_one_does(
    name: str, positions: Callable[[random.Random], tuple[set[Term], set[Term]]], number: int, goals: set[tuple[int, int]]
):
    machines = [Reasoner(read_sheet(path)) for path in (find_sheet(f"gdl:{name}"), corpus(TWINS[name]))]
    choice, seen = random.Random(7), Counter[tuple[int, ...]]()
    for _ in range(number):
        said = []
        for machine, fluents in zip(machines, positions(choice), strict=True):
            state = frozenset(fluents)
            worth = [machine.goals(state, role) for role in machine.roles]
            moves = [sorted(map(format_term, machine.legal(state, role))) for role in machine.roles]
            said.append((machine.terminal(state), worth, [] if machine.terminal(state) else moves))
        assert said[0] == said[1]
        if all(len(values) == 1 for values in said[0][1]):
            seen[tuple(values[0] for values in said[0][1])] += 1
    assert set(seen) == goals


def test_a_sheet_that_comes_with_icarus_is_found_by_its_name():
    assert set(TWINS) <= set(sheet_names())
    assert load("gdl:duel").player_names == ("left", "right")
    assert find_sheet("my/duel.kif") == Path("my/duel.kif")
    with pytest.raises(GameError, match="there is no sheet 'gdl:dual'; there is gdl:duel"):
        load("gdl:dual")
