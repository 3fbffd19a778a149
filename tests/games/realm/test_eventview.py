"""How a report tells of events: announced before they act, and while they go on, with what they do and how they end."""

from __future__ import annotations

from functools import cache

from kingdom.engine.step import Result
from kingdom.games.realm.state import Event, Modifier, replace, with_kingdoms
from tests.games.realm.kit import rules_of, world_of
from tests.games.realm.reportkit import KINGDOMS, MAP, files_of, sections, turn_of, words

RULES = rules_of({"events": {"chance": {"normal": 25, "after_quiet_turn": 75}, "grace": 0}})
DICE = (
    {"examplia": {"event": 25, "event_type": 26, "event_dangerous_kingdom": 19}},  # a feud
    {"examplia": {"event": 99, "feud": 2, "feud-unrest": 3}},
)
ANNOUNCED = """\
    Announced for turn 2: Feud, in turn 2 (feud-1)
      Two great houses are at each other's throats.
      A Loyalty check; success: Unrest +1; failure: Debauchery (Corruption)
      +1, Unrest +d6, and it goes on.
      It ends when its check succeeds (Loyalty), or by itself after turn 7.
      It ends in the next Event phase with a chance of 10 %.
      `answers: {feud-1: {adventurers: 4}}` makes that 20 % for 4 BP, 35 % for
      8 BP, 60 % for 16 BP.
      If you do nothing about it for 3 turns: Unrest +5.0 on average, +8 at
      worst."""


@cache
def turns() -> tuple[Result, Result]:
    """The turn at whose end a feud is announced, and the one in which it first acts."""
    first = turn_of(world_of(KINGDOMS, MAP), {}, DICE[0], RULES)
    return first, turn_of(first.after, {}, DICE[1], RULES)


def text(turn: int, seat: str = "examplia") -> dict[str, str]:
    return sections(files_of(turns()[turn], rules=RULES)[f"{seat}.txt"])


def test_an_event_is_announced_with_what_it_does_and_how_it_ends() -> None:
    assert ANNOUNCED in text(0)["WHAT HAPPENED, DIE BY DIE"]


def test_an_event_that_goes_on_is_told_again_with_how_it_ends() -> None:
    told = text(1)["WHAT HAPPENED, DIE BY DIE"]
    assert "    - Feud: it goes on" in told and "\n    Going on: Feud, since turn 2 (feud-1)\n" in told
    assert "      It ends when its check succeeds (Loyalty), or by itself after turn 7.\n" in told


def test_the_page_says_the_same() -> None:
    page = words(files_of(turns()[0], rules=RULES)["examplia.html"])
    assert "Feud, in turn 2" in page and "It ends when its check succeeds (Loyalty), or by itself after turn 7." in page


def test_others_are_told_nothing_of_it() -> None:
    assert "Feud" not in files_of(turns()[0], rules=RULES)["borderia.txt"]


def test_of_an_event_that_is_over_what_it_changed_is_told() -> None:
    before = turns()[1].after
    examplia = before.kingdoms["examplia"]
    feud = replace(examplia.events["feud-1"], done=True)
    after = with_kingdoms(before, {"examplia": replace(examplia, events={"feud-1": feud})})
    told = sections(files_of(turns()[1]._replace(after=after), rules=RULES)["examplia.txt"])[
        "WHAT HAPPENED, DIE BY DIE"
    ]
    assert (
        "    Over, but it lasts or waits: Feud, since turn 2 (feud-1)\n      It changed: Debauchery (Corruption) +1 until turn 6 begins.\n      Over; what it changed lasts"
        in told
    )


def told_of(event: Event, *modifiers: Modifier) -> str:
    """The events of Examplia's report after a turn with that event alone, which changed so much."""
    result = turns()[1]
    examplia = replace(result.after.kingdoms["examplia"], events={f"{event.kind}-1": event}, modifiers=modifiers)
    after = with_kingdoms(result.after, {"examplia": examplia})
    return sections(files_of(result._replace(after=after), rules=RULES)["examplia.txt"])["WHAT HAPPENED, DIE BY DIE"]


def test_what_an_event_changed_for_good_stands_apart_from_what_ends() -> None:
    event = Event("justice_prevails", settlement="Oakhold", begins=2, done=True)
    stays = Modifier("loyalty", 1, event.kind, "Justice", lasting=True, event="justice_prevails-1")
    ends = replace(stays, account="debauchery", by=-1, lasting=False, ends=14, part="crime")
    told = told_of(event, stays, ends)
    assert "      It changed: Loyalty +1; Debauchery (Crime) -1 until turn 14 begins.\n" in told
    assert "lasts until the GM ends it, unless an end is named" in " ".join(told.split())


def test_an_event_says_when_it_breeds_no_other() -> None:
    told = " ".join(told_of(Event("drug_den", settlement="Oakhold", begins=2)).split())
    assert "here or in the nearest settlement (none while 2 of a kind stand in your kingdom), and it goes on" in told
