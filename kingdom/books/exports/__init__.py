"""The books of a campaign for other programs, a module for each kind of file. docs/contract.md says what a file holds.

An export is written beside its file under another name, and takes its place when it is whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kingdom.books.exports import database, journal, source, spreadsheet
from kingdom.books.exports.source import KeptBooks
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.render.progress import Told, silent

# ending -> what writes it and gives the number of entries; each loads its library when it writes
FORMATS: Mapping[str, Callable[[KeptBooks, Path], int]] = {
    ".sqlite": database.write, ".sqlite3": database.write, ".db": database.write,
    ".csv": spreadsheet.write_csv, ".xlsx": spreadsheet.write_workbook, ".parquet": spreadsheet.write_parquet,
    ".journal": journal.write,
}  # fmt: skip


class Exported(NamedTuple):
    """What was written."""

    file: Path
    turns: int
    entries: int


def export(campaign: Campaign, file: Path, told: Told = silent) -> Exported:
    """Write the books to a file, in the format of its ending, which is one of FORMATS. Raises Faults; the file is then as it was."""
    told("the books are opened")
    books = source.opened(campaign)._replace(told=told)
    with whole(file) as partial:
        entries = FORMATS[file.suffix.lower()](books, partial)
        told("the file is brought to the disk", len(books.kept), len(books.kept))
    return Exported(file, len(books.kept), entries)


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """A name beside the file to write to; what stands there afterwards takes the file's place, synced to the disk.

    If writing fails the file is as it was, and nothing else is left. Raises Faults.
    """
    partial = file.with_name(f".{file.name}.partial")
    try:
        partial.write_bytes(b"")  # if that fails, it is told before the work
        try:
            yield partial
            _sync(partial)
            os.replace(partial, file)
        finally:
            partial.unlink(missing_ok=True)
        store.sync_folder(file.parent)
    except OSError as error:
        raise fault("not_written", file, reason=error.strerror or error) from None


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY | store.AS_IT_IS)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
