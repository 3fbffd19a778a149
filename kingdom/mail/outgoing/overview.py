"""The state of the mail, for the GM and for `kingdom status`: mails of strangers, failures, waiting mails, open requests, files of the mail
in which something is wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from kingdom.campaign import asked_of_gm, calendar
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign, Place, Unopened
from kingdom.campaign.settings import Settings
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.engine.step import Facts
from kingdom.mail import stored
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox, outdated, people, undelivered
from kingdom.mail.outgoing.undelivered import Missed
from kingdom.mail.records import UNPROVED, Line

STRANGERS = ("stranger", "bad_from", "unlisted_address")
# codes of refused orders that the GM may file after all, and of those that only the player can correct
ACCEPTABLE = frozenset(
    ("late", "missed", "past_turn", "taken_back", "two_sets", "only_quoted", "unclear", "older", "failed")
)
BROKEN = frozenset(("problems", "subject_disagrees", "too_much_text", "too_large", "encrypted", "only_tnef"))
LEAST_ROOM = 100_000_000  # bytes: some turns of a large campaign
T = TypeVar("T")
MANY = 10  # entries of a kind that are told one by one


def servers(journal: Journal) -> list[Facts]:
    """The last failure of each server that ever failed. `since`: when it failed first; `works`: since when it works again, None while it
    fails."""
    return [
        {
            "server": what,
            "said": one["text"],
            "since": one["since"],
            "at": journal.last_tried(what),
            "works": one.get("over"),
        }
        for what, one in sorted(journal.servers.items())
    ]


def absences(journal: Journal, seats: Iterable[str], turn: int) -> dict[str, str]:
    """Seat -> `away until turn N` or `gave up the seat`. The GM is told of all absences."""
    away = {seat: f"away until turn {last}" for seat, (_, last) in journal.away.items() if last >= turn}
    found = away | dict.fromkeys(journal.resigned, "gave up the seat")
    return {seat: found[seat] for seat in seats if seat in found}


def said(
    journal: Journal,
    campaign: Place,
    now: datetime,
    after: str,
    dead: Container[str] = (),
    in_mail: bool = False,
    waiting: bool = True,
) -> list[str]:
    """The state of the mail in sentences. after: an ISO time; messages that were handled before it are left out. dead: waiting mails that
    will be withdrawn. in_mail: a mail tells it: when it is read, the server that sends works again. waiting:
    also what waits in the outbox."""
    zone = zone_of(campaign.settings)
    failing = [one for one in servers(journal) if not one["works"] and not (in_mail and one["server"] == "SMTP")]
    return [
        *([f"The GM holds turn {journal.held}; `release` lets it go on."] if journal.held else []),
        *(_server(one, zone) for one in failing),
        *(_waiting(journal, campaign, now, dead) if waiting else ()),
        *_of_messages(journal, campaign, after, dead),
    ]


def _waiting(journal: Journal, campaign: Place, now: datetime, dead: Container[str]) -> Iterator[str]:
    """Sentences about the reports that wait for the GM's release, and about the mails that wait to be sent."""
    there = {entry["mail"] for entry in _there(journal, dead)}
    back = [entry for entry in outbox.kept_back(journal, now) if entry["mail"] in there]
    if back:
        until = _at(max(entry["until"] for entry in back), zone_of(campaign.settings))
        yield f"{len(back)} {_plural('report', len(back))} for your `release`; without it until {until}."
    if count := len(there) - len(back):
        yield f"{count} {_plural('mail', count)} in mail/outbox to be sent. {outdated.why_unsent(campaign)}".rstrip()


def _there(journal: Journal, dead: Container[str]) -> list[Line]:
    """The mails that wait and lie in the outbox, but for those that will be withdrawn."""
    waiting = [entry for entry in outbox.waiting(journal) if entry["mail"] not in dead]
    return [entry for entry in waiting if outbox.is_there(journal, entry["mail"])]


def _of_messages(journal: Journal, campaign: Place, after: str, dead: Container[str] = ()) -> list[str]:
    """Sentences about messages that were not taken, mails that did not arrive, and mails that are tried again. after, dead: as in `said`."""
    handled = [entry for entry in journal.handled.values() if entry["at"] >= after]
    strangers = [entry for entry in handled if entry["code"] in STRANGERS]
    unproved = [entry for entry in handled if entry["code"] in UNPROVED and entry["code"] not in STRANGERS]
    zone, here = zone_of(campaign.settings), campaigns.typed(campaign)
    log, again = f"`kingdom mail log {here}`", f"`kingdom mail send {here} --dropped`"
    return [
        *_counted(strangers, f"from strangers: not taken; {log} shows them."),
        *_counted(unproved, f"from players' addresses without proof: not taken; {log} shows them."),
        *_some(
            [entry for entry in handled if entry["code"] == "failed"],
            lambda one: f"{one['reason']} ({one['message'][:12]}, {one['from'] or 'nobody'})",
            f"{log} has all",
        ),
        *(
            f"{one['address']} ({one['seat']}) can't be reached: on {_at(one['at'], zone)} a mail {one['said']}"
            for one in undelivered.failing(journal, campaign, after)
        ),
        *_some(
            undelivered.unblamed(journal, campaign, after),
            lambda one: f"{_unblamed(one, zone)} {again} sends it again.",
            f"{again} lists all",
        ),
        *_some(
            [mail for mail in _there(journal, dead) if mail["fate"] == "failed"],
            lambda one: f"A mail to {one['to']} ({one['kind']}) is tried again: {one.get('text', '')}",
            f"{log} has all",
        ),
    ]


def room(folder: Path) -> list[str]:
    """A sentence if the campaign's disk is nearly full; else []."""
    free = shutil.disk_usage(folder).free
    if free >= LEAST_ROOM:
        return []
    return [
        f"The disk of the campaign has only {free // 1_000_000} MB left. Make room: while it is full, no mail is taken, "
        "no turn is kept and nothing is sent. Nothing is lost, and the next run goes on."
    ]


def _server(one: Facts, zone: str) -> str:
    again = f"; it was tried last on {_at(one['at'], zone)}" if one["at"] != one["since"] else ""
    return f"Trouble with the {one['server']} server since {_at(one['since'], zone)}{again}. {one['said']}"


def _unblamed(one: Missed, zone: str) -> str:
    return f"A mail to {one.mail['to']} ({one.mail['kind']}) {one.became} on {_at(one.at, zone)}: {one.said.rstrip('.')}. {one.about}"


def _at(at: str, zone: str) -> str:
    return calendar.said_at(datetime.fromisoformat(at), zone)


def zone_of(settings: Settings) -> str:
    """The zone by whose clock the GM is told times."""
    return settings.calendar.zone if settings.calendar else "UTC"


def _counted(entries: list[Line], what: str) -> list[str]:
    """A sentence with the number of mails: unproved mails are not passed on word by word."""
    count = len(entries)
    mails = "1 mail came" if count == 1 else f"{count} mails came"
    return [f"{mails} {what}"] if entries else []


def _plural(word: str, count: int) -> str:
    return f"{word} waits" if count == 1 else f"{word}s wait"


def _some(entries: list[T], say: Callable[[T], str], more: str) -> list[str]:
    rest = len(entries) - MANY
    return [say(one) for one in entries[-MANY:]] + ([f"... and {rest} more; {more}."] if rest > 0 else [])


def refused(campaign: Campaign, journal: Journal, after: str = "") -> list[tuple[int, Line]]:
    """(the number that `accept` takes, the journal's entry) of players' orders that were refused or late, unless the player has sent
    better ones since. after: an ISO time."""
    found: dict[str, Line] = {}
    for digest, entry in journal.handled.items():
        if entry["code"] in ACCEPTABLE | BROKEN and entry["kingdom"] in campaign.seats and entry["at"] >= after:
            found[digest] = entry
        elif entry.get("receipt"):
            found = {other: one for other, one in found.items() if one["kingdom"] != entry["kingdom"]}
    return [(journal.refused.get(digest, 0), entry) for digest, entry in found.items()]


def lines(campaign: Campaign, journal: Journal, now: datetime) -> list[str]:
    """The state of the mail and the open requests, in sentences, for the GM's `status`."""
    newest = campaigns.newest(campaign)
    after, dead = since(journal, newest), outdated.dead(campaign, journal, now)
    requests = [
        f"{people.who(campaign, one.seat)}, request {one.number}: {' '.join(one.text.split())}"
        for one in asked_of_gm.unanswered(campaign)
    ]
    return [*said(journal, campaign, now, after, dead, in_mail=True), *requests]


def since(journal: Journal, turn: int) -> str:
    """When the reports of a turn were made, "" where none were. Messages from before that time stood in an earlier digest."""
    return max(
        (mail["at"] for mail in journal.mails.values() if (mail["kind"], mail["turn"]) == ("report", turn)), default=""
    )


# --- files of the mail in which something is wrong, which stops no run


def _amiss(journal: Journal, settings: Settings) -> list[str]:
    """A sentence for each thing that is wrong in the files of the mail."""
    return [*dict(bad_lines(journal)).values(), *dict(unread(journal)).values(), *_clock(journal, settings)]


def bad_lines(journal: Journal) -> Iterator[tuple[str, str]]:
    """(topic, sentence) for each line of the journal that is passed over."""
    for number in journal.amiss:
        told = f"Line {number} of mail/journal.jsonl has wrong keys and is passed over. Put the file back from a copy."
        yield f"journal:{number}", told


def unread(journal: Journal) -> Iterator[tuple[str, str]]:
    """(topic, sentence) for each message that was not handled because it can't be read."""
    folder = journal.file.parent
    names = {f"{digest}.eml" for digest in journal.taken if digest not in journal.handled}
    with suppress(OSError), os.scandir(folder / "inbox") as entries:
        dropped = [entry.name for entry in entries if entry.name.lower().endswith(".eml") and entry.is_file()]
        names |= {name for name in dropped if Path(name).stem not in journal.taken and not name.startswith(".")}
    for name in sorted(names):
        try:
            stored.head(folder / "inbox" / name)
        except (OSError, stored.NoMessage) as error:
            called = os.fsencode(name).decode("utf-8", "backslashreplace")
            why = f"can't be read ({error.strerror})" if isinstance(error, OSError) else "is no message"
            how = "" if isinstance(error, OSError) else f" {error}"
            told = f"mail/inbox/{called} {why}, so nothing is done with it.{how} All other mails are taken."
            yield f"unread:{called}", told


def _clock(journal: Journal, settings: Settings) -> list[str]:
    """A sentence if times of the journal lie ahead; else []."""
    if not journal.ahead:
        return []
    at = calendar.said_at(datetime.fromisoformat(journal.ahead), zone_of(settings))
    return [
        f"This machine's clock was wrong for a while: the mail's journal has times up to {at}. What lies ahead counts as now."
    ]


# --- for `kingdom status`: from the files alone, without loading the game


DIGITS = 12  # of a receipt


class MailStatus(NamedTuple):
    """The state of the mail for `kingdom status`. lines: sentences; times: (seat, receipt) -> when the orders came by mail; absences: as in
    `absences`; failing: as in undelivered.failing; servers: as in `servers`."""

    lines: list[str]
    times: Mapping[tuple[str, str], str]
    absences: dict[str, str]
    failing: list[Facts]
    servers: list[Facts]


def status_of(folder: Path, settings: Settings, following: int, now: datetime) -> MailStatus:
    """The state of the mail, read from the files alone. following: the next turn. Raises Faults where the journal is broken."""
    journal = Journal(folder / "mail", now)
    after = since(journal, following - 2)  # the newest turn and the one before it
    campaign = Unopened(folder, settings)
    dead: set[str] = set()  # so that they don't count as waiting
    with suppress(Faults):
        dead = outdated.dead(campaign, journal, now)
    return MailStatus(
        [*room(folder), *_amiss(journal, settings), *said(journal, campaign, now, after, dead)],
        {
            (seat, receipt[:DIGITS]): time
            for (seat, turn, receipt), time in journal.filings.items()
            if turn == following
        },
        absences(journal, settings.players, following),
        undelivered.failing(journal, campaign, after),
        servers(journal),
    )
