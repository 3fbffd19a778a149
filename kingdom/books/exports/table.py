"""The entries of all turns as one table: a CSV, as `kingdom ledger --csv` writes it, or Parquet, for data frames."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.books import review
from kingdom.books.exports.source import Books
from kingdom.campaign import store
from kingdom.campaign.errors import fault

if TYPE_CHECKING:
    from pandas import DataFrame


def write_csv(books: Books, file: Path) -> int:
    """Write the CSV; gives the number of entries. Raises Faults."""
    frame = entries(books)
    file.write_bytes(review.as_csv(frame))
    return len(frame)


def write_parquet(books: Books, file: Path) -> int:
    """Write the Parquet file; gives the number of entries. Raises Faults, also where there is no pyarrow, which not everybody has."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise fault("no_pyarrow", books.campaign.folder) from None
    frame = entries(books)
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), file)
    return len(frame)


def entries(books: Books) -> DataFrame:
    """All entries. Raises Faults where a ledger is not as it was kept."""
    return review.entries(store.file_of(kept, "ledger.csv") for kept in books.kept)
