"""The ledger review beyond lists: one thing down and another across, balances, two kingdoms side by side, rulings, orders."""

from __future__ import annotations

import csv
import io
import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import order_effects, review
from kingdom.books.rows import TOTAL, pivot
from kingdom.books.small_ledger import SmallLedger
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import csv_text, replay
from kingdom.cli.main import main
from kingdom.engine.ledger import COLUMNS, Entry
from tests.kit import archives, small_realm, tiny_game
from tests.kit.examples import few

TURNS = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three turns of two kingdoms."""
    return small_realm.played(tmp_path_factory.mktemp("tables") / "fords", TURNS)


@pytest.fixture
def ledger(folder: Path, way: str, capsys: pytest.CaptureFixture):
    """Type `kingdom ledger` with these words; gives what it prints."""

    def type_(*words: str, campaign: Path | None = None) -> str:
        capsys.readouterr()
        assert main(["ledger", str(campaign or folder), *words]) == 0
        return capsys.readouterr().out

    return type_


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --- one down, one across


def test_two_columns_are_one_down_and_one_across_with_totals(ledger) -> None:
    assert ledger("--by", "cause,turn", "--kingdom", "examplia", "--account", "treasury").splitlines() == [
        "account   cause         0   1   2   3  total",
        "treasury  aid                  -1         -1",
        "treasury  build            -3             -3",
        "treasury  claim            -1  -1         -2",
        "treasury  consumption      -2  -3  -3     -8",
        "treasury  opening      50                 50",
        "treasury  stability         1   1   1      3",
        "treasury  total        50  -5  -4  -2     39",
    ]


def test_points_of_different_accounts_have_no_total_of_both(ledger) -> None:
    head, *lines = ledger("--by", "kingdom,account").splitlines()
    assert "total" not in head and "treasury" in ledger("--by", "kingdom,account")
    head, *lines = ledger("--by", "account,kingdom").splitlines()
    assert head.split() == ["account", "borderia", "examplia", "total"] and not [
        line for line in lines if line.startswith("total")
    ]
    lines = ledger("--by", "phase,kingdom").splitlines()
    accounts = {line.split()[0] for line in lines[1:]}
    assert len([line for line in lines if line.split()[1] == "total"]) == len(accounts) > 3


def test_a_table_that_is_too_wide_is_cut_into_several(ledger) -> None:
    table = ledger("--by", "account,cause")
    assert max(map(len, table.splitlines())) <= 80
    blocks = [block.splitlines() for block in table.split("\n\n")]
    assert len(blocks) > 1 and len({tuple(line.split()[0] for line in block) for block in blocks}) == 1


def test_for_other_programs_two_columns_stay_rows(ledger) -> None:
    assert list(rows(ledger("--by", "cause,turn", "--csv", "-"))[0]) == ["cause", "turn", "account", "entries", "delta"]


ENTRIES = st.lists(
    st.builds(Entry, st.integers(0, 3), st.integers(1, 9), st.sampled_from(["gm", "edict"]), st.just("step"), st.sampled_from(["ann", "turn"]),
              st.sampled_from(["coins", "rank"]), st.integers(-99, 99), st.integers(-99, 99), st.sampled_from(["tax", "total"]), st.just("x")),
    min_size=1, max_size=20,
)  # fmt: skip
PAIRS = st.lists(st.sampled_from(review.GROUPS), min_size=2, max_size=2, unique=True)


@few
@given(ENTRIES, PAIRS)
def test_whatever_goes_down_and_across_every_delta_is_counted_once(entries: list[Entry], by: list[str]) -> None:
    summed = review.LargeLedger(review.entries([csv_text.write(COLUMNS, entries)])).sums(by, whole=False)
    table = pivot(summed, *by)
    assert table == pivot(SmallLedger(entries).sums(by, whole=False), *by)
    names = {"account", *by} - {by[1]}
    figures = [column for column in table.columns if column not in names and column != TOTAL]
    lines = [[row[table.columns.index(column)] or 0 for column in figures] for row in table.cells]
    whole = sum(entry.delta for entry in entries)
    totals = by[0] != "account"
    assert sum(map(sum, lines)) == (2 * whole if totals else whole)
    if by[1] != "account":
        assert table.column(TOTAL) == [*map(sum, lines)]


# --- balances


def test_balances_are_those_of_the_states(ledger, folder: Path) -> None:
    table = rows(ledger("--balances", "--turn", "0-99", "--csv", "-"))
    found = {(int(row["turn"]), row["kingdom"], row["account"]): int(row["balance"]) for row in table}
    campaign = campaigns.open_campaign(folder)
    wanted = {}
    for number in range(TURNS + 1):
        turn = campaigns.kept(campaign, number)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        for seat in campaign.game.seats(state):
            wanted |= {
                (number, seat, account): value for account, value in campaign.game.accounts(state, seat, rules).items()
            }
    booked = {account for _, _, account in found}
    assert found == {place: value for place, value in wanted.items() if place[2] in booked}
    assert not any(value for place, value in wanted.items() if place[2] not in booked)


def test_balances_after_the_newest_turn_or_after_the_one_that_is_named(ledger) -> None:
    newest = ledger("--balances", "--account", "treasury").splitlines()
    assert newest[0].split() == ["turn", "kingdom", "treasury"] and {line.split()[0] for line in newest[1:]} == {
        str(TURNS)
    }
    assert ledger("--balances", "--account", "treasury", "--turn", "0").splitlines()[1:] == [
        "   0  borderia        30",
        "   0  examplia        50",
    ]


def test_a_kingdom_that_came_later_has_no_balances_before(ledger) -> None:
    found = rows(ledger("--balances", "--turn", "0-14", "--csv", "-", campaign=archives.example("war-of-the-ford")))
    assert {int(row["turn"]) for row in found if row["kingdom"] == "skarn"} == set(range(4, 15))


# --- two kingdoms


def test_two_kingdoms_side_by_side(ledger, folder: Path) -> None:
    by_cause = rows(ledger("--compare", "examplia,borderia", "--csv", "-"))
    sums = {
        (row["kingdom"], row["account"], row["cause"]): int(row["delta"])
        for row in rows(ledger("--by", "kingdom,cause", "--csv", "-"))
    }
    for row in by_cause:
        pair = [sums.pop((seat, row["account"], row["cause"]), 0) for seat in ("examplia", "borderia")]
        assert [int(row[name]) for name in ("examplia", "borderia", "difference")] == [*pair, pair[0] - pair[1]]
    assert not sums


def test_two_kingdoms_by_account_and_turn(ledger) -> None:
    head, *lines = ledger("--compare", "examplia,borderia", "--by", "turn", "--account", "treasury").splitlines()
    assert head.split() == ["account", "turn", "examplia", "borderia", "difference"]
    assert lines[0].split() == ["treasury", "0", "50", "30", "20"]
    head, *lines = ledger("--compare", "examplia,borderia", "--balances", "--account", "treasury").splitlines()
    assert head.split() == ["account", "turn", "examplia", "borderia", "difference"] and len(lines) == 1


@pytest.mark.parametrize("typed", ["examplia", "examplia,", "examplia,examplia", "a,b,c"])
def test_it_takes_two_to_compare(typed: str, folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["ledger", str(folder), "--compare", typed]) == 2
    assert "names no two kingdoms" in capsys.readouterr().err


@pytest.mark.usefixtures("way")
def test_a_misspelt_kingdom_is_told_with_the_nearest(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["ledger", str(folder), "--compare", "examplia,bordera"]) == 1
    assert "Did you mean `borderia`?" in capsys.readouterr().err


# --- rulings


def test_every_entry_of_a_ruling_and_no_other(ledger) -> None:
    campaign = archives.example("greenmarch")
    every = rows(ledger("--csv", "-", campaign=campaign))
    named = [row for row in every if "(ruling hex_loss)" in row["detail"]]
    assert named and rows(ledger("--ruling", "hex_loss", "--csv", "-", campaign=campaign)) == named
    assert rows(ledger("--ruling", "Hex-Loss", "--csv", "-", campaign=campaign)) == named


@pytest.mark.usefixtures("way")
def test_a_ruling_that_decided_nothing_and_one_that_is_none(folder: Path, capsys: pytest.CaptureFixture) -> None:
    capsys.readouterr()
    assert main(["ledger", str(folder), "--ruling", "hex_loss"]) == 0
    assert capsys.readouterr().err == "No entry is like that.\n"
    assert main(["ledger", str(folder), "--ruling", "hexloss"]) == 1
    assert capsys.readouterr().err.endswith("No entry can have the ruling `hexloss`. Did you mean `hex_loss`?\n")


@pytest.mark.parametrize(
    ("detail", "found"),
    [
        ("a (ruling one)", True),
        ("a (ruling two, ruling one)", True),
        ("a (ruling one_more)", False),
        ("ruling one", False),
        ("(one)", False),
    ],
)
def test_a_ruling_stands_in_brackets(detail: str, found: bool) -> None:
    frame = review.entries([csv_text.write(COLUMNS, [Entry(1, 1, "gm", "x", "ann", "coins", 1, 1, "grant", detail)])])
    assert len(review.LargeLedger(frame).select(review.Wanted(ruling="one"))) == found


# --- what an order did


def effects(folder: Path, number: int, path: str, seat: str) -> list[order_effects.Effect]:
    campaign = campaigns.open_campaign(folder)
    turn, before = replay.loaded(campaign, number), replay.loaded(campaign, number - 1)
    (order,) = [each for each in order_effects.orders_of(campaign, turn, [seat]) if each.path == path]
    return order_effects.effects(campaign, turn, before, order)


def test_what_an_order_did_is_what_would_be_other_without_it(folder: Path) -> None:
    found = effects(folder, 1, "claim[0]", "examplia")
    assert [(each.account, each.delta, each.without, each.cause) for each in found] == [
        ("treasury", -1, 0, "claim"), ("size", 1, 0, "claim"), ("consumption", 1, 0, "claim"), ("treasury", -2, -1, "consumption"),
    ]  # fmt: skip


def test_what_an_order_did_to_another_kingdom_is_told_too(folder: Path) -> None:
    found = effects(folder, 2, "special[0]", "examplia")
    assert {(each.kingdom, each.account) for each in found} >= {("examplia", "treasury")}


def test_an_order_that_was_refused_did_nothing(folder: Path) -> None:
    assert effects(folder, 1, "build[1]", "examplia") == []


def test_a_gms_order_can_be_asked_for(folder: Path) -> None:
    (found,) = [each for each in effects(folder, 2, "gm[0]", "gm") if each.cause == "grant"]
    assert (found.kingdom, found.delta, found.without) == ("borderia", -3, 0)


@pytest.mark.parametrize("every", [14, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("example", ["greenmarch", "war-of-the-ford"])
def test_without_an_order_every_balance_is_other_by_what_the_order_did(example: str, every: int) -> None:
    """Of every order of a turn, or of one in so many: what it did is the whole difference of the two ledgers."""
    campaign = campaigns.open_campaign(archives.example(example))
    turn, before = replay.loaded(campaign, 5), replay.loaded(campaign, 4)
    kept = sum_of(replay.again(campaign, turn, before).entries)
    orders = list(order_effects.orders_of(campaign, turn))
    assert len(orders) > 10
    for order in orders[::every]:
        without = sum_of(replay.again(campaign, turn, before, partial(order_effects._left_out, order=order)).entries)
        found = dict(kept)
        for effect in order_effects.effects(campaign, turn, before, order):
            place = effect.kingdom, effect.account
            found[place] = found.get(place, 0) - effect.delta + effect.without
        assert {place: value for place, value in found.items() if value} == {
            place: value for place, value in without.items() if value
        }, order


def sum_of(entries: list[Entry]) -> dict[tuple[str, str], int]:
    sums: dict[tuple[str, str], int] = {}
    for entry in entries:
        sums[entry.kingdom, entry.account] = sums.get((entry.kingdom, entry.account), 0) + entry.delta
    return sums


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("claim[1]", True), ("claim", True), ("0405", True), ("claim 0405", True), ("Claim 0405", True), ("040", False), ("claim[0]", False),
     ("claims", False), ("", False)],
)  # fmt: skip
def test_an_order_is_named_by_its_path_or_by_words_of_it(typed: str, meant: bool) -> None:
    assert order_effects.wanted(order_effects.Order(1, "ann", "claim[1]", "claim: 0405"), typed) is meant


def test_an_order_that_a_gm_made_void_stays_the_same_one() -> None:
    filed = {"ann": {"claim": ["0101", "0102", "0103"], "edicts": {"holiday": "long"}, "capital": "A"},
             "gm": {"gm": [{"void": {"kingdom": "ann", "order": "claim[2]"}}, {"grant": "ann"}]}}  # fmt: skip
    was = json.dumps(filed)
    without = order_effects._left_out(filed, order_effects.Order(1, "ann", "claim[0]", ""))
    assert without["ann"]["claim"] == ["0102", "0103"] and without["gm"]["gm"][0]["void"]["order"] == "claim[1]"
    assert (
        order_effects._left_out(filed, order_effects.Order(1, "ann", "claim[2]", ""))["gm"]["gm"][0]["void"]["order"]
        == "claim[]"
    )
    assert "edicts" not in order_effects._left_out(filed, order_effects.Order(1, "ann", "edicts.holiday", ""))["ann"]
    assert "capital" not in order_effects._left_out(filed, order_effects.Order(1, "ann", "capital", ""))["ann"]
    assert json.dumps(filed) == was


def test_the_command_tells_what_orders_did(ledger) -> None:
    table = ledger("--order", "claim", "--kingdom", "examplia", "--turn", "1").splitlines()
    assert table[0].split() == ["turn", "by", "order", "kingdom", "account", "delta", "without", "cause", "detail"]
    assert table[1].split() == ["1", "examplia", "claim[0]", "examplia", "treasury", "-1", "0", "claim", "0102"]


def test_another_game_tells_what_orders_did_as_well(tmp_path: Path, ledger) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    assert ledger("--order", "take", "--kingdom", "ann", campaign=folder).count("take") >= 2
    assert ledger("--by", "cause,kingdom", campaign=folder)
    assert ledger("--compare", "ann,bob", campaign=folder)


@pytest.mark.usefixtures("way")
def test_books_without_an_entry_are_reviewed_too(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    for seat in ("ann", "bob"):
        tiny_game.write(folder, f"kingdoms/{seat}.yaml", "coins: 0\n")
    assert main(["turn", str(folder)]) == 0
    for words in (
        "",
        "--balances",
        "--turn 0 --balances",
        "--by cause,turn",
        "--compare ann,bob",
        "--compare ann,bob --balances",
    ):
        capsys.readouterr()
        assert main(["ledger", str(folder), *words.split()]) == 0
        assert capsys.readouterr().err == "No entry is like that.\n"
    for ending in ("sqlite", "csv", "xlsx", "parquet", "journal", "html"):
        command = ["ledger", str(folder), "--html"] if ending == "html" else ["export", str(folder), "--to"]
        assert main([*command, str(tmp_path / f"books.{ending}")]) == 0


@pytest.mark.parametrize(
    "pair",
    ["--html x --by turn", "--order claim --by turn", "--balances --cause claim", "--compare a,b --kingdom examplia"],
)
def test_what_asks_for_different_things_does_not_go_together(
    pair: str, folder: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["ledger", str(folder), *pair.split()]) == 2
    assert "don't go together" in capsys.readouterr().err


def test_looking_changes_nothing(folder: Path, tmp_path: Path, ledger) -> None:
    copied = shutil.copytree(folder, tmp_path / "copy")
    before = {file: file.read_bytes() for file in sorted(copied.rglob("*")) if file.is_file()}
    ledger("--order", "claim", campaign=copied)
    ledger("--balances", campaign=copied)
    assert {file: file.read_bytes() for file in sorted(copied.rglob("*")) if file.is_file()} == before
