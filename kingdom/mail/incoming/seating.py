"""Carrying out what was confirmed at the door of a house: seats given, a GM asked, standbys offered what falls free, watchers told.

Every run works it out anew from the house's journal and the campaigns' files: which wishes were confirmed and not settled, in the
order of the replies; which seats are free; which are promised to somebody who has not replied yet. So a run that was killed costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import house as houses
from kingdom.campaign import lock, store
from kingdom.campaign.campaign import open_campaign
from kingdom.engine import names
from kingdom.engine.problems import Faults
from kingdom.mail import vacancies
from kingdom.mail.incoming.joining import APPROVE, CONFIRM, JOIN, LEAVE, OBSERVE, OFFER, STANDBY, YES, Desk
from kingdom.mail.journal import journal_of
from kingdom.mail.outgoing import inviting
from kingdom.mail.records import Line
from kingdom.mail.vacancies import OPEN, Vacancy
from kingdom.render.plain_text import clean

OFFER_HOLDS = timedelta(days=3)  # how long an offered seat is kept for a standby
SEATED, DECLINED, NO_SEAT, LEFT, SILENT, AGAIN = (
    "seated",
    "declined",
    "no seat",
    "left",
    "silent",
    "again",
)  # how a wish ends


class Wished(NamedTuple):
    """A wish that was confirmed and is not settled. mail: the question that was confirmed, by which it is known."""

    mail: str
    verb: str
    campaign: str
    seat: str
    name: str
    address: str


def wished(desk: Desk) -> list[Wished]:
    """What was confirmed and is not settled, in the order of the replies."""
    journal = desk.journal
    mails = [
        journal.mails[id]
        for id, said in journal.replies.items()
        if said == YES and id not in journal.settled and journal.mails.get(id, {}).get("about") == CONFIRM
    ]
    return [
        Wished(one["mail"], one["verb"], one["campaign"], one["seat"], one["name"], one["to"])
        for one in mails
        if {"verb", "campaign", "seat", "name"} <= one.keys()
    ]


def settle(desk: Desk) -> list[str]:
    """Do what can be done now. Returns lines that say what was. Raises Faults where the disk does not take it."""
    by_campaign: dict[str, list[Wished]] = {}
    for one in wished(desk):
        by_campaign.setdefault(one.campaign, []).append(one)
    lines: list[str] = []
    for campaign, wishes in by_campaign.items():
        if any(one.verb != OBSERVE for one in wishes) or len(wishes) > 1:
            lines += Seats(desk, campaign, wishes).settle()
    return lines


class Seats:
    """The wishes about one campaign."""

    def __init__(self, desk: Desk, campaign: str, wishes: Iterable[Wished]):
        self.desk, self.journal, self.now = desk, desk.journal, desk.now
        self.campaign, self.wishes = campaign, [*wishes]
        folder = desk.campaigns.get(campaign)
        self.vacancy = vacancies.of(folder, for_a_seat=True) if folder else None

    def settle(self) -> Iterator[str]:
        """Who leaves leaves; then standbys, who waited, then others."""
        for one in [one for one in self.wishes if one.verb == LEAVE]:
            self._leave(one)
        self._end_doubles()
        vacancy = self.vacancy
        if vacancy is None:  # it is over, or takes nobody any more; watchers keep their place
            for one in self._of(JOIN, STANDBY):
                self._end(one, NO_SEAT, f"{one.campaign} takes no newcomers any more.")
            return
        promised = self._promised()
        free = [seat for seat in vacancy.free if seat not in promised]
        for verb in (STANDBY, JOIN):
            for one in self._of(verb):
                yield from self._seat_or_ask(one, vacancy, free)

    def _of(self, *verbs: str) -> list[Wished]:
        return [one for one in self.wishes if one.verb in verbs and one.mail not in self.journal.settled]

    # --- seats

    def _promised(self) -> set[str]:
        """The seats of which somebody was asked who has not replied, or said yes just now."""
        open_now = {one.mail for one in self.wishes if one.mail not in self.journal.settled}
        return {
            mail["seat"]
            for about in (APPROVE, OFFER)
            for mail in self._questions(about)
            if mail["request"] in open_now and self._holds(mail) and self.journal.replies.get(mail["mail"], YES) == YES
        }

    def _holds(self, mail: Line) -> bool:
        """Whether a question still waits, or was replied to; an offer waits for a few days alone."""
        is_offer = mail["about"] == OFFER and mail["mail"] not in self.journal.replies
        return not is_offer or self.now < datetime.fromisoformat(mail["at"]) + OFFER_HOLDS

    def _questions(self, about: str) -> list[Line]:
        return [
            mail
            for mail in self.journal.mails.values()
            if mail.get("about") == about
            and mail.get("campaign") == self.campaign
            and "request" in mail
            and "seat" in mail
        ]

    def _asked(self, about: str, one: Wished) -> Line | None:
        """The newest question about a wish."""
        return next((mail for mail in reversed(self._questions(about)) if mail["request"] == one.mail), None)

    def _seat_or_ask(self, one: Wished, vacancy: Vacancy, free: list[str]) -> Iterator[str]:
        """A wish for a seat goes one step on. free: the seats that nobody has and that are promised to nobody; one that is taken leaves it."""
        if one.address in self._players(vacancy):
            self._end(one, SEATED, "")  # a killed run gave the seat
            return
        seat = one.seat
        if one.verb == STANDBY:
            offered = self._asked(OFFER, one)
            if offered is None:
                if free:
                    self._offer(one, vacancy, free.pop(0))
                else:
                    self._tell(
                        one,
                        "listed",
                        f"You are on the list of {vacancy.settings.name}, and are offered a seat when one falls free.",
                    )
                return
            replied = self.journal.replies.get(offered["mail"], "")
            if not replied and self._holds(offered):
                return
            if replied != YES:
                said = (
                    "You did not take the seat, so you no longer wait for one."
                    if replied
                    else "Nobody replied to the offer of a seat, so it goes to the next."
                )
                self._end(one, DECLINED if replied else SILENT, f"{said} `standby NAME` puts you on the list again.")
                return
            seat = offered["seat"]
        yield from self._give(one, vacancy, free, seat)

    def _give(self, one: Wished, vacancy: Vacancy, free: list[str], wanted: str) -> Iterator[str]:
        """Seat somebody, once the GM said yes if the GM wants to be asked."""
        asked = self._asked(APPROVE, one)
        if asked is not None:
            replied = self.journal.replies.get(asked["mail"], "")
            if replied and replied != YES:
                self._end(one, DECLINED, "The GM did not give you the seat.")
            elif asked["seat"] not in vacancy.free:
                self._end(one, NO_SEAT, "The seat was given to somebody else.")
            elif replied:
                yield from self._seat(one, vacancy, asked["seat"])
            return
        held = one.verb == STANDBY and wanted in vacancy.free  # the offer kept it
        seat = wanted if held or wanted in free else next(iter(free), "") if not wanted else ""
        if not seat:
            said = f"The seat {clean(wanted)} is not free." if wanted and free else "No seat is free."
            more = f" Free: {', '.join(free)}." if free else " `standby NAME` waits for one that falls free."
            self._end(one, NO_SEAT, said + more)
            return
        if seat in free:
            free.remove(seat)
        if vacancy.settings.newcomers == OPEN:
            yield from self._seat(one, vacancy, seat)
        else:
            self._ask_gm(one, vacancy, seat)

    def _players(self, vacancy: Vacancy) -> set[str]:
        """The addresses that have a seat, but for seats that were given up."""
        players = vacancy.settings.players.items()
        return {address for seat, player in players if seat not in vacancy.free for address in player.email}

    def _seat(self, one: Wished, vacancy: Vacancy, seat: str) -> Iterator[str]:
        """Give the seat: the campaign's welcome mail tells it. A campaign that another run holds waits for the next run of the house."""
        try:
            with lock.held(vacancy.folder, "run"):
                campaign = open_campaign(vacancy.folder)
                name = _name_of(one, seat, vacancy)
                inviting.invite(campaign, journal_of(campaign, self.now), seat, one.address, name, self.now)
        except lock.Held:
            return
        except Faults as faults:
            lines = [
                f"{one.address} is to have the seat {seat} in {vacancy.folder}, and can't be given it:",
                *map(str, faults.problems),
            ]
            self.desk.tell_host(f"fails-{_short(repr(lines))}", "A seat can't be given", lines)
            return
        self._end(one, SEATED, "")
        self._tell_gm(one, vacancy, seat)
        yield f"{vacancy.settings.name}: {seat} has a player now."

    # --- questions

    def _ask_gm(self, one: Wished, vacancy: Vacancy, seat: str) -> None:
        lines = [
            f"{one.name or 'Somebody'} asks for the seat {seat} in {vacancy.settings.name}, from an address that was confirmed.",
            "Reply with the one word `yes` to give it, or `no`. Until then the seat is kept.",
        ]
        to = next(iter(vacancy.settings.gm.email), "") or self.desk.place.settings.gm.email[0]
        self._question(
            APPROVE,
            one,
            seat,
            to,
            f"{one.name or 'Somebody'} asks for the seat {seat} in {vacancy.settings.name}",
            lines,
        )

    def _offer(self, one: Wished, vacancy: Vacancy, seat: str) -> None:
        lines = [
            f"A seat is free in {vacancy.settings.name}: {seat}. You are the next who waits for one.",
            f"To take it, reply with the one word `yes` within {OFFER_HOLDS.days} days, or with `no`; then it goes to the next.",
        ]
        self._question(OFFER, one, seat, one.address, f"A seat is free in {vacancy.settings.name}", lines)

    def _question(self, about: str, one: Wished, seat: str, to: str, subject: str, lines: list[str]) -> None:
        id = f"{about}-{_short(one.mail)}-{seat}"
        facts = {"campaign": self.campaign, "seat": seat, "request": one.mail}
        self.desk.post(id, about, to, subject, lines, yes="Yes", more=facts)

    def _tell_gm(self, one: Wished, vacancy: Vacancy, seat: str) -> None:
        to = next(iter(vacancy.settings.gm.email), "")
        if to and vacancy.settings.newcomers == OPEN:
            lines = [f"{one.name or 'A newcomer'} has the seat {seat} in {vacancy.settings.name} now."]
            self.desk.post(f"seated-{_short(one.mail)}", "seated", to, f"{seat} has a player", lines)

    # --- ends

    def _end_doubles(self) -> None:
        """Who wished the same twice did so once; who joins waits no longer by another mail."""
        there: set[tuple[str, str]] = set()
        for one in self._of(JOIN, STANDBY, OBSERVE):
            key = names.address(one.address), OBSERVE if one.verb == OBSERVE else JOIN
            if key in there:
                self._end(one, AGAIN, "")
            there.add(key)

    def _leave(self, one: Wished) -> None:
        """Whoever leaves waits for no seat and watches no more; a player gives up a seat in the campaign itself."""
        theirs = [
            other
            for other in self.wishes
            if other is not one
            and names.address(other.address) == names.address(one.address)
            and other.mail not in self.journal.settled
        ]
        for other in theirs:
            self._end(other, LEFT, "")
        plays = self.vacancy is not None and one.address in self._players(self.vacancy)
        said = (
            "You play there: to give up your seat, reply to a mail of the campaign with the one word `resign`."
            if plays
            else "You are on no list there any more."
        )
        self._end(one, LEFT, said)

    def _end(self, one: Wished, outcome: str, said: str) -> None:
        """Settle a wish, and tell who had it. said: "" if another mail tells it."""
        if said:
            self._tell(one, "told", said)
        self.journal.add("settled", self.now, mail=one.mail, outcome=outcome)

    def _tell(self, one: Wished, about: str, said: str) -> None:
        """Tell who wished something, once."""
        name, id = self.vacancy.settings.name if self.vacancy else one.campaign, f"{about}-{_short(one.mail)}"
        if id not in self.journal.mails:
            self.desk.post(id, about, one.address, f"About {name}", [said.replace("NAME", name)])


def watchers(desk: Desk) -> dict[str, list[Wished]]:
    """Campaign -> who watches it."""
    found: dict[str, list[Wished]] = {}
    for one in wished(desk):
        if one.verb == OBSERVE:
            found.setdefault(one.campaign, []).append(one)
    return found


def standbys(desk: Desk) -> dict[str, int]:
    """Campaign -> how many wait for a seat there."""
    found: dict[str, int] = {}
    for one in wished(desk):
        if one.verb == STANDBY:
            found[one.campaign] = found.get(one.campaign, 0) + 1
    return found


def tell_watchers(desk: Desk) -> None:
    """Tell who watches a campaign that it goes on: nothing that only a seat may know."""
    for campaign, people in watchers(desk).items():
        folder = desk.campaigns.get(campaign)
        turn = max(store.numbers(folder / "turns"), default=0) if folder else 0
        new = [one for one in people if f"watch-{turn:04}-{_short(one.mail)}" not in desk.journal.mails]
        name = _open_name(folder) if folder and new else ""
        if not folder or not name:
            continue
        vacancy = vacancies.of(folder)
        said = f"Turn {turn} was played." if turn > 0 else "You watch it from now on: a mail after each turn."
        lines = [said] if vacancy else [said, "The campaign is over, or stopped for now."]
        for one in new:
            id = f"watch-{turn:04}-{_short(one.mail)}"
            desk.post(id, "watch", one.address, f"About {name}", lines, [vacancy.line()] if vacancy else [])


def _name_of(one: Wished, seat: str, vacancy: Vacancy) -> str:
    """What a newcomer is called: as they call themselves, unless somebody there is called so; never what stands before the @ of an address."""
    settings = vacancy.settings
    taken = {names.compared(name) for name in (settings.gm.name, "gm", settings.name, *settings.players)}
    taken |= {names.compared(player.name) for player in settings.players.values()}
    return one.name if one.name and names.compared(one.name) not in taken else f"Player of {seat}"


def _open_name(folder: Path) -> str:
    """The name of a campaign that takes newcomers, over or not; "" for any other, of which nobody outside hears more."""
    try:
        read, _ = houses.settings_of(folder)
    except (Faults, OSError):
        return ""
    return "" if read.newcomers == vacancies.CLOSED else read.name


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
