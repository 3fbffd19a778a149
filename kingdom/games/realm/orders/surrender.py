"""The order `surrender`: a besieged settlement is given up. Edict phase, before the armies move. Rulings: siege, conquest."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.kind import Now, One, held
from kingdom.games.realm.orders.words import a_settlement
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.shared import by_lot
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.steps.war.conquest import Fall, give_away, taker, unrest_of_loss
from kingdom.games.realm.steps.war.meeting import theatre_of
from kingdom.games.realm.steps.war.warfare import besiegers_of
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate


class Surrender(One[str]):
    """`surrender: Oakhold`."""

    key, name, step, section, part = "surrender", "the surrender", "surrender", "land", "Surrender"
    often = 25
    shown = 0  # nobody gives a settlement up by taking away a #
    once = True
    shape = a_settlement("a besieged settlement that surrenders")
    refusals = {
        "surrender_unknown": "{name} is no settlement of this kingdom (ruling siege); name one that is besieged: {besieged}.",
        "surrender_free": "{name} is not besieged (ruling siege); a settlement can surrender after a turn of a siege. Besieged: {besieged}.",
        "surrender_nobody": "Nobody who besieges {name} can take it now, so it holds out (ruling conquest); order it again next turn.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        kingdom = now.state.kingdoms[now.seat]
        for name in _besieged(kingdom, now.rules):
            needs = [[held(kingdom.settlements[name].hex)]]
            yield Candidate(f"surrender {name}", name, f"Surrender {name}", uses={"surrender": 1}, needs=needs)

    def objection(self, now: Now, order: str) -> kit.Objection:
        """Return why the settlement can't surrender, as far as its owner knows."""
        kingdom = now.state.kingdoms[now.seat]
        name, besieged = settlement_named(kingdom, order), _besieged(kingdom, now.rules)
        facts = {"name": name or order, "besieged": ", ".join(besieged) or "none"}
        return None if name in besieged else Refusal("surrender_free" if name else "surrender_unknown", facts)

    def carry_out(self, now: Now, order: str, turn: Turn) -> World:
        """Return the world in which it fell to the besieger who would take it; foreseeing, nobody knows who that is."""
        if now.foreseeing:
            return now.state
        world, kingdom = now.state, now.state.kingdoms[now.seat]
        name = settlement_named(kingdom, order)
        label = kingdom.settlements[name].hex
        victor = taker(Fall(label, now.seat, besiegers_of(theatre_of(world), label, now.seat, turn)), world, turn)
        if not victor:
            turn.refuse(now.seat, self.key, "surrender_nobody", name=name)
            return world
        text = f"{name} in {label} surrenders to {world.kingdoms[victor].name} (ruling siege)."
        for other in sorted({now.seat, victor}):
            turn.tell(other, "news", hex=label, text=text)
        unrest = _unrest(kingdom, name, turn.rules)
        return give_away(world, turn, label, now.seat, victor, unrest, surrendered=True)


SURRENDER = Surrender()


def surrender(world: World, turn: Turn) -> World:
    """A settlement that surrenders falls at once to the besieger who would take it, for a part of the Unrest of its loss.

    Who takes one may take no other in the turn, so lots say which is first. Ruling: nobody_first.
    """
    named = [seat for seat in world.kingdoms if SURRENDER.ordered(Now(world, seat, turn.rules), turn)]
    if len(named) > 1 and turn.rules.nobody_first and not turn.foreseeing:
        named = by_lot(named, lambda seat, sides: turn.roll(seat, "surrender-lot", sides), turn.rules)
    for seat in named:
        world = SURRENDER.play(Now(world, seat, turn.rules, turn.foreseeing), turn)
    return world


def _besieged(kingdom: Kingdom, rules: Rules) -> list[str]:
    """The settlements that have been besieged for a turn. Ruling: siege."""
    if rules.siege is None or not rules.siege.surrender_divisor:
        return []
    return [name for name, settlement in kingdom.settlements.items() if settlement.besieged]


def _unrest(kingdom: Kingdom, name: str, rules: Rules) -> int:
    """The Unrest of a kingdom that surrenders its settlement now: a part of that of its loss, once the siege has lasted and its people
    were beaten. Ruling: siege."""
    ruling, settlement = in_force(rules.siege), kingdom.settlements[name]
    whole, turns = unrest_of_loss(kingdom, settlement.hex, rules), kingdom.besiegers.get(settlement.hex, {}).values()
    beaten = settlement.levy > 0 or not (rules.militia and rules.militia.acr)
    lasted = max(turns, default=0) >= ruling.surrender_after and beaten
    return -(-whole // ruling.surrender_divisor) if lasted or not ruling.surrender_after else whole
