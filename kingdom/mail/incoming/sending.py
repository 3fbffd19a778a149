"""Letters between people: who gets a letter, what its writer is told, and the mails that carry it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kingdom.campaign.campaign import Campaign
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.problems import nearest
from kingdom.mail.incoming.asking import Answer
from kingdom.mail.incoming.carrying import letters_to
from kingdom.mail.incoming.outcome import Case, reason
from kingdom.mail.outgoing import correspondence, order_links
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.correspondence import ALL, readers_of
from kingdom.mail.outgoing.letters import Link
from kingdom.mail.outgoing.people import who
from kingdom.mail.reading import greetings
from kingdom.mail.reading.subjects import AS_IT_IS
from kingdom.mail.records import Letter
from kingdom.render.plain_text import clean

STAYS = " Files are not passed on."
_MOST_NAMED = 5  # files
_FIRST_WORDS = 70  # characters of a letter that remind its writer of it


class PlayersLetter(NamedTuple):
    """A letter to another player, to all or to the GM. word: the name of the readers; files: the names of attached files, which are not
    sent; left_out: quoted, forwarded or struck out text was not sent; passed_over: a sentence for each thing that did not count."""

    seat: str
    word: str
    text: str
    files: Sequence[str] = ()
    left_out: bool = False
    passed_over: Sequence[str] = ()

    def mails(self, case: Case, number: int = 0) -> list[Letter]:
        """The mails that carry the letter. number: of the letter in its message, from 0."""
        sent: list[Letter] = []
        readers = readers_of(case.campaign, self.word)
        for to in readers:
            also = [one for one in readers if one != to]
            text = self.text if to == GM else self._unsigned(case)
            sent += letters_to(case, self.seat, to, text, also=also, number=number)
        return sent

    def _unsigned(self, case: Case) -> str:
        """The letter as other players get it: without addresses and telephone numbers below it."""
        return self.text if self.seat == GM else greetings.without_contacts(self.text, case.headers)

    def answer(self, case: Case, readers: Sequence[str]) -> Answer:
        """The answer to the writer: who gets the letter, or why nobody gets it."""
        campaign = case.campaign
        if not readers or self.seat in readers:
            return self._nobody(case, self.seat in readers)
        if not campaign.settings.messages and self.seat != GM and set(readers) != {GM}:
            return Answer(refused="no_messages")
        if not self.text.strip():
            return Answer(refused="no_message_text")
        went = [seat for to in readers for seat in correspondence.seats_for(campaign, self.seat, to)]
        bots = [seat for seat in went if seat in campaign.seats and campaign.settings.players[seat].bot]
        nowhere = [seat for seat in went if seat not in bots and not making.addresses(campaign, seat)]
        said = ", ".join(self.named(case, seat) for seat in went if seat not in (*nowhere, *bots))
        nobody = ", ".join(self.named(case, seat) for seat in nowhere)
        quoted = ", without what you quoted, forwarded or struck out" if self.left_out else ""
        signed = ", without your signature" if self._unsigned(case) != self.text and {*readers} != {GM} else ""
        sent = f"Sent to {said or 'nobody'}{without(self.files)}{quoted}{signed}: {_begins(self._unsigned(case))}{STAYS if self.files else ''}"
        lines = [sent] if said or nowhere else []
        lines += [f"Nobody at {nobody} has an address."] if nowhere else []
        by_order = self._to_bots(case, bots) if bots else Answer()
        told = " ".join(lines)
        return by_order._replace(lines=(*([told] if told else []), *by_order.lines, *self.passed_over))

    def _to_bots(self, case: Case, bots: Sequence[str]) -> Answer:
        """The answer about a letter to bots, who get no mail. In games where bots read the messages in orders, it offers the letter as an
        order."""
        campaign, turn = case.campaign, order_links.upcoming(case.campaign)
        held = f"A bot plays {' and '.join(self.named(case, seat) for seat in bots)}:"
        told = [{"to": seat, "text": self._unsigned(case).strip()} for seat in bots]
        lines = order_links.short(campaign, {"amend": True, "messages": told})
        reads = self.seat != GM and campaign.game.bots_write and campaign.settings.messages
        if not reads or not order_links.readable(campaign, "\n".join(lines), self.seat, turn):
            return Answer((f"{held} it was not sent there, since bots read no mail.",))
        link = order_links.link_to(campaign, self.seat, turn, "Send it with your orders", lines)
        said = f"{held} it reads only what comes with orders. To send it with yours, reply with these lines:"
        return Answer((said,), tuple(lines), (link._replace(lines=()),) if link.to else ())

    def _nobody(self, case: Case, to_oneself: bool) -> Answer:
        """The answer that no reader or several have that name: who may be meant, and a tap for each."""
        campaign, word = case.campaign, names.compared(self.word)
        readers = [one for one in (*campaign.seats, GM) if one != self.seat and making.addresses(campaign, one)]
        named = correspondence.named(campaign)
        near = nearest(word, [name for name, whose in named.items() if name and {*whose} & {*readers, ALL}])
        meant = [one for one in named.get(near, ()) if one in (*readers, ALL)]
        ways = {ALL: "everybody (`to all`)", GM: f"{who(campaign, GM)} (`to gm`)"}
        said = [ways.get(one) or who(campaign, one) for one in meant or [*readers, ALL]]
        cure = f"Did you mean {' or '.join(said)}?" if meant else f"You can write to {', '.join(said)}."
        known = "Several here are" if len(named.get(word, ())) > 1 else "Nobody here is"
        what = f"{known} called `{self.word[:60]}`." if word else "Your letter does not say for whom it is."
        reader = (meant or [GM if GM in readers else ALL])[0]
        links = [send(case, self.seat, one, self.text) for one in meant or readers]
        facts = {"what": "You can't write to yourself." if to_oneself else what, "cure": cure, "reader": reader}
        return Answer(
            refused="no_reader", facts=facts, links=tuple(link._replace(lines=()) for link in links if link.to)
        )

    def named(self, case: Case, seat: str) -> str:
        """The name of a reader."""
        return ALL if seat == ALL else who(case.campaign, seat) if seat else self.word[:60]


class Delivered(NamedTuple):
    """The letters of one message. said: a sentence for each letter; mails: those that carry the letters; answers: those that refuse a
    letter or offer lines."""

    said: tuple[str, ...]
    mails: tuple[Letter, ...]
    answers: tuple[Answer, ...]


def delivered(case: Case, letters: Sequence[PlayersLetter]) -> Delivered:
    """Sends each letter to its readers. A letter that can't be sent is told of, and does not stop the others."""
    said: list[str] = []
    mails: list[Letter] = []
    answers: list[Answer] = []
    for number, one in enumerate(letters):
        readers = readers_of(case.campaign, one.word)
        answer = one.answer(case, readers)
        if answer.refused:
            said.append(f"Your letter to {one.word} was not sent: {reason(answer.refused, **answer.facts)}")
        else:
            said += answer.lines
            mails += one.mails(case, number)
        answers += [answer] if answer.refused or answer.typed else []
    return Delivered(tuple(said), tuple(mails), tuple(answers))


def _begins(text: str) -> str:
    """The first words of a letter, in quotes, for a sentence."""
    words = " ".join(clean(text).replace('"', "'").split())
    return f'"{words if len(words) <= _FIRST_WORDS else words[:_FIRST_WORDS].rsplit(" ", 1)[0] + " ..."}"'


def without(files: Sequence[str]) -> str:
    """The part of a sentence that says that attached files are not sent."""
    names = [clean(name) for name in files]
    names = [*names[:_MOST_NAMED], f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED + 1 else names
    return f", without the file{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else ""


def called(case: Case, to: str) -> str:
    """The names of readers for a sentence, `Ben and Cleo`. to: the seats, `ben and cleo`."""
    return "everybody" if to == ALL else " and ".join(who(case.campaign, one) for one in to.split(" and "))


def send(case: Case, seat: str, to: str, text: str) -> Link:
    """A link that sends words to a reader as they are."""
    campaign, name = case.campaign, called(case, to)
    address, subject = making.address_of(campaign), making.with_token(campaign, seat, f"to {to}{AS_IT_IS}")
    return making.link(f"Send it to {name}", address, subject, text.splitlines())


def reached(campaign: Campaign) -> list[str]:
    """The seats that have an address."""
    return [seat for seat in campaign.seats if making.addresses(campaign, seat)]
