"""Sheets that are hard on purpose: to ground, to ground but not to play, to explain."""

from __future__ import annotations

#: a hundred million ground rules, before a single one of which clingo returns
HUGE = """
(role a) (init (p 0)) (<= (legal a x) (role a)) (<= terminal (true (p 1))) (<= (goal a 50) (role a))
{digits} (<= (q ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (distinct ?a ?d)) (<= (next (p 1)) (q ?a ?b ?c ?d) (q ?b ?c ?d ?a))
""".format(digits=" ".join(f"(n {n})" for n in range(100)))

#: one possible value of many holds at a time: quick for the reasoner, but with a million ground rules
LARGE = """
(role robot) (init (at 1)) (init (moves 0))
(<= (legal robot (step ?d)) (way ?d)) (way left) (way right)
{successors}
(<= (next (moves ?n)) (true (moves ?m)) (succ ?m ?n))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
(<= (next (seen ?a ?b ?c)) (true (at ?a)) (true (at ?b)) (true (at ?c)) (does robot (step right)))
(<= terminal (true (moves 4)))
(<= (goal robot 100) (true (seen ?a ?b ?c))) (<= (goal robot 50) (not anything)) (<= anything (true (seen ?a ?b ?c)))
""".format(successors=" ".join(f"(succ {n} {n + 1})" for n in range(120)))

#: the environment chooses eight digits in secret and then shows them all: no budget finds the one sequence that explains them
LOCK = """
(role random) (role finder) (init (step 1)) {steps} {digits} (succ 8 9) (succ 9 10) (succ 10 11)
(<= (legal random (turn ?d)) (true (step ?s)) (early ?s) (digit ?d))
(<= (legal random wait) (true (step ?s)) (not (early ?s)))
(<= (legal finder wait) (not (true (step 10))))
(<= (legal finder left) (true (step 10))) (<= (legal finder right) (true (step 10)))
(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
(<= (next (set ?s ?d)) (true (step ?s)) (does random (turn ?d))) (<= (next (set ?s ?d)) (true (set ?s ?d)))
(<= (sees finder (set ?s ?d)) (true (step 9)) (true (set ?s ?d)))
(<= terminal (true (step 11))) (<= (goal finder 50) (role finder))
""".format(
    steps=" ".join(f"(early {n})" for n in range(1, 9)) + " ".join(f"(succ {n} {n + 1})" for n in range(1, 8)),
    digits=" ".join(f"(digit {n})" for n in range(10)),
)

#: a term that grows with every step: no number of relations between constants is enough
GROWING = """
(role a) (init (count zero)) (<= (legal a wait) (role a)) (<= (legal a more) (true (count zero)))
(<= (next (count (s ?n))) (true (count ?n))) (<= terminal (true (count (s (s (s zero))))))
(<= (goal a 100) (true (count (s (s (s zero)))))) (<= (goal a 0) (not (true (count (s (s (s zero)))))))
"""
