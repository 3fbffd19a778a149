"""The ledgers of a campaign's kept turns, read as one: a small one without pandas, a large one with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from kingdom.books import review
from kingdom.books.review import LargeLedger
from kingdom.books.rows import NUMBERS
from kingdom.books.small_ledger import SmallLedger
from kingdom.campaign import csv_text, store
from kingdom.campaign.errors import fault
from kingdom.engine.ledger import Entry

MOST = 2_500_000  # bytes of a small one; above, loading pandas takes less time than doing without

Ledger: TypeAlias = SmallLedger | LargeLedger


def files(folder: Path) -> dict[Path, bytes]:
    """Return the ledger.csv of every kept turn. Raises Faults if there is none."""
    numbers = store.numbers(folder / "turns")
    if not numbers:
        raise fault("no_turns", folder)
    names = [folder / "turns" / store.name_of(number) / "ledger.csv" for number in numbers]
    return {file: store.read(file) for file in names}


def opened(files: Mapping[Path, bytes]) -> Ledger:
    """Return the entries of these files. Raises Faults if a ledger is broken."""
    return small(files) if sum(map(len, files.values())) <= MOST else large(files)


def small(files: Mapping[Path, bytes]) -> SmallLedger:
    """Return the entries without loading pandas. Raises Faults if a ledger is broken."""
    return SmallLedger(
        [entry for file, data in files.items() for entry in csv_text.read(data, Entry, NUMBERS, str(file))]
    )


def large(files: Mapping[Path, bytes]) -> LargeLedger:
    """Return the entries as pandas has them. Raises Faults if a ledger is broken."""
    try:
        return LargeLedger(review.entries(files.values()))
    except ValueError:
        small(files)  # it names the broken line
        raise
