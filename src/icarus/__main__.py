"""``python -m icarus`` is the command ``icarus``."""

from icarus.cli import main

main()
