"""The tax, and what the rest phase may be told. steps/rest.py plays that phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from kingdom.games.kings_pouch.orders.counting import all_effects
from kingdom.games.kings_pouch.orders.managing import ALWAYS, IF_NEEDED, NEVER
from kingdom.games.kings_pouch.orders.placing import WORDS, kind_of, plain, shapes_of
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, SHAPES, Table
from kingdom.games.kings_pouch.types import Now
from kingdom.orders import kit
from kingdom.orders.schema import Flag, ListOf, Word

TAX = {
    NEVER: "Collect no tax",
    IF_NEEDED: "Collect the tax where a wish lacks just that gold",
    ALWAYS: "Collect the tax in any case",
}


class Tax(kit.One[Table, Rules, Literal["never", "always", "if_needed"]]):
    """Whether the tax is collected; the management phase does it."""

    key, name = "tax", "the tax"
    shape = Word("whether to collect the tax", (NEVER, ALWAYS, IF_NEEDED), example=IF_NEEDED)

    def asks(self, now: Now) -> str:
        """Return what the tax brings, and takes."""
        return f"Say whether the tax may be collected: never, always or if_needed. Without it you have {now.rules.tax.prestige} prestige more."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Return each way."""
        for word, text in TAX.items():
            against = tuple(f"tax {other}" for other in TAX if other != word)
            adds = {"gold": now.rules.tax.gold, "prestige": -now.rules.tax.prestige} if word != NEVER else {}
            yield kit.Candidate(f"tax {word}", word, text, uses={"tax": 1}, against=against, adds=adds, checked=True)

    def say(self, order: str) -> str:
        """Return the order in words."""
        return order.replace("_", " ")


class Wishes(TypedDict):
    """What a player wishes for in the rest phase."""

    refresh: NotRequired[Annotated[list[str], ListOf("which citizens go back into the pouch, by kind", kind_of("a kind", example="merchant"), short=WORDS)]]  # fmt: skip
    refresh_all: NotRequired[Annotated[bool, Flag("whether a refresh without a number is used")]]
    draw: NotRequired[Annotated[list[str], shapes_of("the shape of each citizen drawn")]]
    palace_draw: NotRequired[Annotated[bool, Flag("whether the palace's citizen is drawn")]]


class Rest(kit.Entries[Table, Rules, bool | list[str]]):
    """What the rest phase is told, an entry a wish."""

    key, name = "rest", "the rest phase"
    shape = kit.record(Wishes, "the rest phase")

    def asks(self, now: Now) -> str:
        """Return what may be wished for."""
        return "Say which shapes you draw: `rest: {draw: [cube, prism]}`; without it cubes first."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Return each entry; of refreshes those that a building lets the seat do."""
        effects = all_effects(now.state.lords[now.seat], now.rules)
        refreshes = {effect.n > 0 for effect in effects if effect.does == "refresh"}
        most = max(now.rules.draw.usual, now.rules.draw.palace)
        kinds = kit.Pick("First of all", KINDS, kind="ranked", least=1)
        shapes = kit.Pick("Draw", tuple(SHAPES), kind="row", least=1, most=most)
        entries: list[tuple[str, Any, str, dict[str, kit.Pick], bool]] = [
            (
                "refresh",
                kit.Gap("kinds"),
                "Who goes back into the pouch with a refresh",
                {"kinds": kinds},
                True in refreshes,
            ),
            ("refresh", [], "Nobody goes back into the pouch with a refresh of a number", {}, True in refreshes),
            ("refresh_all", False, "Leave out the refresh of the whole rest area", {}, False in refreshes),
            ("draw", kit.Gap("shapes"), "Shapes to draw at the end of your turn", {"shapes": shapes}, True),
            (
                "palace_draw",
                False,
                "Don't draw the additional citizen of the palace",
                {},
                now.rules.palace_draw.optional,
            ),
        ]
        for entry, value, text, picks, possible in entries:
            if possible:
                id = f"rest {entry}" if picks else f"rest {entry} no"
                yield kit.Candidate(id, (entry, value), text, picks, uses={f"rest {entry}": 1}, checked=True)

    def say(self, order: tuple[str, bool | list[str]]) -> str:
        """Return the entry in words."""
        return f"{order[0].replace('_', ' ')} {plain(order[1])}"
