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
    folder, wanted = Path(args.campaign), _wanted(args)
    every = _entries(folder)
    _known(folder, every, wanted)
    frame = review.select(every, wanted)
    if args.by:
        frame = review.sums(frame, args.by, whole=not (wanted.phase or wanted.cause))
    if args.csv:
        data = review.as_csv(frame)
        if args.csv == "-":
            return Said(raw=data)
        with writing(args.csv):
            Path(args.csv).write_bytes(data)
        return Said([f"{len(frame)} rows are in {args.csv}."])
    notes = [] if len(frame) else ["No entry is like that."]
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


def _known(folder: Path, every: Any, wanted: review.Wanted) -> None:
    """Raises Faults where a word or a turn is wanted that there can't be, with the nearest that there is."""
    newest = int(every["turn"].max()) if len(every) else 0
    if wanted.turns and wanted.turns[0] > newest:
        raise fault("no_turn", folder, turn=wanted.turns[0], newest=newest)
    for column in review.FILTERS:
        word = getattr(wanted, column)
        if word and word not in every[column].cat.categories:
            known = _words(folder, column, every)
            if word not in known:
                from kingdom.problems import cure

                raise fault("no_entries", folder, what=column, word=word, cure=cure(word, known)[0])


def _words(folder: Path, column: str, every: Any) -> list[str]:
    """The words that the column may have in this campaign."""
    from kingdom import campaign as campaigns

    campaign = campaigns.open_campaign(folder)
    game, turn = campaign.game, campaigns.kept(campaign)
    more: dict[str, Any] = {
        "kingdom": turn.record.seats,
        "phase": [phase.name for phase in game.phases],
        "cause": game.causes,
        "account": game.accounts(campaigns.state_of(campaign, turn), turn.record.seats[0], campaigns.rules_of(campaign, turn).rules),
    }
    return sorted({*every[column].cat.categories, *more[column]})


def _wanted(args: Any) -> review.Wanted:
    return review.Wanted(args.turn, args.kingdom, args.account, args.phase, args.cause)


def _width() -> int:
    """The columns of the terminal; 80 where the output goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return terminal.COLUMNS
