"""Hanabi: everybody sees all hands but its own, and all play together for one score.

Cards have five colours and ranks 1 to 5 (three ones, two each of 2, 3 and 4, one five of every colour).  In turn a player

- *discards* a card and regains an information token (not while all eight are there),
- *plays* a card: it continues the firework of its colour, or costs one of three lives; a completed firework regains a token,
- *reveals*, for a token, all cards of a colour or of a rank in another hand, of which there must be at least one.

Who has discarded or played draws; the card goes to the end of the hand.  After the last card of the deck everybody has one more
turn.  Without lives the score is 0, else the sum of the fireworks; the reward of everybody is the score divided by 25.  These
are the rules, actions and numbers of the Hanabi Learning Environment (Bard et al. 2020).

A card is ``5 * colour + rank``, both from 0.  Actions are numbered as there: discard slot, play slot, reveal colour to the player
one, two, ... seats on, reveal rank.  The environment draws ``DRAW + card``.  What was played or discarded everybody sees with the
card (``OPEN + 32 * action + card``), a hint with the slots that it names (``OPEN + 32 * action + slots``), a drawn card everybody
but who draws it (``BLIND``).

*The information set.*  A player knows of its own cards what hints have said and ruled out, and which cards it sees nowhere else.
Cards of a kind are alike, so a hand is as likely as the number of ways to deal it: ``determinize`` draws slot after slot in
proportion to the fitting cards that are left, and accepts with the probability that makes up for the order.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Game, Layout, Word, Words, compiled, random_below, random_unit, size_of

COLOURS, RANKS, KINDS = 5, 5, 25
TOKENS, LIVES = 8, 3
DRAW = 64
OPEN = 1000
BLIND = 8000
ANY = 31  #: all colours, or all ranks
MOST_PLAYERS, LARGEST_HAND = 5, 5
NAMES = "RYGWB"


class Table(Layout):
    players = Word()
    hand = Word()  #: cards of a full hand
    turn = Word()
    drawing = Word()  #: the player whose turn it is draws a card
    tokens = Word()
    lives = Word()
    left = Word()  #: turns left once the deck is empty
    deck_size = Word()
    fireworks = Words(COLOURS)  #: the highest rank played, from 1; 0 none
    deck = Words(KINDS)  #: how many of each are left
    sizes = Words(MOST_PLAYERS)  #: of the hands
    cards = Words(MOST_PLAYERS * LARGEST_HAND)  #: by player and slot
    colours = Words(MOST_PLAYERS * LARGEST_HAND)  #: by player and slot: the colours that it may have as its holder knows, as bits
    ranks = Words(MOST_PLAYERS * LARGEST_HAND)  #: the same for ranks


def hanabi(players: int = 2) -> Game:
    """``players``: 2 to 5; two and three hold five cards, four and five hold four."""
    if not 2 <= players <= MOST_PLAYERS:
        raise GameError(f"Hanabi is for 2 to {MOST_PLAYERS} players, not {players}")
    hand = 5 if players < 4 else 4
    deck = 50 - players * hand
    return Game(
        name=f"hanabi({players})",
        summary=f"{players} players build fireworks together, and everybody sees all cards but its own",
        players=players,
        teams=[0] * players,
        parameters=(players, hand),
        layout=Table,
        state_size=size_of(Table),
        max_actions=max(2 * hand + (players - 1) * (COLOURS + RANKS), KINDS),
        max_plies=deck + 2 * (deck + players) + TOKENS + COLOURS,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample,
        chance=chance,
        determinize=determinize,
        put_back=put_back,
        observe=observe,
        heuristic=heuristic,
        view=view,
        render=render,
        format_action=format_action,
        format_move=format_move,
    )


@compiled
def initial(state, rng):
    state.tokens = TOKENS
    state.lives = LIVES
    state.left = state.players
    for kind in range(KINDS):
        rank = kind % RANKS
        state.deck[kind] = 3 if rank == 0 else 1 if rank == 4 else 2
    state.deck_size = 50
    for who in range(state.players):
        for _ in range(state.hand):
            take(state, who, random_kind(state, rng))


@compiled
def random_kind(state, rng):
    """A card of the deck."""
    skip = random_below(rng, state.deck_size)
    kind = 0
    while skip >= state.deck[kind]:
        skip -= state.deck[kind]
        kind += 1
    return kind


@compiled
def take(state, who, kind):
    """A card of the deck goes to the end of a hand."""
    slot = who * LARGEST_HAND + state.sizes[who]
    state.cards[slot] = kind
    state.colours[slot] = ANY
    state.ranks[slot] = ANY
    state.sizes[who] += 1
    state.deck[kind] -= 1
    state.deck_size -= 1


@compiled
def player(state):
    return ENVIRONMENT if state.drawing else state.turn


@compiled
def fits(state, who, value, by_rank):
    """The slots of a hand that have a colour or a rank, as bits."""
    found = 0
    for slot in range(state.sizes[who]):
        kind = state.cards[who * LARGEST_HAND + slot]
        if (kind % RANKS if by_rank else kind // RANKS) == value:
            found |= 1 << slot
    return found


@compiled
def legal(state, actions):
    count = 0
    if state.drawing:
        for kind in range(KINDS):
            if state.deck[kind] > 0:
                actions[count] = DRAW + kind
                count += 1
        return count
    size = state.sizes[state.turn]
    if state.tokens < TOKENS:
        for slot in range(size):
            actions[count] = slot
            count += 1
    for slot in range(size):
        actions[count] = state.hand + slot
        count += 1
    if state.tokens > 0:
        first = 2 * state.hand
        for by_rank in range(2):
            for away in range(1, state.players):
                who = (state.turn + away) % state.players
                for value in range(5):
                    if fits(state, who, value, by_rank) != 0:
                        actions[count] = first + (away - 1) * 5 + value
                        count += 1
            first += 5 * (state.players - 1)
    return count


@compiled
def hinted(state, action):
    """Whom a hint is for, the value, and whether it is a rank."""
    number = action - 2 * state.hand
    by_rank = number // (5 * (state.players - 1))
    number -= by_rank * 5 * (state.players - 1)
    return (state.turn + 1 + number // 5) % state.players, number % 5, by_rank


@compiled
def sample(state, rng):
    return DRAW + random_kind(state, rng)


@compiled
def chance(state, probabilities):
    count = 0
    for kind in range(KINDS):
        if state.deck[kind] > 0:
            probabilities[count] = state.deck[kind] / state.deck_size
            count += 1
    return count


@compiled
def apply(state, action):
    if action >= DRAW:
        take(state, state.turn, action - DRAW)
        state.drawing = 0
        pass_on(state)
        return
    if state.deck_size == 0:
        state.left -= 1
    if action >= 2 * state.hand:
        reveal(state, action)
        pass_on(state)
        return
    slot = action % state.hand
    kind = state.cards[state.turn * LARGEST_HAND + slot]
    if action < state.hand:
        state.tokens += 1
    else:
        play(state, kind)
    remove(state, state.turn, slot)
    if state.deck_size > 0 and not terminal(state):
        state.drawing = 1
    else:
        pass_on(state)


@compiled
def pass_on(state):
    state.turn = (state.turn + 1) % state.players


@compiled
def play(state, kind):
    colour, rank = kind // RANKS, kind % RANKS
    if state.fireworks[colour] == rank:
        state.fireworks[colour] = rank + 1
        if rank == 4 and state.tokens < TOKENS:
            state.tokens += 1
    else:
        state.lives -= 1


@compiled
def remove(state, who, slot):
    """The cards behind it move up."""
    first = who * LARGEST_HAND
    state.sizes[who] -= 1
    for place in range(first + slot, first + state.sizes[who]):
        state.cards[place] = state.cards[place + 1]
        state.colours[place] = state.colours[place + 1]
        state.ranks[place] = state.ranks[place + 1]
    last = first + state.sizes[who]
    state.cards[last] = 0
    state.colours[last] = 0
    state.ranks[last] = 0


@compiled
def reveal(state, action):
    who, value, by_rank = hinted(state, action)
    state.tokens -= 1
    found = fits(state, who, value, by_rank)
    for slot in range(state.sizes[who]):
        known = 1 << value if (found >> slot) & 1 else ~(1 << value)
        place = who * LARGEST_HAND + slot
        if by_rank:
            state.ranks[place] &= known
        else:
            state.colours[place] &= known


@compiled
def score(state):
    total = 0
    for colour in range(COLOURS):
        total += state.fireworks[colour]
    return total if state.lives > 0 else 0


@compiled
def terminal(state):
    return state.lives == 0 or state.left == 0 or score(state) == KINDS


@compiled
def rewards(state, out):
    for who in range(state.players):
        out[who] = score(state) / KINDS


@compiled
def observe(state, action, observer):
    if action >= DRAW:
        return BLIND if observer == state.turn else action
    if action >= 2 * state.hand:
        who, value, by_rank = hinted(state, action)
        return OPEN + 32 * action + fits(state, who, value, by_rank)
    return OPEN + 32 * action + state.cards[state.turn * LARGEST_HAND + action % state.hand]


@compiled
def may_be(state, place, kind):
    """Does a card fit what is known of a slot?"""
    return (state.colours[place] >> (kind // RANKS)) & 1 == 1 and (state.ranks[place] >> (kind % RANKS)) & 1 == 1


@compiled
def fitting(state, place):
    """How many cards of the deck fit what is known of a slot."""
    found = 0
    for kind in range(KINDS):
        if may_be(state, place, kind):
            found += state.deck[kind]
    return found


@compiled
def determinize(state, observer, rng):
    if terminal(state):
        return
    first, size = observer * LARGEST_HAND, state.sizes[observer]
    for place in range(first, first + size):
        state.deck[state.cards[place]] += 1
    most = 1.0
    for place in range(first, first + size):
        most *= fitting(state, place)
    while True:
        ways = 1.0
        dealt = 0
        for place in range(first, first + size):
            number = fitting(state, place)
            ways *= number
            if number == 0:
                break
            skip = random_below(rng, number)
            kind = -1
            while skip >= 0:
                kind += 1
                if may_be(state, place, kind):
                    skip -= state.deck[kind]
            state.cards[place] = kind
            state.deck[kind] -= 1
            dealt += 1
        if dealt == size and random_unit(rng) * most < ways:
            return
        for place in range(first, first + dealt):
            state.deck[state.cards[place]] += 1


@compiled
def put_back(state, before, action):
    """All but the card that was played or discarded, which everybody has seen: if the true hand held it elsewhere, nothing is put
    back."""
    was = Table(before)
    first, size = was.turn * LARGEST_HAND, was.sizes[was.turn]
    used = size if action >= 2 * was.hand else action % was.hand
    for place in range(first, first + state.sizes[was.turn]):
        state.deck[state.cards[place]] += 1
    possible = True
    for slot in range(size):
        if slot != used:
            state.deck[was.cards[first + slot]] -= 1
            possible = possible and state.deck[was.cards[first + slot]] >= 0
    if possible:
        for slot in range(size):
            if slot != used:
                state.cards[first + slot - (slot > used)] = was.cards[first + slot]
        return
    for slot in range(size):
        if slot != used:
            state.deck[was.cards[first + slot]] += 1
    for place in range(first, first + state.sizes[was.turn]):
        state.deck[state.cards[place]] -= 1


@compiled
def playable_share(state, place):
    """How many of the kinds that a card may be, as its holder knows, would continue a firework."""
    kinds, playable = 0, 0
    for kind in range(KINDS):
        if may_be(state, place, kind):
            kinds += 1
            playable += state.fireworks[kind // RANKS] == kind % RANKS
    return playable / kinds if kinds > 0 else 0.0


@compiled
def heuristic(state, action):
    """Play what surely fits, tell of what fits, else discard; random play loses all lives, and with them the score."""
    if action >= 2 * state.hand:
        who, value, by_rank = hinted(state, action)
        found, best = fits(state, who, value, by_rank), 0.1
        for slot in range(state.sizes[who]):
            place = who * LARGEST_HAND + slot
            kind = state.cards[place]
            if (found >> slot) & 1 and state.fireworks[kind // RANKS] == kind % RANKS and playable_share(state, place) < 1.0:
                best = 0.7
        return best
    if action < state.hand:
        return 0.4 if action == 0 else 0.2
    share = playable_share(state, state.turn * LARGEST_HAND + action % state.hand)
    return 1.0 if share == 1.0 else 0.6 if share > 0.6 and state.lives > 1 else 0.0


def is_over(state: Table) -> bool:
    total = sum(int(height) for height in state.fireworks) if state.lives > 0 else 0
    return bool(state.lives == 0 or state.left == 0 or total == KINDS)


def card_name(kind: int) -> str:
    return NAMES[kind // RANKS] + str(kind % RANKS + 1)


def hint_name(colours: int, ranks: int) -> str:
    """What a holder knows of a card: ``R?`` is red, ``?2`` a two, ``??`` anything."""
    return (NAMES[colours.bit_length() - 1] if colours.bit_count() == 1 else "?") + (
        str(ranks.bit_length()) if ranks.bit_count() == 1 else "?"
    )


def hand_of(state: Table, who: int) -> list[tuple[int, int, int]]:
    """The cards of a hand, each with what its holder knows of it."""
    places = range(who * LARGEST_HAND, who * LARGEST_HAND + int(state.sizes[who]))
    return [(int(state.cards[p]), int(state.colours[p]), int(state.ranks[p])) for p in places]


def view(state: Table, observer: int) -> object:
    table = tuple(map(int, (state.turn, state.drawing, state.tokens, state.lives, state.left, state.deck_size)))
    hands = []
    gone = [3 if kind % RANKS == 0 else 1 if kind % RANKS == 4 else 2 for kind in range(KINDS)]
    for who in range(int(state.players)):
        shown = who != observer or is_over(state)
        hands.append(tuple((card if shown else -1, *known) for card, *known in hand_of(state, who)))
        for card, *_ in hand_of(state, who):
            gone[card] -= 1
    played = tuple(count - int(left) for count, left in zip(gone, state.deck, strict=True))  # lie open on the table
    return table, tuple(map(int, state.fireworks)), played, tuple(hands)


def render(state: Table, observer: int | None = None) -> str:
    lines = [
        " ".join(f"{name}{int(height)}" for name, height in zip(NAMES, state.fireworks, strict=True))
        + f"; {int(state.tokens)} tokens, {int(state.lives)} lives, {int(state.deck_size)} cards in the deck"
    ]
    for who in range(int(state.players)):
        shown = observer is None or who != observer or is_over(state)
        cards = (f"{card_name(card) if shown else '--'}({hint_name(*known)})" for card, *known in hand_of(state, who))
        lines.append(f"player {who + 1}: " + " ".join(cards))
    return "\n".join(lines)


def format_action(state: Table, action: int) -> str:
    if action >= DRAW:
        return f"draws {card_name(action - DRAW)}"
    hand, others = int(state.hand), int(state.players) - 1
    if action < 2 * hand:
        return f"{'discard' if action < hand else 'play'} {action % hand + 1}"
    number = action - 2 * hand
    by_rank, number = divmod(number, 5 * others)
    who = (int(state.turn) + 1 + number // 5) % int(state.players)
    return f"tell {who + 1} {number % 5 + 1 if by_rank else NAMES[number % 5]}"


def format_move(state: Table, move: int, observer: int) -> str:
    return "a card, unseen" if move == BLIND else format_action(state, move if move < OPEN else (move - OPEN) // 32)
