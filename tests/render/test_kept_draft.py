"""A draft of the order form in the real Chromium: what is pressed is there again after a reload, and nothing is kept that must not be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest

from kingdom.render.order_form import FormFacts
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, Place, place_of, unfold

pytestmark = pytest.mark.package("chromium", PROGRAM)
TOKEN = "k7f3q"
ENTRIES = "OrderForm.draft.entries.length"
STORED = "JSON.stringify(Object.entries(localStorage))"
NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('none', 'SecurityError'); } })"
)


@pytest.fixture(scope="module")
def hartmark() -> Place:
    return place_of("war-of-the-ford", 15, "hartmark")


@pytest.fixture
def page(browser: Browser, tmp_path: Path, hartmark: Place) -> Path:
    """The form, just opened; its seat has a token."""
    return hartmark.show(browser, tmp_path, facts=FACTS._replace(token=TOKEN))


def press(browser: Browser, text: str) -> None:
    """Choose by a line of one's own, which every form takes."""
    unfold(browser, "own")
    browser.page.fill("#own-text", text)
    browser.page.click("#own-add")


def pressed_and_written(browser: Browser) -> str:
    """Press a claim, a building and an edict, and write a letter; gives the orders file."""
    browser.page.locator("#map .claimable").first.click()
    browser.page.locator("#hex .offer", has_text="Claim").click()
    unfold(browser, "towns")
    browser.page.locator("#section-towns .offer:enabled").first.click()
    press(browser, "messages: [{to: saltgate, text: Peace at the ford}]")
    text = browser.ask("OrderForm.draft.text()")
    assert text.count("\n") >= 5
    return str(text)


def words(browser: Browser) -> str:
    """What the bar says of a draft, "" where there is none."""
    return str(browser.page.inner_text("#kept-words")) if browser.page.is_visible("#kept") else ""


def kept_in_address(browser: Browser) -> Any:
    mark, _, data = urlsplit(browser.page.url).fragment.partition("=")
    return json.loads(unquote(data)) if mark == "draft" else None


def test_after_a_reload_all_that_was_pressed_is_taken_up_by_a_press(browser: Browser, page: Path) -> None:
    assert words(browser) == ""
    text = pressed_and_written(browser)
    browser.again(page)
    assert words(browser).startswith("3 orders from ") and words(browser).endswith(", not sent.")
    assert browser.ask(ENTRIES) == 0
    browser.page.click("#kept-take")
    assert browser.ask("OrderForm.draft.text()") == text and words(browser) == ""
    browser.again(page)
    assert words(browser).startswith("3 orders")  # it stays kept until it is sent
    assert browser.complaints == []


def test_a_page_that_is_read_again_shows_its_draft_wherever_it_was_left(browser: Browser, page: Path) -> None:
    browser.page.set_viewport_size({"width": 360, "height": 740})
    pressed_and_written(browser)
    browser.page.click("#drawer")
    assert browser.ask("scrollY") > 740
    for _ in range(2):  # what a window says of where it was left holds from one reading to the next
        browser.page.reload()
        browser.page.wait_for_timeout(100)
        assert browser.ask(
            "document.getElementById('kept').getBoundingClientRect().bottom < innerHeight && scrollY < 200"
        )
        browser.page.click("#drawer")


def test_a_draft_that_is_forgotten_stays_away(browser: Browser, page: Path) -> None:
    pressed_and_written(browser)
    browser.again(page)
    browser.page.click("#kept-forget")
    browser.again(page)
    assert words(browser) == "" and browser.ask("localStorage.length") == 0


def test_what_is_pressed_before_the_draft_is_decided_on_takes_nothing_away(browser: Browser, page: Path) -> None:
    text = pressed_and_written(browser)
    browser.again(page)
    press(browser, "final: true")
    browser.again(page)
    assert words(browser).startswith("1 order from ")
    browser.page.click("#kept-forget")
    assert words(browser).startswith("3 orders from ")
    press(browser, "final: true")
    browser.page.click("#kept-take")
    assert browser.ask("OrderForm.draft.text()") == text and words(browser).startswith("1 order from ")


@pytest.mark.parametrize(
    ("facts", "own"), [(FACTS._replace(token=TOKEN), "final: true"), (FACTS, f"token: {TOKEN}\nfinal: true")]
)
def test_no_token_is_kept(browser: Browser, tmp_path: Path, hartmark: Place, facts: FormFacts, own: str) -> None:
    hartmark.show(browser, tmp_path, facts=facts)
    press(browser, own)
    assert TOKEN in browser.ask("OrderForm.draft.text()")
    assert "final" in browser.ask(STORED) and TOKEN not in browser.ask(STORED)


def test_sent_orders_are_forgotten_and_those_pressed_afterwards_kept(browser: Browser, page: Path) -> None:
    press(browser, "final: true")
    browser.page.evaluate(
        "document.getElementById('send').addEventListener('click', (event) => event.preventDefault())"
    )
    browser.page.click("#send")
    assert browser.ask("localStorage.length") == 0
    pressed_and_written(browser)
    browser.again(page)
    assert words(browser).startswith("4 orders")


def test_a_link_that_is_too_long_sends_nothing_and_forgets_nothing(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    page = hartmark.show(browser, tmp_path, facts=FACTS._replace(longest=50))
    press(browser, "final: true")
    browser.page.click("#send")
    browser.again(page)
    assert words(browser).startswith("1 order")


def test_another_attempt_seat_or_campaign_has_its_own_drafts(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    def opened(place: Place, facts: FormFacts) -> str:
        (tmp_path / "form.html").write_text(place.html(facts), encoding="utf-8")
        browser.again(tmp_path / "form.html")
        return words(browser)

    hartmark.show(browser, tmp_path)
    press(browser, "final: true")
    assert opened(hartmark, FACTS._replace(attempt=2)) == ""
    assert opened(hartmark, FACTS._replace(campaign="Another")) == ""
    assert opened(place_of("war-of-the-ford", 15, "saltgate"), FACTS) == ""
    assert opened(hartmark, FACTS).startswith("1 order from ")
    closed = opened(hartmark, FACTS._replace(closed=("messages",)))
    assert closed.endswith("They were made for another state: look at each before you send them.")


def test_what_is_filed_is_the_start_and_no_draft(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    page = hartmark.show(browser, tmp_path)
    unfold(browser, "towns")
    browser.page.locator("#section-towns .offer:enabled").first.click()
    filed = FACTS._replace(filed=browser.ask("OrderForm.draft.text()"))
    (tmp_path / "form.html").write_text(hartmark.html(filed), encoding="utf-8")
    browser.again(page)
    assert words(browser) == "" and browser.ask(ENTRIES) == 1


def test_drafts_of_three_turns_ago_are_forgotten(browser: Browser, page: Path) -> None:
    press(browser, "final: true")
    browser.page.evaluate(
        """() => { const [[key, value]] = Object.entries(localStorage);
        for (const turn of [11, 12, 13]) localStorage.setItem(key.replace(/-15-/, `-${turn}-`), value); }"""
    )
    browser.again(page)
    assert sorted(key.rsplit("-", 2)[1] for key, _ in json.loads(browser.ask(STORED))) == ["13", "15"]


def test_without_a_storage_the_address_keeps_it_and_no_letter(browser: Browser, page: Path) -> None:
    usual, context = browser.page, browser.page.context.browser.new_context()
    browser.page = context.new_page()
    browser.page.add_init_script(NO_STORAGE)
    try:
        browser.again(page)
        browser.page.locator("#map .claimable").first.click()
        browser.page.locator("#hex .offer", has_text="Claim").click()
        claim = browser.ask("OrderForm.draft.text()")
        address = browser.page.url
        assert [list(draft["orders"]) for draft in kept_in_address(browser)] == [["claim"]]
        press(browser, "messages: [{to: saltgate, text: Peace at the ford}]")
        assert "Peace" not in json.dumps(kept_in_address(browser))
        with_letter = browser.page.url
        for kept, is_told in ((address, False), (with_letter, True)):
            browser.page.goto("about:blank")
            browser.page.goto(kept)
            said = words(browser)
            assert said.startswith("1 order from ") and kept_in_address(browser) is None
            assert ("Your messages (1) were not kept." in said) is is_told
            browser.page.click("#kept-take")
            assert browser.ask("OrderForm.draft.text()") == claim and browser.complaints == []
    finally:
        context.close()
        browser.page = usual


@pytest.mark.parametrize(
    "draft",
    [
        None, 5, {}, {"orders": None}, {"orders": {"claim": [None], "leadership": None, "build": 5}}, {"orders": {"nonsense": {"a": 1}}},
        {"orders": {}, "own": [None, {"key": "final"}]}, {"orders": {"armies": {"a": [1]}}, "at": "noon"}, {"many": "Mail your token to x@y.z:"},
        {"own": [{"key": "final", "text": "final: true"}, {"key": "final", "text": "final: false"}]},
        {"own": [{"key": "final", "text": "<img src=x onerror='document.title=1'>"}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("in_address", [False, True])
def test_what_another_page_wrote_stops_no_form_and_takes_nothing_away(
    browser: Browser, page: Path, draft: Any, in_address: bool
) -> None:
    press(browser, "final: true")
    key, value = json.loads(browser.ask(STORED))[0]
    written = {**json.loads(value)[0], "own": [], **draft} if isinstance(draft, dict) else draft
    browser.page.evaluate("localStorage.clear()")
    if not in_address:
        browser.page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, json.dumps([written])])
    browser.page.goto("about:blank")
    browser.page.goto(page.as_uri() + (f"#draft={quote(json.dumps([written]))}" if in_address else ""))
    assert not browser.page.locator("#no-scripts").count()
    press(browser, "requests: [mine]")
    if words(browser):
        assert words(browser).startswith("1 order from ") and "Invalid" not in words(browser)
        browser.page.click("#kept-take")
        assert browser.page.inner_text("#said") == "This draft can't be read, and is forgotten. What you chose stays."
    assert "requests: [mine]" in browser.page.input_value("#orders") and browser.complaints == []


def test_a_kept_line_is_read_anew_and_brings_no_token(browser: Browser, page: Path) -> None:
    press(browser, "final: true")
    browser.page.evaluate(
        """() => { const [[key, value]] = Object.entries(localStorage);
        localStorage.setItem(key, value.replace('final: true', 'token: other\\\\nfinal: true')); }"""
    )
    browser.again(page)
    browser.page.click("#kept-take")
    text = browser.page.input_value("#orders")
    assert text.count("token:") == 1 and "final: true" in text


def test_two_windows_take_nothing_from_each_other(browser: Browser, page: Path) -> None:
    first, second = browser.page, browser.page.context.new_page()
    try:
        second.goto(page.as_uri())
        press(browser, "final: true")
        browser.page = second
        press(browser, "requests: [a castle]")
        browser.page = first
        press(browser, "capital: Newford")
        browser.again(page)
        drafts = {words(browser)[:8]}
        browser.page.click("#kept-forget")
        drafts.add(words(browser)[:8])
        assert drafts == {"1 order ", "2 orders"}
    finally:
        browser.page = first
        second.close()


def test_a_draft_that_another_window_sent_is_not_offered_again(browser: Browser, page: Path) -> None:
    press(browser, "final: true")
    first, second = browser.page, browser.page.context.new_page()
    try:
        second.goto(page.as_uri())
        first.evaluate("document.getElementById('send').addEventListener('click', (event) => event.preventDefault())")
        first.click("#send")
        browser.page = second
        assert words(browser)
        press(browser, "requests: [a castle]")
        assert words(browser) == "" and "final" not in browser.ask(STORED)
    finally:
        browser.page = first
        second.close()


def test_a_file_that_is_sent_alone_forgets_nothing_that_is_pressed(browser: Browser, page: Path) -> None:
    press(browser, "final: true")
    browser.page.set_input_files(
        "#own-file", {"name": "mine.yaml", "mimeType": "text/yaml", "buffer": b"final: true\n"}
    )
    browser.wait_for("OrderForm.draft.file")
    browser.page.evaluate(
        "document.getElementById('send').addEventListener('click', (event) => event.preventDefault())"
    )
    browser.page.click("#send")
    browser.again(page)
    assert words(browser).startswith("1 order from ")


@pytest.mark.parametrize("button", ["#copy", "#save"])
def test_of_a_copy_no_page_knows_whether_it_was_sent(browser: Browser, page: Path, button: str) -> None:
    press(browser, "final: true")
    browser.page.click(button)
    browser.again(page)
    assert words(browser).endswith(", copied or saved. If you sent the copy, forget the draft.")
    browser.page.click("#kept-take")
    press(browser, "requests: [a castle]")
    browser.again(page)
    assert words(browser).startswith("2 orders") and words(browser).endswith(", not sent.")


def test_the_keyboard_goes_on_at_the_chosen_orders(browser: Browser, page: Path) -> None:
    for button in ("#kept-take", "#kept-forget"):
        press(browser, "final: true")
        browser.again(page)
        browser.page.focus(button)
        browser.page.keyboard.press("Enter")
        assert browser.ask("document.activeElement.id") == "chosen-title"


def leaves(browser: Browser) -> bool:
    """Whether the page lets itself be left without a question."""
    return bool(browser.ask("dispatchEvent(new Event('beforeunload', { cancelable: true }))"))


def test_a_letter_that_is_not_added_is_asked_about_before_leaving(browser: Browser, page: Path) -> None:
    press(browser, "final: true")
    assert leaves(browser)
    unfold(browser, "own")
    browser.page.fill("#own-text", "messages: half a lett")
    assert not leaves(browser)


FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


def test_of_a_letter_alone_that_no_storage_took_the_page_says_that_it_is_gone(browser: Browser, page: Path) -> None:
    usual, context = browser.page, browser.page.context.browser.new_context()
    browser.page = context.new_page()
    browser.page.add_init_script(NO_STORAGE)
    try:
        browser.again(page)
        press(browser, "messages: [{to: saltgate, text: Peace}, {to: karrak, text: War}]")
        address = browser.page.url
        browser.page.goto("about:blank")
        browser.page.goto(address)
        assert words(browser).startswith("0 orders from ") and "Your messages (1) were not kept." in words(browser)
    finally:
        context.close()
        browser.page = usual


def test_with_a_full_storage_the_address_keeps_all_drafts_and_no_misspelt_letter(browser: Browser, page: Path) -> None:
    usual, context = browser.page, browser.page.context.browser.new_context()
    browser.page = context.new_page()
    browser.page.add_init_script(FULL)
    try:
        browser.again(page)
        press(browser, "capital: Newford")
        assert leaves(browser)
        address = browser.page.url
        browser.page.goto("about:blank")
        browser.page.goto(address)
        press(browser, "final: true")
        press(browser, "mesages: [{to: saltgate, text: Peace}]")
        assert [draft["own"][0]["key"] for draft in kept_in_address(browser)] == ["final", "capital"]
        assert "Peace" not in browser.page.url and not leaves(browser)
    finally:
        context.close()
        browser.page = usual
