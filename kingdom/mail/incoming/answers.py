"""Mail that asks for nothing that can be done: nobody's, unproved, unreadable. And the answer that orders get, filed or not.

What an answer says is only what its seat may know.
"""

from __future__ import annotations

from typing import NamedTuple

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts
from kingdom.mail.incoming.fate import REFUSED, Case, Decided, Fate, reason
from kingdom.mail.incoming.proof import Sender, seats_of
from kingdom.mail.outgoing import answer_view, deadlines
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.correspondence import letters_to
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.records import Letter


class Unread(NamedTuple):
    """Nobody's orders: a machine's, a copy, our own. It is written down and never answered."""

    outcome: str
    code: str
    facts: Facts = {}
    seat: str = ""

    def decided(self, case: Case) -> Decided:
        """Nothing is done."""
        return Decided(Fate(self.outcome, self.code, reason(self.code, **self.facts), self.seat))

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Nothing is done."""


class Flood(NamedTuple):
    """One of too many from an address in an hour. The first of each hour is answered, where the address is listed."""

    most: int
    seat: str

    def decided(self, case: Case) -> Decided:
        """Refused."""
        fate = Fate(REFUSED, "too_often", reason("too_often", most=self.most), self.seat)
        key = ("too_often", case.headers.sender, 0, self._hour(case))
        answered = self.seat and key not in case.journal.told
        return Decided(fate, [answer(case, fate)] if answered else ())

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Write down that this hour was answered."""
        if decided.letters:
            case.journal.tell_once(case.now, "too_often", case.headers.sender, 0, self._hour(case))

    def _hour(self, case: Case) -> str:
        return _hour_of(case)


def _hour_of(case: Case) -> str:
    return case.message.seen.strftime("%Y-%m-%dT%H")


class Unproved(NamedTuple):
    """From a stranger, or not proved. Nobody is answered but the address on the list, with a line, at most once an hour.

    text: the words for a person in it; of a listed address they go to the GM with that line, marked as not proved.
    """

    sender: Sender
    text: str = ""

    def decided(self, case: Case) -> Decided:
        """Refused."""
        code, seat = self.sender.code, self.sender.seat
        fate = Fate(REFUSED, code, reason(code, kingdom=seat), seat)
        heard = ("unproved", seat, 0, _hour_of(case)) in case.journal.told
        if heard or not (self.sender.listed or code == "unlisted_address"):
            return Decided(fate)
        letters = warning(case, fate)
        if self.text and self.sender.listed:
            letters += letters_to(case.campaign, case.message.digest, seat, GM, self.text, case.now, unproved=True)
        return Decided(fate, letters)

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Write down that the seat heard of the address, and when."""
        if decided.letters:
            case.journal.tell_once(case.now, "unproved", self.sender.seat, 0, _hour_of(case))
        if self.sender.code == "unlisted_address" and decided.letters:
            case.journal.tell_once(case.now, "unlisted", self.sender.seat, 0, case.headers.sender)


class Unreadable(NamedTuple):
    """A player's message in which there is nothing that could be done. facts: for its reason, and `quoted` orders.

    words: those for a person, which go to the GM all the same.
    """

    code: str
    seat: str
    facts: Facts = {}
    words: str = ""

    def decided(self, case: Case) -> Decided:
        """Refused, and answered where it is known whom."""
        fate = Fate(REFUSED, self.code, reason(self.code, **self.facts), self.seat)
        fate = fate._replace(quoted=str(self.facts.get("quoted", "")))
        if not self.seat:
            return Decided(fate)
        campaign, digest = case.campaign, case.message.digest
        sent = letters_to(campaign, digest, self.seat, GM, self.words, case.now) if self.words else []
        fate = fate._replace(passed_on=campaign.settings.gm.name if sent else "")
        return Decided(fate, [answer(case, fate), *sent])

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Nothing is done."""


class Failed(NamedTuple):
    """A message that the program failed over. It is kept, and the GM sees it; whose it is, as far as that can be told."""

    error: Exception

    def decided(self, case: Case) -> Decided:
        """Refused; one line to the player, if that at least goes well."""
        said = f"{type(self.error).__name__}: {self.error}"[:300]
        seat = next(iter(seats_of(case.headers.sender, case.campaign.settings)), "")
        fate = Fate(REFUSED, "failed", reason("failed"), seat, error=said)
        try:
            return Decided(fate, warning(case, fate) if seat and not case.headers.machine else ())
        except Exception:
            return Decided(fate)

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Nothing is done."""


def answer(case: Case, fate: Fate) -> Letter:
    """The one mail that says all that became of orders, or of what might have been some."""
    view = answer_view.view_of(case.campaign, case.journal, fate, case.now)
    content = Content(
        making.titled(case.campaign, answer_view.title_of(fate, view)),
        making.template("answer.txt", view),
        making.template("answer.html", view),
        in_reply_to=case.headers.message_id,
        references=case.headers.references,
        answers=True,
    )
    to = case.headers.sender
    return making.letter(case.campaign, case.message.answer, "answer", fate.seat, view["turn"], to, content, case.now)


def warning(case: Case, fate: Fate) -> list[Letter]:
    """One line to an address on the seat's list: no orders, no sheet. What came from another address is told once."""
    campaign, sender = case.campaign, case.headers.sender
    listed = fate.seat in seats_of(sender, campaign.settings)
    to = sender if listed else next(iter(making.addresses(campaign, fate.seat)), "")
    if not to or not listed and ("unlisted", fate.seat, 0, sender) in case.journal.told:
        return []
    came = deadlines.said(case.came, campaign, fate.seat)
    text, html = making.short(campaign.settings.name, [f"A mail that came on {came} was not taken: {fate.reason}"])
    content = Content(making.titled(campaign, "A mail of yours was not taken"), text, html, answers=True)
    id = f"warning-{case.message.digest[:16]}"
    return [making.letter(campaign, id, "warning", fate.seat, 0, to, content, case.now)]
