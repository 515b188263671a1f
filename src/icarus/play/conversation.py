"""The game at the terminal: whose turn it is, what they are shown, what they type.

Only one person looks at the screen at a time.  Where something is hidden and several people play, the screen is cleared and the
keyboard handed over between them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from icarus.arena.players import Player
from icarus.drawing.kit import outcome
from icarus.errors import GameError, IcarusError
from icarus.game import ENVIRONMENT
from icarus.play.knowledge import Account
from icarus.play.machine import Machine, in_words, think
from icarus.play.screen import Screen
from icarus.play.table import HUMAN, SavedGameError, Table
from icarus.result import SearchResult
from icarus.strength import Pace
from icarus.trust import OUTSIDE, Trust

HELP = """type a move as it is listed by `moves`; Tab completes it; upper and lower case do not matter
  moves        the legal moves
  board        the position once more
  hint         what a search would play here, from what you know
  undo         take back your last move, where nothing hidden was revealed
  save FILE    save the game
  load FILE    go on with a saved game instead
  quit         save and leave (so does Ctrl-D)
a move that is named like a command is played; :command is always the command"""
COMMANDS = ("help", "moves", "board", "hint", "undo", "save", "load", "quit")


class Left(Exception):
    """The person has left the table; the game is not over."""


class Conversation:
    """A table, a screen, and ``read``, which asks for a line with a prompt and the words that Tab completes."""

    def __init__(
        self,
        table: Table,
        screen: Screen,
        read: Callable[[str, list[str]], str],
        *,
        adviser: Player,
        thoughts: bool = False,
        forget_typed: Callable[[], None] = lambda: None,
        trust: Trust = OUTSIDE,
        pace: Pace | None = None,
    ) -> None:
        self._pace = pace
        self.screen, self.read, self.adviser, self.thoughts = screen, read, adviser, thoughts
        self.trust = trust  #: what saved games may name
        self._forget_typed = forget_typed
        self.file: Path | None = None
        self._sit_down(table)

    def _sit_down(self, table: Table) -> None:
        self.table = table
        self._machines = {
            seat: Machine(player, table.game, seat, table.seed, self._pace)
            for seat, player in enumerate(table.seats)
            if player is not None
        }
        self._at_screen = table.people[0] if len(table.people) == 1 else None
        #: what each person has noticed and not been told yet: (who, words or None, whether there is more to it)
        #: (everybody's news are the same where nothing is hidden, or nobody plays: they are under None)
        viewers: list[int] | list[None] = table.people if table.secret and table.people else [None]
        self._news: dict[int | None, list[tuple[str, str | None, bool]]] = {viewer: [] for viewer in viewers}
        self._accounts = self._accounts_so_far()
        self._later: list[tuple[int, SearchResult]] = []
        self._changed = True

    @property
    def _names(self) -> list[str]:
        return self.table.game.player_labels

    @property
    def _shared(self) -> bool:
        """Do several people look at the same screen and may not see the same?"""
        return self.table.secret and len(self.table.people) > 1

    def run(self) -> None:
        """Play until the game is over.  Raises Left, KeyboardInterrupt or EOFError when a person leaves before that."""
        self._introduce()
        while not self.table.position.is_terminal:
            actor = self.table.position.player
            if actor == ENVIRONMENT:
                self._play(self.table.draw())
            elif actor in self._machines:
                self._let_machine_play(actor)
            else:
                self._ask(actor)
            if not self.table.people:
                self._tell()
                self._show_position(None)
            elif not self._shared:  # otherwise nobody sees what happens until it is their turn
                self._tell()
        self._finish()

    def _introduce(self) -> None:
        game = self.table.game
        seats = [
            {"name": name, "player": HUMAN if player is None else str(player)}
            for name, player in zip(self._names, self.table.seats, strict=True)
        ]
        self.screen.show("start", game=game.name, summary=game.summary, seats=seats)
        if self.thoughts and self._thoughts_betray:
            self.screen.show("note", text="thoughts are shown when the game is over: before, they would give hidden things away")
        if not self.table.people:
            self._show_position(None)

    # --- moves -------------------------------------------------------------------------------------------------------

    def _play(self, action: int) -> None:
        """Make a move, and note for everybody what they see of it."""
        position = self.table.position
        actor = position.player
        for viewer, news in self._news.items():
            if viewer is None:
                news.append((self._name(actor), position.format_action(action), False))
                continue
            for line in self._accounts[viewer].add(position, action):
                if line.player != viewer and (line.text or line.player != ENVIRONMENT):
                    news.append((self._name(line.player), line.text or None, line.label is not None))
        self.table.act(action)
        self._changed = True

    def _name(self, player: int) -> str:
        return "chance" if player == ENVIRONMENT else self._names[player]

    def _accounts_so_far(self) -> dict[int, Account]:
        """What each person has been told up to now, in a game that may have been loaded or taken back."""
        accounts = {seat: Account(seat) for seat in self.table.people} if self.table.secret else {}
        position = self.table.game.start(self.table.seed)
        for _, action, _ in self.table.position.history if accounts else ():
            for account in accounts.values():
                account.add(position, action)
            position.apply(action)
        return accounts

    def _viewer(self) -> int | None:
        """Whose news are told."""
        return None if None in self._news else self._at_screen

    def _tell(self) -> None:
        viewer = self._viewer()
        last: tuple[str, str | None, bool] | None = None
        for who, label, veiled in self._news[viewer]:
            if veiled and (who, label, veiled) == last:
                continue  # once is enough for choices that cannot be told apart
            last = (who, label, veiled)
            if viewer is not None or who not in self._own_names:
                self.screen.show("moved", player=who, move=label)
        self._news[viewer].clear()

    @property
    def _own_names(self) -> list[str]:
        """People whose moves need not be told: whoever typed them has just seen them."""
        return [self._names[seat] for seat in self.table.people]

    def _let_machine_play(self, seat: int) -> None:
        with self.screen.thinking(self._names[seat]) as progress:
            action, result = self._machines[seat].decide(self.table.position, progress)
        self._play(action)
        if result is not None and self.thoughts:
            if self._thoughts_betray:
                self._later.append((seat, result))
            else:
                self._tell()
                self._show_thoughts(seat, result)

    @property
    def _thoughts_betray(self) -> bool:
        return self.table.secret and bool(self.table.people)

    def _show_thoughts(self, seat: int, result: SearchResult) -> None:
        self.screen.show("thoughts", player=self._names[seat], move=result.best.label, words=in_words(result))

    # --- a person's turn ---------------------------------------------------------------------------------------------

    def _ask(self, seat: int) -> None:
        """Let a person type until a move is made (or the table changes)."""
        if self._shared and self._at_screen != seat:
            self._hand_over(seat)
        self._at_screen = seat
        self._tell()
        if self._changed:
            self._show_position(seat)
            self._changed = False
        position = self.table.position
        labels = [position.format_action(action) for action in position.legal()]
        line = self.read(self.screen.prompt(self._names[seat]), [*labels, *COMMANDS]).strip()
        if not line:
            return
        word, _, rest = line.removeprefix(":").partition(" ")
        typed_as_move = not line.startswith(":") and line.casefold() in {label.casefold() for label in labels}
        try:
            if word.casefold() in COMMANDS and not typed_as_move:
                self._command(word.casefold(), rest.strip(), seat, labels)
            else:
                self._play(self._understood(line))
                if self._shared:
                    self._show_result_of_move(seat)
        except IcarusError as problem:
            self.screen.show("problem", text=str(problem))

    def _understood(self, line: str) -> int:
        """The move that a line means.  A game's own reader may be anybody's code, and what it raises is no reason to stop."""
        try:
            return self.table.position.parse_action(line)
        except IcarusError:
            raise
        except Exception as problem:
            raise GameError(f"{line!r} is not a move of {self.table.game.name}: {type(problem).__name__}: {problem}") from None

    def _show_result_of_move(self, seat: int) -> None:
        """Before the screen is cleared for somebody else, a person sees what came of the move."""
        if not self.table.position.is_terminal and self.table.position.player != seat:
            self._show_position(seat)

    def _hand_over(self, seat: int) -> None:
        if self._at_screen is not None:
            self.read(f"press Enter, then the keyboard is {self._names[seat]}'s ", [])
        self.screen.clear()
        self._forget_typed()
        self.read(f"{self._names[seat]}, press Enter when nobody else is looking ", [])
        self.screen.clear()
        self._changed = True

    def _show_position(self, seat: int | None) -> None:
        position = self.table.position
        moves = [] if seat is None else [position.format_action(action) for action in self._legal(seat)]
        self.screen.show("position", player=None if seat is None else self._names[seat], view=position.render(seat), moves=moves)

    def _legal(self, seat: int) -> list[int]:
        return self.table.position.legal() if self.table.position.player == seat else []

    def _command(self, word: str, rest: str, seat: int, labels: list[str]) -> None:
        match word:
            case "help":
                self.screen.show("help", text=HELP)
            case "moves":
                self.screen.show("moves", moves=labels)
            case "board":
                self._changed = True
            case "hint":
                self._hint(seat)
            case "undo":
                self._undo(seat)
            case "save":
                self.save(rest)
            case "load":
                self._load(rest)
            case "quit":
                raise Left

    def _hint(self, seat: int) -> None:
        position = self.table.position
        if len(position.legal()) == 1:
            self.screen.show("note", text=f"there is only one legal move: {position.format_action(position.legal()[0])}")
            return
        search = self.adviser.search(position, seat, self.table.seed)
        with self.screen.thinking("a search") as progress:
            result = think(search, self.adviser, progress)
        best = result.best
        score = {} if position.game.score is None else {"score": result.best_score}
        self.screen.show("hint", move=best.label, expected=best.mean[seat], iterations=result.iterations, **score)

    def _undo(self, seat: int) -> None:
        number = self.table.take_back(seat)
        for machine in self._machines.values():
            machine.forget()
        for news in self._news.values():
            news.clear()
        self._accounts = self._accounts_so_far()
        self._later = []
        self._changed = True
        self.screen.show("undone", moves=number, text=f"{number} move{'' if number == 1 else 's'} taken back")

    # --- saving, loading, the end ------------------------------------------------------------------------------------

    def save(self, name: str) -> None:
        if not name:
            raise SavedGameError("say where: save FILE")
        self.table.save(name)
        self.file = Path(name)
        self.screen.show("saved", file=name, text=f"saved in {name}")

    def _load(self, name: str) -> None:
        if not name:
            raise SavedGameError("say what: load FILE")
        table = Table.load(name, self.trust)
        for player in table.seats:
            if player is not None:
                player.check(table.game)
        if self._shared:
            self.screen.clear()
        self._sit_down(table)
        self.file = Path(name)
        self._introduce()

    def _finish(self) -> None:
        """Everything is laid open."""
        position = self.table.position
        if self._shared:
            self.screen.clear()
        else:
            self._tell()
        rewards = position.rewards()
        seats: list[dict[str, Any]] = [{"name": name, "reward": r} for name, r in zip(self._names, rewards, strict=True)]
        score = {} if position.game.score is None else {"score": position.score()}
        self.screen.show(
            "over", view=position.render(None), outcome=outcome(position), seats=seats, seed=self.table.seed, **score
        )
        for seat, result in self._later:
            self._show_thoughts(seat, result)


def leave(conversation: Conversation, fresh: Callable[[], Path]) -> Path | None:
    """Save the game of somebody who leaves; None if there is nothing to save."""
    table = conversation.table
    if table.position.is_terminal or not any(actor in table.people for actor, _, _ in table.position.history):
        return None
    file = conversation.file or fresh()
    table.save(file)
    return file
