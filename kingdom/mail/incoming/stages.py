"""How a mail becomes an answer, from top to bottom. Each stage is a pure function: it takes what the stage before made of the mail, and
makes the next type of it.

    taken   bytes -> Case      its headers, which may decide alone: a machine's, a copy, too big
    parted  Parts -> Found     orders, letters, commands, and the words beside them, without the mails of ours that came back with them
    read    Found -> Parsed    the orders as data, or their problems
    proved  Parsed -> Sender   whose it is (proof.py)
    meant   Parsed -> Intent   what that person wants (classifying.py); each intent has its answer beside it
    told    Intent -> Decided  what becomes of it, and the mails that say so

taking.py does what was decided: it files, queues the mails, writes the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.mail import headers as mail_headers
from kingdom.mail.incoming import accepting, classifying, proof
from kingdom.mail.incoming.answers import Failed, Flood, Unproved, Unread
from kingdom.mail.incoming.classifying import Parsed
from kingdom.mail.incoming.file_orders import LONGEST, Unreadable
from kingdom.mail.incoming.outcome import DUPLICATE, IGNORED, REFUSED, Case, Decided, Intent
from kingdom.mail.incoming.proof import Sender
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import correspondence, letters, outbox, reporting, undelivered
from kingdom.mail.outgoing.overview import ACCEPTABLE
from kingdom.mail.reading import dry_run, order_lines, order_text, our_subjects, parts, prose, sent_back, subjects
from kingdom.mail.records import Found, Headers, Parts
from kingdom.mail.tokens import with_brackets
from kingdom.orders import orders_file

MB = 1 << 20
LARGEST = 25 * MB
AN_HOUR = timedelta(hours=1)
MOST_AN_HOUR = 50
_WITH_REPORT = ("report", "welcome")  # kinds of mails


def decided(case: Case) -> Decided:
    """What becomes of a message. If the program fails over a message, this says so, and other messages are not stopped.

    Raises Faults where the campaign itself is broken, OSError where the disk is.
    """
    try:
        case = taken(case)
        return told(case, intent_of(case))
    except (Faults, OSError):
        raise
    except Exception as error:
        return told(case, Failed(error))


def intent_of(case: Case) -> Intent:
    """What a message wants; its headers were read already. Raises Faults where the campaign itself is broken."""
    if by_headers := decided_by_headers(case):
        return by_headers
    body, seats = parts.read(case.message.data), proof.seats_of(case.headers.sender, case.campaign.settings)
    if proof.is_nobodys(case.campaign, case.journal, case.headers, parts.texts_in(body)):
        return Unproved(Sender("", "stranger"))  # nobody asks what a stranger wants
    if seats:
        subject = with_brackets(case.campaign, seats, case.headers.subject)
        case = case._replace(headers=case.headers._replace(subject=subject))
    ours = ours_in(case.campaign, case.journal, case.headers)
    parsed = read(case, parted(case.campaign, case.headers, body, ours))
    sender = proof.sender_of(case.campaign, case.journal, case.headers, parsed.tokens, parsed.kingdom)
    recalls = prose.recalls(parsed.wants.own)
    if sender.code:
        return classifying.unproved(case, parsed, sender, recalls)
    # times of arrival count: mails that lay on a server for days and are fetched together did not come together
    times = (datetime.fromisoformat(at) for at in case.journal.times.get(sender.seat, ())[-4 * MOST_AN_HOUR :])
    if sum(case.came - AN_HOUR < at <= case.came for at in times) >= MOST_AN_HOUR:
        return Flood(MOST_AN_HOUR, sender.seat)
    return Unreadable("recalled", sender.seat) if recalls else classifying.meant(case, parsed, sender)


# --- taken: its headers are read, and may decide alone


def taken(case: Case) -> Case:
    """The message with its headers. One that answers a mail of ours under its subject is a reply, whatever stands before that."""
    headers = mail_headers.read(case.message.data)
    if not headers.is_reply and headers.answered and proof.answered(case.campaign, case.journal, headers):
        subject = our_subjects.as_reply(headers.subject, letters.titled(case.campaign, "").strip())
        headers = headers._replace(subject=subject, is_reply=mail_headers.is_reply(subject))
    return case._replace(headers=headers)


def decided_by_headers(case: Case) -> Intent | None:
    """The intent of a message that its headers alone decide; None where the body must be read."""
    headers, settings = case.headers, case.campaign.settings
    if case.message.digest in case.journal.handled or headers.message_id in case.journal.ids:
        return Unread(DUPLICATE, "copy")
    if headers.bounced:
        went = {mail["to"].lower() for mail in undelivered.of_ours(case.campaign, case.journal.mails, headers)}
        # a bounce counts only for our own mails
        if failed := [address for address in headers.bounced if address in went]:
            return Unread(IGNORED, "bounce", {"address": ", ".join(failed)})
    if headers.machine:
        return Unread(IGNORED, "machine", {"why": headers.machine})
    if settings.mail and headers.sender == settings.mail.address.lower():
        return Unread(IGNORED, "ourselves")
    # From names no single address: a seat that it names is told, if the rest of the message proves the seat
    if not headers.sender:
        claimed = {seat for one in headers.claimed for seat in proof.seats_of(one, settings)}
        proved = proof.proofs_in(case.campaign, case.journal, headers, subjects.taken_apart(headers.subject)[1])
        seat = next((one.seat for one in proved if one.seat in claimed), "")
        return Unproved(Sender(seat, "bad_from", True)) if seat else Unread(REFUSED, "bad_from")
    if len(case.message.data) > LARGEST:
        seat = next(iter(proof.seats_of(headers.sender, settings)), "")
        return Unreadable("too_large", seat, {"size": -(-len(case.message.data) // MB), "most": LARGEST // MB})
    return None


# --- parted: into orders, letters, a command, and words


def ours_in(campaign: Campaign, journal: Journal, headers: Headers) -> list[str]:
    """The texts of our mails that may come back with a message: the mails that it answers, and the writer's newest report."""
    mails = [one.mail for one in proof.answered(campaign, journal, headers) if one.mail]
    texts: list[str] = []
    for seat in proof.seats_of(headers.sender, campaign.settings) if campaigns.newest(campaign) >= 0 else ():
        sent = journal.mails.items()
        mails += [id for id, mail in sent if mail.get("kingdom") == seat and mail["kind"] in _WITH_REPORT][-1:]
        texts.append(reporting.report(campaigns.kept(campaign), seat, "txt").decode() if seat != GM else "")
    return [text for text in (*(outbox.text_of(campaign, mail) for mail in dict.fromkeys(mails)), *texts) if text]


def parted(campaign: Campaign, headers: Headers, body: Parts, ours: Sequence[str]) -> Found:
    """What a message holds, whoever its writer is, without the word `try`, and without the text that came back of our mails. ours: the mails of
    ours that may come back."""
    seats, reads = proof.seats_of(headers.sender, campaign.settings), order_lines.reader(campaign)
    keys = order_lines.keys_of(campaign, seats[0] if len(seats) == 1 else "")
    headers, typed, tries = dry_run.taken_out(headers, body.texts, keys)
    whole = body._replace(texts=typed)
    body = body._replace(texts=tuple(sent_back.without_ours(text, ours, keys) for text in typed))
    find = partial(
        order_text.find, headers, keys=keys, reads=reads, is_greeting=lambda text: not prose.said_in(text, headers), ours=ours,
        readers=partial(correspondence.readers_of, campaign), is_gm=GM in seats,
    )  # fmt: skip
    found = find(body)
    if (found.command == "to" or found.letters) and whole != body:  # a letter may show what a report says
        shown = find(whole)
        texts = {one.to: one.text for one in shown.letters}
        kept = tuple(one._replace(text=texts.get(one.to, one.text)) for one in found.letters)
        found = found._replace(letters=kept) if kept else shown
    words = prose.words_of(found, headers, body, keys)
    found = found._replace(prose=words, files=body.files, tries=tries)
    if found.command == "to" and (to := found.argument).lower().endswith(subjects.AS_IT_IS):
        found = found._replace(argument=to[: -len(subjects.AS_IT_IS)].strip(), as_it_is=True)
    return found


# --- read: its orders as data


def read(case: Case, found: Found) -> Parsed:
    """What a message holds, with its orders read as data, whosever they are."""
    if found.kind != "orders":
        return Parsed(found, None)
    game, names = case.campaign.game, campaigns.names_today(case.campaign)
    return Parsed(found, orders_file.read(found.text.encode(), found.file, game, names, None, None, LONGEST))


# --- told: what becomes of it


def told(case: Case, intent: Intent) -> Decided:
    """What becomes of a message with this intent."""
    made = intent.decided(case)
    fate = made.fate
    may_hold = not fate.error and fate.outcome == REFUSED and fate.code in ACCEPTABLE
    holds = may_hold and accepting.holds_orders(case.campaign, fate.seat, case.message.data, case.message.digest)
    return made._replace(fate=fate._replace(headers=case.headers, holds_orders=holds))
