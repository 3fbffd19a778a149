"""What always holds, whatever the world, the orders and the dice."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.ledger import balances_after
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.printed_sheet import sheet
from kingdom.games.realm.sheet import sources
from kingdom.games.realm.state import World
from tests.games.realm.kit import rules_of
from tests.games.realm.worlds import SEATS, filings, orders, worlds
from tests.kit.examples import few

RULES = rules_of()
SEED = "public: the seed of these tests"


def turn(world: World, filed: dict[str, Any], until: str = "") -> Result:
    return resolve(GAME, world, filed, Dice(SEED, world.turn + 1), RULES, until)


def accounts(world: World) -> dict[str, dict[str, int]]:
    return {seat: dict(GAME.accounts(world, seat, RULES)) for seat in world.kingdoms}


@few
@given(worlds(), filings())
def test_the_books_balance(world: World, filed: dict[str, Any]) -> None:
    """Last turn's balance plus the deltas is this turn's, for each kingdom and account."""
    result = turn(world, filed)
    assert balances_after(accounts(world), result.entries) == accounts(result.after)


@few
@given(worlds(), filings())
def test_every_entry_says_something_in_known_words(world: World, filed: dict[str, Any]) -> None:
    result = turn(world, filed)
    steps = {(phase.name, step.__name__) for phase in GAME.phases for step in phase.steps}
    for entry in result.entries:
        assert entry.delta and entry.detail and entry.cause in GAME.causes and (entry.phase, entry.step) in steps, entry
    assert [entry.seq for entry in result.entries] == list(range(1, len(result.entries) + 1))


@few
@given(worlds(), filings(), st.randoms(use_true_random=False))
def test_the_order_of_filing_changes_nothing(world: World, filed: dict[str, Any], random: Any) -> None:
    shuffled = list(filed.items())
    random.shuffle(shuffled)
    first, second = turn(world, filed), turn(world, dict(shuffled))
    assert (first.after, first.entries, first.rolls) == (second.after, second.entries, second.rolls)
    assert sorted(map(repr, first.notices)) == sorted(map(repr, second.notices))


@few
@given(worlds(), filings(), st.sampled_from(SEATS), st.data())
def test_no_orders_change_the_dice_of_another(world: World, filed: dict[str, Any], seat: str, data: Any) -> None:
    """Whatever a seat orders instead: a roll that is made in both turns shows the same."""
    other = {**filed, seat: data.draw(orders(seat))}
    one, two = (
        {(roll.kingdom, roll.name, roll.count): roll for roll in turn(world, each).rolls} for each in (filed, other)
    )
    assert {key: one[key] for key in one.keys() & two.keys()} == {key: two[key] for key in one.keys() & two.keys()}


@few
@given(worlds(), filings(), st.sampled_from(SEATS), st.data())
def test_the_checks_of_income_are_rolled_whatever_another_orders(
    world: World, filed: dict[str, Any], seat: str, data: Any
) -> None:
    """Each other kingdom rolls for the same things in Income and Upkeep, save where the seat's claims or aid touch it."""
    filed.pop("gm", None)
    other = {**filed, seat: {"edicts": {"holiday": data.draw(st.sampled_from(["long", "short"]))}}}
    without = {key: each for key, each in filed.items() if key != seat}

    def rolled(given: dict[str, Any]) -> list[Any]:
        return [roll for roll in turn(world, given).rolls if roll.kingdom != seat]

    assert rolled(without) == rolled(other)


@few
@given(worlds(), filings())
def test_the_state_survives_its_json(world: World, filed: dict[str, Any]) -> None:
    after = turn(world, filed).after
    kept = msgspec.json.encode(after)
    read = msgspec.json.decode(kept, type=World)
    assert read == after and msgspec.json.encode(read) == kept
    assert turn(read, {}).entries == turn(after, {}).entries


@few
@given(worlds(), filings())
def test_the_same_input_gives_the_same_output(world: World, filed: dict[str, Any]) -> None:
    again = msgspec.json.decode(msgspec.json.encode(world), type=World)
    assert turn(world, filed) == turn(again, filed)._replace(before=world)


@few
@given(worlds(), filings())
def test_a_step_does_not_change_its_input(world: World, filed: dict[str, Any]) -> None:
    kept: list[tuple[World, bytes]] = [(world, msgspec.json.encode(world))]

    def watched(step: Any) -> Any:
        def run(state: World, turn: Any) -> World:
            after = step(state, turn)
            kept.append((after, msgspec.json.encode(after)))
            return after

        run.__name__ = step.__name__
        return run

    phases = tuple(phase._replace(steps=tuple(map(watched, phase.steps))) for phase in GAME.phases)
    as_filed = msgspec.json.encode(filed)
    resolve(structs.replace(GAME, phases=phases), world, filed, Dice(SEED, world.turn + 1), RULES)
    assert all(msgspec.json.encode(state) == text for state, text in kept)
    assert msgspec.json.encode(filed) == as_filed


@few
@given(worlds(), filings())
def test_the_sources_of_a_number_sum_to_it(world: World, filed: dict[str, Any]) -> None:
    after = turn(world, filed).after
    for seat, kingdom in after.kingdoms.items():
        numbers, terms = sheet(after, seat, RULES), sources(kingdom, after.hexes, RULES)
        for account in ("economy", "loyalty", "stability", "consumption", "vigilance", "debauchery", "opulence"):
            assert sum(term.by for term in terms if term.account == account) == numbers[account]


@few
@given(worlds(), st.sampled_from(SEATS), st.data())
def test_what_is_foreseen_is_what_comes_where_nothing_is_rolled(world: World, seat: str, data: Any) -> None:
    """One seat files alone: to the end of the Edict phase, unless a die was thrown on the way."""
    filed = {seat: data.draw(orders(seat))}
    result = turn(world, filed, "edict")
    if not result.rolls:
        foreseen = resolve(GAME, world, filed, NoDice(), RULES, "edict")
        assert (foreseen.after, foreseen.entries, foreseen.notices) == (result.after, result.entries, result.notices)


@few
@given(worlds(), filings())
def test_a_turn_keeps_what_every_state_keeps(world: World, filed: dict[str, Any]) -> None:
    """No hex is held twice, every capital stands, Unrest and stores are never below 0, only Consumption and the GM make debts."""
    result = turn(world, filed)
    held = [label for kingdom in result.after.kingdoms.values() for label in kingdom.hexes]
    assert len(held) == len(set(held)) and set(held) <= set(result.after.hexes)
    for _seat, kingdom in result.after.kingdoms.items():
        assert kingdom.unrest >= 0 and kingdom.stores >= 0
        assert bool(kingdom.capital) == bool(kingdom.settlements) and kingdom.capital in (*kingdom.settlements, "")
        assert all(settlement.hex in kingdom.hexes for settlement in kingdom.settlements.values())
        assert set(kingdom.cut_off) <= set(kingdom.hexes) and kingdom.used.get("special_edicts", 0) <= 2
    for entry in result.entries:
        if entry.account == "treasury" and entry.delta < 0 and entry.balance < 0:
            assert entry.cause in ("consumption", "grant"), entry


@few
@given(worlds(), filings())
def test_what_came_of_a_turn_is_json(world: World, filed: dict[str, Any]) -> None:
    """Notices are kept in turn.json: their facts are JSON, and each names a seat, the GM or all."""
    for notice in turn(world, filed).notices:
        assert msgspec.json.decode(msgspec.json.encode(notice.facts)) == msgspec.to_builtins(notice.facts)
        assert notice.seat in (*world.kingdoms, *SEATS, "gm", "all") and notice.kind
