"""A whole small AlphaZero for connect four: self-play, learning, a match against UCT, and a network that players can name.

    pip install jax optax onnx onnxruntime
    python examples/alphazero_connect_four.py --minutes 60 --folder connect_four_net
    icarus match connect_four "puct[connect_four_net/net.onnx]@200" uct@1000 --games 100

The network is a residual one of some 70 000 numbers, in plain JAX.  Every few minutes it plays against UCT with five times as
many iterations; the results go to curve.csv, the weights to weights.npz (from where it goes on, if it was interrupted) and to
net.onnx.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

import icarus

CHANNELS, BLOCKS, ROWS, COLUMNS = 32, 2, 6, 7
WINDOW, BATCH = 150_000, 512  # positions that are learned from, and at a time


# --- the network -----------------------------------------------------------------------------------------------------


def new_weights(key):
    keys = iter(jax.random.split(key, 4 + BLOCKS))

    def layer(*shape):
        return jax.random.normal(next(keys), shape) * np.sqrt(2 / np.prod(shape[:-1])), jnp.zeros(shape[-1])

    weights = {"stem": layer(3, 3, 2, CHANNELS)}
    for i in range(BLOCKS):  # the second layer of a block begins with zeros: at first a block changes nothing
        weights[f"block{i}a"] = layer(3, 3, CHANNELS, CHANNELS)
        weights[f"block{i}b"] = jnp.zeros((3, 3, CHANNELS, CHANNELS)), jnp.zeros(CHANNELS)
    weights["policy"] = layer(ROWS * COLUMNS * CHANNELS, COLUMNS)
    weights["hidden"] = layer(ROWS * COLUMNS * CHANNELS, 16)
    weights["value"] = layer(16, 1)
    return weights


def convolve(x, layer):
    return jax.lax.conv_general_dilated(x, layer[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + layer[1]


def network(weights, observations):
    """Logits of the columns, and the logit of winning."""
    x = jax.nn.relu(convolve(observations.transpose(0, 2, 3, 1), weights["stem"]))
    for i in range(BLOCKS):
        x = jax.nn.relu(x + convolve(jax.nn.relu(convolve(x, weights[f"block{i}a"])), weights[f"block{i}b"]))
    x = x.reshape(len(x), -1)
    hidden = jax.nn.relu(x @ weights["hidden"][0] + weights["hidden"][1])
    return x @ weights["policy"][0] + weights["policy"][1], (hidden @ weights["value"][0] + weights["value"][1])[:, 0]


@jax.jit
def predict(weights, observations):
    logits, value = network(weights, observations)
    chance = jax.nn.sigmoid(value)
    return logits, jnp.stack([chance, 1 - chance], axis=1)  # of who acts, and of the other


# --- learning --------------------------------------------------------------------------------------------------------


def loss(weights, observations, policies, values):
    logits, value = network(weights, observations)
    return optax.softmax_cross_entropy(logits, policies).mean() + optax.sigmoid_binary_cross_entropy(value, values).mean()


optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(1e-4))


@jax.jit
def learn(weights, state, rate, observations, policies, values):
    error, slope = jax.value_and_grad(loss)(weights, observations, policies, values)
    steps, state = optimizer.update(slope, state, weights)
    return jax.tree.map(lambda w, step: w - rate * step, weights, steps), state, error


class Buffer:
    """The positions of the last games, each with its mirror image."""

    def __init__(self):
        self.arrays = None

    def add(self, observations, policies, values):
        new = [np.concatenate(pair) for pair in (
            (observations, observations[..., ::-1]), (policies, policies[:, ::-1]), (values[:, 0], values[:, 0])
        )]  # fmt: skip
        self.arrays = [np.concatenate(pair)[-2 * WINDOW :] for pair in zip(self.arrays, new, strict=True)] if self.arrays else new

    def draw(self, rng):
        rows = rng.integers(len(self.arrays[0]), size=BATCH)
        return [array[rows] for array in self.arrays]


# --- playing ---------------------------------------------------------------------------------------------------------


def match(evaluate, games, seed, iterations=200, opponent=1000):
    """The share of points against UCT; pairs of games begin with the same two random moves, from both sides."""
    score = 0.0
    for number in range(games):
        position, rng = icarus.load("connect_four").start(), np.random.default_rng([seed, number // 2])
        for _ in range(2):
            position.apply(int(rng.choice(position.legal())))
        while not position.is_terminal:
            if position.player == number % 2:
                search = icarus.NetworkSearch(position, evaluator=evaluate, batch=8, seed=number)
                position.apply(search.run(iterations=iterations).best.action)
            else:
                position.apply(icarus.search(position, iterations=opponent, seed=1000 * seed + number).best.action)
        score += position.rewards()[number % 2]
    return score / games


def write_onnx(weights, file):
    """The network as a graph of ONNX, so that players can name it; needs the package onnx."""
    from onnx import TensorProto, helper, numpy_helper, save

    nodes, numbers = [], []

    def number(name, array):
        numbers.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    def node(kind, output, *inputs, **options):
        nodes.append(helper.make_node(kind, list(inputs), [output], **options))
        return output

    def convolution(x, name):
        kernel = number(f"{name}.w", np.transpose(weights[name][0], (3, 2, 0, 1)))
        return node("Conv", f"{name}.out", x, kernel, number(f"{name}.b", weights[name][1]), pads=[1, 1, 1, 1])

    def dense(x, name, output):
        return node("Gemm", output, x, number(f"{name}.w", weights[name][0]), number(f"{name}.b", weights[name][1]))

    x = node("Relu", "stem.relu", convolution("observations", "stem"))
    for i in range(BLOCKS):
        y = convolution(node("Relu", f"block{i}.relu", convolution(x, f"block{i}a")), f"block{i}b")
        x = node("Relu", f"block{i}.out", node("Add", f"block{i}.sum", x, y))
    flat = node("Flatten", "flat", node("Transpose", "last", x, perm=[0, 2, 3, 1]))
    dense(flat, "policy", "logits")
    win = node("Sigmoid", "win", dense(node("Relu", "hidden.relu", dense(flat, "hidden", "hidden.out")), "value", "value.out"))
    node("Concat", "values", win, node("Sub", "lose", number("one", [1.0]), win), axis=1)
    shapes = {"observations": ["batch", 2, ROWS, COLUMNS], "logits": ["batch", COLUMNS], "values": ["batch", 2]}
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    graph = helper.make_graph(nodes, "connect_four", ends[:1], ends[1:], numbers)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(file))


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--minutes", type=float, default=60.0)
    options.add_argument("--folder", type=Path, default=Path("connect_four_net"))
    options.add_argument("--parallel", type=int, default=128, help="games at a time")
    options.add_argument("--iterations", type=int, default=32, help="of self-play, for each move")
    options.add_argument("--games", type=int, default=512, help="of self-play between two rounds of learning")
    options.add_argument("--match", type=int, default=40, help="games against UCT, about every five minutes")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kept, curve = given.folder / "weights.npz", given.folder / "curve.csv"
    weights = new_weights(jax.random.key(given.seed))
    if kept.exists():
        with np.load(kept) as arrays:
            weights = {name: (jnp.array(arrays[f"{name}.0"]), jnp.array(arrays[f"{name}.1"])) for name in weights}
    else:
        curve.write_text("minutes,processor_minutes,games,positions,loss,score_against_uct_1000\n")
    state, rng, buffer = optimizer.init(weights), np.random.default_rng(given.seed), Buffer()
    begun, played, positions, next_match = time.time(), 0, 0, 5.0

    def evaluate(observations, legal):
        return predict(weights, observations)  # as they are now: the games under way go on with what was learned

    games = icarus.selfplay(
        "connect_four", evaluate, algorithm="gumbel(c_scale=0.25)", parallel=given.parallel, iterations=given.iterations,
        seed=given.seed + int(begun),
    )  # fmt: skip
    while (minutes := (time.time() - begun) / 60) < given.minutes:
        fresh = [next(games).arrays() for _ in range(given.games)]
        buffer.add(*map(np.concatenate, zip(*fresh, strict=True)))
        played, new = played + len(fresh), sum(len(rows[0]) for rows in fresh)
        positions += new
        rate, errors = 1e-3 * (1.0 if minutes < 0.6 * given.minutes else 0.3 if minutes < 0.85 * given.minutes else 0.1), []
        for _ in range(8 * new // BATCH):
            weights, state, error = learn(weights, state, rate, *buffer.draw(rng))
            errors.append(float(error))
        minutes = (time.time() - begun) / 60
        print(f"{minutes:5.1f} min  {played:6} games  {positions:8} positions  loss {np.mean(errors):.3f}", flush=True)
        if minutes >= next_match or minutes >= given.minutes:
            next_match = minutes + 5
            score = match(evaluate, given.match, seed=played)
            row = f"{minutes:.1f},{time.process_time() / 60:.1f},{played},{positions},{np.mean(errors):.4f},{score:.4f}"
            with curve.open("a") as file:
                file.write(row + "\n")
            print(f"           against uct@1000: {score:.1%} of {given.match} games", flush=True)
        np.savez(kept, **{f"{name}.{i}": np.asarray(array) for name, pair in weights.items() for i, array in enumerate(pair)})
        write_onnx(weights, given.folder / "net.onnx")


if __name__ == "__main__":
    main()
