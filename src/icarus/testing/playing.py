"""Random games, with everything looked at that a single player could see go wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from icarus.game import ENVIRONMENT, UNSEEN, Game, Position, State
from icarus.jit.randomness import random_below, seeded
from icarus.rehearsal import Overrun, is_users, rehearse
from icarus.testing.ledger import BASIC, Ledger, Place
from icarus.testing.memory import fingerprint

LARGEST = 2**31 - 2  #: action or move
POSITIONS = 3  #: how many positions of each game are kept for closer looks
REHEARSED = 3  #: games of a user that are played in plain Python first
RENDERED = 8  #: every so many plies positions are drawn


@dataclass
class Games:
    """What is kept of the random games: positions for a closer look, and every outcome event that was met."""

    positions: list[tuple[Place, Position]] = field(default_factory=list)
    events: list[tuple[Place, Position]] = field(default_factory=list)
    played: int = 0


def play_games(game: Game, games: int, seed: int, ledger: Ledger, tell: Callable[[float], None]) -> Games:
    """Play random games; stops at the first one that cannot be played on."""
    kept = Games()
    for number in range(games):
        if ledger.failed(*BASIC) or (number and ledger.late(0.2)):
            break
        play_game(game, seed + number, ledger, kept)
        kept.played += 1
        tell((number + 1) / games)
    return kept


def rehearse_games(game: Game, seed: int, ledger: Ledger) -> None:
    """The first games in plain Python, where every index is watched: machine code that reaches too far could end the process."""
    if not is_users(game):
        return
    for number in range(REHEARSED):
        try:
            rehearse(game, seed + number)
        except Overrun as problem:
            ledger.expect("buffers", False, Place(seed + number, problem.ply), str(problem))
            return
        ledger.expect("buffers", True, None, "")


def play_game(game: Game, seed: int, ledger: Ledger, kept: Games) -> None:
    place = Place(seed, 0)
    labels = Labels()
    rng = seeded(seed, stream=21)
    track: list[tuple[Place, Position]] = []
    try:
        position = game.start(seed)
        ledger.expect("start", fingerprint(position) == fingerprint(game.start(seed)), place, "two starts are different")
        while not position.is_terminal:
            place = Place(seed, len(position.history))
            if place.ply >= game.max_plies:
                ledger.expect("termination", False, place, f"the game goes on; max_plies is {game.max_plies}")
                return
            track.append((place, position.copy()))
            action = look_around(position, ledger, place, rng, labels)
            if action is None:
                return
            step(position, action, ledger, place)
        place = Place(seed, len(position.history))
        ledger.expect("termination", True, place, "")
        check_rewards(game, position.rewards(), ledger, place)
        ledger.expect("buffers", True, place, "")
    except Overrun as problem:
        ledger.expect("buffers", False, place, str(problem))
        return
    except Exception as problem:
        ledger.expect("plays", False, place, f"{type(problem).__name__}: {problem}")
        return
    ledger.expect("plays", True, place, "")
    kept.events += [(p, event) for p, event in track if event.player == ENVIRONMENT]
    chosen = {int(random_below(rng, len(track))) for _ in range(POSITIONS)} if track else set()
    kept.positions += [track[i] for i in sorted(chosen)]


def look_around(position: Position, ledger: Ledger, place: Place, rng: np.ndarray, labels: Labels) -> int | None:
    """Everything that can be asked of an unfinished position; returns a random action, None if there is none to be trusted."""
    game, before = position.game, fingerprint(position)
    player = position.player
    if not ledger.expect("player", -1 <= player < game.players, place, f"player() is {player} of {game.players}"):
        return None
    actions: list[int] = []
    if player != ENVIRONMENT or game.chance is not None:
        counted, actions = listed(game, position.state)
        if not check_actions(game, counted, actions, ledger, place):
            return None
        again = position.legal()
        ledger.expect("legal-stable", again == actions, place, f"first {shown(actions)}, then {shown(again)}")
    if player != ENVIRONMENT:
        check_own_moves(position, player, actions, ledger, place)
        labels.check(position, player, actions, ledger, place)
    check_extras(position, player, actions, ledger, place)
    drawn = position.sample(rng) if player == ENVIRONMENT else None
    if game.simultaneous is not None:
        game.call("simultaneous", position.state)
    for observer in range(game.players):
        position.view(observer)
        if place.ply % RENDERED == 0:
            position.render(observer)
    ledger.expect("unchanged", fingerprint(position) == before, place, "a function that should only look has changed the state")
    return pick(actions, rng) if drawn is None else drawn


def step(position: Position, action: int, ledger: Ledger, place: Place) -> None:
    """Apply an action, three times over."""
    before, twin, other = fingerprint(position), position.copy(), position.copy()
    twin.apply(action)
    ledger.expect("unchanged", fingerprint(position) == before, place, "applying an action to a copy has changed the original")
    other.apply(action)
    position.apply(action)
    same = fingerprint(twin) == fingerprint(other) == fingerprint(position)
    ledger.expect("apply", same, place, f"action {action} gives different states")
    if same and not position.is_terminal and position.player != ENVIRONMENT:
        one, two = twin.legal(), other.legal()
        ledger.expect("legal-stable", one == two, place, f"in equal states {shown(one)} and {shown(two)}")


def listed(game: Game, state: State) -> tuple[int, list[int]]:
    """What ``legal`` reports, and as many actions as there can be."""
    buffer = np.zeros(game.max_actions, np.int64)
    count = int(game.call("legal", state, buffer))
    return count, buffer[: max(count, 0)].tolist()


def check_actions(game: Game, counted: int, actions: list[int], ledger: Ledger, place: Place) -> bool:
    if not ledger.expect(
        "legal-bounds", 1 <= counted <= game.max_actions, place, f"legal() reports {counted}; max_actions is {game.max_actions}"
    ):
        return False
    strange = [action for action in actions if not 0 <= action <= LARGEST]
    if not ledger.expect("legal-bounds", not strange, place, f"actions out of range: {shown(strange)}"):
        return False
    ledger.expect("legal-distinct", len(set(actions)) == len(actions), place, f"legal() lists {shown(actions)}")
    return True


def check_rewards(game: Game, rewards: list[float], ledger: Ledger, place: Place) -> bool:
    fair = len(rewards) == game.players and all(math.isfinite(reward) and 0.0 <= reward <= 1.0 for reward in rewards)
    return ledger.expect("rewards", fair, place, f"rewards() gives {rewards}")


def check_own_moves(position: Position, player: int, actions: list[int], ledger: Ledger, place: Place) -> None:
    """The moves of one's own actions are different, and moves are in range."""
    seen: dict[int, int] = {}
    for action in sorted(set(actions)):
        for observer in range(position.game.players):
            move = position.observe(action, observer)
            if not ledger.expect(
                "own-action", UNSEEN <= move <= LARGEST, place, f"observer {observer} sees {move} of action {action}"
            ):
                return
        move = position.observe(action, player)
        if not ledger.expect("own-action", move != UNSEEN, place, f"observer {player} does not notice its own action {action}"):
            return
        other = seen.setdefault(move, action)
        if not ledger.expect("own-action", other == action, place, f"observer {player} sees {move} of both {other} and {action}"):
            return


class Labels:
    """What the actions of one game are called.

    An action keeps its name; details may follow it (a mark for a hit, the die if it matters).  One action may have several names:
    a refusal can be worded by what is refused.
    """

    def __init__(self) -> None:
        self.names: dict[tuple[int, int], str] = {}
        self.renamed: set[tuple[int, int]] = set()

    def check(self, position: Position, player: int, actions: list[int], ledger: Ledger, place: Place) -> None:
        if position.game.format_action is None:
            return
        for action in sorted(set(actions)):
            name = position.format_action(action)
            before = self.names.setdefault((player, action), name)
            same = name.startswith(before) or before.startswith(name)
            if not same:
                self.renamed.add((player, action))
            text = (
                f"action {action} of player() == {player} is {name!r} here and was {before!r} before, and it is not the only one"
            )
            ledger.expect("identity", same or len(self.renamed) == 1, place, text)


def check_extras(position: Position, player: int, actions: list[int], ledger: Ledger, place: Place) -> None:
    game, state = position.game, position.state
    if game.heuristic is not None and player != ENVIRONMENT:
        for action in actions:
            value = float(game.call("heuristic", state, action))
            ledger.expect("extras", 0.0 <= value <= 1.0, place, f"heuristic() of action {action} is {value}, not in [0, 1]")
    if game.episode is not None:
        label = int(game.call("episode", state))
        ledger.expect(
            "extras", -1 <= label <= LARGEST, place, f"episode() is {label}; it should be CONTINUES (-1) or a label >= 0"
        )
    if game.predicates is not None:
        buffer = np.zeros(game.max_predicates, np.int64)
        count = int(game.call("predicates", state, buffer))
        facts = buffer[: max(count, 0)].tolist()
        fine = 0 <= count <= game.max_predicates and all(0 <= fact <= LARGEST for fact in facts)
        ledger.expect(
            "extras", fine, place, f"predicates() reports {count}: {shown(facts)}; max_predicates is {game.max_predicates}"
        )


def pick(options: list[int], rng: np.ndarray) -> int:
    return options[int(random_below(rng, len(options)))]


def shown(numbers: list[int], limit: int = 12) -> str:
    """A list that fits into a line."""
    text = ", ".join(map(str, numbers[:limit]))
    return f"[{text}, … {len(numbers) - limit} more]" if len(numbers) > limit else f"[{text}]"
