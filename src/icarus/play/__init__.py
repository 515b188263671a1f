"""Play on the terminal: ``icarus play GAME``."""
