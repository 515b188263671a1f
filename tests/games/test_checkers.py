"""American checkers: move by move beside OpenSpiel, and one position for every rule."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import CONTINUES, Position
from icarus.games import checkers as rules
from icarus.games.checkers import checkers
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.support import transcript, transcript_in_plain_python

GAMES = 600 if JIT else 100
BLACK, WHITE = 0, 1


def bits(names: str) -> int:
    return sum(1 << int(rules.GAPPED[rules.SQUARES[name]]) for name in names.split())


def place(black: str, white: str, kings: str = "", player: int = BLACK, draw: int = 40) -> Position:
    """A position given by its squares."""
    game = checkers(draw)
    position = Position(game, np.zeros(game.state_size, np.int64))
    state = position.named
    state.draw = draw
    state.turn = player
    state.pieces[0], state.pieces[1], state.kings = bits(black), bits(white), bits(kings)
    own, other = bits((black, white)[player]), bits((black, white)[1 - player])
    up, down = (own, own & bits(kings)) if player == BLACK else (own & bits(kings), own)
    state.capture = rules.jumpers(up, down, other, rules.BOARD & ~(own | other)) != 0
    return position


def moves(position: Position) -> set[str]:
    return {position.format_action(a) for a in position.legal()}


def play(position: Position, *labels: str) -> Position:
    for label in labels:
        position.apply(position.parse_action(label))
    return position


def board(position: Position) -> str:
    """The 32 squares as OpenSpiel draws them, from the top left."""
    black, white, kings = map(int, (*position.named.pieces, position.named.kings))
    marks = []
    for square in range(31, -1, -1):
        bit = 1 << (square + square // 8)
        marks.append(".o+?.8*?"[4 * (kings & bit != 0) + 2 * (white & bit != 0) + (black & bit != 0)])
    return "".join(marks)


def spiel_board(state: pyspiel.State) -> str:
    lines = str(state).splitlines()
    return "".join(lines[row][1 + (row + 1) % 2 : 9 : 2] for row in range(8))


def test_random_games_agree_with_openspiel_move_by_move() -> None:
    """Sides, order and the draw after 40 quiet actions are the same there; only the numbers of the actions differ."""
    spiel = pyspiel.load_game("checkers")
    game, rng = checkers(), seeded(7)
    translated: dict[int, int] = {}
    seen: Counter[str] = Counter()
    for _ in range(GAMES):
        ours, theirs = game.start(), spiel.new_initial_state()
        while not theirs.is_terminal():
            assert not ours.is_terminal
            assert ours.player == theirs.current_player()
            assert board(ours) == spiel_board(theirs)
            legal = {}
            for action in theirs.legal_actions():
                if action not in translated:
                    text = theirs.action_to_string(action)
                    translated[action] = 32 * rules.SQUARES[text[:2]] + rules.SQUARES[text[2:]]
                legal[translated[action]] = action
            choices = ours.legal()
            assert sorted(choices) == sorted(legal)
            action = choices[int(random_below(rng, len(choices)))]
            seen["chain"] += ours.named.chain != 0
            seen["choice of captures"] += bool(ours.named.capture) and len(choices) > 1
            kings = int(ours.named.kings).bit_count()
            ours.apply(action)
            theirs.apply_action(legal[action])
            seen["crowning"] += int(ours.named.kings).bit_count() > kings
        assert ours.is_terminal
        assert ours.legal() == []
        assert board(ours) == spiel_board(theirs)
        assert ours.rewards() == [(r + 1) / 2 for r in theirs.returns()]
        assert len(ours.history) <= game.max_plies
        pieces = min(int(pieces).bit_count() for pieces in ours.named.pieces)
        seen["draw" if ours.rewards()[0] == 0.5 else "blocked" if pieces else "wiped out"] += 1
    for what in ("chain", "choice of captures", "crowning", "draw", "blocked", "wiped out"):
        assert seen[what] >= GAMES / 100, what


def test_black_moves_first_and_up_the_board() -> None:
    position = checkers().start()
    assert position.player == BLACK
    assert moves(position) == {"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4"}
    play(position, "a3-b4")
    assert position.player == WHITE
    assert moves(position) == {"b6-a5", "b6-c5", "d6-c5", "d6-e5", "f6-e5", "f6-g5", "h6-g5"}


def test_a_capture_is_forced_but_any_capture_may_be_chosen() -> None:
    position = place("c3 g1 a1", "d4 b4 h8")  # a1 and g1 could only step
    assert moves(position) == {"c3xe5", "c3xa5"}


def test_a_shorter_capture_is_as_good_as_a_longer_one() -> None:
    position = place("c3 a3", "d4 f6 b4")
    assert moves(position) == {"c3xe5", "c3xa5", "a3xc5"}
    assert play(position.copy(), "c3xe5").player == BLACK
    assert play(position, "a3xc5").player == WHITE


def test_men_neither_step_nor_jump_backwards() -> None:
    position = place("d4", "c3 e3 a7")
    assert moves(position) == {"d4-c5", "d4-e5"}


def test_kings_step_and_jump_one_square_in_all_directions() -> None:
    assert moves(place("d4", "h8", kings="d4")) == {"d4-c5", "d4-e5", "d4-c3", "d4-e3"}
    assert moves(place("d4", "c3 e3 c5 e5", kings="d4")) == {"d4xb2", "d4xf2", "d4xb6", "d4xf6"}
    assert moves(place("a1", "d4", kings="a1")) == {"a1-b2"}


def test_no_piece_jumps_over_the_edge_or_two_in_a_row() -> None:
    assert moves(place("c3 g3", "h4 d4 e5")) == {"c3-b4", "g3-f4"}


def test_a_chain_is_played_jump_by_jump_and_only_by_the_piece_that_began_it() -> None:
    position = play(place("c3 a1", "d4 f6 b2 h4"), "c3xe5")
    assert position.player == BLACK
    assert moves(position) == {"e5xg7"}  # a1 could take b2 by now
    play(position, "e5xg7")
    assert position.player == WHITE
    assert moves(position) == {"h4-g3", "b2-c1"}


def test_crowning_ends_the_turn_in_mid_chain() -> None:
    position = play(place("b6", "c7 e7 a1", kings="a1"), "b6xd8")
    assert position.player == WHITE
    assert int(position.named.kings) & bits("d8")
    assert moves(play(position, "a1-b2")) == {"d8xf6"}


def test_a_king_on_the_far_row_goes_on_jumping() -> None:
    position = place("b6", "c7 e7 a1", kings="b6 a1")
    play(position, "b6xd8")
    assert position.player == BLACK
    assert moves(position) == {"d8xf6"}


def test_a_captured_king_leaves_no_crown_behind() -> None:
    position = place("c3", "d4 h8", kings="d4")
    play(position, "c3xe5")
    assert int(position.named.kings) == 0


def test_who_cannot_move_loses() -> None:
    position = play(place("g1 d2", "h2"), "d2-c3")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]
    position = play(place("a7", "b8 e5", player=WHITE), "e5-d4")
    assert position.is_terminal
    assert position.rewards() == [0.0, 1.0]


def test_the_last_quiet_action_draws_even_if_it_blocks() -> None:
    position = play(place("g1 d2", "h2", draw=1), "d2-c3")
    assert position.is_terminal
    assert position.rewards() == [0.5, 0.5]


def test_no_pieces_left_is_a_loss() -> None:
    position = play(place("c3", "d4"), "c3xe5")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]


def test_quiet_actions_of_men_and_kings_count_until_a_capture() -> None:
    squares = {"black": "a1 c3", "white": "h8 b6", "kings": "a1 h8"}
    assert not play(place(**squares, draw=4), "a1-b2", "h8-g7", "b2-a1").is_terminal
    for line in (["a1-b2", "h8-g7", "b2-a1", "g7-h8"], ["a1-b2", "h8-g7", "c3-d4", "b6-c5"]):
        position = play(place(**squares, draw=4), *line)
        assert position.is_terminal
        assert position.rewards() == [0.5, 0.5]
    position = play(place(**squares, draw=5), "a1-b2", "h8-g7", "c3-d4", "b6-c5", "d4xb6", "g7-h8")
    assert int(position.named.quiet) == 1
    assert not position.is_terminal


def test_episodes_begin_at_the_start_and_where_a_capture_is_available() -> None:
    def label(position: Position) -> int:
        return int(position.game.call("episode", position.state))

    position = checkers().start()
    assert label(position) == BLACK
    assert label(play(position, "c3-d4")) == CONTINUES
    assert label(play(position, "b6-c5")) == BLACK  # d4xb6
    assert label(play(position, "d4xb6")) == WHITE  # and White can take back
    position = place("c3 a1", "d4 f6 h4")
    assert label(position) == BLACK
    assert label(play(position, "c3xe5")) == CONTINUES  # the chain goes on
    rng, begun = seeded(3), 0
    for _ in range(20):
        position = checkers().start()
        while not position.is_terminal:
            capture = any("x" in move for move in moves(position)) and not position.named.chain
            assert label(position) == (position.player if capture or not position.history else CONTINUES)
            begun += capture
            legal = position.legal()
            position.apply(legal[int(random_below(rng, len(legal)))])
    assert begun > 100


def test_the_greedy_heuristic_beats_random_play() -> None:
    game, rng, points = checkers(), seeded(5), 0.0
    for number in range(40):
        position = game.start()
        while not position.is_terminal:
            legal = position.legal()
            if position.player == number % 2:
                values = [game.call("heuristic", position.state, a) for a in legal]
                assert all(0 <= value <= 1 for value in values)
                legal = [a for a, value in zip(legal, values, strict=True) if value == max(values)]
            position.apply(legal[int(random_below(rng, len(legal)))])
        points += position.rewards()[number % 2]
    assert points >= 32


def test_moves_are_read_in_several_notations() -> None:
    position = checkers().start()
    assert {position.parse_action(text) for text in ("c3-d4", "C3 D4", "c3d4", "11-15", "11 15", "c3:d4")} == {32 * 10 + 14}
    for nonsense in ("c3", "c3-d5-e5", "33-40", "1115", "jump", "c3-c4"):
        with pytest.raises(GameError, match="c3-d4"):
            position.parse_action(nonsense)
    with pytest.raises(GameError, match="not a legal move"):
        position.parse_action("c3-e5")
    capturing = place("c3", "d4 h8")
    assert capturing.parse_action("c3-e5") == capturing.parse_action("11x18") == capturing.parse_action("c3xe5")


def test_the_board_is_drawn_with_its_coordinates() -> None:
    position = play(place("c3 a1 g1", "d4 f6 h8", kings="a1 h8"), "c3xe5")
    assert str(position).splitlines() == [
        "8   .   .   .   O",
        "7 .   .   .   .",
        "6   .   .   o   .",
        "5 .   .   x   .",
        "4   .   .   .   .",
        "3 .   .   .   .",
        "2   .   .   .   .",
        "1 X   .   .   x",
        "  a b c d e f g h",
        "Black (x) jumps on from e5",
    ]


@pytest.mark.parametrize("draw", [0, -1, 1001])
def test_a_senseless_draw_rule_is_refused(draw: int) -> None:
    with pytest.raises(GameError, match="1 to 1000"):
        checkers(draw=draw)


@pytest.mark.skipif(not JIT, reason="both are compared where this one is compiled")
def test_plain_python_plays_the_same_games() -> None:
    assert transcript_in_plain_python("checkers", 4) == transcript("checkers", 4)
