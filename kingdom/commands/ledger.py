"""kingdom ledger: the review of every entry of every turn."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from kingdom import review, store, terminal
from kingdom.commands import Said
from kingdom.settings import FILE
from kingdom.troubles import fault, writing

_COLUMNS = ["turn", "kingdom", "account", "delta", "balance", "cause", "detail"]


def run(args: Any) -> Said:
    """Entries, or with --by their sums; the newest ones where they are too many for a terminal."""
    frame = review.select(_entries(Path(args.campaign)), _wanted(args))
    if args.by:
        frame = review.sums(frame, args.by)
    if args.csv:
        data = review.as_csv(frame)
        if args.csv == "-":
            return Said(raw=data)
        with writing(args.csv):
            Path(args.csv).write_bytes(data)
        return Said([f"{len(frame)} rows are in {args.csv}."])
    notes = []
    if args.last and len(frame) > args.last:
        notes = [f"These are the last {args.last} of {len(frame)} rows; --last 0 shows all, --csv FILE writes them."]
        frame = frame.tail(args.last)
    return Said(review.as_text(frame if args.by else frame[_COLUMNS], _width()), notes)


def _entries(folder: Path) -> Any:
    """Every entry of the campaign. Raises Faults where a ledger is broken."""
    ledgers = _ledgers(folder)
    try:
        return review.entries(ledgers.values())
    except ValueError:
        from kingdom.campaign import decode_entries  # it says which line is broken

        for file, data in ledgers.items():
            decode_entries(data, file)
        raise


def _ledgers(folder: Path) -> dict[Path, bytes]:
    """Every ledger.csv of the campaign. Raises Faults."""
    if not (folder / FILE).is_file():
        raise fault("no_campaign", folder)
    numbers = store.numbers(folder / "turns")
    if not numbers:
        raise fault("no_turns", folder)
    files = [folder / "turns" / store.name_of(number) / "ledger.csv" for number in numbers]
    return {file: store.read(file) for file in files}


def _wanted(args: Any) -> review.Wanted:
    return review.Wanted(args.turn, args.kingdom, args.account, args.phase, args.cause)


def _width() -> int:
    """The columns of the terminal; 80 where the output goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return terminal.COLUMNS
