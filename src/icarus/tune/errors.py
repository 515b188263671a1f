"""What can go wrong in tuning."""

from __future__ import annotations

from icarus.arena.errors import ArenaError


class TuneError(ArenaError):
    """A space, a budget or a stored run that tuning cannot work with: what was given, what was expected, what to do."""
