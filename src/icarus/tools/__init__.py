"""Around the package: what it is measured with (bench), compiled ahead with (warmup) and written down with (playthrough)."""
