"""Networks: how much of a network's own speed self-play keeps, and self-play beside mctx and pgx, as ratios within one run.

    pip install jax optax mctx pgx
    python benchmarks/networks.py [--seconds 4] [--json]

| measured | limit |
| --- | --- |
| evaluations a second of self-play ÷ what the network does alone at that batch size (residual, 85 056 numbers) | 0.9 |
| self-play in connect four, games a second ÷ mctx + pgx with the same network, 32 iterations, 64 games at a time | 1.1 |
| the same with a network of one small layer | 10 |
| the tree alone (a compiled evaluator that returns zeros), iterations a second ÷ mctx alone, 64 games at a time | 3 |

Self-play is counted in moves, since games that end within a few seconds are the short ones; at equally long games the ratio is
that of games. Both play with the same untrained weights on the processor; mctx searches with its own gumbel_muzero_policy, pgx
plays. In the last two rows this library asks a compiled evaluator (icarus.CompiledEvaluator): the same small layer with the same
weights, which is compared with JAX's first, or zeros; mctx has the network compiled into its search as well. "From Python" is the
small layer as a JAX function, for comparison. The tree's row plays whole games, mctx's has neither game nor network. All have the
same processors: self-play a thread for each, JAX its own pool. What is not installed is skipped in one line.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import icarus

GAMES, ITERATIONS, CHANNELS, BLOCKS = 64, 32, 32, 4
TURNS = 4  #: of self-play and the network alone
LIMITS = {"network": 0.9, "games": 1.1, "small": 10.0, "small, from Python": 0.0, "tree": 3.0}
TOLD = {
    "network": "self-play's evaluations/s ÷ the network alone",
    "games": "self-play's moves/s ÷ mctx + pgx, the same network",
    "small": "self-play's moves/s ÷ mctx + pgx, one small layer",
    "small, from Python": "the same, the layer as a JAX function",
    "tree": "iterations/s ÷ mctx, no network",
}


# --- networks --------------------------------------------------------------------------------------------------------


def residual() -> tuple[Any, Callable[..., Any]]:
    """A residual network: weights, and a function of weights and observations [B, 6, 7, 2]."""
    import jax
    import jax.numpy as jnp

    keys = iter(jax.random.split(jax.random.key(1), 2 * BLOCKS + 3))

    def layer(*shape: int) -> Any:
        return jax.random.normal(next(keys), shape) * np.sqrt(2 / np.prod(shape[:-1])) * 0.5

    weights = {
        "stem": layer(3, 3, 2, CHANNELS),
        "blocks": [(layer(3, 3, CHANNELS, CHANNELS), layer(3, 3, CHANNELS, CHANNELS)) for _ in range(BLOCKS)],
        "policy": layer(42 * CHANNELS, 7),
        "value": layer(42 * CHANNELS, 1),
    }

    def convolve(x: Any, kernel: Any) -> Any:
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def network(weights: Any, x: Any) -> Any:
        x = jax.nn.relu(convolve(x, weights["stem"]))
        for first, second in weights["blocks"]:
            x = jax.nn.relu(x + convolve(jax.nn.relu(convolve(x, first)), second))
        x = x.reshape(len(x), -1)
        return x @ weights["policy"], jnp.tanh(x @ weights["value"])[:, 0]

    return weights, network


def small() -> tuple[Any, Callable[..., Any]]:
    """One small layer."""
    import jax
    import jax.numpy as jnp

    weights = jax.random.normal(jax.random.key(1), (84, 8)) * 0.1

    def network(weights: Any, x: Any) -> Any:
        y = x.reshape(len(x), -1) @ weights
        return y[:, :7], jnp.tanh(y[:, 7])

    return weights, network


def size_of(weights: Any) -> int:
    import jax

    return sum(array.size for array in jax.tree.leaves(weights))


# --- this library ----------------------------------------------------------------------------------------------------


def evaluator(weights: Any, network: Callable[..., Any]) -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def evaluate(weights: Any, observations: Any) -> Any:
        logits, value = network(weights, observations.transpose(0, 2, 3, 1))
        win = (value + 1) / 2
        return logits, jnp.stack([win, 1 - win], axis=1)

    return lambda observations, legal: evaluate(weights, observations)


def self_play(evaluate: Callable[..., Any], seconds: float) -> dict[str, float]:
    """Evaluations, iterations, games and moves a second."""
    games = icarus.selfplay("connect_four", evaluate, algorithm="gumbel", parallel=GAMES, iterations=ITERATIONS, seed=1)
    for _ in range(2 * ITERATIONS):
        games.round()
    control = games.forest.control
    before = int(control.evaluations), int(control.iterations)
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        for _ in range(8):
            games.round()
        while control.finished:
            next(games)
    spent = time.perf_counter() - begun
    iterations = (int(control.iterations) - before[1]) / spent
    return {
        "evaluations/s": (int(control.evaluations) - before[0]) / spent,
        "iterations/s": iterations,
        "moves/s": iterations / ITERATIONS,
    }


def compiled_self_play(evaluate: icarus.CompiledEvaluator, seconds: float) -> dict[str, float]:
    """The same of an evaluator that the kernel asks itself: games that are finished, with all that is read of them."""
    games = icarus.selfplay("connect_four", evaluate, algorithm="gumbel", parallel=GAMES, iterations=ITERATIONS, seed=1)
    for _ in range(4 * GAMES):
        next(games)
    begun, moves = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        for _ in range(GAMES):
            moves += len(next(games))
    rate = moves / (time.perf_counter() - begun)
    return {"moves/s": rate, "iterations/s": ITERATIONS * rate}


def small_layer(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    """The small layer for one position; its weights output by output, and four outputs for every look at the observation."""
    for first in range(0, 8, 4):
        a = b = c = d = np.float32(0.0)
        for i in range(84):
            seen, place = observation[i], 84 * first + i
            a += seen * weights[place]
            b += seen * weights[place + 84]
            c += seen * weights[place + 168]
            d += seen * weights[place + 252]
        logits[first] = a
        logits[first + 1] = b
        logits[first + 2] = c
        if first == 0:
            logits[3] = d
        else:
            values[0] = 1.0 / (1.0 + math.exp(-2.0 * d))  # (tanh + 1) / 2
    values[1] = 1.0 - values[0]


def no_network(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    for action in range(7):
        logits[action] = 0.0
    values[0] = 0.0
    values[1] = 0.0


def compiled_layer(weights: Any, evaluate: Callable[..., Any]) -> icarus.CompiledEvaluator:
    """The small layer as a compiled evaluator, after a look at whether it says the same."""
    # JAX's network is shown planes last, this one planes first
    found = icarus.CompiledEvaluator(small_layer, np.asarray(weights).reshape(42, 2, 8).transpose(2, 1, 0))
    rows = np.random.default_rng(1).integers(0, 2, (GAMES, 2, 6, 7)).astype(np.float32)
    logits, values = np.zeros(7, np.float32), np.zeros(2, np.float32)
    for row, wanted_logits, wanted_values in zip(rows, *map(np.asarray, evaluate(rows, None)), strict=True):
        small_layer(found.weights.reshape(-1), row.reshape(-1), None, logits, values)
        assert np.allclose(logits, wanted_logits, atol=1e-4)
        assert np.allclose(values, wanted_values, atol=1e-4)
    return found


def alone(evaluate: Callable[..., Any], seconds: float) -> float:
    """Evaluations a second of a network that is called with full batches and nothing else."""
    rows = np.random.default_rng(1).integers(0, 2, (GAMES, 2, 6, 7)).astype(np.float32)
    legal, calls = np.ones((GAMES, 7), np.bool_), 0
    np.asarray(evaluate(rows, legal)[0])
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        logits, values = evaluate(rows, legal)
        np.asarray(logits), np.asarray(values)
        calls += 1
    return GAMES * calls / (time.perf_counter() - begun)


# --- mctx and pgx ----------------------------------------------------------------------------------------------------


def mctx_with_pgx(weights: Any, network: Callable[..., Any], seconds: float) -> dict[str, float]:
    """Games a second, each move by a search of mctx; a game that is over begins anew."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make("connect_four")
    begin, step = jax.vmap(env.init), jax.vmap(env.step)

    def recurrent(weights: Any, key: Any, action: Any, state: Any) -> Any:
        mover = state.current_player
        state = step(state, action)
        logits, value = network(weights, state.observation.astype(jnp.float32))
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        reward = state.rewards[jnp.arange(GAMES), mover]
        over = state.terminated
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=jnp.where(over, 0.0, -1.0), prior_logits=logits, value=jnp.where(over, 0.0, value)
        )
        return output, state

    @jax.jit
    def move(weights: Any, key: Any, state: Any) -> Any:
        first, second = jax.random.split(key)
        logits, value = network(weights, state.observation.astype(jnp.float32))
        found = mctx.gumbel_muzero_policy(
            params=weights,
            rng_key=first,
            root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
            recurrent_fn=recurrent,
            num_simulations=ITERATIONS,
            invalid_actions=~state.legal_action_mask,
            max_num_considered_actions=16,
        )
        after = step(state, found.action)
        over = after.terminated
        fresh = begin(jax.random.split(second, GAMES))
        return jax.tree.map(lambda a, b: jnp.where(over.reshape(-1, *[1] * (a.ndim - 1)), a, b), fresh, after), over.sum()

    state = jax.jit(begin)(jax.random.split(jax.random.key(2), GAMES))
    for i in range(30):  # games are then at all their stages
        state, _ = jax.block_until_ready(move(weights, jax.random.key(i), state))
    begun, moves = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        state, over = move(weights, jax.random.key(1000 + moves), state)
        int(over)
        moves += GAMES
    return {"moves/s": moves / (time.perf_counter() - begun)}


def mctx_alone(seconds: float) -> float:
    """Iterations a second of mctx where neither a game nor a network takes time."""
    import jax
    import jax.numpy as jnp
    import mctx

    def recurrent(weights: Any, key: Any, action: Any, embedding: Any) -> Any:
        zeros = jnp.zeros(GAMES)
        return mctx.RecurrentFnOutput(
            reward=zeros, discount=zeros - 1, prior_logits=jnp.zeros((GAMES, 7)), value=zeros
        ), embedding

    @jax.jit
    def move(key: Any) -> Any:
        root = mctx.RootFnOutput(prior_logits=jnp.zeros((GAMES, 7)), value=jnp.zeros(GAMES), embedding=jnp.zeros(GAMES))
        return mctx.gumbel_muzero_policy(
            params=(), rng_key=key, root=root, recurrent_fn=recurrent, num_simulations=ITERATIONS, max_num_considered_actions=16
        ).action

    jax.block_until_ready(move(jax.random.key(0)))
    begun, calls = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        jax.block_until_ready(move(jax.random.key(calls)))
        calls += 1
    return GAMES * ITERATIONS * calls / (time.perf_counter() - begun)


# --- all of it -------------------------------------------------------------------------------------------------------


def measure(seconds: float, say: Callable[[str], None]) -> dict[str, dict[str, float]]:
    def there(*packages: str) -> bool:
        missing = [name for name in packages if importlib.util.find_spec(name) is None]
        if missing:
            say(f"skipped: {' and '.join(missing)} not installed; pip install {' '.join(missing)}")
        return not missing

    rows: dict[str, dict[str, float]] = {}
    if there("jax"):
        weights, network = residual()
        say(f"the residual network has {size_of(weights):,} numbers")
        evaluate = evaluator(weights, network)
        # by turns, so that a machine that changes its speed tells no lies
        turns = [(self_play(evaluate, seconds / TURNS), alone(evaluate, seconds / TURNS)) for _ in range(TURNS)]
        ours = {name: sum(own[name] for own, _ in turns) / TURNS for name in turns[0][0]}
        rate = sum(other for _, other in turns) / TURNS
        rows["network"] = {"icarus": ours["evaluations/s"], "other": rate, "ratio": ours["evaluations/s"] / rate}
        if there("mctx", "pgx"):
            other = mctx_with_pgx(weights, network, seconds)
            rows["games"] = beside(ours, other)
            weights, network = small()
            evaluate = evaluator(weights, network)
            layer = compiled_layer(weights, evaluate)
            rows["small"], other = around(layer, lambda: mctx_with_pgx(weights, network, seconds), "moves/s", seconds)
            rows["small, from Python"] = beside(self_play(evaluate, seconds), other)
    if there("jax", "mctx"):
        nothing = icarus.CompiledEvaluator(no_network)
        rows["tree"], _ = around(nothing, lambda: {"iterations/s": mctx_alone(seconds)}, "iterations/s", seconds)
    return rows


def around(
    evaluate: icarus.CompiledEvaluator, measured: Callable[[], dict[str, float]], what: str, seconds: float
) -> tuple[dict[str, float], dict[str, float]]:
    """Self-play before and after something else; the row, and what the other did."""
    before = compiled_self_play(evaluate, seconds / 2)[what]
    other = measured()
    speed = (before + compiled_self_play(evaluate, seconds / 2)[what]) / 2
    return {"icarus": speed, "other": other[what], "ratio": speed / other[what]}, other


def beside(ours: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {"icarus": ours["moves/s"], "other": other["moves/s"], "ratio": ours["moves/s"] / other["moves/s"]}


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--seconds", type=float, default=4.0, help="for each measurement")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    notes: list[str] = []
    rows = measure(given.seconds, notes.append if given.json else print)
    for name, row in rows.items():
        row["limit"] = LIMITS[name]
    if given.json:
        print(json.dumps({"rows": rows, "notes": notes}, indent=2))
        return
    print(f"{'':48} {'icarus':>10} {'other':>10} {'ratio':>7} {'limit':>6}")
    for name, row in rows.items():
        kept = "" if row["ratio"] >= row["limit"] else "  below the limit"
        print(f"{TOLD[name]:48} {row['icarus']:10,.1f} {row['other']:10,.1f} {row['ratio']:7.2f} {row['limit']:6.1f}{kept}")


if __name__ == "__main__":
    main()
