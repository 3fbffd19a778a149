"""What a server said of a mail that it could not deliver, read from the delivery report that it sent back."""

from __future__ import annotations

import re
from typing import NamedTuple

from kingdom.mail.incoming import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.records import Line

_MOST = 300  # characters of a server's words
_FIELD = re.compile(rb"^Diagnostic-Code:[^;\r\n]*;[ \t]*(.*(?:\r?\n[ \t]+.*)*)", re.IGNORECASE | re.MULTILINE)
_NOBODY = Line()


class Returned(NamedTuple):
    """A mail that came back. addresses: the one that it went to, if it failed; said: the server's own words, "" for none; mail: its `queued`."""

    addresses: tuple[str, ...]
    said: str
    mail: Line


def returned(journal: Journal, digest: str) -> Returned:
    """What a delivery report says. digest: of the message that it is; one that somebody took away says nothing."""
    try:
        data = (journal.file.parent / "inbox" / f"{digest}.eml").read_bytes()
    except OSError:
        return Returned((), "", _NOBODY)
    headers = reading.read(data)
    names = [id.strip("<>").rpartition("@")[0] for id in headers.bounced_ids]
    ids = [id for name in names for id in (name, name.rpartition(".")[0])]  # a mark may stand behind the mail's id
    mail = next((journal.mails[id] for id in ids if id in journal.mails), _NOBODY)
    field = _FIELD.search(data)
    said = " ".join(field[1].decode("utf-8", "replace").split())[:_MOST] if field else ""
    failed = [address for address in headers.bounced if not mail or address == mail["to"].lower()]
    return Returned(tuple(failed), said, mail)
