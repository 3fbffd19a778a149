"""What is said of a die before it is thrown is what its faces come to when the turn is played."""

from __future__ import annotations

import re
from typing import Any

from kingdom.engine.dice import Dice
from kingdom.engine.turn import resolve
from kingdom.games.realm.report.gambles import gambles
from kingdom.games.realm.state import Hex, World, replace
from kingdom.games.realm.turn import PLAY
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()
SEAT = "examplia"
FACES = range(1, 21)
OLDWICK = {"hexes": {"0405": {"free_city": {"name": "Oldwick", "districts": 2, "buildings": ["inn"]}}}}


def said(world: World, **orders: Any) -> list[str]:
    return gambles(known(world, SEAT, RULES), SEAT, RULES, orders)


def test_a_free_city_joins_as_often_as_is_said_with_what_it_brings() -> None:
    world = world_of({SEAT: {"attributes": {"stability": 3}, "unrest": 2}}, map=OLDWICK)
    (sentence,) = said(world, claim=["0405"])
    after = [run(world, {SEAT: {"claim": ["0405"]}}, dice={SEAT: {"free_city-0405": [die]}}) for die in FACES]
    joined = [not result.after.hexes["0405"].free_city for result in after]
    assert 0 < sum(joined) < len(FACES)
    assert sentence == (
        f"By a Stability check Oldwick in 0405 joins at {sum(joined) * 5} % (Consumption +2 with it); "
        "if the check fails, Unrest rises by 1 to 4 and it stays free."
    )


def test_a_city_that_was_asked_in_vain_is_told_again_and_another_hex_is_not() -> None:
    world = world_of({SEAT: {"hexes": {"0404": [], "0405": []}}}, map=OLDWICK)
    assert [line.partition(" joins at ")[0] for line in said(world, claim=["0405"])] == [
        "By a Stability check Oldwick in 0405"
    ]
    assert said(world, claim=["0403"]) == []


def test_adventurers_beat_monsters_about_as_often_as_is_said() -> None:
    """In 100 fights of the game's own dice; a ruling that is off says nothing."""
    world = world_of({SEAT: {"treasury": 50}})
    hexes = {**world.hexes, "0405": Hex("plains", monsters=3)}
    kingdom = replace(world.kingdoms[SEAT], revealed=("0405",), hexes={"0404": (), "0405": ()})
    world = replace(world, hexes=hexes, kingdoms={**world.kingdoms, SEAT: kingdom})
    order = {"edict": "adventurers", "bp": 6, "task": "0405"}
    (sentence,) = said(world, special=[order])
    percent = int(
        re.fullmatch(
            r"Adventurers for 6 BP beat the monsters of ACR 3 in 0405 at about (\d+) %; else they are beaten, without a penalty\.",
            sentence,
        )[1]
    )
    won = 0
    for seed in range(100):
        after = resolve(PLAY, world, {SEAT: {"special": [order]}}, Dice(f"fight {seed}", world.turn + 1), RULES).after
        won += not after.hexes["0405"].monsters
    assert abs(won - percent) < 15


def test_the_move_of_the_capital() -> None:
    towns = {"hexes": {"0404": [], "0405": []}, "settlements": {"Oakhold": {"hex": "0404"}, "Newford": {"hex": "0405"}}}
    world = world_of({SEAT: {"attributes": {"stability": 3}, **towns}})
    checks = [
        notice.facts["success"]
        for die in FACES
        for notice in run(world, {SEAT: {"capital": "Newford"}}, dice={SEAT: {"capital_move": [die]}}).notices
        if notice.kind == "check" and notice.facts["name"] == "capital_move"
    ]
    (sentence,) = said(world, capital="Newford")
    assert sentence == f"The move of the capital to Newford costs Unrest +1 at {sum(checks) * 5} %, else 1 to 6."


def test_orders_of_which_nothing_hangs_on_a_die_say_nothing() -> None:
    assert said(world_of(), claim=["0403"], edicts={"taxation": "light"}) == []
