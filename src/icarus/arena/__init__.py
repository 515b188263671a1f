"""The arena: players by name, matches, tournaments, the statistics behind them, and the papers' experiments as data."""
