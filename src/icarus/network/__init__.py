"""Networks: searches that ask an evaluator in batches, and games that they play against themselves.

algorithm  puct and gumbel, with their parameters
encoding   what a network is shown of a game, and which logit belongs to which action
evaluator  calling it, and what can be wrong with what it says
halving    the schedule of sequential halving
searching  a search of one position
selfplay   many games at a time
onnx       networks in files
"""
