"""``icarus engine``: a program in any language asks for moves and analysis, one line of JSON at a time.

Every line that comes in is an object with ``cmd`` and, if the client likes, an ``id`` that every answer to it repeats.  Every
line that goes out is an object with ``type``.  Each command gets exactly one answer: an object named after the command (``best``
after ``go``) or an ``error``; while a search runs, ``analysis`` comes in between.  docs/engine-protocol.md is for clients.

The client is the game's host and may know everything.  The engine keeps the true position; a search uses what its observer may
know and nothing else.  Names may come from anybody: they lead to what is built in, and to what the engine was started with
(icarus.trust).
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, BinaryIO, TextIO

import numpy as np

from icarus import __version__
from icarus.algorithm import named_with_strategy, with_strategy
from icarus.arena.clock import Bank
from icarus.errors import GameError, IcarusError, SearchError
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import seeded
from icarus.loading import GAMES, load
from icarus.network.searching import AnySearch, NetworkSearch, check_options, network_search
from icarus.result import Progress, SearchResult
from icarus.search import Search
from icarus.terminal import compile_loop
from icarus.trust import OUTSIDE, Trust

PROTOCOL = 1
MAX_LINE = 1 << 20  #: bytes; a longer line is refused
DRAWS = 1 << 20  #: the first stream of random numbers for outcomes of the environment: one stream for each ply
ENDLESS = 1 << 62  #: iterations of a search that only ``stop`` (or memory) ends
EVERY, TOP = 0.5, 10  #: seconds between two analyses, and how many moves they list

Message = dict[str, Any]
Write = Callable[[Message], None]


def serve(lines: BinaryIO, out: TextIO, trust: Trust = OUTSIDE) -> None:
    """Answer every line until ``quit`` or the end of the input; a search that still runs is waited for, if it has an end."""
    lock = threading.Lock()

    def write(message: Message) -> None:
        with lock:
            out.write(json.dumps(message) + "\n")
            out.flush()

    engine = Engine(write, trust)
    try:
        engine.greet()
        while not engine.over:
            line = lines.readline(MAX_LINE + 1)
            if not line:
                break
            part = line
            while len(part) > MAX_LINE and not part.endswith(b"\n"):  # the rest of a line that is too long
                part = lines.readline(MAX_LINE + 1)
            engine.answer(line)
        engine.close()
    except BrokenPipeError:  # nobody listens any more
        engine.stop_search()
    except KeyboardInterrupt:
        engine.stop_search()
        engine.wait()
        raise


class ProtocolError(IcarusError):
    """A line that the engine cannot follow."""


class Engine:
    """One client's conversation: a game, a position, and at most one search."""

    def __init__(self, write: Write, trust: Trust = OUTSIDE) -> None:
        self._write, self.trust = write, trust
        self.over = False
        self.game: Game | None = None
        self.position: Position | None = None
        self.seed = 0
        #: the moves so far, as ``position`` takes them
        self.labels: list[str | None] = []
        self._search: AnySearch | None = None
        self._made_with: Message = {}
        self._thread: threading.Thread | None = None
        self.thinking = False
        self._endless = False
        #: what each player has saved of its budgets in this game (``managed``)
        self._banks: dict[int, Bank] = {}
        self._stopped = threading.Event()

    # --- the conversation --------------------------------------------------------------------------------------------

    def greet(self) -> None:
        self._write({"type": "hello", "protocol": PROTOCOL, "icarus": __version__})

    def answer(self, line: bytes) -> None:
        """Answer one line, whatever it is."""
        if not line.strip():
            return
        number: Any = None
        try:
            message = read_message(line)
            number = read_id(message)
            name = message.pop("cmd", None)
            if not isinstance(name, str) or name not in COMMANDS:
                raise ProtocolError(f"cmd: {shorten(name)}; choose one of {', '.join(COMMANDS)}")
            method, fields, _ = COMMANDS[name]
            reply = method(self, number, **read_fields(name, message, fields))
            if reply is not None:
                self._write({"type": name, "id": number, **reply})
        except BrokenPipeError:
            raise
        except Exception as problem:  # a line must never end the conversation
            self._write(complaint(number, problem))

    def close(self) -> None:
        """No more lines will come: give the last answer."""
        if self._endless or self.over:
            self.stop_search()
        self.wait()

    def wait(self) -> None:
        if self._thread is not None:
            self._thread.join()

    def stop_search(self) -> bool:
        """Ask the search to end soon; is there one?"""
        self._stopped.set()
        if self._search is not None:  # at once: with many threads it takes a while until one of them looks up
            self._search.stop()
        return self.thinking

    # --- commands: each gives its answer, or None if that comes later ------------------------------------------------

    def help(self, number: Any) -> Message:
        told = {
            name: {"does": does, "fields": {field: KINDS[kind][1] for field, kind in fields.items()}}
            for name, (_, fields, does) in COMMANDS.items()
        }
        return {"protocol": PROTOCOL, "commands": told}

    def info(self, number: Any) -> Message:
        game = None if self.game is None else self.game.name
        return {"protocol": PROTOCOL, "icarus": __version__, "games": list(GAMES), "game": game, "thinking": self.thinking}

    def new(self, number: Any, game: str, seed: int | None = None) -> Message:
        self._refuse_while_thinking()
        loaded = load(game, self.trust)
        seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        drawn: list[str | None] = []
        position = self._play(loaded.start(seed), [], drawn, seed)
        self.game, self.seed, self.position, self.labels = loaded, seed, position, drawn
        self._search, self._banks = None, {}
        return {
            "game": loaded.name,
            "seed": seed,
            "players": loaded.player_labels,
            "hidden_information": loaded.hidden_information,
            "chance": loaded.stochastic,
            "simultaneous": loaded.simultaneous_moves,
            **self._where(),
        }

    def set_position(self, number: Any, moves: list[Any]) -> Message:
        self._refuse_while_thinking()
        game, _ = self._current()
        return self._go_to(game.start(self.seed), moves, [])

    def play(self, number: Any, moves: list[Any]) -> Message:
        self._refuse_while_thinking()
        _, position = self._current()
        return self._go_to(position.copy(), moves, list(self.labels))

    def moves(self, number: Any) -> Message:
        _, position = self._current()
        rows = [{"action": action, "label": position.format_action(action)} for action in position.legal()]
        return {"moves": rows, **self._turn()}

    def show(self, number: Any, observer: int | None = None) -> Message:
        game, position = self._current()
        if observer is not None and not 0 <= observer < game.players:
            raise SearchError(f"there is no player {observer} in {game.name}; players are 0 to {game.players - 1}")
        return {"text": position.render(observer), "observer": observer, **self._turn()}

    def go(
        self,
        number: Any,
        iterations: int | None = None,
        seconds: float | None = None,
        records: int | None = None,
        bytes: int | None = None,
        infinite: bool = False,
        every: float = EVERY,
        top: int = TOP,
        until_decided: float | None = None,
        managed: bool = False,
        **options: Any,
    ) -> None:
        self._refuse_while_thinking()
        _, position = self._current()
        if network_search(options):
            check_options(options)
            _, file = with_strategy(options["algorithm"])
            if file != "-":
                self.trust.check_file(file.strip())
        elif not {"algorithm", "strategy"}.isdisjoint(options):
            named = (options.get("algorithm"), options.get("strategy", "-"))
            options["algorithm"], options["strategy"] = named_with_strategy(*named, position.game, self.trust)
        budget = {"iterations": iterations, "seconds": seconds, "records": records, "bytes": bytes}
        if infinite:
            if any(value is not None for value in budget.values()):
                raise SearchError("infinite: true goes with no other budget")
            budget["iterations"] = ENDLESS
        elif all(value is None for value in budget.values()):
            raise SearchError("go needs a budget: iterations, seconds, records, bytes or infinite")
        if managed and iterations is None and seconds is None:
            raise SearchError("managed needs a budget of its own: iterations or seconds")
        if until_decided is not None:
            budget["until_decided"] = until_decided
        self._endless, self.thinking = infinite, True
        self._stopped.clear()
        work = (number, position.copy(), options, budget, every, top, managed)
        self._thread = threading.Thread(target=self._think, args=work, name="icarus-engine-search")
        self._thread.start()

    def stop(self, number: Any) -> Message:
        return {"was_thinking": self.stop_search()}

    def quit(self, number: Any) -> Message:
        self.over = True
        self.stop_search()
        self.wait()
        return {}

    # --- the position ------------------------------------------------------------------------------------------------

    def _current(self) -> tuple[Game, Position]:
        if self.game is None or self.position is None:
            raise ProtocolError('there is no game yet; begin with {"cmd": "new", "game": "connect_four"}')
        return self.game, self.position

    def _refuse_while_thinking(self) -> None:
        if self.thinking:
            raise ProtocolError("a search is running; send stop and wait for best, or wait for its end")

    def _go_to(self, position: Position, moves: list[Any], labels: list[str | None]) -> Message:
        self.position, self.labels = self._play(position, moves, labels, self.seed), labels
        return self._where()

    @staticmethod
    def _play(position: Position, moves: list[Any], labels: list[str | None], seed: int) -> Position:
        """Play the moves in place, then whatever the environment does before the next decision; labels are added."""
        for index, move in enumerate(moves):
            try:
                labels.append(play_move(position, move, seed))
            except GameError as problem:
                raise ProtocolError(f"moves[{index}]: {problem}") from None
        while position.environment_acts:
            labels.append(play_move(position, None, seed))
        return position

    def _turn(self) -> Message:
        _, position = self._current()
        over = position.is_terminal
        return {"over": over, "player": None if over else position.player, "rewards": position.rewards() if over else None}

    def _where(self) -> Message:
        return {"moves": list(self.labels), **self._turn()}

    # --- the search, in a thread of its own --------------------------------------------------------------------------

    def _think(
        self, number: Any, position: Position, options: Message, budget: Message, every: float, top: int, managed: bool
    ) -> None:
        try:
            compile_loop()  # before the clock starts
            searching = self._searching(position, options)
            told = 0.0

            def progress(state: Progress) -> None:
                nonlocal told
                if self._stopped.is_set():
                    searching.stop()
                elif every > 0 and state.seconds >= told + every and searching.iterations > 0:
                    told = state.seconds
                    result = searching.result(seconds=state.seconds, iterations=state.iterations)
                    self._write({"type": "analysis", "id": number, **summary(result, top)})

            if managed:
                bank = self._banks.setdefault(searching.observer, Bank(None, None))
                bank.iterations, bank.seconds = budget["iterations"], budget["seconds"]
                result = bank.think(searching, progress)
            else:
                result = searching.run(**budget, progress=progress)
            last = {"type": "best", "id": number, **summary(result, None), "stopped_by": result.stopped_by}
        except BrokenPipeError:
            return
        except Exception as problem:
            self._search = None
            last = complaint(number, problem)
        self.thinking = False  # before the answer, which the client may follow up at once
        with suppress(BrokenPipeError):
            self._write(last)

    def _searching(self, position: Position, options: Message) -> AnySearch:
        """The search before this one, if it can go on from here; else a new one."""
        observer = position.player if options.get("observer") is None else options["observer"]
        made_with = {**options, "observer": observer}
        if self._search is not None and made_with == self._made_with:
            self._search.advance(position)
        else:
            kind = NetworkSearch if network_search(options) else Search
            self._search, self._made_with = kind(position, **options), made_with
        return self._search


# --- reading ---------------------------------------------------------------------------------------------------------


def read_message(line: bytes) -> Message:
    if len(line) > MAX_LINE:
        raise ProtocolError(f"a line may have {MAX_LINE} bytes")
    try:
        message = json.loads(line.decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as problem:
        raise ProtocolError(f"this line is not JSON: {problem}") from None
    if not isinstance(message, dict):
        raise ProtocolError(f'a line is one JSON object, such as {{"cmd": "info"}}; this is {shorten(message)}')
    return message


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def read_id(message: Message) -> Any:
    number = message.pop("id", None)
    if isinstance(number, dict | list):
        raise ProtocolError("id: use a number or a text")
    return number


def read_fields(name: str, message: Message, fields: dict[str, str]) -> Message:
    """The fields of a command, each of the kind that it should be."""
    for field, value in message.items():
        if field not in fields:
            known = ", ".join(fields) or "no fields"
            raise ProtocolError(f"{name} has no field {shorten(field)}; it has {known}")
        fits, meaning = KINDS[fields[field]]
        if not fits(value):
            raise ProtocolError(f"{field}: {shorten(value)}; expected {meaning}")
    for field, kind in fields.items():
        if kind in NEEDED and field not in message:
            raise ProtocolError(f"{name} needs {field}: {KINDS[kind][1]}")
    return message


def whole(lowest: int, highest: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and lowest <= value <= highest


def amount(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0


def move_list(value: Any) -> bool:
    return isinstance(value, list) and all(move is None or type(move) in (int, str) for move in value)


#: what a field may hold: a test, and how that is said to people
KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "game": (lambda value: type(value) is str, "a game, as text: connect_four, hex(5), gdl:zhadu; what else was allowed"),
    "moves": (move_list, "a list of moves, each a label, a number, or null where the engine is to draw an outcome"),
    "text": (lambda value: type(value) is str, "a text"),
    "seed": (whole(0, 2**63 - 1), f"a whole number from 0 to {2**63 - 1}"),
    "count": (whole(1, 2**53), f"a whole number from 1 to {2**53}"),
    "few": (whole(1, 256), "a whole number from 1 to 256"),
    "player": (whole(0, 2**31 - 1), "the number of a player, from 0"),
    "seconds": (amount, "a number of seconds, 0 or more"),
    "share": (lambda value: amount(value) and 0 < value <= 1, "a number above 0 and at most 1"),
    "yes": (lambda value: type(value) is bool, "true or false"),
}
NEEDED = ("game", "moves")

GO = {
    "iterations": "count", "seconds": "seconds", "records": "count", "bytes": "count", "infinite": "yes",
    "every": "seconds", "top": "count",
    "algorithm": "text", "strategy": "text", "observer": "player", "seed": "seed", "threads": "few", "parallel": "text",
    "lanes": "few", "chance": "text", "memory": "count", "final": "text",
    "solve": "yes", "until_decided": "share", "managed": "yes",
}  # fmt: skip

#: name -> method, the kinds of its fields, what it does
COMMANDS: dict[str, tuple[Callable[..., Message | None], dict[str, str], str]] = {
    "help": (Engine.help, {}, "lists the commands and their fields"),
    "info": (Engine.info, {}, "tells the versions, the games and what is going on"),
    "new": (Engine.new, {"game": "game", "seed": "seed"}, "begins a game; the seed decides deals and draws"),
    "position": (Engine.set_position, {"moves": "moves"}, "goes to the position after these moves from the start"),
    "play": (Engine.play, {"moves": "moves"}, "plays these moves from here"),
    "moves": (Engine.moves, {}, "lists the legal moves"),
    "show": (Engine.show, {"observer": "player"}, "draws the position as text, as an observer sees it or with everything"),
    "go": (Engine.go, GO, "searches: analysis again and again, then best"),
    "stop": (Engine.stop, {}, "ends the search; its best follows"),
    "quit": (Engine.quit, {}, "ends the conversation"),
}  # fmt: skip


# --- moves and answers -----------------------------------------------------------------------------------------------


def play_move(position: Position, move: str | int | None, seed: int) -> str | None:
    """Play a move given as a label, a number or None (the environment draws); returns how to give it again."""
    if position.is_terminal:
        raise GameError(f"the game {position.game.name} is over before this move")
    if move is None:
        if position.player != ENVIRONMENT:
            raise GameError("null stands for an outcome that the engine draws, but a player acts here")
        action = position.sample(seeded(seed, stream=DRAWS + len(position.history)))
    elif isinstance(move, str):
        action = position.parse_action(move)
    elif move in position.legal():
        action = move
    else:
        raise GameError(f"the number {shorten(move)} is not a legal move of {position.game.name} here")
    # an outcome that the game cannot list is drawn again from the same seed
    again = position.format_action(action) if action in position.legal() else None
    position.apply(action)
    return again


def summary(result: SearchResult, top: int | None) -> Message:
    """What a search has found, with so many moves of the root."""
    return {
        "move": result.best.label,
        "action": result.best.action,
        "player": result.player,
        "value": result.best.mean,
        "proven": result.proven,
        "proven_in": result.proven_in,
        "iterations": result.iterations,
        "total_iterations": result.total_iterations,
        "seconds": result.seconds,
        "iterations_per_second": result.iterations_per_second,
        "records": result.records,
        "depth": result.tree_depth,
        "kept": result.kept,
        "principal_variation": result.principal_variation,
        "best_score": result.best_score,
        "best_line": result.best_line,
        "root": [asdict(row) for row in result.root[:top]],
    }


def complaint(number: Any, problem: Exception) -> Message:
    text = str(problem) if isinstance(problem, IcarusError) else f"{type(problem).__name__}: {problem}"
    return {"type": "error", "id": number, "error": " ".join(text.split())}


def shorten(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
