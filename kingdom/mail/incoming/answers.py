"""The mails that answer orders and commands; and the intents of mail that wants nothing or is not proved.

An answer says only what its seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts
from kingdom.mail.incoming import answer_view, filing
from kingdom.mail.incoming.asking import Answer
from kingdom.mail.incoming.carrying import letters_to
from kingdom.mail.incoming.outcome import ACCEPTED, REFUSED, Case, Decided, Fate, reason
from kingdom.mail.incoming.proof import Sender, seats_of
from kingdom.mail.outgoing import deadlines, order_links
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content, Enclosed
from kingdom.mail.reading.subjects import plain_subject
from kingdom.mail.records import Letter
from kingdom.mail.tokens import without_tokens

_LONGEST = 60  # characters of a subject that is named
NO_GM = (
    "The GM has no mail address here, so your words could not be passed on; they are kept in the campaign's mail log."
)


class Unread(NamedTuple):
    """A mail with nobody's orders: a machine's, a copy, our own. It is written down and never answered."""

    outcome: str
    code: str
    facts: Facts = {}
    seat: str = ""

    def decided(self, case: Case) -> Decided:
        """Nothing is done."""
        return Decided(Fate(self.outcome, self.code, reason(self.code, **self.facts), self.seat))


class Flood(NamedTuple):
    """A mail from an address that sent too many within an hour. If the address is listed, the first such mail of each hour is answered."""

    most: int
    seat: str

    def decided(self, case: Case) -> Decided:
        """Refused."""
        fate = Fate(REFUSED, "too_often", reason("too_often", most=self.most), self.seat)
        key = ("too_often", case.headers.sender, 0, _hour_of(case))
        if not self.seat or key in case.journal.told:
            return Decided(fate)
        return Decided(fate, [answer_of(case, fate)], partial(case.journal.tell_once, case.now, *key))


def _hour_of(case: Case) -> str:
    return case.message.seen.strftime("%Y-%m-%dT%H")


class Unproved(NamedTuple):
    """A mail from a stranger, or without proof. Only an address on the seat's list is answered, with one line, at most once an hour.

    text: its words for a person. If the address is listed they go to the GM, marked as not proved, whenever the line is sent.
    """

    sender: Sender
    text: str = ""

    def decided(self, case: Case) -> Decided:
        """Refused."""
        code, seat = self.sender.code, self.sender.seat
        fate = Fate(REFUSED, code, reason(code, kingdom=seat), seat)
        if code == "unlisted_address":
            # this seat answered another seat's mail
            own = next(iter(seats_of(case.headers.sender, case.campaign.settings)), "")
            return self._written_down(case, Decided(fate, [*warning(case, fate), *_strays(case, own)]))
        if not self.sender.listed or _heard(case, seat):
            return Decided(fate)
        sent = letters_to(case, seat, GM, self.text, unproved=True) if self.text else []
        more = f" {case.campaign.settings.gm.name} got its words, marked as not proved." if sent else ""
        return self._written_down(case, Decided(fate, [*warning(case, fate, more), *sent]))

    def _written_down(self, case: Case, decided: Decided) -> Decided:
        """The decision; carried out, it notes which seats were warned, and of which address."""
        warned = [one.kingdom for one in decided.letters if one.kind == "warning"]

        def done() -> None:
            for seat in warned:
                case.journal.tell_once(case.now, "unproved", seat, 0, _hour_of(case))
            if self.sender.code == "unlisted_address" and self.sender.seat in warned:
                case.journal.tell_once(case.now, "unlisted", self.sender.seat, 0, case.headers.sender)

        return decided._replace(done=done)


class Failed(NamedTuple):
    """A message over which the program failed. It is kept, and the GM sees it."""

    error: Exception

    def decided(self, case: Case) -> Decided:
        """Refused, with one line to the player, if at least that can be made."""
        said = f"{type(self.error).__name__}: {self.error}"[:300]
        seat = next(iter(seats_of(case.headers.sender, case.campaign.settings)), "")
        fate = Fate(REFUSED, "failed", reason("failed"), seat, error=said)
        try:
            return Decided(fate, warning(case, fate) if seat and not case.headers.machine else ())
        except Exception:
            return Decided(fate)


def answer_of(case: Case, fate: Fate) -> Letter:
    """The answer to orders, or to a mail that might have held orders: it says all that became of them."""
    view = answer_view.view_of(case.campaign, case.journal, fate, case.now)
    texts = making.template("answer.txt", view), making.template("answer.html", view)
    enclosed = [filing.enclosed(fate.turn, fate.filed)] if fate.filed and fate.outcome == ACCEPTED else []
    return reply(case, fate.seat, view["turn"], answer_view.title_of(fate, view), texts, enclosed)


def reply(
    case: Case, seat: str, turn: int, title: str, texts: tuple[str, str], enclosed: Sequence[Enclosed] = ()
) -> Letter:
    """The mail that answers a message. texts: (plain text, page)."""
    campaign, headers = case.campaign, case.headers
    title = making.titled(campaign, title)
    content = Content(title, *texts, enclosed, headers.message_id, headers.references, answers=True)
    return making.letter(campaign, case.message.answer, "answer", seat, turn, headers.sender, content, case.now)


def answered(case: Case, seat: str, word: str, answer: Answer, argument: str = "") -> Decided:
    """What becomes of a command with this answer."""
    fate = Fate(ACCEPTED, word, "", seat)
    if answer.refused:
        fate = Fate(REFUSED, answer.refused, reason(answer.refused, **answer.facts), seat, cures=answer.links)
        if not answer.lines:
            return Decided(fate, [answer_of(case, fate)])
    campaign, turn = case.campaign, order_links.upcoming(case.campaign)
    lines = (f"Not done. {fate.reason}", *answer.lines) if answer.refused else answer.lines
    texts = making.short(campaign.settings.name, lines, answer.typed, answer.links, answer.listed)
    title = "Not done" if answer.refused else answer.title or TITLES[word].format(argument=argument, turn=turn)
    own = reply(case, seat, turn, title, texts, answer.enclosed)
    own = own._replace(more={**own.more, **answer.asks})

    def done() -> None:  # the journal says so first, then the files change
        for event, facts in answer.events:
            case.journal.add(event, case.now, **facts)
            if event == "withdraw":
                filing.put_aside(campaign, seat, int(str(facts["turn"])))
        if answer.files is not None:
            answer.files()

    return Decided(fate, [own]) if answer.refused else Decided(fate, [own], done)


def _heard(case: Case, seat: str) -> bool:
    """Whether the seat was warned in this hour already."""
    return ("unproved", seat, 0, _hour_of(case)) in case.journal.told


def warning(case: Case, fate: Fate, more: str = "") -> list[Letter]:
    """A mail with one line to an address on the seat's list, without orders and sheet. Of a mail from an address that is not listed the
    seat is told once."""
    campaign = case.campaign
    named = (case.headers.sender,) if case.headers.sender else case.headers.claimed
    sender = next((one for one in named if fate.seat in seats_of(one, campaign.settings)), case.headers.sender)
    if fate.seat in seats_of(sender, campaign.settings):
        said = f"{_your_mail(case, fate.seat)} was not taken: {fate.reason}{more}"
        return [_warned(case, fate.seat, sender, "A mail of yours was not taken", said)]
    to = next(iter(making.addresses(campaign, fate.seat)), "")
    if not to or _heard(case, fate.seat) or ("unlisted", fate.seat, 0, sender) in case.journal.told:
        return []
    name, _, domain = sender.rpartition("@")
    said = (
        f"A mail with your token came on {deadlines.said(case.came, campaign, fate.seat)} from {name[:1]}…@{domain}, which is not on your list of addresses, so it did "
        f"nothing. If you sent it, send it from {to}, or ask {campaign.settings.gm.name} to add the other address. If you passed a mail of "
        "this campaign on, somebody answered it, and you need do nothing."
    )
    return [_warned(case, fate.seat, to, "A mail with your token did nothing", said)]


def _strays(case: Case, seat: str) -> list[Letter]:
    """The mail to a player who answered a mail that went to another player. seat: the player's, "" for nobody's."""
    if not seat or _heard(case, seat):
        return []
    said = f"{_your_mail(case, seat)} was not taken: it answers a mail that went to another player. Reply to a mail of your own, such as this one."
    return [_warned(case, seat, case.headers.sender, "A mail of yours was not taken", said, "-own")]


def _your_mail(case: Case, seat: str) -> str:
    """The words by which a player knows a mail: its subject and when it came."""
    subject = without_tokens(plain_subject(case.headers.subject), case.campaign.settings)[:_LONGEST]
    named = f"Your mail `{subject}`" if subject else "Your mail"
    return f"{named} that came on {deadlines.said(case.came, case.campaign, seat)}"


def _warned(case: Case, seat: str, to: str, title: str, said: str, ends: str = "") -> Letter:
    campaign = case.campaign
    text, html = making.short(campaign.settings.name, [said])
    content = Content(making.titled(campaign, title), text, html, answers=True)
    id = f"warning-{case.message.digest[:16]}{ends}"
    return making.letter(campaign, id, "warning", seat, 0, to, content, case.now)


TITLES = {  # the subjects of answers
    "status": "Who has filed for turn {turn}", "report": "No report yet", "form": "Order form of turn {turn}", "map": "The map",
    "advice": "Advice for turn {turn}", "verify": "How to prove it yourself",
    "orders": "What is filed for turn {turn}", "withdraw": "Withdrawn", "rules": "The rules", "schema": "A file for your editor", "help": "What you can ask",
    "away": "You are away", "back": "You are back", "resign": "You gave up your seat", "to": "Your letter to {argument}",
    "extend": "Turn {turn} is put off", "hold": "Turn {turn} is held", "release": "Released", "run": "Turn {turn} goes on",
    "skip": "Turn {turn} does not wait for {argument}", "accept": "Accepted", "invite": "Please confirm",
}  # fmt: skip
