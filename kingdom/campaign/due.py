"""When the next turn is run, decided from plain facts; kingdom/mail/turn_facts.py gathers them, week.py does what is due. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from kingdom.campaign import calendar

NOT_YET, WAITS, DUE = "not_yet", "waits", "due"
LATE = "the reports of the turn before went out late, and players need time."


class Facts(NamedTuple):
    """What the decision goes by.

    at, last: the deadline, and with its grace; None without a calendar. early: `early` of the calendar. every: the time between
    deadlines. fetched: this run took all mail in, so nothing that came in time is still on a server. held: the GM holds the
    turn. people: the seats in play that people hold, but for `unawaited`: those that a steward leads, or whose player is away.
    asked: those of the people whose orders the turn is for. silent: those asked with nothing valid filed. final: those whose
    orders are final. limit: `missing_limit`. hold: `missing_orders: hold`. unsent: no player's report of the turn before went
    out yet. reported: when the last of them went out, None where none had to, or none late. over: why there is no such turn.
    skipped: the seats that the GM no longer waits for. told_to_go_on: after the deadline the GM said that the turn is to wait no
    longer. zone: by whose clock times are said. unpromised: the turn was reopened or its seed
    changed, and the commitments to its new dice wait to be mailed. doubt: why its deadline can't be meant, "" where it can.
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
        """The silent seats that the turn may wait for."""
        return tuple(seat for seat in self.silent if seat not in self.skipped)

    def may_file(self, seats: Sequence[str]) -> Sequence[str]:
        """Who may still file while the turn waits for these seats: who comes back, to a seat that a steward leads too, may as well."""
        return tuple(seat for seat in (*seats, *self.unawaited) if seat not in self.skipped)


class Due(NamedTuple):
    """What is to be done about the next turn. why: a sentence. waits_for: the seats that may still file.

    for_gm: it waits for somebody, so the GM's word lets it go on; else for a server.
    """

    what: str
    why: str
    waits_for: Sequence[str] = ()
    for_gm: bool = False


def open_until(reported: datetime, every: timedelta) -> datetime:
    """Until when a turn is not run at least: the players have half the usual time with the reports. reported: when those went out."""
    return reported + every / 2


def decide(facts: Facts) -> Due:
    """Whether the turn is run now. No word of the GM's runs a turn before its deadline, or over mail that nobody could fetch."""
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
    if facts.unpromised and not facts.told_to_go_on:
        return Due(WAITS, f"{turn} waits: the commitments to its new dice have not been mailed yet.", for_gm=True)
    if facts.doubt and past and not everybody and not facts.told_to_go_on:
        return Due(WAITS, f"{turn} waits: {facts.doubt}.", facts.may_file(facts.asked), True)
    waits = None if facts.told_to_go_on and past else _waits(facts, turn, past)
    if waits is not None:
        return waits
    if not past:
        return Due(DUE, f"{turn} is due: all orders are final.")
    told = "the GM lets it go on." if facts.told_to_go_on else "its deadline has passed."
    return Due(DUE, f"{turn} is due: {told}")


def _waits(facts: Facts, turn: str, past: bool) -> Due | None:
    """What the turn waits for that the GM may decide; None where it waits for nobody. past: its deadline has passed."""
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
