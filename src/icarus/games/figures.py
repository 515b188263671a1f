"""The two example games of ismcts-2012, figures 1 and 3, in which searching each determinization alone goes wrong.

Rewards are given here on the paper's scale from -1 to +1; the games map them to [0, 1] by ``(r + 1) / 2``.

``strategy_fusion()``, figure 1.  One player; the start is x or y, equally likely and unseen.  a2 ends the game with
+0.5.  After a1 the player chooses a3 or a4: in x they give -1 and +1, in y the other way round, and an action of the
environment (e_x,3 and so on) tells which it was.  a1 is worth 0, so a2 is right; whoever searches x and y apart
believes that a1 is worth +1.

``figure3()``.  Two players, zero-sum; the start is x, y or z, equally likely, seen by player 1 only.  (The players
are numbered from 0 here, from 1 in the paper.)  Player 0 ends the game by a2 or plays a1; then player 1 has two of
three actions,

======  ======  ======
in x    in y    in z
======  ======  ======
b1, b2  b2, b3  b1, b3
======  ======  ======

and player 0 ends with a3 or a4.  As in the paper the rewards depend on the start after b2 only, and only there does
the environment tell what it was (e_x,2,3 and so on).  The rewards themselves are in the paper's picture alone, so
these are chosen to make the same points.  For player 0:

====  ======  ======  ================  ======
a2    after   b1      b2                b3
====  ======  ======  ================  ======
+0.2  a3      +1      -1 in x, +1 in y  -1
..    a4      -1      +1 in x, -1 in y  +1
====  ======  ======  ================  ======

Player 0 answers b1 and b3 rightly and can only guess after b2, so a1 is worth 1/3 (0 in x and in y, +1 in z) and is
right.  Believing that the start will be known makes it +1.

``figure3(partially_observable=True)``: player 0 cannot tell b1, b2 and b3 apart, player 1 cannot tell a1 from a2 nor
a3 from a4 (the paper's a_? and b_?), and the environment tells the start and b after every a3 and a4.  Now a1 is
worth 0 and a2 is right, but a search that takes player 1's actions for seen still finds 1/3 for a1.

When a game is over everything is laid open.
"""

from __future__ import annotations

from icarus.game import ENVIRONMENT, Game, Layout, Word, compiled, random_below, size_of

A1, A2, A3, A4 = 1, 2, 3, 4
B1, B2, B3 = 5, 6, 7
A_HIDDEN, B_HIDDEN = 8, 9  #: moves: some action of player 0, of player 1
E = 10  #: and up: what the environment tells

X, Y, Z = 0, 1, 2


class Story(Layout):
    """What has happened in either game; an action is 0 until it is played."""

    partially_observable = Word()  #: parameter of figure 3
    start = Word()  #: X, Y or Z
    first = Word()  #: A1 or A2
    reply = Word()  #: B1, B2 or B3 (figure 3 only)
    second = Word()  #: A3 or A4
    told = Word()  #: 1 after the environment's action


def strategy_fusion() -> Game:
    """Figure 1: one player must not plan to act on what it will not know."""
    return Game(
        name="strategy_fusion",
        summary="one player, two start positions that look the same (ismcts-2012, figure 1)",
        players=1,
        layout=Story,
        state_size=size_of(Story),
        max_actions=2,
        max_plies=3,
        initial=fusion_initial,
        player=fusion_player,
        legal=fusion_legal,
        apply=fusion_apply,
        terminal=fusion_terminal,
        rewards=fusion_rewards,
        sample=fusion_sample,
        chance=certain,
        determinize=fusion_determinize,
        view=fusion_view,
        render=fusion_render,
        format_action=fusion_format_action,
    )


def figure3(partially_observable: bool = False) -> Game:
    """Figure 3: an opponent whose actions depend on a start position that only it has seen."""
    return Game(
        name="figure3(partially_observable=True)" if partially_observable else "figure3",
        summary="two players, three start positions that look the same to the first (ismcts-2012, figure 3)",
        players=2,
        parameters=(int(partially_observable),),
        layout=Story,
        state_size=size_of(Story),
        max_actions=2,
        max_plies=4,
        initial=figure3_initial,
        player=figure3_player,
        legal=figure3_legal,
        apply=figure3_apply,
        terminal=figure3_terminal,
        rewards=figure3_rewards,
        sample=figure3_sample,
        chance=certain,
        determinize=figure3_determinize,
        observe=figure3_observe if partially_observable else None,
        view=figure3_view,
        render=figure3_render,
        format_action=figure3_format_action,
    )


@compiled
def certain(state, probabilities):
    probabilities[0] = 1.0
    return 1


@compiled
def list_two(actions, one, other):
    actions[0] = one
    actions[1] = other
    return 2


# --- figure 1 --------------------------------------------------------------------------------------------------------


@compiled
def fusion_initial(state, rng):
    state.start = random_below(rng, 2)


@compiled
def fusion_player(state):
    return 0 if state.second == 0 else ENVIRONMENT


@compiled
def fusion_sample(state, rng):
    return E + 2 * state.start + state.second - A3


@compiled
def fusion_legal(state, actions):
    if state.first == 0:
        return list_two(actions, A1, A2)
    if state.second == 0:
        return list_two(actions, A3, A4)
    actions[0] = E + 2 * state.start + state.second - A3
    return 1


@compiled
def fusion_apply(state, action):
    if state.first == 0:
        state.first = action
    elif state.second == 0:
        state.second = action
    else:
        state.told = 1


@compiled
def fusion_terminal(state):
    return state.first == A2 or state.told != 0


@compiled
def fusion_rewards(state, out):
    if state.first == A2:
        out[0] = 0.75
    else:
        out[0] = 1.0 if (state.second == A4) == (state.start == X) else 0.0


@compiled
def fusion_determinize(state, observer, rng):
    if not fusion_terminal(state):
        state.start = random_below(rng, 2)


def fusion_view(state: Story, observer: int) -> object:
    return visible_words(state, "start" if state.told == 0 and state.first != A2 else None)


def fusion_render(state: Story, observer: int | None = None) -> str:
    return render_words(fusion_view(state, 0) if observer is not None else visible_words(state))


def fusion_format_action(state: Story, action: int) -> str:
    return f"e_{'xy'[(action - E) // 2]},{(action - E) % 2 + 3}" if action >= E else action_name(action)


# --- figure 3 --------------------------------------------------------------------------------------------------------


@compiled
def figure3_initial(state, rng):
    state.start = random_below(rng, 3)


@compiled
def figure3_player(state):
    if state.first == 0:
        return 0
    if state.reply == 0:
        return 1
    return 0 if state.second == 0 else ENVIRONMENT


@compiled
def figure3_sample(state, rng):
    return E + 6 * state.start + 2 * (state.reply - B1) + state.second - A3


@compiled
def figure3_legal(state, actions):
    if state.first == 0:
        return list_two(actions, A1, A2)
    if state.reply == 0:  # x: b1, b2; y: b2, b3; z: b1, b3
        return list_two(actions, B2 if state.start == Y else B1, B2 if state.start == X else B3)
    if state.second == 0:
        return list_two(actions, A3, A4)
    actions[0] = E + 6 * state.start + 2 * (state.reply - B1) + state.second - A3
    return 1


@compiled
def figure3_apply(state, action):
    if state.first == 0:
        state.first = action
    elif state.reply == 0:
        state.reply = action
    elif state.second == 0:
        state.second = action
    else:
        state.told = 1


@compiled
def figure3_terminal(state):
    if state.first == A2 or state.told != 0:
        return True
    return state.second != 0 and state.reply != B2 and state.partially_observable == 0


@compiled
def figure3_rewards(state, out):
    if state.first == A2:
        out[0] = 0.6
    else:
        right = A3 if state.reply == B1 or (state.reply == B2 and state.start == Y) else A4
        out[0] = 1.0 if state.second == right else 0.0
    out[1] = 1.0 - out[0]


@compiled
def figure3_determinize(state, observer, rng):
    if figure3_terminal(state):
        return
    if observer == 1:
        if state.partially_observable != 0 and state.second != 0:
            state.second = A3 + random_below(rng, 2)
    elif state.reply == 0:
        state.start = random_below(rng, 3)
    elif state.partially_observable != 0:  # any start with either of its replies
        state.start = random_below(rng, 3)
        state.reply = B1 + (state.start + random_below(rng, 2)) % 3
    else:  # either start that has the reply
        state.start = (state.reply - B1 + 2 + random_below(rng, 2)) % 3


@compiled
def figure3_observe(state, action, observer):
    acting = figure3_player(state)
    if acting == ENVIRONMENT or acting == observer:
        return action
    return A_HIDDEN if acting == 0 else B_HIDDEN


def figure3_view(state: Story, observer: int) -> object:
    hidden = bool(state.partially_observable)
    over = state.first == A2 or state.told != 0 or (state.second != 0 and state.reply != B2 and not hidden)
    if over:
        return visible_words(state)
    if observer == 1:
        return visible_words(state, "second" if hidden else None)
    return visible_words(state, "start", "reply" if hidden else None)


def figure3_render(state: Story, observer: int | None = None) -> str:
    return render_words(visible_words(state) if observer is None else figure3_view(state, observer))


def figure3_format_action(state: Story, action: int) -> str:
    if action < E:
        return action_name(action)
    start, rest = divmod(action - E, 6)
    return f"e_{'xyz'[start]},{rest // 2 + 1},{rest % 2 + 3}"


# --- what both show --------------------------------------------------------------------------------------------------


def visible_words(state: Story, *hidden: str | None) -> tuple[int, ...]:
    """The start and what followed; -1 for a hidden one that is not empty."""
    words = {name: int(getattr(state, name)) for name in ("start", "first", "reply", "second", "told")}
    return tuple(-1 if name in hidden and (word or name == "start") else word for name, word in words.items())


def render_words(words: object) -> str:
    assert isinstance(words, tuple)
    start, *actions, _told = words
    return " ".join(["?" if start < 0 else "xyz"[start], *(action_name(a) for a in actions if a)])


def action_name(action: int) -> str:
    return "?" if action < 0 else f"a{action}" if action <= A4 else f"b{action - B1 + 1}"
