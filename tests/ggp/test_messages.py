"""The protocol's messages: what is understood, and what is refused with a reason."""

from __future__ import annotations

import pytest

from icarus.ggp.messages import Abort, Info, MessageError, Play, Preview, Start, Step, Stop, read_message


def test_every_message_of_the_protocol_is_read():
    assert read_message(" ( info ) ") == Info()
    assert read_message("(PREVIEW ((role a)) 10)") == Preview("(role a)", 10.0)
    assert read_message("(START m.1 White ((role white) (role black)) 30 15)") == Start(
        "m.1", "white", "(role white) (role black)", 30.0, 15.0
    )
    assert read_message("(PLAY m.1 NIL)") == Play("m.1", None)
    assert read_message("(PLAY m.1 ((Mark  1 1) noop))") == Play("m.1", Step(("(mark 1 1)", "noop")))
    assert read_message("(STOP m.1 (a b))") == Stop("m.1", Step(("a", "b")))
    assert read_message("(ABORT m.1)") == Abort("m.1")


def test_gdl_ii_tells_the_own_move_and_what_was_seen():
    assert read_message("(PLAY m 0 nil nil)") == Play("m", None)
    assert read_message("(PLAY m 3 (look a) (coin (at b)))") == Play("m", Step(("(look a)",), ("coin", "(at b)")))
    assert read_message("(PLAY m 3 wait nil)") == Play("m", Step(("wait",), ()))


def test_rules_in_a_message_keep_their_text_and_their_comments():
    message = read_message("(START m a ((role a) ; the only ) role\n (init (s 1))) 1 1)")
    assert isinstance(message, Start)
    assert message.rules == "(role a) ; the only ) role\n (init (s 1))"


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "one list in parentheses, got nothing"),
        ("hello", "one list in parentheses"),
        ("()", "an empty list is no message"),
        ("(DANCE)", "dance is no message; there are INFO"),
        ("(PLAY m)", "PLAY takes 2 or 4 arguments, here it has 1"),
        ("(PLAY m (a b)", "cut short: 1 ')' missing"),
        ("(PLAY m (a b)))", "something after the message"),
        ("(INFO) (INFO)", "something after the message"),
        (") (", "one list in parentheses"),
        ("(START m a ((role a)) soon 1)", "a clock is a number of seconds, got soon"),
        ("(START m a ((role a)) -1 1)", "a clock is a number of seconds, got -1"),
        ("(START m a ((role a)) nan 1)", "a clock is a number of seconds, got nan"),
        ("(START m a rules 1 1)", "rules are a list, got rules"),
        ("(START (m) a ((role a)) 1 1)", "needs the name of a match"),
        ("(PLAY m moves)", "moves are a list, got moves"),
        ("(PLAY m (()))", "is not a term"),
        ("(PLAY m x noop nil)", "a turn is a number"),
        ("(PLAY m (" + "(f " * 20_000 + "x" + ")" * 20_000 + "))", "is not a term"),
    ],
)
def test_anything_else_is_refused_with_a_reason(text: str, words: str):
    with pytest.raises(MessageError) as refused:
        read_message(text)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 300
