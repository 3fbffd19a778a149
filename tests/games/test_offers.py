"""The one list of what may be ordered, for every game that has one: each offer is accepted, and what is accepted was offered.

tests/plays/NAME.py says of each game: ALTERNATIVES, the lists of which one order counts; draws, which draws orders from what
the game declares and knows no offers; offered_as, an order as its offer has it, None for kinds that have no end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom.engine import game as games
from kingdom.engine.dice import NoDice
from kingdom.engine.offer import LIST, MAP, ONE, Gap, Offer, Picks, filled, fillings, fits
from kingdom.engine.turn import resolve
from kingdom.games.kit.drawn import NOT_DRAWN
from kingdom.orders import orders_file, yaml_out
from kingdom.orders.kit import random_play
from kingdom.orders.schema import ListOf, MapOf, Record
from tests.games import example
from tests.games.test_every_game import play, plays

OWN = {
    file.parent.name for file in Path(__file__).parent.glob("*/test_offers.py")
}  # games with such a test of their own
OFFERING = [name for name in games.names() if games.load(name).offers and name not in OWN] + ["harbour"]
offering = pytest.mark.parametrize("name", OFFERING)


@pytest.fixture(autouse=True)
def with_the_example() -> Iterator[None]:
    with example.found():
        yield


STEPS, TRIED = 3, 6  # orders given one after the other; offers tried before each


def seats_asked(name: str, most: int) -> Iterator[tuple[Any, Any, str, Any, Random]]:
    """(game, what a seat knows, seat, rules, chance) of each seat before so many turns, evenly spread, that the tests play."""
    turns = list(enumerate(play(name)))
    for number, turn in turns[:: -(-len(turns) // most)]:
        for seat in turn.game.seats(turn.before):
            known = turn.game.known(turn.before, seat, turn.rules)
            yield turn.game, known, seat, turn.rules, Random(f"{name} {number} {seat}")


def given(orders: Mapping[str, Any], key: str, how: str, order: Any, alone: bool) -> dict[str, Any]:
    """These orders and one more. alone: of its list it is the only one."""
    if how == LIST:
        return {**orders, key: [*(() if alone else orders.get(key, ())), order]}
    if how == MAP:
        entry, value = order
        return {**orders, key: {**orders.get(key, {}), entry: value}}
    return {**orders, key: order}


MANY = 2_000  # ways to fill an offer in: of one with more some are drawn


def filled_in(offers: Iterable[Offer], random: Random) -> list[Offer]:
    """Every way to fill these offers in; of an offer with very many ways some."""
    every = []
    for offer in offers:
        if prod(len(pick.ways()) for pick in offer.picks.values()) > MANY:
            drawn = (random_play.draw(offer, lambda _, sides: random.randint(1, sides)) for _ in range(TRIED))
            every += {way.id: way for way in drawn if way}.values()
            continue
        ways = list(fillings(offer))
        assert ways
        every += ways
    return every


def picked_for(template: Any, order: Any, picks: Picks) -> dict[str, Any] | None:
    """What is picked to make this order of an offer's; None if nothing makes it."""
    if isinstance(template, Gap):
        pick = picks[template]
        return next(({str(template): value} for value in pick.values if pick.means.get(value, value) == order), None)
    if isinstance(template, dict) and isinstance(order, dict) and order.keys() <= template.keys():
        parts = [(template[key], order[key]) for key in order]
    elif isinstance(template, list) and isinstance(order, list) and len(order) <= len(template):
        parts = list(zip(template, order, strict=False))
    else:
        return {} if template == order else None
    made = [picked_for(part, value, picks) for part, value in parts]
    return None if None in made else {name: value for picked in made if picked for name, value in picked.items()}


def is_offered(offer: Offer, order: Any) -> bool:
    """Whether the order is a way to fill in the offer."""
    picked = picked_for(offer.order, order, offer.picks)
    if picked is None:
        return False
    whole = {name: picked.get(name) for name in offer.picks}
    needed = all(whole[name] is not None or pick.none for name, pick in offer.picks.items())
    return needed and fits(whole, offer.picks) and filled(offer.order, whole, offer.picks) == order


def refusals(game: Any, known: Any, seat: str, rules: Any, orders: Mapping[str, Any], key: str) -> list[str]:
    """Why the engine refuses what stands under the key, as `kingdom check` foresees it."""
    notices = resolve(game, known, {seat: orders}, NoDice(), rules, until=game.foreseen_to).notices
    mine = [notice.facts for notice in notices if notice.kind == "refusal" and notice.seat == seat]
    return [facts["reason"] for facts in mine if re.match(rf"{key}\b", facts["order"])]


def read(game: Any, known: Any, seat: str, rules: Any, text: str) -> Any:
    names = {**game.names(rules), "seats": list(game.seats(known))}
    return orders_file.read(text.encode(), "orders.yaml", game, names, seat, known.turn + 1)


@offering
@pytest.mark.parametrize("turns", [5, pytest.param(1000, marks=pytest.mark.long)])
def test_every_offer_is_accepted_and_is_read_from_its_short_form(name: str, turns: int) -> None:
    for game, known, seat, rules, random in seats_asked(name, turns):
        orders = {"kingdom": seat, "turn": known.turn + 1}
        for _ in range(STEPS):
            offers = filled_in(game.offers(known, seat, rules, orders), random)
            assert len({offer.id for offer in offers}) == len(offers), "an id names one offer"
            for offer in random.sample(offers, min(TRIED, len(offers))):
                more = given(orders, offer.key, offer.how, offer.order, offer.key in plays(name).ALTERNATIVES)
                assert not refusals(game, known, seat, rules, more, offer.key), (offer, orders)
                _is_read(game, known, seat, rules, offer)
            if not offers:
                break
            chosen = random.choice(offers)
            orders = given(orders, chosen.key, chosen.how, chosen.order, chosen.key in plays(name).ALTERNATIVES)


def _is_read(game: Any, known: Any, seat: str, rules: Any, offer: Offer) -> None:
    """An offer's long form, and its short form where it has one, give that order."""
    head = f"kingdom: {seat}\nturn: {known.turn + 1}\n"
    whole = given({}, offer.key, offer.how, offer.order, True)
    for text in (yaml_out.dump(whole), f"{offer.key}: {offer.short}\n" if offer.short and offer.how != MAP else ""):
        filing = read(game, known, seat, rules, head + text) if text else None
        if filing:
            assert not filing.problems, (offer, filing.problems)
            assert filing.orders[offer.key] == whole[offer.key], (offer, text)


@offering
@pytest.mark.parametrize(("turns", "drawn"), [(5, 6), pytest.param(1000, 60, marks=pytest.mark.long)])
def test_what_the_engine_accepts_was_offered(name: str, turns: int, drawn: int) -> None:
    """Orders are drawn from what the game declares, by what knows no offers; those that are accepted are kept for the next."""
    found = 0
    for game, known, seat, rules, random in seats_asked(name, turns):
        draw = plays(name).draws(known, seat, rules, lambda _, sides, random=random: random.randint(1, sides))
        orders = {"kingdom": seat, "turn": known.turn + 1}
        for _ in range(drawn):
            key, how, order = _drawn(game, draw, random)
            alone = key in plays(name).ALTERNATIVES
            more = given(orders, key, how, order, alone)
            if read(game, known, seat, rules, yaml_out.dump({**orders, **more})).problems:
                continue
            plain = plays(name).offered_as(key, order, known, seat)
            if plain is None or refusals(game, known, seat, rules, more, key):
                continue
            # an order that stands alone takes the place of the one that is filed, beside which nothing is offered
            rest = {other: filed for other, filed in orders.items() if how != ONE or other != key}
            offers = [offer for offer in game.offers(known, seat, rules, rest) if offer.key == key]
            every = (way for offer in offers if not is_offered(offer, plain) for way in filled_in([offer], random))
            assert any(is_offered(offer, plain) for offer in offers) or any(
                plain == plays(name).offered_as(key, way.order, known, seat) for way in every
            ), f"`{key}: {order}` is accepted, and was not offered beside {orders}"
            found += 1
            orders = more
    assert found > len(OFFERING), "some orders that are drawn are accepted"


def _drawn(game: Any, draw: Any, random: Random) -> tuple[str, str, Any]:
    """(key, how it stands there, an order) of what the game declares."""
    key = random.choice([key for key in game.orders.keys if key not in NOT_DRAWN])
    shape = game.orders.keys[key]
    if isinstance(shape, ListOf):
        return key, LIST, draw.of(shape.of)
    if isinstance(shape, MapOf):
        return key, MAP, (draw.of(shape.key), draw.of(shape.of))
    if isinstance(shape, Record) and key in getattr(draw, "maps", ()):
        entry = random.choice(list(shape.keys))
        return key, MAP, (entry, draw.of(shape.keys[entry]))
    return key, ONE, draw.of(shape)
