"""The books as a workbook, read back with openpyxl: the same figures, ready to filter, charts of them, two periods that follow what is typed."""

from __future__ import annotations

import errno
import functools
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from kingdom.books.exports import source
from kingdom.books.exports import workbook as workbooks
from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from tests.books.test_exports import FORMULAS, dice, entries, sheets
from tests.kit import archives, small_realm, tiny_game
from tests.render.test_reports import HOSTILE

WAR = archives.example("war-of-the-ford")
SHEETS = ["Entries", "Balances", "Periods", "Dice", "Balances by turn"]


def workbook(folder: Path, file: Path) -> Any:
    assert main(["export", str(folder), "--to", str(file)]) == 0
    return openpyxl.load_workbook(file)


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return workbook(WAR, tmp_path_factory.mktemp("war") / "books.xlsx")


def test_it_holds_what_was_kept_and_runs_nothing_that_people_typed(tmp_path: Path) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    typed = [*FORMULAS, *(text for text in HOSTILE.values() if text.strip() and text.isprintable())]
    grants = "".join(
        f"  - {{grant: examplia, account: treasury, by: 1, reason: {json.dumps(reason, ensure_ascii=False)}}}\n"
        for reason in typed
    )
    tiny_game.file_orders(folder, 1, "gm", f"gm:\n{grants}")
    assert main(["turn", str(folder)]) == 0 and main(["turn", str(folder)]) in (0, 1)
    book = workbook(folder, tmp_path / "books.xlsx")
    assert book.sheetnames == SHEETS
    head, *rows = book["Entries"].iter_rows()
    assert [cell.value for cell in head] == list(source.COLUMNS)
    assert [tuple(cell.value if cell.value is not None else "" for cell in row) for row in rows] == [
        (*entry[:-1], as_in_xml(entry[-1])) for entry in entries(folder)
    ]
    assert {cell.data_type for row in rows for cell in row} == {"n", "s"}  # "f" would be a formula
    assert {f"'{text}" for text in FORMULAS} <= {row[-1].value for row in rows}
    assert [tuple(row) for row in book["Dice"].iter_rows(min_row=2, values_only=True)] == dice(folder)


def as_in_xml(text: str) -> str:
    """XML has no carriage return of its own."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def test_balances_are_those_of_the_sheets(war: Any) -> None:
    head, *rows = war["Balances"].iter_rows(values_only=True)
    found = {(row[0], row[1]): dict(zip(head[2:], row[2:], strict=True)) for row in rows}
    for turn, seat, accounts in sheets(WAR):
        assert found[turn, seat] == accounts


@pytest.mark.parametrize("sheet", ["Entries", "Balances", "Dice", "Balances by turn"])
def test_a_head_stays_in_sight_and_every_column_has_a_filter(war: Any, sheet: str) -> None:
    assert war[sheet].freeze_panes == "A2" and war[sheet].auto_filter.ref == war[sheet].dimensions


def test_each_account_has_a_chart_of_its_balances(war: Any) -> None:
    """Each line is followed to the cells that it is drawn from."""
    by_turn = {(turn, seat): accounts for turn, seat, accounts in sheets(WAR)}
    charts = war["Balances"]._charts
    accounts = [column.value for column in war["Balances"][1]][2:]
    assert len(charts) == len(accounts)
    for account, chart in zip(accounts, charts, strict=True):
        assert "".join(run.t for run in chart.title.tx.rich.p[0].r).lower().startswith(f"{account} after")
        for line in chart.series:
            cells = [cell for (cell,) in war["Balances by turn"][line.val.numRef.f.rpartition("!")[2].replace("$", "")]]
            turns = [cell for (cell,) in war["Balances by turn"][line.cat.numRef.f.rpartition("!")[2].replace("$", "")]]
            its, _, seat = war["Balances by turn"].cell(1, cells[0].column).value.partition(": ")
            assert its == account and [cell.value for cell in turns] == list(range(15))
            drawn = {turn: cell.value for turn, cell in enumerate(cells) if (turn, seat) in by_turn}
            assert drawn == {turn: by_turn[turn, seat][account] for turn in drawn}


class Typed:
    """The sheet of periods as a spreadsheet works it out, with these turns typed in; sums over other sheets only."""

    def __init__(self, book: Any, first: tuple[int, int], second: tuple[int, int]):
        self.book, self.cells = book, book["Periods"]
        self.turns = {"$B$2": first[0], "$C$2": first[1], "$B$3": second[0], "$C$3": second[1]}

    def value(self, formula: str) -> int:
        """What a cell with a formula of sums comes to."""
        return sum(self._sum(part) for part in re.findall(r"SUMIFS\(([^)]*)\)", formula))

    def _sum(self, words: str) -> int:
        summed, *tests = words.split(",")
        pairs = [*zip(tests[::2], tests[1::2], strict=True)]
        equal = [
            (column, self.cells[cell.replace("$", "")].value) for column, cell in pairs if not cell.startswith('"')
        ]
        rows = self._rows(tuple(column for column, _ in equal)).get(tuple(value for _, value in equal), [])
        for column, test in pairs:
            if test.startswith('"'):
                turns, sign, turn = self._column(column), test[1:3], self.turns[test[5:]]
                assert test[3:5] == '"&' and sign in (">=", "<=")
                rows = [row for row in rows if (turns[row] >= turn if sign == ">=" else turns[row] <= turn)]
        by = self._column(summed)
        return sum(by[row] for row in rows)

    @functools.cache  # noqa: B019 - it goes with its book
    def _rows(self, columns: tuple[str, ...]) -> dict[tuple[Any, ...], list[int]]:
        """What stands side by side in these columns -> the rows in which it does."""
        found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for row, cells in enumerate(zip(*map(self._column, columns), strict=True)):
            found[cells].append(row)
        return found

    @functools.cache  # noqa: B019 - it goes with its book
    def _column(self, words: str) -> list[Any]:
        name, _, cells = words.rpartition("!")
        return [cell.value for (cell,) in self.book[name.strip("'")][cells.replace("$", "")]]


@pytest.mark.parametrize("rows", [1_048_575, 400])
def test_two_periods_follow_the_turns_that_are_typed(
    rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the entries fill more than one sheet."""
    monkeypatch.setattr("kingdom.books.exports.workbook.ROWS", rows)
    book = workbook(WAR, tmp_path / "books.xlsx")
    shown = openpyxl.load_workbook(tmp_path / "books.xlsx", data_only=True)["Periods"]
    kept = entries(WAR)
    sums: Counter[tuple[str, str, str, int]] = Counter()  # without a cause those of all
    for turn, *_, kingdom, account, delta, _, cause, _ in kept:
        sums[kingdom, account, cause, turn] += delta
        sums[kingdom, account, "", turn] += delta
    found = set()
    for periods in (((7, 10), (11, 14)), ((1, 1), (5, 8))):
        typed = Typed(book, *periods)
        for row in book["Periods"].iter_rows(min_row=6):
            kingdom, account, cause = (row[at].value or "" for at in range(3))
            found.add((kingdom, account, cause))
            for at, (first, last) in enumerate(periods, 3):
                wanted = sum(sums[kingdom, account, cause, turn] for turn in range(first, last + 1))
                assert typed.value(row[at].value) == wanted, (kingdom, account, cause)
                if periods[1] == (11, 14):  # as it is written
                    assert shown.cell(row[0].row, at + 1).value == wanted
            assert row[5].value == f"=E{row[0].row}-D{row[0].row}" and row[6].value == f"=D{row[0].row}/($C$2-$B$2+1)"
    assert found == {(e[4], e[5], "") for e in kept} | {(e[4], e[5], e[8]) for e in kept if e[5] == "treasury"}
    assert book["Periods"].freeze_panes == "A6" and book["Periods"].auto_filter.ref == f"A5:H{book['Periods'].max_row}"


def test_a_sheet_that_is_full_goes_on_in_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingdom.books.exports.workbook.ROWS", 300)
    book = workbook(WAR, tmp_path / "books.xlsx")
    sheets_of = [name for name in book.sheetnames if name.startswith("Entries")]
    assert sheets_of == ["Entries", "Entries 2", "Entries 3"]
    found = [row[:2] for name in sheets_of for row in book[name].iter_rows(min_row=2, values_only=True)]
    assert found == [entry[:2] for entry in entries(WAR)]


def test_a_campaign_of_one_turn_and_one_without_money_have_workbooks(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    assert main(["turn", str(folder)]) == 0
    assert workbook(folder, tmp_path / "books.xlsx").sheetnames == SHEETS


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.filterwarnings("error")
def test_a_full_disk_is_told_in_the_systems_words(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    assert main(["turn", str(folder)]) == 0
    with pytest.raises(OSError, match="No space left on device") as raised:
        workbooks.write(source.opened(campaigns.open_campaign(folder)), Path("/dev/full"))
    assert raised.value.errno == errno.ENOSPC
