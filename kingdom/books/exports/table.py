"""The entries as one CSV, which is what `kingdom ledger --csv` writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.books import review
from kingdom.books.exports.source import Books
from kingdom.campaign import store

if TYPE_CHECKING:
    from pandas import DataFrame


def write(books: Books, file: Path) -> int:
    """Write the CSV; gives the number of entries. Raises Faults."""
    frame = entries(books)
    file.write_bytes(review.as_csv(frame))
    return len(frame)


def entries(books: Books) -> DataFrame:
    """The pandas table of all entries. Raises Faults where a ledger is not as it was kept."""
    return review.entries(store.file_of(kept, "ledger.csv") for kept in books.kept)
