"""What a subject may ask besides orders, and how it is answered: `status`, `report N`, `help`; what players or the GM alone may ask
stands in player_commands.py and gm_commands.py.

Each has a function that says its answer, or that it was asked in the wrong way. Asked twice comes to the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import nearest
from kingdom.mail.incoming import accepting, answers, filing, gm_commands, player_commands
from kingdom.mail.incoming.asking import Answer, Asked
from kingdom.mail.incoming.fate import ACCEPTED, REFUSED, Case, Decided, Fate, reason
from kingdom.mail.outgoing import answer_view, deadlines, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content, Link


class Command(NamedTuple):
    """A command that a seat sent: a subject's first word, and what stands behind it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """Its answer; refused where the argument is wrong, or where the command is not for this seat."""
        return answered(case, self.seat, self.word, self._answer(case), self.argument)

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Write down what the command changes, then change it."""
        if decided.fate.outcome != ACCEPTED:
            return
        for event in decided.events:
            case.journal.add(event.name, case.now, **event.facts)
            if event.name == "withdraw":
                filing.put_aside(case.campaign, self.seat, int(str(event.facts["turn"])))
        made = gm_commands.accepted(self._asked(case)) if self.word == "accept" else None
        if made is not None:
            accepting.file(case.campaign, case.journal, made, case.now, case.message.digest)

    def _asked(self, case: Case) -> Asked:
        return Asked(case, self.seat, self.argument)

    def _answer(self, case: Case) -> Answer:
        asked, theirs = self._asked(case), _theirs(self.seat)
        if self.word not in theirs:
            code = "not_for_gm" if self.seat == GM else "not_for_players"
            return Answer(refused=code, facts={"command": self.word}, links=(asked.tap("help"),))
        return theirs[self.word](asked)


class Unknown(NamedTuple):
    """A subject that is no command: probably a misspelt one, which a tap then sends; or one with nothing below it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """Refused, with the nearest command; where none is near with the list of them all."""
        asked = Asked(case, self.seat, self.argument)
        near = nearest(self.word.lower(), (*_theirs(self.seat), "to"))
        facts = {"word": self.word[:60], "cure": f" Did you mean `{near}`?" if near else ""}
        if near:
            meant = " ".join([near, *self.argument.split()])[:60]
            links = tuple(map(asked.tap, dict.fromkeys((meant, "help"))))
            return answered(
                case, self.seat, "unknown_command", Answer(refused="unknown_command", facts=facts, links=links)
            )
        all_of_them = _help(asked)
        return answered(
            case, self.seat, "unknown_command", all_of_them._replace(refused="unknown_command", facts=facts)
        )

    def carry_out(self, case: Case, decided: Decided) -> None:
        """Nothing is done."""


def answered(case: Case, seat: str, word: str, answer: Answer, argument: str = "") -> Decided:
    """What becomes of a command that is answered so."""
    fate = Fate(ACCEPTED, word, "", seat)
    if answer.refused:
        fate = Fate(REFUSED, answer.refused, reason(answer.refused, **answer.facts), seat, cures=answer.links)
        if not answer.lines:
            return Decided(fate, [answers.answer(case, fate)])
    campaign, headers = case.campaign, case.headers
    turn = answer_view.upcoming(campaign)
    lines = (f"Not done. {fate.reason}", *answer.lines) if answer.refused else answer.lines
    text, html = making.short(campaign.settings.name, lines, answer.typed, answer.links)
    title = "Not done" if answer.refused else answer.title or TITLES[word].format(argument=argument, turn=turn)
    content = Content(
        making.titled(campaign, title),
        text,
        html,
        answer.enclosed,
        headers.message_id,
        headers.references,
        answers=True,
    )
    own = making.letter(campaign, case.message.answer, "answer", seat, turn, headers.sender, content, case.now)
    return Decided(fate, [own], () if answer.refused else answer.events)


# --- what everybody may ask


def _status(asked: Asked) -> Answer:
    """Who has filed is everybody's to know; what, is nobody's."""
    campaign, turn = asked.campaign, asked.turn
    if asked.argument:
        return asked.bad("status", "status")
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
    number = "" if asked.words == "again" else asked.words
    if not re.fullmatch(r"\d{0,6}", number) or int(number or newest) > newest:
        return asked.bad("report", f"report {newest}", f" There are reports from turn 0 to turn {newest}.")
    turn = int(number or newest)
    files = reporting.enclosed(asked.campaign, asked.seat, turn)
    return Answer((f"The report of turn {turn} is attached.",), enclosed=tuple(files), title=f"Report of turn {turn}")


def _rules(asked: Asked) -> Answer:
    if asked.argument:
        return asked.bad("rules", "rules")
    said = (
        "Every table and ruling as this campaign plays them is attached. So is orders.schema.json: beside a file of orders it lets an "
        "editor complete and check them."
    )
    schema = reporting.schema_file(asked.campaign, asked.seat)
    return Answer((said,), enclosed=(reporting.rules_file(asked.campaign), schema))


# --- what there is to ask


class Meaning(NamedTuple):
    """A line of `help`. tap: what its link sends; "" where a link would be no use, as the text is still to be written."""

    subject: str
    means: str
    tap: str


_SHOWN = (
    Meaning("status", "who has filed, and when orders are due", "status"),
    Meaning("report N", "the report of turn N; `report again`: the newest", "report again"),
    Meaning("map", "the map as you know it", "map"),
    Meaning("rules", "the rules as this campaign plays them", "rules"),
)
_PLAYERS_HELP: Mapping[str, tuple[Meaning, ...]] = {
    "YOUR ORDERS": (
        Meaning("orders", "what is filed, to look at or to change", "orders"),
        Meaning("form", "the order form", "form"),
        Meaning("withdraw", "takes back what is filed for the next turn", "withdraw"),
    ),
    "TO LOOK AT": _SHOWN,
    "OTHER PEOPLE": (
        Meaning("to NAME", "the text goes to that player, or kingdom, at once", ""),
        Meaning("to all", "the text goes to everybody", "to all"),
        Meaning("to gm", "the text goes to the GM", "to gm"),
    ),
    "YOUR SEAT": (
        Meaning("away N", "you are away for N turns", "away 2"),
        Meaning("away until DAY", "the same, until a day, or until `turn 7`", ""),
        Meaning("back", "you are there again; also takes `resign` back", "back"),
        Meaning("resign", "you give up your seat", "resign"),
        Meaning("help", "this", "help"),
    ),
}
_GMS_HELP: Mapping[str, tuple[Meaning, ...]] = {
    "THE NEXT TURN": (
        Meaning("extend 2d", "the deadline is put off by 2 days (h: hours)", "extend 2d"),
        Meaning("hold", "it waits for your release", "hold"),
        Meaning("release", "what waits goes on: reports, or the turn", "release"),
        Meaning("run it", "a turn past its deadline is run, whoever is missing", "run it"),
        Meaning("skip KINGDOM", "it does not wait for that kingdom", "skip KINGDOM"),
        Meaning("accept N", "files the refused or late message number N", "accept N"),
    ),
    "TO LOOK AT": (Meaning("orders", "your own orders that are filed", "orders"), *_SHOWN),
    "OTHER PEOPLE": (
        Meaning("to NAME", "the text goes to that player, or kingdom, at once", ""),
        Meaning("to all", "the text goes to everybody", "to all"),
        Meaning("help", "this", "help"),
    ),
}


def _help(asked: Asked) -> Answer:
    """What can be asked, whatever stands behind the word."""
    reply = "Reply to any mail of this campaign and write orders above the quote."
    other = "Or reply with nothing but one of these lines. In a new mail it is the subject, with your token in brackets behind it:"
    groups = _GMS_HELP if asked.seat == GM else _PLAYERS_HELP
    size = max(len(one.subject) for ones in groups.values() for one in ones)
    typed: list[str] = []
    for group, ones in groups.items():
        typed += [*([""] if typed else []), group]
        typed += [f"{one.subject.ljust(size)}  {one.means}" for one in ones]
    links = (_tap(asked, one.tap) for ones in groups.values() for one in ones)
    taps = tuple(link._replace(reply="") for link in links if link is not None)  # the text has them all
    return Answer((f"{reply} {other}",), tuple(typed), taps)


TITLES = {  # the subjects of answers
    "status": "Who has filed for turn {turn}", "report": "No report yet", "form": "Order form of turn {turn}", "map": "The map",
    "orders": "What is filed for turn {turn}", "withdraw": "Withdrawn", "rules": "The rules", "help": "What you can ask",
    "away": "You are away", "back": "You are back", "resign": "You gave up your seat", "to": "Your letter to {argument}",
    "extend": "Turn {turn} is put off", "hold": "Turn {turn} is held", "release": "Released", "run": "Turn {turn} goes on",
    "skip": "Turn {turn} does not wait for {argument}", "accept": "Accepted",
}  # fmt: skip


def _tap(asked: Asked, word: str) -> Link | None:
    """The link of a line of `help`; None where there is nothing that it could send now."""
    if word == "accept N":
        journal = asked.journal
        refused = [
            number for digest, number in journal.refused.items() if journal.handled[digest]["outcome"] == "refused"
        ]
        return asked.tap(f"accept {refused[-1]}") if refused else None
    if word == "skip KINGDOM":
        filed = filings.filed(filings.folder_of(asked.campaign.folder, asked.turn))
        missing = next((seat for seat in _live(asked.campaign) if seat not in filed), "")
        return asked.tap(f"skip {missing}") if missing else None
    return asked.tap(word) if word else None


_ALL: Mapping[str, Callable[[Asked], Answer]] = {
    "status": _status, "report": _report, "map": player_commands.chart, "rules": _rules, "help": _help, "orders": player_commands.orders,
}  # fmt: skip
_PLAYERS: Mapping[str, Callable[[Asked], Answer]] = {
    "form": player_commands.form, "withdraw": player_commands.withdraw, "away": player_commands.away, "back": player_commands.back,
    "resign": player_commands.resign,
}  # fmt: skip
_GMS: Mapping[str, Callable[[Asked], Answer]] = {
    "extend": gm_commands.extend, "hold": gm_commands.hold, "release": gm_commands.release, "run": gm_commands.run,
    "skip": gm_commands.skip, "accept": gm_commands.accept,
}  # fmt: skip


def _theirs(seat: str) -> Mapping[str, Callable[[Asked], Answer]]:
    """The commands of that seat, or of the GM."""
    return {**_ALL, **(_GMS if seat == GM else _PLAYERS)}
