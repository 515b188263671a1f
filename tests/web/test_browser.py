"""Real games in a real browser: whole games by clicks, live statistics, reloading, two people at one table, a phone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import Served

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None:
    pytest.skip("no Chromium found: install it (on Debian: apt install chromium)", allow_module_level=True)
playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is missing: pip install 'icarus-mcts[test]'")

from playwright.sync_api import Browser, Page, expect  # noqa: E402  # only where it is installed

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE = 30_000  #: milliseconds
DESK = {"width": 1280, "height": 860}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with playwright_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


class Desk:
    """Somebody with a browser of their own; whatever it complains about fails the test."""

    def __init__(self, browser: Browser, url: str, **options) -> None:
        self.url, self.complaints = url, []
        self.context = browser.new_context(**({"viewport": DESK} | options))
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)

    def begin(self, game: str, *seats: str, variant: str = "") -> Page:
        """Choose a game and its seats on the first page."""
        page = self.page
        page.goto(f"{self.url}/#{game}")
        page.wait_for_selector("#begin:not([disabled])")
        if variant:
            page.fill("#variant", variant)
            page.press("#variant", "Tab")
            expect(page.locator("#summary")).to_contain_text(re.compile(".*"), timeout=PATIENCE)
            page.wait_for_selector("#begin:not([disabled])")
        for number, kind in enumerate(seats):
            page.select_option(f".seat-row:nth-child({number + 1}) .kind", kind)
        page.click("#begin")
        page.wait_for_selector("body[data-turn]")
        return page

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []


@pytest.fixture
def desk(browser, served) -> Iterator[Desk]:
    made = Desk(browser, served.url)
    yield made
    made.close()


def turn(page: Page) -> str:
    return page.get_attribute("body", "data-turn") or ""


def over(page: Page) -> bool:
    return page.get_attribute("body", "data-over") == "true"


def my_turn(page: Page) -> bool:
    """Wait for it; False: the game is over."""
    page.wait_for_selector("body.your-turn, body[data-over=true]")
    return not over(page)


def click_a_move(page: Page) -> None:
    """Whatever the drawing offers first: one click, or from and to."""
    before = turn(page)
    single = page.locator("#board svg [data-action][tabindex]")
    if single.count():
        # cards in a hand overlap: only their left edge is free
        single.first.click(position={"x": 9, "y": 14} if page.locator("#board svg[viewBox='0 0 720 540']").count() else None)
    else:
        page.locator("#board svg [data-square].can").first.click()
        page.locator("#board svg .target").first.click()
        page.wait_for_selector(f'body:not([data-turn="{before}"]), #choice:not([hidden])')
        if turn(page) == before:
            page.locator("#choice button").first.click()
    page.wait_for_selector(f'body:not([data-turn="{before}"])')


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "variant", "machines"),
    [
        ("tic_tac_toe", "", 1),
        ("connect_four", "", 1),
        ("othello", "", 1),
        ("breakthrough", "breakthrough(5,4)", 1),
        ("hex", "hex(3)", 1),
        ("hearts_round", "", 3),
    ],
)
def test_a_whole_game_by_clicks(desk, game, variant, machines):
    page = desk.begin(game, "you", *["easy"] * machines, variant=variant)
    while my_turn(page):
        click_a_move(page)
    expect(page.locator("#turn")).to_have_text(re.compile(r"win|draw", re.IGNORECASE))
    page.wait_for_selector("#review:not([hidden]) polyline")
    assert page.locator("#log li").count() >= 5


def test_cards_that_are_hidden_are_not_on_the_page_until_the_game_is_over(desk):
    page = desk.begin("kuhn_poker", "you", "easy")
    assert "hidden" in page.content() or page.locator("#stepper").is_hidden()
    assert page.locator("#stepper").is_hidden() and page.locator("#thinking").is_hidden()
    while my_turn(page):
        click_a_move(page)
    page.wait_for_selector("#stepper:not([hidden])")


# --- looking inside --------------------------------------------------------------------------------------------------


def test_statistics_arrive_live_and_the_tree_opens_node_by_node(desk):
    page = desk.begin("othello", "you", "hard")
    my_turn(page)
    click_a_move(page)
    page.wait_for_selector("#thinking[data-iterations]:not([hidden])")
    first = int(page.get_attribute("#thinking", "data-iterations") or 0)
    page.wait_for_selector(f'#thinking:not([data-iterations="{first}"])')
    assert int(page.get_attribute("#thinking", "data-iterations") or 0) > first > 0
    assert page.locator("#rows tr").count() == 3
    assert "/s" in page.inner_text("#facts") and "MiB" in page.inner_text("#facts") and "Expects" in page.inner_text("#pv")
    my_turn(page)
    page.click("#open-tree")
    page.locator(".node").first.click()
    inner = page.locator(".nodes .nodes .node").first
    inner.click()
    expect(page.locator(".nodes .nodes .nodes .node").first).to_be_visible()
    expect(inner).to_have_attribute("aria-expanded", "true")


def test_a_finished_game_is_reviewed_move_by_move(desk):
    page = desk.begin("tic_tac_toe", "you", "easy")
    while my_turn(page):
        click_a_move(page)
    page.wait_for_selector("#chart polyline")
    page.click("#first")
    expect(page.locator("#where")).to_contain_text("0 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text("1 of")
    page.click("#open-tree")
    expect(page.locator(".node").first).to_be_visible()
    page.locator("[data-ply]").last.click()
    expect(page.locator("#legend b").first).to_have_text(re.compile(r"0\.00|0\.50|1\.00"))


def test_a_hint_points_at_a_move_and_a_move_can_be_taken_back(desk):
    page = desk.begin("connect_four", "you", "easy")
    my_turn(page)
    page.keyboard.press("h")
    expect(page.locator("#thinking-title")).to_have_text(re.compile("Hint: "))
    click_a_move(page)
    page.wait_for_selector('body.your-turn[data-turn="2"]')
    page.click("#undo")
    page.wait_for_selector('body.your-turn[data-turn="0"]')
    assert page.locator("#undo").is_hidden()


# --- coming back, together, small ------------------------------------------------------------------------------------


def test_a_reload_in_mid_game_loses_nothing(desk):
    page = desk.begin("breakthrough", "you", "easy")
    for _ in range(3):
        my_turn(page)
        click_a_move(page)
    my_turn(page)
    before, log = turn(page), page.inner_text("#log")
    page.reload()
    page.wait_for_selector("body.your-turn")
    assert (turn(page), page.inner_text("#log")) == (before, log)
    click_a_move(page)


def test_a_page_comes_back_by_itself_when_the_server_does(browser, tmp_path):
    server = Served(tmp_path)
    port = int(server.host.split(":")[1])
    desk = Desk(browser, server.url)
    page = desk.begin("tic_tac_toe", "you", "easy")
    my_turn(page)
    click_a_move(page)
    my_turn(page)
    log = page.inner_text("#log")
    server.stop()
    expect(page.locator("#line")).to_have_text(re.compile("Reconnecting"))
    server = Served(tmp_path, port=port)
    expect(page.locator("#line")).to_have_text("", timeout=PATIENCE)
    assert page.inner_text("#log") == log
    click_a_move(page)
    desk.complaints.clear()  # the browser reports connections that were refused in between
    desk.close()
    server.stop()


def test_two_browsers_at_one_table_and_a_third_that_watches(browser, served, desk):
    first = desk.begin("tic_tac_toe", "you", "open")
    invitation = first.locator("#links input").first.input_value()
    assert "#invite=" in invitation
    other, third = Desk(browser, served.url), Desk(browser, served.url)
    second, watching = other.page, third.page
    second.goto(invitation)
    second.wait_for_selector("body[data-turn]")
    assert "invite" not in second.url, "the invitation is used up, and gone from the address"
    watching.goto(first.url)
    watching.wait_for_selector("body[data-turn]")
    for page in (first, second) * 3 + (first,):
        page.wait_for_selector("body.your-turn")
        click_a_move(page)
    for page in (first, second, watching):
        page.wait_for_selector("body[data-over=true]")
        expect(page.locator("#turn")).to_have_text("X wins.")
    assert watching.locator("#moves").is_hidden()
    other.close(), third.close()


def test_a_phone(browser, served):
    desk = Desk(browser, served.url, **PHONE)
    page = desk.page
    page.goto(f"{served.url}/#tic_tac_toe")
    page.wait_for_selector("#begin:not([disabled])")
    assert_fits(page)
    page.select_option(".seat-row:nth-child(2) .kind", "easy")
    page.tap("#begin")
    page.wait_for_selector("body[data-turn]")
    while my_turn(page):
        before = turn(page)
        assert_fits(page)
        cell = page.locator("#board svg [data-action][tabindex]").first
        box = cell.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 40, "large enough for a finger"
        cell.tap()
        page.wait_for_selector(f'body:not([data-turn="{before}"])')
    page.wait_for_selector("#review:not([hidden])")
    assert_fits(page)
    desk.close()


def assert_fits(page: Page) -> None:
    """Nothing reaches beyond the window: there is no scrolling sideways."""
    width = page.locator("body").bounding_box()
    window = page.viewport_size
    assert width is not None and window is not None and width["width"] <= window["width"]
    for part in ("header.top", "main"):
        box = page.locator(part).bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= window["width"] + 1, part


# --- without a mouse, without light ----------------------------------------------------------------------------------


def test_a_game_with_the_keyboard_alone(desk):
    page = desk.begin("tic_tac_toe", "you", "easy")
    my_turn(page)
    page.keyboard.press("/")
    page.keyboard.type("b2")
    page.keyboard.press("Enter")
    page.wait_for_selector('body.your-turn[data-turn="2"]')
    assert "X: b2" in page.inner_text("#log")
    page.locator("#board svg [data-action][tabindex]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('body:not([data-turn="2"])')
    my_turn(page)
    page.locator("#find").fill("z9")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_contain_text("z9")


def test_screen_readers_are_told_whose_turn_it_is_and_what_can_be_played(desk):
    page = desk.begin("tic_tac_toe", "you", "easy")
    my_turn(page)
    expect(page.locator("#board").get_by_role("button", name="b2")).to_be_visible()
    expect(page.locator("#legal").get_by_role("button", name="b2")).to_be_visible()
    assert page.get_attribute("#turn", "aria-live") == "polite" and page.inner_text("#turn") == "Your move."
    assert page.get_attribute("html", "lang") == "en"
    for name in ("Hint", "Share"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    for button in page.get_by_role("button").all():
        assert button.get_attribute("aria-label") or button.text_content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(browser, served, scheme):
    desk = Desk(browser, served.url, color_scheme=scheme)
    page = desk.begin("othello", "you", "easy")
    colour = page.locator("html").evaluate("element => getComputedStyle(element).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", colour)[:3])) > 384
    assert light == (scheme == "light")
    desk.close()


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_mistakes_are_said_where_they_are_made(browser, served):
    desk = Desk(browser, served.url)
    page = desk.page
    page.goto(f"{served.url}/#hex")
    page.wait_for_selector("#begin:not([disabled])")
    page.fill("#variant", "hex(500)")
    page.press("#variant", "Tab")
    expect(page.locator("#problem")).to_contain_text("500")
    page.fill("#variant", "hex(4)")
    page.press("#variant", "Tab")
    page.wait_for_selector("#begin:not([disabled])")
    page.select_option(".seat-row:nth-child(2) .kind", "custom")
    page.fill(".seat-row:nth-child(2) .strategy", "RAEV()")
    page.click("#begin")
    expect(page.locator("#problem")).to_contain_text("RAVE")
    page.goto(f"{served.url}/table/no-such-table-at-all-here")
    expect(page.locator("#problem")).to_contain_text("no such table")
    desk.complaints.clear()  # refused requests are lines on the browser's console too
    desk.close()


def test_static_files_are_in_the_package():
    import icarus.web

    static = Path(icarus.web.__file__).parent / "static"
    wanted = {"index.html", "table.html", "style.css", "lobby.js", "table.js", "board.js", "chart.js", "common.js", "socket.js"}
    assert wanted <= {file.name for file in static.iterdir()}
