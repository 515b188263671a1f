"""The published algorithms as settings of one loop: which determinizations are searched, and whose move history names a node.

=====================  ==================================================================================================
``uct``                perfect information: one tree of actions
``flat``, ``flat-ucb``  no tree: random or UCB1 choice at the root, then random playouts
``determinized(d)``    d determinizations, a UCT tree for each; root visits are added up (ismcts-2012, section IV-D)
``ensemble(d)``        the same without hidden information: d independent UCT trees
``cheating``, ``cheating-ensemble(d)``  UCT on the true state: a benchmark, not a player (section IV-C)
``epimc(plies)``       information sets for so many plies, then a tree for each determinization; 0 is ``determinized``
``ris``                ``mo`` in which every player who acts draws anew what it cannot know (re-determinizing)
``pns``, ``mcpns(playouts=n)``  proof-number search, without and with playouts: proves who wins, or nothing
``so``, ``pom``, ``mo``  information set MCTS with a single observer, with partially observable moves, with multiple observers
``puct``, ``gumbel``   an evaluator says what is worth a look, and what positions are worth: see network/algorithm.py
``nmcs(level)``, ``nrpa(level)``, ``sp(restarts)``, ...  for one player: see one_player/
``sparse-uct(width)``, ``hop(trees)``, ``fsss(width)``, ...  planning with chance, and without: see planning/
=====================  ==================================================================================================

A name takes the parameters that its algorithm declares, by place or by name: ``determinized(40)``, ``determinized(trees=40)``; a
parameter that is on or off is switched on by its name alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from icarus.engine import layout as w
from icarus.errors import SearchError, StrategyError
from icarus.game import Game, Position, Stepping
from icarus.jit import Kernel
from icarus.proofs.bounds import RULES
from icarus.proofs.proof_number import run_proof_numbers
from icarus.trust import OWN, Trust

if TYPE_CHECKING:
    from icarus.engine.world import Worker
    from icarus.strategy.base import Strategy
    from icarus.strategy.plan import Plan


@dataclass(frozen=True)
class Parameter:
    """What may stand in the parentheses behind an algorithm's name: a field of :class:`Algorithm`, or of a class below it.

    Without a range it is a word among ``words``, and without those it is on or off.
    """

    field: str
    least: float = 0
    most: float = 0
    whole: bool = True
    words: tuple[str, ...] = ()
    #: what it is, for messages
    meaning: str = ""
    #: part of the name even where it is the default, without the name of the field
    always: bool = False

    @property
    def switch(self) -> bool:
        """Is it on or off, and nothing else?"""
        return not self.words and self.most <= self.least

    @property
    def range(self) -> str:
        """The values that it takes, in words."""
        if self.words:
            return f"one of {', '.join(self.words)}"
        return "true or false" if self.switch else f"{'' if self.whole else 'a number from '}{self.least:g} to {self.most:.9g}"

    def value(self, text: str) -> Any:
        """The value that a text means; ValueError if it means none."""
        if self.words:
            if text in self.words:
                return text
        elif self.switch:
            if text in ("true", "false"):
                return text == "true"
        elif re.fullmatch(r"[+-]?(\d+|\d*\.\d+|\d+\.)(e[+-]?\d+)?", text) and len(text) < 40:
            number = float(text)
            if self.least <= number <= self.most and (not self.whole or number == int(number)):
                return int(number) if self.whole else number
        raise ValueError(text)

    def written(self, value: Any) -> str:
        """How a name gives this value."""
        if self.switch:
            return self.field if value else f"{self.field}=false"
        text = str(value) if self.words or self.whole else repr(value)
        return text if self.always else f"{self.field}={text}"


SOLVE = Parameter("solve")
RULE = Parameter("rule", words=RULES)
THRESHOLD = Parameter("threshold", 0, 1_000_000_000, meaning="the visits below which nothing is left out")
GAMMA = Parameter("gamma", -10, 10, whole=False, meaning="the weight of the pessimistic bound")
DELTA = Parameter("delta", -10, 10, whole=False, meaning="the weight of the optimistic bound")
PROOFS = (THRESHOLD, GAMMA, DELTA)
PLIES = Parameter("plies", 0, 1_000_000, meaning="the number of plies", always=True)
DETERMINIZATIONS = Parameter("determinizations", 1, 100_000, meaning="the number of determinizations")
TRANSPOSITIONS = Parameter("transpositions", 0, 3, meaning="the way to share positions")
PLAYOUTS = Parameter("playouts", 1, 10_000, meaning="the number of playouts for each move")
TREES = Parameter("trees", 1, 100_000, meaning="the number of trees", always=True)


@dataclass(frozen=True)
class Algorithm:
    """How the loop is set up.  ``str()`` gives the name back."""

    name: str
    #: what names a tree node (engine/identity.py)
    identity: int = w.BY_ACTIONS
    #: how many independent trees share the budget
    trees: int = 1
    #: what may stand in parentheses behind the name, in this order
    parameters: tuple[Parameter, ...] = ()
    #: searches the true state although it may not be known
    cheats: bool = False
    #: draws a determinization for every iteration (otherwise one per tree)
    resamples: bool = True
    #: iterations begin with one of so many determinizations, drawn once (0: as ``resamples`` says) ...
    determinizations: int = 0
    #: ... and from this ply on a node belongs to one of them, where everything is known
    plies: int = 2**31
    #: every player who acts below the root draws anew what it cannot know
    redetermines: bool = False
    #: iterations begin with a deal, for all players at once: there is no searching player (equilibrium/self_play.py)
    from_start: bool = False
    max_depth: int = 2**31
    flat_root: bool = False
    #: a kernel that runs iterations in place of the engine's own (engine/drive)
    driver: Kernel | None = None
    #: looks for proofs (None: as it is usual where it is used), and what is taken for granted of players who do not care
    #: (proofs/bounds.py)
    solve: bool | None = None
    rule: str = RULES[0]
    #: a node leaves out moves whose value is known from so many visits on (MCTS-Solver's T), ...
    threshold: int = 0
    #: ... and where something is proven, gamma times the pessimistic and delta times the optimistic bound are added to averages
    gamma: float = 0.0
    delta: float = 0.0
    #: positions that come about in several ways: 0 apart, 1 one node (UCT1), 2 actions are valued by them (UCT2), 3 and whatever
    #: leads to them is refreshed (UCT3); see engine/positions.py
    transpositions: int = 0
    #: the answer is the first action of the best playout (for one player)
    plays_best: bool = False
    #: asks an evaluator what positions are worth: searched by icarus.network
    asks: bool = False
    #: goes from state to state by itself instead of growing a tree; its strategy is about playouts alone ...
    walks: bool = False
    #: ... if it asks one at all
    strategic: bool = True

    #: runs on one thread
    one_thread: bool = False

    @property
    def ends(self) -> bool:
        """Does it end by itself, and begin anew if there is time left?"""
        return self.walks

    @property
    def usual_final(self) -> str:
        """How the move is chosen in the end where nobody has said so."""
        return "max" if self.flat_root else "robust"  # visits say nothing where every move is tried equally often

    @property
    def own_lanes(self) -> int:
        """How many positions at a time the driver needs."""
        return 1

    @property
    def usual_strategy(self) -> Any:
        """What is searched with where no strategy is named."""
        return "-"

    def read(self, strategy: str | Strategy, trust: Trust = OWN) -> Strategy:
        """The strategy that is searched with where this one was named; "-" is none.

        An algorithm whose choice in the tree is its own takes one for its playouts alone.
        """
        from icarus.strategy.baseline import Baseline
        from icarus.strategy.combine import Sequential
        from icarus.strategy.expression import read_strategy

        own = self.usual_strategy
        if isinstance(strategy, str) and strategy.strip() == "-":
            return read_strategy(own, alone=self.walks)
        given = read_strategy(strategy, trust, alone=self.walks or own != "-")
        if not self.strategic and given != Baseline():
            raise StrategyError(f"{self.name} makes its choices by itself: no strategy, such as {given}, has a part in it")
        if own == "-":
            return given
        tree, playouts = (given.tree, given.simulation) if type(given) is Sequential else (given, Baseline())
        if tree not in (Baseline(), own):
            raise StrategyError(f"{self.name} chooses in the tree by itself; a strategy is for its playouts: {self.name}[MAST()]")
        return own if playouts == Baseline() else Sequential(own, playouts)

    def driver_for(self, plan: Plan) -> Kernel | None:
        """The kernel in place of the engine's own drivers, if there is one."""
        return self.driver

    def prepare(self, game: Game, worker: Worker) -> None:
        """Give a worker the memory that the driver needs."""

    def under_way(self, game: Game, worker: Worker) -> dict[str, Any] | None:
        """What a search that is to go on another time must know, for a file; None: it begins anew."""
        return None

    def go_on(self, start: Position, worker: Worker, held: dict[str, Any]) -> None:
        """Put a search, before its first iteration, where another one was; ValueError if ``held`` does not fit the game."""

    def __str__(self) -> str:
        usual, given = ALGORITHMS.get(self.name) or type(self)(self.name), []
        for parameter in self.parameters:
            value = getattr(self, parameter.field)
            if parameter.always or value != getattr(usual, parameter.field):
                given.append(parameter.written(value))
        return f"{self.name}({', '.join(given)})" if given else self.name

    def with_parameters(self, text: str) -> Algorithm:
        """This algorithm with the parameters of a text: values by place, then ``name=value``; a switch by its name alone."""
        values: dict[str, Any] = {}
        places = [parameter for parameter in self.parameters if not parameter.switch]
        for argument in filter(None, (part.strip() for part in text.split(","))):
            name, given, value = (part.strip() for part in argument.partition("="))
            parameter = next((p for p in self.parameters if p.field == name and (given or p.switch)), None)
            if parameter is None and not given and places:
                parameter, value = places[0], argument
            if parameter is None:
                known = ", ".join(p.field for p in self.parameters)
                takes = f"its parameters are {known}" if known else "it takes no parameters"
                raise SearchError(f"{self.name}({text}): {argument!r} means nothing here; {takes}")
            if parameter.field in values:
                raise SearchError(f"{self.name}({text}): {parameter.field} is given twice")
            places = [p for p in places if p is not parameter]
            try:
                values[parameter.field] = parameter.value(value if given or not parameter.switch else "true")
            except ValueError:
                what = parameter.meaning or parameter.field
                raise SearchError(f"{self.name}({text}): {what} must be {parameter.range}, not {value!r}") from None
        return replace(self, **values)

    def check(self, game: Game) -> None:
        """Refuse what would silently peek, and what the game cannot serve."""
        if self.identity == w.BY_STATE:
            if game.hidden_information or game.simultaneous_moves or game.observe is not None:
                raise SearchError(f"transpositions need positions that everybody sees, and {game.name} hides some of them")
            if game.key is None:
                raise SearchError(f"transpositions need the function 'key', which the game {game.name!r} does not have")
        if self.solve:
            self._check_proofs(game)
        elif self.threshold or self.gamma or self.delta:
            raise SearchError(f"{self}: threshold, gamma and delta are about proofs; add solve")
        if not game.hidden_information and self.name in ("epimc", "ris"):
            raise SearchError(f"{self.name} is about what players cannot see, and {game.name} hides nothing; use uct")
        if game.hidden_information and self.name in ("uct", "ensemble"):
            other = {"uct": "cheating", "ensemble": "cheating-ensemble"}[self.name]
            raise SearchError(
                f"{self.name} needs perfect information and {game.name} hides some; use mo, so, pom or determinized (or {other})"
            )

    def solves(self, game: Game) -> bool:
        """Can it look for proofs in this game?"""
        try:
            self._check_proofs(game)
        except SearchError:
            return False
        return True

    def _check_proofs(self, game: Game) -> None:
        """Refuse to prove what a tree of this game cannot prove."""
        needs = "solve proves what holds in one position that everybody knows, and"
        if SOLVE not in self.parameters:
            names = ", ".join(name for name, other in ALGORITHMS.items() if SOLVE in other.parameters)
            raise SearchError(f"{self.name} cannot solve; {names} can")
        if self.identity == w.BY_STATE:
            raise SearchError("solve needs nodes that are histories: a position's value may depend on how it came about")
        if game.simultaneous_moves:
            raise SearchError(f"{needs} in {game.name} players choose at the same time: the best may be to mix")
        if game.hidden_information:
            raise SearchError(f"{needs} {game.name} hides some: the end of one determinization says nothing of the others")
        if game.observe is not None:
            raise SearchError(f"{needs} in {game.name} players see less of a move than who makes it")
        if game.sample is not None and game.chance is None:
            raise SearchError(f"solve needs the probabilities of the environment's outcomes: {game.name} has no 'chance'")
        if game.score is not None:
            raise SearchError(f"solve needs rewards that stay what they are: those of {game.name} compare scores")


@dataclass(frozen=True)
class ProofNumbers(Algorithm):
    """Proof-number search: a driver of its own, and bounds."""

    resamples: bool = False
    driver: Kernel | None = run_proof_numbers
    solve: bool | None = True
    #: games that say what the numbers of a move begin with; none: 1 and 1
    playouts: int = 0

    def check(self, game: Game) -> None:
        if self.identity == w.BY_STATE:
            raise SearchError(f"{self.name} needs nodes that are histories: a position's value may depend on how it came about")
        if game.players > 2:
            raise SearchError(f"{self.name} asks whether one side wins against the other; {game.name} has {game.players} players")
        self._check_proofs(game)
        if game.stochastic:
            raise SearchError(f"{self.name} knows no odds, and the environment acts in {game.name}; use uct(solve)")
        if game.stepping is not Stepping.ONE_STATE or game.copy is not None:
            raise SearchError(f"{self.name} needs a game of compiled functions, which {game.name} is not; use uct(solve)")

    def _check_proofs(self, game: Game) -> None:
        replace(ALGORITHMS["uct"], solve=True)._check_proofs(game)


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("uct", parameters=(SOLVE, RULE, TRANSPOSITIONS, *PROOFS), resamples=False),
        Algorithm("flat", max_depth=1, flat_root=True),
        Algorithm("flat-ucb", max_depth=1),
        Algorithm("determinized", trees=40, parameters=(TREES,), resamples=False),
        Algorithm("ensemble", trees=40, parameters=(TREES,), resamples=False),
        Algorithm("cheating", cheats=True, resamples=False),
        Algorithm("cheating-ensemble", trees=40, parameters=(TREES,), cheats=True, resamples=False),
        Algorithm(
            "epimc", identity=w.BY_EACH_VIEW, parameters=(PLIES, DETERMINIZATIONS), resamples=False, plies=1, determinizations=40
        ),
        Algorithm("ris", identity=w.BY_EACH_VIEW, redetermines=True),
        ProofNumbers("pns"),
        ProofNumbers("mcpns", parameters=(PLAYOUTS,), playouts=3),
        Algorithm("so", parameters=(SOLVE, RULE, *PROOFS)),
        Algorithm("pom", parameters=(SOLVE, RULE, *PROOFS), identity=w.BY_ROOT_VIEW),
        Algorithm("mo", parameters=(SOLVE, RULE, *PROOFS), identity=w.BY_EACH_VIEW),
    )
}


def algorithm_named(name: str | Algorithm | None, game: Game) -> Algorithm:
    """The algorithm of this name (``determinized(40)`` gives the number of trees), or the default for the game."""
    if isinstance(name, Algorithm):
        return name
    if name is None:
        name = "mo" if game.hidden_information else "uct"
    match = re.fullmatch(r"\s*([a-z][a-z0-9-]*)\s*(?:\(([^()]*)\))?\s*", name)
    if match is None or match[1] not in ALGORITHMS:
        near = get_close_matches(match[1] if match else name, ALGORITHMS, n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise SearchError(f"there is no algorithm {name!r}{hint} There are: {', '.join(ALGORITHMS)}")
    algorithm = ALGORITHMS[match[1]]
    return algorithm if match[2] is None else algorithm.with_parameters(match[2])


def with_strategy(name: str, strategy: Any = "-") -> tuple[str, Any]:
    """An algorithm's name may end with a strategy in brackets: ``nmcs(2)[MAST()]``; returns both apart."""
    match = re.fullmatch(r"([^\[\]]*)\[(.*)\]\s*", name)
    if match is None:
        return name, strategy
    if strategy != "-":
        raise SearchError(f"{name} names a strategy, and so does {strategy}; name one")
    return match[1], match[2]


def named_with_strategy(
    name: str | Algorithm | None, strategy: str | Strategy, game: Game, trust: Trust = OWN
) -> tuple[Algorithm, Strategy]:
    """Both, of a name that may end with a strategy in brackets (whose files ``trust`` must allow)."""
    if isinstance(name, str):
        name, strategy = with_strategy(name, strategy)
    algorithm = algorithm_named(name, game)
    if algorithm.asks:
        how = f"icarus.NetworkSearch(game, evaluator=evaluate, algorithm={algorithm.name!r})"
        raise SearchError(f"{algorithm.name} asks a network: {how}, or a player {algorithm.name}[net.onnx]@200")
    return algorithm, algorithm.read(strategy, trust)


def _for_one_player() -> tuple[Algorithm, ...]:
    """Those of one_player/ and planning/, which build on what is above."""
    from icarus.one_player import ONE_PLAYER
    from icarus.planning import PLANNING

    return (*ONE_PLAYER, *PLANNING)


def _with_networks() -> tuple[Algorithm, ...]:
    """Those of network/algorithm.py."""
    from icarus.network.algorithm import NETWORK

    return NETWORK


ALGORITHMS.update({algorithm.name: algorithm for algorithm in (*_for_one_player(), *_with_networks())})
