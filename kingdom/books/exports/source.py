"""The data of an export: the kept turns of a campaign, one after another, each file proved by its digest.

Nothing secret is in it: no seed, no token, no mail address.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.csv_text import read as rows_of
from kingdom.campaign.settings import Settings
from kingdom.campaign.store import Kept
from kingdom.engine.dice import Roll
from kingdom.engine.ledger import COLUMNS, Entry
from kingdom.render.progress import Told, silent

HIDDEN = "***"  # in the place of a secret
_TOKEN = re.compile(r"""(\btoken\b["']?\s*:\s*)[^\s,}]+""", re.IGNORECASE)
_PLACE = itemgetter(COLUMNS.index("kingdom"), COLUMNS.index("account"))
_BALANCE = itemgetter(COLUMNS.index("balance"))

Row: TypeAlias = Sequence[str]  # of a CSV: every cell a text
Balances = Mapping[tuple[str, str], int]  # (seat, account) -> balance


class KeptBooks(NamedTuple):
    """The books of a campaign, as its kept turns have them.

    names: seat -> its name today. accounts: of all seats, in the game's order. told: gets the progress of reading them.
    orders: whether what each order did is wanted too.
    """

    campaign: Campaign
    kept: list[Kept]
    names: Mapping[str, str]
    accounts: tuple[str, ...]
    told: Told = silent
    orders: bool = False


class TurnRows(NamedTuple):
    """A kept turn: the rows of its ledger.csv and dice.csv, and each seat's balances after it."""

    kept: Kept
    entries: Sequence[Row]
    rolls: Sequence[Row]
    balances: Balances


def opened(campaign: Campaign) -> KeptBooks:
    """Return the books of a campaign. Raises Faults if it has none, or a record was altered."""
    newest = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, newest), campaigns.rules_of(campaign, newest).rules
    kept = [store.kept(campaign.turns / store.name_of(turn)) for turn in range(newest.record.turn)] + [newest]
    game, seats = campaign.game, newest.record.seats
    names = {seat: str(game.sheet(state, seat, rules).get("name") or seat) for seat in seats}
    accounts = dict.fromkeys(account for seat in seats for account in game.accounts(state, seat, rules))
    return KeptBooks(campaign, kept, names, tuple(accounts))


def turns(books: KeptBooks) -> Iterator[TurnRows]:
    """Each kept turn. Raises Faults where a file is not as it was kept."""
    balances: dict[tuple[str, str], int] = {}
    for done, kept in enumerate(books.kept):
        books.told(f"turn {kept.record.turn} is exported", done, len(books.kept))
        entries = _rows(kept, "ledger.csv", Entry, ("turn", "seq", "delta", "balance"))
        last = dict(zip(map(_PLACE, entries), map(_BALANCE, entries), strict=True))
        new = {seat for seat, _ in last} - {seat for seat, _ in balances}
        balances |= {(seat, account): 0 for seat in sorted(new) for account in books.accounts}
        balances |= {place: int(balance) for place, balance in last.items()}
        rolls = _rows(kept, "dice.csv", Roll, ("turn", "count", "sides", "result"))
        yield TurnRows(kept, entries, rolls, dict(balances))


def _rows(kept: Kept, name: str, row: type[Entry] | type[Roll], numbers: Sequence[str]) -> Sequence[Row]:
    """The rows of a CSV as they stand there. Raises Faults, with the line, where one has too few cells or too many."""
    import csv

    data = store.file_of(kept, name)
    lines = list(csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline="")))
    if lines[:1] != [list(row._fields)] or set(map(len, lines)) != {len(row._fields)}:
        rows_of(data, row, numbers, str(kept.folder / name))
    return lines[1:]


def orders(books: KeptBooks, kept: Kept) -> Iterator[tuple[str, str]]:
    """(seat or `gm`, the text of its orders as used in the turn), without its tokens. Raises Faults."""
    secrets = secrets_of(books.campaign.settings)
    for name in kept.record.files:
        if name.startswith("orders/"):
            text = store.file_of(kept, name).decode("utf-8", "replace")
            yield Path(name).stem, without_secrets(text, secrets)


def without_secrets(text: str, secrets: Sequence[str]) -> str:
    """A filed text, with its token and any of these secrets hidden."""
    text = _TOKEN.sub(rf"\1{HIDDEN}", text)
    low = text.lower()
    for secret in secrets:
        if secret.lower() in low:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text, flags=re.IGNORECASE)
    return text


def secrets_of(settings: Settings) -> list[str]:
    """The seed, and every token and mail address of a campaign."""
    of_people = (word for person in settings.people for word in (person.token, *person.email))
    return sorted({settings.seed, *settings.old_seeds.values(), *of_people} - {""}, key=len, reverse=True)
