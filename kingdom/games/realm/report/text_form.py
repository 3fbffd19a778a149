"""The order form of the next turn: short forms, the standing choices filled in, everything else to be uncommented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.offers.abroad import army_examples, expedition_examples
from kingdom.games.realm.offers.options import options
from kingdom.games.realm.orders import ORDERS
from kingdom.games.realm.report.odds import before_orders
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom, Pending, World
from kingdom.games.realm.steps.land.improvements import PREPARED
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.visibility.known import known, others
from kingdom.orders.orders_file import EDITOR_LINE
from kingdom.render.plain_text import COLUMNS, width

Order = tuple[str, Any]  # key and value in the long form
NEW_NAME = "New Town"  # of a settlement to be founded


def order_form(
    kingdom: Kingdom, seat: str, turn: int, offers: dict[str, Any], aided: Sequence[str], rules: Rules
) -> list[str]:
    """The lines of an orders file that is valid as it stands, and then leaves things as they are.

    Behind a # stand further lines, each valid when the # is taken away. offers: what options.py gives, for examples;
    aided: the seats that aid may be sent to. Without offers only messages are delivered.
    """
    lines = [EDITOR_LINE, f"kingdom: {seat}", f"turn: {turn}"]
    if offers:
        lines += lines_of_order("leadership", list(led(kingdom, rules)))
        lines += answer_lines(kingdom.pending)
        lines += lines_of_order("edicts", {category: getattr(kingdom, category) for category in EDICTS})
        examples = (f"#{line}" for order in _examples(kingdom, offers, aided) for line in lines_of_order(*order))
        lines += [line for line in examples if _fits(line)]
    return [*lines, '#messages: [{to: all, text: "..."}]', '#requests: ["..."]', "#final: true"]


def answer_lines(asked: Sequence[Pending]) -> list[str]:
    """The default answers under one key, and behind a # what else may stand in the place of each."""
    if not asked:
        return []
    rows = [(f'{pending.key}: "{pending.default}"', ", ".join(alternatives(pending))) for pending in asked]
    if len(rows) == 1:
        return [_with_others(f"answers: {{{rows[0][0]}}}", rows[0][1])]
    return ["answers:", *(_with_others(f"  {said}", others) for said, others in rows)]


def _with_others(line: str, others: str) -> str:
    more = f"{line}  # or {others}"
    return more if others and _fits(more) else line


def alternatives(pending: Pending) -> list[str]:
    """The answers besides the default, as they are typed, with the first of the figures that they take; of a hex to be lost
    none, for there are many."""
    words = [word for word in pending.choices if word != pending.default] if pending.key != "lose_hex" else []
    return [f"{{{word}: {pending.figures[word][0]}}}" if word in pending.figures else word for word in words]


def form_of(world: World, seat: str, rules: Rules) -> list[str]:
    """The order form of the turn after this state, from what the seat knows of it, without its head."""
    seen = known(world, seat, rules)
    offers = options(seen, before_orders(seen, seat, rules), seat, rules)
    aided = [other.seat for other in others(world, seat, rules).values() if other.touches or other.tied]
    return order_form(world.kingdoms[seat], seat, world.turn + 1, offers, aided, rules)[3:]


def lines_of_order(key: str, value: Any) -> list[str]:
    """An order in its short form, or in the long one where a name allows no other."""
    from kingdom.orders import yaml_out
    from kingdom.orders.orders_file import lines_of

    return [line.rstrip() for line in lines_of(ORDERS, key, value) or [f"{key}: {yaml_out.flow(value)}"]]


def _fits(line: str) -> bool:
    """Whether it stays one line of the page, which a long name would break."""
    return "\n" not in line and width(line) <= COLUMNS


def _examples(kingdom: Kingdom, offers: dict[str, Any], aided: Sequence[str]) -> Iterator[Order]:
    """Orders that the kingdom could give, one of each kind."""
    if offers["claimable"]:
        yield "claim", [row["hex"] for row in offers["claimable"][: max(1, offers["claims"])]]
    for row in offers["hexes"][:1]:
        yield "improve", [{"hex": row["hex"], "build": row["options"][0]["order"]}]
    prepared = [
        label for label, built in kingdom.hexes.items() if PREPARED in built and not settlement_in(kingdom, label)
    ]
    for label in prepared[:1]:
        yield "settle", [{"hex": label, "name": NEW_NAME}]
    for town in offers["towns"][:1]:
        prices = offers["everywhere"] + town["buildings"]
        yield "build", [{"in": town["name"], "build": prices[0]["kinds"][0]["order"] if prices else "house"}]
    orders = army_examples(kingdom, offers["armies"])
    while len(orders) > 1 and not all(_fits(f"#{line}") for line in lines_of_order("armies", orders)):
        orders = orders[:-1]
    if orders:
        yield "armies", orders
    for other in aided[:1]:
        yield "special", [{"edict": "aid", "to": other, "attribute": "economy"}]
    for order in expedition_examples(kingdom, offers["expeditions"]):
        yield "special", [order]
    for row in offers["trade"].get("examples", ()):
        yield row["key"], row["value"]
    yield "loyalty", {"rouse_the_people": "economy"}
