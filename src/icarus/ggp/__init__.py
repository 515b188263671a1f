"""General game playing over HTTP: a player, and a manager that referees matches between players.

In reading order: ``messages`` (the protocol), ``rules`` (a match by the rules taken literally), ``course`` (one on a network),
``mind`` (what a player thinks with), ``orders`` (what processes tell each other), ``worker`` (the process that thinks),
``reasoning`` (the process that knows a legal move), ``match`` (a match as the server sees it), ``server`` (the player),
``record`` and ``manager`` (the referee), ``commands`` (the command line).
"""
