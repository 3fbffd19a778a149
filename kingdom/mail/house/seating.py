"""Carries out the wishes that were confirmed: gives seats, asks GMs, offers free seats to people who wait, and tells watchers the news.

Every run derives all of it anew from the house's journal and the campaigns' files: which wishes were confirmed and are not settled, in the
order of the replies; which seats are free; which seats are promised to somebody who has not replied yet. So nothing is lost with a run that
was killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from kingdom.campaign import copies, lock, store
from kingdom.campaign.campaign import open_campaign
from kingdom.engine import names
from kingdom.engine.problems import Faults
from kingdom.mail import vacancies
from kingdom.mail.house.desk import Desk, short
from kingdom.mail.house.joining import AGAIN, CONFIRM, GONE, JOIN, LEAVE, LEFT, NO_SEAT, OBSERVE, SEATED, STANDBY
from kingdom.mail.journal import DECLINED, SILENT, folder_of, journal_of
from kingdom.mail.outgoing import inviting
from kingdom.mail.reading.yes_no import YES
from kingdom.mail.records import Line
from kingdom.mail.servers.sources import Inbox
from kingdom.mail.vacancies import APPROVE, HOLDS, OFFER, OPEN, Vacancy
from kingdom.render.plain_text import clean


def wished(desk: Desk) -> list[Line]:
    """The wishes that were confirmed and are not settled, in the order of the replies: each as the question by which it was confirmed. Somebody
    who could not join and was told to wait has the wish `standby`."""
    journal = desk.journal
    confirmed = [id for id, said in journal.replies.items() if said == YES and id not in journal.settled]
    mails = [journal.mails[id] for id in confirmed if journal.mails.get(id, {}).get("about") == CONFIRM]
    return [
        {**one, "verb": STANDBY} if one["verb"] == JOIN and _listed(one["mail"]) in journal.mails else one
        for one in mails
        if {"verb", "campaign", "seat", "name"} <= one.keys()
    ]


def settle(desk: Desk, all_came: bool, taken: Container[str] = ()) -> tuple[list[str], set[str]]:
    """Does what can be done now: (lines that say so, the campaigns that must take in their mail before the rest can be done). all_came: all mail could be fetched. taken: the campaigns that have taken in their mail. Raises Faults where
    the disk does not take it."""
    by_campaign: dict[str, list[Line]] = {}
    for one in wished(desk):
        by_campaign.setdefault(one["campaign"], []).append(one)
    lines, later = list[str](), set[str]()
    for campaign, wishes in by_campaign.items():
        if any(one["verb"] != OBSERVE for one in wishes) or len(wishes) > 1:
            seats = Seats(desk, campaign, wishes, all_came, campaign in taken)
            lines.extend(seats.settle())
            if seats.is_to_be_settled_later:
                later.add(campaign)
    return lines, later


class Seats:
    """The wishes about one campaign. all_came: all mail could be fetched. has_taken: the campaign has taken in its mail."""

    def __init__(self, desk: Desk, campaign: str, wishes: Iterable[Line], all_came: bool, has_taken: bool):
        self.desk, self.journal, self.now = desk, desk.journal, desk.now
        self.campaign, self.wishes, self.all_came, self.has_taken = campaign, [*wishes], all_came, has_taken
        folder = desk.campaigns.get(campaign)
        self.vacancy = vacancies.of(folder, for_a_seat=True) if folder else None
        self.nobodys = [*self.vacancy.free] if self.vacancy else []  # the seats without a player
        self.promised: dict[str, str] = {}  # seat -> the wish for which it is kept
        self.is_to_be_settled_later = False

    def settle(self) -> Iterator[str]:
        """Settles wishes: first people who leave, then people who wait for a seat, then others."""
        for one in [one for one in self.wishes if one["verb"] == LEAVE]:
            self._leave(one)
        self._end_doubles()
        vacancy = self.vacancy
        folder = self.desk.campaigns.get(self.campaign)
        if vacancy is None and folder and not vacancies.settings_of(folder):  # somebody will put it right
            return
        if vacancy is None:  # it is over, or takes nobody any more; watchers keep their place
            for one in self._of(JOIN, STANDBY):
                self._end(one, NO_SEAT, f"{one['campaign']} takes no newcomers any more.")
            return
        if copies.standing(vacancy.folder).problem:  # a seat of it may be one of a copy
            return
        self._promise()
        for verb in (STANDBY, JOIN):
            for one in self._of(verb):
                yield from self._go_on(one, vacancy)

    def _of(self, *verbs: str) -> list[Line]:
        return [one for one in self.wishes if one["verb"] in verbs and one["mail"] not in self.journal.settled]

    # --- seats

    def _promise(self) -> None:
        """Keeps each seat for the wish with an open question about it: there is time to reply, or the reply was yes. Of several questions the last
        counts, since the seat was promised to nobody else before the time of the one before was over."""
        open_now = {one["mail"] for one in self.wishes if one["mail"] not in self.journal.settled}
        for mail in reversed(self._questions(APPROVE, OFFER)):
            if mail["request"] in open_now and self._holds(mail) and mail["seat"] in self.nobodys:
                self.promised.setdefault(mail["seat"], mail["request"])

    def _holds(self, mail: Line) -> bool:
        """Whether a question may still be answered in time, or was answered with a yes."""
        reply = self.journal.replies.get(mail["mail"], "")
        return reply == YES or not reply and self.now < vacancies.until(mail)

    def _questions(self, *about: str) -> list[Line]:
        """The questions about seats of this campaign, without those whose seat went to somebody else."""
        return [
            mail
            for id, mail in self.journal.mails.items()
            if mail.get("about") in about
            and mail.get("campaign") == self.campaign
            and {"request", "seat"} <= mail.keys()
            and id not in self.journal.settled
        ]

    def _asked(self, about: str, one: Line) -> Line | None:
        """The newest question about a wish."""
        return next((mail for mail in reversed(self._questions(about)) if mail["request"] == one["mail"]), None)

    @property
    def _free(self) -> list[str]:
        """The seats without a player that are kept for nobody."""
        return [seat for seat in self.nobodys if seat not in self.promised]

    def _is_for(self, seat: str, one: Line) -> bool:
        """Whether a wish may get a seat: the seat has no player, and is kept for nobody else."""
        return seat in self.nobodys and self.promised.get(seat, one["mail"]) == one["mail"]

    def _go_on(self, one: Line, vacancy: Vacancy) -> Iterator[str]:
        """Takes a wish for a seat one step on."""
        if names.address(one["to"]) in self._players(vacancy):  # before, or a killed run gave it
            self._end(one, SEATED, "You have a seat in NAME: reply to a mail of it, such as its welcome.")
            return
        seat = one["seat"]
        if one["verb"] == STANDBY:
            offered = self._asked(OFFER, one)
            if offered is not None and not self._is_for(offered["seat"], one):
                self._tell(
                    one,
                    "told",
                    f"The seat {clean(offered['seat'])} in NAME is not free any more. You stay on the list, and are offered the next.",
                )
                self._void(one, OFFER, APPROVE)
                offered = None
            if offered is None:
                if self._free:
                    self._offer(one, vacancy, self._free[0])
                else:
                    self._put_on_the_list(one)
                return
            replied = self.journal.replies.get(offered["mail"], "")
            if not replied and self._holds(offered):
                return
            if replied != YES:
                said = "Nobody replied to the offer of a seat, so it goes to the next. A `yes` to it still counts while the seat is free."
                if replied:
                    said = "You did not take the seat, so you no longer wait for one."
                self._end(one, DECLINED if replied else SILENT, f"{said} `standby NAME` puts you on the list again.")
                return
            seat = offered["seat"]
        yield from self._give(one, vacancy, seat)

    def _give(self, one: Line, vacancy: Vacancy, wanted: str) -> Iterator[str]:
        """Gives a seat, once the GM said yes if the GM wants to be asked."""
        asked = self._asked(APPROVE, one)
        if asked is not None and self._is_for(asked["seat"], one):
            replied = self.journal.replies.get(asked["mail"], "")
            if replied == YES:
                yield from self._seat(one, vacancy, asked["seat"])
            elif replied:
                self._end(one, DECLINED, "The GM did not give you the seat in NAME.")
            elif not self._holds(asked):
                self._free_again(one, vacancy, asked["seat"])
            return
        if asked is not None:
            if self.journal.replies.get(asked["mail"]) == YES:
                said = f"{asked['seat']} has a player by now, or is kept for one, so {one['name'] or 'who asked for it'} did not get it."
                self._tell_gm(f"gone-{short(asked['mail'])}", vacancy, f"{asked['seat']} is not free any more", [said])
            self._void(one, APPROVE)
        free = self._free
        seat = wanted if wanted and self._is_for(wanted, one) else next(iter(free), "") if not wanted else ""
        if seat and vacancy.settings.newcomers == OPEN:
            yield from self._seat(one, vacancy, seat)
        elif seat:
            self._ask_gm(one, vacancy, seat)
        elif free:
            self._end(
                one,
                NO_SEAT,
                f"The seat {clean(wanted)} in NAME is not free. Free: {', '.join(free)}. `join NAME as {free[0]}` asks for that one.",
            )
        else:
            self._put_on_the_list(one)

    def _put_on_the_list(self, one: Line) -> None:
        """Tells somebody that they wait for a seat, and where seats are free."""
        others = [
            other.line()
            for other in (
                vacancies.all_of(self.desk.campaigns) if _listed(one["mail"]) not in self.journal.mails else ()
            )
            if other.free and other.folder.name != self.campaign
        ]
        said = "No seat is free in NAME now, so you" if one["verb"] == JOIN else "You"
        more = " Seats are free here:" if others else ""
        self._tell(
            one,
            "listed",
            f"{said} are on the list of NAME, and are offered a seat when one falls free. `leave NAME` takes you off it.{more}",
            others[: vacancies.MOST],
        )

    def _free_again(self, one: Line, vacancy: Vacancy, seat: str) -> None:
        """Frees a seat about which the GM said nothing for some days, and tells both."""
        days = HOLDS[APPROVE].days
        said = f"The GM of NAME said neither yes nor no for {days} days, so the seat {clean(seat)} is kept for you no longer."
        lines = [
            f"{one['name'] or 'Somebody'} asked for the seat {seat} in {vacancy.settings.name} {days} days ago, and you said neither yes nor no. "
            "The seat is free for others again.",
            "A `yes` to that mail still counts while the seat is free.",
        ]
        self._tell_gm(f"freed-{short(one['mail'])}-{seat}", vacancy, f"{seat} is free again", lines)
        self._end(one, SILENT, f"{said} If the GM says yes while it is free, you get it; `join NAME` asks again.")
        self.promised.pop(seat, None)

    def _players(self, vacancy: Vacancy) -> set[str]:
        """The addresses that have a seat, without seats that were given up."""
        players = vacancy.settings.players.items()
        return {names.address(email) for seat, player in players if seat not in vacancy.free for email in player.email}

    def _seat(self, one: Line, vacancy: Vacancy, seat: str) -> Iterator[str]:
        """Gives a seat; the campaign's welcome mail tells it. If another run holds the campaign, this waits for the house's next run; so it does for
        a seat that was given up while mail lies there that may be the player's `back`."""
        self.promised[seat] = one["mail"]
        try:
            with lock.held(vacancy.folder, "run"):
                campaign = open_campaign(vacancy.folder)
                journal = journal_of(campaign, self.now)
                is_taken = self.has_taken or not Inbox(folder_of(campaign) / "inbox", journal).names()
                if seat in journal.resigned and not (self.all_came and is_taken):
                    self.is_to_be_settled_later = True
                    return
                inviting.invite(campaign, journal, seat, one["to"], _name_of(one, seat, vacancy), self.now)
        except lock.Held:
            return
        except Faults as faults:
            lines = [
                f"{one['to']} is to have the seat {seat} in {vacancy.folder}, and can't be given it:",
                *map(str, faults.problems),
            ]
            self.desk.tell_host(f"fails-{short(repr(lines))}", "A seat can't be given", lines)
            return
        self.nobodys.remove(seat)
        self._end(one, SEATED, "")
        if vacancy.settings.newcomers == OPEN:
            lines = [f"{one['name'] or 'A newcomer'} has the seat {seat} in {vacancy.settings.name} now."]
            self._tell_gm(f"seated-{short(one['mail'])}", vacancy, f"{seat} has a player", lines)
        yield f"{vacancy.settings.name}: {seat} has a player now."

    # --- questions

    def _ask_gm(self, one: Line, vacancy: Vacancy, seat: str) -> None:
        lines = [
            f"{one['name'] or 'Somebody'} asks for the seat {seat} in {vacancy.settings.name}, from an address that was confirmed.",
            f"Reply with the one word `yes` to give it, or `no`. Until then the seat is kept, for {HOLDS[APPROVE].days} days.",
        ]
        subject = f"{one['name'] or 'Somebody'} asks for the seat {seat} in {vacancy.settings.name}"
        self._question(APPROVE, one, seat, self._gm_of(vacancy), subject, lines)

    def _offer(self, one: Line, vacancy: Vacancy, seat: str) -> None:
        lines = [
            f"A seat is free in {vacancy.settings.name}: {seat}. You are the next who waits for one.",
            f"To take it, reply with the one word `yes` within {HOLDS[OFFER].days} days, or with `no`; then it goes to the next.",
        ]
        self._question(OFFER, one, seat, one["to"], f"A seat is free in {vacancy.settings.name}", lines)

    def _question(self, about: str, one: Line, seat: str, to: str, subject: str, lines: list[str]) -> None:
        id = f"{about}-{short(one['mail'])}-{seat}"
        before = sum(mail == id or mail.startswith(f"{id}-again-") for mail in self.journal.mails)
        facts = {"campaign": self.campaign, "seat": seat, "request": one["mail"]}
        self.desk.post(f"{id}-again-{before}" if before else id, about, to, subject, lines, yes="Yes", more=facts)
        self.promised[seat] = one["mail"]

    def _void(self, one: Line, *about: str) -> None:
        """Notes that the seat of these questions went to somebody else, so that a late yes to them does not count for another offer."""
        for mail in self._questions(*about):
            if mail["request"] == one["mail"]:
                self.journal.add("settled", self.now, mail=mail["mail"], outcome=GONE)

    def _tell_gm(self, id: str, vacancy: Vacancy, subject: str, lines: list[str]) -> None:
        self.desk.post(id, "seated", self._gm_of(vacancy), subject, lines)

    def _gm_of(self, vacancy: Vacancy) -> str:
        """The GM's address; the host's where the GM has none."""
        return next(iter(vacancy.settings.gm.email), "") or self.desk.place.settings.gm.email[0]

    # --- ends

    def _end_doubles(self) -> None:
        """Ends doubles: of two equal wishes of a person one, and the `standby` of a person who also joins."""
        there: set[tuple[str, str]] = set()
        for one in self._of(JOIN, STANDBY, OBSERVE):
            key = names.address(one["to"]), OBSERVE if one["verb"] == OBSERVE else JOIN
            if key in there:
                self._end(one, AGAIN, "")
            there.add(key)

    def _leave(self, one: Line) -> None:
        """Ends all wishes of a person who leaves. A player gives a seat up in the campaign itself."""
        theirs = [
            other
            for other in self.wishes
            if other is not one
            and names.address(other["to"]) == names.address(one["to"])
            and other["mail"] not in self.journal.settled
        ]
        for other in theirs:
            self._end(other, LEFT, "")
        said = "You are on no list there any more."
        if self.vacancy is not None and names.address(one["to"]) in self._players(self.vacancy):
            said = "You play there: to give up your seat, reply to a mail of the campaign with the one word `resign`."
        self._end(one, LEFT, said)

    def _end(self, one: Line, outcome: str, said: str) -> None:
        """Settles a wish, and tells the person. said: "" if another mail tells it."""
        if said:
            self._tell(one, "told", said)
        asked = self._asked(APPROVE, one) if outcome in (LEFT, DECLINED) else None
        if self.vacancy and asked and asked["mail"] not in self.journal.replies:
            lines = [
                f"{one['name'] or 'Who asked for it'} wants the seat {asked['seat']} in {self.vacancy.settings.name} no longer. You need not reply."
            ]
            self._tell_gm(
                f"ended-{short(asked['mail'])}", self.vacancy, f"{asked['seat']} is not wanted any more", lines
            )
        self.journal.add("settled", self.now, mail=one["mail"], outcome=outcome)

    def _tell(self, one: Line, about: str, said: str, typed: Sequence[str] = ()) -> None:
        """Tells a person who wished something, the same only once."""
        name = self.vacancy.settings.name if self.vacancy else one["campaign"]
        id = _listed(one["mail"]) if about == "listed" else f"{about}-{short(one['mail'])}-{short(said)}"
        self.desk.post(id, about, one["to"], f"About {name}", [said.replace("NAME", name)], typed)


def watchers(desk: Desk) -> dict[str, list[Line]]:
    """Campaign -> the people who watch it."""
    found: dict[str, list[Line]] = {}
    for one in wished(desk):
        if one["verb"] == OBSERVE:
            found.setdefault(one["campaign"], []).append(one)
    return found


def standbys(desk: Desk) -> dict[str, int]:
    """Campaign -> how many wait for a seat there."""
    return Counter(one["campaign"] for one in wished(desk) if one["verb"] == STANDBY)


def tell_watchers(desk: Desk) -> None:
    """Tells the people who watch a campaign that it goes on, without anything that only a seat may know."""
    for campaign, people in watchers(desk).items():
        folder = desk.campaigns.get(campaign)
        turn = max(store.numbers(folder / "turns"), default=0) if folder else 0
        new = [one for one in people if f"watch-{turn:04}-{short(one['mail'])}" not in desk.journal.mails]
        read = vacancies.settings_of(folder) if new else None
        if not folder or not read or read.newcomers == vacancies.CLOSED:  # strangers must not hear of it
            continue
        vacancy = vacancies.of(folder)
        said = f"Turn {turn} was played." if turn > 0 else "You watch it from now on: a mail after each turn."
        lines = [said] if vacancy else [said, "The campaign is over, or stopped for now."]
        for one in new:
            id = f"watch-{turn:04}-{short(one['mail'])}"
            desk.post(id, "watch", one["to"], f"About {read.name}", lines, [vacancy.line()] if vacancy else [])


def _name_of(one: Line, seat: str, vacancy: Vacancy) -> str:
    """The name of a newcomer: the name that they give, unless somebody in the campaign has it. It is never a part of an address."""
    settings = vacancy.settings
    taken = {names.compared(name) for name in (settings.gm.name, "gm", settings.name, *settings.players)}
    taken |= {names.compared(player.name) for player in settings.players.values()}
    return one["name"] if one["name"] and names.compared(one["name"]) not in taken else f"Player of {seat}"


def _listed(wish: str) -> str:
    """The mail that tells somebody that they wait for a seat."""
    return f"listed-{short(wish)}"
