"""What a kingdom sees from afar, what of it is told in reports and on the map, and what it knows of those it sees."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.armies import full_hp
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.report.afield import sights
from kingdom.games.realm.report.parts import NO_PART
from kingdom.games.realm.state import (
    Army,
    Expedition,
    Hex,
    Kingdom,
    Modifier,
    Party,
    Route,
    Settlement,
    World,
    replace,
    with_kingdoms,
)
from kingdom.games.realm.visibility.known import Other, known, others, sightings
from kingdom.games.realm.visibility.sight import levels, lookouts, sees
from tests.games.realm.kit import MiddleDice, rules_of
from tests.games.realm.test_known import MAP, two_neighbours

RULES = rules_of()
HOST = Army(
    "dwarf", "large", "0402", hp=2, morale=-3, resources={"improved_weapons": 1}, deed="raid", target="examplia"
)


def keen(kingdom: Kingdom, vigilance: int) -> Kingdom:
    """The kingdom with that much Vigilance and a settlement in its first hex."""
    eyes = Modifier("vigilance", vigilance, "gm", "keen eyes", lasting=True)
    return replace(
        kingdom, modifiers=(eyes,), capital="Oakhold", settlements={"Oakhold": Settlement(next(iter(kingdom.hexes)))}
    )


def watchful(vigilance: int = 4, **changes: Any) -> World:
    """The worlds of test_known.py, with a keen Examplia; borderia holds 0504 and 0604, cravonia 0107. changes: of cravonia."""
    world = two_neighbours()
    cravonia = replace(world.kingdoms["cravonia"], **changes)
    return with_kingdoms(world, {"cravonia": cravonia, "examplia": keen(world.kingdoms["examplia"], vigilance)})


def told(before: World, after: World, number: int = 6) -> dict[str, list[str]]:
    """Heading -> lines of what Examplia's report says of sights."""
    result = Result(number, before, after, {}, [], [], [])
    return {
        row["name"]: row["lines"] for row in sights(result, "examplia", NO_PART, known(after, "examplia", RULES), RULES)
    }


# --- how far


@given(
    st.lists(st.sampled_from("phmsw"), min_size=49, max_size=49),
    st.integers(0, 9),
    st.sets(st.sampled_from(sorted(MAP)), max_size=3),
)
def test_what_is_left_is_what_every_way_from_every_lookout_leaves_at_most(
    letters: list[str], vigilance: int, towers: set[str]
) -> None:
    """By hand: passed on from hex to hex until nothing gets better."""
    terrain = {row.letter: name for name, row in RULES.terrain.items()}
    land = {label: Hex(terrain[letter]) for label, letter in zip(MAP, letters, strict=False)}
    held = {"0404": (), **dict.fromkeys(towers, ("watchtower",))}
    world = World(5, land, {"examplia": keen(Kingdom("Examplia", hexes=held), vigilance)})
    best = dict.fromkeys({"0404", *towers}, vigilance)
    while True:
        ways = [
            (near, left - RULES.terrain[land[near].terrain].movement)
            for label, left in best.items()
            for near in neighbours(label)
            if near in land
        ]
        better = {near: left for near, left in sorted(ways, key=lambda way: way[1]) if left > best.get(near, 0)}
        if not better:
            break
        best |= better
    assert levels(world, "examplia", RULES) == {
        label: left for label, left in best.items() if left >= RULES.vision.seen_from
    }


def test_a_kingdom_looks_out_from_settlements_forts_and_watchtowers() -> None:
    kingdom = Kingdom("Examplia", hexes={"0101": ("fort", "road"), "0202": ("watchtower",), "0303": ("farm",), "0404": ()},
                      settlements={"Oakhold": Settlement("0404")}, routes={"trade_route-1": Route("borderia", ("0404", "0505"), towers=("0505",))})  # fmt: skip
    assert lookouts(kingdom, RULES) == {"0101", "0202", "0404", "0505"}


def test_without_the_ruling_a_kingdom_sees_what_lies_beside_it_and_what_was_revealed() -> None:
    """As in the games that were begun before there was sight."""
    off = msgspec.structs.replace(RULES, vision=None)
    world = watchful(armies={"Host": replace(HOST, hex="0404")})
    examplia = replace(world.kingdoms["examplia"], revealed=("0404", "0101"))
    world = with_kingdoms(world, {"examplia": examplia})
    assert levels(world, "examplia", off) == {}
    assert sees(world, "examplia", off) == {"0404", "0101", *neighbours("0404")}
    assert known(world, "examplia", off).kingdoms["cravonia"] == Kingdom("cravonia")
    assert resolve(GAME, world, {}, MiddleDice(6, {}), off).after.kingdoms["examplia"].memory == {}


# --- who


def test_of_a_foreign_army_unit_size_hex_and_whose_it_is_are_seen() -> None:
    """Neither its name nor its hit points, morale, resources or orders; it counts as whole."""
    seen = known(watchful(armies={"Guard of the Crown": HOST}), "examplia", RULES).kingdoms["cravonia"]
    assert seen.armies == {}, "2 are left of the Vigilance, and its ACR is 3"
    far = watchful(5, armies={"Guard of the Crown": HOST}, hexes={"0701": ()})
    seen = known(far, "examplia", RULES).kingdoms["cravonia"]
    assert seen.armies == {"0402-1": Army("dwarf", "large", "0402", hp=full_hp(HOST, RULES))}
    assert seen.name == "Cravonia" and seen.hexes == {}, "its banner tells its name, not where it lies"


def test_of_a_kingdom_seen_from_afar_name_and_hexes_are_known_and_not_its_size() -> None:
    world = with_kingdoms(watchful(), {"cravonia": Kingdom("Cravonia", hexes={"0401": ("farm", "road"), "0107": ()})})
    assert others(world, "examplia", RULES)["cravonia"] == Other("cravonia", "Cravonia", None, False, ("0401",))
    assert known(world, "examplia", RULES).kingdoms["cravonia"] == Kingdom("Cravonia", hexes={"0401": ("road",)}), (
        "its roads are seen"
    )


def test_of_a_kingdom_tied_by_an_open_route_the_size_is_known() -> None:
    route = Route("examplia", ("0107", "0206", "0305", "0404"), at=3, open=True, bp=6, sharers=("borderia",))
    world = watchful(routes={"trade_route-4": route, "trade_route-5": replace(route, to="borderia")})
    assert others(world, "examplia", RULES)["cravonia"] == Other("cravonia", "Cravonia", 1, False, (), tied=True)
    seen = known(world, "examplia", RULES).kingdoms["cravonia"].routes
    assert seen["trade_route-4"] == replace(route, bp=0, sharers=())
    assert seen["passing-2"] == Route("borderia", ("0206", "0305", "0404"), at=2, open=True), (
        "of another's route the part in sight"
    )


def test_an_expedition_tells_nothing_before_it_is_back() -> None:
    party = Party(bp=4, hex="0101", task="", hp=3)
    note = sightings(["0101"], watchful(), "examplia", 5, RULES)
    away = Expedition(
        "0404",
        since=4,
        at="0101",
        left=2,
        bp=8,
        ahead=("0102",),
        army="Scouts",
        party=party,
        noted=note,
        found=("0101",),
        met={"0101": "A fight."},
    )
    scouts = Army("warrior", "medium", "0101", hp=1)
    world = watchful()
    examplia = replace(world.kingdoms["examplia"], expeditions={"explore-1": away}, armies={"Scouts": scouts})
    seen = known(with_kingdoms(world, {"examplia": examplia}), "examplia", RULES)
    assert seen.kingdoms["examplia"].expeditions == {
        "explore-1": Expedition(
            "0404", since=4, at="0404", left=2, bp=8, army="Scouts", party=Party(bp=4, hex="0404", task="", hp=11)
        )
    }
    assert seen.kingdoms["examplia"].armies == {"Scouts": replace(scouts, hex="0404")}
    assert "0101" not in seen.hexes


# --- what is told


def test_a_report_tells_armies_monsters_new_land_and_what_is_remembered() -> None:
    before = watchful(2)
    after = with_kingdoms(before, {"examplia": keen(before.kingdoms["examplia"], 3), "cravonia": Kingdom("Cravonia", hexes={"0102": ("road",)},
                          armies={"Guard": replace(HOST, size="medium", hex="0402"), "Rear": replace(HOST, size="huge", hex="0401")})})  # fmt: skip
    land = {**after.hexes, "0403": Hex("plains", monsters=2), "0402": Hex("hills", ("river",)), "0301": Hex("marsh")}
    remembered = sightings(["0102", "0101"], after, "examplia", 3, RULES)
    examplia = replace(after.kingdoms["examplia"], memory=remembered)
    after = replace(with_kingdoms(after, {"examplia": examplia}), hexes=land)
    assert told(before, after) == {
        "Foreign armies in sight": ["0402: medium, Dwarven defenders, ACR 1, of Cravonia"],
        "Monsters in sight": ["0403: ACR 2"],
        "Land that is new to you": [
            "Plains: 0101, 0102, 0203, 0204, 0205, 0303, 0306, 0406, 0503, 0506, 0603, 0604 (Borderia), 0605",
            "Hills: 0402 (river)",
        ],
        "Not in sight now, as it last was": ["Turn 3: plains 0101", "Turn 3, of Cravonia: plains 0102"],
    }


def test_a_report_tells_the_routes_of_others_that_pass_in_sight() -> None:
    world = watchful(routes={"trade_route-1": Route("borderia", ("0107", "0206", "0305", "0403"), at=3, open=True)})
    assert told(world, world) == {
        "Trade routes of others in sight": ["of cravonia to Borderia, through 0206, 0305, 0403"]
    }


def test_the_first_report_tells_all_that_is_seen_beyond_the_own_land() -> None:
    world = watchful(1)
    assert told(world, world, number=0) == {
        "Land that is new to you": ["Plains: 0304, 0305, 0403, 0405, 0504 (Borderia), 0505"]
    }
    assert told(world, world) == {}


def test_a_route_of_others_is_told_as_far_as_it_is_seen() -> None:
    """Whoever would raid it must know that it is there."""
    route = Route("borderia", ("0107", "0206", "0305", "0404", "0504"), at=4, open=True)
    world = watchful(
        2,
        routes={
            "trade_route-4": route,
            "trade_route-5": replace(route, to="examplia"),
            "trade_route-6": replace(route, open=False),
        },
    )
    assert told(world, world) == {
        "Trade routes of others in sight": ["of Cravonia to Borderia, through 0305, 0404, 0504"]
    }
    shared = {"trade_route-4": replace(route, sharers=("examplia",))}
    assert (
        told(world, with_kingdoms(world, {"cravonia": Kingdom("Cravonia", hexes={"0107": ()}, routes=shared)})) == {}
    ), "its own share it knows"


def test_the_map_marks_armies_and_land_out_of_sight() -> None:
    world = watchful(
        2,
        hexes={"0102": ("road",), "0107": ()},
        armies={"Guard": replace(HOST, size="medium", unit="warrior", hex="0403")},
    )
    own = {"First Foot": Army("warrior", "medium", "0404", hp=1)}
    examplia = replace(world.kingdoms["examplia"], armies=own, memory=sightings(["0102"], world, "examplia", 3, RULES))
    drawn = GAME.draw(with_kingdoms(world, {"examplia": examplia}), "examplia", RULES)
    assert "/.p    \\" in drawn and "/ p >  \\" in drawn and "/ p <  \\" in drawn
    assert "Seen      . not in sight, as it last was\n" in drawn and "Armies    > own, < foreign\n" in drawn
    assert "C Cravonia\n" in drawn.replace(", ", "\n") and "B Borderia (size 2)" in drawn, (
        "of those who are far away no size"
    )
    assert (
        "0403  army (medium, Warriors), of Cravonia" in drawn
        and "0404  Oakhold, capital of Examplia; First Foot (medium, Warriors)" in drawn
    )
    everything = GAME.draw(with_kingdoms(world, {"examplia": examplia}), None, RULES)
    assert "0403  Guard (medium, Warriors), of Cravonia" in everything and "Armies    > army\n" in everything


# --- what is kept


def test_only_what_is_out_of_sight_is_kept() -> None:
    """A turn in which nothing comes into sight or goes out of it writes nothing."""
    world = watchful()
    after = resolve(GAME, world, {}, MiddleDice(6, {}), RULES).after
    assert all(not kingdom.memory for kingdom in after.kingdoms.values())
    assert "memory" not in msgspec.json.encode(after).decode()


def test_known_world_is_known_twice() -> None:
    """Sight, roads, routes and armies as well: whoever knows only what the seat knows finds no more in it."""
    route = Route("examplia", ("0107", "0206", "0305", "0404"), at=3, open=True, watched=1)
    world = watchful(
        hexes={"0107": (), "0401": ("road",)},
        armies={"Guard": replace(HOST, hex="0403")},
        routes={"trade_route-1": route},
    )
    examplia = replace(
        world.kingdoms["examplia"],
        memory=sightings(["0101"], world, "examplia", 3, RULES),
        armies={"First Foot": replace(HOST, hex="0405")},
    )
    world = with_kingdoms(world, {"examplia": examplia})
    once = known(world, "examplia", RULES)
    assert known(once, "examplia", RULES) == once and levels(once, "examplia", RULES) == levels(
        world, "examplia", RULES
    )
