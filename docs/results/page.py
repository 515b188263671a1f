"""Makes the pages of verdicts from the results files: ``python docs/results/page.py``.

The table in README.md, ``verdicts.json``, every comparison in ``comparisons.md``, and a figure of each played experiment.
"""

from __future__ import annotations

import json
from pathlib import Path

from icarus.arena.experiment import names
from icarus.arena.figures import draw
from icarus.arena.verdicts import all_claims, known, listing, markdown

HERE = Path(__file__).parent
BEGIN, END = "<!-- verdicts -->", "<!-- end of verdicts -->"
COMPARISONS = """# Every comparison

What stands behind [the verdicts](README.md): each comparison of each claim, with an interval, and whether it was reproduced. What
is confirmed has an interval of its own, everything else one that holds with all others of the claim. Made from the results files
by `python docs/results/page.py`.

"""


def main() -> None:
    claims = all_claims()
    page = HERE / "README.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{markdown(claims)}\n\n{END}{after}", encoding="utf-8")
    told = json.dumps([claim.as_dict() for claim in claims], indent=2, ensure_ascii=False)
    (HERE / "verdicts.json").write_text(told + "\n", encoding="utf-8")
    (HERE / "comparisons.md").write_text(COMPARISONS + listing(claims), encoding="utf-8")
    for name in names():
        found = known(name)
        if found is not None:
            draw(found[0], HERE / f"{name}.png")


if __name__ == "__main__":
    main()
