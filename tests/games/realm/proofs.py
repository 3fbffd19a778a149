"""What holds of every turn of the realm, as one proof that a test gives any turn."""

from __future__ import annotations

from typing import Any

import msgspec

from kingdom.engine.dice import GM, Dice, NoDice
from kingdom.engine.ledger import balances_after
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.armies import full_hp
from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.render import reports
from kingdom.render.plain_text import COLUMNS, width
from kingdom.render.reports import CampaignFacts


def prove(result: Result, dice: Dice, rules: Rules, rendered: bool = True) -> None:
    """That the books balance, that state and notices survive JSON, that the turn run again from its JSON is the same, that each
    seat's orders are foreseen without a die, that the state is sound, and where `rendered` that every report can be read.

    dice: those of the turn.
    """
    _balance(result, rules)
    kept = msgspec.json.encode(result.after)
    read = msgspec.json.decode(kept, type=World)
    assert read == result.after and msgspec.json.encode(read) == kept
    _again(result, dice, rules)
    _foreseen(result, rules)
    for notice in result.notices:
        assert notice.kind and notice.seat in (*result.after.kingdoms, GM, "all")
        assert msgspec.json.decode(msgspec.json.encode(notice.facts)) == msgspec.to_builtins(notice.facts)
    for seat, kingdom in result.after.kingdoms.items():
        (_fallen if kingdom.destroyed else _stands)(seat, kingdom, result.after, rules)
    held = [label for kingdom in result.after.kingdoms.values() for label in kingdom.hexes]
    assert len(held) == len(set(held)), "a hex is held twice"
    if rendered:
        _rendered(result, rules)


def _balance(result: Result, rules: Rules) -> None:
    """A seat that was not in play opens at 0."""
    played = GAME.seats(result.before)
    seats = {*played, *GAME.seats(result.after), *(entry.kingdom for entry in result.entries)}
    after = {seat: dict(GAME.accounts(result.after, seat, rules)) for seat in seats}
    opening = {
        seat: dict(GAME.accounts(result.before, seat, rules)) if seat in played else dict.fromkeys(after[seat], 0)
        for seat in after
    }
    assert balances_after(opening, result.entries) == after


def _again(result: Result, dice: Dice, rules: Rules) -> None:
    before = msgspec.json.decode(msgspec.json.encode(result.before), type=World)
    again = resolve(GAME, before, result.orders, dice, rules)
    assert (again.after, again.entries, again.rolls, again.notices) == (
        result.after,
        result.entries,
        result.rolls,
        result.notices,
    )


def _foreseen(result: Result, rules: Rules) -> None:
    for seat in GAME.seats(result.before):
        known = GAME.known(result.before, seat, rules)
        foreseen = resolve(GAME, known, {seat: result.orders.get(seat, {})}, NoDice(), rules, until=GAME.foreseen_to)
        assert not foreseen.rolls
        GAME.sheet(foreseen.after, seat, rules)
        GAME.odds(replace(foreseen.after, turn=result.before.turn), seat, rules)
    assert not resolve(GAME, result.before, result.orders, NoDice(), rules, until=GM).rolls


def _fallen(seat: str, kingdom: Kingdom, world: World, rules: Rules) -> None:
    """A kingdom out of play has nothing left that could act."""
    left = (
        kingdom.hexes, kingdom.settlements, kingdom.armies, kingdom.parties, kingdom.expeditions, kingdom.routes, kingdom.guests,
        kingdom.events, kingdom.pending, kingdom.plan, kingdom.captives,
    )  # fmt: skip
    assert not any(left), (seat, left)


def _stands(seat: str, kingdom: Kingdom, world: World, rules: Rules) -> None:
    """What its record says of one thing agrees with what it says of others."""
    assert kingdom.unrest >= 0 and kingdom.stores >= 0
    assert bool(kingdom.capital) == bool(kingdom.settlements) and kingdom.capital in (*kingdom.settlements, "")
    assert (
        {each.hex for each in kingdom.settlements.values()} | set(kingdom.cut_off)
        <= set(kingdom.hexes)
        <= set(world.hexes)
    )
    escorts = {expedition.army for expedition in kingdom.expeditions.values()} - {""}
    for name, army in kingdom.armies.items():
        assert army.hex in world.hexes and 1 <= army.hp <= full_hp(army, rules), (seat, name, army)
        assert not army.came and not (army.busy and name not in escorts), (seat, name, army)
    for key, route in kingdom.routes.items():
        guests = world.kingdoms[route.to].guests.values()
        ended = world.kingdoms[route.to].destroyed  # it is told so at the start of the next turn
        assert (
            ended or not route.open or route.shares or any((guest.by, guest.route) == (seat, key) for guest in guests)
        ), (seat, key)
    asked = [pending.key for pending in kingdom.pending]
    assert len(asked) == len(set(asked)), asked
    for name, lots in kingdom.damaged.items():
        assert set(lots) <= {building.lot for building in kingdom.settlements[name].buildings}, (seat, name)
    assert set(kingdom.blocked) <= set(kingdom.settlements)
    assert {modifier.settlement for modifier in kingdom.modifiers} - {""} <= set(kingdom.settlements)
    assert set(kingdom.memory) <= set(world.hexes)


def _rendered(result: Result, rules: Rules) -> None:
    """The reports of all seats as text and page, the GM's book, and the order forms of the next turn."""
    files = dict(
        reports.rendered(GAME, result, rules, CampaignFacts("The Edge", {seat: seat for seat in result.after.kingdoms}))
    )
    assert len(files) == 2 * len(result.after.kingdoms) + 1
    for name, text in files.items():
        assert not any(word in text for word in ("Undefined", "<class ", "object at 0x")), name
        wide = [line for line in text.splitlines() if name.endswith(".txt") and width(line) > COLUMNS]
        assert not wide, (name, wide)
    for seat in GAME.seats(result.after):
        assert GAME.forms.text(result.after, seat, rules)


def words_of(result: Result) -> str:
    """All that was told to anybody, a line each."""
    return "\n".join(f"{notice.seat}: {_text(notice.facts)}" for notice in result.notices)


def _text(facts: dict[str, Any]) -> str:
    return str(facts.get("text") or facts.get("reason") or "")
