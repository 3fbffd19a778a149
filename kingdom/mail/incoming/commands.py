"""What a subject may ask besides orders: `status`, `report N`, `away N` and so on; the GM's `extend 2d`, `hold`, `release`.

Each has a function that says its answer, or that it was asked in the wrong way. Asked twice comes to the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.step import Facts
from kingdom.mail.incoming import answers
from kingdom.mail.incoming.fate import ACCEPTED, REFUSED, Case, Decided, Fate, reason
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, deadlines, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content, Enclosed, Link, tap

MOST_AWAY = 20  # turns


class Answer(NamedTuple):
    """What a command is answered: paragraphs, lines to be typed or looked at as they stand, links, and what goes with them.

    refused: a code of REASONS, with its facts.
    """

    lines: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    enclosed: tuple[Enclosed, ...] = ()
    refused: str = ""
    facts: Facts = {}


class Asked(NamedTuple):
    """A command as it was asked: by whom, with what behind it."""

    campaign: Campaign
    journal: Journal
    seat: str
    argument: str
    now: datetime

    @property
    def turn(self) -> int:
        """The turn that orders are now wanted for."""
        return answer_view.upcoming(self.campaign)


class Command(NamedTuple):
    """A command that a seat sent: a subject's first word, and what stands behind it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """Its answer; refused where the argument is wrong, or where the command is not for this seat."""
        return answered(case, self.seat, self.word, self._answer(case))

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Write down what the command changes."""
        if decided.fate.outcome != ACCEPTED:
            return
        journal, now, turn = case.journal, case.now, answer_view.upcoming(case.campaign)
        if self.word == "away":
            journal.add("away", now, kingdom=self.seat, turn=turn, turns=int(self.argument or 1))
        elif self.word == "resign":
            journal.add("resigned", now, kingdom=self.seat, turn=turn)
        elif self.word == "extend" and case.message.digest not in journal.asked:
            journal.add("put_off", now, message=case.message.digest, turn=turn, by=_span(self.argument))
        elif self.word in ("hold", "release"):
            journal.add(self.word, now, turn=turn)

    def _answer(self, case: Case) -> Answer:
        for_gm = self.word in _GMS
        if for_gm != (self.seat == GM) and self.word in (_GMS if for_gm else _PLAYERS):
            return Answer(refused="not_for_players" if for_gm else "not_for_gm", facts={"command": self.word})
        return {**_ALL, **_GMS}[self.word](Asked(case.campaign, case.journal, self.seat, self.argument, case.now))


def answered(case: Case, seat: str, word: str, answer: Answer) -> Decided:
    """What becomes of a command that is answered so."""
    if answer.refused:
        fate = Fate(REFUSED, answer.refused, reason(answer.refused, **answer.facts), seat)
        return Decided(fate, [answers.answer(case, fate)])
    campaign, headers = case.campaign, case.headers
    turn = answer_view.upcoming(campaign)
    text, html = making.short(campaign.settings.name, answer.lines, answer.typed, answer.links)
    subject = making.subject_of(campaign, seat, turn)
    content = Content(subject, text, html, answer.enclosed, headers.message_id, headers.references, answers=True)
    own = making.letter(campaign, case.message.answer, "answer", seat, turn, headers.sender, content, case.now)
    return Decided(Fate(ACCEPTED, word, "", seat), [own])


# --- one function a command


def _status(asked: Asked) -> Answer:
    """Who has filed is everybody's to know; what, is nobody's."""
    campaign, turn = asked.campaign, asked.turn
    if asked.argument:
        return _bad(asked, "status", "status")
    over = closing.why_over(campaign)
    if over:
        return Answer((f"{campaign.settings.name} is over: {over}.", *_told_gm(asked)))
    filed = filings.filed(filings.folder_of(campaign.folder, turn))
    due = deadlines.deadline_of(campaign, asked.journal, asked.seat, turn, asked.now)
    live, unasked = _live(campaign), campaigns.unasked(campaign, turn, asked.seat)
    size = max(map(len, live), default=0)
    rows = [
        f"{seat.ljust(size)}  {'filed' if seat in filed else 'not asked in this turn' if seat in unasked else 'nothing filed yet'}{_absent(asked, seat)}"
        for seat in live
    ]
    lines = (f"{campaign.settings.name}: turn {turn} is next.", *filter(None, [due["due"]]), *_told_gm(asked))
    return Answer(lines, tuple(rows))


def _live(campaign: Campaign) -> Iterable[str]:
    """The seats in play; before the start all of them."""
    if campaigns.newest(campaign) < 0:
        return campaign.seats
    return list(campaign.game.seats(campaigns.state_of(campaign, campaigns.kept(campaign))))


def _absent(asked: Asked, seat: str) -> str:
    absent = reporting.absences(asked.campaign, asked.journal, asked.turn).get(seat, "")
    return f", {absent}" if absent else ""


def _told_gm(asked: Asked) -> list[str]:
    """What only the GM is told."""
    if asked.seat != GM:
        return []
    from kingdom.mail.outgoing import overview

    return overview.lines(asked.campaign, asked.journal, asked.now)


def _report(asked: Asked) -> Answer:
    newest = campaigns.newest(asked.campaign)
    if newest < 0:
        return Answer(("There is no report yet: the first one comes with the start of the campaign.",))
    if not re.fullmatch(r"\d{0,6}", asked.argument) or int(asked.argument or newest) > newest:
        return _bad(asked, "report", f"report {newest}", f" There are reports from turn 0 to turn {newest}.")
    turn = int(asked.argument or newest)
    files = reporting.enclosed(asked.campaign, asked.seat, turn)
    return Answer((f"The report of turn {turn} is attached.",), enclosed=tuple(files))


def _form(asked: Asked) -> Answer:
    if asked.argument:
        return _bad(asked, "form", "form")
    lines = reporting.form(asked.campaign, asked.seat)
    said = (
        f"The order form of turn {asked.turn}. Reply with it above the quote; take away a # to give that order as well. Or open the "
        "attached page in a browser, choose there, and send what it gives you."
    )
    file = Enclosed(f"orders-{asked.turn:04}.txt", "text/plain", "".join(f"{line}\n" for line in lines).encode())
    page = Enclosed(f"form-{asked.turn:04}.html", "text/html", reporting.form_page(asked.campaign, asked.seat).encode())
    return Answer((said,), tuple(lines), (reporting.form_link(asked.campaign, asked.seat),), (file, page))


def _rules(asked: Asked) -> Answer:
    if asked.argument:
        return _bad(asked, "rules", "rules")
    said = "Every table and ruling as this campaign plays them is attached."
    return Answer((said,), enclosed=(reporting.rules_file(asked.campaign),))


def _help(asked: Asked) -> Answer:
    """What can be asked, whatever stands behind the word."""
    reply = "Reply to any mail of this campaign and write orders above the quote."
    other = "Or send a mail with one of these subjects, and your token in brackets behind it:"
    not_theirs = _PLAYERS if asked.seat == GM else _GMS
    known = [(word, meaning) for word, meaning in _MEANINGS.items() if word.split()[0] not in not_theirs]
    size = max(len(word) for word, _ in known)
    return Answer(
        (f"{reply} {other}",), tuple(f"{word.ljust(size)}  {meaning}" for word, meaning in known), _taps(asked)
    )


def _taps(asked: Asked) -> tuple[Link, ...]:
    """Subjects that a tap sends."""
    words = ("status", "report", "form", "rules") if asked.seat != GM else ("status", "hold", "release")
    return tuple(tap(asked.campaign, asked.seat, word) for word in words)


def _away(asked: Asked) -> Answer:
    if not re.fullmatch(r"|[1-9]\d?", asked.argument) or int(asked.argument or 1) > MOST_AWAY:
        return _bad(asked, "away", "away 2", f" It takes the number of turns, at most {MOST_AWAY}.")
    turns = int(asked.argument or 1)
    until = f"for turn {asked.turn}" if turns == 1 else f"for turns {asked.turn} to {asked.turn + turns - 1}"
    return Answer((f"Noted: you are away {until}.{_announced(asked)} Orders that you file all the same count.",))


def _resign(asked: Asked) -> Answer:
    if asked.argument:
        return _bad(asked, "resign", "resign")
    return Answer(
        (f"Noted: you give up your seat.{_announced(asked)} The GM is told too. Thank you for having played.",)
    )


def _announced(asked: Asked) -> str:
    return " The next reports say so to all." if asked.campaign.settings.absences else ""


def _span(argument: str) -> str:
    return argument.replace(" ", "").lower()


def _extend(asked: Asked) -> Answer:
    if not re.fullmatch(r"[1-9]\d{0,2}[dhm]", _span(asked.argument)):
        return _bad(asked, "extend", "extend 2d", " It takes a number with d (days), h (hours) or m (minutes).")
    if asked.campaign.settings.calendar is None:
        return Answer(refused="no_calendar")
    said = f"The deadline of turn {asked.turn} and of all later ones is put off by {_span(asked.argument)}."
    return Answer((f"{said} All players are told.",))


def _hold(asked: Asked) -> Answer:
    if asked.argument:
        return _bad(asked, "hold", "hold")
    return Answer((f"Turn {asked.turn} waits until you send `release`.",))


def _release(asked: Asked) -> Answer:
    if asked.argument:
        return _bad(asked, "release", "release")
    return Answer(("Released: what waited for you goes on with the next run.",))


def _bad(asked: Asked, command: str, example: str, more: str = "") -> Answer:
    return wrong(asked.argument, command, example, more)


def wrong(argument: str, command: str, example: str, more: str = "") -> Answer:
    """That what stands behind a command is not what it takes."""
    word = f"`{argument[:60]}`" if argument else "Nothing"
    return Answer(refused="bad_argument", facts={"word": word, "command": command, "example": example, "more": more})


_ALL: dict[str, Callable[[Asked], Answer]] = {
    "status": _status, "report": _report, "form": _form, "rules": _rules, "help": _help, "away": _away, "resign": _resign,
}  # fmt: skip
_GMS: dict[str, Callable[[Asked], Answer]] = {"extend": _extend, "hold": _hold, "release": _release}
_PLAYERS = ("form", "away", "resign")
_MEANINGS = {
    "status": "who has filed, and when orders are due",
    "report N": "the report of turn N; without N the newest",
    "form": "the order form",
    "rules": "the rules as this campaign plays them",
    "away N": "you are away for N turns",
    "resign": "you give up your seat",
    "to KINGDOM": "the text goes to that player at once",
    "to all": "the text goes to everybody",
    "help": "this",
    "extend 2d": "the deadline is put off by 2 days (h: hours)",
    "hold": "the next turn waits",
    "release": "what waits goes on",
}
