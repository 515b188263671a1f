"""Compiling ahead of time leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path

import icarus
from icarus.tools.warmup import LOOP, kernels, strategy_functions


def test_every_kernel_is_found_by_itself() -> None:
    package = Path(icarus.__file__).parent
    written = {
        f"icarus.{'.'.join(file.relative_to(package).with_suffix('').parts)}:{name}"
        for file in package.rglob("*.py")
        if file.parent.name not in ("gdl", "learning")  # compiled with a sheet, and by `icarus learn`
        for name in re.findall(r"^@kernel\(.*\)\ndef (\w+)\(", file.read_text(), flags=re.MULTILINE)
    }
    found = [name for _, name in kernels()]
    assert set(found) == written and len(found) == len(written) and found[0] == LOOP


def test_every_strategy_brings_its_functions() -> None:
    assert len({id(function) for function, _ in strategy_functions()}) > 20
