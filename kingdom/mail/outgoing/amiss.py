"""What is wrong in the files of the mail and stops nobody: lines of the journal, messages that can't be read, times that lie ahead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from kingdom.campaign import calendar
from kingdom.campaign.settings import Settings
from kingdom.mail import headers
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import overview


def said(journal: Journal, settings: Settings) -> list[str]:
    """All of it, a sentence each."""
    return [*dict(lines(journal)).values(), *dict(unread(journal)).values(), *clock(journal, settings)]


def lines(journal: Journal) -> Iterator[tuple[str, str]]:
    """(topic, sentence) of each line of the journal that is passed over."""
    for number in journal.amiss:
        told = f"Line {number} of mail/journal.jsonl has wrong keys and is passed over. Put the file back from a copy."
        yield f"journal:{number}", told


def unread(journal: Journal) -> Iterator[tuple[str, str]]:
    """(topic, sentence) of each message that nobody answered and that can't be read."""
    folder = journal.file.parent
    names = {f"{digest}.eml" for digest in journal.taken if digest not in journal.handled}
    with suppress(OSError), os.scandir(folder / "inbox") as entries:
        dropped = [entry.name for entry in entries if entry.name.lower().endswith(".eml") and entry.is_file()]
        names |= {name for name in dropped if Path(name).stem not in journal.taken and not name.startswith(".")}
    for name in sorted(names):
        try:
            headers.head(folder / "inbox" / name)
        except OSError as error:
            called = os.fsencode(name).decode("utf-8", "backslashreplace")
            told = f"mail/inbox/{called} can't be read ({error.strerror}), so nothing is done with it. All other mails are taken."
            yield f"unread:{called}", told


def clock(journal: Journal, settings: Settings) -> list[str]:
    """That times of the journal lie ahead."""
    if not journal.ahead:
        return []
    at = calendar.said_at(datetime.fromisoformat(journal.ahead), overview.zone_of(settings))
    return [
        f"This machine's clock was wrong for a while: the mail's journal has times up to {at}. What lies ahead counts as now."
    ]
