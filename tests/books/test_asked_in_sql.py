"""The exported database, asked in SQL: the ten questions of the GM's tour with the real Datasette, and every view against the ledger."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kingdom.books.exports.database_views import VIEWS
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import replay
from kingdom.cli.main import main
from tests.books.test_exports import database, dice, entries, sheets
from tests.kit import archives, tours
from tests.kit.served import served
from tests.kit.tours import Written

WAR = archives.example("war-of-the-ford")
TOUR = tours.text_of("docs/tour-gm.md")
(QUESTIONS,) = [step.text for step in tours.steps(TOUR) if isinstance(step, Written) and step.path == "questions.yaml"]
Row = dict[str, Any]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the war, with what each order did."""
    file = tmp_path_factory.mktemp("books") / "books.sqlite"
    assert main(["export", str(WAR), "--to", str(file), "--orders"]) == 0
    return file


@pytest.fixture(scope="module")
def ask(books: Path) -> Iterator[Callable[[str], Any]]:
    """A function that gets a page of the real Datasette, which shows the database and the questions, as plain data."""
    (books.parent / "questions.yaml").write_text(QUESTIONS, encoding="utf-8")
    words = ("serve", str(books), "-m", str(books.parent / "questions.yaml"))
    with served("-/versions.json", "datasette", *words) as ask:
        yield ask


def of(**wanted: Any) -> list[Row]:
    """The entries of the war with these values, each as column -> value."""
    columns = ("turn", "seq", "phase", "step", "kingdom", "account", "delta", "balance", "cause", "detail")
    rows = [dict(zip(columns, entry, strict=True)) for entry in entries(WAR)]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def summed(rows: list[Row], *by: str) -> dict[Any, int]:
    """The sums of deltas by these columns."""
    found: Counter[Any] = Counter()
    for row in rows:
        found[tuple(row[name] for name in by) if len(by) > 1 else row[by[0]]] += row["delta"]
    return dict(found)


def test_the_ten_questions_of_the_tour_are_answered_from_the_ledger(ask: Callable[[str], Any]) -> None:
    questions = yaml.safe_load(QUESTIONS)["databases"]["books"]["queries"]
    assert len(questions) == 10
    answers = {name: ask(f"books/{name}.json?_shape=array") for name in questions}
    assert all(answers.values()), [name for name, rows in answers.items() if not rows]

    now = {seat: accounts["treasury"] for turn, seat, accounts in sheets(WAR) if turn == 14}
    assert (
        answers["broke"][0] == {"kingdom": "karrak", "balance": now["karrak"]} == {"kingdom": "karrak", "balance": -9}
    )
    karrak = [accounts["treasury"] for _, seat, accounts in sheets(WAR) if seat == "karrak"]
    changes = sorted(
        (after - before, turn) for turn, (before, after) in enumerate(zip(karrak, karrak[1:], strict=False), 1)
    )
    assert [(row["change"], row["turn"]) for row in answers["fall"][:2]] == changes[:2]
    treasury = [row for row in of(kingdom="karrak", account="treasury") if 5 <= row["turn"] <= 8 and row["delta"] < 0]
    assert {row["cause"]: row["spent"] for row in answers["causes"]} == summed(treasury, "cause")
    eaten = [row for row in of(kingdom="karrak", account="consumption") if 1 <= row["turn"] <= 8 and row["delta"] > 1]
    assert Counter((row["turn"], row["detail"]) for row in answers["consumption"]) == Counter(
        (row["turn"], row["detail"]) for row in eaten
    )
    assert answers["orders"][0] == {
        "turn": 5, "order_text": "armies: equip Iron Host with 1 siege_engines", "brought": -18,
    }  # fmt: skip
    assert {row["player"] for row in answers["players"]} == {"hartmark", "karrak", "saltgate", "skarn", "wendwater"}
    assert answers["harm"][0]["player"] != answers["harm"][0]["kingdom"]
    assert {row["kingdom"]: row["rolls"] for row in answers["luck"]} == Counter(roll[1] for roll in dice(WAR))
    assert {(row["kingdom"], row["event"]): row["bp"] for row in answers["events"]} == {
        place: by
        for place, by in summed(of(phase="event", step="events", account="treasury"), "kingdom", "cause").items()
        if by < 0
    }
    assert [row["detail"] for row in answers["rulings"]] == [
        row["detail"] for row in of(kingdom="karrak") if "(ruling event_answers)" in row["detail"]
    ]


def test_datasette_shows_every_table_and_view(ask: Callable[[str], Any], books: Path) -> None:
    for name in names(books):
        assert ask(f"books/{name}.json?_shape=array&_size=1"), name


def names(file: Path) -> list[str]:
    found = database(file).execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    return [name for (name,) in found]


def test_every_table_and_view_is_described_and_in_the_contract(books: Path) -> None:
    described = dict(database(books).execute("SELECT name, meaning FROM described"))
    assert {*described} == {*names(books)} and all(meaning.endswith(".") for meaning in described.values())
    contract = tours.text_of("docs/contract.md")
    part = contract[contract.index("- `.sqlite`") : contract.index("- `.csv`")]
    assert {*VIEWS} == {*re.findall(r"`(\w+)`", part.split("Views:")[1])}


# --- each view says what the ledger says


def test_balances_by_turn_change_by_what_the_ledger_booked(books: Path) -> None:
    rows = database(books).execute("SELECT turn, kingdom, account, balance, change FROM balances_by_turn").fetchall()
    booked = summed(of(), "turn", "kingdom", "account")
    assert {row[:3]: row[4] for row in rows if row[4]} == {place: by for place, by in booked.items() if by}
    balances = {(turn, seat): accounts for turn, seat, accounts in sheets(WAR)}
    assert all(
        balances[turn, seat][account] == balance for turn, seat, account, balance, _ in rows if (turn, seat) in balances
    )


def test_income_and_spending_are_those_of_the_account_that_orders_are_paid_from(books: Path) -> None:
    rows = database(books).execute("SELECT turn, kingdom, cause, income, spent, delta FROM income_by_cause").fetchall()
    assert {row[:3]: row[5] for row in rows} == summed(of(account="treasury"), "turn", "kingdom", "cause")
    for sign, at in ((1, 3), (-1, 4)):
        some = [row for row in of(account="treasury") if row["delta"] * sign > 0]
        assert {row[:3]: row[at] for row in rows if row[at]} == summed(some, "turn", "kingdom", "cause")


def test_events_cost_what_the_ledger_booked_for_them(books: Path) -> None:
    """Events are named by the news of a turn; in this game they are what the step of events books, and what it brings back later."""
    rows = database(books).execute("SELECT turn, kingdom, event, account, delta FROM event_costs").fetchall()
    known = {row[2] for row in rows}
    assert known == {row["cause"] for row in of(step="events")}
    some = [row for row in of() if row["cause"] in known]
    assert {row[:4]: row[4] for row in rows} == summed(some, "turn", "kingdom", "cause", "account")


def test_luck_is_the_mean_place_of_the_faces(books: Path) -> None:
    (luck,) = database(books).execute("SELECT luck FROM dice_luck WHERE kingdom = 'karrak'").fetchone()
    thrown = [(roll[5] - 1) / (roll[4] - 1) for roll in dice(WAR) if roll[1] == "karrak"]
    assert luck == pytest.approx(100 * sum(thrown) / len(thrown), abs=0.05)


def test_what_an_order_did_is_what_the_ledger_says_of_it(books: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["ledger", str(WAR), "--order", "armies[0]", "--kingdom", "karrak", "--csv", "-"]) == 0
    told = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    query = "SELECT turn, kingdom, account, delta, without, cause FROM order_effects WHERE player = 'karrak' AND order_path = 'armies[0]'"
    assert Counter(map(str, database(books).execute(query))) == Counter(
        str((int(row["turn"]), row["kingdom"], row["account"], int(row["delta"]), int(row["without"]), row["cause"]))
        for row in told
    )


@pytest.mark.parametrize("player", ["karrak", "wendwater", "gm"])
def test_all_orders_of_a_player_are_left_out_together(player: str, books: Path) -> None:
    """Held against the turn played without them."""
    campaign = campaigns.open_campaign(WAR)
    turn, before = replay.loaded(campaign, 9), replay.loaded(campaign, 8)
    without = replay.again(
        campaign, turn, before, lambda filed: {seat: orders if seat != player else {} for seat, orders in filed.items()}
    )
    difference = Counter[tuple[str, str]]()
    for sign, result in ((1, replay.again(campaign, turn, before)), (-1, without)):
        for entry in result.entries:
            difference[entry.kingdom, entry.account] += sign * entry.delta
    query = "SELECT kingdom, account, brought FROM players_brought WHERE turn = 9 AND player = ?"
    brought = {row[:2]: row[2] for row in database(books).execute(query, (player,)) if row[2]}
    assert brought == {place: by for place, by in difference.items() if by} and (brought or player == "gm")


def test_without_the_option_nothing_is_said_of_orders_and_another_format_refuses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(WAR), "--to", str(tmp_path / "books.sqlite")]) == 0
    for name in ("order_effects", "orders_brought", "players_brought"):
        assert database(tmp_path / "books.sqlite").execute(f"SELECT count(*) FROM {name}").fetchone() == (0,)
    assert main(["export", str(WAR), "--to", str(tmp_path / "books.csv"), "--orders"]) == 2
    assert "--orders is for a database" in capsys.readouterr().err and not (tmp_path / "books.csv").exists()
