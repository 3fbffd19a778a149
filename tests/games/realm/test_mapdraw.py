"""The map as text: what a GM sees, and what a seat sees."""

from __future__ import annotations

import pytest
from hypothesis import given

from kingdom.games.realm.hexmap import label_of
from kingdom.games.realm.report.maps.text_map import draw
from kingdom.games.realm.state import FreeCity, Hex, Kingdom, Route, Settlement, World, replace
from kingdom.render.plain_text import width
from tests.games.realm.kit import rules_of
from tests.games.realm.test_known import pairs, worlds
from tests.kit.examples import few
from tests.render.test_reports import HOSTILE

RULES = rules_of()


def march() -> World:
    """A corner of the Greenmarch: two kingdoms, a free city, a farm gone wild, and what the GM alone knows."""
    rows = ("pphhmm", "ppffm~", "pphfpp", ".pffps")
    letters = {terrain.letter: name for name, terrain in RULES.terrain.items()}
    land = {
        label_of(column, row): Hex(letters[letter])
        for row, text in enumerate(rows, 1)
        for column, letter in enumerate(text, 1)
        if letter in letters
    }
    land["0303"] = Hex("plains", ("river",))
    land["0304"] = Hex("hills", ("river", "landmark"), resource=True, secret="an owlbear lair", monsters=3)
    land["0504"] = Hex("marsh", ruin="temple", free_city=FreeCity("Oldwick", Settlement("0504")))
    land["0103"] = Hex("plains", left=("farm", "road"))
    examplia = Kingdom(
        "Examplia", capital="Oakhold", settlements={"Oakhold": Settlement("0303")},
        hexes={"0303": ("road",), "0304": ("farm", "road"), "0203": ("watchtower", "prepared", "canal")}, revealed=("0303", "0304", "0203"),
    )  # fmt: skip
    borderia = Kingdom(
        "Borderia", capital="", settlements={"Millford": Settlement("0503")}, hexes={"0503": (), "0502": ("mine",)}
    )
    return World(7, dict(sorted(land.items())), {"borderia": borderia, "examplia": examplia})


FOR_THE_GM = r"""
The map after turn 7, with everything

  ____        ____        ____
 /0101\      /0301\      /0501\
/ p    \____/ h    \____/ m    \____
\      /0201\      /0401\      /0601\
 \____/ p    \____/ h    \____/ m    \
 /0102\      /0302\      /0502\      /
/ p    \____/ f    \____/ m    \____/
\      /0202\      /0402\ B Mi /0602\
 \____/ p    \____/ f    \____/ ~    \
 /0103\      /0303\      /0503\      /
/ p    \____/ p r  \____/ p    \____/
\   fa=/0203\ E*  =/0403\ Bo   /0603\
 \____/ p a  \____/ f    \____/ p    \
      \ E W+ /0304\      /0504\      /
       \____/ hrn$+\____/ s ^  \____/
       /0204\ E Fa=/0404\  @   /0604\
      / p    \____/ f    \____/ s    \
      \      /    \      /    \      /
       \____/      \____/      \____/

Terrain   p plains, h hills, f forest, m mountains, s marsh, ~ coastline
Features  r river, a canal, n landmark
Hidden    $ resource, ^ ruin, ? secret, M monsters
Kingdoms  B Borderia (size 2), E Examplia (size 3)
Towns     * capital, o settlement, @ free city
Built     Fa farm, Mi mine, Wa watchtower, Pr prepared site, = road,
          small letters: left in the wild, + more, told below

0203  watchtower; prepared site; canal
0303  Oakhold, capital of Examplia
0304  resource; an owlbear lair; monsters of ACR 3; river; landmark
0503  Millford, of Borderia
0504  Oldwick, a free city; ruin (Temple)
"""
FOR_EXAMPLIA = r"""
The map after turn 7, as Examplia knows it

              ____
             /0302\
        ____/ f    \____
       /0202\      /0402\
  ____/ p    \____/ f    \
 /0103\      /0303\      /
/ p    \____/ p r  \____/
\   fa=/0203\ E*  =/0403\
 \____/ p a  \____/ f    \
      \ E W+ /0304\      /
       \____/ hrn$+\____/
       /0204\ E Fa=/0404\
      / p    \____/ f    \
      \      /    \      /
       \____/      \____/

Terrain   p plains, h hills, f forest
Features  r river, a canal, n landmark
Hidden    $ resource, ? secret, M monsters
Kingdoms  E Examplia (size 3)
Towns     * capital
Built     Fa farm, Wa watchtower, Pr prepared site, = road,
          small letters: left in the wild, + more, told below

0203  watchtower; prepared site; canal
0303  Oakhold, capital of Examplia
0304  resource; an owlbear lair; monsters of ACR 3; river; landmark
"""


def test_the_gm_sees_everything() -> None:
    assert draw(march(), None, RULES) == FOR_THE_GM.lstrip("\n")


def test_a_seat_sees_what_it_knows() -> None:
    assert draw(march(), "examplia", RULES) == FOR_EXAMPLIA.lstrip("\n")


def test_of_a_neighbour_border_and_size_are_drawn_and_nothing_that_stands_there() -> None:
    """Borderia takes 0403 as well, which touches Examplia, and builds a mine in it."""
    world = march()
    world.kingdoms["borderia"].hexes["0403"] = ("mine",)
    map = draw(world, "examplia", RULES)
    assert "B Borderia (size 3)" in map and "\\ B    /" in map
    assert "Mi" not in map and "Millford" not in map


def test_the_map_before_the_first_turn_and_without_a_kingdom() -> None:
    assert draw(World(0, {"0101": Hex("plains")}, {}), None, RULES) == (
        "The map after turn 0, with everything\n\n  ____\n /0101\\\n/ p    \\\n\\      /\n \\____/\n\nTerrain   p plains\n"
    )


def test_trade_routes_that_the_reader_knows_are_marked_and_told() -> None:
    world = march()
    route = Route("borderia", ("0303", "0403", "0503"), at=2, open=True, asked="trade_route-1")
    under_way = Route("borderia", ("0303", "0404"), at=1)
    examplia = replace(world.kingdoms["examplia"], routes={"trade_route-1": route, "trade_route-2": under_way})
    world = replace(world, kingdoms={**world.kingdoms, "examplia": examplia})
    assert "/ p r- \\" in draw(world, "examplia", RULES)
    for seat in (None, "examplia", "borderia"):
        map = draw(world, seat, RULES)
        assert "Trade     - trade route, told below" in map and "/ f -  \\" in map, seat
        assert "\nTrade route of Examplia to Borderia: 0303 0403 0503\n" in map
        assert ("Caravan of Examplia to Borderia, now in 0404: 0303 0404" in map) == (seat != "borderia")
    assert "trade route" not in draw(march(), None, RULES)


def test_of_a_route_that_passes_by_only_what_is_seen_is_told() -> None:
    world = march()
    cravonia = Kingdom(
        "Cravonia",
        hexes={"0601": ()},
        routes={"trade_route-1": Route("borderia", ("0401", "0402", "0502"), at=2, open=True)},
    )
    world = replace(world, kingdoms={**world.kingdoms, "cravonia": cravonia})
    assert "Trade route of Cravonia to Borderia: 0401 0402 0502\n" in draw(world, None, RULES)
    told = draw(world, "examplia", RULES)
    assert "to borderia: 0402\n" in told and "0401" not in told


def test_a_share_is_told_to_who_shares_and_the_route_once_to_the_gm() -> None:
    world = march()
    route = Route("cravonia", ("0303", "0403"), at=1, open=True, sharers=("borderia",))
    examplia = replace(world.kingdoms["examplia"], routes={"trade_route-1": route})
    share = replace(route, to="examplia", shares="trade_route-1", sharers=())
    borderia = replace(world.kingdoms["borderia"], routes={"share_route-1": share})
    world = replace(
        world,
        kingdoms={"borderia": borderia, "cravonia": Kingdom("Cravonia", hexes={"0601": ()}), "examplia": examplia},
    )
    assert "Trade route of Examplia, shared with Borderia: 0303 0403\n" in draw(world, "borderia", RULES)
    assert draw(world, None, RULES).count("Trade route of Examplia") == 1


def test_a_wide_map_is_folded_into_strips() -> None:
    wide = World(0, {label_of(column, 1): Hex("plains") for column in range(1, 28)}, {})
    map = draw(wide, None, RULES)
    assert [line for line in map.splitlines() if line.startswith("Columns")] == [
        "Columns 01 to 09",
        "Columns 10 to 18",
        "Columns 19 to 27",
    ]
    assert all(f"{column:02d}01" in map for column in range(1, 28))
    twelve = World(0, {label_of(column, 1): Hex("plains") for column in range(1, 13)}, {})
    assert "Columns" not in draw(twelve, None, RULES)


def test_a_map_with_holes_begins_where_its_first_hex_is() -> None:
    map = draw(World(0, {"0510": Hex("hills"), "0812": Hex("forest")}, {}), None, RULES).splitlines()
    assert map[2] == "  ____" and map[3] == " /0510\\"
    assert any(line.endswith("/0812\\") for line in map)


def test_a_kingdom_without_land_that_saw_nothing() -> None:
    world = World(3, {"0101": Hex("plains")}, {"examplia": Kingdom("Examplia")})
    assert (
        draw(world, "examplia", RULES) == "The map after turn 3, as Examplia knows it\n\nNothing of the map is known.\n"
    )


def test_every_kingdom_has_a_mark_of_its_own() -> None:
    seats = [f"kingdom_{number:02d}" for number in range(40)]
    kingdoms = {
        seat: Kingdom(seat.title(), hexes={label_of(index % 12 + 1, index // 12 + 1): ()})
        for index, seat in enumerate(seats)
    }
    world = World(0, {label: Hex("plains") for each in kingdoms.values() for label in each.hexes}, kingdoms)
    legend = draw(world, None, RULES).split("Kingdoms  ")[1].replace("\n          ", " ")
    marks = [item.split()[0] for item in legend.split(", ")]
    assert len(set(marks)) == len(seats) and marks[:3] == ["K", "I", "N"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_name_makes_a_line_too_wide(kind: str) -> None:
    name = HOSTILE[kind]
    world = march()
    kingdoms = {
        seat: replace(each, name=name, settlements={name: town}, capital=name)
        for seat, each in world.kingdoms.items()
        for town in each.settlements.values()
    }
    world = World(
        7, {**world.hexes, "0504": Hex("marsh", free_city=FreeCity(name, Settlement("0504")), secret=name)}, kingdoms
    )
    for seat in (None, "examplia"):
        assert max(width(line) for line in draw(world, seat, RULES).split("\n")) <= 78


@few
@given(worlds())
def test_no_line_is_wider_than_a_terminal(world: World) -> None:
    assert max(width(line) for line in draw(world, None, RULES).splitlines()) <= 78


@few
@given(pairs())
def test_what_is_hidden_is_not_drawn(pair: tuple[World, World]) -> None:
    one, other = pair
    assert draw(one, "examplia", RULES) == draw(other, "examplia", RULES)
