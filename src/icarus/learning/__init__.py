"""Learning weights for a game's features: playouts by policy gradient and simulation balancing, evaluations by TD(lambda)."""
