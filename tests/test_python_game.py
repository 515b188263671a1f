"""Games as plain Python classes: the same engine, the same numbers, and one clear line for every mistake."""

from __future__ import annotations

import gc
import random
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import icarus
from examples.connect_four_class import ConnectFour
from examples.tic_tac_toe_class import TicTacToe
from icarus.errors import GameError
from icarus.game import play_randomly
from icarus.jit import JIT
from icarus.jit.randomness import random_below, random_unit, seeded
from icarus.python_game import python_game
from icarus.python_game.fingerprint import freeze
from icarus.python_game.randomness import EngineRandom
from icarus.python_game.rules import FIRST_NUMBER
from icarus.search import Search
from icarus.strategy.baseline import Baseline
from icarus.strategy.mast import MAST
from icarus.strategy.past import PAST
from icarus.strategy.progressive_bias import ProgressiveBias
from icarus.strategy.rave import RAVE
from icarus.testing import check_game
from tests.support import assert_distribution

ITERATIONS = 400 if JIT else 60
SIMULATING = Baseline() >> MAST()  #: a strategy that looks at every step of a simulation


def root_of(search: icarus.SearchResult) -> list[tuple[int, int, int, list[float]]]:
    return [(row.action, row.visits, row.availability, row.mean) for row in search.root]


# --- classes for the tests -----------------------------------------------------------------------------------------------------


class Kuhn:
    """Kuhn poker with two players: cards dealt by ``deal``, hidden from each other."""

    players = 2
    max_actions = 2
    max_plies = 3

    def __init__(self) -> None:
        self.cards = [0, 1]
        self.bets: tuple[str, ...] = ()

    def deal(self, rng: random.Random) -> None:
        self.cards = rng.sample(range(3), 2)

    def player(self) -> int:
        return len(self.bets) % 2

    def legal(self) -> list[str]:
        return ["pass", "bet"]

    def apply(self, action: str) -> None:
        self.bets += (action,)

    def terminal(self) -> bool:
        return len(self.bets) >= 2 and self.bets != ("pass", "bet")

    def rewards(self) -> list[float]:
        if self.bets in (("bet", "pass"), ("pass", "bet", "pass")):
            first = 1 if self.bets[0] == "bet" else -1
        else:
            stake = 2 if "bet" in self.bets else 1
            first = stake if self.cards[0] > self.cards[1] else -stake
        return [(first + 2) / 4, (2 - first) / 4]

    def determinize(self, observer: int, rng: random.Random) -> None:
        if not self.terminal():
            self.cards[1 - observer] = rng.choice([card for card in range(3) if card != self.cards[observer]])

    def view(self, observer: int) -> object:
        return self.bets, self.cards if self.terminal() else self.cards[observer]


class HigherRoll:
    """Roll a die or stop: the environment rolls, the player may roll again for the better of two; 6 wins for sure."""

    players = 1

    def __init__(self, sides: int = 6) -> None:
        self.sides = sides
        self.rolled: tuple[int, ...] = ()
        self.again = True

    def player(self) -> int:
        return icarus.ENVIRONMENT if self.again else 0

    def legal(self) -> list[Any]:
        return list(range(1, self.sides + 1)) if self.again else ["stop", ("roll", "again")]

    def chance(self) -> list[float]:
        return [1 / self.sides] * self.sides

    def apply(self, action: Any) -> HigherRoll:
        after = HigherRoll(self.sides)
        after.rolled, after.again = self.rolled, False
        if self.again:
            after.rolled = (*self.rolled, action)
        elif action == "stop":
            after.rolled = (*self.rolled, 0)
        else:
            after.again = True
        return after

    def terminal(self) -> bool:
        return len(self.rolled) == 2

    def rewards(self) -> list[float]:
        # rolling again costs the first roll
        last = self.rolled[1] or self.rolled[0]
        return [last / self.sides]


class Scissors:
    """Rock, paper, scissors at the same time."""

    players = 2

    def __init__(self) -> None:
        self.shown: list[str] = []

    def player(self) -> int:
        return len(self.shown)

    def legal(self) -> list[str]:
        return ["rock", "paper", "scissors"]

    def apply(self, hand: str) -> None:
        self.shown.append(hand)

    def simultaneous(self) -> bool:
        return True

    def observe(self, hand: str, observer: int) -> object:
        if len(self.shown) == observer:
            return hand if observer == 0 else (self.shown[0], hand)
        return None if observer == 1 else hand

    def determinize(self, observer: int, rng: random.Random) -> Scissors:
        other = Scissors()
        other.shown = list(self.shown)
        if observer == 1 and len(self.shown) == 1:
            other.shown[0] = rng.choice(self.legal())
        return other

    def terminal(self) -> bool:
        return len(self.shown) == 2

    def rewards(self) -> list[float]:
        beats = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
        first = 0.5 if self.shown[0] == self.shown[1] else float(tuple(self.shown) in beats)
        return [first, 1 - first]


# --- the same engine ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lanes": 3},
        {"strategy": SIMULATING},
        {"strategy": RAVE()},
        {"algorithm": "flat"},
        {"algorithm": "ensemble(3)"},
        {"threads": 2, "parallel": "root"},
    ],
    ids=str,
)
def test_a_class_and_a_compiled_game_give_the_same_statistics(options: dict[str, Any]) -> None:
    # what the first round of many lanes does is not decided by the clock
    iterations = 40 if "lanes" in options else ITERATIONS
    compiled = icarus.search("tic_tac_toe", iterations=iterations, seed=3, **options)
    python = icarus.search(python_game(TicTacToe), iterations=iterations, seed=3, **options)
    assert root_of(python) == root_of(compiled)
    assert python.records == compiled.records and python.tree_depth == compiled.tree_depth


def test_longer_playouts_draw_on_beyond_what_is_drawn_at_once() -> None:
    compiled = icarus.search("connect_four", iterations=ITERATIONS, seed=4)
    python = icarus.search(python_game(ConnectFour), iterations=ITERATIONS, seed=4)
    assert [row[1:] for row in root_of(python)] == [row[1:] for row in root_of(compiled)]


def test_a_search_that_continues_and_moves_on_agrees_with_a_compiled_game() -> None:
    found = []
    for game in (icarus.load("tic_tac_toe"), python_game(TicTacToe)):
        search = icarus.Search(game, seed=5)
        search.run(iterations=ITERATIONS)
        search.run(iterations=50)
        position = search.position.copy().apply(4).apply(0)
        kept = search.advance(position)
        found.append((kept, root_of(search.run(iterations=50))))
    assert found[0] == found[1] and found[0][0] > 0


@pytest.mark.parametrize(
    "algorithm", ["mo", "so", "pom", "determinized(4)", "flat", "flat-ucb", "cheating", "cheating-ensemble(3)"]
)
def test_every_algorithm_serves_a_class_with_hidden_information(algorithm: str) -> None:
    position = python_game(Kuhn).start(1)
    results = [icarus.search(position, iterations=ITERATIONS, seed=2, algorithm=algorithm) for _ in range(2)]
    assert root_of(results[0]) == root_of(results[1])
    assert sum(row.visits for row in results[0].root) == ITERATIONS
    assert {row.label for row in results[0].root} == {"pass", "bet"}


def test_search_never_looks_at_hidden_cards() -> None:
    position = python_game(Kuhn).start(1)
    rng = seeded(3)
    others = [position.determinize(0, rng) for _ in range(4)]
    found = [root_of(icarus.search(other, iterations=ITERATIONS, seed=2)) for other in [position, *others]]
    assert all(rows == found[0] for rows in found)


def test_chance_alone_is_enough_for_the_environment() -> None:
    game = python_game(HigherRoll)
    rng = seeded(7)
    start = game.start()
    assert start.player == icarus.ENVIRONMENT
    assert_distribution((start.sample(rng) for _ in range(600)), dict.fromkeys(range(1, 7), 1 / 6))
    assert start.chance() == [1 / 6] * 6


@pytest.mark.parametrize("chance", ["sample", "even"])
def test_rolling_again_is_right_after_a_low_roll_only(chance: str) -> None:
    game = python_game(HigherRoll)
    iterations = 1000 if JIT else 300
    for face, best in ((1, "('roll', 'again')"), (6, "stop")):
        result = icarus.search(game.start().apply(face), iterations=iterations, seed=1, chance=chance)
        assert result.best.label == best
        mean = {row.label: row.mean[0] for row in result.root}
        assert mean["stop"] == pytest.approx(face / 6)
        assert mean["('roll', 'again')"] == pytest.approx(3.5 / 6, abs=0.15)


def test_simultaneous_choices_are_mixed() -> None:
    result = icarus.search(python_game(Scissors), iterations=3000 if JIT else 600, seed=1)
    assert all(row.visits > result.iterations / 6 for row in result.root)


def test_threads_share_a_tree_of_a_class() -> None:
    result = icarus.search(python_game(TicTacToe), iterations=ITERATIONS, seed=1, threads=2)
    assert sum(row.visits for row in result.root) == ITERATIONS


def test_classes_that_hide_something_can_be_checked() -> None:
    report = check_game(python_game(Kuhn), games=5)
    report.raise_for_failures()
    assert report["determinize-uniform"].status == report["no-peeking"].status == "passed"
    report = check_game(python_game(Scissors), games=3)
    report.raise_for_failures()
    assert report["determinize-view"].detail == "the game has no view"
    check_game(python_game(HigherRoll), games=3).raise_for_failures()


# --- states and actions ---------------------------------------------------------------------------------------------------------


class Chaining(TicTacToe):
    """``apply`` returns the state itself."""

    def apply(self, cell: int) -> Chaining:
        super().apply(cell)
        return self

    def clone(self) -> Chaining:
        twin = Chaining()
        twin.__dict__.update(self.__dict__, board=self.board.copy())
        return twin


class Copying(TicTacToe):
    """``apply`` leaves the state alone and returns a new one."""

    def apply(self, cell: int) -> Copying:
        twin = Copying()
        twin.__dict__.update(self.__dict__, board=self.board.copy())
        TicTacToe.apply(twin, cell)
        return twin


class Deep(TicTacToe):
    """No method clone: ``copy.deepcopy``."""

    clone = None  # type: ignore[assignment]


@pytest.mark.parametrize("cls", [Chaining, Copying, Deep])
def test_states_may_change_in_place_or_be_replaced(cls: type) -> None:
    expected = icarus.search("tic_tac_toe", iterations=ITERATIONS, seed=1)
    assert root_of(icarus.search(python_game(cls), iterations=ITERATIONS, seed=1)) == root_of(expected)


@pytest.mark.parametrize("cls", [TicTacToe, Chaining, Copying, Deep])
def test_copies_of_a_position_go_their_own_ways(cls: type) -> None:
    position = python_game(cls).start()
    position.apply(4)
    twin = position.copy().apply(0)
    assert position.legal() == [0, 1, 2, 3, 5, 6, 7, 8] and twin.legal() == [1, 2, 3, 5, 6, 7, 8]
    assert position.view(0) != twin.view(0)
    position.apply(0)
    assert position.view(0) == twin.view(0)


def test_a_search_leaves_its_position_alone() -> None:
    position = python_game(Deep).start().apply(4)
    before = position.view(0)
    icarus.search(position, iterations=50, seed=1)
    assert position.view(0) == before and len(position.legal()) == 8


def test_actions_of_any_hashable_kind_have_stable_numbers() -> None:
    rules = python_game(HigherRoll).rules
    things = ["stop", ("roll", "again"), frozenset({1}), None, -5, 2**40, 1.5]
    numbers = [rules.number(thing) for thing in things]
    assert len(set(numbers)) == len(things) and all(FIRST_NUMBER <= number < 2**31 for number in numbers)
    assert [rules.number(thing) for thing in things] == numbers
    assert [rules.thing(number) for number in numbers] == things
    assert rules.number(7) == rules.number(np.int64(7)) == rules.thing(7) == 7


def test_states_are_forgotten_with_the_positions_that_hold_them() -> None:
    game = python_game(TicTacToe)
    for seed in range(5):
        play_randomly(game.start(seed), seeded(seed))
    kept = play_randomly(game.start(9), seeded(9))
    icarus.search(game, iterations=50, seed=1)
    gc.collect()
    # a position holds its state and how its game began
    assert len(game.positions.nodes) == 2 and len(game.lanes.lanes) == 0
    assert kept.is_terminal


def test_a_game_is_played_to_the_end_and_shown() -> None:
    position = python_game(TicTacToe).start()
    for cell in (0, 4, 1, 5, 2):
        assert position.player == (len(position.history) % 2)
        position.apply(position.parse_action(str(cell)))
    assert position.is_terminal and position.rewards() == [1.0, 0.0] and position.legal() == []
    assert position.render().splitlines() == ["X  X  X", ".  O  O", ".  .  ."]


def test_what_is_hidden_is_not_shown() -> None:
    position = python_game(Kuhn).start(1)
    own, other = position.view(0), position.view(1)
    assert own != other
    for seed in range(20):
        twin = position.determinize(0, seeded(seed))
        assert twin.view(0) == own and twin.render(0) == position.render(0)


def test_a_class_without_words_for_itself_is_shown_by_what_it_holds() -> None:
    assert python_game(HigherRoll, 4).start().render() == "HigherRoll: sides = 4, rolled = (), again = True"
    assert "told by a method view" in python_game(Scissors).start().render(1)


@pytest.mark.parametrize("load", [lambda file: icarus.load(str(file)), lambda file: icarus.load(f"{file}:Nim(stones=7)")])
def test_a_class_in_a_file_is_found(tmp_path: Path, load: Any) -> None:
    file = tmp_path / "nim.py"
    file.write_text(
        textwrap.dedent(
            """
            class Nim:
                '''Take one to three; who takes the last one wins.'''
                players = 2
                def __init__(self, stones=5): self.stones, self.turn = stones, 0
                def player(self): return self.turn
                def legal(self): return [n for n in (1, 2, 3) if n <= self.stones]
                def apply(self, n): self.stones -= n; self.turn = 1 - self.turn
                def terminal(self): return self.stones == 0
                def rewards(self): return [float(self.turn == 1), float(self.turn == 0)]
            """
        )
    )
    game = load(file)
    assert game.name.startswith("Nim") and game.players == 2 and game.summary.startswith("Take one")
    assert not game.hidden_information and not game.stochastic
    stones = 7 if "7" in game.name else 5
    assert icarus.search(game, iterations=2000 if JIT else 300, seed=1).best.label == str(stones % 4)


def test_the_guide_to_writing_a_game_is_right(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "docs" / "write-a-game.md").read_text()
    for block in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / block[0]).write_text(block[1])
    slow, fast = icarus.load(f"{tmp_path}/nim_class.py:Nim(9)"), icarus.load(f"{tmp_path}/nim.py:nim(9)")
    for game in (slow, fast):
        check_game(game, games=5).raise_for_failures()
    found = [icarus.search(game, iterations=ITERATIONS, seed=1) for game in (slow, fast)]
    assert root_of(found[0]) == root_of(found[1]) and found[0].best.label == "1"


# --- random numbers -------------------------------------------------------------------------------------------------------------


def test_random_numbers_are_the_engines() -> None:
    words = seeded(5)
    rng = EngineRandom(int(words[0]))
    assert [rng.random() for _ in range(5)] == [float(random_unit(words)) for _ in range(5)]
    ahead = rng.upcoming()
    assert [draw * 1000 >> 32 for draw in ahead[:3]] == [int(random_below(words, 1000)) for _ in range(3)]
    rng.skip(3)
    assert rng.word == int(words[0])


def test_random_numbers_serve_all_that_python_does_with_them() -> None:
    first, second = EngineRandom(77), EngineRandom(77)
    for rng in (first, second):
        rng.shuffle(list(range(10)))
        rng.gauss(0, 1)
    assert first.word == second.word
    assert first.at(9).gauss(0, 1) == second.at(9).gauss(0, 1)
    assert first.getrandbits(130) < 2**130
    faces = Counter(first.randrange(6) for _ in range(1200))
    assert_distribution(faces.elements(), dict.fromkeys(range(6), 1 / 6))
    with pytest.raises(GameError, match="cannot be seeded"):
        first.seed(1)


def test_the_seed_decides_the_deal() -> None:
    game = python_game(Kuhn)
    assert [game.start(seed).view(0) for seed in range(8)] == [game.start(seed).view(0) for seed in range(8)]
    assert len({game.start(seed).view(0) for seed in range(40)}) == 3


def test_what_objects_hold_is_compared_not_which_they_are() -> None:
    one, other = TicTacToe(), TicTacToe()
    assert freeze(one) == freeze(other) and hash(freeze(one)) == hash(freeze(other))
    other.board[3] = "X"
    assert freeze(one) != freeze(other)
    circle: list[Any] = [1, {"a": {2, 3}}, np.arange(3)]
    circle.append(circle)
    assert freeze(circle) == freeze(circle)


# --- mistakes -------------------------------------------------------------------------------------------------------------------


class Broken(TicTacToe):
    """Fine until the third ply."""

    def late(self) -> bool:
        return self.board.count(".") <= 6

    def clone(self) -> Broken:
        twin = type(self)()
        twin.__dict__.update(self.__dict__, board=self.board.copy())
        return twin


def broken(name: str, **methods: Any) -> type:
    return type(name, (Broken,), methods)


def raises(method: str, unless: str = "pass") -> Any:
    """A method of this name that raises."""
    scope: dict[str, Any] = {"Broken": Broken}
    exec(f"def {method}(self, *arguments):\n    {unless}\n    raise ValueError('the dog ate it\\nand more')", scope)
    return scope[method]


def raises_late(method: str) -> Any:
    return raises(method, f"if not self.late(): return Broken.{method}(self, *arguments)")


def late(method: str, value: Any) -> Any:
    """A method that gives something wrong from the third ply on."""

    def wrong(self: Broken, *arguments: Any) -> Any:
        return value if self.late() else getattr(Broken, method)(self, *arguments)

    return wrong


MISTAKES = {
    "raise": (
        broken("Raise", apply=raises_late("apply")),
        r"Raise\.apply\(\) of \d raised ValueError: the dog ate it \(.*, line \d+\) at ply 3",
    ),
    "nothing": (
        broken("Nothing", legal=late("legal", [])),
        r"Nothing\.legal\(\) gives no action at ply 3; but the game is not over",
    ),
    "list": (
        broken("Unhashable", legal=late("legal", [[1]])),
        r"Unhashable\.legal\(\) gives \[1\] at ply 3; a list cannot be hashed",
    ),
    "set": (broken("Set", legal=late("legal", {1})), r"Set\.legal\(\) gives a set at ply 3; it should give a list"),
    "many": (
        broken("Many", legal=late("legal", list(range(10)))),
        r"Many\.legal\(\) gives 10 actions at ply 3; .*max_actions = 9",
    ),
    "player": (broken("Who", player=late("player", 2)), r"Who\.player\(\) gives 2 at ply 3; there are players 0 to 1"),
    "nobody": (broken("Nobody", player=late("player", None)), r"Nobody\.player\(\) gives None at ply 3"),
    "dice": (
        broken("Dice", player=late("player", -1)),
        r"Dice\.player\(\) gives ENVIRONMENT at ply 3; but there is no method sample",
    ),
    "three": (
        broken("Three", rewards=lambda self: [0, 0, 1]),
        r"Three\.rewards\(\) gives 3 numbers at ply \d; there are 2 players",
    ),
    "high": (
        broken("High", rewards=lambda self: [1.5, 0]),
        r"High\.rewards\(\) gives \[1\.5, 0\] at ply \d; rewards are between 0 and 1",
    ),
    "nan": (broken("Nan", rewards=lambda self: [float("nan"), 0]), r"Nan\.rewards\(\) gives \[nan, 0\] at ply \d"),
    "none": (
        broken("None_", rewards=lambda self: None),
        r"None_\.rewards\(\) gives None at ply \d; it should give a list of numbers",
    ),
    "endless": (
        broken("Endless", apply=lambda self, cell: None, terminal=lambda self: False),
        r"a game of Endless did not end within max_plies = 9|did not end within the declared max_plies=9",
    ),
}


@pytest.mark.parametrize("options", [{}, {"lanes": 2}, {"strategy": SIMULATING}, {"threads": 2}], ids=str)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_class_is_one_line(mistake: str, options: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    cls, text = MISTAKES[mistake]
    game = python_game(cls)
    # some methods are asked in the tree only, which must grow three plies deep, by chance sooner or later on two threads
    with pytest.raises(GameError, match=text) as caught:
        icarus.search(game, iterations=3000, seed=1, **options)
    assert "\n" not in str(caught.value)
    output = capfd.readouterr()
    assert output.out == output.err == "", "nothing is printed from inside a callback"


@pytest.mark.parametrize(
    "cls, text",
    [
        (broken("Clone", clone=raises_late("clone")), r"Clone\.clone\(\) raised ValueError: the dog ate it .* at ply 3"),
        (broken("Guess", determinize=raises("determinize")), r"Guess\.determinize\(\) raised ValueError"),
        (
            broken("Look", determinize=lambda self, o, rng: None, observe=raises("observe")),
            r"Look\.observe\(\) raised ValueError",
        ),
        (broken("Dizzy", sample=raises("sample"), player=late("player", -1)), r"Dizzy\.sample\(\) raised ValueError"),
        (broken("Odd", chance=lambda self: [1.0], player=late("player", -1)), r"Odd\.chance\(\) gives 1 probabilities at ply 3"),
        (broken("Hope", heuristic=lambda self, action: 2), r"Hope\.heuristic\(\) gives 2\.0 at ply"),
        (broken("Facts", predicates=raises("predicates")), r"Facts\.predicates\(\) raised ValueError"),
    ],
)
def test_a_mistake_in_an_optional_method_is_one_line(cls: type, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    strategy = (
        ProgressiveBias() if hasattr(cls, "heuristic") else Baseline() >> PAST() if hasattr(cls, "predicates") else Baseline()
    )
    with pytest.raises(GameError, match=text):
        icarus.search(python_game(cls), iterations=200, seed=1, strategy=strategy)
    assert capfd.readouterr().err == ""


def test_mistakes_show_in_a_position_too() -> None:
    position = python_game(MISTAKES["nothing"][0]).start()
    with pytest.raises(GameError, match="gives no action at ply 3"):
        play_randomly(position, seeded(1))


@pytest.mark.parametrize(
    "cls, text",
    [
        (
            type("Half", (), {"player": None, "legal": list}),
            r"Half is missing player\(\) and apply\(\)",
        ),
        (broken("Alone", players=None), r"does not say how many players"),
        (broken("Few", players=0), r"has players = 0; it must be a whole number of at least 1"),
        (broken("Tight", max_actions="9"), r"has max_actions = '9'"),
        (broken("Needy", __init__=lambda self, size: None), r"Needy\(\): TypeError: .*size"),
        (broken("Early", legal=raises("legal")), r"Early\.legal\(\) raised ValueError: the dog ate it \(.*, line \d+\) at ply 0"),
        (broken("Names", player_names=("X",)), r"has 1 player_names for 2 players"),
    ],
)
def test_a_class_that_is_no_game_is_refused(cls: type, text: str) -> None:
    with pytest.raises(GameError, match=text):
        python_game(cls)


def test_an_array_that_holds_no_state_is_refused() -> None:
    game = python_game(TicTacToe)
    with pytest.raises(GameError, match="holds no state of TicTacToe"):
        game.call("player", np.zeros(game.state_size, np.int64))
    with pytest.raises(GameError, match="has no function 'sample'"):
        game.call("sample", game.start().state, seeded(1))


@pytest.mark.skipif(not JIT, reason="the loop is Python then, and so is Ctrl-C")
def test_ctrl_c_inside_a_method_ends_the_search_with_an_answer() -> None:
    code = """
        import icarus
        from examples.connect_four_class import ConnectFour
        from icarus.python_game import python_game
        search = icarus.Search(python_game(ConnectFour), seed=1)
        search.run(iterations=10)
        print("ready", flush=True)
        result = search.run(seconds=60)
        print(result.stopped_by, sum(row.visits for row in result.root) == result.total_iterations)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert (output, errors) == ("interrupt True\n", "")


class Digits:
    """Five digits; counts how often it is asked what the end is worth."""

    asked = 0

    def __init__(self) -> None:
        self.digits: list[str] = []

    def clone(self) -> Digits:
        twin = Digits()
        twin.digits = list(self.digits)
        return twin

    def legal(self) -> list[str]:
        return ["0", "1", "2"]

    def apply(self, digit: str) -> None:
        self.digits.append(digit)

    def terminal(self) -> bool:
        return len(self.digits) == 5

    def score(self) -> int:
        Digits.asked += 1
        return int("".join(self.digits), 3)


@pytest.mark.skipif(not JIT, reason="the memory of a search is that of compiled code")
def test_an_end_that_was_met_before_is_not_asked_again() -> None:
    Digits.asked = 0
    search = Search(python_game(Digits), algorithm="nrpa(2)", seed=1)
    search.run(runs=1)
    assert search.iterations == 10_000
    assert search.best_playout is not None
    assert search.best_playout[0] == 242
    assert Digits.asked <= 3**5


def test_things_that_equal_whole_numbers_keep_numbers_of_their_own() -> None:
    rules = python_game(Digits).rules
    assert rules._numbered_all(["0", "1"]) == [rules.number("0"), rules.number("1")]
    number = rules.number(True)
    assert number >= FIRST_NUMBER
    assert rules._numbered_all(["0", 1, True]) == [rules.number("0"), 1, number]
    assert rules._numbered_all([1, 2, "2"]) == [1, 2, rules.number("2")]


class Coded(Digits):
    """The same with codes: words, whole numbers, or some of both."""

    codes = "words"

    def clone(self) -> Coded:
        twin = type(self)()
        twin.digits = list(self.digits)
        return twin

    def code(self, digit: str) -> object:
        whole, word = 10 * len(self.digits) + int(digit), (len(self.digits), digit)
        return {"words": word, "numbers": whole, "both": whole if digit == "0" else word}[self.codes]


class InNumbers(Coded):
    codes = "numbers"


class InBoth(Coded):
    codes = "both"


@pytest.mark.skipif(not JIT, reason="plain Python has one way only")
@pytest.mark.parametrize("cls", [Digits, Coded, InNumbers, InBoth, TicTacToe])
@pytest.mark.parametrize("room", [None, 10])
def test_the_usual_step_in_one_go_says_what_the_long_way_does(
    cls: type, room: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``room``: states that are kept; known ground is soon full then."""
    found = []
    for quick in (True, False):
        game = python_game(cls)
        game.lanes.quick = quick
        if room:
            monkeypatch.setattr("icarus.python_game.node_cache.KEPT_NODES", room)
        algorithm = "uct" if cls is TicTacToe else "nrpa(1)"
        search = Search(game, algorithm=algorithm, seed=3)
        result = search.run(iterations=300)
        rows = [(row.label, row.visits, row.mean) for row in result.root]
        found.append((rows, result.best_score, result.best_line))
        if cls is not TicTacToe:  # where playouts begin a state is kept anyway
            assert any(lane.cache.states for lane in game.lanes.lanes.values()) == quick
    assert found[0] == found[1]


class LateTrouble(Digits):
    """Something is wrong behind the first moves."""

    trouble = "legal"

    def clone(self) -> LateTrouble:
        twin = type(self)()
        twin.digits = list(self.digits)
        return twin

    def legal(self) -> Any:
        return "012" if self.trouble == "legal" and len(self.digits) == 3 else ["0", "1", "2"]

    def score(self) -> Any:
        return "high" if self.trouble == "score" else 1

    def code(self, digit: str) -> Any:
        return self.digits[99] if self.trouble == "code" and len(self.digits) == 3 else digit


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("legal", r"LateTrouble\.legal\(\) gives a str at ply 3; it should give a list"),
        ("score", r"LateTrouble\.score\(\) gives 'high' at ply 5; it should give a number"),
        ("code", r"LateTrouble\.code\(\) raised IndexError.* at ply 3"),
    ],
)
def test_what_goes_wrong_deep_in_a_search_is_said_as_at_its_start(
    trouble: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LateTrouble, "trouble", trouble)
    with pytest.raises(GameError, match=said):
        Search(python_game(LateTrouble), algorithm="nrpa(1)", seed=1).run(iterations=50)
