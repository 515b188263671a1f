"""What a level of strength would never do: positions with an answer, and how likely a player is to miss it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from icarus.algorithm import ALGORITHMS
from icarus.arena.players import Player
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import random_below, seeded
from icarus.search import Search
from icarus.strength import probabilities

POSITIONS = 12  #: of each kind, at which a level is asked
TRIES = 400  #: random games in which they are looked for
ENDING = 5  #: plies before the end of a random game at which a won ending is looked for
SOLVING = 5_000  #: iterations to prove what a move is worth there


@dataclass(frozen=True)
class Exam:
    """Positions with an answer: the moves that win, where others do not."""

    #: some moves win at once
    wins_in_one: list[tuple[Position, set[int]]]
    #: nothing wins at once; some moves are proven to win, all others are proven to give the win away
    won_endings: list[tuple[Position, set[int]]]


def make_exam(game: Game, seed: int) -> Exam:
    """Positions of random games; none where something is hidden or left to chance."""
    if game.hidden_information or game.simultaneous_moves or game.stochastic:
        return Exam([], [])
    return Exam(wins_in_one(game, seed), won_endings(game, seed))


def blunders(player: Player, exam: Exam, seed: int) -> dict[str, Any]:
    """How likely a level is to miss a win in one, and to lose a won ending: mean probabilities, and where it never does."""
    found: dict[str, Any] = {}
    kinds = (("wins_in_one", "missed", exam.wins_in_one), ("won_endings", "thrown_away", exam.won_endings))
    for name, fault, positions in kinds:
        if positions:
            chances = [_chance_of_fault(player, position, winning, seed) for position, winning in positions]
            never = sum(chance < 1e-9 for chance in chances)
            found |= {name: len(chances), fault: round(sum(chances) / len(chances), 4), f"never_{fault}": never}
    return found


def _chance_of_fault(player: Player, position: Position, winning: set[int], seed: int) -> float:
    """The probability with which a level plays a move that does not win."""
    search = replace(player, strength=None).search(position, position.player, seed)
    result = search.run(iterations=player.iterations, seconds=player.seconds)
    return sum(chance for row, chance in probabilities(result, player.strength) if row.action not in winning)


def wins_in_one(game: Game, seed: int) -> list[tuple[Position, set[int]]]:
    """Positions of random games in which some moves win at once, and others do not."""
    rng, found = seeded(seed, stream=10), []
    for number in range(TRIES):
        position = game.start(number)
        while not position.is_terminal:
            if position.player == ENVIRONMENT:
                return []
            legal = position.legal()
            winning = {action for action in legal if _wins(position, action)}
            if winning and len(winning) < len(legal):
                found.append((position.copy(), winning))
                break
            position.apply(legal[int(random_below(rng, len(legal)))])
        if len(found) == POSITIONS:
            break
    return found


def won_endings(game: Game, seed: int) -> list[tuple[Position, set[int]]]:
    """Positions a few plies before the end of random games in which a win can be kept or given away, and not at once."""
    if game.players != 2 or not ALGORITHMS["uct"].solves(game):
        return []
    rng, found = seeded(seed, stream=12), []
    for number in range(TRIES):
        position, line = game.start(number), []
        while not position.is_terminal:
            if position.player == ENVIRONMENT:
                return []
            legal = position.legal()
            line.append(position.copy())
            position.apply(legal[int(random_below(rng, len(legal)))])
        ending = line[-ENDING] if len(line) >= ENDING else None
        if ending is None or any(_wins(ending, action) for action in ending.legal()):
            continue
        verdicts = {action: _is_won(ending, action) for action in ending.legal()}
        winning = {action for action, won in verdicts.items() if won}
        if None not in verdicts.values() and 0 < len(winning) < len(verdicts):
            found.append((ending, winning))
        if len(found) == POSITIONS:
            break
    return found


def _is_won(position: Position, action: int) -> bool | None:
    """Does this move keep a win?  None if that takes too long to prove."""
    after = position.copy().apply(action)
    if after.is_terminal:
        return after.rewards()[position.player] == 1.0
    proven = Search(after, algorithm="uct(solve)", seed=0).run(iterations=SOLVING).proven
    return None if proven is None else proven == ("win" if after.player == position.player else "loss")


def _wins(position: Position, action: int) -> bool:
    after = position.copy().apply(action)
    return after.is_terminal and after.rewards()[position.player] == 1.0
