"""How the mail of a campaign stands, for `kingdom status`: told from its files alone, without loading its game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign.campaign import Place, Unopened
from kingdom.campaign.settings import Settings
from kingdom.engine.problems import Faults
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import amiss, outbox, outdated, overview
from kingdom.mail.outgoing.overview import Failing, Server

DIGITS = 12  # of a receipt


class MailStatus(NamedTuple):
    """lines: sentences; times: (seat, receipt) -> when those orders came by mail; absences: seat -> what is said of it."""

    lines: list[str]
    times: Mapping[tuple[str, str], str]
    absences: dict[str, str]
    failing: list[Failing]
    servers: list[Server]


def of(folder: Path, settings: Settings, following: int, now: datetime) -> MailStatus:
    """How it stands. following: the next turn. Raises Faults where the journal is broken."""
    journal = Journal(folder / "mail", now)
    after = overview.since(journal, following - 2)  # the newest turn and the one before it
    campaign = Unopened(folder, settings)
    found = overview.overview(journal, campaign, now, after, _dead(campaign, journal))
    return MailStatus(
        [*overview.room(folder), *amiss.said(journal, settings), *overview.said(found, overview.zone_of(settings))],
        {
            (seat, receipt[:DIGITS]): time
            for (seat, turn, receipt), time in journal.filings.items()
            if turn == following
        },
        overview.absences(journal, settings.players, following),
        found.failing,
        overview.servers(journal),
    )


def _dead(campaign: Place, journal: Journal) -> set[str]:
    """The waiting mails that the next run withdraws, so that they don't count as waiting."""
    if not outbox.waiting(journal):
        return set()
    try:
        return outdated.dead(campaign, journal)
    except Faults:
        return set()
