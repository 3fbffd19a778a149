"""Ruling hazards: what is offered against a hazard and with which odds, what the report says, and that nothing of it is foreseen."""

from __future__ import annotations

from typing import Any

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.offers.offers import form_page, offers
from kingdom.games.realm.orders.adventurers import Peril, perils
from kingdom.games.realm.state import Hex, World, replace
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import orders_of, rules_of, run, world_of
from tests.games.realm.reportkit import files_of, section, turn_of, words
from tests.games.realm.test_forming import offers_of

RULES = rules_of()
ARMY = {"unit": "warrior", "size": "large", "hex": "0405", "hp": 5}  # of ACR 1


def land(deed: str = "", **hex: Any) -> World:
    """Examplia with an army in 0405, where a hazard is that it knows of; the land is plains."""
    return world_of(
        {"examplia": {"treasury": 50, "hexes": {"0404": [], "0405": []}}},
        {"hexes": {"0405": {"hazard": "quicksand", **hex}}},
        state={"examplia": {"revealed": ["0404", "0405"], "armies": {"First Foot": {**ARMY, "deed": deed}}}},
    )


def offered(world: World) -> list[tuple[Any, str]]:
    """What is offered against hazards: each order, and how it is said."""
    found = offers(known(world, "examplia", RULES), "examplia", RULES, {})
    return [
        (offer.order, offer.text) for offer in found if "quicksand" in offer.text or offer.order == {"then": "clear"}
    ]


def test_adventurers_are_offered_who_clear_it_in_every_second_turn() -> None:
    """14 on plains: ACR 3 needs 11 of 20. 18 in mountains: ACR 7 needs 11."""
    seen = known(land(), "examplia", RULES)
    assert perils(seen, RULES, 50) == [Peril("0405", "quicksand", 6, 50)]
    seen = known(land(terrain="mountains"), "examplia", RULES)
    assert perils(seen, RULES, 50) == [Peril("0405", "quicksand", 14, 50)]


def test_or_the_best_that_can_be_paid() -> None:
    seen = known(land(), "examplia", RULES)
    assert perils(seen, RULES, 5) == [Peril("0405", "quicksand", 4, 45)]
    assert perils(seen, RULES, 1) == []


def test_a_hazard_that_nothing_clears_has_no_odds() -> None:
    rules = rules_of({"hazards": {"dc": 99}})
    assert perils(known(land(), "examplia", rules), rules, 5) == [Peril("0405", "quicksand", 2, 0)]
    rules = rules_of({"hazards": {"dc": -9}})
    assert perils(known(land(), "examplia", rules), rules, 5) == [Peril("0405", "quicksand", 2, 100)]


def test_where_monsters_are_they_are_what_is_offered() -> None:
    world = land(monsters={"acr": 2})
    assert perils(known(world, "examplia", RULES), RULES, 50) == []


def test_without_the_ruling_nothing_is_offered() -> None:
    rules = rules_of({"hazards": None})
    seen = known(land(), "examplia", rules)
    assert perils(seen, rules, 50) == []
    assert not [each for each in offers(seen, "examplia", rules, {}) if "clear" in each.text]


def test_offers_say_the_odds() -> None:
    """An army of ACR 1 needs 13 of 20."""
    assert offered(land()) == [
        ({"edict": "adventurers", "bp": 6, "task": "0405"}, "Hire adventurers for 6 BP to clear 0405 (quicksand), 50 % a turn"),
        ({"army": "First Foot", "then": "clear"}, "First Foot: clear 0405 (quicksand), 40 % a turn"),
    ]  # fmt: skip


def deeds(world: World, rules: Any = RULES) -> list[Any]:
    """The choices of the form for what the army does, those about hazards."""
    model = form_page(known(world, "examplia", rules), "examplia", rules)
    (march,) = [each for each in offers_of(model) if each["id"] == "march First Foot"]
    (then,) = [field for field in march["fields"] if field["name"] == "then"]
    return [option for option in then["options"] if option["value"] == "clear"]


def test_the_form_offers_it_where_the_army_is_or_can_go() -> None:
    (here,) = deeds(land())
    assert here["text"] == "clear (0405: 40 % a turn)" and "0404" in here["unless"]["to"] and "when" not in here
    away = replace(land(), hexes={**land().hexes, "0405": Hex("plains"), "0404": Hex("forest", hazard="a bog")})
    assert deeds(away) == [{"value": "clear", "text": "clear (0404: 30 % a turn)", "when": {"to": ["0404"]}}]
    assert deeds(land(), rules_of({"hazards": None})) == []


def test_the_form_offers_adventurers_with_the_odds() -> None:
    model = form_page(known(land(), "examplia", RULES), "examplia", RULES)
    (hire,) = [each for each in offers_of(model) if each["id"] == "adventurers 0405"]
    assert hire["more"] == "quicksand: 6 BP clear it with 50 % a turn"


def test_the_report_says_what_may_be_done() -> None:
    files = files_of(turn_of(land(), {}))
    assert "0405 quicksand: 6 BP clear it with 50 % a turn" in words(files["examplia.txt"])


def test_the_report_says_who_is_at_it() -> None:
    orders = {"examplia": {"special": [{"edict": "adventurers", "bp": 6, "task": "0405"}]}}
    result = turn_of(land(), orders, {"examplia": {"hazard-0405": 10, "adventurers_count-adventurers-1": 1}})
    told = " ".join(section(result, "EXPEDITIONS AND ADVENTURERS").split())
    assert "now in 0405, sent against the hazard of 0405, tried in 1 of 3 turns" in told
    page = words(files_of(result)["examplia.txt"])
    assert "Hazard 0405 check: 10 (d20) + 3 ACR = 13, DC 14: failed by 1" in page
    assert "tried to clear the hazard of 0405 (quicksand), in turn 1 of 3 (ruling hazards)" in page


def test_nothing_of_it_is_foreseen() -> None:
    world = land(deed="clear")
    foreseen = resolve(GAME, world, {}, NoDice(), RULES)
    assert foreseen.after.hexes["0405"].hazard == "quicksand" and not foreseen.rolls
    assert not [notice for notice in foreseen.notices if notice.step == "clear_hazards"]


def test_a_cleared_hex_may_be_built_on() -> None:
    orders = {"examplia": {"improve": ["road 0405"]}}
    world = land(deed="clear")
    result = run(world, orders_of(orders, world, RULES), RULES, {"examplia": {"hazard-0405": 20}})
    assert [each.facts["code"] for each in result.notices if each.kind == "refusal"] == ["improve_danger"]
    after = run(result.after, orders_of(orders, result.after, RULES), RULES)
    assert not [each for each in after.notices if each.kind == "refusal"]
    assert after.after.kingdoms["examplia"].hexes["0405"] == ("road",)
