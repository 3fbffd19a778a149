"""What an announcement says of the odds of an event, of its price and of ignoring it, against what the turn makes of each face."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from kingdom.games.realm.forecast import event_odds
from kingdom.games.realm.forecast.event_chances import chances_of_failures, outlook_of
from kingdom.games.realm.forecast.event_odds import UNREST, Toll, toll_of, ways_out, worst_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Event, Modifier, World, replace, with_kingdoms
from tests.games.realm.kit import rules_of, run, world_of
from tests.games.realm.reportkit import files_of, sections

RULES = rules_of()
TOWN = {"Oakhold": {"hex": "0404", "buildings": ["inn", "herbalist", "tenement"]}}
KINGDOM = {
    "hexes": {"0404": ["road"], "0405": []},
    "settlements": TOWN,
    "attributes": {"loyalty": 2, "stability": 5},
    "unrest": 1,
}
SCARED = Modifier("loyalty_checks", -4, "public_scandal", "Public scandal", ends=9)
LEAVING = Modifier("stability", 9, "aid", "aid from Borderia")  # ends before the Event phase
ANSWER = {"none": "none", "adventurers": {"adventurers": 4}}


def with_event(kind: str, facts: Any = None, begins: int = 1, rules: Rules = RULES) -> World:
    """A kingdom with one event in Oakhold, which acts next."""
    world = world_of({"examplia": KINGDOM}, rules=rules)
    event = Event(kind, begins, "0404", "Oakhold", facts or {})
    kingdom = replace(world.kingdoms["examplia"], events={f"{kind}-1": event}, modifiers=(SCARED, LEAVING))
    return with_kingdoms(world, {"examplia": kingdom})


def outlook(world: World, kind: str, rules: Rules = RULES) -> Any:
    return outlook_of(f"{kind}-1", world.kingdoms["examplia"].events[f"{kind}-1"], "examplia", world, rules)


@pytest.mark.parametrize("hired", [0, 4])
@pytest.mark.parametrize("kind", ["feud", "slavers", "plague", "sensational_crime"])
def test_the_chances_are_those_of_the_turn(kind: str, hired: int) -> None:
    world = with_event(kind)
    checks = RULES.event_kinds[kind].checks
    orders = {"examplia": {"answers": {f"{kind}-1": {"adventurers": hired}}}} if hired else {}
    asked = run(world, {}, RULES, steps="roll_events").after.kingdoms["examplia"].pending
    world = with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], pending=asked)})
    found = [0] * (len(checks) + 1)
    for faces in product(*[range(1, 21, 1 if len(checks) == 1 else 3)] * len(checks)):
        result = run(world, orders, RULES, {"examplia": {f"{kind}-0404": list(faces)}}, steps=["start", "events"])
        found[sum(notice.facts["success"] is False for notice in result.notices if notice.kind == "check")] += 1
    odds = chances_of_failures(outlook(world, kind), 2 if hired else 0)
    within = 0.001 if len(checks) == 1 else 0.08  # of two checks each third face is tried
    assert odds == pytest.approx([count / sum(found) for count in found], abs=within) and sum(odds) == pytest.approx(1)


def test_what_a_question_is_worth_counts_all_that_ignoring_it_takes() -> None:
    """Also of an event that goes on and takes attributes; a point of Unrest counts what a House costs, which takes one off."""
    house = RULES.buildings["house"]
    assert house.cost == UNREST and house.unrest == -1
    worth = {kind: worst_of(outlook(with_event(kind), kind)) for kind in ("inquisition", "feud", "plague")}
    assert worth["inquisition"] >= 8 and worth["feud"] >= UNREST, worth


def test_three_turns_of_a_feud_by_hand() -> None:
    """A chance p of success: 1 then, else a d6, and 1 at most in each later turn."""
    world = with_event("feud")
    p = chances_of_failures(outlook(world, "feud"))[0]
    toll = toll_of(outlook(world, "feud"), "unrest")
    assert toll.mean == pytest.approx(p + (1 - p) * 3.5 + (1 - p) + (1 - p) ** 2) and toll.worst == 8


@pytest.mark.parametrize(
    ("begins", "mean", "worst"), [(1, 2, 2), (0, 3, 3), (-1, 2, 2), (-2, 1, 1), (-3, 0, 0), (-5, 0, 0)]
)
def test_three_turns_of_a_demand(begins: int, mean: int, worst: int) -> None:
    """It adds 1 in its second, third and fourth turn. begins: the turn in which it did, where the next one is turn 1."""
    world = with_event("building_demand", {"demand": "build", "what": "inn", "had": 1}, begins)
    toll = toll_of(outlook(world, "building_demand"), "unrest")
    assert (toll.mean, toll.worst) == (mean, worst)


def test_who_drives_squatters_off_and_builds_no_home_pays_for_that_too() -> None:
    """2 Unrest at once; driven off 2 more a turn later; else 1 in each later turn."""
    world = with_event("squatters", {"lot": "B4"})
    p = chances_of_failures(outlook(world, "squatters"))[0]
    toll = toll_of(outlook(world, "squatters"), "unrest")
    assert toll.mean == pytest.approx(2 + p * 2 + (1 - p) * (1 + p * 2 + (1 - p)))
    assert toll.worst == 5


def test_what_ends_by_itself_costs_no_more() -> None:
    world = with_event("plague", begins=-4)
    assert toll_of(outlook(world, "plague"), "treasury").worst == -6


def said(kind: str, facts: Any = None, rules: Rules = RULES) -> list[str]:
    return ways_out(outlook(with_event(kind, facts, rules=rules), kind, rules))


@pytest.mark.parametrize("kind", [name for name, kind in RULES.event_kinds.items() if not kind.good])
def test_every_dangerous_event_names_an_order_that_fights_it(kind: str) -> None:
    facts = {"demand": "build", "what": "inn", "had": 1} if kind == "building_demand" else {"acr": 3}
    if kind == "improvement_demand":
        facts = {"demand": "build", "what": "watchtower", "had": 0}
    lines = said(kind, facts)
    assert any("`answers: {" in line or "`adventurers: " in line for line in lines)
    assert any("a chance of" in line for line in lines)
    assert any(line.startswith(("If you do nothing", "Each threatened")) for line in lines)


def test_a_demand_says_what_it_costs_to_meet_it() -> None:
    lines = said("building_demand", {"demand": "build", "what": "inn", "had": 1})
    assert "`build: inn in Oakhold` does what they demand (build inn in Oakhold), for 20 BP." in lines
    lines = said("building_demand", {"demand": "tear_down", "what": "inn", "had": 1})
    assert "`build: demolish inn in Oakhold` does what they demand (tear down inn in Oakhold), for 1 BP." in lines


def test_monsters_say_who_fights_them_and_for_how_much() -> None:
    lines = " ".join(said("monster_attack", {"acr": 3}))
    assert "`armies: NAME to 0404 then attack target monsters`" in lines
    assert "`adventurers: 6 bp to 0404` hires its match" in lines and "from Unrest 5 on the hex is lost" in lines


@pytest.mark.parametrize(
    ("stability", "told"),
    [
        (8, "makes that 90 % for 4 BP, 95 % for 8 BP; more BP add nothing."),
        (10, "makes that 95 % for 4 BP; more BP add nothing."),
        (11, "Adventurers would add nothing to that."),
    ],
)
def test_adventurers_who_add_no_more_are_not_offered_for_more(stability: int, told: str) -> None:
    """A check fails on a 1 whatever is added to it."""
    world = with_event("bandit_activity")
    own = replace(world.kingdoms["examplia"], attributes={"stability": stability}, unrest=0, modifiers=())
    lines = " ".join(ways_out(outlook(with_kingdoms(world, {"examplia": own}), "bandit_activity")))
    assert told.replace(" %", "\u00a0%") in lines.replace(" %", "\u00a0%"), lines


def test_before_a_turn_of_anarchy_nothing_is_promised() -> None:
    world = with_event("feud")
    world = with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], anarchy=1)})
    assert ways_out(outlook(world, "feud")) == [
        "In the turn of anarchy nothing can be answered, and every check fails."
    ]


def test_the_report_has_it_by_either_edition() -> None:
    for rules in (RULES, replace(RULES, event_going_on=None)):
        world = with_event("feud", begins=2, rules=rules)
        report = sections(files_of(run(world, {}, rules), rules=rules)["examplia.txt"])["WHAT HAPPENED, DIE BY DIE"]
        assert "makes that" in report and "If you do nothing" in report


def test_what_is_next_to_nothing_on_average_is_not_told_as_minus_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_odds, "toll_of", lambda *_: Toll(-0.03, -4))
    lines = " ".join(said("smugglers"))
    assert "about 0 on average, -4 at worst" in lines and "-0.0" not in lines
