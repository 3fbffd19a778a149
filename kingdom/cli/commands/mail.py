"""kingdom run, release, invite, mail: the weekly job, and handling mail by hand."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import clock, copies, lock, output
from kingdom.campaign.afterwards import BEFORE_SENDING, MAILS_WAIT, Afterwards
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import DISK, LASTS
from kingdom.campaign.next_turn import missing_players
from kingdom.cli import campaign_folders
from kingdom.cli.commands import (
    DONE,
    PLAYED,
    RUN_GOES_ON,
    RUN_IS_STUCK,
    USAGE,
    WAITING,
    WRONG,
    Said,
    Unfinished,
    as_json,
    campaign_of,
    seat_of,
)
from kingdom.engine.problems import Faults, Problem
from kingdom.render.plain_text import counted

if TYPE_CHECKING:
    from kingdom.campaign.copies import Standing
    from kingdom.campaign.workers import Steps
    from kingdom.mail.incoming.taking import Source, Taken
    from kingdom.mail.journal import Journal
    from kingdom.mail.sharing import Shared
    from kingdom.mail.week import Done


@contextmanager
def sharing(args: Namespace) -> Iterator[Shared | None]:
    """Set `shared` while all campaigns of a run are run. Raises Held if another run holds their house, and Faults."""
    from kingdom.campaign import house

    args.shared = None
    if args.dry_run or not (args.several or house.around(Path(args.campaign))):
        yield None
        return
    from kingdom.mail.sharing import shared

    def inside(folder: Path) -> list[Path]:
        return [Path(campaign) for campaign in campaign_folders.inside(str(folder))[0]]

    with shared(map(Path, args.campaigns), map(Path, args.folders), inside) as args.shared:
        yield args.shared


def run_run(args: Namespace) -> Said:
    """Do everything that is due, so a second run right after has nothing to do. With --dry-run it changes nothing."""
    from kingdom.campaign.workers import Team, side_by_side

    return next(side_by_side([running(args)], Team())).get()


def running(args: Namespace) -> Steps[Said]:
    """Do the same as run_run; yield the jobs that other processes may do for it."""
    from kingdom.mail import tokens
    from kingdom.mail.journal import journal_of
    from kingdom.mail.week import Week

    if args.anew is not None and (args.several or args.dry_run):
        return Said(notes=["kingdom run: --anew is of one campaign, and goes not with --dry-run."], code=USAGE)
    try:
        campaign = campaign_of(args)
    except Faults as faults:
        if args.shared is not None:
            args.shared.note_broken(Path(args.campaign), faults)
        raise
    if args.dry_run:
        stands = copies.standing(campaign.folder)
        if problem := stands.problem or missing_players(campaign):
            if args.several and stands.is_settled_copy:
                return Said()
            return Said(notes=[str(problem)], code=WRONG)
        return _week_said(Week(campaign, journal_of(campaign, clock.now()), None, clock.now()).run(), args.several)
    with _held(campaign, args.shared):
        now = args.shared.now(campaign) if args.shared else clock.now()
        journal = journal_of(campaign, now)
        with suppress(Faults):  # if the disk is full, the steps of the run report it and go on
            tokens.keep_key(campaign)
        stands = copies.take_place(campaign.folder)
        if problem := stands.problem or missing_players(campaign):
            return _stopped(campaign, journal, stands, problem, now, args)
        if args.anew is not None:
            from kingdom.mail import other_turns

            other_turns.go_on(campaign, journal, args.anew, now)
        source = args.shared.source(campaign, journal) if args.shared else None
        calls = args.shared.calls if args.shared else None
        week = Week(campaign, journal, source or source_of(campaign, journal, None), now, calls, args.helpers)
        try:
            done = yield from week.going()
            if args.shared is not None:
                args.shared.note_done(week.campaign, journal, done, week.over)
                done = done._replace(errors=args.shared.unsaid(campaign, done.errors))
            if stands.moved:
                done.lines.insert(
                    0, f"The campaign was in {stands.moved} before, and is in {campaign.folder.resolve()} now."
                )
            return _week_said(done, args.several)
        except Exception as error:
            raise Unfinished(week.lines) from error


def _stopped(
    campaign: Campaign, journal: Journal, stands: Standing, problem: Problem, now: datetime, args: Namespace
) -> Said:
    """Say why a campaign does nothing: its folder may be a mere copy, or a player is missing. Its GM is told. In a run of
    several campaigns, a campaign that its GM called a copy is skipped without a word."""
    from kingdom.mail import stopped
    from kingdom.mail.servers.connection import Denied, Unreachable, with_folder

    if stands.is_settled_copy:
        return Said() if args.several else Said(notes=[str(problem)], code=WRONG)
    if args.shared is not None:
        args.shared.note_stopped_by(campaign, problem, stands)
    notes = [str(problem)]
    try:
        stopped.tell_gm(campaign, journal, problem, now, args.shared.calls if args.shared else None)
    except (Unreachable, Denied) as error:
        return Said(
            notes=[*notes, with_folder(error, campaign.settings.house or campaign.folder)], code=error.exit_code
        )
    return Said(notes=notes, code=WRONG)


def _prove(campaign: Campaign) -> None:
    """Raise Faults if a campaign may not act: it exists twice, or its players are not those of its turns. The caller must hold
    its lock."""
    if problem := copies.take_place(campaign.folder).problem or missing_players(campaign):
        raise Faults([problem])


@contextmanager
def _held(campaign: Campaign, shared: Shared | None) -> Iterator[None]:
    """Hold a campaign's lock for its part of a run; an error that stops it is kept for the page of its house. Raises Held and
    what happens inside."""
    try:
        with lock.held(campaign.folder, "run"):
            yield
    except Exception as error:
        if shared is not None:
            shared.note_stopped(campaign.folder, error)
        raise


def _week_said(done: Done, several: bool) -> Said:
    notes = [*map(str, done.problems), *done.errors]
    codes = {problem.code for problem in done.problems}
    if codes & {*DISK}:
        notes.append(RUN_IS_STUCK if LASTS in codes else RUN_GOES_ON)
    code = done.code or (WRONG if done.problems else DONE)
    became = PLAYED if done.resolved else WAITING if done.waits else ""
    return Said(done.lines or ([] if notes or several else ["Nothing to do."]), notes, code, became=became)


def run_release(args: Namespace) -> Said:
    """Send reports that wait for the GM in this run; a turn that is held or waits for people goes on with the next run."""
    from kingdom.mail import other_turns
    from kingdom.mail.incoming.forwarded import forwarded
    from kingdom.mail.journal import journal_of
    from kingdom.mail.outgoing import following, outbox, posting
    from kingdom.mail.servers import smtp
    from kingdom.mail.servers.connection import Denied, Unreachable, with_folder

    campaign = campaign_of(args)
    with lock.held(campaign.folder, "release"):
        _prove(campaign)
        journal = journal_of(campaign, clock.now())
        other_turns.prove_newest(campaign, journal)
        now = clock.now()
        following.follow(campaign, journal, now)
        posting.post(campaign, journal, now)  # the turn may have been resolved again since the last run
        kept_back = outbox.kept_back(journal, now)
        lines = _let_go(campaign, journal, now, len(kept_back))
        rest, code = Afterwards(lines[0], args.debug), DONE
        with rest.step("The pages could not be written", "The next `kingdom run` writes them."):
            posting.publish(campaign, journal, now, forwarded)
        with rest.step("Not every mail could be sent", "The next `kingdom run` sends those that wait."):
            try:
                became = smtp.send(campaign, journal, now)
                sent = len(became.sent)
                lines[1:1] = [f"{counted(sent, 'mail')} {'was' if sent == 1 else 'were'} sent."] if sent else []
                if became.error is not None:
                    raise became.error
                if became.unread:
                    raise Faults(became.unread)
            except (Unreachable, Denied) as error:
                rest.add(with_folder(error, campaign.settings.house or campaign.folder))
                code = error.exit_code
        with rest.step("How the next turn stands can't be told", "`kingdom status` tells it."):
            lines += _stands(campaign, journal, now, bool(kept_back))
    return Said(lines, rest.notes, code or (WRONG if rest.notes else DONE))


def _let_go(campaign: Campaign, journal: Journal, now: datetime, reports: int) -> list[str]:
    """Note the release in the journal and say what it does. If reports wait, it releases only them, so players who get them
    late still have time to answer; a second release lets the turn go on without missing orders."""
    from kingdom.campaign import campaign as campaigns
    from kingdom.campaign import undone_turns

    number, held = max(campaigns.newest(campaign), 0) + 1, journal.held
    attempt = undone_turns.attempt_of(campaign.folder, number)
    facts = {"turn": 0} if reports else {"turn": number, "attempt": attempt, "came": now.isoformat()}
    journal.add("release", now, **facts)
    verb = "is" if reports == 1 else "are"
    waits = f"{counted(reports, 'report')} {verb} released." if reports else "No report waits for a release."
    return [waits, *([f"Turn {held} is no longer held."] if held == number else [])]


def _stands(campaign: Campaign, journal: Journal, now: datetime, reports: bool) -> list[str]:
    """Say how the next turn stands, if the release was not about reports."""
    from kingdom.campaign import campaign as campaigns
    from kingdom.mail import turn_facts

    stands = "" if reports or campaigns.newest(campaign) < 0 else turn_facts.standing(campaign, journal, now)
    return [stands] if stands else []


def run_invite(args: Namespace) -> Said:
    """Give a player a new token, which ends the old one, and queue a welcome mail with all that a player needs."""
    from kingdom.mail.journal import journal_of
    from kingdom.mail.outgoing import following, inviting

    campaign = campaign_of(args)
    seat = seat_of(campaign, args.kingdom)
    if problem := missing_players(campaign):
        raise Faults([problem])
    with lock.held(campaign.folder, "invite"):
        journal, now = journal_of(campaign, clock.now()), clock.now()
        lines, rest = inviting.invite(campaign, journal, seat, args.email, args.name, now, args.debug)
        # else somebody could forward a welcome mail with the old token by hand
        with rest.step(MAILS_WAIT, BEFORE_SENDING):
            following.follow(campaign_of(args), journal, now)
        return Said(lines, rest.notes, WRONG if rest.notes else DONE)


def run_mail_fetch(args: Namespace) -> Said:
    """Take mail in and answer it."""
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import journal_of
    from kingdom.mail.servers.connection import Denied, Unreachable, with_folder

    if args.from_:
        # taken files are moved, so the folder must not be one of the campaign's own
        output.prove_outside_layout(Path(args.from_), "mail/inbox")
    campaign = campaign_of(args)
    taken: list[taking.Taken] = []
    code, notes = DONE, []
    if campaign.settings.house and not args.from_:
        notes.append(
            f"This takes what lies in mail/inbox. `kingdom run {campaign.settings.house}` fetches the mail of the house."
        )
    with lock.held(campaign.folder, "mail fetch"):
        _prove(campaign)
        journal = journal_of(campaign, clock.now())
        try:
            taking.take(campaign, journal, source_of(campaign, journal, args.from_), clock.now(), taken)
        except (Unreachable, Denied) as error:  # the mails taken before that are still listed
            code, notes = error.exit_code, [*notes, with_folder(error, campaign.settings.house or campaign.folder)]
        except Exception as error:
            raise Unfinished(() if args.json else taking.said(taken)) from error
    if args.json:
        return as_json([row(one, campaign) for one in taken], code, notes)
    return Said(taking.said(taken) or ([] if notes else ["No new mail."]), notes, code)


def source_of(campaign: Campaign, journal: Journal, folder: str | None) -> Source:
    """Return where mail is fetched from: the folder that was typed, the mailbox of campaign.yaml, or mail/inbox."""
    from kingdom.campaign.errors import writing
    from kingdom.mail.servers.sources import Folder, Inbox, Maildir

    if folder:
        place = Path(folder)
        return Maildir(place) if (place / "cur").is_dir() or (place / "new").is_dir() else Folder(place, journal)
    if campaign.settings.mail and campaign.settings.mail.imap:
        from kingdom.mail.servers.imap import Mailbox

        return Mailbox(campaign.settings.mail.imap)
    inbox = campaign.folder / "mail" / "inbox"
    with writing(inbox):
        inbox.mkdir(parents=True, exist_ok=True)  # a place to drop mails
    return Inbox(inbox, journal)


def row(taken: Taken, campaign: Campaign) -> Mapping[str, object]:
    """Return a message and its fate, as `--json` prints them, without any token."""
    from kingdom.mail.tokens import without_tokens

    fate = taken.fate
    return {
        "message_id": fate.headers.message_id,
        "from": fate.headers.sender,
        "subject": without_tokens(fate.headers.subject, campaign.settings),
        "kingdom": fate.seat or None,
        "turn": fate.turn or None,
        "outcome": fate.outcome,
        "became": fate.became,
        "reason": fate.reason,
    }


def run_mail_send(args: Namespace) -> Said:
    """Send the mails that wait in the outbox; with --dropped also given-up mails whose failure was not their reader's fault."""
    from kingdom.mail.journal import journal_of
    from kingdom.mail.outgoing import outbox, outdated, resending
    from kingdom.mail.servers import smtp
    from kingdom.mail.servers.connection import Denied, Unreachable, with_folder

    campaign = campaign_of(args)
    with lock.held(campaign.folder, "mail send"):
        _prove(campaign)
        journal = journal_of(campaign, clock.now())
        if not outdated.sends(campaign):
            count = sum(not outbox.is_apart(journal, entry["mail"]) for entry in outbox.waiting(journal))
            return Said(
                [
                    f"There is no `smtp` in campaign.yaml: {counted(count, 'mail')} {'lies' if count == 1 else 'lie'} "
                    f"in {campaign.folder}/mail/outbox as .eml files."
                ]
            )
        head: list[str] = []
        if args.dropped:
            found = resending.dropped(campaign, journal, clock.now())
            head, count = found.said(campaign), len(found.still)
            if not head:
                return Said(["Nothing was refused or came back in words about this campaign or the mail itself."])
            if (
                count
                and not args.yes
                and not (answer := args.ask(f"{' '.join(head)} Send {'it' if count == 1 else f'these {count}'} again?"))
            ):
                if answer is None:
                    return Said(
                        head,
                        [
                            f"kingdom mail send: {counted(count, 'mail')} would be sent again. To send {'it' if count == 1 else 'them'}, write `--yes`."
                        ],
                        USAGE,
                    )
                return Said(["Nothing was sent."])
            resending.put_back(campaign, journal, found, clock.now())
        try:
            sent = smtp.send(campaign, journal, clock.now())
        except (Unreachable, Denied) as error:
            return Said(head, [with_folder(error, campaign.settings.house or campaign.folder)], error.exit_code)
    told = [with_folder(sent.error, campaign.settings.house or campaign.folder)] if sent.error else []
    notes = [*map(str, sent.unread), *told]
    return Said([*head, sent.said], notes, sent.error.exit_code if sent.error else WRONG if sent.unread else DONE)


def run_mail_check(args: Namespace) -> Said:
    """Try the mailbox and the sending server, and say how each step went. A campaign without its own uses those of its
    house."""
    from kingdom.campaign import house as houses
    from kingdom.campaign import settings
    from kingdom.mail.servers.trial import trial

    folder = Path(args.campaign)
    house = None if campaign_folders.is_campaign(args.campaign) else houses.at(folder)
    if house is None:
        campaign = campaign_of(args)
        folder, mail = campaign.folder, campaign.settings.mail
        house = houses.around(folder) if campaign.settings.house else None
    if house is None:
        addresses = [address for person in campaign.settings.people for address in person.email]
        lines, code = trial(mail, folder / settings.FILE, addresses)
        return Said(lines, code=code)
    head = [f"{house.folder} has the mailbox ({houses.FILE}) of all its campaigns."]
    lines, code = trial(house.mail, house.folder / houses.FILE, house.host.email)
    return Said([*head, *lines], code=code)


def run_mail_log(args: Namespace) -> Said:
    """List each message: when it came, its fate, its receipt."""
    from kingdom.mail.incoming import outcome
    from kingdom.mail.journal import journal_of
    from kingdom.render import terminal

    campaign = campaign_of(args)
    journal = journal_of(campaign, clock.now())
    seat = seat_of(campaign, args.kingdom) if args.kingdom else ""
    entries = [(digest, entry) for digest, entry in journal.handled.items() if not seat or entry["kingdom"] == seat]
    lines: list[str] = []
    for digest, entry in entries:
        what = f", turn {entry['turn']}, receipt {entry['receipt']}" if entry["receipt"] else ""
        number = journal.refused.get(digest, 0)  # for the GM's `accept N`
        which = f"number {number}  " if number else ""
        lines.append(
            f"{entry['arrived'][:16].replace('T', ' ')} UTC  {digest[:12]}  {which}{entry['from'] or 'nobody'}: {entry.get('became') or outcome.became(entry['outcome'], str(entry['code']))}{what}"
        )
        lines += terminal.paragraph(f"{entry['subject'] or '(no subject)'}. {entry['reason']}".rstrip(), 4)
    return Said(lines or ["No mail was taken yet."])


def run_mail_accept(args: Namespace) -> Said:
    """File a message by hand for the GM: one that was refused, or one that a player dictated."""
    from kingdom.mail.incoming import accepting
    from kingdom.mail.journal import journal_of

    campaign = campaign_of(args)
    seat = seat_of(campaign, args.for_)
    with lock.held(campaign.folder, "mail accept"):
        journal = journal_of(campaign, clock.now())
        lines, problems = accepting.accept(campaign, journal, args.message, seat, clock.now())
    return Said(lines, [str(problem) for problem in problems], WRONG if problems else DONE)
