"""A message, from its bytes to its answer: its headers are read, what it wants is understood and decided, then it is done.

Each stage sees a message once and hands on a typed value. Message (kingdom/mail/incoming/outcome.py): the bytes, safe on the
disk. Case: with its headers. An intent (classifying.py): parsed, proved, understood. Decided: its fate and its answer.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from kingdom.campaign.campaign import Campaign
from kingdom.engine.problems import Faults
from kingdom.mail import headers as reading
from kingdom.mail.incoming import accepting, classifying, filing
from kingdom.mail.incoming.answers import Failed
from kingdom.mail.incoming.outcome import ACCEPTED, DUPLICATE, REFUSED, Case, Decided, Fate, Intent, Message
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox
from kingdom.mail.outgoing.overview import ACCEPTABLE
from kingdom.mail.records import Headers, Line
from kingdom.mail.tokens import without_tokens


def handle(campaign: Campaign, journal: Journal, message: Message, now: datetime) -> Fate:
    """Handle a message inside its own guard: one that the program fails over does not stop the others.

    Raises Faults where the campaign itself is broken, or the disk does not take it: then nothing is done with it now.
    """
    case = Case(campaign, journal, message, Headers(), now)
    intent: Intent
    try:
        case = case._replace(headers=reading.read(message.data))
        intent = classifying.classified(case)
        decided = intent.decided(case)
        fate = decided.fate._replace(headers=case.headers, holds_orders=_holds_orders(case, decided.fate))
    except (Faults, OSError):
        raise
    except Exception as error:
        intent = Failed(error)
        decided = intent.decided(case)
        fate = decided.fate._replace(headers=case.headers)
    if decided.fate.outcome != DUPLICATE or message.digest not in journal.handled:
        decided = decided._replace(fate=fate)
        for letter in decided.letters:  # done again after a kill, each part comes to the same
            outbox.queue(campaign, journal, letter, now)
        try:
            decided.done()
        except (Faults, OSError):
            _unsay(campaign, journal, decided, now)
            raise
        journal.add_all("handled", now, [{"message": message.digest, **_entry(case, decided)}])
    return fate


def _unsay(campaign: Campaign, journal: Journal, decided: Decided, now: datetime) -> None:
    """Take back letters that say what could not be done; they are made again when it is. A full disk sends none of them anyway."""
    for letter in decided.letters:
        if journal.mails.get(letter.id, {}).get("fate") == "waits":
            with suppress(Faults):
                outbox.withdraw(campaign, journal, letter.id, now)


def _holds_orders(case: Case, fate: Fate) -> bool:
    """Whether the GM's `accept` could file a message that was refused."""
    refused = fate.outcome == REFUSED and fate.code in ACCEPTABLE
    return refused and accepting.holds_orders(case.campaign, fate.seat, case.message.data, case.message.digest)


def _entry(case: Case, decided: Decided) -> Line:
    fate = decided.fate
    entry: Line = {
        "outcome": fate.outcome,
        "became": fate.became,
        "code": fate.code,
        "reason": fate.reason,
        "message_id": fate.headers.message_id,
        "from": fate.headers.sender,
        "subject": without_tokens(fate.headers.subject, case.campaign.settings),
        "kingdom": fate.seat,
        "turn": fate.turn,
        "arrived": case.came.isoformat(),
        "time": (case.message.seen if fate.error else case.time).isoformat(),
        "receipt": filing.receipt_of(fate.filed) if fate.filed is not None and fate.outcome == ACCEPTED else "",
        "answer": decided.letters[0].id if decided.letters else "",
    }
    if fate.outcome == REFUSED:
        entry["orders"] = fate.holds_orders
    if fate.error:
        entry["error"] = fate.error
    return entry
