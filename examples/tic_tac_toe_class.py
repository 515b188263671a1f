"""Tic-tac-toe as a plain Python class, with nothing in it about search.  Try:

``icarus search examples/tic_tac_toe_class.py --iterations 2000``, ``icarus check examples/tic_tac_toe_class.py``,
``icarus serve examples/tic_tac_toe_class.py``
"""

from icarus.drawing import Grid

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Three in a row on a board of 3 x 3."""

    players = 2
    player_names = ("X", "O")
    max_actions = 9
    max_plies = 9

    def __init__(self):
        self.board = ["."] * 9
        self.turn = 0
        self.winner = None

    def player(self):
        return self.turn

    def legal(self):
        return [cell for cell, mark in enumerate(self.board) if mark == "."]

    def apply(self, cell):
        mark = "XO"[self.turn]
        self.board[cell] = mark
        if any(all(self.board[i] == mark for i in line) for line in LINES if cell in line):
            self.winner = self.turn
        self.turn = 1 - self.turn

    def terminal(self):
        return self.winner is not None or "." not in self.board

    def rewards(self):
        if self.winner is None:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.winner == 0 else [0.0, 1.0]

    def clone(self):
        twin = TicTacToe()
        twin.board, twin.turn, twin.winner = self.board.copy(), self.turn, self.winner
        return twin

    def render(self, observer):
        return "\n".join("  ".join(self.board[row : row + 3]) for row in (0, 3, 6))

    def draw(self, observer):
        return Grid([self.board[row : row + 3] for row in (0, 3, 6)], clicks=lambda cell: divmod(cell, 3))
