"""General game playing over HTTP: a player, and a manager that referees matches between players.

In reading order: ``messages`` (what managers send), ``rules`` (a match by the rules taken literally), ``tracker`` (one on a
network), ``player`` (what thinks about a match), ``protocol`` (what processes tell each other), ``worker`` (the process that
thinks), ``reasoning`` (the process that knows a legal move), ``match`` (a match as the server sees it), ``server`` (the player),
``record`` and ``manager`` (the referee), ``commands`` (the command line).
"""
