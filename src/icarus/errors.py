"""What can go wrong, in words for the person who caused it.  The command line prints one line and exits with code 2."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class IcarusError(Exception):
    """Anything that a user can put right: the message says what was given, what was expected and what to do."""


class GameError(IcarusError):
    """A game that cannot be found, is declared wrongly or breaks its contract while it is played."""


class StrategyError(IcarusError):
    """A strategy expression that does not read, or a combination that has no meaning."""


class SearchError(IcarusError):
    """A search that cannot start: no budget, a finished game, a player that does not exist."""


class MissingPackage(IcarusError):
    """A feature whose packages are not installed; the message says which, and how to get them."""


@contextmanager
def needing(what: str, *packages: str, extra: str) -> Iterator[None]:
    """Around the imports of a feature that not everybody installs: ``with needing("figures", "matplotlib", extra="plot")``."""
    try:
        yield
    except ModuleNotFoundError as problem:
        missing = (problem.name or packages[0]).partition(".")[0]
        how = f"pip install {' '.join(packages)}, or pip install '.[{extra}]' in a clone of Icarus"
        raise MissingPackage(f"{what}: {missing} is not installed; {how}") from None


def line_of(problem: BaseException, *inside: str) -> str:
    """`` (file, line N)``: where it was raised, unless that is in one of our own files; "" if there is no other."""
    trace, found = problem.__traceback__, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file not in inside:
            found = f" ({Path(file).name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return found


def first_line(problem: BaseException) -> str:
    """The kind of a problem and the first line of its message."""
    message = str(problem).strip().partition("\n")[0]
    return ": ".join(part for part in (type(problem).__name__, message) if part)
