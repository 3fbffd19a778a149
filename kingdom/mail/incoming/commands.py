"""What a subject may ask besides orders, and how it is answered: `status`, `report N`, `help`; what players or the GM alone may ask
stands in player_commands.py and gm_commands.py.

Each has a function that says its answer, or that it was asked in the wrong way. Asked twice comes to the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.engine.dice import GM
from kingdom.engine.problems import nearest
from kingdom.mail.incoming import answers, confirming, filing, gm_commands, help_page, status_page
from kingdom.mail.incoming import player_commands as players
from kingdom.mail.incoming.asking import Answer, Asked
from kingdom.mail.incoming.outcome import ACCEPTED, REFUSED, Case, Decided, Fate, reason
from kingdom.mail.outgoing import deadlines, order_links, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.reading import order_lines, repairs, terms
from kingdom.mail.reading.subjects import ALL_OF_THEM, COMMANDS, MEANT
from kingdom.orders import orders_file


class Command(NamedTuple):
    """A command that a seat sent: a subject's first word, and what stands behind it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """Its answer; refused where the argument is wrong, or where the command is not for this seat."""
        return answered(case, self.seat, self.word, self.asked(case), self.argument)

    def asked(self, case: Case) -> Answer:
        """What it is answered."""
        asked, theirs = Asked(case, self.seat, self.argument), _theirs(self.seat)
        if self.word not in theirs:
            code = "not_for_gm" if self.seat == GM else "not_for_players"
            return Answer(refused=code, facts={"command": self.word}, links=(asked.tap("help"),))
        if self.argument and (self.word == "orders" or self.word != "help" and not COMMANDS[self.word]):
            return asked.bad(self.word, self.word)  # it takes nothing
        return theirs[self.word](asked)


class Reply(NamedTuple):
    """The GM's yes or no to a question of ours."""

    confirmed: confirming.Confirmed

    def decided(self, case: Case) -> Decided:
        """Written down; the run does it when all mail is taken in."""
        return answered(case, GM, confirming.INVITE, self.confirmed.answer(case))


def misspelt(seat: str, words: str) -> Command | Unknown | None:
    """A text that is a single line and nearly a command, a word for one, or half of one; None for any other, which is for a person."""
    word, _, argument = " ".join(words.split()).partition(" ")
    if "\n" in words.strip() or not word:
        return None
    if word.lower() in _theirs(seat) and not argument:
        return Command(seat, word.lower(), "")  # `accept` alone: the answer says what it takes
    if MEANT.get(word.lower()) in _theirs(seat) and re.match(ALL_OF_THEM, argument.lower()):
        return Unknown(seat, word, argument)
    near = nearest(word.lower(), [one for one in _theirs(seat) if one != "resign"])
    return Unknown(seat, word, argument) if near and re.fullmatch(COMMANDS[near], argument.lower()) else None


class Unknown(NamedTuple):
    """A subject that is no command: probably a misspelt one, which a tap then sends; or one with nothing below it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """Refused, with the nearest command; where none is near with the list of them all."""
        asked = Asked(case, self.seat, self.argument)
        if orders := self._orders(case):
            what = "It is an order" if len(orders) == 1 else "These are orders"
            cure = f"{what}: write {' and '.join(f'`{order}`' for order in orders)} into the mail."
            facts = {"word": self.word[:60], "cure": cure}
            name = f"Order it: {orders[0]}" if len(orders) == 1 else "Order them"
            link = order_links.link_to(case.campaign, self.seat, asked.turn, name, ["amend: true", *orders])
            answer = Answer(links=(link,))
        elif typed := self._typed(case):
            more = "Write `help` as the subject for what can be asked by mail."
            cure = f"`kingdom {typed}` is typed where the campaign lies and can't be mailed. {more}"
            answer, facts = help_page.answer(asked), {"word": self.word[:60], "cure": cure}
        else:
            near, argument = self._near()
            if near == "report" and argument.isdecimal() and int(argument) > campaigns.newest(case.campaign):
                argument = ""  # of a turn that was not played
            more = "It lists all of them." if near == "help" else "Write `help` as the subject for all of them."
            facts = {"word": self.word[:60], "cure": f"Did you mean `{near}`? {more}" if near else more}
            meant = dict.fromkeys((f"{near} {argument}".strip(), "help"))
            answer = Answer(links=tuple(map(asked.tap, meant))) if near else help_page.answer(asked)
        refused = answer._replace(refused="unknown_command", facts=facts)
        return answered(case, self.seat, "unknown_command", refused)

    def _typed(self, case: Case) -> str:
        """The command that is typed where the campaign lies, and can't be mailed; "" where it is none."""
        words = f"{self.word} {self.argument}".strip()
        words = words[len("kingdom ") :] if words.lower().startswith("kingdom ") else words
        known = terms.terms_of(case.campaign, self.seat).get(words.partition(" ")[0].lower(), ())
        return words[:60] if any(one.kind == terms.TYPED for one in known) else ""

    def _near(self) -> tuple[str, str]:
        """(the command that was probably meant, what of the words behind it it takes); nobody is led to give up a seat."""
        words = (self.word, *self.argument.split())
        known = [word for word in (*_theirs(self.seat), "to") if word != "resign"]
        near = (
            MEANT.get(self.word.lower())
            or nearest(self.word.lower(), known)
            or next((word for word in map(str.lower, words) if word in known), "")
        )
        argument = " ".join(words[1:])[:60] if near != self.word.lower() else ""
        takes = COMMANDS.get(near, "")
        return near, argument if near and re.fullmatch(takes, argument.lower()) else ""

    def _orders(self, case: Case) -> list[str]:
        """The orders that somebody wrote into the subject, `final` or `claim 0404, tax light`; [] where it is none."""
        declared = orders_file.declared(case.campaign.game, self.seat)
        reads, said = order_lines.reader(case.campaign), f"{self.word} {self.argument}".strip()
        key, argument, _ = repairs.parts(said, {*declared.keys, *declared.short_keys})
        alone = repairs.fixed(key, argument, reads, True) if key else ""
        orders = order_lines.several_in(said, order_lines.keys_of(case.campaign, self.seat), reads) or [alone]
        turn = order_links.upcoming(case.campaign)
        return orders if order_links.readable(case.campaign, "\n".join(orders), self.seat, turn) else []


def answered(case: Case, seat: str, word: str, answer: Answer, argument: str = "") -> Decided:
    """What becomes of a command that is answered so."""
    fate = Fate(ACCEPTED, word, "", seat)
    if answer.refused:
        fate = Fate(REFUSED, answer.refused, reason(answer.refused, **answer.facts), seat, cures=answer.links)
        if not answer.lines:
            return Decided(fate, [answers.answer(case, fate)])
    campaign, headers = case.campaign, case.headers
    turn = order_links.upcoming(campaign)
    lines = (f"Not done. {fate.reason}", *answer.lines) if answer.refused else answer.lines
    text, html = making.short(campaign.settings.name, lines, answer.typed, answer.links, answer.listed)
    title = "Not done" if answer.refused else answer.title or TITLES[word].format(argument=argument, turn=turn)
    title = making.titled(campaign, title)
    content = Content(title, text, html, answer.enclosed, headers.message_id, headers.references, answers=True)
    own = making.letter(campaign, case.message.answer, "answer", seat, turn, headers.sender, content, case.now)
    own = own._replace(more={**own.more, **answer.asks})

    def done() -> None:  # it is written down, then it changes
        for event in answer.events:
            case.journal.add(event.name, case.now, **event.facts)
            if event.name == "withdraw":
                filing.put_aside(campaign, seat, int(str(event.facts["turn"])))
        if answer.files is not None:
            answer.files()

    return Decided(fate, [own]) if answer.refused else Decided(fate, [own], done)


# --- what everybody may ask


def _report(asked: Asked) -> Answer:
    newest = campaigns.newest(asked.campaign)
    if newest < 0:
        return Answer(("There is no report yet: the first one comes with the start of the campaign.",))
    number = "" if asked.words == "again" else asked.words
    if not re.fullmatch(r"\d{0,6}", number) or int(number or newest) > newest:
        return asked.bad("report", f"report {newest}", f" There are reports from turn 0 to turn {newest}.")
    turn = int(number or newest)
    if turn == newest and (withheld := asked.withheld()):
        return withheld
    due = deadlines.due_words(asked.campaign, asked.journal, asked.seat, turn + 1, asked.now)
    files = reporting.enclosed(asked.campaign, asked.journal, asked.seat, turn, due)
    said = f"The report of turn {turn} is attached."
    if not reporting.is_own(asked.journal, asked.seat, turn):
        said = f"The report of turn {turn} was for the player before you and has their letters in it. What the seat had and saw then is attached."
    return Answer((said,), enclosed=tuple(files), title=f"Report of turn {turn}")


def _rules(asked: Asked) -> Answer:
    said = (
        "Every table and ruling as this campaign plays them is attached. So is orders.schema.json: beside a file of orders it lets an "
        "editor complete and check them."
    )
    schema = reporting.schema_file(asked.campaign, asked.seat)
    return Answer((said,), enclosed=(reporting.rules_file(asked.campaign), schema))


# --- the words

TITLES = {  # the subjects of answers
    "status": "Who has filed for turn {turn}", "report": "No report yet", "form": "Order form of turn {turn}", "map": "The map",
    "advice": "Advice for turn {turn}", "verify": "How to prove it yourself",
    "orders": "What is filed for turn {turn}", "withdraw": "Withdrawn", "rules": "The rules", "help": "What you can ask",
    "away": "You are away", "back": "You are back", "resign": "You gave up your seat", "to": "Your letter to {argument}",
    "extend": "Turn {turn} is put off", "hold": "Turn {turn} is held", "release": "Released", "run": "Turn {turn} goes on",
    "skip": "Turn {turn} does not wait for {argument}", "accept": "Accepted", "invite": "Please confirm",
}  # fmt: skip


_ALL: Mapping[str, Callable[[Asked], Answer]] = {
    "status": status_page.answer, "report": _report, "map": players.chart, "rules": _rules, "help": help_page.answer, "orders": players.orders,
}  # fmt: skip
_PLAYERS: Mapping[str, Callable[[Asked], Answer]] = {
    "form": players.form, "advice": players.advise, "withdraw": players.withdraw, "away": players.away, "back": players.back,
    "resign": players.resign, "verify": players.prove,
}  # fmt: skip
_GMS: Mapping[str, Callable[[Asked], Answer]] = {
    "extend": gm_commands.extend, "hold": gm_commands.hold, "release": gm_commands.release, "run": gm_commands.run,
    "skip": gm_commands.skip, "accept": gm_commands.accept, "invite": confirming.invite,
}  # fmt: skip


def _theirs(seat: str) -> Mapping[str, Callable[[Asked], Answer]]:
    """The commands of that seat, or of the GM."""
    return {**_ALL, **(_GMS if seat == GM else _PLAYERS)}
