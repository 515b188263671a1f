"""Connect four as a plain Python class: 7 columns, 6 rows, four in a line win.

``icarus search examples/connect_four_class.py --iterations 2000``
"""

COLUMNS, ROWS = 7, 6


class ConnectFour:
    """Drop discs into columns; four in a line win."""

    players = 2
    player_names = ("X", "O")
    max_actions = COLUMNS
    max_plies = COLUMNS * ROWS

    def __init__(self):
        self.columns = [""] * COLUMNS  # the discs of each column from the bottom up
        self.discs = 0
        self.winner = None

    def player(self):
        return self.discs % 2

    def legal(self):
        return [column for column in range(COLUMNS) if len(self.columns[column]) < ROWS]

    def apply(self, column):
        self.columns[column] += "XO"[self.discs % 2]
        if self.in_line(column):
            self.winner = self.discs % 2
        self.discs += 1

    def in_line(self, column):
        """Is the top disc of this column part of four in a line?"""
        row, mark = len(self.columns[column]) - 1, self.columns[column][-1]
        if self.columns[column].endswith(4 * mark):
            return True
        for slope in (-1, 0, 1):
            length = 1
            for step in (-1, 1):
                x, y = column + step, row + step * slope
                while 0 <= x < COLUMNS and 0 <= y < len(self.columns[x]) and self.columns[x][y] == mark:
                    length, x, y = length + 1, x + step, y + step * slope
            if length >= 4:
                return True
        return False

    def terminal(self):
        return self.winner is not None or self.discs == COLUMNS * ROWS

    def rewards(self):
        if self.winner is None:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.winner == 0 else [0.0, 1.0]

    def clone(self):
        twin = ConnectFour()
        twin.columns, twin.discs, twin.winner = self.columns.copy(), self.discs, self.winner
        return twin

    def render(self, observer):
        lines = [" ".join(column[row : row + 1] or "." for column in self.columns) for row in reversed(range(ROWS))]
        return "\n".join([*lines, " ".join(str(column + 1) for column in range(COLUMNS))])

    def format_action(self, column):
        return str(column + 1)
