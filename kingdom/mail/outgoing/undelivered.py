"""Mail that did not reach its reader: what came back, and what our own server refused for good."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import NamedTuple, TypedDict

from kingdom.campaign.campaign import Place
from kingdom.mail import headers
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox
from kingdom.mail.records import Line
from kingdom.mail.tokens import ours

_LONGEST = 300  # characters of a server's words
_FIELD = re.compile(rb"^Diagnostic-Code:[^;\r\n]*;[ \t]*(.*(?:\r?\n[ \t]+.*)*)", re.IGNORECASE | re.MULTILINE)
_NOBODY = Line()


class Failing(TypedDict):
    """An address that mail does not reach. said: the server's own words; at: ISO 8601."""

    seat: str
    address: str
    said: str
    at: str


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
    head = headers.read(data)
    named = (ours(campaign, id, journal.mails) for id in head.bounced_ids)
    mail = next((journal.mails[one.mail] for one in named if one and one.mail in journal.mails), _NOBODY)
    field = _FIELD.search(data)
    said = " ".join(field[1].decode("utf-8", "replace").split())[:_LONGEST] if field else ""
    failed = [address for address in head.bounced if mail and address == mail["to"].lower()]
    return Returned(tuple(failed), said, mail)


def failing(journal: Journal, campaign: Place, after: str = "") -> list[Failing]:
    """The addresses of today's seats that a mail did not reach, the newest failure of each."""
    settings = campaign.settings
    listed = {"gm": settings.gm.email, **{seat: player.email for seat, player in settings.players.items()}}
    found: list[Failing] = []
    for entry in journal.handled.values():
        if entry["code"] == "bounce" and entry["at"] >= after:
            back = returned(campaign, journal, entry["message"])
            seat, text = back.mail.get("kingdom", ""), f"came back{': ' + back.said if back.said else ''}"
            found += [{"seat": seat, "address": one, "said": text, "at": entry["at"]} for one in back.addresses]
    for mail in journal.mails.values():
        if outbox.is_refused(mail) and mail["fate_at"] >= after:
            text = f"was refused for good: {mail.get('text', '')}"
            found.append({"seat": mail["kingdom"], "address": mail["to"], "said": text, "at": mail["fate_at"]})
    newest = {one["address"].lower(): one for one in sorted(found, key=itemgetter("at"))}
    now = {address.lower() for addresses in listed.values() for address in addresses}
    return [one for address, one in newest.items() if address in now]
