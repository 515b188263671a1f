"""Actions, outcomes and moves as integers.

A movement, or a retreat, is ``character * 256 + from * 16 + to``.  What the opponent sees of a movement is the same with
``SOMEBODY + side`` in place of the character.
"""

from __future__ import annotations

SOMEBODY = 18

PLAY = 20 << 8  #: + 16 * side + card: play a card
PICK = PLAY + 32  #: + 16 * side + card: the used card that Magic becomes
HIDDEN_CARD = PLAY + 64  #: + side: what the opponent sees of a card that is played face down

DECLINE = 21 << 8  #: leave a text unused
SAM_REPLACES = DECLINE + 1  #: Sam fights in Frodo's place
SHOW_FRODO = DECLINE + 2  #: Sam fights with strength 5
FORBID_CARDS = DECLINE + 3  #: Saruman's text
SHOW_BALROG = DECLINE + 4  #: whoever is in the tunnel falls
FIGHT_FRODO = DECLINE + 5  #: attack Frodo, who is face up
FIGHT_HIDDEN = DECLINE + 6  #: attack one of the others, by chance

MEET = 22 << 8  #: + 32 * Light's fighter + Dark's fighter: the environment reveals who fights, or whom the Balrog caught
SHOWDOWN = 24 << 8  #: + 16 * Light's card + Dark's card: the environment turns the cards up
