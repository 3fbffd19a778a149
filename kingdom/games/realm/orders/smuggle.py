"""The order `smuggle`: goods across a shared border, past the customs, instead of the own trade there. Edict step 7; ruling: smuggling.

What it brings is thrown for in the Income phase (steps/income.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.kind import Each, Now, held, named
from kingdom.games.realm.orders.words import a_kingdom
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.land.ground import borders_of, hexes_beside
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf


class Smuggle(Each[str]):
    """`smuggle: borderia`."""

    key, name, step, section = "smuggle", "smuggling", "doors", "special"
    shape = ListOf("where to smuggle", a_kingdom("a kingdom"), short="words")
    refusals = {
        "smuggle_off": "Neighbours do not trade in this campaign, so nothing is smuggled across borders "
        "(ruling smuggling); leave the order out.",
        "smuggle_no_border": "{to} has no border with this kingdom (ruling smuggling: across a shared border only); "
        "name one that touches yours (now: {touching}).",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        touching = borders_of(now.state, now.seat)
        for other in sorted(other for other in touching if self.objection(now, other) is None):
            along = hexes_beside(now.state, now.seat, other)
            yield Candidate(f"smuggle {other}", other, f"Smuggle goods to {named(other, now.state)}",
                            uses={f"smuggle {other}": 1}, needs=[[held(label) for label in along]])  # fmt: skip

    def objection(self, now: Now, order: str) -> kit.Objection:
        rules = now.rules
        if rules.trade is None or rules.smuggling is None:
            return Refusal("doors_off", {})
        if not rules.trade.between_neighbours:
            return Refusal("smuggle_off", {})
        touching = borders_of(now.state, now.seat)
        if order not in touching:
            return Refusal("smuggle_no_border", {"to": order, "touching": ", ".join(sorted(touching)) or "none"})
        return None

    def carry_out(self, now: Now, order: str, turn: Turn) -> World:
        return now.state  # the smugglers are on their way

    def smugglers(self, world: World, turn: Turn) -> set[tuple[str, str]]:
        """Return (who smuggles, where to), for every order that can be carried out with the borders as they are now."""
        moments = [Now(world, seat, turn.rules) for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]
        return {
            (now.seat, other)
            for now in moments
            for _, other in self.ordered(now, turn)
            if self.objection(now, other) is None
        }

    def deals_with(self, order: str) -> Sequence[str]:
        return (order,)

    def left_out(self, now: Now, orders: Sequence[str]) -> Iterator[str]:
        yield "What smugglers bring home (ruling smuggling)."


SMUGGLE = Smuggle()
