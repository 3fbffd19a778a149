"""The order form of the next turn as text: short forms, the standing choices filled in, everything else to be uncommented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from kingdom.games.realm.armies import army_named, escorts
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.hexmap import DIRECTIONS, neighbours, piers_of, step_cost
from kingdom.games.realm.offers.court import LOSE_HEX, answers_to
from kingdom.games.realm.offers.form_model import Ground
from kingdom.games.realm.offers.land import NEW_TOWN, foundings
from kingdom.games.realm.offers.offers import Options, may_do
from kingdom.games.realm.offers.trade_and_edicts import may_issue
from kingdom.games.realm.offers.turn_preview import before_orders
from kingdom.games.realm.offers.war import NEW_ARMY
from kingdom.games.realm.orders.declaration import DECISIONS, ORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom, Pending, World, replace
from kingdom.games.realm.steps.edicts import tied_for_aid
from kingdom.games.realm.steps.trade.routes import best_path, without_unseen
from kingdom.games.realm.visibility.known import known, others
from kingdom.orders import kit, yaml_out
from kingdom.orders.orders_file import EDITOR_LINE, lines_of
from kingdom.render.plain_text import COLUMNS, width

Order: TypeAlias = tuple[str, object]  # key and value in the long form
SpecialEdict: TypeAlias = dict[str, str | int]


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
    orders find it (turn_preview.py); offers: what it may then do; aided: the seats that aid may be sent to. Without offers only
    messages are delivered.
    """
    kingdom = seen.kingdoms[seat]
    world = replace(world, kingdoms={**seen.kingdoms, seat: world.kingdoms[seat]})
    ground = Ground(seat, world.kingdoms[seat], world, seen, {}, (), rules)
    lines = [EDITOR_LINE, f"kingdom: {seat}", f"turn: {seen.turn + 1}"]
    if offers:
        lines += lines_of_order("leadership", list(led(kingdom, rules)))
        lines += answer_lines(kingdom.pending)
        lines += lines_of_order("edicts", {category: getattr(kingdom, category) for category in EDICTS})
        orders = [
            *_at_home(kingdom, offers, ground),
            *_abroad(kingdom, offers, aided, ground),
            *_of_trade(offers, ground),
            ("loyalty", {"rouse_the_people": "economy"}),
        ]
        orders += [(kind.key, value) for kind in DECISIONS if (value := kit.example(kind, ground.moment())) is not None]
        orders.sort(key=lambda order: [*ORDERS.keys].index(order[0]))
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


def _at_home(kingdom: Kingdom, offers: Options, ground: Ground) -> Iterator[Order]:
    for row in offers["hexes"][:1]:
        yield "improve", [{"hex": row["hex"], "build": row["options"][0]["order"]}]
    for label in foundings(kingdom)[:1]:
        yield "settle", [{"hex": label, "name": NEW_TOWN}]
    towns = [(town["name"], offers["everywhere"] + town["buildings"]) for town in offers["towns"]]
    for name, prices in [(name, prices) for name, prices in towns if prices][:1]:
        yield "build", [{"in": name, "build": prices[0]["kinds"][0]["order"]}]
    orders = list(_to_armies(kingdom, offers, ground))
    while len(orders) > 1 and not all(_fits(f"#{line}") for line in lines_of_order("armies", orders)):
        orders = orders[:-1]
    if orders:
        yield "armies", orders


def _to_armies(kingdom: Kingdom, offers: Options, ground: Ground) -> Iterator[dict[str, object]]:
    """Each army that may go, on patrol beside where it stands; a new army."""
    world, rules, piers = ground.world, ground.rules, piers_of(ground.kingdom, ground.rules)
    for name, army in sorted(kingdom.armies.items()):
        own = [label for label in neighbours(army.hex) if label in kingdom.hexes]
        beside = [label for label in own if step_cost(army.hex, label, world, rules, piers) is not None]
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


def _abroad(kingdom: Kingdom, offers: Options, aided: Sequence[str], ground: Ground) -> Iterator[Order]:
    """Aid, an expedition, adventurers."""
    edicts: list[SpecialEdict] = [{"edict": "aid", "to": other, "attribute": "economy"} for other in aided]
    row = offers["expeditions"]
    tasks = [(monsters["match"], monsters["hex"]) for monsters in row["monsters"][:1]] if row else []
    tasks += [(hazard["bp"], hazard["hex"]) for hazard in row["hazards"]] if row else []
    if row and row["weeks"] > 0:
        start = kingdom.capital or min(kingdom.settlements)
        edicts.append({"edict": "explore", "from": start, "weeks": row["weeks"], "toward": DIRECTIONS[0]})
    edicts += [{"edict": "adventurers", "bp": bp, "task": label} for bp, label in tasks]
    told = set[object]()
    for edict in edicts:
        if edict["edict"] not in told and may_issue(edict, ground):
            told.add(edict["edict"])
            yield "special", [edict]


def _of_trade(offers: Options, ground: Ground) -> Iterator[Order]:
    """A caravan, a share, a route closed."""
    row, kingdom, rules = offers["trade"], ground.kingdom, ground.rules
    seat, seen = ground.seat, ground.seen
    if row is None:
        return
    for end in row["ends"][:1]:
        if best_path(without_unseen(seen, rules), seat, kingdom, end["hexes"][:1], rules):
            yield "special", [{"edict": "trade_route", "to": end["seat"], "hex": end["hexes"][0]}]
    shares: list[SpecialEdict] = [{"edict": "share_route", "to": other} for other in row["sharing"]]
    for share in [share for share in shares if may_issue(share, ground)][:1]:
        yield "special", [share]
    closed: list[SpecialEdict] = [{"edict": "close_route", "route": key} for key in kingdom.routes]
    for close in [close for close in closed if may_issue(close, ground)][:1]:
        yield "special", [close]
