"""The entries for spreadsheets and data frames, as CSV or Parquet. workbook.py writes them as a workbook.

The CSV is that of `kingdom ledger --csv`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.books import review
from kingdom.books.exports.source import KeptBooks
from kingdom.books.rows import as_csv
from kingdom.campaign import store
from kingdom.campaign.errors import fault
from kingdom.engine.ledger import COLUMNS

_TAIL = 100_000  # bytes

if TYPE_CHECKING:
    from pandas import DataFrame


def write_csv(books: KeptBooks, file: Path) -> int:
    """Write the CSV; gives the number of entries. Raises Faults."""
    frame = _entries(books)
    file.write_bytes(as_csv(review.rows_of(frame)))
    return len(frame)


def write_parquet(books: KeptBooks, file: Path) -> int:
    """Write the Parquet file; gives the number of entries. Raises Faults, also without pyarrow, which is an extra."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise fault("no_pyarrow", books.campaign.folder) from None
    frame = _entries(books)
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), file)
    return len(frame)


def is_own(file: Path) -> bool:
    """Return whether a file is a Parquet file that was exported before: its columns are named at its end. Raises OSError."""
    with open(file, "rb") as opened:
        if opened.read(4) != b"PAR1":
            return False
        opened.seek(max(0, file.stat().st_size - _TAIL))
        tail = opened.read()
    return all(column.encode() in tail for column in COLUMNS)


def _entries(books: KeptBooks) -> DataFrame:
    """All entries. Raises Faults where a ledger is not as it was kept."""
    return review.entries(store.file_of(kept, "ledger.csv") for kept in books.kept)
