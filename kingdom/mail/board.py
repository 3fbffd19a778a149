"""The files by which a host watches a house: a static page, and metrics for node_exporter's textfile collector.

Neither file holds an address, a token or anything that a player may not know.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from kingdom.campaign import calendar, filings, output, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import house as houses
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.copies import Standing
from kingdom.campaign.house import House
from kingdom.campaign.settings import NEWCOMERS
from kingdom.engine.problems import Faults
from kingdom.mail import turn_facts
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, outbox
from kingdom.mail.week import Done
from kingdom.orders import places
from kingdom.render.ascii_pages import as_ascii
from kingdom.render.plain_text import clean, counted

T = TypeVar("T")
FAILING, BUSY, WAITING, FORMING = "failing", "busy", "waiting", "forming"
AHEAD, BY_HAND, OVER = "ahead", "by_hand", "over"
STATES = {  # a campaign's state -> how the page calls one, and several; the states that need a look come first
    FAILING: ("fails", "fail"),
    BUSY: ("held by another run", "held by another run"),
    WAITING: ("waits", "wait"),
    FORMING: ("waits for players", "wait for players"),
    AHEAD: ("goes on", "go on"),
    BY_HAND: ("has no calendar", "without a calendar"),
    OVER: ("over", "over"),
}
SERVERS = {  # not a server's own words: they may name an address, a user, a machine
    "IMAP": "The house's mail can't be fetched; the last lines of the run say why.",
    "SMTP": "Not all mail can be sent; the last lines of the run say why.",
}
SERVER_FAILS = "A mail server can't be used; its GM and the last lines of the run know more."
AMISS = "Something of it is wrong, which its GM was told."
NOT_OPENED = "It can't be opened; the host was told why."  # not the words themselves: they may quote its campaign.yaml
STOPPED = "Its run stopped by a fault; the run's output says more."
_PAGE = output.begins(
    rb'<!DOCTYPE html>\n<html lang="en">\n(?:<meta [^>]*>\n)*<meta name="robots" content="noindex">\n(?:<meta [^>]*>\n)*<title>'
)
_METRICS = output.begins(rb"# HELP kingdom_house_")
_READABLE = 0o644  # outside of the house's folder, for a web server or node_exporter


class Row(NamedTuple):
    """A campaign at the end of a run. folder: the name of its folder. turn: the newest that is kept, -1 for none. text: its state in words.

    at: the next deadline, None without one. people: the number of people who play; filed: how many of them have filed for the next turn.
    free: seats without a player; joins: newcomers may take them by mail; asked: for how many of them the GM was asked. waiting, came, went:
    the numbers of mails that wait, that this run took in, and that it sent.
    """

    folder: str
    name: str
    game: str = ""
    state: str = FAILING
    turn: int = -1
    text: str = ""
    at: datetime | None = None
    zone: str = "UTC"
    filed: int = 0
    people: int = 0
    free: int = 0
    joins: bool = False
    waiting: int = 0
    came: int = 0
    went: int = 0
    played: bool = False
    asked: int = 0


class Run(NamedTuple):
    """A run that has ended. standbys: how many wait for a seat. failing: the servers that fail, `IMAP`, `SMTP`. came, went: the numbers of the
    house's own mails, without those of its campaigns."""

    house: House
    began: datetime
    ended: datetime
    rows: Sequence[Row]
    standbys: int = 0
    failing: Collection[str] = ()
    came: int = 0
    went: int = 0


def row_of(campaign: Campaign, journal: Journal, done: Done, over: str, now: datetime) -> Row:
    """A campaign after its part of a run."""
    settings = campaign.settings
    newest = campaigns.newest(campaign)
    number = max(newest, 0) + 1
    due = deadlines.deadline(campaign, journal, number) if not over else None
    if done.problems or done.code:
        state, text = FAILING, SERVER_FAILS if done.code else AMISS
    elif over:
        state, text = OVER, f"{over[:1].upper()}{over[1:]}."
    elif done.waits:
        state, text = WAITING, done.waits
    elif journal.forming:
        state, text = FORMING, ""
    else:
        state, text = (AHEAD if due else BY_HAND), ""
    people = turn_facts.people(campaign, journal) if newest >= 0 and not over else []
    there = filings.filed(filings.folder_of(campaign.folder, number)) if people else {}
    came, went = mails(journal, now)
    return Row(
        campaign.folder.name, clean(settings.name), settings.game, state, newest, text, due.at if due else None,
        settings.calendar.zone if settings.calendar else "UTC", sum(seat in there for seat in people), len(people),
        0 if over else len(settings.free_seats(journal.resigned)), settings.newcomers != NEWCOMERS[0], len(outbox.waiting(journal)),
        came, went, done.resolved,
    )  # fmt: skip


def mails(journal: Journal, now: datetime) -> tuple[int, int]:
    """How many mails a run took in and sent, of a campaign or of the house itself."""
    stamp = now.isoformat(timespec="seconds")
    came = 0
    for entry in reversed(journal.handled.values()):
        if entry["at"] != stamp:
            break
        came += 1
    return came, sum(mail["fate"] == "sent" and mail.get("fate_at") == stamp for mail in journal.mails.values())


# --- the files


def write(run: Run) -> list[str]:
    """Writes both files, each whole or not at all. Returns a sentence for each that could not be written."""
    house = run.house
    failed = []
    files = ((house.page, as_ascii(page(run)), _PAGE), (house.metrics, metrics(run).encode(), _METRICS))
    for name, data, is_own in files:
        file = house.folder / Path(name).expanduser()
        try:
            output.prove(file, is_own)
            mode = None if file.resolve().is_relative_to(house.folder.resolve()) else _READABLE
            store.put_files(file.parent, {file.name: data}, mode)
        except Faults:
            failed.append(
                f"{file}: There is something else here, so the run's {'page' if is_own is _PAGE else 'metrics'} can't be written. Move it away, or "
                f"name another file in {houses.FILE}."
            )
        except OSError as error:
            failed.append(
                f"{file}: This can't be written: {error.strerror}. Its folder must be there, and yours to write."
            )
    return failed


def page(run: Run) -> str:
    """The page as HTML, which needs nothing else."""
    from kingdom.render.templates import codes, environment  # loads jinja2

    order = [*STATES]
    rows = sorted(
        run.rows, key=lambda row: (order.index(row.state), row.at.timestamp() if row.at else float("inf"), row.name)
    )
    view = {
        "house": clean(run.house.name),
        "ran": calendar.said_here(run.began),
        "took": _took(run.ended - run.began),
        "counts": [
            ("campaigns", len(rows)),
            *((STATES[state][1], count) for state, count in _states(rows).items() if count),
            ("turns played", sum(row.played for row in rows)),
            ("seats free", sum(row.free for row in rows)),
            ("seats asked for, where a GM has not said yes or no", sum(row.asked for row in rows)),
            ("people wait for a seat", run.standbys),
            ("mails taken in", run.came + sum(row.came for row in rows)),
            ("mails sent", run.went + sum(row.went for row in rows)),
            ("mails wait", sum(row.waiting for row in rows)),
        ],
        "failing": [f"{server}: {SERVERS[server]}" for server in run.failing],
        "rows": [_view(row) for row in rows],
    }
    template = environment(places.templates() / "house", {"codes": codes}).get_template("page.html")
    return template.render(view=public(view))


_ADDRESS = re.compile(r"[^\s@<>()\[\]{},;:\"'`]+(?:@|\uff20|%40)[^\s<>(){},;\"'`]*", re.IGNORECASE)


def public(data: T) -> T:
    """Plain data without anything that looks like an address, since a player or a campaign may be called so."""
    if isinstance(data, str):
        return cast(T, _ADDRESS.sub("(an address)", data))
    if isinstance(data, Mapping):
        return cast(T, {key: public(value) for key, value in data.items()})
    if isinstance(data, (list, tuple)):
        return cast(T, type(data)(map(public, data)))
    return data


def _view(row: Row) -> Mapping[str, object]:
    seats = counted(row.free, "seat") + " free" if row.free else ""
    return {
        "name": row.name, "folder": row.folder, "game": row.game, "state": row.state, "said": STATES[row.state][0], "text": clean(row.text),
        "next": "" if row.state in (BUSY, OVER) or row.state == FAILING and row.turn < 0 else f"turn {max(row.turn, 0) + 1}",
        "due": calendar.said_at(row.at, row.zone) if row.at else "",
        "filed": f"{row.filed} of {row.people}" if row.people else "",
        "free": f"{seats}{', by mail' if row.joins else ''}" if seats else "",
        "asked": f"{row.asked} asked for, which {'wait' if row.asked > 1 else 'waits'} for the GM" if row.asked else "",
        "mails": f"{counted(row.waiting, 'mail')} wait{'' if row.waiting > 1 else 's'}" if row.waiting else "",
        "played": row.played,
    }  # fmt: skip


def _states(rows: Iterable[Row]) -> dict[str, int]:
    rows = [*rows]
    return {state: sum(row.state == state for row in rows) for state in STATES}


def _took(span: timedelta) -> str:
    seconds = span.total_seconds()
    return f"{seconds:.1f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def metrics(run: Run) -> str:
    """The metrics in Prometheus' text format."""
    rows = run.rows
    values: list[tuple[str, str, Mapping[str, float]]] = [
        ("last_run_timestamp_seconds", "When the last run ended.", {"": run.ended.timestamp()}),
        ("run_seconds", "How long the last run took.", {"": (run.ended - run.began).total_seconds()}),
        (
            "campaigns",
            "Campaigns by their state.",
            {f'state="{state}"': count for state, count in _states(rows).items()},
        ),
        ("turns_played", "Turns that the last run played.", {"": sum(row.played for row in rows)}),
        ("seats_free", "Seats without a player.", {"": sum(row.free for row in rows)}),
        ("seats_asked", "Seats asked for, of which a GM has not said yes or no.", {"": sum(row.asked for row in rows)}),
        ("standbys", "People who wait for a seat.", {"": run.standbys}),
        ("mails_received", "Mails that the last run took in.", {"": run.came + sum(row.came for row in rows)}),
        ("mails_sent", "Mails that the last run sent.", {"": run.went + sum(row.went for row in rows)}),
        ("mails_waiting", "Mails that wait to be sent.", {"": sum(row.waiting for row in rows)}),
        (
            "server_failing",
            "Whether a mail server fails.",
            {f'server="{server}"': float(server in run.failing) for server in ("IMAP", "SMTP")},
        ),
    ]
    house = public(clean(run.house.name)).replace("\\", r"\\").replace('"', r"\"")
    lines = []
    for name, help_, found in values:
        lines += [f"# HELP kingdom_house_{name} {help_}", f"# TYPE kingdom_house_{name} gauge"]
        for label, value in found.items():
            labels = ",".join(filter(None, (f'house="{house}"', label)))
            lines.append(f"kingdom_house_{name}{{{labels}}} {value:.15g}")
    return "\n".join([*lines, ""])


def copied(folder: Path, stands: Standing) -> str:
    """Why a folder that may be a mere copy of a campaign does not go on, and the commands that settle it."""
    near = [folder.name, *(other.name for other in stands.others if other.parent == folder.resolve().parent)]
    if len(near) == 1:
        return "It may be a copy of a campaign elsewhere, so it does not go on; its GM was told what to type."
    lines = " or ".join(f"`kingdom here {shlex.quote(name)}`" for name in near)
    return f"It is there twice, so none of the two goes on: {lines}, typed in the house's folder, says which is the campaign."


def unread(folder: Path, text: str, is_busy: bool = False) -> Row:
    """A campaign that this run could not open, or that another run holds."""
    return Row(folder.name, folder.name, state=BUSY if is_busy else FAILING, text=text)
