"""G8: "why is Karrak broke?", from the report to the cause, the order, the die and the ruling: in the terminal, on the page, in a
spreadsheet and in Datasette. All four say the same."""

from __future__ import annotations

import csv
import io
import json
import sys
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from tests.journeys.campaigns import MONDAY
from tests.journeys.gm import ROOT, Gm
from tests.journeys.programs import gmail
from tests.journeys.world import World
from tests.kit.browser import PROGRAM, Browser

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.package("chromium", PROGRAM),
]
KARRAK = "The Queendom of the Karrak"
SIEGE = "Iron Host with Siege engines, in Karrakhold (ruling recruit_cost)"


def test_why_is_karrak_broke(a_world: Callable[..., World], browser: Browser) -> None:
    gm = Gm(a_world(MONDAY, "ford", "gm"), "gm", "Gwen", gmail)
    (gm.clone / "campaigns").symlink_to(ROOT / "campaigns")  # which are copied from
    gm.types("scripts/kingdom new ~/kingdoms/ford --example war-of-the-ford")
    ford = "~/kingdoms/ford"
    assert "Treasury   8 -> -9 BP" in gm.types(f"cat {ford}/turns/0014/reports/karrak.txt")  # what the group sees

    in_the_terminal(gm, ford)
    on_the_page(gm, ford, browser)
    in_a_spreadsheet(gm, ford)
    in_datasette(gm, ford)


def in_the_terminal(gm: Gm, ford: str) -> None:
    said = joined(gm.types(f"scripts/kingdom review {ford}"))
    assert f"{KARRAK}: treasury from 8 to -9 (consumption -14, public scandal -4, trade +4, build -3)." in said
    # it has been falling for long: when?
    trend = gm.types(f"scripts/kingdom ledger {ford} --account treasury --balances --every 4 --trend")
    assert "karrak     treasury         39     -36" in trend
    # by what? two times side by side
    said = gm.types(f"scripts/kingdom ledger {ford} --kingdom karrak --account treasury --turn 5-8 --against 9-12")
    assert "treasury  consumption             -90       -110         -20" in said
    assert "treasury  equip                     0        -15         -15" in said
    # the cause: one entry, which names its ruling
    said = joined(gm.types(f"scripts/kingdom ledger {ford} --kingdom karrak --account treasury --cause equip"))
    assert SIEGE in said
    # the order: what would have been without it
    said = gm.types(f"scripts/kingdom ledger {ford} --order siege_engines --kingdom karrak --csv -")
    effects = [
        (row["turn"], row["account"], row["cause"], row["delta"], row["without"])
        for row in csv.DictReader(io.StringIO(said))
    ]
    assert effects == [
        ("5", "treasury", "equip", "-15", "0"), ("5", "consumption", "equip", "3", "0"), ("5", "treasury", "consumption", "-27", "-24"),
    ]  # fmt: skip
    # the die: why Unrest rose as well
    said = joined(gm.types(f"scripts/kingdom explain {ford} karrak unrest --turn 13"))
    assert "Check `stability`: 6 (d20) + 23 stability - 5 unrest = 24 against 31: failure by 7." in said
    # the ruling: its words
    said = gm.types(f"scripts/kingdom rules {ford} | grep -A 2 '^### recruit_cost'")
    assert "equipping uses none" in said


def on_the_page(gm: Gm, ford: str, browser: Browser) -> None:
    gm.types(f"scripts/kingdom review {ford} --html ~/review.html")
    browser.show(gm.home / "review.html", 1280)
    page = browser.page
    assert "872 entries, every account balanced after every step, 0 errors." in page.inner_text("header")
    row = page.inner_text(f".kingdoms tr:has-text('{KARRAK}')").split()
    assert "-9" in row and "-109" in row
    assert f"{KARRAK}: treasury from 100 to 39 in turns 1-4. Consumption -94" in page.inner_text(".changes")
    # the largest bar, then the line where it falls in turn 5, down to the entry of the cause and its ruling
    figure = 'figure[data-kingdom="karrak"][data-account="treasury"]'
    page.click(f"{figure} .bars a:has-text('consumption')")
    assert "together -321 treasury" in page.inner_text("#entries [role=status]")
    plot = page.locator(f"{figure} .plot")
    plot.click(position={"x": plot.bounding_box()["width"] * 5 / 14, "y": 20})
    assert f"5\t{KARRAK}\ttreasury\t-15\t21\tequip\t{SIEGE}" in page.inner_text("#entries table")
    assert browser.complaints == []


def in_a_spreadsheet(gm: Gm, ford: str) -> None:
    gm.types(f"scripts/kingdom export {ford} --to ~/books.xlsx")
    book = openpyxl.load_workbook(gm.home / "books.xlsx", data_only=True)
    head, *rows = book["Entries"].iter_rows(values_only=True)
    entries = [dict(zip(head, row, strict=True)) for row in rows]
    own = [entry for entry in entries if (entry["kingdom"], entry["account"]) == ("karrak", "treasury")]
    assert sum(entry["delta"] for entry in own if entry["cause"] == "consumption" and 5 <= entry["turn"] <= 8) == -110
    assert [entry["detail"] for entry in own if entry["cause"] == "equip"] == [SIEGE]
    periods = {tuple(row[:3]): row[3:6] for row in book["Periods"].iter_rows(min_row=6, values_only=True)}
    said = gm.types(
        f"scripts/kingdom ledger {ford} --kingdom karrak --account treasury --turn 11-14 --against 7-10 --csv -"
    )
    for row in csv.DictReader(io.StringIO(said)):
        figures = (int(row["turns 7-10"]), int(row["turns 11-14"]), int(row["difference"]))
        assert periods["karrak", "treasury", row["cause"]] == figures


def in_datasette(gm: Gm, ford: str) -> None:
    gm.types(f"scripts/kingdom export {ford} --to ~/books.sqlite --orders")
    datasette = Path(sys.executable).parent / "datasette"

    def ask(sql: str) -> list[dict[str, object]]:
        place = f"/books.json?{urllib.parse.urlencode({'sql': sql, '_shape': 'array'})}"
        return json.loads(gm.types(f"{datasette} ~/books.sqlite --get '{place.replace(chr(39), '%27')}'"))

    assert ask("select balance from balances_now where kingdom = 'karrak' and account = 'treasury'") == [
        {"balance": -9}
    ]
    cause = "kingdom = 'karrak' and turn between 5 and 8 group by cause order by sum(spent) limit 2"
    assert ask(f"select cause, sum(spent) as spent from income_by_cause where {cause}") == [
        {"cause": "consumption", "spent": -110}, {"cause": "equip", "spent": -15},
    ]  # fmt: skip
    order = "player = 'karrak' and kingdom = 'karrak' and account = 'treasury' order by brought limit 1"
    assert ask(f"select turn, order_text, brought from orders_brought where {order}") == [
        {"turn": 5, "order_text": "armies: equip Iron Host with 1 siege_engines", "brought": -18}
    ]
    die = "kingdom = 'karrak' and turn = 13 and name = 'stability'"
    assert ask(f"select result, sides from dice where {die}") == [{"result": 6, "sides": 20}]
    ruling = "kingdom = 'karrak' and turn = 5 and detail like '%(ruling recruit_cost)%' and account = 'treasury'"
    assert ask(f"select delta, detail from entries where {ruling}") == [{"delta": -15, "detail": SIEGE}]


def joined(text: str) -> str:
    """What a command prints, in one line."""
    return " ".join(text.split())
