"""Edict phase, before the armies move: the owner of a besieged settlement gives it up. Rulings: siege, conquest."""

from __future__ import annotations

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.shared import by_lot, orders_of
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.steps.war.conquest import Fall, give_away, taker, unrest_of_loss
from kingdom.games.realm.steps.war.meeting import theatre_of
from kingdom.games.realm.steps.war.warfare import besiegers_of
from kingdom.games.realm.types import Turn

REFUSALS = {
    "surrender_unknown": "{name} is no settlement of this kingdom (ruling siege); name one that is besieged: {besieged}.",
    "surrender_free": "{name} is not besieged (ruling siege); a settlement can surrender after a turn of a siege. Besieged: {besieged}.",
    "surrender_nobody": "Nobody who besieges {name} can take it now, so it holds out (ruling conquest); order it again next turn.",
}


def surrender_problem(kingdom: Kingdom, named: str, rules: Rules) -> Refusal | None:
    """Why the settlement of that name can't surrender, as far as its owner knows."""
    name, besieged = settlement_named(kingdom, named), ", ".join(may_surrender(kingdom, rules)) or "none"
    if not name:
        return Refusal("surrender_unknown", {"name": named, "besieged": besieged})
    if name not in may_surrender(kingdom, rules):
        return Refusal("surrender_free", {"name": name, "besieged": besieged})
    return None


def may_surrender(kingdom: Kingdom, rules: Rules) -> list[str]:
    """The settlements that have been besieged for a turn. Ruling: siege."""
    if rules.siege is None or not rules.siege.surrender_divisor:
        return []
    return [name for name, settlement in kingdom.settlements.items() if settlement.besieged]


def surrender(world: World, turn: Turn) -> World:
    """A settlement that surrenders falls at once to the besieger who would take it, for a part of the Unrest of its loss.

    Who takes one may take no other in the turn, so lots say which is first. Ruling: nobody_first.
    """
    orders = {seat: orders_of(turn, seat, kingdom).get("surrender") for seat, kingdom in world.kingdoms.items()}
    named = {seat: name for seat, name in orders.items() if name}
    order = list(named)
    if len(named) > 1 and turn.rules.nobody_first and not turn.foreseeing:
        order = by_lot(named, lambda seat, sides: turn.roll(seat, "surrender-lot", sides), turn.rules)
    for seat in order:
        world = _surrendered(seat, named[seat], world, turn)
    return world


def _surrendered(seat: str, named: str, world: World, turn: Turn) -> World:
    kingdom = world.kingdoms[seat]
    refusal = surrender_problem(kingdom, named, turn.rules)
    if refusal:
        turn.refuse(seat, "surrender", refusal.code, **refusal.facts)
        return world
    if turn.foreseeing:  # who takes it then, nobody knows
        return world
    name = settlement_named(kingdom, named)
    label = kingdom.settlements[name].hex
    victor = taker(Fall(label, seat, besiegers_of(theatre_of(world), label, seat, turn)), world, turn)
    if not victor:
        turn.refuse(seat, "surrender", "surrender_nobody", name=name)
        return world
    text = f"{name} in {label} surrenders to {world.kingdoms[victor].name} (ruling siege)."
    for other in sorted({seat, victor}):
        turn.tell(other, "news", hex=label, text=text)
    unrest = unrest_of_surrender(kingdom, name, turn.rules)
    return give_away(world, turn, label, seat, victor, unrest, surrendered=True)


def unrest_of_surrender(kingdom: Kingdom, name: str, rules: Rules) -> int:
    """The Unrest of a kingdom that surrenders its settlement now: a part of that of its loss, once the siege has lasted and its people
    were beaten. Ruling: siege."""
    ruling, settlement = in_force(rules.siege), kingdom.settlements[name]
    whole, turns = unrest_of_loss(kingdom, settlement.hex, rules), kingdom.besiegers.get(settlement.hex, {}).values()
    beaten = settlement.levy > 0 or not (rules.militia and rules.militia.acr)
    lasted = max(turns, default=0) >= ruling.surrender_after and beaten
    return -(-whole // ruling.surrender_divisor) if lasted or not ruling.surrender_after else whole
