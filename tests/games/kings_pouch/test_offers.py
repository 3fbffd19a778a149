"""What a seat is offered: the engine accepts each offer, and an order that it accepts was offered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.offer import Offer, fillings, together
from kingdom.engine.step import Orders, Result
from kingdom.engine.turn import resolve
from kingdom.games.kings_pouch.orders.managing import WISH
from kingdom.games.kings_pouch.orders.placing import ANY, PLACE, card_named
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table, replace
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.orders.schema import snake
from tests.games.kings_pouch.kit import GAME, begun, every_effect, filed_as, played, rules, table
from tests.kit.orderkit import values

# What no offer stands for: the head and foot of a file and free text; how a citizen is placed, as far as it is a matter of
# wishes that are passed over where they can't be had.
OPEN_ENDED = ("kingdom", "turn", "messages", "amend", "final", "token")
WISHES = ("slot", "lines", "if_active", "remove_from", "to", "draw", "gain", "remove", "move", "exchange", "add_marker")


@cache
def situations() -> list[tuple[Rules, Table, str]]:
    """(rules, state, a seat whose turn comes) all through some games, from the choice of castles to the last round."""
    found = []
    for seats, own in ((2, every_effect()), (3, rules()), (4, replace(rules(), pace="turn"))):
        states = [begun(seats, own, "offers")]
        played(seats, "offers", own=own, told=lambda result, states=states: states.append(result.after))
        found += [(own, state, seat) for state in states for seat in due(state, own)]
    choices_of_castles = [situation for situation in found if situation[1].round == SET_UP]
    return [*found, *choices_of_castles * 3]


picked = st.integers(0, 10_000).map(lambda number: situations()[number % len(situations())])
choices = st.lists(st.integers(0, 10_000), max_size=5)


def offered(own: Rules, state: Table, seat: str, orders: Orders) -> list[Offer]:
    listed = GAME.offers(GAME.known(state, seat, own), seat, own, orders)
    return [way for offer in listed for way in fillings(offer) if offer.key != "final"]


def chosen(own: Rules, state: Table, seat: str, picks: Iterable[int]) -> dict[str, Any]:
    """Orders of offers, one after the other."""
    orders: dict[str, Any] = {"kingdom": seat, "turn": state.turn + 1}
    for pick in picks:
        listed = offered(own, state, seat, orders)
        orders = together([listed[pick % len(listed)]], orders) if listed else orders
    return orders


def path_of(orders: Orders, key: str) -> str:
    """The path of the last order under that key."""
    return f"{key}[{len(orders[key]) - 1}]" if isinstance(orders[key], list) and key != "castle" else key


def noted(result: Result[Table], seat: str, kind: str, path: str) -> list[str]:
    """The paths of the seat's notices of that kind, at that path or inside."""
    mine = [notice for notice in result.notices if notice.kind == kind and notice.seat == seat]
    return [
        notice.facts["order"] for notice in mine if (notice.facts["order"] + ".").startswith((f"{path}.", f"{path}["))
    ]


def accepted(own: Rules, state: Table, seat: str, orders: Orders, key: str) -> str:
    """The path that the engine carries out of the last order under that key, "" where it refuses or passes it over."""
    result, path = resolve(GAME, state, {seat: orders}, NoDice(), own), path_of(orders, key)
    if noted(result, seat, "refusal", path):
        return ""
    return next(iter(noted(result, seat, "used", path)), "") if key in ("castle", "place", "manage") else path


@given(picked, choices)
def test_every_offer_is_accepted(situation: tuple[Rules, Table, str], picks: list[int]) -> None:
    """As things stand, and behind offers that were chosen before."""
    own, state, seat = situation
    orders = chosen(own, state, seat, picks)
    for offer in offered(own, state, seat, orders):
        more = together([offer], orders)
        assert accepted(own, state, seat, more, offer.key), offer
        left = {other.id for other in offered(own, state, seat, more)}
        assert not left & set(offer.excludes), offer


def names(own: Rules, state: Table, seat: str) -> dict[str, list[str]]:
    """The closed lists, with a bias to what the seat has and sees."""
    every, mine = GAME.names(own), [*state.seats[seat].buildings, *state.display]
    return {
        **every,
        "buildings": [*mine, *(snake(own.buildings[card].name) for card in mine), *every["buildings"][:3]],
        "seats": list(state.seats),
    }


@given(picked, choices, st.data())
def test_every_order_that_is_accepted_was_offered(
    situation: tuple[Rules, Table, str], picks: list[int], data: st.DataObject
) -> None:
    """Orders as they are declared, one after the other behind offers."""
    own, state, seat = situation
    orders, lists = chosen(own, state, seat, picks), names(own, state, seat)
    place, manage = (st.lists(values(shape, lists), max_size=4) for shape in (PLACE.shape.of, WISH))
    drawn = [("place", record) for record in data.draw(place)] + [("manage", record) for record in data.draw(manage)]
    if "castle" not in orders:
        drawn.append(("castle", data.draw(values(GAME.orders.keys["castle"], lists).filter(bool))))
    for key, record in drawn:
        more = {**orders, key: record if key == "castle" else [*orders.get(key, ()), record]}
        path = accepted(own, state, seat, more, key)
        if path:
            listed = [offer for offer in offered(own, state, seat, orders) if offer.key == key]
            assert any(stands_for(offer, record, path, own, state, seat) for offer in listed), (path, record)
            orders = more


def stands_for(offer: Offer, record: Any, path: str, own: Rules, state: Table, seat: str) -> bool:
    """Whether the offer is what the engine made of the record: of a list of alternatives the one that it carried out."""
    if offer.key == "castle":
        return offer.order == record[int(path.removeprefix("castle[").rstrip("]"))]
    if offer.key == "place":
        kind, at = record.get("citizen") or ANY, record["at"]
        building = at if at == ANY else card_named(state.seats[seat].buildings, at, own)
        return bool(offer.order["at"] == building and (offer.order.get("citizen", ANY) == kind or (kind == ANY != at)))
    ((action, alternatives),) = record.items()
    wanted = alternatives[int(path.rpartition("[")[2].rstrip("]"))]
    ((offered_action, (held,)),) = offer.order.items()
    if action != offered_action or isinstance(held, dict) or action == "occupy":
        return bool(action == offered_action and held == wanted)
    return wanted in ((held, snake(own.buildings[held].name)) if action == "build" else (held, held.rstrip("_12")))


def test_every_key_is_offered_or_open_ended() -> None:
    own, keys = rules(), set()
    for state in (begun(3, own), table(3)):
        for seat in due(state, own):
            keys |= {offer.key for offer in offered(own, state, seat, {})}
    keys |= {"manage"}
    assert keys | set(OPEN_ENDED) == set(GAME.orders.keys) and not keys & set(OPEN_ENDED)
    assert {"citizen", "at", *WISHES} == set(PLACE.shape.of.keys)


@given(picked)
def test_an_offer_is_what_its_short_form_says(situation: tuple[Rules, Table, str]) -> None:
    own, state, seat = situation
    listed = offered(own, state, seat, {})
    assert len({offer.id for offer in listed}) == len(listed)
    for offer in listed:
        assert offer.text
        if offer.short and offer.key in ("place", "manage"):
            read = filed_as(state, own, seat, f"{offer.key}: [{offer.short}]\n")
            assert read[offer.key] == [offer.order]


def test_nothing_is_offered_to_whose_turn_it_is_not() -> None:
    own = replace(rules(), pace="turn")
    state = table(3)
    assert offered(own, state, due(state, own)[0], {})
    assert not offered(own, state, state.order[1], {})
    assert not offered(own, replace(state, over=True), state.order[0], {})
    told = [GAME.forms.page(laid, state.order[1], own)["notice"] for laid in (state, replace(state, over=True))]
    waits = f"You need not send orders: it is the turn of {state.order[0]}."
    assert told == [waits, "The game is over; there is nothing to order."]
