"""The books as an SQLite database: plain tables with keys, and views, as Datasette shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from kingdom import __version__
from kingdom.books.exports import source
from kingdom.books.exports.source import KeptBooks, TurnRows
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.engine.ledger import COLUMNS

if TYPE_CHECKING:
    from sqlite3 import Connection

TABLES = """
CREATE TABLE campaign (
  name TEXT PRIMARY KEY, game TEXT NOT NULL, program TEXT NOT NULL, paid_from TEXT REFERENCES accounts(account)
) WITHOUT ROWID;
CREATE TABLE kingdoms (kingdom TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE accounts (account TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE causes (cause TEXT PRIMARY KEY, meaning TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE turns (
  turn INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, program TEXT NOT NULL, digest TEXT NOT NULL, previous TEXT NOT NULL
);
CREATE TABLE entries (
  turn INTEGER NOT NULL REFERENCES turns(turn), seq INTEGER NOT NULL, phase TEXT NOT NULL, step TEXT NOT NULL,
  kingdom TEXT NOT NULL REFERENCES kingdoms(kingdom), account TEXT NOT NULL REFERENCES accounts(account),
  delta INTEGER NOT NULL, balance INTEGER NOT NULL, cause TEXT NOT NULL REFERENCES causes(cause), detail TEXT NOT NULL,
  PRIMARY KEY (turn, seq)
) WITHOUT ROWID;
CREATE INDEX entries_by_account ON entries (kingdom, account, turn);
CREATE INDEX entries_by_cause ON entries (cause);
CREATE TABLE balances (
  turn INTEGER NOT NULL REFERENCES turns(turn), kingdom TEXT NOT NULL REFERENCES kingdoms(kingdom),
  account TEXT NOT NULL REFERENCES accounts(account), balance INTEGER NOT NULL, PRIMARY KEY (turn, kingdom, account)
) WITHOUT ROWID;
CREATE TABLE dice (
  turn INTEGER NOT NULL REFERENCES turns(turn), kingdom TEXT NOT NULL REFERENCES kingdoms(kingdom), name TEXT NOT NULL,
  count INTEGER NOT NULL, sides INTEGER NOT NULL, result INTEGER NOT NULL, source TEXT NOT NULL,
  PRIMARY KEY (turn, kingdom, name, count)
) WITHOUT ROWID;
CREATE TABLE orders (
  turn INTEGER NOT NULL REFERENCES turns(turn), kingdom TEXT NOT NULL REFERENCES kingdoms(kingdom), text TEXT NOT NULL,
  PRIMARY KEY (turn, kingdom)
) WITHOUT ROWID;
CREATE TABLE notices (
  turn INTEGER NOT NULL REFERENCES turns(turn), number INTEGER NOT NULL, kind TEXT NOT NULL, phase TEXT NOT NULL, step TEXT NOT NULL,
  kingdom TEXT REFERENCES kingdoms(kingdom), order_path TEXT, code TEXT, text TEXT, facts TEXT NOT NULL, PRIMARY KEY (turn, number)
) WITHOUT ROWID;
"""
VIEWS = """
CREATE VIEW balances_now AS SELECT kingdom, account, balance FROM balances WHERE turn = (SELECT max(turn) FROM turns);
CREATE VIEW sums AS SELECT turn, kingdom, account, phase, cause, count(*) AS entries, sum(delta) AS delta
  FROM entries GROUP BY turn, kingdom, account, phase, cause;
CREATE VIEW refusals AS SELECT turn, kingdom, order_path, code, text FROM notices WHERE kind = 'refusal';
CREATE VIEW dice_by_kingdom AS SELECT kingdom, sides, count(*) AS rolls, avg(result) AS mean, (sides + 1) / 2.0 AS expected
  FROM dice GROUP BY kingdom, sides;
"""
INTO = {  # table -> how a row is put into it
    "entries": "INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?,?)",
    "balances": "INSERT INTO balances VALUES (?,?,?,?)",
    "dice": "INSERT INTO dice VALUES (?,?,?,?,?,?,?)",
    "orders": "INSERT INTO orders VALUES (?,?,?)",
    "notices": "INSERT INTO notices VALUES (?,?,?,?,?,?,?,?,?,?)",
    "turns": "INSERT INTO turns VALUES (?,?,?,?,?)",
}
Cell: TypeAlias = str | int | None
_CAUSE = itemgetter(COLUMNS.index("cause"))


def write(books: KeptBooks, file: Path) -> int:
    """Write the database, which is not there yet; gives the number of entries. Raises Faults."""
    import sqlite3

    database = sqlite3.connect(file, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode = OFF")  # nobody sees the file before it is whole
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -65536")
        database.executescript(TABLES)
        database.execute("BEGIN")
        entries = _fill(database, books)
        database.execute("COMMIT")
        database.executescript(VIEWS)
    except sqlite3.OperationalError as error:  # the disk is full, or gone
        raise OSError(str(error)) from None
    finally:
        database.close()
    return entries


def _fill(database: Connection, books: KeptBooks) -> int:
    """Every row of every table; gives how many are entries."""
    game, count = books.campaign.game, 0
    causes: dict[str, str] = {}
    for turn in source.turns(books):
        for table, rows in _rows(books, turn):
            database.executemany(INTO[table], rows)
        count += len(turn.entries)
        causes |= dict.fromkeys(map(_CAUSE, turn.entries), "")
    causes.update((cause, meaning) for cause, meaning in game.causes.items() if cause in causes)
    names = {**books.names, GM: books.campaign.settings.gm.name}
    position = {account: number for number, account in enumerate(books.accounts, 1)}
    database.execute(
        "INSERT INTO campaign VALUES (?,?,?,?)",
        (books.campaign.settings.name, game.name, __version__, game.paid_from or None),
    )
    database.executemany("INSERT INTO kingdoms VALUES (?,?)", names.items())
    database.executemany("INSERT INTO accounts VALUES (?,?)", position.items())
    database.executemany("INSERT INTO causes VALUES (?,?)", causes.items())
    return count


def _rows(books: KeptBooks, turn: TurnRows) -> Iterator[tuple[str, Iterable[Sequence[Cell]]]]:
    """(table, its rows) of a turn."""
    record = turn.kept.record
    number = record.turn
    yield "turns", [(number, record.attempt, record.program, record.digest, record.previous)]
    yield "entries", turn.entries
    yield "balances", [(number, seat, account, balance) for (seat, account), balance in turn.balances.items()]
    yield "dice", turn.rolls
    yield "orders", [(number, seat, text) for seat, text in source.orders(books, turn.kept)]
    yield "notices", _notices(turn.kept)


def _notices(kept: Kept) -> Iterator[Sequence[Cell]]:
    """The notices of the turn. Those for everybody have no kingdom."""
    known = {*kept.record.seats, GM}
    for number, notice in enumerate(kept.record.notices, 1):
        facts, seat = notice["facts"], notice["seat"]
        text = facts.get("text") or facts.get("reason")
        yield (
            kept.record.turn, number, notice["kind"], notice["phase"], notice["step"], seat if seat in known else None,
            facts.get("order"), facts.get("code"), text, msgspec.json.encode(facts).decode(),
        )  # fmt: skip
