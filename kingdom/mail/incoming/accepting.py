"""The GM files a message by hand: one that was refused, or what a player dictated, typed into a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults, Problem
from kingdom.mail import headers as reading
from kingdom.mail.incoming import answer_view, filing
from kingdom.mail.incoming.asking import Answer, Asked, seat_of
from kingdom.mail.incoming.outcome import ACCEPTED, REFUSED, Fate
from kingdom.mail.journal import Journal, message_file
from kingdom.mail.outgoing import gm_news, order_links, outbox, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.reading import order_lines, order_text, parts
from kingdom.mail.records import FILE
from kingdom.orders import orders_file


def accept(
    campaign: Campaign, journal: Journal, named: str, seat: str, now: datetime
) -> tuple[list[str], list[Problem]]:
    """Files a message for a seat: (what to say, the problems that keep it from being filed).

    named: the first digits of the message's digest as `mail log` prints them, or a file. The player gets the receipt, and is
    told that the GM filed the orders. Raises Faults where there is no such message.
    """
    digest, fate = prepared(campaign, journal, named, seat, now)
    if fate.filed is None:
        return [], list(fate.problems)
    told = said(campaign, journal, fate, now)
    file(campaign, journal, digest, fate, now)
    return [told], []


def prepared(campaign: Campaign, journal: Journal, named: str, seat: str, now: datetime) -> tuple[str, Fate]:
    """(the message's digest, what would become of the message); nothing is changed. Raises Faults where there is no such message."""
    digest, data = _message(campaign, journal, named)
    turn = order_links.upcoming(campaign)
    if seat != GM and undone_turns.is_closed(campaign.folder, turn):
        place = campaign.folder / "orders" / store.name_of(turn)
        closed = fault("turn_closed", place, turn=turn, folder=campaigns.typed(campaign))
        return digest, Fate(REFUSED, seat=seat, turn=turn, problems=tuple(closed.problems))
    read = _read(campaign, data, named, seat, turn)
    if [one.code for one in read.problems] == ["wrong_turn"] and turn < (read.turn or 0) <= turn + filing.AHEAD:
        turn = read.turn or turn  # orders are kept for the turn that they name, as they are when they come by mail
        read = _read(campaign, data, named, seat, turn)
    if read.orders is None:
        return digest, Fate(REFUSED, seat=seat, turn=turn, problems=tuple(read.problems))
    before = filing.standing(campaign, journal, seat, turn, now)
    orders = {**read.orders, "turn": turn} if "turn" in read.orders else read.orders
    whole = filing.merged(campaign, before, orders, seat, turn)
    fate = Fate(
        ACCEPTED, "by_gm", "The GM filed these orders for you.", seat, turn, before=before, keys=frozenset(orders)
    )
    filed = orders_file.write(whole.wanted).encode()
    return digest, fate._replace(wanted=whole.wanted, filed=filed, amended=whole.amended, lost=whole.lost)


def is_acceptable(campaign: Campaign, journal: Journal, digest: str) -> bool:
    """Whether `accept` with only the message's number would file the message for the seat that sent it."""
    entry = journal.handled[digest]
    if entry.get("error") or undone_turns.is_closed(campaign.folder, order_links.upcoming(campaign)):
        return False  # the program failed over a message with an error, and would fail again
    try:
        return holds_orders(campaign, entry["kingdom"], store.read(message_file(campaign, digest)), digest)
    except Faults:  # the message's file is gone
        return False


def holds_orders(campaign: Campaign, seat: str, data: bytes, digest: str) -> bool:
    """Whether a message holds orders that could be filed for the next turn of that seat."""
    turn = order_links.upcoming(campaign)
    return seat in campaign.seats and _read(campaign, data, digest, seat, turn).orders is not None


def _read(campaign: Campaign, data: bytes, named: str, seat: str, turn: int) -> orders_file.Filing:
    """The orders in a message for the next turn. A file that is no mail holds nothing but orders."""
    if named.lower().endswith((".yaml", ".yml", ".txt")):
        text, file = data.decode("utf-8", "surrogateescape"), named
    else:
        keys = {*campaign.game.orders.keys, "token"}
        found = order_text.find(reading.read(data), parts.read(data), keys, order_lines.reader(campaign))
        text, file = found.text or str(found.facts.get("quoted", "")), found.file or FILE
    names = campaigns.names_today(campaign)
    read = orders_file.read(text.encode(), file, campaign.game, names, seat, turn, subject=True)
    if [one.code for one in read.problems] == ["wrong_turn"] and 0 < (read.turn or 0) < turn:
        # the orders came too late for the turn that they name: the GM files them for the next one
        read = orders_file.read(text.encode(), file, campaign.game, names, seat, read.turn, subject=True)
    return read


def said(campaign: Campaign, journal: Journal, fate: Fate, now: datetime) -> str:
    """What the GM is told: what was filed, what is no longer ordered, and which orders would be refused."""
    view = answer_view.view_of(campaign, journal, fate, now)
    who = reporting.who(campaign, fate.seat)
    told = [f"Filed for {who}, turn {fate.turn}, by the GM. Receipt: {view['receipt']}."]
    told += [f"It replaces {fate.before.receipt}."] if fate.before.receipt else []
    told += [f"No longer ordered: {', '.join(view['lost'])}."] if view["lost"] else []
    told += [f"Would be refused: `{one['order']}`: {one['reason']}" for one in view["refusals"]]
    return " ".join(told)


def file(campaign: Campaign, journal: Journal, digest: str, fate: Fate, now: datetime, by: str = "") -> None:
    """Files the orders and sends the player the same answer as to the player's own mail. If a killed run repeats this, the result is the
    same: the answer says what was filed before, so it is queued first. digest: of the message, "" for a file. by: the digest of the
    GM's mail that asked for it."""
    seat, turn, data = fate.seat, fate.turn, fate.filed or b""
    view = answer_view.view_of(campaign, journal, fate, now)
    filed = answer_view.title_of(fate, view).replace("Filed for turn", "The GM filed for you: turn", 1)
    text, html = making.template("answer.txt", view), making.template("answer.html", view)
    content = Content(making.titled(campaign, filed), text, html, [filing.enclosed(turn, data)])
    for address in making.addresses(campaign, seat)[:1]:
        id = f"accepted-{turn:04}-{seat}-{view['receipt']}"
        letter = making.letter(campaign, id, "answer", seat, turn, address, content, now)
        outbox.queue(campaign, journal, [letter], now)
    filing.put(campaign, journal, seat, turn, data, now, now)
    if digest:
        entry = {key: value for key, value in journal.handled[digest].items() if key not in ("at", "event")}
        entry |= {"outcome": "accepted", "code": "by_gm", "reason": "Filed by the GM.", "receipt": view["receipt"]}
        entry |= {"kingdom": seat, "turn": turn, "time": now.isoformat(), "by": by}
        journal.add("handled", now, **entry)


def _message(campaign: Campaign, journal: Journal, named: str) -> tuple[str, bytes]:
    """(the message's digest, its bytes); the digest is "" for a file that is no message of the log."""
    found = [digest for digest in journal.handled if named and digest.startswith(named.lower())]
    if len(found) == 1:
        return found[0], store.read(message_file(campaign, found[0]))
    if Path(named).is_file():
        return "", store.read(Path(named))
    raise fault("no_message", campaign.folder, word=named, count=len(found))


# --- asked by mail

# accept 3, accept 3 for ann, accept 3 for turn 7
_NEWEST = 5  # refused messages that are named where the number fits none
_ACCEPT = r"#?(\d{1,9})(?: (?:for )?(?!(?:for|turn)\b)(\w+))?(?: (?:for )?turn (\d{1,6}))?"


def by_mail(asked: Asked) -> Answer:
    """Files a refused or late message, as `kingdom mail accept` does."""
    found = re.fullmatch(_ACCEPT, asked.words)
    digests = {number: digest for digest, number in asked.journal.refused.items()}
    digest = digests.get(int(found[1]), "") if found else ""
    if found is None or not digest:
        newest = list(islice(acceptable(asked), _NEWEST))[::-1]
        if not newest:
            return asked.bad("accept", "status", " No refused message holds orders that can be filed.")
        named = ", ".join(f"{number} from {sender}" for _, number, sender in newest)
        return asked.bad("accept", newest[-1][0], f" It takes the number of a refused message; the newest: {named}.")
    entry = asked.journal.handled[digest]
    seat = seat_of(asked.campaign, found[2] or "") or (entry["kingdom"] if not found[2] else "")
    if not seat or seat not in asked.campaign.seats:
        example = f"accept {found[1]} for {next(iter(asked.campaign.seats))}"
        return asked.bad("accept", example, " Nobody knows whose message that is, so name the kingdom.")
    if entry["outcome"] == "accepted" and not _filed_by(asked, digest):
        facts = {"number": found[1], "turn": entry["turn"], "receipt": entry["receipt"]}
        return Answer(refused="accepted_before", facts=facts, links=(asked.tap("status"),))
    if gm_news.overtaken(asked.journal, entry, asked.turn) and found[3] != str(asked.turn):
        word = gm_news.accept_word(asked.journal, int(found[1]), entry, asked.turn)
        why = f"it was for turn {entry['turn']}, which was played since. To file it for turn {asked.turn}, tap the link, or reply with the line `{word}`."
        return Answer(refused="not_acceptable", facts={"number": found[1], "why": why}, links=(asked.tap(word),))
    _, fate = prepared(asked.campaign, asked.journal, digest, seat, asked.now)
    if fate.filed is None:
        first = next(iter(fate.problems), None)
        problem = "There are no orders in it." if first is None else str(first) if first.line else first.message
        facts = {"number": found[1], "why": problem}
        return Answer(refused="not_acceptable", facts=facts, links=(asked.tap("status"),))
    by = asked.case.message.digest
    files = partial(file, asked.campaign, asked.journal, digest, fate, asked.now, by)
    typed = tuple(order_links.short(asked.campaign, fate.wanted))
    told = said(asked.campaign, asked.journal, fate, asked.now)
    return Answer((told,), typed, files=None if _filed_by(asked, digest) else files)


def _filed_by(asked: Asked, digest: str) -> bool:
    """Whether the GM's mail that is answered now has filed the message already, in a run that was killed."""
    return asked.journal.handled[digest].get("by") == asked.case.message.digest


def acceptable(asked: Asked) -> Iterator[tuple[str, int, str]]:
    """(the words that file the message, its number, its sender) for each refused message that can be filed, the newest first."""
    journal = asked.journal
    for digest, number in reversed(journal.refused.items()):
        entry = journal.handled[digest]
        if entry["outcome"] == "refused" and is_acceptable(asked.campaign, journal, digest):
            yield gm_news.accept_word(journal, number, entry, asked.turn), number, entry["from"] or "nobody"
