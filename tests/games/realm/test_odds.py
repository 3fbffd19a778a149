"""The odds of a report are what the faces of the dice come to when the turn is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given

from kingdom.games.realm.forecast.exact import odds
from kingdom.games.realm.forecast.turn_preview import without_orders
from kingdom.games.realm.report.odds import Odds, outlook
from kingdom.games.realm.state import Modifier, World
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import rules_of, run, world_of
from tests.games.realm.worlds import worlds
from tests.kit.examples import few

RULES = rules_of()
SEAT = "examplia"
FACES = range(1, 21)
TWO_TOWNS = {"hexes": {"0404": [], "0405": []}, "settlements": {"Oakhold": {"hex": "0404"}, "Newford": {"hex": "0405"}}}


def kingdom(**more: Any) -> World:
    return world_of({SEAT: {"attributes": {"economy": 5, "loyalty": 4, "stability": 3}, **more}})


def forecast(world: World, seat: str = SEAT, **sizes: int) -> dict[str, Odds]:
    seen = without_orders(known(world, seat, RULES), seat, RULES)
    return {each.name.split(",")[0]: each for each in outlook(seen, seat, RULES, sizes)}


def share(results: list[bool]) -> float:
    return sum(results) / len(results)


def moved(world: World, step: str, account: str, dice: Mapping[str, Any], orders: Mapping[str, Any] = {}) -> int:
    result = run(world, {SEAT: dict(orders)}, dice={SEAT: dice})
    return sum(e.delta for e in result.entries if (e.step, e.account) == (step, account))


@few
@given(worlds())
def test_economy_and_stability_succeed_as_often_as_forecast(world: World) -> None:
    """Whatever state the kingdoms are in: what ends, what comes, a hex to lose and negative attributes are reckoned with."""
    rolled = [roll for roll in run(world, {}).rolls if roll.name in ("economy", "stability")]
    played: dict[tuple[str, str], list[bool]] = {}
    for die in FACES:
        tape: dict[str, dict[str, int]] = {}
        for roll in rolled:
            tape.setdefault(roll.kingdom, {})[roll.name] = die
        for notice in run(world, {}, dice=tape).notices:
            if notice.kind == "check":
                played.setdefault((notice.seat, notice.facts["name"]), []).append(notice.facts["success"])
    for seat in world.kingdoms:
        chances = odds(without_orders(known(world, seat, RULES), seat, RULES), seat, RULES)
        for name in ("economy", "stability"):
            assert chances[name] == pytest.approx(share(played.get((seat, name), [False])))


def test_what_a_successful_economy_check_pays() -> None:
    world = kingdom()
    rows = {each.what: each for each in forecast(world)["Economy"].outcomes}
    paid = [moved(world, "taxes", "treasury", {"economy": die}) for die in FACES]
    assert (rows["BP"].low, rows["BP"].high) == (min(filter(None, paid)), max(paid))
    assert rows["nothing"].chance == pytest.approx(paid.count(0) / 20)


def test_what_the_stability_check_leads_to() -> None:
    world = kingdom(unrest=4)
    rows = forecast(world)["Stability"].outcomes
    changes = Counter()
    for die in FACES:
        far = {"stability_failure": 6} if moved(world, "stability_check", "unrest", {"stability": die}) > 1 else {}
        changes[moved(world, "stability_check", "unrest", {"stability": die, **far})] += 1
    assert [(each.low, each.high, round(each.chance * 20)) for each in rows] == [
        (-1, -1, changes[-1]), (1, 1, changes[1]), (1, 6, changes[6]),
    ]  # fmt: skip


def test_without_unrest_stability_pays() -> None:
    best = forecast(kingdom(attributes={"economy": 5, "loyalty": 4, "stability": 20}))["Stability"].outcomes[0]
    assert (best.what, best.low, best.high) == ("BP", 1, 1)


def test_loyalty_is_checked_with_the_unrest_that_stability_left() -> None:
    """Over every face of both dice."""
    world = kingdom(unrest=4)
    successes = 0
    for die in FACES:
        failed_badly = moved(world, "stability_check", "unrest", {"stability": die}) > 1
        for far in range(1, 7):
            before = {"stability": die, **({"stability_failure": far} if failed_badly else {})}
            successes += sum(roused(world, {**before, "loyalty": face}) for face in FACES)
    rows = forecast(world)
    assert rows["Loyalty: rouse the people"].chance == pytest.approx(successes / (20 * 6 * 20))
    assert rows["Loyalty: break heads"].chance == rows["Loyalty: rouse the people"].chance


def roused(world: World, tape: Mapping[str, int]) -> bool:
    steps = ["modify_unrest", "stability_check", "loyalty_check"]
    result = run(world, {SEAT: {"loyalty": {"rouse_the_people": ""}}}, dice={SEAT: tape}, steps=steps)
    return result.notices[-1].kind == "news"


def test_what_is_coming_counts_and_what_passes_does_not() -> None:
    world = kingdom()
    fields = {"modifiers": [Modifier("economy", 9, "aid", "aid")], "coming": [Modifier("stability", 2, "aid", "aid")]}
    later = world_of({SEAT: {"attributes": {"economy": 5, "loyalty": 4, "stability": 3}}}, state={SEAT: plain(fields)})
    now, then = forecast(world), forecast(later)
    assert then["Economy"].chance == now["Economy"].chance
    assert then["Stability"].chance == pytest.approx(now["Stability"].chance + 2 / 20)


def plain(fields: Mapping[str, Any]) -> Any:
    return msgspec.to_builtins(fields)


def test_the_face_that_is_needed() -> None:
    """DC 12 at size 1 with one district; Economy 5 with 3 for leadership."""
    assert forecast(kingdom())["Economy"].needs == (4, 4)


def test_an_anarchy_turn_has_no_odds() -> None:
    world = world_of({SEAT: {}}, state={SEAT: {"anarchy": 1}})
    assert forecast(world) == {}
    assert odds(world, SEAT, RULES) == {"economy": 0, "loyalty": 0, "stability": 0}


def test_the_capital_can_be_moved_where_there_are_two_settlements() -> None:
    assert "Stability: move the capital" not in forecast(kingdom())
    row = forecast(kingdom(**TWO_TOWNS))["Stability: move the capital"]
    tries = [moved(kingdom(**TWO_TOWNS), "capital_move", "unrest", {"capital_move": [die] + [6] * (die <= row.needs[0] - 1)},
                   {"capital": "Newford"}) for die in FACES]  # fmt: skip
    assert row.chance == pytest.approx(tries.count(1) / 20)


def test_aid_is_rolled_against_the_size_of_the_other() -> None:
    """No natural 1 or 20: a kingdom without Opulence never helps one of size 21, and always one of size 1."""
    rows = forecast(kingdom(), Giant=21, Dwarf=1)
    assert rows["Aid to Giant"].chance == 0 and rows["Aid to Giant"].needs == (0, 0)
    assert rows["Aid to Dwarf"].chance == pytest.approx(1)
    assert [(each.what, each.low, each.high) for each in rows["Aid to Dwarf"].outcomes] == [
        ("to an attribute there", 1, 10)
    ]


def test_a_plan_does_not_claim_what_is_seen_to_be_held() -> None:
    """Of two kingdoms that touch one plans to claim land of the other, which is no more free because it orders nothing."""
    others = {"borderia": {"hexes": {"0405": []}, "settlements": {"Millford": {"hex": "0405"}}}}
    world = world_of({SEAT: {"hexes": {"0404": []}}, **others}, state={SEAT: {"plan": ["claim 0405", "claim 0403"]}})
    after = without_orders(known(world, SEAT, RULES), SEAT, RULES).kingdoms[SEAT]
    assert set(after.hexes) == {"0404", "0403"}
