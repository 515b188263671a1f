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
PATIENCE = 120_000  #: milliseconds until a test gives up waiting; a loaded machine is slow, a broken page says nothing at all
expect.set_options(timeout=PATIENCE)
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
        page.wait_for_selector("body[data-shown] .seat-row")
        if variant:
            page.fill("#variant", variant)  # and at once to the rest: nobody waits for the preview
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
    if page.locator("#board svg .can[aria-pressed]").count():
        for card in page.locator("#board svg .can[aria-pressed]").all()[-3:]:
            card.click(position={"x": 9, "y": 14})
        page.click("#confirm")
    elif single.count():
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
        pytest.param("hearts_round", "", 3, marks=pytest.mark.thorough),
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
    assert page.inner_text("#expected") == "White expects", "whose expectation it is, is said"
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
    page.wait_for_selector("body[data-shown] .seat-row")
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
    assert page.inner_text("#turn") == "Your move."
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


# --- nobody is told too much, or the wrong thing ---------------------------------------------------------------------


def test_two_people_at_one_screen_draw_a_curtain_between_them(desk):
    page = desk.begin("kuhn_poker", "you", "you")
    page.wait_for_selector("#curtain:not([hidden])")
    assert page.locator("#board svg text").filter(has_text=re.compile("^[JQK]$")).count() == 0, "nobody has looked yet"
    page.click("#curtain button")
    page.wait_for_selector('body.your-turn[data-seat="0"]')
    own = page.locator("#board svg text").filter(has_text=re.compile("^[JQK]$"))
    assert own.count() == 2, "one card, which says twice what it is"
    first = own.first.text_content()
    page.click("#board [data-action]")
    page.click("#hand-over")
    expect(page.locator("#curtain")).to_contain_text("Player 2")
    page.reload()  # whoever reloads does not get behind it either
    page.wait_for_selector("#curtain:not([hidden])")
    assert own.count() == 0
    page.click("#curtain button")
    page.wait_for_selector('body.your-turn[data-seat="1"]')
    assert own.count() == 2 and own.first.text_content() != first


def test_colours_are_those_of_the_names_and_the_same_for_dots_and_pieces(desk):
    page = desk.begin("gdl:checkers", "you", "easy")
    colour = "element => getComputedStyle(element)"
    dots = [dot.evaluate(f"{colour}.backgroundColor") for dot in page.locator("#players .dot").all()]
    pieces = {piece.evaluate(f"{colour}.fill") for piece in page.locator("#board svg circle").all()}
    assert len(set(dots)) == 2 and set(dots) == pieces
    red, green, blue = map(int, re.findall(r"\d+", dots[0])[:3])
    assert red > 1.5 * max(green, blue), "red is red"


def test_what_was_hidden_is_in_the_log_when_it_is_shown(browser, served, desk):
    first = desk.begin("goofspiel", "you", "open")
    other = Desk(browser, served.url)
    second = other.page
    second.goto(first.locator("#links input").first.input_value())
    second.wait_for_selector("body[data-turn]")
    first.locator("#board [data-action='4']").click()
    expect(second.locator("#log")).to_contain_text("Player 1: a card, face down")
    second.locator("#board [data-action='2']").click()
    expect(second.locator("#log")).to_contain_text("Player 1: 4")
    assert "face down" not in second.inner_text("#log")
    other.close()


def test_spectators_of_a_game_with_secrets_see_what_everybody_may(browser, served, desk):
    page = desk.begin("hearts_round", "you", "easy", "easy", "easy", variant='hearts_round(passing="hold")')
    third = Desk(browser, served.url)
    third.page.goto(page.url)
    third.page.wait_for_selector("#board svg")
    assert third.page.locator("#board svg [tabindex]").count() == 0
    expect(third.page.locator("#board svg")).to_contain_text("North, 0 points")
    third.close()


# --- playing ---------------------------------------------------------------------------------------------------------


def test_cards_to_pass_are_chosen_in_any_order_and_taken_back(desk):
    page = desk.begin("hearts_round", "you", "easy", "easy", "easy")
    my_turn(page)
    cards = page.locator("#board svg .can")
    assert cards.count() == 13
    for i in (12, 0, 5, 12, 12):  # the last one, the first, one between; the last one back, and again
        cards.nth(i).click(position={"x": 9, "y": 14})
    expect(page.locator("#confirm")).to_have_text("Pass to East")
    wanted = {str(cards.nth(i).get_attribute("data-square")) for i in (0, 5, 12)}
    page.click("#confirm")
    expect(page.locator("#log li")).to_have_count(3, timeout=PATIENCE)
    assert {line.rsplit(" ", 1)[1] for line in page.locator("#log li").all_inner_texts()[:3]} == wanted
    page.wait_for_selector("body.your-turn")
    assert page.locator("#log").get_by_text("pass a card, 3 times").count() >= 2, "not nine lines for three players"


def test_cards_of_a_play_are_clicked_in_any_order(desk):
    page = desk.begin("doudizhu", "you", "easy", "easy")
    my_turn(page)
    cards = page.locator("#board svg .can")
    ranks = [cards.nth(i).get_attribute("data-square") for i in range(cards.count())]
    pair = next(i for i in range(len(ranks) - 1) if ranks[i] == ranks[i + 1])
    for i in (pair + 1, pair):
        cards.nth(i).click(position={"x": 9, "y": 14})
    page.click("#confirm")
    expect(page.locator("#log")).to_contain_text(f"Landlord: {ranks[pair]}{ranks[pair]}")


def test_a_region_is_reached_by_a_click_on_a_piece_in_it(browser, served):
    desk = Desk(browser, served.url)
    page = desk.begin("confrontation", "you", "easy", variant="confrontation")
    my_turn(page)
    while True:
        mine = page.locator("#legal button").all_inner_texts()
        # in a battle there are cards to play, and nowhere to go
        moves = [(move, move.rsplit("-", 1)[1]) for move in mine if ": " in move and "-" in move]
        onto = next((move for move, where in moves if page.locator(f'#board [data-square="{where}"] .can').count()), None)
        if onto:
            break
        page.locator("#legal button").first.click()
        my_turn(page)
    who, _, way = onto.partition(": ")
    region = way.rsplit("-", 1)[1]
    page.locator(f'#board [data-square="{who}"]').click()
    page.locator(f'#board [data-square="{region}"] .can').first.click()
    expect(page.locator("#log")).to_contain_text(f"Light: {onto}")
    desk.close()


def test_columns_of_a_sheet_are_clicked_anywhere(desk):
    page = desk.begin("gdl:connect_four", "you", "easy")
    my_turn(page)
    page.locator('#board [data-square="3 2"]').click()
    expect(page.locator("#log")).to_contain_text("(drop 3)")


def test_a_hint_is_on_the_board_and_below_it_and_shares_can_be_drawn(desk):
    page = desk.begin("othello", "you", "easy")
    my_turn(page)
    page.click("#hint")
    expect(page.locator("#advice")).to_contain_text(re.compile("Hint: [a-h][1-8], expected"))
    label = page.inner_text("#advice").split()[1].strip(",")
    expect(page.locator(f'#board [data-square="{label}"] .pointer')).to_be_visible()
    page.check("#shares")
    shares = [int(text) for text in page.locator("#board .share text").all_text_contents()]
    assert len(shares) == 4 and 98 <= sum(shares) <= 102
    page.uncheck("#shares")
    assert page.locator("#board .share").count() == 0


# --- the first page --------------------------------------------------------------------------------------------------


def test_the_first_page_lists_own_tables_and_explains_every_game(desk):
    page = desk.begin("tic_tac_toe", "you", "easy")
    my_turn(page)
    address = page.url
    page.click("header a")
    page.wait_for_selector("#mine:not([hidden])")
    row = page.locator("#tables li").filter(has=page.locator(f'a[href="{address.removeprefix(desk.url)}"]'))
    expect(row).to_contain_text("Tic-tac-toe")
    expect(row).to_contain_text("your move")
    row.locator("button").click()
    expect(row).to_have_count(0)
    page.goto(f"{desk.url}/#phantom")
    expect(page.locator("#title")).to_have_text("Phantom")
    expect(page.locator("#rules")).to_contain_text("you see only your own marks")
    expect(page.locator("#parameters")).to_contain_text("phantom(m=4, n=4, k=4)")
    page.fill("#variant", "phantom(3,3,3)")  # the preview follows without another key
    expect(page.locator("#title")).to_have_text("Phantom (3, 3, 3)")
    expect(page.locator("#preview svg [data-square]")).to_have_count(9)


def test_a_rematch_changes_the_seats_and_brings_everybody_along(browser, served, desk):
    first = desk.begin("tic_tac_toe", "you", "open")
    other = Desk(browser, served.url)
    second = other.page
    invitation = first.locator("#links input").first.input_value()
    second.goto(invitation)
    for page, cell in ((first, 0), (second, 3), (first, 1), (second, 4), (first, 2)):
        page.wait_for_selector("body.your-turn")
        page.locator(f"#board [data-action='{cell}']").click()
    first.click("#rematch")
    first.wait_for_selector('body[data-turn="0"][data-over=false]')
    expect(second.locator("#rematch")).to_have_text("Join the rematch")
    second.click("#rematch")
    second.wait_for_selector("body.your-turn")
    assert second.url == first.url and "invite" not in second.url
    expect(second.locator("#players li").first).to_contain_text("you")
    third = Desk(browser, served.url)
    third.page.goto(invitation)
    expect(third.page.locator("#curtain")).to_contain_text("has been used")
    third.page.get_by_role("button", name="Watch the game").click()
    expect(third.page.locator("#turn")).to_have_text("X wins.")
    third.complaints.clear()  # the refused request is a line on the browser's console
    other.close(), third.close()


# --- a phone, and no mouse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["othello", "hearts_round", "confrontation", "doudizhu", "backgammon", "hex", "gdl:checkers"])
def test_everything_on_a_phone_can_be_read_and_hit(browser, served, game):
    desk = Desk(browser, served.url, **PHONE)
    desk.page.goto(f"{served.url}/#{game}")
    desk.page.wait_for_selector("body[data-shown] .seat-row")
    assert_fits(desk.page)
    kinds = desk.page.locator(".seat-row .kind")
    page = desk.begin(game, *["you", *["easy"] * (kinds.count() - 1)])
    my_turn(page)
    assert_fits(page)
    sizes = page.locator("#board svg text").evaluate_all(
        "texts => texts.map(t => parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getScreenCTM().a)"
    )
    assert min(sizes) >= 10.9
    boxes = page.locator("#board svg [tabindex]").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.width, b.height])"
    )
    assert 35.5 <= min(map(min, boxes)) <= 80, "large enough for a finger, and not larger than the page needs"
    left, room = page.locator("#board").evaluate("board => [board.scrollLeft, board.scrollWidth - board.clientWidth]")
    assert abs(left - room / 2) <= 1, "what is wider than the page begins in the middle"
    texts = page.locator("main *, header *").evaluate_all(
        "all => all.filter(e => !e.closest('svg') && e.textContent && e.getClientRects().length)"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(texts) >= 11
    buttons = page.locator("main button").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).filter(b => b.height).map(b => b.height)"
    )
    assert min(buttons) >= 36
    desk.close()


def test_a_board_is_one_stop_of_the_tab_key_and_the_arrows_go_on(desk):
    page = desk.begin("tic_tac_toe", "you", "easy")
    my_turn(page)
    assert page.locator('#board [tabindex="0"]').count() == 1
    page.locator('#board [tabindex="0"]').focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    focused = page.locator("#board :focus")
    expect(focused).to_have_attribute("data-square", "b2")
    page.keyboard.press("Enter")
    page.wait_for_selector('body.your-turn[data-turn="2"]')
    assert page.locator("#board :focus").count() == 1, "who plays on the board stays there"
    expect(page.locator("#spoken")).to_have_text(re.compile(r"^O: [abc][123]\. Your move\.$"))
    page.locator("#find").focus()
    page.keyboard.type("a")
    fewer = page.locator("#legal button").count()
    page.keyboard.press("Escape")
    assert page.locator("#legal button").count() == 7 > fewer
    page.keyboard.type(page.locator("#legal button").first.inner_text())
    page.keyboard.press("Enter")
    page.wait_for_selector('body:not([data-turn="2"])')
    my_turn(page)
    expect(page.locator("#find")).to_be_focused()


def test_pages_that_do_not_exist_say_so_in_words(desk):
    page = desk.page
    page.goto(f"{desk.url}/nothing/here")
    expect(page.locator("main")).to_contain_text("There is nothing here")
    desk.complaints.clear()


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_mistakes_are_said_where_they_are_made(browser, served):
    desk = Desk(browser, served.url)
    page = desk.page
    page.goto(f"{served.url}/#hex")
    page.wait_for_selector("body[data-shown] .seat-row")
    page.fill("#variant", "hex(500)")
    page.press("#variant", "Tab")
    expect(page.locator("#problem")).to_contain_text("500")
    page.fill("#variant", "hex(4)")
    page.press("#variant", "Tab")
    page.wait_for_selector("body[data-shown] .seat-row")
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
