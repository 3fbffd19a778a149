"""Nobody is first by the alphabet: where seats have other names, the same things happen to them under those names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import kingdom.games.realm.orders
import kingdom.games.realm.steps
from tests.games.realm.renamed import campaign, differences
from tests.games.realm.wild import RULES

ROOMS = [Path(next(iter(room.__path__))) for room in (kingdom.games.realm.orders, kingdom.games.realm.steps)]
# each loop over kingdoms in which the turn of one leaves something to that of the next, and why it is fair nevertheless
CARRYING = {
    "orders.kind.played": "the world, in which each gives orders for itself: levels, doors, smugglers; no other's order asks for them",
    "orders.leaving.abandon_hexes": "land: each lets go its own",
    "orders.leaving.capital_move": "the world, in which each moves its own capital, which no other's order asks for",
    "orders.special.special_edicts": "the aid that was paid for, of which each is rolled by its sender against sizes that nothing changes meanwhile",
    "event.wilderness": "nothing: what monsters moved into is only read",
    "events.events.events": "land: an event puts an improvement beside those that another put there",
    "events.events.monsters_at_large": "land and losses, which are about hexes that the kingdom holds",
    "events.events.roll_events": "land, of which an event changes hexes that the kingdom holds",
    "exploring.adventurers.hired_adventurers": "whose wounds were most, drawn by lot where they tie",
    "exploring.hazards.clear_hazards": "which hazards were cleared, and by whom; each tries as the step found them",
    "gm_kingdoms.retire": "the one kingdom that leaves is told of by name",
    "land.ground.borders_of": "nothing: which seats lie beside one is a set, whatever the order of its hexes",
    "trade.caravans._share_costs": "a loop over the sharers of one route, each with its own sheet",
    "trade.caravans.end_dead_routes": "kingdoms: what is read is the world before the step",
    "trade.caravans.route_answers": "kingdoms: each opens its own routes, and the host notes each under a key of its own",
    "trade.pairs.end_surplus": "kingdoms: of the routes of each pair that was sent first which stays, else a roll says",
    "trade.pairs.end_shut_routes": "kingdoms: each route ends by the doors of its own two, which nothing changes meanwhile",
    "war.battle_aftermath.ransoms": "treasuries, of which the ransoms of this turn pay for no other",
    "war.meeting.strikes": "who strikes where; all who strike in a hex fight one battle",
    "war.meeting.theatre_of": "who stands where",
    "war.warfare.fight_battles": "nothing: what battles left is only read",
}


def found(seed: int, turns: int) -> list[str]:
    """What the turns of a campaign come to otherwise where the seats have other names."""
    return [
        f"seed {seed}, turn {played.result.number}: {difference}"
        for played in campaign(seed, turns, RULES)
        for difference in differences(played, seed, RULES)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_crowded_campaign_comes_out_alike_under_other_names(seed: int) -> None:
    assert found(seed, 4) == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 500, 20))
def test_five_hundred_crowded_campaigns_come_out_alike_under_other_names(first: int) -> None:
    assert [difference for seed in range(first, first + 20) for difference in found(seed, 10)] == []


def test_without_the_ruling_they_do_not() -> None:
    rules = replace(RULES, nobody_first=None)
    assert any(list(differences(played, 0, rules)) for played in campaign(0, 4, rules))


# --- loops -----------------------------------------------------------------------------------------------------------------


def carrying() -> Iterator[str]:
    """MODULE.FUNCTION of each loop over kingdoms that hands on what was made before it: a name that it binds anew, or something
    to which it adds or which it gives to a function that may."""
    for place, file in ((room, file) for room in ROOMS for file in sorted(room.rglob("*.py"))):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            if place != ROOMS[0] or "turn" in ast.unparse(function.args):  # of orders only what a turn carries out
                for seats, body in _loops(function):
                    if "kingdoms" in ast.unparse(seats) and _hands_on(body, function, seats):
                        name = f"{file.relative_to(place.parent).with_suffix('')}.{function.name}".replace("/", ".")
                        yield name.removeprefix("steps.")


def _bound(function: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno


def _loops(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, list[ast.AST]]]:
    """What each loop or comprehension goes through, and what it does each time."""
    for node in ast.walk(function):
        if isinstance(node, ast.For):
            yield node.iter, [*node.body]
        if isinstance(node, ast.DictComp):
            yield node.generators[0].iter, [node.key, node.value]
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            yield node.generators[0].iter, [node.elt]


def _hands_on(body: list[ast.AST], function: ast.FunctionDef, seats: ast.expr) -> bool:
    before = {name for name, line in _bound(function) if line < seats.lineno}
    given = {argument.arg for argument in function.args.args}
    for node in (node for part in body for node in ast.walk(part)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in before | given:
            return True
        if isinstance(node, ast.Call) and any(isinstance(each, ast.Name) and each.id in before for each in node.args):
            return True
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in before:
            return True
        stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        if stored and ast.unparse(node.value) in before and ast.unparse(node.slice) != "seat":
            return True
    return False


def test_each_loop_over_kingdoms_that_hands_something_on_is_fair() -> None:
    """Say here why a new one is fair, and see that crowded campaigns play it."""
    assert set(carrying()) == set(CARRYING)
