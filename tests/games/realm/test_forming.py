"""What the order form offers, held against the engine without a browser; and that nothing hidden gets into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.game import GAME
from kingdom.games.realm.offers.buildings import places_in, rich
from kingdom.games.realm.offers.form_model import slots
from kingdom.games.realm.offers.offers import _ground, form_page
from kingdom.games.realm.orders.declaration import ORDERS
from kingdom.games.realm.orders.leaving import keeps_edicts
from kingdom.games.realm.state import owners, replace, with_kingdoms
from kingdom.games.realm.steps.land.losing import capital_hex
from kingdom.games.realm.steps.towns.construction import Site, work_of
from kingdom.games.realm.steps.towns.grid import BORDERS, border_name, lot_name
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY
from kingdom.games.realm.steps.war.muster import Muster, recruit
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import world_of
from tests.games.realm.test_reports_hidden import RULES, SEAT, Hidden, pairs, played
from tests.games.realm.test_reports_hidden_afield import pairs as pairs_afield
from tests.kit.examples import tries
from tests.kit.formkit import FACTS, Place, place_of, places_of, wild_places


@cache
def some_places() -> list[Place]:
    """Made when the first test asks for them: a module is collected by every worker."""
    places = [place_of("war-of-the-ford", 10, "karrak"), place_of("greenmarch", 6, "examplia")]
    return [*places, *list(wild_places(range(1)))[:3]]


@cache
def wide() -> list[Place]:
    """The same and more, of other wild campaigns."""
    return [*some_places(), *(place for seed in (2, 8) for place in wild_places(range(seed, seed + 1)))]


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Place:
    return some_places()[request.param]


def model_of(place: Place) -> dict[str, Any]:
    model = form_page(known(place.state, place.seat, place.rules), place.seat, place.rules)
    for offer in offers_of(model):
        if "work" in offer:  # as templates/form/draft.js takes places and prices from their pools
            offer["work"] |= {name: pool[offer["work"][name]] for name, pool in model["pools"].items()}
    return model


def offers_of(model: dict[str, Any]) -> list[dict[str, Any]]:
    return [offer for section in model["sections"] for part in section["parts"] for offer in part.get("offers", ())]


def alone(model: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each offer that needs nothing before it, and orders of it alone, its fields filled with the first that fits."""
    facts, left = set(model["facts"]), {counter["id"]: counter["left"] for counter in model["counters"]}
    for offer in offers_of(model):
        values = filled(offer)
        if (
            not all(facts.intersection(any_of) for any_of in offer.get("needs", ()))
            or values is None
            or not afford(offer, values, left)
        ):
            continue
        value = put(offer["value"], values)
        one = {"list": [value], "map": {value[0]: value[1]} if offer["how"] == "map" else None, "one": value}[
            offer["how"]
        ]
        yield offer, {offer["key"]: [] if offer.get("empties") else one}


def filled(offer: dict[str, Any]) -> dict[str, Any] | None:
    values: dict[str, Any] = {"place": next(iter(offer["work"]["places"]), "")} if "work" in offer else {}
    for field in offer.get("fields", ()):
        if field["kind"] == "choice" and not (field.get("none") and offer.get("any_of") != [field["name"]]):
            open_ = [option for option in field["options"] if fits(option, values)]
            if not open_:
                return None
            values[field["name"]] = open_[0]["value"]
        elif field["kind"] in ("text", "lines"):
            values[field["name"]] = "New Wick"
        elif field["kind"] == "number" and not field.get("none"):
            values[field["name"]] = field["least"]
    if offer.get("any_of"):
        values |= {
            "strategy": next(field["options"][0]["value"] for field in offer["fields"] if field["name"] == "strategy")
        }
    return values


def fits(option: dict[str, Any], values: dict[str, Any]) -> bool:
    among = [values.get(name) in words for name, words in option.get("when", {}).items()]
    return all(among) and not any(values.get(name) in words for name, words in option.get("unless", {}).items())


def afford(offer: dict[str, Any], values: dict[str, Any], left: dict[str, int]) -> bool:
    costs = dict(offer.get("costs", {}))
    for table in offer.get("tables", ()):
        key = "|".join(str(values.get(name, "")) for name in table["by"])
        if table.get("strict") and key not in table["costs"]:
            return False
        costs[table["counter"]] = costs.get(table["counter"], 0) + table["costs"].get(key, 0)
    if "work" in offer:
        work = offer["work"]
        rows = work["prices"].get(values["place"], work["prices"][""])
        costs["treasury"] = rows[0][0]
        if not values["place"] or work["caps"] and not any(left[cap] > 0 for cap in work["caps"]):
            return False
    if "sized" in offer:
        costs["treasury"] = offer["sized"]["costs"][left["size"]]
    enough = all(left[name] >= least for name, least in offer.get("least", {}).items())
    return enough and all(not cost or left[counter] >= cost for counter, cost in costs.items())


def put(template: Any, values: dict[str, Any]) -> Any:
    """The template with what was filled in, as templates/form/filling.js puts it."""
    if isinstance(template, str):
        whole = next((name for name in values if template == slots("{" + name + "}")), None)
        if whole is not None:
            return values[whole]
        for name, value in values.items():
            template = template.replace(slots("{" + name + "}"), str(value))
        return template
    if isinstance(template, list):
        return [made for item in template if "\x01" not in str(made := put(item, values))]
    if isinstance(template, dict):
        made = {key: put(item, values) for key, item in template.items()}
        return {key: item for key, item in made.items() if "\x01" not in str(item) and item != []}
    return template


def refused_alone(place: Place) -> list[str]:
    """The offers that the engine refuses although they stand alone, or that a file of orders can't hold."""
    from kingdom.orders import yaml_out

    model, found = model_of(place), []
    for offer, orders in alone(model):
        if "work" in offer and needs_neighbours(model, offer):
            continue
        text = yaml_out.dump({"kingdom": place.seat, "turn": place.state.turn + 1, **orders})
        problems, refusals, _ = place.verdict(text)
        found += [f"{place.name}: {offer['id']}: {each}" for each in problems + refusals]
    return found


def needs_neighbours(model: dict[str, Any], offer: dict[str, Any]) -> bool:
    """Of a building that needs others beside it the form looks for a place where they are."""
    return "count" in model["kinds"][offer["work"]["kind"]] and "over" not in offer["work"]


@pytest.mark.parametrize(
    "place", [0, 2, 4, *(pytest.param(number, marks=pytest.mark.long) for number in (1, 3))], indirect=True
)
def test_no_offer_is_refused_where_it_stands_alone(place: Place) -> None:
    assert refused_alone(place) == []


@pytest.mark.long
@pytest.mark.parametrize("campaign", ["war-of-the-ford", "greenmarch"])
def test_no_offer_is_refused_where_it_stands_alone_in_any_turn(campaign: str) -> None:
    assert [each for place in places_of(campaign, 1) for each in refused_alone(place)] == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_no_offer_is_refused_where_it_stands_alone_in_wild_campaigns(first: int) -> None:
    assert [each for place in wild_places(range(first, first + 10)) for each in refused_alone(place)] == []


def done_alone(place: Place, orders: dict[str, Any]) -> bool:
    """Whether the engine carries those orders out where nothing else is ordered."""
    from kingdom.orders import yaml_out

    problems, refusals, _ = place.verdict(
        yaml_out.dump({"kingdom": place.seat, "turn": place.state.turn + 1, **orders})
    )
    return not problems + refusals


def offered(places: list[Place], key: str) -> Iterator[tuple[Place, Any, list[Any]]]:
    """(place, what it knows as the first order finds it, the values that its form offers under a key, without fields)."""
    for place in places:
        seen = known(place.state, place.seat, place.rules)
        yield (
            place,
            _ground(seen, place.seat, place.rules),
            [offer["value"] for offer in offers_of(model_of(place)) if offer["key"] == key],
        )


def rich_one(place: Place) -> Place:
    """The place with a treasury that nothing is too dear for."""
    mine = replace(place.state.kingdoms[place.seat], treasury=999)
    return place._replace(state=with_kingdoms(place.state, {place.seat: mine}))


def test_every_hex_but_the_capital_may_be_let_go_with_its_settlement() -> None:
    towns = 0
    for place, ground, found in offered(wide(), "abandon"):
        held = [
            label
            for label in ground.kingdom.hexes
            if label != capital_hex(ground.kingdom) and done_alone(place, {"abandon": [label]})
        ]
        several = {
            town.hex
            for name, town in ground.kingdom.settlements.items()
            if keeps_edicts(name, ground.kingdom, ground.rules)
        }
        assert sorted(found) == sorted(set(held) - several), place.name
        towns += sum(town.hex in found for town in ground.kingdom.settlements.values())
    assert towns


def test_every_hex_but_the_capital_may_be_the_one_that_is_lost() -> None:
    towns = 0
    for place in [place for seed in (6, 44) for place in wild_places(range(seed, seed + 1)) if asked_for_a_hex(place)]:
        kingdom, offers = place.state.kingdoms[place.seat], offers_of(model_of(place))
        ground = _ground(known(place.state, place.seat, place.rules), place.seat, place.rules)
        named = {
            label
            for label in kingdom.hexes
            if label not in (capital_hex(kingdom), *ground.lost) and done_alone(place, {"answers": {"lose_hex": label}})
        }
        several = {town.hex for name, town in kingdom.settlements.items() if keeps_edicts(name, kingdom, place.rules)}
        found = {offer["value"][1] for offer in offers if offer["key"] == "answers" and offer["value"][0] == "lose_hex"}
        assert found == named - several, place.name
        towns += sum(town.hex in found for town in kingdom.settlements.values())
    assert towns


def asked_for_a_hex(place: Place) -> bool:
    return any(pending.key == "lose_hex" for pending in place.state.kingdoms[place.seat].pending)


def test_a_watchtower_is_offered_wherever_the_engine_lets_one_stand_on_a_route() -> None:
    towers = 0
    for place, ground, found in offered([rich_one(place) for place in wide()], "improve"):
        free = {
            label for route in ground.kingdom.routes.values() for label in route.path if label in ground.seen.hexes
        } - owners(ground.world).keys()
        orders = [{"hex": label, "build": "watchtower"} for label in sorted(free)]
        done = [order for order in orders if done_alone(place, {"improve": [order]})]
        assert [order for order in done if order not in found] == [], place.name
        towers += len(done)
    assert towers


@pytest.mark.parametrize(
    "places",
    [
        pytest.param(lambda: [place_of("war-of-the-ford", 15, "hartmark")], marks=pytest.mark.long),
        pytest.param(lambda: some_places()[:2], marks=pytest.mark.long),
    ],
    ids=["one", "more"],
)
def test_a_caravan_may_end_wherever_the_engine_lets_it(places: Callable[[], list[Place]]) -> None:
    ends = 0
    for place in (chosen := places()):
        seen, by = known(place.state, place.seat, place.rules), {}
        for each in offers_of(model_of(place)):
            if each["id"].startswith("route "):
                by[each["value"]["to"]] = [option["value"] for option in each["fields"][0]["options"]]
        for other, found in by.items():
            orders = {
                label: {"special": [{"edict": "trade_route", "to": other, "hex": label}]}
                for label in sorted(seen.hexes)
            }
            assert sorted(found) == [label for label in orders if done_alone(place, orders[label])]
            ends = max(ends, len(found))
    assert ends > (8 if len(chosen) == 1 else 0)


def test_what_may_be_had_in_numbers_is_offered_in_numbers() -> None:
    """Siege engines, where an army stands in a settlement that makes them."""
    army = {"name": "Foot", "unit": "fighter", "size": "medium"}
    world = world_of({SEAT: {"treasury": 50, "settlements": {"Oakhold": {"buildings": ["academy"]}}, "armies": [army]}})
    model = form_page(known(world, SEAT, RULES), SEAT, RULES)
    assert [each["value"].get("count", 1) for each in offers_of(model) if each["key"] == "armies" and "equip" in each["value"]
            and each["value"]["with"] == "siege_engines"] == [1, 2, 3]  # fmt: skip


def test_a_plan_may_hold_upgrades_and_demolitions() -> None:
    place = some_places()[0]
    found = {each["id"]: each for each in offers_of(model_of(place)) if each["id"] in ("plan upgrade", "plan demolish")}
    for each in found.values():
        text = put(each["value"], filled(each))
        assert done_alone(place, {"plan": [text]}), text
    assert len(found) == 2


@pytest.mark.parametrize("place", [0, pytest.param(1, marks=pytest.mark.long), 2], indirect=True)
def test_a_building_is_offered_wherever_the_engine_lets_it_stand_but_for_its_neighbours(place: Place) -> None:
    ground = _ground(known(place.state, place.seat, place.rules), place.seat, place.rules)
    for name, town in ground.kingdom.settlements.items():
        site = rich(Site(ground.kingdom, ground.world.hexes, place.rules, name, town))
        lots = [lot_name(number, site.plan().grid) for number in range(site.plan().lots())]
        borders = [border_name(district, border) for district in range(len(town.districts)) for border in BORDERS]
        for kind, offered in places_in(site, site.plan()).items():
            record = place.rules.buildings[kind]
            if record.place != "district":
                what, named = ("lot", lots) if record.place in ("lot", "shared") else ("border", borders)
                assert list(offered) == [
                    each for each in named if may_stand(site, {"in": name, "build": kind, what: each})
                ], kind


def may_stand(site: Site, order: dict[str, str]) -> bool:
    work = work_of(site, order)
    return work.code in NEIGHBOURLY if isinstance(work, Refusal) else not work.repaired


def test_the_form_has_a_control_for_every_key_but_what_files_alone_need() -> None:
    """In states that have armies, routes, questions and expeditions; `amend` and `token` are for files. No town is besieged there."""
    found = {offer["key"] for place in places_of("war-of-the-ford", 4) for offer in offers_of(model_of(place))}
    assert found == set(ORDERS.keys) - {"kingdom", "turn", "amend", "token", "surrender"}


def test_a_new_army_costs_what_the_form_says() -> None:
    """Its size and unit, and a resource more."""
    place = place_of("war-of-the-ford", 10, "karrak")
    offer = next(offer for offer in offers_of(model_of(place)) if offer["id"] == "recruit")
    prices, resources, _ = offer["tables"]
    kingdom, rules = known(place.state, place.seat, place.rules).kingdoms[place.seat], place.rules
    town = offer["fields"][3]["options"][0]["value"]
    open_ = [option["value"] for option in offer["fields"][4]["options"] if town in option["when"]["from"]]
    assert open_ and prices["costs"]
    for key, price in prices["costs"].items():
        size, unit = key.split("|")
        for word in ("", *open_):
            order = {"recruit": "New", "size": size, "unit": unit, "from": town, **({"with": [word]} if word else {})}
            made = recruit(kingdom, order, rules)
            assert isinstance(made, Muster) and made.cost == price + resources["costs"].get(f"{size}|{word}", 0), order


def test_a_field_that_is_chosen_from_a_list_has_one_even_where_it_is_empty() -> None:
    """An army on land that is lost sees no hex to go to."""
    place = next(place for place in wild_places(range(33, 34)) if place.name == "wild 33, turn 2, cravonia")
    fields = [field for offer in offers_of(model_of(place)) for field in offer.get("fields", ())]
    assert [] in [field.get("options") for field in fields]
    assert all("options" in field for field in fields if field["kind"] in ("choice", "many"))


def test_in_a_turn_of_anarchy_only_messages_are_offered() -> None:
    from kingdom.games.realm.state import replace

    place = place_of("greenmarch", 6, "examplia")
    kingdom = replace(place.state.kingdoms["examplia"], anarchy=6)
    model = form_page(
        replace(place.state, kingdoms={**place.state.kingdoms, "examplia": kingdom}), "examplia", place.rules
    )
    assert {offer["key"] for offer in offers_of(model)} == {"messages", "final"} and "anarchy" in model["notice"]


# --- nothing hidden


def form_for(state: Hidden) -> str:
    names = {**GAME.names(RULES), "seats": tuple(state.world.kingdoms)}
    return Place("", GAME, played(state).after, SEAT, RULES, names).html(FACTS)


@given(st.one_of(pairs(), pairs_afield()))
@tries(5, 40)
def test_what_is_hidden_from_a_seat_changes_nothing_of_its_form(pair: tuple[Hidden, Hidden]) -> None:
    """Secrets and treasuries, and what goes on unseen: armies, and what an expedition does not see."""
    first, second = map(form_for, pair)
    assert first == second
