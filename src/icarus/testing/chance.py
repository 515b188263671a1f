"""The environment: what it can draw, and how often."""

from __future__ import annotations

from icarus.game import Game
from icarus.jit.randomness import seeded
from icarus.testing.ledger import Ledger
from icarus.testing.playing import Games
from icarus.testing.statistics import misfit

EVENTS = 8  #: how many events are drawn from often enough to compare frequencies
DRAWS = 50  #: draws per outcome there, on average


def check_chance(game: Game, kept: Games, ledger: Ledger) -> None:
    if game.sample is None:
        ledger.skip("the environment never acts", "outcomes", "chance", "chance-sample")
        return
    if game.chance is None:
        ledger.skip("outcomes are not listed with probabilities", "outcomes", "chance", "chance-sample")
        return
    spread = kept.events[:: max(1, len(kept.events) // EVENTS)]
    for number, (place, position) in enumerate(kept.events):
        outcomes, odds = position.legal(), position.chance()
        sound = len(odds) == len(outcomes) and all(p >= 0 for p in odds) and abs(sum(odds) - 1) < 1e-9
        text = f"{len(outcomes)} outcomes with probabilities {odds[:8]}, sum {sum(odds):.6g}"
        if not ledger.expect("chance", sound, place, text):
            return
        rng = seeded(place.seed, stream=1000 + number)
        often = any(position is other for _, other in spread)
        draws = [position.sample(rng) for _ in range(min(DRAWS * len(outcomes), 5000) if often else 3)]
        strangers = sorted(set(draws) - set(outcomes))
        text = f"sample() draws {strangers[:3]}, which legal() does not list"
        if not ledger.expect("outcomes", not strangers, place, text):
            return
        if often:
            wrong = misfit(draws, dict(zip(outcomes, odds, strict=True)), tests=EVENTS + 1)
            ledger.expect("chance-sample", not wrong, place, wrong)
