"""The order form of the next turn as text: short forms, the standing choices filled in, everything else to be uncommented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from kingdom.games.realm.armies import army_named, escorts
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.hexmap import DIRECTIONS, neighbours
from kingdom.games.realm.offers.abroad import smuggled_to, touching
from kingdom.games.realm.offers.course import before_orders
from kingdom.games.realm.offers.court import LOSE_HEX, answers_to
from kingdom.games.realm.offers.land import NEW_TOWN, foundings
from kingdom.games.realm.offers.offers import Options, may_do
from kingdom.games.realm.offers.war import NEW_ARMY
from kingdom.games.realm.orders import ORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom, Pending, World
from kingdom.games.realm.steps.edicts import tied_for_aid
from kingdom.games.realm.steps.trade.routes import best_path, without_unseen
from kingdom.games.realm.visibility.known import known, others
from kingdom.orders import yaml_out
from kingdom.orders.orders_file import EDITOR_LINE, lines_of
from kingdom.render.plain_text import COLUMNS, width

Order: TypeAlias = tuple[str, object]  # key and value in the long form


def form_of(world: World, seat: str, rules: Rules) -> list[str]:
    """The order form of the turn after this state, from what the seat knows of it, without its head."""
    seen = known(world, seat, rules)
    now = before_orders(seen, seat, rules)
    along = tied_for_aid(world.kingdoms[seat], seen, rules, foreseen=True)
    aided = [other.seat for other in others(world, seat, rules).values() if other.touches or other.seat in along]
    return order_form(seen, now, seat, may_do(seen, now, seat, rules), aided, rules)[3:]


def order_form(
    seen: World, world: World, seat: str, offers: Options | None, aided: Sequence[str], rules: Rules
) -> list[str]:
    """The lines of an orders file that is valid as it stands, and then leaves things as they are.

    Behind a # stand further lines, each valid when the # is taken away. seen: what the seat knows; world: the kingdom as its
    orders find it (course.py); offers: what it may then do; aided: the seats that aid may be sent to. Without offers only
    messages are delivered.
    """
    kingdom = seen.kingdoms[seat]
    lines = [EDITOR_LINE, f"kingdom: {seat}", f"turn: {seen.turn + 1}"]
    if offers:
        lines += lines_of_order("leadership", list(led(kingdom, rules)))
        lines += answer_lines(kingdom.pending)
        lines += lines_of_order("edicts", {category: getattr(kingdom, category) for category in EDICTS})
        orders = [
            *_at_home(kingdom, offers),
            *_abroad(kingdom, offers, aided),
            *_of_trade(seen, seat, world.kingdoms[seat], offers, rules),
            ("loyalty", {"rouse_the_people": "economy"}),
        ]
        lines += [line for order in orders for text in lines_of_order(*order) if _fits(line := f"#{text}")]
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
    found: dict[str, str] = {}
    for word, figure, _ in answers_to(pending) if pending.key != LOSE_HEX else ():
        if word != pending.default:
            found.setdefault(word, word if figure is None else f"{{{word}: {figure}}}")
    return list(found.values())


def lines_of_order(key: str, value: object) -> list[str]:
    """An order in its short form, or in the long one where a name allows no other."""
    return [line.rstrip() for line in lines_of(ORDERS, key, value) or [f"{key}: {yaml_out.flow(value)}"]]


def _fits(line: str) -> bool:
    """Whether it stays one line of the page, which a long name would break."""
    return "\n" not in line and width(line) <= COLUMNS


# --- an order of each kind that the kingdom could give


def _at_home(kingdom: Kingdom, offers: Options) -> Iterator[Order]:
    if offers["claimable"]:
        yield "claim", [row["hex"] for row in offers["claimable"][: max(1, offers["claims"])]]
    for row in offers["hexes"][:1]:
        yield "improve", [{"hex": row["hex"], "build": row["options"][0]["order"]}]
    for label in foundings(kingdom)[:1]:
        yield "settle", [{"hex": label, "name": NEW_TOWN}]
    for town in offers["towns"][:1]:
        prices = offers["everywhere"] + town["buildings"]
        yield "build", [{"in": town["name"], "build": prices[0]["kinds"][0]["order"] if prices else "house"}]
    orders = list(_to_armies(kingdom, offers))
    while len(orders) > 1 and not all(_fits(f"#{line}") for line in lines_of_order("armies", orders)):
        orders = orders[:-1]
    if orders:
        yield "armies", orders


def _to_armies(kingdom: Kingdom, offers: Options) -> Iterator[dict[str, object]]:
    """Each army that may go, on patrol beside where it stands; a new army."""
    for name, army in sorted(kingdom.armies.items()):
        beside = [label for label in neighbours(army.hex) if label in kingdom.hexes]
        if not escorts(kingdom, name) and (beside or not army.reserve):
            yield {"army": name, **({"move": beside[:1]} if beside else {}), "then": "patrol"}
    if offers["armies"] and not army_named(kingdom, NEW_ARMY):
        unit = offers["armies"]["units"][0].split()[0]
        rows = offers["armies"]["sizes"]
        # the largest size of that unit that can be paid and uses no more of the limit than the smallest does
        units = {"any unit", unit}
        paid = [row for row in rows if any(units & {*each["units"].split(", ")} for each in row["prices"])]
        size = [row for row in paid if row["slots"] == paid[0]["slots"]][-1]["sizes"].split(", ")[-1]
        town = kingdom.capital or min(kingdom.settlements)
        yield {"recruit": NEW_ARMY, "size": size, "unit": unit, "from": town}


def _abroad(kingdom: Kingdom, offers: Options, aided: Sequence[str]) -> Iterator[Order]:
    """Aid, an expedition, adventurers."""
    for other in aided[:1]:
        yield "special", [{"edict": "aid", "to": other, "attribute": "economy"}]
    row = offers["expeditions"]
    if row and row["weeks"] > 0:
        start = kingdom.capital or min(kingdom.settlements)
        yield "special", [{"edict": "explore", "from": start, "weeks": row["weeks"], "toward": DIRECTIONS[0]}]
    tasks = [(monsters["match"], monsters["hex"]) for monsters in row["monsters"][:1]] if row else []
    tasks += [(hazard["bp"], hazard["hex"]) for hazard in row["hazards"]] if row else []
    for bp, label in [(bp, label) for bp, label in tasks if bp <= offers["treasury"]][:1]:
        yield "special", [{"edict": "adventurers", "bp": bp, "task": label}]


def _of_trade(seen: World, seat: str, kingdom: Kingdom, offers: Options, rules: Rules) -> Iterator[Order]:
    """A caravan, a share, a route closed; doors and smuggling, for the first kingdom that touches this one."""
    row = offers["trade"]
    if row is None:
        return
    for end in row["ends"][:1]:
        if best_path(without_unseen(seen, rules), seat, kingdom, end["hexes"][:1], rules):
            yield "special", [{"edict": "trade_route", "to": end["seat"], "hex": end["hexes"][0]}]
    for other in row["sharing"][:1]:
        yield "special", [{"edict": "share_route", "to": other}]
    for key in list(kingdom.routes)[:1]:
        yield "special", [{"edict": "close_route", "route": key}]
    if rules.trade and rules.trade.between_neighbours:
        for other in touching(seat, kingdom, seen)[:1]:
            yield "doors", {other: "open" if other in kingdom.doors else "closed"}
    for other in smuggled_to(seat, kingdom, seen, rules)[:1]:
        yield "smuggle", [other]
