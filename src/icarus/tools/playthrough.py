"""Golden playthroughs: one seeded random game as text that a person can read and a diff can show.

Each ply shows the position as every player sees it, the legal actions, the action played and the move that each player observed
of it; the end shows the rewards.  ``python -m icarus.tools.playthrough FOLDER`` writes one file per game of the package.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from icarus.game import ENVIRONMENT, UNSEEN, Game, Position, step_randomly
from icarus.jit.randomness import seeded
from icarus.loading import GAMES, load

#: small or short versions where the default game is long
SHOWN = {
    "hearts": "hearts(limit=20)",
    "goofspiel": "goofspiel(4)",
    "havannah": "havannah(3)",
    "go": "go(3)",
    "nogo": "nogo(4)",
    "atarigo": "atarigo(4)",
    "hex": "hex(5)",
    "breakthrough": "breakthrough(6,5)",
    "amazons": "amazons(4)",
    "clobber": "clobber(3,4)",
    "domineering": "domineering(4,4)",
    "leftright": "leftright(8)",
    "left_move": "left_move(6)",
    "leftmost_path": "leftmost_path(6)",
    "samegame": "samegame('01102/21102/00112')",
    "sudoku": "sudoku(2,1)",
    "sailing": "sailing(3)",
    "rock_sample": "rock_sample(2,2)",
    "hanoi": "hanoi(2)",
    "blocks": "blocks(3,1)",
    "lipschitz": "lipschitz(5)",
    "sum_of_switches": "sum_of_switches(6)",
    "phantom": "phantom(3,3,3)",
    "phantom_go": "phantom_go(3)",
    "battleship": "battleship(3,3,(1,2))",
    "oh_hell": "oh_hell(3,3)",
    "tron": "tron('4x3')",
    "oshi_zumo": "oshi_zumo(8,2)",
}
SEEDS = 12  #: the shortest of so many seeded games is written down


def write_playthrough(game: Game, seed: int) -> str:
    """One random game as text."""
    lines = [
        f"game: {game.name}",
        f"players: {', '.join(game.player_labels)}",
        f"hidden information: {game.hidden_information}, chance: {game.stochastic}, simultaneous: {game.simultaneous_moves}, "
        f"partially observable moves: {game.partially_observable_moves}",
        f"bounds: {game.max_actions} actions, {game.max_plies} plies, {game.state_size} words of state",
        f"seed: {seed}",
        "",
    ]
    position, rng = game.start(seed), seeded(seed, stream=5)
    while not position.is_terminal:
        lines += _ply(position)
        before = position.copy()
        action = step_randomly(position, rng)
        actor, _, moves = position.history[-1]
        who = "environment" if actor == ENVIRONMENT else game.player_labels[actor]
        lines.append(f"{who} plays {before.format_action(action)} [{action}]")
        if game.partially_observable_moves:
            seen = ("nothing" if move == UNSEEN else str(move) for move in moves)
            lines.append("seen as " + ", ".join(f"{name}: {move}" for name, move in zip(game.player_labels, seen, strict=True)))
        lines.append("")
    lines += ["# the end", position.render(), ""]
    lines.append(
        "rewards: "
        + ", ".join(f"{name}: {reward:g}" for name, reward in zip(game.player_labels, position.rewards(), strict=True))
    )
    if game.score is not None:
        lines.append(f"score: {position.score():g}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


def _ply(position: Position) -> list[str]:
    game = position.game
    actor = position.player
    who = "the environment" if actor == ENVIRONMENT else game.player_labels[actor]
    lines = [f"# ply {len(position.history)}: {who} acts"]
    if game.hidden_information:
        for observer, name in enumerate(game.player_labels):
            lines += [f"as {name} sees it:", position.render(observer)]
    else:
        lines.append(position.render())
    if actor != ENVIRONMENT:
        lines.append("legal: " + ", ".join(f"{position.format_action(a)} [{a}]" for a in position.legal()))
    if game.episode is not None and position.episode[1] == len(position.history):
        lines.append(f"an episode begins: {position.episode[0]}")
    return lines


def shortest_seed(game: Game) -> int:
    """The seed of a short game, so that the file stays readable."""
    lengths = []
    for seed in range(SEEDS):
        position, rng = game.start(seed), seeded(seed, stream=5)
        while not position.is_terminal:
            step_randomly(position, rng)
        lengths.append((len(position.history), seed))
    return min(lengths)[1]


def file_name(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_") + ".txt"


def playthroughs() -> dict[str, str]:
    """File name -> text, for every game of the package."""
    texts = {}
    for name in GAMES:
        game = load(SHOWN.get(name, name))
        texts[file_name(name)] = write_playthrough(game, shortest_seed(game))
    return texts


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in playthroughs().items():
        (folder / name).write_text(text)
        print(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "tests/playthroughs"))
