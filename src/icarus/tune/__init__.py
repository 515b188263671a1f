"""Which strategy for my game? ``icarus tune``: a space of players, searched with games, raced and confirmed."""
