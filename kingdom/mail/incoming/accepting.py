"""The GM files a message by hand: one that was refused, or what a player dictated, typed into a file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.engine.problems import Problem
from kingdom.mail.incoming import filing, lying, order_text, parts
from kingdom.mail.incoming import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, notices, outbox
from kingdom.mail.records import Headers
from kingdom.orders import orders_file


def accept(
    campaign: Campaign, journal: Journal, named: str, seat: str, now: datetime
) -> tuple[list[str], list[Problem]]:
    """File it for that seat: (what to say, the problems that keep it from being filed).

    named: the first digits of a message's digest as `mail log` prints them, or a file. The player gets the receipt, and is
    told that the GM filed it. Raises Faults where there is no such message.
    """
    digest, data = _message(campaign, journal, named)
    headers, text, file = _text(campaign, data, named)
    names = campaigns.names_today(campaign)
    turn = answer_view.upcoming(campaign)
    read = orders_file.read(text.encode(), file, campaign.game, names, seat, turn, subject=True)
    if read.orders is None:
        return [], read.problems
    before = filing.standing(campaign, journal, seat, turn, now)
    wanted = filing.merged(campaign, before, read.orders, seat, turn).wanted
    filed = orders_file.write(wanted).encode()
    filing.put(campaign, journal, seat, turn, filed, now, now)
    receipt = filing.receipt_of(filed)
    if digest:
        entry = {key: value for key, value in journal.handled[digest].items() if key not in ("at", "event")}
        entry |= {"outcome": "accepted", "code": "by_gm", "reason": "Filed by the GM.", "receipt": receipt}
        entry |= {"kingdom": seat, "turn": turn, "time": now.isoformat()}
        journal.add("handled", now, **entry)
    lines, typed = (
        [f"The GM filed these orders for {seat}, turn {turn}. Receipt: {receipt}."],
        answer_view.short(campaign, wanted),
    )
    for letter in notices.notice(
        campaign, f"accepted-{turn:04}-{seat}-{receipt}", "answer", seat, turn, lines, now, typed
    ):
        outbox.queue(campaign, journal, letter, now)
    replaced = f" It replaces {before.receipt}." if before.receipt else ""
    return [f"Filed for {seat}, turn {turn}, by the GM. Receipt: {receipt}.{replaced}"], []


def _message(campaign: Campaign, journal: Journal, named: str) -> tuple[str, bytes]:
    """(the message's digest, its bytes); of a file that is no message of the log "" and its bytes."""
    found = [digest for digest in journal.handled if named and digest.startswith(named.lower())]
    if len(found) == 1:
        return found[0], store.read(lying.file_of(campaign, found[0]))
    if Path(named).is_file():
        return "", store.read(Path(named))
    raise fault("no_message", campaign.folder, word=named, count=len(found))


def _text(campaign: Campaign, data: bytes, named: str) -> tuple[Headers, str, str]:
    """(headers, the orders in it, what problems call it); a file that is no mail is orders as it stands."""
    if named.lower().endswith((".yaml", ".yml", ".txt")):
        return Headers(), data.decode("utf-8", "surrogateescape"), named
    headers = reading.read(data)
    keys = {*campaign.game.orders.keys, "token"}
    found = order_text.find(headers, parts.read(data), keys)
    quoted = str(found.facts.get("quoted", ""))
    return headers, found.text or quoted, found.file or order_text.FILE
