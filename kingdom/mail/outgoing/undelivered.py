"""Mail that did not reach its reader: it came back, or our own server refused it for good."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from operator import itemgetter

from kingdom.campaign.campaign import Place, typed
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.engine.step import Facts
from kingdom.mail import headers, refusals
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox
from kingdom.mail.outgoing.letters import turn_of_thread
from kingdom.mail.records import Headers, Line
from kingdom.mail.servers.connection import Denied, Unreachable
from kingdom.mail.tokens import ours

_LONGEST = 300  # characters of a server's words
_FIELD = regex(rb"^Diagnostic-Code:[^;\r\n]*;[ \t]*(.*(?:\r?\n[ \t]+.*)*)", re.IGNORECASE | re.MULTILINE)
_NOBODY = Line()
ABOUT_US = "That speaks of how this campaign sends, not of the address."
ABOUT_IT = "That speaks of the mail itself, not of the address."


class Returned(NamedTuple):
    """A mail that came back. addresses: the address to which it went; said: the server's own words, "" for none; mail: the journal's entry
    of the mail, without `mail` (the id) where several mails of a turn went there."""

    addresses: tuple[str, ...]
    said: str
    mail: Line


class Unblamed(NamedTuple):
    """A mail that did not arrive in words that blame no address. of: what the words speak of (kingdom/mail/refusals.py). at: ISO 8601."""

    mail: Line
    said: str
    of: str
    at: str
    came_back: bool

    @property
    def about(self) -> str:
        """A sentence about what the words speak of."""
        return ABOUT_US if self.of in refusals.OURS else ABOUT_IT


def of_ours(campaign: Place, mails: Mapping[str, Line], head: Headers) -> list[Line]:
    """The mails of ours that a delivery report can be about, the newest last; each went to an address that failed. A relay that writes
    Message-IDs of its own leaves our References: then all mails count that went there in that thread."""
    found = [one for id in head.bounced_ids if (one := ours(campaign, id, mails))]
    exact = [mails[one.mail] for one in found if not one.turn and one.mail in mails]
    threads = {(one.seat, one.turn) for one in found if one.turn}
    loose = [
        mail
        for mail in (mails.values() if threads and not exact else ())
        if (mail.get("kingdom"), turn_of_thread(campaign, mail.get("kind", ""), mail.get("turn", 0))) in threads
        and mail["fate"] != "withdrawn"
    ]
    went = exact or [mail for mail in loose if mail["fate"] == "sent"] or loose  # a person may have carried it
    return [mail for mail in went if mail["to"].lower() in head.bounced]


def returned(campaign: Place, journal: Journal, digest: str) -> Returned:
    """What a delivery report says about a mail of ours. digest: of the report's message; if somebody took its file away, nothing is known."""
    try:
        data = (journal.file.parent / "inbox" / f"{digest}.eml").read_bytes()
    except OSError:
        return Returned((), "", _NOBODY)
    head = headers.read(data)
    there = of_ours(campaign, journal.mails, head)
    field = _FIELD.search(data)
    said = " ".join(field[1].decode("utf-8", "replace").split())[:_LONGEST] if field else ""
    if not there:
        return Returned((), said, _NOBODY)
    mail = there[-1]
    if len({one["mail"] for one in there}) > 1:
        mail = Line(
            kind="mail", kingdom=mail["kingdom"], turn=mail["turn"], to=mail["to"], fate="sent", fate_at=mail["fate_at"]
        )
    return Returned((mail["to"].lower(),), said, mail)


def failing(journal: Journal, campaign: Place, after: str = "") -> list[Facts]:
    """The addresses of today's seats that are to blame for a mail that did not arrive, with the newest failure of each: `seat`, `address`,
    `said` (the server's own words), `at` (ISO 8601)."""
    settings = campaign.settings
    listed = {"gm": settings.gm.email, **{seat: player.email for seat, player in settings.players.items()}}
    found = list[Facts]()
    for entry in journal.handled.values():
        if entry["code"] == "bounce" and entry["at"] >= after:
            back = returned(campaign, journal, entry["message"])
            seat, text = back.mail.get("kingdom", ""), f"came back{': ' + back.said if back.said else ''}"
            if refusals.spoken_of_in(back.said) == refusals.READER:
                found += [{"seat": seat, "address": one, "said": text, "at": entry["at"]} for one in back.addresses]
    for mail in journal.mails.values():
        if outbox.is_refused(mail) and mail["fate_at"] >= after and outbox.spoken_of(mail) == refusals.READER:
            text = f"was refused for good: {mail.get('text', '')}"
            found.append({"seat": mail["kingdom"], "address": mail["to"], "said": text, "at": mail["fate_at"]})
    newest = {one["address"].lower(): one for one in sorted(found, key=itemgetter("at"))}
    now = {address.lower() for addresses in listed.values() for address in addresses}
    return [one for address, one in newest.items() if address in now]


def unblamed(journal: Journal, campaign: Place, after: str = "") -> list[Unblamed]:
    """The mails that did not arrive in words about us or about the mail, and were not sent again since: what came back, then what our server
    refused for good, as releases before 0.4 took it."""
    found: dict[str, Unblamed] = {}
    for entry in journal.handled.values():
        if entry["code"] == "bounce" and entry["at"] >= after:
            back = returned(campaign, journal, entry["message"])
            of, mail = refusals.spoken_of_in(back.said), back.mail
            if of != refusals.READER and mail.get("fate") == "sent" and mail["fate_at"] <= entry["at"]:
                found[mail.get("mail", entry["message"])] = Unblamed(mail, back.said, of, entry["at"], True)
    for mail in journal.mails.values():
        if outbox.is_refused(mail) and mail["fate_at"] >= after and (of := outbox.spoken_of(mail)) != refusals.READER:
            found[mail["mail"]] = Unblamed(mail, mail.get("text", ""), of, mail["fate_at"], False)
    return [*found.values()]


def about_us(campaign: Place, journal: Journal, reports: Iterable[str]) -> Denied | Unreachable | None:
    """What to say about delivery reports that blame us, since then all mail may come back, also the GM's; None where no report does. reports:
    the digests of their messages."""
    spoken_of = {refusals.spoken_of_in(returned(campaign, journal, one).said) for one in reports}
    if not spoken_of & {*refusals.OURS}:
        return None
    here = typed(campaign)
    said = (
        f"Mail came back in words about how this campaign sends, not about who it was for: `kingdom status {here}` has them. Once that is "
        f"mended, `kingdom mail send {here} --dropped` sends it again."
    )
    return Denied(said) if refusals.ACCESS in spoken_of else Unreachable(said)
