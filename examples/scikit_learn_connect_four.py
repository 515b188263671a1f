"""A network of scikit-learn for connect four: it learns from self-play, then searches with what it learned.

pip install scikit-learn
python examples/scikit_learn_connect_four.py
"""

from __future__ import annotations

import numpy as np
from sklearn.neural_network import MLPRegressor

import icarus


def nobody_knows(observations, legal):
    return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)


games = list(icarus.selfplay("connect_four", nobody_knows, parallel=32, iterations=32, games=64, seed=1))
observations, policies, values = map(np.concatenate, zip(*(game.arrays() for game in games), strict=True))

network = MLPRegressor(hidden_layer_sizes=(64,), early_stopping=True, random_state=1)
network.fit(observations.reshape(len(observations), -1), np.hstack([np.log(policies + 0.001), values]))


def evaluate(observations, legal):
    said = network.predict(observations.reshape(len(observations), -1))  # rows of numbers, no planes
    return said[:, :7], said[:, 7:].clip(0, 1)  # a regression may go beyond what rewards can be


result = icarus.search("connect_four", evaluator=evaluate, algorithm="puct", iterations=800, batch=16, seed=1)
print(result.best.label, result.iterations)
