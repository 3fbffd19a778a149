"""What becomes of a message. Each message is an intent, a record of what its writer wants; the intent decides the fate and the answer.

REASONS holds every sentence about a message that is not taken as it came. The sentences are for people, each with a cure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from kingdom.campaign.campaign import Campaign
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Problem
from kingdom.engine.step import Orders
from kingdom.mail import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing.letters import Link
from kingdom.mail.records import Headers, Letter, Standing

ACCEPTED, REFUSED, IGNORED, DUPLICATE = "accepted", "refused", "ignored", "duplicate"
# orders that were only to be tried and would be filed; the journal calls them accepted
TRIED = "tried"


class Message(NamedTuple):
    """A message as it was taken in. seen: when it was first seen."""

    digest: str
    data: bytes
    seen: datetime

    @property
    def answer(self) -> str:
        """The id of the mail that answers the message."""
        return f"answer-{self.digest[:16]}"


class Case(NamedTuple):
    """A message whose headers were read, with the campaign that it came to."""

    campaign: Campaign
    journal: Journal
    message: Message
    headers: Headers
    now: datetime

    @property
    def came(self) -> datetime:
        """When the message came."""
        return reading.arrival(self.headers, self.message.seen, self._server)

    @property
    def time(self) -> datetime:
        """When the message counts as written."""
        return reading.time_of(self.headers, self.message.seen, self._server)

    @property
    def _server(self) -> str:
        """The name of the campaign's receiving server, "" where campaign.yaml names none."""
        mail = self.campaign.settings.mail
        return mail.authserv_id if mail else ""


class Fate(NamedTuple):
    """What becomes of a message, for the journal and for the answer.

    outcome, code, reason: how the journal calls it. how: a sentence that tells the writer what to do about the reason. seat: the sender's,
    "" where it is not known. error: the error over which the program failed.
    text: the orders as they were sent; problems: those in `text`, by its lines; wanted: the orders that stand now, in the long form;
    filed: the bytes to be filed, None for none; before: what was filed before; amended: `before` is part of `wanted`; lost: the orders
    of `before` that no longer stand; keys: the keys in the message itself; quoted: orders that stood only in quoted text. tries: the
    orders were only to be tried, and so are the orders that the answer proposes. holds_orders: the message is refused, but the GM's
    `accept` could file it.
    cures: links that do what was probably meant; next: the turn for which refused orders can be filed instead, 0 for none.
    to_gm: the texts of `messages` to the GM; words: the words beside the orders; passed_on: to whom both went. passed_over: a sentence
    for each thing that did not count as an order.
    """

    outcome: str
    code: str = ""
    reason: str = ""
    seat: str = ""
    turn: int = 0
    problems: tuple[Problem, ...] = ()
    text: str = ""
    wanted: Orders | None = None
    filed: bytes | None = None
    before: Standing = Standing()
    amended: bool = False
    lost: Orders = {}
    keys: frozenset[str] = frozenset()
    quoted: str = ""
    cures: tuple[Link, ...] = ()
    next: int = 0
    error: str = ""
    to_gm: tuple[str, ...] = ()
    passed_on: str = ""
    words: str = ""
    passed_over: tuple[str, ...] = ()
    how: str = ""
    headers: Headers = Headers()
    holds_orders: bool = False
    tries: bool = False

    @property
    def became(self) -> str:
        """What became of the message, in a few words."""
        return became(self.outcome, self.code, bool(self.passed_on))


ASKED = frozenset((  # codes of messages whose writers are asked what they meant
    "no_colon", "no_key", "left_over", "hash", "unclear", "rest_stays", "no_reader", "for_whom", "to_another", "letter_within", "another_holds_it",
    "letter_or_command", "letter_or_orders", "only_typed", "unknown_command",
))  # fmt: skip


def became(outcome: str, code: str, is_for_gm: bool = False) -> str:
    """What became of a message, in a few words. outcome, code: as in the journal; is_for_gm: the message held only words for the GM."""
    if outcome == ACCEPTED:
        words = "passed on to the GM" if is_for_gm else "sent on"
        return {"": "filed", "late": "filed", "to": words, "try": "tried"}.get(code, "answered")
    return "asked" if outcome == REFUSED and code in ASKED else outcome


class Decided(NamedTuple):
    """What was decided about a message. letters: the mails to send, the answer first.

    done: does the rest when the message is carried out; if a killed run repeats it, the result is the same.
    """

    fate: Fate
    letters: Sequence[Letter] = ()
    done: Callable[[], object] = lambda: None


class Intent(Protocol):
    """What a message wants. Nothing changes before the message is carried out."""

    def decided(self, case: Case) -> Decided:
        """What becomes of the message. Raises Faults where the campaign itself is broken."""


REASONS: dict[str, str] = {
    # nobody's orders: never answered
    "machine": "A machine sent this ({why}).",
    "ourselves": "This came from the campaign's own address.",
    "bounce": "A mail to {address} could not be delivered.",
    "bad_from": "Its From line names no single address. Write your name there without commas, colons and brackets, or in quotes.",
    "stranger": "Nobody in this campaign has this address.",
    "unlisted_address": "The token is {kingdom}'s, but the address is not on {kingdom}'s list.",
    "courtesy": "It asks for nothing.",
    "copy": "The same message was taken before.",
    # not proved: one line to the listed address
    "no_token": "Nothing in it proves that you wrote it. Send it again as a reply to a mail of this campaign, or with the token of your welcome mail in brackets in its subject.",
    "wrong_token": "The token in it is not yours. Reply to the newest mail of this campaign instead.",
    "not_vouched": "The receiving server could not confirm that it came from your address. Send it by your provider's own server.",
    "seat_without_token": "Your seat has no token, so it can't send orders by mail. Ask the GM for one.",
    "which_seat": "Your address has several seats, and the message does not say for which it is. Name the kingdom in the subject.",
    # what it came as
    "too_large": "The message has {size} MB; at most {most} MB are read. Send the orders alone.",
    "too_many_parts": "The message has more than {most} parts. Send the orders as plain text.",
    "too_deep": "The parts of the message are nested more than {most} levels deep. Send the orders as plain text.",
    "only_tnef": "The message holds only a winmail.dat, which only Outlook can read. Set Outlook to send plain text or HTML.",
    "opaque_signed": "The text of the message is packed into its signature (smime.p7m). Set your program to sign in clear text, or send it unsigned.",
    "too_much_text": "The text of the message has more than {most} thousand characters, or more lines than a mail has. Send the orders alone.",
    "other_file": "The orders are not in the text, and the attached file `{name}` is none that is read: it must end in .yaml, .yml or .txt. Write the orders into the mail.",
    "file_encoding": "The attached file `{name}` is not in UTF-8, so its letters can't be told. Save it as UTF-8, or write the orders into the mail.",
    "encrypted": "The message is encrypted, and nobody here can read it. Send it signed or plain.",
    "no_text": "There is no text in the message. Write the orders into the mail, or attach one .yaml or .txt file.",
    "too_often": "More than {most} messages came from your address within an hour. Wait an hour; what was filed before stands.",
    # what stands in it
    "two_sets": "There are two sets of orders in the message ({where}). Send one.",
    "only_quoted": "The orders stand only in quoted or forwarded text, which never counts. Write them above the quote.",
    "unclear": "Inside quoted text stands what looks like an order of yours: `{line}`. Nothing of the mail is filed. Write all orders above the quote.",
    "no_colon": "`{line}` has no colon, so it may be a sentence. If it is an order, write `{cure}`.",
    "left_over": "`{behind}` stands behind an order and is no part of it. If you meant the order alone, write `{cure}`.",
    "no_key": "Not understood: {lines}. Each order begins with its word. {cure}",
    "hash": "Behind `#` nothing is read, so a part of `{line}` would be lost. If you meant it, write `{cure}`.",
    "recalled": "Outlook's recall takes nothing back here: what you sent before stands. To take back the orders that are filed, reply with the line `withdraw`; a letter that went out stays with its readers.",
    "no_orders": "There are no orders in the message. Write them above the quote, such as `taxation: light`.",
    "problems": "{count} in the orders, so none of them is filed.",
    "subject_disagrees": "The subject says {subject}, the orders say {orders}. Let them agree, or leave one of them out.",
    "other_kingdom": "These are orders for {kingdom}, and your seat is {seat}.",
    "expired": "What proves that you wrote it is the token of turn {turn}, which is over, so no orders can be filed with it.",
    "past_turn": "Turn {turn} is resolved already. Orders are now taken for turn {next}.",
    "too_far_ahead": "Turn {turn} is too far ahead: orders are kept up to turn {last}.",
    "late": "Orders for turn {turn} came {late} after the deadline: on {came}.",
    "missed": "Your orders for turn {turn} came in time, but the mailbox could not be read, and the turn was run without them. The GM is told.",
    "no_turn": "Your orders don't say for which turn they are.",
    "withdrawn_since": "You took your orders for turn {turn} back after you wrote this mail, so it files nothing.",
    "not_withdrawn": "The deadline of turn {turn} ({deadline}) has passed, so what is filed for it stands.",
    "taken_back": "Turn {turn} was taken back to be corrected and keeps the orders that it had; new ones count for turn {next}.",
    "over": "The campaign is over: {reason}.",
    "rest_stays": "You wrote that the rest stays, but without the line `amend: true` new orders take out what is filed for turn {turn}. So nothing was changed.",
    "older": "A newer filing for turn {turn} stands already (receipt {receipt}); this one was written before it.",
    "unknown_command": "`{word}` is no subject that is understood here. {cure}",
    "bad_argument": "{what}{more} Write, for example, `{example}`.",
    "not_for_players": "`{command}` is for the GM alone. Write `help` as the subject to see what you can ask.",
    "not_for_gm": "`{command}` is for players. Write `help` as the subject to see what you can ask.",
    "no_calendar": "This campaign has no deadline that could be put off. Write a `calendar` into campaign.yaml.",
    "seat_given": "The GM has handed your seat on. Write to the GM if you want to come back.",
    "not_waiting": "`run it` is for a turn that waits for people after its deadline. {why}",
    "accepted_before": "Message {number} is filed already, for turn {turn}: receipt {receipt}.",
    "not_acceptable": "Message {number} can't be filed as it is: {why}",
    "not_out_yet": "The report of turn {turn} is not out yet: the GM looks through the reports first. You get it when the GM lets it go, and the map and the order form come with it. Orders that you send now are filed.",
    "no_message_text": "There is no text to be sent on. Write it into the mail, above what you quote.",
    "for_whom": "Nothing was sent: your words are no orders, and they don't say for whom they are. Reply to this mail with one of these lines, and your words below it: {readers}.",
    "no_reader": "{what} {cure} Reply to this mail with the line `to {reader}` and your text below it.",
    "another_holds_it": "Nothing was sent: another person wrote that letter, and {name} has the seat now. To send your words to {name}, tap the link, or reply to this mail with the line `to {reader}` and your words below it.",
    "to_another": "Nothing was sent: your words would go to {name}, and they begin as if they were for {other}. Put the line `to {meant}` or `to {reader}` above it.",
    "letter_within": "Nothing was sent: in your letter to {name}, `{line}` begins as if it were for {other}. If it is, send the mail again with the line `to {meant}` above that paragraph. To send the letter to {name} with it, put the line `to {reader} as it is` above it.",
    "letter_or_command": "Nothing was sent or done: {it} like the command `{command}`. To ask the campaign, reply to this mail with that line. To send it to {name}, put the line `to {reader}` above it.",
    "letter_or_orders": "Nothing was sent or filed: {it} like orders. To file them, reply to this mail with {how}. To send them to {name}, put the line `to {reader} as it is` above them.",
    "only_typed": "Nothing was sent or done: {it} like `kingdom {command}`, which is typed where the campaign lies and can't be mailed. To send it to {name}, put the line `to {reader}` above it.",
    "no_messages": "This campaign carries no messages between players. Write to the GM in `requests`.",
    "not_invited": "Nobody was invited: {why}",
    "failed": "The program failed over this message, which is kept; the GM can see it in `kingdom mail log`.",
}


def reason(code: str, **facts: object) -> str:
    """The sentence of a code, with the facts filled in."""
    return REASONS[code].format(**facts)
