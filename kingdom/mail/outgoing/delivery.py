"""What a server said of a mail that it could not deliver, read from the delivery report that it sent back."""

from __future__ import annotations

import re
from typing import NamedTuple

from kingdom.campaign.campaign import Place
from kingdom.mail import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.records import Line
from kingdom.mail.tokens import ours

_MOST = 300  # characters of a server's words
_FIELD = re.compile(rb"^Diagnostic-Code:[^;\r\n]*;[ \t]*(.*(?:\r?\n[ \t]+.*)*)", re.IGNORECASE | re.MULTILINE)
_NOBODY = Line()


class Returned(NamedTuple):
    """A mail that came back. addresses: the one that it went to, if it failed; said: the server's own words, "" for none; mail: its `queued`."""

    addresses: tuple[str, ...]
    said: str
    mail: Line


def returned(campaign: Place, journal: Journal, digest: str) -> Returned:
    """What a delivery report says of a mail of ours. digest: of the message that it is; one that somebody took away says nothing."""
    try:
        data = (journal.file.parent / "inbox" / f"{digest}.eml").read_bytes()
    except OSError:
        return Returned((), "", _NOBODY)
    headers = reading.read(data)
    named = (ours(campaign, id, journal.mails) for id in headers.bounced_ids)
    mail = next((journal.mails[one.mail] for one in named if one and one.mail in journal.mails), _NOBODY)
    field = _FIELD.search(data)
    said = " ".join(field[1].decode("utf-8", "replace").split())[:_MOST] if field else ""
    failed = [address for address in headers.bounced if mail and address == mail["to"].lower()]
    return Returned(tuple(failed), said, mail)
