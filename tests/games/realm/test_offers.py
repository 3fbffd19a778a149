"""What is offered, held against the engine: every offer is carried out, alone and after others; and what the engine carries
out of orders that know no offers was offered, or is of a kind that is left open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from kingdom.engine import names
from kingdom.engine.dice import NoDice
from kingdom.engine.offer import LIST, MAP, ONE, How, Offer, fillings, together
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.games.realm.bots.draw import Draw
from kingdom.games.realm.forecast.turn_preview import MARCH, MUSTER, ORDER
from kingdom.games.realm.offers.offers import KINDS, offers
from kingdom.games.realm.orders.declaration import ORDERS
from kingdom.games.realm.state import Kingdom, replace, with_kingdoms
from kingdom.orders import orders_file
from kingdom.orders.schema import ListOf, MapOf, Record
from tests.kit.formkit import Place, place_of, places_of, wild_places

# Free texts, and lists without an end: nothing of them is offered.
FREE = ("plan", "reserve", "messages", "requests", "amend", "final", "token", "kingdom", "turn")
# Nor is what stands only with an order behind it: the capital's hex with the next capital named, a wall with its gate.
# What is left open in an order that is offered -> the words that who writes it fills in as he likes, within the rules.
OPEN: Mapping[str, tuple[str, ...]] = {
    "settle": ("name", "water"),  # a name is a text; any borders may be water where one may
    "build": ("lot", "border", "water"),  # where it stands: without it, the first place that will do
    "recruit": ("recruit", "with"),  # its name is a text; resources come in any mixture
    "equip": ("count",),
    "army": ("move", "withdraw"),  # ways of up to 100 hexes, percents
    "explore": ("weeks", "route", "toward", "until"),  # any journey that is paid for
    "adventurers": ("bp",),
}
EACH = 40  # offers of a place that the short run looks at
CHOSEN = 12  # offers that are chosen one after the other


@cache
def some() -> list[Place]:
    """Made when the first test asks for them: a module is collected by every worker."""
    places = [place_of("war-of-the-ford", 10, "karrak"), place_of("greenmarch", 6, "examplia")]
    return [*places, *list(wild_places(range(2)))[:6]]


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Place:
    return some()[request.param]


in_each = pytest.mark.parametrize(
    "place", [*range(4), *(pytest.param(number, marks=pytest.mark.long) for number in range(4, 8))], indirect=True
)


def meant(part: str, order: object, kingdom: Kingdom) -> Hashable:
    """What an order means but for what is left open in it: of two orders that mean the same, one is offered."""
    if isinstance(order, Mapping):
        kind = str(
            order.get("edict") or next((word for word in OPEN if word in order and part in (MUSTER, MARCH)), part)
        )
        rows = {word: value for word, value in order.items() if word not in OPEN.get(kind, ())}
        if kind == "explore" and not isinstance(rows.get("escort"), str):
            rows.pop("escort", None)  # adventurers for any BP
        if "route" in rows:
            rows["route"] = next(
                (key for key, route in kingdom.routes.items() if route.shares == rows["route"]), rows["route"]
            )
        left = sorted(word for word in order if word in ("move", "withdraw")) if part == MARCH else []
        return part, tuple(sorted((word, _folded(value)) for word, value in rows.items())), tuple(left)
    return part, _folded(order)


def _folded(value: object) -> Hashable:
    """A value that can be compared: names as they are compared everywhere, lists and maps as tuples."""
    if isinstance(value, str):
        return names.compared(value)
    if isinstance(value, Mapping):
        return tuple(sorted((key, _folded(inner)) for key, inner in value.items()))
    return tuple(map(_folded, value)) if isinstance(value, (list, tuple)) else value


def refusals(place: Place, orders: Mapping[str, Any]) -> list[str]:
    """What the engine has against these orders as things stand, and what it carries out otherwise than they say."""
    known = place.game.known(place.state, place.seat, place.rules)
    result = resolve(place.game, known, {place.seat: dict(orders)}, NoDice(), place.rules, until=place.game.foreseen_to)
    return [
        f"{notice.facts['order']}: {notice.facts.get('reason') or notice.facts['text']}"
        for notice in result.notices
        if notice.kind in ("refusal", "changed") and notice.seat == place.seat
    ]


def together_with(orders: Mapping[str, Any], offer: Offer) -> dict[str, Any]:
    """The orders with what an offer stands for."""
    return together(
        [offer], {key: dict(value) if isinstance(value, Mapping) else value for key, value in orders.items()}
    )


def offered(place: Place, orders: Mapping[str, Any]) -> list[Offer]:
    known = place.game.known(place.state, place.seat, place.rules)
    return [way for offer in offers(known, place.seat, place.rules, orders) for way in fillings(offer)]


def parts_of(orders: Orders) -> Iterator[tuple[str, str, object]]:
    """(part, key, order) of each order in the order in which a turn carries them out; of a map (entry, value), and an order
    that tells an army several things one thing after the other."""
    rows = []
    for key, value in orders.items():
        items = value.items() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else [value]
        rows += [(part, key, order) for item in items for part, order in _split(key, item)]
    yield from sorted(rows, key=lambda row: ORDER.index(row[0]) if row[0] in ORDER else len(ORDER))


def _split(key: str, order: object) -> Iterator[tuple[str, object]]:
    if key != "armies" or not isinstance(order, Mapping):
        yield key, order
    elif "army" not in order:
        yield MUSTER, order
    else:
        for told in (("move",), ("then", "target"), ("strategy",), ("tactic",), ("withdraw",)):
            one = {word: order[word] for word in told if word in order}
            if one:
                yield MARCH, {"army": order["army"], **one}


def part_of(offer: Offer) -> str:
    """The part of a turn's orders that an offer is of."""
    ((part, *_),) = list(parts_of(together([offer])))[:1]
    return part


def wrong_alone(place: Place, most: int) -> list[str]:
    every = offered(place, {})
    found = [] if len({offer.id for offer in every}) == len(every) else [f"{place.name}: an id stands for two offers"]
    for offer in Random(1).sample(every, min(most, len(every))):
        found += [f"{place.name}: {offer.id}: {why}" for why in refusals(place, together_with({}, offer))]
    return found


def wrong_together(place: Place, seed: int) -> list[str]:
    random, orders, found = Random(seed), dict[str, Any](), list[str]()
    for _ in range(CHOSEN):
        every = offered(place, orders)
        if not every:
            break
        part = random.choice(sorted({part_of(offer) for offer in every}))
        offer = random.choice([offer for offer in every if part_of(offer) == part])
        then = together_with(orders, offer)
        found += [f"{place.name}: {offer.id} after {orders}: {why}" for why in refusals(place, then)]
        orders = then
    return found


def not_offered(place: Place, seed: int) -> tuple[int, list[str]]:
    """(how many orders drawn at random the engine carries out after one another, those of them that were not offered)."""
    random = Random(seed)
    known = place.game.known(place.state, place.seat, place.rules)
    draw = Draw(known, place.seat, place.rules, lambda name, sides: random.randrange(sides) + 1)
    drawn = {key: draw.at(key, shape) for key, shape in ORDERS.keys.items() if key not in FREE}
    text = orders_file.write({key: value for key, value in drawn.items() if value not in ([], {}, None)})
    text = orders_file.write({"kingdom": place.seat, "turn": place.state.turn + 1}) + text
    filing = orders_file.read(text.encode(), "x.yaml", place.game, place.names, place.seat, place.state.turn + 1)
    assert filing.orders is not None, (text, filing.problems)
    orders, found, count = dict[str, Any](), list[str](), 0
    for part, key, order in parts_of(filing.orders):
        if part in FREE or part == "capital" and "abandon" in orders:
            continue  # which may name the next capital for a hex that was let go: a part of that order
        then = together_with(orders, Offer("", key, how_of(key), long_form(key, order), "", ""))
        if refusals(place, then):
            continue
        count += 1
        kingdom = known.kingdoms[place.seat]
        wanted = meant(part, long_form(key, order), kingdom)
        before = [meant(old, long_form(each_key, each), kingdom) for old, each_key, each in parts_of(orders)]
        if wanted not in before and wanted not in {
            meant(part, offer.order, kingdom) for offer in offered(place, orders) if part_of(offer) == part
        }:
            found.append(f"{place.name}, seed {seed}: {part} {order} after {orders}")
        orders = then
    return count, found


EXACT = (
    "leadership",
    "edicts",
    "build",
    "muster",
)  # whose effect is all that they change; what lies beside a hex adds to others


def other_effects(place: Place) -> list[str]:
    """The offers whose costs and effect are not what the engine makes of the accounts."""
    known = place.game.known(place.state, place.seat, place.rules)
    if known.kingdoms[place.seat].plan:
        return []  # what an order pays, the plan can't

    def accounts(orders: dict[str, Any]) -> Mapping[str, int]:
        given = {place.seat: orders}
        result = resolve(place.game, known, given, NoDice(), place.rules, until=place.game.foreseen_to)
        return place.game.accounts(result.after, place.seat, place.rules)

    every, before = offered(place, {}), accounts({})
    found = []
    for part in EXACT:
        of_part = [offer for offer in every if part_of(offer) == part]
        for offer in Random(3).sample(of_part, min(8, len(of_part))):
            after = accounts(together_with({}, offer))
            changed = {account: by for account in after if (by := after[account] - before[account])}
            told = Counter(offer.effect)
            told.subtract(offer.costs)
            if changed != {account: by for account, by in told.items() if by}:
                found.append(f"{place.name}: {offer.id}: {changed}, not {dict(told)}")
    return found


def how_of(key: str) -> How:
    shape = ORDERS.keys[key]
    return LIST if isinstance(shape, ListOf) else MAP if isinstance(shape, (MapOf, Record)) else ONE


def long_form(key: str, order: Any) -> Any:
    return dict([order]) if key == "loyalty" and isinstance(order, tuple) else order


def test_every_key_of_an_orders_file_is_offered_or_left_open() -> None:
    parts = {"armies" if part in (MUSTER, MARCH) else part for part in KINDS}
    assert parts | set(FREE) == set(ORDERS.keys) | {"kingdom", "turn"}
    assert not parts & set(FREE) and set(OPEN) <= {
        "settle",
        "build",
        "recruit",
        "equip",
        "army",
        "explore",
        "adventurers",
    }


@in_each
def test_every_offer_is_carried_out_alone(place: Place) -> None:
    assert wrong_alone(place, EACH) == []


@pytest.mark.parametrize("place", range(2), indirect=True)
def test_the_line_of_an_offer_is_read_as_its_order(place: Place) -> None:
    head, every = orders_file.write({"kingdom": place.seat, "turn": place.state.turn + 1}), offered(place, {})
    for offer in Random(4).sample(every, EACH):
        if offer.short:
            text = f"{head}{offer.short}\n".encode()
            filing = orders_file.read(text, "x.yaml", place.game, place.names, place.seat, place.state.turn + 1)
            assert filing.orders is not None, filing.problems
            given = {key: value for key, value in filing.orders.items() if key not in ("kingdom", "turn")}
            assert given == together_with({}, offer)


@in_each
def test_an_offer_says_what_it_changes(place: Place) -> None:
    assert other_effects(place) == []


@in_each
def test_offers_are_carried_out_one_after_the_other(place: Place) -> None:
    assert wrong_together(place, 1) == []


def test_buildings_are_offered_behind_those_that_are_ordered() -> None:
    """Each at its price by then; the same order once more, too."""
    place = place_of("greenmarch", 12, "examplia")
    mine = place.state.kingdoms[place.seat]
    place = place._replace(state=with_kingdoms(place.state, {place.seat: replace(mine, treasury=999, plan=())}))
    first = next(offer for offer in offered(place, {}) if offer.id.endswith(" build barracks"))
    (again,) = [offer for offer in offered(place, {"build": [first.order]}) if offer.id == first.id]
    assert again.costs["treasury"] > first.costs["treasury"]
    assert refusals(place, {"build": [first.order, again.order]}) == []


@in_each
@pytest.mark.parametrize("seeds", [1, pytest.param(3, marks=pytest.mark.long)])
def test_what_the_engine_carries_out_was_offered(place: Place, seeds: int) -> None:
    rows = [not_offered(place, seed) for seed in range(seeds)]
    assert [wrong for _, found in rows for wrong in found] == []
    assert sum(count for count, _ in rows) >= seeds or not offered(place, {}), "enough of what is drawn is carried out"


def many() -> Iterator[Place]:
    yield from places_of("war-of-the-ford", 4)
    yield from places_of("greenmarch", 3)
    yield from wild_places(range(20))


def sample(places: Iterable[Place], part: int) -> list[Place]:
    return [place for number, place in enumerate(places) if number % 6 == part]


def test_an_army_may_be_sent_behind_adventurers_to_whose_task_no_way_is_known() -> None:
    """Whether they find one is seen when the turn is run; until then they stand nowhere."""
    place = next(place for place in wild_places(range(6, 7)) if place.name == "wild 6, turn 8, borderia")
    special = {"edict": "adventurers", "bp": 4, "task": "0201"}
    assert refusals(place, {"special": [special], "armies": [{"army": "Host 0", "move": ["0305"]}]}) is not None


@pytest.mark.long
@pytest.mark.parametrize("part", range(6))
def test_offers_of_many_places_are_carried_out(part: int) -> None:
    wrong = [
        why
        for place in sample(many(), part)
        for why in [*wrong_alone(place, 150), *wrong_together(place, 2), *wrong_together(place, 3)]
    ]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(6))
def test_what_the_engine_carries_out_in_many_places_was_offered(part: int) -> None:
    wrong = [why for place in sample(many(), part) for seed in range(100, 104) for why in not_offered(place, seed)[1]]
    assert wrong == []
