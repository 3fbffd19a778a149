"""Messages between players, forwarded at once. No address is shown: whoever answers writes to the campaign."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import cure
from kingdom.mail.incoming.asking import Answer, wrong
from kingdom.mail.incoming.commands import answered
from kingdom.mail.incoming.fate import Case, Decided
from kingdom.mail.incoming.proof import without_tokens
from kingdom.mail.outgoing import answer_view
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.records import Letter

LONGEST = 5000  # characters


class LetterTo(NamedTuple):
    """A message to another player, to all or to the GM, named by `word`."""

    seat: str
    word: str
    text: str

    def decided(self, case: Case) -> Decided:
        """Forwarded, and the writer is told to whom."""
        decided = answered(case, self.seat, "to", self._answer(case))
        own = decided.letters
        return decided._replace(letters=own if decided.fate.reason else [*own, *self._letters(case)])

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Its mails are all of it."""

    def _answer(self, case: Case) -> Answer:
        campaign, word = case.campaign, self.word.lower()
        known = (*campaign.seats, "all", GM)
        if word not in known or word == self.seat:
            return wrong(self.word, "to", "to all", cure(word, [one for one in known if one != self.seat])[0])
        if not campaign.settings.messages and GM not in (word, self.seat):
            return Answer(refused="no_messages")
        if not self.text.strip():
            return Answer(refused="no_message_text")
        went = seats_for(campaign, self.seat, word)
        without = [seat for seat in went if not making.addresses(campaign, seat)]
        said = f"Sent to {', '.join(seat for seat in went if seat not in without) or 'nobody'}."
        return Answer((said + (f" Nobody at {', '.join(without)} has an address." if without else ""),))

    def _letters(self, case: Case) -> list[Letter]:
        """The message, a mail to each that it is for and that has an address."""
        campaign, word = case.campaign, self.word.lower()
        lines = forwarded_text(self.text, campaign).splitlines()
        made = []
        for seat in seats_for(campaign, self.seat, word):
            to = next(iter(making.addresses(campaign, seat)), "")
            if not to:
                continue
            answer = making.mailto(
                making.address_of(campaign), making.with_token(campaign, seat, f"to {self.seat}"), ""
            )
            view = {
                "campaign": campaign.settings.name,
                "sender": _name(campaign, self.seat),
                "seat": self.seat,
                "all": word == "all",
                "lines": lines,
                "links": [{"name": f"Answer {self.seat}", "to": answer}],
            }
            turn = answer_view.upcoming(campaign)
            text, html = making.template("message.txt", view), making.template("message.html", view)
            content, id = Content(making.subject_of(campaign, seat, turn), text, html), id_of(case.message.digest)
            made.append(making.letter(campaign, f"{id}{seat}", "message", seat, turn, to, content, case.now))
        return made


def seats_for(campaign: Campaign, sender: str, word: str) -> list[str]:
    """The seats, and `gm`, that a message `to WORD` is for."""
    return [seat for seat in campaign.seats if seat != sender] if word == "all" else [word]


def forwarded_text(text: str, campaign: Campaign) -> str:
    """What of a message goes to its readers."""
    return without_tokens(text, campaign.settings)[:LONGEST]


def id_of(digest: str) -> str:
    """How the ids of the mails begin by which a message is forwarded; they end with the seat."""
    return f"message-{digest[:16]}-"


def _name(campaign: Campaign, seat: str) -> str:
    name = campaign.settings.gm.name if seat == GM else campaign.settings.players[seat].name
    return f"{name} ({seat})" if name and seat != GM else name or seat
