"""Tells what a mail wants: orders, letters, a command, or words for a person. Where that is not plain, the writer is asked.

Each kind of mail is an intent, a record with its answer beside it: answers.py, file_orders.py, commands.py, forwarding.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.problems import nearest
from kingdom.mail.incoming import filing, gm_commands
from kingdom.mail.incoming.answers import Unproved, Unread
from kingdom.mail.incoming.commands import Command, CommandAndLetter, Reply, Unknown, misspelt
from kingdom.mail.incoming.file_orders import FileOrders, Unreadable
from kingdom.mail.incoming.forwarding import (
    ForGm,
    LetterOrOrders,
    Letters,
    ToAsker,
    Unsure,
    for_another,
    for_whom,
    to_another,
    turned,
)
from kingdom.mail.incoming.outcome import IGNORED, Case, Intent
from kingdom.mail.incoming.proof import Sender
from kingdom.mail.incoming.sending import PlayersLetter
from kingdom.mail.outgoing import correspondence, gm_news, letters, order_links, outbox
from kingdom.mail.reading import changes, order_lines, our_subjects, prose, repairs, slips, subjects, terms
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import Found, Standing
from kingdom.orders import orders_file


class Parsed(NamedTuple):
    """A message whose texts were read. wants: what stands in it, whoever its writer is; filing: its orders, None for none."""

    wants: Found
    filing: orders_file.Filing | None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words in the message that may be tokens."""
        return (*self.wants.tokens, *((self.filing.token,) if self.filing and self.filing.token else ()))

    @property
    def kingdom(self) -> str:
        """The kingdom that the message names, "" for none."""
        return (self.filing.kingdom if self.filing else "") or self.wants.kingdom


def unproved(case: Case, parsed: Parsed, sender: Sender, recalls: bool) -> Intent:
    """The intent of a mail that is not proved. recalls: it asks for the deletion of an earlier mail."""
    if sender.listed and recalls:
        return Unproved(sender._replace(code="recalled"))
    words = "" if sender.seat == GM else _for_the_gm_alone(case, parsed)
    if sender.listed and not words and _is_greeting(case, parsed):
        return Unread(IGNORED, "courtesy", seat=sender.seat)
    return Unproved(sender, words)


def _for_the_gm_alone(case: Case, parsed: Parsed) -> str:
    """The words of an unproved mail that the GM may read: everything but letters to other players."""
    wants, readers = parsed.wants, partial(correspondence.readers_of, case.campaign)
    if wants.letters:
        letters = (one.text for one in wants.letters if readers(one.to) == (GM,))
        return "\n\n".join(filter(None, (*letters, wants.prose)))
    is_private = wants.command == "to" and readers(wants.argument) != (GM,)
    return "" if is_private else _about(case, parsed)


def meant(case: Case, parsed: Parsed, sender: Sender) -> Intent:
    """What a proved sender wants. These are stages, no rules of equal rank: first counts which mail is answered, then what the mail holds."""
    wants, seat = parsed.wants, sender.seat
    added = _added(case, sender)
    if _is_for_a_person(case, sender.seat, wants, added):
        wants = wants._replace(prose="\n\n".join(filter(None, (added, wants.prose))))
        parsed = parsed._replace(wants=wants)
    elif added and parsed.filing is not None and _orders_in_subject(case, seat, wants, added):
        said = f"This stood in the subject, so it was not ordered: `{added[:200]}`. To order it, write it into a mail."
        wants = wants._replace(passed_over=(*wants.passed_over, said))
        parsed = parsed._replace(wants=wants)
    if seat == GM and (reply := gm_commands.confirmed(case, sender.mail, wants.own)):
        return Reply(reply)
    if wants.letters:
        return _with_letters(case, parsed, sender)
    if letter := _command_above_words(case, parsed, sender) or _reply_to_a_letter(case, parsed, sender):
        return letter
    if wants.kind == "command" and not (case.headers.is_reply and _is_no_reader(case, wants)):
        is_letter = wants.command == "to"
        return _letter(case, wants, seat) if is_letter else Command(seat, wants.command, wants.argument)
    if parsed.filing is not None:
        return FileOrders(sender, wants, parsed.filing)
    return _without_orders(case, parsed, sender, added)


def _without_orders(case: Case, parsed: Parsed, sender: Sender, added: str) -> Intent:
    """What a message without orders that could be filed wants: it holds words for a person, or may have been meant as orders."""
    wants, seat = parsed.wants, sender.seat
    words = _about(case, parsed)
    if seat != GM and wants.code in FOR_PEOPLE and (whole := _changed(case, seat, words or added)).lines:
        return LetterOrOrders(seat, GM, words or added, "\n".join(whole.lines), unread=whole.left)
    if not wants.prose and _orders_in_subject(case, seat, wants, added):
        first, _, rest = (added or subjects.plain_subject(case.headers.subject)).partition(" ")
        return Unknown(seat, first, rest)
    if wants.code == "only_quoted" and seat != GM and "\n" not in words.strip() and "?" not in words:
        words = ""  # a remark above a quote, such as `I hope that's right`
    if words and wants.code in FOR_PEOPLE:
        return _words(case, parsed, sender, words)
    if wants.code == "unknown_command":
        return Unknown(seat, wants.command, wants.argument)
    if _is_greeting(case, parsed):
        return Unread(IGNORED, "courtesy", seat=seat)
    facts = {"sender": seat, **wants.facts}
    passed_over = wants.passed_over
    return Unreadable(wants.code or "no_orders", seat, facts, words if seat != GM else "", passed_over, wants.tries)


def _words(case: Case, parsed: Parsed, sender: Sender, words: str) -> Intent:
    """The intent of words for a person. Where the words may be an order or a command, the writer is asked."""
    wants, seat = parsed.wants, sender.seat
    asker, numbers = _asker(case, sender) if seat == GM else (GM, ())
    slip = _slip(case, words, seat, asker)
    if (slip is None or slip.kind == terms.COMMAND) and (unknown := misspelt(seat, words)):
        return unknown
    if slip is not None:
        return _asked(slip, seat, asker or correspondence.ALL, words)
    if seat != GM and (taken := subjects.taking_back_above(wants.own)):
        return Unsure("letter_or_command", seat, GM, wants.own, command=taken)
    if seat != GM:
        own = wants.own if wants.own.strip() else words
        if (other := correspondence.addressed(case.campaign, own)) in case.campaign.seats and other != seat:
            return to_another(case, seat, GM, other, own)
        orders = _orders_in_subject(case, seat, wants, "")
        return ForGm(seat, words, str(wants.facts.get("quoted", "")), wants.files, orders)
    return ToAsker(asker, numbers, words) if asker else for_whom(case, words)


def _added(case: Case, sender: Sender) -> str:
    """What the writer of a reply put beside the subject of our mail; "" for nothing."""
    subject, answered = subjects.plain_subject(case.headers.subject), sender.mail
    turn = our_subjects.turn_of(subject)
    if not case.headers.is_reply or not answered and turn is None:
        return ""
    if not answered:  # a program that names no mail that it answers
        sent = case.journal.mails.items()
        reports = (
            id
            for id, mail in sent
            if (mail["kind"], mail.get("kingdom"), mail["turn"]) == ("report", sender.seat, turn)
        )
        answered = next(reports, "")
    ours = subjects.plain_subject(str(outbox.mail_of(case.campaign, answered)["Subject"] or "")) if answered else ""
    added = our_subjects.beside(subject, ours)
    if added is None:  # another subject than ours
        added = subject if sender.mail and ours and "?" in subject else ""
    return added if any(map(str.isalpha, added)) else ""


def _is_for_a_person(case: Case, seat: str, wants: Found, added: str) -> bool:
    """Whether words beside our subject are a question or say something, and are neither orders nor what announces them."""
    says = prose.says_more(added) and not prose.announces(added)
    return "?" in added or says and not _orders_in_subject(case, seat, wants, added)


def _changed(case: Case, seat: str, words: str) -> changes.Change:
    """The orders for the next turn after a change that the words describe; without lines where the words describe no change."""
    turn = order_links.upcoming(case.campaign)
    there = filing.standing(case.campaign, case.journal, seat, turn, case.now) if words else Standing()
    if not there.data or there.of_another:
        return changes.Change()
    filed = order_links.readable(case.campaign, there.data.decode("utf-8", "replace"), seat, turn)
    keys, reads = order_lines.keys_of(case.campaign, seat), order_lines.reader(case.campaign)
    orders_of = partial(order_lines.orders_of, keys=keys, reads=reads)
    return changes.proposed(words, order_links.short(case.campaign, filed), reads, orders_of)


def _orders_in_subject(case: Case, seat: str, wants: Found, added: str) -> list[str]:
    """The orders that stand in the subject; of a reply in what was added to the subject."""
    subject = added or ("" if case.headers.is_reply else subjects.plain_subject(case.headers.subject))
    if wants.kingdom or "?" in subject:
        return []
    keys, reads = order_lines.keys_of(case.campaign, seat), order_lines.reader(case.campaign)
    orders = repairs.merged("\n".join(order_lines.several_in(subject, keys, reads)), keys, reads)
    return [order for order in orders.split("\n") if order]


def _with_letters(case: Case, parsed: Parsed, sender: Sender) -> Intent:
    """The intent of a message that holds letters, each to the reader that its first line names, with all else that the message holds."""
    wants, seat = parsed.wants, sender.seat
    for one in wants.letters:
        readers = correspondence.readers_of(case.campaign, one.to)
        if seat in readers or {*readers} <= {GM}:
            continue
        alone = len(wants.letters) == 1 and not wants.text.strip()
        if one.orders or one.unread:
            beside, lines = _orders_beside(parsed), _with_orders_beside(case, parsed, seat, one.orders)
            return LetterOrOrders(seat, " and ".join(readers), one.text, lines, not alone, one.unread, beside)
        if (whole := _changed(case, seat, one.text)).lines and not whole.left:
            lines = _with_orders_beside(case, parsed, seat, whole.lines)
            return LetterOrOrders(seat, " and ".join(readers), one.text, lines, not alone)
        if asked := _asked_about(case, seat, readers, one.text, not alone):
            return asked
    letters = [PlayersLetter(seat, one.to, one.text, wants.files, wants.left_out) for one in wants.letters]
    writer, mail = _writer(case, sender)
    rest = wants.text.strip() if parsed.filing is None else ""
    if writer and writer != GM and (rest or parsed.filing is not None):
        slip = slips.Slip(terms.ORDER, wants.text) if parsed.filing is not None else _slip(case, rest, seat, writer)
        if slip is not None:
            return _asked(slip, seat, writer, wants.own)
        if correspondence.has_left(case.campaign, case.journal, mail):
            return for_another(seat, writer, wants.own)
        return Letters(
            seat, [PlayersLetter(seat, writer, rest, wants.files, wants.left_out), *letters], wants.passed_over
        )
    if parsed.filing is not None:
        return FileOrders(sender, wants, parsed.filing, letters)
    if wants.code not in FOR_PEOPLE:
        facts = {"sender": seat, **wants.facts}
        words = wants.prose if seat != GM else ""
        return Unreadable(wants.code, seat, facts, words, wants.passed_over, wants.tries, letters)
    if wants.prose and seat != GM:
        letters.append(PlayersLetter(seat, GM, wants.prose))
    orders = _orders_in_subject(case, seat, wants, "")
    left = [f"Not sent, since it says not for whom it is: `{wants.prose[:200]}`."] if wants.prose and seat == GM else []
    return Letters(seat, letters, [*wants.passed_over, *left], orders)


def _orders_beside(parsed: Parsed) -> list[str]:
    """The lines of orders beside letters. Where the writer is asked about a letter, these are not filed either."""
    return [line for line in parsed.wants.text.split("\n") if line.strip()] if parsed.filing is not None else []


def _with_orders_beside(case: Case, parsed: Parsed, seat: str, orders: Sequence[str]) -> str:
    """The orders that may stand in a letter, together with the orders beside it; "" where the letter holds none."""
    keys, reads = order_lines.keys_of(case.campaign, seat), order_lines.reader(case.campaign)
    return repairs.merged("\n".join([*_orders_beside(parsed), *orders]), keys, reads) if orders else ""


def _letter(case: Case, wants: Found, seat: str) -> Intent:
    """The intent of a letter to somebody by name. Where another player would read orders in it, the writer is asked."""
    readers = correspondence.readers_of(case.campaign, wants.argument)
    if not wants.as_it_is and (asked := _asked_about(case, seat, readers, wants.text)):
        return asked
    return Letters(
        seat, [PlayersLetter(seat, wants.argument, wants.text, wants.files, wants.left_out)], wants.passed_over
    )


def _asked_about(case: Case, seat: str, readers: Sequence[str], text: str, more: bool = False) -> Intent | None:
    """The question about a letter to these readers that may be an order or a command, or may be for somebody else; None where there is
    no doubt. more: the mail holds more than the letter."""
    if seat in readers or {*readers} <= {GM}:
        return None
    first = text.strip().partition("\n")[0].strip(" .!:").lower()
    keys, reads = order_lines.keys_of(case.campaign, seat), order_lines.reader(case.campaign)
    table = cache(lambda: terms.terms_of(case.campaign, seat))
    slip = None if first in _ANSWERS else slips.in_letter(text, keys, reads, table)
    if slip is not None:
        return _asked(slip, seat, " and ".join(readers), text, more)
    return turned(case, seat, readers, text, more)


def _command_above_words(case: Case, parsed: Parsed, sender: Sender) -> Intent | None:
    """A reply of the GM that begins with a command and goes on in words; None for any other."""
    line = subjects.gm_command_above(parsed.wants.own) if sender.seat == GM and case.headers.is_reply else None
    if line is None or parsed.wants.kind == "command" or parsed.filing is not None:
        return None
    writer, mail = _writer(case, sender)
    if writer and correspondence.has_left(case.campaign, case.journal, mail):
        return None
    to = writer or _asker(case, sender)[0]
    to = "" if to and _slip(case, line.text, GM, to) else to
    return CommandAndLetter(Command(GM, line.command, line.argument), to, line.text)


def _asker(case: Case, sender: Sender) -> tuple[str, tuple[int, ...]]:
    """(the player whose requests the GM replies to, the numbers of the requests); "" where the mail of ours holds no player's, or several
    players'."""
    mail = sender.mail if case.headers.is_reply else ""
    seat, numbers = gm_news.asker_in(outbox.text_of(case.campaign, mail)) if mail else ("", ())
    known = seat in case.campaign.seats and bool(letters.addresses(case.campaign, seat))
    return (seat, numbers) if known else ("", ())


# codes of messages without orders: the words are for a person
FOR_PEOPLE = ("", "no_orders", "only_quoted", "unknown_command")


def _reply_to_a_letter(case: Case, parsed: Parsed, sender: Sender) -> Intent | None:
    """What a reply to somebody's letter wants; None if the message answers no letter, or is for the campaign alone.

    Orders and commands never go to a rival before the writer was asked. Between a player and the GM there is nothing to give away, so
    orders and commands are carried out.
    """
    wants, seat = parsed.wants, sender.seat
    writer, mail = _writer(case, sender)
    is_command = wants.kind == "command" and (
        not _is_no_reader(case, wants) if wants.command == "to" else seat == GM or wants.command not in _ANSWERS
    )
    if not writer or not wants.own.strip() or is_command and (wants.command == "to" or GM in (seat, writer)):
        return None
    if is_command:
        return Unsure("letter_or_command", seat, writer, wants.own, command=wants.own)
    first = wants.own.strip().partition("\n")[0].strip(" .!:").lower()
    slip = None if seat != GM and first in _ANSWERS else _slip(case, wants.own, seat, writer)
    is_gone = correspondence.has_left(case.campaign, case.journal, mail)
    turns = turned(case, seat, (writer,), wants.own, begins=True) if writer != GM and not is_gone else None
    if turns and (seat != GM or slip is None and parsed.filing is None):
        return turns
    filed = "" if parsed.filing is None else "\n".join(filter(str.strip, wants.text.splitlines()))
    if filed and (slip is None or slip.kind != terms.ORDER):
        slip = slips.Slip(terms.ORDER, filed)
    is_read = parsed.filing is not None and not wants.prose or wants.code in ("no_colon", "no_key", "left_over")
    if slip is not None and (writer == GM or seat == GM and slip.kind == terms.ORDER and is_read):
        return None
    if is_gone:
        return for_another(seat, writer, wants.own)
    if slip is not None:
        return _asked(slip, seat, writer, wants.own)
    return Letters(seat, [PlayersLetter(seat, writer, wants.own, wants.files, wants.left_out)], wants.passed_over)


_ANSWERS = ("back", "hold", "release")  # commands that are also words between players: `Are you away?` - `Back.`


def _is_no_reader(case: Case, wants: Found) -> bool:
    """Whether a reply begins like a letter but is none, `to be honest`. `to Bem` where there is a Ben is a misspelt name: the writer is
    asked."""
    if wants.command != "to" or correspondence.readers_of(case.campaign, wants.argument):
        return False
    named, seats = correspondence.named(case.campaign), {*case.campaign.seats}
    people = [name for name, readers in named.items() if name and not seats.isdisjoint(readers)]
    return not nearest(names.compared(wants.argument), people)


def _writer(case: Case, sender: Sender) -> tuple[str, str]:
    """(who wrote the letter that a message answers, the mail that carried the letter); "" if the message answers no letter.

    The nearest mail of ours decides; a letter farther up in the thread does not count.
    """
    mail = sender.mail
    writer = correspondence.writer_of(case.journal, mail) if mail else ""
    return (writer, mail) if writer and writer != sender.seat else ("", "")


def _slip(case: Case, text: str, seat: str, to: str) -> slips.Slip | None:
    """The order or command that words for a person may be; None for none. to: who would read the words."""
    campaign = case.campaign
    if seat == GM and to in campaign.seats and (invites := gm_commands.invitation_in(campaign, to, text)):
        return slips.Slip(terms.COMMAND, invites)
    keys, reads = order_lines.keys_of(campaign, seat), order_lines.reader(campaign)
    return slips.slip_in(text, keys, reads, cache(lambda: terms.terms_of(campaign, seat)), to in campaign.seats)


def _asked(slip: slips.Slip, seat: str, to: str, text: str, more: bool = False) -> Intent:
    """The question about words that may be an order or a command. to: who would get the words as a letter; more: the mail holds more."""
    if slip.kind == terms.ORDER:
        if not any(map(key_of, slip.said.splitlines())):
            return LetterOrOrders(seat, to, text, "", more, (slip.said,))
        return LetterOrOrders(seat, to, text, slip.said, more)
    code = "letter_or_command" if slip.kind == terms.COMMAND else "only_typed"
    return Unsure(code, seat, to, text, command=slip.said, more=more)


def _is_greeting(case: Case, parsed: Parsed) -> bool:
    """Whether a message holds only a greeting, thanks or the like, and its subject announces no orders."""
    wants = parsed.wants
    if wants.letters or wants.kingdom and not case.headers.is_reply:
        return False
    said = wants.own.strip() and not wants.prose and parsed.filing is None
    return bool(said) and wants.kind != "command" and wants.code in ("", "no_orders")


def _about(case: Case, parsed: Parsed) -> str:
    """The words for a person. Above them stands the subject, if the writer chose it and it says something."""
    wants, subject = parsed.wants, subjects.plain_subject(case.headers.subject)
    if case.headers.is_reply or not subject or wants.kingdom:
        return wants.prose
    asked = wants.code == "unknown_command" and "?" in subject and " " in subject  # a question with nothing below it
    if prose.says_more(subject) and not wants.prose and (asked or _is_greeting(case, parsed)):
        return f"{subject}\n\n{wants.own}".strip()
    return f"{subject}\n\n{wants.prose}" if wants.prose else ""
