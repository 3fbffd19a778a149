"""What of a turn concerns each seat, cut once for all reports: its entries, notices and rolls; and what kingdoms say and do to
each other as one seat learns of it: messages, aid, news."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from kingdom.engine.dice import GM, Roll
from kingdom.engine.game import Letter
from kingdom.engine.ledger import Entry
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.step import Facts, Notice
from kingdom.games.realm.steps.shared import listed
from kingdom.games.realm.types import Result

ALL = "all"


class Part(Struct, frozen=True):
    """What of a turn concerns one seat, in the order in which it happened."""

    entries: list[Entry]
    notices: list[Notice]
    rolls: list[Roll]


NO_PART = Part([], [], [])


class Outlook(NamedTuple):
    """What a kingdom faces. stability: the chance of its next Stability check, None where it makes none; dangers: those that its report tells
    -> their chance, the likeliest first."""

    stability: float | None
    dangers: Mapping[str, float]


class Shared:
    """What every seat's view of one turn is cut from, worked out once. outlooks: of the seats whose reports are made, for the GM's book."""

    def __init__(self, result: Result):
        self.result = result
        self.parts = parts(result)
        self.messages = by_reader(messages(result))
        self.outlooks: dict[str, Outlook] = {}


_shared: list[Shared] = []  # of the turn that was looked at last


def shared(result: Result) -> Shared:
    """What every seat's view of this turn is cut from; remembered until another turn is looked at."""
    if not _shared or _shared[0].result is not result:
        _shared[:] = [Shared(result)]
    return _shared[0]


def parts(result: Result) -> dict[str, Part]:
    """Seat -> its part of the turn, for every seat that has one; under "all" what everybody was told."""
    found: defaultdict[str, Part] = defaultdict(lambda: Part([], [], []))
    for entry in result.entries:
        found[entry.kingdom].entries.append(entry)
    for notice in result.notices:
        found[notice.seat].notices.append(notice)
    for roll in result.rolls:
        found[roll.kingdom].rolls.append(roll)
    return dict(found)


# --- dealings


def messages(result: Result) -> list[Letter]:
    """Every message of the turn that the GM did not void, in the order of the seats."""
    voided = {(notice.seat, notice.facts["order"]) for notice in result.notices if notice.kind == "voided"}
    return [
        Letter(seat, message["to"], message["text"])
        for seat, orders in result.orders.items()
        if seat in result.after.kingdoms and (seat, "messages") not in voided
        for path, message in listed(orders.get("messages"), "messages")
        if (seat, path) not in voided
    ]


def by_reader(messages: Iterable[Letter]) -> dict[str, list[Letter]]:
    """Seat -> the messages that it sent or got; under "all" the public ones."""
    found: dict[str, list[Letter]] = {}
    for message in messages:
        for reader in (ALL,) if message.to == ALL else dict.fromkeys((message.sender, message.to)):
            found.setdefault(reader, []).append(message)
    return found


def dealt(seat: str, notices: Iterable[Notice], read: Iterable[Letter]) -> list[str]:
    """The seats that dealt with a seat: by aid, or by a message to it. To write to a stranger says nothing of him."""
    found = [notice.facts.get("to") or notice.facts["sender"] for notice in notices if notice.kind == "aid"]
    found += [message.sender for message in read]
    return [other for other in dict.fromkeys(found) if other != seat]


def told(notices: Iterable[Notice]) -> list[Facts]:
    """What the GM says in these notices, line by line: tells, rulings, and answers with the request that they answer."""
    return [
        {"text": notice.facts["text"].splitlines() or [""], "answers": notice.facts.get("answers", "")}
        for notice in notices
        if notice.kind in ("tell", "ruling")
    ]


def _named(seat: str) -> str:
    """A kingdom of which the reader knows no more than how letters to it are addressed."""
    return words(seat).title() if seat != GM else seat


def letters(read: Sequence[Letter], seat: str, names: Mapping[str, str], titled: bool) -> list[Facts]:
    """Messages for a report, by name where the name is known, `out` those that the reader wrote. titled: an unknown kingdom's seat is written as a name."""
    called = {**{each: _named(each) for one in read for each in (one.sender, one.to) if titled}, **names}
    return [
        {
            "out": message.sender == seat,
            "sender": called.get(message.sender, message.sender),
            "to": "all" if message.to == ALL else called.get(message.to, message.to),
            "text": message.text.splitlines() or [""],
        }
        for message in read
    ]
