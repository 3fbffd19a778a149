"""A taken message -> what becomes of it. Read from the top, it asks in the order in which a post office would: is it a
machine's, whose is it, is it too big, what does it say, is that proved, may it be filed, does it count?

`handle` decides and changes nothing but through `Fate.filed`; kingdom/mail/incoming/taking.py carries it out and writes it down.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import taken_back
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import Problem
from kingdom.engine.step import Facts, Orders
from kingdom.mail.incoming import filing, senders
from kingdom.mail.incoming import headers as reading
from kingdom.mail.incoming.refusals import reason
from kingdom.mail.incoming.senders import Sender
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines
from kingdom.mail.outgoing.letters import address_of
from kingdom.mail.records import Found, Headers
from kingdom.orders import orders_file

ACCEPTED, REFUSED, IGNORED, DUPLICATE = "accepted", "refused", "ignored", "duplicate"
AHEAD = 3  # turns that are kept for later
MB = 1 << 20
LARGEST = 25 * MB
AN_HOUR = timedelta(hours=1)
MOST_AN_HOUR = 50
ORDERS = 256 << 10


class Message(NamedTuple):
    """A message as it was taken: its digest, its bytes, and when it was first seen."""

    digest: str
    data: bytes
    seen: datetime

    @property
    def answer(self) -> str:
        """The id of its answer."""
        return f"answer-{self.digest[:16]}"


class Fate(NamedTuple):
    """What becomes of a message.

    seat: whose it is, "" where that is not known. answered: whether it gets an answer; `warned` instead: one line to the
    seat's own address, that says no more than the reason. problems: of the orders. wanted: the orders as read, in the long
    form. filed: the bytes to be filed, None for none. before: what stood before. command, argument: what else was asked.
    """

    outcome: str
    code: str = ""
    reason: str = ""
    seat: str = ""
    turn: int = 0
    time: datetime | None = None
    answered: bool = False
    warned: bool = False
    problems: tuple[Problem, ...] = ()
    wanted: Orders | None = None
    filed: bytes | None = None
    before: filing.Standing = filing.Standing()
    command: str = ""
    argument: str = ""
    facts: Facts = {}
    headers: Headers = Headers()
    text: str = ""


def handle(campaign: Campaign, journal: Journal, message: Message, now: datetime) -> Fate:
    """What becomes of a message. Raises Faults where the campaign itself is broken."""
    headers = reading.read(message.data)
    fate = _by_headers(campaign, journal, message, headers) or _by_content(campaign, journal, message, headers, now)
    return fate._replace(headers=headers, time=reading.time_of(headers, message.seen))


def _by_headers(campaign: Campaign, journal: Journal, message: Message, headers: Headers) -> Fate | None:
    """What is decided before the body is looked at."""
    settings = campaign.settings
    if _copy(journal, message, headers):
        return Fate(DUPLICATE, "copy", reason("copy"))
    if headers.bounced and _ours(campaign, headers.bounced_ids):
        return Fate(IGNORED, "bounce", reason("bounce", address=", ".join(headers.bounced)))
    if headers.machine:
        return Fate(IGNORED, "machine", reason("machine", why=headers.machine))
    if settings.mail and headers.sender == settings.mail.address.lower():
        return Fate(IGNORED, "ourselves", reason("ourselves"))
    if not headers.sender:
        return Fate(REFUSED, "bad_from", reason("bad_from"))
    listed = senders.seats_of(headers.sender, settings)
    if _in_the_hour(journal, headers.sender, reading.arrival(headers, message.seen)) >= MOST_AN_HOUR:
        once = ("too_often", headers.sender, 0, message.seen.strftime("%Y-%m-%dT%H")) not in journal.told
        return Fate(
            REFUSED,
            "too_often",
            reason("too_often", most=MOST_AN_HOUR),
            listed[0] if listed else "",
            answered=bool(listed) and once,
        )
    if len(message.data) > LARGEST:
        facts = {"size": -(-len(message.data) // MB), "most": LARGEST // MB}
        return Fate(
            REFUSED, "too_large", reason("too_large", **facts), listed[0] if listed else "", answered=bool(listed)
        )
    return None


def _copy(journal: Journal, message: Message, headers: Headers) -> bool:
    return message.digest in journal.handled or headers.message_id in journal.ids


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


def _by_content(campaign: Campaign, journal: Journal, message: Message, headers: Headers, now: datetime) -> Fate:
    found = found_in(campaign, message.data, headers)
    filed = _read(campaign, found, "", None) if found.kind == "orders" else None
    token = found.token or (filed.token if filed else "")
    named = (filed.kingdom if filed else "") or found.kingdom
    sender = senders.sender_of(headers, token, named, campaign.settings)
    if sender.code:
        return _unproved(sender)
    if found.code:
        facts = {"sender": sender.seat, **found.facts}
        return Fate(REFUSED, found.code, reason(found.code, **facts), sender.seat, answered=True, facts=found.facts)
    if found.kind == "command":
        return Fate(
            ACCEPTED,
            found.command,
            "",
            sender.seat,
            answered=True,
            command=found.command,
            argument=found.argument,
            text=found.text,
        )
    if filed is None:
        return Fate(REFUSED, "no_orders", reason("no_orders"), sender.seat, answered=True)
    return _orders(campaign, journal, message, headers, found, sender, now)


def found_in(campaign: Campaign, data: bytes, headers: Headers) -> Found:
    """What a message of those headers wants."""
    from kingdom.mail.incoming import order_text, parts

    players, gms = orders_file.declared(campaign.game, None), orders_file.declared(campaign.game, GM)
    keys = {*players.keys, *players.short_keys, *gms.keys, *gms.short_keys, "token"}
    return order_text.find(headers, parts.read(data), keys)


def _unproved(sender: Sender) -> Fate:
    """From a stranger, or not proved. Nobody is answered but the address on the list, and that one with a line."""
    warned = sender.listed or sender.code == "unlisted_address"
    return Fate(REFUSED, sender.code, reason(sender.code, kingdom=sender.seat), sender.seat, warned=warned)


def _read(campaign: Campaign, found: Found, seat: str, turn: int | None) -> orders_file.Filing:
    """The filing in a text, whosever it is where no seat is named."""
    names = campaigns.names_today(campaign)
    beside = bool(seat) and turn is not None
    return orders_file.read(
        found.text.encode(), found.file, campaign.game, names, seat or None, turn if beside else None, ORDERS, beside
    )


def _orders(
    campaign: Campaign,
    journal: Journal,
    message: Message,
    headers: Headers,
    found: Found,
    sender: Sender,
    now: datetime,
) -> Fate:
    """Orders of somebody who is proved."""
    fate = Fate(REFUSED, seat=sender.seat, answered=True, text=found.text)
    filed, code, facts = _whole(campaign, headers, found, sender)
    if code:
        return fate._replace(code=code, reason=reason(code, **facts), turn=filed.turn or 0)
    turn = filed.turn or found.turn or 0  # broken orders do not give what the subject says
    if filed.orders is None:
        count = len(filed.problems)
        said = reason(
            "problems", count=f"There {'are' if count > 1 else 'is'} {count} problem{'s' if count > 1 else ''}"
        )
        there = filing.standing(campaign, journal, sender.seat, turn, now) if turn else filing.Standing()
        return fate._replace(code="problems", reason=said, turn=turn, problems=tuple(filed.problems), before=there)
    code, facts = _too_late(campaign, journal, sender.seat, turn, headers, message)
    if code:
        return fate._replace(code=code, reason=reason(code, **facts), turn=turn, wanted=filed.orders)
    there = filing.standing(campaign, journal, sender.seat, turn, now)
    if not filing.counts(there, reading.time_of(headers, message.seen), message.seen):
        said = reason("older", turn=turn, receipt=there.receipt)
        return fate._replace(code="older", reason=said, turn=turn, wanted=filed.orders, before=there)
    wanted = (
        filing.amended(campaign, there.data, filed.orders, sender.seat, turn)
        if filed.orders.get("amend")
        else filed.orders
    )
    data = orders_file.write(wanted).encode()
    added = {"amended": bool(filed.orders.get("amend"))}
    return fate._replace(outcome=ACCEPTED, turn=turn, wanted=wanted, filed=data, before=there, facts=added)


def _whole(campaign: Campaign, headers: Headers, found: Found, sender: Sender) -> tuple[orders_file.Filing, str, Facts]:
    """(the filing, why it can't be, facts): whose it is and for which turn, said in the orders or in the subject."""
    alone = _read(campaign, found, "", None)
    kingdom, turn = alone.kingdom or found.kingdom, alone.turn or found.turn
    said = (found.kingdom, found.turn) if found.kingdom and not headers.is_reply else ("", None)
    theirs = (alone.kingdom or said[0], alone.turn or said[1])
    if said[0] and theirs != said:
        return alone, "subject_disagrees", {"subject": f"{said[0]} {said[1]}", "orders": f"{theirs[0]} {theirs[1]}"}
    if kingdom and kingdom != sender.seat:
        return alone, "other_kingdom", {"kingdom": kingdom, "seat": sender.seat}
    if turn is None or not kingdom:
        return alone, "", {}  # the reader says which key is missing
    return _read(campaign, found, sender.seat, turn), "", {}


def _too_late(
    campaign: Campaign, journal: Journal, seat: str, turn: int, headers: Headers, message: Message
) -> tuple[str, Facts]:
    """Why orders for that turn are no longer taken, or not yet, as (code, facts)."""
    upcoming = campaigns.newest(campaign) + 1 or 1
    if turn < upcoming:
        return "past_turn", {"turn": turn, "next": upcoming}
    if turn > upcoming + AHEAD:
        return "too_far_ahead", {"turn": turn, "last": upcoming + AHEAD}
    over = _over(campaign, turn)
    if over:
        return "over", {"reason": over}
    before = taken_back.latest(campaign.folder, turn)
    if before is not None and not before.reopened and seat != GM:
        return "taken_back", {"turn": turn, "next": turn + 1}
    came = reading.arrival(headers, message.seen)
    due = deadlines.deadline(campaign, journal, turn)
    if due is not None and came > due.last and seat != GM and not _waits_for(journal, seat, turn):
        return "late", {
            "turn": turn,
            "came": deadlines.said(came, campaign, seat),
            "deadline": deadlines.said(due.at, campaign, seat),
        }
    return "", {}


def _over(campaign: Campaign, turn: int) -> str:
    """Why there will be no such turn, "" where there may be one."""
    if campaigns.newest(campaign) < 0:
        return ""
    return campaigns.over(campaign, turn, campaigns.state_of(campaign, campaigns.kept(campaign)))


def _waits_for(journal: Journal, seat: str, turn: int) -> bool:
    """Whether the turn waits for that seat, which may then still file."""
    return ("waits_for", seat, turn, "") in journal.told
