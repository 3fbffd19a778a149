"""What strangers ask of a house: what is open, a seat, to watch, to wait for a seat, to leave. Nobody gets anything before they confirmed it.

A wish is answered by a question to the address that it came from, and only a reply `yes` to that mail counts, then or later: its
Message-ID, or the word in its link, can't be guessed. The question itself, in the house's journal, is what was wished; kingdom/mail/house/seating.py
carries out what was confirmed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kingdom.engine import names
from kingdom.mail import tokens, vacancies
from kingdom.mail.headers import without_reply_marks
from kingdom.mail.house.desk import STRANGER, Desk, short, word_of
from kingdom.mail.house.routing import CALLED, PROVES
from kingdom.mail.incoming import proof
from kingdom.mail.incoming.proof import ASKED
from kingdom.mail.outgoing import letters
from kingdom.mail.reading import parts, reply, yes_no
from kingdom.mail.reading.subjects import taken_apart
from kingdom.mail.reading.yes_no import NO, YES
from kingdom.mail.records import Headers, Line
from kingdom.mail.vacancies import APPROVE, OFFER, Vacancy
from kingdom.render.plain_text import clean

if TYPE_CHECKING:
    from kingdom.mail.house.routing import Fit, Index

LIST, JOIN, OBSERVE, STANDBY, LEAVE = "list", "join", "observe", "standby", "leave"
CONFIRM = "confirm"  # a question to who wished something; APPROVE is one to a GM, OFFER to who waits for a seat
QUESTIONS = (CONFIRM, APPROVE, OFFER)
UNKNOWN, UNCLEAR, SETTLED = "unknown", "unclear", "known"  # what answers are about, beside those above
_ANSWERS = (STRANGER, LIST, UNKNOWN, CONFIRM, UNCLEAR, SETTLED, ASKED)
SEATED, NO_SEAT, LEFT, AGAIN = "seated", "no seat", "left", "again"  # how a wish ends, beside DECLINED and SILENT
GONE = "gone"  # how a question ends whose seat somebody else got
IT_IS_OVER = {  # what who replies later is told
    SEATED: "The seat was given already, so nothing more is done.",
    NO_SEAT: "The seat is not free any more, so nothing was done.",
    GONE: "That seat is not free any more, so nothing was done. If another falls free, a mail asks about it.",
    LEFT: "Whoever asked for it wants it no longer, so nothing was done.",
    AGAIN: "The same was asked by another mail, which counts, so nothing more is done.",
}
MOST_A_DAY = 100  # answers a day to mails that prove nothing, all together
MOST_PROVED_A_DAY = 300  # and to mails that prove who wrote them
MOST_OF_A_DOMAIN = 50  # of the latter to addresses of one domain, whose owner makes as many as they like
PROVED_A_DAY = 10  # answers of a kind a day to who proves it, and questions to an address that replied to one before
PROVED = "proof"  # what the journal says of an answer that counts among the latter
LONGEST_NAME = 60
_WISH = re.compile(
    rf"(?:please )?({JOIN}|{OBSERVE}|{STANDBY}|{LEAVE})[ :]+(.{{1,160}}?)(?:,? please)?[ .!]*", re.IGNORECASE
)
_LIST = re.compile(rf"(?:please )?{LIST}(?: (?:campaigns|games|of campaigns))?(?:,? please)?[ .!?]*", re.IGNORECASE)
_THE = re.compile(r"^the ", re.IGNORECASE)  # `join the fords` means [Fords]
_MOST_READ = 1 << 18  # bytes of a mail in which a wish or a yes is looked for
_QUOTES = "\"'`[]<>“”„‘’"


class Wish(NamedTuple):
    """What somebody wants of a house. campaign: the name of its folder, "" if no campaign has that name. seat: its id, "" for any.

    Nothing of it is a text of the writer: an answer goes to whatever address the mail claims to come from, so it must repeat no such text.
    """

    verb: str
    campaign: str = ""
    seat: str = ""
    is_seat_unknown: bool = False


class Door:
    """Answers people who are no players of a campaign, or who ask something of the house itself."""

    def __init__(self, desk: Desk, index: Index):
        self.desk, self.index = desk, index

    # --- what is for the house

    def takes(self, headers: Headers, data: bytes, fits: Fit) -> bool:
        """Whether a mail is for the house, whatever campaign it fits: it replies to a mail of the house, or it holds a wish. A mail that a
        thread or a token proves to be for a campaign goes to that campaign, unless it wishes something of another one."""
        own = names.address(letters.address_of(self.desk.place))
        if headers.machine or not headers.sender or names.address(headers.sender) == own:
            return False
        if self.question(headers) is not None:
            return True
        wish = self._wish_of(headers)
        if fits.by in PROVES:
            verbs = (JOIN, STANDBY, OBSERVE)
            return wish is not None and wish.verb in verbs and wish.campaign not in ("", *fits.campaigns)
        if wish is not None and (wish.verb == LIST or bool(wish.campaign)):
            return True
        ours = self.answered(headers)
        if ours is None or ours.get("about") == ASKED:
            return False
        return fits.by != CALLED or self._wish_in(_first_line(data)) is not None

    def answered(self, headers: Headers) -> Line | None:
        """The mail of the house to which a mail replies, from the address to which it went; None for any other mail."""
        to = names.address(headers.sender)
        return next((mail for mail in self._replied_to(headers) if names.address(mail["to"]) == to), None)

    def is_named(self, headers: Headers) -> bool:
        """Whether a mail replies to our question for which campaign an earlier mail is."""
        ours = self.answered(headers)
        return ours is not None and ours.get("about") == ASKED

    def without_our_title(self, headers: Headers) -> Headers:
        """The headers. In a reply to a mail of the house the house's name in brackets is taken out, since a campaign may have that name."""
        if self.answered(headers) is None:
            return headers
        return headers._replace(subject=headers.subject.replace(letters.titled(self.desk.place, "").strip(), " ", 1))

    def _replied_to(self, headers: Headers) -> Iterator[Line]:
        """The mails of the house to which a mail replies, the nearest first. Those behind a mail of a campaign do not count."""
        place, journal = self.desk.place, self.desk.journal
        for message_id in headers.answered:
            ours = tokens.ours(place, message_id, journal.mails)
            if ours is not None and not ours.turn:
                yield journal.mails[ours.mail]
            elif self.index.answered(message_id):
                return

    def question(self, headers: Headers) -> Line | None:
        """The question of ours to which a mail replies, from the address that was asked; None for any other mail."""
        mails = self.desk.journal.mails
        for mail in self._replied_to(headers):
            question = mails.get(mail.get("question", ""), mail)  # who was asked once more may reply to that
            if self._is_asked(question, headers.sender):
                return question
        words = {word.lower() for word in taken_apart(headers.subject)[1]}
        for mail in mails.values() if words else ():
            about, is_theirs = mail.get("about"), mail["to"] == headers.sender
            if (
                about in QUESTIONS
                and (is_theirs or about == APPROVE)
                and word_of(self.desk.place, mail["mail"]) in words
            ):
                return mail if self._is_asked(mail, headers.sender) else None
        return None

    def _is_asked(self, mail: Line, sender: str) -> bool:
        """Whether a mail of ours is a question to the sender's address, or to another address of the same GM."""
        about = mail.get("about")
        if about not in QUESTIONS:
            return False
        read = vacancies.settings_of(self.desk.campaigns.get(mail.get("campaign", ""))) if about == APPROVE else None
        theirs = read.gm.email if read else ()
        return names.address(sender) in map(names.address, (mail["to"], *theirs))

    def _wish_of(self, headers: Headers) -> Wish | None:
        """The wish in a subject: `join Alba [k7f3q]`, or `join [Alba]`, as the list of open campaigns writes it."""
        wish = self._wish_in(taken_apart(headers.subject)[0])
        return wish if wish and wish.campaign else self._wish_in(without_reply_marks(headers.subject.strip())) or wish

    def _wish_in(self, text: str) -> Wish | None:
        """The wish in a subject or a line; None for anything else. A stranger can't name a campaign that takes no newcomers."""
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
            called = campaign.strip(f"{_QUOTES} ")
            folders = (self.index.called(called) or self.index.called(_THE.sub("", called))) & self._open.keys()
            if len(folders) == 1:
                (folder,) = folders
                seat = names.find(wanted.strip(f"{_QUOTES} "), self._open[folder].settings.players)
                return Wish(verb, folder, seat, bool(wanted) and not seat)
        return Wish(verb)

    @cached_property
    def _open(self) -> dict[str, Vacancy]:
        """The campaigns that take newcomers, by the names of their folders."""
        return {one.folder.name: one for one in vacancies.all_of(self.desk.campaigns)}

    # --- how it is answered

    def answer(self, headers: Headers, data: bytes) -> tuple[str, bool]:
        """Answers a mail, and notes a reply. Returns a word for what was done, and whether the host should see the mail."""
        if asked := self.question(headers):
            return self._reply(asked, headers, data), False
        wish = self._wish_of(headers) or self._wish_in(_first_line(data))
        if wish is None:
            self.tell_stranger(headers)
            return STRANGER, True
        if wish.verb != LIST and not wish.campaign:
            self.tell_stranger(headers, UNKNOWN, "No campaign of that name takes newcomers here.")
            return wish.verb, True  # the mail may hold words for a person
        is_answered = self.tell_stranger(headers, LIST) if wish.verb == LIST else self._confirm(wish, headers)
        return wish.verb, not is_answered

    def tell_stranger(self, headers: Headers, about: str = STRANGER, first: str = "") -> bool:
        """Tells a stranger which campaigns are open and whom to ask. about: LIST if the stranger asked for just that, UNKNOWN if no campaign
        has the given name. Returns False where no more answers may go out today."""
        place = self.desk.place.settings
        known = bool(self.index.listed(headers.sender))
        is_unknown = about == STRANGER and not known
        lines = [first] if first else []
        if is_unknown:
            lines.append(f"{place.name} does not know this address, so nothing was done with your mail.")
            lines.append(
                "If you play here, write from the address that you were invited at, or answer a mail of your campaign."
            )
        elif about == STRANGER:
            lines.append("Nothing in your mail says for which campaign it is, so nothing was done with it.")
        typed = vacancies.lines(self._open.values())
        if typed:
            lines.append(
                "The campaigns below take newcomers. Send a mail with the subject `join NAME`, or `join NAME as SEAT`."
            )
            lines.append(
                "`standby NAME` waits for a seat that falls free, `observe NAME` watches, `leave NAME` ends either."
            )
        elif about != STRANGER:
            lines.append("No campaign here takes newcomers now.")
        if about == STRANGER:
            lines.append(f"{place.gm.name} is the host here, and hears of your mail.")
        title = "Nobody here knows this address" if is_unknown else "What is open"
        return self._write(about, headers, title, lines, typed)

    def _confirm(self, wish: Wish, headers: Headers) -> bool:
        """Asks the writer of a wish to confirm it. Returns False where no more answers may go out today."""
        name, vacancy = self._called(wish.campaign), self._open[wish.campaign]
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
        if wish.verb == JOIN and not vacancy.free:
            lines[1:1] = ["No seat is free there now, so you would wait for one, as with `standby`."]
        elif wish.is_seat_unknown:
            lines[1:1] = ["No seat there has the name that was asked for, so it would be any that is free."]
        more = {"verb": wish.verb, "campaign": wish.campaign, "seat": wish.seat, "name": _name_of(headers)}
        return self._write(CONFIRM, headers, f"Please confirm: {wish.verb} {name}", lines, link="Yes, I do", **more)

    def _reply(self, asked: Line, headers: Headers, data: bytes) -> str:
        """Notes a yes or a no to a question, of several replies the last. Asks again where a reply is neither."""
        journal, campaign = self.desk.journal, asked.get("campaign", "")
        wish = journal.mails.get(asked.get("request", ""), asked)
        place, about = self.desk.place.settings, asked["about"]
        known = (asked.get("seat", ""), self._called(campaign), place.name, place.gm.name, "gm", "host")
        reply_ = _said(headers, data, known, wish.get("name", ""), about == CONFIRM)
        if not reply_:
            what = self._called(campaign)
            if about == APPROVE:  # several may ask at once
                what = f"{wish.get('name') or 'a newcomer'}, who asks for the seat {asked['seat']} in {what},"
            self._write(
                UNCLEAR,
                headers,
                "Yes or no?",
                [
                    f"Your reply about {what} was not understood, so nothing was done yet.",
                    "Please reply with the one word `yes` or `no`.",
                ],
                link="Yes",
                question=asked["mail"],
            )
            return UNCLEAR
        if journal.replies.get(asked["mail"]) != reply_:
            outcome = journal.settled.get(wish["mail"], "")
            journal.add("replied", self.desk.now, mail=asked["mail"], mark=reply_)
            taken_back = LEFT if wish is not asked and journal.replies.get(wish["mail"]) == NO else ""
            ends = (taken_back, *(journal.settled.get(mail, "") for mail in (wish["mail"], asked["mail"])))
            if said := next(filter(None, map(IT_IS_OVER.get, ends)), ""):
                self._write(SETTLED, headers, f"About {self._called(campaign)}", [said], question=asked["mail"])
            elif reply_ == NO and about == CONFIRM and not outcome:
                said = "Nothing is done: you are on no list there by that mail."
                self._write(SETTLED, headers, f"About {self._called(campaign)}", [said], question=asked["mail"])
        return reply_

    def _called(self, campaign: str) -> str:
        return next(iter(self.index.names_of([campaign])), campaign)

    # --- the mails

    def ask(self, headers: Headers, lines: Sequence[str]) -> bool:
        """Asks the writer of a mail for which campaign it is. Returns False where no more answers may go out today."""
        return self._write(ASKED, headers, "For which campaign is it?", lines)

    def _write(
        self,
        about: str,
        headers: Headers,
        subject: str,
        lines: Sequence[str],
        typed: Sequence[str] = (),
        link: str = "",
        **more: str,
    ) -> bool:
        """Answers a mail. An address gets one answer of each kind a day, or more if the mail proves its writer. Returns False where no more
        answers may go out today; the host is told so."""
        address, day = names.address(headers.sender), f"{self.desk.now:%Y%m%d}"
        if not address:
            return True
        is_proved = self._proves(headers)
        id = f"{about}-{day}-{short(address)}"
        count, today = self._today[id], self._today
        may_be_more = is_proved or address in self._proved and about == CONFIRM
        if count >= (PROVED_A_DAY if may_be_more else 1):
            return True
        domain = address.rpartition("@")[2]
        full = today[PROVED] >= MOST_PROVED_A_DAY or today[f"@{domain}"] >= MOST_OF_A_DOMAIN
        if full if is_proved else today[""] >= MOST_A_DAY:
            self._tell_full(is_proved)
            return False
        for counted in (id, *((PROVED, f"@{domain}") if is_proved else ("",))):
            today[counted] += 1
        facts = {**more, PROVED: "yes"} if is_proved else more
        self.desk.post(
            f"{id}-{count + 1}" if count else id, about, headers.sender, subject, lines, typed, link, headers, facts
        )
        return True

    def _tell_full(self, is_proved: bool) -> None:
        """Tell the host, once a day, that no more answers go out."""
        whom = "mails that prove who wrote them" if is_proved else "mails of strangers"
        lines = [
            f"The house answered so many {whom} today that it answers no more of them before midnight (UTC). Most are probably no person's.",
            "Whoever asks for something meanwhile gets no answer: you get their mails as text, as far as one mail a run holds them, and all "
            f"of them lie in {self.desk.place.folder / 'mail' / 'inbox'}. They may ask again tomorrow, or you invite them with `kingdom invite`.",
            "Replies to mails of the house are answered all the same, and campaigns get theirs."
            if not is_proved
            else "Campaigns get their mails all the same.",
        ]
        day = f"{self.desk.now:%Y%m%d}"
        self.desk.tell_host(
            f"full-{day}-{PROVED if is_proved else STRANGER}", "No more answers to strangers today", lines
        )

    def _proves(self, headers: Headers) -> bool:
        """Whether a mail proves who wrote it: it answers a mail of ours, shows a token, or passed the checks that the house asks of its
        server."""
        if self.answered(headers) is not None or self.question(headers) is not None:
            return True
        listed = self.index.listed(headers.sender)
        words = (*taken_apart(headers.subject)[1], *headers.tags)
        shown = [*map(self.index.answered, headers.answered), *map(self.index.shown, words)] if listed else []
        if any(campaigns & listed for campaigns in shown):
            return True
        mail = self.desk.place.settings.mail
        return mail is not None and proof.RESULTS in mail.authenticate and proof.vouched(headers, mail.authserv_id)

    @cached_property
    def _today(self) -> Counter[str]:
        """How many answers went out today: of each kind to each address; "" counts all answers to mails that prove nothing, PROVED all others,
        and each domain counts its share of those."""
        day, found = f"{self.desk.now:%Y%m%d}", Counter[str]()
        for id, mail in self.desk.journal.mails.items():
            about, _, rest = id.partition("-")
            if about in _ANSWERS and rest.startswith(day):
                found[f"{about}-{day}-{rest.split('-')[1]}"] += 1
                proved = (PROVED, f"@{names.address(mail['to']).rpartition('@')[2]}")
                for counted in proved if PROVED in mail else ("",):
                    found[counted] += 1
        return found

    @cached_property
    def _proved(self) -> set[str]:
        """The addresses that have replied to a question of ours."""
        mails = self.desk.journal.mails
        return {names.address(mails[mail]["to"]) for mail in self.desk.journal.replies if mail in mails}


def _first_line(data: bytes) -> str:
    """The first line of the writer's own text in a mail."""
    return next((line.strip() for line in _own(data).splitlines() if line.strip()), "")


def _said(headers: Headers, data: bytes, known: Iterable[str], asker: str, empty_is_yes: bool) -> str:
    """YES or NO, or "" for anything else. known: names that may stand in the reply. asker: the name that the person gives whom the question
    is about; it counts only with its capitals, so that nobody can turn a no into a yes by a name. empty_is_yes: a reply without own words
    is a yes, as on mailing lists."""
    subject = yes_no.answer(taken_apart(headers.subject)[0])
    own = _own(data)
    if not own:
        return subject or (YES if empty_is_yes and len(data) <= _MOST_READ else "")
    for name in (asker, asker.partition(" ")[0]):
        if name and all(word[0].isupper() for word in name.split()) and not yes_no.speaks(name):
            own = re.sub(rf"\b{re.escape(name)}\b", " ", own)
    text = yes_no.answer(own, known)
    return "" if subject and text and subject != text else text or subject


def _own(data: bytes) -> str:
    """The writer's own text in a mail; "" for a mail that is too large to be searched for a wish or a yes."""
    texts = parts.texts_in(parts.read(data)) if len(data) <= _MOST_READ else iter(())
    return reply.split(next(texts, "")).own.strip()


def _name_of(headers: Headers) -> str:
    """The name that the writer gives in From; "" where it may be an address."""
    name = " ".join(clean(headers.name).split())
    return "" if "@" in name else name[:LONGEST_NAME].strip()
