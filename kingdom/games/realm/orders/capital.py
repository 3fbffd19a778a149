"""The order `capital`: where the capital moves, or which settlement follows one that is let go. Edict step 7. Ruling: capital_move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.realm.orders.kind import Now, One, held
from kingdom.games.realm.orders.words import a_settlement
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.losing import capital_hex, extra_unrest
from kingdom.games.realm.steps.shared import attempt, book, with_unrest
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate


class Capital(One[str]):
    """`capital: Oakhold`."""

    key, name, step, section, part = "capital", "the capital", "capital_move", "land", "Capital"
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
