"""Lord of the Rings: The Confrontation (R. Knizia, 2002), classic characters, as ismcts-2012 (section V) plays it.

Light (player 0) wants to bring Frodo to Mordor, Dark (player 1) wants to kill him.  Each side has nine characters whose names
are hidden from the other side, and nine combat cards.  Dark begins.  In a turn one character goes to an adjacent region
forward (see ``board.py``); Light may also go down the river Anduin and through the tunnel of Moria.  The Shire and Mordor hold
four characters of a side, a mountain one, any other region two.

Battle.  Whoever enters a region with enemies attacks them, one after the other, until one side is alone there.  The environment
reveals the attacker and a defender drawn at random.  Light's character text comes first, then Dark's; then each side plays a
card face down (Dark is asked first) and the environment turns them up: text cards work before numbers, Dark's before Light's.
Then the lower sum of strength and number falls, with a tie both.  Used cards lie open until all nine are used.

Characters (strength).  Frodo (1): attacked, may retreat sideways.  Sam (2): defending beside Frodo, may show him for strength
5, or fight in his place.  Pippin (1): attacking, may retreat backwards.  Merry (2), Legolas (3), Gimli (3): defeat the Witch
King, the Flying Nazgul, the Orcs.  Gandalf (5): Dark plays its card openly, and first.  Aragorn (4): may attack any adjacent
region.  Boromir (0): both fall.  Orcs (2): attacking, defeat their first enemy of the turn.  Shelob (5): returns to Gondor
after a victory.  Saruman (4): may forbid cards.  Flying Nazgul (3): may attack a lone character anywhere.  Balrog (5): in
Moria, kills whoever uses the tunnel.  Warg (2): the enemy has no text.  Black Rider (3): may go forward any distance to
attack.  Witch King (5): may attack sideways.  Cave Troll (9): Dark's card does nothing.

Cards.  Light: 1-5, Retreat (backwards), Magic (works as a used card), Noble Sacrifice (both fall), Elven Cloak (Dark's number
does not count).  Dark: 1-6, Retreat (sideways), Magic, the Eye of Sauron (Light's text card does nothing).

Winning.  Light: Frodo enters Mordor (whoever is there), the last Dark character falls, or Dark cannot move.  Dark: Frodo
falls, four Dark characters are in the Shire, or Light cannot move.  The box has three in the Shire and no win by extermination
(without characters Dark loses only when it has to move): ``confrontation(shire=3, extermination=False)``.

Set-up.  ``"fixed"``: a placement by hand, the same in every game, which the opponent does not know.  ``"random"``: any of the
15 120 placements of each side.  ``"constrained"``: random, but Frodo, Sam and the Balrog are at home and everybody knows it.
``"varied"``: for each side one of four placements by hand, which the opponent does not know either, so that a game against people
is not always the same.

Choices where the sources are silent or differ

- A game that is not over after 200 turns (of both sides together) is lost for Light.  Without such a rule a game could go on
  for ever, but only if Light goes on using both Pippin's retreat and Frodo's from the Flying Nazgul or the Witch King.
- Frodo's death counts before that of the last Dark character.
- Between turns no region holds both sides, so whether Dark's pieces count in a Shire that Light still holds never arises.
- A retreat needs an adjacent region in its direction without enemies and with room; the owner chooses.  Light's backwards
  retreats follow the grid, never river or tunnel; sideways retreats may go upstream.  Without such a region the card is worth 0
  and the fight goes on; so Noble Sacrifice kills both if Dark's Retreat finds no way.
- Both sides play Retreat: both move, Dark first.  Once Dark has retreated no other card of Light does anything, not even Magic.
- Against Gandalf, Dark's Magic becomes another card before Light plays; Retreat moves Dark after Light has played.
- Magic becomes a card used before this fight.  That card stays among the used ones, and Magic goes there as well.
- Dark's Magic that becomes the Eye works against Light's Magic.
- If Saruman forbids cards nobody plays or loses a card; Sam keeps the strength that Frodo gave him.
- Sam who meets Orcs that strike at once is not asked whether to show Frodo, for strength is of no use to him.
- An enemy who is face up from an earlier fight of the turn may be chosen by the attacker.  (That can only be Frodo in the Shire,
  shown for Sam's sake.)  A hidden enemy is drawn at random among the hidden ones.
- Whether to show Sam, Frodo or the Balrog is asked whenever the opponent must reckon with that character there, so that the
  question itself betrays nothing.  Only Frodo, Sam, Pippin, Saruman and the Balrog may leave their texts unused.
- Such a question may leave nothing to choose but "no".  It is answered all the same, and nobody has lost by that: to be unable
  to move loses a game at the beginning of one's own turn only.  So Orcs that meet Frodo without a way out, beside a piece that
  could be Sam and is not, kill him after that answer, and no card is played; where all know that Sam is elsewhere, at once.
- Whom the Balrog catches is revealed.
- Shelob returns at once, even if enemies remain; she falls if Gondor holds Light or two other Dark characters.

Hidden information.  What the opponent can conclude is part of the state: for each piece the set of characters that it can be,
and pieces in one region mix their sets when one of them leaves (``position.py``).  A determinization is uniform over all
arrangements that agree with these sets (``identities.py``).  The sets always contain the exact information set.  In random games
of the fixed, the varied and the random set-up they equal it.  In the constrained one they equal it nine times out of ten, and
admit two per cent more arrangements on average: a piece that left the Shire can be Frodo, or Sam, but sets do not say that it is
not both.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, size_of
from icarus.games.confrontation.battle import TURN_LIMIT
from icarus.games.confrontation.identities import determinize
from icarus.games.confrontation.people import PLAYERS, SETUPS, format_action, format_move, parse_action, render, unveils, view
from icarus.games.confrontation.play import (
    apply,
    chance,
    episode,
    initial,
    legal,
    observe,
    rewards,
    sample,
    simultaneous,
    terminal,
)
from icarus.games.confrontation.playouts import playout
from icarus.games.confrontation.position import Situation, player

__all__ = ["confrontation"]

#: Dark has the most: nine characters with two ways forward, nine lone enemies for the Flying Nazgul, nine regions in the Black
#: Rider's reach, two beside the Witch King
MAX_ACTIONS = 9 * 2 + 9 + 9 + 2
#: A fight that kills, or in which a Retreat moves somebody, takes at most 10 plies: CHOOSE_ENEMY, REVEAL, LIGHT_TEXT,
#: SARUMANS_TEXT, two cards, REVEAL_CARDS and three decisions about text cards.  At most 17 characters fall; of nine card fights
#: at most four have a retreat instead (each side's Retreat and Magic), so there are at most 16 such.  All other fights end with
#: Pippin's or Frodo's text, one in a turn, after 2 plies; the move itself and the tunnel are 2 more.
MAX_PLIES = 4 * TURN_LIMIT + 10 * (17 + 16)


def confrontation(setup: str = "fixed", shire: int = 4, extermination: bool = True) -> Game:
    """``setup`` is "fixed", "varied", "random" or "constrained"; Dark wins with ``shire`` (1-4) characters in the Shire; Light
    wins with the death of the last Dark character if ``extermination``."""
    if setup not in SETUPS:
        raise GameError(f"setup={setup!r} is not known; use one of {', '.join(map(repr, SETUPS))}")
    if not isinstance(shire, int) or not 1 <= shire <= 4:
        raise GameError(f"shire={shire!r} Dark characters cannot win in the Shire; use 1 to 4")
    options = [f'setup="{setup}"'] if setup != "fixed" else []
    options += [f"shire={shire}"] if shire != 4 else []
    options += ["extermination=False"] if not extermination else []
    return Game(
        name="confrontation" + (f"({', '.join(options)})" if options else ""),
        summary="Lord of the Rings: The Confrontation, hidden characters and simultaneous combat cards",
        players=2,
        parameters=(shire, int(extermination), SETUPS.index(setup)),
        layout=Situation,
        state_size=size_of(Situation),
        max_actions=MAX_ACTIONS,
        max_plies=MAX_PLIES,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample,
        chance=chance,
        determinize=determinize,
        observe=observe,
        simultaneous=simultaneous,
        episode=episode,
        playout=playout,
        view=view,
        render=render,
        format_action=format_action,
        format_move=format_move,
        unveils=unveils,
        parse_action=parse_action,
        player_names=PLAYERS,
        player_colours=("gold", "black"),
    )
