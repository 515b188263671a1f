"""General game playing over HTTP: a player, and a manager that referees matches between players.

In reading order: ``messages`` (the protocol), ``course`` (a match as the rules see it), ``mind`` (what a player thinks with),
``worker`` (the process that thinks), ``match`` (a match as the player's server sees it), ``server`` (the player), ``record`` and
``manager`` (the referee), ``commands`` (the command line).
"""
