"""The page of the ledger review, in the real Chromium: it sorts and filters, says what is left out, and runs nothing that people typed."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kingdom.books import review, review_page
from kingdom.books.rows import NUMBERS
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import csv_text
from kingdom.cli.main import main
from kingdom.engine.ledger import COLUMNS, Entry
from tests.books.test_exports import entries
from tests.kit import archives, small_realm, tiny_game
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import overflowing, shut_out
from tests.render.test_reports import HOSTILE

WAR = archives.example("war-of-the-ford")
in_chromium = pytest.mark.package("chromium", PROGRAM)
TYPED = [text for text in HOSTILE.values() if text.strip() and text.isprintable()]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The review of a war."""
    file = tmp_path_factory.mktemp("page") / "war.html"
    assert main(["ledger", str(WAR), "--html", str(file)]) == 0
    return file


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_review(tmp_path_factory.mktemp("hostile"))


def hostile_review(made: Path) -> Path:
    """The review of a campaign whose names and reasons people typed who mean no good."""
    folder = small_realm.campaign(made / "fords")
    tiny_game.write(
        folder, "campaign.yaml", small_realm.CAMPAIGN.replace("The two fords", json.dumps(TYPED[0], ensure_ascii=False))
    )
    name = f"name: {json.dumps(TYPED[1], ensure_ascii=False)}"
    tiny_game.write(folder, "kingdoms/examplia.yaml", small_realm.EXAMPLIA.replace("name: Examplia", name))
    grants = "".join(
        f"  - {{grant: borderia, account: treasury, by: 1, reason: {json.dumps(text, ensure_ascii=False)}}}\n"
        for text in TYPED
    )
    tiny_game.file_orders(folder, 1, "gm", f"gm:\n{grants}")
    assert main(["turn", str(folder)]) == 0 and main(["turn", str(folder)]) in (0, 1)
    assert main(["ledger", str(folder), "--html", str(folder / "page.html")]) == 0
    return folder / "page.html"


def shown_rows(browser: Browser, table: str = "entries") -> list[list[str]]:
    """The rows of a table that are seen."""
    return browser.ask(
        f"[...document.querySelectorAll('#{table} tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )


def status(browser: Browser, table: str = "entries") -> str:
    return browser.page.inner_text(f"#{table} [role=status]")


def column(rows: list[list[str]], name: str) -> list[str]:
    return [row[review_page.SHOWN.index(name)] for row in rows]


# --- it opens, fits, shuts nobody out


@in_chromium
@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_it_fits_fetches_nothing_and_nothing_complains(browser: Browser, page: Path, hostile: Path, width: int) -> None:
    assert overflowing(browser, page, width) == [] and overflowing(browser, hostile, width) == []


@pytest.mark.long
@in_chromium
def test_it_shuts_nobody_out(browser: Browser, tmp_path: Path) -> None:
    """A page of less has all the same parts."""
    assert (
        main(["ledger", str(WAR), "--kingdom", "karrak", "--turn", "13-14", "--html", str(tmp_path / "page.html")]) == 0
    )
    assert shut_out(browser, tmp_path / "page.html", both=True) == []


def valid_pages(folder: Path) -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [hostile_review(folder).read_text(encoding="utf-8")]


@in_chromium
def test_what_people_typed_is_text(browser: Browser, hostile: Path) -> None:
    browser.show(hostile, 360)
    assert (
        browser.ask("document.scripts.length") == 4 and browser.ask("document.images.length") == 0
    )  # three tables and the script
    assert browser.page.inner_text("h1").strip() == review_page.clean(TYPED[0]).strip()
    details = "".join(column(shown_rows(browser), "detail"))
    assert all(review_page.clean(text).strip() in details for text in TYPED)


# --- with the script


@pytest.mark.long
@in_chromium
def test_the_newest_entries_come_first_and_all_can_be_reached(browser: Browser, page: Path) -> None:
    every = entries(WAR)
    browser.show(page, 1280)
    assert status(browser) == f"Rows 1 to 100 of {len(every)}"
    found = []
    while True:
        found += shown_rows(browser)
        if browser.page.is_disabled("#entries button:has-text('Rows after')"):
            break
        browser.page.click("#entries button:has-text('Rows after')")
    places = [COLUMNS.index(name) for name in review_page.SHOWN]
    assert found == [[str(entry[place]) for place in places] for entry in reversed(every)]
    browser.page.click("#entries button:has-text('Rows before')")
    assert status(browser).startswith(f"Rows {(len(every) - 1) // 100 * 100 - 99} to")


@in_chromium
@pytest.mark.parametrize("columns", ["some", pytest.param("all", marks=pytest.mark.long)])
def test_every_column_sorts_both_ways_by_pointer_and_by_key(browser: Browser, page: Path, columns: str) -> None:
    """In the short run every other column, of numbers and of words."""
    browser.show(page, 1280)
    for name in review_page.SHOWN[:: 2 if columns == "some" else 1]:
        head = f"#entries th:nth-child({review_page.SHOWN.index(name) + 1})"
        browser.page.click(f"{head} button")
        first = column(shown_rows(browser), name)
        browser.page.focus(f"{head} button")
        browser.page.keyboard.press("Enter")
        second = column(shown_rows(browser), name)
        values = [str(entry[COLUMNS.index(name)]) for entry in entries(WAR)]
        if name in NUMBERS:
            assert first == sorted(values, key=int, reverse=True)[:100] and second == sorted(values, key=int)[:100]
            assert browser.page.get_attribute(head, "aria-sort") == "ascending"
        else:
            in_order = browser.page.evaluate("words => words.sort((a, b) => a.localeCompare(b))", values)
            assert first == in_order[:100] and second == in_order[::-1][:100]
            assert browser.page.get_attribute(head, "aria-sort") == "descending"


@in_chromium
def test_filters_leave_what_is_asked_for_and_add_it_up(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    browser.page.locator("#entries").get_by_label("kingdom", exact=True).select_option(label="karrak")
    browser.page.locator("#entries").get_by_label("account", exact=True).select_option(label="treasury")
    browser.page.locator("#entries").get_by_label("from turn").fill("3")
    browser.page.locator("#entries").get_by_label("to turn").fill("5")
    wanted = [entry for entry in entries(WAR) if entry[4:6] == ("karrak", "treasury") and 3 <= entry[0] <= 5]
    count = len(entries(WAR))
    rows = f"Rows 1 to {len(wanted)} of {len(wanted)} that fit, out of {count}"
    assert status(browser) == f"{rows}; delta of all treasury: {sum(entry[6] for entry in wanted)}"
    assert column(shown_rows(browser), "detail") == [entry[-1] for entry in reversed(wanted)]
    browser.page.get_by_label("detail holds").fill("CONSUMPTION")
    assert set(column(shown_rows(browser), "cause")) == {"consumption"}
    browser.page.get_by_label("detail holds").fill("no such words")
    assert status(browser) == f"No row fits, out of {count}" and shown_rows(browser) == []
    assert browser.complaints == []


@pytest.mark.long
@in_chromium
def test_points_of_different_accounts_are_not_added_up(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    browser.page.locator("#entries").get_by_label("kingdom", exact=True).select_option(label="karrak")
    assert "delta" not in status(browser)


@pytest.mark.long
@in_chromium
def test_the_balances_of_every_turn_can_be_looked_up(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    browser.page.locator("#balances").get_by_label("from turn").fill("7")
    browser.page.locator("#balances").get_by_label("to turn").fill("7")
    heads = browser.ask("[...document.querySelectorAll('#balances th')].map(head => head.textContent)")
    found = {row[1]: dict(zip(heads[2:], map(int, row[2:]), strict=True)) for row in shown_rows(browser, "balances")}
    campaign = campaigns.open_campaign(WAR)
    turn = campaigns.kept(campaign, 7)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    wanted = {seat: campaign.game.accounts(state, seat, rules) for seat in campaign.game.seats(state)}
    assert found == {seat: {account: wanted[seat][account] for account in heads[2:]} for seat in wanted}


# --- without


@in_chromium
def test_it_can_be_read_without_a_script(browser: Browser, page: Path) -> None:
    browser.show(page, 360, script=False)
    assert browser.page.locator("#entries tbody tr").count() == review_page.PLAIN
    assert f"The first {review_page.PLAIN} of {len(entries(WAR))} rows are shown" in browser.page.inner_text("#entries")
    assert browser.page.locator("svg.chart").count() > 50


@pytest.mark.long
@in_chromium
def test_on_paper_there_is_nothing_to_press(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    browser.page.emulate_media(media="print")
    assert not browser.page.is_visible(".filters >> nth=0") and not browser.page.is_visible("nav")
    assert browser.page.is_visible("#entries tbody tr >> nth=0")
    browser.page.emulate_media(media="screen")


# --- what stands in it


def charts(text: str) -> dict[str, str]:
    """Title -> description of each chart of a page."""
    return dict(re.findall(r"<title id=[^>]*>([^<]*)</title>(?:<desc[^>]*>([^<]*)</desc>)?", text))


def figures(said: str) -> dict[str, int]:
    """Cause -> sum, as a chart's description says them."""
    return {part.rsplit(" ", 1)[0].removesuffix(":"): int(part.rsplit(" ", 1)[1]) for part in said.split(", ")}


def test_the_causes_of_an_account_are_those_of_the_ledger(page: Path) -> None:
    sums: dict[str, int] = {}
    for entry in entries(WAR):
        if entry[4:6] == ("karrak", "unrest"):
            sums[entry[8].replace("_", " ")] = sums.get(entry[8].replace("_", " "), 0) + entry[6]
    said = charts(page.read_text(encoding="utf-8"))["Unrest of The Queendom of the Karrak by cause"]
    assert len(sums) <= review_page.CAUSES
    assert figures(said) == {cause: value for cause, value in sums.items() if value}


def test_causes_that_are_too_many_for_a_chart_are_one_bar_together(page: Path) -> None:
    said = charts(page.read_text(encoding="utf-8"))["Treasury of The Queendom of the Karrak by cause"]
    assert len(figures(said)) == review_page.CAUSES and re.fullmatch(r"\d+ others", list(figures(said))[-1])
    assert sum(figures(said).values()) == sum(
        entry[6] for entry in entries(WAR) if entry[4:6] == ("karrak", "treasury")
    )


def test_a_page_of_one_kingdom_or_of_some_turns_holds_no_others(tmp_path: Path) -> None:
    assert (
        main(
            [
                "ledger",
                str(WAR),
                "--kingdom",
                "karrak",
                "--turn",
                "3-5",
                "--account",
                "treasury",
                "--html",
                str(tmp_path / "page.html"),
            ]
        )
        == 0
    )
    tables = data((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert tables["entries"]["kingdom"]["words"] == ["karrak"] and tables["entries"]["account"]["words"] == ["treasury"]
    assert set(tables["entries"]["turn"]) == {3, 4, 5} and set(tables["balances"]["turn"]) == {3, 4, 5}


class _Data(HTMLParser):
    """The columns of each table, by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, Any] = {}
        self.id, self.heads, self.at = "", [], ""

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        given = dict(attributes)
        if tag == "section":
            self.id, self.heads = given.get("id", ""), []
        self.at = given.get("class", tag) if tag == "script" else tag

    def handle_data(self, text: str) -> None:
        if self.at == "th" and text.strip():
            self.heads.append(text)
        elif self.at == "data" and text.strip():
            self.tables[self.id] = dict(zip(self.heads, json.loads(text), strict=True))


def data(text: str) -> dict[str, Any]:
    parser = _Data()
    parser.feed(text)
    return parser.tables


def test_what_is_too_much_for_a_page_is_left_out_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_page, "ENTRIES", 50)
    assert main(["ledger", str(WAR), "--html", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    every = entries(WAR)
    assert f"The newest 50 entries are here; {len(every) - 50} older ones are not" in text
    found = data(text)
    assert len(found["entries"]["turn"]) == 50 and sum(found["sums"]["delta"]) == sum(entry[6] for entry in every)


def test_ranks_go_by_what_counts_and_equals_share_a_place() -> None:
    def booked(turn: int, seat: str, account: str, balance: int) -> Entry:
        return Entry(turn, 1, "gm", "x", seat, account, balance, balance, "grant", "")

    books = [booked(0, "ann", "size", 5), booked(0, "bob", "size", 5), booked(0, "bob", "coins", 1)]
    books += [booked(1, "cid", "size", 9), booked(1, "ann", "coins", 1)]
    tidy = review.balances(review.entries([csv_text.write(COLUMNS, books)]), 1)
    assert review_page._ranks(tidy, ["size"], 0, 1) == {"ann": [1, 2], "bob": [1, 2], "cid": [None, 1]}
    assert review_page._ranks(tidy, ["size", "coins"], 0, 1) == {"ann": [2, 2], "bob": [1, 2], "cid": [None, 1]}


@in_chromium
def test_another_game_has_its_page_as_well(browser: Browser, tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    assert main(["ledger", str(folder), "--html", str(tmp_path / "page.html")]) == 0
    assert overflowing(browser, tmp_path / "page.html", 360) == []
    assert len(shown_rows(browser)) == len(entries(folder))


def test_the_same_books_give_the_same_page(page: Path, tmp_path: Path) -> None:
    assert main(["ledger", str(WAR), "--html", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_bytes() == page.read_bytes()
    campaign = campaigns.open_campaign(WAR)
    assert campaign.settings.seed not in page.read_text(encoding="utf-8")
    assert not [
        player.token
        for player in campaign.settings.players.values()
        if player.token and player.token in page.read_text(encoding="utf-8")
    ]
