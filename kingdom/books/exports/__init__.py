"""The books of a campaign for other programs, a module for each kind of file. docs/contract.md says what a file holds.

An export is written under another name in the same folder and renamed when it is complete.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from kingdom.books.exports import beancount, database, journal, source, spreadsheet, workbook
from kingdom.books.exports.source import KeptBooks
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.output import Sign, begins, prove, whole
from kingdom.engine.ledger import COLUMNS
from kingdom.render.progress import Told, silent

# ending -> the function that writes such a file and returns the number of entries; each loads its library only then
FORMATS: Mapping[str, Callable[[KeptBooks, Path], int]] = {
    ".sqlite": database.write, ".sqlite3": database.write, ".db": database.write,
    ".csv": spreadsheet.write_csv, ".xlsx": workbook.write, ".parquet": spreadsheet.write_parquet,
    ".journal": journal.write, ".beancount": beancount.write,
}  # fmt: skip
_SIGNS: Mapping[str, Sign] = {  # ending -> what tells an earlier export
    ".csv": begins(",".join(COLUMNS).encode()), ".xlsx": workbook.is_own, ".parquet": spreadsheet.is_own,
    ".journal": begins(rb"; The books of "),
    ".beancount": begins(rb'option "title" "[^\n]*"\n(?:option "operating_currency"[^\n]*\n)?\n2000-01-01 commodity '),
}  # fmt: skip
DATABASES = tuple(ending for ending, write in FORMATS.items() if write is database.write)


class Exported(NamedTuple):
    """The result of an export."""

    file: Path
    turns: int
    entries: int


def export(campaign: Campaign, file: Path, told: Told = silent, orders: bool = False, force: bool = False) -> Exported:
    """Write the books to a file; its ending, a key of FORMATS, sets the format. Raises Faults and leaves the file unchanged.

    orders: a database also has what each order did, which takes a run of its turn. force: replace a file that is no earlier export.
    """
    ending = file.suffix.lower()
    prove(file, _SIGNS.get(ending, database.is_own), force)
    told("the books are opened")
    books = source.opened(campaign)._replace(told=told, orders=orders)
    with whole(Path(os.path.realpath(file)), private=True) as partial:
        entries = FORMATS[ending](books, partial)
        told("the file is brought to the disk", len(books.kept), len(books.kept))
    return Exported(file, len(books.kept), entries)
