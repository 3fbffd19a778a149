"""What changed most, and why: the steepest rise and fall of an account, and what is told of it, against a count by hand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import largest_changes, ledgers
from kingdom.books.periods import Period
from kingdom.books.small_ledger import SmallLedger
from kingdom.engine.ledger import Entry
from tests.books.test_exports import sheets
from tests.kit import archives

WAR = archives.example("war-of-the-ford")
NAMES = {seat: seat.capitalize() for seat in ("hartmark", "karrak", "saltgate", "skarn", "wendwater")}


def courses() -> dict[tuple[str, str], list[int | None]]:
    """Each account of the war after each turn."""
    found: dict[tuple[str, str], list[int | None]] = {}
    for turn, seat, accounts in sheets(WAR):
        for account, value in accounts.items():
            found.setdefault((seat, account), [None] * 15)[turn] = value
    return found


@pytest.mark.parametrize("period", [Period(1, 14), Period(9, 12), Period(0, 3), Period(14, 14)])
def test_the_steepest_changes_of_the_war_are_told_with_all_their_causes(period: Period) -> None:
    """By the slowest way: every part of at most four turns, every kingdom."""
    ledger, known = ledgers.opened(ledgers.files(WAR)), courses()
    found = largest_changes.of_accounts(ledger, known, ["treasury", "unrest"], NAMES, period)
    assert found
    for account in ("treasury", "unrest"):
        changes = [
            course[last] - course[first - 1]  # type: ignore[operator]
            for (_, its), course in known.items()
            for first in range(max(1, period.first), period.last + 1)
            for last in range(first, min(first + 4, period.last + 1))
            if its == account and course[first - 1] is not None and course[last] is not None
        ]
        wanted = {max(changes), min(changes)} - {0}
        assert {change.by for change in found if change.account == account} == wanted
    for change in found:
        causes = [int(by) for by in re.findall(r"[a-z] ([+-]\d+)", change.why[0])]
        assert sum(causes) == change.by, change
        assert change.head.startswith(NAMES[change.kingdom] + ": ") and change.period.first >= period.first


def entry(turn: int, delta: int, balance: int, cause: str, account: str = "coins", detail: str = "") -> Entry:
    return Entry(turn, 1, "p", "s", "ann", account, delta, balance, cause, detail)


def told(
    entries: list[Entry], coins: list[int | None], **more: list[int | None]
) -> list[largest_changes.LargestChange]:
    known = {("ann", account): course for account, course in {"coins": coins, **more}.items()}
    return largest_changes.of_accounts(
        SmallLedger(entries), known, ["coins"], {"ann": "Ann\x1b"}, Period(1, len(coins) - 1)
    )


def test_a_sentence_names_causes_the_turns_before_and_the_largest_entry() -> None:
    entries = [
        entry(1, 5, 15, "works"), entry(2, 3, 5, "feast", "food"),
        entry(2, -4, 11, "food", detail="Food 4"), entry(2, -1, 10, "food"),
    ]  # fmt: skip
    (rise, fall) = told(entries, [10, 15, 10], food=[2, 2, 5])
    assert (rise.head, list(rise.why)) == ("Ann\ufffd: coins from 10 to 15 in turn 1", ["Works +5."])
    assert fall.head == "Ann\ufffd: coins from 15 to 10 in turn 2"
    assert list(fall.why) == [
        "Food -5.", "Food went from 2 to 5: feast +3.", "Against turn 1: food -5, works -5.",
        "The largest entry: food -4 in turn 2 (Food 4).",
    ]  # fmt: skip


def test_a_kingdom_that_was_not_in_play_tells_nothing_of_those_turns() -> None:
    (rise,) = told([entry(2, 3, 3, "works")], [None, 0, 3, None])
    assert rise.period == Period(2, 2)


def test_a_detail_that_is_long_is_left_out_whole() -> None:
    entries = [entry(1, 2, 2, "works", detail="x" * 400), entry(1, 1, 3, "works")]
    (rise,) = told(entries, [0, 3])
    assert rise.why[-1] == "The largest entry: works +2 in turn 1."


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12))
def test_the_shortest_stretch_of_the_steepest_change_is_told(deltas: list[int]) -> None:
    balances = [0]
    for delta in deltas:
        balances.append(balances[-1] + delta)
    entries = [entry(turn, delta, balances[turn], "works") for turn, delta in enumerate(deltas, 1) if delta]
    for change in told(entries, [*balances]):
        assert balances[change.period.last] - balances[change.period.first - 1] == change.by
        assert deltas[change.period.first - 1] * change.by > 0 and deltas[change.period.last - 1] * change.by > 0
