"""Whether orders for a turn are still taken: by the turn's deadline, and by the players for whom it waits."""

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

# orders for a turn that was played are called late so long after its deadline; after that the turn is past
A_DAY = timedelta(days=1)
HELD = "The GM holds the turn, so they count."
_WAITS = "The turn waits for players who filed nothing, so they count."


def too_late(case: Case, seat: str, turn: int) -> tuple[str, Facts]:
    """Why orders for a turn are not taken, or not taken yet, as (code, facts). facts["open"]: the turn that takes them; facts["counts"]: a
    sentence why they count all the same."""
    campaign, journal = case.campaign, case.journal
    upcoming = campaigns.newest(campaign) + 1 or 1
    over = ""  # why the turn will never be played
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
                return "missed", {"turn": turn, **facts}  # the message came in time, but mail could not be fetched
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
    """A sentence why late orders count all the same: the turn waits, whether or not a run has said so. "" where they don't count."""
    if case.journal.held == turn:
        return HELD
    told = {("waits_for", seat, turn, mark) for mark in ("", case.message.digest)}  # the second: done before a kill
    return _WAITS if told & case.journal.told or seat in waits_now(case, turn) else ""


def late_by(case: Case, seat: str, turn: int, open: int) -> Facts:
    """How much later than the deadline of the turn the message came, as facts for a sentence; {} where it came in time."""
    due = deadlines.deadline(case.campaign, case.journal, turn)
    if due is None or case.came <= due.last or seat == GM:
        return {}
    by, said = case.came - due.at, deadlines.said(due.at, case.campaign, seat)
    late = deadlines.span_said(-by).removesuffix(" ago")
    came = deadlines.said(case.came, case.campaign, seat)
    return {"turn": turn, "came": came, "late": late, "deadline": said, "by": by, "open": open}


def waits_now(case: Case, turn: int) -> list[str]:
    """The seats that may still file because a run that looked at the turn now would wait for them: all that filed nothing, also those of
    stewards."""
    campaign = case.campaign
    if turn != campaigns.newest(campaign) + 1 or turn < 1:
        return []
    due = weekly.decide(turn_facts.facts(campaign, case.journal, case.now, True, closing.why_over(campaign)))
    there = turn_facts.filed(campaign, turn) if due.waits_for else {}
    return [seat for seat in due.waits_for if seat not in there]
