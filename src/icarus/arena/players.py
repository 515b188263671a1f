"""Players by name: ``ALGORITHM[STRATEGY]@BUDGET``.

==============================  =============================================================================================
``mo[NRML]@5000``               multiple-observer ISMCTS with the enhancements of Table 1 (icarus-2014), 5 000 iterations
``uct[GRAVE(k=250)]@1s``        one second per decision
``determinized(40)[-]@10000``   forty trees that share 10 000 iterations
``cheating@10000``              without a strategy: the baseline
``[N]@5000``                    without an algorithm: uct with perfect information, mo otherwise
``uct@1s,keep,max``             the tree is kept between moves; the move with the best mean is played (rave-2016)
``uct@1s,transpositions``       positions that come about in several ways are one node, where the game has a ``key``
``mo@1s,strength=0.4``          moves are drawn by their visits, so that the player is weaker but not silly (icarus.strength)
``uct@1s,managed``              stops when decided, thinks longer when behind (clock.py); ``,book=FILE``: an opening book
``mo@5000,early``               ends a search as soon as its move cannot change any more: the same moves, sooner
``mo@1s,belief``                weighs what others may hold by how likely they would have played so (``,belief=16``: particles;
                                ``,belief=leduc.npz``: as this strategy plays)
``mo@1s,avoid=17``              never plays the action 17 where there is another one
``puct[net.onnx]@200``          AlphaZero's search with a network from a file; ``gumbel[net.onnx]@200``: Gumbel AlphaZero's
``random``                      any legal action
``mccfr@100000``                solves the game once and plays the average strategy; ``mccfr(outcome)@1s``: by outcome sampling
``selfplay[Smooth()]@10000``    plays the whole game against itself once, from every deal, and then the shares of its visits
``oos@1000``                    on-line outcome sampling: solves a little further at each decision, aimed at what it knows
``kuhn.npz``                    a strategy that ``icarus equilibrium`` has written
``openspiel-mcts@1000``         OpenSpiel's own MCTS, and ``openspiel-ismcts@1000`` its IS-MCTS, where the game exists there
==============================  =============================================================================================

What is printed can be read in again.  A player is checked against the game before the first move, so that a tournament does not
fail in its last hour.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol

from icarus.algorithm import ALGORITHMS, Algorithm
from icarus.arena.book import read_book
from icarus.arena.clock import Bank
from icarus.arena.errors import PlayerError
from icarus.arena.solved import FILE, SOLVERS, WITH_STRATEGY, StrategySeat, check_solver
from icarus.belief import PARTICLES, Belief, Counts, Model
from icarus.equilibrium.average import SUFFIX, read_strategy_file
from icarus.errors import IcarusError, SearchError, StrategyError
from icarus.game import Game, Position
from icarus.jit.randomness import mix, random_below, seeded
from icarus.network.onnx import is_network
from icarus.network.searching import AnySearch, NetworkSearch
from icarus.preset import Level, Preset
from icarus.result import Progress, SearchResult
from icarus.search import FINAL_MOVES, Search, default_lanes, default_solve
from icarus.strength import chosen
from icarus.trust import OWN, Trust

OPENSPIEL = ("openspiel-mcts", "openspiel-ismcts")
RANDOM = "random"
NAMES = (*ALGORITHMS, *SOLVERS, RANDOM, *OPENSPIEL)
#: what may have parameters
NAMED: dict[str, Algorithm] = {**ALGORITHMS, **SOLVERS}
#: they play the most visited move of all their trees, and nothing but that
BY_VISITS = ("", "uct", "determinized", "ensemble", "cheating", "cheating-ensemble", "so", "pom", "mo")
#: what a search may hold; several players share a machine
MEMORY = 1 << 29


@dataclass(frozen=True)
class Player:
    """A player: see the module's docstring for what each part means."""

    algorithm: str = ""
    #: of the algorithm, as they stand in its parentheses
    parameters: str = ""
    strategy: str = ""
    iterations: int | None = None
    seconds: float | None = None
    keep: bool = False
    #: how the move is chosen in the end; empty: as the algorithm does by itself
    final: str = ""
    #: nodes are positions, however they came about
    transpositions: bool = False
    #: 0 to 1; None (and 1): the search's own choice is played
    strength: float | None = None
    #: stops when decided, and spends what that saves when it is behind
    managed: bool = False
    #: ends a search when no other move can become the most visited one
    early: bool = False
    #: an opening book, as ``icarus book`` writes it
    book: str = ""
    #: particles of a belief; 0: determinizations are uniform ...
    belief: int = 0
    #: ... and how the others are taken to play: a strategy file; empty: a short search with the strategy of this one
    model: str = ""
    #: an action that is never played where there is another one: what is it worth?
    avoid: int | None = None

    def __str__(self) -> str:
        if self.algorithm == RANDOM:
            return RANDOM
        if self.algorithm == FILE:
            return self.parameters
        strategy = f"[{self.strategy}]" if self.strategy or not self.algorithm else ""
        budget = f"@{self.iterations}" if self.iterations is not None else f"@{_short(self.seconds)}s"
        options = (",keep" if self.keep else "") + (f",{self.final}" if self.final else "")
        options += ",transpositions" if self.transpositions else ""
        options += "" if self.strength is None else f",strength={_short(self.strength)}"
        options += (
            (",managed" if self.managed else "") + (",early" if self.early else "") + (f",book={self.book}" if self.book else "")
        )
        if self.belief:
            options += (
                f",belief={self.model}" if self.model else ",belief" if self.belief == PARTICLES else f",belief={self.belief}"
            )
        options += "" if self.avoid is None else f",avoid={self.avoid}"
        return f"{self.named}{strategy}{budget}{options}"

    @property
    def named(self) -> str:
        """The algorithm with its parameters; empty: as the game needs it."""
        return f"{self.algorithm}({self.parameters})" if self.parameters else self.algorithm

    @property
    def searches(self) -> bool:
        """Does it search with Icarus at every decision?"""
        return self.algorithm not in (RANDOM, FILE, *OPENSPIEL, *SOLVERS)

    @property
    def asks(self) -> bool:
        """Does it search with a network, whose file stands in place of a strategy?"""
        return self.algorithm in ALGORITHMS and ALGORITHMS[self.algorithm].asks

    @property
    def timed(self) -> bool:
        """The budget is time, so that two runs may differ."""
        return self.seconds is not None

    def scaled(self, factor: float) -> Player:
        """The same player with a share of the budget (at least one iteration, or a millisecond)."""
        if self.iterations is not None:
            return replace(self, iterations=max(round(self.iterations * factor), 1))
        if self.seconds is not None:
            return replace(self, seconds=max(self.seconds * factor, 0.001))
        return self

    def search(self, position: Position, observer: int, seed: int, belief: Belief | None = None) -> AnySearch:
        """The search of this player from a position."""
        if self.asks:
            return NetworkSearch(
                position,
                evaluator=self.strategy,
                algorithm=self.named,
                observer=observer,
                seed=seed,
                memory=MEMORY,
                final=self.final or None,
            )
        algorithm = self.named or None
        if not algorithm and self.keep and position.game.simultaneous_moves:
            algorithm = "mo"  # uct cannot keep its tree where players choose at the same time
        return Search(
            position,
            algorithm=algorithm,
            strategy=self.strategy or "-",
            observer=observer,
            seed=seed,
            memory=MEMORY,
            final=self.final or None,
            transpositions=self.transpositions,
            lanes=default_lanes(position.game, self.iterations),
            belief=belief if belief is not None else self.new_belief(),
            solve=None if self.transpositions else default_solve(position.game, algorithm, self.strategy or "-", self.seconds),
        )

    def sooner(self) -> Player:
        """The same moves in less time; itself, where they go by more than the visits of one search of so many iterations."""
        by_visits = self.algorithm in BY_VISITS and "solve" not in self.parameters and self.final in ("", "robust")
        more = self.keep or self.managed or self.strength is not None or self.avoid is not None
        return self if self.iterations is None or more or not by_visits else replace(self, early=True)

    def think(self, search: AnySearch, bank: Bank, progress: Callable[[Progress], None] | None = None) -> SearchResult:
        """Spend the budget of one decision."""
        if self.managed:
            return bank.think(search, progress)
        until = 1.0 if self.early else None
        return search.run(iterations=self.iterations, seconds=self.seconds, progress=progress, until_decided=until)

    def from_book(self, position: Position) -> int | None:
        """The move of the opening book, if there is one."""
        return read_book(self.book).move(position) if self.book else None

    def new_belief(self) -> Belief | None:
        """A belief for one game, if this player has any."""
        if not self.belief:
            return None
        model = Counts(read_strategy_file(Path(self.model))) if self.model else Model(self.strategy or "-")
        return Belief(model, particles=self.belief)

    def check(self, game: Game) -> None:
        """Refuse, before the first game, a game that this player cannot play."""
        try:
            if self.algorithm in OPENSPIEL:
                from icarus.arena.openspiel import check

                check(self.algorithm, game)
            elif self.algorithm in (FILE, *SOLVERS):
                check_solver(self, game)
            elif self.algorithm != RANDOM:
                if self.model:
                    read_strategy_file(Path(self.model)).check(game)
                self.search(game.start(0), 0, 0)
                if (self.managed or self.early) and self.final not in ("", "robust", "vote"):
                    raise PlayerError(f"{'managed' if self.managed else 'early'} goes by visits, and {self.final} does not")
                if self.book:
                    read_book(self.book).check(game)
        except IcarusError as problem:
            raise PlayerError(f"the player {self} cannot play {game.name}: {problem}") from None

    def seated(self, game: Game, seat: int, seed: int) -> Seat:
        """This player in a seat of one game; everything that it draws comes from the seed."""
        if self.algorithm == RANDOM:
            return _RandomSeat(seat, seed)
        if self.algorithm in OPENSPIEL:
            from icarus.arena.openspiel import OpenSpielSeat

            return OpenSpielSeat(self, game, seat, seed)
        if self.algorithm in (FILE, *SOLVERS):
            return StrategySeat(self, game, seat, seed)
        return _SearchSeat(self, seat, seed)


def with_preset(player: Player, preset: Preset, level: Level | None = None) -> Player:
    """A player that nobody has given a strategy, as a game's preset wants it; a level brings its own budget and strength."""
    if preset.strategy and player.strategy in ("", "-") and not player.algorithm:
        named = read_player(f"{preset.algorithm}[{preset.strategy}]@1")
        player = replace(player, algorithm=named.algorithm, parameters=named.parameters, strategy=named.strategy)
        player = replace(
            player, final=player.final or preset.final, transpositions=preset.transpositions, keep=player.keep or preset.keep
        )
    if level is not None:
        player = replace(player, iterations=level.iterations, seconds=level.seconds, strength=level.strength)
    return player


def _short(value: float | None) -> str:
    return f"{value:g}"


# --- reading ---------------------------------------------------------------------------------------------------------


def read_player(text: str | Player, trust: Trust = OWN) -> Player:
    """The player that the text names; an error points at the character."""
    if isinstance(text, Player):
        return text
    return _Reader(text, trust).player()


class _Reader:
    def __init__(self, text: str, trust: Trust) -> None:
        self.text, self.trust, self.at = text, trust, 0

    def fail(self, message: str, at: int | None = None) -> PlayerError:
        return PlayerError(message, self.text, self.at if at is None else at)

    def take(self, pattern: str) -> str:
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def player(self) -> Player:
        self.take(r"\s+")
        if self.text.strip().endswith(SUFFIX) and ",belief=" not in self.text:
            self.trust.check_file(self.text.strip())
            return Player(FILE, self.text.strip())
        algorithm, parameters = self.algorithm()
        strategy = self.strategy(algorithm)
        self.take(r"\s+")
        if algorithm == RANDOM:
            if self.at < len(self.text):
                raise self.fail("random takes neither strategy nor budget")
            return Player(RANDOM)
        if not self.take("@"):
            raise self.fail("a budget was expected here: @5000 for iterations, @1s for seconds")
        iterations, seconds = self.budget()
        options = self.options(algorithm)
        self.take(r"\s+")
        if self.at < len(self.text):
            raise self.fail("the player ends here, but there is more; options are written as ,keep or ,max")
        return Player(algorithm, parameters, strategy, iterations, seconds, **options)

    def algorithm(self) -> tuple[str, str]:
        start = self.at
        name = self.take(r"[A-Za-z][A-Za-z0-9_-]*")
        if not name:
            if self.text[self.at : self.at + 1] == "[":
                return "", ""
            raise self.fail("a player begins with an algorithm, such as mo[NRML]@5000, or is `random`")
        if name not in NAMES:
            near = get_close_matches(name, NAMES, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
            raise self.fail(f"there is no algorithm {name!r}; {hint}", start)
        if not self.take(r"\("):
            return name, ""
        if name not in NAMED:
            raise self.fail(f"{name} takes no parameters", self.at - 1)
        start = self.at
        inner = self.take(r"[^()\[\]@]*").strip()
        if not self.take(r"\)"):
            raise self.fail("parameters end with a )")
        try:
            NAMED[name].with_parameters(inner)
        except SearchError as problem:
            raise self.fail(str(problem), start) from None
        return name, inner

    def strategy(self, algorithm: str) -> str:
        start = self.at
        if not self.take(r"\["):
            if algorithm in ALGORITHMS and ALGORITHMS[algorithm].asks:
                raise self.fail(f"{algorithm} needs a network: {algorithm}[net.onnx]@200")
            return ""
        if algorithm in (RANDOM, *OPENSPIEL, *SOLVERS) and algorithm not in WITH_STRATEGY:
            raise self.fail(f"{algorithm} takes no strategy", start)
        depth, first = 1, self.at
        while depth:
            if self.at >= len(self.text):
                raise self.fail("this bracket is not closed by a ]", start)
            depth += {"[": 1, "]": -1}.get(self.text[self.at], 0)
            self.at += 1
        inner = self.text[first : self.at - 1].strip()
        if algorithm in ALGORITHMS and ALGORITHMS[algorithm].asks:
            if not is_network(inner):
                raise self.fail(f"{algorithm} takes a network, a file that ends with .onnx", first)
            self.trust.check_file(inner)
            return inner
        if not inner:
            raise self.fail("a strategy was expected here, such as NRML or RAVE(k=250); the baseline is -", first)
        try:
            ALGORITHMS.get(algorithm, ALGORITHMS["uct"]).read(inner, self.trust)
        except StrategyError as problem:
            lead = len(self.text[first:]) - len(self.text[first:].lstrip())
            message, at = _place(str(problem), inner)
            raise self.fail(message, first + lead + at) from None
        return inner

    def budget(self) -> tuple[int | None, float | None]:
        start = self.at
        number = self.take(r"\d[\d_]*(\.\d+)?|\.\d+")
        if not number:
            raise self.fail("a budget is a number of iterations (@5000) or seconds (@1s, @0.5s)")
        unit = self.take(r"ms|s|k|[A-Za-z]+")
        value = float(number.replace("_", ""))
        if unit in ("s", "ms"):
            seconds = value / (1000 if unit == "ms" else 1)
            if not seconds > 0:
                raise self.fail("a budget must be above zero", start)
            return None, seconds
        if unit not in ("", "k"):
            raise self.fail(f"the unit of a budget is s or ms, or none for iterations, not {unit!r}", self.at - len(unit))
        value *= 1000 if unit == "k" else 1
        if value < 1 or value != int(value):
            raise self.fail("the number of iterations must be a whole number of at least 1", start)
        return int(value), None

    def options(self, algorithm: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.take(r"\s*,\s*"):
            start = self.at
            option = self.take(r"[A-Za-z-]+")
            if algorithm in (*OPENSPIEL, *SOLVERS):
                raise self.fail(f"{algorithm} takes no options", start)
            if (
                option in ("transpositions", "belief", "max-robust", "vote")
                and algorithm in ALGORITHMS
                and ALGORITHMS[algorithm].asks
            ):
                raise self.fail(f"{algorithm} has no option {option!r}", start)
            if option == "strength":
                found[option] = self.strength()
                continue
            if option == "avoid":
                number = self.take(r"\s*=\s*\d{1,10}")
                if not number:
                    raise self.fail("avoid is written as avoid=17: the number of an action that is never played", start)
                found[option] = int(number.partition("=")[2])
                continue
            if option == "book" and self.take("="):
                found[option] = self.take(r"[^,\s]+")
                self.trust.check_file(found[option])
                continue
            if option in ("keep", "managed", "early", "transpositions"):
                found[option] = True
            elif option in FINAL_MOVES:
                found["final"] = option
            elif option == "belief":
                found[option] = PARTICLES
                given = self.take(r"=[^,\s]+")[1:]
                if given.endswith(SUFFIX):
                    self.trust.check_file(given)
                    found["model"] = given
                elif re.fullmatch(r"\d{1,6}", given) and int(given):
                    found[option] = int(given)
                elif given or self.take("="):
                    raise self.fail(f"a belief is written as belief, belief=16 (particles) or belief=FILE{SUFFIX}", start)
            else:
                known = ", ".join(
                    (
                        "keep",
                        "belief",
                        "managed",
                        "early",
                        "book=FILE",
                        "transpositions",
                        "strength=0.4",
                        "avoid=17",
                        *FINAL_MOVES,
                    )
                )
                raise self.fail(f"there is no option {option!r}; there are {known}", start)
        return found

    def strength(self) -> float:
        start = self.at
        number = self.take(r"\s*=\s*(\d+(\.\d*)?|\.\d+)")
        value = float(number.partition("=")[2]) if number else -1.0
        if not 0 <= value <= 1:
            raise self.fail("a strength is written as strength=0.4, a number from 0 (weakest) to 1", start)
        return value


def _place(message: str, strategy: str) -> tuple[str, int]:
    """What is wrong with a strategy, and where: at a character that is given, or where the thing that is named stands."""
    given = re.search(r" at character (\d+)", message)
    if given:
        return message.replace(given[0], ""), min(int(given[1]) - 1, len(strategy))
    named = re.search(r"'([^']+)'", message) or re.match(r"(\w+):", message)
    return message, max(strategy.find(named[1]), 0) if named else 0


# --- playing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """An action and the search behind it (zeros where nothing was searched)."""

    action: int
    iterations: int = 0
    #: share of the root's visits that the action got, and the deepest node (claim I8)
    share: float = 0.0
    depth: int = 0
    #: the mean reward of the search for who decides; NaN where nothing was searched
    value: float = math.nan
    #: of a game with a score: that of the best playout, and its actions from here; NaN where there was none
    best_score: float = math.nan
    best_line: tuple[int, ...] = ()


class Seat(Protocol):
    """A player in a seat of one game.  It may use of the position only what its seat can see; searches see to that."""

    def decide(self, position: Position, legal: list[int]) -> Decision: ...


class _RandomSeat:
    def __init__(self, seat: int, seed: int) -> None:
        self.rng = seeded(seed, stream=1000 + seat)

    def decide(self, position: Position, legal: list[int]) -> Decision:
        return Decision(legal[int(random_below(self.rng, len(legal)))])


class _SearchSeat:
    def __init__(self, player: Player, seat: int, seed: int) -> None:
        self.player, self.seat, self.seed = player, seat, seed
        self.kept: AnySearch | None = None
        self.bank = Bank(player.iterations, player.seconds)
        self.belief = player.new_belief()

    def decide(self, position: Position, legal: list[int]) -> Decision:
        if len(legal) == 1:
            return Decision(legal[0])
        known = self.player.from_book(position)
        if known is not None:
            return Decision(known)
        if self.kept is None:
            seed = int(mix(int(mix(self.seed, self.seat)), len(position.history))) & (2**63 - 1)
            search = self.player.search(position, self.seat, seed, self.belief)
        else:
            search = self.kept
            search.advance(position)
        if self.player.keep:
            self.kept = search
        result = self.player.think(search, self.bank)
        if result.stopped_by == "interrupt":  # a search answers Ctrl-C with what it has; a match must not play on with that
            raise KeyboardInterrupt
        visits = sum(row.visits for row in result.root)
        move = chosen(result, self.player.strength)
        if move.action == self.player.avoid:
            move = max((row for row in result.root if row.action != move.action), key=lambda row: row.visits)
        # all that was searched, since with few iterations a single move's mean says little
        value = sum(row.visits * row.mean[self.seat] for row in result.root) / visits if visits else math.nan
        best = math.nan if result.best_score is None else result.best_score
        line = tuple(result.best_actions)
        if self.player.early:  # what a whole search would have been like is not known
            return Decision(move.action, result.iterations, value=value, best_score=best, best_line=line)
        return Decision(move.action, result.iterations, move.visits / max(visits, 1), result.tree_depth, value, best, line)
