"""The tax: once in a turn for gold, or prestige for who did not collect it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Now, Table, Turn, with_player
from kingdom.games.kings_pouch.steps import booked, purse_of, tell, with_purse
from kingdom.games.kings_pouch.steps.rounds import TURNS
from kingdom.orders import kit
from kingdom.orders.schema import Word

NEVER, ALWAYS, IF_NEEDED = "never", "always", "if_needed"
TEXTS = {
    NEVER: "Collect no tax",
    IF_NEEDED: "Collect the tax where a wish lacks just that gold",
    ALWAYS: "Collect the tax in any case",
}


class Tax(kit.One[Table, Rules, Literal["never", "always", "if_needed"]]):
    """Whether the tax is collected: before all wishes, or by the one that lacks just its gold."""

    key, name, phase = "tax", "the tax", TURNS[0]
    shape = Word("whether to collect the tax", (NEVER, ALWAYS, IF_NEEDED), example=IF_NEEDED)
    causes = {"tax": "gold for the order card"}

    def asks(self, now: Now) -> str:
        return f"Say whether the tax may be collected: never, always or if_needed. Without it you have {now.rules.tax.prestige} prestige more."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        for word, text in TEXTS.items():
            against = tuple(f"tax {other}" for other in TEXTS if other != word)
            adds = {"gold": now.rules.tax.gold, "prestige": -now.rules.tax.prestige} if word != NEVER else {}
            yield kit.Candidate(f"tax {word}", word, text, uses={"tax": 1}, against=against, adds=adds)

    def objection(self, now: Now, order: str) -> None:
        """It may be said in any case."""

    def carry_out(self, now: Now, order: str, turn: Turn) -> Table:
        return collect_tax(now.state, turn, now.seat) if order == ALWAYS else now.state

    def say(self, order: str) -> str:
        return f"tax: {order.replace('_', ' ')}"


TAX = Tax()


def collect_tax(table: Table, turn: Turn, seat: str) -> Table:
    """The order card is turned over for gold."""
    if table.seats[seat].taxed:
        return table
    table = with_purse(with_player(table, seat, taxed=True), gold=purse_of(table).gold + turn.rules.tax.gold)
    tell(turn, seat, f"collects the tax: {turn.rules.tax.gold} gold.")
    return booked(turn, table, seat, "tax", "the order card is turned over")
