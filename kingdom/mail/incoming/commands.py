"""The commands that a subject may hold, and their answers: `status`, `report N`, `help`. Commands of players alone stand in
player_commands.py, commands of the GM alone in gm_commands.py.

Each command has a function that makes its answer, or says what is wrong with the command. A command that is carried out twice changes
nothing the second time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings
from kingdom.engine.dice import GM
from kingdom.engine.problems import nearest
from kingdom.mail.incoming import accepting, gm_commands, status_page
from kingdom.mail.incoming import player_commands as players
from kingdom.mail.incoming.answers import answered
from kingdom.mail.incoming.asking import Answer, Asked, seats_in_play
from kingdom.mail.incoming.carrying import letters_to
from kingdom.mail.incoming.outcome import Case, Decided
from kingdom.mail.incoming.sending import reached, send
from kingdom.mail.outgoing import deadlines, order_links, reporting
from kingdom.mail.outgoing.correspondence import ALL
from kingdom.mail.outgoing.letters import Link, Listed
from kingdom.mail.outgoing.people import who
from kingdom.mail.reading import order_lines, repairs, terms
from kingdom.mail.reading.subjects import COMMANDS, MEANT, takes_back
from kingdom.orders import orders_file


class Command(NamedTuple):
    """A command that a seat sent: the first word of a subject, and the words behind it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """The command with its answer; refused where the argument is wrong, or where the command is not for this seat."""
        return answered(case, self.seat, self.word, self.asked(case), self.argument)

    def asked(self, case: Case) -> Answer:
        """The answer to the command."""
        asked, theirs = Asked(case, self.seat, self.argument), _theirs(self.seat)
        if self.word not in theirs:
            code = "not_for_gm" if self.seat == GM else "not_for_players"
            return Answer(refused=code, facts={"command": self.word}, links=(asked.tap("help"),))
        if self.argument and (self.word == "orders" or self.word != "help" and not COMMANDS[self.word]):
            return asked.bad(self.word, self.word)  # a command that takes no argument
        return theirs[self.word](asked)


class Reply(NamedTuple):
    """The GM's yes or no to a question of ours."""

    confirmed: gm_commands.Confirmed

    def decided(self, case: Case) -> Decided:
        """Written down. The run does what was confirmed when all mail is taken in."""
        return answered(case, GM, gm_commands.INVITE, self.confirmed.answer(case))


class CommandAndLetter(NamedTuple):
    """A command of the GM above words: it is done, and the words go to the player `to`, whose mail the GM answers.

    to: "" where the GM answers nobody's mail; then the words are not sent, and a tap for each reader sends them.
    """

    command: Command
    to: str
    text: str

    def decided(self, case: Case) -> Decided:
        """Done and forwarded. Where the command is refused, the words are not forwarded either."""
        answer = self.command.asked(case)
        campaign, name = case.campaign, who(case.campaign, self.to) if self.to else ""
        sent = letters_to(case, GM, self.to, self.text) if self.to and not answer.refused else ()
        said = f"Your words below it went to {name}." if sent else "Your words below it were not sent to anybody."
        readers = () if sent else (self.to,) if self.to else (*reached(campaign), ALL)
        links = (*answer.links, *(send(case, GM, reader, self.text)._replace(lines=()) for reader in readers))
        answer = answer._replace(lines=(*answer.lines, said), links=links)
        decided = answered(case, GM, self.command.word, answer, self.command.argument)
        return decided._replace(letters=[*decided.letters, *sent])


def misspelt(seat: str, words: str) -> Command | Unknown | None:
    """The command that a text of a single line probably means: a misspelt command, other words for one, or one without its argument. None
    for any other text, which is for a person."""
    word, _, argument = " ".join(words.split()).partition(" ")
    if "\n" in words.strip() or not word:
        return None
    if word.lower() in _theirs(seat) and not argument:
        return Command(seat, word.lower(), "")  # `accept` alone: the answer says what it takes
    if "withdraw" in _theirs(seat) and takes_back(words):
        return Unknown(seat, word, argument)
    near = nearest(word.lower(), [one for one in _theirs(seat) if one != "resign"])
    return Unknown(seat, word, argument) if near and re.fullmatch(COMMANDS[near], argument.lower()) else None


class Unknown(NamedTuple):
    """A subject that is no command: probably a misspelt one, which a tap sends; or one without a text below it."""

    seat: str
    word: str
    argument: str

    def decided(self, case: Case) -> Decided:
        """Refused, with the nearest command; where none is near, with the list of all commands."""
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
            answer, facts = _help(asked), {"word": self.word[:60], "cure": cure}
        else:
            near, argument = self._near()
            if near == "report" and argument.isdecimal() and int(argument) > campaigns.newest(case.campaign):
                argument = ""  # that turn was not played
            more = "It lists all of them." if near == "help" else "Write `help` as the subject for all of them."
            facts = {"word": self.word[:60], "cure": f"Did you mean `{near}`? {more}" if near else more}
            meant = dict.fromkeys((f"{near} {argument}".strip(), "help"))
            answer = Answer(links=tuple(map(asked.tap, meant))) if near else _help(asked)
        refused = answer._replace(refused="unknown_command", facts=facts)
        return answered(case, self.seat, "unknown_command", refused)

    def _typed(self, case: Case) -> str:
        """The command if it is one that is typed where the campaign lies and can't be mailed; else ""."""
        words = f"{self.word} {self.argument}".strip()
        if takes_back(words):
            return ""
        words = words[len("kingdom ") :] if words.lower().startswith("kingdom ") else words
        known = terms.terms_of(case.campaign, self.seat).get(words.partition(" ")[0].lower(), ())
        return words[:60] if any(one.kind == terms.TYPED for one in known) else ""

    def _near(self) -> tuple[str, str]:
        """(the command that was probably meant, the words behind it if it takes them); `resign` is never proposed."""
        words = (self.word, *self.argument.split())
        known = [word for word in (*_theirs(self.seat), "to") if word != "resign"]
        near = (
            ("withdraw" if takes_back(f"{self.word} {self.argument}") else MEANT.get(self.word.lower()))
            or nearest(self.word.lower(), known)
            or next((word for word in map(str.lower, words) if word in known), "")
        )
        argument = " ".join(words[1:])[:60] if near != self.word.lower() else ""
        takes = COMMANDS.get(near, "")
        return near, argument if near and re.fullmatch(takes, argument.lower()) else ""

    def _orders(self, case: Case) -> list[str]:
        """The orders in the subject, `final` or `farm 0404, tax light`; [] where the subject is no orders."""
        declared = orders_file.declared(case.campaign.game, self.seat)
        reads, said = order_lines.reader(case.campaign), f"{self.word} {self.argument}".strip()
        key, argument, _ = repairs.parts(said, {*declared.keys, *declared.short_keys})
        alone = repairs.fixed(key, argument, reads, True) if key else ""
        orders = order_lines.several_in(said, order_lines.keys_of(case.campaign, self.seat), reads) or [alone]
        turn = order_links.upcoming(case.campaign)
        return orders if order_links.readable(case.campaign, "\n".join(orders), self.seat, turn) else []


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
    said = "The rules as this campaign plays them are attached, every table and ruling, as a page to open in a browser."
    file = reporting.rules_file(asked.campaign)
    if file.kind != "text/html":
        said = "Every table and ruling as this campaign plays them is attached."
    return Answer((said,), enclosed=(file,))


def _schema(asked: Asked) -> Answer:
    file = reporting.schema_file(asked.campaign, asked.seat)
    said = (
        f"{file.name} is attached. Keep your orders in a file beside it whose first line is the one below. Then an editor that knows YAML "
        "(VS Code, IntelliJ, Neovim and others) completes and checks them as you type."
    )
    return Answer((said,), (orders_file.EDITOR_LINE,), enclosed=(file,))


# --- what `help` says: every word in groups, each with what it does and a link that sends it


class Meaning(NamedTuple):
    """A line of `help`. tap: what its link sends; "" where a link would be no use, as the text is still to be written."""

    subject: str
    means: str
    tap: str


_SHOWN = (
    Meaning("status", "who has filed, and when orders are due", "status"),
    Meaning("report N", "the report of turn N; `report again`: the newest", "report again"),
    Meaning("map", "the map as you know it", "map"),
    Meaning("rules", "the rules as this campaign plays them, as a page", "rules"),
    Meaning("schema", "a file by which an editor completes and checks your orders", "schema"),
)
_PLAYERS_HELP: Mapping[str, tuple[Meaning, ...]] = {
    "YOUR ORDERS": (
        Meaning("orders", "what is filed, to look at or to change", "orders"),
        Meaning("form", "the order form", "form"),
        Meaning("advice", "plans for your next turn, each with its price and its odds", "advice"),
        Meaning("try", "above orders: what they would do; nothing is filed", ""),
        Meaning("withdraw", "takes back what is filed for the next turn", "withdraw"),
    ),
    "TO LOOK AT": (
        *_SHOWN,
        Meaning("verify", "a program by which you prove dice and history from your mails", "verify"),
    ),
    "OTHER PEOPLE": (
        Meaning("to NAME", "the text goes to that player, or kingdom, at once", ""),
        Meaning("to all", "the text that you write into the mail goes to everybody", "to all"),
        Meaning("to gm", "the text that you write into the mail goes to the GM", "to gm"),
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
        Meaning(
            "extend 2d", "the deadline is put off by 2 days (h: hours); `extend back` takes that back", "extend 2d"
        ),
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
        Meaning("invite SEAT ADDRESS NAME", "gives a seat to a player, or hands it on, once you said yes", ""),
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
    taps: list[Link] = []
    listed: list[Listed] = []  # the same for a page: each word with what it does, and as a button where a tap does it
    for group, ones in groups.items():
        typed += [*([""] if typed else []), group]
        listed.append(Listed(heading=group))
        for one in ones:
            link = _tap(asked, one.tap)
            taps += [link._replace(reply="")] if link else []  # the text has them all
            word = one.subject if link is None or link.name.startswith("to ") else link.name
            typed.append(f"{one.subject.ljust(size)}  {one.means}")
            listed.append(Listed(word, one.means, link.to if link else ""))
    return Answer((f"{reply} {other}",), tuple(typed), tuple(taps), listed=tuple(listed))


def _tap(asked: Asked, word: str) -> Link | None:
    """The link of a line of `help`; None where there is nothing that it could send now."""
    if word == "accept N":
        newest = next(accepting.acceptable(asked), None)
        return asked.tap(newest[0]) if newest else None
    if word == "skip KINGDOM":
        filed = filings.filed(filings.folder_of(asked.campaign.folder, asked.turn))
        missing = next((seat for seat in seats_in_play(asked.campaign) if seat not in filed), "")
        return asked.tap(f"skip {missing}") if missing else None
    return asked.tap(word, word) if word else None


_ALL: Mapping[str, Callable[[Asked], Answer]] = {
    "status": status_page.answer, "report": _report, "map": players.chart, "rules": _rules, "schema": _schema, "help": _help, "orders": players.orders,
}  # fmt: skip
_PLAYERS: Mapping[str, Callable[[Asked], Answer]] = {
    "form": players.form, "advice": players.advise, "withdraw": players.withdraw, "away": players.away, "back": players.back,
    "resign": players.resign, "verify": players.prove,
}  # fmt: skip
_GMS: Mapping[str, Callable[[Asked], Answer]] = {
    "extend": gm_commands.extend, "hold": gm_commands.hold, "release": gm_commands.release, "run": gm_commands.run,
    "skip": gm_commands.skip, "accept": accepting.by_mail, "invite": gm_commands.invite,
}  # fmt: skip


def _theirs(seat: str) -> Mapping[str, Callable[[Asked], Answer]]:
    """The commands of that seat, or of the GM."""
    return {**_ALL, **(_GMS if seat == GM else _PLAYERS)}
