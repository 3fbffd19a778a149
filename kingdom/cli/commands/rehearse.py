"""kingdom rehearse: the weekly job at a chosen time on a copy of the campaign, with a page of the mails that it would send."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kingdom.campaign import clock
from kingdom.campaign.errors import writing
from kingdom.cli.commands import DONE, WRONG, OfCampaign, Said, campaign_of
from kingdom.render import terminal

if TYPE_CHECKING:
    from kingdom.mail.rehearsal import Rehearsed, Shown

PAGE = "rehearsal.html"


class OfRehearse(OfCampaign, Protocol):
    """The arguments of `kingdom rehearse`."""

    at: str | None
    run_it: bool
    to: str


def run_rehearse(args: OfRehearse) -> Said:
    """Write the page, and list its mails. Nothing in the campaign changes."""
    from kingdom.mail import rehearsal

    campaign, now = campaign_of(args), clock.now()
    at = rehearsal.time_of(campaign, args.at) if args.at else rehearsal.usual_time(campaign, now)
    found = rehearsal.rehearse(campaign, at, now, args.run_it)
    file = Path(args.to or PAGE)
    with writing(file):
        file.touch(mode=0o600)  # it holds everybody's mails and tokens
        file.write_text(rehearsal.page(campaign, at, found), encoding="utf-8")
    lines = terminal.paragraph(
        f"The run on {rehearsal.said_at(campaign, at)}, tried on a copy of the campaign. Nobody was mailed, and nothing changed."
    )
    if rehearsal.has_mailbox(campaign):
        lines += terminal.paragraph("The mailbox was not asked: what players send until then may change what follows.")
    lines += _not_shown(found)
    lines += ["", *(text for line in found.lines for text in terminal.paragraph(line))] if found.lines else []
    if found.before:
        what = "1 mail goes" if len(found.before) == 1 else f"{len(found.before)} mails go"
        lines += ["", f"With the next run {what} out, before that one:", *_list(found.before)]
    head = "1 mail:" if len(found.mails) == 1 else f"{len(found.mails)} mails:" if found.mails else "no mail."
    lines += ["", f"It would send {head}", *_list(found.mails), "", f"The mails are shown in {file}."]
    lines += _what_else(found, "" if args.at else rehearsal.first_reminder(campaign, now))
    return Said(lines, list(map(str, found.problems)), WRONG if found.problems else DONE)


def _what_else(found: Rehearsed, reminder: str) -> list[str]:
    """Name options that show more: the reports of a turn that waits, the first reminder. reminder: when it goes out, "" for none."""
    lines = []
    if found.waits:
        lines += terminal.paragraph(
            "No turn is played here, so no report is shown: the turn waits. `--run-it` plays it, as if you had replied `run it`."
        )
    if reminder:
        lines += terminal.paragraph(f"`--at {reminder}` shows the run of the first reminder instead.")
    return lines


def _not_shown(found: Rehearsed) -> list[str]:
    """Say how many mails are not shown, a line for each reason."""
    lines = []
    if found.lying:
        what = "1 mail that lies" if found.lying == 1 else f"{found.lying} mails that lie"
        lines.append(f"{what} in mail/outbox before that {'is' if found.lying == 1 else 'are'} not shown.")
    return lines


def _list(mails: Sequence[Shown]) -> list[str]:
    """Return a line for each mail: its reader, its subject, its attachments."""
    lines = []
    for mail in mails:
        files = ", ".join(f"{file.name} {-(-file.size // 1000)}\u00a0KB" for file in mail.attached)
        more = [f"with {files}"] if files else []
        more += [f"waits for your release until {mail.until}"] if mail.until else []
        lines += terminal.paragraph("; ".join([f"- {mail.to}: {mail.subject}", *more]), 2)
    return lines
