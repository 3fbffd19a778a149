"""Sends mails again that did not arrive in words that blame no address: mails that our own server refused for good, or that came back."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from kingdom.campaign.campaign import Campaign
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox, outdated, people, undelivered
from kingdom.mail.outgoing.undelivered import Missed
from kingdom.orders.scalars import one_line


class Dropped(NamedTuple):
    """Mails that did not arrive. still: those that may go out again; gone: those that are no longer true, since a turn, a seat or an
    address changed."""

    still: list[Missed]
    gone: list[Missed]

    def said(self, campaign: Campaign) -> list[str]:
        """A line for each mail."""
        lines = [f"{_named(campaign, one)}. {one.about}" for one in self.still]
        return lines + [
            f"{_named(campaign, one)}. It is withdrawn: the turn, seat or address changed since." for one in self.gone
        ]


def dropped(campaign: Campaign, journal: Journal, now: datetime) -> Dropped:
    """The mails that did not arrive, compared with the kept turns and the seats of today; none whose file a person took. Raises Faults."""
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
    """Lets mails wait once more, and withdraws those that are no longer true. Raises Faults where the disk does not take it."""
    for one in found.gone:
        outbox.withdraw(campaign, journal, one.mail["mail"], now)
    for one in found.still:
        outbox.send_again(campaign, journal, one.mail["mail"], now)


def _named(campaign: Campaign, one: Missed) -> str:
    mail = one.mail
    what = f"The report of turn {mail['turn']}" if mail["kind"] == "report" else f"A mail ({mail['kind']})"
    whose = f" for {people.who(campaign, mail['kingdom'])}" if mail["kingdom"] in campaign.seats else ""
    became = "came back" if one.came_back else "was refused"
    return f"{what}{whose} to {mail['to']} {became}: {one_line(one.said).rstrip('.') or 'no reason was given'}"
