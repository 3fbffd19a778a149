"""Decides from plain facts when the next turn is run; kingdom/mail/turn_facts.py gathers them, week.py acts on it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from kingdom.campaign import calendar
from kingdom.engine.named_tuple import NamedTuple

NOT_YET, WAITS, DUE = "not_yet", "waits", "due"
UNPROMISED = "the commitments to its new dice have not been mailed yet."
LATE = "the reports of the turn before went out late, and players need time."


class Facts(NamedTuple):
    """The facts on which the decision rests.

    at, last: the deadline, without and with its grace; None without a calendar. early: `early` of the calendar. every: the time between
    deadlines. fetched: this run fetched all mail, so nothing that came in time is still on a server. held: the GM holds the
    turn. people: the seats in play that people hold, without `unawaited`: those that a steward leads or whose player is away.
    asked: those of `people` that the turn asks for orders. silent: those asked that have filed nothing valid. final: those whose
    orders are final. limit: `missing_limit`. hold: `missing_orders: hold`. unsent: no player's report of the turn before was
    sent yet. reported: when the last of them was sent, None if none was to be sent or none was late. over: why there is no next turn.
    skipped: the seats that the GM no longer waits for. told_to_go_on: after the deadline the GM said that the turn should wait no
    longer. zone: the zone in which times are given. unpromised: the turn was reopened or its seed
    changed, and the commitments to its new dice wait to be mailed, whatever the GM says. doubt: why its deadline can't be meant, "" if it can.
    """

    turn: int
    now: datetime
    at: datetime | None
    last: datetime | None
    every: timedelta
    early: bool
    fetched: bool
    held: bool
    people: Sequence[str]
    asked: Sequence[str]
    silent: Sequence[str]
    final: Sequence[str]
    limit: float
    hold: bool
    unsent: bool
    reported: datetime | None
    over: str = ""
    skipped: Sequence[str] = ()
    told_to_go_on: bool = False
    zone: str = "UTC"
    unawaited: Sequence[str] = ()
    unpromised: bool = False
    doubt: str = ""

    @property
    def awaited(self) -> Sequence[str]:
        """Return the silent seats that the turn may wait for."""
        return tuple(seat for seat in self.silent if seat not in self.skipped)

    def may_file(self, seats: Sequence[str]) -> Sequence[str]:
        """Return who may file while the turn waits for these seats: also a player who comes back, even to a seat that a steward leads."""
        return tuple(seat for seat in (*seats, *self.unawaited) if seat not in self.skipped)


class Due(NamedTuple):
    """The decision about the next turn. why: a sentence. waits_for: the seats that may still file.

    for_gm: it waits for people, so the GM can let it go on; else it waits for a server.
    """

    what: str
    why: str
    waits_for: Sequence[str] = ()
    for_gm: bool = False


def open_until(reported: datetime, every: timedelta) -> datetime:
    """Return the earliest time of a turn: players get half the usual time with their reports. reported: when those were sent."""
    return reported + every / 2


def decide(facts: Facts) -> Due:
    """Decide whether the turn is run now. The GM can't run it before its deadline, or while mail could not be fetched."""
    turn = f"Turn {facts.turn}"
    if facts.over:
        return Due(NOT_YET, f"There is no turn {facts.turn}: {facts.over}.")
    if facts.at is None or facts.last is None:
        return Due(NOT_YET, f"{turn} has no deadline: `kingdom turn` resolves it.")
    everybody = facts.early and bool(facts.people) and set(facts.asked) <= set(facts.final)
    if facts.now <= facts.last and not everybody:
        return Due(NOT_YET, f"{turn} is due on {calendar.said_at(facts.at, facts.zone)}.")
    if facts.held:
        return Due(WAITS, f"{turn} is held by the GM; `release` lets it go on.", facts.may_file(facts.silent), True)
    if not facts.fetched:
        return Due(
            WAITS,
            f"{turn} waits: no mail could be fetched since its deadline, so orders that came in time may be missing.",
        )
    if facts.unsent:
        return Due(WAITS, f"{turn} waits: no report of the turn before has reached a player yet.")
    past = facts.now > facts.last
    if facts.doubt and past and not everybody and not facts.told_to_go_on:
        return Due(WAITS, f"{turn} waits: {facts.doubt}.", facts.may_file(facts.asked), True)
    waits = None if facts.told_to_go_on and past else _waits(facts, turn, past)
    if waits is not None:
        return waits
    if facts.unpromised:
        return Due(WAITS, f"{turn} waits: {UNPROMISED}")
    if not past:
        return Due(DUE, f"{turn} is due: all orders are final.")
    told = "the GM lets it go on." if facts.told_to_go_on else "its deadline has passed."
    return Due(DUE, f"{turn} is due: {told}")


def _waits(facts: Facts, turn: str, past: bool) -> Due | None:
    """Return what the turn waits for, if the GM may end the wait; None if it waits for nobody. past: its deadline has passed."""
    awaited = facts.awaited
    if facts.reported is not None and facts.now < (until := open_until(facts.reported, facts.every)) and past:
        by = calendar.said_at(until, facts.zone)
        why = f"{turn} waits until {by}: {LATE}"
        return Due(WAITS, why, facts.may_file(facts.asked), True)
    if awaited and facts.hold:
        return Due(
            WAITS, f"{turn} waits for {', '.join(awaited)} (`missing_orders: hold`).", facts.may_file(awaited), True
        )
    if facts.people and len(awaited) / len(facts.people) > facts.limit:
        missing = f"{len(awaited)} of {len(facts.people)} players filed nothing ({', '.join(awaited)})"
        why = f"{turn} waits: {missing}, more than `missing_limit` allows. Is the mailbox broken?"
        return Due(WAITS, why, facts.may_file(awaited), True)
    return None
