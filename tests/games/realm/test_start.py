"""The start of a campaign: what the files say is what turn 0 holds, and each mistake is told with its place and its cure."""

from __future__ import annotations

import msgspec
import pytest

from kingdom.engine.problems import Faults
from kingdom.games.realm.opening.start import start, warnings
from kingdom.games.realm.report.printed_sheet import sheet
from kingdom.games.realm.state import Building, District, World
from tests.games.realm.kit import rules_of
from tests.games.realm.startkit import EXAMPLIA, MAP, setup_of

RULES = rules_of()


def begun(map: str = MAP, **kingdoms: str) -> World:
    return start(setup_of(map, **kingdoms), RULES)


def problems(map: str = MAP, **kingdoms: str) -> list[str]:
    """What is said of these files, a line each."""
    with pytest.raises(Faults) as caught:
        begun(map, **kingdoms)
    return [str(problem) for problem in caught.value.problems]


def changed(old: str, new: str, text: str = EXAMPLIA) -> str:
    assert old in text
    return text.replace(old, new)


# --- what a start makes of the files


def test_the_files_of_the_contract() -> None:
    world = begun()
    page = sheet(world, "examplia", RULES)
    assert world.turn == 0
    assert page["treasury"] == 50 and page["capital"] == "Oakhold" and page["alignment"] == "LG"
    assert page["hexes"] == {"0303": ["road"], "0304": ["farm", "road"]}
    assert page["settlements"]["Oakhold"]["buildings"] == [
        {"id": "house", "lot": "A1"}, {"id": "house", "lot": "B1"}, {"id": "inn", "lot": "C1"},
    ]  # fmt: skip
    assert world.hexes["0304"].monsters == 3 and world.hexes["0304"].secret == "owlbear lair"


def test_a_kingdom_has_seen_its_own_hexes() -> None:
    assert begun().kingdoms["examplia"].revealed == ("0303", "0304")
    assert (
        sheet(begun(), "examplia", RULES)["economy"] == 4 + 2 + 3 + 1 + 1
    )  # own, alignment, leadership, inn, the resource in 0304


def test_the_grid_and_the_hexes_together() -> None:
    """Where both name a hex, `hexes` has the say; what it leaves out of the terrain the grid gives."""
    world = begun(
        'grid: |\n  pph\n  f.~\nhexes:\n  "0201": {terrain: marsh}\n  "0102": {features: [river]}\n',
        examplia=KINGDOM_AT("0101"),
    )
    assert {label: hex.terrain for label, hex in world.hexes.items()} == {
        "0101": "plains", "0102": "forest", "0201": "marsh", "0301": "hills", "0302": "coastline",
    }  # fmt: skip
    assert world.hexes["0102"].features == ("river",)


def KINGDOM_AT(label: str, name: str = "Examplia") -> str:
    return f"name: {name}\nhexes: {{{label}: []}}\n"


def test_a_free_city_is_laid_out_like_any_settlement() -> None:
    city = begun().hexes["0305"].free_city
    assert city and city.name == "Oldwick"
    assert city.settlement.buildings == (Building("house", "A1"), Building("inn", "B1"))


def test_districts_and_their_borders_of_water() -> None:
    text = changed("districts: 1,", "districts: 2, water: [north, 2-East],")
    assert begun(examplia=text).kingdoms["examplia"].settlements["Oakhold"].districts == (
        District(("north",)),
        District(("east",)),
    )


def test_the_defaults_of_the_edicts_stand_where_none_is_named() -> None:
    kingdom = begun(examplia=KINGDOM_AT("0303")).kingdoms["examplia"]
    assert (kingdom.holiday, kingdom.promotion, kingdom.taxation) == ("very_long", "none", "minimalist")
    assert kingdom.treasury == 0 and kingdom.leadership == ()


def test_kingdoms_stand_in_the_order_of_their_ids() -> None:
    assert list(begun(cravonia=KINGDOM_AT("0303"), borderia=KINGDOM_AT("0101")).kingdoms) == ["borderia", "cravonia"]


def test_what_has_no_legal_place_stands_anyway_with_a_warning() -> None:
    """Ruling: lots. An inn needs a house beside it."""
    setup = setup_of(examplia=changed("buildings: [house, house, inn]", "buildings: [inn]"))
    assert start(setup, RULES).kingdoms["examplia"].settlements["Oakhold"].buildings == (Building("inn", "A1"),)
    assert [str(warning) for warning in warnings(setup, RULES)] == [
        "kingdoms/examplia.yaml:12:51: Oakhold: Inn can't stand anywhere in this settlement: beside it must be 1 of these: House "
        "(table buildings). Build that first, or name a lot beside it. It stands there all the same, since it was there at the start."
    ]


def test_walls_that_stand_at_the_start_have_had_their_effect_on_unrest() -> None:
    text = changed("buildings: [house, house, inn]", "buildings: [city_wall, house]")
    assert begun(examplia=text).kingdoms["examplia"].settlements["Oakhold"].once == ("city_wall",)


def test_a_kingdom_that_starts_at_the_limit_of_unrest_starts_with_its_anarchy_turn() -> None:
    limit = RULES.anarchy.unrest
    assert begun(examplia=changed("unrest: 0", f"unrest: {limit}")).kingdoms["examplia"].anarchy == 1
    assert begun(examplia=changed("unrest: 0", f"unrest: {limit - 1}")).kingdoms["examplia"].anarchy == 0


def test_names_in_any_script_and_of_sixty_letters() -> None:
    long = "Ll" * 30
    text = changed("Oakhold", "北京城").replace("name: Examplia", f"name: {long}")
    kingdom = begun(examplia=text).kingdoms["examplia"]
    assert kingdom.name == long and kingdom.capital == "北京城" and list(kingdom.settlements) == ["北京城"]


def test_a_start_survives_its_json() -> None:
    world = begun()
    assert msgspec.json.decode(msgspec.json.encode(world), type=World) == world


def test_two_kingdoms_may_have_settlements_of_one_name() -> None:
    other = changed('"0303": [road], "0304": [farm, road]', '"0101": []').replace('hex: "0303"', 'hex: "0101"')
    assert begun(examplia=EXAMPLIA, borderia=other).kingdoms["borderia"].capital == "Oakhold"


# --- what is wrong with map.yaml

GRID_MISTAKES = {
    "a letter that is no terrain": (
        "grid: |\n  pph\n  pxh\n",
        "map.yaml:3:4: `x` is no letter of a terrain (hex 0202). The letters are p plains, h hills, f forest, m mountains, "
        "s marsh, d desert, j jungle, w water, c cavern, ~ coastline, and a dot for no hex.",
    ),
    "an empty row": (
        "grid: |\n  pph\n\n  pph\n",
        "map.yaml:3:3: Row 2 of the grid is empty. Write a dot for each place without a hex, or take the line out.",
    ),
    "too many columns": (
        "grid: |\n  " + "p" * 100 + "\n",
        "map.yaml:2:102: The grid has 100 columns; a map has at most 99.",
    ),
    "too many rows": ("grid: |\n" + "  p\n" * 100, "map.yaml:101:3: The grid has 100 rows; a map has at most 99."),
    "no text": (
        "grid: [pph, pph]\n",
        "map.yaml:1:7: The grid must be a text, one letter a hex, a row a line. Write `grid: |` and the rows below it, indented.",
    ),
    "no terrain anywhere": (
        'grid: |\n  p\nhexes:\n  "0205": {features: [river]}\n',
        "map.yaml:4:11: 0205 has no terrain, and the grid has no letter for it. Write `terrain: plains`, or whatever it is.",
    ),
    "no hex": ("hexes: {}\n", "map.yaml:1:1: The map has no hex. Write `hexes`, `grid` or both."),
    "a free city on water": (
        'grid: |\n  p\nhexes:\n  "0202": {terrain: water, free_city: {name: Oldwick}}\n',
        "map.yaml:4:39: The free city Oldwick stands on water (0202). Put it into a hex of land.",
    ),
    "two free cities of one name": (
        "grid: |\n  p\nhexes:\n  0201: {terrain: hills, free_city: {name: Oldwick}}\n  0301: {terrain: hills, free_city: {name: OLDWICK}}\n",
        "map.yaml:5:44: There are two settlements called OLDWICK; the other is map.yaml:4:44. Name one of them otherwise.",
    ),
    "an unknown terrain": (
        "hexes:\n  0101: {terrain: plain}\n",
        "map.yaml:2:19: `plain` is unknown here (its terrain). Did you mean `plains`?",
    ),
    "an unknown feature": (
        "hexes:\n  0101: {terrain: plains, features: [rivver]}\n",
        "map.yaml:2:38: `rivver` is unknown here (a feature). Did you mean `river`?",
    ),
    "a hidden thing among the features": (
        "hexes:\n  0101: {terrain: plains, features: [river, resource]}\n",
        "map.yaml:2:45: `resource` is hidden until the rules reveal it, so it is no feature that is seen. Write `resource: true` instead.",
    ),
    "an unknown building": (
        "hexes:\n  0101: {terrain: plains, ruin: tempel}\n",
        "map.yaml:2:33: `tempel` is unknown here (a building that lies in ruins there; hidden). Did you mean `temple`?",
    ),
    "a malformed label": (
        'hexes:\n  "303": {terrain: plains}\n',
        "map.yaml:2:3: `303` is not a label (a hex). Did you mean `0303`?",
    ),
    "a label out of range": (
        'hexes:\n  "0300": {terrain: plains}\n',
        "map.yaml:2:3: `0300` is not a label (a hex). A label has four digits, column and row from 01, such as `0404`.",
    ),
    "a label twice": (
        'hexes:\n  "0303": {terrain: plains}\n  0303: {terrain: hills}\n',
        "map.yaml:3:3: `0303` stands here a second time; it stood in line 2. Keep one.",
    ),
    "monsters without strength": (
        "hexes:\n  0101: {terrain: plains, monsters: {acr: 0}}\n",
        "map.yaml:2:43: 0 is out of range (its army challenge rating): 1 to 99 are allowed.",
    ),
}


@pytest.mark.parametrize("name", GRID_MISTAKES)
def test_a_mistake_in_the_map(name: str) -> None:
    text, sentence = GRID_MISTAKES[name]
    assert sentence in problems(text, examplia=KINGDOM_AT("0101"))


# --- what is wrong with kingdoms/ID.yaml

HEXES = 'hexes: {"0303": [road], "0304": [farm, road]}'
KINGDOM_MISTAKES = {
    "a hex that is not on the map": (
        (HEXES, 'hexes: {"0303": [road], "0909": []}'),
        "10:33: 0909 is not on the map. Name a hex of map.yaml, or put this one there.",
    ),
    "an improvement twice": (
        (HEXES, 'hexes: {"0303": [road, road]}'),
        "10:24: `road` stands twice in 0303. Name it once.",
    ),
    "two that can't share": (
        (HEXES, 'hexes: {"0303": [], "0304": [road, farm, mine]}'),
        "10:42: `farm` and `mine` can't share 0304 (ruling improvements_sharing). Keep one; "
        "what shares a hex with anything is road, highway, canal, bridge.",
    ),
    "road and highway": (
        (HEXES, 'hexes: {"0303": [road, highway]}'),
        "10:24: `road` in 0303 is what `highway` was made of. Keep `highway` alone.",
    ),
    "fort and watchtower": (
        (HEXES, 'hexes: {"0303": [], "0304": [fort, watchtower]}'),
        "10:36: `watchtower` in 0304 is what `fort` was made of. Keep `fort` alone.",
    ),
    "a farm under a settlement": (
        (HEXES, 'hexes: {"0303": [road, farm]}'),
        "10:24: `farm` can't share 0303 with the settlement Oakhold (ruling improvements_sharing). Take it out; "
        "what shares a hex with anything is road, highway, canal, bridge.",
    ),
    "a farm on prepared ground": (
        (HEXES, 'hexes: {"0303": [], "0304": [farm, prepared]}'),
        "10:36: 0304 is prepared for a settlement, so `farm` can't stand there (ruling prepare). Keep one.",
    ),
    "an unknown improvement": (
        (HEXES, 'hexes: {"0303": [raod]}'),
        "10:18: `raod` is unknown here (an improvement). Did you mean `road`?",
    ),
    "a settlement in a hex of nobody": (
        ('hex: "0303"', 'hex: "0302"'),
        "12:18: Oakhold stands in 0302, which this kingdom does not hold. Put 0302 under `hexes`, or move Oakhold.",
    ),
    "a settlement beyond the map": (
        ('hex: "0303"', 'hex: "0909"'),
        "12:18: 0909 is not on the map. Name a hex of map.yaml, or put this one there.",
    ),
    "two settlements in a hex": (
        ("armies: []", '  Newford: {hex: "0303"}'),
        "13:18: Newford and Oakhold stand in one hex, 0303. A hex holds one settlement: move one of them.",
    ),
    "two settlements of one name": (
        ("armies: []", '  oakhold: {hex: "0304"}'),
        "13:12: There are two settlements called oakhold; the other is kingdoms/examplia.yaml:12:12. Name one of them otherwise.",
    ),
    "a settlement called like a free city": (
        ("armies: []", '  Oldwick: {hex: "0304"}'),
        "13:12: There are two settlements called Oldwick; the other is map.yaml:4:60. Name one of them otherwise.",
    ),
    "a capital that is no settlement": (
        ("capital: Oakhold", "capital: Oakhod"),
        "7:10: The capital Oakhod is none of the settlements. Did you mean `Oakhold`?",
    ),
    "no capital": (
        ("capital: Oakhold\n", ""),
        "11:3: Settlements stand here and none is the capital. Write `capital: Oakhold`.",
    ),
    "a border of a district that is not there": (
        ("districts: 1,", "water: [2-north],"),
        "12:34: Oakhold has no district 2: it has 1. Name a border of a district that it has.",
    ),
    "more buildings than lots": (
        ("[house, house, inn]", "[" + ", ".join(["castle"] * 10) + "]"),
        "12:51: Oakhold: Castle finds no room: it takes 4 of 36 lots, of which 0 are free. Give the settlement another district.",
    ),
    "an unknown building": (
        ("house, inn]", "hause, inn]"),
        "12:59: `hause` is unknown here (a building). Did you mean `house`?",
    ),
    "an unknown level": (
        ("holiday: very_long", "holiday: very_lnog"),
        "9:19: `very_lnog` is unknown here (a level of holiday). Did you mean `very_long`?",
    ),
    "an unknown alignment": (
        ("alignment: LG", "alignment: XX"),
        "2:12: `XX` is unknown here (its alignment). Known are: lg, ng, cg, ln, n, cn, le, ne, ce.",
    ),
    "an unknown government": (
        ("government: autocracy", "government: autocrazy"),
        "3:13: `autocrazy` is unknown here (its form of government). Did you mean `autocracy`?",
    ),
    "an unknown key": (("treasury: 50", "tresury: 50"), "5:1: `tresury` is not a key here. Did you mean `treasury`?"),
    "a treasury that is no number": (
        ("treasury: 50", "treasury: fifty"),
        "5:11: `fifty` is not a whole number (its treasury in BP). Write digits alone, such as `50`.",
    ),
    "no name": (("name: Examplia\n", ""), "1:1: `name` is missing (its name). Write it like `name: Examplia`."),
    "armies": (
        ("armies: []", "armies: [First Foot]"),
        "13:10: This must be `key: value` (an army to start with), such as `{name: First Foot, unit: warrior, size: medium}`.",
    ),
    "a name that is too long": (
        ("name: Examplia", "name: " + "x" * 61),
        "1:7: This has 61 characters (its name); at most 60 are allowed.",
    ),
}


@pytest.mark.parametrize("name", KINGDOM_MISTAKES)
def test_a_mistake_in_a_kingdom(name: str) -> None:
    (old, new), sentence = KINGDOM_MISTAKES[name]
    told = problems(examplia=changed(old, new))
    where, what = sentence.split(": ", 1)
    assert what in [line.split(": ", 1)[1] for line in told]
    assert f"kingdoms/examplia.yaml:{sentence}" in told, told


def test_a_settlement_on_water() -> None:
    map = changed("terrain: plains, features: [river]", "terrain: water", MAP)
    assert problems(map) == ["kingdoms/examplia.yaml:12:18: Oakhold stands on water (0303). Put it into a hex of land."]


def test_a_settlement_where_a_free_city_is() -> None:
    text = changed(HEXES, 'hexes: {"0305": []}').replace('hex: "0303"', 'hex: "0305"')
    assert problems(examplia=text) == [
        "kingdoms/examplia.yaml:12:18: Oakhold stands in 0305, where the free city Oldwick is (map.yaml). "
        "A hex holds one settlement: move one."
    ]


def test_a_hex_that_two_kingdoms_hold() -> None:
    assert problems(borderia=KINGDOM_AT('"0303"', "Borderia"), examplia=EXAMPLIA) == [
        "kingdoms/examplia.yaml:10:17: 0303 is held by borderia as well (kingdoms/borderia.yaml:2:17). "
        "A hex has one holder: take it out of one of the two."
    ]


def test_a_capital_where_there_is_no_settlement() -> None:
    assert problems(examplia=KINGDOM_AT("0303") + "capital: Oakhold\n") == [
        "kingdoms/examplia.yaml:3:10: The capital Oakhold is none of the settlements. There is none: take it out."
    ]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_files() -> None:
    bad = changed("capital: Oakhold", "capital: Nowhere").replace('"0304": [farm', '"0909": [farm')
    assert [line.split(": ")[0] for line in problems("grid: |\n  pxp\n  y\n", examplia=bad, borderia=KINGDOM_AT("0808"))] == [
        "kingdoms/borderia.yaml:2:15", "kingdoms/examplia.yaml:7:10", "kingdoms/examplia.yaml:10:17", "kingdoms/examplia.yaml:10:33",
        "map.yaml:2:4", "map.yaml:3:3",
    ]  # fmt: skip


def test_a_table_of_the_campaigns_own_has_its_words_and_its_letter() -> None:
    own = rules_of({"add": {"terrain": {"tundra": {
        "name": "Tundra", "letter": "t", "preparation_cost": 6, "farm_cost": None, "road_cost": 3, "movement": 2,
    }}}})  # fmt: skip
    world = start(setup_of("grid: |\n  pt\n", own, examplia=KINGDOM_AT("0101")), own)
    assert world.hexes["0201"].terrain == "tundra"
