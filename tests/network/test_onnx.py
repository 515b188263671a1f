"""Networks in files, by the names of players."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import icarus
from icarus.arena.errors import PlayerError
from icarus.arena.players import read_player
from icarus.bridges.engine import Engine
from icarus.cli import app
from icarus.errors import IcarusError, SearchError
from icarus.game import Position
from icarus.network.onnx import read_network
from icarus.trust import OUTSIDE, NotAllowed, allowing, code_named_in
from icarus.web.jobs import make_job
from icarus.web.limits import Limits
from icarus.web.strength import read_strength
from icarus.web.thinking import Job

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def network(file: Path, shape: tuple[int, ...] = (2, 6, 7), actions: int = 7, players: int = 2) -> Path:
    """Logits that like the first action best, and equal values."""
    from onnx import TensorProto, helper, numpy_helper, save

    size, logits = int(np.prod(shape)), np.arange(actions, 0, -1, dtype=np.float32)
    weights = {
        "w": np.zeros((size, actions), np.float32),
        "b": logits,
        "v": np.zeros((size, players), np.float32),
        "c": np.full(players, 0.5, np.float32),
    }
    nodes = [
        helper.make_node("Flatten", ["observations"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w", "b"], ["logits"]),
        helper.make_node("Gemm", ["flat", "v", "c"], ["values"]),
    ]
    ends = {"observations": shape, "logits": (actions,), "values": (players,)}
    told = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *sizes]) for name, sizes in ends.items()]
    numbers = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "network", told[:1], told[1:], numbers)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(file))
    return file


@pytest.fixture
def net(tmp_path: Path) -> Path:
    return network(tmp_path / "net.onnx")


def test_a_player_names_a_network(net: Path) -> None:
    player = read_player(f"puct(batch=4)[{net}]@30,keep")
    assert str(player) == f"puct(batch=4)[{net}]@30,keep"
    game = icarus.load("connect_four")
    player.check(game)
    position, seats = game.start(), [player.seated(game, 0, 1), read_player("random").seated(game, 1, 2)]
    while not position.is_terminal:
        position.apply(seats[position.player].decide(position, position.legal()).action)
    assert len(position.history) >= 7


def test_a_search_names_a_network(net: Path) -> None:
    result = icarus.search("connect_four", algorithm=f"puct[{net}]", iterations=1, seed=1)
    assert result.best.action == 0, "the network likes the first column"
    assert list(icarus.selfplay("connect_four", str(net), parallel=2, iterations=4, games=2, seed=1))


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ({"shape": (3, 8, 8)}, r"its observations have the shape \(batch, 3, 8, 8\), expected is \(batch, 2, 6, 7\)"),
        ({"actions": 9}, r"its logits have the shape \(batch, 9\), expected is \(batch, 7\)"),
        ({"players": 3}, r"its values have the shape \(batch, 3\), expected is \(batch, 2\)"),
    ],
)
def test_a_network_for_another_game_is_refused(tmp_path: Path, sizes: dict[str, object], told: str) -> None:
    file = network(tmp_path / "net.onnx", **sizes)  # type: ignore[arg-type]
    with pytest.raises(SearchError, match=rf"is not a network for connect_four: {told}"):
        read_network(str(file), icarus.load("connect_four"))
    with pytest.raises(PlayerError, match="cannot play connect_four"):
        read_player(f"gumbel[{file}]@10").check(icarus.load("connect_four"))


def test_a_file_that_is_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"
    file.write_bytes(b"no network at all")
    with pytest.raises(SearchError, match="no network that ONNX Runtime can read") as caught:
        read_network(str(file), icarus.load("connect_four"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("puct@200", r"puct needs a network: puct\[net.onnx\]@200"),
        ("puct[MAST()]@200", "a file that ends with .onnx"),
        ("puct[net.onnx]@200,belief", "has no option 'belief'"),
        ("puct(x=1)[net.onnx]@200", "its parameters are"),
    ],
)
def test_what_is_no_player_is_told(text: str, told: str) -> None:
    with pytest.raises(PlayerError, match=told):
        read_player(text)


def test_a_door_opens_no_networks_but_those_allowed(net: Path) -> None:
    with pytest.raises(NotAllowed, match="is not allowed here"):
        read_player(f"puct[{net}]@10", OUTSIDE)
    assert read_player(f"puct[{net}]@10", allowing([str(net)])).strategy == str(net)
    assert code_named_in([f"puct[{net}]@10", "connect_four", "uct@10"]) == [str(net)]


def test_a_search_that_a_door_starts_opens_no_network(net: Path) -> None:
    """The web makes searches of this class."""
    position: Position = icarus.load("connect_four").start()
    with pytest.raises(SearchError, match="asks a network"):
        icarus.Search(position, algorithm=f"puct[{net}]")


def test_the_engine_searches_with_networks_that_were_allowed(net: Path) -> None:
    answers: list[dict[str, Any]] = []
    for trust in (OUTSIDE, allowing([str(net)])):
        engine = Engine(answers.append, trust)
        engine.answer(b'{"cmd": "new", "game": "connect_four"}')
        for _ in range(2):  # and goes on with what it has
            engine.answer(json.dumps({"cmd": "go", "algorithm": f"puct[{net}]", "iterations": 40, "seed": 1}).encode())
            engine.wait()
    assert ["is not allowed here" in answer.get("error", "") for answer in answers] == [False, True, True, False, False, False]
    assert [answer["move"] for answer in answers[-2:]] == ["1", "1"]
    engine.answer(json.dumps({"cmd": "go", "algorithm": f"puct[{net}]", "iterations": 40, "lanes": 4}).encode())
    assert "lanes: no option of a search with a network" in answers[-1]["error"]


def test_a_machine_at_a_table_searches_with_a_network_that_was_allowed(net: Path) -> None:
    game, trust = icarus.load("connect_four"), allowing([str(net)])
    wanted = {"algorithm": f"puct[{net}]", "iterations": 30, "seconds": 9}
    strength = read_strength(wanted, game, Limits(), trust)

    async def thought() -> Job:
        done = asyncio.get_running_loop().create_future()
        told = {"done": done.set_result, "progress": None}
        job = make_job(Limits(), position=game.start(), seat=0, strength=strength, salt=(1, 2), **told)  # type: ignore[arg-type]
        while job.step(1 << 24):
            pass
        return await done  # type: ignore[no-any-return]

    job = asyncio.run(thought())
    assert job.result is not None
    assert (job.problem, job.result.best.label, job.result.total_iterations) == ("", "1", 30)
    for strange, told in (
        ({"strategy": "RAVE()"}, "neither a strategy"),
        ({"algorithm": f"gumbel[{net}]", "iterations": None}, "gumbel"),
    ):
        with pytest.raises(IcarusError, match=told):
            read_strength(wanted | strange, game, Limits(), trust)
    with pytest.raises(IcarusError, match="is not a network for othello"):
        read_strength(wanted, icarus.load("othello"), Limits(), trust)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            ("search", "connect_four", "--threads", "2", "--strategy", "RAVE()"),
            "--strategy, --threads: no option of a search with",
        ),
        (("ggp", "serve"), "a network knows one game"),
    ],
)
def test_what_a_network_cannot_serve_is_refused(net: Path, command: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(app, [*command, "--algorithm", f"puct[{net}]"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
