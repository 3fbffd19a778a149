"""What changed most, and why: the steepest rise and fall of each account within a few turns, told from the ledger alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kingdom.books.ledgers import Ledger
from kingdom.books.overview import Change, Place
from kingdom.books.periods import Period
from kingdom.books.review import Wanted
from kingdom.engine.ledger import CAUSES, causes_said
from kingdom.engine.names import words
from kingdom.render.plain_text import clean, signed

STRETCH = 4  # turns, at most, within which a change is the steepest
AGAINST = 3  # causes that are told of the difference from the turns before
_SHORT = 120  # letters of a detail; a longer one is left out whole
Courses: TypeAlias = Mapping[Place, Sequence[int | None]]  # after each turn from 0 on; None while not in play


class LargestChange(NamedTuple):
    """A change within some turns. head: what changed; why: sentences on its causes."""

    kingdom: str
    account: str
    period: Period
    by: int
    head: str
    why: Sequence[str]


def of_accounts(
    ledger: Ledger, courses: Courses, accounts: Sequence[str], names: Mapping[str, str], period: Period,
    against: Period | None = None,
) -> list[LargestChange]:  # fmt: skip
    """Return the steepest rise and the steepest fall of each account, account by account.

    against: turns to compare with; the change is then that over the whole period, else that within STRETCH turns of it, compared
    with as many turns before.
    """
    found = []
    for account in accounts:
        own = {kingdom: course for (kingdom, its), course in courses.items() if its == account and kingdom in names}
        for sign in (1, -1):
            stretches = [period] if against else _stretches(period)
            moved = [(sign * by, -part.turns, -part.first, kingdom) for kingdom, part, by in _changes(own, stretches)]
            if moved and max(moved)[0] > 0:
                _, turns, first, kingdom = max(moved, key=lambda move: (move[:3], move[3]))
                part = Period(-first, -first - turns - 1)
                found.append(_told(ledger, courses, names, (kingdom, account), part, against))
    return found


def _stretches(period: Period) -> list[Period]:
    """Return each part of the period of at most STRETCH turns."""
    return [
        Period(first, last)
        for first in range(period.first, period.last + 1)
        for last in range(first, min(first + STRETCH, period.last + 1))
    ]


def _changes(own: Mapping[str, Sequence[int | None]], parts: Sequence[Period]) -> Iterator[tuple[str, Period, int]]:
    """Yield by how much an account of each kingdom changed in each of these parts."""
    for kingdom, course in own.items():
        for part in parts:
            before, after = course[part.first - 1] if part.first else None, course[part.last]
            if before is not None and after is not None:
                yield kingdom, part, after - before


def _told(
    ledger: Ledger, courses: Courses, names: Mapping[str, str], place: Place, part: Period, against: Period | None
) -> LargestChange:
    """Tell a change: its causes, what they were in other turns, and the largest entry."""
    kingdom, account = place
    own = ledger.select(Wanted(kingdom=kingdom))
    change = _change(own, courses, place, part)
    why = [f"{_sentence(causes_said(change.causes))}."]
    for cause, _ in change.causes[:CAUSES]:
        if cause != account and (kingdom, cause) in courses:  # a cause may be an account, which has causes of its own
            inner = _change(own, courses, (kingdom, cause), part)
            if inner.before != inner.after:
                why.append(
                    f"{_sentence(words(cause))} went from {inner.before} to {inner.after}: {causes_said(inner.causes)}."
                )
    other = against or Period(part.first - part.turns, part.first - 1)
    if against or other.first > 0 and courses[place][other.first - 1] is not None:
        differences = _differences(own, account, part, other)
        if differences:
            told = ", ".join(f"{words(cause)} {signed(by)}" for cause, by in differences[:AGAINST])
            why.append(f"Against {other.head}: {told}.")
    why.append(_largest(own, account, part, change.after - change.before))
    head = f"{clean(names[kingdom])}: {words(account)} from {change.before} to {change.after} in {part.head}"
    return LargestChange(kingdom, account, part, change.after - change.before, head, [*filter(None, why)])


def _change(own: Ledger, courses: Courses, place: Place, part: Period) -> Change:
    """Return the change of an account in some turns, in which it was in play."""
    course = courses[place]
    causes = _sums(own, place[1], part)
    weightiest = sorted(causes.items(), key=lambda cause: (-abs(cause[1]), cause[0]))
    return Change(*place, course[part.first - 1] or 0, course[part.last] or 0, weightiest)


def _sums(own: Ledger, account: str, part: Period) -> dict[str, int]:
    """Return cause -> the sum of its entries, if they did not add up to 0."""
    summed = own.select(Wanted(part, account=account)).sums(["cause"], whole=False)
    return {
        str(cause): int(delta)
        for cause, delta in zip(summed.column("cause"), summed.column("delta"), strict=True)
        if delta
    }


def _differences(own: Ledger, account: str, part: Period, other: Period) -> list[tuple[str, int]]:
    """Return by how much each cause did more than in other turns, the largest difference first."""
    now, then = _sums(own, account, part), _sums(own, account, other)
    by = {cause: now.get(cause, 0) - then.get(cause, 0) for cause in {*now, *then}}
    if not then:
        return []  # it would say the same once more
    return sorted(((cause, more) for cause, more in by.items() if more), key=lambda each: (-abs(each[1]), each[0]))


def _largest(own: Ledger, account: str, part: Period, by: int) -> str:
    """Tell the largest entry of those that moved the account the way that it went, if its detail is short enough to stand whole."""
    listed = own.select(Wanted(part, account=account)).listed(("turn", "delta", "cause", "detail")).cells
    entries = [
        (abs(delta), turn, cause, detail)
        for turn, delta, cause, detail in listed
        if isinstance(delta, int) and delta * by > 0
    ]
    if len(entries) < 2:
        return ""
    size, turn, cause, detail = max(entries, key=lambda entry: entry[0])
    text = clean(str(detail))
    behind = f" ({text})" if text and len(text) <= _SHORT else ""
    return f"The largest entry: {words(str(cause))} {signed(size if by > 0 else -size)} in turn {turn}{behind}."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
