"""A seat's turn to come, of which report, form, advice and bots ask: what was played of it for other orders is not played again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from kingdom.engine.offer import fillings, together
from kingdom.games.realm.forecast.threats import threats
from kingdom.games.realm.forecast.turn_preview import Course, course, preview, standing
from kingdom.games.realm.offers.offers import offers, options
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import rules_of, world_of
from tests.kit.formkit import Place, place_of, wild_places

RULES = rules_of()


def wrong_in(place: Place, random: Random, sets: int) -> list[str]:
    """The order sets whose course, played on from a course of others, is not the one that is played from the start."""
    seen, seat, rules = place.game.known(place.state, place.seat, place.rules), place.seat, place.rules
    ways = [way for offer in offers(seen, seat, rules, {}) for way in fillings(offer)]
    others, found = [course(seen, seat, rules, {})], list[str]()
    for _ in range(sets):
        orders: dict[str, Any] = together(random.sample(ways, min(len(ways), random.randint(1, 7))))
        whole = course(seen, seat, rules, orders)
        for other in random.sample(others, min(3, len(others))):
            if told(course(seen, seat, rules, orders, other)) != told(whole):
                found.append(f"{place.name}: {json.dumps(orders)} behind {json.dumps(other.orders)}")
        others.append(whole)
    return found


def told(of: Course) -> tuple[object, ...]:
    return of.after, of.refused, of.turn.notices, of.turn.orders


def test_a_course_that_is_played_on_from_another_is_the_one_that_is_played_from_the_start() -> None:
    random = Random(7)
    places = [place_of("war-of-the-ford", 10, "karrak"), place_of("greenmarch", 6, "examplia"), *wild_places(range(1))]
    assert not [wrong for place in places for wrong in wrong_in(place, random, 8)]


@pytest.mark.long
def test_many_courses_are() -> None:
    random = Random(8)
    assert not [wrong for place in wild_places(range(1, 9)) for wrong in wrong_in(place, random, 40)]


def test_what_is_asked_of_a_turn_to_come_is_worked_out_once() -> None:
    """A course with orders, whatever else their file says; what threatens under them; what may be done."""
    seen = known(world_of({"examplia": {"treasury": 40}}), "examplia", RULES)
    ahead = preview(seen, "examplia", RULES)
    orders = {"edicts": {"taxation": "heavy"}}
    assert ahead.course(orders) is ahead.course({"kingdom": "examplia", "turn": 1, **orders}) is not ahead.course({})
    assert threats(seen, "examplia", RULES, orders) is threats(seen, "examplia", RULES, orders)
    assert options(seen, "examplia", RULES) is options(seen, "examplia", RULES)


def test_the_price_of_an_order_is_asked_of_a_turn_of_which_no_step_was_run_too() -> None:
    now = standing(known(world_of({"examplia": {"treasury": 40}}), "examplia", RULES), "examplia", RULES)
    then = now.foresee({"edicts": {"taxation": "heavy"}})
    assert then and then.kingdoms["examplia"].taxation == "heavy"
