"""The ledger review: every entry of every turn, filtered, summed, printed, and written for other programs."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import review
from kingdom.books.review import FILTERS, GROUPS, LargeLedger, Wanted
from kingdom.books.rows import Rows, as_csv, as_text, by_place
from kingdom.books.small_ledger import SmallLedger
from kingdom.campaign import csv_text
from kingdom.cli.main import main
from kingdom.engine.ledger import COLUMNS, Entry
from tests.kit import small_realm

TURNS = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six turns of two kingdoms."""
    return small_realm.played(tmp_path_factory.mktemp("ledger") / "fords", TURNS)


@pytest.fixture
def ledger(folder: Path, way: str, capsys: pytest.CaptureFixture):
    """Type `kingdom ledger` with these words; gives what it prints."""

    def type_(*words: str) -> str:
        capsys.readouterr()
        assert main(["ledger", str(folder), *words]) == 0
        return capsys.readouterr().out

    return type_


def kept(folder: Path, turn: int) -> list[dict[str, str]]:
    """The lines of a turn's ledger.csv, read with nothing of ours."""
    return list(csv.DictReader(io.StringIO((folder / f"turns/{turn:04}/ledger.csv").read_text())))


def every(folder: Path) -> list[dict[str, str]]:
    return [line for turn in range(TURNS + 1) for line in kept(folder, turn)]


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a CSV."""
    return list(csv.DictReader(io.StringIO(text)))


def added(lines: list[dict[str, str]], by: list[str]) -> dict[tuple[str, ...], int]:
    """The deltas added up by hand, for each group."""
    sums: dict[tuple[str, ...], int] = {}
    for line in lines:
        group = tuple(line[column] for column in by)
        sums[group] = sums.get(group, 0) + int(line["delta"])
    return sums


# --- a review of a real campaign


def test_the_csv_of_all_turns_is_what_the_turns_hold(ledger, folder: Path) -> None:
    assert rows(ledger("--csv", "-")) == every(folder)


def test_a_file_is_written_and_its_rows_are_counted(ledger, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "books.csv"
    assert ledger("--csv", str(file)) == f"{len(every(folder))} rows are in {file}.\n"
    assert file.read_text() == ledger("--csv", "-")


def test_for_excel_the_file_begins_with_the_mark_of_utf_8(ledger, tmp_path: Path) -> None:
    plain, marked = tmp_path / "plain.csv", tmp_path / "marked.csv"
    ledger("--csv", str(plain))
    ledger("--csv", str(marked), "--excel")
    assert marked.read_bytes() == b"\xef\xbb\xbf" + plain.read_bytes()
    assert main(["ledger", str(tmp_path), "--excel"]) == 2


def test_the_rows_of_a_file_are_counted_and_not_those_of_the_terminal(ledger, tmp_path: Path) -> None:
    file = tmp_path / "sums.csv"
    said = ledger("--by", "cause,turn", "--csv", str(file))
    assert said == f"{len(rows(file.read_text()))} rows are in {file}.\n"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--kingdom", "borderia"], {"kingdom": "borderia"}),
        (["--account", "treasury"], {"account": "treasury"}),
        (["--phase", "upkeep"], {"phase": "upkeep"}),
        (["--cause", "stability"], {"cause": "stability"}),
        (["--turn", "2"], {"turn": "2"}),
        (
            ["--kingdom", "examplia", "--account", "treasury", "--turn", "1"],
            {"kingdom": "examplia", "account": "treasury", "turn": "1"},
        ),
    ],
)
def test_a_filter_leaves_what_is_asked_for(ledger, folder: Path, words: list[str], wanted: dict[str, str]) -> None:
    found = [line for line in every(folder) if all(line[column] == word for column, word in wanted.items())]
    assert found and rows(ledger(*words, "--csv", "-")) == found


def test_turns_from_one_to_another(ledger, folder: Path) -> None:
    assert rows(ledger("--turn", "2-4", "--csv", "-")) == [*kept(folder, 2), *kept(folder, 3), *kept(folder, 4)]
    assert rows(ledger("--turn", f"{TURNS}-99", "--csv", "-")) == kept(folder, TURNS)


@pytest.mark.parametrize("by", [["account"], ["kingdom", "account"], ["turn", "account"], ["phase", "account"], ["cause", "account"],
                                ["account", "kingdom", "turn"], ["step", "detail", "account"]], ids=",".join)  # fmt: skip
def test_sums_by_any_columns_are_the_deltas_added_up(ledger, folder: Path, by: list[str]) -> None:
    summed = rows(ledger("--by", ",".join(by), "--csv", "-"))
    assert {tuple(row[column] for column in by): int(row["delta"]) for row in summed} == added(every(folder), by)
    assert sum(int(row["entries"]) for row in summed) == len(every(folder))


def test_points_of_different_accounts_are_never_added_together(ledger) -> None:
    assert ledger("--by", "kingdom", "--csv", "-") == ledger("--by", "kingdom,account", "--csv", "-")


def test_the_balances_are_those_of_the_states(ledger, folder: Path) -> None:
    by_turn = rows(ledger("--by", "turn,kingdom,account", "--csv", "-"))
    for turn in range(TURNS + 1):
        state = json.loads((folder / f"turns/{turn:04}/state.json").read_text())
        for seat, kingdom in state["kingdoms"].items():
            for account in ("treasury", "unrest"):
                balances = [int(row["balance"]) for row in by_turn
                            if int(row["turn"]) <= turn and (row["kingdom"], row["account"]) == (seat, account)]  # fmt: skip
                assert (balances or [0])[-1] == kingdom.get(account, 0)
    for row in rows(ledger("--by", "kingdom,account", "--csv", "-")):
        assert row["balance"] == row["delta"]  # from the opening entries on


def test_no_balance_is_shown_where_it_would_not_be_the_accounts(ledger) -> None:
    assert "balance" not in ledger("--by", "account").splitlines()[0]  # of both kingdoms
    assert "balance" not in ledger("--by", "kingdom,cause").splitlines()[0]
    assert "balance" not in ledger("--by", "kingdom", "--phase", "edict").splitlines()[0]
    assert "balance" in ledger("--by", "account", "--kingdom", "examplia").splitlines()[0]


def test_a_plain_table_in_the_terminal(ledger) -> None:
    assert ledger("--kingdom", "examplia", "--account", "treasury", "--turn", "0-1").splitlines() == [
        "turn  kingdom   account   delta  balance  cause        detail",
        "   0  examplia  treasury     50       50  opening      opening of examplia",
        "   1  examplia  treasury     -1       49  claim        0102",
        "   1  examplia  treasury     -3       46  build        House in Oakhold at C1",
        "   1  examplia  treasury      1       47  stability    a stable kingdom without",
        "                                                       Unrest",
        "   1  examplia  treasury     -2       45  consumption  Consumption 2",
    ]


@pytest.mark.usefixtures("way")
def test_the_newest_rows_are_printed_and_the_others_are_counted(folder: Path, capsys) -> None:
    many = len(every(folder))
    capsys.readouterr()
    assert main(["ledger", str(folder), "--last", "3"]) == 0
    said = capsys.readouterr()
    assert said.err == f"These are the last 3 of {many} rows; --last 0 shows all, --csv FILE writes them.\n"
    assert main(["ledger", str(folder), "--last", "0"]) == 0
    whole = capsys.readouterr()
    assert whole.err == "" and whole.out.split()[-3:] == said.out.split()[-3:]
    assert [sum(line[:4].strip().isdigit() for line in out.splitlines()) for out in (said.out, whole.out)] == [3, many]


@pytest.mark.usefixtures("way")
def test_what_can_be_but_has_not_been_is_an_empty_table(folder: Path, capsys, tmp_path: Path) -> None:
    for words in (["--cause", "abandon"], ["--account", "debauchery"], ["--cause", "abandon", "--by", "turn"]):
        capsys.readouterr()
        assert main(["ledger", str(folder), *words]) == 0
        said = capsys.readouterr()
        assert (len(said.out.splitlines()), said.err) == (1, "No entry is like that.\n")
    assert main(["ledger", str(folder), "--cause", "abandon", "--csv", str(tmp_path / "none.csv")]) == 0
    assert (tmp_path / "none.csv").read_text() == ",".join(COLUMNS) + "\n"


# --- what an account of a person's words may do


def frame_of(entries: list[Entry]):
    return review.entries([csv_text.write(COLUMNS, entries)])


def entry(detail: str, **more) -> Entry:
    standard = Entry(1, 1, "gm", "gm_orders", "examplia", "treasury", 5, 5, "grant", detail)
    return standard._replace(**more)


@pytest.mark.parametrize(
    "detail",
    [
        "a, b",
        'the "duke"',
        '"',
        "two\nlines",
        "NA",
        "null",
        "",
        "0404",
        "1e5",
        " spaces ",
        "ünïcode 東京",
        "#N/A",
        "; | \t x",
        "'quoted'",
        "True",
    ],
)
def test_a_detail_comes_back_as_it_was_booked(detail: str) -> None:
    frame = frame_of([entry(detail)])
    assert list(frame["detail"]) == [detail]
    assert rows(as_csv(review.rows_of(frame)).decode())[0]["detail"] == detail
    assert review.entries([as_csv(review.rows_of(frame))]).equals(frame)


@pytest.mark.parametrize(
    "detail", ["=HYPERLINK(1)", "+1", "-2 for the bridge", "@SUM(A1)", "＝1+1", "\tcell", "=cmd|' /C calc'!A0"]
)
def test_what_a_spreadsheet_would_run_is_written_as_text_behind_an_apostrophe(detail: str) -> None:
    found = rows(as_csv(review.rows_of(frame_of([entry(detail, delta=-5, balance=-5)]))).decode())[0]
    assert found["detail"] == "'" + detail
    assert (found["delta"], found["balance"]) == ("-5", "-5")  # numbers stay numbers


def test_a_detail_of_several_lines_is_one_row_of_the_table() -> None:
    table = as_text(review.rows_of(frame_of([entry("two\nlines")])[["turn", "detail"]]), 80)
    assert table == ["turn  detail", "   1  two lines"]


def test_wide_letters_keep_the_columns_in_line() -> None:
    table = as_text(
        review.rows_of(frame_of([entry("x", cause="東京"), entry("x", cause="rain")])[["cause", "delta"]]), 80
    )
    assert table == ["cause  delta", "東京       5", "rain       5"]


def test_a_detail_goes_on_below_itself_however_narrow_the_terminal() -> None:
    frame = frame_of([entry("a road of many words and a_word_that_is_wider_than_the_column_it_has")])[
        ["turn", "cause", "detail"]
    ]
    for width in (10, 40, 80):
        table = as_text(review.rows_of(frame), width)
        assert max(map(len, table)) <= max(width, len("turn  cause  ") + 20)
        assert all(line.startswith(" " * 13) for line in table[2:])
        assert "".join(line[13:] for line in table[1:]).replace(" ", "") == frame["detail"].iloc[0].replace(" ", "")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "broken", ["turn,seq\n1,1\n", "", "{head}\n1,1,gm,x,ann,coins,five,5,grant,x\n", "{head}\n1,1,gm\n", "{head}\n1,1"]
)
def test_a_broken_ledger_is_named_with_its_line(folder: Path, capsys, broken: str) -> None:
    file = folder / "turns/0003/ledger.csv"
    whole = file.read_bytes()
    try:
        file.write_text(broken.replace("{head}", ",".join(COLUMNS)))
        capsys.readouterr()
        assert main(["ledger", str(folder)]) == 1
        said = capsys.readouterr()
        line = 2 if "{head}" in broken else 1
        assert said.out == "" and said.err.startswith(f"{file}:{line}:1: ")
    finally:
        file.write_bytes(whole)


# --- always

WORDS = st.sampled_from(["claim", "build", "tax, light", 'a "b"', "=x", "null", "two\nlines"])
ENTRIES = st.lists(
    st.builds(Entry, st.integers(0, 3), st.integers(1, 9), st.sampled_from(["gm", "edict"]), WORDS, st.sampled_from(["ann", "bob"]),
              st.sampled_from(["coins", "rank"]), st.integers(-9999, 9999), st.integers(-9999, 9999), WORDS, WORDS),
    max_size=20,
)  # fmt: skip


@given(ENTRIES, st.lists(st.sampled_from(GROUPS), min_size=1, max_size=4, unique=True))
def test_however_it_is_summed_every_delta_is_counted_once(entries: list[Entry], by: list[str]) -> None:
    summed = LargeLedger(frame_of(entries)).sums(by)
    columns = [*by, *([] if "account" in by else ["account"])]
    lines = [{column: str(value) for column, value in each._asdict().items()} for each in entries]
    found = by_place(summed, columns, "delta")
    assert {tuple(map(str, place)): delta for place, delta in found.items()} == added(lines, columns)
    assert sum(summed.column("entries")) == len(entries)


@given(ENTRIES)
def test_a_ledger_written_and_read_is_the_same(entries: list[Entry]) -> None:
    frame = frame_of(entries)
    assert [Entry(*row) for row in frame.itertuples(index=False)] == entries
    assert (
        csv_text.read(csv_text.write(COLUMNS, entries), Entry, ("turn", "seq", "delta", "balance"), "ledger.csv")
        == entries
    )


@given(ENTRIES, st.sampled_from(["ann", "bob"]))
def test_a_filter_and_its_opposite_are_the_whole(entries: list[Entry], seat: str) -> None:
    frame = frame_of(entries)
    other = "bob" if seat == "ann" else "ann"
    parts = [LargeLedger(frame).select(Wanted(kingdom=each)).frame for each in (seat, other)]
    assert sorted([*parts[0].index, *parts[1].index]) == list(frame.index)


# --- with pandas and without: the same rows

WANTED = st.builds(
    Wanted, st.none() | st.sampled_from([(0, 0), (1, 2), (3, 9)]), st.sampled_from(["", "ann", "bob"]), st.sampled_from(["", "coins"]),
    st.sampled_from(["", "edict"]), st.sampled_from(["", "claim", "null"]), st.sampled_from(["", "claim", "build"]),
)  # fmt: skip
DETAILS = st.sampled_from(["x", "(ruling claim)", "one (ruling build, ruling claim)", "ruling build", "=x", ""])


def ways(entries: list[Entry]) -> tuple[SmallLedger, LargeLedger]:
    """The same entries as a small ledger and as a large one."""
    return SmallLedger(entries), LargeLedger(frame_of(entries))


def same(small: Rows, large: Rows) -> None:
    """Both tables have the same columns, kinds of columns and cells, in the same order."""
    assert (list(small.columns), list(small.numbers)) == (list(large.columns), list(large.numbers))
    assert [*map(tuple, small.cells)] == [*map(tuple, large.cells)]


@given(ENTRIES, DETAILS, WANTED, st.lists(st.sampled_from(GROUPS), min_size=1, max_size=4, unique=True), st.booleans())
def test_small_and_large_ledgers_give_the_same_rows(
    entries: list[Entry], detail: str, wanted: Wanted, by: list[str], whole: bool
) -> None:
    every = ways([entry._replace(detail=detail) if entry.seq % 2 else entry for entry in entries])
    small, large = (ledger.select(wanted) for ledger in every)
    assert len(small) == len(large) and every[0].rulings() == every[1].rulings()
    assert all(small.words(column) == large.words(column) for column in FILTERS)
    same(small.listed(), large.listed())
    same(small.listed(by, 2), large.listed(by, 2))
    same(small.sums(by, whole), large.sums(by, whole))
    same(small.balances(4), large.balances(4))


@pytest.mark.parametrize("words", ["", "--by cause,turn", "--balances", "--kingdom examplia --csv -"])
def test_a_small_ledger_is_reviewed_without_loading_pandas(folder: Path, words: str) -> None:
    code = "import sys; from kingdom.cli.main import main; main(sys.argv[1:]); print({'pandas', 'numpy'} & set(sys.modules))"
    command = [sys.executable, "-P", "-c", code, "ledger", str(folder), *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout.splitlines()[-1] == "set()"
