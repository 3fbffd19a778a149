"""What strangers ask of a house: what is open, a seat, to watch, to wait for a seat, to leave. Nobody gets anything before they confirmed it.

A wish is answered by a question to the address that it came from, and only a reply `yes` to that mail counts: its Message-ID, or the
word in its link, can't be guessed. The question itself, in the house's journal, is what was wished; kingdom/mail/incoming/seating.py
carries out what was confirmed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kingdom.campaign import house as houses
from kingdom.campaign.campaign import Place, Unopened
from kingdom.engine import names
from kingdom.engine.problems import Faults
from kingdom.mail import tokens, vacancies
from kingdom.mail.incoming import parts, reply
from kingdom.mail.incoming.subjects import taken_apart
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import letters
from kingdom.mail.outgoing.letters import Link
from kingdom.mail.records import Headers, Line
from kingdom.mail.vacancies import Vacancy
from kingdom.render.plain_text import clean

if TYPE_CHECKING:
    from kingdom.mail.incoming.routing import Index

LIST, JOIN, OBSERVE, STANDBY, LEAVE = "list", "join", "observe", "standby", "leave"
YES, NO = "yes", "no"
CONFIRM, APPROVE, OFFER = (
    "confirm",
    "approve",
    "offer",
)  # what a question is about: to who wished it, a GM, who waits for a seat
STRANGER = "stranger"  # whose mails prove nothing: the seat of a house to which its answers go
MOST_A_DAY = 100  # answers to strangers, all together
PROVED_A_DAY = 10  # questions a day to an address that replied to one before
LONGEST_NAME = 60
_WISH = re.compile(
    rf"(?:please )?({JOIN}|{OBSERVE}|{STANDBY}|{LEAVE})[ :]+(.{{1,160}}?)(?:,? please)?[ .!]*", re.IGNORECASE
)
_LIST = re.compile(rf"(?:please )?{LIST}(?: (?:campaigns|games|of campaigns))?[ .!?]*", re.IGNORECASE)
_REPLY = re.compile(
    r"(yes|y|ok|okay|confirm|confirmed)\b(?:\W+\w+){0,3}\W*|(no|n)\b.*", re.IGNORECASE
)  # `Yes, please.`, `No, thanks`
_MOST_READ = 1 << 18  # bytes of a mail in which a wish or a yes is looked for
_QUOTES = "\"'`[]<>“”„‘’"


class Desk(Protocol):
    """What the house is to who asks something of it: its journal, its campaigns by their folders' names, the moment, its mails."""

    @property
    def place(self) -> Unopened:
        """The house as what gets and sends mails."""

    @property
    def journal(self) -> Journal:
        """The house's own."""

    @property
    def campaigns(self) -> Mapping[str, Path]:
        """The folders by their names."""

    @property
    def now(self) -> datetime:
        """The moment of this run."""

    def post(
        self, id: str, about: str, to: str, subject: str, lines: Sequence[str], typed: Sequence[str] = (), yes: str = "",
        headers: Headers | None = None, more: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Put a mail to an address into the house's outbox."""

    def tell_host(self, id: str, subject: str, lines: Sequence[str]) -> None:
        """Put a mail to the host into it."""


class Wish(NamedTuple):
    """What somebody wants of a house. campaign: the folder's name, "" if there is none of that name. seat: as the campaign calls it, "" for any.

    None of it is a text of its writer's: an answer goes to whatever address a mail says it is from, so it repeats none.
    """

    verb: str
    campaign: str = ""
    seat: str = ""
    is_seat_unknown: bool = False


class Door:
    """Where a house answers who is no player of a campaign, or asks something of the house itself."""

    def __init__(self, desk: Desk, index: Index):
        self.desk, self.index = desk, index

    # --- what is for the house

    def takes(self, headers: Headers, is_proved: bool) -> bool:
        """Whether a mail is for the house whatever campaign it fits: a reply to a question of ours, or a wish. is_proved: a thread or a
        token says that it is for a campaign."""
        own = names.address(letters.address_of(self.desk.place))
        if headers.machine or not headers.sender or names.address(headers.sender) == own:
            return False
        if self.question(headers) is not None:
            return True
        wish = None if is_proved else self._wish_in(taken_apart(headers.subject)[0])
        return wish is not None and (wish.verb == LIST or bool(wish.campaign))

    def question(self, headers: Headers) -> Line | None:
        """The question of ours that a mail replies to, from the address that was asked; None for any other mail."""
        place, journal = self.desk.place, self.desk.journal
        for message_id in headers.answered:
            ours = tokens.ours(place, message_id, journal.mails)
            if ours is not None and not ours.turn and self._is_asked(journal.mails.get(ours.mail, {}), headers.sender):
                return journal.mails[ours.mail]
        words = {word.lower() for word in taken_apart(headers.subject)[1]}
        return next(
            (
                mail
                for mail in self._open_questions
                if words and word_of(place, mail["mail"]) in words and self._is_asked(mail, headers.sender)
            ),
            None,
        )

    def _is_asked(self, mail: Line, sender: str) -> bool:
        """Whether a mail of ours is a question to that address, or to another address of the same GM."""
        about = mail.get("about")
        if about not in (CONFIRM, APPROVE, OFFER):
            return False
        theirs = self._gm_of(mail.get("campaign", "")) if about == APPROVE else ()
        return names.address(sender) in map(names.address, (mail["to"], *theirs))

    def _gm_of(self, campaign: str) -> Sequence[str]:
        try:
            return houses.settings_of(self.desk.campaigns[campaign])[0].gm.email
        except (Faults, KeyError):
            return ()

    @cached_property
    def _open_questions(self) -> list[Line]:
        """The questions that have no reply yet."""
        journal = self.desk.journal
        return [
            mail
            for mail in journal.mails.values()
            if mail.get("about") in (CONFIRM, APPROVE, OFFER) and mail["mail"] not in journal.replies
        ]

    def _wish_in(self, text: str) -> Wish | None:
        """What a subject, or a line, wishes; None for anything else. A campaign that takes no newcomers is none that a stranger can name."""
        text = " ".join(text.split())
        if _LIST.fullmatch(text):
            return Wish(LIST)
        found = _WISH.fullmatch(text)
        if found is None:
            return None
        verb, named = found[1].lower(), found[2]
        before, joined, seat = named.rpartition(" as ")
        tries: Iterable[tuple[str, str]] = ((named, ""), *(((before, seat),) if joined and verb == JOIN else ()))
        for campaign, wanted in tries:
            folders = self.index.called(campaign.strip(f"{_QUOTES} ")) & self._open.keys()
            if len(folders) == 1:
                (folder,) = folders
                seat = names.find(wanted.strip(f"{_QUOTES} "), self._open[folder].settings.players)
                return Wish(verb, folder, seat, bool(wanted) and not seat)
        return Wish(verb)

    @cached_property
    def _open(self) -> dict[str, Vacancy]:
        """The campaigns that take newcomers, by their folders' names."""
        return {one.folder.name: one for one in vacancies.all_of(self.desk.campaigns)}

    # --- how it is answered

    def answer(self, headers: Headers, data: bytes) -> tuple[str, bool]:
        """Answer a mail, and write down a reply. Returns what was done, as a word, and whether the host should see the mail."""
        if asked := self.question(headers):
            return self._reply(asked, headers, data), False
        wish = self._wish_in(taken_apart(headers.subject)[0]) or self._wish_in(_first_line(data))
        if wish is None:
            self.tell_stranger(headers)
            return STRANGER, True
        if wish.verb != LIST and not wish.campaign:
            self.tell_stranger(headers, "No campaign of that name takes newcomers here.")
            return wish.verb, True  # it may be words for a person
        if wish.verb == LIST:
            self.tell_stranger(headers, is_asked=True)
        else:
            self._confirm(wish, headers)
        return wish.verb, False

    def tell_stranger(self, headers: Headers, first: str = "", is_asked: bool = False) -> None:
        """Tell a stranger what is open and whom to ask; once a day for an address, and not more than so many a day for all."""
        place = self.desk.place.settings
        known = bool(self.index.listed(headers.sender))
        lines = [first] if first else []
        if not (is_asked or first or known):
            lines.append(f"{place.name} does not know this address, so nothing was done with your mail.")
            lines.append(
                "If you play here, write from the address that you were invited at, or answer a mail of your campaign."
            )
        typed = vacancies.lines(self._open.values())
        if typed:
            lines.append(
                "These campaigns take newcomers. Send a mail with the subject `join NAME`, or `join NAME as SEAT`:"
            )
            lines.append(
                "`standby NAME` waits for a seat that falls free, `observe NAME` watches, `leave NAME` ends either."
            )
        elif is_asked or first:
            lines.append("No campaign here takes newcomers now.")
        if not (is_asked or first or known):
            lines.append(f"{place.gm.name} is the host here, and hears of your mail.")
        title = "What is open" if is_asked or first or known else "Nobody here knows this address"
        self._write(STRANGER, headers, title, lines, typed)

    def _confirm(self, wish: Wish, headers: Headers) -> None:
        """Ask who wrote a wish whether they did."""
        name = self._called(wish.campaign)
        what = {
            JOIN: f"join {name}" + (f" as {wish.seat}" if wish.seat else ""),
            OBSERVE: f"watch {name}",
            STANDBY: f"wait for a seat in {name}",
            LEAVE: f"leave {name}",
        }[wish.verb]
        lines = [
            f"Somebody, probably you, asked with this address to {what}.",
            "If that was you, reply to this mail with the one word `yes`. Nothing happens before you do; if it was somebody else, do nothing.",
        ]
        if wish.is_seat_unknown:
            lines[1:1] = ["No seat there has the name that was asked for, so it would be any that is free."]
        more = {"verb": wish.verb, "campaign": wish.campaign, "seat": wish.seat, "name": _name_of(headers)}
        self._write(CONFIRM, headers, f"Please confirm: {wish.verb} {name}", lines, link="Yes, I do", **more)

    def _reply(self, asked: Line, headers: Headers, data: bytes) -> str:
        """Write down a yes or a no; ask again where it is neither."""
        said = _said(headers, data, asked["about"] == CONFIRM)
        if said:
            if asked["mail"] not in self.desk.journal.replies:
                self.desk.journal.add("replied", self.desk.now, mail=asked["mail"], mark=said)
            return said
        self._write(
            "unclear",
            headers,
            "Yes or no?",
            ["Your reply was not understood. Please reply with the one word `yes` or `no`."],
        )
        return "unclear"

    def _called(self, campaign: str) -> str:
        return next(iter(self.index.names_of([campaign])), campaign)

    # --- the mails

    def _write(
        self,
        about: str,
        headers: Headers,
        subject: str,
        lines: Sequence[str],
        typed: Sequence[str] = (),
        link: str = "",
        **more: str,
    ) -> None:
        """Answer a mail; of each kind once a day for an address, or more often if it is known to be its writer's."""
        if not headers.sender or self._today[""] >= MOST_A_DAY:
            return
        address = names.address(headers.sender)
        id = f"{about}-{self.desk.now:%Y%m%d}-{_digest(address)}"
        if count := self._today[id]:
            if address not in self._proved or count >= PROVED_A_DAY or about != CONFIRM:
                return
            id = f"{id}-{count + 1}"
        self._today[""] += 1
        self._today[f"{about}-{self.desk.now:%Y%m%d}-{_digest(address)}"] += 1
        self.desk.post(id, about, headers.sender, subject, lines, typed, link, headers, more)
        self.__dict__.pop("_open_questions", None)

    @cached_property
    def _today(self) -> Counter[str]:
        """How many answers went out today: of each kind to each address, and "" for all."""
        day, found = f"{self.desk.now:%Y%m%d}", Counter[str]()
        for mail in self.desk.journal.mails:
            about, _, rest = mail.partition("-")
            if about in (STRANGER, CONFIRM, "unclear") and rest.startswith(day):
                found[f"{about}-{day}-{rest.split('-')[1]}"] += 1
                found[""] += 1
        return found

    @cached_property
    def _proved(self) -> set[str]:
        """Addresses that replied to a question of ours once."""
        mails = self.desk.journal.mails
        return {names.address(mails[mail]["to"]) for mail in self.desk.journal.replies if mail in mails}


def yes_link(place: Place, mail: str, name: str) -> Link:
    """A link that says yes to a question. mail: the question's id. name: what the link is called."""
    return Link(name, letters.mailto(letters.address_of(place), f"{YES} [{word_of(place, mail)}]", ""), (), YES)


def word_of(place: Place, mail: str) -> str:
    """What stands in the link of a question, and in its Message-ID, and proves that who shows it got that mail."""
    return tokens.mark_of(tokens.key_of(place), mail, "")


def _first_line(data: bytes) -> str:
    """The first line that its writer wrote into a mail."""
    if len(data) > _MOST_READ:
        return ""
    for text in parts.texts_in(parts.read(data)):
        return next((line.strip() for line in reply.split(text).own.splitlines() if line.strip()), "")
    return ""


def _said(headers: Headers, data: bytes, empty_is_yes: bool) -> str:
    """YES, NO or "" for anything else. empty_is_yes: a reply without a word of its own counts, as mailing lists have it."""
    subject, line = taken_apart(headers.subject)[0], _first_line(data)
    for text in (subject, line):
        if found := _REPLY.fullmatch(text):
            return YES if found[1] else NO
    return YES if empty_is_yes and not line and len(data) <= _MOST_READ else ""


def _name_of(headers: Headers) -> str:
    """What the writer calls himself; "" rather than anything that may be an address."""
    name = " ".join(clean(headers.name).split())
    return "" if "@" in name else name[:LONGEST_NAME].strip()


def _digest(address: str) -> str:
    return sha256(address.encode()).hexdigest()[:16]
