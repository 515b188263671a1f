"""General game playing: rule sheets in the Game Description Language, played at native speed.

In reading order: ``reader`` (text to rules), ``checks`` (what is wrong with a sheet, and where), ``reasoner`` (slow and obvious),
``ground`` (rules without variables), ``network`` (gates), ``apart`` (both in a process with limits), ``evaluate`` (256 games at
once), ``game`` (a sheet as an Icarus game).
"""
