"""Makes the table of verdicts in README.md, and verdicts.json, from the results files: ``python docs/results/page.py``."""

from __future__ import annotations

import json
from pathlib import Path

from icarus.arena.verdicts import all_claims, markdown

HERE = Path(__file__).parent
BEGIN, END = "<!-- verdicts -->", "<!-- end of verdicts -->"


def main() -> None:
    claims = all_claims()
    page = HERE / "README.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{markdown(claims)}\n\n{END}{after}", encoding="utf-8")
    told = json.dumps([claim.as_dict() for claim in claims], indent=2, ensure_ascii=False)
    (HERE / "verdicts.json").write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
