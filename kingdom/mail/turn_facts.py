"""The next turn as mail sees it: whose orders it waits for, and the facts by which it is decided whether it is run now."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kingdom.books import closing
from kingdom.campaign import calendar, commitment, filings, store, substitute_orders, undone_turns
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import due as weekly
from kingdom.campaign.calendar import span
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.engine.dice import GM
from kingdom.engine.step import Orders
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import deadlines, outbox
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.outdated import sends
from kingdom.mail.records import Line, last_out

if TYPE_CHECKING:
    from kingdom.campaign.next_turn import Draft  # what plays a turn is loaded where one is played


def filed(campaign: Campaign, number: int) -> dict[str, Orders]:
    """The valid filings for a turn, by seat. A broken file does not count."""
    folder, rules = filings.folder_of(campaign.folder, number), campaigns.rules_today(campaign).rules
    files = filings.files_in(folder, campaign.seats, [])
    return filings.read(files, folder, campaign.game, rules, campaign.seats, number, lenient=True).orders


def people(campaign: Campaign, journal: Journal) -> list[str]:
    """The seats in play that people hold. Seats that are missing in `players` are left out; playing the turn tells of them."""
    state, players = campaigns.state_of(campaign, campaigns.kept(campaign)), campaign.settings.players
    seats = [seat for seat in campaign.game.seats(state) if seat in players]
    return [seat for seat in seats if not players[seat].bot and seat not in journal.resigned]


def unawaited(campaign: Campaign, journal: Journal, number: int, filed: Container[str]) -> list[str]:
    """The seats of people who filed nothing and for whom no turn waits: a steward acts for them, or their player is away."""
    stewards = substitute_orders.stewards(campaign, campaigns.kept(campaign).record.silent)
    silent = [seat for seat in people(campaign, journal) if seat not in filed]
    return [seat for seat in silent if seat in stewards or journal.is_away(seat, number)]


def facts(campaign: Campaign, journal: Journal, now: datetime, fetched: bool, over: str) -> weekly.Facts:
    """The facts that decide whether the next turn is run now. There must be a turn 0. over: why there is no next turn, "" if there is one.

    A turn that was taken back and keeps its orders waits for nobody.
    """
    settings, number = campaign.settings, campaigns.newest(campaign) + 1
    closed = undone_turns.is_closed(campaign.folder, number)
    due = deadlines.deadline(campaign, journal, number) if not over else None
    found = filed(campaign, number)
    free = unawaited(campaign, journal, number, found)
    seats = [seat for seat in people(campaign, journal) if seat not in free]
    unasked = campaigns.unasked(campaign, number)
    asked = [seat for seat in seats if seat not in unasked]
    reports = journal.reports(number - 1)
    reported = last_out(reports)
    in_time = reported is not None and due is not None and deadlines.is_first(number, reported, due)
    return weekly.Facts(
        turn=number,
        now=now,
        at=due.at if due else None,
        last=due.last if due else None,
        every=span(settings.calendar.every if settings.calendar else "7d"),
        early=bool(settings.calendar and settings.calendar.early),
        fetched=fetched,
        held=journal.held == number,
        people=seats,
        asked=asked,
        silent=[seat for seat in asked if seat not in found and not closed],
        final=[seat for seat, each in found.items() if each.get("final")],
        limit=settings.missing_limit,
        hold=settings.missing_orders == "hold",
        unsent=outbox.are_unsent(campaign, journal, reports),
        reported=None if closed or in_time else reported,
        over=over,
        skipped=sorted(skipped(campaign, journal, number)),
        told_to_go_on=_told_to_go_on(campaign, journal, number, due),
        zone=settings.calendar.zone if settings.calendar else "UTC",
        unawaited=free,
        unpromised=bool(unpromised(campaign, journal, number)),
        doubt=calendar.doubt(settings.calendar, number, journal.put_off) if settings.calendar and due else "",
    )


def unpromised(campaign: Campaign, journal: Journal, number: int) -> list[str]:
    """The seats, and `gm`, to which the commitments to a turn's new dice were not mailed yet. A turn has new dice if it was reopened or
    comes from another seed. Where a person forwards the mails, those seats count whose mail still lies in the outbox; in a campaign
    without mail none counts. Raises Faults where a file of the turn that was taken back, or of the promises, is broken."""
    if not journal.file.is_file():
        return []
    return [seat for seat, mail in _mails_about_dice(campaign, number) if not _is_out(campaign, journal, mail)]


def _mails_about_dice(campaign: Campaign, number: int) -> list[tuple[str, str]]:
    """(reader, id) of the mails that bring the commitments to the new dice of a turn, where it has any."""
    seats = [seat for seat in (*campaign.seats, GM) if making.addresses(campaign, seat)]
    mails: list[tuple[str, str]] = []
    if undone_turns.is_reopened(campaign.folder, number):
        attempt = undone_turns.attempt_of(campaign.folder, number)
        mails += [(seat, making.reopened_id(number, seat, attempt)) for seat in seats]
    if commitment.is_reseeded(campaign):
        mails += [(seat, making.reseeded_id(campaign, number, seat)) for seat in seats]
    return mails


def _is_out(campaign: Campaign, journal: Journal, mail: str) -> bool:
    entry = journal.mails.get(mail)
    if entry is None or entry["fate"] in ("failed", "withdrawn"):
        return False
    return entry["fate"] != "waits" or not sends(campaign) and not outbox.is_there(journal, mail)


def prove_promised(campaign: Campaign, journal: Journal) -> None:
    """Raises Faults where the next turn must wait for the mails with the commitments to its dice, or where the last of these mails
    promised other dice."""
    number = campaigns.newest(campaign) + 1
    if unpromised(campaign, journal, number):
        by_run = f"`kingdom run {campaigns.typed(campaign)}`"
        cure = f"{by_run} puts them into mail/outbox. {CARRY}"
        if sends(campaign):
            cure = f"{by_run} mails them; then it can be played."
        raise fault("not_told", campaign.folder, turn=number, why=weekly.UNPROMISED, cure=cure)
    mails = [*journal.mails.values()]
    newest = campaigns.kept(campaign).digest[:8] if number else ""
    since = max((at for at, one in enumerate(mails) if _brings(one, number - 1, newest)), default=-1)
    last = {
        one["kingdom"]: one
        for one in mails[since + 1 :]
        if one.get("about") in ("seed", "reopened")
        and one["turn"] == number
        and outbox.went_out(campaign, journal, one)
    }
    unknown = [] if last else [name for name in _about_dice(campaign, number) if name not in journal.mails]
    if not last and not unknown:
        return
    seats, attempt = (*campaign.seats, GM), undone_turns.attempt_of(campaign.folder, number)
    ours = {making.reseeded_id(campaign, number, seat) for seat in seats} if number else set[str]()
    ours |= {making.reopened_id(number, seat, attempt) for seat in seats}
    promised = campaigns.commitments(campaign, number)[GM]
    told = [one["mail"] for one in last.values()]
    others = [mail for mail in told if mail not in ours or not _holds(campaign, mail, promised)]
    if others or unknown:
        other = (*others, *unknown)[0]
        raise fault("promised_otherwise", campaign.folder, turn=number, mail=other, folder=campaigns.typed(campaign))


def _about_dice(campaign: Campaign, number: int) -> list[str]:
    """The mails about new dice of a turn that lie in mail/sent."""
    begins = (f"seed-{number:04}-", f"reopened-{number:04}-")
    names = store.listed(campaign.folder / "mail" / "sent")
    return [name.removesuffix(outbox.ENDING) for name in names if name.startswith(begins)]


def _holds(campaign: Campaign, mail: str, commitment: str) -> bool:
    """Whether a mail that was sent holds a commitment. A mail whose file is gone may hold it."""
    text = outbox.text_of(campaign, mail)
    return not text or commitment in text


def _brings(mail: Line, turn: int, digest: str) -> bool:
    return mail["turn"] == turn and mail.get("about") in ("report", "welcome") and mail.get("digest") == digest


def with_told(campaign: Campaign, draft: Draft) -> Draft:
    """A turn to be kept, whose record names only the seats that no mail told of its new dice."""
    if not draft.untold:
        return draft
    journal = journal_of(campaign)
    mails = _mails_about_dice(campaign, draft.number)
    went_out = {
        mail for _, mail in mails if _is_out(campaign, journal, mail) and not outbox.is_refused(journal.mails[mail])
    }
    told = {seat for seat, _ in mails} - {seat for seat, mail in mails if mail not in went_out}
    return replace(draft, untold=[seat for seat in draft.untold if seat not in told])


CARRY = "Forward the mails about it that lie in mail/outbox, and take them out."


def skipped(campaign: Campaign, journal: Journal, number: int) -> set[str]:
    """The seats that the GM does not wait for in that turn."""
    return journal.skipped.get((number, undone_turns.attempt_of(campaign.folder, number)), set())


def _told_to_go_on(campaign: Campaign, journal: Journal, number: int, due: deadlines.Deadline | None) -> bool:
    """Whether the GM said, after the deadline, that the turn is to wait no longer. A word from before it was about something
    else, such as reports that waited; one about a turn that was taken back since is none about its next attempt."""
    turn, attempt, came = journal.go_on
    if due is None or turn != number or datetime.fromisoformat(came) <= due.last:
        return False
    return attempt == undone_turns.attempt_of(campaign.folder, number)


def standing(campaign: Campaign, journal: Journal, now: datetime) -> str:
    """That the next turn waits or is due, why, and what helps: sentences for the GM. "" while its deadline is ahead, and of a turn
    that the GM holds, which the overview of the mail tells. There is a turn 0. Whether mail can be fetched is taken from the last run."""
    found = facts(campaign, journal, now, not journal.is_failing("IMAP"), closing.why_over(campaign))
    due = weekly.decide(found)
    if due.what == weekly.NOT_YET or found.held:
        return ""
    return f"{due.why} {_cure(campaign, found, due)}".rstrip()


def _cure(campaign: Campaign, found: weekly.Facts, due: weekly.Due) -> str:
    """What helps a turn that waits, or plays one that is due."""
    by_hand = f"`kingdom turn {campaigns.typed(campaign)}` plays it all the same"
    if due.what == weekly.DUE:
        return f"`kingdom run {campaigns.typed(campaign)}` plays it."
    if not found.fetched:
        return f"`kingdom mail check {campaigns.typed(campaign)}` says what is wrong with the mailbox; {by_hand}."
    if found.unpromised and "commitments" in due.why and not sends(campaign):
        return f"{CARRY} Then `kingdom run {campaigns.typed(campaign)}` plays it."
    if found.unpromised and "commitments" in due.why:
        return f"`kingdom run {campaigns.typed(campaign)}` mails them and then plays it."
    if found.unsent:
        return f"`kingdom release {campaigns.typed(campaign)}` sends reports that wait for you, `kingdom mail check {campaigns.typed(campaign)}` tries the server; {by_hand}."
    skip = ""
    if due.waits_for and found.awaited and weekly.LATE not in due.why:
        skip = f", `skip {found.awaited[0]}` stops waiting for that player"
    return f"By mail `run it` lets it go on{skip}; {by_hand}."
