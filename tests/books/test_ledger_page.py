"""The page of the review, in the real Chromium: it says only what the ledger holds, a press leaves the entries that it stands for, and it runs nothing that people typed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from kingdom.books import review_page
from kingdom.books.rows import NUMBERS
from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.engine.ledger import COLUMNS
from tests.books.test_exports import entries, sheets
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


Entries = list[tuple[Any, ...]]


def shown_rows(browser: Browser) -> list[list[str]]:
    """The entries that are seen."""
    return browser.ask(
        "[...document.querySelectorAll('#entries tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )


def status(browser: Browser) -> str:
    return browser.page.inner_text("#entries [role=status]")


def column(rows: list[list[str]], name: str) -> list[str]:
    return [row[review_page.SHOWN.index(name)] for row in rows]


def as_shown(every: Entries) -> list[list[str]]:
    """Entries as the page shows them, the newest first."""
    names = dict(NAMES)
    return [
        [
            str(entry[0]),
            names[entry[4]],
            entry[5],
            f"{entry[6]:+d}",
            str(entry[7]),
            entry[8].replace("_", " "),
            entry[9],
        ]
        for entry in reversed(every)
    ]


def of(**wanted: Any) -> Entries:
    """The entries of the war with these values."""
    return [
        entry for entry in entries(WAR) if all(entry[COLUMNS.index(name)] == value for name, value in wanted.items())
    ]


NAMES = {
    "hartmark": "The Hartmark", "karrak": "The Queendom of the Karrak", "saltgate": "The Salt Cities",
    "skarn": "Skarn", "wendwater": "Wendwater",
}  # fmt: skip
KARRAK = NAMES["karrak"]


# --- it opens, fits, shuts nobody out


@in_chromium
@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_it_fits_fetches_nothing_and_nothing_complains(browser: Browser, page: Path, hostile: Path, width: int) -> None:
    assert overflowing(browser, page, width) == [] and overflowing(browser, hostile, width) == []


@in_chromium
def test_it_shuts_nobody_out(browser: Browser, tmp_path: Path) -> None:
    """A page of two periods has all the same parts."""
    file = tmp_path / "page.html"
    assert main(["ledger", str(WAR), "--turn", "13-14", "--against", "11-12", "--html", str(file)]) == 0
    assert shut_out(browser, file, both=True) == []


@in_chromium
@pytest.mark.parametrize("words", ["", "--turn 9-14 --against 3-8"])
def test_a_desk_sees_the_entries_after_four_screens_at_most(browser: Browser, words: str, tmp_path: Path) -> None:
    assert main(["ledger", str(WAR), *words.split(), "--html", str(tmp_path / "page.html")]) == 0
    browser.show(tmp_path / "page.html", 1280, 800)
    assert browser.ask("document.querySelector('#entries').getBoundingClientRect().top") <= 4 * 800


@in_chromium
def test_on_a_phone_an_entry_is_a_card_of_two_lines_and_nothing_is_cut(browser: Browser, page: Path) -> None:
    browser.show(page, 360)
    rows = browser.ask(
        """[...document.querySelectorAll('#entries tbody tr')].map(row => ({
          tops: [...row.cells].map(cell => Math.round(cell.getBoundingClientRect().top)), high: row.clientHeight,
          whole: row.scrollWidth <= row.clientWidth, seen: [...row.cells].every(cell => cell.clientHeight || cell.offsetWidth) }))"""
    )
    assert all(row["whole"] and row["seen"] for row in rows)
    assert all(row["tops"][0] <= row["tops"][4] < row["tops"][5] <= row["tops"][6] for row in rows)
    assert min(row["high"] for row in rows) < 60 and {len({*row["tops"]}) for row in rows if row["high"] < 60} == {2}


def valid_pages(folder: Path) -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [hostile_review(folder).read_text(encoding="utf-8")]


@in_chromium
def test_what_people_typed_is_text(browser: Browser, hostile: Path) -> None:
    browser.show(hostile, 360)
    assert browser.ask("document.scripts.length") == 2 and browser.ask("document.images.length") == 0
    assert browser.page.inner_text("h1").strip() == review_page.clean(TYPED[0]).strip()
    details = "".join(column(shown_rows(browser), "detail"))
    assert all(review_page.clean(text).strip() in details for text in TYPED)


# --- what is said is what the ledger holds


def test_what_is_said_to_be_proved_was_proved(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert f"<strong>{len(entries(WAR))} entries, every account balanced after every step, 0 errors.</strong>" in text
    wrong = shutil.copytree(WAR, tmp_path / "war")
    ledger = wrong / "turns/0009/ledger.csv"
    ledger.write_bytes(ledger.read_bytes().replace(b",karrak,treasury,", b",skarn,treasury,", 1))
    assert main(["review", str(wrong), "--html", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "0 errors" not in text and " entries, 1 error.</strong> The file is not as it was kept" in text


@in_chromium
def test_the_table_of_kingdoms_is_that_of_the_sheets(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    rows = browser.ask(
        "[...document.querySelectorAll('.kingdoms tbody tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    balances = {(turn, seat): accounts for turn, seat, accounts in sheets(WAR)}
    assert [row[0].split(" out of play")[0] for row in rows] == [
        NAMES[seat] for seat in ("hartmark", "karrak", "wendwater", "skarn", "saltgate")
    ]
    first = [cell.split() for cell in rows[1][1:5]]
    for account, cell in zip(("size", "treasury", "unrest", "consumption"), first, strict=True):
        now, before = (balances[turn, "karrak"][account] for turn in (14, 0))
        assert cell == [str(now), *([f"{now - before:+d}"] if now != before else [])]
    assert rows[-1][0] == "The Salt Cities out of play since turn 14"


def test_every_line_is_the_balances_themselves_and_ends_where_a_kingdom_fell(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    drawn = re.findall(r'<a class="plot"[^>]*aria-label="([^,]+), (\w+): .*?<use href="#(p[0-9-]+)"/>', text, re.DOTALL)
    paths = dict(re.findall(r'<path id="([^"]+)" d="([^"]*)"', text))
    found: dict[tuple[str, str], dict[int, int]] = {}
    for kingdom, account, line in drawn:
        for part in paths[line].split("M")[1:]:
            turn, down, _, *steps = map(int, re.findall(r"-?\d+", part))
            course = found.setdefault((kingdom, account.lower()), {})
            course[turn] = -down
            for by in steps[1::2]:
                turn, down = turn + 1, down + by
                course[turn] = -down
    wanted: dict[tuple[str, str], dict[int, int]] = {}
    for turn, seat, accounts in sheets(WAR):
        for account, value in accounts.items():
            wanted.setdefault((NAMES[seat], account), {})[turn] = value
    assert found == {place: wanted[place] for place in found} and {*found} <= {*wanted}
    assert max(found["The Salt Cities", "treasury"]) == 13 and max(found[KARRAK, "treasury"]) == 14
    assert min(found["Skarn", "size"]) == 4  # it came later


def test_bars_are_the_sums_of_the_ledger(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for account in ("treasury", "unrest"):
        part = text[text.index(f'data-kingdom="karrak" data-account="{account}">') :].partition("</figure>")[0]
        bars = dict(re.findall(r">([^<>]+)</a>.*?<b>([+-]?\d+)</b>", part))
        sums: dict[str, int] = {}
        for entry in of(kingdom="karrak", account=account):
            if entry[0]:
                sums[entry[8].replace("_", " ")] = sums.get(entry[8].replace("_", " "), 0) + entry[6]
        assert 1 < len(bars) <= review_page.CAUSES and sum(map(int, bars.values())) == sum(sums.values())
        others = [name for name in bars if name.endswith(" others")]
        assert {name: int(by) for name, by in bars.items() if name not in others} == {
            name: sums[name] for name in bars if name not in others
        }


def test_colours_say_what_is_good_and_bad(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    def sides(account: str) -> set[tuple[str, str]]:
        """The sign of each bar, and its class."""
        part = text[text.index(f'data-kingdom="karrak" data-account="{account}">') :].partition("</figure>")[0]
        return {(sign, side) for side, sign in re.findall(r'<i class="(\w+)".*?<b>([+-])', part)}

    assert sides("treasury") == {("+", "good"), ("-", "bad")}
    assert sides("unrest") == sides("consumption") == {("+", "bad"), ("-", "good")}
    assert sides("opulence") == {("+", "flat"), ("-", "flat")}


# --- a press leaves the entries that it stands for


@in_chromium
def test_a_bar_a_point_and_a_sentence_leave_their_entries(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    figure = 'figure[data-kingdom="karrak"][data-account="treasury"]'
    browser.page.click(f"{figure} .bars a:has-text('consumption')")
    bar = browser.page.inner_text(f"{figure} .bars li:has-text('consumption') b")
    assert shown_rows(browser) == as_shown(of(kingdom="karrak", account="treasury", cause="consumption"))
    assert status(browser).endswith(f"together {bar} treasury")
    plot = browser.page.locator(f"{figure} .plot")
    at_nine = {"x": plot.bounding_box()["width"] * 9 / 14, "y": 20}
    plot.hover(position=at_nine)
    (balance,) = [accounts["treasury"] for turn, seat, accounts in sheets(WAR) if (turn, seat) == (9, "karrak")]
    assert browser.page.inner_text(f"{figure} .at") == f"turn 9: {balance}"
    plot.click(position=at_nine)
    assert shown_rows(browser) == as_shown(of(kingdom="karrak", account="treasury", turn=9))
    sentence = browser.page.locator(".changes a", has_text="unrest from")
    said = sentence.nth(0).inner_text()
    sentence.nth(0).click()
    before, after = map(int, re.findall(r"from (-?\d+) to (-?\d+)", said)[0])
    assert f"together {after - before:+d} unrest" in status(browser)
    assert set(column(shown_rows(browser), "kingdom")) == {said.partition(":")[0]}
    browser.page.click("button:has-text('Show all entries')")
    assert status(browser) == f"Entries 1 to 100 of {len(entries(WAR))}"
    assert browser.complaints == []


@in_chromium
def test_a_key_presses_a_chart_whole(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    browser.page.focus('figure[data-kingdom="skarn"][data-account="unrest"] .plot')
    browser.page.keyboard.press("Enter")
    assert shown_rows(browser) == as_shown(of(kingdom="skarn", account="unrest"))


@pytest.mark.long
@in_chromium
def test_the_newest_entries_come_first_and_all_can_be_reached(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    found = shown_rows(browser)
    while not browser.page.is_disabled("#entries button:has-text('Entries after')"):
        browser.page.click("#entries button:has-text('Entries after')")
        found += shown_rows(browser)
    assert found == as_shown(entries(WAR))
    browser.page.click("#entries button:has-text('Entries before')")
    assert status(browser).startswith(f"Entries {(len(found) - 1) // 100 * 100 - 99} to")


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
        values = column(as_shown(entries(WAR)), name)
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
    browser.page.get_by_label("kingdom", exact=True).select_option(label=KARRAK)
    browser.page.get_by_label("account", exact=True).select_option(label="treasury")
    browser.page.get_by_label("from turn").fill("3")
    browser.page.get_by_label("to turn").fill("5")
    wanted = [entry for entry in of(kingdom="karrak", account="treasury") if 3 <= entry[0] <= 5]
    count = len(entries(WAR))
    rows = f"Entries 1 to {len(wanted)} of {len(wanted)} that fit, out of {count}"
    assert status(browser) == f"{rows}; together {sum(entry[6] for entry in wanted):+d} treasury"
    assert shown_rows(browser) == as_shown(wanted)
    browser.page.get_by_label("detail holds").fill("CONSUMPTION")
    assert set(column(shown_rows(browser), "cause")) == {"consumption"}
    browser.page.get_by_label("detail holds").fill("no such words")
    assert status(browser) == f"No entry fits, out of {count}" and shown_rows(browser) == []
    browser.page.get_by_label("account", exact=True).select_option(label="all")
    browser.page.get_by_label("detail holds").fill("")
    assert "together" not in status(browser)  # points of different accounts are not added up
    assert browser.complaints == []


# --- entries that the page has no room for


@in_chromium
def test_older_entries_lie_in_a_file_beside_the_page_and_come_when_they_are_asked_for(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(review_page, "ENTRIES", 300)
    assert main(["ledger", str(WAR), "--html", str(tmp_path / "page.html")]) == 0
    assert "Keep page-older.js beside it: the older entries are in it." in capsys.readouterr().out
    browser.show(tmp_path / "page.html", 1280)
    assert status(browser) == "Entries 1 to 100 of 300"
    browser.page.click('figure[data-kingdom="skarn"][data-account="treasury"] .bars a:has-text("add")')
    browser.wait_for("document.getElementById('older').hidden")
    assert shown_rows(browser) == as_shown(of(kingdom="skarn", account="treasury", cause="add"))
    browser.page.click("button:has-text('Show all entries')")
    assert status(browser) == f"Entries 1 to 100 of {len(entries(WAR))}" and browser.complaints == []
    (tmp_path / "page-older.js").unlink()
    browser.show(tmp_path / "page.html", 1280)
    browser.page.click("button:has-text('Bring in the older entries')")
    browser.wait_for("document.getElementById('older').textContent.includes('That file is not there')")


@pytest.mark.long
def test_a_page_of_fifty_turns_of_six_kingdoms_is_small(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "six"), "--kingdoms", "6", "--bots", "6"]) == 0
    assert main(["turn", str(tmp_path / "six"), "--turns", "51"]) == 0
    assert main(["review", str(tmp_path / "six"), "--html", str(tmp_path / "page.html")]) == 0
    assert len(entries(tmp_path / "six")) > 2_000
    assert (tmp_path / "page.html").stat().st_size <= 200_000 and (tmp_path / "page-older.js").exists()


# --- without a script, on paper


@in_chromium
def test_it_can_be_read_without_a_script(browser: Browser, page: Path) -> None:
    browser.show(page, 360, script=False)
    assert browser.page.locator("#entries tbody tr").count() == review_page.PLAIN
    assert f"the newest {review_page.PLAIN} of {len(entries(WAR))} entries" in browser.page.inner_text("#entries")
    assert browser.page.locator("svg.course").count() >= 50


@pytest.mark.long
@in_chromium
def test_on_paper_there_is_nothing_to_press(browser: Browser, page: Path) -> None:
    browser.show(page, 1280)
    browser.page.emulate_media(media="print")
    assert not browser.page.is_visible(".filters >> nth=0") and not browser.page.is_visible("nav")
    assert browser.page.is_visible("#entries tbody tr >> nth=0")
    browser.page.emulate_media(media="screen")


# --- pages of less, of periods, of other games


@in_chromium
def test_a_page_of_one_kingdom_or_of_some_turns_holds_no_others(browser: Browser, tmp_path: Path) -> None:
    words = "--kingdom karrak --turn 3-5 --account treasury --html"
    assert main(["ledger", str(WAR), *words.split(), str(tmp_path / "page.html")]) == 0
    browser.show(tmp_path / "page.html", 1280)
    wanted = [entry for entry in of(kingdom="karrak", account="treasury") if 3 <= entry[0] <= 5]
    assert shown_rows(browser) == as_shown(wanted)
    shown = browser.ask("[...document.querySelectorAll('[data-kingdom]')].map(each => each.dataset.kingdom)")
    assert {*shown} == {"karrak"}


@in_chromium
def test_two_periods_stand_side_by_side(browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ledger", str(WAR), "--kingdom", "karrak", "--turn", "5-8", "--against", "9-12"]
    assert main([*words, "--html", str(tmp_path / "page.html")]) == 0
    capsys.readouterr()
    assert main([*words, "--csv", "-"]) == 0
    lines = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    browser.show(tmp_path / "page.html", 1280)
    browser.ask("document.querySelectorAll('details').forEach(e => e.open = true)")
    rows = browser.ask(
        "[...document.querySelectorAll('#periods tr')].map(row => [...row.cells].map(cell => cell.innerText))"
    )
    assert rows[0] == lines[0]
    assert sorted(row for row in rows if row[0] != "account") == sorted(
        [line[0], line[1].replace("_", " "), *line[2:]] for line in lines[1:]
    )
    browser.page.click("#periods tr:has-text('treasury') a:has-text('equip')")
    wanted = [entry for entry in of(kingdom="karrak", account="treasury", cause="equip") if 5 <= entry[0] <= 8]
    assert shown_rows(browser) == as_shown(wanted) and wanted


def test_columns_of_turns_and_their_trend_stand_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert main(["ledger", str(WAR), "--every", "4", "--html", str(file)]) == 0
    assert re.findall(r'<th scope="col" class="n">(turns? [0-9-]+|total|average)</th>', file.read_text())[:6] == [
        "turns 1-4", "turns 5-8", "turns 9-12", "turns 13-14", "total", "average",
    ]  # fmt: skip
    assert main(["ledger", str(WAR), "--every", "4", "--trend", "--html", str(file)]) == 0
    assert '<th scope="col" class="n">to 9-12</th>' in file.read_text()


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
