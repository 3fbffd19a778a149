"""An example campaign as tests look at it: what is kept of it, and a short way to say what must occur in which turn."""

from __future__ import annotations

import csv
import html
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

import yaml

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, store, substitute_orders
from kingdom.campaign.campaign import Campaign
from kingdom.engine.game import AnyBot, AnyGame
from kingdom.engine.step import AnyState
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.survey import explained
from kingdom.games.realm.sheet import DERIVED
from kingdom.orders.schema import OneOf, Record
from kingdom.orders.tables import Tables

Found = Callable[[], list[Any]]  # what there is of the thing that must occur; empty: it does not occur


class Example:
    """A campaign with its kept turns 1 to `last`. What it reads it reads once."""

    def __init__(self, folder: Path, last: int):
        self.folder = folder
        self.last = last
        self.turns = range(1, last + 1)
        self.hint = f"If a change of how turns are played is meant, run scripts/regold campaigns/{folder.name}, of an archive with .tar.xz behind it."
        self.record = lru_cache(maxsize=None)(self._record)
        self.table = lru_cache(maxsize=None)(self._table)
        self.filed = lru_cache(maxsize=None)(self._filed)
        self.balances = lru_cache(maxsize=None)(self._balances)

    # --- what is kept

    def turn(self, number: int) -> Path:
        """The folder of a kept turn."""
        return self.folder / "turns" / store.name_of(number)

    def _record(self, turn: int) -> dict[str, Any]:
        """turn.json as plain data."""
        return json.loads((self.turn(turn) / store.RECORD).read_text(encoding="utf-8"))

    def _table(self, turn: int, name: str) -> list[dict[str, str]]:
        """The rows of ledger.csv or dice.csv."""
        with open(self.turn(turn) / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def _filed(self, turn: int) -> dict[str, dict[str, Any]]:
        """Seat -> the orders of the turn in the long form."""
        campaign = campaigns.open_campaign(self.folder)
        rules, folder = campaigns.rules_today(campaign).rules, filings.folder_of(self.folder, turn)
        files = filings.files_in(folder, campaign.seats)
        return filings.read(files, folder, campaign.game, rules, campaign.seats, turn).orders

    def typed(self, turn: int, seat: str) -> dict[str, Any]:
        """The orders as they were typed, every word a text."""
        text = (self.folder / "orders" / store.name_of(turn) / f"{seat}.yaml").read_text(encoding="utf-8")
        return yaml.load(text, yaml.CBaseLoader)

    def read_by(self, turn: int, seat: str) -> str:
        """The words of the seat's report, as they stand in its page; of a link to a ruling its name, what is typed between backticks."""
        page = (self.turn(turn) / "reports" / f"{seat}.html").read_text(encoding="utf-8")
        text = re.sub(r'<a href="#rule-(\w+)">[^<]*</a>', r"ruling \1", page)
        text = re.sub(r"<code>([^<]*)</code>", r"`\1`", text)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())

    # --- what must occur

    def notice(self, turn: int, seat: str, kind: str, **facts: Any) -> Found:
        """The notices of turn.json of that kind with these facts; a fact that is a pattern is searched for."""
        return lambda: [
            each
            for each in self.record(turn)["notices"]
            if (each["seat"], each["kind"]) == (seat, kind)
            and all(_is(each["facts"].get(key), value) for key, value in facts.items())
        ]

    def check(self, turn: int, seat: str, name: str, success: bool, **facts: Any) -> Found:
        """The checks of that name with that outcome."""
        return self.notice(turn, seat, "check", name=name, success=success, **facts)

    def entry(
        self, turn: int, seat: str, cause: str, account: str, delta: int | None = None, detail: str = ""
    ) -> Found:
        """The entries of ledger.csv of that cause."""
        return lambda: [
            row
            for row in self.table(turn, "ledger.csv")
            if (row["kingdom"], row["cause"], row["account"]) == (seat, cause, account)
            and delta in (None, int(row["delta"]))
            and detail in row["detail"]
        ]

    def roll(self, turn: int, seat: str, name: str, result: int) -> Found:
        """The rolls of dice.csv of that name with that result."""
        return lambda: [
            row
            for row in self.table(turn, "dice.csv")
            if (row["kingdom"], row["name"], int(row["result"])) == (seat, name, result)
        ]

    def silent(self, turn: int, seat: str) -> Found:
        """Whether the seat, in play, filed nothing."""
        return lambda: [seat] * (seat not in self.filed(turn) and seat in self.record(turn)["seats"])

    # --- its soundness

    def unequal_sources(self, turn: int) -> list[tuple[Any, ...]]:
        """The derived numbers that are not one and the same by their sources, on the sheet and in the books."""
        campaign = campaigns.open_campaign(self.folder)
        kept = campaigns.kept(campaign, turn)
        world, rules = campaigns.state_of(campaign, kept), campaigns.rules_of(campaign, kept).rules
        books, found = self.balances(turn), []
        for seat in GAME.seats(world):
            sheet = GAME.sheet(world, seat, rules)
            for account, row in zip(DERIVED, explained(world.kingdoms[seat], world.hexes, rules), strict=True):
                numbers = {
                    sum(source["by"] for source in row["rows"]),
                    row["value"],
                    sheet[account],
                    books[seat, account],
                }
                found += [(seat, account, numbers)] if len(numbers) > 1 else []
        return found

    def _balances(self, turn: int) -> dict[tuple[str, str], int]:
        """(seat, account) -> the sum of all deltas so far."""
        sums = defaultdict(int, self.balances(turn - 1) if turn else {})
        for row in self.table(turn, "ledger.csv"):
            sums[row["kingdom"], row["account"]] += int(row["delta"])
        return sums

    def differences(self, other: Path) -> list[str]:
        """The files of state, dice and books in which another folder's turns are not these."""
        return [
            f"turn {turn}, {name}"
            for turn in (0, *self.turns)
            for name in ("state.json", "dice.csv", "ledger.csv")
            if (other / "turns" / store.name_of(turn) / name).read_bytes() != (self.turn(turn) / name).read_bytes()
        ]

    def used(self, orders: Record, seats: Iterable[str]) -> set[str]:
        """What of these orders, keys and their parts, is written in those that the seats filed."""
        given = [self.filed(turn)[seat] for turn in self.turns for seat in seats if seat in self.filed(turn)]
        return {path for each in given for path in _used(orders, each)}


@contextmanager
def as_kept(folder: Path) -> Iterator[None]:
    """Meanwhile turns are played as the campaign in that folder kept them: by their rules, and with the orders that bots gave then.

    Neither a table that changed since nor a bot that thinks otherwise shows; what comes out differently is the program.
    """
    kept, rules_today, written_by = campaigns.open_campaign(folder), campaigns.rules_today, substitute_orders.written_by
    last = campaigns.newest(kept)

    def rules(campaign: Campaign, turn: int | None = None) -> Tables:
        today, number = rules_today(campaign, turn), campaigns.newest(campaign) + 1 if turn is None else turn
        if number > last:
            return today
        return campaigns.rules_of(kept, campaigns.kept(kept, number))._replace(changed=today.changed)

    def text(game: AnyGame, bot: AnyBot, state: AnyState, seat: str, *more: Any) -> bytes:
        if state.turn >= last:
            return written_by(game, bot, state, seat, *more)
        return store.file_of(campaigns.kept(kept, state.turn + 1), f"orders/{seat}.yaml")

    with mock.patch.object(campaigns, "rules_today", rules), mock.patch.object(substitute_orders, "written_by", text):
        yield


def _is(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, re.Pattern):
        return isinstance(value, str) and bool(wanted.search(value))
    return wanted(value) if callable(wanted) else value == wanted


def least(number: int) -> Callable[[Any], bool]:
    return lambda value: value is not None and value >= number


def below(number: int) -> Callable[[Any], bool]:
    return lambda value: value is not None and value < number


# --- the keys of orders


def declared(orders: Record) -> set[str]:
    """What may be written: each key, the parts of what stands under it, and the words of a choice."""
    return {path for key, shape in orders.keys.items() for path in {key, *_parts(key, shape)}}


def _parts(key: str, shape: Any) -> set[str]:
    of = getattr(shape, "of", shape)
    if isinstance(of, OneOf):
        cases = {f"{key}.{case}": record for case, record in of.cases.items()}
        return {*cases, *(f"{path}.{part}" for path, record in cases.items() for part in record.keys)}
    if isinstance(of, Record):
        return {f"{key}.{part}" for part in of.keys}
    return {f"{key}.{word}" for word in getattr(shape, "cases", getattr(shape, "fixed", ()))}


def _used(orders: Record, filed: dict[str, Any]) -> set[str]:
    """What of it is written in these orders."""
    used = set(filed)
    for key, value in filed.items():
        of = getattr(orders.keys[key], "of", orders.keys[key])
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(of, OneOf):
                case = item[of.by] if of.by else next(case for case in of.cases if case in item)
                used |= {f"{key}.{case}", *(f"{key}.{case}.{part}" for part in item)}
            elif isinstance(item, dict):
                used |= {f"{key}.{part}" for part in item}
    return used
