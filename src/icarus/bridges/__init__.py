"""Icarus beside what people already have: OpenSpiel, PettingZoo, and programs in any language.

``openspiel``: every OpenSpiel game as a game of Icarus, named ``openspiel:NAME``.  ``bot``: Icarus as an OpenSpiel bot.
``pettingzoo``: every game of Icarus as a PettingZoo environment.  ``engine``: lines of JSON on standard input and output.
"""
