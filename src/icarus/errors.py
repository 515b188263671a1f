"""What can go wrong, in words for the person who caused it.  The command line prints one line and exits with code 2."""


class IcarusError(Exception):
    """Anything that a user can put right: the message says what was given, what was expected and what to do."""


class GameError(IcarusError):
    """A game that cannot be found, is declared wrongly or breaks its contract while it is played."""


class StrategyError(IcarusError):
    """A strategy expression that does not read, or a combination that has no meaning."""


class SearchError(IcarusError):
    """A search that cannot start: no budget, a finished game, a player that does not exist."""
