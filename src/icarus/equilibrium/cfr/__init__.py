"""Monte Carlo counterfactual regret minimization: its memory, what players know, the table of information sets, the two walks."""
