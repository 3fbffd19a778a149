"""Whether orders for a turn are still taken: by its deadline, and by whom it waits for."""

from __future__ import annotations

from datetime import timedelta

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import due as weekly
from kingdom.campaign import undone_turns
from kingdom.engine.dice import GM
from kingdom.engine.step import Facts
from kingdom.mail import turn_facts
from kingdom.mail.incoming.filing import AHEAD
from kingdom.mail.incoming.outcome import Case
from kingdom.mail.outgoing import deadlines

A_DAY = timedelta(days=1)  # so long after its deadline orders for a turn that was played are late; then it is past
HELD = "The GM holds the turn, so they count."
_WAITS = "The turn waits for players who filed nothing, so they count."


def too_late(case: Case, seat: str, turn: int) -> tuple[str, Facts]:
    """Why orders for that turn are no longer taken, or not yet, as (code, facts). facts["open"]: the turn that takes them;
    facts["counts"]: why they count all the same, a sentence."""
    campaign, journal = case.campaign, case.journal
    upcoming = campaigns.newest(campaign) + 1 or 1
    over = ""  # why there will be no such turn
    if campaigns.newest(campaign) >= 0:
        state = campaigns.state_of(campaign, campaigns.kept(campaign))
        over = campaigns.over(campaign, max(turn, upcoming), state)
    if turn < upcoming:
        facts = {} if over else {"open": upcoming}
        if turn == upcoming - 1 and not over:
            if (late := late_by(case, seat, turn, upcoming)) and late["by"] <= A_DAY:
                return "late", late
            due, out = deadlines.deadline(campaign, journal, turn), journal.reported(turn)
            if due is not None and seat != GM and case.came <= due.last and out is not None and out >= due.last:
                return "missed", {"turn": turn, **facts}  # it came in time, and mail could not be fetched
        return "past_turn", {"turn": turn, "next": upcoming, **facts}
    if turn > upcoming + AHEAD:
        return "too_far_ahead", {"turn": turn, "last": upcoming + AHEAD, "open": upcoming + AHEAD}
    if over:
        return "over", {"reason": over}
    if seat != GM and undone_turns.is_closed(campaign.folder, turn):
        return "taken_back", {"turn": turn, "next": turn + 1, "open": turn + 1}
    late = late_by(case, seat, turn, turn + 1)
    until = deadlines.open_until(campaign, journal, turn, journal.reported(turn - 1)) if late else None
    if not late or (until is not None and case.came < until and journal.held != turn):
        return "", {}
    return "late", {**late, "counts": _counts(case, seat, turn)}


def _counts(case: Case, seat: str, turn: int) -> str:
    """Why late orders count all the same, a sentence: the turn waits, whether or not a run has said so. "" where they don't."""
    if case.journal.held == turn:
        return HELD
    told = {("waits_for", seat, turn, mark) for mark in ("", case.message.digest)}  # the second: done before a kill
    return _WAITS if told & case.journal.told or seat in waits_now(case, turn) else ""


def late_by(case: Case, seat: str, turn: int, open: int) -> Facts:
    """By how much the message came after the deadline of that turn, for a sentence; empty where it came in time."""
    due = deadlines.deadline(case.campaign, case.journal, turn)
    if due is None or case.came <= due.last or seat == GM:
        return {}
    by, said = case.came - due.at, deadlines.said(due.at, case.campaign, seat)
    late = deadlines.span_said(-by).removesuffix(" ago")
    came = deadlines.said(case.came, case.campaign, seat)
    return {"turn": turn, "came": came, "late": late, "deadline": said, "by": by, "open": open}


def waits_now(case: Case, turn: int) -> list[str]:
    """Who may still file where the turn would wait if a run looked at it now: all who filed nothing, a steward's seat among them."""
    campaign = case.campaign
    if turn != campaigns.newest(campaign) + 1 or turn < 1:
        return []
    due = weekly.decide(turn_facts.facts(campaign, case.journal, case.now, True, closing.why_over(campaign)))
    there = turn_facts.filed(campaign, turn) if due.waits_for else {}
    return [seat for seat in due.waits_for if seat not in there]
