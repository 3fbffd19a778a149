"""The edges of the rules, each by its name: which case files show it step by step, and here in whole turns, where everything is
switched on, the dice are a seed's, and each turn is proved (proofs.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import label_of
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import World
from tests.games.realm.kit import load_yaml, orders_of, rules_of, world_of
from tests.games.realm.proofs import prove, words_of
from tests.games.realm.test_cases import CASES

SEED = "public: the seed of the edges"
RULES = rules_of({"events": {"chance": {"normal": 25, "after_quiet_turn": 75}}, "trade": {"between_neighbours": True}})
QUIET = rules_of({"trade": {"between_neighbours": True}})  # where an event could come between what is looked at

# --- where each is shown: in words -> "case file: case", and the tests below

EDGES: dict[str, tuple[str, ...]] = {
    "two routes to one target": (
        "trade_route: two routes may lead to one kingdom",
        "trade_route_open: two routes to one kingdom trade once, and each pays its 4",
        "trade_route_open: one each way trades once, and pays each founder",
        "share_route: of two routes the second may be shared then",
        "test_two_routes_to_one_kingdom",
    ),
    "a route whose founder is destroyed": (
        "trade_route_open: a route whose founder is destroyed ends",
        "trade_route_open: a caravan that waits for an answer is lost with its founder",
        "gm_kingdoms: routes to the kingdom that it was are not the new one's",
        "test_a_route_whose_founder_is_destroyed",
    ),
    "a raid on one's own route": (
        "raid: by the founder's own army, the founder gets all",
        "test_a_raid_on_ones_own_route",
    ),
    "an expedition whose home falls": (
        "exploration_home: to the capital where its settlement has fallen",
        "exploration_home: and where there is none it is lost",
        "test_an_expedition_whose_home_falls",
    ),
    "armies in anarchy": (
        "movement: in anarchy nobody obeys",
        "army_upkeep: in a turn of anarchy armies rest and are paid, but no check succeeds",
        "conquest: in anarchy the check for the settlement fails without a roll",
        "test_armies_in_anarchy",
    ),
    "an event on a hex lost in the same turn": (
        "event_lost_place: a hex lost at the start of the same turn",
        "event_lost_place: a settlement abandoned after it acted",
        "test_an_event_on_a_hex_lost_in_the_same_turn",
    ),
    "aid to a destroyed kingdom": (
        "send_aid: nor to a destroyed kingdom",
        "aid_over_routes: not to a kingdom that is destroyed",
        "test_aid_to_a_kingdom_that_is_destroyed_in_the_same_turn_or_before",
    ),
    "a blockade ended by a patrol in the same turn": (
        "patrol: a blockader that it sees, so that the blockade is over in the same turn",
        "test_a_blockade_ended_by_a_patrol_in_the_same_turn",
    ),
    "a claim contested by three": (
        "contested_claim: three may claim one hex",
        "contested_claim: of three a tie of the two highest leaves it unclaimed",
        "test_three_claim_one_hex_whatever_the_order_of_their_dice",
        "test_three_claim_one_hex_and_the_highest_are_equal",
    ),
    "16 settlements in one turn": (
        "test_sixteen_settlements_in_one_turn",
        "test_sixteen_armies_in_one_turn",
        "test_settlements_and_armies_share_the_sixteen",
    ),
    "a kingdom of 400 hexes": ("test_a_kingdom_of_400_hexes_for_five_turns",),
}


@pytest.mark.parametrize("edge", EDGES)
def test_it_is_shown_where_the_table_says(edge: str) -> None:
    for place in EDGES[edge]:
        file, _, case = place.partition(": ")
        if case:
            assert case in load_yaml((CASES / f"{file}.yaml").read_text(encoding="utf-8"))["cases"], place
        else:
            assert callable(globals().get(place)), place


# --- whole turns


Tape = Mapping[str, Mapping[str, Sequence[int]]]


def played(world: World, *turns: Mapping[str, Any], rules: Any = RULES, tape: Tape | None = None) -> list[Result]:
    """These turns in a row, each with its orders by seat, each proved."""
    results = []
    for orders in turns:
        dice = [Dice(SEED, world.turn + 1, tape=tape) for _ in range(2)]
        result = resolve(GAME, world, orders_of(orders, world, rules), dice[0], rules)
        prove(result, dice[1], rules)
        results.append(result)
        world = result.after
    return results


def refused(result: Result, seat: str) -> dict[str, str]:
    """Order -> code, of one seat."""
    return {
        notice.facts["order"]: notice.facts["code"]
        for notice in result.notices
        if (notice.kind, notice.seat) == ("refusal", seat)
    }


def booked(result: Result, seat: str, account: str, *causes: str) -> int:
    """What these causes together moved the account by."""
    return sum(
        entry.delta
        for entry in result.entries
        if (entry.kingdom, entry.account) == (seat, account) and entry.cause in causes
    )


PATH = ("0104", "0203", "0304", "0403", "0504")
STEADY = {"treasury": 100, "attributes": {"economy": 15, "loyalty": 15, "stability": 15}}
TWO = {
    "examplia": {**STEADY, "hexes": {"0104": [], "0103": ["watchtower"]}, "settlements": {"Oakhold": {"hex": "0104"}}},
    "borderia": {**STEADY, "hexes": {"0604": [], "0605": []}, "settlements": {"Millford": {"hex": "0604"}}},
}
OPEN = {
    "examplia": {
        "routes": {
            "trade_route-1": {"to": "borderia", "path": PATH, "at": 4, "bp": 4, "asked": "trade_route-1", "open": True}
        }
    },
    "borderia": {
        "guests": {"trade_route-1": {"by": "examplia", "route": "trade_route-1", "path": PATH}},
        "counted": {"trade_route": 1},
    },
}
COUNTED = {"counted": {"trade_route": 1}}
THIRD = {"cravonia": {**STEADY, "hexes": {"0301": []}, "settlements": {"Stonebridge": {"hex": "0301"}}}}


def test_two_routes_to_one_kingdom() -> None:
    """The second is sent while the first is open; both are open then, trade is rolled once, and each route pays its own 4."""
    known = {label: {"turn": 0, "hex": {"terrain": "plains"}} for label in PATH[1:]}
    border = {"0604": {"turn": 0, "hex": {"terrain": "plains"}, "holder": "borderia"}}
    state = {**OPEN, "examplia": {**OPEN["examplia"], **COUNTED, "memory": {**known, **border}}}
    sent = {"examplia": {"trade_route": "to borderia at 0504"}}
    answer = {"borderia": {"answers": {"trade_route-2": "accept"}}}
    rules = replace(QUIET, one_route=None)  # of edition 2, in which one counts
    first, second, third = played(world_of(TWO, None, rules, state), sent, answer, {}, rules=rules)
    assert first.after.kingdoms["examplia"].routes.keys() == {"trade_route-1", "trade_route-2"}
    assert [asked.key for asked in first.after.kingdoms["borderia"].pending] == ["trade_route-2"]
    assert all(route.open for route in second.after.kingdoms["examplia"].routes.values())
    rolls = [(roll.kingdom, roll.name) for roll in third.rolls if roll.name.startswith("trade-")]
    assert rolls == [("borderia", "trade-examplia"), ("examplia", "trade-borderia")]
    assert booked(third, "examplia", "treasury", "trade_route") == 8
    assert third.after.kingdoms["borderia"].guests.keys() == {"trade_route-1", "trade_route-2"}


def test_a_route_whose_founder_is_destroyed() -> None:
    """It loses its last hex to Unrest, claims no other, and is destroyed at the end of that turn; the host is told in the next."""
    kingdoms = {
        **TWO,
        "examplia": {"treasury": 100, "unrest": 14, "hexes": {"0104": []}, "settlements": {"Oakhold": {"hex": "0104"}}},
    }
    state = {**OPEN, "examplia": {**OPEN["examplia"], "loses_hex": True}}
    first, second, third = played(world_of(kingdoms, None, QUIET, state), {}, {}, {}, rules=QUIET)
    assert (
        not first.after.kingdoms["examplia"].hexes and first.after.kingdoms["examplia"].routes
    )  # it goes on for as long as it is paid
    fallen = second.after.kingdoms["examplia"]
    assert fallen.destroyed and not fallen.routes and second.after.kingdoms["borderia"].guests
    assert not third.after.kingdoms["borderia"].guests
    assert "borderia: The trade route of Examplia, trade_route-1, is no more (ruling trade_route)." in words_of(third)
    assert not [roll for roll in third.rolls if roll.name.startswith("trade-")]


def test_a_raid_on_ones_own_route() -> None:
    """The founder takes what both sides would have gained and its own 4; the host gains nothing."""
    state = {
        **OPEN,
        "examplia": {
            **OPEN["examplia"],
            "armies": {"Riders": {"unit": "warrior", "size": "medium", "hex": "0304", "hp": 1}},
        },
    }
    (result,) = played(
        world_of(TWO, None, QUIET, state), {"examplia": {"armies": [{"army": "Riders", "then": "raid"}]}}, rules=QUIET
    )
    assert booked(result, "examplia", "treasury", "raid") >= 4 and not booked(
        result, "borderia", "treasury", "trade", "raid"
    )
    assert not booked(result, "examplia", "treasury", "trade", "trade_route")
    assert "is raided by Riders of Examplia in 0304" in words_of(result)


def test_an_expedition_whose_home_falls() -> None:
    """Its settlement is taken by an army while it is away: it comes to the capital; without one it is lost."""
    land = {"0404": [], "0204": []}
    towns = {"Oakhold": {"hex": "0404"}, "Newford": {"hex": "0204"}}
    armies = [{"name": "Host", "unit": "warrior", "size": "huge", "hex": "0203"}]
    for left in (towns, {"Newford": towns["Newford"]}):
        kingdoms = {
            "examplia": {
                **STEADY,
                "hexes": land if left is towns else {"0204": []},
                "settlements": left,
                "capital": next(iter(left)),
            },
            "borderia": {
                **STEADY,
                "hexes": {"0203": []},
                "settlements": {"Millford": {"hex": "0203"}},
                "armies": armies,
            },
        }
        away = {"explore": "from Newford for 2 weeks along 0205 0305 0405 0505"}
        attack = {"armies": [{"army": "Host", "move": ["0204"], "then": "attack", "target": "examplia"}]}
        rules = rules_of(
            {"siege": {"lasts": False}, "militia": {"acr": []}, "safe_turns": None}
        )  # so that it falls while they are away
        first, second = played(world_of(kingdoms, None, rules), {"examplia": away}, {"borderia": attack}, rules=rules)
        assert first.after.kingdoms["examplia"].expeditions
        assert (
            "0204" not in second.after.kingdoms["examplia"].hexes and not second.after.kingdoms["examplia"].expeditions
        )
        told = (
            "The expedition explore-1 is back in Oakhold"
            if left is towns
            else "found no settlement to return to and is lost"
        )
        assert told in words_of(second)


def test_armies_in_anarchy() -> None:
    """They obey nobody and are paid, they defend, and no check of theirs succeeds."""
    armies = {
        "Guard": {"unit": "warrior", "size": "large", "hex": "0104", "hp": 3, "routed": True},
        "Scouts": {"unit": "warrior", "size": "medium", "hex": "0103", "hp": 1},
    }
    host = {"Host": {"unit": "knight", "size": "huge", "hex": "0203", "hp": 20, "deed": "attack", "target": "examplia"}}
    state = {"examplia": {"anarchy": 1, "armies": armies}, "borderia": {"armies": host}}
    orders = {
        "examplia": {"armies": [{"army": "Scouts", "move": ["0102"]}]},
        "borderia": {"armies": [{"army": "Host", "move": ["0103"]}]},
    }
    (result,) = played(world_of(TWO, None, RULES, state), orders)
    assert refused(result, "examplia") == {"armies": "void_in_anarchy"}
    assert not any(roll.name.startswith(("rest-", "courage-")) for roll in result.rolls)
    left = result.after.kingdoms["examplia"].armies
    assert left["Guard"].routed and left.get("Scouts", left["Guard"]).hex != "0102"
    assert any(notice.kind == "battle" and notice.facts["hex"] == "0103" for notice in result.notices)


def test_an_event_on_a_hex_lost_in_the_same_turn() -> None:
    """Announced already, its hex is named to be lost at the start of the turn: it ends, and nothing is rolled for it."""
    land = {"0404": [], "0405": [], "0406": ["road"]}
    kingdoms = {"examplia": {"unrest": 11, "treasury": 100, "hexes": land, "settlements": {"Oakhold": {"hex": "0404"}}}}
    state = {"examplia": {"events": {"large_disaster-1": {"kind": "large_disaster", "begins": 2, "hex": "0406"}}}}
    answer = {"examplia": {"answers": {"lose_hex": "0406"}}}
    first, second = played(world_of(kingdoms, None, QUIET, state), {}, answer, rules=QUIET)
    assert (
        "lose_hex" in [asked.key for asked in first.after.kingdoms["examplia"].pending]
        and first.after.kingdoms["examplia"].events
    )
    assert (
        second.after.kingdoms["examplia"].hexes.keys() == {"0404", "0405"}
        and not second.after.kingdoms["examplia"].events
    )
    assert not [roll for result in (first, second) for roll in result.rolls if roll.name.startswith("large_disaster")]
    assert "Large disaster in 0406: its place is lost, so it ends" in words_of(second)


def test_aid_to_a_kingdom_that_is_destroyed_in_the_same_turn_or_before() -> None:
    """Retired by the GM at the start of the turn, it can get nothing; nor later; and nothing is paid for it."""
    kingdoms = {
        **TWO,
        "borderia": {**TWO["borderia"], "hexes": {"0203": []}, "settlements": {"Millford": {"hex": "0203"}}},
    }
    aid = {"examplia": {"aid": "stability to borderia"}}
    gone = {"gm": {"gm": [{"retire": "borderia", "reason": "Ben moved away"}]}}
    before, first, second = played(world_of(kingdoms, None, QUIET), aid, {**aid, **gone}, aid, rules=QUIET)
    assert not refused(before, "examplia") and booked(before, "examplia", "treasury", "aid") < 0
    for result in (first, second):
        assert refused(result, "examplia") == {"special[0]": "aid_not_in_play"} and not booked(
            result, "examplia", "treasury", "aid"
        )


def test_a_blockade_ended_by_a_patrol_in_the_same_turn() -> None:
    """The patrol sees the blockader, beats him, and the route pays in the very turn that he came to block it."""
    watch = {"hex": "0104", "buildings": ["watchtower", "jail", "library", "library"]}
    kingdoms = {**TWO, **THIRD, "examplia": {**TWO["examplia"], "settlements": {"Oakhold": watch}}}
    state = {
        **OPEN,
        "examplia": {
            **OPEN["examplia"],
            "armies": {
                "First Foot": {"unit": "warrior", "size": "colossal", "hex": "0103", "hp": 38, "deed": "patrol"}
            },
        },
        "cravonia": {"armies": {"Riders": {"unit": "warrior", "size": "medium", "hex": "0303", "hp": 1}}},
    }
    block = {"cravonia": {"armies": [{"army": "Riders", "move": ["0304"], "then": "blockade"}]}}
    (result,) = played(world_of(kingdoms, None, QUIET, state), block, rules=QUIET)
    assert any(notice.kind == "battle" and notice.facts["hex"] == "0304" for notice in result.notices)
    assert (
        "Riders" not in result.after.kingdoms["cravonia"].armies
        or result.after.kingdoms["cravonia"].armies["Riders"].hex != "0304"
    )
    assert (
        booked(result, "examplia", "treasury", "trade_route") == 4
        and result.after.kingdoms["examplia"].routes["trade_route-1"].watched == 0
    )


# --- three claimants

THREE = {
    seat: {**STEADY, "hexes": {label: []}, "settlements": {name: {"hex": label}}}
    for seat, label, name in (
        ("borderia", "0504", "Millford"),
        ("cravonia", "0506", "Stonebridge"),
        ("examplia", "0405", "Oakhold"),
    )
}


def contested(dice: Mapping[str, int]) -> Result:
    """0505 is claimed by all three, in a whole turn, with these faces."""
    claims = {seat: {"claim": ["0505"]} for seat in THREE}
    tape = {seat: {"contest-0505": [face]} for seat, face in dice.items()}
    return played(world_of(THREE, None, RULES), claims, tape=tape)[0]


@pytest.mark.parametrize("faces", list(permutations((4, 9, 17))))
def test_three_claim_one_hex_whatever_the_order_of_their_dice(faces: tuple[int, ...]) -> None:
    dice = dict(zip(THREE, faces, strict=False))
    result = contested(dice)
    winner = max(dice, key=lambda seat: dice[seat])
    assert [seat for seat, kingdom in result.after.kingdoms.items() if "0505" in kingdom.hexes] == [winner]
    assert {seat: booked(result, seat, "treasury", "claim") for seat in dice} == {
        seat: -(seat == winner) for seat in dice
    }
    assert (
        result.after.kingdoms[winner].used["claims"]
        == 1
        == min(kingdom.used["claims"] for kingdom in result.after.kingdoms.values())
    )


@pytest.mark.parametrize("faces", [*sorted(set(permutations((4, 17, 17)))), (9, 9, 9)])
def test_three_claim_one_hex_and_the_highest_are_equal(faces: tuple[int, ...]) -> None:
    result = contested(dict(zip(THREE, faces, strict=False)))
    assert not [seat for seat, kingdom in result.after.kingdoms.items() if "0505" in kingdom.hexes]
    assert not any(booked(result, seat, "treasury", "claim") for seat in THREE)
    assert all(kingdom.used["claims"] == 1 for kingdom in result.after.kingdoms.values())


# --- large kingdoms

COLUMNS, ROWS = 30, 20
WIDE = {"grid": f"{'phpfppsphp' * 3}\n{'ppphpphppf' * 3}\n" * (ROWS // 2)}
LIMIT = 16  # settlements and armies of one turn, at a size above 100


def block(columns: int, rows: int) -> list[str]:
    return [label_of(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]


def large(prepared: int = 0, **more: Any) -> World:
    """A kingdom of 105 hexes, so many of them prepared for settlements, with a small one at its border."""
    land: dict[str, list[str]] = {label: [] for label in block(7, 15)}
    land |= {label: ["prepared"] for label in list(land)[1 : prepared + 1]}
    kingdom = {
        **STEADY,
        "treasury": 2000,
        "hexes": land,
        "settlements": {"Oakhold": {"hex": "0101", "buildings": ["house"]}},
        **more,
    }
    neighbour = {"hexes": {"0802": []}, "settlements": {"Millford": {"hex": "0802"}}, "treasury": 50}
    world = world_of({"examplia": kingdom, "borderia": neighbour}, WIDE, RULES, {"examplia": {"edict_size": len(land)}})
    assert limits(world.kingdoms["examplia"], RULES).settlements == LIMIT
    return world


def settling(count: int) -> list[dict[str, str]]:
    return [{"hex": label, "name": f"Newford {label}"} for label in block(7, 15)[1 : count + 1]]


def recruiting(count: int) -> list[dict[str, str]]:
    return [
        {"recruit": f"Foot {number}", "size": "medium", "unit": "warrior", "from": "Oakhold"} for number in range(count)
    ]


def test_sixteen_settlements_in_one_turn() -> None:
    """The seventeenth is over the limit, and there is none left for an army; all can be built in at once."""
    build = [{"in": each["name"], "build": "house"} for each in settling(LIMIT)]
    orders = {"settle": settling(LIMIT + 1), "build": build, "armies": recruiting(1)}
    (result,) = played(large(LIMIT + 1), {"examplia": orders})
    assert refused(result, "examplia") == {f"settle[{LIMIT}]": "settle_limit", "armies[0]": "recruit_limit"}
    settlements = result.after.kingdoms["examplia"].settlements
    assert len(settlements) == 1 + LIMIT and all(len(each.buildings) == 1 for each in settlements.values())
    assert booked(result, "examplia", "consumption", "settle") == LIMIT


def test_sixteen_armies_in_one_turn() -> None:
    (result,) = played(large(), {"examplia": {"armies": recruiting(LIMIT + 1)}})
    assert refused(result, "examplia") == {f"armies[{LIMIT}]": "recruit_limit"}
    assert len(result.after.kingdoms["examplia"].armies) == LIMIT


def test_settlements_and_armies_share_the_sixteen() -> None:
    """Five settlements, and armies for eight and two; one for two is too much then, and one for one is not."""
    sizes = ("gargantuan", "large", "large", "medium")
    armies = [
        {"recruit": size.title() + str(number), "size": size, "unit": "warrior", "from": "Oakhold"}
        for number, size in enumerate(sizes)
    ]
    (result,) = played(large(5), {"examplia": {"settle": settling(5), "armies": armies}})
    assert refused(result, "examplia") == {"armies[2]": "recruit_limit"}
    assert result.after.kingdoms["examplia"].used["settlements"] == LIMIT


@pytest.mark.long
def test_a_kingdom_of_400_hexes_for_five_turns() -> None:
    """With twelve settlements, armies on the march, expeditions, a route, adventurers, a plan, and a war at its border."""
    improvements = (["road"], ["farm", "road"], [], ["mine"], ["fort"], ["watchtower"], [])
    land = {label: list(improvements[number % 7]) for number, label in enumerate(block(COLUMNS, 14)[:400])}
    homes = list(land)[:400:34]
    land |= dict.fromkeys(homes, [])
    buildings = ["house", "house", "inn", "shop", "barracks", "palace", "granary"]
    towns = {f"Town {label}": {"hex": label, "buildings": buildings} for label in homes}
    armies = [
        {"name": f"Foot {number}", "unit": "warrior", "size": "large", "hex": label}
        for number, label in enumerate(homes)
    ]
    kingdoms = {
        "examplia": {
            **STEADY,
            "treasury": 5000,
            "hexes": land,
            "settlements": towns,
            "capital": f"Town {homes[0]}",
            "armies": armies,
        },
        "borderia": {
            **STEADY,
            "hexes": {"0118": [], "0117": []},
            "settlements": {"Millford": {"hex": "0118"}},
            "armies": [{"name": "Host", "unit": "warrior", "size": "huge"}],
        },
    }
    lairs = {label: {"terrain": "hills", "monsters": {"acr": 2}} for label in ("0817", "1518")}
    world = world_of(
        kingdoms, {**WIDE, "hexes": lairs}, RULES, {"examplia": {"edict_size": 400, "revealed": [*land, *lairs]}}
    )
    town = next(iter(towns))
    first = {
        "claim": "0115 0215 0315 0415 0515 0615 0715 0815 0915",
        "improve": [{"hex": label, "build": "road"} for label in list(land)[2:40:7]],
        "build": [{"in": name, "build": "house"} for name in list(towns)[:20]],
        "armies": [
            {"army": f"Foot {number}", "move": [label], "then": "patrol"} for number, label in enumerate(homes[1:6])
        ],
        "special": [
            {"edict": "explore", "from": town, "weeks": 3, "toward": "s"},
            {"edict": "adventurers", "bp": 8, "task": "0817"},
        ],
        "plan": [f"claim {label_of(column, 16)}" for column in range(1, 9)],
        "edicts": {"holiday": "long", "taxation": "light", "promotion": "token"},
        "loyalty": "rouse_the_people economy",
    }
    war = {"armies": [{"army": "Host", "move": ["0116"], "then": "attack", "target": "examplia"}]}
    later = {
        "armies": [{"army": "Foot 0", "move": [homes[3]]}],
        "aid": "economy to borderia",
        "doors": {"borderia": "closed"},
    }
    results = played(
        world,
        {"examplia": first, "borderia": war},
        {"examplia": later, "borderia": war},
        {},
        {"examplia": {"smuggle": ["borderia"]}},
        {},
    )
    assert [len(result.after.kingdoms["examplia"].hexes) for result in results][0] == 408
    assert refused(results[0], "examplia").get("claim[8]") == "claim_cap"
    assert all(len(result.after.kingdoms["examplia"].hexes) > 390 for result in results)
    assert len(results) == 5 and not results[-1].after.kingdoms["examplia"].destroyed
