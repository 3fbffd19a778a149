"""Mail that did not reach its reader: it came back, or our own server refused it for good."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter

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


class Missed(NamedTuple):
    """A mail that did not arrive: it came back, or our own server refused it for good. topic: under which the GM is told it. mail: its entry in
    the journal, without `mail` (the id) where several mails of a turn went there, empty where it is not known. said: the server's own words,
    "" for none; of: what they speak of (kingdom/mail/refusals.py). at: ISO 8601."""

    topic: str
    mail: Line
    said: str
    of: str
    at: str
    came_back: bool

    @property
    def became(self) -> str:
        """What became of it, in words."""
        return "came back" if self.came_back else "was refused for good"

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


def missed(
    journal: Journal, campaign: Place, after: str = "", wanted: Callable[[str], bool] = lambda topic: True
) -> Iterator[Missed]:
    """The mails that did not arrive: what came back, then what our server refused for good. after: ISO 8601. wanted: whether a topic is."""
    for digest, entry in journal.handled.items():
        topic = f"bounce:{digest[:16]}"
        if entry["code"] == "bounce" and entry["at"] >= after and wanted(topic):
            said, mail = returned(campaign, journal, digest)
            yield Missed(topic, mail, said, refusals.spoken_of_in(said), entry["at"], True)
    for id, mail in journal.mails.items():
        topic = f"dropped:{id}"
        if outbox.is_refused(mail) and mail["fate_at"] >= after and wanted(topic):
            yield Missed(topic, mail, mail.get("text", ""), outbox.spoken_of(mail), mail["fate_at"], False)


def returned(campaign: Place, journal: Journal, digest: str) -> tuple[str, Line]:
    """What a delivery report says about a mail of ours, as (the server's own words, the journal's entry of the mail), both as in Missed.
    digest: of the report's message; if somebody took its file away, nothing is known."""
    try:
        data = (journal.file.parent / "inbox" / f"{digest}.eml").read_bytes()
    except OSError:
        return "", _NOBODY
    there = of_ours(campaign, journal.mails, headers.read(data))
    field = _FIELD.search(data)
    said = " ".join(field[1].decode("utf-8", "replace").split())[:_LONGEST] if field else ""
    mail = there[-1] if there else _NOBODY
    if len({one["mail"] for one in there}) > 1:
        mail = Line(
            kind="mail", kingdom=mail["kingdom"], turn=mail["turn"], to=mail["to"], fate="sent", fate_at=mail["fate_at"]
        )
    return said, mail


def failing(journal: Journal, campaign: Place, after: str = "") -> list[Facts]:
    """The addresses of today's seats that are to blame for a mail that did not arrive, with the newest failure of each: `seat`, `address`,
    `said` (the server's own words), `at` (ISO 8601)."""
    settings = campaign.settings
    listed = {"gm": settings.gm.email, **{seat: player.email for seat, player in settings.players.items()}}
    blamed = [one for one in missed(journal, campaign, after) if one.of == refusals.READER and one.mail]
    newest = {one.mail["to"].lower(): one for one in sorted(blamed, key=attrgetter("at"))}
    now = {address.lower() for addresses in listed.values() for address in addresses}
    return [
        {
            "seat": one.mail["kingdom"],
            "address": address if one.came_back else one.mail["to"],
            "said": f"{one.became}{': ' if one.said or not one.came_back else ''}{one.said}",
            "at": one.at,
        }
        for address, one in newest.items()
        if address in now
    ]


def unblamed(journal: Journal, campaign: Place, after: str = "") -> list[Missed]:
    """The mails that did not arrive in words about us or about the mail, and were not sent again since: what came back, then what our server
    refused for good, as releases before 0.4 took it."""
    found = [one for one in missed(journal, campaign, after) if one.of != refusals.READER]
    found = [
        one for one in found if not one.came_back or one.mail.get("fate") == "sent" and one.mail["fate_at"] <= one.at
    ]
    return [*{one.mail.get("mail", one.topic): one for one in found}.values()]


def about_us(campaign: Place, journal: Journal, reports: Iterable[str]) -> Denied | Unreachable | None:
    """What to say about delivery reports that blame us, since then all mail may come back, also the GM's; None where no report does. reports:
    the digests of their messages."""
    spoken_of = {refusals.spoken_of_in(returned(campaign, journal, one)[0]) for one in reports}
    if not spoken_of & {*refusals.OURS}:
        return None
    here = typed(campaign)
    said = (
        f"Mail came back in words about how this campaign sends, not about who it was for: `kingdom status {here}` has them. Once that is "
        f"mended, `kingdom mail send {here} --dropped` sends it again."
    )
    return Denied(said) if refusals.ACCESS in spoken_of else Unreachable(said)
