"""Backgammon: whole rolls beside OpenSpiel, every decision beside a naive twin, one position for every obligation."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np
import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import CONTINUES, ENVIRONMENT, Position, State, compiled, play_randomly, step_randomly
from icarus.games import backgammon as rules
from icarus.games.backgammon import BAR, CHECKERS, ROLL, Table, backgammon
from icarus.jit import JIT, at
from icarus.jit.randomness import random_below, seeded
from tests.support import assert_distribution, transcript, transcript_in_plain_python

CROSS, NOUGHT = 0, 1  #: players X and O

GAMES = 80 if JIT else 10  #: about 93 rolls each
CLOSELY = 8 if JIT else 3  #: games of which every roll is compared as a whole set of positions
POSITIONS = 400 if JIT else 50  #: 21 rolls each
Side = dict[int, int]  # checkers by point, as their owner numbers the points


# --- positions by hand -----------------------------------------------------------------------------------------------


def place(x: Side, o: Side, turn: int = CROSS, max_turns: int = 500) -> Position:
    """A position before the roll; whatever is not on a point or on the bar is off."""
    game = backgammon(max_turns)
    position = Position(game, np.zeros(game.state_size, np.int64))
    state = position.named
    state.max_turns, state.turns = max_turns, 1
    state.player, state.turn = ENVIRONMENT, turn
    for side, points in enumerate((x, o)):
        state.off[side] = CHECKERS - sum(points.values())
        for point, count in points.items():
            state.board[25 - point if side else point] += -count if side else count
            state.occupied[side] |= 1 << point
            if count > 1:
                state.multiple[side] |= 1 << point
                state.closed[1 - side] |= 0 if point == BAR else 1 << (25 - point)
    return position


def sides(position: Position) -> tuple[Side, Side]:
    """The inverse of ``place``."""
    board = [int(n) for n in position.named.board]
    return {p: board[p] for p in range(1, 26) if board[p] > 0}, {p: -board[25 - p] for p in range(1, 26) if board[25 - p] < 0}


def play(position: Position, *labels: str) -> Position:
    for label in labels:
        position.apply(position.parse_action(label))
    return position


def moves(position: Position) -> set[str]:
    return {position.format_action(a) for a in position.legal()}


def closed(*points: int) -> Side:
    """O holds these points, as X numbers them, with two checkers each; the others are off."""
    return {25 - p: 2 for p in points}


# --- OpenSpiel -------------------------------------------------------------------------------------------------------
# Positions are compared as rows of 28 numbers: 26 points and bars as player 0 numbers them, and the checkers borne off.


@compiled
def same(states, a, b):
    for word in range(states.shape[1] - 1, -1, -1):
        if states[a, word] != states[b, word]:
            return False
    return True


@compiled
def spread(states):
    """Append all different states on all ways from ``states[0]`` to the end of the turn; returns how many there are."""
    actions = np.zeros(30, np.int64)
    done, count = 0, 1
    while done < count:
        if Table(states[done]).player != ENVIRONMENT:
            for i in range(rules.legal(Table(states[done]), at(actions, 0))):
                states[count] = states[done]
                rules.apply(Table(states[count]), actions[i])
                known = done + 1
                while not same(states, known, count):
                    known += 1
                if known == count:
                    count += 1
        done += 1
    return count


def our_ends(state: State, states: np.ndarray) -> dict[bytes, State]:
    """Every state (by its row) in which the turn can end; ``states`` is scratch space."""
    states[0] = state
    found = states[: spread(states)]
    found = found[Table(found.T).player == ENVIRONMENT]
    ends = Table(found.T)
    rows = np.concatenate((ends.board, ends.off)).T.astype(np.int8, order="C")
    return {row.tobytes(): state for row, state in zip(rows, found, strict=True)}


def spiel_cells() -> np.ndarray:
    """Where OpenSpiel's drawing shows the checkers of each point (as player 0 numbers them), from the edge inwards."""
    cells = np.zeros((24, 5), np.int64)
    for place in range(24):
        edge, inwards = (11, -1) if place < 12 else (1, 1)
        column = 13 - place - (place >= 6) if place < 12 else place - 11 + (place >= 18)
        for i in range(5):
            cells[23 - place, i] = 16 * (edge + inwards * i) + column
    return cells


CELLS = spiel_cells()


def spiel_rows(drawings: list[str]) -> list[bytes]:
    """OpenSpiel's drawings as rows.  Its player x is player 0 and counts up, so its place 0 is our point 24."""
    text = np.frombuffer("".join(drawing[:208] for drawing in drawings).encode(), np.uint8).reshape(-1, 208)
    cells = text[:, CELLS]
    counts = ((cells == ord("x")) | (cells == ord("o"))).sum(axis=2)
    # up to five checkers are drawn; more are written at the edge, and ten or more in two cells that read downwards
    digits = cells[:, :, :2].astype(int) - ord("0")
    written = (digits >= 0) & (digits <= 9)
    counts = np.where(written[:, :, 0], digits[:, :, 0], counts)
    ones = np.where(np.arange(24) < 12, digits[:, :, 1], digits[:, :, 0])  # points 1 to 12 of player 0 are at the top
    counts = np.where(written[:, :, 1], 10 + ones, counts)
    rows = np.zeros((len(drawings), 28), np.int8)
    rows[:, 1:25] = np.where((cells == ord("o")).any(axis=2), -counts, counts)
    for row, drawing in zip(rows, drawings, strict=True):
        bar, _, off = drawing[drawing.index("Bar:") :].partition("\n")
        row[25], row[0] = bar.count("x"), -bar.count("o")
        row[26:] = [int(part.partition(":")[2]) for part in off.split(",")[1:]]
    return [row.tobytes() for row in rows]


def spiel_ends(state: pyspiel.State) -> dict[str, pyspiel.State]:
    """Every state (by its drawing) that a whole roll can lead to.  Doubles are two actions there, two checkers each."""
    unfinished, ends = {str(state): state}, {}
    while unfinished:
        children: dict[str, pyspiel.State] = {}
        for parent in unfinished.values():
            for action in parent.legal_actions():
                child = parent.child(action)
                (ends if child.is_terminal() or child.is_chance_node() else children)[str(child)] = child
        unfinished = children
    return ends


def spiel_some_end(state: pyspiel.State, rng: np.ndarray) -> dict[str, pyspiel.State]:
    """One random way to play a roll."""
    state = state.clone()
    while not (state.is_terminal() or state.is_chance_node()):
        legal = state.legal_actions()
        state.apply_action(legal[int(random_below(rng, len(legal)))])
    return {str(state): state}


def spiel_roll(state: pyspiel.State, outcome: int) -> int:
    """Our number of OpenSpiel's outcome.  Its opening rolls are named by who starts: for us, whose die is higher."""
    text = state.action_to_string(pyspiel.PlayerId.CHANCE, outcome)
    dice = re.search(r"roll: (\d)(\d)", text)
    assert dice is not None
    low, high = sorted(int(die) for die in dice.groups())
    return ROLL + 8 * low + high if "O starts" in text else ROLL + 8 * high + low


def is_double(roll: int) -> bool:
    return (roll - ROLL) >> 3 == roll & 7


@pytest.mark.parametrize("games, closely", [(GAMES, CLOSELY), pytest.param(2000, 150, marks=pytest.mark.thorough)])
def test_whole_rolls_lead_to_the_same_positions_as_in_openspiel(games: int, closely: int) -> None:
    """All rolls of random games, as whole sets of positions or, where OpenSpiel takes long to list them, by one random way.

    Whole sets: in the first games all rolls but seven in eight doubles, later one roll in 32.  Else that way must be ours too.
    """
    spiel, rng = pyspiel.load_game("backgammon"), seeded(11)
    scratch = np.zeros((5000, backgammon().state_size), np.int64)
    compared = Counter[str]()
    for game in range(games):
        theirs, rolls = spiel.new_initial_state(), []
        while not theirs.is_terminal():
            outcomes = theirs.chance_outcomes()
            assert len(outcomes) == (36 if rolls else 30)
            outcome = outcomes[int(random_below(rng, len(outcomes)))][0]
            roll = spiel_roll(theirs, outcome)
            theirs.apply_action(outcome)
            if game < closely:
                whole = not is_double(roll) or random_below(rng, 8) == 0
            else:
                whole = random_below(rng, 32) == 0
            ends = spiel_ends(theirs) if whole else spiel_some_end(theirs, rng)
            chosen = int(random_below(rng, len(ends)))
            theirs = list(ends.values())[chosen]
            rolls.append((roll, whole, list(ends), chosen))
        rows = iter(spiel_rows([drawing for _, _, drawings, _ in rolls for drawing in drawings]))

        ours = backgammon().start()
        for roll, whole, drawings, chosen in rolls:
            assert not ours.is_terminal
            ours.apply(roll)
            expected = [next(rows) for _ in drawings]
            found = our_ends(ours.state, scratch)
            assert found.keys() == set(expected) if whole else found.keys() >= set(expected)
            compared[("double" if is_double(roll) else "roll") if whole else "partly"] += 1
            compared["pass"] += ours.player == ENVIRONMENT
            ours.state[:] = found[expected[chosen]]
        assert ours.is_terminal
        assert ours.rewards() == [(r + 1) / 2 for r in theirs.returns()]
    assert compared["roll"] > 60 * closely
    assert compared["double"] > closely
    assert compared["partly"] > 60 * (games - closely)
    assert compared["pass"] > 3 * games


# --- a naive twin ----------------------------------------------------------------------------------------------------


def naive_moves(own: tuple[int, ...], shut: frozenset[int], dice: tuple[int, ...]) -> list[tuple[int, int]]:
    """(source, die) of every checker that a die can move; ``own`` counts by point, ``shut`` are the closed points."""
    found = []
    for die in sorted(set(dice)):
        for source in range(1, 26):
            target = source - die
            if own[source] == 0 or (own[BAR] and source != BAR) or target in shut:
                continue
            if target < 0 and any(own[source + 1 :]):
                continue
            if target <= 0 and any(own[7:]):
                continue
            found.append((source, die))
    return found


def naive_after(own: tuple[int, ...], source: int, die: int) -> tuple[int, ...]:
    counts = list(own)
    counts[source] -= 1
    if source > die:
        counts[source - die] += 1
    return tuple(counts)


@cache
def longest(own: tuple[int, ...], shut: frozenset[int], dice: tuple[int, ...]) -> int:
    """How many of the dice can be played?"""
    best = 0
    for source, die in naive_moves(own, shut, dice):
        rest = list(dice)
        rest.remove(die)
        best = max(best, 1 + longest(naive_after(own, source, die), shut, tuple(rest)))
    return best


def naive_legal(own: tuple[int, ...], shut: frozenset[int], dice: tuple[int, ...]) -> set[tuple[int, int]]:
    found = set()
    for source, die in naive_moves(own, shut, dice):
        rest = list(dice)
        rest.remove(die)
        if 1 + longest(naive_after(own, source, die), shut, tuple(rest)) == longest(own, shut, dice):
            found.add((source, die))
    if longest(own, shut, dice) == 1:
        larger = max((die for _, die in found), default=0)
        found = {move for move in found if move[1] == larger}
    return found


def random_position(rng: np.ndarray) -> Position:
    """Few or many checkers anywhere, with the bar, the home board and closed points more common than in play."""
    owner = [int(random_below(rng, 2)) for _ in range(25)]
    placed: tuple[Side, Side] = ({}, {})
    for side in range(2):
        reach = (6, 12, 24)[int(random_below(rng, 3))]
        for _ in range(1 + int(random_below(rng, CHECKERS))):
            point = 1 + int(random_below(rng, reach))
            if random_below(rng, 8) == 0:
                point = BAR
            elif owner[25 - point if side else point] != side:
                continue
            placed[side][point] = placed[side].get(point, 0) + 1
        if not placed[side]:
            placed[side][BAR] = 1
    return place(*placed, turn=int(random_below(rng, 2)))


def test_every_decision_agrees_with_trying_all_ways_to_play_the_roll() -> None:
    rng, seen = seeded(13), Counter[str]()
    for _ in range(POSITIONS):
        start = random_position(rng)
        mover = int(start.named.turn)
        for roll in start.legal():
            high, low = (roll - ROLL) >> 3, roll & 7
            dice = (high,) * 4 if high == low else (high, low)
            position = start.copy().apply(roll)
            while True:
                counts = sides(position)
                own = tuple(counts[mover].get(point, 0) for point in range(26))
                shut = frozenset(25 - point for point, count in counts[1 - mover].items() if count > 1 and point != BAR)
                expected = naive_legal(own, shut, dice)
                if position.is_terminal or position.player == ENVIRONMENT:
                    assert not expected or position.is_terminal
                    seen["dice left"] += bool(dice)
                    break
                assert position.player == mover
                legal = position.legal()
                assert len(legal) == len(set(legal))
                assert {divmod(action, 8) for action in legal} == expected
                seen["obligation"] += len(expected) < len(naive_moves(own, shut, dice))
                action = legal[int(random_below(rng, len(legal)))]
                position.apply(action)
                rest = list(dice)
                rest.remove(action % 8)
                dice = tuple(rest)
    assert seen["obligation"] > POSITIONS / 5
    assert seen["dice left"] > POSITIONS


# --- one position for every rule -------------------------------------------------------------------------------------


def test_the_opening_roll_has_no_doubles_and_the_higher_die_starts() -> None:
    position = backgammon().start()
    assert position.player == ENVIRONMENT
    rolls = {position.format_action(roll) for roll in position.legal()}
    assert rolls == {f"{a}-{b}" for a in range(1, 7) for b in range(1, 7) if a != b}
    assert position.chance() == [1 / 30] * 30
    for roll, starter in (("6-1", CROSS), ("1-6", NOUGHT)):
        opened = play(position.copy(), roll)
        assert opened.player == starter
        assert moves(opened) == {"24/18", "13/7", "8/2", "24/23", "8/7", "6/5"}


def test_later_rolls_are_21_pairs_with_the_chances_of_two_dice() -> None:
    position = play(backgammon().start(), "2-1", "13/11", "6/5")
    labels = [position.format_action(roll) for roll in position.legal()]
    assert len(set(labels)) == 21
    expected = {f"{a}-{b}": (1 if a == b else 2) / 36 for a in range(1, 7) for b in range(1, a + 1)}
    assert dict(zip(labels, position.chance(), strict=True)) == pytest.approx(expected)
    assert sum(position.chance()) == pytest.approx(1)
    rng = seeded(1)
    assert_distribution((position.format_action(position.sample(rng)) for _ in range(20_000)), expected)
    opening = backgammon().start()
    assert_distribution((opening.sample(rng) for _ in range(20_000)), dict.fromkeys(opening.legal(), 1 / 30))


def test_if_either_die_can_be_played_but_not_both_it_is_the_larger() -> None:
    position = play(place({20: 1}, closed(13)), "6-1")
    assert moves(position) == {"20/14"}
    play(position, "20/14")
    assert position.player == ENVIRONMENT
    assert int(position.named.turn) == NOUGHT


def test_the_smaller_die_is_played_if_the_larger_cannot_be() -> None:
    position = play(place({20: 1}, closed(14, 13)), "6-1")
    assert moves(position) == {"20/19"}
    assert play(position, "20/19").player == ENVIRONMENT


def test_the_dice_are_played_in_the_order_that_uses_both() -> None:
    position = play(place({20: 1}, closed(14)), "6-1")
    assert moves(position) == {"20/19"}
    assert moves(play(position, "20/19")) == {"19/13"}


def test_a_checker_must_not_be_moved_if_that_makes_the_other_die_unplayable() -> None:
    position = play(place({20: 1, 16: 1}, closed(14, 9)), "6-1")
    assert moves(position) == {"16/10", "20/19"}  # after 16/15 no 6 could be played
    assert moves(play(position, "20/19")) == {"16/10", "19/13"}


def test_two_checkers_on_the_bar_enter_before_anything_else_moves() -> None:
    position = play(place({BAR: 2, 13: 3}, {6: 1}), "4-2")
    assert moves(position) == {"bar/21", "bar/23"}
    assert moves(play(position, "bar/21")) == {"bar/23"}
    assert play(position, "bar/23").player == ENVIRONMENT
    position = play(place({BAR: 2, 13: 3}, closed(23)), "4-2")
    assert moves(position) == {"bar/21"}
    assert play(position, "bar/21").player == ENVIRONMENT  # the second checker cannot enter with a 2
    assert sides(position)[CROSS] == {BAR: 1, 21: 1, 13: 3}


def test_the_last_checker_from_the_bar_frees_the_others() -> None:
    position = play(place({BAR: 1, 13: 3}, {6: 1}), "4-2")
    assert moves(position) == {"bar/21", "bar/23"}
    assert moves(play(position, "bar/21")) == {"21/19*", "13/11"}


def test_a_roll_that_cannot_be_played_passes_the_dice_on() -> None:
    position = play(place({BAR: 1, 13: 3}, closed(21, 23)), "4-2")
    assert position.player == ENVIRONMENT
    assert int(position.named.turn) == NOUGHT
    assert moves(play(position, "3-3")) == {"4/1"}


def test_a_larger_die_bears_off_from_the_highest_point_only() -> None:
    position = play(place({4: 2, 2: 1}, {12: 2}), "6-3")
    assert moves(position) == {"4/off", "4/1"}
    assert moves(play(position, "4/1")) == {"4/off"}
    play(position, "4/off")
    assert sides(position)[CROSS] == {2: 1, 1: 1}


def test_an_exact_die_bears_off_whatever_is_further_back_at_home() -> None:
    position = play(place({6: 1, 3: 1, 1: 1}, {24: 2}), "3-1")
    assert moves(position) == {"6/3", "3/off", "6/5", "3/2", "1/off"}


def test_nothing_is_borne_off_while_a_checker_is_outside() -> None:
    position = play(place({7: 1, 3: 1}, {24: 2}), "3-1")
    assert moves(position) == {"7/4", "7/6", "3/2"}
    assert moves(play(position, "7/6")) == {"6/3", "3/off"}
    assert moves(play(place({BAR: 1, 3: 1}, {24: 2}), "3-3")) == {"bar/22"}


def test_doubles_are_played_four_times_or_as_often_as_possible() -> None:
    position = play(place({24: 1, 23: 1}, {6: 1}), "2-2", "24/22", "22/20", "23/21")
    assert moves(position) == {"21/19*", "20/18"}
    assert play(position, "20/18").player == ENVIRONMENT
    position = play(place({24: 1}, closed(4)), "5-5", "24/19", "19/14", "14/9")
    assert position.player == ENVIRONMENT  # 9/4 is closed
    assert sides(position)[CROSS] == {9: 1}


def test_a_hit_checker_goes_to_the_bar_and_a_made_point_is_safe() -> None:
    position = play(place({13: 2, 8: 1}, {18: 1, 19: 1, 1: 2}), "6-5")
    assert moves(position) == {"13/7*", "13/8", "8/2", "8/3"}
    play(position, "13/7*", "13/8")
    assert sides(position) == ({8: 2, 7: 1}, {BAR: 1, 19: 1, 1: 2})
    assert moves(play(position, "6-1")) == {"bar/19", "bar/24"}
    position = play(place({10: 1, 9: 1}, {24 - 7: 1, 24 - 6: 1}), "3-1", "10/7*", "9/8*")
    assert sides(position)[NOUGHT] == {BAR: 2}


def test_the_last_checker_off_wins_even_with_dice_left() -> None:
    position = play(place({1: 1}, {3: 1}), "4-4", "1/off")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]
    assert position.legal() == []
    position = play(place({5: 1}, {1: 1, 2: 1}, turn=NOUGHT), "2-1", "1/off", "2/off")
    assert position.is_terminal
    assert position.rewards() == [0.0, 1.0]


def test_the_game_is_drawn_after_the_last_turn() -> None:
    game, rng = backgammon(max_turns=3), seeded(2)
    for _ in range(20):
        position = play_randomly(game.start(), rng)
        assert position.rewards() == [0.5, 0.5]
        assert sum(player == ENVIRONMENT for player, _, _ in position.history) == 3
        assert len(position.history) <= game.max_plies


def test_a_win_in_the_last_turn_is_a_win() -> None:
    position = play(place({1: 1}, {3: 1}, max_turns=2), "4-2", "1/off")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]


def test_a_passed_turn_counts_too() -> None:
    position = play(place({BAR: 1}, closed(21, 23), max_turns=2), "4-2")
    assert position.is_terminal
    assert position.rewards() == [0.5, 0.5]


# --- what holds everywhere -------------------------------------------------------------------------------------------


def test_the_state_is_a_function_of_the_position() -> None:
    """The sets of points always say what the board says, so equal positions are equal bytes."""
    rng = seeded(17)
    for _ in range(8):
        position = backgammon().start()
        while not position.is_terminal:
            step_randomly(position, rng)
            state, twin = position.named, place(*sides(position)).named
            for name in ("occupied", "multiple", "closed", "off", "board"):
                assert (getattr(state, name) == getattr(twin, name)).all()
            assert sum(sides(position)[CROSS].values()) + state.off[0] == CHECKERS
            if position.player == ENVIRONMENT:
                assert state.left == 0 and not state.dice.any() and not state.sources.any()


def test_an_episode_is_a_roll_and_the_moves_that_follow() -> None:
    position, rng = backgammon().start(), seeded(3)
    while not position.is_terminal:
        label = position.game.call("episode", position.state)
        assert label == (0 if position.player == ENVIRONMENT else CONTINUES)
        step_randomly(position, rng)


def test_the_greedy_heuristic_beats_random_play() -> None:
    game, rng, wins = backgammon(), seeded(5), 0.0
    for number in range(40):
        position = game.start()
        while not position.is_terminal:
            if position.player == number % 2:
                legal = position.legal()
                values = [game.call("heuristic", position.state, a) for a in legal]
                assert all(0 <= value <= 1 for value in values)
                position.apply(legal[int(np.argmax(values))])
            else:
                step_randomly(position, rng)
        wins += position.rewards()[number % 2]
    assert wins >= 32


def test_moves_are_read_in_several_notations() -> None:
    position = play(backgammon().start(), "61")
    assert {position.parse_action(text) for text in ("13/7", " 13-7 ", "13 7", "13/7*")} == {8 * 13 + 6}
    for nonsense in ("13", "a/b", "137", "13/7/6", ""):
        with pytest.raises(GameError, match="13/7"):
            position.parse_action(nonsense)
    with pytest.raises(GameError, match="not a legal move"):
        position.parse_action("13/9")
    entering = play(place({BAR: 1, 3: 1}, {24: 2}), "3-2")
    assert {entering.parse_action(text) for text in ("bar/22", "BAR/22", "25/22", "b/22")} == {8 * BAR + 3}
    for text in ("2-6", "6 2", "62", "6,2"):
        assert place({3: 1}, {3: 1}).parse_action(text) == ROLL + 8 * 6 + 2
    with pytest.raises(GameError, match="6-1"):
        place({3: 1}, {3: 1}).parse_action("7-1")


def test_both_dice_that_bear_off_the_same_checker_have_names_of_their_own() -> None:
    position = play(place({4: 2, 2: 1}, {24: 2}), "6-5")
    assert moves(position) == {"4/off with 6", "4/off with 5"}
    assert position.parse_action("4/off") == position.parse_action("4/0") == 8 * 4 + 6
    assert moves(play(position, "4/off with 5")) == {"4/off"}


def test_the_board_is_drawn_with_the_points_as_the_player_numbers_them() -> None:
    position = play(place({24: 2, 13: 5, 8: 3, 6: 4}, {24: 1, 13: 7, 8: 3, 6: 3, BAR: 1}), "6-1", "13/7")
    assert position.render(CROSS).splitlines() == [
        " 13  14  15  16  17  18  | 19  20  21  22  23  24",
        "  X   .   .   .   O   .  |  O   .   .   .   .   X",
        "  X               O      |  O                   X",
        "  X               O      |  O",
        "  X                      |",
        "                         |",
        "                         |",
        " 7O                      |",
        "  O                      |  X",
        "  O               X      |  X",
        "  O               X      |  X",
        "  O   .   .   .   X   X  |  X   .   .   .   .   O",
        " 12  11  10   9   8   7  |  6   5   4   3   2   1",
        "X: 0 on the bar, 1 off",
        "O: 1 on the bar, 0 off",
        "X plays 1",
        "points as X numbers them",
    ]
    assert position.render() == position.render(CROSS)
    assert position.render(NOUGHT).splitlines()[1] == "  O   .   .   .   X   X  |  X   .   .   .   .   O"
    assert "the opening roll" in backgammon().start().render()
    assert "O rolls" in play(position, "8/7").render()
    assert "X plays 5 5 5 5" in play(place({24: 1}, {24: 1}), "5-5").render()


@pytest.mark.parametrize("max_turns", [0, -5, 100_001])
def test_a_senseless_number_of_turns_is_refused(max_turns: int) -> None:
    with pytest.raises(GameError, match="1 to 100000"):
        backgammon(max_turns=max_turns)


@pytest.mark.skipif(not JIT, reason="both are compared where this one is compiled")
def test_plain_python_plays_the_same_games() -> None:
    assert transcript_in_plain_python("backgammon", 3) == transcript("backgammon", 3)
