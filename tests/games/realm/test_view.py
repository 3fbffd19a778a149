"""What always holds of a view: sources sum to the numbers, nothing offered is refused, the form is valid as it stands."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import GM
from kingdom.engine.step import Result
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.view import percent, view
from kingdom.games.realm.sheet import DERIVED, accounts
from kingdom.games.realm.state import Pending, World, replace
from kingdom.games.realm.steps.towns import lots
from kingdom.games.realm.visibility.known import known
from kingdom.games.realm.visibility.sight import levels
from kingdom.orders import orders_file as filing
from tests.games.realm.kit import rules_of, run, world_of
from tests.games.realm.reportkit import the_turn, turn_of
from tests.games.realm.worlds import SEATS, filings, worlds
from tests.kit.examples import few

RULES = rules_of()


class Seen(NamedTuple):
    """A turn of a random world, and the seat that looks at it."""

    result: Result
    seat: str


@st.composite
def turns(draw: Any) -> Seen:
    result = run(draw(worlds()), draw(filings()))
    return Seen(result, draw(st.sampled_from(seats_of(result))))


def seats_of(result: Result) -> list[str]:
    return list(result.after.kingdoms)


def read(lines: list[str], result: Result, seat: str) -> filing.Filing:
    names = {**GAME.names(RULES), "seats": seats_of(result)}
    return filing.read("\n".join(lines).encode(), "form.yaml", GAME, names, seat, result.number + 1)


def refused(result: Result, seat: str, orders: dict[str, Any]) -> list[str]:
    """What the next turn refuses of a seat's orders where nobody else files any."""
    later = run(result.after, {seat: orders})
    return [notice.facts["reason"] for notice in later.notices if notice.kind == "refusal" and notice.seat == seat]


# --- numbers


@few
@given(turns())
def test_the_sources_of_every_number_sum_to_it(seen: Seen) -> None:
    result, seat = seen
    numbers = accounts(result.after.kingdoms[seat], result.after.hexes, RULES)
    for name, each in zip(DERIVED, view(result, seat, RULES)["sources"], strict=True):
        assert each["value"] == numbers[name] == sum(row["by"] for row in each["rows"]), (seat, name)


@few
@given(turns())
def test_the_ledger_of_a_view_leads_from_the_numbers_before_to_those_after(seen: Seen) -> None:
    result, seat = seen
    told = view(result, seat, RULES)
    balance = {row["name"]: row["before"] for row in told["numbers"]}
    for phase in told["phases"]:
        for change in (change for step in phase["steps"] for move in step["moves"] for change in move["changes"]):
            balance[change["account"]] = balance.get(change["account"], 0) + change["delta"]
            assert change["account"] == "Stores" or balance[change["account"]] == change["balance"]
    for row in told["numbers"]:
        if row["key"] not in ("districts", "control_dc"):  # they are no accounts
            assert balance[row["name"]] == row["after"]


@few
@given(turns())
def test_the_terms_of_every_check_sum_to_its_total(seen: Seen) -> None:
    result, seat = seen
    for check in view(result, seat, RULES)["checks"]:
        terms, _, total = check["sum"].partition(" = ")
        if total:
            assert sum(int(sign + points) for sign, points in re.findall(r"([+-]?) ?(\d+) ", terms + " ")) == int(total)


@few
@given(turns())
def test_a_view_is_plain_data(seen: Seen) -> None:
    for seat in (seen.seat, GM):
        told = view(seen.result, seat, RULES)
        assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize("chance, said", [
    (0, "0 %"), (0.001, "under 1 %"), (0.05, "5 %"), (0.5, "50 %"), (0.949, "95 %"), (0.996, "over 99 %"), (1, "100 %"),
])  # fmt: skip
def test_a_chance_is_never_rounded_to_a_certainty(chance: float, said: str) -> None:
    assert percent(chance) == said


# --- what is offered


@few
@given(turns())
def test_no_hex_that_may_be_claimed_is_refused(seen: Seen) -> None:
    result, seat = seen
    seen_now = levels(result.after, seat, RULES)
    for row in (view(result, seat, RULES)["next"] or {}).get("claimable", ())[:3]:
        reasons = refused(result, seat, {"claim": [row["hex"]]})
        if row["hex"] not in seen_now:  # who holds it since is out of sight
            reasons = [reason for reason in reasons if "is held by another kingdom" not in reason]
        assert reasons == []


@few
@given(turns())
def test_no_improvement_that_the_treasury_affords_is_refused(seen: Seen) -> None:
    result, seat = seen
    for row in (view(result, seat, RULES)["next"] or {}).get("improvements", ())[:8]:
        order = {"improve": [{"hex": row["hex"], "build": row["order"]}]}
        assert refused(result, seat, order) == []
        paid = [entry for entry in run(result.after, {seat: order}).entries
                if (entry.kingdom, entry.step, entry.account) == (seat, "terrain_improvements", "treasury")]  # fmt: skip
        assert -sum(entry.delta for entry in paid) == row["price"]


@few
@given(turns(), st.integers(0, 200))
def test_a_building_that_is_offered_is_refused_for_want_of_a_lot_alone(seen: Seen, which: int) -> None:
    result, seat = seen
    offers = view(result, seat, RULES)["next"] or {}
    for town in {row["town"] for row in offers.get("buildings", ())}:
        kinds = [(row["price"], row["order"]) for row in offers["buildings"] if row["town"] == town]
        for price, kind in kinds[which % max(1, len(kinds)) :][:2]:
            order = {"build": [{"in": town, "build": kind}]}
            later = run(result.after, {seat: order})
            codes = [each.facts["code"] for each in later.notices if each.kind == "refusal" and each.seat == seat]
            assert set(codes) <= set(lots.REFUSALS), codes
            paid = [entry.delta for entry in later.entries
                    if (entry.kingdom, entry.step, entry.account) == (seat, "build", "treasury")]  # fmt: skip
            assert codes or -sum(paid) == price


# --- the order form


@few
@given(turns())
def test_the_form_filed_as_it_stands_is_valid_and_nothing_of_it_is_refused(seen: Seen) -> None:
    result, seat = seen
    filed = read(view(result, seat, RULES)["form"], result, seat)
    assert filed.problems == []
    if not result.after.kingdoms[seat].destroyed and result.after.kingdoms[seat].anarchy != result.number + 1:
        assert refused(result, seat, filed.orders) == []


@few
@given(turns())
def test_the_form_as_it_stands_leaves_things_as_they_are(seen: Seen) -> None:
    result, seat = seen
    orders = read(view(result, seat, RULES)["form"], result, seat).orders
    filed, silent = run(result.after, {seat: orders}).after, run(result.after, {}).after
    assert accounts(filed.kingdoms[seat], filed.hexes, RULES) == accounts(silent.kingdoms[seat], silent.hexes, RULES)
    assert filed.kingdoms[seat].hexes == silent.kingdoms[seat].hexes


@few
@given(turns())
def test_each_line_of_the_form_is_valid_when_its_mark_is_taken_away(seen: Seen) -> None:
    result, seat = seen
    form = view(result, seat, RULES)["form"]
    for index in (index for index, line in enumerate(form) if line.startswith("#") and not line.startswith("# ")):
        filed = read([*form[:index], form[index][1:], *form[index + 1 :]], result, seat)
        assert filed.problems == [], form[index]
    everything = [line if line.startswith("# ") else line.removeprefix("#") for line in form]
    assert read(everything, result, seat).problems == []


@pytest.mark.parametrize("line", ["claim", "improve", "build", "aid", "loyalty", "messages", "requests", "final"])
def test_no_line_of_the_form_is_refused_when_its_mark_is_taken_away(line: str) -> None:
    result = the_turn()
    form = view(result, "examplia", RULES)["form"]
    index = next(index for index, each in enumerate(form) if each.startswith(f"#{line}"))
    filed = read([*form[:index], form[index][1:], *form[index + 1 :]], result, "examplia")
    assert refused(result, "examplia", filed.orders) == []


def test_a_prepared_hex_is_offered_for_a_settlement() -> None:
    result = turn_of(
        world_of({"examplia": {"hexes": {"0404": [], "0405": []}}}), {"examplia": {"improve": "prepare 0405"}}
    )
    form = view(result, "examplia", RULES)["form"]
    assert "#settle: New Town 0405" in form
    filed = read([line.removeprefix("#") if "settle" in line else line for line in form], result, "examplia")
    assert refused(result, "examplia", filed.orders) == []


@pytest.mark.parametrize(
    "name", ['O"ak', "a: b", "no", "#x", "Oak, in Hold at A1", "{{ 7 }}", "'", "1_000", "Ōak Høld"]
)
def test_a_form_names_any_settlement_so_that_it_reads_back(name: str) -> None:
    world = world_of({"examplia": {}})
    kingdom = world.kingdoms["examplia"]
    kingdom = replace(kingdom, settlements={name: kingdom.settlements["Oakhold"]}, capital=name)
    result = run(World(0, world.hexes, {"examplia": kingdom}), {})
    form = view(result, "examplia", RULES)["form"]
    filed = read([line.removeprefix("#") if line.startswith("#build") else line for line in form], result, "examplia")
    assert filed.orders is not None and filed.orders["build"][0]["in"] == name


def test_what_is_asked_is_answered_in_the_form_by_its_default() -> None:
    world = the_turn().after
    asked = replace(
        world.kingdoms["examplia"], loses_hex=True, pending=(Pending("lose_hex", "Which?", ("0302", "0404"), "0404"),)
    )
    result = run(replace(world, kingdoms={**world.kingdoms, "examplia": asked}), {}, steps=["leadership_bonus"])
    assert 'answers: {lose_hex: "0404"}' in view(result, "examplia", RULES)["form"]


# --- who is known


@few
@given(worlds())
def test_a_view_names_no_kingdom_that_the_seat_does_not_know(world: World) -> None:
    named = {seat: replace(kingdom, name=f"Realm of {seat}") for seat, kingdom in world.kingdoms.items()}
    result = run(replace(world, kingdoms=named), {})
    for seat in named:
        met = {
            name
            for name, kingdom in known(result.after, seat, RULES).kingdoms.items()
            if kingdom.name.startswith("Realm")
        }
        met |= {
            name
            for name, kingdom in known(result.before, seat, RULES).kingdoms.items()
            if kingdom.name.startswith("Realm")
        }
        told = json.dumps(view(result, seat, RULES))
        assert {name for name in SEATS if f"Realm of {name}" in told} <= met
