"""The books for other programs: what they read back is what the turns hold, and nothing secret goes with it."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import exports
from kingdom.books.exports import beancount, journal, source
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import examples
from kingdom.cli.main import main
from tests.kit import archives, small_realm, tiny_game
from tests.kit.served import served
from tests.render.test_reports import HOSTILE

TURNS = 4
ENDINGS = (".sqlite", ".csv", ".xlsx", ".parquet", ".journal", ".beancount")
SECRETS = {"seed": "a-seed-nobody-guesses", "token": "k7f3qtoken", "mail": "ada@secret.example.org"}
SETTINGS = small_realm.CAMPAIGN.replace("public, this is a test", SECRETS["seed"]).replace(
    "{name: Ada}", f"{{name: Ada, email: {SECRETS['mail']}, token: {SECRETS['token']}}}"
)
FORMULAS = ["=HYPERLINK(1)", "+1", "-2 for the bridge", "@SUM(A1)"]  # reasons of grants, which spreadsheets would run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two kingdoms, four turns: with reasons that spreadsheets would run, and tokens in the orders."""
    folder = small_realm.campaign(tmp_path_factory.mktemp("exports") / "fords")
    tiny_game.write(folder, "campaign.yaml", SETTINGS)
    typed = [text for text in HOSTILE.values() if text.strip() and text.isprintable()]
    reasons = [
        json.dumps(reason, ensure_ascii=False)
        for reason in (*FORMULAS, *typed, "one; date:1999-01-01", "a | b ; kingdom:borderia")
    ]
    grants = "".join(f"  - {{grant: examplia, account: treasury, by: 1, reason: {reason}}}\n" for reason in reasons)
    tiny_game.file_orders(folder, 2, "gm", f"gm:\n{grants}")
    assert main(["turn", str(folder)]) == 0
    for turn in range(1, TURNS + 1):
        tiny_game.file_orders(
            folder, turn, "examplia", f"token: {SECRETS['token']}\nrequests: Write to {SECRETS['mail']}.\nclaim: 0102\n"
        )
        assert main(["turn", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def exported(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `books` in every format."""
    place = tmp_path_factory.mktemp("books")
    for ending in ENDINGS:
        assert main(["export", str(folder), "--to", str(place / f"books{ending}")]) == 0
    return place


def kept(folder: Path, name: str, numbers: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """The rows of ledger.csv or dice.csv of all turns, read with nothing of ours."""
    rows = []
    for file in sorted(folder.glob(f"turns/[0-9]*/{name}")):
        for row in csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline="")):
            rows.append(tuple(int(cell) if column in numbers else cell for column, cell in row.items()))
    return rows


def entries(folder: Path) -> list[tuple[Any, ...]]:
    return kept(folder, "ledger.csv", ("turn", "seq", "delta", "balance"))


def dice(folder: Path) -> list[tuple[Any, ...]]:
    return kept(folder, "dice.csv", ("turn", "count", "sides", "result"))


def sheets(folder: Path) -> Iterator[tuple[int, str, dict[str, int]]]:
    """(turn, seat, account -> what the state says) of all seats in play after each turn."""
    campaign = campaigns.open_campaign(folder)
    for number in range(campaigns.newest(campaign) + 1):
        turn = campaigns.kept(campaign, number)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        for seat in campaign.game.seats(state):
            yield number, seat, dict(campaign.game.accounts(state, seat, rules))


def database(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)


# --- SQLite


def test_the_database_holds_every_entry_and_every_die(folder: Path, exported: Path) -> None:
    books = database(exported / "books.sqlite")
    assert books.execute("SELECT * FROM entries ORDER BY turn, seq").fetchall() == entries(folder)
    assert sorted(books.execute("SELECT * FROM dice")) == sorted(dice(folder))


def test_every_key_of_the_database_leads_somewhere(exported: Path) -> None:
    books = database(exported / "books.sqlite")
    assert books.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert books.execute("PRAGMA foreign_key_check").fetchall() == []
    for (table,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        assert any(column[5] for column in books.execute(f"PRAGMA table_info({table})")), f"{table} has no primary key"
    for table in ("entries", "balances", "dice", "orders", "notices"):
        assert {"turns", "kingdoms"} <= {row[2] for row in books.execute(f"PRAGMA foreign_key_list({table})")}


def test_every_link_of_the_database_names_the_column_that_it_leads_to(exported: Path) -> None:
    """Datasette shows no table with a link to a table alone, which SQLite itself takes for one to its key."""
    books = database(exported / "books.sqlite")
    tables = [table for (table,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    links = [(table, *row[2:5]) for table in tables for row in books.execute(f"PRAGMA foreign_key_list({table})")]
    assert links and [link for link in links if link[3] is None] == []


@pytest.mark.parametrize("example", examples.names())
def test_balances_of_the_database_are_those_of_the_sheets(example: str, tmp_path: Path) -> None:
    assert main(["export", str(archives.example(example)), "--to", str(tmp_path / "books.db")]) == 0
    books = database(tmp_path / "books.db")
    for turn, seat, accounts in sheets(archives.example(example)):
        found = books.execute("SELECT account, balance FROM balances WHERE (turn, kingdom) = (?, ?)", (turn, seat))
        assert dict(found.fetchall()) == accounts
        added = (
            "SELECT account, sum(delta) FROM entries WHERE turn <= ? AND kingdom = ? GROUP BY account HAVING sum(delta)"
        )
        assert dict(books.execute(added, (turn, seat)).fetchall()) == {
            account: value for account, value in accounts.items() if value
        }


def test_the_views_are_there_to_be_looked_at(folder: Path, exported: Path) -> None:
    books = database(exported / "books.sqlite")
    assert books.execute("SELECT sum(entries) FROM sums").fetchone() == (len(entries(folder)),)
    assert books.execute("SELECT sum(rolls) FROM dice_by_kingdom").fetchone() == (len(dice(folder)),)
    now = {
        (seat, account): value
        for turn, seat, accounts in sheets(folder)
        if turn == TURNS
        for account, value in accounts.items()
    }
    assert {(seat, account): value for seat, account, value in books.execute("SELECT * FROM balances_now")} == now
    refused = books.execute("SELECT DISTINCT kingdom, order_path, code FROM refusals WHERE turn > 1").fetchall()
    assert ("examplia", "claim[0]", "claim_own") in refused


def test_the_orders_of_each_turn_are_there_and_no_secret_is(exported: Path) -> None:
    books = database(exported / "books.sqlite")
    (text,) = books.execute("SELECT text FROM orders WHERE (turn, kingdom) = (1, 'examplia')").fetchone()
    assert text == "kingdom: examplia\nturn: 1\ntoken: ***\nrequests: Write to ***.\nclaim: 0102\n"


# --- what holds of every format


def test_nothing_secret_is_in_any_file(exported: Path, tmp_path: Path) -> None:
    for ending in ENDINGS:
        data = (exported / f"books{ending}").read_bytes()
        if ending == ".xlsx":
            import zipfile

            with zipfile.ZipFile(io.BytesIO(data)) as parts:
                data = b"".join(parts.read(name) for name in parts.namelist())
        assert data and not [name for name, secret in SECRETS.items() if secret.encode() in data], ending


def test_an_ending_that_says_nothing_is_told_with_those_that_do(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["export", str(folder), "--to", str(tmp_path / "books.ods")]) == 2
    assert ".sqlite, .sqlite3, .db, .csv, .xlsx, .parquet, .journal, .beancount" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_was_written_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["export", str(folder), "--to", str(tmp_path / "books.csv")]) == 0
    assert (
        capsys.readouterr().out
        == f"{len(entries(folder))} entries of turns 0 to {TURNS} are in {tmp_path / 'books.csv'}.\n"
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_half_written_is_left_and_the_old_file_stands(
    ending: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / f"books{ending}"
    assert main(["export", str(folder), "--to", str(file)]) == 0
    before = file.read_bytes()
    write = exports.FORMATS[ending]

    def killed(books: Any, partial: Path) -> int:
        write(books, partial)
        raise KeyboardInterrupt

    monkeypatch.setitem(exports.FORMATS, ending, killed)
    assert main(["export", str(folder), "--to", str(file)]) == 130
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]
    monkeypatch.undo()
    assert main(["export", str(folder), "--to", str(file)]) == 0
    assert file.stat().st_size and list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_cannot_be_written_is_named(
    ending: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    capsys.readouterr()
    file = tmp_path / "nowhere" / f"books{ending}"
    assert main(["export", str(folder), "--to", str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"{file}: This can't be written: No such file or directory.")
    (tmp_path / f"folder{ending}").mkdir()
    assert main(["export", str(folder), "--to", str(tmp_path / f"folder{ending}")]) == 1
    assert "This can't be written: Is a directory." in capsys.readouterr().err
    assert [place.name for place in tmp_path.iterdir()] == [f"folder{ending}"]


def test_a_full_disk_is_told(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("kingdom.books.exports.database._fill", full)
    capsys.readouterr()
    assert main(["export", str(folder), "--to", str(tmp_path / "books.sqlite")]) == 1
    assert "This can't be written: database or disk is full." in capsys.readouterr().err and not list(
        tmp_path.iterdir()
    )


def test_a_kept_file_that_was_altered_is_not_exported(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = small_realm.played(tmp_path / "fords", 1)
    ledger = folder / "turns/0001/ledger.csv"
    ledger.write_bytes(ledger.read_bytes().replace(b"claim", b"gift!"))
    for ending in ENDINGS:
        capsys.readouterr()
        assert main(["export", str(folder), "--to", str(tmp_path / f"books{ending}")]) == 1
        assert capsys.readouterr().err.startswith(f"{ledger}: The file is not as it was kept")
    assert [file.name for file in tmp_path.iterdir()] == ["fords"]


def test_another_game_is_exported_as_well(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    for ending in ENDINGS:
        assert main(["export", str(folder), "--to", str(tmp_path / f"books{ending}")]) == 0
    books = database(tmp_path / "books.sqlite")
    assert books.execute("SELECT * FROM entries").fetchall() == entries(folder)
    assert books.execute("PRAGMA foreign_key_check").fetchall() == []


# --- CSV, workbook, Parquet


def test_the_csv_is_the_one_of_the_review(folder: Path, exported: Path, capsys: pytest.CaptureFixture) -> None:
    capsys.readouterr()
    assert main(["ledger", str(folder), "--csv", "-"]) == 0
    assert (exported / "books.csv").read_text(encoding="utf-8") == capsys.readouterr().out
    found = list(csv.DictReader(io.StringIO((exported / "books.csv").read_text(encoding="utf-8"), newline="")))
    assert {f"'{text}" for text in FORMULAS} <= {row["detail"] for row in found}


def test_parquet_holds_the_same(folder: Path, exported: Path) -> None:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(exported / "books.parquet")
    assert table.column_names == list(source.COLUMNS)
    assert [tuple(row.values()) for row in table.to_pylist()] == entries(folder)


# --- the journal


def hledger(file: Path, *words: str) -> str:
    done = subprocess.run(["hledger", "-f", file, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def balances(file: Path, *words: str) -> dict[tuple[str, str], int]:
    """(seat, account) -> what hledger says that it holds, but for what is empty."""
    lines = list(
        csv.reader(io.StringIO(hledger(file, "balance", "^assets|^points", "--flat", "-N", "-O", "csv", *words)))
    )
    found = {}
    for name, amount in lines[1:]:
        number, commodity = amount.split()
        _, seat, account = name.split(":")
        assert commodity == account
        found[seat, account] = int(number)
    return found


@pytest.mark.package("hledger", "hledger")
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("example", examples.names())
def test_hledger_accepts_every_kept_turn_and_its_balances_are_the_sheets(
    example: str, every: int, tmp_path: Path
) -> None:
    """every: it is asked for the balances of one in so many turns, the newest among them."""
    file = tmp_path / "books.journal"
    assert main(["export", str(archives.example(example)), "--to", str(file)]) == 0
    hledger(file, "check", "--strict", "ordereddates", "payees")
    wanted: dict[int, dict[tuple[str, str], int]] = {}
    for turn, seat, accounts in sheets(archives.example(example)):
        wanted.setdefault(turn, {}).update({(seat, account): value for account, value in accounts.items() if value})
    for turn in sorted(wanted, reverse=True)[::every]:
        found = balances(file, "--historical", "-e", journal.day_of(turn + 1))
        in_play = {seat for seat, _ in wanted[turn]}
        assert {pair: value for pair, value in found.items() if pair[0] in in_play} == wanted[turn]


@pytest.mark.package("hledger", "hledger")
def test_hledger_accepts_whatever_people_typed(folder: Path, exported: Path) -> None:
    file = exported / "books.journal"
    hledger(file, "check", "--strict", "ordereddates", "payees")
    wanted = {
        (seat, account): value
        for turn, seat, accounts in sheets(folder)
        if turn == TURNS
        for account, value in accounts.items()
        if value
    }
    assert balances(file) == wanted
    assert "1999" not in hledger(file, "register", "date:1999")


@pytest.mark.package("ledger", "ledger")
def test_ledger_accepts_it_too_by_its_strictest_reading(folder: Path, exported: Path) -> None:
    """With --strict and --pedantic it warns of, or refuses, every account, payee and commodity that is not declared."""
    done = subprocess.run(
        ["ledger", "-f", exported / "books.journal", "--strict", "--pedantic", "balance", "^assets"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "assets" in done.stdout


def statement(file: Path, report: str) -> dict[str, int]:
    """What a report of hledger says of each account, and its net under `Net:`. Nothing but treasuries is in it."""
    lines = [*csv.reader(io.StringIO(hledger(file, report, "--flat", "-O", "csv")))][2:]
    amounts = {name: rest[0].split() for name, *rest in lines if rest and rest[0] and name != "total"}
    assert {commodity for _, commodity in amounts.values()} == {"treasury"}
    return {name: int(number) for name, (number, _) in amounts.items()}


@pytest.mark.package("hledger", "hledger")
def test_the_balance_sheet_and_the_income_statement_of_hledger_are_of_the_treasuries_alone(tmp_path: Path) -> None:
    file, folder = tmp_path / "books.journal", archives.example("war-of-the-ford")
    assert main(["export", str(folder), "--to", str(file)]) == 0
    held: dict[str, int] = {}
    flows: dict[str, int] = {}
    for _, _, _, _, seat, account, delta, balance, cause, _ in entries(folder):
        if account == "treasury":
            held[f"assets:{seat}:treasury"] = balance
            name = f"{'income' if delta > 0 else 'expenses'}:{seat}:{cause}"
            flows[name] = flows.get(name, 0) + (abs(delta) if cause != "opening" else 0)
    flows = {name: value for name, value in flows.items() if value}
    assert statement(file, "balancesheet") == {**held, "Net:": sum(held.values())}
    gained = sum(value if name.startswith("income") else -value for name, value in flows.items())
    assert statement(file, "incomestatement") == {**flows, "Net:": gained} and gained


@pytest.mark.package("hledger", "hledger")
def test_hledger_notices_a_balance_that_is_wrong(exported: Path, tmp_path: Path) -> None:
    text = (exported / "books.journal").read_text(encoding="utf-8")
    at = text.rindex('"treasury" = ') + len('"treasury" = ')
    (tmp_path / "wrong.journal").write_text(f"{text[:at]}9{text[at:]}", encoding="utf-8")
    done = subprocess.run(
        ["hledger", "-f", tmp_path / "wrong.journal", "check"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0 and "balance assertion" in done.stderr


# --- beancount


def bean_check(file: Path) -> str:
    """What bean-check finds, "" if it accepts the file."""
    program = Path(sys.executable).parent / "bean-check"
    done = subprocess.run([program, "--no-cache", file], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stderr)
    return done.stderr


@pytest.mark.parametrize("example", examples.names())
def test_bean_check_accepts_every_game_and_its_balances_are_the_sheets(example: str, tmp_path: Path) -> None:
    """bean-check proves the balances that stand in the file; these are those of the newest sheets."""
    file = tmp_path / "books.beancount"
    assert main(["export", str(archives.example(example)), "--to", str(file)]) == 0
    assert bean_check(file) == ""
    asserted = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if " balance " in line and line[:4].isdigit():
            _, _, name, balance, commodity = line.split()
            assert commodity.lower() == id_of(name.rpartition(":")[2])
            asserted[id_of(name.split(":")[-2]), commodity.lower()] = int(balance)
    *_, (newest, _, _) = sheets(archives.example(example))
    for turn, seat, accounts in sheets(archives.example(example)):
        assert turn != newest or {account: asserted[seat, account] for account in accounts} == accounts


def test_bean_check_accepts_whatever_people_typed_and_notices_a_wrong_balance(exported: Path, tmp_path: Path) -> None:
    file = exported / "books.beancount"
    assert bean_check(file) == ""
    text = file.read_text(encoding="utf-8")
    at = text.rindex(":Treasury  ") + len(":Treasury  ")
    (tmp_path / "wrong.beancount").write_text(f"{text[:at]}9{text[at:]}", encoding="utf-8")
    assert "Balance failed" in bean_check(tmp_path / "wrong.beancount")


def test_fava_opens_the_books_and_shows_what_each_treasury_holds(tmp_path: Path) -> None:
    file, folder = tmp_path / "books.beancount", archives.example("war-of-the-ford")
    assert main(["export", str(folder), "--to", str(file)]) == 0
    query = urllib.parse.quote("select account, sum(position) where account ~ 'Assets' group by account")
    campaign = "the-war-of-the-ford/api"
    with served(f"{campaign}/errors", "fava", str(file)) as ask:
        assert ask(f"{campaign}/errors")["data"] == []
        rows = ask(f"{campaign}/query?query_string={query}")["data"]["rows"]
        course = ask(f"{campaign}/account_report?a=Assets:Karrak:Treasury&r=balances")["data"]["charts"][0]["data"]
    held = {(turn, seat): accounts["treasury"] for turn, seat, accounts in sheets(folder)}
    last = {seat: value for (_, seat), value in sorted(held.items())}
    assert {id_of(name.split(":")[1]): holds["TREASURY"] for name, holds in rows} == last
    for day in course[:-1]:  # the last is that of a month's end
        assert (
            day["balance"]["TREASURY"]
            == held[(date.fromisoformat(day["date"]) - date(*journal.FIRST_DAY)).days, "karrak"]
        )


def id_of(name: str) -> str:
    """The id of which beancount's name was made."""
    return name.removeprefix("XX").lower().replace("-", "_")


@given(st.from_regex(r"[a-z0-9_]{1,40}", fullmatch=True), st.sampled_from(["assets", "points", "causes"]))
def test_an_id_is_a_name_for_beancount_and_comes_back(id_: str, root: str) -> None:
    name = beancount.account_of(f"{root}:{id_}:treasury").split(":")[-2]
    assert re.fullmatch("[A-Z0-9][A-Za-z0-9-]*", name) and id_of(name) == id_


@given(st.text(max_size=80))
def test_a_text_in_a_journal_is_one_line_and_begins_no_comment(text: str) -> None:
    found = journal._text(text)
    assert ";" not in found and found.isprintable() and len(found.splitlines()) <= 1


def test_secrets_are_found_however_they_are_written() -> None:
    for text in (
        "token: abcd5\n",
        "TOKEN : 'abcd5'\n",
        '{kingdom: a, "token": "abcd5", turn: 1}',
        "token:\n  abcd5\n",
        "? token\n: abcd5\n",
    ):
        assert "abcd5" not in source.without_secrets(text, []), text
    assert source.without_secrets("The farmer farms.", ["farm"]) == "The farmer farms."
    assert source.without_secrets("a Farm, a.b@c.d", ["farm", "a.b@c.d"]) == "a ***, ***"


def test_the_command_loads_none_of_the_slow_programs_that_it_does_not_need(folder: Path, tmp_path: Path) -> None:
    code = "import sys; from kingdom.cli.main import main; main(sys.argv[1:]); print(sorted({'pandas', 'numpy', 'xlsxwriter'} & set(sys.modules)))"
    words = ["export", str(folder), "--to", str(tmp_path / "books.sqlite")]
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.splitlines()[-1] == "[]"
