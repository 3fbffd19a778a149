"""The order `abandon`: land let go, and the settlement in it. Edict step 2. Ruling: abandon."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import hex_in_words
from kingdom.games.realm.orders.capital import CAPITAL
from kingdom.games.realm.orders.kind import KEPT, PIERS, Each, Now, held, whole
from kingdom.games.realm.orders.words import a_hex
from kingdom.games.realm.rules.building_tables import MoreSpecialEdicts
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.losing import capital_hex, let_go, settlement_in, tell_of_settlement
from kingdom.games.realm.steps.shared import book, with_unrest
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf


class Abandon(Each[str]):
    """`abandon: 0404`. The capital's hex needs the next capital beside it, `capital: Oakhold`."""

    key, name, step, section, part = "abandon", "hexes let go", "abandon_hexes", "land", "Abandon"
    shown = 0  # nobody lets land go by taking away a #
    once = True
    shape = ListOf("the hexes to abandon", a_hex("a hex"), short="words")
    causes = {"abandon": "a hex abandoned, and the Unrest of it"}
    refusals = {
        "abandon_not_held": "{hex} is not held (Edict step 2); abandon a hex of yours.",
        "abandon_capital": "{hex} holds the capital {capital} (ruling abandon); name the next one in the same orders "
        "with `capital:`. There are: {others}.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        kingdom = now.state.kingdoms[now.seat]
        for label in sorted(kingdom.hexes):
            town = settlement_in(kingdom, label)
            and_town, effect = f", and {town}" if town else "", {"size": -1, "unrest": _unrest(town, now.rules)}
            text = f"Abandon {hex_in_words(label, now.state.hexes[label], now.rules)}{and_town}"
            yield Candidate(f"abandon {label}", label, text, said=f"Abandon {label}{and_town}", at=label, effect=effect,
                            uses={f"abandon {label}": 1}, adds={"size": -1}, more=f"Unrest {effect['unrest']:+d}")  # fmt: skip

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield those that can be let go alone; with the capital's hex goes the choice of the next capital."""
        kingdom = now.state.kingdoms[now.seat]
        for candidate in self.candidates(now):
            label, town = candidate.order, settlement_in(kingdom, candidate.order)
            if label != capital_hex(kingdom) and not (town and keeps_edicts(town, kingdom, now.rules)):
                yield candidate._replace(needs=[[held(label)]], ends=what_ends(label, town, kingdom))

    def objection(self, now: Now, order: str) -> kit.Objection:
        kingdom = now.state.kingdoms[now.seat]
        if order not in kingdom.hexes:
            return Refusal("abandon_not_held", {"hex": order})
        others = [name for name in kingdom.settlements if name != kingdom.capital]
        loses_capital = bool(others) and order == capital_hex(kingdom)
        if loses_capital and self.successor(now) not in others:
            return Refusal("abandon_capital", {"hex": order, "capital": kingdom.capital, "others": ", ".join(others)})
        return None

    def successor(self, now: Now) -> str:
        """Return the settlement that the seat names as the next capital, "" for none."""
        return CAPITAL.named(now.state.kingdoms[now.seat], now.orders)

    def carry_out(self, now: Now, order: str, turn: Turn) -> World:
        before, hexes = now.state.kingdoms[now.seat], dict(now.state.hexes)
        town = settlement_in(before, order)
        kingdom, hexes[order] = let_go(before, hexes[order], order, self.successor(now))
        kingdom = with_unrest(kingdom, _unrest(town, turn.rules), turn.number, turn.rules)
        book(turn, now.seat, kingdom, hexes, "abandon", f"{order} with {town}" if town else order)
        tell_of_settlement(turn, now.seat, before, kingdom, order, "abandon")
        return with_kingdoms(replace(now.state, hexes=hexes), {now.seat: kingdom})


ABANDON = Abandon()


def _unrest(town: str, rules: Rules) -> int:
    return rules.abandon.settlement_unrest if town else rules.abandon.unrest


def keeps_edicts(town: str, kingdom: Kingdom, rules: Rules) -> bool:
    """Whether something in the settlement lets its kingdom issue more special edicts, so that there are fewer without it."""
    buildings = kingdom.settlements[town].buildings
    return any(rules.buildings[building.id].has(MoreSpecialEdicts) for building in buildings)


def what_ends(label: str, town: str, kingdom: Kingdom) -> list[str]:
    """The facts that end with a hex, and with the settlement in it: what ships and armies have there, and the routes from it."""
    own = [PIERS, whole(label), *(f"tied {other}" for other in sorted(partners(kingdom)))] if town else []
    return [held(label), KEPT, *own]
