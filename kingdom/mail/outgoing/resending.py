"""Sending again what did not arrive in words that blame no address: refused for good by our own server, or come back."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from kingdom.campaign.campaign import Campaign
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox, outdated, people, undelivered
from kingdom.mail.outgoing.undelivered import Unblamed
from kingdom.orders.scalars import one_line


class Dropped(NamedTuple):
    """What did not arrive. still: what would go out today, as it waits; gone: what is no longer so, since turn, seat or address changed."""

    still: list[Unblamed]
    gone: list[Unblamed]

    def said(self, campaign: Campaign) -> list[str]:
        """A line each."""
        lines = [f"{_named(campaign, one)}. {one.about}" for one in self.still]
        return lines + [
            f"{_named(campaign, one)}. It is withdrawn: the turn, seat or address changed since." for one in self.gone
        ]


def dropped(campaign: Campaign, journal: Journal, now: datetime) -> Dropped:
    """What there is, compared with the kept turns and the seats as all that waits; nothing of which a person took the file. Raises Faults."""
    kept: dict[int, str] = {}
    found = Dropped([], [])
    for one in undelivered.unblamed(journal, campaign):
        mail = one.mail.get("mail", "")
        file = outbox.sent_file(campaign, mail) if one.came_back else outbox.file_of(campaign, mail)
        if not mail or not file.is_file():
            continue
        is_gone = outdated.is_dead(campaign, journal, one.mail, kept, now) or not outdated.is_theirs(campaign, one.mail)
        (found.gone if is_gone else found.still).append(one)
    return found


def put_back(campaign: Campaign, journal: Journal, found: Dropped, now: datetime) -> None:
    """Let them wait once more, and withdraw what is no longer so. Raises Faults where the disk does not take it."""
    for one in found.gone:
        outbox.withdraw(campaign, journal, one.mail["mail"], now)
    for one in found.still:
        outbox.send_again(campaign, journal, one.mail["mail"], now)


def _named(campaign: Campaign, one: Unblamed) -> str:
    mail = one.mail
    what = f"The report of turn {mail['turn']}" if mail["kind"] == "report" else f"A mail ({mail['kind']})"
    whose = f" for {people.who(campaign, mail['kingdom'])}" if mail["kingdom"] in campaign.seats else ""
    became = "came back" if one.came_back else "was refused"
    return f"{what}{whose} to {mail['to']} {became}: {one_line(one.said).rstrip('.') or 'no reason was given'}"
