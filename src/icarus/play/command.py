"""``icarus play``: a game on the terminal between people and machines."""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from icarus.errors import GameError, SearchError
from icarus.options import Allow
from icarus.terminal import compile_loop, compiling, complain
from icarus.trust import OUTSIDE, Trust, allowing, code_named_in

if TYPE_CHECKING:
    from icarus.arena.players import Player
    from icarus.game import Game
    from icarus.play.conversation import Conversation
    from icarus.play.table import Table

GAME_HELP = "a name (othello, 'phantom(4,4,4)'), a file (mygame.py), a rule sheet (rules.kif) or package.module:name"
SEAT_HELP = "who sits where: 1=human, 2='mo[NRML]@5000', Black=random; by default you first, then machines"
FORMATS = "one JSON object per line, for programs; moves and commands are read as lines"


def add_commands(app: typer.Typer) -> None:
    """Add the command to the main one."""
    app.command()(play)


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)] = None,
    seat: Annotated[list[str] | None, typer.Option(metavar="SEAT=WHO", help=SEAT_HELP, show_default=False)] = None,
    seconds: Annotated[float, typer.Option("--time", help="seconds that a machine thinks where its seat does not say")] = 1.0,
    strength: Annotated[
        float | None, typer.Option(help="0 to 1: how strong machines play where their seat does not say", show_default="1")
    ] = None,
    level: Annotated[
        int | None, typer.Option(help="a step of the game's ladder, from 1 (`icarus tune GAME --strength` makes it)")
    ] = None,
    pace: Annotated[
        str | None,
        typer.Option(
            metavar="LEAST-MOST",
            help="seconds that machines take for a move, as people would: 0.5-3",
            show_default="0.4-2 with --strength or --level on a terminal",
        ),
    ] = None,
    thoughts: Annotated[bool, typer.Option("--thoughts", help="say what machines thought (later, if it would betray)")] = False,
    seed: Annotated[int | None, typer.Option(help="deals and dice; the same seed deals the same", show_default="random")] = None,
    load: Annotated[Path | None, typer.Option("--load", help="go on with a saved game", show_default=False)] = None,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help=FORMATS)] = False,
) -> None:
    """Play a game on the terminal, against machines or other people.

    Moves are typed by name, Tab completes them, and `help` lists what else there is: hints, undo, save and load.  Hidden things
    stay hidden: what a player may not know is never printed.  Ctrl-C and Ctrl-D save the game and say how to go on.
    """
    from icarus.play.conversation import Conversation, Left
    from icarus.play.keyboard import Keyboard
    from icarus.play.machine import Interrupted
    from icarus.play.screen import Lines, Screen, Text
    from icarus.strength import NATURAL, read_pace

    machine = machine_of(seconds, strength)
    adjusted = (strength is not None or level is not None) and sys.stdout.isatty() and not as_json
    wanted = read_pace(pace) if pace is not None else NATURAL if adjusted else None
    trust = allowing([*(allow or []), *code_named_in([game or "", *(seat or [])])])  # what was named here may be named in a file
    with compiling(f"{game or load} (once)"):
        table = table_of(game, load, seat or [], machine, seed, trust)
        machine = tuned(table, machine, level)
        for player in table.seats:
            if player is not None:
                player.check(table.game)
    compile_loop()
    keyboard = Keyboard()
    screen: Screen = Lines() if as_json else Text()
    talk = Conversation(
        table, screen, keyboard.read, adviser=machine, thoughts=thoughts, forget_typed=keyboard.forget, trust=trust,
        pace=wanted,
    )  # fmt: skip
    talk.file = load
    try:
        talk.run()
    except (KeyboardInterrupt, Interrupted):
        say_goodbye(talk)
        raise SystemExit(130) from None  # (a typer.Exit would be said to be an interruption, once more)
    except (EOFError, Left):
        say_goodbye(talk)


def tuned(table: Table, machine: Player, level: int | None) -> Player:
    """The machine as the game's preset wants it, in all seats that it takes: the strategy, and the level that was asked for."""
    from icarus.arena.players import with_preset
    from icarus.preset import find

    found = find(table.game)
    if level is not None and (found is None or not found.levels):
        raise GameError(f"--level {level}: {table.game.name} has no ladder yet; `icarus tune GAME --strength --save` makes one")
    if found is None:
        return machine
    if level is not None and not 1 <= level <= len(found.levels):
        raise GameError(f"--level {level}: the ladder of {table.game.name} has the levels 1 to {len(found.levels)}")
    better = with_preset(machine, found, None if level is None else found.levels[level - 1])
    if better == machine or machine not in table.seats:
        return machine
    seat = 1 + table.seats.index(machine)
    complain(f"level {level}: {better}" if level is not None else found.mention(f"--seat {seat}='{machine}'"))
    table.seats[:] = [better if player == machine else player for player in table.seats]
    return better


def machine_of(seconds: float, strength: float | None = None) -> Player:
    """The machine that sits where nobody is named."""
    from icarus.arena.players import Player
    from icarus.strength import check_strength

    if not 0 < seconds < float("inf"):
        raise SearchError(f"--time {seconds}: a machine needs a time above zero")
    return Player(strategy="-", seconds=seconds, strength=None if strength is None else check_strength(strength))


def table_of(
    place: str | None, file: Path | None, seats: list[str], machine: Player, seed: int | None, trust: Trust = OUTSIDE
) -> Table:
    """A new game, or a saved one; ``seats`` name players for some of the seats."""
    import numpy as np

    from icarus.loading import load
    from icarus.play.table import Table

    if (place is None) == (file is None):
        raise GameError("name a game to begin, or --load FILE to go on with one, not both" if place else NOTHING)
    if file is not None:
        if seed is not None:
            raise GameError("a saved game has its own seed; leave out --seed")
        table = Table.load(file, trust)
        for number, player in read_seats(seats, table.game).items():
            table.seats[number] = player
        return table
    assert place is not None
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    if not 0 <= seed < 2**63:
        raise GameError(f"--seed {seed}: a seed is a whole number from 0 to 2**63 - 1")
    game = load(place)
    named = read_seats(seats, game)
    sitting: list[Player | None] = [named.get(number, machine) for number in range(game.players)]
    free = [number for number in range(game.players) if number not in named]
    if None not in named.values() and free:
        sitting[free[0]] = None
    return Table(lasting(place), game, sitting, seed)


NOTHING = "name a game, as in `icarus play othello` (`icarus games` lists them), or --load FILE"


def lasting(place: str) -> str:
    """The name of a game such that it is found from other folders too."""
    file, colon, rest = place.partition(":")
    return f"{Path(file).resolve()}{colon}{rest}" if file.endswith((".py", ".kif")) else place


def read_seats(texts: list[str], game: Game) -> dict[int, Player | None]:
    """``1=human`` and the like: by number from 1, or by the player's name; None is a person."""
    from icarus.arena.players import read_player
    from icarus.play.table import HUMAN

    names = [name.casefold() for name in game.player_labels]
    seats = ", ".join(f"{number} ({name})" for number, name in enumerate(game.player_labels, 1))
    found: dict[int, Player | None] = {}
    for text in texts:
        where, equals, who = (part.strip() for part in text.partition("="))
        if not equals or not who:
            raise GameError(f"--seat {text}: write SEAT=WHO, such as 1=human or 2=mo[NRML]@5000")
        if where.casefold() in names:
            number = names.index(where.casefold())
        elif re.fullmatch("[0-9]{1,3}", where) and 1 <= int(where) <= game.players:
            number = int(where) - 1
        else:
            raise GameError(f"--seat {text}: there is no seat {where!r} in {game.name}; seats are {seats}")
        if number in found:
            raise GameError(f"--seat {text}: somebody sits there already")
        found[number] = None if who.casefold() == HUMAN else read_player(who)
    return found


def say_goodbye(talk: Conversation) -> None:
    """Save the game of somebody who leaves, and say how to go on."""
    from icarus.play.conversation import leave
    from icarus.play.screen import Text

    if isinstance(talk.screen, Text):
        print()  # the prompt's line ends here
    file = leave(talk, lambda: fresh_file(talk.table.game.name))
    if file is not None:
        named = [talk.table.place, *(str(player) for player in talk.table.seats if player is not None)]
        allowed = "".join(f" --allow {shlex.quote(code)}" for code in code_named_in(named))
        complain(f"the game is saved; go on with: icarus play --load {shlex.quote(str(file))}{allowed}")


def fresh_file(name: str) -> Path:
    """A file of this folder (or, where nothing can be written, of the one for temporary files) that does not exist yet."""
    folder = Path() if os.access(Path(), os.W_OK) else Path(tempfile.gettempdir())
    stem = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()
    number = 1
    while (file := folder / f"icarus-{stem}-{number}.json").exists():
        number += 1
    return file
