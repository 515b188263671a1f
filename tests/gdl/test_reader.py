"""Reading rule sheets, and what is said of sheets that are wrong."""

from __future__ import annotations

import pytest

from icarus.gdl.checks import check_sheet
from icarus.gdl.game import game_from_text
from icarus.gdl.reader import MAX_DEPTH, SheetError, Variable, format_term, read_rules, read_term

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
        # what cannot be read
        ("()", "11:1", "expected a relation and its arguments"),
        ("(<= (p a) ())", "11:11", "expected a relation and its arguments"),
        ("(p ())", "11:4", "expected a term"),
        ("(p (?f a))", "11:4", "expected a term"),
        ("(<=)", "11:1", "a rule needs a head"),
        ("<= (p a) (true b)", "11:1", "'<=' stands alone"),
        ("(<= (p a)\n    (true b) or)", "12:14", "'or' stands alone"),
        ("(<= (or (p a) (p b)) (true c))", "11:5", "'or' cannot be a relation here"),
        ("(<= (p ?x) (?y ?x))", "11:12", "cannot be a relation"),
        ("(<= (p a) ?x)", "11:11", "got the variable ?x"),
        ("(<= p (not (q a) (q b)))", "11:7", "'not' takes one condition, got 2"),
        ("(<= p (and (true a) (or)))", "11:21", "'or' needs a condition"),
        # unsafe rules
        ("(p ?x)", "11:1", "unsafe rule: ?x in the head"),
        ("(<= (p ?x) (not (true ?x)))", "11:5", "unsafe rule: ?x"),
        ("(<= (p a) (not (true (light ?x))))", "11:16", "unsafe rule: ?x in (not (true (light ?x)))"),
        ("(<= (p ?x) (q ?y) (distinct ?x ?y)) (q a)", "11:5", "unsafe rule: ?x"),
        ("(<= (p ?x)\n    (or (true ?x)\n        (true (light on))))", "11:5", "unsafe rule: ?x"),
        # negation that depends on itself, directly and around corners
        ("(<= (p a) (not (q a)))\n(<= (q a) (p a))", "11:16", "unstratified negation"),
        ("(<= p (not q))\n(<= q r)\n(<= r p)", "11:12", "'p' depends on (not q), which depends on 'p' again"),
        ("(<= (p ?x)\n    (true ?x)\n    (not (p ?x)))", "13:10", "unstratified negation"),
        # recursion that does not end
        ("(<= (p (s ?x)) (p ?x)) (p z)", "11:16", "recursion that may not end"),
        ("(<= (q (s ?x)) (p ?x))\n(<= (p ?x) (q ?x)) (p z)", "11:16", "recursion that may not end: ?x in (p ?x)"),
        ("(p z)\n(<= (p (pair ?x ?y)) (p ?x) (p ?y))", "12:22", "recursion that may not end"),
        # goals
        ("(<= (goal robot 101) (true (light on)))", "11:5", "0 to 100, not 101"),
        ("(<= (goal robot -1) (true (light on)))", "11:5", "0 to 100, not -1"),
        ("(<= (goal robot (half 100)) (true (light on)))", "11:5", "0 to 100, not (half 100)"),
        ("(goal robot much)", "11:1", "0 to 100, not much"),
        # numbers of arguments
        ("(<= (p a b) (true a))\n(<= (r a) (p a))", "12:11", "'p' has 1 argument here, but 2 in line 11"),
        ("(<= (p a) (does robot))", "11:11", "'does' takes 2 arguments, here it has 1"),
        ("(<= (terminal now) (true a))", "11:5", "'terminal' takes 0 arguments, here it has 1"),
        ("(<= p (distinct a b c))", "11:7", "'distinct' takes 2 arguments, here it has 3"),
        # what comes from outside is not defined, and does not depend on what comes later
        ("(true a)", "11:1", "cannot define 'true'"),
        ("(<= (does robot press) (true a))", "11:5", "cannot define 'does'"),
        ("(<= (distinct a b) (true a))", "11:5", "cannot define 'distinct'"),
        ("(<= (legal robot x) (does robot wait))", "11:21", "'legal' may not depend on 'does'"),
        ("(<= pressed (does robot press))\n(<= terminal\n    (true a)\n    pressed)", "14:5", "'does', as 'pressed' does"),
        ("(<= (init b) (true a))", "11:14", "'init' may not depend on 'true'"),
        # roles
        ("(<= (role ?x) (player ?x)) (player second)", "11:1", "roles must be facts"),
        ("(role (team one))", "11:1", "roles must be facts"),
        ("(role second)", "11:1", "nothing is ever legal for the role 'second'"),
    ],
)
def test_a_mistake_is_named_with_line_and_column(extra: str, place: str, words: str):
    message = problem(GOOD + "\n" + extra)
    assert message.startswith(f"game.kif:{place}: "), message
    assert words in message


def test_the_first_mistake_of_several_is_named():
    assert problem(GOOD + "\n(goal robot 300)\n(p ?x)").startswith("game.kif:11:1: a goal is")
    assert problem(GOOD + "\n(p ?x)\n(goal robot 300)").startswith("game.kif:11:1: unsafe rule")


def test_lines_are_counted_alike_whatever_ends_them():
    assert problem((GOOD + "\n; comment\n\t(<= (p ?x) q)").replace("\n", "\r\n")).startswith("game.kif:12:6: unsafe rule")


def test_more_parentheses_than_any_sheet_has_are_refused():
    assert problem("(" * 5000 + ")" * 5000) == f"game.kif:1:{MAX_DEPTH + 1}: more than {MAX_DEPTH} parentheses are open here"
    nested = "(f " * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1)
    assert format_term(read_term(nested)) == nested


def test_a_rule_with_too_many_alternatives_is_refused_at_once():
    # both ways to write 2 ** 40 alternatives
    either = " ".join(["(or (true a) (true b))"] * 40)
    neither = f"(not (or {' '.join(['(and (true a) (true b))'] * 40)}))"
    assert problem(GOOD + f"\n(<= (p a) {either})").startswith("game.kif:11:1: more than 20000 alternatives")
    assert problem(GOOD + f"\n(<= (p a) {neither})").startswith("game.kif:11:16: more than 20000 alternatives")


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


@pytest.mark.parametrize(
    ("extra", "place", "words"),
    [
        ("(<= (p a) (nowhere a))\n(<= (p b) (nowhere b))", "11:11", "nothing defines 'nowhere', so it never holds"),
        ("(<= (p a) (not (nowhere a)))", "11:16", "nothing defines 'nowhere', so it never holds"),
        ("(<= (p a) (does robbot press))", "11:11", "'does' names robbot, which is no role"),
        ("(<= (goal android 50) (true (light on)))", "11:5", "'goal' names android, which is no role"),
        ("(<= (p a) (true (ligt on)))", "11:11", "neither 'init' nor 'next' makes (ligt on) true, so it never holds"),
        ("(<= (p a) (true (light on now)))", "11:11", "neither 'init' nor 'next' makes (light on now) true, so it never holds"),
        (
            "(<= (goal robot ?v) (worth ?x ?v) (true (light ?x)))\n(worth on 90)\n(worth off 110)",
            "13:1",
            "110 may become a goal, which is a whole number from 0 to 100",
        ),
    ],
)
def test_what_is_doubtful_is_one_warning_with_line_and_column(extra: str, place: str, words: str):
    assert check_sheet(read_rules(GOOD + "\n" + extra, "game.kif")) == [f"game.kif:{place}: warning: {words}"]


def test_doubts_are_told_whenever_a_sheet_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setenv("ICARUS_CACHE", str(tmp_path))
    doubtful = GOOD + "\n(<= (p a) (nowhere a))"
    with pytest.warns(UserWarning, match=r"^game\.kif:11:11: nothing defines 'nowhere', so it never holds$"):
        game_from_text(doubtful, "game.kif")
    with pytest.warns(UserWarning, match=r"^other\.kif:12:11: nothing defines"):
        game_from_text("\n" + doubtful, "other.kif")  # known by now, though with other lines
    with pytest.warns(UserWarning, match=r"'nowhere', so it never holds \(and 1 more: icarus gdl info game\.kif\)$"):
        game_from_text(doubtful + "\n(<= (p b) (neither b))", "game.kif")


def test_goals_beyond_100_count_for_nothing():
    text = GOOD.replace("(<= (goal robot 100) (true (light on)))", "(<= (goal robot ?v) (worth ?v) (true (light on)))")
    game = game_from_text(text + "(worth 70) (worth 170)")
    position = game.start()
    assert position.apply(position.parse_action("press")).rewards() == [0.7]
