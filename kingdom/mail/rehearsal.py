"""A rehearsal: the weekly job at some moment, played on a copy of the campaign, and the mails that it would send as a page.

Nothing in the campaign changes, no server is asked, nobody gets a mail. Where the moment lies ahead, a first run on the copy does
what is due today, as the next run will; its mails are shown first.
"""

from __future__ import annotations

import shutil
from base64 import b64encode
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kingdom.books import closing
from kingdom.campaign import calendar, commitment, due, undone_turns, zones
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import trouble
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import Facts
from kingdom.mail import turn_facts
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import deadlines, outbox
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.outdated import is_nowhere, sends
from kingdom.mail.records import Line
from kingdom.mail.servers.sources import Inbox
from kingdom.mail.week import Week

if TYPE_CHECKING:
    from email.message import EmailMessage


A_MINUTE = timedelta(minutes=1)
OTHER_DICE = "No report has promised the dice of the turn yet, so others were drawn here: it will come out otherwise."


class Shown(NamedTuple):
    """A mail as its reader gets it. html: a page of its own, its pictures in it; "" where there is none.

    attached: the `name`, `kind`, and `size` in bytes of each file that goes with it. until: when it would go out if the GM does not release it before; "" for at once.
    """

    kind: str
    kingdom: str
    to: str
    subject: str
    text: str
    html: str
    attached: Sequence[Facts]
    until: str


class Rehearsed(NamedTuple):
    """What the run would do, a line each, what would be wrong, and its mails. before: those of the next run, which goes before it.

    lying: how many lie in the outbox by then, for a person to carry. waits: whether the turn waits for something that the GM's
    `run it` lets go.
    """

    lines: Sequence[str]
    problems: Sequence[Problem]
    mails: Sequence[Shown]
    before: Sequence[Shown]
    lying: int
    waits: bool


class Tried(Week):
    """A run that says nothing of what it sends, since nobody is mailed."""

    def send(self) -> None:
        """Send what waits to the server that takes all."""
        lines = list(self.lines)
        super().send()
        if sends(self.campaign) and not is_nowhere(self.campaign):
            self.lines = lines


def usual_time(campaign: Campaign, now: datetime) -> datetime:
    """Just after the next deadline; now, where there is none."""
    journal = journal_of(campaign, now)
    turn = max(campaigns.newest(campaign), 0) + 1
    last = None if closing.why_over(campaign) else deadlines.deadline(campaign, journal, turn)
    return max(now, last.last + A_MINUTE) if last else now


def first_reminder(campaign: Campaign, now: datetime) -> str:
    """When the next reminder goes out, as `--at` takes it; "" where none is to come."""
    journal, dates = journal_of(campaign, now), campaign.settings.calendar
    last = deadlines.deadline(campaign, journal, max(campaigns.newest(campaign), 0) + 1)
    if dates is None or last is None or closing.why_over(campaign):
        return ""
    at = min(
        (last.at - calendar.span(mark) for mark in dates.remind if last.at - calendar.span(mark) > now), default=None
    )
    return f"{at.astimezone(zones.zone(dates.zone)):%Y-%m-%dT%H:%M}" if at else ""


def time_of(campaign: Campaign, typed: str) -> datetime:
    """A time by the wall clock of the calendar's zone, such as 2026-12-04T18:00; UTC without a calendar."""
    dates = campaign.settings.calendar
    return datetime.fromisoformat(typed).replace(tzinfo=zones.zone(dates.zone if dates else "UTC"))


def has_mailbox(campaign: Campaign) -> bool:
    """Whether a run would fetch mail from a server, of which a rehearsal knows nothing."""
    return bool(campaign.settings.mail and campaign.settings.mail.imap)


def said_at(campaign: Campaign, at: datetime) -> str:
    """A time as the GM reads it."""
    dates = campaign.settings.calendar
    return calendar.said_at(at, dates.zone if dates else "UTC")


def rehearse(campaign: Campaign, at: datetime, now: datetime, run_it: bool = False) -> Rehearsed:
    """The run at that time. run_it: as if the GM had replied `run it` just before. Raises Faults where the campaign can't be read."""
    from kingdom.mail.servers.nowhere import NoCalls  # loads what speaks to servers

    with _copied(campaign) as made:
        copy = commitment.to_try(made)
        journal, calls = journal_of(copy, now), NoCalls()
        gone = {mail for mail, entry in journal.mails.items() if entry["fate"] == "sent"}
        before: list[Shown] = []
        if at > now:
            Tried(copy, journal, _source(campaign, copy, journal), now, calls).run()
            before = [_shown(campaign, copy, entry) for entry in _sent(journal, gone)]
        there, lying = set(journal.mails), 0 if sends(campaign) else len(outbox.waiting(journal))
        gone |= {mail for mail, entry in journal.mails.items() if entry["fate"] == "sent"}
        if run_it:  # the GM lets the next turn go on
            turn = max(campaigns.newest(copy), 0) + 1
            journal.add("go_on", at, turn=turn, attempt=undone_turns.attempt_of(copy.folder, turn), came=at.isoformat())
        done = Tried(copy, journal, _source(campaign, copy, journal), at, calls).run()
        wait = {entry["mail"]: entry.get("until", "") for entry in outbox.kept_back(journal, at)}
        lie = [] if sends(campaign) else [entry for entry in outbox.due(journal, at) if entry["mail"] not in there]
        new = [journal.mails[mail] for mail in wait if mail not in there]
        entries = (*_sent(journal, gone), *lie, *new)
        mails = [_shown(campaign, copy, entry, wait.get(entry["mail"], "")) for entry in entries]
        lines = [_as_there(campaign, copy, line) for line in done.lines]
        if copy.keys and campaigns.newest(copy) > campaigns.newest(campaign):
            lines.append(OTHER_DICE)
        return Rehearsed(lines, done.problems, mails, before, lying, _waits(copy, journal, at))


def _waits(copy: Campaign, journal: Journal, at: datetime) -> bool:
    """Whether the next turn waits after the run for something that the GM's word lets go."""
    if campaigns.newest(copy) < 0:
        return False
    try:
        stands = due.decide(turn_facts.facts(copy, journal, at, True, closing.why_over(copy)))
    except Faults:  # the campaign says something wrong, which the run said
        return False
    return stands.what == due.WAITS and stands.for_gm


# --- the copy


@contextmanager
def _copied(campaign: Campaign) -> Iterator[Campaign]:
    """A copy of the campaign that reaches nobody: no server, no web space, no command for alarms."""
    with TemporaryDirectory(prefix="kingdom-rehearsal-") as place:
        folder = Path(place) / (campaign.folder.resolve().name or "campaign")
        try:
            shutil.copytree(campaign.folder, folder, copy_function=_copy)
        except shutil.Error as error:  # a list of (file, its copy, why)
            raise Faults([trouble("not_readable", file, reason=why) for file, _, why in error.args[0]]) from None
        mail, publish = campaign.settings.mail, campaign.settings.publish
        mail = msgspec.structs.replace(mail, imap=None) if mail else None
        if publish.folder:
            publish = msgspec.structs.replace(publish, folder=str(Path(place) / "published"))
        quiet = msgspec.structs.replace(campaign.settings, alert="", mail=mail, publish=publish)
        yield campaign._replace(folder=folder, settings=quiet)


def _copy(source: str, target: str) -> None:
    """Copy a file; one that a run moved away meanwhile is left out, and of one that can't be read there is one that can't be read."""
    try:
        shutil.copy2(source, target)
    except FileNotFoundError:
        pass
    except PermissionError:
        Path(target).touch(mode=0)


def _source(campaign: Campaign, copy: Campaign, journal: Journal) -> Inbox:
    """What lies in mail/inbox is taken in, as a run without a mailbox does; a mailbox is not asked."""
    return Inbox(copy.folder / "mail" / ("nothing" if has_mailbox(campaign) else "inbox"), journal)


def _sent(journal: Journal, gone: Container[str]) -> list[Line]:
    """The mails that were sent, but for those that were before."""
    return [entry for mail, entry in journal.mails.items() if entry["fate"] == "sent" and mail not in gone]


# --- the mails


def _as_there(campaign: Campaign, copy: Campaign, text: str) -> str:
    """A text with the campaign's own places in it, not those of the copy."""
    published = campaign.settings.publish.folder
    text = text.replace(str(copy.folder), str(campaign.folder))
    return text.replace(copy.settings.publish.folder, str(campaign.folder / published)) if published else text


def _shown(campaign: Campaign, copy: Campaign, entry: Line, until: str = "") -> Shown:
    mail = outbox.mail_of(copy, entry["mail"])
    plain, page = mail.get_body(("plain",)), mail.get_body(("html",))
    return Shown(
        entry["kind"],
        entry["kingdom"],
        entry["to"],
        str(mail["Subject"] or ""),
        _as_there(campaign, copy, plain.get_content()) if plain else "",
        _as_there(campaign, copy, _with_pictures(page.get_content(), mail)) if page else "",
        [_attached(part) for part in mail.iter_attachments()],
        said_at(campaign, datetime.fromisoformat(until)) if until else "",
    )


def _attached(part: EmailMessage) -> Facts:
    data = part.get_payload(decode=True)
    size = len(data) if isinstance(data, bytes) else 0
    return {"name": part.get_filename() or "without a name", "kind": part.get_content_type(), "size": size}


def _with_pictures(html: str, mail: EmailMessage) -> str:
    """The HTML with the mail's own pictures in it, so that it shows them wherever it lies."""
    for part in mail.walk():
        name, data = (part["Content-ID"] or "").strip("<>"), part.get_payload(decode=True)
        if name and isinstance(data, bytes):
            html = html.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{b64encode(data).decode()}")
    return html


def page(campaign: Campaign, at: datetime, found: Rehearsed) -> str:
    """The mails as one page. Their HTML stands in frames without rights, and the page may load nothing from elsewhere."""
    view = {
        "campaign": campaign.settings.name,
        "at": said_at(campaign, at),
        "lines": list(found.lines),
        "mails": [mail._asdict() for mail in (*found.before, *found.mails)],
        "before": len(found.before),
    }
    return making.template("rehearsal.html", view)
