"""The GM files a message by hand: one that was refused, or what a player dictated, typed into a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.engine.problems import Problem
from kingdom.engine.step import Orders
from kingdom.mail.incoming import filing, message_files, order_lines, order_text, parts
from kingdom.mail.incoming import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, notices, outbox
from kingdom.orders import orders_file


class Prepared(NamedTuple):
    """A message that the GM would file: for whom, which turn, the orders with what stands already; or what is wrong with it."""

    digest: str
    seat: str
    turn: int
    wanted: Orders | None
    problems: Sequence[Problem] = ()
    replaced: str = ""

    @property
    def data(self) -> bytes:
        """What is filed."""
        return orders_file.write(self.wanted or {}).encode()

    @property
    def receipt(self) -> str:
        """Its receipt."""
        return filing.receipt_of(self.data)

    @property
    def said(self) -> str:
        """What the GM is told."""
        replaced = f" It replaces {self.replaced}." if self.replaced else ""
        return f"Filed for {self.seat}, turn {self.turn}, by the GM. Receipt: {self.receipt}.{replaced}"


def accept(
    campaign: Campaign, journal: Journal, named: str, seat: str, now: datetime
) -> tuple[list[str], list[Problem]]:
    """File it for that seat: (what to say, the problems that keep it from being filed).

    named: the first digits of a message's digest as `mail log` prints them, or a file. The player gets the receipt, and is
    told that the GM filed it. Raises Faults where there is no such message.
    """
    made = prepared(campaign, journal, named, seat, now)
    if made.wanted is None:
        return [], list(made.problems)
    file(campaign, journal, made, now)
    return [made.said], []


def prepared(campaign: Campaign, journal: Journal, named: str, seat: str, now: datetime) -> Prepared:
    """What would be filed; nothing is changed. Raises Faults where there is no such message."""
    digest, data = _message(campaign, journal, named)
    text, file = _text(campaign, data, named)
    turn = answer_view.upcoming(campaign)
    names = campaigns.names_today(campaign)
    read = orders_file.read(text.encode(), file, campaign.game, names, seat, turn, subject=True)
    if read.orders is None:
        return Prepared(digest, seat, turn, None, read.problems)
    before = filing.standing(campaign, journal, seat, turn, now)
    wanted = filing.merged(campaign, before, read.orders, seat, turn).wanted
    return Prepared(digest, seat, turn, wanted, (), before.receipt)


def file(campaign: Campaign, journal: Journal, made: Prepared, now: datetime, by: str = "") -> None:
    """File it, and send the player the receipt. Done again after a kill, it comes to the same. by: the GM's mail that asked it."""
    seat, turn, receipt = made.seat, made.turn, made.receipt
    filing.put(campaign, journal, seat, turn, made.data, now, now)
    lines = [f"The GM filed these orders for {seat}, turn {turn}. Receipt: {receipt}."]
    typed, id = answer_view.short(campaign, made.wanted), f"accepted-{turn:04}-{seat}-{receipt}"
    for letter in notices.notice(campaign, id, "answer", seat, turn, lines, now, typed):
        outbox.queue(campaign, journal, letter, now)
    if made.digest:
        entry = {key: value for key, value in journal.handled[made.digest].items() if key not in ("at", "event")}
        entry |= {"outcome": "accepted", "code": "by_gm", "reason": "Filed by the GM.", "receipt": receipt}
        entry |= {"kingdom": seat, "turn": turn, "time": now.isoformat(), "by": by}
        journal.add("handled", now, **entry)


def _message(campaign: Campaign, journal: Journal, named: str) -> tuple[str, bytes]:
    """(the message's digest, its bytes); of a file that is no message of the log "" and its bytes."""
    found = [digest for digest in journal.handled if named and digest.startswith(named.lower())]
    if len(found) == 1:
        return found[0], store.read(message_files.file_of(campaign, found[0]))
    if Path(named).is_file():
        return "", store.read(Path(named))
    raise fault("no_message", campaign.folder, word=named, count=len(found))


def _text(campaign: Campaign, data: bytes, named: str) -> tuple[str, str]:
    """(the orders in it, what problems call it); a file that is no mail is orders as it stands."""
    if named.lower().endswith((".yaml", ".yml", ".txt")):
        return data.decode("utf-8", "surrogateescape"), named
    headers = reading.read(data)
    keys = {*campaign.game.orders.keys, "token"}
    found = order_text.find(headers, parts.read(data), keys, order_lines.reader(campaign))
    quoted = str(found.facts.get("quoted", ""))
    return found.text or quoted, found.file or order_text.FILE
