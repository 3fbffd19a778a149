"""Nothing hidden gets into a report of what goes on beyond the borders: armies that are not seen, what is not seen of those
that are, expeditions before they are back, and the plans, events, parties, doors and routes of others.

Two worlds as in test_reports_hidden.py, in which Examplia sees one hex far from its town, has an army there, adventurers out
and an expedition away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.state import (
    Army,
    BattleOrders,
    Commander,
    Event,
    Expedition,
    Hex,
    Kingdom,
    Modifier,
    Party,
    Route,
    Sighting,
    replace,
    with_kingdoms,
)  # fmt: skip
from tests.games.realm.test_reports_hidden import (
    BEYOND,
    BORDER,
    EXAMPLIA,
    FAR,
    LABELS,
    LETTERS,
    NEAR,
    SEAT,
    TOLD,
    Hidden,
    hidden,
    told_to_examplia,
)  # fmt: skip
from tests.kit.examples import few

LAIR = "0303"  # monsters of ACR 1 that Examplia sees
MOVES = ("0403", "0305")  # where its army may go
AWAY = ("0101", "0102", "0201")  # what its expedition has seen, or not
WATCHFUL = replace(
    EXAMPLIA,
    modifiers=(Modifier("vigilance", 2, "gm", "keen eyes", lasting=True),),
    armies={"First Foot": Army("warrior", "medium", "0404", hp=1), "Scouts": Army("warrior", "small", "0101", hp=1)},
    parties={"adventurers-1": Party(4, "0404", LAIR, hp=11)},
    memory={"0909": Sighting(2, Hex("hills"), "cravonia"), "0908": Sighting(2, Hex("hills"))},
    doors=("borderia",),
    counted={"explore": 1, "adventurers": 1},
)
SEEN = Army("warrior", "medium", BORDER, hp=1)  # of Borderia, and seen
NAMES = st.sampled_from(["Host", "Guard", "First Foot"])


@st.composite
def own_orders(draw: Any) -> dict[str, Any]:
    special = st.sampled_from([
        {"edict": "explore", "from": "Oakhold", "weeks": 2, "route": ["0403", "0402"]},
        {"edict": "adventurers", "bp": 4, "task": LAIR}, {"edict": "adventurers", "bp": 4, "task": "0505"},
        {"edict": "trade_route", "to": "cravonia", "hex": "0808"}, {"edict": "trade_route", "to": "borderia", "hex": "0505"},
        {"edict": "share_route", "to": "borderia"}, {"edict": "close_route", "route": "trade_route-1"},
    ])  # fmt: skip
    army = st.sampled_from([
        {"army": "First Foot", "move": [MOVES[0]], "then": "patrol"}, {"army": "First Foot", "move": [MOVES[1]], "then": "raid"},
        {"army": "First Foot", "move": ["0808"]}, {"army": "Host", "move": ["0403"]}, {"army": "Scouts", "move": ["0102"]},
        {"recruit": "Second Foot", "size": "medium", "unit": "warrior", "from": "Oakhold"},
    ])  # fmt: skip
    keys = {
        "special": st.lists(special, max_size=2),
        "armies": st.lists(army, max_size=2),
        "doors": st.just({"borderia": "open", "cravonia": "closed"}),
        "plan": st.just(["farm 0304", "house in Oakhold"]),
        "claim": st.just(["0403"]),
    }
    return draw(st.fixed_dictionaries({}, optional=keys))


@st.composite
def armies(draw: Any, places: tuple[str, ...]) -> dict[str, Army]:
    """Armies where Examplia sees none: what they are and what they do is free."""
    army = st.builds(
        Army, st.sampled_from(["warrior", "dwarf"]), st.sampled_from(["medium", "huge"]), st.sampled_from(places), hp=st.integers(1, 9),
        morale=st.integers(-2, 2), tactics=st.sampled_from([(), ("defensive_wall",)]), deed=st.sampled_from(["", "patrol", "raid", "attack"]),
        battle=st.builds(BattleOrders, withdraw=st.integers(0, 50)), commander=st.builds(Commander, morale=st.integers(0, 2)),
    )  # fmt: skip
    return draw(st.dictionaries(NAMES, army, max_size=2))


@st.composite
def beyond_the_border(draw: Any, kingdom: Kingdom, places: tuple[str, ...], town: str) -> Kingdom:
    """What another kingdom has under way, nothing of which can be seen."""
    away = Expedition(places[0], since=4, at=places[0], left=3, bp=12)
    event = Event("bandit_activity", begins=9, hex=places[0], facts={"successes": 1})
    return replace(
        kingdom,
        armies=draw(armies(places)),
        parties=draw(st.sampled_from([{}, {"adventurers-1": Party(6, places[0], places[-1], hp=5)}])),
        expeditions=draw(st.sampled_from([{}, {"explore-1": away}])),
        events=draw(st.sampled_from([{}, {"bandit_activity-1": event}])),
        doors=draw(st.sampled_from([(), (SEAT,)])),
        plan=draw(st.sampled_from([(), (f"house in {town}",)])),
        reserve=draw(st.integers(0, 9)),
        counted=draw(st.sampled_from([{}, {"explore": 4}])),
    )


@st.composite
def afield(draw: Any, own: dict[str, Any], letters: Mapping[str, list], told: list) -> Hidden:
    """A hidden state of test_reports_hidden.py, in which what Examplia's army may enter and what the part of a foreign route
    that it sees lies on is the same in every world."""
    state = draw(hidden({"claim": [*MOVES, "0402", LAIR, "0505"]}, letters, told))
    world, kingdoms = state.world, state.world.kingdoms
    borderia = draw(beyond_the_border(kingdoms["borderia"], BEYOND, "Millford"))
    unseen = {"Rear": Army("dwarf", "huge", BORDER, hp=draw(st.integers(1, 9)))} if draw(st.booleans()) else {}
    at_the_border = replace(SEEN, hp=draw(st.integers(0, 1)), morale=draw(st.integers(0, 1)), deed=draw(st.sampled_from(["", "patrol", "blockade"])),
                            resources=draw(st.sampled_from([{}, {"improved_weapons": 1}])), battle=BattleOrders(withdraw=draw(st.integers(0, 9))))  # fmt: skip
    borderia = replace(borderia, armies={**borderia.armies, draw(NAMES): at_the_border, **unseen})
    cravonia = draw(beyond_the_border(kingdoms["cravonia"], FAR, "Stonebridge"))
    if at_the_border.deed == "patrol":  # it would strike at raiders in its reach, and whether it comes back is seen
        peaceful = {name: replace(army, deed="") for name, army in cravonia.armies.items()}
        cravonia = replace(cravonia, armies=peaceful)
    way = tuple(draw(st.lists(st.sampled_from(FAR), unique=True, max_size=3)))
    passing = Route(
        "borderia",
        (*way, "0506", "0505", BORDER),
        at=len(way) + 2,
        open=True,
        bp=draw(st.integers(0, 9)),
        towers=way[:1],
    )
    number = draw(st.integers(1, 9))
    land = cravonia.hexes or {FAR[0]: ()}  # without any it is destroyed, and its route is no longer seen
    cravonia = replace(cravonia, name="Cravonia", hexes=land, routes={f"trade_route-{number}": passing}, anarchy=0)
    noted = {
        label: Sighting(5, draw(st.sampled_from([Hex("hills"), Hex("marsh", resource=True)])))
        for label in AWAY[: draw(st.integers(0, 3))]
    }
    away = Expedition("0404", since=4, at=draw(st.sampled_from(AWAY)), left=3, bp=16, army="Scouts", party=Party(4, "0101", "", draw(st.integers(1, 9))), noted=noted, found=tuple(noted)[:1],
                      turned=draw(st.sampled_from(["", "0102"])))  # fmt: skip
    scouts = replace(WATCHFUL.armies["Scouts"], hex=away.at)
    examplia = replace(WATCHFUL, expeditions={"explore-1": away}, armies={**WATCHFUL.armies, "Scouts": scouts})
    hexes = {
        label: replace(hex, monsters=2) if hex.monsters == 1 else hex for label, hex in world.hexes.items()
    }  # or they are seen
    hexes[LAIR] = replace(hexes[LAIR], monsters=1)
    world = with_kingdoms(replace(world, hexes=hexes), {"borderia": borderia, "cravonia": cravonia, SEAT: examplia})
    return state._replace(world=world, orders={**state.orders, SEAT: own})


@st.composite
def pairs(draw: Any) -> tuple[Hidden, Hidden]:
    own, told = draw(own_orders()), draw(TOLD)
    letters = {seat: draw(each) for seat, each in LETTERS.items()}
    return draw(afield(own, letters, told)), draw(afield(own, letters, told))


@few
@given(pairs())
def test_what_goes_on_unseen_changes_nothing_that_a_seat_is_told(pair: tuple[Hidden, Hidden]) -> None:
    one, other = pair
    assume(one != other)
    first, second = told_to_examplia(one), told_to_examplia(other)
    for what in first:
        assert first[what] == second[what], what


def test_the_hexes_of_these_worlds_are_what_the_tests_say_they_are() -> None:
    assert {*MOVES, LAIR, "0505"} <= set(NEAR) and "0402" in neighbours(MOVES[0]) and {*AWAY, "0506"} <= set(LABELS)
