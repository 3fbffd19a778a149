"""What `scripts/bench` measures of the books of a long campaign: 200 turns of ten kingdoms, 1,000 entries in each.

The turns are made of one that was resolved: its orders, dice, notices and state, and its entries, repeated under other numbers.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import KINGDOM, ratio, seconds, wall_of

from kingdom.books import exports
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import csv_text, store
from kingdom.engine import ledger

TURNS, ENTRIES = 200, 1_000
_READ = "import io, sys, pandas; [pandas.read_csv(io.BytesIO(open(file, 'rb').read())) for file in sys.argv[1:]]"


def long_campaign(played: Path, folder: Path) -> Path:
    """The campaign in `folder`, made of one with turn 1 kept."""
    if folder.exists():
        return folder
    folder.mkdir()
    shutil.copy(played / "campaign.yaml", folder)
    turn = store.kept(played / "turns" / "0001")
    files = {name: store.file_of(turn, name) for name in turn.record.files if not name.startswith("reports/")}
    entries = campaigns.decode_entries(files["ledger.csv"], turn.folder)
    entries = (entries * (ENTRIES // len(entries) + 1))[:ENTRIES]
    rolls = campaigns.decode_rolls(files["dice.csv"], turn.folder)
    for number in range(TURNS):
        rows = [entry._replace(turn=number, seq=seq) for seq, entry in enumerate(entries, 1)]
        files["ledger.csv"] = csv_text.write(ledger.COLUMNS, rows)
        files["dice.csv"] = csv_text.write(type(rolls[0])._fields, [roll._replace(turn=number) for roll in rolls])
        record = _record(turn.record, number, files)
        store.write(folder / "turns" / store.name_of(number), {**files, store.RECORD: store.sealed(record)})
    return folder


def _record(record: Any, number: int, files: dict[str, bytes]) -> Any:
    from msgspec.structs import replace

    return replace(record, turn=number, files={name: store.digest_of(data) for name, data in sorted(files.items())})


def reviewing(folder: Path) -> float:
    """Wall time of `kingdom ledger` ÷ that of importing pandas and reading the same bytes with it, in one file."""
    head = ",".join(ledger.COLUMNS).encode() + b"\n"
    joined = folder.parent / "joined.csv"
    joined.write_bytes(
        head + b"".join(file.read_bytes().removeprefix(head) for file in sorted(folder.glob("turns/*/ledger.csv")))
    )
    return ratio(
        lambda: wall_of([KINGDOM, "ledger", str(folder)]),
        lambda: wall_of([sys.executable, "-c", _READ, str(joined)]),
        9,
    )


def exporting(folder: Path) -> float:
    """CPU time of writing the SQLite database ÷ that of sqlite3 inserting the same rows, which are in memory, into the same tables."""
    from kingdom.books.exports import database

    opened = campaigns.open_campaign(folder)
    file = folder.parent / "books.sqlite"
    exports.export(opened, file)
    with sqlite3.connect(file) as books:
        tables = [name for (name,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: books.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
    return ratio(
        lambda: seconds(lambda: exports.export(opened, file)),
        lambda: seconds(_inserting(file, database.TABLES, rows)),
        5,
    )


def _inserting(file: Path, tables: str, rows: dict[str, list[tuple[Any, ...]]]) -> Callable[[], None]:
    def insert() -> None:
        file.unlink()
        books = sqlite3.connect(file)
        books.executescript(tables)
        for name, each in rows.items():
            books.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(each[0]))})", each)
        books.commit()
        books.close()

    return insert
