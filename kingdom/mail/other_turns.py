"""Another turn than the one kept here whose reports went out: its folder was deleted or rewritten, or came back from a backup.

The mail's journal knows the digest of each turn that was mailed, and so do the answers to those mails, which lie in the mailbox's folder
Processed also when the campaign's folder is of yesterday.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import clock, store, undone_turns
from kingdom.campaign.errors import fault
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.mail import tokens
from kingdom.mail.outgoing import outbox
from kingdom.mail.records import ANEW
from kingdom.mail.servers import connection

if TYPE_CHECKING:
    from datetime import datetime

    from kingdom.campaign.campaign import Campaign
    from kingdom.campaign.settings import Server
    from kingdom.mail.journal import Journal

_LATELY = timedelta(days=100)
_REPORT = regex(r"<(report-([0-9]{4,9})-([^\s<>]+)-([0-9a-f]{8})\.[0-9a-f]+)@([^\s<>]+)>")
Known = Mapping[str, str]  # how a digest begins -> who knows it


def prove(campaign: Campaign, journal: Journal, number: int, digest: str, asked: Known | None = None) -> list[str]:
    """Return the other turns of that number whose reports readers have, of which the GM said that the campaign goes on without them. Raises
    Faults where there is one more. digest: of the turn that is kept, or about to be. asked: what `answered` gave; None: it was not asked."""
    own = {digest[:8], *_undone(campaign, number)}
    others = {
        known: how for known, how in {**(asked or {}), **_mailed(campaign, journal, number)}.items() if known not in own
    }
    new = {known: how for known, how in others.items() if (ANEW, GM, number, known) not in journal.told}
    if new:
        said = "; ".join(f"{known}... ({how})" for known, how in sorted(new.items()))
        raise fault(
            "another_turn", campaign.turns / store.name_of(number), turn=number, known=said,
            folder=campaigns.typed(campaign),
        )  # fmt: skip
    return sorted(others)


def prove_newest(campaign: Campaign, journal: Journal, asked: Known | None = None) -> list[str]:
    """The same of the newest kept turn."""
    newest = campaigns.newest(campaign)
    return prove(campaign, journal, newest, campaigns.kept(campaign).digest, asked) if newest >= 0 else []


def go_on(campaign: Campaign, journal: Journal, number: int, now: datetime) -> list[str]:
    """Write down that the campaign goes on without the other turns of that number that are known now, and return them. Raises Faults where
    none is, or the turn is neither the next nor the newest."""
    newest = campaigns.newest(campaign)
    own = campaigns.kept(campaign).digest[:8] if number == newest else ""
    known = {**answered(campaign, number), **_mailed(campaign, journal, number)}
    others = sorted({*known} - {own, *_undone(campaign, number)})
    if number not in (newest, newest + 1) or not others:
        raise fault("no_other_turn", campaign.folder, turn=number)
    for digest in others:
        journal.tell_once(now, ANEW, GM, number, digest)
    return others


def _mailed(campaign: Campaign, journal: Journal, number: int) -> dict[str, str]:
    """The turns of that number whose reports went out to players, by the mail's journal."""
    return {
        mail["digest"]: "by mail/journal.jsonl"
        for mail in journal.mails.values()
        if mail.get("about") in ("report", "welcome") and mail["turn"] == number and mail["kingdom"] != GM
        if mail["digest"] != "start"  # a welcome before turn 0 was made
        if outbox.went_out(campaign, journal, mail)
    }  # fmt: skip


def _undone(campaign: Campaign, number: int) -> list[str]:
    digests = []
    for folder in undone_turns.folders(campaign.folder):
        with suppress(Faults):  # the audit tells of one that can't be read
            turn = store.kept(folder)
            digests += [turn.digest[:8]] if turn.record.turn == number else []
    return digests


def answered(campaign: Campaign, number: int) -> dict[str, str]:
    """The turns of that number whose reports players answered, by the folder Processed of the mailbox; nothing without one, and of a server
    that does not say it. Raises Unreachable, Denied."""
    if campaign.settings.house:
        from kingdom.campaign import house

        around = house.around(campaign.folder)
        if around is None or around.mail.imap is None:
            return {}
        return named_in(campaign, number, _in_house(around.mail.imap, clock.now().date()))
    server = campaign.settings.mail.imap if campaign.settings.mail else None
    if server is None:
        return {}
    from kingdom.mail.servers import imap  # loads what speaks to servers

    return named_in(campaign, number, imap.answers_to(server, f"report-{number:04}-"))


@lru_cache(maxsize=1)
def _in_house(server: Server, today: date) -> list[str]:
    """What players of a house answered of late: asked once for all its campaigns, many of which play in one night."""
    from kingdom.mail.servers import imap

    return imap.answers_to(server, "report-", today - _LATELY)


def asked_or_not(campaign: Campaign, number: int) -> tuple[dict[str, str], str]:
    """What `answered` gives, and why it gives nothing where the server could not be asked, else ""."""
    try:
        return answered(campaign, number), ""
    except (connection.Unreachable, connection.Denied) as error:
        return {}, f"Whether players answered another report of turn {number} could not be looked up: {error}"


def named_in(campaign: Campaign, number: int, headers: Iterable[str]) -> dict[str, str]:
    """The turns of that number of which our mails, as these headers name them, are reports. A mark proves that we made a name."""
    found = {}
    for text in headers:
        for mail, turn, seat, digest, domain in _REPORT.findall(text):
            if int(turn) == number and seat in campaign.seats:
                named = f"report-{turn}-{seat}-{digest}"
                if f"<{mail}@{domain}>" == tokens.message_id(campaign, named, seat, domain):
                    found[digest] = "by answers in the mailbox"
    return found
