"""Sums of every view, page and export are the ledger's, over campaigns drawn at random: seeds, orders and grants with any reason."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import overview, review_page
from kingdom.books.ledgers import files, small
from kingdom.books.periods import Period
from kingdom.cli.main import main
from tests.books.test_exports import balances, database, entries
from tests.kit import small_realm, tiny_game
from tests.kit.examples import tries

SEATS = ("examplia", "borderia")
COLUMNS = ("turn", "seq", "phase", "step", "kingdom", "account", "delta", "balance", "cause", "detail")
Sums = Mapping[tuple[Any, ...], int]
PLACE = ("turn", "kingdom", "account", "cause")

reasons = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn", "Co", "Cf")), min_size=1, max_size=30
).filter(str.strip)
grants = st.lists(
    st.tuples(
        st.sampled_from(SEATS), st.sampled_from(["treasury", "unrest"]), st.integers(-9, 9).filter(bool), reasons
    ),
    max_size=4,
)
orders = st.lists(
    st.sampled_from(["claim: 0102", "claim: 0402", "build: house in Oakhold", "holiday: long", "taxation: heavy", "improve: road 0302"]),
    unique_by=lambda line: line.partition(":")[0], max_size=3,
)  # fmt: skip
turns = st.lists(st.tuples(grants, st.tuples(orders, orders)), min_size=1, max_size=3)


def campaign(folder: Path, seed: int, played: Any) -> Path:
    """A campaign with these grants and orders, played to its end."""
    small_realm.campaign(folder)
    tiny_game.write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace("this is a test", f"this is test {seed}"))
    assert main(["turn", "--yes", str(folder)]) == 0
    for number, (given_, ordered) in enumerate(played, 1):
        lines = "".join(
            f"  - {{grant: {seat}, account: {account}, by: {by}, reason: {json.dumps(reason, ensure_ascii=False)}}}\n"
            for seat, account, by, reason in given_
        )
        tiny_game.file_orders(folder, number, "gm", f"gm:\n{lines}" if lines else "")
        for seat, texts in zip(SEATS, ordered, strict=True):
            tiny_game.file_orders(folder, number, seat, "".join(f"{text}\n" for text in texts))
        assert main(["turn", "--yes", str(folder)]) == 0
    return folder


def sums(rows: Iterator[Mapping[str, Any]], by: tuple[str, ...] = PLACE) -> dict[tuple[Any, ...], int]:
    found: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        found[tuple(int(row[name]) if name == "turn" else row[name] for name in by)] += int(row["delta"])
    return {place: value for place, value in found.items() if value}


@pytest.mark.package("hledger", "hledger")
@tries(4, 30)
@given(st.integers(0, 999), turns)
def test_every_sum_is_the_ledgers(seed: int, played: Any) -> None:
    made = Path(tempfile.mkdtemp(prefix="kingdom-sums-"))
    try:
        folder = campaign(made / "fords", seed, played)
        rows = [dict(zip(COLUMNS, entry, strict=True)) for entry in entries(folder)]
        _exports(folder, made, rows)
        _page(folder, made / "page.html", rows)
        _terminal(folder, rows)
    finally:
        shutil.rmtree(made)


def _exports(folder: Path, made: Path, rows: list[dict[str, Any]]) -> None:
    """Each format, read back by a program that is not ours."""
    wanted, last = sums(iter(rows)), {(row["kingdom"], row["account"]): row["balance"] for row in rows}
    held = {place: balance for place, balance in last.items() if balance}
    for ending in (".sqlite", ".csv", ".xlsx", ".parquet", ".journal", ".beancount"):
        assert main(["export", str(folder), "--to", str(made / f"books{ending}")]) == 0
    books = database(made / "books.sqlite")
    columns = "turn, kingdom, account, cause, delta"
    for view in (f"SELECT {columns} FROM entries", f"SELECT {columns} FROM sums"):
        assert sums(dict(zip((*PLACE, "delta"), row, strict=True)) for row in books.execute(view)) == wanted
    changes = "SELECT turn, kingdom, account, change FROM balances_by_turn"
    named = ("turn", "kingdom", "account", "delta")
    assert sums((dict(zip(named, row, strict=True)) for row in books.execute(changes)), named[:3]) == sums(
        iter(rows), named[:3]
    )
    income = "SELECT turn, kingdom, cause, delta FROM income_by_cause"
    paid = {
        (turn, kingdom, cause): by for (turn, kingdom, account, cause), by in wanted.items() if account == "treasury"
    }
    assert {row[:3]: row[3] for row in books.execute(income) if row[3]} == paid
    assert {row[:2]: row[2] for row in books.execute("SELECT * FROM balances_now") if row[2]} == held

    text = (made / "books.csv").read_text(encoding="utf-8")
    assert sums(csv.DictReader(io.StringIO(text, newline=""))) == wanted
    assert sums(iter(pyarrow.parquet.read_table(made / "books.parquet").to_pylist())) == wanted
    book = openpyxl.load_workbook(made / "books.xlsx", data_only=True)
    head, *cells = book["Entries"].iter_rows(values_only=True)
    assert sums(dict(zip(head, row, strict=True)) for row in cells) == wanted
    newest, second = max(row["turn"] for row in rows), 4
    for kingdom, account, cause, _, by, *_ in book["Periods"].iter_rows(min_row=6, values_only=True):
        those = [
            r for r in rows if (r["kingdom"], r["account"]) == (kingdom, account) and cause in (None, "", r["cause"])
        ]
        assert by == sum(r["delta"] for r in those if max(1, newest - second + 1) <= r["turn"])
    assert balances(made / "books.journal") == held
    postings = re.findall(
        r"^  (?:Assets|Equity:Points):(\S+):(\S+)  (-?\d+) ", (made / "books.beancount").read_text(), re.M
    )
    added: Counter[tuple[str, str]] = Counter()
    for seat, account, by in postings:
        added[seat.lower(), account.lower()] += int(by)
    assert {place: value for place, value in added.items() if value} == held


def _page(folder: Path, file: Path, rows: list[dict[str, Any]]) -> None:
    """The entries of the page and of the file beside it, and each bar."""
    room, review_page.ENTRIES = review_page.ENTRIES, 20
    try:
        assert main(["review", str(folder), "--html", str(file)]) == 0
    finally:
        review_page.ENTRIES = room
    text, older = file.read_text(encoding="utf-8"), file.with_name("page-older.js")
    parts = re.findall(r'<script type="application/json" id="data"[^>]*>(.*?)</script>', text)
    parts += [older.read_text(encoding="utf-8")[len("olderEntries(") : -2]] if older.exists() else []
    found = [entry for part in parts for entry in _unpacked(json.loads(part))]
    assert len(found) == len(rows) and sums(iter(found)) == sums(iter(rows))
    assert f"{len(rows):,} entries, every account balanced after every step, 0 errors." in text
    for kingdom, account, drawn in re.findall(
        r'<figure data-kingdom="(\w+)" data-account="(\w+)">(.*?)</figure>', text, re.S
    ):
        bars = [int(by) for by in re.findall(r"<b>([+-]?\d+)</b></li>", drawn)]
        assert sum(bars) == sum(
            r["delta"] for r in rows if r["turn"] and (r["kingdom"], r["account"]) == (kingdom, account)
        )


def _unpacked(columns: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The entries that the page holds as columns."""
    cells = [
        [column["words"][at] for at in column["rows"]] if column["words"] else column["rows"] for column in columns
    ]
    for row in zip(*cells, strict=True):
        yield dict(zip([column["name"] for column in columns], row, strict=True))


def _terminal(folder: Path, rows: list[dict[str, Any]]) -> None:
    """What `kingdom review` tells of the whole campaign."""
    newest = max(row["turn"] for row in rows)
    told = overview.overview(small(files(folder)), Period(0, newest))
    found = {(place, cause): by for place, change in told.changes.items() for cause, by in change.causes if by}
    assert found == {
        ((kingdom, account), cause): by for (kingdom, account, cause), by in sums(iter(rows), PLACE[1:]).items()
    }
