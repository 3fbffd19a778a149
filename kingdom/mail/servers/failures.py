"""Since when a mail server fails, and when it was tried last: the journal has the first failure, a file beside it the last try."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

import msgspec

from kingdom.campaign import store
from kingdom.mail.journal import Journal

TRIED = "tried.json"  # in `mail`: server -> when it was tried last and failed again; a line of the journal every five minutes would be too much


def note(journal: Journal, what: str, text: str, now: datetime) -> None:
    """Write down that a server could not be used, or without words that it works again. Raises Faults where the disk takes no line."""
    failing = is_failing(journal, what)
    if text and failing and journal.servers[what]["text"] == text:
        with suppress(OSError):  # the last try is not worth a fault
            tried = {**_tried(journal), what: now.isoformat(timespec="seconds")}
            store.put_files(journal.file.parent, {TRIED: msgspec.json.encode(tried)})
    elif text or failing:
        journal.add("server", now, what=what, text=text)


def is_failing(journal: Journal, what: str) -> bool:
    """Whether a server could not be used when it was tried last."""
    last = journal.servers.get(what)
    return last is not None and "over" not in last


def last_tried(journal: Journal, what: str) -> str:
    """When a server failed last, an ISO time."""
    return max(journal.servers[what]["at"], _tried(journal).get(what, ""))


def _tried(journal: Journal) -> dict[str, str]:
    try:
        return msgspec.json.decode((journal.file.parent / TRIED).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}
