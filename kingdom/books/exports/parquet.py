"""The entries as Parquet, for data frames. It is written by pyarrow, which not everybody has."""

from __future__ import annotations

from pathlib import Path

from kingdom.books.exports.source import Books
from kingdom.books.exports.table import entries
from kingdom.campaign.errors import fault


def write(books: Books, file: Path) -> int:
    """Write the file; gives the number of entries. Raises Faults, also where there is no pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise fault("no_pyarrow", books.campaign.folder) from None
    frame = entries(books)
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), file)
    return len(frame)
