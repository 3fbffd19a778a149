"""What a player learns of an expedition, and when: nothing before it is back, and never whether something was overlooked."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.report.printed_sheet import sheet
from kingdom.games.realm.state import Hex, Sighting, World, replace
from kingdom.games.realm.visibility.known import known, known_hex
from tests.games.realm.kit import orders_of, rules_of, run, world_of
from tests.games.realm.reportkit import files_of, section, turn_of, words
from tests.kit.examples import tries

RULES = rules_of()
AFAR = ("0406", "0407")  # hexes of the route that nobody sees from home
KINGDOMS = {"examplia": {"attributes": {"stability": 4, "loyalty": 4}}, "borderia": {}}
NOTHING_NEW = "  {label}  Plains     nothing more"

hidden = st.fixed_dictionaries({}, optional={
    "resource": st.just(True), "lair": st.just(True), "secret": st.sampled_from(["a shrine", "an old mine"]),
    "ruin": st.just("temple"), "building": st.just("inn"), "hazard": st.just("quicksand"),
})  # fmt: skip
lands = st.fixed_dictionaries({
    "terrain": st.sampled_from(["plains", "hills", "marsh", "water"]),
    "features": st.lists(st.sampled_from(["river", "lake", "landmark"]), unique=True),
})  # fmt: skip


def sent(land: dict[str, Any], weeks: int = 2, escort: int | None = None) -> tuple[World, dict[str, Any]]:
    """A world with that land in the south, and the order that sends an expedition there."""
    world = world_of(KINGDOMS, {"hexes": land})
    order = {"edict": "explore", "from": "Oakhold", "weeks": weeks, "route": ["0405", *AFAR]}
    return world, {"examplia": {"special": [order | ({"escort": escort} if escort else {})]}}


def reports_of(world: World, orders: dict[str, Any], dice: Any = None) -> tuple[str, str]:
    """Examplia's report as text and as a page."""
    files = files_of(turn_of(world, orders, dice))
    return files["examplia.txt"], files["examplia.html"]


@tries(5, 15)
@given(one=st.tuples(lands, hidden), other=st.tuples(lands, hidden), dice=st.tuples(*[st.integers(1, 20)] * 2))
def test_before_it_is_back_nobody_can_tell_what_it_saw(one: Any, other: Any, dice: tuple[int, int]) -> None:
    told = []
    for (land, there), die in zip((one, other), dice, strict=False):
        world, orders = sent({label: {**land, **there} for label in AFAR})
        result = run(world, orders_of(orders, world, RULES), RULES, {"gm": {"explore-examplia-0405": die}})
        told.append(
            (
                files_of(result)["examplia.txt"],
                files_of(result)["examplia.html"],
                known(result.after, "examplia", RULES),
            )
        )
    assert told[0] == told[1]


@tries(5, 15)
@given(there=hidden, die=st.integers(1, 20))
def test_a_look_that_failed_is_told_like_a_hex_that_hides_nothing(there: dict[str, Any], die: int) -> None:
    overlooked, orders = sent({"0406": there}, weeks=1)
    empty, _ = sent({}, weeks=1)
    with_something = reports_of(overlooked, orders, {"gm": {"explore-examplia-0406": 1}})
    with_nothing = reports_of(empty, orders, {"gm": {"explore-examplia-0406": die}})
    assert with_something == with_nothing
    assert NOTHING_NEW.format(label="0406") in with_something[0]


def test_the_report_says_who_is_away_and_until_when() -> None:
    world, orders = sent({}, weeks=3, escort=6)
    told = section(turn_of(world, orders), "EXPEDITIONS AND ADVENTURERS")
    assert " ".join(told.split()) == "explore-1: from Oakhold since turn 1, back in turn 3, with adventurers of ACR 3."


def test_the_report_of_its_return_goes_hex_by_hex() -> None:
    land = {
        "0405": {"terrain": "hills", "features": ["river"]},
        "0406": {"resource": True, "secret": "an old mine"},
        "0407": {"monsters": {"acr": 2}},
    }
    world, orders = sent(land, weeks=1)
    dice = {
        "gm": {f"explore-examplia-{label}": 20 for label in ("0405", *AFAR)},
        "examplia": {"expedition_loyalty-explore-1": [20, 20]},
    }
    result = turn_of(world, orders, dice)
    told = section(result, "EXPEDITIONS AND ADVENTURERS")
    assert [line.strip() for line in told.splitlines()] == [
        "The expedition explore-1 is back in Oakhold (ruling exploration).",
        "0405  Hills      River",
        "0406  Plains     Resource; an old mine",
        "0407  Plains     monsters, ACR 2; evaded monsters of ACR 2",
    ]
    page = words(files_of(result)["examplia.html"])
    assert "0406 Plains: Resource; an old mine 0407 Plains: monsters, ACR 2; evaded monsters of ACR 2" in page


def test_a_fight_of_its_adventurers_is_told_to_the_gm_alone() -> None:
    world, orders = sent({"0406": {"monsters": {"acr": 2}}}, escort=20)
    result = turn_of(world, orders, {"gm": {"explore-examplia-0406": 20}})
    assert {notice.seat for notice in result.notices if notice.kind == "battle"} == {"gm"}
    assert "0406" not in section(result, "EXPEDITIONS AND ADVENTURERS")


def test_adventurers_who_died_fight_no_more() -> None:
    world, orders = sent({"0406": {"monsters": {"acr": 20}}, "0407": {"monsters": {"acr": 1}}}, weeks=1, escort=2)
    dice = {
        "gm": {f"explore-examplia-{label}": 20 for label in AFAR},
        "examplia": {"expedition_loyalty-explore-1": [20] * 4},
    }
    result = turn_of(world, orders, dice)
    assert [notice.facts["hex"] for notice in result.notices if notice.kind == "battle"] == ["0406"]


def test_an_army_goes_with_the_expedition_and_is_back_with_it() -> None:
    army = {"name": "First Foot", "unit": "warrior", "size": "medium"}
    world = world_of({"examplia": {**KINGDOMS["examplia"], "armies": [army]}})
    order = {"edict": "explore", "from": "Oakhold", "weeks": 2, "route": ["0405", *AFAR], "escort": "First Foot"}
    away = turn_of(world, {"examplia": {"special": [order]}}).after
    assert away.kingdoms["examplia"].armies["First Foot"].hex == "0407"
    assert turn_of(away).after.kingdoms["examplia"].armies["First Foot"].hex == "0404"


def test_hired_adventurers_stand_in_the_report_until_their_task_is_done() -> None:
    world = world_of(
        KINGDOMS, {"hexes": {"0405": {"monsters": {"acr": 3}}}}, state={"examplia": {"revealed": ["0404", "0405"]}}
    )
    orders = {"examplia": {"special": [{"edict": "adventurers", "bp": 6, "task": "0405"}]}}
    dice = {"examplia": {"adventurers_count-adventurers-1": 1, "adventurers_special-adventurers-1": 16}}
    told = section(turn_of(world, orders, dice), "EXPEDITIONS AND ADVENTURERS")
    assert " ".join(told.split()) == (
        "adventurers-1: ACR 3, 16 of 16 hit points, now in 0405, after the monsters of 0405 (Hunter's bond (companions))."
    )


@tries(5, 15)
@given(one=st.tuples(lands, hidden), revealed=st.sets(st.sampled_from(["0405", *AFAR])))
def test_one_hex_is_known_as_all_are(one: Any, revealed: set[str]) -> None:
    land, there = one
    world, _ = sent({label: {**land, **there} for label in ("0405", *AFAR)})
    examplia = world.kingdoms["examplia"]
    kingdom = replace(examplia, revealed=tuple(revealed), memory={"0407": Sighting(0, Hex("forest", monsters=2))})
    world = replace(world, kingdoms={**world.kingdoms, "examplia": kingdom})
    whole = known(world, "examplia", RULES).hexes
    seen = {label: hex for label, hex in whole.items() if not RULES.terrain[hex.terrain].unseen}
    assert {label: hex for label in world.hexes if (hex := known_hex(label, world, "examplia", RULES))} == seen


def test_the_sheet_says_what_is_under_way_and_no_more() -> None:
    world, orders = sent({}, weeks=3, escort=6)
    told = sheet(turn_of(world, orders).after, "examplia", RULES)["under_way"]
    assert told == {"explore-1": {"home": "0404", "since": 1, "turns_left": 2, "adventurers": 6}}


def test_an_expedition_costs_as_much_foreseen_as_sent() -> None:
    from kingdom.engine.dice import NoDice
    from kingdom.engine.turn import resolve
    from kingdom.games.realm.game import GAME

    world, orders = sent({}, escort=6)
    seen = known(world, "examplia", RULES)
    foreseen = resolve(GAME, seen, orders_of(orders, world, RULES), NoDice(), RULES, until="edict")
    assert (
        foreseen.after.kingdoms["examplia"].treasury == turn_of(world, orders).before.kingdoms["examplia"].treasury - 14
    )
    assert foreseen.after.kingdoms["examplia"].expeditions["explore-1"].at == "0404"
