"""A question of ours to the GM that a plain yes answers: whether a seat is to be given to somebody. The run that reads the yes does it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from kingdom.campaign.campaign import Campaign
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.regex import regex
from kingdom.mail.incoming.asking import Answer, Asked
from kingdom.mail.incoming.outcome import Case, Event
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import inviting, people
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.inviting import AGAIN, CORRECTED, GIVEN, is_anothers
from kingdom.mail.reading import yes_no
from kingdom.mail.reading.subjects import plain_subject
from kingdom.mail.reading.yes_no import NO, YES
from kingdom.mail.records import Line

INVITE = "invite"
DONE = "done"  # what became of what was confirmed
_TAPPED = regex(rf"{YES} ([0-9a-f]{{8}})")
_DIGITS = 8  # of a question's id, in the subject that a tap sends
_ADDRESS = regex(r"<?([^\s<>,;]+@[^\s<>,;]+\.[^\s<>,;.]+)>?[,;.]?")
_BETWEEN = regex(r"\A(?:to|for|as|named?|called|is|goes|--name|=|[,:;-])+\Z", re.IGNORECASE)


# --- asked


def invite(asked: Asked) -> Answer:
    """What the invitation would do, and the question whether it is to be done."""
    campaign, journal = asked.campaign, asked.journal
    seat, address, name = _parts(campaign, asked.argument)
    if not seat or not address:
        example = f"invite {seat or next(iter(campaign.seats))} {address or 'ADDRESS'} NAME"
        seats = ", ".join(campaign.seats)
        return asked.bad(INVITE, example, f" It takes a seat ({seats}), the player's address and name.")._replace(
            links=()
        )
    try:
        would = inviting.prepared(campaign, journal, seat, address, name)
    except Faults as faults:
        return Answer(refused="not_invited", facts={"why": faults.problems[0].message}, links=(asked.tap("help"),))
    who = f"{would.player.name} ({would.player.email[0]})"
    lines = (
        _would(campaign, seat, would.became, who),
        "To do it, reply to this mail with the one word `yes`. Nothing happens before you do.",
    )
    digest = asked.case.message.answer.partition("-")[2][:_DIGITS]
    link = making.link(
        "Yes, do it", making.address_of(campaign), making.with_token(campaign, GM, f"{YES} {digest}"), ()
    )
    asks = {"verb": INVITE, "seat": seat, "address": address, "name": name}
    return Answer(
        lines,
        links=(link._replace(reply=YES),),
        asks=asks,
        title=f"{would.player.name}, {people.name_of(campaign, seat)}: please confirm",
    )


def _would(campaign: Campaign, seat: str, became: str, who: str) -> str:
    """What an invitation would do, a sentence or two."""
    before = people.who(campaign, seat)
    if became == GIVEN:
        return f"The seat {people.name_of(campaign, seat)} is to go to {who}, who gets a welcome mail."
    if became == AGAIN:
        return f"{before} is to get a new welcome mail with a new token. The old token is dead then."
    if became == CORRECTED:
        said = f"The address of {before} is to change: {who}. The old token is dead then, and a welcome mail brings the new one."
        return f"{said} If this is another person, send `invite` with that person's name at its end instead."
    return f"The seat of {before} is to be handed on to {who}, who gets a welcome mail. What {before} sends counts no longer then."


def _parts(campaign: Campaign, argument: str) -> tuple[str, str, str]:
    """(seat, address, name) in what stands behind `invite`, in whatever order; "" for what is not there."""
    words = argument.replace('"', " ").split()
    at = next((at for at, word in enumerate(words) if _ADDRESS.fullmatch(word)), -1)
    address = _ADDRESS.sub(r"\1", words[at]) if at >= 0 else ""
    rest = [word for number, word in enumerate(words) if number != at and not _BETWEEN.match(word)]
    called = {names.compared(name): seat for seat in campaign.seats for name in _names_of(campaign, seat)}
    for size in range(len(rest), 0, -1):
        for begin in range(len(rest) - size + 1):
            if seat := called.get(names.compared(" ".join(rest[begin : begin + size]).strip(",;:.")), ""):
                return seat, address, " ".join([*rest[:begin], *rest[begin + size :]]).strip(" ,;")
    return "", address, " ".join(rest)


def invitation_in(campaign: Campaign, to: str, text: str) -> str:
    """The invitation that a letter of the GM to that seat may be, whatever its words: a paragraph that names a seat and an address that
    is not the reader's, the GM's or the campaign's; "" for none."""
    settings = campaign.settings
    ours = (settings.mail.address,) if settings.mail else ()
    theirs = {*ours, *settings.gm.email, *settings.players[to].email}
    for paragraph in text.split("\n\n"):
        seat, address, _ = _parts(campaign, paragraph)
        if seat and address and address.lower() not in map(str.lower, theirs):
            return f"invite {seat} {address}"
    return ""


def _names_of(campaign: Campaign, seat: str) -> Iterator[str]:
    yield from (campaign.settings.players[seat].name, people.name_of(campaign, seat), seat)


# --- answered


class Confirmed(NamedTuple):
    """A yes or no to a question of ours."""

    question: Line
    said: str

    def answer(self, case: Case) -> Answer:
        """What it is answered."""
        mail, seat = self.question["mail"], self.question["seat"]
        if mail in case.journal.settled:
            return Answer(("That is done already, so nothing changes.",), title="Nothing changes")
        event = Event("replied", {"mail": mail, "mark": self.said})
        name = people.name_of(case.campaign, seat)
        if self.said == NO:
            return Answer((f"Nothing changes: {name} stays as it is.",), events=(event,), title="Nothing changes")
        try:
            would = inviting.prepared(
                case.campaign, case.journal, seat, self.question["address"], self.question["name"]
            )
        except Faults as faults:
            return Answer(refused="not_invited", facts={"why": faults.problems[0].message})
        who = f"{would.player.name} ({would.player.email[0]})"
        said = f"{name} goes to {who} as soon as this run has taken in all mail. The welcome mail goes out then, or waits with the reports for your release."
        turns = inviting.filed_ahead(case.campaign, seat) if is_anothers(case.campaign, seat, would.became) else ()
        left = [inviting.lies(case.campaign, seat, turn) for turn in turns]
        return Answer((said, *left), events=(event,), title=f"{would.player.name} plays {name}")


def confirmed(case: Case, mail: str, own: str) -> Confirmed | None:
    """The yes or no that a mail of the GM's gives to a question of ours; None for any other. mail: of ours that it answers, "" for none."""
    journal = case.journal
    question = journal.mails.get(mail, Line()) if mail else Line()
    if question.get("verb") == INVITE:
        said = yes_no.answer(own, (question["name"], question["seat"], question["address"]))
        return Confirmed(question, said) if said else None
    tapped = _TAPPED.fullmatch(plain_subject(case.headers.subject).lower())
    found = (one for id, one in journal.mails.items() if tapped and id.startswith(f"answer-{tapped[1]}"))
    question = next((one for one in found if one.get("verb") == INVITE), Line())
    return Confirmed(question, YES) if question else None


def carried_out(campaign: Campaign, journal: Journal, now: datetime) -> tuple[list[str], list[Problem]]:
    """(what was done of all that was confirmed, a line each, what went wrong). Whoever holds the campaign opens it anew then."""
    lines: list[str] = []
    problems: list[Problem] = []
    for mail, said in list(journal.replies.items()):
        question = journal.mails.get(mail, Line())
        if said != YES or mail in journal.settled or question.get("verb") != INVITE:
            continue
        try:
            done, _ = inviting.invite(campaign, journal, question["seat"], question["address"], question["name"], now)
        except Faults as faults:
            problems += faults.problems
            continue
        journal.add("settled", now, mail=mail, outcome=DONE)
        lines += done[:1]
    return lines, problems
