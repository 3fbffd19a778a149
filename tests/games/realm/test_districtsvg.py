"""The districts of a settlement as pictures: what stands in which lot, and the same in words."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from kingdom.games.realm.report.maps.districts import HIGH, WIDE
from kingdom.games.realm.report.maps.districts import drawn as picture_of
from kingdom.games.realm.report.survey import settlements
from kingdom.games.realm.state import Building, District, Kingdom, Rubble, Settlement
from tests.games.realm.kit import rules_of
from tests.render.test_reports import HOSTILE

RULES = rules_of()
SVG = "{http://www.w3.org/2000/svg}"
OAKHOLD = Settlement(
    "0303",
    districts=(District(("south",)), District()),
    buildings=(
        Building("house", "A1"), Building("castle", "C2"), Building("mansion", "2-B1"), Building("city_wall", "north"),
        Building("park", "F6"), Building("town_hall", "A3", tall=True),
    ),
    rubble=(Rubble("inn", "B1"),),
)  # fmt: skip


def district_pictures(realm: Kingdom, rules: Any) -> list[dict[str, Any]]:
    """Each district drawn, by the settlements' names."""
    return [
        {"town": town["name"], "district": district["number"], "svg": picture_of(town, district, realm, rules)}
        for town in settlements(realm, {}, 1, rules)
        for district in town["districts"]
    ]


def kingdom(name: str = "Oakhold", **more: Any) -> Kingdom:
    return Kingdom("Examplia", capital=name, settlements={name: OAKHOLD}, **more)


def drawn(of: Kingdom, number: int = 0) -> ElementTree.Element:
    return ElementTree.fromstring(district_pictures(of, RULES)[number]["svg"])


def texts(tree: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in tree.iter(f"{SVG}text")]


def test_each_district_is_a_picture_of_its_own() -> None:
    found = district_pictures(kingdom(), RULES)
    assert [(each["town"], each["district"]) for each in found] == [("Oakhold", 1), ("Oakhold", 2)]
    assert district_pictures(Kingdom("Landless"), RULES) == []


def test_it_says_in_words_what_it_shows() -> None:
    tree = drawn(kingdom())
    assert tree.get("role") == "img" and tree.findtext(f"{SVG}title") == "Oakhold, district 1"
    assert tree.findtext(f"{SVG}desc") == (
        "House at A1; rubble of Inn at B1; Castle at C2, D2, C3, D3; Town Hall at A3, A4; Park at F6. "
        "Borders: north land, City Wall, east land, south water, west land."
    )
    assert (
        drawn(kingdom(), 1).findtext(f"{SVG}desc")
        == "Mansion at B1. Borders: north land, east land, south land, west land."
    )


def test_a_building_stands_in_one_frame_around_all_its_lots() -> None:
    frames = [
        (each.get("width"), each.get("height")) for each in drawn(kingdom()).iter(f"{SVG}rect") if each.get("rx") == "4"
    ]
    one, four, tall = (WIDE - 4, HIGH - 4), (2 * WIDE - 4, 2 * HIGH - 4), (WIDE - 4, 2 * HIGH - 4)
    assert frames == [(str(wide), str(high)) for wide, high in (one, four, one, tall)]
    found = texts(drawn(kingdom()))
    assert [found.count(name) for name in ("House", "Castle", "Park", "Town Hall", "(Inn)", "Mansion")] == [
        1,
        1,
        1,
        1,
        1,
        0,
    ]


def test_borders_are_told_in_words_and_drawn_in_shapes() -> None:
    found = texts(drawn(kingdom()))
    assert {"north: land, City Wall", "south: water", "east: land", "west: land"} <= set(found)
    one, two = (each["svg"] for each in district_pictures(kingdom(), RULES))
    assert 'stroke-dasharray="10 4"' in one and "q6-7 12 0" in one, "a wall, and waves"
    assert 'stroke-dasharray="10 4"' not in two and "q6-7 12 0" not in two


def test_what_is_amiss_is_seen_and_said() -> None:
    tree = drawn(kingdom(damaged={"Oakhold": ("A1",)}, blocked={"Oakhold": ("E5",)}))
    assert {"House", "(damaged)", "squatters"} <= set(texts(tree))
    said = tree.findtext(f"{SVG}desc", "")
    assert "House at A1 is damaged and gives nothing (ruling damaged_buildings)." in said and "squatters on E5." in said


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_name_is_text_and_nothing_else(kind: str) -> None:
    hostile, tame = drawn(kingdom(HOSTILE[kind])), drawn(kingdom("Plainly"))
    assert [(each.tag, each.attrib) for each in hostile.iter()] == [(each.tag, each.attrib) for each in tame.iter()]
    assert all(len(text) <= 60 for text in texts(hostile))
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", district_pictures(kingdom(HOSTILE[kind]), RULES)[0]["svg"]
    )
