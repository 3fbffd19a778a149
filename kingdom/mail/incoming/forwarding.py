"""What people write to each other: letters, and other words, which go to the GM. The writer is told to whom the words went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.engine.dice import GM
from kingdom.mail.incoming import cures
from kingdom.mail.incoming.answer_view import CORRECT
from kingdom.mail.incoming.answers import NO_GM, answered, reply
from kingdom.mail.incoming.asking import Answer
from kingdom.mail.incoming.carrying import letters_to
from kingdom.mail.incoming.outcome import REFUSED, Case, Decided, Fate, reason
from kingdom.mail.incoming.sending import STAYS, PlayersLetter, called, delivered, reached, send, without
from kingdom.mail.outgoing import correspondence, gm_news, order_links
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.correspondence import ALL, readers_of
from kingdom.mail.outgoing.letters import Link
from kingdom.mail.outgoing.people import who
from kingdom.mail.reading import order_lines, prose
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import FILE
from kingdom.orders import orders_file


class Letters(NamedTuple):
    """Letters to several readers, and words for the GM, that came in one message. orders: the orders that the subject may be; the answer
    offers them."""

    seat: str
    letters: Sequence[PlayersLetter]
    passed_over: Sequence[str] = ()
    orders: Sequence[str] = ()

    def decided(self, case: Case) -> Decided:
        """Each letter is forwarded, and the writer is told which letter went to whom."""
        made = delivered(case, self.letters)
        names = [self.letters[0].named(case, to) for one in self.letters for to in readers_of(case.campaign, one.word)]
        typed = tuple(line for answer in made.answers for line in answer.typed)
        links = tuple(link for answer in made.answers for link in answer.links)
        said = made.said
        if self.orders:
            turn, lines = order_links.upcoming(case.campaign), ("amend: true", *self.orders)
            link = order_links.link_to(case.campaign, self.seat, turn, "Order what the subject says", lines)
            said = (*said, "Nothing is filed. If your subject was meant as orders, reply with these lines:")
            typed, links = (*typed, *lines), (*links, link._replace(lines=()))
        refused = next((answer for answer in made.answers if answer.refused), None) if not made.mails else None
        answer = refused or Answer((*self.passed_over, *said), typed, links)
        decided = answered(case, self.seat, "to", answer, ", ".join(dict.fromkeys(names)))
        if {to for one in self.letters for to in readers_of(case.campaign, one.word)} == {GM}:
            decided = decided._replace(fate=decided.fate._replace(passed_on=case.campaign.settings.gm.name))
        return decided._replace(letters=[*decided.letters, *made.mails])


class ForGm(NamedTuple):
    """Words of a player that are no order and no command: the GM gets them as a letter, and the player is told so.

    quoted: orders in the quoted text, which are not filed unless a tap files them. files: the names of attached files. orders: the
    orders that the subject may be; the answer offers them.
    """

    seat: str
    text: str
    quoted: str = ""
    files: Sequence[str] = ()
    orders: Sequence[str] = ()

    def decided(self, case: Case) -> Decided:
        """Forwarded."""
        campaign = case.campaign
        sent = letters_to(case, self.seat, GM, self.text)
        name = campaign.settings.gm.name
        said = f"Your words went to {name}{without(self.files)}, who can reply to you. Nothing in them was read as an order.{STAYS if self.files else ''}"
        said = said if sent else NO_GM
        declared = orders_file.declared(campaign.game, self.seat)
        keys, turn = {*declared.keys, *declared.short_keys}, order_links.upcoming(campaign)
        in_words = order_lines.in_prose(self.text, keys, order_lines.reader(campaign))
        orders, rest = (self.orders, []) if len(self.orders) > len(in_words.orders) else in_words
        meant = ("amend: true", *orders) if orders else ()
        meant = meant if order_links.readable(campaign, "\n".join(meant), self.seat, turn) else ()
        resigns = prose.resigns(self.text) and self.seat not in case.journal.resigned
        away = not resigns and prose.may_be_away(self.text)
        asks = [_RESIGNS] if resigns else [_AWAY] if away else []
        lines = (said, *asks, *(_left_out(rest) if meant else ()), *((_MEANT,) if meant else ()))
        quoted = order_links.in_quote(campaign, self.quoted, self.seat, turn) if self.quoted else []
        order = order_links.link_to(campaign, self.seat, turn, f"Order this: {'; '.join(orders)}"[:70], meant)
        file = order_links.link_to(campaign, self.seat, turn, "File the orders in the quoted text", quoted)
        links = [*([file] if quoted else []), *([order] if meant and order.to else [])]
        links += [making.tap(campaign, self.seat, "resign", "Give up your seat")] if resigns else []
        links += [making.tap(campaign, self.seat, "away 1", "Away for a turn")] if away else []
        answer = Answer(lines, meant, tuple(link._replace(lines=()) for link in links))
        decided = answered(case, self.seat, "to", answer, name)
        return decided._replace(fate=decided.fate._replace(passed_on=name), letters=[*decided.letters, *sent])


def _left_out(rest: Sequence[str]) -> list[str]:
    """A sentence that these words of a player are not among the offered lines."""
    said = [words for words in rest if not words.endswith(":") and not prose.says_nothing(words)]
    named = ", ".join(f"`{words[:_LONGEST_COMMAND]}`" for words in said[:_MOST_TOLD])
    more = f", and {len(said) - _MOST_TOLD} more" if len(said) > _MOST_TOLD else ""
    return [f"Left out of the lines below: {named}{more}."] if said else []


class ToAsker(NamedTuple):
    """The GM's plain reply to a mail that holds one player's requests: that player gets the reply as a letter.

    numbers: those of the requests, which stay open. If there is only one request, a tap answers it in the report as well.
    """

    seat: str
    numbers: Sequence[int]
    text: str

    def decided(self, case: Case) -> Decided:
        """Forwarded."""
        campaign = case.campaign
        sent = letters_to(case, GM, self.seat, self.text)
        name, text = who(campaign, self.seat), correspondence.forwarded_text(self.text, campaign)
        links = gm_news.answer_to(campaign, self.seat, self.numbers[0], text) if len(set(self.numbers)) == 1 else ()
        links = tuple(link for link in links if link.to)
        said = f"Sent to {name}, whose request you replied to."
        more = (
            "In the turn it stays open. To close it, with the same words in the report, reply with this line:",
            *(line for link in links for line in link.lines),
        )
        answer = Answer((said, *more[:1]) if links else (said,), more[1:] if links else (), links)
        decided = answered(case, GM, "to", answer, name)
        return decided._replace(letters=[*decided.letters, *sent])


class LetterOrOrders(NamedTuple):
    """Words for somebody that may be orders. If they were sent on, a rival would read the orders; if they were filed, they might be a joke.
    So nothing is done, and a tap does either.

    orders: the lines that may be orders, as they would be written. more: the mail holds more than the letter. unread: other lines that
    look like orders. beside: the orders beside the letter, used where `orders` is empty.
    """

    seat: str
    writer: str
    text: str
    orders: str
    more: bool = False
    unread: Sequence[str] = ()
    beside: Sequence[str] = ()

    def decided(self, case: Case) -> Decided:
        """Neither sent nor filed; the answer holds a link for each."""
        campaign, turn = case.campaign, order_links.upcoming(case.campaign)
        lines = self.orders.splitlines() or [*self.beside, *self.unread]
        names = campaigns.names_today(campaign)
        read = orders_file.read("\n".join(lines).encode(), FILE, campaign.game, names, self.seat, turn, subject=True)
        typed = {line.strip() for line in self.text.splitlines()} - {""}
        how, shown = ("the same lines", ()) if typed == {*lines} else ("these lines", tuple(lines))
        wrong = [one.message for one in read.problems[:1]]
        if self.seat == GM and "unknown_key" in [one.code for one in read.problems]:
            wrong = [f"`{lines[0][:_LONGEST_COMMAND]}` is an order of players; the GM's stand under `gm` and `tell`."]
        if not self.orders:
            wrong = [*(wrong if all(key_of(line) for line in lines) else ())]
        cured = cures.cured(campaign, self.seat, turn, "\n".join(lines), read.problems) if wrong else None
        if cured is not None and cured.whole:
            lines, how, shown = [*cured.lines], "these lines", tuple(cured.lines)
        elif wrong or not self.orders:
            how, shown = "the orders as they must be written", ()
        is_whole = not read.problems or cured is not None and cured.whole
        name = f"File them for turn {turn}" if is_whole else CORRECT
        file = order_links.link_to(campaign, self.seat, turn, name, lines)
        links = [file, *_ways(case, self.seat, self.writer, self.text)]
        title = "A letter, or orders?"
        left = "Left out of these lines" if self.orders else "Can't be read as an order"
        wrong += [f"{left}: `{line[:_LONGEST_COMMAND]}`." for line in self.unread[:_MOST_TOLD]]
        wrong += [_NOTHING_ELSE] if self.more else []
        return _asked(case, "letter_or_orders", self.seat, links, title, self.writer, (*wrong,), shown, how=how)


_NOTHING_ELSE = "Nothing else of your mail was sent or filed either: send the rest again."
_MOST_TOLD = 8  # lines
_LONGEST_COMMAND = 120  # characters of a command that is offered: a seat, an address and a name


class Unsure(NamedTuple):
    """Words that may be a command, or may be for somebody else than the person who would get them. Nothing is sent or done; a tap does
    either.

    code: of the reason, which `facts` fill. writer: who would get the words, "" for nobody yet. readers: to whom a tap sends them; if
    empty, to the writer. command: the command that the words may be. more: the mail holds more than these words.
    """

    code: str
    seat: str
    writer: str
    text: str
    readers: Sequence[str] = ()
    facts: Mapping[str, str] = {}
    command: str = ""
    more: bool = False

    def decided(self, case: Case) -> Decided:
        """Nothing is sent or done; the answer holds the links."""
        campaign, facts = case.campaign, {**self.facts}
        links = [send(case, self.seat, to, self.text) for to in self.readers]
        links = links or _ways(case, self.seat, self.writer, self.text)
        if self.command:
            facts["command"] = " ".join(self.command.split())[:_LONGEST_COMMAND]
            if self.code == "only_typed":
                links.append(making.tap(campaign, self.seat, "help"))
            else:
                subject = making.with_token(campaign, self.seat, facts["command"])
                links.insert(0, making.link(facts["command"], making.address_of(campaign), subject, ()))
        title = "A letter, or a command?" if self.command else _TITLES.get(self.code, "For whom?")
        more = [_NOTHING_ELSE] if self.more else []
        return _asked(case, self.code, self.seat, links, title, self.writer, more, **facts)


_TITLES = {"another_holds_it": "Not sent"}  # of answers


def for_whom(case: Case, text: str) -> Unsure:
    """The question for whom words of the GM are that are no order, no command and no reply to a letter."""
    seats = reached(case.campaign)
    typed = [f"`to {seat}` for {who(case.campaign, seat)}" for seat in seats]
    facts = {"readers": ", ".join([*typed, "`to all` for everybody"])}
    return Unsure("for_whom", GM, "", text, (*seats, ALL), facts)


def to_another(case: Case, seat: str, writer: str, other: str, text: str) -> Unsure:
    """The question about words for one reader that begin with the name of somebody else, `Cleo: ...`."""
    name = "everybody" if other == ALL else who(case.campaign, other)
    return Unsure("to_another", seat, writer, text, (other, writer), {"other": name, "meant": other})


def turned(
    case: Case, seat: str, readers: Sequence[str], text: str, more: bool = False, begins: bool = False
) -> Unsure | None:
    """The question about a letter to these readers that goes on as if it were for somebody else, `GM: ...`; None where it does not.

    begins: the letter has no address line, so its beginning may name somebody else, too. more: the mail holds more than the letter.
    """
    other = correspondence.addressed(case.campaign, text) if begins else ""
    if other and other not in (seat, *readers):
        return to_another(case, seat, readers[0], other, text)
    found = correspondence.turned_to(case.campaign, text, (seat, *readers))
    if found is None:
        return None
    other, line = found
    to, facts = " and ".join(readers), {"other": who(case.campaign, other), "meant": other, "line": line[:80]}
    return Unsure("letter_within", seat, to, text, (to,), facts, more=more)


def for_another(seat: str, writer: str, text: str) -> Unsure:
    """The question about a reply to a letter whose writer no longer holds the seat: the words were not meant for the new player."""
    return Unsure("another_holds_it", seat, writer, text, (writer,))


def _ways(case: Case, seat: str, to: str, text: str) -> list[Link]:
    """The links that send words to the reader `to`; where `to` is everybody, to each reader and to all."""
    readers = [*(one for one in reached(case.campaign) if one != seat), ALL] if to == ALL else [to]
    ways = [reader for reader in readers if to == ALL or making.addresses(case.campaign, reader.split(" and ")[0])]
    return [send(case, seat, reader, text) for reader in ways]


def _asked(
    case: Case,
    code: str,
    seat: str,
    links: Sequence[Link],
    title: str,
    writer: str = "",
    more: Sequence[str] = (),
    typed: Sequence[str] = (),
    **facts: str,
) -> Decided:
    """The decision to do nothing, with an answer that holds the ways on as links. title: of the answer; writer: of the letter; facts: for
    the reason; more: sentences below the reason; typed: lines below those that can be sent."""
    campaign = case.campaign
    name = called(case, writer) if writer else ""
    mail = "reply" if case.headers.is_reply else "mail"
    it = f"your {mail} reads" if writer == ALL and seat == GM else f"your {mail} would go to {name}, and it reads"
    said = reason(code, name=name, reader=writer, it=it, **facts)
    ways = [link._replace(lines=()) for link in links if link.to]
    texts = making.short(campaign.settings.name, [said, *more], typed, ways)
    own = reply(case, seat, order_links.upcoming(campaign), title, texts)
    return Decided(Fate(REFUSED, code, said, seat), [own])


_RESIGNS = "You still hold your seat. If you meant to give it up, tap the link, or reply with the line `resign`."
_AWAY = "If you will miss a deadline, reply with the line `away 1`, for a turn, or `away until` and a day."
_MEANT = "If you meant orders, reply with these lines above the quote, or tap the link:"
