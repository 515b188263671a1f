"""Determinizations: what they must leave alone, and what they must not depend on."""

from __future__ import annotations

import numpy as np

from icarus.drawing import draw
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.rehearsal import Overrun
from icarus.testing.ledger import Ledger, Place
from icarus.testing.memory import fingerprint
from icarus.testing.pairs import Pair, walk
from icarus.testing.playing import Games, check_actions, check_rewards, listed, pick

POSITIONS = 100  #: positions that are determinized
DRAWS = 2  #: determinizations of each
PLIES = 20_000 if JIT else 1000  #: plies played in all from determinizations


def check_determinizations(game: Game, kept: Games, ledger: Ledger) -> list[Pair]:
    """Look at determinizations of positions from random games; returns them with their originals."""
    pairs: list[Pair] = []
    effort = [PLIES]
    spread = kept.positions[:: max(1, len(kept.positions) // POSITIONS)]
    for number, (place, position) in enumerate(spread):
        if number and ledger.late(0.4):
            break
        for observer in range(game.players):
            rng = seeded(place.seed, stream=2000 + 10 * number + observer)
            for _ in range(DRAWS):
                if ledger.late(0.45) and pairs:
                    return pairs
                missed = game.unexplained
                try:
                    twin = position.determinize(observer, rng)
                except Overrun as problem:
                    ledger.expect("buffers", False, place, str(problem))
                    return []
                if game.unexplained > missed:  # what was seen may be too much to find a state for: the game says so itself
                    ledger.unexplained += 1
                    continue
                if not check_determinization(position, twin, observer, ledger, place, effort):
                    continue
                if fingerprint(twin) != fingerprint(position):
                    pairs.append(Pair(place, observer, position, twin))
    return pairs


def check_determinization(
    position: Position, twin: Position, observer: int, ledger: Ledger, place: Place, effort: list[int]
) -> bool:
    """One determinization, and a random game from it as long as there is effort left."""
    game = position.game
    told = f"as observer {observer} knows it"
    possible = not twin.is_terminal and twin.player == position.player
    who = "the game is over" if twin.is_terminal else f"player() is {twin.player}"
    if not ledger.expect("determinize-possible", possible, place, f"{who} in a determinization, and not {position.player}"):
        return False
    if game.view is not None:
        same = twin.view(observer) == position.view(observer)
        missed = game.unexplained
        again = twin.determinize(observer, seeded(place.seed, stream=3)).view(observer) == position.view(observer)
        again |= game.unexplained > missed
        if not ledger.expect("determinize-view", same and again, place, f"the position {told} is changed by a determinization"):
            return False
        told = different_for(observer, position, twin)
        ledger.expect(
            "shown-known", not told, place, f"observer {observer} is shown {told} in two states that it cannot tell apart"
        )
    if position.player == observer:
        mine, other = sorted(position.legal()), sorted(twin.legal())
        text = f"observer {observer} may choose from {mine[:8]}, in a determinization from {other[:8]}"
        if not ledger.expect("determinize-legal", mine == other, place, text):
            return False
    if effort[0] <= 0:
        return True
    problem = play_on(twin.copy(), place, effort)
    return ledger.expect("determinize-possible", not problem, place, f"a determinization for observer {observer}: {problem}")


def different_for(observer: int, one: Position, other: Position) -> str:
    """What a player is shown that differs between two positions of one information set; "" if nothing does."""
    if one.render(observer) != other.render(observer):
        return "different texts"
    if one.game.draw is not None and draw(one, observer) != draw(other, observer):
        return "different drawings"
    if one.game.observation is not None and observed(one, observer) != observed(other, observer):
        return "different observations (those of networks)"
    if one.player == observer == other.player:
        for action in sorted({*one.legal()} & {*other.legal()}):
            if one.format_action(action) != other.format_action(action):
                return f"{one.format_action(action)!r} and {other.format_action(action)!r} for the same action"
    return ""


def observed(position: Position, observer: int) -> bytes:
    """What a network is shown of a position."""
    out = np.zeros(position.game.observation_shape, np.float32)
    position.game.call("observation", position.state, observer, out.reshape(-1))
    return out.tobytes()


def play_on(position: Position, place: Place, effort: list[int]) -> str:
    """Play a position randomly to its end; returns what breaks the contract on the way."""
    game, state, rng, book = position.game, position.state, seeded(place.seed, stream=5), Ledger()
    plies = 0
    try:
        while not game.call("terminal", state):
            if plies == game.max_plies:
                return f"the game does not end within {game.max_plies} plies"
            if game.call("player", state) == ENVIRONMENT:
                action = int(game.call("sample", state, rng))
            else:
                counted, actions = listed(game, state)
                if not check_actions(game, counted, actions, book, place):
                    return next(check.detail for check in book.checks() if check.status == "failed")
                action = pick(actions, rng)
            game.call("apply", state, action)
            plies += 1
        effort[0] -= plies
        rewards = position.rewards()
        return "" if check_rewards(game, rewards, book, place) else f"rewards() gives {rewards}"
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"


def check_twins(pairs: list[Pair], ledger: Ledger) -> None:
    """A position and its determinization stay alike for the observer as long as it sees the same of both."""
    effort = [PLIES // 4]
    for pair in pairs:
        if ledger.late(0.55):
            break
        rng = seeded(pair.place.seed, stream=6)
        for _ in walk(pair.one.copy(), pair.other.copy(), pair.observer, pair.place.seed, rng, ledger, effort):
            pass


def check_blindness(pairs: list[Pair], ledger: Ledger) -> None:
    """From two states of an information set the same random numbers give the same determinization."""
    for place, pair in enumerate(pairs):
        if place and ledger.late(0.75):
            break
        for number in range(DRAWS):
            words = [seeded(pair.place.seed, stream=7 + number) for _ in range(2)]
            drawn = [p.determinize(pair.observer, word) for p, word in zip((pair.one, pair.other), words, strict=True)]
            same = fingerprint(drawn[0]) == fingerprint(drawn[1]) and words[0][0] == words[1][0]
            text = f"states that observer {pair.observer} cannot tell apart become different ones by the same random numbers"
            if not ledger.expect("determinize-blind", same, pair.place, text):
                return
