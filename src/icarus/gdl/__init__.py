"""General game playing: rule sheets in the Game Description Language, played at native speed.

In reading order: ``reader`` (text to rules), ``checks`` (what is wrong with a sheet, and where), ``reasoner`` (slow and obvious),
``rule_game`` (what every game of a sheet offers).

With a network: ``ground`` (rules without variables), ``network`` (gates), ``build_process`` (both in a process with limits),
``evaluate`` (256 games at once), ``play`` and ``hidden`` (the functions of such a game), ``game`` (a sheet as a game, whichever
way it is played).

Without one: ``flatten`` (rules over constants), ``relations`` (plans of joins), ``joins`` (deriving facts), ``derive`` and
``derive_hidden`` (the functions of such a game), ``machine`` (the game); and what neither can do is ``interpreted``.
"""
