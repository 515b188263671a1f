"""Is my game any good?  ``icarus playtest``: games between searches, and what they say about length, balance, drama and skill."""
