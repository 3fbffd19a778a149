"""kingdom mail: fetch, send, check, log, accept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kingdom.campaign import clock, lock
from kingdom.campaign.campaign import Campaign
from kingdom.cli.commands import DONE, WRONG, OfCampaign, Said, as_json, campaign_of, seat_of

if TYPE_CHECKING:
    from kingdom.mail.incoming.taking import Source, Taken
    from kingdom.mail.journal import Journal


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom mail`."""

    command: str
    from_: str | None
    json: bool
    kingdom: str
    message: str
    for_: str


def run(args: Args) -> Said:
    """The action that was named."""
    return _ACTIONS[args.command.split()[1]](args)


def _fetch(args: Args) -> Said:
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import Journal
    from kingdom.mail.servers.connection import Denied, Unreachable

    campaign = campaign_of(args)
    taken: list[taking.Taken] = []
    code, notes = DONE, []
    with lock.held(campaign.folder, "mail fetch"):
        journal = Journal(taking.folder_of(campaign))
        try:
            taking.take(campaign, journal, source_of(campaign, journal, args.from_), clock.now(), taken)
        except (Unreachable, Denied) as error:  # what was taken until then is told all the same
            code, notes = error.exit_code, [str(error)]
    if args.json:
        return as_json([row(one, campaign) for one in taken], code, notes)
    return Said(taking.said(taken) or ([] if notes else ["No new mail."]), notes, code)


def source_of(campaign: Campaign, journal: Journal, folder: str | None) -> Source:
    """Where mail is fetched from: the folder that was named, the mailbox of campaign.yaml, or mail/inbox."""
    from kingdom.campaign.errors import writing
    from kingdom.mail.servers.sources import Folder, Inbox, Maildir

    if folder:
        there = Path(folder)
        return Maildir(there) if (there / "cur").is_dir() or (there / "new").is_dir() else Folder(there, journal)
    if campaign.settings.mail and campaign.settings.mail.imap:
        from kingdom.mail.servers.imap import Mailbox

        return Mailbox(campaign.settings.mail.imap)
    inbox = campaign.folder / "mail" / "inbox"
    with writing(inbox):
        inbox.mkdir(parents=True, exist_ok=True)  # so that there is a place to drop a mail
    return Inbox(inbox, journal)


def row(one: Taken, campaign: Campaign) -> Mapping[str, object]:
    """A message and its fate, as `--json` prints it; no token is told."""
    from kingdom.mail.incoming.proof import without_tokens

    fate = one.fate
    return {
        "message_id": fate.headers.message_id,
        "from": fate.headers.sender,
        "subject": without_tokens(fate.headers.subject, campaign.settings),
        "kingdom": fate.seat or None,
        "turn": fate.turn or None,
        "outcome": fate.outcome,
        "reason": fate.reason,
    }


def _send(args: Args) -> Said:
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import Journal
    from kingdom.mail.outgoing import outbox
    from kingdom.mail.servers import smtp

    campaign = campaign_of(args)
    with lock.held(campaign.folder, "mail send"):
        journal = Journal(taking.folder_of(campaign))
        if not (campaign.settings.mail and campaign.settings.mail.smtp):
            count = len(outbox.waiting(journal))
            return Said(
                [
                    f"There is no `smtp` in campaign.yaml: {count} mails lie in {campaign.folder}/mail/outbox as .eml files."
                ]
            )
        sent = smtp.send(campaign, journal, clock.now())
    lines = [f"{len(sent.sent)} sent, {len(sent.again)} to be tried again, {len(sent.dropped)} refused for good."]
    return Said(lines)


def _check(args: Args) -> Said:
    from kingdom.mail.servers.trial import trial

    campaign = campaign_of(args)
    lines, code = trial(campaign)
    return Said(lines, (), code)


def _log(args: Args) -> Said:
    """Each message: when it came, what became of it, its receipt."""
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import Journal
    from kingdom.render import terminal

    campaign = campaign_of(args)
    journal = Journal(taking.folder_of(campaign))
    seat = seat_of(campaign, args.kingdom) if args.kingdom else ""
    entries = [(digest, entry) for digest, entry in journal.handled.items() if not seat or entry["kingdom"] == seat]
    lines: list[str] = []
    for digest, entry in entries:
        what = f", turn {entry['turn']}, receipt {entry['receipt']}" if entry["receipt"] else ""
        lines.append(
            f"{entry['arrived'][:16].replace('T', ' ')} UTC  {digest[:12]}  {entry['from'] or 'nobody'}: {entry['outcome']}{what}"
        )
        lines += terminal.paragraph(f"{entry['subject'] or '(no subject)'}. {entry['reason']}".rstrip(), 4)
    return Said(lines or ["No mail was taken yet."])


def _accept(args: Args) -> Said:
    """The GM files a message by hand: one that was refused, or one that was dictated and typed into a file."""
    from kingdom.mail.incoming import accepting, taking
    from kingdom.mail.journal import Journal

    campaign = campaign_of(args)
    seat = seat_of(campaign, args.for_)
    with lock.held(campaign.folder, "mail accept"):
        journal = Journal(taking.folder_of(campaign))
        lines, problems = accepting.accept(campaign, journal, args.message, seat, clock.now())
    return Said(lines, [str(problem) for problem in problems], WRONG if problems else DONE)


_ACTIONS = {"fetch": _fetch, "send": _send, "check": _check, "log": _log, "accept": _accept}
