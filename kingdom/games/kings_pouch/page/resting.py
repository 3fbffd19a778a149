"""What stands beside a turn's placements and wishes: the tax, the rest phase, the castles before round 1, and messages."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.offer import MAP, ONE
from kingdom.games.kings_pouch.orders import TAX as COLLECT
from kingdom.games.kings_pouch.orders.castle import free_castles
from kingdom.games.kings_pouch.page.deeds import (
    GOLD,
    PRESTIGE,
    REST,
    TAX,
    Button,
    Data,
    button,
    option,
    ranks,
    shapes,
)
from kingdom.games.kings_pouch.rules import Effect, Rules
from kingdom.games.kings_pouch.state import KINDS, Lord, Table
from kingdom.games.kings_pouch.steps import said
from kingdom.games.kings_pouch.steps.rounds import due
from kingdom.games.kings_pouch.types import Now
from kingdom.orders.kit.pages import slot

_NTH = ("First choice", "Second choice", "Third choice", "Fourth choice")


def castle(seen: Table, seat: str, rules: Rules) -> Iterator[Button]:
    """The places for a castle in a row. Who chooses before may take one each, so that one more must be named for each of them."""
    free = [option(said(place), means=place) for place in free_castles(seen, rules)]
    names = [f"choice{number}" for number in range(1, len(free) + 1)]
    least = due(seen, rules).index(seat) + 1
    fields = [{**field, "on_map": True} for field in ranks(names, _NTH, free, "none", least=least, distinct=True)]
    yield {"id": "castle", "rank": 0, "key": "castle", "how": ONE, "value": [slot(name) for name in names], "text": "Where your castle shall stand",
           "fields": fields, "takes": ["castle"]}  # fmt: skip


def tax(now: Now) -> Data:
    """Whether the tax is collected: a choice. Gold that nobody spends becomes prestige."""
    rules = now.rules
    figures = rules.tax
    adds = {GOLD: figures.gold, PRESTIGE: figures.gold * rules.donation.prestige - figures.prestige}
    texts = {"if_needed": "Where a wish lacks just that gold", "always": "In any case"}  # never: none of them
    offers = [
        button(COLLECT, candidate._replace(text=texts[candidate.order]), TAX, adds=adds, takes=[*candidate.uses])
        for candidate in COLLECT.candidates(now)
        if candidate.order in texts
    ]
    none = {"text": "Not at all", "more": f"{figures.prestige} prestige at the end of your turn"}
    return {"kind": "choice", "title": f"Collect the tax: {figures.gold} gold", "none": none, "offers": offers}


def resting(lord: Lord, effects: list[Effect], rules: Rules) -> Iterator[Button]:
    """Who goes back into the pouch, where a building lets them, and which shapes are drawn."""
    refreshes = {effect.n > 0 for effect in effects if effect.does == "refresh"}
    if True in refreshes:
        names = [f"kind{number}" for number in range(1, len(KINDS) + 1)]
        fields = ranks(
            names,
            ["First of all", *["then"] * (len(KINDS) - 1)],
            [option(kind) for kind in KINDS],
            "nobody more",
            least=1,
            distinct=True,
        )
        yield _row(
            "refresh", [slot(name) for name in names], "Who goes back into the pouch with a refresh", fields=fields
        )
        yield _row("refresh", [], "Nobody goes back into the pouch with a refresh of a number")
    if False in refreshes:
        yield _row("refresh_all", False, "Leave out the refresh of the whole rest area")
    fields, value = shapes(max(rules.draw.usual, rules.draw.palace))
    fields[0].pop("none")
    yield _row(
        "draw",
        value,
        "Shapes to draw at the end of your turn",
        fields=fields,
        more="another shape where none of it is left",
    )
    if rules.palace_draw.optional:
        yield _row("palace_draw", False, "Don't draw the additional citizen of the palace")


def _row(key: str, value: object, text: str, **more: object) -> Button:
    """A row of `rest`; each key once."""
    id = f"{key} none" if value in ([], False) else key
    return {
        "id": id,
        "rank": REST,
        "key": "rest",
        "how": MAP,
        "value": [key, value],
        "text": text,
        "takes": [key],
        **more,
    }
