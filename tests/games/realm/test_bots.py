"""Bots: they write what can be filed, whatever state their kingdom is in, from what the seat knows and a chance of their own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec import to_builtins

from kingdom.books import occurrences, simulation
from kingdom.books.simulation import Ground, Plan, play
from kingdom.campaign import next_turn, substitute_orders
from kingdom.engine.game import Letter
from kingdom.engine.offer import LIST, Offer
from kingdom.games.realm import BOTS, FUZZERS
from kingdom.games.realm.armies import acr
from kingdom.games.realm.bots import TEMPERAMENTS
from kingdom.games.realm.bots.advice import advice
from kingdom.games.realm.bots.fuzzers import TEMPERS, some
from kingdom.games.realm.bots.simulation import muddled
from kingdom.games.realm.forecast.threats import monsters_at_large
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import DIRECTIONS, beside
from kingdom.games.realm.state import Army, Event, Hex, Pending, Route, Sighting, World, owners, replace, with_kingdoms
from kingdom.orders import orders_file
from tests.games.realm.kit import rules_of, world_of

RULES = rules_of()
every_bot = pytest.mark.parametrize("bot", BOTS)


def known(seat: str = "examplia", **given: Any) -> World:
    world = world_of(
        {"examplia": {"treasury": 60, **given}, "borderia": {}},
        {"hexes": {"0405": {"monsters": {"acr": 2}, "features": ["river"]}}},
    )
    return GAME.known(world, seat, RULES)


def filed(text: str, world: World, seat: str = "examplia") -> dict[str, Any]:
    names = {**GAME.names(RULES), "seats": tuple(world.kingdoms)}
    filing = orders_file.read(text.encode(), "bot.yaml", GAME, names, seat, world.turn + 1)
    assert filing.orders is not None, filing.problems
    return filing.orders


def text_of(bot: str, world: World, key: str = "a key", seat: str = "examplia") -> str:
    return GAME.bots[bot](world, seat, RULES, substitute_orders.chance_of(key))


def test_a_new_candidate_wins_as_often_as_each_other_and_changes_no_other_choice() -> None:
    """Such as a new building; what is liked wins more often."""

    def order(key: str, kinds: list[str]) -> list[str]:
        offers = [Offer(kind, "build", LIST, kind, kind, kind) for kind in kinds]
        drawn = some(
            "building", offers, len(kinds), substitute_orders.chance_of(key), lambda offer: offer.id == "house"
        )
        return [offer.id for offer in drawn]

    older, first = ["house", "inn", "mill"], Counter[str]()
    for number in range(500):
        found = order(f"key {number}", ["clock_tower", *older])
        first[found[0]] += 1
        assert [kind for kind in found if kind != "clock_tower"] == order(f"key {number}", older)
    assert 240 < first["house"] < 340 and all(40 < first[kind] < 110 for kind in ("clock_tower", "inn", "mill"))


def test_a_steward_feeds_and_repairs_and_does_nothing_that_its_player_could_not_take_back() -> None:
    """It claims, founds and recruits nothing and moves no army; with all its BP it builds nothing but what feeds or is damaged."""
    world = known(settlements={"Oakhold": {"buildings": ["house", "inn", "house", "tenement"]}}, treasury=200)
    own = world.kingdoms["examplia"]
    world = with_kingdoms(world, {"examplia": replace(own, hexes={**own.hexes, "0405": ()}, revealed=("0405",))})
    world = replace(world, hexes={**world.hexes, "0405": replace(world.hexes["0405"], monsters=0)})
    found = filed(text_of("steward", world), world)
    assert set(found) <= {"kingdom", "turn", "answers", "leadership", "improve", "edicts", "loyalty"}
    assert found["improve"] and all(RULES.improvements[order["build"]].consumption < 0 for order in found["improve"])
    inn = next(each.lot for each in world.kingdoms["examplia"].settlements["Oakhold"].buildings if each.id == "inn")
    burnt = replace(world.kingdoms["examplia"], damaged={"Oakhold": (inn,)})
    repaired = filed(text_of("steward", with_kingdoms(world, {"examplia": burnt})), world)["build"]
    assert repaired == [{"in": "Oakhold", "build": "inn", "lot": inn}]


def test_a_steward_begins_anew_where_the_kingdom_would_be_destroyed() -> None:
    world = known(treasury=60)
    landless = replace(world.kingdoms["examplia"], hexes={}, settlements={}, capital="")
    found = filed(text_of("steward", with_kingdoms(world, {"examplia": landless})), world)
    assert len(found["claim"]) == len(found["settle"]) == 1
    assert "claim" not in filed(text_of("steward", world), world)


def test_bots_and_stewards_hire_adventurers_against_monsters_in_their_land_who_win_nine_of_ten_fights() -> None:
    world = known(treasury=60)
    own = world.kingdoms["examplia"]
    label = sorted(own.hexes)[0]
    event = Event("monster_attack", 1, hex=label, facts={"acr": 3})
    world = with_kingdoms(world, {"examplia": replace(own, events={"monster_attack-1": event}, revealed=(label,))})
    world = replace(world, hexes={**world.hexes, label: replace(world.hexes[label], monsters=3)})
    for bot in ("steward", "steady"):
        assert {"edict": "adventurers", "bp": 8, "task": label} in filed(text_of(bot, world), world)["special"]


def test_adventurers_are_hired_though_little_is_left_and_though_the_monsters_may_leave() -> None:
    """Who does not hire them loses more by the monsters than a turn's Consumption; and where they leave, nothing is paid."""
    world = known(treasury=12, attributes={"economy": 9, "loyalty": 9, "stability": 2})
    own = world.kingdoms["examplia"]
    label = sorted(own.hexes)[0]
    event = Event("monster_attack", 1, hex=label, facts={"acr": 3})
    world = with_kingdoms(world, {"examplia": replace(own, events={"monster_attack-1": event}, revealed=(label,))})
    world = replace(world, hexes={**world.hexes, label: replace(world.hexes[label], monsters=3)})
    assert 0 < monsters_at_large(world, "examplia", RULES)["monster_attack-1"] < 1
    hires = {"edict": "adventurers", "bp": 8, "task": label}
    assert all(hires in filed(text_of(bot, world), world)["special"] for bot in ("steward", "steady"))
    plans = {plan["aim"]: filed(plan["orders"], world) for plan in advice(world, "examplia", RULES)}
    assert all(hires in orders["special"] for orders in plans.values()), plans


def test_adventurers_are_hired_against_monsters_beside_the_land_that_keep_it_from_growing() -> None:
    """Once it has sent out enough expeditions, for it has one special edict."""
    world = known(treasury=40, attributes={"economy": 9, "loyalty": 9, "stability": 9})
    knowing = replace(world.kingdoms["examplia"], revealed=("0405",))
    world = with_kingdoms(world, {"examplia": knowing})
    world = replace(world, hexes={**world.hexes, "0405": replace(world.hexes["0405"], monsters=2)})
    assert filed(text_of("steady", world), world)["special"][0]["edict"] == "explore"
    world = with_kingdoms(world, {"examplia": replace(knowing, counted={"explore": 3})})
    hires = {"edict": "adventurers", "bp": 6, "task": "0405"}
    assert filed(text_of("steady", world), world)["special"] == [hires]
    assert hires in filed(advice(world, "examplia", RULES)[0]["orders"], world)["special"]


def explored(**own: Any) -> list[str]:
    """The sides to which a steady bot sends expeditions from the middle of a wide plain; what it remembers of hexes out of sight."""
    wide = {"grid": "\n".join("p" * 19 for _ in range(19)) + "\n"}
    kingdoms = {
        "examplia": {"treasury": 90, "settlements": {"Oakhold": {"hex": "1010"}}},
        "borderia": {"settlements": {"Millford": {"hex": "0101"}}},
    }
    world = GAME.known(world_of(kingdoms, wide, state={"examplia": own}), "examplia", RULES)
    return [
        order["toward"]
        for order in filed(text_of("steady", world), world).get("special", ())
        if order["edict"] == "explore"
    ]


def test_no_expedition_goes_where_one_has_been_or_is_known_to_be_stopped() -> None:
    """In a known lake, before known monsters, or wherever an earlier one went: what stopped that stands there still."""
    been = Sighting(1, Hex("plains"))
    ways = {side: far_off("1010", side, 3) for side in DIRECTIONS}
    assert explored() == ["n"]
    for seen in (been, Sighting(1, Hex("water")), Sighting(1, Hex("plains", monsters=4))):
        memory = {label: to_builtins(seen) for label in (ways["n"], ways["ne"])}
        assert explored(memory=memory) == ["se"], seen
    assert explored(memory={label: to_builtins(been) for label in ways.values()}) == []


def far_off(label: str, side: str, steps: int) -> str:
    for _ in range(steps):
        label = beside(label, side) or label
    return label


def test_a_bot_recruits_as_much_as_its_strongest_neighbour_has_near_its_land_and_no_more() -> None:
    world = known(treasury=90, attributes={"economy": 9, "loyalty": 9, "stability": 9})
    assert "armies" not in filed(text_of("steady", world), world)
    near = sorted(world.hexes)[0]
    host = Army("fighter", "large", near, 15)
    world = with_kingdoms(world, {"borderia": replace(world.kingdoms["borderia"], armies={"Red Host": host})})
    recruited = filed(text_of("steady", world), world)["armies"]
    assert [acr(order["unit"], order["size"], RULES) for order in recruited] == [acr(host.unit, host.size, RULES)]


def test_tempers_and_levels_are_seen_in_what_they_order() -> None:
    """With the same kingdom a warlord recruits, a hermit sends nobody out to see the world, a beginner leaves its edicts as they are."""
    world = known(treasury=90, attributes={"economy": 9, "loyalty": 9, "stability": 9})
    own = world.kingdoms["examplia"]
    world = with_kingdoms(world, {"examplia": replace(own, hexes=dict.fromkeys([*own.hexes, *world.hexes][:22], ()))})
    given = {bot: filed(text_of(bot, world), world) for bot in BOTS}
    assert {bot for bot, orders in given.items() if "armies" in orders} == {"warlord"}
    assert "edicts" in given["steady"] and "edicts" not in given["novice"]
    edicts = {bot: [order["edict"] for order in orders.get("special", ())] for bot, orders in given.items()}
    assert not edicts["hermit"] and not edicts["novice"]


STANDING = [
    "brewery",
    "smithy",
    "library",
    "granary",
    "mint",
    "bank",
    "jail",
    "graveyard",
    "monument",
    "orphanage",
    "shrine",
    "mansion",
    "observatory",
    "casters_tower",
]
ROOMY, FULL = 2, 22  # houses in a town of 36 lots where those stand, too


def grown(built: int, bare: str = "", lies: dict[str, Any] | None = None, **given: Any) -> World:
    """What Examplia knows, which holds 18 hexes of a plain, all built on but for that one, and a town of so many houses and of what is STANDING."""
    land = dict.fromkeys([f"{column:02}{row:02}" for column in range(3, 9) for row in range(4, 7)], ["fishery"])
    land |= {"0404": []} | ({bare: []} if bare else {})
    towns = {"Oakhold": {"hex": "0404", "buildings": ["paved_streets", "sewer_system", *STANDING, *["house"] * built]}}
    points = {"economy": 12, "loyalty": 4, "stability": 13}
    kingdoms = {
        "examplia": {"treasury": 90, "attributes": points, "hexes": land, "settlements": towns, **given},
        "borderia": {"settlements": {"Millford": {"hex": "1212"}}},
    }
    wide = {"grid": "\n".join("p" * 12 for _ in range(12)) + "\n"}
    return GAME.known(world_of(kingdoms, {**wide, "hexes": lies or {}}), "examplia", RULES)


@pytest.mark.parametrize("bot", ["steady", "strong", "builder", "trader", "hermit"])
def test_a_town_without_room_is_followed_by_another_one_or_by_a_district(bot: str) -> None:
    """While there is room, neither: more land alone is no reason."""
    for bare, district in (("0606", False), ("", True)):
        world = grown(FULL, bare)
        found = filed(text_of(bot, world), world)
        assert [order["hex"] for order in found.get("settle", ())] == ([bare] if bare else [])
        assert ({"in": "Oakhold", "build": "district"} in found["build"]) is district
    world = grown(ROOMY, "0606")
    found = filed(text_of(bot, world), world)
    assert found["build"] and "settle" not in found and {"in": "Oakhold", "build": "district"} not in found["build"]


def test_a_site_that_is_prepared_is_founded_at_the_water_that_it_touches_so_that_mills_and_piers_can_be_built() -> None:
    for lies, water in (({"features": ["river"]}, [["north"]]), ({}, [None])):
        world = grown(FULL, "0606", {"0606": lies})
        own = world.kingdoms["examplia"]
        site = replace(own, hexes={**own.hexes, "0606": ("prepared",)})
        world = with_kingdoms(world, {"examplia": site})
        assert [order.get("water") for order in filed(text_of("steady", world), world)["settle"]] == water


def test_a_free_city_beside_the_land_is_claimed_and_asked_again_but_by_nobody_whom_it_would_refuse() -> None:
    city = {"free_city": {"name": "Freeport", "buildings": ["house", "inn"]}}
    points = {"economy": 30, "loyalty": 4, "stability": 31}
    beside = grown(FULL, lies={"0907": city}, attributes=points)
    assert "0907" in filed(text_of("steady", beside), beside)["claim"]
    inside = grown(FULL, "0606", {"0606": city}, attributes=points)
    assert "0606" in filed(text_of("steady", inside), inside)["claim"]
    unsure = grown(FULL, "0606", {"0606": city}, attributes={**points, "stability": 4})
    assert "0606" not in filed(text_of("steady", unsure), unsure).get("claim", ())


def test_claims_are_left_for_the_land_of_others_in_which_its_armies_stand() -> None:
    """Ruling conquest, `within_claims`: what falls counts as a claim, and the turn's only one must not be used up before."""
    world = known(treasury=60, attributes={"economy": 12, "loyalty": 9, "stability": 12})
    own, foreign = world.kingdoms["examplia"], "0403"
    seen = replace(world.kingdoms["borderia"], hexes={foreign: ()})
    for label, claims in ((next(iter(own.hexes)), 1), (foreign, 0)):
        host = replace(own, armies={"First Foot": Army("fighter", "large", label, 15)})
        there = with_kingdoms(world, {"examplia": host, "borderia": seen})
        assert len(filed(text_of("warlord", there), there).get("claim", ())) == claims, label


def test_a_bot_for_each_name() -> None:
    assert TEMPERAMENTS.keys() == set(BOTS) and tuple(GAME.bots) == BOTS


@pytest.mark.parametrize("fuzzer", FUZZERS)
def test_the_same_chance_gives_a_fuzzer_the_same_orders_and_another_one_others(fuzzer: str) -> None:
    world = known()
    texts = [
        GAME.simulation.fuzzers[fuzzer](world, "examplia", RULES, substitute_orders.chance_of(f"key {number % 9}"))
        for number in range(18)
    ]
    assert texts[:9] == texts[9:] and len(set(texts)) > 3


@every_bot
def test_whatever_state_a_kingdom_is_in_its_bot_writes_orders_that_can_be_read(bot: str) -> None:
    world = known()
    own = world.kingdoms["examplia"]
    states = (
        own,
        replace(own, treasury=-30, unrest=19),
        replace(own, anarchy=world.turn + 1),
        replace(own, hexes={}, settlements={}, capital=""),
        replace(own, settlements={}, capital=""),
        replace(own, destroyed=True),
        replace(own, treasury=9999),
    )
    for state in states:
        filed(text_of(bot, with_kingdoms(world, {"examplia": state})), world)
        for fuzzer in GAME.simulation.fuzzers.values():
            for number in range(10):
                chance = substitute_orders.chance_of(f"{bot} {number}")
                filed(fuzzer(with_kingdoms(world, {"examplia": state}), "examplia", RULES, chance), world)


@every_bot
def test_in_anarchy_and_after_its_end_a_bot_orders_nothing(bot: str) -> None:
    world = known()
    own = world.kingdoms["examplia"]
    for state in (replace(own, anarchy=world.turn + 1), replace(own, destroyed=True)):
        assert set(filed(text_of(bot, with_kingdoms(world, {"examplia": state})), world)) == {"kingdom", "turn"}


@every_bot
def test_a_bot_answers_what_it_is_asked(bot: str) -> None:
    world = known()
    asked = Pending("trade_route-1", "Shall Borderia's caravan trade here?", ("accept", "reject"), "accept")
    own = replace(world.kingdoms["examplia"], pending=(asked,))
    found = filed(text_of(bot, with_kingdoms(world, {"examplia": own})), world)
    assert found["answers"] == {"trade_route-1": "accept"}


def test_a_bot_knows_what_its_seat_knows_and_no_more() -> None:
    """Another world that looks the same from the seat: the same orders, wars and letters."""
    hosts = {"Red Host": Army("fighter", "huge", "0606", 20)}  # at home, out of sight
    seen = [
        GAME.known(
            with_kingdoms(world, {"borderia": replace(world.kingdoms["borderia"], armies=armies)}), "examplia", RULES
        )
        for treasury, hidden, armies in (
            (10, {"secret": "a grave"}, {}),
            (99, {"monsters": {"acr": 5}, "resource": True}, hosts),
        )
        for world in [
            world_of({"examplia": {"treasury": 60}, "borderia": {"treasury": treasury}}, {"hexes": {"0405": hidden}})
        ]
    ]
    letters = [Letter("borderia", "examplia", "Shall we have peace, and trade?")]
    for bot in BOTS:
        one, other = (
            GAME.bots[bot](world, "examplia", RULES, substitute_orders.chance_of("a key"), letters) for world in seen
        )
        assert one == other


@pytest.mark.parametrize(
    ("bot", "said", "answer"),
    [
        ("steady", "Shall we have peace?", "Yes: no army"),
        ("warlord", "We ask for a truce.", "Terms: as long as"),
        ("hermit", "Will you take our caravan in?", "No: we live by"),
        ("steady", "We would trade with you.", "Terms: your caravan"),
        ("steady", "May we have passage?", "Yes: pass through"),
        ("steady", "Yes: we agree to peace.", ""),
        ("steady", "What fine weather.", ""),
        ("steward", "Shall we have peace?", ""),
    ],
)
def test_a_bot_answers_a_proposal_by_what_it_does(bot: str, said: str, answer: str) -> None:
    world = known()
    letters = [Letter("borderia", "examplia", said)]
    text = GAME.bots[bot](world, "examplia", RULES, substitute_orders.chance_of("a key"), letters)
    mail = [each for each in filed(text, world).get("messages", ()) if each["to"] == "borderia"]
    assert bool(mail) is bool(answer) and all(each["text"].startswith(answer) for each in mail)


@pytest.mark.parametrize("fuzzer", FUZZERS)
def test_a_fuzzer_now_and_then_watches_its_trade_route_from_a_tower(fuzzer: str) -> None:
    """In a hex of the way that nobody holds, and only where it can pay for it."""
    route = Route(
        "borderia", ("0404", "0405", "0505", "0504"), at=3, open=True
    )  # its own land, then what it knows to be free
    cost = RULES.trade_route.tower_cost
    for treasury, watched in ((5 * cost, {"0405", "0505", "0504"}), (cost, set())):
        world = known(treasury=treasury)
        world = with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], routes={"trade_route-1": route})})
        given = [
            order
            for number in range(60)
            for order in filed(
                GAME.simulation.fuzzers[fuzzer](world, "examplia", RULES, substitute_orders.chance_of(f"key {number}")),
                world,
            ).get("improve", ())
        ]
        towers = {order["hex"] for order in given if order["build"] == "watchtower"}
        assert towers & {*route.path} - {*owners(world)} == watched


def test_the_temperaments_differ_in_what_they_are_named_for() -> None:
    builder, trader, warlord = (TEMPERS[name].often for name in FUZZERS)
    assert builder["build"] > trader["build"] > warlord["build"] and trader["special"] > builder["special"]
    assert warlord["march"] > builder["march"] and warlord["muster"] > builder["muster"]
    assert "market" in TEMPERS["trader"].likes and "raid" in TEMPERS["warlord"].likes


def test_over_time_fuzzers_give_every_kind_of_order() -> None:
    """In two campaigns most kinds; the long simulation holds that none is left out."""
    counts = sum(
        (play(Plan(Ground("realm"), f"public seed {number}", 12, (14, 12))).counts for number in range(2)), Counter()
    )
    kinds = [kind for kind in occurrences.vocabularies(GAME, RULES)["order"] if not counts["order", kind]]
    assert len(kinds) <= 4, kinds


@pytest.mark.long
@pytest.mark.parametrize("kept", [{}, {"old": True}, {"flipped": True}], ids=["today's", "old", "flipped"])
def test_bots_and_advice_know_what_to_do_by_all_rules(kept: dict[str, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """By rules that lack what came later, and by the other answer to each yes and no; muddled orders and a GM's whims beside."""
    bots, resolved = list(GAME.bots.values()), next_turn.resolved

    def advised(game: Any, state: World, filed: Any, dice: Any, today: Any, *more: Any) -> Any:
        for seat in game.seats(state):
            advice(game.known(state, seat, today.rules), seat, today.rules)
        return resolved(game, state, filed, dice, today, *more)

    monkeypatch.setattr(simulation, "_fuzzer", lambda game, index: bots[index % len(bots)])
    monkeypatch.setattr(next_turn, "resolved", advised)
    assert play(Plan(Ground("realm"), "a public seed", 8, (14, 12), **kept)).state.turn == 8


@pytest.mark.parametrize("number", range(40))
def test_what_is_drawn_at_random_can_be_read_and_is_added_to_what_is_filed(number: int) -> None:
    world = known()
    drawn = filed(muddled(world, "examplia", RULES, substitute_orders.chance_of(f"key {number}")), world)
    assert drawn["amend"] is True


def test_the_gm_of_a_simulation_writes_orders_that_can_be_read() -> None:
    world = world_of({"examplia": {"treasury": -5, "unrest": 9}, "borderia": {}})
    world = with_kingdoms(
        world, {"borderia": replace(world.kingdoms["borderia"], destroyed=True, hexes={}, settlements={})}
    )
    names = {**GAME.names(RULES), "seats": tuple(world.kingdoms)}
    kinds: Counter = Counter()
    for number in range(60):
        text = GAME.simulation.gm(world, RULES, substitute_orders.chance_of(f"key {number}"))
        filing = orders_file.read(text.encode(), "gm.yaml", GAME, names, "gm", 1)
        assert filing.orders is not None, filing.problems
        kinds.update(next(iter(order)) for order in filing.orders.get("gm", ()))
    assert kinds["grant"] and kinds["set"] and kinds["add"] and kinds["event"] and kinds["monsters"]
