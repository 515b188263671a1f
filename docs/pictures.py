"""Pictures of every game's table, as a browser shows them: ``python docs/pictures.py`` makes them, and the page docs/tables.md.

``--scheme dark`` and ``--phone`` show them as other people see them, for looking at (``--out FOLDER``).  Needs Chromium, and the
``test`` extra.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import tempfile
import textwrap
import threading
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from icarus.search import warm_up
from icarus.web.app import make_app
from icarus.web.catalog import SHEET, Catalog, title_of
from icarus.web.limits import Limits
from icarus.web.lobby import Lobby
from icarus.web.store import Store

HERE = Path(__file__).parent
TABLES = HERE / "images" / "tables"
#: moves of the person in the picture, where four are too few or too many
MOVES = {"doudizhu": 3, "phantom": 3, "goofspiel": 2, "backgammon": 5, "confrontation": 6, "checkers": 8, "breakthrough": 8}
#: games that would be over
SHORT = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "matrix",
    "matching_pennies",
    "rock_paper_scissors",
    "figure3",
    "strategy_fusion",
)
DESK = {"viewport": {"width": 1060, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 1.5}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--disable-background-networking"]


class Server:
    """The real server, in a thread, with tables that nobody keeps."""

    def __init__(self, folder: Path) -> None:
        warm_up()
        limits = Limits()
        listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        app = make_app(lambda: Lobby(Catalog(limits=limits), Store(folder), limits, threads=2), limits, ["127.0.0.1"])
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        threading.Thread(target=self.server.run, kwargs={"sockets": [listening]}, daemon=True).start()


def play(page: Page, url: str, game: str, moves: int) -> None:
    """Begin a game against machines, and play the move in the middle of the list a few times."""
    page.goto(f"{url}/#{game}")  # the page itself forbids scripts from elsewhere, ours too: only selectors are waited for
    page.wait_for_selector("body[data-shown] .preview:not(.waiting) svg", timeout=120_000)
    for row in page.locator(".seat-row .kind").all()[1:]:
        row.select_option("easy")
    page.click("#begin")
    page.wait_for_selector("body[data-turn]", timeout=120_000)
    for _ in range(moves):
        page.wait_for_selector("body.your-turn, body[data-over=true]", timeout=120_000)
        if page.get_attribute("body", "data-over") == "true":
            break
        before = page.get_attribute("body", "data-turn")
        buttons = page.locator("#legal button")
        for i in (0, 3, 6) if game.startswith("hearts") and buttons.count() == 13 else (None,):
            buttons.nth(buttons.count() // 2 if i is None else i).click()
        if page.locator("#confirm").is_visible():
            page.click("#confirm")
        page.wait_for_selector(f'body:not([data-turn="{before}"])', timeout=120_000)
    page.wait_for_selector("body.your-turn, body[data-over=true]", timeout=120_000)


def photograph(browser: Browser, url: str, game: str, file: Path, options: dict[str, Any], whole: bool) -> None:
    context = browser.new_context(**options)
    page = context.new_page()
    play(page, url, game, 0 if game in SHORT else MOVES.get(game, 2 if game.startswith("gdl:") else 4))
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)
    quality = {"type": "jpeg", "quality": 80} if file.suffix == ".jpg" else {}
    page.screenshot(path=file, full_page=whole, animations="disabled", **quality)
    context.close()


def page_of(games: list[str]) -> str:
    """The page that shows the pictures, with the rules."""
    catalog = Catalog()
    groups = {offer["name"].partition("(")[0]: offer["group"] for offer in catalog.offers()}
    lines = [
        "# The tables",
        "",
        "Every game as the [page](play-in-the-browser.md) shows it, made by `python docs/pictures.py`.",
        "",
    ]
    for game in games:
        if f"## {groups[game]}" not in lines:
            lines += [f"## {groups[game]}", ""]
        about = catalog.about(game)
        lines += [f"### {about['title']}", "", *textwrap.wrap(about["rules"], 130), ""]
        lines += [f"![The table of {about['title']}](images/tables/{file_name(game)})", ""]
    return "\n".join(lines)


def file_name(game: str) -> str:
    return f"{game.replace(':', '-')}.jpg"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="these alone (sheets too, as gdl:NAME); otherwise all that are built in")
    parser.add_argument("--out", type=Path, default=TABLES)
    parser.add_argument("--scheme", choices=("light", "dark"), default="light")
    parser.add_argument("--phone", action="store_true")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    options: dict[str, Any] = {**(PHONE if chosen.phone else DESK), "color_scheme": chosen.scheme}
    built_in = [offer["name"].partition("(")[0] for offer in Catalog().offers() if not offer["name"].startswith(SHEET)]
    games = chosen.games or built_in
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for game in games:
            file = chosen.out / file_name(game)
            photograph(browser, server.url, game, file, options, chosen.phone)
            print(f"{title_of(game)}: {file}", flush=True)
        browser.close()
    if chosen.out == TABLES and not chosen.games:
        (HERE / "tables.md").write_text(page_of(games), encoding="utf-8")


if __name__ == "__main__":
    main()
