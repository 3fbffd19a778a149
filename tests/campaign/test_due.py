"""When the next turn is run: the decision alone, from plain facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.campaign.due import DUE, NOT_YET, WAITS, Facts, decide

AT = datetime(2026, 12, 4, 17, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def facts(**named: object) -> Facts:
    """An hour after the deadline of turn 3; ann, bob and eve have filed, and the reports of turn 2 went out a week ago."""
    usual = {
        "turn": 3, "now": AT + HOUR, "at": AT, "last": AT, "every": 7 * DAY, "early": False, "fetched": True, "held": False,
        "people": ("ann", "bob", "eve"), "asked": named.get("people", ("ann", "bob", "eve")), "silent": (), "final": (), "limit": 0.5, "hold": False, "unsent": False,
        "reported": AT - 7 * DAY,
    }  # fmt: skip
    return Facts(**{**usual, **named})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("named", "what", "why"),
    [
        ({}, DUE, "its deadline has passed"),
        ({"now": AT - HOUR}, NOT_YET, "is due on Friday 4 December 2026, 17:00 (UTC)."),
        ({"now": AT}, NOT_YET, "is due on"),
        ({"last": AT + 2 * HOUR}, NOT_YET, "is due on"),
        ({"at": None, "last": None}, NOT_YET, "has no deadline"),
        ({"over": "turn 2 was the last"}, NOT_YET, "There is no turn 3: turn 2 was the last."),
        # early
        ({"now": AT - DAY, "early": True, "final": ("ann", "bob", "eve")}, DUE, "all orders are final"),
        ({"now": AT - DAY, "early": True, "final": ("ann", "bob")}, NOT_YET, "is due on"),
        ({"now": AT - DAY, "early": False, "final": ("ann", "bob", "eve")}, NOT_YET, "is due on"),
        ({"now": AT - DAY, "early": True, "people": (), "final": ()}, NOT_YET, "is due on"),
        # a turn that is not for all: who is not asked is not awaited
        ({"now": AT - DAY, "early": True, "asked": ("ann",), "final": ("ann",)}, DUE, "all orders are final"),
        ({"now": AT - DAY, "early": True, "asked": ("ann",), "final": ("bob", "eve")}, NOT_YET, "is due on"),
        ({"now": AT - DAY, "early": True, "asked": (), "final": ()}, DUE, "all orders are final"),
        ({"asked": ("ann",), "silent": ("ann",)}, DUE, "its deadline has passed"),
        ({"asked": ("ann",), "silent": ("ann",), "people": ("ann",)}, WAITS, "1 of 1 players filed nothing"),
        # it waits
        ({"held": True}, WAITS, "is held by the GM"),
        ({"fetched": False}, WAITS, "no mail could be fetched since its deadline"),
        ({"now": AT - DAY, "early": True, "final": ("ann", "bob", "eve"), "fetched": False}, WAITS, "no mail could be fetched"),
        ({"silent": ("eve",)}, DUE, "its deadline has passed"),
        ({"silent": ("eve",), "hold": True}, WAITS, "waits for eve (`missing_orders: hold`)"),
        ({"silent": ("ann", "eve")}, WAITS, "2 of 3 players filed nothing (ann, eve), more than `missing_limit` allows"),
        ({"silent": ("ann", "eve"), "limit": 1.0}, DUE, "its deadline has passed"),
        ({"people": (), "silent": ()}, DUE, "its deadline has passed"),
        ({"people": ("ann", "bob"), "silent": ("ann",)}, DUE, "its deadline has passed"),
        # the machine slept
        ({"reported": AT - 3 * DAY}, WAITS, "waits until Saturday 5 December 2026, 05:00 (UTC): the reports"),
        ({"reported": AT - 3 * DAY, "zone": "Europe/Berlin"}, WAITS, "waits until Saturday 5 December 2026, 06:00 (Europe/Berlin)"),
        ({"reported": AT - 3 * DAY, "now": AT + 12 * HOUR}, DUE, "its deadline has passed"),
        ({"reported": None}, DUE, "its deadline has passed"),
        ({"unsent": True, "reported": None}, WAITS, "no report of the turn before has reached a player yet"),
        ({"reported": AT - DAY, "now": AT - HOUR, "early": True, "final": ("ann", "bob", "eve")}, DUE, "all orders are final"),
        # the GM lets it go on
        ({"silent": ("eve",), "hold": True, "told_to_go_on": True}, DUE, "the GM lets it go on"),
        ({"silent": ("ann", "bob", "eve"), "told_to_go_on": True}, DUE, "the GM lets it go on"),
        ({"reported": AT - 3 * DAY, "told_to_go_on": True}, DUE, "the GM lets it go on"),
        ({"now": AT - HOUR, "told_to_go_on": True}, NOT_YET, "is due on"),
        ({"held": True, "told_to_go_on": True}, WAITS, "is held by the GM"),
        ({"fetched": False, "told_to_go_on": True}, WAITS, "no mail could be fetched"),
        ({"unsent": True, "reported": None, "told_to_go_on": True}, WAITS, "no report of the turn before"),
        # what is promised for the dice of a reopened turn is mailed first
        ({"unpromised": True}, WAITS, "the commitments to its new dice have not been mailed yet"),
        ({"unpromised": True, "told_to_go_on": True}, WAITS, "the commitments to its new dice"),
        # the GM no longer waits for a seat
        ({"silent": ("eve",), "hold": True, "skipped": ("eve",)}, DUE, "its deadline has passed"),
        ({"silent": ("bob", "eve"), "hold": True, "skipped": ("eve",)}, WAITS, "waits for bob ("),
        ({"silent": ("ann", "eve"), "skipped": ("eve",)}, DUE, "its deadline has passed"),
        ({"silent": ("ann", "bob", "eve"), "skipped": ("eve",)}, WAITS, "2 of 3 players filed nothing (ann, bob)"),
        ({"now": AT - DAY, "early": True, "final": ("ann", "bob"), "skipped": ("eve",)}, NOT_YET, "is due on"),
    ],
)  # fmt: skip
def test_the_next_turn(named: dict[str, object], what: str, why: str) -> None:
    due = decide(facts(**named))
    assert due.what == what and why in due.why


def test_who_is_silent_may_still_file_while_the_turn_waits_for_them() -> None:
    assert decide(facts(silent=("eve",), hold=True)).waits_for == ("eve",)
    assert decide(facts(silent=("ann", "eve"))).waits_for == ("ann", "eve")
    assert decide(facts(fetched=False, silent=("eve",))).waits_for == ()


SEATS = ("ann", "bob", "eve")
SOME = st.lists(st.sampled_from(SEATS), unique=True).map(tuple)


@st.composite
def any_facts(draw: st.DrawFn) -> Facts:
    """Any state in which a turn may stand."""
    flag = st.booleans()
    asked = draw(SOME)
    return facts(
        now=AT + draw(st.sampled_from((-DAY, -HOUR, 0 * HOUR, HOUR, 2 * HOUR, 3 * DAY))),
        last=AT + draw(st.sampled_from((0, 1))) * HOUR,
        early=draw(flag),
        fetched=draw(flag),
        held=draw(flag),
        asked=asked,
        silent=tuple(seat for seat in asked if draw(flag)),
        final=draw(SOME),
        limit=draw(st.sampled_from((0.0, 0.5, 1.0))),
        hold=draw(flag),
        unsent=draw(flag),
        reported=draw(st.sampled_from((None, AT - 7 * DAY, AT - DAY))),
        over=draw(st.sampled_from(("", "", "turn 2 was the last"))),
        skipped=draw(SOME),
        told_to_go_on=draw(flag),
    )


@given(any_facts())
def test_no_word_of_the_gm_runs_a_turn_too_early_or_over_a_server_or_a_hold(some: Facts) -> None:
    due = decide(some)
    without = decide(some._replace(told_to_go_on=False, skipped=()))
    if some.held or not some.fetched or some.unsent or some.over:
        assert due.what != DUE, "a held turn never runs by itself, and no word stands in for a server"
    if some.last is not None and some.now <= some.last:
        assert (due.what == DUE) <= (without.what == DUE or some.early and set(some.asked) <= set(some.final))
        assert due.what != DUE or some.early, "never before the deadline by a command"


@given(any_facts())
def test_a_word_of_the_gm_never_makes_a_turn_wait_and_frees_one_that_waits_for_people(some: Facts) -> None:
    before = decide(some._replace(told_to_go_on=False, skipped=()))
    assert before.what != DUE or decide(some).what == DUE
    if before.what == WAITS and before.for_gm and some.fetched and not some.unsent and some.now > (some.last or AT):
        assert decide(some._replace(told_to_go_on=True, held=False)).what == DUE


def test_late_reports_give_no_time_to_who_was_skipped() -> None:
    late = facts(now=AT + HOUR, reported=AT - DAY, asked=("ann", "bob"), skipped=("ann",))
    assert decide(late).what == WAITS and decide(late).waits_for == ("bob",)


@given(any_facts())
def test_who_was_skipped_is_not_waited_for(some: Facts) -> None:
    due = decide(some)
    assert some.held or not set(due.waits_for) & set(some.skipped)
