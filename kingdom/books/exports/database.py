"""The books as an SQLite database: plain tables with keys, and views (database_views.py), as Datasette shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from kingdom import __version__
from kingdom.books import order_effects
from kingdom.books.exports import source
from kingdom.books.exports.database_views import VIEWS
from kingdom.books.exports.source import KeptBooks, TurnRows
from kingdom.campaign import opening
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.engine.ledger import COLUMNS
from kingdom.engine.turn import RULES

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
CREATE TABLE order_effects (
  turn INTEGER NOT NULL REFERENCES turns(turn), number INTEGER NOT NULL, player TEXT NOT NULL REFERENCES kingdoms(kingdom),
  order_path TEXT NOT NULL, order_text TEXT NOT NULL, kingdom TEXT NOT NULL REFERENCES kingdoms(kingdom),
  account TEXT NOT NULL REFERENCES accounts(account), delta INTEGER NOT NULL, without INTEGER NOT NULL,
  cause TEXT NOT NULL REFERENCES causes(cause), detail TEXT NOT NULL, PRIMARY KEY (turn, number)
) WITHOUT ROWID;
CREATE TABLE notices (
  turn INTEGER NOT NULL REFERENCES turns(turn), number INTEGER NOT NULL, kind TEXT NOT NULL, phase TEXT NOT NULL, step TEXT NOT NULL,
  kingdom TEXT REFERENCES kingdoms(kingdom), order_path TEXT, code TEXT, text TEXT, facts TEXT NOT NULL, PRIMARY KEY (turn, number)
) WITHOUT ROWID;
CREATE TABLE described (name TEXT PRIMARY KEY, meaning TEXT NOT NULL) WITHOUT ROWID;
"""
MEANINGS = {  # table -> what is in it
    "campaign": "The campaign, and the account that orders are paid from.",
    "kingdoms": "Each kingdom and its name today; `gm` is the GM.",
    "accounts": "The accounts, in the game's order.",
    "causes": "Each cause that occurs, and what it means.",
    "turns": "The kept turns.",
    "entries": "The ledger: every change of every account.",
    "balances": "Every account after every turn.",
    "dice": "Every roll.",
    "orders": "The orders as each turn used them. Passwords and mail addresses are hidden.",
    "order_effects": "The entries that an order made other than they would be without it: `delta` was booked, `without` would have been."
    " An empty order_path is that of all the player's orders together. Empty unless the export was made with --orders.",
    "notices": "What each turn told: checks, news, refusals. Those without a kingdom are for all.",
    "described": "What each table and view holds.",
}
# causes of every game
CORE = {opening.CAUSE: "what the campaign began with", RULES: "a change of the campaign's rules"}
COLUMNS_OF = {"turns": 5, "entries": 10, "balances": 4, "dice": 7, "orders": 3, "order_effects": 11, "notices": 10}
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
        for name, view in VIEWS.items():
            database.execute(f"CREATE VIEW {name} AS {view.query}")
    except sqlite3.OperationalError as error:  # the disk is full, or gone
        raise OSError(str(error)) from None
    finally:
        database.close()
    return entries


def is_own(file: Path) -> bool:
    """Return whether a file is a database that was exported before. Raises OSError."""
    import sqlite3
    from contextlib import closing
    from urllib.parse import quote

    try:
        with closing(sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro&immutable=1", uri=True)) as database:
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return False
    return {"entries", "balances", "turns"} <= names


def _fill(database: Connection, books: KeptBooks) -> int:
    """Every row of every table; gives how many are entries."""
    game, count = books.campaign.game, 0
    causes: dict[str, str] = {}
    for turn in source.turns(books):
        for table, rows in _rows(books, turn):
            _insert(database, table, COLUMNS_OF[table], rows)
        count += len(turn.entries)
        causes |= dict.fromkeys(map(_CAUSE, turn.entries), "")
    if books.orders:
        effects = [*_effects(books)]
        _insert(database, "order_effects", COLUMNS_OF["order_effects"], effects)
        causes |= dict.fromkeys((str(effect[-2]) for effect in effects), "")
    causes.update((cause, meaning) for cause, meaning in CORE.items() if cause in causes)
    causes.update((cause, meaning) for cause, meaning in game.causes.items() if cause in causes)
    names = {**books.names, GM: books.campaign.settings.gm.name}
    position = {account: number for number, account in enumerate(books.accounts, 1)}
    _insert(database, "campaign", 4, [(books.campaign.settings.name, game.name, __version__, game.paid_from or None)])
    described = {**MEANINGS, **{name: view.meaning for name, view in VIEWS.items()}}
    for table, rows in (("kingdoms", names), ("accounts", position), ("causes", causes), ("described", described)):
        _insert(database, table, 2, rows.items())
    return count


def _insert(database: Connection, table: str, columns: int, rows: Iterable[Sequence[Cell]]) -> None:
    database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * columns)})", rows)


def _effects(books: KeptBooks) -> Iterator[Sequence[Cell]]:
    """Yield a row for each entry that an order made other than it would be without it. Raises Faults."""
    secrets = source.secrets_of(books.campaign.settings)
    numbers: Counter[int] = Counter()
    turns = range(1, len(books.kept))
    for order, effects in order_effects.found(books.campaign, None, (), turns):
        books.told(f"what orders did in turn {order.turn} is worked out", order.turn, len(turns))
        text = source.without_secrets(order.text, secrets)
        for effect in effects:
            numbers[order.turn] += 1
            yield order.turn, numbers[order.turn], order.kingdom, order.path, text, *effect[1:]


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
