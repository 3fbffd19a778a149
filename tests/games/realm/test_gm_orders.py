"""The GM's orders, where a case file can't say it."""

from __future__ import annotations

import pytest

from kingdom.games.realm.orders.declaration import names
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import replace, with_kingdoms
from kingdom.games.realm.steps.gm import without
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()


def ordered(*orders: dict, world: object = None, **more: object) -> object:
    return run(world or world_of(), {"gm": {"gm": list(orders)}, **more}, steps="gm_orders")


@pytest.mark.parametrize("account", names(RULES)["accounts"])
def test_every_account_that_may_be_named_can_be_granted_and_set(account: str) -> None:
    world = world_of({"examplia": {"settlements": {"Oakhold": {"buildings": ["granary"]}}}})
    before = accounts(world.kingdoms["examplia"], world.hexes, RULES)[account]
    granted = ordered({"grant": "examplia", "account": account, "by": 3, "reason": "a gift"}, world=world)
    assert [(entry.account, entry.delta, entry.detail) for entry in granted.entries] == [(account, 3, "a gift")]
    made = ordered({"set": "examplia", "account": account, "to": before + 4, "reason": "a ruling"}, world=granted.after)
    assert [(entry.account, entry.balance, entry.cause) for entry in made.entries] == [(account, before + 4, "set")]


def test_a_set_that_changes_nothing_is_booked_as_nothing() -> None:
    result = ordered({"set": "examplia", "account": "loyalty", "to": 0, "reason": "as it was"})
    assert result.entries == [] and result.after.kingdoms["examplia"].modifiers == ()


def test_orders_run_in_the_order_listed() -> None:
    result = ordered(
        {"set": "examplia", "account": "treasury", "to": 10, "reason": "first"},
        {"grant": "examplia", "account": "treasury", "by": 5, "reason": "then"},
    )
    assert [(entry.delta, entry.balance) for entry in result.entries] == [(-40, 10), (5, 15)]


def test_stores_beyond_the_granaries_are_refused() -> None:
    """Six BP in a granary that holds five."""
    world = world_of({"examplia": {"settlements": {"Oakhold": {"buildings": ["granary"]}}}})
    result = ordered({"set": "examplia", "account": "stores", "to": 6, "reason": "a gift of grain"}, world=world)
    assert [notice.facts["code"] for notice in result.notices if notice.kind == "refusal"] == ["gm_stores_room"]


def test_void_leaves_the_orders_as_they_were_filed_in_the_result() -> None:
    """What is kept as used is what came in; the notice says what was voided."""
    filed = {"examplia": {"claim": ["0405"]}}
    result = ordered({"void": {"kingdom": "examplia", "order": "claim[0]"}, "reason": "no"}, **filed)
    assert result.orders["examplia"] == {"claim": ["0405"]} == filed["examplia"]
    assert [notice.facts["order"] for notice in result.notices if notice.kind == "voided"] == ["claim[0]"]


ORDERS = {
    "claim": ["0405", "0406"],
    "edicts": {"holiday": "long"},
    "capital": "Newford",
    "answers": {"trade_route-2": "accept"},
}


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("claim[0]", {**ORDERS, "claim": [None, "0406"]}),
        ("claim[1]", {**ORDERS, "claim": ["0405", None]}),
        ("claim", {key: value for key, value in ORDERS.items() if key != "claim"}),
        ("edicts.holiday", {**ORDERS, "edicts": {}}),
        ("answers.trade_route-2", {**ORDERS, "answers": {}}),
        ("capital", {key: value for key, value in ORDERS.items() if key != "capital"}),
        ("claim[2]", None),
        ("claim.holiday", None),
        ("edicts[0]", None),
        ("edicts.taxation", None),
        ("build[0]", None),
        ("capital[0]", None),
        ("", None),
        ("claim[", None),
    ],
)
def test_an_order_is_dropped_by_its_path(path: str, left: dict | None) -> None:
    kept = {**ORDERS}
    assert without(ORDERS, path) == left
    assert kept == ORDERS


def test_a_voided_order_can_be_voided_only_once() -> None:
    void = {"void": {"kingdom": "examplia", "order": "claim[0]"}, "reason": "no"}
    result = ordered(void, void, examplia={"claim": ["0405"]})
    assert [notice.facts["code"] for notice in result.notices if notice.kind == "refusal"] == ["gm_void_nothing"]


def test_in_an_anarchy_turn_the_gm_still_moves_unrest() -> None:
    world = world_of()
    world = with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], unrest=22, anarchy=1)})
    result = ordered({"grant": "examplia", "account": "unrest", "by": -30, "reason": "a feast"}, world=world)
    assert result.after.kingdoms["examplia"].unrest == 0 and result.after.kingdoms["examplia"].anarchy == 1


def test_requests_are_opened_before_the_gm_answers() -> None:
    """So the GM who reads the orders as they come in may answer in the same turn."""
    given = {"gm": {"tell": [{"to": "examplia", "answers": 1, "text": "Yes."}]}, "examplia": {"requests": ["May I?"]}}
    result = run(world_of(), given, steps="gm_orders")
    assert result.after.kingdoms["examplia"].requests == ()
    assert [notice.facts for notice in result.notices] == [{"text": "Yes.", "answers": "May I?"}]


def test_what_a_hex_hides_is_said_to_the_seat_to_which_it_is_revealed_alone() -> None:
    world = world_of({"examplia": {}, "borderia": {}}, {"hexes": {"0101": {"secret": "owlbear lair"}}})
    result = ordered({"reveal": "0101", "to": "examplia", "reason": "a hermit's word"}, world=world)
    assert result.after.kingdoms["examplia"].revealed == ("0404", "0101")
    assert [(notice.seat, notice.facts["text"]) for notice in result.notices] == [
        ("examplia", "The GM reveals 0101, owlbear lair: a hermit's word."),
    ]  # fmt: skip


def test_a_hex_that_hides_nothing_is_said_to() -> None:
    (notice,) = ordered({"reveal": "0101", "to": "examplia", "reason": "a comet"}).notices
    assert notice.facts["text"] == "The GM reveals 0101, nothing hidden: a comet."
