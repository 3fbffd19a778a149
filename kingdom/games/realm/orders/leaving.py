"""The orders `abandon`, land let go and the settlement in it, and `capital`, where the capital moves, or which settlement follows one that
is let go. Edict steps 2 and 7. Rulings: abandon, capital_move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.realm.hexmap import hex_in_words
from kingdom.games.realm.orders.kind import KEPT, PIERS, Each, Now, One, held, whole
from kingdom.games.realm.orders.words import a_hex, a_settlement
from kingdom.games.realm.rules.building_tables import MoreSpecialEdicts
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.losing import capital_hex, extra_unrest, let_go, settlement_in, tell_of_settlement
from kingdom.games.realm.steps.shared import attempt, book, orders_of, with_unrest
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf


class Capital(One[str]):
    """`capital: Oakhold`."""

    key, name, step, section, part = "capital", "the capital", "capital_move", "land", "Capital"
    often = 1
    shown = 0  # nobody moves a capital by taking away a #
    once = True
    shape = a_settlement("the settlement that becomes the capital")
    causes = {"capital_move": "the capital moved"}
    refusals = {
        "capital_unknown": "{name} is no settlement of this kingdom (ruling capital_move); name one of yours: {settlements}.",
        "capital_already": "{name} is the capital already (ruling capital_move); name another settlement or leave the order out.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        for name in sorted(now.state.kingdoms[now.seat].settlements):
            yield Candidate(f"capital {name}", name, f"Move the capital to {name}", uses={"capital": 1})

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield none if this turn's start may take the capital anyway."""
        kingdom, home = now.state.kingdoms[now.seat], capital_hex((now.before or now.state).kingdoms[now.seat])
        for candidate in self.candidates(now) if not home or home in kingdom.hexes else ():
            if candidate.order != kingdom.capital:
                needs = [[held(kingdom.settlements[candidate.order].hex)]]
                yield candidate._replace(text=f"Move it to {candidate.order}", needs=needs)

    def objection(self, now: Now, order: str) -> kit.Objection:
        kingdom = now.state.kingdoms[now.seat]
        name = settlement_named(kingdom, order)
        if not name:
            known = ", ".join(kingdom.settlements) or "none stands"
            return Refusal("capital_unknown", {"name": order, "settlements": known})
        return Refusal("capital_already", {"name": name}) if name == kingdom.capital else None

    def carry_out(self, now: Now, order: str, turn: Turn) -> World:
        """Return the world with the capital there: a Stability check says how much Unrest it costs; it moves either way."""
        kingdom, hexes, ruling = now.state.kingdoms[now.seat], now.state.hexes, turn.rules.capital_move
        old, name = kingdom.capital, settlement_named(kingdom, order)
        extra = extra_unrest(kingdom, kingdom.settlements[name].hex)
        check = attempt(turn, now.seat, kingdom, hexes, "stability", "capital_move", extra_unrest=extra)
        unrest: int | None = ruling.success_unrest
        moved = f"from {old or 'nowhere'} to {name}"
        if not check.success:
            unrest = turn.roll(now.seat, "capital_move", ruling.failure_die)
            moved += f", Unrest {unrest} (d{ruling.failure_die})" if unrest else ""
        kingdom = with_unrest(replace(kingdom, capital=name), unrest or 0, turn.number, turn.rules)
        book(turn, now.seat, kingdom, hexes, "capital_move", f"{moved} (ruling capital_move)")
        turn.tell(now.seat, "news", text=f"{name} is the capital now" + (f", instead of {old}." if old else "."))
        return with_kingdoms(now.state, {now.seat: kingdom})

    def named(self, kingdom: Kingdom, orders: Orders) -> str:
        """Return the kingdom's settlement that the orders name, "" for none."""
        return next((settlement_named(kingdom, order) for _, order in self.filed(orders)), "")

    def left_out(self, now: Now, orders: Sequence[str]) -> Iterator[str]:
        yield "The check of the capital's move, and its Unrest (ruling capital_move)."


CAPITAL = Capital()


class Abandon(Each[str]):
    """`abandon: 0404`. The capital's hex needs the next capital beside it, `capital: Oakhold`."""

    key, name, step, section, part = "abandon", "hexes let go", "abandon_hexes", "land", "Abandon"
    often = 1
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
        if loses_capital and CAPITAL.named(kingdom, now.orders) not in others:
            return Refusal("abandon_capital", {"hex": order, "capital": kingdom.capital, "others": ", ".join(others)})
        return None

    def carry_out(self, now: Now, order: str, turn: Turn) -> World:
        before, hexes = now.state.kingdoms[now.seat], dict(now.state.hexes)
        town = settlement_in(before, order)
        kingdom, hexes[order] = let_go(before, hexes[order], order, CAPITAL.named(before, now.orders))
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


# --- their steps --------------------------------------------------------------------------------------------------------


def abandon_hexes(world: World, turn: Turn) -> World:
    """Edict step 2, first half: each hex that is let go adds Unrest, more where a settlement stands in it.

    The settlement becomes a free city; the order `capital` names the next capital. Ruling: abandon.
    """
    for seat, kingdom in world.kingdoms.items():
        orders = orders_of(turn, seat, kingdom)
        if kingdom.destroyed or not orders.get(ABANDON.key):
            continue
        world = ABANDON.play(Now(world, seat, turn.rules, turn.foreseeing, orders=orders), turn)
        left = world.kingdoms[seat]
        if turn.rules.no_hexes.near and not left.hexes:
            given_up = dict.fromkeys(label for _, label in ABANDON.filed(orders) if label in kingdom.hexes)
            world = with_kingdoms(world, {seat: replace(left, given_up=tuple(given_up))})
    return world


def capital_move(world: World, turn: Turn) -> World:
    """Edict step 7: a Stability check says how much Unrest the move costs; it moves either way. Ruling: capital_move."""
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed and not _named_in_step_2(kingdom, world, turn.orders.get(seat, {})):
            world = CAPITAL.play(Now(world, seat, turn.rules, turn.foreseeing), turn)
    return world


def _named_in_step_2(kingdom: Kingdom, world: World, orders: Orders) -> bool:
    """Whether the order only named the next capital for a settlement that was abandoned. Ruling: abandon."""
    if not kingdom.capital or CAPITAL.named(kingdom, orders) != kingdom.capital:
        return False
    gone = [label for _, label in ABANDON.filed(orders) if label not in kingdom.hexes and label in world.hexes]
    return any(world.hexes[label].free_city for label in gone)
