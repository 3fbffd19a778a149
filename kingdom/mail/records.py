"""Plain records that the parts of the mail hand to one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypedDict

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Facts
from kingdom.mail.trace import Received

FILE = "mail"  # the name that problems give to the body of a message
ANEW = "anew"  # what the journal tells once: that the campaign goes on though another turn of that number went out, by its digest
UNPROVED = (  # codes of messages of which nobody knows whether a player wrote them
    "bad_from", "stranger", "unlisted_address", "no_token", "wrong_token", "not_vouched", "seat_without_token", "which_seat",
)  # fmt: skip


class Headers(NamedTuple):
    """The headers of a message. A text that is missing is "".

    references: the References of an answer to it. sender: the address in From, in small letters; "" where there is none, where there
    are several, or where it is malformed; claimed: all words in From that look like addresses; name: the sender's name in From.
    is_reply: the subject begins with Re:, AW: and the like. answered: the Message-IDs that the message answers, the nearest first.
    tags: the words behind a + in the addresses to which it went. machine: why no person wrote the message, "" for a person's.
    bounced, bounced_ids: of a delivery report, the addresses that failed for good, and the Message-IDs that it names.
    trace: the Received lines, the topmost first. results: the Authentication-Results, the topmost first.
    """

    message_id: str = ""
    references: str = ""
    sender: str = ""
    subject: str = ""
    is_reply: bool = False
    date: datetime | None = None
    trace: tuple[Received, ...] = ()
    machine: str = ""
    bounced: tuple[str, ...] = ()
    bounced_ids: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    name: str = ""
    answered: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()


class Attachment(NamedTuple):
    """A file that came with a message. Its name is told to people and never used as a path."""

    name: str
    data: bytes


class Parts(NamedTuple):
    """The texts of a body with their quotes, and the attachments that could be orders; or `code`: why the body can't be read.

    others: the names of attached files of other kinds; files: the names of all attached files. struck: texts that were struck out.
    """

    texts: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    code: str = ""
    facts: Facts = {}
    others: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()


class Reply(NamedTuple):
    """A text of a message. own: what its writer wrote; quoted: what was quoted or forwarded; "" for none.

    inside: a line that looks like an order and stands inside a quote without its marks, so that nobody can say whose it is. meant: the
    writer's text if that line is the writer's. below: a line that looks like an order below the rule of a signature, where nothing
    counts. between: the writer's own lines between two marked ones. added: the first line of each piece that a program added.
    """

    own: str
    quoted: str = ""
    inside: str = ""
    meant: str = ""
    below: str = ""
    between: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class Words(NamedTuple):
    """A letter in a message. to: its reader, as typed. orders: lines of the letter that can be read as orders, as they would be written;
    unread: lines that look like orders but can't be read, as they stand."""

    to: str
    text: str
    orders: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


class Found(NamedTuple):
    """What a message wants. kind: `orders`, `command` or `none`; letters: its letters, beside which it may want something else.

    text, file: the orders, tidied, and the name that problems give them. tries: the orders are only to be tried. command, argument: from
    the subject or from a text of one line. kingdom, turn: from the subject; "" and None where it names none. tokens: words that may be
    tokens, from the subject and from a key of the text.
    own: all that the writer wrote; meant: the same, with orders as they were meant; maybe: lines of it that may be orders; prose: words
    of it for a person.
    code, facts: why there are no orders to read; facts["quoted"] holds orders that stood only in quoted text, or that were probably meant.
    passed_over: a sentence for each thing that did not count as an order. files: the names of attached files. left_out: a letter goes out
    without a part of the mail: a struck out text, or a quote in a mail that answers nothing. as_it_is: the letter goes out even if it
    looks like orders.
    """

    kind: str = "none"
    text: str = ""
    file: str = ""
    command: str = ""
    argument: str = ""
    kingdom: str = ""
    turn: int | None = None
    tokens: tuple[str, ...] = ()
    own: str = ""
    meant: str = ""
    maybe: tuple[str, ...] = ()
    prose: str = ""
    code: str = ""
    facts: Facts = {}
    passed_over: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    left_out: bool = False
    tries: bool = False
    letters: tuple[Words, ...] = ()
    as_it_is: bool = False


Line = TypedDict(  # a line of the journal; each event has some of these, mail/journal.py says which
    "Line",
    {
        "at": str,
        "event": str,
        "message": str,  # the digest of a message
        "source": str,
        "seen": str,
        "outcome": str,
        "became": str,  # the same for people, in a word or a few; lines of earlier releases have none
        "code": str | int,  # of a mail the server's number
        "reason": str,
        "message_id": str,
        "from": str,
        "subject": str,
        "arrived": str,
        "came": str,  # the GM's command
        "attempt": int,  # at a turn that was taken back; of `undone` the number of the folder in which it lies
        "time": str,
        "receipt": str,
        "answer": str,
        "error": str,
        "orders": bool,  # a refused message holds some that the GM may file
        "by_hand": str,
        "digest": str,  # of a file; of the turn whose report a mail brings, of the message that it forwards: how it begins
        "mail": str,  # the id of a mail
        "kind": str,
        "about": str,  # what it is about, where its kind tells less: as its id begins
        "handed_on": str,  # the seat, of the farewell to who played it
        "kingdom": str,
        "turn": int,
        "turns": int,
        "to": str,
        "until": str,
        "released": bool,
        "fate": str,
        "fate_at": str,
        "text": str,
        "of": str,  # what a server's refusal speaks of (mail/refusals.py)
        "again": str,
        "made": str,  # when it was made for being sent
        "out": str,  # when a mail that waited for the GM's release was put where it is sent or forwarded from
        "last": bool,  # it is not made again
        "tries": int,
        "by": str,
        "what": str,
        "mark": str,  # what tells two lines or mails about the same apart: the sign of a token, a deadline
        "before": str,
        "left": str,  # the address of who played a seat before it was handed on
        "name": str,  # of that player
        "known": bool,  # whose player got mails before, which no longer count
        "letters": str,  # what a mail says of letters and the public page (the_end.word_for_what_is_written)
        "over": str,  # when a server worked again
        "since": str,  # when it failed first
        "verb": str,  # of what somebody asks of a house: join, observe, standby, leave; of a question to the GM: invite
        "campaign": str,  # the folder of the campaign that it is about
        "seat": str,
        "address": str,  # of who is to be invited
        "request": str,  # the mail by which somebody was asked to confirm what they want
        "question": str,  # the mail that a mail asks about once more
        "proof": str,  # of a house's answer, that it answers what proved who wrote it
        "tells": dict[str, str],  # topic -> what a mail tells the GM of it
    },
    total=False,
)


def last_out(reports: Sequence[Line]) -> datetime | None:
    """When the last of these reports went out. A report that no server took yet counts from when it was put into the outbox."""
    gone = [one["fate"] in ("sent", "dropped") and one["fate_at"] or one.get("out") or one["at"] for one in reports]
    return datetime.fromisoformat(max(gone)) if gone else None


class Letter(NamedTuple):
    """A mail to be sent: an .eml file of the outbox. id: made of what the mail is about, also the name of its file. more: further facts
    for the journal."""

    id: str
    kind: str  # answer, report, reminder, digest, message, welcome, alert
    kingdom: str  # whose seat it goes to, `gm`
    turn: int
    to: str
    data: bytes
    more: Mapping[str, str | int] = {}


class Standing(NamedTuple):
    """What is filed for a seat and a turn. receipt: "" for nothing. time: when it was written, by which the newest counts; if the player
    took the orders back, when that was written; None where nothing was ever filed.

    by_hand: somebody put the file there, and nobody mailed it. of_another: another player sent it, before the seat was taken over.
    """

    receipt: str = ""
    time: datetime | None = None
    by_hand: bool = False
    data: bytes = b""
    of_another: bool = False
