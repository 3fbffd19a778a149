"""What a report offers for the next turn, and at which price: what the order would then cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kingdom.games.realm.bots.advice import advice
from kingdom.games.realm.forecast.turn_preview import before_orders
from kingdom.games.realm.offers.offers import may_do, offers
from kingdom.games.realm.report.text_form import form_of as text_form
from kingdom.games.realm.state import World, replace, with_kingdoms
from kingdom.games.realm.visibility.known import known
from kingdom.orders import yaml_out
from tests.games.realm.kit import rules_of, run, world_of
from tests.kit.formkit import Place, place_of, places_of, wild_places

RULES = rules_of()


def offered(world: World) -> dict[str, Any]:
    return may_do(known(world, "examplia", RULES), world, "examplia", RULES)


def prices(world: World) -> dict[str, int]:
    """Building -> its price in the only settlement."""
    return {row["order"]: row["price"] for row in offered(world)["buildings"]}


def test_what_was_torn_down_makes_building_there_cheaper() -> None:
    """Ruling building_price: a quarter of the Bank's 28, half of its own price for another one."""
    world = world_of(
        {"examplia": {"treasury": 100}},
        state={"examplia": {"settlements": {"Oakhold": {"rubble": [{"id": "bank", "lot": "A1"}]}}}},
    )
    now = prices(world)
    assert (now["smithy"], now["bank"], now["brewery"]) == (0, 14, 0) and now["mint"] == 30 - 7
    for kind in ("bank", "mint"):
        result = run(world, {"examplia": {"build": [{"in": "Oakhold", "build": kind}]}}, steps="build")
        assert [-entry.delta for entry in result.entries if entry.account == "treasury"] == [now[kind]]


def test_where_nothing_can_be_built_the_reason_of_most_kinds_is_told() -> None:
    """The price, the limit of the turn, or what bars the settlement."""
    poor, used = world_of({"examplia": {"treasury": 0}}), world_of({"examplia": {"treasury": 50}})
    used = with_kingdoms(
        used, {"examplia": replace(used.kingdoms["examplia"], used={"buildings": 9, "first_house": 1})}
    )
    assert offered(poor)["none_built"] == "nothing: the cheapest costs 1 BP"
    assert {row["order"] for row in offered(used)["buildings"]} == {"tenement"} and offered(used)["none_built"] == ""
    assert "# No building: the cheapest costs 1 BP." in text_form(poor, "examplia", RULES)
    assert not any(line.startswith("# ") for line in text_form(used, "examplia", RULES))
    beset = world_of({"examplia": {"treasury": 50}}, {"hexes": {"0404": {"monsters": {"acr": 2}}}})
    assert offered(beset)["none_built"].startswith("Nothing is built in 0404 while a monster")


def test_a_kingdom_without_a_bp_may_still_ask_the_free_city_in_its_land() -> None:
    """Ruling free_city: asking again costs nothing, so it is offered; the other claims are not."""
    map = {"hexes": {"0405": {"free_city": {"name": "Oldwick"}}}}
    world = world_of({"examplia": {"treasury": 0, "hexes": {"0404": [], "0405": []}}}, map)
    assert [(row["hex"], row["price"]) for row in offered(world)["claimable"]] == [("0405", 0)]


def test_what_a_plan_waits_to_do_has_used_up_nothing_of_what_orders_may_spend() -> None:
    """Ruling work_plan: explicit orders come first."""
    world = world_of({"examplia": {"treasury": 20, "hexes": {"0404": []}}}, state={"examplia": {"plan": ["farm 0404"]}})
    seen = known(world, "examplia", RULES)
    assert may_do(seen, before_orders(seen, "examplia", RULES), "examplia", RULES) == offered(
        world_of({"examplia": {"treasury": 20, "hexes": {"0404": []}}})
    )


def test_the_form_shows_armies_what_they_can_do_together() -> None:
    """Who can't pay for anything else may disband an army (Edict step 6), but not the one that is to march."""
    foot = {"unit": "warrior", "size": "medium", "hex": "0304", "hp": 1}

    def shown(*names: str) -> list[str]:
        armies = dict.fromkeys(names, foot)
        world = world_of({"examplia": {"treasury": 0}}, state={"examplia": {"armies": armies}})
        return [line for line in text_form(world, "examplia", RULES) if line.startswith("#armies")]

    assert shown("Foot") == ["#armies: Foot to 0203"]
    assert shown("Foot", "Guard") == ["#armies: Foot to 0203, disband Guard"]


def test_what_a_report_says_may_be_done_is_offered() -> None:
    """Both draw on one list of candidates."""
    world = world_of({"examplia": {"treasury": 60, "hexes": {"0404": [], "0405": []}}})
    seen, shown = known(world, "examplia", RULES), offered(world)
    orders = [offer.order for offer in offers(seen, "examplia", RULES, {})]
    claims = [row["hex"] for row in shown["claimable"]]
    improvements = [{"hex": row["hex"], "build": row["order"]} for row in shown["improvements"]]
    assert claims and improvements
    assert [order for order in claims + improvements if order not in orders] == []


def told(place: Place) -> Iterator[dict[str, Any]]:
    """An order for each building, claim and improvement that the place's report offers, and for each monster and hazard."""
    seen = place.game.known(place.state, place.seat, place.rules)
    shown = may_do(seen, before_orders(seen, place.seat, place.rules), place.seat, place.rules)
    for kind in shown["buildings"] if shown else ():
        yield {"build": [{"in": kind["town"], "build": kind["order"]}]}
    for hex in shown["claimable"] if shown else ():
        yield {"claim": [hex["hex"]]}
    for work in shown["improvements"] if shown else ():
        yield {"improve": [{"hex": work["hex"], "build": work["order"]}]}
    away = shown["expeditions"] if shown else None
    for monsters in away["monsters"] if away else ():
        if monsters["match"] <= away["treasury"]:
            yield {"special": [{"edict": "adventurers", "bp": monsters["match"], "task": monsters["hex"]}]}
    for hazard in away["hazards"] if away else ():
        yield {"special": [{"edict": "adventurers", "bp": hazard["bp"], "task": hazard["hex"]}]}


def refused(place: Place) -> list[str]:
    """What is said against what the place is offered by its report, by its form as a text, each line alone, and by advice."""
    head = {"kingdom": place.seat, "turn": place.state.turn + 1}
    lines = text_form(place.state, place.seat, place.rules)
    loose = [
        line[1:] for line in lines if line.startswith("#") and not line.startswith(("# ", "#messages", "#requests"))
    ]
    texts = ["\n".join(lines), *loose]
    seen = place.game.known(place.state, place.seat, place.rules)
    found = [plan["orders"] for plan in advice(seen, place.seat, place.rules)]
    found += [f"kingdom: {place.seat}\nturn: {place.state.turn + 1}\n{text}\n" for text in texts]
    said = [f"{text}: {each}" for text in found for each in sum(place.verdict(text)[:2], [])]
    for orders in told(place):
        problems, refusals, _ = place.verdict(yaml_out.dump({**head, **orders}))
        gate = [each for each in refusals if "in the same turn" in each]  # a wall that may stand on another border
        said += [f"{orders}: {each}" for each in problems + refusals if each not in gate]
    return [f"{place.name}: {each}" for each in said]


def test_whatever_report_form_and_advice_offer_is_carried_out() -> None:
    places = [place_of("war-of-the-ford", 15, "karrak"), place_of("greenmarch", 12, "examplia")]
    places += [place_of("greenmarch", 4, "dunmoor"), *list(wild_places(range(1, 2)))[:3]]
    assert [each for place in places for each in refused(place)] == []


@pytest.mark.long
@pytest.mark.parametrize("campaign", ["war-of-the-ford", "greenmarch"])
def test_whatever_is_offered_in_any_turn_is_carried_out(campaign: str) -> None:
    assert [each for place in places_of(campaign, 1) for each in refused(place)] == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 40, 10))
def test_whatever_is_offered_in_wild_campaigns_is_carried_out(first: int) -> None:
    assert [each for place in wild_places(range(first, first + 10)) for each in refused(place)] == []


def test_the_form_offers_a_share_in_a_route_whose_founder_lies_out_of_sight() -> None:
    """The turn that the form is made for is the one that offers are asked of: in it the caravan that was let in is still there."""
    path = ["0104", "0203", "0304", "0403", "0504"]
    remembered = {label: {"turn": 0, "hex": {"terrain": "plains"}} for label in path[1:]}
    remembered["0104"] = {"turn": 0, "hex": {"terrain": "plains"}, "holder": "examplia"}
    guest = {"by": "examplia", "route": "trade_route-1", "path": path}
    world = world_of(
        {
            "examplia": {"hexes": {"0104": []}},
            "borderia": {"treasury": 50, "hexes": {"0604": []}, "settlements": {"Millford": {"hex": "0604"}}},
        },
        state={
            "examplia": {"routes": {"trade_route-1": {"to": "borderia", "path": path, "at": 4, "open": True}}},
            "borderia": {"guests": {"trade_route-1": guest}, "memory": remembered},
        },
    )
    offered = offers(known(world, "borderia", RULES), "borderia", RULES, {})
    assert {"edict": "share_route", "to": "examplia"} in [offer.order for offer in offered]
    assert "#share_route: with examplia" in text_form(world, "borderia", RULES)
