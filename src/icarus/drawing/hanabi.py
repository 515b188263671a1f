"""Hanabi: the fireworks, the hands with what their holders know, and a button for every action."""

from __future__ import annotations

from icarus.drawing.cards import HEIGHT, WIDTH, at, back, face
from icarus.drawing.kit import PUBLIC, button, caption, choices, panel, words
from icarus.drawing.kit import picture as whole
from icarus.game import ENVIRONMENT, Position
from icarus.games.hanabi import NAMES, RANKS, hand_of, hint_name, is_over

ACROSS = 520.0
ROW = HEIGHT + 34
EACH = 5  #: buttons in a row


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    players = int(state.players)
    high = ROW * (players + 1) + 40
    parts = [panel(8, 8, ACROSS - 16, high, 18, "felt")]
    for colour, height in enumerate(state.fireworks):
        top_card = face(str(int(height)), NAMES[colour]) if height else face("", NAMES[colour], dim=True)
        parts.append(at(24 + (WIDTH + 12) * colour, 20, top_card))
    told = f"{int(state.tokens)} tokens, {int(state.lives)} lives, {int(state.deck_size)} in the deck"
    parts.append(words(told, ACROSS / 2, 20 + HEIGHT + 18, 14, class_="soft"))
    for who in range(players):
        top = ROW * (who + 1) + 40
        acting = not position.is_terminal and position.player == who
        parts.append(
            words(f"{'▸ ' if acting else ''}{position.game.player_labels[who]}", 66, top + HEIGHT / 2, 14, class_="strong")
        )
        for slot, (card, *known) in enumerate(hand_of(state, who)):
            hidden = (observer in (who, PUBLIC)) and not is_over(state)
            shown = back() if hidden else face(str(card % RANKS + 1), NAMES[card // RANKS])
            x = 130 + (WIDTH + 12) * slot
            parts += [at(x, top, shown), words(hint_name(*known), x + WIDTH / 2, top + HEIGHT + 14, 13, class_="soft")]
    offered = list(choices(position, observer).items())
    for i, (action, label) in enumerate(offered):
        parts.append(button(action, label, 14 + 100 * (i % EACH), high + 20 + 42 * (i // EACH), 92))
    down = high + 20 + 42 * -(-len(offered) // EACH) + 24
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, down))
    return whole(position, observer, ACROSS, down + 22, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {}


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        return f"{round(25 * position.rewards()[0])} points"
    if position.player == ENVIRONMENT:
        return "a card is drawn"
    return f"your move ({names[observer]})" if observer == position.player else f"{names[position.player]} to move"
