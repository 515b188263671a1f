"""The strategies that `icarus discover` writes: captures, policies, weights and operators as a grammar.

========================  ========================================================================================================
strategy                  tree, or tree ``>>`` simulation
tree                      the baseline with a formula; RAVE or GRAVE; or a capture mixed with the baseline by RAVE's weight
formula                   a mean plus an exploration term, in general any expression of at most nine symbols (policy/written.py)
simulation                one capture with a policy, or two with weights
========================  ========================================================================================================

A strategy is a pair of texts, tree and simulation; what does not read, or does not fit a game, is thrown away.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import numpy as np

from icarus.errors import IcarusError
from icarus.strategy.expression import read_strategy

SYMBOLS = 9  #: of a formula
CAPTURES = ("MAST", "NAST(n=2", "NAST(n=3", "TOMAST")
REPLIES = ("LGR()", "LGRF()", "LGRF2()")
POLICIES = ("Gibbs(tau={tau})", "EpsilonGreedy(epsilon={epsilon})", "UCB1Sum(c={c})", "Greedy()")


@dataclass(frozen=True)
class Sentence:
    """A strategy of the grammar."""

    tree: str
    simulation: str = ""

    def __str__(self) -> str:
        return f"{self.tree} >> {self.simulation}" if self.simulation else self.tree

    @property
    def reads(self) -> bool:
        try:
            read_strategy(str(self))
        except IcarusError:
            return False
        return True


def random_sentence(rng: np.random.Generator) -> Sentence:
    while True:
        found = Sentence(random_tree(rng), random_simulation(rng))
        if found.reads:
            return found


def random_tree(rng: np.random.Generator) -> str:
    kind = rng.random()
    if kind < 0.45:
        return f"Baseline(policy=Written('{random_formula(rng)}'))"
    if kind < 0.65:
        return f"RAVE(k={_scale(rng, 10, 5000)}, c={_scale(rng, 0.05, 1.5)})"
    if kind < 0.85:
        return f"GRAVE(ref={round(float(_scale(rng, 5, 300)))}, k={_scale(rng, 10, 5000)}, c={_scale(rng, 0.05, 1.5)})"
    capture = f"NAST(n={int(rng.integers(1, 4))}, c={_scale(rng, 0.05, 1.5)})"
    return f"Maxilinear({capture}, Baseline(c={_scale(rng, 0.05, 1.5)}), weight=RaveWeight({_scale(rng, 10, 5000)}))"


def random_formula(rng: np.random.Generator) -> str:
    """A mean with an exploration term that may be anything small; sometimes anything at all."""
    if rng.random() < 0.3:
        return _expression(rng, SYMBOLS)
    return f"mean + {_expression(rng, SYMBOLS - 2)}"


def _expression(rng: np.random.Generator, symbols: int) -> str:
    if symbols <= 1 or rng.random() < 0.15:
        return str(rng.choice(["mean", "n", "m", _scale(rng, 0.05, 3)]))
    if symbols == 2 or rng.random() < 0.4:
        return f"{rng.choice(['sqrt', 'ln'])}({_expression(rng, symbols - 1)})"
    left = int(rng.integers(1, symbols - 1))
    operator = str(rng.choice(["+", "-", "*", "/"]))
    return f"({_expression(rng, left)} {operator} {_expression(rng, symbols - 1 - left)})"


def random_simulation(rng: np.random.Generator) -> str:
    kind = rng.random()
    if kind < 0.3:
        return ""
    if kind < 0.8:
        return _part(rng)
    weight = int(rng.integers(1, 4))
    return f"({weight} * {_part(rng)} + {4 - weight} * {_part(rng)}) / 4"


def _part(rng: np.random.Generator) -> str:
    if rng.random() < 0.25:
        return str(rng.choice(REPLIES))
    capture = str(rng.choice(CAPTURES))
    policy = str(rng.choice(POLICIES)).format(tau=_scale(rng, 0.1, 3), epsilon=_scale(rng, 0.05, 0.5), c=_scale(rng, 0.05, 1.5))
    return f"{capture}{', ' if '(' in capture else '('}policy={policy})"


def _scale(rng: np.random.Generator, low: float, high: float) -> str:
    """A number between two others, by its logarithm."""
    return _short(float(np.exp(rng.uniform(np.log(low), np.log(high)))))


def _short(value: float) -> str:
    """A number with two digits, as people write it."""
    return f"{float(f'{value:.2g}'):g}"


def mutated(sentence: Sentence, rng: np.random.Generator) -> Sentence:
    """A relative: a number changed, or one of the two halves written anew."""
    for _ in range(50):
        kind = rng.random()
        if kind < 0.5:
            changed = Sentence(_nudged(sentence.tree, rng), sentence.simulation)
            if rng.random() < 0.5:
                changed = Sentence(sentence.tree, _nudged(sentence.simulation, rng))
        elif kind < 0.75:
            changed = Sentence(random_tree(rng), sentence.simulation)
        else:
            changed = Sentence(sentence.tree, random_simulation(rng))
        if changed != sentence and changed.reads:
            return changed
    return random_sentence(rng)


def crossed(first: Sentence, second: Sentence) -> Sentence:
    """The tree of one and the simulation of the other."""
    return Sentence(first.tree, second.simulation)


def _nudged(text: str, rng: np.random.Generator) -> str:
    """The text with one of its real numbers multiplied by something near one."""
    numbers = [match for match in re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])", text) if not _whole(text, match)]
    if not numbers:
        return text
    match = numbers[int(rng.integers(len(numbers)))]
    value = float(ast.literal_eval(match[0])) * float(np.exp(rng.normal(0, 0.5)))
    return f"{text[: match.start()]}{_short(value)}{text[match.end() :]}"


def _whole(text: str, match: re.Match[str]) -> bool:
    """Must it stay a whole number: n of NAST, the weights of a mixture?"""
    before, after = text[: match.start()], text[match.end() :]
    return before.endswith(("n=", "ref=", "/ ")) or (after.startswith(" * ") and "Written" not in before)
