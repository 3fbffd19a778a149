"""Advice: plans by three aims, from what the seat knows, that can be filed as they are; where something threatens the safe one first."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kingdom.games.realm.bots import advice as advising
from kingdom.games.realm.bots.advice import advice, weighed
from kingdom.games.realm.bots.cures import Cures
from kingdom.games.realm.bots.planner import Plan, Thought
from kingdom.games.realm.forecast.exact import odds
from kingdom.games.realm.forecast.threats import threats
from kingdom.games.realm.forecast.turn_preview import before_orders, course, without_orders
from kingdom.games.realm.game import GAME
from kingdom.games.realm.offers.offers import may_do
from kingdom.games.realm.report.danger import dangers
from kingdom.games.realm.report.threatened import threatened
from kingdom.games.realm.state import Event, Modifier, World, replace, with_kingdoms
from kingdom.orders import orders_file
from tests.games.realm.kit import rules_of, world_of

RULES = rules_of()


def known(hidden: dict[str, Any], **given: Any) -> World:
    own = {"treasury": 60, "attributes": {"economy": 9, "loyalty": 9, "stability": 9}, **given}
    world = world_of(
        {"examplia": own, "borderia": {"treasury": hidden.pop("treasury", 10)}}, {"hexes": {"0405": hidden}}
    )
    return GAME.known(world, "examplia", RULES)


def test_each_plan_can_be_filed_as_it_is_and_no_two_are_alike() -> None:
    world = known({})
    plans = advice(world, "examplia", RULES)
    assert [plan["aim"] for plan in plans] == ["Grow", "Secure", "Prepare"]
    assert len({plan["orders"] for plan in plans}) == 3
    for plan in plans:
        names = {**GAME.names(RULES), "seats": tuple(world.kingdoms)}
        filing = orders_file.read(plan["orders"].encode(), "advice.yaml", GAME, names, "examplia", world.turn + 1)
        assert filing.orders is not None and not course(world, "examplia", RULES, filing.orders).refused
        treasury = next((row for row in plan["numbers"] if row["account"] == "treasury"), {"before": 0, "after": 0})
        assert plan["cost"] == treasury["before"] - treasury["after"] <= 60


def test_where_something_threatens_the_safe_plan_comes_first_and_makes_it_less_likely() -> None:
    world = known({}, unrest=9, attributes={"economy": 9, "loyalty": 9, "stability": 2})
    first = advice(world, "examplia", RULES)[0]
    worst = max(first["dangers"], key=lambda row: row["before"])
    assert first["aim"] == "Secure" and worst["before"] > 0.3 and worst["after"] < worst["before"] - 0.05


def test_chances_without_the_orders_are_those_that_the_report_tells() -> None:
    """Those of the checks with what holds for this turn alone, those of dangers with monsters as likely as they stay."""
    boom = Modifier("economy", 4, "aid", "aid", ends=9)
    world = known({}, unrest=9, attributes={"economy": 2, "loyalty": 9, "stability": 2})
    own = replace(
        world.kingdoms["examplia"],
        modifiers=(boom,),
        events={"monster_attack-1": Event("monster_attack", 1, hex="0404")},
    )
    world = with_kingdoms(world, {"examplia": own})
    next_turn = without_orders(world, "examplia", RULES)
    first = advice(world, "examplia", RULES)[0]
    assert {row["what"]: row["before"] for row in first["checks"]} == odds(next_turn, "examplia", RULES)
    told = {row["name"]: row["chance"] for row in dangers(world, "examplia", None, RULES)}
    assert told and told == {row["what"]: row["before"] for row in first["dangers"] if row["what"] in told}


def test_the_dangers_that_orders_leave_are_those_of_the_plan_above_the_chance_that_is_asked_for() -> None:
    world = known({}, unrest=9, attributes={"economy": 9, "loyalty": 9, "stability": 2})
    orders = {"edicts": {"taxation": "overwhelming"}}
    every = weighed(world, "examplia", RULES, orders)["dangers"]
    assert len({row["after"] > 0.3 for row in every}) == 2
    assert threatened(world, "examplia", RULES, orders, 0.3)["dangers"] == [row for row in every if row["after"] > 0.3]
    assert threatened(world, "examplia", RULES, orders, 1)["dangers"] == []


def test_what_the_seat_may_not_know_changes_no_advice() -> None:
    one, other = known({"secret": "a grave"}), known({"treasury": 99, "resource": True, "lair": True})
    assert advice(one, "examplia", RULES) == advice(other, "examplia", RULES)


def test_there_is_none_in_anarchy() -> None:
    world = known({})
    own = replace(world.kingdoms["examplia"], anarchy=world.turn + 1)
    assert advice(with_kingdoms(world, {"examplia": own}), "examplia", RULES) == []


def test_what_the_own_plan_orders_is_not_advised_again_and_growth_without_land_is_not_called_land() -> None:
    world = known({})
    claimed = next(plan for plan in advice(world, "examplia", RULES) if plan["aim"] == "Grow")
    assert claimed["what"].startswith("more land") and "claim:" in claimed["orders"]
    own = world.kingdoms["examplia"]
    beside = sorted(world.hexes.keys() - own.hexes.keys())
    planned = replace(own, plan=tuple(f"claim {label}" for label in beside))
    plans = advice(with_kingdoms(world, {"examplia": planned}), "examplia", RULES)
    assert plans and all("claim:" not in plan["orders"] for plan in plans)
    assert next(plan["what"] for plan in plans if plan["aim"] == "Grow") == "what more land needs first"


NEEDY = {
    "in debt": {"treasury": -9, "unrest": 9},
    "restless, with a little": {"treasury": 4, "unrest": 10},
    "nearly in anarchy": {"treasury": 5, "unrest": 14},
    "poor and weak": {"treasury": -3, "unrest": 12, "attributes": {"economy": 5, "loyalty": 4, "stability": 3}},
    "debt and little Unrest": {"treasury": -12, "unrest": 2},
}


@pytest.mark.parametrize("name", NEEDY)
def test_in_need_no_plan_makes_a_danger_worse_and_the_first_does_at_least_what_the_cure_does(name: str) -> None:
    own = {"attributes": {"economy": 9, "loyalty": 9, "stability": 9}, **NEEDY[name]}
    world = GAME.known(world_of({"examplia": own}), "examplia", RULES)
    plans = advice(world, "examplia", RULES)
    for plan in plans:
        assert not [row for row in plan["dangers"] if row["after"] > max(0.1, row["before"] + 1e-6)], plan
    ahead = threats(world, "examplia", RULES, {})
    cures = Cures(
        world, "examplia", may_do(world, before_orders(world, "examplia", RULES), "examplia", RULES), RULES, ahead
    )
    danger = max(ahead.chances, key=lambda name: ahead.chances[name])
    best = cures.best(danger)
    if best.chance is not None and not best.harms:
        after = {row["what"]: row["after"] for row in plans[0]["dangers"]}
        assert after[danger] <= best.chance + 1e-6


def test_where_the_first_aim_comes_to_nothing_harmless_the_next_is_held_to_the_same(monkeypatch: Any) -> None:
    """Here every aim comes to nothing but edicts that bring the treasury below 0: what is left first is the cure of the danger line."""

    def eats(thought: Thought) -> Plan:
        orders = {**thought.agenda.orders, "edicts": {"promotion": "expansionist", "holiday": "very_long"}}
        return Plan(orders, (), thought.agenda.course(orders).end)

    monkeypatch.setattr(advising, "thought_out", eats)
    for treasury, unrest in ((3, 3), (9, 0), (12, 4)):
        world = known({}, treasury=treasury, unrest=unrest)
        for plan in advice(world, "examplia", RULES)[:1]:
            assert not [row for row in plan["dangers"] if row["after"] > max(0.1, row["before"] + 1e-6)], plan


def test_no_two_plans_have_the_same_aim_and_what_lowers_no_danger_says_so() -> None:
    for treasury in (-15, -2, 3, 8, 20):
        for unrest in (0, 2, 4, 9):
            plans = advice(known({}, treasury=treasury, unrest=unrest), "examplia", RULES)
            assert len({plan["aim"] for plan in plans}) == len(plans)
            for plan in plans:
                threatens = [row for row in plan["dangers"] if row["before"] > 0.05]
                lowered = any(row["before"] - row["after"] >= 0.005 for row in plan["dangers"])
                assert not threatens or lowered or plan["warning"], plan


def test_in_need_a_plan_has_what_brings_out_of_it() -> None:
    """A House or the first City Wall on credit, levels; nothing is claimed."""
    world = known({}, treasury=-2, unrest=9, attributes={"economy": 12, "loyalty": 9, "stability": 9})
    plans = advice(world, "examplia", RULES)
    assert [plan["aim"] for plan in plans][:1] == ["Secure"] and all("claim" not in plan["orders"] for plan in plans)
    assert any("build:" in plan["orders"] or "edicts:" in plan["orders"] for plan in plans)


def test_who_has_no_land_is_advised_to_found_a_settlement_however_great_the_need() -> None:
    world = known({}, unrest=9)
    landless = replace(world.kingdoms["examplia"], hexes={}, settlements={}, capital="")
    plans = advice(with_kingdoms(world, {"examplia": landless}), "examplia", RULES)
    assert plans and all("claim:" in plan["orders"] and "settle:" in plan["orders"] for plan in plans)


def test_what_costs_nothing_though_there_is_much_says_what_it_saves_for() -> None:
    for treasury in (15, 26, 60, 200):
        for plan in advice(known({}, treasury=treasury), "examplia", RULES):
            assert plan["cost"] > 0 or plan["saves"].startswith("It saves"), plan


def test_what_could_be_paid_now_is_saved_for_with_the_reason_why_it_waits() -> None:
    told = set()
    for treasury in (15, 18, 22, 26):
        for hexes in (("0404",), ("0404", "0405", "0304", "0503", "0504", "0403")):
            own = {"treasury": treasury, "hexes": dict.fromkeys(hexes, [])}
            for plan in advice(known({}, **own), "examplia", RULES):
                price = re.search(r"^It saves for: .*\((\d+) BP\)", plan["saves"])
                if price and int(price[1]) <= treasury:
                    told.add(plan["saves"])
                    assert re.search(
                        r"You can pay that now, but less than \d+ BP would be left: two turns' Consumption",
                        plan["saves"],
                    )
    assert told


def test_what_is_claimed_is_improved_in_the_same_turn_unless_somebody_else_may_claim_it() -> None:
    """Not what may hold monsters, either: an improvement there would be refused."""
    near, far = ["0505", "0403", "0305"], ["0707"]
    for rival, hazard, improved in ((far, "", True), (near, "", False), (far, "quicksand", False)):
        own = {"treasury": 60, "attributes": {"economy": 9, "loyalty": 9, "stability": 9}}
        other = {"hexes": dict.fromkeys(rival, []), "settlements": {"Borderhold": {"hex": rival[0]}}}
        world = GAME.known(world_of({"examplia": own, "borderia": other}, {"grid": "fffffff\n" * 7}), "examplia", RULES)
        world = replace(world, hexes={label: replace(hex, hazard=hazard) for label, hex in world.hexes.items()})
        plans = advice(world, "examplia", RULES)
        orders = [yaml.safe_load(plan["orders"]) for plan in plans]
        assert any({each["hex"] for each in order.get("improve", ())} - {"0404"} for order in orders) is improved


def test_an_army_that_takes_land_is_not_called_off() -> None:
    """Open land falls to it in its second turn there, if it stays."""
    foot = {"name": "Foot", "unit": "warrior", "size": "large", "hex": "0706"}
    rival = {"hexes": {"0706": [], "0707": []}, "treasury": 9}
    for deed, called in (("attack", False), ("garrison", True)):
        army = {"Foot": {"deed": deed, "target": "borderia"} if deed == "attack" else {"deed": deed}}
        world = world_of(
            {"examplia": {"treasury": 20, "armies": [foot]}, "borderia": rival},
            state={"examplia": {"armies": army}},
            turn=21,
        )
        plans = advice(GAME.known(world, "examplia", RULES), "examplia", RULES)
        assert plans and any("army: Foot" in plan["orders"] for plan in plans) is called


def test_nobody_is_sent_where_monsters_have_most_likely_left() -> None:
    for stability, sent in ((2, True), (30, False)):
        world = known({}, attributes={"economy": 9, "loyalty": 9, "stability": stability})
        own = world.kingdoms["examplia"]
        label = sorted(own.hexes)[0]
        event = Event("monster_attack", 1, hex=label, facts={"acr": 3})
        world = with_kingdoms(world, {"examplia": replace(own, events={"monster_attack-1": event}, revealed=(label,))})
        world = replace(world, hexes={**world.hexes, label: replace(world.hexes[label], monsters=3)})
        plans = advice(world, "examplia", RULES)
        assert plans and any("adventurers" in plan["orders"] for plan in plans) is sent


SETTLED = ["0404", "0405", "0304", "0503", "0403", "0305", "0504", "0303"]
TOUCHY = {
    "with a town": (True, 3, {"economy": 16, "loyalty": -50, "stability": 12}),
    "a settlement must be founded, rich": (False, 16, {"economy": 10, "loyalty": -50, "stability": 24}),
    "a settlement must be founded": (False, 10, {"economy": 22, "loyalty": -50, "stability": 12}),
}


@pytest.mark.parametrize("name", TOUCHY)
def test_a_plan_that_makes_a_danger_worse_says_so_by_what_got_worse_alone(name: str) -> None:
    stands, treasury, attributes = TOUCHY[name]
    hexes = {label: ["farm"] if label in ("0405", "0304") else [] for label in SETTLED}
    world = known({}, treasury=treasury, attributes=attributes, hexes=hexes)
    if not stands:
        own = world.kingdoms["examplia"]
        world = with_kingdoms(world, {"examplia": replace(own, settlements={}, capital="")})
    plans = advice(world, "examplia", RULES)
    assert any(plan["warning"] for plan in plans)
    for plan in plans:
        worse = [row for row in plan["dangers"] if row["after"] > max(0.1, row["before"] + 1e-6)]
        assert plan["warning"].startswith("This makes dangers worse: ") is bool(worse), plan
        why = plan["warning"].partition("%, by ")[2]
        for row in plan["numbers"]:
            grew = row["after"] > row["before"]
            if f"{row['account'].title()} {row['before']} to {row['after']}" in why:
                assert grew is (row["account"] in ("consumption", "control_dc")), plan


HARD = {
    "unrest 14": (14, 4),
    "unrest 17 in debt": (17, -3),
    "nearly in anarchy, with 20 BP": (19, 20),
    "unrest 12 in debt": (12, -10),
}


@pytest.mark.parametrize("name", HARD)
def test_where_anarchy_can_hardly_be_kept_off_there_is_a_plan_still(name: str) -> None:
    """The likeliest cure that a danger line names, where no plan for need is better than nothing."""
    unrest, treasury = HARD[name]
    world = known({}, unrest=unrest, treasury=treasury, attributes={"economy": 4, "loyalty": 2, "stability": 5})
    assert advice(world, "examplia", RULES)


@pytest.mark.parametrize(("unrest", "treasury"), [(13, 15), (13, 30)])
def test_where_no_danger_can_be_lowered_the_first_plan_has_what_the_line_says_that_helps_most(
    unrest: int, treasury: int
) -> None:
    """Not a Granary for 12 BP that lowers none."""
    world = known({}, unrest=unrest, treasury=treasury, attributes={"economy": 4, "loyalty": 2, "stability": 5})
    first = advice(world, "examplia", RULES)[0]
    moved = {row["account"]: row["after"] - row["before"] for row in first["numbers"]}
    assert moved.get("unrest", 0) < 0, first


@pytest.mark.long
def test_advice_makes_no_danger_worse_and_leads_out_of_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a few campaigns of `scripts/bots realm`, which plays many."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "scripts"))
    tested = __import__("bots_advice").tested
    found = [tested(f"long {number}") for number in range(2, 6)]
    assert not [each for one in found for each in one.advised if any(each.raises)]
    led = [each.out for one in found for each in one.led]
    assert len(led) > 15 and sum(led) / len(led) > 0.5
    sys.modules.pop("bots_advice", None)
