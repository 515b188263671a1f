"""Play in the browser: ``icarus serve``.

The server is the referee.  It alone holds the true position; a seat's browser gets what the seat may know and nothing else
(``messages.py``), and every move that comes back is checked (``table.py``).  Searches run in a few threads that take turns
(``thinking.py``), so that a page answers at once however many machines think.
"""
