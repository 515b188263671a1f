"""Is there a better combination than the published ones?  Evolution and a bandit on training games, then a frozen test on others.

==============  =================================================================================================================
search          a population of strategies of the grammar (grammar.py); each step plays one deal of every training game against
                the baseline, either with the member whose upper confidence bound is best or with a new one: a mutation, or tree
                and simulation of two parents.  Who has the lowest bound makes room
published       the best of the published combinations (Table 1 of icarus-2014, the players of rave-variants-2016) with several
                exploration constants, found by the same bandit on the same games with the same number of deals
test            both frozen: they play each other on games that the search has not seen, with fresh seeds.  P values are Holm's
ablation        the discovered strategy against itself without its simulation, and without its tree
==============  =================================================================================================================

Every game is stored when it is finished; ``--resume`` continues.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from icarus.arena.crew import Crew
from icarus.arena.players import Player
from icarus.arena.schedule import game_named
from icarus.arena.statistics import holm, over_deals, paired
from icarus.arena.store import Store
from icarus.errors import IcarusError
from icarus.strategy.expression import PRESETS, TABLE_1, read_strategy, table_1
from icarus.tune.budget import read_at
from icarus.tune.discovery import Discovery, Result
from icarus.tune.duels import Duels, identity_of, keeps_its_contract, random_moves
from icarus.tune.errors import TuneError
from icarus.tune.grammar import Sentence, crossed, mutated, random_sentence
from icarus.tune.result import Step

POPULATION = 24
NEW = 0.35  #: of the steps that try somebody new
CROSSING = 0.4  #: of the new ones that have two parents
EXPLORATION = 0.35
CONSTANTS = (0.2, 0.4, 0.7, 1.0)
SURE = 6  #: evaluations that a strategy needs to be called the best


@dataclass
class Member:
    """A strategy with its scores on the training games, one number per evaluation."""

    sentence: Sentence
    scores: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores) if self.scores else 0.5

    def bound(self, evaluations: int, sign: float = 1.0) -> float:
        return self.mean + sign * EXPLORATION * math.sqrt(math.log(1 + evaluations) / (len(self.scores) + 0.5))


def published() -> list[Sentence]:
    """The published combinations, each with several exploration constants in the tree."""
    texts = [*(table_1(name) for name in TABLE_1), *PRESETS.values()]
    found = []
    for text in dict.fromkeys(texts):
        tree, _, simulation = text.partition(" >> ")
        for c in CONSTANTS:
            opened = tree.split("(", 1)
            inner = ", ".join(p for p in opened[1].rstrip(")").split(", ") if p and not p.startswith("c="))
            sentence = Sentence(f"{opened[0]}({', '.join(part for part in (inner, f'c={c}') if part)})", simulation)
            if sentence.reads:
                found.append(sentence)
    return list(dict.fromkeys(found))


def discover(
    train: Sequence[str],
    test: Sequence[str],
    *,
    at: str = "200",
    deals: int = 200,
    games: int = 1000,
    seed: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    check: bool = True,
    progress: Callable[[Step], None] | None = None,
) -> Discovery:
    """Search on the training games for ``deals`` evaluations, then test with ``games`` games on each test game."""
    if not train or not test:
        raise TuneError("name games to train on and others to test on: --train hex(5) --test othello")
    both = sorted(set(train) & set(test))
    if both:
        raise TuneError(f"{both[0]} is in --train and in --test: a test on what was trained on proves nothing")
    if deals < POPULATION or games < 2:
        raise TuneError(f"--deals {deals}, --games {games}: at least {POPULATION} evaluations and 2 test games are needed")
    limits = read_at(at)
    for name in (*train, *test):
        if game_named(name).players < 2:
            raise TuneError(f"{name} is for one player; strategies are compared in games for two or more")
        if check:
            keeps_its_contract(game_named(name))
    settings = {"train": list(train), "test": list(test), "at": at, "deals": deals}
    identity = identity_of("discover", [*train, *test], ("-",), settings, seed)
    if resume and folder is None:
        raise TuneError("--resume needs the folder in which the games are (--folder FOLDER)")
    store = None if folder is None else Store.open(folder, identity, resume=resume)
    try:
        with Crew(jobs, cluster) as crew:
            return _Discoverer(list(train), list(test), limits, at, deals, games, seed, store, crew, progress).run()
    finally:
        if store is not None:
            store.close()


class _Discoverer:
    def __init__(
        self,
        train: list[str],
        test: list[str],
        limits: Player,
        at: str,
        deals: int,
        games: int,
        seed: int,
        store: Store | None,
        crew: Crew,
        progress: Callable[[Step], None] | None,
    ) -> None:
        self.train, self.test, self.limits, self.at = train, test, limits, at
        self.deals, self.games, self.seed = deals, games, seed
        self.store, self.crew, self.progress = store, crew, progress
        self.duels: dict[tuple[str, str], Duels] = {}
        self.fitting: dict[str, bool] = {}

    def run(self) -> Discovery:
        found = self._evolve()
        best = self._best_published()
        results = self._test(found, best)
        return Discovery(
            discovered=str(read_strategy(str(found))),
            published=str(read_strategy(str(best))),
            train=self.train,
            test=self.test,
            at=self.at,
            training_deals=self.deals,
            results=_corrected(results),
            ablation=_corrected(self._ablate(found)),
            seed=self.seed,
            total_games=sum(len(duel.records) for duel in self.duels.values()),
        )

    def _player(self, sentence: Sentence) -> Player:
        return Player(strategy=str(sentence), iterations=self.limits.iterations, seconds=self.limits.seconds)

    def _duel(self, game: str, opponent: Player) -> Duels:
        key = (game, str(opponent))
        if key not in self.duels:
            loaded = game_named(game)
            duel = Duels(game, opponent, random_moves(loaded, 2), self.seed, self.store, self.crew)
            duel.records = {k: r for k, r in duel.records.items() if r.game == game and k[0].endswith(f" – {opponent}")}
            self.duels[key] = duel
        return self.duels[key]

    def _fits(self, sentence: Sentence) -> bool:
        """Can all training and test games be played with it?"""
        text = str(sentence)
        if text not in self.fitting:
            try:
                for game in (*self.train, *self.test):
                    self._player(sentence).check(game_named(game))
                self.fitting[text] = True
            except IcarusError:
                self.fitting[text] = False
        return self.fitting[text]

    def _evaluate(self, phase: str, member: Member, number: int) -> None:
        """One deal of every training game against the baseline."""
        baseline = self._player(Sentence("Baseline()"))
        scores = [self._duel(game, baseline).play(phase, [(self._player(member.sentence), number)])[0] for game in self.train]
        member.scores.append(sum(scores) / len(scores))

    # --- search ------------------------------------------------------------------------------------------------------

    def _evolve(self) -> Sentence:
        rng = np.random.default_rng([self.seed & (2**63 - 1), 17])
        members: list[Member] = []
        known: set[str] = set()
        for number in range(self.deals):
            if len(members) < POPULATION // 2 or rng.random() < NEW:
                member = Member(self._new(members, known, rng))
                known.add(str(member.sentence))
                members.append(member)
            else:
                member = max(members, key=lambda m: m.bound(number))
            self._evaluate("discover", member, number)
            if len(members) > POPULATION:
                members.remove(min((m for m in members if m is not member), key=lambda m: m.bound(number)))
            self._tell("discover", number / self.deals, members)
        return _best(members)

    def _new(self, members: list[Member], known: set[str], rng: np.random.Generator) -> Sentence:
        for _ in range(200):
            if len(members) < 4:
                child = random_sentence(rng)
            else:
                parents = [
                    max((members[int(i)] for i in rng.integers(len(members), size=3)), key=lambda m: m.mean) for _ in (0, 1)
                ]
                crossing = rng.random() < CROSSING
                child = crossed(parents[0].sentence, parents[1].sentence) if crossing else mutated(parents[0].sentence, rng)
            if str(child) not in known and self._fits(child):
                return child
        raise TuneError("the grammar finds no further strategy that can play all of these games")

    def _best_published(self) -> Sentence:
        """The same number of deals for the published ones, by the same bandit."""
        members = [Member(sentence) for sentence in published() if self._fits(sentence)]
        for number in range(self.deals):
            fresh = next((m for m in members if not m.scores), None)
            member = fresh if fresh is not None else max(members, key=lambda m: m.bound(number))
            self._evaluate("published", member, number)
            self._tell("published", number / self.deals, [m for m in members if m.scores])
        return _best([m for m in members if m.scores])

    # --- test --------------------------------------------------------------------------------------------------------

    def _test(self, found: Sentence, best: Sentence) -> list[Result]:
        return [self._compare("test", game, found, best, "discovered against published", self.games) for game in self.test]

    def _ablate(self, found: Sentence) -> list[Result]:
        """Without its simulation, and without its tree: what does each half bring?"""
        halves = []
        if found.simulation:
            halves.append(("with against without its simulation", Sentence(found.tree)))
        if found.tree != "Baseline()":
            halves.append(("with against without its tree", Sentence("Baseline()", found.simulation)))
        games = max(self.games // 4, 2)
        return [self._compare("ablation", game, found, part, what, games) for what, part in halves for game in self.test]

    def _compare(self, phase: str, game: str, first: Sentence, second: Sentence, what: str, games: int) -> Result:
        duel = self._duel(game, self._player(second))
        scores: list[float] = []
        deals = math.ceil(games / duel.per_deal)
        step = max(self.crew.jobs, 4)
        while len(scores) < deals:
            number = min(step, deals - len(scores))
            scores += duel.play(phase, [(self._player(first), len(scores) + i) for i in range(number)])
            if self.progress is not None:
                row = (f"{game}: {what}", len(scores), float(np.mean(scores)), "")
                self.progress(Step(phase, len(scores) / deals, len(duel.records), [row]))
        interval = over_deals(scores)
        p = paired(scores, [1 - score for score in scores]).p
        return Result(game, what, float(np.mean(scores)), interval.low, interval.high, deals * duel.per_deal, p)

    def _tell(self, phase: str, share: float, members: list[Member]) -> None:
        if self.progress is not None:
            ranked = sorted(members, key=lambda m: -m.mean)[:8]
            rows = [(str(m.sentence), len(m.scores), m.mean, "") for m in ranked]
            self.progress(Step(phase, share, sum(len(duel.records) for duel in self.duels.values()), rows))


def _best(members: list[Member]) -> Sentence:
    """The best mean among those that were evaluated often enough; of all, if none was."""
    sure = [m for m in members if len(m.scores) >= SURE] or members
    return max(sure, key=lambda m: (m.mean, len(m.scores))).sentence


def _corrected(results: list[Result]) -> list[Result]:
    adjusted = holm([result.p for result in results])
    return [Result(**{**result.__dict__, "adjusted": p}) for result, p in zip(results, adjusted, strict=True)]
