"""What people see in a notebook: things that draw themselves, and a search that is watched while it thinks."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import icarus
from icarus.arena.tournament import match
from icarus.errors import GameError, SearchError
from icarus.jit import JIT
from icarus.notebook import page, play, watch
from icarus.testing import check_game

BOARD = Path(icarus.__file__).with_name("notebook") / "board.js"
FEW = 200 if JIT else 20
VOID = {"br", "progress"}  #: elements that need no end


class Balance(HTMLParser):
    """Raises when an element is closed that was not opened last."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows, self.text = 0, ""
        self.feed(text)
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.rows += tag == "tr"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def things() -> dict[str, Any]:
    result = icarus.search("tic_tac_toe", iterations=FEW, seed=1)
    return {
        "result": result,
        "action": result.best,
        "report": check_game("kuhn_poker", games=2, searches=False),
        "match": match("tic_tac_toe", ["random", "random"], 4, seed=1, jobs=1),
    }


def test_everything_that_is_found_draws_itself_and_is_one_line_otherwise():
    for name, thing in things().items():
        html = Balance(thing._repr_html_())
        assert html.rows >= 2, name
        assert "\n" not in repr(thing) and len(repr(thing)) < 200, name


def test_what_is_drawn_is_what_was_found():
    found = things()
    result, report = found["result"], found["report"]
    assert f"plays {result.best.label}" in repr(result) and f"{FEW} iterations" in repr(result)
    drawn = Balance(result._repr_html_())
    assert drawn.rows == 1 + len(result.root) and result.best.label in drawn.text
    assert result._repr_html_().count("font-weight:bold") == 1
    assert all(check.name in Balance(report._repr_html_()).text for check in report.checks)
    assert "kuhn_poker" in repr(report) and "passed" in repr(report)
    standings = found["match"].standings
    assert all(f"{standing.tally.wins}" in standing.cells for standing in standings)
    assert "tic_tac_toe, 4 games" in repr(found["match"])


def test_what_a_watched_search_shows_is_what_its_player_knows():
    position = icarus.load("phantom(3,3,3)").start(1)
    position.apply(position.legal()[0])
    search = icarus.Search(position, seed=1)
    first = Balance(page(search, None, 0.0))
    assert "1 unseen mark" in first.text and first.rows == 0
    result = search.run(iterations=FEW)
    assert Balance(page(search, result, 1.0)).rows == 1 + len(result.root)


def test_a_watched_search_needs_a_budget():
    with pytest.raises(SearchError, match="budget"):
        watch("tic_tac_toe")


class Notebook(NotebookClient):
    """Counts how often something on the page was drawn again."""

    updates = 0

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        self.updates += msg["msg_type"] == "update_display_data"
        return super().process_message(msg, cell, cell_index)


@pytest.mark.skipif(not JIT, reason="a kernel of its own: once is enough")
def test_a_search_is_watched_in_a_real_notebook():
    source = """from icarus.notebook import watch
result = watch("connect_four", iterations=100_000, every=0.005, seed=1)
print(result.iterations, result.best.visits == max(row.visits for row in result.root), result.stopped_by)"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source), nbformat.v4.new_code_cell("result")])
    client = Notebook(notebook, timeout=300, kernel_name="python3")
    client.execute()
    drawn, printed = notebook.cells[0].outputs
    assert printed["text"].split() == ["100000", "True", "iterations"]
    assert client.updates > 1, "it was drawn only once"
    assert "<svg" in drawn["data"]["text/html"] and "100,000 iterations" in drawn["data"]["text/html"]
    assert "<progress" not in drawn["data"]["text/html"], "it is over"
    assert notebook.cells[1].outputs[0]["data"]["text/plain"].startswith("<SearchResult connect_four: ")


# --- a board to be clicked -------------------------------------------------------------------------------------------


def test_a_click_is_a_move_and_the_machine_answers():
    board = play("tic_tac_toe", iterations=FEW, seed=1)
    assert len(board.moves) == 9 and board.told.startswith("your move")
    centre = next(move for move in board.moves if move["label"] == "b2")
    assert centre["keys"] == ["b2"] and f'data-action="{centre["action"]}"' in board.svg
    board.click(centre["action"])
    assert [player for player, _, _ in board.position.history] == [0, 1]
    assert len(board.moves) == 7 and board.result.iterations == FEW
    assert board.told == f"O plays {board.result.best.label}"
    for nothing in (centre["action"], 99, None, "b1"):
        board.click(nothing)
    assert len(board.position.history) == 2, "what is not legal changes nothing"


def test_a_board_shows_what_its_person_knows():
    board = play("phantom(3,3,3)", people=[1], iterations=FEW, seed=1)
    assert len(board.position.history) >= 1 and "unseen mark" in board.svg
    assert board.told.startswith("your move"), "what the machine played is not told"
    with pytest.raises(GameError, match="only one person"):
        play("phantom(3,3,3)", people=[0, 1])
    with pytest.raises(GameError, match="seats 0 to 1"):
        play("tic_tac_toe", people=[2])


#: anywidget's side of the page: a model that the test fills, and whose messages the test gets
MODEL = """async (source) => {
  const { default: widget } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const held = {}, listeners = {};
  const model = { get: (name) => held[name], on: (name, f) => (listeners[name] ??= []).push(f), send: (m) => window.sent(m) };
  window.set = (values) => {
    Object.assign(held, values);
    for (const name of Object.keys(values)) for (const f of listeners["change:" + name] ?? []) f();
  };
  window.set({ svg: "", told: "", moves: [] });
  widget.render({ model, el: document.body });
}"""


@pytest.mark.skipif(not JIT, reason="a browser: once is enough")
def test_a_board_is_clicked_in_a_browser():
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("there is no Chromium")
    board = play("breakthrough(5,4)", people=[0, 1])
    sent: list[Any] = []
    with playwright.sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.expose_function("sent", lambda message: sent.append(message))
        page.evaluate(MODEL, BOARD.read_text())

        def show() -> None:
            page.evaluate("values => window.set(values)", {"svg": board.svg, "told": board.told, "moves": board.moves})

        show()
        page.locator('[data-square="a2"]').click()
        assert sent == [] and page.locator('[data-square="a2"].selected').count() == 1
        targets = page.locator(".target").evaluate_all("parts => parts.map(part => part.dataset.square)")
        assert sorted(targets) == ["a3", "b3"]
        page.locator('[data-square="b3"]').click()
        page.wait_for_function("true")
        assert [board.position.format_action(message["action"]) for message in sent] == ["a2b3"]
        board.click(sent[0]["action"])
        show()
        page.locator('[data-square="d4"]').focus()  # the other side, by the keyboard alone
        page.keyboard.press("Enter")
        page.locator('[data-square="d3"]').focus()
        page.keyboard.press("Enter")
        page.wait_for_function("true")
        assert board.position.format_action(sent[1]["action"]) == "d4d3"
        assert "to move" in page.locator("p").inner_text()
        browser.close()
