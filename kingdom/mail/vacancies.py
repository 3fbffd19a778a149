"""Which campaigns of a house take newcomers by mail, and which of their seats are free. Worked out from their files, not remembered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from kingdom.books import closing
from kingdom.campaign import house as houses
from kingdom.campaign import settings as campaign_settings
from kingdom.campaign import store
from kingdom.campaign.campaign import Unopened, open_campaign
from kingdom.campaign.settings import Settings
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.reading.yes_no import YES
from kingdom.mail.records import Line
from kingdom.render.plain_text import clean, counted

CLOSED, ASK, OPEN = campaign_settings.NEWCOMERS
APPROVE, OFFER = "approve", "offer"  # what a question about a seat is about: to a GM, to who waits for one
HOLDS = {APPROVE: timedelta(days=7), OFFER: timedelta(days=3)}  # how long a seat is kept for the reply to a question
MOST = 40  # campaigns that one mail lists


class Vacancy(NamedTuple):
    """A campaign that takes newcomers. turn: the newest that is kept, -1 before the start. free: seats that nobody has."""

    folder: Path
    settings: Settings
    turn: int
    free: tuple[str, ...]

    @property
    def is_forming(self) -> bool:
        """Whether it waits for players before its first turn."""
        return self.turn < 1 and bool(self.free)

    def line(self) -> str:
        """The campaign in one line, for anybody: its name, game, seats, what it takes to get one."""
        name, seats = clean(self.settings.name), len(self.settings.players)
        starts = "it starts when it is full" if self.settings.calendar else "its GM starts it"
        stands = starts if self.is_forming else f"turn {max(self.turn, 0) + 1} is next"
        if not self.free:
            return f"[{name}] {self.settings.game}: all {counted(seats, 'seat')} are taken; {stands}."
        who = "" if self.settings.newcomers == OPEN else "; its GM decides who joins"
        return f"[{name}] {self.settings.game}: {len(self.free)} of {counted(seats, 'seat')} free ({', '.join(self.free)}); {stands}{who}."


def settings_of(folder: Path | None) -> Settings | None:
    """The settings of a campaign of a house; None where there is none, or they can't be read."""
    try:
        return houses.settings_of(folder)[0] if folder else None
    except (Faults, OSError):
        return None


def of(folder: Path, for_a_seat: bool = False) -> Vacancy | None:
    """A campaign that takes newcomers; None for one that takes none, is over or can't be read.

    for_a_seat: only its free seats are wanted, so whether one without any is over is not looked up, which loads its game.
    """
    try:
        read, _ = houses.settings_of(folder)
        if not read.house or read.newcomers == CLOSED:
            return None
        turn = max(store.numbers(folder / "turns"), default=-1)
        free = tuple(read.free_seats(journal_of(Unopened(folder, read)).resigned))
        if turn > 0 and (free or not for_a_seat) and closing.why_over(open_campaign(folder)):
            return None
    except (Faults, OSError):
        return None
    return Vacancy(folder, read, turn, free)


def all_of(campaigns: Mapping[str, Path]) -> Iterator[Vacancy]:
    """Those of a house that take newcomers, by their folders' names."""
    for folder in campaigns.values():
        if vacancy := of(folder):
            yield vacancy


def lines(vacancies: Iterable[Vacancy]) -> list[str]:
    """What is open, for a mail: the campaigns with free seats first, a line each; [] if none takes newcomers."""
    found = sorted(vacancies, key=lambda one: (not one.free, one.settings.name))
    shown = [one.line() for one in found[:MOST]]
    return [*shown, f"And {len(found) - MOST} more."] if len(found) > MOST else shown


class Request(NamedTuple):
    """A seat that somebody asked for, and of which the GM has not said yes or no. until: how long it is kept. name: as they call themselves."""

    seat: str
    name: str
    until: datetime


def until(question: Line) -> datetime:
    """How long a seat is kept for the reply to a question."""
    return datetime.fromisoformat(question["at"]) + HOLDS[question["about"]]


def requests(journal: Journal, campaign: str, now: datetime) -> list[Request]:
    """The seats of a campaign that are kept while its GM is asked. journal: the house's. campaign: the folder's name."""
    return [
        Request(mail["seat"], journal.mails.get(mail["request"], {}).get("name", ""), until(mail))
        for id, mail in journal.mails.items()
        if mail.get("about") == APPROVE
        and mail.get("campaign") == campaign
        and {"seat", "request"} <= mail.keys()
        and not {id, mail["request"]} & journal.settled.keys()
        and journal.replies.get(mail["request"]) == YES
        and id not in journal.replies
        and now < until(mail)
    ]
