"""The map as a picture: what a GM sees, what a seat sees, and that no colour is needed to read it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.report.maps import icons
from kingdom.games.realm.report.maps.atlas import HIDDEN
from kingdom.games.realm.report.maps.drawing import Grid, border, border_lines, straight, way, winding
from kingdom.games.realm.report.maps.svg_map import picture, pressed, whole_map
from kingdom.games.realm.report.maps.text_map import draw
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import (
    Army,
    Expedition,
    FreeCity,
    Hex,
    Kingdom,
    Party,
    Route,
    Settlement,
    Sighting,
    World,
    replace,
)
from kingdom.orders import places
from kingdom.render.pictures import png
from tests.games.realm.kit import rules_of
from tests.games.realm.test_known import pairs
from tests.games.realm.test_mapdraw import march
from tests.kit.examples import few
from tests.kit.formkit import place_of
from tests.kit.pngkit import pixels
from tests.render.test_reports import HOSTILE

RULES = rules_of()
SVG = "{http://www.w3.org/2000/svg}"


def drawn(world: World, seat: str | None = None, rules: Rules = RULES) -> ElementTree.Element:
    """The picture as a tree, so it is well-formed."""
    return ElementTree.fromstring(picture(world, seat, rules))


def titles(world: World, seat: str | None = None, rules: Rules = RULES) -> dict[str, str]:
    """Label -> what the hex says in words."""
    return {
        each.get("data-hex", ""): each.findtext(f"{SVG}title", "")
        for each in drawn(world, seat, rules).iter(f"{SVG}g")
        if each.get("data-hex")
    }


def shapes(world: World, seat: str | None = None, rules: Rules = RULES) -> set[str]:
    """The names of the shapes that are used."""
    return {each.get("href", "").partition("-")[2] for each in drawn(world, seat, rules).iter(f"{SVG}use")}


def texts(world: World, seat: str | None = None, rules: Rules = RULES) -> list[str]:
    return ["".join(each.itertext()) for each in drawn(world, seat, rules).iter(f"{SVG}text")]


def without_colours(markup: str) -> str:
    return re.sub(r"#[0-9a-f]{3,6}|url\([^)]*\)", "", markup)


# --- what it tells


def test_the_light_edge_of_letters_is_an_element_below_them_and_words_are_parted() -> None:
    """CairoSVG 2.9 and WeasyPrint 70 know no `paint-order`: there an edge of the letters' own element would cover them."""
    world = march()
    svg, tree = picture(world, None, RULES), drawn(world)
    assert "paint-order" not in svg
    order = list(tree.iter())
    edges = [each for each in order if each.tag == f"{SVG}use" and each.get("stroke-linejoin")]
    assert edges
    for edge in edges:
        (letters,) = (each for each in order if each.get("id") == edge.get("href", "")[1:])
        assert order.index(edge) < order.index(letters) and list(letters.iter(f"{SVG}text"))
    assert "</text><" not in svg


def test_every_hex_says_in_words_what_is_there() -> None:
    said = titles(march())
    assert list(said) == list(march().hexes)
    assert said["0101"] == "0101: Plains"
    assert said["0203"] == "0203: Plains, canal; Examplia; watchtower, prepared site, canal"
    assert (
        said["0304"]
        == "0304: Hills, river, landmark; Examplia; farm, road; resource; an owlbear lair; monsters of ACR 3"
    )
    assert said["0303"] == "0303: Plains, river; Examplia; road; Oakhold, capital of Examplia"
    assert said["0504"] == "0504: Marsh; Oldwick, a free city; ruin (Temple)"
    assert said["0103"] == "0103: Plains; left in the wild: farm, road"


def test_a_seat_sees_what_it_knows_and_nothing_else() -> None:
    said = titles(march(), "examplia")
    assert set(said) == {"0103", "0202", "0203", "0204", "0302", "0303", "0304", "0402", "0403", "0404"}
    assert "Borderia" not in picture(march(), "examplia", RULES) and "Oldwick" not in picture(
        march(), "examplia", RULES
    )
    assert ElementTree.tostring(drawn(march(), "examplia")).count(b"data-hex") == 10


def test_the_picture_and_the_text_tell_the_same_of_each_hex() -> None:
    for seat in (None, "examplia", "borderia"):
        lines = draw(march(), seat, RULES).splitlines()
        told = {line[:4]: line[6:].split("; ") for line in lines if re.match(r"\d{4}  \S", line)}
        said = titles(march(), seat)
        assert told and all(part in said[label] for label, parts in told.items() for part in parts), seat


def test_the_title_says_what_the_picture_is() -> None:
    assert drawn(march()).findtext(f"{SVG}title") == "The map after turn 7, with everything"
    assert drawn(march(), "examplia").findtext(f"{SVG}title") == "The map after turn 7, as Examplia knows it"
    assert drawn(march()).get("role") == "img"


def test_labels_and_the_marks_of_holders_are_those_of_the_map_as_text() -> None:
    found = texts(march())
    assert set(march().hexes) <= set(found) and {"Oakhold", "Millford", "Oldwick"} <= set(found)
    assert found.count("E") == 3 and found.count("B") == 2
    assert {"E: Examplia (size 3)", "B: Borderia (size 2)"} <= set(found)


def test_what_has_a_mark_is_drawn_and_explained() -> None:
    used, found = shapes(march()), texts(march())
    assert {
        "capital",
        "settlement",
        "free-city",
        "i-farm",
        "i-watchtower",
        "i-prepared",
        "i-mine",
        "more",
        "f-resource",
        "f-ruin",
    } <= used
    assert {
        "Capital",
        "Settlement",
        "Free city",
        "Watchtower",
        "Mine",
        "More than fits",
        "Resource",
        "Ruin",
        "River",
        "Road",
        "Canal",
        "Plains",
    } <= set(found)
    assert "Caravan" not in found and "Army" not in found and "Not in sight" not in found and "Desert" not in found


def test_a_hex_with_more_than_fits_says_so_and_its_title_tells_it() -> None:
    full = Hex(
        "hills",
        ("lake", "landmark"),
        resource=True,
        lair=True,
        ruin="temple",
        hazard="quicksand",
        secret="a crown",
        monsters=2,
    )
    world = World(1, {"0101": full}, {})
    assert "more" in shapes(world) and "More than fits" in texts(world)
    assert (
        titles(world)["0101"]
        == "0101: Hills, lake, landmark; resource; lair; ruin (Temple); a crown; quicksand; monsters of ACR 2"
    )


def test_armies_fly_their_flags_to_the_right_or_to_the_left() -> None:
    world = march()
    mine = {name: Army("warrior", "medium", "0303", hp=1) for name in ("First Foot", "Second Foot")}
    examplia = replace(world.kingdoms["examplia"], armies=mine, parties={"adventurers-1": Party(4, "0202", "", 3)})
    borderia = replace(world.kingdoms["borderia"], armies={"Host": Army("dwarf", "small", "0304", hp=1)})
    world = replace(world, kingdoms={"borderia": borderia, "examplia": examplia})
    assert {"own", "foreign"} <= shapes(world, "examplia") and {"Own army", "Foreign army", "2"} <= set(
        texts(world, "examplia")
    )
    said = titles(world, "examplia")
    assert "army (small, Dwarven defenders), of Borderia" in said["0304"]
    assert said["0303"].endswith(
        "First Foot (medium, Warriors), of Examplia; Second Foot (medium, Warriors), of Examplia"
    )
    assert "Host" not in picture(world, "examplia", RULES) and "Host (small" in titles(world)["0304"]
    assert "adventurers, of Examplia" in said["0202"] and "foreign" not in shapes(world)


def test_an_expedition_is_where_it_is_for_the_gm_alone() -> None:
    world = march()
    away = {"explore-1": Expedition("0303", since=6, at="0601", left=1, bp=4)}
    world = replace(
        world, kingdoms={**world.kingdoms, "examplia": replace(world.kingdoms["examplia"], expeditions=away)}
    )
    assert "expedition, of Examplia" in titles(world)["0601"]
    assert "expedition" not in picture(world, "examplia", RULES)


def routed(**changes: Any) -> World:
    """The march with a trade route of Examplia to Borderia."""
    world = march()
    route = replace(Route("borderia", ("0303", "0403", "0503"), at=2, open=True, asked="trade_route-1"), **changes)
    return replace(
        world,
        kingdoms={**world.kingdoms, "examplia": replace(world.kingdoms["examplia"], routes={"trade_route-1": route})},
    )


def test_trade_routes_that_the_reader_knows_are_drawn() -> None:
    for seat in (None, "examplia", "borderia"):
        assert "Trade route" in texts(routed(), seat) and 'stroke-dasharray="1 7"' in picture(routed(), seat, RULES), (
            seat
        )
    assert "Trade route" not in texts(march())


def test_a_caravan_under_way_stands_where_it_is_and_nobody_else_sees_it() -> None:
    under_way = routed(at=1, open=False, asked="")
    assert "caravan" in shapes(under_way, "examplia") and "Caravan" in texts(under_way, "examplia")
    assert "Trade route" not in texts(under_way, "borderia")


def test_what_is_out_of_sight_lies_in_fog() -> None:
    world = march()
    memory = {"0601": Sighting(3, Hex("mountains"), "borderia")}
    world = replace(world, kingdoms={**world.kingdoms, "examplia": replace(world.kingdoms["examplia"], memory=memory)})
    assert titles(world, "examplia")["0601"] == "0601: Mountains; Borderia; not in sight, as it last was"
    assert "Not in sight" in texts(world, "examplia") and "<pattern" in picture(world, "examplia", RULES)
    assert "<pattern" not in picture(march(), "examplia", RULES)


def test_where_nothing_is_known_the_picture_says_so() -> None:
    world = World(3, {"0101": Hex("plains")}, {"examplia": Kingdom("Examplia")})
    assert "Nothing of the map is known." in texts(world, "examplia")


# --- it can be read without colour


def test_each_terrain_has_a_shape_of_its_own() -> None:
    rows = {name: each for name, each in RULES.terrain.items() if not each.unseen}
    drawings = {without_colours(icons.ground(name, each.letter)) for name, each in rows.items()}
    assert len(drawings) == len(rows)
    assert not any("<text" in each for each in drawings), "those of the rules are no letters"


def test_a_terrain_and_an_improvement_that_a_campaign_adds_have_a_shape_too() -> None:
    house = {
        "terrain": {
            "glacier": {
                "name": "Glacier",
                "letter": "<",
                "preparation_cost": 9,
                "farm_cost": None,
                "road_cost": 5,
                "movement": 3,
            }
        },
        "improvements": {"vineyard": {"name": "Vineyard", "cost": 5, "ground": ["hills"], "kingdom": {"loyalty": 1}}},
        "features": {"geyser": {"name": "Geyser"}},
    }
    rules = rules_of({"add": house})
    world = World(
        1,
        {"0101": Hex("glacier", ("geyser",)), "0102": Hex("hills")},
        {"examplia": Kingdom("Examplia", hexes={"0102": ("vineyard",)})},
    )
    assert {"t-glacier", "i-vineyard", "e-geyser"} <= shapes(world, None, rules)
    assert {"<", "Vi", "g", "Glacier", "Vineyard", "Geyser"} <= set(texts(world, None, rules))


def test_hidden_things_and_improvements_differ_in_shape() -> None:
    marks = [icons.find(name) for name in HIDDEN] + [
        icons.mark(name, "") for name in (*RULES.improvements, *RULES.features) if name in icons.BUILT
    ]
    assert len({without_colours(each) for each in marks}) == len(marks)
    own, foreign = icons.FORCES.values()
    assert without_colours(own) != without_colours(foreign)


def test_borders_differ_by_their_dashes_and_lines_before_any_colour_comes_twice() -> None:
    styles = [border_lines(number, "<path") for number in range(72)]
    assert len({without_colours(each) for each in styles[:8]}) == 8
    assert len(set(styles)) == 72


def test_a_kingdom_has_the_same_colour_on_every_map() -> None:
    world = march()
    colours = {
        re.search(r'<use href="#[^"]*b1"[^>]* fill="(#\w+)"', picture(world, seat, RULES))[1]
        for seat in (None, "examplia")
    }  # type: ignore[index]
    assert len(colours) == 1


def test_as_png_the_ground_and_the_border_have_their_colours() -> None:
    svg = picture(march(), None, RULES)
    width = int(re.search(r'viewBox="0 0 (\d+)', svg)[1])  # type: ignore[index]
    rows = pixels(png(svg, width))
    places = {
        label: (int(x), int(y))
        for label, x, y in re.findall(
            r'data-hex="(\d+)"><title>[^<]*</title><use href="[^"]*" x="(\d+)" y="(\d+)"', svg
        )
    }
    for label, colour in (("0101", "#eaf0c8"), ("0402", "#c5dfb6"), ("0604", "#cde0d6")):
        x, y = places[label]
        assert "#" + bytes(rows[y + 32][x]).hex() == colour, label
    x, y = places["0502"]
    assert rows[y - 15][x + 26] == (0xA3, 0x24, 0x1D), "Borderia's border, inside its northeastern side"


# --- the light map of the GM's book


def spots(svg: str) -> set[tuple[str, int, int]]:
    """The shapes that are drawn in hexes, each with its place, whether alone or together with the others of its kind."""
    alone = re.findall(r'<use href="#m-([a-z][^"]*)" x="(-?\d+)" y="(-?\d+)"', svg)
    found = {(name, int(x), int(y)) for name, x, y in alone if name not in ("columns", "rows")}
    for steps, name in re.findall(r'<path d="m([^"h]*)(?:h0)?" style="marker(?:-start)?:url\(#m-(.*?)-s\)"/>', svg):
        x = y = 0
        numbers = list(map(int, steps.split()))
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            found.add((name, x, y))
    return found


@few
@given(pairs())
def test_the_light_map_draws_the_same_shapes_at_the_same_places(two: Any) -> None:
    for world in (march(), *two[:1]):
        light = whole_map(world, RULES)["picture"]
        ElementTree.fromstring(str(light))
        assert {spot for spot in spots(light) if not spot[0].startswith("k-")} == spots(picture(world, None, RULES))
        letters = {(x, y) for name, x, y in spots(light) if name.startswith("k-")}
        assert len(letters) == sum(len(kingdom.hexes) for kingdom in world.kingdoms.values())


def test_the_light_map_cuts_off_labels_only_where_a_hex_is_missing() -> None:
    labels = {f"{column:02}{row:02}" for column in range(1, 21) for row in range(1, 21)}
    whole = World(1, {label: Hex("plains") for label in sorted(labels)}, {})
    assert "clip-path" not in whole_map(whole, RULES)["picture"]
    holed = World(1, {label: Hex("plains") for label in sorted(labels - {"0202"})}, {})
    assert 'clip-path="url(#m-all)"' in whole_map(holed, RULES)["picture"]
    assert len(whole_map(whole, RULES)["picture"]) < len(picture(whole, None, RULES)) // 5


def test_what_has_no_mark_on_the_light_map_is_told_beside_it() -> None:
    world = march()
    lines = dict(line.split(": ", 1) for line in whole_map(world, RULES)["lines"] if line[0] == "0")
    assert lines["0304"] == "Hills, river, landmark; Examplia; farm, road; resource; an owlbear lair; monsters of ACR 3"
    assert lines["0303"] == "Oakhold, capital of Examplia" and "0101" not in lines


# --- lines


def grid_of(labels: Iterable[str]) -> Grid:
    """A plain grid of these labels and all around them."""
    around = {near for label in labels for near in (label, *neighbours(label))}
    return Grid(
        {label: (int(label[:2]) * 60, int(label[2:]) * 70 + (35 if int(label[:2]) % 2 == 0 else 0)) for label in around}
    )


def test_the_border_of_one_hex_has_six_corners_and_lies_inside_it() -> None:
    line = border(["0303"], grid_of(["0303"]), 5)
    points = [tuple(map(int, point.split())) for point in re.findall(r"-?\d+ -?\d+", line)]
    assert len(points) == 6 and line.startswith("M") and line.endswith("z")
    assert all(abs(x - 180) < 40 and abs(y - 210) < 35 for x, y in points)


def test_a_hole_in_a_land_has_a_border_too() -> None:
    ring = neighbours("0404")
    assert border(ring, grid_of(ring), 5).count("M") == 2
    assert border([*ring, "0404"], grid_of(ring), 5).count("M") == 1
    assert border(["0101", "0909"], grid_of(["0101", "0909"]), 5).count("M") == 2


def test_lines_join_what_lies_side_by_side() -> None:
    grid = grid_of(["0303", "0304", "0404"])
    assert straight([("0303", "0304")], grid) == "M180 210L180 280"
    assert winding([("0303", "0304")], grid).startswith("M180 210c") and winding([("0303", "0304")], grid).endswith(
        " 0 70"
    )
    assert way(("0303", "0304", "0909", "0404"), grid) == "M180 210L180 280M240 315"
    assert way(("0303", "0404"), grid).count("M") == 2, "no line where the way between is not known"


# --- nothing but the picture


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_name_is_text_and_nothing_else(kind: str) -> None:
    text = HOSTILE[kind]

    def named(name: str) -> World:
        town = FreeCity(name, Settlement("0504"))
        world = march()
        kingdoms = {
            seat: replace(each, name=name, settlements={name: each.settlements[town]}, capital=name)
            for seat, each in world.kingdoms.items()
            for town in each.settlements
        }
        return World(7, {**world.hexes, "0504": Hex("marsh", free_city=town, secret=name, hazard=name)}, kingdoms)

    for seat in (None, "examplia"):
        hostile, tame = drawn(named(text), seat), drawn(named("Plainly"), seat)
        assert [(each.tag, sorted(each.attrib)) for each in hostile.iter()] == [
            (each.tag, sorted(each.attrib)) for each in tame.iter()
        ]
        assert all(len("".join(each.itertext())) <= 60 for each in hostile.iter(f"{SVG}text"))
        svg = picture(named(text), seat, RULES)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200b-\u200f]", svg)


def test_nothing_outside_is_asked_for_and_no_script_runs() -> None:
    svg = picture(march(), None, RULES)
    assert re.findall('https?://[^"]*', svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|style|image|foreignObject)|javascript:|\son\w+=", svg)


def test_the_maps_of_all_readers_may_stand_in_one_page() -> None:
    pages = [picture(march(), seat, RULES) for seat in (None, "examplia", "borderia")]
    ids = [each for page in pages for each in re.findall(r'\bid="([^"]*)"', page)]
    assert len(ids) == len(set(ids))
    for page in pages:
        own = set(re.findall(r'\bid="([^"]*)"', page))
        assert set(re.findall(r'href="#([^"]*)"', page)) | set(re.findall(r"url\(#([^)]*)\)", page)) <= own


def test_a_small_map_and_one_at_the_edge_of_the_labels() -> None:
    for world in (
        World(0, {"9999": Hex("plains", ("river",))}, {}),
        World(0, {label_of(column, 1): Hex("plains", ("canal",)) for column in range(1, 100)}, {}),
    ):
        tree = drawn(world)
        assert set(world.hexes) <= {"".join(each.itertext()) for each in tree.iter(f"{SVG}text")}


# --- nothing hidden


@few
@given(pairs())
def test_what_is_hidden_is_not_drawn(pair: tuple[World, World]) -> None:
    one, other = pair
    assert picture(one, "examplia", RULES) == picture(other, "examplia", RULES)


def test_a_page_may_pick_hexes_out_by_giving_their_group_a_stroke() -> None:
    ground = ElementTree.fromstring(icons.ground("hills", "h").join(("<g>", "</g>")))
    ring = [each for each in ground if each.tag == "path" and each.get("fill") == "none"]
    assert len(ring) == 1 and "stroke" not in ring[0].attrib and ring[0].get("d") == icons.RING
    assert all("stroke" in each.attrib for each in ground if each not in ring), "nothing else is coloured by it"


# --- the map of the order form


def test_the_map_of_the_form_has_one_path_a_hex_and_says_what_the_picture_says() -> None:
    """All else is drawn for the eye, at the points of a line for each shape: every element more makes the page ready later."""
    whole, form = drawn(march(), "examplia"), ElementTree.fromstring(pressed(march(), "examplia", RULES))
    hexes = [each for each in form.iter(f"{SVG}path") if each.get("data-hex")]
    assert {each.get("data-hex"): each.findtext(f"{SVG}title") for each in hexes} == titles(march(), "examplia")
    assert not any(each.get("data-hex") for each in form.iter(f"{SVG}g"))
    told = [
        {text for each in tree.iter(f"{SVG}text") if len(text := "".join(each.itertext())) > 4}
        for tree in (whole, form)
    ]
    assert told[0] == told[1] and "Oakhold" in told[0]
    drawn_there = " ".join(each.get("style", "") + each.get("href", "") for each in form.iter())
    assert all(f"-{name}" in drawn_there for name in shapes(march(), "examplia") if name not in ("labels", ""))
    assert (
        len([*form.iter()]) - len(hexes) < len([*whole.iter()]) + 2 * 14
    )  # two halves a label are no more than the labels of a small map
    halves = next(each for each in form.iter(f"{SVG}g") if each.get("aria-hidden"))
    assert {"".join(each.itertext()) for each in halves.iter(f"{SVG}text")} >= {"02", "03", "04", "E"}, (
        "no screen reader says them"
    )
    assert form.get("style") == f"min-width:{-(-44 * int(form.get('viewBox', '').split()[2]) // 70)}px"


def test_a_hex_that_the_form_picks_out_gets_a_ring_that_its_style_sheet_knows() -> None:
    form = ElementTree.fromstring(pressed(march(), "examplia", RULES))
    rings = {each.get("id", "") for each in form.iter(f"{SVG}marker") if each.get("id", "").startswith("ring-")}
    style = (places.templates() / "form" / "map.css").read_text(encoding="utf-8")
    assert rings and all(f"url(#{ring})" in style and f"#{ring} {{" in style for ring in rings)


def test_on_a_large_map_of_the_form_a_browser_lays_out_less_than_half_as_much() -> None:
    """Elements, and those that a `<use>` draws again: two at least."""
    place = place_of("greenmarch", 12, "examplia")
    whole, form = (svg(place.state, place.seat, place.rules) for svg in (picture, pressed))
    laid_out = [len(re.findall("<(?:g|path|text|circle) ", svg)) + 3 * svg.count("<use ") for svg in (whole, form)]
    assert 2 * laid_out[1] < laid_out[0], laid_out
