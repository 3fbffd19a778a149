"""What the order form of the realm offers, held against the engine without a browser; and that nothing hidden gets into it.

That the engine takes each control alone, and that what is offered has one, tests/games/test_form_pages.py presses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.campaign import campaign as campaigns
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers.offers import _ground
from kingdom.games.realm.orders.building import places_in, rich
from kingdom.games.realm.orders.leaving import keeps_edicts
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.state import owners, replace, with_kingdoms
from kingdom.games.realm.steps.land.losing import capital_hex
from kingdom.games.realm.steps.towns.construction import Site, work_of
from kingdom.games.realm.steps.towns.grid import border_name, lot_name
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY
from kingdom.games.realm.steps.war.muster import Muster, recruit
from kingdom.games.realm.visibility.known import known
from kingdom.mail.outgoing.reporting import form_pages
from kingdom.orders import yaml_out
from tests.games.realm.kit import world_of
from tests.games.realm.test_reports_hidden import RULES, SEAT, Hidden, pairs, played
from tests.games.realm.test_reports_hidden_afield import pairs as pairs_afield
from tests.kit import archives
from tests.kit.examples import tries
from tests.kit.formkit import Place, fresh_places, place_of, wild_places


@cache
def some_places() -> list[Place]:
    """Made when the first test asks for them: a module is collected by every worker."""
    places = [place_of("war-of-the-ford", 10, "karrak"), place_of("greenmarch", 6, "examplia")]
    return [*places, *list(wild_places(range(1)))[:3]]


@cache
def wide() -> list[Place]:
    """The same and more, of other wild campaigns."""
    return [*some_places(), *(place for seed in (2, 8) for place in wild_places(range(seed, seed + 1)))]


def asked_for_a_hex() -> Iterator[Place]:
    for place in (place for seed in (6, 44) for place in wild_places(range(seed, seed + 1))):
        if any(pending.key == "lose_hex" for pending in place.state.kingdoms[place.seat].pending):
            yield place


def offers_of(model: dict[str, Any]) -> list[dict[str, Any]]:
    return [offer for section in model["sections"] for part in section["parts"] for offer in part.get("offers", ())]


def offered(place: Place, key: str = "") -> list[dict[str, Any]]:
    """The controls of a place's form, those of one key where it is named."""
    return [offer for offer in offers_of(place.page()) if key in ("", offer["key"])]


def ground_of(place: Place) -> Any:
    """What the seat knows, as its first order finds it."""
    return _ground(known(place.state, place.seat, place.rules), place.seat, place.rules)


def done_alone(place: Place, orders: dict[str, Any]) -> bool:
    """Whether the engine carries those orders out where nothing else is ordered."""
    return not sum(place.verdict(place.head() + yaml_out.dump(orders))[:2], [])


@pytest.mark.parametrize("key", ["abandon", "answers"])
def test_every_hex_but_the_capital_may_be_let_go_or_be_the_one_that_is_lost(key: str) -> None:
    """With its settlement, if the edicts do not hang on it."""
    towns = 0
    for place in wide() if key == "abandon" else asked_for_a_hex():
        ground, values = ground_of(place), [offer["value"] for offer in offered(place, key) if "aside" not in offer]
        found = values if key == "abandon" else [value for name, value in values if name == "lose_hex"]
        kingdom, lost = ground.kingdom, () if key == "abandon" else ground.lost
        held = [label for label in place.state.kingdoms[place.seat].hexes if label not in (capital_hex(kingdom), *lost)]
        done = {
            label for label in held if done_alone(place, {key: [label] if key == "abandon" else {"lose_hex": label}})
        }
        of_towns = {town.hex: name for name, town in place.state.kingdoms[place.seat].settlements.items()}
        several = {
            label
            for label, name in of_towns.items()
            if keeps_edicts(name, place.state.kingdoms[place.seat], place.rules)
        }
        assert sorted(found) == sorted(done - several), place.name
        towns += len(of_towns.keys() & set(found))
    assert towns


def test_a_watchtower_is_offered_wherever_the_engine_lets_one_stand_on_a_route() -> None:
    towers = 0
    for place in wide():
        mine = replace(place.state.kingdoms[place.seat], treasury=999)  # nothing is too dear
        place = place._replace(state=with_kingdoms(place.state, {place.seat: mine}))
        ground, found = ground_of(place), [offer["value"] for offer in offered(place, "improve")]
        on_routes = {label for route in ground.kingdom.routes.values() for label in route.path}
        free = on_routes & ground.seen.hexes.keys() - owners(ground.world).keys()
        orders = [{"hex": label, "build": "watchtower"} for label in sorted(free)]
        done = [order for order in orders if done_alone(place, {"improve": [order]})]
        assert [order for order in done if order not in found] == [], place.name
        towers += len(done)
    assert towers


@pytest.mark.long
@pytest.mark.parametrize("most", [0, 8])
def test_a_caravan_may_end_wherever_the_engine_lets_it(most: int) -> None:
    ends = 0
    for place in [place_of("war-of-the-ford", 15, "hartmark")] if most else some_places()[:2]:
        for offer in (offer for offer in offered(place) if offer["id"].startswith("route ")):
            route = {"edict": "trade_route", "to": offer["value"]["to"]}
            hexes = sorted(known(place.state, place.seat, place.rules).hexes)
            done = [label for label in hexes if done_alone(place, {"special": [{**route, "hex": label}]})]
            assert sorted(option["value"] for option in offer["fields"][0]["options"]) == done
            ends = max(ends, len(done))
    assert ends > most


def test_a_caravan_is_offered_to_where_one_comes_from_only_with_the_answer_that_this_is_not_let_in() -> None:
    """It is let in unless the answer is no, and a pair has one route."""
    place = next(place for place in wild_places(range(238, 239)) if place.name == "wild 238, turn 2, borderia")
    (answer,) = [offer for offer in offered(place, "answers") if offer["value"] == ["trade_route-3", "reject"]]
    (route,) = [offer for offer in offered(place, "special") if offer["id"] == "route cravonia"]
    assert all([fact] in route["needs"] for fact in answer["gives"])
    for option in route["fields"][0]["options"]:
        special = {"special": [{**route["value"], "hex": option["value"]}]}
        assert done_alone(place, {"answers": {"trade_route-3": "reject"}, **special})
        assert not done_alone(place, special)


@pytest.mark.parametrize("number", [0, 1, 4])
def test_a_kind_of_building_that_can_not_be_had_stands_in_the_form_with_its_reason(number: int) -> None:
    """Once in its settlement, or once for all; where none can be had, for one reason, that is told once."""
    place = some_places()[number]
    page = place.page()
    parts = [part for section in page["sections"] for part in section["parts"] if part.get("kind") == "town"]
    assert len(parts) == len(ground_of(place).kingdom.settlements)
    for part in parts:
        offers = [offer["work"]["kind"] for offer in part["offers"] if "work" in offer and "over" not in offer["work"]]
        names = {place.rules.buildings[kind].name for kind in offers}
        assert not names & part["closed"].keys()
        told = {*names, *part["closed"], *page["closed"]}
        assert "Buildings" in told or told == {building.name for building in place.rules.buildings.values()}


def test_what_may_be_had_in_numbers_is_offered_in_numbers() -> None:
    """Siege engines, where an army stands in a settlement that makes them."""
    army = {"name": "Foot", "unit": "fighter", "size": "medium"}
    world = world_of({SEAT: {"treasury": 50, "settlements": {"Oakhold": {"buildings": ["academy"]}}, "armies": [army]}})
    equipped = [offer["value"] for offer in offered(Place("", GAME, world, SEAT, RULES, {}), "armies")]
    counts = [value.get("count", 1) for value in equipped if value.get("with") == "siege_engines"]
    assert counts == [1, 2, 3]


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.long), 2])
def test_a_building_is_offered_wherever_the_engine_lets_it_stand_but_for_its_neighbours(number: int) -> None:
    place = some_places()[number]
    ground = ground_of(place)
    for name, town in ground.kingdom.settlements.items():
        site = rich(Site(ground.kingdom, ground.world.hexes, place.rules, name, town))
        lots = [lot_name(number, site.plan().grid) for number in range(site.plan().lots())]
        borders = [border_name(district, border) for district in range(len(town.districts)) for border in BORDERS]
        for kind, offered in places_in(site, site.plan()).items():
            where = place.rules.buildings[kind].place
            if where != "district":
                what, named = ("lot", lots) if where in ("lot", "shared") else ("border", borders)
                works = {each: work_of(site, {"in": name, "build": kind, what: each}) for each in named}
                assert list(offered) == [each for each, work in works.items() if may_stand(work)], kind


def may_stand(work: Any) -> bool:
    return work.code in NEIGHBOURLY if isinstance(work, Refusal) else not work.repaired


def test_a_form_is_small(tmp_path: Path) -> None:
    """That of a kingdom of 36 hexes and six towns, and those of new kingdoms; each order stands once in the data."""
    large = form_pages(campaigns.open_campaign(archives.example("greenmarch")))["examplia"]
    assert len(large.encode()) <= 220_000 and large.count('{"offer":{') <= 110
    assert max(len(place.html().encode()) for place in fresh_places(tmp_path / "new", 3)) <= 150_000


def test_a_new_army_costs_what_the_form_says() -> None:
    """Its size and unit, and a resource more."""
    place = place_of("war-of-the-ford", 10, "karrak")
    offer = next(offer for offer in offered(place) if offer["id"] == "recruit")
    prices, resources, _ = offer["tables"]
    kingdom, town = ground_of(place).seen.kingdoms[place.seat], offer["fields"][3]["options"][0]["value"]
    open_ = [option["value"] for option in offer["fields"][4]["options"] if town in option["when"]["from"]]
    assert open_ and prices["costs"]
    for size, unit, price in ((size, *row) for size, table in prices["costs"].items() for row in table.items()):
        for word in ("", *open_):
            order = {"recruit": "New", "size": size, "unit": unit, "from": town, **({"with": [word]} if word else {})}
            made = recruit(kingdom, order, place.rules)
            assert isinstance(made, Muster) and made.cost == price + resources["costs"].get(size, {}).get(word, 0), (
                order
            )


def test_a_field_that_is_chosen_from_a_list_has_one_even_where_it_is_empty() -> None:
    """An army that water shuts in has no hex to go to."""
    place = place_of("war-of-the-ford", 15, "hartmark")
    army = place.state.kingdoms["hartmark"].armies["Second Levy"]
    water = {label: replace(place.state.hexes[label], terrain="water") for label in neighbours(army.hex)}
    place = place._replace(state=replace(place.state, hexes={**place.state.hexes, **water}))
    fields = [field for offer in offered(place) for field in offer.get("fields", ())]
    assert [] in [field.get("options") for field in fields]
    assert all("options" in field for field in fields if field["kind"] in ("choice", "many"))


def test_in_a_turn_of_anarchy_only_messages_are_offered() -> None:
    place = place_of("greenmarch", 6, "examplia")
    mine = replace(place.state.kingdoms["examplia"], anarchy=6)
    model = place._replace(state=with_kingdoms(place.state, {"examplia": mine})).page()
    assert {offer["key"] for offer in offers_of(model)} == {"messages", "final"} and "anarchy" in model["notice"]


@given(st.one_of(pairs(), pairs_afield()))
@tries(5, 40)
def test_what_is_hidden_from_a_seat_changes_nothing_of_its_form(pair: tuple[Hidden, Hidden]) -> None:
    """Secrets and treasuries, and what goes on unseen: armies, and what an expedition does not see."""
    worlds = [played(state).after for state in pair]
    names = {**GAME.names(RULES), "seats": tuple(worlds[0].kingdoms)}
    first, second = (Place("", GAME, world, SEAT, RULES, names).html() for world in worlds)
    assert first == second
