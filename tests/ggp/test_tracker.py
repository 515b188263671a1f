"""A match by the network is the match by the rules; what a GDL-II player supposes agrees with what it saw."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from icarus.errors import GameError
from icarus.gdl import layout
from icarus.gdl.game import SheetGame, load_sheet
from icarus.gdl.reader import format_term, read_sheet
from icarus.gdl.sheets import find_sheet
from icarus.ggp.rules import ReasonerTracker
from icarus.ggp.tracker import GameTracker
from icarus.jit.randomness import seeded


def sheet(name: str) -> Path:
    return find_sheet(f"gdl:{name}")


def network_tracker(name: str, role: str) -> GameTracker:
    game = load_sheet(sheet(name))
    assert isinstance(game, SheetGame)
    return GameTracker(game, role)


@pytest.mark.parametrize(
    "name, role",
    [
        ("tic_tac_toe", "oplayer"),
        ("duel", "right"),
        ("connect_four", "black"),
        ("blind_tic_tac_toe", "oplayer"),
        ("cups", "finder"),
    ],
)
def test_network_and_reasoner_play_the_same_match(name: str, role: str):
    rules = read_sheet(sheet(name))
    choice = random.Random(1)
    for _ in range(5):
        fast, slow = network_tracker(name, role), ReasonerTracker(rules)
        while not slow.terminal:
            assert not fast.terminal
            legal = {r: slow.legal(r) for r in rules.roles}
            assert {r: sorted(fast.legal(r)) for r in rules.roles} == legal
            moves = {r: choice.choice(moves) for r, moves in legal.items()}
            fast.play(moves)
            slow.play(moves)
        assert fast.terminal
        assert [round(100 * reward) for reward in fast.position.rewards()] == [slow.goal(r) for r in fast.roles if r != "random"]


def test_an_illegal_move_changes_nothing():
    tracker = network_tracker("tic_tac_toe", "xplayer")
    with pytest.raises(GameError, match="noop is not a legal move of xplayer"):
        tracker.play({"xplayer": "noop", "oplayer": "noop"})
    assert tracker.steps == 0


def test_the_own_role_is_asked_first():
    tracker = network_tracker("duel", "right")
    assert tracker.position.player == tracker.me == 1
    tracker.play({"left": "load", "right": "load"})
    assert tracker.position.player == 1


def test_a_match_goes_on_where_the_game_is_cut_off():
    tracker = network_tracker("river", "ferryman")
    tracker.game.memory.header[layout.MAX_STEPS] = 2
    slow, choice = ReasonerTracker(read_sheet(sheet("river"))), random.Random(3)
    for _ in range(5):
        if slow.terminal:
            break
        moves = {role: choice.choice(slow.legal(role)) for role in slow.roles}
        tracker.play(moves)
        slow.play(moves)
        fluents = tracker.game.memory.fluents(tracker.position.state)
        assert {format_term(f) for f in fluents} == set(slow.state())
    assert tracker.steps > 2


def test_what_a_player_supposes_agrees_with_all_that_it_did_and_saw():
    rules = read_sheet(sheet("blind_tic_tac_toe"))
    choice, rng = random.Random(2), seeded(5)
    for role in rules.roles:
        truth, tracker = ReasonerTracker(rules), network_tracker("blind_tic_tac_toe", role)
        known: list[tuple[str, list[str]]] = []
        while True:
            moves = {r: choice.choice(truth.legal(r)) for r in rules.roles}
            truth.play(moves)
            if truth.terminal:
                break
            known.append((moves[role], truth.seen[role]))
            assert tracker.suppose(known, rng)
            assert tracker.steps == len(known)
            assert sorted(tracker.legal(role)) == truth.legal(role)
            percepts = tracker.game.memory.percepts(tracker.position.state, tracker.me)
            assert [sorted(map(format_term, seen)) for seen in percepts] == [seen for _, seen in known]
        assert known


def test_what_cannot_have_been_seen_is_not_explained():
    tracker = network_tracker("cups", "finder")
    assert not tracker.suppose([("wait", ["coin"])], seeded(1))  # who has not looked sees nothing
    with pytest.raises(GameError, match="cannot happen to finder"):
        tracker.suppose([("(fly away)", [])], seeded(1))
