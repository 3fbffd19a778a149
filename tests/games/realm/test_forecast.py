"""The forecast of the next turn is what the engine comes to on every face; that of several turns is as its runs are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.engine.dice import Dice
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast.exact import End, ends_of
from kingdom.games.realm.forecast.forecast import BANDS, CHANCES, at_risk, forecast, quantile
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.view import view
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Event, Guest, Modifier, Route, World, replace
from tests.games.realm import wild
from tests.games.realm.fits import chance_of_fit
from tests.games.realm.forecasts import (
    Faces,
    courses_by_engine,
    courses_by_samples,
    end_of,
    ends_by_engine,
    standing_of,
)
from tests.games.realm.kit import rules_of, world_of
from tests.kit import archives
from tests.kit.rows import sampled

RULES = rules_of()
SEAT = "examplia"
ROUSE, HEADS = {"loyalty": {"rouse_the_people": ""}}, {"loyalty": {"change_minds_by_breaking_heads": ""}}
FEW_FACES = {
    "check": {"die": 4, "always_succeeds": 4},
    "stability": {"far_die": 3},
}  # so that all of them are soon thrown
SMALL = rules_of(FEW_FACES)
WILD = rules_of({**FEW_FACES, "income": {"divisor": 2}, "events": {"chance": {"normal": 60, "after_quiet_turn": 90}},
                 "trade": {"between_neighbours": True}})  # fmt: skip
EXAMPLES = ("greenmarch", "war-of-the-ford")


def kingdom(state: Mapping[str, Any] = {}, **more: Any) -> World:
    """A kingdom of four hexes, with `state` over its record."""
    land = {"0404": [], "0405": ["farm"], "0304": ["farm"], "0503": []}
    given = {"attributes": {"economy": 5, "loyalty": 4, "stability": 3}, "hexes": land, **more}
    return world_of({SEAT: given}, state={SEAT: msgspec.to_builtins(dict(state))})


def exact(world: World, rules: Rules, seat: str = SEAT, orders: Mapping[str, Any] = {}) -> dict[End, float]:
    ways = ends_of(standing_of(world, seat, rules, orders), rules, next(iter(orders.get("loyalty", {})), ""))
    total = sum(ways.values())
    return {end: each / total for end, each in ways.items()}


def told(
    world: World, orders: Mapping[str, Any] = {}, turns: int = 1, samples: int = 500, rules: Rules = RULES
) -> dict[str, Any]:
    import numpy as np

    return forecast(GAME.known(world, SEAT, rules), SEAT, rules, orders, turns, samples, np.random.default_rng(1))


# --- the next turn, over every face ------------------------------------------------------------------------------------------

MONSTER = {"monster_attack-1": Event("monster_attack", 1, hex="0503")}
WANTED = {
    "squatters-1": Event(
        "squatters", 1, hex="0404", settlement="Oakhold", facts={"wanted": "House", "wanted_by": 1, "had": 0}, done=True
    )
}
GRANARY = {"settlements": {"Oakhold": {"hex": "0404", "buildings": ["granary"]}}}
EDGES: dict[str, World] = {
    "at peace": kingdom(),
    "with a little Unrest": kingdom(unrest=3),
    "with Unrest up to the face": kingdom(unrest=8),
    "one below the loss of a hex": kingdom(unrest=10),
    "at the loss of a hex": kingdom(unrest=11),
    "one below anarchy": kingdom(unrest=19),
    "on the edge of anarchy": kingdom(unrest=18),
    "beyond the limit of anarchy": kingdom(unrest=24),
    "in anarchy": kingdom({"anarchy": 1}, unrest=21),
    "about to fall into anarchy": kingdom({"anarchy": 2}, unrest=21),
    "a hex is due": kingdom({"loses_hex": True}, unrest=12),
    "with attributes below 0": kingdom(attributes={"economy": -9, "loyalty": -9, "stability": -9}, unrest=9),
    "that can't fail but by a natural": kingdom(attributes={"economy": 60, "loyalty": 60, "stability": 60}, unrest=1),
    "with an empty treasury": kingdom(treasury=0, hexes=dict.fromkeys(("0404", "0405", "0304", "0503"), [])),
    "with debts": kingdom(treasury=-3, unrest=19, hexes=dict.fromkeys(("0404", "0405", "0304", "0503"), [])),
    "with a granary that fills": kingdom(hexes={"0404": [], **dict.fromkeys(("0405", "0304", "0503", "0403"), ["farm"])}, **GRANARY),
    "with a granary that gives": kingdom({"stores": 4}, treasury=0, hexes=dict.fromkeys(("0404", "0405", "0304"), []), **GRANARY),
    "with stores and no granary": kingdom({"stores": 4}, treasury=0, hexes=dict.fromkeys(("0404", "0405", "0304"), [])),
    "with works": kingdom(hexes={"0404": [], "0405": ["mine"], "0304": ["quarry"]}),
    "that landed nowhere": kingdom(hexes={}, settlements={}, unrest=4),
    "that begins anew and does not settle": kingdom({"anew": True}, hexes={"0404": []}, settlements={}, unrest=4),
    "aided by an event": kingdom({"modifiers": [Modifier("economy_checks", 4, "economic_boom", "boom", ends=9)]}, unrest=3),
    "with aid that comes": kingdom({"coming": [Modifier("stability", 5, "aid", "aid")]}, unrest=3),
    "with monsters at large": replace(kingdom({"events": MONSTER}, unrest=4), hexes={
        **kingdom().hexes, "0503": replace(kingdom().hexes["0503"], monsters=3)}),
    "with monsters that are gone": kingdom({"events": MONSTER}, unrest=4),
    "with houses that were asked for": kingdom({"events": WANTED}, unrest=4),
    "with armies that eat": kingdom(treasury=1, armies=[{"name": "First Foot", "unit": "warrior", "size": "medium"}]),
}  # fmt: skip


CHECKS = {"no check": {}, "rouse": ROUSE, "heads": HEADS}


def edges() -> Iterator[Any]:
    """Each edge without a loyalty check, and with each kind of it: the short run has every other edge, with one of the three by turns."""
    for number, edge in enumerate(EDGES):
        for kind, (name, orders) in enumerate(CHECKS.items()):
            marks = () if number % 2 == 0 and number // 2 % 3 == kind else pytest.mark.long
            yield pytest.param(edge, orders, id=f"{edge}-{name}", marks=marks)


@pytest.mark.parametrize(("edge", "orders"), list(edges()))
def test_a_kingdom_on_an_edge(edge: str, orders: Mapping[str, Any]) -> None:
    """With dice of few faces, so that the whole turn is run on all of them."""
    assert exact(EDGES[edge], SMALL, orders=orders) == pytest.approx(
        ends_by_engine(EDGES[edge], SEAT, SMALL, orders, whole=True)
    )


@pytest.mark.parametrize(
    "edge",
    sampled(
        ["at peace", "on the edge of anarchy", "with debts", "with a granary that gives"],
        ["on the edge of anarchy", "with a granary that gives"],
    ),
)
def test_every_face_of_the_real_dice(edge: str) -> None:
    assert exact(EDGES[edge], RULES) == pytest.approx(ends_by_engine(EDGES[edge], SEAT, RULES))


@pytest.mark.long
@pytest.mark.parametrize("orders", [ROUSE, HEADS], ids=["rouse", "heads"])
def test_every_face_of_the_real_dice_with_a_loyalty_check(orders: Mapping[str, Any]) -> None:
    """48,000 ways."""
    world = EDGES["on the edge of anarchy"]
    assert exact(world, RULES, orders=orders) == pytest.approx(ends_by_engine(world, SEAT, RULES, orders))


def test_the_engine_throws_no_other_dice_where_nothing_is_left_out() -> None:
    """So the engine may as well be run with dice all of which are thrown, by a GM's tape."""
    ends: dict[End, float] = {}
    for economy in range(1, 21):
        for stability in range(1, 21):
            for far in range(1, 7):
                tape = {SEAT: {"economy": [economy], "stability": [stability], "stability_failure": [far]}}
                result = resolve(GAME, EDGES["one below anarchy"], {}, Dice("", 1, tape=tape), RULES)
                assert {roll.source for roll in result.rolls} == {"tape"}
                end = end_of(result.after, SEAT)
                ends[end] = ends.get(end, 0) + 1 / 2400
    assert exact(EDGES["one below anarchy"], RULES) == pytest.approx(ends)


def wild_worlds(seeds: range) -> None:
    """Everything is under way at once, orders of all kinds are given, two turns one after the other."""
    for seed in seeds:
        random = Random(seed)
        world = wild.world_of(random, WILD)
        for _ in range(2):
            filed = wild.filings(random, world, WILD)
            for seat in GAME.seats(world):
                orders = {**filed.get(seat, {}), **random.choice(({}, ROUSE, HEADS))}
                seen = GAME.known(world, seat, WILD)
                found, engine = exact(seen, WILD, seat, orders), ends_by_engine(seen, seat, WILD, orders)
                assert found == pytest.approx(engine), (seed, world.turn, seat)
            world = resolve(GAME, world, filed, Dice(str(seed), world.turn + 1), WILD).after


def test_wild_worlds() -> None:
    wild_worlds(range(1))


@pytest.mark.long
def test_many_wild_worlds() -> None:
    wild_worlds(range(1, 80))


def seats_of_examples() -> list[tuple[str, str]]:
    opened = {name: campaigns.open_campaign(archives.example(name)) for name in EXAMPLES}
    return [(name, seat) for name, campaign in opened.items() for seat in campaign.first_seats]


def example(name: str) -> tuple[World, Rules]:
    campaign = campaigns.open_campaign(archives.example(name))
    return campaigns.state_of(campaign, campaigns.kept(campaign)), campaigns.rules_today(campaign).rules


@pytest.mark.parametrize("name, seat", seats_of_examples())
def test_the_seats_of_the_example_campaigns(name: str, seat: str) -> None:
    """With dice of few faces, else on the rules that the campaign plays by."""
    world, rules = example(name)
    rules = msgspec.structs.replace(rules, check=SMALL.check, stability=SMALL.stability)
    seen = GAME.known(world, seat, rules)
    assert exact(seen, rules, seat) == pytest.approx(ends_by_engine(seen, seat, rules))


@pytest.mark.long
@pytest.mark.parametrize("name, seat", seats_of_examples())
def test_every_face_of_the_real_dice_for_the_seats_of_the_example_campaigns(name: str, seat: str) -> None:
    world, rules = example(name)
    seen = GAME.known(world, seat, rules)
    assert exact(seen, rules, seat) == pytest.approx(ends_by_engine(seen, seat, rules))


def test_only_dice_that_are_named_are_thrown() -> None:
    """The dice that these tests run the engine with leave all others in their cup."""
    dice = Faces(SEAT, {"economy": 3})
    assert dice.result(SEAT, "economy", 1, 20).result == 3
    assert dice.result(SEAT, "loyalty", 1, 20) is None and dice.result("borderia", "economy", 1, 20) is None


# --- several turns, by samples -----------------------------------------------------------------------------------------------

FAR = {label: [] for label in ("0304", "0503", "0305", "0205", "0206", "0306", "0504", "0603")}
COURSES: dict[str, tuple[World, Mapping[str, Any]]] = {
    "that falls apart": (
        kingdom(treasury=6, unrest=9, hexes={"0404": [], "0405": ["farm"], "0105": ["road"], **FAR},
                attributes={"economy": 3, "loyalty": 2, "stability": 1}), {}),
    "that is roused": (kingdom(treasury=20, unrest=4, attributes={"economy": -4, "loyalty": 8, "stability": 3}, **GRANARY), ROUSE),
    "whose heads are broken": (kingdom(treasury=4, unrest=17, attributes={"economy": 9, "loyalty": 0, "stability": 9}), HEADS),
    "with armies it can't pay": (
        kingdom({"modifiers": [Modifier("economy", -3, "plague", "plague", ends=3)], "loses_hex": True}, treasury=9, unrest=12,
                armies=[{"name": "Host", "unit": "warrior", "size": "large"}, {"name": "Foot", "unit": "warrior", "size": "medium"}]), {}),
    "that needs nothing": (kingdom(attributes={"economy": 30, "loyalty": 30, "stability": 30}, treasury=90), {}),
}  # fmt: skip
PARTS: tuple[Callable[[End], Any], ...] = (
    lambda end: end.treasury,
    lambda end: end.unrest,
    lambda end: end[2:],
    lambda end: end,
)


@cache
def engine_runs(name: str, turns: int, runs: int) -> list[list[End]]:
    """Turn by turn how runs of the engine ended it."""
    return courses_by_engine(COURSES[name][0], SEAT, RULES, COURSES[name][1], turns, runs)


def worst_fit(engine: list[list[End]], samples: list[list[End]]) -> float:
    """The smallest p-value of treasury, of Unrest, of the rest, and of all together, of any turn."""
    return min(
        chance_of_fit(map(part, one), map(part, other))
        for one, other in zip(engine, samples, strict=False)
        for part in PARTS
    )


def wrong_rules() -> dict[str, Rules]:
    """Rules that differ from the engine's in one figure."""
    return {
        "a smaller die of bad failures": rules_of({"stability": {"far_die": RULES.stability.far_die - 1}}),
        "taxes divided otherwise": rules_of({"income": {"divisor": RULES.income.divisor + 1}}),
        "a higher Control DC": rules_of({"control_dc": {"base": RULES.control_dc.base + 4}}),
        "no Unrest for an unpaid Consumption": rules_of({"consumption": {"unpaid_unrest": 0}}),
    }


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) for name in COURSES],
)
def test_samples_are_as_runs_of_the_engine(name: str) -> None:
    world, orders = COURSES[name]
    assert worst_fit(engine_runs(name, 4, 300), courses_by_samples(world, SEAT, RULES, orders, 4, 20_000)) > 0.001


@pytest.mark.long
@pytest.mark.parametrize("name", COURSES)
def test_samples_are_as_five_thousand_runs_of_the_engine(name: str) -> None:
    world, orders = COURSES[name]
    assert worst_fit(engine_runs(name, 6, 5_000), courses_by_samples(world, SEAT, RULES, orders, 6, 50_000)) > 0.001


@pytest.mark.long
@pytest.mark.parametrize("name, seat", seats_of_examples())
def test_samples_are_as_runs_of_an_example_campaign(name: str, seat: str) -> None:
    """The seat alone, without events and without what is under way, which the samples leave out."""
    world, rules = example(name)
    rules = msgspec.structs.replace(rules, events=RULES.events, trade=RULES.trade)
    mine = replace(
        world.kingdoms[seat], events={}, expeditions={}, parties={}, routes={}, guests={}, plan=(), captives={}
    )
    alone = replace(world, kingdoms={seat: mine}, chance=None)
    engine = courses_by_engine(alone, seat, rules, {}, turns=5, runs=2_000)
    assert worst_fit(engine, courses_by_samples(alone, seat, rules, {}, 5, 50_000)) > 0.001


@pytest.mark.parametrize("wrong", wrong_rules())
def test_a_wrong_model_does_not_fit(wrong: str) -> None:
    """So the tests above can fail: one wrong figure is seen in as few runs as the short run makes."""
    name = "that falls apart"
    samples = courses_by_samples(COURSES[name][0], SEAT, wrong_rules()[wrong], {}, 4, 20_000)
    assert worst_fit(engine_runs(name, 4, 300), samples) < 0.00001


@pytest.mark.long
def test_five_thousand_runs_tell_a_single_point_of_a_check() -> None:
    name, wrong = "that is roused", rules_of({"control_dc": {"base": RULES.control_dc.base + 1}})
    samples = courses_by_samples(COURSES[name][0], SEAT, wrong, ROUSE, 6, 50_000)
    assert worst_fit(engine_runs(name, 6, 5_000), samples) < 0.00001


def test_the_first_turn_of_the_samples_is_the_exact_one() -> None:
    world, orders = COURSES["whose heads are broken"]
    sampled, ends = courses_by_samples(world, SEAT, RULES, orders, 1, 200_000)[0], exact(world, RULES, orders=orders)
    assert set(sampled) <= set(ends)
    for end, chance in ends.items():
        assert sampled.count(end) / len(sampled) == pytest.approx(chance, abs=5 * (chance / len(sampled)) ** 0.5 + 1e-4)


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 12), marks=pytest.mark.long)], ids=["some", "more"])
def test_several_turns_of_wild_worlds(seeds: range) -> None:
    """Whatever is under way: every sample comes to its end, and what is told of them holds together."""
    import numpy as np

    for seed in seeds:
        random = Random(seed)
        world = wild.world_of(random, wild.RULES)
        filed = wild.filings(random, world, wild.RULES)
        for seat in GAME.seats(world):
            seen, orders = GAME.known(world, seat, wild.RULES), filed.get(seat, {})
            found = forecast(seen, seat, wild.RULES, orders, 4, 60, np.random.default_rng(seed))
            assert len(found["later"]) == 4, (seed, seat)
            assert all(each["accounts"]["size"]["5"] >= 0 for each in found["later"])
            assert found["later"][0]["accounts"]["treasury"]["5"] >= found["next"]["accounts"]["treasury"][0][0]


def test_rules_of_older_turns_have_forecasts_too() -> None:
    """Without the tables that came later: no events, no armies, no trade, no plans."""
    later = {field.name: field.default for field in msgspec.structs.fields(RULES) if field.default is None}
    old = msgspec.structs.replace(RULES, event_kinds={}, units={}, army_sizes={}, **later)
    found = told(EDGES["at the loss of a hex"], {"claim": ["0403"]}, turns=3, rules=old)
    assert len(found["later"]) == 3 and found["next"]["chances"]["hex_loss"] == 1


# --- what is told ------------------------------------------------------------------------------------------------------------


def test_the_chances_are_those_of_the_table() -> None:
    world = EDGES["on the edge of anarchy"]
    end = told(world)["next"]
    for rows in end["accounts"].values():
        assert sum(chance for _, chance in rows) == pytest.approx(1) and rows == sorted(rows)
    ends = exact(world, RULES)
    assert end["ways"] == 20 * 20 * 6
    assert (
        end["chances"]["anarchy"] == pytest.approx(sum(chance for each, chance in ends.items() if each.anarchy))
        and end["chances"]["anarchy"] > 0
    )
    assert end["chances"]["hex_loss"] == 1  # Unrest is 11 or more
    assert set(end["chances"]) == set(CHANCES)
    whole = {
        (each["treasury"], each["unrest"], each["stores"], each["size"], each["anarchy"]): each["chance"]
        for each in end["ends"]
    }
    assert whole == pytest.approx(
        {(each.treasury, each.unrest, each.stores, each.size, each.anarchy): chance for each, chance in ends.items()}
    )


def test_a_hex_at_risk_is_named() -> None:
    """Where none is named the farthest from the capital goes, of those the one with the least built."""
    assert told(EDGES["at the loss of a hex"])["next"]["first_to_go"] == ["0503"]
    assert told(EDGES["at peace"])["next"]["first_to_go"] == []


def test_anarchy_puts_one_hex_in_so_many_at_risk() -> None:
    one_in = RULES.anarchy.loses_one_in
    assert at_risk(End(0, 20, 0, 3 * one_in, False, True), RULES) == 3
    assert at_risk(End(0, 20, 0, 3 * one_in, True, True), RULES) == RULES.hex_loss.hexes + 2
    assert at_risk(End(0, 4, 0, 3 * one_in, False, False), RULES) == 0


def test_orders_count_and_refused_ones_are_told() -> None:
    found, price = told(kingdom(), {"claim": ["0403", "0101"]}), RULES.claim.cost
    assert found["next"]["start"]["treasury"] == told(kingdom())["next"]["start"]["treasury"] - price
    assert [each["code"] for each in found["refused"]] == ["claim_not_adjacent"]


def test_the_loyalty_check_is_told_where_it_is_ordered() -> None:
    assert set(told(kingdom())["checks"]) == {"economy", "stability"}
    assert set(told(kingdom(), ROUSE)["checks"]) == {"economy", "stability", "loyalty"}


def test_bands_of_several_turns() -> None:
    found = told(EDGES["with a little Unrest"], turns=3)
    assert [each["turn"] for each in found["later"]] == [1, 2, 3]
    for each in found["later"]:
        for band in each["accounts"].values():
            values = [band[str(percent)] for percent in BANDS]
            assert values == sorted(values)
    shares = [each["chances"] for each in found["later"]]
    assert all(one[name] <= other[name] for one, other in pairwise(shares) for name in CHANCES)


def test_what_is_drawn_is_reproducible() -> None:
    assert told(kingdom(), turns=3) == told(kingdom(), turns=3)


def test_one_turn_needs_no_chance() -> None:
    found = forecast(GAME.known(kingdom(), SEAT, RULES), SEAT, RULES, {}, 1, 0, None)
    assert found["later"] == [] and found["samples"] == 0


def test_quantiles_of_a_table() -> None:
    rows = [(2, 0.25), (3, 0.5), (9, 0.25)]
    assert [quantile(rows, percent) for percent in (5, 25, 50, 75, 95, 100)] == [2, 2, 3, 3, 9, 9]


def test_of_a_destroyed_kingdom_nothing_is_told() -> None:
    world = kingdom({"destroyed": True}, hexes={}, settlements={})
    assert told(world) == {}


def test_the_report_tells_what_the_forecast_says() -> None:
    world = EDGES["one below the loss of a hex"]
    result = resolve(GAME, world, {}, Dice("report", 1), RULES)
    shown, found = view(result, SEAT, RULES)["forecast"], told(result.after)
    assert shown["turn"] == found["turn"] == 2
    rows = {each["name"]: [(row["value"], row["chance"]) for row in each["rows"]] for each in shown["accounts"]}
    assert rows == {name: found["next"]["accounts"][name] for name in ("treasury", "unrest")}
    assert {each["name"]: each["chance"] for each in shown["chances"]} == found["next"]["chances"]
    assert shown["left_out"] == found["left_out"]


# --- what is left out --------------------------------------------------------------------------------------------------------

OTHER = {"hexes": {"0502": []}, "settlements": {"Millford": {"hex": "0502"}}}
TRADE = rules_of({"trade": {"between_neighbours": True}})
ROUTE = {"trade_route-1": Route("borderia", ("0404", "0403"), at=1, open=True)}


def left_out(world: World, orders: Mapping[str, Any] = {}, turns: int = 1, rules: Rules = RULES) -> str:
    return "\n".join(told(world, orders, turns, rules=rules)["left_out"])


def test_a_quiet_kingdom_leaves_out_what_others_do() -> None:
    assert left_out(kingdom()) == "What other kingdoms and the GM do: all of them stand still."


@pytest.mark.parametrize("orders, said", [
    ({"claim": ["0403"]}, "0403 (ruling contested_claim)"),
    ({"plan": ["claim 0403"]}, "0403 (ruling contested_claim)"),
    ({"capital": "Oakhold"}, "ruling capital_move"),
    ({"smuggle": ["borderia"]}, "ruling smuggling"),
    ({"special": [{"edict": "explore", "from": "Oakhold", "weeks": 1, "toward": "n"}]}, "expeditions"),
    ({"special": [{"edict": "adventurers", "bp": 6, "task": "0303"}]}, "adventurers"),
    ({"armies": [{"recruit": "First Foot", "size": "medium", "unit": "warrior", "from": "Oakhold"}]}, "Battles"),
])  # fmt: skip
def test_what_orders_leave_to_others_and_to_other_dice(orders: Mapping[str, Any], said: str) -> None:
    assert said in left_out(kingdom(), orders) and said not in left_out(kingdom())


@pytest.mark.parametrize("state, said", [
    ({"events": MONSTER}, "Monster attack in 0503"),
    ({"routes": ROUTE}, "Borderia (ruling trade)"),
    ({"guests": {"trade_route-1": Guest("borderia", "trade_route-1", ("0502", "0503"))}}, "Borderia (ruling trade)"),
    ({"routes": {"trade_route-1": Route("borderia", ("0404", "0403"))}}, "ruling trade_route"),
])  # fmt: skip
def test_what_stands_leaves_to_others_and_to_other_dice(state: Mapping[str, Any], said: str) -> None:
    land = {"0404": [], "0405": ["farm"], "0304": ["farm"], "0503": []}
    world = world_of({SEAT: {"hexes": land}, "borderia": OTHER}, state={SEAT: msgspec.to_builtins(state)})
    assert said in left_out(world) and said not in left_out(kingdom())


def test_trade_with_neighbours_is_left_out_where_they_trade() -> None:
    world = world_of({SEAT: {"hexes": {"0404": [], "0503": []}}, "borderia": OTHER})
    assert "with Borderia (ruling trade)" in left_out(world, rules=TRADE)
    assert "trade" not in left_out(world)


def test_later_turns_leave_out_more() -> None:
    assert "all orders, answers and plans" in left_out(kingdom(), turns=2)
    assert "all orders, answers and plans" not in left_out(kingdom())
    assert "Events that come up" in left_out(kingdom(), turns=2, rules=wild.RULES)


# --- what a seat may know ----------------------------------------------------------------------------------------------------


def test_nothing_hidden_moves_a_forecast() -> None:
    """Another's treasury, a secret, and monsters out of sight."""
    far = {"hexes": {"0101": []}, "settlements": {"Millford": {"hex": "0101"}}}
    one = world_of(
        {SEAT: {"hexes": {"0606": []}}, "borderia": {**far, "treasury": 3}},
        map={"hexes": {"0102": {"terrain": "hills"}}},
    )
    other = world_of({SEAT: {"hexes": {"0606": []}}, "borderia": {**far, "treasury": 300}},
                     map={"hexes": {"0102": {"terrain": "hills", "secret": "a den", "monsters": {"acr": 3}, "resource": True}}})  # fmt: skip
    assert told(one, turns=3) == told(other, turns=3)
