"""kingdom rehearse: the weekly job at a chosen time on a copy of the campaign, with a page of the mails that it would send."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import clock, copies, output
from kingdom.campaign.next_turn import missing_players
from kingdom.cli.commands import DONE, WRONG, Said, campaign_of
from kingdom.engine.problems import Faults
from kingdom.render import terminal

if TYPE_CHECKING:
    from kingdom.mail.rehearsal import Shown

PAGE = "rehearsal.html"


def run_rehearse(args: Namespace) -> Said:
    """Write the page, and list its mails. Nothing in the campaign changes."""
    from kingdom.mail import rehearsal

    campaign, now, file = campaign_of(args), clock.now(), Path(args.to or PAGE)
    is_own = output.begins(rb".*<title>[^<]*: a rehearsal</title>")
    output.prove(file, is_own, args.force)
    if problem := copies.standing(campaign.folder).problem or missing_players(campaign):
        raise Faults([problem])
    at = rehearsal.time_of(campaign, args.at) if args.at else rehearsal.usual_time(campaign, now)
    rehearsed = rehearsal.rehearse(campaign, at, now, args.run_it)
    page = rehearsal.page(campaign, at, rehearsed).encode()
    output.put(file, page, is_own, args.force, private=True)  # it holds everybody's mails and tokens
    lines = terminal.paragraph(
        f"The run on {rehearsal.said_at(campaign, at)}, tried on a copy of the campaign. Nobody was mailed, and nothing changed."
    )
    if rehearsal.has_mailbox(campaign):
        lines += terminal.paragraph("The mailbox was not asked: what players send until then may change what follows.")
    if rehearsed.lying:
        what = "1 mail that lies" if rehearsed.lying == 1 else f"{rehearsed.lying} mails that lie"
        lines.append(f"{what} in mail/outbox before that {'is' if rehearsed.lying == 1 else 'are'} not shown.")
    lines += ["", *(text for line in rehearsed.lines for text in terminal.paragraph(line))] if rehearsed.lines else []
    if rehearsed.before:
        what = "1 mail goes" if len(rehearsed.before) == 1 else f"{len(rehearsed.before)} mails go"
        lines += ["", f"With the next run {what} out, before that one:", *_list(rehearsed.before)]
    mails = rehearsed.mails
    head = "1 mail:" if len(mails) == 1 else f"{len(mails)} mails:" if mails else "no mail."
    lines += ["", f"It would send {head}", *_list(mails), "", f"The mails are shown in {file}."]
    if rehearsed.waits:
        lines += terminal.paragraph(
            "No turn is played here, so no report is shown: the turn waits. `--run-it` plays it, as if you had replied `run it`."
        )
    if not args.at and (reminder := rehearsal.first_reminder(campaign, now)):
        lines += terminal.paragraph(f"`--at {reminder}` shows the run of the first reminder instead.")
    return Said(lines, list(map(str, rehearsed.problems)), WRONG if rehearsed.problems else DONE)


def _list(mails: Sequence[Shown]) -> list[str]:
    """Return a line for each mail: its reader, its subject, its attachments."""
    lines = []
    for mail in mails:
        files = ", ".join(f"{file['name']} {-(-file['size'] // 1000)}\u00a0KB" for file in mail.attached)
        more = [f"with {files}"] if files else []
        more += [f"waits for your release until {mail.until}"] if mail.until else []
        lines += terminal.paragraph("; ".join([f"- {mail.to}: {mail.subject}", *more]), 2)
    return lines
