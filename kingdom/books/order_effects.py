"""The effects of an order: the entries of its turn that would be missing or different without it.

Entries do not name the order that they come from, and much of what an order does comes steps later, under other causes.
So the turn is run again without the order, with its own rules and dice, and the two ledgers are compared. The dice are the
same, since no order changes another roll.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import filings, replay
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.replay import Loaded
from kingdom.campaign.undo import missing
from kingdom.engine.dice import GM
from kingdom.engine.ledger import Entry
from kingdom.engine.step import Orders
from kingdom.orders import orders_file as texts

_HEAD = ("kingdom", "turn", "token", "final", "amend")
EVERY = ""  # the path of all orders of a seat together
_PATH = re.compile(r"(\w+)\[(\d+)\]\Z")


class Order(NamedTuple):
    """An order as used in a turn: its path, as `check` and reports name it, and its text in the short form."""

    turn: int
    kingdom: str
    path: str
    text: str


class Effect(NamedTuple):
    """An order's effect on an account: the delta that was booked, and the delta without the order; 0 is none."""

    turn: int
    kingdom: str
    account: str
    delta: int
    without: int
    cause: str
    detail: str


def orders_of(campaign: Campaign, turn: Loaded, seats: Iterable[str] = ()) -> Iterator[Order]:
    """Every order of a turn, of these seats or of all and the GM. Raises Faults."""
    files = {Path(name).stem: data for name, data in turn.files.items() if name.startswith("orders/")}
    rules, record = turn.rules.rules, turn.record
    filed = filings.read(files, turn.folder / "orders", campaign.game, rules, record.seats, record.turn)
    for seat, orders in filed.orders.items():
        if not seats or seat in seats:
            for key, value in orders.items():
                if key not in _HEAD:
                    yield from _under_key(campaign, record.turn, seat, key, value)


def _under_key(campaign: Campaign, turn: int, seat: str, key: str, value: object) -> Iterator[Order]:
    """The orders under a key: each item of a list, each word of a map."""

    def said(part: object) -> str:
        return " ".join(texts.write_short({key: part}, campaign.game).split())

    if isinstance(value, list):
        for number, part in enumerate(value):
            yield Order(turn, seat, f"{key}[{number}]", said([part]))
    elif isinstance(value, dict):
        for word, part in value.items():
            yield Order(turn, seat, f"{key}.{word}", said({word: part}))
    else:
        yield Order(turn, seat, key, said(value))


def wanted(order: Order, words: str) -> bool:
    """Return whether the typed words mean the order: its path, the start of it (`build`), or words of its text."""
    typed, path = words.lower().split(), order.path.lower()
    if typed == [path] or (len(typed) == 1 and path.startswith((f"{typed[0]}[", f"{typed[0]}."))):
        return True
    return bool(typed) and set(typed) <= set(re.split(r"[^\w.-]+", f"{path} {order.text}".lower()))


def found(
    campaign: Campaign, words: str | None, seats: Iterable[str], turns: range
) -> Iterator[tuple[Order, list[Effect]]]:
    """Yield every order of these turns that the words mean, with its effects. Raises Faults.

    words: None for every order, and before those of each seat all of them together, with the path EVERY.
    """
    before = None
    for number in turns:
        turn, kept = replay.loaded(campaign, number), None
        orders = [*orders_of(campaign, turn, seats)]
        if words is None:
            orders[:0] = [Order(number, seat, EVERY, "") for seat in dict.fromkeys(order.kingdom for order in orders)]
        for order in orders:
            if words is None or wanted(order, words):
                before = before or replay.loaded(campaign, number - 1)
                kept = kept or replay.again(campaign, turn, before).entries
                yield order, effects(campaign, turn, before, order, kept)
        before = turn


def effects(
    campaign: Campaign, turn: Loaded, before: Loaded, order: Order, kept: list[Entry] | None = None
) -> list[Effect]:
    """Return the order's effects in its turn, in the ledger's order. Raises Faults.

    kept: the entries of the turn run again as it is, if they are at hand.
    """
    kept = kept or replay.again(campaign, turn, before).entries
    without = replay.again(campaign, turn, before, lambda filed: _left_out(filed, order)).entries
    return list(_compared(kept, without))


def _compared(kept: list[Entry], without: list[Entry]) -> Iterator[Effect]:
    """The entries that only one of two ledgers of a turn has.

    Entries of one step, seat, account and cause are compared one by one if both ledgers have as many of them.
    """
    ours, others = _by_place(missing(kept, without, _bare)), _by_place(missing(without, kept, _bare))
    for place in dict.fromkeys([*ours, *others]):
        mine, instead = ours.get(place, []), others.get(place, [])
        if len(mine) != len(instead):
            yield from (_effect(entry, entry.delta, 0) for entry in mine)
            yield from (_effect(entry, 0, entry.delta) for entry in instead)
            continue
        pairs = ((entry, other) for entry, other in zip(mine, instead, strict=True) if entry.delta != other.delta)
        yield from (_effect(entry, entry.delta, other.delta) for entry, other in pairs)


def _effect(entry: Entry, delta: int, without: int) -> Effect:
    return Effect(entry.turn, entry.kingdom, entry.account, delta, without, entry.cause, entry.detail)


def _by_place(entries: Iterable[Entry]) -> dict[tuple[str, ...], list[Entry]]:
    found: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        place = entry.phase, entry.step, entry.kingdom, entry.account, entry.cause
        found.setdefault(place, []).append(entry)
    return found


def _bare(entry: Entry) -> Entry:
    """Return what tells whether two entries are the same: all but balance and sequence number."""
    return entry._replace(seq=0, balance=0)


# --- leaving an order out --------------------------------------------------------------------------------------------


def _left_out(filed: Mapping[str, Orders], order: Order) -> dict[str, Orders]:
    """Return everything filed in a turn, except the order."""
    changed = {seat: copy.deepcopy(dict(orders)) for seat, orders in filed.items()}
    own, listed = changed[order.kingdom], _PATH.match(order.path)
    if order.path == EVERY:
        changed[order.kingdom] = {key: own[key] for key in own if key in _HEAD}
    elif listed:
        del own[listed[1]][int(listed[2])]
        for other in changed.get(GM, {}).get(GM, ()):
            _renumber(other, order.kingdom, listed[1], int(listed[2]))
    else:
        key, _, word = order.path.partition(".")
        if word:
            del own[key][word]
        if not word or not own[key]:
            del own[key]
    return {**changed}


def _renumber(other: dict[str, object], seat: str, key: str, number: int) -> None:
    """Let a `void` of the GM for the same list still mean the same order."""
    void = other.get("void")
    if not isinstance(void, dict) or void.get("kingdom") != seat:
        return
    path = _PATH.match(void["order"])
    if path and path[1] == key:
        at = int(path[2])
        void["order"] = f"{key}[{at - 1}]" if at > number else path[0] if at < number else f"{key}[]"
