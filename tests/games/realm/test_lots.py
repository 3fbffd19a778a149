"""The ground of a settlement: lots, borders, what is beside what, and where a building may stand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.state import Building, District
from kingdom.games.realm.steps.towns.grid import border_at, deal, footprint, grid_of, lot_name, lot_number, serve
from kingdom.games.realm.steps.towns.lots import REFUSALS, NoRoom, find, first_of, lay_out
from kingdom.games.realm.steps.towns.plan import Plan, covered_by
from tests.games.realm.kit import rules_of

RULES = rules_of()
GRID = grid_of(RULES.lots.columns, RULES.lots.rows)
LAND, SMALL = (District(),), rules_of({"lots": {"columns": 3, "rows": 2}})


def plan(*buildings: str, districts: tuple[District, ...] = LAND, rules=RULES) -> Plan:
    """A plan of buildings written as `house A1`, `market B1 tall`."""
    made = (building.split() for building in buildings)
    return Plan(districts, [Building(kind, lot, bool(tall)) for kind, lot, *tall in made], rules)


def place_of(ground: Plan, kind: str, named: str = "") -> str:
    """Where that kind would stand, or the code of the refusal; `tall` beside it where it stands so."""
    place, objection = find(ground, kind, named)
    if objection:
        assert "{" not in REFUSALS[objection.code].format(**objection.facts)
        return objection.code
    return f"{place.lot} tall" if place.tall else place.lot


def numbers(*lots: str) -> set[int]:
    return {lot_number(lot, GRID) for lot in lots}


# --- names


def test_a_district_has_36_lots_from_a1_to_f6_rows_first():
    assert GRID.names[:7] == ("A1", "B1", "C1", "D1", "E1", "F1", "A2")
    assert (GRID.size, GRID.names[-1]) == (36, "F6")


def test_lots_of_the_second_district_begin_with_its_number():
    assert lot_name(36, GRID) == "2-A1"
    assert lot_number("2-C4", GRID) == 36 + lot_number("c4", GRID)
    assert border_at("2-north") == (1, "north") and border_at("North") == (0, "north")


@pytest.mark.parametrize("text", ["", "G1", "A7", "A0", "0-A1", "1A", "A1-2", "north", "A11", "²-A1"])
def test_what_is_no_lot(text):
    assert lot_number(text, GRID) is None


@given(st.integers(0, 36 * 20 - 1))
def test_every_lot_has_a_name_of_its_own(number):
    assert lot_number(lot_name(number, GRID), GRID) == number


# --- what a building covers


def test_two_lots_stand_either_way_and_four_two_by_two():
    at = lot_number("B2", GRID)
    assert set(footprint(GRID, 2, False, at).lots) == numbers("B2", "C2")
    assert set(footprint(GRID, 2, True, at).lots) == numbers("B2", "B3")
    assert set(footprint(GRID, 4, False, at).lots) == numbers("B2", "C2", "B3", "C3")


def test_beside_are_lots_side_by_side_at_any_lot_of_a_large_building():
    around = footprint(GRID, 4, False, lot_number("B2", GRID)).beside
    assert set(around) == numbers("B1", "C1", "A2", "D2", "A3", "D3", "B4", "C4")


def test_lots_of_two_districts_are_not_beside_one_another():
    assert set(footprint(GRID, 1, False, lot_number("F6", GRID)).beside) == numbers("E6", "F5")
    assert set(footprint(GRID, 1, False, lot_number("2-A1", GRID)).beside) == numbers("2-B1", "2-A2")


@pytest.mark.parametrize(
    ("lots", "tall", "lot"), [(2, False, "F1"), (2, True, "A6"), (4, False, "F3"), (4, False, "C6")]
)
def test_no_building_leaves_its_district(lots, tall, lot):
    assert footprint(GRID, lots, tall, lot_number(lot, GRID)) is None


@given(st.sampled_from([1, 2, 4]), st.booleans(), st.integers(0, 71))
def test_a_building_covers_its_number_of_lots_in_one_district(lots, tall, number):
    covered = footprint(GRID, lots, tall, number)
    if covered:
        assert len(covered.lots) == lots and min(covered.lots) == number
        assert len({lot // GRID.size for lot in (*covered.lots, *covered.beside)}) == 1
        assert not set(covered.lots) & set(covered.beside)


# --- the first place


def test_places_are_filled_rows_first():
    for taken, free in ((0, "A1"), (1, "B1"), (5, "F1"), (6, "A2")):
        assert place_of(plan(*(f"brewery {lot}" for lot in GRID.names[:taken])), "house") == free


def test_side_by_side_comes_before_one_above_the_other():
    assert place_of(plan(), "bureau") == "A1"
    assert place_of(plan("brewery B1"), "bureau") == "A1 tall"


def test_a_second_district_is_filled_after_the_first():
    full = [f"brewery {lot}" for lot in GRID.names]
    assert place_of(plan(*full), "house") == "lot_taken"
    assert place_of(plan(*full, districts=LAND * 2), "house") == "2-A1"
    assert place_of(plan(), "house", "2-A1") == "lot_unknown"


def test_a_lot_that_is_named_is_the_top_left_one():
    assert place_of(plan(), "castle", "C3") == "C3"
    assert place_of(plan(), "castle", "F3") == "lot_outside"
    assert place_of(plan("house D4"), "castle", "C3") == "lot_taken"
    assert place_of(plan(), "bureau", "F3") == "F3 tall"
    assert place_of(plan("house D3"), "bureau", "C3") == "C3 tall"


# --- neighbours


def test_an_inn_needs_a_house_beside_it():
    assert place_of(plan(), "inn") == "lot_no_neighbour"
    assert place_of(plan("house C3"), "inn") == "C2"
    assert place_of(plan("house C3"), "inn", "D4") == "lot_no_neighbour"
    assert place_of(plan("house A1", districts=LAND * 2), "inn", "2-A1") == "lot_no_neighbour"


def test_a_tenement_counts_as_a_house():
    assert place_of(plan("tenement A1"), "inn") == "B1"
    assert place_of(plan("tenement A1", "brewery B1", "brewery B2"), "dump") == "C1"


def test_a_neighbour_serves_one_building_only():
    assert place_of(plan("house B1", "inn A1"), "inn") == "lot_neighbour_serves_another"
    assert place_of(plan("house B1", "inn A1", "house D1"), "inn", "C1") == "C1"


def test_a_market_needs_two_houses():
    assert place_of(plan("house A1"), "market") == "lot_no_neighbour"
    assert place_of(plan("house A1", "house D1"), "market") == "B1"
    assert place_of(plan("house A2", "house B1", "inn A1"), "market") == "lot_neighbour_serves_another"


def test_neighbours_are_dealt_out_anew_where_that_serves_all():
    # the inn at B1 may have either house; the one at D1 only that at C1
    assert place_of(plan("house A1", "inn B1", "house C1"), "inn", "D1") == "D1"
    assert place_of(plan("house A1", "inn B1", "house C1"), "inn", "A2") == "A2"


def test_a_building_that_stands_unserved_from_the_start_keeps_nobody_from_building():
    assert place_of(plan("inn F6", "house A1"), "inn") == "B1"


def test_a_building_does_not_serve_itself():
    row = {"name": "Row house", "cost": 2, "lots": 1, "beside": {"count": 1, "any_of": ["row_house", "house"]}}
    rows = rules_of({"add": {"buildings": {"row_house": row}}})
    assert place_of(plan(rules=rows), "row_house") == "lot_no_neighbour"
    assert place_of(plan("house A1", rules=rows), "row_house") == "B1"
    assert plan("row_house A1", rules=rows).unserved() == 1


def test_what_may_not_be_beside_a_house_keeps_houses_away_too():
    assert place_of(plan("house A1"), "tannery", "B1") == "lot_forbidden_neighbour"
    assert place_of(plan("tannery A1"), "house", "B1") == "lot_forbidden_neighbour"
    assert place_of(plan("tannery A1"), "house") == "C1"
    assert place_of(plan("house A1"), "tannery") == "C1"


# --- water


def test_a_mill_stands_at_a_border_of_water_or_beside_a_waterway():
    east = (District(water=("east",)),)
    assert place_of(plan(), "mill") == "lot_no_water"
    assert place_of(plan(districts=east), "mill") == "F1"
    assert place_of(plan(districts=east), "foundry") == "E1"
    assert place_of(plan(districts=east), "mill", "E1") == "lot_no_water"
    assert place_of(plan("waterway C3"), "mill") == "C2"
    assert place_of(plan(districts=LAND + east), "mill") == "2-F1"


def test_a_waterway_serves_everything_beside_it_as_a_border_does():
    assert place_of(plan("waterway C3", "mill C2", "mill B3"), "mill") == "D3"


# --- lots that are shared


def test_a_cistern_shares_a_lot_with_any_building_and_stands_alone_too():
    assert place_of(plan("house A1"), "cistern") == "A1"
    assert place_of(plan("house A1"), "cistern", "B1") == "B1"
    assert place_of(plan("cistern A1"), "house") == "A1"
    assert place_of(plan("cistern A1"), "cistern") == "B1"
    assert place_of(plan("dump B1"), "cistern") == "D1"
    assert place_of(plan("dump A1"), "cistern", "A1") == "lot_forbidden_neighbour"


def test_a_bridge_shares_the_lot_of_a_waterway():
    assert place_of(plan("waterway A1"), "bridge") == "A1"
    assert place_of(plan("house A1"), "bridge") == "B1"


def test_streetlamps_need_a_temple_in_the_settlement_and_any_building_for_their_lot():
    assert place_of(plan("house A1"), "magical_streetlamps") == "settlement_lacks"
    assert place_of(plan("temple C3"), "magical_streetlamps") == "C3"
    assert place_of(plan("temple C3", "house A1"), "magical_streetlamps") == "A1"
    assert place_of(plan("temple C3", "magical_streetlamps D3"), "magical_streetlamps", "D3") == "lot_taken"
    assert place_of(plan("temple C3"), "magical_streetlamps", "A1") == "lot_no_host"
    for kind in ("cathedral", "magic_shop", "magical_academy", "temple"):
        assert place_of(plan(f"{kind} C3"), "magical_streetlamps") == "C3"


def test_an_everflowing_spring_needs_magic_items_of_medium_grade_and_a_grand_host():
    assert place_of(plan("park A1", "alchemist B1"), "everflowing_spring") == "settlement_lacks"
    assert place_of(plan("academy A1", "park D4"), "everflowing_spring") == "D4"
    assert place_of(plan("academy A1"), "everflowing_spring") == "lot_no_host"
    assert place_of(plan("academy A1", "house D4"), "everflowing_spring", "D4") == "lot_no_host"
    assert place_of(plan("academy A1", "park D4", "everflowing_spring D4"), "everflowing_spring", "D4") == "lot_taken"
    for kind in ("castle", "cathedral", "market", "monument", "park", "town_hall"):
        assert place_of(plan("academy A1", f"{kind} D4"), "everflowing_spring") == "D4"


# --- borders and districts


def test_walls_and_moats_take_borders_of_land_one_of_a_kind():
    north = (District(water=("north",)),)
    assert place_of(plan(), "city_wall") == "north"
    assert place_of(plan(districts=north), "city_wall") == "east"
    assert place_of(plan(districts=north), "moat", "north") == "border_water"
    assert place_of(plan("city_wall north"), "moat", "north") == "north"
    assert place_of(plan("city_wall north"), "city_wall", "north") == "border_taken"
    all_round = [f"city_wall {border}" for border in ("north", "east", "south", "west")]
    assert place_of(plan(*all_round), "city_wall") == "border_taken"
    assert place_of(plan(), "moat", "2-north") == "border_unknown"
    assert place_of(plan(districts=LAND * 2), "moat", "2-north") == "2-north"


def test_a_watergate_is_built_into_a_city_wall():
    assert place_of(plan(), "watergate") == "border_no_wall"
    assert place_of(plan("moat north"), "watergate") == "border_no_wall"
    assert place_of(plan("city_wall south"), "watergate") == "south"
    assert place_of(plan("city_wall south", "watergate south"), "watergate", "south") == "border_taken"


def test_a_district_is_paved_once():
    assert place_of(plan(), "paved_streets") == "1"
    assert place_of(plan("paved_streets 1"), "sewer_system") == "1"
    assert place_of(plan("paved_streets 1"), "paved_streets") == "district_full_of_kind"
    assert place_of(plan("sewer_system 1"), "sewer_system") == "district_full_of_kind"
    assert place_of(plan("paved_streets 1", districts=LAND * 2), "paved_streets") == "2"
    assert place_of(plan(districts=LAND * 2), "paved_streets", "2-C4") == "2"


def test_lots_and_borders_are_not_taken_for_one_another():
    assert place_of(plan(), "house", "north") == "place_is_a_lot"
    assert place_of(plan(), "city_wall", "A1") == "place_is_a_border"


def test_a_settlement_holds_one_castle():
    assert place_of(plan("castle A1"), "castle") == "settlement_full_of_kind"


# --- the start


def test_starting_buildings_are_laid_out_in_the_order_listed():
    buildings, warnings = lay_out(LAND, ["house", "house", "inn", "castle"], RULES)
    assert [f"{each.id} {each.lot}" for each in buildings] == ["house A1", "house B1", "inn C1", "castle D1"]
    assert not warnings


def test_a_starting_building_that_cannot_stand_legally_stands_anyway_with_a_warning():
    buildings, warnings = lay_out(LAND, ["inn", "house"], RULES)
    assert [f"{each.id} {each.lot}" for each in buildings] == ["inn A1", "house B1"]
    assert len(warnings) == 1 and warnings[0].startswith("Inn can't stand")


def test_more_starting_buildings_than_lots_are_said_to_be_so():
    with pytest.raises(NoRoom, match="Castle finds no room: it takes 4 of 36 lots, of which 3 are free"):
        lay_out(LAND, ["brewery"] * 33 + ["castle"], RULES)


LISTS = st.lists(st.sampled_from(sorted(RULES.buildings)), max_size=25)


@given(LISTS, st.sampled_from([(), ("north",), ("east", "west")]))
def test_lots_never_overlap(kinds, water):
    try:
        buildings, _ = lay_out((District(water), District()), kinds, RULES)
    except NoRoom:
        return
    assert [building.id for building in buildings] == kinds
    taken: dict[int, list[str]] = {}
    for building in buildings:
        for lot in covered.lots if (covered := covered_by(building, RULES)) else ():
            taken.setdefault(lot, []).append(building.id)
    sharing = {"cistern", "magical_streetlamps", "everflowing_spring", "bridge"}
    for kinds_there in taken.values():
        assert len(set(kinds_there) - sharing) <= 1 and len(set(kinds_there)) == len(kinds_there)


# --- the matching, against trying everything


def best(needs: list[tuple[int, int]], could: dict[int, list[int]]) -> int:
    """The needs that stay open at best, found by trying every way to deal the neighbours out."""
    if not needs:
        return 0
    (dependant, count), rest = needs[0], needs[1:]
    tries = []
    for served in range(min(count, len(could[dependant])) + 1):
        for chosen in combinations(could[dependant], served):
            left = {other: [each for each in able if each not in chosen] for other, able in could.items()}
            tries.append(count - served + best(rest, left))
    return min(tries)


GRAPHS = st.lists(st.tuples(st.integers(1, 2), st.sets(st.integers(100, 104))), max_size=5)


@given(GRAPHS)
def test_as_many_needs_are_served_as_can_be(graph):
    needs = [(dependant, count) for dependant, (count, _) in enumerate(graph)]
    could = {dependant: sorted(able) for dependant, (_, able) in enumerate(graph)}
    serves, still_open = deal(needs, could)
    assert still_open == best(needs, could)
    assert all(neighbour in could[dependant] for neighbour, dependant in serves.items())
    for dependant, count in needs:
        assert list(serves.values()).count(dependant) <= count


@given(GRAPHS)
def test_who_is_served_stays_served(graph):
    could = {dependant: sorted(able) for dependant, (_, able) in enumerate(graph)}
    serves: dict[int, int] = {}
    for dependant, (count, _) in enumerate(graph):
        for _ in range(count):
            held = {each: list(serves.values()).count(each) for each in could}
            served = serve(dependant, could, serves)
            held[dependant] += served
            assert {each: list(serves.values()).count(each) for each in could} == held


SOME = st.sampled_from(["house", "inn", "market", "tenement", "shop", "mansion", "tannery"])


@given(st.lists(SOME, max_size=5), st.sampled_from(["inn", "market", "shop"]))
def test_a_place_is_legal_exactly_where_all_can_be_served_at_once(kinds, kind):
    ground = Plan((District(),), (), SMALL)
    for each in kinds:
        place, _ = find(ground, each)
        if place:
            ground.add(place)
    legal = {place for place in ground.places(kind) if first_of(ground, kind, [place], "there")[0]}
    for place in ground.places(kind):
        if ground.fits(place):
            all_served = served_at_best([*ground.buildings, place])
            assert (place in legal) == (all_served and not beside_a_tannery(ground, place))


def served_at_best(buildings: list[Building]) -> bool:
    names = {"tenement": {"tenement", "house"}}
    needs, could = [], {}
    for position, building in enumerate(buildings):
        beside = SMALL.buildings[building.id].beside
        if beside:
            lots = set(covered_by(building, SMALL).beside)
            needs.append((position, beside.count))
            could[position] = [
                other
                for other, each in enumerate(buildings)
                if lots & set(covered_by(each, SMALL).lots) and names.get(each.id, {each.id}) & set(beside.any_of)
            ]
    return best(needs, could) == 0


def beside_a_tannery(ground: Plan, place: Building) -> bool:
    lots = set(covered_by(place, SMALL).beside)
    tanneries = [each for each in ground.buildings if each.id == "tannery"]
    barred = place.id in SMALL.buildings["tannery"].not_beside
    return barred and any(lots & set(covered_by(each, SMALL).lots) for each in tanneries)
