"""Reading rule sheets, and what is said of sheets that are wrong."""

from __future__ import annotations

import pytest

from icarus.gdl.checks import check_sheet
from icarus.gdl.reader import SheetError, Variable, format_term, read_rules, read_term

GOOD = """
(role robot) (init (light off))
(<= (legal robot press) (true (light off)))
(<= (legal robot wait) (role robot))
(<= (next (light on)) (does robot press))
(<= (next (light ?x)) (true (light ?x)) (does robot wait))
(<= terminal (true (light on)))
(<= (goal robot 100) (true (light on)))
(<= (goal robot 0) (not (true (light on))))
"""


def problem(text: str) -> str:
    with pytest.raises(SheetError) as caught:
        check_sheet(read_rules(text, "game.kif"))
    return str(caught.value)


def test_case_and_comments_do_not_matter():
    loud = "; a comment ( with a parenthesis\n" + GOOD.upper()
    assert [str(r.head) for r in read_rules(loud).rules] == [str(r.head) for r in read_rules(GOOD).rules]


def test_a_sheet_without_mistakes_has_no_warnings():
    assert check_sheet(read_rules(GOOD)) == []


def test_nested_terms_are_kept():
    assert read_term("(f (g A ?x) (h))") == ("f", ("g", "a", Variable("?x")), "h")
    assert format_term(read_term("( f ( g a ) )")) == "(f (g a))"


def test_disjunctions_are_multiplied_out():
    rules = read_rules("(<= (p ?x) (or (q ?x) (and (r ?x) (not (or (s ?x) (t ?x))))) (u ?x))").rules
    assert [[str(c) for c in rule.body] for rule in rules] == [
        ["(q ?x)", "(u ?x)"],
        ["(r ?x)", "(not (s ?x))", "(not (t ?x))", "(u ?x)"],
    ]


def test_the_parenthesis_that_is_never_closed_is_named():
    assert problem("(role a)\n\n  (<= (legal a b)\n (true c)\n(goal a 100)") == (
        "game.kif:3:3: this '(' is never closed; 1 ')' missing before the end of the sheet"
    )


def test_the_parenthesis_that_closes_nothing_is_named():
    assert problem("(role a))\n(terminal)").startswith("game.kif:1:9: this ')' closes nothing")


@pytest.mark.parametrize(
    ("extra", "place", "words"),
    [
        ("(<= (p ?x) (not (true ?x)))", "11:5", "unsafe rule: ?x"),
        ("(<= (p ?x) (q ?y) (distinct ?x ?y)) (q a)", "11:5", "unsafe rule: ?x"),
        ("(<= (p a) (not (q a)))\n(<= (q a) (p a))", "11:16", "unstratified negation"),
        ("(<= (p (s ?x)) (p ?x)) (p z)", "11:16", "recursion that may not end"),
        ("(<= (goal robot 101) (true (light on)))", "11:5", "0 to 100"),
        ("(<= (p a b) (true a))\n(<= (r a) (p a))", "12:11", "'p' has 1 argument here, but 2 in line 11"),
        ("(<= (p a) (does robot))", "11:11", "'does' takes 2 arguments, here it has 1"),
        ("(true a)", "11:1", "cannot define 'true'"),
        ("(<= (legal robot x) (does robot wait))", "3:1", "'legal' may not depend on 'does'"),
        ("(<= (p ?x) (?y ?x))", "11:12", "cannot be a relation"),
        ("(<= p (not (q a) (q b)))", "11:7", "'not' takes one condition"),
    ],
)
def test_a_mistake_is_named_with_line_and_column(extra: str, place: str, words: str):
    message = problem(GOOD + "\n" + extra)
    assert message.startswith(f"game.kif:{place}: "), message
    assert words in message


@pytest.mark.parametrize("relation", ["role", "legal", "terminal", "goal"])
def test_a_sheet_must_have_roles_moves_an_end_and_goals(relation: str):
    lines = GOOD.replace("(role robot) (init (light off))", "(role robot)\n(init (light off))").splitlines()
    kept = [line for line in lines if not line.lstrip("(<= ").startswith(relation)]
    kept = [line.replace("(role robot))", "(true (light off)))") for line in kept]
    assert f"the sheet has no {relation!r}" in problem("\n".join(kept))


def test_goals_that_exclude_each_other_are_no_recursion():
    check_sheet(read_rules(GOOD.replace("(not (true (light on)))", "(not (goal robot 100))")))


def test_recursion_that_only_walks_over_facts_is_allowed():
    check_sheet(read_rules(GOOD + "(e a b) (e b c) (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (e ?y ?z))"))


def test_a_relation_that_nothing_defines_is_a_warning():
    warnings = check_sheet(read_rules(GOOD + "\n(<= (p a) (nowhere a))", "game.kif"))
    assert warnings == ["game.kif:11:11: warning: nothing defines 'nowhere', so it never holds"]
