"""Every game in a few sentences, and the parameters of those that have some: what somebody needs who has never played it."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

from icarus.game import Game
from icarus.loading import GAMES

RULES = {
    "amazons": (
        "Queens move over free squares in any direction, and then shoot an arrow, which flies like a queen and blocks its "
        "square for good. Who cannot move has lost."
    ),
    "atarigo": "Go stones on the crossings; who first takes a stone, by filling the last free crossing beside its group, wins.",
    "backgammon": (
        "Bring your checkers around the board into your home, the six points at the lower right, and then off it; who has "
        "all of them off first wins. Each die moves one checker. A point with two or more checkers of the other side is "
        "closed; a single one there is hit and begins again from the bar."
    ),
    "battleship": (
        "Place your ships, each with a click on its first and its last cell; the opponent does not see them. Then shoot in turn "
        "at cells of the opponent’s board: both are told whether it was water, a hit, or the last cell of a ship. Who sinks all "
        "of the opponent’s ships first wins."
    ),
    "blocks": "Build the towers on the right; only a block with nothing on it moves. The fewer moves, the better.",
    "breakthrough": (
        "Pawns go one square straight or diagonally ahead and capture diagonally. Who reaches the far row, or takes the "
        "last pawn, wins."
    ),
    "checkers": (
        "Men go one square diagonally ahead and capture by jumping, kings go back as well. Who can capture must, and goes "
        "on with the same piece as long as it can. Who cannot move has lost."
    ),
    "confrontation": (
        "Light brings Frodo to Mordor, Dark kills him or brings four characters into the Shire. One character moves ahead "
        "in each turn; nobody sees who the other side's pieces are until they meet. In a battle both sides play a card "
        "face down: the lower sum of strength and card falls. Every character has a power of its own."
    ),
    "clobber": (
        "The board is full of stones. Take one of yours to a square beside it on which a stone of the other colour lies, "
        "and take that off the board. Who cannot move has lost."
    ),
    "connect_four": "Drop a disc into a column; four of yours in a row, in any direction, win.",
    "dark_hex": (
        "Connect your two sides of the board, X top and bottom, O left and right, but you see only your own stones. If you try "
        "a cell that is taken you are told so, and try again; the other player hears nothing of it."
    ),
    "domineering": (
        "Lay dominoes that cover two free squares: one player upright, the other lying. Who has no room for another one "
        "has lost. Click both squares."
    ),
    "doudizhu": (
        "One landlord with twenty cards against two peasants with seventeen each; the side of whoever is rid of all cards "
        "first wins. Play single cards, pairs, trios, runs and more; the others pass or beat it with the same kind, "
        "higher. Four of a kind is a bomb and beats all but a higher one, and both jokers beat everything. Suits do not "
        "matter."
    ),
    "figure3": ("The example of Figure 3 in the paper on information set search: one player does not know where the game began."),
    "go": (
        "Place stones on the crossings. A group without a free crossing beside it is taken off. When both have passed, who "
        "holds more crossings, with stones and around them, wins; White gets a few points for moving second."
    ),
    "goofspiel": (
        "A prize is turned up; both bid one of their cards, each card once, at the same time. The higher bid takes the "
        "prize’s points, equal bids lose it for both. More points win."
    ),
    "hanabi": (
        "All play together, and everybody sees all cards but its own. Tell another player, for a token, which of its cards "
        "have a colour or a rank; discard a card to regain a token; or play one: each firework goes from 1 to 5 in its "
        "colour, and a card that does not fit costs one of three lives. The score is the number of cards played."
    ),
    "havannah": (
        "Place a stone on any free cell. A ring around a cell, a bridge between two corners or a fork between three sides wins."
    ),
    "hearts": (
        "Avoid hearts, one point each, and the queen of spades, thirteen. Three cards are passed on before the play. "
        "Follow suit if you can; the highest card of the suit led takes the trick. Taking all 26 points gives them to the "
        "others instead. The lowest total wins when somebody reaches the limit."
    ),
    "hearts_round": (
        "One round of Hearts: avoid hearts, one point each, and the queen of spades, thirteen. Three cards are passed on "
        "before the play. Follow suit if you can; the highest card of the suit led takes the trick. Taking all 26 points "
        "gives them to the others instead."
    ),
    "hanoi": "Bring the tower to the third peg, disc by disc, never a larger one onto a smaller one, in few moves.",
    "hex": (
        "Place a stone on any free cell. X connects top and bottom, O left and right; one of them always succeeds, and "
        "never both."
    ),
    "kuhn_poker": (
        "Everybody is dealt one card and has put one chip into the pot. Bet one more or pass; after a bet the others call "
        "it (bet) or give up (pass). The highest card among those who have paid takes the pot."
    ),
    "leduc_poker": (
        "Everybody is dealt one of six cards and has put one chip into the pot. Fold, call, or raise: by two chips in the "
        "first round, by four in the second, at most twice in each. Between the rounds a card is laid open: a pair with it "
        "wins, else the higher rank; equal ranks share the pot."
    ),
    "lipschitz": "Halve the interval again and again; what counts is how high the hill is where you end.",
    "left_move": "Step left or right, again and again; every step to the left is a point.",
    "leftmost_path": "Step left or right, again and again; the steps before the first to the right are points.",
    "leftright": "Step left or right, again and again; only steps to the left are rewarded: a game for looking at searches.",
    "liars_dice": (
        "Everybody rolls dice that the others do not see. Bids say how many dice of a face there are among all of them, "
        "each bid higher than the last; the highest face is wild. Who does not believe a bid says liar: then the dice "
        "decide."
    ),
    "lines_of_action": (
        "Bring all your pieces into one group. A piece goes in any direction as far as there are pieces on that line, over "
        "its own but not over others, and captures where it lands."
    ),
    "mancala": (
        "Take all seeds of one of your pits and sow them one by one, counter-clockwise, your store included. The last one "
        "in your store: move again. The last one in an empty pit of yours: the seeds opposite go to your store. More "
        "seeds win."
    ),
    "matching_pennies": (
        "Both show a coin at the same time. The first player wins if they are equal, the second if they differ."
    ),
    "matrix": "Both choose at the same time, one a row and the other a column; the table says what each of them gets.",
    "mnk": "Place a mark on any free cell; so many of yours in a row, in any direction, win.",
    "morpion": (
        "Add a point so that it makes five in a row with four others, in any direction; the line is drawn. Lines in one "
        "direction may not share a point (5D) or a segment (5T). Every line is a point."
    ),
    "nogo": "Go stones on the crossings, and nobody may take a stone, the own ones included. Who cannot move has lost.",
    "oh_hell": (
        "Bid how many tricks you will take; the last to bid may not let the bids add up to the number of tricks. Follow suit if "
        "you can; the highest trump takes the trick, or else the highest card of the suit led. A trick is a point, and a bid "
        "that comes true ten more."
    ),
    "oshi_zumo": (
        "Both bid some of their coins at the same time, and what was bid is gone. The higher bid pushes the wrestler one "
        "place away from the bidder. Who has it in the other's half, or off the field, wins."
    ),
    "othello": (
        "Place a disc so that discs of the other colour lie between it and another of yours, in any direction: they "
        "become yours. Who cannot, passes. More discs win when nobody can move any more."
    ),
    "pgame": "A tree of choices with values at its leaves, drawn at random: a game for looking at searches.",
    "phantom": (
        "So many in a row win, but you see only your own marks. If you try a cell that is taken you are told so, and try "
        "again; the other player hears nothing of it."
    ),
    "phantom_go": (
        "Go on a small board, but you see only your own stones. If you try a crossing that is taken you are told so, and try "
        "again; the other player hears nothing of it. Stones that are taken off are announced. A stone that would leave its own "
        "group without a free crossing beside it may be placed, and the group is taken off."
    ),
    "rock_paper_scissors": "Both show a hand at the same time: rock blunts scissors, scissors cut paper, paper wraps rock.",
    "rock_sample": (
        "Drive the rover over the map, take good rocks (10 points, a bad one costs 10) and leave in the east (10 points). A "
        "check says whether a rock is good, and errs the more often the further away it is. Points later on are worth less."
    ),
    "sailing": (
        "Sail to the opposite corner, waypoint by waypoint. With the wind a leg costs 1, close to it 4, and into it there is no "
        "way; to change the tack costs 3. The wind turns after each leg."
    ),
    "samegame": (
        "Take a group of blocks of one colour: n of them are worth (n - 2)² points. What is above falls, empty columns close. An "
        "empty board is worth 1000 more; what is left costs points."
    ),
    "sat": "Give every variable a value; every clause that holds in the end is a point.",
    "strategy_fusion": (
        "The example of Figure 1 in the paper on information set search: a plan must not rest on what one will not know."
    ),
    "sudoku": (
        "Every row, column and block holds every number once. The cell with the fewest possible numbers is next; "
        "choose one of them."
    ),
    "sum_of_switches": (
        "Take one of the numbers, in turns, until all are taken. The first player wins with a sum that is larger by at "
        "least the half of how many numbers there are."
    ),
    "tron": (
        "Both riders choose a direction at the same time and leave a wall behind them. Who runs into a wall, a trail or the "
        "edge loses; if both do, it is a draw."
    ),
    "tsptw": "Visit every place within its window; who comes early waits. A missed window costs more than any way.",
    "tic_tac_toe": "Place a mark on any free cell; three in a row, in any direction, win.",
}


def rules_of(place: str, game: Game) -> str:
    """A game's rules for people: those above, the first lines of a rule sheet, or what its author wrote."""
    name = place.partition("(")[0].strip()
    if name in RULES:
        return RULES[name]
    if place.endswith(".kif"):
        return opening_comment(Path(place))
    return game.summary


def opening_comment(sheet: Path) -> str:
    """The comment that a rule sheet begins with."""
    lines: list[str] = []
    for line in sheet.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.startswith(";"):
            if lines or line.strip():
                break
            continue
        lines.append(line.lstrip("; "))
    return re.sub(r"\s+", " ", " ".join(lines)).strip()


def parameters_of(place: str) -> dict[str, str]:
    """What may be written behind a built-in game's name: an example with the defaults, and what it means; empty if nothing."""
    name = place.partition("(")[0].strip()
    if name not in GAMES:
        return {}
    module, _, factory_name = GAMES[name].partition(":")
    factory = getattr(importlib.import_module(module), factory_name)
    values = inspect.signature(factory).parameters.values()
    if not values:
        return {}
    shown = ", ".join(f"{value.name}={value.default!r}".replace("'", '"') for value in values)
    return {"example": f"{name}({shown})", "meaning": re.sub(r"\s+", " ", inspect.getdoc(factory) or "").replace("``", "")}
