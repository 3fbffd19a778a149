"""A message, its headers read -> its intent. What its headers alone decide is not read on; the rest is parsed, proved, understood.

Asked in the order in which a post office would: is it a machine's, is it too big, what does it say, whose is it, is that
proved, what does it want?
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeAlias

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.incoming import order_text, parts, proof
from kingdom.mail.incoming.answers import Flood, Unproved, Unread, Unreadable
from kingdom.mail.incoming.commands import Command, Unknown
from kingdom.mail.incoming.fate import DUPLICATE, IGNORED, REFUSED, Case
from kingdom.mail.incoming.file_orders import LONGEST, FileOrders
from kingdom.mail.incoming.forwarding import LetterTo
from kingdom.mail.incoming.proof import Sender
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing.letters import address_of
from kingdom.mail.records import Found, Headers
from kingdom.orders import orders_file

# every kind of mail there is; each decides what becomes of it and what it is answered
AnyIntent: TypeAlias = (
    Unread  # a machine's, a copy, our own, from nobody
    | Flood  # one of too many in an hour
    | Unproved  # a stranger's, or not proved
    | Unreadable  # no orders and no command in it, or several
    | Command  # `status`, `report 3`, `extend 2d`
    | Unknown  # a subject that is none, such as `statsu`
    | LetterTo  # to another player
    | FileOrders  # orders, or an addition to them
)

MB = 1 << 20
LARGEST = 25 * MB
AN_HOUR = timedelta(hours=1)
MOST_AN_HOUR = 50


class Parsed(NamedTuple):
    """A message whose texts were read. wants: what stands in it, whoever wrote it; filing: its orders, None for none."""

    wants: Found
    filing: orders_file.Filing | None

    @property
    def token(self) -> str:
        """The token in it, "" for none."""
        return self.wants.token or (self.filing.token if self.filing else "")

    @property
    def kingdom(self) -> str:
        """The kingdom that it names, "" for none."""
        return (self.filing.kingdom if self.filing else "") or self.wants.kingdom


def understood(case: Case) -> AnyIntent:
    """What the message wants. Raises Faults where the campaign itself is broken."""
    intent = _by_headers(case)
    if intent is not None:
        return intent
    parsed = _parsed(case)
    sender = proof.sender_of(case.headers, parsed.token, parsed.kingdom, case.campaign.settings)
    return Unproved(sender) if sender.code else _wanted(parsed, sender)


# --- by its headers


def _by_headers(case: Case) -> AnyIntent | None:
    """What is decided before the body is looked at; None where that is to be read."""
    headers, settings = case.headers, case.campaign.settings
    if case.message.digest in case.journal.handled or headers.message_id in case.journal.ids:
        return Unread(DUPLICATE, "copy")
    if headers.bounced and _ours(case.campaign, headers.bounced_ids):
        return Unread(IGNORED, "bounce", {"address": ", ".join(headers.bounced)})
    if headers.machine:
        return Unread(IGNORED, "machine", {"why": headers.machine})
    if settings.mail and headers.sender == settings.mail.address.lower():
        return Unread(IGNORED, "ourselves")
    if not headers.sender:
        return Unread(REFUSED, "bad_from")
    seat = next(iter(proof.seats_of(headers.sender, settings)), "")
    if _in_the_hour(case.journal, headers.sender, case.came) >= MOST_AN_HOUR:
        return Flood(MOST_AN_HOUR, seat)
    if len(case.message.data) > LARGEST:
        return Unreadable("too_large", seat, {"size": -(-len(case.message.data) // MB), "most": LARGEST // MB})
    return None


def _ours(campaign: Campaign, ids: Sequence[str]) -> bool:
    """Whether one of the Message-IDs is of a mail of this campaign: only such a mail's return says that an address fails."""
    domain = address_of(campaign).rpartition("@")[2]
    return any(one.endswith(f"@{domain}>") for one in ids)


def _in_the_hour(journal: Journal, address: str, came: datetime) -> int:
    """How many messages of that address came in the hour before, of those that were handled last. What lay on a server for
    days and is fetched at once did not come at once."""
    since = came - AN_HOUR
    lately = (datetime.fromisoformat(at) for at in journal.times.get(address, ())[-4 * MOST_AN_HOUR :])
    return sum(since < at <= came for at in lately)


# --- by what stands in it


def _parsed(case: Case) -> Parsed:
    wants = found_in(case.campaign, case.message.data, case.headers)
    if wants.kind != "orders":
        return Parsed(wants, None)
    names = campaigns.names_today(case.campaign)
    text = wants.text.encode()
    return Parsed(wants, orders_file.read(text, wants.file, case.campaign.game, names, None, None, LONGEST))


def found_in(campaign: Campaign, data: bytes, headers: Headers) -> Found:
    """What a message of those headers wants."""
    players, gms = orders_file.declared(campaign.game, None), orders_file.declared(campaign.game, GM)
    keys = {*players.keys, *players.short_keys, *gms.keys, *gms.short_keys, "token"}
    return order_text.find(headers, parts.read(data), keys)


def _wanted(parsed: Parsed, sender: Sender) -> AnyIntent:
    """What somebody wants who is proved."""
    wants, seat = parsed.wants, sender.seat
    if wants.code == "unknown_command":
        return Unknown(seat, wants.command, wants.argument)
    if wants.code:
        return Unreadable(wants.code, seat, {"sender": seat, **wants.facts})
    if wants.kind == "command" and wants.command == "to":
        return LetterTo(seat, wants.argument, wants.text)
    if wants.kind == "command":
        return Command(seat, wants.command, wants.argument)
    if parsed.filing is None:
        return Unreadable("no_orders", seat)
    return FileOrders(seat, wants, parsed.filing)
