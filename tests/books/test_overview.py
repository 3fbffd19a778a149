"""A campaign at a glance: `kingdom review`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import ledgers, overview
from kingdom.books.periods import Period
from kingdom.books.review import Wanted
from kingdom.books.rows import as_text
from kingdom.books.small_ledger import SmallLedger
from kingdom.cli.main import main
from kingdom.engine.ledger import Entry
from tests.kit import archives, tiny_game

WAR = archives.example("war-of-the-ford")  # turns 0 to 14


def reviewed(words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that `kingdom review` of the War of the Ford prints."""
    capsys.readouterr()
    assert main(["review", str(WAR), *words.split()]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("way")
def test_the_kingdoms_and_the_five_largest_changes_of_the_newest_turn(capsys: pytest.CaptureFixture[str]) -> None:
    lines = reviewed("", capsys)
    assert lines[:5] == [
        "The War of the Ford, turn 14",
        "",
        "kingdom                       size  treasury  unrest  consumption  income  spent",
        "The Hartmark                20  +1    66  -8    0           12 -1      27    -35",
        "The Queendom of the Karrak  18  -1    -9 -17   15 +7        14 +1       4    -21",
    ]
    assert lines[lines.index("What changed most:") + 1 :][:3] == [
        "  - The Queendom of the Karrak: treasury from 8 to -9 (consumption -14, public",
        "    scandal -4, trade +4, build -3).",
        "  - The Salt Cities: economy from 21 to 10 (retire -11).",
    ]
    assert len([line for line in lines if line.startswith("  - ")]) == overview.CHANGES


def test_what_changed_in_some_turns_with_income_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    lines = reviewed("--turn 9-12", capsys)
    assert lines[0] == "The War of the Ford, turns 9-12 (income and spending a turn)"
    assert lines[6] == "Skarn                       10       58 +22    0           6  -1    14.2   -8.8"
    assert reviewed("--turn 9-99", capsys)[0].startswith("The War of the Ford, turns 9-14 ")


def test_many_causes_are_told_as_three_and_the_sum_of_the_others() -> None:
    entries = [Entry(1, n, "p", "s", "ann", "coins", -n, 0, f"cause_{n}", "") for n in range(1, 7)]
    changes = overview.largest(overview.overview(SmallLedger(entries), Period(1, 1)), {"ann": "Ann\x1b[2J"})
    assert changes == ["Ann\ufffd[2J: coins from 21 to 0 (cause 6 -6, cause 5 -5, cause 4 -4, 3 other causes -6)."]


def test_a_turn_in_which_nothing_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    for seat in ("ann", "bob"):
        tiny_game.write(folder, f"kingdoms/{seat}.yaml", "coins: 0\n")
    assert main(["turn", str(folder)]) == 0
    capsys.readouterr()
    assert main(["review", str(folder)]) == 0
    assert "Nothing changed." in capsys.readouterr().out.splitlines()


def test_a_turn_that_is_not_kept_and_a_campaign_without_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(WAR), "--turn", "99"]) == 1
    assert "There is no kept turn 99; the newest is 14." in capsys.readouterr().err
    assert main(["review", str(tmp_path)]) == 1
    assert "There is no campaign here" in capsys.readouterr().err


def test_the_page_is_that_of_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [tmp_path / name for name in ("review.html", "ledger.html")]
    for command, page in zip(("review", "ledger"), pages, strict=True):
        assert main([command, str(WAR), "--turn", "9-12", "--html", str(page)]) == 0
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert f"The review is in {pages[0]}." in capsys.readouterr().out


@pytest.mark.parametrize("example", ["normandy", "six-cities", "the-kings-pouch", "the-summer-progress"])
def test_every_game_has_a_review(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(archives.example(example))]) == 0
    said = capsys.readouterr().out
    assert "kingdom" in said.splitlines()[2] and ("What changed most:" in said or "Nothing changed." in said)


@pytest.mark.parametrize("period", [Period(0, 0), Period(14, 14), Period(4, 9), Period(0, 14)])
def test_every_change_is_the_sum_of_its_causes_and_leads_from_one_balance_to_the_next(period: Period) -> None:
    ledger = ledgers.opened(ledgers.files(WAR))
    tidy = ledger.balances(14).cells
    balances = {(turn, kingdom, account): balance for turn, kingdom, account, balance in tidy}
    found = overview.overview(ledger, period)
    for (kingdom, account), change in found.changes.items():
        assert change.after == balances[period.last, kingdom, account]
        assert change.before == balances.get((period.first - 1, kingdom, account), 0)
        assert change.after - change.before == sum(delta for _, delta in change.causes)
    entries = ledger.select(Wanted(period)).listed(["kingdom", "account"]).cells
    assert {*found.changes} == {tuple(row) for row in entries}


ENTRIES = st.lists(
    st.builds(Entry, st.integers(0, 3), st.integers(1, 9), st.just("p"), st.just("s"), st.sampled_from(["ann", "bob"]),
              st.sampled_from(["coins", "rank"]), st.integers(-99, 99), st.integers(-99, 99), st.sampled_from(["tax", "rain"]), st.just("x")),
    max_size=20,
)  # fmt: skip


@given(ENTRIES, st.sampled_from([Period(0, 3), Period(2, 2)]))
def test_income_less_what_was_spent_is_the_change(entries: list[Entry], period: Period) -> None:
    found = overview.overview(SmallLedger(entries), period)
    table = overview.kingdoms(found, {"ann": "Ann", "bob": "Bob"}, ["coins", "rank"], "coins")
    assert len(as_text(table, 80)) == 3
    for seat, came, went in zip(("ann", "bob"), *(table.column(name) for name in table.columns[-2:]), strict=True):
        changed = sum(
            e.delta
            for e in entries
            if (e.kingdom, e.account) == (seat, "coins") and e.turn in range(period.first, period.last + 1)
        )
        assert float(str(came)) + float(str(went)) == pytest.approx(changed / period.turns, abs=0.11)
