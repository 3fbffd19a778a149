"""Times side by side: two periods of turns, and one period after another, with sums, balances, averages and changes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import periods, review
from kingdom.books.periods import Figures, Period
from kingdom.books.small_ledger import SmallLedger
from kingdom.campaign import csv_text
from kingdom.cli.main import main
from kingdom.engine.ledger import COLUMNS, Entry
from tests.kit import archives

WAR = archives.example("war-of-the-ford")  # turns 0 to 14
Ledger = Callable[..., str]


@pytest.fixture
def ledger(way: str, capsys: pytest.CaptureFixture[str]) -> Ledger:
    """Type `kingdom ledger` of the War of the Ford with these words; gives what it prints."""

    def type_(words: str) -> str:
        capsys.readouterr()
        assert main(["ledger", str(WAR), *words.split()]) == 0
        return capsys.readouterr().out

    return type_


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a CSV."""
    return list(csv.DictReader(io.StringIO(text)))


def entries() -> list[dict[str, str]]:
    """The lines of every ledger.csv, read with nothing of ours."""
    files = sorted(WAR.glob("turns/*/ledger.csv"))
    return [line for file in files for line in csv.DictReader(io.StringIO(file.read_text()))]


def added(turns: range, **where: str) -> int:
    """The deltas of the entries of these turns, added up by hand."""
    return sum(
        int(line["delta"])
        for line in entries()
        if int(line["turn"]) in turns and all(line[name] == word for name, word in where.items())
    )


# --- two periods


def test_two_periods_by_cause_with_difference_percent_and_average_a_turn(ledger: Ledger) -> None:
    table = rows(ledger("--turn 8-11 --against 4-7 --kingdom karrak --account treasury --csv -"))
    assert list(table[0]) == [
        "account", "cause", "turns 4-7", "turns 8-11", "difference", "percent", "average 4-7", "average 8-11",
    ]  # fmt: skip
    assert {row["cause"]: [*row.values()][2:] for row in table}["taxes"] == ["47", "55", "8", "17.0", "11.75", "13.75"]
    for row in table:
        where = {"kingdom": "karrak", "account": "treasury", "cause": row["cause"]}
        before, after = added(range(4, 8), **where), added(range(8, 12), **where)
        assert [int(row[name]) for name in ("turns 4-7", "turns 8-11", "difference")] == [before, after, after - before]


def test_people_see_a_total_of_each_account_and_programs_do_not(ledger: Ledger) -> None:
    words = "--turn 8-11 --against 4-7 --kingdom karrak"
    totals = [line.split() for line in ledger(words).split("\n\n")[0].splitlines() if " total " in line]
    expected = [added(range(8, 12), kingdom="karrak", account=account) for account, *_ in totals]
    assert [int(line[3]) for line in totals] == expected and len(totals) > 5
    assert "total" not in ledger(f"{words} --csv -")


def test_periods_of_different_length_differ_in_their_averages(ledger: Ledger) -> None:
    (row,) = [
        row for row in rows(ledger("--turn 14 --against 2-5 --kingdom karrak --csv -")) if row["cause"] == "taxes"
    ]
    assert float(row["average 14"]) == int(row["turn 14"])
    assert float(row["average 2-5"]) == int(row["turns 2-5"]) / 4


def test_turns_that_are_not_played_yet_are_in_no_period(ledger: Ledger) -> None:
    words = "--kingdom karrak --csv -"
    assert ledger(f"--turn 12-99 --against 1-3 {words}") == ledger(f"--turn 12-14 --against 1-3 {words}")


def test_what_was_nothing_before_has_no_percent(ledger: Ledger) -> None:
    table = rows(ledger("--turn 8-11 --against 4-7 --kingdom karrak --account treasury --csv -"))
    assert {row["cause"] for row in table if not row["percent"]} == {
        row["cause"] for row in table if row["turns 4-7"] == "0"
    }


def test_a_loss_that_grew_is_a_change_below_nothing() -> None:
    figures = {("treasury", "consumption"): Figures([-8, -12], [-8.0, -12.0], -10.0)}
    (row,) = periods.two(figures, ["account", "cause"], Period(1, 1), Period(2, 2)).cells
    assert row == ["treasury", "consumption", -8, -12, -4, "-50.0", "-8.00", "-12.00"]


def test_two_periods_by_what_one_asks_for(ledger: Ledger) -> None:
    table = rows(ledger("--turn 8-11 --against 4-7 --by kingdom --account unrest --csv -"))
    assert [*table[0]][:2] == ["account", "kingdom"]
    assert {row["kingdom"]: int(row["turns 8-11"]) for row in table if row["turns 8-11"] != "0"} == {
        kingdom: sum_
        for kingdom in {line["kingdom"] for line in entries()}
        if (sum_ := added(range(8, 12), kingdom=kingdom, account="unrest"))
    }


def test_balances_of_two_periods_are_those_at_their_ends_and_their_averages(ledger: Ledger) -> None:
    by_turn = {
        (row["kingdom"], row["account"], int(row["turn"])): int(row["balance"])
        for row in rows(ledger("--balances --turn 0-14 --csv -"))
    }
    for row in rows(ledger("--balances --turn 8-11 --against 4-7 --csv -")):
        place = row["kingdom"], row["account"]
        assert (int(row["turns 4-7"]), int(row["turns 8-11"])) == (by_turn[*place, 7], by_turn[*place, 11])
        assert float(row["average 8-11"]) == sum(by_turn[*place, turn] for turn in range(8, 12)) / 4


def test_a_kingdom_that_came_later_has_nothing_before_and_no_difference(ledger: Ledger) -> None:
    (row,) = [
        row
        for row in rows(ledger("--balances --turn 8-11 --against 2-3 --account treasury --csv -"))
        if row["kingdom"] == "skarn"
    ]
    assert (
        row["turns 8-11"] and [row[name] for name in ("turns 2-3", "difference", "percent", "average 2-3")] == [""] * 4
    )


# --- one after another


def test_columns_of_four_turns_with_total_and_average(ledger: Ledger) -> None:
    table = rows(ledger("--every 4 --kingdom karrak --account treasury --csv -"))
    assert list(table[0]) == [
        "account", "cause", "turns 1-4", "turns 5-8", "turns 9-12", "turns 13-14", "total", "average",
    ]  # fmt: skip
    for row in table:
        where = {"kingdom": "karrak", "account": "treasury", "cause": row["cause"]}
        parts = [range(1, 5), range(5, 9), range(9, 13), range(13, 15)]
        assert [int(cell) for cell in [*row.values()][2:6]] == [added(part, **where) for part in parts]
        assert int(row["total"]) == added(range(1, 15), **where)
        assert row["average"] == f"{round(int(row['total']) / 14, 2) + 0.0:.2f}"


def test_the_start_is_counted_only_if_it_is_asked_for(ledger: Ledger) -> None:
    assert "opening" not in ledger("--every 4")
    table = rows(ledger("--every 4 --turn 0-7 --account treasury --csv -"))
    assert {row["cause"]: row["turns 0-3"] for row in table}["opening"] != "0"


def test_the_columns_of_the_terminal_are_cut_into_several_tables(ledger: Ledger) -> None:
    blocks = ledger("--every 2 --kingdom karrak").split("\n\n")
    assert len(blocks) > 1 and max(len(line) for block in blocks for line in block.splitlines()) <= 80
    assert [block.split()[:2] for block in blocks] == [["account", "cause"]] * len(blocks)


def test_a_trend_is_the_change_from_column_to_column(ledger: Ledger) -> None:
    columns = rows(ledger("--every 4 --turn 1-12 --kingdom karrak --csv -"))
    trend = rows(ledger("--every 4 --turn 1-12 --kingdom karrak --trend --csv -"))
    assert list(trend[0])[2:] == ["turns 1-4", "to 5-8", "to 9-12", "change"]
    for row, change in zip(columns, trend, strict=True):
        first, second, third = (int(row[name]) for name in ("turns 1-4", "turns 5-8", "turns 9-12"))
        assert [int(cell) for cell in [*change.values()][2:]] == [first, second - first, third - second, third - first]


def test_a_trend_of_sums_leaves_out_a_period_that_is_not_whole(
    ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["ledger", str(WAR), "--every", "4", "--kingdom", "karrak", "--account", "treasury", "--trend"]
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].split()[-5:] == ["to", "5-8", "to", "9-12", "change"]
    assert said.err == "The trend compares periods of 4 turns and leaves out turns 13-14.\n"
    assert main([*words, "--balances"]) == 0  # a balance at the end of two turns is as good as one at the end of four
    said = capsys.readouterr()
    assert "to 13-14" in said.out and said.err == ""


def test_balances_in_columns_have_an_average_and_no_total(ledger: Ledger) -> None:
    table = rows(ledger("--every 7 --balances --kingdom karrak --csv -"))
    assert list(table[0]) == ["kingdom", "account", "turns 1-7", "turns 8-14", "average"]
    newest = {row["account"]: row["balance"] for row in rows(ledger("--balances --kingdom karrak --csv -"))}
    assert {row["account"]: row["turns 8-14"] for row in table} == newest


# --- what does not go together


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--against 4-7", "--against needs --turn."),
        ("--trend", "--trend needs --every."),
        ("--turn 4 --against 4", "--turn and --against name the same turns."),
        ("--every 4 --by cause,turn", "--by turn does not go with periods of turns."),
        ("--turn 4 --against 3 --every 4", "--against and --every don't go together."),
        ("--every 0", "argument --every: 0 is not possible"),
    ],
)
def test_options_that_say_nothing_together(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["ledger", str(WAR), *words.split()]) == 2
    assert said.removeprefix("argument ") in capsys.readouterr().err


def test_a_period_after_the_newest_turn_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", str(WAR), "--turn", "3", "--against", "99"]) == 1
    assert "There is no kept turn 99; the newest is 14." in capsys.readouterr().err


@pytest.mark.usefixtures("way")
def test_a_filter_that_nothing_passes_is_an_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("--every 4", "--turn 3 --against 2", "--every 4 --trend"):
        capsys.readouterr()
        assert main(["ledger", str(WAR), *words.split(), "--account", "stores"]) == 0
        assert "No entry is like that." in capsys.readouterr().err


# --- always

ENTRIES = st.lists(
    st.builds(Entry, st.integers(0, 9), st.integers(1, 9), st.just("edict"), st.just("step"), st.sampled_from(["ann", "bob"]),
              st.sampled_from(["coins", "rank"]), st.integers(-99, 99), st.integers(-99, 99), st.sampled_from(["tax", "rain"]), st.just("x")),
    max_size=20,
)  # fmt: skip


@given(ENTRIES, st.integers(1, 12), st.sampled_from([["cause"], ["kingdom"], ["kingdom", "cause"], ["account"]]))
def test_however_turns_are_parted_every_delta_is_counted_once(entries: list[Entry], length: int, by: list[str]) -> None:
    parts = periods.of_length(Period(0, 9), length)
    large = review.LargeLedger(review.entries([csv_text.write(COLUMNS, entries)]))
    figures = periods.sums(SmallLedger(entries), by, parts)
    assert figures == periods.sums(large, by, parts)
    whole = sum(entry.delta for entry in entries)
    assert sum(value or 0 for row in figures.values() for value in row.values) == whole
    table = periods.one_after_another(figures, periods.names_of(by), parts, True)
    assert sum(map(int, map(str, table.column("total")))) == whole
    totals = [row for place, row in periods.with_totals(figures).items() if len(place) > 1 and place[1] == "total"]
    assert by == ["account"] or sum(value or 0 for row in totals for value in row.values) == whole


@given(ENTRIES, st.integers(1, 12))
def test_both_ways_have_the_same_balances_in_periods(entries: list[Entry], length: int) -> None:
    parts = periods.of_length(Period(1, 9), length)
    large = review.LargeLedger(review.entries([csv_text.write(COLUMNS, entries)]))
    assert periods.balances(SmallLedger(entries).balances(9), parts) == periods.balances(large.balances(9), parts)
